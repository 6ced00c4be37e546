import type { Answer } from '../api/answer.js';
import type { IntegrationInstall } from '../api/integrationInstall.js';
import { parseDateTime } from './dateTime.js';
import type { LookedUpInstall } from './installStore.js';

/** Apart from the store, which every window has: dates are read when something has been looked up. */
export function lookedUpInstall(organizationId: string, answer: Answer<IntegrationInstall>): LookedUpInstall {
  const expiresAt = parseDateTime(answer.value.expiresAt);
  return { organizationId, answer, ...(expiresAt !== undefined && { expiresAt }) };
}

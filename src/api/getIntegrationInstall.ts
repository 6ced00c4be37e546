import type { Answer } from './answer.js';
import type { Call, Target } from './client.js';
import { decodeIntegrationInstall } from './decodeIntegrationInstall.js';
import type { IntegrationInstall } from './integrationInstall.js';
import type { Sender } from './send.js';

/** Reference, 4.1: a pending installation, addressed by a token that is a secret. Rejects with `ApiError` only. */
export function getIntegrationInstall(
  sender: Sender,
  target: Target,
  installToken: string,
  call: Call,
): Promise<Answer<IntegrationInstall>> {
  const template = '/integration-installs/{token}';
  const operation = { method: 'GET', template, id: installToken, idIsSecret: true } as const;
  return sender.get(target, operation, call, decodeIntegrationInstall);
}

import type { Client, Target } from '../api/client.js';
import { type ConnectionStep, check } from '../api/network/check.js';
import type { KnownSecrets } from '../api/secrets.js';
import type { NetworkSettings } from './networkSettings.js';
import type { Settings } from './settings.js';

/** Goes to a base URL step by step, and tells each. `deploymentId`: one to ask for, so that the answer says something about it. */
export type ConnectionCheck = (
  target: Target,
  signal: AbortSignal,
  deploymentId: string | undefined,
  tell: (step: ConnectionStep) => void,
) => Promise<void>;

export function createConnectionCheck(
  network: NetworkSettings,
  settings: Pick<Settings, 'requestTimeout'>,
  secrets: KnownSecrets,
  client: Pick<Client, 'pausedUntil'>,
): ConnectionCheck {
  return (target, signal, deploymentId, tell) => {
    const options = {
      settings: network.route,
      editorFetch: network.editorFetch,
      timeout: settings.requestTimeout,
      signal,
      secrets,
      pausedUntil: (organizationId: string) => client.pausedUntil(organizationId),
      ...(deploymentId !== undefined && { deploymentId }),
    };
    return check(target, options, tell);
  };
}

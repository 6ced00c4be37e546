import type { Client, Target } from '../api/client.js';
import type { ConnectionStep } from '../api/connectionStep.js';
import type { KnownSecrets } from '../api/secrets.js';
import type { NetworkSettings } from './networkSettings.js';
import type { Settings } from './settings.js';

/** Goes to a base URL step by step. `deploymentId`: one to ask for, so that the answer says something about it. */
export type ConnectionCheck = (
  target: Target,
  signal: AbortSignal,
  deploymentId: string | undefined,
) => AsyncIterable<ConnectionStep>;

export function createConnectionCheck(
  network: NetworkSettings,
  settings: Pick<Settings, 'requestTimeout'>,
  secrets: KnownSecrets,
  client: Pick<Client, 'pausedUntil'>,
): ConnectionCheck {
  return async function* check(target, signal, deploymentId) {
    // Rarely needed, so loaded with the first check.
    const { checkConnection } = await import('../api/checkConnection.js');
    yield* checkConnection(target, {
      settings: network.route,
      editorFetch: network.editorFetch,
      timeout: settings.requestTimeout,
      signal,
      secrets,
      pausedUntil: (organizationId) => client.pausedUntil(organizationId),
      ...(deploymentId !== undefined && { deploymentId }),
    });
  };
}

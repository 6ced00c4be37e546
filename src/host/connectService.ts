import type * as vscode from 'vscode';
import { createClient, type ManagedClient } from '../api/createClient.js';
import { routedConnector } from '../api/network/routedConnector.js';
import type { TrustTrouble } from '../api/network/trust.js';
import type { KnownSecrets } from '../api/secrets.js';
import { createConnectionCheck } from './connectionCheck.js';
import { exchangeLine } from './exchangeLine.js';
import { forgetRoutes } from './forgetRoutes.js';
import { createNetworkSettings } from './networkSettings.js';
import type { Log, Services } from './services.js';
import type { Settings } from './settings.js';

export interface ServiceConnection extends vscode.Disposable, Pick<Services, 'checkConnection'> {
  readonly client: ManagedClient;
}

/** The way to the service as settings and environment prescribe it, with a line in the log for every request. */
export function connectService(
  settings: Settings,
  log: Log,
  secrets: KnownSecrets,
  onPause: (organizationId: string, until: number) => void,
): ServiceConnection {
  const network = createNetworkSettings(secrets);
  const client = createClient({
    limits: () => settings,
    connector: routedConnector({
      settings: () => network.route,
      editorFetch: network.editorFetch,
      requestTimeout: () => settings.requestTimeout,
      onTrustTrouble: (trouble) => log.warn(trustLine(trouble)),
    }),
    onExchange: (exchange) => log.info(exchangeLine(exchange)),
    secrets,
    onPause,
  });
  const routes = forgetRoutes(network, () => client.forgetRoutes(), Date.now);
  return {
    client,
    checkConnection: createConnectionCheck(network, settings, secrets, client),
    dispose() {
      routes.dispose();
      network.dispose();
    },
  };
}

/** English like the rest of the log. */
function trustLine(trouble: TrustTrouble): string {
  return trouble.kind === 'late'
    ? `The certificates of this machine are not read after ${Math.round(trouble.after)} ms. Until they are, only those that VS Code carries are trusted.`
    : `The certificates of this machine could not be read (${trouble.code}). Only those that VS Code carries are trusted.`;
}

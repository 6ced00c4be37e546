import * as vscode from 'vscode';
import { createClient } from '../../../src/api/createClient.js';
import { routedConnector } from '../../../src/api/network/routedConnector.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { createConnectionCheck } from '../../../src/host/connectionCheck.js';
import { createProblemFilter } from '../../../src/host/createProblemFilter.js';
import { createSettings } from '../../../src/host/createSettings.js';
import { exchangeLine } from '../../../src/host/exchangeLine.js';
import { feedStore } from '../../../src/host/feedStore.js';
import { forgetRoutes } from '../../../src/host/forgetRoutes.js';
import { DeploymentList } from '../../../src/host/list/deploymentList.js';
import { createNetworkSettings } from '../../../src/host/networkSettings.js';
import { Organizations } from '../../../src/host/organizations/organizations.js';
import { seenSinceState } from '../../../src/host/seenSinceState.js';
import type { Log, Services } from '../../../src/host/services.js';
import { createInstallStore } from '../../../src/model/createInstallStore.js';
import { createSeenSince } from '../../../src/model/seenSince.js';
import { Store } from '../../../src/model/store/store.js';
import { MemorySecrets, MemoryState, SecretStore } from '../host/memory.js';

export interface Graph {
  readonly services: Services;
  readonly secrets: MemorySecrets;
  /** What this workspace and this machine remember. */
  readonly states: { readonly workspace: MemoryState; readonly global: MemoryState };
  /** What the log got, redacted. */
  readonly lines: string[];
  /** Ids of the deployments that the view was asked to show. */
  readonly revealed: string[];
  /** Deployments whose rows were opened. */
  readonly opened: string[];
  /** Texts that were shown to read and copy: title and text. */
  readonly texts: (readonly [string, string])[];
  dispose(): Promise<void>;
}

/** The object graph as `extension.ts` makes it, without its views: the running extension has these already. */
export function createGraph(env: NodeJS.ProcessEnv = {}): Graph {
  const now = Date.now;
  const secrets = new KnownSecrets();
  const lines: string[] = [];
  const revealed: string[] = [];
  const opened: string[] = [];
  const texts: (readonly [string, string])[] = [];
  const write = (line: string) => lines.push(secrets.redact(line));
  const log: Log = {
    info: write,
    warn: write,
    error: write,
    show: () => undefined,
    redact: (text) => secrets.redact(text),
    dispose: () => undefined,
  };
  const keyring = new MemorySecrets(new SecretStore());
  const states = { workspace: new MemoryState(), global: new MemoryState() };
  const settings = createSettings(log);
  const deploymentList = new DeploymentList(log);
  const organizations = new Organizations(
    { secrets: keyring, workspaceState: states.workspace, globalState: states.global },
    log,
    secrets,
    env,
  );
  const filter = createProblemFilter(states.workspace);
  const network = createNetworkSettings(secrets, env);
  const client = createClient({
    limits: () => settings,
    connector: routedConnector({
      settings: () => network.route,
      editorFetch: network.editorFetch,
      requestTimeout: () => settings.requestTimeout,
    }),
    onExchange: (exchange) => log.info(exchangeLine(exchange)),
    secrets,
    onPause: (id, until) => store.pause(id, until),
  });
  const seen = createSeenSince(seenSinceState(states.workspace, log));
  const store = new Store({ now, seen });
  const installs = createInstallStore({ now });
  const shown = { organizations, settings, deploymentList, client, store, installs, filter, log };
  const feed = feedStore(shown, seen, () => undefined);
  const owned: readonly vscode.Disposable[] = [
    feed,
    settings.onDidChange(() => client.limitsChanged()),
    forgetRoutes(network, () => client.forgetRoutes(), now),
    store,
    installs,
    organizations,
    deploymentList,
    settings,
    filter,
    network,
  ];
  return {
    services: {
      ...shown,
      checkConnection: createConnectionCheck(network, settings, secrets, client),
      // The running extension owns the one provider of such texts.
      readOnlyText: { show: async (title, text) => void texts.push([title, text]) },
      extensionUri: vscode.Uri.file('/'),
      reveal: async (id) => void revealed.push(id),
      open: async (id) => void opened.push(id),
    },
    secrets: keyring,
    states,
    lines,
    revealed,
    opened,
    texts,
    dispose: async () => {
      for (const one of owned) one.dispose();
      await client.close();
    },
  };
}

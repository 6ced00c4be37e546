import * as vscode from 'vscode';
import { clientOnDemand } from './api/clientOnDemand.js';
import { KnownSecrets } from './api/secrets.js';
import { registerLanguageModelTools } from './commands/languageModelTools.js';
import { registerCommands } from './commands/registerCommands.js';
import { registerUriHandler } from './commands/uriHandler.js';
import { registerContextFacts } from './host/contextFacts.js';
import { createLog } from './host/createLog.js';
import { createProblemFilter } from './host/createProblemFilter.js';
import { createSettings } from './host/createSettings.js';
import { feedStore } from './host/feedStore.js';
import { lazy } from './host/lazy.js';
import { DeploymentList } from './host/list/deploymentList.js';
import { onceSignedIn } from './host/onceSignedIn.js';
import { registerAccountsMenu } from './host/organizations/accountsMenu.js';
import { Organizations } from './host/organizations/organizations.js';
import { sayLostSignIns } from './host/sayLostSignIns.js';
import { remembersProblems, seenSinceState } from './host/seenSinceState.js';
import type { Services } from './host/services.js';
import { createInstallStore } from './model/createInstallStore.js';
import { storeOnDemand } from './model/storeOnDemand.js';
import { registerDeploymentsView } from './views/deploymentsView.js';
import { registerInstallsView } from './views/installsView.js';
import { registerStatusBar } from './views/statusBar.js';

/** The object graph, top to bottom: facts in, stores, surfaces, commands. What is not needed yet is loaded where it is. */
export function activate(context: vscode.ExtensionContext): void {
  const now = Date.now;
  const secrets = new KnownSecrets();
  const log = createLog(secrets);
  const settings = createSettings(log);
  const deploymentList = new DeploymentList(log);
  const organizations = new Organizations(context, log, secrets);
  const filter = createProblemFilter(context.workspaceState);

  // Loaded when there is an organization to ask: a window without one needs neither.
  const connection = lazy(async () => {
    const { connectService } = await import('./host/connectService.js');
    const connected = connectService(settings, log, secrets, (id, until) => store.pause(id, until));
    context.subscriptions.push(connected);
    return connected;
  });
  const client = clientOnDemand(async () => (await connection()).client);
  let seenLoaded = false;
  const seen = lazy(async () => {
    seenLoaded = true;
    const { createSeenSince } = await import('./model/seenSince.js');
    return createSeenSince(seenSinceState(context.workspaceState, log));
  });
  const seenOnDemand = {
    keepOrganizations(ids: ReadonlySet<string>) {
      if (!seenLoaded && !remembersProblems(context.workspaceState)) return;
      void seen().then((memory) => memory.keepOrganizations(ids));
    },
  };
  const store = storeOnDemand(async () => {
    const { Store } = await import('./model/store/store.js');
    return new Store({ now, seen: await seen() });
  });
  const installs = createInstallStore({ now });
  const readOnlyText = lazy(async () => {
    const { ReadOnlyText } = await import('./host/readOnlyText.js');
    const created = new ReadOnlyText();
    context.subscriptions.push(created);
    return created;
  });

  const shown = { organizations, settings, deploymentList, client, store, installs, filter, log };
  const deploymentsView = registerDeploymentsView(shown);
  const services: Services = {
    ...shown,
    checkConnection: async (...asked) => (await connection()).checkConnection(...asked),
    readOnlyText: { show: async (...asked) => (await readOnlyText()).show(...asked) },
    extensionUri: context.extensionUri,
    reveal: (deploymentId) => deploymentsView.reveal(deploymentId),
    open: (deploymentId) => deploymentsView.open(deploymentId),
  };
  const reading = onceSignedIn(organizations, log, async () => {
    const { whileSignedIn } = await import('./whileSignedIn.js');
    return whileSignedIn(services, deploymentsView);
  });

  context.subscriptions.push(
    log,
    settings,
    deploymentList,
    organizations,
    filter,
    store,
    installs,
    settings.onDidChange(() => client.limitsChanged()),
    { dispose: () => void client.close() },
    feedStore(services, seenOnDemand, () => reading.started?.restart()),
    deploymentsView,
    registerInstallsView(services),
    registerStatusBar(services),
    registerContextFacts(services),
    sayLostSignIns(organizations),
    registerAccountsMenu(organizations, log),
    registerCommands(services, () => deploymentsView.selection),
    registerUriHandler(services),
    registerLanguageModelTools(services),
    reading,
  );
}

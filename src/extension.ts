import * as vscode from 'vscode';
import { createClient } from './api/createClient.js';
import { routedConnector } from './api/network/routedConnector.js';
import { KnownSecrets } from './api/secrets.js';
import { registerLanguageModelTools } from './commands/languageModelTools.js';
import { registerCommands } from './commands/registerCommands.js';
import { registerUriHandler } from './commands/uriHandler.js';
import { registerAuthenticationProvider } from './host/authenticationProvider.js';
import { createConnectionCheck } from './host/connectionCheck.js';
import { registerContextFacts } from './host/contextFacts.js';
import { createDeploymentList } from './host/createDeploymentList.js';
import { createLog } from './host/createLog.js';
import { createOrganizations } from './host/createOrganizations.js';
import { createProblemFilter } from './host/createProblemFilter.js';
import { createSettings } from './host/createSettings.js';
import { exchangeLine } from './host/exchangeLine.js';
import { feedStore } from './host/feedStore.js';
import { forgetRoutes } from './host/forgetRoutes.js';
import { createNetworkSettings } from './host/networkSettings.js';
import { ReadOnlyText } from './host/readOnlyText.js';
import { sayLostSignIns } from './host/sayLostSignIns.js';
import { seenSinceState } from './host/seenSinceState.js';
import type { Services } from './host/services.js';
import { watchRefreshSituation } from './host/watchRefreshSituation.js';
import { createDeploymentStore } from './model/createDeploymentStore.js';
import { createInstallStore } from './model/createInstallStore.js';
import { lastAttempt } from './model/deployment.js';
import { createRefreshSchedule } from './model/refreshSchedule.js';
import { createSeenSince } from './model/seenSince.js';
import { registerDeploymentsView } from './views/deploymentsView.js';
import { registerEditor } from './views/editor/registerEditor.js';
import { registerInstallsView } from './views/installsView.js';
import { registerStatusBar } from './views/statusBar.js';

/** The object graph, top to bottom: facts in, stores, surfaces, commands. */
export function activate(context: vscode.ExtensionContext): void {
  const now = Date.now;
  const secrets = new KnownSecrets();
  const log = createLog(secrets);
  const settings = createSettings(log);
  const deploymentList = createDeploymentList(log);
  const organizations = createOrganizations(context, log, secrets);
  const filter = createProblemFilter(context.workspaceState);

  const network = createNetworkSettings(secrets);
  const client = createClient({
    limits: () => settings,
    connector: routedConnector({
      settings: () => network.route,
      editorFetch: network.editorFetch,
      requestTimeout: () => settings.requestTimeout,
    }),
    onExchange: (exchange) => log.info(exchangeLine(exchange)),
    secrets,
    onPause: (organizationId, until) => store.pause(organizationId, until),
  });
  const seen = createSeenSince(seenSinceState(context.workspaceState, log));
  const store = createDeploymentStore({ now, seen });
  const installs = createInstallStore({ now });
  const readOnlyText = new ReadOnlyText();

  const shown = { organizations, settings, deploymentList, client, store, installs, filter, log };
  const deploymentsView = registerDeploymentsView(shown);
  const services: Services = {
    ...shown,
    checkConnection: createConnectionCheck(network, settings, secrets),
    readOnlyText,
    extensionUri: context.extensionUri,
    reveal: (element) => deploymentsView.reveal(element),
  };
  const schedule = createRefreshSchedule({
    now,
    lastRead: (id) => lastAttempt(store.get(id)),
    run: (ids, signal) => store.refreshAll(ids, signal),
  });

  context.subscriptions.push(
    log,
    settings,
    deploymentList,
    organizations,
    filter,
    store,
    installs,
    schedule,
    network,
    readOnlyText,
    settings.onDidChange(() => client.limitsChanged()),
    forgetRoutes(network, () => client.forgetRoutes(), now),
    { dispose: () => void client.close() },
    feedStore(services, seen, () => schedule.restart()),
    deploymentsView,
    registerInstallsView(services),
    registerStatusBar(services),
    registerContextFacts(services),
    sayLostSignIns(organizations),
    registerAuthenticationProvider(organizations, log),
    registerCommands(services, () => deploymentsView.selection),
    registerUriHandler(services),
    registerLanguageModelTools(services),
    registerEditor(services, (mentioned) => schedule.update({ mentioned })),
    watchRefreshSituation(services, deploymentsView, (change) => schedule.update(change)),
  );
}

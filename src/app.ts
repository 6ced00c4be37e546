import * as vscode from 'vscode';
import { Client } from './api/client.js';
import { check } from './api/network/check.js';
import { Router } from './api/network/router.js';
import type { TrustTrouble } from './api/network/trust.js';
import type { KnownSecrets } from './api/secrets.js';
import type { CommandArguments } from './commands/arguments.js';
import { ReadOnlyText } from './commands/checkConnection.js';
import { type CommandName, Commands } from './commands/commands.js';
import { tellEndedWatches } from './commands/deployments/watch.js';
import { openLink } from './commands/openLink.js';
import { authorizationTool } from './commands/tools/authorizationTool.js';
import { installTool } from './commands/tools/installTool.js';
import { problemsTool } from './commands/tools/problemsTool.js';
import { adapt } from './commands/tools/tool.js';
import { type ContextKeys, registerContextFacts } from './host/contextKeys.js';
import { showError, showErrors } from './host/errors.js';
import { feedStore, watchRefreshSituation } from './host/feed.js';
import type { toolNames } from './host/ids.js';
import { DeploymentList } from './host/list/deploymentList.js';
import type { Log } from './host/log.js';
import { exchangeLine } from './host/log.js';
import { forgetRoutes, Network } from './host/network.js';
import type { Organizations } from './host/organizations/organizations.js';
import type { Services } from './host/services.js';
import { Settings } from './host/settings.js';
import { Grouping, ProblemFilter } from './host/viewOptions.js';
import { lastAttempt } from './model/deployment.js';
import { Installs, type PendingInstall } from './model/installs.js';
import { Impact } from './model/problems/impact.js';
import { remembered } from './model/problems/memory.js';
import { Mutes } from './model/problems/mutes.js';
import { SeenSince } from './model/problems/seenSince.js';
import { Watches } from './model/problems/watches.js';
import { Schedule } from './model/schedule.js';
import { Slices } from './model/slices.js';
import { Store } from './model/store/store.js';
import { type Clock, systemClock } from './model/time.js';
import type { TreeElement } from './model/tree/elements.js';
import { editorFeatures } from './views/editor/documents.js';
import { InstallsView } from './views/installs.js';
import { registerNewProblems } from './views/newProblems.js';
import { registerStatusBar } from './views/statusBar.js';
import { DeploymentsView } from './views/tree/view.js';

/** What every window has from its start, made by `extension.ts`. */
export interface FirstStage {
  readonly context: Pick<vscode.ExtensionContext, 'workspaceState' | 'globalState' | 'extensionUri'>;
  readonly log: Omit<Log, 'dispose'>;
  readonly secrets: KnownSecrets;
  readonly keys: ContextKeys;
  readonly organizations: Organizations;
  readonly deployments: vscode.TreeView<TreeElement>;
  readonly installs: vscode.TreeView<PendingInstall>;
}

/** What a test may put in place of the machine's own. */
export interface Surroundings {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly window: Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'>;
  readonly readOnlyText: Services['readOnlyText'] & vscode.Disposable;
}

/** The object graph, top to bottom: settings and network in, stores, then all that shows and changes what is in them. */
export class App implements Services, vscode.Disposable {
  readonly log: Omit<Log, 'dispose'>;
  readonly organizations: Organizations;
  readonly extensionUri: vscode.Uri;
  readonly machineState: Services['machineState'];
  readonly settings: Settings;
  readonly deploymentList: DeploymentList;
  readonly filter: ProblemFilter;
  readonly grouping: Grouping;
  readonly impact: Impact;
  readonly client: Client;
  readonly checkConnection: Services['checkConnection'];
  readonly store: Store;
  readonly watches: Watches;
  readonly installs: Installs;
  readonly readOnlyText: Services['readOnlyText'];
  readonly reveal: Services['reveal'];
  readonly open: Services['open'];
  /** For the two tree views. */
  readonly deploymentRows: vscode.TreeDataProvider<TreeElement>;
  readonly installRows: vscode.TreeDataProvider<PendingInstall>;
  readonly tools: Readonly<Record<keyof typeof toolNames, vscode.LanguageModelTool<unknown>>>;
  private readonly commands: Commands;
  private readonly owned: vscode.Disposable;

  constructor(first: FirstStage, surroundings: Partial<Surroundings> = {}) {
    const { context, log, secrets, keys, organizations } = first;
    const { clock = systemClock, env = process.env, window = vscode.window } = surroundings;
    const { now, setTimer } = clock;
    this.log = log;
    this.organizations = organizations;
    this.extensionUri = context.extensionUri;
    this.machineState = context.globalState;

    const settings = new Settings(log);
    const deploymentList = new DeploymentList(log);
    const filter = new ProblemFilter(context.workspaceState, 'onlyProblems');
    const grouping = new Grouping(context.workspaceState, 'byAccount');
    const network = new Network(secrets, env);
    const answers = new Slices();
    const client = new Client({
      limits: () => settings,
      connector: new Router({
        settings: () => network.route,
        editorFetch: network.editorFetch,
        requestTimeout: () => settings.requestTimeout,
        onTrustTrouble: (trouble) => log.warn(trustLine(trouble)),
      }),
      onExchange: (exchange) => log.info(exchangeLine(exchange)),
      secrets,
      inTurn: (work) => answers.finish(work),
      onPause: (id, until) => store.pause(id, until),
      now,
    });
    const seen = new SeenSince(remembered(context.workspaceState, 'seenSince', '"Seen since"', log));
    const mutes = new Mutes({ now, setTimer, ...remembered(context.workspaceState, 'mutes', 'Mutes', log) });
    const store = new Store({ now, seen, mutes, setTimer });
    const installs = new Installs(secrets, now);
    const schedule = new Schedule({
      now,
      setTimer,
      lastRead: (id) => lastAttempt(store.get(id)),
      run: (ids, signal) => store.refreshAll(ids, signal),
    });
    this.settings = settings;
    this.deploymentList = deploymentList;
    this.filter = filter;
    this.grouping = grouping;
    this.client = client;
    this.checkConnection = (target, signal, deploymentId, tell) => {
      const options = {
        settings: network.route,
        editorFetch: network.editorFetch,
        timeout: settings.requestTimeout,
        signal,
        secrets,
        pausedUntil: (id: string) => client.pausedUntil(id),
        ...(deploymentId !== undefined && { deploymentId }),
      };
      return check(target, options, tell);
    };
    this.store = store;
    this.watches = new Watches(store, clock);
    this.installs = installs;
    this.impact = new Impact(store);

    const deploymentsView = new DeploymentsView(this, first.deployments, keys, clock);
    const installsView = new InstallsView(this, first.installs, clock);
    const readOnlyText = surroundings.readOnlyText ?? new ReadOnlyText();
    this.deploymentRows = deploymentsView;
    this.installRows = installsView;
    this.readOnlyText = readOnlyText;
    this.reveal = (deploymentId) => deploymentsView.reveal(deploymentId);
    this.open = (deploymentId) => deploymentsView.open(deploymentId);
    this.commands = new Commands(this, () => first.deployments.selection);
    this.tools = {
      listProblems: adapt(this, problemsTool(this)),
      getDeploymentAuthorization: adapt(this, authorizationTool(this)),
      getIntegrationInstall: adapt(this, installTool(this)),
    };

    this.owned = vscode.Disposable.from(
      // What listens comes before what it listens to.
      feedStore(this, [seen, mutes], () => {
        schedule.restart();
        this.watches.restart();
      }),
      watchRefreshSituation(this, first.deployments, (change) => schedule.update(change), window),
      settings.onDidChange(() => client.limitsChanged()),
      forgetRoutes(network, () => client.forgetRoutes(), now, window),
      store.onDidChange(() => this.impact.follow()),
      registerStatusBar(this),
      registerContextFacts(this, keys),
      editorFeatures(this, (mentioned) => schedule.update({ mentioned })),
      registerNewProblems(this),
      tellEndedWatches(this),
      deploymentsView,
      installsView,
      readOnlyText,
      schedule,
      this.watches,
      store,
      installs,
      filter,
      grouping,
      network,
      deploymentList,
      settings,
      { dispose: () => void client.close() },
    );
  }

  /** Shows what goes wrong in it. */
  async run(command: CommandName, args: CommandArguments): Promise<unknown> {
    return showErrors(this.log, () => this.commands[command](...args));
  }

  async openLink(uri: vscode.Uri): Promise<void> {
    await showErrors(this.log, () => openLink(this, uri));
  }

  showError(error: unknown): void {
    showError(this.log, error);
  }

  dispose(): void {
    this.owned.dispose();
  }
}

/** English like the rest of the log. */
function trustLine(trouble: TrustTrouble): string {
  return trouble.kind === 'late'
    ? `The certificates of this machine are not read after ${Math.round(trouble.after)} ms. Until they are, only those that VS Code carries are trusted.`
    : `The certificates of this machine could not be read (${trouble.code}). Only those that VS Code carries are trusted.`;
}

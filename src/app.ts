import * as vscode from 'vscode';
import { AnswerHistory } from './api/answerer/answerHistory.js';
import { Client } from './api/client.js';
import { Router } from './api/network/router.js';
import type { KnownSecrets } from './api/secrets.js';
import { Sender } from './api/sender.js';
import { type Commands, commandsOf } from './commands/commands.js';
import { authorizationTool, problemsTool } from './commands/tools/deploymentTools.js';
import { adapt } from './commands/tools/tool.js';
import { registerContextFacts } from './host/contextKeys.js';
import { showError, showErrors } from './host/errors.js';
import {
  feedStore,
  readOnFocus,
  watchAbsence,
  watchRefreshSituation,
  watchSignIns,
} from './host/feed.js';
import { type CommandName, toolNames } from './host/ids.js';
import { DeploymentList } from './host/list/deploymentList.js';
import { IgnoredSettings } from './host/list/ignoredSettings.js';
import { Owners } from './host/list/owners.js';
import { certificatesLine, requestLine } from './host/log.js';
import { messageOf } from './host/messages.js';
import { Network } from './host/network.js';
import { ReadOnlyTexts } from './host/readOnlyTexts.js';
import type { Services } from './host/services.js';
import { Settings } from './host/settings.js';
import { setRemote } from './host/text/format.js';
import { ViewOption } from './host/viewOption.js';
import { DisposableOwner } from './model/base/disposableOwner.js';
import { Emitter } from './model/base/emitter.js';
import { type Clock, systemClock } from './model/base/time.js';
import { lastAttempt } from './model/findings/deployment.js';
import { Installs, type PendingInstall } from './model/installs.js';
import { ChangesWhileAway } from './model/problems/changesWhileAway.js';
import { Impact } from './model/problems/impact.js';
import { ProblemMemory } from './model/problems/problemMemory.js';
import { Schedule } from './model/schedule.js';
import { Store } from './model/store/store.js';
import type { TreeElement } from './model/tree/elements.js';
import { VerdictAge } from './model/verdictAge.js';
import { registerChangesWhileAway } from './views/changesWhileAway.js';
import { editorFeatures } from './views/editor/documents.js';
import { registerFixedProblems } from './views/fixedProblems.js';
import { InstallsView } from './views/installs.js';
import { registerNewProblems } from './views/newProblems.js';
import { registerStatusBar } from './views/statusBar.js';
import type { DeploymentsProvider } from './views/tree/provider.js';
import { DeploymentsView } from './views/tree/view.js';

export interface FirstStage extends Pick<Services, 'log' | 'organizations'> {
  readonly context: Pick<
    vscode.ExtensionContext,
    'workspaceState' | 'globalState' | 'extensionUri'
  >;
  readonly secrets: KnownSecrets;
  readonly deployments: vscode.TreeView<TreeElement>;
  readonly installs: vscode.TreeView<PendingInstall>;
}

/** What a test may put in place of the machine's own. */
export interface Surroundings {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly window: Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'>;
  readonly isRemote: boolean;
}

/** The object graph: settings and network, stores, and all that shows and changes what is in them, each made after what it needs. */
export class App extends DisposableOwner {
  readonly services: Services;
  readonly deploymentRows: DeploymentsProvider;
  readonly installRows: InstallsView;
  readonly tools: Readonly<
    Record<(typeof toolNames)[keyof typeof toolNames], vscode.LanguageModelTool<unknown>>
  >;
  private readonly commands: Commands;

  constructor(first: FirstStage, surroundings: Partial<Surroundings> = {}) {
    super();
    const { context, log, secrets, organizations } = first;
    const { clock = systemClock, env = process.env, window = vscode.window } = surroundings;
    const { isRemote = vscode.env.remoteName !== undefined } = surroundings;
    const { elapsed, now } = clock;

    setRemote(isRemote);
    const settings = this.own(new Settings(log));
    const deploymentList = this.own(new DeploymentList(log));
    const ignoredSettings = this.own(new IgnoredSettings(deploymentList, window));
    const owners = this.own(new Owners(log));
    this.own(
      organizations.onDidChange(() => {
        deploymentList.readAgain();
        owners.readAgain();
      }),
    );
    const filter = new ViewOption(context.workspaceState, 'onlyProblems');
    const grouping = new ViewOption(context.workspaceState, 'byAccount');

    const network = this.own(new Network({ secrets, log, env, now, window }));
    const trustChanged = this.own(new Emitter<void>());
    const history = new AnswerHistory();
    this.own(watchSignIns(organizations, history));
    const router = new Router({
      settings: () => network.route,
      onRouteChange: () => history.forgetAll(),
      editorFetch: network.editorFetch,
      requestTimeout: () => settings.requestTimeout,
      onTrustChange: () => trustChanged.fire(),
      onTrustFailure: (code, areKept) => log.warnOnce(certificatesLine(code, areKept)),
    });
    this.own(
      network.onDidChange(() => {
        router.forget();
        history.forgetAll();
      }),
    );
    const pausesChanged = this.own(new Emitter<void>());
    const sender = new Sender({
      limits: () => settings,
      router,
      onRequest: (entry) => log.info(requestLine(entry)),
      secrets,
      history,
      onPauses: () => pausesChanged.fire(),
      now,
      elapsed,
    });
    this.own({ dispose: () => void sender.close() });

    const memory = new ProblemMemory({ ...clock, state: context.workspaceState, log });
    const store = this.own(
      new Store({
        ...clock,
        memory,
        history,
        pausedUntil: (id) => sender.pausedUntil(id),
        hasFocus: () => window.state.focused,
      }),
    );
    this.own(pausesChanged.event(() => store.pausesChanged()));
    const verdictAge = this.own(new VerdictAge(store, settings, clock));
    const changesWhileAway = this.own(
      new ChangesWhileAway(store, { now, settings, mutes: memory }),
    );
    const impact = this.own(new Impact(store));
    const installs = this.own(new Installs(now));
    const schedule = this.own(
      new Schedule({
        ...clock,
        lastRead: (id) => lastAttempt(store.get(id)),
        // With 0 nothing is read that the user has not asked for, beyond the first reading.
        run: (ids, signal) => store.refresh(ids, { signal, alone: settings.refreshInterval === 0 }),
        probe: (ids, signal) => store.probe(ids, signal),
      }),
    );
    this.own(network.onDidChange(() => schedule.probeNow()));
    this.own(trustChanged.event(() => schedule.probeNow()));
    const readOnlyTexts = this.own(new ReadOnlyTexts());

    const shared = {
      extensionUri: context.extensionUri,
      machineState: context.globalState,
      organizations,
      settings,
      deploymentList,
      ignoredSettings,
      owners,
      client: new Client(sender, router),
      store,
      verdictAge,
      changesWhileAway,
      installs,
      filter,
      grouping,
      impact,
      memory,
      readOnlyTexts,
      log,
    };
    const deploymentsView = this.own(new DeploymentsView(shared, first.deployments, clock));
    const services: Services = {
      ...shared,
      reveal: (deploymentId, options) => deploymentsView.reveal(deploymentId, options),
      open: (deploymentId) => deploymentsView.open(deploymentId),
      select: (deploymentId) => tried(deploymentsView.select(deploymentId), log),
      focus: (deploymentId) => tried(deploymentsView.focus(deploymentId), log),
      focusAfterRemoval: (deploymentId) =>
        tried(deploymentsView.focusAfterRemoval(deploymentId), log),
      neighborOf: (deploymentIds) => deploymentsView.provider.neighborOf(deploymentIds),
      selectedRows: () => selectionOf(first.deployments),
      selectedInstalls: () => selectionOf(first.installs),
      selectInstall: (install) => tried(this.installRows.select(install), log),
      focusInstall: (install) => tried(this.installRows.focus(install), log),
    };
    this.services = services;
    this.deploymentRows = deploymentsView.provider;
    this.installRows = this.own(new InstallsView(services, first.installs, clock));
    this.commands = commandsOf(services);
    this.tools = {
      [toolNames.listProblems]: adapt(services, problemsTool(services)),
      [toolNames.getDeploymentAuthorization]: adapt(services, authorizationTool(services)),
    };

    this.own(feedStore(services));
    this.own(watchAbsence(changesWhileAway, window));
    this.own(
      watchRefreshSituation(
        services,
        first.deployments,
        (change) => schedule.update(change),
        window,
      ),
    );
    this.own(registerStatusBar(services, clock));
    this.own(registerContextFacts(services));
    this.own(editorFeatures(services, (mentioned) => schedule.update({ mentioned })));
    this.own(registerNewProblems(services));
    this.own(registerFixedProblems(services));
    this.own(registerChangesWhileAway(services));
    this.own(readOnFocus(services, window, clock));
  }

  async run(command: CommandName, given: readonly unknown[]): Promise<unknown> {
    return showErrors(this.services.log, () => this.commands[command](...given));
  }

  showError(error: unknown): void {
    showError(this.services.log, error);
  }
}

/** VS Code keeps the selection of a view that is hidden, where the user does not see it. */
function selectionOf<T>({
  visible,
  selection,
}: Pick<vscode.TreeView<T>, 'visible' | 'selection'>): readonly T[] {
  return visible ? selection : [];
}

/** What a command has done is done, also where VS Code cannot move the focus after it. */
async function tried(moving: Promise<void>, log: Pick<Services['log'], 'warn'>): Promise<void> {
  await moving.catch((error: unknown) =>
    log.warn(`The focus could not be moved: ${messageOf(error)}`),
  );
}

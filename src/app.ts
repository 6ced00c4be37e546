import * as vscode from 'vscode';
import { AnswerHistory } from './api/answerer/answerHistory.js';
import { Client } from './api/client.js';
import { Router } from './api/network/router.js';
import type { KnownSecrets } from './api/secrets.js';
import { Sender } from './api/sender.js';
import { type Commands, commandsOf } from './commands/commands.js';
import { authorizationTool, problemsTool } from './commands/tools/deploymentTools.js';
import { ConfirmedTool } from './commands/tools/tool.js';
import { watchContextKeys } from './host/contextKeys.js';
import { showError, showErrors } from './host/errors.js';
import {
  feedStore,
  readOnFocus,
  watchAbsence,
  watchRefreshSituation,
  watchSignIns,
} from './host/feed.js';
import { Grouping } from './host/grouping.js';
import { HideHealthy } from './host/hideHealthy.js';
import { type CommandName, toolNames } from './host/ids.js';
import { DeploymentList } from './host/list/deploymentList.js';
import { IgnoredSettings } from './host/list/ignoredSettings.js';
import { MuteEntries } from './host/list/muteEntries.js';
import { Owners } from './host/list/owners.js';
import { certificatesLine, requestLine } from './host/log.js';
import { messageOf } from './host/messages.js';
import { Network } from './host/network.js';
import { ReadOnlyTexts } from './host/readOnlyTexts.js';
import type { Services, ViewActions } from './host/services.js';
import { Settings } from './host/settings.js';
import { setRemoteWindow } from './host/text/format.js';
import { DisposableOwner } from './model/base/disposableOwner.js';
import { Emitter } from './model/base/emitter.js';
import { type Clock, systemClock } from './model/base/time.js';
import { lastAttemptAt } from './model/findings/deployment.js';
import { Installs, type PendingInstall } from './model/installs.js';
import { MyGroups } from './model/myGroups.js';
import { ChangesWhileAway } from './model/problems/changesWhileAway.js';
import { Impact } from './model/problems/impact.js';
import { ProblemMemory } from './model/problems/problemMemory.js';
import { Schedule } from './model/schedule.js';
import { Store } from './model/store/store.js';
import type { TreeElement } from './model/tree/elements.js';
import { VerdictAge } from './model/verdictAge.js';
import { registerChangesWhileAway } from './views/changesWhileAway.js';
import { EditorFeatures } from './views/editor/editorFeatures.js';
import { registerFixedProblems } from './views/fixedProblems.js';
import { InstallsView } from './views/installs.js';
import { registerNewProblems } from './views/newProblems.js';
import { registerStatusBar } from './views/statusBar.js';
import type { DeploymentsProvider } from './views/tree/provider.js';
import { DeploymentsView } from './views/tree/view.js';

/** What the first stage (`extension.ts`) has made already, in every window. */
export interface FirstStage extends Pick<Services, 'log' | 'organizations'> {
  readonly context: Pick<
    vscode.ExtensionContext,
    'workspaceState' | 'globalState' | 'extensionUri'
  >;
  readonly secrets: KnownSecrets;
  readonly deployments: vscode.TreeView<TreeElement>;
  readonly installs: vscode.TreeView<PendingInstall>;
}

/** What the machine and VS Code give, and a test may replace. */
export interface Surroundings {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly window: Pick<typeof vscode.window, 'state' | 'onDidChangeWindowState'>;
  /** Whether this runs on another machine than the user's, so that times need their zone. */
  readonly isRemote: boolean;
}

/** The settings, with the lists in them, and how the Deployments view shows its rows. */
type UserChoices = Pick<
  Services,
  | 'settings'
  | 'deploymentList'
  | 'ignoredSettings'
  | 'owners'
  | 'muteEntries'
  | 'filter'
  | 'grouping'
>;

/** The way of a request to the platform. */
interface PlatformAccess {
  readonly network: Network;
  readonly history: AnswerHistory;
  readonly router: Router;
  readonly sender: Sender;
  /** Fires when the certificates that connections trust have changed. */
  readonly trustChanged: Emitter<void>;
  /** Fires when a pause of requests (429) begins, ends, or becomes longer. */
  readonly pausesChanged: Emitter<void>;
}

/** What is known of deployments and of pending installs. */
type Model = Pick<
  Services,
  'memory' | 'store' | 'myGroups' | 'verdictAge' | 'changesWhileAway' | 'impact' | 'installs'
>;

type Tools = Readonly<
  Record<(typeof toolNames)[keyof typeof toolNames], vscode.LanguageModelTool<unknown>>
>;

/**
 * The object graph of the second stage. Makes and owns the settings, the way to the platform, the
 * store, the views, and the features, each after what it needs; disposes of them in reverse order.
 * `extension.ts` makes one App, shows its rows, and passes commands and tool calls to it.
 */
export class App extends DisposableOwner {
  readonly services: Services;
  readonly deploymentRows: DeploymentsProvider;
  readonly installRows: InstallsView;
  readonly tools: Tools;
  private readonly surroundings: Surroundings;
  private readonly commands: Commands;

  constructor(
    private readonly firstStage: FirstStage,
    replacements: Partial<Surroundings> = {},
  ) {
    super();
    const { context, log, organizations } = firstStage;
    this.surroundings = surroundingsWith(replacements);
    const { clock, isRemote } = this.surroundings;
    setRemoteWindow(isRemote);

    const choices = this.makeUserChoices();
    const access = this.makePlatformAccess(choices.settings);
    const model = this.makeModel(choices, access);
    const schedule = this.makeSchedule(choices.settings, model.store, access);
    const shared = {
      ...choices,
      ...model,
      readOnlyTexts: this.own(new ReadOnlyTexts()),
      extensionUri: context.extensionUri,
      machineState: context.globalState,
      organizations,
      client: new Client(access.sender, access.router),
      log,
    };

    const deploymentsView = this.own(new DeploymentsView(shared, firstStage.deployments, clock));
    const services: Services = { ...shared, ...this.viewActions(deploymentsView) };
    this.services = services;
    this.deploymentRows = deploymentsView.provider;
    this.installRows = this.own(new InstallsView(services, firstStage.installs, clock));

    this.commands = commandsOf(services);
    this.tools = {
      [toolNames.listProblems]: new ConfirmedTool(services, problemsTool(services)),
      [toolNames.getDeploymentAuthorization]: new ConfirmedTool(
        services,
        authorizationTool(services),
      ),
    };
    this.startFeatures(services, schedule);
  }

  /**
   * Resolves with what the command returns. If the command fails, shows its error and resolves with
   * `undefined`.
   */
  async run(command: CommandName, given: readonly unknown[]): Promise<unknown> {
    return showErrors(this.services.log, () => this.commands[command](...given));
  }

  /** Shows the error to the user, unless it is a cancellation. */
  showError(error: unknown): void {
    showError(this.services.log, error);
  }

  private makeUserChoices(): UserChoices {
    const { context, log, organizations } = this.firstStage;
    const settings = this.own(new Settings(log));
    const deploymentList = this.own(new DeploymentList(log));
    const ignoredSettings = this.own(new IgnoredSettings(deploymentList, this.surroundings.window));
    const owners = this.own(new Owners(log));
    const muteEntries = this.own(new MuteEntries(log, this.surroundings.clock.now));
    // A sign-in makes more secrets known, which are then found in these settings.
    this.own(
      organizations.onDidChange(() => {
        deploymentList.readAgain();
        owners.readAgain();
        muteEntries.readAgain();
      }),
    );
    const filter = new HideHealthy(context.workspaceState);
    const grouping = new Grouping(context.workspaceState, deploymentList);
    return { settings, deploymentList, ignoredSettings, owners, muteEntries, filter, grouping };
  }

  private makePlatformAccess(settings: Settings): PlatformAccess {
    const { log, secrets, organizations } = this.firstStage;
    const { clock, env, window } = this.surroundings;
    const { elapsed, now } = clock;

    const network = this.own(new Network({ secrets, log, env, now, window }));
    const trustChanged = this.own(new Emitter<void>());
    const history = new AnswerHistory();
    this.own(watchSignIns(organizations, history));
    const router = new Router({
      settings: () => network.routeSettings,
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
    this.own({
      dispose: () => {
        void sender.close();
      },
    });
    return { network, history, router, sender, trustChanged, pausesChanged };
  }

  private makeModel(
    { settings, muteEntries }: Pick<UserChoices, 'settings' | 'muteEntries'>,
    access: PlatformAccess,
  ): Model {
    const { context, log } = this.firstStage;
    const { clock, window } = this.surroundings;
    const { history, sender, pausesChanged } = access;

    const memory = new ProblemMemory({
      ...clock,
      state: context.workspaceState,
      log,
      muteEntries,
    });
    const store = this.own(
      new Store({
        ...clock,
        memory,
        history,
        pausedUntil: (organizationId) => sender.pausedUntil(organizationId),
        hasFocus: () => window.state.focused,
      }),
    );
    this.own(pausesChanged.event(() => store.pausesChanged()));
    const myGroups = this.own(new MyGroups(store, context.workspaceState));
    const verdictAge = this.own(new VerdictAge({ store, myGroups, settings }, clock));
    const changesWhileAway = this.own(
      new ChangesWhileAway(store, {
        now: clock.now,
        settings,
        mutes: memory,
        covers: (deployment) => myGroups.covers(deployment),
      }),
    );
    const impact = this.own(new Impact(store));
    const installs = this.own(new Installs(clock.now));
    return { memory, store, myGroups, verdictAge, changesWhileAway, impact, installs };
  }

  private makeSchedule(settings: Settings, store: Store, access: PlatformAccess): Schedule {
    const schedule = this.own(
      new Schedule({
        ...this.surroundings.clock,
        lastRead: (deploymentId) => lastAttemptAt(store.get(deploymentId)),
        run: (deploymentIds, signal) => {
          // With an interval of 0 the user wants no other requests, so a round reads no deployments
          // beyond its own, even if an answer contradicts their answers.
          const alone = settings.refreshInterval === 0;
          return store.refresh(deploymentIds, { signal, readsOnlyThese: alone });
        },
        probe: (deploymentIds, signal) => store.probe(deploymentIds, signal),
      }),
    );
    // Another route or other certificates may end an outage.
    this.own(access.network.onDidChange(() => schedule.probeNow()));
    this.own(access.trustChanged.event(() => schedule.probeNow()));
    return schedule;
  }

  private viewActions(deploymentsView: DeploymentsView): ViewActions {
    const { deployments, installs, log } = this.firstStage;
    return {
      reveal: (deploymentId, options) => deploymentsView.reveal(deploymentId, options),
      open: (deploymentId) => deploymentsView.open(deploymentId),
      select: (deploymentId) => logFailedMove(deploymentsView.select(deploymentId), log),
      focus: (deploymentId) => logFailedMove(deploymentsView.focus(deploymentId), log),
      focusAfterRemoval: (deploymentId) =>
        logFailedMove(deploymentsView.focusAfterRemoval(deploymentId), log),
      neighborOf: (deploymentIds) => deploymentsView.provider.neighborOf(deploymentIds),
      selectedRows: () => visibleSelection(deployments),
      selectedInstalls: () => visibleSelection(installs),
      selectInstall: (install) => logFailedMove(this.installRows.select(install), log),
      focusInstall: (install) => logFailedMove(this.installRows.focus(install), log),
    };
  }

  /** Starts what works by itself: feeding the store, refreshing, and showing changes. */
  private startFeatures(services: Services, schedule: Schedule): void {
    const { clock, window } = this.surroundings;
    this.own(feedStore(services));
    this.own(watchAbsence(services.changesWhileAway, window));
    this.own(
      watchRefreshSituation(
        services,
        this.firstStage.deployments,
        (change) => schedule.update(change),
        window,
      ),
    );
    this.own(registerStatusBar(services, clock));
    this.own(watchContextKeys(services));
    this.own(new EditorFeatures(services, (mentioned) => schedule.update({ mentioned })));
    this.own(registerNewProblems(services));
    this.own(registerFixedProblems(services));
    this.own(registerChangesWhileAway(services));
    this.own(readOnFocus(services, window, clock));
  }
}

function surroundingsWith(replacements: Partial<Surroundings>): Surroundings {
  const {
    clock = systemClock,
    env = process.env,
    window = vscode.window,
    isRemote = vscode.env.remoteName !== undefined,
  } = replacements;
  return { clock, env, window, isRemote };
}

/** VS Code keeps the selection of a hidden view, where the user does not see it: then empty. */
function visibleSelection<T>(
  view: Pick<vscode.TreeView<T>, 'visible' | 'selection'>,
): readonly T[] {
  return view.visible ? view.selection : [];
}

/**
 * Resolves when the selection or the focus has moved, or when VS Code has failed to move it, which
 * is only logged: the command that wanted the move has done its work.
 */
async function logFailedMove(
  move: Promise<void>,
  log: Pick<Services['log'], 'warn'>,
): Promise<void> {
  await move.catch((error: unknown) =>
    log.warn(`The focus could not be moved: ${messageOf(error)}`),
  );
}

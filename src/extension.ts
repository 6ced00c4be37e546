import * as vscode from 'vscode';
import { KnownSecrets } from './api/secrets.js';
import type { App } from './app.js';
import { reloadWindowAction, UserError } from './host/actions.js';
import { setContext } from './host/contextKeys.js';
import {
  type CommandName,
  commandIds,
  internalCommandIds,
  toolNames,
  viewIds,
} from './host/ids.js';
import { listScopes, onScopesChange } from './host/list/settingsScope.js';
import { Log } from './host/log.js';
import { messageOf, showErrorMessage } from './host/messages.js';
import { registerAccountsMenu } from './host/organizations/accountsMenu.js';
import { Organizations } from './host/organizations/organizations.js';
import { DisposableOwner } from './model/base/disposableOwner.js';
import type { PendingInstall } from './model/installs.js';
import type { TreeElement } from './model/tree/elements.js';

/**
 * The first stage: registers what VS Code must know in every window, and reads the sign-ins. Each
 * import in this file costs every window its time, so the sentences about failures and the stores
 * come with the second stage, `app.ts`, which is loaded when deployments are listed or problems
 * remembered, when a view is visible, and with a command or a tool.
 */
export function activate(context: vscode.ExtensionContext): void {
  const secrets = new KnownSecrets();
  const log = new Log(secrets);
  const organizations = new Organizations(context, log, secrets);
  const deploymentsTree = new LazyTree<TreeElement>(viewIds.deployments, { canSelectMany: true });
  const installsTree = new LazyTree<PendingInstall>(viewIds.installs);

  const loadApp = async (): Promise<App> => {
    const { App: AppClass } = await import('./app.js');
    const app = new AppClass({
      context,
      log,
      secrets,
      organizations,
      deployments: deploymentsTree.view,
      installs: installsTree.view,
    });
    deploymentsTree.show(app.deploymentRows);
    installsTree.show(app.installRows);
    return app;
  };
  const secondStage = new SecondStage(loadApp, log);

  context.subscriptions.push(
    secondStage,
    deploymentsTree,
    installsTree,
    loadWhenVisible(secondStage, deploymentsTree.view),
    loadWhenVisible(secondStage, installsTree.view),
    registerCommands(secondStage),
    registerLanguageModelTools(secondStage),
    registerAccountsMenu(organizations, log, (error) => {
      void secondStage.run((app) => app.showError(error));
    }),
    registerSignInContextKeys(organizations),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) void organizations.catchUp();
    }),
    organizations,
    log,
    startWhenNeeded(secondStage, context.workspaceState),
  );
}

/**
 * Loads the second stage (`T`, the App) when it is first needed, and owns it. After a failure, the
 * next use tries again. Commands, tools, and views ask it.
 */
export class SecondStage<T extends vscode.Disposable> implements vscode.Disposable {
  /** The running or finished load. `undefined` before the first use and after `make` has failed. */
  private loading: Promise<T> | undefined;
  private loaded: T | undefined;
  private isDisposed = false;

  constructor(
    private readonly make: () => Promise<T>,
    private readonly log: Pick<Log, 'error'>,
  ) {}

  /**
   * Rejects with a `UserError` if it can't be loaded (the reason is in the log), and with a
   * `CancellationError` if VS Code has disposed of the extension meanwhile.
   */
  get(): Promise<T> {
    this.loading ??= this.load();
    return this.loading;
  }

  /** Loads the second stage in the background, so a failure is only logged. */
  start(): void {
    this.get().catch(() => undefined);
  }

  /**
   * Runs `work`, which the user has started, and settles as `work` does. If the second stage can't
   * be loaded, shows an error and resolves with `undefined`.
   */
  async run<R>(work: (loaded: T) => R | Promise<R>): Promise<R | undefined> {
    let loaded: T;
    try {
      loaded = await this.get();
    } catch (error) {
      if (error instanceof UserError) showErrorMessage(error.message, error.actions);
      return undefined;
    }
    return work(loaded);
  }

  dispose(): void {
    this.isDisposed = true;
    this.loaded?.dispose();
  }

  private async load(): Promise<T> {
    try {
      this.loaded = await this.make();
    } catch (error) {
      // The next call of `get` tries again.
      this.loading = undefined;
      this.log.error(`A part of the extension could not be loaded: ${String(error)}`);
      throw new UserError(
        vscode.l10n.t(
          'A part of the extension could not be loaded. Nothing was sent or changed. Try again, or reload the window.',
        ),
        [reloadWindowAction()],
      );
    }
    if (this.isDisposed) {
      this.loaded.dispose();
      throw new vscode.CancellationError();
    }
    return this.loaded;
  }
}

type Rows<T> = Required<vscode.TreeDataProvider<T>>;

/**
 * A tree view of the first stage, whose rows come with the second. Until then it is empty, and VS
 * Code shows the view's welcome text.
 */
class LazyTree<T> extends DisposableOwner {
  readonly view: vscode.TreeView<T>;
  private readonly changed = this.own(new vscode.EventEmitter<T | T[] | undefined | null | void>());
  private rows: Rows<T> | undefined;

  constructor(id: string, options: Pick<vscode.TreeViewOptions<T>, 'canSelectMany'> = {}) {
    super();
    // VS Code passes only elements that the rows have made, so the rows are there by then.
    const treeDataProvider: Rows<T> = {
      onDidChangeTreeData: this.changed.event,
      getChildren: (element) => this.rows?.getChildren(element) ?? [],
      getParent: (element) => this.rows!.getParent(element),
      getTreeItem: (element) => this.rows!.getTreeItem(element),
      resolveTreeItem: (item, element, token) => this.rows!.resolveTreeItem(item, element, token),
    };
    this.view = this.own(vscode.window.createTreeView(id, { ...options, treeDataProvider }));
  }

  show(rows: Rows<T>): void {
    this.rows = rows;
    this.own(rows.onDidChangeTreeData((elements) => this.changed.fire(elements)));
    this.changed.fire();
  }
}

function loadWhenVisible(
  secondStage: SecondStage<App>,
  view: Pick<vscode.TreeView<unknown>, 'onDidChangeVisibility'>,
): vscode.Disposable {
  return view.onDidChangeVisibility(({ visible }) => {
    if (visible) void secondStage.run(() => undefined);
  });
}

/** Registers all commands. Each loads the second stage before it runs. */
function registerCommands(secondStage: SecondStage<App>): vscode.Disposable {
  /* oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.entries` forgets the names. */
  const commands = Object.entries({ ...commandIds, ...internalCommandIds }) as [
    CommandName,
    string,
  ][];
  const registrations = commands.map(([name, id]) =>
    vscode.commands.registerCommand(id, (...args: readonly unknown[]) =>
      secondStage.run((app) => app.run(name, args)),
    ),
  );
  return vscode.Disposable.from(...registrations);
}

/**
 * Registers the read-only tools. Nothing is registered in an editor without language models. There
 * is deliberately no tool that revokes.
 */
export function registerLanguageModelTools(secondStage: SecondStage<App>): vscode.Disposable {
  // Forks of VS Code may lack `lm`, whatever the types say.
  const lm: Partial<typeof vscode.lm> | undefined = vscode.lm;
  if (!lm?.registerTool) return vscode.Disposable.from();

  const registrations = Object.values(toolNames).map((name) =>
    vscode.lm.registerTool(name, {
      prepareInvocation: async (options, token) => {
        const { tools } = await secondStage.get();
        return tools[name].prepareInvocation?.(options, token);
      },
      // VS Code writes the input of a tool that throws into its log.
      invoke: (options, token) =>
        secondStage.get().then(({ tools }) => tools[name].invoke(options, token), failureResult),
    }),
  );
  return vscode.Disposable.from(...registrations);
}

function failureResult(error: unknown): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(messageOf(error))]);
}

/**
 * Sets the context keys about sign-ins, now and after each change. Does not set them while it is
 * unknown whether an organization is current.
 */
function registerSignInContextKeys(organizations: Organizations): vscode.Disposable {
  const update = (): void => {
    if (organizations.noCurrentReason === 'loading') return;
    setContext('signedIn', organizations.current !== undefined);
    setContext('lacksSignIn', organizations.lacksSignInOfOtherWindow);
  };
  update();
  return organizations.onDidChange(update);
}

/**
 * The keys under which the second stage remembers problems in the workspace's state, the first one
 * now, the others in earlier versions. They are repeated here, because an import of its modules
 * would cost every window its time.
 */
const problemMemoryKeys = ['problemMemory', 'problems', 'seenSince', 'mutes'];

/**
 * Starts the second stage if deployments are listed, even without a sign-in: the status bar then
 * shows that the sign-in is missing, and malformed entries are reported. If problems are remembered
 * in this workspace, it starts as well, because an organization may have been signed out while the
 * workspace was closed, and its problems have to be forgotten.
 */
function startWhenNeeded(
  secondStage: SecondStage<App>,
  workspaceState: vscode.Memento,
): vscode.Disposable {
  const startIfListed = (): void => {
    const values = listScopes().map(({ value }) => value);
    if (values.some(hasEntries)) secondStage.start();
  };
  const startIfRemembered = (): void => {
    const isRemembered = problemMemoryKeys.some((key) => workspaceState.get(key) !== undefined);
    if (isRemembered) secondStage.start();
  };

  // Reading settings for the first time takes a millisecond or two, for which no other extension's
  // activation has to wait.
  const firstCheck = setImmediate(() => {
    startIfListed();
    startIfRemembered();
  });
  return vscode.Disposable.from(
    new vscode.Disposable(() => clearImmediate(firstCheck)),
    onScopesChange(startIfListed),
  );
}

/** Whether a scope's value of the list has to be read. A malformed value is no empty list. */
function hasEntries(value: unknown): boolean {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  return value !== undefined && !isEmptyList;
}

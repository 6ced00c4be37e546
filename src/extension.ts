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
 * The first stage: what VS Code must know of in every window, and the sign-ins. Each import here costs every window its time, so the sentences of
 * failures and the stores come with the second, `app.ts`: when deployments are listed, when a view is visible, or with a command or a tool.
 */
export function activate(context: vscode.ExtensionContext): void {
  const secrets = new KnownSecrets();
  const log = new Log(secrets);
  const organizations = new Organizations(context, log, secrets);
  const deployments = new LazyTree<TreeElement>(viewIds.deployments, { canSelectMany: true });
  const installs = new LazyTree<PendingInstall>(viewIds.installs);
  const app = new SecondStage(async () => {
    const { App: AppClass } = await import('./app.js');
    const views = { deployments: deployments.view, installs: installs.view };
    const made = new AppClass({ context, log, secrets, organizations, ...views });
    deployments.show(made.deploymentRows);
    installs.show(made.installRows);
    return made;
  }, log);
  const visible = [deployments, installs].map(({ view }) =>
    view.onDidChangeVisibility((change) => change.visible && app.run(() => undefined)),
  );

  context.subscriptions.push(
    app,
    deployments,
    installs,
    ...visible,
    registerCommands(app),
    registerLanguageModelTools(app),
    registerAccountsMenu(
      organizations,
      log,
      (error) => void app.run((loaded) => loaded.showError(error)),
    ),
    reportSignedIn(organizations),
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) void organizations.catchUp();
    }),
    organizations,
    log,
    startWhenNeeded(app, context.workspaceState),
  );
}

/** The second stage. After a failure the next use tries again. */
export class SecondStage<T extends vscode.Disposable> implements vscode.Disposable {
  private loading: Promise<T> | undefined;
  private loaded: T | undefined;
  private disposed = false;

  constructor(
    private readonly make: () => Promise<T>,
    private readonly log: Pick<Log, 'error'>,
  ) {}

  /** Rejects with what the user is shown; why it can't be loaded is in the log. */
  get(): Promise<T> {
    return (this.loading ??= this.load());
  }

  /** Loads it in the background, so a failure is only logged. */
  start(): void {
    this.get().catch(() => undefined);
  }

  /** Does what the user asked for, or shows that it can't be loaded. */
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
    this.disposed = true;
    this.loaded?.dispose();
  }

  private async load(): Promise<T> {
    try {
      this.loaded = await this.make();
    } catch (error) {
      this.loading = undefined;
      this.log.error(`A part of the extension could not be loaded: ${String(error)}`);
      throw new UserError(
        vscode.l10n.t(
          'A part of the extension could not be loaded. Nothing was sent or changed. Try again, or reload the window.',
        ),
        [reloadWindowAction()],
      );
    }
    if (this.disposed) {
      this.loaded.dispose();
      throw new vscode.CancellationError();
    }
    return this.loaded;
  }
}

type Rows<T> = Required<vscode.TreeDataProvider<T>>;

/** A tree view whose rows come with the second stage. Until then it is empty, and VS Code shows the view's welcome text. */
class LazyTree<T> extends DisposableOwner {
  readonly view: vscode.TreeView<T>;
  private readonly changed = this.own(new vscode.EventEmitter<T | T[] | undefined | null | void>());
  private rows: Rows<T> | undefined;

  constructor(id: string, options: Pick<vscode.TreeViewOptions<T>, 'canSelectMany'> = {}) {
    super();
    // An element was made by the rows, so they are there.
    const treeDataProvider: Rows<T> = {
      onDidChangeTreeData: this.changed.event,
      getChildren: (element) => this.rows?.getChildren(element) ?? [],
      getParent: (element) => this.rows!.getParent(element),
      getTreeItem: (element) => this.rows!.getTreeItem(element),
      resolveTreeItem: (...hovered) => this.rows!.resolveTreeItem(...hovered),
    };
    this.view = this.own(vscode.window.createTreeView(id, { ...options, treeDataProvider }));
  }

  show(rows: Rows<T>): void {
    this.rows = rows;
    this.own(rows.onDidChangeTreeData((elements) => this.changed.fire(elements)));
    this.changed.fire();
  }
}

function registerCommands(app: SecondStage<App>): vscode.Disposable {
  /* oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `Object.entries` forgets which names there are. */
  const all = Object.entries({ ...commandIds, ...internalCommandIds }) as [CommandName, string][];
  return vscode.Disposable.from(
    ...all.map(([name, id]) =>
      vscode.commands.registerCommand(id, (...args: readonly unknown[]) =>
        app.run((loaded) => loaded.run(name, args)),
      ),
    ),
  );
}

/** The read-only tools; an editor without language models goes without. There is deliberately none that revokes. */
export function registerLanguageModelTools(app: SecondStage<App>): vscode.Disposable {
  // Forks of VS Code may lack `lm`, whatever the types say.
  const lm: Partial<typeof vscode.lm> | undefined = vscode.lm;
  const names = lm?.registerTool ? Object.values(toolNames) : [];
  const stubs = names.map((name) =>
    vscode.lm.registerTool(name, {
      prepareInvocation: async (...asked) =>
        (await app.get()).tools[name].prepareInvocation?.(...asked),
      // VS Code writes the input of a tool that throws into its log.
      invoke: (...asked) =>
        app.get().then(({ tools }) => tools[name].invoke(...asked), failureResult),
    }),
  );
  return vscode.Disposable.from(...stubs);
}

function failureResult(error: unknown): vscode.LanguageModelToolResult {
  return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(messageOf(error))]);
}

function reportSignedIn(organizations: Organizations): vscode.Disposable {
  const report = (): void => {
    if (organizations.missing === 'loading') return;
    setContext('signedIn', organizations.current !== undefined);
    setContext('lacksSignIn', organizations.lacksSignIn);
  };
  report();
  return organizations.onDidChange(report);
}

/** When deployments are listed, also before a sign-in: the status bar shows that one is missing, and malformed entries are reported. */
function startWhenNeeded(app: SecondStage<App>, workspaceState: vscode.Memento): vscode.Disposable {
  const startIfListed = (): void => {
    const values = listScopes().map(({ value }) => value);
    if (
      values.some((value) => value !== undefined && !(Array.isArray(value) && value.length === 0))
    )
      app.start();
  };
  // Reading settings for the first time takes a millisecond or two, for which no other extension's activation has to wait.
  const first = setImmediate(() => {
    startIfListed();
    // What was read with sign-ins that are gone is forgotten, also if they went while this workspace was closed. These are the keys that
    // `app.ts` uses, which every window would otherwise load.
    if (
      ['problemMemory', 'problems', 'seenSince', 'mutes'].some(
        (key) => workspaceState.get(key) !== undefined,
      )
    )
      app.start();
  });
  return vscode.Disposable.from(
    new vscode.Disposable(() => clearImmediate(first)),
    onScopesChange(startIfListed),
  );
}

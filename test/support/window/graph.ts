import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { App, type Surroundings } from '../../../src/app.js';
import { commandsOf } from '../../../src/commands/commands.js';
import type { CommandName } from '../../../src/host/ids.js';
import { Organizations } from '../../../src/host/organizations/organizations.js';
import type { Ignored } from '../../../src/model/entered/ignoredEntries.js';
import type { ListedDeployment } from '../../../src/model/findings/deployment.js';
import type { PendingInstall } from '../../../src/model/installs.js';
import { deploymentElement, type TreeElement } from '../../../src/model/tree/elements.js';
import { MemoryState } from '../memoryState.js';
import { projectRoot } from '../paths.js';
import { DEFAULT_TOKEN } from '../platform/data.js';
import { type Platform, type PlatformOptions, startPlatform } from '../platform/platform.js';
import { atEndOfTest } from './endOfTest.js';
import { below } from './fixtures.js';
import { MemorySecrets, TabSecrets, TreeViewInMemory } from './memory.js';

export type Graph = ReturnType<typeof createGraph>;

/**
 * The product's own object graph, beside the running extension, until the test ends: with a keyring, a log and views in memory, and
 * in a window without the focus, so that nothing is read by itself.
 */
export function createGraph(env: NodeJS.ProcessEnv = {}, surroundings: Partial<Surroundings> = {}) {
  const secrets = new KnownSecrets();
  const lines: string[] = [];
  const write = (line: string) => lines.push(secrets.redact(line));
  const log = {
    info: write,
    warn: write,
    warnOnce: write,
    error: write,
    redact: (text: string) => secrets.redact(text),
    redactCopy: (text: string) => secrets.redactCopy(text),
    redactValue: (text: string) => secrets.redactValue(text),
    show: () => undefined,
  };
  const context = {
    secrets: new MemorySecrets(),
    workspaceState: new MemoryState(),
    globalState: new MemoryState(),
    extensionUri: vscode.Uri.file(projectRoot),
  };
  const organizations = new Organizations(context, log, secrets, {
    env,
    clock: surroundings.clock,
  });
  const deployments = new TreeViewInMemory<TreeElement>();
  const installs = new TreeViewInMemory<PendingInstall>();
  const unfocused = {
    state: { focused: false, active: false },
    onDidChangeWindowState: () => new vscode.Disposable(() => {}),
  };
  const first = { context, log, secrets, organizations, deployments, installs };
  const app = new App(first, { env, window: unfocused, isRemote: false, ...surroundings });
  const commands = commandsOf(app.services);
  atEndOfTest(() => organizations.dispose());
  atEndOfTest(() => app.dispose());
  return {
    app,
    services: app.services,
    context,
    lines,
    /** As in a workspace that is not trusted and whose files hold these. */
    ignore: (ignored: Ignored) => {
      const { ignoredSettings, store } = app.services;
      Object.defineProperty(ignoredSettings, 'current', { value: ignored, configurable: true });
      store.setListIgnored(ignored.deployments !== undefined);
    },
    row: (id: string) => deploymentElement(app.services.store.get(id)!),
    read: async (...listed: readonly (string | ListedDeployment)[]) => {
      const { store } = app.services;
      store.setListed(listed.map((one) => (typeof one === 'string' ? { id: one } : one)));
      await store.refresh();
    },
    /** A command as VS Code calls it, but that it rejects. */
    run: async (command: CommandName, ...args: readonly unknown[]) => commands[command](...args),
    view: deployments,
    installs,
    items: () => [...itemsIn(app.deploymentRows), ...itemsIn(app.installRows)],
  };
}

/** The sign-ins of another tab of one browser, which has read what this one has saved so far. */
export async function openAnotherTab({ context, services }: Graph): Promise<Organizations> {
  const secrets = new TabSecrets(new Map(context.secrets.values));
  const another = { ...context, workspaceState: new MemoryState(), secrets };
  const organizations = new Organizations(another, services.log, new KnownSecrets());
  atEndOfTest(() => organizations.dispose());
  await organizations.ready;
  return organizations;
}

export async function platformOfTest(options?: PlatformOptions): Promise<Platform> {
  const platform = await startPlatform(options);
  atEndOfTest(() => platform.stop());
  return platform;
}

export type World = Awaited<ReturnType<typeof startWorld>>;

export async function startWorld(options?: PlatformOptions) {
  const platform = await platformOfTest(options);
  const graph = createGraph(platform.env);
  await graph.services.organizations.ready;
  return {
    platform,
    graph,
    run: graph.run,
    signIn: (name = 'Acme', token = DEFAULT_TOKEN) =>
      graph.services.organizations.signIn({ name, baseUrl: platform.baseUrl, token }),
    asked: () => platform.requests.map(({ route }) => route.id),
  };
}

interface Provider<T> {
  getChildren(element?: T): readonly T[];
  getTreeItem(element: T): vscode.TreeItem;
  resolveTreeItem(item: vscode.TreeItem, element: T): vscode.TreeItem;
}

function itemsIn<T>(provider: Provider<T>): readonly vscode.TreeItem[] {
  return below(provider).map((element) =>
    provider.resolveTreeItem(provider.getTreeItem(element), element),
  );
}

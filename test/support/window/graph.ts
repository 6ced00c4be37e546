import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { App, type Surroundings } from '../../../src/app.js';
import { commandsOf } from '../../../src/commands/commands.js';
import type { CommandName } from '../../../src/host/ids.js';
import { Organizations } from '../../../src/host/organizations/organizations.js';
import type { PendingInstall } from '../../../src/model/installs.js';
import type { TreeElement } from '../../../src/model/tree/elements.js';
import { DEFAULT_TOKEN } from '../service/data.js';
import type { Service } from '../service/service.js';
import { MemorySecrets, MemoryState, SecretStore } from './memory.js';
import { TreeViewInMemory } from './treeViewInMemory.js';

export type Graph = ReturnType<typeof createGraph>;

/**
 * The product's own object graph, beside the running extension: with a keyring, a log and views in memory, and in a window
 * without the focus, so that nothing is read that nobody asked for.
 */
export function createGraph(env: NodeJS.ProcessEnv = {}, surroundings: Partial<Surroundings> = {}) {
  const secrets = new KnownSecrets();
  const redact = (text: string) => secrets.redact(text);
  const lines: string[] = [];
  const texts: (readonly [string, string, number])[] = [];
  const write = (line: string) => lines.push(redact(line));
  const log = { info: write, warn: write, error: write, redact, show: () => undefined };
  const keyring = new MemorySecrets(new SecretStore());
  const states = { workspace: new MemoryState(), global: new MemoryState() };
  const context = {
    secrets: keyring,
    workspaceState: states.workspace,
    globalState: states.global,
    extensionUri: vscode.Uri.file('/'),
  };
  const organizations = new Organizations(context, log, secrets, env);
  const deployments = new TreeViewInMemory<TreeElement>();
  const installs = new TreeViewInMemory<PendingInstall>();
  const unfocused = {
    state: { focused: false, active: false },
    onDidChangeWindowState: () => new vscode.Disposable(() => {}),
  };
  // The running extension owns the one provider of such texts.
  const readOnlyText = {
    show: async (...shown: readonly [string, string, number]) => void texts.push(shown),
    dispose: () => undefined,
  };
  const app = new App(
    { context, log, secrets, organizations, deployments, installs },
    { env, window: unfocused, readOnlyText, ...surroundings },
  );
  const commands = commandsOf(app.services, () => deployments.selection);
  return {
    app,
    services: app.services,
    secrets: keyring,
    /** What this workspace and this machine remember. */
    states,
    /** What the log got, redacted. */
    lines,
    /** Texts that were shown to read and copy: title, text and the line of the cursor. */
    texts,
    /** A command as VS Code calls it, but that it rejects. */
    run: async (command: CommandName, ...args: readonly unknown[]) => commands[command](...args),
    /** Selects rows in the view of the deployments. */
    select: (...rows: readonly TreeElement[]) => {
      deployments.selection = rows;
    },
    /** Ids of the deployments that the view was asked to show. */
    get revealed() {
      return deployments.revealed.flatMap(idOf);
    },
    /** Deployments whose rows were opened. */
    get opened() {
      return deployments.opened.flatMap(idOf);
    },
    dispose: async () => {
      for (const one of [app, organizations, deployments, installs]) one.dispose();
    },
  };
}

/** Signed in to a service as its environment says, with nothing in the keyring. */
export async function graphOf({ baseUrl }: Pick<Service, 'baseUrl'>): Promise<Graph> {
  const graph = createGraph({ AUTOMATION_PLATFORM_BASE_URL: baseUrl, AUTOMATION_PLATFORM_TOKEN: DEFAULT_TOKEN });
  await graph.services.organizations.ready;
  return graph;
}

function idOf(row: TreeElement): readonly string[] {
  return row.kind === 'deployment' ? [row.deployment.id] : [];
}

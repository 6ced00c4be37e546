import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { App, type Surroundings } from '../../../src/app.js';
import { Organizations } from '../../../src/host/organizations/organizations.js';
import type { Services } from '../../../src/host/services.js';
import type { PendingInstall } from '../../../src/model/installs.js';
import type { TreeElement } from '../../../src/model/tree/elements.js';
import { DEFAULT_TOKEN } from '../../support/service/data.js';
import type { Service } from '../../support/service/service.js';
import { MemorySecrets, MemoryState, SecretStore } from '../host/memory.js';
import { TreeViewInMemory } from './treeViewInMemory.js';

export interface Graph {
  readonly app: App;
  readonly services: Services;
  readonly secrets: MemorySecrets;
  /** What this workspace and this machine remember. */
  readonly states: { readonly workspace: MemoryState; readonly global: MemoryState };
  /** What the log got, redacted. */
  readonly lines: string[];
  /** Ids of the deployments that the view was asked to show. */
  readonly revealed: readonly string[];
  /** Deployments whose rows were opened. */
  readonly opened: readonly string[];
  /** Texts that were shown to read and copy: title and text. */
  readonly texts: (readonly [string, string])[];
  dispose(): Promise<void>;
}

/**
 * The product's own object graph, beside the running extension: with a keyring, a log and views in memory, and in a window
 * without the focus, so that nothing is read that nobody asked for.
 */
export function createGraph(env: NodeJS.ProcessEnv = {}, surroundings: Partial<Surroundings> = {}): Graph {
  const secrets = new KnownSecrets();
  const lines: string[] = [];
  const texts: (readonly [string, string])[] = [];
  const write = (line: string) => lines.push(secrets.redact(line));
  const log = {
    info: write,
    warn: write,
    error: write,
    show: () => undefined,
    redact: (text: string) => secrets.redact(text),
    dispose: () => undefined,
  };
  const keyring = new MemorySecrets(new SecretStore());
  const states = { workspace: new MemoryState(), global: new MemoryState() };
  const organizations = new Organizations(
    { secrets: keyring, workspaceState: states.workspace, globalState: states.global },
    log,
    secrets,
    env,
  );
  const deployments = new TreeViewInMemory<TreeElement>();
  const installs = new TreeViewInMemory<PendingInstall>();
  const app = new App(
    {
      context: { workspaceState: states.workspace, globalState: states.global, extensionUri: vscode.Uri.file('/') },
      log,
      secrets,
      organizations,
      deployments,
      installs,
    },
    {
      env,
      window: {
        state: { focused: false, active: false },
        onDidChangeWindowState: () => new vscode.Disposable(() => {}),
      },
      // The running extension owns the one provider of such texts.
      readOnlyText: { show: async (title, text) => void texts.push([title, text]), dispose: () => undefined },
      ...surroundings,
    },
  );
  return {
    app,
    services: app.services,
    secrets: keyring,
    states,
    lines,
    texts,
    get revealed() {
      return deployments.revealed.flatMap(idOf);
    },
    get opened() {
      return deployments.opened.flatMap(idOf);
    },
    dispose: async () => {
      for (const one of [app, organizations, deployments, installs]) one.dispose();
    },
  };
}

/** Signed in to a service as its environment says, with nothing in the keyring. */
export async function graphOf({ baseUrl }: Pick<Service, 'baseUrl'>, token = DEFAULT_TOKEN): Promise<Graph> {
  const graph = createGraph({ AUTOMATION_PLATFORM_BASE_URL: baseUrl, AUTOMATION_PLATFORM_TOKEN: token });
  await graph.services.organizations.ready;
  return graph;
}

function idOf(row: TreeElement): readonly string[] {
  return row.kind === 'deployment' ? [row.deployment.id] : [];
}

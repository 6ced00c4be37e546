import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { onEnd } from '../cleanup.js';
import { temporaryFolder } from '../temporaryFolder.js';
import type { Theme } from '../vscode/hostVersions.js';
import { openWindow, type WindowOptions } from '../vscode/openWindow.js';
import { startServer, usualBuiltins } from '../vscode/startServer.js';
import { session } from './session.js';
import { folderSettingsFile, machineSettingsFile, userSettingsFile } from './settingsFiles.js';
import { Workbench } from './workbench.js';

export interface WorkbenchOptions {
  /** Files of the workspace folder: path to text. */
  readonly files?: Readonly<Record<string, string>>;
  /** More folders beside the first make a multi-root workspace: name to files. */
  readonly moreFolders?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Of the multi-root workspace: the settings in its `.code-workspace`. */
  readonly multiRootSettings?: Record<string, unknown>;
  /** A window without folder. */
  readonly empty?: boolean;
  readonly userSettings?: Record<string, unknown>;
  readonly machineSettings?: Record<string, unknown>;
  /** Of the first folder: `.vscode/settings.json`. */
  readonly workspaceSettings?: Record<string, unknown>;
  /** Reaches the extension. The pair that signs in is empty unless it is given here. */
  readonly env?: Readonly<Record<string, string>>;
  /** `true`: the workspace is not trusted until somebody says so. */
  readonly trust?: boolean;
  readonly theme?: Theme;
  /** Size of the window; a tall one shows more rows. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Built-in extensions to have beside `usualBuiltins`, or all; windows open faster with few. */
  readonly builtinExtensions?: readonly string[] | 'all';
  /** Other extensions to load, from folders. */
  readonly developmentExtensions?: readonly string[];
}

const open = new Set<Workbench>();

/** The windows that are open now: a failing test saves their pictures. */
export function openWorkbenches(): readonly Workbench[] {
  return [...open];
}

/** A window with a fresh profile. Several may be open at once; each has a server, settings and secrets of its own. */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const { host, browser, extensionsDir } = session();
  const temporary = await temporaryFolder();
  const serverDataDir = join(temporary.path, 'server');
  const folder = join(temporary.path, 'workspace');
  await writeFiles(folder, options.files ?? {});
  await Promise.all([
    userSettingsFile(serverDataDir).write({
      'workbench.colorTheme': host.version.themes[options.theme ?? 'light'],
      // Tooltips appear sooner than for people, who pass over many things on the way.
      'workbench.hover.delay': 100,
      ...options.userSettings,
    }),
    machineSettingsFile(serverDataDir).write(options.machineSettings ?? {}),
    options.workspaceSettings && folderSettingsFile(folder).write(options.workspaceSettings),
  ]);
  const window: WindowOptions = {
    ...(await target(temporary.path, folder, options)),
    ...(options.developmentExtensions && { developmentExtensions: options.developmentExtensions }),
  };
  const server = await startServer({
    host,
    serverDataDir,
    extensionsDir,
    ...(options.builtinExtensions !== 'all' && {
      builtinExtensions: [...usualBuiltins, ...(options.builtinExtensions ?? [])],
    }),
    ...(options.env && { env: options.env }),
    ...(options.trust !== undefined && { trust: options.trust }),
  });
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await openWindow(context, server, window);
  const close = onEnd(async () => {
    open.delete(workbench);
    await context.close();
    await server.stop();
    await temporary.remove();
  });
  const workbench = new Workbench(page, { version: host.version.name, server, context, window, folder, close });
  open.add(workbench);
  return workbench;
}

async function target(parent: string, folder: string, options: WorkbenchOptions): Promise<WindowOptions> {
  if (options.empty) {
    return {};
  }
  if (!options.moreFolders) {
    return { folder };
  }
  const others = Object.entries(options.moreFolders);
  await Promise.all(others.map(([name, files]) => writeFiles(join(parent, name), files)));
  const workspace = join(parent, 'test.code-workspace');
  const folders = ['workspace', ...others.map(([name]) => name)].map((path) => ({ path }));
  await writeFile(workspace, JSON.stringify({ folders, settings: options.multiRootSettings ?? {} }));
  return { workspace };
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Browser } from '@playwright/test';
import { onEnd } from '../cleanup.js';
import { temporaryFolder } from '../temporaryFolder.js';
import { openWindow, remotePath } from '../vscode/openWindow.js';
import { startServer } from '../vscode/startServer.js';
import type { RunningCode } from './fixtures.js';
import { folderSettingsFile, userSettingsFile } from './settingsFiles.js';
import { Workbench } from './workbench.js';

export interface WorkbenchOptions {
  /** Files of the workspace folder: path to text. */
  readonly files?: Readonly<Record<string, string>>;
  /** A window without folder. */
  readonly empty?: boolean;
  /** A workspace file, beside the folder that it has, with the text of its settings. */
  readonly workspaceFile?: { readonly path: string; readonly settings: string; readonly isUntitled?: boolean };
  readonly userSettings?: Record<string, unknown>;
  /** `.vscode/settings.json` of the folder. */
  readonly workspaceSettings?: Record<string, unknown>;
  /** Reaches the extension. The pair that signs in is empty unless it is given here. */
  readonly env?: Readonly<Record<string, string>>;
  /** `true`: the workspace is not trusted until somebody says so. */
  readonly trust?: boolean;
  /** Size of the window; a tall one shows more rows. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Other extensions to load, from folders. */
  readonly developmentExtensions?: readonly string[];
  /** For what a server keeps for all its windows: the display language, everything that it writes and prints. */
  readonly ownServer?: boolean;
}

/** A window with a fresh profile. Several may be open at once; each has settings and secrets of its own. */
export async function openWorkbench(
  code: RunningCode & { readonly browser: Browser },
  options: WorkbenchOptions,
  closed: () => Promise<void>,
): Promise<Workbench> {
  const temporary = await temporaryFolder();
  const profile = temporary.path;
  const folder = join(profile, 'workspace');
  const variables = join(code.folder, `${basename(profile)}.json`);
  await mkdir(folder);
  for (const [path, text] of Object.entries(options.files ?? {})) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await Promise.all([
    userSettingsFile(profile).write({
      // Tooltips appear sooner than for people, who pass over many things on the way.
      'workbench.hover.delay': 100,
      ...options.userSettings,
    }),
    options.workspaceSettings && folderSettingsFile(folder).write(options.workspaceSettings),
    writeFile(variables, JSON.stringify(options.env ?? {})),
  ]);
  const server = options.ownServer ? await startServer({ ...code.options, serverDataDir: profile }) : code.server;
  const { workspaceFile } = options;
  if (workspaceFile) {
    const path = join(profile, workspaceFile.path);
    const folders = [{ uri: `vscode-remote://127.0.0.1:${server.port}${remotePath(folder)}` }];
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `{\n  "folders": ${JSON.stringify(folders)},\n  "settings": ${workspaceFile.settings}\n}\n`);
  }
  const context = await code.browser.newContext({
    viewport: options.viewport ?? { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await openWindow(context, server, {
    ...(!options.empty && { folder }),
    ...(workspaceFile && { workspaceFile: join(profile, workspaceFile.path), isUntitled: workspaceFile.isUntitled }),
    developmentExtensions: options.developmentExtensions,
    trust: options.trust ?? false,
    userDataPath: join(profile, 'data'),
    variables,
  });
  const close = onEnd(async () => {
    // A page that is left, and not just gone, ends its extension host.
    await Promise.allSettled(context.pages().map((open) => open.goto('about:blank')));
    await context.close();
    if (options.ownServer) await server.process.stop();
    await temporary.remove();
    await closed();
  });
  return new Workbench(page, server, profile, close);
}

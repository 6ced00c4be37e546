// What the tests of test/e2e run in: one VS Code for all tests of a worker, and windows in it.
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Browser, test as base, expect, type Page } from '@playwright/test';
import { cleanUp, onEnd } from '../cleanup.js';
import type { PlatformData } from '../platform/data.js';
import { type Platform, startPlatform } from '../platform/platform.js';
import { sampleData } from '../platform/sample.js';
import { temporaryFolder } from '../temporaryFolder.js';
import { type HostVersion, hostVersion, newestHost } from '../vscode/hostVersions.js';
import { launchOptions } from '../vscode/installBrowser.js';
import { installHost } from '../vscode/installHost.js';
import { openWindow, remotePath, restored } from '../vscode/openWindow.js';
import { installExtension, startServer } from '../vscode/startServer.js';
import { folderSettingsFile, userSettingsFile } from './settingsFiles.js';
import { Workbench } from './workbench.js';

export { expect } from '@playwright/test';

export const listSetting = 'automationPlatform.deployments';

interface Beginning {
  readonly data?: Partial<PlatformData>;
  readonly list?: readonly unknown[];
  readonly files?: Readonly<Record<string, string>>;
  readonly empty?: boolean;
  /** A workspace file, beside the folder that it has, with the text of its settings. `folders`: it has these below that one instead. */
  readonly workspaceFile?: {
    readonly path: string;
    readonly settings: string;
    readonly isUntitled?: boolean;
    readonly folders?: readonly string[];
  };
  readonly userSettings?: Record<string, unknown>;
  readonly workspaceSettings?: Record<string, unknown>;
  readonly env?: Readonly<Record<string, string>>;
  /** `true`: the workspace is not trusted until somebody says so. */
  readonly trust?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly developmentExtensions?: readonly string[];
  /** `true`: a server of its own, which writes all that it keeps into the data folder of the window, logs included. */
  readonly ownServer?: boolean;
  /** Starts a server of its own, too, since a server keeps the language of all its windows. */
  readonly displayLanguage?: string;
}

export interface Begun {
  readonly platform: Platform;
  readonly workbench: Workbench;
  /** Opens another window of the same profile and workspace, as a second tab of one browser. See `Workbench.bringToFront`. */
  readonly openAnother: () => Promise<Workbench>;
}

/** A platform, and a window that its environment signs in to it, with a fresh profile. Closing the window ends both. */
export type Begin = (beginning?: Beginning) => Promise<Begun>;

export interface CodeOptions {
  readonly versionName: HostVersion['name'];
}

type RunningCode = Awaited<ReturnType<typeof startCode>>;

export const test = base.extend<
  object,
  CodeOptions & { readonly code: RunningCode; readonly begin: Begin }
>({
  versionName: [newestHost.name, { option: true, scope: 'worker' }],
  // The first run downloads the browser and VS Code.
  launchOptions: [
    async ({}, use) => use(await launchOptions()),
    { scope: 'worker', timeout: 300_000 },
  ],
  code: [
    async ({ versionName }, use) => {
      await use(await startCode(versionName));
      await cleanUp();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  begin: [
    async ({ code, browser }, use) => {
      await use(async ({ data = sampleData(), ...beginning } = {}) => {
        const platform = await startPlatform({ data });
        return { platform, ...(await openWorkbench(code, browser, platform, beginning)) };
      });
    },
    { scope: 'worker' },
  ],
});

/** A server with the extension installed. `folder` is for what a window needs and does not keep. */
async function startCode(versionName: string) {
  const { path: folder } = await temporaryFolder();
  const options = {
    host: await installHost(hostVersion(versionName)),
    serverDataDir: join(folder, 'server'),
    extensionsDir: join(folder, 'extensions'),
    hasFewBuiltins: true,
  };
  await installExtension(options, process.env['AUTOMATION_PLATFORM_TEST_VSIX'] ?? '');
  return { options, server: await startServer(options), folder };
}

async function openWorkbench(
  code: RunningCode,
  browser: Browser,
  platform: Platform,
  beginning: Beginning,
) {
  const { list, workspaceFile, env = platform.env, trust = false } = beginning;
  const temporary = await temporaryFolder();
  const profile = temporary.path;
  const folder = join(profile, 'workspace');
  const variables = join(code.folder, `${basename(profile)}.json`);
  await mkdir(folder);
  // Tooltips appear sooner than for people, who pass over many things on the way.
  await userSettingsFile(profile).write({
    'workbench.hover.delay': 100,
    ...beginning.userSettings,
  });
  const hasOwnServer = beginning.ownServer || beginning.displayLanguage !== undefined;
  if (beginning.displayLanguage !== undefined)
    await writeDisplayLanguage(join(profile, 'data'), beginning.displayLanguage);
  const server = hasOwnServer
    ? await startServer({ ...code.options, serverDataDir: profile })
    : code.server;
  const folders = (workspaceFile?.folders ?? ['']).map((path) => ({
    uri: `vscode-remote://127.0.0.1:${server.port}${remotePath(join(folder, path))}`,
  }));
  const files = {
    ...beginning.files,
    ...(workspaceFile && {
      [join('..', workspaceFile.path)]:
        `{\n  "folders": ${JSON.stringify(folders)},\n  "settings": ${workspaceFile.settings}\n}\n`,
    }),
  };
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await folderSettingsFile(folder).write({
    ...beginning.workspaceSettings,
    ...(list && { [listSetting]: list }),
  });
  await writeFile(variables, JSON.stringify(env));
  const context = await browser.newContext({
    viewport: beginning.viewport ?? { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const options = {
    ...(!beginning.empty && { folder }),
    ...(workspaceFile && {
      workspaceFile: join(profile, workspaceFile.path),
      isUntitled: workspaceFile.isUntitled,
    }),
    developmentExtensions: beginning.developmentExtensions,
    trust,
    userDataPath: join(profile, 'data'),
    variables,
  };
  const page = await openWindow(context, server, options);
  if (workspaceFile) await reloadUntilFoldersCame(page);
  const close = onEnd(async () => {
    // A page that is left, and not just gone, ends its extension host.
    await Promise.allSettled(context.pages().map((open) => open.goto('about:blank')));
    await context.close();
    if (hasOwnServer) await server.process.stop();
    await temporary.remove();
    await platform.stop();
  });
  const openAnother = async () =>
    new Workbench(await openWindow(context, server, options), server, profile, close);
  return { workbench: new Workbench(page, server, profile, close), openAnother };
}

/**
 * Writes what a server keeps of installed language packs, and the display language that a user chose. Microsoft's packs are in no
 * registry that tests may use, so this pack translates nothing of VS Code itself: its own words stay English, ours must not.
 */
async function writeDisplayLanguage(dataFolder: string, locale: string): Promise<void> {
  const translations = join(dataFolder, 'no-translations.json');
  const pack = {
    hash: `empty-${locale}`,
    label: locale,
    extensions: [{ extensionIdentifier: { id: `test.language-pack-${locale}` }, version: '1.0.0' }],
    translations: { vscode: translations },
  };
  const userFolder = join(dataFolder, 'User');
  await mkdir(userFolder, { recursive: true });
  await writeFile(translations, JSON.stringify({ contents: {} }));
  await writeFile(join(dataFolder, 'languagepacks.json'), JSON.stringify({ [locale]: pack }));
  await writeFile(join(userFolder, 'argv.json'), JSON.stringify({ locale }));
}

/** VS Code at times opens a workspace file of a server without its folders, and never adds them. A reloaded window has them. */
async function reloadUntilFoldersCame(page: Page): Promise<void> {
  const explorer = page.locator('.part.sidebar .pane-header .title').first();
  await expect(async () => {
    if ((await explorer.textContent()) === 'No Folder Opened') {
      await page.reload();
      await restored(page);
    }
    await expect(explorer).not.toHaveText('No Folder Opened', { timeout: 1_000 });
  }).toPass();
}

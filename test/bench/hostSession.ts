// Windows of a real VS Code for rows that need an extension host, with the packaged extension.
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { packageExtension } from '../support/packageExtension.js';
import { compiledTests } from '../support/paths.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { type HostVersion, newestHost } from '../support/vscode/hostVersions.js';
import { type InstalledHost, installHost } from '../support/vscode/installHost.js';
import { launchBrowser } from '../support/vscode/launchBrowser.js';
import { openWindow } from '../support/vscode/openWindow.js';
import { installExtension, startServer, usualBuiltins } from '../support/vscode/startServer.js';
import { folderSettingsFile, userSettingsFile } from '../support/workbench/settingsFiles.js';
import { type Job, jobVariable } from './host/jobs.js';

const timeLimit = 180_000;

export interface HostSession {
  readonly host: InstalledHost;
  readonly browser: Browser;
  readonly vsix: string;
  /** Where the packaged extension is installed: all of what is in the package. */
  readonly extensionFolder: string;
  readonly extensionsDir: string;
  /** Extensions that do nothing, and ours without its activation events. */
  readonly onDemandDir: string;
}

let started: Promise<HostSession> | undefined;
let version = newestHost;

let profiles: string | undefined;
let windows = 0;

/** `profileFolder`: for a CPU profile of each job. */
export function measureIn(wanted: HostVersion, profileFolder?: string): void {
  version = wanted;
  profiles = profileFolder;
}

/** Packages and installs once a run, when first needed. */
export function hostSession(): Promise<HostSession> {
  started ??= start();
  return started;
}

async function start(): Promise<HostSession> {
  const { path } = await temporaryFolder();
  const vsix = join(path, 'extension.vsix');
  const [host, { browser }] = await Promise.all([installHost(version), launchBrowser(), packageExtension(vsix)]);
  const extensionsDir = join(path, 'extensions');
  await installExtension({ host, extensionsDir, serverDataDir: join(path, 'server') }, vsix);
  const name = (await readdir(extensionsDir)).find((entry) => entry.startsWith('automation-platform-tools.'))!;
  const extensionFolder = join(extensionsDir, name);
  const onDemandDir = join(path, 'on-demand');
  await Promise.all(
    ['empty-first', 'empty-before', 'empty-after', 'host'].map((empty) => writeEmpty(onDemandDir, empty)),
  );
  await copyOnDemand(extensionFolder, join(onDemandDir, name));
  return { host, browser, vsix, extensionFolder, extensionsDir, onDemandDir };
}

async function writeEmpty(parent: string, name: string): Promise<void> {
  const folder = join(parent, `bench.${name}-1.0.0`);
  await mkdir(folder, { recursive: true });
  const manifest = {
    name,
    publisher: 'bench',
    version: '1.0.0',
    engines: { vscode: '^1.105.0' },
    type: 'module',
    main: './main.js',
    activationEvents: [],
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.js'), "import 'vscode';\nexport function activate() {}\n");
}

/** Activated by the bench and by nothing else. */
async function copyOnDemand(extensionFolder: string, folder: string): Promise<void> {
  await cp(extensionFolder, folder, { recursive: true });
  const file = join(folder, 'package.json');
  const manifest: Record<string, unknown> = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...manifest, activationEvents: [] }));
}

export interface WindowJob extends Omit<Job, 'results' | 'profile'> {
  /** `installed`: as people have it. `onDemand`: beside empty extensions, activated when asked for. */
  readonly extension: 'installed' | 'onDemand';
  readonly env?: Readonly<Record<string, string>>;
  readonly userSettings?: Readonly<Record<string, unknown>>;
  readonly workspaceSettings?: Readonly<Record<string, unknown>>;
  /** Called when the window is there, while the job runs. */
  readonly watch?: (page: Page) => Promise<void>;
  /** Called when the job is done, before the window closes. */
  readonly afterwards?: (page: Page) => Promise<void>;
}

/** Opens a window with a fresh profile, does the job in its extension host, and gives what it measured. */
export async function runInHost<T>({ watch, afterwards, extension, env, ...job }: WindowJob): Promise<T> {
  const session = await hostSession();
  const temporary = await temporaryFolder();
  const serverDataDir = join(temporary.path, 'server');
  const folder = join(temporary.path, 'workspace');
  const results = join(temporary.path, 'results.json');
  const { userSettings = {}, workspaceSettings = {}, ...asked } = job;
  const profile = profiles === undefined ? {} : { profile: join(profiles, `${job.name}-${windows++}.cpuprofile`) };
  await mkdir(folder);
  await userSettingsFile(serverDataDir).write(userSettings);
  await folderSettingsFile(folder).write(workspaceSettings);
  const server = await startServer({
    host: session.host,
    serverDataDir,
    extensionsDir: extension === 'installed' ? session.extensionsDir : session.onDemandDir,
    builtinExtensions: usualBuiltins,
    env: { ...env, [jobVariable]: JSON.stringify({ ...asked, ...profile, results } satisfies Job) },
  });
  const context = await session.browser.newContext({ viewport: { width: 1280, height: 900 } });
  try {
    const seen: string[] = [];
    const finished = new Promise<void>((resolve, reject) => {
      const fail = (what: string) => reject(new Error(`${what}\n${seen.slice(-20).join('\n')}`));
      void context.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) =>
        seen.push(`${type}: ${args.join(' ')}`),
      );
      void context.exposeFunction('codeAutomationExit', (code: number) =>
        code === 0 ? resolve() : fail(`${job.name} failed in the extension host:`),
      );
      setTimeout(() => fail(`${job.name} did not end within ${timeLimit / 1000} s:`), timeLimit).unref();
      void server.process.ended.then((code) => fail(`The VS Code server ended with ${code}.`));
    });
    // Whoever waits below hears of it; until then it is nobody's.
    finished.catch(() => undefined);
    const page = await openWindow(context, server, {
      folder,
      // VS Code runs tests of an extension under development only, whichever.
      developmentExtensions: [join(session.onDemandDir, 'bench.host-1.0.0')],
      testsPath: join(compiledTests, 'bench', 'host', 'index.mjs'),
    });
    await watch?.(page);
    await finished;
    await afterwards?.(page);
    const measured: T = JSON.parse(await readFile(results, 'utf8'));
    return measured;
  } finally {
    await context.close();
    await server.stop();
    await temporary.remove();
  }
}

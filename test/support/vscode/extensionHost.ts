import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser } from '@playwright/test';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { cacheFolder, projectRoot } from '../paths.js';
import { startProcess } from '../processes.js';
import type { HostVersion } from './hostVersions.js';
import { launchBrowser } from './installBrowser.js';
import { installHost } from './installHost.js';
import { openWindow } from './openWindow.js';
import { type RunningServer, startServer } from './startServer.js';

export interface ExtensionHostRun {
  readonly version: HostVersion;
  readonly desktop?: boolean;
  /** For the profile and the workspace, as far as they are not there. */
  readonly folder: string;
  /** In a server: the windows that run the tests, one after the other; absent: one with the folder `workspace`. */
  readonly windows?: readonly TestWindow[];
  /** Where extensions are installed; absent: nowhere. */
  readonly extensionsDir?: string;
  /** The extension under development; absent: the checkout. */
  readonly extension?: string;
  /** The module whose `run()` decides the exit code. */
  readonly testsPath: string;
  /** Ms. */
  readonly timeLimit: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface TestWindow {
  /** Opened in place of the folder. */
  readonly workspaceFile?: string;
  /** `true` leaves the workspace untrusted. */
  readonly needsTrust?: boolean;
}

interface Outcome {
  readonly code: number;
  readonly output: string;
}

export async function runInExtensionHost(run: ExtensionHostRun): Promise<Outcome> {
  await mkdir(join(run.folder, 'workspace'), { recursive: true });
  return run.desktop ? inDesktop(run) : inServer(run);
}

/** As @vscode/test-electron starts it, but without its shell, which breaks paths with spaces on Windows. */
async function inDesktop({ version, folder, testsPath, env }: ExtensionHostRun) {
  const args = [
    join(folder, 'workspace'),
    `--user-data-dir=${join(folder, 'u')}`,
    `--extensions-dir=${join(folder, 'e')}`,
    `--extensionDevelopmentPath=${projectRoot}`,
    `--extensionTestsPath=${testsPath}`,
    '--disable-workspace-trust',
    '--no-sandbox',
    '--disable-gpu-sandbox',
    '--disable-updates',
    '--skip-welcome',
    '--skip-release-notes',
  ];
  const running = startProcess(await desktopExecutable(version), args, { patience: 10_000, env });
  return { code: await running.ended, output: running.output() };
}

/** Newer VS Codes for macOS call it otherwise than test-electron expects: https://github.com/microsoft/vscode-test/issues/348. */
async function desktopExecutable({ vscode: version }: HostVersion): Promise<string> {
  const expected = await downloadAndUnzipVSCode({ version, cachePath: cacheFolder });
  if (existsSync(expected)) return expected;
  const infoPlist = await readFile(join(dirname(expected), '..', 'Info.plist'), 'utf8');
  const name = /<key>CFBundleExecutable<\/key>\s*<string>([^<]+)<\/string>/.exec(infoPlist)?.[1];
  if (name === undefined)
    throw new Error('The Info.plist of this VS Code names no CFBundleExecutable.');
  return join(dirname(expected), name);
}

async function inServer(run: ExtensionHostRun): Promise<Outcome> {
  const { version, folder, env, windows = [{}] } = run;
  const { extensionsDir = join(folder, 'e') } = run;
  const host = await installHost(version);
  const [server, { browser, close }] = await Promise.all([
    startServer({ host, serverDataDir: folder, extensionsDir, env, hasFewBuiltins: true }),
    launchBrowser(),
  ]);
  try {
    const outcomes: Outcome[] = [];
    for (const window of windows) outcomes.push(await inWindow(run, server, browser, window));
    return outcomes.find(({ code }) => code !== 0) ?? { code: 0, output: '' };
  } finally {
    await close();
    await server.process.stop();
  }
}

async function inWindow(
  run: ExtensionHostRun,
  server: RunningServer,
  browser: Browser,
  window: TestWindow,
) {
  const { folder, timeLimit, testsPath, extension = projectRoot } = run;
  const context = await browser.newContext();
  const seen: string[] = [];
  const log = (type: string, args: unknown[]) => {
    seen.push(`${type}: ${args.join(' ')}`);
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    await context.exposeFunction('codeAutomationLog', log);
    const finished = new Promise<number>((done, fail) => {
      void context.exposeFunction('codeAutomationExit', done);
      timer = setTimeout(
        () => fail(new Error(`The tests did not end within ${timeLimit / 1000} s.`)),
        timeLimit,
      );
      void server.process.ended.then((code) =>
        fail(new Error(`The VS Code server ended with ${code}.`)),
      );
      server.process.child.stdout?.on('data', (text: string) => {
        const crash = /Extension Host Process exited with code: (?!0\b).*/.exec(text);
        if (crash) fail(new Error(crash[0]));
      });
    });
    const opened = openWindow(context, server, {
      folder: join(folder, 'workspace'),
      workspaceFile: window.workspaceFile,
      trust: window.needsTrust,
      developmentExtensions: [extension],
      testsPath,
    });
    const [code, page] = await Promise.all([finished, opened]);
    // A page that is left, and not just gone, ends its extension host.
    await page.goto('about:blank');
    return { code, output: seen.slice(-100).join('\n') };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const said = `--- the VS Code server ---\n${server.process.output()}\n--- the window ---\n${seen.slice(-100).join('\n')}`;
    return { code: 1, output: `${reason}\n${said}` };
  } finally {
    clearTimeout(timer);
    await context.close();
  }
}

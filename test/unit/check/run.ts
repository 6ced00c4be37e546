/** The check as a program: built as it is packaged, and run in a folder of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { importBundled } from '../../support/bundled.js';
import { projectRoot } from '../../support/paths.js';
import { failedAccount, healthy } from '../../support/platform/data.js';
import { type Platform, startPlatform } from '../../support/platform/platform.js';
import { environment, runProcess } from '../../support/processes.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';

export interface Ran {
  /** The exit code, or the signal. */
  readonly end: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

/** Makes Node run this module before the check. */
export function preload(code: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

/** A module that changes functions of Node for the check, too. `never` is a promise that never settles. */
export function changed(code: string): Record<string, string> {
  return preload(`import fs from 'node:fs'; import timers from 'node:timers/promises';
    import { syncBuiltinESMExports } from 'node:module';
    const never = () => new Promise(() => {});
    ${code}; syncBuiltinESMExports();`);
}

/** How the check ends while a file does not answer: Node 22.15 or newer can become another process. */
export function endWhileHanging(code: number): number | string {
  const canEndWithCode = process.platform === 'win32' || 'execve' in process;
  return canEndWithCode ? code : 'SIGTERM';
}

/** Whether this Node goes through a proxy of the environment. */
export function canUseProxies(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major >= 24 || (major === 22 && minor >= 21);
}

export class CheckProgram {
  private constructor(
    readonly file: string,
    readonly folder: string,
    readonly remove: () => Promise<void>,
  ) {}

  static async build(): Promise<CheckProgram> {
    const { path, remove } = await temporaryFolder();
    const file = join(path, 'program', 'automation-platform-check.mjs');
    await runProcess(process.execPath, ['esbuild.js', '--check', file], { cwd: projectRoot });
    await mkdir(join(path, 'work'));
    return new CheckProgram(file, join(path, 'work'), remove);
  }

  /** Into the folder in which it runs. */
  async write(name: string, content: string | object): Promise<void> {
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true });
    const isText = typeof content === 'string' || content instanceof Uint8Array;
    await writeFile(path, isText ? content : JSON.stringify(content, undefined, 2));
  }

  start(
    args: readonly string[],
    env: Readonly<Record<string, string | undefined>> = {},
    cwd = this.folder,
  ) {
    const proxies = [
      'HTTPS_PROXY',
      'HTTP_PROXY',
      'NO_PROXY',
      'https_proxy',
      'http_proxy',
      'no_proxy',
    ];
    const node = ['NODE_USE_ENV_PROXY', 'NODE_TLS_REJECT_UNAUTHORIZED'];
    const names = [...proxies, ...node, 'GITHUB_STEP_SUMMARY', 'GITHUB_WORKSPACE'];
    const none = Object.fromEntries(names.map((name) => [name, undefined]));
    // One that hangs is not left behind.
    const limit = { timeout: 30_000, killSignal: 'SIGKILL' } as const;
    return spawn(process.execPath, [this.file, ...args], {
      cwd,
      env: environment({ ...none, ...env }),
      ...limit,
    });
  }

  async run(...given: Parameters<CheckProgram['start']>): Promise<Ran> {
    const child = this.start(...given);
    const [stdout, stderr, [code, signal]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    return { end: code ?? signal, stdout, stderr };
  }
}

/**
 * Imports a module of `src/check` as the program contains it: with the English sentences in place of
 * `vscode`, which exists only inside VS Code.
 */
export function importFromCheck<Module>(path: string): Promise<Module> {
  const alias = { vscode: join(projectRoot, 'src/check/vscode.ts') };
  return importBundled<Module>(path, { alias });
}

export interface CheckWorld {
  readonly program: CheckProgram;
  readonly platform: Platform;
  /** As CI sets it for this platform. */
  readonly env: Record<string, string>;
}

/**
 * Builds the check for a suite. Before each test `start` gets a platform of its own, with a healthy
 * deployment, `dep_ok`, and a failing one, `dep_failed`; after it the folder of the check is empty again.
 */
export function useCheck(start: (world: CheckWorld) => void): void {
  let program: CheckProgram;
  let platform: Platform;
  before(async () => {
    program = await CheckProgram.build();
  });
  after(() => program.remove());
  beforeEach(async () => {
    platform = await startPlatform();
    platform.putDeployment('dep_ok', healthy());
    platform.putDeployment('dep_failed', failedAccount());
    start({ program, platform, env: { ...platform.env } });
  });
  afterEach(async () => {
    await platform.stop();
    await rm(program.folder, { recursive: true });
    await program.write('.keep', '');
  });
}

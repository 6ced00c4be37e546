// Child processes in groups of their own, so that ending one ends all that it started.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { onEnd, unlessEnding } from './cleanup.js';

export interface ProcessOptions {
  readonly cwd?: string;
  /** Changes `environment`; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long it may take to end by itself when it is asked to. */
  readonly patience?: number;
}

export type RunningProcess = ReturnType<typeof startProcess>;

/**
 * `output` is everything printed so far, both streams in the order of arrival. `ended` resolves with the exit code (-1: ended by a
 * signal). `stop` ends the whole group: politely first, then not.
 */
export function startProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
) {
  const child = spawn(command, args, {
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environment(options.env),
    cwd: options.cwd,
  });
  const chunks: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => chunks.push(text));
  const ended = new Promise<number>((resolve) => {
    child.once('error', (error) => {
      chunks.push(`${error.message}\n`);
      resolve(-1);
    });
    child.once('close', (code) => resolve(code ?? -1));
  });
  const stop = onEnd(() => endGroup(child, ended, options.patience ?? 2000));
  void ended.then(stop);
  return { child, output: () => chunks.join(''), ended: unlessEnding(ended), stop };
}

export async function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions = {},
) {
  const running = startProcess(command, args, options);
  const code = await running.ended;
  if (code !== 0)
    throw new Error(`${[command, ...args].join(' ')} ended with ${code}:\n${running.output()}`);
  return running.output();
}

/**
 * Ours, without the variables of the VS Code in whose terminal we may run, which would lead another one to the wrong window, and of
 * the npm that started us, which are about our package.
 */
export function environment(changes: ProcessOptions['env'] = {}): NodeJS.ProcessEnv {
  const foreign =
    /^(VSCODE_|ELECTRON_|NODE_OPTIONS$|npm_(config_local_prefix|package_|lifecycle_|command))/;
  const own = Object.entries(process.env).filter(([name]) => !foreign.test(name));
  const all = Object.entries({ ...Object.fromEntries(own), ...changes });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
}

async function endGroup(
  child: ChildProcess,
  ended: Promise<number>,
  patience: number,
): Promise<void> {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  signalGroup(child.pid, 'SIGTERM');
  await Promise.race([ended, sleep(patience, undefined, { ref: false })]);
  // Its children can outlive it, so the group is ended in any case.
  signalGroup(child.pid, 'SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended by itself.
  }
}

import { Refusal } from './refusal.js';

const { stderr, stdout } = process;

/** The signals that this process answers, and the exit code of a process that one of them ended. */
const signals: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
];

/** How this process ends: before its verdict never as a healthy one, and after it with nothing else. */
export class Exit {
  private hasVerdict = false;
  /** How many reads and writes of files are on their way. */
  private unfinished = 0;

  /** `say` tells the user why there is no verdict. */
  constructor(private readonly say: (error: unknown) => void) {
    process.exitCode = 2;
    // Node would end with 1, which is the code of a problem.
    process.on('uncaughtException', (error) => this.fail(error));
    // Node throws an error that has no listener. A verdict needs no reader of the errors.
    stderr.on('error', () => undefined);
    stdout.on('error', () => {
      if (!this.hasVerdict) this.now();
    });
    for (const [signal, exitCode] of signals) process.once(signal, () => endBy(signal, exitCode));
  }

  /** The first verdict counts, whatever becomes of its text. */
  decide(exitCode: number): void {
    if (this.hasVerdict) return;
    this.hasVerdict = true;
    process.exitCode = exitCode;
  }

  fail(error: unknown): void {
    if (!this.hasVerdict) process.exitCode = error instanceof Refusal ? error.exitCode : 2;
    this.say(error);
    this.whenWritten();
  }

  whenWritten(): void {
    stderr.write('', () => stdout.write('', () => this.now()));
  }

  /** Keeps in mind that a file is read or written, which may never come to its end. */
  async track<T>(work: Promise<T>): Promise<T> {
    this.unfinished++;
    try {
      return await work;
    } finally {
      this.unfinished--;
    }
  }

  private now(): void {
    const isAskingNames = process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap');
    if (this.unfinished > 0 || isAskingNames) replaceProcess();
    // Node before 22.15 has no other way. DNS gives up at some time.
    if (this.unfinished > 0) endBy('SIGTERM', Number(process.exitCode));
    process.exit();
  }
}

/** What Node has since 22.15, and not on Windows. */
type Execve = (file: string, args: readonly string[], env: object) => never;

/**
 * Becomes a process that ends at once with the same exit code, where Node can do that. `process.exit` waits for
 * what other threads have begun: for ever if it is a read on a network drive that is gone.
 */
function replaceProcess(): void {
  const { execPath, exitCode, execve }: NodeJS.Process & { readonly execve?: Execve } = process;
  if (execve === undefined || process.platform === 'win32') return;
  // Node warns that the call is experimental.
  process.removeAllListeners('warning');
  execve(execPath, [execPath, '--eval', `process.exit(${exitCode})`], {});
}

/** By the signal itself, because `process.exit` waits for reads that are on their way. */
function endBy(signal: NodeJS.Signals, exitCode: number): void {
  process.removeAllListeners(signal);
  // Windows would end it with the exit code 1, which is that of a problem.
  if (process.platform !== 'win32') process.kill(process.pid, signal);
  // The first process of a container does not end by a signal that it does not handle.
  process.exit(exitCode);
}

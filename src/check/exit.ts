import { endOf } from './refusal.js';

const { stderr, stdout } = process;

/** The signals that this process handles, and the exit code of a process that they ended. */
const exitCodesOfSignals: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
];

/**
 * Decides with which code this process ends. Until main.ts gives the verdict, every end has another
 * code than 0; after the verdict only a signal replaces its code.
 */
export class Exit {
  private hasVerdict = false;
  /** How many reads and writes of files have not ended. */
  private pendingFileWork = 0;

  /** `report` tells the user why there is no verdict. */
  constructor(private readonly report: (error: unknown) => void) {
    process.exitCode = 2;
    // Node would end with 1, which is the code of a problem.
    process.on('uncaughtException', (error) => this.fail(error));
    // Node throws an error event that has no listener. A verdict does not need stderr.
    stderr.on('error', () => undefined);
    stdout.on('error', () => {
      if (!this.hasVerdict) this.endProcess();
    });
    for (const [signal, exitCode] of exitCodesOfSignals)
      process.once(signal, () => endBySignal(signal, exitCode));
  }

  /** Sets the exit code. The first verdict counts, even if its text cannot be written. */
  setVerdict(exitCode: number): void {
    if (this.hasVerdict) return;
    this.hasVerdict = true;
    process.exitCode = exitCode;
  }

  /**
   * Ends the process after the error is reported: with its own code, or 2, unless there is a
   * verdict.
   */
  fail(error: unknown): void {
    if (!this.hasVerdict) process.exitCode = endOf(error).exitCode;
    this.report(error);
    this.endWhenWritten();
  }

  /** Ends the process once stderr and stdout have been written. */
  endWhenWritten(): void {
    stderr.write('', () => stdout.write('', () => this.endProcess()));
  }

  /** Settles as a read or write of a file does, and counts it as pending: it may never end. */
  async trackFileWork<T>(work: Promise<T>): Promise<T> {
    this.pendingFileWork += 1;
    try {
      return await work;
    } finally {
      this.pendingFileWork -= 1;
    }
  }

  private endProcess(): void {
    const isResolvingName = process.getActiveResourcesInfo().includes('GetAddrInfoReqWrap');
    if (this.pendingFileWork > 0 || isResolvingName) replaceProcess();
    // Node before 22.15 cannot replace the process. A lookup in DNS gives up at some time, while
    // file work may never end.
    if (this.pendingFileWork > 0) endBySignal('SIGTERM', Number(process.exitCode));
    process.exit();
  }
}

/** The type of `process.execve`, which Node has since 22.15, and not on Windows. */
type Execve = (file: string, args: readonly string[], env: object) => never;

/**
 * Becomes a process that ends at once with the same exit code; returns if this Node cannot do that.
 * `process.exit` waits for what other threads have begun: for ever if that is a read on a network
 * drive that is gone.
 */
function replaceProcess(): void {
  const { execPath, exitCode, execve }: NodeJS.Process & { readonly execve?: Execve } = process;
  if (execve === undefined || process.platform === 'win32') return;
  // Node warns that the call is experimental.
  process.removeAllListeners('warning');
  execve(execPath, [execPath, '--eval', `process.exit(${exitCode})`], {});
}

/**
 * Ends this process by sending it the signal, because `process.exit` waits for reads that have not
 * ended.
 */
function endBySignal(signal: NodeJS.Signals, exitCode: number): void {
  process.removeAllListeners(signal);
  // On Windows the signal would end it with the exit code 1, which is the code of a problem.
  if (process.platform !== 'win32') process.kill(process.pid, signal);
  // The first process of a container does not end by a signal that it does not handle.
  process.exit(exitCode);
}

import { constants } from 'node:fs';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { lazy } from '../../model/base/lazy.js';
import type { Exit } from '../exit.js';
import { fileKeys, spelledKey } from '../fileKeys.js';
import { settingsFile, workspaceFiles } from '../list/defaultFiles.js';
import { type End, WrongArguments } from '../refusal.js';
import { junitFile } from './junit.js';
import { summaryWithoutVerdict } from './summaryMark.js';

/** A network drive may not answer at all. */
const maxWaitMs = 10_000;
/** How long a file is waited for after the time of the whole run is up. */
const minWaitMs = 1000;

const { O_APPEND, O_CREAT, O_NONBLOCK, O_TRUNC, O_WRONLY } = constants;
// With O_NONBLOCK, Node does not wait for a reader of a FIFO. Windows has no `O_NONBLOCK`: it is
// `undefined` there, which adds no bit.
const writing = O_CREAT | O_NONBLOCK | O_WRONLY;

/** Matches the path of settings in any folder: a workspace file can name any folder. */
const settingsPath = /(?:[\\/]\.vscode[\\/]settings\.json|\.code-workspace)$/i;

interface FilesOptions {
  /** The files of --junit and --summary. */
  readonly paths: { readonly junit: string | undefined; readonly summary: string | undefined };
  /** The files that are not to be overwritten, besides settings. */
  readonly kept: readonly string[];
  /** When the time of the whole run is up, in ms of `performance.now()`. */
  readonly endsAt: number;
  readonly exit: Pick<Exit, 'trackFileWork'>;
  readonly redact: (text: string) => string;
  /** Tells the user that a file was not written. */
  readonly report: (sentence: string) => void;
}

/**
 * The files that the check writes beside its output. main.ts makes one. `begin` writes them before
 * anything is read, so that a run that is ended leaves no file of an earlier run, which may say
 * that all is well.
 */
export class Files {
  /** The files that could not be written. A write that hangs could replace a later one. */
  private readonly failed = new Set<string>();
  /** Those of `paths` that are not written, because that would overwrite another file. */
  private readonly refused = lazy(() => this.findRefused());

  constructor(private readonly options: FilesOptions) {}

  /**
   * Writes that the check did not end. Rejects with `WrongArguments` before anything is written if
   * a file would be overwritten.
   */
  async begin(): Promise<void> {
    const refused = await this.refused();
    const last = [...refused].at(-1);
    if (last !== undefined) throw new WrongArguments(`${last} would be overwritten.`);
    const reason = 'The check did not end. Nothing is known.';
    await this.writeWithoutVerdict({ exitCode: 2, reason, details: [] }, 'error');
  }

  /**
   * Writes why nothing was checked. Resolves with the exit code: 2 in place of 0 if a file was not
   * written.
   */
  async writeWithoutVerdict(end: End, outcome: 'error' | 'skipped'): Promise<number> {
    // The texts are cut, and a token that is cut would not be found.
    const sentences = [end.reason, ...end.details].map(this.options.redact);
    const text = { message: this.options.redact(end.reason), lines: sentences };
    return this.write(end.exitCode, {
      junit: () => junitFile([{ name: 'The check', [outcome]: text }]),
      summary: (code) => summaryWithoutVerdict(code, sentences),
    });
  }

  /**
   * Writes the files. Resolves with the exit code: 2 in place of 0 if a file was not written. The
   * summary names the code, so it comes last.
   */
  async write<Code extends number>(
    exitCode: Code,
    texts: { readonly junit: () => string; readonly summary: (exitCode: Code | 2) => string },
  ): Promise<Code | 2> {
    const { junit, summary } = this.options.paths;
    const isJunitWritten = junit === undefined || (await this.replace(junit, texts.junit()));
    const code = isJunitWritten ? exitCode : afterFailedWrite(exitCode);
    const isSummaryWritten =
      summary === undefined || (await this.replace(summary, texts.summary(code)));
    return isSummaryWritten ? code : afterFailedWrite(code);
  }

  /** Appends to `$GITHUB_STEP_SUMMARY`. Never rejects, and changes no exit code. */
  async appendStepSummary(file: string, text: string): Promise<void> {
    const reason = await this.reasonIfNotDone(() =>
      appendFile(file, this.options.redact(text), { flag: writing | O_APPEND }),
    );
    if (reason !== undefined) {
      this.options.report(`The summary was not written to $GITHUB_STEP_SUMMARY: ${reason}.`);
    }
  }

  /** Resolves with whether the file was written; reports why not. Makes its folder. */
  private async replace(file: string, text: string): Promise<boolean> {
    const refused = await this.refused();
    if (refused.has(file) || this.failed.has(file)) return false;
    const reason = await this.reasonIfNotDone(async () => {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, this.options.redact(text), { flag: writing | O_TRUNC });
    });
    if (reason !== undefined) this.reportFailed(file, reason);
    return reason === undefined;
  }

  private reportFailed(file: string, reason: string): void {
    this.failed.add(file);
    this.options.report(`${file} was not written: ${reason}.`);
  }

  /**
   * Resolves with the files to write that are settings, or the same file as another one, whatever
   * their names are. Reports a file whose disk does not answer.
   */
  private async findRefused(): Promise<ReadonlySet<string>> {
    const { kept, paths } = this.options;
    const files = [paths.junit, paths.summary].filter((file) => file !== undefined);
    if (files.length === 0) return new Set();

    const keysOfFiles = await Promise.all(
      files.map((file) => this.keysOf(file, (reason) => this.reportFailed(file, reason))),
    );
    const workspaces = await this.inTime(workspaceFiles()).catch(() => []);
    const allKept = [...kept, settingsFile, ...workspaces];
    const keysOfKept = await Promise.all(allKept.map((file) => this.keysOf(file)));
    const isRefused = (nth: number): boolean => {
      const others = keysOfFiles.filter((_, other) => other !== nth);
      const taken = new Set([...keysOfKept, ...others].flat());
      return keysOfFiles[nth]!.some((key) => taken.has(key) || settingsPath.test(key));
    };
    return new Set(files.filter((_, nth) => isRefused(nth)));
  }

  /** Resolves with the spelling alone if the disk does not answer in time. */
  private async keysOf(
    file: string,
    onFailure: (reason: string) => void = () => undefined,
  ): Promise<readonly string[]> {
    try {
      return await this.inTime(fileKeys(file));
    } catch (error) {
      onFailure(messageOf(error));
      return [spelledKey(file)];
    }
  }

  /**
   * Resolves with why the work failed, or that it took too long; with `undefined` if it did not.
   */
  private async reasonIfNotDone(work: () => Promise<void>): Promise<string | undefined> {
    try {
      await this.inTime(work());
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Settles as the work does, or rejects when the time is up. */
  private async inTime<T>(work: Promise<T>): Promise<T> {
    const leftMs = this.options.endsAt - performance.now();
    const waitMs = Math.min(Math.max(leftMs, minWaitMs), maxWaitMs);
    const tooLate = sleep(waitMs).then(() => {
      throw new Error('the time was up');
    });
    return Promise.race([this.options.exit.trackFileWork(work), tooLate]);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function afterFailedWrite<Code extends number>(exitCode: Code): Code | 2 {
  return exitCode === 0 ? 2 : exitCode;
}

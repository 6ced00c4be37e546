import type { Disposable } from './emitter.js';
import type { SetTimer } from './timer.js';

/** Everything that decides when and what is read without being asked. The schedule is told, it never asks. */
export interface RefreshSituation {
  /** An organization is current. */
  readonly signedIn: boolean;
  /** `refreshInterval`; 0 is off. */
  readonly intervalMinutes: number;
  readonly focused: boolean;
  readonly viewVisible: boolean;
  readonly statusBar: boolean;
  readonly badge: boolean;
  readonly listed: readonly string[];
  /** Ids that open documents mention; counted only if listed. */
  readonly mentioned: ReadonlySet<string>;
}

export interface RefreshScheduleOptions {
  readonly now: () => number;
  readonly setTimer?: SetTimer;
  /** Epoch ms of the last read of this id, good or failed, whoever asked for it. */
  readonly lastRead: (deploymentId: string) => number | undefined;
  /** One automatic round. `signal` aborts when the window loses focus: what is not read yet is read after it returns. */
  readonly run: (deploymentIds: readonly string[], signal: AbortSignal) => Promise<void>;
}

export interface RefreshSchedule extends Disposable {
  update(change: Partial<RefreshSituation>): void;
  /** Another organization or another token: what was read before does not count. */
  restart(): void;
}

export function createRefreshSchedule(options: RefreshScheduleOptions): RefreshSchedule {
  void options;
  throw new Error('not written yet');
}

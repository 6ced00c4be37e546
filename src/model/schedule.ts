import type { Disposable } from './emitter.js';
import { type SetTimer, setTimer } from './time.js';

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

interface RefreshScheduleOptions {
  readonly now: () => number;
  readonly setTimer?: SetTimer;
  /** Epoch ms of the last read of this id, good or failed, whoever asked for it. */
  readonly lastRead: (deploymentId: string) => number | undefined;
  /**
   * One automatic round. `signal` aborts when the window loses focus (what is not read yet is read after it returns), when nobody
   * is signed in any more, and when automatic refresh is turned off.
   */
  readonly run: (deploymentIds: readonly string[], signal: AbortSignal) => Promise<void>;
}

interface RefreshSchedule extends Disposable {
  update(change: Partial<RefreshSituation>): void;
  /** Another organization or another token: what was read before does not count. */
  restart(): void;
}

const minute = 60_000;
/** A timer waits on as before after the machine slept, so the clock is looked at again after this time, however far off a round is. */
const longestWait = minute;
/** A round may not be followed by another before this many times its own duration. */
const restFactor = 10;

export function createRefreshSchedule(options: RefreshScheduleOptions): RefreshSchedule {
  return new Schedule(options);
}

const atRest: RefreshSituation = {
  signedIn: false,
  intervalMinutes: 0,
  focused: false,
  viewVisible: false,
  statusBar: false,
  badge: false,
  listed: [],
  mentioned: new Set(),
};

class Schedule implements RefreshSchedule {
  private situation = atRest;
  private readonly setTimer: SetTimer;
  /** When a round last took an id on, whatever came of it: one that never answers is not asked in a circle. */
  private asked = new Map<string, number>();
  /** The rest after the last round: its beginning and its length. */
  private restFrom = -Infinity;
  private restFor = 0;
  private running: AbortController | undefined;
  private timer: Disposable | undefined;
  private disposed = false;

  constructor(private readonly options: RefreshScheduleOptions) {
    this.setTimer = options.setTimer ?? setTimer;
  }

  update(change: Partial<RefreshSituation>): void {
    this.situation = { ...this.situation, ...change };
    const { focused, signedIn, intervalMinutes } = this.situation;
    if (!focused || !signedIn || intervalMinutes === 0) this.running?.abort();
    this.plan();
  }

  restart(): void {
    this.asked.clear();
    this.restFrom = -Infinity;
    this.restFor = 0;
    this.running?.abort();
    this.running = undefined;
    this.plan();
  }

  dispose(): void {
    this.disposed = true;
    this.timer?.dispose();
    this.running?.abort();
  }

  private plan(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const { signedIn, focused, intervalMinutes } = this.situation;
    if (this.disposed || this.running !== undefined || !signedIn || !focused || intervalMinutes === 0) return;
    const wanted = this.wanted();
    if (wanted.length === 0) return;
    const now = this.options.now();
    const interval = intervalMinutes * minute;
    let oldest = Infinity;
    for (const id of wanted) oldest = Math.min(oldest, this.lastTime(id, now));
    // When the clock was set back, the rest begins anew instead of lasting until the old time is reached again.
    this.restFrom = Math.min(this.restFrom, now);
    const wait = Math.max(oldest + interval, this.restFrom + this.restFor) - now;
    if (wait > 0) {
      this.timer = this.setTimer(() => this.plan(), Math.min(wait, longestWait));
      return;
    }
    // The usual round takes all, so that they stay in step. One that was never read does not drag the others along.
    const isDue = (id: string): boolean => this.lastTime(id, now) + interval <= now;
    void this.round(oldest === -Infinity ? wanted.filter(isDue) : wanted);
  }

  /** Listed ids that somebody looks at; without anything that shows all, only what open documents mention. */
  private wanted(): readonly string[] {
    const { listed, mentioned, viewVisible, statusBar, badge } = this.situation;
    return viewVisible || statusBar || badge ? listed : listed.filter((id) => mentioned.has(id));
  }

  /** A time in the future is from before the clock was set back: nobody knows how long ago it was, so it does not count. */
  private lastTime(id: string, now: number): number {
    const times = [this.asked.get(id), this.options.lastRead(id)];
    return Math.max(...times.map((time) => (time === undefined || time > now ? -Infinity : time)));
  }

  private async round(ids: readonly string[]): Promise<void> {
    const controller = new AbortController();
    const { now } = this.options;
    const startedAt = now();
    const stopwatch = new AwakeStopwatch({ now, setTimer: this.setTimer });
    this.running = controller;
    for (const id of ids) this.asked.set(id, startedAt);
    try {
      await this.options.run(ids, controller.signal);
    } finally {
      stopwatch.dispose();
      // After `restart` that round is none of ours any more.
      if (this.running === controller) {
        this.restFrom = now();
        this.restFor = restFactor * stopwatch.elapsed;
        // What focus took away is still due; what was read says so itself.
        if (controller.signal.aborted) for (const id of ids) this.asked.delete(id);
        this.running = undefined;
        this.plan();
      }
    }
  }
}

const beat = 5000;

/**
 * Measures how long something takes while the machine is awake. No clock of Node does so on every system, so it looks at the time
 * again and again: a gap much longer than a beat was a sleep, and one below zero a clock that was set back.
 */
class AwakeStopwatch implements Disposable {
  /** Milliseconds, up to the last look. */
  elapsed = 0;
  private lookedAt: number;
  private timer: Disposable | undefined;

  constructor(private readonly clock: { readonly now: () => number; readonly setTimer: SetTimer }) {
    this.lookedAt = clock.now();
    this.goOn();
  }

  /** Looks for the last time. */
  dispose(): void {
    this.look();
    this.timer?.dispose();
  }

  private goOn(): void {
    this.timer = this.clock.setTimer(() => {
      this.look();
      this.goOn();
    }, beat);
  }

  private look(): void {
    const now = this.clock.now();
    this.elapsed += Math.min(Math.max(now - this.lookedAt, 0), 2 * beat);
    this.lookedAt = now;
  }
}

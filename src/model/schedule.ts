import type { Disposable } from './emitter.js';
import { type SetTimer, setTimer } from './time.js';

/** Everything that decides when and what is read without being asked. The schedule is told all of it. */
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

interface ScheduleOptions {
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

const minute = 60_000;
/** A timer stands still while the machine sleeps, so the clock is looked at at least this often. */
const longestWait = minute;
/** A round may not be followed by another before this many times its own duration. */
const restFactor = 10;

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

/** Decides when deployments are read without being asked, and which. */
export class Schedule implements Disposable {
  private situation = atRest;
  private readonly setTimer: SetTimer;
  /** When a round last began with an id. An id that is never answered waits for the next interval all the same. */
  private asked = new Map<string, number>();
  /** The rest after the last round: its beginning and its length. */
  private restFrom = -Infinity;
  private restFor = 0;
  private running: AbortController | undefined;
  private timer: Disposable | undefined;
  private disposed = false;

  constructor(private readonly options: ScheduleOptions) {
    this.setTimer = options.setTimer ?? setTimer;
  }

  update(change: Partial<RefreshSituation>): void {
    this.situation = { ...this.situation, ...change };
    const { focused, signedIn, intervalMinutes } = this.situation;
    if (!focused || !signedIn || intervalMinutes === 0) this.running?.abort();
    this.plan();
  }

  /** Another organization or another token: what was read before does not count. */
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
    // After the clock was set back the rest begins anew, or it would last until the old time comes again.
    this.restFrom = Math.min(this.restFrom, now);
    const wait = Math.max(oldest + interval, this.restFrom + this.restFor) - now;
    if (wait > 0) {
      this.timer = this.setTimer(() => this.plan(), Math.min(wait, longestWait));
      return;
    }
    // A usual round takes all, so that they stay in step; one for an id that was never read takes only what is due.
    const isDue = (id: string): boolean => this.lastTime(id, now) + interval <= now;
    void this.round(oldest === -Infinity ? wanted.filter(isDue) : wanted);
  }

  /** Listed ids that somebody looks at; without anything that shows all, only what open documents mention. */
  private wanted(): readonly string[] {
    const { listed, mentioned, viewVisible, statusBar, badge } = this.situation;
    return viewVisible || statusBar || badge ? listed : listed.filter((id) => mentioned.has(id));
  }

  /** A time in the future does not count: the clock was set back, and nobody knows how long ago it was. */
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
      // `restart` has replaced this round, and what it says no longer counts.
      if (this.running === controller) {
        this.restFrom = now();
        this.restFor = restFactor * stopwatch.elapsed;
        // What an aborted round left unread is still due; the others have their time of reading.
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

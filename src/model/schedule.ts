import type { Disposable } from './emitter.js';
import type { Clock } from './time.js';

/** Everything that decides when and what is read without being asked. The schedule is told all of it. */
export interface RefreshSituation {
  /** An organization is current. */
  readonly signedIn: boolean;
  /** `refreshInterval`. With 0 each deployment is read once, when somebody looks at the view or opens a document that mentions it. */
  readonly intervalMinutes: number;
  readonly focused: boolean;
  readonly viewVisible: boolean;
  readonly statusBar: boolean;
  readonly badge: boolean;
  readonly listed: readonly string[];
  /** Ids that open documents mention; counted only if listed. */
  readonly mentioned: ReadonlySet<string>;
}

interface ScheduleOptions extends Clock {
  /** Epoch ms of the last read of this id, good or failed, whoever asked for it. */
  readonly lastRead: (deploymentId: string) => number | undefined;
  /**
   * One automatic round. `signal` aborts when the window loses focus (what is not read yet is read after it returns), when nobody
   * is signed in any more, and when the interval becomes 0.
   */
  readonly run: (deploymentIds: readonly string[], signal: AbortSignal) => Promise<void>;
}

const minute = 60_000;
/** A timer stands still while the machine sleeps, so the clock is looked at at least this often. */
const longestWait = minute;
/** During a round so many ms are counted at a time. */
const beat = 5000;
/** A round may not be followed by another before this many times its own duration. */
const restFactor = 10;

/** Decides when deployments are read without being asked, and which. */
export class Schedule implements Disposable {
  private situation: Partial<RefreshSituation> = {};
  /** When a round last began with an id. An id that is never answered waits for the next interval all the same. */
  private asked = new Map<string, number>();
  /** The rest after the last round: its beginning and its length. */
  private restFrom = -Infinity;
  private restFor = 0;
  private running: AbortController | undefined;
  private timer: Disposable | undefined;

  constructor(private readonly options: ScheduleOptions) {}

  update(change: Partial<RefreshSituation>): void {
    const isTurnedOff = change.intervalMinutes === 0 && this.situation.intervalMinutes !== 0;
    this.situation = { ...this.situation, ...change };
    if (change.listed) {
      // What was known of one that left the list has gone, so it is read at once when it comes back.
      const listed = new Set(change.listed);
      for (const id of this.asked.keys()) if (!listed.has(id)) this.asked.delete(id);
    }
    if (!this.situation.focused || !this.situation.signedIn || isTurnedOff) this.running?.abort();
    this.plan();
  }

  /** Another organization or another token: what was read before does not count. */
  restart(): void {
    this.asked.clear();
    this.restFrom = -Infinity;
    this.running?.abort();
    this.running = undefined;
    this.plan();
  }

  dispose(): void {
    this.update({ signedIn: false });
  }

  private plan(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const { signedIn, focused, intervalMinutes = 0 } = this.situation;
    if (this.running !== undefined || !signedIn || !focused) return;
    const wanted = this.wanted();
    if (intervalMinutes === 0) {
      const unread = wanted.filter((id) => !this.asked.has(id) && this.options.lastRead(id) === undefined);
      if (unread.length > 0) void this.round(unread);
      return;
    }
    if (wanted.length === 0) return;
    const now = this.options.now();
    const interval = intervalMinutes * minute;
    const oldest = Math.min(...wanted.map((id) => this.lastTime(id, now)));
    // After the clock was set back the rest begins anew, or it would last until the old time comes again.
    this.restFrom = Math.min(this.restFrom, now);
    const wait = Math.max(oldest + interval, this.restFrom + this.restFor) - now;
    if (wait > 0) {
      this.timer = this.options.setTimer(() => this.plan(), Math.min(wait, longestWait));
      return;
    }
    // A usual round takes all, so that they stay in step; one for an id that was never read takes only what is due.
    const isDue = (id: string): boolean => this.lastTime(id, now) + interval <= now;
    void this.round(oldest === -Infinity ? wanted.filter(isDue) : wanted);
  }

  /** Listed ids that somebody looks at; without anything that shows all, only what open documents mention. */
  private wanted(): readonly string[] {
    const { intervalMinutes = 0, listed = [], mentioned, viewVisible, statusBar, badge } = this.situation;
    const showsAll = viewVisible || (intervalMinutes > 0 && (statusBar || badge));
    return showsAll ? listed : listed.filter((id) => mentioned?.has(id));
  }

  /** A time in the future does not count: the clock was set back, and nobody knows how long ago it was. */
  private lastTime(id: string, now: number): number {
    const times = [this.asked.get(id) ?? -Infinity, this.options.lastRead(id) ?? -Infinity];
    return Math.max(...times.filter((time) => time <= now));
  }

  private async round(ids: readonly string[]): Promise<void> {
    const controller = new AbortController();
    const { now, setTimer, run } = this.options;
    const startedAt = now();
    this.running = controller;
    for (const id of ids) this.asked.set(id, startedAt);
    // The clock goes on while the machine sleeps, and may be set. A timer tells between which lengths the machine was awake.
    let beats = 0;
    let timer: Disposable | undefined;
    const count = (): void => {
      beats++;
      timer = setTimer(count, beat);
    };
    count();
    try {
      await run(ids, controller.signal);
    } finally {
      timer?.dispose();
      // `restart` has replaced this round, and what it says no longer counts.
      if (this.running === controller) {
        this.restFrom = now();
        this.restFor = restFactor * Math.min(Math.max(now() - startedAt, (beats - 1) * beat), beats * beat);
        // What an aborted round left unread is still due; the others have their time of reading.
        if (controller.signal.aborted) for (const id of ids) this.asked.delete(id);
        this.running = undefined;
        this.plan();
      }
    }
  }
}

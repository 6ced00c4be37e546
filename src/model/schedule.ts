import { whenOver } from '../api/timers.js';
import type { Disposable } from './base/emitter.js';
import { type Clock, minute } from './base/time.js';
import type { CircuitBreaker } from './circuitBreaker.js';

export interface RefreshSituation {
  /** Of the organization that is read; another one with another organization or token. `undefined`: signed out. */
  readonly breaker: Pick<CircuitBreaker, 'state' | 'msUntilProbe' | 'probeNow'> | undefined;
  /** `refreshInterval`. With 0 each deployment is read once, when the view is seen or a document that mentions it is opened. */
  readonly intervalMinutes: number;
  readonly focused: boolean;
  readonly viewVisible: boolean;
  readonly statusBar: boolean;
  readonly badge: boolean;
  readonly paused: boolean;
  readonly listed: readonly string[];
  readonly mentioned: ReadonlySet<string>;
}

interface ScheduleOptions extends Clock {
  /** Epoch ms of the last read of this id, good or failed, also by a command. */
  readonly lastRead: (deploymentId: string) => number | undefined;
  /** One automatic round. `signal` aborts without focus or organization, and when the interval becomes 0. */
  readonly run: (deploymentIds: readonly string[], signal: AbortSignal) => Promise<void>;
  readonly probe: (deploymentIds: readonly string[], signal: AbortSignal) => Promise<void>;
}

const maxRestMs = 60 * minute;
const restFactor = 10;

/**
 * Decides when deployments are read although the user asks for none: in rounds, or, while the circuit breaker
 * is open, one as a probe.
 */
export class Schedule implements Disposable {
  private situation: Partial<RefreshSituation> = {};
  /** Epoch ms at which a round last began with an id. An id that is never answered waits for the next interval all the same. */
  private readonly asked = new Map<string, number>();
  /** Listed since the last round with them, and never read: a user who lists one looks for it now, so it waits for no rest. */
  private readonly added = new Set<string>();
  /** By `elapsed`. */
  private restUntil = -Infinity;
  private running: AbortController | undefined;
  /** How long the running round has taken, without pauses, until `measuredAt` by `elapsed`. */
  private durationMs = 0;
  private measuredAt = 0;
  private timer: Disposable | undefined;
  /** Whether the circuit breaker was not closed when it was asked last. */
  private isOpen = false;
  /** All is read again: what failed for all is over, or another token reads it. */
  private isResuming = false;

  constructor(private readonly options: ScheduleOptions) {}

  update(change: Partial<RefreshSituation>): void {
    const isTurnedOff = change.intervalMinutes === 0 && this.situation.intervalMinutes !== 0;
    this.measure();
    const { breaker, focused } = this.situation;
    const before = new Set(this.situation.listed);
    this.situation = { ...this.situation, ...change };
    if (this.situation.breaker !== breaker) this.restart();
    if (this.situation.focused && !focused) this.situation.breaker?.probeNow();
    if (change.listed) {
      // What was known of one that left the list has gone, so it is read at once when it comes back.
      const listed = new Set(change.listed);
      for (const known of [this.asked, this.added])
        for (const id of known.keys()) if (!listed.has(id)) known.delete(id);
      for (const id of listed) if (!before.has(id)) this.added.add(id);
    }
    if (!this.situation.focused || isTurnedOff) this.running?.abort();
    this.plan();
  }

  probeNow(): void {
    this.situation.breaker?.probeNow();
    this.plan();
  }

  dispose(): void {
    this.update({ breaker: undefined });
  }

  /** Another organization or another token: what was read before does not count. */
  private restart(): void {
    this.asked.clear();
    this.isOpen = false;
    this.isResuming = true;
    this.restUntil = -Infinity;
    this.running?.abort();
    this.running = undefined;
  }

  private plan(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const { breaker, focused, intervalMinutes = 0 } = this.situation;
    if (breaker === undefined) return;
    // Asked for here, because a probe may be over before the event that tells of it.
    const isOpen = breaker.state !== 'closed';
    if (isOpen !== this.isOpen) this.isResuming = !isOpen;
    this.isOpen = isOpen;
    const wanted = this.wanted();
    if (this.running !== undefined || !focused || wanted.length === 0) return;
    if (isOpen) {
      if (intervalMinutes > 0) this.planProbe(() => breaker.msUntilProbe, wanted);
      return;
    }
    if (this.isResuming) return void this.round(wanted);
    const added = wanted.filter((id) => this.added.has(id) && this.age(id) === Infinity);
    if (added.length > 0) return void this.round(added);
    if (intervalMinutes === 0) {
      const unread = wanted.filter((id) => this.age(id) === Infinity);
      if (unread.length > 0) void this.round(unread);
      return;
    }
    const intervalMs = intervalMinutes * minute;
    const left = (): number =>
      Math.max(intervalMs - this.oldest(wanted), this.restUntil - this.options.elapsed());
    if (left() > 0) {
      this.planWhenOver(left);
      return;
    }
    // A usual round takes all, so that they stay in step; one after an aborted round takes only what is due.
    const hasUnread = this.oldest(wanted) === Infinity;
    void this.round(hasUnread ? wanted.filter((id) => this.age(id) >= intervalMs) : wanted);
  }

  private planWhenOver(left: () => number): void {
    this.timer = whenOver(left, () => this.plan(), this.options.setTimer);
  }

  private planProbe(left: () => number, ids: readonly string[]): void {
    if (left() <= 0) void this.start((signal) => this.options.probe(ids, signal));
    else if (left() < Infinity) this.planWhenOver(left);
  }

  private wanted(): readonly string[] {
    const {
      intervalMinutes = 0,
      listed = [],
      mentioned,
      viewVisible,
      statusBar,
      badge,
    } = this.situation;
    const showsAll = viewVisible || (intervalMinutes > 0 && (statusBar || badge));
    return showsAll ? listed : listed.filter((id) => mentioned?.has(id));
  }

  private oldest(ids: readonly string[]): number {
    return ids.reduce((age, id) => Math.max(age, this.age(id)), 0);
  }

  /**
   * Ms since it was last asked for or read. By the system's time, because the other clock stands still while the
   * machine sleeps. When that was set back, a reading lies as far in the future.
   */
  private age(id: string): number {
    const now = this.options.now();
    const times = [this.asked.get(id), this.options.lastRead(id)];
    return Math.min(...times.map((time) => (time === undefined ? Infinity : Math.abs(now - time))));
  }

  /** Waiting for the end of a pause puts no load on the platform, so it is no part of a round's duration. */
  private measure(): void {
    const now = this.options.elapsed();
    if (!this.situation.paused) this.durationMs += now - this.measuredAt;
    this.measuredAt = now;
  }

  private round(ids: readonly string[]): Promise<void> {
    const { now, elapsed, run } = this.options;
    this.isResuming = false;
    this.measure();
    this.durationMs = 0;
    const startedAt = now();
    for (const id of ids) {
      this.asked.set(id, startedAt);
      this.added.delete(id);
    }
    return this.start(
      (signal) => run(ids, signal),
      (signal) => {
        this.measure();
        const rest = Math.min(restFactor * this.durationMs, maxRestMs);
        this.restUntil = Math.max(this.restUntil, elapsed() + rest);
        // What an aborted round left unread is still due; the others have their time of reading.
        if (signal.aborted) for (const id of ids) this.asked.delete(id);
      },
    );
  }

  private async start(
    work: (signal: AbortSignal) => Promise<void>,
    end?: (signal: AbortSignal) => void,
  ): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    this.running = controller;
    try {
      await work(signal);
    } finally {
      // `restart` has replaced this one, and what it says no longer counts.
      if (this.running === controller) {
        end?.(signal);
        this.running = undefined;
        this.plan();
      }
    }
  }
}

import { whenOver } from '../api/timers.js';
import type { Disposable } from './base/emitter.js';
import { type Clock, minute } from './base/time.js';

export interface RefreshSituation {
  readonly signedIn: boolean;
  /** `refreshInterval`. With 0 each deployment is read once, when the view is seen or a document that mentions it is opened. */
  readonly intervalMinutes: number;
  readonly focused: boolean;
  readonly viewVisible: boolean;
  readonly statusBar: boolean;
  readonly badge: boolean;
  readonly paused: boolean;
  /** All deployments fail alike: one is read now and then as a probe, or none, because the token is rejected. */
  readonly failing: 'probe' | 'rejected' | undefined;
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
const firstProbeMs = 15_000;
const maxProbeMs = 5 * minute;

export class Schedule implements Disposable {
  private situation: Partial<RefreshSituation> = {};
  /** Epoch ms at which a round last began with an id. An id that is never answered waits for the next interval all the same. */
  private readonly asked = new Map<string, number>();
  /** Listed since the last round with them, and never read: a user who lists one looks for it now, so it waits for no rest. */
  private readonly added = new Set<string>();
  /** By `elapsed`, like `probeAt`. */
  private restUntil = -Infinity;
  private running: AbortController | undefined;
  /** How long the running round has taken, without pauses, until `measuredAt` by `elapsed`. */
  private durationMs = 0;
  private measuredAt = 0;
  private timer: Disposable | undefined;
  private probeWaitMs = firstProbeMs;
  private probeAt = 0;
  /** All is read again: what failed for all is over, or another token reads it. */
  private isResuming = false;

  constructor(private readonly options: ScheduleOptions) {}

  update(change: Partial<RefreshSituation>): void {
    const isTurnedOff = change.intervalMinutes === 0 && this.situation.intervalMinutes !== 0;
    this.measure();
    const { focused, failing } = this.situation;
    const before = new Set(this.situation.listed);
    this.situation = { ...this.situation, ...change };
    if (failing !== this.situation.failing) {
      this.isResuming = this.situation.failing === undefined;
      this.probeWaitMs = firstProbeMs;
      this.probeAt = this.options.elapsed() + firstProbeMs;
    }
    if (this.situation.focused && !focused) this.probeAt = 0;
    if (change.listed) {
      // What was known of one that left the list has gone, so it is read at once when it comes back.
      const listed = new Set(change.listed);
      for (const known of [this.asked, this.added])
        for (const id of known.keys()) if (!listed.has(id)) known.delete(id);
      for (const id of listed) if (!before.has(id)) this.added.add(id);
    }
    if (!this.situation.focused || !this.situation.signedIn || isTurnedOff) this.running?.abort();
    this.plan();
  }

  probeNow(): void {
    this.probeAt = 0;
    this.plan();
  }

  /** Another organization or another token: what was read before does not count. */
  restart(): void {
    this.asked.clear();
    this.isResuming = true;
    this.restUntil = -Infinity;
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
    const { signedIn, focused, failing, intervalMinutes = 0 } = this.situation;
    if (this.running !== undefined || !signedIn || !focused || failing === 'rejected') return;
    const wanted = this.wanted();
    if (failing === 'probe') return void (intervalMinutes > 0 && wanted.length > 0 && this.planProbe(wanted));
    if (this.isResuming && wanted.length > 0) return void this.round(wanted);
    const added = wanted.filter((id) => this.added.has(id) && this.age(id) === Infinity);
    if (added.length > 0) return void this.round(added);
    if (intervalMinutes === 0) {
      const unread = wanted.filter((id) => this.age(id) === Infinity);
      if (unread.length > 0) void this.round(unread);
      return;
    }
    if (wanted.length === 0) return;
    const intervalMs = intervalMinutes * minute;
    const left = (): number => Math.max(intervalMs - this.oldest(wanted), this.restUntil - this.options.elapsed());
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

  private planProbe(ids: readonly string[]): void {
    const { elapsed, probe } = this.options;
    const left = (): number => this.probeAt - elapsed();
    if (left() > 0) {
      this.planWhenOver(left);
      return;
    }
    void this.start(async (signal) => {
      await probe(ids, signal);
      this.probeWaitMs = Math.min(2 * this.probeWaitMs, maxProbeMs);
      this.probeAt = elapsed() + this.probeWaitMs;
    });
  }

  private wanted(): readonly string[] {
    const { intervalMinutes = 0, listed = [], mentioned, viewVisible, statusBar, badge } = this.situation;
    const showsAll = viewVisible || (intervalMinutes > 0 && (statusBar || badge));
    return showsAll ? listed : listed.filter((id) => mentioned?.has(id));
  }

  private oldest(ids: readonly string[]): number {
    return ids.reduce((age, id) => Math.max(age, this.age(id)), 0);
  }

  /** Ms since it was last asked for or read. When the system's time was set back, a reading lies as far in the future. */
  private age(id: string): number {
    const now = this.options.now();
    const times = [this.asked.get(id), this.options.lastRead(id)];
    return Math.min(...times.map((time) => (time === undefined ? Infinity : Math.abs(now - time))));
  }

  /** Waiting for the end of a pause puts no load on the service, so it is no part of a round's duration. */
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

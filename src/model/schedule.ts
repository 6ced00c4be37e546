import { whenOver } from '../api/timers.js';
import type { Disposable } from './base/emitter.js';
import { type Clock, minute } from './base/time.js';
import type { CircuitBreaker } from './circuitBreaker.js';

/** All that decides when deployments are read. */
export interface RefreshSituation {
  /**
   * The circuit breaker of the current organization with its current token: a new object when
   * either of them changes. `undefined` if signed out.
   */
  readonly breaker: Pick<CircuitBreaker, 'state' | 'msUntilProbe' | 'probeNow'> | undefined;
  /**
   * The setting `refreshInterval`. With 0 the schedule reads each deployment once, when the view is
   * visible or a document that mentions the deployment is open, and again only after an outage.
   */
  readonly intervalMinutes: number;
  /** Whether the window has the focus. */
  readonly hasFocus: boolean;
  /** Whether the Deployments view is visible. */
  readonly isViewVisible: boolean;
  readonly isStatusBarShown: boolean;
  readonly isBadgeShown: boolean;
  /** Whether requests of the organization wait for the end of a pause after a 429. */
  readonly isPaused: boolean;
  /** The IDs of the listed deployments. */
  readonly listed: readonly string[];
  /** The IDs of the deployments that open documents mention. */
  readonly mentioned: ReadonlySet<string>;
}

interface ScheduleOptions extends Clock {
  /**
   * Returns the epoch ms of the last read of a deployment, good or failed; `undefined` if there was
   * none.
   */
  readonly lastRead: (deploymentId: string) => number | undefined;
  /**
   * Reads these deployments in one automatic round. `signal` aborts when the window loses the
   * focus, the organization or the token changes, or the interval becomes 0.
   */
  readonly run: (deploymentIds: readonly string[], signal: AbortSignal) => Promise<void>;
  /** Reads one of these deployments as a probe. */
  readonly probe: (deploymentIds: readonly string[], signal: AbortSignal) => Promise<void>;
}

/** After a round, periodic ones rest at least ten times as long as it took, up to an hour. */
const restFactor = 10;
const maxRestMs = 60 * minute;

/**
 * Decides when deployments are read without a request of the user: in rounds, or, while the circuit
 * breaker is open, one of them as a probe. The window reports each change of the situation; the
 * store does the reading.
 */
export class Schedule implements Disposable {
  private situation: Partial<RefreshSituation> = {};
  /**
   * By deployment ID: the epoch ms at which a round with it last began. A deployment that is never
   * answered is read again only after the next interval, too.
   */
  private readonly roundTimes = new Map<string, number>();
  /**
   * The IDs of the deployments that were listed since the last round with them. They are read at
   * once, because the user has just added them.
   */
  private readonly added = new Set<string>();
  /** When the next round may begin, in ms of `elapsed`. */
  private restUntil = -Infinity;
  /** Of the round or the probe that runs. */
  private running: AbortController | undefined;
  /** How long the running round has taken until `measuredAt`, without pauses. */
  private durationMs = 0;
  /** In ms of `elapsed`. */
  private measuredAt = 0;
  private timer: Disposable | undefined;
  /** Whether the circuit breaker was open or half open when its state was last read. */
  private wasOpen = false;
  /** Whether all are to be read at once, because an outage is over or another token reads them. */
  private isResuming = false;

  constructor(private readonly options: ScheduleOptions) {}

  update(change: Partial<RefreshSituation>): void {
    const before = this.situation;
    const isTurnedOff = change.intervalMinutes === 0 && before.intervalMinutes !== 0;
    // By the former situation, because it held until now.
    this.measure();
    this.situation = { ...before, ...change };
    if (this.situation.breaker !== before.breaker) this.restart();
    if (this.situation.hasFocus && !before.hasFocus) this.situation.breaker?.probeNow();
    if (change.listed) this.listChanged(new Set(change.listed), new Set(before.listed));
    if (!this.situation.hasFocus || isTurnedOff) this.running?.abort();
    this.plan();
  }

  /** Makes a probe due at once, while the circuit breaker is open. */
  probeNow(): void {
    this.situation.breaker?.probeNow();
    this.plan();
  }

  dispose(): void {
    this.update({ breaker: undefined });
  }

  /** What was read of another organization, or with another token, does not count. */
  private restart(): void {
    this.roundTimes.clear();
    this.wasOpen = false;
    this.isResuming = true;
    this.restUntil = -Infinity;
    this.running?.abort();
    this.running = undefined;
  }

  private listChanged(listed: ReadonlySet<string>, before: ReadonlySet<string>): void {
    // A deployment that leaves the list is forgotten, so it is read at once when it comes back.
    for (const id of this.roundTimes.keys()) if (!listed.has(id)) this.roundTimes.delete(id);
    for (const id of this.added) if (!listed.has(id)) this.added.delete(id);
    for (const id of listed) if (!before.has(id)) this.added.add(id);
  }

  /** Starts what is due, or sets a timer for what is due next. */
  private plan(): void {
    this.timer?.dispose();
    this.timer = undefined;
    const { breaker, hasFocus, intervalMinutes = 0 } = this.situation;
    if (breaker === undefined) return;

    // The state is read here, because a probe may end before the event that reports its end.
    const isOpen = breaker.state !== 'closed';
    if (isOpen !== this.wasOpen) this.isResuming = !isOpen;
    this.wasOpen = isOpen;

    const wanted = this.wantedIds();
    if (this.running !== undefined || !hasFocus || wanted.length === 0) return;
    if (!isOpen) this.planRound(wanted, intervalMinutes);
    else if (intervalMinutes > 0) this.planProbe(wanted, () => breaker.msUntilProbe);
  }

  private planRound(wanted: readonly string[], intervalMinutes: number): void {
    if (this.isResuming) {
      void this.startRound(wanted);
      return;
    }
    const isUnread = (id: string): boolean => this.ageMs(id) === Infinity;
    const addedAndUnread = wanted.filter((id) => this.added.has(id) && isUnread(id));
    if (addedAndUnread.length > 0) {
      void this.startRound(addedAndUnread);
      return;
    }
    if (intervalMinutes === 0) {
      const unread = wanted.filter(isUnread);
      if (unread.length > 0) void this.startRound(unread);
      return;
    }

    const intervalMs = intervalMinutes * minute;
    const leftMs = (): number => {
      const untilDueMs = intervalMs - this.oldestAgeMs(wanted);
      const untilRestedMs = this.restUntil - this.options.elapsed();
      return Math.max(untilDueMs, untilRestedMs);
    };
    if (leftMs() > 0) {
      this.planWhenOver(leftMs);
      return;
    }
    // A normal round reads all, so that they stay synchronized. An aborted round has left some
    // unread: the round after it reads only those that are due.
    const hasUnread = this.oldestAgeMs(wanted) === Infinity;
    const due = hasUnread ? wanted.filter((id) => this.ageMs(id) >= intervalMs) : wanted;
    void this.startRound(due);
  }

  private planProbe(wanted: readonly string[], leftMs: () => number): void {
    if (leftMs() <= 0) void this.start((signal) => this.options.probe(wanted, signal));
    else if (leftMs() < Infinity) this.planWhenOver(leftMs);
  }

  private planWhenOver(leftMs: () => number): void {
    this.timer = whenOver(leftMs, () => this.plan(), this.options.setTimer);
  }

  /**
   * Returns the deployments whose state is shown. The status bar and the badge, which count all of
   * them, do not matter with the interval 0.
   */
  private wantedIds(): readonly string[] {
    const { situation } = this;
    const { intervalMinutes = 0, listed = [] } = situation;
    const areCountsShown = situation.isStatusBarShown || situation.isBadgeShown;
    const areAllShown = situation.isViewVisible || (intervalMinutes > 0 && areCountsShown);
    return areAllShown ? listed : listed.filter((id) => situation.mentioned?.has(id));
  }

  /** Returns Infinity if one of them was never read; 0 for no deployments. */
  private oldestAgeMs(ids: readonly string[]): number {
    return ids.reduce((oldest, id) => Math.max(oldest, this.ageMs(id)), 0);
  }

  /**
   * Returns how long ago a deployment was last read or last part of a round; Infinity if it never
   * was. By the system's time, because `elapsed` stands still while the machine sleeps. If the
   * system's time was set back, the last read lies in the future, and its distance counts.
   */
  private ageMs(id: string): number {
    const now = this.options.now();
    const times = [this.roundTimes.get(id), this.options.lastRead(id)];
    const ages = times.map((time) => (time === undefined ? Infinity : Math.abs(now - time)));
    return Math.min(...ages);
  }

  /**
   * Adds the time since the last call to `durationMs`, unless it was a pause, which puts no load on
   * the platform.
   */
  private measure(): void {
    const now = this.options.elapsed();
    if (!this.situation.isPaused) this.durationMs += now - this.measuredAt;
    this.measuredAt = now;
  }

  private startRound(ids: readonly string[]): Promise<void> {
    const { now, run } = this.options;
    this.isResuming = false;
    this.measure();
    this.durationMs = 0;
    const startedAt = now();
    for (const id of ids) {
      this.roundTimes.set(id, startedAt);
      this.added.delete(id);
    }
    return this.start(
      (signal) => run(ids, signal),
      (signal) => this.roundEnded(ids, signal),
    );
  }

  private roundEnded(ids: readonly string[], { aborted }: AbortSignal): void {
    this.measure();
    const restMs = Math.min(restFactor * this.durationMs, maxRestMs);
    this.restUntil = Math.max(this.restUntil, this.options.elapsed() + restMs);
    // What an aborted round left unread is still due; the others have the time of their read.
    if (aborted) for (const id of ids) this.roundTimes.delete(id);
  }

  /** `end` is called at the end of the work, unless `restart` was called meanwhile. */
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
      if (this.running === controller) {
        end?.(signal);
        this.running = undefined;
        this.plan();
      }
    }
  }
}

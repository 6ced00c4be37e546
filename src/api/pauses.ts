import { orAborted } from './abort.js';

const maxPauseMs = 10 * 60_000;
const firstPauseMs = 5_000;
const minPauseMs = 1_000;
/** Keeps windows from asking again at the same moment. */
const jitterMs = 250;
/** Timers stand still while the machine sleeps, so a long pause is many short ones. */
const maxSleepMs = 60_000;

interface Pause {
  until: number;
  strikes: number;
  over: Promise<void>;
}

export interface PauseOptions {
  readonly now: () => number;
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onDidChange: () => void;
}

export class Pauses {
  private readonly pauses = new Map<string, Pause>();

  constructor(private readonly options: PauseOptions) {}

  until(organizationId: string): number | undefined {
    return this.left(organizationId) > 0 ? this.pauses.get(organizationId)?.until : undefined;
  }

  /** Ms. The wall clock, because the other one stands still while the machine sleeps. It may have been set back: then none are left. */
  left(organizationId: string): number {
    const left = (this.pauses.get(organizationId)?.until ?? 0) - this.options.now();
    return left > maxPauseMs ? 0 : Math.max(0, left);
  }

  async over(organizationId: string, signal: AbortSignal): Promise<void> {
    await orAborted(this.pauses.get(organizationId)?.over ?? Promise.resolve(), signal);
  }

  /** After a 429. `asked`: ms, from `Retry-After`. */
  extend(organizationId: string, asked: number | undefined): void {
    const { now, random, onDidChange } = this.options;
    const pause = this.pauses.get(organizationId) ?? { until: 0, strikes: 0, over: Promise.resolve() };
    this.pauses.set(organizationId, pause);
    const left = this.left(organizationId);
    // Requests sent at the same time get one 429 each, which is one strike.
    if (left === 0) pause.strikes++;
    const wait = asked ?? firstPauseMs * 2 ** Math.min(pause.strikes - 1, 10);
    const jittered = Math.min(maxPauseMs, Math.ceil(Math.max(minPauseMs, wait) + random() * jitterMs));
    if (jittered > left) pause.until = now() + jittered;
    if (left === 0) pause.over = this.waitForEnd(organizationId).catch(() => undefined);
    onDidChange();
  }

  /** After any other answer: the next 429 is a first one again. */
  clear(organizationId: string): void {
    if (this.left(organizationId) === 0) this.pauses.delete(organizationId);
  }

  private async waitForEnd(organizationId: string): Promise<void> {
    for (let left; (left = this.left(organizationId)) > 0; ) {
      await this.options.sleep(Math.min(left + 1, maxSleepMs));
    }
    this.options.onDidChange();
  }
}

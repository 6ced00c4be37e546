import { orAborted } from './abort.js';

/** No answer holds an organization longer than this. */
const maxPauseMs = 10 * 60_000;
/** What a 429 means that does not say how long; each further one doubles it. */
const firstPauseMs = 5_000;
const minPauseMs = 1_000;
const jitterMs = 250;
/** Timers stand still while the machine sleeps, so the clocks are read at least this often. */
const maxSleepMs = 60_000;

/** `until`: epoch ms; `end`: the same moment of `performance.now()`; `strikes`: 429s in a row; `over`: resolves at the end. */
interface Pause {
  until: number;
  end: number;
  strikes: number;
  over: Promise<void>;
}

export interface PauseOptions {
  /** Epoch ms. */
  readonly now: () => number;
  /** Ms since any moment, of a clock that is never set. */
  readonly elapsed: () => number;
  readonly random: () => number;
  /** Resolves after so many ms, and rejects when nothing waits for pauses any more. */
  readonly sleep: (ms: number) => Promise<void>;
  /** A 429 has come in, or a pause is over. */
  readonly onDidChange: () => void;
}

/** Which organizations a 429 holds, and until when. */
export class Pauses {
  private readonly pauses = new Map<string, Pause>();

  constructor(private readonly options: PauseOptions) {}

  /** Epoch ms, if the organization is paused now. */
  until(organizationId: string): number | undefined {
    return this.left(organizationId) > 0 ? this.pauses.get(organizationId)?.until : undefined;
  }

  /**
   * Ms. A pause is over when either clock says so: the wall clock may have been set back, and the other one stands still while the
   * machine sleeps.
   */
  left(organizationId: string): number {
    const pause = this.pauses.get(organizationId);
    const { now, elapsed } = this.options;
    return pause ? Math.max(0, Math.min(pause.end - elapsed(), pause.until - now())) : 0;
  }

  /** Resolves when the organization's pause is over. Rejects with the signal's reason. */
  async over(organizationId: string, signal: AbortSignal): Promise<void> {
    await orAborted(this.pauses.get(organizationId)?.over ?? Promise.resolve(), signal);
  }

  /** Takes in a 429, and gives the end of the pause, epoch ms. `asked`: ms, from `Retry-After`. */
  extend(organizationId: string, asked: number | undefined): number {
    const { now, elapsed, random, onDidChange } = this.options;
    const pause = this.pauses.get(organizationId) ?? { until: 0, end: 0, strikes: 0, over: Promise.resolve() };
    this.pauses.set(organizationId, pause);
    const left = this.left(organizationId);
    // Several requests under way at once get one 429 each: that is one strike.
    if (left === 0) pause.strikes++;
    const wait = asked ?? firstPauseMs * 2 ** Math.min(pause.strikes - 1, 10);
    // Jitter keeps windows from asking again all at the same moment.
    const jittered = Math.min(maxPauseMs, Math.ceil(Math.max(minPauseMs, wait) + random() * jitterMs));
    if (jittered > left) {
      pause.until = now() + jittered;
      pause.end = elapsed() + jittered;
    }
    // Rejected only when the sender is closed, which ends whatever waits.
    if (left === 0) pause.over = this.waitForEnd(organizationId).catch(() => undefined);
    onDidChange();
    return pause.until;
  }

  /** Takes in any other answer: the next 429 is a first one again. */
  clear(organizationId: string): void {
    if (this.left(organizationId) === 0) this.pauses.delete(organizationId);
  }

  /** A timer may be early, and the pause may have become longer meanwhile. */
  private async waitForEnd(organizationId: string): Promise<void> {
    for (let left; (left = this.left(organizationId)) > 0; ) {
      await this.options.sleep(Math.min(left + 1, maxSleepMs));
    }
    this.options.onDidChange();
  }
}

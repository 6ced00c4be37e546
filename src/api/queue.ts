import type { Call, Phase } from './call.js';
import { type SetTimer, type Timer, whenOver } from './timers.js';

export type Release = () => void;

export interface QueueOptions {
  readonly max: () => number;
  /** For urgent ones, on top of `max()`. */
  readonly extraSlots: number;
  /** Epoch ms. */
  readonly now: () => number;
  /** Ms, by a clock that is never set. */
  readonly elapsed: () => number;
  readonly setTimer?: SetTimer | undefined;
  readonly onPause: () => void;
}

/** A request that waits for a slot. */
interface Waiting extends Pick<Call, 'onPhase'> {
  readonly start: () => void;
  readonly giveUp: (reason: unknown) => void;
  /** Whether it has left the queue, with a slot or without. */
  hasLeft: boolean;
}

const maxPauseMs = 10 * 60_000;
const firstPauseMs = 5_000;
const minPauseMs = 1_000;

/**
 * Requests that share a few slots. Those in the background run in `max()` slots, first come, first served.
 * Urgent ones go ahead of them and may have slots on top; the newest goes first, so that a look-up does not
 * wait behind thousands of selected rows. A 429 pauses all.
 */
export class Queue {
  private readonly running = { urgent: 0, background: 0 };
  private readonly background = new Set<Waiting>();
  /** The newest is the last one. Below it there may be some that have left. */
  private readonly urgent: Waiting[] = [];
  /** Epoch ms of the end of the last pause. */
  private until = 0;
  /** The same end, by `elapsed`. */
  private endsAt = 0;
  /** The end that waiting requests last heard of, by `elapsed`. */
  private shownEndsAt = 0;
  private pauseTimer: Timer | undefined;
  /** How many pauses there were without a good answer in between. */
  private strikes = 0;

  constructor(private readonly options: QueueOptions) {}

  get pausedUntil(): number | undefined {
    return this.pauseLeft > 0 ? this.until : undefined;
  }

  /** Ms. By both clocks, because the wall clock may be set back, and the other one stands still while the machine sleeps. */
  get pauseLeft(): number {
    const { now, elapsed } = this.options;
    return Math.max(0, Math.min(this.until - now(), this.endsAt - elapsed()));
  }

  /** Resolves when there is a slot, with what frees it. Rejects with the reason of `signal`. */
  async enter({ urgent, signal, onPhase }: Call): Promise<Release> {
    signal.throwIfAborted();
    const kind = urgent ? 'urgent' : 'background';
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.hasLeft = true;
        this.background.delete(waiting);
        signal.removeEventListener('abort', abort);
      };
      const start = (): void => {
        leave();
        this.running[kind]++;
        resolve(() => {
          this.running[kind]--;
          this.update();
        });
      };
      const giveUp = (reason: unknown): void => {
        leave();
        reject(reason);
      };
      const abort = (): void => giveUp(signal.reason);
      const waiting: Waiting = { start, giveUp, onPhase, hasLeft: false };
      signal.addEventListener('abort', abort);
      if (urgent) this.urgent.push(waiting);
      else this.background.add(waiting);
      // This listener may abort the request.
      onPhase?.(this.phase);
      this.update();
    });
  }

  /** Whatever waits rejects with this reason. */
  close(reason: unknown): void {
    this.pauseTimer?.dispose();
    for (const waiting of this.waiting) waiting.giveUp(reason);
  }

  private get waiting(): readonly Waiting[] {
    return [...this.urgent.filter(({ hasLeft }) => !hasLeft), ...this.background];
  }

  private update(): void {
    if (this.pauseLeft > 0) return;
    const { running } = this;
    const { extraSlots } = this.options;
    const max = this.options.max();
    const isFull = (): boolean => running.urgent + running.background >= max + extraSlots;
    while (!isFull()) {
      const newest = this.newestUrgent();
      if (newest === undefined) break;
      newest.start();
    }
    for (const { start } of this.background) {
      if (isFull() || running.background >= max) break;
      start();
    }
  }

  private newestUrgent(): Waiting | undefined {
    while (this.urgent.at(-1)?.hasLeft === true) this.urgent.pop();
    return this.urgent.at(-1);
  }

  /** After a 429. `asked`: ms, from `Retry-After`. */
  pause(asked: number | undefined): void {
    const left = this.pauseLeft;
    // Requests sent at the same time get one 429 each, which is one strike.
    if (left === 0) this.strikes++;
    const wait = Math.max(minPauseMs, asked ?? firstPauseMs * 2 ** (this.strikes - 1));
    const length = Math.max(left, Math.min(maxPauseMs, wait));
    this.until = this.options.now() + length;
    this.endsAt = this.options.elapsed() + length;
    // Thousands may wait, and each of many 429s at the same time moves the end by a few milliseconds.
    if (left === 0 || this.endsAt - this.shownEndsAt >= minPauseMs) this.showPause();
    if (left > 0) return;
    this.pauseTimer = whenOver(
      () => this.pauseLeft,
      () => this.endPause(),
      this.options.setTimer,
    );
  }

  /** After any other answer: the next 429 is a first one again. */
  forgetStrikes(): void {
    if (this.pauseLeft === 0) this.strikes = 0;
  }

  private endPause(): void {
    this.showPause();
    this.update();
  }

  private showPause(): void {
    this.shownEndsAt = this.endsAt;
    this.options.onPause();
    for (const { onPhase } of this.waiting) onPhase?.(this.phase);
  }

  private get phase(): Phase {
    const until = this.pausedUntil;
    return until === undefined ? { kind: 'waiting' } : { kind: 'paused', until };
  }
}

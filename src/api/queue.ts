import type { Call, Phase } from './call.js';
import { type SetTimer, type Timer, whenOver } from './timers.js';

/** Frees the slot of a request. To be called once. */
export type Release = () => void;

export interface QueueOptions {
  /** How many background requests may run at a time. Asked whenever a slot may be free. */
  readonly max: () => number;
  /** How many more may run if they are urgent. */
  readonly extraSlots: number;
  /** Epoch ms. */
  readonly now: () => number;
  /** Ms by a clock that runs evenly when the system's time is set. */
  readonly elapsed: () => number;
  readonly setTimer?: SetTimer | undefined;
  /** Called when a pause begins, ends, or becomes at least a second longer. */
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
/** Of the first pause that no `Retry-After` gives a length. Each further pause is twice as long. */
const firstPauseMs = 5_000;
const minPauseMs = 1_000;

/**
 * A queue of requests that share a few slots; each organization has one, and the editor's `fetch`
 * has one for all organizations. Background requests run in `max()` slots, first come, first
 * served. Urgent requests go ahead of them and may have extra slots. Among urgent requests the
 * newest goes first, so that a look-up does not wait behind thousands of selected rows. After a 429
 * the sender pauses all requests of its organization.
 */
export class Queue {
  /** How many requests have a slot. */
  private readonly running = { urgent: 0, background: 0 };
  /** In the order in which they came. */
  private readonly waitingBackground = new Set<Waiting>();
  /** The newest comes last. Requests that have left may still be among them. */
  private readonly waitingUrgent: Waiting[] = [];
  /** When the last pause ends or ended, in epoch ms. */
  private pauseEndsAt = 0;
  /** The same moment by `elapsed`. */
  private pauseEndsElapsed = 0;
  /** The value of `pauseEndsElapsed` that waiting requests were last notified of. */
  private notifiedEndElapsed = 0;
  private pauseTimer: Timer | undefined;
  /** How many pauses there were since `resetBackoff` last had an effect. */
  private pauseCount = 0;

  constructor(private readonly options: QueueOptions) {}

  /** Epoch ms when the pause ends; `undefined` if there is none. */
  get pausedUntil(): number | undefined {
    return this.pauseRemainingMs > 0 ? this.pauseEndsAt : undefined;
  }

  /**
   * Ms until the pause ends; 0 if there is none. The clock that comes first counts: the system's
   * time may be set back, and `elapsed` stands still while the machine sleeps.
   */
  get pauseRemainingMs(): number {
    const { now, elapsed } = this.options;
    const byTime = this.pauseEndsAt - now();
    const byElapsed = this.pauseEndsElapsed - elapsed();
    return Math.max(0, Math.min(byTime, byElapsed));
  }

  /**
   * Resolves with the release when the request gets a slot. Rejects with the reason of `signal` or
   * of `close`.
   */
  async enter({ urgent, signal, onPhase }: Call): Promise<Release> {
    signal.throwIfAborted();
    const kind = urgent ? 'urgent' : 'background';
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.hasLeft = true;
        this.waitingBackground.delete(waiting);
        signal.removeEventListener('abort', abort);
      };
      const release = (): void => {
        this.running[kind] -= 1;
        this.fillSlots();
      };
      const start = (): void => {
        leave();
        this.running[kind] += 1;
        resolve(release);
      };
      const giveUp = (reason: unknown): void => {
        leave();
        reject(reason);
      };
      const abort = (): void => giveUp(signal.reason);
      const waiting: Waiting = { start, giveUp, onPhase, hasLeft: false };

      signal.addEventListener('abort', abort);
      if (urgent) this.waitingUrgent.push(waiting);
      else this.waitingBackground.add(waiting);
      // This listener may abort the request.
      onPhase?.(this.phase);
      this.fillSlots();
    });
  }

  /** Rejects all waiting requests with this reason. Running requests keep their slots. */
  close(reason: unknown): void {
    this.pauseTimer?.dispose();
    for (const waiting of this.allWaiting) waiting.giveUp(reason);
  }

  private get allWaiting(): readonly Waiting[] {
    const urgent = this.waitingUrgent.filter(({ hasLeft }) => !hasLeft);
    return [...urgent, ...this.waitingBackground];
  }

  /** Starts waiting requests, the urgent ones first, unless there is a pause. */
  private fillSlots(): void {
    if (this.pauseRemainingMs > 0) return;
    const { running } = this;
    const { extraSlots } = this.options;
    const max = this.options.max();
    const isFull = (): boolean => running.urgent + running.background >= max + extraSlots;

    while (!isFull()) {
      const newest = this.newestUrgent();
      if (newest === undefined) break;
      newest.start();
    }
    for (const { start } of this.waitingBackground) {
      if (isFull() || running.background >= max) break;
      start();
    }
  }

  private newestUrgent(): Waiting | undefined {
    while (this.waitingUrgent.at(-1)?.hasLeft === true) this.waitingUrgent.pop();
    return this.waitingUrgent.at(-1);
  }

  /**
   * Pauses all waiting requests after a 429. `requestedMs`: from `Retry-After`; without it, each
   * further pause is twice as long. From each 429 on, a pause lasts at least a second and at most
   * ten minutes, and a later 429 never shortens it.
   */
  pause(requestedMs: number | undefined): void {
    const remainingMs = this.pauseRemainingMs;
    const isNewPause = remainingMs === 0;
    // Requests that were sent at the same time get one 429 each, all of the same pause.
    if (isNewPause) this.pauseCount += 1;
    const wantedMs = requestedMs ?? firstPauseMs * 2 ** (this.pauseCount - 1);
    const boundedMs = Math.min(maxPauseMs, Math.max(minPauseMs, wantedMs));
    const lengthMs = Math.max(remainingMs, boundedMs);
    this.pauseEndsAt = this.options.now() + lengthMs;
    this.pauseEndsElapsed = this.options.elapsed() + lengthMs;

    // Thousands may wait, and each of many 429s at the same time moves the end by a few
    // milliseconds.
    const hasMoved = this.pauseEndsElapsed - this.notifiedEndElapsed >= minPauseMs;
    if (isNewPause || hasMoved) this.notifyOfPause();
    // The timer of a running pause follows its new end.
    if (!isNewPause) return;
    this.pauseTimer = whenOver(
      () => this.pauseRemainingMs,
      () => this.endPause(),
      this.options.setTimer,
    );
  }

  /**
   * After an answer other than 429: the next pause is as short as a first one. Has no effect during
   * a pause.
   */
  resetBackoff(): void {
    if (this.pauseRemainingMs === 0) this.pauseCount = 0;
  }

  private endPause(): void {
    this.notifyOfPause();
    this.fillSlots();
  }

  private notifyOfPause(): void {
    this.notifiedEndElapsed = this.pauseEndsElapsed;
    this.options.onPause();
    for (const { onPhase } of this.allWaiting) onPhase?.(this.phase);
  }

  /** The phase of a waiting request. */
  private get phase(): Phase {
    const until = this.pausedUntil;
    return until === undefined ? { kind: 'waiting' } : { kind: 'paused', until };
  }
}

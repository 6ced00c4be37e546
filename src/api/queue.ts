import type { Call, Phase } from './call.js';

export type Release = () => void;

export interface QueueOptions {
  readonly max: () => number;
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly onPause: () => void;
}

interface Waiting extends Pick<Call, 'onPhase'> {
  readonly start: () => void;
}

const extraSlots = 2;

const maxPauseMs = 10 * 60_000;
const firstPauseMs = 5_000;
const minPauseMs = 1_000;
/** Timers stand still while the machine sleeps, so a long pause is many short ones. */
const maxSleepMs = 60_000;

/** Of one organization's requests: background ones run in `max()` slots. Urgent ones go first, and have two more. A 429 pauses all. */
export class Queue {
  private readonly running = { urgent: 0, background: 0 };
  private readonly waiting = { urgent: new Set<Waiting>(), background: new Set<Waiting>() };
  private until = 0;
  private strikes = 0;

  constructor(private readonly options: QueueOptions) {}

  get pausedUntil(): number | undefined {
    return this.pauseLeft > 0 ? this.until : undefined;
  }

  /** Ms. The wall clock, because the other one stands still while the machine sleeps. It may have been set back: then none are left. */
  get pauseLeft(): number {
    const left = this.until - this.options.now();
    return left > maxPauseMs ? 0 : Math.max(0, left);
  }

  async enter({ urgent, signal, onPhase }: Call): Promise<Release> {
    signal.throwIfAborted();
    const kind = urgent ? 'urgent' : 'background';
    onPhase?.(this.phase);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting[kind].delete(waiting);
        signal.removeEventListener('abort', giveUp);
      };
      const giveUp = (): void => {
        leave();
        reject(signal.reason);
      };
      const start = (): void => {
        leave();
        this.running[kind]++;
        resolve(() => {
          this.running[kind]--;
          this.update();
        });
      };
      const waiting = { start, onPhase };
      signal.addEventListener('abort', giveUp);
      this.waiting[kind].add(waiting);
      this.update();
    });
  }

  private update(): void {
    if (this.pauseLeft > 0) return;
    const { running, waiting } = this;
    const max = this.options.max();
    const isFull = (): boolean => running.urgent + running.background >= max + extraSlots;
    for (const { start } of waiting.urgent) {
      if (isFull()) break;
      start();
    }
    for (const { start } of waiting.background) {
      if (isFull() || running.background >= max) break;
      start();
    }
  }

  /** After a 429. `asked`: ms, from `Retry-After`. */
  pause(asked: number | undefined): void {
    const left = this.pauseLeft;
    // Requests sent at the same time get one 429 each, which is one strike.
    if (left === 0) this.strikes++;
    const wait = Math.max(minPauseMs, asked ?? firstPauseMs * 2 ** (this.strikes - 1));
    this.until = this.options.now() + Math.max(left, Math.min(maxPauseMs, wait));
    this.showPause();
    if (left === 0) void this.endPause().catch(() => undefined);
  }

  /** After any other answer: the next 429 is a first one again. */
  forgetStrikes(): void {
    if (this.pauseLeft === 0) this.strikes = 0;
  }

  private async endPause(): Promise<void> {
    for (let left; (left = this.pauseLeft) > 0; ) await this.options.sleep(Math.min(left + 1, maxSleepMs));
    this.showPause();
    this.update();
  }

  private showPause(): void {
    this.options.onPause();
    for (const { onPhase } of [...this.waiting.urgent, ...this.waiting.background]) onPhase?.(this.phase);
  }

  private get phase(): Phase {
    const until = this.pausedUntil;
    return until === undefined ? { kind: 'waiting' } : { kind: 'paused', until };
  }
}

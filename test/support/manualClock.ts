import type { SetTimer } from '../../src/api/timers.js';

const longestWait = 2 ** 31 - 1;

export class ManualClock {
  private timers: { at: number; callback: () => void }[] = [];
  set = 0;

  private setBackBy = 0;

  constructor(private time = 1_000_000) {}

  readonly now = (): number => this.time;

  /** Stands still while the machine sleeps. */
  readonly elapsed = (): number => this.time + this.setBackBy;

  readonly setTimer: SetTimer = (callback, milliseconds) => {
    this.set += 1;
    if (milliseconds > longestWait) throw new Error('Node would call back at once');
    const timer = { at: this.time + milliseconds, callback };
    this.timers.push(timer);
    const dispose = (): void => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
    return { dispose };
  };

  get waiting(): number {
    return this.timers.length;
  }

  /** As when the system's time is corrected; what waits keeps waiting as long. */
  setBack(milliseconds: number): void {
    this.time -= milliseconds;
    this.setBackBy += milliseconds;
    for (const timer of this.timers) timer.at -= milliseconds;
  }

  /** The machine sleeps: the time goes on, and what waits keeps waiting as long as before. */
  sleep(milliseconds: number): void {
    this.setBack(-milliseconds);
  }

  pass(milliseconds: number): void {
    const end = this.time + milliseconds;
    const due = () => this.timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
    for (let next = due(); next; next = due()) {
      this.timers.splice(this.timers.indexOf(next), 1);
      this.time = Math.max(this.time, next.at);
      next.callback();
    }
    this.time = end;
  }
}

export async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

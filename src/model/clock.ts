import { type SetTimer, setTimer } from './timer.js';

/** Time and timers, so that a test can let an hour pass. */
export interface Clock {
  readonly now: () => number;
  readonly setTimer: SetTimer;
}

export const systemClock: Clock = { now: Date.now, setTimer };

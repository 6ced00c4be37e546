export interface Timer {
  /** Stops the timer, if it has not called back yet. */
  dispose(): void;
}

/** Calls back once, after so many milliseconds. */
export type SetTimer = (callback: () => void, milliseconds: number) => Timer;

export const setTimer: SetTimer = (callback, milliseconds) => {
  const timer = setTimeout(callback, milliseconds);
  return { dispose: () => clearTimeout(timer) };
};

const maxTimerMs = 60_000;

/**
 * Calls back when no more milliseconds remain. Asks for the remaining ones at least once a minute,
 * because timers stand still while the machine sleeps, and because the system's time may be set.
 */
export function whenOver(
  remainingMs: () => number,
  callback: () => void,
  set: SetTimer = setTimer,
): Timer {
  let timer: Timer;
  const waitOrCallBack = (): void => {
    if (remainingMs() > 0) wait();
    else callback();
  };
  const wait = (): void => {
    const ms = Math.min(Math.max(remainingMs(), 0), maxTimerMs);
    timer = set(waitOrCallBack, ms);
  };
  wait();
  return { dispose: () => timer.dispose() };
}

export interface Timer {
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
 * Calls back when no more milliseconds are left. Asks at least once a minute, because timers stand still
 * while the machine sleeps, and because the system's clock may be set.
 */
export function whenOver(
  left: () => number,
  callback: () => void,
  set: SetTimer = setTimer,
): Timer {
  let timer: Timer;
  const wait = (): void => {
    timer = set(
      () => (left() > 0 ? wait() : callback()),
      Math.min(Math.max(left(), 0), maxTimerMs),
    );
  };
  wait();
  return { dispose: () => timer.dispose() };
}

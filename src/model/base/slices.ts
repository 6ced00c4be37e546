import { setImmediate } from 'node:timers/promises';

const maxSliceMs = 10;

/**
 * Cuts long work into slices of about 10 ms, between which the extension host answers VS Code and
 * runs other work. The work awaits `next()` between its steps.
 */
export class Slices {
  /**
   * When this slice began, by `performance.now()`. The work before the first call is no slice: the
   * first call waits.
   */
  private beganAt = -Infinity;

  /** Resolves at once, or after other work if this slice has lasted long enough. */
  async next(): Promise<void> {
    if (performance.now() - this.beganAt < maxSliceMs) return;
    await setImmediate();
    this.beganAt = performance.now();
  }
}

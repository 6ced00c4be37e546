import { setImmediate } from 'node:timers/promises';

const maxSliceMs = 10;

/** Cuts long work into slices, between which the extension host answers VS Code and runs other work. */
export class Slices {
  /** By `performance.now()`. What was done before the first slice counts as one that is over. */
  private beganAt = -Infinity;

  /** Resolves at once, or after other work if this slice has lasted long enough. */
  async next(): Promise<void> {
    if (performance.now() - this.beganAt < maxSliceMs) return;
    await setImmediate();
    this.beganAt = performance.now();
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadDeployment } from '../../src/model/store/reads.js';

const second = 1000;

/** Answers evenly over a second from now. */
export function spread(count: number, read: ReadDeployment): ReadDeployment {
  const start = performance.now();
  let asked = 0;
  return async (id, call) => {
    call.onPhase?.({ kind: 'sending' });
    const due = start + (asked++ / count) * second;
    await sleep(Math.max(0, due - performance.now()));
    return read(id, call);
  };
}

/** Of the busiest second. */
export function mostInASecond(times: readonly number[]): number {
  return Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + second).length));
}

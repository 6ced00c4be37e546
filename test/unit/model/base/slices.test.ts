import assert from 'node:assert/strict';
import { Slices } from '../../../../src/model/base/slices.js';

it('work in slices lets other work run again and again until it is done', async () => {
  const slices = new Slices();
  const otherRuns: number[] = [];
  const runOther = (): void => {
    otherRuns.push(performance.now());
    if (otherRuns.length < 5) setImmediate(runOther);
  };
  setImmediate(runOther);

  for (let steps = 0; otherRuns.length < 5 && steps < 10_000_000; steps++) await slices.next();

  assert.equal(otherRuns.length, 5);
});

import assert from 'node:assert/strict';
import { Slices } from '../../../../src/model/base/slices.js';

it('work in slices lets other work run again and again until it is done', async () => {
  const slices = new Slices();
  let otherRuns = 0;
  const runOther = (): void => {
    otherRuns += 1;
    if (otherRuns < 5) setImmediate(runOther);
  };
  setImmediate(runOther);

  for (let steps = 0; otherRuns < 5 && steps < 10_000_000; steps++) await slices.next();

  assert.equal(otherRuns, 5);
});

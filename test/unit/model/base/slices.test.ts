import assert from 'node:assert/strict';
import { Slices } from '../../../../src/model/base/slices.js';

it('work in slices lets other work run again and again until it is done', async () => {
  const slices = new Slices();
  const others: number[] = [];
  const other = (): void => {
    others.push(performance.now());
    if (others.length < 5) setImmediate(other);
  };
  setImmediate(other);
  for (let steps = 0; others.length < 5 && steps < 10_000_000; steps++) await slices.next();
  assert.equal(others.length, 5);
});

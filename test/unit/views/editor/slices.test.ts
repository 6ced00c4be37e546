import { strict as assert } from 'node:assert';
import { type Job, Slices } from '../../../../src/views/editor/slices.js';

function busy(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

function* steps(count: number, step: () => void): Job {
  for (let at = 0; at < count; at++) {
    step();
    yield;
  }
}

describe('work in slices', () => {
  it('lets others come in between', async () => {
    const slices = new Slices();
    let turns = 0;
    const others = setInterval(() => turns++, 1);
    slices.run(steps(30, () => busy(2)));
    await new Promise<void>((resolve) => slices.run(steps(1, resolve)));
    clearInterval(others);
    assert.ok(turns >= 5, `${turns} turns in 60 ms of work`);
  });

  it('ends with dispose', async () => {
    const slices = new Slices();
    let done = 0;
    slices.run(steps(1000, () => busy(1)));
    slices.run(steps(1, () => done++));
    slices.dispose();
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
    assert.equal(done, 0);
  });
});

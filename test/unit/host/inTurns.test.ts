import { strict as assert } from 'node:assert';
import { inTurns } from '../../../src/host/inTurns.js';

function* work(order: string[]): Generator<string, void, void> {
  for (const name of ['a', 'b', 'c']) {
    // Longer than a turn.
    const end = performance.now() + 7;
    while (performance.now() < end);
    order.push(name);
    yield name;
  }
}

describe('work in turns', () => {
  it('gives all values, with room for others in between', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('somebody else'));
    assert.deepEqual(await inTurns(work(order)), ['a', 'b', 'c']);
    assert.deepEqual(order, ['a', 'somebody else', 'b', 'c']);
  });

  it('gives nothing of nothing', async () => {
    assert.deepEqual(await inTurns([]), []);
  });
});

import { strict as assert } from 'node:assert';
import { collectInSlices } from '../../../src/model/slices.js';

function* failing() {
  yield 1;
  throw new Error('a mistake of ours');
}

describe('collectInSlices()', () => {
  it('lets others go on between slices of 5 ms, and gives all values in their order', async () => {
    let now = 0;
    const seen: string[] = [];
    function* values() {
      for (let value = 0; value < 4; value++) {
        now += 3;
        seen.push(`${value}`);
        yield value;
      }
    }
    setImmediate(() => seen.push('another'));
    assert.deepEqual(await collectInSlices(values(), () => now), [0, 1, 2, 3]);
    assert.deepEqual(seen, ['0', '1', 'another', '2', '3']);
  });

  it('throws what the work throws', async () => {
    await assert.rejects(collectInSlices(failing()), /a mistake of ours/);
  });
});

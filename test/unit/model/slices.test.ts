import { strict as assert } from 'node:assert';
import { Slices } from '../../../src/model/slices.js';
import { turn } from './manualClock.js';

describe('work in slices', () => {
  /** Ms; each piece of work takes 2. */
  let now: number;
  let done: string[];
  let slices: Slices;
  beforeEach(() => {
    now = 0;
    done = [];
    slices = new Slices(5, () => now);
  });
  afterEach(() => slices.dispose());

  const work = (name: string) => () => {
    now += 2;
    done.push(name);
    return name;
  };

  function* steps(...names: string[]): Generator<void, string, void> {
    for (const name of names) {
      work(name)();
      yield;
    }
    return names.join(' ');
  }

  /** Somebody else's turns of the event loop, noted as `other`. */
  async function others(count: number): Promise<void> {
    for (let had = 0; had < count; had++) {
      await turn();
      done.push('other');
    }
  }

  it('takes one job after the other, and lets others come in between', async () => {
    const first = slices.finish(steps('a1', 'a2', 'a3', 'a4'));
    assert.deepEqual(done, []);
    void others(1);
    assert.equal(await slices.finish(steps('b')), 'b');
    assert.equal(await first, 'a1 a2 a3 a4');
    assert.deepEqual(done, ['a1', 'a2', 'a3', 'other', 'a4', 'b']);
    // At least one piece a turn, however long each takes.
    slices = new Slices(1, () => now);
    done = [];
    const slow = slices.finish(steps('c1', 'c2'));
    void others(1);
    await slow;
    assert.deepEqual(done, ['c1', 'other', 'c2']);
  });

  it('answers at once while the turn has time left, then in the order of asking', async () => {
    assert.equal(slices.soon(work('1')), '1');
    const rest = ['2', '3', '4', '5'].map((name) => slices.soon(work(name)));
    assert.deepEqual(done, ['1', '2', '3']);
    assert.deepEqual(await Promise.all(rest.map((one) => Promise.resolve(one))), ['2', '3', '4', '5']);
    await turn();
    now += 100;
    assert.equal(slices.soon(work('6')), '6');
    const waiting = slices.finish(steps('7'));
    await Promise.all([slices.soon(work('8')), waiting]);
    assert.deepEqual(done.slice(-2), ['7', '8'], 'nobody who comes late goes before those that wait');
  });

  it('collects values, and says what went wrong with one', async () => {
    assert.deepEqual(await slices.collect(['1', '2']), ['1', '2']);
    const fails = slices.finish({ next: () => assert.fail('no value') });
    const next = slices.finish(steps('n'));
    await assert.rejects(fails, /no value/);
    assert.equal(await next, 'n');
  });

  it('does nothing more of what is under way after it is disposed of', async () => {
    void slices.finish(steps('a1', 'a2', 'a3', 'a4'));
    await turn();
    slices.dispose();
    await others(2);
    assert.deepEqual(done, ['a1', 'a2', 'a3', 'other', 'other']);
  });
});

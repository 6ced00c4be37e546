import { strict as assert } from 'node:assert';
import { type Job, Slices } from '../../../src/model/slices.js';

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

  function* steps(...names: string[]): Job {
    for (const name of names) {
      work(name)();
      yield;
    }
  }

  function* returning(result: string, ...names: string[]): Generator<void, string, void> {
    yield* steps(...names);
    return result;
  }

  /** Somebody else's turns of the event loop, noted as `other`. */
  function others(count: number): void {
    if (count === 0) return;
    setImmediate(() => {
      done.push('other');
      others(count - 1);
    });
  }

  it('takes one job after the other, and lets others come in between', async () => {
    void slices.finish(steps('a1', 'a2', 'a3', 'a4'));
    assert.deepEqual(done, []);
    others(2);
    await slices.finish(steps('b'));
    assert.deepEqual(done, ['a1', 'a2', 'a3', 'other', 'a4', 'b']);
  });

  it('does one piece a turn if each takes longer than a slice', async () => {
    slices = new Slices(1, () => now);
    const all = ['1', '2'].map((name) => slices.finish(steps(name)));
    others(1);
    await Promise.all(all);
    assert.deepEqual(done, ['1', 'other', '2']);
  });

  it('answers at once while the turn has time left, then in the order in which it was asked', async () => {
    assert.equal(slices.soon(work('1')), '1');
    const rest = ['2', '3', '4', '5'].map((name) => slices.soon(work(name)));
    assert.deepEqual(done, ['1', '2', '3']);
    assert.deepEqual(await Promise.all(rest.map(async (one) => one)), ['2', '3', '4', '5']);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(slices.soon(work('6')), '6');
  });

  it('gives nobody who comes late an answer before those that wait', async () => {
    const waiting = slices.finish(steps('1'));
    const late = slices.soon(work('2'));
    assert.ok(late instanceof Promise);
    await waiting;
    await late;
    assert.deepEqual(done, ['1', '2']);
  });

  it('gives what a long work returns, with room for others in between', async () => {
    const finished = slices.finish(returning('a', 'a1', 'a2', 'a3', 'a4'));
    others(1);
    assert.equal(await finished, 'a');
    assert.deepEqual(done, ['a1', 'a2', 'a3', 'other', 'a4']);
  });

  it('collects values, and says what went wrong with one', async () => {
    const values = function* (last: () => string) {
      yield work('1')();
      yield last();
    };
    assert.deepEqual(await slices.collect(values(work('2'))), ['1', '2']);
    assert.deepEqual(await slices.collect([]), []);
    const fails = slices.collect(
      values(() => {
        throw new Error('no value');
      }),
    );
    const next = slices.finish(returning('next', 'n'));
    await assert.rejects(fails, /no value/);
    assert.equal(await next, 'next');
  });

  it('does nothing more of what is under way after it is disposed of', async () => {
    void slices.finish(steps('a1', 'a2', 'a3', 'a4'));
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(done, ['a1', 'a2', 'a3']);
    slices.dispose();
    others(2);
    await new Promise((resolve) => {
      setImmediate(() => setImmediate(resolve));
    });
    assert.deepEqual(done, ['a1', 'a2', 'a3', 'other', 'other']);
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Failure } from '../../../src/api/failure.js';
import { Emitter } from '../../../src/model/base/emitter.js';
import { halfDay, minute } from '../../../src/model/base/time.js';
import { VerdictAge } from '../../../src/model/verdictAge.js';
import { bad, createWorld, good, type Outcome } from './store/world.js';

const notFound: Failure = { kind: 'notFound', status: 404 };
const slow: Failure = { kind: 'timedOut', after: 30_000 };

/** Epoch ms, in the time zone of this machine. */
const tomorrowAt = (hour: number) => (now: number) => new Date(now).setHours(24 + hour, 0, 0, 0);

/** A window in which these are listed, and not read yet. */
function openWindow(refreshInterval: number, ids = 'abc') {
  const world = createWorld(ids);
  const { clock, store } = world;
  const changed = new Emitter<void>();
  const settings = { refreshInterval, onDidChange: changed.event };
  const age = new VerdictAge(store, settings, clock);
  const start = clock.now();
  let told = 0;
  age.onDidChange(() => told++);
  return {
    ...world,
    age,
    told: () => told,
    /** Reads all that are listed. */
    readAll: async (outcomeOf: (id: string) => Outcome = () => good) => {
      const done = store.refresh();
      for (const { id } of store.deployments) await world.reply(id, outcomeOf(id));
      await done;
    },
    setInterval: (minutes: number) => {
      settings.refreshInterval = minutes;
      changed.fire();
    },
    passTo: (momentAfter: (now: number) => number) =>
      clock.pass(momentAfter(clock.now()) - clock.now()),
    /** Minutes after the beginning; `undefined`: the counts are those of now. */
    asOf: () => (age.asOf === undefined ? undefined : (age.asOf - start) / minute),
  };
}

describe('the age of the verdict', () => {
  for (const [interval, limit] of [
    [1, 6],
    [5, 10],
    [0, 5],
    [1440, 1445],
  ] as const) {
    it(`is said from ${limit} minutes on with an interval of ${interval} minutes`, async () => {
      const { clock, readAll, asOf, told } = openWindow(interval);
      await readAll();
      clock.pass(limit * minute - 1);
      assert.deepEqual([asOf(), told()], [undefined, 0]);
      clock.pass(1);
      assert.deepEqual([asOf(), told()], [0, 1]);
    });
  }

  it('is told once more after half a day, when a time of day could be that of another day', async () => {
    const { clock, readAll, passTo, told } = openWindow(5);
    passTo(tomorrowAt(6));
    await readAll();
    clock.pass(halfDay - 1);
    assert.equal(told(), 1);
    clock.pass(1);
    assert.equal(told(), 2);
  });

  it('is told once more at midnight, when what was read in the morning is of another day', async () => {
    const { clock, readAll, passTo, told } = openWindow(5);
    passTo(tomorrowAt(6));
    await readAll();
    passTo((now) => tomorrowAt(0)(now) - 1);
    assert.equal(told(), 2);
    clock.pass(1);
    assert.equal(told(), 3);
    clock.pass(2 * halfDay);
    assert.equal(told(), 3);
  });

  it('is not said while nothing was read', () => {
    const { clock, asOf, told } = openWindow(5);
    clock.pass(60 * minute);
    assert.deepEqual([asOf(), told()], [undefined, 0]);
  });

  it('goes with the next reading of all', async () => {
    const { clock, readAll, asOf } = openWindow(5);
    await readAll();
    clock.pass(11 * minute);
    await readAll();
    assert.equal(asOf(), undefined);
    clock.pass(10 * minute);
    assert.equal(asOf(), 11);
  });

  it('stays while all are being read again, and when that is cancelled', async () => {
    const { clock, store, readAll, reply, asOf } = openWindow(5);
    await readAll();
    clock.pass(11 * minute);
    const done = store.refresh();
    await reply('ab', good);
    assert.equal(asOf(), 0);
    store.cancelRefresh();
    await done;
    assert.equal(asOf(), 0);
  });

  it('stays when a single deployment is read', async () => {
    const { clock, read, readAll, asOf } = openWindow(5);
    await readAll();
    clock.pass(11 * minute);
    await read('a', bad);
    assert.equal(asOf(), 0);
  });

  it('does not come from a single deployment that can no longer be read', async () => {
    const { clock, readAll, asOf, store } = openWindow(5);
    await readAll();
    clock.pass(8 * minute);
    await readAll((id) => (id === 'a' ? notFound : good));
    clock.pass(9 * minute);
    assert.deepEqual([store.counts.unknown, asOf()], [1, undefined]);
    clock.pass(minute);
    assert.equal(asOf(), 8);
  });

  it('is that of the last tries where nothing can be read', async () => {
    const { clock, readAll, asOf } = openWindow(5);
    await readAll(() => notFound);
    clock.pass(10 * minute);
    assert.equal(asOf(), 0);
  });

  it('is that of its cause in an outage, from the beginning', async () => {
    const { clock, readAll, asOf, store } = openWindow(5);
    await readAll();
    clock.pass(minute);
    await readAll(() => slow);
    assert.deepEqual([store.cause?.kind, asOf()], ['failure', 0]);
  });

  it('is said at the next minute after the machine slept', async () => {
    const { clock, readAll, asOf, told } = openWindow(5);
    await readAll();
    clock.pass(2 * minute);
    clock.sleep(8 * 60 * minute);
    assert.equal(asOf(), 0);
    clock.pass(minute);
    assert.equal(told(), 1);
  });

  it('is said when the clock was set back, and nobody knows how old the reading is', async () => {
    const { clock, readAll, asOf } = openWindow(5);
    await readAll();
    clock.setBack(60 * minute);
    assert.equal(asOf(), 0);
  });

  it('follows another interval', async () => {
    const { clock, readAll, setInterval, asOf, told } = openWindow(5);
    await readAll();
    clock.pass(11 * minute);
    setInterval(30);
    assert.equal(asOf(), undefined);
    clock.pass(24 * minute);
    assert.deepEqual([asOf(), told()], [0, 2]);
    setInterval(60);
    setInterval(30);
    assert.equal(asOf(), 0);
  });

  it('leaves no timer behind when the window closes', async () => {
    const { clock, readAll, age } = openWindow(1440);
    await readAll();
    const before = clock.waiting;
    age.dispose();
    assert.equal(before - clock.waiting, 1);
  });

  it('is that of the oldest reading, whatever the order of the readings', async () => {
    const minutes = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(minutes, fc.integer({ min: 0, max: 30 }), async (waits, later) => {
        const { clock, read, asOf } = openWindow(5);
        const readAt: number[] = [];
        for (const [at, wait] of waits.entries()) {
          clock.pass(wait * minute);
          readAt.push(waits.slice(0, at + 1).reduce((sum, one) => sum + one, 0));
          await read('abc'[at]!, good);
        }
        clock.pass(later * minute);
        const [oldest = 0] = readAt;
        const age = readAt.at(-1)! + later - oldest;
        assert.equal(asOf(), age >= 10 ? oldest : undefined);
      }),
      { numRuns: 50 },
    );
  });
});

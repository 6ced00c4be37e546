import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Failure } from '../../../src/api/failure.js';
import { Emitter } from '../../../src/model/base/emitter.js';
import { halfDay, minute } from '../../../src/model/base/time.js';
import { MyGroups } from '../../../src/model/myGroups.js';
import { VerdictAge } from '../../../src/model/verdictAge.js';
import { MemoryState } from '../../support/memoryState.js';
import { bad, createWorld, good, type Outcome } from './store/world.js';

const notFound: Failure = { kind: 'notFound', status: 404 };
const slow: Failure = { kind: 'timedOut', after: 30_000 };

/** Epoch ms, in the time zone of this machine. */
const tomorrowAt = (hour: number) => (now: number) => new Date(now).setHours(24 + hour, 0, 0, 0);

/** Opens a window that lists the deployments with these IDs, and has read none of them. */
function openWindow(refreshInterval: number, listed: Parameters<typeof createWorld>[0] = 'abc') {
  const world = createWorld(listed);
  const { clock, store } = world;
  const changed = new Emitter<void>();
  const settings = { refreshInterval, onDidChange: changed.event };
  const myGroups = new MyGroups(store, new MemoryState());
  const age = new VerdictAge({ store, myGroups, settings }, clock);
  const start = clock.now();
  let events = 0;
  age.onDidChange(() => {
    events += 1;
  });
  return {
    ...world,
    age,
    myGroups,
    /** How many times the event has fired. */
    eventCount: () => events,
    /** Reads all listed deployments; without outcomes, all answers are good. */
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
    /** The time that is shown with the counts, in minutes after the beginning; `undefined` if none is shown. */
    minuteShown: () => (age.asOf === undefined ? undefined : (age.asOf - start) / minute),
  };
}

/** From how many minutes on counts are old, by the setting `refreshInterval`. */
const limits = [
  [1, 6],
  [5, 10],
  [0, 5],
  [1440, 1445],
] as const;

describe('the time of the counts', () => {
  for (const [interval, limit] of limits) {
    it(`is shown from ${limit} minutes on when refreshInterval is ${interval}`, async () => {
      const { clock, readAll, minuteShown } = openWindow(interval);
      await readAll();

      clock.pass(limit * minute - 1);
      assert.equal(minuteShown(), undefined);

      clock.pass(1);
      assert.equal(minuteShown(), 0);
    });
  }

  it('is not shown while nothing was read', () => {
    const { clock, minuteShown } = openWindow(5);
    clock.pass(60 * minute);
    assert.equal(minuteShown(), undefined);
  });

  it('is not shown any more when all deployments were read again', async () => {
    const { clock, readAll, minuteShown } = openWindow(5);
    await readAll();
    clock.pass(11 * minute);

    await readAll();

    assert.equal(minuteShown(), undefined);
  });

  it('is the time of the second refresh when that has become old', async () => {
    const { clock, readAll, minuteShown } = openWindow(5);
    await readAll();
    clock.pass(11 * minute);
    await readAll();
    clock.pass(10 * minute);
    assert.equal(minuteShown(), 11);
  });

  it('stays during a refresh', async () => {
    const { clock, store, readAll, reply, minuteShown } = openWindow(5);
    await readAll();
    clock.pass(11 * minute);

    void store.refresh();
    await reply('ab', good);

    assert.equal(minuteShown(), 0);
  });

  it('stays when a refresh is cancelled', async () => {
    const { clock, store, readAll, reply, minuteShown } = openWindow(5);
    await readAll();
    clock.pass(11 * minute);

    const done = store.refresh();
    await reply('ab', good);
    store.cancelRefresh();
    await done;

    assert.equal(minuteShown(), 0);
  });

  it('stays when only one deployment is read again', async () => {
    const { clock, read, readAll, minuteShown } = openWindow(5);
    await readAll();
    clock.pass(11 * minute);

    await read('a', bad);

    assert.equal(minuteShown(), 0);
  });

  it('is not the time of the last answer of a deployment that can no longer be read', async () => {
    const { clock, readAll, minuteShown, store } = openWindow(5);
    await readAll();
    clock.pass(8 * minute);
    await readAll((id) => (id === 'a' ? notFound : good));
    assert.equal(store.counts.unknown, 1);

    clock.pass(9 * minute);
    assert.equal(minuteShown(), undefined);

    clock.pass(minute);
    assert.equal(minuteShown(), 8);
  });

  it('is the time of the last tries when no deployment can be read', async () => {
    const { clock, readAll, minuteShown } = openWindow(5);
    await readAll(() => notFound);
    clock.pass(10 * minute);
    assert.equal(minuteShown(), 0);
  });

  it('is shown from the beginning of an outage', async () => {
    const { clock, readAll, minuteShown, store } = openWindow(5);
    await readAll();
    clock.pass(minute);

    await readAll(() => slow);

    assert.equal(store.cause?.kind, 'failure');
    assert.equal(minuteShown(), 0);
  });

  it('is shown after the machine has slept', async () => {
    const { clock, readAll, minuteShown } = openWindow(5);
    await readAll();
    clock.pass(2 * minute);
    clock.sleep(8 * 60 * minute);
    assert.equal(minuteShown(), 0);
  });

  it('is shown when the clock is set back, so that the age is unknown', async () => {
    const { clock, readAll, minuteShown } = openWindow(5);
    await readAll();
    clock.setBack(60 * minute);
    assert.equal(minuteShown(), 0);
  });

  it('is not shown any more when a longer interval is set', async () => {
    const { clock, readAll, setInterval, minuteShown } = openWindow(5);
    await readAll();
    clock.pass(11 * minute);

    setInterval(30);
    assert.equal(minuteShown(), undefined);

    clock.pass(24 * minute);
    assert.equal(minuteShown(), 0);
  });

  it('is shown again when a shorter interval is set', async () => {
    const { clock, readAll, setInterval, minuteShown } = openWindow(60);
    await readAll();
    clock.pass(35 * minute);
    assert.equal(minuteShown(), undefined);

    setInterval(30);

    assert.equal(minuteShown(), 0);
  });

  it('is the time of the oldest reading, whatever the order of the readings', async () => {
    const minutes = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 3, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(minutes, fc.integer({ min: 0, max: 30 }), async (waits, later) => {
        const { clock, read, minuteShown } = openWindow(5);
        const readAt: number[] = [];
        for (const [at, wait] of waits.entries()) {
          clock.pass(wait * minute);
          readAt.push(waits.slice(0, at + 1).reduce((sum, one) => sum + one, 0));
          await read('abc'[at]!, good);
        }
        clock.pass(later * minute);

        const [oldest = 0] = readAt;
        const age = readAt.at(-1)! + later - oldest;
        assert.equal(minuteShown(), age >= 10 ? oldest : undefined);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the event for old counts', () => {
  for (const [interval, limit] of limits) {
    it(`fires after ${limit} minutes when refreshInterval is ${interval}`, async () => {
      const { clock, readAll, eventCount } = openWindow(interval);
      await readAll();

      clock.pass(limit * minute - 1);
      assert.equal(eventCount(), 0);

      clock.pass(1);
      assert.equal(eventCount(), 1);
    });
  }

  it('fires after half a day, when a time of day could be of another day', async () => {
    const { clock, readAll, passTo, eventCount } = openWindow(5);
    passTo(tomorrowAt(6));
    await readAll();

    clock.pass(halfDay - 1);
    assert.equal(eventCount(), 1);

    clock.pass(1);
    assert.equal(eventCount(), 2);
  });

  it('fires at midnight, when the reading becomes one of another day', async () => {
    const { clock, readAll, passTo, eventCount } = openWindow(5);
    passTo(tomorrowAt(6));
    await readAll();

    passTo((now) => tomorrowAt(0)(now) - 1);
    assert.equal(eventCount(), 2);

    clock.pass(1);
    assert.equal(eventCount(), 3);
  });

  it('never fires after midnight', async () => {
    const { clock, readAll, passTo, eventCount } = openWindow(5);
    passTo(tomorrowAt(6));
    await readAll();
    passTo(tomorrowAt(0));
    const atMidnight = eventCount();

    clock.pass(2 * halfDay);

    assert.equal(eventCount(), atMidnight);
  });

  it('never fires while nothing was read', () => {
    const { clock, eventCount } = openWindow(5);
    clock.pass(60 * minute);
    assert.equal(eventCount(), 0);
  });

  it('fires within a minute after the machine has slept', async () => {
    const { clock, readAll, eventCount } = openWindow(5);
    await readAll();
    clock.pass(2 * minute);
    clock.sleep(8 * 60 * minute);
    clock.pass(minute);
    assert.equal(eventCount(), 1);
  });

  it('fires again when the counts become old by a longer interval', async () => {
    const { clock, readAll, setInterval, eventCount } = openWindow(5);
    await readAll();
    clock.pass(11 * minute);
    setInterval(30);
    assert.equal(eventCount(), 1);

    clock.pass(24 * minute);
    assert.equal(eventCount(), 2);
  });

  it('leaves no timer behind when the window has closed', async () => {
    const { clock, readAll, age } = openWindow(1440);
    await readAll();
    const timersBefore = clock.waiting;

    age.dispose();

    assert.equal(clock.waiting, timersBefore - 1);
  });
});

describe('the time of the counts while groups are chosen', () => {
  /** Opens a window in which payments is chosen, and was read ten minutes after the other group. */
  async function openWithChoice() {
    const window = openWindow(5, [
      { id: 'a', group: 'payments' },
      { id: 'b', group: 'orders' },
    ]);
    await window.read('b', good);
    window.clock.pass(10 * minute);
    await window.read('a', good);
    await window.myGroups.choose(['payments']);
    return window;
  }

  it('is not that of other groups', async () => {
    const { minuteShown } = await openWithChoice();
    assert.equal(minuteShown(), undefined);
  });

  it('is that of the chosen groups', async () => {
    const { clock, minuteShown } = await openWithChoice();
    clock.pass(10 * minute);
    assert.equal(minuteShown(), 10);
  });

  it('is that of all groups again when these are shown', async () => {
    const { myGroups, minuteShown } = await openWithChoice();
    myGroups.showAll();
    assert.equal(minuteShown(), 0);
  });

  it('fires its event when their counts become old', async () => {
    const { clock, eventCount } = await openWithChoice();
    const before = eventCount();
    clock.pass(10 * minute - 1);
    assert.equal(eventCount(), before);
    clock.pass(1);
    assert.equal(eventCount(), before + 1);
  });
});

import assert from 'node:assert/strict';
import { type RefreshSituation, Schedule } from '../../../src/model/schedule.js';
import { ManualClock, turn } from './manualClock.js';

const minute = 60_000;
const usual: RefreshSituation = {
  signedIn: true,
  intervalMinutes: 5,
  focused: true,
  viewVisible: false,
  statusBar: true,
  badge: true,
  listed: ['a', 'b', 'c'],
  mentioned: new Set(),
};

function create(duration = 0) {
  const clock = new ManualClock();
  const rounds: { ids: readonly string[]; at: number; signal: AbortSignal; resolve: () => void }[] = [];
  const read = new Map<string, number>();
  const started = clock.now();
  const schedule = new Schedule({
    now: clock.now,
    setTimer: clock.setTimer,
    lastRead: (id) => read.get(id),
    run: (ids, signal) =>
      new Promise((resolve) => {
        const end = (): void => {
          for (const id of ids) read.set(id, clock.now());
          resolve();
        };
        rounds.push({ ids, at: clock.now() - started, signal, resolve });
        if (duration > 0) clock.setTimer(end, duration);
        if (duration === 0) end();
      }),
  });
  return {
    clock,
    schedule,
    rounds,
    read,
    asked: () => rounds.map(({ ids, at }) => `${ids.join('')} ${at / minute}`),
    pass: async (minutes: number) => {
      await turn();
      for (let passed = 0; passed < minutes * 4; passed++) {
        clock.pass(minute / 4);
        await turn();
      }
    },
  };
}

describe('Schedule', () => {
  it('reads all once after start-up and then every interval', async () => {
    const { schedule, asked, pass } = create();
    schedule.update(usual);
    await pass(11);
    assert.deepEqual(asked(), ['abc 0', 'abc 5', 'abc 10']);
  });

  for (const [what, change] of [
    ['interval 0', { intervalMinutes: 0 }],
    ['no organization', { signedIn: false }],
    ['no focus', { focused: false }],
    ['an empty list', { listed: [] }],
    ['nothing that shows it', { statusBar: false, badge: false }],
  ] as const) {
    it(`reads nothing with ${what}`, async () => {
      const { schedule, asked, pass } = create();
      schedule.update({ ...usual, ...change });
      await pass(20);
      assert.deepEqual(asked(), []);
    });
  }

  it('reads only what documents mention while nothing shows the rest, and the rest when something does', async () => {
    const { schedule, asked, pass } = create();
    schedule.update({ ...usual, statusBar: false, badge: false, mentioned: new Set(['b', 'unlisted']) });
    await pass(6);
    schedule.update({ viewVisible: true });
    await pass(1);
    assert.deepEqual(asked(), ['b 0', 'b 5', 'ac 6']);
  });

  it('reads on regaining focus only what is older than the interval', async () => {
    const { schedule, asked, pass } = create();
    schedule.update(usual);
    await pass(1);
    schedule.update({ focused: false });
    await pass(2);
    schedule.update({ focused: true });
    await pass(1);
    schedule.update({ focused: false });
    await pass(9);
    schedule.update({ focused: true });
    await pass(1);
    assert.deepEqual(asked(), ['abc 0', 'abc 13']);
  });

  it('rests ten times as long as the last round took', async () => {
    const { schedule, asked, pass } = create(2 * minute);
    schedule.update(usual);
    await pass(25);
    assert.deepEqual(asked(), ['abc 0', 'abc 22']);
  });

  it('counts what a person has read', async () => {
    const { schedule, asked, pass, read, clock } = create();
    schedule.update(usual);
    await pass(3);
    for (const id of usual.listed) read.set(id, clock.now());
    await pass(6);
    assert.deepEqual(asked(), ['abc 0', 'abc 8']);
  });

  it('reads a new one at once and leaves the others in step', async () => {
    const { schedule, asked, pass } = create();
    schedule.update(usual);
    await pass(2);
    schedule.update({ listed: ['a', 'b', 'c', 'd'] });
    await pass(4);
    assert.deepEqual(asked(), ['abc 0', 'd 2', 'abcd 5']);
  });

  it('reads one at once that comes back to the list, where what was known of it has gone', async () => {
    const { schedule, asked, pass, read } = create();
    schedule.update(usual);
    await pass(2);
    schedule.update({ listed: ['a', 'b'] });
    read.delete('c');
    schedule.update({ listed: ['a', 'b', 'c'] });
    await pass(1);
    assert.deepEqual(asked(), ['abc 0', 'c 2']);
  });

  it('does not ask in a circle for what never comes', async () => {
    const { schedule, rounds, pass, clock } = create(-1);
    schedule.update(usual);
    rounds[0]?.signal.addEventListener('abort', () => assert.fail('nobody asked for that'));
    await pass(20);
    assert.equal(rounds.length, 1);
    clock.pass(0);
  });

  it('stops a round when focus is lost, and takes up the rest afterwards', async () => {
    const { schedule, rounds, asked, pass, read, clock } = create(-1);
    schedule.update(usual);
    await pass(0.25);
    schedule.update({ focused: false });
    assert.equal(rounds[0]?.signal.aborted, true);
    // What the store does when it is cancelled: it returns with the rest unread.
    rounds[0]?.resolve();
    read.set('a', clock.now());
    await turn();
    schedule.update({ focused: true });
    await pass(3);
    assert.deepEqual(asked(), ['abc 0', 'bc 2.75']);
  });

  it('reads each once with interval 0: all when the view is first seen, else what a document mentions', async () => {
    const { schedule, asked, pass, read } = create(minute);
    schedule.update({ ...usual, intervalMinutes: 0 });
    await pass(1);
    schedule.update({ mentioned: new Set(['b']) });
    await pass(2);
    schedule.update({ viewVisible: true });
    await pass(10);
    schedule.update({ viewVisible: false });
    schedule.update({ viewVisible: true });
    read.set('d', 0);
    schedule.update({ listed: ['a', 'b', 'c', 'd', 'e'] });
    await pass(60);
    assert.deepEqual(asked(), ['b 1', 'ac 3', 'e 13']);
  });

  it('goes on with the only round of interval 0 when the focus comes back, and not after an hour in the future', async () => {
    const { schedule, rounds, asked, pass, read, clock } = create(-1);
    schedule.update({ ...usual, intervalMinutes: 0, viewVisible: true });
    schedule.update({ focused: false });
    assert.equal(rounds[0]?.signal.aborted, true);
    read.set('a', clock.now());
    rounds[0]?.resolve();
    await turn();
    schedule.update({ focused: true });
    for (const id of 'bc') read.set(id, clock.now() + 60 * minute);
    rounds[1]?.resolve();
    await pass(10);
    assert.deepEqual(asked(), ['abc 0', 'bc 0']);
  });

  it('stops a round when automatic refresh is turned off, and reads on when it is turned on', async () => {
    const { schedule, rounds, asked, pass } = create(-1);
    schedule.update(usual);
    await pass(1);
    schedule.update({ intervalMinutes: 0 });
    assert.equal(rounds[0]?.signal.aborted, true);
    rounds[0]?.resolve();
    await pass(1);
    assert.deepEqual(asked(), ['abc 0']);
    schedule.update({ intervalMinutes: 5 });
    await pass(15);
    assert.deepEqual(asked(), ['abc 0', 'abc 11']);
  });

  it('starts over for another organization, even during a round', async () => {
    const { schedule, rounds, asked, pass, read } = create(-1);
    schedule.update(usual);
    await pass(1);
    read.clear();
    schedule.restart();
    assert.equal(rounds[0]?.signal.aborted, true);
    rounds[0]?.resolve();
    await turn();
    assert.deepEqual(asked(), ['abc 0', 'abc 1']);
  });

  it('rests for what a round took while the machine was awake, not for the sleep in it', async () => {
    const { schedule, rounds, pass, clock, read } = create(-1);
    schedule.update(usual);
    clock.pass(1000);
    clock.sleep(8 * 60 * minute);
    clock.pass(1000);
    for (const id of usual.listed) read.set(id, clock.now());
    rounds[0]?.resolve();
    await pass(6);
    assert.equal(rounds.length, 2);
  });

  it('reads within a minute after a sleep in which the interval passed, also without a focus that comes back', async () => {
    const { schedule, rounds, pass, clock } = create();
    schedule.update(usual);
    await pass(1);
    clock.sleep(60 * minute);
    await pass(1);
    assert.equal(rounds.length, 2);
  });

  for (const [what, back] of [
    ['an hour', 60 * minute],
    ['more than a timer can wait', 40 * 24 * 60 * minute],
  ] as const) {
    it(`goes on after the clock was set back by ${what}`, async () => {
      const { schedule, rounds, pass, clock } = create(minute);
      schedule.update(usual);
      await pass(2);
      clock.setBack(back);
      const timers = clock.set;
      await pass(25);
      // What was read in the future counts as never read; after that all is as it was.
      assert.deepEqual(
        rounds.map(({ ids }) => ids.join('')),
        ['abc', 'abc', 'abc'],
      );
      assert.ok(clock.set - timers < 100, `${clock.set - timers} timers in 25 minutes`);
    });
  }

  it('measures no round as shorter or longer when the clock is set back in it', async () => {
    const { schedule, rounds, pass, clock } = create(2 * minute);
    schedule.update(usual);
    await pass(1);
    clock.setBack(60 * minute);
    const before = clock.now();
    await pass(25);
    assert.deepEqual(
      rounds.slice(1).map(({ ids }) => ids.join('')),
      ['abc'],
      `${clock.now() - before}`,
    );
  });

  it('ends with dispose', async () => {
    const { schedule, asked, pass, clock } = create();
    schedule.update(usual);
    await pass(1);
    schedule.dispose();
    schedule.update({ listed: ['z'] });
    await pass(20);
    assert.deepEqual(asked(), ['abc 0']);
    assert.equal(clock.waiting, 0);
  });
});

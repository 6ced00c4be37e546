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

/** `duration`: ms of each round; without it a round ends when the test says so. */
function create(duration: number | undefined, change: Partial<RefreshSituation> = {}) {
  const clock = new ManualClock();
  const rounds: { ids: readonly string[]; at: number; signal: AbortSignal; end: (read?: string) => Promise<void> }[] =
    [];
  const read = new Map<string, number>();
  const started = clock.now();
  const schedule = new Schedule({
    now: clock.now,
    setTimer: clock.setTimer,
    lastRead: (id) => read.get(id),
    run: (ids, signal) =>
      new Promise((resolve) => {
        const end = async (arrived = ids.join('')): Promise<void> => {
          for (const id of arrived) read.set(id, clock.now());
          resolve();
          await turn();
        };
        rounds.push({ ids, at: clock.now() - started, signal, end });
        if (duration === 0) void end();
        else if (duration !== undefined) clock.setTimer(() => void end(), duration);
      }),
  });
  schedule.update({ ...usual, ...change });
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
  it('reads all once after start-up and then every interval, until it is disposed of', async () => {
    const { asked, pass, schedule, clock } = create(0);
    await pass(11);
    schedule.dispose();
    schedule.update({ listed: ['z'] });
    await pass(20);
    assert.deepEqual(asked(), ['abc 0', 'abc 5', 'abc 10']);
    assert.equal(clock.waiting, 0);
  });

  for (const [what, change] of [
    ['interval 0', { intervalMinutes: 0 }],
    ['no organization', { signedIn: false }],
    ['no focus', { focused: false }],
    ['an empty list', { listed: [] }],
    ['nothing that shows it', { statusBar: false, badge: false }],
  ] as const) {
    it(`reads nothing with ${what}`, async () => {
      const { asked, pass } = create(0, change);
      await pass(20);
      assert.deepEqual(asked(), []);
    });
  }

  it('reads only what documents mention while nothing shows the rest, and the rest when something does', async () => {
    const { schedule, asked, pass } = create(0, {
      statusBar: false,
      badge: false,
      mentioned: new Set(['b', 'unlisted']),
    });
    await pass(6);
    schedule.update({ viewVisible: true });
    await pass(1);
    assert.deepEqual(asked(), ['b 0', 'b 5', 'ac 6']);
  });

  it('reads on regaining focus only what is older than the interval', async () => {
    const { schedule, asked, pass } = create(0);
    for (const away of [2, 9]) {
      await pass(1);
      schedule.update({ focused: false });
      await pass(away);
      schedule.update({ focused: true });
    }
    await pass(1);
    assert.deepEqual(asked(), ['abc 0', 'abc 13']);
  });

  it('rests ten times as long as the last round took', async () => {
    const { asked, pass } = create(2 * minute);
    await pass(25);
    assert.deepEqual(asked(), ['abc 0', 'abc 22']);
  });

  it('counts what a person has read', async () => {
    const { asked, pass, read, clock } = create(0);
    await pass(3);
    for (const id of usual.listed) read.set(id, clock.now());
    await pass(6);
    assert.deepEqual(asked(), ['abc 0', 'abc 8']);
  });

  it('reads a new one at once and leaves the others in step', async () => {
    const { schedule, asked, pass } = create(0);
    await pass(2);
    schedule.update({ listed: ['a', 'b', 'c', 'd'] });
    await pass(4);
    assert.deepEqual(asked(), ['abc 0', 'd 2', 'abcd 5']);
  });

  it('reads one at once that comes back to the list, where what was known of it has gone', async () => {
    const { schedule, asked, pass, read } = create(0);
    await pass(2);
    schedule.update({ listed: ['a', 'b'] });
    read.delete('c');
    schedule.update({ listed: ['a', 'b', 'c'] });
    await pass(1);
    assert.deepEqual(asked(), ['abc 0', 'c 2']);
  });

  it('does not ask in a circle for what never comes', async () => {
    const { rounds, asked, pass } = create(undefined);
    await rounds[0]?.end('');
    await pass(20);
    assert.deepEqual(asked(), ['abc 0', 'abc 5']);
    assert.equal(rounds[1]?.signal.aborted, false);
  });

  it('stops a round when focus is lost, and takes up the rest afterwards', async () => {
    const { schedule, rounds, asked, pass } = create(undefined);
    await pass(0.25);
    schedule.update({ focused: false });
    assert.equal(rounds[0]?.signal.aborted, true);
    // What the store does when it is cancelled: it returns with the rest unread.
    await rounds[0]?.end('a');
    schedule.update({ focused: true });
    await pass(3);
    assert.deepEqual(asked(), ['abc 0', 'bc 2.75']);
  });

  it('reads each once with interval 0: all when the view is first seen, else what a document mentions', async () => {
    const { schedule, asked, pass, read } = create(minute, { intervalMinutes: 0 });
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
    const { schedule, rounds, asked, pass, read, clock } = create(undefined, { intervalMinutes: 0, viewVisible: true });
    schedule.update({ focused: false });
    assert.equal(rounds[0]?.signal.aborted, true);
    await rounds[0]?.end('a');
    schedule.update({ focused: true });
    for (const id of 'bc') read.set(id, clock.now() + 60 * minute);
    await rounds[1]?.end('');
    await pass(10);
    assert.deepEqual(asked(), ['abc 0', 'bc 0']);
  });

  it('stops a round when automatic refresh is turned off, and reads on when it is turned on', async () => {
    const { schedule, rounds, asked, pass } = create(undefined);
    await pass(1);
    schedule.update({ intervalMinutes: 0 });
    assert.equal(rounds[0]?.signal.aborted, true);
    await rounds[0]?.end('');
    await pass(1);
    assert.deepEqual(asked(), ['abc 0']);
    schedule.update({ intervalMinutes: 5 });
    await pass(15);
    assert.deepEqual(asked(), ['abc 0', 'abc 11']);
  });

  it('starts over for another organization, even during a round', async () => {
    const { schedule, rounds, asked, pass } = create(undefined);
    await pass(1);
    schedule.restart();
    assert.equal(rounds[0]?.signal.aborted, true);
    await rounds[0]?.end('');
    assert.deepEqual(asked(), ['abc 0', 'abc 1']);
    await pass(20);
    assert.equal(rounds.length, 2);
  });

  it('rests for what a round took while the machine was awake, not for the sleep in it', async () => {
    const { rounds, pass, clock } = create(undefined);
    clock.pass(1000);
    clock.sleep(8 * 60 * minute);
    clock.pass(1000);
    await rounds[0]?.end();
    await pass(6);
    assert.equal(rounds.length, 2);
  });

  it('reads within a minute after a sleep in which the interval passed, also without a focus that comes back', async () => {
    const { rounds, pass, clock } = create(0);
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
      const { rounds, pass, clock } = create(minute);
      await pass(2);
      clock.setBack(back);
      const timers = clock.set;
      await pass(25);
      // What was read in the future counts as never read; after that all is as it was.
      assert.equal(rounds.length, 3);
      assert.ok(clock.set - timers < 100, `${clock.set - timers} timers in 25 minutes`);
    });
  }

  it('measures no round as shorter or longer when the clock is set back in it', async () => {
    const { rounds, pass, clock } = create(2 * minute);
    await pass(1);
    clock.setBack(60 * minute);
    await pass(19);
    assert.equal(rounds.length, 1);
    await pass(6);
    assert.equal(rounds.length, 2);
  });
});

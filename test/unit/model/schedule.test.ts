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

type Step = number | Partial<RefreshSituation> | ((schedule: ReturnType<typeof create>) => void);

/** A number lets so many minutes pass, anything else happens. Rounds take no time. */
const scenarios: readonly [what: string, first: Partial<RefreshSituation>, steps: readonly Step[], asked: string[]][] =
  [
    ['reads all once after start-up and then every interval', {}, [11], ['abc 0', 'abc 5', 'abc 10']],
    ['reads nothing with interval 0', { intervalMinutes: 0 }, [20], []],
    ['reads nothing with no organization', { signedIn: false }, [20], []],
    ['reads nothing with no focus', { focused: false }, [20], []],
    ['reads nothing with an empty list', { listed: [] }, [20], []],
    ['reads nothing with nothing that shows it', { statusBar: false, badge: false }, [20], []],
    [
      'reads only what documents mention while nothing shows the rest, and the rest when something does',
      { statusBar: false, badge: false, mentioned: new Set(['b', 'unlisted']) },
      [6, { viewVisible: true }, 1],
      ['b 0', 'b 5', 'ac 6'],
    ],
    [
      'reads on regaining focus only what is older than the interval',
      {},
      [1, { focused: false }, 2, { focused: true }, 1, { focused: false }, 9, { focused: true }, 1],
      ['abc 0', 'abc 13'],
    ],
    [
      'reads a new one at once and leaves the others in step',
      {},
      [2, { listed: ['a', 'b', 'c', 'd'] }, 4],
      ['abc 0', 'd 2', 'abcd 5'],
    ],
    [
      'counts what a person has read',
      {},
      [3, ({ read, clock }) => usual.listed.map((id) => read.set(id, clock.now())), 6],
      ['abc 0', 'abc 8'],
    ],
    [
      'reads each once with interval 0: all when the view is first seen, else what a document mentions',
      { intervalMinutes: 0 },
      [
        1,
        { mentioned: new Set(['b']) },
        2,
        { viewVisible: true },
        10,
        { viewVisible: false },
        { viewVisible: true },
        ({ read }) => read.set('d', 0),
        { listed: ['a', 'b', 'c', 'd', 'e'] },
        60,
      ],
      ['b 1', 'ac 3', 'e 13'],
    ],
    [
      'reads within a minute after a sleep in which the interval passed, also without a focus that comes back',
      {},
      [1, ({ clock }) => clock.sleep(60 * minute), 1],
      ['abc 0', 'abc 62'],
    ],
    ['ends when it is disposed of', {}, [1, ({ schedule }) => schedule.dispose(), { listed: ['z'] }, 20], ['abc 0']],
  ];

describe('Schedule', () => {
  for (const [what, first, steps, expected] of scenarios) {
    it(what, async () => {
      const created = create(0, first);
      await created.pass(0);
      for (const step of steps) {
        if (typeof step === 'number') await created.pass(step);
        else if (typeof step === 'function') step(created);
        else created.schedule.update(step);
      }
      assert.deepEqual(created.asked(), expected);
    });
  }

  it('rests ten times as long as the last round took, and waits for nothing when it is disposed of', async () => {
    const { asked, pass, clock, schedule } = create(2 * minute);
    await pass(25);
    assert.deepEqual(asked(), ['abc 0', 'abc 22']);
    schedule.dispose();
    assert.equal(clock.waiting, 0);
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

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
const hidden = { statusBar: false, badge: false };
const manual = { intervalMinutes: 0 };

/** `duration`: ms of each round; without it a round ends when the test says so. */
function create(duration: number | undefined, change: Partial<RefreshSituation>) {
  const clock = new ManualClock();
  const rounds: { readonly told: () => string; readonly end: (read?: string) => Promise<void> }[] = [];
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
        const began = `${ids.join('')} ${(clock.now() - started) / minute}`;
        rounds.push({ told: () => began + (signal.aborted ? ' stopped' : ''), end });
        if (duration === 0) void end();
        else if (duration !== undefined) clock.setTimer(() => void end(), duration);
      }),
  });
  schedule.update({ ...usual, ...change });
  return { clock, schedule, read, rounds };
}

/** A number lets so many minutes pass, anything else happens. */
type Step = number | Partial<RefreshSituation> | ((world: ReturnType<typeof create>) => unknown);

async function play(world: ReturnType<typeof create>, ...steps: readonly Step[]): Promise<string> {
  for (const step of [0, ...steps]) {
    if (typeof step === 'function') await step(world);
    else if (typeof step === 'object') world.schedule.update(step);
    await turn();
    const minutes = typeof step === 'number' ? step : 0;
    for (let passed = 0; passed < minutes; passed += 0.25) {
      world.clock.pass(minute / 4);
      await turn();
    }
  }
  return world.rounds.map(({ told }) => told()).join(', ');
}

/** Ends a round in which only these were read. */
const end =
  (round: number, arrived = ''): Step =>
  ({ rounds }) =>
    rounds[round]?.end(arrived);

const atOnce: readonly [what: string, first: Partial<RefreshSituation>, steps: readonly Step[], asked: string][] = [
  ['reads all once after start-up and then every interval', {}, [11], 'abc 0, abc 5, abc 10'],
  ['reads nothing with interval 0', manual, [20], ''],
  ['reads nothing with no organization', { signedIn: false }, [20], ''],
  ['reads nothing with no focus', { focused: false }, [20], ''],
  ['reads nothing with an empty list', { listed: [] }, [20], ''],
  ['reads nothing with nothing that shows it', hidden, [20], ''],
  [
    'reads only what documents mention while nothing shows the rest, and the rest when something does',
    { ...hidden, mentioned: new Set(['b', 'unlisted']) },
    [6, { viewVisible: true }, 1],
    'b 0, b 5, ac 6',
  ],
  [
    'reads on regaining focus only what is older than the interval',
    {},
    [1, { focused: false }, 2, { focused: true }, 1, { focused: false }, 9, { focused: true }, 1],
    'abc 0, abc 13',
  ],
  [
    'reads a new one at once and leaves the others in step',
    {},
    [2, { listed: ['a', 'b', 'c', 'd'] }, 4],
    'abc 0, d 2, abcd 5',
  ],
  [
    'counts what a person has read',
    {},
    [3, ({ read, clock }) => usual.listed.map((id) => read.set(id, clock.now())), 6],
    'abc 0, abc 8',
  ],
  [
    'reads each once with interval 0: all when the view is first seen, else what a document mentions',
    manual,
    [1, { mentioned: new Set(['b']) }, 2, { viewVisible: true }, 10, { viewVisible: false }, { viewVisible: true }],
    'b 1, ac 3',
  ],
  [
    'reads one at once that comes back to the list, where what was known of it has gone',
    {},
    [2, { listed: ['a', 'b'] }, ({ read }) => read.delete('c'), { listed: ['a', 'b', 'c'] }, 1],
    'abc 0, c 2',
  ],
  [
    'reads within a minute after a sleep in which the interval passed, also without a focus that comes back',
    {},
    [1, ({ clock }) => clock.sleep(60 * minute), 1],
    'abc 0, abc 62',
  ],
  ['ends when it is disposed of', {}, [1, ({ schedule }) => schedule.dispose(), { listed: ['z'] }, 20], 'abc 0'],
];

const byHand: typeof atOnce = [
  ['does not ask in a circle for what never comes', {}, [end(0), 20], 'abc 0, abc 5'],
  [
    'stops a round when focus is lost, and takes up the rest afterwards',
    {},
    [0.25, { focused: false }, end(0, 'a'), { focused: true }, 3],
    'abc 0 stopped, bc 2.75',
  ],
  [
    'goes on with the only round of interval 0 when the focus comes back, and not after an hour in the future',
    { ...manual, viewVisible: true },
    [
      { focused: false },
      end(0, 'a'),
      { focused: true },
      ({ clock }) => clock.sleep(60 * minute),
      end(1, 'bc'),
      ({ clock }) => clock.setBack(60 * minute),
      10,
    ],
    'abc 0 stopped, bc 0',
  ],
  [
    'stops a round when automatic refresh is turned off, and reads on when it is turned on',
    {},
    [1, manual, end(0), 1, { intervalMinutes: 5 }, 15],
    'abc 0 stopped, abc 11',
  ],
  [
    'starts over for another organization, even during a round',
    {},
    [1, ({ schedule }) => schedule.restart(), end(0), 20],
    'abc 0 stopped, abc 1',
  ],
  [
    'rests for what a round took while the machine was awake, not for the sleep in it',
    {},
    [({ clock }) => clock.sleep(480 * minute), end(0, 'abc'), 6],
    'abc 0, abc 485',
  ],
];

describe('Schedule', () => {
  for (const [duration, scenarios] of [
    [0, atOnce],
    [undefined, byHand],
  ] as const) {
    for (const [what, first, steps, expected] of scenarios) {
      it(what, async () => assert.equal(await play(create(duration, first), ...steps), expected));
    }
  }

  it('rests ten times as long as the last round took, and waits for nothing when it is disposed of', async () => {
    const world = create(2 * minute, {});
    assert.equal(await play(world, 25), 'abc 0, abc 22');
    world.schedule.dispose();
    assert.equal(world.clock.waiting, 0);
  });

  for (const back of [60 * minute, 40 * 24 * 60 * minute]) {
    it(`goes on after the clock was set back by ${back / minute} minutes, at a usual pace`, async () => {
      const world = create(minute, {});
      await play(world, 2, ({ clock }) => clock.setBack(back));
      const timers = world.clock.set;
      await play(world, 25);
      // What was read in the future counts as never read; after that all is as it was.
      assert.equal(world.rounds.length, 3);
      assert.ok(world.clock.set - timers < 100, 'a timer that is too long fires at once');
    });
  }

  it('measures no round as shorter or longer when the clock is set back in it', async () => {
    const world = create(2 * minute, {});
    await play(world, 1, ({ clock }) => clock.setBack(60 * minute), 19);
    assert.equal(world.rounds.length, 1);
    await play(world, 6);
    assert.equal(world.rounds.length, 2);
  });
});

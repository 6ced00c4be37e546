import assert from 'node:assert/strict';
import type { Failure } from '../../../src/api/failure.js';
import { CircuitBreaker } from '../../../src/model/circuitBreaker.js';
import { type RefreshSituation, Schedule } from '../../../src/model/schedule.js';
import { ManualClock, turn } from '../../support/manualClock.js';

const minute = 60_000;
const usual: Omit<RefreshSituation, 'breaker'> = {
  intervalMinutes: 5,
  hasFocus: true,
  isViewVisible: false,
  isStatusBarShown: true,
  isBadgeShown: true,
  isPaused: false,
  listed: ['a', 'b', 'c'],
  mentioned: new Set(),
};
const hidden = { isStatusBarShown: false, isBadgeShown: false };
const manual = { intervalMinutes: 0 };

/** `duration`: ms of each round; without it a round ends when the test says so. */
function create(duration: number | undefined, change: Partial<RefreshSituation>) {
  const clock = new ManualClock();
  const rounds: { readonly told: () => string; readonly end: (read?: string) => Promise<void> }[] =
    [];
  const read = new Map<string, number>();
  const started = clock.now();
  const minutesPassed = (): number => (clock.now() - started) / minute;
  const newBreaker = () =>
    new CircuitBreaker({ now: clock.now, elapsed: clock.elapsed, listed: new Set('a') });
  let breaker = newBreaker();
  const schedule = new Schedule({
    now: clock.now,
    elapsed: clock.elapsed,
    setTimer: clock.setTimer,
    lastRead: (id) => read.get(id),
    run: (ids, signal) =>
      new Promise((resolve) => {
        const end = async (arrived = ids.join('')): Promise<void> => {
          for (const id of arrived) read.set(id, clock.now());
          resolve();
          await turn();
        };
        const began = `${ids.join('')} ${minutesPassed()}`;
        rounds.push({ told: () => began + (signal.aborted ? ' stopped' : ''), end });
        if (duration === 0) void end();
        else if (duration !== undefined) clock.setTimer(() => void end(), duration);
      }),
    probe: (ids) =>
      breaker.probe(ids, async () => {
        const began = `${ids.length}? ${minutesPassed()}`;
        rounds.push({ told: () => began, end: async () => undefined });
      }),
  });
  schedule.update({ ...usual, breaker, ...change });
  const fail = (failure: Failure): void => {
    breaker.failed('a', { failure });
    schedule.update({});
  };
  return {
    clock,
    schedule,
    read,
    rounds,
    outage: () => fail({ kind: 'timedOut', after: 30_000 }),
    reject: () => fail({ kind: 'tokenRejected', status: 401 }),
    answer: () => {
      breaker.answered('a');
      schedule.update({});
    },
    signIn: () => {
      breaker = newBreaker();
      schedule.update({ breaker });
    },
  };
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
const sleep =
  (minutes: number): Step =>
  ({ clock }) =>
    clock.sleep(minutes * minute);
const readByHand: Step = ({ read, clock }) => usual.listed.map((id) => read.set(id, clock.now()));
const forgetC: Step = ({ read }) => read.delete('c');
const signIn: Step = (world) => world.signIn();
const dispose: Step = ({ schedule }) => schedule.dispose();

const focused = { hasFocus: true };
const blurred = { hasFocus: false };
const paused = { isPaused: true };
const resumed = { isPaused: false };
const outage: Step = (world) => world.outage();
const rejected: Step = (world) => world.reject();
const over: Step = (world) => world.answer();
const signedOut = { breaker: undefined };
const changeRoute: Step = ({ schedule }) => schedule.probeNow();
const seen = { isViewVisible: true };
const unseen = { isViewVisible: false };
const mentionsB = { mentioned: new Set(['b', 'unlisted']) };
const two = { listed: ['a', 'b'] };
const four = { listed: ['a', 'b', 'c', 'd'] };

type Scenario = readonly [
  what: string,
  first: Partial<RefreshSituation>,
  steps: readonly Step[],
  asked: string,
];

const atOnce: readonly Scenario[] = [
  ['reads all once after start-up and then every interval', {}, [11], 'abc 0, abc 5, abc 10'],
  ['reads nothing with interval 0', manual, [20], ''],
  ['reads nothing with no organization', signedOut, [20], ''],
  ['reads nothing with no focus', blurred, [20], ''],
  ['reads nothing with an empty list', { listed: [] }, [20], ''],
  ['reads nothing with nothing that shows it', hidden, [20], ''],
  ['reads all with nothing but the badge', { ...hidden, isBadgeShown: true }, [6], 'abc 0, abc 5'],
  [
    'reads what documents mention, and all when shown',
    { ...hidden, ...mentionsB },
    [6, seen, 1],
    'b 0, b 5, ac 6',
  ],
  [
    'reads nothing on regaining focus before the interval is over',
    {},
    [1, blurred, 2, focused, 1],
    'abc 0',
  ],
  ['reads on regaining focus after the interval', {}, [4, blurred, 9, focused, 1], 'abc 0, abc 13'],
  ['reads a new one at once and leaves the others in step', {}, [2, four, 4], 'abc 0, d 2, abcd 5'],
  ['counts what the user has read', {}, [3, readByHand, 6], 'abc 0, abc 8'],
  [
    'reads each once with interval 0',
    manual,
    [1, mentionsB, 2, seen, 10, unseen, seen, 10],
    'b 1, ac 3',
  ],
  ['reads one that comes back to the list', {}, [2, two, forgetC, { ...usual }, 1], 'abc 0, c 2'],
  [
    'reads within a minute after a long sleep, without a change of the focus',
    {},
    [1, sleep(60), 1],
    'abc 0, abc 62',
  ],
  [
    'probes one after 15 s, then after twice as long up to 5 minutes, and reads all at once when that is over',
    {},
    [1, outage, 18, over, 1],
    'abc 0, 3? 1.25, 3? 1.75, 3? 2.75, 3? 4.75, 3? 8.75, 3? 13.75, 3? 18.75, abc 19',
  ],
  [
    'probes at once with the focus and on another route, and not without the focus',
    {},
    [1, outage, 1, blurred, 0.25, focused, 0.25, blurred, 30, focused, 0, changeRoute, 0],
    'abc 0, 3? 1.25, 3? 1.75, 3? 2.25, 3? 32.5, 3? 32.5',
  ],
  [
    'begins anew with 15 s in the next outage',
    {},
    [outage, 1, over, 1, outage, 0.5],
    'abc 0, 3? 0.25, 3? 0.75, abc 1, 3? 2.25',
  ],
  ['probes nothing with interval 0', { ...manual, ...seen }, [outage, 20], 'abc 0'],
  [
    'probes nothing with nothing that shows it',
    { ...hidden, ...mentionsB },
    [outage, 1, { mentioned: new Set() }, 20],
    'b 0, 1? 0.25, 1? 0.75',
  ],
  [
    'reads all with another token after a rejected one',
    {},
    [1, rejected, 1, signIn, 1],
    'abc 0, abc 2',
  ],
  ['reads all once at a sign-in', signedOut, [1, signIn, 1], 'abc 1'],
  ['reads nothing after a sign-out', {}, [1, signedOut, 20], 'abc 0'],
  [
    'sends nothing after a rejected token',
    {},
    [rejected, 60, focused, changeRoute, over, 1],
    'abc 0, abc 60',
  ],
  ['ends when it is disposed of', {}, [1, dispose, { listed: ['z'] }, 20], 'abc 0'],
];

const byHand: readonly Scenario[] = [
  ['does not ask in a circle for what never comes', {}, [end(0), 20], 'abc 0, abc 5'],
  [
    'stops without focus, and goes on later',
    {},
    [0.25, blurred, end(0, 'a'), focused, 3],
    'abc 0 stopped, bc 2.75',
  ],
  [
    'goes on with the only round of interval 0 when the focus comes back, and not after an hour in the future',
    { ...manual, ...seen },
    [blurred, end(0, 'a'), focused, sleep(60), end(1, 'bc'), sleep(-60), 10],
    'abc 0 stopped, bc 0',
  ],
  [
    'stops when it is turned off',
    {},
    [1, manual, end(0), 1, { intervalMinutes: 5 }, 15],
    'abc 0 stopped, abc 11',
  ],
  ['starts over for another organization', {}, [1, signIn, end(0), 20], 'abc 0 stopped, abc 1'],
  ['rests for no sleep within a round', {}, [sleep(480), end(0, 'abc'), 6], 'abc 0, abc 485'],
  [
    'rests for no pause within a round',
    {},
    [paused, 10, resumed, 0.25, end(0, 'abc'), 6],
    'abc 0, abc 15.25',
  ],
  ['rests for an hour at most', {}, [30, end(0, 'abc'), 61], 'abc 0, abc 90'],
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

  it('reads what is listed during a rest at once, and leaves the rest to the others', async () => {
    const world = create(2 * minute, {});
    assert.equal(await play(world, 3, four, 23), 'abc 0, d 3, abcd 25');
  });

  it('goes on at a usual pace after the clock was set back by an hour', async () => {
    const world = create(minute, {});
    await play(world, 2, ({ clock }) => clock.setBack(60 * minute), 25);
    // What was read in the future counts as never read; after that all is as it was.
    assert.equal(world.rounds.length, 3);
  });

  it('measures no round as shorter or longer when the clock is set back in it', async () => {
    const world = create(2 * minute, {});
    await play(world, 1, ({ clock }) => clock.setBack(60 * minute), 19);
    assert.equal(world.rounds.length, 1);
    await play(world, 6);
    assert.equal(world.rounds.length, 2);
  });
});

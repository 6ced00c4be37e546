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

/** One round of reads or one probe. */
interface Round {
  /** What it reads and the minute in which it began: “abc at 5”, “abc at 0 stopped”, “probe of 3 at 1.25”. */
  readonly text: () => string;
  /** Ends the round; the deployments with these IDs (by default all) were read. */
  readonly end: (readIds?: string) => Promise<void>;
}

/**
 * Creates a schedule in the usual situation with this change, and what a test does to it.
 * `roundMs` is how long each round takes; without it a round ends when the test says so.
 */
function create(roundMs: number | undefined, change: Partial<RefreshSituation>) {
  const clock = new ManualClock();
  const rounds: Round[] = [];
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
        const began = `${ids.join('')} at ${minutesPassed()}`;
        rounds.push({ text: () => began + (signal.aborted ? ' stopped' : ''), end });
        const endSoon = (): void => {
          void end();
        };
        if (roundMs === 0) endSoon();
        else if (roundMs !== undefined) clock.setTimer(endSoon, roundMs);
      }),
    probe: (ids) =>
      breaker.probe(ids, async () => {
        const began = `probe of ${ids.length} at ${minutesPassed()}`;
        rounds.push({ text: () => began, end: async () => undefined });
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

/** A number lets so many minutes pass, an object changes the situation, a function does what it says. */
type Step = number | Partial<RefreshSituation> | ((world: ReturnType<typeof create>) => unknown);

/** Plays the steps, and returns all rounds so far. */
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
  return world.rounds.map(({ text }) => text()).join(', ');
}

/** Ends a round in which only the deployments with these IDs were read. */
const end =
  (round: number, arrived = ''): Step =>
  ({ rounds }) =>
    rounds[round]?.end(arrived);
const sleep =
  (minutes: number): Step =>
  ({ clock }) =>
    clock.sleep(minutes * minute);
const setBackAnHour: Step = ({ clock }) => clock.setBack(60 * minute);
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
  title: string,
  first: Partial<RefreshSituation>,
  steps: readonly Step[],
  expectedRounds: string,
];

const atOnce: readonly Scenario[] = [
  [
    'reads all deployments after start-up and then every interval',
    {},
    [11],
    'abc at 0, abc at 5, abc at 10',
  ],
  ['reads nothing when the interval is 0', manual, [20], ''],
  ['reads nothing when there is no organization', signedOut, [20], ''],
  ['reads nothing when the window has no focus', blurred, [20], ''],
  ['reads nothing when the list is empty', { listed: [] }, [20], ''],
  ['reads nothing when nothing shows deployments', hidden, [20], ''],
  [
    'reads all deployments when only the badge is shown',
    { ...hidden, isBadgeShown: true },
    [6],
    'abc at 0, abc at 5',
  ],
  [
    'reads only the mentioned deployments while nothing else is shown',
    { ...hidden, ...mentionsB },
    [6],
    'b at 0, b at 5',
  ],
  [
    'reads the other deployments when the view becomes visible',
    { ...hidden, ...mentionsB },
    [6, seen, 1],
    'b at 0, b at 5, ac at 6',
  ],
  [
    'reads nothing when the focus comes back within the interval',
    {},
    [1, blurred, 2, focused, 1],
    'abc at 0',
  ],
  [
    'reads all deployments when the focus comes back after the interval',
    {},
    [4, blurred, 9, focused, 1],
    'abc at 0, abc at 13',
  ],
  [
    'reads a newly listed deployment at once and the others after their interval',
    {},
    [2, four, 4],
    'abc at 0, d at 2, abcd at 5',
  ],
  [
    'starts the interval again when the user refreshes',
    {},
    [3, readByHand, 6],
    'abc at 0, abc at 8',
  ],
  [
    'reads each shown deployment once when the interval is 0',
    manual,
    [1, mentionsB, 2, seen, 10, unseen, seen, 10],
    'b at 1, ac at 3',
  ],
  [
    'reads a deployment that comes back to the list',
    {},
    [2, two, forgetC, { ...usual }, 1],
    'abc at 0, c at 2',
  ],
  [
    'reads all deployments within a minute when the machine wakes up',
    {},
    [1, sleep(60), 1],
    'abc at 0, abc at 62',
  ],
  [
    'probes after 15 seconds and then after twice as long up to 5 minutes',
    {},
    [1, outage, 18],
    'abc at 0, probe of 3 at 1.25, probe of 3 at 1.75, probe of 3 at 2.75, probe of 3 at 4.75, probe of 3 at 8.75, probe of 3 at 13.75, probe of 3 at 18.75',
  ],
  [
    'reads all deployments at once when an outage is over',
    {},
    [1, outage, 18, over, 1],
    'abc at 0, probe of 3 at 1.25, probe of 3 at 1.75, probe of 3 at 2.75, probe of 3 at 4.75, probe of 3 at 8.75, probe of 3 at 13.75, probe of 3 at 18.75, abc at 19',
  ],
  [
    'probes at once when the focus comes back',
    {},
    [1, outage, 1, blurred, 0.25, focused, 0.25],
    'abc at 0, probe of 3 at 1.25, probe of 3 at 1.75, probe of 3 at 2.25',
  ],
  [
    'probes at once when the route changes',
    {},
    [1, outage, 0, changeRoute, 0],
    'abc at 0, probe of 3 at 1',
  ],
  [
    'probes nothing while the window has no focus',
    {},
    [1, outage, 1, blurred, 30, focused, 0],
    'abc at 0, probe of 3 at 1.25, probe of 3 at 1.75, probe of 3 at 32',
  ],
  [
    'probes after 15 seconds again in the next outage',
    {},
    [outage, 1, over, 1, outage, 0.5],
    'abc at 0, probe of 3 at 0.25, probe of 3 at 0.75, abc at 1, probe of 3 at 2.25',
  ],
  ['probes nothing when the interval is 0', { ...manual, ...seen }, [outage, 20], 'abc at 0'],
  [
    'probes nothing when nothing shows deployments any more',
    { ...hidden, ...mentionsB },
    [outage, 1, { mentioned: new Set() }, 20],
    'b at 0, probe of 1 at 0.25, probe of 1 at 0.75',
  ],
  [
    'reads all deployments when a rejected token is replaced',
    {},
    [1, rejected, 1, signIn, 1],
    'abc at 0, abc at 2',
  ],
  ['reads all deployments after a sign-in', signedOut, [1, signIn, 1], 'abc at 1'],
  ['reads nothing after a sign-out', {}, [1, signedOut, 20], 'abc at 0'],
  [
    'reads nothing until a rejected token is accepted again',
    {},
    [rejected, 60, focused, changeRoute, over, 1],
    'abc at 0, abc at 60',
  ],
  [
    'reads nothing after the end of the schedule',
    {},
    [1, dispose, { listed: ['z'] }, 20],
    'abc at 0',
  ],
];

const byHand: readonly Scenario[] = [
  ['waits for the interval when a round has read nothing', {}, [end(0), 20], 'abc at 0, abc at 5'],
  ['stops a round when the window loses the focus', {}, [0.25, blurred, 0], 'abc at 0 stopped'],
  [
    'reads what a stopped round left unread after ten times the length of the round',
    {},
    [0.25, blurred, end(0, 'a'), focused, 3],
    'abc at 0 stopped, bc at 2.75',
  ],
  [
    'reads what a stopped round left unread at once when the interval is 0',
    { ...manual, ...seen },
    [blurred, end(0, 'a'), focused, 0],
    'abc at 0 stopped, bc at 0',
  ],
  [
    'reads nothing again at interval 0 when the last reads lie in the future',
    { ...manual, ...seen },
    [sleep(60), end(0, 'abc'), sleep(-60), 10],
    'abc at 0',
  ],
  ['stops a round when the interval becomes 0', {}, [1, manual, 0], 'abc at 0 stopped'],
  [
    'rests after a stopped round when the interval is no longer 0',
    {},
    [1, manual, end(0), 1, { intervalMinutes: 5 }, 15],
    'abc at 0 stopped, abc at 11',
  ],
  ['stops a round when the organization changes', {}, [1, signIn], 'abc at 0 stopped, abc at 1'],
  [
    'reads all deployments at once when the organization changes within a round',
    {},
    [1, signIn, end(0), 20],
    'abc at 0 stopped, abc at 1',
  ],
  [
    'counts no sleep within a round as its duration',
    {},
    [sleep(480), end(0, 'abc'), 6],
    'abc at 0, abc at 485',
  ],
  [
    'counts no pause within a round as its duration',
    {},
    [paused, 10, resumed, 0.25, end(0, 'abc'), 6],
    'abc at 0, abc at 15.25',
  ],
  [
    'rests for an hour at most after a long round',
    {},
    [30, end(0, 'abc'), 61],
    'abc at 0, abc at 90',
  ],
];

describe('the schedule', () => {
  for (const [roundMs, scenarios] of [
    [0, atOnce],
    [undefined, byHand],
  ] as const) {
    for (const [title, first, steps, expectedRounds] of scenarios) {
      it(title, async () => {
        const rounds = await play(create(roundMs, first), ...steps);
        assert.equal(rounds, expectedRounds);
      });
    }
  }

  it('rests ten times as long as the last round took', async () => {
    const rounds = await play(create(2 * minute, {}), 25);
    assert.equal(rounds, 'abc at 0, abc at 22');
  });

  it('leaves no timer behind when it ends during a rest', async () => {
    const world = create(2 * minute, {});
    await play(world, 25);
    world.schedule.dispose();
    assert.equal(world.clock.waiting, 0);
  });

  it('reads a newly listed deployment at once during a rest', async () => {
    const rounds = await play(create(2 * minute, {}), 3, four, 1);
    assert.equal(rounds, 'abc at 0, d at 3');
  });

  it('lets the others rest when a deployment is listed during a rest', async () => {
    const rounds = await play(create(2 * minute, {}), 3, four, 23);
    assert.equal(rounds, 'abc at 0, d at 3, abcd at 25');
  });

  it('goes on at the usual pace when the clock is set back by an hour', async () => {
    const world = create(minute, {});
    await play(world, 2, setBackAnHour, 25);
    // What was read in the future counts as never read; after that all is as it was.
    assert.equal(world.rounds.length, 3);
  });

  it('rests as long as usual when the clock is set back within a round', async () => {
    const world = create(2 * minute, {});
    await play(world, 1, setBackAnHour, 19);
    assert.equal(world.rounds.length, 1);

    await play(world, 6);
    assert.equal(world.rounds.length, 2);
  });
});

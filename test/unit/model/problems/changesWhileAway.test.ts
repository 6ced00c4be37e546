import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { Failure } from '../../../../src/api/failure.js';
import { day, minute } from '../../../../src/model/base/time.js';
import { type Deployment, isFailing } from '../../../../src/model/findings/deployment.js';
import { unmutedProblems } from '../../../../src/model/findings/state.js';
import {
  type AwayChanges,
  ChangesWhileAway,
} from '../../../../src/model/problems/changesWhileAway.js';
import { bad, createWorld, failed, good, type Outcome } from '../store/world.js';

const notFound: Failure = { kind: 'notFound', status: 404 };
const slow: Failure = { kind: 'timedOut', after: 30_000 };
const works: DeploymentAuthorization = {
  accounts: [{ id: 'acc_1', label: 'Finance' }],
  requirements: [],
};
/** Requirements that are not satisfied. */
const lacking = (...bindings: readonly string[]): DeploymentAuthorization => ({
  accounts: [],
  requirements: bindings.map((binding) => ({ binding, satisfied: false })),
});
const unknown: DeploymentAuthorization = { accounts: [], requirements: [{ binding: 'n' }] };

type Answers = Readonly<Record<string, Outcome>>;
/** Whether changes of a deployment are counted. */
type Covers = (deployment: Pick<Deployment, 'id'>) => boolean;

const coversAll: Covers = () => true;

/** Opens a window with the focus, in which these deployments are listed and read at the beginning. */
async function openWindow(answers: Answers, { refreshInterval = 5, covers = coversAll } = {}) {
  const ids = Object.keys(answers).join('');
  const world = createWorld(ids);
  const { clock, store, memory } = world;
  const settings = { refreshInterval };
  const changes = new ChangesWhileAway(store, {
    now: clock.now,
    settings,
    mutes: memory,
    covers,
  });
  const found: AwayChanges[] = [];
  changes.onDidFind((one) => found.push(one));
  const start = clock.now();
  const readAll = async (later: Answers) => {
    const done = store.refresh(undefined, { readsOnlyThese: true });
    for (const [id, outcome] of Object.entries(later)) await world.reply(id, outcome);
    await done;
  };
  const problemsOf = (id: string) => unmutedProblems(store.get(id)?.answer?.findings, memory);
  await readAll(answers);
  return {
    ...world,
    changes,
    found,
    settings,
    /** Refreshes with these answers, one for each deployment. */
    readAll,
    leave: () => changes.focusLost(),
    comeBack: ({ afterMinutes }: { afterMinutes: number }) => {
      clock.pass(afterMinutes * minute);
      changes.focusReturned();
    },
    /** Mutes all problems of a deployment for three days. */
    muteAll: (id: string) => {
      const deployment = store.get(id)!;
      memory.mute(
        problemsOf(id).map((problem) => ({ deployment, problem })),
        clock.now() + 3 * day,
      );
    },
    /** "1 new, 1 fixed since 0": one text for each summary; the time is in minutes from the beginning. */
    summaries: () =>
      found.map(({ newCount, changedCount, fixedCount, since }) => {
        const counts = { new: newCount, changed: changedCount, fixed: fixedCount };
        const words = Object.entries(counts).flatMap(([word, count]) =>
          count > 0 ? `${count} ${word}` : [],
        );
        return `${words.join(', ')} since ${(since - start) / minute}`;
      }),
    /** The deployments that have a new problem: "ab". */
    idsMarkedNew: () =>
      Array.from(ids)
        .filter((id) => problemsOf(id).some((problem) => changes.isNew(id, problem)))
        .join(''),
  };
}

const long = { afterMinutes: 5 };

/** Opens a window, and comes back to it after five minutes and a refresh. */
async function comeBackTo(
  { before, after }: { before: Answers; after: Answers },
  options?: Parameters<typeof openWindow>[1],
) {
  const window = await openWindow(before, options);
  window.leave();
  window.comeBack(long);
  await window.readAll(after);
  return window;
}

interface Case {
  readonly what: string;
  readonly before: Answers;
  readonly after: Answers;
  /** What the summary says; `undefined`: there is none. */
  readonly summary: string | undefined;
  /** The deployments that have a new problem. */
  readonly marked: string;
}

const cases: readonly Case[] = [
  {
    what: 'one problem came and one went',
    before: { a: bad, b: good },
    after: { a: good, b: bad },
    summary: '1 new, 1 fixed',
    marked: 'b',
  },
  {
    what: 'no problem came or went',
    before: { a: bad, b: good },
    after: { a: bad, b: good },
    summary: undefined,
    marked: '',
  },
  {
    what: 'all stayed healthy',
    before: { a: good, b: good },
    after: { a: good, b: good },
    summary: undefined,
    marked: '',
  },
  {
    what: 'an account of two deployments failed',
    before: { a: works, b: works },
    after: { a: failed('x'), b: failed('x') },
    summary: '2 new',
    marked: 'ab',
  },
  {
    what: 'an account of two deployments was fixed',
    before: { a: failed('x'), b: failed('x') },
    after: { a: works, b: works },
    summary: '2 fixed',
    marked: '',
  },
  {
    what: 'an account got another error',
    before: { a: failed('x') },
    after: { a: failed('y') },
    summary: '1 changed',
    marked: 'a',
  },
  {
    what: 'a problem came beside another',
    before: { a: lacking('x') },
    after: { a: lacking('x', 'y') },
    summary: '1 changed',
    marked: 'a',
  },
  {
    what: 'one of two problems went',
    before: { a: lacking('x', 'y') },
    after: { a: lacking('x') },
    summary: undefined,
    marked: '',
  },
  {
    what: 'one problem replaced another',
    before: { a: lacking('x') },
    after: { a: lacking('y') },
    summary: '1 changed',
    marked: 'a',
  },
  {
    what: 'a problem went with its requirement',
    before: { a: lacking('x') },
    after: { a: lacking() },
    summary: '1 fixed',
    marked: '',
  },
  {
    what: 'one came, one changed, and one went',
    before: { a: good, b: failed('x'), c: bad },
    after: { a: bad, b: failed('y'), c: good },
    summary: '1 new, 1 changed, 1 fixed',
    marked: 'ab',
  },
  {
    what: 'a failing one became unreadable',
    before: { a: bad, b: good },
    after: { a: notFound, b: good },
    summary: undefined,
    marked: '',
  },
  {
    what: 'a failing one was unreadable before',
    before: { a: notFound, b: good },
    after: { a: bad, b: good },
    summary: undefined,
    marked: '',
  },
  {
    what: 'a failing one became unknown',
    before: { a: bad },
    after: { a: unknown },
    summary: undefined,
    marked: '',
  },
  {
    what: 'an unknown one failed',
    before: { a: unknown },
    after: { a: bad },
    summary: '1 new',
    marked: 'a',
  },
];

/** Comes back after a long absence, and cancels the refresh when it has read a. */
async function cancelRefreshAfterAbsence() {
  const window = await openWindow({ a: bad, b: good });
  const { leave, comeBack, store, reply } = window;
  leave();
  comeBack(long);
  const cancelled = store.refresh();
  await reply('a', good);
  store.cancelRefresh();
  await cancelled;
  return window;
}

/** The refresh after a long absence fixes a, and ends in a second absence of two hours. */
async function comeBackTwice(options: { refreshInterval: number }) {
  const window = await openWindow({ a: bad, b: good }, options);
  const { leave, comeBack, store, reply } = window;
  leave();
  comeBack(long);
  const refresh = store.refresh(undefined, { readsOnlyThese: true });
  leave();
  await reply('ab', good);
  await refresh;
  comeBack({ afterMinutes: 120 });
  return window;
}

describe('the summary after an absence', () => {
  for (const { what, before, after, summary } of cases) {
    it(`says ${summary ?? 'nothing'} when ${what}`, async () => {
      const { summaries } = await comeBackTo({ before, after });
      assert.deepEqual(summaries(), summary === undefined ? [] : [`${summary} since 0`]);
    });
  }

  it('is not repeated for later refreshes that the user watches', async () => {
    const { readAll, clock, summaries } = await comeBackTo({
      before: { a: bad, b: good },
      after: { a: bad, b: bad },
    });
    clock.pass(5 * minute);
    await readAll({ a: good, b: good });
    assert.deepEqual(summaries(), ['1 new since 0']);
  });

  it('is left out when the absence was shorter than the refresh interval', async () => {
    const { leave, comeBack, readAll, summaries } = await openWindow({ a: bad, b: good });
    leave();
    comeBack({ afterMinutes: 4.9 });
    await readAll({ a: good, b: bad });
    assert.deepEqual(summaries(), []);
  });

  it('comes after any absence when the refresh interval is 0', async () => {
    const { leave, comeBack, readAll, summaries } = await openWindow(
      { a: bad, b: good },
      { refreshInterval: 0 },
    );
    leave();
    comeBack({ afterMinutes: 0 });
    await readAll({ a: good, b: bad });
    assert.deepEqual(summaries(), ['1 new, 1 fixed since 0']);
  });

  it('comes after a night in which the machine slept', async () => {
    const { leave, comeBack, readAll, clock, summaries } = await openWindow({ a: bad, b: good });
    leave();
    clock.sleep(8 * 60 * minute);
    comeBack({ afterMinutes: 0 });
    await readAll({ a: good, b: bad });
    assert.deepEqual(summaries(), ['1 new, 1 fixed since 0']);
  });

  it('waits for a complete refresh when one was cancelled', async () => {
    const { readAll, summaries } = await cancelRefreshAfterAbsence();
    assert.deepEqual(summaries(), []);
    await readAll({ a: good, b: bad });
    assert.deepEqual(summaries(), ['1 new, 1 fixed since 0']);
  });

  it('waits for a complete refresh after another, short absence', async () => {
    const { leave, comeBack, readAll, summaries } = await cancelRefreshAfterAbsence();
    leave();
    comeBack({ afterMinutes: 1 });
    assert.deepEqual(summaries(), []);
    await readAll({ a: good, b: bad });
    assert.deepEqual(summaries(), ['1 new, 1 fixed since 0']);
  });

  it('does not call a problem new when its deployment cannot be read any more', async () => {
    const { leave, comeBack, readAll, reply, store, summaries } = await openWindow({
      a: good,
      b: good,
    });
    leave();
    comeBack(long);
    const cancelled = store.refresh();
    await reply('a', bad);
    store.cancelRefresh();
    await cancelled;
    await readAll({ a: notFound, b: good });
    assert.deepEqual(summaries(), []);
  });

  it('waits for the focus when the refresh ends without it', async () => {
    const { leave, comeBack, store, reply, summaries } = await openWindow({ a: bad, b: good });
    leave();
    comeBack(long);
    const refresh = store.refresh();
    leave();
    await reply('a', good);
    await reply('b', bad);
    await refresh;
    assert.deepEqual(summaries(), []);
    comeBack({ afterMinutes: 1 });
    assert.deepEqual(summaries(), ['1 new, 1 fixed since 0']);
  });

  it('comes on return when a refresh has ended and the interval is 0', async () => {
    const { summaries } = await comeBackTwice({ refreshInterval: 0 });
    assert.deepEqual(summaries(), ['1 fixed since 0']);
  });

  it('comes again at the next refresh when the interval is 0', async () => {
    const { readAll, summaries } = await comeBackTwice({ refreshInterval: 0 });
    await readAll({ a: good, b: bad });
    assert.deepEqual(summaries(), ['1 fixed since 0', '1 new since 5']);
  });

  it('covers two absences when a refresh is due after the second', async () => {
    const { readAll, summaries } = await comeBackTwice({ refreshInterval: 5 });
    await readAll({ a: good, b: bad });
    assert.deepEqual(summaries(), ['1 new, 1 fixed since 0']);
  });

  it('waits for the end of an outage', async () => {
    const { leave, comeBack, readAll, summaries } = await openWindow({ a: bad, b: good });
    leave();
    comeBack(long);
    await readAll({ a: slow, b: slow });
    assert.deepEqual(summaries(), []);
    await readAll({ a: good, b: bad });
    assert.deepEqual(summaries(), ['1 new, 1 fixed since 0']);
  });

  it('does not call a deployment fixed that was muted before', async () => {
    const { leave, comeBack, readAll, muteAll, summaries } = await openWindow({ a: bad });
    muteAll('a');
    leave();
    comeBack(long);
    await readAll({ a: good });
    assert.deepEqual(summaries(), []);
  });

  it('does not call a deployment fixed that was muted since', async () => {
    const { leave, comeBack, readAll, muteAll, summaries } = await openWindow({ a: bad });
    leave();
    comeBack(long);
    muteAll('a');
    await readAll({ a: bad });
    assert.deepEqual(summaries(), []);
  });

  it('does not call a problem new whose mute has ended', async () => {
    const { leave, comeBack, readAll, muteAll, store, summaries } = await openWindow({ a: bad });
    muteAll('a');
    leave();
    comeBack({ afterMinutes: 4 * 24 * 60 });
    await readAll({ a: bad });
    const isMuteOver = isFailing(store.get('a')!);
    assert.equal(isMuteOver, true);
    assert.deepEqual(summaries(), []);
  });

  it('leaves out a deployment that was listed during the absence', async () => {
    const { leave, comeBack, store, reply, summaries } = await openWindow({ a: good });
    leave();
    store.setListed([{ id: 'a' }, { id: 'b' }]);
    comeBack(long);
    const done = store.refresh();
    await reply('ab', bad);
    await done;
    assert.deepEqual(summaries(), ['1 new since 0']);
  });

  it('is left out when nothing was read before the absence', async () => {
    const { leave, comeBack, store, platform, readAll, summaries } = await openWindow({ a: good });
    store.setOrganization({ id: 'other', read: platform.read });
    leave();
    comeBack(long);
    await readAll({ a: bad });
    assert.deepEqual(summaries(), []);
  });

  it('is left out when the organization was changed during the absence', async () => {
    const { found, leave, comeBack, store, platform, readAll, summaries } = await comeBackTo({
      before: { a: good, b: good },
      after: { a: bad, b: good },
    });
    found.length = 0;
    leave();
    store.setOrganization({ id: 'other', read: platform.read });
    comeBack(long);
    await readAll({ a: bad, b: bad });
    assert.deepEqual(summaries(), []);
  });
});

/** Two absences: a problem came to a during the first, to b during the second. Keeps the change events. */
async function openAfterTwoAbsences() {
  const window = await openWindow({ a: good, b: good });
  const { leave, comeBack, readAll, changes } = window;
  const changedIds: string[] = [];
  changes.onDidChangeNew((ids) => changedIds.push([...ids].join('')));
  leave();
  comeBack(long);
  await readAll({ a: bad, b: good });
  leave();
  comeBack(long);
  await readAll({ a: bad, b: bad });
  return { ...window, changedIds };
}

describe('the deployments marked as new after an absence', () => {
  for (const { what, before, after, marked } of cases) {
    it(`are ${Array.from(marked).join(' and ') || 'none'} when ${what}`, async () => {
      const { idsMarkedNew } = await comeBackTo({ before, after });
      assert.equal(idsMarkedNew(), marked);
    });
  }

  it('are none when nothing was read before the absence', async () => {
    const { idsMarkedNew, leave, comeBack, store, platform, readAll } = await openWindow({
      a: good,
    });
    store.setOrganization({ id: 'other', read: platform.read });
    leave();
    comeBack(long);
    await readAll({ a: bad });
    assert.equal(idsMarkedNew(), '');
  });

  it('are none when the organization was changed', async () => {
    const { leave, comeBack, store, platform, readAll, idsMarkedNew } = await comeBackTo({
      before: { a: good, b: good },
      after: { a: bad, b: good },
    });
    leave();
    store.setOrganization({ id: 'other', read: platform.read });
    comeBack(long);
    await readAll({ a: bad, b: bad });
    assert.equal(idsMarkedNew(), '');
  });

  it('remain marked over the next absence', async () => {
    const { idsMarkedNew } = await openAfterTwoAbsences();
    assert.equal(idsMarkedNew(), 'ab');
  });

  it('lose the mark when the user has seen the row', async () => {
    const { changes, idsMarkedNew } = await openAfterTwoAbsences();
    changes.markSeen(['a']);
    assert.equal(idsMarkedNew(), 'b');
  });

  it('are announced when they get the mark', async () => {
    const { changedIds } = await openAfterTwoAbsences();
    assert.deepEqual(changedIds, ['a', 'b']);
  });

  it('are announced once when they lose the mark', async () => {
    const { changes, changedIds } = await openAfterTwoAbsences();
    changedIds.length = 0;
    changes.markSeen(['a']);
    changes.markSeen(['a']);
    assert.deepEqual(changedIds, ['a']);
  });
});

describe('the counts of the summary after an absence', () => {
  const outcome = fc.constantFrom(good, bad, failed('x'), failed('y'), works, unknown);
  const answers = fc.record({ a: outcome, b: outcome, c: outcome });

  it('match the deployments whatever their answers are', async () => {
    await fc.assert(
      fc.asyncProperty(answers, answers, async (before, after) => {
        const window = await openWindow(before);
        const { store } = window;
        const failing = () => store.deployments.filter(isFailing).map(({ id }) => id);
        const failingBefore = new Set(failing());

        window.leave();
        window.comeBack(long);
        await window.readAll(after);

        const [counts = { newCount: 0, changedCount: 0, fixedCount: 0 }] = window.found;
        const marked = window.idsMarkedNew();
        const newlyFailing = failing().filter((id) => !failingBefore.has(id));
        const newlyFailingUnmarked = newlyFailing.filter((id) => !marked.includes(id));
        assert.deepEqual(newlyFailingUnmarked, []);
        assert.equal(counts.newCount, newlyFailing.length);
        assert.equal(counts.newCount + counts.changedCount, marked.length);
        const healthy = store.deployments.filter(({ state }) => state === 'satisfied');
        const fixed = healthy.filter(({ id }) => failingBefore.has(id));
        assert.equal(counts.fixedCount, fixed.length);
      }),
      { numRuns: 100 },
    );
  });
});

describe('the summary while groups are chosen', () => {
  const covers: Covers = ({ id }) => id === 'a';

  for (const [what, before, after, summary] of [
    ['is of new problems', { a: good, b: good }, { a: bad, b: bad }, ['1 new since 0']],
    ['is of fixed problems', { a: bad, b: bad }, { a: good, b: good }, ['1 fixed since 0']],
    [
      'is of changed deployments',
      { a: bad, b: bad },
      { a: lacking('x'), b: lacking('x') },
      ['1 changed since 0'],
    ],
    ['is absent for changes of other groups alone', { a: good, b: good }, { a: good, b: bad }, []],
  ] as const) {
    it(`${what}${summary.length > 0 ? ' in these groups alone' : ''}`, async () => {
      const { summaries } = await comeBackTo({ before, after }, { covers });
      assert.deepEqual(summaries(), summary);
    });
  }

  it('leaves new problems of other groups marked as new', async () => {
    const before = { a: good, b: good };
    const { idsMarkedNew } = await comeBackTo({ before, after: { a: good, b: bad } }, { covers });
    assert.equal(idsMarkedNew(), 'b');
  });

  it('has the groups that are chosen when the user comes back', async () => {
    let chosen = 'b';
    const isChosen: Covers = ({ id }) => id === chosen;
    const window = await openWindow({ a: good, b: good }, { covers: isChosen });
    window.leave();
    window.comeBack(long);
    chosen = 'a';
    await window.readAll({ a: bad, b: good });
    assert.deepEqual(window.summaries(), ['1 new since 0']);
  });
});

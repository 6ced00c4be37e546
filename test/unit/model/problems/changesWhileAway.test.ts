import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { Failure } from '../../../../src/api/failure.js';
import { day, minute } from '../../../../src/model/base/time.js';
import { isFailing } from '../../../../src/model/findings/deployment.js';
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

/** A window with the focus in which these were read. */
async function openWindow(answers: Answers, refreshInterval = 5) {
  const ids = Object.keys(answers).join('');
  const world = createWorld(ids);
  const { clock, store, memory } = world;
  const settings = { refreshInterval };
  const changes = new ChangesWhileAway(store, { now: clock.now, settings, mutes: memory });
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
    readAll,
    leave: () => changes.focusLost(),
    /** Comes back after so many minutes. */
    comeBack: (minutes: number) => {
      clock.pass(minutes * minute);
      changes.focusReturned();
    },
    muteAll: (id: string) => {
      const deployment = store.get(id)!;
      memory.mute(
        problemsOf(id).map((problem) => ({ deployment, problem })),
        clock.now() + 3 * day,
      );
    },
    /** "1 new, 1 fixed since 0" in minutes after the beginning, each time that something was found. */
    said: () =>
      found.map(({ newCount, changedCount, fixedCount, since }) => {
        const counts = { new: newCount, changed: changedCount, fixed: fixedCount };
        const words = Object.entries(counts).flatMap(([word, count]) =>
          count > 0 ? `${count} ${word}` : [],
        );
        return `${words.join(', ')} since ${(since - start) / minute}`;
      }),
    /** The deployments that have a new problem. */
    new: () =>
      Array.from(ids)
        .filter((id) => problemsOf(id).some((problem) => changes.isNew(id, problem)))
        .join(''),
  };
}

describe('the changes while the user was away', () => {
  const cases: readonly [
    what: string,
    before: Answers,
    after: Answers,
    said: readonly string[],
    isNew: string,
  ][] = [
    [
      'one came and one went',
      { a: bad, b: good },
      { a: good, b: bad },
      ['1 new, 1 fixed since 0'],
      'b',
    ],
    ['nothing came and nothing went', { a: bad, b: good }, { a: bad, b: good }, [], ''],
    ['all stays healthy', { a: good, b: good }, { a: good, b: good }, [], ''],
    [
      'an account failed in two',
      { a: works, b: works },
      { a: failed('x'), b: failed('x') },
      ['2 new since 0'],
      'ab',
    ],
    [
      'an account works again in two',
      { a: failed('x'), b: failed('x') },
      { a: works, b: works },
      ['2 fixed since 0'],
      '',
    ],
    [
      'an account has another error',
      { a: failed('x') },
      { a: failed('y') },
      ['1 changed since 0'],
      'a',
    ],
    [
      'another problem came beside one',
      { a: lacking('x') },
      { a: lacking('x', 'y') },
      ['1 changed since 0'],
      'a',
    ],
    ['one of two problems went', { a: lacking('x', 'y') }, { a: lacking('x') }, [], ''],
    [
      'one problem came for another',
      { a: lacking('x') },
      { a: lacking('y') },
      ['1 changed since 0'],
      'a',
    ],
    [
      'a problem went with its requirement',
      { a: lacking('x') },
      { a: lacking() },
      ['1 fixed since 0'],
      '',
    ],
    [
      'one came, one changed, and one went',
      { a: good, b: failed('x'), c: bad },
      { a: bad, b: failed('y'), c: good },
      ['1 new, 1 changed, 1 fixed since 0'],
      'ab',
    ],
    ['a failing one cannot be read', { a: bad, b: good }, { a: notFound, b: good }, [], ''],
    [
      'a failing one could not be read before',
      { a: notFound, b: good },
      { a: bad, b: good },
      [],
      '',
    ],
    ['a failing one is unknown', { a: bad }, { a: unknown }, [], ''],
    ['an unknown one fails', { a: unknown }, { a: bad }, ['1 new since 0'], 'a'],
  ];
  for (const [what, before, after, said, isNew] of cases) {
    it(`are found when all has been read again: ${what}`, async () => {
      const window = await openWindow(before);
      window.leave();
      window.comeBack(5);
      await window.readAll(after);
      assert.deepEqual([window.said(), window.new()], [said, isNew]);
    });
  }

  it('are found once, and not in the rounds while the user watches', async () => {
    const { leave, comeBack, readAll, clock, said } = await openWindow({ a: bad, b: good });
    leave();
    comeBack(5);
    await readAll({ a: bad, b: bad });
    clock.pass(5 * minute);
    await readAll({ a: good, b: good });
    assert.deepEqual(said(), ['1 new since 0']);
  });

  it('are not found after an absence that is shorter than the interval', async () => {
    const { leave, comeBack, readAll, said } = await openWindow({ a: bad, b: good });
    leave();
    comeBack(4.9);
    await readAll({ a: good, b: bad });
    assert.deepEqual(said(), []);
  });

  it('are found after any absence with an interval of 0, by the next refresh of the user', async () => {
    const { leave, comeBack, readAll, said } = await openWindow({ a: bad, b: good }, 0);
    leave();
    comeBack(0);
    await readAll({ a: good, b: bad });
    assert.deepEqual(said(), ['1 new, 1 fixed since 0']);
  });

  it('are found after a night in which the machine slept', async () => {
    const { leave, comeBack, readAll, clock, said } = await openWindow({ a: bad, b: good });
    leave();
    clock.sleep(8 * 60 * minute);
    comeBack(0);
    await readAll({ a: good, b: bad });
    assert.deepEqual(said(), ['1 new, 1 fixed since 0']);
  });

  it('wait until all has been read, when a refresh is cancelled or the user leaves again', async () => {
    const { leave, comeBack, store, reply, readAll, said } = await openWindow({ a: bad, b: good });
    leave();
    comeBack(5);
    const cancelled = store.refresh();
    await reply('a', good);
    store.cancelRefresh();
    await cancelled;
    leave();
    comeBack(1);
    assert.deepEqual(said(), []);
    await readAll({ a: good, b: bad });
    assert.deepEqual(said(), ['1 new, 1 fixed since 0']);
  });

  it('are told when the user is back, and not while the window has no focus', async () => {
    const { leave, comeBack, store, reply, said } = await openWindow({ a: bad, b: good });
    leave();
    comeBack(5);
    const refresh = store.refresh();
    leave();
    await reply('a', good);
    await reply('b', bad);
    await refresh;
    assert.deepEqual(said(), []);
    comeBack(1);
    assert.deepEqual(said(), ['1 new, 1 fixed since 0']);
  });

  it('of a second absence are found, too, when the refresh between ended without the user', async () => {
    const { leave, comeBack, store, reply, readAll, said } = await openWindow(
      { a: bad, b: good },
      0,
    );
    leave();
    comeBack(1);
    const refresh = store.refresh(undefined, { readsOnlyThese: true });
    leave();
    await reply('a', good);
    await reply('b', good);
    await refresh;
    comeBack(120);
    await readAll({ a: good, b: bad });
    assert.deepEqual(said(), ['1 fixed since 0', '1 new since 1']);
  });

  it('of two absences are found together when all is read by itself after the second', async () => {
    const { leave, comeBack, store, reply, readAll, said } = await openWindow({ a: bad, b: good });
    leave();
    comeBack(5);
    const refresh = store.refresh();
    leave();
    await reply('a', good);
    await reply('b', good);
    await refresh;
    comeBack(120);
    await readAll({ a: good, b: bad });
    assert.deepEqual(said(), ['1 new, 1 fixed since 0']);
  });

  it('wait for the end of an outage', async () => {
    const { leave, comeBack, readAll, said } = await openWindow({ a: bad, b: good });
    leave();
    comeBack(5);
    await readAll({ a: slow, b: slow });
    assert.deepEqual(said(), []);
    await readAll({ a: good, b: bad });
    assert.deepEqual(said(), ['1 new, 1 fixed since 0']);
  });

  it('leave out what was muted, and what was muted before', async () => {
    const { leave, comeBack, readAll, muteAll, said } = await openWindow({
      a: bad,
      b: bad,
      c: good,
    });
    muteAll('b');
    leave();
    comeBack(5);
    muteAll('a');
    await readAll({ a: bad, b: good, c: good });
    assert.deepEqual(said(), []);
  });

  it('call no problem new whose mute has ended', async () => {
    const { leave, comeBack, readAll, muteAll, store, said } = await openWindow({
      a: bad,
      b: good,
    });
    muteAll('a');
    leave();
    comeBack(4 * 24 * 60);
    await readAll({ a: bad, b: good });
    assert.deepEqual([isFailing(store.get('a')!), said()], [true, []]);
  });

  it('call nothing new that was listed or read for the first time', async () => {
    const { leave, comeBack, store, reply, readAll, said } = await openWindow({ a: good });
    leave();
    store.setListed([{ id: 'a' }, { id: 'b' }]);
    comeBack(5);
    const done = store.refresh();
    await reply('ab', bad);
    await done;
    assert.deepEqual(said(), ['1 new since 0']);
    await readAll({ a: bad, b: bad });
  });

  it('are none where nothing was read before', async () => {
    const { changes, leave, comeBack, store, platform, readAll, said } = await openWindow({
      a: good,
    });
    store.setOrganization({ id: 'other', read: platform.read });
    leave();
    comeBack(5);
    await readAll({ a: bad });
    assert.deepEqual(
      [said(), changes.isNew('a', { key: '', sign: '', deploymentId: 'a' })],
      [[], false],
    );
  });

  it('are forgotten with the organization', async () => {
    const window = await openWindow({ a: good, b: good });
    window.leave();
    window.comeBack(5);
    await window.readAll({ a: bad, b: good });
    window.leave();
    window.store.setOrganization({ id: 'other', read: window.platform.read });
    window.comeBack(5);
    await window.readAll({ a: bad, b: bad });
    assert.deepEqual([window.said(), window.new()], [['1 new since 0'], '']);
  });

  it('stay new until they are seen, also over the next absence', async () => {
    const {
      leave,
      comeBack,
      readAll,
      changes,
      new: areNew,
    } = await openWindow({ a: good, b: good });
    const drawn: string[] = [];
    changes.onDidChangeNew((ids) => drawn.push([...ids].join('')));
    leave();
    comeBack(5);
    await readAll({ a: bad, b: good });
    leave();
    comeBack(5);
    await readAll({ a: bad, b: bad });
    assert.equal(areNew(), 'ab');
    changes.markSeen(['a']);
    changes.markSeen(['a']);
    assert.deepEqual([areNew(), drawn], ['b', ['a', 'b', 'a']]);
  });

  it('add up with what stayed, whatever happens', async () => {
    const outcome = fc.constantFrom(good, bad, failed('x'), failed('y'), works, unknown);
    const answers = fc.record({ a: outcome, b: outcome, c: outcome });
    await fc.assert(
      fc.asyncProperty(answers, answers, async (before, after) => {
        const window = await openWindow(before);
        const failing = () =>
          new Set(window.store.deployments.filter(isFailing).map(({ id }) => id));
        const wereFailing = failing();
        window.leave();
        window.comeBack(5);
        await window.readAll(after);
        const [
          { newCount, changedCount, fixedCount } = { newCount: 0, changedCount: 0, fixedCount: 0 },
        ] = window.found;
        const areNew = [...failing()].filter((id) => !wereFailing.has(id));
        assert.ok(areNew.every((id) => window.new().includes(id)));
        assert.equal(newCount, areNew.length);
        assert.equal(newCount + changedCount, window.new().length);
        const areHealthy = window.store.deployments.filter(({ state }) => state === 'satisfied');
        assert.equal(fixedCount, areHealthy.filter(({ id }) => wereFailing.has(id)).length);
      }),
      { numRuns: 100 },
    );
  });
});

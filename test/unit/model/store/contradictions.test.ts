import assert from 'node:assert/strict';
import type { Account, DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { Failure } from '../../../../src/api/failure.js';
import { turn } from '../../../support/manualClock.js';
import { createWorld, failed, list, type Outcome } from './world.js';

const works: DeploymentAuthorization = {
  accounts: [{ id: 'acc_1', label: 'Finance' }],
  requirements: [],
};
const revoked = failed('token_revoked');
const expired = failed('token_expired');
const rejected: Failure = { kind: 'tokenRejected', status: 401 };
const unreachable: Failure = {
  kind: 'unreachable',
  cause: { step: 'dns', code: 'ENOTFOUND', host: 'host.example' },
};

const ownAccount = { accounts: [{ id: 'acc_2', error: {} }], requirements: [] };

function nameless(error?: object): DeploymentAuthorization {
  return { accounts: [{ label: 'Finance', ...(error && { error }) }], requirements: [] };
}

/** Two accounts, each of which works or has failed. */
function two(first: boolean, second: boolean): DeploymentAuthorization {
  return {
    accounts: [accountThat(first, 'acc_1'), accountThat(second, 'acc_2')],
    requirements: [],
  };
}

function accountThat(isWorking: boolean, id: string): Account {
  return isWorking ? { id } : { id, error: { code: 'gone' } };
}

/** Deployments that were all read in one refresh, with these answers. Requests are counted from then on. */
async function create(answers: Readonly<Record<string, Outcome>>, maxRequests = Infinity) {
  const world = createWorld(Object.keys(answers).join(''), { maxRequests });
  const { platform, store } = world;
  const first = store.refresh(undefined, { readsOnlyThese: true });
  for (let asked = 0; asked < Object.keys(answers).length; asked++) {
    const { id } = platform.asked[asked]!;
    await world.reply(id, answers[id]!);
  }
  await first;
  const before = platform.asked.length;
  return {
    ...world,
    /** The requests since then: "ab". */
    asked: () =>
      platform.asked
        .slice(before)
        .map(({ id }) => id)
        .join(''),
    states: () => store.deployments.map(({ id, state }) => `${id} ${state}`).join(', '),
    /** Those of which a later refresh has shown something else. */
    outdated: () =>
      store.deployments
        .filter(({ id }) => store.accountAnswers.isOutdated(id, 'acc_1'))
        .map(({ id }) => id)
        .join(''),
  };
}

const allRevoked = { a: revoked, b: revoked, c: revoked };

describe('one account, one truth', () => {
  const contradictions: readonly (readonly [
    string,
    DeploymentAuthorization,
    DeploymentAuthorization,
  ])[] = [
    ['works again', revoked, works],
    ['has failed', works, revoked],
    ['has failed with another error', revoked, expired],
    [
      'has failed with an error without a code',
      works,
      { accounts: [{ id: 'acc_1', error: {} }], requirements: [] },
    ],
  ];
  for (const [what, before, after] of contradictions) {
    it(`reads the other deployments of an account that ${what}, as a part of the same refresh`, async () => {
      const { store, refreshDeployments, reply, asked } = await create({
        a: before,
        b: before,
        c: before,
      });
      const done = refreshDeployments('a');
      await reply('a', after);
      assert.equal(asked(), 'abc');
      assert.deepEqual(store.progress, { done: 1, total: 3 });
      await reply('bc', after);
      await done;
      assert.equal(asked(), 'abc');
      assert.equal(store.progress, undefined);
    });
  }

  it('settles the order and what is remembered once, when the last of them was read', async () => {
    const { store, memory, refreshDeployments, reply } = await create(allRevoked);
    const ends: number[] = [];
    memory.onDidFindOutcomes((outcomes) => ends.push(outcomes.length));
    const { orderVersion: settled } = store;
    memory.notifyWhenFixed([
      { deployment: store.get('a')!, problem: store.get('a')!.answer!.findings.problems[0]! },
    ]);
    const done = refreshDeployments('a');
    await reply('ab', works);
    assert.deepEqual([store.orderVersion, ends], [settled, []]);
    await reply('c', works);
    await done;
    assert.deepEqual([store.orderVersion, ends], [settled + 1, [1]]);
  });

  it('reads nobody again for an account that is as it was, or that no other deployment has', async () => {
    const { refreshDeployments, reply, asked } = await create({
      a: revoked,
      b: revoked,
      c: ownAccount,
    });
    const done = refreshDeployments('ac');
    await reply('a', revoked);
    await reply('c', { accounts: [{ id: 'acc_2' }], requirements: [] });
    await done;
    assert.equal(asked(), 'ac');
  });

  it('knows an account without an ID in no other deployment', async () => {
    const { refreshDeployments, reply, asked } = await create({ a: nameless({}), b: nameless({}) });
    const done = refreshDeployments('a');
    await reply('a', nameless());
    await done;
    assert.equal(asked(), 'a');
  });

  it('takes no answer for a contradiction that may hide that the account has failed', async () => {
    const { store, refreshDeployments, reply, asked } = await create(allRevoked);
    const done = refreshDeployments('a');
    await reply('a', works, [{ path: 'accounts[0].error', expected: 'object', found: 'string' }]);
    await done;
    assert.deepEqual([asked(), store.progress], ['a', undefined]);
  });

  it('counts as asked what waits in a running refresh', async () => {
    const { store, reply, asked } = await create(allRevoked, 1);
    const round = store.refresh();
    await reply('a', works);
    assert.deepEqual(store.progress, { done: 1, total: 3 });
    await reply('b', works);
    await reply('c', works);
    await round;
    assert.equal(asked(), 'abc');
  });

  it('reads once more what was sent before the newest answer and says something else', async () => {
    const { store, refreshDeployments, reply, asked } = await create(allRevoked);
    const done = Promise.all([refreshDeployments('a'), refreshDeployments('b')]);
    await reply('b', works);
    await reply('a', revoked);
    assert.equal(asked(), 'abca');
    await reply('ca', works);
    await done;
    assert.deepEqual([asked(), store.progress], ['abca', undefined]);
  });

  it('ends when two deployments go on contradicting each other, and reads neither again for it', async () => {
    const { store, refreshDeployments, reply, asked, outdated, states } = await create({
      a: revoked,
      b: revoked,
    });
    const done = refreshDeployments('a');
    await reply('a', works);
    await reply('b', revoked);
    await done;
    assert.deepEqual(
      [asked(), states(), store.progress],
      ['ab', 'b failed, a satisfied', undefined],
    );
    assert.equal(outdated(), '', 'both were read in one refresh');
    // Whichever is read last contradicts the other one.
    const rounds = [];
    for (const ids of ['ba', 'ab', 'ab', 'ba', 'ab']) {
      const before = asked().length;
      const round = store.refresh(Array.from(ids));
      for (let at = before; at < asked().length; at++) {
        const id = asked()[at]!;
        await reply(id, id === 'a' ? works : revoked);
      }
      await round;
      rounds.push(asked().slice(before));
    }
    assert.deepEqual(rounds, ['ba', 'aba', 'ab', 'ba', 'ab']);
  });

  it('reads a deployment again for each new contradiction, also after an earlier one was not resolved', async () => {
    const { read, refreshDeployments, reply, asked } = await create({ a: revoked, b: revoked });
    const first = refreshDeployments('a');
    await reply('a', works);
    await reply('b', revoked);
    await first;
    await read('b', works);
    const second = refreshDeployments('a');
    await reply('a', revoked);
    await reply('b', works);
    await second;
    assert.equal(asked(), 'abbab');
  });

  it('reads a deployment again for a contradiction that is gone and comes back, though it went unread before', async () => {
    const { store, refreshDeployments, reply, asked } = await create(allRevoked);
    const first = refreshDeployments('a');
    await reply('a', works);
    store.cancelRefresh();
    await first;
    const round = store.refresh();
    await reply('abc', revoked);
    await round;
    const { length } = asked();
    const second = refreshDeployments('a');
    await reply('abc', works);
    await second;
    assert.equal(asked().slice(length), 'abc');
  });

  it('reads a deployment again that a tool has asked before the account was fixed', async () => {
    const { store, platform, refreshDeployments, reply, asked, outdated } = await create({
      a: revoked,
      b: revoked,
    });
    const tool = store.refresh(['b'], { urgent: true, outsideProgress: true });
    platform.of('b').call.onPhase?.({ kind: 'sending' });
    const done = refreshDeployments('a');
    await reply('a', works);
    platform.asked
      .find(({ id, call }) => id === 'b' && !call.signal.aborted && call.urgent)!
      .end(revoked);
    await turn();
    assert.equal(asked(), 'bab');
    await reply('b', works);
    await Promise.all([tool, done]);
    assert.equal(outdated(), '');
  });

  it('reads a deployment again whose first reading with refreshInterval 0 was sent before', async () => {
    const { store, platform, refreshDeployments, reply, asked, outdated } = await create({
      a: revoked,
      b: revoked,
    });
    const first = store.refresh(['b'], { readsOnlyThese: true });
    platform.of('b').call.onPhase?.({ kind: 'sending' });
    const done = refreshDeployments('a');
    await reply('a', works);
    platform.of('b').end(revoked);
    await turn();
    assert.equal(asked(), 'bab');
    await reply('b', works);
    await Promise.all([first, done]);
    assert.equal(outdated(), '');
  });

  it('reads a deployment again with another token, whatever was left unread with the former', async () => {
    const { store, platform, refreshDeployments, reply, asked } = await create({
      a: revoked,
      b: revoked,
    });
    const first = refreshDeployments('a');
    await reply('a', works);
    store.setOrganization({ id: 'org', read: platform.read });
    await first;
    const { length } = asked();
    const second = refreshDeployments('a');
    await reply('ab', works);
    await second;
    assert.equal(asked().slice(length), 'ab');
  });

  it('reads each deployment at most once for an account, whose error is another one each time', async () => {
    const ids = 'abcdefgh';
    const { store, platform, asked } = await create(
      Object.fromEntries(Array.from(ids, (id) => [id, failed(id)])),
      1,
    );
    const round = store.refresh();
    for (let nth = 0; platform.open.length > 0; nth++) {
      assert.ok(nth < 100, asked());
      platform.open[0]!.end(failed(`code ${nth}`));
      await turn();
    }
    await round;
    assert.ok(asked().length <= 2 * ids.length, asked());
  });

  it('takes codes that are made anew for each answer for no other error, and sees all the same that it works', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => `${at}`);
    const { store, platform } = createWorld(
      ids.map((id) => ({ id })),
      { maxRequests: 1 },
    );
    let answered = 0;
    const end = async (outcome: () => Outcome) => {
      while (platform.open.length > 0) {
        platform.open[0]!.end(outcome());
        await turn();
      }
    };
    const newCode = () => failed(`code ${answered++}`);
    const first = store.refresh(undefined, { readsOnlyThese: true });
    await end(newCode);
    await first;
    const second = store.refresh();
    await end(newCode);
    await second;
    assert.equal(platform.asked.length, 60);
    const third = store.refresh(['7']);
    await end(() => works);
    await third;
    assert.equal(platform.asked.length, 90);
  });

  it('reads a deployment twice for two accounts that are fixed one after the other', async () => {
    const broken = two(false, false);
    const none = { accounts: [], requirements: [] };
    const { refreshDeployments, reply, asked } = await create({
      a: broken,
      b: broken,
      c: broken,
      d: none,
    });
    const first = refreshDeployments('ad');
    await reply('abc', two(true, false));
    const second = refreshDeployments('b');
    await reply('b', two(true, true));
    assert.equal(asked(), 'adbcbac');
    await reply('ac', two(true, true));
    await reply('d', none);
    await Promise.all([first, second]);
    assert.equal(asked(), 'adbcbac');
  });

  it('reads 2,000 deployments of one account once each, a few at a time', async () => {
    const names = Array.from({ length: 2000 }, (_, at) => `dep_${at}`);
    const { store, platform } = createWorld(
      names.map((id) => ({ id })),
      { maxRequests: 8 },
    );
    const end = async (outcome: Outcome) => {
      while (platform.open.length > 0) {
        for (const one of platform.open) one.end(outcome);
        await turn();
      }
    };
    const first = store.refresh();
    await end(revoked);
    await first;
    const before = platform.asked.length;
    const done = store.refresh(['dep_7'], { urgent: true });
    platform.of('dep_7').end(works);
    await turn();
    assert.deepEqual([platform.open.length, store.progress], [8, { done: 1, total: 2000 }]);
    await end(works);
    await done;
    assert.deepEqual(new Set(platform.asked.slice(before).map(({ id }) => id)).size, 2000);
    assert.equal(platform.asked.length - before, 2000);
    assert.equal(store.counts.healthy, 2000);
  });

  it('ends with Cancel Refresh, and does not begin anew what was cancelled', async () => {
    const { store, platform, refreshDeployments, reply, asked, outdated } =
      await create(allRevoked);
    const done = refreshDeployments('a');
    await reply('a', works);
    store.cancelRefresh();
    await done;
    assert.deepEqual(
      [asked(), platform.of('b').call.signal.aborted, store.progress],
      ['abc', true, undefined],
    );
    assert.equal(outdated(), 'bc');
    const again = refreshDeployments('a');
    await reply('a', works);
    await again;
    assert.equal(asked(), 'abca');
  });

  it('ends when the refresh that found it is aborted', async () => {
    const { store, platform, reply, asked } = await create(allRevoked);
    const controller = new AbortController();
    const round = store.refresh(['a'], { signal: controller.signal });
    await reply('a', works);
    assert.equal(asked(), 'abc');
    controller.abort();
    await round;
    assert.deepEqual([platform.of('b').call.signal.aborted, store.progress], [true, undefined]);
  });

  it('sends nothing after a 401', async () => {
    const { store, refreshDeployments, reply, asked } = await create(allRevoked, 1);
    const done = refreshDeployments('a');
    await reply('a', works);
    await reply('b', rejected);
    await done;
    assert.deepEqual([asked(), store.progress], ['ab', undefined]);
  });

  it('sends nothing with an open circuit breaker, whose first answer starts the round again', async () => {
    const { store, refreshDeployments, reply, asked } = await create(
      { ...allRevoked, d: revoked },
      3,
    );
    const done = refreshDeployments('a');
    await reply('a', works);
    await reply('bcd', unreachable);
    await reply('a', unreachable);
    await done;
    assert.deepEqual([store.cause?.kind, asked()], ['failure', 'abcda']);
    const { length } = asked();
    const probe = store.probe(['a'], new AbortController().signal);
    await reply('a', works);
    await probe;
    assert.deepEqual([store.cause, asked().slice(length)], [undefined, 'a']);
  });

  it('waits for the end of a pause as all that is read does', async () => {
    const { store, platform, pauses, clock, refreshDeployments, reply } = await create(allRevoked);
    const done = refreshDeployments('a');
    pauses['org'] = clock.now() + 60_000;
    await reply('a', works);
    platform.of('b').call.onPhase?.({ kind: 'paused', until: clock.now() + 60_000 });
    assert.deepEqual([store.cause?.kind, store.progress], ['paused', { done: 1, total: 3 }]);
    store.cancelRefresh();
    await done;
    assert.equal(store.progress, undefined);
  });

  const silent: readonly (readonly [
    string,
    Parameters<ReturnType<typeof createWorld>['store']['refresh']>[1],
  ])[] = [
    ['a tool or a probe', { urgent: true, outsideProgress: true }],
    ['a first reading with refreshInterval 0', { readsOnlyThese: true }],
  ];
  for (const [whom, options] of silent) {
    it(`follows no answer that ${whom} asked for`, async () => {
      const { store, reply, asked, outdated } = await create(allRevoked);
      const done = store.refresh(['a'], options);
      await reply('a', works);
      await done;
      assert.deepEqual([asked(), outdated(), store.progress], ['a', 'bc', undefined]);
    });
  }

  it('follows an answer that a tool and the user asked for', async () => {
    const { store, refreshDeployments, reply, asked } = await create(allRevoked);
    const both = Promise.all([
      store.refresh(['a'], { urgent: true, outsideProgress: true }),
      refreshDeployments('a'),
    ]);
    await reply('a', works);
    assert.equal(asked(), 'abc');
    await reply('bc', works);
    await both;
  });

  it('reads nothing again in a window without the focus', async () => {
    const { window, refreshDeployments, reply, asked, outdated } = await create(allRevoked);
    window.hasFocus = false;
    const done = refreshDeployments('a');
    await reply('a', works);
    await done;
    assert.deepEqual([asked(), outdated()], ['a', 'bc']);
    window.hasFocus = true;
    const again = refreshDeployments('a');
    await reply('a', works);
    await reply('bc', works);
    await again;
    assert.deepEqual([asked(), outdated()], ['aabc', '']);
  });

  it('goes by the order of sending when the clock was set back', async () => {
    const { clock, refreshDeployments, reply, asked, outdated } = await create(allRevoked);
    clock.setBack(3_600_000);
    const done = refreshDeployments('a');
    await reply('a', works);
    assert.deepEqual([asked(), outdated()], ['abc', 'bc']);
    await reply('bc', works);
    await done;
    assert.equal(outdated(), '');
  });

  it('shows no spinner in a row that the user did not ask for', async () => {
    const { store, clock, refreshDeployments, reply } = await create(allRevoked);
    const done = refreshDeployments('a');
    clock.pass(500);
    await reply('a', works);
    assert.deepEqual(
      store.deployments.map(({ activity }) => activity),
      ['idle', 'idle', 'idle'],
    );
    await reply('bc', works);
    await done;
  });

  it('names the deployments whose answers a newer one contradicts until they were read', async () => {
    const { store, clock, refreshDeployments, reply, outdated } = await create(allRevoked);
    const changes: string[] = [];
    store.onDidChange((change) =>
      changes.push(change === 'all' ? change : [...change].toSorted().join('')),
    );
    clock.pass(1000);
    const done = refreshDeployments('a');
    clock.pass(1000);
    await reply('a', works);
    clock.pass(1000);
    assert.deepEqual([outdated(), changes.at(-1)], ['bc', 'abc']);
    await reply('b', works);
    assert.equal(outdated(), 'c');
    await reply('c', works);
    await done;
    assert.equal(outdated(), '');
  });

  it('forgets what a deployment said that has left the list', async () => {
    const { store, refreshDeployments, reply, asked, outdated } = await create({
      a: works,
      b: works,
      c: revoked,
    });
    store.setListed(list('ab'));
    const first = refreshDeployments('a');
    await reply('a', works);
    await first;
    store.setListed(list('b'));
    const second = refreshDeployments('b');
    await reply('b', revoked);
    await second;
    assert.deepEqual([asked(), outdated()], ['ab', '']);
  });

  it('forgets what another organization answered', async () => {
    const { store, platform, refreshDeployments, reply, asked } = await create(allRevoked);
    store.setOrganization({ id: 'other', read: platform.read });
    const done = refreshDeployments('a');
    await reply('a', works);
    await done;
    assert.equal(asked(), 'a');
  });
});

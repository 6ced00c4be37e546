import assert from 'node:assert/strict';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { Failure } from '../../../../src/api/failure.js';
import type { RefreshOptions } from '../../../../src/model/store/reads.js';
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

const noAccounts: DeploymentAuthorization = { accounts: [], requirements: [] };

/** An answer with one account that has no ID. */
function nameless(error?: object): DeploymentAuthorization {
  return { accounts: [{ label: 'Finance', ...(error && { error }) }], requirements: [] };
}

/** An answer with the accounts acc_1 and acc_2, which have failed unless they are in `working`. */
function twoAccounts({ working }: { working: readonly string[] }): DeploymentAuthorization {
  const accounts = ['acc_1', 'acc_2'].map((id) =>
    working.includes(id) ? { id } : { id, error: { code: 'gone' } },
  );
  return { accounts, requirements: [] };
}

/** Makes a world whose deployments were all read in one refresh, with these answers. */
async function create(
  answers: Readonly<Record<string, Outcome>>,
  { maxRequests = Infinity }: { maxRequests?: number } = {},
) {
  const world = createWorld(Object.keys(answers).join(''), { maxRequests });
  const { platform, store } = world;
  const first = store.refresh(undefined, { readsOnlyThese: true });
  for (let answered = 0; answered < Object.keys(answers).length; answered++) {
    const { id } = platform.asked[answered]!;
    await world.reply(id, answers[id]!);
  }
  await first;
  const before = platform.asked.length;
  return {
    ...world,
    /** The deployments of all requests since the first refresh: "ab". */
    requestedIds: () =>
      platform.asked
        .slice(before)
        .map(({ id }) => id)
        .join(''),
    /** "b failed, a satisfied" in the order of the rows. */
    states: () => store.deployments.map(({ id, state }) => `${id} ${state}`).join(', '),
    /** The deployments whose last answer about acc_1 was contradicted by a later refresh. */
    outdatedIds: () =>
      store.deployments
        .filter(({ id }) => store.accountAnswers.isOutdated(id, 'acc_1'))
        .map(({ id }) => id)
        .join(''),
  };
}

const bothRevoked = { a: revoked, b: revoked };
const allRevoked = { a: revoked, b: revoked, c: revoked };

/** Refreshes a, which works now, then b, where the account is still said to be revoked. */
async function contradictEachOther() {
  const world = await create(bothRevoked);
  const done = world.refreshDeployments('a');
  await world.reply('a', works);
  await world.reply('b', revoked);
  await done;
  return world;
}

/** Refreshes a, which works now, and cancels when b and c are read again. */
async function cancelSecondReads() {
  const world = await create(allRevoked);
  const done = world.refreshDeployments('a');
  await world.reply('a', works);
  world.store.cancelRefresh();
  await done;
  return world;
}

/** Refreshes a, which works now; then nothing more is reachable. */
async function loseConnection() {
  const world = await create({ ...allRevoked, d: revoked }, { maxRequests: 3 });
  const { refreshDeployments, reply } = world;
  const done = refreshDeployments('a');
  await reply('a', works);
  await reply('bcd', unreachable);
  await reply('a', unreachable);
  await done;
  return world;
}

/** Refreshes a, which works now, in a window without the focus. */
async function refreshWithoutFocus() {
  const world = await create(allRevoked);
  world.window.hasFocus = false;
  const done = world.refreshDeployments('a');
  await world.reply('a', works);
  return { ...world, done };
}

/** Makes many deployments of one account; `endAll` answers until no request is open. */
function createMany(count: number, maxRequests: number) {
  const ids = Array.from({ length: count }, (_, at) => `dep_${at}`);
  const world = createWorld(
    ids.map((id) => ({ id })),
    { maxRequests },
  );
  const { platform } = world;
  const endAll = async (outcome: () => Outcome) => {
    while (platform.open.length > 0) {
      for (const one of platform.open) one.end(outcome());
      await turn();
    }
  };
  return { ...world, ids, endAll };
}

/** Reads many deployments of a revoked account, eight at a time, then one of them again, in which the account works. */
async function readOneOf(count: number) {
  const world = createMany(count, 8);
  const { endAll, platform, store } = world;
  const first = store.refresh();
  await endAll(() => revoked);
  await first;
  platform.asked.length = 0;
  const done = store.refresh(['dep_7'], { urgent: true });
  platform.of('dep_7').end(works);
  await turn();
  return { ...world, done };
}

/** Reads 30 deployments of an account twice; each answer has another error code. */
async function readWithNewCodes() {
  const world = createMany(30, 1);
  const { endAll, store } = world;
  let codes = 0;
  const newCode = () => {
    codes += 1;
    return failed(`code ${codes}`);
  };
  const first = store.refresh(undefined, { readsOnlyThese: true });
  await endAll(newCode);
  await first;
  const second = store.refresh();
  await endAll(newCode);
  await second;
  return world;
}

describe('a refresh', () => {
  const contradictions: readonly (readonly [
    string,
    DeploymentAuthorization,
    DeploymentAuthorization,
  ])[] = [
    ['works again', revoked, works],
    ['has failed', works, revoked],
    ['has failed with another error', revoked, expired],
    [
      'has failed without an error code',
      works,
      { accounts: [{ id: 'acc_1', error: {} }], requirements: [] },
    ],
  ];
  for (const [what, before, after] of contradictions) {
    it(`reads the other deployments of an account that ${what}`, async () => {
      const { refreshDeployments, reply, requestedIds } = await create({
        a: before,
        b: before,
        c: before,
      });
      const done = refreshDeployments('a');
      await reply('a', after);
      assert.equal(requestedIds(), 'abc');
      await reply('bc', after);
      await done;
      assert.equal(requestedIds(), 'abc');
    });

    it(`adds other deployments to its progress when an account ${what}`, async () => {
      const { store, refreshDeployments, reply } = await create({
        a: before,
        b: before,
        c: before,
      });
      const done = refreshDeployments('a');
      await reply('a', after);
      assert.deepEqual(store.progress, { done: 1, total: 3 });
      await reply('bc', after);
      await done;
      assert.equal(store.progress, undefined);
    });
  }

  it('sorts once, after the other deployments of an account were read', async () => {
    const { store, refreshDeployments, reply } = await create(allRevoked);
    const versionBefore = store.orderVersion;
    const done = refreshDeployments('a');
    await reply('ab', works);
    assert.equal(store.orderVersion, versionBefore);
    await reply('c', works);
    await done;
    assert.equal(store.orderVersion, versionBefore + 1);
  });

  it('notifies of a fix once, after the other deployments of the account were read', async () => {
    const { store, memory, refreshDeployments, reply } = await create(allRevoked);
    const notifications: (readonly string[])[] = [];
    memory.onDidFindOutcomes((outcomes) => notifications.push(outcomes.map(({ kind }) => kind)));
    const deployment = store.get('a')!;
    const problem = deployment.answer!.findings.problems[0]!;
    memory.notifyWhenFixed([{ deployment, problem }]);
    const done = refreshDeployments('a');
    await reply('ab', works);
    assert.deepEqual(notifications, []);
    await reply('c', works);
    await done;
    assert.deepEqual(notifications, [['fixed']]);
  });

  it('reads no other deployment when the account is as before', async () => {
    const { refreshDeployments, reply, requestedIds } = await create(bothRevoked);
    const done = refreshDeployments('a');
    await reply('a', revoked);
    assert.equal(requestedIds(), 'a');
    await done;
    assert.equal(requestedIds(), 'a');
  });

  it('reads no other deployment when only one has the account', async () => {
    const { refreshDeployments, reply, requestedIds } = await create({
      a: revoked,
      b: revoked,
      c: { accounts: [{ id: 'acc_2', error: {} }], requirements: [] },
    });
    const done = refreshDeployments('c');
    await reply('c', { accounts: [{ id: 'acc_2' }], requirements: [] });
    assert.equal(requestedIds(), 'c');
    await done;
    assert.equal(requestedIds(), 'c');
  });

  it('reads no other deployment when the account has no ID', async () => {
    const { refreshDeployments, reply, requestedIds } = await create({
      a: nameless({}),
      b: nameless({}),
    });
    const done = refreshDeployments('a');
    await reply('a', nameless());
    assert.equal(requestedIds(), 'a');
    await done;
    assert.equal(requestedIds(), 'a');
  });

  it('reads no other deployment when an unreadable field may hide the error of the account', async () => {
    const { store, refreshDeployments, reply, requestedIds } = await create(allRevoked);
    const done = refreshDeployments('a');
    await reply('a', works, [{ path: 'accounts[0].error', expected: 'object', found: 'string' }]);
    assert.equal(requestedIds(), 'a');
    await done;
    assert.equal(requestedIds(), 'a');
    assert.equal(store.progress, undefined);
  });

  it('reads other deployments once when their requests are still to be sent', async () => {
    const { store, reply, requestedIds } = await create(allRevoked, { maxRequests: 1 });
    const round = store.refresh();
    await reply('a', works);
    assert.deepEqual(store.progress, { done: 1, total: 3 });
    await reply('b', works);
    await reply('c', works);
    await round;
    assert.equal(requestedIds(), 'abc');
  });

  it('reads a deployment again when its older request contradicts a newer answer', async () => {
    const { store, refreshDeployments, reply, requestedIds } = await create(allRevoked);
    const done = Promise.all([refreshDeployments('a'), refreshDeployments('b')]);
    await reply('b', works);
    await reply('a', revoked);
    assert.equal(requestedIds(), 'abca');
    await reply('ca', works);
    await done;
    assert.equal(requestedIds(), 'abca');
    assert.equal(store.progress, undefined);
  });

  it('ends when two deployments go on contradicting each other', async () => {
    const { store, requestedIds, states } = await contradictEachOther();
    assert.equal(requestedIds(), 'ab');
    assert.equal(states(), 'b failed, a satisfied');
    assert.equal(store.progress, undefined);
  });

  it('leaves no answer outdated when both answers that contradict each other are its own', async () => {
    const { outdatedIds } = await contradictEachOther();
    assert.equal(outdatedIds(), '');
  });

  it('reads a deployment at most once more while two go on contradicting each other', async () => {
    const { store, reply, requestedIds } = await contradictEachOther();
    const requestsByRound: string[] = [];
    // The deployment that is read last contradicts the other one.
    for (const ids of ['ba', 'ab', 'ab', 'ba', 'ab']) {
      const before = requestedIds().length;
      const round = store.refresh(Array.from(ids));
      for (let at = before; at < requestedIds().length; at++) {
        const id = requestedIds()[at]!;
        await reply(id, id === 'a' ? works : revoked);
      }
      await round;
      requestsByRound.push(requestedIds().slice(before));
    }
    assert.deepEqual(requestsByRound, ['ba', 'aba', 'ab', 'ba', 'ab']);
  });

  it('reads a deployment again for a new contradiction after an unresolved one', async () => {
    const { read, refreshDeployments, reply, requestedIds } = await contradictEachOther();
    await read('b', works);
    const second = refreshDeployments('a');
    await reply('a', revoked);
    await reply('b', works);
    await second;
    assert.equal(requestedIds(), 'abbab');
  });

  it('reads a deployment again when a contradiction that was cancelled comes back', async () => {
    const { store, refreshDeployments, reply, requestedIds } = await cancelSecondReads();
    const round = store.refresh();
    await reply('abc', revoked);
    await round;
    const before = requestedIds().length;
    const second = refreshDeployments('a');
    await reply('abc', works);
    await second;
    assert.equal(requestedIds().slice(before), 'abc');
  });

  it('reads a deployment again that a tool requested before the account was fixed', async () => {
    const { store, platform, refreshDeployments, reply, requestedIds, outdatedIds } =
      await create(bothRevoked);
    const tool = store.refresh(['b'], { urgent: true, outsideProgress: true });
    const requestOfTool = platform.of('b');
    requestOfTool.call.onPhase?.({ kind: 'sending' });
    const done = refreshDeployments('a');
    await reply('a', works);
    requestOfTool.end(revoked);
    await turn();
    assert.equal(requestedIds(), 'bab');
    await reply('b', works);
    await Promise.all([tool, done]);
    assert.equal(outdatedIds(), '');
  });

  it('reads a deployment again whose first request was sent before the account was fixed', async () => {
    const { store, platform, refreshDeployments, reply, requestedIds, outdatedIds } =
      await create(bothRevoked);
    // With refreshInterval 0, a deployment is read when its row is shown for the first time.
    const first = store.refresh(['b'], { readsOnlyThese: true });
    platform.of('b').call.onPhase?.({ kind: 'sending' });
    const done = refreshDeployments('a');
    await reply('a', works);
    platform.of('b').end(revoked);
    await turn();
    assert.equal(requestedIds(), 'bab');
    await reply('b', works);
    await Promise.all([first, done]);
    assert.equal(outdatedIds(), '');
  });

  it('reads a deployment with another token that it could not read again with the former', async () => {
    const { store, platform, refreshDeployments, reply, requestedIds } = await create(bothRevoked);
    const first = refreshDeployments('a');
    await reply('a', works);
    store.setOrganization({ id: 'org', read: platform.read });
    await first;
    const before = requestedIds().length;
    const second = refreshDeployments('a');
    await reply('ab', works);
    await second;
    assert.equal(requestedIds().slice(before), 'ab');
  });

  it('reads each deployment at most twice when each answer has another error code', async () => {
    const ids = 'abcdefgh';
    const answers = Object.fromEntries(Array.from(ids, (id) => [id, failed(id)]));
    const { store, platform, requestedIds } = await create(answers, { maxRequests: 1 });
    const round = store.refresh();
    for (let nth = 0; platform.open.length > 0; nth++) {
      assert.ok(nth < 100, `endless: ${requestedIds()}`);
      platform.open[0]!.end(failed(`code ${nth}`));
      await turn();
    }
    await round;
    const requestCount = requestedIds().length;
    assert.ok(requestCount <= 2 * ids.length, `${requestCount} requests: ${requestedIds()}`);
  });

  it('reads no deployment again when error codes are known to be new in each answer', async () => {
    const { ids, platform } = await readWithNewCodes();
    assert.equal(platform.asked.length, 2 * ids.length);
  });

  it('reads the other deployments when an account works that had a new error code each time', async () => {
    const { ids, endAll, platform, store } = await readWithNewCodes();
    platform.asked.length = 0;
    const third = store.refresh(['dep_7']);
    await endAll(() => works);
    await third;
    assert.equal(platform.asked.length, ids.length);
  });

  it('reads a deployment twice for two accounts that are fixed one after the other', async () => {
    const broken = twoAccounts({ working: [] });
    const { refreshDeployments, reply, requestedIds } = await create({
      a: broken,
      b: broken,
      c: broken,
      d: noAccounts,
    });
    const first = refreshDeployments('ad');
    await reply('abc', twoAccounts({ working: ['acc_1'] }));
    const second = refreshDeployments('b');
    await reply('b', twoAccounts({ working: ['acc_1', 'acc_2'] }));
    assert.equal(requestedIds(), 'adbcbac');
    await reply('ac', twoAccounts({ working: ['acc_1', 'acc_2'] }));
    await reply('d', noAccounts);
    await Promise.all([first, second]);
    assert.equal(requestedIds(), 'adbcbac');
  });

  it('keeps to the limit of requests when it reads the other deployments of an account', async () => {
    const { platform } = await readOneOf(30);
    assert.equal(platform.open.length, 8);
  });

  it('reads 2,000 deployments of an account once each', async () => {
    const { done, endAll, ids, platform, store } = await readOneOf(2000);
    assert.deepEqual(store.progress, { done: 1, total: 2000 });
    await endAll(() => works);
    await done;
    const requestedIds = platform.asked.map(({ id }) => id);
    assert.deepEqual(requestedIds.toSorted(), ids.toSorted());
    assert.equal(store.counts.healthy, 2000);
  });

  it('stops the reads of other deployments on Cancel Refresh', async () => {
    const { store, platform, requestedIds } = await cancelSecondReads();
    assert.equal(requestedIds(), 'abc');
    assert.equal(platform.of('b').call.signal.aborted, true);
    assert.equal(store.progress, undefined);
  });

  it('leaves answers outdated whose second reads were cancelled', async () => {
    const { outdatedIds } = await cancelSecondReads();
    assert.equal(outdatedIds(), 'bc');
  });

  it('does not repeat the reads of other deployments that were cancelled before', async () => {
    const { refreshDeployments, reply, requestedIds } = await cancelSecondReads();
    const again = refreshDeployments('a');
    await reply('a', works);
    await again;
    assert.equal(requestedIds(), 'abca');
  });

  it('stops the reads of other deployments when its signal is aborted', async () => {
    const { store, platform, reply, requestedIds } = await create(allRevoked);
    const controller = new AbortController();
    const round = store.refresh(['a'], { signal: controller.signal });
    await reply('a', works);
    assert.equal(requestedIds(), 'abc');
    controller.abort();
    await round;
    assert.equal(platform.of('b').call.signal.aborted, true);
    assert.equal(store.progress, undefined);
  });

  it('reads no more deployments of an account after a 401', async () => {
    const { store, refreshDeployments, reply, requestedIds } = await create(allRevoked, {
      maxRequests: 1,
    });
    const done = refreshDeployments('a');
    await reply('a', works);
    await reply('b', rejected);
    await done;
    assert.equal(requestedIds(), 'ab');
    assert.equal(store.progress, undefined);
  });

  it('reads no more deployments of an account in an outage', async () => {
    const { store, requestedIds } = await loseConnection();
    assert.equal(store.cause?.kind, 'failure');
    assert.equal(requestedIds(), 'abcda');
  });

  it('leaves the other deployments to the next refresh when a probe ends the outage', async () => {
    const { store, reply, requestedIds } = await loseConnection();
    const before = requestedIds().length;
    const probe = store.probe(['a'], new AbortController().signal);
    await reply('a', works);
    await probe;
    assert.equal(store.cause, undefined);
    assert.equal(requestedIds().slice(before), 'a');
  });

  it('waits for the other deployments of an account while the organization is paused', async () => {
    const { store, platform, pauses, clock, refreshDeployments, reply } = await create(allRevoked);
    const done = refreshDeployments('a');
    pauses['org'] = clock.now() + 60_000;
    await reply('a', works);
    platform.of('b').call.onPhase?.({ kind: 'paused', until: clock.now() + 60_000 });
    assert.equal(store.cause?.kind, 'paused');
    assert.deepEqual(store.progress, { done: 1, total: 3 });
    store.cancelRefresh();
    await done;
    assert.equal(store.progress, undefined);
  });

  const silent: readonly (readonly [string, RefreshOptions])[] = [
    ['a tool or a probe', { urgent: true, outsideProgress: true }],
    ['the first reading with refreshInterval 0', { readsOnlyThese: true }],
  ];
  for (const [what, options] of silent) {
    it(`reads no other deployment for ${what}`, async () => {
      const { store, reply, requestedIds, outdatedIds } = await create(allRevoked);
      const done = store.refresh(['a'], options);
      await reply('a', works);
      assert.equal(requestedIds(), 'a');
      await done;
      assert.equal(requestedIds(), 'a');
      assert.equal(outdatedIds(), 'bc');
      assert.equal(store.progress, undefined);
    });
  }

  it('reads the other deployments of an account when a tool and the user asked', async () => {
    const { store, refreshDeployments, reply, requestedIds } = await create(allRevoked);
    const both = Promise.all([
      store.refresh(['a'], { urgent: true, outsideProgress: true }),
      refreshDeployments('a'),
    ]);
    await reply('a', works);
    assert.equal(requestedIds(), 'abc');
    await reply('bc', works);
    await both;
  });

  it('reads no other deployment in a window without the focus', async () => {
    const { done, requestedIds, outdatedIds } = await refreshWithoutFocus();
    assert.equal(requestedIds(), 'a');
    await done;
    assert.equal(requestedIds(), 'a');
    assert.equal(outdatedIds(), 'bc');
  });

  it('reads the other deployments of an account when the window has the focus again', async () => {
    const { done, window, refreshDeployments, reply, requestedIds, outdatedIds } =
      await refreshWithoutFocus();
    assert.equal(requestedIds(), 'a');
    await done;
    window.hasFocus = true;
    const again = refreshDeployments('a');
    await reply('a', works);
    await reply('bc', works);
    await again;
    assert.equal(requestedIds(), 'aabc');
    assert.equal(outdatedIds(), '');
  });

  it('reads the other deployments of an account when the clock was set back', async () => {
    const { clock, refreshDeployments, reply, requestedIds, outdatedIds } =
      await create(allRevoked);
    clock.setBack(3_600_000);
    const done = refreshDeployments('a');
    await reply('a', works);
    assert.equal(requestedIds(), 'abc');
    assert.equal(outdatedIds(), 'bc');
    await reply('bc', works);
    await done;
    assert.equal(outdatedIds(), '');
  });

  it('shows no spinner in the rows of the other deployments of an account', async () => {
    const { store, clock, refreshDeployments, reply } = await create(allRevoked);
    const done = refreshDeployments('a');
    clock.pass(500);
    await reply('a', works);
    const activities = store.deployments.map(({ activity }) => activity);
    assert.deepEqual(activities, ['idle', 'idle', 'idle']);
    await reply('bc', works);
    await done;
  });

  it('reads no other deployment when the only different answer has left the list', async () => {
    const { store, refreshDeployments, reply, requestedIds, outdatedIds } = await create({
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
    assert.equal(requestedIds(), 'ab');
    assert.equal(outdatedIds(), '');
  });

  it('reads no other deployment when its answers are of another organization', async () => {
    const { store, platform, refreshDeployments, reply, requestedIds } = await create(allRevoked);
    store.setOrganization({ id: 'other', read: platform.read });
    const done = refreshDeployments('a');
    await reply('a', works);
    assert.equal(requestedIds(), 'a');
    await done;
    assert.equal(requestedIds(), 'a');
  });
});

describe('an answer', () => {
  it('is outdated from a newer contradiction until its deployment is read again', async () => {
    const { refreshDeployments, reply, outdatedIds } = await create(allRevoked);
    const done = refreshDeployments('a');
    await reply('a', works);
    assert.equal(outdatedIds(), 'bc');
    await reply('b', works);
    assert.equal(outdatedIds(), 'c');
    await reply('c', works);
    await done;
    assert.equal(outdatedIds(), '');
  });

  it('has its deployment announced as changed when a newer answer contradicts it', async () => {
    const { store, clock, refreshDeployments, reply } = await create(allRevoked);
    const changes: string[] = [];
    store.onDidChange((change) =>
      changes.push(change === 'all' ? change : [...change].toSorted().join('')),
    );
    clock.pass(1000);
    const done = refreshDeployments('a');
    clock.pass(1000);
    await reply('a', works);
    clock.pass(1000);
    assert.equal(changes.at(-1), 'abc');
    await reply('bc', works);
    await done;
  });
});

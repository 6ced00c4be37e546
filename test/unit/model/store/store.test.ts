import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Failure } from '../../../../src/api/failure.js';
import { lastAttemptAt } from '../../../../src/model/findings/deployment.js';
import { Impact } from '../../../../src/model/problems/impact.js';
import { ReferenceTargets } from '../../../../src/model/references/targets.js';
import type { StoreChange } from '../../../../src/model/store/store.js';
import { ManualClock, turn } from '../../../support/manualClock.js';
import { bad, createWorld, failed, good, list, ManualPlatform, type Outcome } from './world.js';

const rejected: Failure = { kind: 'tokenRejected', status: 401 };
const notFound: Failure = { kind: 'notFound', status: 404 };
const timedOut: Failure = { kind: 'timedOut', after: 30_000 };
const unreachable: Failure = {
  kind: 'unreachable',
  cause: { step: 'dns', code: 'ENOTFOUND', host: 'host.example' },
};

function create(...given: Parameters<typeof createWorld>) {
  const world = createWorld(...given);
  const { clock, platform, store } = world;
  const events: { at: number; change: StoreChange }[] = [];
  store.onDidChange((change) => events.push({ at: clock.now(), change }));
  return {
    ...world,
    events,
    order: () => store.deployments.map(({ id }) => id).join(''),
    states: () =>
      store.deployments.map(({ id, state, activity }) => `${id} ${state} ${activity}`).join(', '),
    aborted: (id: string) => platform.of(id).call.signal.aborted,
  };
}

describe('deployment store: reading', () => {
  it('knows nothing without an organization', async () => {
    const { store, platform } = create();
    store.setOrganization(undefined);
    await Promise.all([store.refresh(), store.refresh(['a'])]);
    assert.deepEqual(
      [store.deployments, store.counts.total, store.get('a'), platform.ids],
      [[], 0, undefined, ''],
    );
  });

  it('counts what is listed, and says beside it that a list of the workspace is ignored', async () => {
    const { store, read, clock, events } = create('a');
    await read('a', good);
    assert.equal(store.counts.isListIgnored, undefined);
    clock.pass(1000);
    events.length = 0;
    store.setListIgnored(true);
    store.setListIgnored(true);
    await turn();
    assert.deepEqual([store.counts.total, store.counts.isListIgnored], [1, true]);
    assert.deepEqual(
      events.map(({ change }) => change),
      ['all'],
    );
    store.setListIgnored(false);
    assert.equal(store.counts.isListIgnored, undefined);
  });

  it('shows each step of a read that the user asked for and that takes half a second', async () => {
    const { store, platform, clock, states, refreshDeployments } = create('a');
    assert.equal(states(), 'a notYetRead idle');
    const done = refreshDeployments('a');
    platform.of('a').call.onPhase?.({ kind: 'paused', until: 9e9 });
    clock.pass(499);
    assert.equal(states(), 'a notYetRead idle');
    clock.pass(1);
    assert.equal(states(), 'a notYetRead waiting');
    platform.of('a').call.onPhase?.({ kind: 'sending' });
    assert.equal(states(), 'a notYetRead reading');
    platform.of('a').end(bad);
    await done;
    assert.deepEqual([states(), platform.of('a').call.urgent], ['a notSatisfied idle', true]);
    assert.equal(store.progress, undefined);
  });

  it('keeps the last good data when a read fails, and drops the failure when one succeeds', async () => {
    const { store, read, clock } = create('a');
    assert.equal((await read('a', notFound))?.state, 'unknown');
    const second = await read('a', bad);
    assert.equal(second?.failedRead, undefined);
    const failedRead = { failure: notFound, at: clock.now() };
    assert.deepEqual(await read('a', notFound), { ...second, state: 'unknown', failedRead });
    assert.deepEqual([store.counts.failing, store.counts.unknown], [0, 1]);
  });

  it('takes an error that is not of the client for the end of the read all the same', async () => {
    const { store } = create('a');
    store.setOrganization({
      id: 'org',
      read: () => Promise.reject(new TypeError('a mistake of ours')),
    });
    await store.refresh(['a']);
    assert.deepEqual(store.cause?.kind === 'failure' && store.cause.failure, {
      kind: 'connectionLost',
      code: 'UNKNOWN',
    });
  });

  for (const urgent of [true, false]) {
    it(`shares one ${urgent ? 'urgent' : 'background'} read among all that want it, and stops it when the last of them leaves`, async () => {
      const { store, platform, clock, aborted, reply, states } = create('a');
      await store.refresh(['a'], { urgent, signal: AbortSignal.abort() });
      const [one, other] = [new AbortController(), new AbortController()];
      const first = store.refresh(['a'], { urgent, signal: one.signal });
      const second = store.refresh(['a'], { urgent, signal: other.signal });
      clock.pass(500);
      one.abort();
      await first;
      assert.deepEqual(
        [states(), aborted('a')],
        [`a notYetRead ${urgent ? 'waiting' : 'idle'}`, false],
      );
      other.abort();
      await second;
      assert.deepEqual([states(), aborted('a'), clock.waiting], ['a notYetRead idle', true, 0]);
      await reply('a', bad);
      assert.deepEqual(
        [states(), platform.ids, store.progress],
        ['a notYetRead idle', 'a', undefined],
      );
    });
  }
});

/** An automatic round has read a and is reading b, when the user asks for a refresh. */
async function createDuringRound() {
  const world = create('abc', { maxRequests: 1 });
  const round = world.store.refresh();
  await world.reply('a', good);
  const refresh = world.store.refresh(undefined, { rereadsFinished: true });
  return { ...world, round, refresh };
}

describe('deployment store: several at once', () => {
  it('gives the client some at a time, and counts in each event what has arrived by then', async () => {
    const { store, platform, reply, clock } = create('abcde', { maxRequests: 2 });
    const told: unknown[] = [];
    store.onDidChange(() => told.push(store.progress));
    const done = store.refresh();
    assert.deepEqual(store.progress, { done: 0, total: 5 });
    assert.deepEqual([platform.ids, platform.of('a').call.urgent], ['ab', false]);
    await reply('b', good);
    assert.equal(platform.ids, 'abc');
    clock.pass(1000);
    assert.deepEqual(told.at(-1), { done: 1, total: 5 });
    await reply('acde', notFound);
    await done;
    assert.equal(told.at(-1), undefined);
    assert.deepEqual(store.counts, {
      total: 5,
      failing: 0,
      unknown: 4,
      notYetRead: 0,
      muted: 0,
      healthy: 1,
    });
  });

  it('reads only those asked for, adds to a refresh that runs, and knows what is not listed', async () => {
    const { store, platform, reply } = create('abc');
    await store.refresh([]);
    await store.refresh(['unlisted']);
    const first = store.refresh(['a']);
    const both = store.refresh(['a', 'b']);
    assert.deepEqual(store.progress, { done: 0, total: 2 });
    await reply('a', good);
    await first;
    await store.refresh(['a']);
    assert.deepEqual(store.progress, { done: 1, total: 2 });
    await reply('b', good);
    await both;
    assert.equal(platform.ids, 'ab');
  });

  it('moves ahead what the user asks for and the client has not sent, and asks nothing twice at a time', async () => {
    const { store, platform, clock, reply, refreshDeployments, states } = create('abcd', {
      maxRequests: 2,
    });
    const all = store.refresh();
    const waiting = platform.of('a');
    const one = refreshDeployments('a');
    assert.deepEqual([waiting.call.signal.aborted, platform.of('a').call.urgent], [true, true]);
    clock.pass(500);
    waiting.call.onPhase?.({ kind: 'sending' });
    assert.equal(store.get('a')?.activity, 'waiting');
    const ahead = refreshDeployments('d');
    assert.equal(platform.ids, 'abacd');
    await reply('d', good);
    await ahead;
    assert.deepEqual(store.progress, { done: 1, total: 4 });
    waiting.end(failed('old'));
    await turn();
    await reply('a', bad);
    await one;
    assert.equal(store.get('a')?.state, 'notSatisfied');
    await reply('bc', good);
    await all;
    assert.deepEqual([platform.ids, states().includes('waiting')], ['abacd', false]);
  });

  for (const [sentFor, reads] of [
    [1000, 1],
    [1001, 2],
  ] as const) {
    it(`${reads === 1 ? 'shares' : 'waits for'} a read that was sent ${sentFor} ms before the user asked${reads === 1 ? '' : ', and reads once more'}`, async () => {
      const { store, platform, clock, reply, aborted, refreshDeployments, states } = create('a');
      const all = store.refresh();
      platform.of('a').call.onPhase?.({ kind: 'sending' });
      clock.pass(sentFor);
      const one = refreshDeployments('a');
      assert.equal(states(), 'a notYetRead idle');
      clock.pass(500);
      assert.deepEqual(
        [platform.ids, aborted('a'), states()],
        ['a', false, 'a notYetRead reading'],
      );
      await reply('a', good);
      await all;
      if (reads === 2) {
        assert.deepEqual(
          [states(), store.progress],
          ['a satisfied waiting', { done: 0, total: 1 }],
        );
        assert.equal(platform.of('a').call.urgent, true);
        await reply('a', bad);
      }
      await one;
      assert.deepEqual([platform.asked.length, store.progress], [reads, undefined]);
    });
  }

  it('stops a read that is to be followed by another when neither is waited for', async () => {
    const { store, platform, clock, aborted, refreshDeployments } = create('a');
    const round = new AbortController();
    const automatic = store.refresh(['a'], { signal: round.signal });
    platform.of('a').call.onPhase?.({ kind: 'sending' });
    clock.pass(5000);
    const one = refreshDeployments('a');
    round.abort();
    await automatic;
    assert.equal(aborted('a'), false);
    store.cancelRefresh();
    await one;
    assert.deepEqual([aborted('a'), store.progress, platform.ids], [true, undefined, 'a']);
  });

  it('cancel ends what the user asked for, also while a 429 pauses it, but no probe and no tool', async () => {
    const { store, platform, clock, refreshDeployments, aborted, states } = create('abc');
    const apart = new AbortController();
    const probe = store.refresh(['b'], { outsideProgress: true, signal: apart.signal });
    const tool = store.refresh(['c'], {
      urgent: true,
      outsideProgress: true,
      signal: apart.signal,
    });
    assert.equal(store.progress, undefined);
    const one = refreshDeployments('ab');
    for (const { call } of platform.open) call.onPhase?.({ kind: 'paused', until: 9e9 });
    assert.deepEqual(store.progress, { done: 0, total: 2 });
    clock.pass(500);
    assert.equal(states(), 'a notYetRead waiting, b notYetRead waiting, c notYetRead idle');
    store.cancelRefresh();
    await one;
    assert.deepEqual(
      [aborted('a'), aborted('b'), aborted('c'), store.progress],
      [true, false, false, undefined],
    );
    assert.equal(states(), 'a notYetRead idle, b notYetRead idle, c notYetRead idle');
    apart.abort();
    await Promise.all([probe, tool]);
    assert.deepEqual([aborted('b'), aborted('c')], [true, true]);
  });

  it('reads for a probe what the running refresh has read already', async () => {
    const { store, platform, reply } = create('ab');
    void store.refresh();
    await reply('a', good);
    const probe = store.refresh(['a'], { outsideProgress: true });
    assert.deepEqual(store.progress, { done: 1, total: 2 });
    await reply('ab', good);
    await probe;
    assert.equal(platform.ids, 'aba');
  });

  describe('asked by the user while an automatic round runs', () => {
    it('reads again what the round has read, and once what it has yet to read', async () => {
      const { reply, round, refresh, platform, states } = await createDuringRound();
      await reply('bc', good);
      await round;
      await reply('a', bad);
      await refresh;
      assert.equal(platform.ids, 'abca');
      assert.match(states(), /a notSatisfied/);
    });

    it('counts from the start, until all is read again', async () => {
      const { store, reply } = await createDuringRound();
      assert.deepEqual(store.progress, { done: 0, total: 3 });
      await reply('bc', good);
      assert.deepEqual(store.progress, { done: 2, total: 3 });
      await reply('a', good);
      assert.equal(store.progress, undefined);
    });

    it('is cancelled together with the round', async () => {
      const { store, round, refresh, platform, aborted } = await createDuringRound();
      store.cancelRefresh();
      await Promise.all([round, refresh]);
      assert.deepEqual([platform.ids, aborted('b'), store.progress], ['ab', true, undefined]);
    });
  });

  for (const asked of [false, true]) {
    it(`ends an automatic round with its signal${asked ? ', but not what the user asked for meanwhile' : ''}`, async () => {
      const { store, aborted, reply, platform } = create('abc', { maxRequests: 1 });
      const round = new AbortController();
      const automatic = store.refresh(undefined, { signal: round.signal });
      if (asked) void store.refresh(['a', 'b']);
      round.abort();
      await automatic;
      assert.deepEqual([aborted('a'), store.progress?.total], [!asked, asked ? 2 : undefined]);
      if (asked) await reply('ab', good);
      await store.refresh(undefined, { signal: round.signal });
      assert.deepEqual([platform.ids, store.progress], [asked ? 'ab' : 'a', undefined]);
    });
  }

  it('settles the order when it ends, worst first and then by name', async () => {
    const labels = ['1zebra', '2Ape', '3émeu', '5fox', '4fox'];
    const listed = [
      ...labels.map(([id = '', ...label]) => ({ id, label: label.join('') })),
      { id: '6' },
    ];
    const { store, reply, order } = create(listed);
    assert.equal(order(), '623451');
    const done = store.refresh();
    await reply('1', failed('x'));
    await reply('2', good);
    await reply('3', notFound);
    await reply('54', bad);
    assert.equal(order(), '623451');
    store.cancelRefresh();
    await done;
    assert.equal(order(), '145362');
  });

  it('takes a new list while it runs, and reads what comes back to it', async () => {
    const { store, reply, order, platform, aborted } = create('abcd', { maxRequests: 1 });
    const done = store.refresh();
    store.setListed([...list('db'), { id: 'c', label: 'Sea' }, { id: 'A' }]);
    assert.deepEqual([order(), aborted('a'), store.get('a')], ['bcdA', true, undefined]);
    store.setListed(list('abc'));
    void store.refresh(['a']);
    await reply('bca', good);
    await done;
    assert.equal(platform.ids, 'abca');
  });

  it('keeps data of ids that stay and of a label that changes, and says nothing of the same list', async () => {
    const { store, read, events, clock } = create('ab');
    const before = await read('a', bad);
    clock.pass(1000);
    events.length = 0;
    for (let times = 0; times < 2; times++) {
      store.setListed([{ id: 'a', label: 'Name' }]);
      await turn();
      clock.pass(1000);
    }
    const { answer, name } = store.get('a') ?? {};
    assert.deepEqual([answer, name, events.length], [before?.answer, 'Name', 1]);
    store.setListed([]);
    assert.equal(store.counts.total, 0);
  });

  it('names deployments that share a label with their IDs, for as long as they do', async () => {
    const a = { id: 'a', label: 'Sync' };
    const b = { id: 'b', label: 'Sync' };
    const { store, read } = create([a]);
    const before = await read('a', bad);
    const named = () => store.deployments.map(({ id, label, name }) => [id, label, name]);
    store.setListed([a, b]);
    assert.deepEqual(named(), [
      ['a', 'Sync', 'Sync (a)'],
      ['b', 'Sync', 'Sync (b)'],
    ]);
    assert.equal(store.get('a')?.answer, before?.answer);
    store.setListed([a]);
    assert.deepEqual(named(), [['a', 'Sync', 'Sync']]);
  });
});

describe('deployment store: the first reading', () => {
  it('brings failing ones to the top once a second where that is wanted, and no later one does', async () => {
    const { store, reply, clock, order } = create('abcdef');
    for (const [ids, isFirst] of [
      ['fed', true],
      ['abc', false],
    ] as const) {
      const before = order();
      const done = store.refresh();
      await reply(ids[0]!, bad);
      store.sortFirstReading();
      const then = order();
      assert.equal(then[0], isFirst ? 'f' : before[0]);
      await reply(ids[1]!, bad);
      store.sortFirstReading();
      assert.equal(order(), then, 'not yet');
      clock.pass(1000);
      store.sortFirstReading();
      assert.equal(order(), isFirst ? 'efabcd' : before);
      await reply('abcdef'.replaceAll(new RegExp(`[${ids.slice(0, 2)}]`, 'g'), ''), good);
      await done;
      assert.equal(order(), isFirst ? 'efabcd' : 'abcdef');
    }
  });

  it('is one also after an outage in which nothing was read', async () => {
    const { store, reply } = create('ab');
    void store.refresh();
    await reply('ab', unreachable);
    assert.equal(store.isFirstReading, true);
    void store.refresh();
    await reply('ab', good);
    assert.equal(store.isFirstReading, false);
  });
});

/** All are read; then a refresh that the user asked for has failed for a, and still reads the others. */
async function createHalfRead() {
  const world = create('abc');
  const { clock, refreshDeployments, reply, platform, store } = world;
  for (const id of 'abc') await world.read(id, good);
  const done = refreshDeployments('abc');
  await reply('a', timedOut);
  for (const { call } of platform.open) call.onPhase?.({ kind: 'sending' });
  clock.pass(500);
  assert.equal(store.get('b')?.activity, 'reading');
  return { ...world, done };
}

describe('deployment store: organizations', () => {
  it('forgets everything at once, ends every read and drops late answers', async () => {
    const { store, platform, events, read, reply, states } = create('ab');
    await read('a', bad);
    const reads = [store.refresh(), store.refresh(['b'])];
    events.length = 0;
    const other = new ManualPlatform(new ManualClock());
    store.setOrganization({ id: 'other', read: other.read });
    assert.equal(events.at(-1)?.change, 'all');
    await Promise.all(reads);
    await reply('ab', failed('late'));
    assert.equal(states(), 'a notYetRead idle, b notYetRead idle');
    assert.ok(platform.asked.slice(1).every(({ call }) => call.signal.aborted));
    assert.deepEqual([other.ids, store.progress], ['', undefined]);
  });

  it('shows nothing in the next one of what failed in the one before', async () => {
    const { store, platform, done, states } = await createHalfRead();
    store.setOrganization({ id: 'other', read: platform.read });
    await done;
    assert.equal(states(), 'a notYetRead idle, b notYetRead idle, c notYetRead idle');
  });

  it('shows nothing with another token of what failed with the one before, and reads no more', async () => {
    const { store, platform, done, states } = await createHalfRead();
    store.setOrganization({ id: 'org', read: platform.read });
    await done;
    assert.equal(states(), 'a satisfied idle, b satisfied idle, c satisfied idle');
  });

  it('settles problems of the current one alone', async () => {
    const { store, platform, memory, done } = await createHalfRead();
    const settled: unknown[] = [];
    memory.endRefresh = (listed) => settled.push(listed);
    store.setOrganization({ id: 'other', read: platform.read });
    await done;
    assert.deepEqual(settled, []);
  });

  it('keeps the data when only the token is another, and asks with that', async () => {
    const { store, platform, read, clock } = create('a');
    await read('a', bad);
    await read('a', rejected);
    assert.equal(store.cause?.kind, 'failure');
    const renewed = new ManualPlatform(clock);
    store.setOrganization({ id: 'org', read: renewed.read });
    assert.deepEqual([store.cause, store.get('a')?.state], [undefined, 'notSatisfied']);
    void store.refresh(['a']);
    assert.deepEqual([platform.ids, renewed.ids], ['aa', 'a']);
  });
});

describe('deployment store: a slow old answer', () => {
  const works = { accounts: [{ id: 'acc_1', label: 'Finance' }], requirements: [] };

  /** a is asked, and 20 s later b, which says at once that their account works. After 5 s more a says that it failed. */
  async function createSlow() {
    const world = create('ab');
    const { clock, read, reply, store } = world;
    for (const id of 'ab') await read(id, works);
    const impact = new Impact(store);
    const sentAt = clock.now();
    const alone = { urgent: true, readsOnlyThese: true };
    const slow = store.refresh(['a'], alone);
    clock.pass(20_000);
    const later = store.refresh(['b'], alone);
    await reply('b', works);
    clock.pass(5000);
    await reply('a', failed('revoked'));
    await Promise.all([slow, later]);
    return { ...world, impact, sentAt };
  }

  it('says nothing of an account that a newer request found working', async () => {
    const { impact } = await createSlow();
    assert.equal(impact.newestReading('acc_1')?.finding.problem, undefined);
  });

  it('is not what a reference to the account stands for', async () => {
    const { impact, memory, store } = await createSlow();
    assert.deepEqual(new ReferenceTargets({ impact, memory, store }).problemsOf('acc_1'), []);
  });

  it('has no new problem', async () => {
    const { found } = await createSlow();
    assert.deepEqual(found, []);
  });

  it('has a new problem once the answer to a newer request says the same', async () => {
    const { found, read } = await createSlow();
    await read('a', failed('revoked'));
    assert.deepEqual(found, ['a']);
  });

  it('is as old as its request', async () => {
    const { sentAt, store } = await createSlow();
    assert.equal(lastAttemptAt(store.get('a')), sentAt);
  });
});

describe('deployment store: causes', () => {
  it('has the pause of its organization and fires when it begins or ends', async () => {
    const { store, clock, pauses, events } = create('a');
    pauses['another'] = 1;
    assert.equal(store.cause, undefined);
    pauses['org'] = 2;
    assert.deepEqual(store.cause, { kind: 'paused', until: 2 });
    store.pausesChanged();
    await turn();
    clock.pass(1000);
    assert.equal(events.length, 1);
  });
});

describe('deployment store: events', () => {
  it('come at most every 250 ms, the first at once and one with the last answer, and name what changed', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => ({ id: `dep_${index}` }));
    const { store, platform, clock, events } = create(ids, { maxRequests: 8 });
    const began = clock.now();
    const done = store.refresh();
    await turn();
    for (let answered = 0; answered < ids.length; answered++) {
      clock.pass(9);
      platform.asked[answered]?.end(answered === 0 ? good : bad);
      await turn();
    }
    await done;
    assert.equal(events.map(({ at }) => at - began).join(), '0,250,500,750,900');
    assert.equal(events.at(-1)?.change, 'all');
    clock.pass(1000);
    assert.equal(events.length, 5);
    void store.refresh(['dep_7'], { urgent: true });
    await turn();
    clock.pass(500);
    await turn();
    assert.deepEqual(events.at(-1)?.change, new Set(['dep_7']));
  });

  it('survive a listener that throws', async () => {
    const { store, events } = create('a');
    const thrown: unknown[] = [];
    process.setUncaughtExceptionCaptureCallback((error) => thrown.push(error));
    const listening = store.onDidChange(() => assert.fail('a mistake of a view'));
    store.onDidChange(() => thrown.push('told'));
    void store.refresh(['a']);
    await turn();
    process.setUncaughtExceptionCaptureCallback(null);
    listening.dispose();
    assert.deepEqual([thrown.length, thrown[0], events.length], [2, 'told', 1]);
  });

  it('dispose ends everything', async () => {
    const { store, reply, clock, events, aborted } = create('ab');
    void store.refresh();
    const { length } = events;
    store.dispose();
    await reply('ab', good);
    assert.deepEqual(
      [aborted('a'), aborted('b'), clock.waiting, events.length],
      [true, true, 0, length],
    );
  });
});

describe('deployment store: new problems', () => {
  it('are told once for a refresh of all, at its end, and not of an organization that is gone', async () => {
    const { store, read, reply, found } = create('abc');
    for (const id of 'abc') await read(id, good);
    const done = store.refresh();
    await reply('a', bad);
    await reply('c', failed('x'));
    assert.deepEqual(found, []);
    await reply('b', notFound);
    await done;
    void store.refresh();
    await reply('b', bad);
    store.setOrganization(undefined);
    assert.deepEqual(found, ['ac']);
  });
});

it('of several problems of a deployment the new one is told', async () => {
  const { memory, read } = createWorld('a');
  const told: unknown[] = [];
  memory.onDidFindNewProblems((problems) =>
    told.push(...problems.map(({ problem }) => problem.finding.name)),
  );
  const [old, another] = ['a', 'b'].map((binding) => ({ binding, satisfied: false }));
  await read('a', good);
  await read('a', { accounts: [], requirements: [old!] });
  await read('a', { accounts: [], requirements: [another!, old!] });
  assert.deepEqual(told, ['a', 'b']);
});

describe('deployment store: anything in any order', () => {
  const anyId = fc.constantFrom('a', 'b', 'c', 'd');
  const step = fc.record({
    what: fc.constantFrom(
      'all',
      'again',
      'cancel',
      'one',
      'probe',
      'send',
      'list',
      'organization',
      'reply',
      'pass',
    ),
    id: anyId,
    ids: fc.uniqueArray(anyId),
    other: fc.constantFrom('x', 'y', undefined),
    at: fc.nat(9),
    outcome: fc.constantFrom<Outcome>(good, bad, failed('x'), rejected, unreachable, notFound),
    time: fc.nat(300),
  });

  it('never asks the same twice at a time, and never sticks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const { store, platform, clock } = create('abcd', { maxRequests: 2 });
        const wanted = () => platform.open.filter(({ call }) => !call.signal.aborted);
        const promises: unknown[] = [];
        for (const { what, id, ids, other, at, outcome, time } of steps) {
          const acts: Record<typeof what, () => unknown> = {
            all: () => store.refresh(),
            again: () => store.refresh(undefined, { rereadsFinished: true }),
            cancel: () => store.cancelRefresh(),
            one: () => store.refresh([id], { urgent: true }),
            probe: () =>
              store.refresh([id], { outsideProgress: true, signal: AbortSignal.timeout(time) }),
            list: () => store.setListed(list(ids.join(''))),
            organization: () => store.setOrganization(other && { id: other, read: platform.read }),
            send: () => platform.open[at]?.call.onPhase?.({ kind: 'sending' }),
            reply: () => platform.open[at]?.end(outcome),
            pass: () => clock.pass(time),
          };
          promises.push(acts[what]());
          await turn();
          const read = wanted().map((asked) => asked.id);
          assert.equal(new Set(read).size, read.length);
          assert.ok(
            store.deployments.every((one) => one.activity !== 'reading' || read.includes(one.id)),
          );
        }
        for (let next = wanted()[0]; next; next = wanted()[0]) {
          next.end(good);
          await turn();
        }
        await Promise.all(promises);
        assert.equal(store.progress, undefined);
        assert.ok(store.deployments.every(({ activity }) => activity === 'idle'));
      }),
      { numRuns: 150 },
    );
  });
});

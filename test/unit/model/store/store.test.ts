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

/** Makes a world of `createWorld` that keeps the store's change events with their times. */
function create(...given: Parameters<typeof createWorld>) {
  const world = createWorld(...given);
  const { clock, platform, store } = world;
  const events: { at: number; change: StoreChange }[] = [];
  store.onDidChange((change) => events.push({ at: clock.now(), change }));
  return {
    ...world,
    events,
    /** The deployments in the order of their rows: "ba". */
    order: () => store.deployments.map(({ id }) => id).join(''),
    /** "a notYetRead idle, b satisfied waiting" in the order of the rows. */
    states: () =>
      store.deployments.map(({ id, state, activity }) => `${id} ${state} ${activity}`).join(', '),
    /** Whether the newest request for this deployment was cancelled. */
    isAborted: (id: string) => platform.of(id).call.signal.aborted,
  };
}

type World = ReturnType<typeof create>;

const stillWantedIds = ({ platform }: World) =>
  platform.open.filter(({ call }) => !call.signal.aborted).map(({ id }) => id);

describe('the store without an organization', () => {
  it('has no deployments', () => {
    const { store } = create();
    store.setOrganization(undefined);
    assert.deepEqual(store.deployments, []);
    assert.equal(store.counts.total, 0);
    assert.equal(store.get('a'), undefined);
  });

  it('sends no requests for a refresh', async () => {
    const { store, platform } = create();
    store.setOrganization(undefined);
    await Promise.all([store.refresh(), store.refresh(['a'])]);
    assert.equal(platform.ids, '');
  });
});

describe('an ignored list of the workspace', () => {
  it('is named in the counts', async () => {
    const { store, read } = create('a');
    await read('a', good);
    assert.equal(store.counts.isListIgnored, undefined);
    store.setListIgnored(true);
    assert.equal(store.counts.isListIgnored, true);
    store.setListIgnored(false);
    assert.equal(store.counts.isListIgnored, undefined);
  });

  it('does not change the number of listed deployments', () => {
    const { store } = create('a');
    store.setListIgnored(true);
    assert.equal(store.counts.total, 1);
  });

  it('fires one event when it is set twice', async () => {
    const { store, read, clock, events } = create('a');
    await read('a', good);
    clock.pass(1000);
    events.length = 0;
    store.setListIgnored(true);
    store.setListIgnored(true);
    await turn();
    const changes = events.map(({ change }) => change);
    assert.deepEqual(changes, ['all']);
  });
});

/** The user has asked to refresh a, in a pause. */
function startRead() {
  const world = create('a');
  const done = world.refreshDeployments('a');
  world.platform.of('a').call.onPhase?.({ kind: 'paused', until: 9e9 });
  return { ...world, done };
}

describe('a deployment that the user refreshes', () => {
  it('is shown as waiting after half a second', () => {
    const { clock, states } = startRead();
    clock.pass(499);
    assert.equal(states(), 'a notYetRead idle');
    clock.pass(1);
    assert.equal(states(), 'a notYetRead waiting');
  });

  it('is shown as reading when its request is sent', () => {
    const { platform, clock, states } = startRead();
    clock.pass(500);
    platform.of('a').call.onPhase?.({ kind: 'sending' });
    assert.equal(states(), 'a notYetRead reading');
  });

  it('is shown as idle when it was answered', async () => {
    const { store, platform, clock, states, done } = startRead();
    clock.pass(500);
    platform.of('a').end(bad);
    await done;
    assert.equal(states(), 'a notSatisfied idle');
    assert.equal(store.progress, undefined);
  });

  it('is shown as waiting when a probe reads the deployment, too', () => {
    const { states } = startBesideProbeAndTool();
    assert.equal(states(), 'a notYetRead waiting, b notYetRead waiting, c notYetRead idle');
  });

  it('is requested with urgency', () => {
    const { platform } = startRead();
    assert.equal(platform.of('a').call.urgent, true);
  });
});

describe('a failed read', () => {
  it('makes its deployment unknown', async () => {
    const { read } = create('a');
    const deployment = await read('a', notFound);
    assert.equal(deployment?.state, 'unknown');
  });

  it('is forgotten when the next read succeeds', async () => {
    const { read } = create('a');
    await read('a', notFound);
    const deployment = await read('a', bad);
    assert.equal(deployment?.failedRead, undefined);
  });

  it('keeps the last good data', async () => {
    const { read, clock } = create('a');
    const before = await read('a', bad);
    const after = await read('a', notFound);
    const failedRead = { failure: notFound, at: clock.now() };
    assert.deepEqual(after, { ...before, state: 'unknown', failedRead });
  });

  it('has its deployment counted as unknown, not as failing', async () => {
    const { store, read } = create('a');
    await read('a', bad);
    await read('a', notFound);
    assert.equal(store.counts.failing, 0);
    assert.equal(store.counts.unknown, 1);
  });

  it('is a lost connection when the client throws an unexpected error', async () => {
    const { store } = create('a');
    store.setOrganization({
      id: 'org',
      read: () => Promise.reject(new TypeError('a mistake of ours')),
    });
    await store.refresh(['a']);
    assert.equal(store.cause?.kind, 'failure');
    assert.deepEqual(store.cause.failure, { kind: 'connectionLost', code: 'UNKNOWN' });
  });
});

/** Three refreshes want to read a: the first is aborted at once, the other two wait for half a second. */
async function shareRead({ urgent }: { urgent: boolean }) {
  const world = create('a');
  const { clock, store } = world;
  await store.refresh(['a'], { urgent, signal: AbortSignal.abort() });
  const controllers = [new AbortController(), new AbortController()] as const;
  const [first, second] = controllers.map(({ signal }) => store.refresh(['a'], { urgent, signal }));
  clock.pass(500);
  const abortFirst = async () => {
    controllers[0].abort();
    await first;
  };
  const abortBoth = async () => {
    await abortFirst();
    controllers[1].abort();
    await second;
  };
  return { ...world, abortFirst, abortBoth };
}

for (const urgent of [true, false]) {
  describe(`${urgent ? 'an urgent' : 'a background'} read for two refreshes`, () => {
    it('is sent once', async () => {
      const { platform } = await shareRead({ urgent });
      assert.equal(platform.ids, 'a');
    });

    it('goes on when one refresh is aborted', async () => {
      const { abortFirst, isAborted, states } = await shareRead({ urgent });
      await abortFirst();
      assert.equal(isAborted('a'), false);
      assert.equal(states(), `a notYetRead ${urgent ? 'waiting' : 'idle'}`);
    });

    it('stops when both are aborted', async () => {
      const { abortBoth, isAborted, states } = await shareRead({ urgent });
      await abortBoth();
      assert.equal(isAborted('a'), true);
      assert.equal(states(), 'a notYetRead idle');
    });

    it('leaves no timer when both are aborted', async () => {
      const { abortBoth, clock } = await shareRead({ urgent });
      await abortBoth();
      assert.equal(clock.waiting, 0);
    });

    it('ignores an answer when both are aborted', async () => {
      const { abortBoth, platform, reply, states, store } = await shareRead({ urgent });
      await abortBoth();
      await reply('a', bad);
      assert.equal(states(), 'a notYetRead idle');
      assert.equal(platform.ids, 'a');
      assert.equal(store.progress, undefined);
    });
  });
}

/** A refresh of five deployments with a limit of two requests. Keeps the progress at each event. */
function startRefresh() {
  const world = create('abcde', { maxRequests: 2 });
  const { store } = world;
  const progressAtEvents: unknown[] = [];
  store.onDidChange(() => progressAtEvents.push(store.progress));
  const done = store.refresh();
  return { ...world, progressAtEvents, done };
}

/** During a refresh with a limit of two requests, the user asks for a, whose request was not sent yet. */
function askAhead() {
  const world = create('abcd', { maxRequests: 2 });
  const all = world.store.refresh();
  const replaced = world.platform.of('a');
  const one = world.refreshDeployments('a');
  return { ...world, all, one, replaced };
}

/** The user asks for a, whose request a refresh has sent so many milliseconds before. */
function askAfterSending(milliseconds: number) {
  const world = create('a');
  const all = world.store.refresh();
  world.platform.of('a').call.onPhase?.({ kind: 'sending' });
  world.clock.pass(milliseconds);
  const one = world.refreshDeployments('a');
  return { ...world, all, one };
}

describe('a refresh', () => {
  it('has no more requests at a time than the limit', async () => {
    const { platform, reply } = startRefresh();
    assert.equal(platform.ids, 'ab');
    await reply('b', good);
    assert.equal(platform.ids, 'abc');
  });

  it('sends requests without urgency', () => {
    const { platform } = startRefresh();
    assert.equal(platform.of('a').call.urgent, false);
  });

  it('has counted an answer in its progress when the event comes', async () => {
    const { store, reply, clock, progressAtEvents, done } = startRefresh();
    assert.deepEqual(store.progress, { done: 0, total: 5 });
    await reply('b', good);
    clock.pass(1000);
    assert.deepEqual(progressAtEvents.at(-1), { done: 1, total: 5 });
    await reply('acde', notFound);
    await done;
    assert.equal(progressAtEvents.at(-1), undefined);
  });

  it('has all its results counted at its end', async () => {
    const { store, reply, done } = startRefresh();
    await reply('b', good);
    await reply('acde', notFound);
    await done;
    assert.deepEqual(store.counts, {
      total: 5,
      failing: 0,
      unknown: 4,
      notYetRead: 0,
      muted: 0,
      healthy: 1,
    });
  });

  it('sends nothing when no ID is listed', async () => {
    const { store, platform } = create('abc');
    await store.refresh([]);
    await store.refresh(['unlisted']);
    assert.equal(platform.ids, '');
  });

  it('adds the deployments of another refresh to its progress', () => {
    const { store } = create('abc');
    void store.refresh(['a']);
    void store.refresh(['a', 'b']);
    assert.deepEqual(store.progress, { done: 0, total: 2 });
  });

  it('reads the deployments of another refresh once', async () => {
    const { store, platform, reply } = create('abc');
    const first = store.refresh(['a']);
    const both = store.refresh(['a', 'b']);
    await reply('a', good);
    await first;
    await store.refresh(['a']);
    assert.deepEqual(store.progress, { done: 1, total: 2 });
    await reply('b', good);
    await both;
    assert.equal(platform.ids, 'ab');
  });

  it('sends a waiting request with urgency when the user asks for its deployment', () => {
    const { platform, replaced } = askAhead();
    assert.equal(replaced.call.signal.aborted, true);
    assert.equal(platform.of('a').call.urgent, true);
  });

  it('does not show the activity of a request that another has replaced', () => {
    const { clock, replaced, store } = askAhead();
    clock.pass(500);
    replaced.call.onPhase?.({ kind: 'sending' });
    assert.equal(store.get('a')?.activity, 'waiting');
  });

  it('ignores the answer to a request that another has replaced', async () => {
    const { one, replaced, reply, store } = askAhead();
    replaced.end(failed('old'));
    await turn();
    await reply('a', bad);
    await one;
    assert.equal(store.get('a')?.state, 'notSatisfied');
  });

  it('sends what the user asks for although the limit is reached', () => {
    const { platform, refreshDeployments } = askAhead();
    void refreshDeployments('d');
    assert.equal(platform.ids, 'abacd');
  });

  it('counts a deployment that the user asked for in its progress', async () => {
    const { refreshDeployments, reply, store } = askAhead();
    const ahead = refreshDeployments('d');
    await reply('d', good);
    await ahead;
    assert.deepEqual(store.progress, { done: 1, total: 4 });
  });

  it('does not repeat a read that the user has asked for meanwhile', async () => {
    const { all, one, platform, refreshDeployments, reply, replaced, states } = askAhead();
    const ahead = refreshDeployments('d');
    await reply('d', good);
    await ahead;
    replaced.end(failed('old'));
    await turn();
    await reply('a', bad);
    await one;
    await reply('bc', good);
    await all;
    assert.equal(platform.ids, 'abacd');
    assert.doesNotMatch(states(), /waiting/);
  });

  it('stops a request that is to be repeated when neither is waited for any more', async () => {
    const { store, platform, clock, isAborted, refreshDeployments } = create('a');
    const round = new AbortController();
    const automatic = store.refresh(['a'], { signal: round.signal });
    platform.of('a').call.onPhase?.({ kind: 'sending' });
    clock.pass(5000);
    const one = refreshDeployments('a');
    round.abort();
    await automatic;
    assert.equal(isAborted('a'), false);
    store.cancelRefresh();
    await one;
    assert.equal(isAborted('a'), true);
    assert.equal(store.progress, undefined);
    assert.equal(platform.ids, 'a');
  });
});

for (const milliseconds of [1000, 1001]) {
  describe(`a request sent ${milliseconds} ms before the user refreshes`, () => {
    it('is shown as reading after half a second', () => {
      const { clock, states } = askAfterSending(milliseconds);
      assert.equal(states(), 'a notYetRead idle');
      clock.pass(500);
      assert.equal(states(), 'a notYetRead reading');
    });

    it('is not interrupted', () => {
      const { clock, isAborted, platform } = askAfterSending(milliseconds);
      clock.pass(500);
      assert.equal(isAborted('a'), false);
      assert.equal(platform.ids, 'a');
    });
  });
}

describe('a request sent 1000 ms before the user refreshes', () => {
  it('is not repeated', async () => {
    const { all, one, platform, reply, store } = askAfterSending(1000);
    await reply('a', good);
    await Promise.all([all, one]);
    assert.equal(platform.ids, 'a');
    assert.equal(store.progress, undefined);
  });
});

describe('a request sent 1001 ms before the user refreshes', () => {
  it('is repeated with urgency', async () => {
    const { all, clock, one, platform, reply, states, store } = askAfterSending(1001);
    clock.pass(500);
    await reply('a', good);
    await all;
    assert.equal(states(), 'a satisfied waiting');
    assert.deepEqual(store.progress, { done: 0, total: 1 });
    assert.equal(platform.of('a').call.urgent, true);
    await reply('a', bad);
    await one;
    assert.equal(platform.ids, 'aa');
    assert.equal(store.progress, undefined);
  });
});

/** A probe reads b and a tool reads c; then the user asks for a and b, and a 429 pauses all for long. */
function startBesideProbeAndTool() {
  const world = create('abc');
  const { clock, platform, refreshDeployments, store } = world;
  const apart = new AbortController();
  const options = { outsideProgress: true, signal: apart.signal };
  const probe = store.refresh(['b'], options);
  const tool = store.refresh(['c'], { ...options, urgent: true });
  const progressBefore = store.progress;
  const done = refreshDeployments('ab');
  for (const { call } of platform.open) call.onPhase?.({ kind: 'paused', until: 9e9 });
  clock.pass(500);
  const endApart = async () => {
    apart.abort();
    await Promise.all([probe, tool]);
  };
  const cancel = async () => {
    store.cancelRefresh();
    await done;
  };
  return { ...world, progressBefore, cancel, endApart };
}

describe('the progress', () => {
  it('leaves out a probe and a tool', () => {
    const { progressBefore, store } = startBesideProbeAndTool();
    assert.equal(progressBefore, undefined);
    assert.deepEqual(store.progress, { done: 0, total: 2 });
  });

  it('stays when a probe reads a deployment that the refresh has read', async () => {
    const { store, reply } = create('ab');
    void store.refresh();
    await reply('a', good);
    void store.refresh(['a'], { outsideProgress: true });
    assert.deepEqual(store.progress, { done: 1, total: 2 });
  });
});

describe('Cancel Refresh', () => {
  it('stops what the user asked for in a pause', async () => {
    const { cancel, isAborted, store } = startBesideProbeAndTool();
    await cancel();
    assert.equal(isAborted('a'), true);
    assert.equal(store.progress, undefined);
  });

  it('leaves all deployments idle', async () => {
    const { cancel, states } = startBesideProbeAndTool();
    await cancel();
    assert.equal(states(), 'a notYetRead idle, b notYetRead idle, c notYetRead idle');
  });

  it('stops neither a probe nor a tool', async () => {
    const { cancel, isAborted } = startBesideProbeAndTool();
    await cancel();
    assert.equal(isAborted('b'), false, 'b, which the probe reads');
    assert.equal(isAborted('c'), false, 'c, which the tool reads');
  });
});

describe('a probe', () => {
  it('stops with its own signal', async () => {
    const { cancel, endApart, isAborted } = startBesideProbeAndTool();
    await cancel();
    await endApart();
    assert.equal(isAborted('b'), true);
  });

  it('reads a deployment that the running refresh has read already', async () => {
    const { store, platform, reply } = create('ab');
    void store.refresh();
    await reply('a', good);
    const probe = store.refresh(['a'], { outsideProgress: true });
    await reply('ab', good);
    await probe;
    assert.equal(platform.ids, 'aba');
  });
});

describe('a tool', () => {
  it('stops with its own signal', async () => {
    const { cancel, endApart, isAborted } = startBesideProbeAndTool();
    await cancel();
    await endApart();
    assert.equal(isAborted('c'), true);
  });
});

/** An automatic round has read a and is reading b, when the user asks for a refresh. */
async function createDuringRound() {
  const world = create('abc', { maxRequests: 1 });
  const round = world.store.refresh();
  await world.reply('a', good);
  const refresh = world.store.refresh(undefined, { rereadsFinished: true });
  return { ...world, round, refresh };
}

describe('a refresh by the user during an automatic round', () => {
  it('repeats only the reads of the round that have ended', async () => {
    const { reply, round, refresh, platform, states } = await createDuringRound();
    await reply('bc', good);
    await round;
    await reply('a', bad);
    await refresh;
    assert.equal(platform.ids, 'abca');
    assert.match(states(), /a notSatisfied/);
  });

  it('has its own progress until all is read again', async () => {
    const { store, reply } = await createDuringRound();
    assert.deepEqual(store.progress, { done: 0, total: 3 });
    await reply('bc', good);
    assert.deepEqual(store.progress, { done: 2, total: 3 });
    await reply('a', good);
    assert.equal(store.progress, undefined);
  });

  it('is cancelled together with the round', async () => {
    const { store, round, refresh, platform, isAborted } = await createDuringRound();
    store.cancelRefresh();
    await Promise.all([round, refresh]);
    assert.equal(isAborted('b'), true);
    assert.equal(platform.ids, 'ab');
    assert.equal(store.progress, undefined);
  });
});

describe('an automatic round', () => {
  it('stops when its signal is aborted', async () => {
    const { store, isAborted } = create('abc', { maxRequests: 1 });
    const round = new AbortController();
    const automatic = store.refresh(undefined, { signal: round.signal });
    round.abort();
    await automatic;
    assert.equal(isAborted('a'), true);
    assert.equal(store.progress, undefined);
  });

  it('sends nothing when its signal was aborted before', async () => {
    const { store, platform } = create('abc', { maxRequests: 1 });
    await store.refresh(undefined, { signal: AbortSignal.abort() });
    assert.equal(platform.ids, '');
    assert.equal(store.progress, undefined);
  });

  it('leaves a read of the user running when its signal is aborted', async () => {
    const { store, isAborted, platform, reply } = create('abc', { maxRequests: 1 });
    const round = new AbortController();
    const automatic = store.refresh(undefined, { signal: round.signal });
    void store.refresh(['a', 'b']);
    round.abort();
    await automatic;
    assert.equal(isAborted('a'), false);
    assert.equal(store.progress?.total, 2);
    await reply('ab', good);
    await store.refresh(undefined, { signal: round.signal });
    assert.equal(platform.ids, 'ab');
    assert.equal(store.progress, undefined);
  });
});

/** Six deployments; a refresh has read all but the last. IDs are digits, so that names decide on the order. */
async function createUnsorted() {
  const labels = ['1zebra', '2Ape', '3émeu', '5fox', '4fox'];
  const labeled = labels.map(([id = '', ...label]) => ({ id, label: label.join('') }));
  const world = create([...labeled, { id: '6' }]);
  const { reply, store } = world;
  const orderBefore = world.order();
  const done = store.refresh();
  await reply('1', failed('x'));
  await reply('2', good);
  await reply('3', notFound);
  await reply('54', bad);
  return { ...world, orderBefore, done };
}

/** During a refresh with a limit of one request, the list has no longer a, but A. */
function changeList() {
  const world = create('abcd', { maxRequests: 1 });
  const done = world.store.refresh();
  world.store.setListed([...list('db'), { id: 'c', label: 'Sea' }, { id: 'A' }]);
  return { ...world, done };
}

describe('the order of deployments', () => {
  it('is by name before a deployment was read', async () => {
    const { orderBefore } = await createUnsorted();
    assert.equal(orderBefore, '623451');
  });

  it('stays while a refresh runs', async () => {
    const { order } = await createUnsorted();
    assert.equal(order(), '623451');
  });

  it('is worst first and then by name at the end of a refresh', async () => {
    const { store, done, order } = await createUnsorted();
    store.cancelRefresh();
    await done;
    assert.equal(order(), '145362');
  });

  it('follows a new list while a refresh runs', () => {
    const { order } = changeList();
    assert.equal(order(), 'bcdA');
  });
});

describe('a deployment that leaves the list during a refresh', () => {
  it('is no longer known', () => {
    const { store } = changeList();
    assert.equal(store.get('a'), undefined);
  });

  it('has its request stopped', () => {
    const { isAborted } = changeList();
    assert.equal(isAborted('a'), true);
  });

  it('is read when it comes back to the list', async () => {
    const { store, reply, platform, done } = changeList();
    store.setListed(list('abc'));
    void store.refresh(['a']);
    await reply('bca', good);
    await done;
    assert.equal(platform.ids, 'abca');
  });
});

/** Reads a and b, then lists only a, with a label, twice. Events are counted from the first list on. */
async function listAgain() {
  const world = create('ab');
  const { store, read, events, clock } = world;
  const before = await read('a', bad);
  clock.pass(1000);
  events.length = 0;
  for (let times = 0; times < 2; times++) {
    store.setListed([{ id: 'a', label: 'Name' }]);
    await turn();
    clock.pass(1000);
  }
  return { ...world, before };
}

const names = ({ store }: World) => store.deployments.map(({ name }) => name);
const labels = ({ store }: World) => store.deployments.map(({ label }) => label);

describe('a new list', () => {
  it('keeps the answer of a deployment whose label changes', async () => {
    const { before, store } = await listAgain();
    assert.equal(store.get('a')?.answer, before?.answer);
  });

  it('gives a deployment its new label as its name', async () => {
    const { store } = await listAgain();
    assert.equal(store.get('a')?.name, 'Name');
  });

  it('fires no event when it is the same', async () => {
    const { events } = await listAgain();
    assert.equal(events.length, 1);
  });

  it('leaves no deployment to count when it is empty', async () => {
    const { store } = await listAgain();
    store.setListed([]);
    assert.equal(store.counts.total, 0);
  });

  const a = { id: 'a', label: 'Sync' };
  const b = { id: 'b', label: 'Sync' };

  it('adds IDs to the names of deployments while two have one label', () => {
    const world = create([a]);
    world.store.setListed([a, b]);
    assert.deepEqual(names(world), ['Sync (a)', 'Sync (b)']);
    world.store.setListed([a]);
    assert.deepEqual(names(world), ['Sync']);
  });

  it('leaves the labels of deployments when two have one', () => {
    const world = create([a]);
    world.store.setListed([a, b]);
    assert.deepEqual(labels(world), ['Sync', 'Sync']);
  });

  it('keeps the answer of a deployment when another one has its label', async () => {
    const { store, read } = create([a]);
    const before = await read('a', bad);
    store.setListed([a, b]);
    assert.equal(store.get('a')?.answer, before?.answer);
  });
});

/** Reads a and b, then puts a into another group. Events are counted from then on. */
async function regroup() {
  const world = create([{ id: 'a', group: 'orders' }, { id: 'b' }]);
  const { store, read, events, clock, platform } = world;
  const before = await read('a', bad);
  await read('b', good);
  clock.pass(1000);
  events.length = 0;
  const requestsBefore = platform.ids;
  store.setListed([{ id: 'a', group: 'payments' }, { id: 'b' }]);
  await turn();
  clock.pass(1000);
  return { ...world, before, requestsBefore };
}

describe('a new list in which a group changes', () => {
  it('gives the deployment its new group', async () => {
    const { store } = await regroup();
    assert.equal(store.get('a')?.group, 'payments');
  });

  it('keeps answer, state, name, and activity of the deployment', async () => {
    const { before, store } = await regroup();
    assert.deepEqual(store.get('a'), { ...before, group: 'payments' });
  });

  it('keeps the very answer of the deployment', async () => {
    const { before, store } = await regroup();
    assert.equal(store.get('a')?.answer, before?.answer);
  });

  it('fires an event for all', async () => {
    const { events } = await regroup();
    assert.deepEqual(
      events.map(({ change }) => change),
      ['all'],
    );
  });

  it('reads nothing again', async () => {
    const { platform, requestsBefore } = await regroup();
    assert.equal(platform.ids, requestsBefore);
  });

  it('keeps the other deployments as they are', async () => {
    const { store } = await regroup();
    const before = store.get('b');
    store.setListed([{ id: 'a', group: 'orders' }, { id: 'b' }]);
    assert.equal(store.get('b'), before);
  });

  it('takes the deployment out of its group when it has none', async () => {
    const { store } = await regroup();
    store.setListed([{ id: 'a' }, { id: 'b' }]);
    assert.equal('group' in store.get('a')!, false);
  });

  it('does not stop the request of the deployment', async () => {
    const { store, platform, reply } = create([{ id: 'a', group: 'orders' }]);
    const done = store.refresh();
    store.setListed([{ id: 'a', group: 'payments' }]);
    await reply('a', bad);
    await done;
    assert.equal(store.get('a')?.state, 'notSatisfied');
    assert.equal(store.get('a')?.group, 'payments');
    assert.equal(platform.ids, 'a');
  });

  it('keeps the group when all that was read is forgotten', async () => {
    const { store } = await regroup();
    store.setOrganization({ id: 'other', read: () => Promise.reject(new Error('unused')) });
    assert.deepEqual(store.get('a'), {
      id: 'a',
      name: 'a',
      group: 'payments',
      state: 'notYetRead',
      activity: 'idle',
    });
  });
});

/** Begins a refresh of six deployments, all not read yet, that has found f failing. */
async function startFirstReading() {
  const world = create('abcdef');
  const done = world.store.refresh();
  await world.reply('f', bad);
  world.store.sortFirstReading();
  return { ...world, done };
}

/** Has f and e found failing and all others healthy, then begins another refresh that finds a and b failing. */
async function startLaterReading() {
  const world = await startFirstReading();
  const { clock, reply, store } = world;
  await reply('e', bad);
  await reply('abcd', good);
  await world.done;
  const orderBefore = world.order();
  const done = store.refresh();
  for (const id of 'ab') {
    await reply(id, bad);
    store.sortFirstReading();
  }
  clock.pass(1000);
  store.sortFirstReading();
  return { ...world, orderBefore, done };
}

describe('the first reading', () => {
  it('brings a failing deployment to the top at once', async () => {
    const { order } = await startFirstReading();
    assert.equal(order(), 'fabcde');
  });

  it('brings failing deployments to the top at most once a second', async () => {
    const { clock, order, reply, store } = await startFirstReading();
    await reply('e', bad);
    store.sortFirstReading();
    assert.equal(order(), 'fabcde');
    clock.pass(1000);
    store.sortFirstReading();
    assert.equal(order(), 'efabcd');
  });

  it('is sorted at its end', async () => {
    const { done, order, reply } = await startFirstReading();
    await reply('e', bad);
    await reply('abcd', good);
    await done;
    assert.equal(order(), 'efabcd');
  });

  it('goes on after an outage in which no deployment was read', async () => {
    const { store, reply } = create('ab');
    void store.refresh();
    await reply('ab', unreachable);
    assert.equal(store.isFirstReading, true);
    void store.refresh();
    await reply('ab', good);
    assert.equal(store.isFirstReading, false);
  });
});

describe('a later reading', () => {
  it('keeps the order while it runs', async () => {
    const { order, orderBefore } = await startLaterReading();
    assert.equal(order(), orderBefore);
  });

  it('is sorted at its end', async () => {
    const { done, order, reply } = await startLaterReading();
    await reply('cdef', good);
    await done;
    assert.equal(order(), 'abcdef');
  });
});

/** Reads a, then begins two refreshes, then changes to another organization. */
async function changeOrganization() {
  const world = create('ab');
  const { events, platform, read, store } = world;
  await read('a', bad);
  platform.asked.length = 0;
  const refreshes = [store.refresh(), store.refresh(['b'])];
  events.length = 0;
  const other = new ManualPlatform(new ManualClock());
  store.setOrganization({ id: 'other', read: other.read });
  const changesAtOnce = events.map(({ change }) => change);
  await Promise.all(refreshes);
  return { ...world, changesAtOnce, other };
}

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

describe('another organization', () => {
  it('fires an event at once', async () => {
    const { changesAtOnce } = await changeOrganization();
    assert.equal(changesAtOnce.at(-1), 'all');
  });

  it('has no answer of the former', async () => {
    const { states } = await changeOrganization();
    assert.equal(states(), 'a notYetRead idle, b notYetRead idle');
  });

  it('has no late answer to the former', async () => {
    const { reply, states } = await changeOrganization();
    await reply('ab', failed('late'));
    assert.equal(states(), 'a notYetRead idle, b notYetRead idle');
  });

  it('stops all reads of the former', async () => {
    const world = await changeOrganization();
    assert.equal(world.platform.ids, 'ab');
    assert.deepEqual(stillWantedIds(world), []);
  });

  it('is not read by itself', async () => {
    const { other, store } = await changeOrganization();
    assert.equal(other.ids, '');
    assert.equal(store.progress, undefined);
  });

  it('has no failed read of the former', async () => {
    const { store, platform, done, states } = await createHalfRead();
    store.setOrganization({ id: 'other', read: platform.read });
    await done;
    assert.equal(states(), 'a notYetRead idle, b notYetRead idle, c notYetRead idle');
  });

  it('keeps the refresh of the former from ending mutes', async () => {
    const { store, platform, memory, done } = await createHalfRead();
    const endedRefreshes: unknown[] = [];
    memory.endRefresh = (listed) => endedRefreshes.push(listed);
    store.setOrganization({ id: 'other', read: platform.read });
    await done;
    assert.deepEqual(endedRefreshes, []);
  });
});

/** Reads a; then its token is rejected and replaced by another one. */
async function changeToken() {
  const world = create('a');
  const { clock, read, store } = world;
  await read('a', bad);
  await read('a', rejected);
  assert.equal(store.cause?.kind, 'failure');
  const renewed = new ManualPlatform(clock);
  store.setOrganization({ id: 'org', read: renewed.read });
  return { ...world, renewed };
}

describe('another token', () => {
  it('keeps nothing but the answers of the former', async () => {
    const { store, platform, done, states } = await createHalfRead();
    store.setOrganization({ id: 'org', read: platform.read });
    await done;
    assert.equal(states(), 'a satisfied idle, b satisfied idle, c satisfied idle');
  });

  it('ends the rejection of the former', async () => {
    const { store } = await changeToken();
    assert.equal(store.cause, undefined);
  });

  it('keeps the state of a deployment', async () => {
    const { store } = await changeToken();
    assert.equal(store.get('a')?.state, 'notSatisfied');
  });

  it('is used for the next request', async () => {
    const { platform, renewed, store } = await changeToken();
    void store.refresh(['a']);
    assert.equal(platform.ids, 'aa');
    assert.equal(renewed.ids, 'a');
  });
});

/** a is asked, and 20 s later b, which says at once that their account works. After 5 s more a says that it failed. */
async function createSlow() {
  const works = { accounts: [{ id: 'acc_1', label: 'Finance' }], requirements: [] };
  const world = create('ab');
  const { clock, read, reply, store } = world;
  for (const id of 'ab') await read(id, works);
  const impact = new Impact(store);
  const sentAt = clock.now();
  const options = { urgent: true, readsOnlyThese: true };
  const slow = store.refresh(['a'], options);
  clock.pass(20_000);
  const later = store.refresh(['b'], options);
  await reply('b', works);
  clock.pass(5000);
  await reply('a', failed('revoked'));
  await Promise.all([slow, later]);
  return { ...world, impact, sentAt };
}

describe('a slow answer that a newer request contradicts', () => {
  it('does not count for the account', async () => {
    const { impact } = await createSlow();
    assert.equal(impact.newestReading('acc_1')?.finding.problem, undefined);
  });

  it('adds no problem to a reference to the account', async () => {
    const { impact, memory, store } = await createSlow();
    const targets = new ReferenceTargets({ impact, memory, store });
    assert.deepEqual(targets.problemsOf('acc_1'), []);
  });

  it('has no new problem', async () => {
    const { found } = await createSlow();
    assert.deepEqual(found, []);
  });

  it('has a new problem when the next answer is equal', async () => {
    const { found, read } = await createSlow();
    await read('a', failed('revoked'));
    assert.deepEqual(found, ['a']);
  });

  it('is as old as its request', async () => {
    const { sentAt, store } = await createSlow();
    assert.equal(lastAttemptAt(store.get('a')), sentAt);
  });
});

describe('a pause', () => {
  it('is the cause when it is of this organization', () => {
    const { store, pauses } = create('a');
    pauses['another'] = 1;
    assert.equal(store.cause, undefined);
    pauses['org'] = 2;
    assert.deepEqual(store.cause, { kind: 'paused', until: 2 });
  });

  it('fires an event when it begins or ends', async () => {
    const { store, clock, pauses, events } = create('a');
    pauses['org'] = 2;
    store.pausesChanged();
    await turn();
    clock.pass(1000);
    assert.equal(events.length, 1);
  });
});

/** Refreshes a hundred deployments, one each 9 ms. All but the first fail, so that their order changes. */
async function readHundred() {
  const ids = Array.from({ length: 100 }, (_, index) => ({ id: `dep_${index}` }));
  const world = create(ids, { maxRequests: 8 });
  const { store, platform, clock } = world;
  const began = clock.now();
  const done = store.refresh();
  await turn();
  for (let answered = 0; answered < ids.length; answered++) {
    clock.pass(9);
    platform.asked[answered]?.end(answered === 0 ? good : bad);
    await turn();
  }
  await done;
  return { ...world, began };
}

/** Reads two deployments, and disposes of the store before they are answered. */
async function disposeWhileReading() {
  const world = create('ab');
  void world.store.refresh();
  const eventsBefore = [...world.events];
  world.store.dispose();
  await world.reply('ab', good);
  return { ...world, eventsBefore };
}

describe('a change event', () => {
  it('comes at most every 250 ms until the last answer of a refresh', async () => {
    const { began, clock, events } = await readHundred();
    clock.pass(1000);
    const times = events.map(({ at }) => at - began);
    assert.deepEqual(times, [0, 250, 500, 750, 900]);
  });

  it('names all deployments when their order has changed', async () => {
    const { events } = await readHundred();
    assert.equal(events.at(-1)?.change, 'all');
  });

  it('names the one deployment that has changed', async () => {
    const { store, clock, events } = await readHundred();
    clock.pass(1000);
    void store.refresh(['dep_7'], { urgent: true });
    await turn();
    clock.pass(500);
    await turn();
    assert.deepEqual(events.at(-1)?.change, new Set(['dep_7']));
  });

  it('reaches other listeners when one throws', async () => {
    const { store, events } = create('a');
    const seen: string[] = [];
    process.setUncaughtExceptionCaptureCallback(() => seen.push('uncaught error'));
    const throwing = store.onDidChange(() => assert.fail('a mistake of a view'));
    store.onDidChange(() => seen.push('other listener'));

    void store.refresh(['a']);
    await turn();
    process.setUncaughtExceptionCaptureCallback(null);
    throwing.dispose();

    assert.equal(events.length, 1);
    assert.deepEqual(seen, ['other listener', 'uncaught error']);
  });

  it('does not come after the store was disposed of', async () => {
    const { events, eventsBefore } = await disposeWhileReading();
    assert.deepEqual(events, eventsBefore);
  });
});

describe('the store that was disposed of', () => {
  it('has stopped its reads', async () => {
    const { isAborted } = await disposeWhileReading();
    assert.equal(isAborted('a'), true);
    assert.equal(isAborted('b'), true);
  });

  it('has no timers', async () => {
    const { clock } = await disposeWhileReading();
    assert.equal(clock.waiting, 0);
  });
});

/** Refreshes three healthy deployments; a and c are found failing, b is not read yet. */
async function findTwoFailing() {
  const world = create('abc');
  const { read, reply, store } = world;
  for (const id of 'abc') await read(id, good);
  const done = store.refresh();
  await reply('a', bad);
  await reply('c', failed('x'));
  return { ...world, done };
}

describe('new problems', () => {
  it('are announced together at the end of a refresh', async () => {
    const { reply, found, done } = await findTwoFailing();
    assert.deepEqual(found, []);
    await reply('b', notFound);
    await done;
    assert.deepEqual(found, ['ac']);
  });

  it('are not announced when the organization was signed out before the end', async () => {
    const { store, reply, found, done } = await findTwoFailing();
    await reply('b', notFound);
    await done;
    found.length = 0;
    void store.refresh();
    await reply('b', bad);
    store.setOrganization(undefined);
    assert.deepEqual(found, []);
  });

  it('are announced without the known problems of their deployment', async () => {
    const { memory, read } = createWorld('a');
    const announced: string[] = [];
    memory.onDidFindNewProblems((problems) =>
      announced.push(...problems.map(({ problem }) => problem.finding.name)),
    );
    const old = { binding: 'a', satisfied: false };
    const another = { binding: 'b', satisfied: false };
    await read('a', good);
    await read('a', { accounts: [], requirements: [old] });
    await read('a', { accounts: [], requirements: [another, old] });
    assert.deepEqual(announced, ['a', 'b']);
  });
});

const anyId = fc.constantFrom('a', 'b', 'c', 'd');
const anyStep = fc.record({
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
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

function act({ store, platform, clock }: World, step: Step): unknown {
  const { id, ids, other, at, outcome, time } = step;
  switch (step.what) {
    case 'all':
      return store.refresh();
    case 'again':
      return store.refresh(undefined, { rereadsFinished: true });
    case 'cancel':
      return store.cancelRefresh();
    case 'one':
      return store.refresh([id], { urgent: true });
    case 'probe':
      return store.refresh([id], { outsideProgress: true, signal: AbortSignal.timeout(time) });
    case 'list':
      return store.setListed(list(ids.join('')));
    case 'organization':
      return store.setOrganization(other && { id: other, read: platform.read });
    case 'send':
      return platform.open[at]?.call.onPhase?.({ kind: 'sending' });
    case 'reply':
      return platform.open[at]?.end(outcome);
    case 'pass':
      return clock.pass(time);
  }
}

describe('the store in any order of events', () => {
  it('comes to rest without two requests for one deployment at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 30 }), async (steps) => {
        const world = create('abcd', { maxRequests: 2 });
        const { platform, store } = world;
        const promises: unknown[] = [];
        for (const step of steps) {
          promises.push(act(world, step));
          await turn();
          const openIds = stillWantedIds(world);
          assert.deepEqual(openIds, [...new Set(openIds)], 'two requests for one deployment');
          const withoutRequest = store.deployments.filter(
            ({ id, activity }) => activity === 'reading' && !openIds.includes(id),
          );
          assert.deepEqual(withoutRequest, [], 'shown as reading without a request');
        }

        while (stillWantedIds(world).length > 0) {
          const next = platform.open.find(({ call }) => !call.signal.aborted)!;
          next.end(good);
          await turn();
        }
        await Promise.all(promises);
        assert.equal(store.progress, undefined);
        const busy = store.deployments.filter(({ activity }) => activity !== 'idle');
        assert.deepEqual(busy, []);
      }),
      { numRuns: 150 },
    );
  });
});

import assert from 'node:assert/strict';
import type { DeploymentAuthorization, Requirement } from '../../../../src/api/authorization.js';
import { countedProblems, mutedProblems, stateOfFinding } from '../../../../src/model/problems/mutes.js';
import { dayMs } from '../../../../src/model/problems/problemMemory.js';
import { bad, createWorld, failed, good, list, type Outcome } from '../store/world.js';

const notFound = { kind: 'notFound', status: 404 } as const;
const unreadable = [{ path: 'accounts[0]', expected: 'object', found: 'null' }] as const;

/** A failed account, with a requirement that it keeps from being satisfied. */
const revoked = (code = 'revoked', more: Partial<Requirement> = {}): DeploymentAuthorization => ({
  accounts: [{ id: 'acc', connectionMethodId: 'm', scopes: [], error: { code } }, { id: 'other' }],
  requirements: [{ binding: 'notifier', accountId: 'acc', satisfied: false, ...more }],
});
const repaired: DeploymentAuthorization = { accounts: [{ id: 'acc' }], requirements: [] };
const unsatisfied = (more: Partial<Requirement> = {}): DeploymentAuthorization => ({
  accounts: [{ id: 'acc', connectionMethodId: 'm', scopes: [] }, { id: 'other' }],
  requirements: [{ binding: 'notifier', accountId: 'acc', satisfied: false, ...more }],
});

/** A window of a workspace, in which these are listed and read. The next window remembers what this one saved. */
async function openWindow(answers: Readonly<Record<string, Outcome>>, state = {}) {
  const ids = Object.keys(answers).join('');
  const world = createWorld(ids, { state });
  const { clock, memory, store, read } = world;
  for (const id of ids) await read(id, answers[id]!);
  const findings = (id: string) => store.get(id)!.answer!.findings;
  /** What counts of a deployment, as it is muted. */
  const counted = (id: string) => {
    const deployment = store.get(id)!;
    return countedProblems(findings(id), memory).map((problem) => ({ deployment, problem }));
  };
  return {
    ...world,
    findings,
    counted,
    states: () => Array.from(ids, (id) => store.get(id)?.state).join(' '),
    mute: (id = 'a', days = 1) => memory.mute(counted(id), clock.now() + days * dayMs),
    unmute: (id: string) => memory.unmute(mutedProblems(findings(id), memory)),
    next: (later: Readonly<Record<string, Outcome>>) =>
      openWindow(later, { problemMemory: world.state.get('problemMemory') }),
  };
}

/** Three deployments that share a failed account, and one that does not have it. */
const shared = () => openWindow({ a: revoked(), b: revoked(), c: revoked(), d: good });

const both = () => openWindow({ a: unsatisfied(), b: unsatisfied() });
const since = ({ findings, memory }: Awaited<ReturnType<typeof openWindow>>, id = 'a') =>
  memory.seenSince(findings(id).problems[0]!);

describe('a mute of an account', () => {
  it('holds in every deployment that has the account, with the effects of its failure', async () => {
    const { store, counted, findings, memory, mute, states } = await shared();
    mute();
    assert.equal(states(), 'muted muted muted satisfied');
    assert.deepEqual(store.counts, { total: 4, failing: 0, unknown: 0, notYetRead: 0, muted: 3, healthy: 1 });
    const [requirement] = findings('b').requirements;
    assert.deepEqual([counted('b').length, mutedProblems(findings('b'), memory).length], [0, 1]);
    assert.equal(requirement && stateOfFinding(requirement, memory), 'muted');
  });

  it('keeps the rows where they are until the next refresh', async () => {
    const { store, mute, read } = await shared();
    const order = () => store.deployments.map(({ id }) => id).join('');
    await read('d', bad);
    mute('a');
    assert.equal(order(), 'abcd');
    await read('d', bad);
    assert.equal(order(), 'dabc');
  });

  for (const [why, id, answer] of [
    ['says another error code', 'b', revoked('expired')],
    ['says that the account works again', 'd', repaired],
  ] as const) {
    it(`ends everywhere when the newest answer that names it ${why}`, async () => {
      const { mute, read, states, clock, store } = await shared();
      store.setListed(list('abcde'));
      mute();
      clock.pass(1);
      await read(id, answer);
      assert.match(states(), /^failed failed|^failed .* failed/);
      assert.equal(states().includes('muted'), false);
    });
  }

  it('ends when no good answer names it any more', async () => {
    const { mute, read, states } = await shared();
    mute();
    for (const id of 'abc') await read(id, good);
    assert.equal(states(), 'satisfied satisfied satisfied satisfied');
    await read('a', revoked());
    assert.equal(states(), 'failed satisfied satisfied satisfied');
  });

  it('goes on while a good answer of another listed deployment names it', async () => {
    const { mute, read, states } = await shared();
    mute();
    for (const id of 'ab') await read(id, good);
    await read('a', revoked());
    assert.equal(states(), 'muted satisfied muted satisfied');
  });

  it('lasts until the refresh is over, and is judged by the newest answers then', async () => {
    const { store, mute, reply, states, clock } = await shared();
    mute();
    const done = store.refresh();
    for (const [id, answer] of [
      ['a', revoked('expired')],
      ['b', revoked()],
      ['c', revoked()],
    ] as const) {
      clock.pass(1);
      await reply(id, answer);
    }
    assert.match(states(), /^muted muted muted/);
    await reply('d', good);
    await done;
    assert.match(states(), /^muted muted muted/, 'the newest answers say what they said before');
  });

  it('is ended by nothing that could not be read', async () => {
    const { mute, read, states } = await openWindow({ a: revoked(), b: good });
    mute();
    await read('a', notFound);
    for (const answer of [good, repaired]) await read('a', answer, unreadable);
    await read('a', revoked());
    assert.equal(states(), 'muted satisfied');
  });

  it('outlives a window in which a deployment that was not read before answers', async () => {
    const { store, mute, next } = await openWindow({ a: revoked(), b: notFound });
    store.setListed(list('abc'));
    mute();
    const later = await next({ a: revoked(), b: revoked(), c: revoked() });
    assert.equal(later.states(), 'muted muted muted');
  });
});

describe('a mute of a requirement', () => {
  it('is ended by no answer that may hide it', async () => {
    const { mute, read, states } = await both();
    mute();
    await read('a', good, unreadable);
    await read('a', unsatisfied());
    assert.equal(states(), 'muted notSatisfied');
  });

  it('ends when it is satisfied, also in another window while another deployment cannot be read', async () => {
    const { mute, next } = await both();
    mute();
    const later = await next({ a: unsatisfied({ satisfied: true }), b: notFound });
    await later.read('a', unsatisfied());
    assert.equal(later.states(), 'notSatisfied unknown');
  });
});

describe('a mute', () => {
  it('ends with its time, which is no new problem, and goes on over a restart until then', async () => {
    const { clock, mute, read, next, states, found, state } = await shared();
    mute();
    found.length = 0;
    assert.doesNotMatch(JSON.stringify(state.saved), /acc|notifier|"[abcd]"|org|revoked/);
    assert.match((await next({ a: revoked() })).states(), /^muted/);
    clock.pass(dayMs - 1);
    assert.match(states(), /^muted/);
    clock.pass(1);
    assert.equal(states(), 'failed failed failed satisfied');
    assert.deepEqual([found, clock.waiting], [[], 0]);
    mute();
    clock.sleep(2 * dayMs);
    await read('d', good);
    assert.match(states(), /^failed/, 'no timer is waited for after a sleep');
  });

  it('ends by hand, and with a sign-out', async () => {
    const { mute, unmute, memory, states, state } = await shared();
    mute();
    unmute('c');
    assert.equal(states(), 'failed failed failed satisfied');
    mute();
    memory.keepOrganizations(['org']);
    assert.match(states(), /^muted/);
    memory.keepOrganizations(['another']);
    assert.equal(states(), 'failed failed failed satisfied');
    assert.equal(state.get('problemMemory'), undefined);
  });

  it('lasts no longer than 90 days', async () => {
    const { mute, next } = await openWindow({ a: revoked() });
    mute('a', 100);
    const { clock, states } = await next({ a: revoked() });
    clock.pass(90 * dayMs - 2000);
    assert.equal(states(), 'muted');
    clock.pass(2000);
    assert.equal(states(), 'failed');
  });
});

describe('a new problem', () => {
  it('is none of the first reading, where this workspace remembers nothing, whatever of it comes later', async () => {
    const { found, read, store, reply } = await openWindow({ a: bad, b: notFound });
    await read('b', bad);
    store.setListed(list('abc'));
    const done = store.refresh();
    await reply('abc', bad);
    await done;
    assert.deepEqual(found, []);
  });

  it('is in a later window what the workspace does not remember, also of a healthy first reading', async () => {
    const healthy = await openWindow({ a: good });
    assert.deepEqual((await healthy.next({ a: bad })).found, ['a']);
    const failing = await openWindow({ a: failed('x') });
    assert.deepEqual((await failing.next({ a: failed('x') })).found, []);
    assert.deepEqual((await failing.next({ a: failed('y') })).found, ['a']);
  });

  it('is an account that several deployments share, once, in the one that was read last', async () => {
    const { next } = await openWindow({ a: good });
    const later = await next({});
    later.store.setListed(list('ab'));
    const done = later.store.refresh();
    await later.reply('ab', failed('x'));
    await done;
    assert.deepEqual(later.found, ['b']);
  });

  it('is none that came back unread, and one that came back after it had gone', async () => {
    const { read, found } = await openWindow({ a: good });
    for (const outcome of [bad, notFound, bad]) await read('a', outcome);
    assert.deepEqual(found, ['a']);
    for (const outcome of [good, bad]) await read('a', outcome);
    assert.deepEqual(found, ['a', 'a']);
  });

  it('is none where only version 0.2.0 remembered something, whose records go', async () => {
    const former = { seenSince: { x: 1 }, mutes: { x: [1, {}] } };
    const { found, state } = await openWindow({ a: bad }, former);
    assert.deepEqual([found, state.get('seenSince'), state.get('mutes')], [[], undefined, undefined]);
  });
});

describe('a problem is seen since', () => {
  it('its first answer, in this window and the next, until its sign changes or it is gone', async () => {
    const world = await openWindow({ a: failed('x') });
    const first = since(world);
    world.clock.pass(dayMs);
    await world.read('a', failed('x'));
    assert.equal(since(world), first);
    const next = await world.next({ a: failed('x') });
    assert.equal(since(next), first);
    next.clock.pass(dayMs);
    await next.read('a', failed('y'));
    assert.equal(since(next), next.clock.now());
    next.clock.pass(dayMs);
    for (const outcome of [good, failed('y')]) await next.read('a', outcome);
    assert.equal(since(next), next.clock.now());
    // What was gone at the end of a window is new in the next one.
    await next.read('a', good);
    assert.deepEqual((await next.next({ a: failed('y') })).found, ['a']);
  });

  it('its first answer also after it was muted', async () => {
    const world = await openWindow({ a: failed('x') });
    const first = since(world);
    for (const end of [() => world.unmute('a'), () => world.clock.pass(dayMs)]) {
      world.mute();
      world.clock.pass(1);
      end();
      await world.read('a', failed('x'));
      assert.deepEqual([since(world), world.found], [first, []]);
    }
  });

  it('the first answer of any deployment that has the account', async () => {
    const world = await openWindow({ a: failed('x'), b: good });
    world.clock.pass(dayMs);
    await world.read('b', failed('x'));
    assert.equal(since(world, 'b'), since(world));
  });

  it('another time in another organization', async () => {
    const world = await openWindow({ a: failed('x') });
    world.clock.pass(dayMs);
    world.store.setOrganization({ id: 'other', read: world.service.read });
    await world.read('a', failed('x'));
    assert.equal(since(world), world.clock.now());
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  type DeploymentAuthorization,
  decodeDeploymentAuthorization,
  type Requirement,
} from '../../../../src/api/authorization.js';
import { DecodeIssues } from '../../../../src/api/decode.js';
import { day } from '../../../../src/model/base/time.js';
import {
  mutedProblems,
  stateOfFinding,
  unmutedProblems,
} from '../../../../src/model/findings/state.js';
import { bad, createWorld, failed, good, list, type Outcome } from '../store/world.js';
import { countingIssues } from './countingReads.js';

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

/**
 * Opens a window of a workspace in which these deployments are listed and read.
 * `state`: what an earlier window saved. `next` opens a later window with what this one saved.
 */
async function openWindow(answers: Readonly<Record<string, Outcome>>, state = {}) {
  const ids = Object.keys(answers).join('');
  const world = createWorld(ids, { state });
  const { clock, memory, store, read } = world;
  for (const id of ids) await read(id, answers[id]!);
  const findings = (id: string) => store.get(id)!.answer!.findings;
  /** The problems of a deployment that are not muted, as `mute` takes them. */
  const counted = (id: string) => {
    const deployment = store.get(id)!;
    return unmutedProblems(findings(id), memory).map((problem) => ({ deployment, problem }));
  };
  return {
    ...world,
    findings,
    counted,
    /** The state of each deployment: "muted satisfied". */
    states: () => Array.from(ids, (id) => store.get(id)?.state).join(' '),
    mute: (id = 'a', days = 1) => memory.mute(counted(id), clock.now() + days * day),
    unmute: (id: string) => memory.unmute(mutedProblems(findings(id), memory)),
    next: (later: Readonly<Record<string, Outcome>>) =>
      openWindow(later, { problemMemory: world.state.get('problemMemory') }),
  };
}

/** The requirements of a in the order of their rows. */
const rowsOf = ({ findings }: World) => findings('a').requirements.map(({ name }) => name);

type World = Awaited<ReturnType<typeof openWindow>>;

/** Opens a window with three deployments that share a failed account, and one that does not have it. */
const shared = () => openWindow({ a: revoked(), b: revoked(), c: revoked(), d: good });

const isUntilChange = ({ findings, memory }: World) =>
  memory.muteOf(findings('a').problems[0]!)?.isUntilChange;
const since = ({ findings, memory }: World, id = 'a') =>
  memory.seenSince(findings(id).problems[0]!);

const endings = [
  ['by hand', ({ unmute }: World) => unmute('a')],
  ['with its time', ({ clock }: World) => clock.pass(day)],
] as const;

/** Mutes the account, then begins a refresh. Its first answer has another error code, the newer two the muted one. */
async function refreshWithOlderChange() {
  const world = await shared();
  const { store, mute, reply, clock } = world;
  mute();
  const done = store.refresh(undefined, { readsOnlyThese: true });
  for (const [id, answer] of [
    ['a', revoked('expired')],
    ['b', revoked()],
    ['c', revoked()],
  ] as const) {
    clock.pass(1);
    await reply(id, answer);
  }
  const endRefresh = async () => {
    await reply('d', good);
    await done;
  };
  return { ...world, endRefresh };
}

describe('a mute of an account', () => {
  it('holds in every deployment that has the account', async () => {
    const { mute, states } = await shared();
    mute();
    assert.equal(states(), 'muted muted muted satisfied');
  });

  it('has its deployments counted as muted, not as failing', async () => {
    const { store, mute } = await shared();
    mute();
    assert.deepEqual(store.counts, {
      total: 4,
      failing: 0,
      unknown: 0,
      notYetRead: 0,
      muted: 3,
      healthy: 1,
    });
  });

  it('leaves no problem unmuted in another deployment that has the account', async () => {
    const { counted, findings, memory, mute } = await shared();
    mute();
    assert.deepEqual(counted('b'), []);
    assert.equal(mutedProblems(findings('b'), memory).length, 1);
  });

  it('mutes a requirement that needs the account', async () => {
    const { findings, memory, mute } = await shared();
    mute();
    const requirement = findings('b').requirements[0]!;
    assert.equal(stateOfFinding(requirement, memory), 'muted');
  });

  it('leaves deployments in their order until the next refresh', async () => {
    const { store, mute, read } = await shared();
    const order = () => store.deployments.map(({ id }) => id).join('');
    await read('d', bad);
    mute('a');
    assert.equal(order(), 'abcd');
    await read('d', bad);
    assert.equal(order(), 'dabc');
  });

  for (const [what, id, answer] of [
    ['has another error code', 'b', revoked('expired')],
    ['says that the account works', 'd', repaired],
  ] as const) {
    it(`ends in every deployment when the newest answer ${what}`, async () => {
      const { mute, read, states, clock, store } = await shared();
      store.setListed(list('abcde'));
      mute();
      clock.pass(1);
      await read(id, answer);
      assert.equal(states(), 'failed failed failed satisfied');
    });
  }

  it('ends when no good answer names the account any more', async () => {
    const { mute, read, states } = await shared();
    mute();
    for (const id of 'abc') await read(id, good);
    assert.equal(states(), 'satisfied satisfied satisfied satisfied');
    await read('a', revoked());
    assert.equal(states(), 'failed satisfied satisfied satisfied');
  });

  it('holds while a good answer of another listed deployment names the account', async () => {
    const { mute, read, states } = await shared();
    mute();
    for (const id of 'ab') await read(id, good);
    await read('a', revoked());
    assert.equal(states(), 'muted satisfied muted satisfied');
  });

  it('holds while a refresh that has found another error code still runs', async () => {
    const { states } = await refreshWithOlderChange();
    assert.match(states(), /^muted muted muted/);
  });

  it('holds after a refresh when its newest answers have the muted error code', async () => {
    const { endRefresh, states } = await refreshWithOlderChange();
    await endRefresh();
    assert.match(states(), /^muted muted muted/);
  });

  for (const [what, outcome, issues] of [
    ['a failed read', notFound, []],
    ['an answer with unreadable fields that may hide the account', good, unreadable],
    ['an answer with unreadable fields that may hide the error', repaired, unreadable],
  ] as const) {
    it(`outlives ${what}`, async () => {
      const { mute, read, states } = await openWindow({ a: revoked(), b: good });
      mute();
      await read('a', outcome, [...issues]);
      await read('a', revoked());
      assert.equal(states(), 'muted satisfied');
    });
  }

  it('outlives an answer whose error code is unreadable', async () => {
    const { mute, read, states } = await openWindow({ a: revoked() });
    mute();
    const issues = new DecodeIssues();
    const { accounts, requirements } = revoked();
    const json = { accounts: [{ ...accounts[0], error: { code: 17 } }], requirements };
    await read('a', decodeDeploymentAuthorization(json, issues)!, issues.list);
    await read('a', revoked());
    assert.equal(states(), 'muted');
  });

  it('holds in a later window when deployments that were not read before answer', async () => {
    const { store, mute, next } = await openWindow({ a: revoked(), b: notFound });
    store.setListed(list('abc'));
    mute();
    const later = await next({ a: revoked(), b: revoked(), c: revoked() });
    assert.equal(later.states(), 'muted muted muted');
  });
});

const both = () => openWindow({ a: unsatisfied(), b: unsatisfied() });

describe('a mute of a requirement', () => {
  it('outlives an answer that does not say whether the requirement is satisfied', async () => {
    const { mute, read, states } = await openWindow({ a: unsatisfied() });
    mute();
    const { satisfied: _, ...unknown } = unsatisfied().requirements[0]!;
    await read('a', { ...unsatisfied(), requirements: [unknown] });
    await read('a', unsatisfied());
    assert.equal(states(), 'muted');
  });

  it('outlives an answer with unreadable fields that may hide the requirement', async () => {
    const { mute, read, states } = await both();
    mute();
    await read('a', good, unreadable);
    await read('a', unsatisfied());
    assert.equal(states(), 'muted notSatisfied');
  });

  const needsScope = [{ connectionMethodId: 'm', requiredScopes: ['a'] }];
  for (const [what, account] of [
    ['account', 5],
    ['ID of its account', { id: 5, connectionMethodId: 'm', scopes: [] }],
    ['connection method of its account', { id: 'acc', connectionMethodId: 5, scopes: [] }],
  ] as const) {
    it(`outlives an answer with an unreadable ${what}`, async () => {
      const lacking = unsatisfied({ connections: needsScope });
      const { mute, read, states } = await openWindow({ a: lacking });
      mute();
      const issues = new DecodeIssues();
      const json = { ...lacking, accounts: [account] };
      await read('a', decodeDeploymentAuthorization(json, issues)!, issues.list);
      await read('a', lacking);
      assert.equal(states(), 'muted');
    });
  }

  it('ends when satisfied in a later window that cannot read another deployment', async () => {
    const { mute, next } = await both();
    mute();
    const later = await next({ a: unsatisfied({ satisfied: true }), b: notFound });
    await later.read('a', unsatisfied());
    assert.equal(later.states(), 'notSatisfied unknown');
  });
});

describe('a mute', () => {
  it('is saved without names and IDs', async () => {
    const { mute, state } = await shared();
    mute();
    assert.doesNotMatch(JSON.stringify(state.saved), /acc|notifier|"[abcd]"|org|revoked/);
  });

  it('holds in the next window', async () => {
    const { mute, next } = await shared();
    mute();
    const later = await next({ a: revoked() });
    assert.equal(later.states(), 'muted');
  });

  it('ends with its time', async () => {
    const { clock, mute, states } = await shared();
    mute();
    clock.pass(day - 1);
    assert.equal(states(), 'muted muted muted satisfied');
    clock.pass(1);
    assert.equal(states(), 'failed failed failed satisfied');
  });

  it('makes no problem new when its time ends', async () => {
    const { clock, found, mute } = await shared();
    mute();
    found.length = 0;
    clock.pass(day);
    assert.deepEqual(found, []);
  });

  it('leaves no timer when its time has ended', async () => {
    const { clock, mute } = await shared();
    mute();
    clock.pass(day);
    assert.equal(clock.waiting, 0);
  });

  it('ends at the next answer when the machine slept past its end', async () => {
    const { clock, mute, read, states } = await shared();
    mute();
    clock.sleep(2 * day);
    await read('d', good);
    assert.match(states(), /^failed/);
  });

  it('ends in every deployment when the user ends it in one', async () => {
    const { mute, unmute, states } = await shared();
    mute();
    unmute('c');
    assert.equal(states(), 'failed failed failed satisfied');
  });

  it('holds while its organization stays signed in', async () => {
    const { mute, memory, states } = await shared();
    mute();
    memory.keepOrganizations(['org']);
    assert.match(states(), /^muted/);
  });

  it('ends when its organization is signed out', async () => {
    const { mute, memory, states } = await shared();
    mute();
    memory.keepOrganizations(['another']);
    assert.equal(states(), 'failed failed failed satisfied');
  });

  it('leaves nothing in the saved state when its organization is signed out', async () => {
    const { mute, memory, state } = await shared();
    mute();
    memory.keepOrganizations(['another']);
    assert.equal(state.get('problemMemory'), undefined);
  });

  it('does not replace the answer of its deployment when it begins', async () => {
    const world = await shared();
    const { answer } = world.store.get('a')!;
    world.mute();
    assert.equal(world.store.get('a')?.answer, answer);
  });

  for (const [how, end] of endings) {
    it(`does not replace the answer of its deployment when it ends ${how}`, async () => {
      const world = await shared();
      const { answer } = world.store.get('a')!;
      world.mute();
      end(world);
      assert.equal(world.store.get('a')?.answer, answer);
    });

    it(`is no longer counted after it has ended ${how}`, async () => {
      const world = await shared();
      world.mute();
      end(world);
      assert.equal(world.store.counts.muted, 0);
    });
  }

  it('leaves the rows of its deployment in their order until the next answer', async () => {
    const requirements = ['x', 'y'].map((binding) => ({ binding, satisfied: false }));
    const world = await openWindow({ a: { accounts: [], requirements } });
    world.memory.mute(world.counted('a').slice(0, 1), world.clock.now() + day);
    assert.deepEqual(rowsOf(world), ['x', 'y']);
    await world.read('a', { accounts: [], requirements });
    assert.deepEqual(rowsOf(world), ['y', 'x']);
  });

  it("holds for an older answer's error code while the newest answer stays the same", async () => {
    const { mute, read, states } = await openWindow({ a: revoked(), b: revoked('expired') });
    mute('a');
    await read('b', revoked('expired'));
    assert.equal(states(), 'muted muted');
  });

  it('lasts no longer than 90 days', async () => {
    const { mute, next } = await openWindow({ a: revoked() });
    mute('a', 100);
    const { clock, states } = await next({ a: revoked() });
    clock.pass(90 * day - 2000);
    assert.equal(states(), 'muted');
    clock.pass(2000);
    assert.equal(states(), 'failed');
  });
});

async function muteInRefresh() {
  const world = await openWindow({ a: revoked(), b: good });
  const { mute, reply, store } = world;
  const done = store.refresh();
  await reply('a', revoked('expired'));
  mute();
  await reply('b', good);
  await done;
  return world;
}

describe('a mute of a problem that the running refresh found changed', () => {
  it('holds after the refresh', async () => {
    const { states } = await muteInRefresh();
    assert.equal(states(), 'muted satisfied');
  });

  it('keeps the problem from being new', async () => {
    const { found } = await muteInRefresh();
    assert.deepEqual(found, []);
  });
});

async function muteUntilChange() {
  const world = await shared();
  world.memory.mute(world.counted('a'), world.clock.now() + 90 * day, true);
  return world;
}

describe('a mute until the problem changes', () => {
  it('is recognized as such two windows later', async () => {
    const { next } = await muteUntilChange();
    const later = await next({ a: revoked() });
    const latest = await later.next({ a: revoked() });
    assert.equal(isUntilChange(latest), true);
  });

  it('is not recognized any more after the user has ended it', async () => {
    const world = await muteUntilChange();
    world.unmute('a');
    assert.equal(isUntilChange(world), undefined);
  });

  it('is not taken for a later mute with a time', async () => {
    const world = await muteUntilChange();
    world.unmute('a');
    world.mute('a');
    assert.equal(isUntilChange(world), false);
  });
});

/**
 * Mutes for a week a failed account in a, and a requirement that is not satisfied in b. Then the list
 * is another one, as in another branch, and the deployment that it names is read.
 */
async function openBranch() {
  const world = await openWindow({ a: revoked(), b: bad });
  const { findings, memory, mute, read, reply, store } = world;
  const problems = () => [...findings('a').problems, ...findings('b').problems];
  const muteEnds = () => problems().map((problem) => memory.muteOf(problem)?.until);
  const firstSeen = () => problems().map((problem) => memory.seenSince(problem));
  for (const id of 'ab') mute(id, 7);
  const before = { muteEnds: muteEnds(), firstSeen: firstSeen() };
  store.setListed(list('c'));
  await read('c', good);
  return {
    ...world,
    /** The ends of the mutes and the first-seen times before the list was another one. */
    before,
    muteEnds,
    firstSeen,
    /** Lists a and b again, beside c, and refreshes. */
    comeBack: async () => {
      store.setListed(list('abc'));
      const done = store.refresh();
      await reply('a', revoked());
      await reply('b', bad);
      await reply('c', good);
      await done;
    },
    countRemembered: () => Object.keys(savedIn(world).problems).length,
  };
}

interface Saved {
  readonly problems: Readonly<Record<string, readonly unknown[]>>;
}

/** What is saved of the one organization of a window. */
function savedIn({ state }: World): Saved {
  const [saved] = Object.values(state.get<Record<string, Saved>>('problemMemory') ?? {});
  return saved ?? { problems: {} };
}

describe('a problem of an unlisted deployment', () => {
  it('has the same end of its mute when the deployment is listed again', async () => {
    const { before, muteEnds, clock, comeBack } = await openBranch();
    clock.pass(day);
    await comeBack();
    assert.deepEqual(muteEnds(), before.muteEnds);
  });

  it('has the same first-seen time when the deployment is listed again', async () => {
    const { before, firstSeen, clock, comeBack } = await openBranch();
    clock.pass(day);
    await comeBack();
    assert.deepEqual(firstSeen(), before.firstSeen);
  });

  it('is not new when the deployment is listed again', async () => {
    const { found, comeBack } = await openBranch();
    await comeBack();
    assert.deepEqual(found, []);
  });

  it('is still muted when the deployment is listed again', async () => {
    const { states, comeBack } = await openBranch();
    await comeBack();
    assert.equal(states(), 'muted muted');
  });

  it('is remembered for 30 days', async () => {
    const { clock, read, countRemembered } = await openBranch();
    clock.pass(30 * day - 1);
    await read('c', good);
    assert.equal(countRemembered(), 2);
  });

  it('is forgotten after 30 days', async () => {
    const { clock, read, countRemembered } = await openBranch();
    clock.pass(30 * day);
    await read('c', good);
    assert.equal(countRemembered(), 0);
  });

  it('is forgotten after 30 days when there was a refresh in between', async () => {
    const { clock, read, countRemembered } = await openBranch();
    for (let half = 0; half < 2; half++) {
      clock.pass(15 * day);
      await read('c', good);
    }
    assert.equal(countRemembered(), 0);
  });

  it('is remembered for 30 more days when the deployment leaves again', async () => {
    const { store, clock, read, comeBack, countRemembered } = await openBranch();
    clock.pass(20 * day);
    await comeBack();
    store.setListed(list('c'));
    await read('c', good);
    clock.pass(20 * day);
    await read('c', good);
    assert.equal(countRemembered(), 2);
  });

  it('leaves nothing in the saved state when it is forgotten', async () => {
    const world = await openBranch();
    world.clock.pass(30 * day);
    for (let times = 0; times < 2; times++) await world.read('c', good);
    assert.deepEqual(savedIn(world), { problems: {}, left: {} });
  });

  it('is remembered for longer than 30 days while nothing can be read', async () => {
    const world = await openWindow({ a: revoked() });
    const first = since(world);
    world.store.setListed(list('c'));
    for (let times = 0; times < 2; times++) {
      world.clock.pass(31 * day);
      await world.read('c', notFound);
    }
    world.store.setListed(list('a'));
    await world.read('a', revoked());
    assert.equal(since(world), first);
  });

  it('is remembered when a listed deployment stops naming its account', async () => {
    const { mute, read, states, store } = await openWindow({ a: revoked(), b: revoked() });
    mute();
    store.setListed(list('a'));
    for (const outcome of [revoked(), good]) await read('a', outcome);
    store.setListed(list('ab'));
    await read('b', revoked());
    assert.equal(states(), 'satisfied muted');
  });

  it('is forgotten when a listed deployment shows its account working', async () => {
    const { read, countRemembered } = await openBranch();
    await read('c', repaired);
    assert.equal(countRemembered(), 1);
  });
});

describe('a problem of a deployment that cannot be read', () => {
  it('has the same first-seen time after three months', async () => {
    const world = await openWindow({ a: revoked(), b: good });
    const first = since(world);
    for (const [outcome, issues] of [
      [notFound, []],
      [good, unreadable],
      [notFound, []],
    ] as const) {
      world.clock.pass(31 * day);
      await world.read('a', outcome, [...issues]);
      await world.read('b', good);
    }
    await world.read('a', revoked());
    assert.equal(since(world), first);
  });
});

/** Saved by an earlier version: the two problems of `openBranch`, which were muted, and one of c, which was not. */
const formerProblems = {
  '6Hy0XA': {
    rf0SIyEJhbfeamgj: [1_001_000, 'S7R_GG', 87_401_000],
    Qkc2jOKcrzTWwrMj: [1_001_000, 'HY_Gzr', 87_401_000],
    ocJCoy8yVH73lw_c: [1_002_000, 'HY_Gzr', null],
  },
};

const openFormer = () => openWindow({ a: revoked(), b: bad, c: bad }, { problems: formerProblems });

describe('the state of an earlier version', () => {
  it('keeps its mutes', async () => {
    const { states } = await openFormer();
    assert.equal(states(), 'muted muted notSatisfied');
  });

  it('keeps first-seen times', async () => {
    const world = await openFormer();
    world.clock.pass(day);
    await world.read('c', bad);
    assert.equal(since(world, 'c'), 1_002_000);
  });

  it('makes no problem new', async () => {
    const { found } = await openFormer();
    assert.deepEqual(found, []);
  });

  it('keeps the ends of mutes', async () => {
    const { findings, memory } = await openFormer();
    assert.equal(memory.muteOf(findings('a').problems[0]!)?.until, 87_401_000);
  });

  it('is removed after the window has read it', async () => {
    const { state } = await openFormer();
    assert.equal(state.get('problems'), undefined);
  });

  it('is saved as a state of this version before a deployment is read', () => {
    const { state } = createWorld('a', { state: { problems: formerProblems } });
    assert.notEqual(state.get('problemMemory'), undefined);
  });

  it('is ignored when this version has saved a state', async () => {
    const { states } = await openWindow(
      { a: revoked() },
      { problemMemory: {}, problems: formerProblems },
    );
    assert.equal(states(), 'failed');
  });

  for (const [what, damaged] of [
    ['has a text for its time', ['1', 'S7R_GG', 87_401_000]],
    ['has no time', [null, 'S7R_GG', 87_401_000]],
    ['has a number for its sign', [1_001_000, 1, 87_401_000]],
    ['is a number', 1],
  ] as const) {
    it(`does not mute a problem whose entry ${what}`, async () => {
      const problems = { '6Hy0XA': { rf0SIyEJhbfeamgj: damaged } };
      const { states } = await openWindow({ a: revoked() }, { problems });
      assert.equal(states(), 'failed');
    });
  }
});

const openFrom020 = () => openWindow({ a: bad }, { seenSince: { x: 1 }, mutes: { x: [1, {}] } });

describe('the state of version 0.2.0', () => {
  it('makes no problem new', async () => {
    const { found } = await openFrom020();
    assert.deepEqual(found, []);
  });

  it('is removed', async () => {
    const { state } = await openFrom020();
    assert.equal(state.get('seenSince'), undefined);
    assert.equal(state.get('mutes'), undefined);
  });
});

/** The entry that is saved for a muted account, and the hashes that name the account and its organization. */
async function savedMute() {
  const { mute, state } = await openWindow({ a: revoked() });
  mute();
  const saved = state.get<Record<string, Saved>>('problemMemory')!;
  const [organization = ''] = Object.keys(saved);
  const [[key, entry] = ['', []]] = Object.entries(saved[organization]!.problems);
  return { organization, key, entry };
}

/** Opens a window with a saved mute that has `daysLeft`. Without `isUntilChange`, an earlier version saved it. */
async function openWithMute(saved: { daysLeft: number; isUntilChange?: boolean }) {
  const { organization, key, entry } = await savedMute();
  const [firstSeen, sign, , holders] = entry;
  const muteEnd = 1_000_000 + saved.daysLeft * day;
  const isOfThisVersion = saved.isUntilChange !== undefined;
  const more = isOfThisVersion ? [null, saved.isUntilChange] : [];
  const problems = { [key]: [firstSeen, sign, muteEnd, holders, ...more] };
  return openWindow({ a: revoked() }, { problemMemory: { [organization]: { problems } } });
}

describe('a saved mute', () => {
  for (const [when, damage] of [
    ['its time is a text', ([, ...rest]) => ['1', ...rest]],
    ['it has no time', ([, ...rest]) => [null, ...rest]],
    ['no date can have its time', ([, ...rest]) => [1e300, ...rest]],
    ['its sign is a number', ([at, , ...rest]) => [at, 1, ...rest]],
    ['its end is a text', ([at, sign, , holders]) => [at, sign, '9', holders]],
    ['its deployments are a number', ([at, sign, until]) => [at, sign, until, 1]],
    ['its entry is a number', () => 1],
  ] as const satisfies readonly (readonly [string, (entry: readonly unknown[]) => unknown])[]) {
    it(`is ignored when ${when}`, async () => {
      const { organization, key, entry } = await savedMute();
      const problemMemory = { [organization]: { problems: { [key]: damage(entry) }, left: {} } };
      const { states } = await openWindow({ a: revoked() }, { problemMemory });
      assert.equal(states(), 'failed');
    });
  }

  for (const what of ['organizations', 'organization', 'problems'] as const) {
    it(`is ignored when a number is saved in place of the ${what}`, async () => {
      const { organization } = await savedMute();
      const problemMemory = {
        organizations: 1,
        organization: { [organization]: 1 },
        problems: { [organization]: { problems: 1, left: 1 } },
      }[what];
      const { states } = await openWindow({ a: revoked() }, { problemMemory });
      assert.equal(states(), 'failed');
    });
  }

  it('holds when no times of unlisted deployments are saved', async () => {
    const { organization, key, entry } = await savedMute();
    const problemMemory = { [organization]: { problems: { [key]: entry } } };
    const { states } = await openWindow({ a: revoked() }, { problemMemory });
    assert.equal(states(), 'muted');
  });

  it('lasts until a change when an earlier version saved it for more than a week', async () => {
    assert.equal(isUntilChange(await openWithMute({ daysLeft: 80 })), true);
  });

  it('ends with its time when an earlier version saved it for less than a week', async () => {
    assert.equal(isUntilChange(await openWithMute({ daysLeft: 6 })), false);
  });

  it('ends with its time when saved so with more than a week left', async () => {
    // The system's clock was set back after the user had muted the problem for a week.
    const world = await openWithMute({ daysLeft: 8, isUntilChange: false });
    assert.equal(isUntilChange(world), false);
  });

  it('has a flag that tells a mute with a time from one until a change', async () => {
    const { entry } = await savedMute();
    const [, , , , , flag] = entry;
    assert.equal(flag, false);
  });

  it('lasts until a change when only some of its days are left', async () => {
    const world = await openWithMute({ daysLeft: 6, isUntilChange: true });
    assert.equal(isUntilChange(world), true);
  });
});

function orAnything(usual: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: fc.jsonValue() });
}

/** States of any shape, most of them near to one that this version saves; and of an earlier version. */
async function anyState() {
  const { organization, key, entry } = await savedMute();
  const parts = entry.map((value) =>
    orAnything(typeof value === 'number' ? fc.double() : fc.constant(value)),
  );
  const problems = orAnything(fc.record({ [key]: orAnything(fc.tuple(...parts)) }));
  const left = orAnything(fc.dictionary(fc.string(), fc.jsonValue()));
  const state = orAnything(
    fc.record({ [organization]: orAnything(fc.record({ problems, left })) }),
  );
  return fc.record({ problemMemory: state, problems: state });
}

describe('a problem with a damaged saved state', () => {
  it('is muted for at most 90 days', async () => {
    await fc.assert(
      fc.asyncProperty(await anyState(), async (state) => {
        const { clock, findings, memory } = await openWindow({ a: revoked() }, state);
        const [problem] = findings('a').problems;
        const muteEnd = memory.muteOf(problem!)?.until ?? clock.now();
        const daysLeft = (muteEnd - clock.now()) / day;
        assert.ok(daysLeft <= 90, `muted for ${daysLeft} days`);
      }),
    );
  });

  it('has a first-seen time that a date can have', async () => {
    await fc.assert(
      fc.asyncProperty(await anyState(), async (state) => {
        const firstSeen = since(await openWindow({ a: revoked() }, state))!;
        assert.doesNotThrow(() => new Date(firstSeen).toISOString(), `first seen: ${firstSeen}`);
      }),
    );
  });
});

describe('the memory of problems', () => {
  it('looks at the unreadable fields of an answer once for several refreshes', async () => {
    const issues = countingIssues(5000);
    const accounts = Array.from({ length: 2000 }, (_, at) => ({ id: `acc_${at}` }));
    const { read } = await openWindow({ b: good });
    await read('b', { accounts, requirements: [] }, issues.list);
    await read('b', good);
    assert.equal(issues.reads, 5000);
  });
});

const firstReading = () => openWindow({ a: bad, b: notFound });

describe('a problem', () => {
  it('is not new in the first reading of a workspace', async () => {
    const { found } = await firstReading();
    assert.deepEqual(found, []);
  });

  it('is not new when its deployment could not be read in the first reading', async () => {
    const { found, read } = await firstReading();
    await read('b', bad);
    assert.deepEqual(found, []);
  });

  it('is not new when its deployment was listed after the first reading', async () => {
    const { found, store, reply } = await firstReading();
    store.setListed(list('abc'));
    const done = store.refresh();
    await reply('abc', bad);
    await done;
    assert.deepEqual(found, []);
  });

  it('is not new in the first reading when another organization is signed out meanwhile', async () => {
    const { found, memory, read, platform, store } = createWorld('ab');
    store.setOrganization({ id: 'another', read: platform.read });
    await read('a', good);
    store.setOrganization({ id: 'org', read: platform.read });
    await read('a', good);
    await read('b', notFound);
    memory.keepOrganizations(['org']);
    await read('b', bad);
    assert.deepEqual(found, []);
  });

  it('is new in a later window when its deployment was healthy in the first', async () => {
    const healthy = await openWindow({ a: good });
    const { found } = await healthy.next({ a: bad });
    assert.deepEqual(found, ['a']);
  });

  it('is not new in a later window when its error code is the same', async () => {
    const failing = await openWindow({ a: failed('x') });
    const { found } = await failing.next({ a: failed('x') });
    assert.deepEqual(found, []);
  });

  it('is new in a later window when its error code is another one', async () => {
    const failing = await openWindow({ a: failed('x') });
    const { found } = await failing.next({ a: failed('y') });
    assert.deepEqual(found, ['a']);
  });

  it('is new in a later window when it was gone at the end of the one before', async () => {
    const { read, next } = await openWindow({ a: failed('x') });
    await read('a', good);
    const { found } = await next({ a: failed('x') });
    assert.deepEqual(found, ['a']);
  });

  it('is new only in the deployment that was read last when several share its account', async () => {
    const { next } = await openWindow({ a: good });
    const { found, reply, store } = await next({});
    store.setListed(list('ab'));
    const done = store.refresh();
    await reply('ab', failed('x'));
    await done;
    assert.deepEqual(found, ['b']);
  });

  it('is not new again when its deployment could not be read in between', async () => {
    const { read, found } = await openWindow({ a: good });
    for (const outcome of [bad, notFound, bad]) await read('a', outcome);
    assert.deepEqual(found, ['a']);
  });

  it('is new again when it was gone in between', async () => {
    const { read, found } = await openWindow({ a: good });
    for (const outcome of [bad, good, bad]) await read('a', outcome);
    assert.deepEqual(found, ['a', 'a']);
  });

  for (const [how, end] of endings) {
    it(`is not new after a mute of it has ended ${how}`, async () => {
      const world = await openWindow({ a: failed('x') });
      world.mute();
      end(world);
      await world.read('a', failed('x'));
      assert.deepEqual(world.found, []);
    });
  }
});

/** Opens a window that has saved the problem, and the next one, which finds the same. */
async function openTwoWindows() {
  const first = await openWindow({ a: failed('x') });
  return first.next({ a: failed('x') });
}

describe('the first-seen time of a problem', () => {
  it('stays when a later answer has the same error code', async () => {
    const world = await openWindow({ a: failed('x') });
    const first = since(world);
    world.clock.pass(day);
    await world.read('a', failed('x'));
    assert.equal(since(world), first);
  });

  it('stays in the next window', async () => {
    const world = await openWindow({ a: failed('x') });
    const first = since(world);
    world.clock.pass(day);
    await world.read('a', failed('x'));
    const next = await world.next({ a: failed('x') });
    assert.equal(since(next), first);
  });

  it('begins anew when the error code changes', async () => {
    const world = await openTwoWindows();
    world.clock.pass(day);
    await world.read('a', failed('y'));
    assert.equal(since(world), world.clock.now());
  });

  it('begins anew when the problem was gone in between', async () => {
    const world = await openTwoWindows();
    world.clock.pass(day);
    for (const outcome of [good, failed('x')]) await world.read('a', outcome);
    assert.equal(since(world), world.clock.now());
  });

  for (const [how, end] of endings) {
    it(`stays after a mute of the problem has ended ${how}`, async () => {
      const world = await openWindow({ a: failed('x') });
      const first = since(world);
      world.mute();
      world.clock.pass(1);
      end(world);
      await world.read('a', failed('x'));
      assert.equal(since(world), first);
    });
  }

  it('is that of the first deployment whose answer has shown it', async () => {
    const world = await openWindow({ a: failed('x'), b: good });
    world.clock.pass(day);
    await world.read('b', failed('x'));
    assert.equal(since(world, 'b'), since(world));
  });

  it('is another one in another organization', async () => {
    const world = await openWindow({ a: failed('x') });
    world.clock.pass(day);
    world.store.setOrganization({ id: 'other', read: world.platform.read });
    await world.read('a', failed('x'));
    assert.equal(since(world), world.clock.now());
  });
});

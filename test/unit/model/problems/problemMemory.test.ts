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
    return unmutedProblems(findings(id), memory).map((problem) => ({ deployment, problem }));
  };
  return {
    ...world,
    findings,
    counted,
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

/** Three deployments that share a failed account, and one that does not have it. */
const shared = () => openWindow({ a: revoked(), b: revoked(), c: revoked(), d: good });

const both = () => openWindow({ a: unsatisfied(), b: unsatisfied() });
const isUntilChange = ({ findings, memory }: World) =>
  memory.isMutedUntilChange(findings('a').problems[0]!);
const since = ({ findings, memory }: World, id = 'a') =>
  memory.seenSince(findings(id).problems[0]!);

describe('a mute of an account', () => {
  it('holds in every deployment that has the account, with the effects of its failure', async () => {
    const { store, counted, findings, memory, mute, states } = await shared();
    mute();
    assert.equal(states(), 'muted muted muted satisfied');
    assert.deepEqual(store.counts, {
      total: 4,
      failing: 0,
      unknown: 0,
      notYetRead: 0,
      muted: 3,
      healthy: 1,
    });
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
    const done = store.refresh(undefined, { readsOnlyThese: true });
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

  it('outlives an answer whose error code could not be read', async () => {
    const { mute, read, states } = await openWindow({ a: revoked() });
    mute();
    const issues = new DecodeIssues();
    const { accounts, requirements } = revoked();
    const json = { accounts: [{ ...accounts[0], error: { code: 17 } }], requirements };
    await read('a', decodeDeploymentAuthorization(json, issues)!, issues.list);
    await read('a', revoked());
    assert.equal(states(), 'muted');
  });

  it('of a requirement outlives an answer that does not say whether it is satisfied', async () => {
    const { mute, read, states } = await openWindow({ a: unsatisfied() });
    mute();
    const { satisfied: _, ...unknown } = unsatisfied().requirements[0]!;
    await read('a', { ...unsatisfied(), requirements: [unknown] });
    await read('a', unsatisfied());
    assert.equal(states(), 'muted');
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

/** Mutes a problem whose error code has just changed. */
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

describe('a mute', () => {
  it('ends with its time, which is no new problem, and goes on over a restart until then', async () => {
    const { clock, mute, read, next, states, found, state } = await shared();
    mute();
    found.length = 0;
    assert.doesNotMatch(JSON.stringify(state.saved), /acc|notifier|"[abcd]"|org|revoked/);
    assert.match((await next({ a: revoked() })).states(), /^muted/);
    clock.pass(day - 1);
    assert.match(states(), /^muted/);
    clock.pass(1);
    assert.equal(states(), 'failed failed failed satisfied');
    assert.deepEqual([found, clock.waiting], [[], 0]);
    mute();
    clock.sleep(2 * day);
    await read('d', good);
    assert.match(states(), /^failed/, 'no timer is waited for after a sleep');
  });

  it('until a change is known as such over restarts, until it ends', async () => {
    const world = await shared();
    world.memory.mute(world.counted('a'), world.clock.now() + 90 * day, true);
    const later = await world.next({ a: revoked() });
    assert.equal(isUntilChange(await later.next({ a: revoked() })), true);
    world.unmute('a');
    assert.equal(isUntilChange(world), false);
    world.mute('a');
    assert.equal(isUntilChange(world), false);
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

  for (const [how, end] of [
    ['by hand', ({ unmute }: World) => unmute('a')],
    ['with its time', ({ clock }: World) => clock.pass(day)],
  ] as const) {
    it(`keeps the answer of its deployment, also as it ends ${how}`, async () => {
      const world = await shared();
      const { answer } = world.store.get('a')!;
      world.mute();
      assert.equal(world.store.get('a')?.answer, answer);
      end(world);
      assert.equal(world.store.get('a')?.answer, answer);
    });

    it(`is counted no more once it has ended ${how}`, async () => {
      const world = await shared();
      world.mute();
      end(world);
      assert.equal(world.store.counts.muted, 0);
    });
  }

  it('keeps the rows of its deployment where they are until the next answer', async () => {
    const requirements = ['x', 'y'].map((binding) => ({ binding, satisfied: false }));
    const world = await openWindow({ a: { accounts: [], requirements } });
    world.memory.mute(world.counted('a').slice(0, 1), world.clock.now() + day);
    assert.deepEqual(rowsOf(world), ['x', 'y']);
    await world.read('a', { accounts: [], requirements });
    assert.deepEqual(rowsOf(world), ['y', 'x']);
  });

  describe('of a problem that the running refresh found changed', () => {
    it('holds after the refresh', async () => {
      const { states } = await muteInRefresh();
      assert.equal(states(), 'muted satisfied');
    });

    it('keeps it from being told as new', async () => {
      const { found } = await muteInRefresh();
      assert.deepEqual(found, []);
    });
  });

  it('of what an older answer says of an account holds while the newest one says the same', async () => {
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

/**
 * A failed account in a, and a requirement that is not satisfied in b, both muted for a week. Then the list
 * is another one, as in another branch, and what it names is read.
 */
async function openBranch() {
  const world = await openWindow({ a: revoked(), b: bad });
  const { findings, memory, mute, read, reply, store } = world;
  const remembered = () =>
    ['a', 'b'].map((id) => {
      const [problem] = findings(id).problems;
      return problem && { until: memory.mutedUntil(problem), since: memory.seenSince(problem) };
    });
  for (const id of 'ab') mute(id, 7);
  const before = remembered();
  store.setListed(list('c'));
  await read('c', good);
  return {
    ...world,
    before,
    remembered,
    /** The former list again, and a refresh. */
    comeBack: async () => {
      store.setListed(list('abc'));
      const done = store.refresh();
      await reply('a', revoked());
      await reply('b', bad);
      await reply('c', good);
      await done;
    },
    entries: () => Object.keys(savedIn(world).problems).length,
  };
}

interface Saved {
  readonly problems: Readonly<Record<string, readonly unknown[]>>;
}

/** Of the one organization of a window. */
function savedIn({ state }: World): Saved {
  const [saved] = Object.values(state.get<Record<string, Saved>>('problemMemory') ?? {});
  return saved ?? { problems: {} };
}

describe('a problem that left the list with its deployment', () => {
  it('is muted until the same day when it comes back', async () => {
    const { before, remembered, clock, comeBack } = await openBranch();
    clock.pass(day);
    await comeBack();
    assert.deepEqual(
      remembered().map((one) => one?.until),
      before.map((one) => one?.until),
    );
  });

  it('is seen since the same time when it comes back', async () => {
    const { before, remembered, clock, comeBack } = await openBranch();
    clock.pass(day);
    await comeBack();
    assert.deepEqual(
      remembered().map((one) => one?.since),
      before.map((one) => one?.since),
    );
  });

  it('is not new when it comes back', async () => {
    const { found, comeBack } = await openBranch();
    await comeBack();
    assert.deepEqual(found, []);
  });

  it('is not counted when it comes back muted', async () => {
    const { states, comeBack } = await openBranch();
    await comeBack();
    assert.equal(states(), 'muted muted');
  });

  it('is remembered for 30 days', async () => {
    const { clock, read, entries } = await openBranch();
    clock.pass(30 * day - 1);
    await read('c', good);
    assert.equal(entries(), 2);
  });

  it('is forgotten after 30 days', async () => {
    const { clock, read, entries } = await openBranch();
    clock.pass(30 * day);
    await read('c', good);
    assert.equal(entries(), 0);
  });

  it('is forgotten after 30 days also where a refresh came in between', async () => {
    const { clock, read, entries } = await openBranch();
    for (let half = 0; half < 2; half++) {
      clock.pass(15 * day);
      await read('c', good);
    }
    assert.equal(entries(), 0);
  });

  it('is remembered for 30 days more each time that it leaves', async () => {
    const { store, clock, read, comeBack, entries } = await openBranch();
    clock.pass(20 * day);
    await comeBack();
    store.setListed(list('c'));
    await read('c', good);
    clock.pass(20 * day);
    await read('c', good);
    assert.equal(entries(), 2);
  });

  it('leaves nothing in the state once it is forgotten', async () => {
    const world = await openBranch();
    world.clock.pass(30 * day);
    for (let times = 0; times < 2; times++) await world.read('c', good);
    assert.deepEqual(savedIn(world), { problems: {}, left: {} });
  });

  it('is remembered for as long as nothing can be read', async () => {
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

  it('is remembered where another one has named its account since', async () => {
    const { mute, read, states, store } = await openWindow({ a: revoked(), b: revoked() });
    mute();
    store.setListed(list('a'));
    for (const outcome of [revoked(), good]) await read('a', outcome);
    store.setListed(list('ab'));
    await read('b', revoked());
    assert.equal(states(), 'satisfied muted');
  });

  it('is forgotten once another one says that its account works', async () => {
    const { read, entries } = await openBranch();
    await read('c', repaired);
    assert.equal(entries(), 1);
  });
});

describe('what a deployment that cannot be read has shown', () => {
  it('is remembered however long that lasts', async () => {
    const world = await openWindow({ a: revoked(), b: good });
    const first = since(world);
    for (const outcome of [notFound, good, notFound]) {
      world.clock.pass(31 * day);
      if (outcome === good) await world.read('a', good, unreadable);
      else await world.read('a', outcome);
      await world.read('b', good);
    }
    await world.read('a', revoked());
    assert.equal(since(world), first);
  });
});

/** Saved by an earlier version of the two problems of `openBranch`, which were muted, and of c. */
const formerProblems = {
  '6Hy0XA': {
    rf0SIyEJhbfeamgj: [1_001_000, 'S7R_GG', 87_401_000],
    Qkc2jOKcrzTWwrMj: [1_001_000, 'HY_Gzr', 87_401_000],
    ocJCoy8yVH73lw_c: [1_002_000, 'HY_Gzr', null],
  },
};

const openFormer = () => openWindow({ a: revoked(), b: bad, c: bad }, { problems: formerProblems });

describe('what an earlier version saved', () => {
  it('still mutes', async () => {
    const { states } = await openFormer();
    assert.equal(states(), 'muted muted notSatisfied');
  });

  it('still tells since when a problem has been seen', async () => {
    const world = await openFormer();
    world.clock.pass(day);
    await world.read('c', bad);
    assert.equal(since(world, 'c'), 1_002_000);
  });

  it('makes nothing new', async () => {
    const { found } = await openFormer();
    assert.deepEqual(found, []);
  });

  it('mutes until the same time', async () => {
    const { findings, memory } = await openFormer();
    assert.equal(memory.mutedUntil(findings('a').problems[0]!), 87_401_000);
  });

  it('leaves the state once it was read', async () => {
    const { state } = await openFormer();
    assert.equal(state.get('problems'), undefined);
  });

  it('is in the state as this version saves it before anything was read', () => {
    const { state } = createWorld('a', { state: { problems: formerProblems } });
    assert.notEqual(state.get('problemMemory'), undefined);
  });

  it('is not read where this version has saved something', async () => {
    const { states } = await openWindow(
      { a: revoked() },
      { problemMemory: {}, problems: formerProblems },
    );
    assert.equal(states(), 'failed');
  });

  for (const [what, damaged] of [
    ['a time that is a text', ['1', 'S7R_GG', 87_401_000]],
    ['no time', [null, 'S7R_GG', 87_401_000]],
    ['a sign that is a number', [1_001_000, 1, 87_401_000]],
    ['a number for a list', 1],
  ] as const) {
    it(`mutes nothing with ${what}`, async () => {
      const problems = { '6Hy0XA': { rf0SIyEJhbfeamgj: damaged } };
      assert.equal((await openWindow({ a: revoked() }, { problems })).states(), 'failed');
    });
  }
});

/** What stands in the state for a muted account, and the hashes that name it and its organization. */
async function savedMute() {
  const { mute, state } = await openWindow({ a: revoked() });
  mute();
  const saved = state.get<Record<string, Saved>>('problemMemory')!;
  const [organization = ''] = Object.keys(saved);
  const [[key, entry] = ['', []]] = Object.entries(saved[organization]!.problems);
  return { organization, key, entry };
}

function orAnything(usual: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: fc.jsonValue() });
}

/** Whether a saved mute with these last fields, which ends so many days after the start of the first window, is one until a change. */
async function isSavedUntilChange(days: number, ...last: readonly unknown[]) {
  const { organization, key, entry } = await savedMute();
  const fields = [...entry.slice(0, 2), 1_000_000 + days * day, ...entry.slice(3, 4), ...last];
  const problemMemory = { [organization]: { problems: { [key]: fields } } };
  return isUntilChange(await openWindow({ a: revoked() }, { problemMemory }));
}

describe('a saved mute', () => {
  for (const [what, damage] of [
    ['a time that is a text', ([, ...rest]) => ['1', ...rest]],
    ['no time', ([, ...rest]) => [null, ...rest]],
    ['a time that no date can have', ([, ...rest]) => [1e300, ...rest]],
    ['a sign that is a number', ([at, , ...rest]) => [at, 1, ...rest]],
    ['an end that is a text', ([at, sign, , holders]) => [at, sign, '9', holders]],
    ['a number for its deployments', ([at, sign, until]) => [at, sign, until, 1]],
    ['a number for all of it', () => 1],
  ] as const satisfies readonly (readonly [string, (entry: readonly unknown[]) => unknown])[]) {
    it(`is ignored with ${what}`, async () => {
      const { organization, key, entry } = await savedMute();
      const problemMemory = { [organization]: { problems: { [key]: damage(entry) }, left: {} } };
      assert.equal((await openWindow({ a: revoked() }, { problemMemory })).states(), 'failed');
    });
  }

  for (const what of ['organizations', 'organization', 'problems'] as const) {
    it(`is ignored where a number stands for its ${what}`, async () => {
      const { organization } = await savedMute();
      const problemMemory = {
        organizations: 1,
        organization: { [organization]: 1 },
        problems: { [organization]: { problems: 1, left: 1 } },
      }[what];
      assert.equal((await openWindow({ a: revoked() }, { problemMemory })).states(), 'failed');
    });
  }

  it('is of use without times at which deployments left the list', async () => {
    const { organization, key, entry } = await savedMute();
    const problemMemory = { [organization]: { problems: { [key]: entry } } };
    assert.equal((await openWindow({ a: revoked() }, { problemMemory })).states(), 'muted');
  });

  it('of an earlier version is one until a change if it lasts for more than a week', async () => {
    assert.equal(await isSavedUntilChange(80), true);
  });

  it('of an earlier version is one with a time if it ends within a week', async () => {
    assert.equal(await isSavedUntilChange(6), false);
  });

  it('is none until a change, though the clock was set back after it was muted for a week', async () => {
    assert.equal(await isSavedUntilChange(8, null, false), false);
  });

  it('says when it is saved whether it is one until a change', async () => {
    const { entry } = await savedMute();
    assert.equal(entry[5], false);
  });

  it('is one until a change also on its last days', async () => {
    assert.equal(await isSavedUntilChange(6, null, true), true);
  });

  it('does no harm, whatever stands in the state', async () => {
    const { organization, key, entry } = await savedMute();
    const parts = entry.map((value) =>
      orAnything(typeof value === 'number' ? fc.double() : fc.constant(value)),
    );
    const problems = orAnything(fc.record({ [key]: orAnything(fc.tuple(...parts)) }));
    const left = orAnything(fc.dictionary(fc.string(), fc.jsonValue()));
    const state = orAnything(
      fc.record({ [organization]: orAnything(fc.record({ problems, left })) }),
    );
    await fc.assert(
      fc.asyncProperty(state, state, async (problemMemory, former) => {
        const world = await openWindow({ a: revoked() }, { problemMemory, problems: former });
        const [problem] = world.findings('a').problems;
        assert.ok((world.memory.mutedUntil(problem!) ?? 0) <= world.clock.now() + 90 * day);
        assert.doesNotThrow(() => new Date(since(world)!).toISOString());
      }),
    );
  });
});

describe('what is remembered of problems', () => {
  it('is compared at the end of a refresh without another look at what could not be decoded', async () => {
    const issues = countingIssues(5000);
    const accounts = Array.from({ length: 2000 }, (_, at) => ({ id: `acc_${at}` }));
    const { read } = await openWindow({ b: good });
    await read('b', { accounts, requirements: [] }, issues.list);
    await read('b', good);
    assert.equal(issues.reads, 5000);
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

  it('is none of the first reading, also after a sign-out of another organization', async () => {
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
    assert.deepEqual(
      [found, state.get('seenSince'), state.get('mutes')],
      [[], undefined, undefined],
    );
  });
});

describe('a problem is seen since', () => {
  it('its first answer, in this window and the next, until its sign changes or it is gone', async () => {
    const world = await openWindow({ a: failed('x') });
    const first = since(world);
    world.clock.pass(day);
    await world.read('a', failed('x'));
    assert.equal(since(world), first);
    const next = await world.next({ a: failed('x') });
    assert.equal(since(next), first);
    next.clock.pass(day);
    await next.read('a', failed('y'));
    assert.equal(since(next), next.clock.now());
    next.clock.pass(day);
    for (const outcome of [good, failed('y')]) await next.read('a', outcome);
    assert.equal(since(next), next.clock.now());
    // What was gone at the end of a window is new in the next one.
    await next.read('a', good);
    assert.deepEqual((await next.next({ a: failed('y') })).found, ['a']);
  });

  it('its first answer also after it was muted', async () => {
    const world = await openWindow({ a: failed('x') });
    const first = since(world);
    for (const end of [() => world.unmute('a'), () => world.clock.pass(day)]) {
      world.mute();
      world.clock.pass(1);
      end();
      await world.read('a', failed('x'));
      assert.deepEqual([since(world), world.found], [first, []]);
    }
  });

  it('the first answer of any deployment that has the account', async () => {
    const world = await openWindow({ a: failed('x'), b: good });
    world.clock.pass(day);
    await world.read('b', failed('x'));
    assert.equal(since(world, 'b'), since(world));
  });

  it('another time in another organization', async () => {
    const world = await openWindow({ a: failed('x') });
    world.clock.pass(day);
    world.store.setOrganization({ id: 'other', read: world.platform.read });
    await world.read('a', failed('x'));
    assert.equal(since(world), world.clock.now());
  });
});

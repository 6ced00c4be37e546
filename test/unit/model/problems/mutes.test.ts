import assert from 'node:assert/strict';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { Failure } from '../../../../src/api/failure.js';
import { type MuteRecord, Mutes } from '../../../../src/model/problems/mutes.js';
import { SeenSince } from '../../../../src/model/problems/seenSince.js';
import { type NewProblems, Store } from '../../../../src/model/store/store.js';
import { isShown } from '../../../../src/model/tree/roots.js';
import { ManualClock } from '../manualClock.js';
import { good, ManualService } from '../store/manualService.js';

const day = 24 * 60 * 60_000;
const notFound: Failure = { kind: 'notFound', status: 404 };

/** A failed account, with a requirement that it keeps from being satisfied. */
function revoked(code = 'revoked', requiredScopes: readonly string[] = [], own = {}): DeploymentAuthorization {
  return {
    accounts: [{ id: 'acc', label: 'Slack', connectionMethodId: 'm', scopes: [], error: { code } }, { id: 'other' }],
    requirements: [
      {
        binding: 'notifier',
        accountId: 'acc',
        satisfied: false,
        connections: [{ connectionMethodId: 'm', requiredScopes: [...requiredScopes] }],
        ...own,
      },
    ],
  };
}

const unsatisfied = (accountId = 'acc'): DeploymentAuthorization => ({
  accounts: [{ id: 'acc' }, { id: 'other' }],
  requirements: [{ binding: 'ledger', accountId, satisfied: false }],
});

async function create(ids = 'abcd', answer = revoked(), initial: MuteRecord = {}) {
  const clock = new ManualClock();
  const service = new ManualService(clock);
  const saved: MuteRecord[] = [];
  const found: NewProblems[] = [];
  const seen = new SeenSince({ initial: {}, save: () => undefined });
  const mutes = new Mutes({ now: clock.now, setTimer: clock.setTimer, initial, save: (record) => saved.push(record) });
  const store = new Store({ now: clock.now, setTimer: clock.setTimer, seen, mutes });
  store.onDidFindNewProblems((problems) => found.push(problems));
  store.setListed(Array.from(ids, (id) => ({ id })));
  store.setOrganization({ id: 'org', read: service.read });
  const read = async (id: string, outcome: DeploymentAuthorization | Failure) => {
    const done = store.refresh(id);
    if ('kind' in outcome) service.of(id).fail(outcome);
    else service.of(id).answer(outcome);
    await done;
  };
  for (const id of ids) await read(id, id === 'd' ? good : answer);
  found.length = 0;
  const problemsOf = (id: string) => store.get(id)!.answer!.findings.problems;
  return {
    clock,
    store,
    mutes,
    saved,
    found,
    read,
    mute: (kind = 'failedAccount', until = clock.now() + day) =>
      store.mute(
        problemsOf('a').filter((problem) => problem.kind === kind),
        until,
      ),
    states: () => Array.from(ids, (id) => store.get(id)?.state).join(' '),
  };
}

describe('mutes', () => {
  it('cover a failed account wherever it is, with the requirements bound to it, and hide nothing', async () => {
    const { store, mute, states } = await create();
    mute();
    assert.equal(states(), 'muted muted muted satisfied');
    assert.deepEqual(store.counts, { total: 4, failing: 0, unknown: 0, notYetRead: 0, muted: 3, healthy: 1 });
    const { problems, muted, failedAccounts, unsatisfied: others } = store.get('b')!.answer!.findings;
    assert.deepEqual([problems.length, muted.length, failedAccounts, others], [0, 2, 0, 0]);
    assert.deepEqual(
      store.deployments.filter((one) => isShown(one, { onlyProblems: true })).map(({ id }) => id),
      ['a', 'b', 'c'],
    );
  });

  it('of a requirement cover nothing else', async () => {
    const { store, mute, states } = await create('ab');
    mute('unsatisfiedRequirement');
    assert.equal(states(), 'failed failed');
    assert.deepEqual(
      ['a', 'b'].map((id) => store.get(id)!.answer!.findings.unsatisfied),
      [0, 1],
    );
  });

  it('come after what is failing, unknown and not read, and a failed read makes unknown of them', async () => {
    const { store, mute, read } = await create();
    mute();
    store.setListed(Array.from('abcdef', (id) => ({ id })));
    await read('f', unsatisfied());
    await read('b', notFound);
    assert.equal(store.deployments.map(({ id }) => id).join(''), 'fbeacd');
    assert.equal(store.counts.unknown, 1);
    await read('b', revoked());
    assert.equal(store.counts.muted, 3, 'what could not be read ended nothing');
  });

  const endings: readonly [string, string, DeploymentAuthorization][] = [
    ['the error code changes', 'b', revoked('expired')],
    ['the missing scopes change', 'b', revoked('revoked', ['channels:read'])],
    ['a requirement gets another account', 'b', revoked('revoked', [], { accountId: 'other' })],
    ['another deployment becomes affected', 'd', revoked()],
    ['a good answer lacks the problem', 'b', good],
  ];
  for (const [why, id, answer] of endings) {
    it(`end when ${why}, everywhere`, async () => {
      const { mute, read, states, saved, clock } = await create();
      mute();
      await read(id, answer);
      assert.doesNotMatch(states(), /muted/);
      assert.match(states(), /^failed/);
      assert.deepEqual([saved.at(-1), clock.waiting > 1], [{}, false]);
    });
  }

  it('of a requirement end when it is bound to another account', async () => {
    const { mute, read, states } = await create('ab', unsatisfied());
    mute('unsatisfiedRequirement');
    assert.equal(states(), 'muted notSatisfied');
    await read('a', unsatisfied());
    assert.equal(states(), 'muted notSatisfied');
    await read('a', unsatisfied('other'));
    assert.equal(states(), 'notSatisfied notSatisfied');
  });

  it('take in what was not read when they began', async () => {
    const { store, mute, read, states } = await create('abc');
    store.setListed(Array.from('abce', (id) => ({ id })));
    mute();
    await read('e', revoked());
    assert.equal(states(), 'muted muted muted');
    assert.equal(store.get('e')?.state, 'muted');
  });

  it('end with their time, which is no new problem, and go on over a restart until then', async () => {
    const { clock, mute, read, saved, states, found } = await create();
    mute();
    const record = saved.at(-1)!;
    assert.doesNotMatch(JSON.stringify(record), /acc|"[abcd]"|org|revoked/);
    const next = await create('abcd', revoked(), record);
    assert.equal(next.states(), 'muted muted muted satisfied');
    assert.deepEqual(next.found, []);
    clock.pass(day - 1);
    assert.match(states(), /^muted/);
    clock.pass(1);
    assert.equal(states(), 'failed failed failed satisfied');
    assert.deepEqual(found, []);
    mute();
    clock.sleep(2 * day);
    await read('d', good);
    assert.match(states(), /^failed/, 'no timer is waited for after a sleep');
  });

  it('end with a sign-out, and by hand with the account of a requirement', async () => {
    const { mute, mutes, store, states, saved } = await create();
    mute();
    store.unmute(store.get('c')!.answer!.findings.muted.filter(({ kind }) => kind === 'unsatisfiedRequirement'));
    assert.equal(states(), 'failed failed failed satisfied');
    mute();
    mutes.keepOrganizations(['org']);
    assert.match(states(), /^muted/);
    mutes.keepOrganizations(['another']);
    assert.equal(states(), 'failed failed failed satisfied');
    assert.deepEqual(saved.at(-1), {});
  });

  it('take nothing from a state that somebody else wrote', () => {
    const clock = new ManualClock();
    for (const initial of [undefined, 1, { x: 1 }, { abcdefghijklmnop: ['x', {}] }, { abcdefghijklmnop: [9e15, 1] }]) {
      new Mutes({ now: clock.now, setTimer: clock.setTimer, initial, save: () => undefined }).dispose();
    }
    const forever = new Mutes({
      now: clock.now,
      setTimer: clock.setTimer,
      initial: { abcdefghijklmnop: [9e15, {}] },
      save: () => undefined,
    });
    clock.pass(90 * day);
    assert.equal(clock.waiting, 0, 'no mute lasts longer than 90 days');
    forever.dispose();
  });
});

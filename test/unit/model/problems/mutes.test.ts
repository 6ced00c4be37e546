import assert from 'node:assert/strict';
import type { DeploymentAuthorization, Requirement } from '../../../../src/api/authorization.js';
import type { DecodeIssue } from '../../../../src/api/decode.js';
import { ApiError, type Failure } from '../../../../src/api/failure.js';
import { type MuteRecord, Mutes } from '../../../../src/model/problems/mutes.js';
import { SeenSince } from '../../../../src/model/problems/seenSince.js';
import { type NewProblems, Store } from '../../../../src/model/store/store.js';
import { isShown } from '../../../../src/model/tree/roots.js';
import { ManualClock } from '../manualClock.js';
import { good } from '../store/manualService.js';

const day = 24 * 60 * 60_000;

/** A failed account, with a requirement that it keeps from being satisfied. */
const revoked = (code = 'revoked', more: Partial<Requirement> = {}): DeploymentAuthorization => ({
  accounts: [{ id: 'acc', connectionMethodId: 'm', scopes: [], error: { code } }, { id: 'other' }],
  requirements: [{ binding: 'notifier', accountId: 'acc', satisfied: false, ...more }],
});
const lacking = revoked('revoked', { connections: [{ connectionMethodId: 'm', requiredScopes: ['channels:read'] }] });
const unsatisfied: DeploymentAuthorization = { ...revoked(), accounts: [{ id: 'acc' }, { id: 'other' }] };

const asked = (ids: string) => Array.from(ids, (id) => ({ id }));

/** Four deployments that were read. The last has no problem. */
async function create(answer = revoked(), initial: unknown = {}) {
  const clock = new ManualClock();
  const { now, setTimer } = clock;
  const saved: MuteRecord[] = [];
  const found: NewProblems[] = [];
  const answers = new Map<string, DeploymentAuthorization | Failure>();
  const seen = new SeenSince({ initial: {}, save: () => undefined });
  const mutes = new Mutes({ now, setTimer, initial, save: (record) => saved.push(record) });
  const store = new Store({ now, setTimer, seen, mutes });
  let decodeIssues: readonly DecodeIssue[] = [];
  const outcome = async (id: string) => {
    const value = answers.get(id)!;
    if ('kind' in value) throw new ApiError(value);
    return { value, decodeIssues, receivedAt: now() };
  };
  const read = (id: string, value: DeploymentAuthorization | Failure, unreadable: readonly DecodeIssue[] = []) => {
    answers.set(id, value);
    decodeIssues = unreadable;
    return store.refresh(id);
  };
  store.setListed(asked('abcd'));
  store.setOrganization({ id: 'org', read: outcome });
  for (const id of 'abc') await read(id, answer);
  await read('d', good);
  store.onDidFindNewProblems((problems) => found.push(problems));
  const findings = (id: string) => store.get(id)!.answer!.findings;
  const mute = (kind = 'failedAccount', days = 1) => {
    const problems = findings('a').problems.filter((problem) => problem.kind === kind);
    store.mute(problems, now() + days * day);
  };
  const states = () => Array.from('abcd', (id) => store.get(id)?.state).join(' ');
  return { clock, store, mutes, saved, found, read, findings, mute, states };
}

describe('mutes', () => {
  it('cover a failed account wherever it is, with the requirements bound to it, and hide nothing', async () => {
    const { store, findings, mute, states } = await create();
    mute();
    assert.equal(states(), 'muted muted muted satisfied');
    assert.deepEqual(store.counts, { total: 4, failing: 0, unknown: 0, notYetRead: 0, muted: 3, healthy: 1 });
    const { problems, muted, failedAccounts, unsatisfied: others } = findings('b');
    assert.deepEqual([problems.length, muted.length, failedAccounts, others], [0, 2, 0, 0]);
    const shown = store.deployments.filter((one) => isShown(one, { onlyProblems: true }));
    assert.equal(shown.map(({ id }) => id).join(''), 'abc');
  });

  it('of a requirement cover nothing else, and end when it is bound to another account', async () => {
    const failing = await create();
    failing.mute('unsatisfiedRequirement');
    assert.equal(failing.states(), 'failed failed failed satisfied');
    assert.deepEqual([failing.findings('a').unsatisfied, failing.findings('b').unsatisfied], [0, 1]);
    await failing.read('a', revoked('expired'));
    assert.equal(failing.findings('a').unsatisfied, 1);
    const { mute, read, states } = await create(unsatisfied);
    mute('unsatisfiedRequirement');
    await read('a', unsatisfied);
    assert.equal(states(), 'muted notSatisfied notSatisfied satisfied');
    await read('a', { ...unsatisfied, requirements: revoked('', { accountId: 'other' }).requirements });
    assert.equal(states(), 'notSatisfied notSatisfied notSatisfied satisfied');
  });

  it('come after what is failing, unknown and not read, and a failed read makes unknown of them', async () => {
    const { store, mute, read } = await create();
    mute();
    store.setListed(asked('abcdef'));
    await read('f', unsatisfied);
    await read('b', { kind: 'notFound', status: 404 });
    assert.equal(store.deployments.map(({ id }) => id).join(''), 'fbeacd');
    assert.equal(store.counts.unknown, 1);
    await read('b', revoked());
    await read('c', good, [{ path: 'accounts[0]', expected: 'object', found: 'null' }]);
    assert.deepEqual([store.counts.muted, store.counts.unknown], [2, 1], 'what could not be read ended nothing');
  });

  for (const [why, id, answer] of [
    ['the error code changes', 'b', revoked('expired')],
    ['the missing scopes change', 'b', lacking],
    ['a requirement gets another account', 'b', revoked('revoked', { accountId: 'other' })],
    ['another deployment becomes affected', 'd', revoked()],
    ['a good answer lacks the problem', 'b', good],
  ] as const) {
    it(`end when ${why}, everywhere`, async () => {
      const { mute, read, states, saved, clock } = await create();
      mute();
      await read(id, answer);
      assert.match(states(), /^failed (?!.*muted)/);
      assert.deepEqual([saved.at(-1), clock.waiting > 1], [{}, false]);
    });
  }

  it('of a requirement and of its account last until the later one ends', async () => {
    const { clock, findings, mute } = await create();
    mute('unsatisfiedRequirement', 2);
    mute();
    const left = findings('a').muted.map(({ mutedUntil }) => mutedUntil! - clock.now());
    assert.deepEqual(left, [day, 2 * day]);
  });

  it('take in what was not read when they began', async () => {
    const { store, mute, read, states } = await create();
    store.setListed(asked('abcde'));
    mute();
    await read('e', revoked());
    assert.equal(`${states()} ${store.get('e')?.state}`, 'muted muted muted satisfied muted');
  });

  it('end with their time, which is no new problem, and go on over a restart until then', async () => {
    const { clock, mute, read, saved, states, found } = await create();
    mute();
    assert.doesNotMatch(JSON.stringify(saved), /acc|"[abcd]"|org|revoked/);
    assert.equal((await create(revoked(), saved.at(-1))).states(), 'muted muted muted satisfied');
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
    const { mute, mutes, store, findings, states, saved } = await create();
    mute();
    store.unmute(findings('c').muted.filter(({ kind }) => kind === 'unsatisfiedRequirement'));
    assert.equal(states(), 'failed failed failed satisfied');
    mute();
    mutes.keepOrganizations(['org']);
    assert.match(states(), /^muted/);
    mutes.keepOrganizations(['another']);
    assert.equal(states(), 'failed failed failed satisfied');
    assert.deepEqual(saved.at(-1), {});
  });

  it('take nothing from a state that somebody else wrote, and last no longer than 90 days', () => {
    for (const initial of [undefined, 1, { x: 1 }, { x: ['x', {}] }, { x: [9e15, 1] }, { x: [9e15, {}] }]) {
      const clock = new ManualClock();
      const mutes = new Mutes({ now: clock.now, setTimer: clock.setTimer, initial, save: () => undefined });
      clock.pass(90 * day);
      assert.equal(clock.waiting, 0);
      mutes.dispose();
    }
  });
});

import assert from 'node:assert/strict';
import type { DeploymentAuthorization, Requirement } from '../../../../src/api/authorization.js';
import { Mutes } from '../../../../src/model/problems/mutes.js';
import { ManualClock } from '../manualClock.js';
import { createWorld, good, list } from '../store/world.js';

const day = 24 * 60 * 60_000;

/** A failed account, with a requirement that it keeps from being satisfied. */
const revoked = (code = 'revoked', more: Partial<Requirement> = {}): DeploymentAuthorization => ({
  accounts: [{ id: 'acc', connectionMethodId: 'm', scopes: [], error: { code } }, { id: 'other' }],
  requirements: [{ binding: 'notifier', accountId: 'acc', satisfied: false, ...more }],
});
const lacking = revoked('revoked', { connections: [{ connectionMethodId: 'm', requiredScopes: ['channels:read'] }] });
const unsatisfied: DeploymentAuthorization = { ...revoked(), accounts: [{ id: 'acc' }, { id: 'other' }] };

/** Four deployments that were read. The last has no problem. */
async function create(answer = revoked(), mutesBefore: unknown = {}) {
  const world = createWorld('abcd', { mutes: mutesBefore });
  const { clock, store, read } = world;
  for (const id of 'abcd') await read(id, id === 'd' ? good : answer);
  world.found.length = 0;
  const findings = (id: string) => store.get(id)!.answer!.findings;
  const mute = (kind = 'failedAccount', days = 1) => {
    const problems = findings('a').problems.filter((problem) => problem.kind === kind);
    store.mute(problems, clock.now() + days * day);
  };
  const states = () => Array.from('abcd', (id) => store.get(id)?.state).join(' ');
  return { ...world, findings, mute, states };
}

describe('mutes', () => {
  it('cover a failed account wherever it is, with the requirements bound to it', async () => {
    const { store, findings, mute, states } = await create();
    mute();
    assert.equal(states(), 'muted muted muted satisfied');
    assert.deepEqual(store.counts, { total: 4, failing: 0, unknown: 0, notYetRead: 0, muted: 3, healthy: 1 });
    const { problems, muted, failedAccounts, unsatisfied: others } = findings('b');
    assert.deepEqual([problems.length, muted.length, failedAccounts, others], [0, 2, 0, 0]);
  });

  it('of a requirement cover nothing else, and end when it is bound to another account', async () => {
    const failing = await create();
    failing.mute('unsatisfiedRequirement');
    assert.equal(failing.states(), 'failed failed failed satisfied');
    assert.deepEqual([failing.findings('a').unsatisfied, failing.findings('b').unsatisfied], [0, 1]);
    await failing.read('a', revoked('expired'));
    assert.equal(failing.findings('a').unsatisfied, 1);
    const { store, mute, read, states } = await create(unsatisfied);
    mute('unsatisfiedRequirement');
    assert.equal(store.deployments.map(({ id }) => id).join(''), 'bcad');
    await read('a', unsatisfied);
    assert.equal(states(), 'muted notSatisfied notSatisfied satisfied');
    await read('a', { ...unsatisfied, requirements: revoked('', { accountId: 'other' }).requirements });
    assert.equal(states(), 'notSatisfied notSatisfied notSatisfied satisfied');
  });

  it('end by nothing that could not be read', async () => {
    const { store, mute, read } = await create();
    mute();
    await read('b', { kind: 'notFound', status: 404 });
    await read('b', revoked());
    await read('c', good, [{ path: 'accounts[0]', expected: 'object', found: 'null' }]);
    assert.deepEqual([store.counts.muted, store.counts.unknown], [2, 1]);
  });

  for (const [why, id, answer] of [
    ['the error code changes', 'b', revoked('expired')],
    ['the missing scopes change', 'b', lacking],
    ['a requirement gets another account', 'b', revoked('revoked', { accountId: 'other' })],
    ['another deployment becomes affected', 'd', revoked()],
    ['a good answer lacks the problem', 'b', good],
  ] as const) {
    it(`end when ${why}, everywhere`, async () => {
      const { mute, read, states, savedMutes, clock } = await create();
      mute();
      await read(id, answer);
      clock.pass(250);
      assert.match(states(), /^failed (?!.*muted)/);
      assert.deepEqual([savedMutes.at(-1), clock.waiting], [{}, 0]);
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
    const { store, mute, read } = await create();
    store.setListed(list('abcde'));
    mute();
    await read('e', revoked());
    assert.equal(store.counts.muted, 4);
  });

  it('end with their time, which is no new problem, and go on over a restart until then', async () => {
    const { clock, mute, read, savedMutes, states, found } = await create();
    mute();
    assert.doesNotMatch(JSON.stringify(savedMutes), /acc|"[abcd]"|org|revoked/);
    assert.equal((await create(revoked(), savedMutes.at(-1))).states(), 'muted muted muted satisfied');
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
    const { mute, mutes, store, findings, states, savedMutes } = await create();
    mute();
    store.unmute(findings('c').muted.filter(({ kind }) => kind === 'unsatisfiedRequirement'));
    assert.equal(states(), 'failed failed failed satisfied');
    mute();
    mutes.keepOrganizations(['org']);
    assert.match(states(), /^muted/);
    mutes.keepOrganizations(['another']);
    assert.equal(states(), 'failed failed failed satisfied');
    assert.deepEqual(savedMutes.at(-1), {});
  });

  it('take nothing from a state that somebody else wrote, and last no longer than 90 days', () => {
    for (const initial of [undefined, 1, { x: 1 }, { x: ['x', {}] }, { x: [9e15, 1] }, { x: [9e15, {}] }]) {
      const clock = new ManualClock();
      const { now, elapsed, setTimer } = clock;
      const mutes = new Mutes({ now, elapsed, setTimer, initial, save: () => undefined });
      clock.pass(90 * day);
      assert.equal(clock.waiting, 0);
      mutes.dispose();
    }
  });
});

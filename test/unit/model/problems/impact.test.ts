import assert from 'node:assert/strict';
import type { Account, Requirement } from '../../../../src/api/authorization.js';
import type { Deployment } from '../../../../src/model/deployment.js';
import { Impact } from '../../../../src/model/problems/impact.js';
import { read } from '../tree/trees.js';

const account = (id: string, more: Partial<Account> = {}): Account => ({ id, connectionMethodId: 'oauth', ...more });

function having(id: string, ...accountIds: string[]): Deployment {
  return read(id, { accounts: accountIds.map((one) => account(one)), requirements: [] });
}

function requirement(method: string, requiredScopes: string[], satisfied?: boolean): Requirement {
  const connections = [{ connectionMethodId: method, requiredScopes }];
  return { accountId: 'x', connections, satisfied };
}

function answer(id: string, receivedAt: number, own: Partial<Account>, ...requirements: Requirement[]): Deployment {
  const deployment = read(id, { accounts: [account('x', own)], requirements });
  return { ...deployment, answer: { ...deployment.answer!, receivedAt } };
}

describe('impact', () => {
  it('is in how many listed deployments an account is, after each change of the list and its answers', () => {
    const [a, b] = [having('a', 'x', 'x', 'y'), having('b', 'x')];
    const store = { deployments: [a, b, having('c', '')] };
    const impact = new Impact(store);
    const counts = () => ['x', 'y', ''].map((id) => impact.count(id));
    assert.deepEqual(counts(), [2, 1, 0]);
    store.deployments = [having('b', 'x', 'y'), a, having('c', 'x')];
    assert.deepEqual(counts(), [3, 2, 0]);
    store.deployments = [a, having('b'), { id: 'c', name: 'c', state: 'unknown', activity: 'idle' }];
    assert.deepEqual(counts(), [1, 1, 0]);
    store.deployments = [having('e', 'y')];
    assert.deepEqual(counts(), [0, 1, 0]);
  });

  it('has another version only if a deployment got or lost an account', () => {
    const store = { deployments: [having('a', 'x'), having('b', 'y')] };
    const impact = new Impact(store);
    const { version } = impact;
    store.deployments = [having('b', 'y'), having('a', 'x')];
    assert.equal(impact.version, version);
    store.deployments = [having('a', 'x'), having('b', 'x', 'y')];
    assert.notEqual(impact.version, version);
  });

  it('takes an account from the newest answer, and holds all requirements that are bound to it', () => {
    const error = { code: 'token_revoked' };
    const deployments = [
      answer('a', 1, { scopes: [], error }, requirement('oauth', ['s1'], false)),
      answer('b', 3, { scopes: ['s1'], error, label: 'New' }, requirement('oauth', ['s1', 's2'], true)),
      answer('c', 2, { scopes: ['s1', 's3'] }, requirement('oauth', ['s3'], false), requirement('key', ['other'])),
      answer('d', 0, { connectionMethodId: 'key', scopes: [] }, requirement('key', ['s4'])),
    ];
    const muted = answer('e', 0, {}, requirement('oauth', [], false));
    muted.answer!.findings.requirements[0]!.problem!.mutedUntil = 1;
    const impact = new Impact({ deployments: [...deployments, muted] });
    const shared = impact.account('x');
    assert.equal(impact.account('y'), undefined);
    assert.deepEqual([shared?.finding.name, shared?.state, shared?.unsatisfied], ['New', 'failed', 2]);
    assert.deepEqual(shared?.finding.problem?.scopes, ['s2', 's3', 's4']);
    assert.deepEqual(Object.fromEntries(shared?.finding.problem?.methods ?? []), { oauth: ['s2', 's3'], key: ['s4'] });
  });

  it('has the state of its requirements where the newest answer has no error', () => {
    for (const [satisfied, state] of [
      [false, 'notSatisfied'],
      [undefined, 'unknown'],
      [true, 'satisfied'],
    ] as const) {
      const older = answer('b', 1, { error: {} }, requirement('oauth', [], satisfied), requirement('oauth', [], true));
      assert.equal(new Impact({ deployments: [answer('a', 2, {}), older] }).account('x')?.state, state);
    }
  });
});

import assert from 'node:assert/strict';
import type { Account, Requirement } from '../../../../src/api/authorization.js';
import type { Deployment } from '../../../../src/model/findings/deployment.js';
import { accountUsesIn, Impact, SharedAccount } from '../../../../src/model/problems/impact.js';
import { read, storeOf } from '../tree/trees.js';

function having(id: string, ...accountIds: string[]) {
  return read(id, { accounts: accountIds.map((one) => ({ id: one })), requirements: [] });
}

function requirement(method: string, requiredScopes: string[], satisfied?: boolean): Requirement {
  return {
    accountId: 'x',
    connections: [{ connectionMethodId: method, requiredScopes }],
    satisfied,
  };
}

/** With one account, by OAuth if nothing else is said. */
function answer(id: string, at: number, own: Account, ...requirements: Requirement[]) {
  return read(
    id,
    { accounts: [{ id: 'x', connectionMethodId: 'oauth', ...own }], requirements },
    [],
    at,
  );
}

function sharedOf(accountId: string, ...deployments: readonly Deployment[]) {
  const uses = deployments
    .flatMap(accountUsesIn)
    .filter(({ finding }) => finding.account.id === accountId);
  return uses.length > 0 ? new SharedAccount(uses) : undefined;
}

describe('impact', () => {
  it('is in how many listed deployments an account is, and has another version after a count has changed', () => {
    const [a, b] = [having('a', 'x', 'x', 'y'), having('b', 'x')];
    const store = storeOf(a, b, having('c', ''));
    const impact = new Impact(store);
    const after = (...deployments: readonly Deployment[]) => {
      const { holdersVersion } = impact;
      store.replace(...deployments);
      return [
        ...['x', 'y', ''].map((id) => impact.countHolders(id)),
        impact.holdersVersion !== holdersVersion,
      ];
    };
    assert.deepEqual(after(...store.deployments), [2, 1, 0, false]);
    assert.deepEqual(after(having('b', 'x', 'y'), a, having('c', 'x')), [3, 2, 0, true]);
    assert.deepEqual(after(having('c', 'x'), a, having('b', 'y', 'x')), [3, 2, 0, false]);
    const unread: Deployment = { id: 'c', name: 'c', state: 'unknown', activity: 'idle' };
    assert.deepEqual(after(a, having('b'), unread), [1, 1, 0, true]);
    assert.deepEqual(after(having('e', 'y'), having('f', 'x')), [1, 1, 0, false]);
    assert.deepEqual(after(having('e', 'x'), having('f', 'y')), [1, 1, 0, false]);
    const [holder] = impact.deploymentsWith('x');
    assert.equal(holder?.id, 'e');
    impact.dispose();
    store.replace();
    assert.equal(impact.countHolders('y'), 1);
  });

  it('counts the deployments in which an account keeps a requirement from being satisfied', () => {
    const impact = new Impact(
      storeOf(
        answer(
          'a',
          1,
          { error: {} },
          requirement('oauth', [], false),
          requirement('key', [], false),
        ),
        answer('b', 2, {}, requirement('oauth', ['s'], false)),
        answer('c', 3, { error: {} }, requirement('oauth', [], true)),
        answer('d', 4, {}, { satisfied: false }),
      ),
    );
    assert.equal(impact.countStopped('x'), 2);
    assert.equal(impact.countStopped('y'), 0);
  });

  it('counts them without another look at their requirements', () => {
    const one = answer('a', 1, {}, requirement('oauth', [], false));
    const impact = new Impact(storeOf(one));
    Object.defineProperty(one.answer!.findings, 'requirements', {
      get: () => assert.fail('the requirements were read'),
    });
    assert.equal(impact.countStopped('x'), 1);
  });

  it('takes an account from the newest answer, and holds all requirements that are bound to it', () => {
    const error = { code: 'token_revoked' };
    const deployments = [
      answer('a', 1, { scopes: [], error }, requirement('oauth', ['s1'], false)),
      answer(
        'b',
        3,
        { scopes: ['s1'], error, label: 'New' },
        requirement('oauth', ['s1', 's2'], true),
      ),
      answer(
        'c',
        2,
        { scopes: ['s1', 's3'] },
        requirement('oauth', ['s3'], false),
        requirement('key', ['other']),
      ),
      answer('d', 0, { connectionMethodId: 'key', scopes: [] }, requirement('key', ['s4'])),
      answer('e', 0, {}, requirement('oauth', [], false)),
    ];
    const shared = sharedOf('x', ...deployments)!;
    const { finding } = shared;
    assert.equal(finding.name, 'New');
    assert.equal(shared.uses.flatMap(({ requirements }) => requirements).length, 6);
    assert.deepEqual(finding.problem?.scopes, ['s2', 's3', 's4']);
    assert.deepEqual(Object.fromEntries(finding.problem?.methods ?? []), {
      oauth: ['s2', 's3'],
      key: ['s4'],
    });
    assert.equal(sharedOf('y', ...deployments), undefined);
  });
});

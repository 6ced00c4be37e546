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

/** Makes a deployment with the account x, connected by OAuth unless `own` says otherwise. `at`: when it was read. */
function answer(id: string, at: number, own: Account, ...requirements: Requirement[]) {
  return read(
    id,
    { accounts: [{ id: 'x', connectionMethodId: 'oauth', ...own }], requirements },
    [],
    at,
  );
}

describe('Impact', () => {
  const a = having('a', 'x', 'x', 'y');
  const withoutIds = having('c', '');
  const unread: Deployment = { id: 'c', name: 'c', state: 'unknown', activity: 'idle' };
  const cases: readonly {
    readonly when: string;
    readonly before: readonly Deployment[];
    readonly after: readonly Deployment[];
    /** How many deployments have the accounts x and y then. */
    readonly counts: { readonly x: number; readonly y: number };
    readonly hasNewVersion: boolean;
  }[] = [
    {
      when: 'nothing has changed',
      before: [a, having('b', 'x'), withoutIds],
      after: [a, having('b', 'x'), withoutIds],
      counts: { x: 2, y: 1 },
      hasNewVersion: false,
    },
    {
      when: 'accounts were added',
      before: [a, having('b', 'x'), withoutIds],
      after: [having('b', 'x', 'y'), a, having('c', 'x')],
      counts: { x: 3, y: 2 },
      hasNewVersion: true,
    },
    {
      when: 'deployments and accounts are in another order',
      before: [having('b', 'x', 'y'), a, having('c', 'x')],
      after: [having('c', 'x'), a, having('b', 'y', 'x')],
      counts: { x: 3, y: 2 },
      hasNewVersion: false,
    },
    {
      when: 'one has lost its accounts and one is unread',
      before: [having('c', 'x'), a, having('b', 'y', 'x')],
      after: [a, having('b'), unread],
      counts: { x: 1, y: 1 },
      hasNewVersion: true,
    },
    {
      when: 'other deployments have as many of the accounts',
      before: [a, having('b'), unread],
      after: [having('e', 'y'), having('f', 'x')],
      counts: { x: 1, y: 1 },
      hasNewVersion: false,
    },
    {
      when: 'two deployments have swapped their accounts',
      before: [having('e', 'y'), having('f', 'x')],
      after: [having('e', 'x'), having('f', 'y')],
      counts: { x: 1, y: 1 },
      hasNewVersion: false,
    },
  ];
  for (const { when, before, after, counts, hasNewVersion } of cases) {
    it(`counts the deployments of an account when ${when}`, () => {
      const store = storeOf(...before);
      const impact = new Impact(store);
      store.replace(...after);
      assert.equal(impact.countHolders('x'), counts.x);
      assert.equal(impact.countHolders('y'), counts.y);
    });

    it(`has ${hasNewVersion ? 'another' : 'the same'} version when ${when}`, () => {
      const store = storeOf(...before);
      const impact = new Impact(store);
      const versionBefore = impact.holdersVersion;
      store.replace(...after);
      assert.equal(impact.holdersVersion !== versionBefore, hasNewVersion);
    });
  }

  it('counts no deployment for an account without an ID', () => {
    const impact = new Impact(storeOf(a, withoutIds));
    assert.equal(impact.countHolders(''), 0);
  });

  it('finds the deployment of an account that two deployments have swapped', () => {
    const store = storeOf(having('e', 'y'), having('f', 'x'));
    const impact = new Impact(store);
    store.replace(having('e', 'x'), having('f', 'y'));
    const holderIds = impact.deploymentsWith('x').map(({ id }) => id);
    assert.deepEqual(holderIds, ['e']);
  });

  it('keeps its counts when the store changes after it was disposed', () => {
    const store = storeOf(having('f', 'y'));
    const impact = new Impact(store);
    impact.dispose();
    store.replace();
    assert.equal(impact.countHolders('y'), 1);
  });

  const unsatisfied = requirement('oauth', [], false);
  for (const { what, given, stopped } of [
    {
      what: 'one stopped deployment when two requirements of a failed account are unsatisfied',
      given: answer('a', 1, { error: {} }, unsatisfied, requirement('key', [], false)),
      stopped: 1,
    },
    {
      what: 'one stopped deployment when a requirement of a working account is unsatisfied',
      given: answer('a', 1, {}, requirement('oauth', ['s'], false)),
      stopped: 1,
    },
    {
      what: 'no stopped deployment when the requirement of a failed account is satisfied',
      given: answer('a', 1, { error: {} }, requirement('oauth', [], true)),
      stopped: 0,
    },
    {
      what: 'no stopped deployment when the unsatisfied requirement has no account',
      given: answer('a', 1, {}, { satisfied: false }),
      stopped: 0,
    },
  ]) {
    it(`counts ${what}`, () => {
      const impact = new Impact(storeOf(given));
      assert.equal(impact.countStopped('x'), stopped);
    });
  }

  it('counts all deployments that an account has stopped', () => {
    const impact = new Impact(
      storeOf(answer('a', 1, {}, unsatisfied), answer('b', 2, {}, unsatisfied)),
    );
    assert.equal(impact.countStopped('x'), 2);
  });

  it('counts no stopped deployment for an account that no deployment has', () => {
    const impact = new Impact(storeOf(answer('a', 1, {}, unsatisfied)));
    assert.equal(impact.countStopped('y'), 0);
  });

  it('does not go through the requirements to count unsatisfied ones', () => {
    const one = answer('a', 1, {}, requirement('oauth', [], false));
    const impact = new Impact(storeOf(one));
    Object.defineProperty(one.answer!.findings, 'requirements', {
      get: () => assert.fail('the requirements were read'),
    });
    assert.equal(impact.countStopped('x'), 1);
  });
});

/** The account x in five deployments; the answer of b is the newest. */
function shareAccount() {
  const error = { code: 'token_revoked' };
  const deployments = [
    answer('a', 1, { scopes: [], error, label: 'Old' }, requirement('oauth', ['s1'], false)),
    answer(
      'b',
      3,
      { scopes: ['s1'], error, label: 'New' },
      requirement('oauth', ['s1', 's2'], true),
    ),
    answer(
      'c',
      2,
      { scopes: ['s1', 's3'], label: 'Older' },
      requirement('oauth', ['s3'], false),
      requirement('key', ['other']),
    ),
    answer('d', 0, { connectionMethodId: 'key', scopes: [] }, requirement('key', ['s4'])),
    answer('e', 0, {}, requirement('oauth', [], false)),
  ];
  return new SharedAccount(deployments.flatMap(accountUsesIn));
}

describe('an account of several deployments', () => {
  it('has the name of the newest answer', () => {
    assert.equal(shareAccount().finding.name, 'New');
  });

  it('has the requirements that are bound to it in any deployment', () => {
    const requirements = shareAccount().uses.flatMap((use) => use.requirements);
    assert.equal(requirements.length, 6);
  });

  it('lacks the scopes that it lacks in any deployment', () => {
    assert.deepEqual(shareAccount().finding.problem?.scopes, ['s2', 's3', 's4']);
  });

  it('lacks scopes by connection method', () => {
    const scopesByMethod = shareAccount().finding.problem?.methods;
    assert.deepEqual(Object.fromEntries(scopesByMethod ?? []), {
      oauth: ['s2', 's3'],
      key: ['s4'],
    });
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Account, DeploymentAuthorization, Requirement } from '../../../../src/api/authorization.js';
import type { DecodeIssue, LeftOut } from '../../../../src/api/decode.js';
import { Findings } from '../../../../src/model/problems/findings.js';
import { anyAuthorization } from '../tree/trees.js';

function derive(accounts: readonly Account[], requirements: readonly Requirement[], unreadable?: LeftOut) {
  return new Findings({ accounts, requirements }, 'dep_1', () => 7, unreadable);
}

function keys(authorization: DeploymentAuthorization, deploymentId = 'd'): readonly string[] {
  return new Findings(authorization, deploymentId, () => 0).problems.map(({ key }) => key).toSorted();
}

const slack: Account = { id: 'acc_1', label: 'Finance Slack', connectionMethodId: 'oauth', scopes: ['a', 'b'] };

describe('Findings: state', () => {
  const gone: Requirement = { satisfied: true, accountId: 'gone' };
  const lacking: Requirement = {
    satisfied: true,
    accountId: 'acc_1',
    connections: [{ connectionMethodId: 'oauth', requiredScopes: ['z'] }],
  };
  for (const [what, accounts, requirements, state] of [
    ['satisfied', [slack], [{ satisfied: true }], 'satisfied'],
    ['the service did not say', [slack], [{ satisfied: true }, {}], 'unknown'],
    ['not satisfied', [slack], [{ satisfied: false }, {}], 'notSatisfied'],
    ['failed', [{ ...slack, error: { code: 'x' } }], [{ satisfied: false }], 'failed'],
    ['an empty error', [{ ...slack, error: {} }], [], 'failed'],
    ['null is no error', [{ ...slack, error: null }], [], 'satisfied'],
    ['notes are no problems', [{ ...slack, scopes: [] }], [gone, lacking], 'satisfied'],
  ] as const) {
    it(what, () => assert.equal(derive(accounts, requirements).state, state));
  }

  for (const [path, state] of [
    ['accounts', 'unknown'],
    ['requirements[12]', 'unknown'],
    ['accounts[0].error', 'unknown'],
    ['requirements[0].satisfied', 'unknown'],
    ['accounts[0].label', 'satisfied'],
    ['accounts[0].scopes[3]', 'satisfied'],
  ] as const) {
    it(`unreadable ${path}: ${state}`, () => {
      const decodeIssues: DecodeIssue[] = [{ path, expected: 'object', found: 'string' }];
      assert.equal(derive([slack], [], { decodeIssues }).state, state);
      assert.equal(derive([slack], [], { decodeIssues, decodeIssueCount: 2 }).state, 'unknown', 'one is not listed');
    });
  }
});

describe('Findings: requirements', () => {
  const requirement: Requirement = {
    satisfied: false,
    accountId: 'acc_1',
    eligibleAccountIds: ['acc_1', 'acc_9', 'acc_9'],
    connections: [
      { connectionMethodId: 'oauth', minimalScopes: ['a', 'b'], requiredScopes: ['a', 'c', 'c'] },
      { requiredScopes: ['z'] },
    ],
  };

  const { scopes: _, ...unknown } = slack;
  const { connectionMethodId: __, ...loose } = slack;
  for (const [what, account, missing, scopes] of [
    ['and its method', slack, 'c', 'own c missing required, a granted required minimal, b granted minimal'],
    ['without scopes', unknown, '', 'own a unknown required minimal, b unknown minimal, c unknown required'],
    ['without a method', loose, '', 'c missing required, a granted required minimal, b granted minimal'],
  ] as const) {
    it(`know the scopes of an account ${what}`, () => {
      const [finding] = derive([account], [requirement]).requirements;
      const [first, second] = finding!.connections.map(({ own, scopes: each }) => {
        const words = each.map(({ scope, state, required, minimal }) =>
          [scope, state, required ? 'required' : [], minimal ? 'minimal' : []].flat().join(' '),
        );
        return (own ? 'own ' : '') + words.join(', ');
      });
      assert.deepEqual([finding!.missingScopes.join(), first], [missing, scopes]);
      assert.match(second!, /^z (?:missing|unknown) required$/, 'no method is its own');
    });
  }

  it('know the first account with the id that they are bound to, those that could be, and one that is not there', () => {
    const requirements = [requirement, { binding: 'b', accountId: 'gone' }, { binding: 'c', accountId: '' }];
    const findings = derive([slack, { id: 'acc_1' }], requirements).requirements;
    assert.deepEqual(
      findings.map(({ bound, boundAbsent }) => bound?.account ?? boundAbsent),
      [slack, true, false],
    );
    const eligible = findings[0]!.eligible.map(({ accountId, account }) => `${accountId} ${account?.name}`);
    assert.deepEqual(eligible, ['acc_1 Finance Slack', 'acc_9 undefined']);
  });

  it('have names, and problems come first', () => {
    const named = [{ binding: 'b', satisfied: true }, { serviceId: 'a', satisfied: true }, { binding: 'y' }];
    const { accounts, requirements } = derive(
      [{ id: 'acc_2' }, { serviceId: 's' }, { label: ' ', id: 'acc_0', error: {} }, {}],
      [...named, { binding: 'z', satisfied: false }],
    );
    const names = [accounts, requirements].map((findings) => findings.map(({ name }) => name).join());
    assert.deepEqual(names, ['acc_0,,acc_2,s', 'z,y,a,b']);
  });
});

describe('Findings: problems', () => {
  it('are failed accounts, then unsatisfied requirements, each with the time it was first seen', () => {
    const asked: string[] = [];
    const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['a', 'x'] }];
    const accounts = [
      { ...slack, error: { code: 'revoked' } },
      { id: 'b', error: {} },
    ];
    const requirements = [{ satisfied: false, accountId: 'acc_1', binding: 'n', connections }];
    const findings = new Findings({ accounts, requirements }, 'dep_1', (key) => asked.push(key));
    const said = findings.problems.map((one) =>
      [one.kind, one.finding.name, one.seenSince, 'scopes' in one ? one.scopes : []].flat().join(' '),
    );
    assert.deepEqual(said, ['failedAccount b 2', 'failedAccount Finance Slack 1 x', 'unsatisfiedRequirement n 3']);
    assert.deepEqual([findings.failedAccounts, findings.unsatisfied], [2, 1]);
  });

  it('have a key each, whatever the order of the answer', () => {
    fc.assert(
      fc.property(anyAuthorization, ({ accounts, requirements }) => {
        const own = keys({ accounts, requirements });
        assert.equal(new Set(own).size, own.length);
        assert.deepEqual(own, keys({ accounts: accounts.toReversed(), requirements: requirements.toReversed() }));
      }),
    );
  });

  it('have another key with another code or bound account, and in another deployment', () => {
    const [a, b] = ['a', 'b'].map((accountId) => ({ accounts: [], requirements: [{ satisfied: false, accountId }] }));
    const [x, y] = ['x', 'y'].map((code) => ({ accounts: [{ id: 'a', error: { code } }], requirements: [] }));
    const all = [keys(x!), keys(y!), keys(x!, 'e'), keys(a!), keys(b!)].flat();
    assert.equal(new Set(all).size, 5);
  });
});

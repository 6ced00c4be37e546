import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Account, DeploymentAuthorization, Requirement } from '../../../../src/api/authorization.js';
import type { DecodeIssue, LeftOut } from '../../../../src/api/decode.js';
import { Findings } from '../../../../src/model/problems/findings.js';

function derive(accounts: readonly Account[], requirements: readonly Requirement[], unreadable?: LeftOut) {
  return new Findings({ accounts, requirements }, 'dep_1', () => 7, unreadable);
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
      { connectionMethodId: 'oauth', minimalScopes: ['a'], requiredScopes: ['a', 'c', 'c'] },
      { connectionMethodId: 'key', requiredScopes: ['z'] },
      { requiredScopes: ['y'] },
    ],
  };
  const scopesOf = (account: Account) => {
    const [finding] = derive([account], [requirement]).requirements;
    const methods = finding?.connections.map(({ own, scopes }) => {
      const each = scopes.map((one) => [one.scope, one.state, one.required && 'required', one.minimal && 'minimal']);
      return [own ? 'own' : 'other', ...each.map((words) => words.filter(Boolean).join(' '))].join(', ');
    });
    return { missing: finding?.missingScopes, methods };
  };

  it('finds the scopes that the account of a method has, missing ones first', () => {
    assert.deepEqual(scopesOf(slack), {
      missing: ['c'],
      methods: [
        'own, c missing required, a granted required minimal',
        'other, z missing required',
        'other, y missing required',
      ],
    });
  });

  it('calls no scope missing of an account that does not name its scopes', () => {
    assert.deepEqual(scopesOf({ id: 'acc_1', connectionMethodId: 'oauth' }), {
      missing: [],
      methods: [
        'own, a unknown required minimal, c unknown required',
        'other, z unknown required',
        'other, y unknown required',
      ],
    });
  });

  it('joins no method to an account without one', () => {
    const { missing, methods } = scopesOf({ id: 'acc_1', scopes: [] });
    assert.deepEqual([missing, methods?.filter((method) => method.startsWith('own'))], [[], []]);
  });

  it('finds the first account with the id that it is bound to, the eligible ones, and notes one that is not there', () => {
    const { requirements } = derive(
      [slack, { id: 'acc_1' }],
      [
        { ...requirement, binding: 'a' },
        { binding: 'b', accountId: 'gone' },
        { binding: 'c', accountId: '' },
      ],
    );
    const [first, ...others] = requirements;
    assert.equal(first?.bound?.account, slack);
    assert.deepEqual(
      first?.eligible.map(({ accountId, account }) => [accountId, account?.account]),
      [
        ['acc_1', slack],
        ['acc_9', undefined],
      ],
    );
    assert.deepEqual(
      [first, ...others].map((one) => one?.boundAbsent),
      [false, true, false],
    );
  });

  it('names, and puts problems first', () => {
    const { accounts, requirements } = derive(
      [{ id: 'acc_2' }, { serviceId: 's' }, { label: ' ', id: 'acc_0', error: {} }, {}],
      [
        { binding: 'b', satisfied: true },
        { serviceId: 'a', satisfied: true },
        { binding: 'y' },
        { binding: 'z', satisfied: false },
      ],
    );
    assert.deepEqual(
      [accounts, requirements].map((findings) => findings.map(({ name }) => name).join()),
      ['acc_0,,acc_2,s', 'z,y,a,b'],
    );
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
    assert.deepEqual(
      findings.problems.map((one) => [one.kind, one.finding.name, one.seenSince, 'scopes' in one && one.scopes]),
      [
        ['failedAccount', 'b', 2, []],
        ['failedAccount', 'Finance Slack', 1, ['x']],
        ['unsatisfiedRequirement', 'n', 3, false],
      ],
    );
    assert.deepEqual([findings.failedAccounts, findings.unsatisfied], [2, 1]);
  });

  const word = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined });
  const account: fc.Arbitrary<Account> = fc
    .record({ id: word, label: word, serviceId: word, broken: fc.boolean(), code: word })
    .map(({ broken, code, ...rest }) => ({ ...rest, error: broken ? { code } : null }));
  const requirement: fc.Arbitrary<Requirement> = fc.record({
    serviceId: word,
    binding: word,
    accountId: word,
    satisfied: fc.option(fc.boolean(), { nil: undefined }),
  });

  it('gives every problem one key, whatever the order of the answer', () => {
    fc.assert(
      fc.property(fc.array(account), fc.array(requirement), (accounts, requirements) => {
        const own = keys({ accounts, requirements });
        const turned = keys({ accounts: accounts.toReversed(), requirements: requirements.toReversed() });
        assert.equal(new Set(own).size, own.length);
        assert.deepEqual(own.toSorted(), turned.toSorted());
      }),
    );
  });

  it('gives another key to another code, and to another deployment', () => {
    const failing = (code: string) => ({ accounts: [{ id: 'a', error: { code } }], requirements: [] });
    const all = [keys(failing('x'), 'd'), keys(failing('y'), 'd'), keys(failing('x'), 'e')].flat();
    assert.equal(new Set(all).size, 3);
  });
});

function keys(authorization: DeploymentAuthorization, deploymentId = 'd'): string[] {
  return new Findings(authorization, deploymentId, () => 0).problems.map(({ key }) => key);
}

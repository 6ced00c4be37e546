import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Account, DeploymentAuthorization, Requirement } from '../../../../src/api/authorization.js';
import type { DecodeIssue } from '../../../../src/api/decode.js';
import { Findings } from '../../../../src/model/problems/findings.js';

function derive(accounts: readonly Account[], requirements: readonly Requirement[], unreadable: DecodeIssue[] = []) {
  return new Findings({ accounts, requirements }, 'dep_1', () => 7, { decodeIssues: unreadable });
}

const slack: Account = { id: 'acc_1', label: 'Finance Slack', connectionMethodId: 'oauth', scopes: ['a', 'b'] };

describe('Findings: state', () => {
  const cases: readonly [string, readonly Account[], readonly Requirement[], Findings['state']][] = [
    ['nothing', [], [], 'satisfied'],
    ['satisfied', [slack], [{ satisfied: true }], 'satisfied'],
    ['the service did not say', [slack], [{ satisfied: true }, {}], 'unknown'],
    ['not satisfied', [slack], [{ satisfied: false }, {}], 'notSatisfied'],
    ['failed', [{ ...slack, error: { code: 'x' } }], [{ satisfied: false }], 'failed'],
    ['an empty error', [{ ...slack, error: {} }], [], 'failed'],
    ['null is no error', [{ ...slack, error: null }], [], 'satisfied'],
    [
      'notes are no problems',
      [{ ...slack, scopes: [] }],
      [
        { satisfied: true, accountId: 'gone' },
        { satisfied: true, accountId: 'acc_1', connections: [{ connectionMethodId: 'oauth', requiredScopes: ['z'] }] },
      ],
      'satisfied',
    ],
  ];
  for (const [what, accounts, requirements, state] of cases) {
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
      assert.equal(derive([slack], [], [{ path, expected: 'object', found: 'string' }]).state, state);
    });
  }
  it('more unreadable than listed: unknown', () => {
    const decodeIssues: DecodeIssue[] = [{ path: 'accounts[0].label', expected: 'string', found: 'null' }];
    const derived = (decodeIssueCount: number) =>
      new Findings({ accounts: [slack], requirements: [] }, 'dep_1', () => 7, { decodeIssues, decodeIssueCount }).state;
    assert.equal(derived(1), 'satisfied');
    assert.equal(derived(2), 'unknown');
  });
});

describe('Findings: requirements', () => {
  const requirement: Requirement = {
    binding: 'notifier',
    satisfied: false,
    accountId: 'acc_1',
    eligibleAccountIds: ['acc_1', 'acc_9', 'acc_9'],
    connections: [
      { connectionMethodId: 'oauth', minimalScopes: ['a'], requiredScopes: ['a', 'c', 'c'] },
      { connectionMethodId: 'key', requiredScopes: ['z'] },
    ],
  };

  it('finds the bound account, the eligible ones and the scopes', () => {
    const [finding] = derive([slack], [requirement]).requirements;
    assert.equal(finding?.bound?.account, slack);
    assert.equal(finding?.boundAbsent, false);
    assert.deepEqual(
      finding?.eligible.map(({ accountId, account }) => [accountId, account?.name]),
      [
        ['acc_1', 'Finance Slack'],
        ['acc_9', undefined],
      ],
    );
    assert.deepEqual(finding?.missingScopes, ['c']);
    assert.deepEqual(
      finding?.connections.map(({ own, scopes }) => ({ own, scopes })),
      [
        {
          own: true,
          scopes: [
            { scope: 'c', required: true, minimal: false, state: 'missing' },
            { scope: 'a', required: true, minimal: true, state: 'granted' },
          ],
        },
        { own: false, scopes: [{ scope: 'z', required: true, minimal: false, state: 'missing' }] },
      ],
    );
  });

  it('knows no missing scopes where none were sent', () => {
    const { scopes: _, ...silent } = slack;
    const [finding] = derive([silent], [requirement]).requirements;
    assert.deepEqual(finding?.missingScopes, []);
    assert.deepEqual(
      finding?.connections.flatMap(({ scopes }) => scopes.map(({ state }) => state)),
      ['unknown', 'unknown', 'unknown'],
    );
  });

  it('joins no method to an account without one', () => {
    const { connectionMethodId: _, ...unmethodical } = slack;
    const connections = [{ requiredScopes: ['z'] }];
    const [finding] = derive([unmethodical], [{ ...requirement, connections }]).requirements;
    assert.equal(finding?.connections[0]?.own, false);
    assert.deepEqual(finding?.missingScopes, []);
  });

  it('notes a bound account that is not there, and none where none is named', () => {
    const [absent] = derive([], [{ accountId: 'gone', satisfied: true }]).requirements;
    const [none] = derive([], [{ accountId: '', satisfied: true }]).requirements;
    assert.deepEqual([absent?.boundAbsent, none?.boundAbsent], [true, false]);
  });

  it('names, and puts problems first', () => {
    const findings = derive(
      [{ id: 'acc_2' }, { serviceId: 's' }, { label: ' ', id: 'acc_0', error: {} }, {}],
      [
        { binding: 'b', satisfied: true },
        { serviceId: 'a', satisfied: true },
        { binding: 'y' },
        { binding: 'z', satisfied: false },
      ],
    );
    assert.deepEqual(
      findings.accounts.map(({ name }) => name),
      ['acc_0', '', 'acc_2', 's'],
    );
    assert.deepEqual(
      findings.requirements.map(({ name, state }) => [name, state]),
      [
        ['z', 'notSatisfied'],
        ['y', 'unknown'],
        ['a', 'satisfied'],
        ['b', 'satisfied'],
      ],
    );
  });
});

describe('Findings: problems', () => {
  it('counts failed accounts, then unsatisfied requirements, each with the time it was first seen', () => {
    const asked: string[] = [];
    const findings = new Findings(
      {
        accounts: [
          { ...slack, error: { code: 'revoked' }, scopes: ['a'] },
          { id: 'b', error: {} },
        ],
        requirements: [
          {
            satisfied: false,
            accountId: 'acc_1',
            binding: 'n',
            connections: [{ connectionMethodId: 'oauth', requiredScopes: ['a', 'x'] }],
          },
        ],
      },
      'dep_1',
      (key) => asked.push(key),
    );
    assert.deepEqual(
      findings.problems.map(({ kind, finding, seenSince }) => [kind, finding.name, seenSince]),
      [
        ['failedAccount', 'b', 2],
        ['failedAccount', 'Finance Slack', 1],
        ['unsatisfiedRequirement', 'n', 3],
      ],
    );
    assert.deepEqual([findings.failedAccounts, findings.unsatisfied], [2, 1]);
    const reconnect = findings.problems[1];
    assert.deepEqual(reconnect?.kind === 'failedAccount' && reconnect.scopes, ['x']);
    assert.equal(new Set(asked).size, 3);
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
    const shuffled = fc.tuple(fc.array(account), fc.array(requirement)).chain(([accounts, requirements]) =>
      fc.tuple(
        fc.constant({ accounts, requirements }),
        fc.record({
          accounts: fc.shuffledSubarray(accounts, { minLength: accounts.length }),
          requirements: fc.shuffledSubarray(requirements, { minLength: requirements.length }),
        }),
      ),
    );
    fc.assert(
      fc.property(shuffled, ([one, other]) => {
        const own = keys(one);
        assert.equal(new Set(own).size, own.length);
        assert.deepEqual(own.toSorted(), keys(other).toSorted());
      }),
    );
  });

  it('gives another key to another code, and to another deployment', () => {
    const all = [keys(failing('x'), 'd'), keys(failing('y'), 'd'), keys(failing('x'), 'e')].flat();
    assert.equal(new Set(all).size, 3);
  });
});

function keys(authorization: DeploymentAuthorization, deploymentId = 'd'): string[] {
  return new Findings(authorization, deploymentId, () => 0).problems.map(({ key }) => key);
}

function failing(code: string): DeploymentAuthorization {
  return { accounts: [{ id: 'a', error: { code } }], requirements: [] };
}

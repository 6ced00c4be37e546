import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type {
  Account,
  DeploymentAuthorization,
  Requirement,
} from '../../../../src/api/authorization.js';
import { decodeDeploymentAuthorization } from '../../../../src/api/authorization.js';
import { DecodeIssues } from '../../../../src/api/decode.js';
import { Findings } from '../../../../src/model/findings/findings.js';
import { nothingRemembered, stateOfFindings } from '../../../../src/model/findings/state.js';
import { countingIssues, countingReads } from '../problems/countingReads.js';
import { anyAuthorization } from '../tree/trees.js';

/** Derives the findings of an answer with these accounts and requirements. */
function derive(
  accounts: readonly Account[] = [],
  requirements: readonly Requirement[] = [],
  deploymentId = 'dep_1',
) {
  return new Findings({ value: { accounts, requirements }, decodeIssues: [] }, deploymentId);
}

/** Decodes an answer as the platform sent it, and derives its findings. */
function read(accounts: unknown, requirements: unknown = []) {
  const issues = new DecodeIssues();
  const value = decodeDeploymentAuthorization({ accounts, requirements }, issues)!;
  return new Findings({ value, decodeIssues: issues.list }, 'dep_1');
}

const slack: Account = {
  id: 'acc_1',
  label: 'Finance Slack',
  connectionMethodId: 'oauth',
  scopes: ['a', 'b'],
};

const namesOf = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name).join();

/** The state of a good answer of which so many fields with this path were unreadable. */
function stateWithout(path: string, count = 1) {
  const issue = { path, expected: 'object', found: 'string' } as const;
  const decodeIssues = Array.from({ length: count }, () => issue);
  const value = { accounts: [slack], requirements: [] };
  return stateOfFindings(new Findings({ value, decodeIssues }, 'd'), nothingRemembered);
}

describe('the state of an answer', () => {
  const unlistedAccount = { satisfied: true, accountId: 'gone' };
  const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['z'] }];
  const lackingScope = { satisfied: true, accountId: 'acc_1', connections };
  for (const [when, accounts, requirements, state] of [
    ['nothing is wrong', [slack], [{ satisfied: true }], 'satisfied'],
    ['a requirement has no “satisfied”', [slack], [{ satisfied: true }, {}], 'unknown'],
    ['a requirement is not satisfied', [slack], [{ satisfied: false }, {}], 'notSatisfied'],
    ['an account has failed', [{ ...slack, error: {} }], [{ satisfied: false }], 'failed'],
    ['the error of an account is null', [{ ...slack, error: null }], [], 'satisfied'],
    ['a satisfied requirement lacks its account', [slack], [unlistedAccount], 'satisfied'],
    ['a satisfied requirement lacks a scope', [slack], [lackingScope], 'satisfied'],
  ] as const) {
    it(`is ${state} when ${when}`, () => {
      const findings = derive(accounts, requirements);
      assert.equal(stateOfFindings(findings, nothingRemembered), state);
    });
  }

  for (const path of [
    'accounts',
    'requirements[12]',
    'accounts[0].error',
    'requirements[0].satisfied',
  ]) {
    it(`is unknown when ${path} is unreadable`, () => assert.equal(stateWithout(path), 'unknown'));
  }

  for (const path of ['accounts[0].label', 'accounts[0].scopes[3]']) {
    it(`is satisfied when only ${path} is unreadable`, () => {
      assert.equal(stateWithout(path), 'satisfied');
    });

    it(`is unknown when 10,000 fields like ${path} are unreadable`, () => {
      assert.equal(stateWithout(path, 10_000), 'unknown');
    });
  }

  for (const [field, accounts, requirements] of [
    ['the ID of an account', [{ ...slack, id: 5 }], []],
    ['the binding of a requirement', [], [{ satisfied: true, binding: 5 }]],
    ['the service of a requirement', [], [{ satisfied: true, serviceId: 5 }]],
  ] as const) {
    it(`is satisfied when only ${field} is unreadable`, () => {
      const findings = read(accounts, requirements);
      assert.equal(stateOfFindings(findings, nothingRemembered), 'satisfied');
    });

    it(`may hide a known problem when ${field} is unreadable`, () => {
      const { mayHideProblem } = read(accounts, requirements);
      assert.equal(mayHideProblem, true);
    });
  }
});

describe('an account', () => {
  for (const error of ['revoked', [], true]) {
    it(`is unknown when its error is ${JSON.stringify(error)}`, () => {
      const [account] = read([{ ...slack, error }]).accounts;
      assert.equal(account?.state, 'unknown');
    });
  }

  it('has failed when only a field of its error is unreadable', () => {
    const [account] = read([{ ...slack, error: { code: 5 } }]).accounts;
    assert.equal(account?.state, 'failed');
  });

  it('is unknown by its own error when an account before it is unreadable', () => {
    const { accounts } = read([5, slack, { ...slack, id: 'acc_2', error: 'x' }]);
    const states = accounts.map(({ account, state }) => `${account.id} ${state}`);
    assert.deepEqual(states, ['acc_2 unknown', 'acc_1 works']);
  });

  it('wins over a working account with the same ID when its error is unreadable', () => {
    const { accountsById } = read([slack, { ...slack, error: 'x' }]);
    assert.equal(accountsById.get('acc_1')?.state, 'unknown');
  });
});

describe('accounts', () => {
  it('are named by label, else ID, else service', () => {
    const { accounts } = derive([{ label: 'A', id: 'x' }, { id: 'b' }, { serviceId: 'c' }]);
    assert.equal(namesOf(accounts), 'A,b,c');
  });

  it('are listed with the failed ones first and then by name', () => {
    const { accounts } = derive([
      { id: 'acc_2' },
      { serviceId: 's' },
      { label: ' ', id: 'acc_0', error: {} },
      {},
    ]);
    assert.equal(namesOf(accounts), 'acc_0,,acc_2,s');
  });
});

describe('requirements', () => {
  it('are named by binding, else service', () => {
    const { requirements } = derive([], [{ binding: 'a', serviceId: 'x' }, { serviceId: 'b' }]);
    assert.equal(namesOf(requirements), 'a,b');
  });

  it('are listed by state, the worst first, and then by name', () => {
    const { requirements } = derive(
      [],
      [
        { binding: 'b', satisfied: true },
        { serviceId: 'a', satisfied: true },
        { binding: 'y' },
        { satisfied: false },
      ],
    );
    assert.equal(namesOf(requirements), ',y,a,b');
  });
});

describe('a requirement', () => {
  const requirement: Requirement = {
    satisfied: false,
    accountId: 'acc_1',
    eligibleAccountIds: ['acc_1', 'acc_9', 'acc_9'],
    connections: [
      { connectionMethodId: 'oauth', minimalScopes: ['a', 'b'], requiredScopes: ['a', 'c', 'c'] },
      { requiredScopes: ['z'] },
    ],
  };

  it('is bound to the first account with its account ID', () => {
    const [finding] = derive([slack, { id: 'acc_1' }], [requirement]).requirements;
    assert.equal(finding?.bound?.account, slack);
  });

  it('is bound to no account when neither has an ID', () => {
    const [finding] = derive([{ id: '' }, {}], [{ binding: 'n' }]).requirements;
    assert.equal(finding?.bound, undefined);
  });

  for (const [when, accounts, accountId, isAbsent] of [
    ['the answer has another account', [slack], 'gone', true],
    ['its account ID is empty', [slack], '', false],
    ['an account is unreadable', [5], 'gone', false],
    ['the ID of an account is unreadable', [{ id: 5 }], 'gone', false],
    ['all accounts are unreadable', 'x', 'gone', false],
  ] as const) {
    it(`${isAbsent ? 'lacks its bound account' : 'lacks no bound account'} when ${when}`, () => {
      const [finding] = read(accounts, [{ ...requirement, accountId }]).requirements;
      assert.equal(finding?.isBoundAccountAbsent, isAbsent);
    });
  }

  const named = ['c missing required', 'a granted required minimal', 'b granted minimal'];
  const unknown = ['a unknown required minimal', 'b unknown minimal', 'c unknown required'];
  for (const [when, change, missingScopes, areOfBoundAccount, scopes] of [
    ['the scopes of its account are known', {}, ['c'], [true, false], named],
    ['the scopes of its account are unknown', { scopes: undefined }, [], [true, false], unknown],
    [
      'the method of its account is unknown',
      { connectionMethodId: undefined },
      [],
      [false, false],
      named,
    ],
  ] as const) {
    const [finding] = derive([{ ...slack, ...change }], [requirement]).requirements;

    it(`lacks ${missingScopes.length > 0 ? `the scope ${missingScopes.join()}` : 'no scope'} when ${when}`, () => {
      assert.deepEqual(finding?.missingScopes, missingScopes);
    });

    it(`knows the methods that its account uses when ${when}`, () => {
      const found = finding?.connections().map(({ isOfBoundAccount }) => isOfBoundAccount);
      assert.deepEqual(found, areOfBoundAccount);
    });

    it(`lists missing scopes first and then by name when ${when}`, () => {
      const found = finding?.connections()[0]?.scopes.map(({ scope, state, ...is }) => {
        const required = is.isRequired ? ' required' : '';
        const minimal = is.isMinimal ? ' minimal' : '';
        return `${scope} ${state}${required}${minimal}`;
      });
      assert.deepEqual(found, scopes);
    });
  }

  it('lacks no scope when one of the scopes of its account is unreadable', () => {
    const [finding] = read([{ ...slack, scopes: ['b', 5] }], [requirement]).requirements;
    assert.deepEqual(finding?.missingScopes, []);
  });

  it('shows a scope as granted when another scope of its account is unreadable', () => {
    const [finding] = read([{ ...slack, scopes: ['a', 5] }], [requirement]).requirements;
    const scopeA = finding?.connections()[0]?.scopes.find(({ scope }) => scope === 'a');
    assert.equal(scopeA?.state, 'granted');
  });

  it('lists each eligible account once when the answer does not have all of them', () => {
    const [finding] = derive([slack], [requirement]).requirements;
    const eligible = finding
      ?.eligible()
      .map(({ accountId, account }) => `${accountId} ${account?.name}`);
    assert.deepEqual(eligible, ['acc_9 undefined', 'acc_1 Finance Slack']);
  });
});

/** The IDs of the accounts that the requirement is advised to use, the best first. */
function advisedIds(accounts: unknown, advisedRequirement: unknown) {
  const [finding] = read(accounts, [advisedRequirement]).requirements;
  return finding?.advisable().map(({ accountId }) => accountId);
}

describe('an eligible account', () => {
  const requirement = {
    satisfied: false,
    accountId: 'acc_1',
    eligibleAccountIds: ['acc_2', 'acc_3'],
    connections: [{ connectionMethodId: 'oauth', requiredScopes: ['a'] }],
  };
  const other = { ...slack, id: 'acc_2' };
  const complete = { ...slack, id: 'acc_3' };

  for (const [field, change] of [
    ['error', { error: 'x' }],
    ['list of scopes', { scopes: 'a' }],
    ['second scope', { scopes: ['a', 5] }],
    ['connection method', { connectionMethodId: 5 }],
  ] as const) {
    it(`is advised behind complete accounts when its ${field} is unreadable`, () => {
      const accounts = [slack, { ...other, ...change }, complete];
      assert.deepEqual(advisedIds(accounts, requirement), ['acc_3', 'acc_2']);
    });
  }

  for (const [field, connection] of [
    ['connection', 5],
    ['required scope', { connectionMethodId: 'oauth', requiredScopes: [5] }],
  ] as const) {
    it(`is advised in the order of the answer when a ${field} is unreadable`, () => {
      const connections = [...requirement.connections, connection];
      const accounts = [slack, { ...other, scopes: undefined }, complete];
      assert.deepEqual(advisedIds(accounts, { ...requirement, connections }), ['acc_2', 'acc_3']);
    });
  }

  it('lacks no scope when one of its scopes is unreadable', () => {
    const [finding] = read([slack, { ...other, scopes: [5] }], [requirement]).requirements;
    const missing = finding?.eligible().map((eligible) => eligible.missing);
    assert.deepEqual(missing, [undefined, undefined]);
  });

  describe('of each kind', () => {
    const all = [
      { id: 'bound', connectionMethodId: 'm', scopes: ['a'] },
      { id: 'failed', connectionMethodId: 'm', scopes: ['a'], error: {} },
      { id: 'lacking', connectionMethodId: 'm', scopes: [] },
      { id: 'unknown', connectionMethodId: 'm' },
      { id: 'another method', connectionMethodId: 'n', scopes: [] },
      { id: 'complete', connectionMethodId: 'm', scopes: ['a', 'b'] },
    ];
    const eligibleAccountIds = ['absent', ...all.map(({ id }) => id)];
    const connections = [{ connectionMethodId: 'm', requiredScopes: ['a'] }];
    const [finding] = derive(all, [
      { accountId: 'bound', eligibleAccountIds, connections },
    ]).requirements;

    it('lacks a scope only when its own method requires that scope', () => {
      const lacking = finding?.eligible().filter(({ missing }) => missing);
      assert.deepEqual(
        lacking?.map(({ accountId }) => accountId),
        ['lacking'],
      );
    });

    it('is advised unless it is bound, has failed, or lacks a scope', () => {
      const advised = finding?.advisable().map(({ accountId }) => accountId);
      assert.deepEqual(advised, ['complete', 'absent', 'unknown', 'another method']);
    });
  });

  it('names the first scope that it lacks and the number of all', () => {
    const lacking = { id: 'lacking', connectionMethodId: 'm', scopes: ['b', 'of another'] };
    const connections = [
      { connectionMethodId: 'm', requiredScopes: ['b', 'c'] },
      { connectionMethodId: 'n', requiredScopes: ['x'] },
      { connectionMethodId: 'm', requiredScopes: ['a', 'b'] },
    ];
    const [finding] = derive(
      [lacking],
      [{ eligibleAccountIds: ['lacking'], connections }],
    ).requirements;
    assert.deepEqual(finding?.eligible()[0]?.missing, { first: 'c', count: 2 });
  });
});

describe('the problems of an answer', () => {
  const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['a', 'x'] }];

  it('are the failed accounts by name and then the unsatisfied requirements', () => {
    const accounts = [
      { ...slack, error: {} },
      { id: 'b', error: {} },
      { id: 'c', error: null },
    ];
    const requirements = [
      { satisfied: true, accountId: 'acc_1', binding: 'm', connections },
      { satisfied: false, accountId: 'c', binding: 'n' },
    ];
    const { problems } = derive(accounts, requirements);
    assert.deepEqual(
      problems.map(({ kind, finding }) => `${kind} ${finding.name}`),
      ['failedAccount b', 'failedAccount Finance Slack', 'unsatisfiedRequirement n'],
    );
  });

  it('name the scopes that a failed account lacks for its requirements', () => {
    const requirement = { satisfied: true, accountId: 'acc_1', connections };
    const [problem] = derive([{ ...slack, error: {} }], [requirement]).problems;
    assert.ok(problem?.kind === 'failedAccount');
    assert.deepEqual(problem.scopes, ['x']);
  });

  it('are one when several accounts with one ID have failed', () => {
    const accounts = [{ id: 'x' }, { id: 'x', error: {} }, { id: 'x', error: { code: 'y' } }];
    const { problems } = derive(accounts);
    assert.deepEqual(
      problems.map(({ kind, finding }) => `${kind} ${finding.name}`),
      ['failedAccount x'],
    );
  });
});

describe('a requirement whose account has failed', () => {
  const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['a', 'x'] }];
  const requirements = [
    { binding: 'effect', satisfied: false, accountId: 'acc_1', connections },
    { binding: 'satisfied', satisfied: true, accountId: 'acc_1' },
    { binding: 'unknown', accountId: 'acc_1' },
    { binding: 'other account', satisfied: false, accountId: 'gone' },
  ];
  const findings = derive(
    [
      { ...slack, error: {} },
      { ...slack, id: 'fine' },
    ],
    requirements,
  );

  it('is no problem of its own', () => {
    const problemNames = findings.problems.map(({ finding }) => finding.name);
    assert.deepEqual(problemNames, ['Finance Slack', 'other account']);
  });

  it('is an effect of the account only when it is not satisfied', () => {
    const [account] = findings.problems;
    assert.ok(account?.kind === 'failedAccount');
    const effects = findings.effectsOf(account).map(({ name, state }) => `${name} ${state}`);
    assert.deepEqual(effects, ['effect notSatisfied']);
  });

  it('has the problem of the account as its cause', () => {
    const effect = findings.requirements.find(({ name }) => name === 'effect');
    assert.equal(effect?.cause, findings.problems[0]);
  });

  it('has one cause when several accounts with its ID have failed', () => {
    const accounts = [{ id: 'x' }, { id: 'x', error: {} }, { id: 'x', error: { code: 'y' } }];
    const answer = derive(accounts, [{ satisfied: false, accountId: 'x' }]);
    assert.equal(answer.requirements[0]?.cause, answer.problems[0]);
  });
});

const problemsOf = (
  { accounts, requirements }: Partial<DeploymentAuthorization>,
  deploymentId = 'd',
) => derive(accounts, requirements, deploymentId).problems;
const failedWith = (more: Account) => ({ accounts: [{ error: {}, ...more }] });
const lackingWith = (more: Requirement) => ({ requirements: [{ satisfied: false, ...more }] });

/** The keys of all findings, problems or not. */
const keysOf = ({ accounts, requirements }: Findings) =>
  [...accounts, ...requirements].map(({ key }) => key).toSorted();

describe('the key of a finding', () => {
  it('stays the same when the answer has another order', () => {
    fc.assert(
      fc.property(anyAuthorization, ({ accounts, requirements }) => {
        const findings = derive(accounts, requirements);
        const reversed = derive(accounts.toReversed(), requirements.toReversed());
        assert.deepEqual(keysOf(findings), keysOf(reversed));
      }),
    );
  });

  it('differs from the keys of all other problems of the answer', () => {
    fc.assert(
      fc.property(anyAuthorization, ({ accounts, requirements }) => {
        const keys = derive(accounts, requirements).problems.map(({ key }) => key);
        assert.deepEqual([...new Set(keys)], keys);
      }),
    );
  });

  it('is the same in every deployment when an account has an ID', () => {
    const answer = failedWith({ id: 'a' });
    assert.equal(problemsOf(answer, 'other')[0]?.key, problemsOf(answer)[0]?.key);
  });

  for (const [when, answer] of [
    ['an account has no ID', failedWith({})],
    ['the ID of an account is empty', failedWith({ id: '' })],
    ['it is a requirement', lackingWith({})],
  ] as const) {
    it(`differs from deployment to deployment when ${when}`, () => {
      assert.notEqual(problemsOf(answer, 'other')[0]?.key, problemsOf(answer)[0]?.key);
    });
  }
});

describe('a problem', () => {
  const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['a', 'x'] }];
  const scoped = {
    accounts: [{ id: 'a', connectionMethodId: 'oauth', scopes: [] }],
    ...lackingWith({ accountId: 'a' }),
  };
  const failed = failedWith({ id: 'a' });

  for (const [what, before, after, isSameSign] of [
    ['error code', failed, failedWith({ id: 'a', error: { code: 'x' } }), false],
    ['message', failed, failedWith({ id: 'a', error: { message: 'x' } }), true],
    ['label', failed, failedWith({ id: 'a', label: 'L' }), true],
    ['bound account', lackingWith({ accountId: 'a' }), lackingWith({ accountId: 'b' }), false],
    [
      'missing scope',
      scoped,
      { ...scoped, ...lackingWith({ accountId: 'a', connections }) },
      false,
    ],
    ['eligible account', lackingWith({}), lackingWith({ eligibleAccountIds: ['a'] }), true],
  ] as const) {
    const [problemBefore] = problemsOf(before);
    const [problemAfter] = problemsOf(after);

    it(`keeps its key when it gets another ${what}`, () => {
      assert.equal(problemAfter!.key, problemBefore!.key);
    });

    it(`${isSameSign ? 'keeps its' : 'gets another'} sign when it gets another ${what}`, () => {
      if (isSameSign) assert.equal(problemAfter!.sign, problemBefore!.sign);
      else assert.notEqual(problemAfter!.sign, problemBefore!.sign);
    });
  }
});

/** The keys of the unsatisfied requirements among requirements of one service. */
const unsatisfiedKeys = (...areSatisfied: readonly boolean[]) => {
  const requirements = areSatisfied.map((satisfied) => ({ serviceId: 'slack', satisfied }));
  return problemsOf({ requirements }).map(({ key }) => key);
};

/** The key of each problem by its sign. */
const keyBySign = (requirements: readonly Requirement[]) =>
  new Map(problemsOf({ requirements }).map(({ key, sign }) => [sign, key]));

describe('the keys of equal requirements', () => {
  const [firstKey, secondKey] = unsatisfiedKeys(false, false);

  it('stay the same when the requirements come in another order', () => {
    const requirements = ['b', undefined, 'a'].map((accountId) => ({
      serviceId: 'slack',
      satisfied: false,
      accountId,
    }));
    assert.deepEqual(keyBySign(requirements.toReversed()), keyBySign(requirements));
  });

  it('stay the same when the first requirement is satisfied', () => {
    assert.deepEqual(unsatisfiedKeys(true, false), [secondKey]);
  });

  it('stay the same when the second requirement is satisfied', () => {
    assert.deepEqual(unsatisfiedKeys(false, true), [firstKey]);
  });

  it('are other keys when a third requirement comes', () => {
    const keptKeys = unsatisfiedKeys(false, false, true).filter(
      (key) => key === firstKey || key === secondKey,
    );
    assert.deepEqual(keptKeys, []);
  });
});

describe('a finding that was muted before its answer', () => {
  const accounts = ['x', 'y'].map((id) => ({ id, error: {} }));
  const requirements = [
    { binding: 'effect', satisfied: false, accountId: 'x' },
    { binding: 'm', satisfied: false },
    { binding: 'n', satisfied: false },
    { binding: 'o' },
  ];
  const answer = { value: { accounts, requirements }, decodeIssues: [] };
  const mutedKeys = ['["account","x"]', '["requirement","d",null,"m"]'];
  const findings = new Findings(answer, 'd', ({ key }) => mutedKeys.includes(key));

  it('comes last among the problems', () => {
    assert.equal(namesOf(findings.problems.map(({ finding }) => finding)), 'y,n,x,m');
  });

  it('comes last among the accounts', () => assert.equal(namesOf(findings.accounts), 'y,x'));

  it('comes with its effects behind the unknown requirements', () => {
    assert.equal(namesOf(findings.requirements), 'n,o,effect,m');
  });
});

function assertAtMost(reads: number, limit: number): void {
  assert.ok(reads <= limit, `${reads} reads, at most ${limit} expected`);
}

describe('a large answer', () => {
  it('is searched for hidden problems once when its findings are made', () => {
    const issues = countingIssues(5000);
    const value = { accounts: [slack], requirements: [] };
    const findings = new Findings({ value, decodeIssues: issues.list }, 'd');
    for (let times = 0; times < 2000; times++) assert.equal(findings.mayHideProblem, false);
    assert.equal(issues.reads, 5000);
  });

  for (const [account, error] of [
    ['an account', null],
    ['a failed account', {}],
  ] as const) {
    it(`has the scopes of ${account} read a few times when 500 requirements need them`, () => {
      const scopes = countingReads(Array.from({ length: 500 }, (_, at) => `s${at}`));
      const connections = [{ connectionMethodId: 'm', requiredScopes: ['s499'] }];
      const requirements = Array.from({ length: 500 }, () => ({
        accountId: 'a',
        satisfied: false,
        connections,
      }));

      const findings = derive(
        [{ id: 'a', connectionMethodId: 'm', error, scopes: scopes.list }],
        requirements,
      );
      for (const requirement of findings.requirements) requirement.connections();

      assertAtMost(scopes.reads, 10 * 500);
    });
  }

  it('has the scopes of a requirement read a few times when 500 accounts are eligible', () => {
    const required = countingReads(Array.from({ length: 500 }, (_, at) => `s${at}`));
    const accounts = Array.from({ length: 500 }, (_, at) => ({
      id: `${at}`,
      connectionMethodId: 'm',
      scopes: ['s0'],
    }));
    const requirement = {
      eligibleAccountIds: accounts.map(({ id }) => id),
      connections: [{ connectionMethodId: 'm', requiredScopes: required.list }],
    };

    const [finding] = derive(accounts, [requirement]).requirements;

    assert.deepEqual(finding?.eligible()[499]?.missing, { first: 's1', count: 499 });
    assertAtMost(required.reads, 10 * 500);
  });

  it('gives the effects of each failed account without another look at the requirements', () => {
    const ids = Array.from({ length: 100 }, (_, at) => `${at}`);
    const findings = derive(
      ids.map((id) => ({ id, error: {} })),
      ids.map((accountId) => ({ accountId, binding: accountId, satisfied: false })),
    );
    let looksAtCauses = 0;
    for (const requirement of findings.requirements) {
      const { cause } = requirement;
      Object.defineProperty(requirement, 'cause', {
        get: () => {
          looksAtCauses += 1;
          return cause;
        },
      });
    }

    const effectNames = findings.problems.map((problem) =>
      problem.kind === 'failedAccount' ? namesOf(findings.effectsOf(problem)) : 'no account',
    );

    assert.deepEqual(effectNames, ids);
    assert.equal(looksAtCauses, 0);
  });

  it('has each ID read a few times when 500 failed accounts have a requirement each', () => {
    let idReads = 0;
    const counted = (id: string) => {
      idReads += 1;
      return id;
    };
    const ids = Array.from({ length: 500 }, (_, at) => `${at}`);
    const accounts = ids.map((id) => ({
      error: {},
      get id() {
        return counted(id);
      },
    }));
    const requirements = ids.map((id) => ({
      satisfied: false,
      get accountId() {
        return counted(id);
      },
    }));

    const { problems } = derive(accounts, requirements);

    assert.equal(problems.length, ids.length);
    assertAtMost(idReads, 20 * ids.length);
  });
});

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

function derive(
  accounts: readonly Account[] = [],
  requirements: readonly Requirement[] = [],
  deploymentId = 'dep_1',
) {
  return new Findings({ value: { accounts, requirements }, decodeIssues: [] }, deploymentId);
}

const slack: Account = {
  id: 'acc_1',
  label: 'Finance Slack',
  connectionMethodId: 'oauth',
  scopes: ['a', 'b'],
};

function stateOf(...given: Parameters<typeof derive>) {
  return stateOfFindings(derive(...given), nothingRemembered);
}

/** When decoding left this out. */
function stateWithout(path: string, count = 1) {
  const decodeIssues = Array.from(
    { length: count },
    () => ({ path, expected: 'object', found: 'string' }) as const,
  );
  const answer = { value: { accounts: [slack], requirements: [] }, decodeIssues };
  return stateOfFindings(new Findings(answer, 'd'), nothingRemembered);
}

describe('Findings: state', () => {
  const gone = { satisfied: true, accountId: 'gone' };
  const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['z'] }];
  const lacking = { satisfied: true, accountId: 'acc_1', connections };
  for (const [what, accounts, requirements, state] of [
    ['all is well', [slack], [{ satisfied: true }], 'satisfied'],
    ['the platform did not say', [slack], [{ satisfied: true }, {}], 'unknown'],
    ['a requirement is not satisfied', [slack], [{ satisfied: false }, {}], 'notSatisfied'],
    ['an account failed', [{ ...slack, error: {} }], [{ satisfied: false }], 'failed'],
    ['null is no error', [{ ...slack, error: null }], [], 'satisfied'],
    ['notes are no problems', [{ ...slack, scopes: [] }], [gone, lacking], 'satisfied'],
  ] as const) {
    it(`is ${state}: ${what}`, () => assert.equal(stateOf(accounts, requirements), state));
  }

  it('is not known where a problem may be unreadable', () => {
    for (const path of [
      'accounts',
      'requirements[12]',
      'accounts[0].error',
      'requirements[0].satisfied',
    ]) {
      assert.equal(stateWithout(path), 'unknown', path);
    }
    for (const path of ['accounts[0].label', 'accounts[0].scopes[3]']) {
      assert.deepEqual(
        [stateWithout(path), stateWithout(path, 10_000)],
        ['satisfied', 'unknown'],
        path,
      );
    }
  });
});

/** What is found in an answer as the platform sent it. */
function read(accounts: unknown, requirements: unknown = []) {
  const issues = new DecodeIssues();
  const value = decodeDeploymentAuthorization({ accounts, requirements }, issues)!;
  return new Findings({ value, decodeIssues: issues.list }, 'dep_1');
}

/** The IDs of the accounts that the requirement is advised to use, in their order. */
function advised(...given: Parameters<typeof read>) {
  const [finding] = read(...given).requirements;
  return finding
    ?.advisable()
    .map(({ accountId }) => accountId)
    .join();
}

describe('Findings: what could not be read', () => {
  const requirement = {
    satisfied: false,
    accountId: 'acc_1',
    eligibleAccountIds: ['acc_2', 'acc_3'],
    connections: [{ connectionMethodId: 'oauth', requiredScopes: ['a'] }],
  };
  const other = { ...slack, id: 'acc_2' };
  const complete = { ...slack, id: 'acc_3' };

  for (const [what, accounts, requirements] of [
    ['the ID of an account', [{ ...slack, id: 5 }], []],
    ['the binding of a requirement', [], [{ satisfied: true, binding: 5 }]],
    ['the service of a requirement', [], [{ satisfied: true, serviceId: 5 }]],
  ] as const) {
    const findings = read(accounts, requirements);

    it(`may hide what was known as a problem: ${what}`, () =>
      assert.equal(findings.mayHideProblem, true));

    it(`leaves the deployment healthy when nothing else is wrong: ${what}`, () => {
      assert.equal(stateOfFindings(findings, nothingRemembered), 'satisfied');
    });
  }

  for (const error of ['revoked', [], true]) {
    it(`makes an account unknown when its error is ${JSON.stringify(error)}`, () => {
      assert.equal(read([{ ...slack, error }]).accounts[0]?.state, 'unknown');
    });
  }

  it('leaves an account failed when only a field of its error is left out', () => {
    assert.equal(read([{ ...slack, error: { code: 5 } }]).accounts[0]?.state, 'failed');
  });

  it('is found beside other accounts that are left out before it', () => {
    const { accounts } = read([5, slack, { ...other, error: 'x' }]);
    assert.deepEqual(
      accounts.map(({ account, state }) => [account.id, state]),
      [
        ['acc_2', 'unknown'],
        ['acc_1', 'works'],
      ],
    );
  });

  it('counts before what works when two accounts have one ID', () => {
    const { accountsById } = read([slack, { ...slack, error: 'x' }]);
    assert.equal(accountsById.get('acc_1')?.state, 'unknown');
  });

  it('leaves no scope missing that may be the one that was left out', () => {
    const [finding] = read([{ ...slack, scopes: ['b', 5] }], [requirement]).requirements;
    assert.deepEqual(finding?.missingScopes, []);
  });

  it('leaves a scope granted that was read', () => {
    const [finding] = read([{ ...slack, scopes: ['a', 5] }], [requirement]).requirements;
    assert.equal(finding?.connections()[0]?.scopes[0]?.state, 'granted');
  });

  for (const [what, change] of [
    ['error', { error: 'x' }],
    ['scopes', { scopes: 'a' }],
    ['scope', { scopes: ['a', 5] }],
    ['method', { connectionMethodId: 5 }],
  ] as const) {
    it(`makes no eligible account complete: its ${what}`, () => {
      assert.equal(
        advised([slack, { ...other, ...change }, complete], [requirement]),
        'acc_3,acc_2',
      );
    });
  }

  it('makes no eligible account lack a scope: one of its scopes', () => {
    const [finding] = read([slack, { ...other, scopes: [5] }], [requirement]).requirements;
    assert.ok(finding?.eligible().every(({ missing }) => missing === undefined));
  });

  for (const [what, connection] of [
    ['connection', 5],
    ['required scope', { connectionMethodId: 'oauth', requiredScopes: [5] }],
  ] as const) {
    it(`makes no eligible account complete: a ${what}`, () => {
      const connections = [...requirement.connections, connection];
      // The one whose scopes are known and the one whose scopes are not stand as they were named.
      const accounts = [slack, { ...other, scopes: undefined }, complete];
      assert.equal(advised(accounts, [{ ...requirement, connections }]), 'acc_2,acc_3');
    });
  }

  for (const [what, accounts] of [
    ['an account', [5]],
    ['the ID of an account', [{ id: 5 }]],
    ['all accounts', 'x'],
  ] as const) {
    it(`leaves open whether the bound account is among the accounts: ${what}`, () => {
      assert.equal(read(accounts, [requirement]).requirements[0]?.isBoundAccountAbsent, false);
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

  function scopesOf(change: Partial<Account>) {
    const finding = derive([{ ...slack, ...change }], [requirement]).requirements[0]!;
    const connections = finding.connections();
    const scopes = connections[0]!.scopes.map(
      ({ scope, state, isRequired: required, isMinimal: minimal }) =>
        [scope, state, ...(required ? ['required'] : []), ...(minimal ? ['minimal'] : [])].join(
          ' ',
        ),
    );
    return [
      finding.missingScopes.join(),
      connections.map(({ isOfBoundAccount: own }) => own).join(),
      scopes.join(),
    ];
  }

  it('know the scopes of the bound account, by its own method', () => {
    const named = 'c missing required,a granted required minimal,b granted minimal';
    const unknown = 'a unknown required minimal,b unknown minimal,c unknown required';
    assert.deepEqual(scopesOf({}), ['c', 'true,false', named]);
    assert.deepEqual(scopesOf({ scopes: undefined }), ['', 'true,false', unknown]);
    assert.deepEqual(scopesOf({ connectionMethodId: undefined }), ['', 'false,false', named]);
  });

  it('know the first account with the id that they are bound to, those that could be, and one that is not there', () => {
    const requirements = [
      requirement,
      { binding: 'b', accountId: 'gone' },
      { binding: 'c', accountId: '' },
    ];
    const findings = derive([slack, { id: 'acc_1' }], requirements).requirements;
    const bound = findings.map((finding) => finding.bound?.account ?? finding.isBoundAccountAbsent);
    const eligible = findings[0]!
      .eligible()
      .map(({ accountId, account }) => `${accountId} ${account?.name}`);
    assert.deepEqual(bound, [slack, true, false]);
    assert.deepEqual(eligible, ['acc_9 undefined', 'acc_1 Finance Slack']);
  });

  it('advise no eligible account that has failed or lacks a required scope, and complete ones before unknown ones', () => {
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
    const finding = derive(all, [{ accountId: 'bound', eligibleAccountIds, connections }])
      .requirements[0]!;
    const lacking = finding.eligible().filter(({ missing }) => missing);
    assert.deepEqual(
      [lacking, finding.advisable()].map((some) => some.map(({ accountId }) => accountId)),
      [['lacking'], ['complete', 'absent', 'unknown', 'another method']],
    );
  });

  it('name the first scope that an eligible account lacks, and how many these are', () => {
    const lacking = { id: 'lacking', connectionMethodId: 'm', scopes: ['b', 'of another'] };
    const connections = [
      { connectionMethodId: 'm', requiredScopes: ['b', 'c'] },
      { connectionMethodId: 'n', requiredScopes: ['x'] },
      { connectionMethodId: 'm', requiredScopes: ['a', 'b'] },
    ];
    const finding = derive([lacking], [{ eligibleAccountIds: ['lacking'], connections }])
      .requirements[0]!;
    assert.deepEqual(finding.eligible()[0]?.missing, { first: 'c', count: 2 });
  });

  it('have names, and problems come first', () => {
    const { accounts, requirements } = derive(
      [{ id: 'acc_2' }, { serviceId: 's' }, { label: ' ', id: 'acc_0', error: {} }, {}],
      [
        { binding: 'b', satisfied: true },
        { serviceId: 'a', satisfied: true },
        { binding: 'y' },
        { satisfied: false },
      ],
    );
    const names = [accounts, requirements].map((findings) =>
      findings.map(({ name }) => name).join(),
    );
    assert.deepEqual(names, ['acc_0,,acc_2,s', ',y,a,b']);
  });
});

/** Key and sign of each problem. */
const identity = (
  { accounts, requirements }: Partial<DeploymentAuthorization>,
  deploymentId = 'd',
) => derive(accounts, requirements, deploymentId).problems.map(({ key, sign }) => [key, sign]);
const isShared = (answer: Partial<DeploymentAuthorization>) =>
  identity(answer)[0]?.[0] === identity(answer, 'e')[0]?.[0];
const failedWith = (more: Account) => ({ accounts: [{ error: {}, ...more }] });
const lackingWith = (more: Requirement) => ({ requirements: [{ satisfied: false, ...more }] });

const keyBySign = (requirements: readonly Requirement[]) =>
  new Map(identity({ requirements }).map(([key, sign]) => [sign, key]));

/** Keys of those that are not satisfied among requirements of one platform. */
const equals = (...satisfied: boolean[]) =>
  identity({ requirements: satisfied.map((is) => ({ serviceId: 'slack', satisfied: is })) }).map(
    ([key]) => key,
  );

/** Of everything that is found, problem or not. */
const keys = ({ accounts, requirements }: Findings) =>
  [...accounts, ...requirements].map(({ key }) => key).toSorted();

describe('Findings: problems', () => {
  const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['a', 'x'] }];

  it('are failed accounts, then unsatisfied requirements, each by name', () => {
    const accounts = [slack, { id: 'b' }, { id: 'c', error: null }].map((account) => ({
      error: {},
      ...account,
    }));
    const requirements = [
      { satisfied: true, accountId: 'acc_1', binding: 'm', connections },
      { satisfied: false, accountId: 'c', binding: 'n' },
    ];
    const said = derive(accounts, requirements).problems.map((one) =>
      [one.kind, one.finding.name, 'scopes' in one ? one.scopes : []].flat().join(' '),
    );
    assert.deepEqual(said, [
      'failedAccount b',
      'failedAccount Finance Slack x',
      'unsatisfiedRequirement n',
    ]);
  });

  it('are no requirement whose account failed in the same answer: that is an effect of the account', () => {
    const failed = { ...slack, error: {} };
    const requirements = [
      { binding: 'effect', satisfied: false, accountId: 'acc_1', connections },
      { binding: 'satisfied', satisfied: true, accountId: 'acc_1' },
      { binding: 'unknown', accountId: 'acc_1' },
      { binding: 'other account', satisfied: false, accountId: 'gone' },
    ];
    const findings = derive([failed, { ...slack, id: 'fine' }], requirements);
    const [account] = findings.problems;
    assert.ok(account?.kind === 'failedAccount');
    assert.equal(
      findings.problems.map(({ finding }) => finding.name).join(),
      'Finance Slack,other account',
    );
    const effects = findings
      .effectsOf(account)
      .map(({ name, state, cause }) => [name, state, cause]);
    assert.deepEqual(effects, [['effect', 'notSatisfied', account]]);
  });

  it('are one of several failed accounts with one ID, which counts for what is bound to it', () => {
    const accounts = [{ id: 'x' }, { id: 'x', error: {} }, { id: 'x', error: { code: 'y' } }];
    const { problems, requirements } = derive(accounts, [{ satisfied: false, accountId: 'x' }]);
    assert.deepEqual([problems.length, requirements[0]?.cause], [1, problems[0]]);
  });

  it('have a key each, and what they are about has the same one whatever the order of the answer', () => {
    fc.assert(
      fc.property(anyAuthorization, ({ accounts, requirements }) => {
        const own = derive(accounts, requirements);
        const reversed = derive(accounts.toReversed(), requirements.toReversed());
        assert.deepEqual(keys(own), keys(reversed));
        assert.equal(new Set(own.problems.map(({ key }) => key)).size, own.problems.length);
      }),
    );
  });

  it('have the same key in every deployment if an account has an ID, else one of their own', () => {
    const answers = [
      failedWith({ id: 'a' }),
      failedWith({}),
      failedWith({ id: '' }),
      lackingWith({}),
    ];
    assert.deepEqual(answers.map(isShared), [true, false, false, false]);
  });

  const scoped = {
    accounts: [{ id: 'a', connectionMethodId: 'oauth', scopes: [] }],
    ...lackingWith({ accountId: 'a' }),
  };
  for (const [what, before, after, isSame] of [
    [
      'another error code',
      failedWith({ id: 'a' }),
      failedWith({ id: 'a', error: { code: 'x' } }),
      false,
    ],
    [
      'another message',
      failedWith({ id: 'a' }),
      failedWith({ id: 'a', error: { message: 'x' } }),
      true,
    ],
    ['another label', failedWith({ id: 'a' }), failedWith({ id: 'a', label: 'L' }), true],
    [
      'another bound account',
      lackingWith({ accountId: 'a' }),
      lackingWith({ accountId: 'b' }),
      false,
    ],
    [
      'another missing scope',
      scoped,
      { ...scoped, ...lackingWith({ accountId: 'a', connections }) },
      false,
    ],
    ['other eligible accounts', lackingWith({}), lackingWith({ eligibleAccountIds: ['a'] }), true],
  ] as const) {
    it(`have ${isSame ? 'the same sign' : 'another sign'} with ${what}`, () => {
      const [[keyBefore, signBefore], [keyAfter, signAfter]] = [
        identity(before)[0]!,
        identity(after)[0]!,
      ];
      assert.deepEqual([keyBefore === keyAfter, signBefore === signAfter], [true, isSame]);
    });
  }

  it('of equal requirements have the same keys in whichever order these come', () => {
    const accountIds = ['b', undefined, 'a'];
    const requirements = accountIds.map((accountId) => ({
      serviceId: 'slack',
      satisfied: false,
      accountId,
    }));
    assert.deepEqual(keyBySign(requirements.toReversed()), keyBySign(requirements));
  });

  it('of equal requirements keep their keys when another is mended, and get others when one comes', () => {
    const [first, second] = equals(false, false);
    assert.deepEqual(equals(true, false), [second]);
    assert.deepEqual(equals(false, true), [first]);
    assert.ok(!equals(false, false, true).some((key) => key === first || key === second));
  });
});

const named = (some: readonly { readonly name: string }[]) => some.map(({ name }) => name).join();

describe('Findings: what is muted as they are made', () => {
  const accounts = ['x', 'y'].map((id) => ({ id, error: {} }));
  const requirements = [
    { binding: 'effect', satisfied: false, accountId: 'x' },
    { binding: 'm', satisfied: false },
    { binding: 'n', satisfied: false },
    { binding: 'o' },
  ];
  const answer = { value: { accounts, requirements }, decodeIssues: [] };
  const muted = ['["account","x"]', '["requirement","d",null,"m"]'];
  const findings = new Findings(answer, 'd', ({ key }) => muted.includes(key));

  it('is the last of the problems', () => {
    assert.equal(named(findings.problems.map(({ finding }) => finding)), 'y,n,x,m');
  });

  it('is the last of the accounts', () => assert.equal(named(findings.accounts), 'y,x'));

  it('stands below what is unknown, with what is an effect of it', () => {
    assert.equal(named(findings.requirements), 'n,o,effect,m');
  });
});

describe('Findings: size', () => {
  it('whether a problem may be hidden is found out once, when they are made', () => {
    const issues = countingIssues(5000);
    const value = { accounts: [slack], requirements: [] };
    const findings = new Findings({ value, decodeIssues: issues.list }, 'd');
    for (let times = 0; times < 2000; times++) assert.equal(findings.mayHideProblem, false);
    assert.equal(issues.reads, 5000);
  });

  for (const [what, error] of [
    ['an account', null],
    ['a failed account', {}],
  ] as const) {
    it(`the scopes granted to ${what} are read a few times, however many requirements need it`, () => {
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
      assert.ok(scopes.reads < 10 * 500, `${scopes.reads}`);
    });
  }

  it('the scopes that a requirement needs are read a few times, however many accounts are eligible', () => {
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
    assert.ok(required.reads < 10 * 500, `${required.reads}`);
  });

  it('the effects of each failed account are known without another look at the requirements', () => {
    const ids = Array.from({ length: 100 }, (_, at) => `${at}`);
    const accounts = ids.map((id) => ({ id, error: {} }));
    const findings = derive(
      accounts,
      ids.map((accountId) => ({ accountId, binding: accountId, satisfied: false })),
    );
    let looks = 0;
    for (const requirement of findings.requirements) {
      const { cause } = requirement;
      Object.defineProperty(requirement, 'cause', {
        get: () => {
          looks++;
          return cause;
        },
      });
    }
    const effects = findings.problems.map((one) =>
      one.kind === 'failedAccount' ? findings.effectsOf(one) : [],
    );
    assert.deepEqual([looks, effects.map((own) => own.map(({ name }) => name).join())], [0, ids]);
  });

  it('failed accounts and the requirements that are bound to them find each other without a search for each', () => {
    let reads = 0;
    const ids = Array.from({ length: 500 }, (_, at) => `${at}`);
    const counted = (id: string) => {
      reads++;
      return id;
    };
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
    assert.equal(derive(accounts, requirements).problems.length, ids.length);
    assert.ok(reads < 20 * ids.length, `${reads}`);
  });
});

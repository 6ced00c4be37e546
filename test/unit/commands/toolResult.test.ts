import { strict as assert } from 'node:assert';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import type { Failure } from '../../../src/api/failure.js';
import {
  type Deployment,
  type LastAnswer,
  withFindings,
} from '../../../src/model/findings/deployment.js';
import type { Problem } from '../../../src/model/findings/findings.js';
import { nothingRemembered, type Remembered } from '../../../src/model/findings/state.js';
import { authorizationResult, dataText, problemsResult } from '../../../src/model/toolResult.js';
import { answerOf } from '../../support/answers.js';
import { muting } from '../model/tree/trees.js';

const broken = { id: 'acc_2', label: 'Broken', connectionMethodId: 'oauth', scopes: [] };
const stripe = { serviceId: 'stripe', accountId: 'acc_2', satisfied: true };
const connection = { connectionMethodId: 'oauth', requiredScopes: ['a'] };

/** As the decoder leaves it: fields that docs/service.md does not name are still there. */
const full = {
  plan: 'secret plan',
  accounts: [
    { id: 'acc_1', label: 'Fine', region: 'secret region' },
    { ...broken, error: { code: 'gone', trace: 'secret trace' } },
  ],
  requirements: [
    { ...stripe, connections: [{ ...connection, hint: 'secret hint' }] },
    { serviceId: 'slack', accountId: 'acc_9', satisfied: false },
  ],
};
const sentAt = Date.UTC(2026, 10, 20);
const readAt = '2026-11-20T00:00:00.000Z';

const memory: Remembered = { ...nothingRemembered, seenSince: () => 1000 };

function answer(value: DeploymentAuthorization, facts: Partial<LastAnswer> = {}): LastAnswer {
  const decodeIssues = [
    { path: 'accounts[0].scopes', expected: 'array', found: 'number' } as const,
  ];
  return withFindings(answerOf(value, { decodeIssues, sentAt, ...facts }), 'dep_1');
}

const listed = (id: string, more: Partial<Deployment>): Deployment => {
  return { state: 'notYetRead', activity: 'idle', id, name: id, ...more };
};
/** Why a deployment could not be read, in a sentence and with a text of whoever answered. */
const failureFieldsOf = ({ kind }: Failure) => ({ error: `Failed: ${kind}.`, webPageTitle: 'Hi' });
const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `${'"\\'.repeat(700)}${index}`);

type Data = Record<string, unknown>;
type Lists = Record<string, readonly Data[]>;
const read = (data: object): Lists => JSON.parse(dataText(data));

/** What dep_2 says of its accounts is newer than what dep_1 says. */
function fixSeenIn(deploymentId: string): string | undefined {
  return deploymentId === 'dep_1' ? 'dep_2' : undefined;
}

/** A result of which a test reads single fields. */
function fieldsOf(data: object): Data {
  return JSON.parse(dataText(data));
}

describe('the authorization for a tool', () => {
  const error = { code: 'gone', otherFields: ['trace'] };

  it("has the reference's fields and only the names of others", () => {
    const result = read(authorizationResult('dep_1', answer(full)));
    assert.deepEqual(result.accounts, [
      { ...broken, error },
      { id: 'acc_1', label: 'Fine', otherFields: ['region'] },
    ]);
    assert.deepEqual(result.requirements, [
      {
        serviceId: 'slack',
        accountId: 'acc_9',
        satisfied: false,
        accountIdIsNotAmongTheAccounts: true,
      },
      {
        ...stripe,
        connections: [{ ...connection, otherFields: ['hint'] }],
        missingScopes: ['a'],
      },
    ]);
    assert.deepEqual(result.otherFields, ['plan']);
  });

  it('lists its problems with their steps', () => {
    const { problems } = read(authorizationResult('dep_1', answer(full)));
    assert.deepEqual(problems, [
      {
        kind: 'failedAccount',
        account: { id: 'acc_2', label: 'Broken', error },
        steps: ['reconnectAccount'],
        missingScopes: ['a'],
      },
      {
        kind: 'unsatisfiedRequirement',
        requirement: { serviceId: 'slack', accountId: 'acc_9' },
        accountIdIsNotAmongTheAccounts: true,
        steps: ['connectAccountInDashboard'],
      },
    ]);
  });

  it('puts problems first and accounts last', () => {
    const keys = Object.keys(read(authorizationResult('dep_1', answer(full))));
    const lists = keys.filter((key) => ['accounts', 'problems', 'requirements'].includes(key));
    assert.deepEqual(lists, ['problems', 'requirements', 'accounts']);
  });

  it('has only fields that are described', () => {
    const keys = Object.keys(read(authorizationResult('dep_1', answer(full))));
    assert.deepEqual(keys.toSorted(), [
      'accounts',
      'deploymentId',
      'otherFields',
      'problems',
      'readAt',
      'requirements',
      'state',
      'unreadableFields',
    ]);
  });

  for (const [fact, field, value] of [
    ['the ID of its deployment', 'deploymentId', 'dep_1'],
    ['the state of its deployment', 'state', 'failed'],
    ['the time when it was read', 'readAt', readAt],
  ] as const) {
    it(`has ${fact}`, () => {
      const result = fieldsOf(authorizationResult('dep_1', answer(full)));
      assert.equal(result[field], value, field);
    });
  }

  describe('after a failed refresh', () => {
    const stale = { error: 'No.', redirectedTo: 'host.example' };
    const result = () => fieldsOf(authorizationResult('dep_1', answer(full), { stale }));

    it('is unknown', () => assert.equal(result()['state'], 'unknown'));

    it('is marked as stale', () => assert.equal(result()['stale'], true));

    it('says why the refresh failed', () => {
      const { error: message, redirectedTo } = result();
      assert.equal(message, stale.error);
      assert.equal(redirectedTo, stale.redirectedTo);
    });

    it('keeps all other fields', () => {
      const known = fieldsOf(authorizationResult('dep_1', answer(full)));
      assert.deepEqual(result(), { ...known, ...stale, state: 'unknown', stale: true });
    });
  });

  describe('with 400 unreadable fields', () => {
    const result = () => {
      const [issue] = answer(full).decodeIssues;
      const decodeIssues = Array.from({ length: 400 }, () => issue!);
      return fieldsOf(authorizationResult('dep_1', { ...answer(full), decodeIssues }));
    };

    it('names the first hundred of them', () => {
      assert.deepEqual(result()['unreadableFields'], Array(100).fill('accounts[0].scopes'));
    });

    it('counts them all', () => {
      assert.equal(result()['unreadableFieldCount'], 400);
    });
  });
});

describe('the list of problems for a tool', () => {
  const eligibleAccountIds = ['acc_1', 'acc_2', 'acc_9'];
  const crm = {
    accounts: [{ id: 'acc_1', label: 'CRM' }, { id: 'acc_2' }],
    requirements: [{ binding: 'crm', satisfied: false, accountId: 'acc_1', eligibleAccountIds }],
  };
  const failedRead = { failure: { kind: 'timedOut', after: 1 }, at: 0 } as const;
  const deployments = [
    listed('dep_2', {
      state: 'notSatisfied',
      answer: answer(crm),
      failedRead,
      label: 'CRM, secret',
    }),
    listed('dep_1', { state: 'failed', answer: answer(full) }),
    listed('dep_3', { state: 'unknown', failedRead }),
    listed('dep_4', {}),
  ];
  const failed = { error: 'Timed out.', webPageTitle: 'Sign in' };
  const list = () =>
    read(
      problemsResult(deployments, {
        now: sentAt + 90_000,
        memory,
        failed,
        failureFieldsOf,
        ownerOf: ({ account }) => (account === 'acc_1' ? 'Maria' : undefined),
      }),
    );

  it('counts the deployments by state', () => {
    const counts = { total: 4, failing: 2, unknown: 1, notYetRead: 1, muted: 0, healthy: 0 };
    assert.deepEqual(list().deployments, counts);
  });

  it('says why a refresh failed', () => {
    const { error, webPageTitle } = fieldsOf(list());
    assert.deepEqual({ error, webPageTitle }, failed);
  });

  it('names each deployment whose last read failed, with the reason', () => {
    const failure = { kind: 'timedOut', error: 'Failed: timedOut.', webPageTitle: 'Hi' };
    assert.deepEqual(list().unknownDeployments, [
      { deploymentId: 'dep_2', label: 'CRM, secret', state: 'notSatisfied', failure },
      { deploymentId: 'dep_3', state: 'unknown', failure },
    ]);
  });

  it('has the status of a failed read', () => {
    const notFound = { failure: { kind: 'notFound', status: 404 }, at: 0 } as const;
    const deployment = listed('dep_1', { state: 'unknown', failedRead: notFound });
    const options = { now: sentAt, failureFieldsOf };
    const { unknownDeployments = [] } = read(problemsResult([deployment], options));
    assert.deepEqual(unknownDeployments, [
      {
        deploymentId: 'dep_1',
        state: 'unknown',
        failure: {
          kind: 'notFound',
          status: 404,
          error: 'Failed: notFound.',
          webPageTitle: 'Hi',
        },
      },
    ]);
  });

  it('names what is unknown of a deployment that was read', () => {
    const requirements = [{ binding: 'crm', serviceId: 'salesforce' }, { binding: 'fine' }];
    const decodeIssues = [
      { path: 'requirements[1].satisfied', expected: 'boolean', found: 'number' } as const,
    ];
    const unsure = answer({ accounts: [], requirements }, { decodeIssues });
    const deployment = listed('dep_1', { state: 'unknown', answer: unsure });
    const options = { now: sentAt, failureFieldsOf };
    const { unknownDeployments = [] } = read(problemsResult([deployment], options));
    assert.deepEqual(unknownDeployments, [
      {
        deploymentId: 'dep_1',
        state: 'unknown',
        unknown: [
          { requirement: { binding: 'crm', serviceId: 'salesforce' } },
          { requirement: { binding: 'fine' } },
        ],
        unreadableFields: ['requirements[1].satisfied'],
      },
    ]);
  });

  it('has no list of unknown deployments when nothing is unknown', () => {
    const deployment = listed('dep_1', { state: 'failed', answer: answer(full) });
    const result = problemsResult([deployment], { now: sentAt, failureFieldsOf });
    assert.equal(fieldsOf(result)['unknownDeployments'], undefined);
  });

  it('begins with failed accounts', () => {
    const { problems = [] } = list();
    assert.deepEqual(
      problems.map(({ deploymentId, kind }) => [deploymentId, kind].join(' ')),
      ['dep_1 failedAccount', 'dep_2 unsatisfiedRequirement', 'dep_1 unsatisfiedRequirement'],
    );
  });

  it('has all that is known of a problem', () => {
    assert.deepEqual(list().problems?.[1], {
      deploymentId: 'dep_2',
      label: 'CRM, secret',
      kind: 'unsatisfiedRequirement',
      requirement: { binding: 'crm', accountId: 'acc_1' },
      boundAccount: { id: 'acc_1', label: 'CRM' },
      steps: ['reconnectBoundAccount', 'useEligibleAccount'],
      eligibleAccounts: [{ id: 'acc_2' }, { id: 'acc_9' }],
      owner: 'Maria',
      seenSince: '1970-01-01T00:00:01.000Z',
      readAt,
      ageInSeconds: 90,
      stale: true,
    });
  });

  describe('with 1000 problems and room for 50', () => {
    const items = (): readonly Data[] => {
      const ids = Array.from({ length: 1000 }, (_, index) => `acc_${index}`);
      const accounts = ids.map((id) => ({ id, error: {} }));
      const answered = answer({ accounts, requirements: [] });
      const deployment = listed('dep_1', { state: 'failed', answer: answered });
      const result = problemsResult([deployment], { now: sentAt, failureFieldsOf });
      return JSON.parse(dataText(result, { maxItems: 50 })).problems;
    };

    it('has 50 problems', () => {
      const kinds = items().flatMap(({ kind }) => kind ?? []);
      assert.deepEqual(kinds, Array(50).fill('failedAccount'));
    });

    it('ends with the number left out', () => {
      assert.deepEqual(items().slice(50), [{ leftOut: 950 }]);
    });
  });

  it('counts the age of an answer from its time in a cache on', () => {
    const cached = answer(full, { asOf: sentAt - 600_000 });
    const options = { now: sentAt + 90_000, failureFieldsOf };
    const result = problemsResult([listed('dep_1', { answer: cached })], options);
    const [problem] = read(result).problems ?? [];
    assert.equal(problem?.['readAt'], '2026-11-19T23:50:00.000Z');
    assert.equal(problem?.['ageInSeconds'], 690);
  });
});

describe('the steps for an account that works by a newer answer', () => {
  it('are Refresh in the list of problems', () => {
    const deployments = [
      listed('dep_1', { state: 'failed', answer: answer(full) }),
      listed('dep_3', { state: 'failed', answer: answer(full) }),
    ];
    const { problems = [] } = read(
      problemsResult(deployments, { now: sentAt, fixSeenIn, failureFieldsOf }),
    );
    const failed = problems.filter(({ kind }) => kind === 'failedAccount');
    assert.deepEqual(
      failed.map(({ steps, worksIn }) => [steps, worksIn]),
      [
        [['refreshDeployment'], 'dep_2'],
        [['reconnectAccount'], undefined],
      ],
    );
  });

  it('are Refresh in the authorization for a tool', () => {
    const { problems = [] } = read(authorizationResult('dep_1', answer(full), { fixSeenIn }));
    assert.deepEqual(problems[0]?.['steps'], ['refreshDeployment']);
  });
});

function isOfAccount({ deploymentId }: { readonly deploymentId?: string | undefined }): boolean {
  return deploymentId === undefined;
}

describe('the result of a tool', () => {
  it('says when it was read by the clock of the platform when the clocks differ', () => {
    const result = authorizationResult('dep_1', answer(full, { clockOffsetMs: -3_600_000 }));
    assert.equal(fieldsOf(result)['readAtByPlatformClock'], '2026-11-19T23:00:00.000Z');
  });

  it('says that the clocks differ when the time of the platform is unknown', () => {
    const result = authorizationResult('dep_1', answer(full, { hasUnusableDate: true }));
    assert.equal(fieldsOf(result)['clocksDiffer'], true);
  });

  const muted = muting(isOfAccount, sentAt);
  const deployment = listed('dep_1', { state: 'notSatisfied', answer: answer(full) });
  for (const [what, result] of [
    ['an authorization', () => authorizationResult('dep_1', answer(full), { memory: muted })],
    [
      'a list of problems',
      () => problemsResult([deployment], { now: sentAt, memory: muted, failureFieldsOf }),
    ],
  ] as const) {
    it(`lists muted problems apart in ${what}`, () => {
      const { problems = [], mutedProblems = [] } = read(result());
      assert.deepEqual(
        mutedProblems.map(({ kind }) => kind),
        ['failedAccount'],
      );
      assert.deepEqual(
        problems.map(({ kind }) => kind),
        ['unsatisfiedRequirement'],
      );
    });

    it(`says in ${what} when each mute ends`, () => {
      assert.equal(read(result()).mutedProblems?.[0]?.['mutedUntil'], readAt);
    });
  }

  it('says why a problem is muted for everyone', () => {
    const forEveryone = { until: '2026-12-31', reason: 'App review at Slack, FIN-1234' };
    const mutedForEveryone = {
      ...nothingRemembered,
      muteOf: (problem: Problem) =>
        isOfAccount(problem) ? { until: sentAt, isUntilChange: false, forEveryone } : undefined,
    };
    const { mutedProblems } = read(
      authorizationResult('dep_1', answer(full), { memory: mutedForEveryone }),
    );
    assert.equal(mutedProblems?.[0]?.['reason'], 'App review at Slack, FIN-1234');
  });

  it('gives no reason for a mute of the user’s own', () => {
    const { mutedProblems } = read(authorizationResult('dep_1', answer(full), { memory: muted }));
    assert.equal(mutedProblems?.[0]?.['reason'], undefined);
  });

  for (const isUntilChange of [true, false]) {
    const how = isUntilChange ? 'marks' : 'does not mark';
    const end = isUntilChange ? 'until the problem changes' : 'until a time';
    it(`${how} a mute ${end} as one that a change ends`, () => {
      const remembered = muting(isOfAccount, sentAt, isUntilChange);
      const { mutedProblems } = read(
        authorizationResult('dep_1', answer(full), { memory: remembered }),
      );
      assert.equal(mutedProblems?.[0]?.['mutedUntilItChanges'], isUntilChange || undefined);
    });
  }

  it('has each text redacted before it is cut', () => {
    const secret = 'x'.repeat(20);
    const data = { label: `${'a'.repeat(990)}${secret}`, list: [secret] };
    const redact = (text: string) => text.replaceAll(secret, '…');
    assert.equal(dataText(data, { redact }), `{"label":"${'a'.repeat(990)}…","list":["…"]}`);
  });

  it('shows invisible characters by visible ones', () => {
    const text = dataText({ label: 'pay\u202Egpj\u007f\u0085\n' });
    assert.equal(text, '{"label":"pay⟨U+202E⟩gpj␡⟨U+0085⟩␊"}');
  });

  it('cuts a long value', () => {
    const { length } = dataText({ label: 'x'.repeat(100_000) });
    assert.equal(length < 1100, true, `${length} characters`);
  });

  it('never cuts a surrogate pair', () => {
    assert.doesNotMatch(dataText({ label: '👍'.repeat(5000) }), /\\ud83d|�/);
  });

  describe('of a huge answer', () => {
    const failed = { id: 'broken', error: { code: 'gone' } };
    const connections = [{ minimalScopes: names(300), requiredScopes: names(1500) }];
    const requirement = {
      satisfied: false,
      accountId: 'absent',
      eligibleAccountIds: names(5),
      connections,
    };
    const huge = {
      ...Object.fromEntries(names(300).map((name) => [name, 1])),
      accounts: [...names(300).map((id) => ({ id })), failed],
      requirements: names(300).map((binding) => ({ binding, ...requirement })),
    };
    const text = () => dataText(authorizationResult('dep_1', answer(huge)));
    const lists = (): Lists => JSON.parse(text());

    it('has at most 40,000 characters', () => {
      const { length } = text();
      assert.equal(length <= 40_000, true, `${length} characters`);
    });

    it('begins with the worst problem', () => {
      assert.deepEqual(lists().problems?.[0], {
        kind: 'failedAccount',
        account: failed,
        steps: ['reconnectAccount'],
      });
    });

    it('begins its accounts with the failed one', () => {
      assert.deepEqual(lists().accounts?.[0], failed);
    });

    it('says how many accounts are left out', () => {
      const { accounts = [] } = lists();
      const kept = accounts.length - 1;
      assert.deepEqual(accounts.at(-1), { leftOut: 301 - kept });
    });
  });
});

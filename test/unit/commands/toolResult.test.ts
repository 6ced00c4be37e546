import { strict as assert } from 'node:assert';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import {
  type Deployment,
  type LastAnswer,
  withFindings,
} from '../../../src/model/findings/deployment.js';
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
const names = (count: number) =>
  Array.from({ length: count }, (_, index) => `${'"\\'.repeat(700)}${index}`);

type Data = Record<string, unknown>;
type Lists = Record<string, readonly Data[]>;
const read = (data: object): Lists => JSON.parse(dataText(data));

/** What dep_2 says of its accounts is newer than what dep_1 says. */
function fixSeenIn(deploymentId: string): string | undefined {
  return deploymentId === 'dep_1' ? 'dep_2' : undefined;
}

describe('the result of a language-model tool', () => {
  it("holds the reference's fields, problems first, the others by name, and says why it is old and what is left out", () => {
    const error = { code: 'gone', otherFields: ['trace'] };
    const stale = { error: 'No.', redirectedTo: 'host.example' };
    const [issue] = answer(full).decodeIssues;
    const decodeIssues = Array.from({ length: 400 }, () => issue!);
    assert.deepEqual(
      read(authorizationResult('dep_1', { ...answer(full), decodeIssues }, { stale })),
      {
        deploymentId: 'dep_1',
        stale: true,
        ...stale,
        state: 'unknown',
        readAt,
        problems: [
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
        ],
        requirements: [
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
        ],
        accounts: [
          { ...broken, error },
          { id: 'acc_1', label: 'Fine', otherFields: ['region'] },
        ],
        otherFields: ['plan'],
        unreadableFields: Array(100).fill('accounts[0].scopes'),
        unreadableFieldCount: 400,
      },
    );
  });

  it('lists the problems of all deployments with the age of each, failed accounts first', () => {
    const eligibleAccountIds = ['acc_1', 'acc_2', 'acc_9'];
    const crm = {
      accounts: [{ id: 'acc_1', label: 'CRM' }, { id: 'acc_2' }],
      requirements: [{ binding: 'crm', satisfied: false, accountId: 'acc_1', eligibleAccountIds }],
    };
    const failure = { failure: { kind: 'timedOut', after: 1 }, at: 0 } as const;
    const deployments = [
      listed('dep_2', {
        state: 'notSatisfied',
        answer: answer(crm),
        failedRead: failure,
        label: 'CRM, secret',
      }),
      listed('dep_1', { state: 'failed', answer: answer(full) }),
      listed('dep_3', { state: 'unknown', failedRead: failure }),
      listed('dep_4', {}),
    ];
    const result = problemsResult(deployments, {
      now: sentAt + 90_000,
      memory,
      failed: { error: 'Timed out.', webPageTitle: 'Sign in' },
      ownerOf: ({ account }) => (account === 'acc_1' ? 'Maria' : undefined),
    });
    const { problems = [], ...rest } = read(result);
    assert.deepEqual(rest, {
      error: 'Timed out.',
      webPageTitle: 'Sign in',
      deployments: { total: 4, failing: 2, unknown: 1, notYetRead: 1, muted: 0, healthy: 0 },
    });
    assert.deepEqual(
      problems.map(({ deploymentId, kind }) => [deploymentId, kind].join(' ')),
      ['dep_1 failedAccount', 'dep_2 unsatisfiedRequirement', 'dep_1 unsatisfiedRequirement'],
    );
    assert.deepEqual(problems[1], {
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

  it('asks nobody to reconnect an account that a newer answer about another deployment shows working', () => {
    const deployments = [
      listed('dep_1', { state: 'failed', answer: answer(full) }),
      listed('dep_3', { state: 'failed', answer: answer(full) }),
    ];
    const all = read(problemsResult(deployments, { now: sentAt, fixSeenIn })).problems ?? [];
    const failed = all.filter(({ kind }) => kind === 'failedAccount');
    assert.deepEqual(
      failed.map(({ steps, worksIn }) => [steps, worksIn]),
      [
        [['refreshDeployment'], 'dep_2'],
        [['reconnectAccount'], undefined],
      ],
    );
    const [first] = read(authorizationResult('dep_1', answer(full), { fixSeenIn })).problems ?? [];
    assert.deepEqual(first?.['steps'], ['refreshDeployment']);
  });

  it('lists at most 50 problems, and says how many are left out', () => {
    const accounts = Array.from({ length: 1000 }, (_, index) => ({
      id: `acc_${index}`,
      error: {},
    }));
    const deployment = listed('dep_1', {
      state: 'failed',
      answer: answer({ accounts, requirements: [] }),
    });
    const { problems }: Lists = JSON.parse(
      dataText(problemsResult([deployment], { now: sentAt }), { maxItems: 50 }),
    );
    assert.deepEqual([problems?.length, problems?.at(-1)], [51, { leftOut: 950 }]);
  });

  it('is as old as its answer says, also where that lay in a cache', () => {
    const cached = answer(full, { asOf: sentAt - 600_000 });
    const result = problemsResult([listed('dep_1', { answer: cached })], { now: sentAt + 90_000 });
    const [problem] = read(result).problems ?? [];
    assert.deepEqual(
      [problem?.['readAt'], problem?.['ageInSeconds']],
      ['2026-11-19T23:50:00.000Z', 690],
    );
  });

  it('says when it was read by the clock of the platform, where clocks differ', () => {
    const result = authorizationResult('dep_1', answer(full, { clockOffsetMs: -3_600_000 }));
    assert.equal(JSON.parse(dataText(result)).readAtByPlatformClock, '2026-11-19T23:00:00.000Z');
  });

  it('says that the clocks differ where the time of the platform cannot be told', () => {
    const result = authorizationResult('dep_1', answer(full, { hasUnusableDate: true }));
    assert.equal(JSON.parse(dataText(result)).clocksDiffer, true);
  });

  it('lists muted problems apart, with the end of each mute', () => {
    const muted = muting(({ deploymentId }) => deploymentId === undefined, sentAt);
    const deployment = listed('dep_1', { state: 'notSatisfied', answer: answer(full) });
    const all = problemsResult([deployment], { now: sentAt, memory: muted });
    for (const result of [authorizationResult('dep_1', answer(full), { memory: muted }), all]) {
      const { problems, mutedProblems } = read(result);
      assert.deepEqual([problems?.length, mutedProblems?.length], [1, 1]);
      assert.deepEqual(
        [mutedProblems?.[0]?.['kind'], mutedProblems?.[0]?.['mutedUntil']],
        ['failedAccount', readAt],
      );
    }
  });

  it('says of a mute until the problem changes that its end is only the latest one', () => {
    for (const isUntilChange of [true, false]) {
      const muted = muting(({ deploymentId }) => deploymentId === undefined, sentAt, isUntilChange);
      const { mutedProblems } = read(authorizationResult('dep_1', answer(full), { memory: muted }));
      assert.equal(mutedProblems?.[0]?.['mutedUntilItChanges'], isUntilChange || undefined);
    }
  });

  it('redacts each text before it is cut', () => {
    const secret = 'x'.repeat(20);
    const data = { label: `${'a'.repeat(990)}${secret}`, list: [secret] };
    const redact = (text: string) => text.replaceAll(secret, '…');
    assert.equal(dataText(data, { redact }), `{"label":"${'a'.repeat(990)}…","list":["…"]}`);
  });

  it('makes visible what JSON leaves unseen, and cuts long values, never half a pair', () => {
    assert.equal(
      dataText({ label: 'pay\u202Egpj\u007f\u0085\n' }),
      '{"label":"pay⟨U+202E⟩gpj␡⟨U+0085⟩␊"}',
    );
    assert.doesNotMatch(dataText({ label: '👍'.repeat(5000) }), /\\ud83d|�/);
    assert.ok(dataText({ label: 'x'.repeat(100_000) }).length < 1100);
  });

  it('has at most 40,000 characters, whatever its parts, and keeps the worst of each list', () => {
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
    const result = authorizationResult('dep_1', answer(huge));
    assert.ok(dataText(result).length <= 40_000);
    const { problems, accounts = [] } = read(result);
    assert.deepEqual(problems?.[0], {
      kind: 'failedAccount',
      account: failed,
      steps: ['reconnectAccount'],
    });
    assert.deepEqual([accounts[0], accounts.at(-1)], [failed, { leftOut: 302 - accounts.length }]);
  });
});

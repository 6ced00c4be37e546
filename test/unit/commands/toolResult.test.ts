import { strict as assert } from 'node:assert';
import type { Deployment } from '../../../src/model/deployment.js';
import { Findings, type Problem } from '../../../src/model/problems/findings.js';
import { authorizationResult, dataText, installResult, problemsResult } from '../../../src/model/toolResult.js';

/** As the decoder leaves it: fields that docs/service.md does not name are still there. */
const authorization = {
  plan: 'secret plan',
  accounts: [
    { id: 'acc_1', label: 'Fine', region: 'secret region' },
    { id: 'acc_2', label: 'Broken', serviceSub: 'T02', error: { code: 'gone', trace: 'secret trace' } },
  ],
  requirements: [
    { serviceId: 'stripe', satisfied: true },
    {
      serviceId: 'slack',
      accountId: 'acc_9',
      satisfied: false,
      connections: [{ connectionMethodId: 'oauth', requiredScopes: ['a'], hint: 'secret hint' }],
    },
  ],
};

const answer = {
  authorization,
  findings: new Findings(authorization, 'dep_1', () => 0),
  decodeIssues: [{ path: 'accounts[0].scopes', expected: 'array', found: 'number' } as const],
  receivedAt: Date.UTC(2026, 10, 20),
};

const names = (count: number) => Array.from({ length: count }, (_, index) => `${'"\\'.repeat(700)}${index}`);
const idle = { state: 'notYetRead', activity: 'idle' } as const;
const listed = (id: string, more: Partial<Deployment>): Deployment => ({ ...idle, id, name: id, ...more });
const withoutSecret = (text: string) => text.replace('secret', '…');
const read = (data: object): unknown => JSON.parse(dataText(data));
const installText = (install: Parameters<typeof installResult>[0]) =>
  dataText(installResult(install, { decodeIssues: [] }));

describe('the result of a language-model tool', () => {
  it("holds the reference's fields, problems first, and the others by name", () => {
    assert.deepEqual(read(authorizationResult('dep_1', answer)), {
      deploymentId: 'dep_1',
      state: 'failed',
      readAt: '2026-11-20T00:00:00.000Z',
      problems: [
        {
          kind: 'failedAccount',
          account: { id: 'acc_2', label: 'Broken', error: { code: 'gone', otherFields: ['trace'] } },
          steps: ['reconnectAccount'],
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
          connections: [{ connectionMethodId: 'oauth', requiredScopes: ['a'], otherFields: ['hint'] }],
          accountIdIsNotAmongTheAccounts: true,
        },
        { serviceId: 'stripe', satisfied: true },
      ],
      accounts: [
        { id: 'acc_2', label: 'Broken', serviceSub: 'T02', error: { code: 'gone', otherFields: ['trace'] } },
        { id: 'acc_1', label: 'Fine', otherFields: ['region'] },
      ],
      otherFields: ['plan'],
      unreadableFields: ['accounts[0].scopes'],
    });
  });

  it('lists the problems of all deployments with the age of each, failed accounts first', () => {
    const requirement = { binding: 'crm', satisfied: false, accountId: 'acc_1' };
    const unsatisfied = {
      accounts: [
        { id: 'acc_1', label: 'CRM' },
        { id: 'acc_2', label: 'Other' },
      ],
      requirements: [{ ...requirement, eligibleAccountIds: ['acc_1', 'acc_2', 'acc_9'] }],
    };
    const crm = { ...answer, authorization: unsatisfied, findings: new Findings(unsatisfied, 'dep_2', () => 1000) };
    const failure = { failure: { kind: 'timedOut', after: 1 }, at: 0 } as const;
    const deployments = [
      listed('dep_2', { state: 'notSatisfied', answer: crm, failure, label: 'CRM, secret' }),
      listed('dep_1', { state: 'failed', answer }),
      listed('dep_3', { state: 'unknown', failure }),
      listed('dep_4', {}),
    ];
    const now = answer.receivedAt + 90_000;
    const result = problemsResult(deployments, { now, redact: withoutSecret, error: 'Timed out.' });
    const { problems, ...rest }: { problems: Record<string, unknown>[] } = JSON.parse(dataText(result));
    assert.deepEqual(rest, {
      error: 'Timed out.',
      deployments: { total: 4, failing: 2, unknown: 1, notYetRead: 1, muted: 0, healthy: 0 },
    });
    assert.deepEqual(
      problems.map(({ deploymentId, kind }) => `${String(deploymentId)} ${String(kind)}`),
      ['dep_1 failedAccount', 'dep_2 unsatisfiedRequirement', 'dep_1 unsatisfiedRequirement'],
    );
    assert.deepEqual(problems[1], {
      deploymentId: 'dep_2',
      label: 'CRM, …',
      kind: 'unsatisfiedRequirement',
      requirement: { binding: 'crm', accountId: 'acc_1' },
      boundAccount: { id: 'acc_1', label: 'CRM' },
      steps: ['reconnectBoundAccount', 'useEligibleAccount'],
      eligibleAccounts: [{ id: 'acc_2', label: 'Other' }, { id: 'acc_9' }],
      seenSince: '1970-01-01T00:00:01.000Z',
      readAt: '2026-11-20T00:00:00.000Z',
      ageInSeconds: 90,
      stale: true,
    });
  });

  it('lists muted problems apart, with the end of each mute', () => {
    const until = ({ kind }: Problem) => (kind === 'failedAccount' ? answer.receivedAt : undefined);
    const muted = { ...answer, findings: new Findings(authorization, 'dep_1', () => 0, undefined, until) };
    const deployment = listed('dep_1', { state: 'notSatisfied', answer: muted });
    const options = { now: answer.receivedAt, redact: withoutSecret };
    for (const result of [authorizationResult('dep_1', muted), problemsResult([deployment], options)]) {
      const { problems, mutedProblems }: Record<string, Record<string, unknown>[]> = JSON.parse(dataText(result));
      assert.deepEqual([problems?.length, problems?.[0]?.['kind']], [1, 'unsatisfiedRequirement']);
      assert.deepEqual(
        mutedProblems?.map(({ kind, mutedUntil }) => [kind, mutedUntil]),
        [['failedAccount', '2026-11-20T00:00:00.000Z']],
      );
    }
  });

  it('names the scopes that a failed account misses', () => {
    const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['a'] }];
    const failed = {
      accounts: [{ id: 'acc_1', connectionMethodId: 'oauth', scopes: [], error: {} }],
      requirements: [{ accountId: 'acc_1', satisfied: true, connections }],
    };
    const findings = new Findings(failed, 'dep_1', () => 0);
    const text = dataText(authorizationResult('dep_1', { ...answer, authorization: failed, findings }));
    assert.ok(text.includes('"steps":["reconnectAccount"],"missingScopes":["a"]'), text);
  });

  it('says why it is old, and counts what could not be read and is not listed', () => {
    const text = dataText(authorizationResult('dep_1', { ...answer, decodeIssueCount: 400 }, { error: '500: no.' }));
    assert.match(text, /"stale":true,"error":"500: no\."/);
    assert.match(text, /"unreadableFields":\["accounts\[0\]\.scopes"\],"unreadableFieldCount":400/);
  });

  it('holds an install without what docs/service.md does not name', () => {
    const install = { label: 'CRM', requiredPlan: 'pro', token: 'secret token' };
    assert.equal(installText(install), '{"label":"CRM","requiredPlan":"pro","otherFields":["token"]}');
  });

  it('makes visible what JSON leaves unseen, and cuts long values, never half a pair', () => {
    const label = 'pay\u202Egpj\u007f\u0085\u200B\n';
    assert.equal(installText({ label }), '{"label":"pay⟨U+202E⟩gpj␡⟨U+0085⟩⟨U+200B⟩␊"}');
    assert.doesNotMatch(installText({ label: '👍'.repeat(5000) }), /\\ud83d|�/);
    assert.ok(installText({ label: 'x'.repeat(100_000) }).length < 1100);
  });

  it('has at most 40,000 characters, whatever its parts, and keeps the worst of each list', () => {
    const error = { code: 'gone' };
    const connection = { minimalScopes: names(300), requiredScopes: names(300) };
    const huge = {
      ...Object.fromEntries(names(300).map((name) => [name, 1])),
      accounts: [...names(300).map((id) => ({ id })), { id: 'broken', error }],
      requirements: names(300).map((binding) => ({
        binding,
        satisfied: false,
        accountId: 'absent',
        eligibleAccountIds: names(5),
        connections: Array.from({ length: 5 }, () => connection),
      })),
    };
    const { findings, ...rest } = { ...answer, findings: new Findings(huge, 'dep_1', () => 0) };
    const text = dataText(authorizationResult('dep_1', { ...rest, authorization: huge, findings }));
    assert.ok(text.length <= 40_000, `${text.length}`);
    const { problems, accounts }: { problems: unknown[]; accounts: unknown[] } = JSON.parse(text);
    assert.deepEqual(problems[0], {
      kind: 'failedAccount',
      account: { id: 'broken', error },
      steps: ['reconnectAccount'],
    });
    assert.deepEqual(accounts[0], { id: 'broken', error });
    assert.deepEqual(accounts.at(-1), { leftOut: 302 - accounts.length });
  });
});

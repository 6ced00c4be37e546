import { strict as assert } from 'node:assert';
import { Findings } from '../../../src/model/findings.js';
import { authorizationResult, dataText, installResult } from '../../../src/model/toolResult.js';

/** As the decoder leaves it: fields that the reference does not name are still there. */
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
const read = (data: object): unknown => JSON.parse(dataText(data));

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
          step: 'reconnectAccount',
        },
        {
          kind: 'unsatisfiedRequirement',
          requirement: { serviceId: 'slack', accountId: 'acc_9' },
          accountIdIsNotAmongTheAccounts: true,
          step: 'connectAccountInDashboard',
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

  it('counts what could not be read and is not listed', () => {
    const text = dataText(authorizationResult('dep_1', { ...answer, decodeIssueCount: 400 }));
    assert.ok(text.includes('"unreadableFields":["accounts[0].scopes"],"unreadableFieldCount":400'), text);
  });

  it('says why it is old', () => {
    const text = dataText(authorizationResult('dep_1', answer, { sentence: '500: no.' }));
    assert.ok(text.includes('"stale":"500: no."'), text);
  });

  it('holds an install without what the reference does not name', () => {
    const install = { label: 'CRM', requiredPlan: 'pro', token: 'secret token' };
    assert.deepEqual(read(installResult(install, { decodeIssues: [] })), {
      label: 'CRM',
      requiredPlan: 'pro',
      otherFields: ['token'],
    });
  });

  it('makes visible what JSON leaves unseen, a half of a pair at the cut included', () => {
    const label = 'pay\u202Egpj\u007f\u0085\u200B\n';
    assert.deepEqual(read(installResult({ label }, { decodeIssues: [] })), {
      label: 'pay⟨U+202E⟩gpj␡⟨U+0085⟩⟨U+200B⟩␊',
    });
    assert.doesNotMatch(dataText(installResult({ label: '👍'.repeat(5000) }, { decodeIssues: [] })), /\\ud83d|�/);
  });

  it('cuts a value that would fill the chat', () => {
    assert.ok(dataText(installResult({ label: 'x'.repeat(100_000) }, { decodeIssues: [] })).length < 1100);
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
      step: 'reconnectAccount',
    });
    assert.deepEqual(accounts[0], { id: 'broken', error });
    assert.deepEqual(accounts.at(-1), { leftOut: 302 - accounts.length });
  });
});

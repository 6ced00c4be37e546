import { strict as assert } from 'node:assert';
import { authorizationResult, installResult } from '../../../src/commands/toolResult.js';
import { deriveFindings } from '../../../src/model/deriveFindings.js';

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
  findings: deriveFindings(authorization, 'dep_1', () => 0),
  problems: [{ path: 'accounts[0].scopes', expected: 'array', found: 'number' } as const],
  receivedAt: Date.UTC(2026, 10, 20),
};

describe('the result of a language-model tool', () => {
  it("holds the reference's fields, problems first, and the others by name", () => {
    assert.deepEqual(JSON.parse(authorizationResult('dep_1', answer, { problems: ['Broken failed.'] })), {
      deploymentId: 'dep_1',
      state: 'failed',
      readAt: '2026-11-20T00:00:00.000Z',
      problems: ['Broken failed.'],
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
    const text = authorizationResult('dep_1', { ...answer, problemCount: 400 }, { problems: [] });
    assert.ok(text.includes('"unreadableFields":["accounts[0].scopes"],"unreadableFieldCount":400'), text);
  });

  it('says why it is old', () => {
    const text = authorizationResult('dep_1', answer, { problems: [], failure: '500: no.' });
    assert.ok(text.includes('"stale":"500: no."'), text);
  });

  it('holds an install without what the reference does not name', () => {
    const install = { label: 'CRM', requiredPlan: 'pro', token: 'secret token' };
    assert.deepEqual(JSON.parse(installResult(install, { problems: [] })), {
      label: 'CRM',
      requiredPlan: 'pro',
      otherFields: ['token'],
    });
  });

  it('makes visible what JSON leaves unseen, a half of a pair at the cut included', () => {
    const label = 'pay\u202Egpj\u007f\u0085\u200B\n';
    assert.deepEqual(JSON.parse(installResult({ label }, { problems: [] })), {
      label: 'pay⟨U+202E⟩gpj␡⟨U+0085⟩⟨U+200B⟩␊',
    });
    assert.doesNotMatch(installResult({ label: '👍'.repeat(5000) }, { problems: [] }), /\\ud83d|�/);
  });

  it('cuts a value that would fill the chat', () => {
    assert.ok(installResult({ label: 'x'.repeat(100_000) }, { problems: [] }).length < 1100);
  });
});

import assert from 'node:assert/strict';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import type { Deployment } from '../../../src/model/deployment.js';
import { Findings } from '../../../src/model/problems/findings.js';
import { deploymentsReportParts, type ReportWording } from '../../../src/model/report.js';

const wording: ReportWording = {
  summary: ({ total, failing, unknown }) => `${total} deployments, ${failing} failing, ${unknown} unknown`,
  columns: ['Deployment', 'What', 'Next'],
  mutedColumns: ['Deployment', 'Muted', 'Until'],
  problem: ({ kind, finding }) => `${finding.name} is broken (${kind}).`,
  nextStep: ({ finding }) => `Mend ${finding.name} | now.`,
  others: (count) => `${count} others`,
  requirements: 'Requirements',
  accounts: 'Accounts',
  none: 'none',
  readAt: (time) => `Read at ${time}.`,
  stale: ({ kind }, time) => `Stale: ${kind} at ${time}.`,
  unknown: ({ kind }, time) => `Unknown: ${kind} at ${time}.`,
  unreadableFields: (count) => `${count} unreadable.`,
  state: (state) => state,
  boundAccountAbsent: 'not among the accounts',
  scopeState: (state) => state,
  required: 'required',
  minimal: 'minimal',
  ownConnection: 'own',
  seenSince: (time) => `seen since ${time}`,
  otherFields: 'Other fields:',
  leftOut: 'Left out: base URL, organization, serviceSub.',
};

function report(...deployments: readonly Deployment[]): string {
  return [...deploymentsReportParts(deployments, wording)].join('');
}

const at = Date.UTC(2026, 10, 20, 12);

function read(authorization: DeploymentAuthorization, muted = false): Deployment {
  const findings = new Findings(
    authorization,
    'dep_1',
    () => at,
    undefined,
    () => (muted ? at : undefined),
  );
  const decodeIssues = [{ path: 'accounts[0].label', expected: 'string', found: 'number' } as const];
  return {
    id: 'dep_1',
    label: 'Billing #1',
    name: 'Billing #1',
    state: findings.state,
    activity: 'idle',
    answer: { authorization, findings, decodeIssues, receivedAt: at },
  };
}

const account = {
  id: 'acc_1',
  label: 'Fin`ance @you',
  serviceId: 'slack',
  serviceSub: 'T02-private',
  connectionMethodId: 'oauth',
  scopes: ['chat:write'],
  checkedAt: '2026-11-20T11:00:00Z',
  error: {
    code: 'token_revoked',
    message: 'The admin removed it.\nSee https://host.example',
    detail: 'private detail',
  },
  plan: 'private plan',
};

const full: DeploymentAuthorization = {
  accounts: [account],
  requirements: [
    {
      serviceId: 'slack',
      binding: 'notifier',
      satisfied: false,
      accountId: 'acc_1',
      eligibleAccountIds: [],
      connections: [
        { connectionMethodId: 'oauth', minimalScopes: ['chat:write'], requiredScopes: ['chat:write', 'channels:read'] },
      ],
    },
    { binding: 'orphan', satisfied: true, accountId: 'gone' },
  ],
};

describe('report', () => {
  it('reads well, and holds no value that docs/service.md does not name, and nothing that came with a failure', () => {
    const failure = { kind: 'serverError', status: 500, excerpt: 'secret text' } as const;
    assert.equal(
      report({ ...read(full), failure: { failure, at: at + 60_000 } }),
      `# \`Billing #1\` (\`dep_1\`)

| Deployment | What | Next |
| --- | --- | --- |
| \`Billing #1\` | \`\`Fin\`ance\`\` \`@you\` is broken (failedAccount). | Mend \`\`Fin\`ance\`\` \`@you\` \`｜\` now. |
| \`Billing #1\` | notifier is broken (unsatisfiedRequirement). | Mend notifier \`｜\` now. |

Stale: serverError at 2026-11-20 12:01:00 UTC.

Read at 2026-11-20 12:00:00 UTC.

1 unreadable.

### Requirements

- **notSatisfied**: \`notifier\`
  - serviceId: \`slack\`
  - binding: \`notifier\`
  - accountId: \`acc_1\` (\`\`Fin\`ance @you\`\`)
  - eligibleAccountIds: none
  - connectionMethodId: \`oauth\` (own)
    - \`channels:read\`: missing, required
    - \`chat:write\`: granted, required, minimal
  - seen since 2026-11-20 12:00:00 UTC
- **satisfied**: \`orphan\`
  - binding: \`orphan\`
  - accountId: \`gone\` (not among the accounts)

### Accounts

- **failed**: \`\`Fin\`ance @you\`\`
  - id: \`acc_1\`
  - serviceId: \`slack\`
  - connectionMethodId: \`oauth\`
  - scopes: \`chat:write\`
  - checkedAt: \`2026-11-20 11:00:00 UTC\`
  - error.code: \`token_revoked\`
  - error.message: \`The admin removed it.␊See https://host.example\`
  - seen since 2026-11-20 12:00:00 UTC
  - Other fields: \`plan\`, \`error.detail\`

Left out: base URL, organization, serviceSub.
`,
    );
  });

  it('folds nothing of a single deployment', () => {
    assert.doesNotMatch(report(read({ accounts: [], requirements: [] })), /details/);
  });

  it('has the problems of all in one table and the muted in another, then details, and folds the rest', () => {
    const unread: Deployment = { id: 'dep_3', name: 'dep_3', state: 'notYetRead', activity: 'idle' };
    const failure = { kind: 'timedOut', after: 30 } as const;
    const unknown: Deployment = { ...unread, id: 'dep_2', name: 'dep_2', state: 'unknown', failure: { failure, at } };
    const broken = { accounts: [{ id: 'acc_1', error: {} }], requirements: [] };
    const empty = read({ accounts: [], requirements: [] });
    const [before, folded] = report(read(broken), read(broken, true), unknown, unread, empty).split('<details>');
    assert.deepEqual(before?.match(/^[#|].*/gm), [
      '# 5 deployments, 1 failing, 1 unknown',
      '| Deployment | What | Next |',
      '| --- | --- | --- |',
      '| `Billing #1` | `acc_1` is broken (failedAccount). | Mend `acc_1` `｜` now. |',
      '| Deployment | Muted | Until |',
      '| --- | --- | --- |',
      '| `Billing #1` | `acc_1` is broken (failedAccount). | 2026-11-20 12:00:00 UTC |',
      '## `Billing #1` (`dep_1`)',
      '### Requirements',
      '### Accounts',
    ]);
    assert.deepEqual(folded?.match(/^(?!- |  - ).+/gm), [
      '<summary>4 others</summary>',
      '## `Billing #1` (`dep_1`)',
      'Read at 2026-11-20 12:00:00 UTC.',
      '1 unreadable.',
      '### Requirements',
      'none',
      '### Accounts',
      '## `dep_2`',
      'Unknown: timedOut at 2026-11-20 12:00:00 UTC.',
      '## `dep_3`',
      'notYetRead',
      '## `Billing #1` (`dep_1`)',
      'Read at 2026-11-20 12:00:00 UTC.',
      '1 unreadable.',
      '### Requirements',
      'none',
      '### Accounts',
      'none',
      '</details>',
      'Left out: base URL, organization, serviceSub.',
    ]);
  });
});

import assert from 'node:assert/strict';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import type { Deployment } from '../../../src/model/deployment.js';
import { Findings } from '../../../src/model/findings.js';
import { deploymentReport, deploymentsReportParts, type ReportWording } from '../../../src/model/report.js';

const wording: ReportWording = {
  leftOut: 'Left out: base URL, organization, serviceSub.',
  summary: (total, withProblems, unknown) => `${total} deployments, ${withProblems} with problems, ${unknown} unknown`,
  requirements: 'Requirements',
  accounts: 'Accounts',
  none: 'none',
  notYetRead: 'not yet read',
  readAt: (at) => `Read at ${at}.`,
  stale: ({ kind, status }, at) => `Stale: ${kind} ${status} at ${at}.`,
  unknown: ({ kind, status }, at) => `Unknown: ${kind} ${status} at ${at}.`,
  unreadableFields: (count) => `${count} unreadable.`,
  requirementState: (state) => state,
  accountState: (state) => state,
  boundAccountAbsent: 'not among the accounts',
  scopeState: (state) => state,
  required: 'required',
  minimal: 'minimal',
  ownConnection: 'own',
  seenSince: (at) => `seen since ${at}`,
  otherFields: 'Other fields:',
};

const at = Date.UTC(2026, 10, 20, 12);

function read(authorization: DeploymentAuthorization): Deployment {
  const findings = new Findings(authorization, 'dep_1', () => at);
  const decodeIssues = [{ path: 'accounts[0].label', expected: 'string', found: 'number' } as const];
  return {
    id: 'dep_1',
    label: 'Billing #1',
    name: 'Billing #1',
    state: findings.state,
    activity: 'idle',
    answer: { authorization, findings, decodeIssues, receivedAt: at },
    failure: { failure: { kind: 'serverError', status: 500, excerpt: 'secret text' }, at: at + 60_000 },
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
  it('reads well', () => {
    assert.equal(
      deploymentReport(read(full), wording),
      `Left out: base URL, organization, serviceSub.

# \`Billing #1\` (\`dep_1\`)

Stale: serverError 500 at 2026-11-20T12:01:00.000Z.

Read at 2026-11-20T12:00:00.000Z.

1 unreadable.

## Requirements

- **notSatisfied**: \`notifier\`
  - serviceId: \`slack\`
  - binding: \`notifier\`
  - accountId: \`acc_1\` (\`\`Fin\`ance @you\`\`)
  - eligibleAccountIds: none
  - connectionMethodId: \`oauth\` (own)
    - \`channels:read\`: required, missing
    - \`chat:write\`: required, minimal, held
  - seen since 2026-11-20T12:00:00.000Z
- **satisfied**: \`orphan\`
  - binding: \`orphan\`
  - accountId: \`gone\` (not among the accounts)

## Accounts

- **failed**: \`\`Fin\`ance @you\`\`
  - id: \`acc_1\`
  - serviceId: \`slack\`
  - connectionMethodId: \`oauth\`
  - scopes: \`chat:write\`
  - checkedAt: \`2026-11-20T11:00:00Z\`
  - error.code: \`token_revoked\`
  - error.message: \`The admin removed it.␊See https://host.example\`
  - seen since 2026-11-20T12:00:00.000Z
  - Other fields: \`plan\`, \`error.detail\`
`,
    );
  });

  it('holds no value that the reference does not name, and nothing of a failure but kind and status', () => {
    assert.doesNotMatch(deploymentReport(read(full), wording), /private|secret/);
  });

  it('sums up however many', () => {
    const many = Array.from({ length: 20_000 }, () => read(full));
    assert.equal([...deploymentsReportParts(many, wording)].join('').match(/^## /gm)?.length, many.length);
  });

  it('sums up all and keeps their order', () => {
    const unknown: Deployment = {
      id: 'dep_2',
      name: 'dep_2',
      state: 'unknown',
      activity: 'idle',
      failure: { failure: { kind: 'timedOut', after: 30 }, at },
    };
    const unread: Deployment = { id: 'dep_3', name: 'dep_3', state: 'notYetRead', activity: 'idle' };
    const empty = read({ accounts: [], requirements: [] });
    assert.equal(
      [...deploymentsReportParts([unknown, unread, { ...empty, failure: undefined }], wording)].join(''),
      `Left out: base URL, organization, serviceSub.

# 3 deployments, 0 with problems, 1 unknown

## \`dep_2\`

Unknown: timedOut undefined at 2026-11-20T12:00:00.000Z.

## \`dep_3\`

not yet read

## \`Billing #1\` (\`dep_1\`)

Read at 2026-11-20T12:00:00.000Z.

1 unreadable.

### Requirements

none

### Accounts

none
`,
    );
  });
});

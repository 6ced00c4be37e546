import { strict as assert } from 'node:assert';
import { deploymentsReportParts } from '../../../src/host/text/report.js';
import type { Deployment } from '../../../src/model/deployment.js';
import { deployment, now } from '../views/fixtures.js';

const report = (...deployments: readonly Deployment[]) => [...deploymentsReportParts(deployments)].join('');

const account = {
  id: 'acc_1',
  label: 'Fin`ance @you',
  serviceId: 'slack',
  serviceSub: 'T02-private',
  connectionMethodId: 'oauth',
  scopes: ['chat:write'],
  checkedAt: '2026-11-20T11:00:00Z',
  error: { code: 'token_revoked', message: 'Removed.\nSee https://host.example', detail: 'private detail' },
  plan: 'private plan',
};
const connection = {
  connectionMethodId: 'oauth',
  minimalScopes: ['chat:write'],
  requiredScopes: ['chat:write', 'a|b'],
};
const slack = { serviceId: 'slack', binding: 'notifier', satisfied: false, accountId: 'acc_1', eligibleAccountIds: [] };
const orphan = { binding: 'orphan', satisfied: true, accountId: 'gone' };
const full = { accounts: [account], requirements: [{ ...slack, connections: [connection] }, orphan] };
const empty = { accounts: [], requirements: [] };
const broken = { accounts: [{ id: 'acc_1', error: {} }], requirements: [] };

describe('the report', () => {
  it('reads well, and holds no value that docs/service.md does not name, and nothing that came with a failure', () => {
    const failure = { kind: 'serverError', status: 500, excerpt: 'secret text' } as const;
    const decodeIssues = [{ path: 'accounts[0].label', expected: 'string', found: 'number' }] as const;
    const one = deployment({ label: 'Billing #1', authorization: full, decodeIssues, failure, seenSince: now });
    assert.equal(
      report(one),
      `# \`Billing #1\` (\`dep_1\`)

| Deployment | What is wrong | Next step |
| --- | --- | --- |
| \`Billing #1\` | \`\`Fin\`ance\`\` \`@you\` (slack) failed: \`token_revoked\` (\`Removed.␊See\` \`https://host.example\`). | Reconnect \`\`Fin\`ance\`\` \`@you\` (slack) with the scope \`a｜b\`. |

Stale: Server error (500) on 2026-11-20 11:59:00 UTC.

Read on 2026-11-20 12:00:00 UTC.

1 field of this response could not be read

### Requirements

- **not satisfied**: \`notifier\`
  - serviceId: \`slack\`
  - binding: \`notifier\`
  - accountId: \`acc_1\` (\`\`Fin\`ance @you\`\`)
  - eligibleAccountIds: none
  - connectionMethodId: \`oauth\` (method of the bound account)
    - \`a|b\`: missing, required
    - \`chat:write\`: granted, required, minimal
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
  - error.message: \`Removed.␊See https://host.example\`
  - seen since 2026-11-20 12:00:00 UTC
  - Other fields, without their values: \`plan\`, \`error.detail\`

Left out: base URL, organization and \`serviceSub\`.
`,
    );
  });

  it('has the problems of all in one table and the muted in another, then details, and folds the rest', () => {
    const failing = deployment({ authorization: broken });
    const answer = { ...failing.answer!, findings: failing.answer!.findings.withMutes(() => now) };
    const all = report(
      failing,
      { ...failing, state: 'muted', answer },
      deployment({ id: 'dep_2', failure: { kind: 'timedOut', after: 30 } }),
      deployment({ id: 'dep_3' }),
      deployment({ id: 'dep_4', authorization: empty }),
    );
    assert.deepEqual(all.match(/^([|<]|##? |Unknown|not|none).*/gm), [
      '# 5 deployments: 1 failing, 1 unknown, 1 muted',
      '| Deployment | What is wrong | Next step |',
      '| --- | --- | --- |',
      '| `dep_1` | `acc_1` failed, and the service gave no reason. | Reconnect `acc_1`. |',
      '| Deployment | What is muted | Muted until |',
      '| --- | --- | --- |',
      '| `dep_1` | `acc_1` failed, and the service gave no reason. | 2026-11-20 12:00:00 UTC |',
      '## `dep_1`',
      'none',
      '<details>',
      '<summary>4 other deployments, healthy, muted or unknown</summary>',
      '## `dep_1`',
      'none',
      '## `dep_2`',
      'Unknown: Timed out on 2026-11-20 11:59:00 UTC.',
      '## `dep_3`',
      'not read yet',
      '## `dep_4`',
      'none',
      'none',
      '</details>',
    ]);
    assert.doesNotMatch(report(deployment({ authorization: empty })), /details/);
  });
});

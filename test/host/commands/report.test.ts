import { strict as assert } from 'node:assert';
import { deploymentsReport } from '../../../src/host/text/report.js';
import type { Deployment } from '../../../src/model/deployment.js';
import { deployment, now } from '../../support/window/fixtures.js';

const report = (...deployments: readonly Deployment[]) => deploymentsReport(deployments);

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

/** Lines that are not empty, of the one kind that is looked at. */
const linesOf = (text: string, begin: RegExp) => text.split('\n').filter((line) => begin.test(line));

const failed = { accounts: [{ id: 'acc_9', label: 'Finance Slack', error: { code: 'token_revoked' } }] };
const stopped = { ...failed, requirements: [{ binding: 'notifier', satisfied: false, accountId: 'acc_9' }] };
const lacking = { accounts: [], requirements: [{ binding: 'ledger', serviceId: 'stripe', satisfied: false }] };
const unclear = { accounts: [], requirements: [{ binding: 'digest' }] };

function muted(id: string): Deployment {
  const one = deployment({ id, authorization: stopped });
  return { ...one, state: 'muted', answer: { ...one.answer!, findings: one.answer!.findings.withMutes(() => now) } };
}

const many = (count: number, next: (at: number) => Parameters<typeof deployment>[0]) =>
  Array.from({ length: count }, (_, at) => deployment({ id: `dep_${at}`, ...next(at) }));
const hostile = '| `` @you #1 <b> [x](http://x.example) ![y](z) \n| a |\u202E'.repeat(20);
const own = (at: number, text: string) => ({
  accounts: Array.from({ length: 20 }, (_, n) => ({
    ...account,
    id: `acc_${at}_${n}`,
    label: `${text} ${at}`,
    scopes: Array.from({ length: 100 }, () => text),
  })),
  requirements: Array.from({ length: 20 }, (_, n) => ({
    ...lacking.requirements[0]!,
    binding: `${text} ${at} ${n}`,
  })),
});

describe('the report', () => {
  it('of one deployment holds only fields that docs/service.md names, and nothing that came with a failure', () => {
    const decodeIssues = [{ path: 'accounts[0].label', expected: 'string', found: 'number' }] as const;
    const one = deployment({ label: 'Billing #1', authorization: full, decodeIssues, seenSince: now });
    assert.equal(
      report(one),
      `# \`Billing #1\` (\`dep_1\`) · Read 2026-11-20 12:00 UTC

| What is wrong | Deployments | Next step |
| --- | --- | --- |
| \`\`Fin\`ance\`\` \`@you\` failed · \`token_revoked\` | Billing \`#1\` | Reconnect \`\`Fin\`ance\`\` \`@you\` |

Read on 2026-11-20 12:00:00 UTC.

1 field unreadable

## Requirements

- **not satisfied**: \`notifier\` · serviceId: \`slack\` · accountId: \`acc_1\` (\`\`Fin\`ance @you\`\`) · eligibleAccountIds: none
  - connectionMethodId: \`oauth\` (method of the bound account) · \`a|b\`: missing, required · \`chat:write\`: granted, required, minimal
- **satisfied**: \`orphan\` · accountId: \`gone\` (not among the accounts)

## Accounts

- **failed**: \`\`Fin\`ance @you\`\` · id: \`acc_1\` · serviceId: \`slack\` · connectionMethodId: \`oauth\` · scopes: \`chat:write\` · checkedAt: \`2026-11-20 11:00:00 UTC\` · error.code: \`token_revoked\` · error.message: \`Removed.␊See https://host.example\` · seen since 2026-11-20 12:00:00 UTC · Other fields, without their values: \`plan\`, \`error.detail\`

Left out: base URL, organization, and \`serviceSub\`.
`,
    );
    const failure = { kind: 'serverError', status: 500, excerpt: 'secret text' } as const;
    const stale = report(deployment({ authorization: full, failure }));
    assert.match(stale, /Server error \(500\) on 2026-11-20 11:59:00 UTC/);
    assert.doesNotMatch(stale, /secret|private/);
  });

  it('names the owner beside the next step, as text', () => {
    const text = deploymentsReport([deployment({ authorization: stopped })], () => '@maria [x](https://evil)');
    assert.match(text, /Reconnect Finance Slack · Owner: `@maria` `\[x\]\(https:\/\/evil`\) \|/);
  });

  it('of several deployments has one row per cause, unknown ones included, and lists muted and healthy ones apart', () => {
    const all = report(
      deployment({ id: 'a', label: 'Billing sync', authorization: stopped, age: 5 }),
      deployment({ id: 'b', label: 'Expense approvals', authorization: stopped }),
      deployment({ id: 'c', label: 'Ledger', authorization: lacking }),
      deployment({ id: 'd', label: 'Lost', failure: { kind: 'notFound', status: 404, excerpt: '' } }),
      deployment({ id: 'e', label: 'Digest', authorization: unclear }),
      deployment({ id: 'f', label: 'Unread' }),
      muted('Quiet'),
      deployment({ id: 'h', label: 'Fine', authorization: empty }),
    );
    const [details = ''] = /<details>[^]*<\/details>/.exec(all) ?? [];
    assert.equal(
      all.replace(details, '…'),
      `# 8 deployments: 3 failing, 2 unknown, 1 not read yet, 1 muted · Read 2026-11-20 11:55 – 2026-11-20 12:00 UTC

| What is wrong | Deployments | Next step |
| --- | --- | --- |
| Finance Slack failed · \`token_revoked\` | Billing sync, Expense approvals | Reconnect Finance Slack |
| not satisfied · ledger (stripe) | Ledger | Connect stripe |
| Not found (\`404\`) | Lost | Check the ID, or switch organizations. |
| unknown · digest | Digest |  |

| What is muted | Deployments | Muted until |
| --- | --- | --- |
| Finance Slack failed · \`token_revoked\` | Quiet | 2026-11-20 12:00:00 UTC |

1 healthy: Fine

1 not read yet: Unread

…

Left out: base URL, organization, and \`serviceSub\`.
`,
    );
    assert.deepEqual(linesOf(details, /^[<#]/), [
      '<details>',
      '<summary>Details of the failing deployments</summary>',
      '## `Billing sync` (`a`)',
      '## `Expense approvals` (`b`)',
      '## `Ledger` (`c`)',
      '</details>',
    ]);
  });

  for (const { title, listed, left } of [
    {
      title: '30 deployments of hostile texts',
      listed: many(30, (at) => ({ label: hostile + at, authorization: own(at, hostile) })),
      left: /\d more rows left out\.[^]*Details of \d+ deployments are incomplete/,
    },
    {
      title: '10,000 failing deployments',
      listed: many(10_000, (at) => ({ authorization: stopped, label: `Flow ${at}` })),
      left: /9,990 more[^]*Details of 9,\d+ deployments are incomplete/,
    },
    {
      title: '10,000 healthy deployments',
      listed: many(10_000, () => ({ authorization: empty, label: hostile })),
      left: /9,900 more/,
    },
  ]) {
    it(`of ${title} has at most 200 lines and 65,000 characters, and counts what it leaves out`, () => {
      const text = report(...listed);
      assert.ok(text.split('\n').length <= 200, String(text.split('\n').length));
      assert.ok(text.length <= 65_000, String(text.length));
      assert.match(text, left);
      for (const row of linesOf(text, /^\|/)) assert.equal(row.split('|').length, 5, row);
      const bare = text.replace(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '').replace(/<\/?(details|summary)>/g, '');
      assert.doesNotMatch(bare.replace(/^#+ /gm, ''), /[@#[<`]|http/);
      assert.doesNotMatch(text, /\u202E/);
    });
  }
});

import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { reportWithIgnored } from '../../../src/host/text/ignored.js';
import { deploymentsReport } from '../../../src/host/text/report.js';
import type { Deployment } from '../../../src/model/findings/deployment.js';
import type { Remembered } from '../../../src/model/findings/state.js';
import { shows } from '../../support/spellings.js';
import { deployment, now, sourceOf } from '../../support/window/fixtures.js';
import { startWorld } from '../../support/window/graph.js';
import { recordWindow } from '../../support/window/windowRecorder.js';

/** The problems of this account are muted. */
const quiet = 'acc_quiet';
const memory: Remembered = {
  mutedUntil: ({ key }) => (key.includes(quiet) ? now : undefined),
  isMutedUntilChange: () => false,
  seenSince: () => undefined,
  notifies: () => false,
};
const report = (...deployments: readonly Deployment[]) =>
  deploymentsReport(deployments, { memory });

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
    message: 'Removed.\nSee https://host.example',
    detail: 'private detail',
  },
  plan: 'private plan',
};
const connection = {
  connectionMethodId: 'oauth',
  minimalScopes: ['chat:write'],
  requiredScopes: ['chat:write', 'a|b'],
};
const slack = {
  serviceId: 'slack',
  binding: 'notifier',
  satisfied: false,
  accountId: 'acc_1',
  eligibleAccountIds: [],
};
const orphan = { binding: 'orphan', satisfied: true, accountId: 'gone' };
const full = {
  accounts: [account],
  requirements: [{ ...slack, connections: [connection] }, orphan],
};
const empty = { accounts: [], requirements: [] };

/** Lines that are not empty, of the one kind that is looked at. */
const linesOf = (text: string, begin: RegExp) =>
  text.split('\n').filter((line) => begin.test(line));

/** What stands in the block of JSON. */
const fieldsIn = (text: string) => JSON.parse(/^```json\n([^]*?)\n```$/m.exec(text)?.[1] ?? '');

const stoppedBy = (id: string) => ({
  accounts: [{ id, label: 'Finance Slack', error: { code: 'token_revoked' } }],
  requirements: [{ binding: 'notifier', satisfied: false, accountId: id }],
});
const stopped = stoppedBy('acc_9');
const lacking = {
  accounts: [],
  requirements: [{ binding: 'ledger', serviceId: 'stripe', satisfied: false }],
};
const unclear = { accounts: [], requirements: [{ binding: 'digest' }] };

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

/** Times that the heading says of answers of so many minutes. */
const timesOf = (...ages: readonly number[]) =>
  / · Read (.*)$/m.exec(
    report(...ages.map((age) => deployment({ id: `dep_${age}`, age, authorization: empty }))),
  )?.[1];

/** What the table says of an account with this error. */
const errorIn = (error: object) => {
  const authorization = { accounts: [{ id: 'acc_1', label: 'Slack', error }], requirements: [] };
  const listed = [1, 2].map((at) => deployment({ id: `dep_${at}`, authorization }));
  return linesOf(report(...listed), /^\| Slack/)[0]?.split(' | ')[0];
};

const bound = (id: string) => ({
  accounts: [{ id, label: id, connectionMethodId: 'oauth', scopes: [] }],
  requirements: [
    { ...slack, accountId: id, connections: [{ ...connection, requiredScopes: ['read'] }] },
  ],
});

const stoppedOne = (facts: Parameters<typeof deployment>[0]) =>
  deployment({ authorization: stopped, ...facts });

/** Of the account that they share: one row at most, of a report on some of the listed deployments. */
const rowOf = (listed: readonly Deployment[], reported: readonly Deployment[]) => {
  const { impact } = sourceOf(...listed);
  return linesOf(
    deploymentsReport(reported, { impact, memory, ownerOf: () => 'Maria' }),
    /^\| Finance/,
  ).join('\n');
};

const lackingScope = (scope: string) => ({
  accounts: [{ ...stopped.accounts[0]!, connectionMethodId: 'oauth', scopes: [] }],
  requirements: [
    { ...stopped.requirements[0]!, connections: [{ ...connection, requiredScopes: [scope] }] },
  ],
});

describe('the report', () => {
  it('on all says below its title what the list of a workspace that is not trusted has besides', () => {
    const files = ['web `1`/.vscode/settings.json'];
    const owners = { count: 2, files };
    const all = report(deployment({ authorization: empty }), deployment({ id: 'b' }));
    const text = reportWithIgnored(all, { deployments: { count: 8, files }, owners }, String);
    const [title, , leftOut, ...rest] = text.split('\n');
    const settings = '8 deployments and owners in ``web `1`/.vscode/settings.json``';
    assert.equal(leftOut, `Left out: ${settings}, because the workspace is not trusted.`);
    assert.equal([title, ...rest].join('\n'), all);
    assert.equal(reportWithIgnored(all, { owners }, String), all);
  });

  it('is copied with what is ignored where it is on all, and else without', async () => {
    const { graph } = await startWorld();
    await graph.read('a', 'b');
    graph.ignore({ deployments: { count: 8, files: ['.vscode/settings.json'] } });
    recordWindow();
    const rows = [graph.row('a'), graph.row('b')];
    const copied: string[] = [];
    for (const chosen of [rows, rows.slice(1)]) {
      await graph.run('copyReport', chosen[0], chosen);
      copied.push(await vscode.env.clipboard.readText());
    }
    assert.deepEqual(
      copied.map((text) => text.includes('Left out: 8 deployments in `.vscode/settings.json`')),
      [true, false],
    );
  });

  describe('of one deployment', () => {
    const decodeIssues = [
      { path: 'accounts[0].label', expected: 'string', found: 'number' },
    ] as const;
    const one = report(deployment({ label: 'Billing #1', authorization: full, decodeIssues }));

    it('has its causes, its fields as a folded block of JSON, and what is left out', () => {
      assert.equal(
        one.replace(/(?<=^```json\n)[^]*?(?=\n```$)/m, '…'),
        `# \`Billing #1\` (\`dep_1\`) · Read 2026-11-20 12:00 UTC

| What is wrong | Deployments | Next step |
| --- | --- | --- |
| \`\`Fin\`ance\`\` \`@you\` failed · \`token_revoked\` · “Removed. See \`https://host.example\`” | \`Billing #1\` | Reconnect \`\`Fin\`ance\`\` \`@you\` (slack) with the scope \`a｜b\`. |

<details>
<summary>Fields</summary>

\`\`\`json
…
\`\`\`

</details>

Left out: base URL, organization, and \`serviceSub\`.
`,
      );
    });

    it('holds the fields that docs/service.md names without serviceSub, and of others the names alone', () => {
      assert.deepEqual(fieldsIn(one).accounts, [
        {
          id: 'acc_1',
          label: 'Fin`ance @you',
          serviceId: 'slack',
          connectionMethodId: 'oauth',
          scopes: ['chat:write'],
          checkedAt: '2026-11-20T11:00:00Z',
          error: {
            code: 'token_revoked',
            message: 'Removed.␊See https://host.example',
            otherFields: ['detail'],
          },
          otherFields: ['plan'],
        },
      ]);
      assert.doesNotMatch(one, /private/);
    });

    it('says which fields could not be read', () => {
      assert.deepEqual(fieldsIn(one).unreadableFields, ['accounts[0].label']);
    });

    it('says no time and no problem a second time in its fields', () => {
      assert.deepEqual(Object.keys(fieldsIn(one)), [
        'deploymentId',
        'requirements',
        'accounts',
        'unreadableFields',
      ]);
    });

    it('says when an old answer was read, and holds nothing that came with the failure after it', () => {
      const failure = { kind: 'serverError', status: 500, excerpt: 'secret text' } as const;
      const stale = report(deployment({ authorization: full, failure, age: 5 }));
      const { stale: isStale, readAt } = fieldsIn(stale);
      assert.deepEqual({ isStale, readAt }, { isStale: true, readAt: '2026-11-20T11:55:00.000Z' });
      assert.match(stale, /Read 2026-11-20 11:59 UTC\n[^]*\| Server error \(500\) \|/);
      assert.doesNotMatch(stale, /secret|private/);
    });

    it('has no fields where nothing was read', () => {
      assert.doesNotMatch(
        report(deployment({ failure: { kind: 'notFound', status: 404, excerpt: '' } })),
        /json/,
      );
    });

    it('names it as healthy, or as not read yet', () => {
      assert.match(
        report(deployment({ label: 'Fine', authorization: empty })),
        /^1 healthy: “Fine”$/m,
      );
      assert.match(report(deployment({ label: 'Unread' })), /^1 not read yet: “Unread”$/m);
    });

    it('keeps its block closed, whatever the texts are', () => {
      const text = '```\n\u2028```\n</details>';
      const hostileOne = report(deployment({ authorization: own(1, text) }));
      assert.equal(fieldsIn(hostileOne).accounts.length, 20);
      assert.equal(linesOf(hostileOne, /^\s*(```|<\/details>)/).length, 3);
    });

    it('of 20,000 accounts has at most 65,000 characters, and counts what it leaves out', () => {
      const accounts = Array.from({ length: 20_000 }, (_, at) => ({
        ...account,
        id: `acc_${at}`,
        label: hostile,
      }));
      const text = report(
        deployment({ label: hostile, authorization: { accounts, requirements: [] } }),
      );
      assert.ok(text.length <= 65_000, String(text.length));
      const { accounts: kept } = fieldsIn(text);
      assert.deepEqual(kept.at(-1), { leftOut: 20_001 - kept.length });
    });
  });

  it('says when an answer was made that lay in a cache', () => {
    assert.match(
      report(deployment({ authorization: stopped, age: 1, cachedFor: 9 })),
      / · Read 2026-11-20 11:50 UTC$/m,
    );
  });

  it('names the owner beside the next step, as text', () => {
    const text = deploymentsReport([deployment({ authorization: stopped })], {
      ownerOf: () => '@maria [x](https://evil)',
    });
    assert.match(text, /Reconnect Finance Slack\. · Owner: `@maria` `\[x\]\(https:\/\/evil`\) \|/);
  });

  it('of several deployments has one row per cause, unknown ones included, and lists muted and healthy ones apart', () => {
    const all = report(
      deployment({ id: 'a', label: 'Billing sync', authorization: stopped, age: 5 }),
      deployment({ id: 'b', label: 'Expense approvals', authorization: stopped }),
      deployment({ id: 'c', label: 'Ledger', authorization: lacking }),
      deployment({
        id: 'd',
        label: 'Lost',
        failure: { kind: 'notFound', status: 404, excerpt: '' },
      }),
      deployment({ id: 'e', label: 'Digest', authorization: unclear }),
      deployment({ id: 'f', label: 'Unread' }),
      deployment({ id: 'Quiet', authorization: stoppedBy(quiet), memory }),
      deployment({ id: 'h', label: 'Fine', authorization: empty }),
    );
    assert.equal(
      all,
      `# 8 deployments: 3 failing, 2 unknown, 1 not read yet, 1 muted · Read 2026-11-20 11:55 – 12:00 UTC

| What is wrong | Deployments | Next step |
| --- | --- | --- |
| Finance Slack failed · \`acc_9\` · \`token_revoked\` | “Billing sync”, “Expense approvals” | Reconnect Finance Slack. |
| not satisfied · ledger (stripe) | “Ledger” | Connect an account for stripe in the dashboard. |
| Not found (404) | “Lost” | Check the ID, or switch to the organization it belongs to. |
| unknown · digest | “Digest” | Refresh to ask the platform again. |

| What is muted | Deployments | Muted until |
| --- | --- | --- |
| Finance Slack failed · \`acc_quiet\` · \`token_revoked\` | “Quiet” | 2026-11-20 12:00 UTC |

1 healthy: “Fine”

1 not read yet: “Unread”

Left out: base URL, organization, and \`serviceSub\`.
`,
    );
  });

  it('says of a mute until a change that it ends then, or at its latest end', () => {
    const untilChange = { ...memory, isMutedUntilChange: () => true };
    const text = deploymentsReport([deployment({ authorization: stoppedBy(quiet), memory })], {
      memory: untilChange,
    });
    assert.match(text, /\| it changes, or 2026-11-20 12:00 UTC \|/);
  });

  it('has scopes that someone has to grant whole, as code', () => {
    const scope = `https://www.example.test/auth/${'a'.repeat(120)}.readonly`;
    const both = { ...stopped.accounts[0]!, connectionMethodId: 'oauth', scopes: [] };
    for (const one of [
      lackingScope(scope),
      { ...lackingScope(scope), accounts: [{ ...both, error: null }] },
    ]) {
      assert.ok(
        report(deployment({ authorization: one })).includes(`with the scope \`${scope}\`. |`),
      );
      const shared = ['a', 'b'].map((id) => deployment({ id, authorization: one }));
      const { impact } = sourceOf(...shared);
      assert.ok(deploymentsReport(shared, { impact }).includes(`with the scope \`${scope}\`. |`));
    }
  });

  it('holds no part of a secret that ends a long scope', () => {
    const secret = 'apt_0123456789_abcdefghijklmnopqrstuvwxyz';
    const one = deployment({ authorization: lackingScope(`${'a'.repeat(280)}${secret}`) });
    const text = deploymentsReport([one], {
      redact: (said) => said.replaceAll(secret, '[redacted]'),
    });
    assert.doesNotMatch(linesOf(text, /^\| Finance/).join(), /apt_/);
  });

  it('leads to the dashboard for what is unknown, where its address is set', () => {
    const text = deploymentsReport([deployment({ authorization: unclear })], {
      hasDashboard: true,
    });
    assert.match(text, /^\| unknown · digest \| `dep_1` \| Look in the dashboard\. \|$/m);
  });

  it('shows where each name ends, and the whole ID of each where names are alike', () => {
    const names = [
      'Billing sync',
      'Expense approvals, EU',
      'Onboarding – enterprise (2)',
      'Fine #1',
      'A”, “B',
    ];
    const labelled = names.map((label, at) =>
      deployment({ id: `dep_${at}`, label, authorization: stopped }),
    );
    const longIds = ['a', 'b'].map((one) => 'x'.repeat(30) + one + 'y'.repeat(30));
    const alike = longIds.map((id) => ({
      ...deployment({ id, label: 'Order sync', authorization: stopped }),
      name: `Order sync (${id})`,
    }));
    const [row] = linesOf(report(...labelled, ...alike), /^\| Finance/);
    const written = [
      '“Billing sync”, “Expense approvals, EU”, “Onboarding – enterprise (2)”, `Fine #1`, `A”, “B`',
      ...longIds.map((id) => `\`Order sync (${id})\``),
    ];
    assert.equal(row?.split(' | ')[1], written.join(', '));
  });

  it('says days once where they are the same, and both where they are not', () => {
    assert.equal(timesOf(0), '2026-11-20 12:00 UTC');
    assert.equal(timesOf(0, 5), '2026-11-20 11:55 – 12:00 UTC');
    assert.equal(timesOf(0, 1440), '2026-11-19 12:00 – 2026-11-20 12:00 UTC');
  });

  it('has the platform’s message beside the code, once and on one line', () => {
    assert.equal(
      errorIn({ code: 'gone', message: ' Was\n removed. ' }),
      '| Slack failed · gone · “Was removed.”',
    );
    assert.equal(errorIn({ message: 'Removed by @you' }), '| Slack failed · “Removed by `@you`”');
    assert.equal(errorIn({ code: 'gone', message: 'gone' }), '| Slack failed · gone');
    assert.match(errorIn({ code: 'a', message: 'b'.repeat(500) }) ?? '', / · “`b{199}`…”$/);
  });

  it('has a row for each account that lacks the same scopes', () => {
    const listed = ['one', 'two', 'one'].map((id, at) =>
      deployment({ id: `dep_${at}`, authorization: bound(id) }),
    );
    assert.deepEqual(linesOf(report(...listed), /^\| missing/), [
      '| missing read · notifier (slack) | `dep_0`, `dep_2` | Reconnect one with the scope read. |',
      '| missing read · notifier (slack) | `dep_1` | Reconnect two with the scope read. |',
    ]);
  });

  describe('with an account that is in several listed deployments', () => {
    const works = { accounts: [{ id: 'acc_9', label: 'Finance Slack' }], requirements: [] };
    const failure = { kind: 'notFound', status: 404, excerpt: '' } as const;
    const one = stoppedOne({ id: 'a', label: 'Billing sync', age: 2 });
    const two = stoppedOne({ id: 'b', label: 'Expense approvals, EU', age: 3 });
    const three = stoppedOne({ id: 'c', label: 'Incident pager', age: 4 });

    it('names the other deployments that it affects', () => {
      const failed = '| Finance Slack failed · `token_revoked` |';
      const step = '| Reconnect Finance Slack. · Owner: Maria |';
      const all = [one, two, three];
      assert.equal(
        rowOf(all, [one]),
        `${failed} “Billing sync” and 2 others: “Expense approvals, EU”, “Incident pager” ${step}`,
      );
      assert.equal(
        rowOf(all, [one, three]),
        `${failed} “Billing sync”, “Incident pager” and 1 other: “Expense approvals, EU” ${step}`,
      );
      assert.equal(
        rowOf(all, all).split(' | ')[1],
        '“Billing sync”, “Expense approvals, EU”, “Incident pager”',
      );
    });

    it('names none that cannot be read, and none whose own answer says that the account works', () => {
      const lost = stoppedOne({ id: 'd', label: 'Lost', failure });
      const fine = deployment({ id: 'e', label: 'Fine', authorization: works, age: 9 });
      assert.equal(
        rowOf([one, two, lost, fine], [one]).split(' | ')[1],
        '“Billing sync” and 1 other: “Expense approvals, EU”',
      );
      assert.equal(rowOf([one, two, lost, fine], [fine]), '');
    });

    it('names the others of a muted one', () => {
      const muted = ['a', 'b'].map((id) =>
        deployment({ id, authorization: stoppedBy(quiet), memory }),
      );
      assert.match(
        rowOf(muted, muted.slice(0, 1)),
        /\| “a” and 1 other: “b” \| 2026-11-20 12:00 UTC \|$/,
      );
    });

    it('says where it works by the newest answer, and asks nobody to reconnect it', () => {
      const newest = deployment({ id: 'e', label: 'Fine', authorization: works, age: 1 });
      const all = [one, two, newest];
      const failed = '| Finance Slack failed · `token_revoked` |';
      const said = 'Finance Slack works in “Fine” as of 2026-11-20 11:59 UTC. Refresh the';
      assert.equal(rowOf(all, [one]), `${failed} “Billing sync” | ${said} deployment. |`);
      assert.equal(
        rowOf(all, all),
        `${failed} “Billing sync”, “Expense approvals, EU” | ${said} deployments. |`,
      );
    });

    it('has the error of the newest answer of all, not that of the reported deployment', () => {
      const older = stoppedOne({ id: 'dep_1', age: 30 });
      const expired = {
        accounts: [{ id: 'acc_9', label: 'Finance Slack', error: { code: 'expired' } }],
        requirements: [],
      };
      const listed = [older, deployment({ id: 'dep_2', authorization: expired, age: 1 })];
      assert.match(rowOf(listed, listed.slice(0, 1)), /^\| Finance Slack failed · expired \|/);
    });

    it('names the scopes that all of them lack', () => {
      const listed = ['read', 'write'].map((scope) =>
        deployment({ id: scope, authorization: lackingScope(scope) }),
      );
      assert.match(
        rowOf(listed, listed.slice(0, 1)),
        /Reconnect Finance Slack with the scopes read, write\./,
      );
    });

    it('counts what it leaves out of 10,000, in at most 65,000 characters', () => {
      const listed = many(10_000, () => ({ authorization: stopped, label: hostile }));
      const { impact } = sourceOf(...listed);
      const text = deploymentsReport(listed.slice(0, 1), { impact, memory });
      assert.match(text, / and 9,999 others: .*, 9,9\d\d more \|/);
      assert.ok(text.length <= 65_000, String(text.length));
    });

    it('holds no part of a secret that stands in the others', () => {
      const secret = 'apt_0123456789_abcdefghijklmnopqrstuvwxyz';
      const other = stoppedOne({ id: secret, label: `Token ${secret}` });
      const fine = { accounts: [{ id: 'acc_9', label: secret }], requirements: [] };
      const working = deployment({
        id: secret,
        label: `Token ${secret}`,
        authorization: fine,
        age: 1,
      });
      const redact = (text: string) => text.replaceAll(secret, '[redacted]');
      for (const [listed, expected] of [
        [[one, other], /1 other: `Token \[redacted\]`/],
        [[one, working], /`\[redacted\]` works in `Token \[redacted\]` as of/],
      ] as const) {
        const { impact } = sourceOf(...listed);
        const text = deploymentsReport([one], { impact, redact });
        assert.match(text, expected);
        assert.doesNotMatch(text, /apt_/);
      }
    });
  });

  for (const { title, listed, left } of [
    {
      title: '30 deployments of hostile texts',
      listed: many(30, (at) => ({ label: hostile + at, authorization: own(at, hostile) })),
      left: /\d more rows left out\./,
    },
    {
      title: '10,000 failing deployments',
      listed: many(10_000, (at) => ({ authorization: stopped, label: `Flow ${at}` })),
      left: /9,970 more/,
    },
    {
      title: '150 failing and 150 healthy deployments whose names are invisible characters',
      listed: many(300, (at) => ({
        label: '\u200E'.repeat(200) + at,
        authorization: at < 150 ? own(at, '\u200E') : empty,
      })),
      left: /\d more rows left out\.[^]*, \d+ more$/m,
    },
    {
      title: '10,000 healthy deployments',
      listed: many(10_000, () => ({ authorization: empty, label: hostile })),
      left: /9,9\d\d more/,
    },
  ]) {
    it(`of ${title} has at most 200 lines and 65,000 characters, and counts what it leaves out`, () => {
      const text = report(...listed);
      assert.ok(text.split('\n').length <= 200, String(text.split('\n').length));
      assert.ok(text.length <= 65_000, String(text.length));
      assert.match(text, left);
      for (const row of linesOf(text, /^\|/)) assert.equal(row.split('|').length, 5, row);
      const bare = text.replace(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');
      assert.doesNotMatch(bare.replace(/^#+ /gm, ''), /[@#[<`]|http/);
      assert.doesNotMatch(text, /\u202E/);
    });
  }

  describe('with secrets', () => {
    const secret = 'apt_0123456789_abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ|$(zap)';
    const redact = (text: string) => text.replaceAll(secret, '[redacted]');
    const error = { code: 'gone', message: `${'x'.repeat(960)} ${secret}` };
    const authorization = { accounts: [{ id: 'acc_1', label: 'Slack', error }], requirements: [] };

    it('holds no part of one, wherever a text is cut', () => {
      for (const count of [1, 2]) {
        const listed = many(count, () => ({ authorization, label: `Billing, token ${secret}` }));
        const text = deploymentsReport(listed, { redact, ownerOf: () => `Maria ${secret}` });
        assert.match(text, /`Billing, token \[redacted\]`/);
        assert.doesNotMatch(text, /apt_|XYZ|zap/);
      }
    });

    it('holds no part of a key ID where an error or a label was cut before', () => {
      const secrets = new KnownSecrets();
      const keyId = '0f8fad5b-d9cb-469f-a165-70867728950e';
      secrets.add(keyId, 'texts');
      for (const before of [55, 60, 70]) {
        const text = `${'x'.repeat(before)} ${keyId} Slack`;
        const failing = {
          accounts: [{ id: 'acc_1', label: text, error: { code: text } }],
          requirements: [],
        };
        const listed = many(2, () => ({ authorization: failing }));
        const copied = deploymentsReport(listed, { redact: (one) => secrets.redactCopy(one) });
        assert.ok(!shows(copied, keyId), copied);
      }
    });

    it('has at most 65,000 characters where redacted texts are longer', () => {
      const listed = many(2_000, (at) => ({ authorization: own(at, 'Flow'), label: `Flow ${at}` }));
      const text = deploymentsReport(listed, {
        redact: (one) => one.replaceAll('Flow', '[redacted][redacted]'),
      });
      assert.ok(text.length <= 65_000, String(text.length));
      assert.doesNotMatch(text, /Flow/);
    });
  });
});

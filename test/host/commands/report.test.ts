import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { reportWithIgnored } from '../../../src/host/text/ignored.js';
import { deploymentsReport } from '../../../src/host/text/report.js';
import type { MuteEntry } from '../../../src/model/entered/muteEntries.js';
import type { Deployment } from '../../../src/model/findings/deployment.js';
import type { Remembered } from '../../../src/model/findings/state.js';
import type { EntryState } from '../../../src/model/problems/mutes.js';
import { shows } from '../../support/spellings.js';
import { deployment, now, sourceOf } from '../../support/window/fixtures.js';
import { startWorld } from '../../support/window/graph.js';
import {
  memoryOf,
  muteOfFinance,
  mutesInScopes,
  mutesOf,
  reason,
} from '../../support/window/mutes.js';
import { recordWindow } from '../../support/window/windowRecorder.js';

/** The problems of this account are muted. */
const quiet = 'acc_quiet';
const memory: Remembered = {
  muteOf: ({ key }) => (key.includes(quiet) ? { until: now, isUntilChange: false } : undefined),
  hasChangedSinceMuted: () => false,
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

/** The lines that begin like this. */
const linesOf = (text: string, begin: RegExp) =>
  text.split('\n').filter((line) => begin.test(line));

/** The parsed block of JSON. */
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
/** An answer with 20 failed accounts and 20 unsatisfied requirements of its own, whose names are made of this text. */
const ownProblems = (at: number, text: string) => ({
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

/** Entries of hostile names that mute nothing: obsolete, ambiguous, or ended. */
function hostileStates(): ReadonlyMap<MuteEntry, EntryState> {
  const entries = Array.from({ length: 60 }, (_, at) => muteOfFinance({ account: hostile + at }));
  const states = ['obsolete', 'ambiguous', 'ended'] as const;
  return new Map(mutesOf(entries).current.entries.map((entry, at) => [entry, states[at % 3]!]));
}

/** Entries that mute the accounts of `ownProblems`, with hostile reasons. */
function mutesOfOwnProblems(count: number) {
  const reasons = Array.from({ length: count }, (_, at) => `${at} ${hostile}`.slice(0, 200));
  return reasons.flatMap((hostileReason, at) =>
    Array.from({ length: 20 }, (_, n) =>
      muteOfFinance({ account: `acc_${at}_${n}`, reason: hostileReason }),
    ),
  );
}

/** The times in the heading of a report on answers that are this many minutes old. */
const timesInHeading = (...ages: readonly number[]) =>
  / · Read (.*)$/m.exec(
    report(...ages.map((age) => deployment({ id: `dep_${age}`, age, authorization: empty }))),
  )?.[1];

/** The first cell of the row of an account with this error. */
const causeOf = (error: object) => {
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

/** The row of the account Finance Slack in a report on some of the listed deployments, or an empty text. */
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

/** Asserts that the text fits into an issue of GitHub. */
const assertFits = (text: string) =>
  assert.ok(text.length <= 65_000, `The report has ${text.length} characters.`);

/** Copies the report on both listed deployments, or on one. The list of the workspace is ignored. Returns the text. */
const copiedReport = async ({ onAll }: { onAll: boolean }) => {
  const { graph } = await startWorld();
  await graph.read('a', 'b');
  graph.ignore({ deployments: { count: 8, files: ['.vscode/settings.json'] } });
  recordWindow();
  const rows = onAll ? [graph.row('a'), graph.row('b')] : [graph.row('b')];
  await graph.run('copyReport', rows[0], rows);
  return vscode.env.clipboard.readText();
};

describe('the report', () => {
  describe('in an untrusted workspace', () => {
    const files = ['web `1`/.vscode/settings.json'];
    const owners = { count: 2, files };
    const all = report(deployment({ authorization: empty }), deployment({ id: 'b' }));

    it('names the ignored list and owners below its title', () => {
      const text = reportWithIgnored(all, { deployments: { count: 8, files }, owners }, String);

      const [title, , leftOut, ...rest] = text.split('\n');
      const settings = '8 deployments and owners in ``web `1`/.vscode/settings.json``';
      assert.equal(leftOut, `Left out: ${settings}, because the workspace is not trusted.`);
      assert.equal([title, ...rest].join('\n'), all);
    });

    it('names ignored mutes with the list and the owners', () => {
      const ignored = { deployments: { count: 8, files }, owners, mutes: { count: 1, files } };
      const leftOut = reportWithIgnored(all, ignored, String).split('\n')[2];
      assert.match(leftOut!, /^Left out: 8 deployments, owners, and mutes in /);
    });

    for (const [what, ignored] of [
      ['owners', { owners }],
      ['mutes', { mutes: { count: 1, files } }],
      ['owners and mutes', { owners, mutes: { count: 1, files } }],
    ] as const) {
      it(`does not mention ignored ${what} without a list`, () => {
        assert.equal(reportWithIgnored(all, ignored, String), all);
      });
    }

    const leftOut = /^Left out: 8 deployments in `\.vscode\/settings\.json`/m;

    it('names the ignored list when it is on all deployments', async () => {
      assert.match(await copiedReport({ onAll: true }), leftOut);
    });

    it('does not name the ignored list when it is on some deployments', async () => {
      assert.doesNotMatch(await copiedReport({ onAll: false }), leftOut);
    });
  });

  describe('of one deployment', () => {
    const decodeIssues = [
      { path: 'accounts[0].label', expected: 'string', found: 'number' },
    ] as const;
    const one = report(deployment({ label: 'Billing #1', authorization: full, decodeIssues }));

    it('shows the causes above the folded fields', () => {
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

    it('contains only the names of fields that the platform does not document', () => {
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
    });

    it('contains no value of serviceSub or of an undocumented field', () => {
      assert.doesNotMatch(one, /private/);
    });

    it('lists the paths of fields that could not be read', () => {
      assert.deepEqual(fieldsIn(one).unreadableFields, ['accounts[0].label']);
    });

    it('repeats no time and no problem in its fields', () => {
      assert.deepEqual(Object.keys(fieldsIn(one)), [
        'deploymentId',
        'requirements',
        'accounts',
        'unreadableFields',
      ]);
    });

    describe('with an old answer', () => {
      const failure = { kind: 'serverError', status: 500, excerpt: 'secret text' } as const;
      const staleReport = report(deployment({ authorization: full, failure, age: 5 }));

      it('marks its fields as stale', () => {
        assert.equal(fieldsIn(staleReport).stale, true);
      });

      it('says when the answer was read', () => {
        assert.equal(fieldsIn(staleReport).readAt, '2026-11-20T11:55:00.000Z');
      });

      it('shows the time and the cause of the newer failure', () => {
        assert.match(staleReport, /Read 2026-11-20 11:59 UTC\n[^]*\| Server error \(500\) \|/);
      });

      it('contains no text of the newer failure', () => {
        assert.doesNotMatch(staleReport, /secret|private/);
      });
    });

    it('has no fields when no answer was read', () => {
      const text = report(deployment({ failure: { kind: 'notFound', status: 404, excerpt: '' } }));

      assert.doesNotMatch(text, /json/);
    });

    it('names a healthy deployment', () => {
      const text = report(deployment({ label: 'Fine', authorization: empty }));

      assert.match(text, /^1 healthy: “Fine”$/m);
    });

    it('names a deployment that was not read yet', () => {
      const text = report(deployment({ label: 'Unread' }));

      assert.match(text, /^1 not read yet: “Unread”$/m);
    });

    it('keeps its block of JSON closed when texts contain Markdown', () => {
      const text = '```\n\u2028```\n</details>';
      const hostileOne = report(deployment({ authorization: ownProblems(1, text) }));
      assert.equal(fieldsIn(hostileOne).accounts.length, 20);
      assert.deepEqual(linesOf(hostileOne, /^\s*(```|<\/details>)/), [
        '```json',
        '```',
        '</details>',
      ]);
    });

    describe('with 20,000 accounts', () => {
      let text: string;
      before(() => {
        const accounts = Array.from({ length: 20_000 }, (_, at) => ({
          ...account,
          id: `acc_${at}`,
          label: hostile,
        }));
        text = report(
          deployment({ label: hostile, authorization: { accounts, requirements: [] } }),
        );
      });

      it('has at most 65,000 characters', () => {
        assertFits(text);
      });

      it('counts the accounts that it leaves out', () => {
        const { accounts: kept } = fieldsIn(text);
        assert.deepEqual(kept.at(-1), { leftOut: 20_001 - kept.length });
      });
    });
  });

  it('says when a cached answer was made', () => {
    assert.match(
      report(deployment({ authorization: stopped, age: 1, cachedFor: 9 })),
      / · Read 2026-11-20 11:50 UTC$/m,
    );
  });

  it('names the owner beside the next step as text without Markdown', () => {
    const text = deploymentsReport([deployment({ authorization: stopped })], {
      ownerOf: () => '@maria [x](https://evil)',
    });
    assert.match(text, /Reconnect Finance Slack\. · Owner: `@maria` `\[x\]\(https:\/\/evil`\) \|/);
  });

  it('has a row for each cause', () => {
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

  it('says that a mute until the problem changes ends at the latest at its time', () => {
    const untilChange = { ...memory, muteOf: () => ({ until: now, isUntilChange: true }) };
    const text = deploymentsReport([deployment({ authorization: stoppedBy(quiet), memory })], {
      memory: untilChange,
    });
    assert.match(text, /\| it changes, or 2026-11-20 12:00 UTC \|/);
  });

  describe('on mutes for everyone', () => {
    const muteOfStopped = (fields: object = {}) => muteOfFinance({ account: 'acc_9', ...fields });
    /** The report on deployments with Finance Slack, which these entries mute. */
    function reportOn(muteEntries: ReturnType<typeof mutesOf>, ...ids: readonly string[]) {
      const muting = memoryOf(muteEntries);
      const deployments = ids.map((id) =>
        deployment({ id, label: id, authorization: stopped, memory: muting }),
      );
      return deploymentsReport(deployments, { memory: muting });
    }

    it('says the last day, for whom, and why', () => {
      const [row] = linesOf(reportOn(mutesOf([muteOfStopped()]), 'A'), /^\| Finance/);
      assert.equal(
        row,
        '| Finance Slack failed · `token_revoked` | “A” | 2026-12-31, for everyone · “App review at Slack, `FIN-1234`” |',
      );
    });

    it('shows Markdown in the reason as text', () => {
      const entry = muteOfStopped({ reason: '[x](https://evil) | @you #1 <b>' });
      const [row] = linesOf(reportOn(mutesOf([entry]), 'A'), /^\| Finance/);
      assert.match(row!, / · “`\[x\]\(https:\/\/evil`\) `｜` `@you` `#1` `<b>`” \|$/);
    });

    it('has a row for each end of a mute of one account', () => {
      const scopes = ['A', 'B'].map((id, at) => ({
        entries: [muteOfStopped({ until: `2026-12-0${at + 1}` })],
        deploymentIds: new Set([id]),
      }));
      const rows = linesOf(reportOn(mutesInScopes(...scopes), 'A', 'B'), /^\| Finance/);
      const places = rows.map((row) => row.split(' | ').slice(1).join(' ').slice(0, 14));
      assert.deepEqual(places, ['“A” 2026-12-01', '“B” 2026-12-02']);
    });

    describe('of one account in two deployments', () => {
      const suspended = {
        accounts: [{ ...stopped.accounts[0]!, error: { code: 'account_suspended' } }],
        requirements: [],
      };
      /** The row of the older deployment, where the account is muted. `newer`: what the other one has. */
      const muteRow = (newer: DeploymentAuthorization, mutes: ReturnType<typeof mutesOf>) => {
        const muting = memoryOf(mutes);
        const older = deployment({ id: 'A', age: 5, authorization: stopped, memory: muting });
        const newest = deployment({ id: 'B', authorization: newer, memory: muting });
        const { impact } = sourceOf(older, newest);
        const text = deploymentsReport([older], { impact, memory: muting });
        return linesOf(text, /, for everyone/)[0]!;
      };

      it('names the error that is muted, not that of the newest answer', () => {
        const row = muteRow(suspended, mutesOf([muteOfStopped()]));
        assert.match(row, /^\| Finance Slack failed · `token_revoked` \| /);
      });

      it('names the other deployment when the account is muted there, too', () => {
        const row = muteRow(stopped, mutesOf([muteOfStopped()]));
        assert.match(row, /\| “A” and 1 other: “B” \|/);
      });

      it('does not name the other deployment when the account is not muted there', () => {
        const row = muteRow(stopped, mutesOf([muteOfStopped()], new Set(['A'])));
        assert.match(row, /\| “A” \|/);
      });
    });

    /** What the report says below its tables of entries that mute nothing. */
    function idleIn(entries: readonly object[], ...deployments: readonly Deployment[]) {
      const muteStates = mutesOf(entries).current.statesIn(deployments, now);
      const text = deploymentsReport(deployments, { memory, muteStates });
      return linesOf(text, /mutes for everyone/i);
    }

    const works = deployment({
      id: 'a',
      label: 'Billing sync',
      authorization: {
        accounts: [{ id: 'acc_9', label: 'Finance Slack' }],
        requirements: [{ binding: 'post', satisfied: true }],
      },
    });
    const ofPost = (deploymentId: string) => ({
      deployment: deploymentId,
      requirement: 'post',
      missing: [],
      since: '2026-11-01',
      until: '2026-12-31',
      reason,
    });

    it('names obsolete ones, with the step to remove them', () => {
      assert.deepEqual(idleIn([muteOfStopped(), ofPost('a')], works), [
        'Obsolete mutes for everyone: “Finance Slack”, “post” in “Billing sync”. Remove the entries from `automationPlatform.mutes`.',
      ]);
    });

    it('names those of a name that two requirements have', () => {
      const requirements = [1, 2].map(() => ({ binding: 'post', satisfied: false }));
      const twins = deployment({ id: 'a', authorization: { accounts: [], requirements } });
      assert.deepEqual(idleIn([ofPost('a')], twins), [
        'Mutes for everyone that mute nothing, because several requirements have the name or may have it: “post” in “a”.',
      ]);
    });

    it('names those that have ended', () => {
      const ended = muteOfStopped({ since: '2026-11-01', until: '2026-11-19' });
      assert.deepEqual(idleIn([ended, { ...ofPost('gone'), until: '2026-11-19' }], works), [
        'Mutes for everyone that have ended: “Finance Slack”, “post” in “gone”.',
      ]);
    });

    it('says nothing of an account that is in no deployment', () => {
      assert.deepEqual(idleIn([muteOfFinance({ account: 'absent' })], works), []);
    });

    it('names ten and counts the others', () => {
      const entries = Array.from({ length: 12 }, (_, at) =>
        muteOfFinance({ account: `acc_${at}x`, since: '2026-11-01', until: '2026-11-19' }),
      );
      assert.match(idleIn(entries, works)[0]!, /, `acc_9x`, 2 more\.$/);
    });
  });

  describe('with a long scope', () => {
    const scope = `https://www.example.test/auth/${'a'.repeat(120)}.readonly`;
    const workingAccount = {
      ...stopped.accounts[0]!,
      connectionMethodId: 'oauth',
      scopes: [],
      error: null,
    };
    for (const [what, authorization] of [
      ['a failed account', lackingScope(scope)],
      ['a working account', { ...lackingScope(scope), accounts: [workingAccount] }],
    ] as const) {
      it(`shows the whole scope as code for ${what}`, () => {
        const text = report(deployment({ authorization }));

        const [, shownScope] = /with the scope `(.*)`\. \|/.exec(text) ?? [];
        assert.equal(shownScope, scope);
      });

      it(`shows the whole scope as code for ${what} that deployments share`, () => {
        const shared = ['a', 'b'].map((id) => deployment({ id, authorization }));
        const { impact } = sourceOf(...shared);

        const text = deploymentsReport(shared, { impact });

        const [, shownScope] = /with the scope `(.*)`\. \|/.exec(text) ?? [];
        assert.equal(shownScope, scope);
      });
    }
  });

  it('contains no part of a secret at the end of a long scope', () => {
    const secret = 'apt_0123456789_abcdefghijklmnopqrstuvwxyz';
    const one = deployment({ authorization: lackingScope(`${'a'.repeat(280)}${secret}`) });
    const text = deploymentsReport([one], {
      redact: (said) => said.replaceAll(secret, '[redacted]'),
    });
    assert.doesNotMatch(linesOf(text, /^\| Finance/).join(), /apt_/);
  });

  it('proposes the dashboard for an unknown requirement when its address is set', () => {
    const text = deploymentsReport([deployment({ authorization: unclear })], {
      hasDashboard: true,
    });
    assert.match(text, /^\| unknown · digest \| `dep_1` \| Look in the dashboard\. \|$/m);
  });

  it('quotes each name', () => {
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

    const [row] = linesOf(report(...labelled), /^\| Finance/);

    const quotedNames =
      '“Billing sync”, “Expense approvals, EU”, “Onboarding – enterprise (2)”, `Fine #1`, `A”, “B`';
    assert.equal(row?.split(' | ')[1], quotedNames);
  });

  it('shows whole IDs when deployments have the same label', () => {
    const longIds = ['a', 'b'].map((one) => 'x'.repeat(30) + one + 'y'.repeat(30));
    const alike = longIds.map((id) => ({
      ...deployment({ id, label: 'Order sync', authorization: stopped }),
      name: `Order sync (${id})`,
    }));

    const [row] = linesOf(report(...alike), /^\| Finance/);

    const namesWithIds = longIds.map((id) => `\`Order sync (${id})\``);
    assert.equal(row?.split(' | ')[1], namesWithIds.join(', '));
  });

  it('shows one time in its title for answers of the same time', () => {
    assert.equal(timesInHeading(0), '2026-11-20 12:00 UTC');
  });

  it('shows the day once in its title for answers of the same day', () => {
    assert.equal(timesInHeading(0, 5), '2026-11-20 11:55 – 12:00 UTC');
  });

  it('shows both days in its title for answers of different days', () => {
    assert.equal(timesInHeading(0, 1440), '2026-11-19 12:00 – 2026-11-20 12:00 UTC');
  });

  it('shows the message of an error beside its code on one line', () => {
    const cause = causeOf({ code: 'gone', message: ' Was\n removed. ' });

    assert.equal(cause, '| Slack failed · gone · “Was removed.”');
  });

  it('shows a mention in the message of an error as code', () => {
    const cause = causeOf({ message: 'Removed by @you' });

    assert.equal(cause, '| Slack failed · “Removed by `@you`”');
  });

  it('shows the message of an error once when it equals the code', () => {
    assert.equal(causeOf({ code: 'gone', message: 'gone' }), '| Slack failed · gone');
  });

  it('shortens the message of an error to 200 characters', () => {
    const cause = causeOf({ code: 'a', message: 'b'.repeat(500) });

    assert.match(cause ?? '', / · “`b{199}`…”$/);
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

  describe('with a shared account', () => {
    const works = { accounts: [{ id: 'acc_9', label: 'Finance Slack' }], requirements: [] };
    const failure = { kind: 'notFound', status: 404, excerpt: '' } as const;
    const one = stoppedOne({ id: 'a', label: 'Billing sync', age: 2 });
    const two = stoppedOne({ id: 'b', label: 'Expense approvals, EU', age: 3 });
    const three = stoppedOne({ id: 'c', label: 'Incident pager', age: 4 });

    it('names the other affected deployments', () => {
      const row = rowOf([one, two, three], [one]);

      assert.equal(
        row,
        '| Finance Slack failed · `token_revoked` | “Billing sync” and 2 others: “Expense approvals, EU”, “Incident pager” | Reconnect Finance Slack. · Owner: Maria |',
      );
    });

    it('names the one affected deployment that is not reported', () => {
      const row = rowOf([one, two, three], [one, three]);

      assert.equal(
        row,
        '| Finance Slack failed · `token_revoked` | “Billing sync”, “Incident pager” and 1 other: “Expense approvals, EU” | Reconnect Finance Slack. · Owner: Maria |',
      );
    });

    it('names no other deployment when all are reported', () => {
      const [, names] = rowOf([one, two, three], [one, two, three]).split(' | ');

      assert.equal(names, '“Billing sync”, “Expense approvals, EU”, “Incident pager”');
    });

    describe('of unaffected deployments', () => {
      const lost = stoppedOne({ id: 'd', label: 'Lost', failure });
      const fine = deployment({ id: 'e', label: 'Fine', authorization: works, age: 9 });
      const listed = [one, two, lost, fine];

      it('names only affected deployments', () => {
        const [, names] = rowOf(listed, [one]).split(' | ');

        assert.equal(names, '“Billing sync” and 1 other: “Expense approvals, EU”');
      });

      it('has no row where the account works', () => {
        assert.equal(rowOf(listed, [fine]), '');
      });
    });

    it('names the other deployments of a muted problem', () => {
      const muted = ['a', 'b'].map((id) =>
        deployment({ id, authorization: stoppedBy(quiet), memory }),
      );
      assert.match(
        rowOf(muted, muted.slice(0, 1)),
        /\| “a” and 1 other: “b” \| 2026-11-20 12:00 UTC \|$/,
      );
    });

    describe('that works again', () => {
      const newest = deployment({ id: 'e', label: 'Fine', authorization: works, age: 1 });
      const listed = [one, two, newest];

      it('proposes a refresh of the reported deployment', () => {
        assert.equal(
          rowOf(listed, [one]),
          '| Finance Slack failed · `token_revoked` | “Billing sync” | Finance Slack works in “Fine” as of 2026-11-20 11:59 UTC. Refresh the deployment. |',
        );
      });

      it('proposes a refresh of several reported deployments', () => {
        assert.equal(
          rowOf(listed, listed),
          '| Finance Slack failed · `token_revoked` | “Billing sync”, “Expense approvals, EU” | Finance Slack works in “Fine” as of 2026-11-20 11:59 UTC. Refresh the deployments. |',
        );
      });
    });

    it('shows the error of the newest answer', () => {
      const older = stoppedOne({ id: 'dep_1', age: 30 });
      const expired = {
        accounts: [{ id: 'acc_9', label: 'Finance Slack', error: { code: 'expired' } }],
        requirements: [],
      };
      const listed = [older, deployment({ id: 'dep_2', authorization: expired, age: 1 })];
      assert.match(rowOf(listed, listed.slice(0, 1)), /^\| Finance Slack failed · expired \|/);
    });

    it('names the missing scopes of all deployments', () => {
      const listed = ['read', 'write'].map((scope) =>
        deployment({ id: scope, authorization: lackingScope(scope) }),
      );
      assert.match(
        rowOf(listed, listed.slice(0, 1)),
        /Reconnect Finance Slack with the scopes read, write\./,
      );
    });

    describe('of 10,000 deployments', () => {
      let text: string;
      before(() => {
        const listed = many(10_000, () => ({ authorization: stopped, label: hostile }));
        const { impact } = sourceOf(...listed);
        text = deploymentsReport(listed.slice(0, 1), { impact, memory });
      });

      it('counts the names that it leaves out', () => {
        assert.match(text, / and 9,999 others: .*, 9,9\d\d more \|/);
      });

      it('has at most 65,000 characters', () => {
        assertFits(text);
      });
    });

    describe('with a secret in a name', () => {
      const secret = 'apt_0123456789_abcdefghijklmnopqrstuvwxyz';
      const redact = (text: string) => text.replaceAll(secret, '[redacted]');
      const redactedReport = (other: Deployment) => {
        const { impact } = sourceOf(one, other);
        return deploymentsReport([one], { impact, redact });
      };

      it('redacts other affected deployments', () => {
        const text = redactedReport(stoppedOne({ id: secret, label: `Token ${secret}` }));

        assert.match(text, /1 other: `Token \[redacted\]`/);
        assert.doesNotMatch(text, /apt_/);
      });

      it('redacts deployments where the account works', () => {
        const authorization = { accounts: [{ id: 'acc_9', label: secret }], requirements: [] };
        const label = `Token ${secret}`;
        const text = redactedReport(deployment({ id: secret, label, authorization, age: 1 }));

        assert.match(text, /`\[redacted\]` works in `Token \[redacted\]` as of/);
        assert.doesNotMatch(text, /apt_/);
      });
    });
  });

  for (const { title, listed, left, mutes = [] } of [
    {
      title: '30 deployments with hostile texts',
      listed: many(30, (at) => ({ label: hostile + at, authorization: ownProblems(at, hostile) })),
      left: /\d more rows left out\./,
    },
    {
      title: '10,000 failing deployments',
      listed: many(10_000, (at) => ({ authorization: stopped, label: `Flow ${at}` })),
      left: /9,970 more/,
    },
    {
      title: '300 deployments with invisible names',
      listed: many(300, (at) => ({
        label: '\u200E'.repeat(200) + at,
        authorization: at < 150 ? ownProblems(at, '\u200E') : empty,
      })),
      left: /\d more rows left out\.[^]*, \d+ more$/m,
    },
    {
      title: '10,000 healthy deployments',
      listed: many(10_000, () => ({ authorization: empty, label: hostile })),
      left: /9,9\d\d more/,
    },
    {
      title: '30 deployments that are muted for everyone with hostile reasons',
      listed: many(30, (at) => ({ label: hostile + at, authorization: ownProblems(at, hostile) })),
      left: /\d more rows left out\./,
      mutes: mutesOfOwnProblems(30),
    },
  ]) {
    describe(`on ${title}`, () => {
      let text: string;
      before(() => {
        const options = { muteStates: hostileStates(), memory: memoryOf(mutesOf(mutes)) };
        text = deploymentsReport(listed, options);
      });

      it('has at most 200 lines', () => {
        const lines = text.split('\n').length;
        assert.ok(lines <= 200, `The report has ${lines} lines.`);
      });

      it('has at most 65,000 characters', () => {
        assertFits(text);
      });

      it('counts the entries that it leaves out', () => {
        assert.match(text, left);
      });

      it('has three cells in each row', () => {
        for (const row of linesOf(text, /^\|/)) assert.equal(row.split('|').length - 2, 3, row);
      });

      it('contains Markdown only in code spans', () => {
        const withoutCode = text.replace(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');
        const withoutHeadings = withoutCode.replace(/^#+ /gm, '');
        assert.doesNotMatch(withoutHeadings, /[@#[<`]|http/);
      });

      it('contains no character that reverses the text', () => {
        assert.doesNotMatch(text, /\u202E/);
      });
    });
  }

  describe('with secrets', () => {
    const secret = 'apt_0123456789_abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ|$(zap)';
    const redact = (text: string) => text.replaceAll(secret, '[redacted]');
    const error = { code: 'gone', message: `${'x'.repeat(960)} ${secret}` };
    const authorization = { accounts: [{ id: 'acc_1', label: 'Slack', error }], requirements: [] };

    for (const [what, count] of [
      ['one deployment', 1],
      ['two deployments', 2],
    ] as const) {
      it(`contains no part of a secret in a shortened text on ${what}`, () => {
        const listed = many(count, () => ({ authorization, label: `Billing, token ${secret}` }));

        const text = deploymentsReport(listed, { redact, ownerOf: () => `Maria ${secret}` });

        assert.match(text, /`Billing, token \[redacted\]`/);
        assert.doesNotMatch(text, /apt_|XYZ|zap/);
      });
    }

    for (const start of [55, 60, 70]) {
      it(`contains no part of a key ID at character ${start} of a shortened text`, () => {
        const secrets = new KnownSecrets();
        const keyId = '0f8fad5b-d9cb-469f-a165-70867728950e';
        secrets.add(keyId, 'texts');
        const text = `${'x'.repeat(start)} ${keyId} Slack`;
        const failing = {
          accounts: [{ id: 'acc_1', label: text, error: { code: text } }],
          requirements: [],
        };
        const listed = many(2, () => ({ authorization: failing }));

        const copied = deploymentsReport(listed, { redact: (one) => secrets.redactCopy(one) });

        const isShown = shows(copied, keyId);
        assert.equal(isShown, false, copied);
      });
    }

    it('has at most 65,000 characters when redaction lengthens its texts', () => {
      const listed = many(2_000, (at) => ({
        authorization: ownProblems(at, 'Flow'),
        label: `Flow ${at}`,
      }));
      const text = deploymentsReport(listed, {
        redact: (one) => one.replaceAll('Flow', '[redacted][redacted]'),
      });

      assertFits(text);
      assert.doesNotMatch(text, /Flow/);
    });
  });
});

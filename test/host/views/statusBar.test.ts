import { strict as assert } from 'node:assert';
import { clockTime } from '../../../src/host/text/format.js';
import {
  type Counts,
  countDeployments,
  type Deployment,
} from '../../../src/model/findings/deployment.js';
import { spokenText, statusHover, statusSummary } from '../../../src/views/statusBar.js';
import {
  billing,
  deployment,
  inRemoteWindow,
  minutes,
  now,
  organization,
  readIn,
  satisfied,
  seenBefore,
} from '../../support/window/fixtures.js';

type Organizations = Parameters<typeof statusSummary>[0];
type Facts = Partial<Parameters<typeof statusSummary>[1]>;

const none: Counts = { total: 0, failing: 0, unknown: 0, notYetRead: 0, muted: 0, healthy: 0 };
const bad = deployment({ id: 'bad', label: 'Billing sync', authorization: billing });
const good = deployment({ id: 'good', authorization: satisfied });
const dns = { step: 'dns', code: 'ENOTFOUND', host: 'api.acme.example' } as const;
const shared = { kind: 'failure', isOffline: false, at: 0, asOf: undefined } as const;
const rejected = { ...shared, failure: { kind: 'tokenRejected', status: 401 } } as const;
const unreachable = { ...shared, failure: { kind: 'unreachable', cause: dns } } as const;
const proxy = { ...shared, failure: { kind: 'clientError', status: 407 } } as const;
const paused = { kind: 'paused', until: Date.now() + 60_000 } as const;
const pausedWord = `Paused until ${clockTime(paused.until)}`;
const progress = { done: 9999, total: 10_000 };
const ignored = { isListIgnored: true } as const;
const payments = { groups: ['payments', 'ops'] } as const;
const longGroup = { groups: ['payments-and-billing', 'ops'] } as const;

/** What a screen reader says of a text beside these counts of nine deployments. */
function spoken(text: string, counts: Partial<Counts>): string {
  return spokenText(text, { ...none, total: 9, ...counts });
}

const hoverOf = (deployments: readonly Deployment[], memory = seenBefore) =>
  statusHover(
    organization,
    { deployments, counts: countDeployments(deployments), cause: undefined },
    memory,
  );
/** The list in the hover as a reader sees it, an item a line. */
const itemsOf = (deployments: readonly Deployment[], memory = seenBefore) =>
  readIn(hoverOf(deployments, memory))
    .replaceAll(/\[([^\]]*)\]\(command:[^)]*\)/g, '$1')
    .split('\n')
    .slice(2);
const failed = (label: string, account: string) =>
  deployment({
    id: label,
    label,
    authorization: {
      accounts: [{ id: account, label: account, error: { code: 'gone' } }],
      requirements: [],
    },
  });
/** A deployment with these requirements: whether each is satisfied, by its name. */
const lacking = (label: string, requirements: Readonly<Record<string, boolean | undefined>>) =>
  deployment({
    id: label,
    label,
    authorization: {
      accounts: [],
      requirements: Object.entries(requirements).map(([binding, isSatisfied]) => ({
        binding,
        ...(isSatisfied !== undefined && { satisfied: isSatisfied }),
      })),
    },
  });
const unread = (label: string, status: number) => {
  const kind = { 403: 'notPermitted', 404: 'notFound' } as const;
  const failure = {
    kind: status === 403 || status === 404 ? kind[status] : 'serverError',
    status,
    excerpt: '',
  } as const;
  return deployment({ id: label, label, failure });
};

function assertFits(text: string): void {
  assert.ok(text.length <= 40, `${text.length} characters, more than 40: ${text}`);
}

describe('the status bar', () => {
  const cases: readonly [
    string | undefined,
    Partial<Counts>,
    Facts?,
    missing?: Organizations['noCurrentReason'],
  ][] = [
    [undefined, {}, {}, 'loading'],
    [undefined, {}],
    ['lock Automation Platform: keyring waiting', {}, {}, 'waiting'],
    ['lock Automation Platform: keyring unreadable', {}, {}, 'unreadable'],
    ['sign-in Automation Platform: not signed in', {}, {}, 'notSignedIn'],
    ['organization Automation Platform: no organization', {}, {}, 'chooseOne'],
    ['sign-in Automation Platform: signed out', {}, {}, 'chosenGone'],
    ['sync~spin Reading deployments: 9,999 of 10,000', { total: 1, notYetRead: 1 }, { progress }],
    [
      'sync~spin 7 deployments failing',
      { total: 10_000, failing: 7, notYetRead: 1 },
      { progress, deployments: [good] },
    ],
    [
      'circle-slash Token rejected (401) · nothing read yet',
      { total: 2, notYetRead: 2 },
      { cause: rejected },
    ],
    ['circle-slash Proxy (407) · 22 failing', { total: 30, failing: 22 }, { cause: proxy }],
    [
      'circle-slash Unreachable (DNS) · 7 failing',
      { total: 9, failing: 7, unknown: 2 },
      { cause: unreachable },
    ],
    [
      'circle-slash Token rejected (401) · 1,999 muted',
      { total: 2000, muted: 1999, healthy: 1 },
      { cause: rejected },
    ],
    [
      'circle-slash Proxy (407) · None failing, 2 muted',
      { total: 30, muted: 2, healthy: 28 },
      { cause: proxy },
    ],
    [
      'sync~spin Unreachable (DNS) · 7 failing',
      { total: 9, failing: 7 },
      { progress, cause: unreachable },
    ],
    ['error 1 deployment failing', { total: 2, failing: 1 }, { cause: paused }],
    [
      `debug-pause ${pausedWord} · 1 failing`,
      { total: 2, failing: 1 },
      { progress, cause: paused },
    ],
    [
      `debug-pause ${pausedWord} · nothing read yet`,
      { total: 2, notYetRead: 2 },
      { progress, cause: paused },
    ],
    [
      'circle-slash Offline · nothing read yet',
      { total: 2, notYetRead: 2 },
      { cause: { ...unreachable, isOffline: true } },
    ],
    [
      'warning 10,000 deployments failing',
      { total: 10_000, failing: 10_000 },
      { deployments: [good] },
    ],
    ['question 1 deployment unknown', { total: 9, unknown: 1, notYetRead: 1, healthy: 7 }],
    ['circle-large-outline Not all deployments read yet', { total: 3, notYetRead: 1, healthy: 2 }],
    ['circle-large-outline Deployments not read yet', { total: 3, notYetRead: 3 }],
    ['circle-slash No deployments failing, 2 muted', { total: 3, muted: 2, healthy: 1 }],
    ['pass Deployments healthy', { total: 1, healthy: 1 }],
    ['workspace-untrusted 1 healthy, workspace list ignored', { ...ignored, total: 1, healthy: 1 }],
    [
      'workspace-untrusted 2 muted, workspace list ignored',
      { ...ignored, total: 3, muted: 2, healthy: 1 },
    ],
    ['error 2 failing, workspace list ignored', { ...ignored, total: 3, failing: 2, unknown: 1 }],
    ['question 3 unknown, workspace list ignored', { ...ignored, total: 3, unknown: 3 }],
    [
      'circle-large-outline Nothing read yet, workspace list ignored',
      { ...ignored, total: 3, notYetRead: 3 },
    ],
    [
      'circle-large-outline 10,000 not read yet, list ignored',
      { ...ignored, total: 10_001, notYetRead: 10_000 },
    ],
    [
      'circle-slash Proxy (407) · 22 failing, list ignored',
      { ...ignored, total: 30, failing: 22 },
      { cause: proxy },
    ],
    [
      'circle-slash Unreachable (DNS) · 22 failing',
      { ...ignored, total: 30, failing: 22 },
      { cause: unreachable },
    ],
    [
      'sync~spin Reading deployments: 9,999 of 10,000',
      { ...ignored, total: 1, notYetRead: 1 },
      { progress },
    ],
    ['workspace-untrusted Deployments healthy', { isListUnread: true, total: 1, healthy: 1 }],
    ['error 1 deployment failing', { isListUnread: true, total: 1, failing: 1 }],
    [undefined, ignored],
    ['warning payments +1 · 3 deployments failing', { ...payments, total: 9, failing: 3 }],
    ['question payments +1 · 12 deployments unknown', { ...payments, total: 30, unknown: 12 }],
    ['pass payments +1: healthy', { ...payments, total: 9, healthy: 9 }],
    [
      'workspace-untrusted payments +1: healthy',
      { ...payments, isListUnread: true, total: 9, healthy: 9 },
    ],
    ['circle-large-outline payments +1 · 3 not read yet', { ...payments, total: 9, notYetRead: 3 }],
    [
      'circle-large-outline payments +1 · Deployments not read yet',
      { ...payments, total: 9, notYetRead: 9 },
    ],
    ['circle-slash No group · None failing, 2 muted', { groups: [undefined], total: 9, muted: 2 }],
    ['warning payments-an… +1 · 123 failing', { ...longGroup, total: 300, failing: 123 }],
    [
      'warning payments +1 · 3 failing, list ignored',
      { ...payments, ...ignored, total: 9, failing: 3 },
    ],
    [
      'workspace-untrusted payments-an… +1 · 17 healthy',
      { ...longGroup, ...ignored, total: 17, healthy: 17 },
    ],
    [
      'circle-slash Proxy (407) · payments +1 · 22 failing',
      { ...payments, total: 30, failing: 22 },
      { cause: proxy },
    ],
    [
      'circle-slash Unreachab… · payments-an… +1 · 7 failing',
      { ...longGroup, total: 9, failing: 7 },
      { cause: unreachable },
    ],
    [
      'sync~spin Reading deployments: 9,999 of 10,000',
      { ...payments, total: 1, notYetRead: 1 },
      { progress },
    ],
  ];
  for (const [expected, counts, facts = {}, missing] of cases) {
    it(`sums up all deployments: ${expected}`, () => {
      const deployments = counts.groups ? [good] : [bad, good];
      const store = { progress: undefined, cause: undefined, deployments, ...facts };
      const summary = statusSummary(
        { current: missing ? undefined : organization, noCurrentReason: missing },
        { ...store, counts: { ...none, ...counts } },
      );
      const text = summary && `${summary.icon} ${summary.text}`;
      assert.equal(text, expected);
      assertFits(summary?.text ?? '');
    });
  }

  const old: readonly [expected: string, Partial<Counts>, age?: number, Facts?][] = [
    ['warning 7 deployments failing · as of {time}', { total: 9, failing: 7 }],
    ['warning 1,234 failing · as of {time}', { total: 1234, failing: 1234 }],
    ['question 2 deployments unknown · as of {time}', { total: 9, unknown: 2, healthy: 7 }],
    ['circle-large-outline 1 not read yet · as of {time}', { total: 3, notYetRead: 1, healthy: 2 }],
    ['circle-slash None failing, 2 muted · as of {time}', { total: 3, muted: 2, healthy: 1 }],
    ['pass Deployments healthy · as of {time}', { total: 1, healthy: 1 }],
    [
      'workspace-untrusted 1 healthy, list ignored · as of {time}',
      { ...ignored, total: 1, healthy: 1 },
    ],
    [
      'workspace-untrusted 123 healthy, workspace list ignored',
      { ...ignored, total: 123, healthy: 123 },
    ],
    ['pass Deployments healthy · as of Nov 19', { total: 1, healthy: 1 }, 25 * 60],
    ['sync~spin 7 deployments failing · as of {time}', { total: 9, failing: 7 }, 11, { progress }],
    ['circle-slash Proxy (407) · 22 failing', { total: 30, failing: 22 }, 11, { cause: proxy }],
    ['pass payments +1: healthy · as of {time}', { ...payments, total: 9, healthy: 9 }],
    ['warning payments +1 · 3 failing · as of {time}', { ...payments, total: 9, failing: 3 }],
    [
      'sync~spin Reading deployments: 9,999 of 10,000',
      { total: 2, notYetRead: 1, healthy: 1 },
      11,
      { progress },
    ],
  ];
  for (const [expected, counts, age = 11, facts = {}] of old) {
    it(`says the time of old counts: ${expected}`, () => {
      const store = { progress: undefined, cause: undefined, deployments: [good], ...facts };
      const asOf = now - minutes(age);
      const summary = statusSummary(
        { current: organization, noCurrentReason: undefined },
        { ...store, counts: { ...none, ...counts } },
        asOf,
        now,
      )!;
      assert.equal(
        `${summary.icon} ${summary.text}`,
        expected.replace('{time}', clockTime(asOf, now)),
      );
      assertFits(summary.text);
    });
  }

  describe('in a remote window', () => {
    inRemoteWindow();

    it('says the time of old counts with its zone beside a shorter verdict', () => {
      const store = {
        progress: undefined,
        cause: undefined,
        deployments: [good],
        counts: { ...none, failing: 12 },
      };
      const asOf = now - minutes(11);
      const counts = { ...none, total: 20, failing: 12 };
      const { text } = statusSummary(
        { current: organization, noCurrentReason: undefined },
        { ...store, counts },
        asOf,
        now,
      )!;
      assert.equal(text, `12 failing · as of ${clockTime(asOf, now)}`);
    });
  });

  it('tells a screen reader the time of old counts after these', () => {
    const asOf = 'as of 9:51 PM';
    const counts = { ...none, total: 9, failing: 3, unknown: 4 };
    assert.equal(
      spokenText('3 deployments failing', counts, asOf),
      'Automation Platform: 3 deployments failing, 4 unknown, as of 9:51 PM',
    );
  });

  it('tells a screen reader of a pause without the verdict, which follows with the counts', () => {
    const counts = { ...none, total: 2, failing: 1 };
    const store = { progress, cause: paused, deployments: [bad, good], counts };
    const summary = statusSummary({ current: organization, noCurrentReason: undefined }, store);
    assert.equal(summary?.spoken, pausedWord);
  });

  const spokenCases: readonly [expected: string, text: string, counts: Partial<Counts>][] = [
    [
      '3 deployments failing, 4 unknown, 1 muted',
      '3 deployments failing',
      { failing: 3, unknown: 4, muted: 1 },
    ],
    [
      'Unreachable (DNS), 1 deployment failing, 1 unknown',
      'Unreachable (DNS)',
      { failing: 1, unknown: 1 },
    ],
    ['not signed in', 'Automation Platform: not signed in', { total: 0 }],
    [
      '3 failing, workspace list ignored, 4 unknown',
      '3 failing, workspace list ignored',
      { ...ignored, failing: 3, unknown: 4 },
    ],
    ['Offline, 1 healthy, workspace list ignored', 'Offline', { ...ignored, healthy: 1 }],
    [
      'payments-and-billing +1, 123 deployments failing, 1 muted',
      'payments-an… +1 · 123 failing',
      { ...longGroup, failing: 123, muted: 1 },
    ],
    ['payments +1: healthy', 'payments +1: healthy', { ...payments, healthy: 9 }],
    ['Offline, payments +1: healthy', 'Offline', { ...payments, healthy: 9 }],
    [
      'payments-and-billing +1, 12 failing, workspace list ignored',
      'payments-an… +1 · 12 failing',
      { ...longGroup, ...ignored, failing: 12 },
    ],
  ];
  for (const [expected, text, counts] of spokenCases) {
    it(`tells a screen reader each fact once: ${expected}`, () => {
      assert.equal(spoken(text, counts), `Automation Platform: ${expected}`);
    });
  }
});

describe('the hover of the status bar', () => {
  const reveal = 'automationPlatform.internal.revealDeployment';

  it('links deployments whatever characters their IDs have', () => {
    const ids = ['bad (0)', 'broken \uD800', 'bad0'];
    const hover = hoverOf(ids.map((id) => ({ ...bad, id })));
    const links = [...hover.value.matchAll(/\]\(command:([^)]*)\)/g)].map(([, link]) => link);
    assert.deepEqual(links, [
      `${reveal}?%5B%22bad%20%280%29%22%5D`,
      `${reveal}?%5B%22broken%20%5Cud800%22%5D`,
      `${reveal}?%5B%22bad0%22%5D`,
    ]);
  });

  it('links no more than three deployments of a cause', () => {
    const hover = hoverOf(Array.from({ length: 7 }, (_, at) => ({ ...bad, id: `bad${at}` })));
    const links = hover.value.match(/\]\(command:/g);
    assert.equal(links?.length, 3);
  });

  it('can run no command but the one that reveals a deployment', () => {
    assert.deepEqual(hoverOf([bad]).isTrusted, { enabledCommands: [reveal] });
  });

  it('says why the list of the workspace is ignored', () => {
    const counts = { ...countDeployments([good]), ...ignored };
    const list = { deployments: { count: 8, files: ['.vscode/settings.json'] } };
    const store = { deployments: [good], counts, cause: undefined };
    const lines = readIn(statusHover(organization, store, seenBefore, { ignored: list })).split(
      '\n',
    );
    assert.match(lines[0]!, /· .*1 healthy, workspace list ignored/);
    assert.match(
      lines[2]!,
      /^8 deployments in \.vscode\/settings\.json are ignored, because this workspace is not/,
    );
  });

  it('says the groups first, and counts the deployments of others at its end', () => {
    const counts = { ...countDeployments([bad]), ...payments };
    const others = { ...none, total: 160, failing: 3, unknown: 1, muted: 2, healthy: 154 };
    const store = { deployments: [bad], counts, cause: undefined };
    const hover = readIn(statusHover(organization, store, seenBefore, { otherCounts: others }));
    assert.match(hover, /^\*\*Acme production\*\* · payments \+1 · 1 failing\n/);
    assert.equal(hover.split('\n').at(-1), '160 in other groups · 3 failing, 1 unknown');
  });

  it('has one item for each cause, the most frequent first', () => {
    const deployments = [
      failed('a', 'Ops Slack'),
      ...['b', 'c', 'd', 'e', 'f'].map((id) => failed(id, 'Finance Slack')),
      lacking('g', { crm: false }),
      lacking('h', { crm: false }),
      good,
    ];
    assert.deepEqual(itemsOf(deployments), [
      '- Finance Slack failed · b, c, d, 2 more',
      '- Ops Slack failed · a',
      '- crm not satisfied · g, h',
    ]);
  });

  it('has the reasons of unknown deployments after the problems', () => {
    const five = {
      crm: undefined,
      mail: undefined,
      chat: undefined,
      log: undefined,
      bill: undefined,
    };
    const deployments = [
      failed('a', 'Ops Slack'),
      lacking('lead', five),
      unread('gone', 404),
      unread('denied', 403),
    ];
    assert.deepEqual(itemsOf(deployments), [
      '- Ops Slack failed · a',
      '- 3 unknown',
      '  - State not reported · lead',
      '  - Not found (404) · gone',
      '  - Access denied (403) · denied',
    ]);
  });

  it('says that fields of an unknown deployment are unreadable', () => {
    const decodeIssues = [{ path: 'accounts[0]', expected: 'object', found: 'null' } as const];
    const read = deployment({ id: 'a', label: 'a', authorization: satisfied, decodeIssues });
    assert.deepEqual(itemsOf([read]), ['- 1 unknown', '  - Fields unreadable · a']);
  });

  it('counts equal requirements of a deployment', () => {
    const equal = { binding: 'crm', satisfied: false } as const;
    const twice = deployment({
      id: 'a',
      label: 'a',
      authorization: { accounts: [], requirements: [equal, equal] },
    });
    assert.deepEqual(itemsOf([twice]), ['- crm not satisfied (2 requirements) · a']);
  });

  it('has twelve items at most, which count the problems that are left out', () => {
    const accounts = Array.from({ length: 9 }, (_, at) => failed(`f${at}`, `Account ${at}`));
    const unclear = [403, 403, 404, 404, 500, 502, 503].map((status, at) =>
      unread(`u${at}`, status),
    );
    const items = itemsOf([...accounts, ...unclear]);
    assert.deepEqual(items.slice(6, 8), ['- 3 more problems.', '- 7 unknown']);
    assert.equal(items.at(-1), '  - 2 more');
    assert.equal(items.length, 12);
  });

  it('counts muted deployments without their causes', () => {
    const memory = { ...seenBefore, muteOf: () => ({ until: now + 1, isUntilChange: false }) };
    const quiet = { ...failed('a', 'Ops Slack'), state: 'muted' } as const;
    const text = readIn(hoverOf([quiet, good], memory));
    assert.match(text, /1 muted/);
    assert.doesNotMatch(text, /Ops Slack/);
  });

  it('has one item for a cause of 10,000 deployments', () => {
    const deployments = Array.from({ length: 10_000 }, (_, at) => ({ ...bad, id: `dep_${at}` }));
    assert.deepEqual(itemsOf(deployments), [
      '- Finance Slack failed · Billing sync, Billing sync, Billing sync, 9,997 more',
    ]);
  });
});

import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { Failure } from '../../../../src/api/failure.js';
import { deploymentSummary } from '../../../../src/host/text/deployment.js';
import { absoluteTime, clockTime, dayText } from '../../../../src/host/text/format.js';
import { nothingRemembered } from '../../../../src/model/findings/state.js';
import type { ElementOf, TreeElement } from '../../../../src/model/tree/elements.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { decorationOf } from '../../../../src/views/tree/row.js';
import { ManualClock } from '../../../support/manualClock.js';
import {
  below,
  billing,
  type DeploymentFacts,
  deployment,
  look,
  minutes,
  now,
  readIn,
  satisfied,
  seenBefore,
  sourceOf,
} from '../../../support/window/fixtures.js';

function providerOf(facts: DeploymentFacts): DeploymentsProvider {
  const source = sourceOf(deployment(facts));
  source.memory = facts.memory ?? seenBefore;
  return new DeploymentsProvider(source, new ManualClock(now));
}

/** The row of a deployment and all below it, with what each shows. */
function rowsOf(facts: DeploymentFacts) {
  const provider = providerOf(facts);
  return below(provider).map((element) => {
    const item = provider.getTreeItem(element);
    return { ...look(item), kind: element.kind, item, hover: () => provider.resolveTreeItem(item, element).tooltip };
  });
}

const timedOut: Failure = { kind: 'timedOut', after: 30_000 };
const notFound: Failure = { kind: 'notFound', status: 404 };
const rejected: Failure = { kind: 'tokenRejected', status: 401 };
const decodeIssues = [{ path: 'accounts[0].label', expected: 'string', found: 'number' }] as const;
const stripe = { serviceId: 'stripe', satisfied: true };
const off = { satisfied: false };
const bare = { id: 'b', connectionMethodId: 'oauth', scopes: [] };
const connections = [{ connectionMethodId: 'oauth', requiredScopes: ['channels:read', 'users:read'] }];
const lacking = { ...off, binding: 'n', accountId: 'b', connections };
const read = `read ${clockTime(now, now)}`;
const anHourAgo = now - minutes(61);
const tried = `tried ${clockTime(now - minutes(1), now)}`;
const seen = `Seen since ${clockTime(now - minutes(90), now)}.`;

const deployments: readonly DeploymentFacts[] = [
  { label: 'Billing synchronization of EU', authorization: billing },
  { label: 'two', authorization: { accounts: [{ id: 'a', error: {} }, { error: {} }], requirements: [off] } },
  { label: 'scopes', authorization: { accounts: [bare], requirements: [lacking] } },
  { label: 'several', authorization: { accounts: [bare], requirements: [lacking, { ...off, binding: 'o' }] } },
  { label: 'old', authorization: { accounts: [], requirements: [off, stripe] }, age: 61, failure: timedOut },
  { label: 'stale', authorization: satisfied, failure: timedOut },
  { label: 'well', authorization: satisfied },
  { label: 'busy', authorization: satisfied, activity: 'reading' },
  { label: 'unclear', authorization: { accounts: [], requirements: [stripe, { binding: 'mail' }] } },
  { label: 'odd', authorization: { accounts: [], requirements: [] }, decodeIssues },
  { label: 'new', activity: 'idle' },
  { label: 'next', activity: 'waiting' },
  { label: 'gone', failure: notFound },
];
/** Of 200 characters, one of which can't be seen. */
const name = (word: string) => `${word}\u0007`.padEnd(200, ' and so on');

/** Icon and text, then what a screen reader says. */
const rowsOfDeployments = `
error problemsErrorIcon.foreground | Billing synchronization of EU | Finance Slack failed
  Billing synchronization of EU, deployment, Failed: Finance Slack failed, ${read}
error problemsErrorIcon.foreground | two | unnamed account failed +2
  two, deployment, Failed: unnamed account failed, a failed, not satisfied, ${read}
warning problemsWarningIcon.foreground | scopes | missing channels:read +1
  scopes, deployment, Not satisfied: missing channels:read +1, ${read}
warning problemsWarningIcon.foreground | several | missing channels:read +1
  several, deployment, Not satisfied: missing channels:read +1, not satisfied, ${read}
question | old | Timed out · stale, read 1 hour ago
  old, deployment, Unknown: Timed out, stale, ${tried}, read ${clockTime(anHourAgo, now)}
question | stale | Timed out · stale
  stale, deployment, Unknown: Timed out, stale, ${tried}, ${read}
pass charts.green | well
  well, deployment, Satisfied, ${read}
sync~spin | busy
  busy, deployment, Satisfied, ${read}, reading
question | unclear | 1 unknown
  unclear, deployment, Unknown: mail, ${read}
pass charts.green | odd | 1 field unreadable
  odd, deployment, Satisfied, 1 field unreadable, ${read}
circle-large-outline disabledForeground | new | not read yet
  new, deployment, Not read yet
circle-large-outline disabledForeground | next | not read yet
  next, deployment, Not read yet, waiting
question | gone | Not found
  gone, deployment, Unknown: Not found, ${tried}`;

const reconnect = 'Reconnect Finance Slack (slack) with the scope channels:read.';
/** Shape, color of the label and text, then the menu, and what a screen reader says: name, kind and state in full. */
const rowsBelowBilling = `
lightbulb | Reconnect Finance Slack | with channels:read · ${seen}
  advice canMute canNotify: ${reconnect} ${seen}
error failed | Finance Slack | token_revoked
  account canMute canNotify: Finance Slack, account, failed, token_revoked, slack, checked 3 hours ago
error | token_revoked | The workspace admin removed the app.
  undefined: token_revoked, error of the account, The workspace admin removed the app.
tag | chat:write
  scope: chat:write, scope, granted
history | Checked 3 hours ago
  undefined: Checked 3 hours ago, Checked by the platform on ${absoluteTime(now - minutes(180))}.
warning notSatisfied | notifier | needs Finance Slack
  requirement canMute canNotify: notifier, requirement, not satisfied, needs Finance Slack, Finance Slack is missing channels:read. slack
error failed | Finance Slack | failed: token_revoked
  account canMute canNotify: Finance Slack, account, failed, token_revoked, slack, checked 3 hours ago, bound
account | Ops Slack | eligible
  account: Ops Slack, account, no error, slack, eligible
question | acc_9 | not in this deployment · eligible
  account: acc_9, account, not in this deployment, eligible
key | slack-oauth | 1 of 2 granted
  connection: slack-oauth, connection method, 1 of 2 granted
close | channels:read | missing · required
  scope: channels:read, scope, missing, required
check | chat:write | granted · required, minimal
  scope: chat:write, scope, granted, required, minimal
question | google-sheets | unknown
  requirement: google-sheets, requirement, unknown
pass | 1 satisfied | ledger
  undefined: 1 satisfied, ledger
pass | ledger
  requirement: ledger, requirement, satisfied, stripe
account | 1 account
  undefined: 1 account, no error
account | Ops Slack
  account: Ops Slack, account, no error, slack`;

describe('the row of a deployment', () => {
  it('says its state, the worst problem first', () => {
    const rows = deployments.map((facts) => rowsOf(facts)[0]!);
    const said = rows.map(({ icon, text, spoken }) => `\n${icon} | ${text}\n  ${spoken}`);
    assert.equal(said.join(''), rowsOfDeployments);
  });

  it('has an ID, a menu and children, and no command on a click', () => {
    const { item } = rowsOf({ authorization: billing })[0]!;
    assert.deepEqual(
      [item.id, item.contextValue, item.command],
      ['deployment:dep_1', 'deployment canMute canNotify', undefined],
    );
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    assert.equal(rowsOf({})[0]!.item.collapsibleState, vscode.TreeItemCollapsibleState.None);
    assert.equal(rowsOf({ failure: notFound })[0]!.item.contextValue, 'deploymentNotFound');
  });
});

describe('the rows below a deployment', () => {
  it('say the step first, then what is wrong by its cause, and little of the rest', () => {
    const said = rowsOf({ authorization: billing }).map(({ icon, decorated, text, spoken, item }) => {
      assert.equal(item.command, undefined);
      const shape = [icon.split(' ')[0], decorated].filter(Boolean).join(' ');
      return `\n${shape} | ${text}\n  ${item.contextValue}: ${spoken}`;
    });
    assert.equal(said.slice(1).join(''), rowsBelowBilling);
  });

  it('say a scope that is a URL by its end, and in full to a screen reader', () => {
    const scope = 'https://www.googleapis.example/auth/spreadsheets.readonly';
    const own = [{ connectionMethodId: 'oauth', minimalScopes: ['openid'], requiredScopes: [scope, 'drive'] }];
    const requirement = { ...off, binding: 'n', accountId: 'b', connections: own };
    const rows = rowsOf({ authorization: { accounts: [bare], requirements: [requirement] } });
    const row = rows.find(({ text }) => text.startsWith('…/'))!;
    assert.equal(row.text, '…/spreadsheets.readonly | missing · required');
    assert.ok(row.spoken.startsWith(`${scope}, scope`));
  });

  it('have whole labels up to 200 characters, with control characters made visible', () => {
    const accounts = [
      { id: 'a', label: name('account'), error: { code: name('code'), message: 'm' }, scopes: [name('scope')] },
    ];
    const requirements = [{ ...off, binding: name('requirement') }];
    const labels = rowsOf({ label: name('deployment'), authorization: { accounts, requirements } }).map(
      ({ item }) => item.label,
    );
    for (const word of ['deployment', 'account', 'code', 'scope', 'requirement']) {
      assert.ok(labels.includes(name(word).replace('\u0007', '␇')), word);
    }
    assert.ok(labels.includes(`Reconnect ${name('account').replace('\u0007', '␇')}`));
  });

  it('say of an eligible account that it has failed itself or what it lacks, the best first, and of a bound one that it is not there', () => {
    const requirement = {
      ...lacking,
      binding: 'x',
      accountId: 'gone',
      eligibleAccountIds: ['f', 'b', 'unknown', 'whole'],
    };
    const whole = { id: 'whole', connectionMethodId: 'oauth', scopes: connections[0]!.requiredScopes };
    const accounts = [bare, whole, { id: 'f', error: {} }];
    const rows = rowsOf({ authorization: { accounts, requirements: [requirement] } });
    const at = rows.findIndex(({ kind }) => kind === 'requirement');
    assert.deepEqual(
      rows.slice(at, at + 6).map(({ icon, text }) => `${icon.split(' ')[0]} | ${text}`),
      [
        'warning | x | not satisfied · no account gone',
        'question | gone | not in this deployment · bound',
        'account | whole | eligible',
        'question | unknown | not in this deployment · eligible',
        'account | b | missing channels:read +1 · eligible',
        'error | f | failed · eligible',
      ],
    );
    assert.ok(rows.some(({ text }) => text.startsWith('Use whole +1')));
  });

  it('say since when a problem has been seen only if an older answer had it', () => {
    const advice = rowsOf({ authorization: billing, memory: nothingRemembered }).find(({ kind }) => kind === 'advice')!;
    assert.equal(advice.item.description, 'with channels:read');
    assert.doesNotMatch(readIn(advice.hover()), /Seen/);
  });

  it('say at all that comes from a muted problem until when, and offer Unmute', () => {
    const end = now + minutes(5);
    const memory = { ...nothingRemembered, mutedUntil: () => end };
    const muted = `muted until ${dayText(end, now)}`;
    const rows = rowsOf({ authorization: billing, memory }).filter(({ text }) => text.includes(muted));
    assert.deepEqual(
      rows.map(({ icon, text, item }) => `${icon.split(' ')[0]} | ${text} | ${item.contextValue}`),
      [
        `question | dep_1 | 1 unknown · ${muted} | deployment canUnmute`,
        `lightbulb | Reconnect Finance Slack | ${muted} · with channels:read | advice canUnmute`,
        `bell-slash | Finance Slack | ${muted} · token_revoked | account canUnmute`,
        `circle-slash | notifier | ${muted} · needs Finance Slack | requirement canUnmute`,
        `bell-slash | Finance Slack | ${muted} · failed: token_revoked | account canUnmute`,
      ],
    );
  });

  it('of problems have a color without a badge, by a URI without any ID', () => {
    const { resourceUri } = rowsOf({ authorization: billing })[0]!.item;
    assert.equal(resourceUri?.toString(), 'automation-platform-problem:failed');
    const decoration = decorationOf(resourceUri);
    assert.deepEqual([decoration?.badge, decoration?.color?.id], [undefined, 'list.errorForeground']);
    assert.equal(decorationOf(vscode.Uri.file('failed')), undefined);
  });

  it('are gray where the last read failed', () => {
    const rows = rowsOf({ authorization: billing, failure: notFound }).slice(2);
    const colors = new Set(rows.map(({ icon }) => icon.split(' ')[1]));
    assert.deepEqual([...colors], ['disabledForeground']);
    assert.ok(rows.every(({ decorated }) => decorated === undefined));
  });

  it('say to a screen reader as of when they are, where the last read failed', () => {
    const rows = rowsOf({ authorization: billing, failure: notFound, age: 61 }).slice(2);
    const wrong = rows.filter(({ spoken }) => !spoken.endsWith(` as of ${clockTime(anHourAgo, now)}`));
    assert.deepEqual([rows.length > 5, wrong], [true, []]);
  });

  it('say when an account was checked by the clock of the platform', () => {
    const rows = rowsOf({ authorization: billing, clockOffsetMs: minutes(-120) });
    const { text, spoken } = rows.find(({ kind }) => kind === 'check')!;
    assert.equal(text, 'Checked 1 hour ago');
    assert.ok(spoken.includes(`on ${absoluteTime(now - minutes(180))}.`));
    assert.ok(spoken.endsWith('This machine’s clock is 2 hr ahead of the platform’s.'));
  });

  it('say to a screen reader as of when an answer is that lay in a cache', () => {
    const [row] = rowsOf({ authorization: billing, age: 1, cachedFor: 60 });
    assert.ok(row!.spoken.includes(`read ${clockTime(anHourAgo, now)}`), row!.spoken);
  });

  it('say what helps where the read failed, and the reason to a screen reader', () => {
    const failures: readonly [Failure, text: string, menu: string][] = [
      [notFound, 'Check the ID', 'failureNotFound'],
      [rejected, 'Sign in with a new token.', 'failureTokenRejected'],
      [{ kind: 'serverError', status: 503 }, 'Try again later.', 'failure'],
    ];
    for (const [failure, text, menu] of failures) {
      const row = rowsOf({ failure })[1]!;
      assert.ok(row.text.startsWith(text), row.text);
      assert.deepEqual([row.icon, row.item.contextValue], ['lightbulb editorLightBulb.foreground', menu]);
      assert.ok(row.spoken.endsWith(tried), row.spoken);
    }
  });
});

it('the first row says the cause that all share, and a click does what helps', () => {
  const until = Date.now() + minutes(5);
  const slow: Failure = { kind: 'timedOut', after: 30_000 };
  const shared = { kind: 'failure', isOffline: false, at: now, asOf: now } as const;
  const asOf = clockTime(now);
  const checkConnection = 'automationPlatform.checkConnection';
  const causes: readonly [ElementOf<'cause'>['cause'], text: string, command?: string][] = [
    [
      { ...shared, failure: rejected },
      `Token rejected (401) · as of ${asOf} | Sign In...`,
      'automationPlatform.signIn',
    ],
    [{ ...shared, failure: slow }, `Timed out · as of ${asOf} | Check Connection`, checkConnection],
    [{ ...shared, failure: slow, isOffline: true }, `Offline · as of ${asOf} | Check Connection`, checkConnection],
    [{ ...shared, failure: slow, asOf: undefined }, 'Timed out | Check Connection', checkConnection],
    [{ kind: 'paused', until }, `Paused until ${clockTime(until)}`],
    [{ kind: 'untrusted' }, 'Workspace not trusted | Manage Workspace Trust', 'workbench.trust.manage'],
  ];
  for (const [cause, text, command] of causes) {
    const item = providerOf({}).getTreeItem({ kind: 'cause', id: 'cause', copyId: undefined, cause });
    assert.deepEqual([look(item).text, item.command?.command], [text, command]);
  }
});

/** Of the first row of a kind. */
function hoverOf(kind: TreeElement['kind'], facts: DeploymentFacts): string {
  const row = rowsOf(facts).find((one) => one.kind === kind);
  return readIn(row?.hover());
}

function includes(text: string, ...parts: readonly string[]): void {
  for (const part of parts) assert.ok(text.includes(part), `${part}\n--- not in ---\n${text}`);
}

describe('a hover in the tree', () => {
  it('of an account, requirement or connection lists the fields that no sentence names, under their own names', () => {
    const [failed] = billing.accounts;
    const error = { ...failed?.error, since: 'Monday' };
    const more = { quota: { used: 812 }, 'odd `name`': true };
    const authorization = {
      accounts: [{ ...failed, ...more, error }],
      requirements: [{ ...billing.requirements[0], priority: 'high', connections: [{ region: 'eu' } as object] }],
    };
    const account = hoverOf('accountError', { authorization });
    includes(account, 'serviceSub T02 · ', ' · scopes chat:write · ', ' · error.since Monday');
    includes(account, ' · quota.used 812 · odd `name` true');
    assert.doesNotMatch(account, /· (label|serviceId|checkedAt|error\.code|error\.message) /);
    includes(hoverOf('requirement', { authorization }), 'priority high');
    includes(hoverOf('connection', { authorization }), 'region eu');

    let tower: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) tower = [tower];
    includes(hoverOf('deployment', { authorization: Object.assign({ tower }, satisfied) }), 'tower [[[');
  });

  it('of unreadable fields says how many, where, what was expected, and what was found', () => {
    const facts = { authorization: satisfied, decodeIssues: Array.from({ length: 400 }, () => decodeIssues[0]) };
    assert.match(
      hoverOf('unreadable', facts),
      /^400 fields unreadable[^]*accounts\[0\]\.label: string expected, number found\n- 390 more$/,
    );
    const { icon, text, spoken } = rowsOf(facts)[1]!;
    assert.deepEqual([icon, text, spoken], ['info problemsInfoIcon.foreground', '400 fields unreadable', text]);
    assert.equal(deploymentSummary(deployment(facts), { now, memory: seenBefore }), '400 fields unreadable');
  });
});

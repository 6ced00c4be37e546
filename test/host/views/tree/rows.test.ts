import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { Failure } from '../../../../src/api/failure.js';
import { clockTime } from '../../../../src/host/text/format.js';
import type { CauseElement } from '../../../../src/model/tree/elements.js';
import { decorationOf } from '../../../../src/views/tree/row.js';
import {
  billing,
  type DeploymentFacts,
  look,
  minutes,
  now,
  providerOf,
  readIn,
  rowsOf,
  satisfied,
} from '../fixtures.js';

const timedOut: Failure = { kind: 'timedOut', after: 30_000 };
const notFound: Failure = { kind: 'notFound', status: 404 };
const rejected: Failure = { kind: 'tokenRejected', status: 401 };
const decodeIssues = [{ path: 'accounts[0].label', expected: 'string', found: 'number' }] as const;
const stripe = { serviceId: 'stripe', satisfied: true };
const off = { satisfied: false };
const read = `read ${clockTime(now, now)}`;
const anHourAgo = now - minutes(61);
const tried = `tried ${clockTime(now - minutes(1), now)}`;
const seen = `Seen since ${clockTime(now - minutes(90), now)}.`;

const deployments: readonly DeploymentFacts[] = [
  { label: 'Billing synchronization of EU', authorization: billing },
  { label: 'two', authorization: { accounts: [{ id: 'a', error: {} }, { error: {} }], requirements: [off] } },
  { label: 'old', authorization: { accounts: [], requirements: [off, stripe] }, age: 61, failure: timedOut },
  { label: 'stale', authorization: satisfied, failure: timedOut },
  { label: 'well', authorization: satisfied },
  { label: 'busy', authorization: satisfied, activity: 'reading' },
  { label: 'unclear', authorization: { accounts: [], requirements: [stripe, {}] } },
  { label: 'odd', authorization: { accounts: [], requirements: [] }, decodeIssues },
  { label: 'new', activity: 'idle' },
  { label: 'next', activity: 'waiting' },
  { label: 'gone', failure: notFound },
];
/** Icon and text, then what a screen reader says. */
const rowsOfDeployments = `
error problemsErrorIcon.foreground | Billing synchronization of EU | Finance Slack failed
  Billing synchronization of EU, deployment, Failed: 1 account failed, ${read}
error problemsErrorIcon.foreground | two | 2 accounts failed
  two, deployment, Failed: 2 accounts failed, 1 of 1 not satisfied, ${read}
question | old | Timed out · stale, read 1 hour ago
  old, deployment, Unknown: Timed out, stale, ${tried}, read ${clockTime(anHourAgo, now)}
question | stale | Timed out · stale
  stale, deployment, Unknown: Timed out, stale, ${tried}, ${read}
pass charts.green | well | 2 of 2 satisfied
  well, deployment, Satisfied: 2 of 2 satisfied, ${read}
sync~spin | busy | 2 of 2 satisfied · reading
  busy, deployment, Satisfied: 2 of 2 satisfied, ${read}, reading
question | unclear | 1 unknown · 1 of 2 satisfied
  unclear, deployment, Unknown: 1 unknown, 1 of 2 satisfied, ${read}
pass charts.green | odd | 1 field unreadable · nothing required
  odd, deployment, Satisfied: nothing required, 1 field unreadable, ${read}
circle-large-outline disabledForeground | new | not read yet
  new, deployment, Not read yet
watch disabledForeground | next | waiting
  next, deployment, Not read yet, waiting
question | gone | Not found
  gone, deployment, Unknown: Not found, ${tried}`;

const reconnect = 'Reconnect Finance Slack (slack) with the scope channels:read.';
/** Shape, colour of the label and text, then the menu, and what a screen reader says: name, kind and state in full. */
const rowsBelowBilling = `
warning notSatisfied | notifier | needs Finance Slack · slack
  requirement canMute: notifier, requirement, not satisfied, needs Finance Slack, Finance Slack is missing channels:read. slack
lightbulb | Reconnect Finance Slack | ${seen}
  advice canMute: ${reconnect} ${seen}
error failed | Finance Slack | failed: token_revoked
  account canMute: Finance Slack, account, failed, token_revoked, slack, checked 3 hours ago, bound
circle-large-outline | Ops Slack | eligible
  account: Ops Slack, account, no error, slack, eligible
question | acc_9 | not among the accounts · eligible
  account: acc_9, account, not among the accounts, eligible
key | slack-oauth | 1 of 2 granted
  connection: slack-oauth, connection method, 1 of 2 granted
close | channels:read | missing · required
  scope: channels:read, scope, missing, required
check | chat:write | granted · required, minimal
  scope: chat:write, scope, granted, required, minimal
question | google-sheets | unknown
  requirement: google-sheets, requirement, unknown
pass | ledger | stripe
  requirement: ledger, requirement, satisfied, stripe
error failed | Finance Slack | token_revoked · checked 3 hours ago
  account canMute: Finance Slack, account, failed, token_revoked, slack, checked 3 hours ago
error | token_revoked | The workspace admin removed the app.
  undefined: token_revoked, error of the account, The workspace admin removed the app.
lightbulb | Reconnect Finance Slack | ${seen}
  advice canMute: ${reconnect} ${seen}
tag | chat:write
  scope: chat:write, scope, granted
pass | Ops Slack | slack
  account: Ops Slack, account, no error, slack`;

describe('the row of a deployment', () => {
  it('says how it stands, what is wrong first', () => {
    const rows = deployments.map((facts) => rowsOf(facts)[0]!);
    const said = rows.map(({ icon, text, spoken }) => `\n${icon} | ${text}\n  ${spoken}`);
    assert.equal(said.join(''), rowsOfDeployments);
  });

  it('has the element’s id, a menu, opens if there is something below, and selects on a click', () => {
    const { item } = rowsOf({ authorization: billing })[0]!;
    assert.deepEqual([item.id, item.contextValue, item.command], ['deployment:dep_1', 'deployment canMute', undefined]);
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    assert.equal(rowsOf({})[0]!.item.collapsibleState, vscode.TreeItemCollapsibleState.None);
    assert.equal(rowsOf({ failure: notFound })[0]!.item.contextValue, 'deploymentNotFound');
  });
});

describe('the rows below a deployment', () => {
  it('say what the drawing of the design says, and a click selects', () => {
    const said = rowsOf({ authorization: billing }).map(({ icon, decorated, text, spoken, item }) => {
      assert.equal(item.command, undefined);
      const shape = [icon.split(' ')[0], decorated].filter(Boolean).join(' ');
      return `\n${shape} | ${text}\n  ${item.contextValue}: ${spoken}`;
    });
    assert.equal(said.slice(1).join(''), rowsBelowBilling);
  });

  it('say a scope that is a URL by its end, and in full to a screen reader', () => {
    const scope = 'https://www.googleapis.example/auth/spreadsheets.readonly';
    const account = { id: 'a', connectionMethodId: 'oauth', scopes: [] };
    const connections = [{ connectionMethodId: 'oauth', minimalScopes: ['openid'], requiredScopes: [scope, 'drive'] }];
    const requirement = { binding: 'A very long name of a requirement', satisfied: false, accountId: 'a', connections };
    const rows = rowsOf({ authorization: { accounts: [account], requirements: [requirement] } });
    const beginning = (text: string) => rows.find((row) => row.text.startsWith(text))!;
    assert.equal(beginning('A v').text, 'A very long name of a requirement | missing …/spreadsheets.readonly +1');
    assert.equal(beginning('…/').text, '…/spreadsheets.readonly | missing · required');
    assert.ok(beginning('…/').spoken.startsWith(`${scope}, scope`));
    assert.equal(beginning('oauth').text, 'oauth | 0 of 2 granted');
  });

  it('say of an eligible account that it has failed itself, and of a bound one that it is not there', () => {
    const requirements = [{ binding: 'x', satisfied: false, accountId: 'gone', eligibleAccountIds: ['b'] }];
    const rows = rowsOf({ authorization: { accounts: [{ id: 'b', error: {} }], requirements } });
    const shown = rows.map(({ icon, text }) => `${icon.split(' ')[0]} | ${text}`);
    assert.ok(shown.includes('warning | x | not satisfied · no account gone'), shown.join('\n'));
    assert.ok(shown.includes('question | gone | not among the accounts · bound'), shown.join('\n'));
    assert.ok(shown.includes('error | b | failed · eligible'), shown.join('\n'));
  });

  it('say since when a problem has been seen only if an older answer had it', () => {
    const advice = rowsOf({ authorization: billing, seenSince: now }).find(({ kind }) => kind === 'advice')!;
    assert.equal(advice.item.description, undefined);
    assert.doesNotMatch(readIn(advice.hover()), /Seen/);
  });

  it('have a colour without a letter where there is a problem, by an address without any id', () => {
    const scheme = 'automation-platform-problem';
    const row = rowsOf({ authorization: billing })[0]!;
    assert.equal(row.item.resourceUri?.toString(), `${scheme}:failed`);
    const shown = ['failed', 'notSatisfied', 'muted', 'satisfied'].map((path) => {
      const { badge, color } = decorationOf(vscode.Uri.from({ scheme, path })) ?? {};
      return badge ?? color?.id;
    });
    const colors = ['list.errorForeground', 'list.warningForeground', 'descriptionForeground', undefined];
    assert.deepEqual(shown, colors);
    assert.equal(decorationOf(vscode.Uri.file('failed')), undefined);
  });

  it('are gray where the last read failed, whatever they said before', () => {
    const rows = rowsOf({ authorization: billing, failure: notFound }).slice(2);
    const colors = new Set(rows.map(({ icon }) => icon.split(' ')[1]));
    assert.deepEqual([...colors], ['disabledForeground']);
    assert.ok(rows.every(({ decorated }) => decorated === undefined));
  });

  it('say why nothing could be read, and the next step', () => {
    const failures: readonly [Failure, text: string, menu: string][] = [
      [notFound, 'Not found | Check the ID', 'failureNotFound'],
      [rejected, 'Token rejected | Sign in with a new token.', 'failureTokenRejected'],
      [{ kind: 'serverError', status: 503 }, 'Server error | Try again later.', 'failure'],
    ];
    for (const [failure, text, menu] of failures) {
      const row = rowsOf({ failure })[1]!;
      assert.ok(row.text.startsWith(text), row.text);
      assert.equal(row.item.contextValue, menu);
      assert.ok(row.spoken.endsWith(tried), row.spoken);
    }
  });
});

it('the first row says what holds for all, and a click does what helps', () => {
  const until = Date.now() + minutes(5);
  const causes: readonly [CauseElement['cause'], text: string, command: string][] = [
    [{ kind: 'failure', failure: rejected, at: now }, 'Token rejected (401) | Sign In…', 'automationPlatform.signIn'],
    [{ kind: 'paused', until }, `Rate limited until ${clockTime(until)} | Show Log`, 'automationPlatform.showLog'],
    [{ kind: 'untrusted' }, 'Workspace list not used | Manage Trust', 'workbench.trust.manage'],
  ];
  for (const [cause, text, command] of causes) {
    const item = providerOf({}).getTreeItem({ kind: 'cause', id: 'cause', copyId: undefined, cause });
    assert.deepEqual([look(item).text, item.command?.command], [text, command]);
  }
});

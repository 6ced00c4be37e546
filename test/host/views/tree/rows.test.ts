import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { Failure } from '../../../../src/api/failure.js';
import { extensionId } from '../../../../src/host/ids.js';
import { deploymentSummary } from '../../../../src/host/text/deployment.js';
import { absoluteTime, clockTime, futureDayOrTime } from '../../../../src/host/text/format.js';
import type { Identity } from '../../../../src/model/findings/findings.js';
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
  inRemoteWindow,
  look,
  minutes,
  now,
  readIn,
  satisfied,
  seenBefore,
  sent,
  sourceOf,
  twoProblems,
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
    return {
      ...look(item),
      kind: element.kind,
      item,
      hover: () => provider.resolveTreeItem(item, element).tooltip,
    };
  });
}

const timedOut: Failure = { kind: 'timedOut', after: 30_000 };
const notFound: Failure = { kind: 'notFound', status: 404 };
const rejected: Failure = { kind: 'tokenRejected', status: 401 };
const denied: Failure = { kind: 'notPermitted', status: 403 };
const decodeIssues = [{ path: 'accounts[0].label', expected: 'string', found: 'number' }] as const;
const stripe = { serviceId: 'stripe', satisfied: true };
const off = { satisfied: false };
const bare = { id: 'b', connectionMethodId: 'oauth', scopes: [] };
const connections = [
  { connectionMethodId: 'oauth', requiredScopes: ['channels:read', 'users:read'] },
];
const unsaid = { accounts: [], requirements: [{ serviceId: 'salesforce', binding: 'crm' }] };
const lacking = { ...off, binding: 'n', accountId: 'b', connections };
const read = `as of ${clockTime(now, now)}`;
const anHourAgo = now - minutes(61);
const tried = `tried ${clockTime(now - minutes(1), now)}`;
const seen = `Seen since ${clockTime(now - minutes(90), now)}.`;

const deployments: readonly DeploymentFacts[] = [
  { label: 'Billing synchronization of EU', authorization: billing },
  {
    label: 'two',
    authorization: { accounts: [{ id: 'a', error: {} }, { error: {} }], requirements: [off] },
  },
  { label: 'scopes', authorization: { accounts: [bare], requirements: [lacking] } },
  {
    label: 'several',
    authorization: { accounts: [bare], requirements: [lacking, { ...off, binding: 'o' }] },
  },
  {
    label: 'old',
    authorization: { accounts: [], requirements: [off, stripe] },
    age: 61,
    failure: timedOut,
  },
  { label: 'stale', authorization: satisfied, failure: timedOut },
  { label: 'well', authorization: satisfied },
  { label: 'busy', authorization: satisfied, activity: 'reading' },
  {
    label: 'unclear',
    authorization: { accounts: [], requirements: [stripe, { binding: 'mail' }] },
  },
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
  Billing synchronization of EU, deployment, Failing, Finance Slack failed
error problemsErrorIcon.foreground | two | unnamed account failed +2
  two, deployment, Failing, unnamed account failed, a failed, not satisfied
warning problemsWarningIcon.foreground | scopes | missing channels:read +1
  scopes, deployment, Failing, missing channels:read +1
warning problemsWarningIcon.foreground | several | missing channels:read +1
  several, deployment, Failing, missing channels:read +1, not satisfied
question | old | Timed out · stale, read 1 hour ago
  old, deployment, Unknown, Timed out, stale, ${tried}, as of ${clockTime(anHourAgo, now)}
question | stale | Timed out · stale
  stale, deployment, Unknown, Timed out, stale, ${tried}, ${read}
pass charts.green | well
  well, deployment, Healthy
sync~spin | busy
  busy, deployment, Healthy, reading
question | unclear | 1 unknown
  unclear, deployment, Unknown, mail
pass charts.green | odd | 1 field unreadable
  odd, deployment, Healthy, 1 field unreadable
circle-large-outline disabledForeground | new | not read yet
  new, deployment, Not read yet
circle-large-outline disabledForeground | next | not read yet
  next, deployment, Not read yet, waiting
question | gone | Not found
  gone, deployment, Unknown, Not found, ${tried}`;

const reconnect = 'Reconnect Finance Slack (slack) with the scope channels:read.';
/** Shape, color of the label and text, then the menu, and what a screen reader says: name, kind and state in full. */
const rowsBelowBilling = `
lightbulb | Reconnect Finance Slack | with channels:read
  advice canMute canNotify: ${reconnect} ${seen}
error failed | Finance Slack | token_revoked
  account canMute canNotify: Finance Slack, account, failed, token_revoked, slack, checked 3 hours ago
error | token_revoked | The workspace admin removed the app.
  undefined: token_revoked, error of the account, The workspace admin removed the app.
tag | chat:write
  scope: chat:write, scope, granted
history | Checked 3 hours ago
  undefined: Checked 3 hours ago, Checked by the platform on ${absoluteTime(now - minutes(180))}.
debug-disconnect effect | notifier | needs Finance Slack
  requirement canMute canNotify: notifier, requirement, not satisfied because Finance Slack failed, Finance Slack is missing channels:read. slack
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
    const said = rowsOf({ authorization: billing }).map(
      ({ icon, decorated, text, spoken, item }) => {
        assert.equal(item.command, undefined);
        const shape = [icon.split(' ')[0], decorated].filter(Boolean).join(' ');
        return `\n${shape} | ${text}\n  ${item.contextValue}: ${spoken}`;
      },
    );
    assert.equal(said.slice(1).join(''), rowsBelowBilling);
  });

  it('say a scope that is a URL by its end, and in full to a screen reader', () => {
    const scope = 'https://www.googleapis.example/auth/spreadsheets.readonly';
    const own = [
      { connectionMethodId: 'oauth', minimalScopes: ['openid'], requiredScopes: [scope, 'drive'] },
    ];
    const requirement = { ...off, binding: 'n', accountId: 'b', connections: own };
    const rows = rowsOf({ authorization: { accounts: [bare], requirements: [requirement] } });
    const row = rows.find(({ text }) => text.startsWith('…/'))!;
    assert.equal(row.text, '…/spreadsheets.readonly | missing · required');
    assert.ok(row.spoken.startsWith(`${scope}, scope`));
  });

  it('have whole labels up to 200 characters, with control characters made visible', () => {
    const accounts = [
      {
        id: 'a',
        label: name('account'),
        error: { code: name('code'), message: 'm' },
        scopes: [name('scope')],
      },
    ];
    const requirements = [{ ...off, binding: name('requirement') }];
    const labels = rowsOf({
      label: name('deployment'),
      authorization: { accounts, requirements },
    }).map(({ item }) => item.label);
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
    const whole = {
      id: 'whole',
      connectionMethodId: 'oauth',
      scopes: connections[0]!.requiredScopes,
    };
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
    const advice = rowsOf({ authorization: billing, memory: nothingRemembered }).find(
      ({ kind }) => kind === 'advice',
    )!;
    assert.doesNotMatch(advice.spoken, /Seen/);
    assert.doesNotMatch(readIn(advice.hover()), /Seen/);
  });

  const end = now + minutes(5);
  const mutes = [
    ['of a mute until it changes', 'muted until it changes', true],
    ['of a muted problem until when', `muted until ${futureDayOrTime(end, now)}`, false],
  ] as const;
  for (const [what, muted, isUntilChange] of mutes) {
    it(`say ${what} behind what is muted, and offer Unmute`, () => {
      const memory = {
        ...nothingRemembered,
        mutedUntil: () => end,
        isMutedUntilChange: () => isUntilChange,
      };
      const rows = rowsOf({ authorization: billing, memory }).filter(({ text }) =>
        text.includes(muted),
      );
      assert.deepEqual(
        rows.map(
          ({ icon, text, item }) => `${icon.split(' ')[0]} | ${text} | ${item.contextValue}`,
        ),
        [
          `question | dep_1 | 1 unknown · Finance Slack · ${muted} | deployment canUnmute`,
          `lightbulb | Reconnect Finance Slack | ${muted} · with channels:read | advice canUnmute`,
          `bell-slash | Finance Slack | token_revoked · ${muted} | account canUnmute`,
          `circle-slash | notifier | needs Finance Slack · ${muted} | requirement canUnmute`,
          `bell-slash | Finance Slack | failed: token_revoked · ${muted} | account canUnmute`,
        ],
      );
    });
  }

  it('name a muted requirement, so that the mute is seen in a narrow view', () => {
    const memory = { ...nothingRemembered, mutedUntil: () => end, isMutedUntilChange: () => true };
    const [row] = rowsOf({ authorization: { accounts: [bare], requirements: [lacking] }, memory });
    assert.equal(row!.text, 'dep_1 | n · muted until it changes');
  });

  it('name of several muted problems the one whose mute ends first', () => {
    const later = now + minutes(3 * 24 * 60);
    const mutedUntil = ({ key }: Identity) =>
      key.includes('acc_3') || key.includes('digest') ? end : later;
    const memory = { ...nothingRemembered, mutedUntil };
    const authorization = {
      ...twoProblems,
      requirements: twoProblems.requirements.filter(({ binding }) => binding),
    };
    const [row] = rowsOf({
      authorization: { ...authorization, accounts: twoProblems.accounts },
      memory,
    });
    assert.equal(row!.text, `dep_1 | digest +1 · muted until ${futureDayOrTime(end, now)}`);
    assert.ok(
      row!.spoken.includes(`Muted until ${futureDayOrTime(end, now)}, missing channels:read`),
      row!.spoken,
    );
  });

  it('are gray where a requirement only needs an account that has failed', () => {
    const { item, icon, hover } = rowsOf({ authorization: billing }).find(
      ({ kind }) => kind === 'requirement',
    )!;
    assert.equal(icon, 'debug-disconnect disabledForeground');
    assert.equal(decorationOf(item.resourceUri!)?.color?.id, 'descriptionForeground');
    assert.match(readIn(hover()), /^\$\(debug-disconnect\) /);
  });

  it('of problems have a color without a badge, by a URI without any ID', () => {
    const { resourceUri } = rowsOf({ authorization: billing })[0]!.item;
    assert.equal(resourceUri?.toString(), 'automation-platform-problem:failed');
    const decoration = decorationOf(resourceUri);
    assert.deepEqual(
      [decoration?.badge, decoration?.color?.id],
      [undefined, 'list.errorForeground'],
    );
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
    const wrong = rows.filter(
      ({ spoken }) => !spoken.endsWith(` as of ${clockTime(anHourAgo, now)}`),
    );
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
    assert.ok(row!.spoken.endsWith(`, as of ${clockTime(anHourAgo, now)}`), row!.spoken);
  });

  it('say what helps where the read failed, and the reason to a screen reader', () => {
    const failures: readonly [Failure, text: string, menu: string][] = [
      [notFound, 'Check the ID', 'failureNotFound'],
      [denied, 'Ask for the permission', 'failure canRequest'],
      [rejected, 'Sign in with a new token', 'failureTokenRejected'],
      [{ kind: 'serverError', status: 503 }, 'Try again later', 'failure'],
      [{ kind: 'timedOut', after: 30_000 }, 'Try again, or allow more time', 'failure'],
      [{ kind: 'unusable', status: 200, reason: 'wrongShape' }, 'Check the connection', 'failure'],
      [{ kind: 'clientError', status: 418 }, 'See the log', 'failure'],
    ];
    for (const [failure, text, menu] of failures) {
      const row = rowsOf({ failure })[1]!;
      assert.equal(row.text, text);
      assert.deepEqual(
        [row.icon, row.item.contextValue],
        ['lightbulb editorLightBulb.foreground', menu],
      );
      assert.ok(row.spoken.endsWith(tried), row.spoken);
    }
  });

  it('begin with what helps where the platform does not say whether a requirement is satisfied', () => {
    const [, row] = rowsOf({ authorization: unsaid });
    assert.deepEqual([row!.kind, row!.icon], ['unknown', 'lightbulb editorLightBulb.foreground']);
    assert.equal(row!.text, 'Refresh this deployment | crm');
    assert.equal(
      row!.spoken,
      'Refresh this deployment, crm (salesforce): the platform does not say whether it is satisfied.',
    );
    // With the button Refresh Deployment.
    assert.equal(row!.item.contextValue, 'outdated');
  });

  it('send a user to the dashboard for what is unknown, where its address is set', () => {
    const source = sourceOf(deployment({ authorization: unsaid }));
    source.settings = { dashboardUrl: 'https://dash.example/{deploymentId}' };
    const provider = new DeploymentsProvider(source, new ManualClock(now));
    const item = provider.getTreeItem(below(provider)[1]!);
    // With the button Open in Dashboard.
    assert.deepEqual(
      [look(item).text, item.contextValue],
      ['Look in the dashboard | crm', 'advice'],
    );
  });

  it('begin with what helps where a part that may hold a problem could not be read', () => {
    const [, row] = rowsOf(sent([5]));
    assert.deepEqual([row!.kind, row!.text], ['unknown', 'Refresh this deployment']);
  });

  it('have no step for what is unknown beside a problem, or in an old answer', () => {
    for (const facts of [
      { authorization: billing },
      { authorization: unsaid, failure: notFound },
    ]) {
      assert.ok(rowsOf(facts).every(({ kind }) => kind !== 'unknown'));
    }
  });
});

const shared = { kind: 'failure', isOffline: false, at: now, asOf: now } as const;
const slow: Failure = { kind: 'timedOut', after: 30_000 };
const lost: Failure = { kind: 'connectionLost', code: 'UND_ERR_SOCKET' };
const withoutProxy: Failure = { kind: 'clientError', status: 407 };
const moved: Failure = {
  kind: 'redirected',
  status: 301,
  target: 'moved',
  foreign: { baseUrl: 'https://b.example/api/v1' },
};

function itemOf(cause: ElementOf<'cause'>['cause']): vscode.TreeItem {
  return providerOf({}).getTreeItem({ kind: 'cause', id: 'cause', copyId: undefined, cause });
}

function causeHoverOf(cause: ElementOf<'cause'>['cause']): vscode.MarkdownString {
  const element = { kind: 'cause', id: 'cause', copyId: undefined, cause } as const;
  const { tooltip } = providerOf({}).resolveTreeItem(itemOf(cause), element);
  assert.ok(tooltip instanceof vscode.MarkdownString);
  return tooltip;
}

describe('the first row', () => {
  const until = now + minutes(5);
  const asOf = `as of ${clockTime(now, now)}`;
  const list = { count: 8, files: ['.vscode/settings.json'] };
  const causes: readonly [ElementOf<'cause'>['cause'], text: string, command: string][] = [
    [{ ...shared, failure: rejected }, `Token rejected (401) | Sign In... · ${asOf}`, 'signIn'],
    [
      { ...shared, failure: withoutProxy },
      `Proxy (407) | Check Connection · ${asOf}`,
      'checkConnection',
    ],
    [{ ...shared, failure: moved }, `Redirected (301) | Sign In... · ${asOf}`, 'signIn'],
    [
      { ...shared, failure: { kind: 'serverError', status: 503 } },
      `Server error (503) | Refresh · ${asOf}`,
      'refresh',
    ],
    [
      { ...shared, failure: lost },
      `Connection lost | Check Connection · ${asOf}`,
      'checkConnection',
    ],
    [{ ...shared, failure: slow }, `Timed out | Check Connection · ${asOf}`, 'checkConnection'],
    [
      { ...shared, failure: slow, isOffline: true },
      `Offline | Check Connection · ${asOf}`,
      'checkConnection',
    ],
    [
      { ...shared, failure: slow, asOf: undefined },
      'Timed out | Check Connection',
      'checkConnection',
    ],
    [
      { kind: 'untrusted', ignored: { deployments: list } },
      'Workspace list ignored',
      'manageTrust',
    ],
    [
      { kind: 'untrusted', ignored: { owners: list, deployments: list } },
      'Workspace list ignored',
      'manageTrust',
    ],
    [{ kind: 'untrusted', ignored: { owners: list } }, 'Workspace owners ignored', 'manageTrust'],
  ];

  it('says the cause that all share by a short name, beside it the step and as of when, and a click is the step', () => {
    for (const [cause, text, command] of causes) {
      const item = itemOf(cause);
      assert.deepEqual(
        [look(item).text, item.command?.command],
        [text, `automationPlatform.${command}`],
      );
    }
  });

  it('has a button for its step', async () => {
    const { packageJSON } = vscode.extensions.getExtension(extensionId)!;
    const menu: { command: string; when: string; group: string }[] =
      packageJSON.contributes.menus['view/item/context'];
    const inline = menu.filter(({ group }) => group.startsWith('inline'));
    for (const [cause] of causes) {
      const item = itemOf(cause);
      const fitting = inline.filter(({ when }) => isShownFor(item, when));
      assert.deepEqual(
        fitting.map(({ command }) => command),
        [item.command?.command],
      );
    }
  });

  it('has its step as a link in its hover', () => {
    for (const [cause, , command] of causes) {
      const { value, isTrusted } = causeHoverOf(cause);
      assert.match(
        value,
        new RegExp(`\\]\\(command:automationPlatform\\.${command}\\?[^)]*\\)\\*\\*$`),
      );
      assert.deepEqual(isTrusted, { enabledCommands: [`automationPlatform.${command}`] });
    }
  });

  for (const [ignored, expected] of [
    [{ deployments: list }, '8 deployments in .vscode/settings.json are ignored, because'],
    [
      { deployments: { ...list, count: 1 } },
      '1 deployment in .vscode/settings.json is ignored, because',
    ],
    [
      { deployments: { ...list, count: undefined } },
      'Deployments in .vscode/settings.json are ignored, because',
    ],
    [{ owners: list }, 'Owners in .vscode/settings.json are ignored, because'],
    [
      { deployments: list, owners: list },
      '8 deployments and owners in .vscode/settings.json are ignored, because',
    ],
    [
      { deployments: { count: 1, files: ['a.json'] }, owners: { count: 1, files: ['b.json'] } },
      '1 deployment and owners in a.json and b.json are ignored, because',
    ],
    [
      { deployments: { count: 9, files: ['a', 'b', 'c', 'd', 'e'] } },
      '9 deployments in a, b, c, and 2 more are ignored, because',
    ],
  ] as const) {
    it(`says in its hover, and to a screen reader: ${expected}`, () => {
      const cause: ElementOf<'cause'>['cause'] = { kind: 'untrusted', ignored };
      const begin = `${expected} this workspace is not trusted. Trust the workspace to use `;
      assert.ok(readIn(causeHoverOf(cause)).startsWith(begin), readIn(causeHoverOf(cause)));
      assert.ok(
        look(itemOf(cause)).spoken.includes(` ignored, ${begin}`),
        look(itemOf(cause)).spoken,
      );
    });
  }

  it('has no link in its hover where everything is paused', () => {
    assert.doesNotMatch(causeHoverOf({ kind: 'paused', until }).value, /command:/);
  });

  it('says until when everything is paused', () => {
    assert.equal(itemOf({ kind: 'paused', until }).label, `Paused until ${clockTime(until, now)}`);
  });

  it('has no zero before its time, and no zone', () => {
    const morning = new Date(now).setHours(9, 5);
    const item = itemOf({ ...shared, failure: slow, asOf: morning });
    assert.match(String(item.description), /as of (Nov \d+, 2026, )?9:05\sAM$/);
  });

  it('says each fact once to a screen reader, without codes of libraries, and as of when at the end', () => {
    const said = causes.map(([cause]) => look(itemOf(cause)).spoken);
    assert.equal(
      said[4],
      `Connection lost, api.acme.example closed the connection before the response was complete. Check the connection to see which step fails. Check Connection, ${asOf}`,
    );
    assert.equal(
      said[6],
      `Offline, No deployment can be read. Check the connection to see which step fails. Check Connection, ${asOf}`,
    );
    for (const [at, [cause]] of causes.entries()) {
      const expected = cause.kind === 'failure' && cause.asOf !== undefined ? 2 : 1;
      assert.equal(said[at]!.split(' as of ').length, expected, said[at]);
    }
  });

  describe('of a remote window', () => {
    inRemoteWindow();

    it('says how old the rest is, and to a screen reader when that was, with the zone', () => {
      const { text, spoken } = look(itemOf({ ...shared, failure: slow, asOf: now - minutes(12) }));
      assert.match(text, /^Timed out \| Check Connection · as of 12 min ago$/);
      assert.match(spoken, /, as of \d?\d:\d\d\s[AP]M [A-Z]+([+-]\d+)?$/);
    });

    it('says in the first minute that the rest is as of now', () => {
      const { text } = look(itemOf({ ...shared, failure: slow, asOf: now - 1 }));
      assert.match(text, /^Timed out \| Check Connection · as of now$/);
    });

    it('says how long the pause still is', () => {
      assert.equal(itemOf({ kind: 'paused', until: now + 117_000 }).label, 'Paused, 2 min left');
      assert.equal(itemOf({ kind: 'paused', until: now + minutes(4) }).label, 'Paused, 4 min left');
    });
  });
});

/** Whether a clause of the manifest holds for this row, of those that name the row alone. */
function isShownFor({ contextValue = '' }: vscode.TreeItem, when: string): boolean {
  const [, pattern] = /viewItem =~ \/(.*?)\/(?: |$)/.exec(when) ?? [];
  return pattern !== undefined && new RegExp(pattern).test(contextValue);
}

/** Of the first row of a kind. */
function hoverOf(kind: TreeElement['kind'], facts: DeploymentFacts): string {
  const row = rowsOf(facts).find((one) => one.kind === kind);
  return readIn(row?.hover());
}

function includes(text: string, ...parts: readonly string[]): void {
  for (const part of parts) assert.ok(text.includes(part), `${part}\n--- not in ---\n${text}`);
}

/** Rows that only say how many others they hold. */
const folded: readonly TreeElement['kind'][] = ['satisfied', 'accounts', 'effects'];

describe('a hover in the tree', () => {
  it('of a row that only counts others names them, with what is wrong', () => {
    const ids = ['East', 'West', 'North', 'South'];
    const accounts = [...ids.map((id) => ({ id, error: {} })), ...billing.accounts.slice(1)];
    const requirements = [
      stripe,
      ...ids.map((id) => ({ ...off, serviceId: 'crm', binding: `to ${id}`, accountId: id })),
    ];
    const rows = rowsOf(sent(accounts, requirements)).filter(({ kind }) => folded.includes(kind));
    assert.deepEqual(
      rows.map(({ hover }) => readIn(hover())),
      [
        '**4 requirements need them**\n\n- to East (crm) · needs East\n- to North (crm) · needs North\n- to South (crm) · needs South\n- to West (crm) · needs West',
        '**1 satisfied**\n\n- stripe',
        '**1 account**\n\n- Ops Slack (slack)',
      ],
    );
  });

  it('of a row that counts many others names ten', () => {
    const requirements = Array.from({ length: 12 }, (_, at) => ({
      binding: `r${at}`,
      satisfied: true,
    }));
    assert.match(
      hoverOf('satisfied', sent([], requirements)),
      /^\*\*12 satisfied\*\*\n[^]*\n- r9\n- 2 more$/,
    );
  });

  it('is there for each row that has a color, of which VS Code would show the address', () => {
    const failing = ['East', 'West', 'North', 'South'].map((id) => ({ id, error: {} }));
    const requirements = [
      ...billing.requirements,
      { ...off, binding: 'to East', accountId: 'East' },
    ];
    const rows = rowsOf(sent([...failing, ...billing.accounts], requirements));
    const colored = rows.filter(({ decorated }) => decorated !== undefined);
    assert.deepEqual(
      [
        new Set(colored.map(({ kind }) => kind)),
        colored.filter(({ hover }) => hover() === undefined),
      ],
      [new Set(['deployment', 'account', 'effects', 'requirement']), []],
    );
  });

  it('of an account, requirement or connection lists the fields that no sentence names, under their own names', () => {
    const [failed] = billing.accounts;
    const error = { ...failed?.error, since: 'Monday' };
    const more = { quota: { used: 812 }, 'odd `name`': true };
    const authorization = {
      accounts: [{ ...failed, ...more, error }],
      requirements: [
        { ...billing.requirements[0], priority: 'high', connections: [{ region: 'eu' } as object] },
      ],
    };
    const account = hoverOf('accountError', { authorization });
    includes(account, 'serviceSub T02 · ', ' · scopes chat:write · ', ' · error.since Monday');
    includes(account, ' · quota.used 812 · odd `name` true');
    assert.doesNotMatch(account, /· (label|serviceId|checkedAt|error\.code|error\.message) /);
    includes(hoverOf('requirement', { authorization }), 'priority high');
    includes(hoverOf('connection', { authorization }), 'region eu');

    let tower: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) tower = [tower];
    includes(
      hoverOf('deployment', { authorization: Object.assign({ tower }, satisfied) }),
      'tower [[[',
    );
  });

  it('of unreadable fields says how many, where, what was expected, and what was found', () => {
    const facts = {
      authorization: satisfied,
      decodeIssues: Array.from({ length: 400 }, () => decodeIssues[0]),
    };
    assert.match(
      hoverOf('unreadable', facts),
      /^400 fields unreadable[^]*accounts\[0\]\.label: string expected, number found\n- 390 more$/,
    );
    const { icon, text, spoken } = rowsOf(facts)[1]!;
    assert.deepEqual(
      [icon, text, spoken],
      ['info problemsInfoIcon.foreground', '400 fields unreadable', text],
    );
    assert.equal(
      deploymentSummary(deployment(facts), { now, memory: seenBefore }),
      '400 fields unreadable',
    );
  });
});

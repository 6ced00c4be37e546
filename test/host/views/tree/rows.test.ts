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
const manyDecodeIssues = Array.from({ length: 400 }, () => decodeIssues[0]);
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
/** A name of 200 characters, one of which can't be seen. */
const name = (word: string) => `${word}\u0007`.padEnd(200, ' and so on');

/** The rows of the deployments above: icon and text, then what a screen reader says. */
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
/** Each row: icon, color of the label, and text, then the menu and what a screen reader says. */
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

function decorationOfBilling() {
  return decorationOf(rowsOf({ authorization: billing })[0]!.item.resourceUri!);
}

describe('the row of a deployment', () => {
  it('says the state and the worst problem', () => {
    const rows = deployments.map((facts) => rowsOf(facts)[0]!);
    const said = rows.map(({ icon, text, spoken }) => `\n${icon} | ${text}\n  ${spoken}`);
    assert.equal(said.join(''), rowsOfDeployments);
  });

  it('has an ID of its own', () => {
    assert.equal(rowsOf({ authorization: billing })[0]!.item.id, 'deployment:dep_1');
  });

  it('offers to mute and to notify when the deployment has a problem', () => {
    const { contextValue } = rowsOf({ authorization: billing })[0]!.item;
    assert.equal(contextValue, 'deployment canMute canNotify');
  });

  it('offers what helps when the deployment was not found', () => {
    assert.equal(rowsOf({ failure: notFound })[0]!.item.contextValue, 'deploymentNotFound');
  });

  it('runs no command on a click', () => {
    assert.equal(rowsOf({ authorization: billing })[0]!.item.command, undefined);
  });

  it('can be expanded when the deployment was read', () => {
    const { collapsibleState } = rowsOf({ authorization: billing })[0]!.item;
    assert.equal(collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
  });

  it('cannot be expanded before the deployment was read', () => {
    const { collapsibleState } = rowsOf({})[0]!.item;
    assert.equal(collapsibleState, vscode.TreeItemCollapsibleState.None);
  });

  for (const { duration, state, isUntilChange } of [
    { duration: 'until it changes', state: 'muted until it changes', isUntilChange: true },
    {
      duration: 'for a time',
      state: `muted until ${futureDayOrTime(now + minutes(5), now)}`,
      isUntilChange: false,
    },
  ]) {
    const rowsOfMutes = () => {
      const memory = {
        ...nothingRemembered,
        muteOf: () => ({ until: now + minutes(5), isUntilChange }),
      };
      return rowsOf({ authorization: billing, memory }).filter(({ text }) => text.includes(state));
    };

    it(`says the end of a mute ${duration}, and so does each row below`, () => {
      const shown = rowsOfMutes().map(({ icon, text }) => `${icon.split(' ')[0]} | ${text}`);
      assert.deepEqual(shown, [
        `question | dep_1 | 1 unknown · Finance Slack · ${state}`,
        `lightbulb | Reconnect Finance Slack | ${state} · with channels:read`,
        `bell-slash | Finance Slack | token_revoked · ${state}`,
        `circle-slash | notifier | needs Finance Slack · ${state}`,
        `bell-slash | Finance Slack | failed: token_revoked · ${state}`,
      ]);
    });

    it(`offers Unmute for a mute ${duration}, and so does each row below`, () => {
      const menus = rowsOfMutes().map(({ item }) => item.contextValue);
      assert.deepEqual(menus, [
        'deployment canUnmute',
        'advice canUnmute',
        'account canUnmute',
        'requirement canUnmute',
        'account canUnmute',
      ]);
    });
  }

  it('names a muted requirement before the end of the mute', () => {
    const memory = {
      ...nothingRemembered,
      muteOf: () => ({ until: now + minutes(5), isUntilChange: true }),
    };
    const [row] = rowsOf({ authorization: { accounts: [bare], requirements: [lacking] }, memory });
    assert.equal(row!.text, 'dep_1 | n · muted until it changes');
  });

  describe('with several muted problems', () => {
    const end = now + minutes(5);
    const endOf = (key: string) =>
      key.includes('acc_3') || key.includes('digest') ? end : now + minutes(3 * 24 * 60);
    const muteOf = ({ key }: Identity) => ({ until: endOf(key), isUntilChange: false });
    const memory = { ...nothingRemembered, muteOf };
    const requirements = twoProblems.requirements.filter(({ binding }) => binding);
    const row = () => rowsOf({ authorization: { ...twoProblems, requirements }, memory })[0]!;

    it('names the problem whose mute ends first', () => {
      assert.equal(row().text, `dep_1 | digest +1 · muted until ${futureDayOrTime(end, now)}`);
    });

    it('tells a screen reader when the first mute ends', () => {
      const spokenMute = /Muted until.*?, missing channels:read/.exec(row().spoken)?.[0];
      assert.equal(spokenMute, `Muted until ${futureDayOrTime(end, now)}, missing channels:read`);
    });
  });

  describe('with a problem', () => {
    it('has the color of an error', () => {
      assert.equal(decorationOfBilling()?.color?.id, 'list.errorForeground');
    });

    it('has no badge', () => {
      assert.equal(decorationOfBilling()?.badge, undefined);
    });

    it('has a resource URI without an ID', () => {
      const { resourceUri } = rowsOf({ authorization: billing })[0]!.item;
      assert.equal(resourceUri?.toString(), 'automation-platform-problem:failed');
    });

    it('gives no color to a file of the same path', () => {
      assert.equal(decorationOf(vscode.Uri.file('failed')), undefined);
    });
  });

  it('tells a screen reader the age of an answer that lay in a cache', () => {
    const [row] = rowsOf({ authorization: billing, age: 1, cachedFor: 60 });
    assert.match(row!.spoken, new RegExp(`, as of ${clockTime(anHourAgo, now)}$`));
  });

  it('counts unreadable fields', () => {
    const facts = { authorization: satisfied, decodeIssues: manyDecodeIssues };
    const summary = deploymentSummary(deployment(facts), { now, memory: seenBefore });
    assert.equal(summary, '400 fields unreadable');
  });
});

/** The first row of a kind. */
function rowOf(kind: TreeElement['kind'], facts: DeploymentFacts) {
  return rowsOf(facts).find((row) => row.kind === kind)!;
}

function adviceOfNewProblem() {
  return rowOf('advice', { authorization: billing, memory: nothingRemembered });
}

/** The rows of all parts of an answer after which a read failed. */
function rowsAfterFailure({ age = 0 }) {
  return rowsOf({ authorization: billing, failure: notFound, age }).slice(2);
}

/** The row of the advice for what is unknown, when the address of the dashboard is set. */
function itemWithDashboard(): vscode.TreeItem {
  const source = sourceOf(deployment({ authorization: unsaid }));
  source.settings = { dashboardUrl: 'https://dash.example/{deploymentId}' };
  const provider = new DeploymentsProvider(source, new ManualClock(now));
  return provider.getTreeItem(below(provider)[1]!);
}

describe('the rows below a deployment', () => {
  it('say the advice first, then each account and requirement', () => {
    const shown = rowsOf({ authorization: billing }).map(
      ({ icon, decorated, text, spoken, item }) => {
        const shape = [icon.split(' ')[0], decorated].filter(Boolean).join(' ');
        return `\n${shape} | ${text}\n  ${item.contextValue}: ${spoken}`;
      },
    );
    assert.equal(shown.slice(1).join(''), rowsBelowBilling);
  });

  it('run no command on a click', () => {
    const commands = rowsOf({ authorization: billing }).map(({ item }) => item.command);
    assert.deepEqual(new Set(commands), new Set([undefined]));
  });

  describe('of a scope that is a URL', () => {
    const scope = 'https://www.googleapis.example/auth/spreadsheets.readonly';
    const own = [
      { connectionMethodId: 'oauth', minimalScopes: ['openid'], requiredScopes: [scope, 'drive'] },
    ];
    const requirement = { ...off, binding: 'n', accountId: 'b', connections: own };
    const row = () =>
      rowsOf({ authorization: { accounts: [bare], requirements: [requirement] } }).find(
        ({ text }) => text.startsWith('…/'),
      )!;

    it('show its end', () => {
      assert.equal(row().text, '…/spreadsheets.readonly | missing · required');
    });

    it('tell a screen reader the whole URL', () => {
      assert.equal(row().spoken.split(', ')[0], scope);
    });
  });

  it('show labels of 200 characters, with visible control characters', () => {
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
    const shownName = (word: string) => name(word).replace('\u0007', '␇');
    const expected = [
      ...['deployment', 'account', 'code', 'scope', 'requirement'].map(shownName),
      `Reconnect ${shownName('account')}`,
    ];
    const missing = expected.filter((label) => !labels.includes(label));
    assert.deepEqual(missing, []);
  });

  describe('of eligible accounts', () => {
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
    const rows = () => rowsOf({ authorization: { accounts, requirements: [requirement] } });

    it('follow the bound one from best to worst', () => {
      const all = rows();
      const at = all.findIndex(({ kind }) => kind === 'requirement');
      assert.deepEqual(
        all.slice(at, at + 6).map(({ icon, text }) => `${icon.split(' ')[0]} | ${text}`),
        [
          'warning | x | not satisfied · no account gone',
          'question | gone | not in this deployment · bound',
          'account | whole | eligible',
          'question | unknown | not in this deployment · eligible',
          'account | b | missing channels:read +1 · eligible',
          'error | f | failed · eligible',
        ],
      );
    });

    it('advise to use the best account', () => {
      const advices = rows().filter(({ kind }) => kind === 'advice');
      const use = advices.find(({ text }) => text.startsWith('Use'));
      assert.match(use!.text, /^Use whole \+1/);
    });
  });

  describe('of a new problem', () => {
    it('do not tell a screen reader since when it is seen', () => {
      assert.doesNotMatch(adviceOfNewProblem().spoken, /Seen/);
    });

    it('do not say in a hover since when it is seen', () => {
      assert.doesNotMatch(readIn(adviceOfNewProblem().hover()), /Seen/);
    });
  });

  describe('of a requirement whose account has failed', () => {
    it('have a gray icon', () => {
      assert.equal(
        rowOf('requirement', { authorization: billing }).icon,
        'debug-disconnect disabledForeground',
      );
    });

    it('have a gray label', () => {
      assert.equal(
        decorationOf(rowOf('requirement', { authorization: billing }).item.resourceUri!)?.color?.id,
        'descriptionForeground',
      );
    });

    it('have the icon in the hover', () => {
      assert.match(
        readIn(rowOf('requirement', { authorization: billing }).hover()),
        /^\$\(debug-disconnect\) /,
      );
    });
  });

  describe('when the last read failed', () => {
    it('have gray icons', () => {
      const colors = new Set(rowsAfterFailure({}).map(({ icon }) => icon.split(' ')[1]));
      assert.deepEqual(colors, new Set(['disabledForeground']));
    });

    it('have no colored labels', () => {
      const colors = new Set(rowsAfterFailure({}).map(({ decorated }) => decorated));
      assert.deepEqual(colors, new Set([undefined]));
    });

    it('tell a screen reader as of when', () => {
      const times = new Set(
        rowsAfterFailure({ age: 61 }).map(({ spoken }) => spoken.split(' as of ').at(-1)),
      );
      assert.deepEqual(times, new Set([clockTime(anHourAgo, now)]));
    });
  });

  describe('with a clock 2 hours ahead', () => {
    const facts = { authorization: billing, clockOffsetMs: minutes(-120) };

    it('say a check’s age by the platform’s clock', () => {
      assert.equal(rowOf('check', facts).text, 'Checked 1 hour ago');
    });

    it('tell a screen reader the time of a check', () => {
      const time = / on (.*?)\. This/.exec(rowOf('check', facts).spoken)?.[1];
      assert.equal(time, absoluteTime(now - minutes(180)));
    });

    it('tell a screen reader how far it is ahead', () => {
      assert.match(
        rowOf('check', facts).spoken,
        / This machine’s clock is 2 hr ahead of the platform’s\.$/,
      );
    });
  });

  for (const [failure, text, menu] of [
    [notFound, 'Check the ID', 'failureNotFound'],
    [denied, 'Ask for the permission', 'failure canRequest'],
    [rejected, 'Sign in with a new token', 'failureTokenRejected'],
    [{ kind: 'serverError', status: 503 }, 'Try again later', 'failure'],
    [{ kind: 'timedOut', after: 30_000 }, 'Try again, or allow more time', 'failure'],
    [{ kind: 'unusable', status: 200, reason: 'wrongShape' }, 'Check the connection', 'failure'],
    [{ kind: 'clientError', status: 418 }, 'See the log', 'failure'],
  ] satisfies readonly (readonly [Failure, string, string])[]) {
    it(`begin with the advice “${text}” when the read failed: ${failure.kind}`, () => {
      const row = rowsOf({ failure })[1]!;
      assert.equal(row.text, text);
      assert.equal(row.icon, 'lightbulb editorLightBulb.foreground');
      assert.equal(row.item.contextValue, menu);
      assert.equal(row.spoken.slice(-tried.length), tried);
    });
  }

  describe('with an unknown state', () => {
    it('begin with the advice to refresh', () => {
      const row = rowsOf({ authorization: unsaid })[1]!;
      assert.equal(row.text, 'Refresh this deployment | crm');
      assert.equal(row.kind, 'unknown');
      assert.equal(row.icon, 'lightbulb editorLightBulb.foreground');
    });

    it('tell a screen reader the reason', () => {
      assert.equal(
        rowOf('unknown', { authorization: unsaid }).spoken,
        'Refresh this deployment, crm (salesforce): the platform does not say whether it is satisfied.',
      );
    });

    it('have the button Refresh Deployment', () => {
      assert.equal(rowOf('unknown', { authorization: unsaid }).item.contextValue, 'outdated');
    });

    describe('and a dashboard', () => {
      it('advise to look in the dashboard', () => {
        assert.equal(look(itemWithDashboard()).text, 'Look in the dashboard | crm');
      });

      it('have the button Open in Dashboard', () => {
        assert.equal(itemWithDashboard().contextValue, 'advice');
      });
    });
  });

  it('begin with the advice to refresh when a part is unreadable', () => {
    const row = rowsOf(sent([5]))[1]!;
    assert.equal(row.text, 'Refresh this deployment');
    assert.equal(row.kind, 'unknown');
  });

  for (const [situation, facts] of [
    ['there is a problem', { authorization: billing }],
    ['the answer is old', { authorization: unsaid, failure: notFound }],
  ] satisfies readonly (readonly [string, DeploymentFacts])[]) {
    it(`have no advice for what is unknown when ${situation}`, () => {
      const kinds = rowsOf(facts).map(({ kind }) => kind);
      assert.deepEqual(
        kinds.filter((kind) => kind === 'unknown'),
        [],
      );
    });
  }
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
    [{ kind: 'untrusted', ignored: { mutes: list } }, 'Workspace mutes ignored', 'manageTrust'],
    [
      { kind: 'untrusted', ignored: { owners: list, mutes: list } },
      'Workspace owners and mutes ignored',
      'manageTrust',
    ],
    [
      { kind: 'untrusted', ignored: { deployments: list, mutes: list } },
      'Workspace list ignored',
      'manageTrust',
    ],
    [
      { kind: 'untrusted', ignored: { deployments: list, owners: list, mutes: list } },
      'Workspace list ignored',
      'manageTrust',
    ],
  ];

  for (const [cause, text, command] of causes) {
    const situation = cause.kind === 'failure' && cause.asOf === undefined ? ', never read' : '';
    const ignoredSettings = cause.kind === 'untrusted' ? Object.keys(cause.ignored) : [];
    const title = `${[text.split(' | ')[0], ...ignoredSettings].join(' of ')}${situation}`;

    it(`says the cause and its step: ${title}`, () => {
      assert.equal(look(itemOf(cause)).text, text);
    });

    it(`runs ${command} on a click: ${title}`, () => {
      assert.equal(itemOf(cause).command?.command, `automationPlatform.${command}`);
    });

    it(`has a button for ${command}: ${title}`, () => {
      assert.deepEqual(buttonsOf(itemOf(cause)), [`automationPlatform.${command}`]);
    });

    it(`links ${command} in its hover: ${title}`, () => {
      const { value, isTrusted } = causeHoverOf(cause);
      assert.match(
        value,
        new RegExp(`\\]\\(command:automationPlatform\\.${command}\\?[^)]*\\)\\*\\*$`),
      );
      assert.deepEqual(isTrusted, { enabledCommands: [`automationPlatform.${command}`] });
    });

    it(`tells a screen reader the time at most once: ${title}`, () => {
      const { spoken } = look(itemOf(cause));
      const hasTime = cause.kind === 'failure' && cause.asOf !== undefined;
      const times = Array.from(spoken.matchAll(/ (as of .*)$/g), ([, time]) => time);
      assert.deepEqual(times, hasTime ? [asOf] : [], spoken);
    });
  }

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
    [{ mutes: list }, 'Mutes in .vscode/settings.json are ignored, because'],
    [
      { owners: list, mutes: list },
      'Owners and mutes in .vscode/settings.json are ignored, because',
    ],
    [
      { deployments: { ...list, count: 1 }, mutes: list },
      '1 deployment and mutes in .vscode/settings.json are ignored, because',
    ],
    [
      { deployments: list, owners: list, mutes: { count: 1, files: ['a.json'] } },
      '8 deployments, owners, and mutes in .vscode/settings.json and a.json are ignored, because',
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
    const beginning = `${expected} this workspace is not trusted. Trust the workspace to use `;
    const cause: ElementOf<'cause'>['cause'] = { kind: 'untrusted', ignored };

    it(`says in its hover: ${expected}`, () => {
      assert.equal(readIn(causeHoverOf(cause)).slice(0, beginning.length), beginning);
    });

    it(`tells a screen reader: ${expected}`, () => {
      const { spoken } = look(itemOf(cause));
      const explanation = spoken.slice(spoken.indexOf(' ignored, ') + ' ignored, '.length);
      assert.equal(explanation.slice(0, beginning.length), beginning);
    });
  }

  it('has no link in its hover during a pause', () => {
    assert.doesNotMatch(causeHoverOf({ kind: 'paused', until }).value, /command:/);
  });

  it('says when a pause ends', () => {
    assert.equal(itemOf({ kind: 'paused', until }).label, `Paused until ${clockTime(until, now)}`);
  });

  it('says a time without a leading zero and without a zone', () => {
    const morning = new Date(now).setHours(9, 5);
    const item = itemOf({ ...shared, failure: slow, asOf: morning });
    assert.match(String(item.description), /as of (Nov \d+, 2026, )?9:05\sAM$/);
  });

  it('tells a screen reader a lost connection without the code of a library', () => {
    assert.equal(
      look(itemOf({ ...shared, failure: lost })).spoken,
      `Connection lost, api.acme.example closed the connection before the response was complete. Check the connection to see which step fails. Check Connection, ${asOf}`,
    );
  });

  it('tells a screen reader each fact once when the machine is offline', () => {
    assert.equal(
      look(itemOf({ ...shared, failure: slow, isOffline: true })).spoken,
      `Offline, No deployment can be read. Check the connection to see which step fails. Check Connection, ${asOf}`,
    );
  });

  describe('in a remote window', () => {
    inRemoteWindow();

    it('says the age of the last answers', () => {
      const { text } = look(itemOf({ ...shared, failure: slow, asOf: now - minutes(12) }));
      assert.equal(text, 'Timed out | Check Connection · as of 12 min ago');
    });

    it('tells a screen reader the time and the zone of the last answers', () => {
      const { spoken } = look(itemOf({ ...shared, failure: slow, asOf: now - minutes(12) }));
      assert.match(spoken, /, as of \d?\d:\d\d\s[AP]M [A-Z]+([+-]\d+)?$/);
    });

    it('says in the first minute that the last answers are as of now', () => {
      const { text } = look(itemOf({ ...shared, failure: slow, asOf: now - 1 }));
      assert.equal(text, 'Timed out | Check Connection · as of now');
    });

    it('says the minutes that are left of a pause', () => {
      assert.equal(itemOf({ kind: 'paused', until: now + 117_000 }).label, 'Paused, 2 min left');
      assert.equal(itemOf({ kind: 'paused', until: now + minutes(4) }).label, 'Paused, 4 min left');
    });
  });
});

/** Whether the `when` of a menu in the manifest matches the context value of this row. */
function isShownFor({ contextValue = '' }: vscode.TreeItem, when: string): boolean {
  const [, pattern] = /viewItem =~ \/(.*?)\/(?: |$)/.exec(when) ?? [];
  return pattern !== undefined && new RegExp(pattern).test(contextValue);
}

/** Our commands that are buttons in this row. */
function buttonsOf(item: vscode.TreeItem): readonly string[] {
  const { packageJSON } = vscode.extensions.getExtension(extensionId)!;
  const menu: { command: string; when: string; group: string }[] =
    packageJSON.contributes.menus['view/item/context'];
  return menu
    .filter(({ group, when }) => group.startsWith('inline') && isShownFor(item, when))
    .map(({ command }) => command);
}

/** The text of the hover of the first row of a kind. */
function hoverOf(kind: TreeElement['kind'], facts: DeploymentFacts): string {
  const row = rowsOf(facts).find((one) => one.kind === kind);
  return readIn(row?.hover());
}

/** Rows that only say how many others they hold. */
const folded: readonly TreeElement['kind'][] = ['satisfied', 'accounts', 'effects'];

describe('a hover in the tree', () => {
  it('names the rows that a row only counts', () => {
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

  it('names ten of the rows that a row only counts, and counts the others', () => {
    const requirements = Array.from({ length: 12 }, (_, at) => ({
      binding: `r${at}`,
      satisfied: true,
    }));
    assert.match(
      hoverOf('satisfied', sent([], requirements)),
      /^\*\*12 satisfied\*\*\n[^]*\n- r9\n- 2 more$/,
    );
  });

  it('is there on each colored row, where VS Code would show the resource URI instead', () => {
    const failing = ['East', 'West', 'North', 'South'].map((id) => ({ id, error: {} }));
    const requirements = [
      ...billing.requirements,
      { ...off, binding: 'to East', accountId: 'East' },
    ];
    const rows = rowsOf(sent([...failing, ...billing.accounts], requirements));
    const colored = rows.filter(({ decorated }) => decorated !== undefined);
    const kinds = new Set(colored.map(({ kind }) => kind));
    const withoutHover = colored.filter(({ hover }) => hover() === undefined);
    assert.deepEqual(kinds, new Set(['deployment', 'account', 'effects', 'requirement']));
    assert.deepEqual(
      withoutHover.map(({ text }) => text),
      [],
    );
  });

  describe('with fields that no sentence names', () => {
    const [failed] = billing.accounts;
    const error = { ...failed?.error, since: 'Monday' };
    const more = { quota: { used: 812 }, 'odd `name`': true };
    const authorization = {
      accounts: [{ ...failed, ...more, error }],
      requirements: [
        { ...billing.requirements[0], priority: 'high', connections: [{ region: 'eu' } as object] },
      ],
    };

    it('lists the fields of an account', () => {
      const lastLine = hoverOf('accountError', { authorization }).split('\n').at(-1)!;
      const fields = lastLine.replaceAll(/<[^>]*>/g, '').split(' · ');
      assert.deepEqual(fields, [
        'serviceSub T02',
        'connectionMethodId slack-oauth',
        'scopes chat:write',
        'error.since Monday',
        'quota.used 812',
        'odd `name` true',
      ]);
    });

    it('lists the fields of a requirement', () => {
      assert.match(hoverOf('requirement', { authorization }), /\bpriority high\b/);
    });

    it('lists the fields of a connection method', () => {
      assert.match(hoverOf('connection', { authorization }), /\bregion eu\b/);
    });

    it('lists a field that is 100,000 lists deep', () => {
      let tower: unknown = 1;
      for (let depth = 0; depth < 100_000; depth++) tower = [tower];
      const withTower = Object.assign({ tower }, satisfied);
      assert.match(hoverOf('deployment', { authorization: withTower }), /tower \[\[\[/);
    });
  });

  it('lists ten unreadable fields with the expected type', () => {
    const facts = { authorization: satisfied, decodeIssues: manyDecodeIssues };
    assert.match(
      hoverOf('unreadable', facts),
      /^400 fields unreadable[^]*accounts\[0\]\.label: string expected, number found\n- 390 more$/,
    );
  });
});

describe('the row of unreadable fields', () => {
  const facts = { authorization: satisfied, decodeIssues: manyDecodeIssues };

  it('stands before the satisfied requirements', () => {
    const kinds = rowsOf(facts).map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(0, 3), ['deployment', 'unreadable', 'satisfied']);
  });

  it('counts the fields', () => {
    assert.equal(rowOf('unreadable', facts).text, '400 fields unreadable');
  });

  it('tells a screen reader only the number', () => {
    assert.equal(rowOf('unreadable', facts).spoken, '400 fields unreadable');
  });

  it('has an icon of an information', () => {
    assert.equal(rowOf('unreadable', facts).icon, 'info problemsInfoIcon.foreground');
  });
});

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

describe('the row of a deployment', () => {
  const read = `read ${clockTime(now, now)}`;
  const tried = `tried ${clockTime(now - minutes(1), now)}`;
  const unreadable = [{ path: 'accounts[0].label', expected: 'string', found: 'number' }] as const;
  const stripe = { serviceId: 'stripe', satisfied: true };
  const off = { satisfied: false };

  /** `spoken`: what a screen reader says after name and kind. */
  const cases: readonly [text: string, icon: string, spoken: string, DeploymentFacts][] = [
    [
      'Billing… of EU | Finance Slack failed',
      'error problemsErrorIcon.foreground',
      `Failed: 1 account failed, 1 of 3 not satisfied, ${read}`,
      { label: 'Billing synchronization of EU', authorization: billing },
    ],
    [
      'dep_1 | 2 accounts failed',
      'error problemsErrorIcon.foreground',
      `Failed: 2 accounts failed, 1 of 1 not satisfied, ${read}`,
      { authorization: { accounts: [{ id: 'a', error: {} }, { error: {} }], requirements: [off] } },
    ],
    [
      'dep_1 | 1 of 2 not satisfied · stale, read 1 hour ago',
      'warning problemsWarningIcon.foreground',
      `Not satisfied: 1 of 2 not satisfied, stale, Timed out, ${tried}, read ${clockTime(now - minutes(61), now)}`,
      { authorization: { accounts: [], requirements: [off, stripe] }, age: 61, failure: timedOut },
    ],
    [
      'dep_1 | stale · 2 of 2 satisfied',
      'pass disabledForeground',
      `Satisfied: 2 of 2 satisfied, stale, Timed out, ${tried}, ${read}`,
      { authorization: satisfied, failure: timedOut },
    ],
    [
      'dep_1 | 2 of 2 satisfied',
      'pass charts.green',
      `Satisfied: 2 of 2 satisfied, ${read}`,
      { authorization: satisfied },
    ],
    [
      'dep_1 | 2 of 2 satisfied · reading',
      'sync~spin',
      `Satisfied: 2 of 2 satisfied, ${read}, reading`,
      { authorization: satisfied, activity: 'reading' },
    ],
    [
      'dep_1 | 1 unknown · 1 of 2 satisfied',
      'question',
      `Unknown: 1 unknown, 1 of 2 satisfied, ${read}`,
      { authorization: { accounts: [], requirements: [stripe, {}] } },
    ],
    [
      'dep_1 | 1 field unreadable · nothing required',
      'pass charts.green',
      `Satisfied: nothing required, 1 field unreadable, ${read}`,
      { authorization: { accounts: [], requirements: [] }, unreadable },
    ],
    ['dep_1 | not read yet', 'circle-large-outline disabledForeground', 'Not read yet', {}],
    ['dep_1 | waiting', 'watch disabledForeground', 'Not read yet, waiting', { activity: 'waiting' }],
    ['dep_1 | Not found', 'question', `Unknown, Not found, ${tried}`, { failure: notFound }],
  ];
  for (const [text, icon, spoken, facts] of cases) {
    it(text, () => {
      const row = rowsOf(facts)[0]!;
      const said = `${facts.label ?? 'dep_1'}, deployment, ${spoken}`;
      assert.deepEqual([row.text, row.icon, row.spoken], [text, icon, said]);
    });
  }

  it('has the element’s id, a menu, opens if there is something below, and selects on a click', () => {
    const { item } = rowsOf({ authorization: billing })[0]!;
    assert.deepEqual([item.id, item.contextValue, item.command], ['deployment:dep_1', 'deployment canMute', undefined]);
    assert.equal(item.collapsibleState, vscode.TreeItemCollapsibleState.Collapsed);
    assert.equal(rowsOf({})[0]!.item.collapsibleState, vscode.TreeItemCollapsibleState.None);
    assert.equal(rowsOf({ failure: notFound })[0]!.item.contextValue, 'deploymentNotFound');
  });
});

describe('the rows below a deployment', () => {
  it('say what the drawing of the design says, and to a screen reader name, kind and state in full', () => {
    const seen = `Seen since ${clockTime(now - minutes(90), now)}.`;
    const reconnect = 'Reconnect Finance Slack (slack) with the scope channels:read.';
    const said = rowsOf({ authorization: billing }).map(({ icon, text, spoken, item }) => [
      `${icon.split(' ')[0]} | ${text}`,
      spoken,
      item.contextValue ?? '',
    ]);
    assert.deepEqual(said.slice(1), [
      [
        'warning | notifier | missing channels:read · slack',
        'notifier, requirement, not satisfied, Finance Slack is missing channels:read. slack',
        'requirement canMute',
      ],
      [
        `lightbulb | Grant channels:read | ${seen}`,
        `Grant channels:read, ${reconnect} Or use one of the eligible accounts: Ops Slack, acc_9. ${seen}`,
        'advice canMute',
      ],
      [
        'error | Finance Slack | failed: token_revoked',
        'Finance Slack, account, failed, token_revoked, slack, checked 3 hours ago, bound',
        'account canMute',
      ],
      ['circle-large-outline | Ops Slack | eligible', 'Ops Slack, account, no error, slack, eligible', 'account'],
      [
        'question | acc_9 | not among the accounts · eligible',
        'acc_9, account, not among the accounts, eligible',
        'account',
      ],
      ['key | slack-oauth | 1 of 2 granted', 'slack-oauth, connection method, 1 of 2 granted', 'connection'],
      ['close | channels:read | missing · required', 'channels:read, scope, missing, required', 'scope'],
      ['check | chat:write | granted · required, minimal', 'chat:write, scope, granted, required, minimal', 'scope'],
      ['question | google-sheets | unknown', 'google-sheets, requirement, unknown', 'requirement'],
      ['pass | ledger | stripe', 'ledger, requirement, satisfied, stripe', 'requirement'],
      [
        'error | Finance Slack | token_revoked · checked 3 hours ago',
        'Finance Slack, account, failed, token_revoked, slack, checked 3 hours ago',
        'account canMute',
      ],
      [
        'error | token_revoked | The workspace admin removed the app.',
        'token_revoked, error of the account, The workspace admin removed the app.',
        '',
      ],
      [`lightbulb | Reconnect Finance Slack | ${seen}`, `${reconnect} ${seen}`, 'advice canMute'],
      ['tag | chat:write', 'chat:write, scope, granted', 'scope'],
      ['pass | Ops Slack | slack', 'Ops Slack, account, no error, slack', 'account'],
    ]);
  });

  it('say a long label in part and a scope that is a URL by its end, and both in full to a screen reader', () => {
    const scope = 'https://www.googleapis.example/auth/spreadsheets.readonly';
    const account = { id: 'a', connectionMethodId: 'oauth', scopes: [] };
    const connections = [{ connectionMethodId: 'oauth', minimalScopes: ['openid'], requiredScopes: [scope, 'drive'] }];
    const requirement = { binding: 'A very long name of a requirement', satisfied: false, accountId: 'a', connections };
    const rows = rowsOf({ authorization: { accounts: [account], requirements: [requirement] } });
    const beginning = (text: string) => rows.find((row) => row.text.startsWith(text))!;
    assert.equal(beginning('A v').text, 'A v…nt | missing …/spreadsheets.readonly +1');
    assert.match(beginning('A v').spoken, /^A very long name of a requirement, requirement/);
    assert.equal(beginning('…/').text, '…/spreadsh….readonly | missing · required');
    assert.ok(beginning('…/').spoken.startsWith(`${scope}, scope`));
    assert.equal(beginning('oauth').text, 'oauth | 0 of 2 granted');
  });

  it('say of an eligible account that it has failed itself', () => {
    const requirements = [{ satisfied: false, eligibleAccountIds: ['b'] }];
    const rows = rowsOf({ authorization: { accounts: [{ id: 'b', error: {} }], requirements } });
    const { icon, text } = rows.find(({ item }) => item.id?.endsWith('/eligible:b'))!;
    assert.deepEqual([icon, text], ['error problemsErrorIcon.foreground', 'b | failed · eligible']);
  });

  it('say since when a problem has been seen only if an older answer had it', () => {
    const advice = rowsOf({ authorization: billing, seenSince: now }).find(({ kind }) => kind === 'advice')!;
    assert.equal(advice.item.description, undefined);
    assert.doesNotMatch(readIn(advice.hover()), /Seen/);
  });

  it('have a colour without a letter where there is a problem, by an address without any id, and a click selects', () => {
    const rows = rowsOf({ authorization: billing });
    assert.ok(rows.every(({ item }) => item.command === undefined));
    const decorated = rows.flatMap(({ item: { resourceUri, label } }) => {
      const { color, badge } = (resourceUri && decorationOf(resourceUri)) ?? {};
      return resourceUri ? [[label, resourceUri.toString(), color?.id, badge]] : [];
    });
    const failed = ['automation-platform-problem:failed', 'list.errorForeground', undefined];
    assert.deepEqual(decorated, [
      ['dep_1', ...failed],
      ['notifier', 'automation-platform-problem:notSatisfied', 'list.warningForeground', undefined],
      ['Finance Slack', ...failed],
      ['Finance Slack', ...failed],
    ]);
    const muted = vscode.Uri.from({ scheme: 'automation-platform-problem', path: 'muted' });
    assert.equal(decorationOf(muted)?.color?.id, 'descriptionForeground');
    assert.equal(decorationOf(vscode.Uri.file('failed')), undefined);
  });

  const failures: readonly [Failure, text: string, menu: string][] = [
    [notFound, 'Not found | Check the ID', 'failureNotFound'],
    [{ kind: 'tokenRejected', status: 401 }, 'Token rejected | ', 'failureTokenRejected'],
    [{ kind: 'serverError', status: 503 }, 'Server error | ', 'failure'],
  ];
  for (const [failure, text, menu] of failures) {
    it(`say why nothing could be read, and the next step: ${text}`, () => {
      const row = rowsOf({ failure })[1]!;
      assert.ok(row.text.startsWith(text), row.text);
      assert.equal(row.item.contextValue, menu);
      assert.match(row.spoken, /tried /);
    });
  }
});

describe('the first row', () => {
  const dns = { step: 'dns', code: 'ENOTFOUND', host: 'api.acme.example' } as const;
  const until = Date.now() + minutes(5);
  const causes: readonly [CauseElement['cause'], text: string, command: string][] = [
    [
      { kind: 'failure', failure: { kind: 'unreachable', cause: dns }, at: now },
      'Unreachable (DNS) | Check Connection…',
      'automationPlatform.checkConnection',
    ],
    [{ kind: 'paused', until }, `Rate limited until ${clockTime(until)} | Show Log`, 'automationPlatform.showLog'],
    [{ kind: 'untrusted' }, 'Workspace list not used | Manage Trust', 'workbench.trust.manage'],
  ];
  for (const [cause, text, command] of causes) {
    it(`says what holds for all, and a click does what helps: ${text}`, () => {
      const item = providerOf({}).getTreeItem({ kind: 'cause', id: 'cause', copyId: undefined, cause });
      assert.deepEqual([look(item).text, item.command?.command], [text, command]);
    });
  }
});

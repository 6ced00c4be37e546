import { strict as assert } from 'node:assert';
import { Uri } from 'vscode';
import type { Failure } from '../../../../src/api/failure.js';
import { clockTime } from '../../../../src/host/text/format.js';
import type { CauseElement } from '../../../../src/model/tree/elements.js';
import { decorationOf } from '../../../../src/views/tree/row.js';
import { billing, deployment, minutes, now, providerOf, readIn, rowsOf } from '../fixtures.js';
import { look } from '../look.js';

const seen = `Seen since ${clockTime(now - minutes(90), now)}.`;
const both =
  'Reconnect Finance Slack (slack) with the scope channels:read. Or use one of the eligible accounts: Ops Slack, acc_9.';
const one = 'Reconnect Finance Slack (slack) with the scope channels:read.';

describe('the rows below a deployment', () => {
  it('say what the drawing of the design says, and to a screen reader name, kind and state in full', () => {
    const rows = rowsOf({ authorization: billing }).slice(1);
    const said = rows.map(({ icon, text, spoken }) => [`${icon.split(' ')[0]} | ${text}`, spoken]);
    assert.deepEqual(said, [
      [
        'warning | notifier | missing channels:read · slack',
        'notifier, requirement, not satisfied, Finance Slack is missing channels:read. slack',
      ],
      [`lightbulb | Grant channels:read | ${seen}`, `Grant channels:read, ${both} ${seen}`],
      [
        'error | Finance Slack | failed: token_revoked',
        'Finance Slack, account, failed, token_revoked, slack, checked 3 hours ago, bound',
      ],
      ['circle-large-outline | Ops Slack | eligible', 'Ops Slack, account, no error, slack, eligible'],
      ['question | acc_9 | not among the accounts · eligible', 'acc_9, account, not among the accounts, eligible'],
      ['key | slack-oauth | 1 of 2 granted', 'slack-oauth, connection method, 1 of 2 granted'],
      ['close | channels:read | missing · required', 'channels:read, scope, missing, required'],
      ['check | chat:write | granted · required, minimal', 'chat:write, scope, granted, required, minimal'],
      ['question | google-sheets | unknown', 'google-sheets, requirement, unknown'],
      ['pass | ledger | stripe', 'ledger, requirement, satisfied, stripe'],
      [
        'error | Finance Slack | token_revoked · checked 3 hours ago',
        'Finance Slack, account, failed, token_revoked, slack, checked 3 hours ago',
      ],
      [
        'error | token_revoked | The workspace admin removed the app.',
        'token_revoked, error of the account, The workspace admin removed the app.',
      ],
      [`lightbulb | Reconnect Finance Slack | ${seen}`, `${one} ${seen}`],
      ['tag | chat:write', 'chat:write, scope, granted'],
      ['pass | Ops Slack | slack', 'Ops Slack, account, no error, slack'],
    ]);
  });

  it('say a long label in part and a scope that is a URL by its end, and both in full to a screen reader', () => {
    const scope = 'https://www.googleapis.example/auth/spreadsheets.readonly';
    const label = 'The finance department’s Sheets';
    const account = { id: 'a', label, connectionMethodId: 'oauth', scopes: [] };
    const connections = [{ connectionMethodId: 'oauth', minimalScopes: ['openid'], requiredScopes: [scope, 'drive'] }];
    const requirement = { binding: 'A very long name of a requirement', satisfied: false, accountId: 'a', connections };
    const looks = rowsOf({ authorization: { accounts: [account], requirements: [requirement] } });
    const texts = looks.map(({ text }) => text);
    assert.ok(texts.includes('A v…nt | missing …/spreadsheets.readonly +1'), texts.join('\n'));
    assert.ok(texts.includes('oauth | 0 of 2 granted'), texts.join('\n'));
    assert.ok(texts.includes('…/spreadsh….readonly | missing · required'), texts.join('\n'));
    assert.ok(looks.some(({ spoken }) => spoken.startsWith(`${scope}, scope`)));
    assert.ok(looks.some(({ spoken }) => spoken.startsWith('A very long name of a requirement, requirement')));
  });

  it('say of an eligible account that it has failed itself', () => {
    const requirements = [{ satisfied: false, eligibleAccountIds: ['b'] }];
    const rows = rowsOf({ authorization: { accounts: [{ id: 'b', error: {} }], requirements } });
    const { icon, text } = rows.find(({ item }) => item.id?.endsWith('/eligible:b') === true)!;
    assert.deepEqual([icon, text], ['error problemsErrorIcon.foreground', 'b | failed · eligible']);
  });

  it('say since when a problem has been seen only if an older answer had it', () => {
    const advice = rowsOf({ authorization: billing, seenSince: now }).find(({ kind }) => kind === 'advice')!;
    assert.equal(advice.item.description, undefined);
    assert.doesNotMatch(readIn(advice.hover()), /Seen/);
  });

  it('have different ids and the menus of the manifest, and a click selects', () => {
    const items = rowsOf({ authorization: billing })
      .slice(1)
      .map(({ item }) => item);
    assert.equal(new Set(items.map(({ id }) => id)).size, items.length);
    assert.deepEqual([...new Set(items.map(({ contextValue = 'none' }) => contextValue))].toSorted(), [
      'account',
      'account canMute',
      'advice canMute',
      'connection',
      'none',
      'requirement',
      'requirement canMute',
      'scope',
    ]);
    assert.ok(items.every(({ command }) => command === undefined));
  });

  it('have a colour without a letter where there is a problem, by an address without any id', () => {
    const decorated = rowsOf({ authorization: billing }).flatMap(({ item: { resourceUri, label } }) => {
      const { color, badge } = (resourceUri && decorationOf(resourceUri)) ?? {};
      return resourceUri ? [[label, resourceUri.toString(), color?.id, badge]] : [];
    });
    assert.deepEqual(decorated, [
      ['dep_1', 'automation-platform-problem:failed', 'list.errorForeground', undefined],
      ['notifier', 'automation-platform-problem:notSatisfied', 'list.warningForeground', undefined],
      ['Finance Slack', 'automation-platform-problem:failed', 'list.errorForeground', undefined],
      ['Finance Slack', 'automation-platform-problem:failed', 'list.errorForeground', undefined],
    ]);
    const muted = Uri.from({ scheme: 'automation-platform-problem', path: 'muted' });
    assert.equal(decorationOf(muted)?.color?.id, 'descriptionForeground');
    assert.equal(decorationOf(Uri.file('failed')), undefined);
  });

  const failures: readonly [Failure, text: string, menu: string][] = [
    [{ kind: 'notFound', status: 404 }, 'Not found | Check the ID', 'failureNotFound'],
    [{ kind: 'tokenRejected', status: 401 }, 'Token rejected | ', 'failureTokenRejected'],
    [{ kind: 'serverError', status: 503 }, 'Server error | ', 'failure'],
  ];
  for (const [failure, text, menu] of failures) {
    it(`say why nothing could be read, and the next step: ${text}`, () => {
      const row = rowsOf({ failure })[1]!;
      assert.ok(row.text.startsWith(text), row.text);
      assert.deepEqual([row.item.contextValue, row.item.command], [menu, undefined]);
      assert.doesNotMatch(row.text, /acme/);
      assert.match(row.spoken, /tried /);
    });
  }
});

describe('the first row', () => {
  const dns = { step: 'dns', code: 'ENOTFOUND', host: 'api.acme.example' } as const;
  const until = Date.now() + minutes(5);
  const causes: readonly [CauseElement['cause'], text: string, command: string][] = [
    [
      { kind: 'failure', failure: { kind: 'tokenRejected', status: 401 }, at: now },
      'Token rejected | Sign In…',
      'automationPlatform.signIn',
    ],
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
      const row = { kind: 'cause', id: 'cause', copyId: undefined, cause } as const;
      const item = providerOf(deployment({})).getTreeItem(row, now);
      assert.deepEqual([look(item).text, item.command?.command], [text, command]);
    });
  }
});

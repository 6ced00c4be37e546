import { strict as assert } from 'node:assert';
import type * as vscode from 'vscode';
import { absoluteTime, clockTime } from '../../../../src/host/text/format.js';
import type { CauseElement, TreeElement } from '../../../../src/model/tree/elements.js';
import { below } from '../../hostile/below.js';
import { billing, deployment, minutes, now, organization, treeOf } from '../fixtures.js';
import { labelOf, look } from '../look.js';

function itemOf(element: TreeElement): vscode.TreeItem {
  return treeOf(deployment({})).provider.getTreeItem(element, now);
}

const seen = `Seen since ${clockTime(now - minutes(90), now)}.`;
const both =
  'Reconnect Finance Slack (slack) with the scope channels:read. Or use one of the eligible accounts: Ops Slack, acc_9.';
const one = 'Reconnect Finance Slack (slack) with the scope channels:read.';

describe('the rows below a deployment', () => {
  it('say what the drawing of the design says', () => {
    const { root, provider } = treeOf(deployment({ authorization: billing }));
    const rows = below(provider, root).map((element) => {
      const { icon, text } = look(itemOf(element));
      return `${icon.split(' ')[0]} | ${text}`;
    });
    assert.deepEqual(rows, [
      'warning | notifier | slack · not satisfied · channels:read missing',
      `lightbulb | ${both} | ${seen}`,
      'error | Finance Slack | bound account · token_revoked',
      'circle-large-outline | Ops Slack | eligible account',
      'question | acc_9 | eligible account · not among the accounts',
      'key | slack-oauth | method of the bound account · 1 of 2 required scopes held',
      'close | channels:read | required · missing',
      'check | chat:write | required, minimal · held',
      'question | google-sheets | unknown: the service did not say',
      'pass | ledger | stripe · satisfied',
      'error | Finance Slack | slack · T02 · token_revoked · checked 3 hr. ago',
      'error | token_revoked | The workspace admin removed the app.',
      `lightbulb | ${one} | ${seen}`,
      'tag | chat:write',
      'history | Last check | 3 hr. ago',
      'pass | Ops Slack | slack · T01 · no error',
    ]);
  });

  it('are read aloud with name, kind, state and age', () => {
    const { root, provider } = treeOf(deployment({ authorization: billing }));
    const spoken = below(provider, root).map((element) => itemOf(element).accessibilityInformation?.label);
    assert.deepEqual(spoken, [
      'notifier, requirement, slack, not satisfied, channels:read missing',
      `${both} ${seen}`,
      'Finance Slack, account, failed, bound account, token_revoked',
      'Ops Slack, account, eligible account',
      'acc_9, account, eligible account, not among the accounts',
      'slack-oauth, connection method, method of the bound account, 1 of 2 required scopes held',
      'channels:read, scope, required, missing',
      'chat:write, scope, required, minimal, held',
      'google-sheets, requirement, unknown: the service did not say',
      'ledger, requirement, stripe, satisfied',
      'Finance Slack, account, failed, slack, T02, token_revoked, checked 3 hr. ago',
      'token_revoked, error of the account, The workspace admin removed the app.',
      `${one} ${seen}`,
      'chat:write, scope, held',
      `Last check, ${absoluteTime(now - minutes(180))}`,
      'Ops Slack, account, slack, T01, no error',
    ]);
  });

  it('have different ids, the menus of the manifest, and colour where there is a problem', () => {
    const { root, provider } = treeOf(deployment({ authorization: billing }));
    const items = below(provider, root).map(itemOf);
    assert.equal(new Set(items.map(({ id }) => id)).size, items.length);
    const decorated = items.flatMap((item) => (item.resourceUri ? [`${labelOf(item)} ${item.resourceUri.path}`] : []));
    assert.deepEqual(decorated, ['notifier /notSatisfied', 'Finance Slack /failed', 'Finance Slack /failed']);
    const menus = new Set(items.map(({ contextValue }) => contextValue));
    assert.deepEqual(menus, new Set(['requirement', undefined, 'account', 'connection', 'scope']));
  });

  it('say why nothing could be read, with what helps as the row’s command', () => {
    const { root, provider } = treeOf(deployment({ failure: { kind: 'tokenRejected', status: 401 } }));
    const item = itemOf(provider.getChildren(root)[0]!);
    assert.match(String(labelOf(item)), /^401: api\.acme\.example rejected the access token of “Acme production”\./);
    assert.deepEqual(item.command, {
      title: 'Sign In…',
      command: 'automationPlatform.signIn',
      arguments: [{ baseUrl: organization.baseUrl, name: organization.name }],
    });
  });

  it('count what could not be read', () => {
    const unreadable = [
      { path: 'accounts[0].label', expected: 'string', found: 'number' },
      { path: 'accounts[1].label', expected: 'string', found: 'null' },
    ] as const;
    const { root, provider } = treeOf(deployment({ authorization: billing, unreadable }));
    assert.deepEqual(look(itemOf(provider.getChildren(root)[0]!)), {
      icon: 'info problemsInfoIcon.foreground',
      text: '2 fields of this answer could not be read',
      spoken: '2 fields of this answer could not be read',
    });
  });
});

function row(cause: CauseElement['cause']): vscode.TreeItem {
  return itemOf({ kind: 'cause', id: 'cause', copyId: undefined, cause });
}

describe('the first row', () => {
  it('says that the token was rejected, and signs in', () => {
    const item = row({ kind: 'failure', failure: { kind: 'tokenRejected', status: 401 }, at: now });
    assert.equal(look(item).text, 'Token rejected (401) | Sign In…');
    assert.equal(item.command?.command, 'automationPlatform.signIn');
  });

  it('says why nothing can be reached, and checks the connection', () => {
    const cause = { step: 'dns', code: 'ENOTFOUND', host: 'api.acme.example' } as const;
    const item = row({ kind: 'failure', failure: { kind: 'unreachable', cause }, at: now });
    assert.equal(look(item).text, 'Unreachable: name api.acme.example not found (ENOTFOUND) | Check Connection…');
    assert.equal(item.command?.command, 'automationPlatform.checkConnection');
  });

  it('says until when the service wants to be left alone', () => {
    const until = Date.now() + minutes(5);
    const item = row({ kind: 'paused', until });
    assert.equal(look(item).text, `Paused by the service (429) until ${clockTime(until)} | Show Log`);
  });

  it('says that the list of a workspace that is not trusted is not used, and offers to trust it', () => {
    const item = row({ kind: 'untrusted' });
    assert.equal(look(item).text, 'Workspace lists not used | Manage Trust');
    assert.equal(item.command?.command, 'workbench.trust.manage');
  });
});

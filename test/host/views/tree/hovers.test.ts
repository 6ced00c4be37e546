import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import { deploymentSummary } from '../../../../src/host/text/deployment.js';
import { absoluteTime } from '../../../../src/host/text/format.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { below } from '../../hostile/below.js';
import { billing, deployment, minutes, now, satisfied, treeOf } from '../fixtures.js';
import { look } from '../look.js';

/** The text that a person reads: references resolved, marks of ours taken away. */
function shown(hover: vscode.MarkdownString): string {
  return hover.value
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replaceAll('\u00A0', ' ');
}

function hoverOf(element: TreeElement): vscode.MarkdownString {
  const { tooltip } = treeOf(deployment({})).provider.resolveTreeItem(new vscode.TreeItem(''), element);
  assert.ok(tooltip instanceof vscode.MarkdownString, element.kind);
  return tooltip;
}

function find(authorization: DeploymentAuthorization, kind: TreeElement['kind']): TreeElement {
  const { root, provider } = treeOf(deployment({ authorization }));
  const element = [root, ...below(provider, root)].find((one) => one.kind === kind);
  assert.ok(element, kind);
  return element;
}

describe('hovers', () => {
  it('of a deployment: state, absolute times, every problem with its advice, unknown fields', () => {
    let tower: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) tower = [tower];
    const authorization = { ...billing, environment: 'production', nested: { deep: [1, 2] }, tower };
    const { root } = treeOf(deployment({ label: 'Billing sync', authorization }));
    const text = shown(hoverOf(root));
    for (const part of [
      '**Billing sync** · dep_1',
      'Failed: 1 account failed, 1 of 3 not satisfied.',
      `Read on ${absoluteTime(now)}.`,
      'Finance Slack (slack) failed: token_revoked (The workspace admin removed the app).',
      `Seen since ${absoluteTime(now - minutes(90))}.`,
      'Reconnect Finance Slack (slack) with the scope channels:read.',
      'notifier: Finance Slack is missing channels:read.',
      '`environment` production',
      '`nested.deep` [1,2]',
      '`tower` [[[[[',
      'Organization: Acme production',
    ]) {
      assert.ok(text.includes(part), `${part}\n--- not in ---\n${text}`);
    }
  });

  it('of a deployment that could not be read: what it means, when it was tried, what came with it', () => {
    const { root } = treeOf(deployment({ failure: { kind: 'notFound', status: 404, excerpt: '{"no":"such"}' } }));
    const text = shown(hoverOf(root));
    assert.match(text, /Not found \(404\)\. The deployment was probably deleted/);
    assert.ok(text.includes(`Tried on ${absoluteTime(now - minutes(1))}.`));
    assert.ok(text.includes('Response: “{"no":"such"}”'));
  });

  it('of an account, a requirement and a connection: the fields that no sentence said, under their own names', () => {
    const quota = { quota: { used: 812 }, 'odd `name`': true };
    const error = { ...billing.accounts[0]?.error, since: 'Monday' };
    const authorization = {
      accounts: [{ ...billing.accounts[0], ...quota, error }],
      requirements: [{ ...billing.requirements[0], priority: 'high', connections: [{ region: 'eu' } as object] }],
    };
    const account = shown(hoverOf(find(authorization, 'accountError')));
    for (const field of [
      '`id` acc_2',
      '`serviceSub` T02',
      '`scopes` chat:write',
      '`error.since` Monday',
      '`quota.used` 812',
      '`` odd `name` `` true',
    ]) {
      assert.ok(account.includes(field), `${field}\n--- not in ---\n${account}`);
    }
    assert.doesNotMatch(account, /`(label|serviceId|checkedAt|error\.code|error\.message)`/);
    assert.ok(shown(hoverOf(find(authorization, 'requirement'))).includes('`priority` high'));
    assert.ok(shown(hoverOf(find(authorization, 'connection'))).includes('`region` eu'));
  });

  it('cut values at 200 characters', () => {
    const note = { id: 'a', note: 'x'.repeat(5000) };
    const text = shown(hoverOf(find({ accounts: [note], requirements: [] }, 'account')));
    assert.match(text, /`note` x{199}…/);
  });

  it('of fields that could not be read: how many, where, what was expected, what was found', () => {
    const unreadable = [{ path: 'accounts[0].label', expected: 'string', found: 'number' }] as const;
    const one = deployment({ authorization: satisfied, unreadable, decodeIssueCount: 400 });
    const { root, provider } = treeOf(one);
    const row = provider.getChildren(root).find(({ kind }) => kind === 'unreadable')!;
    assert.match(
      shown(hoverOf(row)),
      /^400 fields of this response could not be read[^]*accounts\[0\]\.label: string expected, number found\n- 399 more$/,
    );
    assert.deepEqual(look(provider.getTreeItem(row, now)), {
      icon: 'info problemsInfoIcon.foreground',
      text: '400 fields unreadable',
      spoken: '400 fields unreadable',
    });
    assert.equal(deploymentSummary(one, now), '400 fields unreadable · 2 of 2 satisfied');
  });
});

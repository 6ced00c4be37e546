import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import { deploymentSummary } from '../../../../src/host/text/deployment.js';
import { absoluteTime } from '../../../../src/host/text/format.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { below } from '../../hostile/below.js';
import { billing, deployment, minutes, now, satisfied, treeOf } from '../fixtures.js';

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
    const authorization = { ...billing, environment: 'production', nested: { deep: [1, 2] } };
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
      'Organization: Acme production',
    ]) {
      assert.ok(text.includes(part), `${part}\n--- not in ---\n${text}`);
    }
  });

  it('of a deployment with a field that is nested however deep: its beginning', () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) nested = [nested];
    const { root } = treeOf(deployment({ authorization: Object.assign({ nested }, billing) }));
    assert.ok(shown(hoverOf(root)).includes('`nested` [[[[['));
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
    const text = shown(
      hoverOf(find({ accounts: [{ id: 'a', note: 'x'.repeat(5000) } as object], requirements: [] }, 'account')),
    );
    assert.match(text, /`note` x{199}…/);
    assert.doesNotMatch(text, /x{200}/);
  });

  it('show text of the service as text, and trust nothing', () => {
    const hostile =
      '[go](command:x) ![p](https://phish.example/p.png) <b>b</b> &lt; $(trash) **x** www.phish.example a@b.example\n# h `c`';
    const authorization = {
      accounts: [{ id: hostile, label: hostile, error: { code: hostile, message: hostile }, [hostile]: hostile }],
      requirements: [{ binding: hostile, satisfied: false, accountId: hostile, connections: [] }],
    };
    const { root, provider } = treeOf(deployment({ label: hostile, authorization }));
    for (const element of [root, ...below(provider, root)]) {
      const hover = hoverOf(element);
      assert.ok(!hover.isTrusted && !hover.supportHtml && !hover.supportThemeIcons, element.kind);
      // Outside of code spans nothing is left that means anything.
      const outside = hover.value.replace(/(`+)[^`][\s\S]*?[^`]?\1(?!`)/g, '');
      assert.doesNotMatch(outside, /\[go\]|<b>|\$\(|www\.|@b|https:/, `${element.kind}: ${hover.value}`);
    }
  });

  it('of a row that says what could not be read: where, what was expected, what was found', () => {
    const unreadable = [{ path: 'accounts[0].label', expected: 'string', found: 'number' }] as const;
    const { root, provider } = treeOf(deployment({ authorization: billing, unreadable }));
    const row = provider.getChildren(root).find(({ kind }) => kind === 'unreadable');
    assert.ok(row);
    assert.ok(shown(hoverOf(row)).includes('accounts[0].label: string expected, number found'));
  });

  it('of more that could not be read than is listed: how many there are', () => {
    const unreadable = [{ path: 'accounts[0].label', expected: 'string', found: 'number' }] as const;
    const one = deployment({ authorization: satisfied, unreadable, decodeIssueCount: 400 });
    const { root, provider } = treeOf(one);
    const row = provider.getChildren(root).find(({ kind }) => kind === 'unreadable');
    assert.ok(row);
    assert.match(shown(hoverOf(row)), /^400 fields of this response could not be read[^]*number found\n- 399 more$/);
    assert.equal(one.state, 'unknown');
    const item = provider.getTreeItem(row, now);
    assert.equal(item.label, '400 fields unreadable');
    assert.equal(deploymentSummary(one, now), '400 fields unreadable · 2 of 2 satisfied');
  });
});

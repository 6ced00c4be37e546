import { strict as assert } from 'node:assert';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { billing, deployment, look, now, readIn, satisfied, sourceOf } from '../fixtures.js';

const [finance, ops] = billing.accounts;
const connections = [{ connectionMethodId: 'slack-oauth', requiredScopes: ['users:read'] }];
const answers: Readonly<Record<string, DeploymentAuthorization>> = {
  billing,
  refunds: {
    accounts: [{ ...finance!, scopes: ['chat:write'] }],
    requirements: [{ serviceId: 'slack', accountId: 'acc_2', binding: 'post', satisfied: false, connections }],
  },
  triage: { accounts: [ops!], requirements: [] },
  plain: satisfied,
  bare: { accounts: [], requirements: [] },
};

describe('the Deployments view grouped by account', () => {
  const deployments = Object.entries(answers).map(([id, authorization]) =>
    deployment({ id, authorization, seenSince: now }),
  );
  const source = sourceOf(...deployments, deployment({ id: 'gone' }));
  const provider = new DeploymentsProvider(source);
  const looks = (elements: readonly TreeElement[]) =>
    elements.map((element) => {
      const { icon, text } = look(provider.getTreeItem(element));
      return `${icon.split(' ')[0]} | ${text}`;
    });

  it('says which account breaks how many deployments, and what all of them together need', () => {
    source.grouping = { byAccount: true };
    const roots = provider.getChildren();
    assert.deepEqual(looks(roots), [
      'question | 1 not read yet',
      'error | Finance Slack | token_revoked · in 2 deployments · 2 not satisfied · slack',
      'pass | Ops Slack | in 2 deployments · slack',
      'question | No account | unknown · in 2 deployments',
    ]);
    const below = provider.getChildren(roots[1]);
    assert.deepEqual(looks(below), [
      'error | token_revoked | The workspace admin removed the app.',
      'lightbulb | Reconnect Finance Slack | with channels:read +1',
      'error | billing | Finance Slack failed · in 2 deployments',
      'error | refunds | Finance Slack failed · in 2 deployments',
    ]);
    const { spoken } = look(provider.getTreeItem(below[1]!));
    assert.equal(spoken, 'Reconnect Finance Slack (slack) with the scopes channels:read, users:read.');
    assert.deepEqual(looks(provider.getChildren(below[3])), ['warning | post | needs Finance Slack · slack']);
  });

  it('says in how many deployments an account is also below deployments, as long as it is', () => {
    source.grouping = { byAccount: false };
    const roots = provider.getChildren();
    assert.ok(looks(roots).includes('error | billing | Finance Slack failed · in 2 deployments'));
    assert.ok(looks(provider.getChildren(roots[0])).includes('pass | Ops Slack | slack · in 2 deployments'));
    const { tooltip } = provider.resolveTreeItem(provider.getTreeItem(roots[0]!), roots[0]!);
    assert.match(readIn(tooltip), /In 2 deployments of those read here/);
    const events: (readonly TreeElement[] | undefined)[] = [];
    provider.onDidChangeTreeData((event) => events.push(event));
    source.store.deployments = deployments.slice(0, 1);
    source.store.progress = { done: 0, total: 1 };
    provider.refresh(new Set());
    assert.deepEqual(events, [], 'while answers come, each changes such numbers');
    source.store.progress = undefined;
    provider.refresh(new Set());
    assert.deepEqual(events, [undefined]);
    assert.deepEqual(looks(provider.getChildren().slice(0, 1)), ['error | billing | Finance Slack failed']);
  });
});

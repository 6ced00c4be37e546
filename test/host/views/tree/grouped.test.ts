import { strict as assert } from 'node:assert';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { DeploymentsProvider } from '../../../../src/views/tree/provider.js';
import { DeploymentsView } from '../../../../src/views/tree/view.js';
import { createGraph } from '../../commands/graph.js';
import { TreeViewInMemory } from '../../commands/treeViewInMemory.js';
import { billing, deployment, look, now, organization, readIn, satisfied, sourceOf } from '../fixtures.js';

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
      'warning | billing | 1 of 1 not satisfied',
      'warning | refunds | 1 of 1 not satisfied',
    ]);
    const { spoken } = look(provider.getTreeItem(below[1]!));
    assert.equal(spoken, 'Reconnect Finance Slack (slack) with the scopes channels:read, users:read.');
    assert.deepEqual(looks(provider.getChildren(below[3])), ['warning | post | missing users:read · slack']);
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
    provider.refresh(new Set());
    assert.deepEqual(events, [undefined]);
    assert.deepEqual(looks([roots[0]!]), ['error | billing | Finance Slack failed']);
  });

  it('reveals the first row of a deployment, and groups by deployment if there is none', async () => {
    const token = { AUTOMATION_PLATFORM_TOKEN: 'token-of-the-environment' };
    const graph = createGraph({ ...token, AUTOMATION_PLATFORM_BASE_URL: organization.baseUrl });
    const { organizations, store, filter, grouping } = graph.services;
    await organizations.ready;
    store.setListed([...Object.keys(answers), 'gone'].map((id) => ({ id })));
    const read = async (id: string) => ({ value: answers[id]!, decodeIssues: [], receivedAt: now });
    store.setOrganization({ id: organization.id, read });
    await store.refreshAll(Object.keys(answers));
    const view = new TreeViewInMemory<TreeElement>();
    const rows = new DeploymentsView(graph.services, view);
    await grouping.set(true);
    await rows.reveal('refunds');
    await filter.set(true);
    await rows.reveal('triage');
    assert.deepEqual([filter.onlyProblems, grouping.byAccount], [false, true]);
    await rows.reveal('gone');
    assert.equal(grouping.byAccount, false);
    const revealed = ['account:acc_2/member:refunds', 'account:acc_1/member:triage', 'deployment:gone'];
    assert.deepEqual(
      view.revealed.map(({ id }) => id),
      revealed,
    );
    rows.dispose();
    await graph.dispose();
  });
});

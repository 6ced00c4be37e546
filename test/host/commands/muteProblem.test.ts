import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { reportWording } from '../../../src/commands/deployments/copy.js';
import { muteProblem, unmuteProblem } from '../../../src/commands/deployments/muteProblem.js';
import { deploymentsReportParts } from '../../../src/model/report.js';
import { statusSummary } from '../../../src/views/statusBar.js';
import { viewDescription } from '../../../src/views/tree/view.js';
import { account, authorization, failedAccount, healthy } from '../../support/service/data.js';
import { type Service, startService } from '../../support/service/service.js';
import { look as lookOf } from '../views/fixtures.js';
import { type Graph, graphOf } from './graph.js';
import { accept, answering, dismiss, next, toggle, turn } from './quickInput.js';

const ids = ['dep_1', 'dep_2', 'dep_3'];

async function list(value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('automationPlatform', null);
  await configuration.update('deployments', value, vscode.ConfigurationTarget.Workspace);
}

describe('a muted problem', () => {
  let service: Service;
  let graph: Graph;
  beforeEach(async () => {
    service = await startService();
    for (const id of ids) service.data.deployments.set(id, id === 'dep_3' ? healthy() : failedAccount());
    await list(ids);
    graph = await graphOf(service);
    await graph.services.store.refreshAll();
  });
  afterEach(async () => {
    await dismiss();
    await graph.dispose();
    await service.stop();
    await list(undefined);
  });

  /** Of the first row: label and description, icon, menu. */
  const row = async () => {
    const [first] = await graph.app.deploymentRows.getChildren();
    const item = await graph.app.deploymentRows.getTreeItem(first!);
    return [lookOf(item).text, lookOf(item).icon, lookOf(item).decorated, item.contextValue];
  };
  const states = () => {
    const { store, organizations } = graph.services;
    return [viewDescription(organizations.current, store), statusSummary(organizations, store)?.text];
  };

  it('is said apart everywhere, until when, and counts again when it is unmuted', async () => {
    const { services, states: kept } = graph;
    const [failing, ...look] = await row();
    assert.match(failing!, /^dep_1 \| Ops Slack failed/);
    assert.deepEqual(look, ['error problemsErrorIcon.foreground', 'failed', 'deployment canMute']);

    await answering(muteProblem(services, 'dep_2'), next, accept);

    assert.deepEqual(states(), ['None failing, 2 muted · environment', 'No deployments failing, 2 muted']);
    const [text, ...rest] = await row();
    assert.match(text!, /^dep_1 \| muted until \w+ \d+, \d{4} · Ops Slack failed/);
    assert.deepEqual(rest, ['circle-slash disabledForeground', 'muted', 'deployment canUnmute']);
    const report = [...deploymentsReportParts(services.store.deployments, reportWording())].join('');
    const begins =
      /^# 3 deployments: 0 failing, 0 unknown, 2 muted\n\n\| Deployment \| What is muted \| Muted until \|/;
    assert.match(report, begins);
    assert.doesNotMatch(JSON.stringify(kept.workspace.get('mutes')), /dep_|acc_|revoked/);

    await unmuteProblem(services, 'dep_1');
    assert.deepEqual(states(), ['2 failing · environment', '2 deployments failing']);
    await turn();
    assert.equal(kept.workspace.get('mutes'), undefined);
  });

  it('is muted and unmuted by the row of its account, grouped by account', async () => {
    const { services, app } = graph;
    service.data.deployments.set('dep_3', failedAccount());
    await services.store.refreshAll();
    await services.grouping.set(true);
    const group = async () => (await app.deploymentRows.getChildren())[0];
    const [text, , , menu] = await row();
    assert.match(text!, /^Ops Slack \| token_revoked · in 3 deployments/);
    assert.equal(menu, 'account canMute');

    await answering(muteProblem(services, await group()), accept);
    assert.equal((await row()).at(-1), 'account canUnmute');
    assert.equal(services.store.counts.muted, 3);

    await unmuteProblem(services, await group());
    assert.equal((await row()).at(-1), 'account canMute');
  });

  it('is the one of its row, and no other of its deployment', async () => {
    const { services } = graph;
    const accounts = ['acc_1', 'acc_2'].map((id) => account({ id, error: { code: 'gone' } }));
    service.data.deployments.set('dep_1', authorization(accounts, []));
    await services.store.refreshAll();
    const deployment = services.store.get('dep_1')!;
    const [finding] = deployment.answer!.findings.accounts;
    await answering(muteProblem(services, { kind: 'account', deployment, finding }), accept);
    const { problems, muted } = services.store.get('dep_1')!.answer!.findings;
    assert.deepEqual([problems.length, muted.length], [1, 1]);
  });

  it('is not muted when a question is dismissed', async () => {
    await answering(muteProblem(graph.services, 'dep_2'), dismiss);
    assert.equal(graph.services.store.counts.failing, 2);
  });

  it('is picked from all deployments without a row, each account once', async () => {
    await answering(muteProblem(graph.services), next, toggle, accept, accept);
    assert.equal(graph.services.store.counts.muted, 2);
  });
});

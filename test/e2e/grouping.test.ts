import { strict as assert } from 'node:assert';
import { sampleData, sampleDeployments } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeRow } from '../support/workbench/treeRow.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { environmentOf, run, waitForSelection } from './actions.js';

const unseen = '4 unknown';
const summary = '6 failing, 4 unknown · environment';

/** The labels of what is below an account. */
const below = (rows: readonly TreeRow[], account: string) => {
  const start = rows.findIndex(({ label, level }) => label === account && level === 1);
  const end = rows.findIndex(({ level }, index) => index > start && level === 1);
  return rows.slice(start + 1, end < 0 ? undefined : end).map(({ label }) => label);
};

const counts = (rows: readonly TreeRow[]) =>
  rows.filter(({ level }) => level === 1).map(({ label, description }) => `${label} · ${description}`);

describe('the list grouped by account', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await startService({ data: sampleData() });
    workbench = await openWorkbench({
      env: environmentOf(service),
      workspaceSettings: { 'automationPlatform.deployments': sampleDeployments },
    });
    view = await workbench.view('Deployments');
    await view.waitForDescription(summary);
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  const group = async () => {
    await view.chooseFromTitleMenu('Group by Account');
    return grouped();
  };
  const grouped = () =>
    view.waitForRows('accounts', ([first, second]) => {
      return first?.label === unseen && second?.label === 'Finance Slack';
    });
  const ungrouped = () =>
    view.waitForRows('deployments', (rows) => rows.some(({ label, level }) => label === 'Billing sync' && level === 1));

  it('begins with what is unknown, then the account that breaks most, with its deployments @core', async () => {
    const [, slack] = await group();
    assert.equal(slack?.description, 'token_revoked · in 4 deployments · 4 not satisfied · slack');
    await view.expand('Finance Slack');
    const rows = await view.waitForRows('those below it', (all) => all.some(({ level }) => level === 2));
    assert.deepEqual(below(rows, 'Finance Slack'), [
      'token_revoked',
      'Reconnect Finance Slack',
      'Billing sync',
      'Order alerts',
      'Refund notices',
      'Shift …inders',
    ]);
    await workbench.screenshot('grouped');
  });

  it('has a row for requirements without an account that is listed @core', async () => {
    await view.expand('No account');
    const rows = await view.waitForRows('those below it', (all) => below(all, 'No account').length > 0);
    assert.deepEqual(below(rows, 'No account'), ['Nightly report', 'Contract archive']);
    await view.collapse('No account');
  });

  it('keeps its counts without healthy deployments, and itself over a reload @core', async () => {
    const all = counts(await view.rows());
    await run(workbench, 'Hide Healthy Deployments');
    await workbench.reload();
    view = await workbench.view('Deployments');
    await view.waitForDescription(summary);
    assert.deepEqual(counts(await grouped()), all);
    await view.collapse('Finance Slack');
    await view.expand({ label: 'Ops Slack', description: /in 8 deployments/ });
    const rows = await view.waitForRows('those below it', (seen) => below(seen, 'Ops Slack').length > 0);
    assert.deepEqual(below(rows, 'Ops Slack'), ['Billing sync', 'Partner feed', 'Nightly report']);
    await view.collapse('Ops Slack');
    await run(workbench, 'Show All Deployments');
  });

  it('is left by the button of its first row @core', async () => {
    await view.pressInlineAction(unseen, 'Group by Deployment');
    await ungrouped();
    await group();
  });

  it('shows a deployment below its account, and one without account ungrouped @core', async () => {
    await run(workbench, 'Go to Deployment…');
    await workbench.quickInput.choose('Billing sync');
    await waitForSelection(view, ['Billing sync']);
    assert.ok(await view.row({ label: 'Billing sync', under: 'Finance Slack', level: 2 }));
    await run(workbench, 'Go to Deployment…');
    await workbench.quickInput.choose('Payroll export');
    await waitForSelection(view, ['Payroll export']);
    assert.equal((await view.row('Payroll export')).level, 1);
    await ungrouped();
  });
});

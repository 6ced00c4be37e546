import { strict as assert } from 'node:assert';
import { expect, test } from '../support/workbench/fixtures.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer } from './actions.js';

test.describe('owners', () => {
  let workbench: Workbench;
  test.beforeAll(async ({ begin }) => {
    const list = [{ id: 'dep_billing_sync', label: 'Billing sync' }];
    ({ workbench } = await begin({ list, files: { 'deploy.yaml': 'deploymentId: dep_billing_sync\n' } }));
  });
  test.afterAll(() => workbench?.close());

  test('an owner is set on the row of an account, and named in hover and request', { tag: '@core' }, async () => {
    const view = await workbench.view('Deployments');
    await view.expand('Billing sync');
    const account = { label: 'Finance Slack', under: 'Billing sync' };
    await view.chooseFromMenu(account, 'Set Owner...');
    await answer(workbench, /^Who can repair “acc_slack_finance”/, 'Maria, #finance-ops');
    const owners = { acc_slack_finance: 'Maria, #finance-ops' };
    await expect.poll(() => workbench.workspaceSettings.read()).toMatchObject({ 'automationPlatform.owners': owners });

    await view.tooltip('Billing sync', /Owner: Maria, #finance-ops/);
    await workbench.setClipboard('');
    await view.chooseFromMenu('Billing sync', 'Copy Request');
    await expect.poll(() => workbench.clipboard()).toMatch(/^For Maria, #finance-ops\n/);
    const text = await workbench.clipboard();
    assert.match(text, /^Please reconnect the account “Finance Slack” \(slack\)/m);
    assert.match(text, /^“The workspace admin removed the app\.?”$/m);
    await workbench.notifications.press('Copied the request for Maria, #finance-ops.', 'Watch Until It Changes');
    await view.row({ label: 'Billing sync', description: /watching/ });
  });
});

import { strict as assert } from 'node:assert';
import { requirement, type WireAuthorization } from '../support/service/data.js';
import { sampleData, sampleDeployments } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { run, signIn, waitForSelection } from './actions.js';

const unseen = '4 unknown';

describe('groups, mutes and watches', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await startService({ data: sampleData() });
    workbench = await openWorkbench({
      workspaceSettings: {
        'automationPlatform.deployments': sampleDeployments,
        'automationPlatform.notifications.newProblems': true,
      },
    });
    view = await workbench.view('Deployments');
    await signIn(workbench, { baseUrl: service.baseUrl, token: service.token, name: 'Acme' });
    await view.waitForDescription('6 failing, 4 unknown · Acme');
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  const grouped = () =>
    view.waitForRows('accounts', ([first, second]) => first?.label === unseen && second?.label === 'Finance Slack');

  it('group by account: first what is unknown, then the account that breaks most; the first row leads back @core', async () => {
    await view.chooseFromTitleMenu('Group by Account');
    await grouped();
    await view.expand('Finance Slack');
    await view.row({ label: 'Order alerts', under: 'Finance Slack' });
    await view.pressInlineAction(unseen, 'Group by Deployment');
    await view.row({ label: 'Billing sync', level: 1 });
    await view.chooseFromTitleMenu('Group by Account');
    const [, slack] = await grouped();
    assert.equal(slack?.description, 'token_revoked · in 4 deployments · 4 not satisfied · slack');
  });

  it('are kept over a reload, as are the filter and the sign-in', async () => {
    await view.chooseFromMenu('Finance Slack', 'Mute Problem…');
    await workbench.quickInput.choose('For a Day');
    await view.waitForDescription('2 failing, 4 unknown, 4 muted · Acme');
    await view.pressTitleAction('Hide Healthy Deployments');
    await until('the filter', async () => (await view.titleActions()).includes('Show All Deployments'));
    await workbench.reload();
    view = await workbench.view('Deployments');
    await view.waitForDescription('2 failing, 4 unknown, 4 muted · Acme');
    await view.row({ label: 'Finance Slack', level: 1, description: /^muted until / });
    await until('the filter', async () => (await view.titleActions()).includes('Show All Deployments'));
    await view.chooseFromMenu('Finance Slack', 'Unmute');
    await view.waitForDescription('6 failing, 4 unknown · Acme');
  });

  it('watch a deployment, say so in its row and its menu, and tell once what changed', async () => {
    const name = 'Billing sync';
    await run(workbench, 'Group by Deployment');
    await workbench.notifications.clear();
    await view.chooseFromMenu(name, 'Watch Until It Changes');
    await view.row({ label: name, description: / failed · watched\b/ });
    // Without its buttons the row has room to say so.
    await view.select('Nightly report');
    await workbench.screenshot('watched');
    const entries = await view.menuEntries(name);
    assert.deepEqual(
      entries.filter((entry) => /Watch/.test(entry)),
      ['Stop Watching'],
    );
    // What else is new in the same response is told by the watch too.
    const before: WireAuthorization = JSON.parse(JSON.stringify(service.data.deployments.get('dep_billing_sync')));
    const accounts = before.accounts.map((account) => ({ ...account, error: null }));
    const requirements = before.requirements.map((one) =>
      one.binding === 'ledger' ? { ...one, satisfied: false } : one,
    );
    service.putDeployment('dep_billing_sync', { accounts, requirements });
    await view.chooseFromMenu(name, 'Refresh Deployment');
    const { buttons, severity, text } = await workbench.notifications.waitFor(/^Billing sync: /);
    assert.match(text, /^Billing sync: Finance Slack works again\. .*\bledger\b.* 1 of 3 still not satisfied\.$/);
    assert.deepEqual([severity, buttons], ['info', ['Reveal in Sidebar']]);
    await view.row({ label: name, description: /^(?!.*watched)/ });

    service.putDeployment('dep_fleet_alerts', { accounts: [], requirements: [requirement({ satisfied: false })] });
    await run(workbench, 'Refresh');
    const told = await workbench.notifications.waitFor(/^New problem in Fleet alerts: /);
    assert.equal(told.severity, 'warning');
    assert.equal((await workbench.notifications.shown()).length, 2);
    await workbench.notifications.press(/^Billing sync: /, 'Reveal in Sidebar');
    await waitForSelection(view, [name]);

    await view.chooseFromMenu(name, 'Watch Until It Changes');
    await view.row({ label: name, description: /watched/ });
    await run(workbench, 'Sign Out…');
    await workbench.dialog.waitFor(/Sign out of “Acme”\?/);
    await workbench.dialog.press('Sign Out');
    await workbench.notifications.waitFor('Stopped watching Billing sync. You are not signed in.');
  });
});

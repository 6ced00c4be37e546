import { strict as assert } from 'node:assert';
import { requirement, type WireAuthorization } from '../support/service/data.js';
import { sampleData } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { run, signIn, waitForSelection } from './actions.js';

const name = 'Billing sync';

describe('a watched deployment', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await startService({ data: sampleData() });
    workbench = await openWorkbench({
      workspaceSettings: {
        'automationPlatform.deployments': [
          { id: 'dep_billing_sync', label: name },
          { id: 'dep_lead_intake', label: 'Lead intake' },
        ],
        'automationPlatform.notifications.newProblems': true,
      },
    });
    view = await workbench.view('Deployments');
    await signIn(workbench, { baseUrl: service.baseUrl, token: service.token, name: 'Acme' });
    await view.waitForDescription('1 failing · Acme');
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  async function watch(): Promise<void> {
    await view.chooseFromMenu(name, 'Watch Until It Changes');
    await view.row({ label: name, description: / · watched\b/ });
  }

  it('says so in its row and its menu, and tells once what changed @core', async () => {
    await watch();
    // Without its buttons the row has room to say so.
    await view.select('Lead intake');
    await workbench.screenshot('watched');
    const entries = await view.menuEntries(name);
    assert.deepEqual(
      entries.filter((entry) => /Watch/.test(entry)),
      ['Stop Watching'],
    );
    // What else is new in the same response is told by the watch too.
    const before: WireAuthorization = JSON.parse(JSON.stringify(service.data.deployments.get('dep_billing_sync')));
    const { accounts, requirements } = before;
    const mended = accounts.map((account) => ({ ...account, error: null }));
    const broken = requirements.map((one) => (one.binding === 'ledger' ? { ...one, satisfied: false } : one));
    service.putDeployment('dep_billing_sync', { accounts: mended, requirements: broken });
    await view.chooseFromMenu(name, 'Refresh Deployment');
    const { buttons, severity, text } = await workbench.notifications.waitFor(/^Billing sync: /);
    assert.match(text, /^Billing sync: Finance Slack works again\. .*\bledger\b.* 1 of 3 still not satisfied\.$/);
    assert.deepEqual([severity, buttons], ['info', ['Reveal in Sidebar']]);
    await view.row({ label: name, description: /^(?!.*watched)/ });

    service.putDeployment('dep_lead_intake', { accounts: [], requirements: [requirement({ satisfied: false })] });
    await view.chooseFromMenu('Lead intake', 'Refresh Deployment');
    await workbench.notifications.waitFor(/^New problem in Lead intake: /);
    assert.equal((await workbench.notifications.shown()).length, 2);
    await view.select('Lead intake');
    await workbench.notifications.press(/^Billing sync: /, 'Reveal in Sidebar');
    await waitForSelection(view, [name]);
    await workbench.notifications.clear();
  });

  it('is watched no more when one signs out', async () => {
    await watch();
    await run(workbench, 'Sign Out…');
    await workbench.dialog.waitFor(/Sign out of “Acme”\?/);
    await workbench.dialog.press('Sign Out');
    await workbench.notifications.waitFor('Stopped watching Billing sync. You are not signed in.');
  });
});

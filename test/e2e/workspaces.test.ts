import { strict as assert } from 'node:assert';
import { healthy } from '../support/service/data.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, environmentOf, requestsOf, run, waitForOutline, waitForSelection } from './actions.js';

const setting = 'automationPlatform.deployments';

describe('the lists of a workspace', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await startService();
    for (const id of ['dep_1', 'dep_2', 'dep_3', 'dep_4']) service.putDeployment(id, healthy());
  });
  after(() => service?.stop());

  const env = () => environmentOf(service);

  const own = async () => (await workbench.userSettings.read())[setting];

  /** Adds dep_4; where it goes is said in both steps. Done when its row has the focus: that would close a menu opened before. */
  async function add(place: RegExp, label: string): Promise<void> {
    await run(workbench, 'Add Deployment…');
    await workbench.quickInput.waitFor(place);
    await answer(workbench, /^Deployment ID/, 'dep_4');
    await workbench.quickInput.waitFor(/^Label for “dep_4”/);
    await workbench.quickInput.waitFor(place);
    await workbench.quickInput.answer(label);
    await waitForSelection(view, [label || 'dep_4']);
  }

  describe('that is not trusted @core', () => {
    const first = 'Workspace list not used · Manage Trust';
    const theirs = ['dep_2', { id: 'dep_1', label: 'Theirs' }];

    before(async () => {
      workbench = await openWorkbench({
        trust: true,
        env: env(),
        userSettings: { [setting]: ['dep_1'] },
        workspaceSettings: { [setting]: theirs },
      });
      view = await workbench.view('Deployments');
    });
    after(() => workbench?.close());

    it('are not read', async () => {
      await waitForOutline(view, [first, 'dep_1 · 1 of 1 satisfied']);
      const asked = requestsOf(service, 'getDeploymentAuthorization');
      assert.deepEqual(
        asked.map(({ route }) => route.id),
        ['dep_1'],
      );
    });

    it('are not written: what is added, labelled and removed is in user settings', async () => {
      await add(/Saved in user settings, because this workspace is not trusted\./, 'Fourth');
      await waitForOutline(view, [first, 'dep_1 · 1 of 1 satisfied', 'Fourth · 1 of 1 satisfied']);
      assert.deepEqual(await own(), ['dep_1', { id: 'dep_4', label: 'Fourth' }]);

      await view.chooseFromMenu('dep_1', 'Set Deployment Label…');
      await answer(workbench, /^Label for “dep_1”/, 'Mine');
      await view.row('Mine');
      assert.deepEqual(await own(), [
        { id: 'dep_1', label: 'Mine' },
        { id: 'dep_4', label: 'Fourth' },
      ]);

      await view.chooseFromMenu('Fourth', 'Remove Deployment from List…');
      await workbench.notifications.waitFor(/^Removed “Fourth” from the list in user settings\./);
      await view.waitForNoRow('Fourth');
      assert.deepEqual(await own(), [{ id: 'dep_1', label: 'Mine' }]);
      assert.deepEqual((await workbench.workspaceSettings.read())[setting], theirs);
    });

    it('count as soon as it is trusted', async () => {
      await trustWorkspace(workbench, view);
      await waitForOutline(view, ['dep_2 · 1 of 1 satisfied', 'Theirs · 1 of 1 satisfied']);
      await add(/Saved in \.vscode\/settings\.json\./, '');
      await view.row({ label: 'dep_4', description: '1 of 1 satisfied' });
      assert.deepEqual((await workbench.workspaceSettings.read())[setting], [...theirs, 'dep_4']);
      assert.deepEqual(await own(), [{ id: 'dep_1', label: 'Mine' }]);
    });
  });
});

/** From the row that says that lists of the workspace are not used. VS Code draws the page anew while one clicks on it. */
async function trustWorkspace(workbench: Workbench, view: TreeView): Promise<void> {
  const row = 'Workspace list not used';
  const trust = workbench.page.locator('.workspace-trust-editor .monaco-button').filter({ hasText: /^Trust$/ });
  await until('the page of the workspace’s trust', async () => {
    await view.select(row);
    await trust.first().waitFor({ timeout: 2_000 });
    return true;
  });
  await until(`“${row}” to vanish`, async () => {
    const rows = await view.rows();
    if (rows.length > 0 && !rows.some(({ label }) => label === row)) return true;
    if ((await trust.count()) > 0) await trust.first().click({ timeout: 2_000 });
    return false;
  });
}

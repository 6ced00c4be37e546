import { strict as assert } from 'node:assert';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { healthy } from '../support/service/data.js';
import { faults } from '../support/service/faults.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, run, waitForOutline, waitForSelection } from './actions.js';

describe('with no folder open, signed in through the environment', () => {
  let service: ServiceChild;
  let workbench: Workbench;
  let view: TreeView;
  let host: string;

  before(async () => {
    service = await spawnService();
    host = new URL(service.baseUrl).host;
    workbench = await openWorkbench({
      empty: true,
      env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token },
      userSettings: { 'automationPlatform.requestTimeout': 2 },
    });
    view = await workbench.view('Deployments');
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  it('the view says that nothing was checked yet, and offers to add a deployment', async () => {
    const { text, buttons } = await view.welcome(/signed in/);
    assert.match(
      text,
      /^You are signed in\. The token has not been checked yet: that happens with the first deployment that is read\./,
    );
    assert.deepEqual(buttons, ['Add Deployment']);
    await view.waitForDescription('environment · not checked yet');
    assert.deepEqual(await service.control.requests(), []);
  });

  it('a deployment goes to user settings, and the question says so', async () => {
    await service.control.putDeployment('dep_1', healthy());
    await view.pressWelcomeButton('Add Deployment');
    await answer(
      workbench,
      /^The id of the deployment\. It is added to user settings\. “environment.*” is asked about it\./,
      'dep_1',
    );
    await answer(workbench, /^A label for “dep_1”, if you like\./, '');
    await waitForSelection(view, ['dep_1']);
    await waitForOutline(view, ['dep_1 · 1 of 1 satisfied']);
    assert.deepEqual((await workbench.userSettings.read())['automationPlatform.deployments'], ['dep_1']);
  });

  it('an answer that takes too long ends with the time that was allowed', async () => {
    await service.control.fault('all', faults.silent());
    await view.pressInlineAction('dep_1', 'Refresh Deployment');
    await view.row({ label: 'dep_1', description: /^1 of 1 satisfied · stale, .* · timed out after 2 sec$/ });
    await view.expand('dep_1');
    const { label } = await view.row({ under: 'dep_1', level: 2 });
    assert.equal(
      label,
      `${host} did not answer completely within 2 sec. Try again, or allow more time in the settings.`,
    );
    await service.control.clearFaults();
    await view.pressInlineAction('dep_1', 'Refresh Deployment');
    await view.row({ label: 'dep_1', description: '1 of 1 satisfied' });
  });

  it('the organization is marked as that of the environment, and read-only', async () => {
    await run(workbench, 'Switch Organization…');
    const { description, detail } = await workbench.quickInput.waitForRow('environment (from environment variables)');
    assert.equal(description, 'used by this workspace');
    assert.equal(detail, `${service.baseUrl} · from AUTOMATION_PLATFORM_TOKEN of the environment, read-only`);
    await workbench.quickInput.cancel();
    await run(workbench, 'Sign Out…');
    const refused = await workbench.notifications.waitFor(/cannot be signed out of here/);
    assert.match(refused.text, /AUTOMATION_PLATFORM_TOKEN and AUTOMATION_PLATFORM_BASE_URL/);
    await workbench.notifications.clear();
    await run(workbench, 'Set User Session Token…');
    const { buttons } = await workbench.notifications.waitFor(/read-only, so it cannot have a user session token/);
    assert.deepEqual(buttons, ['Sign In…']);
    await workbench.notifications.clear();
  });

  it('a deployment that is removed leaves user settings, and comes back there', async () => {
    await run(workbench, 'Remove Deployment from List…');
    await workbench.quickInput.waitFor(/Nothing happens on the server/);
    await workbench.quickInput.choose('dep_1');
    await workbench.quickInput.accept();
    await view.welcome(/signed in/);
    assert.deepEqual((await workbench.userSettings.read())['automationPlatform.deployments'], []);
    const { text } = await workbench.notifications.waitFor(/^Removed “dep_1” from the list: user settings\./);
    assert.match(text, /Nothing happened on the server\.$/);
    await workbench.notifications.press(/^Removed/, 'Undo');
    await waitForOutline(view, ['dep_1 · 1 of 1 satisfied']);
    assert.deepEqual((await workbench.userSettings.read())['automationPlatform.deployments'], ['dep_1']);
  });
});

import { strict as assert } from 'node:assert';
import { unsatisfied } from '../support/platform/data.js';
import type { Platform } from '../support/platform/platform.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { mendBillingSync, run, signIn, waitForSelection } from './actions.js';

const unseen = '4 unknown';

test.describe('the Deployments view', () => {
  test.describe.configure({ mode: 'serial' });
  let platform: Platform;
  let workbench: Workbench;
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    ({ platform, workbench } = await begin({
      env: {},
      list: sampleDeployments,
      workspaceSettings: { 'automationPlatform.notifications.newProblems': true },
    }));
    view = await workbench.view('Deployments');
    await signIn(workbench, platform, 'Acme');
    await expect(view.description).toHaveText('6 failing · Acme');
  });
  test.afterAll(() => workbench?.close());

  const grouped = () =>
    view.waitForRows(
      'accounts',
      (rows) => rows[0]?.label === 'Finance Slack' && rows.at(-1)?.label === unseen,
    );

  test('groups by account, with the account that fails most first and unknown ones last', async () => {
    await view.chooseFromTitleMenu('Group by Account');
    await grouped();
    await view.expand('Finance Slack');
    await view.row({ label: 'Order alerts', under: 'Finance Slack', description: 'post' });
    await view.collapse('Finance Slack');
    await view.expand(unseen);
    await view.row({ label: 'dep_77', under: unseen, description: 'Not found' });
    await view.collapse(unseen);
    await view.pressInlineAction(unseen, 'Group by Deployment');
    await view.row({ label: 'Billing sync', level: 1 });
    await view.chooseFromTitleMenu('Group by Account');
    const [slack] = await grouped();
    assert.equal(slack?.description, 'token_revoked · in 4 deployments · 4 not satisfied');
  });

  test('keeps a muted row at its place until Undo', async () => {
    await view.chooseFromMenu('Finance Slack', 'Mute Problem...');
    await workbench.quickInput.choose('For a Day');
    const muted = await view.row({
      label: 'Finance Slack',
      level: 1,
      description: /^token_revoked · muted until /,
    });
    assert.equal(muted.index, 0);
    await expect(view.description).toHaveText('2 failing · Acme');
    await workbench.notifications.press(/^Finance Slack muted in 4 deployments until /, 'Undo');
    await expect(view.description).toHaveText('6 failing · Acme');
    await grouped();
  });

  test('keeps its groups, mutes, filter, and sign-in when the window is reloaded', async () => {
    await view.chooseFromMenu('Finance Slack', 'Mute Problem...');
    await workbench.quickInput.choose('For a Day');
    await expect(view.description).toHaveText('2 failing · Acme');
    await view.pressTitleAction('Hide Healthy Deployments');
    await workbench.reload();
    view = await workbench.view('Deployments');
    await expect(view.description).toHaveText('2 failing · Acme');
    await view.row({
      label: 'Finance Slack',
      level: 1,
      description: /^token_revoked · muted until /,
    });
    await view.pressTitleAction('Show All Deployments');
    await view.chooseFromMenu('Finance Slack', 'Unmute Problem');
    await expect(view.description).toHaveText('6 failing · Acme');
  });

  test('reveals the deployment that a notification of a new problem names', async () => {
    await run(workbench, 'Group by Deployment');
    mendBillingSync(platform);
    await view.chooseFromMenu('Billing sync', 'Refresh Deployment');
    await workbench.notifications.waitFor(/^New problem in Billing sync: /);
    platform.putDeployment('dep_fleet_alerts', unsatisfied());
    await view.chooseFromMenu('Fleet alerts', 'Refresh Deployment');
    await workbench.notifications.press(
      /^New problem in Fleet alerts: /,
      'Reveal in Deployments View',
    );
    await waitForSelection(view, 'Fleet alerts');
  });
});

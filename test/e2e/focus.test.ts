import type { Locator } from '@playwright/test';
import { sampleDeployments, sampleInstallTokens } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, run, waitForFocus } from './actions.js';

const remove = 'Remove Deployment from List';

test.describe('the focus', () => {
  let workbench: Workbench;
  let view: TreeView;
  let text: Locator;

  test.beforeAll(async ({ begin }) => {
    ({ workbench } = await begin({
      list: sampleDeployments,
      files: { 'jobs.yaml': 'jobs:\n  - deployment: dep_one\n  - deployment: dep_two\n' },
    }));
    view = await workbench.view('Deployments');
    await expect(view.description).toHaveText('6 failing · environment');
    text = workbench.page.locator('.view-lines').getByText('deployment').first();
  });
  test.afterAll(() => workbench?.close());
  test.afterEach(() => workbench.notifications.clear());

  test('goes to the row beside a removed one', async () => {
    await view.select('Shift reminders');
    await workbench.page.keyboard.press(
      process.platform === 'darwin' ? 'Meta+Backspace' : 'Delete',
    );
    await workbench.dialog.waitFor(/^Remove “Shift reminders”/);
    await workbench.dialog.press('Remove');
    await view.waitForNoRow('Shift reminders');
    await waitForFocus(workbench, 'Deployments: Nightly report');
    await view.chooseFromMenu('Warehouse sync', remove);
    await view.waitForNoRow('Warehouse sync');
    await waitForFocus(workbench, 'Deployments: Support triage');
  });

  test('goes to the row that Undo brings back', async () => {
    await view.chooseFromMenu('Onboarding', remove);
    await view.waitForNoRow('Onboarding');
    await workbench.notifications.press(/^Removed “Onboarding”/, 'Undo');
    await view.row('Onboarding');
    await waitForFocus(workbench, 'Deployments: Onboarding');
  });

  test('goes to a row that is added or edited in the view', async () => {
    await view.select('Fleet alerts');
    await view.pressTitleAction('Add Deployment...');
    await workbench.quickInput.waitFor(/^Deployment ID/);
    expect(await workbench.quickInput.value(), 'the suggested ID').toBe('');
    await workbench.quickInput.answer('dep_new');
    await answer(workbench, /^Label for/, '');
    await waitForFocus(workbench, 'Deployments: dep_new');
    await view.pressInlineAction('dep_77', 'Edit ID...');
    await answer(workbench, /^ID of/, 'dep_shift_reminders');
    await waitForFocus(workbench, 'Deployments: dep_shift_reminders');
  });

  test('goes to an install that is looked up, and to the next row when it is forgotten', async () => {
    await view.select('Fleet alerts');
    await run(workbench, 'Look Up Install...');
    await answer(workbench, /^Install link/, sampleInstallTokens.crm);
    await waitForFocus(workbench, 'Pending Installs: Acme CRM');
    const installs = await workbench.view('Pending Installs');
    await run(workbench, 'Look Up Install...');
    await answer(workbench, /^Install link/, sampleInstallTokens.sheets);
    await waitForFocus(workbench, 'Pending Installs: Sheets');
    await installs.pressInlineAction('Sheets', 'Forget Install');
    await installs.waitForNoRow('Sheets');
    await waitForFocus(workbench, 'Pending Installs: Acme CRM');
    await installs.pressInlineAction('Acme CRM', 'Forget Install');
    await expect(installs.welcome).toBeVisible();
    await waitForFocus(workbench, 'Pending Installs: no row');
  });

  test('stays in an editor when deployments are added and removed from the palette', async () => {
    await workbench.editor.open('jobs.yaml');
    await text.click();
    await run(workbench, 'Add Deployment...');
    await answer(workbench, /^Deployment ID/, 'dep_one');
    await answer(workbench, /^Label for/, '');
    await view.row({ label: 'dep_one', description: 'Not found' });
    await waitForFocus(workbench, 'editor');
    await workbench.page.keyboard.press('ControlOrMeta+A');
    await run(workbench, 'Add Deployments from Selection or Clipboard...');
    await workbench.quickInput.waitFor(/Select the deployments/);
    await workbench.page.keyboard.press('Space');
    await workbench.quickInput.accept();
    await view.row({ label: 'dep_two', description: 'Not found' });
    await waitForFocus(workbench, 'editor');
    await run(workbench, remove);
    await workbench.quickInput.waitFor(/^Deployments to remove/);
    await workbench.quickInput.type('dep_two');
    await expect(workbench.quickInput.rows).toHaveCount(1);
    await workbench.page.keyboard.press('ArrowDown');
    await workbench.page.keyboard.press('Space');
    await workbench.quickInput.accept();
    await workbench.dialog.waitFor(/^Remove “/);
    await workbench.dialog.press('Remove');
    await view.waitForNoRow('dep_two');
    await waitForFocus(workbench, 'editor');
  });

  test('stays in the view when the selected row is removed from the palette', async () => {
    await view.select('Fleet alerts');
    await run(workbench, remove);
    await workbench.quickInput.waitFor(/^Deployments to remove/);
    await workbench.quickInput.type('Fleet alerts');
    await expect(workbench.quickInput.rows).toHaveCount(1);
    await workbench.page.keyboard.press('ArrowDown');
    await workbench.page.keyboard.press('Space');
    await workbench.quickInput.accept();
    await workbench.dialog.waitFor(/^Remove “/);
    await workbench.dialog.press('Remove');
    await view.waitForNoRow('Fleet alerts');
    await waitForFocus(workbench, 'Deployments: no row');
    await expect(workbench.page.locator('.monaco-list-row.selected .label-name')).toHaveText([
      /^(?!Fleet alerts)/,
    ]);
  });

  test('goes to the welcome view after the last row, and back to the next one that is added', async () => {
    await workbench.workspaceSettings.change({
      'automationPlatform.deployments': ['dep_fleet_alerts'],
    });
    await view.waitForRows(
      'one deployment',
      (rows) => rows.filter(({ level }) => level === 1).length === 1,
    );
    await view.chooseFromMenu('dep_fleet_alerts', remove);
    await expect(view.welcome).toBeVisible();
    await waitForFocus(workbench, 'Deployments: no row');
    await workbench.page.keyboard.press('Tab');
    await waitForFocus(workbench, 'Deployments: button Add Deployment');
    await view.pressWelcomeButton('Add Deployment');
    await answer(workbench, /^Deployment ID/, 'dep_fleet_alerts');
    await answer(workbench, /^Label for/, '');
    await waitForFocus(workbench, 'Deployments: dep_fleet_alerts');
  });
});

test('the focus goes to the view after Sign In', { tag: '@rest' }, async ({ begin }) => {
  const { platform, workbench } = await begin({
    list: ['dep_billing_sync'],
    env: {},
    files: { 'jobs.yaml': 'jobs:\n' },
  });
  const view = await workbench.view('Deployments');
  const answerAll = async (name: string) => {
    await answer(workbench, /^The base URL of the API/, platform.baseUrl);
    await answer(workbench, /^The access token/, platform.token);
    await answer(workbench, /^A name for this organization/, name);
  };
  await view.pressWelcomeButton('Sign In');
  await answerAll('Acme');
  await waitForFocus(workbench, 'Deployments: dep_billing_sync');
  await workbench.openContainer('Explorer');
  await workbench.editor.open('jobs.yaml');
  await run(workbench, 'Sign In...');
  await answerAll('Acme two');
  await waitForFocus(workbench, /^Deployments.*: dep_billing_sync$/);
  await workbench.close();
});

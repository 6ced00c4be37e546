import { strict as assert } from 'node:assert';
import { healthy } from '../support/platform/data.js';
import type { Platform } from '../support/platform/platform.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, listSetting, test } from '../support/workbench/fixtures.js';
import { spokenNames } from '../support/workbench/pageObject.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import {
  answer,
  expectNothingOpen,
  listed,
  mendBillingSync,
  openToTheScopes,
  rowsDownToTheScopes,
  run,
  sampleRows,
  waitForOutline,
  waitForSelection,
} from './actions.js';

let platform: Platform;
let workbench: Workbench;
let view: TreeView;

test.beforeAll(async ({ begin }) => {
  ({ platform, workbench } = await begin({
    list: sampleDeployments,
    userSettings: { 'automationPlatform.dashboardUrl': 'https://dash.example/d/{deploymentId}' },
    // High enough for every row.
    viewport: { width: 1280, height: 1200 },
  }));
  view = await workbench.view('Deployments');
  await waitForOutline(view, sampleRows);
});
test.afterAll(() => workbench?.close());

async function backToTheSample(): Promise<void> {
  platform.reset();
  await run(workbench, 'Refresh');
  await waitForOutline(view, sampleRows);
}

/** Returns the request once it is copied. The first test that copies one is asked about the address of the dashboard. */
async function copiedRequest(): Promise<string> {
  const isCopied = async () => (await workbench.clipboard()) !== '';
  await expect.poll(async () => (await isCopied()) || (await workbench.dialog.isOpen())).toBe(true);
  if (!(await isCopied())) {
    await workbench.dialog.waitFor(/^Include the dashboard’s address in requests\?/);
    await workbench.dialog.press('Leave Out');
  }
  await expect.poll(isCopied).toBe(true);
  return workbench.clipboard();
}

test.describe('the Deployments view', () => {
  test('counts failing deployments as the badge and the status bar do', async () => {
    await expect(view.description).toHaveText('6 failing · environment');
    await expect(workbench.badge).toHaveText('6');
    await expect(workbench.summary).toHaveText('6 deployments failing');
  });

  test('opens a row to its step when ArrowRight is pressed', async () => {
    await view.select('Billing sync');
    await view.collapse('Billing sync');
    await workbench.page.keyboard.press('ArrowRight');
    const rows = await view.waitForRows(
      'the step',
      ([, step]) => step?.label === 'Reconnect Finance Slack',
    );
    assert.equal(rows[1]?.icon, 'lightbulb');
    await view.collapse('Billing sync');
  });

  test('opens rows down to the scopes of a connection method', async () => {
    await view.expand('Billing sync');
    await view.expand({ label: 'Finance Slack', under: 'Billing sync' });
    await openToTheScopes(view);
    const rowsBelowTheAccount = [
      '    token_revoked · The workspace admin removed the app.',
      '    chat:write',
      '    Checked 3 hours ago',
    ];
    await waitForOutline(view, rowsDownToTheScopes.toSpliced(3, 0, ...rowsBelowTheAccount));
    await view.collapse({ label: 'Finance Slack', under: 'Billing sync' });
    await view.collapse('Billing sync');
  });

  test('keeps rows expanded and selected when a refresh moves them', async () => {
    await openToTheScopes(view);
    await view.select({ label: 'channels:read', under: 'slack-oauth' });
    mendBillingSync(platform);
    await run(workbench, 'Refresh');
    const rows = await view.waitForRows(
      'the moved row',
      (all) => all[4]?.description.startsWith('missing') === true,
    );
    const namesOf = (some: typeof rows) =>
      some.map(({ ariaLabel }) => /^[^,]*/.exec(ariaLabel)?.[0]);
    const expandedNames = namesOf(rows.filter((row) => row.expanded));
    assert.deepEqual(expandedNames, ['Billing sync', 'notifier', 'slack-oauth']);
    const selectedNames = namesOf(rows.filter((row) => row.selected));
    assert.deepEqual(selectedNames, ['channels:read']);
    await view.collapse('Billing sync');
    await backToTheSample();
  });

  test('hides healthy deployments until the last row or one of them is chosen', async () => {
    const shown = [...sampleRows.slice(0, 10), '7 healthy hidden'];
    await view.pressTitleAction('Hide Healthy Deployments');
    await view.click('7 healthy hidden');
    await waitForOutline(view, sampleRows);
    await view.pressTitleAction('Hide Healthy Deployments');
    await view.pressInlineAction('7 healthy hidden', 'Show All Deployments');
    await waitForOutline(view, sampleRows);
    await view.pressTitleAction('Hide Healthy Deployments');
    for (const [name, rows] of [
      ['Nightly report', shown],
      ['Fleet alerts', sampleRows],
    ] as const) {
      await waitForOutline(view, shown);
      await run(workbench, 'Go to Deployment...');
      await workbench.quickInput.choose(name);
      await waitForSelection(view, name);
      await waitForOutline(view, rows);
    }
  });

  test('has one order of entries in the menus of all kinds of rows', async () => {
    const edit = ['Set Deployment Label...', 'Set Group...'];
    const copies = ['Copy ID', 'Copy Authorization Report', 'Find ID in Files'];
    const ofProblem = ['Copy Request', 'Notify When Fixed', 'Mute Problem...'];
    const ofDeployment = [
      'Set Owner...',
      'Open in Dashboard',
      'Remove Deployment from List',
      'Edit',
      'Copy and Find',
    ];
    assert.deepEqual(await view.menuEntries('Billing sync'), [
      'Refresh Deployment',
      ...ofProblem,
      ...ofDeployment,
    ]);
    assert.deepEqual(await view.menuEntries('Billing sync', 'Edit'), edit);
    assert.deepEqual(await view.menuEntries('Billing sync', 'Copy and Find'), copies);
    assert.deepEqual(await view.menuEntries('dep_77'), ['Refresh Deployment', ...ofDeployment]);
    assert.deepEqual(await view.menuEntries('dep_77', 'Edit'), [...edit, 'Edit ID...']);
    assert.deepEqual(await view.inlineActions('Billing sync'), ['Refresh Deployment']);
    await view.expand('Billing sync');
    await view.expand({ label: 'notifier', under: 'Billing sync' });
    const last = ['Open in Dashboard', 'Copy and Find'];
    const account = { label: 'Finance Slack', under: 'Billing sync' };
    assert.deepEqual(await view.menuEntries(account), [...ofProblem, 'Set Owner...', ...last]);
    assert.deepEqual(await view.menuEntries(account, 'Copy and Find'), copies);
    assert.deepEqual(await view.menuEntries({ label: 'notifier' }), [...ofProblem, ...last]);
    const method = { label: 'slack-oauth', under: 'notifier' };
    assert.deepEqual(await view.menuEntries(method), last);
    assert.deepEqual(await view.inlineActions(method), []);
    await view.collapse('Billing sync');
  });

  test('has the commands for all deployments in the menu of its title', async () => {
    await view.openTitleMenu();
    assert.deepEqual(await view.menu.entries(), [
      'Go to Deployment...',
      'Copy Authorization Report...',
      'Group by Account',
      'Add Deployments from Selection or Clipboard...',
      'Find Deployments in Workspace...',
      'Organization',
      'Check Connection',
      'Show Log',
      'Revoke API Key...',
    ]);
    await view.menu.close();
  });

  test('opens nothing when a step is clicked, whose button copies the request', async () => {
    await view.expand('Billing sync');
    const step = { label: 'Reconnect Finance Slack', under: 'Billing sync' };
    await view.select(step);
    await workbench.setClipboard('');
    await view.pressInlineAction(step, 'Copy Request');
    assert.match(await copiedRequest(), /Please reconnect the account `Finance Slack` \(`slack`\)/);
    // What the click had opened would be there by now.
    await expectNothingOpen(workbench);
    await view.collapse('Billing sync');
  });

  test('has a button for Edit ID in the row of a deployment that is not found', async () => {
    // VS Code 1.139 abbreviates the key.
    const actions = (await view.inlineActions('dep_77')).map((name) =>
      name.replace('(Del)', '(Delete)'),
    );
    assert.deepEqual(actions, [
      'Edit ID...',
      'Remove Deployment from List (Delete)',
      'Refresh Deployment',
    ]);
    await view.pressInlineAction('dep_77', 'Edit ID...');
    await workbench.quickInput.waitFor(/^ID of “dep_77”\./);
    await workbench.quickInput.cancel();
  });
});

test.describe('Refresh', () => {
  test('counts answers as they arrive until Cancel Refresh', async () => {
    await waitForOutline(view, sampleRows);
    platform.fault('all', { hold: true });
    platform.fault({ id: 'dep_billing_sync' }, { latency: 0 });
    platform.putDeployment('dep_billing_sync', healthy());
    platform.clearRequests();
    await view.pressTitleAction('Refresh');
    await expect(view.description).toHaveText('5 failing · 1 of 17 · environment');
    await view.row({ label: 'Billing sync', description: '' });
    const [firstRow] = await view.rows();
    assert.equal(firstRow?.label, 'Billing sync');
    await expect(workbench.badge).toHaveText('5');
    await expect(workbench.summary).toHaveText('5 deployments failing');
    await view.pressTitleAction('Cancel Refresh');
    await expect(view.description).toHaveText('5 failing · environment');
    // Of nine requests one was answered, and the cancellation ended eight.
    await platform.waitForRequests(8, { state: 'aborted' });
    assert.equal(platform.requests.length, 9);
    await backToTheSample();
  });
});

test.describe('Go to Deployment', () => {
  test('finds deployments by their state', async () => {
    for (const state of ['Healthy', 'Failing', 'Unknown']) {
      await run(workbench, 'Go to Deployment...');
      await workbench.quickInput.type(state.toLowerCase());
      const states = async () => {
        const names = await spokenNames(workbench.quickInput.rows);
        return new Set(names.map((name) => (name.includes(`, ${state}`) ? state : name)));
      };
      await expect.poll(async () => [...(await states())]).toEqual([state]);
      await workbench.quickInput.cancel();
    }
  });
});

test.describe('Remove Deployment from List', () => {
  test('removes several rows after a question, until Undo', async () => {
    await view.select('dep_77');
    await view.select('Onboarding', 'ControlOrMeta');
    await view.chooseFromMenu('Onboarding', 'Remove Deployment from List');
    await workbench.dialog.waitFor(/^Remove 2 deployments from the list\?/);
    await workbench.dialog.press('Remove');
    await waitForOutline(
      view,
      sampleRows.filter((row) => !/^(dep_77|Onboarding)/.test(row)),
    );
    await workbench.notifications.press(/^Removed 2 deployments from the list in \.vscode/, 'Undo');
    // The answers are known from a moment ago.
    await waitForOutline(view, sampleRows);
    assert.deepEqual(await listed(workbench), sampleDeployments);
  });
});

test.describe('Add Deployment', () => {
  test('lists a new deployment and selects its row', async () => {
    platform.putDeployment('dep_new', healthy());
    await view.pressTitleAction('Add Deployment...');
    await answer(
      workbench,
      /^Deployment ID, or several .* Will be saved in \.vscode\/settings\.json\./,
      ' dep_new ',
    );
    await answer(workbench, /^Label for “dep_new”\./, 'New one');
    await waitForSelection(view, 'New one');
    await view.row({ label: 'New one', description: '' });
    assert.deepEqual(await listed(workbench), [
      ...sampleDeployments,
      { id: 'dep_new', label: 'New one' },
    ]);
    await workbench.workspaceSettings.write({ [listSetting]: sampleDeployments });
    await view.waitForNoRow('New one');
  });
});

test.describe('Add Deployments from Selection', () => {
  test('adds the likely IDs of a selection, until Undo', async () => {
    platform.putDeployment('dep_new', healthy());
    await workbench.editor.newUntitled('dep_new dep_newer flow');
    await workbench.page.keyboard.press('ControlOrMeta+A');
    await run(workbench, 'Add Deployments from Selection or Clipboard...');
    await workbench.quickInput.waitFor(/^Add Deployments from Selection · /);
    await expect(workbench.quickInput.labels).toHaveText(['dep_new', 'dep_newer']);
    await workbench.quickInput.pressButton('Show All Words');
    await expect(workbench.quickInput.labels).toHaveText(['dep_new', 'dep_newer', 'flow']);
    await workbench.quickInput.accept();
    await view.row({ label: 'dep_new', description: '' });
    assert.deepEqual(await listed(workbench), [...sampleDeployments, 'dep_new', 'dep_newer']);
    await workbench.notifications.press('Added 2 deployments to .vscode/settings.json.', 'Undo');
    await view.waitForNoRow('dep_new');
    assert.deepEqual(await listed(workbench), sampleDeployments);
  });
});

test.describe('Set Owner', () => {
  test('names the owner of an account in hovers and requests', async () => {
    await view.expand('Billing sync');
    await view.chooseFromMenu({ label: 'Finance Slack', under: 'Billing sync' }, 'Set Owner...');
    await answer(workbench, /^Who can fix “Finance Slack”/, 'Maria, #finance-ops');
    const owners = { acc_slack_finance: 'Maria, #finance-ops' };
    await expect
      .poll(() => workbench.workspaceSettings.read())
      .toMatchObject({ 'automationPlatform.owners': owners });
    await view.tooltip('Billing sync', /Owner: Maria, #finance-ops/);
    await workbench.setClipboard('');
    await view.chooseFromMenu('Billing sync', 'Copy Request');
    const text = await copiedRequest();
    assert.match(text, /^For Maria, `#finance-ops`\n/);
    assert.match(text, /^Please reconnect the account `Finance Slack` \(`slack`\)/m);
    assert.match(text, /^Error: `token_revoked` – `The workspace admin removed the app`\.$/m);
    await workbench.notifications.waitFor('Copied the request for Maria, #finance-ops.');
    await view.collapse('Billing sync');
  });
});

test.describe('the hover of the status bar', () => {
  test('reveals a row by its link', async () => {
    await workbench.hovers.read(workbench.summary, /6 failing/);
    await workbench.hovers.shown.locator('a').filter({ hasText: 'Refund notices' }).click();
    await waitForSelection(view, 'Refund notices');
  });
});

test.describe('the status bar', () => {
  test('is hidden by its setting, which leaves the badge', async () => {
    await workbench.workspaceSettings.change({ 'automationPlatform.statusBar.enabled': false });
    await expect(workbench.summary).toBeHidden();
    await expect(workbench.badge).toHaveText('6');
    await workbench.workspaceSettings.change({ 'automationPlatform.statusBar.enabled': undefined });
    await expect(workbench.summary).toHaveText('6 deployments failing');
  });
});

test.describe('the badge', () => {
  test('is hidden by its setting, which leaves the status bar', async () => {
    await workbench.workspaceSettings.change({ 'automationPlatform.badge.enabled': false });
    await expect(workbench.badge).toBeHidden();
    await expect(workbench.summary).toHaveText('6 deployments failing');
    await workbench.workspaceSettings.change({ 'automationPlatform.badge.enabled': undefined });
    await expect(workbench.badge).toHaveText('6');
  });
});

test.describe('Find in a side bar of 170 pixels', () => {
  const long = 'Invoice reminders for the EMEA region, second wave (pilot B)';

  test.beforeAll(async () => {
    await workbench.workspaceSettings.write({
      [listSetting]: [...sampleDeployments, { id: 'dep_long', label: long }],
    });
    await view.row({ label: long });
    await workbench.setSidebarWidth(170);
  });
  test.afterAll(async () => {
    await workbench.setSidebarWidth(300);
    await workbench.workspaceSettings.write({ [listSetting]: sampleDeployments });
    await view.waitForNoRow(long);
  });

  const search = () => workbench.page.locator('.monaco-tree-type-filter input:visible');

  async function closeFind(): Promise<void> {
    await workbench.page.keyboard.press('Escape');
    await search().waitFor({ state: 'detached' });
  }

  async function expectFound(text: string, label: string): Promise<void> {
    await search().fill(text);
    await view.waitForRows(`“${text}” found`, (rows) =>
      rows.some((row) => row.focused && row.label === label),
    );
  }

  test('finds every label whole', async () => {
    const labels = (await view.rows()).map(({ label }) => label);
    assert.equal(labels.length, sampleRows.length + 1);
    await view.select('Billing sync');
    await workbench.page.keyboard.press('Control+Alt+F');
    for (const label of labels) await expectFound(label, label);
    await closeFind();
  });

  test('finds a word at the end of a long label', async () => {
    await view.select('Billing sync');
    await workbench.page.keyboard.press('Control+Alt+F');
    await expectFound('second wave', long);
    await closeFind();
  });
});

test.describe('Open in Dashboard', () => {
  const id = 'a/b?c&d=#%';
  const url = 'https://dash.example/d/a%2Fb%3Fc%26d%3D%23%25';

  test.beforeAll(async () => {
    platform.putDeployment(id, healthy());
    await workbench.workspaceSettings.write({ [listSetting]: [id] });
    await waitForOutline(view, [id]);
  });

  test('asks once, and then opens the URL with the encoded ID', async () => {
    const opened: string[] = [];
    await workbench.page.context().route('https://dash.example/**', async (route) => {
      opened.push(route.request().url());
      await route.fulfill({ contentType: 'text/html', body: '' });
    });
    await view.chooseFromMenu(id, 'Open in Dashboard');
    await workbench.dialog.waitFor(
      `Open dash.example for environment (from environment variables)?\n${url}`,
    );
    assert.deepEqual(opened, []);
    await workbench.dialog.press('Open');
    await expect.poll(() => opened).toEqual([url]);
    // Chromium draws nothing in a tab that another one covers, and Playwright clicks on nothing that is not drawn.
    await workbench.page.bringToFront();
    await view.chooseFromMenu(id, 'Open in Dashboard');
    await expect.poll(() => opened).toEqual([url, url]);
    await workbench.page.bringToFront();
  });
});

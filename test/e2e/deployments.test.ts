import { strict as assert } from 'node:assert';
import { healthy } from '../support/platform/data.js';
import type { Platform } from '../support/platform/platform.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, listSetting, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import {
  answer,
  listed,
  mendBillingSync,
  openToTheScopes,
  run,
  waitForOutline,
  waitForSelection,
} from './actions.js';

/** The sample as it stands: worst first, then by label. */
const sampleRows = [
  'Billing sync · Finance Slack failed',
  'Order alerts · Finance Slack failed',
  'Partner feed · $ (pass) Pa…le/login) failed',
  'Refund notices · Finance Slack failed',
  'Shift reminders · Finance Slack failed',
  'Nightly report · missing drive.readonly +1',
  'dep_77 · Not found',
  'Invoice OCR · 1 unknown',
  'Legacy bridge · Not from the platform (200)',
  'Payroll export · Access denied',
  'Contract archive',
  'dep_web_forms',
  'Fleet alerts',
  'Lead intake',
  'Onboarding',
  'Support triage',
  'Warehouse sync',
];

test.describe('the Deployments view', () => {
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

  /** Whichever test comes first is asked whether requests have the address of the dashboard. */
  async function copiedRequest(): Promise<string> {
    const isCopied = async () => (await workbench.clipboard()) !== '';
    await expect
      .poll(async () => (await isCopied()) || (await workbench.dialog.isOpen()))
      .toBe(true);
    if (!(await isCopied())) {
      await workbench.dialog.waitFor(/^Include the dashboard’s address in requests\?/);
      await workbench.dialog.press('Leave Out');
    }
    await expect.poll(isCopied).toBe(true);
    return workbench.clipboard();
  }

  test('rows stand worst first, and view, badge and status bar count alike', {
    tag: '@core',
  }, async () => {
    await expect(view.description).toHaveText('6 failing · environment');
    await expect(workbench.badge).toHaveText('6');
    await expect(workbench.summary).toHaveText('6 deployments failing');
  });

  test('a row opens to its step, and down to the scopes, with the rest folded', {
    tag: '@core',
  }, async () => {
    await view.select('Billing sync');
    await view.collapse('Billing sync');
    await workbench.page.keyboard.press('ArrowRight');
    await view.waitForRows(
      'the step',
      ([, step]) => step?.label === 'Reconnect Finance Slack' && step.icon === 'lightbulb',
    );
    await view.expand({ label: 'Finance Slack', under: 'Billing sync' });
    await openToTheScopes(view);
    await waitForOutline(view, [
      'Billing sync · Finance Slack failed',
      '  Reconnect Finance Slack · with channels:read',
      '  Finance Slack · token_revoked · in 4 deployments',
      '    token_revoked · The workspace admin removed the app.',
      '    chat:write',
      '    Checked 3 hours ago',
      '  notifier · needs Finance Slack',
      '    Finance Slack · failed: token_revoked · in 4 deployments',
      '    Ops Slack · eligible · in 8 deployments',
      '    slack-oauth · 1 of 2 granted',
      '      channels:read · missing · required',
      '      chat:write · granted · required, minimal',
      '  2 satisfied · archive, ledger',
      '  3 accounts',
      ...sampleRows.slice(1),
    ]);
    await view.collapse({ label: 'Finance Slack', under: 'Billing sync' });
  });

  test('rows stay open and selected through a refresh that moves them', {
    tag: '@core',
  }, async () => {
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
    assert.deepEqual(namesOf(rows.filter((row) => row.expanded)), [
      'Billing sync',
      'notifier',
      'slack-oauth',
    ]);
    assert.deepEqual(namesOf(rows.filter((row) => row.selected)), ['channels:read']);
    await view.collapse('Billing sync');
    await backToTheSample();
  });

  test('Hide Healthy Deployments lasts until its row or such a deployment is chosen', {
    tag: '@core',
  }, async () => {
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

  test('Go to Deployment finds deployments by the state that it shows', async () => {
    for (const state of ['Healthy', 'Failing', 'Unknown']) {
      await run(workbench, 'Go to Deployment...');
      await workbench.quickInput.type(state.toLowerCase());
      const spoken = async () =>
        workbench.quickInput.rows.evaluateAll((rows) =>
          rows.map((row) => row.getAttribute('aria-label') ?? ''),
        );
      await expect
        .poll(async () => (await spoken()).every((name) => name.includes(`, ${state}`)))
        .toBe(true);
      assert.ok((await spoken()).length > 0, state);
      await workbench.quickInput.cancel();
    }
  });

  test('menus hold what goes with each kind of row, in one order', async () => {
    const edit = ['Set Deployment Label...'];
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

  test('a click on a step selects it and opens nothing, and its button copies the request', {
    tag: '@core',
  }, async () => {
    await view.expand('Billing sync');
    const step = { label: 'Reconnect Finance Slack', under: 'Billing sync' };
    await view.select(step);
    await workbench.setClipboard('');
    await view.pressInlineAction(step, 'Copy Request');
    const copied = 'Please reconnect the account `Finance Slack` (`slack`)';
    assert.ok((await copiedRequest()).includes(copied));
    // What a click had opened would be there by now.
    assert.deepEqual(
      [await workbench.quickInput.isOpen(), await workbench.dialog.isOpen()],
      [false, false],
    );
    await view.collapse('Billing sync');
  });

  test('an ID that is not found has a button to edit it', async () => {
    const actions = ['Edit ID...', 'Remove Deployment from List (Delete)', 'Refresh Deployment'];
    // VS Code 1.139 abbreviates the key.
    const shown = (await view.inlineActions('dep_77')).map((name) =>
      name.replace('(Del)', '(Delete)'),
    );
    assert.deepEqual(shown, actions);
    await view.pressInlineAction('dep_77', 'Edit ID...');
    await workbench.quickInput.waitFor(/^ID of “dep_77”\./);
    await workbench.quickInput.cancel();
  });

  test('several rows leave the list after a question, and come back by Undo', async () => {
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
    // Nobody has to ask for what was known a moment ago.
    await waitForOutline(view, sampleRows);
    assert.deepEqual(await listed(workbench), sampleDeployments);
  });

  test('Add Deployment adds it to the list, reads it and shows its row', {
    tag: '@core',
  }, async () => {
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

  test('Add Deployments from Selection checks likely ones, and Undo takes them back', {
    tag: '@core',
  }, async () => {
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

  test('a refresh shows what has arrived, counts it, and can be cancelled', {
    tag: '@core',
  }, async () => {
    await waitForOutline(view, sampleRows);
    platform.fault('all', { hold: true });
    platform.fault({ id: 'dep_billing_sync' }, { latency: 0 });
    platform.putDeployment('dep_billing_sync', healthy());
    platform.clearRequests();
    await view.pressTitleAction('Refresh');
    await expect(view.description).toHaveText('5 failing · 1 of 17 · environment');
    await view.row({ label: 'Billing sync', description: '' });
    assert.equal((await view.rows())[0]?.label, 'Billing sync');
    await expect(workbench.badge).toHaveText('5');
    await expect(workbench.summary).toHaveText('5 deployments failing');
    await view.pressTitleAction('Cancel Refresh');
    await expect(view.description).toHaveText('5 failing · environment');
    // The requests on their way were let go, and one was answered.
    await platform.waitForRequests(8, { state: 'aborted' });
    assert.equal(platform.requests.length, 9);
    await backToTheSample();
  });

  test.describe('in a side bar of 170 pixels', () => {
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

    test('Find finds every label whole, and a word at the end of a long one', {
      tag: '@core',
    }, async () => {
      const labels = (await view.rows()).map(({ label }) => label);
      await view.select('Billing sync');
      assert.ok(
        labels.includes(long) && labels.length === sampleRows.length + 1,
        labels.join('\n'),
      );
      await workbench.page.keyboard.press('Control+Alt+F');
      const search = workbench.page.locator('.monaco-tree-type-filter input:visible');
      for (const [text, found] of [
        ...labels.map((label) => [label, label]),
        ['second wave', long],
      ]) {
        await search.fill(text!);
        await view.waitForRows(`“${text}” found`, (rows) =>
          rows.some(({ label, focused }) => focused && label === found),
        );
      }
      await workbench.page.keyboard.press('Escape');
    });
  });

  test('a link in the hover of the status bar reveals its row', { tag: '@core' }, async () => {
    await workbench.hovers.read(workbench.summary, /6 failing/);
    await workbench.hovers.shown.locator('a').filter({ hasText: 'Refund notices' }).click();
    await waitForSelection(view, 'Refund notices');
  });

  test('status bar and badge can be switched off, each for itself', async () => {
    await workbench.workspaceSettings.change({ 'automationPlatform.statusBar.enabled': false });
    await expect(workbench.summary).toBeHidden();
    await expect(workbench.badge).toHaveText('6');
    await workbench.workspaceSettings.change({
      'automationPlatform.statusBar.enabled': undefined,
      'automationPlatform.badge.enabled': false,
    });
    await expect(workbench.badge).toBeHidden();
    await expect(workbench.summary).toHaveText('6 deployments failing');
  });

  test('an owner is set on the row of an account, and named in hover and request', {
    tag: '@core',
  }, async () => {
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
  });

  test.describe('a single healthy deployment', () => {
    const id = 'a/b?c&d=#%';
    const url = 'https://dash.example/d/a%2Fb%3Fc%26d%3D%23%25';
    const rows = [id];

    test.beforeAll(async () => {
      platform.putDeployment(id, healthy());
      await workbench.workspaceSettings.write({ [listSetting]: [id] });
      await waitForOutline(view, rows);
    });

    test('Find ID in Files looks for a regular expression, not in the list itself', async () => {
      await view.chooseFromMenu(id, 'Copy and Find', 'Find ID in Files');
      const search = workbench.page.locator('.search-view .search-container');
      const toggle = (name: string) => search.locator(`[aria-label^="${name}"]`);
      await expect(search.locator('textarea')).toHaveValue(/a\\\/b\\\?c&d=#%/);
      await expect(toggle('Match Case')).toBeChecked();
      await expect(toggle('Match Whole Word')).not.toBeChecked();
      await expect(toggle('Use Regular Expression')).toBeChecked();
      await expect(workbench.page.locator('.search-view .messages')).toHaveText(
        /^No results found excluding/,
      );
      await expect(workbench.page.locator('.search-view .file-types.excludes input')).toBeVisible();
    });

    test('Open in Dashboard encodes the ID, and asks only the first time', async () => {
      const opened: string[] = [];
      await workbench.page.context().route('https://dash.example/**', async (route) => {
        opened.push(route.request().url());
        await route.fulfill({ contentType: 'text/html', body: '' });
      });
      view = await workbench.view('Deployments');
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
});

import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { healthy } from '../support/service/data.js';
import { sampleDeployments } from '../support/service/sample.js';
import type { Service } from '../support/service/service.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until, untilRead } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import {
  answer,
  begin,
  listed,
  listSetting,
  mendBillingSync,
  run,
  waitForOutline,
  waitForSelection,
} from './actions.js';

/** The sample as it stands: worst first, then by label. */
const sampleRows = [
  'Billing sync · Finance Slack failed · in 4 deployments',
  'Order alerts · Finance Slack failed · in 4 deployments',
  'Partner feed · $ (pass) Pa…le/login) failed',
  'Refund notices · Finance Slack failed · in 4 deployments',
  'Shift reminders · Finance Slack failed · in 4 deployments',
  'Nightly report · 2 of 5 not satisfied',
  'dep_77 · Not found',
  'Invoice OCR · 1 unknown · 1 of 2 satisfied',
  'Legacy bridge · Invalid response',
  'Payroll export · Access denied',
  'Contract archive · 2 of 2 satisfied',
  'dep_web_forms · nothing required',
  'Fleet alerts · 1 of 1 satisfied',
  'Lead intake · 4 of 4 satisfied',
  'Onboarding · 2 of 2 satisfied',
  'Support triage · 2 of 2 satisfied',
  'Warehouse sync · 2 of 2 satisfied',
];

describe('the Deployments view', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    ({ service, workbench } = await begin({
      list: sampleDeployments,
      userSettings: { 'automationPlatform.dashboardUrl': 'https://dash.example/d/{deploymentId}' },
      // High enough for every row.
      viewport: { width: 1280, height: 1200 },
    }));
    view = await workbench.view('Deployments');
    await waitForOutline(view, sampleRows);
  });

  const waitForBadge = (wanted: string) =>
    untilRead(
      `the badge ${wanted}`,
      () => workbench.activityBar.badge('Automation Platform'),
      (badge) => badge === wanted,
    );

  async function backToTheSample(): Promise<void> {
    service.reset();
    await run(workbench, 'Refresh');
    await waitForOutline(view, sampleRows);
  }

  it('stands worst first, and its problems are counted wherever one looks @core', async () => {
    await view.waitForDescription('6 failing · environment');
    await waitForBadge('6');
    await workbench.statusBar.waitForText('summary', '6 deployments failing');
  });

  it('opens down to the scopes, problems first @core', async () => {
    await view.expand('Billing sync');
    await view.expand({ label: 'notifier', under: 'Billing sync' });
    await view.expand({ label: 'slack-oauth', under: 'notifier' });
    await waitForOutline(view, [
      'Billing sync · Finance Slack failed · in 4 deployments',
      '  notifier · needs Finance Slack · slack',
      '    Reconnect Finance Slack',
      '    Finance Slack · failed: token_revoked · in 4 deployments',
      '    Ops Slack · eligible · in 8 deployments',
      '    slack-oauth · 1 of 2 granted',
      '      channels:read · missing · required',
      '      chat:write · granted · required, minimal',
      '  archive · google-sheets',
      '  ledger · stripe',
      '  Finance Slack · token_revoked · in 4 deployments · checked …',
      '  Finance Sheets · google-sheets · in 5 deployments · checked …',
      '  Ops Slack · slack · in 8 deployments · checked …',
      '  Stripe live · stripe · in 5 deployments · checked …',
      ...sampleRows.slice(1),
    ]);
  });

  it('keeps rows open and selected through a refresh that changes and moves them @core', async () => {
    await view.select({ label: 'channels:read', under: 'slack-oauth' });
    mendBillingSync(service);
    await run(workbench, 'Refresh');
    const rows = await view.waitForRows('the moved row', ({ 4: fifth }) => /1 of 3/.test(fifth?.description ?? ''));
    const namesOf = (some: typeof rows) => some.map(({ ariaLabel }) => /^[^,]*/.exec(ariaLabel)?.[0]);
    assert.deepEqual(namesOf(rows.filter((row) => row.expanded)), ['Billing sync', 'notifier', 'slack-oauth']);
    assert.deepEqual(namesOf(rows.filter((row) => row.selected)), ['channels:read']);
    await view.collapse('Billing sync');
    await backToTheSample();
  });

  it('hides what is healthy until somebody goes to such a deployment', async () => {
    await view.pressTitleAction('Hide Healthy Deployments');
    for (const [name, rows] of [
      ['Nightly report', sampleRows.slice(0, 10)],
      ['Fleet alerts', sampleRows],
    ] as const) {
      await waitForOutline(view, sampleRows.slice(0, 10));
      await run(workbench, 'Go to Deployment…');
      await workbench.quickInput.choose(name);
      await waitForSelection(view, name);
      await waitForOutline(view, rows);
    }
  });

  it('has menus with what goes with each kind of row, the harmless first', async () => {
    const ofEveryRow = ['Open in Dashboard', 'Copy ID', 'Copy Authorization Report', 'Find in Files'];
    assert.deepEqual(await view.menuEntries('Billing sync'), [
      'Refresh Deployment',
      'Watch Until It Changes',
      'Mute Problem…',
      ...ofEveryRow,
      'Set Deployment Label…',
      'Remove Deployment from List…',
    ]);
    assert.deepEqual(await view.inlineActions('Billing sync'), ['Refresh Deployment']);
    await view.expand('Billing sync');
    await view.expand({ label: 'notifier', under: 'Billing sync' });
    assert.deepEqual(await view.menuEntries({ label: 'notifier' }), ['Mute Problem…', ...ofEveryRow]);
    assert.deepEqual(await view.menuEntries({ label: 'slack-oauth', under: 'notifier' }), ofEveryRow);
    assert.deepEqual(await view.inlineActions({ label: 'slack-oauth', under: 'notifier' }), []);
    const menu = await view.openTitleMenu();
    assert.deepEqual(await menu.entries(), [
      'Go to Deployment…',
      'Copy Authorization Report',
      'Group by Account',
      'Add Deployments from Selection or Clipboard…',
      'Organization',
      'Check Connection…',
      'Show Log',
      'Revoke API Key…',
    ]);
    await menu.close();
  });

  it('selects at a click and opens nothing, and copies a step by its button @core', async () => {
    await view.expand('Billing sync');
    await view.expand({ label: 'notifier', under: 'Billing sync' });
    const step = { label: 'Reconnect Finance Slack', under: 'notifier' };
    await view.select(step);
    await view.pressInlineAction(step, 'Copy');
    const copied = 'Reconnect Finance Slack (slack) with the scope channels:read.';
    await until('the clipboard', async () => (await workbench.clipboard()) === copied);
    // What a click had opened would be there by now.
    assert.deepEqual([await workbench.quickInput.isOpen(), await workbench.dialog.isOpen()], [false, false]);
    await view.collapse('Billing sync');
  });

  it('copies the ids of the selection by key, and leads by a button from an ID that is not found to a better one', async () => {
    await view.select('dep_77');
    await view.select('Onboarding', 'Control');
    await workbench.page.keyboard.press('ControlOrMeta+C');
    await until('the clipboard', async () => (await workbench.clipboard()) === 'dep_77\ndep_onboarding');
    const actions = ['Edit ID…', 'Remove Deployment from List…', 'Refresh Deployment'];
    assert.deepEqual(await view.inlineActions('dep_77'), actions);
    await view.pressInlineAction('dep_77', 'Edit ID…');
    await workbench.quickInput.waitFor(/^ID of “dep_77”\./);
    await workbench.quickInput.cancel();
  });

  it('takes several rows out of the list after a question, and back by Undo', async () => {
    await view.select('dep_77');
    await view.select('Onboarding', 'Control');
    await view.chooseFromMenu('Onboarding', 'Remove Deployment from List…');
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

  it('adds a deployment to the list, reads it and shows its row @core', async () => {
    service.putDeployment('dep_new', healthy());
    await view.pressTitleAction('Add Deployment…');
    await answer(workbench, /^Deployment ID, or several .* Saved in \.vscode\/settings\.json\./, ' dep_new ');
    await answer(workbench, /^Label for “dep_new”\./, 'New one');
    await waitForSelection(view, 'New one');
    await view.row({ label: 'New one', description: '1 of 1 satisfied' });
    assert.deepEqual(await listed(workbench), [...sampleDeployments, { id: 'dep_new', label: 'New one' }]);
    await workbench.workspaceSettings.write({ [listSetting]: sampleDeployments });
    await view.waitForNoRow('New one');
  });

  it('adds those that a selected text names, likely ones checked, and takes them back by Undo @core', async () => {
    await workbench.editor.newUntitled('dep_new dep_newer flow');
    await workbench.page.keyboard.press('ControlOrMeta+A');
    await run(workbench, 'Add Deployments from Selection or Clipboard…');
    await workbench.quickInput.waitFor(/^Add Deployments from Selection · /);
    await workbench.quickInput.waitForRow('flow');
    await workbench.quickInput.accept();
    await view.row({ label: 'dep_new', description: '1 of 1 satisfied' });
    assert.deepEqual(await listed(workbench), [...sampleDeployments, 'dep_new', 'dep_newer']);
    await workbench.notifications.press('Added 2 deployments to .vscode/settings.json.', 'Undo');
    await view.waitForNoRow('dep_new');
    assert.deepEqual(await listed(workbench), sampleDeployments);
  });

  it('counts in a refresh of all what has arrived, shows it where it stands, and can be cancelled @core', async () => {
    await waitForOutline(view, sampleRows);
    service.fault('all', { hold: true });
    service.fault({ id: 'dep_billing_sync' }, { latency: 0 });
    service.putDeployment('dep_billing_sync', healthy());
    service.clearRequests();
    await view.pressTitleAction('Refresh');
    await view.waitForDescription('5 failing · 1 of 17 · environment');
    await view.row({ label: 'Billing sync', description: '1 of 1 satisfied' });
    assert.equal((await view.rows())[0]?.label, 'Billing sync');
    await waitForBadge('5');
    await workbench.statusBar.waitForText('summary', '5 deployments failing');
    await view.pressTitleAction('Cancel Refresh');
    await view.waitForDescription('5 failing · environment');
    // The requests on their way were let go, and one was answered.
    await service.waitForRequests(8, { state: 'aborted' });
    assert.equal(service.requests.length, 9);
    await backToTheSample();
  });

  it('is where the hover of the status bar leads: to the rows of the worst @core', async () => {
    await workbench.statusBar.tooltip('summary', /6 failing/);
    await workbench.hovers.shown.locator('a').filter({ hasText: 'Refund notices' }).click();
    await waitForSelection(view, 'Refund notices');
  });

  it('does without the status bar or the badge, each for itself', async () => {
    await workbench.workspaceSettings.change({ 'automationPlatform.statusBar.enabled': false });
    await workbench.statusBar.waitForGone('summary');
    await waitForBadge('6');
    await workbench.workspaceSettings.change({
      'automationPlatform.statusBar.enabled': undefined,
      'automationPlatform.badge.enabled': false,
    });
    await waitForBadge('');
    await workbench.statusBar.waitForText('summary', '6 deployments failing');
  });

  describe('a single healthy deployment', () => {
    const id = 'a/b?c&d=#%';
    const url = 'https://dash.example/d/a%2Fb%3Fc%26d%3D%23%25';
    const rows = [`${id} · 1 of 1 satisfied`];

    before(async () => {
      service.putDeployment(id, healthy());
      await workbench.workspaceSettings.write({ [listSetting]: [id] });
      await waitForOutline(view, rows);
    });

    it('leaves nothing to show where healthy ones are hidden, which is said, with the way back', async () => {
      await view.pressTitleAction('Hide Healthy Deployments');
      const { buttons } = await view.welcome(/^All deployments are healthy, and healthy deployments are hidden\./);
      assert.deepEqual(buttons, ['Show All Deployments']);
      await view.waitForDescription('1 healthy · environment');
      await view.pressWelcomeButton('Show All Deployments');
      await waitForOutline(view, rows);
    });

    it('is looked for with Find in Files as a whole word, not as an expression', async () => {
      await view.chooseFromMenu(id, 'Find in Files');
      const search = workbench.page.locator('.search-view .search-container');
      const toggle = (name: string) => search.locator(`[aria-label^="${name}"]`).getAttribute('aria-checked');
      await untilRead(
        'the search',
        async () => [
          await search.locator('textarea').inputValue(),
          await toggle('Match Whole Word'),
          await toggle('Use Regular Expression'),
        ],
        (seen) => isDeepStrictEqual(seen, [id, 'true', 'false']),
      );
    });

    it('is opened in the dashboard at its encoded ID, asked about only the first time', async () => {
      const opened: string[] = [];
      await workbench.page.context().route('https://dash.example/**', async (route) => {
        opened.push(route.request().url());
        await route.fulfill({ contentType: 'text/html', body: '' });
      });
      view = await workbench.view('Deployments');
      await view.chooseFromMenu(id, 'Open in Dashboard');
      await workbench.dialog.waitFor(`Open dash.example for environment (from environment variables)?\n${url}`);
      assert.deepEqual(opened, []);
      await workbench.dialog.press('Open');
      await until('the page', async () => opened.length === 1);
      // Chromium draws nothing in a tab that another one covers, and Playwright clicks on nothing that is not drawn.
      await workbench.page.bringToFront();
      await view.chooseFromMenu(id, 'Open in Dashboard');
      await until('the page again', async () => opened.length === 2);
      await workbench.page.bringToFront();
      assert.deepEqual(opened, [url, url]);
    });

    it('keeps what was read, stale, below a first row that says that the service can not be reached', async () => {
      await service.stop();
      await run(workbench, 'Refresh');
      const description = 'Check Connection…';
      const first = await view.row({ label: 'Unreachable (connection refused)', level: 1, description });
      assert.equal(first.index, 0);
      await view.row({ label: id, description: /^stale(, read .*)? · 1 of 1 satisfied$/ });
    });
  });
});

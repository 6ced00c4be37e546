import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { account, authorization, healthy, requirement } from '../support/service/data.js';
import { sampleData, sampleDeployments } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until, untilRead } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import {
  answer,
  environmentOf,
  requestsOf,
  run,
  waitForClipboard,
  waitForOutline,
  waitForSelection,
} from './actions.js';

const setting = 'automationPlatform.deployments';

/** The sample as it stands: worst first, then by label. */
const sampleRows = [
  'Billing sync · Finance Slack failed · in 4 deployments',
  'Order alerts · Finance Slack failed · in 4 deployments',
  'Part…eed · $ (pass) Pa…le/login) failed',
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

/** Its account's hostile name leaves little room. */
const partner = 'Part…eed';

const slackLacksScope = authorization(
  [account({ id: 'acc_slack_finance', label: 'Finance Slack', serviceSub: 'T02', scopes: ['chat:write'] }), account()],
  [
    requirement({
      accountId: 'acc_slack_finance',
      satisfied: false,
      eligibleAccountIds: ['acc_slack_finance', 'acc_slack_ops'],
    }),
  ],
);

describe('the Deployments view', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await startService({ data: sampleData() });
    await reset();
    workbench = await openWorkbench({
      env: environmentOf(service),
      workspaceSettings: { [setting]: sampleDeployments },
      userSettings: { 'automationPlatform.dashboardUrl': 'https://dash.example/d/{deploymentId}' },
      // High enough for every row.
      viewport: { width: 1280, height: 1200 },
    });
    view = await workbench.view('Deployments');
    await waitForOutline(view, sampleRows);
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  async function waitForTitleAction(there: string, away: string): Promise<void> {
    await until(`${there} in place of ${away}`, async () => {
      const actions = await view.titleActions();
      return actions.includes(there) && !actions.includes(away);
    });
  }

  /** The sample, without its slow answer: here nobody looks at that. */
  async function reset(): Promise<void> {
    service.reset();
    const { standing } = service.data;
    service.putData({ standing: standing.filter(({ fault }) => fault.latency === undefined) });
  }

  const waitForBadge = (wanted: string) =>
    untilRead(
      `the badge ${wanted}`,
      () => workbench.activityBar.badge('Automation Platform'),
      (badge) => badge === wanted,
    );

  const offered = async () => (await workbench.quickInput.rows()).map(({ label, checked }) => ({ label, checked }));

  const listed = async () => (await workbench.workspaceSettings.read())[setting];

  describe('rows @core', () => {
    it('stand worst first, and the problems are counted wherever one looks', async () => {
      await view.waitForDescription('6 failing, 4 unknown · environment');
      await waitForBadge('6');
      await workbench.statusBar.waitForText('summary', '6 deployments failing');
      assert.match(
        await workbench.statusBar.ariaLabel('summary'),
        /Automation Platform: 6 deployments failing, 4 unknown/,
      );
    });

    it('open down to the scopes, problems first', async () => {
      await view.expand('Billing sync');
      await view.expand({ label: 'notifier', under: 'Billing sync' });
      await view.expand({ label: 'slack-oauth', under: 'notifier' });
      await view.expand({ label: 'Finance Slack', under: 'Billing sync' });
      await waitForOutline(view, [
        'Billing sync · Finance Slack failed · in 4 deployments',
        '  notifier · missing channels:read · slack',
        '    Grant channels:read',
        '    Finan…lack · failed: token_revoked · in 4 deployments',
        '    Ops Slack · eligible · in 8 deployments',
        '    slack-oauth · 1 of 2 granted',
        '      channels:read · missing · required',
        '      chat:write · granted · required, minimal',
        '  archive · google-sheets',
        '  ledger · stripe',
        '  Finance Slack · token_revoked · in 4 deployments · checked …',
        '    token_revoked · The workspace admin removed the app.',
        '    Reconnect Finance Slack',
        '    chat:write',
        '  Finance Sheets · google-sheets · in 5 deployments · checked …',
        '  Ops Slack · slack · in 8 deployments · checked …',
        '  Stripe live · stripe · in 5 deployments · checked …',
        ...sampleRows.slice(1),
      ]);
      const missing = await view.row({ label: 'channels:read', under: 'slack-oauth' });
      assert.equal(missing.icon, 'close');
      assert.equal(missing.ariaLabel, 'channels:read, scope, missing, required');
      const granted = await view.row({ label: 'chat:write', under: 'slack-oauth' });
      assert.equal(granted.icon, 'check');
      assert.equal(granted.ariaLabel, 'chat:write, scope, granted, required, minimal');
      const eligible = await view.row({ label: 'Ops Slack', under: 'notifier' });
      assert.match(eligible.ariaLabel, /^Ops Slack, account, no error, slack, checked .*, in 8 deployments, eligible$/);
    });

    it('stay open and selected through a refresh that changes and moves them', async () => {
      await view.select({ label: 'channels:read', under: 'slack-oauth' });
      service.putDeployment('dep_billing_sync', slackLacksScope);
      await run(workbench, 'Refresh');
      await waitForOutline(view, [
        ...sampleRows.slice(1, 5),
        'Billing sync · 1 of 1 not satisfied',
        '  notifier · missing channels:read · slack',
        '    Grant channels:read · Seen since …',
        '    Finance Slack · bound · in 4 deployments',
        '    Ops Slack · eligible · in 8 deployments',
        '    slack-oauth · 1 of 2 granted',
        '      channels:read · missing · required',
        '      chat:write · granted · required, minimal',
        '  Finance Slack · slack · in 4 deployments · checked …',
        '    chat:write',
        '  Ops Slack · slack · in 8 deployments · checked …',
        ...sampleRows.slice(5),
      ]);
      const selected = (await view.rows()).filter((row) => row.selected);
      assert.deepEqual(
        selected.map(({ ariaLabel }) => ariaLabel),
        ['channels:read, scope, missing, required'],
      );
      await reset();
      await view.collapse('Billing sync');
      await run(workbench, 'Refresh');
      await waitForOutline(view, sampleRows);
    });
  });

  describe('the filter', () => {
    it('leaves problems and what can not be read, stays on for what it shows anyway, and goes off again', async () => {
      await view.pressTitleAction('Hide Healthy Deployments');
      await waitForOutline(view, sampleRows.slice(0, 10));
      await waitForTitleAction('Show All Deployments', 'Hide Healthy Deployments');
      await view.waitForDescription('6 failing, 4 unknown · environment');
      await run(workbench, 'Go to Deployment…');
      await workbench.quickInput.choose('Nightly report');
      await waitForSelection(view, ['Nightly report']);
      await waitForOutline(view, sampleRows.slice(0, 10));
      await view.pressTitleAction('Show All Deployments');
      await waitForOutline(view, sampleRows);
    });

    it('says so when it hides everything, and offers to show it', async () => {
      await workbench.workspaceSettings.write({ [setting]: ['dep_onboarding', 'dep_support_triage'] });
      await waitForOutline(view, ['dep_onboarding · 2 of 2 satisfied', 'dep_support_triage · 2 of 2 satisfied']);
      await view.pressTitleAction('Hide Healthy Deployments');
      const { text, buttons } = await view.welcome(/hidden/);
      assert.equal(text.split('\n')[0], 'All deployments are healthy, and healthy deployments are hidden.');
      assert.deepEqual(buttons, ['Show All Deployments']);
      await view.waitForDescription('2 healthy · environment');
      await waitForBadge('');
      await view.pressWelcomeButton('Show All Deployments');
      await waitForOutline(view, ['dep_onboarding · 2 of 2 satisfied', 'dep_support_triage · 2 of 2 satisfied']);
      await workbench.workspaceSettings.write({ [setting]: sampleDeployments });
      await view.row('Billing sync');
      await run(workbench, 'Refresh');
      await waitForOutline(view, sampleRows);
    });
  });

  describe('menus and keys', () => {
    it('offer what goes with each kind of row, the harmless first', async () => {
      assert.deepEqual(await view.menuEntries('Billing sync'), [
        'Refresh Deployment',
        'Watch Until It Changes',
        'Mute Problem…',
        'Open in Dashboard',
        'Copy ID',
        'Copy Authorization Report',
        'Find in Files',
        'Set Deployment Label…',
        'Remove Deployment from List…',
      ]);
      assert.deepEqual(await view.inlineActions('Billing sync'), ['Refresh Deployment']);
      await view.expand('Billing sync');
      await view.expand({ label: 'notifier', under: 'Billing sync' });
      const ofEveryRow = ['Open in Dashboard', 'Copy ID', 'Copy Authorization Report', 'Find in Files'];
      const problem = { label: 'notifier', under: 'Billing sync' };
      assert.deepEqual(await view.menuEntries(problem), ['Mute Problem…', ...ofEveryRow]);
      for (const query of [
        { label: 'Ops Slack', under: 'Billing sync' },
        { label: 'slack-oauth', under: 'notifier' },
      ]) {
        assert.deepEqual(await view.menuEntries(query), ofEveryRow);
        assert.deepEqual(await view.inlineActions(query), []);
      }
      await view.collapse('Billing sync');
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

    it('stay closed at a click: it selects, and opens what has rows below it; a step is copied by its button @core', async () => {
      const notifier = { label: 'notifier', under: 'Billing sync' };
      const step = { label: 'Grant channels:read', under: 'notifier' };
      await view.expand('Billing sync');
      await view.collapse(notifier);
      await view.collapse('Billing sync');
      await view.select('Billing sync');
      await view.select(notifier);
      await view.select(step);
      await view.pressInlineAction(step, 'Copy');
      await waitForClipboard(
        workbench,
        'Reconnect Finance Slack (slack) with the scope channels:read. Or use the eligible account Ops Slack.',
      );
      // What a click had opened would be there by now.
      const { quickInput, dialog, notifications } = workbench;
      const open = [await quickInput.isOpen(), await dialog.isOpen(), (await notifications.shown()).length > 0];
      assert.deepEqual(open, [false, false, false]);
      await view.collapse('Billing sync');
    });

    it('copy ids: of the row, and by key of the selection', async () => {
      await view.chooseFromMenu('Nightly report', 'Copy ID');
      await waitForClipboard(workbench, 'dep_nightly_report');
      await view.select('dep_77');
      await view.select('Onboarding', 'Control');
      await workbench.page.keyboard.press('ControlOrMeta+C');
      await waitForClipboard(workbench, 'dep_77\ndep_onboarding');
    });
  });

  describe('the list in the settings', () => {
    it('loses several rows without a question, and gets them back by Undo', async () => {
      await view.select('dep_77');
      await view.select(partner, 'Control');
      await view.chooseFromMenu(partner, 'Remove Deployment from List…');
      await view.waitForNoRow(partner);
      await view.waitForNoRow('dep_77');
      assert.deepEqual(
        await listed(),
        sampleDeployments.filter(
          (entry) => entry !== 'dep_77' && !(typeof entry === 'object' && entry.id === 'dep_partner_feed'),
        ),
      );
      const { text } = await workbench.notifications.waitFor(/^Removed/);
      assert.equal(
        text,
        'Removed 2 deployments from the list in .vscode/settings.json. Nothing changed on the server.',
      );
      await workbench.notifications.press(/^Removed/, 'Undo');
      // Nobody has to ask for what was known a moment ago.
      await waitForOutline(view, sampleRows);
      assert.deepEqual(await listed(), sampleDeployments);
    });

    it('takes a new deployment, reads it and shows its row @core', async () => {
      service.putDeployment('dep_new', healthy());
      await view.pressTitleAction('Add Deployment…');
      await workbench.quickInput.waitFor(/^Deployment ID, or several .* Saved in \.vscode\/settings\.json\./);
      await workbench.quickInput.type('..');
      await workbench.quickInput.waitFor('“.” and “..” cannot be IDs.');
      await workbench.quickInput.answer(' dep_new ');
      await workbench.quickInput.waitFor(/^Label for “dep_new”\./);
      await workbench.quickInput.back();
      await workbench.quickInput.waitFor(/^Deployment ID/);
      assert.equal(await workbench.quickInput.value(), ' dep_new ');
      await workbench.quickInput.accept();
      await answer(workbench, /^Label for/, 'New one');
      await waitForSelection(view, ['New one']);
      await view.row({ label: 'New one', description: '1 of 1 satisfied' });
      assert.deepEqual(await listed(), [...sampleDeployments, { id: 'dep_new', label: 'New one' }]);
      await workbench.workspaceSettings.write({ [setting]: sampleDeployments });
      await view.waitForNoRow('New one');
    });

    it('takes those of a selected text that begin like listed ones, and gives them back by Undo @core', async () => {
      await workbench.editor.newUntitled('dep_new dep_newer flow');
      await workbench.page.keyboard.press('ControlOrMeta+A');
      await run(workbench, 'Add Deployments from Selection or Clipboard…');
      await workbench.quickInput.waitFor(/^Add Deployments from Selection · /);
      assert.deepEqual(await offered(), [
        { label: 'dep_new', checked: true },
        { label: 'dep_newer', checked: true },
        { label: 'flow', checked: false },
      ]);
      await workbench.quickInput.accept();
      await view.row({ label: 'dep_new', description: '1 of 1 satisfied' });
      await workbench.notifications.press('Added 2 deployments to .vscode/settings.json.', 'Undo');
      await view.waitForNoRow('dep_new');
      assert.deepEqual(await listed(), sampleDeployments);

      // Without a selection the clipboard counts, of which nothing secret is offered.
      await workbench.editor.focus();
      await workbench.page.keyboard.press('ArrowRight');
      await workbench.setClipboard(`${service.token} dep_1 Bearer x`);
      await run(workbench, 'Add Deployments from Selection or Clipboard…');
      await workbench.quickInput.waitFor(
        '2 left out: tokens, or longer than 128 characters. Select the deployments to add.',
      );
      assert.deepEqual(await offered(), [{ label: 'dep_1', checked: false }]);
      await workbench.quickInput.cancel();
    });
  });

  describe('a refresh of all', () => {
    it('counts what has arrived, shows it where it stands, and can be cancelled @core', async () => {
      await waitForOutline(view, sampleRows);
      service.fault('all', { hold: true });
      service.fault({ id: 'dep_billing_sync' }, { latency: 0 });
      service.putDeployment('dep_billing_sync', healthy());
      service.clearRequests();
      await view.pressTitleAction('Refresh');
      await view.waitForDescription('1 of 17 · environment');
      await view.row({ label: 'Billing sync', description: '1 of 1 satisfied' });
      assert.equal((await view.rows())[0]?.label, 'Billing sync');
      await until('the progress bar', () => view.isBusy());
      await workbench.statusBar.waitForText('summary', 'Reading deployments: 1 of 17');
      await waitForTitleAction('Cancel Refresh', 'Refresh');
      // What is read again keeps showing what it was.
      await view.row({
        label: partner,
        description: /failed · (reading|waiting)$/,
      });
      await view.pressTitleAction('Cancel Refresh');
      await waitForOutline(view, [
        // The account is in one deployment less.
        ...sampleRows.slice(1, 10).map((row) => row.replace('in 4 deployments', 'in 3 deployments')),
        'Billing sync · 1 of 1 satisfied',
        ...sampleRows.slice(10),
      ]);
      await view.waitForDescription('5 failing, 4 unknown · environment');
      await until('the progress to end', async () => !(await view.isBusy()));
      // The requests on their way were let go. No more were sent than may be in flight, with one place kept for people.
      await service.waitForRequests(7, { state: 'aborted' });
      assert.equal(requestsOf(service, 'getDeploymentAuthorization').length, 8);
      await reset();
      await run(workbench, 'Refresh');
      await waitForOutline(view, sampleRows);
    });
  });

  describe('the status bar and the badge', () => {
    it('tell the worst five in the hover, each of them a way to its row @core', async () => {
      const hover = await workbench.statusBar.tooltip('summary', /6 failing/);
      const lines = hover.split('\n').filter((line) => line !== '');
      assert.deepEqual(
        lines.map((line) => line.replace(/ · (just now|\d+ min\. ago)$/, '')),
        [
          'environment (from environment variables) · 6 failing, 4 unknown',
          'Billing sync · Finance Slack failed',
          'Order alerts · Finance Slack failed',
          'Partner feed · $(pass) Pa…le/login) failed',
          'Refund notices · Finance Slack failed',
          'Shift reminders · Finance Slack failed',
          '5 more',
        ],
      );
      await workbench.hovers.shown.locator('a').filter({ hasText: 'Refund notices' }).click();
      await waitForSelection(view, ['Refund notices']);
    });

    it('can be turned off and on, each without the other', async () => {
      await workbench.workspaceSettings.change({ 'automationPlatform.statusBar.enabled': false });
      await workbench.statusBar.waitForGone('summary');
      await waitForBadge('6');
      await workbench.workspaceSettings.change({
        'automationPlatform.statusBar.enabled': undefined,
        'automationPlatform.badge.enabled': false,
      });
      await waitForBadge('');
      await workbench.statusBar.waitForText('summary', '6 deployments failing');
      await workbench.workspaceSettings.change({ 'automationPlatform.badge.enabled': undefined });
      await waitForBadge('6');
    });
  });

  describe('what a row opens', () => {
    const id = 'a/b?c&d=#%';
    const url = 'https://dash.example/d/a%2Fb%3Fc%26d%3D%23%25';

    before(async () => {
      service.putDeployment(id, healthy());
      await workbench.workspaceSettings.write({ [setting]: [id] });
      await waitForOutline(view, [`${id} · 1 of 1 satisfied`]);
    });

    it('is with Find in Files the search for the ID, as a whole word and not as an expression', async () => {
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

    it('is with Open in Dashboard the page at the encoded ID, asked about only the first time', async () => {
      const opened: string[] = [];
      await workbench.page.context().route('https://dash.example/**', async (route) => {
        opened.push(route.request().url());
        await route.fulfill({ contentType: 'text/html', body: '' });
      });
      view = await workbench.view('Deployments');
      await view.chooseFromMenu(id, 'Open in Dashboard');
      assert.equal(
        await workbench.dialog.waitFor(/^Open dash\.example for /),
        `Open dash.example for environment (from environment variables)?\n${url}`,
      );
      assert.deepEqual(opened, []);
      await workbench.dialog.press('Open');
      await until('the page', async () => opened.length === 1);
      await view.chooseFromMenu(id, 'Open in Dashboard');
      await until('the page again', async () => opened.length === 2);
      assert.deepEqual(opened, [url, url]);
      assert.equal(await workbench.dialog.isOpen(), false);
    });
  });
});

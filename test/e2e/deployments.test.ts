import { strict as assert } from 'node:assert';
import { account, authorization, healthy, requirement } from '../support/service/data.js';
import { sampleData, sampleDeployments } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
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

/** The sample's list with another entry for Onboarding. */
function withEntry(entry: string | { id: string; label: string }): unknown[] {
  return sampleDeployments.map((other) => (typeof other !== 'string' && other.id === 'dep_onboarding' ? entry : other));
}

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

  // What one test leaves open is not to fail the others.
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      await workbench.page.keyboard.press('Escape');
      await workbench.page.keyboard.press('Escape');
      await reset();
      await workbench.workspaceSettings.write({ [setting]: sampleDeployments });
      await view.pressTitleAction('Collapse All');
      await refresh();
    }
  });

  /** Reads all again and waits until that is over. */
  async function refresh(): Promise<void> {
    await until('the end of what is under way', async () => !(await view.isBusy()));
    service.clearRequests();
    await run(workbench, 'Refresh');
    const ids = new Set(sampleDeployments.map((entry) => (typeof entry === 'string' ? entry : entry.id)));
    await service.waitForRequests(ids.size, { operation: 'getDeploymentAuthorization', state: 'answered' });
    await until('the end of the refresh', async () => !(await view.isBusy()));
  }

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

  const listed = async () => (await workbench.workspaceSettings.read())[setting];

  describe('rows @core', () => {
    it('stand worst first, and the problems are counted wherever one looks', async () => {
      await view.waitForDescription('6 failing, 4 unknown · environment');
      await until('the badge', async () => (await workbench.activityBar.badge('Automation Platform')) === '6');
      await workbench.statusBar.waitForText('summary', '6 deployments failing');
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
      await refresh();
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
      await refresh();
      await waitForOutline(view, sampleRows);
    });
  });

  describe('hovers', () => {
    it('tell each problem with its step, and when it was read @core', async () => {
      const hover = await view.tooltip('Billing sync', /Organization/);
      // How long it has been seen depends on the tests before this one.
      const lines = hover.split('\n').filter((line) => line !== '' && !line.startsWith('Seen since '));
      assert.deepEqual(
        lines.map((line) => line.replace(/ [A-Z][a-z][a-z] \d+, \d{4}, \d+:\d\d:\d\d [AP]M \S+?\.$/, ' ….')),
        [
          'Billing sync · dep_billing_sync',
          'Failed: 1 account failed, 1 of 3 not satisfied.',
          'Read on ….',
          'Finance Slack (slack) failed: token_revoked (The workspace admin removed the app).',
          'Reconnect Finance Slack (slack) with the scope channels:read.',
          'In 4 deployments of those read here.',
          'notifier: Finance Slack is missing channels:read.',
          'Reconnect Finance Slack (slack) with the scope channels:read. Or use the eligible account Ops Slack.',
          'Organization: environment (from environment variables)',
        ],
      );
    });
  });

  describe('the filter', () => {
    it('leaves problems and what can not be read, and goes off again @core', async () => {
      await view.pressTitleAction('Hide Healthy Deployments');
      await waitForOutline(view, sampleRows.slice(0, 10));
      await waitForTitleAction('Show All Deployments', 'Hide Healthy Deployments');
      await view.waitForDescription('6 failing, 4 unknown · environment');
      await view.pressTitleAction('Show All Deployments');
      await waitForOutline(view, sampleRows);
    });

    it('stays on for Go to Deployment when it shows the row anyway', async () => {
      await view.pressTitleAction('Hide Healthy Deployments');
      await waitForOutline(view, sampleRows.slice(0, 10));
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
      await until('the badge to go', async () => (await workbench.activityBar.badge('Automation Platform')) === '');
      await view.pressWelcomeButton('Show All Deployments');
      await waitForOutline(view, ['dep_onboarding · 2 of 2 satisfied', 'dep_support_triage · 2 of 2 satisfied']);
      await workbench.workspaceSettings.write({ [setting]: sampleDeployments });
      await view.row('Billing sync');
      await refresh();
      await waitForOutline(view, sampleRows);
    });
  });

  describe('menus and keys', () => {
    it('offer what goes with each kind of row, the harmless first', async () => {
      assert.deepEqual(await view.menuEntries('Billing sync'), [
        'Refresh Deployment',
        'Watch Until It Changes',
        'Mute Problem…',
        'Copy ID',
        'Copy Authorization Report',
        'Find in Files',
        'Set Deployment Label…',
        'Remove Deployment from List…',
      ]);
      assert.deepEqual(await view.inlineActions('Billing sync'), ['Refresh Deployment']);
      await view.expand('Billing sync');
      await view.expand({ label: 'notifier', under: 'Billing sync' });
      const ofEveryRow = ['Copy ID', 'Copy Authorization Report', 'Find in Files'];
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

    it('copy ids: of the row, by key of the selection, of rows below', async () => {
      await view.chooseFromMenu('Nightly report', 'Copy ID');
      await waitForClipboard(workbench, 'dep_nightly_report');
      await view.select('dep_77');
      await workbench.page.keyboard.press('ControlOrMeta+C');
      await waitForClipboard(workbench, 'dep_77');
      await view.select('Onboarding', 'Control');
      await view.select('Fleet alerts', 'Control');
      await workbench.page.keyboard.press('ControlOrMeta+C');
      await waitForClipboard(workbench, 'dep_77\ndep_onboarding\ndep_fleet_alerts');
      await view.expand('Onboarding');
      await view.chooseFromMenu({ label: 'HubSpot main', under: 'Onboarding' }, 'Copy ID');
      await waitForClipboard(workbench, 'acc_hubspot_main');
      await view.collapse('Onboarding');
    });

    it('copy the report of one deployment, without what it must leave out @core', async () => {
      await workbench.setClipboard('');
      await view.chooseFromMenu('Billing sync', 'Copy Authorization Report');
      // Files that run at once share the clipboard.
      const report = await until('the report', async () => {
        const text = await workbench.clipboard();
        return text.startsWith('# `Billing sync` (`dep_billing_sync`)\n') && text;
      });
      const lines = report.split('\n');
      for (const line of [
        'Left out: base URL, organization and `serviceSub`.',
        '- **not satisfied**: `notifier`',
        '    - `channels:read`: missing, required',
        '- **failed**: `Finance Slack`',
        '  - error.code: `token_revoked`',
      ]) {
        assert.ok(lines.includes(line), `${line} in\n${report}`);
      }
      const host = new URL(service.baseUrl).host;
      // A serviceSub stands between backticks; the bare T02 is in every time between two and three, too.
      for (const secret of [host, 'environment', '`T02`', 'finance@acme.example', service.token]) {
        assert.ok(!report.includes(secret), `no ${secret} in\n${report}`);
      }
    });
  });

  describe('the list in the settings', () => {
    it('takes a label and gives it back', async () => {
      await view.chooseFromMenu('Onboarding', 'Set Deployment Label…');
      await workbench.quickInput.waitFor(/^Label for “dep_onboarding”\. Leave it empty to remove the label\./);
      assert.equal(await workbench.quickInput.value(), 'Onboarding');
      await workbench.quickInput.answer(' New hires ');
      await view.row('New hires');
      assert.deepEqual(await listed(), withEntry({ id: 'dep_onboarding', label: 'New hires' }));
      await view.chooseFromMenu('New hires', 'Set Deployment Label…');
      await answer(workbench, /Leave it empty to remove the label/, '');
      await view.row('dep_onboarding');
      assert.deepEqual(await listed(), withEntry('dep_onboarding'));
      await view.chooseFromMenu('dep_onboarding', 'Set Deployment Label…');
      await answer(workbench, /Leave it empty to remove the label/, 'Onboarding');
      await view.row('Onboarding');
      assert.deepEqual(await listed(), sampleDeployments);
    });

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
      await workbench.quickInput.answer(service.token);
      await workbench.quickInput.waitFor(
        'This is a token, not the ID of a deployment. Do not put tokens into settings.',
      );
      await workbench.quickInput.type('dep_77');
      await workbench.quickInput.waitFor(/^Already in the list\./);
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
      await refresh();
      await waitForOutline(view, sampleRows);
    });
  });

  describe('Show Log', () => {
    it('opens our output channel', async () => {
      await run(workbench, 'Show Log');
      const panel = workbench.page.locator('.part.panel');
      await until('a line about a request', async () =>
        (await panel.locator('.view-line').allInnerTexts()).some((line) =>
          /GET.\/deployments\/\{deploymentId\}/.test(line),
        ),
      );
    });
  });
});

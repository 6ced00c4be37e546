import { strict as assert } from 'node:assert';
import { sampleData, sampleDeployments, sampleInstallTokens } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { seriousViolations } from '../support/workbench/accessibility.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import { Walkthrough } from '../support/workbench/walkthrough.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, environmentOf, run, waitForClipboard, waitForSelection } from './actions.js';

/** Where our words and buttons stand; the boxes around them are VS Code's. */
const parts = {
  window: [
    '.part.sidebar .pane',
    '[id="automation-platform-tools.automation-platform.summary"]',
    '.monaco-hover:not(.hidden)',
  ],
  pick: ['.quick-input-widget'],
  walkthrough: [
    '.getting-started-category .category-title',
    '.getting-started-category .category-description-container',
    '.getting-started-step.expanded .step-title',
    '.getting-started-step.expanded .step-description-container',
  ],
  question: ['.quick-input-widget .quick-input-titlebar', '.quick-input-widget .quick-input-message'],
  dialog: ['.dialog-message-text', '.dialog-message-detail', '.dialog-buttons'],
  notification: ['.notification-list-item-message', '.notification-list-item-buttons-container'],
};

const themes = [
  ['light', ''],
  ['dark', ' @all'],
  ['hcDark', ' @all'],
  ['hcLight', ' @all'],
] as const;

/** Without ages, which depend on the machine's haste, and without the time zone's name. */
function spoken(text: string): string {
  return text
    .replace(/(just now|\d+ (minute|hour|day)s? ago)/g, '…')
    .replace(/[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d:\d\d [AP]M \S+/g, '…')
    .replace(/\d\d:\d\d [AP]M \S+/g, '…');
}

describe('accessibility', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await startService({ data: sampleData() });
    service.putData({ standing: service.data.standing.filter(({ fault }) => fault.latency === undefined) });
    workbench = await openWorkbench({
      env: environmentOf(service),
      workspaceSettings: { 'automationPlatform.deployments': sampleDeployments },
      files: { 'deploy.yaml': 'jobs:\n  - deployment: dep_billing_sync\n' },
      viewport: { width: 1600, height: 1100 },
    });
    view = await workbench.view('Deployments');
    await view.waitForDescription('6 failing, 4 unknown · environment');
    await view.expand('Billing sync');
    await view.expand({ label: 'notifier', under: 'Billing sync' });
    await view.expand({ label: 'slack-oauth', under: 'notifier' });
    await view.expand({ label: 'Finance Slack', under: 'Billing sync' });
    // A row counts as open before the rows below it have come.
    await view.row({ label: 'chat:write', under: 'Finance Slack' });
    await view.row({ label: 'chat:write', under: 'slack-oauth' });
    await view.row({ label: 'Ops Slack', under: 'notifier' });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  /** Takes a picture, and expects nothing serious. */
  async function check(name: string, part: keyof typeof parts): Promise<void> {
    await workbench.screenshot(name);
    assert.deepEqual(await seriousViolations(workbench.page, parts[part]), [], name);
  }

  for (const [theme, mark] of themes) {
    describe(`in the theme ${theme}${mark}`, () => {
      before(() => workbench.setTheme(theme));

      it('has nothing serious against it: rows, welcome view, status bar, hover, list, walkthrough', async () => {
        await workbench.editor.open('deploy.yaml');
        await workbench.editor.hover('dep_billing_sync', /Check Again/);
        await check(`editor-${theme}`, 'window');
        await workbench.hovers.leave();
        await run(workbench, 'Go to Deployment…');
        await workbench.quickInput.waitForRow('Billing sync');
        await check(`quick-pick-${theme}`, 'pick');
        await workbench.quickInput.cancel();
        const walkthrough = new Walkthrough(workbench.page);
        await walkthrough.open('Get Started with Automation Platform');
        for (const { title } of await walkthrough.steps()) {
          await walkthrough.expand(title);
          await check(`walkthrough-${theme}-${title}`, 'walkthrough');
        }
        await workbench.editor.close();
      });

      it('has nothing serious against it: a question, the last one before a revocation, a notification', async () => {
        await run(workbench, 'Add Deployment…');
        await answer(workbench, /^Deployment ID/, '..');
        await workbench.quickInput.waitFor(/cannot be IDs/);
        await check(`question-${theme}`, 'question');
        await workbench.quickInput.cancel();
        await run(workbench, 'Revoke API Key…');
        await answer(workbench, /^ID of the API key/, 'key_7Qm2xT9bLw4Z');
        await workbench.dialog.waitFor(/^Permanently revoke/);
        await check(`revocation-${theme}`, 'dialog');
        await workbench.dialog.press('Cancel');
        await run(workbench, 'Sign Out…');
        await workbench.notifications.waitFor(/remove both variables/);
        await check(`notification-${theme}`, 'notification');
        await workbench.notifications.clear();
      });
    });
  }

  describe('to a screen reader', () => {
    it('gives every row a name that says what it is, its state and its age, and begins with what one sees', async () => {
      const rows = await view.rows();
      for (const { label, ariaLabel } of rows) {
        // One that is cut is said whole.
        const [begins = ''] = label.split('…');
        assert.ok(ariaLabel.startsWith(begins), `${ariaLabel} begins with ${label}`);
      }
      assert.deepEqual(
        rows.slice(0, 16).map(({ ariaLabel, level, expanded }) => {
          const state = expanded === undefined ? '' : expanded ? ' (expanded)' : ' (collapsed)';
          return `${level} ${spoken(ariaLabel)}${state}`;
        }),
        [
          '1 Billing sync, deployment, Failed: 1 account failed, 1 of 3 not satisfied, in 4 deployments, read … (expanded)',
          '2 notifier, requirement, not satisfied, Finance Slack is missing channels:read. slack (expanded)',
          '3 Grant channels:read, Reconnect Finance Slack (slack) with the scope channels:read. Or use the eligible account Ops Slack.',
          '3 Finance Slack, account, failed, token_revoked, slack, checked …, in 4 deployments, bound',
          '3 Ops Slack, account, no error, slack, checked …, in 8 deployments, eligible',
          '3 slack-oauth, connection method, 1 of 2 granted (expanded)',
          '4 channels:read, scope, missing, required',
          '4 chat:write, scope, granted, required, minimal',
          '2 archive, requirement, satisfied, google-sheets (collapsed)',
          '2 ledger, requirement, satisfied, stripe (collapsed)',
          '2 Finance Slack, account, failed, token_revoked, slack, checked …, in 4 deployments (expanded)',
          '3 token_revoked, error of the account, The workspace admin removed the app.',
          '3 Reconnect Finance Slack (slack) with the scope channels:read.',
          '3 chat:write, scope, granted',
          '2 Finance Sheets, account, no error, google-sheets, checked …, in 5 deployments (collapsed)',
          '2 Ops Slack, account, no error, slack, checked …, in 8 deployments (collapsed)',
        ],
      );
      await run(workbench, 'Look Up Install…');
      await answer(workbench, /^Install link/, sampleInstallTokens.crm);
      const install = await (await workbench.view('Pending Installs')).row('Acme CRM');
      assert.match(install.ariaLabel, /^Acme CRM, pending install, needs pro, .*\d\d:\d\d.*, HubSpot$/);
    });

    it('is a tree to assistive technology, with names, levels and states', async () => {
      const tree = await workbench.page.locator('.part.sidebar').ariaSnapshot();
      assert.match(tree, /- tree "Deployments"/);
      assert.match(tree, /treeitem "Billing sync, deployment, Failed: 1 account failed, .*" \[expanded\] \[level=1\]/);
      assert.match(tree, /- treeitem "channels:read, scope, missing, required" \[level=4\]/);
      assert.match(tree, /- tree "Pending Installs"/);
    });

    it('says state by more than colour: another shape and another word for each', async () => {
      const rows = (await view.rows()).filter(({ level }) => level === 1);
      const shapes = new Map(rows.map(({ icon, description }) => [icon, description]));
      assert.deepEqual([...shapes.keys()], ['error', 'warning', 'question', 'pass']);
      assert.equal(new Set(shapes.values()).size, 4);
    });
  });

  describe('with the keyboard alone', () => {
    it('every row is reached, opened and closed', async () => {
      await workbench.commands.run('Automation Platform: Focus on Deployments View');
      const { keyboard } = workbench.page;
      await keyboard.press('Home');
      await keyboard.press('Enter');
      await waitForSelection(view, ['Billing sync']);
      await keyboard.press('ArrowLeft');
      await view.waitForRows('closed', ([first]) => first?.expanded === false);
      await keyboard.press('ArrowRight');
      await view.waitForRows('open', ([first]) => first?.expanded === true);
    });

    it('an id is copied, and the whole hover of a row is read', async () => {
      await view.select('Nightly report');
      await workbench.page.keyboard.press('ControlOrMeta+C');
      await waitForClipboard(workbench, 'dep_nightly_report');
      await workbench.hovers.leave();
      await workbench.page.keyboard.press('ControlOrMeta+K');
      await workbench.page.keyboard.press('ControlOrMeta+I');
      await until('the hover of the row', async () => /not satisfied/.test(await workbench.hovers.text()));
      await workbench.page.keyboard.press('Escape');
    });
  });
});

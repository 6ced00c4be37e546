import { strict as assert } from 'node:assert';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { sampleDeployments, sampleInstallTokens } from '../support/service/sample.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, run, waitForClipboard, waitForSelection } from './actions.js';
import { ownViolations } from './ownViolations.js';

/** What is ours on the screen: both views, hovers, quick inputs, the item in the status bar. */
const parts = [
  '.part.sidebar .pane',
  '.monaco-hover:not(.hidden)',
  '.quick-input-widget',
  '[id="automation-platform-tools.automation-platform.summary"]',
];

/** Without ages, which depend on the machine's haste, and without the time zone's name. */
function spoken(text: string): string {
  return text
    .replace(/(just now|\d+ (min|hr)\. ago)/g, '…')
    .replace(/[A-Z][a-z]{2} \d+, \d{4}, \d+:\d\d:\d\d [AP]M \S+/g, '…')
    .replace(/\d\d:\d\d [AP]M \S+/g, '…');
}

describe('accessibility', () => {
  let service: ServiceChild;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await spawnService(['--sample']);
    const { standing } = await service.control.data();
    await service.control.putData({ standing: standing.filter(({ fault }) => fault.latency === undefined) });
    workbench = await openWorkbench({
      env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token },
      workspaceSettings: { 'automationPlatform.deployments': sampleDeployments },
      files: { 'deploy.yaml': 'jobs:\n  - deployment: dep_billing_sync\n' },
      viewport: { width: 1400, height: 1100 },
    });
    view = await workbench.view('Deployments');
    await view.waitForDescription('environment · 3 of 14 with problems');
    await run(workbench, 'Look Up Install…');
    await answer(workbench, /^The install link/, sampleInstallTokens.crm);
    await (await workbench.view('Pending Installs')).row('Acme CRM');
    await view.expand('Billing sync');
    await view.expand({ label: 'notifier', under: 'Billing sync' });
    await view.expand({ label: 'slack-oauth', under: 'notifier' });
    await view.expand({ label: 'Finance Slack', under: 'Billing sync' });
    // A row counts as open before the rows below it have come.
    await view.row({ label: 'Last check', under: 'Finance Slack' });
    await view.row({ label: 'chat:write', under: 'slack-oauth' });
    await view.row({ label: 'Ops Slack', under: 'notifier' });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  it('gives every row a name that says what it is, its state and its age, and begins with what one sees', async () => {
    const rows = await view.rows();
    for (const { label, ariaLabel } of rows) {
      assert.ok(ariaLabel.startsWith(label), `${ariaLabel} begins with ${label}`);
    }
    assert.deepEqual(
      rows.slice(0, 16).map(({ ariaLabel, level, expanded }) => {
        const state = expanded === undefined ? '' : expanded ? ' (expanded)' : ' (collapsed)';
        return `${level} ${spoken(ariaLabel)}${state}`;
      }),
      [
        '1 Billing sync, deployment, 1 account failed, 1 of 3 not satisfied, … (expanded)',
        '2 notifier, requirement, slack, not satisfied, channels:read missing (expanded)',
        '3 Reconnect Finance Slack (slack) with the scope channels:read. Or use the eligible account Ops Slack. Seen since …',
        '3 Finance Slack, account, failed, bound account, token_revoked',
        '3 Ops Slack, account, eligible account',
        '3 slack-oauth, connection method, method of the bound account, 1 of 2 required scopes held (expanded)',
        '4 channels:read, scope, required, missing',
        '4 chat:write, scope, required, minimal, held',
        '2 archive, requirement, google-sheets, satisfied (collapsed)',
        '2 ledger, requirement, stripe, satisfied (collapsed)',
        '2 Finance Slack, account, failed, slack, T02, token_revoked, checked … (expanded)',
        '3 token_revoked, error of the account, The workspace admin removed the app.',
        '3 Reconnect Finance Slack (slack) with the scope channels:read. Seen since …',
        '3 chat:write, scope, held',
        '3 Last check, …',
        '2 Finance Sheets, account, google-sheets, finance@acme.example, no error, checked … (collapsed)',
      ],
    );
    const [install] = await (await workbench.view('Pending Installs')).rows();
    assert.match(install?.ariaLabel ?? '', /^Acme CRM, pending install, needs pro, .*\d\d:\d\d.*, HubSpot$/);
  });

  it('is a tree to assistive technology, with names, levels and states', async () => {
    const tree = await workbench.page.locator('.part.sidebar').ariaSnapshot();
    assert.match(tree, /- tree "Deployments"/);
    assert.match(tree, /- treeitem "Billing sync, deployment, 1 account failed, .*" \[expanded\] \[level=1\]/);
    assert.match(tree, /- treeitem "channels:read, scope, required, missing" \[level=4\]/);
    assert.match(tree, /- tree "Pending Installs"/);
  });

  it('says state by more than colour: another shape and another word for each', async () => {
    const rows = (await view.rows()).filter(({ level }) => level === 1);
    const shapes = new Map(rows.map(({ icon, description }) => [icon, description]));
    assert.deepEqual([...shapes.keys()], ['error', 'warning', 'question', 'pass']);
    assert.equal(new Set(shapes.values()).size, 4);
  });

  for (const theme of ['light', 'dark', 'hcLight', 'hcDark'] as const) {
    it(`has nothing serious against it in the theme ${theme}`, async () => {
      await workbench.setTheme(theme);
      await workbench.editor.open('deploy.yaml');
      await workbench.editor.hover('dep_billing_sync', /Check Again/);
      await workbench.screenshot(`editor-${theme}`);
      assert.deepEqual(await ownViolations(workbench.page, parts), []);
      await workbench.hovers.leave();
      await run(workbench, 'Go to Deployment…');
      await workbench.quickInput.waitForRow('Billing sync');
      await workbench.screenshot(`quick-pick-${theme}`);
      assert.deepEqual(await ownViolations(workbench.page, parts), []);
      await workbench.quickInput.cancel();
      await workbench.editor.close();
    });
  }

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

    it('every action of a row is in its context menu, and in the palette', async () => {
      const inline = await view.inlineActions('Billing sync');
      await view.select('Billing sync');
      await workbench.page.keyboard.press('Shift+F10');
      await view.menu.waitForOpen();
      const menu = await view.menu.entries();
      await view.menu.close();
      assert.deepEqual(inline, ['Refresh Deployment']);
      const palette = await workbench.commands.offered('Automation Platform:');
      for (const action of new Set([...inline, ...menu])) {
        assert.ok(menu.includes(action), `${action} in the menu`);
        assert.ok(palette.includes(`Automation Platform: ${action}`), `${action} in the palette`);
      }

      const installs = await workbench.view('Pending Installs');
      assert.deepEqual(await installs.inlineActions('Acme CRM'), ['Forget Install']);
      assert.deepEqual(await installs.menuEntries('Acme CRM'), ['Forget Install']);
      assert.ok(palette.includes('Automation Platform: Forget Install'));
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

    it('the view’s own buttons are in the palette too', async () => {
      const buttons = await view.titleActions();
      const palette = await workbench.commands.offered('Automation Platform:');
      for (const button of buttons.filter((name) => !/Collapse All|More Actions|Views and/.test(name))) {
        assert.ok(palette.includes(`Automation Platform: ${button}`), `${button} in ${palette.join(', ')}`);
      }
    });
  });
});

import { strict as assert } from 'node:assert';
import { sampleDeployments } from '../support/service/sample.js';
import { seriousViolations } from '../support/workbench/accessibility.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { Walkthrough } from '../support/workbench/walkthrough.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, run } from './actions.js';

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

test.describe('accessibility', () => {
  let workbench: Workbench;
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    ({ workbench } = await begin({
      list: sampleDeployments,
      files: { 'deploy.yaml': 'jobs:\n  - deployment: dep_billing_sync\n' },
      viewport: { width: 1600, height: 1100 },
    }));
    view = await workbench.view('Deployments');
    await expect(view.description).toHaveText('6 failing · environment');
    await view.expand('Billing sync');
    await view.expand({ label: 'notifier', under: 'Billing sync' });
    await view.expand({ label: 'slack-oauth', under: 'notifier' });
    // A row counts as open before the rows below it have come.
    await view.row({ label: 'chat:write', under: 'slack-oauth' });
  });
  test.afterAll(() => workbench?.close());

  test('every row has a spoken name with its state, and a shape for it', async () => {
    const rows = await view.rows();
    for (const { label, ariaLabel } of rows) {
      // One that is cut is said whole.
      const [begins = ''] = label.split('…');
      assert.ok(ariaLabel.startsWith(begins), `${ariaLabel} begins with ${label}`);
    }
    const shapes = new Map(rows.filter(({ level }) => level === 1).map(({ icon, ariaLabel }) => [icon, ariaLabel]));
    const states = [...shapes.values()].map((name) => /, deployment, (\w+( \w+)?)/.exec(name)?.[1]);
    assert.deepEqual([...shapes.keys()], ['error', 'warning', 'question', 'pass']);
    assert.deepEqual(states, ['Failed', 'Not satisfied', 'Unknown', 'Satisfied']);
  });

  test('assistive technology gets a tree with names, levels and states', async () => {
    const tree = await workbench.page.locator('.part.sidebar').ariaSnapshot();
    assert.match(tree, /- tree "Deployments"/);
    assert.match(
      tree,
      /treeitem "Billing sync, deployment, Failed: Finance Slack failed, .*" \[expanded\] \[level=1\]/,
    );
    assert.match(tree, /- treeitem "channels:read, scope, missing, required" \[level=4\]/);
  });

  /** Expects nothing serious. */
  async function check(name: string, part: keyof typeof parts): Promise<void> {
    assert.deepEqual(await seriousViolations(workbench.page, parts[part]), [], name);
  }

  for (const theme of ['light', 'dark', 'hcDark', 'hcLight'] as const) {
    test.describe(`in the theme ${theme}`, { tag: theme === 'light' ? [] : '@all' }, () => {
      test.beforeAll(() => workbench.setTheme(theme));

      test('axe finds nothing serious in rows, status bar, hover, quick pick and walkthrough', async () => {
        await workbench.editor.open('deploy.yaml');
        await workbench.editor.hover('dep_billing_sync', /Copy Request/);
        await check(`editor-${theme}`, 'window');
        await workbench.hovers.leave();
        await run(workbench, 'Go to Deployment...');
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

      test('axe finds nothing serious in a question, a warning and a notification', async () => {
        await run(workbench, 'Add Deployment...');
        await answer(workbench, /^Deployment ID/, '..');
        await workbench.quickInput.waitFor(/cannot be IDs/);
        await check(`question-${theme}`, 'question');
        await workbench.quickInput.cancel();
        await run(workbench, 'Revoke API Key...');
        await answer(workbench, /^ID of the API key/, 'key_7Qm2xT9bLw4Z');
        await workbench.dialog.waitFor(/^Permanently revoke/);
        await check(`revocation-${theme}`, 'dialog');
        await workbench.dialog.press('Cancel');
        await run(workbench, 'Sign Out...');
        await workbench.notifications.waitFor(/remove both variables/);
        await check(`notification-${theme}`, 'notification');
        await workbench.notifications.clear();
      });
    });
  }
});

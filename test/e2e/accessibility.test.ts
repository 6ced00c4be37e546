import { strict as assert } from 'node:assert';
import type { Platform } from '../support/platform/platform.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { seriousViolations } from '../support/workbench/accessibility.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { Walkthrough } from '../support/workbench/walkthrough.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, openToTheScopes, run } from './actions.js';

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
  question: [
    '.quick-input-widget .quick-input-titlebar',
    '.quick-input-widget .quick-input-message',
  ],
  dialog: ['.dialog-message-text', '.dialog-message-detail', '.dialog-buttons'],
  notification: ['.notification-list-item-message', '.notification-list-item-buttons-container'],
};

/** Those of a fresh profile, whose browser says that it is dark, and high contrast; by what the workbench marks itself with. */
const themes = {
  vs: {},
  'vs-dark': { 'window.autoDetectColorScheme': true },
  'hc-black': {
    'window.autoDetectColorScheme': false,
    'workbench.colorTheme': 'Default High Contrast',
  },
  'hc-light': {
    'window.autoDetectColorScheme': false,
    'workbench.colorTheme': 'Default High Contrast Light',
  },
};

let platform: Platform;
let workbench: Workbench;
let view: TreeView;

test.beforeAll(async ({ begin }) => {
  ({ platform, workbench } = await begin({
    list: sampleDeployments,
    files: { 'deploy.yaml': 'jobs:\n  - deployment: dep_billing_sync\n' },
    viewport: { width: 1600, height: 1100 },
  }));
  view = await workbench.view('Deployments');
  await expect(view.description).toHaveText('6 failing · environment');
  await openToTheScopes(view);
});
test.afterAll(() => workbench?.close());

test.describe('each row of the Deployments view', () => {
  test('has a spoken name that begins with its label', async () => {
    for (const { label, ariaLabel } of await view.rows()) {
      // A label that is cut is spoken whole.
      const [beginning = ''] = label.split('…');
      assert.equal(ariaLabel.slice(0, beginning.length), beginning, ariaLabel);
    }
  });

  test('has an icon for its state, which its spoken name says', async () => {
    const deployments = (await view.rows()).filter(({ level }) => level === 1);
    const spokenStates = new Map(
      deployments.map(({ icon, ariaLabel }) => [
        icon,
        /, deployment, (\w+( \w+)?)/.exec(ariaLabel)?.[1],
      ]),
    );
    const expected = [
      ['error', 'Failing'],
      ['warning', 'Failing'],
      ['question', 'Unknown'],
      ['pass', 'Healthy'],
    ];
    assert.deepEqual([...spokenStates], expected);
  });
});

test.describe('the Deployments view', () => {
  test('is a tree with names, levels, and states for assistive technology', async () => {
    const tree = await workbench.page.locator('.part.sidebar').ariaSnapshot();
    assert.match(tree, /- tree "Deployments"/);
    assert.match(
      tree,
      /treeitem "Billing sync, deployment, Failing, Finance Slack failed"'? \[expanded\] \[level=1\]/,
    );
    assert.match(tree, /- treeitem "channels:read, scope, missing, required" \[level=4\]/);
  });
});

const expectName = (name: string) => expect(workbench.quickInput.input).toHaveAccessibleName(name);

test.describe('Sign In', () => {
  test('has a spoken name at each step', async () => {
    await run(workbench, 'Sign In...');
    await expectName('Base URL, for example https://host.example/api/v1 - Sign In');
    await answer(workbench, /^The base URL of the API/, platform.baseUrl);
    await expectName('Access token - Sign In');
    await answer(workbench, /^The access token/, platform.token);
    await expectName('Organization name - Sign In');
    await workbench.quickInput.cancel();
  });
});

test.describe('Revoke API Key', () => {
  test('has a spoken name at both steps', async () => {
    await run(workbench, 'Revoke API Key...');
    await expectName('Key ID - Revoke API Key');
    await answer(workbench, /^ID of the API key/, 'key_7Qm2xT9bLw4Z');
    await workbench.dialog.waitFor(/^Permanently revoke/);
    await workbench.dialog.press('Continue');
    await expectName('Key ID again - Revoke API Key');
    await workbench.quickInput.cancel();
  });
});

/** Expects that axe finds nothing serious. */
async function check(name: string, part: keyof typeof parts): Promise<void> {
  assert.deepEqual(await seriousViolations(workbench.page, parts[part]), [], name);
}

for (const [theme, settings] of Object.entries(themes)) {
  test.describe(`axe in the theme ${theme}`, { tag: theme === 'vs' ? [] : '@rest' }, () => {
    test.beforeAll(async () => {
      await workbench.page.emulateMedia({ colorScheme: 'dark' });
      await workbench.workspaceSettings.change(settings);
      await workbench.page.locator(`.monaco-workbench.${theme}`).waitFor();
    });

    test('finds nothing serious in the window, a quick pick, or the walkthrough', async () => {
      await workbench.editor.open('deploy.yaml');
      await workbench.editor.hover('dep_billing_sync', /Copy Request/);
      await check(`editor-${theme}`, 'window');
      await workbench.hovers.leave();
      await run(workbench, 'Go to Deployment...');
      await expect(workbench.quickInput.row('Billing sync')).toBeVisible();
      await check(`quick-pick-${theme}`, 'pick');
      await workbench.quickInput.cancel();
      const walkthrough = new Walkthrough(workbench.page);
      await walkthrough.open('Get Started with Automation Platform');
      for (const title of await walkthrough.titles.allInnerTexts()) {
        await walkthrough.expand(title);
        await check(`walkthrough-${theme}-${title}`, 'walkthrough');
      }
      await workbench.commands.run('View: Close Editor');
    });

    test('finds nothing serious in a question, a warning, or a notification', async () => {
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

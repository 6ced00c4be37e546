import { strict as assert } from 'node:assert';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { failedAccount } from '../support/service/data.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { Walkthrough } from '../support/workbench/walkthrough.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, run } from './actions.js';
import { ownViolations, serious } from './ownViolations.js';

const themes = ['light', 'dark', 'hcLight', 'hcDark'] as const;
const walkthroughSteps = [
  'Sign in to your organization',
  'Add a deployment',
  'Read the tree',
  'See it in your files',
  'With keyboard and screen reader',
];

/** Where our words and buttons stand; the boxes around them are VS Code's. */
const parts = {
  window: ['.part.sidebar .pane', '[id="automation-platform-tools.automation-platform.summary"]'],
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

describe('accessibility of what has no rows', () => {
  let service: ServiceChild;
  let workbench: Workbench;

  before(async () => {
    service = await spawnService();
    await service.control.putDeployment('dep_1', failedAccount());
  });
  after(() => service?.stop());
  afterEach(() => workbench?.close());

  for (const theme of themes) {
    it(`the welcome view, the walkthrough and the item in the status bar, in the theme ${theme}`, async () => {
      // Without a list the item in the status bar is hidden.
      const userSettings = { 'automationPlatform.deployments': ['dep_1'] };
      workbench = await openWorkbench({ theme, viewport: { width: 1600, height: 900 }, userSettings });
      const view = await workbench.view('Deployments');
      await view.welcome(/^You are not signed in/);
      await workbench.statusBar.waitForText('summary', /not signed in/);
      assert.deepEqual(await ownViolations(workbench.page, parts.window), []);
      const walkthrough = new Walkthrough(workbench);
      await walkthrough.open('First steps with Automation Platform');
      for (const step of walkthroughSteps) {
        await walkthrough.expand(step);
        await workbench.screenshot(`walkthrough-${theme}-${walkthroughSteps.indexOf(step)}`);
        assert.deepEqual(await serious(workbench.page, parts.walkthrough), [], step);
      }
    });

    it(`questions, a notification and the last question before a revocation, in the theme ${theme}`, async () => {
      workbench = await openWorkbench({
        theme,
        env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token },
      });
      const view = await workbench.view('Deployments');
      await view.welcome(/^You are signed in/);
      await run(workbench, 'Add Deployment…');
      await answer(workbench, /^The id of the deployment/, '..');
      await workbench.quickInput.waitFor(/are no ids/);
      await workbench.screenshot(`question-${theme}`);
      assert.deepEqual(await serious(workbench.page, parts.question), []);
      await workbench.quickInput.cancel();

      await run(workbench, 'Revoke API Key…');
      await answer(workbench, /^The id of the API key/, 'key_7Qm2xT9bLw4Z');
      await workbench.dialog.waitFor(/^Permanently revoke/);
      await workbench.screenshot(`revocation-${theme}`);
      assert.deepEqual(await serious(workbench.page, parts.dialog), []);
      await workbench.dialog.press('Cancel');

      await run(workbench, 'Sign Out…');
      await workbench.notifications.waitFor(/cannot be signed out of here/);
      await workbench.screenshot(`notification-${theme}`);
      assert.deepEqual(await serious(workbench.page, parts.notification), []);
    });
  }
});

import { strict as assert } from 'node:assert';
import { failedAccount } from '../support/service/data.js';
import { type Service, startService } from '../support/service/service.js';
import { seriousViolations } from '../support/workbench/accessibility.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { Walkthrough } from '../support/workbench/walkthrough.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, environmentOf, run } from './actions.js';

const walkthroughSteps = [
  'Sign in to your organization',
  'Add a deployment',
  'Find out what is wrong',
  'See problems in your files',
  'Use the keyboard or a screen reader',
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
  let service: Service;
  let workbench: Workbench;

  before(async () => {
    service = await startService();
    service.putDeployment('dep_1', failedAccount());
  });
  after(() => service?.stop());

  const themes = [
    ['light', ''],
    ['hcDark', ''],
    ['dark', ' @all'],
    ['hcLight', ' @all'],
  ] as const;

  describe('without an organization', () => {
    before(async () => {
      // Without a list the item in the status bar is hidden.
      const userSettings = { 'automationPlatform.deployments': ['dep_1'] };
      workbench = await openWorkbench({ viewport: { width: 1600, height: 900 }, userSettings });
    });
    after(() => workbench?.close());

    for (const [theme, mark] of themes) {
      it(`the welcome view, the walkthrough and the item in the status bar, in the theme ${theme}${mark}`, async () => {
        await workbench.setTheme(theme);
        const view = await workbench.view('Deployments');
        await view.welcome(/^Sign in to see/);
        await workbench.statusBar.waitForText('summary', /not signed in/);
        assert.deepEqual(await seriousViolations(workbench.page, parts.window), []);
        const walkthrough = new Walkthrough(workbench);
        await walkthrough.open('Get Started with Automation Platform');
        for (const step of walkthroughSteps) {
          await walkthrough.expand(step);
          await workbench.screenshot(`walkthrough-${theme}-${walkthroughSteps.indexOf(step)}`);
          assert.deepEqual(await seriousViolations(workbench.page, parts.walkthrough), [], step);
        }
        await workbench.editor.close();
      });
    }
  });

  describe('with an organization', () => {
    before(async () => {
      workbench = await openWorkbench({
        env: environmentOf(service),
      });
    });
    after(() => workbench?.close());

    for (const [theme, mark] of themes) {
      it(`questions, a notification and the last question before a revocation, in the theme ${theme}${mark}`, async () => {
        await workbench.setTheme(theme);
        const view = await workbench.view('Deployments');
        await view.welcome(/^Add the deployments/);
        await run(workbench, 'Add Deployment…');
        await answer(workbench, /^Deployment ID/, '..');
        await workbench.quickInput.waitFor(/cannot be IDs/);
        await workbench.screenshot(`question-${theme}`);
        assert.deepEqual(await seriousViolations(workbench.page, parts.question), []);
        await workbench.quickInput.cancel();

        await run(workbench, 'Revoke API Key…');
        await answer(workbench, /^ID of the API key/, 'key_7Qm2xT9bLw4Z');
        await workbench.dialog.waitFor(/^Permanently revoke/);
        await workbench.screenshot(`revocation-${theme}`);
        assert.deepEqual(await seriousViolations(workbench.page, parts.dialog), []);
        await workbench.dialog.press('Cancel');

        await run(workbench, 'Sign Out…');
        await workbench.notifications.waitFor(/remove both variables/);
        await workbench.screenshot(`notification-${theme}`);
        assert.deepEqual(await seriousViolations(workbench.page, parts.notification), []);
        await workbench.notifications.clear();
      });
    }
  });
});

import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Platform } from '../support/platform/platform.js';
import { temporaryFolder } from '../support/temporaryFolder.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { Workbench } from '../support/workbench/workbench.js';

/** Another extension, as a chat's participant would be: it invokes one tool after the other and copies what comes. */
const caller = {
  'package.json': JSON.stringify({
    name: 'caller',
    publisher: 'test',
    version: '0.0.0',
    engines: { vscode: '^1.105.0' },
    main: './extension.js',
    activationEvents: ['onStartupFinished'],
    contributes: { commands: [{ command: 'caller.invoke', title: 'Invoke', category: 'Caller' }] },
  }),
  'extension.js': `
    const vscode = require('vscode');
    const tools = ['getDeploymentAuthorization', 'getDeploymentAuthorization', 'listProblems'];
    const input = { deploymentId: 'dep_billing_sync' };
    exports.activate = (context) => context.subscriptions.push(vscode.commands.registerCommand('caller.invoke', async () => {
      const tool = 'automationPlatform_' + tools.shift();
      const outcome = await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined }).then(
        ({ content }) => content.map((part) => part.value).join(''),
        String,
      );
      await vscode.env.clipboard.writeText(outcome);
    }));`,
};

test.describe('a language-model tool', () => {
  test.describe.configure({ mode: 'serial' });
  let platform: Platform;
  let workbench: Workbench;

  test.beforeAll(async ({ begin }) => {
    const { path: folder } = await temporaryFolder();
    await Promise.all(
      Object.entries(caller).map(([name, text]) => writeFile(join(folder, name), text)),
    );
    ({ platform, workbench } = await begin({
      userSettings: { 'chat.disableAIFeatures': false },
      developmentExtensions: [folder],
    }));
  });
  test.afterAll(() => workbench?.close());

  const requestedIds = () => platform.requests.map(({ route }) => route.id);

  /** Invokes the next tool and cancels its question. Returns the question. */
  async function refuse(question: RegExp): Promise<string> {
    await workbench.setClipboard('');
    await workbench.commands.run('Caller: Invoke');
    const text = await workbench.dialog.waitFor(question);
    await workbench.dialog.cancel();
    await expect.poll(() => workbench.clipboard()).toMatch(/Cancel/);
    return text;
  }

  test('asks with deployment and organization, and answers once the user agrees', async () => {
    const question = await refuse(/Read the authorization of a deployment\?/);
    const whose = `environment (from environment variables) (${new URL(platform.baseUrl).host})`;
    assert.equal(
      question.split('\n').at(-1),
      `Read deployment dep_billing_sync from organization ${whose}.`,
    );
    assert.deepEqual(requestedIds(), []);

    await workbench.commands.run('Caller: Invoke');
    await workbench.dialog.waitFor(question);
    await workbench.page
      .locator('.dialog-buttons .monaco-button', { hasNotText: 'Cancel' })
      .click();
    const outcome = /^\{"deploymentId":"dep_billing_sync","state":"failed"/;
    await expect.poll(() => workbench.clipboard()).toMatch(outcome);
    assert.deepEqual(requestedIds(), ['dep_billing_sync']);
  });

  test('asks before it lists problems', async () => {
    await refuse(/^List the problems of your deployments\?/);
  });
});

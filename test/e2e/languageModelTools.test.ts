import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleData, sampleDeployments, sampleInstallTokens } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporaryFolder.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, environmentOf, requestsOf } from './actions.js';

const tools = {
  problems: 'automationPlatform_listProblems',
  authorization: 'automationPlatform_getDeploymentAuthorization',
  install: 'automationPlatform_getIntegrationInstall',
};

/** Another extension, as a chat's participant would be: it invokes the tool that the test names and writes down what comes. */
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
    const { readFile, rename, writeFile } = require('node:fs/promises');
    exports.activate = (context) => context.subscriptions.push(vscode.commands.registerCommand('caller.invoke', async () => {
      const { tool, input } = JSON.parse(await readFile(__dirname + '/request.json', 'utf8'));
      let outcome;
      try {
        const { content } = await vscode.lm.invokeTool(tool, { input, toolInvocationToken: undefined });
        outcome = { result: content.map((part) => part.value).join('') };
      } catch (error) {
        outcome = { thrown: String(error) };
      }
      await writeFile(__dirname + '/outcome.part', JSON.stringify(outcome));
      await rename(__dirname + '/outcome.part', __dirname + '/outcome.json');
    }));`,
};

interface Outcome {
  readonly result?: string;
  readonly thrown?: string;
}

describe('the language-model tools', () => {
  let service: Service;
  let workbench: Workbench;
  let folder: TemporaryFolder;

  before(async () => {
    service = await startService({ data: sampleData() });
    folder = await temporaryFolder();
    const path = join(folder.path, 'caller');
    await mkdir(path);
    await Promise.all(Object.entries(caller).map(([name, text]) => writeFile(join(path, name), text)));
    workbench = await openWorkbench({
      ownServer: true,
      env: environmentOf(service),
      userSettings: { 'chat.disableAIFeatures': false },
      developmentExtensions: [path],
    });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
    await folder?.remove();
  });

  const file = (name: string) => join(folder.path, 'caller', name);

  async function invoke(tool: string, input: unknown): Promise<void> {
    await rm(file('outcome.json'), { force: true });
    await writeFile(file('request.json'), JSON.stringify({ tool, input }));
    await workbench.commands.run('Caller: Invoke');
  }

  async function outcome(): Promise<Outcome> {
    await until('the outcome', async () => existsSync(file('outcome.json')));
    const read: Outcome = JSON.parse(await readFile(file('outcome.json'), 'utf8'));
    return read;
  }

  async function agree(question: RegExp): Promise<string> {
    const text = await workbench.dialog.waitFor(question);
    const [first] = (await workbench.dialog.buttons()).filter((button) => button !== 'Cancel');
    await workbench.dialog.press(first ?? '');
    return text;
  }

  it('name the deployment and the organization before anything is asked, and send nothing if one refuses @core', async () => {
    await invoke(tools.authorization, { deploymentId: 'dep_billing_sync' });
    const question = await workbench.dialog.waitFor(/Read the authorization of a deployment\?/);
    assert.equal(
      question.split('\n').at(-1),
      `Read deployment dep_billing_sync from organization environment (from environment variables) (${new URL(service.baseUrl).host}).`,
    );
    await workbench.dialog.cancel();
    assert.match((await outcome()).thrown ?? '', /Cancel/);
    assert.deepEqual(service.requests, []);
  });

  it('answer with the problems first, and everything that docs/service.md names @core', async () => {
    await invoke(tools.authorization, { deploymentId: 'dep_billing_sync' });
    await agree(/Read the authorization of a deployment\?/);
    const { result } = await outcome();
    const read: Record<string, unknown> = JSON.parse(result ?? '');
    assert.deepEqual(Object.keys(read), ['deploymentId', 'state', 'readAt', 'problems', 'requirements', 'accounts']);
    const error = { code: 'token_revoked', message: 'The workspace admin removed the app.' };
    const boundAccount = { id: 'acc_slack_finance', label: 'Finance Slack', serviceId: 'slack', error };
    assert.deepEqual(read['problems'], [
      { kind: 'failedAccount', account: boundAccount, steps: ['reconnectAccount'], missingScopes: ['channels:read'] },
      {
        kind: 'unsatisfiedRequirement',
        requirement: { binding: 'notifier', serviceId: 'slack', accountId: 'acc_slack_finance' },
        boundAccount,
        steps: ['reconnectBoundAccount', 'useEligibleAccount'],
        missingScopes: ['channels:read'],
        eligibleAccounts: [{ id: 'acc_slack_ops', label: 'Ops Slack', serviceId: 'slack' }],
      },
    ]);
    assert.equal(requestsOf(service, 'getDeploymentAuthorization').length, 1);
    assert.ok(!result?.includes(service.token), result);
  });

  it('ask the person, masked, for the token of any other install, and never take one from the model', async () => {
    service.clearRequests();
    await invoke(tools.install, { install: sampleInstallTokens.sheets });
    const question = await agree(/Read a pending install\?/);
    assert.ok(!question.includes(sampleInstallTokens.sheets), question);
    await workbench.quickInput.waitFor(/^Install link or token/);
    assert.equal(await workbench.quickInput.isPassword(), true);
    assert.equal(await workbench.quickInput.value(), '');
    assert.deepEqual(service.requests, []);
    await workbench.quickInput.cancel();
    assert.deepEqual(await outcome(), { result: 'No install token entered.' });

    await invoke(tools.install, {});
    await agree(/Read a pending install\?/);
    await answer(workbench, /^Install link or token/, sampleInstallTokens.sheets);
    const { result } = await outcome();
    assert.match(result ?? '', /"label":"Sheets"/);
    assert.ok(!result?.includes(sampleInstallTokens.sheets), result);
  });

  it('list the problems of all deployments as they were last read, worst first, without a request @core', async () => {
    await workbench.workspaceSettings.change({ 'automationPlatform.deployments': sampleDeployments });
    const view = await workbench.view('Deployments');
    await view.waitForDescription('6 failing, 4 unknown · environment');
    await until('the slowest to be read', async () => !(await view.isBusy()));
    service.clearRequests();
    await invoke(tools.problems, {});
    assert.match(await workbench.dialog.waitFor(/\S/), /^List the problems of your deployments\?/);
    await workbench.dialog.cancel();
    assert.match((await outcome()).thrown ?? '', /Cancel/);

    await invoke(tools.problems, {});
    await agree(/^List the problems of your deployments\?/);
    const { result = '' } = await outcome();
    const { deployments, problems } = JSON.parse(result);
    assert.deepEqual(deployments, { total: 17, failing: 6, unknown: 4, notYetRead: 0, muted: 0, healthy: 7 });
    const [{ deploymentId, kind, account }] = problems;
    assert.deepEqual([deploymentId, kind, account.id], ['dep_billing_sync', 'failedAccount', 'acc_slack_finance']);
    assert.deepEqual(service.requests, []);
    assert.ok(!result.includes(service.token), result);
  });
});

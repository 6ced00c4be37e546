import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleData, sampleInstallTokens } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporaryFolder.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { environmentOf, requestsOf } from './actions.js';

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

  it('answer once one has agreed @core', async () => {
    await invoke(tools.authorization, { deploymentId: 'dep_billing_sync' });
    await agree(/Read the authorization of a deployment\?/);
    const { result } = await outcome();
    assert.match(result ?? '', /^\{"deploymentId":"dep_billing_sync","state":"failed"/);
    assert.equal(requestsOf(service, 'getDeploymentAuthorization').length, 1);
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
    await workbench.quickInput.answer(sampleInstallTokens.sheets);
    const { result } = await outcome();
    assert.match(result ?? '', /"label":"Sheets"/);
    assert.ok(!result?.includes(sampleInstallTokens.sheets), result);
  });

  it('list the problems as they were last read, without a request', async () => {
    await workbench.workspaceSettings.change({ 'automationPlatform.deployments': ['dep_billing_sync'] });
    await (await workbench.view('Deployments')).waitForDescription('1 failing · environment');
    service.clearRequests();
    await invoke(tools.problems, {});
    await agree(/^List the problems of your deployments\?/);
    assert.match((await outcome()).result ?? '', /"deployments":\{"total":1,"failing":1,/);
    assert.deepEqual(service.requests, []);
  });
});

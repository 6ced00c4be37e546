import { strict as assert } from 'node:assert';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { sampleInstallTokens } from '../support/service/sample.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporaryFolder.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, logLines, requestsOf, run } from './actions.js';

const tools = {
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
  let service: ServiceChild;
  let workbench: Workbench;
  let folder: TemporaryFolder;

  before(async () => {
    service = await spawnService(['--sample']);
    folder = await temporaryFolder();
    const path = join(folder.path, 'caller');
    await mkdir(path);
    await Promise.all(Object.entries(caller).map(([name, text]) => writeFile(join(path, name), text)));
    workbench = await openWorkbench({
      env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token },
      userSettings: { 'chat.disableAIFeatures': false },
      developmentExtensions: [path],
    });
    await workbench.waitForActivation();
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

  it('name the deployment and the organization before anything is asked, and send nothing if one refuses', async () => {
    await invoke(tools.authorization, { deploymentId: 'dep_billing_sync' });
    const question = await workbench.dialog.waitFor(/Read the authorization of a deployment\?/);
    assert.equal(
      question.split('\n').at(-1),
      `Deployment “dep_billing_sync” of the organization “environment (from environment variables)” (${new URL(service.baseUrl).host}). Nothing is changed.`,
    );
    await workbench.dialog.cancel();
    assert.match((await outcome()).thrown ?? '', /Cancel/);
    assert.deepEqual(await service.control.requests(), []);
  });

  it('answer with the problems first, and everything that the reference names', async () => {
    await invoke(tools.authorization, { deploymentId: 'dep_billing_sync' });
    await agree(/Read the authorization of a deployment\?/);
    const { result } = await outcome();
    const read: Record<string, unknown> = JSON.parse(result ?? '');
    assert.deepEqual(Object.keys(read), ['deploymentId', 'state', 'readAt', 'problems', 'requirements', 'accounts']);
    const error = { code: 'token_revoked', message: 'The workspace admin removed the app.' };
    const boundAccount = { id: 'acc_slack_finance', label: 'Finance Slack', serviceId: 'slack', error };
    assert.deepEqual(read['problems'], [
      { kind: 'failedAccount', account: boundAccount, step: 'reconnectAccount', scopes: ['channels:read'] },
      {
        kind: 'unsatisfiedRequirement',
        requirement: { binding: 'notifier', serviceId: 'slack', accountId: 'acc_slack_finance' },
        boundAccount,
        step: 'reconnectBoundAccountOrUseEligibleAccount',
        missingScopes: ['channels:read'],
        eligibleAccounts: [{ id: 'acc_slack_ops', label: 'Ops Slack', serviceId: 'slack' }],
      },
    ]);
    assert.equal((await requestsOf(service.control, 'getDeploymentAuthorization')).length, 1);
    assert.ok(!result?.includes(service.token), result);
  });

  it('give errors as results, in the words that people see', async () => {
    for (const [deploymentId, said] of [
      ['dep_77', /^404/],
      ['dep_payroll_export', /^403/],
      ['..', /are no ids/],
      [service.token, /This is a token, not the id of a deployment/],
    ] as const) {
      await invoke(tools.authorization, { deploymentId });
      await agree(/Read the authorization of a deployment\?/);
      const { result, thrown } = await outcome();
      assert.equal(thrown, undefined);
      assert.match(result ?? '', said);
      assert.ok(!result?.includes(service.token), result);
    }
  });

  it('read a pending install by its label', async () => {
    await run(workbench, 'Look Up Install…');
    await answer(workbench, /^The install link, or the token in it/, sampleInstallTokens.crm);
    await (await workbench.view('Pending Installs')).row('Acme CRM');
    await invoke(tools.install, { install: 'Acme CRM' });
    const question = await agree(/Read a pending install\?/);
    assert.match(question, /“Acme CRM”, from the organization “environment/);
    const { result } = await outcome();
    const { expiresAt: _, ...read }: Record<string, unknown> = JSON.parse(result ?? '');
    assert.deepEqual(read, {
      label: 'Acme CRM',
      requiredPlan: 'pro',
      serviceId: 'hubspot',
      serviceName: 'HubSpot',
      serviceSub: 'portal-4711',
    });
  });

  it('ask the person, masked, for the token of any other install, and never take one from the model', async () => {
    await service.control.clearRequests();
    await invoke(tools.install, { install: sampleInstallTokens.sheets });
    const question = await agree(/Read a pending install\?/);
    assert.ok(!question.includes(sampleInstallTokens.sheets), question);
    await workbench.quickInput.waitFor(/^The install link, or the token in it/);
    assert.equal(await workbench.quickInput.isPassword(), true);
    assert.equal(await workbench.quickInput.value(), '');
    assert.deepEqual(await service.control.requests(), []);
    await workbench.quickInput.cancel();
    assert.deepEqual(await outcome(), { result: 'No install token was entered, so nothing was read.' });

    await invoke(tools.install, {});
    await agree(/Read a pending install\?/);
    await answer(workbench, /^The install link, or the token in it/, sampleInstallTokens.sheets);
    const { result } = await outcome();
    assert.match(result ?? '', /"label":"Sheets"/);
    assert.ok(!result?.includes(sampleInstallTokens.sheets), result);
  });

  it('leave no token in any log', async () => {
    const log = (await logLines(workbench)).join('\n');
    for (const secret of [service.token, ...Object.values(sampleInstallTokens)]) {
      assert.ok(!log.includes(secret));
    }
  });
});

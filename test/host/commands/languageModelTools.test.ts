import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { authorizationTool } from '../../../src/commands/authorizationTool.js';
import { installTool } from '../../../src/commands/installTool.js';
import type { ToolInput } from '../../../src/commands/tool.js';
import { adapt } from '../../../src/commands/tools.js';
import { toolNames } from '../../../src/host/ids.js';
import { DEFAULT_TOKEN, failedAccount, install } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { createGraph, type Graph } from './graph.js';
import { accept, dismiss, turn } from './quickInput.js';

const token = '0a1b2c3d-0000-4000-8000-00000000000f';

describe('language-model tools', () => {
  let service: Service;
  let graph: Graph;
  const never = new vscode.CancellationTokenSource().token;
  let tool: vscode.LanguageModelTool<unknown>;
  const ask = async (input: ToolInput) =>
    (await tool.prepareInvocation?.({ input }, never))?.confirmationMessages?.message;
  const answer = async (input: ToolInput) => {
    const result = await tool.invoke({ input, toolInvocationToken: undefined }, never);
    const [part] = result?.content ?? [];
    return part instanceof vscode.LanguageModelTextPart ? part.value : '';
  };
  const authorization = (input: ToolInput) => authorizationTool(graph.services).run(input, never);
  const pendingInstall = (input: ToolInput) => installTool(graph.services).run(input, never);

  beforeEach(async () => {
    service = await startService();
    service.data.deployments.set('dep_2', failedAccount());
    service.data.installs.set(token, install({ secretOfTheService: 'x' }));
    graph = createGraph({
      AUTOMATION_PLATFORM_TOKEN: DEFAULT_TOKEN,
      AUTOMATION_PLATFORM_BASE_URL: service.baseUrl,
    });
    await graph.services.organizations.ready;
    tool = adapt(graph.services, authorizationTool(graph.services));
  });
  afterEach(async () => {
    await dismiss();
    await graph.dispose();
    await service.stop();
  });

  it('are there, where the editor has language models', async () => {
    await vscode.extensions.getExtension('automation-platform-tools.automation-platform')!.activate();
    const names = vscode.lm.tools.map(({ name }) => name);
    for (const name of Object.values(toolNames)) assert.ok(names.includes(name), `${name} in ${names.join()}`);
  });

  it('read a deployment that is not listed', async () => {
    const result: unknown = JSON.parse(await authorization({ deploymentId: ' dep_2 ' }));
    assert.deepEqual(Object.entries(result ?? {}).slice(0, 2), [
      ['deploymentId', 'dep_2'],
      ['state', 'failed'],
    ]);
    assert.equal(service.requests.length, 1);
  });

  it('name the deployment and the organization in the question, as text', async () => {
    const message = await ask({ deploymentId: '[x](command:y)' });
    assert.ok(message instanceof vscode.MarkdownString);
    assert.match(message.value, /“`\[x\]\(command:y\)`” of the organization “`environment/);
    assert.equal(service.requests.length, 0);
  });

  it('ask nobody but the organization that the question named', async () => {
    const input = { deploymentId: 'dep_2' };
    await ask(input);
    assert.match(await answer(input), /"deploymentId":"dep_2"/);
    const { organizations } = graph.services;
    await organizations.signIn({ name: 'Other', baseUrl: service.baseUrl, token: DEFAULT_TOKEN });
    service.clearRequests();
    assert.match(await answer(input), /^The organization changed since you were asked, so nothing was sent\./);
    assert.equal(service.requests.length, 0);
    await ask(input);
    assert.match(await answer(input), /"deploymentId":"dep_2"/);
  });

  it('say in a result what went wrong', async () => {
    service.fault('all', faults.status(403));
    await assert.rejects(authorization({ deploymentId: 'dep_2' }), /^UserError: 403: /);
    await assert.rejects(authorization({ deploymentId: '..' }), /UserError/);
    await assert.rejects(authorization({}), /UserError/);
    await assert.rejects(authorization({ deploymentId: { id: 'dep_2' } }), /UserError/);
    await assert.rejects(authorization({ deploymentId: `x${DEFAULT_TOKEN}` }), /UserError/);
    assert.equal(service.requests.length, 1);
  });

  it('read an install by the label of its row', async () => {
    graph.services.installs.add(token, {
      organizationId: graph.services.organizations.current!.id,
      answer: { value: { label: 'Acme CRM' }, problems: [], receivedAt: 0 },
    });
    const result = await pendingInstall({ install: ' Acme CRM ' });
    assert.match(result, /"serviceId":"hubspot"/);
    assert.match(result, /"otherFields":\["secretOfTheService"\]/);
    assert.ok(!result.includes(token), result);
  });

  it('ask the person for the token of any other, and take none from the model', async () => {
    for (const input of [{}, { install: 'unknown' }, { install: token }]) {
      const reading = pendingInstall(input);
      const refused = assert.rejects(reading, /No install token was entered/);
      await turn();
      await accept();
      await dismiss();
      await refused;
    }
    assert.equal(service.requests.length, 0);
  });
});

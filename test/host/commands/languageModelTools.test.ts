import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { authorizationTool, problemsTool } from '../../../src/commands/tools/deploymentTools.js';
import { installTool } from '../../../src/commands/tools/installTool.js';
import { adapt, type Tool } from '../../../src/commands/tools/tool.js';
import { toolNames } from '../../../src/host/ids.js';
import type { Services } from '../../../src/host/services.js';
import { DEFAULT_TOKEN, failedAccount, install } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { recordWindow } from '../hostile/windowRecorder.js';
import { type Graph, graphOf } from './graph.js';
import { accept, answering, dismiss, next } from './quickInput.js';

const token = '0a1b2c3d-0000-4000-8000-00000000000f';

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('language-model tools', () => {
  let service: Service;
  let graph: Graph;
  const never = new vscode.CancellationTokenSource().token;
  let tool: vscode.LanguageModelTool<unknown>;
  const use = (make: (services: Services) => Tool) => {
    tool = adapt(graph.services, make(graph.services));
  };
  /** The question that the person is asked. */
  const ask = async (input: object) => {
    const message = (await tool.prepareInvocation?.({ input }, never))?.confirmationMessages?.message;
    return message instanceof vscode.MarkdownString ? message.value : '';
  };
  const answer = async (input: object) => {
    const result = await tool.invoke({ input, toolInvocationToken: undefined }, never);
    const [part] = result?.content ?? [];
    return part instanceof vscode.LanguageModelTextPart ? part.value : '';
  };
  const resultOf = (input: object) => ask(input).then(() => answer(input));
  const signIn = (name: string, of = DEFAULT_TOKEN) =>
    graph.services.organizations.signIn({ name, baseUrl: service.baseUrl, token: of });
  /** One entry for each organization, the first to expire first. */
  const addInstalls = (...entries: readonly (readonly [organizationId: string, token: string])[]) => {
    for (const [index, [organizationId, found]] of entries.entries()) {
      const value = { label: 'Acme CRM', expiresAt: inHours(index + 1) };
      graph.services.installs.add(found, organizationId, { value, decodeIssues: [], receivedAt: 0 });
    }
  };

  beforeEach(async () => {
    service = await startService();
    service.data.deployments.set('dep_2', failedAccount());
    service.data.installs.set(token, install({ secretOfTheService: 'x' }));
    graph = await graphOf(service);
    use(authorizationTool);
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

  it('come with a skill that tells an agent how to use them, where the editor has skills', async () => {
    const skills = '_listExtensionPromptFiles';
    if (!(await vscode.commands.getCommands()).includes(skills)) return;
    const files =
      await vscode.commands.executeCommand<readonly { readonly extensionId: string; readonly type: string }[]>(skills);
    const ours = files.filter(({ extensionId }) => extensionId === 'automation-platform-tools.automation-platform');
    assert.deepEqual(
      ours.map(({ type }) => type),
      ['skill'],
    );
  });

  it('list at most 50 problems of what was read before, and send no request', async () => {
    use(problemsTool);
    const { store } = graph.services;
    const ids = Array.from({ length: 60 }, (_, index) => `dep_${index}`);
    for (const id of ids) service.data.deployments.set(id, failedAccount());
    store.setListed(ids.map((id) => ({ id })));
    await store.refreshAll();
    service.clearRequests();
    assert.match(await ask({}), /^Problems in organization `environment/);
    const { problems }: { problems: readonly object[] } = JSON.parse(await answer({}));
    assert.equal(problems.length, 51);
    assert.deepEqual(problems.at(-1), { leftOut: 10 });
    assert.equal(service.requests.length, 0);
  });

  it('name the deployment and the organization in the question, as text', async () => {
    const question = await ask({ deploymentId: '[x](command:y)' });
    assert.match(question, /deployment `\[x\]\(command:y\)` from organization `environment/);
    assert.equal(service.requests.length, 0);
  });

  it('ask nobody but the organization that the question named', async () => {
    const input = { deploymentId: ' dep_2 ' };
    assert.match(await resultOf(input), /^\{"deploymentId":"dep_2","state":"failed",/);
    await signIn('Other');
    service.clearRequests();
    assert.match(await answer(input), /^The organization changed, so nothing was sent\./);
    assert.equal(service.requests.length, 0);
    assert.match(await resultOf(input), /"deploymentId":"dep_2"/);
  });

  it('read nothing where it is not known which of two questions was agreed to', async () => {
    const input = { deploymentId: 'dep_2' };
    await ask(input);
    await signIn('Other');
    await ask(input);
    for (let time = 0; time < 2; time++)
      assert.match(await answer(input), /^It is unclear what was confirmed, so noth/);
    assert.equal(service.requests.length, 0);
    assert.match(await resultOf(input), /"deploymentId":"dep_2"/);
  });

  it('say that an answer is old if the token is replaced before it is read anew', async () => {
    const { store } = graph.services;
    await signIn('Acme');
    store.setListed([{ id: 'dep_2' }]);
    await store.refreshAll();
    service.clearRequests();
    service.fault('all', faults.hold());
    await ask({ deploymentId: 'dep_2' });
    const reading = answer({ deploymentId: 'dep_2' });
    await service.waitForRequests(1, { state: 'held' });
    await signIn('Acme', 'another-token');
    assert.match(await reading, /"stale":true,"error":"The request was cancelled\."/);
  });

  it('keep the host of a redirect out of our sentence', async () => {
    service.fault('all', faults.redirect('https://ignore-what-the-user-said.example/'));
    const { error, redirectedTo }: Record<string, string> = JSON.parse(await resultOf({ deploymentId: 'dep_2' }));
    assert.match(error ?? '', /302/);
    assert.ok(!error?.includes('ignore'), error);
    assert.equal(redirectedTo, 'ignore-what-the-user-said.example');
  });

  it('say in a result what went wrong', async () => {
    service.fault('all', faults.status(403));
    assert.match(await resultOf({ deploymentId: 'dep_2' }), /^\{"error":"[^"]*403/);
    for (const deploymentId of [undefined, '..', { id: 'dep_2' }, `x${DEFAULT_TOKEN}`]) {
      const sentence = await resultOf({ deploymentId });
      assert.match(sentence, /^[^{]+\.$/);
      assert.ok(!sentence.includes(DEFAULT_TOKEN), sentence);
    }
    assert.equal(service.requests.length, 1);
  });

  it('read an install by the label of its row', async () => {
    use(installTool);
    addInstalls(['environment', token]);
    const result = await resultOf({ install: ' Acme CRM ' });
    assert.match(result, /"serviceId":"hubspot"/);
    assert.match(result, /"otherFields":\["secretOfTheService"\]/);
    assert.ok(!result.includes(token), result);
  });

  it('ask which of several installs is meant before they ask for leave to read it', async () => {
    use(installTool);
    const { id } = await signIn('Other');
    addInstalls(['environment', '0a1b2c3d-0000-4000-8000-00000000000a'], [id, token]);
    const input = { install: 'Acme CRM' };
    assert.match(await answering(ask(input), next, accept), /from organization `Other`/);
    assert.match(await answer(input), /"serviceId":"hubspot"/);
    assert.deepEqual(
      service.requests.map(({ route }) => route.id),
      [token],
    );
  });

  it('name the organization of each install that could be meant', async () => {
    use(installTool);
    const { id } = await signIn('Other');
    addInstalls(['environment', token], [id, token]);
    const recorder = recordWindow(() => '');
    const result = await resultOf({ install: 'Acme CRM' }).finally(() => recorder.restore());
    assert.equal(result, 'No install selected.');
    assert.deepEqual(
      recorder.shown.picks.map(({ detail }) => detail),
      [`environment (from environment variables) · ${service.baseUrl}`, `Other · ${service.baseUrl}`],
    );
    assert.equal(service.requests.length, 0);
  });

  it('ask the person for the token of any other, and take none from the model', async () => {
    use(installTool);
    for (const input of [{}, { install: 'unknown' }, { install: token }]) {
      await ask(input);
      assert.equal(await answering(answer(input), accept, dismiss), 'No install token entered.');
    }
    assert.equal(service.requests.length, 0);
  });
});

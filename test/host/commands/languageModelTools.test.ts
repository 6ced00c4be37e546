import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { registerLanguageModelTools, SecondStage } from '../../../src/extension.js';
import { toolNames } from '../../../src/host/ids.js';
import { ManualClock } from '../../support/manualClock.js';
import { DEFAULT_TOKEN, failedAccount } from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import { minutes } from '../../support/window/fixtures.js';
import { createGraph, startWorld, type World } from '../../support/window/graph.js';
import { replace } from '../../support/window/windowRecorder.js';

describe('language-model tools', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  let signIn: World['signIn'];
  let asked: World['asked'];
  let tool: vscode.LanguageModelTool<unknown>;
  const never = new vscode.CancellationTokenSource().token;
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

  /** What the tool says of `dep_2` after a read that fails, and how many deployments are muted before it has failed. */
  const failedResult = async (meanwhile: () => void) => {
    platform.fault('all', { ...faults.hold(), ...faults.status(404) });
    const reading = resultOf({ deploymentId: 'dep_2' });
    await platform.waitForRequests(1, { state: 'held' });
    meanwhile();
    const { muted } = graph.services.store.counts;
    platform.release();
    return { muted, result: await reading };
  };

  beforeEach(async () => {
    ({ platform, graph, signIn, asked } = await startWorld());
    platform.putDeployment('dep_2', failedAccount());
    tool = graph.app.tools[toolNames.getDeploymentAuthorization];
  });

  it('come with a skill that tells an agent how to use them, where the editor has skills', async () => {
    const skills = '_listExtensionPromptFiles';
    if (!(await vscode.commands.getCommands()).includes(skills)) return;
    const files: readonly { extensionId: string; type: string }[] = await vscode.commands.executeCommand(skills);
    const ours = files.filter(({ extensionId }) => extensionId === 'automation-platform-tools.automation-platform');
    assert.equal(ours.map(({ type }) => type).join(), 'skill');
  });

  it('are not registered in an editor without language models', () => {
    replace(vscode.lm, { registerTool: undefined });
    registerLanguageModelTools(new SecondStage(() => assert.fail(), graph.services.log)).dispose();
  });

  it('list problems as they were read before, and send no request', async () => {
    tool = graph.app.tools[toolNames.listProblems];
    await graph.read('dep_2');
    assert.match(await ask({}), /^Problems in organization `environment/);
    assert.match(await answer({}), /"problems":\[\{/);
    assert.deepEqual(asked(), ['dep_2']);
  });

  it('read only from the organization that the question named, and only what was certainly confirmed', async () => {
    const input = { deploymentId: ' dep_2 ' };
    assert.match(await resultOf(input), /^\{"deploymentId":"dep_2","state":"failed",/);
    platform.clearRequests();
    await signIn('Other');
    assert.match(await answer(input), /^It is unclear what was confirmed, so/, 'agreed to once only');
    await ask(input);
    await signIn('Third');
    assert.match(await answer(input), /^The organization changed, so nothing was sent\./);
    await graph.services.organizations.use(graph.services.organizations.list.find(({ name }) => name === 'Other')!.id);
    assert.match(await ask({ deploymentId: '[x](command:y)' }), /deployment `\[x\]\(command:y\)` from .* `Other` \(/);
    const unclear = { deploymentId: 'dep_2' };
    await ask(unclear);
    await signIn('Another');
    await ask(unclear);
    for (let time = 0; time < 2; time++) assert.match(await answer(unclear), /^It is unclear what was confirmed, so/);
    assert.deepEqual(asked(), []);
    for (let time = 0; time < 2; time++) await ask(unclear);
    for (const expected of [/"deploymentId":"dep_2"/, /"deploymentId":"dep_2"/, /^It is unclear what was confirmed/]) {
      assert.match(await answer(unclear), expected, 'once for each question');
    }
  });

  it('read what was agreed to after an equal question was declined before a new sign-in', async () => {
    const input = { deploymentId: 'dep_2' };
    const { id } = await signIn();
    const declined = await ask(input);
    await graph.services.organizations.signOut(id);
    await signIn();
    assert.equal(await ask(input), declined);
    assert.match(await answer(input), /^\{"deploymentId":"dep_2"/);
  });

  it('send nothing for an agreement to a declined question while another organization is asked about', async () => {
    const input = { deploymentId: 'dep_2' };
    await signIn();
    await ask(input);
    await signIn('Other');
    await ask(input);
    assert.match(await answer(input), /^It is unclear what was confirmed, so/);
    assert.deepEqual(asked(), []);
  });

  it('send nothing after a question that said so, even if the keyring is readable by then', async () => {
    graph = createGraph();
    const { values } = graph.context.secrets;
    values.set('organization.1', JSON.stringify({ name: 'Acme', baseUrl: platform.baseUrl, token: DEFAULT_TOKEN }));
    graph.context.secrets.refusal = new Error('locked');
    tool = graph.app.tools[toolNames.getDeploymentAuthorization];
    assert.match(
      await ask({ deploymentId: 'dep_2' }),
      /^VS Code’s secret storage cannot be read\. .* Nothing is sent\.$/,
    );
    graph.context.secrets.refusal = undefined;
    assert.match(await answer({ deploymentId: 'dep_2' }), /^The organization changed, so nothing was sent\./);
    assert.equal(graph.services.organizations.list[0]?.name, 'Acme');
    assert.deepEqual(asked(), []);
  });

  it('say that an answer is old if the token is replaced before it is read anew', async () => {
    await signIn();
    await graph.read('dep_2');
    platform.clearRequests();
    platform.fault('all', faults.hold());
    const reading = resultOf({ deploymentId: 'dep_2' });
    await platform.waitForRequests(1, { state: 'held' });
    await signIn('Acme', 'another-token');
    assert.match(await reading, /"stale":true,"error":"The request was cancelled\."/);
  });

  describe('say that an answer is old if its read fails', () => {
    let clock: ManualClock;
    beforeEach(async () => {
      clock = new ManualClock();
      graph = createGraph(platform.env, { clock });
      tool = graph.app.tools[toolNames.getDeploymentAuthorization];
      await graph.services.organizations.ready;
      await graph.read('dep_2');
      platform.clearRequests();
    });

    const mute = () => {
      const deployment = graph.services.store.get('dep_2')!;
      const [problem] = deployment.answer!.findings.problems;
      graph.services.memory.mute([{ deployment, problem: problem! }], clock.now() + minutes(5));
    };

    it('while a problem is muted', async () => {
      const { muted, result } = await failedResult(mute);
      assert.equal(muted, 1);
      assert.match(result, /"stale":true,"error":"[^"]*404/);
    });

    it('while the time of a mute ends', async () => {
      mute();
      const { muted, result } = await failedResult(() => clock.pass(minutes(5)));
      assert.equal(muted, 0);
      assert.match(result, /"stale":true,"error":"[^"]*404/);
    });
  });

  it('say in a result what went wrong, with the host of a redirect out of our sentence', async () => {
    const input = { deploymentId: 'dep_2' };
    platform.fault('all', faults.redirect('https://ignore-what-the-user-said.example/'));
    assert.match(await resultOf(input), /^\{"error":"[^"]*302[^"]*","redirectedTo":"ignore-what-the-user-said/);
    assert.doesNotMatch(await resultOf(input), /"error":"[^"]*ignore/);
    platform.clearFaults();
    platform.fault('all', faults.status(403));
    assert.match(await resultOf(input), /^\{"error":"[^"]*403/);
    platform.clearRequests();
    for (const deploymentId of [undefined, '..', { id: 'dep_2' }, `x${DEFAULT_TOKEN}`]) {
      const sentence = await resultOf({ deploymentId });
      assert.match(sentence, /^[^{]+\.$/);
      assert.ok(!sentence.includes(DEFAULT_TOKEN), sentence);
    }
    assert.deepEqual(asked(), []);
  });
});

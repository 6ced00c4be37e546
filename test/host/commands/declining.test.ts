import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { extensionId, toolNames } from '../../../src/host/ids.js';
import { answerOf } from '../../support/answers.js';
import {
  account,
  authorization,
  DEFAULT_TOKEN,
  failedAccount,
  install,
} from '../../support/platform/data.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import { endTest } from '../../support/window/endOfTest.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import { type Answer, enter, recordWindow, replace } from '../../support/window/windowRecorder.js';

const installToken = '0a1b2c3d-0000-4000-8000-00000000000f';

/** What begins questions, and an answer to each. Each of these questions is declined once, after those before it. */
type Row = readonly [begin: () => Promise<unknown>, ...answers: (Answer | (() => string))[]];

const signIn = 'Sign In';
const signInUnreachable = 'Sign In to a host that is not reached';
type Way = 'dismissed' | 'answered with nothing';

const section = 'automationPlatform.deployments';

describe('a declined question', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  const file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'declined.json');
  /** Has a file that a command may overwrite. */
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;

  before(async () => {
    folder = await temporaryFolder();
    await writeFile(join(folder.path, 'automation-platform-check.mjs'), 'mine');
    // What Find Deployments in Workspace finds.
    await vscode.workspace.fs.writeFile(file, Buffer.from('{ "deploymentId": "dep_3" }'));
    const world = await startWorld();
    ({ platform, graph } = world);
    const { services, run } = graph;
    platform.putDeployment('dep_1', failedAccount());
    platform.putDeployment('dep_2', authorization([account({ id: 'acc_2', error: {} })], []));
    platform.putInstall(installToken, install());
    await world.signIn();
    const listed = ['dep_1', { id: 'dep_2', label: 'Billing', group: 'payments' }];
    await writeSetting(section, listed, Workspace);
    await writeSetting('automationPlatform.dashboardUrl', 'https://dash.example/{deploymentId}');
    await run('refresh');
    const crm = answerOf(install());
    for (const token of [installToken, installToken.replace('f', 'e')]) {
      services.installs.add(token, services.organizations.current!.id, crm);
    }
    await vscode.env.clipboard.writeText('dep_3 dep_4');
  });
  after(async () => {
    await endTest();
    await folder.remove();
    await vscode.workspace.fs.delete(file);
  });
  beforeEach(() => platform.clearRequests());

  /** All that an agreed question may change. Sign In tries a token with a made-up ID before it asks for a name: these requests can be left out. */
  const effects = ({ withoutTriedTokens = false } = {}) => ({
    requests: platform.requests.filter(
      ({ route }) => !withoutTriedTokens || platform.data.deployments.has(route.id ?? ''),
    ).length,
    list: settingIn(section),
    secrets: [...graph.context.secrets.values],
    states: [graph.context.workspaceState, graph.context.globalState].map(({ values }) => [
      ...values,
    ]),
    current: graph.services.organizations.current,
    installs: graph.services.installs.installs,
    revealed: [...graph.view.revealed],
    shown: vscode.window.activeTextEditor?.document.uri.toString(),
    file: readFileSync(join(folder.path, 'automation-platform-check.mjs'), 'utf8'),
    untitled: vscode.workspace.textDocuments.filter(({ isUntitled }) => isUntitled).length,
  });

  /** Runs what begins this row, gives these answers, declines the next question, and asserts that nothing has changed. */
  async function decline(name: string, answers: readonly Row[1][], way: Way): Promise<void> {
    const [begin] = rows[name]!;
    const isSignIn = name === signIn || name === signInUnreachable;
    const readEffects = () => effects({ withoutTriedTokens: isSignIn });
    const effectsBefore = readEffects();
    const clipboardBefore = await vscode.env.clipboard.readText();
    let questions = 0;
    const nextAnswer = () => {
      const answer = answers[questions];
      questions += 1;
      return typeof answer === 'function' ? answer() : answer;
    };
    recordWindow(() => nextAnswer() ?? (way === 'answered with nothing' ? [] : undefined));
    const showOpenDialog = async () =>
      nextAnswer() === undefined ? undefined : [vscode.Uri.file(folder.path)];
    replace(vscode.window, { showOpenDialog });
    const commands: string[] = [];
    const { executeCommand } = vscode.commands;
    const recordCommand = async (id: string, ...args: unknown[]): Promise<unknown> => {
      if (id === 'setContext') return executeCommand(id, ...args);
      commands.push(id);
      return undefined;
    };
    replace(vscode.commands, { executeCommand: recordCommand });

    await begin();

    const when = `after ${answers.length} answers`;
    // Esc leads from the options of Sign In back to its questions.
    const expectedQuestions = isSignIn
      ? Math.max(questions, answers.length + 1)
      : answers.length + 1;
    assert.equal(questions, expectedQuestions, `the number of questions ${when}`);
    assert.deepEqual(readEffects(), effectsBefore, when);
    assert.equal(await vscode.env.clipboard.readText(), clipboardBefore, when);
    assert.deepEqual(commands, [], when);
  }

  const row = (id: string) => graph.row(id);
  const run = (...[command, ...args]: Parameters<World['run']>) => graph.run(command, ...args);
  const tool = (name: keyof typeof toolNames, input: object) => async () => {
    const { token } = new vscode.CancellationTokenSource();
    await graph.app.tools[toolNames[name]].prepareInvocation?.({ input }, token);
  };

  const rows: Readonly<Record<string, Row>> = {
    [signIn]: [() => run('signIn'), () => platform.baseUrl, DEFAULT_TOKEN, 'A'],
    [signInUnreachable]: [() => run('signIn'), 'http://127.0.0.1:1/api/v1', 'a-token', enter],
    'Switch Organization': [() => run('switchOrganization'), enter],
    'Set User Session Token': [() => run('setSessionToken'), 'a-session-token'],
    'Sign Out': [() => run('signOut'), enter, enter],
    'Add Deployment': [() => run('addDeployment'), 'dep_3', 'Third'],
    'Add Deployment with several IDs': [() => run('addDeployment'), 'dep_3 dep_4'],
    'Add Deployments from Selection or Clipboard': [() => run('addDeploymentsFromText'), [0]],
    'Find Deployments in Workspace': [() => run('findDeployments'), [0]],
    'Remove Deployment from List': [() => run('removeDeployment'), enter, enter],
    'Remove Deployment from List for several rows': [
      () => run('removeDeployment', row('dep_1'), [row('dep_1'), row('dep_2')]),
      enter,
    ],
    'Set Deployment Label': [() => run('setDeploymentLabel'), enter, 'Other'],
    'Set Group': [() => run('setGroup'), enter, 'New Group...', 'Other'],
    'Choose My Groups': [() => run('chooseGroups'), enter],
    'Set Owner': [() => run('setOwner'), enter, 'Maria'],
    'Edit ID': [() => run('editDeploymentId', 'dep_1'), 'dep_9'],
    'Refresh Deployment': [() => run('refreshDeployment'), enter],
    'Mute Problem': [() => run('muteProblem'), [0], enter],
    'Open in Dashboard': [() => run('openInDashboard', 'dep_1'), enter],
    'Find ID in Files': [() => run('findInFiles'), enter],
    'Go to Deployment': [() => run('goToDeployment'), enter],
    'Copy ID': [() => run('copyId'), enter],
    'Copy Request': [() => run('copyRequest'), [0], enter],
    'Copy Authorization Report': [() => run('copyReport'), enter],
    'Add CI Check': [() => run('addCheck'), enter, enter, enter],
    'Look Up Install': [() => run('lookUpInstall'), installToken],
    'Forget Install': [() => run('forgetInstall'), enter],
    'Revoke API Key': [() => run('revokeApiKey'), 'key_1', enter, 'key_1'],
    'the tool for problems': [tool('listProblems', {})],
    'the tool for an authorization': [
      tool('getDeploymentAuthorization', { deploymentId: 'dep_1' }),
    ],
  };

  for (const [name, [begin, ...answers]] of Object.entries(rows)) {
    if (answers.length === 0) {
      it(`changes nothing before it is asked by ${name}`, async () => {
        const effectsBefore = effects();
        await begin();
        assert.deepEqual(effects(), effectsBefore);
      });
    }
    for (const way of ['dismissed', 'answered with nothing'] as const) {
      if (answers.length === 0) continue;
      it(`changes nothing when ${name} is ${way}`, async () => {
        for (const at of answers.keys()) await decline(name, answers.slice(0, at), way);
      });
    }
  }

  it('is tested for each command whose title ends in “...”', () => {
    const manifest: {
      readonly contributes: { readonly commands: readonly { readonly title: string }[] };
    } = vscode.extensions.getExtension(extensionId)!.packageJSON;
    const askingTitles = manifest.contributes.commands
      .map(({ title }) => title)
      .filter((title) => title.endsWith('...'));
    const untested = askingTitles.filter((title) => !(title.slice(0, -3) in rows));
    assert.ok(askingTitles.length > 10, `too few titles: ${askingTitles.join(', ')}`);
    assert.deepEqual(untested, []);
  });
});

import { strict as assert } from 'node:assert';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { addCheck } from '../../../src/commands/addCheck.js';
import { projectRoot } from '../../support/paths.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import { until } from '../../support/window/editors.js';
import { createGraph, type Graph } from '../../support/window/graph.js';
import { Global, settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import { notificationsOf, replace } from '../../support/window/windowRecorder.js';

const section = 'automationPlatform.deployments';
const fileName = 'automation-platform-check.mjs';

describe('Add CI Check', () => {
  let graph: Graph;
  let extension: Awaited<ReturnType<typeof temporaryFolder>>;
  let target: string;
  const services = () => ({ ...graph.services, extensionUri: vscode.Uri.file(extension.path) });
  /** Chooses this folder, and presses these buttons. */
  const add = (folder = vscode.Uri.file(target), ...buttons: readonly string[]) => {
    replace(vscode.window, { showOpenDialog: async () => [folder] });
    return notificationsOf(() => addCheck(services()), ...buttons);
  };

  before(async () => {
    extension = await temporaryFolder();
    await mkdir(join(extension.path, 'dist'));
    await writeFile(join(extension.path, 'dist', 'check.mjs'), 'the check');
    await cp(join(projectRoot, 'media', 'ci'), join(extension.path, 'media', 'ci'), { recursive: true });
  });
  after(() => extension.remove());
  beforeEach(async () => {
    graph = createGraph();
    target = join(extension.path, 'target');
    await mkdir(target, { recursive: true });
  });
  it('saves the file, and opens a workflow that gives the token to one step and never runs on pull requests', async () => {
    await writeSetting(section, ['dep_1'], Workspace);
    const said = await add();
    assert.equal(await readFile(join(target, fileName), 'utf8'), 'the check');
    assert.deepEqual(said, [
      ['information', `Saved ${fileName}. The workflow that runs it is open and not saved yet.`],
    ]);
    const { document } = vscode.window.activeTextEditor!;
    const workflow = document.getText();
    const code = workflow.replaceAll(/#.*/g, '');
    assert.deepEqual([document.languageId, document.isUntitled], ['yaml', true]);
    assert.match(code, /\n {2}schedule:\n.*\n {2}workflow_dispatch:\n {2}push:\n\s+branches: \[main\]\n/);
    assert.doesNotMatch(code, /pull_request/);
    assert.match(code, /\npermissions:\n {2}contents: read\n/);
    assert.match(code, /persist-credentials: false/);
    for (const [, action] of code.matchAll(/uses: (.*)/g)) assert.match(action!, /^actions\/\w+@[0-9a-f]{40} $/);
    assert.equal(code.match(/secrets\./g)?.length, 1);
    assert.match(workflow, new RegExp(`\\n +node ${fileName} --format github\\n`));
    assert.match(workflow, /# Labels of deployments and accounts, and errors of the service, appear in the log/);
    assert.match(workflow, new RegExp(`# For AGENTS.md:\\n# - .node ${fileName} --format json`));
  });

  it('overwrites a file only after a question', async () => {
    await writeFile(join(target, fileName), 'mine');
    const said = await add();
    const exists = `A file with this name already exists in ${target}.`;
    assert.deepEqual(said, [['warning', `Overwrite ${fileName}?`, exists, 'Overwrite']]);
    assert.equal(await readFile(join(target, fileName), 'utf8'), 'mine');
    await add(undefined, 'Overwrite');
    assert.equal(await readFile(join(target, fileName), 'utf8'), 'the check');
  });

  it('counts what stands in user settings only, which CI cannot see, and copies it to the workspace', async () => {
    await writeSetting(section, ['dep_1'], Workspace);
    await writeSetting(section, ['dep_1', { id: 'dep_2', label: 'Second' }, 'dep_3'], Global);
    const said = await add(undefined, 'Overwrite', 'Copy to Workspace');
    assert.match(said.flat().join('\n'), /Listed in user settings only, which CI cannot see: 2\.\nCopy to Workspace/);
    const all = settingIn(section, Global);
    await until('the copy', () => isDeepStrictEqual(settingIn(section), all));
    assert.deepEqual(all, ['dep_1', { id: 'dep_2', label: 'Second' }, 'dep_3']);
  });

  it('is refused in a workspace that is not trusted', async () => {
    const { deploymentList: trusted } = graph.services;
    const deploymentList: typeof trusted = Object.create(trusted, { untrusted: { value: true } });
    await assert.rejects(
      addCheck({ ...services(), deploymentList }),
      /This workspace is not trusted, so nothing was written/,
    );
  });
});

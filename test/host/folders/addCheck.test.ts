import { strict as assert } from 'node:assert';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { addCheck } from '../../../src/commands/addCheck/addCheck.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { createGraph } from '../../support/window/graph.js';
import { recordWindow, replace, settle } from '../../support/window/windowRecorder.js';

const [web = '', api = ''] = vscode.workspace.workspaceFolders!.map(({ uri }) => uri.fsPath);
const fileName = 'automation-platform-check.mjs';

/** Makes an empty file until the test ends. */
function put(folder: string, path: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  atEndOfTest(() => rmSync(file));
}

describe('Add CI Check in two folders', () => {
  /** The names of the CIs that are in use, each with the file that shows it. */
  const used = async () => {
    const { picks } = recordWindow();
    await addCheck(createGraph().services);
    return picks
      .filter(({ description }) => description !== '')
      .map(({ label, description }) => `${label}: ${description}`);
  };

  it('lists the CIs of both', async () => {
    put(web, 'Jenkinsfile');
    put(api, 'azure-pipelines.yml');

    assert.deepEqual(await used(), [
      'Azure Pipelines: api/src/azure-pipelines.yml',
      'Jenkins: web/src/Jenkinsfile',
    ]);
  });

  it('names the first folder that has the file', async () => {
    put(web, '.gitlab-ci.yml');
    put(api, '.gitlab-ci.yml');

    assert.deepEqual(await used(), ['GitLab: web/src/.gitlab-ci.yml']);
  });

  /** Saves the check for GitLab in a folder. Returns what the message says to do with the configuration. */
  const stepIn = async (folder: string) => {
    const { messages } = recordWindow(() => 'GitLab');
    replace(vscode.window, { showOpenDialog: async () => [vscode.Uri.file(folder)] });
    await addCheck(createGraph().services);
    atEndOfTest(() => rmSync(join(folder, fileName)));
    await settle();
    return /: ((?:add|save) it .*?)\. A line/.exec(messages.flat().join('\n'))?.[1];
  };

  it('says to add the configuration to the file in the folder of the check', async () => {
    put(web, '.gitlab-ci.yml');

    assert.equal(await stepIn(web), 'add it to .gitlab-ci.yml');
  });

  it('says to save the configuration when only the other folder has the file', async () => {
    put(web, '.gitlab-ci.yml');

    assert.equal(await stepIn(api), 'save it as .gitlab-ci.yml');
  });
});

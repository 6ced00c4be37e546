import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { folderName, workspacePath } from '../../../src/host/folderNames.js';
import { DeploymentList } from '../../../src/host/list/deploymentList.js';
import { Owners } from '../../../src/host/list/owners.js';
import { until } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { startWorld } from '../../support/window/graph.js';
import { recordWindow } from '../../support/window/windowRecorder.js';

const setting = 'automationPlatform.deployments';
const [web = '', api = ''] = vscode.workspace.workspaceFolders!.map(({ uri }) =>
  join(uri.fsPath, '.vscode', 'settings.json'),
);
const team = vscode.workspace.workspaceFile!.fsPath;
const teamText = fs.readFileSync(team, 'utf8');
const webName = 'web/src/.vscode/settings.json';
const apiName = 'api/src/.vscode/settings.json';

function valueIn(file: string, name = setting): unknown {
  const at = vscode.workspace.workspaceFolders!.find(({ uri }) => file.startsWith(uri.fsPath));
  const found = vscode.workspace.getConfiguration(undefined, at?.uri ?? null).inspect(name);
  return at ? found?.workspaceFolderValue : found?.workspaceValue;
}

/** Replaces a file, which VS Code never sees half-written, and waits until VS Code has read it. */
async function given(file: string, text: string, value: unknown, name = setting): Promise<void> {
  fs.mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}-${crypto.randomUUID()}`;
  fs.writeFileSync(draft, text);
  fs.renameSync(draft, file);
  const seen = () => JSON.stringify(valueIn(file, name));
  await until(`VS Code to read ${file}`, () => seen() === JSON.stringify(value), seen);
}

const listText = (list: unknown) => `{ "${setting}": ${JSON.stringify(list)} }\n`;

/** A workspace file with these properties behind its folders. */
function teamWith(properties: string): string {
  return teamText.replace(/\}$/, `,\n${properties} }`);
}

describe('two folders with one name', () => {
  let lines: string[];
  let list: DeploymentList;

  beforeEach(async () => {
    atEndOfTest(async () => {
      for (const file of [web, api]) await given(file, '{}\n', undefined);
      await given(team, teamText, undefined);
    });
    for (const file of [web, api]) await given(file, '{}\n', undefined);
    lines = [];
    list = new DeploymentList({ warn: (line) => lines.push(line), redactData: (text) => text });
    atEndOfTest(() => list.dispose());
  });

  it('are told apart by their paths from the workspace file', () => {
    const folders = vscode.workspace.workspaceFolders!;
    assert.deepEqual(folders.map(folderName), ['web/src', 'api/src']);
    const files = folders.map(({ uri }) => vscode.Uri.joinPath(uri, 'lib', 'a.json'));
    assert.deepEqual(files.map(workspacePath), ['web/src/lib/a.json', 'api/src/lib/a.json']);
  });

  it('are named by their paths when a deployment is removed from both', async () => {
    await given(web, listText(['dep_both', 'dep_web']), ['dep_both', 'dep_web']);
    await given(api, listText(['dep_both']), ['dep_both']);
    const { graph, run } = await startWorld();
    const { store } = graph.services;
    await until('the list', () => store.get('dep_both') !== undefined);
    const { messages } = recordWindow();
    await run('removeDeployment', graph.row('dep_both'));
    const removed = messages.map(([, sentence]) => sentence);
    const expected = `Removed “dep_both” from the list in ${webName}, ${apiName}. Nothing changed on the platform.`;
    assert.deepEqual(removed, [expected]);
    assert.deepEqual([valueIn(web), valueIn(api)], [['dep_web'], []]);
  });

  it('are named by their paths when a label is saved', async () => {
    await given(api, listText(['dep_api']), ['dep_api']);
    const { scopes } = await list.setLabel('dep_api', 'API');
    assert.deepEqual(
      scopes.map(({ name }) => name),
      [apiName],
    );
  });

  it('are named by their paths when an owner is saved', async () => {
    const owners = new Owners({ warn: () => undefined, redactData: (text) => text });
    atEndOfTest(() => owners.dispose());
    const name = 'automationPlatform.owners';
    await given(api, `{ "${name}": { "acc_1": "Ann" } }\n`, { acc_1: 'Ann' }, name);
    const change = await owners.set('acc_1', 'Bob');
    assert.deepEqual(
      change.scopes.map((scope) => scope.name),
      [apiName],
    );
    await change.undo();
    assert.deepEqual(valueIn(api, name), { acc_1: 'Ann' });
  });

  it('are both reported for the same invalid entry', async () => {
    await given(web, listText([17]), [17]);
    const { messages } = recordWindow();
    await given(api, listText([17]), [17]);
    const expected = 'entry 1 of automationPlatform.deployments is neither an ID nor { "id": "…", "label": "…" }';
    assert.deepEqual(lines, [`Ignored in ${webName}: ${expected}.`, `Ignored in ${apiName}: ${expected}.`]);
    assert.ok(messages.some(([, sentence]) => sentence?.includes(`${setting} in ${apiName} has invalid entries`)));
  });

  it('are both unchanged when one of them sets the list twice', async () => {
    const twice = `{ "${setting}": ["dep_both"],\n"${setting}": ["dep_both", "b"] }`;
    await given(web, listText(['dep_both']), ['dep_both']);
    await given(api, twice, ['dep_both', 'b']);
    const message = `${setting} in ${apiName} was not changed: The file contains “${setting}” twice. Merge the two, then try again.`;
    await assert.rejects(list.remove(['dep_both']), { name: 'UserError', message });
    assert.deepEqual([valueIn(web), fs.readFileSync(api, 'utf8')], [['dep_both'], twice]);
  });

  for (const [what, properties, value, key] of [
    ['the list', `"settings": { "${setting}": ["a"], "${setting}": ["b"] }`, ['b'], setting],
    ['its settings', `"settings": { "${setting}": ["a"] }, "settings": { "${setting}": ["b"] }`, ['b'], 'settings'],
  ] as const) {
    it(`are in a workspace file that stays as it is when it has ${what} twice`, async () => {
      await given(team, teamWith(properties), value);
      await assert.rejects(list.add([{ id: 'new' }]), {
        message: `${setting} in team.code-workspace was not changed: The file contains “${key}” twice. Merge the two, then try again.`,
      });
      assert.equal(fs.readFileSync(team, 'utf8'), teamWith(properties));
    });
  }

  it('are in a workspace file whose nested list is changed where it stands', async () => {
    const text = teamWith('"settings": { "automationPlatform": { "deployments": ["a"] } }');
    await given(team, text, ['a']);
    await list.add([{ id: 'new' }]);
    assert.equal(fs.readFileSync(team, 'utf8'), text.replace('["a"]', '["a", "new"]'));
    assert.deepEqual(valueIn(team), ['a', 'new']);
  });
});

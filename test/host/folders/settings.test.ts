import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { offerUndo } from '../../../src/commands/deployments/changeList.js';
import { UserError } from '../../../src/host/actions.js';
import { folderName, workspacePath } from '../../../src/host/folderNames.js';
import type { CommandName } from '../../../src/host/ids.js';
import { DeploymentList } from '../../../src/host/list/deploymentList.js';
import { Owners } from '../../../src/host/list/owners.js';
import { SettingsScope } from '../../../src/host/list/settingsScope.js';
import { canLock, lock } from '../../support/lockedFile.js';
import { ManualClock } from '../../support/manualClock.js';
import { until } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { Global, settingIn, writeSetting } from '../../support/window/settings.js';
import {
  type Answer,
  notificationsOf,
  recordWindow,
  replace,
} from '../../support/window/windowRecorder.js';

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

const values = () => [settingIn(setting, Global), valueIn(team), valueIn(web), valueIn(api)];
const openedTabs = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).length;

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
    list = new DeploymentList({ warn: (line) => lines.push(line), redactValue: (text) => text });
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

  describe('with a deployment in both, the workspace file, and user settings', () => {
    const places = `user settings (all windows), team.code-workspace, ${webName}, ${apiName}`;
    const others = `user settings, team.code-workspace, ${webName}`;
    const everywhere: readonly unknown[] = [
      ['dep_both'],
      [{ id: 'dep_both', label: 'Team' }],
      ['dep_both', 'dep_web'],
      ['dep_both'],
    ];
    let world: World;

    beforeEach(async () => {
      await writeSetting(setting, ['dep_both']);
      await given(
        team,
        teamWith(`"settings": ${listText([{ id: 'dep_both', label: 'Team' }])}`),
        everywhere[1],
      );
      await given(web, listText(['dep_both', 'dep_web']), everywhere[2]);
      await given(api, listText(['dep_both']), everywhere[3]);
      world = await startWorld();
      await until('the list', () => world.graph.services.store.get('dep_both') !== undefined);
    });

    /** Presses these buttons. @returns the messages. */
    const remove = (...pressed: readonly string[]) => {
      const { graph, run } = world;
      graph.view.selection = [graph.row('dep_both')];
      return notificationsOf(() => run('removeDeployment', { selection: true }), ...pressed);
    };
    const change = (command: CommandName, ...answers: Answer[]) => {
      const { graph, run } = world;
      const shown = recordWindow(() => answers.shift());
      return { shown, done: run(command, graph.row('dep_both')) };
    };

    it('names all of them in the question of Remove, the one with the widest effect first', async () => {
      const [question] = await remove();
      const detail = `dep_both\nFrom: ${places}.\nNothing changes on the platform.`;
      assert.deepEqual(question, ['warning', 'Remove “Team” from the list?', detail, 'Remove']);
    });

    it('names all of them in the box of Edit ID', async () => {
      const { shown, done } = change('editDeploymentId');
      await done;
      assert.deepEqual(shown.inputs, [`ID of “Team”. Will be changed in ${places}.`]);
    });

    it('names the one whose label is in use in the box of Set Label, and writes there', async () => {
      const { shown, done } = change('setDeploymentLabel', 'New');
      await done;
      const expected =
        'Label for “dep_both”. Leave it empty to remove the label. Will be saved in team.code-workspace, where the label in use stands.';
      assert.equal(shown.inputs[0], expected);
      assert.deepEqual(values(), everywhere.with(1, [{ id: 'dep_both', label: 'New' }]));
    });

    it('says which label is shown once the one in use is removed', async () => {
      await writeSetting(setting, [{ id: 'dep_both', label: 'Own' }]);
      const { shown, done } = change('setDeploymentLabel', '');
      await done;
      const expected =
        'Removed the label from team.code-workspace. Now shown: “Own”, the label in user settings.';
      assert.deepEqual(shown.statusMessages, [expected]);
    });

    describe('of which one is no list any more when the others are taken back', () => {
      const notUndone = `The change was made in ${webName}, and could not be undone there.`;
      for (const [what, refuse, reason] of [
        [
          'refuses its write',
          () => Promise.reject(new Error('disk full')),
          'VS Code could not write team.code-workspace. Check for errors there, or see the log.',
        ],
        [
          'is not written in time',
          () => new Promise<never>(() => {}),
          `VS Code has not written ${setting} in team.code-workspace for 10 seconds. The change may still take effect. Look there before you try again.`,
        ],
      ] as const) {
        it(`is named, and the rest is taken back, when another place ${what}`, async () => {
          const clock = new ManualClock();
          const own = new DeploymentList(
            { warn: () => undefined, redactValue: (text) => text },
            clock.setTimer,
          );
          atEndOfTest(() => own.dispose());
          const original = Reflect.get(SettingsScope.prototype, 'write');
          let isAsked = false;
          const failing = async function (this: SettingsScope, value: unknown) {
            if (this.name !== 'team.code-workspace') return original.call(this, value);
            await given(web, listText('no list'), 'no list');
            isAsked = true;
            return refuse();
          };
          replace(SettingsScope.prototype, { write: failing });
          const rejected = assert.rejects(own.remove(['dep_both']), {
            message: `${reason} ${notUndone}`,
          });
          await until('the write of the workspace file', () => isAsked);
          if (what === 'is not written in time') clock.pass(10_000);
          await rejected;
          assert.deepEqual(values(), everywhere.with(2, 'no list'));
        });
      }
    });

    it('is restored where it is a list, and in the others once they are lists again', async () => {
      const { services } = world.graph;
      const removal = await services.deploymentList.remove(['dep_both']);
      await given(web, listText('no list'), 'no list');
      const said = await notificationsOf(
        async () => offerUndo(services, removal, 'Removed.', ['dep_both']),
        'Undo',
      );
      await until('the answer', () => said.length > 1);
      const reason = `${setting} in ${webName} is not a list. Make it a list, then try again.`;
      const sentence = `Undone only in user settings, team.code-workspace, ${apiName}. ${reason}`;
      assert.deepEqual(said[1], ['error', sentence, 'Try Again', 'Open Settings']);
      await given(web, listText(['dep_web']), ['dep_web']);
      await removal.undo();
      assert.deepEqual(values(), everywhere);
    });

    describe('of which two are read-only', () => {
      it('are named in one sentence', async function () {
        if (!canLock(dirname(api))) return this.skip();
        for (const file of [web, api]) atEndOfTest(lock(file));
        const [, refused] = await remove('Remove');
        assert.equal(refused?.[1], `Nothing was removed: ${webName} and ${apiName} are read-only.`);
      });
    });

    describe('of which one is read-only', () => {
      const isReadOnly = `${apiName} is read-only.`;
      const nothing = [
        'error',
        `Nothing was removed: ${isReadOnly}`,
        'Remove from the Other 3',
        'Open Settings',
      ];

      beforeEach(function () {
        if (!canLock(dirname(api))) return this.skip();
        atEndOfTest(lock(api));
      });

      it('removes nothing, says why in the same words each time, and leaves nothing unsaved', async () => {
        for (const time of [1, 2]) {
          const [, refused] = await remove('Remove');
          assert.deepEqual(refused, nothing, `try ${time}`);
        }
        assert.deepEqual(values(), everywhere);
        const unsaved = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
        assert.deepEqual([unsaved, openedTabs()], [[], 0]);
        assert.ok(
          world.graph.lines.includes(
            `${setting} in ${apiName} was not changed: the file is read-only`,
          ),
        );
      });

      it('is removed from the others by a button, and Undo restores it there', async () => {
        const said = await remove('Remove', 'Remove from the Other 3');
        await until('the removal', () => said.length > 2);
        const removed = `Removed from ${others}. Still in ${apiName}, so “dep_both” stays in the list.`;
        assert.deepEqual(said.slice(1), [nothing, ['information', removed, 'Undo']]);
        assert.deepEqual(values(), [[], [], ['dep_web'], ['dep_both']]);
      });

      it('says so when the others list it no longer once their button is pressed', async () => {
        const { messages } = recordWindow(undefined, 'Remove');
        const { showErrorMessage } = vscode.window;
        replace(vscode.window, {
          showErrorMessage: async (...shown: Parameters<typeof showErrorMessage>) => {
            void showErrorMessage(...shown);
            await writeSetting(setting, []);
            await given(team, teamText, undefined);
            await given(web, listText([]), []);
            return 'Remove from the Other 3';
          },
        });
        const { graph, run } = world;
        graph.view.selection = [graph.row('dep_both')];
        await run('removeDeployment', { selection: true });
        await until('the answer', () => messages.length > 2);
        const sentence = 'Nothing was removed, because the other places have changed.';
        assert.deepEqual(messages.slice(1), [nothing, ['information', sentence]]);
      });

      it('names the only other one in the button', async () => {
        await writeSetting(setting, []);
        await given(team, teamText, undefined);
        const [, refused] = await remove('Remove');
        assert.deepEqual(refused, nothing.with(2, `Remove from ${webName}`));
      });

      it('changes no ID, and offers no part, since two IDs would be listed then', async () => {
        const { done } = change('editDeploymentId', 'dep_new');
        await assert.rejects(done, (error) => {
          assert.ok(error instanceof UserError, String(error));
          assert.equal(error.message, `Nothing was changed: ${isReadOnly}`);
          assert.deepEqual(
            error.actions.map(({ title }) => title),
            ['Open Settings'],
          );
          return true;
        });
        assert.deepEqual(values(), everywhere);
      });
    });

    it('is restored where Undo can, which says where it cannot, and there once it can', async function () {
      if (!canLock(dirname(api))) return this.skip();
      const { services } = world.graph;
      const removal = await services.deploymentList.remove(['dep_both']);
      const unlock = lock(api);
      const said = await notificationsOf(
        async () => offerUndo(services, removal, 'Removed.', ['dep_both']),
        'Undo',
      );
      await until('the answer', () => said.length > 1).finally(unlock);
      const sentence = `Undone only in ${others}. ${apiName} is read-only.`;
      assert.deepEqual(said[1], ['error', sentence, 'Try Again', 'Open Settings']);
      assert.deepEqual(values(), everywhere.with(3, []));
      await removal.undo();
      assert.deepEqual(values(), everywhere);
    });
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
    const owners = new Owners({ warn: () => undefined, redactValue: (text) => text });
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
    const expected =
      'entry 1 of automationPlatform.deployments is neither an ID nor { "id": "…", "label": "…" }';
    assert.deepEqual(lines, [
      `Ignored in ${webName}: ${expected}.`,
      `Ignored in ${apiName}: ${expected}.`,
    ]);
    assert.ok(
      messages.some(([, sentence]) =>
        sentence?.includes(`${setting} in ${apiName} has invalid entries`),
      ),
    );
  });

  it('are both unchanged when one of them sets the list twice', async () => {
    const twice = `{ "${setting}": ["dep_both"],\n"${setting}": ["dep_both", "b"] }`;
    await given(web, listText(['dep_both']), ['dep_both']);
    await given(api, twice, ['dep_both', 'b']);
    const message = `Nothing was changed: ${apiName} contains “${setting}” twice. Merge the two, then try again.`;
    await assert.rejects(list.remove(['dep_both']), { name: 'UserError', message });
    assert.deepEqual([valueIn(web), fs.readFileSync(api, 'utf8')], [['dep_both'], twice]);
  });

  for (const [what, properties, value, key] of [
    ['the list', `"settings": { "${setting}": ["a"], "${setting}": ["b"] }`, ['b'], setting],
    [
      'its settings',
      `"settings": { "${setting}": ["a"] }, "settings": { "${setting}": ["b"] }`,
      ['b'],
      'settings',
    ],
  ] as const) {
    it(`are in a workspace file that stays as it is when it has ${what} twice`, async () => {
      await given(team, teamWith(properties), value);
      await assert.rejects(list.add([{ id: 'new' }]), {
        message: `Nothing was changed: team.code-workspace contains “${key}” twice. Merge the two, then try again.`,
      });
      assert.equal(fs.readFileSync(team, 'utf8'), teamWith(properties));
    });
  }

  it('are in a workspace file whose list keeps its comments through Add, Remove, and Undo', async () => {
    const entries = '[\n  "a", // production, ask Ann\n  // the one of Bob\n  "b"\n]';
    const text = teamWith(`"settings": { // of all\n "${setting}": ${entries} }`);
    await given(team, text, ['a', 'b']);

    await list.add([{ id: 'new' }]);
    const added = text.replace('"b"', '"b",\n  "new"');
    assert.equal(fs.readFileSync(team, 'utf8'), added);

    const removal = await list.remove(['a']);
    assert.equal(fs.readFileSync(team, 'utf8'), added.replace(/ +"a".*\n/, ''));

    await removal.undo();
    assert.equal(fs.readFileSync(team, 'utf8'), added);
  });

  it('are in a workspace file whose nested list is changed where it stands', async () => {
    const text = teamWith('"settings": { "automationPlatform": { "deployments": ["a"] } }');
    await given(team, text, ['a']);
    await list.add([{ id: 'new' }]);
    assert.equal(fs.readFileSync(team, 'utf8'), text.replace('["a"]', '["a", "new"]'));
    assert.deepEqual(valueIn(team), ['a', 'new']);
  });
});

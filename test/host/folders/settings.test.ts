import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { offerUndo } from '../../../src/commands/deployments/changeList.js';
import { UserError } from '../../../src/host/actions.js';
import { folderName, workspacePath } from '../../../src/host/folderNames.js';
import type { CommandName } from '../../../src/host/ids.js';
import { DeploymentList } from '../../../src/host/list/deploymentList.js';
import { Owners } from '../../../src/host/list/owners.js';
import type { SettingChange } from '../../../src/host/list/scopedSetting.js';
import { SettingsScope } from '../../../src/host/list/settingsScope.js';
import { canLock, lock } from '../../support/lockedFile.js';
import { ManualClock } from '../../support/manualClock.js';
import { until } from '../../support/window/editors.js';
import { atEndOfTest, endTest } from '../../support/window/endOfTest.js';
import {
  api,
  apiName,
  emptySettings,
  given,
  team,
  teamText,
  teamWith,
  valueIn,
  web,
  webName,
} from '../../support/window/folderFiles.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { Global, settingIn, writeSetting } from '../../support/window/settings.js';
import {
  type Answer,
  notificationsOf,
  recordWindow,
  rejectionOf,
  replace,
} from '../../support/window/windowRecorder.js';

const setting = 'automationPlatform.deployments';

/** The text of a settings file with this list. */
const listText = (list: unknown) => `{ "${setting}": ${JSON.stringify(list)} }\n`;

/** The lists of the user, the workspace file, and the two folders. */
const values = () => [settingIn(setting, Global), valueIn(team), valueIn(web), valueIn(api)];
const openedTabs = () =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).map(({ label }) => label);

/** A list of its own, with the lines that it logs. */
function createList() {
  const lines: string[] = [];
  const log = { warn: (line: string) => lines.push(line), redactValue: (text: string) => text };
  const list = new DeploymentList(log);
  atEndOfTest(() => list.dispose());
  return { list, lines };
}

// VS Code takes a while to read each file, so tests about one situation share its set-up: they only read what it has found.

describe('two folders with one name', () => {
  it('are named by their paths from the workspace file', () => {
    const names = vscode.workspace.workspaceFolders!.map(folderName);
    assert.deepEqual(names, ['web/src', 'api/src']);
  });

  it('have their names in the paths of their files', () => {
    const files = vscode.workspace.workspaceFolders!.map(({ uri }) =>
      vscode.Uri.joinPath(uri, 'lib', 'a.json'),
    );
    assert.deepEqual(files.map(workspacePath), ['web/src/lib/a.json', 'api/src/lib/a.json']);
  });

  describe('when a deployment is removed from both', () => {
    let messages: string[][];
    before(async () => {
      await emptySettings();
      await given(web, listText(['dep_both', 'dep_web']), ['dep_both', 'dep_web']);
      await given(api, listText(['dep_both']), ['dep_both']);
      const { graph, run } = await startWorld();
      const { store } = graph.services;
      await until('the list', () => store.get('dep_both') !== undefined);
      ({ messages } = recordWindow());
      await run('removeDeployment', graph.row('dep_both'));
    });
    after(endTest);

    it('are named in the message', () => {
      const sentences = messages.map(([, sentence]) => sentence);
      assert.deepEqual(sentences, [
        `Removed “dep_both” from the list in ${webName}, ${apiName}. Nothing changed on the platform.`,
      ]);
    });

    it('keep their other deployments', () => {
      assert.deepEqual(valueIn(web), ['dep_web']);
      assert.deepEqual(valueIn(api), []);
    });
  });

  it('are named by their paths when a label is saved', async () => {
    await emptySettings();
    const { list } = createList();
    await given(api, listText(['dep_api']), ['dep_api']);
    const { scopes } = await list.setLabel('dep_api', 'API');
    assert.deepEqual(
      scopes.map(({ name }) => name),
      [apiName],
    );
  });

  describe('when an owner is saved in one of these', () => {
    const ownersSetting = 'automationPlatform.owners';
    let change: SettingChange;
    let ownersAfterUndo: unknown;
    before(async () => {
      await emptySettings();
      const owners = new Owners({ warn: () => undefined, redactValue: (text) => text });
      atEndOfTest(() => owners.dispose());
      const text = `{ "${ownersSetting}": { "acc_1": "Ann" } }\n`;
      await given(api, text, { acc_1: 'Ann' }, ownersSetting);
      change = await owners.set('acc_1', 'Bob');
      await change.undo();
      ownersAfterUndo = valueIn(api, ownersSetting);
    });
    after(endTest);

    it('are named by their paths', () => {
      assert.deepEqual(
        change.scopes.map(({ name }) => name),
        [apiName],
      );
    });

    it('get the owner back by Undo', () => {
      assert.deepEqual(ownersAfterUndo, { acc_1: 'Ann' });
    });
  });

  describe('with one invalid entry each', () => {
    let lines: readonly string[];
    let messages: string[][];
    before(async () => {
      await emptySettings();
      ({ lines } = createList());
      await given(web, listText([17]), [17]);
      ({ messages } = recordWindow());
      await given(api, listText([17]), [17]);
    });
    after(endTest);

    it('are both named in the log', () => {
      const problem =
        'entry 1 of automationPlatform.deployments is neither an ID nor { "id": "…" }';
      assert.deepEqual(lines, [
        `Ignored in ${webName}: ${problem}.`,
        `Ignored in ${apiName}: ${problem}.`,
      ]);
    });

    it('are named in the notification', () => {
      const sentences = messages.map(([, sentence]) => sentence).join('\n');
      assert.match(sentences, new RegExp(`${setting} in ${apiName} has invalid values`));
    });
  });

  it('both stay unchanged when one has the list twice', async () => {
    await emptySettings();
    const { list } = createList();
    const twice = `{ "${setting}": ["dep_both"],\n"${setting}": ["dep_both", "b"] }`;
    await given(web, listText(['dep_both']), ['dep_both']);
    await given(api, twice, ['dep_both', 'b']);

    const message = `Nothing was changed: ${apiName} contains “${setting}” twice. Merge the two, then try again.`;
    await assert.rejects(list.remove(['dep_both']), { name: 'UserError', message });
    assert.deepEqual(valueIn(web), ['dep_both']);
    assert.equal(fs.readFileSync(api, 'utf8'), twice);
  });
});

describe('a workspace file', () => {
  beforeEach(emptySettings);

  for (const { what, key, settings } of [
    {
      what: 'the list',
      key: setting,
      settings: `"settings": { "${setting}": ["a"], "${setting}": ["b"] }`,
    },
    {
      what: 'the key of its settings',
      key: 'settings',
      settings: `"settings": { "${setting}": ["a"] }, "settings": { "${setting}": ["b"] }`,
    },
  ]) {
    it(`stays unchanged when there is ${what} twice`, async () => {
      const { list } = createList();
      await given(team, teamWith(settings), ['b']);
      const message = `Nothing was changed: team.code-workspace contains “${key}” twice. Merge the two, then try again.`;
      assert.equal(await rejectionOf(list.add([{ id: 'new' }])), message);
      assert.equal(fs.readFileSync(team, 'utf8'), teamWith(settings));
    });
  }

  it('keeps the comments of the list through Add, Remove, and Undo', async () => {
    const { list } = createList();
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

  it('keeps a nested list nested when a deployment is added', async () => {
    const { list } = createList();
    const text = teamWith('"settings": { "automationPlatform": { "deployments": ["a"] } }');
    await given(team, text, ['a']);
    await list.add([{ id: 'new' }]);
    assert.equal(fs.readFileSync(team, 'utf8'), text.replace('["a"]', '["a", "new"]'));
    assert.deepEqual(valueIn(team), ['a', 'new']);
  });
});

describe('a deployment in four files', () => {
  const places = `user settings (all windows), team.code-workspace, ${webName}, ${apiName}`;
  const others = `user settings, team.code-workspace, ${webName}`;
  /** The lists of `values()` before the change. */
  const everywhere: readonly unknown[] = [
    ['dep_both'],
    [{ id: 'dep_both', label: 'Team' }],
    ['dep_both', 'dep_web'],
    ['dep_both'],
  ];
  let world: World;

  const listEverywhere = async () => {
    await emptySettings();
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
  };

  /** Runs Remove from List, and presses these buttons. Returns the messages. */
  const remove = (...pressed: readonly string[]) => {
    const { graph, run } = world;
    graph.view.selection = [graph.row('dep_both')];
    return notificationsOf(() => run('removeDeployment', { selection: true }), ...pressed);
  };
  /** Runs a command on the row, and gives these answers. Returns what is shown, and the end of the command. */
  const change = (command: CommandName, ...answers: Answer[]) => {
    const { graph, run } = world;
    const shown = recordWindow(() => answers.shift());
    return { shown, done: run(command, graph.row('dep_both')) };
  };
  /** Presses Undo of a removal. Returns the messages, of which the last one answers Undo. */
  const pressUndo = async (removal: SettingChange) => {
    const { services } = world.graph;
    const messages = await notificationsOf(
      async () => offerUndo(services, removal, 'Removed.', ['dep_both']),
      'Undo',
    );
    await until('the answer to Undo', () => messages.length > 1);
    return messages;
  };

  describe('that is not changed', () => {
    let question: readonly string[] | undefined;
    let boxesOfEditId: readonly string[];
    before(async () => {
      await listEverywhere();
      [question] = await remove();
      const { shown, done } = change('editDeploymentId');
      await done;
      boxesOfEditId = shown.inputs;
    });
    after(endTest);

    it('has all files in the question of Remove, widest first', () => {
      const detail = `dep_both\nFrom: ${places}.\nNothing changes on the platform.`;
      assert.deepEqual(question, ['warning', 'Remove “Team” from the list?', detail, 'Remove']);
    });

    it('has all files in the box of Edit ID', () => {
      assert.deepEqual(boxesOfEditId, [`ID of “Team”. Will be changed in ${places}.`]);
    });
  });

  describe('that gets a label', () => {
    let boxes: readonly string[];
    before(async () => {
      await listEverywhere();
      const { shown, done } = change('setDeploymentLabel', 'New');
      await done;
      boxes = shown.inputs;
    });
    after(endTest);

    it('has the file of the label in use in the box', () => {
      assert.equal(
        boxes[0],
        'Label for “dep_both”. Leave it empty to remove the label. Will be saved in team.code-workspace, where the label in use stands.',
      );
    });

    it('changes only in the file of the label in use', () => {
      assert.deepEqual(values(), everywhere.with(1, [{ id: 'dep_both', label: 'New' }]));
    });
  });

  it('has another label once the one in use is removed', async () => {
    await listEverywhere();
    await writeSetting(setting, [{ id: 'dep_both', label: 'Own' }]);
    const { shown, done } = change('setDeploymentLabel', '');
    await done;
    assert.deepEqual(shown.statusMessages, [
      'Removed the label from team.code-workspace. Now shown: “Own”, the label in user settings.',
    ]);
  });

  for (const { what, refuse, isTimeOut, reason } of [
    {
      what: 'fails',
      refuse: () => Promise.reject(new Error('disk full')),
      isTimeOut: false,
      reason:
        'VS Code could not write team.code-workspace. Check for errors there, or see the log.',
    },
    {
      what: 'takes too long',
      refuse: () => new Promise<never>(() => {}),
      isTimeOut: true,
      reason: `VS Code has not written ${setting} in team.code-workspace for 10 seconds. The change may still take effect. Look there before you try again.`,
    },
  ]) {
    it(`is put back in all lists that are still lists when a write ${what}`, async () => {
      await listEverywhere();
      const clock = new ManualClock();
      const own = new DeploymentList(
        { warn: () => undefined, redactValue: (text) => text },
        clock.setTimer,
      );
      atEndOfTest(() => own.dispose());
      const original = Reflect.get(SettingsScope.prototype, 'write');
      let hasBegun = false;
      const failing = async function (this: SettingsScope, value: unknown) {
        if (this.name !== 'team.code-workspace') return original.call(this, value);
        await given(web, listText('no list'), 'no list');
        hasBegun = true;
        return refuse();
      };
      replace(SettingsScope.prototype, { write: failing });

      const message = `${reason} The change was made in ${webName}, and could not be undone there.`;
      const rejected = assert.rejects(own.remove(['dep_both']), { message });
      await until('the write of the workspace file', () => hasBegun);
      if (isTimeOut) clock.pass(10_000);
      await rejected;
      assert.deepEqual(values(), everywhere.with(2, 'no list'));
    });
  }

  describe('removed from a broken list', () => {
    let answerToUndo: readonly string[] | undefined;
    before(async () => {
      await listEverywhere();
      const removal = await world.graph.services.deploymentList.remove(['dep_both']);
      await given(web, listText('no list'), 'no list');
      [, answerToUndo] = await pressUndo(removal);
      await given(web, listText(['dep_web']), ['dep_web']);
      await removal.undo();
    });
    after(endTest);

    it('is restored by Undo in the other files', () => {
      const reason = `${setting} in ${webName} is not a list. Make it a list, then try again.`;
      const sentence = `Undone only in user settings, team.code-workspace, ${apiName}. ${reason}`;
      assert.deepEqual(answerToUndo, ['error', sentence, 'Try Again', 'Open Settings']);
    });

    it('is restored by a second Undo once repaired', () => {
      assert.deepEqual(values(), everywhere);
    });
  });

  it('has both files in the message when two are read-only', async function () {
    if (!canLock(dirname(api))) return this.skip();
    await listEverywhere();
    for (const file of [web, api]) atEndOfTest(lock(file));
    const [, refusal] = await remove('Remove');
    assert.equal(refusal?.[1], `Nothing was removed: ${webName} and ${apiName} are read-only.`);
  });

  const isReadOnly = `${apiName} is read-only.`;
  const refusalMessage = [
    'error',
    `Nothing was removed: ${isReadOnly}`,
    'Remove from the Other 3',
    'Open Settings',
  ];
  const listEverywhereAndLockOne = async () => {
    await listEverywhere();
    atEndOfTest(lock(api));
  };

  describe('with one read-only', () => {
    let refusals: readonly unknown[];
    let tabs: readonly string[];
    let unsavedFiles: readonly string[];
    let errorOfEditId: unknown;
    before(async function () {
      if (!canLock(dirname(api))) return this.skip();
      await listEverywhereAndLockOne();
      const [, firstRefusal] = await remove('Remove');
      const [, secondRefusal] = await remove('Remove');
      refusals = [firstRefusal, secondRefusal];
      tabs = openedTabs();
      unsavedFiles = vscode.workspace.textDocuments
        .filter(({ isDirty }) => isDirty)
        .map(({ fileName }) => fileName);
      errorOfEditId = await change('editDeploymentId', 'dep_new').done.catch(
        (error: unknown) => error,
      );
    });
    after(endTest);

    it('is refused with the same message each time', () => {
      assert.deepEqual(refusals, [refusalMessage, refusalMessage]);
    });

    it('stays in all files', () => {
      assert.deepEqual(values(), everywhere);
    });

    it('leaves no unsaved document', () => {
      assert.deepEqual(unsavedFiles, []);
    });

    it('opens no editor', () => {
      assert.deepEqual(tabs, []);
    });

    it('is refused with the reason in the log', () => {
      const reasons = new Set(world.graph.lines.filter((line) => line.includes('was not changed')));
      assert.deepEqual(
        [...reasons],
        [`${setting} in ${apiName} was not changed: the file is read-only`],
      );
    });

    it('has no button that changes its ID elsewhere', () => {
      assert.ok(errorOfEditId instanceof UserError, String(errorOfEditId));
      assert.equal(errorOfEditId.message, `Nothing was changed: ${isReadOnly}`);
      assert.deepEqual(
        errorOfEditId.actions.map(({ title }) => title),
        ['Open Settings'],
      );
    });
  });

  describe('removed from all but a read-only one', () => {
    let messages: readonly (readonly string[])[];
    before(async function () {
      if (!canLock(dirname(api))) return this.skip();
      await listEverywhereAndLockOne();
      messages = await remove('Remove', 'Remove from the Other 3');
      await until('the removal', () => messages.length > 2);
    });
    after(endTest);

    it('stays in that one', () => {
      assert.deepEqual(values(), [[], [], ['dep_web'], ['dep_both']]);
    });

    it('has Undo', () => {
      const sentence = `Removed from ${others}. Still in ${apiName}, so “dep_both” stays in the list.`;
      assert.deepEqual(messages.slice(1), [refusalMessage, ['information', sentence, 'Undo']]);
    });
  });

  it('is not removed from files that have changed before the button is pressed', async function () {
    if (!canLock(dirname(api))) return this.skip();
    await listEverywhereAndLockOne();
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
    assert.deepEqual(messages.slice(1), [refusalMessage, ['information', sentence]]);
  });

  it('has the only other file in the button when one of two is read-only', async function () {
    if (!canLock(dirname(api))) return this.skip();
    await listEverywhereAndLockOne();
    await writeSetting(setting, []);
    await given(team, teamText, undefined);
    const [, refusal] = await remove('Remove');
    assert.deepEqual(refusal, refusalMessage.with(2, `Remove from ${webName}`));
  });

  describe('removed from a now read-only file', () => {
    let answerToUndo: readonly string[] | undefined;
    let valuesAfterUndo: readonly unknown[];
    before(async function () {
      if (!canLock(dirname(api))) return this.skip();
      await listEverywhere();
      const removal = await world.graph.services.deploymentList.remove(['dep_both']);
      const unlock = lock(api);
      [, answerToUndo] = await pressUndo(removal).finally(unlock);
      valuesAfterUndo = values();
      await removal.undo();
    });
    after(endTest);

    it('is restored by Undo in the other files', () => {
      assert.deepEqual(valuesAfterUndo, everywhere.with(3, []));
    });

    it('has the reason in the answer to Undo', () => {
      const sentence = `Undone only in ${others}. ${apiName} is read-only.`;
      assert.deepEqual(answerToUndo, ['error', sentence, 'Try Again', 'Open Settings']);
    });

    it('is restored once that is writable', () => {
      assert.deepEqual(values(), everywhere);
    });
  });
});

import { strict as assert } from 'node:assert';
import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { canLock, lock } from '../../support/lockedFile.js';
import { until } from '../../support/window/editors.js';
import { atEndOfTest, endTest } from '../../support/window/endOfTest.js';
import {
  emptySettings,
  given,
  team,
  teamWith,
  valueIn,
  web,
  webName,
} from '../../support/window/folderFiles.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { Global, settingIn, writeSetting } from '../../support/window/settings.js';
import { recordWindow, rejectionOf } from '../../support/window/windowRecorder.js';

const setting = 'automationPlatform.deployments';

const teamList = [
  '[',
  '  "dep_team", // production, ask Ann',
  '  // staging',
  '  { "id": "dep_both", "label": "Both" }',
  ']',
].join('\n');
const webList = '[ "dep_web", /* of Bob */ { "id": "dep_both", "group": "old" } ]';
const textOfTeam = teamWith(`"settings": { // of all\n "${setting}": ${teamList} }`);
const textOfWeb = `{ // mine\n  "${setting}": ${webList} }\n`;
const both = { id: 'dep_both', label: 'Both' };
const ids = ['dep_user', 'dep_team', 'dep_web', 'dep_both'];

const texts = () => [team, web].map((file) => fs.readFileSync(file, 'utf8'));
/** The lists of the user, the workspace file, and the folder. */
const values = () => [settingIn(setting, Global), valueIn(team), valueIn(web)];
const valuesBefore = [
  ['dep_user'],
  ['dep_team', both],
  ['dep_web', { id: 'dep_both', group: 'old' }],
];

/** Lists deployments in three files, of which two have comments. */
async function start(): Promise<World> {
  await emptySettings();
  await writeSetting(setting, ['dep_user']);
  await given(team, textOfTeam, valuesBefore[1]);
  await given(web, textOfWeb, valuesBefore[2]);
  const world = await startWorld();
  const { store } = world.graph.services;
  await until('the list', () => ids.every((id) => store.get(id) !== undefined));
  return world;
}

/** Runs Set Group on all deployments, with these answers. */
async function setGroup({ graph, run }: World, ...answers: readonly string[]) {
  const rest = [...answers];
  const rows = ids.map((id) => graph.row(id));
  const shown = recordWindow(() => rest.shift());
  await run('setGroup', rows[0], rows);
  return shown;
}

// VS Code takes a while to read each file, so tests about one situation share its set-up.

describe('Set Group for deployments in three files', () => {
  const files = `user settings, team.code-workspace, ${webName}`;
  const detailedFiles = `user settings (all windows), team.code-workspace, ${webName}`;
  let world: World;
  let shown: Awaited<ReturnType<typeof setGroup>>;
  let textsAfter: readonly string[];
  let valuesAfter: readonly unknown[];
  before(async () => {
    world = await start();
    shown = await setGroup(world, 'New Group...', 'payments');
    textsAfter = texts();
    valuesAfter = values();
  });
  after(endTest);

  it('names all files below the box', () => {
    assert.deepEqual(shown.inputs, [`Name of the group. Will be saved in ${detailedFiles}.`]);
  });

  it('names all files in its message', () => {
    const sentence = `Moved 4 deployments to “payments” in ${files}.`;
    assert.deepEqual(shown.messages, [['information', sentence, 'Undo']]);
  });

  it('writes where a group stands, else where it is listed', () => {
    const group = 'payments';
    assert.deepEqual(valuesAfter, [
      [{ id: 'dep_user', group }],
      [{ id: 'dep_team', group }, both],
      [
        { id: 'dep_web', group },
        { id: 'dep_both', group },
      ],
    ]);
  });

  it('keeps the comments', () => {
    const comments = textsAfter.map((text) => text.match(/\/\/ .*|\/\*.*?\*\//g));
    assert.deepEqual(comments, [
      ['// of all', '// production, ask Ann', '// staging'],
      ['// mine', '/* of Bob */'],
    ]);
  });
});

describe('Undo of Set Group for deployments in three files', () => {
  let textsAfter: readonly string[];
  let valuesAfter: readonly unknown[];
  before(async () => {
    const { graph } = await start();
    const { deploymentList } = graph.services;
    const change = await deploymentList.setGroup(ids, 'payments');
    await change.undo();
    textsAfter = texts();
    valuesAfter = values();
  });
  after(endTest);

  it('restores the text of each file with comments', () => {
    assert.deepEqual(textsAfter, [textOfTeam, textOfWeb]);
  });

  it('restores all lists', () => {
    assert.deepEqual(valuesAfter, valuesBefore);
  });
});

describe('Set Group with a read-only file', () => {
  it('changes no file', async function () {
    if (!canLock(dirname(web))) return this.skip();
    const world = await start();
    atEndOfTest(lock(web));

    assert.equal(
      await rejectionOf(setGroup(world, 'New Group...', 'payments')),
      `Nothing was changed: ${webName} is read-only.`,
    );
    assert.deepEqual(values(), valuesBefore);
  });
});

describe('an entry with a label and a group', () => {
  const entry = '{ "id": "dep_1", "label": "Sync", /* ours */ "group": "payments" }';
  const text = teamWith(`"settings": { "${setting}": [ ${entry}, "dep_2" // last\n ] }`);
  const value = [{ id: 'dep_1', label: 'Sync', group: 'payments' }, 'dep_2'];
  let world: World;
  beforeEach(async () => {
    await emptySettings();
    await given(team, text, value);
    world = await startWorld();
    await until('the list', () => world.graph.services.store.get('dep_1') !== undefined);
  });

  const change = (from: string, to: string) => text.replace(from, to);

  it('keeps group and comments when its label changes', async () => {
    await world.graph.services.deploymentList.setLabel('dep_1', 'Other');

    assert.equal(texts()[0], change('"Sync"', '"Other"'));
  });

  it('keeps label, group, and comments when its ID changes', async () => {
    await world.graph.services.deploymentList.changeId('dep_1', 'dep_9');

    assert.equal(texts()[0], change('"dep_1"', '"dep_9"'));
  });

  it('keeps label and comments when its group changes', async () => {
    await world.graph.services.deploymentList.setGroup(['dep_1'], 'Billing');

    assert.equal(texts()[0], change('"payments"', '"Billing"'));
  });

  it('is back with its comments after Remove and Undo', async () => {
    const removal = await world.graph.services.deploymentList.remove(['dep_1']);

    await removal.undo();

    assert.equal(texts()[0], text);
  });

  it('is back after Remove and Undo when the list has changed since', async () => {
    const { deploymentList } = world.graph.services;
    const removal = await deploymentList.remove(['dep_1']);
    await deploymentList.add([{ id: 'dep_3' }]);

    await removal.undo();

    assert.deepEqual(valueIn(team), [...value, 'dep_3']);
  });
});

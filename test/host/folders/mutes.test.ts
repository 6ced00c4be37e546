import { strict as assert } from 'node:assert';
import { day } from '../../../src/model/base/time.js';
import { failedAccount } from '../../support/platform/data.js';
import { endTest } from '../../support/window/endOfTest.js';
import {
  api,
  apiName,
  emptySettings,
  given,
  team,
  teamWith,
  valueIn,
  web,
  webName,
} from '../../support/window/folderFiles.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { recordWindow } from '../../support/window/windowRecorder.js';

const deployments = 'automationPlatform.deployments';
const mutes = 'automationPlatform.mutes';

/** The day in UTC, so many days from now. */
const dayIn = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
const entry = {
  account: 'acc_slack_ops',
  error: 'token_revoked',
  since: dayIn(0),
  until: dayIn(7),
  reason: 'App review',
};

/** The text of settings with this list of deployments and these mutes. */
function settingsText(listed: readonly string[], entries: readonly object[]): string {
  return JSON.stringify({ [deployments]: listed, [mutes]: entries });
}

/** Signs in, and reads the deployments that the settings list, whose account has failed in each. */
async function start(): Promise<World> {
  const world = await startWorld();
  const { graph, platform, signIn } = world;
  for (const id of ['dep_web', 'dep_team', 'dep_api']) platform.putDeployment(id, failedAccount());
  await signIn();
  await graph.services.store.refresh();
  return world;
}

// VS Code takes a while to read each file, so tests about one situation share its set-up.

describe('a mute for everyone in the settings of a folder', () => {
  let world: World;
  before(async () => {
    await emptySettings();
    const inTeam = `"settings": ${settingsText(['dep_team'], [])}`;
    await given(team, teamWith(inTeam), ['dep_team']);
    await given(web, settingsText(['dep_web'], [entry]), [entry], mutes);
    await given(api, settingsText(['dep_api'], []), ['dep_api']);
    world = await start();
  });
  after(endTest);

  const stateOf = (id: string) => world.graph.services.store.get(id)?.state;

  it('mutes the account in a deployment that the folder lists', () => {
    assert.equal(stateOf('dep_web'), 'muted');
  });

  it('mutes the account in a deployment that the workspace lists', () => {
    assert.equal(stateOf('dep_team'), 'muted');
  });

  it('mutes nothing in a deployment that another folder lists', () => {
    assert.equal(stateOf('dep_api'), 'failed');
  });

  it('mutes the account in a deployment as soon as the folder lists it', async () => {
    await given(web, settingsText(['dep_web', 'dep_api'], [entry]), ['dep_web', 'dep_api']);
    assert.equal(stateOf('dep_api'), 'muted');
  });
});

describe('Unmute Problem in a workspace of two folders', () => {
  let messages: string[][];
  before(async () => {
    await emptySettings();
    await given(web, settingsText(['dep_web'], [entry]), [entry], mutes);
    const shorter = { ...entry, until: dayIn(1) };
    await given(api, settingsText(['dep_api'], [shorter]), [shorter], mutes);
    const { graph, run } = await start();
    ({ messages } = recordWindow());
    await run('unmuteProblem', graph.row('dep_web'));
  });
  after(endTest);

  it('takes the entries out of both folders', () => {
    assert.deepEqual([valueIn(web, mutes), valueIn(api, mutes)], [[], []]);
  });

  it('names both files', () => {
    const text = `Removed 2 mutes for everyone from ${webName}, ${apiName}. No longer muted: Ops Slack.`;
    assert.deepEqual(messages, [['information', text, 'Undo']]);
  });
});

describe('Mute Problem for everyone in a workspace file', () => {
  let picks: ReturnType<typeof recordWindow>['picks'];
  before(async () => {
    await emptySettings();
    await given(web, settingsText(['dep_web'], []), ['dep_web']);
    const { graph, run } = await start();
    const answers = ['For Everyone in This Workspace...', 'A Week', entry.reason];
    ({ picks } = recordWindow(() => answers.shift()));
    await run('muteProblem', graph.row('dep_web'));
  });
  after(endTest);

  it('names the workspace file in its list', () => {
    const item = picks.find(({ label }) => label === 'For Everyone in This Workspace...');
    assert.equal(item?.description, 'team.code-workspace');
  });

  it('writes the entry to the workspace file', () => {
    assert.deepEqual(valueIn(team, mutes), [entry]);
  });
});

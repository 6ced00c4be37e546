import { strict as assert } from 'node:assert';
import { startWorld, type World } from '../../support/window/graph.js';
import { Global, settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import { type Answer, enter, recordWindow } from '../../support/window/windowRecorder.js';

const setting = 'automationPlatform.owners';
const failed = (id: string | undefined, label: string) => ({
  id,
  label,
  serviceId: 'slack',
  error: { code: 'gone' },
});
const [finance, ops] = [failed('acc_finance', 'Finance Slack'), failed('acc_ops', 'Ops Slack')];
const answerOf = (...accounts: object[]) =>
  JSON.parse(JSON.stringify({ accounts, requirements: [] }));

describe('Set Owner', () => {
  let graph: World['graph'];
  beforeEach(async () => {
    const world = await startWorld();
    ({ graph } = world);
    const answers = {
      dep_1: answerOf(finance),
      dep_2: answerOf(finance, ops),
      dep_3: answerOf({ ...finance, error: null }),
      dep_4: answerOf(failed(undefined, 'Own Slack')),
    };
    for (const [id, answer] of Object.entries(answers)) world.platform.putDeployment(id, answer);
    await world.signIn();
    await writeSetting(setting, {}, Workspace);
    await graph.read(...Object.keys(answers).map((id) => ({ id, label: `Sync ${id}` })));
  });

  /** What was asked, what could be chosen, and what is in the setting then. */
  async function set(row: object, ...answers: Answer[]) {
    const shown = recordWindow(() => answers.shift());
    await graph.run('setOwner', row);
    return {
      prompt: shown.inputs[0]?.split('?')[0],
      picks: shown.picks.map(({ label, description }) => `${label} | ${description}`),
      owners: settingIn(setting),
    };
  }

  it('on a deployment with one failed account asks for the account, by its name', async () => {
    assert.deepEqual(await set(graph.row('dep_1'), 'Maria'), {
      prompt: 'Who can fix “Finance Slack”',
      picks: [],
      owners: { acc_finance: 'Maria' },
    });
  });

  it('on a deployment with several failed accounts asks which of them, or the deployment', async () => {
    await writeSetting(setting, { acc_ops: 'Bob' }, Workspace);
    assert.deepEqual(await set(graph.row('dep_2'), 'Sync dep_2', 'Maria'), {
      prompt: 'Who can fix “Sync dep_2”',
      picks: [
        'Finance Slack | in 3 deployments',
        'Ops Slack | account · Owner: Bob',
        'Sync dep_2 | deployment',
      ],
      owners: { acc_ops: 'Bob', dep_2: 'Maria' },
    });
  });

  it('on a deployment that has an owner asks whether that one is meant', async () => {
    await writeSetting(setting, { dep_1: 'Bob' }, Workspace);
    const { picks, owners } = await set(graph.row('dep_1'), enter, 'Maria');
    assert.deepEqual(picks, [
      'Finance Slack | in 3 deployments',
      'Sync dep_1 | deployment · Owner: Bob',
    ]);
    assert.deepEqual(owners, { acc_finance: 'Maria', dep_1: 'Bob' });
  });

  it('says where it will be saved: in the workspace, or where the owner in use stands', async () => {
    const { inputs } = recordWindow();
    await graph.run('setOwner', graph.row('dep_1'));
    await writeSetting(setting, { acc_finance: 'Ann' }, Global);
    await graph.run('setOwner', graph.row('dep_1'));
    const question = 'Who can fix “Finance Slack”? Leave it empty to remove the owner.';
    assert.deepEqual(inputs, [
      `${question} Will be saved in .vscode/settings.json.`,
      `${question} Will be saved in user settings (all windows), where the owner in use stands.`,
    ]);
  });

  it('changes nothing when its list is dismissed', async () => {
    assert.deepEqual((await set(graph.row('dep_2'))).owners, {});
  });

  for (const [what, id] of [
    ['no failed account', 'dep_3'],
    ['a failed account without an ID', 'dep_4'],
  ] as const) {
    it(`on a deployment with ${what} asks for the deployment, by its name`, async () => {
      assert.deepEqual(await set(graph.row(id), 'Maria'), {
        prompt: `Who can fix “Sync ${id}”`,
        picks: [],
        owners: { [id]: 'Maria' },
      });
    });
  }

  it('on an account asks for that one, by its name', async () => {
    const { prompt, owners } = await set(
      { kind: 'account', copyId: 'acc_ops', deployment: { id: 'dep_2' } },
      'Maria',
    );
    assert.deepEqual([prompt, owners], ['Who can fix “Ops Slack”', { acc_ops: 'Maria' }]);
  });
});

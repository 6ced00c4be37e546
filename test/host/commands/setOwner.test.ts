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
const finance = failed('acc_finance', 'Finance Slack');
const ops = failed('acc_ops', 'Ops Slack');
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

  /** Sets an owner with these answers. Returns the question, the entries of the list, and the setting afterwards. */
  async function setOwner(row: object, ...answers: Answer[]) {
    const shown = recordWindow(() => answers.shift());
    await graph.run('setOwner', row);
    return {
      question: shown.inputs[0]?.split('?')[0],
      picks: shown.picks.map(({ label, description }) => `${label} | ${description}`),
      owners: settingIn(setting),
    };
  }

  it('asks for the owner of the account when one account has failed', async () => {
    const { question, picks } = await setOwner(graph.row('dep_1'));

    assert.deepEqual(picks, []);
    assert.equal(question, 'Who can fix “Finance Slack”');
  });

  it('saves the owner of the account when one account has failed', async () => {
    const { owners } = await setOwner(graph.row('dep_1'), 'Maria');

    assert.deepEqual(owners, { acc_finance: 'Maria' });
  });

  describe('on a deployment with several failed accounts', () => {
    beforeEach(() => writeSetting(setting, { acc_ops: 'Bob' }, Workspace));

    it('offers the accounts and the deployment', async () => {
      const { picks } = await setOwner(graph.row('dep_2'));

      assert.deepEqual(picks, [
        'Finance Slack | in 3 deployments',
        'Ops Slack | account · Owner: Bob',
        'Sync dep_2 | deployment',
      ]);
    });

    it('asks for the owner of the chosen deployment', async () => {
      const { question } = await setOwner(graph.row('dep_2'), 'Sync dep_2');

      assert.equal(question, 'Who can fix “Sync dep_2”');
    });

    it('saves the owner of the chosen deployment', async () => {
      const { owners } = await setOwner(graph.row('dep_2'), 'Sync dep_2', 'Maria');

      assert.deepEqual(owners, { acc_ops: 'Bob', dep_2: 'Maria' });
    });
  });

  describe('on a deployment with an owner', () => {
    beforeEach(() => writeSetting(setting, { dep_1: 'Bob' }, Workspace));

    it('offers the account and the deployment', async () => {
      const { picks } = await setOwner(graph.row('dep_1'));

      assert.deepEqual(picks, [
        'Finance Slack | in 3 deployments',
        'Sync dep_1 | deployment · Owner: Bob',
      ]);
    });

    it('keeps that owner when the account is chosen', async () => {
      const { owners } = await setOwner(graph.row('dep_1'), enter, 'Maria');

      assert.deepEqual(owners, { acc_finance: 'Maria', dep_1: 'Bob' });
    });
  });

  const fullQuestion = 'Who can fix “Finance Slack”? Leave it empty to remove the owner.';

  it('names the workspace settings as the place of a new owner', async () => {
    const { inputs } = recordWindow();

    await graph.run('setOwner', graph.row('dep_1'));

    assert.deepEqual(inputs, [`${fullQuestion} Will be saved in .vscode/settings.json.`]);
  });

  it('names the user settings when the owner in use is in user settings', async () => {
    const { inputs } = recordWindow();
    await writeSetting(setting, { acc_finance: 'Ann' }, Global);

    await graph.run('setOwner', graph.row('dep_1'));

    assert.deepEqual(inputs, [
      `${fullQuestion} Will be saved in user settings (all windows), where the owner in use stands.`,
    ]);
  });

  it('changes nothing when its list is dismissed', async () => {
    const { owners } = await setOwner(graph.row('dep_2'));

    assert.deepEqual(owners, {});
  });

  for (const [what, id] of [
    ['no failed account', 'dep_3'],
    ['a failed account without an ID', 'dep_4'],
  ] as const) {
    it(`takes the deployment without a list when the deployment has ${what}`, async () => {
      const { question, picks, owners } = await setOwner(graph.row(id), 'Maria');

      assert.deepEqual(picks, []);
      assert.equal(question, `Who can fix “Sync ${id}”`);
      assert.deepEqual(owners, { [id]: 'Maria' });
    });
  }

  it('takes the account of its row', async () => {
    const accountRow = { kind: 'account', copyId: 'acc_ops', deployment: { id: 'dep_2' } };

    const { question, owners } = await setOwner(accountRow, 'Maria');

    assert.equal(question, 'Who can fix “Ops Slack”');
    assert.deepEqual(owners, { acc_ops: 'Maria' });
  });
});

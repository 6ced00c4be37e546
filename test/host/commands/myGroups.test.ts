import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { internalCommandIds } from '../../../src/host/ids.js';
import { MyGroups } from '../../../src/model/myGroups.js';
import { account, authorization, failedAccount, healthy } from '../../support/platform/data.js';
import { createGraph, startWorld, type World } from '../../support/window/graph.js';
import { answeredBy, keys } from '../../support/window/quickInputKeys.js';
import {
  type Answer,
  recordWindow,
  rejectionOf,
  replace,
  settle,
} from '../../support/window/windowRecorder.js';

const listed = [
  { id: 'dep_1', group: 'payments' },
  { id: 'dep_2', group: 'payments' },
  { id: 'dep_3', group: 'Billing' },
  { id: 'dep_4' },
];

let platform: World['platform'];
let graph: World['graph'];
let run: World['run'];

/** Signs in, and reads four deployments, of which two fail: one in “payments”, and the one in “Billing”. */
async function start(): Promise<void> {
  ({ platform, graph, run } = await startWorld());
  platform.putDeployment('dep_1', failedAccount());
  platform.putDeployment('dep_2', healthy());
  platform.putDeployment(
    'dep_3',
    authorization([account({ id: 'acc_2', label: 'Sheets', error: {} })], []),
  );
  platform.putDeployment('dep_4', healthy());
  await graph.read(...listed);
}

/** Runs a command with these answers. Returns what was shown. */
async function recording(command: Parameters<World['run']>[0], ...answers: Answer[]) {
  const shown = recordWindow(() => answers.shift());
  await run(command);
  return shown;
}

const chosen = () => graph.services.myGroups.chosen;
const shownIds = () =>
  graph.app.deploymentRows
    .getChildren()
    .flatMap((row) => (row.kind === 'deployment' ? [row.copyId] : []));
const revealedIds = () => graph.view.revealed.map(({ copyId }) => copyId);
/** The choice that the window has after a reload. */
const saved = () => new MyGroups(graph.services.store, graph.context.workspaceState).chosen;

describe('Choose My Groups', () => {
  beforeEach(start);
  afterEach(keys.escape);

  it('offers the groups by name with their counts, and “No group” last', async () => {
    const { picks } = await recording('chooseGroups');

    assert.deepEqual(
      picks.map(({ label, description }) => `${label} | ${description}`),
      ['Billing | 1 failing of 1', 'payments | 1 failing of 2', 'No group | 1 healthy'],
    );
  });

  it('offers no “No group” when each deployment is in a group', async () => {
    await graph.read(...listed.slice(0, 3));

    const { picks } = await recording('chooseGroups');

    assert.deepEqual(
      picks.map(({ label }) => label),
      ['Billing', 'payments'],
    );
  });

  it('says whose choice this is, and what no choice means', async () => {
    const { titles, placeholders } = await recording('chooseGroups');

    assert.deepEqual(titles, ['Choose My Groups']);
    assert.deepEqual(placeholders, [
      'Your own choice, in this workspace only. With none checked, all are shown.',
    ]);
  });

  it('shows the deployments of the checked groups alone', async () => {
    await recording('chooseGroups', [1]);

    assert.deepEqual(shownIds(), ['dep_1', 'dep_2']);
  });

  it('saves the checked groups', async () => {
    await recording('chooseGroups', [0, 2]);

    assert.deepEqual(saved(), ['Billing', undefined]);
  });

  it('covers the deployments without a group when “No group” is checked', async () => {
    await recording('chooseGroups', [2]);

    assert.deepEqual(shownIds(), ['dep_4']);
  });

  it('checks the groups that are chosen', async () => {
    await graph.services.myGroups.choose(['payments', undefined]);

    const { picks } = await recording('chooseGroups');

    const checked = picks.filter(({ picked }) => picked);
    assert.deepEqual(
      checked.map(({ label }) => label),
      ['payments', 'No group'],
    );
  });

  it('shows all groups when none is checked', async () => {
    await graph.services.myGroups.choose(['payments']);

    await recording('chooseGroups', []);

    assert.deepEqual(chosen(), []);
    assert.deepEqual(saved(), []);
  });

  it('keeps the choice when it is dismissed', async () => {
    await graph.services.myGroups.choose(['payments']);

    await recording('chooseGroups');

    assert.deepEqual(chosen(), ['payments']);
  });

  it('shows the chosen groups again while all are shown', async () => {
    await graph.services.myGroups.choose(['payments']);
    graph.services.myGroups.showAll();

    await recording('chooseGroups', [1]);

    assert.deepEqual(shownIds(), ['dep_1', 'dep_2']);
  });

  it('reads nothing', async () => {
    platform.clearRequests();

    await recording('chooseGroups', [1]);
    await settle();

    assert.deepEqual(platform.requests, []);
  });

  it('is refused when no deployment is in a group', async () => {
    await graph.read('dep_1', 'dep_4');

    assert.equal(
      await rejectionOf(run('chooseGroups')),
      'No deployment in the list is in a group.',
    );
  });

  it('is refused when the user is not signed in', async () => {
    const signedOut = createGraph();

    assert.match(await rejectionOf(signedOut.run('chooseGroups')), /^You are not signed in\./);
  });

  it('chooses no group on Enter when none is checked', async () => {
    await answeredBy(run('chooseGroups'), keys.enter);

    assert.deepEqual(chosen(), []);
  });
});

describe('with a chosen group', () => {
  beforeEach(async () => {
    await start();
    await graph.services.myGroups.choose(['payments']);
  });
  afterEach(keys.escape);

  describe('Go to Deployment', () => {
    const otherGroups = '2 in other groups · 1 failing';

    it('offers the group’s deployments, then the others as one', async () => {
      const { picks } = await recording('goToDeployment');

      assert.deepEqual(
        picks.map(({ label }) => label),
        ['dep_1', 'dep_2', otherGroups],
      );
    });

    it('names the group in its title', async () => {
      const { titles } = await recording('goToDeployment');

      assert.deepEqual(titles, ['Go to Deployment · payments']);
    });

    it('asks when the group has one deployment', async () => {
      await graph.services.myGroups.choose(['Billing']);

      const { picks } = await recording('goToDeployment');

      assert.deepEqual(
        picks.map(({ label }) => label),
        ['dep_3', '3 in other groups · 1 failing'],
      );
    });

    it('reveals a deployment that the last item has shown', async () => {
      const { down, enter } = keys;

      await answeredBy(run('goToDeployment'), down, down, enter, down, enter);

      assert.deepEqual(revealedIds(), ['dep_3']);
    });

    it('shows no other groups for a deployment of this group', async () => {
      await recording('goToDeployment', [0]);

      assert.deepEqual(revealedIds(), ['dep_1']);
      assert.deepEqual(shownIds(), ['dep_1', 'dep_2']);
    });
  });

  describe('a link to another group’s deployment', () => {
    const follow = async (...pressed: readonly string[]) => {
      const shown = recordWindow(undefined, ...pressed);
      await run('revealDeployment', 'dep_3');
      await settle();
      return shown;
    };

    it('shows the deployments of all groups', async () => {
      await follow();

      assert.deepEqual(shownIds(), ['dep_1', 'dep_3', 'dep_2', 'dep_4']);
    });

    it('reveals the deployment', async () => {
      await follow();

      assert.deepEqual(revealedIds(), ['dep_3']);
    });

    it('says that all groups are shown now', async () => {
      const { messages } = await follow();

      const sentence =
        '“dep_3” is in “Billing”, so all groups are shown until the window is reloaded.';
      assert.deepEqual(messages, [['information', sentence, 'Show My Groups Again']]);
    });

    it('keeps the choice', async () => {
      await follow();

      assert.deepEqual(saved(), ['payments']);
    });

    it('is undone by Show My Groups Again', async () => {
      const executeCommand = async (id: string) => {
        if (id === internalCommandIds.showMyGroups) await run('showMyGroups');
      };
      replace(vscode.commands, { executeCommand });

      await follow('Show My Groups Again');

      assert.deepEqual(shownIds(), ['dep_1', 'dep_2']);
    });
  });

  describe('a click on the last row', () => {
    it('shows the deployments of all groups', async () => {
      await recording('showAllGroups');

      assert.deepEqual(shownIds(), ['dep_1', 'dep_3', 'dep_2', 'dep_4']);
    });

    it('shows for how long that is', async () => {
      const { messages } = await recording('showAllGroups');

      const sentence = 'All groups are shown until the window is reloaded.';
      assert.deepEqual(messages, [['information', sentence, 'Show My Groups Again']]);
    });
  });

  describe('Copy Report', () => {
    const copied = async (work: Promise<unknown>) => {
      await work;
      return vscode.env.clipboard.readText();
    };

    for (const command of ['copyReport', 'copyReportFromTitle'] as const) {
      it(`offers the deployments of this group to ${command}`, async () => {
        const { picks } = await recording(command);

        assert.deepEqual(
          picks.map(({ label }) => label),
          ['dep_1', 'dep_2'],
        );
      });

      it(`names the group in the title of ${command}`, async () => {
        const { titles } = await recording(command);

        assert.deepEqual(titles, ['Copy Authorization Report · payments']);
      });

      it(`names the group in the report of ${command}`, async () => {
        const report = await copied(answeredBy(run(command), keys.enter));

        assert.match(report, /payments/);
      });
    }

    it('names no group in a report on rows of another group', async () => {
      const report = await copied(run('copyReport', graph.row('dep_3')));

      assert.match(report, /dep_3/);
      assert.doesNotMatch(report, /payments|Billing/);
    });

    it('names no group in a report on one row of the group', async () => {
      const report = await copied(run('copyReport', graph.row('dep_1')));

      assert.doesNotMatch(report, /payments/);
    });
  });

  for (const command of ['copyId', 'refreshDeployment', 'setDeploymentLabel'] as const) {
    it(`${command} offers the deployments of all groups`, async () => {
      const { picks } = await recording(command);

      assert.deepEqual(
        picks.map(({ label }) => label),
        ['dep_1', 'dep_3', 'dep_2', 'dep_4'],
      );
    });
  }
});

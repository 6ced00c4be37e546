import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { problemWord } from '../../../src/host/text/problem.js';
import { account, authorization, failedAccount, healthy } from '../../support/platform/data.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { answeredBy, type Key, keys } from '../../support/window/quickInputKeys.js';
import { recordWindow, replace } from '../../support/window/windowRecorder.js';

const { enter, escape, down, space } = keys;
const unsatisfied = (binding: string) => ({ binding, accountId: undefined, satisfied: false });

// VS Code's own lists are shown, and answered with keys.
describe('a command without a row', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  let run: World['run'];
  beforeEach(async () => {
    ({ platform, graph, run } = await startWorld());
    platform.putDeployment('dep_1', failedAccount());
    platform.putDeployment(
      'dep_2',
      authorization([account({ id: 'acc_2', label: 'Sheets', error: {} })], []),
    );
    platform.putDeployment(
      'dep_3',
      authorization([], [unsatisfied('ledger'), unsatisfied('mail')]),
    );
    platform.putDeployment('dep_4', healthy());
    await graph.read('dep_1', 'dep_2', 'dep_3', 'dep_4');
    await vscode.env.clipboard.writeText('');
  });
  afterEach(escape);

  const select = (...ids: readonly string[]): void => {
    graph.view.selection = ids.map((id) => graph.row(id));
  };
  /** Runs Copy ID, and presses these keys. Returns the text in the clipboard. */
  const copiedIds = async (...pressed: readonly Key[]) => {
    await answeredBy(run('copyId'), ...pressed);
    return vscode.env.clipboard.readText();
  };
  /** Runs Notify When Fixed, and presses these keys. Returns the problems of which the user will be notified. */
  const notifiedProblems = async (...pressed: readonly Key[]) => {
    const { store, memory } = graph.services;
    await answeredBy(run('notifyWhenFixed'), ...pressed);
    const problems = store.deployments.flatMap(({ answer }) => answer?.findings.problems ?? []);
    return problems
      .filter((problem) => memory.notifies(problem))
      .map((problem) => problemWord(problem));
  };

  const deployments: readonly [
    title: string,
    selected: readonly string[],
    pressed: readonly Key[],
    ids: string,
  ][] = [
    ['takes the worst deployment on Enter when no row is selected', [], [enter], 'dep_1'],
    ['suggests the selected deployment', ['dep_3'], [enter], 'dep_3'],
    ['suggests all selected deployments', ['dep_2', 'dep_4'], [enter], 'dep_2\ndep_4'],
    [
      'takes only the checked deployment when another one is selected',
      ['dep_3'],
      [down, space, enter],
      'dep_4',
    ],
  ];
  for (const [title, selected, pressed, ids] of deployments) {
    it(title, async () => {
      select(...selected);

      assert.equal(await copiedIds(...pressed), ids);
    });
  }

  it('suggests the deployment of a selected problem', async () => {
    const [problem] = graph.app.deploymentRows.getChildren(graph.row('dep_2'));
    graph.view.selection = [problem!];

    assert.equal(await copiedIds(enter), 'dep_2');
  });

  it('suggests no selected deployment when the view is hidden', async () => {
    select('dep_3');
    graph.view.visible = false;

    assert.equal(await copiedIds(enter), 'dep_1');
  });

  it('suggests the problem of the selected row', async () => {
    const [problem] = graph.app.deploymentRows.getChildren(graph.row('dep_2'));
    graph.view.selection = [problem!];

    assert.deepEqual(await notifiedProblems(enter), ['Sheets failed']);
  });

  it('suggests all problems of the selected deployment', async () => {
    select('dep_3');

    assert.deepEqual(await notifiedProblems(enter), ['not satisfied', 'not satisfied']);
  });

  it('suggests the worst problem when the selected deployment has no problem', async () => {
    select('dep_4');

    assert.deepEqual(await notifiedProblems(enter), ['Ops Slack failed']);
  });

  it('changes nothing when the list is dismissed', async () => {
    select('dep_3');

    assert.deepEqual(await notifiedProblems(escape), []);
  });

  it('ignores the selected row when it is run from the title of the view', async () => {
    select('dep_3');
    const statusMessages: string[] = [];
    replace(vscode.window, { setStatusBarMessage: (text: string) => statusMessages.push(text) });

    await answeredBy(run('copyReportFromTitle', graph.row('dep_3')), enter);

    assert.deepEqual(statusMessages, ['Copied the report on 4 deployments.']);
  });

  describe('with one candidate', () => {
    beforeEach(async () => {
      await graph.read('dep_1');
    });

    it('does not ask for a deployment', async () => {
      assert.equal(await copiedIds(), 'dep_1');
    });

    it('does not ask for a problem', async () => {
      assert.deepEqual(await notifiedProblems(), ['Ops Slack failed']);
    });

    it('asks before it removes the only deployment', async () => {
      const { messages, placeholders } = recordWindow();

      await run('removeDeployment');

      assert.deepEqual(placeholders, []);
      assert.equal(messages[0]?.[1], 'Remove “dep_1” from the list?');
    });

    it('names the account in the status bar after Unmute', async () => {
      const { statusMessages } = recordWindow(() => 'For a Day');
      await run('muteProblem');

      await run('unmuteProblem');

      assert.deepEqual(statusMessages, ['No longer muted: Ops Slack.']);
    });

    it('names the account in the status bar after Stop Notifying', async () => {
      const { statusMessages } = recordWindow();
      await run('notifyWhenFixed');

      await run('stopNotifying');

      assert.equal(
        statusMessages.at(-1),
        'You will no longer be notified when this is fixed: Ops Slack.',
      );
    });
  });
});

import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { problemWord } from '../../../src/host/text/problem.js';
import { account, authorization, failedAccount, healthy } from '../../support/platform/data.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { answeredBy, type Key, keys } from '../../support/window/quickInputKeys.js';
import { recordWindow, replace } from '../../support/window/windowRecorder.js';

const { enter, escape, down, space } = keys;
const unsatisfied = (binding: string) => ({ binding, accountId: undefined, satisfied: false });

/** In VS Code's own lists. */
describe('Without a row, a command', () => {
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
  const copied = async (...pressed: readonly Key[]) => {
    await answeredBy(run('copyId'), ...pressed);
    return vscode.env.clipboard.readText();
  };
  /** The problems of which the user is notified. */
  const notified = async (...pressed: readonly Key[]) => {
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
      'leaves the selected deployment alone when another one is checked',
      ['dep_3'],
      [down, space, enter],
      'dep_4',
    ],
  ];
  for (const [title, selected, pressed, ids] of deployments) {
    it(title, async () => {
      select(...selected);
      assert.equal(await copied(...pressed), ids);
    });
  }

  it('suggests the deployment that a selected row is below', async () => {
    const [problem] = graph.app.deploymentRows.getChildren(graph.row('dep_2'));
    graph.view.selection = [problem!];
    assert.equal(await copied(enter), 'dep_2');
  });

  it('suggests no row of a view that is hidden', async () => {
    select('dep_3');
    graph.view.visible = false;
    assert.equal(await copied(enter), 'dep_1');
  });

  it('suggests the problem of the selected row', async () => {
    const [problem] = graph.app.deploymentRows.getChildren(graph.row('dep_2'));
    graph.view.selection = [problem!];
    assert.deepEqual(await notified(enter), ['Sheets failed']);
  });

  it('suggests all problems of the selected deployment', async () => {
    select('dep_3');
    assert.deepEqual(await notified(enter), ['not satisfied', 'not satisfied']);
  });

  it('suggests the worst problem when the selected deployment has none', async () => {
    select('dep_4');
    assert.deepEqual(await notified(enter), ['Ops Slack failed']);
  });

  it('does nothing with the selected row when the list is dismissed', async () => {
    select('dep_3');
    assert.deepEqual(await notified(escape), []);
  });

  it('from the title of the view takes all deployments, whatever is selected', async () => {
    select('dep_3');
    const statusMessages: string[] = [];
    replace(vscode.window, { setStatusBarMessage: (text: string) => statusMessages.push(text) });
    await answeredBy(run('copyReportFromTitle', graph.row('dep_3')), enter);
    assert.deepEqual(statusMessages, ['Copied the report on 4 deployments.']);
  });

  describe('for which there is one candidate', () => {
    beforeEach(async () => {
      await graph.read('dep_1');
    });

    it('asks for no deployment', async () => {
      assert.equal(await copied(), 'dep_1');
    });

    it('asks for no problem', async () => {
      assert.deepEqual(await notified(), ['Ops Slack failed']);
    });

    it('asks whether to remove it from the list', async () => {
      const { messages, placeholders } = recordWindow();
      await run('removeDeployment');
      assert.deepEqual(placeholders, []);
      assert.equal(messages[0]?.[1], 'Remove “dep_1” from the list?');
    });

    it('says the name of what is unmuted without a question', async () => {
      const { statusMessages } = recordWindow(() => 'For a Day');
      await run('muteProblem');
      await run('unmuteProblem');
      assert.deepEqual(statusMessages, ['No longer muted: Ops Slack.']);
    });

    it('says the name of what it no longer notifies about without a question', async () => {
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

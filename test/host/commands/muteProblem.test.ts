import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { Emitter } from '../../../src/model/base/emitter.js';
import { account, authorization, failedAccount } from '../../support/platform/data.js';
import { openFile, reported, until } from '../../support/window/editors.js';
import { look as lookOf, twoProblems } from '../../support/window/fixtures.js';
import { startWorld, type World } from '../../support/window/graph.js';
import {
  answering,
  enter,
  recordWindow,
  replace,
  settle,
} from '../../support/window/windowRecorder.js';

describe('Mute Problem', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  let run: World['run'];
  let signIn: World['signIn'];
  let store: World['graph']['services']['store'];
  beforeEach(async () => {
    ({ platform, graph, run, signIn } = await startWorld());
    ({ store } = graph.services);
    for (const id of ['dep_1', 'dep_2']) platform.putDeployment(id, failedAccount());
    platform.putDeployment('dep_3', authorization([], []));
    await graph.read('dep_1', 'dep_2', 'dep_3');
  });

  const firstRow = () => graph.app.deploymentRows.getChildren()[0]!;
  /** Of the first row: label with description, icon, decoration, and the context value for its menu. */
  const look = () => {
    const item = graph.app.deploymentRows.getTreeItem(firstRow());
    const { text, icon, decorated } = lookOf(item);
    return { text, icon, decoration: decorated, menu: item.contextValue };
  };
  const saved = () => graph.context.workspaceState.values.get('problemMemory')!;
  /** Since when the problem has been seen, the hash of its sign, and until when it is muted. */
  const savedMute = /\d+,"[^"]+",\d+/;

  it('mutes an account in all deployments', async () => {
    await answering(() => run('muteProblem', 'dep_2'), 'For a Week');

    assert.equal(store.counts.failing, 0);
    assert.equal(store.counts.muted, 2);
  });

  it('shows in the row until when the problem is muted', async () => {
    await answering(() => run('muteProblem', 'dep_2'), 'For a Week');

    const { text, icon, decoration } = look();
    assert.match(text, /^dep_1 \| Ops Slack · muted until \w+ \d+, \d{4}$/);
    assert.equal(icon, 'circle-slash disabledForeground');
    assert.equal(decoration, 'muted');
  });

  it('offers Unmute in the menu of the row', async () => {
    await answering(() => run('muteProblem', 'dep_2'), 'For a Week');

    assert.equal(look().menu, 'deployment canUnmute');
  });

  it('remembers a hash instead of IDs', async () => {
    await answering(() => run('muteProblem', 'dep_2'), 'For a Week');

    assert.match(saved(), savedMute);
    assert.doesNotMatch(saved(), /dep_|acc_|revoked/);
  });

  it('counts the problem again after Unmute', async () => {
    await answering(() => run('muteProblem', 'dep_2'), 'For a Week');

    await run('unmuteProblem', 'dep_1');

    assert.equal(store.counts.failing, 2);
  });

  const endsOfMutes: readonly [choice: string, expected: RegExp][] = [
    ['For a Day', /^Ops Slack muted in 2 deployments until (?:\w+day|\w+ \d+, \d{4})\.$/],
    ['For a Week', /^Ops Slack muted in 2 deployments until \w+ \d+, \d{4}\.$/],
    ['Until It Changes', /^Ops Slack muted in 2 deployments until it changes\.$/],
  ];
  for (const [choice, sentence] of endsOfMutes) {
    it(`names the account and the end of the mute after ${choice}`, async () => {
      const { messages } = recordWindow(() => choice);

      await run('muteProblem', 'dep_1');

      const [, message, button] = messages[0]!;
      assert.match(message!, sentence);
      assert.equal(button, 'Undo');
    });
  }

  it('names the deployment in its notification when only one has the problem', async () => {
    platform.putDeployment(
      'dep_3',
      authorization([], [{ binding: 'ledger', serviceId: 'stripe', satisfied: false }]),
    );
    await store.refresh();
    const { messages } = recordWindow(() => 'Until It Changes');
    await run('muteProblem', 'dep_3');

    assert.equal(messages[0]?.[1], 'ledger (stripe) muted in dep_3 until it changes.');
  });

  it('shows in the row that a mute lasts until the problem changes', async () => {
    await answering(() => run('muteProblem', 'dep_1'), 'Until It Changes');

    assert.equal(look().text, 'dep_1 | Ops Slack · muted until it changes');
  });

  const badge = () => {
    const view: vscode.TreeView<unknown> = graph.view;
    return view.badge?.value;
  };

  const waitForBadge = (count: number | undefined) =>
    until(`the badge ${count}`, () => badge() === count, badge);

  describe('until Undo', () => {
    const diagnostic = 'warning 0:0-5 dep_1 token_revoked';
    let presses: Emitter<string>;
    let diagnostics: () => unknown[];
    const waitForDiagnostics = (...expected: readonly string[]) =>
      until(
        `the diagnostics ${JSON.stringify(expected)}`,
        () => isDeepStrictEqual(diagnostics(), expected),
        diagnostics,
      );
    beforeEach(async () => {
      const document = await openFile('dep_1');
      diagnostics = () => [...reported(document)];
      presses = new Emitter<string>();
      recordWindow(() => 'For a Day');
      const pressedButton = () => new Promise((resolve) => presses.event(resolve));
      replace(vscode.window, { showInformationMessage: pressedButton });
    });

    it('takes the problem out of the badge', async () => {
      await waitForBadge(2);
      await run('muteProblem', 'dep_1');
      await waitForBadge(undefined);
      presses.fire('Undo');
      await waitForBadge(2);
    });

    it('takes the problem out of the diagnostics', async () => {
      await waitForDiagnostics(diagnostic);
      await run('muteProblem', 'dep_1');
      await waitForDiagnostics();
      presses.fire('Undo');
      await waitForDiagnostics(diagnostic);
    });
  });

  it('keeps the order of the rows until the next refresh', async () => {
    // Neither deployment has the account.
    platform.putDeployment('dep_3', authorization([], []));
    platform.putDeployment('dep_4', authorization([], [{ binding: 'ledger', satisfied: false }]));
    await graph.read('dep_1', 'dep_2', 'dep_3', 'dep_4');
    const rowIds = () => graph.app.deploymentRows.getChildren().map(({ copyId }) => copyId);

    await answering(() => run('muteProblem', 'dep_1'), 'For a Day');
    assert.deepEqual(rowIds(), ['dep_1', 'dep_2', 'dep_4', 'dep_3'], 'before the refresh');
    await store.refresh();
    assert.deepEqual(rowIds(), ['dep_4', 'dep_1', 'dep_2', 'dep_3']);
  });

  /** The row of a problem of `dep_1`. Index 0 is the worse one. */
  const rowOfProblem = (index: number) => {
    const { key } = store.get('dep_1')!.answer!.findings.problems[index]!;
    return { deployment: { id: 'dep_1' }, problem: { key } };
  };

  describe('on the worse of two problems', () => {
    let lookBefore: ReturnType<typeof look>;
    let worseRow: ReturnType<typeof rowOfProblem>;
    let otherRow: ReturnType<typeof rowOfProblem>;
    beforeEach(async () => {
      const { accounts, requirements } = twoProblems;
      const known = requirements.filter(({ satisfied }) => satisfied !== undefined);
      platform.putDeployment('dep_1', { accounts, requirements: known });
      await graph.read('dep_1');
      lookBefore = look();
      worseRow = rowOfProblem(0);
      otherRow = rowOfProblem(1);
      await answering(() => run('muteProblem', worseRow), 'For a Day');
      await store.refresh();
    });

    it('leaves the other problem in the row', () => {
      assert.match(look().text, /^dep_1 \| missing channels:read$/);
    });

    it('is undone at once by Unmute after a refresh', async () => {
      await run('unmuteProblem', worseRow);

      assert.deepEqual(look(), lookBefore);
    });

    it('leaves the worse problem in the row when both are muted', async () => {
      await answering(() => run('muteProblem', otherRow), 'For a Week');

      const { accessibilityInformation } = graph.app.deploymentRows.getTreeItem(firstRow());
      assert.match(
        accessibilityInformation!.label,
        /^dep_1, deployment, Muted until .*\bFinance Slack failed\b/,
      );
    });
  });

  it('mutes only the highlighted problem of several when no problem is checked', async () => {
    const accounts = ['acc_1', 'acc_2', 'acc_3'].map((id) =>
      account({ id, error: { code: 'gone' } }),
    );
    platform.putDeployment('dep_1', authorization(accounts, []));
    await graph.read('dep_1');
    await answering(() => run('muteProblem', 'dep_1'), enter, 'For a Day');
    const { memory } = graph.services;
    const { problems } = store.get('dep_1')!.answer!.findings;
    const areMuted = problems.map((problem) => memory.muteOf(problem) !== undefined);
    assert.deepEqual(areMuted, [true, false, false]);
  });

  it('asks only for how long from the palette when a single account has failed', async () => {
    await answering(() => run('muteProblem'), enter);

    assert.equal(store.counts.muted, 2);
  });

  it('mutes nothing when another organization becomes current during its question', async () => {
    replace(vscode.window, {
      showQuickPick: ([first]: unknown[]) => signIn('Other').then(() => first),
    });
    await run('muteProblem', 'dep_2');
    await settle();
    assert.doesNotMatch(saved(), savedMute);
  });
});

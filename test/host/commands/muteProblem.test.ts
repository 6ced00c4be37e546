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
  /** Of the first row: label and description, icon, menu. */
  const look = () => {
    const item = graph.app.deploymentRows.getTreeItem(firstRow());
    const { text, icon, decorated } = lookOf(item);
    return [text, icon, decorated, item.contextValue];
  };
  /** The problem of `dep_1` at this place. */
  const rowOfProblem = (at: number) => {
    const { key } = store.get('dep_1')!.answer!.findings.problems[at]!;
    return { deployment: { id: 'dep_1' }, problem: { key } };
  };
  const saved = () => graph.context.workspaceState.values.get('problemMemory')!;
  /** Since when the problem has been seen, the hash of its sign, and until when it is muted. */
  const savedMute = /\d+,"[^"]+",\d+/;

  it('says until when, remembers a hash, and Unmute counts the problem again', async () => {
    await answering(() => run('muteProblem', 'dep_2'), 'For a Week');
    assert.deepEqual([store.counts.failing, store.counts.muted], [0, 2]);
    const [text, ...rest] = look();
    assert.match(text!, /^dep_1 \| Ops Slack · muted until \w+ \d+, \d{4}$/);
    assert.deepEqual(rest, ['circle-slash disabledForeground', 'muted', 'deployment canUnmute']);
    assert.match(saved(), savedMute);
    assert.doesNotMatch(saved(), /dep_|acc_|revoked/);
    await run('unmuteProblem', 'dep_1');
    assert.equal(store.counts.failing, 2);
  });

  const toasts: readonly [choice: string, expected: RegExp][] = [
    ['For a Day', /^Ops Slack muted in 2 deployments until (?:\w+day|\w+ \d+, \d{4})\.$/],
    ['For a Week', /^Ops Slack muted in 2 deployments until \w+ \d+, \d{4}\.$/],
    ['Until It Changes', /^Ops Slack muted in 2 deployments until it changes\.$/],
  ];
  for (const [choice, expected] of toasts) {
    it(`says what is muted, where, and until when: ${choice}`, async () => {
      const { messages } = recordWindow(() => choice);
      await run('muteProblem', 'dep_1');
      assert.match(messages[0]?.[1] ?? '', expected);
      assert.equal(messages[0]?.at(-1), 'Undo');
    });
  }

  it('names the deployment where there is only one', async () => {
    platform.putDeployment(
      'dep_3',
      authorization([], [{ binding: 'ledger', serviceId: 'stripe', satisfied: false }]),
    );
    await store.refresh();
    const { messages } = recordWindow(() => 'Until It Changes');
    await run('muteProblem', 'dep_3');
    assert.equal(messages[0]?.[1], 'ledger (stripe) muted in dep_3 until it changes.');
  });

  it('says in rows that a mute lasts until the problem changes', async () => {
    await answering(() => run('muteProblem', 'dep_1'), 'Until It Changes');
    assert.equal(look()[0], 'dep_1 | Ops Slack · muted until it changes');
  });

  it('takes the problem out of the badge and of the diagnostics, until Undo', async () => {
    const view: vscode.TreeView<unknown> = graph.view;
    const document = await openFile('dep_1');
    const shown = () => [view.badge?.value, ...reported(document)];
    const becomes = (...wanted: readonly unknown[]) =>
      until(JSON.stringify(wanted), () => isDeepStrictEqual(shown(), wanted), shown);
    const before = [2, 'warning 0:0-5 dep_1 token_revoked'];
    await becomes(...before);
    const presses = new Emitter<string>();
    recordWindow(() => 'For a Day');
    const message = () => new Promise((resolve) => presses.event(resolve));
    replace(vscode.window, { showInformationMessage: message });
    await run('muteProblem', 'dep_1');
    await becomes(undefined);
    presses.fire('Undo');
    await becomes(...before);
  });

  it('leaves every row at its place until the next refresh', async () => {
    // Neither says anything of the account.
    platform.putDeployment('dep_3', authorization([], []));
    platform.putDeployment('dep_4', authorization([], [{ binding: 'ledger', satisfied: false }]));
    await graph.read('dep_1', 'dep_2', 'dep_3', 'dep_4');
    const order = () => graph.app.deploymentRows.getChildren().map(({ copyId }) => copyId);
    await answering(() => run('muteProblem', 'dep_1'), 'For a Day');
    assert.deepEqual(order(), ['dep_1', 'dep_2', 'dep_4', 'dep_3']);
    await store.refresh();
    assert.deepEqual(order(), ['dep_4', 'dep_1', 'dep_2', 'dep_3']);
  });

  describe('of the worse of two problems', () => {
    let before: ReturnType<typeof look>;
    let worse: ReturnType<typeof rowOfProblem>;
    let other: ReturnType<typeof rowOfProblem>;
    beforeEach(async () => {
      const { accounts, requirements } = twoProblems;
      const known = requirements.filter(({ satisfied }) => satisfied !== undefined);
      platform.putDeployment('dep_1', { accounts, requirements: known });
      await graph.read('dep_1');
      before = look();
      [worse, other] = [rowOfProblem(0), rowOfProblem(1)];
      await answering(() => run('muteProblem', worse), 'For a Day');
      await store.refresh();
    });

    it('is taken back at once by Unmute, also after a refresh', async () => {
      assert.match(look()[0]!, /^dep_1 \| missing channels:read$/);
      await run('unmuteProblem', worse);
      assert.deepEqual(look(), before);
    });

    it('leaves the worse one in the row once both are muted', async () => {
      await answering(() => run('muteProblem', other), 'For a Week');
      const { accessibilityInformation } = graph.app.deploymentRows.getTreeItem(firstRow());
      assert.match(
        accessibilityInformation!.label,
        /^dep_1, deployment, Muted until .*\bFinance Slack failed\b/,
      );
    });
  });

  it('takes the highlighted one of several problems, none of which is checked before the choice', async () => {
    const accounts = ['acc_1', 'acc_2', 'acc_3'].map((id) =>
      account({ id, error: { code: 'gone' } }),
    );
    platform.putDeployment('dep_1', authorization(accounts, []));
    await graph.read('dep_1');
    await answering(() => run('muteProblem', 'dep_1'), enter, 'For a Day');
    const { memory } = graph.services;
    const { problems } = store.get('dep_1')!.answer!.findings;
    assert.deepEqual(
      problems.map((one) => memory.mutedUntil(one) !== undefined),
      [true, false, false],
    );
  });

  it('without a row asks only for how long where one account is all that has failed', async () => {
    await answering(() => run('muteProblem'), enter);
    assert.equal(store.counts.muted, 2);
  });

  it('mutes nothing if another organization is current by then', async () => {
    replace(vscode.window, {
      showQuickPick: ([first]: unknown[]) => signIn('Other').then(() => first),
    });
    await run('muteProblem', 'dep_2');
    await settle();
    assert.doesNotMatch(saved(), savedMute);
  });
});

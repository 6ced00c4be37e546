import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { account, authorization, healthy } from '../../support/platform/data.js';
import { until } from '../../support/window/editors.js';
import { below, look as lookOf, readIn } from '../../support/window/fixtures.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { answeredBy, keys } from '../../support/window/quickInputKeys.js';
import { Workspace, writeSetting } from '../../support/window/settings.js';
import {
  answering,
  recordWindow,
  rejectionOf,
  replace,
  settle,
} from '../../support/window/windowRecorder.js';

const finance = { id: 'acc_1', label: 'Finance Slack', serviceId: 'slack' };
const ops = { id: 'acc_2', label: 'Ops Slack', serviceId: 'slack' };
const revoked = (code = 'token_revoked') =>
  authorization([account({ ...finance, error: { code } })], []);
const works = () => authorization([account(finance)], []);
const reveal = 'Reveal in Deployments View';

describe('Notify When Fixed', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  let run: World['run'];
  let signIn: World['signIn'];
  let store: World['graph']['services']['store'];
  const ids = ['dep_1', 'dep_2', 'dep_3', 'dep_4'];
  beforeEach(async () => {
    ({ platform, graph, run, signIn } = await startWorld());
    ({ store } = graph.services);
    for (const id of ids) platform.putDeployment(id, revoked());
    platform.putDeployment('dep_5', healthy());
    await graph.read(...ids, 'dep_5');
  });

  /** Refreshes all deployments. Returns the notifications. */
  async function refresh() {
    const { messages } = recordWindow();
    await store.refresh();
    await settle();
    return messages;
  }
  const firstRow = () =>
    graph.app.deploymentRows.getTreeItem(graph.app.deploymentRows.getChildren()[0]!);

  it('notifies when the account works again', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));
    for (const id of ids) platform.putDeployment(id, works());

    const messages = await refresh();

    const text = 'Finance Slack works again. 4 deployments have no problem left.';
    assert.deepEqual(messages, [['information', text, reveal]]);
  });

  it('notifies only once', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));
    for (const id of ids) platform.putDeployment(id, works());
    await refresh();

    assert.deepEqual(await refresh(), []);
  });

  it('counts only deployments without another problem', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));
    for (const id of ids) platform.putDeployment(id, works());
    const other = { binding: 'ledger', satisfied: false };
    platform.putDeployment('dep_4', authorization([account(finance)], [other]));

    const [[, text] = []] = await refresh();

    assert.equal(text, 'Finance Slack works again. 3 deployments have no problem left.');
  });

  it('counts a deployment whose only problem is muted', async () => {
    const other = authorization([account(finance)], [{ binding: 'ledger', satisfied: false }]);
    platform.putDeployment('dep_4', authorization([...revoked().accounts], other.requirements));
    await store.refresh();
    const ledger = store
      .get('dep_4')!
      .answer!.findings.problems.find(({ kind }) => kind === 'unsatisfiedRequirement');
    const row = { deployment: { id: 'dep_4' }, problem: { key: ledger!.key } };
    await answering(() => run('muteProblem', row), 'For a Day');
    await run('notifyWhenFixed', graph.row('dep_1'));
    for (const id of ids) platform.putDeployment(id, id === 'dep_4' ? other : works());

    const [[, text] = []] = await refresh();

    assert.equal(text, 'Finance Slack works again. 4 deployments have no problem left.');
  });

  it('names several accounts and a requirement in one notification', async () => {
    const requirement = { binding: 'ledger', satisfied: false };
    platform.putDeployment('dep_4', authorization([account({ ...ops, error: {} })], [requirement]));
    await store.refresh();
    await run('notifyWhenFixed', graph.row('dep_1'), [graph.row('dep_1'), graph.row('dep_4')]);
    for (const id of ids) platform.putDeployment(id, works());
    platform.putDeployment(
      'dep_4',
      authorization([account(ops)], [{ ...requirement, satisfied: true }]),
    );

    const messages = await refresh();

    const text =
      'Finance Slack, Ops Slack work again. ledger in dep_4 is satisfied. 4 deployments have no problem left.';
    assert.deepEqual(messages, [['information', text, reveal]]);
  });

  it('warns with the new error when the problem changes', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));
    for (const id of ids) platform.putDeployment(id, revoked('app_uninstalled'));

    const [[kind, message] = []] = await refresh();

    assert.equal(kind, 'warning');
    assert.equal(
      message,
      'The problem has changed: Finance Slack (slack) failed: app_uninstalled.',
    );
  });

  it('offers a new request when the problem changes', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));
    for (const id of ids) platform.putDeployment(id, revoked('app_uninstalled'));

    const [[, , ...buttons] = []] = await refresh();

    assert.deepEqual(buttons, [reveal, 'Copy Request', 'Notify When Fixed']);
  });

  it('names the deployment when the problem of a requirement changes', async () => {
    const lacking = (binding: string, scope: string) => {
      const connections = [{ connectionMethodId: 'm', minimalScopes: [], requiredScopes: [scope] }];
      return { binding, accountId: ops.id, satisfied: false, connections };
    };
    const owned = account({ ...ops, connectionMethodId: 'm', scopes: [] });
    platform.putDeployment('dep_5', authorization([owned], [lacking('ledger', 'read')]));
    await store.refresh();
    await run('notifyWhenFixed', graph.row('dep_5'));
    platform.putDeployment('dep_5', authorization([owned], [lacking('ledger', 'write')]));

    const [[, message] = []] = await refresh();

    assert.equal(
      message,
      'The problem has changed in dep_5: Ops Slack is missing write for ledger.',
    );
  });

  it('notifies when the account is no longer part of the deployment', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));
    for (const id of ids) platform.putDeployment(id, authorization([], []));

    const [[, text] = []] = await refresh();
    assert.match(
      text!,
      /^The account or requirement that had a problem in dep_\d is no longer part of the deployment\. /,
    );
  });

  it('is shown in the description of the row', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));

    const { text } = lookOf(firstRow());
    assert.equal(text, 'dep_1 | Finance Slack failed · notifies when fixed');
  });

  it('is in the accessible name of the row', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));

    assert.match(firstRow().accessibilityInformation!.label, /, notifies when fixed$/);
  });

  it('offers Stop Notifying in the menu of the row', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));

    assert.equal(firstRow().contextValue, 'deployment canMute canStopNotifying');
  });

  it('names the account in the status bar', async () => {
    const { statusMessages } = recordWindow();

    await run('notifyWhenFixed', graph.row('dep_1'));

    assert.deepEqual(statusMessages, ['You will be notified when this is fixed: Finance Slack.']);
  });

  it('is offered again in the menu of the row after Stop Notifying', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));

    await run('stopNotifying', graph.row('dep_2'));

    assert.equal(firstRow().contextValue, 'deployment canMute canNotify');
  });

  it('does not notify after Stop Notifying', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));
    await run('stopNotifying', graph.row('dep_2'));

    for (const id of ids) platform.putDeployment(id, works());
    assert.deepEqual(await refresh(), []);
  });

  it('is ended by Stop Notifying when the problem is muted', async () => {
    await answering(() => run('muteProblem', graph.row('dep_1')), 'For a Day');
    const [problem] = store.get('dep_1')!.answer!.findings.problems;
    await run('notifyWhenFixed', { deployment: { id: 'dep_1' }, problem: { key: problem!.key } });

    await run('stopNotifying', graph.row('dep_1'));

    assert.equal(graph.services.memory.isNotifying, false);
  });

  it('ends when the problem is muted', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));

    await answering(() => run('muteProblem', graph.row('dep_1')), 'For a Day');

    assert.equal(graph.services.memory.isNotifying, false);
  });

  describe('for a problem that is muted for everyone', () => {
    const today = new Date().toISOString().slice(0, 10);
    const entry = {
      account: finance.id,
      error: 'token_revoked',
      since: today,
      until: today,
      reason: 'App review',
    };
    /** What a command gets from the row of the account. */
    const rowOfAccount = () => {
      const [problem] = store.get('dep_1')!.answer!.findings.problems;
      return { deployment: { id: 'dep_1' }, problem: { key: problem!.key } };
    };
    const muteForEveryone = () => writeSetting('automationPlatform.mutes', [entry], Workspace);

    it('is offered in the menu of the account', async () => {
      await muteForEveryone();

      const { deploymentRows } = graph.app;
      const rows = below(deploymentRows).map((element) => deploymentRows.getTreeItem(element));
      const menus = rows.map(({ contextValue = '' }) => contextValue);
      assert.ok(menus.includes('account canUnmute canNotify'), menus.join());
    });

    it('is not offered in the menu of the deployment, which does not fail', async () => {
      await muteForEveryone();

      assert.equal(firstRow().contextValue, 'deployment canUnmute');
    });

    it('is offered in the hover of the row', async () => {
      await muteForEveryone();

      const [row] = graph.app.deploymentRows.getChildren();
      const { tooltip } = graph.app.deploymentRows.resolveTreeItem(firstRow(), row!);
      assert.match(readIn(tooltip), /\*\*\[Notify When Fixed\]/);
    });

    it('notifies when the account works again', async () => {
      await muteForEveryone();
      await run('notifyWhenFixed', rowOfAccount());
      for (const id of ids) platform.putDeployment(id, works());

      const [[, text] = []] = await refresh();

      assert.match(text!, /^Finance Slack works again\. /);
    });

    it('goes on when the mute is written later', async () => {
      await run('notifyWhenFixed', graph.row('dep_1'));

      await muteForEveryone();

      const { text } = lookOf(firstRow());
      assert.match(text, / · App review · notifies when fixed$/);
    });

    it('can be stopped in the menu of the row', async () => {
      await run('notifyWhenFixed', graph.row('dep_1'));

      await muteForEveryone();

      assert.equal(firstRow().contextValue, 'deployment canUnmute canStopNotifying');
    });

    it('is not offered once the user has muted the problem for longer', async () => {
      await muteForEveryone();
      await answering(() => run('muteProblem', rowOfAccount()), 'For a Week');

      const { deploymentRows } = graph.app;
      const menus = below(deploymentRows).map(
        (element) => deploymentRows.getTreeItem(element).contextValue,
      );
      assert.doesNotMatch(menus.join(), /canNotify/);
    });
  });

  it('is restored when the mute of the problem is undone', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));
    const { memory } = graph.services;
    const isNotifyingBeforeUndo: boolean[] = [];
    recordWindow(() => 'For a Day');
    replace(vscode.window, {
      showInformationMessage: async () => {
        isNotifyingBeforeUndo.push(memory.isNotifying);
        return 'Undo';
      },
    });

    await run('muteProblem', graph.row('dep_1'));
    await until('the notification wanted again', () => memory.isNotifying);

    assert.deepEqual(isNotifyingBeforeUndo, [false]);
  });

  it('takes the problems of the request when its button in Copy Request is pressed', async () => {
    const { messages } = recordWindow();
    const commands: unknown[][] = [];
    replace(vscode.window, { showInformationMessage: async () => 'Notify When Fixed' });
    replace(vscode.commands, {
      executeCommand: async (...command: unknown[]) => commands.push(command),
    });
    await run('copyRequest', graph.row('dep_1'));
    await settle();
    const [command, ...args] =
      commands.find(([id]) => id === 'automationPlatform.notifyWhenFixed') ?? [];
    assert.equal(command, 'automationPlatform.notifyWhenFixed');

    await run('notifyWhenFixed', ...args);

    assert.equal(graph.services.memory.isNotifying, true);
    assert.deepEqual(messages, []);
  });

  it('takes the one problem of all deployments without a question from the palette', async () => {
    await run('notifyWhenFixed');

    for (const id of ids) {
      const [problem] = store.get(id)!.answer!.findings.problems;
      assert.equal(graph.services.memory.notifies(problem!), true, id);
    }
  });

  it('is refused when there is no problem', async () => {
    assert.equal(
      await rejectionOf(run('notifyWhenFixed', graph.row('dep_5'))),
      'There is no problem to notify you about.',
    );
  });

  it('cannot be stopped when no notification is wanted', async () => {
    assert.equal(
      await rejectionOf(run('stopNotifying', graph.row('dep_1'))),
      'You are not notified about any problem.',
    );
  });

  it('is not saved when another organization becomes current during its question', async () => {
    platform.putDeployment('dep_4', authorization([account({ ...ops, error: {} })], []));
    await store.refresh();
    const asking = run('notifyWhenFixed');
    await settle();
    await signIn('Other');
    await answeredBy(asking, keys.enter);

    assert.equal(graph.services.memory.isNotifying, false);
  });

  it('remembers hashes instead of IDs', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));
    const saved = graph.context.workspaceState.values.get('problemMemory')!;
    assert.match(saved, /\],"[\w-]{6}"\]/);
    assert.doesNotMatch(saved, /dep_|acc_|revoked/);
  });
});

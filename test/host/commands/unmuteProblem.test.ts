import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { utcDayText } from '../../../src/host/text/format.js';
import { day } from '../../../src/model/base/time.js';
import { account, authorization, failedAccount, requirement } from '../../support/platform/data.js';
import { closeEditors, until } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import {
  type Answer,
  answering,
  recordWindow,
  rejectionOf,
  replace,
} from '../../support/window/windowRecorder.js';

const setting = 'automationPlatform.mutes';
const file = vscode.Uri.joinPath(
  vscode.workspace.workspaceFolders![0]!.uri,
  '.vscode/settings.json',
);

/** The day in UTC, so many days from now. */
const dayIn = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
const terms = { since: dayIn(0), until: dayIn(40), reason: 'App review at Slack' };
const ofAccount = { account: 'acc_slack_ops', error: 'token_revoked', ...terms };
const ofRequirement = {
  deployment: 'dep_3',
  requirement: 'notifier',
  missing: [],
  ...terms,
};

/** Leaves messages open. Returns what presses a button of each of them. */
function recordOpenMessages() {
  const presses: ((button: unknown) => void)[] = [];
  const showInformationMessage = () =>
    new Promise((resolve) => {
      presses.push(resolve);
    });
  replace(vscode.window, { showInformationMessage });
  return presses;
}

describe('Unmute Problem', () => {
  let graph: World['graph'];
  let platform: World['platform'];
  let run: World['run'];
  let signIn: World['signIn'];
  let asked: World['asked'];
  let store: World['graph']['services']['store'];
  beforeEach(async () => {
    const world = await startWorld();
    ({ graph, platform, run, signIn, asked } = world);
    ({ store } = graph.services);
    for (const id of ['dep_1', 'dep_2']) platform.putDeployment(id, failedAccount());
    const unsatisfied = requirement({ satisfied: false, connections: [] });
    platform.putDeployment('dep_3', authorization([account()], [unsatisfied]));
    await signIn();
    await graph.read('dep_1', 'dep_2', 'dep_3');
  });

  const muted = () => store.counts.muted;
  const muteForEveryone = (...entries: readonly object[]) =>
    writeSetting(setting, entries, Workspace);
  /** The row of the only problem of a deployment. */
  const rowOfProblem = (id: string) => {
    const [problem] = store.get(id)!.answer!.findings.problems;
    return { deployment: { id }, problem: { key: problem!.key } };
  };
  const muteForUser = (id: string) =>
    answering(() => run('muteProblem', rowOfProblem(id)), 'Until It Changes');

  /** Unmutes what the rows of these deployments are about, with these answers. Returns what is shown. */
  async function unmute(ids: readonly string[], ...answers: Answer[]) {
    const shown = recordWindow(() => answers.shift());
    const [first, ...others] = ids.map((id) => graph.row(id));
    await run('unmuteProblem', first, first && [first, ...others]);
    return shown;
  }

  /** Presses Undo after the same, and waits for its end. */
  async function unmuteAndUndo(ids: readonly string[], ...answers: Answer[]) {
    const shown = recordWindow(() => answers.shift(), 'Undo');
    await run('unmuteProblem', graph.row(ids[0]!));
    await until('the end of Undo', () => shown.statusMessages.length > 0);
    return shown;
  }

  it('names what is no longer muted after a mute of the user’s own', async () => {
    await muteForUser('dep_1');

    const { statusMessages } = await unmute(['dep_1']);

    assert.deepEqual(statusMessages, ['No longer muted: Ops Slack.']);
  });

  describe('of a mute for everyone', () => {
    beforeEach(() => muteForEveryone(ofRequirement, ofAccount));

    it('takes the entry out of the file', async () => {
      await unmute(['dep_1']);

      assert.deepEqual(settingIn(setting), [ofRequirement]);
    });

    it('lets the problem count in all deployments', async () => {
      await unmute(['dep_2']);

      assert.equal(store.counts.failing, 2);
    });

    it('names the file, and offers Undo', async () => {
      const { messages } = await unmute(['dep_1']);

      const text =
        'Removed the mute for everyone from .vscode/settings.json. No longer muted: Ops Slack.';
      assert.deepEqual(messages, [['information', text, 'Undo']]);
    });

    it('has the entry in the file again after Undo', async () => {
      await unmuteAndUndo(['dep_1']);

      assert.deepEqual(settingIn(setting), [ofRequirement, ofAccount]);
    });

    it('takes all entries out that mute the problem', async () => {
      const shorter = { ...ofAccount, until: dayIn(1) };
      const changed = { ...ofAccount, error: 'expired' };
      await muteForEveryone(ofAccount, changed, shorter);

      await unmute(['dep_1']);

      assert.deepEqual(settingIn(setting), [changed]);
    });

    it('takes the entries of several problems out', async () => {
      const { messages } = await unmute(['dep_1', 'dep_3'], [0, 1]);

      assert.deepEqual(settingIn(setting), []);
      assert.match(messages[0]?.[1] ?? '', /^Removed 2 mutes for everyone from /);
    });

    it('sends no request, not even by Undo', async () => {
      const before = asked();
      await unmuteAndUndo(['dep_1']);

      assert.deepEqual(asked(), before);
    });

    it('changes nothing when the file has unsaved changes, and says so', async () => {
      const editor = await vscode.window.showTextDocument(file);
      atEndOfTest(closeEditors);
      await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '\n'));

      assert.equal(
        await rejectionOf(unmute(['dep_1'])),
        'Nothing was changed: There are unsaved changes in .vscode/settings.json. Save them, then try again.',
      );
      assert.equal(muted(), 3);
    });

    it('says so when the entry is gone from the file', async () => {
      await muteForUser('dep_1');
      const shown = recordWindow();
      replace(vscode.window, {
        showQuickPick: async (items: readonly vscode.QuickPickItem[]) => {
          await muteForEveryone(ofRequirement);
          return items.find(({ label }) => label === 'Both');
        },
      });

      await run('unmuteProblem', graph.row('dep_1'));

      const text =
        'The mute for everyone is no longer in the settings. No longer muted: Ops Slack.';
      assert.deepEqual(shown.messages, [['information', text]]);
    });
  });

  describe('of a problem that the user and an entry mute', () => {
    const forEveryone = 'The Mute for Everyone';
    beforeEach(async () => {
      await muteForUser('dep_1');
      await muteForEveryone(ofAccount);
    });
    /** The user’s own mute, and the setting. */
    const mutes = () => {
      const [problem] = store.get('dep_1')!.answer!.findings.problems;
      const own = graph.services.memory.ownMuteOf(problem!);
      return { isOwn: own !== undefined, setting: settingIn(setting) };
    };

    it('asks which mute is to end', async () => {
      const { picks, placeholders } = await unmute(['dep_1']);

      const lines = picks.map(({ label, description }) => `${label} | ${description}`);
      const lastDay = utcDayText(terms.until, Date.now());
      assert.deepEqual(lines, [
        'Your Own Mute | until it changes',
        `The Mute for Everyone | until ${lastDay} · App review at Slack`,
        'Both | undefined',
      ]);
      assert.deepEqual(placeholders, [
        'Ops Slack: muted by you and for everyone. Which mute is to end?',
      ]);
    });

    it('changes nothing when the question is dismissed', async () => {
      await unmute(['dep_1']);

      assert.deepEqual(mutes(), { isOwn: true, setting: [ofAccount] });
    });

    for (const [choice, expected] of [
      ['Your Own Mute', { isOwn: false, setting: [ofAccount] }],
      [forEveryone, { isOwn: true, setting: [] }],
      ['Both', { isOwn: false, setting: [] }],
    ] as const) {
      it(`ends what the user chooses: ${choice}`, async () => {
        await unmute(['dep_1'], choice);

        assert.deepEqual(mutes(), expected);
      });
    }

    it('says that the other mute stays: for everyone', async () => {
      const { statusMessages } = await unmute(['dep_1'], 'Your Own Mute');

      assert.deepEqual(statusMessages, ['Still muted for everyone: Ops Slack.']);
    });

    it('says that the other mute stays: the user’s own', async () => {
      const { messages } = await unmute(['dep_1'], forEveryone);

      const text =
        'Removed the mute for everyone from .vscode/settings.json. Still muted for you: Ops Slack.';
      assert.equal(messages[0]?.[1], text);
    });

    it('has both mutes again after Undo', async () => {
      await unmuteAndUndo(['dep_1'], 'Both');

      assert.deepEqual(mutes(), { isOwn: true, setting: [ofAccount] });
    });

    it('does not mute after Undo for the user what has changed meanwhile', async () => {
      const shown = recordWindow(() => 'Both');
      const presses = recordOpenMessages();
      await run('unmuteProblem', graph.row('dep_1'));
      const suspended = account({ error: { code: 'account_suspended' } });
      for (const id of ['dep_1', 'dep_2'])
        platform.putDeployment(id, authorization([suspended], []));
      await store.refresh();

      for (const press of presses) press('Undo');
      await until('the end of Undo', () => shown.statusMessages.length > 0);

      assert.equal(mutes().isOwn, false);
    });

    it('ends the user’s own mute for good when Undo is refused', async () => {
      const shown = recordWindow(() => 'Both');
      const presses = recordOpenMessages();
      await run('unmuteProblem', graph.row('dep_1'));
      const editor = await vscode.window.showTextDocument(file);
      atEndOfTest(closeEditors);
      await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '\n'));

      for (const press of presses) press('Undo');
      await until('the refusal', () => shown.messages.length > 0);

      assert.equal(mutes().isOwn, false, shown.messages.join());
    });

    it('keeps a notification that is wanted through Undo', async () => {
      await run('notifyWhenFixed', rowOfProblem('dep_1'));
      await unmuteAndUndo(['dep_1'], 'Both');

      assert.equal(graph.services.memory.isNotifying, true);
    });

    it('ends no own mute when the file cannot be written', async () => {
      await muteForEveryone(ofAccount);
      const editor = await vscode.window.showTextDocument(file);
      atEndOfTest(closeEditors);
      await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), '\n'));

      await rejectionOf(unmute(['dep_1'], 'Both'));

      assert.equal(mutes().isOwn, true);
    });

    it('ends nothing when another organization becomes current during its question', async () => {
      replace(vscode.window, {
        showQuickPick: ([first]: unknown[]) => signIn('Other').then(() => first),
      });
      await run('unmuteProblem', graph.row('dep_1'));

      assert.deepEqual(settingIn(setting), [ofAccount]);
    });

    it('asks about this problem alone when another one has a single mute', async () => {
      await muteForEveryone(ofAccount, ofRequirement);
      const { placeholders } = await unmute(['dep_1', 'dep_3'], [0, 1], 'Your Own Mute');

      assert.match(placeholders.at(-1) ?? '', /^Ops Slack: muted by you and for everyone\./);
      assert.deepEqual(settingIn(setting), [ofAccount]);
    });

    it('counts the problems in its question when several have both mutes', async () => {
      await muteForUser('dep_3');
      await muteForEveryone(ofAccount, ofRequirement);
      const { placeholders } = await unmute(['dep_1', 'dep_3'], [0, 1], 'The Mutes for Everyone');

      assert.match(placeholders.at(-1) ?? '', /^2 problems: muted by you and for everyone\./);
      assert.deepEqual(settingIn(setting), []);
    });
  });
});

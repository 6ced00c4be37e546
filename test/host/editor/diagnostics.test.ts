import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import { problemDiagnostic } from '../../../src/views/editor/diagnostics.js';
import { billing, deployment, minutes } from '../views/fixtures.js';
import { closeEverything, createWorld, diagnosticsIn, pause, reported, until, type World } from './world.js';

const { Workspace, Global } = vscode.ConfigurationTarget;

const sound: DeploymentAuthorization = {
  accounts: [{ id: 'acc_7', label: 'Finance Slack', serviceId: 'slack' }],
  requirements: [{ serviceId: 'slack', binding: 'notifier', satisfied: true }],
};

async function configure(key: string, value: unknown, target = Workspace): Promise<void> {
  await vscode.workspace.getConfiguration('automationPlatform', null).update(key, value, target);
}

/** A document that is open without an editor: an untitled one stays until it is reverted. */
async function untitled(content: string): Promise<vscode.TextDocument> {
  return vscode.workspace.openTextDocument({ content, language: 'plaintext' });
}

async function edit(document: vscode.TextDocument, change: (edit: vscode.WorkspaceEdit) => void): Promise<void> {
  const all = new vscode.WorkspaceEdit();
  change(all);
  assert.ok(await vscode.workspace.applyEdit(all), document.uri.toString());
}

async function shows(document: vscode.TextDocument, ...wanted: readonly string[]): Promise<void> {
  const seen = () => reported(document);
  await until(wanted.join(', ') || 'no diagnostics', () => isSame(seen(), wanted), seen);
}

const isSame = (a: readonly string[], b: readonly string[]) => JSON.stringify(a) === JSON.stringify(b);

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
    for (const key of ['diagnostics.failedAccounts', 'diagnostics.unsatisfiedRequirements']) {
      await configure(key, undefined);
      await configure(key, undefined, Global);
    }
  });

  it('stand at whole tokens only, as soon as there is an answer', async () => {
    const document = await untitled('dep_1 dep_10 my-dep_1 dep_1-old édep_1\n"dep_1":dep_2');
    assert.deepEqual(reported(document), []);
    await world.store.refreshAll();
    await shows(
      document,
      'warning 0:0-5 dep_1 token_revoked',
      'information 0:0-5 dep_1 not-satisfied',
      'warning 1:1-6 dep_1 token_revoked',
      'information 1:1-6 dep_1 not-satisfied',
    );
  });

  it('begin with what is wrong and where, and say when that was read', async () => {
    const document = await untitled('dep_1');
    await world.store.refreshAll();
    await until('two', () => diagnosticsIn(document).length === 2);
    const read = /^(.*) Read at [^.]+\. State of the service, not of this file\.$/;
    assert.deepEqual(
      diagnosticsIn(document).map(({ message }) => read.exec(message)?.[1]),
      [
        'Finance Slack (slack) failed: token_revoked (The workspace admin removed the app).',
        'notifier: Finance Slack is missing channels:read.',
      ],
    );
    for (const { source, relatedInformation } of diagnosticsIn(document)) {
      assert.equal(source, 'Automation Platform');
      assert.equal(relatedInformation, undefined);
    }
  });

  it('have the date of an answer that was not read today', () => {
    const [problem] = deployment({ authorization: billing }).answer!.findings.problems;
    const late = new Date(2026, 10, 20, 23, 59).getTime();
    const range = new vscode.Range(0, 0, 0, 5);
    const messageAt = (time: number) =>
      problemDiagnostic(problem!, range, vscode.DiagnosticSeverity.Error, late, time).message;
    assert.match(messageAt(late), / Read at 11:59 PM( UTC)?\. /);
    assert.match(messageAt(late + minutes(1)), / Read on Nov 20, 2026, 11:59 PM( UTC)?\. /);
  });

  it('are one bounded line whatever the service says', async () => {
    const error = { code: 'a\nb\u202E', message: `one\r\ntwo\u0007${'x'.repeat(5000)}` };
    const label = `L\n${'y'.repeat(3000)}`;
    world.answers.set('dep_1', { accounts: [{ id: 'acc_1', label, error }], requirements: [] });
    const document = await untitled('dep_1 acc_1');
    await world.store.refreshAll();
    await until('two', () => diagnosticsIn(document).length === 2);
    for (const { message, code } of diagnosticsIn(document)) {
      assert.match(message, /^[^\p{Cc}\u202E\u2028]{20,1000}State of the service, not of this file\.$/u);
      assert.match(message, /one␊two␇x/);
      assert.equal(code, 'a␊b⟨U+202E⟩');
    }
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

  it('of a failed account without a code have the code not-satisfied', async () => {
    world.answers.set('dep_1', { accounts: [{ id: 'acc_1', error: {} }], requirements: [] });
    const document = await untitled('acc_1');
    await world.store.refreshAll();
    await shows(document, 'warning 0:0-5 acc_1 not-satisfied');
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

  it('follow edits', async () => {
    const document = await untitled('a\ndep_1\n');
    await world.store.refreshAll();
    await shows(document, 'warning 1:0-5 dep_1 token_revoked', 'information 1:0-5 dep_1 not-satisfied');
    await edit(document, (all) => all.insert(document.uri, new vscode.Position(0, 0), 'b\nc: '));
    await shows(document, 'warning 2:0-5 dep_1 token_revoked', 'information 2:0-5 dep_1 not-satisfied');
    await edit(document, (all) => all.insert(document.uri, new vscode.Position(2, 5), '0'));
    await shows(document);
    await edit(document, (all) => {
      all.delete(document.uri, new vscode.Range(2, 5, 2, 6));
      all.insert(document.uri, new vscode.Position(0, 0), 'acc_2 ');
    });
    await shows(
      document,
      'warning 0:0-5 acc_2 token_revoked',
      'warning 2:0-5 dep_1 token_revoked',
      'information 2:0-5 dep_1 not-satisfied',
    );
  });

  it('come at most four times a second', async () => {
    const document = await untitled('dep_1\n');
    await world.store.refreshAll();
    await until('some', () => reported(document).length === 2);
    await pause(300);
    // Each pass finds them on another line. VS Code itself tells of some changes twice.
    const lines = new Set<number | undefined>();
    const listener = vscode.languages.onDidChangeDiagnostics(() =>
      lines.add(diagnosticsIn(document)[0]?.range.start.line),
    );
    const start = Date.now();
    while (Date.now() < start + 1500) {
      await edit(document, (all) => all.insert(document.uri, new vscode.Position(0, 0), '\n'));
    }
    listener.dispose();
    const elapsed = Date.now() - start;
    assert.ok(lines.size >= 2 && lines.size <= 1 + Math.ceil(elapsed / 250), `${lines.size} times in ${elapsed} ms`);
  });

  it('have the severity of the settings, and off is off', async () => {
    const document = await untitled('dep_1');
    await world.store.refreshAll();
    await shows(document, 'warning 0:0-5 dep_1 token_revoked', 'information 0:0-5 dep_1 not-satisfied');
    await configure('diagnostics.failedAccounts', 'error');
    await configure('diagnostics.unsatisfiedRequirements', 'hint');
    await shows(document, 'error 0:0-5 dep_1 token_revoked', 'hint 0:0-5 dep_1 not-satisfied');
    await configure('diagnostics.failedAccounts', 'off');
    await shows(document, 'hint 0:0-5 dep_1 not-satisfied');
    await configure('diagnostics.unsatisfiedRequirements', 'off');
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
    await configure('diagnostics.unsatisfiedRequirements', 'off');
    await until('200', () => all().length === 200, all);
    await configure('diagnostics.failedAccounts', 'off');
    await until('none', () => all().length === 0, all);
  });

  it('vanish with the document', async () => {
    const document = await untitled('dep_1');
    await world.store.refreshAll();
    await until('some', () => reported(document).length === 2);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until('closing', () => document.isClosed);
    assert.deepEqual(diagnosticsIn(document), []);
  });

  it('stand in files, and in documents that are opened later', async () => {
    await world.store.refreshAll();
    const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, '.env');
    await vscode.workspace.fs.writeFile(uri, Buffer.from('DEPLOYMENT_ID=dep_1\nOTHER=dep_10\n'));
    // Not through `openTextDocument`, which keeps it open for minutes.
    await vscode.commands.executeCommand('vscode.open', uri);
    const document = vscode.window.activeTextEditor!.document;
    await shows(document, 'warning 0:14-19 dep_1 token_revoked', 'information 0:14-19 dep_1 not-satisfied');
  });

  it('stand neither in output nor in documents of other kinds', async () => {
    await world.store.refreshAll();
    const channel = vscode.window.createOutputChannel('Automation Platform test');
    const provider = vscode.workspace.registerTextDocumentContentProvider('automation-platform-test', {
      provideTextDocumentContent: () => 'dep_1',
    });
    try {
      channel.append('dep_1');
      channel.show();
      await until('the output', () =>
        vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === 'output' && uri.path.includes('test')),
      );
      await vscode.workspace.openTextDocument(vscode.Uri.parse('automation-platform-test:a'));
      const document = await untitled('dep_1');
      await until('some', () => reported(document).length === 2);
      const places = vscode.languages.getDiagnostics().filter(([uri]) => diagnosticsIn({ uri }).length > 0);
      assert.deepEqual(
        places.map(([uri]) => uri.scheme),
        ['untitled'],
      );
    } finally {
      channel.dispose();
      provider.dispose();
    }
  });

  it('say which listed deployments are mentioned', async () => {
    const document = await untitled('dep_2');
    await until(
      'dep_2',
      () => isSame(world.mentioned, ['dep_2']),
      () => world.mentioned,
    );
    await world.store.refreshAll();
    await edit(document, (all) => all.insert(document.uri, new vscode.Position(0, 0), 'acc_2 dep_1 dep_3 '));
    await until(
      'both',
      () => isSame(world.mentioned, ['dep_2', 'dep_1 dep_2']),
      () => world.mentioned,
    );
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await until(
      'none',
      () => world.mentioned.at(-1) === '',
      () => world.mentioned,
    );
  });
});

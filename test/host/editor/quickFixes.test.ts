import { strict as assert } from 'node:assert';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { ReferenceTargets } from '../../../src/model/references/targets.js';
import { problemDiagnostic } from '../../../src/views/editor/diagnostics.js';
import { quickFixes } from '../../../src/views/editor/quickFixes.js';
import { billing } from '../views/fixtures.js';
import { closeEverything, createWorld, reported, untitled, type World } from './world.js';

/** Once there are as many, because diagnostics follow the store at intervals. */
async function fixesIn(document: vscode.TextDocument, range: readonly [number, number], expected: number) {
  const { uri } = document;
  for (const end = Date.now() + 8000; ; await pause(20)) {
    const all = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      uri,
      new vscode.Range(0, range[0], 0, range[1]),
      vscode.CodeActionKind.QuickFix.value,
    );
    const own = all.filter(({ command }) => command?.command.startsWith('automationPlatform.') === true);
    if (own.length !== expected && Date.now() < end) continue;
    assert.equal(own.length, expected, `${document.getText()}: ${reported(document).join(', ')}`);
    return own.map(({ title, command }) => [title, command?.command, command?.arguments]);
  }
}

describe('quick fixes', () => {
  let world: World;
  beforeEach(async () => {
    const second = { id: 'dep.2', label: '$(trash) two' };
    world = createWorld({ id: 'dep_1', label: 'Billing sync' }, second, { id: 'x.dep_1' }, { id: 'dep_3' });
    world.answers.set('dep_1', billing);
    world.answers.set('dep.2', { accounts: [], requirements: [{ binding: 'ledger', satisfied: false }] });
    await world.store.refresh();
  });
  afterEach(async () => {
    const configuration = vscode.workspace.getConfiguration('automationPlatform');
    await configuration.update('dashboardUrl', undefined, vscode.ConfigurationTarget.Global);
    world.dispose();
    await closeEverything();
  });

  it('are five at a deployment, and the same at one of its accounts; six if there is a dashboard', async () => {
    const { key } = world.store.get('dep_1')!.answer!.findings.problems[0]!;
    const wanted = [
      ['Check Again', 'automationPlatform.refreshDeployment', ['dep_1']],
      ['Reveal in Sidebar', 'automationPlatform.internal.revealDeployment', ['dep_1']],
      ['Watch Until It Changes', 'automationPlatform.watchDeployment', ['dep_1']],
      ['Mute Problem…', 'automationPlatform.muteProblem', [{ deployment: { id: 'dep_1' }, problem: { key } }]],
      ['Copy Authorization Report', 'automationPlatform.copyReport', ['dep_1']],
    ];
    // Part of another id that is listed, and has no problem.
    const document = await untitled('x.dep_1 acc_2');
    assert.deepEqual(await fixesIn(document, [3, 3], 5), wanted);
    assert.deepEqual(await fixesIn(document, [8, 13], 5), wanted);
    const configuration = vscode.workspace.getConfiguration('automationPlatform');
    await configuration.update(
      'dashboardUrl',
      'https://dash.example/{deploymentId}',
      vscode.ConfigurationTarget.Global,
    );
    const dashboard = ['Open in Dashboard', 'automationPlatform.openInDashboard', ['dep_1']];
    assert.deepEqual(await fixesIn(document, [3, 3], 6), wanted.toSpliced(4, 0, dashboard));
  });

  it('say whose they are where there are several, and are none where we report nothing, whatever others do', async () => {
    const document = await untitled('dep_1 dep.2 dep_3');
    const fixes = await fixesIn(document, [0, 11], 10);
    assert.deepEqual(fixes[0], ['Check Again: Billing sync', 'automationPlatform.refreshDeployment', ['dep_1']]);
    assert.deepEqual(fixes[5], ['Check Again: $ (trash) two', 'automationPlatform.refreshDeployment', ['dep.2']]);
    const linter = vscode.languages.createDiagnosticCollection('linter');
    linter.set(document.uri, [new vscode.Diagnostic(new vscode.Range(0, 12, 0, 17), 'of a linter')]);
    assert.deepEqual(await fixesIn(document, [12, 17], 0), []);
    linter.dispose();
  });

  it('read a line once, and each problem once, however many diagnostics stand in it', () => {
    const { deployments } = world.store;
    const targets = new ReferenceTargets(deployments);
    const { problems } = world.store.get('dep_1')!.answer!.findings;
    const text = 'dep_1 '.repeat(200);
    const diagnostics = Array.from({ length: 200 }, (_, at) => {
      const range = new vscode.Range(0, at * 6, 0, at * 6 + 5);
      return problemDiagnostic(problems[0]!, range, vscode.DiagnosticSeverity.Warning, 0, 0);
    });
    let reads = 0;
    const lineAt = () => {
      reads++;
      return { text };
    };
    let sentences = 0;
    const { account } = targets
      .problemsOf('dep_1')
      .flatMap(({ problem }) => (problem.kind === 'failedAccount' ? problem.finding : []))[0]!;
    const { error } = account;
    Object.defineProperty(account, 'error', { get: () => (sentences++, error) });
    const all = quickFixes({ lineAt }, diagnostics, targets, false);
    assert.deepEqual([all.length, all[0]?.diagnostics?.length, reads, sentences], [5, 200, 1, 1]);
  });
});

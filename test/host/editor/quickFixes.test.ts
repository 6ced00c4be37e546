import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { quickFixes } from '../../../src/views/editor/quickFixes.js';
import { billing } from '../views/fixtures.js';
import { closeEverything, createWorld, diagnosticsIn, until, untitled, type World } from './world.js';

function calls(fixes: readonly vscode.CodeAction[]) {
  return fixes.map(({ title, command }) => [title, command?.command, command?.arguments]);
}

/** Once the document has as many diagnostics as are expected: the store's changes come at intervals, so at first there may be fewer. */
async function fixesIn(content: string, range: vscode.Range, expected: number): Promise<vscode.CodeAction[]> {
  const document = await untitled(content);
  await until(`${expected} diagnostics`, () => diagnosticsIn(document).length === expected);
  const all = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    range,
    vscode.CodeActionKind.QuickFix.value,
  );
  return all.filter(({ command }) => command?.command.startsWith('automationPlatform.') === true);
}

describe('quick fixes', () => {
  let world: World;
  beforeEach(async () => {
    world = createWorld({ id: 'dep_1', label: 'Billing sync' }, { id: 'dep.2', label: '$(trash) two' }, 'x.dep_1');
    world.answers.set('dep_1', billing);
    await world.store.refreshAll();
  });
  afterEach(async () => {
    world.dispose();
    await closeEverything();
  });

  it('are five at a deployment, and the same at one of its accounts', async () => {
    const wanted = [
      ['Check Again', 'automationPlatform.refreshDeployment', ['dep_1']],
      ['Reveal in Sidebar', 'automationPlatform.internal.revealDeployment', ['dep_1']],
      ['Watch Until It Changes', 'automationPlatform.watchDeployment', ['dep_1']],
      ['Mute Problem…', 'automationPlatform.muteProblem', ['dep_1']],
      ['Copy Authorization Report', 'automationPlatform.copyReport', ['dep_1']],
    ];
    assert.deepEqual(calls(await fixesIn('a dep_1\nacc_2', new vscode.Range(0, 3, 0, 3), 3)), wanted);
    assert.deepEqual(calls(await fixesIn('a dep_1\nacc_2', new vscode.Range(1, 0, 1, 5), 3)), wanted);
  });

  it('open the dashboard too, if there is one, of exactly the id that has the diagnostic', async () => {
    const configuration = vscode.workspace.getConfiguration('automationPlatform');
    const { Global } = vscode.ConfigurationTarget;
    await configuration.update('dashboardUrl', 'https://dash.example/{deploymentId}', Global);
    try {
      const fixes = calls(await fixesIn('x.dep_1', new vscode.Range(0, 3, 0, 3), 2));
      assert.deepEqual(fixes.at(-2), ['Open in Dashboard', 'automationPlatform.openInDashboard', ['dep_1']]);
    } finally {
      await configuration.update('dashboardUrl', undefined, Global);
    }
  });

  it('say whose they are where there are several', async () => {
    world.answers.set('dep.2', { accounts: [], requirements: [{ binding: 'ledger', satisfied: false }] });
    await world.store.refreshAll();
    const fixes = calls(await fixesIn('dep_1 dep.2', new vscode.Range(0, 0, 0, 11), 3));
    assert.equal(fixes.length, 10);
    assert.deepEqual(fixes[0], ['Check Again: Billing sync', 'automationPlatform.refreshDeployment', ['dep_1']]);
    assert.deepEqual(fixes[5], ['Check Again: $ (trash) two', 'automationPlatform.refreshDeployment', ['dep.2']]);
  });

  it('are none where we report nothing, whatever others report there', async () => {
    assert.deepEqual(await fixesIn('dep_1 dep.2', new vscode.Range(0, 7, 0, 9), 2), []);
    const foreign = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 5), 'of a linter');
    assert.deepEqual(
      quickFixes([foreign], () => [{ deployment: world.store.get('dep_1')! }], false),
      [],
    );
  });
});

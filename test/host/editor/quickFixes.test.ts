import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { openFile, reported, until } from '../../support/window/editors.js';
import { billing } from '../../support/window/fixtures.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

/** Once both problems are reported, because diagnostics follow the store at intervals. */
async function fixesIn(document: vscode.TextDocument, from: number, to: number) {
  await until('diagnostics', () => reported(document).length === 2);
  const all = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    new vscode.Range(0, from, 0, to),
    vscode.CodeActionKind.QuickFix.value,
  );
  const own = all.filter(
    ({ command }) => command?.command.startsWith('automationPlatform.') === true,
  );
  return own.map(({ title, command }) => [title, command?.command, command?.arguments]);
}

describe('quick fixes', () => {
  let store: World['graph']['services']['store'];
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
    const { platform, graph } = world;
    ({ store } = graph.services);
    platform.putDeployment('dep_1', billing);
    platform.putDeployment('dep.2', {
      accounts: [],
      requirements: [{ binding: 'ledger', satisfied: false }],
    });
    const second = { id: 'dep.2', label: '$(trash) two' };
    await graph.read({ id: 'dep_1', label: 'Billing sync' }, second, 'x.dep_1', 'dep_3');
  });

  it('are the four that help, once for a deployment and its accounts, with a dashboard, too', async () => {
    const { key } = store.get('dep_1')!.answer!.findings.problems[0]!;
    const row = { deployment: { id: 'dep_1' }, problem: { key } };
    const wanted = [
      ['Copy Request', 'automationPlatform.copyRequest', [row]],
      ['Reveal in Deployments View', 'automationPlatform.internal.revealDeployment', ['dep_1']],
      ['Notify When Fixed', 'automationPlatform.notifyWhenFixed', [row]],
      ['Mute Problem...', 'automationPlatform.muteProblem', [row]],
    ];
    // The longer ID that is listed, too, has no problem.
    const document = await openFile('dep_1 acc_2 x.dep_1');
    assert.deepEqual(await fixesIn(document, 1, 1), wanted);
    for (const from of [1, 6]) assert.deepEqual(await fixesIn(document, from, 19), wanted);
    await writeSetting('automationPlatform.dashboardUrl', 'https://dash.example/{deploymentId}');
    assert.deepEqual(await fixesIn(document, 1, 1), wanted);
  });

  it('are about all problems of one ID', async () => {
    const requirements = ['ledger', 'notifier'].map((binding) => ({ binding, satisfied: false }));
    world.platform.putDeployment('dep_4', { accounts: [], requirements });
    await world.graph.read('dep_4');
    const fixes = await fixesIn(await openFile('dep_4'), 1, 1);
    assert.deepEqual(
      fixes.map(([title, , given]) => [title, given]),
      ['Copy Request', 'Reveal in Deployments View', 'Notify When Fixed', 'Mute Problem...'].map(
        (title) => [title, ['dep_4']],
      ),
    );
  });

  it('name their deployment where several have some, and are none at the diagnostics of others', async () => {
    const document = await openFile('dep_1 dep.2 dep_3');
    const fixes = await fixesIn(document, 0, 11);
    const reveal = 'automationPlatform.internal.revealDeployment';
    assert.deepEqual(fixes[1], ['Reveal in Deployments View: Billing sync', reveal, ['dep_1']]);
    assert.deepEqual(fixes[5], ['Reveal in Deployments View: $ (trash) two', reveal, ['dep.2']]);
    const linter = vscode.languages.createDiagnosticCollection('linter');
    linter.set(document.uri, [
      new vscode.Diagnostic(new vscode.Range(0, 12, 0, 17), 'of a linter'),
    ]);
    assert.deepEqual(await fixesIn(document, 12, 17), []);
    linter.dispose();
  });
});

import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { openFile, reported, until } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { billing } from '../../support/window/fixtures.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

/**
 * Our quick fixes between two characters of the first line, as title, command, and arguments.
 * Waits for two diagnostics, because these follow the store at intervals.
 */
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

  describe('of one deployment', () => {
    let document: vscode.TextDocument;
    let wanted: readonly unknown[];
    beforeEach(async () => {
      const { key } = store.get('dep_1')!.answer!.findings.problems[0]!;
      const row = { deployment: { id: 'dep_1' }, problem: { key } };
      wanted = [
        ['Copy Request', 'automationPlatform.copyRequest', [row]],
        ['Reveal in Deployments View', 'automationPlatform.internal.revealDeployment', ['dep_1']],
        ['Notify When Fixed', 'automationPlatform.notifyWhenFixed', [row]],
        ['Mute Problem...', 'automationPlatform.muteProblem', [row]],
      ];
      // The longer ID, which is listed as well, has no problem.
      document = await openFile('dep_1 acc_2 x.dep_1');
    });

    it('are the four commands that help', async () => {
      assert.deepEqual(await fixesIn(document, 1, 1), wanted);
    });

    it('are the same when the ID of its account is selected, too', async () => {
      assert.deepEqual(await fixesIn(document, 1, 19), wanted);
    });

    it('are the same when only the ID of its account is selected', async () => {
      assert.deepEqual(await fixesIn(document, 6, 19), wanted);
    });

    it('stay the same when there is a dashboard', async () => {
      await writeSetting('automationPlatform.dashboardUrl', 'https://dash.example/{deploymentId}');
      assert.deepEqual(await fixesIn(document, 1, 1), wanted);
    });
  });

  it('are about all problems of one ID', async () => {
    const requirements = ['ledger', 'notifier'].map((binding) => ({ binding, satisfied: false }));
    world.platform.putDeployment('dep_4', { accounts: [], requirements });
    await world.graph.read('dep_4');
    const fixes = await fixesIn(await openFile('dep_4'), 1, 1);
    assert.deepEqual(
      fixes.map(([title, , given]) => [title, given]),
      [
        ['Copy Request', ['dep_4']],
        ['Reveal in Deployments View', ['dep_4']],
        ['Notify When Fixed', ['dep_4']],
        ['Mute Problem...', ['dep_4']],
      ],
    );
  });

  it('name their deployment when several are selected', async () => {
    const document = await openFile('dep_1 dep.2 dep_3');
    const reveal = 'automationPlatform.internal.revealDeployment';
    const fixes = await fixesIn(document, 0, 11);
    const reveals = fixes.filter(([, command]) => command === reveal);
    assert.deepEqual(reveals, [
      ['Reveal in Deployments View: Billing sync', reveal, ['dep_1']],
      ['Reveal in Deployments View: $ (trash) two', reveal, ['dep.2']],
    ]);
  });

  it('are none at the diagnostic of another extension', async () => {
    const document = await openFile('dep_1 dep.2 dep_3');
    const linter = vscode.languages.createDiagnosticCollection('linter');
    atEndOfTest(() => linter.dispose());
    linter.set(document.uri, [
      new vscode.Diagnostic(new vscode.Range(0, 12, 0, 17), 'of a linter'),
    ]);
    assert.deepEqual(await fixesIn(document, 12, 17), []);
  });
});

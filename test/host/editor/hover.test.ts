import { strict as assert } from 'node:assert';
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { absoluteTime } from '../../../src/host/text/format.js';
import type { Deployment } from '../../../src/model/deployment.js';
import { ReferenceTargets } from '../../../src/model/references/known.js';
import { referenceHover } from '../../../src/views/editor/hover.js';
import {
  billing,
  type DeploymentFacts,
  deployment,
  minutes,
  now,
  organization,
  readIn,
  satisfied,
} from '../views/fixtures.js';
import { closeEverything, createWorld, diagnosticsIn, until, type World } from './world.js';

const context = { organization, now, isVisible: () => false, hasDashboard: false, impact: { count: () => 0 } };

function hoverOn(id: string, ...deployments: readonly Deployment[]): vscode.MarkdownString {
  return referenceHover(new ReferenceTargets(deployments).of(id), context);
}

/** Without line breaks and links of ours, and without times that depend on the machine. */
function shown(hover: vscode.MarkdownString): string {
  return readIn(hover)
    .replace(/\[([^\]]*)\]\(command:[^)]*\)/g, '[$1]')
    .replaceAll(/ {2}\n {2}/g, '\n')
    .replaceAll(/Seen since [^.]+\.( [A-Z]{3,4}\.)?/g, 'Seen since then.')
    .replaceAll(/(\d+) (min|h)\S*( ago)/g, '$1 $2$3');
}

function textOn(facts: DeploymentFacts, id = 'dep_1'): string {
  return shown(hoverOn(id, deployment({ label: 'Billing sync', ...facts })));
}

const checked = `Checked 3 h ago (${absoluteTime(now - minutes(180))}).`;
const links = '$(refresh) [Check Again] · $(list-tree) [Reveal in Sidebar] · $(copy) [Copy Authorization Report]';

async function hovers(uri: vscode.Uri, character: number, line = 0): Promise<vscode.Hover[]> {
  const position = new vscode.Position(line, character);
  const all = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, position);
  return all.filter(({ contents }) => contents.some((one) => typeof one === 'object' && /dep&#95;1/.test(one.value)));
}

/** What the hover begins with: what is wrong, or what helps. */
async function beginning(uri: vscode.Uri, line = 0): Promise<string> {
  const [hover] = await hovers(uri, 2, line);
  const [content] = hover?.contents ?? [];
  return /Finance Slack \(slack\) failed|Reconnect/.exec(readIn(content))?.[0] ?? '';
}

function isDiffInFront(): boolean {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff;
}

describe('hovers in editors', () => {
  it('begin with what is wrong and what helps, then say whose it is and what is well', () => {
    assert.equal(
      textOn({ authorization: billing, age: 2 }),
      [
        '- $(error) Finance Slack (slack) failed: token_revoked (The workspace admin removed the app).',
        `Reconnect Finance Slack (slack) with the scope channels:read. Seen since then. ${checked}`,
        '- $(warning) notifier: Finance Slack is missing channels:read.',
        'Reconnect Finance Slack (slack) with the scope channels:read. Or use one of the eligible accounts: Ops Slack, acc_9. Seen since then.',
        '',
        '**Billing sync** · dep_1 · Acme production',
        '',
        `Read 2 min ago (${absoluteTime(now - minutes(2))}).`,
        links,
        '',
        '- $(question) Unknown: google-sheets.',
        '- $(pass) Satisfied: ledger (stripe).',
        '- $(pass) No error: Ops Slack (slack).',
      ].join('\n'),
    );
  });

  it('repeat nothing of a problem that VS Code shows beside them', () => {
    const target = { deployment: deployment({ authorization: billing }) };
    const hover = referenceHover(target, { ...context, isVisible: ({ kind }) => kind === 'failedAccount' });
    assert.deepEqual(shown(hover).split('\n').toSpliced(2, 3).slice(0, 4), [
      `- $(lightbulb) Reconnect Finance Slack (slack) with the scope channels:read. Seen since then. ${checked}`,
      '- $(warning) notifier: Finance Slack is missing channels:read.',
      '',
      links,
    ]);
  });

  it('say that data is stale and why, that it is being read, that nothing was read, and that all is well', () => {
    const reading = textOn({ authorization: satisfied, activity: 'reading' });
    assert.match(reading, /\n\n\$\(pass\) Satisfied · reading\nRead just now \(/);
    const failure = { kind: 'serverError', status: 503 } as const;
    const stale = textOn({ authorization: satisfied, age: 60, failure });
    assert.match(stale, /\n\n\$\(pass\) Satisfied\nStale: last read 1 h ago \(/);
    assert.match(stale, /503.*Tried on /);
    assert.match(textOn({ authorization: satisfied, failure }), /\$\(pass\) Satisfied\nStale\.\n/);
    assert.match(
      textOn({}),
      /^\*\*Billing sync\*\* · dep_1 · Acme production\n\n\$\(circle-large-outline\) Not \w+ yet\n/,
    );
    assert.match(textOn({ failure: { kind: 'notFound', status: 404 } }), /\$\(question\) Unknown\n[^]*404/);
  });

  it('say once that a satisfied requirement lacks scopes', () => {
    const connections = [{ connectionMethodId: 'm', requiredScopes: ['s'] }];
    const accounts = [{ id: 'a', connectionMethodId: 'm', scopes: [] }];
    const requirements = [{ binding: 'r', accountId: 'a', satisfied: true, connections }];
    assert.match(
      textOn({ authorization: { accounts, requirements } }),
      /[^-]*- .* r: a is missing s\.\n- .* No error: a\.$/,
    );
  });

  it('on an account say what is wrong with it, whose answer says so and what it is bound to', () => {
    const old = deployment({ id: 'dep_0', authorization: { accounts: [{ id: 'acc_2' }], requirements: [] }, age: 9 });
    assert.equal(
      shown(hoverOn('acc_2', old, deployment({ label: 'Billing sync', authorization: billing, age: 2 }))),
      [
        '- $(error) Finance Slack (slack) failed: token_revoked (The workspace admin removed the app).',
        `Reconnect Finance Slack (slack) with the scope channels:read. Seen since then. ${checked}`,
        '',
        '**Finance Slack** · account · Acme production',
        '',
        `From the response for Billing sync. Read 2 min ago (${absoluteTime(now - minutes(2))}).`,
        links,
        '',
        'Granted scopes: chat:write.',
        '',
        '- $(warning) notifier: Finance Slack is missing channels:read.',
      ].join('\n'),
    );
  });

  it('link our own commands and enable no others', () => {
    const id = `d(1) "'é/]*_`;
    const hover = referenceHover({ deployment: deployment({ id }) }, { ...context, hasDashboard: true });
    const called = Array.from(hover.value.matchAll(/\]\(command:([\w.]+)\?([^)]*)\)/g), ([, command, argument]) => {
      assert.deepEqual(JSON.parse(decodeURIComponent(argument ?? '')), [id]);
      return command;
    });
    assert.deepEqual(called, [
      'automationPlatform.refreshDeployment',
      'automationPlatform.internal.revealDeployment',
      'automationPlatform.openInDashboard',
      'automationPlatform.copyReport',
    ]);
    assert.deepEqual([hover.isTrusted, hover.supportHtml ?? false], [{ enabledCommands: called }, false]);
  });

  describe('of VS Code', () => {
    const folder = vscode.workspace.workspaceFolders![0]!.uri;
    let world: World;
    beforeEach(async () => {
      world = createWorld({ id: 'dep_1' });
      world.answers.set('dep_1', billing);
      await world.store.refreshAll();
    });
    afterEach(async () => {
      world.dispose();
      await closeEverything();
    });

    it('appear on the whole token in documents of any kind, without diagnostics, and not in our own log', async () => {
      const provider = vscode.workspace.registerTextDocumentContentProvider('ap-test', {
        provideTextDocumentContent: () => 'a dep_1 dep_10',
      });
      const { uri } = await vscode.workspace.openTextDocument(vscode.Uri.parse('ap-test:b'));
      const [hover, ...others] = await hovers(uri, 4);
      assert.deepEqual(hover?.range, new vscode.Range(0, 2, 0, 7));
      assert.deepEqual([...others, ...(await hovers(uri, 10))], []);
      const log = vscode.Uri.joinPath(folder, 'automation-platform-tools.automation-platform', 'a.log');
      await vscode.workspace.fs.writeFile(log, Buffer.from('dep_1'));
      await vscode.workspace.openTextDocument(log);
      assert.deepEqual(await hovers(log, 2), []);
      await pause(300);
      assert.deepEqual([uri, log].flatMap(vscode.languages.getDiagnostics), []);
      provider.dispose();
    });

    it('leave what is wrong to the diagnostic where VS Code shows it, and else begin with it', async () => {
      const configuration = vscode.workspace.getConfiguration(undefined, null);
      const told = 'Finance Slack (slack) failed';
      const [uri, other] = ['a.txt', 'b.txt'].map((name) => vscode.Uri.joinPath(folder, name));
      for (const one of [uri!, other!]) await vscode.workspace.fs.writeFile(one, Buffer.from('dep_1\n'.repeat(101)));
      await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
      const { document } = vscode.window.activeTextEditor!;
      await until('all', () => diagnosticsIn(document).length === 201);
      assert.equal(await beginning(document.uri), 'Reconnect');
      assert.equal(await beginning(document.uri, 100), told, 'beyond 200');
      await vscode.commands.executeCommand('vscode.diff', document.uri, other);
      await until('the diff', isDiffInFront);
      assert.equal(await beginning(document.uri), told, 'left side of a diff');
      await until('those of the right side', () => diagnosticsIn({ uri: other! }).length === 201);
      assert.equal(await beginning(other!), 'Reconnect', 'right side of a diff');
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await until('no diff', () => !isDiffInFront());
      await configuration.update('problems.visibility', false, vscode.ConfigurationTarget.Workspace);
      assert.equal(await beginning(document.uri), told, 'problems.visibility');
      await configuration.update('problems.visibility', undefined, vscode.ConfigurationTarget.Workspace);
      const level = 'automationPlatform.diagnostics.failedAccounts';
      await configuration.update(level, 'off', vscode.ConfigurationTarget.Workspace);
      await until('none of the account', () => diagnosticsIn(document).length === 101);
      assert.equal(await beginning(document.uri), told, 'off');
      await configuration.update(level, undefined, vscode.ConfigurationTarget.Workspace);
    });
  });
});

import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { absoluteTime } from '../../../src/host/text/format.js';
import type { Deployment } from '../../../src/model/deployment.js';
import { ReferenceTargets } from '../../../src/model/references/targets.js';
import { referenceHover } from '../../../src/views/editor/hover.js';
import * as fixtures from '../views/fixtures.js';
import { closeEverything, configure, createWorld, diagnosticsIn, until, type World } from './world.js';

const { billing, minutes, now, organization, readIn, satisfied, twoProblems } = fixtures;
const context = { organization, now, isVisible: () => false, hasDashboard: false, impact: { count: () => 0 } };

function deployment(facts: fixtures.DeploymentFacts): Deployment {
  return fixtures.deployment({ label: 'Billing sync', ...facts });
}

/** Without line breaks and links of ours, and without times that depend on the machine. */
function shown(hover: vscode.MarkdownString): string {
  return readIn(hover)
    .replace(/\[([^\]]*)\]\(command:[^)]*\)/g, '[$1]')
    .replaceAll(/ {2}\n {2}/g, '\n')
    .replaceAll(/Seen since [^.]+\.( [A-Z]{3,4}\.)?/g, 'Seen since then.')
    .replaceAll(/(\d+) (min|h)\S*( ago)/g, '$1 $2$3');
}

function textOn(id: string, ...deployments: readonly Deployment[]): string {
  return shown(referenceHover(new ReferenceTargets(deployments).of(id), context));
}

const grant = 'Reconnect Finance Slack (slack) with the scope channels:read.';
const help = `${grant} Seen since then. Checked 3 h ago (${absoluteTime(now - minutes(180))}).`;
const other =
  'Reconnect Team Slack (slack) with the scope channels:read. Or use one of the eligible accounts: Ops Slack, acc_9. Seen since then.';
const failed = '- $(error) Finance Slack (slack) failed: token_revoked (The workspace admin removed the app).';
const missing = '- $(warning) digest: Team Slack is missing channels:read.';
const effect = '- $(warning) notifier: needs Finance Slack.';
const links = '$(refresh) [Check Again] · $(list-tree) [Reveal in Sidebar] · $(copy) [Copy Authorization Report]';
const read = `Read 2 min ago (${absoluteTime(now - minutes(2))}).`;

async function hovers(uri: vscode.Uri, line: number, character: number): Promise<vscode.Hover[]> {
  const position = new vscode.Position(line, character);
  const all = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', uri, position);
  return all.filter(({ contents: [one] }) => one instanceof vscode.MarkdownString && /dep&#95;1/.test(one.value));
}

/** With what is wrong, or with what helps. */
async function begins(uri: vscode.Uri, line: number, wanted: 'problem' | 'help', where: string): Promise<void> {
  const [hover] = await hovers(uri, line, 2);
  const [, icon] = /^- \$\((error|lightbulb)\)/.exec(readIn(hover?.contents[0])) ?? [];
  assert.equal(icon, wanted === 'help' ? 'lightbulb' : 'error', where);
}

function isDiffInFront(): boolean {
  return vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff;
}

describe('hovers in editors', () => {
  it('begin with what is wrong and what helps, then say whose it is and what is well', () => {
    assert.deepEqual(textOn('dep_1', deployment({ authorization: twoProblems, age: 2 })).split('\n\n'), [
      [failed, help, missing, other].join('\n'),
      '**Billing sync** · dep_1 · Acme production',
      `${read}\n${links}`,
      `${effect}\n- $(question) Unknown: google-sheets.\n- $(pass) Satisfied: ledger (stripe).\n- $(pass) No error: Ops Slack (slack), Team Slack (slack).`,
    ]);
  });

  it('on an account say what is wrong with it, whose answer says so and what it is bound to', () => {
    const old = deployment({ id: 'dep_0', authorization: { accounts: [{ id: 'acc_2' }], requirements: [] }, age: 9 });
    assert.deepEqual(textOn('acc_2', old, deployment({ authorization: billing, age: 2 })).split('\n\n'), [
      `${failed}\n${help}`,
      '**Finance Slack** · account · Acme production',
      `From the response for Billing sync. ${read}\n${links}`,
      'Granted scopes: chat:write.',
      effect,
    ]);
  });

  it('repeat nothing of a problem that VS Code shows beside them', () => {
    const target = { deployment: deployment({ authorization: twoProblems }) };
    const hover = referenceHover(target, { ...context, isVisible: ({ kind }) => kind === 'failedAccount' });
    const [first, ...others] = shown(hover).split('\n');
    assert.deepEqual([first, ...others.slice(0, 2), others[5]], [`- $(lightbulb) ${help}`, missing, other, links]);
  });

  it('say that data is stale and why, that it is being read, that nothing was read, and that all is well', () => {
    const failure = { kind: 'serverError', status: 503 } as const;
    for (const [facts, expected] of [
      [{ authorization: satisfied, activity: 'reading' }, /\n\n\$\(pass\) Satisfied · reading\nRead just now \(/],
      [
        { authorization: satisfied, age: 60, failure },
        /\$\(question\) Unknown\nStale: last read 1 h ago \([^]*503.*Tried on /,
      ],
      [{ authorization: satisfied, failure }, /\$\(question\) Unknown\nStale\.\n/],
      [{}, /^\*\*Billing sync\*\* · dep_1 · Acme production\n\n\$\(circle-large-outline\) Not \w+ yet\n/],
      [{ failure: { kind: 'notFound', status: 404 } }, /\$\(question\) Unknown\n[^]*404/],
    ] as const) {
      assert.match(textOn('dep_1', deployment(facts)), expected);
    }
  });

  it('say once that a satisfied requirement lacks scopes', () => {
    const connections = [{ connectionMethodId: 'm', requiredScopes: ['s'] }];
    const accounts = [{ id: 'a', connectionMethodId: 'm', scopes: [] }];
    const requirements = [{ binding: 'r', accountId: 'a', satisfied: true, connections }];
    const text = textOn('dep_1', deployment({ authorization: { accounts, requirements } }));
    assert.deepEqual(text.split('\n').slice(-2), ['- $(pass) r: a is missing s.', '- $(pass) No error: a.']);
  });

  it('link our own commands and enable no others', () => {
    const id = `d(1) "'é/]*_`;
    const hover = referenceHover({ deployment: deployment({ id }) }, { ...context, hasDashboard: true });
    const called = Array.from(hover.value.matchAll(/\]\(command:([\w.]+)\?([^)]*)\)/g), ([, command, argument]) => {
      assert.deepEqual(JSON.parse(decodeURIComponent(argument ?? '')), [id]);
      return command;
    });
    const names = ['refreshDeployment', 'internal.revealDeployment', 'openInDashboard', 'copyReport'];
    const enabledCommands = names.map((name) => `automationPlatform.${name}`);
    assert.deepEqual([called, hover.isTrusted], [enabledCommands, { enabledCommands }]);
    assert.notEqual(hover.supportHtml, true);
  });

  describe('of VS Code', () => {
    const folder = vscode.workspace.workspaceFolders![0]!.uri;
    let world: World;
    beforeEach(async () => {
      world = createWorld({ id: 'dep_1' });
      world.answers.set('dep_1', twoProblems);
      await world.store.refresh();
    });
    afterEach(async () => {
      world.dispose();
      await closeEverything();
    });

    async function write(name: string, content: string): Promise<vscode.Uri> {
      const uri = vscode.Uri.joinPath(folder, name);
      await vscode.workspace.fs.writeFile(uri, Buffer.from(content));
      return uri;
    }

    it('appear on the whole token in documents of any kind, without diagnostics, and not in our own log', async () => {
      const provider = vscode.workspace.registerTextDocumentContentProvider('ap-test', {
        provideTextDocumentContent: () => 'a dep_1 dep_10',
      });
      const { uri } = await vscode.workspace.openTextDocument(vscode.Uri.parse('ap-test:b'));
      const [hover, ...others] = await hovers(uri, 0, 4);
      assert.deepEqual(hover?.range, new vscode.Range(0, 2, 0, 7));
      assert.deepEqual([...others, ...(await hovers(uri, 0, 10))], []);
      const log = await write('automation-platform-tools.automation-platform/a.log', 'dep_1');
      await vscode.workspace.openTextDocument(log);
      assert.deepEqual(await hovers(log, 0, 2), []);
      assert.deepEqual([uri, log].flatMap(vscode.languages.getDiagnostics), []);
      provider.dispose();
    });

    it('leave what is wrong to the diagnostic where VS Code shows it, and else begin with it', async () => {
      const content = 'dep_1\n'.repeat(101);
      const [uri, right] = [await write('a.txt', content), await write('b.txt', content)];
      await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
      await until('all', () => diagnosticsIn({ uri }).length === 201);
      await begins(uri, 0, 'help', 'shown');
      await begins(uri, 100, 'problem', 'beyond 200');
      await vscode.commands.executeCommand('vscode.diff', uri, right);
      await until('the diff', isDiffInFront);
      await begins(uri, 0, 'problem', 'left side of a diff');
      await until('those of the right side', () => diagnosticsIn({ uri: right }).length === 201);
      await begins(right, 0, 'help', 'right side of a diff');
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await until('no diff', () => !isDiffInFront());
      await configure('problems.visibility', false);
      await begins(uri, 0, 'problem', 'problems.visibility');
      await configure('problems.visibility', undefined);
      await configure('automationPlatform.diagnostics.failedAccounts', 'off');
      await until('none of the account', () => diagnosticsIn({ uri }).length === 101);
      await begins(uri, 0, 'problem', 'off');
      await configure('automationPlatform.diagnostics.failedAccounts', undefined);
    });
  });
});

import { strict as assert } from 'node:assert';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import type { SettingChange } from '../../../src/host/list/scopedSetting.js';
import { hasHovers, isDiagnosed } from '../../../src/views/editor/editorFeatures.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import {
  closeEditors,
  diagnosticsIn,
  edit,
  openFile,
  reported,
  until,
} from '../../support/window/editors.js';
import { twoProblems } from '../../support/window/fixtures.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

const sound: DeploymentAuthorization = {
  accounts: [{ id: 'acc_7', label: 'Finance Slack', serviceId: 'slack' }],
  requirements: [{ serviceId: 'slack', binding: 'notifier', satisfied: true }],
};

const failures = 'automationPlatform.diagnostics.failedAccounts';
const requirements = 'automationPlatform.diagnostics.unsatisfiedRequirements';

async function shows(document: vscode.TextDocument, ...wanted: readonly string[]): Promise<void> {
  const seen = () => reported(document);
  await until(wanted.join(', ') || 'no diagnostics', () => isDeepStrictEqual(seen(), wanted), seen);
}

/** What is reported at a deployment's ID while its answer is `twoProblems`. */
function both(place: string, id = 'dep_1'): readonly string[] {
  return [`warning ${place} ${id} token_revoked`, `information ${place} ${id} not-satisfied`];
}

describe('diagnostics in editors', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  let store: World['graph']['services']['store'];
  beforeEach(async () => {
    ({ platform, graph } = await startWorld());
    ({ store } = graph.services);
    platform.putDeployment('dep_1', twoProblems);
    platform.putDeployment('dep_2', sound);
    store.setListed([{ id: 'dep_1', label: 'Billing sync' }, { id: 'dep_2' }]);
  });

  it('appear at the IDs of deployments and accounts with the answer, one for each mention and cause', async () => {
    const document = await openFile('dep_1 dep_10 acc_1\n"acc_2":dep_2');
    assert.deepEqual(reported(document), []);
    await store.refresh();
    await shows(document, ...both('0:0-5'), 'warning 1:1-6 acc_2 token_revoked');
    assert.deepEqual(
      diagnosticsIn(document).map(({ message }) => message),
      [
        'Billing sync: Finance Slack (slack) failed: token_revoked',
        'Billing sync: Team Slack is missing channels:read for digest',
        'Finance Slack (slack) failed: token_revoked; stops 1 deployment',
      ],
    );
  });

  it('appear in a document of any language', async () => {
    await store.refresh();
    for (const language of ['plaintext', 'json', 'jsonc']) {
      const document = await vscode.workspace.openTextDocument({ language, content: 'acc_2' });
      assert.equal(document.languageId, language);
      await shows(document, 'warning 0:0-5 acc_2 token_revoked');
    }
  });

  it('of different problems have different messages, whatever deployments and accounts are called', async () => {
    const slack = { label: 'Slack', serviceId: 'slack', error: { code: 'expired' } };
    const same = { serviceId: 'slack', satisfied: false };
    store.setListed([
      { id: 'dep_1', label: 'Sync' },
      { id: 'dep_2', label: 'Sync' },
      { id: 'dep_3' },
    ]);
    platform.putDeployment('dep_1', {
      accounts: [{ id: 'acc_1', ...slack }, { id: 'acc_2', ...slack }, slack, slack],
      requirements: [
        same,
        same,
        { ...same, binding: 'notifier' },
        { ...same, binding: 'b', accountId: 'acc_9' },
      ],
    });
    platform.putDeployment('dep_2', {
      accounts: [{ id: 'acc_1', ...slack }],
      requirements: [same],
    });
    platform.putDeployment('dep_3', {
      accounts: [],
      requirements: [{ ...same, accountId: 'acc_1' }],
    });
    const document = await openFile('dep_1 dep_2 dep_3 acc_1 acc_2');
    await store.refresh();
    await until(
      'all of them',
      () => diagnosticsIn(document).length === 13,
      () => reported(document),
    );
    const messages = diagnosticsIn(document).map(({ message }) => message);
    assert.deepEqual([...new Set(messages)], messages);
    assert.ok(messages.includes('Sync (dep_1): slack is not satisfied (2)'), messages.join('\n'));
  });

  it('stay when a read fails, and vanish with the problem, the list, and at once with a sign-out', async () => {
    const document = await openFile('dep_1 dep_2');
    const atSecond = both('0:6-11', 'dep_2');
    await store.refresh();
    await shows(document, ...both('0:0-5'));
    platform.data.deployments.delete('dep_1');
    platform.putDeployment('dep_2', twoProblems);
    await store.refresh();
    await shows(document, ...both('0:0-5'), ...atSecond);
    platform.putDeployment('dep_1', sound);
    await store.refresh(['dep_1']);
    await shows(document, ...atSecond);
    store.setListed([{ id: 'dep_1' }]);
    await shows(document);
    platform.putDeployment('dep_1', twoProblems);
    await store.refresh();
    await shows(document, ...both('0:0-5'));
    store.setOrganization(undefined);
    assert.deepEqual(reported(document), []);
  });

  it('have the severity of the settings, and off is off', async () => {
    const document = await openFile('dep_1');
    await store.refresh();
    await writeSetting(failures, 'error');
    await writeSetting(requirements, 'hint');
    await shows(document, 'error 0:0-5 dep_1 token_revoked', 'hint 0:0-5 dep_1 not-satisfied');
    await writeSetting(failures, 'off');
    await shows(document, 'hint 0:0-5 dep_1 not-satisfied');
    await writeSetting(requirements, 'off');
    await shows(document);
  });

  it('are at most 200, and one that says how many more', async () => {
    const document = await openFile('dep_1 acc_2\n'.repeat(100));
    await store.refresh();
    const all = () => diagnosticsIn(document);
    await until('201', () => all().length === 201, all);
    const last = all().at(-1)!;
    assert.equal(last.message, '100 more problems in this document are not shown.');
    assert.deepEqual(
      [last.severity, last.range.start.line],
      [vscode.DiagnosticSeverity.Information, 66],
    );
    await writeSetting(requirements, 'off');
    await until('200', () => all().length === 200, all);
  });

  it('are set again after an edit around them, also when they are equal to those before', async () => {
    let changes = 0;
    const listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some((uri) => uri.toString() === document.uri.toString())) changes++;
    });
    await store.refresh();
    const document = await openFile('a\nb\ndep_1\nd');
    await shows(document, ...both('2:0-5'));
    await until('the event of the first ones', () => changes === 1);
    // As VS Code reloads a file that changed on disk in its second and fourth line.
    await edit(document, new vscode.Range(1, 0, 3, 1), 'B\ndep_1\nD');
    await until('diagnostics to be set', () => changes > 1);
    listener.dispose();
    assert.deepEqual(reported(document), both('2:0-5'));
  });

  it('are none in a document of more than 2 MB, which the log says once', async () => {
    await store.refresh();
    const document = await openFile(`dep_1\n${'x'.repeat(2 * 1024 * 1024)}`);
    const line = `${vscode.workspace.asRelativePath(document.uri)} has more than 2 MB: its IDs are not underlined.`;
    const logged = () => graph.lines.filter((one) => one === line).length;
    await until('a line of the log', () => logged() === 1);
    await edit(document, new vscode.Range(0, 0, 0, 0), 'dep_1 ');
    // Read after it.
    await shows(await openFile('dep_1'), ...both('0:0-5'));
    assert.deepEqual([diagnosticsIn(document), logged()], [[], 1]);
  });

  it('are none in our own settings, also while they are edited, and stay beside them', async () => {
    await store.refresh();
    const { path, remove } = await temporaryFolder();
    const list =
      '"automationPlatform.deployments": ["dep_1"], "automationPlatform": { "owners": { "acc_2": "Maria" } }';
    const folder = `{ // acc_2\n${list},\n"b": "acc_2" }`;
    const documents = new Map<string, vscode.TextDocument>();
    for (const [name, text, ...places] of [
      ['.vscode/settings.json', folder, '0:5-10', '2:6-11'],
      ['edited/.vscode/settings.json', `{\n${list.replace(']', '')},\n"b.c": "acc_2"`],
      [
        'acme.code-workspace',
        `{ "settings": ${folder},\n"launch": "acc_2" }`,
        '0:19-24',
        '2:6-11',
        '3:11-16',
      ],
      ['src/settings.json', '{ "automationPlatform": {\n"owners": "acc_2" } }', '1:11-16'],
    ] as const) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), text);
      const document = await vscode.workspace.openTextDocument(join(path, name));
      documents.set(name, document);
      await shows(document, ...places.map((place) => `warning ${place} acc_2 token_revoked`));
    }
    // It was read before those that were opened after it.
    assert.deepEqual(reported(documents.get('edited/.vscode/settings.json')!), []);
    await remove();
  });

  it('stay as many when our list and owners are changed, which opens the settings file', async () => {
    const { deploymentList, owners } = graph.services;
    await writeSetting(
      'automationPlatform.deployments',
      ['dep_1'],
      vscode.ConfigurationTarget.Workspace,
    );
    await store.refresh();
    const marker = await openFile('dep_1');
    await shows(marker, ...both('0:0-5'));
    const uri = vscode.Uri.joinPath(
      vscode.workspace.workspaceFolders![0]!.uri,
      '.vscode',
      'settings.json',
    );
    const changes: readonly (readonly [change: () => Promise<SettingChange>, text: RegExp])[] = [
      [() => deploymentList.setLabel('dep_1', 'Billing sync'), /"Billing sync"/],
      [() => owners.set('acc_2', 'Maria'), /"acc_2": "Maria"/],
      [() => deploymentList.add([{ id: 'dep_2' }]), /"dep_2"/],
      [() => deploymentList.remove(['dep_2']), /^(?!.*"dep_2")/s],
      [() => owners.set('acc_2', undefined), /^(?!.*"acc_2")/s],
    ];
    let passes = 0;
    for (const [change, text] of changes) {
      await change();
      const settings = await vscode.workspace.openTextDocument(uri);
      await until(
        String(text),
        () => text.test(settings.getText()),
        () => settings.getText(),
      );
      // Its scan comes after that of the settings file.
      await edit(marker, new vscode.Range(0, 0, 0, 0), ' ');
      passes++;
      await shows(marker, ...both(`0:${passes}-${passes + 5}`));
      assert.deepEqual(diagnosticsIn({ uri }), [], String(text));
    }
  });

  it('vanish with the document', async () => {
    // Of a file VS Code keeps the document for minutes.
    const document = await vscode.workspace.openTextDocument({ content: 'dep_1' });
    await store.refresh();
    await shows(document, ...both('0:0-5'));
    await vscode.window.showTextDocument(document);
    await closeEditors();
    await shows(document);
  });
});

const log =
  'logs/window1/exthost1/automation-platform-tools.automation-platform/Automation%20Platform.log';

describe('documents', () => {
  for (const [what, expected, ...addresses] of [
    [
      'have diagnostics and hovers',
      [true, true],
      'file:///a/b.yaml',
      'file:///a/platform.log',
      'untitled:Untitled-1',
    ],
    [
      'have them on other machines',
      [true, true],
      'vscode-remote://wsl%2Bubuntu/a.ts',
      'vscode-vfs://github/a.ts',
    ],
    [
      'in settings and cells',
      [true, true],
      'vscode-userdata:/User/settings.json',
      'vscode-notebook-cell:/a.ipynb#W0',
    ],
    ['have hovers', [false, true], 'git:/a/b.yaml?%7B%7D', 'review:/a/b.yaml'],
    [
      'belong to no project',
      [false, false],
      'output:extension-output',
      'debug:repl',
      'vscode-scm:git/scm0/input',
    ],
    ['are inputs', [false, false], 'comment://1/commentinput.md', 'chatSessionInput:input-0'],
    [
      'are our log',
      [false, false],
      `file:///home/me/.config/Code/${log}`,
      `vscode-userdata:/${log}`,
    ],
  ] as const) {
    it(`${what}: ${addresses.join(' ')}`, () => {
      for (const address of addresses) {
        const uri = vscode.Uri.parse(address, true);
        assert.deepEqual([isDiagnosed({ uri }), hasHovers({ uri })], expected, address);
      }
    });
  }
});

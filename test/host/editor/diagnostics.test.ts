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
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { twoProblems } from '../../support/window/fixtures.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

const sound: DeploymentAuthorization = {
  accounts: [{ id: 'acc_7', label: 'Finance Slack', serviceId: 'slack' }],
  requirements: [{ serviceId: 'slack', binding: 'notifier', satisfied: true }],
};

const failures = 'automationPlatform.diagnostics.failedAccounts';
const requirements = 'automationPlatform.diagnostics.unsatisfiedRequirements';

/** Waits until exactly these diagnostics are in the document. */
async function shows(document: vscode.TextDocument, ...wanted: readonly string[]): Promise<void> {
  const seen = () => reported(document);
  await until(wanted.join(', ') || 'no diagnostics', () => isDeepStrictEqual(seen(), wanted), seen);
}

/** The two diagnostics at a deployment's ID while its answer is `twoProblems`. */
function both(place: string, id = 'dep_1'): readonly string[] {
  return [`warning ${place} ${id} token_revoked`, `information ${place} ${id} not-satisfied`];
}

function messagesIn(document: vscode.TextDocument): readonly string[] {
  return diagnosticsIn(document).map(({ message }) => message);
}

/** Waits until the document has so many diagnostics. */
async function hasSoMany(document: vscode.TextDocument, count: number): Promise<void> {
  const messages = () => messagesIn(document);
  await until(
    `${count} diagnostics`,
    () => messages().length === count,
    () => ({ count: messages().length, last: messages().at(-1) }),
  );
}

const ownSettings =
  '"automationPlatform.deployments": ["dep_1"], "automationPlatform": { "owners": { "acc_2": "Maria" } }';
const folderSettings = `{ // acc_2\n${ownSettings},\n"b": "acc_2" }`;

/** Files that mention `dep_1` and `acc_2`, and where a diagnostic about `acc_2` is expected. */
const settingsFiles = [
  {
    title: 'stand beside our settings in the settings of a folder',
    path: '.vscode/settings.json',
    text: folderSettings,
    places: ['0:5-10', '2:6-11'],
  },
  {
    title: 'are not set in our settings while the JSON around them is broken',
    path: 'edited/.vscode/settings.json',
    text: `{\n${ownSettings.replace(']', '')},\n"b.c": "acc_2"`,
    places: [],
  },
  {
    title: 'stand beside entries of mutes, and at none of their IDs',
    path: 'muting/.vscode/settings.json',
    text: '{ "automationPlatform.mutes": [{ "account": "acc_2", "error": "other" }],\n"b": "acc_2" }',
    places: ['1:6-11'],
  },
  {
    title: 'stand beside our settings in a workspace file',
    path: 'acme.code-workspace',
    text: `{ "settings": ${folderSettings},\n"launch": "acc_2" }`,
    places: ['0:19-24', '2:6-11', '3:11-16'],
  },
  {
    title: 'stand at our settings in a settings.json that VS Code does not read',
    path: 'src/settings.json',
    text: '{ "automationPlatform": {\n"owners": "acc_2" } }',
    places: ['1:11-16'],
  },
] as const;

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

  it('appear at each ID of a deployment or account once its answer is there', async () => {
    const document = await openFile('dep_1 dep_10 acc_1\n"acc_2":dep_2');
    assert.deepEqual(reported(document), []);

    await store.refresh();
    await shows(document, ...both('0:0-5'), 'warning 1:1-6 acc_2 token_revoked');
  });

  it('name the problem and the number of deployments that an account stops', async () => {
    const document = await openFile('dep_1 acc_2');
    await store.refresh();
    await hasSoMany(document, 3);
    assert.deepEqual(messagesIn(document), [
      'Billing sync: Finance Slack (slack) failed: token_revoked',
      'Billing sync: Team Slack is missing channels:read for digest',
      'Finance Slack (slack) failed: token_revoked; stops 1 deployment',
    ]);
  });

  it('appear in a document of any language', async () => {
    await store.refresh();
    for (const language of ['plaintext', 'json', 'jsonc']) {
      const document = await vscode.workspace.openTextDocument({ language, content: 'acc_2' });
      assert.equal(document.languageId, language);
      await shows(document, 'warning 0:0-5 acc_2 token_revoked');
    }
  });

  it('have different messages when deployments or accounts share a name', async () => {
    const slack = { label: 'Slack', serviceId: 'slack', error: { code: 'expired' } };
    const unsatisfied = { serviceId: 'slack', satisfied: false };
    store.setListed([
      { id: 'dep_1', label: 'Sync' },
      { id: 'dep_2', label: 'Sync' },
      { id: 'dep_3' },
    ]);
    platform.putDeployment('dep_1', {
      accounts: [{ id: 'acc_1', ...slack }, { id: 'acc_2', ...slack }, slack, slack],
      requirements: [
        { ...unsatisfied, binding: 'notifier' },
        { ...unsatisfied, binding: 'b', accountId: 'acc_9' },
        unsatisfied,
        unsatisfied,
      ],
    });
    platform.putDeployment('dep_2', {
      accounts: [{ id: 'acc_1', ...slack }],
      requirements: [unsatisfied],
    });
    platform.putDeployment('dep_3', {
      accounts: [],
      requirements: [{ ...unsatisfied, accountId: 'acc_1' }],
    });
    const document = await openFile('dep_1 dep_2 dep_3 acc_1 acc_2');

    await store.refresh();
    await hasSoMany(document, 13);
    const messages = messagesIn(document);
    const differentMessages = [...new Set(messages)];
    assert.deepEqual(differentMessages, messages);
  });

  it('are numbered when their messages would be equal', async () => {
    const unsatisfied = { serviceId: 'slack', satisfied: false };
    store.setListed([
      { id: 'dep_1', label: 'Sync' },
      { id: 'dep_2', label: 'Sync' },
    ]);
    platform.putDeployment('dep_1', { accounts: [], requirements: [unsatisfied, unsatisfied] });
    const document = await openFile('dep_1');

    await store.refresh();
    await hasSoMany(document, 2);
    assert.deepEqual(messagesIn(document), [
      'Sync (dep_1): slack is not satisfied',
      'Sync (dep_1): slack is not satisfied (2)',
    ]);
  });

  it('stay when a read fails', async () => {
    const document = await openFile('dep_1 dep_2');
    await store.refresh();
    await shows(document, ...both('0:0-5'));

    platform.data.deployments.delete('dep_1');
    platform.putDeployment('dep_2', twoProblems);
    await store.refresh();
    await shows(document, ...both('0:0-5'), ...both('0:6-11', 'dep_2'));
  });

  it('vanish when the problem is gone', async () => {
    const document = await openFile('dep_1 dep_2');
    platform.putDeployment('dep_2', twoProblems);
    await store.refresh();
    await shows(document, ...both('0:0-5'), ...both('0:6-11', 'dep_2'));

    platform.putDeployment('dep_1', sound);
    await store.refresh(['dep_1']);
    await shows(document, ...both('0:6-11', 'dep_2'));
  });

  it('vanish when the deployment leaves the list', async () => {
    const document = await openFile('dep_1');
    await store.refresh();
    await shows(document, ...both('0:0-5'));

    store.setListed([{ id: 'dep_2' }]);
    await shows(document);
  });

  it('vanish at once when the user signs out', async () => {
    const document = await openFile('dep_1');
    await store.refresh();
    await shows(document, ...both('0:0-5'));

    store.setOrganization(undefined);
    assert.deepEqual(reported(document), []);
  });

  it('have the severity of the settings', async () => {
    const document = await openFile('dep_1');
    await store.refresh();
    await writeSetting(failures, 'error');
    await writeSetting(requirements, 'hint');
    await shows(document, 'error 0:0-5 dep_1 token_revoked', 'hint 0:0-5 dep_1 not-satisfied');
  });

  it('are hidden by a setting that is off', async () => {
    const document = await openFile('dep_1');
    await store.refresh();
    await shows(document, ...both('0:0-5'));

    await writeSetting(failures, 'off');
    await shows(document, 'information 0:0-5 dep_1 not-satisfied');
    await writeSetting(requirements, 'off');
    await shows(document);
  });

  it('are at most 200 in a document, and one that counts the rest', async () => {
    const document = await openFile('dep_1 acc_2\n'.repeat(100));
    await store.refresh();
    await hasSoMany(document, 201);
    const last = diagnosticsIn(document).at(-1)!;
    assert.equal(last.message, '100 more problems in this document are not shown.');
    assert.equal(last.severity, vscode.DiagnosticSeverity.Information);
    assert.equal(last.range.start.line, 66);
  });

  it('have no count of the rest when a document has just 200', async () => {
    const document = await openFile('dep_1 acc_2\n'.repeat(100));
    await writeSetting(requirements, 'off');
    await store.refresh();
    await hasSoMany(document, 200);
    const messages = new Set(messagesIn(document));
    assert.deepEqual(
      messages,
      new Set([
        'Billing sync: Finance Slack (slack) failed: token_revoked',
        'Finance Slack (slack) failed: token_revoked; stops 1 deployment',
      ]),
    );
  });

  it('are set again when an edit around an ID leaves them equal', async () => {
    let changes = 0;
    const listener = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      if (uris.some((uri) => uri.toString() === document.uri.toString())) changes += 1;
    });
    await store.refresh();
    const document = await openFile('a\nb\ndep_1\nd');
    await shows(document, ...both('2:0-5'));
    await until('the event of the first diagnostics', () => changes === 1);

    // As VS Code reloads a file that changed on disk in its second and fourth line.
    await edit(document, new vscode.Range(1, 0, 3, 1), 'B\ndep_1\nD');
    await until('diagnostics to be set again', () => changes > 1);
    listener.dispose();
    assert.deepEqual(reported(document), both('2:0-5'));
  });

  describe('of a document of more than 2 MB', () => {
    let document: vscode.TextDocument;
    const logged = () => {
      const path = vscode.workspace.asRelativePath(document.uri);
      const line = `${path} has more than 2 MB: its IDs are not underlined.`;
      return graph.lines.filter((one) => one === line);
    };

    beforeEach(async () => {
      await store.refresh();
      document = await openFile(`dep_1\n${'x'.repeat(2 * 1024 * 1024)}`);
      await until('a line of the log', () => logged().length > 0);
      await edit(document, new vscode.Range(0, 0, 0, 0), 'dep_1 ');
      // A document that is opened later is read after the edit.
      await shows(await openFile('dep_1'), ...both('0:0-5'));
    });

    it('are left out', () => {
      assert.deepEqual(reported(document), []);
    });

    it('are named once in the log', () => {
      assert.equal(logged().length, 1);
    });
  });

  for (const { title, path, text, places } of settingsFiles) {
    it(title, async () => {
      await store.refresh();
      const folder = await temporaryFolder();
      atEndOfTest(folder.remove);
      const file = join(folder.path, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);

      const document = await vscode.workspace.openTextDocument(file);
      // A document that is opened later is read after it.
      await shows(await openFile('acc_2'), 'warning 0:0-5 acc_2 token_revoked');
      const expected = places.map((place) => `warning ${place} acc_2 token_revoked`);
      assert.deepEqual(reported(document), expected);
    });
  }

  it('stay when a command changes our list or an owner in the settings file', async () => {
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
    let spaces = 0;
    for (const [change, text] of changes) {
      await change();
      const settings = await vscode.workspace.openTextDocument(uri);
      await until(
        String(text),
        () => text.test(settings.getText()),
        () => settings.getText(),
      );
      // The marker is read after the settings file.
      await edit(marker, new vscode.Range(0, 0, 0, 0), ' ');
      spaces += 1;
      await shows(marker, ...both(`0:${spaces}-${spaces + 5}`));
      assert.deepEqual(reported(settings), [], `settings that match ${text}`);
    }
  });

  it('vanish while the problem is muted for everyone', async () => {
    await store.refresh();
    const document = await openFile('acc_2');
    await shows(document, 'warning 0:0-5 acc_2 token_revoked');
    const today = new Date().toISOString().slice(0, 10);
    const days = { since: today, until: today };
    const entry = { account: 'acc_2', error: 'token_revoked', ...days, reason: 'App review' };
    await writeSetting('automationPlatform.mutes', [entry], vscode.ConfigurationTarget.Workspace);
    await shows(document);
  });

  it('vanish when the document is closed', async () => {
    // VS Code keeps the document of a file for minutes, but not one without a file.
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

describe('a document', () => {
  for (const { title, addresses, isUnderlined, isHovered } of [
    {
      title: 'has diagnostics and hovers when it is a file or not saved yet',
      addresses: ['file:///a/b.yaml', 'file:///a/platform.log', 'untitled:Untitled-1'],
      isUnderlined: true,
      isHovered: true,
    },
    {
      title: 'has diagnostics and hovers when it is on another machine',
      addresses: ['vscode-remote://wsl%2Bubuntu/a.ts', 'vscode-vfs://github/a.ts'],
      isUnderlined: true,
      isHovered: true,
    },
    {
      title: 'has diagnostics and hovers when it is the user settings or a cell of a notebook',
      addresses: ['vscode-userdata:/User/settings.json', 'vscode-notebook-cell:/a.ipynb#W0'],
      isUnderlined: true,
      isHovered: true,
    },
    {
      title: 'has only hovers when it is a version of a file',
      addresses: ['git:/a/b.yaml?%7B%7D', 'review:/a/b.yaml'],
      isUnderlined: false,
      isHovered: true,
    },
    {
      title: 'has no diagnostics and no hovers when it is a panel or a box of VS Code',
      addresses: [
        'output:extension-output',
        'debug:repl',
        'vscode-scm:git/scm0/input',
        'comment://1/commentinput.md',
        'chatSessionInput:input-0',
      ],
      isUnderlined: false,
      isHovered: false,
    },
    {
      title: 'has no diagnostics and no hovers when it is our log',
      addresses: [`file:///home/me/.config/Code/${log}`, `vscode-userdata:/${log}`],
      isUnderlined: false,
      isHovered: false,
    },
  ]) {
    it(title, () => {
      for (const address of addresses) {
        const uri = vscode.Uri.parse(address, true);
        assert.equal(isDiagnosed({ uri }), isUnderlined, address);
        assert.equal(hasHovers({ uri }), isHovered, address);
      }
    });
  }
});

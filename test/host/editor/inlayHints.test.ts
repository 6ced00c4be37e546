import { strict as assert } from 'node:assert';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { ListedDeployment } from '../../../src/model/findings/deployment.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import { edit, openFile } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { billing } from '../../support/window/fixtures.js';
import { startWorld } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

/** What VS Code gets for the whole document: "0:5 Billing sync". */
async function hints({ uri, lineCount }: vscode.TextDocument, first = 0): Promise<string[]> {
  const range = new vscode.Range(first, 3, lineCount, 0);
  const found = await vscode.commands.executeCommand<vscode.InlayHint[]>(
    'vscode.executeInlayHintProvider',
    uri,
    range,
  );
  return found.map(
    ({ position, label }) =>
      `${position.line}:${position.character} ${typeof label === 'string' ? label : ''}`,
  );
}

async function start(...listed: readonly ListedDeployment[]): Promise<void> {
  const { platform, graph } = await startWorld();
  for (const { id } of listed) platform.putDeployment(id, billing);
  await graph.read(...listed);
}

const ownList = '"automationPlatform.deployments": [{ "id": "dep_1" }], "other": "dep_1" ';

describe('inlay hints', () => {
  describe('of a text', () => {
    let document: vscode.TextDocument;
    beforeEach(async () => {
      await start(
        { id: 'dep_1', label: 'Billing sync' },
        { id: 'dep_2' },
        { id: 'dep_3', label: 'dep_3' },
      );
      document = await openFile('"dep_1", dep_1 acc_2\ndep_2 dep_3 my-dep_1 acc_9\n  dep_1\n');
    });

    it('are the labels of deployments and accounts, once per line and ID', async () => {
      assert.deepEqual(await hints(document), [
        '0:6 Billing sync',
        '0:20 Finance Slack',
        '2:7 Billing sync',
      ]);
    });

    it('follow an edit at once', async () => {
      await edit(document, new vscode.Range(0, 0, 0, 0), 'dep_1\n');
      assert.deepEqual(await hints(document, 3), ['3:7 Billing sync']);
    });

    it('are none when the setting is off', async () => {
      await writeSetting('automationPlatform.inlayHints', 'off');
      assert.deepEqual(await hints(document), []);
    });
  });

  it('are at most 40 characters of plain text', async () => {
    const hostile = `[a](command:b) $(trash)\n\u202E${'x'.repeat(100)}`;
    await start({ id: 'dep_1', label: hostile });
    const [hint = ''] = await hints(await openFile('dep_1'));
    assert.equal(hint, `0:5 [a](command:b) $(trash)␊⟨U+202E⟩${'x'.repeat(7)}…`);
  });

  for (const { title, path, text, expected } of [
    {
      title: 'stand beside our settings in the settings of a folder',
      path: '.vscode/settings.json',
      text: `{ // dep_1\n${ownList}}`,
      expected: ['0:10 Billing sync', '1:70 Billing sync'],
    },
    {
      title: 'stand beside our settings in a workspace file',
      path: 'acme.code-workspace',
      text: `{ "settings": {\n${ownList}} }`,
      expected: ['1:70 Billing sync'],
    },
    {
      title: 'stand beside our settings when some of these are nested and others dotted',
      path: 'two/.vscode/settings.json',
      text: `{ "a": "dep_1",\n${ownList},\n"b": "dep_1",\n"automationPlatform": { "owners": { "dep_1": "Maria" } },\n"c": "dep_1" }`,
      expected: [
        '0:13 Billing sync',
        '1:70 Billing sync',
        '2:11 Billing sync',
        '4:11 Billing sync',
      ],
    },
    {
      title: 'stand at our settings in a settings.json that VS Code does not read',
      path: 'src/settings.json',
      text: `{\n${ownList}}`,
      expected: ['1:49 Billing sync'],
    },
  ]) {
    it(title, async () => {
      await start({ id: 'dep_1', label: 'Billing sync' });
      const folder = await temporaryFolder();
      atEndOfTest(folder.remove);
      const file = join(folder.path, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);

      const document = await vscode.workspace.openTextDocument(file);
      assert.deepEqual(await hints(document), expected);
    });
  }
});

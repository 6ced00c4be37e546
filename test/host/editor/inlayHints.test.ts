import { strict as assert } from 'node:assert';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { ListedDeployment } from '../../../src/model/findings/deployment.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import { edit, openFile } from '../../support/window/editors.js';
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

describe('inlay hints', () => {
  it('are the labels of deployments and accounts, once per line and ID, before any scan, and none where the setting says off', async () => {
    await start(
      { id: 'dep_1', label: 'Billing sync' },
      { id: 'dep_2' },
      { id: 'dep_3', label: 'dep_3' },
    );
    const document = await openFile('"dep_1", dep_1 acc_2\ndep_2 dep_3 my-dep_1 acc_9\n  dep_1\n');
    assert.deepEqual(await hints(document), [
      '0:6 Billing sync',
      '0:20 Finance Slack',
      '2:7 Billing sync',
    ]);
    await edit(document, new vscode.Range(0, 0, 0, 0), 'dep_1\n');
    assert.deepEqual(await hints(document, 3), ['3:7 Billing sync']);
    await writeSetting('automationPlatform.inlayHints', 'off');
    assert.deepEqual(await hints(document), []);
  });

  it('are at most 40 characters of plain text', async () => {
    const hostile = `[a](command:b) $(trash)\n\u202E${'x'.repeat(100)}`;
    await start({ id: 'dep_1', label: hostile });
    const [hint = ''] = await hints(await openFile('dep_1'));
    assert.equal(hint, `0:5 [a](command:b) $(trash)␊⟨U+202E⟩${'x'.repeat(7)}…`);
  });

  it('are not in our own settings, which say the labels, but beside them', async () => {
    await start({ id: 'dep_1', label: 'Billing sync' });
    const { path, remove } = await temporaryFolder();
    const list = '"automationPlatform.deployments": [{ "id": "dep_1" }], "other": "dep_1" ';
    for (const [name, text, expected] of [
      ['.vscode/settings.json', `{ // dep_1\n${list}}`, ['0:10 Billing sync', '1:70 Billing sync']],
      ['acme.code-workspace', `{ "settings": {\n${list}} }`, ['1:70 Billing sync']],
      [
        'two/.vscode/settings.json',
        `{ "a": "dep_1",\n${list},\n"b": "dep_1",\n"automationPlatform": { "owners": { "dep_1": "Maria" } },\n"c": "dep_1" }`,
        ['0:13 Billing sync', '1:70 Billing sync', '2:11 Billing sync', '4:11 Billing sync'],
      ],
      ['src/settings.json', `{\n${list}}`, ['1:49 Billing sync']],
    ] as const) {
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), text);
      const document = await vscode.workspace.openTextDocument(join(path, name));
      assert.deepEqual(await hints(document), expected, name);
    }
    await remove();
  });
});

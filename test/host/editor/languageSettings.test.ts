import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { openFile, reported, until } from '../../support/window/editors.js';
import { twoProblems } from '../../support/window/fixtures.js';
import { startWorld } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

const failures = 'warning 0:0-5 dep_1 token_revoked';
const requirements = 'information 0:0-5 dep_1 not-satisfied';

async function shows(document: vscode.TextDocument, ...wanted: readonly string[]): Promise<void> {
  const seen = () => reported(document);
  await until(wanted.join(', ') || 'no diagnostics', () => isDeepStrictEqual(seen(), wanted), seen);
}

async function hintCount({ uri }: vscode.TextDocument): Promise<number> {
  const range = new vscode.Range(0, 0, 1, 0);
  const hints = await vscode.commands.executeCommand<readonly unknown[]>(
    'vscode.executeInlayHintProvider',
    uri,
    range,
  );
  return hints.length;
}

/** The documents of a new notebook: a cell of Markdown and one of Python, each with the text. */
async function openNotebook(text: string): Promise<readonly vscode.TextDocument[]> {
  const notebook = await vscode.workspace.openNotebookDocument(
    'jupyter-notebook',
    new vscode.NotebookData([
      new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, text, 'markdown'),
      new vscode.NotebookCellData(vscode.NotebookCellKind.Code, text, 'python'),
    ]),
  );
  return notebook.getCells().map(({ document }) => document);
}

describe('a setting for one language', () => {
  let markdown: vscode.TextDocument;
  let other: vscode.TextDocument;
  beforeEach(async () => {
    const { platform, graph } = await startWorld();
    platform.putDeployment('dep_1', twoProblems);
    await graph.read({ id: 'dep_1', label: 'Billing sync' });
    markdown = await vscode.languages.setTextDocumentLanguage(await openFile('dep_1'), 'markdown');
    other = await openFile('dep_1');
    for (const document of [markdown, other]) await shows(document, failures, requirements);
  });

  for (const [key, left] of [
    ['failedAccounts', [requirements]],
    ['unsatisfiedRequirements', [failures]],
  ] as const) {
    it(`hides the diagnostics of ${key} in that language alone`, async () => {
      await writeSetting('[markdown]', { [`automationPlatform.diagnostics.${key}`]: 'off' });
      await shows(markdown, ...left);
      await shows(other, failures, requirements);
    });

    it(`shows the diagnostics of ${key} again when the setting is removed`, async () => {
      await writeSetting('[markdown]', { [`automationPlatform.diagnostics.${key}`]: 'off' });
      await shows(markdown, ...left);
      await writeSetting('[markdown]', undefined);
      await shows(markdown, failures, requirements);
    });
  }

  it('turns diagnostics on in that language alone when these are off', async () => {
    await writeSetting('automationPlatform.diagnostics.failedAccounts', 'off');
    await writeSetting('[markdown]', { 'automationPlatform.diagnostics.failedAccounts': 'error' });
    await shows(markdown, 'error 0:0-5 dep_1 token_revoked', requirements);
    await shows(other, requirements);
  });

  it('hides the inlay hints in that language alone', async () => {
    await writeSetting('[markdown]', { 'automationPlatform.inlayHints': 'off' });
    assert.equal(await hintCount(markdown), 0);
    assert.equal(await hintCount(other), 1);
  });

  it('shows the inlay hints again when the setting is removed', async () => {
    await writeSetting('[markdown]', { 'automationPlatform.inlayHints': 'off' });
    assert.equal(await hintCount(markdown), 0);
    await writeSetting('[markdown]', undefined);
    assert.equal(await hintCount(markdown), 1);
  });

  describe('of a notebook', () => {
    let text: vscode.TextDocument;
    let code: vscode.TextDocument;
    beforeEach(async () => {
      const [first, second] = await openNotebook('dep_1');
      text = first!;
      code = second!;
      for (const document of [text, code]) await shows(document, failures, requirements);
    });

    it('hides diagnostics only in cells of that language', async () => {
      await writeSetting('[markdown]', { 'automationPlatform.diagnostics.failedAccounts': 'off' });
      await shows(text, requirements);
      await shows(code, failures, requirements);
    });

    it('hides inlay hints only in cells of that language', async () => {
      await writeSetting('[markdown]', { 'automationPlatform.inlayHints': 'off' });
      assert.equal(await hintCount(text), 0);
      assert.equal(await hintCount(code), 1);
    });
  });

  it('no longer holds for a document that gets another language', async () => {
    await writeSetting('[markdown]', { 'automationPlatform.diagnostics.failedAccounts': 'off' });
    await shows(markdown, requirements);
    await shows(
      await vscode.languages.setTextDocumentLanguage(markdown, 'yaml'),
      failures,
      requirements,
    );
  });
});

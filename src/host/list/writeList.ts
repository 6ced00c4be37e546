import type { Edit } from 'jsonc-parser';
import * as vscode from 'vscode';
import { entriesIn } from '../../model/listEntries.js';
import { isSameList, listEdits } from './listEdits.js';
import type { SettingsScope } from './settingsScope.js';

/** VS Code watches most settings files; a change that it has not seen by then is written by VS Code itself. */
const maxWaitMs = 2000;

/** A list that was changed in the text of its file. */
export interface TextChange {
  /** Puts the former text back. @returns `false`, changing nothing, if the file has changed since. */
  revert(): Promise<boolean>;
}

/**
 * Writes the list of one scope. One that has comments is edited in its file, so that they stay.
 * @returns `undefined` if VS Code wrote it.
 */
export async function writeList(scope: SettingsScope, list: readonly unknown[]): Promise<TextChange | undefined> {
  const change = await editText(scope, list);
  if (!change) await scope.write(list);
  return change;
}

async function editText(scope: SettingsScope, list: readonly unknown[]): Promise<TextChange | undefined> {
  const { file } = scope;
  if (!file) return undefined;
  const document = await openText(file.uri);
  // VS Code's own write refuses a file with unsaved changes, and says why.
  if (!document || document.isDirty) return undefined;
  const [before, formerList] = [document.getText(), scope.list];
  const edits = listEdits(before, file.path, formerList, list);
  if (!edits || !(await save(document, edits, scope, list))) return undefined;
  const after = document.getText();
  return {
    revert: async () => {
      const now = await openText(file.uri);
      if (!now || now.isDirty || now.getText() !== after) return false;
      return save(now, [{ offset: 0, length: after.length, content: before }], scope, formerList);
    },
  };
}

async function openText(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    // There is no such file yet.
    return undefined;
  }
}

/** @returns whether VS Code has saved the document, and the scope has this list by then. */
async function save(
  document: vscode.TextDocument,
  edits: readonly Edit[],
  scope: SettingsScope,
  list: readonly unknown[],
): Promise<boolean> {
  const before = document.getText();
  const change = new vscode.WorkspaceEdit();
  for (const { offset, length, content } of edits)
    change.replace(document.uri, range(document, offset, length), content);
  if (!(await vscode.workspace.applyEdit(change))) return false;
  if (await document.save()) return isRead(scope, list);
  // VS Code has said why. What it could not save must not be saved with a later change.
  const back = new vscode.WorkspaceEdit();
  back.replace(document.uri, range(document, 0, document.getText().length), before);
  await vscode.workspace.applyEdit(back);
  return false;
}

/** Waits until VS Code has read the list from the file. */
function isRead(scope: SettingsScope, list: readonly unknown[]): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isThere: boolean) => {
      clearTimeout(timer);
      listener.dispose();
      resolve(isThere);
    };
    const check = () => {
      if (isSameList(entriesIn(scope.value), list)) finish(true);
    };
    const timer = setTimeout(() => finish(false), maxWaitMs);
    const listener = vscode.workspace.onDidChangeConfiguration(check);
    check();
  });
}

function range(document: vscode.TextDocument, offset: number, length: number): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

import type { Edit } from 'jsonc-parser';
import * as vscode from 'vscode';
import { isSameValue, listEdits, propertyEdits } from './listEdits.js';
import type { SettingsScope } from './settingsScope.js';

/** VS Code watches most settings files; a change that it has not seen by then is written by VS Code itself. */
const maxWaitMs = 2000;

/** A value that was changed in the text of its file. */
export interface TextChange {
  /** Puts the former text back. @returns `false`, changing nothing, if the file has changed since. */
  revert(): Promise<boolean>;
}

/** Makes the edits of a text for the value at a path, or `undefined`. */
type Edits = (text: string, path: readonly string[]) => readonly Edit[] | undefined;

/**
 * Writes the list of one scope. One that has comments is edited in its file, so that they stay.
 * @returns `undefined` if VS Code wrote it.
 */
export function writeList(scope: SettingsScope, list: readonly unknown[]): Promise<TextChange | undefined> {
  return writeValue(scope, list, (text, path) => listEdits(text, path, scope.list, list));
}

/** Writes one entry of an object in the same way. `undefined` removes it. */
export async function writeProperty(scope: SettingsScope, key: string, value: string | undefined): Promise<void> {
  const { [key]: _, ...others } = scope.table;
  const table = value === undefined ? others : { ...scope.table, [key]: value };
  await writeValue(scope, table, (text, path) => propertyEdits(text, path, key, value));
}

async function writeValue(scope: SettingsScope, value: unknown, edits: Edits): Promise<TextChange | undefined> {
  const change = await editText(scope, value, edits);
  if (!change) await scope.write(value);
  return change;
}

async function editText(scope: SettingsScope, value: unknown, editsOf: Edits): Promise<TextChange | undefined> {
  const { file } = scope;
  if (!file) return undefined;
  const document = await openText(file.uri);
  // VS Code's own write refuses a file with unsaved changes, and says why.
  if (!document || document.isDirty) return undefined;
  const [before, former] = [document.getText(), scope.value];
  const edits = editsOf(before, file.path);
  if (!edits || !(await save(document, edits, scope, value))) return undefined;
  const after = document.getText();
  return {
    revert: async () => {
      const now = await openText(file.uri);
      if (!now || now.isDirty || now.getText() !== after) return false;
      return save(now, [{ offset: 0, length: after.length, content: before }], scope, former);
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

/** @returns whether VS Code has saved the document, and the scope has this value by then. */
async function save(
  document: vscode.TextDocument,
  edits: readonly Edit[],
  scope: SettingsScope,
  value: unknown,
): Promise<boolean> {
  const before = document.getText();
  const change = new vscode.WorkspaceEdit();
  for (const { offset, length, content } of edits)
    change.replace(document.uri, range(document, offset, length), content);
  if (!(await vscode.workspace.applyEdit(change))) return false;
  if (await document.save()) return isRead(scope, value);
  // VS Code has said why. What it could not save must not be saved with a later change.
  const back = new vscode.WorkspaceEdit();
  back.replace(document.uri, range(document, 0, document.getText().length), before);
  await vscode.workspace.applyEdit(back);
  return false;
}

/** Waits until VS Code has read the value from the file. */
function isRead(scope: SettingsScope, value: unknown): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (isThere: boolean) => {
      clearTimeout(timer);
      listener.dispose();
      resolve(isThere);
    };
    const check = () => {
      if (isSameValue(scope.value, value)) finish(true);
    };
    const timer = setTimeout(() => finish(false), maxWaitMs);
    const listener = vscode.workspace.onDidChangeConfiguration(check);
    check();
  });
}

function range(document: vscode.TextDocument, offset: number, length: number): vscode.Range {
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
}

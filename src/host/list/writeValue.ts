import * as vscode from 'vscode';
import { editedText, isSameValue } from './editedText.js';
import type { SettingsScope } from './settingsScope.js';

/** VS Code watches most settings files; a change that it has not seen by then it writes itself, without the comments. */
const maxRereadMs = 10_000;

export interface TextChange {
  /** Puts the former text back. @returns `false`, changing nothing, if the file has changed since. */
  revert(): Promise<boolean>;
}

/** A value that has comments is edited in its file, so that they stay. @returns `undefined` if VS Code wrote it. */
export async function writeValue(scope: SettingsScope, value: unknown): Promise<TextChange | undefined> {
  const change = await editFile(scope, value);
  if (!change) await scope.write(value);
  return change;
}

async function editFile(scope: SettingsScope, value: unknown): Promise<TextChange | undefined> {
  const { file, value: former } = scope;
  const document = file && (await openText(file.uri));
  // VS Code's own write refuses a file with unsaved changes, and says why.
  if (!document || document.isDirty) return undefined;
  const before = document.getText();
  const text = editedText(before, file.path, former, value);
  if (text === undefined || !(await save(document, text, scope, value))) return undefined;
  // VS Code may format what it saves.
  const after = document.getText();
  return {
    revert: async () => {
      const now = await openText(file.uri);
      if (!now || now.isDirty || now.getText() !== after) return false;
      return save(now, before, scope, former);
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

/** @returns whether VS Code has saved the document with this text, and the scope has this value by then. */
async function save(
  document: vscode.TextDocument,
  text: string,
  scope: SettingsScope,
  value: unknown,
): Promise<boolean> {
  const before = document.getText();
  if (!(await replaceText(document, text))) return false;
  if (await document.save()) return isRead(scope, value);
  // VS Code has said why. What it could not save must not be saved with a later change.
  await replaceText(document, before);
  return false;
}

/** Only what differs, so that cursors stay where they are. */
function replaceText(document: vscode.TextDocument, text: string): Thenable<boolean> {
  const before = document.getText();
  const shorter = Math.min(before.length, text.length);
  let start = 0;
  while (start < shorter && before[start] === text[start]) start++;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === text.at(-1 - same)) same++;
  const range = new vscode.Range(document.positionAt(start), document.positionAt(before.length - same));
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, range, text.slice(start, text.length - same));
  return vscode.workspace.applyEdit(edit);
}

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
    const timer = setTimeout(() => finish(false), maxRereadMs);
    const listener = vscode.workspace.onDidChangeConfiguration(check);
    check();
  });
}

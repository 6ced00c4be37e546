import * as vscode from 'vscode';
import { setTimer as realTimer, type SetTimer } from '../../api/timers.js';
import { showWaiting } from '../messages.js';
import { editedText, isSameValue } from './editedText.js';
import type { SettingsScope } from './settingsScope.js';

/** VS Code watches most settings files; a change that it has not seen by then it writes itself, without the comments. */
const maxRereadMs = 10_000;
/** A file that is watched is read sooner, and then no progress flashes. */
const progressAfterMs = 1000;

type Scope = Pick<SettingsScope, 'file' | 'value' | 'write'>;

/** Puts the former text back. @returns `false`, changing nothing, if the file has changed since. */
type Revert = () => Promise<boolean>;

/** A value that has comments is edited in its file, so that they stay. @returns `undefined` if VS Code wrote it. */
export async function writeValue(scope: Scope, value: unknown, setTimer = realTimer): Promise<Revert | undefined> {
  const revert = await editFile(scope, value, setTimer);
  if (!revert) await scope.write(value);
  return revert;
}

async function editFile(scope: Scope, value: unknown, setTimer: SetTimer): Promise<Revert | undefined> {
  const { file, value: former } = scope;
  const document = file && (await openText(file.uri));
  // VS Code's own write refuses a file with unsaved changes, and says why.
  if (!document || document.isDirty) return undefined;
  const before = document.getText();
  const text = editedText(before, file.path, former, value);
  const save = (edited: vscode.TextDocument, written: string, wanted: unknown) =>
    saveText(edited, written, () => isRead(scope, wanted, setTimer));
  if (text === undefined || !(await save(document, text, value))) return undefined;
  // VS Code may format what it saves.
  const after = document.getText();
  return async () => {
    const now = await openText(file.uri);
    if (!now || now.isDirty || now.getText() !== after) return false;
    return save(now, before, former);
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

/** @returns whether VS Code has saved the document with this text, and read it as a setting. */
async function saveText(
  document: vscode.TextDocument,
  text: string,
  isSettingRead: () => Promise<boolean>,
): Promise<boolean> {
  const before = document.getText();
  if (!(await replaceText(document, text))) return false;
  if (await document.save()) return isSettingRead();
  // VS Code has said why. What it could not save must not be saved with a later change.
  await replaceText(document, before);
  return false;
}

/** In the active editor VS Code changes only what differs, so that its cursor stays where it is. */
function replaceText(document: vscode.TextDocument, text: string): Thenable<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
  return vscode.workspace.applyEdit(edit);
}

/** Resolves with whether the scope has this value within ten seconds. */
async function isRead(scope: Scope, value: unknown, setTimer: SetTimer): Promise<boolean> {
  const read = new Promise<boolean>((resolve) => {
    const finish = (isThere: boolean) => {
      timeUp.dispose();
      listener.dispose();
      resolve(isThere);
    };
    const check = () => {
      if (isSameValue(scope.value, value)) finish(true);
    };
    const timeUp = setTimer(() => finish(false), maxRereadMs);
    const listener = vscode.workspace.onDidChangeConfiguration(check);
    check();
  });
  const progress = setTimer(() => showWaiting(vscode.l10n.t('Writing settings'), read), progressAfterMs);
  const isThere = await read;
  progress.dispose();
  return isThere;
}

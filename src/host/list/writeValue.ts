import * as vscode from 'vscode';
import { setTimer as realTimer, type SetTimer } from '../../api/timers.js';
import { inTime } from '../inTime.js';
import { withSpinner } from '../messages.js';
import { editedText, isSameValue } from './editedText.js';
import type { SettingsScope } from './settingsScope.js';

/** VS Code watches most settings files; a change that it has not seen by then it writes itself, without the comments. */
const maxRereadMs = 10_000;

type Scope = Pick<SettingsScope, 'file' | 'value' | 'write' | 'unchanged' | 'unanswered'>;

/** Puts the former text back. @returns `false`, changing nothing, if the file has changed since. */
type Revert = () => Promise<boolean>;

/**
 * A value that has comments is edited in its file, so that they stay. Rejects where VS Code does not answer, since
 * other writes wait behind this one. @returns `undefined` if VS Code wrote it.
 */
export async function writeValue(scope: Scope, value: unknown, setTimer = realTimer): Promise<Revert | undefined> {
  const write = async (): Promise<Revert | undefined> => {
    const revert = await editFile(scope, value, setTimer);
    if (!revert) await inTime(scope.write(value), () => scope.unanswered(), setTimer);
    return revert;
  };
  return showWriting(write(), setTimer);
}

function showWriting<R>(write: Promise<R>, setTimer: SetTimer): Promise<R> {
  return withSpinner(vscode.l10n.t('Writing settings'), write, setTimer);
}

async function editFile(scope: Scope, value: unknown, setTimer: SetTimer): Promise<Revert | undefined> {
  const { file, value: former } = scope;
  if (!file) return undefined;
  const open = () => inTime(openText(file.uri), () => notOpened(scope), setTimer);
  const document = await open();
  // VS Code's own write refuses a file with unsaved changes, and says why.
  if (!document || document.isDirty) return undefined;
  const before = document.getText();
  const text = editedText(before, file.path, former, value);
  const save = async (edited: vscode.TextDocument, written: string, wanted: unknown) => {
    // One wait for edit and save: an edit that comes late must not stay unsaved.
    const isSaved = await inTime(saveText(edited, written), () => scope.unanswered(), setTimer);
    return isSaved && isRead(scope, wanted, setTimer);
  };
  if (text === undefined || !(await save(document, text, value))) return undefined;
  // VS Code may format what it saves.
  const after = document.getText();
  const revert = async () => {
    const now = await open();
    if (!now || now.isDirty || now.getText() !== after) return false;
    return save(now, before, former);
  };
  return () => showWriting(revert(), setTimer);
}

function notOpened(scope: Scope): Error {
  return scope.unchanged(
    vscode.l10n.t('VS Code has not opened the file for 10 seconds. Try again when it can be opened.'),
    'VS Code has not opened the file in time',
  );
}

async function openText(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    // There is no such file yet.
    return undefined;
  }
}

/** @returns whether VS Code has saved the document with this text. */
async function saveText(document: vscode.TextDocument, text: string): Promise<boolean> {
  const before = document.getText();
  if (!(await replaceText(document, text))) return false;
  if (await document.save()) return true;
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
function isRead(scope: Scope, value: unknown, setTimer: SetTimer): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
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
}

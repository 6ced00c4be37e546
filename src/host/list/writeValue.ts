import * as vscode from 'vscode';
import { setTimer as realTimer, type SetTimer } from '../../api/timers.js';
import { inTime } from '../inTime.js';
import { withSpinner } from '../messages.js';
import { isSameValue } from './editedText.js';
import {
  asRefusedChange,
  leftUnsavedError,
  noEffectError,
  type Refusal,
  RefusedChange,
  type RefusingScope,
  unsavedChangesError,
  writeTimeoutError,
} from './refusedChange.js';
import {
  currentOpenTexts,
  discardUnsaved,
  isReadInTime,
  openSettingsFile,
  type SettingsFile,
} from './settingsFile.js';
import type { SettingsScope } from './settingsScope.js';

type Scope = RefusingScope & Pick<SettingsScope, 'key' | 'value' | 'write' | 'isUserScope'>;

/**
 * Puts the former text of a settings file back. Resolves with `false` if that has no effect, or if
 * the file has changed since the write: then it stays as it is.
 */
export type Revert = () => Promise<boolean>;

/** Resolves with why these scopes cannot be written, as far as that is known before a write. */
export async function refusalsBeforeWrite(
  scopes: readonly SettingsScope[],
  setTimer: SetTimer,
): Promise<readonly Refusal[]> {
  const opening = scopes.map((scope) =>
    openSettingsFile(scope, setTimer).then(
      () => [],
      (error: unknown) => {
        if (error instanceof RefusedChange) return error.refusals;
        throw error;
      },
    ),
  );
  const refusalsOfScopes = await showWriting(Promise.all(opening), setTimer);
  return refusalsOfScopes.flat();
}

/**
 * Gives a scope the value that `newValue` returns. A value with comments, or in an object of its
 * section, is edited in its file, so that the comments stay; other values are written by VS Code.
 * Rejects if VS Code does not read the new value afterwards (the error says if something of it may
 * be left), and if VS Code does not answer, since other writes wait behind this one. Resolves with
 * a function that reverts an edit, or with `undefined` if VS Code wrote the value.
 * @param newValue is called when disk, editor, and VS Code's settings agree about the file.
 */
export function writeValue(
  scope: Scope,
  newValue: () => unknown,
  setTimer = realTimer,
): Promise<Revert | undefined> {
  return showWriting(write(scope, newValue, setTimer), setTimer);
}

function showWriting<R>(writing: Promise<R>, setTimer: SetTimer): Promise<R> {
  return withSpinner(vscode.l10n.t('Writing settings'), writing, setTimer);
}

async function write(
  scope: Scope,
  newValue: () => unknown,
  setTimer: SetTimer,
): Promise<Revert | undefined> {
  const file = await openSettingsFile(scope, setTimer);
  const valueBefore = scope.value;
  const value = newValue();

  const text = file?.textWith(value);
  if (file && text !== undefined) {
    const isEdited = (await file.save(text)) && (await isReadInTime(scope, value, setTimer));
    if (isEdited) {
      const change = { editedText: file.currentText, textBefore: file.text, valueBefore };
      return () => showWriting(revert(scope, change, setTimer), setTimer);
    }
  }

  const writing = writeByVsCode(scope, value, { file, setTimer });
  await inTime(writing, () => writeTimeoutError(scope), setTimer);
  return undefined;
}

/**
 * Rejects with a `RefusedChange` after it has tried to take the value out of file and editor again.
 * A value that VS Code has saved in user settings, or in a workspace that is not saved, stays.
 */
async function writeByVsCode(
  scope: Scope,
  value: unknown,
  { file, setTimer }: { readonly file: SettingsFile | undefined; readonly setTimer: SetTimer },
): Promise<void> {
  const textsBefore = currentOpenTexts();
  try {
    // VS Code would set a nested value a second time.
    if (!file?.isNested) await writeWithRetry(scope, value, file);
    if (isSameValue(scope.value, value)) return;
    throw noEffectError(scope);
  } catch (error) {
    const isTakenBack = file
      ? await file.takeBackWrite(value)
      : await discardUnsaved(scope, value, textsBefore, setTimer);
    const isOfVsCode = !(error instanceof RefusedChange);
    const hadUnsavedChanges = scope.isUserScope && textsBefore.hasUnsavedUserSettings;
    const refused =
      isOfVsCode && hadUnsavedChanges ? unsavedChangesError(scope) : asRefusedChange(scope, error);
    throw isTakenBack ? refused : leftUnsavedError(refused);
  }
}

/**
 * Writes once more if VS Code refuses: it does so for a file that has changed on disk since it read
 * it, and it reads the file again when its edit is taken back.
 */
async function writeWithRetry(
  scope: Scope,
  value: unknown,
  file: SettingsFile | undefined,
): Promise<void> {
  try {
    await scope.write(value);
  } catch (error) {
    if (!file) throw error;
    await file.takeBackWrite(value);
    await scope.write(value);
  }
}

/** What is needed to undo an edit. */
interface EditedFile {
  readonly editedText: string;
  readonly textBefore: string;
  readonly valueBefore: unknown;
}

/** Resolves with whether the file has the former text, and VS Code reads the former value. */
async function revert(
  scope: Scope,
  { editedText, textBefore, valueBefore }: EditedFile,
  setTimer: SetTimer,
): Promise<boolean> {
  const file = await openSettingsFile(scope, setTimer);
  if (file?.text !== editedText) return false;
  return (await file.save(textBefore)) && isReadInTime(scope, valueBefore, setTimer);
}

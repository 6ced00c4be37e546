import * as vscode from 'vscode';
import { setTimer as realTimer, type SetTimer } from '../../api/timers.js';
import { inTime } from '../inTime.js';
import { withSpinner } from '../messages.js';
import { isSameValue } from './editedText.js';
import {
  asRefused,
  leftUnsaved,
  type Refusal,
  RefusedChange,
  type Refusing,
  unanswered,
  unsaved,
  withoutEffect,
} from './refusedChange.js';
import {
  discardUnsaved,
  isRead,
  openSettingsFile,
  openTexts,
  type SettingsFile,
} from './settingsFile.js';
import type { SettingsScope } from './settingsScope.js';

type Scope = Refusing & Pick<SettingsScope, 'key' | 'value' | 'write' | 'isOfUser'>;

/** Puts the former text back. @returns `false`, changing nothing, if the file has changed since. */
export type Revert = () => Promise<boolean>;

/** Why these scopes cannot be written, as far as that is known beforehand. */
export async function refusalsOf(
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
  return (await showWriting(Promise.all(opening), setTimer)).flat();
}

/**
 * Gives a scope the value that `change` makes of its own, and rejects if the scope does not have it then: nothing is
 * left of such a write. A value that has comments is edited in its file, so that they stay. Rejects where VS Code does
 * not answer, since other writes wait behind this one. @returns `undefined` if VS Code wrote it.
 */
export function writeValue(
  scope: Scope,
  change: () => unknown,
  setTimer = realTimer,
): Promise<Revert | undefined> {
  return showWriting(write(scope, change, setTimer), setTimer);
}

function showWriting<R>(writing: Promise<R>, setTimer: SetTimer): Promise<R> {
  return withSpinner(vscode.l10n.t('Writing settings'), writing, setTimer);
}

async function write(
  scope: Scope,
  change: () => unknown,
  setTimer: SetTimer,
): Promise<Revert | undefined> {
  const file = await openSettingsFile(scope, setTimer);
  const former = scope.value;
  const value = change();
  const text = file?.edited(value);
  const isEdited =
    file && text !== undefined && (await file.save(text)) && (await isRead(scope, value, setTimer));
  if (!isEdited) {
    await inTime(writeByCode(scope, value, { file, setTimer }), () => unanswered(scope), setTimer);
    return undefined;
  }
  const written = file.currentText;
  return () =>
    showWriting(revert(scope, { from: written, to: file.text, value: former }, setTimer), setTimer);
}

async function writeByCode(
  scope: Scope,
  value: unknown,
  { file, setTimer }: { readonly file: SettingsFile | undefined; readonly setTimer: SetTimer },
): Promise<void> {
  const before = openTexts();
  try {
    if (!file?.isNested) await writeWithRetry(scope, value, file);
    if (isSameValue(scope.value, value)) return;
    throw withoutEffect(scope);
  } catch (error) {
    const isTakenBack = file
      ? await file.takeBackWrite(value)
      : await discardUnsaved(scope, value, before, setTimer);
    const isUnsaved =
      !(error instanceof RefusedChange) && scope.isOfUser && before.hasUnsavedUserSettings;
    const refused = isUnsaved ? unsaved(scope) : asRefused(scope, error);
    throw isTakenBack ? refused : leftUnsaved(refused);
  }
}

/** VS Code refuses to write a file that has changed on disk since it read it. It reads the file again when its edit is taken back. */
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

async function revert(
  scope: Scope,
  { from, to, value }: { readonly from: string; readonly to: string; readonly value: unknown },
  setTimer: SetTimer,
): Promise<boolean> {
  const file = await openSettingsFile(scope, setTimer);
  if (file?.text !== from) return false;
  return (await file.save(to)) && isRead(scope, value, setTimer);
}

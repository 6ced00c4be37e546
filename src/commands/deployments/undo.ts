import * as vscode from 'vscode';
import { showErrors } from '../../host/errors.js';
import { RefusedChange, reasonsOf } from '../../host/list/refusedChange.js';
import type { SettingChange, UndoResult } from '../../host/list/scopedSetting.js';
import { showErrorMessage, showMessage, showStatusBarMessage } from '../../host/messages.js';
import type { Services } from '../../host/services.js';
import { scopeNames } from './scopeNames.js';

type ErrorLog = Pick<Services['log'], 'warn' | 'error' | 'redact'>;

/** What Undo does. */
interface Undoable extends Pick<SettingChange, 'undo'> {
  /** Runs after each attempt, even if some scopes refused. */
  readonly afterUndo?: () => Promise<void>;
}

/** Shows the sentence about a change of settings, with an Undo button. */
export function showWithUndo(log: ErrorLog, sentence: string, undoable: Undoable): void {
  showMessage(sentence, {
    title: vscode.l10n.t('Undo'),
    run: () => showErrors(log, () => undoChange(log, undoable)),
  });
}

async function undoChange(log: ErrorLog, undoable: Undoable): Promise<void> {
  const undone = await undoable.undo();
  if (undone.refusals.length > 0) {
    showPartlyUndone(log, undone, () => undoChange(log, undoable));
  } else {
    showStatusBarMessage(vscode.l10n.t('Change undone.'));
  }
  await undoable.afterUndo?.();
}

/** Says in which scopes a change could not be undone, with a button that tries again there. */
function showPartlyUndone(
  log: ErrorLog,
  undone: UndoResult,
  undoOthers: () => Promise<void>,
): void {
  const { actions, logLine, mayHaveTakenEffect } = new RefusedChange(undone.refusals);
  if (logLine !== undefined) log.warn(logLine);
  const tryAgain = {
    title: vscode.l10n.t('Try Again'),
    run: () => showErrors(log, undoOthers),
  };
  showErrorMessage(partlyUndoneSentence(undone, mayHaveTakenEffect), [tryAgain, ...actions]);
}

/**
 * "Undone only in user settings. a.json is read-only.", "Nothing was undone: a.json is read-only."
 * `mayBeUndone`: VS Code has not answered, so it may still undo the change.
 */
function partlyUndoneSentence({ scopes, refusals }: UndoResult, mayBeUndone: boolean): string {
  const reasons = reasonsOf(refusals);
  if (scopes.length > 0) {
    return vscode.l10n.t('Undone only in {places}. {reasons}', {
      places: scopeNames(scopes),
      reasons,
    });
  }
  return mayBeUndone ? reasons : vscode.l10n.t('Nothing was undone: {reasons}', { reasons });
}

import * as vscode from 'vscode';
import { showLogAction, UserError } from '../actions.js';
import { messageOf } from '../messages.js';
import { listText, sentences } from '../text/format.js';
import type { SettingsScope } from './settingsScope.js';

export type Refusing = Pick<SettingsScope, 'file' | 'address' | 'name' | 'logName' | 'setting' | 'openAction'>;

/** Why a scope was not written. */
export interface Refusal {
  readonly scope: Refusing;
  /** A sentence that names the scope: "web/.vscode/settings.json is read-only." */
  readonly reason: string;
  /** In English; it may have VS Code's own words. */
  readonly logReason: string;
  /** Whether the sentence says less than the log. */
  readonly isInLog?: boolean;
}

/** A change that some scopes refused, so that it was made in none: "Nothing was changed: a.json is read-only." */
export class RefusedChange extends UserError {
  constructor(
    readonly refusals: readonly Refusal[],
    /** Those that did not refuse it. */
    readonly others: readonly SettingsScope[] = [],
  ) {
    const lines = refusals.map(
      ({ scope, logReason }) => `${scope.setting} in ${scope.logName} was not changed: ${logReason}`,
    );
    super(
      vscode.l10n.t('Nothing was changed: {reasons}', { reasons: reasonsOf(refusals) }),
      [
        ...refusals.slice(0, 1).map(({ scope }) => scope.openAction),
        ...(refusals.some(({ isInLog }) => isInLog) ? [showLogAction] : []),
      ],
      lines.join('; '),
    );
  }
}

export function reasonsOf(refusals: readonly Refusal[]): string {
  return sentences(...refusals.map(({ reason }) => reason));
}

/** `logReason`: in English, where the sentence for the user has another language. */
function refused(scope: Refusing, reason: string, logReason: string): RefusedChange {
  return new RefusedChange([{ scope, reason, logReason }]);
}

/** For a change that could not be taken back where it was made before another scope refused it. */
export function partlyMade({ refusals, logLine }: RefusedChange, stuck: readonly Refusal[]): UserError {
  const places = listText(stuck.map(({ scope }) => scope.name));
  const sentence = vscode.l10n.t('{reasons} The change was made in {places}, and could not be undone there.', {
    reasons: reasonsOf(refusals),
    places,
  });
  const openActions = stuck.slice(0, 1).map(({ scope }) => scope.openAction);
  return new UserError(sentence, openActions, `${logLine}; could not be undone in ${places}`);
}

/**
 * For an error of VS Code's own write. Its words are in the display language, and name the file by an address that
 * users do not know; the codes in them are the same in every language.
 */
export function refusedByCode(scope: Refusing, error: unknown): RefusedChange {
  const text = messageOf(error);
  if (/\b(NoPermissions|EPERM|EACCES|EROFS)\b/.test(text)) return readOnly(scope, text);
  const reason = vscode.l10n.t('VS Code could not write {file}. Check for errors there, or see the log.', {
    file: scope.name,
  });
  return new RefusedChange([{ scope, reason, logReason: text, isInLog: true }]);
}

export function readOnly(scope: Refusing, logReason = 'the file is read-only'): RefusedChange {
  const { name } = scope;
  const reason = scope.file
    ? vscode.l10n.t('{file} is read-only.', { file: name })
    : vscode.l10n.t('The file of {place} is read-only.', { place: name });
  return refused(scope, reason, logReason);
}

export function unreadable(scope: Refusing, error: unknown): RefusedChange {
  const reason = vscode.l10n.t('VS Code could not read {file}. See the log for the reason.', { file: scope.name });
  return new RefusedChange([{ scope, reason, logReason: messageOf(error), isInLog: true }]);
}

export function notOpened(scope: Refusing): RefusedChange {
  return refused(
    scope,
    vscode.l10n.t('VS Code has not opened {file} for 10 seconds. Try again when it can be opened.', {
      file: scope.name,
    }),
    'VS Code has not opened the file in time',
  );
}

export function unsaved(scope: Refusing): RefusedChange {
  return refused(
    scope,
    vscode.l10n.t('There are unsaved changes in {file}. Save them, then try again.', { file: scope.name }),
    'the file has unsaved changes',
  );
}

export function notUtf8(scope: Refusing): RefusedChange {
  return refused(
    scope,
    vscode.l10n.t('{file} is not UTF-8. Save it with this encoding, then try again.', { file: scope.name }),
    'the file is not UTF-8',
  );
}

export function notJson(scope: Refusing): RefusedChange {
  return refused(
    scope,
    vscode.l10n.t('There are errors in the JSON of {file}. Correct them, then try again.', { file: scope.name }),
    'the file is not valid JSON',
  );
}

export function foundTwice(scope: Refusing, key: string): RefusedChange {
  return refused(
    scope,
    vscode.l10n.t('{file} contains “{key}” twice. Merge the two, then try again.', { file: scope.name, key }),
    `the file contains ${key} twice`,
  );
}

export function replaced(scope: Refusing, key: string): RefusedChange {
  const words = { file: scope.name, setting: scope.setting, key };
  return refused(
    scope,
    vscode.l10n.t('“{key}” later in {file} replaces “{setting}”. Move the setting there, then try again.', words),
    `${key} later in the file replaces it`,
  );
}

export function notReadAgain(scope: Refusing): RefusedChange {
  return refused(
    scope,
    vscode.l10n.t('VS Code has not read {file} since it changed. Reload the window, then try again.', {
      file: scope.name,
    }),
    'VS Code has not read the file since it changed',
  );
}

/** VS Code can say that it has written a value, and still read another one. */
export function withoutEffect(scope: Refusing): RefusedChange {
  return refused(
    scope,
    vscode.l10n.t(
      'VS Code still reads another value than the new one in {file}. The file may be read-only, or another value in it may count. Check the file, then try again.',
      { file: scope.name },
    ),
    'VS Code still reads another value',
  );
}

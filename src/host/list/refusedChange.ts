import * as vscode from 'vscode';
import { type Action, showLogAction, UserError } from '../actions.js';
import { messageOf } from '../messages.js';
import { firstWithMore, joinSentences, listText, plural } from '../text/format.js';
import type { SettingsScope } from './settingsScope.js';

/** What an error needs of the scope that refused a change. */
export type RefusingScope = Pick<
  SettingsScope,
  'file' | 'uniqueName' | 'name' | 'logName' | 'setting' | 'openAction'
>;

/** Why a scope was not written. */
export interface Refusal {
  readonly scope: RefusingScope;
  /**
   * Returns the sentence about `count` scopes that refuse for this reason: "a.json and b.json are
   * read-only." `places`: their names, as one text.
   */
  readonly sentence: (places: string, count: number) => string;
  /** In English, perhaps with the words of an error of VS Code. */
  readonly logReason: string;
  /** Whether the log says more than the sentence. */
  readonly hasMoreInLog?: boolean;
  /** Whether the scope may have the new value in spite of the refusal. */
  readonly mayHaveTakenEffect?: boolean;
}

/** How many scopes a sentence names before it counts the others. */
const maxNamedScopes = 3;

/**
 * The error of a change that some scopes refused, so that no scope was changed. Commands show its
 * message: "Nothing was changed: a.json is read-only."
 */
export class RefusedChange extends UserError {
  constructor(
    readonly refusals: readonly Refusal[],
    /** The scopes of the same change that did not refuse it. */
    readonly otherScopes: readonly SettingsScope[] = [],
  ) {
    super(messageFor(refusals), actionsFor(refusals), logLineFor(refusals));
  }

  /** Whether a scope may have the new value in spite of its refusal. */
  get mayHaveTakenEffect(): boolean {
    return mayHaveChanged(this.refusals);
  }
}

function mayHaveChanged(refusals: readonly Refusal[]): boolean {
  return refusals.some(({ mayHaveTakenEffect }) => mayHaveTakenEffect);
}

/** "Nothing was changed: a.json is read-only." */
function messageFor(refusals: readonly Refusal[]): string {
  const reasons = reasonsOf(refusals);
  if (mayHaveChanged(refusals)) return reasons;
  return vscode.l10n.t('Nothing was changed: {reasons}', { reasons });
}

function actionsFor(refusals: readonly Refusal[]): readonly Action[] {
  const actions = openActionOfFirst(refusals);
  const hasMoreInLog = refusals.some((refusal) => refusal.hasMoreInLog);
  return hasMoreInLog ? [...actions, showLogAction] : actions;
}

/** Returns one action at most. */
function openActionOfFirst(refusals: readonly Refusal[]): readonly Action[] {
  return refusals.slice(0, 1).map(({ scope }) => scope.openAction);
}

/** "automationPlatform.deployments in a.json was not changed: the file is read-only" */
function logLineFor(refusals: readonly Refusal[]): string {
  const lines = refusals.map(
    ({ scope, logReason }) => `${scope.setting} in ${scope.logName} was not changed: ${logReason}`,
  );
  return lines.join('; ');
}

/** Returns one sentence for each reason: "a.json, b.json, c.json, and 17 more are read-only." */
export function reasonsOf(refusals: readonly Refusal[]): string {
  // Two refusals have the same reason if their sentences about a scope without a name are the same.
  const refusalsByReason = new Map<string, Refusal[]>();
  for (const refusal of refusals) {
    const reason = refusal.sentence('', 1);
    const sameReason = refusalsByReason.get(reason) ?? [];
    refusalsByReason.set(reason, [...sameReason, refusal]);
  }

  const reasons = Array.from(refusalsByReason.values(), (sameReason) =>
    sameReason[0]!.sentence(scopeNames(sameReason), sameReason.length),
  );
  return joinSentences(...reasons);
}

/** "a.json, b.json, c.json, and 17 more" */
function scopeNames(refusals: readonly Refusal[]): string {
  const names = firstWithMore(refusals, maxNamedScopes, ({ scope }) => scope.name);
  return listText(names, 'long');
}

/** Returns the error itself if it is a refusal, else the refusal for an error of VS Code. */
export function asRefusedChange(scope: RefusingScope, error: unknown): RefusedChange {
  return error instanceof RefusedChange ? error : refusedByVsCode(scope, error);
}

/** `logReason`: in English, while the sentence is in the user's language. */
function refused(
  scope: RefusingScope,
  sentence: Refusal['sentence'],
  logReason: string,
): RefusedChange {
  return new RefusedChange([{ scope, sentence, logReason }]);
}

/**
 * For a change that a scope refused after other scopes were changed, and that could not be undone
 * in some of those: "a.json is read-only. The change was made in b.json, and could not be undone
 * there." `notUndone`: why the changed scopes refused the undo.
 */
export function partlyMadeError(
  { refusals, logLine }: RefusedChange,
  notUndone: readonly Refusal[],
): UserError {
  const sentence = vscode.l10n.t(
    '{reasons} The change was made in {places}, and could not be undone there.',
    { reasons: reasonsOf(refusals), places: scopeNames(notUndone) },
  );
  const lines = notUndone.map(
    ({ scope, logReason }) => `could not be undone in ${scope.logName}: ${logReason}`,
  );
  return new UserError(sentence, openActionOfFirst(notUndone), [logLine, ...lines].join('; '));
}

/**
 * For an error of VS Code's own write: "a.json is read-only.", or "VS Code could not write a.json.
 * Check for errors there, or see the log." VS Code's own words are in the display language, and
 * name the file by an address that users do not know; the codes in them are the same in every
 * language.
 */
function refusedByVsCode(scope: RefusingScope, error: unknown): RefusedChange {
  const text = messageOf(error);
  if (/\b(NoPermissions|EPERM|EACCES|EROFS)\b/.test(text)) return readOnlyError(scope, text);
  return new RefusedChange([
    {
      scope,
      sentence: (file) =>
        vscode.l10n.t('VS Code could not write {file}. Check for errors there, or see the log.', {
          file,
        }),
      logReason: text,
      hasMoreInLog: true,
    },
  ]);
}

/**
 * "a.json is read-only.", for a scope whose file only VS Code knows "The file of user settings is
 * read-only."
 */
export function readOnlyError(
  scope: RefusingScope,
  logReason = 'the file is read-only',
): RefusedChange {
  if (!scope.file) {
    return refused(
      scope,
      (place) => vscode.l10n.t('The file of {place} is read-only.', { place }),
      logReason,
    );
  }
  return refused(
    scope,
    (file, count) =>
      plural(
        count,
        vscode.l10n.t('{file} is read-only.', { file }),
        vscode.l10n.t('{file} are read-only.', { file }),
      ),
    logReason,
  );
}

/** "VS Code could not read a.json. See the log for the reason." */
export function unreadableError(scope: RefusingScope, error: unknown): RefusedChange {
  return new RefusedChange([
    {
      scope,
      sentence: (file) =>
        vscode.l10n.t('VS Code could not read {file}. See the log for the reason.', { file }),
      logReason: messageOf(error),
      hasMoreInLog: true,
    },
  ]);
}

/** "VS Code has not opened a.json for 10 seconds. Try again when it can be opened." */
export function notOpenedError(scope: RefusingScope): RefusedChange {
  return refused(
    scope,
    (file, count) =>
      plural(
        count,
        vscode.l10n.t(
          'VS Code has not opened {file} for 10 seconds. Try again when it can be opened.',
          { file },
        ),
        vscode.l10n.t(
          'VS Code has not opened {file} for 10 seconds. Try again when they can be opened.',
          { file },
        ),
      ),
    'VS Code has not opened the file in time',
  );
}

/** "There are unsaved changes in a.json. Save them, then try again." */
export function unsavedChangesError(scope: RefusingScope): RefusedChange {
  return refused(
    scope,
    (file) =>
      vscode.l10n.t('There are unsaved changes in {file}. Save them, then try again.', { file }),
    'the file has unsaved changes',
  );
}

/** "a.json is not UTF-8. Save it with this encoding, then try again." */
export function notUtf8Error(scope: RefusingScope): RefusedChange {
  return refused(
    scope,
    (file, count) =>
      plural(
        count,
        vscode.l10n.t('{file} is not UTF-8. Save it with this encoding, then try again.', { file }),
        vscode.l10n.t('{file} are not UTF-8. Save them with this encoding, then try again.', {
          file,
        }),
      ),
    'the file is not UTF-8',
  );
}

/** "There are errors in the JSON of a.json. Correct them, then try again." */
export function invalidJsonError(scope: RefusingScope): RefusedChange {
  return refused(
    scope,
    (file) =>
      vscode.l10n.t('There are errors in the JSON of {file}. Correct them, then try again.', {
        file,
      }),
    'the file is not valid JSON',
  );
}

/** "a.json contains “automationPlatform.deployments” twice. Merge the two, then try again." */
export function setTwiceError(scope: RefusingScope, key: string): RefusedChange {
  return refused(
    scope,
    (file, count) =>
      plural(
        count,
        vscode.l10n.t('{file} contains “{key}” twice. Merge the two, then try again.', {
          file,
          key,
        }),
        vscode.l10n.t(
          '{file} contain “{key}” twice. Merge the two in each of them, then try again.',
          { file, key },
        ),
      ),
    `the file contains ${key} twice`,
  );
}

/**
 * "“automationPlatform” later in a.json replaces “automationPlatform.deployments”. Move the setting
 * there, then try again."
 */
export function replacedSettingError(scope: RefusingScope, key: string): RefusedChange {
  const { setting } = scope;
  return refused(
    scope,
    (file) =>
      vscode.l10n.t(
        '“{key}” later in {file} replaces “{setting}”. Move the setting there, then try again.',
        { file, setting, key },
      ),
    `${key} later in the file replaces it`,
  );
}

/** "VS Code has not read a.json since it changed. Reload the window, then try again." */
export function staleSettingsError(scope: RefusingScope): RefusedChange {
  return refused(
    scope,
    (file, count) =>
      plural(
        count,
        vscode.l10n.t(
          'VS Code has not read {file} since it changed. Reload the window, then try again.',
          { file },
        ),
        vscode.l10n.t(
          'VS Code has not read {file} since they changed. Reload the window, then try again.',
          { file },
        ),
      ),
    'VS Code has not read the file since it changed',
  );
}

/**
 * "automationPlatform.deployments in a.json is not a list. Make it a list, then try again." A value
 * of another type is never overwritten, since the user may still need it.
 */
export function notListError(scope: RefusingScope): RefusedChange {
  const { setting } = scope;
  return refused(
    scope,
    (file) =>
      vscode.l10n.t('{setting} in {file} is not a list. Make it a list, then try again.', {
        setting,
        file,
      }),
    'the value is not a list',
  );
}

/**
 * "automationPlatform.owners in a.json is not an object of IDs and owners. Correct it, then try
 * again."
 */
export function ownersNotObjectError(scope: RefusingScope): RefusedChange {
  const { setting } = scope;
  return refused(
    scope,
    (file) =>
      vscode.l10n.t(
        '{setting} in {file} is not an object of IDs and owners. Correct it, then try again.',
        { setting, file },
      ),
    'the value is not an object',
  );
}

/**
 * For a write that VS Code has not ended in time: "VS Code has not written
 * automationPlatform.deployments in a.json for 10 seconds. The change may still take effect. …"
 */
export function writeTimeoutError(scope: RefusingScope): RefusedChange {
  const { setting } = scope;
  return new RefusedChange([
    {
      scope,
      sentence: (file) =>
        vscode.l10n.t(
          'VS Code has not written {setting} in {file} for 10 seconds. The change may still take effect. Look there before you try again.',
          { setting, file },
        ),
      logReason: 'VS Code has not written it in time',
      mayHaveTakenEffect: true,
    },
  ]);
}

/**
 * For a write after which VS Code still reads another value: "VS Code still reads another value
 * than the new one in a.json. …" The new value is taken back only from a known file.
 */
export function noEffectError(scope: RefusingScope): RefusedChange {
  const { setting } = scope;
  const logReason = 'VS Code still reads another value';
  if (scope.file) {
    return refused(
      scope,
      (file) =>
        vscode.l10n.t(
          'VS Code still reads another value than the new one in {file}. The file may be read-only, or another value in it may count. Check the file, then try again.',
          { file },
        ),
      logReason,
    );
  }
  const sentence = (place: string) =>
    vscode.l10n.t(
      'VS Code has written {place}, but still reads another value. Check whether {setting} is there twice, then try again.',
      { place, setting },
    );
  return new RefusedChange([{ scope, sentence, logReason, mayHaveTakenEffect: true }]);
}

/**
 * For a refused write whose new value could not be taken out of the editor where VS Code has left
 * it: "a.json is read-only. The new value is still in the editor of a.json, unsaved. Undo it
 * there."
 */
export function leftUnsavedError({ refusals }: RefusedChange): RefusedChange {
  const withEditor = refusals.map((refusal) => ({
    ...refusal,
    sentence: (file: string, count: number) =>
      joinSentences(
        refusal.sentence(file, count),
        vscode.l10n.t('The new value is still in the editor of {file}, unsaved. Undo it there.', {
          file,
        }),
      ),
    logReason: `${refusal.logReason}; the new value is still unsaved in the editor`,
  }));
  return new RefusedChange(withEditor);
}

import * as vscode from 'vscode';
import { showLogAction, UserError } from '../actions.js';
import { messageOf } from '../messages.js';
import { firstWithMore, joinSentences, listText, plural } from '../text/format.js';
import type { SettingsScope } from './settingsScope.js';

export type Refusing = Pick<
  SettingsScope,
  'file' | 'address' | 'name' | 'logName' | 'setting' | 'openAction'
>;

/** Why a scope was not written. */
export interface Refusal {
  readonly scope: Refusing;
  /** The sentence about this place, or about several that refuse for the same reason: "a.json and b.json are read-only." */
  readonly say: (places: string, count: number) => string;
  /** In English; it may have VS Code's own words. */
  readonly logReason: string;
  /** Whether the sentence says less than the log. */
  readonly isInLog?: boolean;
  /** Whether the scope may have the new value all the same. */
  readonly mayBeMade?: boolean;
}

const maxPlaces = 3;

/** A change that some scopes refused, so that it was made in none: "Nothing was changed: a.json is read-only." */
export class RefusedChange extends UserError {
  constructor(
    readonly refusals: readonly Refusal[],
    /** Those that did not refuse it. */
    readonly others: readonly SettingsScope[] = [],
  ) {
    const lines = refusals.map(
      ({ scope, logReason }) =>
        `${scope.setting} in ${scope.logName} was not changed: ${logReason}`,
    );
    const reasons = reasonsOf(refusals);
    super(
      refusals.some(({ mayBeMade }) => mayBeMade)
        ? reasons
        : vscode.l10n.t('Nothing was changed: {reasons}', { reasons }),
      [
        ...refusals.slice(0, 1).map(({ scope }) => scope.openAction),
        ...(refusals.some(({ isInLog }) => isInLog) ? [showLogAction] : []),
      ],
      lines.join('; '),
    );
  }

  get mayBeMade(): boolean {
    return this.refusals.some(({ mayBeMade }) => mayBeMade);
  }
}

/** One sentence for each reason: "a.json, b.json, c.json, and 17 more are read-only." */
export function reasonsOf(refusals: readonly Refusal[]): string {
  const reasons = new Map<string, Refusal[]>();
  for (const refusal of refusals) {
    const reason = refusal.say('', 1);
    reasons.set(reason, [...(reasons.get(reason) ?? []), refusal]);
  }
  return joinSentences(
    ...Array.from(reasons.values(), (alike) => alike[0]!.say(placesOf(alike), alike.length)),
  );
}

function placesOf(refusals: readonly Refusal[]): string {
  return listText(
    firstWithMore(refusals, maxPlaces, ({ scope }) => scope.name),
    'long',
  );
}

/** For what went wrong in this scope, whatever it was. */
export function asRefused(scope: Refusing, error: unknown): RefusedChange {
  return error instanceof RefusedChange ? error : refusedByCode(scope, error);
}

/** `logReason`: in English, where the sentence for the user has another language. */
function refused(scope: Refusing, say: Refusal['say'], logReason: string): RefusedChange {
  return new RefusedChange([{ scope, say, logReason }]);
}

/** For a change that could not be taken back where it was made before another scope refused it. */
export function partlyMade(
  { refusals, logLine }: RefusedChange,
  stuck: readonly Refusal[],
): UserError {
  const places = placesOf(stuck);
  const sentence = vscode.l10n.t(
    '{reasons} The change was made in {places}, and could not be undone there.',
    {
      reasons: reasonsOf(refusals),
      places,
    },
  );
  const openActions = stuck.slice(0, 1).map(({ scope }) => scope.openAction);
  const lines = stuck.map(
    ({ scope, logReason }) => `could not be undone in ${scope.logName}: ${logReason}`,
  );
  return new UserError(sentence, openActions, [logLine, ...lines].join('; '));
}

/**
 * For an error of VS Code's own write. Its words are in the display language, and name the file by an address that
 * users do not know; the codes in them are the same in every language.
 */
function refusedByCode(scope: Refusing, error: unknown): RefusedChange {
  const text = messageOf(error);
  if (/\b(NoPermissions|EPERM|EACCES|EROFS)\b/.test(text)) return readOnly(scope, text);
  return new RefusedChange([
    {
      scope,
      say: (file: string) =>
        vscode.l10n.t('VS Code could not write {file}. Check for errors there, or see the log.', {
          file,
        }),
      logReason: text,
      isInLog: true,
    },
  ]);
}

export function readOnly(scope: Refusing, logReason = 'the file is read-only'): RefusedChange {
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

export function unreadable(scope: Refusing, error: unknown): RefusedChange {
  return new RefusedChange([
    {
      scope,
      say: (file: string) =>
        vscode.l10n.t('VS Code could not read {file}. See the log for the reason.', { file }),
      logReason: messageOf(error),
      isInLog: true,
    },
  ]);
}

export function notOpened(scope: Refusing): RefusedChange {
  return refused(
    scope,
    (file: string, count: number) =>
      plural(
        count,
        vscode.l10n.t(
          'VS Code has not opened {file} for 10 seconds. Try again when it can be opened.',
          { file },
        ),
        vscode.l10n.t(
          'VS Code has not opened {file} for 10 seconds. Try again when they can be opened.',
          {
            file,
          },
        ),
      ),
    'VS Code has not opened the file in time',
  );
}

export function unsaved(scope: Refusing): RefusedChange {
  return refused(
    scope,
    (file: string) =>
      vscode.l10n.t('There are unsaved changes in {file}. Save them, then try again.', { file }),
    'the file has unsaved changes',
  );
}

export function notUtf8(scope: Refusing): RefusedChange {
  return refused(
    scope,
    (file: string, count: number) =>
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

export function notJson(scope: Refusing): RefusedChange {
  return refused(
    scope,
    (file: string) =>
      vscode.l10n.t('There are errors in the JSON of {file}. Correct them, then try again.', {
        file,
      }),
    'the file is not valid JSON',
  );
}

export function foundTwice(scope: Refusing, key: string): RefusedChange {
  return refused(
    scope,
    (file: string, count: number) =>
      plural(
        count,
        vscode.l10n.t('{file} contains “{key}” twice. Merge the two, then try again.', {
          file,
          key,
        }),
        vscode.l10n.t(
          '{file} contain “{key}” twice. Merge the two in each of them, then try again.',
          {
            file,
            key,
          },
        ),
      ),
    `the file contains ${key} twice`,
  );
}

export function replaced(scope: Refusing, key: string): RefusedChange {
  const { setting } = scope;
  return refused(
    scope,
    (file: string) =>
      vscode.l10n.t(
        '“{key}” later in {file} replaces “{setting}”. Move the setting there, then try again.',
        {
          file,
          setting,
          key,
        },
      ),
    `${key} later in the file replaces it`,
  );
}

export function notReadAgain(scope: Refusing): RefusedChange {
  return refused(
    scope,
    (file: string, count: number) =>
      plural(
        count,
        vscode.l10n.t(
          'VS Code has not read {file} since it changed. Reload the window, then try again.',
          { file },
        ),
        vscode.l10n.t(
          'VS Code has not read {file} since they changed. Reload the window, then try again.',
          {
            file,
          },
        ),
      ),
    'VS Code has not read the file since it changed',
  );
}

/** A value of another type is never overwritten, since it may still be needed. */
export function notList(scope: Refusing): RefusedChange {
  const { setting } = scope;
  return refused(
    scope,
    (file: string) =>
      vscode.l10n.t('{setting} in {file} is not a list. Make it a list, then try again.', {
        setting,
        file,
      }),
    'the value is not a list',
  );
}

export function notTable(scope: Refusing): RefusedChange {
  const { setting } = scope;
  return refused(
    scope,
    (file: string) =>
      vscode.l10n.t(
        '{setting} in {file} is not an object of IDs and owners. Correct it, then try again.',
        {
          setting,
          file,
        },
      ),
    'the value is not an object',
  );
}

/** For a write that VS Code has not ended in time. */
export function unanswered(scope: Refusing): RefusedChange {
  const { setting } = scope;
  return new RefusedChange([
    {
      scope,
      say: (file: string) =>
        vscode.l10n.t(
          'VS Code has not written {setting} in {file} for 10 seconds. The change may still take effect. Look there before you try again.',
          { setting, file },
        ),
      logReason: 'VS Code has not written it in time',
      mayBeMade: true,
    },
  ]);
}

/** VS Code can say that it has written a value, and still read another one. What it has written in a known file is taken back. */
export function withoutEffect(scope: Refusing): RefusedChange {
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
  const say = (place: string) =>
    vscode.l10n.t(
      'VS Code has written {place}, but still reads another value. Check whether {setting} is there twice, then try again.',
      { place, setting },
    );
  return new RefusedChange([{ scope, say, logReason, mayBeMade: true }]);
}

/** For a new value that could not be taken out of the editor where VS Code has left it. */
export function leftUnsaved({ refusals }: RefusedChange): RefusedChange {
  return new RefusedChange(
    refusals.map(({ say, logReason, ...rest }) => ({
      ...rest,
      say: (file, count) =>
        joinSentences(
          say(file, count),
          vscode.l10n.t('The new value is still in the editor of {file}, unsaved. Undo it there.', {
            file,
          }),
        ),
      logReason: `${logReason}; the new value is still unsaved in the editor`,
    })),
  );
}

import * as vscode from 'vscode';
import { configurationSection, settingKeys } from '../ids.js';
import { showWarning } from '../messages.js';
import type { MalformedValue } from './entries.js';
import { type ListPlace, openSettingsAction, placeName, placeNameForLog } from './place.js';

const setting = `${configurationSection}.${settingKeys.deployments}`;

/** Something in the list that is neither an id nor an object with one: it is skipped. */
export interface MalformedEntry extends MalformedValue {
  readonly place: ListPlace;
}

/** Says once, in the log and in one notification, which entries of the list can't be read; the others work. */
export class MalformedEntries {
  private readonly reported = new Set<string>();

  constructor(private readonly log: Pick<vscode.LogOutputChannel, 'warn'>) {}

  report(entries: readonly MalformedEntry[]): void {
    const fresh = entries.filter((entry) => !this.reported.has(keyOf(entry)));
    const [first] = fresh;
    if (!first) return;
    for (const entry of fresh) {
      this.reported.add(keyOf(entry));
      this.log.warn(logLine(entry));
    }
    // Nobody waits for the answer.
    void showWarning(sentence(first, fresh.length), [openSettingsAction(first.place)]);
  }
}

/** The position is no part of it, since it changes with every entry before this one. */
function keyOf({ place, value }: MalformedEntry): string {
  return JSON.stringify([placeNameForLog(place), value]);
}

function sentence({ place, index }: MalformedEntry, count: number): string {
  const file = placeName(place);
  const form = '{ "id": "…", "label": "…" }';
  if (index === undefined) {
    return vscode.l10n.t(
      'The setting {setting} in {file} is no list and is skipped. Make it a list of deployment ids.',
      { setting, file },
    );
  }
  if (count === 1) {
    return vscode.l10n.t(
      'Entry {number} of {setting} in {file} is skipped: it is neither a deployment id nor {form}. Correct or remove it; the other entries work.',
      { number: index + 1, setting, file, form },
    );
  }
  return vscode.l10n.t(
    '{count} entries of {setting} are skipped, the first is number {number} in {file}: it is neither a deployment id nor {form}. Correct or remove them; the other entries work.',
    { count, number: index + 1, setting, file, form },
  );
}

function logLine({ place, index }: MalformedEntry): string {
  const file = placeNameForLog(place);
  return index === undefined
    ? `The setting ${setting} in ${file} is no list and is skipped.`
    : `Entry ${index + 1} of ${setting} in ${file} is neither a deployment id nor { "id", "label"? } and is skipped.`;
}

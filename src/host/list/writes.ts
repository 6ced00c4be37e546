import * as vscode from 'vscode';
import { commandIds } from '../ids.js';
import type { ListPlace } from '../settings.js';
import { UserError } from '../userError.js';
import { labelIn, listsId, newEntry, type RemovedEntry, withLabel, withoutIds, withRestored } from './edits.js';
import { isUsableId } from './entries.js';
import { notAListError, settingsWriteError } from './place.js';
import { addTarget, type ListScope, listScopes, readScope, writeScope } from './scopes.js';

/** Where it stands from then on. */
export async function add(id: string, label: string | undefined): Promise<ListPlace> {
  if (!isUsableId(id)) throw unusableId();
  const [known] = scopesOf(id);
  // Listed already: a second entry would only have to be removed twice. The label was entered, so it counts.
  if (known) return label?.trim() ? setLabel(id, label) : known.place;
  const place = addTarget();
  await write(place, [...listAt(place), newEntry(id, label?.trim())]);
  return place;
}

/** The scopes that list the id, read anew: what is written must start from what is there. */
function scopesOf(id: string): ListScope[] {
  return listScopes().filter(({ value }) => listsId(value, id));
}

/** Where the label that counts stands; without any, where the id is found first. */
export async function setLabel(id: string, label: string | undefined): Promise<ListPlace> {
  const found = scopesOf(id);
  const scope = found.find(({ value }) => labelIn(value, id) !== undefined) ?? found[0];
  if (!scope) throw notListed();
  await write(scope.place, withLabel(scope.value, id, label?.trim()));
  return scope.place;
}

export interface RemovedFrom {
  readonly place: ListPlace;
  readonly entries: readonly RemovedEntry[];
}

/** Out of all places or out of none: a file that can't be written brings back what was taken out of the others. */
export async function remove(ids: ReadonlySet<string>): Promise<readonly RemovedFrom[]> {
  const done: RemovedFrom[] = [];
  for (const { place } of listScopes()) {
    // Read only now: while an earlier file was written, somebody may have added to this one.
    const { rest, removed } = withoutIds(readScope(place), ids);
    if (removed.length === 0) continue;
    try {
      await write(place, rest);
    } catch (error) {
      await putBack(done).catch(() => undefined);
      throw error;
    }
    done.push({ place, entries: removed });
  }
  return done;
}

/** Into the lists as they are now: what changed in them since then stays. */
export async function putBack(removed: readonly RemovedFrom[]): Promise<void> {
  for (const { place, entries } of removed) await write(place, withRestored(listAt(place), entries));
}

function listAt(place: ListPlace): readonly unknown[] {
  const value = readScope(place);
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw notAListError(place);
  return value;
}

async function write(place: ListPlace, value: readonly unknown[]): Promise<void> {
  try {
    await writeScope(place, value);
  } catch (error) {
    throw settingsWriteError(place, error);
  }
}

function notListed(): UserError {
  return new UserError(vscode.l10n.t('This deployment is no longer in the list. Add it again to give it a label.'), [
    { title: vscode.l10n.t('Add Deployment…'), command: commandIds.addDeployment },
  ]);
}

function unusableId(): UserError {
  return new UserError(
    vscode.l10n.t('This is no deployment id: it is empty or far too long. Enter the id as the dashboard shows it.'),
    [{ title: vscode.l10n.t('Add Deployment…'), command: commandIds.addDeployment }],
  );
}

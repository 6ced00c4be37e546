import * as vscode from 'vscode';
import {
  isUsableId,
  labelIn,
  listsId,
  malformedValues,
  mergeEntries,
  newEntry,
  type RemovedEntry,
  withLabel,
  withoutIds,
  withRestored,
} from './deploymentEntries.js';
import { commandIds, configurationSection, settingKeys } from './ids.js';
import { addTarget, isUntrusted, type ListScope, listScopes, readScope, writeScope } from './listScopes.js';
import { Queue } from './queue.js';
import { reportMalformedEntries } from './reportMalformedEntries.js';
import type { Log } from './services.js';
import type { DeploymentList, ListPlace } from './settings.js';
import { notAListError, settingsWriteError } from './settingsFile.js';
import { UserError } from './userError.js';

/** What is malformed in it is said once, in `log` and in one notification. */
export function createDeploymentList(log: Log): DeploymentList {
  const changed = new vscode.EventEmitter<void>();
  // Two writes at once would both start from the same list.
  const queue = new Queue();
  let now = look();
  const reread = (): void => {
    now = look();
    changed.fire();
  };
  const subscriptions: vscode.Disposable[] = [
    changed,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`${configurationSection}.${settingKeys.deployments}`)) reread();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(reread),
    vscode.workspace.onDidGrantWorkspaceTrust(reread),
  ];

  const list: DeploymentList = {
    onDidChange: changed.event,
    get listed() {
      return now.listed;
    },
    get malformed() {
      return now.malformed;
    },
    get untrusted() {
      return isUntrusted();
    },
    get addTarget() {
      return addTarget();
    },
    places: (id) => now.scopes.filter(({ ids }) => ids.has(id)).map(({ place }) => place),
    add: (id, label) =>
      queue.run(async () => {
        if (!isUsableId(id)) throw unusableId();
        const [known] = scopesOf(id);
        // Listed already: a second entry would only have to be removed twice. The label was entered, so it counts.
        if (known) return label?.trim() ? labelled(id, label) : known.place;
        const place = addTarget();
        await write(place, [...listAt(place), newEntry(id, label?.trim())]);
        return place;
      }),
    remove: (ids) =>
      queue.run(async () => {
        const removed = await removeEverywhere(new Set(ids));
        return {
          places: removed.map(({ place }) => place),
          undo: () => queue.run(() => putBack(removed)),
        };
      }),
    setLabel: (id, label) => queue.run(() => labelled(id, label)),
    dispose: () => vscode.Disposable.from(...subscriptions).dispose(),
  };
  subscriptions.push(reportMalformedEntries(list, log));
  return list;
}

/** What the settings said when they last changed. Thousands of ids may be asked for one by one, so each scope is read once. */
function look() {
  const scopes = listScopes();
  return {
    listed: mergeEntries(scopes.map(({ value }) => value)),
    malformed: scopes.flatMap(({ place, value }) => malformedValues(value).map((found) => ({ place, ...found }))),
    scopes: scopes.map(({ place, value }) => ({ place, ids: new Set(mergeEntries([value]).map(({ id }) => id)) })),
  };
}

/** The scopes that list the id, read anew: what is written must start from what is there. */
function scopesOf(id: string): ListScope[] {
  return listScopes().filter(({ value }) => listsId(value, id));
}

/** Where the label that counts stands; without any, where the id is found first. */
async function labelled(id: string, label: string | undefined): Promise<ListPlace> {
  const found = scopesOf(id);
  const scope = found.find(({ value }) => labelIn(value, id) !== undefined) ?? found[0];
  if (!scope) throw notListed();
  await write(scope.place, withLabel(scope.value, id, label?.trim()));
  return scope.place;
}

interface RemovedFrom {
  readonly place: ListPlace;
  readonly entries: readonly RemovedEntry[];
}

/** Out of all places or out of none: a file that can't be written brings back what was taken out of the others. */
async function removeEverywhere(ids: ReadonlySet<string>): Promise<readonly RemovedFrom[]> {
  const done: RemovedFrom[] = [];
  for (const { place, value } of listScopes()) {
    const { rest, removed } = withoutIds(value, ids);
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
async function putBack(removed: readonly RemovedFrom[]): Promise<void> {
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

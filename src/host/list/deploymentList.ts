import * as vscode from 'vscode';
import type { ListedDeployment } from '../../model/deployment.js';
import { lazy } from '../../model/lazy.js';
import { UserError } from '../actions.js';
import { commandIds, configurationSection, settingKeys } from '../ids.js';
import { Serial } from '../serial.js';
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
} from './entries.js';
import { MalformedEntries, type MalformedEntry } from './malformed.js';
import { addTarget, isUntrusted, type ListPlace, listPlaces, notAListError, valueAt, writeAt } from './place.js';

interface RemovedFrom {
  readonly place: ListPlace;
  readonly entries: readonly RemovedEntry[];
}

/** The `deployments` setting over all scopes: folder, workspace and user values together. First read when somebody asks, or when it changes. */
export class DeploymentList implements vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly malformedEntries: MalformedEntries;
  /** Two writes at the same time would both start from the same list, and one would be lost. */
  private readonly writes = new Serial();
  private readonly subscriptions: vscode.Disposable;
  private known: ReturnType<typeof look> | undefined;

  /** What is malformed in the list is said once, in `log` and in a notification. */
  constructor(log: Pick<vscode.LogOutputChannel, 'warn'>) {
    this.malformedEntries = new MalformedEntries(log);
    const reread = () => this.reread();
    this.subscriptions = vscode.Disposable.from(
      this.changed,
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(`${configurationSection}.${settingKeys.deployments}`)) reread();
      }),
      vscode.workspace.onDidChangeWorkspaceFolders(reread),
      vscode.workspace.onDidGrantWorkspaceTrust(reread),
    );
  }

  /** Each id once. */
  get listed(): readonly ListedDeployment[] {
    return this.now().listed;
  }

  get malformed(): readonly MalformedEntry[] {
    return this.now().malformed;
  }

  /** The workspace is not trusted: its list is not read. */
  get untrusted(): boolean {
    return isUntrusted();
  }

  /** Where `add` would write now. */
  get addTarget(): ListPlace {
    return addTarget();
  }

  /** Every place whose own array lists the id. */
  places(id: string): readonly ListPlace[] {
    return this.now()
      .idsByPlace()
      .filter(({ ids }) => ids.has(id))
      .map(({ place }) => place);
  }

  /** An id that is listed somewhere already is not listed twice: its label changes there, if one is given. Ask `places` first. */
  add(id: string, label: string | undefined): Promise<ListPlace> {
    return this.writes.run(async () => {
      if (!isUsableId(id)) throw unusableId();
      const [known] = placesNow(id);
      const given = label?.trim();
      // A second entry would only have to be removed twice, but a label that was entered counts.
      if (known) return given ? this.label(id, given) : known;
      const place = addTarget();
      await this.edit(place, (list) => [...list, newEntry(id, given)]);
      return place;
    });
  }

  /** Out of every place that lists them, or (rejecting) out of none. `undo` writes back exactly what was removed. */
  remove(ids: readonly string[]): Promise<{ readonly places: readonly ListPlace[]; undo(): Promise<void> }> {
    return this.writes.run(async () => {
      const removed = await this.takeOut(new Set(ids));
      return {
        places: removed.map(({ place }) => place),
        undo: () => this.writes.run(() => this.putBack(removed)),
      };
    });
  }

  /** `undefined` takes the label away. Written where the label that counts stands; without any, where the id is found first. */
  setLabel(id: string, label: string | undefined): Promise<ListPlace> {
    return this.writes.run(() => this.label(id, label?.trim()));
  }

  dispose(): void {
    this.subscriptions.dispose();
  }

  private now(): ReturnType<typeof look> {
    if (!this.known) {
      this.known = look();
      this.malformedEntries.report(this.known.malformed);
    }
    return this.known;
  }

  private reread(): void {
    this.known = undefined;
    this.now();
    this.changed.fire();
  }

  private async label(id: string, label: string | undefined): Promise<ListPlace> {
    const places = placesNow(id);
    const place = places.find((candidate) => labelIn(valueAt(candidate), id) !== undefined) ?? places[0];
    if (!place) throw notListed();
    await this.edit(place, (list) => withLabel(list, id, label));
    return place;
  }

  /** If one file can't be written, what was taken out of the others is put back. */
  private async takeOut(ids: ReadonlySet<string>): Promise<readonly RemovedFrom[]> {
    const done: RemovedFrom[] = [];
    for (const place of listPlaces()) {
      let entries: readonly RemovedEntry[] = [];
      try {
        await this.edit(place, (list) => {
          const { rest, removed } = withoutIds(list, ids);
          entries = removed;
          return removed.length > 0 ? rest : undefined;
        });
      } catch (error) {
        await this.putBack(done).catch(() => undefined);
        throw error;
      }
      if (entries.length > 0) done.push({ place, entries });
    }
    return done;
  }

  /** Puts entries back into the lists as they are now, so that later changes stay. */
  private async putBack(removed: readonly RemovedFrom[]): Promise<void> {
    for (const { place, entries } of removed) await this.edit(place, (list) => withRestored(list, entries));
  }

  /** Changes what the file says right now, since it may have changed while another one was written. `undefined` writes nothing. */
  private async edit(
    place: ListPlace,
    change: (list: readonly unknown[]) => readonly unknown[] | undefined,
  ): Promise<void> {
    const value = valueAt(place);
    const edited = change(Array.isArray(value) ? value : []);
    if (!edited) return;
    if (value !== undefined && !Array.isArray(value)) throw notAListError(place);
    await writeAt(place, edited);
  }
}

/** What the settings say, read once per place, since thousands of ids may be looked up one by one. */
function look() {
  const values = listPlaces().map((place) => ({ place, value: valueAt(place) }));
  return {
    listed: mergeEntries(values.map(({ value }) => value)),
    malformed: values.flatMap(({ place, value }) => malformedValues(value).map((found) => ({ place, ...found }))),
    idsByPlace: lazy(() =>
      values.map(({ place, value }) => ({ place, ids: new Set(mergeEntries([value]).map(({ id }) => id)) })),
    ),
  };
}

/** The places that list the id, read anew, since a write must start from what is there. */
function placesNow(id: string): readonly ListPlace[] {
  return listPlaces().filter((place) => listsId(valueAt(place), id));
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

import * as vscode from 'vscode';
import type { ListedDeployment } from '../../model/deployment.js';
import {
  entriesIn,
  hasId,
  labelIn,
  malformedValues,
  mergeEntries,
  withId,
  withLabel,
  withoutIds,
  withRestored,
} from '../../model/listEntries.js';
import { Owner } from '../../model/owner.js';
import { addDeploymentAction, showLogAction, UserError } from '../actions.js';
import { configurationSection, settingKeys } from '../ids.js';
import { showWarning } from '../messages.js';
import { Serial } from '../serial.js';
import { listText } from '../text/format.js';
import { addScope, isUntrusted, listScopes, type SettingsScope } from './settingsScope.js';
import { type TextChange, writeList } from './writeList.js';

const setting = `${configurationSection}.${settingKeys.deployments}`;

/** What was written: where, and the way back, which leaves alone what others changed since. */
export interface ListChange {
  readonly scopes: readonly SettingsScope[];
  undo(): Promise<void>;
}

/** The `deployments` setting of all scopes together. */
export class DeploymentList extends Owner {
  private readonly changed = this.own(new vscode.EventEmitter<void>());
  readonly onDidChange = this.changed.event;
  /** Two writes at the same time would both start from the same list, and one would be lost. */
  private readonly writes = new Serial();
  /** Malformed values that were reported, with their scopes. Not with their positions, which change with every entry before them. */
  private readonly reported = new Set<string>();

  listed: readonly ListedDeployment[];

  constructor(private readonly log: Pick<vscode.LogOutputChannel, 'warn'>) {
    super();
    this.listed = this.read();
    const reread = () => {
      this.listed = this.read();
      this.changed.fire();
    };
    this.own(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(setting)) reread();
      }),
    );
    this.own(vscode.workspace.onDidChangeWorkspaceFolders(reread));
    this.own(vscode.workspace.onDidGrantWorkspaceTrust(reread));
  }

  get untrusted(): boolean {
    return isUntrusted();
  }

  /** What only this user sees. */
  get inUserSettingsOnly(): readonly ListedDeployment[] {
    const ofWorkspace = listScopes().slice(0, -1);
    const shared = new Set(mergeEntries(ofWorkspace.map(({ value }) => value)).map(({ id }) => id));
    return this.listed.filter(({ id }) => !shared.has(id));
  }

  /** All in one write. What is listed somewhere already is not listed twice, since it would have to be removed twice. */
  add(deployments: readonly ListedDeployment[]): Promise<ListChange> {
    return this.append(deployments, () => this.read());
  }

  /** They stay in user settings, where other workspaces may need them. */
  copyToWorkspace(deployments: readonly ListedDeployment[]): Promise<ListChange> {
    return this.append(deployments, (list) => mergeEntries([list]));
  }

  private append(
    deployments: readonly ListedDeployment[],
    listedWith: (list: readonly unknown[]) => readonly ListedDeployment[],
  ): Promise<ListChange> {
    const added = new Set(deployments.map(({ id }) => id));
    return this.write(
      () => [addScope()],
      (list) => {
        const listed = new Set(listedWith(list).map(({ id }) => id));
        const missing = deployments.filter(({ id }) => !listed.has(id));
        return [...list, ...missing.map(({ id, label }) => (label ? { id, label } : id))];
      },
      (list) => withoutIds(list, added),
    );
  }

  remove(ids: readonly string[]): Promise<ListChange> {
    const removed = new Set(ids);
    return this.write(
      () => scopesWith(removed),
      (list) => withoutIds(list, removed),
      (list, before) => withRestored(list, before, removed),
    );
  }

  /** In every scope that lists it; labels stay. */
  changeId(id: string, changed: string): Promise<ListChange> {
    return this.write(
      () => scopesWith(new Set([id])),
      (list) => withId(list, id, changed),
      (list) => withId(list, changed, id),
    );
  }

  /** `undefined` takes the label away. Written where the label that counts stands; without any, where the id is found first. */
  setLabel(id: string, label: string | undefined): Promise<ListChange> {
    return this.write(
      () => {
        const scopes = scopesWith(new Set([id]));
        const scope = scopes.find(({ list }) => labelIn(list, id) !== undefined) ?? scopes[0];
        if (scope) return [scope];
        throw new UserError(vscode.l10n.t('This deployment is no longer in the list.'), [addDeploymentAction]);
      },
      (list) => withLabel(list, id, label),
      (list, before) => withLabel(list, id, labelIn(before, id)),
    );
  }

  private read(): readonly ListedDeployment[] {
    const scopes = listScopes();
    const malformed = scopes.filter((scope) => this.report(scope));
    const [first] = malformed;
    if (first) {
      const words = { setting, places: listText(malformed.map(({ name }) => name)) };
      const sentence = vscode.l10n.t('{setting} in {places} has invalid entries, which are ignored.', words);
      showWarning(sentence, [first.openAction, showLogAction]);
    }
    return mergeEntries(scopes.map(({ value }) => value));
  }

  /** Whether something malformed is there that was not reported yet. */
  private report(scope: SettingsScope): boolean {
    const before = this.reported.size;
    const file = scope.logName;
    for (const { index, value } of malformedValues(scope.value)) {
      const key = JSON.stringify([file, value]);
      if (this.reported.has(key)) continue;
      this.reported.add(key);
      const what = index === undefined ? setting : `Entry ${index + 1} of ${setting}`;
      const expected = index === undefined ? 'not a list' : 'neither a deployment ID nor { "id": "…", "label": "…" }';
      this.log.warn(`${what} in ${file} is ${expected} and is ignored.`);
    }
    return this.reported.size > before;
  }

  /** Changes all of these scopes or, rejecting, none. `undo` gets what the scope has by then, and what it had before. */
  private write(
    scopesToWrite: () => readonly SettingsScope[],
    change: (list: readonly unknown[]) => readonly unknown[],
    undo: (list: readonly unknown[], before: readonly unknown[]) => readonly unknown[],
  ): Promise<ListChange> {
    return this.writes.run(async () => {
      const done: Written[] = [];
      const undoAll = async () => {
        for (const { scope, before, text } of done) {
          if (!(await text?.revert())) await writeList(scope, undo(scope.list, before));
        }
      };
      try {
        for (const scope of scopesToWrite()) {
          // Read only now, since it may have changed while the scope before it was written.
          const before = scope.list;
          done.push({ scope, before, text: await writeList(scope, change(before)) });
        }
      } catch (error) {
        await undoAll().catch(() => undefined);
        throw error;
      }
      return { scopes: done.map(({ scope }) => scope), undo: () => this.writes.run(undoAll) };
    });
  }
}

interface Written {
  readonly scope: SettingsScope;
  readonly before: readonly unknown[];
  readonly text: TextChange | undefined;
}

function scopesWith(ids: ReadonlySet<string>): readonly SettingsScope[] {
  return listScopes().filter((scope) => entriesIn(scope.value).some((entry) => hasId(entry, ids)));
}

import * as vscode from 'vscode';
import type { SetTimer } from '../../api/timers.js';
import { deploymentNames, namedDeployment } from '../../model/deploymentNames.js';
import {
  entriesIn,
  entryOf,
  groupsIn,
  idOf,
  labelIn,
  malformedValues,
  maxGroupChars,
  mergeEntries,
  readEntry,
  unusableFields,
  withGroups,
  withId,
  withLabel,
  withoutKeys,
} from '../../model/entered/listEntries.js';
import {
  type Deployment,
  type ListedDeployment,
  listedDeployment,
} from '../../model/findings/deployment.js';
import { addDeploymentAction, UserError } from '../actions.js';
import { settingKeys } from '../ids.js';
import type { Log } from '../log.js';
import { plural } from '../text/format.js';
import type { Refusal } from './refusedChange.js';
import {
  ListSetting,
  type Malformed,
  malformedInList,
  type SettingChange,
} from './scopedSetting.js';
import { isUntrusted, SettingsScope, scopeForNewEntries } from './settingsScope.js';

/** What the files of one folder call a deployment. */
interface NameInFolder {
  readonly label: string | undefined;
  readonly name: string;
}

/** By deployment ID. */
type NamedInFolder = ReadonlyMap<string, NameInFolder>;

/**
 * The setting `deployments`: what all scopes together list, and the changes that commands make to
 * it.
 */
export class DeploymentList extends ListSetting<readonly ListedDeployment[], unknown> {
  /** By the URI of a folder whose files are open; made once for each list that is read. */
  private readonly namedByFolder = new WeakMap<
    readonly ListedDeployment[],
    Map<string, NamedInFolder>
  >();

  constructor(log: Pick<Log, 'warn' | 'redactValue'>, setTimer?: SetTimer) {
    super(settingKeys.deployments, log, setTimer);
  }

  get listed(): readonly ListedDeployment[] {
    return this.merged;
  }

  /**
   * Returns a function that gives a deployment the label and the name that it has in this file. The
   * settings of the file's own folder count first, then those of the workspace and of the user, and
   * those of other folders last. Its group is the same in all files.
   */
  namesIn(file: vscode.Uri): (deployment: Deployment) => Deployment {
    const folder = vscode.workspace.getWorkspaceFolder(file);
    if (!folder || !this.scopes.some(({ isFolderScope }) => isFolderScope))
      return (deployment) => deployment;
    const namedInFolder = this.namedIn(folder);
    return (deployment) => {
      const { id, group } = deployment;
      const named = namedInFolder.get(id);
      if (!named) return deployment;
      const listed = listedDeployment(id, named.label, group);
      return namedDeployment(listed, named.name, deployment);
    };
  }

  private namedIn(folder: vscode.WorkspaceFolder): NamedInFolder {
    const byFolder = this.namedByFolder.get(this.merged) ?? new Map<string, NamedInFolder>();
    this.namedByFolder.set(this.merged, byFolder);
    const folderUri = folder.uri.toString();
    const namedInFolder = byFolder.get(folderUri) ?? this.readNamedIn(folder);
    byFolder.set(folderUri, namedInFolder);
    return namedInFolder;
  }

  private readNamedIn(folder: vscode.WorkspaceFolder): NamedInFolder {
    const scope = new SettingsScope(vscode.ConfigurationTarget.WorkspaceFolder, folder);
    const workspaceAndUser = this.scopes.filter((other) => !other.isFolderScope);
    const scopes = [scope, ...workspaceAndUser, ...this.scopes];
    const listed = this.merge(scopes.map(({ value }) => value));
    const names = deploymentNames(listed);
    return new Map(listed.map(({ id, label }) => [id, { label, name: names.get(id) ?? id }]));
  }

  get isUntrusted(): boolean {
    return isUntrusted();
  }

  get listedInUserSettingsOnly(): readonly ListedDeployment[] {
    // The last scope is the user's.
    const workspaceValues = this.scopes.slice(0, -1).map(({ value }) => value);
    const idsInWorkspace = new Set(mergeEntries(workspaceValues).map(({ id }) => id));
    return this.listed.filter(({ id }) => !idsInWorkspace.has(id));
  }

  /**
   * Adds all deployments in one write. They stay in other scopes that list them: in user settings,
   * for instance, for other workspaces.
   */
  add(deployments: readonly ListedDeployment[]): Promise<SettingChange> {
    const missingIn = (list: readonly unknown[]) => {
      const listedIds = new Set(mergeEntries([list]).map(({ id }) => id));
      return deployments.filter(({ id }) => !listedIds.has(id));
    };
    return this.write(() => [scopeForNewEntries()], {
      change: (list) => {
        return [...list, ...missingIn(list).map(entryOf)];
      },
      undo: (list, before) => {
        const addedIds = new Set(missingIn(before).map(({ id }) => id));
        return withoutKeys(list, addedIds);
      },
    });
  }

  /** Removes the deployments from all scopes that list them, except those of `refusals`. */
  remove(ids: readonly string[], refusals?: readonly Refusal[]): Promise<SettingChange> {
    return this.removeKeys(ids, refusals);
  }

  changeId(id: string, newId: string): Promise<SettingChange> {
    return this.write(() => this.scopesWith([id]), {
      change: (list) => withId(list, id, newId),
      undo: (list) => withId(list, newId, id),
    });
  }

  /**
   * Returns the scope of the label that counts; without a label the first scope that lists the ID;
   * `undefined` if no scope lists it.
   */
  scopeOfLabel(id: string): SettingsScope | undefined {
    const scopes = this.scopesWith([id]);
    const withLabelForId = scopes.find((scope) => labelIn(this.valueIn(scope), id) !== undefined);
    return withLabelForId ?? scopes[0];
  }

  /**
   * `label`: `undefined` removes the label. Rejects if no scope lists the ID: "This deployment is
   * no longer in the list."
   */
  setLabel(id: string, label: string | undefined): Promise<SettingChange> {
    return this.write(() => [this.requireScopeOfLabel(id)], {
      change: (list) => withLabel(list, id, label),
      undo: (list, before) => withLabel(list, id, labelIn(before, id)),
    });
  }

  private requireScopeOfLabel(id: string): SettingsScope {
    const scope = this.scopeOfLabel(id);
    if (scope) return scope;
    throw notListedError(1);
  }

  /**
   * Puts all these deployments into a group, in one write of each scope: where the group of a
   * deployment stands that counts, else in the first scope that lists the deployment. `group`:
   * `undefined` takes them out of their groups, in every scope that names one. Leaves out those
   * that no scope lists. Rejects if none is listed: "This deployment is no longer in the list."
   */
  setGroup(ids: readonly string[], group: string | undefined): Promise<SettingChange> {
    let places: readonly GroupPlace[] = [];
    const idsIn = ({ uniqueName }: SettingsScope): readonly string[] =>
      places.find(({ scope }) => scope.uniqueName === uniqueName)?.ids ?? [];
    const scopesToWrite = (): readonly SettingsScope[] => {
      if (this.scopesWith(ids).length === 0) throw notListedError(ids.length);
      places = this.groupPlaces(ids, { isRemoved: group === undefined });
      return places.map(({ scope }) => scope);
    };
    return this.write(scopesToWrite, {
      change: (list, scope) => withGroups(list, new Map(idsIn(scope).map((id) => [id, group]))),
      undo: (list, before, scope) => {
        const groupsBefore = groupsIn(before);
        const groupsNow = groupsIn(list);
        const unchanged = idsIn(scope).filter((id) => groupsNow.get(id) === group);
        return withGroups(list, new Map(unchanged.map((id) => [id, groupsBefore.get(id)])));
      },
    });
  }

  /**
   * Returns the scopes that `setGroup` writes to put these deployments into a group, or to take
   * them out of their groups.
   */
  scopesOfGroup(
    ids: readonly string[],
    change: { readonly isRemoved: boolean } = { isRemoved: false },
  ): readonly SettingsScope[] {
    return this.groupPlaces(ids, change).map(({ scope }) => scope);
  }

  /** Returns each scope in which some of the deployments get a group, or lose theirs. */
  private groupPlaces(
    ids: readonly string[],
    { isRemoved }: { readonly isRemoved: boolean },
  ): readonly GroupPlace[] {
    const places = this.scopesWith(ids).map((scope) => {
      const list = this.valueIn(scope);
      const listedIds = new Set(list.map(idOf));
      const groups = groupsIn(list);
      const hasGroup = (id: string): boolean => !this.containsToken(groups.get(id) ?? '');
      const idsWithGroup = new Set([...groups.keys()].filter(hasGroup));
      return { scope, listedIds, idsWithGroup, ids: [] as string[] };
    });
    for (const id of new Set(ids)) {
      const withGroup = places.filter(({ idsWithGroup }) => idsWithGroup.has(id));
      const listing = places.filter(({ listedIds }) => listedIds.has(id));
      const chosen = isRemoved ? withGroup : [...withGroup, ...listing].slice(0, 1);
      for (const place of chosen) place.ids.push(id);
    }
    return places.filter((place) => place.ids.length > 0);
  }

  protected override keyOf(entry: unknown): string | undefined {
    return idOf(entry);
  }

  protected override readScope(scope: SettingsScope) {
    const malformed = [
      ...unreadableEntries(scope),
      ...this.entriesWithToken(scope),
      ...this.unusableFields(scope),
    ];
    return { part: scope.value, malformed };
  }

  private entriesWithToken(scope: SettingsScope): readonly Malformed[] {
    const malformed: Malformed[] = [];
    for (const [index, value] of entriesIn(scope.value).entries()) {
      if (!this.containsToken(idOf(value) ?? '')) continue;
      const complaint = 'contains a token, which is not sent as an ID';
      malformed.push(malformedInList(scope, { index, value }, complaint));
    }
    return malformed;
  }

  /** Returns the labels and groups that count as none. */
  private unusableFields({ setting, value }: SettingsScope): readonly Malformed[] {
    const malformed: Malformed[] = [];
    for (const [index, entry] of entriesIn(value).entries()) {
      const report = (field: 'label' | 'group', complaint: string): void => {
        const text = `the ${field} of entry ${index + 1} of ${setting}, which ${complaint}`;
        malformed.push({ value: [field, entry], text });
      };
      for (const field of unusableFields(entry)) report(field, fieldComplaints[field]);
      const { group = '' } = readEntry(entry) ?? {};
      if (this.containsToken(group)) report('group', 'contains a token');
    }
    return malformed;
  }

  /** `values`: the values of scopes, in the order in which their labels and groups count. */
  protected override merge(values: readonly unknown[]): readonly ListedDeployment[] {
    const listed = mergeEntries(values, (group) => !this.containsToken(group));
    const withoutTokens = listed.filter(({ id }) => !this.containsToken(id));
    return withoutTokens.map((deployment) => {
      const { label } = deployment;
      if (label === undefined) return deployment;
      return { ...deployment, label: this.log.redactValue(label) };
    });
  }

  private containsToken(id: string): boolean {
    return this.log.redactValue(id) !== id;
  }
}

/** A scope, and the deployments whose group is written there. */
interface GroupPlace {
  readonly scope: SettingsScope;
  readonly ids: readonly string[];
}

/** "This deployment is no longer in the list." `count`: how many the user has chosen. */
function notListedError(count: number): UserError {
  const sentence = plural(
    count,
    vscode.l10n.t('This deployment is no longer in the list.'),
    vscode.l10n.t('These deployments are no longer in the list.'),
  );
  return new UserError(sentence, [addDeploymentAction]);
}

/**
 * Returns the entries that are neither an ID nor an object with one; the whole value if it is not a
 * list.
 */
function unreadableEntries(scope: SettingsScope): readonly Malformed[] {
  const complaint = 'is neither an ID nor { "id": "…" }';
  return malformedValues(scope.value).map((value) => malformedInList(scope, value, complaint));
}

const fieldComplaints = {
  label: 'is not a text',
  group: `is not a name of 1 to ${maxGroupChars} characters`,
} as const;

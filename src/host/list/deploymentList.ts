import * as vscode from 'vscode';
import type { SetTimer } from '../../api/timers.js';
import { deploymentNames, namedDeployment } from '../../model/deploymentNames.js';
import {
  entriesIn,
  idOf,
  labelIn,
  malformedValues,
  mergeEntries,
  withId,
  withLabel,
  withoutKeys,
} from '../../model/entered/listEntries.js';
import type { Deployment, ListedDeployment } from '../../model/findings/deployment.js';
import { addDeploymentAction, UserError } from '../actions.js';
import { settingKeys } from '../ids.js';
import type { Log } from '../log.js';
import type { Refusal } from './refusedChange.js';
import {
  ListSetting,
  type Malformed,
  malformedInList,
  type SettingChange,
} from './scopedSetting.js';
import { isUntrusted, SettingsScope, scopeForNewEntries } from './settingsScope.js';

/** The list as the files of one folder show it, by deployment ID. */
type NamedInFolder = ReadonlyMap<string, ListedDeployment & Pick<Deployment, 'name'>>;

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
   * those of other folders last.
   */
  namesIn(file: vscode.Uri): (deployment: Deployment) => Deployment {
    const folder = vscode.workspace.getWorkspaceFolder(file);
    if (!folder || !this.scopes.some(({ isFolderScope }) => isFolderScope))
      return (deployment) => deployment;
    const namedInFolder = this.namedIn(folder);
    return (deployment) => {
      const listed = namedInFolder.get(deployment.id);
      return listed ? namedDeployment(listed, listed.name, deployment) : deployment;
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
    return new Map(
      listed.map((deployment) => {
        const { id } = deployment;
        return [id, { ...deployment, name: names.get(id) ?? id }];
      }),
    );
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
        const added = missingIn(list).map(({ id, label }) => (label ? { id, label } : id));
        return [...list, ...added];
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
    throw new UserError(vscode.l10n.t('This deployment is no longer in the list.'), [
      addDeploymentAction,
    ]);
  }

  protected override keyOf(entry: unknown): string | undefined {
    return idOf(entry);
  }

  protected override readScope(scope: SettingsScope) {
    const malformed = [...unreadableEntries(scope), ...this.entriesWithToken(scope)];
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

  /** `values`: the values of scopes, in the order in which their labels count. */
  protected override merge(values: readonly unknown[]): readonly ListedDeployment[] {
    const withoutTokens = mergeEntries(values).filter(({ id }) => !this.containsToken(id));
    return withoutTokens.map((listed) => {
      const { id, label } = listed;
      return label === undefined ? listed : { id, label: this.log.redactValue(label) };
    });
  }

  private containsToken(id: string): boolean {
    return this.log.redactValue(id) !== id;
  }
}

/**
 * Returns the entries that are neither an ID nor an object with an ID and perhaps a label; the
 * whole value if it is not a list.
 */
function unreadableEntries(scope: SettingsScope): readonly Malformed[] {
  const complaint = 'is neither an ID nor { "id": "…", "label": "…" }';
  return malformedValues(scope.value).map((value) => malformedInList(scope, value, complaint));
}

import * as vscode from 'vscode';
import type { SetTimer } from '../../api/timers.js';
import { deploymentNames, named } from '../../model/deploymentNames.js';
import {
  entriesIn,
  hasId,
  labelIn,
  malformedValues,
  mergeEntries,
  readEntry,
  withId,
  withLabel,
  withoutIds,
  withRestored,
} from '../../model/entered/listEntries.js';
import type { Deployment, ListedDeployment } from '../../model/findings/deployment.js';
import { addDeploymentAction, UserError } from '../actions.js';
import { settingKeys } from '../ids.js';
import type { Log } from '../log.js';
import { notList, type Refusal } from './refusedChange.js';
import { ScopedSetting, type SettingChange, without } from './scopedSetting.js';
import { addScope, isUntrusted, SettingsScope } from './settingsScope.js';

type NamedInFolder = ReadonlyMap<string, ListedDeployment & Pick<Deployment, 'name'>>;

function isOfFolder({ target }: SettingsScope): boolean {
  return target === vscode.ConfigurationTarget.WorkspaceFolder;
}

/** The setting `deployments`: what is listed in all scopes together, and the commands that change it. */
export class DeploymentList extends ScopedSetting<readonly ListedDeployment[], readonly unknown[]> {
  /** Made for each list that is read, for the folders whose files are open. */
  private readonly byFolder = new WeakMap<
    readonly ListedDeployment[],
    Map<string, NamedInFolder>
  >();

  constructor(log: Pick<Log, 'warn' | 'redactData'>, setTimer?: SetTimer) {
    super(settingKeys.deployments, log, setTimer);
  }

  get listed(): readonly ListedDeployment[] {
    return this.merged;
  }

  /**
   * Returns what gives a deployment the label and the name that it has in this file. The settings of the file's own folder
   * count first, then those of the workspace and of the user, and those of other folders last.
   */
  namesIn(file: vscode.Uri): (deployment: Deployment) => Deployment {
    const folder = vscode.workspace.getWorkspaceFolder(file);
    if (!folder || !this.scopes.some(isOfFolder)) return (deployment) => deployment;
    const folders = this.byFolder.get(this.merged) ?? new Map<string, NamedInFolder>();
    this.byFolder.set(this.merged, folders);
    const known = folders.get(folder.uri.toString()) ?? this.namedIn(folder);
    folders.set(folder.uri.toString(), known);
    return (deployment) => {
      const own = known.get(deployment.id);
      return own ? named(own, own.name, deployment) : deployment;
    };
  }

  get untrusted(): boolean {
    return isUntrusted();
  }

  get inUserSettingsOnly(): readonly ListedDeployment[] {
    const ofWorkspace = this.scopes.slice(0, -1);
    const shared = new Set(mergeEntries(ofWorkspace.map(({ value }) => value)).map(({ id }) => id));
    return this.listed.filter(({ id }) => !shared.has(id));
  }

  /** The scopes that list one of these. */
  scopesWith(ids: readonly string[]): readonly SettingsScope[] {
    const wanted = new Set(ids);
    return this.scopes.filter(({ value }) =>
      entriesIn(value).some((entry) => hasId(entry, wanted)),
    );
  }

  /** All in one write. They stay in other scopes that list them: in user settings, for instance, for other workspaces. */
  add(deployments: readonly ListedDeployment[]): Promise<SettingChange> {
    const missingIn = (list: readonly unknown[]) => {
      const listed = new Set(mergeEntries([list]).map(({ id }) => id));
      return deployments.filter(({ id }) => !listed.has(id));
    };
    return this.write(() => [addScope()], {
      change: (list) => [
        ...list,
        ...missingIn(list).map(({ id, label }) => (label ? { id, label } : id)),
      ],
      undo: (list, before) => withoutIds(list, new Set(missingIn(before).map(({ id }) => id))),
    });
  }

  /** `kept`: the scopes in which they stay. */
  remove(ids: readonly string[], kept: readonly Refusal[] = []): Promise<SettingChange> {
    const removed = new Set(ids);
    return this.write(() => without(this.scopesWith(ids), kept), {
      change: (list) => withoutIds(list, removed),
      undo: (list, before) => withRestored(list, before, removed),
    });
  }

  changeId(id: string, changed: string): Promise<SettingChange> {
    return this.write(() => this.scopesWith([id]), {
      change: (list) => withId(list, id, changed),
      undo: (list) => withId(list, changed, id),
    });
  }

  /** Where the label that counts stands; without any, where the id is found first. */
  scopeOfLabel(id: string): SettingsScope | undefined {
    const scopes = this.scopesWith([id]);
    return scopes.find((scope) => labelIn(this.ownValue(scope), id) !== undefined) ?? scopes[0];
  }

  /** `undefined` takes the label away. */
  setLabel(id: string, label: string | undefined): Promise<SettingChange> {
    return this.write(
      () => {
        const scope = this.scopeOfLabel(id);
        if (scope) return [scope];
        throw new UserError(vscode.l10n.t('This deployment is no longer in the list.'), [
          addDeploymentAction,
        ]);
      },
      {
        change: (list) => withLabel(list, id, label),
        undo: (list, before) => withLabel(list, id, labelIn(before, id)),
      },
    );
  }

  protected override read(): readonly ListedDeployment[] {
    this.report(({ setting, value: list }) => [
      ...malformedValues(list).map(({ index, value }) =>
        index === undefined
          ? { value, text: `${setting} is not a list` }
          : {
              value,
              text: `entry ${index + 1} of ${setting} is neither an ID nor { "id": "…", "label": "…" }`,
            },
      ),
      ...entriesIn(list).flatMap((entry, index) => {
        if (!this.holdsToken(readEntry(entry)?.id ?? '')) return [];
        return {
          value: entry,
          text: `entry ${index + 1} of ${setting} contains a token, which is not sent as an ID`,
        };
      }),
    ]);
    return this.listedIn(this.scopes);
  }

  private listedIn(scopes: readonly SettingsScope[]): readonly ListedDeployment[] {
    return mergeEntries(scopes.map(({ value }) => value))
      .filter(({ id }) => !this.holdsToken(id))
      .map((listed) => {
        const { id, label } = listed;
        return label === undefined ? listed : { id, label: this.log.redactData(label) };
      });
  }

  private namedIn(folder: vscode.WorkspaceFolder): NamedInFolder {
    const own = new SettingsScope(vscode.ConfigurationTarget.WorkspaceFolder, folder);
    const ofAll = this.scopes.filter((scope) => !isOfFolder(scope));
    const listed = this.listedIn([own, ...ofAll, ...this.scopes]);
    const names = deploymentNames(listed);
    return new Map(listed.map((one) => [one.id, { ...one, name: names.get(one.id) ?? one.id }]));
  }

  protected override ownValue(scope: SettingsScope): readonly unknown[] {
    const { value = [] } = scope;
    if (Array.isArray(value)) return value;
    throw notList(scope);
  }

  private holdsToken(id: string): boolean {
    return this.log.redactData(id) !== id;
  }
}

import * as vscode from 'vscode';
import type { RestrictedKey } from '../../model/entered/ignoredEntries.js';
import type { Action } from '../actions.js';
import { folderName } from '../folderNames.js';
import { configurationSection, settingKeys } from '../ids.js';

export type ScopedKey = RestrictedKey;

const valueKeys = {
  [vscode.ConfigurationTarget.Global]: 'globalValue',
  [vscode.ConfigurationTarget.Workspace]: 'workspaceValue',
  [vscode.ConfigurationTarget.WorkspaceFolder]: 'workspaceFolderValue',
} as const;

export interface ScopeFile {
  readonly uri: vscode.Uri;
  /** "web/.vscode/settings.json" */
  readonly name: string;
  /** Its settings are below the key `settings`. */
  readonly isWorkspaceFile: boolean;
}

/** One scope (folder, workspace or user) of the settings, with its own list, or its own owners. */
export class SettingsScope {
  readonly setting: string;

  constructor(
    readonly target: vscode.ConfigurationTarget,
    private readonly folder?: vscode.WorkspaceFolder,
    readonly key: ScopedKey = settingKeys.deployments,
  ) {
    this.setting = `${configurationSection}.${key}`;
  }

  /** Its own value, whatever it is. Read anew at each call: a configuration object is a snapshot. */
  get value(): unknown {
    return this.configuration().inspect<unknown>(this.key)?.[valueKeys[this.target]];
  }

  /** By VS Code, which keeps no comment inside the list (https://github.com/microsoft/vscode/issues/29453). */
  async write(value: unknown): Promise<void> {
    await this.configuration().update(this.key, value, this.target);
  }

  /** As users know it: "user settings", ".vscode/settings.json", "acme.code-workspace"; before a workspace is saved "workspace settings". */
  get name(): string {
    if (this.file) return this.file.name;
    return this.isOfUser ? vscode.l10n.t('user settings') : vscode.l10n.t('workspace settings');
  }

  /** As a question names it that is about to change it: "user settings (all windows)". */
  get nameInQuestion(): string {
    return this.isOfUser ? vscode.l10n.t('user settings (all windows)') : this.name;
  }

  get logName(): string {
    return this.file?.name ?? (this.isOfUser ? 'user settings' : 'workspace settings');
  }

  get openAction(): Action {
    const title = vscode.l10n.t('Open Settings');
    if (this.file) return { title, command: 'vscode.open', arguments: [this.file.uri] };
    const command = this.isOfUser
      ? 'workbench.action.openSettingsJson'
      : 'workbench.action.openWorkspaceConfigFile';
    return { title, command };
  }

  /** Tells scopes apart also where folders have the same name. */
  get address(): string {
    return this.file?.uri.toString() ?? this.logName;
  }

  /** `undefined` for user settings and for a workspace that is not saved yet, whose addresses only VS Code knows. */
  get file(): ScopeFile | undefined {
    const { workspaceFile, workspaceFolders } = vscode.workspace;
    if (this.isOfUser) return undefined;
    if (this.target === vscode.ConfigurationTarget.Workspace && workspaceFile) {
      if (workspaceFile.scheme === 'untitled') return undefined;
      const name = workspaceFile.path.slice(workspaceFile.path.lastIndexOf('/') + 1);
      return { uri: workspaceFile, name, isWorkspaceFile: true };
    }
    const base = this.folder ?? workspaceFolders?.[0];
    if (!base) return undefined;
    const name = '.vscode/settings.json';
    const uri = vscode.Uri.joinPath(base.uri, name);
    return {
      uri,
      name: this.folder ? `${folderName(this.folder)}/${name}` : name,
      isWorkspaceFile: false,
    };
  }

  get isOfUser(): boolean {
    return this.target === vscode.ConfigurationTarget.Global;
  }

  private configuration(): vscode.WorkspaceConfiguration {
    return vscode.workspace.getConfiguration(configurationSection, this.folder?.uri ?? null);
  }
}

export function isUntrusted(): boolean {
  return !vscode.workspace.isTrusted && hasWorkspace();
}

/** Where Add writes. VS Code hides the settings of a workspace that is not trusted, so a write would overwrite them. */
export function addScope(key?: ScopedKey): SettingsScope {
  const isShared = hasWorkspace() && !isUntrusted();
  const target = isShared
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
  return new SettingsScope(target, undefined, key);
}

/** In the order in which labels count: folders, workspace, user. */
export function listScopes(key?: ScopedKey): readonly SettingsScope[] {
  const user = new SettingsScope(vscode.ConfigurationTarget.Global, undefined, key);
  return isUntrusted() ? [user] : [...workspaceScopes(key), user];
}

/** Those of `listScopes` without the user. VS Code hides their values while the workspace is not trusted. */
export function workspaceScopes(key?: ScopedKey): readonly SettingsScope[] {
  if (!hasWorkspace()) return [];
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  // The settings of a single folder are those of the workspace too, and would count twice.
  const folders = workspaceFile ? workspaceFolders : [];
  return [
    ...folders.map(
      (folder) => new SettingsScope(vscode.ConfigurationTarget.WorkspaceFolder, folder, key),
    ),
    new SettingsScope(vscode.ConfigurationTarget.Workspace, undefined, key),
  ];
}

export function hasWorkspace(): boolean {
  return (
    vscode.workspace.workspaceFile !== undefined ||
    (vscode.workspace.workspaceFolders?.length ?? 0) > 0
  );
}

/** Calls `changed` when the scopes of a setting or its values may be others. */
export function onScopesChange(changed: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      // Of a setting in a nested object, `{ "automationPlatform": { "deployments": [] } }`, VS Code names the section alone.
      if (event.affectsConfiguration(configurationSection)) changed();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(changed),
    vscode.workspace.onDidGrantWorkspaceTrust(changed),
  );
}

import * as vscode from 'vscode';
import type { RestrictedKey } from '../../model/entered/ignoredEntries.js';
import type { Action } from '../actions.js';
import { folderName } from '../folderNames.js';
import { configurationSection, settingKeys } from '../ids.js';

export type ScopedKey = RestrictedKey;

/** The field of `WorkspaceConfiguration.inspect()` that has the value of a scope. */
const valueFields = {
  [vscode.ConfigurationTarget.Global]: 'globalValue',
  [vscode.ConfigurationTarget.Workspace]: 'workspaceValue',
  [vscode.ConfigurationTarget.WorkspaceFolder]: 'workspaceFolderValue',
} as const;

const settingsPath = '.vscode/settings.json';

export interface ScopeFile {
  readonly uri: vscode.Uri;
  /** "web/.vscode/settings.json" */
  readonly name: string;
  /** Whether its settings are below the key `settings`. */
  readonly isWorkspaceFile: boolean;
}

/**
 * One of our settings (`deployments`, `owners`, or `mutes`) in one scope: the user, the workspace,
 * or a folder of it. Reads and writes the value of this scope alone.
 */
export class SettingsScope {
  /** The full name of the setting: "automationPlatform.deployments". */
  readonly setting: string;

  /** `folder`: given for the scope of a folder, and for no other. */
  constructor(
    readonly target: vscode.ConfigurationTarget,
    private readonly folder?: vscode.WorkspaceFolder,
    readonly key: ScopedKey = settingKeys.deployments,
  ) {
    this.setting = `${configurationSection}.${key}`;
  }

  /**
   * The value in this scope alone, of any type; `undefined` if it has none. Read at each access,
   * because a configuration object is a snapshot.
   */
  get value(): unknown {
    const inspected = this.configuration().inspect<unknown>(this.key);
    return inspected?.[valueFields[this.target]];
  }

  /** Returns another of our settings in the same scope. */
  withKey(key: ScopedKey): SettingsScope {
    return new SettingsScope(this.target, this.folder, key);
  }

  /**
   * Resolves when VS Code has written the value. VS Code keeps no comment inside the list
   * (https://github.com/microsoft/vscode/issues/29453).
   */
  async write(value: unknown): Promise<void> {
    await this.configuration().update(this.key, value, this.target);
  }

  /**
   * The name that users know: "user settings", ".vscode/settings.json", "acme.code-workspace", or
   * "workspace settings" before the workspace is saved.
   */
  get name(): string {
    if (this.file) return this.file.name;
    return this.isUserScope ? vscode.l10n.t('user settings') : vscode.l10n.t('workspace settings');
  }

  /**
   * The name in a question about a change: "user settings (all windows)", ".vscode/settings.json".
   */
  get detailedName(): string {
    return this.isUserScope ? vscode.l10n.t('user settings (all windows)') : this.name;
  }

  /** The name in the log, in English: "user settings", ".vscode/settings.json". */
  get logName(): string {
    if (this.file) return this.file.name;
    return this.isUserScope ? 'user settings' : 'workspace settings';
  }

  /** "Open Settings" */
  get openAction(): Action {
    const title = vscode.l10n.t('Open Settings');
    if (this.file) return { title, command: 'vscode.open', arguments: [this.file.uri] };
    const command = this.isUserScope
      ? 'workbench.action.openSettingsJson'
      : 'workbench.action.openWorkspaceConfigFile';
    return { title, command };
  }

  /**
   * Differs between two scopes even if their folders have the same name: the URI of the file, if
   * any.
   */
  get uniqueName(): string {
    return this.file?.uri.toString() ?? this.logName;
  }

  /**
   * `undefined` for user settings and for a workspace that is not saved yet: only VS Code knows
   * where these files are.
   */
  get file(): ScopeFile | undefined {
    if (this.isUserScope) return undefined;
    const { workspaceFile, workspaceFolders } = vscode.workspace;
    if (this.target === vscode.ConfigurationTarget.Workspace && workspaceFile) {
      if (workspaceFile.scheme === 'untitled') return undefined;
      const fileName = workspaceFile.path.slice(workspaceFile.path.lastIndexOf('/') + 1);
      return { uri: workspaceFile, name: fileName, isWorkspaceFile: true };
    }

    // Without a workspace file, the settings of the workspace are those of its first folder.
    const folder = this.folder ?? workspaceFolders?.[0];
    if (!folder) return undefined;
    return {
      uri: vscode.Uri.joinPath(folder.uri, settingsPath),
      name: this.folder ? `${folderName(this.folder)}/${settingsPath}` : settingsPath,
      isWorkspaceFile: false,
    };
  }

  get isFolderScope(): boolean {
    return this.target === vscode.ConfigurationTarget.WorkspaceFolder;
  }

  get isUserScope(): boolean {
    return this.target === vscode.ConfigurationTarget.Global;
  }

  private configuration(): vscode.WorkspaceConfiguration {
    return vscode.workspace.getConfiguration(configurationSection, this.folder?.uri ?? null);
  }
}

/** Whether the window has a workspace that the user does not trust. */
export function isUntrusted(): boolean {
  return !vscode.workspace.isTrusted && hasWorkspace();
}

/**
 * Returns the scope to which new entries are written: the workspace, else the user. VS Code hides
 * the settings of an untrusted workspace, so a write would overwrite them.
 */
export function scopeForNewEntries(key?: ScopedKey): SettingsScope {
  const isShared = hasWorkspace() && !isUntrusted();
  const target = isShared
    ? vscode.ConfigurationTarget.Workspace
    : vscode.ConfigurationTarget.Global;
  return new SettingsScope(target, undefined, key);
}

/**
 * Returns the scopes whose values count, in the order in which labels count: folders, workspace,
 * user. Returns only the user's scope in an untrusted workspace.
 */
export function listScopes(key?: ScopedKey): readonly SettingsScope[] {
  const user = new SettingsScope(vscode.ConfigurationTarget.Global, undefined, key);
  return isUntrusted() ? [user] : [...workspaceScopes(key), user];
}

/**
 * Returns the scopes of the folders and of the workspace, in this order. VS Code hides their values
 * while the workspace is not trusted.
 */
export function workspaceScopes(key?: ScopedKey): readonly SettingsScope[] {
  if (!hasWorkspace()) return [];
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  // Without a workspace file, the settings of the single folder are those of the workspace, and
  // would count twice.
  const folders = workspaceFile ? workspaceFolders : [];
  const folderScopes = folders.map(
    (folder) => new SettingsScope(vscode.ConfigurationTarget.WorkspaceFolder, folder, key),
  );
  const workspaceScope = new SettingsScope(vscode.ConfigurationTarget.Workspace, undefined, key);
  return [...folderScopes, workspaceScope];
}

/** Whether the window has a folder or a workspace file open. */
export function hasWorkspace(): boolean {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  return workspaceFile !== undefined || workspaceFolders.length > 0;
}

/** Calls `onChange` when the scopes of our settings or their values may have changed. */
export function onScopesChange(onChange: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((event) => {
      // For a setting in a nested object, `{ "automationPlatform": { "deployments": [] } }`, VS
      // Code names the section alone.
      if (event.affectsConfiguration(configurationSection)) onChange();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(onChange),
    vscode.workspace.onDidGrantWorkspaceTrust(onChange),
  );
}

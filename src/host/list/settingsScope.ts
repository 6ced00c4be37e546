import * as vscode from 'vscode';
import { type Action, UserError } from '../actions.js';
import { configurationSection, settingKeys } from '../ids.js';
import { messageOf } from '../messages.js';

const setting = `${configurationSection}.${settingKeys.deployments}`;

const valueKeys = {
  [vscode.ConfigurationTarget.Global]: 'globalValue',
  [vscode.ConfigurationTarget.Workspace]: 'workspaceValue',
  [vscode.ConfigurationTarget.WorkspaceFolder]: 'workspaceFolderValue',
} as const;

/** One scope (folder, workspace or user) of the settings, with its own list. */
export class SettingsScope {
  constructor(
    readonly target: vscode.ConfigurationTarget,
    private readonly folder?: vscode.WorkspaceFolder,
  ) {}

  /** Its own value of `deployments`, whatever it is. Read anew at each call: a configuration object is a snapshot. */
  get value(): unknown {
    return this.configuration().inspect<unknown>(settingKeys.deployments)?.[valueKeys[this.target]];
  }

  /** Its own list, to be changed. A value of another type is never overwritten, since it may still be needed. */
  get list(): readonly unknown[] {
    const { value } = this;
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    throw new UserError(
      vscode.l10n.t('{setting} in {file} is not a list, so nothing was changed. Make it a list of deployment IDs.', {
        setting,
        file: this.name,
      }),
      [this.openAction],
    );
  }

  /** By VS Code, which keeps no comment inside the list (https://github.com/microsoft/vscode/issues/29453). */
  async write(list: readonly unknown[]): Promise<void> {
    try {
      await this.configuration().update(settingKeys.deployments, list, this.target);
    } catch (error) {
      // VS Code says, for instance, that there are unsaved changes, but not in which file.
      const words = { file: this.name, reason: messageOf(error) };
      throw new UserError(vscode.l10n.t('The list in {file} was not changed: {reason}', words), [this.openAction]);
    }
  }

  /** As users know it: "user settings", ".vscode/settings.json", "acme.code-workspace"; before a workspace is saved "workspace settings". */
  get name(): string {
    if (this.file) return this.file.name;
    return this.isOfUser ? vscode.l10n.t('user settings') : vscode.l10n.t('workspace settings');
  }

  /** The same in English, for the log. */
  get logName(): string {
    return this.file?.name ?? (this.isOfUser ? 'user settings' : 'workspace settings');
  }

  get openAction(): Action {
    const title = vscode.l10n.t('Open Settings');
    if (this.file) return { title, command: 'vscode.open', arguments: [this.file.uri] };
    const command = this.isOfUser ? 'workbench.action.openSettingsJson' : 'workbench.action.openWorkspaceConfigFile';
    return { title, command };
  }

  /**
   * Where the list stands in a file that can be opened.
   * @returns `undefined` for user settings and for a workspace that is not saved yet, whose addresses only VS Code knows.
   */
  get file(): { readonly uri: vscode.Uri; readonly name: string; readonly path: readonly string[] } | undefined {
    const { workspaceFile, workspaceFolders } = vscode.workspace;
    if (this.isOfUser) return undefined;
    if (this.target === vscode.ConfigurationTarget.Workspace && workspaceFile) {
      if (workspaceFile.scheme === 'untitled') return undefined;
      const name = workspaceFile.path.slice(workspaceFile.path.lastIndexOf('/') + 1);
      return { uri: workspaceFile, name, path: ['settings', setting] };
    }
    const base = this.folder ?? workspaceFolders?.[0];
    if (!base) return undefined;
    const name = '.vscode/settings.json';
    const uri = vscode.Uri.joinPath(base.uri, name);
    return { uri, name: this.folder ? `${this.folder.name}/${name}` : name, path: [setting] };
  }

  private get isOfUser(): boolean {
    return this.target === vscode.ConfigurationTarget.Global;
  }

  private configuration(): vscode.WorkspaceConfiguration {
    return vscode.workspace.getConfiguration(configurationSection, this.folder?.uri ?? null);
  }
}

export function isUntrusted(): boolean {
  return !vscode.workspace.isTrusted && hasWorkspace();
}

/**
 * Where Add writes: the workspace if it is trusted, else user settings. VS Code hides the settings of a workspace that is not trusted,
 * so a write would overwrite them.
 */
export function addScope(): SettingsScope {
  const isShared = hasWorkspace() && !isUntrusted();
  return new SettingsScope(isShared ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
}

/** In the order in which labels count: folders, workspace, user. */
export function listScopes(): readonly SettingsScope[] {
  const user = new SettingsScope(vscode.ConfigurationTarget.Global);
  if (isUntrusted() || !hasWorkspace()) return [user];
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  // The settings of a single folder are those of the workspace too, and would count twice.
  const folders = workspaceFile ? workspaceFolders : [];
  return [
    ...folders.map((folder) => new SettingsScope(vscode.ConfigurationTarget.WorkspaceFolder, folder)),
    new SettingsScope(vscode.ConfigurationTarget.Workspace),
    user,
  ];
}

function hasWorkspace(): boolean {
  return vscode.workspace.workspaceFile !== undefined || (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
}

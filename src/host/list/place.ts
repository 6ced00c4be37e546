import * as vscode from 'vscode';
import { type Action, UserError } from '../actions.js';
import { configurationSection, settingKeys } from '../ids.js';
import { messageOf } from '../messages.js';

const valueKeys = {
  [vscode.ConfigurationTarget.Global]: 'globalValue',
  [vscode.ConfigurationTarget.Workspace]: 'workspaceValue',
  [vscode.ConfigurationTarget.WorkspaceFolder]: 'workspaceFolderValue',
} as const;

/** A settings file that can hold the list: where an id stands, or where a write went. */
export class ListPlace {
  constructor(
    readonly target: vscode.ConfigurationTarget,
    private readonly folder?: vscode.WorkspaceFolder,
  ) {}

  /** Its own value of `deployments`, whatever it is. Read anew at each call: a configuration object is a snapshot. */
  get value(): unknown {
    return this.configuration().inspect<unknown>(settingKeys.deployments)?.[valueKeys[this.target]];
  }

  /** Its own list, to be changed. A value that is no list is never overwritten, since somebody may need what is in it. */
  get list(): readonly unknown[] {
    const { value } = this;
    if (value === undefined) return [];
    if (Array.isArray(value)) return value;
    throw new UserError(
      vscode.l10n.t('{setting} in {file} is not a list, so nothing was changed. Make it a list of deployment IDs.', {
        setting: 'automationPlatform.deployments',
        file: this.name,
      }),
      [this.openAction],
    );
  }

  async write(list: readonly unknown[]): Promise<void> {
    try {
      await this.configuration().update(settingKeys.deployments, list, this.target);
    } catch (error) {
      // VS Code says, for instance, that there are unsaved changes, but not in which file.
      const words = { file: this.name, reason: messageOf(error) };
      throw new UserError(vscode.l10n.t('The list in {file} was not changed: {reason}', words), [this.openAction]);
    }
  }

  /** The settings file as people know it: "user settings", ".vscode/settings.json", "acme.code-workspace". */
  get name(): string {
    return this.file?.name ?? vscode.l10n.t('user settings');
  }

  get openAction(): Action {
    const title = vscode.l10n.t('Open Settings');
    return this.file
      ? { title, command: 'vscode.open', arguments: [this.file.uri] }
      : { title, command: 'workbench.action.openSettingsJson' };
  }

  /** `undefined`: that of the user, whose address only VS Code knows. */
  get file(): { readonly uri: vscode.Uri; readonly name: string } | undefined {
    const { target, folder } = this;
    const { workspaceFile, workspaceFolders } = vscode.workspace;
    if (target === vscode.ConfigurationTarget.Workspace && workspaceFile) {
      return { uri: workspaceFile, name: workspaceFile.path.slice(workspaceFile.path.lastIndexOf('/') + 1) };
    }
    const base = folder ?? workspaceFolders?.[0];
    if (target === vscode.ConfigurationTarget.Global || !base) return undefined;
    const name = '.vscode/settings.json';
    return { uri: vscode.Uri.joinPath(base.uri, name), name: folder ? `${folder.name}/${name}` : name };
  }

  private configuration(): vscode.WorkspaceConfiguration {
    return vscode.workspace.getConfiguration(configurationSection, this.folder?.uri ?? null);
  }
}

export function isUntrusted(): boolean {
  return !vscode.workspace.isTrusted && hasWorkspace();
}

/** A trusted workspace, else the user: VS Code hides an untrusted one's settings, so a write would overwrite them unseen. */
export function addTarget(): ListPlace {
  const isShared = hasWorkspace() && !isUntrusted();
  return new ListPlace(isShared ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global);
}

/** Every place, in the order in which labels count: folders, workspace, user. */
export function listPlaces(): readonly ListPlace[] {
  const user = new ListPlace(vscode.ConfigurationTarget.Global);
  if (isUntrusted() || !hasWorkspace()) return [user];
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  // The settings of a single folder are those of the workspace too, and would count twice.
  const folders = workspaceFile ? workspaceFolders : [];
  return [
    ...folders.map((folder) => new ListPlace(vscode.ConfigurationTarget.WorkspaceFolder, folder)),
    new ListPlace(vscode.ConfigurationTarget.Workspace),
    user,
  ];
}

function hasWorkspace(): boolean {
  return vscode.workspace.workspaceFile !== undefined || (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
}

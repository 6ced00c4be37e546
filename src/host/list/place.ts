import * as vscode from 'vscode';
import { type Action, UserError } from '../actions.js';
import { configurationSection, settingKeys } from '../ids.js';
import { messageOf } from '../messages.js';

/** A settings file that can hold the list: where an id stands, or where a write went. */
export interface ListPlace {
  readonly target: vscode.ConfigurationTarget;
  readonly folder?: vscode.WorkspaceFolder;
}

export function isUntrusted(): boolean {
  return !vscode.workspace.isTrusted && hasWorkspace();
}

/** A trusted workspace, else the user: VS Code hides an untrusted one's settings, so a write would overwrite them unseen. */
export function addTarget(): ListPlace {
  const target =
    hasWorkspace() && !isUntrusted() ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  return { target };
}

/** Every place, in the order in which labels count: folders, workspace, user. */
export function listPlaces(): readonly ListPlace[] {
  const user: ListPlace = { target: vscode.ConfigurationTarget.Global };
  if (isUntrusted() || !hasWorkspace()) return [user];
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  // The settings of a single folder are those of the workspace too, and would count twice.
  const folders = workspaceFile ? workspaceFolders : [];
  return [
    ...folders.map((folder) => ({ target: vscode.ConfigurationTarget.WorkspaceFolder, folder })),
    { target: vscode.ConfigurationTarget.Workspace },
    user,
  ];
}

/** The place's own value of `deployments`, whatever it is. Read anew at each call: a configuration object is a snapshot. */
export function valueAt(place: ListPlace): unknown {
  const values = configuration(place).inspect<unknown>(settingKeys.deployments);
  switch (place.target) {
    case vscode.ConfigurationTarget.WorkspaceFolder:
      return values?.workspaceFolderValue;
    case vscode.ConfigurationTarget.Workspace:
      return values?.workspaceValue;
    default:
      return values?.globalValue;
  }
}

/** The place's own list, to be changed. A value that is no list is never overwritten, since somebody may need what is in it. */
export function listAt(place: ListPlace): readonly unknown[] {
  const value = valueAt(place);
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new UserError(
    vscode.l10n.t('{setting} in {file} is not a list, so nothing was changed. Make it a list of deployment IDs.', {
      setting: 'automationPlatform.deployments',
      file: placeName(place),
    }),
    [openSettingsAction(place)],
  );
}

export async function writeAt(place: ListPlace, value: readonly unknown[]): Promise<void> {
  try {
    await configuration(place).update(settingKeys.deployments, value, place.target);
  } catch (error) {
    // VS Code says, for instance, that there are unsaved changes, but not in which file.
    throw new UserError(
      vscode.l10n.t('The list in {file} was not changed: {reason}', {
        file: placeName(place),
        reason: messageOf(error),
      }),
      [openSettingsAction(place)],
    );
  }
}

/** The settings file behind a place, as people know it: "user settings", ".vscode/settings.json", "acme.code-workspace". */
export function placeName(place: ListPlace): string {
  return settingsFile(place)?.name ?? vscode.l10n.t('user settings');
}

export function openSettingsAction(place: ListPlace): Action {
  const title = vscode.l10n.t('Open Settings');
  const file = settingsFile(place);
  return file
    ? { title, command: 'vscode.open', arguments: [file.uri] }
    : { title, command: 'workbench.action.openSettingsJson' };
}

/** `undefined`: that of the user, whose place only VS Code knows. */
export function settingsFile({ target, folder }: ListPlace): { uri: vscode.Uri; name: string } | undefined {
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  if (target === vscode.ConfigurationTarget.Workspace && workspaceFile) {
    return { uri: workspaceFile, name: workspaceFile.path.slice(workspaceFile.path.lastIndexOf('/') + 1) };
  }
  const base = folder ?? workspaceFolders?.[0];
  if (target === vscode.ConfigurationTarget.Global || !base) return undefined;
  const name = '.vscode/settings.json';
  return { uri: vscode.Uri.joinPath(base.uri, name), name: folder ? `${folder.name}/${name}` : name };
}

function configuration(place: ListPlace): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(configurationSection, place.folder?.uri ?? null);
}

function hasWorkspace(): boolean {
  return vscode.workspace.workspaceFile !== undefined || (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
}

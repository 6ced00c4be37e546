import * as vscode from 'vscode';
import { type Action, UserError } from '../actions.js';
import { configurationSection, settingKeys } from '../ids.js';

/** A settings file that can hold the list: where an id stands, or where a write went. */
export interface ListPlace {
  readonly target: vscode.ConfigurationTarget;
  /** Of a folder value. */
  readonly folder?: vscode.WorkspaceFolder;
}

/** The list of a workspace that is not trusted is not read; without a workspace there is none. */
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

/** A settings file that can't be written says so as a `UserError`. */
export async function writeAt(place: ListPlace, value: readonly unknown[]): Promise<void> {
  try {
    await configuration(place).update(settingKeys.deployments, value, place.target);
  } catch (error) {
    throw writeError(place, error);
  }
}

/** A value that is no list is never overwritten, since it may hold something that somebody needs. */
export function notAListError(place: ListPlace): UserError {
  return new UserError(
    vscode.l10n.t(
      'The setting {setting} in {file} is no list, so nothing was written to it. Make it a list of deployment ids and try again.',
      { setting: 'automationPlatform.deployments', file: placeName(place) },
    ),
    [openSettingsAction(place)],
  );
}

/** The settings file behind a place, as people know it: "user settings", ".vscode/settings.json", "acme.code-workspace". */
export function placeName(place: ListPlace): string {
  return fileName(place) ?? vscode.l10n.t('user settings');
}

/** The same for the log, which is in English. */
export function placeNameForLog(place: ListPlace): string {
  return fileName(place) ?? 'user settings';
}

export function openSettingsAction(place: ListPlace): Action {
  const title = vscode.l10n.t('Open Settings');
  const uri = fileUri(place);
  return uri
    ? { title, command: 'vscode.open', arguments: [uri] }
    : { title, command: 'workbench.action.openSettingsJson' };
}

/** Why a write was refused. VS Code refuses to write into a file with unsaved changes, and does not say which one it is. */
function writeError(place: ListPlace, error: unknown): UserError {
  const file = placeName(place);
  const message = hasUnsavedChanges(place)
    ? vscode.l10n.t(
        'There are unsaved changes in {file}, so the list of deployments was not changed. Save the file and try again.',
        { file },
      )
    : vscode.l10n.t('The list of deployments in {file} could not be changed: {reason}', {
        file,
        reason: error instanceof Error ? error.message : String(error),
      });
  return new UserError(message, [openSettingsAction(place)]);
}

function hasUnsavedChanges(place: ListPlace): boolean {
  const uri = fileUri(place)?.toString();
  return vscode.workspace.textDocuments.some((document) => {
    if (!document.isDirty) return false;
    if (uri !== undefined) return document.uri.toString() === uri;
    // VS Code does not say where user settings are (profiles, remote machines), so the usual places are looked at.
    const { scheme, path } = document.uri;
    return (scheme === 'vscode-userdata' && path.endsWith('/settings.json')) || path.endsWith('/Machine/settings.json');
  });
}

function fileUri({ target, folder }: ListPlace): vscode.Uri | undefined {
  if (target === vscode.ConfigurationTarget.Global) return undefined;
  const { workspaceFile, workspaceFolders } = vscode.workspace;
  if (target === vscode.ConfigurationTarget.Workspace && workspaceFile) return workspaceFile;
  const base = folder ?? workspaceFolders?.[0];
  return base && vscode.Uri.joinPath(base.uri, '.vscode', 'settings.json');
}

function fileName({ target, folder }: ListPlace): string | undefined {
  if (target === vscode.ConfigurationTarget.Global) return undefined;
  const { workspaceFile } = vscode.workspace;
  if (target === vscode.ConfigurationTarget.Workspace && workspaceFile) {
    return workspaceFile.path.slice(workspaceFile.path.lastIndexOf('/') + 1);
  }
  return folder ? `${folder.name}/.vscode/settings.json` : '.vscode/settings.json';
}

function configuration(place: ListPlace): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(configurationSection, place.folder?.uri ?? null);
}

function hasWorkspace(): boolean {
  return vscode.workspace.workspaceFile !== undefined || (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
}

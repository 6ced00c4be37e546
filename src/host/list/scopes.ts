import * as vscode from 'vscode';
import { configurationSection, settingKeys } from '../ids.js';
import type { ListPlace } from '../settings.js';

/** One scope's own value of `deployments`, whatever it is. */
export interface ListScope {
  readonly place: ListPlace;
  readonly value: unknown;
}

/** The list of a workspace that is not trusted is not read; without a workspace there is none. */
export function isUntrusted(): boolean {
  return !vscode.workspace.isTrusted && hasWorkspace();
}

/** The workspace, if there is one; an untrusted one would hide what we wrote, and overwrite what it hides. */
export function addTarget(): ListPlace {
  const target =
    hasWorkspace() && !isUntrusted() ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global;
  return { target };
}

/** Every scope, in the order in which labels count: folders, workspace, user. */
export function listScopes(): ListScope[] {
  const user: ListPlace = { target: vscode.ConfigurationTarget.Global };
  if (isUntrusted() || !hasWorkspace()) return [read(user)];
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  // With a single folder its settings are the workspace's: read as both, an id would stand in two places.
  const folders = workspaceFile ? workspaceFolders : [];
  return [
    ...folders.map((folder) => read({ target: vscode.ConfigurationTarget.WorkspaceFolder, folder })),
    read({ target: vscode.ConfigurationTarget.Workspace }),
    read(user),
  ];
}

/** Read anew at each call: a configuration object is a snapshot. */
export function readScope(place: ListPlace): unknown {
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

export async function writeScope(place: ListPlace, value: readonly unknown[]): Promise<void> {
  await configuration(place).update(settingKeys.deployments, value, place.target);
}

function read(place: ListPlace): ListScope {
  return { place, value: readScope(place) };
}

function configuration(place: ListPlace): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration(configurationSection, place.folder?.uri ?? null);
}

function hasWorkspace(): boolean {
  return vscode.workspace.workspaceFile !== undefined || (vscode.workspace.workspaceFolders?.length ?? 0) > 0;
}

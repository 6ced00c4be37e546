import * as vscode from 'vscode';
import type { ListPlace } from '../settings.js';
import { type Step, UserError } from '../userError.js';

/** The settings file behind a place, as people know it: "user settings", ".vscode/settings.json", "acme.code-workspace". */
export function placeName(place: ListPlace): string {
  return fileName(place) ?? vscode.l10n.t('user settings');
}

/** The same for the log, which is in English. */
export function placeNameForLog(place: ListPlace): string {
  return fileName(place) ?? 'user settings';
}

export function openSettingsStep(place: ListPlace): Step {
  const title = vscode.l10n.t('Open Settings');
  const uri = fileUri(place);
  return uri
    ? { title, command: 'vscode.open', arguments: [uri] }
    : { title, command: 'workbench.action.openSettingsJson' };
}

/** Why a write was refused. VS Code refuses to write into a file with unsaved changes, and does not say which one it is. */
export function settingsWriteError(place: ListPlace, error: unknown): UserError {
  const file = placeName(place);
  const message = hasUnsavedChanges(place)
    ? vscode.l10n.t(
        'There are unsaved changes in {file}, so the list of deployments was not changed. Save the file and try again.',
        {
          file,
        },
      )
    : vscode.l10n.t('The list of deployments in {file} could not be changed: {reason}', {
        file,
        reason: error instanceof Error ? error.message : String(error),
      });
  return new UserError(message, [openSettingsStep(place)]);
}

/** A value that is no list may be anything; overwriting it would destroy it. */
export function notAListError(place: ListPlace): UserError {
  return new UserError(
    vscode.l10n.t(
      'The setting {setting} in {file} is no list, so nothing was written to it. Make it a list of deployment ids and try again.',
      { setting: 'automationPlatform.deployments', file: placeName(place) },
    ),
    [openSettingsStep(place)],
  );
}

function hasUnsavedChanges(place: ListPlace): boolean {
  const uri = fileUri(place)?.toString();
  return vscode.workspace.textDocuments.some((document) => {
    if (!document.isDirty) return false;
    if (uri !== undefined) return document.uri.toString() === uri;
    // Where user settings lie is VS Code's business (profiles, remote machines); only these are sure.
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

import * as vscode from 'vscode';
import type { ListPlace } from '../host/settings.js';
import { listText } from '../host/text.js';

/** The settings file that a value stands in, as people know it. */
export function placeName({ target, folder }: ListPlace): string {
  switch (target) {
    case vscode.ConfigurationTarget.Global:
      return vscode.l10n.t('user settings');
    case vscode.ConfigurationTarget.Workspace:
      return vscode.l10n.t('workspace settings');
    case vscode.ConfigurationTarget.WorkspaceFolder:
      return folder
        ? vscode.l10n.t('settings of the folder “{name}”', { name: folder.name })
        : vscode.l10n.t('folder settings');
    default:
      return target satisfies never;
  }
}

export function placeNames(places: readonly ListPlace[]): string {
  return listText(places.map(placeName));
}

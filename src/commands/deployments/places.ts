import * as vscode from 'vscode';
import { isUntrusted, type SettingsScope } from '../../host/list/settingsScope.js';
import { nameList } from '../../host/text/problem.js';

const maxPlaces = 4;

/** The places of a question: "user settings (all windows), team.code-workspace, web/.vscode/settings.json" */
export function placesInQuestion(scopes: readonly SettingsScope[]): string {
  return nameList(widestFirst(scopes), ({ nameInQuestion }) => nameInQuestion, maxPlaces);
}

/** The places of what has been done: "user settings, team.code-workspace, web/.vscode/settings.json" */
export function placeNames(scopes: readonly Pick<SettingsScope, 'name' | 'target'>[]): string {
  return nameList(widestFirst(scopes), ({ name }) => name, maxPlaces);
}

/** "Will be saved in team.code-workspace." */
export function savedInText(scope: SettingsScope): string {
  const place = scope.nameInQuestion;
  return isUntrusted()
    ? vscode.l10n.t('Will be saved in {place}, because this workspace is not trusted.', { place })
    : vscode.l10n.t('Will be saved in {place}.', { place });
}

/** What counts in most windows is named first, so that the rest of a long list is folders. */
function widestFirst<Scope extends Pick<SettingsScope, 'target'>>(
  scopes: readonly Scope[],
): readonly Scope[] {
  return scopes.toSorted((a, b) => a.target - b.target);
}

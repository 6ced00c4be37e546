import * as vscode from 'vscode';
import { isUntrusted, type SettingsScope } from '../../host/list/settingsScope.js';
import { nameList } from '../../host/text/problem.js';

const maxScopeNames = 4;

/**
 * Names the scopes that a question is about: "user settings (all windows), team.code-workspace,
 * web/.vscode/settings.json"
 */
export function detailedScopeNames(scopes: readonly SettingsScope[]): string {
  return nameList(widestFirst(scopes), ({ detailedName }) => detailedName, maxScopeNames);
}

/**
 * Names the scopes that were changed: "user settings, team.code-workspace"; after four names "2
 * more"
 */
export function scopeNames(scopes: readonly Pick<SettingsScope, 'name' | 'target'>[]): string {
  return nameList(widestFirst(scopes), ({ name }) => name, maxScopeNames);
}

/**
 * "Will be saved in team.code-workspace.", "Will be saved in user settings (all windows), because
 * this workspace is not trusted."
 */
export function willBeSavedText(scope: SettingsScope): string {
  const place = scope.detailedName;
  return isUntrusted()
    ? vscode.l10n.t('Will be saved in {place}, because this workspace is not trusted.', { place })
    : vscode.l10n.t('Will be saved in {place}.', { place });
}

/**
 * User settings come first, folders last: where a list of names is cut, only names of folders are
 * left out.
 */
function widestFirst<Scope extends Pick<SettingsScope, 'target'>>(
  scopes: readonly Scope[],
): readonly Scope[] {
  return scopes.toSorted((a, b) => a.target - b.target);
}

import * as vscode from 'vscode';
import { icon } from '../../host/icons.js';
import { contextValues } from '../../host/ids.js';
import { scopeSummary } from '../../host/text.js';
import type { ScopeElement } from '../../model/tree/elements.js';
import { treeItem } from '../tree/row.js';
import { scopeIcon } from './icons.js';

/** A scope of a connection method with its marks, or one that an account simply holds. */
export function scopeItem(element: ScopeElement): vscode.TreeItem {
  const summary = element.finding && scopeSummary(element.finding);
  return treeItem({
    id: element.id,
    label: element.scope || vscode.l10n.t('empty scope'),
    ...(summary ? { description: summary } : {}),
    icon: element.finding ? scopeIcon(element.finding.state) : icon('tag'),
    spoken: [element.scope || vscode.l10n.t('empty scope'), vscode.l10n.t('scope'), summary ?? vscode.l10n.t('held')],
    contextValue: contextValues.scope,
  });
}

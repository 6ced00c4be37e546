import * as vscode from 'vscode';
import { commandIds, internalCommandIds } from '../../host/ids.js';

/** What can be done about a reference. Each command takes a deployment's id. */
export interface Fix {
  /** Codicon. */
  readonly icon: string;
  readonly title: string;
  readonly command: string;
}

/** In the order in which they are offered, as quick fixes and as links of the hover. */
export function fixes(): readonly Fix[] {
  return [
    { icon: 'refresh', title: vscode.l10n.t('Check Again'), command: commandIds.refreshDeployment },
    { icon: 'list-tree', title: vscode.l10n.t('Reveal in Sidebar'), command: internalCommandIds.revealDeployment },
    { icon: 'copy', title: vscode.l10n.t('Copy Authorization Report'), command: commandIds.copyReport },
  ];
}

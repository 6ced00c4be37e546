import * as vscode from 'vscode';
import { showStatusBarMessage } from '../host/messages.js';
import type { Services } from '../host/services.js';
import { clockTime, listText, numberText } from '../host/text/format.js';
import { withGroups } from '../host/text/groups.js';
import type { AwayChanges } from '../model/problems/changesWhileAway.js';

/** Says in the status bar for some seconds what has changed while the user was away. */
export function registerChangesWhileAway({
  changesWhileAway,
  myGroups,
  settings,
}: Services): vscode.Disposable {
  return changesWhileAway.onDidFind((changes) => {
    const sentence = withGroups(myGroups.counts.groups, awaySentence(changes));
    if (settings.statusBarEnabled) showStatusBarMessage(sentence);
  });
}

/** "Failing deployments: 1 new, 1 changed, 1 fixed since 9:51 PM". `now`: epoch ms. */
export function awaySentence(
  { newCount, changedCount, fixedCount, since }: AwayChanges,
  now?: number,
): string {
  const changes: string[] = [];
  if (newCount > 0) {
    changes.push(vscode.l10n.t('{count} new', { count: numberText(newCount) }));
  }
  if (changedCount > 0) {
    changes.push(vscode.l10n.t('{count} changed', { count: numberText(changedCount) }));
  }
  if (fixedCount > 0) {
    changes.push(vscode.l10n.t('{count} fixed', { count: numberText(fixedCount) }));
  }
  const values = { changes: listText(changes), time: clockTime(since, now) };
  return vscode.l10n.t('Failing deployments: {changes} since {time}', values);
}

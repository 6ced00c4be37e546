import * as vscode from 'vscode';
import { stateIcons } from '../../../host/icons.js';
import { contextValues, internalCommandIds } from '../../../host/ids.js';
import { allCountsText, countsOfTotal, otherGroupsText } from '../../../host/text/deployment.js';
import { groupText } from '../../../host/text/groups.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { boldTitle, escaped, markdown } from '../../markdown.js';
import type { RowContent } from '../row.js';

/** "payments", beside it "2 failing of 40"; "No group" for the deployments that are in none. */
export function groupRow({ name, state, counts }: ElementOf<'group'>): RowContent {
  const label = groupText(name);
  const description = countsOfTotal(counts);
  return {
    label,
    description,
    icon: stateIcons[state],
    spoken: [label, vscode.l10n.t('group'), description],
    contextValue: contextValues.group,
    state,
  };
}

/** "**payments**", below it "2 failing, 1 unknown" */
export function groupHover({ name, counts }: ElementOf<'group'>): vscode.MarkdownString {
  return markdown(boldTitle(groupText(name)), escaped(allCountsText(counts)));
}

/**
 * Stands for the deployments of groups that the user has not chosen: "160 in other groups · 3
 * failing". A click shows all groups.
 */
export function otherGroupsRow({ counts }: ElementOf<'otherGroups'>): RowContent {
  const label = otherGroupsText(counts);
  const title = vscode.l10n.t('Show All Groups');
  return {
    label,
    spoken: [label, title],
    action: { title, command: internalCommandIds.showAllGroups },
  };
}

import * as vscode from 'vscode';
import { stateIcons } from '../../../host/icons.js';
import { contextValues, internalCommandIds } from '../../../host/ids.js';
import { causeAsOf } from '../../../host/text/cause.js';
import { countsOfTotal, otherGroupsText } from '../../../host/text/deployment.js';
import { joinWithDots } from '../../../host/text/format.js';
import { groupText } from '../../../host/text/groups.js';
import type { ElementOf } from '../../../model/tree/elements.js';
import { causeList, causesHover } from '../../causeList.js';
import { boldTitle } from '../../markdown.js';
import type { RowContent, RowContext } from '../row.js';

/** "payments", beside it "2 failing of 40"; "No group" for the deployments that are in none. */
export function groupRow({ name, state, counts }: ElementOf<'group'>): RowContent {
  const label = groupText(name);
  const description = countsOfTotal(counts);
  return {
    label,
    description,
    icon: stateIcons[state],
    spoken: [label, name === undefined ? undefined : vscode.l10n.t('group'), description],
    contextValue: contextValues.group,
    state,
  };
}

/**
 * "**payments** · 2 failing, 1 unknown of 40", in an outage with its time, and the worst causes
 * with their deployments.
 */
export function groupHover(
  { name, counts, deployments }: ElementOf<'group'>,
  { cause, memory, now }: RowContext,
): vscode.MarkdownString {
  return causesHover(
    boldTitle(groupText(name), joinWithDots(countsOfTotal(counts), causeAsOf(cause, now))),
    causeList(deployments, counts, memory),
  );
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

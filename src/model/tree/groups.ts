import { isDeepStrictEqual } from 'node:util';
import { countDeployments, type Deployment, isFailing } from '../findings/deployment.js';
import { severity, worstOf } from '../findings/order.js';
import { compareGroups, deploymentsByGroup, type GroupName } from '../groups.js';
import { type ElementOf, encodePart, type TreeElement } from './elements.js';
import { inFormerOrder, isShown, type RowFilter } from './roots.js';

interface GroupingOptions extends RowFilter {
  /** The roots that VS Code has. Groups among them keep their order. */
  readonly formerRoots?: readonly TreeElement[];
}

/**
 * Returns the roots of the Deployments view grouped by group: the groups, worst first, *No group*
 * last. A group that the user has not chosen has no row, nor has one of which Hide Healthy hides all
 * deployments.
 */
export function rootsByGroup(
  listed: readonly Deployment[],
  options: GroupingOptions,
): readonly ElementOf<'group'>[] {
  const { formerRoots = [] } = options;
  const groups = Array.from(deploymentsByGroup(listed), ([name, deployments]) =>
    groupElement(name, deployments, options),
  );
  const shownGroups = groups.filter(({ members }) => members.length > 0);
  return inFormerOrder(shownGroups, formerRoots, worstFirst);
}

/**
 * Returns whether two rows are of one group, have the same text and the same hover, and have rows
 * of the same deployments below them.
 */
export function isSameGroup(a: TreeElement, b: TreeElement | undefined): boolean {
  if (a.kind !== 'group' || b?.kind !== 'group' || a.id !== b.id) return false;
  if (a.deployments.length !== b.deployments.length) return false;
  if (a.members.length !== b.members.length) return false;
  return a.deployments.every((deployment, index) =>
    isSameInGroup(deployment, b.deployments[index]),
  );
}

/** Returns whether the group's row counts the deployment alike, and its hover says the same. */
function isSameInGroup(a: Deployment, b: Deployment | undefined): boolean {
  if (a === b) return true;
  if (a.id !== b?.id || a.state !== b.state) return false;
  const isInHover = isFailing(a) || a.state === 'unknown';
  return !isInHover || isDeepStrictEqual(causesOf(a), causesOf(b));
}

/** What the causes come from that the hover of a group names. */
function causesOf({ answer, failedRead }: Deployment): readonly unknown[] {
  return [answer?.value, answer?.decodeIssues, failedRead?.failure];
}

/** `deployments`: all of the group, at least one. */
function groupElement(
  name: GroupName,
  deployments: readonly Deployment[],
  rowFilter: RowFilter,
): ElementOf<'group'> {
  return {
    kind: 'group',
    id: `group:${encodePart(name)}`,
    copyId: undefined,
    name,
    state: worstOf(deployments.map(({ state }) => state)),
    counts: countDeployments(deployments),
    deployments,
    members: deployments.filter((deployment) => isShown(deployment, rowFilter)),
  };
}

/** The order of groups: by state, then by name. */
function worstFirst(a: ElementOf<'group'>, b: ElementOf<'group'>): number {
  if (a.name === undefined || b.name === undefined) return compareGroups(a.name, b.name);
  const byState = severity(a.state) - severity(b.state);
  return byState === 0 ? compareGroups(a.name, b.name) : byState;
}

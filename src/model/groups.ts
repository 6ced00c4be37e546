import type { Deployment, ListedDeployment } from './findings/deployment.js';
import { groupBy } from './findings/findings.js';
import { compareNames } from './findings/order.js';

/** The name of a group of deployments; `undefined` stands for those that are in none. */
export type GroupName = ListedDeployment['group'];

/** The order of groups where their states do not count: by name, *No group* last. */
export function compareGroups(a: GroupName, b: GroupName): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const byName = compareNames(a, b);
  if (byName !== 0 || a === b) return byName;
  // Names are compared exactly, and these two sort alike.
  return a < b ? -1 : 1;
}

/** Returns whether any of the deployments is in a group. */
export function hasGroups(listed: readonly ListedDeployment[]): boolean {
  return listed.some(({ group }) => group !== undefined);
}

/**
 * Returns the deployments of each group, in the order of `deployments`. The groups are in the order
 * in which they first occur.
 */
export function deploymentsByGroup(
  deployments: readonly Deployment[],
): ReadonlyMap<GroupName, readonly Deployment[]> {
  return groupBy(deployments, ({ group }) => group);
}

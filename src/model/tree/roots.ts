import type { Ignored } from '../entered/ignoredEntries.js';
import type { Deployment } from '../findings/deployment.js';
import type { OrganizationCause } from '../store/store.js';
import { deploymentElement, type ElementOf, type TreeElement } from './elements.js';

/** Whether Hide Healthy is on. */
export type Filter = Readonly<{ isOn: boolean }>;

/** Returns whether the deployment has a row although Hide Healthy may be on. */
export function isShown(deployment: Deployment, { isOn }: Filter): boolean {
  return !isOn || deployment.state !== 'satisfied';
}

/**
 * Returns the rows at the top, which concern the whole view. `ignored`: what the settings of an
 * untrusted workspace contain, which is not used. If nothing is listed, ignored owners and mutes
 * alone make no row, because a row would replace the welcome view.
 */
export function firstRows(
  cause: OrganizationCause | undefined,
  ignored: Ignored,
  isAnyListed: boolean,
): readonly ElementOf<'cause'>[] {
  const rows: ElementOf<'cause'>[] = [];
  const base = { kind: 'cause', copyId: undefined } as const;
  const { deployments, owners, mutes } = ignored;
  if (deployments || ((owners || mutes) && isAnyListed))
    rows.push({ ...base, id: 'untrusted', cause: { kind: 'untrusted', ignored } });
  if (cause !== undefined) rows.push({ ...base, id: 'cause', cause });
  return rows;
}

/**
 * Returns the row at the bottom that counts what Hide Healthy hides; none if it hides nothing.
 * `mayBeOthers`: whether the workspace lists other deployments, which are ignored, or that is not
 * known yet.
 */
export function lastRows(
  deployments: readonly Deployment[],
  filter: Filter,
  mayBeOthers = false,
): readonly ElementOf<'hidden'>[] {
  const count = deployments.filter((deployment) => !isShown(deployment, filter)).length;
  if (count === 0) return [];
  const isAll = count === deployments.length && !mayBeOthers;
  return [{ kind: 'hidden', id: 'hidden', copyId: undefined, count, isAll }];
}

/** Returns the first row of a deployment; `undefined` if it has none. */
export function firstInGroups(
  roots: readonly TreeElement[],
  deploymentId: string,
): TreeElement | undefined {
  for (const root of roots) {
    if (root.kind === 'accountGroup') {
      const member = root.members.find(({ copyId }) => copyId === deploymentId);
      if (member) return member;
    }
    if (root.kind === 'unseen') {
      const unseen = root.deployments.find(({ id }) => id === deploymentId);
      if (unseen) return deploymentElement(unseen, root);
    }
  }
  return undefined;
}

/**
 * Returns the IDs of the deployments in the order of their rows. An ID occurs once for each group
 * that the deployment is in.
 */
export function deploymentsInGroups(roots: readonly TreeElement[]): readonly string[] {
  return roots.flatMap((root) => {
    if (root.kind === 'unseen') return root.deployments.map(({ id }) => id);
    if (root.kind === 'accountGroup') return root.members.flatMap(({ copyId }) => copyId ?? []);
    return [];
  });
}

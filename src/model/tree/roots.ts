import type { Ignored } from '../entered/ignoredEntries.js';
import type { Deployment } from '../findings/deployment.js';
import type { MyGroups } from '../myGroups.js';
import type { OrganizationCause } from '../store/store.js';
import { deploymentElement, type ElementOf, type TreeElement } from './elements.js';

/** What decides which deployments have rows. */
export interface RowFilter {
  /** Whether Hide Healthy is on. */
  readonly filter: { readonly isOn: boolean };
  readonly myGroups: Pick<MyGroups, 'covers'>;
}

/** Returns whether the deployment has a row. */
export function isShown(deployment: Deployment, rowFilter: RowFilter): boolean {
  return rowFilter.myGroups.covers(deployment) && !isHidden(deployment, rowFilter);
}

/** Returns whether Hide Healthy hides the deployment. */
export function isHidden(
  { state }: Pick<Deployment, 'state'>,
  { filter }: Pick<RowFilter, 'filter'>,
): boolean {
  return filter.isOn && state === 'satisfied';
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

interface LastRowsOptions {
  readonly filter: RowFilter['filter'];
  readonly myGroups: Pick<MyGroups, 'deployments' | 'otherCounts'>;
  /** Whether the workspace lists other deployments, which are ignored, or may do so. */
  readonly mayBeOthers?: boolean;
}

/**
 * Returns the rows at the bottom, which count the deployments that have no row: those that Hide
 * Healthy hides, and those of groups that the user has not chosen.
 */
export function lastRows({
  filter,
  myGroups,
  mayBeOthers = false,
}: LastRowsOptions): readonly (ElementOf<'hidden'> | ElementOf<'otherGroups'>)[] {
  const { deployments, otherCounts } = myGroups;
  const rows: (ElementOf<'hidden'> | ElementOf<'otherGroups'>)[] = [];
  const count = deployments.filter((deployment) => isHidden(deployment, { filter })).length;
  if (count > 0) {
    const isEachListedHidden = count === deployments.length && otherCounts === undefined;
    const isAll = isEachListedHidden && !mayBeOthers;
    rows.push({ kind: 'hidden', id: 'hidden', copyId: undefined, count, isAll });
  }
  if (otherCounts !== undefined) {
    const id = 'otherGroups';
    rows.push({ kind: 'otherGroups', id, copyId: undefined, counts: otherCounts });
  }
  return rows;
}

/**
 * Returns the groups in the order of the roots that VS Code has, then the new ones in the order of
 * `compare`.
 */
export function inFormerOrder<T extends TreeElement>(
  groups: readonly T[],
  formerRoots: readonly TreeElement[],
  compare: (a: T, b: T) => number,
): readonly T[] {
  const formerPositions = new Map(formerRoots.map(({ id }, position) => [id, position]));
  const positionOf = ({ id }: TreeElement): number =>
    formerPositions.get(id) ?? formerPositions.size;
  return groups.toSorted((a, b) => positionOf(a) - positionOf(b) || compare(a, b));
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
    const below = deploymentsBelow(root).find(({ id }) => id === deploymentId);
    if (below) return deploymentElement(below, root);
  }
  return undefined;
}

/**
 * Returns the IDs of the deployments in the order of their rows. An ID occurs once for each group
 * that the deployment is in.
 */
export function deploymentsInGroups(roots: readonly TreeElement[]): readonly string[] {
  return roots.flatMap((root) => {
    if (root.kind === 'accountGroup') return root.members.flatMap(({ copyId }) => copyId ?? []);
    return deploymentsBelow(root).map(({ id }) => id);
  });
}

/** Returns the deployments whose own rows stand below this one at the root. */
function deploymentsBelow(root: TreeElement): readonly Deployment[] {
  if (root.kind === 'group') return root.members;
  return root.kind === 'unseen' ? root.deployments : [];
}

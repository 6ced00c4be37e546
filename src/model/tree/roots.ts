import type { Deployment } from '../deployment.js';
import { compareNames, severity } from '../order.js';
import { groupBy } from '../problems/findings.js';
import { SharedAccount, usesOf, worstState } from '../problems/impact.js';
import type { OrganizationCause } from '../store/causes.js';
import { deploymentElement, type ElementOf, encodePart, type TreeElement } from './elements.js';

type Filter = Readonly<{ isOn: boolean }>;

export function isShown(deployment: Deployment, { isOn }: Filter): boolean {
  return !isOn || deployment.state !== 'satisfied';
}

/** The rows that concern the whole view. `untrusted`: the workspace may have a list, which is not used. */
export function firstRows(cause: OrganizationCause | undefined, untrusted: boolean): readonly ElementOf<'cause'>[] {
  const first: ElementOf<'cause'>[] = [];
  if (untrusted) first.push({ kind: 'cause', id: 'untrusted', copyId: undefined, cause: { kind: 'untrusted' } });
  if (cause !== undefined) first.push({ kind: 'cause', id: 'cause', copyId: undefined, cause });
  return first;
}

export function lastRows(deployments: readonly Deployment[], filter: Filter): readonly ElementOf<'hidden'>[] {
  const count = deployments.filter((one) => !isShown(one, filter)).length;
  return count > 0 ? [{ kind: 'hidden', id: 'hidden', copyId: undefined, count }] : [];
}

type Use = Pick<ElementOf<'member'>, 'deployment' | 'requirements'>;

/**
 * The roots of the Deployments view grouped by account: the accounts, worst first, with the deployments that have them. What belongs
 * to no account has rows of its own, so that nothing is out of sight because an account or an answer is missing. `placed`: the
 * former roots, while groups keep the places that they have among them.
 */
export function grouped(
  deployments: readonly Deployment[],
  filter: Filter,
  placed: readonly TreeElement[] = [],
): readonly (ElementOf<'group'> | ElementOf<'unseen'>)[] {
  const byAccount = groupBy(deployments.flatMap(usesOf), ({ finding }) => finding.key);
  const unbound = deployments.flatMap((deployment): readonly Use[] => {
    const requirements = deployment.answer?.findings.requirements.filter(({ bound }) => !bound) ?? [];
    return requirements.length > 0 ? [{ deployment, requirements }] : [];
  });
  const ofAccounts = Array.from(byAccount, ([key, uses]) => groupElement(key, uses, filter, new SharedAccount(uses)));
  const groups = [groupElement('noAccount', unbound, filter), ...ofAccounts];
  const places = new Map(placed.map(({ id }, at) => [id, at]));
  const placeOf = ({ id }: TreeElement) => places.get(id) ?? places.size;
  const shown = groups.filter(({ members }) => members.length > 0);
  const sorted = shown.toSorted((a, b) => placeOf(a) - placeOf(b) || worstFirst(a, b));
  const unseen = deployments.filter((one) => one.state === 'unknown' || one.state === 'notYetRead');
  // An empty tree would say that nothing is listed.
  const others = sorted.length > 0 ? unseen : deployments.filter((one) => isShown(one, filter));
  if (others.length === 0) return sorted;
  return [...sorted, { kind: 'unseen', id: 'unseen', copyId: undefined, deployments: others }];
}

export function firstInGroups(roots: readonly TreeElement[], deploymentId: string): TreeElement | undefined {
  for (const root of roots) {
    const member = root.kind === 'group' && root.members.find(({ copyId }) => copyId === deploymentId);
    if (member) return member;
    const unseen = root.kind === 'unseen' && root.deployments.find(({ id }) => id === deploymentId);
    if (unseen) return deploymentElement(unseen, root);
  }
  return undefined;
}

function groupElement(id: string, all: readonly Use[], filter: Filter, account?: SharedAccount): ElementOf<'group'> {
  const deployments = all.map(({ deployment }): Deployment => deployment);
  const requirements = all.flatMap((use) => use.requirements);
  const members: ElementOf<'member'>[] = [];
  const group: ElementOf<'group'> = {
    kind: 'group',
    id,
    copyId: account?.finding.account.id,
    account,
    state: account?.state ?? worstState(requirements, all),
    finding: account?.finding,
    requirements,
    deployments: [...new Set(account ? [account.newest.deployment, ...deployments] : deployments)],
    members,
  };
  for (const use of all) {
    const { id: copyId } = use.deployment;
    const row = `${id}/member:${encodePart(copyId)}`;
    if (isShown(use.deployment, filter)) members.push({ kind: 'member', id: row, copyId, parent: group, ...use });
  }
  return group;
}

/** What belongs to no account comes last. */
function worstFirst({ account: a }: ElementOf<'group'>, { account: b }: ElementOf<'group'>): number {
  if (!a || !b) return Number(!a) - Number(!b);
  const byState = severity(a.state) - severity(b.state);
  return byState || b.unsatisfied - a.unsatisfied || compareNames(a.finding.name, b.finding.name);
}

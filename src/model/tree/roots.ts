import type { Ignored } from '../entered/ignoredEntries.js';
import { type Deployment, isUnreadable } from '../findings/deployment.js';
import { type Finding, groupBy } from '../findings/findings.js';
import { compareNames, type State, severity } from '../findings/order.js';
import { type Mutes, stateOfFinding } from '../findings/state.js';
import { accountUsesIn, SharedAccount } from '../problems/impact.js';
import type { OrganizationCause } from '../store/store.js';
import { deploymentElement, type ElementOf, encodePart, type TreeElement } from './elements.js';

type Filter = Readonly<{ isOn: boolean }>;

export function isShown(deployment: Deployment, { isOn: isOn }: Filter): boolean {
  return !isOn || deployment.state !== 'satisfied';
}

/**
 * The rows that concern the whole view. `ignored`: what an untrusted workspace sets, which is not used. Where nothing is
 * listed, owners alone have no row: it would take the place of the welcome view.
 */
export function firstRows(
  cause: OrganizationCause | undefined,
  ignored: Ignored,
  isAnyListed: boolean,
): readonly ElementOf<'cause'>[] {
  const first: ElementOf<'cause'>[] = [];
  if (ignored.deployments || (ignored.owners && isAnyListed)) {
    first.push({
      kind: 'cause',
      id: 'untrusted',
      copyId: undefined,
      cause: { kind: 'untrusted', ignored },
    });
  }
  if (cause !== undefined) first.push({ kind: 'cause', id: 'cause', copyId: undefined, cause });
  return first;
}

/** `mayBeOthers`: the workspace lists others, which are ignored, or it is not known yet. */
export function lastRows(
  deployments: readonly Deployment[],
  filter: Filter,
  mayBeOthers = false,
): readonly ElementOf<'hidden'>[] {
  const count = deployments.filter((one) => !isShown(one, filter)).length;
  const isAll = count === deployments.length && !mayBeOthers;
  return count > 0 ? [{ kind: 'hidden', id: 'hidden', copyId: undefined, count, isAll }] : [];
}

type Use = Pick<ElementOf<'member'>, 'deployment' | 'requirements'>;

interface GroupingOptions {
  readonly filter: Filter;
  readonly memory: Mutes;
  /** The former roots, while groups keep the places that they have among them. */
  readonly formerRoots?: readonly TreeElement[];
}

/**
 * The roots of the Deployments view grouped by account: the accounts, worst first, with the deployments that have them. What belongs
 * to no account has rows of its own, so that nothing is out of sight because an account or an answer is missing.
 */
export function groupedRoots(
  deployments: readonly Deployment[],
  { filter, memory, formerRoots: placed = [] }: GroupingOptions,
): readonly (ElementOf<'group'> | ElementOf<'unseen'>)[] {
  const byAccount = groupBy(deployments.flatMap(accountUsesIn), ({ finding }) => finding.key);
  const unbound = deployments.flatMap((deployment): readonly Use[] => {
    const requirements =
      deployment.answer?.findings.requirements.filter(({ bound }) => !bound) ?? [];
    return requirements.length > 0 ? [{ deployment, requirements }] : [];
  });
  const ofAccounts = Array.from(byAccount, ([key, uses]) =>
    groupElement(key, uses, { filter, memory, account: new SharedAccount(uses) }),
  );
  const groups = [groupElement('noAccount', unbound, { filter, memory }), ...ofAccounts];
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

export function firstInGroups(
  roots: readonly TreeElement[],
  deploymentId: string,
): TreeElement | undefined {
  for (const root of roots) {
    const member =
      root.kind === 'group' && root.members.find(({ copyId }) => copyId === deploymentId);
    if (member) return member;
    const unseen = root.kind === 'unseen' && root.deployments.find(({ id }) => id === deploymentId);
    if (unseen) return deploymentElement(unseen, root);
  }
  return undefined;
}

/** By their rows from top to bottom; one that is in several groups stands there as often. */
export function deploymentsInGroups(roots: readonly TreeElement[]): readonly string[] {
  return roots.flatMap((root) => {
    if (root.kind === 'unseen') return root.deployments.map(({ id }) => id);
    return root.kind === 'group' ? root.members.flatMap(({ copyId }) => copyId ?? []) : [];
  });
}

interface GroupOptions extends Pick<GroupingOptions, 'filter' | 'memory'> {
  readonly account?: SharedAccount;
}

function groupElement(
  id: string,
  all: readonly Use[],
  { filter, memory, account }: GroupOptions,
): ElementOf<'group'> {
  const deployments = all.map(({ deployment }): Deployment => deployment);
  const requirements = all.flatMap((use) => use.requirements);
  const members: ElementOf<'member'>[] = [];
  const group: ElementOf<'group'> = {
    kind: 'group',
    id,
    copyId: account?.finding.account.id,
    account,
    // Where the last answers do not agree, the account is as bad as the worst of them says.
    state: worstState(
      [...(account?.uses ?? []).map((use) => use.finding), ...requirements],
      all,
      memory,
    ),
    finding: account?.finding,
    requirements,
    unsatisfied: requirements.filter((one) => stateOfFinding(one, memory) === 'notSatisfied')
      .length,
    deployments: [...new Set(account ? [account.newest.deployment, ...deployments] : deployments)],
    members,
  };
  for (const use of all) {
    const { id: copyId } = use.deployment;
    const row = `${id}/member:${encodePart(copyId)}`;
    if (isShown(use.deployment, filter))
      members.push({ kind: 'member', id: row, copyId, parent: group, ...use });
  }
  return group;
}

/** Of findings in these deployments. What no deployment can show any more is unknown. */
function worstState(findings: readonly Finding[], uses: readonly Use[], memory: Mutes): State {
  if (uses.every(({ deployment }) => isUnreadable(deployment))) return 'unknown';
  let worst: State = 'satisfied';
  for (const finding of findings) {
    const state = stateOfFinding(finding, memory);
    if (severity(state) < severity(worst)) worst = state;
  }
  return worst;
}

/** What belongs to no account comes last. */
function worstFirst(a: ElementOf<'group'>, b: ElementOf<'group'>): number {
  if (!a.account || !b.account) return Number(!a.account) - Number(!b.account);
  const byState = severity(a.state) - severity(b.state);
  const byName = () => compareNames(a.account?.finding.name ?? '', b.account?.finding.name ?? '');
  return byState || b.unsatisfied - a.unsatisfied || byName();
}

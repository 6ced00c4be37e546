import type { Ignored } from '../entered/ignoredEntries.js';
import { type Deployment, isUnreadable } from '../findings/deployment.js';
import { AccountFinding, type Finding, groupBy } from '../findings/findings.js';
import { compareNames, type State, severity } from '../findings/order.js';
import { type Mutes, stateOfFinding } from '../findings/state.js';
import { accountUsesIn, SharedAccount } from '../problems/impact.js';
import type { OrganizationCause } from '../store/store.js';
import { deploymentElement, type ElementOf, encodePart, type TreeElement } from './elements.js';

/** Whether Hide Healthy is on. */
type Filter = Readonly<{ isOn: boolean }>;

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

/**
 * A deployment in a group, with its requirements that are bound to the group's account, or, in the
 * group without one, to no account of the deployment.
 */
type Use = Pick<ElementOf<'member'>, 'deployment' | 'requirements'>;

interface GroupingOptions {
  readonly filter: Filter;
  readonly memory: Mutes;
  /** The roots that VS Code has. Groups among them keep their order. */
  readonly formerRoots?: readonly TreeElement[];
}

type GroupedRoot = ElementOf<'group'> | ElementOf<'unseen'>;

/**
 * Returns the roots of the Deployments view grouped by account: the accounts, worst first, with the
 * deployments that have them. Requirements and deployments without an account have groups of their
 * own, so that none is out of sight because an account or an answer is missing.
 */
export function groupedRoots(
  deployments: readonly Deployment[],
  { filter, memory, formerRoots = [] }: GroupingOptions,
): readonly GroupedRoot[] {
  const usesByKey = groupBy(deployments.flatMap(accountUsesIn), ({ finding }) => finding.key);
  const unboundUses = deployments.flatMap((deployment): Use | [] => {
    const requirements = deployment.answer?.findings.requirements ?? [];
    const unbound = requirements.filter(({ bound }) => !bound);
    return unbound.length > 0 ? { deployment, requirements: unbound } : [];
  });
  const groups = [groupElement('noAccount', unboundUses, { filter, memory })];
  for (const [key, uses] of usesByKey) {
    const account = new SharedAccount(uses);
    groups.push(groupElement(key, uses, { filter, memory, account }));
  }

  const shownGroups = groups.filter(({ members }) => members.length > 0);
  const sortedGroups = sorted(shownGroups, formerRoots);
  // Without any group the other deployments have rows, because an empty tree would say that nothing
  // is listed.
  const others =
    sortedGroups.length > 0
      ? deployments.filter(({ state }) => state === 'unknown' || state === 'notYetRead')
      : deployments.filter((deployment) => isShown(deployment, filter));
  if (others.length === 0) return sortedGroups;
  return [
    ...sortedGroups,
    { kind: 'unseen', id: 'unseen', copyId: undefined, deployments: others },
  ];
}

/** Returns the groups in their former order, then the new ones, worst first. */
function sorted(
  groups: readonly ElementOf<'group'>[],
  formerRoots: readonly TreeElement[],
): readonly ElementOf<'group'>[] {
  const formerPositions = new Map(formerRoots.map(({ id }, position) => [id, position]));
  const positionOf = ({ id }: TreeElement): number =>
    formerPositions.get(id) ?? formerPositions.size;
  return groups.toSorted((a, b) => positionOf(a) - positionOf(b) || worstFirst(a, b));
}

/** Returns the first row of a deployment; `undefined` if it has none. */
export function firstInGroups(
  roots: readonly TreeElement[],
  deploymentId: string,
): TreeElement | undefined {
  for (const root of roots) {
    if (root.kind === 'group') {
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
    if (root.kind === 'group') return root.members.flatMap(({ copyId }) => copyId ?? []);
    return [];
  });
}

interface GroupOptions extends Pick<GroupingOptions, 'filter' | 'memory'> {
  /** Absent for the requirements without an account. */
  readonly account?: SharedAccount;
}

function groupElement(
  id: string,
  uses: readonly Use[],
  { filter, memory, account }: GroupOptions,
): ElementOf<'group'> {
  const requirements = uses.flatMap((use) => use.requirements);
  const unsatisfied = requirements.filter(
    (requirement) => stateOfFinding(requirement, memory) === 'notSatisfied',
  );
  // If the last answers contradict each other, the account is as bad as the worst of them says.
  const accountFindings = account?.uses.map(({ finding }) => finding) ?? [];
  const deployments = uses.map(({ deployment }): Deployment => deployment);
  // The deployment with the newest answer comes first.
  const startingWithNewest = account ? [account.newest.deployment, ...deployments] : deployments;
  const members: ElementOf<'member'>[] = [];
  const group: ElementOf<'group'> = {
    kind: 'group',
    id,
    copyId: account?.finding.account.id,
    account,
    finding: account && findingThatCounts(account, memory),
    state: worstState([...accountFindings, ...requirements], uses, memory),
    requirements,
    unsatisfiedCount: unsatisfied.length,
    deployments: [...new Set(startingWithNewest)],
    members,
  };
  for (const use of uses) {
    if (!isShown(use.deployment, filter)) continue;
    const copyId = use.deployment.id;
    const memberId = `${id}/member:${encodePart(copyId)}`;
    members.push({ kind: 'member', id: memberId, copyId, parent: group, ...use });
  }
  return group;
}

/**
 * Returns the finding of the newest answer. If its problem is muted there, but not in every
 * deployment, it is as if found in one where it is not muted.
 */
function findingThatCounts({ finding, uses }: SharedAccount, memory: Mutes): AccountFinding {
  const { account, key, problem } = finding;
  const isMuted = problem !== undefined && memory.muteOf(problem) !== undefined;
  if (!isMuted) return finding;
  const counting = uses.find(
    (use) => use.finding.problem && memory.muteOf(use.finding.problem) === undefined,
  );
  if (counting === undefined) return finding;
  return new AccountFinding(account, key, { ...problem, foundIn: counting.deployment.id });
}

/**
 * Returns the worst state of findings in these deployments; `unknown` if none of these can be read
 * any more.
 */
function worstState(findings: readonly Finding[], uses: readonly Use[], memory: Mutes): State {
  if (uses.every(({ deployment }) => isUnreadable(deployment))) return 'unknown';
  let worst: State = 'satisfied';
  for (const finding of findings) {
    const state = stateOfFinding(finding, memory);
    if (severity(state) < severity(worst)) worst = state;
  }
  return worst;
}

/** The order of groups: by state, then by the number of unsatisfied requirements, then by name. */
function worstFirst(a: ElementOf<'group'>, b: ElementOf<'group'>): number {
  // The requirements without an account come last.
  if (!a.account || !b.account) return Number(!a.account) - Number(!b.account);
  const byState = severity(a.state) - severity(b.state);
  if (byState !== 0) return byState;
  if (a.unsatisfiedCount !== b.unsatisfiedCount) return b.unsatisfiedCount - a.unsatisfiedCount;
  return compareNames(a.account.finding.name, b.account.finding.name);
}

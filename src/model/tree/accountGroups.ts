import { type Deployment, isUnreadable } from '../findings/deployment.js';
import { AccountFinding, type Finding, groupBy } from '../findings/findings.js';
import { compareNames, type State, severity } from '../findings/order.js';
import { type Mutes, stateOfFinding } from '../findings/state.js';
import { accountUsesIn, SharedAccount } from '../problems/impact.js';
import { type ElementOf, encodePart, type TreeElement } from './elements.js';
import { type Filter, isShown } from './roots.js';

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

type RootByAccount = ElementOf<'accountGroup'> | ElementOf<'unseen'>;

/**
 * Returns the roots of the Deployments view grouped by account: the accounts, worst first, with the
 * deployments that have them. Requirements and deployments without an account have groups of their
 * own, so that none is out of sight because an account or an answer is missing.
 */
export function rootsByAccount(
  deployments: readonly Deployment[],
  { filter, memory, formerRoots = [] }: GroupingOptions,
): readonly RootByAccount[] {
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
  groups: readonly ElementOf<'accountGroup'>[],
  formerRoots: readonly TreeElement[],
): readonly ElementOf<'accountGroup'>[] {
  const formerPositions = new Map(formerRoots.map(({ id }, position) => [id, position]));
  const positionOf = ({ id }: TreeElement): number =>
    formerPositions.get(id) ?? formerPositions.size;
  return groups.toSorted((a, b) => positionOf(a) - positionOf(b) || worstFirst(a, b));
}

interface GroupOptions extends Pick<GroupingOptions, 'filter' | 'memory'> {
  /** Absent for the requirements without an account. */
  readonly account?: SharedAccount;
}

function groupElement(
  id: string,
  uses: readonly Use[],
  { filter, memory, account }: GroupOptions,
): ElementOf<'accountGroup'> {
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
  const group: ElementOf<'accountGroup'> = {
    kind: 'accountGroup',
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
function worstFirst(a: ElementOf<'accountGroup'>, b: ElementOf<'accountGroup'>): number {
  // The requirements without an account come last.
  if (!a.account || !b.account) return Number(!a.account) - Number(!b.account);
  const byState = severity(a.state) - severity(b.state);
  if (byState !== 0) return byState;
  if (a.unsatisfiedCount !== b.unsatisfiedCount) return b.unsatisfiedCount - a.unsatisfiedCount;
  return compareNames(a.account.finding.name, b.account.finding.name);
}

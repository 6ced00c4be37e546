import { type Deployment, isUnreadable } from '../findings/deployment.js';
import { AccountFinding, type Finding, groupBy } from '../findings/findings.js';
import { compareNames, type State, severity, worstOf } from '../findings/order.js';
import { type Mutes, stateOfFinding } from '../findings/state.js';
import { accountUsesIn, SharedAccount } from '../problems/impact.js';
import { type ElementOf, encodePart, type TreeElement } from './elements.js';
import { inFormerOrder, isShown, type RowFilter } from './roots.js';

/**
 * A deployment in a group, with its requirements that are bound to the group's account, or, in the
 * group without one, to no account of the deployment.
 */
type Use = Pick<ElementOf<'member'>, 'deployment' | 'requirements'>;

interface GroupingOptions extends RowFilter {
  /** Knows which problems are muted. */
  readonly memory: Mutes;
  /** The roots that VS Code has. Groups among them keep their order. */
  readonly formerRoots?: readonly TreeElement[];
}

type RootByAccount = ElementOf<'accountGroup'> | ElementOf<'unseen'>;

/**
 * Returns the roots of the Deployments view grouped by account: the accounts, worst first, with the
 * deployments that have them. Requirements and deployments without an account have groups of their
 * own, so that none is out of sight because an account or an answer is missing. What is known of an
 * account comes from all `listed` deployments, what hangs on it from those that are covered.
 */
export function rootsByAccount(
  listed: readonly Deployment[],
  options: GroupingOptions,
): readonly RootByAccount[] {
  const { myGroups, formerRoots = [] } = options;
  const usesByKey = groupBy(listed.flatMap(accountUsesIn), ({ finding }) => finding.key);
  const covered = listed.filter((deployment) => myGroups.covers(deployment));
  const unboundUses = covered.flatMap((deployment): Use | [] => {
    const requirements = deployment.answer?.findings.requirements ?? [];
    const unbound = requirements.filter(({ bound }) => !bound);
    return unbound.length > 0 ? { deployment, requirements: unbound } : [];
  });
  const groups = [groupElement('noAccount', unboundUses, options)];
  for (const [key, uses] of usesByKey) {
    const coveredUses = uses.filter(({ deployment }) => myGroups.covers(deployment));
    if (coveredUses.length === 0) continue;
    groups.push(groupElement(key, coveredUses, options, new SharedAccount(uses)));
  }

  const shownGroups = groups.filter(({ members }) => members.length > 0);
  const sortedGroups = inFormerOrder(shownGroups, formerRoots, worstFirst);
  // Without any group the other deployments have rows, because an empty tree would say that nothing
  // is listed.
  const others =
    sortedGroups.length > 0
      ? covered.filter(({ state }) => state === 'unknown' || state === 'notYetRead')
      : covered.filter((deployment) => isShown(deployment, options));
  if (others.length === 0) return sortedGroups;
  return [
    ...sortedGroups,
    { kind: 'unseen', id: 'unseen', copyId: undefined, deployments: others },
  ];
}

/**
 * `uses`: those that have rows. `account`: what is known of it in all listed deployments; absent
 * for the requirements without an account.
 */
function groupElement(
  id: string,
  uses: readonly Use[],
  options: GroupingOptions,
  account?: SharedAccount,
): ElementOf<'accountGroup'> {
  const { memory } = options;
  const allUses: readonly Use[] = account?.uses ?? uses;
  const requirements = uses.flatMap((use) => use.requirements);
  const unsatisfied = requirements.filter(
    (requirement) => stateOfFinding(requirement, memory) === 'notSatisfied',
  );
  // If the last answers contradict each other, the account is as bad as the worst of them says.
  const accountFindings = account?.uses.map(({ finding }) => finding) ?? [];
  const deployments = allUses.map(({ deployment }): Deployment => deployment);
  // The deployment with the newest answer comes first.
  const startingWithNewest = account ? [account.newest.deployment, ...deployments] : deployments;
  const members: ElementOf<'member'>[] = [];
  const group: ElementOf<'accountGroup'> = {
    kind: 'accountGroup',
    id,
    copyId: account?.finding.account.id,
    account,
    finding: account && findingThatCounts(account, memory),
    state: worstState([...accountFindings, ...requirements], allUses, memory),
    requirements,
    unsatisfiedCount: unsatisfied.length,
    deployments: [...new Set(startingWithNewest)],
    members,
  };
  for (const use of uses) {
    if (!isShown(use.deployment, options)) continue;
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
  return worstOf(findings.map((finding) => stateOfFinding(finding, memory)));
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

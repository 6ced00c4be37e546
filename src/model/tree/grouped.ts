import type { Deployment } from '../deployment.js';
import { compareNames, severity } from '../order.js';
import { type AccountUse, SharedAccount, usesOf, worstState } from '../problems/impact.js';
import { encodePart, type GroupElement, type MemberElement, type TreeElement, type UnseenElement } from './elements.js';
import { type Filter, isShown } from './roots.js';

/** A deployment in a group, and its requirements there. */
type Use = Pick<MemberElement, 'deployment' | 'requirements'>;

/**
 * The roots of the Deployments view grouped by account: the accounts, worst first, with the deployments that have them. What belongs
 * to no account has rows of its own, so that nothing is out of sight because an account or an answer is missing.
 */
export function grouped(deployments: readonly Deployment[], filter: Filter): readonly (GroupElement | UnseenElement)[] {
  const byAccount = new Map<string, AccountUse[]>();
  const unbound: Use[] = [];
  for (const deployment of deployments) {
    for (const use of usesOf(deployment)) {
      const uses = byAccount.get(use.finding.key);
      if (uses) uses.push(use);
      else byAccount.set(use.finding.key, [use]);
    }
    const requirements = deployment.answer?.findings.requirements.filter(({ bound }) => !bound) ?? [];
    if (requirements.length > 0) unbound.push({ deployment, requirements });
  }
  const groups = [groupElement('noAccount', unbound, filter)];
  for (const [key, uses] of byAccount) {
    groups.push(groupElement(key, uses, filter, new SharedAccount(uses)));
  }
  const sorted = groups.filter(({ members }) => members.length > 0).toSorted(worstFirst);
  const unseen = deployments.filter((one) => one.state === 'unknown' || one.state === 'notYetRead');
  // An empty tree would say that nothing is listed.
  const others = sorted.length > 0 ? unseen : deployments.filter((one) => isShown(one, filter));
  if (others.length === 0) return sorted;
  return [{ kind: 'unseen', id: 'unseen', copyId: undefined, deployments: others }, ...sorted];
}

/** The deployment's row in the first group that has it; `undefined` if none has it. */
export function firstMember(roots: readonly TreeElement[], deploymentId: string): MemberElement | undefined {
  const members = roots.flatMap((root) => (root.kind === 'group' ? root.members : []));
  return members.find(({ copyId }) => copyId === deploymentId);
}

function groupElement(id: string, all: readonly Use[], filter: Filter, account?: SharedAccount): GroupElement {
  const deployments = all.map(({ deployment }): Deployment => deployment);
  const requirements = all.flatMap((use) => use.requirements);
  const members: MemberElement[] = [];
  const group: GroupElement = {
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
function worstFirst({ account: a }: GroupElement, { account: b }: GroupElement): number {
  if (!a || !b) return Number(!a) - Number(!b);
  const byState = severity(a.state) - severity(b.state);
  return byState || b.unsatisfied - a.unsatisfied || compareNames(a.finding.name, b.finding.name);
}

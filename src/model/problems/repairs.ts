import type { Account } from '../../api/authorization.js';
import type { Deployment, DeploymentProblem } from '../deployment.js';
import { type OwnerOf, ownedBy } from '../owners.js';
import { groupBy, type RequirementFinding } from './findings.js';
import type { Impact } from './impact.js';

/** What can be repaired in one step: an account, or the account that a requirement lacks. */
export interface Repair {
  readonly account: Account | undefined;
  readonly hasFailed: boolean;
  /** What to allow when it is reconnected: all that the listed deployments miss. */
  readonly scopes: readonly string[];
  /** The requirement whose problem it is, of an account that has not failed. */
  readonly requirement: RequirementFinding | undefined;
  readonly deployments: readonly Deployment[];
  readonly seenSince: number;
  readonly readAt: number;
}

/** What repairs these problems, each once, by whom the user named for it; those without an owner last. */
export function repairsByOwner(
  problems: readonly DeploymentProblem[],
  impact: Pick<Impact, 'account'>,
  ownerOf: OwnerOf,
): ReadonlyMap<string | undefined, readonly Repair[]> {
  const repairs = new Map<string, { owner: string | undefined; repair: Repair }>();
  for (const one of problems) {
    const { problem, deployment } = one;
    const account = accountOf(one);
    const key = account?.id ? JSON.stringify([account.id]) : problem.key;
    const owner = ownerOf(ownedBy(problem, deployment.id));
    const before = repairs.get(key);
    if (before) {
      const { repair } = before;
      const seenSince = Math.min(repair.seenSince, problem.seenSince);
      repairs.set(key, { owner: before.owner ?? owner, repair: { ...repair, seenSince } });
    } else {
      repairs.set(key, { owner, repair: repairOf(one, account, impact) });
    }
  }
  const byOwner = groupBy([...repairs.values()], ({ owner }) => owner);
  const owners = [...byOwner].toSorted(([a], [b]) => Number(a === undefined) - Number(b === undefined));
  return new Map(owners.map(([owner, own]) => [owner, own.map(({ repair }) => repair)]));
}

function accountOf({ problem }: DeploymentProblem): Account | undefined {
  return problem.kind === 'failedAccount' ? problem.finding.account : problem.finding.bound?.account;
}

function repairOf(
  { deployment, problem }: DeploymentProblem,
  account: Account | undefined,
  impact: Pick<Impact, 'account'>,
): Repair {
  const requirement = problem.kind === 'failedAccount' ? undefined : problem.finding;
  const shared = account?.id ? impact.account(account.id) : undefined;
  const needing = shared?.uses.filter(({ requirements }) => requirements.length > 0) ?? [];
  const uses = needing.length > 0 ? needing : (shared?.uses ?? []);
  const own = problem.kind === 'failedAccount' ? problem.scopes : problem.finding.missingScopes;
  const missing = uses.flatMap((use) => use.requirements.flatMap(({ missingScopes }) => missingScopes));
  return {
    account: shared?.finding.account ?? account,
    hasFailed: problem.kind === 'failedAccount',
    scopes: [...new Set([...own, ...missing])],
    requirement,
    deployments: uses.length > 0 ? uses.map((use) => use.deployment) : [deployment],
    seenSince: problem.seenSince,
    readAt: shared?.newest.answer.sentAt ?? deployment.answer?.sentAt ?? 0,
  };
}

import type { Account } from '../../api/authorization.js';
import { type OwnerOf, ownedBy } from '../entered/owners.js';
import type { Deployment, DeploymentProblem } from '../findings/deployment.js';
import { groupBy, type RequirementFinding } from '../findings/findings.js';
import type { Remembered } from '../findings/state.js';
import type { Impact, SharedAccount } from './impact.js';

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

interface RepairsOptions {
  readonly impact: Pick<Impact, 'sharedAccounts'>;
  readonly memory: Pick<Remembered, 'seenSince'>;
  readonly ownerOf: OwnerOf;
}

/** What repairs these problems, each once, by whom the user named for it; those without an owner last. */
export function repairsByOwner(
  problems: readonly DeploymentProblem[],
  { impact, memory, ownerOf }: RepairsOptions,
): ReadonlyMap<string | undefined, readonly Repair[]> {
  const accounts = impact.sharedAccounts(new Set(problems.flatMap((one) => accountOf(one)?.id || [])));
  const repairs = new Map<string, { owner: string | undefined; repair: Repair }>();
  for (const one of problems) {
    const { problem, deployment } = one;
    const account = accountOf(one);
    const key = account?.id ? JSON.stringify([account.id]) : problem.key;
    const owner = ownerOf(ownedBy(problem, deployment.id));
    const seenSince = memory.seenSince(problem) ?? deployment.answer?.asOf ?? 0;
    const before = repairs.get(key);
    if (before) {
      const { repair } = before;
      const first = Math.min(repair.seenSince, seenSince);
      repairs.set(key, { owner: before.owner ?? owner, repair: { ...repair, seenSince: first } });
    } else {
      const repair = repairOf(one, accounts.get(account?.id ?? ''));
      repairs.set(key, { owner, repair: { ...repair, seenSince } });
    }
  }
  const byOwner = groupBy([...repairs.values()], ({ owner }) => owner);
  const owners = [...byOwner].toSorted(([a], [b]) => Number(a === undefined) - Number(b === undefined));
  return new Map(owners.map(([owner, own]) => [owner, own.map(({ repair }) => repair)]));
}

function accountOf({ problem }: DeploymentProblem): Account | undefined {
  return problem.kind === 'failedAccount' ? problem.finding.account : problem.finding.bound?.account;
}

/** `shared`: the account with all deployments that have it; absent where it has no ID. */
function repairOf(found: DeploymentProblem, shared: SharedAccount | undefined): Omit<Repair, 'seenSince'> {
  const { deployment, problem } = found;
  const requirement = problem.kind === 'failedAccount' ? undefined : problem.finding;
  const needing = shared?.uses.filter(({ requirements }) => requirements.length > 0) ?? [];
  const uses = needing.length > 0 ? needing : (shared?.uses ?? []);
  const own = problem.kind === 'failedAccount' ? problem.scopes : problem.finding.missingScopes;
  const missing = uses.flatMap((use) => use.requirements.flatMap(({ missingScopes }) => missingScopes));
  return {
    account: shared?.finding.account ?? accountOf(found),
    hasFailed: problem.kind === 'failedAccount',
    scopes: [...new Set([...own, ...missing])],
    requirement,
    deployments: uses.length > 0 ? uses.map((use) => use.deployment) : [deployment],
    readAt: shared?.newest.answer.asOf ?? deployment.answer?.asOf ?? 0,
  };
}

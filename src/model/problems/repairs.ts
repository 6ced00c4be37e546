import type { Account } from '../../api/authorization.js';
import { Slices } from '../base/slices.js';
import { earliest } from '../base/time.js';
import { type OwnerOf, ownedBy } from '../entered/owners.js';
import type { AccountReading } from '../findings/accountReadings.js';
import { type Deployment, type DeploymentProblem, isUnreadable } from '../findings/deployment.js';
import {
  type AccountFinding,
  groupBy,
  type RequirementFinding,
  scopesMissing,
} from '../findings/findings.js';
import { methodIdOf } from '../findings/readings.js';
import type { Remembered } from '../findings/state.js';
import { type AccountUse, accountUsesIn, SharedAccount } from './impact.js';

/** What every part of a request has: the problems that it fixes, and two times in epoch ms. */
interface Part {
  readonly problems: readonly DeploymentProblem[];
  /** When the first of the problems was first seen; Infinity if that is unknown. */
  readonly seenSince: number;
  /**
   * As of when the oldest answer was true on which the part relies; Infinity if it relies on none.
   */
  readonly readAt: number;
}

/** An account that has to be reconnected, as the newest answer about it says. */
export interface AccountRepair extends Part {
  readonly account: Account;
  /**
   * `lacksScopes`: the account works, and what it lacks explains all requirements that are not
   * satisfied. `unexplained`: it works, and some of them lack no scope.
   */
  readonly trouble: 'failed' | 'lacksScopes' | 'unexplained';
  /** The scopes to grant when it is reconnected: all that the listed deployments lack. */
  readonly scopes: readonly string[];
  /**
   * The deployments in which a requirement that is bound to the account is not satisfied, without
   * those that cannot be read now, and those where the newest answer shows that this is fixed.
   */
  readonly cannotUse: readonly Deployment[];
  /**
   * If the account has failed and no deployment is known to need it, the deployments that have it.
   * If it works, the deployments that use it and are not affected.
   */
  readonly others: readonly Deployment[];
}

/** A requirement without an account, or bound to one that its deployment does not have. */
export interface Unconnected extends Part {
  readonly deployment: Deployment;
  readonly requirement: RequirementFinding;
}

/** All that one person is asked for. */
export interface OwnerRepairs {
  /** The owner as the user named it; `undefined` if the user named none. */
  readonly owner: string | undefined;
  readonly accounts: readonly AccountRepair[];
  readonly unconnected: readonly Unconnected[];
  /**
   * Deployments that may not be read. They go to an administrator, in a request that lists nothing
   * else.
   */
  readonly denied: readonly Deployment[];
}

/** An account of which the newest answer shows that the problems in older answers are fixed. */
export interface ClearedAccount {
  readonly account: Account;
  /**
   * Whether the account had failed and works again; otherwise it was granted the scopes that it
   * lacked.
   */
  readonly worksAgain: boolean;
  /** Epoch ms as of which the newest answer was true. */
  readonly asOf: number;
  /** The deployments with the older answers. */
  readonly outdated: readonly Deployment[];
}

interface RepairsOptions {
  /** All listed deployments, in the order of `Store.deployments`. */
  readonly listed: readonly Deployment[];
  readonly memory: Pick<Remembered, 'seenSince'>;
  readonly ownerOf: OwnerOf;
}

/** What fixes problems, and what is fixed already. */
interface Repairs {
  /**
   * Owners in the order of their problems, then what has no owner, then what only an administrator
   * can do.
   */
  readonly byOwner: readonly OwnerRepairs[];
  readonly cleared: readonly ClearedAccount[];
}

/**
 * Returns what fixes these problems, each account once. `denied`: deployments that may not be read.
 * Works in slices, because there can be thousands of problems.
 */
export async function repairsByOwner(
  problems: readonly DeploymentProblem[],
  denied: readonly Deployment[],
  { listed, memory, ownerOf }: RepairsOptions,
): Promise<Repairs> {
  const slices = new Slices();
  const accounts = await accountsOf(problems, listed, slices);
  const byOwner = new RepairsByOwner();
  const cleared: ClearedAccount[] = [];
  for (const [key, group] of groupBy(problems, keyOf)) {
    const owner = ownerOfAny(group, ownerOf);
    const account = accounts.get(key);
    if (account === undefined) {
      const unconnected = unconnectedOf(group, memory);
      if (unconnected.length > 0) byOwner.of(owner).unconnected.push(...unconnected);
      continue;
    }
    if (account.clears(group)) cleared.push(account.cleared(group));
    else byOwner.of(owner).accounts.push(account.repair(group, memory));
    await slices.next();
  }
  // The owner of an account can seldom permit to read a deployment.
  byOwner.ofAdministrator.denied.push(...denied);
  return { byOwner: byOwner.all(), cleared };
}

/** `OwnerRepairs` while its lists are being filled. */
interface OwnerRepairsDraft {
  readonly owner: string | undefined;
  readonly accounts: AccountRepair[];
  readonly unconnected: Unconnected[];
  readonly denied: Deployment[];
}

/** Collects repairs by owner. */
class RepairsByOwner {
  /**
   * In the order in which the owners were asked for. The key `undefined` is for repairs without an
   * owner.
   */
  private readonly byOwner = new Map<string | undefined, OwnerRepairsDraft>();
  readonly ofAdministrator = emptyRepairs(undefined);

  of(owner: string | undefined): OwnerRepairsDraft {
    const repairs = this.byOwner.get(owner) ?? emptyRepairs(owner);
    this.byOwner.set(owner, repairs);
    return repairs;
  }

  all(): readonly OwnerRepairs[] {
    const { byOwner, ofAdministrator } = this;
    const ownersFirst = [...byOwner.values()].toSorted(
      (a, b) => Number(!a.owner) - Number(!b.owner),
    );
    return ofAdministrator.denied.length > 0 ? [...ownersFirst, ofAdministrator] : ownersFirst;
  }
}

function emptyRepairs(owner: string | undefined): OwnerRepairsDraft {
  return { owner, accounts: [], unconnected: [], denied: [] };
}

/** Returns the account that a problem is about; `undefined` for a requirement without one. */
function accountOf({ problem }: DeploymentProblem): AccountFinding | undefined {
  return problem.kind === 'failedAccount' ? problem.finding : problem.finding.bound;
}

/**
 * Returns the key of the account that a problem is about, or the problem's own key without an
 * account.
 */
function keyOf(found: DeploymentProblem): string {
  return accountOf(found)?.key ?? found.problem.key;
}

/** Returns the owner of the first problem that has one; `undefined` if none has. */
function ownerOfAny(problems: readonly DeploymentProblem[], ownerOf: OwnerOf): string | undefined {
  for (const { deployment, problem } of problems) {
    const owner = ownerOf(ownedBy(problem, deployment.id));
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/** Returns by key the accounts that these problems are about. Goes through each deployment once. */
async function accountsOf(
  problems: readonly DeploymentProblem[],
  listed: readonly Deployment[],
  slices: Slices,
): Promise<ReadonlyMap<string, CurrentAccount>> {
  const usesByKey = new Map<string, AccountUse[]>();
  const ids = new Set<string>();
  for (const found of problems) {
    await slices.next();
    const finding = accountOf(found);
    if (finding === undefined) continue;
    const { deployment } = found;
    const { answer } = deployment;
    if (finding.account.id) {
      ids.add(finding.account.id);
    } else if (answer) {
      // An account without an ID belongs to its deployment, and no requirement can be bound to it.
      usesByKey.set(finding.key, [{ deployment, answer, finding, requirements: [] }]);
    }
  }

  for (const deployment of listed) {
    const accountIds = deployment.answer?.findings.accountsById.keys() ?? [];
    if (!Array.from(accountIds).some((id) => ids.has(id))) continue;
    for (const use of accountUsesIn(deployment)) {
      const { account, key } = use.finding;
      if (!ids.has(account.id ?? '')) continue;
      const uses = usesByKey.get(key);
      if (uses) uses.push(use);
      else usesByKey.set(key, [use]);
    }
    await slices.next();
  }

  const accounts = new Map<string, CurrentAccount>();
  for (const [key, uses] of usesByKey) {
    accounts.set(key, new CurrentAccount(new SharedAccount(uses)));
    await slices.next();
  }
  return accounts;
}

/** Returns a part for each unsatisfied requirement among the problems. */
function unconnectedOf(
  problems: readonly DeploymentProblem[],
  memory: RepairsOptions['memory'],
): readonly Unconnected[] {
  const parts: Unconnected[] = [];
  for (const found of problems) {
    const { deployment, problem } = found;
    if (problem.kind === 'failedAccount') continue;
    parts.push({
      problems: [found],
      seenSince: firstSeen([found], memory),
      readAt: oldestAnswer([deployment]),
      deployment,
      requirement: problem.finding,
    });
  }
  return parts;
}

/**
 * Returns the epoch ms at which the first of the problems was first seen; Infinity if that is
 * unknown.
 */
function firstSeen(
  problems: readonly DeploymentProblem[],
  memory: RepairsOptions['memory'],
): number {
  const times = problems.map(
    ({ deployment, problem }) => memory.seenSince(problem) ?? deployment.answer?.asOf,
  );
  return earliest(times);
}

/**
 * Returns the epoch ms as of which the oldest of the last answers was true; Infinity if there is
 * none.
 */
function oldestAnswer(deployments: readonly Deployment[]): number {
  return earliest(deployments.map(({ answer }) => answer?.asOf));
}

/**
 * Why a requirement is not satisfied although its bound account works by the newest answer.
 * `outdated`: only an older answer says so, and the newest answer shows that what was wrong is
 * fixed.
 */
type Reason = 'lacksScopes' | 'unexplained' | 'outdated';

/**
 * An account as the newest answer describes it, with the problems that older answers show of it.
 */
class CurrentAccount {
  constructor(private readonly shared: SharedAccount) {}

  /**
   * Returns whether none of these problems, all of which are about the account, needs a repair any
   * more.
   */
  clears(problems: readonly DeploymentProblem[]): boolean {
    if (this.shared.finding.problem !== undefined) return false;
    return !problems.some((found) => this.needsRepair(found));
  }

  /** `problems`: those that the account clears. */
  cleared(problems: readonly DeploymentProblem[]): ClearedAccount {
    const { finding, newest, uses } = this.shared;
    const outdated = uses.filter(
      (use) => use.finding.problem || this.reasons(use).includes('outdated'),
    );
    return {
      account: finding.account,
      worksAgain: problems.some(({ problem }) => problem.kind === 'failedAccount'),
      asOf: newest.answer.asOf,
      outdated: deploymentsOf(outdated),
    };
  }

  /** `problems`: all that are about the account, of which at least one needs a repair. */
  repair(problems: readonly DeploymentProblem[], memory: RepairsOptions['memory']): AccountRepair {
    const { finding, newest } = this.shared;
    const { problem } = finding;
    const needs = problem ? this.needsOfFailed(problem.scopes) : this.needsOfWorking();
    const repaired = problem ? problems : problems.filter((found) => this.needsRepair(found));
    const seen = problem ? [{ deployment: newest.deployment, problem }, ...repaired] : repaired;
    return {
      ...needs,
      account: finding.account,
      problems: repaired,
      seenSince: firstSeen(seen, memory),
      readAt: oldestAnswer([newest.deployment, ...needs.cannotUse, ...needs.others]),
    };
  }

  /** `scopes`: those to grant when the account is reconnected. */
  private needsOfFailed(scopes: readonly string[]): Needs {
    const readable = this.readableUses();
    const cannotUse = deploymentsOf(readable.filter((use) => unsatisfied(use).length > 0));
    const others = cannotUse.length > 0 ? [] : deploymentsOf(readable);
    return { trouble: 'failed', scopes, cannotUse, others };
  }

  private needsOfWorking(): Needs {
    const stopped: AccountUse[] = [];
    const scopes = new Set<string>();
    let isExplained = true;
    for (const use of this.readableUses()) {
      const reasons = this.reasons(use);
      if (reasons.every((reason) => reason === 'outdated')) continue;
      stopped.push(use);
      if (reasons.includes('unexplained')) isExplained = false;
      for (const requirement of unsatisfied(use)) {
        for (const scope of this.missingScopes(requirement, use)) scopes.add(scope);
      }
    }
    return {
      trouble: isExplained ? 'lacksScopes' : 'unexplained',
      scopes: [...scopes],
      cannotUse: deploymentsOf(stopped),
      others: deploymentsOf(this.shared.uses.filter(isUnaffected)),
    };
  }

  private readableUses(): readonly AccountUse[] {
    return this.shared.uses.filter(({ deployment }) => !isUnreadable(deployment));
  }

  /**
   * Returns whether a problem is not fixed by the newest answer, which says that the account works.
   */
  private needsRepair({ deployment, problem }: DeploymentProblem): boolean {
    if (problem.kind === 'failedAccount') return false;
    const { answer } = deployment;
    const { finding } = problem;
    if (!answer || !finding.bound) return false;
    return this.reason(finding, { deployment, answer, finding: finding.bound }) !== 'outdated';
  }

  private reasons(use: AccountUse): readonly Reason[] {
    return unsatisfied(use).map((finding) => this.reason(finding, use));
  }

  /** `reading`: of the bound account, in the answer that has the requirement. */
  private reason(requirement: RequirementFinding, reading: AccountReading): Reason {
    if (this.missingScopes(requirement, reading).length > 0) return 'lacksScopes';
    // A requirement that lacked scopes, or whose account had failed, has what it needs by the
    // newest answer.
    const hadOtherReason =
      requirement.problem === undefined || requirement.missingScopes.length > 0;
    return hadOtherReason ? 'outdated' : 'unexplained';
  }

  /**
   * Returns the scopes that the account lacks for a requirement. If both answers are about the same
   * connection method, a scope that the newest answer says to be granted or missing counts as that.
   */
  private missingScopes(
    { requirement }: RequirementFinding,
    { finding }: AccountReading,
  ): readonly string[] {
    const newest = this.shared.newest.finding;
    const missing = scopesMissing(requirement, finding);
    if (methodIdOf(finding.account) !== methodIdOf(newest.account)) return missing;
    const stillMissing = missing.filter((scope) => newest.grants(scope) !== true);
    return [...new Set([...stillMissing, ...scopesMissing(requirement, newest)])];
  }
}

/** The part of an `AccountRepair` that depends on whether the account has failed. */
type Needs = Pick<AccountRepair, 'trouble' | 'scopes' | 'cannotUse' | 'others'>;

function unsatisfied({ requirements }: AccountUse): readonly RequirementFinding[] {
  return requirements.filter(({ state }) => state === 'notSatisfied');
}

/** Returns whether a deployment uses the account, and nothing is known to prevent that. */
function isUnaffected({ deployment, finding, requirements }: AccountUse): boolean {
  const areSatisfied =
    requirements.length > 0 && requirements.every(({ state }) => state === 'satisfied');
  return areSatisfied && finding.problem === undefined && !isUnreadable(deployment);
}

function deploymentsOf(readings: readonly AccountReading[]): readonly Deployment[] {
  return readings.map(({ deployment }) => deployment);
}

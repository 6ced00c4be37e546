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
  readonly seenSince: number;
  /** When the oldest answer was made that the part relies on. */
  readonly readAt: number;
}

/** An account that has to be reconnected, as the newest answer about it says. */
export interface AccountRepair extends Part {
  readonly account: Account;
  /**
   * `lacksScopes`: all automations that cannot use it lack scopes. `unexplained`: some lack none.
   */
  readonly trouble: 'failed' | 'lacksScopes' | 'unexplained';
  /** What to grant when it is reconnected: all that the listed deployments miss. */
  readonly scopes: readonly string[];
  /** Where a requirement that is bound to it is not satisfied. */
  readonly cannotUse: readonly Deployment[];
  /**
   * If the account has failed and no automation is known to need it, those that have it; if it
   * works, those that use it and are not affected.
   */
  readonly others: readonly Deployment[];
}

/** A requirement without an account, or bound to one that its deployment does not have. */
export interface Unconnected extends Part {
  readonly deployment: Deployment;
  readonly requirement: RequirementFinding;
}

/** What one person is asked for. */
export interface OwnerRepairs {
  /** Whom the user named. */
  readonly owner: string | undefined;
  readonly accounts: readonly AccountRepair[];
  readonly unconnected: readonly Unconnected[];
  /** Deployments that may not be read. They stand alone, because they are for an administrator. */
  readonly denied: readonly Deployment[];
}

/** An account that the newest answer clears of what older answers of some deployments say of it. */
export interface ClearedAccount {
  readonly account: Account;
  /** Whether it works again. Else it was granted what it lacked. */
  readonly worksAgain: boolean;
  /** Epoch ms: when the newest answer was made. */
  readonly asOf: number;
  /** Those with the older answers. */
  readonly outdated: readonly Deployment[];
}

interface RepairsOptions {
  /** All listed deployments, in the order of the list. */
  readonly listed: readonly Deployment[];
  readonly memory: Pick<Remembered, 'seenSince'>;
  readonly ownerOf: OwnerOf;
}

/**
 * Returns what fixes these problems, each account once, by whom to ask for it: owners in the order
 * of their problems, then whoever manages the rest, then an administrator. `denied`: deployments
 * that may not be read.
 */
export async function repairsByOwner(
  problems: readonly DeploymentProblem[],
  denied: readonly Deployment[],
  { listed, memory, ownerOf }: RepairsOptions,
): Promise<{
  readonly byOwner: readonly OwnerRepairs[];
  readonly cleared: readonly ClearedAccount[];
}> {
  const slices = new Slices();
  const accounts = await accountsOf(problems, listed, slices);
  const byOwner = new ByOwner();
  const cleared: ClearedAccount[] = [];
  for (const [key, own] of groupBy(problems, keyOf)) {
    const owner = ownerOfAny(own, ownerOf);
    const account = accounts.get(key);
    const unconnected = account === undefined ? unconnectedOf(own, memory) : [];
    if (unconnected.length > 0) byOwner.of(owner).unconnected.push(...unconnected);
    if (account === undefined) continue;
    if (account.clears(own)) cleared.push(account.cleared(own));
    else byOwner.of(owner).accounts.push(account.repair(own, memory));
    await slices.next();
  }
  // Whoever can fix the accounts of a deployment can seldom give permissions.
  byOwner.administrator.denied.push(...denied);
  return { byOwner: byOwner.all(), cleared };
}

class ByOwner {
  private readonly named = new Map<string | undefined, ReturnType<typeof emptyRepairs>>();
  readonly administrator = emptyRepairs(undefined);

  of(owner: string | undefined) {
    const repairs = this.named.get(owner) ?? emptyRepairs(owner);
    this.named.set(owner, repairs);
    return repairs;
  }

  all(): readonly OwnerRepairs[] {
    const { administrator, named } = this;
    const ownersFirst = [...named.values()].toSorted((a, b) => Number(!a.owner) - Number(!b.owner));
    return administrator.denied.length > 0 ? [...ownersFirst, administrator] : ownersFirst;
  }
}

function emptyRepairs(owner: string | undefined) {
  return {
    owner,
    accounts: [] as AccountRepair[],
    unconnected: [] as Unconnected[],
    denied: [] as Deployment[],
  };
}

function accountOf({ problem }: DeploymentProblem): AccountFinding | undefined {
  return problem.kind === 'failedAccount' ? problem.finding : problem.finding.bound;
}

function keyOf(one: DeploymentProblem): string {
  return accountOf(one)?.key ?? one.problem.key;
}

function ownerOfAny(problems: readonly DeploymentProblem[], ownerOf: OwnerOf): string | undefined {
  for (const { deployment, problem } of problems) {
    const owner = ownerOf(ownedBy(problem, deployment.id));
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/**
 * Returns by their keys the accounts that these problems are about. Looks at each deployment once.
 */
async function accountsOf(
  problems: readonly DeploymentProblem[],
  listed: readonly Deployment[],
  slices: Slices,
): Promise<ReadonlyMap<string, AccountNow>> {
  const uses = new Map<string, AccountUse[]>();
  const ids = new Set<string>();
  for (const one of problems) {
    await slices.next();
    const finding = accountOf(one);
    if (finding === undefined) continue;
    const { deployment } = one;
    const { answer } = deployment;
    if (finding.account.id) ids.add(finding.account.id);
    // Without an ID it belongs to its deployment, and no requirement can be bound to it.
    else if (answer) uses.set(finding.key, [{ deployment, answer, finding, requirements: [] }]);
  }
  for (const deployment of listed) {
    const known = deployment.answer?.findings.accountsById.keys() ?? [];
    if (!Array.from(known).some((id) => ids.has(id))) continue;
    for (const use of accountUsesIn(deployment)) {
      const { account, key } = use.finding;
      if (!ids.has(account.id ?? '')) continue;
      const before = uses.get(key);
      if (before) before.push(use);
      else uses.set(key, [use]);
    }
    await slices.next();
  }
  const accounts = new Map<string, AccountNow>();
  for (const [key, own] of uses) {
    accounts.set(key, new AccountNow(new SharedAccount(own)));
    await slices.next();
  }
  return accounts;
}

function unconnectedOf(
  problems: readonly DeploymentProblem[],
  memory: RepairsOptions['memory'],
): Unconnected[] {
  return problems.flatMap((one): Unconnected | [] => {
    const { deployment, problem } = one;
    if (problem.kind === 'failedAccount') return [];
    const part = {
      problems: [one],
      seenSince: firstSeen([one], memory),
      readAt: oldestReading([deployment]),
    };
    return { ...part, deployment, requirement: problem.finding };
  });
}

function firstSeen(
  problems: readonly DeploymentProblem[],
  memory: RepairsOptions['memory'],
): number {
  const times = problems.map(
    ({ deployment, problem }) => memory.seenSince(problem) ?? deployment.answer?.asOf,
  );
  return earliest(times);
}

function oldestReading(deployments: readonly Deployment[]): number {
  return earliest(deployments.map(({ answer }) => answer?.asOf));
}

/**
 * Why a requirement is not satisfied although the account that it is bound to works by the newest
 * answer.
 */
type Reason = 'lacksScopes' | 'unexplained' | 'outdated';

/** What the newest answer about an account makes of what all answers say of it. */
class AccountNow {
  constructor(private readonly shared: SharedAccount) {}

  /** Whether nothing is left to ask for of these problems, all of which are about the account. */
  clears(problems: readonly DeploymentProblem[]): boolean {
    return this.shared.finding.problem === undefined && !problems.some((one) => this.isLeft(one));
  }

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

  repair(problems: readonly DeploymentProblem[], memory: RepairsOptions['memory']): AccountRepair {
    const { finding, newest } = this.shared;
    const { problem } = finding;
    const needs = problem ? this.needsOfFailed(problem.scopes) : this.needsOfWorking();
    const own = problem ? [{ deployment: newest.deployment, problem }] : [];
    const left = problem ? problems : problems.filter((one) => this.isLeft(one));
    return {
      ...needs,
      account: finding.account,
      problems: left,
      seenSince: firstSeen([...own, ...left], memory),
      readAt: oldestReading([newest.deployment, ...needs.cannotUse, ...needs.others]),
    };
  }

  private needsOfFailed(scopes: readonly string[]) {
    const { uses } = this.shared;
    const known = uses.filter(({ deployment }) => !isUnreadable(deployment));
    const cannotUse = deploymentsOf(known.filter((use) => unsatisfied(use).length > 0));
    const others = cannotUse.length > 0 ? [] : deploymentsOf(known);
    return { trouble: 'failed' as const, scopes, cannotUse, others };
  }

  private needsOfWorking() {
    const known = this.shared.uses.filter(({ deployment }) => !isUnreadable(deployment));
    const uses = known.map((use) => ({ use, reasons: this.reasons(use) }));
    const cannotUse = uses.filter(({ reasons }) => reasons.some((reason) => reason !== 'outdated'));
    const scopes = cannotUse.flatMap(({ use }) =>
      unsatisfied(use).flatMap((one) => this.missing(one, use)),
    );
    const isScopesAlone = cannotUse.every(({ reasons }) => !reasons.includes('unexplained'));
    return {
      trouble: isScopesAlone ? ('lacksScopes' as const) : ('unexplained' as const),
      scopes: [...new Set(scopes)],
      cannotUse: deploymentsOf(cannotUse.map(({ use }) => use)),
      others: deploymentsOf(this.shared.uses.filter(isUnaffected)),
    };
  }

  private isLeft({ deployment, problem }: DeploymentProblem): boolean {
    if (problem.kind === 'failedAccount') return false;
    const { answer } = deployment;
    const { finding } = problem;
    if (!answer || !finding.bound) return false;
    return this.reason(finding, { deployment, answer, finding: finding.bound }) !== 'outdated';
  }

  private reasons(use: AccountUse): readonly Reason[] {
    return unsatisfied(use).map((finding) => this.reason(finding, use));
  }

  private reason(finding: RequirementFinding, reading: AccountReading): Reason {
    if (this.missing(finding, reading).length > 0) return 'lacksScopes';
    return finding.problem !== undefined && finding.missingScopes.length === 0
      ? 'unexplained'
      : 'outdated';
  }

  /**
   * The newest answer knows best which scopes its connection method was granted, as far as it says
   * so.
   */
  private missing(
    { requirement }: RequirementFinding,
    { finding }: AccountReading,
  ): readonly string[] {
    const newest = this.shared.newest.finding;
    const own = scopesMissing(requirement, finding);
    if (methodIdOf(finding.account) !== methodIdOf(newest.account)) return own;
    const left = own.filter((scope) => newest.grants(scope) !== true);
    return [...new Set([...left, ...scopesMissing(requirement, newest)])];
  }
}

function unsatisfied({ requirements }: AccountUse): readonly RequirementFinding[] {
  return requirements.filter(({ state }) => state === 'notSatisfied');
}

/** Whether its deployment uses the account, and nothing is known to stand in the way. */
function isUnaffected({ deployment, finding, requirements }: AccountUse): boolean {
  const isSatisfied =
    requirements.length > 0 && requirements.every(({ state }) => state === 'satisfied');
  return isSatisfied && finding.problem === undefined && !isUnreadable(deployment);
}

function deploymentsOf(readings: readonly AccountReading[]): readonly Deployment[] {
  return readings.map(({ deployment }) => deployment);
}

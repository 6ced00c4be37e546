import type { Disposable } from '../base/emitter.js';
import { type AccountReading, outranks, readingOf } from '../findings/accountReadings.js';
import type { Deployment } from '../findings/deployment.js';
import {
  AccountFinding,
  groupBy,
  type RequirementFinding,
  scopesMissing,
} from '../findings/findings.js';
import { methodIdOf } from '../findings/readings.js';
import type { Store } from '../store/store.js';

/** An account in one deployment. */
export interface AccountUse extends AccountReading {
  /** Those that are bound to the account in this deployment. */
  readonly requirements: readonly RequirementFinding[];
}

/**
 * An account with all listed deployments that have it. Made for a surface when it shows the
 * account.
 */
export class SharedAccount {
  readonly newest: AccountUse;
  /**
   * The finding of the newest answer; its problem names the scopes that all deployments together
   * lack.
   */
  readonly finding: AccountFinding;

  /** `uses`: at least one. */
  constructor(readonly uses: readonly AccountUse[]) {
    this.newest = newestOf(uses);
    this.finding = withScopesOfAll(this.newest.finding, uses);
  }
}

/** `readings`: at least one. */
export function newestOf<T extends AccountReading>(readings: readonly T[]): T {
  return readings.reduce((newest, reading) => (outranks(reading, newest) ? reading : newest));
}

/**
 * Returns the newest finding of an account with the scopes that its requirements lack in any of the
 * uses; the same finding if it has no problem.
 */
function withScopesOfAll(newest: AccountFinding, uses: readonly AccountUse[]): AccountFinding {
  const { account, key, problem } = newest;
  if (problem === undefined) return newest;

  const newestMethodId = methodIdOf(account);
  const scopesByMethod = new Map<string, Set<string>>();
  for (const { finding, requirements } of uses) {
    const methodId = methodIdOf(finding.account) ?? '';
    // The newest answer knows best which scopes were granted with its connection method.
    const granted = methodId === newestMethodId ? newest : finding;
    const missing = requirements.flatMap(({ requirement }) => scopesMissing(requirement, granted));
    if (missing.length === 0) continue;
    const scopes = scopesByMethod.get(methodId) ?? new Set<string>();
    scopesByMethod.set(methodId, scopes);
    for (const scope of missing) scopes.add(scope);
  }

  const methods = new Map<string, readonly string[]>();
  for (const [methodId, scopes] of scopesByMethod) methods.set(methodId, [...scopes]);
  const scopes = [...new Set([...methods.values()].flat())];
  return new AccountFinding(account, key, { ...problem, scopes, methods });
}

/**
 * Returns all accounts of a deployment, without an ID too; none if it was not read. Of several
 * accounts with one ID, only the one that counts.
 */
export function accountUsesIn(deployment: Deployment): readonly AccountUse[] {
  const { answer } = deployment;
  if (answer === undefined) return [];
  const { accounts, accountsById, requirements } = answer.findings;
  const requirementsByBoundId = groupBy(requirements, ({ boundId }) => boundId);
  const uses: AccountUse[] = [];
  for (const finding of accounts) {
    const { id } = finding.account;
    if (!id) {
      uses.push({ deployment, answer, finding, requirements: [] });
    } else if (accountsById.get(id) === finding) {
      const boundRequirements = requirementsByBoundId.get(id) ?? [];
      uses.push({ deployment, answer, finding, requirements: boundRequirements });
    }
  }
  return uses;
}

/**
 * Knows which listed deployments have each account, and what the newest answers say of it. Views,
 * commands, and tools ask it. Must listen to the store before them, so that it is up to date when
 * they ask.
 */
export class Impact implements Disposable {
  /** By account ID: the IDs of the deployments that have it, in the order of `deployments`. */
  private holders: ReadonlyMap<string, readonly string[]> = new Map();
  /** The store's deployments at its last event. */
  private deployments: readonly Deployment[] = [];
  private readonly subscription: Disposable;
  /** A number that grows when an account is in more or fewer deployments than before. */
  holdersVersion = 0;

  constructor(
    private readonly store: Pick<Store, 'accountAnswers' | 'deployments' | 'get' | 'onDidChange'>,
  ) {
    this.subscription = store.onDidChange(() => this.update());
    this.update();
  }

  get accountIds(): Iterable<string> {
    return this.holders.keys();
  }

  /**
   * Returns how many deployments have this account; 0 without an ID, because such an account is in
   * one only.
   */
  countHolders(accountId: string | undefined): number {
    return this.holdersOf(accountId).length;
  }

  /**
   * Returns in how many deployments a requirement that is bound to this account is not satisfied.
   */
  countStopped(accountId: string): number {
    const stopped = this.deploymentsWith(accountId).filter(({ answer }) =>
      answer?.findings.hasUnsatisfiedRequirementOf(accountId),
    );
    return stopped.length;
  }

  /**
   * Returns the deployments that have this account, in the order of `Store.deployments`; none
   * without an ID.
   */
  deploymentsWith(accountId: string | undefined): readonly Deployment[] {
    return this.holdersOf(accountId).flatMap((id) => this.store.get(id) ?? []);
  }

  /**
   * Returns what the newest answer says of an account; `undefined` if no listed deployment has it.
   */
  newestReading(accountId: string): AccountReading | undefined {
    const holderId = this.store.accountAnswers.newestHolder(accountId) ?? '';
    const holder = this.store.get(holderId);
    const newest = holder && readingOf(holder, accountId);
    if (newest) return newest;

    // No answer says for certain whether the account works.
    const readings = this.deploymentsWith(accountId).flatMap(
      (deployment) => readingOf(deployment, accountId) ?? [],
    );
    return readings.length > 0 ? newestOf(readings) : undefined;
  }

  /**
   * Returns whether a later refresh has contradicted what this deployment's answer says of an
   * account; without an ID, of any of its accounts.
   */
  isOutdated(deploymentId: string, accountId?: string): boolean {
    const { accountAnswers } = this.store;
    if (accountId !== undefined) return accountAnswers.isOutdated(deploymentId, accountId);
    for (const id of accountAnswers.accountsIn(deploymentId)) {
      if (accountAnswers.isOutdated(deploymentId, id)) return true;
    }
    return false;
  }

  /**
   * Returns the newest answer about an account if it contradicts this deployment's answer and says
   * that the account works, so that it needs no fix; otherwise `undefined`.
   */
  newestIfWorking(deploymentId: string, accountId = ''): AccountReading | undefined {
    if (!this.store.accountAnswers.isContradicted(deploymentId, accountId)) return undefined;
    const newest = this.newestReading(accountId);
    return newest?.finding.problem === undefined ? newest : undefined;
  }

  /**
   * Returns whether the last answers of listed deployments contradict each other about this
   * account.
   */
  isDisputed(accountId: string): boolean {
    return this.store.accountAnswers.isDisputed(accountId);
  }

  /** Returns the IDs of this deployment's accounts that are disputed. */
  disputedAccountsIn(deploymentId: string): readonly string[] {
    return this.store.accountAnswers.disputedAccounts(deploymentId);
  }

  /**
   * Returns these accounts by their IDs, with all their uses. Goes through each deployment once,
   * however many of the accounts it has.
   */
  sharedAccounts(ids: ReadonlySet<string>): ReadonlyMap<string, SharedAccount> {
    const holders = new Set(Array.from(ids).flatMap((id) => this.holdersOf(id)));
    const usesById = new Map<string, AccountUse[]>();
    for (const holderId of holders) {
      const deployment = this.store.get(holderId);
      if (deployment === undefined) continue;
      for (const use of accountUsesIn(deployment)) {
        const id = use.finding.account.id ?? '';
        if (!ids.has(id)) continue;
        const uses = usesById.get(id);
        if (uses) uses.push(use);
        else usesById.set(id, [use]);
      }
    }
    return new Map(Array.from(usesById, ([id, uses]) => [id, new SharedAccount(uses)]));
  }

  dispose(): void {
    this.subscription.dispose();
  }

  private holdersOf(accountId = ''): readonly string[] {
    return this.holders.get(accountId) ?? [];
  }

  private update(): void {
    const before = this.deployments;
    this.deployments = this.store.deployments;
    const haveAllSameAccounts =
      this.deployments.length === before.length &&
      this.deployments.every((deployment, index) => haveSameAccounts(deployment, before[index]));
    if (haveAllSameAccounts) return;

    const holders = new Map<string, string[]>();
    for (const { id, answer } of this.deployments) {
      for (const accountId of answer?.findings.accountsById.keys() ?? []) {
        const ids = holders.get(accountId);
        if (ids) ids.push(id);
        else holders.set(accountId, [id]);
      }
    }
    const areCountsSame =
      holders.size === this.holders.size &&
      Array.from(holders).every(([id, { length }]) => length === this.countHolders(id));
    if (!areCountsSame) this.holdersVersion += 1;
    this.holders = holders;
  }
}

/** Returns whether `b` is the same deployment as `a` with the same accounts. */
function haveSameAccounts(a: Deployment, b: Deployment | undefined): boolean {
  if (a === b) return true;
  if (a.id !== b?.id) return false;
  const accounts = a.answer?.findings.accountsById;
  const otherAccounts = b.answer?.findings.accountsById;
  if (accounts?.size !== otherAccounts?.size) return false;
  return Array.from(accounts?.keys() ?? []).every((id) => otherAccounts?.has(id));
}

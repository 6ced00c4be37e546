import type { AccountAnswers } from './accountAnswers.js';

/** What two answers claimed of an account when one of their deployments was read again for that. */
interface Contradiction {
  /** The claim of the deployment that was read again. */
  readonly claim: string;
  /** The claim of the newest answer about the account. */
  readonly newestClaim: string;
}

/**
 * Decides which deployments are read again because a newer answer contradicts what theirs claim of
 * an account: each once for one contradiction. A deployment that then still claims something else
 * may be right, as nothing in the platform's reference says that an account works in all
 * deployments or in none. The store asks this after each answer.
 */
export class Contradictions {
  /** By deployment ID: the accounts for which it was read again since the last refresh ended. */
  private readonly readAgain = new Map<string, Set<string>>();
  /**
   * By account ID, since the last refresh ended: `AccountAnswers.contradictionVersion` when all
   * deployments that the newest answer contradicts were last looked up.
   */
  private readonly lookedUpVersions = new Map<string, number>();
  /**
   * By account ID, then by deployment ID: the contradictions for which the deployment was read
   * again, kept until it claims something else or there is no contradiction about the account.
   */
  private readonly handled = new Map<string, Map<string, Contradiction>>();

  constructor(private readonly answers: AccountAnswers) {}

  /** Called with each answer, whatever it was read for. */
  answered(deploymentId: string): void {
    for (const [accountId, byDeployment] of this.handled) {
      // Once no answer contradicts another, the next contradiction is a new one.
      if (!this.answers.isDisputed(accountId)) {
        this.handled.delete(accountId);
        continue;
      }
      const handled = byDeployment.get(deploymentId);
      if (handled === undefined) continue;
      const hasChanged = this.answers.claimIn(deploymentId, accountId) !== handled.claim;
      if (hasChanged) byDeployment.delete(deploymentId);
    }
  }

  /**
   * Returns the IDs of the deployments to read again after the answer of `deploymentId`: this one,
   * if a newer answer contradicts it, and with `mayReadOthers` all that the newest answers about
   * its accounts contradict. The caller has to read them, because each is returned only once for a
   * contradiction. `isWaitedFor`: returns whether a deployment will be read anyway.
   */
  toReadAgain(
    deploymentId: string,
    mayReadOthers: boolean,
    isWaitedFor: (deploymentId: string) => boolean,
  ): ReadonlySet<string> {
    const toRead = new Set<string>();
    for (const accountId of this.answers.accountsIn(deploymentId)) {
      if (!this.answers.isDisputed(accountId)) continue;
      const contradicted = mayReadOthers ? [...this.newlyContradicted(accountId)] : [];
      if (this.answers.isContradicted(deploymentId, accountId)) contradicted.push(deploymentId);
      for (const id of contradicted) {
        if (isWaitedFor(id)) continue;
        if (this.handle(id, accountId)) toRead.add(id);
      }
    }
    return toRead;
  }

  /**
   * Forgets what was noted for the refresh that has ended. `handled` stays, so that the same
   * contradiction causes no other read.
   */
  forgetRefresh(): void {
    this.readAgain.clear();
    this.lookedUpVersions.clear();
  }

  forget(deploymentIds: readonly string[]): void {
    for (const byDeployment of this.handled.values()) {
      for (const id of deploymentIds) byDeployment.delete(id);
    }
  }

  /** Called when the organization or its token changes. */
  forgetAll(): void {
    this.forgetRefresh();
    this.handled.clear();
  }

  /**
   * Returns the IDs of all deployments whose claim about the account the newest answer contradicts;
   * none if they were returned before. Looking them up takes long, because there can be thousands.
   */
  private newlyContradicted(accountId: string): readonly string[] {
    const version = this.answers.contradictionVersion(accountId);
    if (this.lookedUpVersions.get(accountId) === version) return [];
    this.lookedUpVersions.set(accountId, version);
    return this.answers.contradictedHolders(accountId);
  }

  /**
   * Notes that the deployment is read again for the account. Returns false, and notes nothing, if
   * it was read again for this account since the last refresh ended, or before for the same claims,
   * or if the answers no longer claim anything.
   */
  private handle(deploymentId: string, accountId: string): boolean {
    const claim = this.answers.claimIn(deploymentId, accountId);
    const newestClaim = this.answers.newestClaim(accountId);
    if (claim === undefined || newestClaim === undefined) return false;

    const byDeployment = this.handled.get(accountId) ?? new Map<string, Contradiction>();
    const handled = byDeployment.get(deploymentId);
    const isHandled = handled?.claim === claim && handled.newestClaim === newestClaim;
    const accountIds = this.readAgain.get(deploymentId) ?? new Set<string>();
    if (isHandled || accountIds.has(accountId)) return false;

    accountIds.add(accountId);
    this.readAgain.set(deploymentId, accountIds);
    byDeployment.set(deploymentId, { claim, newestClaim });
    this.handled.set(accountId, byDeployment);
    return true;
  }
}

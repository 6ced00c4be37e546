import type { AccountAnswers } from './accountAnswers.js';

/** A deployment that was read again, and went on saying this of an account. */
interface Unresolved {
  readonly own: string;
  /** What the newest answer says of the account. */
  readonly newest: string;
}

/**
 * Decides which deployments are read again because a newer answer contradicts what theirs say of an
 * account: each once for one contradiction. Those that then still say something else may be right, as
 * nothing in the reference says that an account works in all deployments or in none.
 */
export class Contradictions {
  /** By deployment: the accounts for which it was read again in the refresh that runs. */
  private readonly readAgain = new Map<string, Set<string>>();
  /** By account, in the refresh that runs: the version of the answers whose contradictions were all looked at. */
  private readonly lookedAt = new Map<string, number>();
  /** By account, by deployment. Of an account about which deployments contradict each other ever since. */
  private readonly unresolved = new Map<string, Map<string, Unresolved>>();

  constructor(private readonly answers: AccountAnswers) {}

  /** Called with each answer, whatever it was asked for. */
  answered(deploymentId: string): void {
    for (const [account, holders] of this.unresolved) {
      const known = holders.get(deploymentId);
      // Once nobody is contradicted, the next contradiction is another one.
      if (!this.answers.isDisputed(account)) this.unresolved.delete(account);
      else if (known && this.answers.claimIn(deploymentId, account) !== known.own)
        holders.delete(deploymentId);
    }
  }

  /**
   * Returns the deployments to read again after the answer of `deploymentId`: this one, if a newer answer
   * contradicts it, and with `mayReadOthers` all that the newest answers about its accounts contradict. Each is
   * returned once for one contradiction, so that the caller has to read it. `isWaitedFor`: it will be read anyway.
   */
  toReadAgain(
    deploymentId: string,
    mayReadOthers: boolean,
    isWaitedFor: (deploymentId: string) => boolean,
  ): ReadonlySet<string> {
    const due = new Set<string>();
    for (const account of this.answers.accountsIn(deploymentId)) {
      if (!this.answers.isDisputed(account)) continue;
      const others = mayReadOthers ? this.newlyContradicted(account) : [];
      const isOwn = this.answers.isContradicted(deploymentId, account);
      for (const holder of isOwn ? [...others, deploymentId] : others) {
        if (!isWaitedFor(holder) && this.begin(holder, account)) due.add(holder);
      }
    }
    return due;
  }

  /** At the end of a refresh. */
  endRefresh(): void {
    this.readAgain.clear();
    this.lookedAt.clear();
  }

  forget(deploymentIds: readonly string[]): void {
    for (const holders of this.unresolved.values())
      for (const id of deploymentIds) holders.delete(id);
  }

  forgetAll(): void {
    this.endRefresh();
    this.unresolved.clear();
  }

  /** Goes through the deployments only once while each answer agrees with the newest, since there can be thousands. */
  private newlyContradicted(account: string): readonly string[] {
    const version = this.answers.contradictionVersion(account);
    if (this.lookedAt.get(account) === version) return [];
    this.lookedAt.set(account, version);
    return this.answers.contradictedHolders(account);
  }

  /** Returns whether this deployment was not yet read again for this. */
  private begin(deploymentId: string, account: string): boolean {
    const own = this.answers.claimIn(deploymentId, account);
    const newest = this.answers.newestClaim(account);
    if (own === undefined || newest === undefined) return false;
    const unresolved = this.unresolved.get(account) ?? new Map<string, Unresolved>();
    const known = unresolved.get(deploymentId);
    const isKnown = known?.own === own && known.newest === newest;
    const accounts = this.readAgain.get(deploymentId) ?? new Set<string>();
    if (isKnown || accounts.has(account)) return false;
    this.readAgain.set(deploymentId, accounts.add(account));
    this.unresolved.set(account, unresolved.set(deploymentId, { own, newest }));
    return true;
  }
}

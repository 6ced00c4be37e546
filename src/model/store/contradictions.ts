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
  /** By deployment, by account. */
  private readonly unresolved = new Map<string, Map<string, Unresolved>>();

  constructor(private readonly answers: AccountAnswers) {}

  /** Called with each answer, whatever it was asked for. */
  answered(deploymentId: string): void {
    for (const [account, { own }] of this.unresolved.get(deploymentId) ?? []) {
      if (this.answers.wordIn(deploymentId, account) !== own) this.unresolved.get(deploymentId)?.delete(account);
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
      for (const holder of this.answers.contradictedHolders(account)) {
        const isWanted = holder === deploymentId || mayReadOthers;
        if (isWanted && !isWaitedFor(holder) && this.begin(holder, account)) due.add(holder);
      }
    }
    return due;
  }

  /** At the end of a refresh. */
  endRefresh(): void {
    this.readAgain.clear();
  }

  forget(deploymentIds: readonly string[]): void {
    for (const id of deploymentIds) this.unresolved.delete(id);
  }

  forgetAll(): void {
    this.readAgain.clear();
    this.unresolved.clear();
  }

  /** Returns whether this deployment was not yet read again for this. */
  private begin(deploymentId: string, account: string): boolean {
    const own = this.answers.wordIn(deploymentId, account);
    const newest = this.answers.newestWord(account);
    if (own === undefined || newest === undefined) return false;
    const known = this.unresolved.get(deploymentId)?.get(account);
    const isKnown = known?.own === own && known.newest === newest;
    const accounts = this.readAgain.get(deploymentId) ?? new Set<string>();
    if (isKnown || accounts.has(account)) return false;
    this.readAgain.set(deploymentId, accounts.add(account));
    const contradicted = this.unresolved.get(deploymentId) ?? new Map<string, Unresolved>();
    this.unresolved.set(deploymentId, contradicted.set(account, { own, newest }));
    return true;
  }
}

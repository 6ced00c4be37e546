import { accountClaim, contradicts, works } from '../findings/accountReadings.js';
import type { LastAnswer } from '../findings/deployment.js';

/**
 * An account with more different errors has codes that the platform makes anew for each answer. Another
 * code is no other error then.
 */
const maxErrors = 20;

/** The newest answer that says whether an account works. */
interface Newest {
  readonly deploymentId: string;
  readonly sequence: number;
  /** As `accountWord` makes it. */
  readonly word: string;
}

/**
 * What the last answers of all deployments say of the accounts that they share. The store gives it
 * each answer at its arrival. It knows which deployments contradict the newest answer about an account.
 */
export class AccountAnswers {
  /** By deployment. */
  private readonly answers = new Map<string, LastAnswer>();
  /** By deployment: in which refresh its last answer came. */
  private readonly refreshes = new Map<string, number>();
  /** How many refreshes have ended. */
  private ended = 0;
  /** By account, of those that only one deployment has: this deployment. */
  private readonly onlyHolders = new Map<string, string>();
  /** By account, of all others. */
  private readonly shared = new Map<string, SharedAnswers>();

  /** Returns the deployments of which the newest answer about one of their accounts now says something else. */
  take(deploymentId: string, answer: LastAnswer): ReadonlySet<string> {
    this.refreshes.set(deploymentId, this.ended);
    return this.replace(deploymentId, answer);
  }

  endRefresh(): void {
    this.ended++;
  }

  forget(deploymentIds: readonly string[]): void {
    for (const id of deploymentIds) {
      this.refreshes.delete(id);
      this.replace(id, undefined);
    }
  }

  forgetAll(): void {
    this.answers.clear();
    this.refreshes.clear();
    this.onlyHolders.clear();
    this.shared.clear();
  }

  /** The accounts that this deployment's last answer names. */
  accountsIn(deploymentId: string): Iterable<string> {
    return this.answers.get(deploymentId)?.findings.accountsById.keys() ?? [];
  }

  /** Returns the deployment of the newest answer about an account, `undefined` if none says whether it works. */
  newestHolder(accountId: string): string | undefined {
    return this.shared.get(accountId)?.newest?.deploymentId ?? this.onlyHolders.get(accountId);
  }

  /** What the newest answer says of an account that several deployments have. */
  newestClaim(accountId: string): string | undefined {
    return this.shared.get(accountId)?.newest?.word;
  }

  /** What this deployment's last answer says of an account. */
  claimIn(deploymentId: string, accountId: string): string | undefined {
    return wordOf(this.answers.get(deploymentId), accountId);
  }

  /** Another number after the newest answer about an account contradicts one that it did not contradict before. */
  contradictionVersion(accountId: string): number {
    return this.shared.get(accountId)?.version ?? 0;
  }

  /** Whether the newest answer about an account contradicts any other one. */
  isDisputed(accountId: string): boolean {
    return this.shared.get(accountId)?.isDisputed === true;
  }

  /** The accounts of this deployment of which not all last answers say the same. */
  disputedAccounts(deploymentId: string): readonly string[] {
    return Array.from(this.accountsIn(deploymentId)).filter((account) => this.isDisputed(account));
  }

  /** The deployments whose last answer about an account the newest one contradicts. Looks at all of them. */
  contradictedHolders(accountId: string): readonly string[] {
    if (!this.isDisputed(accountId)) return [];
    return Array.from(this.answers.keys()).filter((id) => this.isContradicted(id, accountId));
  }

  /** Whether the newest answer about an account contradicts this deployment's last one. */
  isContradicted(deploymentId: string, accountId: string): boolean {
    const answers = this.shared.get(accountId);
    if (answers === undefined || answers.areAgreed) return false;
    const own = this.claimIn(deploymentId, accountId);
    return own !== undefined && answers.contradicts(own);
  }

  /**
   * Whether a deployment that the newest answer contradicts was last read in an earlier refresh. If both were read in
   * one, neither is old: they say different things of the account.
   */
  isOutdated(deploymentId: string, accountId: string): boolean {
    if (!this.isContradicted(deploymentId, accountId)) return false;
    const newest = this.newestHolder(accountId) ?? '';
    return (this.refreshes.get(deploymentId) ?? 0) < (this.refreshes.get(newest) ?? 0);
  }

  private replace(deploymentId: string, answer: LastAnswer | undefined): ReadonlySet<string> {
    const before = this.answers.get(deploymentId);
    if (answer) this.answers.set(deploymentId, answer);
    else this.answers.delete(deploymentId);
    const changed = new Set<string>();
    const accounts = new Set(this.accountsIn(deploymentId));
    for (const account of before?.findings.accountsById.keys() ?? []) accounts.add(account);
    for (const account of accounts) {
      if (!this.update(account, deploymentId, before)) continue;
      for (const holder of this.holdersOf(account)) changed.add(holder);
    }
    return changed;
  }

  /** Returns whether the newest answer about the account now contradicts others than before. */
  private update(account: string, deploymentId: string, before: LastAnswer | undefined): boolean {
    const answers = this.answersBeside(deploymentId, account);
    if (answers === undefined) return false;
    const { verdict, newest } = answers;
    const after = newestOf(deploymentId, this.answers.get(deploymentId), account);
    answers.replace(wordOf(before, account), after);
    if (newest?.deploymentId === deploymentId && answers.newest !== after)
      answers.newest = this.findNewest(account);
    answers.noteNewest(newest, after);
    return answers.verdict !== verdict;
  }

  /** Returns what is known of an account, `undefined` if no other deployment than this one has it. */
  private answersBeside(deploymentId: string, account: string): SharedAnswers | undefined {
    const known = this.shared.get(account);
    if (known) return known;
    const only = this.onlyHolders.get(account);
    if (only === undefined || only === deploymentId) {
      const isHeld = this.answers.get(deploymentId)?.findings.accountsById.has(account) === true;
      if (isHeld) this.onlyHolders.set(account, deploymentId);
      else this.onlyHolders.delete(account);
      return undefined;
    }
    const made = new SharedAnswers();
    made.replace(undefined, newestOf(only, this.answers.get(only), account));
    this.onlyHolders.delete(account);
    this.shared.set(account, made);
    return made;
  }

  private holdersOf(account: string): readonly string[] {
    const holders = Array.from(this.answers).filter(([, answer]) =>
      answer.findings.accountsById.has(account),
    );
    return holders.map(([id]) => id);
  }

  private findNewest(account: string): Newest | undefined {
    let newest: Newest | undefined;
    for (const [id, answer] of this.answers) {
      const one = newestOf(id, answer, account);
      if (one && (newest === undefined || one.sequence > newest.sequence)) newest = one;
    }
    return newest;
  }
}

/** What the last answers say of one account. It knows how many say what, and not which. */
class SharedAnswers {
  newest: Newest | undefined;
  version = 0;
  /** By what they say: how many. */
  private readonly counts = new Map<string, number>();

  /** Whether all say the same. */
  get areAgreed(): boolean {
    return this.counts.size < 2;
  }

  /** Another one when other deployments are contradicted. */
  get verdict(): string | undefined {
    if (this.areAgreed) return undefined;
    return this.newest?.word === works || !this.hasManyErrors
      ? this.newest?.word
      : 'failed with many errors';
  }

  /** Whether the newest answer contradicts any of them. */
  get isDisputed(): boolean {
    if (this.areAgreed) return false;
    for (const word of this.counts.keys()) if (this.contradicts(word)) return true;
    return false;
  }

  private get hasManyErrors(): boolean {
    return this.counts.size > maxErrors;
  }

  /** Whether the newest answer contradicts one that says this. */
  contradicts(word: string): boolean {
    const { newest } = this;
    if (newest === undefined || !contradicts(word, newest.word)) return false;
    return word === works || newest.word === works || !this.hasManyErrors;
  }

  /** `before`: what one deployment said. `after`: what it says now, if it still has the account and says how it is. */
  replace(before: string | undefined, after: Newest | undefined): void {
    if (before !== after?.word) {
      if (before !== undefined) this.count(before, -1);
      if (after) this.count(after.word, 1);
    }
    if (after && after.sequence >= (this.newest?.sequence ?? -Infinity)) this.newest = after;
  }

  /** Called after a change, with the newest answer before it and the one that arrived. */
  noteNewest(before: Newest | undefined, arrived: Newest | undefined): void {
    if (this.newest?.word !== before?.word || (arrived && this.contradicts(arrived.word)))
      this.version++;
  }

  private count(word: string, change: 1 | -1): void {
    const count = (this.counts.get(word) ?? 0) + change;
    if (count === 0) this.counts.delete(word);
    else this.counts.set(word, count);
  }
}

function wordOf(answer: LastAnswer | undefined, account: string): string | undefined {
  const finding = answer?.findings.accountsById.get(account);
  return answer && finding && accountClaim(finding, answer.findings);
}

function newestOf(
  deploymentId: string,
  answer: LastAnswer | undefined,
  account: string,
): Newest | undefined {
  const word = wordOf(answer, account);
  return answer && word !== undefined
    ? { deploymentId, sequence: answer.sequence, word }
    : undefined;
}

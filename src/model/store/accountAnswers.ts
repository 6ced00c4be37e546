import { accountWord, contradicts, works } from '../findings/accountReadings.js';
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
  private readonly shared = new Map<string, Holders>();

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
  newestWord(accountId: string): string | undefined {
    return this.shared.get(accountId)?.newest?.word;
  }

  /** What this deployment's last answer says of an account. */
  wordIn(deploymentId: string, accountId: string): string | undefined {
    return wordOf(this.answers.get(deploymentId), accountId);
  }

  /** Another number after the newest answer about an account contradicts one that it did not contradict before. */
  versionOf(accountId: string): number {
    return this.shared.get(accountId)?.version ?? 0;
  }

  /** The deployments whose last answer about an account the newest one contradicts. */
  contradictedHolders(accountId: string): readonly string[] {
    return this.shared.get(accountId)?.contradicted() ?? [];
  }

  /** Whether the newest answer about an account contradicts any other one. */
  isDisputed(accountId: string): boolean {
    return this.shared.get(accountId)?.isDisputed === true;
  }

  /** The accounts of this deployment of which not all last answers say the same. */
  disputedAccounts(deploymentId: string): readonly string[] {
    const accounts = Array.from(this.accountsIn(deploymentId));
    return accounts.filter((account) => this.isDisputed(account));
  }

  /** The accounts about which the newest answer contradicts this deployment's last one. */
  contradictedAccounts(deploymentId: string): readonly string[] {
    const accounts = Array.from(this.accountsIn(deploymentId));
    return accounts.filter((account) => this.isContradicted(deploymentId, account));
  }

  isContradicted(deploymentId: string, accountId: string): boolean {
    const holders = this.shared.get(accountId);
    if (holders === undefined || holders.areAgreed) return false;
    const own = this.wordIn(deploymentId, accountId);
    return own !== undefined && holders.contradicts(own);
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
    const accounts = [...(before?.findings.accountsById.keys() ?? []), ...this.accountsIn(deploymentId)];
    for (const account of new Set(accounts)) {
      const holders = this.holdersBeside(deploymentId, account);
      if (holders === undefined) continue;
      const verdict = holders.verdict;
      holders.replace(deploymentId, wordOf(before, account), newestOf(deploymentId, answer, account));
      if (holders.verdict === verdict) continue;
      for (const holder of holders.all()) changed.add(holder);
    }
    return changed;
  }

  /** Returns all that have the account, `undefined` if no other deployment than this one has it. */
  private holdersBeside(deploymentId: string, account: string): Holders | undefined {
    const holders = this.shared.get(account);
    if (holders) return holders;
    const only = this.onlyHolders.get(account);
    if (only === undefined || only === deploymentId) {
      if (this.answers.get(deploymentId)?.findings.accountsById.has(account))
        this.onlyHolders.set(account, deploymentId);
      else this.onlyHolders.delete(account);
      return undefined;
    }
    const made = new Holders(this.answers);
    made.replace(only, undefined, newestOf(only, this.answers.get(only), account));
    this.onlyHolders.delete(account);
    this.shared.set(account, made);
    return made;
  }
}

/** The deployments that share one account, by what their answers say of it. */
class Holders {
  newest: Newest | undefined;
  version = 0;
  private readonly byWord = new Map<string, Set<string>>();

  constructor(private readonly answers: ReadonlyMap<string, LastAnswer>) {}

  /** Whether all say the same. */
  get areAgreed(): boolean {
    return this.byWord.size < 2;
  }

  /** Another one when other deployments are contradicted. */
  get verdict(): string | undefined {
    if (this.areAgreed) return undefined;
    return this.newest?.word === works || !this.hasManyErrors ? this.newest?.word : 'failed with many errors';
  }

  /** Whether the newest answer contradicts any of them. */
  get isDisputed(): boolean {
    for (const word of this.byWord.keys()) if (this.contradicts(word)) return true;
    return false;
  }

  private get hasManyErrors(): boolean {
    return this.byWord.size > maxErrors;
  }

  *all(): Iterable<string> {
    for (const ids of this.byWord.values()) yield* ids;
  }

  /** Whether the newest answer contradicts one that says this. */
  contradicts(word: string): boolean {
    const { newest } = this;
    if (newest === undefined || !contradicts(word, newest.word)) return false;
    return word === works || newest.word === works || !this.hasManyErrors;
  }

  contradicted(): readonly string[] {
    const { newest } = this;
    if (newest === undefined || this.areAgreed) return [];
    if (newest.word !== works && this.hasManyErrors) return [...(this.byWord.get(works) ?? [])];
    const others = Array.from(this.byWord).filter(([word]) => this.contradicts(word));
    return others.flatMap(([, ids]) => [...ids]);
  }

  /** `before`: what this deployment said. `after`: what it says now, if it still has the account and says how it is. */
  replace(deploymentId: string, before: string | undefined, after: Newest | undefined): void {
    const { newest } = this;
    if (before !== undefined) this.remove(deploymentId, before);
    if (after) this.add(deploymentId, after.word);
    if (after && after.sequence >= (this.newest?.sequence ?? -Infinity)) this.newest = after;
    else if (newest?.deploymentId === deploymentId) this.newest = this.findNewest();
    if (this.newest?.word !== newest?.word || (after && this.contradicts(after.word))) this.version++;
  }

  private add(deploymentId: string, word: string): void {
    const ids = this.byWord.get(word) ?? new Set();
    this.byWord.set(word, ids.add(deploymentId));
  }

  private remove(deploymentId: string, word: string): void {
    const ids = this.byWord.get(word);
    ids?.delete(deploymentId);
    if (ids?.size === 0) this.byWord.delete(word);
  }

  private findNewest(): Newest | undefined {
    let newest: Newest | undefined;
    for (const [word, ids] of this.byWord) {
      for (const deploymentId of ids) {
        const sequence = this.answers.get(deploymentId)?.sequence ?? 0;
        if (newest === undefined || sequence > newest.sequence) newest = { deploymentId, sequence, word };
      }
    }
    return newest;
  }
}

function wordOf(answer: LastAnswer | undefined, account: string): string | undefined {
  const finding = answer?.findings.accountsById.get(account);
  return answer && finding && accountWord(finding, answer.findings);
}

function newestOf(deploymentId: string, answer: LastAnswer | undefined, account: string): Newest | undefined {
  const word = wordOf(answer, account);
  return answer && word !== undefined ? { deploymentId, sequence: answer.sequence, word } : undefined;
}

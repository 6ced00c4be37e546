import { accountClaim, contradicts, works } from '../findings/accountReadings.js';
import type { LastAnswer } from '../findings/deployment.js';

/**
 * An account with more different errors has codes that the platform makes anew for each answer, so
 * that a different code is no contradiction.
 */
const maxErrors = 20;

/** What one answer claims of an account. */
interface ClaimingAnswer {
  readonly deploymentId: string;
  /** The answer with the highest number is the newest. */
  readonly sequence: number;
  /** As `accountClaim` makes it: "works", "failed: token_revoked". */
  readonly claim: string;
}

/**
 * What the last answers of all deployments claim of the accounts that they share. The store passes
 * each answer to it, and asks which deployments contradict the newest answer about an account.
 */
export class AccountAnswers {
  /** The last answers by deployment ID. */
  private readonly answers = new Map<string, LastAnswer>();
  /** By deployment ID: how many refreshes had ended when its last answer came. */
  private readonly refreshNumbers = new Map<string, number>();
  private endedRefreshCount = 0;
  /** By account ID, for accounts that only one deployment has: the ID of this deployment. */
  private readonly onlyHolders = new Map<string, string>();
  /** By account ID, for accounts that several deployments have or had. */
  private readonly shared = new Map<string, SharedAnswers>();

  /**
   * Takes a deployment's new answer. Returns the IDs of the deployments that share an account with
   * it, if the newest answer about that account contradicts other claims than before.
   */
  take(deploymentId: string, answer: LastAnswer): ReadonlySet<string> {
    this.refreshNumbers.set(deploymentId, this.endedRefreshCount);
    return this.replace(deploymentId, answer);
  }

  endRefresh(): void {
    this.endedRefreshCount += 1;
  }

  forget(deploymentIds: readonly string[]): void {
    for (const id of deploymentIds) {
      this.refreshNumbers.delete(id);
      this.replace(id, undefined);
    }
  }

  forgetAll(): void {
    this.answers.clear();
    this.refreshNumbers.clear();
    this.onlyHolders.clear();
    this.shared.clear();
  }

  /** Returns the IDs of the accounts in this deployment's last answer. */
  accountsIn(deploymentId: string): Iterable<string> {
    return this.answers.get(deploymentId)?.findings.accountsById.keys() ?? [];
  }

  /**
   * Returns the ID of the deployment with the newest answer about an account, or of the only one
   * that has it; `undefined` if none has it, or if no answer of several says whether it works.
   */
  newestHolder(accountId: string): string | undefined {
    return this.shared.get(accountId)?.newest?.deploymentId ?? this.onlyHolders.get(accountId);
  }

  /** Returns what the newest answer claims of an account that several deployments have. */
  newestClaim(accountId: string): string | undefined {
    return this.shared.get(accountId)?.newest?.claim;
  }

  /**
   * Returns what this deployment's last answer claims of an account; `undefined` if that is
   * unknown.
   */
  claimIn(deploymentId: string, accountId: string): string | undefined {
    return claimOf(this.answers.get(deploymentId), accountId);
  }

  /**
   * Returns a number that grows when the newest answer about an account may contradict more
   * deployments.
   */
  contradictionVersion(accountId: string): number {
    return this.shared.get(accountId)?.contradictionVersion ?? 0;
  }

  /** Returns whether the newest answer about an account contradicts any other answer. */
  isDisputed(accountId: string): boolean {
    return this.shared.get(accountId)?.isDisputed === true;
  }

  /** Returns the IDs of this deployment's accounts about which answers contradict each other. */
  disputedAccounts(deploymentId: string): readonly string[] {
    return Array.from(this.accountsIn(deploymentId)).filter((account) => this.isDisputed(account));
  }

  /**
   * Returns the IDs of the deployments whose claim about an account the newest answer contradicts.
   * Goes through all deployments.
   */
  contradictedHolders(accountId: string): readonly string[] {
    if (!this.isDisputed(accountId)) return [];
    return Array.from(this.answers.keys()).filter((id) => this.isContradicted(id, accountId));
  }

  /** Returns whether the newest answer about an account contradicts this deployment's claim. */
  isContradicted(deploymentId: string, accountId: string): boolean {
    const answers = this.shared.get(accountId);
    if (answers === undefined || answers.areAgreed) return false;
    const claim = this.claimIn(deploymentId, accountId);
    return claim !== undefined && answers.contradicts(claim);
  }

  /**
   * Returns whether the newest answer about an account contradicts this deployment's claim and came
   * in a later refresh. Two answers of one refresh are both current, although they claim different
   * things.
   */
  isOutdated(deploymentId: string, accountId: string): boolean {
    if (!this.isContradicted(deploymentId, accountId)) return false;
    const newestHolder = this.newestHolder(accountId) ?? '';
    return this.refreshNumberOf(deploymentId) < this.refreshNumberOf(newestHolder);
  }

  private refreshNumberOf(deploymentId: string): number {
    return this.refreshNumbers.get(deploymentId) ?? 0;
  }

  /** `answer`: `undefined` if the deployment is forgotten. Returns what `take` returns. */
  private replace(deploymentId: string, answer: LastAnswer | undefined): ReadonlySet<string> {
    const before = this.answers.get(deploymentId);
    if (answer) this.answers.set(deploymentId, answer);
    else this.answers.delete(deploymentId);

    const accountIds = new Set(this.accountsIn(deploymentId));
    if (before) for (const id of before.findings.accountsById.keys()) accountIds.add(id);
    const changed = new Set<string>();
    for (const accountId of accountIds) {
      if (!this.update(accountId, deploymentId, before)) continue;
      for (const holder of this.holdersOf(accountId)) changed.add(holder);
    }
    return changed;
  }

  /**
   * Updates what is known of one account after a deployment's answer was replaced. `before`: the
   * answer that the deployment had. Returns whether the newest answer contradicts other claims than
   * before.
   */
  private update(accountId: string, deploymentId: string, before: LastAnswer | undefined): boolean {
    const answers = this.sharedAnswers(deploymentId, accountId);
    if (answers === undefined) return false;
    const { verdict: verdictBefore, newest: newestBefore } = answers;
    const after = claimingAnswer(deploymentId, this.answers.get(deploymentId), accountId);
    answers.replace(claimOf(before, accountId), after);

    const wasNewest = newestBefore?.deploymentId === deploymentId;
    if (wasNewest && answers.newest !== after) answers.newest = this.findNewest(accountId);
    answers.noteNewest(newestBefore, after);
    return answers.verdict !== verdictBefore;
  }

  /**
   * Returns what is known of an account that several deployments have. For an account of this
   * deployment alone, notes just that, and returns `undefined`: most accounts are not shared, and
   * so cost little.
   */
  private sharedAnswers(deploymentId: string, accountId: string): SharedAnswers | undefined {
    const shared = this.shared.get(accountId);
    if (shared) return shared;

    const onlyHolder = this.onlyHolders.get(accountId);
    if (onlyHolder === undefined || onlyHolder === deploymentId) {
      const isHeld = this.answers.get(deploymentId)?.findings.accountsById.has(accountId) === true;
      if (isHeld) this.onlyHolders.set(accountId, deploymentId);
      else this.onlyHolders.delete(accountId);
      return undefined;
    }

    // A second deployment has the account.
    const created = new SharedAnswers();
    const answer = claimingAnswer(onlyHolder, this.answers.get(onlyHolder), accountId);
    created.replace(undefined, answer);
    this.onlyHolders.delete(accountId);
    this.shared.set(accountId, created);
    return created;
  }

  /** Returns the IDs of the deployments that have the account. */
  private holdersOf(accountId: string): readonly string[] {
    const holders: string[] = [];
    for (const [id, { findings }] of this.answers) {
      if (findings.accountsById.has(accountId)) holders.push(id);
    }
    return holders;
  }

  private findNewest(accountId: string): ClaimingAnswer | undefined {
    let newest: ClaimingAnswer | undefined;
    for (const [id, answer] of this.answers) {
      const found = claimingAnswer(id, answer, accountId);
      if (found === undefined) continue;
      if (newest === undefined || found.sequence > newest.sequence) newest = found;
    }
    return newest;
  }
}

/** What the last answers claim of one account: how many answers claim what, but not which. */
class SharedAnswers {
  /** `undefined` if no answer says whether the account works. */
  newest: ClaimingAnswer | undefined;
  /** Grows when the newest answer may contradict more deployments. */
  contradictionVersion = 0;
  /** By claim: how many answers make it. */
  private readonly counts = new Map<string, number>();

  /** Whether all answers claim the same. */
  get areAgreed(): boolean {
    return this.counts.size < 2;
  }

  /**
   * The newest claim while there are others, or "failed with many errors" for all its errors alike.
   * Differs once the newest answer contradicts other claims.
   */
  get verdict(): string | undefined {
    if (this.areAgreed) return undefined;
    const newestClaim = this.newest?.claim;
    const isOneOfManyErrors = newestClaim !== works && this.hasManyErrors;
    return isOneOfManyErrors ? 'failed with many errors' : newestClaim;
  }

  /** Whether the newest answer contradicts any of the others. */
  get isDisputed(): boolean {
    if (this.areAgreed) return false;
    for (const claim of this.counts.keys()) if (this.contradicts(claim)) return true;
    return false;
  }

  /** Whether there are more different claims than are worth comparing. */
  private get hasManyErrors(): boolean {
    return this.counts.size > maxErrors;
  }

  /** Returns whether the newest answer contradicts this claim. */
  contradicts(claim: string): boolean {
    const { newest } = this;
    if (newest === undefined || !contradicts(claim, newest.claim)) return false;
    const areBothErrors = claim !== works && newest.claim !== works;
    return !areBothErrors || !this.hasManyErrors;
  }

  /**
   * `claimBefore`: what one deployment claimed. `after`: what it claims now; `undefined` if its
   * answer does not have the account or does not say whether it works.
   */
  replace(claimBefore: string | undefined, after: ClaimingAnswer | undefined): void {
    if (claimBefore !== after?.claim) {
      if (claimBefore !== undefined) this.count(claimBefore, -1);
      if (after) this.count(after.claim, 1);
    }
    const newestSequence = this.newest?.sequence ?? -Infinity;
    if (after && after.sequence >= newestSequence) this.newest = after;
  }

  /** Called after a change, with the newest answer before it and the answer that arrived. */
  noteNewest(newestBefore: ClaimingAnswer | undefined, arrived: ClaimingAnswer | undefined): void {
    const hasNewClaim = this.newest?.claim !== newestBefore?.claim;
    const isArrivedContradicted = arrived !== undefined && this.contradicts(arrived.claim);
    if (hasNewClaim || isArrivedContradicted) this.contradictionVersion += 1;
  }

  private count(claim: string, change: 1 | -1): void {
    const count = (this.counts.get(claim) ?? 0) + change;
    if (count === 0) this.counts.delete(claim);
    else this.counts.set(claim, count);
  }
}

/** `undefined` if the answer does not have the account, or does not say whether it works. */
function claimOf(answer: LastAnswer | undefined, accountId: string): string | undefined {
  const finding = answer?.findings.accountsById.get(accountId);
  if (answer === undefined || finding === undefined) return undefined;
  return accountClaim(finding, answer.findings);
}

/** `undefined` if the answer does not have the account, or does not say whether it works. */
function claimingAnswer(
  deploymentId: string,
  answer: LastAnswer | undefined,
  accountId: string,
): ClaimingAnswer | undefined {
  const claim = claimOf(answer, accountId);
  if (answer === undefined || claim === undefined) return undefined;
  return { deploymentId, sequence: answer.sequence, claim };
}

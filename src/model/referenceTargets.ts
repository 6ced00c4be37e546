import type { Account } from '../api/deploymentAuthorization.js';
import type { Deployment, ReadAnswer } from './deployment.js';
import type { AccountFinding, Problem } from './findings.js';

/** An account as the newest answer that has it says, whichever deployment that was asked for. */
export interface KnownAccount {
  readonly deployment: Deployment;
  readonly finding: AccountFinding;
}

/** What a reference stands for. One id can be both. */
export interface ReferenceTarget {
  readonly deployment?: Deployment;
  readonly account?: KnownAccount;
}

export interface ReferencedProblem {
  readonly deployment: Deployment;
  readonly problem: Problem;
}

/** Shorter account ids would be found in any text. */
const shortestAccountId = 4;

/** The newest answer that has an account. */
interface Source {
  readonly deploymentId: string;
  readonly answer: ReadAnswer;
  readonly account: Account;
}

/** What the known ids mean, from the last state of the store that it was given. */
export class ReferenceTargets {
  private deployments: ReadonlyMap<string, Deployment> = new Map();
  private accounts = new Map<string, Source>();

  constructor(deployments: readonly Deployment[]) {
    this.update(deployments);
  }

  /** Takes over a later state, looking only at answers that are new. Whether there are other ids now. */
  update(deployments: readonly Deployment[]): boolean {
    const before = this.deployments;
    const now = new Map<string, Deployment>();
    let changed = false;
    let lost = false;
    for (const deployment of deployments) {
      const { id, answer } = deployment;
      now.set(id, deployment);
      const old = before.get(id);
      if (old === undefined) changed = true;
      if (old?.answer === answer) continue;
      if (this.takeIn(deployment)) changed = true;
      // An account that the newer answer no longer has may still be in another, older one.
      if (old?.answer?.authorization.accounts.some((account) => this.sourceOf(account)?.answer === old.answer))
        lost = true;
    }
    this.deployments = now;
    for (const id of before.keys()) if (!now.has(id)) lost = true;
    if (!lost) return changed;
    this.accounts = new Map();
    for (const deployment of deployments) this.takeIn(deployment);
    return true;
  }

  /** Every id that is a reference where it stands. */
  *ids(): Generator<string> {
    yield* this.deployments.keys();
    for (const id of this.accounts.keys()) if (!this.deployments.has(id)) yield id;
  }

  /** Whether an index of earlier targets still finds what these mean. */
  haveIds(ids: ReadonlySet<string>): boolean {
    let count = 0;
    for (const id of this.ids()) {
      if (!ids.has(id)) return false;
      count++;
    }
    return count === ids.size;
  }

  of(id: string): ReferenceTarget {
    const deployment = this.deployments.get(id);
    const account = this.accountOf(id);
    return { ...(deployment && { deployment }), ...(account && { account }) };
  }

  /** All problems of a deployment; of an account its own, once. */
  problemsOf(id: string): readonly ReferencedProblem[] {
    const { deployment, account } = this.of(id);
    const problems = deployment?.answer?.findings.problems ?? [];
    const found: ReferencedProblem[] =
      deployment === undefined ? [] : problems.map((problem) => ({ deployment, problem }));
    const own = account?.finding.problem;
    if (account === undefined || own === undefined || problems.includes(own)) return found;
    return [...found, { deployment: account.deployment, problem: own }];
  }

  private takeIn(deployment: Deployment): boolean {
    const { id: deploymentId, answer } = deployment;
    if (answer === undefined) return false;
    let changed = false;
    for (const account of answer.authorization.accounts) {
      const { id } = account;
      if (id === undefined || isTooShort(id)) continue;
      const source = this.accounts.get(id);
      if (source === undefined) changed = true;
      else if (source.deploymentId === deploymentId) {
        // Of two with one id the first, as everywhere.
        if (source.answer === answer) continue;
      } else if (source.answer.receivedAt >= answer.receivedAt) continue;
      this.accounts.set(id, { deploymentId, answer, account });
    }
    return changed;
  }

  private sourceOf({ id }: Account): Source | undefined {
    return id === undefined ? undefined : this.accounts.get(id);
  }

  private accountOf(id: string): KnownAccount | undefined {
    const source = this.accounts.get(id);
    const deployment = source && this.deployments.get(source.deploymentId);
    const finding = source?.answer.findings.accounts.find(({ account }) => account === source.account);
    return deployment && finding && { deployment, finding };
  }
}

/** By character; a long string has enough of them. */
function isTooShort(id: string): boolean {
  return id.length < 2 * shortestAccountId && Array.from(id).length < shortestAccountId;
}

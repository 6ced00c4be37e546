import type { Deployment } from './deployment.js';
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

/** What the known ids mean, from one state of the store. */
export class ReferenceTargets {
  private readonly deployments = new Map<string, Deployment>();
  private readonly accounts = new Map<string, KnownAccount>();

  constructor(deployments: readonly Deployment[]) {
    for (const deployment of deployments) {
      this.deployments.set(deployment.id, deployment);
      const { answer } = deployment;
      if (answer === undefined) continue;
      for (const finding of answer.findings.accounts) {
        const { id } = finding.account;
        if (id === undefined || isTooShort(id)) continue;
        const known = this.accounts.get(id)?.deployment.answer;
        if (known === undefined || known.receivedAt < answer.receivedAt) this.accounts.set(id, { deployment, finding });
      }
    }
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
    const account = this.accounts.get(id);
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
}

/** By character; a long string has enough of them. */
function isTooShort(id: string): boolean {
  return id.length < 2 * shortestAccountId && Array.from(id).length < shortestAccountId;
}

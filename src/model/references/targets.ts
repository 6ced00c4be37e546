import type { Deployment, DeploymentProblem } from '../deployment.js';
import type { AccountFinding } from '../problems/findings.js';
import { ReferenceIndex } from './referenceIndex.js';

/** An account as the newest answer that has it says, whichever deployment that was asked for. */
interface KnownAccount {
  readonly deployment: Deployment;
  readonly finding: AccountFinding;
}

/** What a reference stands for. One id can be both. */
interface ReferenceTarget {
  readonly deployment?: Deployment | undefined;
  readonly account?: KnownAccount | undefined;
}

/** Account ids of fewer than four characters would be found in any text. */
const tooShort = /^.{0,3}$/su;

export class ReferenceTargets {
  readonly index = new ReferenceIndex();
  private readonly deployments = new Map<string, Deployment>();
  /** By account id: the ids of the deployments whose answer has the account. */
  private readonly holders = new Map<string, Set<string>>();

  constructor(deployments: readonly Deployment[] = []) {
    this.update(deployments);
  }

  /** Reads only what has changed, because there can be thousands of deployments and four updates a second. */
  update(deployments: readonly Deployment[]): void {
    for (const deployment of deployments) this.replace(deployment.id, deployment);
    if (this.deployments.size === deployments.length) return;
    const listed = new Set(deployments.map(({ id }) => id));
    for (const id of this.deployments.keys()) if (!listed.has(id)) this.replace(id, undefined);
  }

  of(id: string): ReferenceTarget {
    return { deployment: this.deployments.get(id), account: this.accountOf(id) };
  }

  /** All problems of a deployment; of an account its own, once. None that are muted. */
  problemsOf(id: string): readonly DeploymentProblem[] {
    const { deployment, account } = this.of(id);
    const problems = deployment?.answer?.findings.problems.map((problem) => ({ deployment, problem })) ?? [];
    const own = account?.finding.problem;
    if (!own || own.mutedUntil !== undefined || problems.some(({ problem }) => problem === own)) return problems;
    return [...problems, { deployment: account.deployment, problem: own }];
  }

  private accountOf(id: string): KnownAccount | undefined {
    let newest: KnownAccount | undefined;
    let newestAt = -Infinity;
    for (const holder of this.holders.get(id) ?? []) {
      const deployment = this.deployments.get(holder);
      const { answer } = deployment ?? {};
      // Of two accounts with one id in the same answer the first counts, which is the worse one.
      const finding = answer?.findings.accounts.find(({ account }) => account.id === id);
      if (!deployment || !answer || !finding || answer.receivedAt <= newestAt) continue;
      newest = { deployment, finding };
      newestAt = answer.receivedAt;
    }
    return newest;
  }

  /** `undefined`: it is no longer listed. */
  private replace(id: string, deployment: Deployment | undefined): void {
    const before = this.deployments.get(id);
    if (deployment === before) return;
    if (deployment) this.deployments.set(id, deployment);
    else this.deployments.delete(id);
    this.index.add(id);
    // A mute and a failed read keep what the service sent.
    if (deployment?.answer?.authorization !== before?.answer?.authorization) {
      const accounts = accountIds(deployment);
      for (const account of accounts) {
        this.holders.set(account, (this.holders.get(account) ?? new Set()).add(id));
        this.index.add(account);
      }
      for (const account of accountIds(before)) if (!accounts.has(account)) this.release(account, id);
    }
    if (!deployment && !this.holders.has(id)) this.index.delete(id);
  }

  /** The deployment no longer has the account. */
  private release(account: string, id: string): void {
    const holders = this.holders.get(account);
    holders?.delete(id);
    if (holders?.size !== 0) return;
    this.holders.delete(account);
    if (!this.deployments.has(account)) this.index.delete(account);
  }
}

function accountIds(deployment: Deployment | undefined): ReadonlySet<string> {
  const ids = deployment?.answer?.findings.accounts.map(({ account }) => account.id ?? '') ?? [];
  return new Set(ids.filter((id) => !tooShort.test(id)));
}

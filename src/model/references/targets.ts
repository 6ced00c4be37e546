import type { Deployment, DeploymentProblem } from '../deployment.js';
import type { AccountFinding } from '../problems/findings.js';
import type { Impact } from '../problems/impact.js';
import type { Store } from '../store/store.js';
import { ReferenceIndex } from './referenceIndex.js';

/** An account as the newest answer that has it says, whichever deployment that was asked for. */
interface KnownAccount {
  readonly deployment: Deployment;
  readonly finding: AccountFinding;
}

/** Account ids of fewer than four characters would be found in any text. */
const tooShort = /^.{0,3}$/su;

interface Known {
  readonly store: Pick<Store, 'deployments' | 'get'>;
  readonly impact: Pick<Impact, 'accountIds' | 'deploymentsWith'>;
}

export class ReferenceTargets {
  readonly index = new ReferenceIndex();

  constructor(private readonly known: Known) {
    this.update();
  }

  update(): void {
    const { store, impact } = this.known;
    const ids = new Set(Array.from(impact.accountIds).filter((id) => !tooShort.test(id)));
    for (const { id } of store.deployments) ids.add(id);
    for (const id of ids) this.index.add(id);
    for (const id of this.index.ids) if (!ids.has(id)) this.index.delete(id);
  }

  /** What a reference stands for. One id can be both. */
  of(id: string) {
    return { deployment: this.known.store.get(id), account: tooShort.test(id) ? undefined : this.accountOf(id) };
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
    for (const deployment of this.known.impact.deploymentsWith(id)) {
      const { answer } = deployment;
      const finding = answer?.findings.accountsById.get(id);
      if (!answer || !finding || answer.receivedAt <= newestAt) continue;
      newest = { deployment, finding };
      newestAt = answer.receivedAt;
    }
    return newest;
  }
}

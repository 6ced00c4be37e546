import type { DeploymentProblem } from '../findings/deployment.js';
import { countedProblems, type Mutes } from '../findings/state.js';
import type { Impact } from '../problems/impact.js';
import type { Store } from '../store/store.js';
import { ReferenceIndex } from './referenceIndex.js';

/** Account ids of fewer than four characters would be found in any text. */
const tooShort = /^.{0,3}$/su;

interface Known {
  readonly store: Pick<Store, 'deployments' | 'get'>;
  readonly impact: Pick<Impact, 'accountIds' | 'newestReading'>;
  readonly memory: Mutes;
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
    return {
      deployment: this.known.store.get(id),
      account: tooShort.test(id) ? undefined : this.known.impact.newestReading(id),
    };
  }

  /** All problems of a deployment; of an account its own, once. None that are muted. */
  problemsOf(id: string): readonly DeploymentProblem[] {
    const { deployment, account } = this.of(id);
    const { memory } = this.known;
    const counted = countedProblems(deployment?.answer?.findings, memory);
    const problems = deployment ? counted.map((problem) => ({ deployment, problem })) : [];
    const own = account?.finding.problem;
    const isMuted = own !== undefined && memory.mutedUntil(own) !== undefined;
    if (!own || isMuted || problems.some(({ problem }) => problem === own)) return problems;
    return [...problems, { deployment: account.deployment, problem: own }];
  }
}

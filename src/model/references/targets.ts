import { type AccountReading, readingOf } from '../findings/accountReadings.js';
import { type Deployment, type DeploymentProblem, isUnreadable } from '../findings/deployment.js';
import { type Mutes, unmutedProblems } from '../findings/state.js';
import { type Impact, newestOf } from '../problems/impact.js';
import type { Store } from '../store/store.js';
import { ReferenceIndex } from './referenceIndex.js';

/** Account IDs of fewer than four characters would be found in any text. */
const tooShort = /^.{0,3}$/su;

interface TargetSources {
  readonly store: Pick<Store, 'deployments' | 'get'>;
  readonly impact: Pick<Impact, 'accountIds' | 'deploymentsWith' | 'newestReading'>;
  readonly memory: Mutes;
}

/** What an ID stands for. One ID can be that of a deployment and of an account. */
export interface ReferenceTarget {
  /** The listed deployment with this ID. */
  readonly deployment: Deployment | undefined;
  /**
   * What the newest answer says of the account with this ID; of an account that is muted there, but
   * not in every deployment, the newest answer where it is not muted.
   */
  readonly account: AccountReading | undefined;
}

/**
 * Keeps the index of references in step with the listed deployments and their accounts. The
 * features of editors and terminals ask it what a reference stands for, and which problems that
 * has.
 */
export class ReferenceTargets {
  readonly index = new ReferenceIndex();

  constructor(private readonly sources: TargetSources) {
    this.update();
  }

  /**
   * Adds the IDs of all listed deployments and of their accounts to the index, and deletes all
   * others.
   */
  update(): void {
    const { store, impact } = this.sources;
    const ids = new Set<string>();
    for (const id of impact.accountIds) {
      if (!tooShort.test(id)) ids.add(id);
    }
    for (const { id } of store.deployments) ids.add(id);

    for (const id of ids) this.index.add(id);
    for (const id of this.index.ids) {
      if (!ids.has(id)) this.index.delete(id);
    }
  }

  targetOf(id: string): ReferenceTarget {
    return {
      deployment: this.sources.store.get(id),
      account: tooShort.test(id) ? undefined : this.accountReading(id),
    };
  }

  /** Returns `ReferenceTarget.account`. */
  private accountReading(id: string): AccountReading | undefined {
    const { impact } = this.sources;
    const newest = impact.newestReading(id);
    const isMuted = newest?.finding.problem !== undefined && !this.counts(newest);
    if (!isMuted) return newest;
    const readings = impact
      .deploymentsWith(id)
      .flatMap((deployment) => readingOf(deployment, id) ?? []);
    const counting = readings.filter((reading) => this.counts(reading));
    return counting.length > 0 ? newestOf(counting) : newest;
  }

  /** Whether the account has failed by this reading, and is not muted in its deployment. */
  private counts({ deployment, finding: { problem } }: AccountReading): boolean {
    if (problem === undefined || isUnreadable(deployment)) return false;
    return this.sources.memory.muteOf(problem) === undefined;
  }

  /**
   * Returns all problems of a deployment, and the problem of an account itself, each once and
   * without muted ones.
   */
  problemsOf(id: string): readonly DeploymentProblem[] {
    const { deployment, account } = this.targetOf(id);
    const { memory } = this.sources;
    const counted = unmutedProblems(deployment?.answer?.findings, memory);
    const problems = deployment ? counted.map((problem) => ({ deployment, problem })) : [];

    const accountProblem = account?.finding.problem;
    if (account === undefined || accountProblem === undefined) return problems;
    const isMuted = memory.muteOf(accountProblem) !== undefined;
    const isListed = problems.some(({ problem }) => problem === accountProblem);
    if (isMuted || isListed) return problems;
    return [...problems, { deployment: account.deployment, problem: accountProblem }];
  }
}

import type { Verdict } from '../circuitBreaker.js';
import type { Deployment } from '../findings/deployment.js';
import type { Listing } from './listing.js';

/** What the end of a read changes in a deployment. */
export type Shown = Pick<Deployment, 'state' | 'failedRead'>;

/** A deployment whose failure is undecided. */
interface Undecided {
  /** What the deployment showed before it failed. */
  readonly before: Shown;
  /** What the deployment shows if the failure concerns it alone. */
  readonly ifSeparate: Shown;
}

/**
 * Decides what deployments show whose last read failed; the store asks it at the end of each read.
 * A deployment keeps what it showed before while its failure is undecided and while all deployments
 * fail for one cause.
 */
export class ShownFailures {
  /** By deployment ID. */
  private readonly undecided = new Map<string, Undecided>();

  constructor(private readonly listing: Pick<Listing, 'get'>) {}

  /**
   * Takes the verdict on the end of a read. Returns by deployment ID what deployments show from now
   * on. `failedRead`: what this deployment shows as its failure if the failure concerns it alone.
   */
  take(
    id: string,
    { scope, decided }: Verdict,
    failedRead?: Shown['failedRead'],
  ): ReadonlyMap<string, Shown> {
    const { undecided } = this;
    const ifSeparate: Shown = { state: 'unknown', failedRead };
    const before = undecided.get(id)?.before ?? this.listing.get(id);
    const shown = new Map<string, Shown>();

    if (decided === 'separate') {
      for (const [otherId, other] of undecided) shown.set(otherId, other.ifSeparate);
      shown.delete(id);
    }
    // When a shared cause is over, the schedule reads the deployments again, and until then they
    // show what they did.
    if (decided === 'separate' || decided === 'over') undecided.clear();

    if (scope === 'deployment') shown.set(id, ifSeparate);
    if (scope === 'undecided' && before) undecided.set(id, { before, ifSeparate });

    if (decided === 'shared') {
      // A refresh that ended before may have left some of these as unknown.
      for (const [otherId, other] of undecided) shown.set(otherId, other.before);
    }
    return shown;
  }

  /**
   * At the end of a refresh that found no shared cause. Returns by deployment ID what the
   * deployments show whose failures were undecided.
   */
  endRefresh(): ReadonlyMap<string, Shown> {
    const shown = new Map<string, Shown>();
    for (const [id, { ifSeparate }] of this.undecided) shown.set(id, ifSeparate);
    return shown;
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.undecided.delete(id);
  }
}

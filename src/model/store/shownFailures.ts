import type { Verdict } from '../circuitBreaker.js';
import type { Deployment } from '../findings/deployment.js';
import type { Listing } from './listing.js';

export type Shown = Pick<Deployment, 'state' | 'failedRead'>;

/**
 * Says what deployments show that have failed. While their failures may be those of all, and where they are,
 * each shows what it did before.
 */
export class ShownFailures {
  /** What a deployment whose failure is undecided showed before, and what it shows if the failure is its own. */
  private readonly undecided = new Map<string, { readonly before: Shown; readonly own: Shown }>();

  constructor(private readonly listing: Pick<Listing, 'get'>) {}

  /**
   * Takes the verdict on the end of a read. Returns what deployments show now that showed something else.
   * `failed`: what this deployment shows as its failure, if it is its own.
   */
  take(
    id: string,
    { failure, decided }: Verdict,
    failed?: Shown['failedRead'],
  ): ReadonlyMap<string, Shown> {
    const { undecided } = this;
    const own: Shown = { state: 'unknown', failedRead: failed };
    const before = undecided.get(id)?.before ?? this.listing.get(id);
    const shown = new Map<string, Shown>();
    if (decided === 'own') {
      for (const [other, one] of undecided) shown.set(other, one.own);
      shown.delete(id);
    }
    // When a failure of all is over, all are read again, and until then show what they did.
    if (decided === 'own' || decided === 'over') undecided.clear();
    if (failure === 'own') shown.set(id, own);
    if (failure === 'undecided' && before) undecided.set(id, { before, own });
    if (decided === 'shared') {
      // Also those that a refresh has left as unknown.
      for (const [other, one] of undecided) shown.set(other, one.before);
    }
    return shown;
  }

  /** At the end of a refresh: what failed in it and is not for all is the deployment's own. */
  settle(): ReadonlyMap<string, Shown> {
    return new Map(Array.from(this.undecided, ([id, { own }]) => [id, own]));
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) this.undecided.delete(id);
  }
}

import type { Failure } from '../../api/failure.js';
import type { Disposable } from '../emitter.js';
import type { Clock } from '../time.js';

/** A cause that holds for the whole organization, and that the tree's first row tells. */
export type OrganizationCause =
  | { readonly kind: 'failure'; readonly failure: Failure; readonly at: number }
  /** `until`: epoch ms. */
  | { readonly kind: 'paused'; readonly until: number };

/** Ms. No pause is longer. */
const longestPause = 10 * 60_000;
/** So many failures in a row, with nothing else in between, concern the organization and not one deployment. */
const inARow = { tokenRejected: 3, unreachable: 20 } as const;

/**
 * What holds for the whole organization, judged from its reads as they end. A rejected token counts at once, unless other
 * reads of the same refresh were answered with that very token; then it takes three in a row. It ends with the next
 * answer. "Unreachable" holds while nothing but that comes of reads; any answer with a status ends it. A pause ends when its
 * time is over, and with the first request that leaves the queue.
 */
export class Causes implements Disposable {
  private failure: Extract<OrganizationCause, { kind: 'failure' }> | undefined;
  private pause: Extract<OrganizationCause, { kind: 'paused' }> | undefined;
  private timer: Disposable | undefined;
  private row: { kind: keyof typeof inARow; count: number } | undefined;
  private refresh: { answered: boolean } | undefined;

  /** `changed` is called when a pause begins and when it is over. */
  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {}

  get current(): OrganizationCause | undefined {
    const { failure, pause } = this;
    // The pause may be over before its timer fires, which stands still while the machine sleeps.
    const isPaused = pause !== undefined && pause.until > this.clock.now();
    return isPaused && failure?.failure.kind !== 'tokenRejected' ? pause : failure;
  }

  /** Every further read of this refresh would end the same way. */
  get hopeless(): boolean {
    return this.row !== undefined && this.row.count >= inARow[this.row.kind];
  }

  /** A refresh of many begins, or is over. */
  refreshing(runs: boolean): void {
    this.refresh = runs ? { answered: false } : undefined;
    this.row = undefined;
  }

  answered(): void {
    if (this.refresh !== undefined) this.refresh.answered = true;
    this.row = undefined;
    this.failure = undefined;
  }

  failed(failure: Failure): void {
    const { kind } = failure;
    const mayBeShared = kind === 'tokenRejected' || kind === 'unreachable';
    if (!mayBeShared && !('status' in failure)) return;
    this.row = mayBeShared ? { kind, count: this.row?.kind === kind ? this.row.count + 1 : 1 } : undefined;
    const alone = kind === 'tokenRejected' && this.refresh?.answered === true && !this.hopeless;
    if (mayBeShared && !alone) this.failure = { kind: 'failure', failure, at: this.clock.now() };
    else if (this.failure?.failure.kind === 'unreachable') this.failure = undefined;
  }

  /** A 429 holds the organization. The last one told replaces the one before. */
  paused(until: number): void {
    const left = until - this.clock.now();
    if (until === this.pause?.until || left <= 0) return;
    this.timer?.dispose();
    this.pause = { kind: 'paused', until };
    // A timer ends it too, because the wall clock may be set back.
    this.timer = this.clock.setTimer(() => this.resumed(), Math.min(left, longestPause));
    this.changed();
  }

  /** Nothing holds the organization any more. */
  resumed(): void {
    if (this.pause === undefined) return;
    this.pause = undefined;
    this.changed();
  }

  dispose(): void {
    this.timer?.dispose();
  }
}

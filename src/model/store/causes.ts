import type { Failure } from '../../api/failure.js';

/** A cause that holds for the whole organization, and that the tree's first row tells. */
export type OrganizationCause =
  | { readonly kind: 'failure'; readonly failure: Failure; readonly at: number }
  /** `until`: epoch ms. */
  | { readonly kind: 'paused'; readonly until: number };

/** So many failures in a row, with nothing else in between, and the refresh is given up: all others would fail, too. */
const inARow = { tokenRejected: 3, unreachable: 20 } as const;

/**
 * What holds for the whole organization, judged from its reads as they end. It counts at once, unless other reads of the same refresh
 * were answered; then it takes some in a row. A rejected token ends with the next answer, "unreachable" with any status.
 */
export class Causes {
  failure: Extract<OrganizationCause, { kind: 'failure' }> | undefined;
  private pause: Extract<OrganizationCause, { kind: 'paused' }> | undefined;
  private row: { kind: keyof typeof inARow; count: number } | undefined;
  /** An answer came since the refresh began. */
  private hasAnswer = false;

  constructor(private readonly now: () => number) {}

  /** `pausedUntil`: epoch ms, if a 429 holds the organization now. */
  current(pausedUntil: number | undefined): OrganizationCause | undefined {
    if (pausedUntil === undefined || this.failure?.failure.kind === 'tokenRejected') return this.failure;
    // One object for one pause, so that its row is not drawn anew all the time.
    if (this.pause?.until !== pausedUntil) this.pause = { kind: 'paused', until: pausedUntil };
    return this.pause;
  }

  /** Every further read of this refresh would end the same way. */
  get hopeless(): boolean {
    return this.row !== undefined && this.row.count >= inARow[this.row.kind];
  }

  /** A refresh is over. */
  refreshed(): void {
    this.hasAnswer = false;
    this.row = undefined;
  }

  answered(): void {
    this.hasAnswer = true;
    this.row = undefined;
    this.failure = undefined;
  }

  failed(failure: Failure): void {
    const { kind } = failure;
    const mayBeShared = kind === 'tokenRejected' || kind === 'unreachable';
    if (!mayBeShared && !('status' in failure)) return;
    this.row = mayBeShared ? { kind, count: this.row?.kind === kind ? this.row.count + 1 : 1 } : undefined;
    const alone = this.hasAnswer && !this.hopeless;
    if (mayBeShared && !alone) this.failure = { kind: 'failure', failure, at: this.now() };
    else if (this.failure?.failure.kind === 'unreachable') this.failure = undefined;
  }
}

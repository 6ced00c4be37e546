import type { Failure } from '../../api/failure.js';
import type { Deployment, LastAnswer } from '../deployment.js';
import { type Disposable, Emitter } from '../emitter.js';
import type { Store } from '../store/store.js';
import type { Clock } from '../time.js';
import type { Finding, Findings, Problem } from './findings.js';

/** A read follows the one before after a tenth of the time that the watch has lasted, between these two. */
const minWaitMs = 15_000;
const maxWaitMs = 60_000;
const maxWatchMs = 15 * 60_000;
const maxWatches = 5;

type WatchEnd =
  | { readonly kind: 'changed'; readonly before: Findings; readonly after: Findings }
  | { readonly kind: 'tokenRejected'; readonly failure: Failure }
  | { readonly kind: 'unchanged' | 'removed' | 'switched' | 'signedOut' | 'tokenReplaced' };

interface Watch {
  readonly startedAt: number;
  readonly reading: AbortController;
  /** As it was last known: its name is told after it left the list. */
  deployment: Deployment;
  /** The findings when the watch began, which the user saw; without them those of the first good answer. */
  before?: Findings;
  next?: Disposable;
  readonly last: Disposable;
}

export class Watches implements Disposable {
  private readonly watches = new Map<string, Watch>();
  private readonly changed = new Emitter<ReadonlySet<string>>();
  private readonly ended = new Emitter<{ readonly deployments: readonly Deployment[]; readonly end: WatchEnd }>();
  readonly onDidChange = this.changed.event;
  /** However many end together. Not told of what `stop` ends. */
  readonly onDidEnd = this.ended.event;
  /** By deployment: the answer whose changes were told. */
  private readonly told = new Map<string, LastAnswer>();
  private organizationId: string | undefined;
  private cause: Store['cause'];
  private readonly listener: Disposable;

  constructor(
    private readonly store: Pick<Store, 'get' | 'organizationId' | 'cause' | 'refresh' | 'onDidChange'>,
    private readonly clock: Clock,
  ) {
    this.listener = store.onDidChange(() => this.update());
  }

  get ids(): readonly string[] {
    return [...this.watches.keys()];
  }

  has(id: string): boolean {
    return this.watches.has(id);
  }

  /** `false`: there are too many. */
  start(id: string): boolean {
    const deployment = this.store.get(id);
    if (!deployment || this.watches.has(id)) return true;
    if (this.watches.size >= maxWatches) return false;
    const watch: Watch = {
      deployment,
      startedAt: this.clock.now(),
      reading: new AbortController(),
      // A timer too: a read can hang for as long, and the clock can be set back.
      last: this.clock.setTimer(() => this.end([id], { kind: 'unchanged' }), maxWatchMs),
    };
    this.organizationId = this.store.organizationId;
    this.cause = this.store.cause;
    this.watches.set(id, watch);
    this.changed.fire(new Set([id]));
    this.update();
    void this.read(id, watch);
    return true;
  }

  stop(ids: readonly string[]): void {
    for (const id of ids) {
      const watch = this.watches.get(id);
      this.watches.delete(id);
      watch?.next?.dispose();
      watch?.last.dispose();
      watch?.reading.abort();
    }
    this.changed.fire(new Set(ids));
  }

  /** Another token, or another organization, whose store has ended all watches: what is left ends because the token was replaced. */
  restart(): void {
    this.end(this.ids, { kind: 'tokenReplaced' });
  }

  /** Whether the end of a watch tells of this problem, in whichever deployment that was. */
  tells({ key, sign }: Problem): boolean {
    this.update();
    return [...this.told].some(([id, answer]) => {
      // A mute makes another object of the same answer.
      if (this.store.get(id)?.answer?.value !== answer.value) this.told.delete(id);
      return this.told.has(id) && answer.findings.all.some((one) => one.key === key && one.sign === sign);
    });
  }

  dispose(): void {
    this.listener.dispose();
    this.stop(this.ids);
    this.changed.dispose();
    this.ended.dispose();
  }

  private async read(id: string, watch: Watch): Promise<void> {
    await this.store.refresh([id], { apart: true, signal: watch.reading.signal });
    this.update();
    if (this.watches.get(id) !== watch) return;
    const lasted = this.clock.now() - watch.startedAt;
    if (lasted >= maxWatchMs) return this.end([id], { kind: 'unchanged' });
    const wait = Math.min(Math.max(lasted / 10, minWaitMs), maxWaitMs);
    watch.next = this.clock.setTimer(() => void this.read(id, watch), wait);
  }

  private update(): void {
    const { organizationId, cause } = this.store;
    if (cause !== this.cause && cause?.kind === 'failure' && cause.failure.kind === 'tokenRejected') {
      this.end(this.ids, { kind: 'tokenRejected', failure: cause.failure });
    }
    this.cause = cause;
    if (organizationId !== this.organizationId) {
      this.end(this.ids, { kind: organizationId === undefined ? 'signedOut' : 'switched' });
    }
    for (const [id, watch] of this.watches) {
      const deployment = this.store.get(id);
      const { answer } = deployment ?? {};
      if (!deployment) this.end([id], { kind: 'removed' });
      else {
        watch.deployment = deployment;
        // An answer that may hide a problem shows no change.
        if (answer && !answer.findings.couldHide) this.compare(watch, answer);
      }
    }
  }

  private compare(watch: Watch, answer: LastAnswer): void {
    const { before = (watch.before = answer.findings) } = watch;
    if (changesBetween(before, answer.findings).length === 0) return;
    this.told.set(watch.deployment.id, answer);
    this.end([watch.deployment.id], { kind: 'changed', before, after: answer.findings });
  }

  private end(ids: readonly string[], end: WatchEnd): void {
    const deployments = ids.flatMap((id) => this.watches.get(id)?.deployment ?? []);
    if (deployments.length === 0) return;
    this.stop(ids);
    this.ended.fire({ deployments, end });
  }
}

export interface Change {
  readonly finding: Finding;
  readonly isGone: boolean;
}

/** Problems that came, whose sign differs, or that went; accounts first. An effect of a failed account is none, so that the account alone stands for it. */
export function changesBetween(before: Findings, after: Findings): readonly Change[] {
  if (before === after) return [];
  const earlier = new Map(before.all.map(({ key, sign }) => [key, sign]));
  const later = new Set(after.all.map(({ key }) => key));
  const came = after.all.filter(({ key, sign }) => earlier.get(key) !== sign);
  const went = before.all.filter(({ key }) => !later.has(key));
  const now = new Map<string, Finding>(
    [...after.accounts, ...after.requirements].map((finding) => [finding.key, finding]),
  );
  const changes: readonly Change[] = [
    ...came.map(({ finding }) => ({ finding, isGone: false })),
    ...went
      .map(({ key, finding }) => ({ finding: now.get(key) ?? finding, isGone: !now.has(key) }))
      .filter(({ finding, isGone }) => isGone || 'account' in finding || !finding.cause),
  ];
  return changes.toSorted((a, b) => Number('account' in b.finding) - Number('account' in a.finding));
}

import type { Failure } from '../../api/failure.js';
import type { Deployment, LastAnswer } from '../deployment.js';
import { type Disposable, Emitter } from '../emitter.js';
import { compareNames } from '../order.js';
import type { Store } from '../store/store.js';
import type { Clock } from '../time.js';
import { type AccountFinding, type Findings, type RequirementFinding, uniqueKey } from './findings.js';

/** A read follows the one before after a tenth of the time that the watch has lasted, between these two. */
const shortestWait = 15_000;
const longestWait = 60_000;
const longestWatch = 15 * 60_000;
const mostWatches = 5;

export type WatchEnd =
  | { readonly kind: 'changed'; readonly before: Findings; readonly after: Findings }
  | { readonly kind: 'tokenRejected'; readonly failure: Failure }
  | { readonly kind: 'unchanged' | 'removed' | 'switched' | 'signedOut' | 'tokenReplaced' };

interface Watch {
  readonly startedAt: number;
  readonly reading: AbortController;
  /** As it was last known: its name is told after it left the list. */
  deployment: Deployment;
  /** What is known when the watch begins is what people see; without it, the first good answer. */
  before?: Findings;
  next?: Disposable;
  readonly last: Disposable;
}

/** Reads single deployments again and again until a problem changes. */
export class Watches implements Disposable {
  private readonly watches = new Map<string, Watch>();
  private readonly changed = new Emitter<ReadonlySet<string>>();
  private readonly ended = new Emitter<{ readonly deployments: readonly Deployment[]; readonly end: WatchEnd }>();
  /** Given the ids whose watch began or ended. */
  readonly onDidChange = this.changed.event;
  /** However many end together. Not told of what `stop` ends. */
  readonly onDidEnd = this.ended.event;
  private readonly told = new WeakSet<LastAnswer>();
  private organizationId: string | undefined;
  private readonly listener: Disposable;

  constructor(
    private readonly store: Pick<Store, 'get' | 'organizationId' | 'refresh' | 'onDidChange'>,
    private readonly clock: Clock,
  ) {
    this.listener = store.onDidChange(() => this.look());
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
    if (this.watches.size >= mostWatches) return false;
    const watch: Watch = {
      deployment,
      startedAt: this.clock.now(),
      reading: new AbortController(),
      // A timer too: a read can hang for as long, and the clock can be set back.
      last: this.clock.setTimer(() => this.end([id], { kind: 'unchanged' }), longestWatch),
    };
    this.organizationId = this.store.organizationId;
    this.watches.set(id, watch);
    this.changed.fire(new Set([id]));
    this.look();
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

  /** Whether what is new in this answer is told as the end of a watch, so that nobody tells it again. */
  tells({ answer }: Deployment): boolean {
    this.look();
    return answer !== undefined && this.told.has(answer);
  }

  dispose(): void {
    this.listener.dispose();
    this.stop(this.ids);
    this.changed.dispose();
    this.ended.dispose();
  }

  private async read(id: string, watch: Watch): Promise<void> {
    await this.store.refresh([id], { apart: true, signal: watch.reading.signal });
    this.look();
    if (this.watches.get(id) !== watch) return;
    const lasted = this.clock.now() - watch.startedAt;
    if (lasted >= longestWatch) return this.end([id], { kind: 'unchanged' });
    const wait = Math.min(Math.max(lasted / 10, shortestWait), longestWait);
    watch.next = this.clock.setTimer(() => void this.read(id, watch), wait);
  }

  /** Takes in what the store knows now, whoever asked for it. */
  private look(): void {
    const { organizationId } = this.store;
    if (organizationId !== this.organizationId) {
      this.end(this.ids, { kind: organizationId === undefined ? 'signedOut' : 'switched' });
    }
    for (const [id, watch] of this.watches) {
      const deployment = this.store.get(id);
      const { answer, failure } = deployment ?? {};
      if (!deployment) this.end([id], { kind: 'removed' });
      else if (failure?.failure.kind === 'tokenRejected' && failure !== watch.deployment.failure) {
        // All of them are read with this token.
        this.end(this.ids, { kind: 'tokenRejected', failure: failure.failure });
      } else {
        watch.deployment = deployment;
        // An answer that may hide a problem shows no change.
        if (answer && !answer.findings.couldHide) this.compare(watch, answer);
      }
    }
  }

  private compare(watch: Watch, answer: LastAnswer): void {
    const { before = (watch.before = answer.findings) } = watch;
    if (changesBetween(before, answer.findings).length === 0) return;
    this.told.add(answer);
    this.end([watch.deployment.id], { kind: 'changed', before, after: answer.findings });
  }

  private end(ids: readonly string[], end: WatchEnd): void {
    const deployments = ids.flatMap((id) => this.watches.get(id)?.deployment ?? []);
    if (deployments.length === 0) return;
    this.stop(ids);
    this.ended.fire({ deployments, end });
  }
}

type Finding = AccountFinding | RequirementFinding;

export type Change = ReturnType<typeof changesBetween>[number];

/** What differs, as it is now or as it was last. Times, labels and messages are no change. */
export function changesBetween(before: Findings, after: Findings) {
  if (before === after) return [];
  const earlier = byIdentity(before);
  const later = byIdentity(after);
  const differing = [...later].filter(([identity, finding]) => {
    const was = earlier.get(identity);
    return was ? factsOf(was) !== factsOf(finding) : isNoted(finding);
  });
  const gone = [...earlier].filter(([identity, finding]) => !later.has(identity) && isNoted(finding));
  return [...differing, ...gone].map(([identity, finding]) => ({ finding, isGone: !later.has(identity) }));
}

/** Service and binding name a requirement. Equal ones are told apart by their accounts, in whatever order they come. */
function byIdentity({ accounts, requirements }: Findings): ReadonlyMap<string, Finding> {
  const counts = new Map<string, number>();
  const byAccount = requirements.toSorted((a, b) => compareNames(a.boundId ?? '', b.boundId ?? ''));
  return new Map([...accounts, ...byAccount].map((finding) => [uniqueKey(identityOf(finding), counts), finding]));
}

function identityOf(finding: Finding): string {
  if ('account' in finding) return `account\0${finding.account.id ?? finding.name}`;
  const { serviceId, binding } = finding.requirement;
  return `requirement\0${serviceId}\0${binding}`;
}

function factsOf(finding: Finding): string {
  if ('account' in finding) return finding.problem ? `failed ${finding.account.error?.code}` : '';
  return [finding.problem !== undefined, finding.boundId, ...finding.missingScopes.toSorted()].join('\0');
}

function isNoted(finding: Finding): boolean {
  return finding.problem !== undefined || ('missingScopes' in finding && finding.missingScopes.length > 0);
}

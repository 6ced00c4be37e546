import type { Answer } from '../../api/answer.js';
import type { AnswerHistory } from '../../api/answerer/answerHistory.js';
import { asSentByPlatform, asSentOnTheWay } from '../../api/answerer/whoAnswered.js';
import type { DeploymentAuthorization } from '../../api/authorization.js';
import type { Failure } from '../../api/failure.js';
import { type Disposable, Emitter, type Event } from '../base/emitter.js';
import type { Clock } from '../base/time.js';
import { CircuitBreaker, type SharedCause, type Verdict } from '../circuitBreaker.js';
import {
  type Counts,
  countDeployments,
  type Deployment,
  type ListedDeployment,
  withFindings,
} from '../findings/deployment.js';
import { type Mutes, stateOfFindings } from '../findings/state.js';
import { AccountAnswers } from './accountAnswers.js';
import { Changes } from './changes.js';
import { Contradictions } from './contradictions.js';
import { Listing } from './listing.js';
import { type ReadAgainOptions, type ReadDeployment, Reads, type RefreshOptions } from './reads.js';
import { type Shown, ShownFailures } from './shownFailures.js';

/**
 * Ids whose object was replaced since the last event; `all` after a new list, order or
 * organization.
 */
export type StoreChange = ReadonlySet<string> | 'all';

/**
 * What holds for the whole organization, and what the tree's first row says: all fail alike, or a
 * 429 pauses it.
 */
export type OrganizationCause = SharedCause | { readonly kind: 'paused'; readonly until: number };

/**
 * What becomes of problems is remembered above the store, which asks what is muted and says what
 * was read.
 */
export interface StoreMemory extends Mutes, Disposable {
  readonly onDidChangeMutes: Event<void>;
  setOrganization(organizationId: string | undefined): void;
  /** Called at the end of each refresh, before its order is settled, because it may end mutes. */
  settle(listed: readonly Deployment[]): void;
}

interface StoreOptions extends Clock {
  readonly memory: StoreMemory;
  /** Epoch ms until which a 429 holds this organization, if one does. */
  readonly pausedUntil: (organizationId: string) => number | undefined;
  readonly history: Pick<AnswerHistory, 'has'>;
  /**
   * Whether the window has the focus: without it, answers that contradict others have nothing read
   * again.
   */
  readonly hasFocus: () => boolean;
}

const settleEveryMs = 1000;

interface Session {
  readonly organizationId: string;
  readonly reads: Reads;
  readonly breaker: CircuitBreaker;
  readonly shownFailures: ShownFailures;
}

/**
 * The deployments of the current organization. The store is told organization and list, and asks
 * only `read`.
 */
export class Store implements Disposable {
  private readonly changed = new Emitter<StoreChange>();
  readonly onDidChange = this.changed.event;

  private readonly memory: StoreMemory;
  private readonly changes: Changes;
  private readonly listing = new Listing();
  /** What the last answers say of accounts that deployments share. */
  readonly accountAnswers = new AccountAnswers();
  private readonly contradictions = new Contradictions(this.accountAnswers);
  private session: Session | undefined;
  /**
   * Nothing of this organization was known before the refresh that runs, so no row has a place to
   * keep.
   */
  isFirstReading = true;
  private isListIgnored: boolean | undefined = false;
  private settledAt = -Infinity;

  constructor(private readonly options: StoreOptions) {
    this.memory = options.memory;
    this.memory.onDidChangeMutes(() => this.applyMutes());
    this.changes = new Changes(options, (change) => this.changed.fire(change));
  }

  get organizationId(): string | undefined {
    return this.session?.organizationId;
  }

  /** In the settled order: worst first, then by name. During a refresh rows stay where they are. */
  get deployments(): readonly Deployment[] {
    return this.session === undefined ? [] : this.listing.deployments;
  }

  /** Another number after the order was settled: until then rows keep their places. */
  get orderVersion(): number {
    return this.listing.orderVersion;
  }

  get counts(): Counts {
    const counts = countDeployments(this.deployments);
    if (this.isListIgnored === undefined) return { ...counts, isListUnread: true };
    return this.isListIgnored ? { ...counts, isListIgnored: true } : counts;
  }

  get cause(): OrganizationCause | undefined {
    const { session } = this;
    if (session === undefined || session.breaker.cause) return session?.breaker.cause;
    const until = this.options.pausedUntil(session.organizationId);
    return until === undefined ? undefined : { kind: 'paused', until };
  }

  /**
   * Of the reads of the current organization: another one with another organization or another
   * token.
   */
  get breaker(): CircuitBreaker | undefined {
    return this.session?.breaker;
  }

  /** Present while a refresh runs, those of probes and tools apart. */
  get progress(): { readonly done: number; readonly total: number } | undefined {
    return this.session?.reads.progress;
  }

  get(id: string): Deployment | undefined {
    return this.session === undefined ? undefined : this.listing.get(id);
  }

  /**
   * Another organization, or none (`undefined`): all data is forgotten at once, requests under way
   * are cancelled.
   */
  setOrganization(
    organization: { readonly id: string; readonly read: ReadDeployment } | undefined,
  ): void {
    const before = this.session;
    this.session = organization && this.createSession(organization.id, organization.read);
    this.memory.setOrganization(organization?.id);
    // The same organization with another token: what was read stays true.
    if (before?.organizationId !== organization?.id) {
      this.listing.forgetData();
      this.accountAnswers.forgetAll();
      this.isFirstReading = true;
    }
    this.contradictions.forgetAll();
    before?.reads.cancelAll();
    this.listing.sort();
    this.changes.touchAll();
    this.changes.fireNow();
  }

  setListed(listed: readonly ListedDeployment[]): void {
    const removed = this.listing.list(listed);
    if (removed === undefined) return;
    this.session?.reads.forget(removed);
    this.session?.breaker.forget(removed);
    this.session?.shownFailures.forget(removed);
    this.accountAnswers.forget(removed);
    this.contradictions.forget(removed);
    if (this.progress === undefined) this.listing.sort();
    this.changes.touchAll();
  }

  /**
   * Whether the workspace lists others, which its settings do not show while it is not trusted;
   * `undefined` if unknown yet.
   */
  setListIgnored(isIgnored: boolean | undefined): void {
    if (isIgnored === this.isListIgnored) return;
    this.isListIgnored = isIgnored;
    this.changes.touchAll();
  }

  /**
   * Reads these, or all, as a part of the refresh that runs. Resolves when each has been read or is
   * no longer waited for; never rejects.
   */
  refresh(ids?: readonly string[], options: RefreshOptions = {}): Promise<void> {
    const { session, listing } = this;
    const listed =
      ids?.filter((id) => listing.get(id) !== undefined) ?? listing.deployments.map(({ id }) => id);
    if (session === undefined) return Promise.resolve();
    this.changes.touch();
    return session.reads.refresh(listed, options);
  }

  settleFirstReading(): void {
    const now = this.options.elapsed();
    if (!this.isFirstReading || now - this.settledAt < settleEveryMs) return;
    this.settledAt = now;
    if (this.listing.sort()) this.changes.touchAll();
  }

  /** Reads one of these to see whether what all failed for is over. */
  async probe(ids: readonly string[], signal: AbortSignal): Promise<void> {
    await this.breaker?.probe(ids, (id) => this.refresh([id], { outsideProgress: true, signal }));
  }

  /**
   * Returns the failure of a request beside the refresh: a web page that all deployments get is not
   * the platform's.
   */
  asSharedFailure(organizationId: string, failure: Failure): Failure {
    const ofAll = this.organizationId === organizationId ? this.breaker?.cause?.failure : undefined;
    const isSame =
      ofAll?.kind === 'notFromPlatform' && 'status' in failure && failure.status === ofAll.status;
    return isSame ? asSentOnTheWay(failure) : failure;
  }

  /**
   * Why the platform rejects this organization's token, if it does. Until the token changes or the
   * user asks, nothing is sent with it.
   */
  rejectionOf(organizationId: string): Failure | undefined {
    const failure =
      this.organizationId === organizationId ? this.breaker?.cause?.failure : undefined;
    return failure?.kind === 'tokenRejected' ? failure : undefined;
  }

  /**
   * A request beside the refresh got a 401, so that the reads of this organization would get it,
   * too.
   */
  tokenRejected(organizationId: string, failure: Failure): void {
    const { session } = this;
    if (session?.organizationId === organizationId)
      this.takeBeside(session, session.breaker.failed('', { failure }));
  }

  /** A request beside the refresh, by the user, was answered, so that a 401 of before is over. */
  tokenAccepted(organizationId: string): void {
    const { session } = this;
    if (session?.organizationId === organizationId)
      this.takeBeside(session, session.breaker.tokenAccepted());
  }

  pausesChanged(): void {
    this.changes.touch();
  }

  cancelRefresh(): void {
    this.session?.reads.cancelRefresh();
  }

  dispose(): void {
    this.changed.dispose();
    const session = this.session;
    this.session = undefined;
    session?.reads.cancelAll();
    this.memory.dispose();
    this.changes.dispose();
  }

  private createSession(organizationId: string, read: ReadDeployment): Session {
    const { listing } = this;
    const { elapsed, now } = this.options;
    const breaker = new CircuitBreaker({
      now,
      elapsed,
      listed: listing,
      asOf: () => listing.newestAnswer?.asOf,
    });
    const shownFailures = new ShownFailures(listing);
    const reads: Reads = new Reads(
      read,
      {
        activity: (id, activity) => this.setActivity(id, activity),
        answered: (id, answer) => {
          const verdict = breaker.answered(id);
          this.takeAnswer(id, answer);
          this.follow(session, id, verdict);
        },
        toReadAgain: (id, options) => this.toReadAgain(session, id, options),
        failed: (id, error) => {
          this.setActivity(id, 'idle');
          this.follow(session, id, breaker.failed(id, error), {
            failure: error.failure,
            at: now(),
          });
        },
        refreshed: (apart) => {
          // What a session that is gone has not settled is not that of the current one.
          if (this.session !== session) return;
          if (breaker.isDecided) this.showAll(shownFailures.settle());
          this.accountAnswers.endRefresh();
          this.contradictions.endRefresh();
          this.endRefresh();
          if (apart) this.changes.touch();
          else this.changes.fireNow();
        },
      },
      this.options,
    );
    const session: Session = { organizationId, reads, breaker, shownFailures };
    return session;
  }

  /**
   * After the end of a read: shows and does what the circuit breaker says. `failed`: why it failed,
   * if it did.
   */
  private follow(
    session: Session,
    id: string,
    verdict: Verdict,
    failed?: Deployment['failedRead'],
  ): void {
    const { reads, shownFailures } = session;
    this.showAll(shownFailures.take(id, verdict, failed));
    if (verdict.readAgain !== undefined)
      void reads.refresh([verdict.readAgain], { urgent: true, outsideProgress: true });
    if (verdict.cancels === 'all') reads.cancelAll();
    else if (verdict.cancels) reads.cancelRefresh();
  }

  private takeBeside(session: Session, verdict: Verdict): void {
    this.follow(session, '', verdict);
    this.changes.touch();
  }

  private takeAnswer(id: string, answer: Answer<DeploymentAuthorization>): void {
    const before = this.listing.get(id);
    if (before === undefined) return;
    const found = withFindings(answer, id, this.memory);
    const { failedRead: _, ...kept } = before;
    this.replace({
      ...kept,
      state: stateOfFindings(found.findings, this.memory),
      activity: 'idle',
      answer: found,
    });
    // Rows say as of when what they show was true, once a newer answer says something else.
    for (const other of this.accountAnswers.take(id, found)) this.changes.touch(other);
    this.contradictions.answered(id);
  }

  /** Nothing is read again for a window that nobody looks at, nor while all fail alike. */
  private toReadAgain(
    { breaker }: Session,
    id: string,
    { mayReadOthers: mayBeOthers, isWaitedFor }: ReadAgainOptions,
  ): Iterable<string> {
    if (breaker.cause !== undefined || !this.options.hasFocus()) return [];
    return this.contradictions.toReadAgain(id, mayBeOthers, isWaitedFor);
  }

  private showAll(shown: ReadonlyMap<string, Shown>): void {
    for (const [id, one] of shown) this.show(id, one);
  }

  /** What is muted may have changed since a deployment showed this before. */
  private show(id: string, shown: Shown): void {
    const before = this.listing.get(id);
    if (before === undefined) return;
    const failure = this.judged(shown.failedRead);
    const state =
      before.answer && !failure
        ? stateOfFindings(before.answer.findings, this.memory)
        : shown.state;
    if (before.state === state && before.failedRead === failure) return;
    const { failedRead: _, ...kept } = before;
    this.replace({ ...kept, state, ...(failure && { failedRead: failure }) });
  }

  /** Who sent a web page may only show when the platform has answered another deployment. */
  private judged(failed: Shown['failedRead']): Shown['failedRead'] {
    const { session } = this;
    if (failed === undefined || !session || !this.options.history.has(session.organizationId))
      return failed;
    const failure = asSentByPlatform(failed.failure);
    return failure === failed.failure ? failed : { ...failed, failure };
  }

  /** Counts and rows say at once what is muted; all keep their places until the next refresh. */
  private applyMutes(): void {
    if (this.session === undefined) return;
    for (const deployment of this.listing.deployments) {
      if (!deployment.answer || deployment.failedRead) continue;
      const state = stateOfFindings(deployment.answer.findings, this.memory);
      if (state !== deployment.state) this.listing.replace({ ...deployment, state });
    }
    this.changes.touchAll();
  }

  private setActivity(id: string, activity: Deployment['activity']): void {
    const before = this.listing.get(id);
    if (before !== undefined && before.activity !== activity) this.replace({ ...before, activity });
  }

  private replace(deployment: Deployment): void {
    this.listing.replace(deployment);
    this.changes.touch(deployment.id);
  }

  private endRefresh(): void {
    // The platform may have answered others since these got a web page.
    for (const { id, state, failedRead: failure } of this.deployments) {
      if (failure?.failure.kind === 'notFromPlatform')
        this.show(id, { state, failedRead: failure });
    }
    if (this.session !== undefined) this.memory.settle(this.deployments);
    this.isFirstReading &&= this.deployments.every(({ answer }) => !answer);
    if (this.listing.sort()) this.changes.touchAll();
  }
}

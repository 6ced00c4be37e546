import type { Answer } from '../../api/answer.js';
import type { AnswerHistory } from '../../api/answerer/answerHistory.js';
import { asSentByPlatform, asSentOnTheWay } from '../../api/answerer/whoAnswered.js';
import type { DeploymentAuthorization } from '../../api/authorization.js';
import type { ApiError, Failure } from '../../api/failure.js';
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
import {
  type ReadAgainOptions,
  type ReadDeployment,
  Reads,
  type ReadsListener,
  type RefreshOptions,
} from './reads.js';
import { type Shown, ShownFailures } from './shownFailures.js';

/**
 * The IDs of the deployments that have changed since the last event. `all` if the list, its order,
 * the organization, its token, the mutes, or whether a list is ignored has changed.
 */
export type StoreChange = ReadonlySet<string> | 'all';

/**
 * What concerns the whole organization and is shown in the tree's first rows: all reads fail for
 * one cause, or a 429 pauses them. `until`: epoch ms.
 */
export type OrganizationCause = SharedCause | { readonly kind: 'paused'; readonly until: number };

/** What the store needs of the memory of problems, which stands above it: `ProblemMemory`. */
export interface StoreMemory extends Mutes, Disposable {
  readonly onDidChangeMutes: Event<void>;
  /** Selects the organization whose problems are asked for; `undefined` for none. */
  setOrganization(organizationId: string | undefined): void;
  /** Called before the deployments are sorted, because the end of a refresh may end mutes. */
  endRefresh(listed: readonly Deployment[]): void;
}

interface StoreOptions extends Clock {
  readonly memory: StoreMemory;
  /** Returns the epoch ms until which a 429 pauses this organization; `undefined` if none does. */
  readonly pausedUntil: (organizationId: string) => number | undefined;
  /** The organizations that the platform has answered before. */
  readonly history: Pick<AnswerHistory, 'has'>;
  /** Without the focus, nothing is read again because answers contradict each other. */
  readonly hasFocus: () => boolean;
}

/** During the first reading, the deployments are sorted at most so often. */
const minSortDistanceMs = 1000;

/** The parts that live as long as one organization is shown with one token. */
interface Session {
  readonly organizationId: string;
  readonly reads: Reads;
  readonly breaker: CircuitBreaker;
  readonly shownFailures: ShownFailures;
}

/**
 * The deployments of the current organization and what is known of them. The window sets the
 * organization and the list; the schedule, commands, and tools refresh; views listen to
 * `onDidChange` and show `deployments`.
 */
export class Store implements Disposable {
  private readonly changed = new Emitter<StoreChange>();
  readonly onDidChange = this.changed.event;

  private readonly memory: StoreMemory;
  private readonly changes: Changes;
  private readonly listing = new Listing();
  /** What the last answers claim of accounts that deployments share. */
  readonly accountAnswers = new AccountAnswers();
  private readonly contradictions = new Contradictions(this.accountAnswers);
  /** `undefined` without an organization. */
  private session: Session | undefined;
  /**
   * Whether no deployment was read before the refresh that runs, so that rows have no order to
   * keep.
   */
  isFirstReading = true;
  /** `undefined` while it is not known. */
  private isListIgnored: boolean | undefined = false;
  /** When `sortFirstReading` last sorted, in ms of `elapsed`. */
  private sortedAt = -Infinity;

  constructor(private readonly options: StoreOptions) {
    this.memory = options.memory;
    this.memory.onDidChangeMutes(() => this.applyMutes());
    this.changes = new Changes(options, (change) => this.changed.fire(change));
  }

  get organizationId(): string | undefined {
    return this.session?.organizationId;
  }

  /**
   * The worst first, then by name, as of the last sorting: during a refresh rows stay where they
   * are, unless it is the first.
   */
  get deployments(): readonly Deployment[] {
    return this.session === undefined ? [] : this.listing.deployments;
  }

  /**
   * A number that grows with each sorting of the deployments. While it stays the same, rows keep
   * their order.
   */
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
    if (session === undefined) return undefined;
    if (session.breaker.cause) return session.breaker.cause;
    const until = this.options.pausedUntil(session.organizationId);
    return until === undefined ? undefined : { kind: 'paused', until };
  }

  /**
   * The circuit breaker of the current organization with its current token. A new object when
   * either of them changes; `undefined` without an organization.
   */
  get breaker(): CircuitBreaker | undefined {
    return this.session?.breaker;
  }

  /** Numbers of deployments; `undefined` while no refresh runs but those `outsideProgress`. */
  get progress(): { readonly done: number; readonly total: number } | undefined {
    return this.session?.reads.progress;
  }

  get(id: string): Deployment | undefined {
    return this.session === undefined ? undefined : this.listing.get(id);
  }

  /**
   * Changes the organization or its token; `undefined` for no organization. Reads that run are
   * cancelled. All that was read of another organization is forgotten at once.
   */
  setOrganization(
    organization: { readonly id: string; readonly read: ReadDeployment } | undefined,
  ): void {
    const before = this.session;
    this.session = organization && this.createSession(organization.id, organization.read);
    this.memory.setOrganization(organization?.id);
    // With another token for the same organization, what was read stays true.
    if (before?.organizationId !== organization?.id) {
      this.listing.forgetData();
      this.accountAnswers.forgetAll();
      this.isFirstReading = true;
    }
    this.contradictions.forgetAll();
    before?.reads.cancelAll();
    this.listing.sortWorstFirst();
    this.changes.touchAll();
    this.changes.fireNow();
  }

  /** Sets the deployments that are listed. What was read of those that stay is kept. */
  setListed(listed: readonly ListedDeployment[]): void {
    const removedIds = this.listing.list(listed);
    if (removedIds === undefined) return;
    this.session?.reads.forget(removedIds);
    this.session?.breaker.forget(removedIds);
    this.session?.shownFailures.forget(removedIds);
    this.accountAnswers.forget(removedIds);
    this.contradictions.forget(removedIds);
    if (this.progress === undefined) this.listing.sortWorstFirst();
    this.changes.touchAll();
  }

  /**
   * Sets whether the workspace lists other deployments, which are ignored while it is not trusted;
   * `undefined` if that is not known yet.
   */
  setListIgnored(isIgnored: boolean | undefined): void {
    if (isIgnored === this.isListIgnored) return;
    this.isListIgnored = isIgnored;
    this.changes.touchAll();
  }

  /**
   * Reads the deployments with these IDs, leaving out IDs that are not listed. Without `ids`, reads
   * all listed deployments. Resolves when each has been read, with whatever result, or no longer
   * will be, for example because the user or `options.signal` has cancelled the refresh. Never
   * rejects.
   */
  refresh(ids?: readonly string[], options: RefreshOptions = {}): Promise<void> {
    const { session, listing } = this;
    if (session === undefined) return Promise.resolve();
    const wantedIds = ids?.filter((id) => listing.has(id));
    this.changes.touch();
    return session.reads.refresh(wantedIds ?? listing.deployments.map(({ id }) => id), options);
  }

  /**
   * Sorts the deployments while the first refresh of an organization still runs, at most once a
   * second.
   */
  sortFirstReading(): void {
    const now = this.options.elapsed();
    if (!this.isFirstReading || now - this.sortedAt < minSortDistanceMs) return;
    this.sortedAt = now;
    if (this.listing.sortWorstFirst()) this.changes.touchAll();
  }

  /** Reads one of these deployments to see whether the cause for which all failed has ended. */
  async probe(ids: readonly string[], signal: AbortSignal): Promise<void> {
    await this.breaker?.probe(ids, (id) => this.refresh([id], { outsideProgress: true, signal }));
  }

  /**
   * Returns the failure of a request beside the reads, with what these show of its sender: a web
   * page with the status that all deployments get now was not sent by the platform.
   */
  asSharedFailure(organizationId: string, failure: Failure): Failure {
    const shared = this.sharedFailureOf(organizationId);
    const isSharedPage =
      shared?.kind === 'notFromPlatform' && 'status' in failure && failure.status === shared.status;
    return isSharedPage ? asSentOnTheWay(failure) : failure;
  }

  /**
   * Returns the failure with which the platform rejects this organization's token; `undefined` if
   * it does not. Nothing is sent with the token until it changes or the user asks for a request.
   */
  rejectionOf(organizationId: string): Failure | undefined {
    const shared = this.sharedFailureOf(organizationId);
    return shared?.kind === 'tokenRejected' ? shared : undefined;
  }

  /** A request beside the reads got a 401, which the reads of this organization would get, too. */
  tokenRejected(organizationId: string, failure: Failure): void {
    const { session } = this;
    if (session?.organizationId !== organizationId) return;
    this.followBesideReads(session, session.breaker.failed('', { failure }));
  }

  /**
   * A request of the user beside the reads was answered, so the platform no longer rejects the
   * token.
   */
  tokenAccepted(organizationId: string): void {
    const { session } = this;
    if (session?.organizationId !== organizationId) return;
    this.followBesideReads(session, session.breaker.tokenAccepted());
  }

  /** Called when a pause after a 429 has begun or ended. */
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

  /**
   * Returns the failure that all deployments of this organization share; `undefined` if there is
   * none.
   */
  private sharedFailureOf(organizationId: string): Failure | undefined {
    if (this.organizationId !== organizationId) return undefined;
    return this.breaker?.cause?.failure;
  }

  private createSession(organizationId: string, read: ReadDeployment): Session {
    const { listing } = this;
    const { elapsed, now } = this.options;
    const asOf = (): number | undefined => listing.newestAnswer?.asOf;
    const breaker = new CircuitBreaker({ now, elapsed, listed: listing, asOf });
    const shownFailures = new ShownFailures(listing);
    const listener: ReadsListener = {
      activity: (id, activity) => this.setActivity(id, activity),
      answered: (id, answer) => this.readAnswered(session, id, answer),
      toReadAgain: (id, options) => this.toReadAgain(session, id, options),
      failed: (id, error) => this.readFailed(session, id, error),
      refreshed: (outsideProgress) => this.refreshEnded(session, outsideProgress),
    };
    const reads = new Reads(read, listener, this.options);
    const session: Session = { organizationId, reads, breaker, shownFailures };
    return session;
  }

  private readAnswered(
    session: Session,
    id: string,
    answer: Answer<DeploymentAuthorization>,
  ): void {
    const verdict = session.breaker.answered(id);
    this.takeAnswer(id, answer);
    this.follow(session, id, verdict);
  }

  private readFailed(session: Session, id: string, error: ApiError): void {
    this.setActivity(id, 'idle');
    const verdict = session.breaker.failed(id, error);
    this.follow(session, id, verdict, { failure: error.failure, at: this.options.now() });
  }

  private refreshEnded(session: Session, outsideProgress: boolean): void {
    // A session that has been replaced changes nothing in the current one.
    if (this.session !== session) return;
    if (session.breaker.isDecided) this.showAll(session.shownFailures.endRefresh());
    this.accountAnswers.endRefresh();
    this.contradictions.forgetRefresh();

    // The platform may have answered other deployments since these got a web page.
    for (const { id, state, failedRead } of this.deployments) {
      if (failedRead?.failure.kind === 'notFromPlatform') this.show(id, { state, failedRead });
    }
    this.memory.endRefresh(this.deployments);
    this.isFirstReading &&= this.deployments.every(({ answer }) => !answer);
    if (this.listing.sortWorstFirst()) this.changes.touchAll();

    if (outsideProgress) this.changes.touch();
    else this.changes.fireNow();
  }

  /**
   * Shows and does what the circuit breaker decided at the end of a read. `failedRead`: present if
   * the read failed.
   */
  private follow(
    session: Session,
    id: string,
    verdict: Verdict,
    failedRead?: Deployment['failedRead'],
  ): void {
    const { reads, shownFailures } = session;
    const { cancels, readAgain } = verdict;
    this.showAll(shownFailures.take(id, verdict, failedRead));
    if (readAgain !== undefined) {
      void reads.refresh([readAgain], { urgent: true, outsideProgress: true });
    }
    if (cancels === 'all') reads.cancelAll();
    else if (cancels === 'refreshes') reads.cancelRefresh();
  }

  /** Follows a verdict on a request that was no read, and so has no deployment ID. */
  private followBesideReads(session: Session, verdict: Verdict): void {
    this.follow(session, '', verdict);
    this.changes.touch();
  }

  private takeAnswer(id: string, answer: Answer<DeploymentAuthorization>): void {
    const before = this.listing.get(id);
    if (before === undefined) return;
    const lastAnswer = withFindings(answer, id, this.memory);
    const { failedRead: _, ...kept } = before;
    this.replace({
      ...kept,
      state: stateOfFindings(lastAnswer.findings, this.memory),
      activity: 'idle',
      answer: lastAnswer,
    });
    // The rows of other deployments show when they were read, once a newer answer contradicts
    // theirs.
    for (const otherId of this.accountAnswers.take(id, lastAnswer)) this.changes.touch(otherId);
    this.contradictions.answered(id);
  }

  /** Returns nothing while the window has no focus or all reads fail for one cause. */
  private toReadAgain(
    { breaker }: Session,
    id: string,
    { mayReadOthers, isWaitedFor }: ReadAgainOptions,
  ): Iterable<string> {
    if (breaker.cause !== undefined || !this.options.hasFocus()) return [];
    return this.contradictions.toReadAgain(id, mayReadOthers, isWaitedFor);
  }

  private showAll(shownById: ReadonlyMap<string, Shown>): void {
    for (const [id, shown] of shownById) this.show(id, shown);
  }

  /**
   * Has a deployment show this. Without a failure, its state comes from its answer instead, because
   * mutes may have changed since it showed that state.
   */
  private show(id: string, shown: Shown): void {
    const before = this.listing.get(id);
    if (before === undefined) return;
    const failedRead = this.withKnownSender(shown.failedRead);
    const isStateOfAnswer = before.answer !== undefined && failedRead === undefined;
    const state = isStateOfAnswer
      ? stateOfFindings(before.answer.findings, this.memory)
      : shown.state;
    if (before.state === state && before.failedRead === failedRead) return;
    const { failedRead: _, ...kept } = before;
    const after: Deployment = { ...kept, state };
    this.replace(failedRead === undefined ? after : { ...after, failedRead });
  }

  /**
   * A web page as an answer may come from the platform or from something on the way. Once usable
   * JSON has arrived from the organization (`AnswerHistory`), the platform probably sent the page.
   * Returns the same object if that changes nothing.
   */
  private withKnownSender(failedRead: Shown['failedRead']): Shown['failedRead'] {
    const { session } = this;
    if (failedRead === undefined || session === undefined) return failedRead;
    if (!this.options.history.has(session.organizationId)) return failedRead;
    const failure = asSentByPlatform(failedRead.failure);
    return failure === failedRead.failure ? failedRead : { ...failedRead, failure };
  }

  /**
   * Gives each deployment its state with the present mutes. The order stays until the next refresh.
   */
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
}

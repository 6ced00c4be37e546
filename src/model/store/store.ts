import type { Answer } from '../../api/answer.js';
import type { DeploymentAuthorization } from '../../api/authorization.js';
import type { Failure } from '../../api/failure.js';
import { countDeployments, type Deployment, type DeploymentProblem, type ListedDeployment } from '../deployment.js';
import { type Disposable, Emitter } from '../emitter.js';
import { Findings, type Problem } from '../problems/findings.js';
import type { Mutes } from '../problems/mutes.js';
import type { SeenSince } from '../problems/seenSince.js';
import type { Clock } from '../time.js';
import { Causes, type OrganizationCause } from './causes.js';
import { Changes } from './changes.js';
import { Listing } from './listing.js';
import { BulkRefresh, type ReadDeployment, Reads } from './reads.js';

/**
 * Ids whose object was replaced since the last event; `all` after a new list, order or organization. Events come at most every
 * 250 ms, the first at once, and one more with the end of a refresh.
 */
export type StoreChange = ReadonlySet<string> | 'all';

/** Problems that a finished refresh found and that were not there before (never from a failed read). */
export type NewProblems = readonly DeploymentProblem[];

export interface StoreOptions extends Clock {
  readonly seen: SeenSince;
  readonly mutes: Mutes;
  /** Epoch ms until which a 429 holds this organization, if one does. */
  readonly pausedUntil: (organizationId: string) => number | undefined;
  /** Reads of a bulk refresh handed out at a time; how many are sent at once is the queue's business. */
  readonly window?: number;
}

/** One organization with one token: its reads, and what they say about all of it. */
interface Session {
  readonly organizationId: string;
  readonly reads: Reads;
  readonly causes: Causes;
}

/**
 * The deployments of the current organization. The store is told the organization and the list, and asks only `read`. Answers
 * that come out of order, or for an organization that is no longer current, are dropped.
 */
export class Store implements Disposable {
  private readonly changed = new Emitter<StoreChange>();
  private readonly newProblems = new Emitter<NewProblems>();
  readonly onDidChange = this.changed.event;
  readonly onDidFindNewProblems = this.newProblems.event;

  private readonly changes: Changes;
  private readonly listing = new Listing();
  private session: Session | undefined;
  private bulk: BulkRefresh | undefined;
  /** Keys of problems that are told of when the refresh ends, with their deployments' ids. */
  private readonly found = new Map<string, string>();

  constructor(private readonly options: StoreOptions) {
    options.mutes.onDidChange((touched) => this.applyMutes(touched));
    this.changes = new Changes(options, (change) => this.changed.fire(change));
  }

  get organizationId(): string | undefined {
    return this.session?.organizationId;
  }

  /** In the settled order: worst first, then by name. During a bulk refresh rows stay where they are. */
  get deployments(): readonly Deployment[] {
    return this.session === undefined ? [] : this.listing.deployments;
  }

  get counts() {
    return countDeployments(this.deployments);
  }

  get cause(): OrganizationCause | undefined {
    const { session } = this;
    return session?.causes.current(this.options.pausedUntil(session.organizationId));
  }

  /** Present while a bulk refresh runs. */
  get progress(): { readonly done: number; readonly total: number } | undefined {
    return this.bulk?.progress;
  }

  get(id: string): Deployment | undefined {
    return this.session === undefined ? undefined : this.listing.get(id);
  }

  /** Another organization, or none (`undefined`): all data is forgotten at once, requests under way are cancelled. */
  setOrganization(organization: { readonly id: string; readonly read: ReadDeployment } | undefined): void {
    const before = this.session;
    this.session = organization && this.createSession(organization.id, organization.read);
    // The same organization with another token: what was read stays true.
    if (before?.organizationId !== organization?.id) this.listing.forgetData();
    this.endSession(before);
    this.listing.settle();
    this.changes.touchAll();
    // At once, because what belongs to an organization that is gone must not be shown a moment longer.
    this.changes.fireNow();
  }

  /** A new list: data of ids that stay is kept. */
  setListed(listed: readonly ListedDeployment[]): void {
    const removed = this.listing.list(listed);
    if (removed === undefined) return;
    for (const id of removed) this.bulk?.forget(id);
    for (const id of removed) this.session?.reads.cancel(id);
    if (this.bulk === undefined) this.listing.settle();
    this.changes.touchAll();
  }

  /**
   * Reads these, or all. Resolves when the last answer is in, cancelled ones included; never rejects. `signal` ends it, unless
   * somebody else asked for the same refresh without one.
   */
  refreshAll(ids?: readonly string[], signal?: AbortSignal): Promise<void> {
    const wanted = (ids ?? this.listing.deployments.map(({ id }) => id)).filter(
      (id) => this.listing.get(id) !== undefined,
    );
    const session = this.session;
    if (session === undefined || wanted.length === 0 || signal?.aborted === true) return Promise.resolve();
    if (this.bulk === undefined) {
      session.causes.refreshing(true);
      this.bulk = new BulkRefresh(session.reads, this.options.window ?? 128, () => this.endBulk());
    }
    const { bulk } = this;
    if (signal === undefined) bulk.kept = true;
    const abort = (): void => {
      if (this.bulk === bulk && !bulk.kept) bulk.cancel();
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.changes.touch();
    bulk.add(wanted);
    return bulk.promise;
  }

  /** One, ahead of a bulk refresh if `urgent`; resolves with what is known afterwards. Never rejects. */
  refresh(id: string, signal?: AbortSignal, urgent = true): Promise<Deployment | undefined> {
    const session = this.session;
    if (session === undefined || this.get(id) === undefined || signal?.aborted === true) {
      return Promise.resolve(this.get(id));
    }
    return new Promise((resolve) => {
      const leave = session.reads.want(id, urgent, () => {
        signal?.removeEventListener('abort', leave);
        resolve(this.get(id));
      });
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  /** Until then, epoch ms, these problems are counted nowhere. */
  mute(problems: readonly Problem[], until: number): void {
    if (this.session) this.options.mutes.mute(this.session.organizationId, problems, until, this.deployments);
  }

  unmute(problems: readonly Problem[]): void {
    if (this.session) this.options.mutes.unmute(this.session.organizationId, problems);
  }

  /** `pausedUntil` says something else than before. */
  pausesChanged(): void {
    this.changes.touch();
  }

  cancelRefresh(): void {
    this.bulk?.cancel();
  }

  dispose(): void {
    this.changed.dispose();
    this.newProblems.dispose();
    const session = this.session;
    this.session = undefined;
    this.endSession(session);
    this.options.seen.flush();
    this.options.mutes.dispose();
    this.changes.dispose();
  }

  private createSession(organizationId: string, read: ReadDeployment): Session {
    const causes = new Causes(this.options.now);
    const reads = new Reads(read, {
      phase: (id, { kind }) =>
        this.setActivity(id, kind === 'connecting' || kind === 'sending' ? 'reading' : 'waiting'),
      answered: (id, answer) => {
        causes.answered();
        this.takeAnswer(organizationId, id, answer);
      },
      failed: (id, failure) => {
        if (failure.kind === 'cancelled') return this.setActivity(id, 'idle');
        causes.failed(failure);
        this.takeFailure(id, failure);
        if (causes.hopeless) this.bulk?.cancel();
      },
    });
    return { organizationId, reads, causes };
  }

  private endSession(session: Session | undefined): void {
    this.bulk?.cancel();
    session?.reads.cancelAll();
  }

  private takeAnswer(organizationId: string, id: string, answer: Answer<DeploymentAuthorization>): void {
    const before = this.listing.get(id);
    if (before === undefined) return;
    const seen = this.options.seen.answer(organizationId, id, answer.receivedAt);
    const found = new Findings(answer.value, id, seen.see, answer);
    const unremembered = seen.end();
    this.options.mutes.take(organizationId, id, found);
    const findings = found.withMutes((problem) => this.options.mutes.until(organizationId, problem));
    // What this workspace remembers has a bound, and a problem that the answer before had is never new.
    const known = before.answer && new Set(before.answer.findings.all.map(({ key }) => key));
    for (const { key } of findings.problems) {
      if (known ? !known.has(key) : unremembered.has(key)) this.found.set(key, id);
    }
    const { value: authorization, ...rest } = answer;
    const { failure: _, ...kept } = before;
    const { state } = findings;
    this.replace({ ...kept, state, activity: 'idle', answer: { authorization, findings, ...rest } });
    this.readEnded(id);
  }

  private takeFailure(id: string, failure: Failure): void {
    const before = this.listing.get(id);
    if (before === undefined) return;
    this.replace({
      ...before,
      state: before.answer?.findings.state ?? 'unknown',
      activity: 'idle',
      failure: { failure, at: this.options.now() },
    });
    this.readEnded(id);
  }

  /** What a mute covers, or covered until now, is counted anew. */
  private applyMutes(touched: ReadonlySet<string>): void {
    const { organizationId } = this;
    if (organizationId === undefined) return;
    for (const deployment of this.listing.deployments) {
      const { answer, id } = deployment;
      if (!answer || (answer.findings.muted.length === 0 && !touched.has(id))) continue;
      const findings = answer.findings.withMutes((problem) => this.options.mutes.until(organizationId, problem));
      if (findings === answer.findings) continue;
      this.replace({ ...deployment, state: findings.state, answer: { ...answer, findings } });
    }
    if (this.bulk === undefined && this.listing.settle()) this.changes.touchAll();
  }

  private setActivity(id: string, activity: Deployment['activity']): void {
    const before = this.listing.get(id);
    if (before !== undefined && before.activity !== activity) this.replace({ ...before, activity });
  }

  private replace(deployment: Deployment): void {
    this.listing.replace(deployment);
    this.changes.touch(deployment.id);
  }

  /** A refresh of many settles the order and tells what was found when it ends. */
  private readEnded(id: string): void {
    if (this.bulk === undefined) this.endRefresh();
    else this.bulk.skip(id);
  }

  private endBulk(): void {
    this.bulk = undefined;
    this.session?.causes.refreshing(false);
    this.endRefresh();
    this.changes.fireNow();
  }

  /** A refresh of many or of one is over: the order is settled, and what it found is told. */
  private endRefresh(): void {
    if (this.listing.settle()) this.changes.touchAll();
    this.changes.touch();
    this.options.seen.flush();
    const problems = [...this.found].flatMap(([key, id]) => {
      const deployment = this.get(id);
      // It may be gone or muted since.
      const problem = deployment?.answer?.findings.problems.find((one) => one.key === key);
      return deployment && problem ? [{ deployment, problem }] : [];
    });
    this.found.clear();
    if (problems.length > 0) this.newProblems.fire(problems);
  }
}

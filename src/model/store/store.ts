import type { Answer } from '../../api/answer.js';
import type { DeploymentAuthorization } from '../../api/authorization.js';
import type { Failure } from '../../api/failure.js';
import type { Phase } from '../../api/queue.js';
import { type Counts, countDeployments, type Deployment, type ListedDeployment } from '../deployment.js';
import { type Disposable, Emitter } from '../emitter.js';
import { Findings, type Problem } from '../findings.js';
import type { SeenSince } from '../seenSince.js';
import { type SetTimer, setTimer } from '../time.js';
import { Causes, type OrganizationCause } from './causes.js';
import { Changes } from './changes.js';
import { Listing } from './listing.js';
import { BulkRefresh, type ReadDeployment, type ReadOutcome, Reads } from './reads.js';

/** What changed since the last event. Events come at most every 250 ms, the first at once, the last with the last answer. */
export interface StoreChange {
  /** Ids whose object was replaced; `all` after a new list, order or organization. */
  readonly deployments: ReadonlySet<string> | 'all';
}

/** Problems that a finished refresh found and that were not there before (never from a failed read). */
export interface NewProblems {
  readonly problems: readonly { readonly deployment: Deployment; readonly problem: Problem }[];
}

export interface StoreOptions {
  readonly now: () => number;
  readonly seen: SeenSince;
  /** Reads of a bulk refresh handed out at a time; how many are sent at once is the queue's business. */
  readonly window?: number;
  /** Least distance of two change events, ms. */
  readonly eventInterval?: number;
  readonly setTimer?: SetTimer;
}

/** One organization with one token: its reads, and what they say about all of it. */
interface Session {
  readonly organizationId: string;
  readonly read: ReadDeployment;
  readonly reads: Reads;
  readonly causes: Causes;
}

interface FoundProblem {
  readonly deploymentId: string;
  readonly problem: Problem;
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

  private readonly now: () => number;
  private readonly seen: SeenSince;
  private readonly window: number;
  private readonly setTimer: SetTimer;
  private readonly changes: Changes;
  private readonly listing = new Listing();
  private session: Session | undefined;
  private bulk: BulkRefresh | undefined;
  /** Ids read since the bulk refresh began, whoever asked. */
  private readonly readInBulk = new Set<string>();
  private found: FoundProblem[] = [];
  private cachedCounts: Counts | undefined;

  constructor(options: StoreOptions) {
    this.now = options.now;
    this.seen = options.seen;
    this.window = options.window ?? 128;
    this.setTimer = options.setTimer ?? setTimer;
    this.changes = new Changes({
      now: options.now,
      setTimer: this.setTimer,
      interval: options.eventInterval ?? 250,
      fire: (deployments) => this.changed.fire({ deployments }),
      remaining: () => this.bulk?.remaining(this.now()),
    });
  }

  /** Whose deployments these are. */
  get organizationId(): string | undefined {
    return this.session?.organizationId;
  }

  /** In the settled order: worst first, then label. During a bulk refresh rows stay where they are. */
  get deployments(): readonly Deployment[] {
    return this.session === undefined ? [] : this.listing.deployments;
  }

  get counts(): Counts {
    this.cachedCounts ??= countDeployments(this.deployments);
    return this.cachedCounts;
  }

  get cause(): OrganizationCause | undefined {
    return this.session?.causes.current;
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
    if (before === undefined && organization === undefined) return;
    if (before !== undefined && before.organizationId === organization?.id && before.read === organization.read) return;
    this.session = organization && this.createSession(organization.id, organization.read);
    // The same organization with another token: what was read stays true.
    if (before?.organizationId !== organization?.id) this.listing.forgetData();
    this.changes.together(() => {
      this.endSession(before);
      this.listing.settle();
      this.cachedCounts = undefined;
      this.changes.touchAll();
      // At once, because what belongs to an organization that is gone must not be shown a moment longer.
      this.changes.fireNow();
    });
  }

  /** A new list: data of ids that stay is kept. */
  setListed(listed: readonly ListedDeployment[]): void {
    const removed = this.listing.list(listed);
    if (removed === undefined) return;
    for (const id of removed) this.session?.reads.cancel(id);
    if (this.bulk === undefined) this.listing.settle();
    this.cachedCounts = undefined;
    this.changes.touchAll();
    this.changes.settle();
  }

  /**
   * Reads these, or all. Resolves when the last answer is in, cancelled ones included; never rejects. `signal` ends it, unless
   * somebody else asked for the same refresh without one.
   */
  refreshAll(ids?: readonly string[], signal?: AbortSignal): Promise<void> {
    const wanted = ids === undefined ? this.listing.ids : ids.filter((id) => this.listing.get(id) !== undefined);
    const session = this.session;
    if (session === undefined || wanted.length === 0 || signal?.aborted === true) return Promise.resolve();
    if (this.bulk === undefined) {
      this.readInBulk.clear();
      session.causes.refreshStarts();
      this.bulk = new BulkRefresh(
        {
          window: this.window,
          want: (id, ended) => session.reads.want(id, false, ended),
          isDone: (id) => this.readInBulk.has(id) || this.listing.get(id) === undefined,
          finished: () => this.endBulk(),
        },
        this.now(),
      );
    }
    const bulk = this.bulk;
    if (signal === undefined) bulk.kept = true;
    const abort = (): void => {
      if (this.bulk === bulk && !bulk.kept) this.cancelRefresh();
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.changes.together(() => {
      this.changes.touchNothing();
      bulk.add(wanted);
    });
    if (signal) void bulk.promise.then(() => signal.removeEventListener('abort', abort));
    return bulk.promise;
  }

  /** One, ahead of a bulk refresh; resolves with what is known afterwards. Never rejects. */
  refresh(id: string, signal?: AbortSignal): Promise<Deployment | undefined> {
    const session = this.session;
    if (session === undefined || this.get(id) === undefined || signal?.aborted === true) {
      return Promise.resolve(this.get(id));
    }
    return new Promise((resolve) => {
      const end = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve(this.get(id));
      };
      const abort = (): void => {
        leave();
        end();
      };
      const ended = (outcome: ReadOutcome): void => {
        // A refresh of many settles the order and tells what was found when it ends.
        if (outcome !== 'cancelled' && this.bulk === undefined) this.endRefresh();
        end();
      };
      const leave = session.reads.want(id, true, ended);
      signal?.addEventListener('abort', abort, { once: true });
      this.changes.settle();
    });
  }

  /** A 429 of any operation holds this organization until then, epoch ms. */
  pause(organizationId: string, until: number): void {
    if (this.session?.organizationId !== organizationId) return;
    this.session.causes.paused(until);
    this.causeChanged();
  }

  /** Ends the bulk refresh; what has arrived stays. */
  cancelRefresh(): void {
    this.changes.together(() => this.bulk?.cancel());
  }

  dispose(): void {
    this.changed.dispose();
    this.newProblems.dispose();
    const session = this.session;
    this.session = undefined;
    this.endSession(session);
    this.seen.flush();
    this.changes.dispose();
  }

  private createSession(organizationId: string, read: ReadDeployment): Session {
    const causes = new Causes({ now: this.now, setTimer: this.setTimer, changed: () => this.causeChanged() });
    const reads = new Reads(read, {
      phase: (id, phase) => this.takePhase(causes, id, phase),
      answered: (id, answer) => this.takeAnswer(organizationId, causes, id, answer),
      failed: (id, failure) => this.takeFailure(causes, id, failure),
      cancelled: (id) => {
        this.setActivity(id, 'idle');
        this.changes.settle();
      },
      together: (changes) => this.changes.together(changes),
    });
    return { organizationId, read, reads, causes };
  }

  private endSession(session: Session | undefined): void {
    this.found = [];
    this.bulk?.cancel();
    session?.reads.cancelAll();
    session?.causes.dispose();
  }

  private takePhase(causes: Causes, id: string, phase: Phase): void {
    if (phase.kind === 'paused') {
      causes.paused(phase.until);
      this.changes.touchNothing();
    }
    // A request that leaves the queue shows that no pause holds it.
    if (phase.kind === 'connecting' && causes.resumed()) this.changes.touchNothing();
    const hasLeft = phase.kind === 'connecting' || phase.kind === 'sending';
    this.setActivity(id, hasLeft ? 'reading' : 'waiting');
    // `waiting` is told while a refresh still starts other reads; all of them are told as one change.
    if (phase.kind !== 'waiting') this.changes.settle();
  }

  private takeAnswer(
    organizationId: string,
    causes: Causes,
    id: string,
    answer: Answer<DeploymentAuthorization>,
  ): void {
    causes.answered();
    const before = this.listing.get(id);
    if (before === undefined) return;
    const seenAnswer = this.seen.answer(organizationId, id, answer.receivedAt);
    const unremembered = new Set<string>();
    const seenSince = (key: string): number => {
      const { at, known } = seenAnswer.see(key);
      if (!known) unremembered.add(key);
      return at;
    };
    const findings = new Findings(answer.value, id, seenSince, answer);
    seenAnswer.end();
    const known = before.answer && new Set(before.answer.findings.problems.map((problem) => problem.key));
    for (const problem of findings.problems) {
      const isNew = known === undefined ? unremembered.has(problem.key) : !known.has(problem.key);
      if (isNew) this.found.push({ deploymentId: id, problem });
    }
    const { value: authorization, ...rest } = answer;
    const { name, label } = before;
    this.replace({
      id,
      ...(label !== undefined && { label }),
      name,
      state: findings.state,
      activity: 'idle',
      answer: { authorization, findings, ...rest },
    });
    this.readEnded(id);
  }

  private takeFailure(causes: Causes, id: string, failure: Failure): void {
    causes.failed(failure);
    const before = this.listing.get(id);
    if (before === undefined) return;
    this.replace({
      ...before,
      state: before.answer?.findings.state ?? 'unknown',
      activity: 'idle',
      failure: { failure, at: this.now() },
    });
    this.readEnded(id);
    if (causes.hopeless) this.bulk?.cancel();
  }

  private readEnded(id: string): void {
    if (this.bulk !== undefined) this.readInBulk.add(id);
    this.changes.settle();
  }

  private setActivity(id: string, activity: Deployment['activity']): void {
    const before = this.listing.get(id);
    if (before !== undefined && before.activity !== activity) this.replace({ ...before, activity });
  }

  private replace(deployment: Deployment): void {
    this.listing.replace(deployment);
    this.cachedCounts = undefined;
    this.changes.touch(deployment.id);
  }

  private causeChanged(): void {
    this.changes.touchNothing();
    this.changes.settle();
  }

  private endBulk(): void {
    this.bulk = undefined;
    this.readInBulk.clear();
    this.session?.causes.refreshEnds();
    this.endRefresh();
  }

  /** A refresh of many or of one is over: the order is settled, and what it found is told. */
  private endRefresh(): void {
    if (this.listing.settle()) this.changes.touchAll();
    this.changes.touchNothing();
    this.changes.settle();
    this.seen.flush();
    const found = this.found;
    this.found = [];
    const problems = found.flatMap(({ deploymentId, problem }) => {
      const deployment = this.get(deploymentId);
      // It may be gone, if the deployment was read again since.
      return deployment?.answer?.findings.problems.includes(problem) === true ? [{ deployment, problem }] : [];
    });
    if (problems.length > 0) this.newProblems.fire({ problems });
  }
}

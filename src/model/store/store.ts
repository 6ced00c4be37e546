import type { Answer } from '../../api/answer.js';
import type { Phase } from '../../api/client.js';
import type { DeploymentAuthorization } from '../../api/deploymentAuthorization.js';
import type { Failure } from '../../api/failure.js';
import { countDeployments } from '../countDeployments.js';
import type { Deployment, ListedDeployment } from '../deployment.js';
import { deriveFindings } from '../deriveFindings.js';
import { Emitter } from '../emitter.js';
import type { Problem } from '../findings.js';
import type { SeenSince } from '../seenSince.js';
import { type SetTimer, setTimer } from '../timer.js';
import { BulkRefresh } from './bulkRefresh.js';
import { OrganizationCauses } from './causes.js';
import { ChangePacer } from './changes.js';
import type {
  Counts,
  DeploymentStore,
  NewProblems,
  OrganizationCause,
  ReadDeployment,
  StoreChange,
} from './deploymentStore.js';
import { Listing } from './listing.js';
import { type ReadOutcome, Reads } from './reads.js';

export interface DeploymentStoreOptions {
  readonly now: () => number;
  readonly seen: SeenSince;
  /** Reads of a bulk refresh handed out at a time; how many are sent at once is the limiter's business. */
  readonly window?: number;
  /** Least distance of two change events, ms. */
  readonly eventInterval?: number;
  readonly setTimer?: SetTimer;
}

export function createDeploymentStore(options: DeploymentStoreOptions): DeploymentStore {
  return new Store(options);
}

/** One organization with one token: its reads, and what they say about all of it. */
interface Session {
  readonly organizationId: string;
  readonly read: ReadDeployment;
  readonly reads: Reads;
  readonly causes: OrganizationCauses;
}

interface FoundProblem {
  readonly deploymentId: string;
  readonly problem: Problem;
}

class Store implements DeploymentStore {
  private readonly changes = new Emitter<StoreChange>();
  private readonly newProblems = new Emitter<NewProblems>();
  readonly onDidChange = this.changes.event;
  readonly onDidFindNewProblems = this.newProblems.event;

  private readonly now: () => number;
  private readonly seen: SeenSince;
  private readonly window: number;
  private readonly setTimer: SetTimer;
  private readonly pacer: ChangePacer;
  private readonly listing = new Listing();
  private session: Session | undefined;
  private bulk: BulkRefresh | undefined;
  /** Ids read since the bulk refresh began, whoever asked. */
  private readonly readInBulk = new Set<string>();
  private found: FoundProblem[] = [];
  private cachedCounts: Counts | undefined;

  constructor(options: DeploymentStoreOptions) {
    this.now = options.now;
    this.seen = options.seen;
    this.window = options.window ?? 128;
    this.setTimer = options.setTimer ?? setTimer;
    this.pacer = new ChangePacer({
      now: options.now,
      setTimer: this.setTimer,
      interval: options.eventInterval ?? 250,
      fire: (deployments) => this.changes.fire({ deployments }),
      remaining: () => this.bulk?.remaining(this.now()),
    });
  }

  get organizationId(): string | undefined {
    return this.session?.organizationId;
  }

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

  get progress(): { readonly done: number; readonly total: number } | undefined {
    return this.bulk?.progress;
  }

  get(id: string): Deployment | undefined {
    return this.session === undefined ? undefined : this.listing.get(id);
  }

  setOrganization(organization: { readonly id: string; readonly read: ReadDeployment } | undefined): void {
    const before = this.session;
    if (before === undefined && organization === undefined) return;
    if (before !== undefined && before.organizationId === organization?.id && before.read === organization.read) return;
    this.session = organization && this.createSession(organization.id, organization.read);
    // The same organization with another token: what was read stays true.
    if (before?.organizationId !== organization?.id) this.listing.forgetData();
    this.pacer.together(() => {
      this.endSession(before);
      this.listing.settle();
      this.cachedCounts = undefined;
      this.pacer.touchAll();
      // Not paced: what belongs to an organization that is gone must not be shown a moment longer.
      this.pacer.fireNow();
    });
  }

  setListed(listed: readonly ListedDeployment[]): void {
    const removed = this.listing.list(listed);
    if (removed === undefined) return;
    for (const id of removed) this.session?.reads.cancel(id);
    if (this.bulk === undefined) this.listing.settle();
    this.cachedCounts = undefined;
    this.pacer.touchAll();
    this.pacer.settle();
  }

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
    this.pacer.together(() => {
      this.pacer.touchNothing();
      bulk.add(wanted);
    });
    if (signal) void bulk.promise.then(() => signal.removeEventListener('abort', abort));
    return bulk.promise;
  }

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
        // While many are read their order stands, and what was found is told at the end.
        if (outcome !== 'cancelled' && this.bulk === undefined) this.endRefresh();
        end();
      };
      const leave = session.reads.want(id, true, ended);
      signal?.addEventListener('abort', abort, { once: true });
      this.pacer.settle();
    });
  }

  pause(organizationId: string, until: number): void {
    if (this.session?.organizationId !== organizationId) return;
    this.session.causes.paused(until);
    this.causeChanged();
  }

  cancelRefresh(): void {
    this.pacer.together(() => this.bulk?.cancel());
  }

  dispose(): void {
    this.changes.dispose();
    this.newProblems.dispose();
    const session = this.session;
    this.session = undefined;
    this.endSession(session);
    this.seen.flush();
    this.pacer.dispose();
  }

  private createSession(organizationId: string, read: ReadDeployment): Session {
    const causes = new OrganizationCauses({
      now: this.now,
      setTimer: this.setTimer,
      changed: () => this.causeChanged(),
    });
    const reads = new Reads(read, {
      phase: (id, phase) => this.takePhase(causes, id, phase),
      answered: (id, answer) => this.takeAnswer(organizationId, causes, id, answer),
      failed: (id, failure) => this.takeFailure(causes, id, failure),
      cancelled: (id) => {
        this.setActivity(id, 'idle');
        this.pacer.settle();
      },
      together: (changes) => this.pacer.together(changes),
    });
    return { organizationId, read, reads, causes };
  }

  private endSession(session: Session | undefined): void {
    this.found = [];
    this.bulk?.cancel();
    session?.reads.cancelAll();
    session?.causes.dispose();
  }

  private takePhase(causes: OrganizationCauses, id: string, phase: Phase): void {
    if (phase.kind === 'paused') {
      causes.paused(phase.until);
      this.pacer.touchNothing();
    }
    this.setActivity(id, phase.kind === 'sending' ? 'reading' : 'waiting');
    // The first call of a read comes while its refresh still starts others: those settle together.
    if (phase.kind !== 'waiting') this.pacer.settle();
  }

  private takeAnswer(
    organizationId: string,
    causes: OrganizationCauses,
    id: string,
    answer: Answer<DeploymentAuthorization>,
  ): void {
    causes.answered();
    const before = this.listing.get(id);
    if (before === undefined) return;
    const seenAnswer = this.seen.answer(organizationId, id, answer.receivedAt);
    const unremembered = new Set<string>();
    const findings = deriveFindings(
      answer.value,
      id,
      (key) => {
        const { at, known } = seenAnswer.see(key);
        if (!known) unremembered.add(key);
        return at;
      },
      answer,
    );
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

  private takeFailure(causes: OrganizationCauses, id: string, failure: Failure): void {
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
    this.pacer.settle();
  }

  private setActivity(id: string, activity: Deployment['activity']): void {
    const before = this.listing.get(id);
    if (before !== undefined && before.activity !== activity) this.replace({ ...before, activity });
  }

  private replace(deployment: Deployment): void {
    this.listing.replace(deployment);
    this.cachedCounts = undefined;
    this.pacer.touch(deployment.id);
  }

  private causeChanged(): void {
    this.pacer.touchNothing();
    this.pacer.settle();
  }

  private endBulk(): void {
    this.bulk = undefined;
    this.readInBulk.clear();
    this.session?.causes.refreshEnds();
    this.endRefresh();
  }

  /** A refresh of many or of one is over: the order is settled, and what it found is told. */
  private endRefresh(): void {
    if (this.listing.settle()) this.pacer.touchAll();
    this.pacer.touchNothing();
    this.pacer.settle();
    this.seen.flush();
    const found = this.found;
    this.found = [];
    const problems = found.flatMap(({ deploymentId, problem }) => {
      const deployment = this.get(deploymentId);
      // Read again since, and gone: no news.
      return deployment?.answer?.findings.problems.includes(problem) === true ? [{ deployment, problem }] : [];
    });
    if (problems.length > 0) this.newProblems.fire({ problems });
  }
}

import type { Answer } from '../../api/answer.js';
import type { DeploymentAuthorization } from '../../api/authorization.js';
import type { Call, Phase } from '../../api/call.js';
import { ApiError } from '../../api/failure.js';
import { failureOf } from '../../api/network/errorCodes.js';
import type { Disposable } from '../base/emitter.js';
import type { Clock } from '../base/time.js';
import type { Deployment } from '../findings/deployment.js';

export type ReadDeployment = (
  deploymentId: string,
  call: Call,
) => Promise<Answer<DeploymentAuthorization>>;

export interface RefreshOptions {
  /**
   * The user asked for these deployments: they are read before all others, and read anew if their
   * request was sent a while ago.
   */
  readonly urgent?: boolean;
  /**
   * Reads again what the refreshes in progress have read already, because the user asked for all.
   */
  readonly rereadsFinished?: boolean;
  /**
   * Neither counts in the progress nor ends with Cancel Refresh: for probes, tools, and what the
   * circuit breaker has read once more.
   */
  readonly outsideProgress?: boolean;
  /**
   * Reads no other deployment, whatever an answer says of an account that others share. Defaults to
   * `outsideProgress`.
   */
  readonly readsOnlyThese?: boolean;
  readonly signal?: AbortSignal;
}

export interface ReadAgainOptions {
  /** False if the deployment was itself read again because of an answer, so that this ends. */
  readonly mayReadOthers: boolean;
  /** Returns whether a refresh that follows up on answers waits for this deployment already. */
  readonly isWaitedFor: (deploymentId: string) => boolean;
}

/** What the store does as reads go on. */
export interface ReadsListener {
  /** `idle`, unless the user asked for the deployment and its read takes a while. */
  activity(deploymentId: string, activity: Deployment['activity']): void;
  answered(deploymentId: string, answer: Answer<DeploymentAuthorization>): void;
  /**
   * Called after `answered` if a refresh wants to follow up on the answer. Returns the IDs of the
   * deployments that this refresh reads again.
   */
  toReadAgain(deploymentId: string, options: ReadAgainOptions): Iterable<string>;
  /**
   * The failure is `cancelled` if no refresh waits for the deployment any more, or if it left the
   * list.
   */
  failed(deploymentId: string, error: ApiError): void;
  /**
   * A refresh ended, and none is left in the progress. `outsideProgress`: whether the one that
   * ended was not in the progress, either.
   */
  refreshed(outsideProgress: boolean): void;
}

/** A call of `refresh` that has not ended. */
interface Refresh {
  readonly urgent: boolean;
  readonly outsideProgress: boolean;
  readonly readsOnlyThese: boolean;
  /** The IDs of the deployments that it still waits for. */
  readonly pending: Set<string>;
  /**
   * The IDs of the deployments that it reads because of an answer, and not because its caller asked
   * for them.
   */
  readonly readAgain: Set<string>;
  /** Ends the promise of the call. */
  readonly resolve: () => void;
  /** Whether the rows of its deployments show that they are being read. */
  isShown: boolean;
}

/** The read of one deployment, from its start until its end. */
interface Read {
  readonly urgent: boolean;
  /** Those that end with this read. */
  readonly refreshes: Set<Refresh>;
  /** Those that came too late for this read, which therefore is followed by another. */
  readonly nextRefreshes: Set<Refresh>;
  readonly controller: AbortController;
  phase: Phase['kind'];
  /**
   * When its request was sent, in ms of `elapsed`; `undefined` before that and while it waits to be
   * sent again.
   */
  sentAt: number | undefined;
}

/** A request that was sent longer ago may be answered with what was true before the user asked. */
const maxSharedMs = 1000;

/** After so long, the rows of a refresh that the user asked for show that they are being read. */
const shownAfterMs = 500;

/** One error for all, because a refresh that is cancelled can have thousands of reads. */
const notWanted = new ApiError({ kind: 'cancelled' });

/**
 * The reads of one organization's deployments: at most one per deployment, shared by all refreshes
 * that want it. A request is aborted when no refresh waits for it, and what it still brings is
 * dropped, so no answer arrives out of order or for an organization that is gone. The store owns it
 * and listens.
 */
export class Reads {
  /** By deployment ID. */
  private readonly reads = new Map<string, Read>();
  private readonly refreshes = new Set<Refresh>();
  /** The IDs of all deployments that count in the progress: read or not, since it began. */
  private readonly inProgress = new Set<string>();
  /** The IDs of those for which a refresh in the progress still waits. */
  private readonly pendingInProgress = new Set<string>();

  constructor(
    private readonly read: ReadDeployment,
    private readonly listener: ReadsListener,
    private readonly clock: Pick<Clock, 'elapsed' | 'setTimer'>,
  ) {}

  /** Numbers of deployments; `undefined` while no refresh is in the progress. */
  get progress(): { readonly done: number; readonly total: number } | undefined {
    const total = this.inProgress.size;
    return total === 0 ? undefined : { done: total - this.pendingInProgress.size, total };
  }

  /**
   * Resolves when each of these deployments has been read or is no longer waited for. Never
   * rejects.
   */
  refresh(ids: readonly string[], options: RefreshOptions): Promise<void> {
    const { signal } = options;
    const wanted = new Set(this.toRead(ids, options));
    if (wanted.size === 0 || signal?.aborted === true) return Promise.resolve();

    return new Promise((resolve) => {
      const refresh = this.createRefresh(wanted, options, () => {
        signal?.removeEventListener('abort', leave);
        timer?.dispose();
        resolve();
      });
      const leave = (): void => this.leave([refresh]);
      const timer = this.showLater(refresh);
      signal?.addEventListener('abort', leave);
      this.refreshes.add(refresh);
      for (const id of wanted) this.addToRefresh(id, refresh);
    });
  }

  /** Ends all refreshes that are in the progress. */
  cancelRefresh(): void {
    this.leave([...this.refreshes].filter(({ outsideProgress }) => !outsideProgress));
  }

  cancelAll(): void {
    this.leave([...this.refreshes]);
  }

  /** These deployments left the list. */
  forget(ids: readonly string[]): void {
    for (const id of ids) {
      const read = this.reads.get(id);
      if (read) {
        this.stop(id, read);
        for (const refresh of waitingRefreshes(read)) this.endFor(refresh, id);
      }
      this.inProgress.delete(id);
    }
  }

  /** Returns those of the IDs that are to be read. */
  private toRead(ids: readonly string[], options: RefreshOptions): readonly string[] {
    const { urgent = false, rereadsFinished = false, outsideProgress = false } = options;
    if (urgent || rereadsFinished || outsideProgress) return ids;
    // An automatic refresh does not repeat what the refreshes in progress have read.
    const isFinished = (id: string): boolean =>
      this.inProgress.has(id) && !this.pendingInProgress.has(id);
    return ids.filter((id) => !isFinished(id));
  }

  private createRefresh(
    pending: Set<string>,
    options: RefreshOptions,
    resolve: () => void,
  ): Refresh {
    const { urgent = false, outsideProgress = false } = options;
    return {
      urgent,
      outsideProgress,
      readsOnlyThese: options.readsOnlyThese ?? outsideProgress,
      pending,
      readAgain: new Set(),
      resolve,
      isShown: false,
    };
  }

  /** Has rows show what the refresh does if the user asked for it and it takes a while. */
  private showLater(refresh: Refresh): Disposable | undefined {
    if (!refresh.urgent || refresh.outsideProgress) return undefined;
    return this.clock.setTimer(() => this.show(refresh), shownAfterMs);
  }

  /** Has the refresh read one more deployment. */
  private addToRefresh(id: string, refresh: Refresh): void {
    if (!refresh.outsideProgress) {
      this.inProgress.add(id);
      this.pendingInProgress.add(id);
    }
    this.joinRead(id, refresh);
  }

  /** Joins the deployment's read, follows it with another, or starts one. */
  private joinRead(id: string, refresh: Refresh): void {
    const isReadAgain = refresh.readAgain.has(id);
    const urgent = refresh.urgent && !isReadAgain;
    const read = this.reads.get(id);
    if (read === undefined) {
      this.start(id, urgent, new Set([refresh]));
      return;
    }

    // A request that was sent before the newest answer may bring once more what that answer
    // contradicts.
    const isSentTooEarly =
      read.sentAt !== undefined && (isReadAgain || (urgent && this.isOld(read.sentAt)));
    if (isSentTooEarly) {
      read.nextRefreshes.add(refresh);
      return;
    }
    read.refreshes.add(refresh);
    if (urgent && !read.urgent && isWaiting(read)) this.replaceByUrgent(id, read);
  }

  /** `sentAt`: ms of `elapsed`. */
  private isOld(sentAt: number): boolean {
    return this.clock.elapsed() - sentAt > maxSharedMs;
  }

  /** Starts the read anew as an urgent one, because a request that waits cannot be moved ahead. */
  private replaceByUrgent(id: string, { controller, refreshes, nextRefreshes }: Read): void {
    this.start(id, true, refreshes, nextRefreshes);
    controller.abort(notWanted);
  }

  private show(refresh: Refresh): void {
    refresh.isShown = true;
    for (const id of refresh.pending) this.showActivity(id, this.reads.get(id)!);
  }

  private showActivity(id: string, read: Read): void {
    const isShown = waitingRefreshes(read).some(
      (refresh) => refresh.isShown && !refresh.readAgain.has(id),
    );
    const activity = isWaiting(read) ? 'waiting' : 'reading';
    this.listener.activity(id, isShown ? activity : 'idle');
  }

  private start(
    id: string,
    urgent: boolean,
    refreshes: Set<Refresh>,
    nextRefreshes = new Set<Refresh>(),
  ): void {
    const { listener } = this;
    const controller = new AbortController();
    const read: Read = {
      urgent,
      refreshes,
      nextRefreshes,
      controller,
      phase: 'waiting',
      sentAt: undefined,
    };
    this.reads.set(id, read);
    this.showActivity(id, read);

    const onPhase = ({ kind }: Phase): void => {
      if (this.reads.get(id) !== read) return;
      read.phase = kind;
      read.sentAt = kind === 'sending' ? this.clock.elapsed() : undefined;
      this.showActivity(id, read);
    };
    const onAnswer = (answer: Answer<DeploymentAuthorization>): void => {
      listener.answered(id, answer);
      this.followUp(id, read);
    };
    const onError = (error: unknown): void => {
      // `api` rejects with `ApiError` only. An error of ours must end the read as well.
      listener.failed(id, error instanceof ApiError ? error : new ApiError(failureOf(error)));
    };
    this.read(id, { signal: controller.signal, urgent, onPhase }).then(
      (answer) => this.end(id, read, () => onAnswer(answer)),
      (error: unknown) => this.end(id, read, () => onError(error)),
    );
  }

  /** Ends a read, unless it was stopped or replaced before. `notify` reports how it ended. */
  private end(id: string, read: Read, notify: () => void): void {
    if (this.reads.get(id) !== read) return;
    this.reads.delete(id);
    notify();

    // `notify` may have started another read of the deployment for some of these refreshes.
    for (const refresh of read.refreshes) {
      const isReadAgain = this.reads.get(id)?.refreshes.has(refresh) === true;
      if (!isReadAgain) this.endFor(refresh, id);
    }
    // `notify` may have cancelled some of these refreshes, which then wait for nothing.
    for (const refresh of read.nextRefreshes) {
      if (refresh.pending.has(id)) this.joinRead(id, refresh);
    }
  }

  /**
   * Has the refreshes that wanted an answer read again what the listener names since the answer
   * arrived.
   */
  private followUp(id: string, { refreshes, nextRefreshes }: Read): void {
    // `answered` may have ended some of the refreshes.
    const following = [...refreshes].filter(
      (refresh) => !refresh.readsOnlyThese && this.refreshes.has(refresh),
    );
    if (following.length === 0) return;

    const isWaitedFor = (otherId: string): boolean =>
      otherId === id ? nextRefreshes.size > 0 : this.isInFollowingRefresh(otherId);
    const mayReadOthers = following.some((refresh) => !refresh.readAgain.has(id));
    for (const otherId of this.listener.toReadAgain(id, { mayReadOthers, isWaitedFor })) {
      for (const refresh of following) {
        refresh.pending.add(otherId);
        refresh.readAgain.add(otherId);
        this.addToRefresh(otherId, refresh);
      }
    }
  }

  /** Returns whether a refresh that follows up on answers waits for this deployment. */
  private isInFollowingRefresh(id: string): boolean {
    for (const { readsOnlyThese, pending } of this.refreshes) {
      if (!readsOnlyThese && pending.has(id)) return true;
    }
    return false;
  }

  /** The refresh has what it wanted of this deployment, and ends if that was the last. */
  private endFor(refresh: Refresh, id: string): void {
    if (!refresh.pending.has(id)) return;
    this.release(refresh, id);
    if (refresh.pending.size === 0) this.close(refresh);
  }

  /** The refresh no longer waits for this deployment. */
  private release(refresh: Refresh, id: string): void {
    refresh.pending.delete(id);
    for (const { outsideProgress, pending } of this.refreshes) {
      if (!outsideProgress && pending.has(id)) return;
    }
    this.pendingInProgress.delete(id);
  }

  /**
   * Ends these refreshes without their answers, and stops the reads for which no other refresh
   * waits.
   */
  private leave(refreshes: readonly Refresh[]): void {
    for (const refresh of refreshes) {
      for (const id of refresh.pending) {
        this.release(refresh, id);
        this.leaveRead(id, refresh);
        if (!refresh.outsideProgress && !this.pendingInProgress.has(id)) this.inProgress.delete(id);
      }
      this.close(refresh);
    }
  }

  private leaveRead(id: string, refresh: Refresh): void {
    const read = this.reads.get(id);
    if (read === undefined) return;
    read.refreshes.delete(refresh);
    read.nextRefreshes.delete(refresh);
    if (waitingRefreshes(read).length === 0) this.stop(id, read);
    else this.showActivity(id, read);
  }

  private close(refresh: Refresh): void {
    this.refreshes.delete(refresh);
    const isProgressOver = [...this.refreshes].every(({ outsideProgress }) => outsideProgress);
    if (isProgressOver) {
      this.inProgress.clear();
      this.listener.refreshed(refresh.outsideProgress);
    }
    refresh.resolve();
  }

  private stop(id: string, { controller }: Read): void {
    this.reads.delete(id);
    controller.abort(notWanted);
    this.listener.failed(id, notWanted);
  }
}

function waitingRefreshes({ refreshes, nextRefreshes }: Read): readonly Refresh[] {
  return [...refreshes, ...nextRefreshes];
}

/** Returns whether the request of the read waits for its turn, a pause's end, or its repetition. */
function isWaiting({ phase }: Read): boolean {
  return phase === 'waiting' || phase === 'paused';
}

import type { Answer } from '../../api/answer.js';
import type { DeploymentAuthorization } from '../../api/authorization.js';
import type { Call, Phase } from '../../api/call.js';
import { ApiError } from '../../api/failure.js';
import { failureOf } from '../../api/network/errorCodes.js';
import type { Clock } from '../base/time.js';
import type { Deployment } from '../findings/deployment.js';

export type ReadDeployment = (
  deploymentId: string,
  call: Call,
) => Promise<Answer<DeploymentAuthorization>>;

export interface RefreshOptions {
  /** The user asked for these: they go ahead of all others, and what was sent a while ago does not answer them. */
  readonly urgent?: boolean;
  /** The user asked for all: what the running refresh has read already is read again. */
  readonly again?: boolean;
  /** Not in the progress, and not ended by Cancel Refresh: the read of a probe or a tool. */
  readonly apart?: boolean;
  /** Reads no more than these, whatever their answers say of others. */
  readonly alone?: boolean;
  readonly signal?: AbortSignal;
}

/** Which deployments a refresh reads again since an answer arrived. */
export interface ReadAgainOptions {
  /** Whether it may be others than the one that was answered. Not after what was itself read again. */
  readonly mayBeOthers: boolean;
  /** Whether a refresh waits for this deployment already. */
  readonly isWaitedFor: (deploymentId: string) => boolean;
}

interface ReadsListener {
  /** `idle`, unless the user asked for it and it takes a while. */
  activity(deploymentId: string, activity: Deployment['activity']): void;
  answered(deploymentId: string, answer: Answer<DeploymentAuthorization>): void;
  /** Called after `answered` if a refresh in the progress asked. What is returned becomes a part of that refresh. */
  toReadAgain(deploymentId: string, options: ReadAgainOptions): Iterable<string>;
  /** `cancelled` if no refresh waits for it any more. */
  failed(deploymentId: string, error: ApiError): void;
  /** The progress is complete, or a refresh `apart` from it has ended while there is none. */
  refreshed(apart: boolean): void;
}

interface Refresh {
  readonly urgent: boolean;
  readonly apart: boolean;
  readonly alone: boolean;
  readonly pending: Set<string>;
  /** What it reads again since an answer arrived, without having been asked for it. */
  readonly readAgain: Set<string>;
  readonly resolve: () => void;
  isShown: boolean;
}

interface Read {
  readonly urgent: boolean;
  readonly refreshes: Set<Refresh>;
  /** These asked a while after this one was sent, and are answered by one more. */
  readonly next: Set<Refresh>;
  readonly controller: AbortController;
  phase: Phase['kind'];
  /** By `elapsed`, while its request is on its way. */
  sentAt: number | undefined;
}

/** What was sent longer ago may answer with what was true before the user asked. */
const maxSharedMs = 1000;
const shownAfterMs = 500;

/** One for all, since a refresh that is cancelled can have thousands. */
const notWanted = new ApiError({ kind: 'cancelled' });

/**
 * At most one read of each deployment, shared by all refreshes that want it. A request stops when no refresh waits for it, and what it still brings is
 * dropped, so no answer can arrive out of order or for an organization that is gone.
 */
export class Reads {
  private readonly reads = new Map<string, Read>();
  private readonly refreshes = new Set<Refresh>();
  /** What the refreshes in the progress asked for since there was none. */
  private readonly asked = new Set<string>();
  /** Those of `asked` that a refresh in the progress still waits for. */
  private readonly pending = new Set<string>();

  constructor(
    private readonly read: ReadDeployment,
    private readonly listener: ReadsListener,
    private readonly clock: Pick<Clock, 'elapsed' | 'setTimer'>,
  ) {}

  get progress(): { readonly done: number; readonly total: number } | undefined {
    const total = this.asked.size;
    return total === 0 ? undefined : { done: total - this.pending.size, total };
  }

  /** Resolves when each of these has been read, or is no longer waited for. */
  refresh(
    ids: readonly string[],
    { urgent = false, again = false, apart = false, alone = apart, signal }: RefreshOptions,
  ): Promise<void> {
    // What the running refresh has read is read again only for the user, a probe or a tool.
    const isDone = (id: string): boolean => this.asked.has(id) && !this.pending.has(id);
    const wanted = new Set(urgent || again || apart ? ids : ids.filter((id) => !isDone(id)));
    if (wanted.size === 0 || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const leave = (): void => this.leave([refresh]);
      const refresh: Refresh = {
        urgent,
        apart,
        alone,
        pending: wanted,
        readAgain: new Set(),
        resolve: () => {
          signal?.removeEventListener('abort', leave);
          timer?.dispose();
          resolve();
        },
        isShown: false,
      };
      const timer =
        urgent && !apart ? this.clock.setTimer(() => this.show(refresh), shownAfterMs) : undefined;
      signal?.addEventListener('abort', leave);
      this.refreshes.add(refresh);
      for (const id of wanted) this.ask(id, refresh);
    });
  }

  cancelRefresh(): void {
    this.leave([...this.refreshes].filter(({ apart }) => !apart));
  }

  cancelAll(): void {
    this.leave([...this.refreshes]);
  }

  forget(ids: readonly string[]): void {
    for (const id of ids) {
      const read = this.reads.get(id);
      if (read) {
        this.stop(id, read);
        for (const refresh of [...read.refreshes, ...read.next]) this.endFor(refresh, id);
      }
      this.asked.delete(id);
    }
  }

  private ask(id: string, refresh: Refresh): void {
    if (!refresh.apart) {
      this.asked.add(id);
      this.pending.add(id);
    }
    this.want(id, refresh);
  }

  private want(id: string, refresh: Refresh): void {
    const urgent = refresh.urgent && !refresh.readAgain.has(id);
    const read = this.reads.get(id);
    if (read === undefined) {
      this.start(id, urgent, new Set([refresh]));
    } else if (
      read.sentAt !== undefined &&
      (refresh.readAgain.has(id) || (urgent && this.isOld(read.sentAt)))
    ) {
      // What was sent before the newest answer may say once more what that contradicts.
      read.next.add(refresh);
    } else {
      read.refreshes.add(refresh);
      if (urgent && !read.urgent && isWaiting(read)) this.moveAhead(id, read);
    }
  }

  private isOld(sentAt: number): boolean {
    return this.clock.elapsed() - sentAt > maxSharedMs;
  }

  private moveAhead(id: string, { controller, refreshes, next }: Read): void {
    this.start(id, true, refreshes, next);
    controller.abort(notWanted);
  }

  private show(refresh: Refresh): void {
    refresh.isShown = true;
    for (const id of refresh.pending) this.showActivity(id, this.reads.get(id)!);
  }

  private showActivity(id: string, read: Read): void {
    const refreshes = [...read.refreshes, ...read.next];
    const isShown = refreshes.some((refresh) => refresh.isShown && !refresh.readAgain.has(id));
    const activity = isWaiting(read) ? 'waiting' : 'reading';
    this.listener.activity(id, isShown ? activity : 'idle');
  }

  private start(
    id: string,
    urgent: boolean,
    refreshes: Set<Refresh>,
    next = new Set<Refresh>(),
  ): void {
    const { listener } = this;
    const controller = new AbortController();
    const read: Read = { urgent, refreshes, next, controller, phase: 'waiting', sentAt: undefined };
    this.reads.set(id, read);
    this.showActivity(id, read);
    const onPhase = (phase: Phase): void => {
      if (this.reads.get(id) !== read) return;
      read.phase = phase.kind;
      read.sentAt = phase.kind === 'sending' ? this.clock.elapsed() : undefined;
      this.showActivity(id, read);
    };
    this.read(id, { signal: controller.signal, urgent, onPhase }).then(
      (answer) =>
        this.end(id, read, () => {
          listener.answered(id, answer);
          this.extendRefreshes(id, read);
        }),
      // `api` rejects with `ApiError` only. A mistake of ours must end the read as well.
      (error: unknown) =>
        this.end(id, read, () =>
          listener.failed(id, error instanceof ApiError ? error : new ApiError(failureOf(error))),
        ),
    );
  }

  private end(id: string, read: Read, notify: () => void): void {
    if (this.reads.get(id) !== read) return;
    this.reads.delete(id);
    notify();
    // What `notify` has begun anew is not at its end.
    const isReadAgain = (refresh: Refresh): boolean =>
      this.reads.get(id)?.refreshes.has(refresh) === true;
    for (const refresh of read.refreshes) if (!isReadAgain(refresh)) this.endFor(refresh, id);
    // What `notify` cancelled is pending no more.
    for (const refresh of read.next) if (refresh.pending.has(id)) this.want(id, refresh);
  }

  /** Adds to the refreshes that wanted this answer what has to be read again since it arrived. */
  private extendRefreshes(id: string, { refreshes, next }: Read): void {
    // `answered` may have cancelled some of them.
    const extended = [...refreshes].filter(
      (refresh) => !refresh.alone && this.refreshes.has(refresh),
    );
    if (extended.length === 0) return;
    const again = this.listener.toReadAgain(id, {
      mayBeOthers: extended.some((refresh) => !refresh.readAgain.has(id)),
      isWaitedFor: (other) => (other === id ? next.size > 0 : this.isFollowed(other)),
    });
    for (const other of again) {
      for (const refresh of extended) {
        refresh.pending.add(other);
        refresh.readAgain.add(other);
        this.ask(other, refresh);
      }
    }
  }

  /** Whether a refresh waits for this one that reads it again if a newer answer contradicts it. */
  private isFollowed(id: string): boolean {
    for (const { alone, pending } of this.refreshes) if (!alone && pending.has(id)) return true;
    return false;
  }

  private endFor(refresh: Refresh, id: string): void {
    if (!refresh.pending.has(id)) return;
    this.release(refresh, id);
    if (refresh.pending.size === 0) this.close(refresh);
  }

  /** The refresh no longer waits for this one. */
  private release(refresh: Refresh, id: string): void {
    refresh.pending.delete(id);
    for (const { apart, pending } of this.refreshes) if (!apart && pending.has(id)) return;
    this.pending.delete(id);
  }

  private leave(refreshes: readonly Refresh[]): void {
    for (const refresh of refreshes) {
      for (const id of refresh.pending) {
        this.release(refresh, id);
        const read = this.reads.get(id);
        read?.refreshes.delete(refresh);
        read?.next.delete(refresh);
        if (read && read.refreshes.size + read.next.size === 0) this.stop(id, read);
        else if (read) this.showActivity(id, read);
        if (!refresh.apart && !this.pending.has(id)) this.asked.delete(id);
      }
      this.close(refresh);
    }
  }

  private close(refresh: Refresh): void {
    this.refreshes.delete(refresh);
    if ([...this.refreshes].every(({ apart }) => apart)) {
      this.asked.clear();
      this.listener.refreshed(refresh.apart);
    }
    refresh.resolve();
  }

  private stop(id: string, { controller }: Read): void {
    this.reads.delete(id);
    controller.abort(notWanted);
    this.listener.failed(id, notWanted);
  }
}

function isWaiting({ phase }: Read): boolean {
  return phase === 'waiting' || phase === 'paused';
}

import type { Answer } from '../../api/answer.js';
import type { DeploymentAuthorization } from '../../api/authorization.js';
import { ApiError, type Failure } from '../../api/failure.js';
import type { Phase } from '../../api/queue.js';
import type { Call } from '../../api/send.js';

/** How one deployment is read for the organization that the store was given. */
export type ReadDeployment = (deploymentId: string, call: Call) => Promise<Answer<DeploymentAuthorization>>;

interface ReadsListener {
  phase(deploymentId: string, phase: Phase): void;
  answered(deploymentId: string, answer: Answer<DeploymentAuthorization>): void;
  failed(deploymentId: string, failure: Failure): void;
  /** Nobody wants it any more, or it was cancelled: what was known stays. */
  cancelled(deploymentId: string): void;
}

interface Read {
  readonly urgent: boolean;
  readonly controller: AbortController;
  /** Called when it ends, after the listener. */
  readonly wanted: Set<() => void>;
}

/**
 * The reads under way with one organization and token: at most one of each deployment. All who want a deployment share its read,
 * and it ends when the last of them leaves. A read that was replaced or cancelled is not in `running`, and what it still brings is
 * dropped, so no answer can arrive out of order or for an organization that is gone.
 */
export class Reads {
  private readonly running = new Map<string, Read>();

  constructor(
    private readonly read: ReadDeployment,
    private readonly listener: ReadsListener,
  ) {}

  /** `ended` is called once, unless the returned function, which stops wanting, is called before. */
  want(deploymentId: string, urgent: boolean, ended: () => void): () => void {
    const running = this.running.get(deploymentId);
    if (running !== undefined && (running.urgent || !urgent)) {
      running.wanted.add(ended);
    } else {
      this.start(deploymentId, urgent, new Set(running?.wanted).add(ended));
      // Aborted only now, because the abort of the old read must find it replaced.
      running?.controller.abort();
    }
    return () => {
      const current = this.running.get(deploymentId);
      if (current?.wanted.delete(ended) === true && current.wanted.size === 0) this.cancel(deploymentId);
    };
  }

  cancel(deploymentId: string): void {
    const read = this.running.get(deploymentId);
    if (read === undefined) return;
    read.controller.abort();
    this.end(deploymentId, read, () => this.listener.cancelled(deploymentId));
  }

  cancelAll(): void {
    for (const deploymentId of this.running.keys()) this.cancel(deploymentId);
  }

  private start(deploymentId: string, urgent: boolean, wanted: Read['wanted']): void {
    const { listener } = this;
    const read: Read = { urgent, controller: new AbortController(), wanted };
    this.running.set(deploymentId, read);
    listener.phase(deploymentId, { kind: 'waiting' });
    const onPhase = (phase: Phase): void => {
      if (this.running.get(deploymentId) === read) listener.phase(deploymentId, phase);
    };
    this.read(deploymentId, { signal: read.controller.signal, urgent, onPhase }).then(
      (answer) => this.end(deploymentId, read, () => listener.answered(deploymentId, answer)),
      (error: unknown) => {
        const failure = failureOf(error);
        const isCancelled = failure.kind === 'cancelled';
        this.end(deploymentId, read, () =>
          isCancelled ? listener.cancelled(deploymentId) : listener.failed(deploymentId, failure),
        );
      },
    );
  }

  private end(deploymentId: string, read: Read, tell: () => void): void {
    if (this.running.get(deploymentId) !== read) return;
    this.running.delete(deploymentId);
    tell();
    for (const ended of read.wanted) ended();
  }
}

/** `api` rejects with `ApiError` only. Anything else is a mistake of ours, and must end the read as well. */
function failureOf(error: unknown): Failure {
  if (error instanceof ApiError) return error.failure;
  return { kind: 'connectionLost', code: error instanceof Error ? error.name : 'UNKNOWN' };
}

interface BulkRefreshOptions {
  /** Reads handed out at a time. */
  readonly window: number;
  readonly want: (deploymentId: string, ended: () => void) => () => void;
  /** Not to be asked any more: it left the list, or was read since this refresh began. */
  readonly isDone: (deploymentId: string) => boolean;
  readonly finished: () => void;
}

/** Reads many, a window at a time, so that ten thousand don't fill the queue with ten thousand promises. */
export class BulkRefresh {
  readonly promise: Promise<void>;
  /** Somebody asked for it without a signal: then no signal of an automatic round ends it. */
  kept = false;
  private readonly members = new Set<string>();
  private queue: string[] = [];
  private next = 0;
  private done = 0;
  private readonly underWay = new Map<string, () => void>();
  private isOver = false;
  private resolve!: () => void;

  constructor(
    private readonly options: BulkRefreshOptions,
    private readonly startedAt: number,
  ) {
    this.promise = new Promise((resolve) => {
      this.resolve = resolve;
    });
  }

  get progress(): { readonly done: number; readonly total: number } {
    return { done: this.done, total: this.members.size };
  }

  add(deploymentIds: readonly string[]): void {
    for (const deploymentId of deploymentIds) {
      if (this.members.has(deploymentId)) continue;
      this.members.add(deploymentId);
      this.queue.push(deploymentId);
    }
    this.pump();
  }

  /** What is not asked yet is left alone; what has arrived stays. */
  cancel(): void {
    this.queue = [];
    this.next = 0;
    for (const leave of this.underWay.values()) leave();
    this.underWay.clear();
    this.pump();
  }

  /** Milliseconds to the end at the pace so far. */
  remaining(now: number): number {
    return this.done === 0 ? Infinity : ((now - this.startedAt) * (this.members.size - this.done)) / this.done;
  }

  private pump(): void {
    while (!this.isOver && this.underWay.size < this.options.window && this.next < this.queue.length) {
      const deploymentId = this.queue[this.next++] ?? '';
      if (this.options.isDone(deploymentId)) {
        this.done++;
        continue;
      }
      const leave = this.options.want(deploymentId, () => {
        this.done++;
        this.underWay.delete(deploymentId);
        this.pump();
      });
      this.underWay.set(deploymentId, leave);
    }
    if (this.isOver || this.underWay.size > 0 || this.next < this.queue.length) return;
    this.isOver = true;
    this.options.finished();
    this.resolve();
  }
}

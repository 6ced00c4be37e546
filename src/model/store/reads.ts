import type { Answer } from '../../api/answer.js';
import type { DeploymentAuthorization } from '../../api/authorization.js';
import { ApiError, type Failure } from '../../api/failure.js';
import type { Phase } from '../../api/queue.js';
import type { Call } from '../../api/send.js';

/** How one deployment is read for the organization that the store was given (`host/feed.ts`). */
export type ReadDeployment = (deploymentId: string, call: Call) => Promise<Answer<DeploymentAuthorization>>;

interface ReadsListener {
  phase(deploymentId: string, phase: Phase): void;
  answered(deploymentId: string, answer: Answer<DeploymentAuthorization>): void;
  /** Of what nobody wants any more, too: `cancelled`. */
  failed(deploymentId: string, failure: Failure): void;
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

  /** `ended` is called once, when the read ends or when the returned function is called, which stops wanting. */
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
      if (current?.wanted.delete(ended) !== true) return;
      if (current.wanted.size === 0) this.cancel(deploymentId);
      ended();
    };
  }

  cancel(deploymentId: string): void {
    const read = this.running.get(deploymentId);
    if (read === undefined) return;
    read.controller.abort();
    this.end(deploymentId, read, () => this.listener.failed(deploymentId, { kind: 'cancelled' }));
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
      (error: unknown) => this.end(deploymentId, read, () => listener.failed(deploymentId, failureOf(error))),
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

/** Reads many, a window at a time, so that ten thousand don't fill the queue with ten thousand promises. */
export class BulkRefresh {
  readonly promise: Promise<void>;
  /** Somebody asked for it without a signal: then no signal of an automatic round ends it. */
  kept = false;
  private readonly members = new Set<string>();
  private readonly waiting = new Set<string>();
  /** By id, how to stop wanting it. */
  private readonly underWay = new Map<string, () => void>();
  private finish!: () => void;

  /** `window`: how many are wanted at a time; `finished` is called at once when the last one has ended. */
  constructor(
    private readonly reads: Pick<Reads, 'want'>,
    private readonly window: number,
    finished: () => void,
  ) {
    this.promise = new Promise((resolve) => {
      this.finish = () => {
        finished();
        resolve();
      };
    });
  }

  get progress(): { readonly done: number; readonly total: number } {
    const total = this.members.size;
    return { done: total - this.waiting.size - this.underWay.size, total };
  }

  add(deploymentIds: readonly string[]): void {
    for (const deploymentId of deploymentIds) {
      if (!this.members.has(deploymentId)) this.waiting.add(deploymentId);
      this.members.add(deploymentId);
    }
    this.pump();
  }

  /** It was read meanwhile. */
  skip(deploymentId: string): void {
    this.waiting.delete(deploymentId);
  }

  /** It left the list, and may come back to it. */
  forget(deploymentId: string): void {
    this.waiting.delete(deploymentId);
    this.members.delete(deploymentId);
  }

  /** What is not asked yet is left alone; what has arrived stays. */
  cancel(): void {
    this.waiting.clear();
    for (const leave of this.underWay.values()) leave();
  }

  private pump(): void {
    for (const deploymentId of this.waiting) {
      if (this.underWay.size >= this.window) break;
      this.waiting.delete(deploymentId);
      const ended = (): void => {
        this.underWay.delete(deploymentId);
        this.pump();
      };
      this.underWay.set(deploymentId, this.reads.want(deploymentId, false, ended));
    }
    if (this.underWay.size === 0) this.finish();
  }
}

import type { Backlog } from './backlog.js';
import type { Stop } from './classify.js';
import type { Call, Exchange, Phase, Target } from './client.js';
import { Deadline } from './deadline.js';
import type { GaveUp, Limiter, Place } from './limiter.js';
import type { Connector, WireRequest, WireResult } from './network/connector.js';
import { onAbort } from './onAbort.js';
import type { Pauses } from './pauses.js';
import type { KnownSecrets } from './secrets.js';

/** What all requests of one client have in common. */
export interface Shared {
  readonly connector: Connector;
  readonly limiter: Limiter;
  readonly pauses: Pauses;
  readonly backlog: Backlog;
  readonly secrets: KnownSecrets;
  /** Ms, read when a request leaves the queue. */
  readonly requestTimeout: () => number;
  readonly onExchange: (exchange: Exchange) => void;
  readonly now: () => number;
  readonly random: () => number;
  readonly delay: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Aborts when the client is closed. */
  readonly closing: AbortSignal;
}

export interface Operation {
  readonly method: 'GET' | 'DELETE';
  /** The path below the base URL, with one `{parameter}`. */
  readonly template: string;
  readonly id: string;
  /** Install tokens and key ids are; deployment ids are not. */
  readonly idIsSecret: boolean;
}

/**
 * One call from the queue to its end: its place, its clock, and why it was stopped. The clock runs while the call holds a
 * place, so neither waiting for a turn nor for a pause counts.
 */
export class Flight {
  attempts = 0;
  /** Set as soon as the call was cancelled or ran out of time. */
  stop: Stop | undefined;
  /** Aborts with `stop`, and when the place is taken away while something is sent; then it is followed by a new one. */
  #controller = new AbortController();
  readonly #forget: readonly (() => void)[];
  readonly #deadline: Deadline;
  #place: Place | undefined;
  #sending = false;
  #preempted = false;

  constructor(
    private readonly shared: Shared,
    private readonly target: Target,
    private readonly operation: Operation,
    private readonly call: Call,
  ) {
    this.#deadline = new Deadline(shared.requestTimeout, (after) => this.#stop({ kind: 'timedOut', after }));
    const cancel = (): void => this.#stop({ kind: 'cancelled' });
    this.#forget = [onAbort(call.signal, cancel), onAbort(shared.closing, cancel)];
    for (const secret of this.#secrets) {
      shared.secrets.add(secret);
    }
    if (call.signal.aborted || shared.closing.aborted) {
      cancel();
    }
  }

  /** Aborts with `stop`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Ms. */
  get remaining(): number {
    return this.#deadline.remaining;
  }

  /** Ms. */
  get duration(): number {
    return this.#deadline.spent;
  }

  /** Sends once, after a place was got if none is held; again from the start if that was taken away meanwhile. */
  async exchange(request: Omit<WireRequest, 'signal'>): Promise<WireResult> {
    for (;;) {
      if (!(await this.#enter())) {
        return { kind: 'stopped', sent: false };
      }
      this.attempts++;
      this.#sending = true;
      const result = await this.shared.connector.exchange({ ...request, signal: this.signal });
      this.#sending = false;
      if (this.signal.aborted && !this.stop) {
        this.#controller = new AbortController();
      }
      const stopped = result.kind === 'stopped' || (result.kind === 'answer' && result.end === 'stopped');
      if (this.stop || !this.#preempted || !stopped) {
        return result;
      }
      this.leave();
      this.#deadline.reset();
    }
  }

  /** Gives the place back; the clock stands still until the next one. */
  leave(): void {
    this.#deadline.stop();
    this.#place?.release();
    this.#place = undefined;
  }

  end(): void {
    this.leave();
    for (const forget of this.#forget) {
      forget();
    }
    for (const secret of this.#secrets) {
      this.shared.secrets.remove(secret);
    }
  }

  get #secrets(): readonly string[] {
    return this.operation.idIsSecret ? [this.target.token, this.operation.id] : [this.target.token];
  }

  /** False if the call was stopped while it waited. */
  async #enter(): Promise<boolean> {
    if (this.#place) {
      return true;
    }
    // A revocation is always a person's, and never interrupted.
    const urgent = this.call.urgent || this.operation.method === 'DELETE';
    const entered = this.shared.limiter.enter({
      organizationId: this.target.organizationId,
      urgent,
      again: this.attempts > 0,
      signal: this.signal,
      onPhase: (phase) => this.#tell(phase),
      ...(!urgent && { onPreempted: () => this.#preempt() }),
    });
    this.#place = await entered.catch((_error: GaveUp) => undefined);
    if (this.#place) {
      this.#preempted = false;
      this.#deadline.start();
    }
    return this.#place !== undefined;
  }

  #preempt(): void {
    this.#preempted = true;
    if (this.#sending) {
      this.#controller.abort();
    } else {
      this.leave();
    }
  }

  #stop(stop: Stop): void {
    this.stop ??= stop;
    this.#controller.abort();
  }

  #tell(phase: Phase): void {
    try {
      this.call.onPhase?.(phase);
    } catch {
      // What a listener does wrong is not the request's fault.
    }
  }
}

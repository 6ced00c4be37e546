import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Answer,
  isPassing,
  noAnswer,
  type ReadAnswer,
  readAnswer,
  readRefusal,
  retryAfter,
  type Stop,
} from './answer.js';
import { Deadline } from './deadline.js';
import type { Decoder } from './decode.js';
import { finished, type Work } from './decodedText.js';
import { ApiError, type ConnectionCause, type Failure } from './failure.js';
import { codeOf } from './network/errorCodes.js';
import type { WireRequest, WireResult } from './network/exchange.js';
import type { Connector } from './network/router.js';
import { type GaveUp, Pauses, type Phase, type Place, Queue } from './queue.js';
import type { KnownSecrets } from './secrets.js';
import { type Operation, type Target, wireRequest } from './wireRequest.js';

export interface Call {
  readonly signal: AbortSignal;
  /** A person asked for this one: it goes ahead of bulk work. */
  readonly urgent: boolean;
  readonly onPhase?: (phase: Phase) => void;
}

/**
 * What became of a revocation (contract, "Revocation"). `revoked`: any 2xx except 202. `refused`: 4xx.
 * `unknown`: sent, and then no status line, 202, 3xx or 5xx. `notSent`: nothing left this machine.
 */
export type RevocationOutcome =
  | { readonly kind: 'revoked'; readonly status: number }
  | { readonly kind: 'refused'; readonly status: number; readonly failure: Failure }
  | { readonly kind: 'unknown'; readonly status?: number; readonly failure?: Failure }
  | { readonly kind: 'notSent'; readonly failure: Failure };

/** One finished request, for the log: path template instead of path, no credential, no id. */
export interface Exchange {
  readonly method: 'GET' | 'DELETE';
  /** For example `/deployments/{deploymentId}/authorization`. */
  readonly template: string;
  readonly host: string;
  readonly status?: number;
  readonly failure?: Failure;
  /** Decoded bytes of the body. */
  readonly bytes: number;
  /** From leaving the queue to the last byte, ms. */
  readonly duration: number;
  readonly attempts: number;
}

interface Limits {
  /** Ms. */
  readonly requestTimeout: number;
  readonly maxConcurrentRequests: number;
}

export interface SenderOptions {
  /** Asked anew for every request. */
  readonly limits: () => Limits;
  readonly connector: Connector;
  readonly onExchange: (exchange: Exchange) => void;
  readonly secrets: KnownSecrets;
  /** A 429 of whichever operation holds this organization until then, epoch ms. */
  readonly onPause?: (organizationId: string, until: number) => void;
  /**
   * Reads an answer in its turn: that takes milliseconds in which nothing is sent, so requests that can go out go first.
   * A large answer is read in steps. Absent: at once.
   */
  readonly inTurn?: <T>(work: Work<T>) => Promise<T>;
  /** Epoch ms. */
  readonly now?: () => number;
  /** Ms since any moment, of a clock that nobody sets. */
  readonly elapsed?: () => number;
  /** 0 to 1, like `Math.random`. */
  readonly random?: () => number;
  /** Resolves after so many ms, or rejects when the signal aborts. */
  readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A GET is repeated at most so often. */
const mostRepeats = 2;
/** Ms; doubled with each repeat, and jittered. */
const firstDelay = 300;

interface Log {
  status?: number;
  failure?: Failure;
  bytes: number;
}

/** Sends requests: each waits for its turn, has its time-out, and its answer is read. */
export class Sender {
  private readonly pauses: Pauses;
  private readonly queue: Queue;
  private readonly closing = new AbortController();
  private readonly now: () => number;
  private readonly random: () => number;
  private readonly delay: (ms: number, signal: AbortSignal) => Promise<void>;

  constructor(private readonly options: SenderOptions) {
    const { limits, connector, onPause } = options;
    this.now = options.now ?? Date.now;
    this.random = options.random ?? Math.random;
    this.delay = options.delay ?? ((ms, signal) => sleep(ms, undefined, { signal }));
    this.pauses = new Pauses(this.now, options.elapsed ?? (() => performance.now()), this.random, onPause);
    this.queue = new Queue(
      () => Math.max(1, limits().maxConcurrentRequests),
      (origin) => connector.viaEditor(origin),
      this.pauses,
    );
  }

  /** Sends a GET until its answer is usable, or no repeat is left or worth it. Rejects with `ApiError` only. */
  async get<T>(target: Target, operation: Operation, call: Call, decode: Decoder<T>): Promise<Answer<T>> {
    const flight = this.begin(target, operation, call);
    const log: Log = { bytes: 0 };
    try {
      const request = wireRequest(target, operation);
      for (let repeats = 0; ; repeats++) {
        const result = await flight.exchange(request);
        const receivedAt = this.now();
        const reading = this.read(target, flight, result, decode);
        const answer = isWhole(result) ? await this.afterLeaving(flight, reading) : finished(reading);
        log.bytes = answer.bytes;
        if (result.kind === 'answer') log.status = result.status;
        if (answer.ok) return { ...answer.decoded, receivedAt };
        if (repeats === mostRepeats || !(await this.mayRepeat(target, flight, result, answer.failure, repeats))) {
          throw new ApiError(answer.failure);
        }
      }
    } catch (error) {
      const failure = asFailure(error);
      log.failure = failure;
      throw error instanceof ApiError ? error : new ApiError(failure);
    } finally {
      this.finish(target, operation, flight, log);
    }
  }

  /** Sends a DELETE once. Never rejects. */
  async delete(target: Target, operation: Operation, call: Call): Promise<RevocationOutcome> {
    // It is always a person's.
    const flight = this.begin(target, operation, { ...call, urgent: true });
    const log: Log = { bytes: 0 };
    try {
      const result = await flight.exchange(wireRequest(target, operation));
      const outcome = this.outcomeOf(target, flight, result);
      if (result.kind === 'answer') {
        log.status = result.status;
        log.bytes = result.body.length;
      }
      if ('failure' in outcome && outcome.failure) log.failure = outcome.failure;
      return outcome;
    } catch (error) {
      const failure = asFailure(error);
      log.failure = failure;
      return { kind: flight.attempts === 0 ? 'notSent' : 'unknown', failure };
    } finally {
      this.finish(target, operation, flight, log);
    }
  }

  pausedUntil(organizationId: string): number | undefined {
    return this.pauses.until(organizationId);
  }

  limitsChanged(): void {
    this.queue.update();
  }

  forgetRoutes(): void {
    this.options.connector.forget();
    // What waits for the editor's route may have another now.
    this.queue.update();
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.queue.close();
    await this.options.connector.close();
  }

  private begin(target: Target, operation: Operation, call: Call): Flight {
    const { secrets } = this.options;
    secrets.add(target.token);
    if (operation.idIsSecretIn) secrets.add(operation.id, operation.idIsSecretIn);
    const { limits, connector } = this.options;
    return new Flight(this.queue, connector, () => limits().requestTimeout, target, call, this.closing.signal);
  }

  private finish(target: Target, operation: Operation, flight: Flight, log: Log): void {
    flight.end();
    const { secrets } = this.options;
    secrets.remove(target.token);
    if (operation.idIsSecretIn) secrets.remove(operation.id, operation.idIsSecretIn);
    if (flight.attempts === 0) return;
    const { status, failure, bytes } = log;
    try {
      this.options.onExchange({
        method: operation.method,
        template: operation.template,
        host: new URL(target.baseUrl).host,
        ...(status !== undefined && { status }),
        ...(failure && { failure }),
        bytes,
        duration: flight.duration,
        attempts: flight.attempts,
      });
    } catch {
      // An error of a listener must not end the request.
    }
  }

  private *read<T>(target: Target, flight: Flight, result: WireResult, decode: Decoder<T>): Work<ReadAnswer<T>> {
    const unfinished = result.kind !== 'answer' || result.end === 'stopped';
    // A refusal stays one if only its text was too slow.
    const refused = result.kind === 'answer' && !isSuccess(result.status) && flight.stop?.kind === 'timedOut';
    if (flight.stop && unfinished && !refused) return { ok: false, bytes: 0, failure: flight.stop };
    if (result.kind !== 'answer') return { ok: false, bytes: 0, failure: noAnswer(result) };
    if (!isSuccess(result.status)) return { ok: false, ...this.refusal(target, result) };
    this.pauses.clear(target.organizationId);
    return yield* readAnswer(result, decode, this.options.secrets);
  }

  /** Contract, "Revocation": only a status line can tell what became of it. */
  private outcomeOf(target: Target, flight: Flight, result: WireResult): RevocationOutcome {
    if (result.kind !== 'answer') {
      const failure = flight.stop ?? noAnswer(result);
      const sent = result.kind === 'lost' || (result.kind === 'stopped' && result.sent);
      return { kind: sent ? 'unknown' : 'notSent', failure };
    }
    const { status } = result;
    if (isSuccess(status)) return { kind: status === 202 ? 'unknown' : 'revoked', status };
    const { failure } = this.refusal(target, result);
    return { kind: status >= 400 && status < 500 ? 'refused' : 'unknown', status, failure };
  }

  /** A 429 pauses the organization. */
  private refusal({ organizationId, baseUrl }: Target, answer: Extract<WireResult, { kind: 'answer' }>) {
    let pausedUntil = 0;
    if (answer.status === 429) {
      pausedUntil = this.pauses.extend(organizationId, retryAfter(answer.headers, this.now()));
      this.queue.paused(organizationId);
    } else if (answer.status >= 400) {
      this.pauses.clear(organizationId);
    }
    return readRefusal(answer, baseUrl, this.options.secrets, pausedUntil);
  }

  /** Waits until it is time for a repeat; false if none is worth it, or the time-out leaves no room for it. */
  private async mayRepeat(
    { organizationId }: Target,
    flight: Flight,
    result: WireResult,
    failure: Failure,
    repeats: number,
  ): Promise<boolean> {
    if (flight.stop || !isPassing(failure)) return false;
    if (failure.kind === 'rateLimited') {
      if (this.pauses.left(organizationId) >= flight.remaining) return false;
      // The pause is waited for in the queue.
      flight.leave();
      return true;
    }
    const asked = (result.kind === 'answer' && retryAfter(result.headers, this.now())) || 0;
    const backoff = firstDelay * 2 ** repeats * (0.5 + this.random());
    const wait = Math.max(asked, backoff);
    if (wait >= flight.remaining) return false;
    // It keeps its place unless the service asked it to wait, so that a service in trouble gets fewer requests.
    await flight.rest(() => this.delay(wait, flight.signal), asked > backoff);
    return true;
  }

  /** Gives the place to the next call before the answer is read, since this call sends nothing more. */
  private async afterLeaving<T>(flight: Flight, work: Work<T>): Promise<T> {
    flight.leave();
    return this.options.inTurn ? this.options.inTurn(work) : finished(work);
  }
}

/**
 * One call from the queue to its end: its place, its clock, and why it was stopped. The clock stands still while the call waits for
 * a turn or for a pause to end.
 */
class Flight {
  attempts = 0;
  /** Set as soon as the call was cancelled or ran out of time. */
  stop: Stop | undefined;
  /** Aborts with `stop`. */
  private readonly controller = new AbortController();
  private readonly deadline: Deadline;
  private place: Place | undefined;
  private hadPlace = false;

  constructor(
    private readonly queue: Queue,
    private readonly connector: Connector,
    requestTimeout: () => number,
    private readonly target: Target,
    private readonly call: Call,
    private readonly closing: AbortSignal,
  ) {
    this.deadline = new Deadline(requestTimeout, (after) => this.endWith({ kind: 'timedOut', after }));
    for (const signal of [call.signal, closing]) signal.addEventListener('abort', this.cancel);
    if (call.signal.aborted || closing.aborted) this.cancel();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Ms. */
  get remaining(): number {
    return this.deadline.remaining;
  }

  /** Ms. */
  get duration(): number {
    return this.deadline.spent;
  }

  /** Sends once, with a place. If only the editor's route is left, it waits for a place on that, and goes on there. */
  async exchange(request: Omit<WireRequest, 'signal' | 'onPhase'>): Promise<WireResult> {
    let directFailed: ConnectionCause | undefined;
    let place = await this.enter(request.origin, false);
    if (place) this.attempts++;
    while (place) {
      const result = await this.connector.exchange(
        { ...request, signal: this.signal, onPhase: (kind) => this.tell({ kind }) },
        { hasEditorPlace: place.editor, ...(directFailed && { directFailed }) },
      );
      if (result.kind !== 'needsEditor') return result;
      ({ directFailed } = result);
      this.leave();
      place = await this.enter(request.origin, true);
    }
    return { kind: 'stopped', sent: false };
  }

  /** Gives the place back; the clock stands still until the next one. */
  leave(): void {
    this.deadline.stop();
    this.release();
  }

  /** Waits before a repeat. The clock goes on, while somebody else may have the place. */
  async rest(wait: () => Promise<void>, givesPlaceBack: boolean): Promise<void> {
    if (givesPlaceBack) this.release();
    this.tell({ kind: 'waiting' });
    await wait().catch(() => undefined);
  }

  end(): void {
    this.leave();
    for (const signal of [this.call.signal, this.closing]) signal.removeEventListener('abort', this.cancel);
  }

  /** Nothing if the call was stopped while it waited. */
  private async enter(origin: string, editor: boolean): Promise<Place | undefined> {
    if (this.place) {
      this.tell({ kind: 'connecting' });
      return this.place;
    }
    this.deadline.stop();
    const entered = this.queue.enter({
      organizationId: this.target.organizationId,
      origin,
      urgent: this.call.urgent,
      again: this.hadPlace,
      editor,
      signal: this.signal,
      onPhase: (phase) => this.tell(phase),
    });
    this.place = await entered.catch((_error: GaveUp) => undefined);
    if (this.place) {
      this.hadPlace = true;
      this.deadline.start();
    }
    return this.place;
  }

  private release(): void {
    this.place?.release();
    this.place = undefined;
  }

  private readonly cancel = (): void => this.endWith({ kind: 'cancelled' });

  private endWith(stop: Stop): void {
    this.stop ??= stop;
    this.controller.abort();
  }

  private tell(phase: Phase): void {
    try {
      this.call.onPhase?.(phase);
    } catch {
      // An error of a listener must not end the request.
    }
  }
}

/** A repeat of a whole 2xx answer would bring the same again, usable or not. */
function isWhole(result: WireResult): boolean {
  return result.kind === 'answer' && result.end === 'complete' && isSuccess(result.status);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** An unexpected error leaves as a flat failure, too, since `api` throws nothing else. */
function asFailure(error: unknown): Failure {
  return error instanceof ApiError ? error.failure : { kind: 'connectionLost', code: codeOf(error) };
}

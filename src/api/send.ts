import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, isPassing, noAnswer, readAnswer, readRefusal, retryAfter, type Stop } from './answer.js';
import type { Decoder } from './decode.js';
import { ApiError, type Failure } from './failure.js';
import { codeOf, peerOf } from './network/errorCodes.js';
import { acceptedEncodings, type WireAnswer, type WireRequest, type WireResult } from './network/exchange.js';
import type { Router } from './network/router.js';
import { Pauses } from './pauses.js';
import { type Phase, Queue, type Release } from './queue.js';
import { finished, type Work } from './secretFinder.js';
import { isUsableToken, type KnownSecrets, type SearchedIn } from './secrets.js';

/** A server and a bearer token for it. A token is only ever sent to its own base URL. */
export interface Target {
  /** Opaque id: a 429 pauses one organization, not the others. */
  readonly organizationId: string;
  /** As `parseBaseUrl` returned it: no trailing slash. */
  readonly baseUrl: string;
  readonly token: string;
}

export interface Operation {
  readonly method: 'GET' | 'DELETE';
  /** Below the base URL, with one `{parameter}`. */
  readonly template: string;
  readonly id: string;
  /** Where the id is searched for as a secret: install tokens everywhere, key ids in texts, deployment ids nowhere. */
  readonly idIsSecretIn?: SearchedIn;
}

export interface Call {
  readonly signal: AbortSignal;
  /** A person asked for this one: it goes ahead of bulk work. */
  readonly urgent: boolean;
  /** A GET that is not repeated, on a connection of its own. */
  readonly once?: boolean;
  readonly onPhase?: (phase: Phase) => void;
}

/**
 * How a revocation ended. `revoked`: any 2xx except 202. `refused`: 4xx. `unknown`: any other status, or none although the request
 * may have been sent. `notSent`: nothing of the request was written, so the key is unchanged.
 */
export type RevocationOutcome =
  | { readonly kind: 'revoked'; readonly status: number }
  | { readonly kind: 'refused'; readonly status: number; readonly failure: Failure }
  | { readonly kind: 'unknown'; readonly status?: number; readonly failure?: Failure }
  | { readonly kind: 'notSent'; readonly failure: Failure };

/** One finished request, for the log: without its id, and without credentials. `bytes`: of the decoded body; `duration`: ms. */
export interface Exchange extends Pick<Operation, 'method' | 'template'> {
  readonly host: string;
  readonly status?: number;
  readonly failure?: Failure;
  readonly bytes: number;
  readonly duration: number;
  readonly attempts: number;
}

export interface SenderOptions {
  /** Asked anew for every request. `requestTimeout`: ms. */
  readonly limits: () => { readonly requestTimeout: number; readonly maxConcurrentRequests: number };
  readonly router: Pick<Router, 'exchange' | 'close'>;
  readonly onExchange: (exchange: Exchange) => void;
  readonly secrets: KnownSecrets;
  /** `pausedUntil` says something else than before. */
  readonly onPauses?: () => void;
  /** Reads an answer in its turn, a large one in steps: nothing is sent meanwhile, so requests that can go out go first. */
  readonly inTurn?: <T>(work: Work<T>) => Promise<T>;
  /** Epoch ms. */
  readonly now?: () => number;
  readonly random?: typeof Math.random;
  /** Resolves after so many ms, or rejects when the signal aborts. */
  readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The editor's `fetch` builds the store of certificates anew for each connection. */
const mostOverEditor = 4;
const mostRepeats = 2;
/** Ms; doubled with each repeat, and jittered. */
const firstDelay = 300;

/** Sends requests: each waits for its turn, has its time-out, and its answer is read. */
export class Sender {
  private readonly pauses: Pauses;
  private readonly queue: Queue;
  private readonly editorQueue: Queue;
  private readonly flights = new Set<Flight>();
  private closed = false;
  private readonly options: Required<SenderOptions>;

  constructor(options: SenderOptions) {
    this.options = {
      onPauses: () => undefined,
      inTurn: (work) => Promise.resolve(finished(work)),
      now: Date.now,
      random: Math.random,
      delay: (ms, signal) => sleep(ms, undefined, { signal }),
      ...options,
    };
    const { limits, now, onPauses, random } = this.options;
    this.pauses = new Pauses(now, () => performance.now(), random);
    this.pauses.listeners.push(onPauses);
    this.queue = new Queue(() => limits().maxConcurrentRequests, this.pauses);
    this.editorQueue = new Queue(() => Math.min(mostOverEditor, limits().maxConcurrentRequests), this.pauses);
  }

  /** Epoch ms until which a 429 holds this organization's requests, if one does. */
  pausedUntil(organizationId: string): number | undefined {
    return this.pauses.until(organizationId);
  }

  /** More requests may be allowed now than when the waiting ones were told to wait. */
  limitsChanged(): void {
    this.queue.update();
    this.editorQueue.update();
  }

  /** Closes idle connections; requests under way end as cancelled. */
  async close(): Promise<void> {
    this.closed = true;
    for (const flight of this.flights) flight.cancel();
    await this.options.router.close();
  }

  /** Sends a GET until its answer is usable, or no repeat is left or worth it. Rejects with `ApiError` only. */
  protected get<T>(target: Target, operation: Operation, call: Call, decode: Decoder<T>): Promise<Answer<T>> {
    return this.fly(target, operation, call, async (flight) => {
      const request = { ...wireRequest(target, operation), alone: call.once === true };
      for (;;) {
        const result = await this.exchange(flight, request);
        const receivedAt = this.options.now();
        try {
          return { ...(await this.read(flight, result, decode)), receivedAt };
        } catch (error) {
          if (call.once || !(await this.mayRepeat(flight, result, failureOf(error)))) throw error;
        }
      }
    });
  }

  /** Sends a DELETE once, as what a person asked for. Never rejects. */
  protected delete(target: Target, operation: Operation, call: Call): Promise<RevocationOutcome> {
    return this.fly(target, operation, { ...call, urgent: true }, async (flight) => {
      try {
        const outcome = this.outcomeOf(flight, await this.exchange(flight, wireRequest(target, operation)));
        if ('failure' in outcome) flight.failure = outcome.failure;
        return outcome;
      } catch (error) {
        flight.failure = failureOf(error);
        return { kind: flight.attempts === 0 ? 'notSent' : 'unknown', failure: flight.failure };
      }
    });
  }

  /** Runs one call. Its secrets are known meanwhile, and at its end it is told, if anything was sent. */
  private async fly<T>(
    target: Target,
    { method, template, id, idIsSecretIn }: Operation,
    call: Call,
    run: (flight: Flight) => Promise<T>,
  ): Promise<T> {
    const { secrets, onExchange, limits } = this.options;
    secrets.add(target.token);
    if (idIsSecretIn) secrets.add(id, idIsSecretIn);
    const flight = new Flight(target, call, () => limits().requestTimeout);
    this.flights.add(flight);
    if (this.closed) flight.cancel();
    try {
      return await run(flight);
    } catch (error) {
      flight.failure = failureOf(error);
      throw new ApiError(flight.failure);
    } finally {
      flight.end();
      this.flights.delete(flight);
      secrets.remove(target.token);
      if (idIsSecretIn) secrets.remove(id, idIsSecretIn);
      const { result, failure, duration, attempts } = flight;
      if (attempts > 0) {
        const { host } = new URL(target.baseUrl);
        const { status, body } = result?.kind === 'answer' ? result : {};
        const bytes = body?.length ?? 0;
        withoutFail(() => onExchange({ method, template, host, status, failure, bytes, duration, attempts }));
      }
    }
  }

  /** Takes a place in the queue and sends once; over the editor's `fetch` that is a place in its own queue. A 429 pauses the organization. */
  private async exchange(flight: Flight, request: Omit<WireRequest, 'signal'>): Promise<WireResult> {
    if (flight.place) flight.tell({ kind: 'connecting' });
    else if (!(await flight.enter(this.queue))) return { kind: 'stopped', sent: false };
    flight.attempts++;
    const { router, now } = this.options;
    const { signal } = flight;
    const onPhase = (kind: 'connecting' | 'sending'): void => flight.tell({ kind });
    const editorTurn = (): Promise<boolean> => flight.enter(this.editorQueue);
    const result = await router.exchange({ ...request, signal, onPhase, editorTurn });
    flight.result = result;
    const { organizationId } = flight.target;
    if (result.kind === 'answer' && result.status === 429) {
      this.pauses.extend(organizationId, retryAfter(result.headers, now()));
    } else if (result.kind === 'answer') {
      this.pauses.clear(organizationId);
    }
    return result;
  }

  /** @throws ApiError */
  private async read<T>(flight: Flight, result: WireResult, decode: Decoder<T>) {
    const { stop } = flight;
    if (result.kind !== 'answer') throw new ApiError(stop ?? noAnswer(result));
    const isRefusal = !isSuccess(result.status);
    // A refusal stays one if only its text was too slow.
    const isOver = result.end === 'stopped' && !(isRefusal && stop?.kind === 'timedOut');
    if (stop && isOver) throw new ApiError(stop);
    if (isRefusal) throw new ApiError(this.refusal(flight, result));
    const reading = readAnswer(result, decode, this.options.secrets);
    if (result.end !== 'complete') return finished(reading);
    // No repeat follows, so the next call gets the place before this answer is read.
    flight.leave();
    return this.options.inTurn(reading);
  }

  /** Only a status line can tell what became of it. */
  private outcomeOf(flight: Flight, result: WireResult): RevocationOutcome {
    if (result.kind !== 'answer') {
      const failure = flight.stop ?? noAnswer(result);
      const sent = result.kind === 'lost' || (result.kind === 'stopped' && result.sent);
      return { kind: sent ? 'unknown' : 'notSent', failure };
    }
    const { status } = result;
    if (isSuccess(status)) return { kind: status === 202 ? 'unknown' : 'revoked', status };
    const failure = this.refusal(flight, result);
    return { kind: status >= 400 && status < 500 ? 'refused' : 'unknown', status, failure };
  }

  private refusal({ target }: Flight, answer: WireAnswer): Failure {
    return readRefusal(answer, target.baseUrl, this.options.secrets, this.pauses.until(target.organizationId) ?? 0);
  }

  /** Waits until it is time for a repeat; false if none is worth it, or the time-out leaves no room for it. */
  private async mayRepeat(flight: Flight, result: WireResult, failure: Failure): Promise<boolean> {
    if (flight.attempts > mostRepeats || flight.stop || !isPassing(failure)) return false;
    if (failure.kind === 'rateLimited') {
      if (this.pauses.left(flight.target.organizationId) >= flight.remaining) return false;
      // The pause is waited for in the queue.
      flight.leave();
      return true;
    }
    const { now, random, delay } = this.options;
    const asked = (result.kind === 'answer' && retryAfter(result.headers, now())) || 0;
    const backoff = firstDelay * 2 ** (flight.attempts - 1) * (0.5 + random());
    const wait = Math.max(asked, backoff);
    if (wait >= flight.remaining) return false;
    // It keeps its place unless the service asked it to wait, so that a service in trouble gets fewer requests.
    if (asked > backoff) flight.release();
    flight.tell({ kind: 'waiting' });
    await delay(wait, flight.signal).catch(() => undefined);
    return true;
  }
}

/** One call from the queue to its end. Its clock stands still while it waits for a turn or for a pause to end. */
class Flight {
  attempts = 0;
  /** Of the last attempt. */
  result: WireResult | undefined;
  failure: Failure | undefined;
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  place: Release | undefined;
  /** Ms that it may take. The other times are in ms, too. */
  private timeout = 0;
  private spentBefore = 0;
  private startedAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    readonly target: Target,
    private readonly call: Call,
    private readonly requestTimeout: () => number,
  ) {
    call.signal.addEventListener('abort', this.cancel);
    if (call.signal.aborted) this.cancel();
  }

  /** Set as soon as the call was cancelled or ran out of time; the first of them counts. */
  get stop(): Stop | undefined {
    return this.signal.reason;
  }

  get duration(): number {
    return this.spentBefore + (this.startedAt === undefined ? 0 : performance.now() - this.startedAt);
  }

  get remaining(): number {
    return Math.max(0, this.timeout - this.duration);
  }

  /** Gives a place it has for one in this queue; false if the call was stopped while it waited. */
  async enter(queue: Queue): Promise<boolean> {
    this.leave();
    const { organizationId } = this.target;
    const { urgent } = this.call;
    this.place = await queue.enter({ organizationId, urgent, signal: this.signal, onPhase: this.tell });
    if (!this.place) return false;
    this.timeout = this.requestTimeout();
    this.startedAt = performance.now();
    const late: Stop = { kind: 'timedOut', after: this.timeout };
    this.timer = setTimeout(() => this.controller.abort(late), this.remaining);
    return true;
  }

  /** Gives the place back; the clock stands still until the next one. */
  leave(): void {
    this.spentBefore = this.duration;
    this.startedAt = undefined;
    clearTimeout(this.timer);
    this.release();
  }

  /** Gives the place back, while the clock goes on. */
  release(): void {
    this.place?.();
    this.place = undefined;
  }

  end(): void {
    this.leave();
    this.call.signal.removeEventListener('abort', this.cancel);
  }

  readonly tell = (phase: Phase): void => withoutFail(() => this.call.onPhase?.(phase));

  readonly cancel = (): void => this.controller.abort({ kind: 'cancelled' } satisfies Stop);
}

/** An error of a listener must not end the request. */
function withoutFail(tell: () => void): void {
  try {
    tell();
  } catch {}
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** An unexpected error leaves as a flat failure, too, since `api` throws nothing else. */
export function failureOf(error: unknown): Failure {
  return error instanceof ApiError ? error.failure : { kind: 'connectionLost', code: codeOf(error) };
}

/**
 * An id as exactly one segment of a path: `%2e%2e` goes out as `%252e%252e` and stays what it is.
 * @throws ApiError `invalidId` for what no encoding can save: nothing at all, `.`, `..` and lone surrogates.
 */
export function pathSegment(id: string): string {
  if (id === '') throw new ApiError({ kind: 'invalidId', reason: 'empty' });
  if (id === '.' || id === '..') throw new ApiError({ kind: 'invalidId', reason: 'dotSegment' });
  try {
    return encodeURIComponent(id);
  } catch {
    throw new ApiError({ kind: 'invalidId', reason: 'loneSurrogate' });
  }
}

/** Bytes of a decoded answer; more is `tooLarge`. */
const largestBody = 4 * 1024 * 1024;
/** Bytes of a refusal: more than a person will ever see of it. */
const enoughForExcerpt = 64 * 1024;
/** Ms after the status line of a refusal: a body that drips is not worth more. */
const patience = 2000;

/**
 * The operation's path below the base URL, with the bearer token.
 * @throws ApiError `invalidId`; `unreachable` for a token that no header can hold.
 */
export function wireRequest(target: Target, { method, template, id }: Operation): Omit<WireRequest, 'signal'> {
  const path = template.replace(/\{\w+\}/, () => pathSegment(id));
  const baseUrl = new URL(target.baseUrl);
  if (!isUsableToken(target.token)) {
    throw new ApiError({
      kind: 'unreachable',
      cause: { step: 'network', code: 'ERR_INVALID_CHAR', ...peerOf(baseUrl) },
    });
  }
  return {
    method,
    origin: baseUrl.origin,
    path: baseUrl.pathname.replace(/\/+$/, '') + path,
    headers: {
      authorization: `Bearer ${target.token}`,
      accept: 'application/json',
      'accept-encoding': acceptedEncodings,
      'user-agent': 'automation-platform-vscode',
    },
    alone: method === 'DELETE',
    wanted: (status) => {
      if (status >= 400) return { bytes: enoughForExcerpt, patience };
      // The body of a redirect or of a successful revocation is not read, since nothing in it counts.
      return { bytes: method === 'GET' && isSuccess(status) ? largestBody : 0 };
    },
  };
}

import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, isPassing, noAnswer, readAnswer, readRefusal, retryAfter, type Stop } from './answer.js';
import type { Decoder } from './decode.js';
import { ApiError, type Failure } from './failure.js';
import { codeOf, peerOf } from './network/errorCodes.js';
import { acceptedEncodings, type WireRequest, type WireResult } from './network/exchange.js';
import type { Connector } from './network/router.js';
import { Pauses, type Phase, Queue, type Release } from './queue.js';
import { finished, type Work } from './secretFinder.js';
import { isUsableToken, type KnownSecrets, type SearchedIn } from './secrets.js';

/** Which server, with whose token. A token is only ever sent to its own base URL. */
export interface Target {
  /** Opaque id: a 429 pauses one organization, not the others. */
  readonly organizationId: string;
  /** As `parseBaseUrl` returned it: no trailing slash. */
  readonly baseUrl: string;
  /** Bearer token of the slot that the operation uses. */
  readonly token: string;
}

export interface Operation {
  readonly method: 'GET' | 'DELETE';
  /** The path below the base URL, with one `{parameter}`. */
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

/** One finished request, for the log: without its id, and without credentials. */
export interface Exchange extends Pick<Operation, 'method' | 'template'> {
  readonly host: string;
  readonly status?: number;
  readonly failure?: Failure;
  /** Decoded bytes of the body. */
  readonly bytes: number;
  /** From leaving the queue to the last byte, ms. */
  readonly duration: number;
  readonly attempts: number;
}

export interface SenderOptions {
  /** Asked anew for every request. `requestTimeout`: ms. */
  readonly limits: () => { readonly requestTimeout: number; readonly maxConcurrentRequests: number };
  readonly connector: Connector;
  readonly onExchange: (exchange: Exchange) => void;
  readonly secrets: KnownSecrets;
  /** A 429 holds this organization until then, epoch ms. */
  readonly onPause?: (organizationId: string, until: number) => void;
  /**
   * Reads an answer in its turn: that takes milliseconds in which nothing is sent, so requests that can go out go first.
   * A large answer is read in steps. Absent: at once.
   */
  readonly inTurn?: <T>(work: Work<T>) => Promise<T>;
  /** Epoch ms. */
  readonly now?: () => number;
  /** 0 to 1, like `Math.random`. */
  readonly random?: () => number;
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
  private readonly closing = new AbortController();
  private readonly options: Required<SenderOptions>;

  constructor(options: SenderOptions) {
    this.options = {
      onPause: () => undefined,
      inTurn: (work) => Promise.resolve(finished(work)),
      now: Date.now,
      random: Math.random,
      delay: (ms, signal) => sleep(ms, undefined, { signal }),
      ...options,
    };
    const { limits, now, random } = this.options;
    this.pauses = new Pauses(now, () => performance.now(), random);
    this.queue = new Queue(() => limits().maxConcurrentRequests, this.pauses);
    this.editorQueue = new Queue(() => Math.min(mostOverEditor, limits().maxConcurrentRequests), this.pauses);
    // Every call listens to it, also those that wait.
    setMaxListeners(0, this.closing.signal);
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

  /** Proxy settings or the network changed: routes are decided anew. Requests under way stay as they are. */
  forgetRoutes(): void {
    this.options.connector.forget();
  }

  /** Closes idle connections; requests under way end as cancelled. */
  async close(): Promise<void> {
    this.closing.abort();
    this.queue.close();
    this.editorQueue.close();
    await this.options.connector.close();
  }

  /** Sends a GET until its answer is usable, or no repeat is left or worth it. Rejects with `ApiError` only. */
  protected async get<T>(target: Target, operation: Operation, call: Call, decode: Decoder<T>): Promise<Answer<T>> {
    const flight = this.begin(target, operation, call);
    try {
      const request = { ...wireRequest(target, operation), alone: call.once === true };
      for (let repeats = 0; ; repeats++) {
        const result = await flight.exchange(request);
        const receivedAt = this.options.now();
        try {
          return { ...(await this.read(flight, result, decode)), receivedAt };
        } catch (error) {
          if (call.once || !(await this.mayRepeat(flight, result, failureOf(error), repeats))) throw error;
        }
      }
    } catch (error) {
      flight.failure = failureOf(error);
      throw new ApiError(flight.failure);
    } finally {
      this.finish(flight);
    }
  }

  /** Sends a DELETE once. Never rejects. */
  protected async delete(target: Target, operation: Operation, call: Call): Promise<RevocationOutcome> {
    // It is always a person's.
    const flight = this.begin(target, operation, { ...call, urgent: true });
    try {
      const outcome = this.outcomeOf(flight, await flight.exchange(wireRequest(target, operation)));
      if ('failure' in outcome) flight.failure = outcome.failure;
      return outcome;
    } catch (error) {
      flight.failure = failureOf(error);
      return { kind: flight.attempts === 0 ? 'notSent' : 'unknown', failure: flight.failure };
    } finally {
      this.finish(flight);
    }
  }

  private begin(target: Target, operation: Operation, call: Call): Flight {
    const { options, queue, editorQueue, closing } = this;
    options.secrets.add(target.token);
    if (operation.idIsSecretIn) options.secrets.add(operation.id, operation.idIsSecretIn);
    return new Flight(options, queue, editorQueue, closing.signal, target, operation, call);
  }

  private finish(flight: Flight): void {
    flight.end();
    const { target, operation, result, failure, duration, attempts } = flight;
    const { secrets, onExchange } = this.options;
    secrets.remove(target.token);
    if (operation.idIsSecretIn) secrets.remove(operation.id, operation.idIsSecretIn);
    if (attempts === 0) return;
    const { method, template } = operation;
    const { host } = new URL(target.baseUrl);
    const { status, body } = result?.kind === 'answer' ? result : {};
    const bytes = body?.length ?? 0;
    withoutFail(() => onExchange({ method, template, host, status, failure, bytes, duration, attempts }));
  }

  /** @throws ApiError */
  private async read<T>(flight: Flight, result: WireResult, decode: Decoder<T>) {
    const { stop, target } = flight;
    if (result.kind !== 'answer') throw new ApiError(stop ?? noAnswer(result));
    const isRefusal = !isSuccess(result.status);
    // A refusal stays one if only its text was too slow.
    const isOver = result.end === 'stopped' && !(isRefusal && stop?.kind === 'timedOut');
    if (stop && isOver) throw new ApiError(stop);
    if (isRefusal) throw new ApiError(this.refusal(target, result));
    this.pauses.clear(target.organizationId);
    const reading = readAnswer(result, decode, this.options.secrets);
    if (result.end !== 'complete') return finished(reading);
    // No repeat follows, so the next call gets the place before this answer is read.
    flight.leave();
    return this.options.inTurn(reading);
  }

  /** Only a status line can tell what became of it. */
  private outcomeOf({ target, stop }: Flight, result: WireResult): RevocationOutcome {
    if (result.kind !== 'answer') {
      const failure = stop ?? noAnswer(result);
      const sent = result.kind === 'lost' || (result.kind === 'stopped' && result.sent);
      return { kind: sent ? 'unknown' : 'notSent', failure };
    }
    const { status } = result;
    if (isSuccess(status)) return { kind: status === 202 ? 'unknown' : 'revoked', status };
    const failure = this.refusal(target, result);
    return { kind: status >= 400 && status < 500 ? 'refused' : 'unknown', status, failure };
  }

  /** A 429 pauses the organization. */
  private refusal({ organizationId, baseUrl }: Target, answer: Extract<WireResult, { kind: 'answer' }>): Failure {
    let pausedUntil = 0;
    if (answer.status === 429) {
      const { now, onPause } = this.options;
      pausedUntil = this.pauses.extend(organizationId, retryAfter(answer.headers, now()));
      onPause(organizationId, pausedUntil);
      this.queue.pausesChanged();
      this.editorQueue.pausesChanged();
    } else if (answer.status >= 400) {
      this.pauses.clear(organizationId);
    }
    return readRefusal(answer, baseUrl, this.options.secrets, pausedUntil);
  }

  /** Waits until it is time for a repeat; false if none is worth it, or the time-out leaves no room for it. */
  private async mayRepeat(flight: Flight, result: WireResult, failure: Failure, repeats: number): Promise<boolean> {
    if (repeats === mostRepeats || flight.stop || !isPassing(failure)) return false;
    if (failure.kind === 'rateLimited') {
      if (this.pauses.left(flight.target.organizationId) >= flight.remaining) return false;
      // The pause is waited for in the queue.
      flight.leave();
      return true;
    }
    const { now, random, delay } = this.options;
    const asked = (result.kind === 'answer' && retryAfter(result.headers, now())) || 0;
    const backoff = firstDelay * 2 ** repeats * (0.5 + random());
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
  /** Set as soon as the call was cancelled or ran out of time. */
  stop: Stop | undefined;
  /** Aborts with `stop`. */
  private readonly controller = new AbortController();
  readonly signal = this.controller.signal;
  private place: Release | undefined;
  /** Ms that it may take. The other times are in ms, too. */
  private timeout = 0;
  private spentBefore = 0;
  private startedAt: number | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly options: SenderOptions,
    private readonly queue: Queue,
    private readonly editorQueue: Queue,
    private readonly closing: AbortSignal,
    readonly target: Target,
    readonly operation: Operation,
    private readonly call: Call,
  ) {
    for (const signal of [call.signal, closing]) signal.addEventListener('abort', this.cancel);
    if (call.signal.aborted || closing.aborted) this.cancel();
  }

  get duration(): number {
    return this.spentBefore + (this.startedAt === undefined ? 0 : performance.now() - this.startedAt);
  }

  get remaining(): number {
    return Math.max(0, this.timeout - this.duration);
  }

  /** Sends once, with a place. Over the editor's `fetch` that is a place in its own queue. */
  async exchange(request: Omit<WireRequest, 'signal' | 'onPhase'>): Promise<WireResult> {
    if (this.place) this.tell({ kind: 'connecting' });
    else if (!(await this.enter(this.queue))) return { kind: 'stopped', sent: false };
    this.attempts++;
    const { signal } = this;
    const onPhase = (kind: 'connecting' | 'sending'): void => this.tell({ kind });
    const editorTurn = (): Promise<boolean> => this.enter(this.editorQueue);
    this.result = await this.options.connector.exchange({ ...request, signal, onPhase, editorTurn });
    return this.result;
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
    for (const signal of [this.call.signal, this.closing]) signal.removeEventListener('abort', this.cancel);
  }

  tell(phase: Phase): void {
    withoutFail(() => this.call.onPhase?.(phase));
  }

  /** Gives a place it has for one in this queue; false if the call was stopped while it waited. */
  private async enter(queue: Queue): Promise<boolean> {
    this.leave();
    this.place = await queue.enter({
      organizationId: this.target.organizationId,
      urgent: this.call.urgent,
      signal: this.signal,
      onPhase: (phase) => this.tell(phase),
    });
    if (!this.place) return false;
    this.timeout = this.options.limits().requestTimeout;
    this.startedAt = performance.now();
    this.timer = setTimeout(() => this.endWith({ kind: 'timedOut', after: this.timeout }), this.remaining);
    return true;
  }

  private readonly cancel = (): void => this.endWith({ kind: 'cancelled' });

  private endWith(stop: Stop): void {
    this.stop ??= stop;
    this.controller.abort();
  }
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
function failureOf(error: unknown): Failure {
  return error instanceof ApiError ? error.failure : { kind: 'connectionLost', code: codeOf(error) };
}

/**
 * An id as exactly one segment of a path. What URL parsers would change or could take for a separator (`/`, `%`,
 * `?`, `#`, spaces, everything outside ASCII) is percent-encoded, so `%2e%2e` goes out as `%252e%252e` and stays what it is.
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

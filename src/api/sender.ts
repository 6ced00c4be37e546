import { setTimeout as realDelay } from 'node:timers/promises';
import { type Answer, isTransient, readAnswer, readPage, readRefusal } from './answer.js';
import { AnswerHistory } from './answerer/answerHistory.js';
import { asSentOnTheWay } from './answerer/whoAnswered.js';
import type { ApiRequest, Call, RequestLogEntry, RevocationOutcome, Target } from './call.js';
import type { Decoder } from './decode.js';
import { pathSegment } from './entered/baseUrl.js';
import { ApiError, type Failure } from './failure.js';
import { ageMs, clockSkewOf, retryAfter } from './httpTimes.js';
import { failureOf } from './network/errorCodes.js';
import type { Router } from './network/router.js';
import type { WireAnswer, WireRequest, WireResult } from './network/wire.js';
import { Queue, type Release } from './queue.js';
import type { KnownSecrets } from './secrets.js';
import { type SetTimer, setTimer } from './timers.js';

export interface SenderOptions {
  readonly limits: () => {
    readonly requestTimeout: number;
    readonly maxConcurrentRequests: number;
  };
  readonly router: Pick<Router, 'send' | 'maxRequests' | 'close'>;
  readonly onRequest: (entry: RequestLogEntry) => void;
  readonly secrets: KnownSecrets;
  /** Default: one of its own. */
  readonly history?: AnswerHistory;
  readonly onPauses?: () => void;
  /** Epoch ms. */
  readonly now?: () => number;
  /** Ms, for distances: it goes on evenly when the system's time is set. */
  readonly elapsed?: () => number;
  /** For pauses and time-outs. */
  readonly setTimer?: SetTimer;
  /** Between an attempt and its repeat. */
  readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Attempt extends Pick<Answer<unknown>, 'sentAt' | 'sequence'> {
  /** See `AnswerHistory.present`. */
  readonly period: number;
}

const maxRepeats = 2;
/** For what the user asks for, so that it never waits behind a refresh. */
const extraSlots = 2;
const firstDelayMs = 300;

const closed = new ApiError({ kind: 'cancelled' });

export class Sender {
  /** By organization. */
  private readonly queues = new Map<string, Queue>();
  /**
   * What stops each request that has a slot. `AbortSignal.any` with one signal for all of them would keep
   * something of every request on Node 22 until that signal aborts.
   */
  private readonly running = new Set<AbortController>();
  private isClosed = false;
  /** Of all requests, also those that failed. */
  private attempts = 0;
  private readonly options: Required<SenderOptions>;

  constructor(options: SenderOptions) {
    this.options = {
      history: new AnswerHistory(),
      onPauses: () => undefined,
      now: Date.now,
      elapsed: () => performance.now(),
      setTimer,
      delay: (ms, signal) => realDelay(ms, undefined, { signal }),
      ...options,
    };
  }

  pausedUntil(organizationId: string): number | undefined {
    return this.queues.get(organizationId)?.pausedUntil;
  }

  /** Closes idle connections; requests under way end as cancelled. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const queue of this.queues.values()) queue.close(closed);
    for (const stop of this.running) stop.abort(closed);
    await this.options.router.close();
  }

  /** Sends a GET until its answer is usable, or no repeat is left or worth it. Rejects with `ApiError` only. */
  get<T>(target: Target, request: ApiRequest, call: Call, decode: Decoder<T>): Promise<Answer<T>> {
    const { history, secrets } = this.options;
    const secretOfRequest = request.idIsSecretIn === undefined ? undefined : request.id;
    return this.send(
      target,
      request,
      call,
      newEntry(request),
      (result, signal, { period, ...attempt }) => {
        if (result.kind === 'unanswered') throw new ApiError(result.failure);
        // Also if its text was cut off.
        if (!isSuccess(result.status)) throw new ApiError(this.refusal(target, request, result));
        if (signal.aborted && result.end === 'cut') throw signal.reason;
        const answer = readAnswer(result, decode, secrets, secretOfRequest);
        history.add(target.organizationId, period);
        const { headers, receivedAt } = result;
        const asOf = attempt.sentAt - ageMs(headers);
        return { ...answer, ...attempt, asOf, ...clockSkewOf(headers, receivedAt) };
      },
    );
  }

  /** Sends a DELETE once, as what the user asked for. Never rejects. */
  async delete(target: Target, request: ApiRequest, call: Call): Promise<RevocationOutcome> {
    const entry = newEntry(request);
    try {
      return await this.send(target, request, { ...call, urgent: true }, entry, (result) => {
        const outcome = this.outcomeOf(target, request, result);
        if ('failure' in outcome) entry.failure = outcome.failure;
        return outcome;
      });
    } catch (error) {
      return { kind: entry.attempts === 0 ? 'notSent' : 'unknown', failure: failureOf(error) };
    }
  }

  /** Waits for pauses and a slot, sends within the time-out, and reads what came; again where that may help. Rejects with `ApiError`. */
  private async send<T>(
    target: Target,
    operation: ApiRequest,
    call: Call,
    entry: RequestLogEntry,
    read: (result: WireResult, signal: AbortSignal, attempt: Attempt) => T,
  ): Promise<T> {
    const {
      delay,
      elapsed,
      history,
      limits,
      now,
      onRequest,
      router,
      secrets,
      setTimer: set,
    } = this.options;
    const { method, id, idIsSecretIn } = operation;
    const stop = new AbortController();
    let sentElapsed: number | undefined;
    let release: Release | undefined;
    secrets.add(target.token);
    if (idIsSecretIn) secrets.add(id, idIsSecretIn);
    try {
      const queue = this.queueOf(target);
      const takeSlot = async (signal: AbortSignal): Promise<Release> => {
        if (this.isClosed) throw closed;
        const until = queue.pausedUntil;
        if (call.isProbe && until !== undefined)
          throw new ApiError({ kind: 'rateLimited', status: 429, until });
        return queue.enter({ ...call, signal });
      };
      release = await takeSlot(call.signal);
      // Thousands may wait for a slot, so what a request needs besides is made when it has one.
      if (this.isClosed) throw closed;
      this.running.add(stop);
      const signal = AbortSignal.any([call.signal, stop.signal]);
      const ownConnection = method !== 'GET' || call.isProbe === true;
      const { onPhase, onStep } = call;
      const wireRequest = wireRequestOf(target, operation);
      const request: WireRequest = {
        ...wireRequest,
        urgent: call.urgent,
        ownConnection,
        signal,
        onPhase,
        onStep,
      };
      entry.host = new URL(request.origin).host;
      for (;;) {
        release ??= await takeSlot(signal);
        const { requestTimeout } = limits();
        // The time of earlier attempts counts.
        const start = elapsed() - entry.duration;
        const left = (): number => start + requestTimeout - elapsed();
        const timeOut = (): void =>
          stop.abort(new ApiError({ kind: 'timedOut', after: requestTimeout }));
        const timer = set(timeOut, left());
        try {
          onPhase?.({ kind: 'connecting' });
          // Also if that listener has aborted it. So far it is neither sent nor logged.
          signal.throwIfAborted();
          entry.attempts++;
          sentElapsed = elapsed();
          const attempt: Attempt = {
            sentAt: now(),
            sequence: ++this.attempts,
            period: history.present,
          };
          const result = await router.send(request);
          this.record(queue, result, entry);
          try {
            return read(result, signal, attempt);
          } catch (error) {
            const failure = failureOf(error);
            const wait = this.waitBeforeRepeat(failure, result, entry.attempts, queue);
            if (ownConnection || signal.aborted || entry.attempts > maxRepeats || wait >= left())
              throw error;
            if (failure.kind === 'rateLimited') {
              // The pause is over before the next slot is taken.
              release();
              release = undefined;
              continue;
            }
            // In its slot, so that a failing platform gets fewer requests.
            onPhase?.({ kind: 'waiting' });
            await delay(wait, signal).catch(() => undefined);
          }
        } finally {
          timer.dispose();
          entry.duration = elapsed() - start;
        }
      }
    } catch (error) {
      entry.failure = failureOf(error);
      throw new ApiError(entry.failure, sentElapsed);
    } finally {
      this.running.delete(stop);
      release?.();
      if (idIsSecretIn) secrets.removeShort(id);
      if (entry.attempts > 0) onRequest(entry);
    }
  }

  private queueOf({ organizationId, baseUrl }: Target): Queue {
    const known = this.queues.get(organizationId);
    if (known) return known;
    const { elapsed, limits, now, onPauses, router, setTimer: set } = this.options;
    const { origin } = new URL(baseUrl);
    const max = (): number => Math.min(limits().maxConcurrentRequests, router.maxRequests(origin));
    const queue = new Queue({ max, extraSlots, now, elapsed, setTimer: set, onPause: onPauses });
    this.queues.set(organizationId, queue);
    return queue;
  }

  private record(queue: Queue, result: WireResult, entry: RequestLogEntry): void {
    const { status, headers, body } = result.kind === 'answer' ? result : {};
    entry.status = status;
    entry.bytes = body?.length ?? 0;
    if (headers && status === 429) queue.pause(retryAfter(headers, this.options.now()));
    else if (headers) queue.forgetStrikes();
  }

  private waitBeforeRepeat(
    failure: Failure,
    result: WireResult,
    attempts: number,
    queue: Queue,
  ): number {
    if (!isTransient(failure)) return Number.POSITIVE_INFINITY;
    if (failure.kind === 'rateLimited') return queue.pauseLeft;
    const asked =
      result.kind === 'answer' ? retryAfter(result.headers, this.options.now()) : undefined;
    return Math.max(asked ?? 0, firstDelayMs * 2 ** (attempts - 1));
  }

  private outcomeOf(target: Target, request: ApiRequest, result: WireResult): RevocationOutcome {
    if (result.kind === 'unanswered')
      return { kind: result.sent ? 'unknown' : 'notSent', failure: result.failure };
    const { status } = result;
    if (isSuccess(status)) {
      const failure = readPage(result, this.options.secrets);
      if (failure) return { kind: 'unknown', status, failure };
      return { kind: status === 202 ? 'unknown' : 'revoked', status };
    }
    const failure = this.refusal(target, request, result);
    return { kind: status >= 400 && status < 500 ? 'refused' : 'unknown', status, failure };
  }

  private refusal(
    { baseUrl, organizationId }: Target,
    request: ApiRequest,
    answer: WireAnswer,
  ): Failure {
    const { history, secrets } = this.options;
    const asked = { baseUrl, path: operationPath(request) };
    const failure = readRefusal(answer, asked, secrets, this.pausedUntil(organizationId) ?? 0);
    return history.has(organizationId) ? failure : asSentOnTheWay(failure);
  }
}

function newEntry({ method, template }: ApiRequest): RequestLogEntry {
  return { method, template, host: '', bytes: 0, duration: 0, attempts: 0 };
}

/** `/deployments/dep_7f3a91c2/authorization` */
function operationPath({ template, id }: ApiRequest): string {
  return template.replace(/\{\w+\}/, () => pathSegment(id));
}

function wireRequestOf({ baseUrl, token }: Target, operation: ApiRequest) {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname + operationPath(operation);
  const authorization = `Bearer ${token}`;
  const headers = {
    authorization,
    accept: 'application/json',
    'user-agent': 'automation-platform-vscode',
  };
  return { method: operation.method, origin, path, headers };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

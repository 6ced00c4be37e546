import { setTimeout as realDelay } from 'node:timers/promises';
import { type Answer, isTransient, readAnswer, readPage, readRefusal } from './answer.js';
import { AnswerHistory } from './answerer/answerHistory.js';
import { asSentOnTheWay } from './answerer/whoAnswered.js';
import type { ApiRequest, Call, RequestLogEntry, RevocationOutcome, Target } from './call.js';
import type { Decoder } from './decode.js';
import { pathSegment } from './entered/baseUrl.js';
import { ApiError, type Failure } from './failure.js';
import { ageMs, clockSkewOf, retryAfterMs } from './httpTimes.js';
import { failureOf } from './network/errorCodes.js';
import type { Router } from './network/router.js';
import type { WireAnswer, WireRequest, WireResult } from './network/wire.js';
import { Queue, type Release } from './queue.js';
import type { KnownSecrets } from './secrets.js';
import { type SetTimer, setTimer } from './timers.js';

export interface SenderOptions {
  /** `requestTimeout`: in ms. */
  readonly limits: () => {
    readonly requestTimeout: number;
    readonly maxConcurrentRequests: number;
  };
  readonly router: Pick<Router, 'send' | 'maxRequests' | 'close'>;
  /** Called when a request ends of which an attempt began, even if no connection was made. */
  readonly onRequest: (entry: RequestLogEntry) => void;
  readonly secrets: KnownSecrets;
  /** Default: a new history that no other sender shares. */
  readonly history?: AnswerHistory;
  /** Called when a pause of an organization begins, ends, or becomes at least a second longer. */
  readonly onPauses?: () => void;
  /** Epoch ms. */
  readonly now?: () => number;
  /** Ms by a clock that runs evenly when the system's time is set; for durations. */
  readonly elapsed?: () => number;
  /** For pauses and time-outs. */
  readonly setTimer?: SetTimer;
  /** Waits between an attempt and its repeat, except during a pause. */
  readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** One sending of a request, which may be repeated. */
interface Attempt extends Pick<Answer<unknown>, 'sentAt' | 'sequence'> {
  /** `AnswerHistory.currentPeriod` when the request was sent. */
  readonly period: number;
}

/** How far an exchange has come. Its entry in the log is made of it at the end. */
interface Progress {
  /** Perhaps with a port; empty until there is a slot. */
  host: string;
  /** How many attempts began. 0 shows that a DELETE has had no effect. */
  attempts: number;
  /**
   * Ms of all attempts that have ended and of the waits before repeats, but not of pauses. It
   * counts toward the time-out.
   */
  spentMs: number;
  /** Of the last attempt, if it was answered. */
  status?: number | undefined;
  /** Of the decoded body of the last attempt. */
  bytes: number;
  failure?: Failure;
}

/** An operation on its way to the platform. */
interface Exchange<T> {
  readonly target: Target;
  readonly operation: ApiRequest;
  readonly call: Call;
  readonly progress: Progress;
  /** Returns what the result means. Throws if a GET failed, so that it may be repeated. */
  readonly read: (result: WireResult, attempt: Attempt, signal: AbortSignal) => T;
}

/** The running time-out of an exchange. */
interface TimeOut {
  /** Ms until the time is up. */
  remainingMs(): number;
  /** Stops the timer. Returns the new `Progress.spentMs`. */
  end(): number;
}

/** A GET is sent once and repeated at most so often. */
const maxRepeats = 2;
/** For what the user asks for, so that refreshes cannot take all slots. */
const extraSlots = 2;
/** The second repeat waits twice as long as the first. */
const firstDelayMs = 300;

const closedError = new ApiError({ kind: 'cancelled' });

/**
 * Sends operations to the platform: waits for a slot of the organization's queue, sends within the
 * time-out, reads the answer, and repeats a GET where that may help. Owns the queues. The client
 * asks it, and so does `src/check`.
 */
export class Sender {
  /** By organization ID. */
  private readonly queues = new Map<string, Queue>();
  /**
   * Aborts each request that has had a slot. `AbortSignal.any` with one signal for all requests
   * would keep some memory of each of them on Node 22 until that signal aborts.
   */
  private readonly running = new Set<AbortController>();
  private isClosed = false;
  /** Counts the attempts of all requests, including those that failed. */
  private attemptCount = 0;
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

  /** Epoch ms when the pause of an organization ends; `undefined` if it is not paused. */
  pausedUntil(organizationId: string): number | undefined {
    return this.queues.get(organizationId)?.pausedUntil;
  }

  /** Closes all connections. Requests that wait or run end as cancelled. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const queue of this.queues.values()) queue.close(closedError);
    for (const stop of this.running) stop.abort(closedError);
    await this.options.router.close();
  }

  /**
   * Sends a GET, and repeats it at most twice, where that may help; a probe never. Rejects with
   * `ApiError` only.
   */
  get<T>(
    target: Target,
    operation: ApiRequest,
    call: Call,
    decode: Decoder<T>,
  ): Promise<Answer<T>> {
    const { history, secrets } = this.options;
    const secretOfRequest = operation.idIsSecretIn === undefined ? undefined : operation.id;

    const read = (result: WireResult, attempt: Attempt, signal: AbortSignal): Answer<T> => {
      if (result.kind === 'unanswered') throw new ApiError(result.failure);
      // A refusal counts even if its text was cut off.
      if (!isSuccess(result.status)) throw new ApiError(this.refusal(target, operation, result));
      if (signal.aborted && result.end === 'cut') throw signal.reason;

      const { value, decodeIssues } = readAnswer(result, decode, secrets, secretOfRequest);
      history.add(target.organizationId, attempt.period);
      const { headers, receivedAt } = result;
      const { sentAt, sequence } = attempt;
      const asOf = sentAt - ageMs(headers);
      const { clockOffsetMs, hasUnusableDate } = clockSkewOf(headers, receivedAt);
      return { value, decodeIssues, sentAt, sequence, asOf, clockOffsetMs, hasUnusableDate };
    };
    return this.send({ target, operation, call, progress: newProgress(), read });
  }

  /** Sends a DELETE once, ahead of all refreshes. Never rejects. */
  async delete(target: Target, operation: ApiRequest, call: Call): Promise<RevocationOutcome> {
    const progress = newProgress();
    const read = (result: WireResult): RevocationOutcome => {
      const outcome = this.outcomeOf(target, operation, result);
      if ('failure' in outcome) progress.failure = outcome.failure;
      return outcome;
    };
    const urgentCall = { ...call, urgent: true };
    try {
      return await this.send({ target, operation, call: urgentCall, progress, read });
    } catch (error) {
      const wasSent = progress.attempts > 0;
      return { kind: wasSent ? 'unknown' : 'notSent', failure: failureOf(error) };
    }
  }

  /**
   * Waits for a slot, sends, reads the result, and starts over if a repeat may help. Rejects with
   * `ApiError`.
   */
  private async send<T>(exchange: Exchange<T>): Promise<T> {
    const { target, operation, call, progress, read } = exchange;
    const { delay, onRequest, router } = this.options;
    const stop = new AbortController();
    let release: Release | undefined;
    /** When the last attempt began, by `elapsed`. */
    let sentElapsed: number | undefined;
    this.addSecrets(target, operation);
    try {
      const queue = this.queueOf(target);
      release = await this.takeSlot(queue, call);
      if (this.isClosed) throw closedError;
      // Thousands may wait for a slot, so a request gets its signal and its headers only now.
      this.running.add(stop);
      const signal = AbortSignal.any([call.signal, stop.signal]);
      const request = wireRequestOf(exchange, signal);
      progress.host = new URL(request.origin).host;

      for (;;) {
        release ??= await this.takeSlot(queue, { ...call, signal });
        const timeOut = this.startTimeOut(progress.spentMs, stop);
        try {
          call.onPhase?.({ kind: 'connecting' });
          // That listener may have aborted the request. Then this attempt is not sent.
          signal.throwIfAborted();
          progress.attempts += 1;
          sentElapsed = this.options.elapsed();
          const attempt = this.newAttempt();
          const result = await router.send(request);
          this.record(queue, result, progress);
          try {
            return read(result, attempt, signal);
          } catch (error) {
            const failure = failureOf(error);
            const waitMs = this.waitBeforeRepeat(failure, result, progress.attempts, queue);
            const mayRepeat = !request.needsNewConnection && progress.attempts <= maxRepeats;
            if (!mayRepeat || signal.aborted || waitMs >= timeOut.remainingMs()) throw error;

            if (failure.kind === 'rateLimited') {
              // Taking the next slot waits for the end of the pause.
              release();
              release = undefined;
              continue;
            }
            // It keeps its slot while it waits, so that a failing platform gets fewer requests.
            call.onPhase?.({ kind: 'waiting' });
            await delay(waitMs, signal).catch(() => undefined);
          }
        } finally {
          progress.spentMs = timeOut.end();
        }
      }
    } catch (error) {
      progress.failure = failureOf(error);
      throw new ApiError(progress.failure, sentElapsed);
    } finally {
      this.running.delete(stop);
      release?.();
      this.removeSecrets(operation);
      if (progress.attempts > 0) onRequest(logEntryOf(operation, progress));
    }
  }

  private addSecrets({ token }: Target, { id, idIsSecretIn }: ApiRequest): void {
    const { secrets } = this.options;
    secrets.add(token);
    if (idIsSecretIn) secrets.add(id, idIsSecretIn);
  }

  /** Removes an ID that is so short that it would be found in any text. */
  private removeSecrets({ id, idIsSecretIn }: ApiRequest): void {
    if (idIsSecretIn) this.options.secrets.removeShort(id);
  }

  private queueOf({ organizationId, baseUrl }: Target): Queue {
    const existing = this.queues.get(organizationId);
    if (existing) return existing;
    const { elapsed, limits, now, onPauses, router, setTimer: set } = this.options;
    const { origin } = new URL(baseUrl);
    const max = (): number => Math.min(limits().maxConcurrentRequests, router.maxRequests(origin));
    const queue = new Queue({ max, extraSlots, now, elapsed, setTimer: set, onPause: onPauses });
    this.queues.set(organizationId, queue);
    return queue;
  }

  /**
   * Waits for a slot. Rejects at once with `ApiError` when closed, and for a probe during a pause.
   */
  private async takeSlot(queue: Queue, call: Call): Promise<Release> {
    if (this.isClosed) throw closedError;
    const until = queue.pausedUntil;
    if (call.isProbe && until !== undefined)
      throw new ApiError({ kind: 'rateLimited', status: 429, until });
    return queue.enter(call);
  }

  /** `spentMs`: as in `Progress`. Aborts `stop` when the time is up. */
  private startTimeOut(spentMs: number, stop: AbortController): TimeOut {
    const { elapsed, limits, setTimer: set } = this.options;
    const { requestTimeout } = limits();
    const startElapsed = elapsed() - spentMs;
    const remainingMs = (): number => startElapsed + requestTimeout - elapsed();
    const timedOut = (): void =>
      stop.abort(new ApiError({ kind: 'timedOut', after: requestTimeout }));
    const timer = set(timedOut, remainingMs());
    return {
      remainingMs,
      end: () => {
        timer.dispose();
        return elapsed() - startElapsed;
      },
    };
  }

  private newAttempt(): Attempt {
    const { history, now } = this.options;
    const sentAt = now();
    this.attemptCount += 1;
    return { sentAt, sequence: this.attemptCount, period: history.currentPeriod };
  }

  /**
   * Notes status and size. A 429 pauses the queue; any other answer outside of a pause ends a
   * series of pauses.
   */
  private record(queue: Queue, result: WireResult, progress: Progress): void {
    if (result.kind === 'unanswered') {
      progress.status = undefined;
      progress.bytes = 0;
      return;
    }
    const { status, headers, body } = result;
    progress.status = status;
    progress.bytes = body.length;
    if (status === 429) queue.pause(retryAfterMs(headers, this.options.now()));
    else queue.resetBackoff();
  }

  /** How many ms to wait before a repeat; infinity if it cannot help. `attempts`: sent so far. */
  private waitBeforeRepeat(
    failure: Failure,
    result: WireResult,
    attempts: number,
    queue: Queue,
  ): number {
    if (!isTransient(failure)) return Number.POSITIVE_INFINITY;
    if (failure.kind === 'rateLimited') return queue.pauseRemainingMs;
    const ownDelayMs = firstDelayMs * 2 ** (attempts - 1);
    if (result.kind === 'unanswered') return ownDelayMs;
    return Math.max(retryAfterMs(result.headers, this.options.now()) ?? 0, ownDelayMs);
  }

  private outcomeOf(target: Target, operation: ApiRequest, result: WireResult): RevocationOutcome {
    if (result.kind === 'unanswered')
      return { kind: result.maybeSent ? 'unknown' : 'notSent', failure: result.failure };
    const { status } = result;
    if (isSuccess(status)) {
      const failure = readPage(result, this.options.secrets);
      if (failure) return { kind: 'unknown', status, failure };
      // 202: the platform has accepted the revocation, but may not have carried it out.
      return { kind: status === 202 ? 'unknown' : 'revoked', status };
    }
    const failure = this.refusal(target, operation, result);
    const isRefused = status >= 400 && status < 500;
    return { kind: isRefused ? 'refused' : 'unknown', status, failure };
  }

  /** What an answer other than 2xx means. */
  private refusal(
    { baseUrl, organizationId }: Target,
    operation: ApiRequest,
    answer: WireAnswer,
  ): Failure {
    const { history, secrets } = this.options;
    const requested = { baseUrl, path: operationPath(operation) };
    const pausedUntil = this.pausedUntil(organizationId) ?? 0;
    const failure = readRefusal(answer, requested, secrets, pausedUntil);
    return history.has(organizationId) ? failure : asSentOnTheWay(failure);
  }
}

function newProgress(): Progress {
  return { host: '', attempts: 0, spentMs: 0, bytes: 0 };
}

function logEntryOf(
  { method, template }: ApiRequest,
  { spentMs, ...progress }: Progress,
): RequestLogEntry {
  return { method, template, ...progress, duration: spentMs };
}

/** `/deployments/dep_7f3a91c2/authorization`. @throws RangeError for an ID such as `..` */
function operationPath({ template, id }: ApiRequest): string {
  return template.replace(/\{\w+\}/, () => pathSegment(id));
}

function wireRequestOf(
  { target, operation, call }: Exchange<unknown>,
  signal: AbortSignal,
): WireRequest {
  const { method } = operation;
  const { origin, pathname } = new URL(target.baseUrl);
  return {
    method,
    origin,
    path: pathname + operationPath(operation),
    headers: {
      authorization: `Bearer ${target.token}`,
      accept: 'application/json',
      'user-agent': 'automation-platform-vscode',
    },
    urgent: call.urgent,
    needsNewConnection: method !== 'GET' || call.isProbe === true,
    signal,
    onPhase: call.onPhase,
    onStep: call.onStep,
  };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

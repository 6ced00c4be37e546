import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, isPassing, readAnswer, readRefusal, retryAfter } from './answer.js';
import type { Call, Operation, Phase, RequestLogEntry, RevocationOutcome, Target } from './call.js';
import type { Decoder } from './decode.js';
import { ApiError, type Failure } from './failure.js';
import { failureOf } from './network/errorCodes.js';
import type { WireAnswer, WireEvent, WireRequest, WireResult } from './network/exchange.js';
import type { Router } from './network/router.js';
import { Pauses } from './pauses.js';
import { Queue, type Release } from './queue.js';
import { requestOf } from './request.js';
import type { KnownSecrets } from './secrets.js';

export interface SenderOptions {
  /** Asked anew for every request. `requestTimeout`: ms. */
  readonly limits: () => { readonly requestTimeout: number; readonly maxConcurrentRequests: number };
  readonly router: Pick<Router, 'send' | 'maxRequests' | 'close'>;
  readonly onRequest: (entry: RequestLogEntry) => void;
  readonly secrets: KnownSecrets;
  /** `pausedUntil` says something else than before. */
  readonly onPauses?: () => void;
  /** Epoch ms. */
  readonly now?: () => number;
  readonly random?: typeof Math.random;
  /** Resolves after so many ms, or rejects when the signal aborts. */
  readonly delay?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const maxRepeats = 2;
/** Doubled with each repeat, and jittered. */
const firstDelayMs = 300;

/** Sends requests: each waits for a pause to end and for a slot, is sent within its time-out, and its answer is read. */
export class Sender {
  private readonly pauses: Pauses;
  private readonly queue: Queue;
  /** What stops each call. Not listeners of one signal, which takes longer to add one the more it has. */
  private readonly calls = new Set<AbortController>();
  private readonly closing = new AbortController();
  private readonly options: Required<SenderOptions>;

  constructor(options: SenderOptions) {
    this.options = {
      onPauses: () => undefined,
      now: Date.now,
      random: Math.random,
      delay: (ms, signal) => sleep(ms, undefined, { signal }),
      ...options,
    };
    const { limits, now, random, router, delay, onPauses } = this.options;
    this.pauses = new Pauses({
      now,
      elapsed: () => performance.now(),
      random,
      sleep: (ms) => delay(ms, this.closing.signal),
      onDidChange: onPauses,
    });
    this.queue = new Queue(
      () => limits().maxConcurrentRequests,
      (origin) => router.maxRequests(origin),
    );
  }

  /** Epoch ms until which a 429 holds this organization's requests, if one does. */
  pausedUntil(organizationId: string): number | undefined {
    return this.pauses.until(organizationId);
  }

  /** More requests may be allowed now than when the waiting ones came. */
  limitsChanged(): void {
    this.queue.update();
  }

  /** Closes idle connections; requests under way end as cancelled. */
  async close(): Promise<void> {
    this.closing.abort();
    for (const stop of this.calls) stop.abort(new ApiError({ kind: 'cancelled' }));
    await this.options.router.close();
  }

  /** Sends a GET until its answer is usable, or no repeat is left or worth it. Rejects with `ApiError` only. */
  get<T>(target: Target, operation: Operation, call: Call, decode: Decoder<T>): Promise<Answer<T>> {
    const { now, secrets } = this.options;
    return this.send(target, operation, call, newEntry(operation), (result, signal, sentAt) => {
      const receivedAt = now();
      if (result.kind !== 'answer') throw unanswered(result, signal);
      const isRefusal = !isSuccess(result.status);
      // A refusal stays one if only its text was too slow.
      const isTooSlow = signal.aborted && failureOf(signal.reason).kind === 'timedOut';
      if (signal.aborted && result.end === 'stopped' && !(isRefusal && isTooSlow)) throw signal.reason;
      if (isRefusal) throw new ApiError(this.refusal(target, result));
      return { ...readAnswer(result, decode, secrets), sentAt, receivedAt };
    });
  }

  /** Sends a DELETE once, as what the user asked for. Never rejects. */
  async delete(target: Target, operation: Operation, call: Call): Promise<RevocationOutcome> {
    const entry = newEntry(operation);
    try {
      return await this.send(target, operation, { ...call, urgent: true }, entry, (result, signal) => {
        const outcome = this.outcomeOf(target, result, signal);
        if ('failure' in outcome) entry.failure = outcome.failure;
        return outcome;
      });
    } catch (error) {
      return { kind: entry.attempts === 0 ? 'notSent' : 'unknown', failure: failureOf(error) };
    }
  }

  /**
   * Waits for pauses and for a slot, sends within the time-out, and reads what came; once more where that may help. Rejects with
   * `ApiError` only. The call's secrets are known meanwhile.
   */
  private async send<T>(
    target: Target,
    operation: Operation,
    call: Call,
    entry: Entry,
    read: (result: WireResult, signal: AbortSignal, sentAt: number) => T,
  ): Promise<T> {
    const { delay, limits, now, onRequest, router, secrets } = this.options;
    const { id, idIsSecretIn, method } = operation;
    const { organizationId, token } = target;
    const stop = new AbortController();
    const { signal } = stop;
    let sentAt: number | undefined;
    const cancel = (): void => stop.abort(new ApiError({ kind: 'cancelled' }));
    this.calls.add(stop);
    call.signal.addEventListener('abort', cancel);
    if (call.signal.aborted || this.closing.signal.aborted) cancel();
    secrets.add(token);
    if (idIsSecretIn) secrets.add(id, idIsSecretIn);
    try {
      const ownConnection = method === 'DELETE' || call.isProbe === true;
      const onEvent = (event: WireEvent): void => notify(call, event);
      const request: WireRequest = { ...requestOf(target, operation), ownConnection, signal, onEvent };
      entry.host = new URL(request.origin).host;
      for (;;) {
        const release = await this.slot(organizationId, request.origin, call, signal);
        const { requestTimeout } = limits();
        // The time in earlier slots counts.
        const start = performance.now() - entry.duration;
        const left = (): number => start + requestTimeout - performance.now();
        const timeOut = (): void => stop.abort(new ApiError({ kind: 'timedOut', after: requestTimeout }));
        const timer = setTimeout(timeOut, left());
        try {
          for (;;) {
            onEvent({ kind: 'connecting' });
            entry.attempts++;
            sentAt = now();
            const result = await router.send(request);
            this.takeNote(organizationId, result, entry);
            try {
              return read(result, signal, sentAt);
            } catch (error) {
              const failure = failureOf(error);
              const wait = this.waitBeforeRepeat(failure, result, entry.attempts, organizationId);
              if (ownConnection || signal.aborted || entry.attempts > maxRepeats || wait >= left()) throw error;
              // The pause is over before the next slot is taken.
              if (failure.kind === 'rateLimited') break;
              notify(call, { kind: 'waiting' });
              await delay(wait, signal).catch(() => undefined);
              signal.throwIfAborted();
            }
          }
        } finally {
          clearTimeout(timer);
          entry.duration = performance.now() - start;
          release();
        }
      }
    } catch (error) {
      entry.failure = failureOf(error);
      throw new ApiError(entry.failure, sentAt);
    } finally {
      this.calls.delete(stop);
      call.signal.removeEventListener('abort', cancel);
      secrets.remove(token);
      if (idIsSecretIn) secrets.remove(id, idIsSecretIn);
      if (entry.attempts > 0) withoutFail(() => onRequest(entry));
    }
  }

  /** Rejects with the signal's reason. */
  private async slot(organizationId: string, origin: string, call: Call, signal: AbortSignal): Promise<Release> {
    for (;;) {
      for (let until; (until = this.pauses.until(organizationId)) !== undefined; ) {
        notify(call, { kind: 'paused', until });
        await this.pauses.over(organizationId, signal);
      }
      notify(call, { kind: 'waiting' });
      const release = await this.queue.enter(origin, call.urgent, signal);
      if (this.pauses.left(organizationId) === 0) return release;
      // Another request got a 429 meanwhile.
      release();
    }
  }

  private takeNote(organizationId: string, result: WireResult, entry: Entry): void {
    const { status, headers, body } = result.kind === 'answer' ? result : {};
    entry.status = status;
    entry.bytes = body?.length ?? 0;
    if (headers && status === 429) this.pauses.extend(organizationId, retryAfter(headers, this.options.now()));
    else if (headers) this.pauses.clear(organizationId);
  }

  /** Ms; infinite if a repeat is not worth it. */
  private waitBeforeRepeat(failure: Failure, result: WireResult, attempts: number, organizationId: string): number {
    if (!isPassing(failure)) return Number.POSITIVE_INFINITY;
    if (failure.kind === 'rateLimited') return this.pauses.left(organizationId);
    const { now, random } = this.options;
    const asked = result.kind === 'answer' ? retryAfter(result.headers, now()) : undefined;
    return Math.max(asked ?? 0, firstDelayMs * 2 ** (attempts - 1) * (0.5 + random()));
  }

  /** Only a status line can tell what became of it. */
  private outcomeOf(target: Target, result: WireResult, signal: AbortSignal): RevocationOutcome {
    if (result.kind !== 'answer') {
      const isSent = result.kind === 'lost' || (result.kind === 'stopped' && result.sent);
      return { kind: isSent ? 'unknown' : 'notSent', failure: failureOf(unanswered(result, signal)) };
    }
    const { status } = result;
    if (isSuccess(status)) return { kind: status === 202 ? 'unknown' : 'revoked', status };
    const failure = this.refusal(target, result);
    return { kind: status >= 400 && status < 500 ? 'refused' : 'unknown', status, failure };
  }

  private refusal({ baseUrl, organizationId }: Target, answer: WireAnswer): Failure {
    return readRefusal(answer, baseUrl, this.options.secrets, this.pauses.until(organizationId) ?? 0);
  }
}

type Entry = { -readonly [K in keyof RequestLogEntry]: RequestLogEntry[K] };

function newEntry({ method, template }: Operation): Entry {
  return { method, template, host: '', bytes: 0, duration: 0, attempts: 0 };
}

function notify({ onPhase, onStep }: Call, event: Phase | WireEvent): void {
  withoutFail(() => {
    switch (event.kind) {
      case 'waiting':
      case 'paused':
      case 'connecting':
      case 'sending':
        return onPhase?.(event);
      default:
        return onStep?.(event);
    }
  });
}

/** An error of a listener must not end the request. */
function withoutFail(run: () => void): void {
  try {
    run();
  } catch {}
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** What the lack of a status line means. */
function unanswered(result: Exclude<WireResult, WireAnswer>, signal: AbortSignal): unknown {
  if (result.kind === 'stopped') return signal.reason;
  return new ApiError(result.kind === 'lost' ? { kind: 'connectionLost', code: result.code } : result);
}

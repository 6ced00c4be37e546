import type { Answer } from './answer.js';
import { urlOf } from './baseUrl.js';
import { isPassing, noAnswer } from './classify.js';
import type { Call, RevocationOutcome, Target } from './client.js';
import type { Decoder } from './decode.js';
import { ApiError, type Failure } from './failure.js';
import { Flight, type Operation, type Shared } from './flight.js';
import { codeOf } from './network/code.js';
import type { WireResult } from './network/connector.js';
import { type ReadAnswer, readAnswer } from './readAnswer.js';
import { readRefusal } from './readRefusal.js';
import { retryAfter } from './retryAfter.js';
import { wireRequest } from './wireRequest.js';

/** A GET is repeated at most so often. */
const mostRepeats = 2;
/** Ms; doubled with each repeat, and jittered. */
const firstDelay = 300;

interface Log {
  status?: number;
  failure?: Failure;
  bytes: number;
}

/** Sends a GET until its answer is usable, or no repeat is left or worth it. Rejects with `ApiError` only. */
export async function sendGet<T>(
  shared: Shared,
  target: Target,
  operation: Operation,
  call: Call,
  decode: Decoder<T>,
): Promise<Answer<T>> {
  const flight = new Flight(shared, target, operation, call);
  const log: Log = { bytes: 0 };
  try {
    const request = wireRequest(target, operation);
    for (let repeats = 0; ; repeats++) {
      const result = await flight.exchange(request);
      const receivedAt = shared.now();
      const read = () => readResult(shared, target, flight, result, decode);
      const answer = isWhole(result) ? await afterLeaving(shared, flight, read) : read();
      log.bytes = answer.bytes;
      if (result.kind === 'answer') {
        log.status = result.status;
      }
      if (answer.ok) {
        return { ...answer.decoded, receivedAt };
      }
      if (repeats === mostRepeats || !(await mayRepeat(shared, flight, result, answer.failure, repeats))) {
        throw new ApiError(answer.failure);
      }
    }
  } catch (error) {
    const failure = asFailure(error);
    log.failure = failure;
    throw error instanceof ApiError ? error : new ApiError(failure);
  } finally {
    finish(shared, target, operation, flight, log);
  }
}

/** Sends a DELETE once. Never rejects. */
export async function sendDelete(
  shared: Shared,
  target: Target,
  operation: Operation,
  call: Call,
): Promise<RevocationOutcome> {
  const flight = new Flight(shared, target, operation, call);
  const log: Log = { bytes: 0 };
  try {
    const result = await flight.exchange(wireRequest(target, operation));
    const outcome = outcomeOf(shared, target, flight, result);
    if (result.kind === 'answer') {
      log.status = result.status;
      log.bytes = result.body.length;
    }
    if ('failure' in outcome && outcome.failure) {
      log.failure = outcome.failure;
    }
    return outcome;
  } catch (error) {
    const failure = asFailure(error);
    log.failure = failure;
    return { kind: flight.attempts === 0 ? 'notSent' : 'unknown', failure };
  } finally {
    finish(shared, target, operation, flight, log);
  }
}

function readResult<T>(
  shared: Shared,
  target: Target,
  flight: Flight,
  result: WireResult,
  decode: Decoder<T>,
): ReadAnswer<T> {
  const unfinished = result.kind !== 'answer' || result.end === 'stopped';
  // A refusal stays one if only its text was too slow.
  const refused = result.kind === 'answer' && !isSuccess(result.status) && flight.stop?.kind === 'timedOut';
  if (flight.stop && unfinished && !refused) {
    return { ok: false, bytes: 0, failure: flight.stop };
  }
  if (result.kind !== 'answer') {
    return { ok: false, bytes: 0, failure: noAnswer(result) };
  }
  if (!isSuccess(result.status)) {
    return { ok: false, ...readRefusal(shared, target, result) };
  }
  shared.pauses.clear(target.organizationId);
  return readAnswer(result, decode, shared.secrets);
}

/** Contract, "Revocation": only a status line can tell what became of it. */
function outcomeOf(shared: Shared, target: Target, flight: Flight, result: WireResult): RevocationOutcome {
  if (result.kind !== 'answer') {
    const failure = flight.stop ?? noAnswer(result);
    const sent = result.kind === 'lost' || (result.kind === 'stopped' && result.sent);
    return { kind: sent ? 'unknown' : 'notSent', failure };
  }
  const { status } = result;
  if (isSuccess(status)) {
    return { kind: status === 202 ? 'unknown' : 'revoked', status };
  }
  const { failure } = readRefusal(shared, target, result);
  return { kind: status >= 400 && status < 500 ? 'refused' : 'unknown', status, failure };
}

/** Waits until it is time for a repeat; false if none is worth it, or the time-out leaves no room for it. */
async function mayRepeat(
  shared: Shared,
  flight: Flight,
  result: WireResult,
  failure: Failure,
  repeats: number,
): Promise<boolean> {
  if (flight.stop || !isPassing(failure)) {
    return false;
  }
  if (failure.kind === 'rateLimited') {
    // The pause is waited for in the queue, without a place.
    const fits = failure.until - shared.now() < flight.remaining;
    if (fits) {
      flight.leave();
    }
    return fits;
  }
  const asked = result.kind === 'answer' ? retryAfter(result.headers, shared.now()) : undefined;
  const wait = Math.max(asked ?? 0, firstDelay * 2 ** repeats * (0.5 + shared.random()));
  if (wait >= flight.remaining) {
    return false;
  }
  await shared.delay(wait, flight.signal).catch(() => undefined);
  return true;
}

/** Its place is the next one's before it is read, since nothing more is sent for it. */
function afterLeaving<T>(shared: Shared, flight: Flight, read: () => T): Promise<T> {
  flight.leave();
  return shared.backlog.do(read);
}

/** Usable or not, no repeat would bring anything else. */
function isWhole(result: WireResult): boolean {
  return result.kind === 'answer' && result.end === 'complete' && isSuccess(result.status);
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Whatever went wrong here in a way that nobody thought of still leaves as a flat failure. */
function asFailure(error: unknown): Failure {
  return error instanceof ApiError ? error.failure : { kind: 'connectionLost', code: codeOf(error) };
}

function finish(shared: Shared, target: Target, { method, template }: Operation, flight: Flight, log: Log): void {
  flight.end();
  if (flight.attempts === 0) {
    return;
  }
  const { status, failure, bytes } = log;
  try {
    shared.onExchange({
      method,
      template,
      host: urlOf(target.baseUrl).host,
      ...(status !== undefined && { status }),
      ...(failure && { failure }),
      bytes,
      duration: flight.duration,
      attempts: flight.attempts,
    });
  } catch {
    // What a listener does wrong is not the request's fault.
  }
}

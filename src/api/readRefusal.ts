import { redirected, statusFailure } from './classify.js';
import type { Target } from './client.js';
import { excerptOf } from './excerpt.js';
import type { Failure } from './failure.js';
import type { Shared } from './flight.js';
import type { WireResult } from './network/connector.js';
import { textOf } from './readAnswer.js';
import { retryAfter } from './retryAfter.js';

/** What an answer other than 2xx says. A 429 pauses the organization. */
export function readRefusal(
  shared: Shared,
  target: Target,
  answer: Extract<WireResult, { kind: 'answer' }>,
): { bytes: number; failure: Failure } {
  const { status, headers } = answer;
  if (status < 400) {
    const location = headers['location'];
    // Before parsing, which changes the case of a host.
    const inert = location === undefined ? undefined : shared.secrets.redact(location);
    return { bytes: 0, failure: redirected(status, inert, target.baseUrl) };
  }
  let pausedUntil = 0;
  if (status === 429) {
    pausedUntil = shared.pauses.extend(target.organizationId, retryAfter(headers, shared.now()));
    shared.limiter.paused(target.organizationId);
  } else {
    shared.pauses.clear(target.organizationId);
  }
  const failure = statusFailure(status, excerptOf(textOf(answer), shared.secrets), pausedUntil);
  return { bytes: answer.body.length, failure };
}

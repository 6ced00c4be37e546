import { redirected, statusFailure } from './classify.js';
import { excerptOf } from './excerpt.js';
import type { Failure } from './failure.js';
import type { WireResult } from './network/connector.js';
import { textOf } from './readAnswer.js';
import type { KnownSecrets } from './secrets.js';

/** What an answer other than 2xx says. `url`: that was asked; `pausedUntil`: epoch ms, of a 429. */
export function readRefusal(
  answer: Extract<WireResult, { kind: 'answer' }>,
  url: string,
  secrets: KnownSecrets,
  pausedUntil: number,
): { bytes: number; failure: Failure } {
  const { status, headers } = answer;
  if (status < 400) {
    const location = headers['location'];
    // Before parsing, which changes the case of a host.
    const inert = location === undefined ? undefined : secrets.redact(location);
    return { bytes: 0, failure: redirected(status, inert, url) };
  }
  const failure = statusFailure(status, excerptOf(textOf(answer), secrets), pausedUntil);
  return { bytes: answer.body.length, failure };
}

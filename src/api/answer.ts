import { type RequestedAddress, readRedirect } from './answerer/redirect.js';
import { decodeText, webPageIn } from './answerer/webPage.js';
import { doubtsAbout, refusalKindOf } from './answerer/whoAnswered.js';
import { DecodeIssues, type Decoder, type WithDecodeIssues } from './decode.js';
import { ApiError, type ConnectionCause, type Failure } from './failure.js';
import type { ClockSkew } from './httpTimes.js';
import { type TlsProblem, tlsProblemOf } from './network/tlsErrors.js';
import type { WireAnswer } from './network/wire.js';
import type { KnownSecrets } from './secrets.js';

/** A usable answer of the platform. */
export interface Answer<T> extends WithDecodeIssues, ClockSkew {
  readonly value: T;
  /** Epoch ms when the attempt began that brought the answer. */
  readonly sentAt: number;
  /**
   * Epoch ms by this machine's clock: `sentAt` minus `Age`. The content of the answer may be as old
   * as that.
   */
  readonly asOf: number;
  /** Counts the attempts of this window in the order of sending, so the newest has the highest. */
  readonly sequence: number;
}

type UnusableReason = Extract<Failure, { kind: 'unusable' }>['reason'];

const utf8 = new TextDecoder();

/**
 * Reads the JSON of any 2xx answer, because the platform documents no status for one of its reads.
 * Throws `ApiError` if the answer is unusable. `secretOfRequest`: the ID of the request if it is a
 * secret, because the answer may repeat it.
 */
export function readAnswer<T>(
  answer: WireAnswer,
  decode: Decoder<T>,
  secrets: KnownSecrets,
  secretOfRequest?: string,
): Pick<Answer<T>, 'value' | 'decodeIssues'> {
  const { end, status, body, invalidHttpCode } = answer;
  const text = utf8.decode(body);
  const unusable = (reason: UnusableReason): ApiError => {
    const page = readPage(answer, secrets);
    if (page !== undefined) return new ApiError(page);
    const excerpt = excerptOf(text, secrets, end !== 'complete');
    return new ApiError({ kind: 'unusable', reason, status, ...excerpt });
  };

  if (end === 'capped') throw unusable('tooLarge');
  if (invalidHttpCode !== undefined) {
    const page = readPage(answer, secrets);
    throw new ApiError(page ?? { kind: 'invalidHttp', code: invalidHttpCode });
  }
  if (end === 'cut') throw unusable('truncated');
  if (text.trim() === '') throw unusable('empty');

  let json: unknown;
  try {
    json = secrets.parse(text, secretOfRequest);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const startsLikeJson = /^\s*[{[]/.test(text);
    throw unusable(end === 'unclear' && startsLikeJson ? 'truncated' : 'notJson');
  }
  const issues = new DecodeIssues();
  const value = decode(json, issues);
  if (value === undefined) throw unusable('wrongShape');
  return { value, decodeIssues: issues.list };
}

/**
 * Returns the failure if an answer with 2xx is a web page, which something else than the platform
 * has sent; `undefined` if it is none.
 */
export function readPage(answer: WireAnswer, secrets: KnownSecrets): Failure | undefined {
  const page = webPageIn(answer, secrets);
  if (page === undefined) return undefined;
  const { status, body, end } = answer;
  const text = decodeText(body, answer.headers['content-type'] ?? '');
  const excerpt = excerptOf(text, secrets, end !== 'complete');
  const failure: Failure = { kind: 'notFromPlatform', status, ...excerpt };
  return page.title === '' ? failure : { ...failure, foreign: { title: page.title } };
}

/** Returns what an answer other than 2xx means. `pausedUntil`: epoch ms, for a 429. */
export function readRefusal(
  answer: WireAnswer,
  requested: RequestedAddress,
  secrets: KnownSecrets,
  pausedUntil: number,
): Failure {
  const { end, status, headers, body } = answer;
  if (status < 400) return readRedirect(status, headers['location'] ?? '', requested, secrets);
  const text = decodeText(body, headers['content-type'] ?? '');
  const excerpt = excerptOf(text, secrets, end !== 'complete');
  if (status === 429) return { kind: 'rateLimited', status, until: pausedUntil, ...excerpt };
  return { kind: refusalKindOf(status), status, ...excerpt, ...doubtsAbout(answer, secrets) };
}

/** Whether the same request may well get a usable answer a moment later. */
export function isTransient(failure: Failure): boolean {
  switch (failure.kind) {
    case 'connectionLost':
    case 'rateLimited':
      return true;
    case 'unreachable':
      return isMomentary(failure.cause);
    case 'unusable':
      return failure.reason === 'truncated';
    case 'serverError':
      return failure.status >= 502 && failure.status <= 504;
    default:
      return false;
  }
}

/** A gateway that restarts or is overloaded breaks handshakes, or answers them in plain HTTP. */
const momentaryProblems: ReadonlySet<TlsProblem> = new Set<TlsProblem>([
  'closed',
  'plainPort',
  'other',
]);

function isMomentary(cause: ConnectionCause): boolean {
  return cause.step === 'tls' && momentaryProblems.has(tlsProblemOf(cause));
}

const maxExcerptChars = 300;

/** Only the first characters are searched for secrets; the others cannot get into an excerpt. */
const maxSearchedChars = 64 * 1024;

/**
 * The beginning of an unusable answer, on one line; empty object if the answer has no text. Secrets
 * are replaced before the line is cut. `isCut`: the answer may not have arrived whole.
 */
export function excerptOf(
  text: string,
  secrets: KnownSecrets,
  isCut: boolean,
): { readonly excerpt?: string } {
  const start = text.slice(0, maxSearchedChars);
  const redacted = secrets.redact(start, isCut || text.length > maxSearchedChars);
  const line = redacted.replace(/\s+/g, ' ').trim();
  // Half of a surrogate pair is no character.
  const excerpt = line.slice(0, maxExcerptChars).replace(/[\ud800-\udbff]$/, '');
  return excerpt === '' ? {} : { excerpt };
}

import { type Asked, readRedirect } from './answerer/redirect.js';
import { decodeText, webPageIn } from './answerer/webPage.js';
import { doubtsAbout, refusalKindOf } from './answerer/whoAnswered.js';
import { DecodeIssues, type Decoder, type WithDecodeIssues } from './decode.js';
import { ApiError, type ConnectionCause, type Failure } from './failure.js';
import type { ClockSkew } from './httpTimes.js';
import { type TlsProblem, tlsProblemOf } from './network/tlsErrors.js';
import type { WireAnswer } from './network/wire.js';
import type { KnownSecrets } from './secrets.js';

export interface Answer<T> extends WithDecodeIssues, ClockSkew {
  readonly value: T;
  /** Epoch ms when the attempt began that brought it. */
  readonly sentAt: number;
  /** Epoch ms, by this machine's clock: what it says may be as old. `Age` earlier than `sentAt`. */
  readonly asOf: number;
  /** Counts the attempts of this window in the order of sending: the newest answer has the highest. */
  readonly sequence: number;
}

const utf8 = new TextDecoder();

/**
 * The JSON of any 2xx answer, because the platform documents no status for one of its reads.
 * `secretOfRequest`: the ID that was asked for, if it is one, because the answer may repeat it.
 */
export function readAnswer<T>(
  answer: WireAnswer,
  decode: Decoder<T>,
  secrets: KnownSecrets,
  secretOfRequest?: string,
): Pick<Answer<T>, 'value' | 'decodeIssues'> {
  const { end, status, body, invalidHttpCode: brokenBy } = answer;
  const text = utf8.decode(body);
  const unusable = (reason: Extract<Failure, { kind: 'unusable' }>['reason']): ApiError => {
    const page = readPage(answer, secrets);
    const said = excerptOf(text, secrets, end !== 'complete');
    return new ApiError(page ?? { kind: 'unusable', reason, status, ...said });
  };
  if (end === 'capped') throw unusable('tooLarge');
  if (brokenBy !== undefined) {
    throw new ApiError(readPage(answer, secrets) ?? { kind: 'invalidHttp', code: brokenBy });
  }
  if (end === 'cut') throw unusable('truncated');
  if (text.trim() === '') throw unusable('empty');
  let json: unknown;
  try {
    json = secrets.parse(text, secretOfRequest);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw unusable(end === 'unclear' && /^\s*[{[]/.test(text) ? 'truncated' : 'notJson');
  }
  const issues = new DecodeIssues();
  const value = decode(json, issues);
  if (value === undefined) throw unusable('wrongShape');
  return { value, decodeIssues: issues.list };
}

/** Returns what a web page with 2xx means, whose sender is not the platform. `undefined`: it is none. */
export function readPage(answer: WireAnswer, secrets: KnownSecrets): Failure | undefined {
  const page = webPageIn(answer, secrets);
  if (page === undefined) return undefined;
  const { status, body, end } = answer;
  const text = decodeText(body, answer.headers['content-type'] ?? '');
  const said = excerptOf(text, secrets, end !== 'complete');
  return {
    kind: 'notFromPlatform',
    status,
    ...said,
    ...(page.title && { foreign: { title: page.title } }),
  };
}

/** What an answer other than 2xx means. `pausedUntil`: epoch ms, of a 429. */
export function readRefusal(
  answer: WireAnswer,
  asked: Asked,
  secrets: KnownSecrets,
  pausedUntil: number,
): Failure {
  const { end, status, headers, body } = answer;
  if (status < 400) return readRedirect(status, headers['location'] ?? '', asked, secrets);
  const text = decodeText(body, headers['content-type'] ?? '');
  const said = excerptOf(text, secrets, end !== 'complete');
  if (status === 429) return { kind: 'rateLimited', status, until: pausedUntil, ...said };
  return { kind: refusalKindOf(status), status, ...said, ...doubtsAbout(answer, secrets) };
}

/** Whether the same request may well get an answer a moment later. */
export function isTransient(failure: Failure): boolean {
  if (failure.kind === 'connectionLost') return true;
  if (failure.kind === 'unreachable') return isMomentary(failure.cause);
  if (failure.kind === 'unusable') return failure.reason === 'truncated';
  if (failure.kind === 'serverError') return failure.status >= 502 && failure.status <= 504;
  return failure.kind === 'rateLimited';
}

/** A gateway that restarts, or has too much to do, breaks handshakes, or refuses them in plain HTTP. */
const momentaryProblems: ReadonlySet<TlsProblem> = new Set<TlsProblem>([
  'closed',
  'plainPort',
  'other',
]);

function isMomentary(cause: ConnectionCause): boolean {
  return cause.step === 'tls' && momentaryProblems.has(tlsProblemOf(cause));
}

const maxExcerptChars = 300;

/** Only these are searched for secrets, because what comes after them can't end up in an excerpt. */
const maxSearchedChars = 64 * 1024;

/**
 * The beginning of an unusable answer, as text. Secrets are replaced before anything is cut.
 * `isCut`: the answer did not arrive whole.
 */
export function excerptOf(
  text: string,
  secrets: KnownSecrets,
  isCut: boolean,
): { readonly excerpt?: string } {
  const searched = secrets.redact(
    text.slice(0, maxSearchedChars),
    isCut || text.length > maxSearchedChars,
  );
  const folded = searched.replace(/\s+/g, ' ').trim();
  // Half of a surrogate pair is no character.
  const excerpt = folded.slice(0, maxExcerptChars).replace(/[\ud800-\udbff]$/, '');
  return excerpt === '' ? {} : { excerpt };
}

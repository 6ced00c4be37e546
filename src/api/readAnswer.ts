import type { Answer } from './answer.js';
import { type Decoder, Problems } from './decode.js';
import { excerptOf } from './excerpt.js';
import type { Failure } from './failure.js';
import type { WireResult } from './network/connector.js';
import type { KnownSecrets } from './secrets.js';

type WireAnswer = Extract<WireResult, { kind: 'answer' }>;
type Unusable = Extract<Failure, { kind: 'unusable' }>['reason'];

export type ReadAnswer<T> =
  | { readonly ok: true; readonly bytes: number; readonly decoded: Omit<Answer<T>, 'receivedAt'> }
  | { readonly ok: false; readonly bytes: number; readonly failure: Failure };

/** The JSON of a 2xx answer, whichever: the reference shows 200 for 4.1 and no status at all for 4.3. */
export function readAnswer<T>(answer: WireAnswer, decode: Decoder<T>, secrets: KnownSecrets): ReadAnswer<T> {
  const { end } = answer;
  const text = textOf(answer);
  const bytes = answer.body.length;
  const unusable = (reason: Unusable): ReadAnswer<T> => {
    const excerpt = excerptOf(text, secrets);
    const failure: Failure = {
      kind: 'unusable',
      reason,
      status: answer.status,
      ...(excerpt !== undefined && { excerpt }),
    };
    return { ok: false, bytes, failure };
  };
  if (end === 'capped') {
    return unusable('tooLarge');
  }
  if (end !== 'complete' && end !== 'closed') {
    return unusable('truncated');
  }
  if (text.trim() === '') {
    return unusable('empty');
  }
  let json: unknown;
  try {
    // Before parsing: a mark inside a string is harmless, and where it is not, the answer is better not used.
    json = JSON.parse(secrets.redactData(text));
  } catch {
    // Without framing, the end of the connection may have come too early.
    return unusable(end === 'closed' && /^\s*[{[]/.test(text) ? 'truncated' : 'notJson');
  }
  const problems = new Problems();
  const value = decode(json, problems);
  if (value === undefined) {
    return unusable('wrongShape');
  }
  const more = problems.count > problems.list.length ? { problemCount: problems.count } : {};
  return { ok: true, bytes, decoded: { value, problems: problems.list, ...more } };
}

/** Keeps nothing from one whole text to the next. */
const utf8 = new TextDecoder();

/** What came, as text: UTF-8 whatever the header says, its byte-order mark left out. */
export function textOf(answer: WireAnswer): string {
  return utf8.decode(answer.body);
}

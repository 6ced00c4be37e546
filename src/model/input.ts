import { decoded } from '../api/baseUrl.js';
import { isRecord } from '../api/json.js';
import { isUsableToken } from '../api/secrets.js';

type PastedToken =
  | { readonly kind: 'token'; readonly token: string; readonly cleaned: boolean }
  | { readonly kind: 'empty' | 'gaps' | 'illegal' | 'tooLong' };

/** No server takes a longer header; what is longer is a file that was pasted by mistake. */
const longestToken = 16_384;

/**
 * People paste a token with a line break at the end, as `Bearer …`, or as the whole header. All of that is taken off. The rest must
 * fit a header as it is, because nobody can guess what else is no part of it.
 */
export function readToken(pasted: string): PastedToken {
  const token = pasted
    .trim()
    .replace(/^authorization\s*:\s*/i, '')
    .replace(/^bearer(\s+|$)/i, '')
    .trim();
  if (token === '') return { kind: 'empty' };
  if (token.length > longestToken) return { kind: 'tooLong' };
  if (/\s/u.test(token)) return { kind: 'gaps' };
  if (!isUsableToken(token)) return { kind: 'illegal' };
  return { kind: 'token', token, cleaned: token !== pasted };
}

/** Longer than any id, and still shown whole where it has to be confirmed. */
export const longestId = 1000;

/** Why a trimmed text can't be an id. A token pasted by mistake must not get into an address or a settings file. */
export function idProblem(text: string, holdsToken: (text: string) => boolean) {
  if (text === '') return 'empty';
  if (holdsToken(text)) return 'token';
  if (text.length > longestId) return 'tooLong';
  // What `pathSegment` refuses.
  if (text === '.' || text === '..') return 'dotSegment';
  return /\p{Surrogate}/u.test(text) ? 'loneSurrogate' : undefined;
}

/** Spaces and commas separate ids, each of which counts once. What is in quotes is one id; a quote inside them is doubled. */
export function enteredIds(text: string) {
  const found = new Map<string, { readonly id: string; readonly fromUrl: boolean }>();
  for (const [word, quoted] of text.matchAll(/"((?:[^"]|"")*)"|[^\s,]+/g)) {
    const url = quoted === undefined && /^[a-z][a-z\d+.-]*:\/\//i.test(word) && URL.canParse(word);
    const id = url ? lastSegment(new URL(word)) : (quoted?.replaceAll('""', '"') ?? word).trim();
    if (!found.has(id)) found.set(id, { id, fromUrl: url });
  }
  return [...found.values()];
}

/** The text that stands for exactly this id, for a box that takes several. */
export function asEnteredId(id: string): string {
  const [read, another] = enteredIds(id);
  return read?.id === id && !another ? id : `"${id.replaceAll('"', '""')}"`;
}

function lastSegment({ pathname }: URL): string {
  return decoded(pathname.split('/').findLast((part) => part !== '') ?? '');
}

/** Longer than any address, id or name that somebody means. */
const longestPrefill = 2000;

/** Arguments of other programs only prefill what a person is asked. What is wrong with them is left out. */
export function textPrefill(argument: unknown): string | undefined {
  return typeof argument === 'string' && argument.length <= longestPrefill ? argument.trim() || undefined : undefined;
}

export function prefills<K extends string>(argument: unknown, ...keys: readonly K[]): Partial<Record<K, string>> {
  const result: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const text = isRecord(argument) ? textPrefill(argument[key]) : undefined;
    if (text !== undefined) result[key] = text;
  }
  return result;
}

/** What a link asks for. Links are made by others: nothing in them is done before the person agreed. */
export type DeepLink =
  | { readonly kind: 'deployment'; readonly id: string; readonly label?: string }
  | { readonly kind: 'install'; readonly token: string };

/** Why a link is refused. `parameter` is one of ours, or absent: foreign text is not repeated. */
export interface RefusedLink {
  readonly kind: 'refused';
  readonly reason: 'path' | 'unknownParameter' | 'repeated' | 'tooLong' | 'missing' | 'noToken';
  readonly parameter?: Parameter;
}

type Parameter = 'id' | 'label' | 'token';

/** Longer than any id, label or link that somebody means, and short enough to be shown whole in a question. */
const longestParameter = { id: 500, label: 200, token: 500 } as const;

/** Which parameters each path takes, the required one first. VS Code adds `windowId` on its own where a window is chosen by the link. */
const paths = new Map<string, readonly [Parameter, ...Parameter[]]>([
  ['/deployment', ['id', 'label']],
  ['/install', ['token']],
]);
const ignored = 'windowId';

/**
 * `query` is what `vscode.Uri` holds, which has been percent-decoded once. A second decoding, as `URLSearchParams` does, would turn
 * an id into another. An `&` within an id looks like one more parameter and is refused, which is better than half an id.
 */
export function readDeepLink(path: string, query: string): DeepLink | RefusedLink {
  const allowed = paths.get(path);
  if (!allowed) return { kind: 'refused', reason: 'path' };

  const values = new Map<Parameter, string>();
  for (const pair of query.split('&')) {
    const [name = '', ...rest] = pair.split('=');
    if (name === '' || name === ignored) continue;
    const parameter = allowed.find((candidate) => candidate === name);
    if (!parameter) return { kind: 'refused', reason: 'unknownParameter' };
    if (values.has(parameter)) return { kind: 'refused', reason: 'repeated', parameter };
    const value = rest.join('=').trim();
    if (value.length > longestParameter[parameter]) return { kind: 'refused', reason: 'tooLong', parameter };
    values.set(parameter, value);
  }
  const [required] = allowed;
  const text = values.get(required);
  if (!text) return { kind: 'refused', reason: 'missing', parameter: required };
  if (required === 'token') {
    const found = installTokenIn(text);
    return found.kind === 'one' ? { kind: 'install', token: found.token } : { kind: 'refused', reason: 'noToken' };
  }
  const label = values.get('label');
  return { kind: 'deployment', id: text, ...(label && { label }) };
}

// Not inside a longer run of letters, digits, `_` and `-`: a part of some other identifier is not a token.
const uuid = /(?<![\p{L}\p{N}_-])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![\p{L}\p{N}_-])/giu;

/**
 * The install token in pasted text or a link: exactly one distinct UUID in any case, made lower case. A link inside a link is
 * percent-encoded, perhaps twice. This is undone first, because the `F` of `%2F` would look like a digit of the UUID.
 */
export function installTokenIn(text: string) {
  let plain = text;
  for (let round = 0; round < 3 && plain.includes('%'); round++) plain = decodeAscii(plain);
  const found = new Set(Array.from(plain.matchAll(uuid), ([match]) => match.toLowerCase()));
  const [token] = found;
  if (token === undefined) return { kind: 'none' } as const;
  return found.size === 1 ? ({ kind: 'one', token } as const) : ({ kind: 'several', count: found.size } as const);
}

/** Leaves alone what is no valid encoding. */
function decodeAscii(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

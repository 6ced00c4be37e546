import { decoded } from '../../api/entered/baseUrl.js';
import {
  isPlaceholder,
  withoutInvisibleEnds,
  withoutQuotes,
} from '../../api/entered/pastedText.js';
import type { ListedDeployment } from '../findings/deployment.js';
import { enteredIds, idProblem, maxIdChars } from './enteredIds.js';
import { looksSecret } from './secretForms.js';
import { installTokenIn } from './tokens.js';

/**
 * What an agent passed as the ID of a deployment. `id`: is read. All others are answered without a
 * request: `otherForm`: the one ID is in a form that is none; `sharedLabel`: all these have the
 * label; `several`: these are named; `secret`: may be a token; `noId`.
 */
export type AskedDeployment =
  | { readonly kind: 'id'; readonly id: string }
  | {
      readonly kind: 'otherForm' | 'sharedLabel' | 'several' | 'secret' | 'noId';
      readonly ids: readonly string[];
    };

interface AskedOptions {
  readonly listed: readonly ListedDeployment[];
  /** Whether a text holds a token of an organization. */
  readonly holdsToken: (text: string) => boolean;
  /** Whether it holds any secret that this process used, such as an install token. */
  readonly holdsSecret: (text: string) => boolean;
}

/** Only the beginning of a longer text is searched for IDs. */
const maxSearchedChars = 10_000;

/**
 * Reads what an agent passed: the ID of a listed deployment, else its label, exactly or in upper
 * and lower case if no other has it, else an ID that is not listed. Agents also pass URLs, text in
 * quotes, several IDs, and names of variables, which are none.
 */
export function askedDeployment(
  given: unknown,
  { listed, holdsToken, holdsSecret }: AskedOptions,
): AskedDeployment {
  const text = textOf(given);
  const asked = withoutInvisibleEnds(text);
  if (holdsToken(text)) return { kind: 'secret', ids: [] };
  const isText = typeof given === 'string';
  const listedIds = new Set(listed.map(({ id }) => id));
  const exact = [text, asked].find((one) => listedIds.has(one));
  if (isText && exact !== undefined) return { kind: 'id', id: exact };

  const labeled = idsWithLabel(asked, listed);
  if (labeled.length > 1) return { kind: 'sharedLabel', ids: labeled };
  const [only] = labeled;
  if (isText && only !== undefined) return { kind: 'id', id: only };

  if (holdsSecret(text) || looksSecret(asked)) return { kind: 'secret', ids: [] };
  const alike = idsAlike(asked, listed);
  if (alike.length === 1) return { kind: 'otherForm', ids: alike };
  if (isText && alike.length === 0 && isPlainId(asked)) return { kind: 'id', id: asked };

  const mentioned = idsMentioned(asked.slice(0, maxSearchedChars), listed);
  if (mentioned.length > 1) return { kind: 'several', ids: mentioned };
  if (mentioned.length === 1) return { kind: 'otherForm', ids: mentioned };
  return unlisted(asked);
}

function textOf(given: unknown): string {
  if (typeof given === 'string') return given;
  return given === undefined || given === null ? '' : JSON.stringify(given);
}

/**
 * Upper and lower case, kinds of spaces, ways to compose a character, and hyphens of a UUID make no
 * difference.
 */
function folded(text: string): string {
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
  const digits = plain.replaceAll('-', '');
  return /^[\da-f]{32}$/.test(digits) ? digits : plain;
}

function idsWithLabel(label: string, listed: readonly ListedDeployment[]): readonly string[] {
  if (label === '') return [];
  const exact = listed.filter((one) => one.label === label);
  const wanted = folded(label);
  const found =
    exact.length > 0 ? exact : listed.filter((one) => folded(one.label ?? '') === wanted);
  return found.map(({ id }) => id);
}

/** "Dep_1", "_dep_1_", and "dep_1." for dep_1: the listed IDs that are the same but for case and what surrounds them. */
function idsAlike(asked: string, listed: readonly ListedDeployment[]): readonly string[] {
  if (asked.length > 2 * maxIdChars) return [];
  const shown = asked.replace(/\p{Default_Ignorable_Code_Point}/gu, '');
  const bare = shown.replace(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, '');
  const wanted = new Set([asked, shown, bare].map(folded).filter((text) => text !== ''));
  return listed.filter(({ id }) => wanted.has(folded(id))).map(({ id }) => id);
}

/** What stands in place of an ID where a program, a template, or a model had none. */
const noIds = new RegExp(
  `^(?:${[
    'undefined|null|none|nil|nan|true|false|n/a|unknown|string|id',
    'current|this|all|any',
    '(?:(?:the|your|my|some)[ _-]?)?deployment(?:[ _-]?(?:id|name))?',
  ].join('|')})$`,
  'i',
);

/** What separates or encloses IDs, segments of a path, words, or patterns. */
const separators = '\\s/\\\\,;"\'`“”„‘’«»()[\\]{}<>|*?';
const otherForms = [
  new RegExp(`[${separators}]`, 'u'),
  // Percent-encoding, the end of what was left out.
  /%[\da-f]{2}|(?:…|\.\.\.)$/i,
  // Mentions and variables, a name and its value, a URN.
  /^[@#$%&~=!]|^(?:deployment[ _-]?)?id[:=]|^urn:/i,
];

/** Whether this is probably one ID, which Add Deployment would take without a question. */
function isPlainId(text: string): boolean {
  const isId = idProblem(text, () => false) === undefined;
  return isId && ![noIds, ...otherForms].some((form) => form.test(text)) && !isPlaceholder(text);
}

/**
 * Returns the listed IDs that a text mentions. First the whole text without quotes or encoding, the
 * last segment of a URL, and each word are compared with the IDs. If none is one, the parts of words
 * are compared, such as the other segments of a URL. If none of them is one, a label in the text
 * counts, or an ID that differs in case.
 */
function idsMentioned(text: string, listed: readonly ListedDeployment[]): readonly string[] {
  const unquoted = withoutQuotes(text);
  const whole = [text, unquoted, decoded(unquoted), ...enteredIds(text).map(({ id }) => id)];
  const words = text.split(/[\s,;"'`“”„‘’«»()[\]{}<>|]+/u).flatMap(withoutPunctuation);
  const parts = [text, decoded(text)].flatMap((one) =>
    one.split(new RegExp(`[${separators}&=#:@!]+`, 'u')),
  );
  const ids = new Set(listed.map(({ id }) => id));
  for (const found of [[...words, ...whole], parts.flatMap(withoutPunctuation)]) {
    const mentioned = [...new Set(found)].filter((one) => ids.has(one));
    if (mentioned.length > 0) return mentioned;
  }
  const labeled = whole.map((one) => idsWithLabel(one, listed)).find(({ length }) => length > 0);
  if (labeled) return labeled;
  const alike = new Set([...whole, ...words, ...parts].map(folded));
  return listed.filter(({ id }) => alike.has(folded(id))).map(({ id }) => id);
}

function withoutPunctuation(word: string): readonly string[] {
  return [word, word.replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, '')];
}

/** As Add Deployment does it, offers the last part of a URL, and what is in quotes. */
function unlisted(text: string): AskedDeployment {
  const [entered, another] = enteredIds(withoutQuotes(text));
  if (entered === undefined) return { kind: 'noId', ids: [] };
  const { id, fromUrl } = entered;
  if (fromUrl && installTokenIn(text).kind !== 'none') return { kind: 'secret', ids: [] };
  if (another !== undefined || id === text || !isPlainId(id)) return { kind: 'noId', ids: [] };
  return { kind: 'otherForm', ids: [id] };
}

import { percentDecoded } from '../../api/entered/baseUrl.js';
import {
  isPlaceholder,
  withoutInvisibleEnds,
  withoutQuotes,
} from '../../api/entered/pastedText.js';
import type { ListedDeployment } from '../findings/deployment.js';
import { enteredIds, idProblem, maxIdChars } from './enteredIds.js';
import { looksSecret } from './secretForms.js';
import { installTokenIn } from './tokens.js';

/** What an agent passed as the ID of a deployment. Only the deployment of an `id` is read. */
export type DeploymentArgument =
  | { readonly kind: 'id'; readonly id: string }
  | {
      /**
       * `otherForm`: the agent passed another form of the one ID in `ids`, such as a URL.
       * `sharedLabel`: all deployments in `ids` have this label. `several`: the text mentions all
       * of `ids`. `secret`: the text may be a token. `noId`: none of these.
       */
      readonly kind: 'otherForm' | 'sharedLabel' | 'several' | 'secret' | 'noId';
      /** Empty for `secret` and `noId`. */
      readonly ids: readonly string[];
    };

interface ArgumentOptions {
  readonly listed: readonly ListedDeployment[];
  /** Whether a text holds the token of an organization. */
  readonly holdsToken: (text: string) => boolean;
  /** Whether a text holds any secret that this process used, such as an install token. */
  readonly holdsSecret: (text: string) => boolean;
}

/** Only the beginning of a longer text is searched for IDs. */
const maxSearchedChars = 10_000;

const secret: DeploymentArgument = { kind: 'secret', ids: [] };
const noId: DeploymentArgument = { kind: 'noId', ids: [] };

/**
 * Reads what an agent passed: the ID of a listed deployment, else its label, exactly or in upper
 * and lower case if no other deployment has it, else an ID that is not listed. Agents also pass
 * URLs, text in quotes, several IDs, and names of variables, none of which is an ID. What is no
 * string is never read as one ID, only searched for IDs as JSON.
 */
export function readDeploymentArgument(
  argument: unknown,
  { listed, holdsToken, holdsSecret }: ArgumentOptions,
): DeploymentArgument {
  const isString = typeof argument === 'string';
  const text = textOf(argument);
  const trimmed = withoutInvisibleEnds(text);
  if (holdsToken(text)) return secret;

  const listedIds = new Set(listed.map((deployment) => deployment.id));
  const exactId = [text, trimmed].find((id) => listedIds.has(id));
  if (isString && exactId !== undefined) return { kind: 'id', id: exactId };

  const labeledIds = idsWithLabel(trimmed, listed);
  const labeledId = labeledIds.at(0);
  if (labeledIds.length > 1) return { kind: 'sharedLabel', ids: labeledIds };
  if (isString && labeledId !== undefined) return { kind: 'id', id: labeledId };

  if (holdsSecret(text) || looksSecret(trimmed)) return secret;

  const similarIds = idsSimilarTo(trimmed, listed);
  if (similarIds.length === 1) return { kind: 'otherForm', ids: similarIds };
  if (isString && similarIds.length === 0 && isPlainId(trimmed)) return { kind: 'id', id: trimmed };

  const mentionedIds = idsMentionedIn(trimmed.slice(0, maxSearchedChars), listed);
  if (mentionedIds.length > 1) return { kind: 'several', ids: mentionedIds };
  if (mentionedIds.length === 1) return { kind: 'otherForm', ids: mentionedIds };
  return unlistedArgument(trimmed);
}

function textOf(argument: unknown): string {
  if (typeof argument === 'string') return argument;
  if (argument === undefined || argument === null) return '';
  return JSON.stringify(argument);
}

/**
 * Returns a form of the text in which differences that are easily overlooked are gone: upper and
 * lower case, spaces, forms of a character that Unicode counts as compatible (such as full-width
 * letters), and the hyphens of a UUID.
 */
function comparableText(text: string): string {
  const plain = text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
  const withoutHyphens = plain.replaceAll('-', '');
  const isUuid = /^[\da-f]{32}$/.test(withoutHyphens);
  return isUuid ? withoutHyphens : plain;
}

/**
 * The IDs of the deployments that have exactly this label, or if there are none, a label that is
 * equal in its comparable form.
 */
function idsWithLabel(label: string, listed: readonly ListedDeployment[]): readonly string[] {
  if (label === '') return [];
  const exact = listed.filter((deployment) => deployment.label === label);
  if (exact.length > 0) return exact.map(({ id }) => id);
  const wanted = comparableText(label);
  const similar = listed.filter((deployment) => comparableText(deployment.label ?? '') === wanted);
  return similar.map(({ id }) => id);
}

const invisibleCharacters = /\p{Default_Ignorable_Code_Point}/gu;
const surroundingMarks = /^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu;

/**
 * Returns dep_1 for "Dep_1", "_dep_1_", and "dep_1.": the listed IDs that differ from a text only
 * in case and such marks.
 */
function idsSimilarTo(text: string, listed: readonly ListedDeployment[]): readonly string[] {
  if (text.length > 2 * maxIdChars) return [];
  const visible = text.replace(invisibleCharacters, '');
  const withoutMarks = visible.replace(surroundingMarks, '');
  const forms = [text, visible, withoutMarks].map(comparableText);
  const wanted = new Set(forms.filter((form) => form !== ''));
  return listed.filter(({ id }) => wanted.has(comparableText(id))).map(({ id }) => id);
}

/**
 * What a program, a template, or a language model passes where it has no ID: "undefined",
 * "your_deployment_id".
 */
const missingId = new RegExp(
  `^(?:${[
    'undefined|null|none|nil|nan|true|false|n/a|unknown|string|id',
    'current|this|all|any',
    '(?:(?:the|your|my|some)[ _-]?)?deployment(?:[ _-]?(?:id|name))?',
  ].join('|')})$`,
  'i',
);

/**
 * Inside of a character class: what separates or encloses IDs, segments of a path, words, or
 * patterns.
 */
const separators = '\\s/\\\\,;"\'`“”„‘’«»()[\\]{}<>|*?';
const anySeparator = new RegExp(`[${separators}]`, 'u');
const percentEncoding = /%[\da-f]{2}/i;
/** Stands for the end of a text that was too long. */
const ellipsis = /(?:…|\.\.\.)$/;
/** "@dep_1", "$DEPLOYMENT": a mention, a variable, or an operator. */
const leadingMark = /^[@#$%&~=!]/;
/** "deploymentId=dep_1", "id: dep_1", "urn:dep_1". */
const leadingName = /^(?:deployment[ _-]?)?id[:=]|^urn:/i;

/** What a text that is one ID does not have. */
const otherForms = [missingId, anySeparator, percentEncoding, ellipsis, leadingMark, leadingName];

/**
 * Whether a text is probably one ID, and nothing that Add Deployment would ask about. Does not look
 * for tokens in it.
 */
function isPlainId(text: string): boolean {
  if (idProblem(text, () => false) !== undefined) return false;
  return !otherForms.some((form) => form.test(text)) && !isPlaceholder(text);
}

/** Words are separated less often than their parts: an ID can hold "/", ":", or "?". */
const wordSeparators = /[\s,;"'`“”„‘’«»()[\]{}<>|]+/u;
const partSeparators = new RegExp(`[${separators}&=#:@!]+`, 'u');

/**
 * Returns the listed IDs that a text mentions. First the whole text without quotes or encoding, the
 * last segment of a URL, and each word are compared with the IDs. If none is equal, the parts of
 * words are compared, such as the other segments of a URL. If none of these is equal either, a
 * label in the text counts, or an ID that differs in case.
 */
function idsMentionedIn(text: string, listed: readonly ListedDeployment[]): readonly string[] {
  const listedIds = new Set(listed.map((deployment) => deployment.id));
  const listedIn = (texts: readonly string[]): readonly string[] => {
    const distinct = new Set(texts);
    return [...distinct].filter((id) => listedIds.has(id));
  };

  const unquoted = withoutQuotes(text);
  const entered = enteredIds(text).map(({ id }) => id);
  const wholes = [text, unquoted, percentDecoded(unquoted), ...entered];
  const words = text.split(wordSeparators).flatMap(withAndWithoutPunctuation);
  const inWords = listedIn([...words, ...wholes]);
  if (inWords.length > 0) return inWords;

  const parts = [text, percentDecoded(text)].flatMap((whole) => whole.split(partSeparators));
  const inParts = listedIn(parts.flatMap(withAndWithoutPunctuation));
  if (inParts.length > 0) return inParts;

  for (const whole of wholes) {
    const labeledIds = idsWithLabel(whole, listed);
    if (labeledIds.length > 0) return labeledIds;
  }
  const similar = new Set([...wholes, ...words, ...parts].map(comparableText));
  return listed.filter(({ id }) => similar.has(comparableText(id))).map(({ id }) => id);
}

const surroundingPunctuation = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;

/** ["(dep_1).", "dep_1"] */
function withAndWithoutPunctuation(word: string): readonly string[] {
  return [word, word.replace(surroundingPunctuation, '')];
}

/** As Add Deployment does, offers the last segment of a URL, and what is in quotes. */
function unlistedArgument(text: string): DeploymentArgument {
  const entered = enteredIds(withoutQuotes(text));
  const first = entered.at(0);
  if (first === undefined) return noId;
  const { id, isFromUrl } = first;
  if (isFromUrl && installTokenIn(text).kind !== 'none') return secret;
  const isOtherForm = entered.length === 1 && id !== text && isPlainId(id);
  return isOtherForm ? { kind: 'otherForm', ids: [id] } : noId;
}

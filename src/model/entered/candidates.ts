import { redacted } from '../../api/secrets.js';
import { enteredIds, idProblem } from './enteredIds.js';
import { withoutNamedSecrets } from './namedSecrets.js';
import { secretWordsOf } from './secretForms.js';
import { installTokenIn } from './tokens.js';

const maxCandidates = 200;
/** Longer than IDs that a user pastes; tokens often are. */
const maxCandidateChars = 128;
/** Only the beginning of a longer text is searched. */
export const maxTextChars = 300_000;

/**
 * What in a text may be a deployment's ID. `isAlike`: begins like a listed ID, and comes first; `mayBeToken`: from a URL, where a UUID is more often an
 * install token; `total`: more than `found` where there are too many; `leftOut`: how many may be secrets, or are too long.
 */
export function candidatesIn(text: string, listed: readonly string[], redact: (text: string) => string) {
  const known = new Set(listed);
  const beginnings = new Set(listed.map((id) => beginning.exec(id)?.[0]));
  const found = new Map<string, { readonly id: string; readonly isAlike: boolean; readonly mayBeToken: boolean }>();
  let hasListed = false;
  let leftOut = 0;
  // Ends between two words, because half a token is not recognized.
  const start = text.length <= maxTextChars ? text : text.slice(0, maxTextChars).replace(/(?<!\S)\S+$/, '');
  // As a whole, since a secret may contain what separates words.
  const rest = withoutNamedSecrets(redact(start), redacted);
  const looksSecret = secretWordsOf(rest);
  for (const [word] of rest.matchAll(words)) {
    if (!/[\p{L}\p{N}]/u.test(word)) continue;
    const [{ id, fromUrl } = { id: '', fromUrl: false }] = enteredIds(word.replace(punctuation, ''));
    if (word.includes(redacted) || id.length > maxCandidateChars || looksSecret(word)) leftOut++;
    else if (known.has(id)) hasListed = true;
    else if (!idProblem(id, () => false)) {
      const mayBeToken = fromUrl && installTokenIn(id).kind !== 'none';
      found.set(id, { id, isAlike: beginnings.has(beginning.exec(id)?.[0] ?? ''), mayBeToken });
    }
  }
  const all = [...found.values()];
  const inOrder = [...all.filter(({ isAlike }) => isAlike), ...all.filter(({ isAlike }) => !isAlike)];
  return {
    found: inOrder.slice(0, maxCandidates),
    total: all.length,
    hasListed,
    leftOut,
    isCut: text.length > maxTextChars,
  };
}

/** What stands between white space, quotes, commas and brackets; those of `redacted` separate nothing. */
const words = /(?:\[redacted\]|[^\s"'`“”„‘’«»,()[\]{}<>])+/gu;

/** The characters of an ID up to its first `_` or `-`, which IDs of one kind often share. */
const beginning = /^[^_-]*[_-]/;

/** The punctuation of a list, a YAML key or a sentence. */
const punctuation = /^[:;=|]+|(?<![:;=|.!?])[:;=|.!?]+$/g;

/** Where a value without quotes is a literal: elsewhere it is a name. */
const plainFiles = /\.(ya?ml|properties|ini|cfg|conf|sh|bash|zsh|txt|mdx?)$/i;

const deploymentKeys = new RegExp(
  [
    // The name as a whole token; `--deployment-id` too.
    /(?<![\p{L}\p{N}_]|[\p{L}\p{N}_]-)(?:deploymentId|deployment_id|DEPLOYMENT_ID|deployment-id)(?![\p{L}\p{N}_-])/u,
    // `"deploymentId"`, `env['deploymentId']`, `deploymentId: string`.
    /["'`]?\]?[ \t]{0,40}(?::[ \t]{0,40}[\w.]+[ \t]{0,40}(?==))?/u,
    /(?:=>|:=|[:=])[ \t]{0,40}/u,
  ]
    .map(({ source }) => source)
    .join(''),
  'gu',
);
const quotedId = /(["'`])(?<id>[\w.-]{1,128})\1/y;
const plainId = /(?!(?:null|true|false|none|undefined|string)\b)(?<id>[\w.-]{0,127}[\w-])(?=\.?(?:[\s,;}\])]|$))/iy;

/**
 * The literals behind `deploymentId` and its other spellings, each with its line, from 1. None of
 * them holds or borders on a token, which `redact` replaces.
 */
export function idsBehindKeys(text: string, file: string, redact: (text: string) => string) {
  const found: { readonly id: string; readonly line: number }[] = [];
  if (text.search(deploymentKeys) < 0) return found;
  const isPlain = plainFiles.test(file);
  const searched = redact(text);
  let line = 1;
  let counted = 0;
  for (const { 0: key, index } of searched.matchAll(deploymentKeys)) {
    const start = index + key.length;
    const match = matchAt(quotedId, searched, start) ?? (isPlain ? matchAt(plainId, searched, start) : undefined);
    // What stands for a token has brackets, which no id has.
    const id = match?.groups?.['id'];
    if (id === undefined || idProblem(id, () => false)) continue;
    for (; counted < index; counted++) if (searched[counted] === '\n') line++;
    found.push({ id, line });
  }
  return found;
}

function matchAt(expression: RegExp, text: string, index: number): RegExpExecArray | undefined {
  expression.lastIndex = index;
  return expression.exec(text) ?? undefined;
}

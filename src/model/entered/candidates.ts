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
export function candidatesIn(
  text: string,
  listed: readonly string[],
  redact: (text: string) => string,
) {
  const known = new Set(listed);
  const beginnings = new Set(listed.map((id) => beginning.exec(id)?.[0]));
  const found = new Map<
    string,
    { readonly id: string; readonly isAlike: boolean; readonly mayBeToken: boolean }
  >();
  let hasListed = false;
  let leftOut = 0;
  // Ends between two words, because half a token is not recognized.
  const start =
    text.length <= maxTextChars ? text : text.slice(0, maxTextChars).replace(/(?<!\S)\S+$/, '');
  // As a whole, since a secret may contain what separates words.
  const rest = withoutNamedSecrets(redact(start), redacted);
  const looksSecret = secretWordsOf(rest);
  for (const [word] of rest.matchAll(words)) {
    if (!/[\p{L}\p{N}]/u.test(word)) continue;
    const [{ id, fromUrl } = { id: '', fromUrl: false }] = enteredIds(
      word.replace(punctuation, ''),
    );
    if (word.includes(redacted) || id.length > maxCandidateChars || looksSecret(word)) leftOut++;
    else if (known.has(id)) hasListed = true;
    else if (!idProblem(id, () => false)) {
      const mayBeToken = fromUrl && installTokenIn(id).kind !== 'none';
      found.set(id, { id, isAlike: beginnings.has(beginning.exec(id)?.[0] ?? ''), mayBeToken });
    }
  }
  const all = [...found.values()];
  const inOrder = [
    ...all.filter(({ isAlike }) => isAlike),
    ...all.filter(({ isAlike }) => !isAlike),
  ];
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

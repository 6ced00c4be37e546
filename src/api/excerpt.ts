import type { KnownSecrets } from './secrets.js';

/** Characters (UTF-16 code units) of a foreign answer that an error keeps. */
const longest = 300;

/** No need to look for secrets in what can't end up in an excerpt, however much white space is folded. */
const longestLooked = 64 * 1024;

/**
 * The beginning of what came, as text: HTML stays text, white space is folded, secrets are replaced before anything is
 * cut. `undefined` if there is nothing to see.
 */
export function excerptOf(text: string, secrets: KnownSecrets): string | undefined {
  const folded = secrets.redactCut(text.slice(0, longestLooked)).replace(/\s+/g, ' ').trim();
  // Half of a surrogate pair is no character.
  const cut = folded.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
  return cut === '' ? undefined : cut;
}

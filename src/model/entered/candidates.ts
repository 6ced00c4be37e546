import { redacted } from '../../api/secrets.js';
import { enteredIds, idProblem } from './enteredIds.js';
import { withoutNamedSecrets } from './namedSecrets.js';
import { secretTestFor } from './secretForms.js';
import { installTokenIn } from './tokens.js';

const maxCandidates = 200;
/** Longer than IDs that a user pastes; tokens often are. */
const maxCandidateChars = 128;
/** Only the beginning of a longer text is searched. */
export const maxTextChars = 300_000;

/** A word that may be the ID of a deployment, and is not listed. */
export interface Candidate {
  readonly id: string;
  /** It has the beginning of a listed ID: "dep_" of "dep_1". */
  readonly beginsLikeListed: boolean;
  /** It is the last segment of a URL and a UUID, which there is more often an install token. */
  readonly mayBeInstallToken: boolean;
}

/** What a text holds of IDs of deployments. */
export interface Candidates {
  /** At most 200; those that begin like a listed ID come first. */
  readonly found: readonly Candidate[];
  /** How many candidates the text holds, including those beyond the first 200. */
  readonly total: number;
  /** Whether the text holds an ID that is listed. */
  readonly hasListedId: boolean;
  /** How many words were left out because they may be secrets or are too long. */
  readonly leftOutCount: number;
  /** Whether only the first `maxTextChars` characters were searched. */
  readonly isCut: boolean;
}

/**
 * Finds the words of a text that may be IDs of deployments. `listed`: the listed IDs. `redact`
 * replaces known secrets by `redacted`.
 */
export function candidatesIn(
  text: string,
  listed: readonly string[],
  redact: (text: string) => string,
): Candidates {
  const listedIds = new Set(listed);
  const listedBeginnings = new Set(listed.map(beginningOf));
  // Known and named secrets are taken out of the whole text, because they may hold what separates
  // words.
  const searched = withoutNamedSecrets(redact(searchedPart(text)), redacted);
  const looksSecret = secretTestFor(searched);

  const found = new Map<string, Candidate>();
  let hasListedId = false;
  let leftOutCount = 0;
  for (const [word] of searched.matchAll(words)) {
    if (!letterOrDigit.test(word)) continue;
    const entered = enteredIds(word.replace(punctuation, '')).at(0);
    const id = entered?.id ?? '';
    if (word.includes(redacted) || id.length > maxCandidateChars || looksSecret(word)) {
      leftOutCount += 1;
    } else if (listedIds.has(id)) {
      hasListedId = true;
    } else if (idProblem(id, () => false) === undefined) {
      const beginning = beginningOf(id);
      const isFromUrl = entered?.isFromUrl ?? false;
      found.set(id, {
        id,
        beginsLikeListed: beginning !== undefined && listedBeginnings.has(beginning),
        mayBeInstallToken: isFromUrl && installTokenIn(id).kind !== 'none',
      });
    }
  }

  const all = [...found.values()];
  const likely = all.filter((candidate) => candidate.beginsLikeListed);
  const unlikely = all.filter((candidate) => !candidate.beginsLikeListed);
  return {
    found: [...likely, ...unlikely].slice(0, maxCandidates),
    total: all.length,
    hasListedId,
    leftOutCount,
    isCut: text.length > maxTextChars,
  };
}

/**
 * Returns the beginning of a long text. It ends between two words, because half a token is not
 * recognized.
 */
function searchedPart(text: string): string {
  if (text.length <= maxTextChars) return text;
  return text.slice(0, maxTextChars).replace(lastWord, '');
}

/** "dep_" of "dep_1" and "flow-" of "flow-1"; `undefined` for an ID with neither `_` nor `-`. */
function beginningOf(id: string): string | undefined {
  return /^[^_-]*[_-]/.exec(id)?.[0];
}

const lastWord = /(?<!\S)\S+$/;

/**
 * Words: the text between white space, quotes, commas, and brackets. The brackets of `[redacted]`
 * separate nothing.
 */
const words = /(?:\[redacted\]|[^\s"'`“”„‘’«»,()[\]{}<>])+/gu;

const letterOrDigit = /[\p{L}\p{N}]/u;

/** The punctuation of a list, a YAML key, or a sentence around a word: "=dep_1" and "dep_1:". */
const punctuation = /^[:;=|]+|(?<![:;=|.!?])[:;=|.!?]+$/g;

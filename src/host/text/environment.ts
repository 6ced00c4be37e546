import {
  type BaseUrlProblem,
  parseBaseUrl,
  type UnusableBaseUrl,
  versionPrefix,
} from '../../api/entered/baseUrl.js';
import { isPlaceholder, withoutQuotes } from '../../api/entered/pastedText.js';
import { nameCharacter } from '../../model/characters.js';
import { type PastedToken, readToken } from '../../model/entered/tokens.js';
import { environmentId, type StoredOrganization } from '../organizations/organization.js';

export const environmentVariables = {
  token: 'AUTOMATION_PLATFORM_TOKEN',
  baseUrl: 'AUTOMATION_PLATFORM_BASE_URL',
} as const;

/** The variables of a process, by name. */
type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the token variable, also where the organization as a whole cannot be used. */
export function environmentToken(env: Environment): PastedToken {
  return readToken(env[environmentVariables.token] ?? '');
}

/**
 * Returns the read-only organization of Codespaces, dev containers, and CI. If the variables make
 * none, returns what is wrong with them, as the end of a sentence: "the base URL contains
 * credentials. Remove them." `undefined` if neither is set.
 */
export function environmentOrganization(env: Environment): StoredOrganization | string | undefined {
  const pasted = environmentToken(env);
  const baseUrl = withoutQuotes(env[environmentVariables.baseUrl] ?? '');

  const unfilledVariables: string[] = [];
  if (pasted.kind === 'placeholder') unfilledVariables.push(environmentVariables.token);
  if (isPlaceholder(baseUrl)) unfilledVariables.push(environmentVariables.baseUrl);
  if (unfilledVariables.length > 0) return unfilledText(unfilledVariables);

  const [missing, alsoMissing] = missingVariables(env);
  if (alsoMissing !== undefined) return undefined;
  if (missing !== undefined) return `${missing} is not set. Set both or neither.`;

  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok) return `the base URL ${baseUrlFix(parsed)}`;
  if (pasted.kind === 'tooLong') return 'the token is too long. Set the token alone.';
  if (pasted.kind === 'wrongCharacter') return wrongCharacterText(pasted.character);
  return { id: environmentId, name: environmentId, baseUrl: parsed.url, token: pasted.token };
}

/** Returns the names of the variables that are not set, or empty: none, one, or both. */
export function missingVariables(env: Environment): readonly string[] {
  const missing: string[] = [];
  if (environmentToken(env).kind === 'empty') missing.push(environmentVariables.token);
  if (withoutQuotes(env[environmentVariables.baseUrl] ?? '') === '')
    missing.push(environmentVariables.baseUrl);
  return missing;
}

/** "AUTOMATION_PLATFORM_TOKEN holds a placeholder that was not filled in. Set the value itself." */
function unfilledText(variables: readonly string[]): string {
  const problem =
    variables.length > 1 ? 'hold placeholders that were' : 'holds a placeholder that was';
  return `${variables.join(' and ')} ${problem} not filled in. Set the value itself.`;
}

/** "the token contains “ü” (U+00FC), which no token can have. Copy it again." */
function wrongCharacterText(character: string): string {
  const name = /\s/.test(character) ? 'a space or a line break' : nameCharacter(character);
  return `the token contains ${name}, which no token can have. Copy it again.`;
}

/** What to do about a base URL, after "the base URL": "contains U+200B. Remove or replace it." */
function baseUrlFix(unusable: UnusableBaseUrl): string {
  if (unusable.problem !== 'character') return baseUrlFixes[unusable.problem];
  return `contains ${nameCharacter(unusable.character)}. Remove or replace it.`;
}

/** The texts do not repeat the base URL, because it may contain credentials. */
const baseUrlFixes: Readonly<Record<Exclude<BaseUrlProblem, 'character'>, string>> = {
  placeholder: 'is a placeholder. Set the value itself.',
  twoSchemes: 'has two schemes. Remove one of them.',
  changedHost: 'has a host that is not written in full. Write it out.',
  dots: 'contains . or .. as a part of its path. Remove it.',
  notAUrl: `is not a full URL. Use the form https://host.example${versionPrefix}.`,
  scheme: 'does not start with https. Use https.',
  credentials: 'contains credentials. Remove them.',
  insecure: 'uses http for another machine. Use https.',
  query: 'contains a query string. Remove it.',
  fragment: 'contains a fragment. Remove the # and everything after it.',
  path: `does not end in ${versionPrefix}. Append it.`,
};

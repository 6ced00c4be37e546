/** How reading a deployment has to end for each hostile answer: for the client's tests in Node and those in the extension host. */
import type { Failure } from '../../src/api/failure.js';
import type { HostileGroup } from './service/hostile.js';

/** How a read ends: a failure's kind (and reason), or what is left of the answer and the places that were left out. */
export type Ending =
  | Failure['kind']
  | `unusable ${Extract<Failure, { kind: 'unusable' }>['reason']}`
  | { readonly accounts: number; readonly requirements: number; readonly decodeIssues: number };

/** The other groups follow from the status. */
export type TabledGroup = Exclude<HostileGroup, 'statuses' | 'redirects' | 'retryAfter'>;

const fine: Ending = { accounts: 1, requirements: 1, decodeIssues: 0 };

export const hostileEndings: Readonly<Record<TabledGroup, Readonly<Record<string, Ending>>>> = {
  unreadable: {
    'HTML error page with 200': 'unusable notJson',
    'login page with 200': 'unusable notJson',
    'login page that says it is JSON': 'unusable notJson',
    'no body': 'unusable empty',
    'no content (204)': 'unusable empty',
    'reset content (205)': 'unusable empty',
    'blanks only': 'unusable empty',
    'JSON cut off, with the right length': 'unusable notJson',
    'single quotes': 'unusable notJson',
    'NaN and a trailing comma': 'unusable notJson',
    'two documents': 'unusable notJson',
    JSONP: 'unusable notJson',
    'UTF-16': 'unusable notJson',
    'bytes of no sense': 'unusable notJson',
    // The header lies, the answer is there.
    'gzip that is none': fine,
    'an encoding nobody knows': fine,
    'gzip cut off': 'unusable truncated',
    'br cut off': 'unusable truncated',
  },
  wrongShape: {
    null: 'unusable wrongShape',
    'a string': 'unusable wrongShape',
    'a number': 'unusable wrongShape',
    true: 'unusable wrongShape',
    'an array': 'unusable wrongShape',
    'an empty object': 'unusable wrongShape',
    'the answer one level deeper': 'unusable wrongShape',
    'an error with 200': 'unusable wrongShape',
    'accounts absent': { accounts: 0, requirements: 1, decodeIssues: 1 },
    'requirements absent': { accounts: 1, requirements: 0, decodeIssues: 1 },
    'accounts null': { accounts: 0, requirements: 1, decodeIssues: 1 },
    'accounts an object': { accounts: 0, requirements: 1, decodeIssues: 1 },
    'requirements a string': { accounts: 1, requirements: 0, decodeIssues: 1 },
    'null rows among good ones': { accounts: 1, requirements: 1, decodeIssues: 3 },
    'rows of other types': { accounts: 1, requirements: 1, decodeIssues: 5 },
    'empty rows': fine,
    'every account field of a wrong type': { accounts: 2, requirements: 1, decodeIssues: 8 },
    'every requirement field of a wrong type': { accounts: 1, requirements: 2, decodeIssues: 6 },
    'satisfied 0, "no" and null': { accounts: 1, requirements: 3, decodeIssues: 3 },
    'connections with null rows and wrong types': { accounts: 1, requirements: 1, decodeIssues: 6 },
    'scopes with null and numbers': { accounts: 1, requirements: 1, decodeIssues: 2 },
    'errors of every kind': { accounts: 6, requirements: 0, decodeIssues: 5 },
    'impossible dates': { accounts: 6, requirements: 0, decodeIssues: 0 },
    'nested 100,000 deep in place of accounts': { accounts: 0, requirements: 0, decodeIssues: 1 },
    'nested 100,000 deep in an unknown field': fine,
    'keys of the prototype': fine,
    'the same key twice': fine,
    'invalid UTF-8 in a label': { accounts: 1, requirements: 0, decodeIssues: 0 },
    'lone surrogates and NUL': { accounts: 1, requirements: 0, decodeIssues: 0 },
  },
  readable: {
    'empty lists': { accounts: 0, requirements: 0, decodeIssues: 0 },
    'duplicate account ids': { accounts: 2, requirements: 1, decodeIssues: 0 },
    'duplicate requirements': { accounts: 1, requirements: 3, decodeIssues: 0 },
  },
  broken: {
    'reset before the status line': 'connectionLost',
    'reset after the headers': 'unusable truncated',
    'reset in the body': 'unusable truncated',
    'cut at once': 'unusable truncated',
    'cut in the body': 'unusable truncated',
    'cut in a chunked body': 'unusable truncated',
    'closed without a word': 'connectionLost',
    'half a status line': 'connectionLost',
    'half the headers': 'connectionLost',
    'not HTTP': 'connectionLost',
    'a TLS alert': 'connectionLost',
    'a chunk size of no sense': 'unusable truncated',
    'two different lengths': 'connectionLost',
    'a negative length': 'connectionLost',
    'switching protocols': 'connectionLost',
    'a 100 that nobody asked for': fine,
    'a NUL in a header': 'connectionLost',
  },
  tooMuch: {
    'never answered': 'timedOut',
    'headers and then nothing': 'timedOut',
    'half a status line and then nothing': 'timedOut',
    'informational and then nothing': 'timedOut',
    'dripping for minutes': 'timedOut',
    endless: 'unusable tooLarge',
    'endless, gzip': 'unusable tooLarge',
    'endless and dripping': 'timedOut',
    '200 MB of JSON': 'unusable tooLarge',
    'a gzip bomb of 1 GB': 'unusable tooLarge',
    'a br bomb of 200 MB': 'unusable tooLarge',
    'huge headers': 'connectionLost',
    'an error of 200 MB': 'serverError',
  },
};

export const tabledGroups = Object.keys(hostileEndings).filter((group): group is TabledGroup =>
  Object.hasOwn(hostileEndings, group),
);

/** What has no row of its own among the readable answers is read as if nothing were odd. */
export function endingOf(group: TabledGroup, name: string): Ending {
  return hostileEndings[group][name] ?? fine;
}

const kinds: Readonly<Record<number, Failure['kind']>> = {
  401: 'tokenRejected',
  403: 'notPermitted',
  404: 'notFound',
  429: 'rateLimited',
};

/** The status that an answer of the group `statuses` has, by its name. */
export function statusIn(name: string): number {
  return Number(/\d{3}/.exec(name)?.[0]);
}

export function kindOfStatus(status: number): Failure['kind'] {
  return kinds[status] ?? (status < 500 ? 'clientError' : 'serverError');
}

import { ApiError } from './failure.js';
import { acceptedEncodings } from './network/body.js';
import { peerOf } from './network/errorCodes.js';
import type { Wanted, WireRequest } from './network/exchange.js';
import { isUsableToken, type SearchedIn } from './secrets.js';

/** Which server, with whose token. A token is only ever sent to its own base URL. */
export interface Target {
  /** Opaque id: a 429 pauses one organization, not the others. */
  readonly organizationId: string;
  /** As `parseBaseUrl` returned it: no trailing slash. */
  readonly baseUrl: string;
  /** Bearer token of the slot that the operation uses. */
  readonly token: string;
}

/**
 * An id as exactly one segment of a path. What URL parsers would change or could take for a separator (`/`, `%`,
 * `?`, `#`, spaces, everything outside ASCII) is percent-encoded, so `%2e%2e` goes out as `%252e%252e` and stays what it is.
 * @throws ApiError `invalidId` for what no encoding can save: nothing at all, `.`, `..` and lone surrogates.
 */
export function pathSegment(id: string): string {
  if (id === '') throw new ApiError({ kind: 'invalidId', reason: 'empty' });
  if (id === '.' || id === '..') throw new ApiError({ kind: 'invalidId', reason: 'dotSegment' });
  try {
    return encodeURIComponent(id);
  } catch {
    throw new ApiError({ kind: 'invalidId', reason: 'loneSurrogate' });
  }
}

export interface Operation {
  readonly method: 'GET' | 'DELETE';
  /** The path below the base URL, with one `{parameter}`. */
  readonly template: string;
  readonly id: string;
  /** Where the id is searched for as a secret: install tokens everywhere, key ids in texts, deployment ids nowhere. */
  readonly idIsSecretIn?: SearchedIn;
}

/** Bytes of a decoded answer; more is `tooLarge`. */
const largestBody = 4 * 1024 * 1024;
/** Bytes of a refusal: more than a person will ever see of it. */
const enoughForExcerpt = 64 * 1024;
/** Ms after the status line of a refusal: a body that drips is not worth more. */
const patience = 2000;

/**
 * Reference, 4 and 5: the operation's path below the base URL, with the bearer token.
 * @throws ApiError `invalidId`; `unreachable` for a token that no header can hold.
 */
export function wireRequest(target: Target, { method, template, id }: Operation): Omit<WireRequest, 'signal'> {
  const path = template.replace(/\{\w+\}/, () => pathSegment(id));
  const baseUrl = new URL(target.baseUrl);
  if (!isUsableToken(target.token)) {
    throw new ApiError({
      kind: 'unreachable',
      cause: { step: 'network', code: 'ERR_INVALID_CHAR', ...peerOf(baseUrl) },
    });
  }
  return {
    method,
    origin: baseUrl.origin,
    path: baseUrl.pathname.replace(/\/+$/, '') + path,
    headers: {
      authorization: `Bearer ${target.token}`,
      accept: 'application/json',
      'accept-encoding': acceptedEncodings,
      'user-agent': 'automation-platform-vscode',
    },
    alone: method === 'DELETE',
    wanted: (status) => wanted(method, status),
  };
}

/** The body of a redirect or of a successful revocation is not read, since nothing in it counts. */
function wanted(method: Operation['method'], status: number): Wanted {
  if (status >= 400) return { bytes: enoughForExcerpt, patience };
  return { bytes: method === 'GET' && status >= 200 && status < 300 ? largestBody : 0 };
}

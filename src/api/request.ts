import type { Operation, Target } from './call.js';
import { ApiError, peerOf } from './failure.js';
import { acceptedEncodings, type WireRequest } from './network/exchange.js';
import { isUsableToken } from './secrets.js';

/**
 * The operation's path below the base URL, with the bearer token.
 * @throws ApiError `invalidId`; `unreachable` for a token that no header can hold.
 */
export function requestOf(
  target: Target,
  { method, template, id }: Operation,
): Pick<WireRequest, 'method' | 'origin' | 'path' | 'headers'> {
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
  };
}

/**
 * An id as exactly one segment of a path: `%2e%2e` goes out as `%252e%252e` and stays what it is.
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

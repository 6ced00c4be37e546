import { ApiError } from './failure.js';

/**
 * An id as exactly one segment of a path. What URL parsers would change or could take for a separator (`/`, `%`,
 * `?`, `#`, spaces, everything outside ASCII) is percent-encoded, so `%2e%2e` goes out as `%252e%252e` and stays what it is.
 * @throws ApiError `invalidId` for what no encoding can save: nothing at all, `.`, `..` and lone surrogates.
 */
export function pathSegment(id: string): string {
  if (id === '') {
    throw new ApiError({ kind: 'invalidId', reason: 'empty' });
  }
  if (id === '.' || id === '..') {
    throw new ApiError({ kind: 'invalidId', reason: 'dotSegment' });
  }
  try {
    return encodeURIComponent(id);
  } catch {
    throw new ApiError({ kind: 'invalidId', reason: 'loneSurrogate' });
  }
}

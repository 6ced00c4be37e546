import { ApiError } from '../api/failure.js';
import { pathSegment } from '../api/pathSegment.js';

/** Longer than any id, and still shown whole where it has to be confirmed. */
const longest = 1000;

/** Why a text can't be the id of something that is asked for by its address. */
export type IdProblem = 'empty' | 'tooLong' | 'dotSegment' | 'loneSurrogate' | 'token';

/**
 * `text` is trimmed already. A token that was pasted here by mistake must not get into an address or a settings file.
 */
export function idProblem(text: string, holdsToken: (text: string) => boolean): IdProblem | undefined {
  if (text === '') return 'empty';
  if (holdsToken(text)) return 'token';
  if (text.length > longest) return 'tooLong';
  try {
    pathSegment(text);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.failure.kind === 'invalidId') return error.failure.reason;
    throw error;
  }
}

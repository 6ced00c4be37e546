import type { Answer } from '../../src/api/answer.js';

/** An answer as the client brings it, fresh from the platform and with clocks that agree, except where `facts` differ. */
export function answerOf<T>(
  value: T,
  { sentAt = 0, ...facts }: Partial<Answer<T>> = {},
): Answer<T> {
  const clocks = { asOf: sentAt, clockOffsetMs: 0, hasUnusableDate: false };
  return { value, decodeIssues: [], sentAt, sequence: 1, ...clocks, ...facts };
}

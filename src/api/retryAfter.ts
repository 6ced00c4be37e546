/**
 * Ms that an answer asks to wait, from its `Retry-After` as seconds or as a date (RFC 9110, 10.2.3); `undefined` if it
 * says nothing, or nothing that makes sense. A date is compared with the answer's own `Date`, so that a clock that is
 * wrong here or there doesn't matter.
 */
export function retryAfter(headers: Readonly<Record<string, string | undefined>>, now: number): number | undefined {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    return Number(text) * 1000;
  }
  const date = httpDate(text);
  return date === undefined ? undefined : Math.max(0, date - (httpDate(headers['date']?.trim() ?? '') ?? now));
}

/** Strict, since `Date.parse` finds a date in almost any text with a number. */
function httpDate(text: string): number | undefined {
  const shape = /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT|\d{4}-\d{2}-\d{2}T[\d:.]+Z)$/;
  const time = shape.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

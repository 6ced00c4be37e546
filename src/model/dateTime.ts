const dateTime = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:[Zz]|[+-]\d{2}(?::?\d{2})?)$/;

/**
 * Epoch ms of an ISO 8601 date-time with its offset from UTC. Without one it could mean any time zone: undefined, like
 * everything else that is no date-time, so that no countdown rests on a guess.
 */
export function parseDateTime(text: string | undefined): number | undefined {
  if (text === undefined || !dateTime.test(text)) return undefined;
  const normal = text
    .toUpperCase()
    .replace(' ', 'T')
    .replace(',', '.')
    // `Date` reads at most milliseconds reliably, and an offset only with its colon.
    .replace(/(\.\d{3})\d+/, '$1')
    .replace(/([+-]\d{2})(\d{2})?$/, (_, hours: string, minutes: string | undefined) => `${hours}:${minutes ?? '00'}`);
  const at = Date.parse(normal);
  return Number.isNaN(at) || !isRealDay(normal) ? undefined : at;
}

/** `Date` turns 30 February into a day in March. */
function isRealDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

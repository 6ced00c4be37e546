export type TimeUnit = 'day' | 'hour' | 'minute' | 'second';

export interface TimePart {
  readonly unit: TimeUnit;
  readonly amount: number;
}

/**
 * `left`: one or two parts, largest first ("1 h 20 min", "46 min", "12 s"). `lapsed`: one part, or none in the first
 * minute ("just now"). `nextChange`: epoch ms at which the words change, so that nobody ticks in between.
 */
export type TimeLeft =
  | { readonly kind: 'left'; readonly parts: readonly TimePart[]; readonly nextChange: number }
  | { readonly kind: 'lapsed'; readonly parts: readonly TimePart[]; readonly nextChange: number }
  | { readonly kind: 'unknown' };

export function timeLeft(expiresAt: number | undefined, now: number): TimeLeft {
  void [expiresAt, now];
  return { kind: 'unknown' };
}

/** "2 min ago": `part` is absent in the first minute ("just now"). */
export function timeAgo(at: number, now: number): { readonly part?: TimePart; readonly nextChange: number } {
  void [at, now];
  return { nextChange: now };
}

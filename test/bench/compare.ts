// Side by side: every round measures both, in an order that alternates, so that noise of the machine falls on either.

export interface Pair {
  readonly ours: number;
  readonly limit: number;
}

/** Medians of the rounds: of both sides, in the unit of the costs, and of their ratios. */
export interface Comparison extends Pair {
  readonly ratio: number;
}

/** Each of `ours` and `limit` measures itself and gives its cost. One round more, the first, warms up and does not count. */
export async function rounds<Ours, Limit>(
  count: number,
  ours: (round: number) => Ours | Promise<Ours>,
  limit: () => Limit | Promise<Limit>,
): Promise<{ readonly ours: Ours; readonly limit: Limit }[]> {
  const measured: { ours: Ours; limit: Limit }[] = [];
  for (let round = 0; round <= count; round++) {
    const before = round % 2 === 0 ? await ours(round) : undefined;
    const theirs = await limit();
    measured.push({ ours: before ?? (await ours(round)), limit: theirs });
  }
  return measured.slice(1);
}

type Cost = () => number | Promise<number>;

export async function compare(count: number, ours: Cost, limit: Cost): Promise<Comparison> {
  return comparisonOf(await rounds(count, ours, limit));
}

export function comparisonOf(pairs: readonly Pair[]): Comparison {
  return {
    ratio: median(pairs.map(({ ours, limit }) => ours / limit)),
    ours: median(pairs.map(({ ours }) => ours)),
    limit: median(pairs.map(({ limit }) => limit)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}

/** Ms. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Ms of work that ends before it returns. */
export function timedNow(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** "3.20 ms", "640 ms" */
export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
}

export function worst(values: readonly number[]): string {
  return `at most ${ms(Math.max(...values))}`;
}

// Side by side: every round measures both, in an order that alternates, so that noise of the machine falls on either.

export type Cost = () => number | Promise<number>;

export interface Comparison {
  /** Median of the rounds' ratios. */
  readonly ratio: number;
  /** Medians, in the unit of the costs. */
  readonly ours: number;
  readonly limit: number;
}

/** Each of `ours` and `limit` measures itself and gives its cost. One round more, the first, warms up and does not count. */
export async function compare(rounds: number, ours: Cost, limit: Cost): Promise<Comparison> {
  const pairs: { ours: number; limit: number }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const first = round % 2 === 0 ? await ours() : undefined;
    const theirs = await limit();
    const pair = { ours: first ?? (await ours()), limit: theirs };
    if (round > 0) {
      pairs.push(pair);
    }
  }
  return {
    ratio: median(pairs.map((pair) => pair.ours / pair.limit)),
    ours: median(pairs.map((pair) => pair.ours)),
    limit: median(pairs.map((pair) => pair.limit)),
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

/** "3.2 ms", "640 ms" */
export function ms(value: number): string {
  return `${value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
}

export function sides({ ours, limit }: Comparison): string {
  return `${ms(ours)} : ${ms(limit)}`;
}

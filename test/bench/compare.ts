// Side by side: every round measures both, in an order that alternates, so that noise of the machine falls on either.
import { setTimeout as sleep } from 'node:timers/promises';

/** Medians of the rounds: of both sides, in the unit of the costs, and of their ratios. */
export interface Comparison {
  readonly ours: number;
  readonly limit: number;
  readonly ratio: number;
}

/** Each of `ours` and `limit` measures itself and gives its cost. One round more, the first, warms up and does not count. */
export async function rounds<Cost>(
  count: number,
  ours: () => Promise<Cost>,
  limit: () => Promise<Cost>,
) {
  const measured: { readonly ours: Cost; readonly limit: Cost }[] = [];
  for (let round = 0; round <= count; round++) {
    const before = round % 2 === 0 ? await ours() : undefined;
    const theirs = await limit();
    measured.push({ ours: before ?? (await ours()), limit: theirs });
  }
  return measured.slice(1);
}

/** Of what takes time. */
export async function compare(
  count: number,
  ours: () => unknown,
  limit: () => unknown,
): Promise<Comparison> {
  return comparisonOf(
    await rounds(
      count,
      () => timed(ours),
      () => timed(limit),
    ),
  );
}

export function comparisonOf(pairs: readonly Pick<Comparison, 'ours' | 'limit'>[]): Comparison {
  return {
    ratio: median(pairs.map(({ ours, limit }) => ours / limit)),
    ours: median(pairs.map(({ ours }) => ours)),
    limit: median(pairs.map(({ limit }) => limit)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return (
    ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
  );
}

/** Ms. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** "3.20 ms", "640 ms" */
export function ms(value: number): string {
  if (value >= 100) return `${Math.round(value)} ms`;
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}

/** The longest time for which nothing else could run in this process. Ms. `quietMs`: after them what was before is over. */
export async function longestStall(
  work: () => PromiseLike<unknown>,
  quietMs = 300,
): Promise<number> {
  if (quietMs > 0) await sleep(quietMs);
  let longest = 0;
  let last = performance.now();
  const check = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(check, 1);
  await work();
  check();
  clearInterval(timer);
  return longest;
}

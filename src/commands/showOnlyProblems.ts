import type { Services } from '../host/services.js';

/** Hides what is fine; what can't be read is kept. */
export async function showOnlyProblems({ filter }: Services): Promise<void> {
  await filter.set(true);
}

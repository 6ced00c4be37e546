import type { Services } from '../host/services.js';

export async function showAll({ filter }: Services): Promise<void> {
  await filter.set(false);
}

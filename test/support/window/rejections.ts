import { inspect } from 'node:util';
import { atEndOfTest } from './endOfTest.js';

/** Collects until the end of the test what would end a process with stricter settings. */
export function watchRejections(): readonly string[] {
  const seen: string[] = [];
  const take = (error: unknown): void => void seen.push(inspect(error));
  for (const event of ['unhandledRejection', 'uncaughtException']) {
    process.on(event, take);
    atEndOfTest(() => process.off(event, take));
  }
  return seen;
}

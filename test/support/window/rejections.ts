import { inspect } from 'node:util';

/** Collects, for the suite that it is called in, what would have ended a process with stricter settings. */
export function watchRejections() {
  const seen: string[] = [];
  const take = (error: unknown): void => void seen.push(inspect(error));
  before(() => {
    process.on('unhandledRejection', take);
    process.on('uncaughtException', take);
  });
  after(() => {
    process.off('unhandledRejection', take);
    process.off('uncaughtException', take);
  });
  return { seen };
}

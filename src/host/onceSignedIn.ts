import type { Organizations } from './organizations/organizations.js';
import type { Log } from './services.js';

/** Starts with the first organization that is current; goes on without one until it is disposed of. */
export function onceSignedIn<T extends { dispose(): void }>(
  organizations: Pick<Organizations, 'current' | 'onDidChange'>,
  log: Log,
  start: () => Promise<T>,
): { readonly started: T | undefined; dispose(): void } {
  let started: T | undefined;
  let disposed = false;
  const begin = async (): Promise<void> => {
    const running = await start();
    if (disposed) running.dispose();
    else started = running;
  };
  const look = (): void => {
    if (!organizations.current) return;
    waiting.dispose();
    begin().catch((error: unknown) => log.error(`What reads deployments could not be loaded: ${String(error)}`));
  };
  const waiting = organizations.onDidChange(look);
  look();
  return {
    get started() {
      return started;
    },
    dispose() {
      disposed = true;
      waiting.dispose();
      started?.dispose();
    },
  };
}

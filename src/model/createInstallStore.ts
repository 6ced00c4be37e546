import type { InstallStore } from './installStore.js';

export interface InstallStoreOptions {
  readonly now: () => number;
  /** Random, never derived from a token. */
  readonly newId?: () => string;
}

export function createInstallStore(options: InstallStoreOptions): InstallStore {
  void options;
  throw new Error('not written yet');
}

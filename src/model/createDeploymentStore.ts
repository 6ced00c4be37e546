import type { DeploymentStore } from './deploymentStore.js';
import type { SeenSince } from './seenSince.js';
import type { SetTimer } from './timer.js';

export interface DeploymentStoreOptions {
  readonly now: () => number;
  readonly seen: SeenSince;
  /** Reads of a bulk refresh handed out at a time; how many are sent at once is the limiter's business. */
  readonly window?: number;
  /** Least distance of two change events, ms. */
  readonly eventInterval?: number;
  readonly setTimer?: SetTimer;
}

export function createDeploymentStore(options: DeploymentStoreOptions): DeploymentStore {
  void options;
  throw new Error('not written yet');
}

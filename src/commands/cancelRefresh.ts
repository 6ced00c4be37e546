import type { Services } from '../host/services.js';

/** Ends the refresh of all; what has arrived stays. */
export function cancelRefresh({ store }: Services): void {
  store.cancelRefresh();
}

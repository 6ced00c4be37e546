import { createSeenSince } from '../../src/model/seenSince.js';
import type { DeploymentStore, ReadDeployment } from '../../src/model/store/deploymentStore.js';
import { createDeploymentStore, type DeploymentStoreOptions } from '../../src/model/store/store.js';

/** A store as the extension has it, signed in and with its list. */
export function storeOf(
  ids: Iterable<string>,
  read: ReadDeployment,
  options: Partial<DeploymentStoreOptions> = {},
): DeploymentStore {
  const seen = createSeenSince({ initial: {}, save: () => undefined });
  const store = createDeploymentStore({ now: Date.now, seen, ...options });
  store.setListed([...ids].map((id) => ({ id })));
  store.setOrganization({ id: 'bench', read });
  return store;
}

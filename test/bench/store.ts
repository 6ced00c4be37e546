import { SeenSince } from '../../src/model/problems/seenSince.js';
import type { ReadDeployment } from '../../src/model/store/reads.js';
import { Store, type StoreOptions } from '../../src/model/store/store.js';
import { systemClock } from '../../src/model/time.js';

/** A store as the extension has it, signed in and with its list. */
export function storeOf(ids: Iterable<string>, read: ReadDeployment, options: Partial<StoreOptions> = {}): Store {
  const seen = new SeenSince({ initial: {}, save: () => undefined });
  const store = new Store({ ...systemClock, seen, ...options });
  store.setListed([...ids].map((id) => ({ id })));
  store.setOrganization({ id: 'bench', read });
  return store;
}

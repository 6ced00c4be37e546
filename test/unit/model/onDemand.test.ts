import { strict as assert } from 'node:assert';
import { setImmediate as turn } from 'node:timers/promises';
import { createSeenSince } from '../../../src/model/seenSince.js';
import { Store } from '../../../src/model/store/store.js';
import { storeOnDemand } from '../../../src/model/storeOnDemand.js';
import { ManualClock } from './manualClock.js';
import { bad, good, ManualService } from './store/manualService.js';

describe('the store on demand', () => {
  let service: ManualService;
  let loads: number;
  const create = () =>
    storeOnDemand(async () => {
      loads++;
      const seen = createSeenSince({ initial: {}, save: () => undefined });
      return new Store({ now: Date.now, seen });
    });

  beforeEach(() => {
    service = new ManualService(new ManualClock());
    loads = 0;
  });

  it('is empty and loads nothing while there is no organization', async () => {
    const store = create();
    store.setListed([{ id: 'a' }]);
    store.setOrganization(undefined);
    await store.refreshAll();
    assert.equal(await store.refresh('a'), undefined);
    store.cancelRefresh();
    assert.deepEqual(
      [store.deployments, store.counts.total, store.get('a'), store.progress],
      [[], 0, undefined, undefined],
    );
    assert.equal(loads, 0);
    store.dispose();
  });

  it('takes over what it was told before it was loaded, and says so', async () => {
    const store = create();
    let changes = 0;
    store.onDidChange(() => changes++);
    store.setListed([{ id: 'a' }]);
    store.setOrganization({ id: 'first', read: () => Promise.reject(new Error('not this one')) });
    store.setOrganization({ id: 'o', read: service.read });
    store.setListed([{ id: 'a' }, { id: 'b' }]);
    const all = store.refreshAll();
    const one = store.refresh('b');
    await turn();
    assert.equal(loads, 1);
    assert.ok(changes > 0);
    assert.deepEqual(
      store.deployments.map(({ id }) => id),
      ['a', 'b'],
    );
    service.of('a').answer(good);
    service.of('b').answer(bad);
    await all;
    assert.equal((await one)?.state, 'notSatisfied');
    assert.equal(store.counts.withProblems, 1);
    store.dispose();
  });

  it('sends nothing if it ended while it was loaded', async () => {
    const store = create();
    store.setListed([{ id: 'a' }]);
    store.setOrganization({ id: 'o', read: service.read });
    const all = store.refreshAll();
    store.dispose();
    await all;
    assert.deepEqual(service.ids, []);
  });
});

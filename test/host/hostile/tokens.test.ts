import { strict as assert } from 'node:assert';
import { healthy } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { createGraph } from '../commands/graph.js';

const tokens = ['first-token-5c1e7a90b2', 'second-token-d83f4416ce'] as const;

function authorizations({ requests }: Service): ReadonlySet<string | undefined> {
  return new Set(requests.map(({ headers }) => headers.authorization));
}

describe('a token', () => {
  it('stays with its server when the organization is switched in the middle of a refresh', async () => {
    const [first, second] = await Promise.all([startService(), startService()]);
    for (const service of [first, second]) {
      for (const id of ['dep_1', 'dep_2']) service.putDeployment(id, healthy());
      for (const token of tokens) service.putToken(token, 'both');
    }
    const graph = createGraph();
    const { organizations, store } = graph.services;
    await organizations.ready;
    const { id } = await organizations.signIn({ name: 'First', baseUrl: first.baseUrl, token: tokens[0] });
    store.setListed([{ id: 'dep_1' }, { id: 'dep_2' }]);
    first.fault('all', faults.hold());
    const refreshing = store.refreshAll();
    await first.waitForRequests(2);
    await organizations.signIn({ name: 'Second', baseUrl: second.baseUrl, token: tokens[1] });
    await refreshing;
    await store.refreshAll();
    assert.equal(store.get('dep_1')?.state, 'satisfied');
    first.clearFaults();
    first.release();
    await organizations.use(id);
    await store.refreshAll();
    assert.deepEqual(authorizations(first), new Set([`Bearer ${tokens[0]}`]));
    assert.deepEqual(authorizations(second), new Set([`Bearer ${tokens[1]}`]));
    await graph.dispose();
    await Promise.all([first.stop(), second.stop()]);
  });
});

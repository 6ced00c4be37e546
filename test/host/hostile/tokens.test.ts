import { strict as assert } from 'node:assert';
import { healthy } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { createGraph, serviceOfTest } from '../../support/window/graph.js';

const tokens = ['first-token-5c1e7a90b2', 'second-token-d83f4416ce'] as const;

describe('a token', () => {
  it('stays with its server when the organization is switched in the middle of a refresh', async () => {
    const services = await Promise.all([serviceOfTest(), serviceOfTest()]);
    for (const service of services) {
      service.putDeployment('dep_1', healthy());
      for (const token of tokens) service.putToken(token, 'both');
    }
    const [first, second] = services;
    const graph = createGraph();
    const { organizations, store } = graph.services;
    const { id } = await organizations.signIn({ name: 'First', baseUrl: first.baseUrl, token: tokens[0] });
    store.setListed([{ id: 'dep_1' }]);
    first.fault('all', faults.hold());
    const refreshing = store.refresh();
    await first.waitForRequests(1);
    await organizations.signIn({ name: 'Second', baseUrl: second.baseUrl, token: tokens[1] });
    await refreshing;
    await store.refresh();
    assert.equal(store.get('dep_1')?.state, 'satisfied');
    first.clearFaults();
    first.release();
    await organizations.use(id);
    await store.refresh();
    const sent = services.map(({ requests }) => new Set(requests.map(({ headers }) => headers.authorization)));
    assert.deepEqual(
      sent,
      tokens.map((token) => new Set([`Bearer ${token}`])),
    );
  });
});

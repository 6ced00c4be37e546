import { strict as assert } from 'node:assert';
import { feedStore } from '../../../src/host/feedStore.js';
import { createSeenSince, type SeenRecord } from '../../../src/model/seenSince.js';
import { createGraph, type Graph } from '../commands/graph.js';

describe('what the store is told', () => {
  let graph: Graph;
  beforeEach(() => {
    graph = createGraph();
  });
  afterEach(() => graph.dispose());

  it('lets a sign-out take away at once what was remembered of the organization', async () => {
    const { organizations } = graph.services;
    const saved: SeenRecord[] = [];
    const seen = createSeenSince({ initial: {}, save: (record) => saved.push(record) });
    const acme = { name: 'Acme', baseUrl: 'https://acme.example/api/v1', token: 'tok-1234567890' };
    const { id } = await organizations.signIn(acme);
    const other = await organizations.signIn({ ...acme, name: 'Other' });
    const feed = feedStore(graph.services, seen, () => undefined);
    seen.answer(id, 'dep_1', 1).see('problem');
    seen.answer(other.id, 'dep_1', 2).see('problem');
    seen.flush();
    await organizations.signOut(id);
    feed.dispose();
    assert.deepEqual(
      saved.map((record) => Object.values(record)),
      [[1, 2], [2]],
    );
  });
});

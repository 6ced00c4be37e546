import { strict as assert } from 'node:assert';
import { feedStore } from '../../../src/host/feed.js';
import { type SeenRecord, SeenSince } from '../../../src/model/problems/seenSince.js';
import { createGraph, type Graph } from '../commands/graph.js';

const acme = { name: 'Acme', baseUrl: 'https://acme.example/api/v1', token: 'tok-1234567890' };

function remember(seen: SeenSince, organizationId: string, at: number): void {
  const answer = seen.answer(organizationId, 'dep_1', at);
  answer.see('problem');
  answer.end();
}

/** What is saved of this workspace's memory once the keyring was asked. */
async function savedAfterOpening(refusal?: Error): Promise<readonly (readonly number[])[]> {
  const saved: SeenRecord[] = [];
  const seen = new SeenSince({ initial: {}, save: (record) => saved.push(record) });
  for (const [at, id] of ['signed-out', 'here', 'lost', 'environment'].entries()) {
    remember(seen, id, at);
  }
  const workspace = createGraph();
  const { services, secrets } = workspace;
  secrets.shared.values.set('organizations', '["here","lost"]');
  const { baseUrl, token } = acme;
  secrets.shared.values.set('organization.here', JSON.stringify({ name: 'Here', baseUrl, token }));
  secrets.refusal = refusal;
  const feed = feedStore(services, [seen], () => undefined);
  await services.organizations.ready;
  feed.dispose();
  await workspace.dispose();
  return saved.map((record) => Object.values(record));
}

describe('what the store is told', () => {
  let graph: Graph;
  beforeEach(() => {
    graph = createGraph();
  });
  afterEach(() => graph.dispose());

  it('lets a sign-out take away at once what was remembered of the organization', async () => {
    const { organizations } = graph.services;
    const saved: SeenRecord[] = [];
    const seen = new SeenSince({ initial: {}, save: (record) => saved.push(record) });
    const { id } = await organizations.signIn(acme);
    const other = await organizations.signIn({ ...acme, name: 'Other' });
    const feed = feedStore(graph.services, [seen], () => undefined);
    remember(seen, id, 1);
    remember(seen, other.id, 2);
    seen.flush();
    await organizations.signOut(id);
    feed.dispose();
    assert.deepEqual(
      saved.map((record) => Object.values(record)),
      [[1, 2], [2]],
    );
  });

  describe('in a workspace that was closed when somebody signed out', () => {
    it('takes away what was remembered of that organization, and of no other', async () => {
      assert.deepEqual(await savedAfterOpening(), [[1, 2, 3]]);
    });

    it('takes nothing away while the keyring cannot be read', async () => {
      assert.deepEqual(await savedAfterOpening(new Error('locked')), []);
    });
  });
});

import { strict as assert } from 'node:assert';
import type { Call } from '../../../src/api/send.js';
import { healthy } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { createGraph, type Graph } from '../commands/graph.js';
import { watchRejections } from './rejections.js';

const oldToken = 'old-token-5c1e7a90b2';
const newToken = 'new-token-d83f4416ce';
const sessionToken = 'session-token-77ab03e1';
const installToken = '0a1b2c3d-0000-4000-8000-00000000000f';

function authorizations({ requests }: Service): readonly (string | undefined)[] {
  return [...new Set(requests.map(({ headers }) => headers.authorization))];
}

function call(): Call {
  return { signal: new AbortController().signal, urgent: true };
}

describe('a token', () => {
  const rejections = watchRejections();
  let first: Service;
  let second: Service;
  let graph: Graph;

  beforeEach(async () => {
    [first, second] = await Promise.all([startService(), startService()]);
    for (const service of [first, second]) {
      for (const id of ['dep_1', 'dep_2']) service.putDeployment(id, healthy());
      for (const token of [oldToken, newToken, sessionToken]) service.putToken(token, { kind: 'both' });
    }
    graph = createGraph();
    await graph.services.organizations.ready;
  });
  afterEach(async () => {
    await graph.dispose();
    await Promise.all([first.stop(), second.stop()]);
  });
  after(() => assert.deepEqual(rejections.seen, []));

  const signIn = async (name: string, { baseUrl }: Service, token: string) => {
    const { organizations, store } = graph.services;
    const organization = await organizations.signIn({ name, baseUrl, token });
    // With the first one the store was told the list of this window's settings.
    store.setListed([{ id: 'dep_1' }, { id: 'dep_2' }]);
    return organization;
  };

  it('does not follow a redirect: the second server sees nothing', async () => {
    const { organizations, client, store } = graph.services;
    const { id } = await signIn('Acme', first, oldToken);
    await organizations.setSessionToken(id, sessionToken);
    for (const status of [301, 302, 303, 307, 308]) {
      first.clearFaults();
      first.fault('all', faults.redirect(`${second.baseUrl}/deployments/dep_1/authorization`, status));
      await store.refreshAll();
      await client
        .getIntegrationInstall(organizations.target(id, 'install')!, installToken, call())
        .catch(() => undefined);
      assert.equal((await client.deleteApiKey(organizations.target(id, 'access')!, 'key_1', call())).kind, 'unknown');
      const { failure } = store.get('dep_1') ?? {};
      assert.deepEqual(failure?.failure, { kind: 'redirected', status, host: new URL(second.baseUrl).host });
    }
    assert.ok(first.requests.length >= 20);
    assert.deepEqual(second.requests, []);
  });

  it('stays with its server when the organization is switched in the middle of a refresh', async () => {
    const { organizations, store } = graph.services;
    await signIn('First', first, oldToken);
    first.fault('all', faults.hold());
    const refreshing = store.refreshAll();
    await first.waitForRequests(2);
    await signIn('Second', second, newToken);
    await refreshing;
    await store.refreshAll();
    assert.equal(store.get('dep_1')?.state, 'satisfied');
    first.clearFaults();
    first.release();
    await organizations.use(organizations.list.find(({ name }) => name === 'First')!.id);
    await store.refreshAll();
    assert.deepEqual(authorizations(first), [`Bearer ${oldToken}`]);
    assert.deepEqual(authorizations(second), [`Bearer ${newToken}`]);
  });

  it('stays with its server when the same organization moves to another base URL', async () => {
    const { organizations, client, store } = graph.services;
    const { id } = await signIn('Acme', first, oldToken);
    await organizations.setSessionToken(id, sessionToken);
    await store.refreshAll();
    await organizations.signOut(id);
    assert.deepEqual(store.deployments, []);
    const moved = await signIn('Acme', second, newToken);
    await store.refreshAll();
    const target = organizations.target(moved.id, 'install')!;
    await client.getIntegrationInstall(target, installToken, call()).catch(() => undefined);
    assert.deepEqual(authorizations(first), [`Bearer ${oldToken}`]);
    // Neither the old access token nor the session token of the old sign-in came along.
    assert.deepEqual(authorizations(second), [`Bearer ${newToken}`]);
  });

  it('that was replaced is not sent any more', async () => {
    const { store } = graph.services;
    await signIn('Acme', first, oldToken);
    await store.refreshAll();
    await signIn('Acme', first, newToken);
    first.clearRequests();
    await store.refreshAll();
    assert.deepEqual(authorizations(first), [`Bearer ${newToken}`]);
  });
});

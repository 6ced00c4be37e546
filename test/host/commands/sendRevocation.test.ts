import { strict as assert } from 'node:assert';
import { ApiError } from '../../../src/api/failure.js';
import type { RevocationOutcome } from '../../../src/api/send.js';
import { type RevocationTarget, revocationTarget } from '../../../src/commands/meant.js';
import { RevokeApiKey } from '../../../src/commands/revokeApiKey.js';
import { UserError } from '../../../src/host/actions.js';
import { DEFAULT_TOKEN } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { createGraph, type Graph } from './graph.js';
import { notificationsOf } from './quickInput.js';

const keyId = 'key_0123456789abcdef';

describe('a confirmed revocation', () => {
  let service: Service;
  let graph: Graph;
  let meant: RevocationTarget;
  let revocation: RevokeApiKey;
  let send: (keyId?: string) => Promise<RevocationOutcome>;

  beforeEach(async () => {
    service = await startService();
    service.data.apiKeys.add(keyId);
    graph = createGraph();
    const { organizations } = graph.services;
    const acme = await organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token: DEFAULT_TOKEN });
    meant = revocationTarget(organizations, acme)!;
    revocation = new RevokeApiKey(graph.services);
    send = (id = keyId) => revocation.send(meant, id);
  });
  afterEach(async () => {
    await graph.dispose();
    await service.stop();
  });

  const methods = () => service.requests.map(({ method, route }) => `${method} ${route.id}`);
  const lines = () => graph.lines.filter((line) => line.startsWith('Revocation'));

  it('is sent once, and logged with the key id shortened', async () => {
    assert.equal((await send()).kind, 'revoked');
    assert.deepEqual(methods(), [`DELETE ${keyId}`]);
    assert.equal(service.data.apiKeys.size, 0);
    assert.deepEqual(lines(), ['Revocation of API key key_…cdef in organization "Acme": revoked (204)']);
    assert.ok(!graph.lines.join('\n').includes(keyId));
  });

  it('says what came of it in a notification: the whole key ID, and a button', async () => {
    const said = await notificationsOf(async () => {
      for (const fault of [undefined, undefined, faults.status(503), faults.reset()]) {
        service.clearFaults();
        if (fault) service.fault('all', fault);
        await send();
      }
    });
    const key = `API key ${keyId} in Acme`;
    const may = `Outcome unknown: ${key} may have been revoked.`;
    const look = 'Look for the key in the dashboard, or revoke it again.';
    assert.deepEqual(said, [
      ['information', `Revoked ${key}.`, 'Show Log'],
      [
        'error',
        `${key} was not revoked. Not found (404). The key ID is probably unknown, or the key is already revoked. Check the key ID in the dashboard.`,
        'Show Log',
      ],
      ['error', `${may} Server error (503). ${look}`, 'Show Log'],
      ['error', `${may} Connection lost. ${look}`, 'Show Log'],
    ]);
    assert.equal(methods().length, 4, 'none was repeated');
    assert.deepEqual(
      lines().map((line) => line.replace(/^.*: /, '')),
      [
        'revoked (204)',
        'refused (404 notFound)',
        'outcome unknown (503 serverError)',
        'outcome unknown (connectionLost)',
      ],
    );
  });

  it('is not sent if the organization, its URL or its token changed', async () => {
    const { organizations } = graph.services;
    await organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token: 'another-token' });
    await assert.rejects(send(), UserError);
    await organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token: DEFAULT_TOKEN });
    const other = await organizations.signIn({ name: 'Other', baseUrl: service.baseUrl, token: DEFAULT_TOKEN });
    await assert.rejects(send(), UserError);
    await organizations.signOut(other.id);
    await organizations.use(meant.organization.id);
    await organizations.signOut(meant.organization.id);
    await assert.rejects(send(), UserError);
    assert.deepEqual(methods(), []);
  });

  it('is not sent if that changes while it waits for the end of a pause', async () => {
    const { organizations, client, store } = graph.services;
    service.fault('all', faults.retryAfter(60));
    const call = { signal: AbortSignal.timeout(5000), urgent: true };
    await assert.rejects(client.getDeploymentAuthorization(meant.target, 'dep_1', call), ApiError);
    assert.equal(store.cause?.kind, 'paused');
    service.clearFaults();
    service.clearRequests();
    const waiting = assert.rejects(send(), /Nothing was sent/);
    await organizations.signOut(meant.organization.id);
    await waiting;
    assert.deepEqual(methods(), []);
    assert.deepEqual(lines(), []);
  });

  it('is not sent a second time while the first is under way', async () => {
    service.fault('all', faults.hold());
    const first = send();
    await service.waitForRequests(1, { state: 'held' });
    const isRefused = (error: unknown) => error instanceof UserError && !error.message.includes(keyId);
    await assert.rejects(send(), isRefused);
    // The same server under another name may mean the same key.
    const { organizations } = graph.services;
    const other = await organizations.signIn({ name: 'Other', baseUrl: service.baseUrl, token: DEFAULT_TOKEN });
    await assert.rejects(revocation.send(revocationTarget(organizations, other)!, keyId), isRefused);
    await organizations.use(meant.organization.id);
    service.release();
    assert.equal((await first).kind, 'revoked');
    assert.deepEqual(methods(), [`DELETE ${keyId}`]);
    service.clearFaults();
    assert.equal((await send()).kind, 'refused', 'by hand, later');
  });
});

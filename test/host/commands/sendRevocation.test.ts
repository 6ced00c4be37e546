import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ApiError } from '../../../src/api/failure.js';
import type { RevocationOutcome } from '../../../src/api/send.js';
import { type RevocationTarget, revocationTarget } from '../../../src/commands/meant.js';
import { RevokeApiKey } from '../../../src/commands/revokeApiKey.js';
import { UserError } from '../../../src/host/actions.js';
import { DEFAULT_TOKEN } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { createGraph, type Graph } from './graph.js';

const keyId = 'key_0123456789abcdef';

describe('a confirmed revocation', () => {
  let service: Service;
  let graph: Graph;
  let meant: RevocationTarget;
  let send: (keyId?: string) => Promise<RevocationOutcome>;

  beforeEach(async () => {
    service = await startService();
    service.data.apiKeys.add(keyId);
    graph = createGraph();
    const { organizations } = graph.services;
    const acme = await organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token: DEFAULT_TOKEN });
    meant = revocationTarget(organizations, acme)!;
    const revocation = new RevokeApiKey(graph.services);
    send = (id = keyId) => revocation.send(meant, id);
  });
  afterEach(async () => {
    await graph.dispose();
    await service.stop();
    await vscode.commands.executeCommand('notifications.clearAll');
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
    const { window } = vscode;
    const { showInformationMessage, showErrorMessage } = window;
    const said: (readonly string[])[] = [];
    const hear =
      (kind: string) =>
      async (...texts: string[]) =>
        void said.push([kind, ...texts]);
    Object.assign(window, { showInformationMessage: hear('information'), showErrorMessage: hear('error') });
    try {
      await send();
      await send();
      service.fault('all', faults.status(503));
      await send();
    } finally {
      Object.assign(window, { showInformationMessage, showErrorMessage });
    }
    const key = `API key ${keyId} in Acme`;
    assert.deepEqual(said, [
      ['information', `Revoked ${key}.`, 'Show Log'],
      [
        'error',
        `${key} was not revoked. Not found (404). The key ID is probably unknown, or the key is already revoked. Check the key ID in the dashboard.`,
        'Show Log',
      ],
      [
        'error',
        `Outcome unknown: ${key} may have been revoked. Server error (503). Look for the key in the dashboard, or revoke it again.`,
        'Show Log',
      ],
    ]);
  });

  it('that is refused says so', async () => {
    assert.equal((await send('key_unknown_to_anybody')).kind, 'refused');
    assert.deepEqual(lines(), ['Revocation of API key key_…body in organization "Acme": refused (404 notFound)']);
  });

  it('without an answer has an unknown outcome, and is not repeated', async () => {
    for (const fault of [faults.reset(), faults.status(503)]) {
      service.clearFaults();
      service.fault('all', fault);
      service.clearRequests();
      assert.equal((await send()).kind, 'unknown');
      assert.equal(methods().length, 1);
    }
    assert.match(lines()[0]!, /outcome unknown/);
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
    await assert.rejects(send(), (error) => error instanceof UserError && !error.message.includes(keyId));
    service.release();
    assert.equal((await first).kind, 'revoked');
    assert.deepEqual(methods(), [`DELETE ${keyId}`]);
    service.clearFaults();
    assert.equal((await send()).kind, 'refused', 'by hand, later');
  });
});

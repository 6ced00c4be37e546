import { strict as assert } from 'node:assert';
import { DEFAULT_SESSION_TOKEN, healthy } from '../../support/service/data.js';
import { deploymentId, failureOf, type Harness, newCall, startHarness } from './harness.js';

const installToken = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const install = {
  expiresAt: '2026-11-20T12:00:00Z',
  label: 'Acme CRM',
  requiredPlan: 'pro',
  serviceId: 'crm',
  serviceName: 'CRM',
  serviceSub: 'T1',
};

describe('the three operations', () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness();
  });
  beforeEach(() => {
    harness.service.clearFaults();
    harness.service.clearRequests();
    harness.exchanges.length = 0;
  });
  after(() => harness.stop());

  it('read the authorization of a deployment', async () => {
    const { client, target, service, exchanges } = harness;
    const before = Date.now();
    const call = newCall();
    const answer = await client.getDeploymentAuthorization(target, deploymentId, call);
    assert.deepEqual(answer.value, healthy());
    assert.deepEqual(answer.decodeIssues, []);
    assert.equal(answer.decodeIssueCount, undefined);
    assert.ok(answer.receivedAt >= before && answer.receivedAt <= Date.now());
    assert.deepEqual(call.phases, [{ kind: 'connecting' }, { kind: 'sending' }]);
    const [request] = service.requests;
    assert.equal(request?.method, 'GET');
    assert.equal(request?.path, `/api/v1/deployments/${deploymentId}/authorization`);
    assert.equal(request?.headers.authorization, `Bearer ${target.token}`);
    assert.equal(request?.headers.accept, 'application/json');
    assert.equal(request?.body, '');
    const [exchange, ...more] = exchanges;
    assert.deepEqual(more, []);
    assert.deepEqual(
      { ...exchange, duration: 0 },
      {
        method: 'GET',
        template: '/deployments/{deploymentId}/authorization',
        host: new URL(target.baseUrl).host,
        status: 200,
        bytes: JSON.stringify(healthy()).length,
        duration: 0,
        attempts: 1,
      },
    );
  });

  it('read a pending installation with a session token', async () => {
    const { client, target, service, exchanges } = harness;
    service.putInstall(installToken, install);
    service.putToken(DEFAULT_SESSION_TOKEN, { kind: 'session' });
    const answer = await client.getIntegrationInstall(
      { ...target, token: DEFAULT_SESSION_TOKEN },
      installToken.toUpperCase(),
      newCall(true),
    );
    assert.deepEqual(answer.value, install);
    assert.equal(service.requests[0]?.path, `/api/v1/integration-installs/${installToken.toUpperCase()}`);
    assert.ok(!JSON.stringify(exchanges).toLowerCase().includes(installToken));
  });

  it('revoke a key', async () => {
    const { client, target, service, exchanges } = harness;
    service.putApiKey('key_1');
    const outcome = await client.deleteApiKey(target, 'key_1', newCall(true));
    assert.deepEqual(outcome, { kind: 'revoked', status: 204 });
    assert.ok(!service.data.apiKeys.has('key_1'));
    assert.equal(service.requests[0]?.method, 'DELETE');
    assert.equal(exchanges[0]?.template, '/api-keys/{keyId}');
    assert.ok(!JSON.stringify(exchanges).includes('key_1'));
  });

  it('send ids as one segment, untouched on the way', async () => {
    const { client, target, service } = harness;
    const ids = ['%2e%2e', 'a/../b', '..\\x', 'é?#', '\u0000', '😀 ', '...', ';a=1', "!*'()~"];
    for (const id of ids) {
      service.putDeployment(id, healthy());
      await client.getDeploymentAuthorization(target, id, newCall());
    }
    assert.deepEqual(
      service.requests.map(({ route }) => route.id),
      ids,
    );
    assert.equal(service.requests[0]?.path, '/api/v1/deployments/%252e%252e/authorization');
  });

  for (const [id, reason] of [
    ['', 'empty'],
    ['.', 'dotSegment'],
    ['..', 'dotSegment'],
    ['\ud800', 'loneSurrogate'],
  ] as const) {
    it(`refuse ${JSON.stringify(id)} before anything is sent`, async () => {
      const { client, target, service, exchanges } = harness;
      const failure = { kind: 'invalidId', reason };
      assert.deepEqual(await failureOf(client.getDeploymentAuthorization(target, id, newCall())), failure);
      assert.deepEqual(await failureOf(client.getIntegrationInstall(target, id, newCall())), failure);
      assert.deepEqual(await client.deleteApiKey(target, id, newCall()), { kind: 'notSent', failure });
      assert.deepEqual(service.requests, []);
      assert.deepEqual(exchanges, []);
    });
  }

  for (const token of ['', 'with\nbreak', 'with space', 'ü', '\u0000', 'tok…']) {
    it(`refuse the token ${JSON.stringify(token)}, which no header can hold`, async () => {
      const { client, target, service } = harness;
      const { hostname: host, port } = new URL(target.baseUrl);
      const cause = { step: 'network', code: 'ERR_INVALID_CHAR', host, port: Number(port) };
      const failure = { kind: 'unreachable', cause };
      const bad = { ...target, token };
      assert.deepEqual(await failureOf(client.getDeploymentAuthorization(bad, deploymentId, newCall())), failure);
      assert.deepEqual(await client.deleteApiKey(bad, 'key_1', newCall()), { kind: 'notSent', failure });
      assert.deepEqual(service.requests, []);
    });
  }

  it('end as a failure even with a base URL that is none', async () => {
    const { client, target } = harness;
    const bad = { ...target, baseUrl: 'nonsense' };
    assert.deepEqual(await failureOf(client.getDeploymentAuthorization(bad, deploymentId, newCall())), {
      kind: 'connectionLost',
      code: 'ERR_INVALID_URL',
    });
    assert.equal((await client.deleteApiKey(bad, 'key_1', newCall())).kind, 'notSent');
  });

  it('do not mind listeners that throw', async () => {
    const { target } = harness;
    const grumpy = await startHarness({
      onExchange: () => {
        throw new Error('listener');
      },
    });
    const call = {
      ...newCall(),
      onPhase: () => {
        throw new Error('listener');
      },
    };
    const other = { ...target, baseUrl: grumpy.target.baseUrl };
    const answer = await grumpy.client.getDeploymentAuthorization(other, deploymentId, call);
    assert.deepEqual(answer.value, healthy());
    await grumpy.stop();
  });

  it('reuse a connection for reads, and never for a revocation', async () => {
    const { client, target, service } = harness;
    await client.getDeploymentAuthorization(target, deploymentId, newCall());
    await client.getDeploymentAuthorization(target, deploymentId, newCall());
    await client.deleteApiKey(target, 'key_1', newCall());
    await client.deleteApiKey(target, 'key_1', newCall());
    await client.getDeploymentAuthorization(target, deploymentId, newCall());
    const [a, b, c, d, e] = service.requests.map(({ connection }) => connection);
    assert.equal(a, b);
    assert.equal(a, e);
    assert.equal(new Set([a, c, d]).size, 3);
    assert.equal(service.requests[2]?.headers.connection, 'close');
  });
});

import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { ApiError } from '../../../src/api/failure.js';
import { pathSegment } from '../../../src/api/send.js';
import { Slices } from '../../../src/model/slices.js';
import { DEFAULT_SESSION_TOKEN, healthy } from '../../support/service/data.js';
import { deploymentId, directConnector, failureOf, Harness, newCall, used } from './harness.js';

const installToken = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const install = { expiresAt: '2026-11-20T12:00:00Z', label: 'Acme CRM', requiredPlan: 'pro', serviceId: 'crm' };

describe('the three operations', () => {
  const harness = used(new Harness());

  it('read the authorization of a deployment', async () => {
    const { target, service, exchanges } = harness;
    const before = Date.now();
    const call = newCall();
    const { receivedAt, ...answer } = await harness.read(call);
    assert.deepEqual(answer, { value: healthy(), decodeIssues: [] });
    assert.ok(receivedAt >= before && receivedAt <= Date.now());
    assert.deepEqual(call.phases, [{ kind: 'connecting' }, { kind: 'sending' }]);
    const [request] = service.requests;
    assert.equal(`${request?.method} ${request?.path}`, `GET /api/v1/deployments/${deploymentId}/authorization`);
    assert.equal(request?.headers.authorization, `Bearer ${target.token}`);
    const [{ duration, ...exchange } = { duration: 0 }, ...more] = exchanges;
    assert.ok(duration > 0 && more.length === 0);
    assert.deepEqual(exchange, {
      method: 'GET',
      template: '/deployments/{deploymentId}/authorization',
      host: new URL(target.baseUrl).host,
      status: 200,
      failure: undefined,
      bytes: JSON.stringify(healthy()).length,
      attempts: 1,
    });
  });

  it('read a pending installation with a session token', async () => {
    const { target, service, exchanges } = harness;
    service.putInstall(installToken, { ...install, serviceName: 'CRM', serviceSub: 'T1' });
    service.putToken(DEFAULT_SESSION_TOKEN, { kind: 'session' });
    const session = { ...target, token: DEFAULT_SESSION_TOKEN };
    const answer = await harness.lookUp(newCall(true), session, installToken.toUpperCase());
    assert.deepEqual(answer.value, { ...install, serviceName: 'CRM', serviceSub: 'T1' });
    assert.equal(service.requests[0]?.path, `/api/v1/integration-installs/${installToken.toUpperCase()}`);
    assert.ok(!JSON.stringify(exchanges).toLowerCase().includes(installToken));
  });

  it('revoke a key', async () => {
    const { service, exchanges } = harness;
    assert.deepEqual(await harness.revoke(), { kind: 'revoked', status: 204 });
    assert.ok(!service.data.apiKeys.has('key_1'));
    assert.equal(service.requests[0]?.method, 'DELETE');
    assert.equal(exchanges[0]?.template, '/api-keys/{keyId}');
    assert.ok(!JSON.stringify(exchanges).includes('key_1'));
  });

  it('send ids as one segment, untouched on the way', async () => {
    const { service } = harness;
    for (const id of ['%2e%2e', 'a/../b?#', '\u0000😀 ']) {
      service.putDeployment(id, healthy());
      await harness.read(undefined, undefined, id);
      assert.equal(service.requests.at(-1)?.route.id, id);
    }
  });

  for (const [id, reason] of [
    ['', 'empty'],
    ['.', 'dotSegment'],
    ['..', 'dotSegment'],
    ['a\udc00b', 'loneSurrogate'],
  ] as const) {
    it(`refuse ${JSON.stringify(id)} before anything is sent`, async () => {
      const failure = { kind: 'invalidId', reason };
      assert.deepEqual(await failureOf(harness.read(undefined, undefined, id)), failure);
      assert.deepEqual(await harness.revoke(undefined, undefined, id), { kind: 'notSent', failure });
      assert.deepEqual([...harness.service.requests, ...harness.exchanges], []);
    });
  }

  for (const token of ['', 'with\nbreak', 'with space', 'ü']) {
    it(`refuse the token ${JSON.stringify(token)}, which no header can hold`, async () => {
      const bad = { ...harness.target, token };
      const { hostname: host, port } = new URL(bad.baseUrl);
      const cause = { step: 'network', code: 'ERR_INVALID_CHAR', host, port: Number(port) };
      const failure = { kind: 'unreachable', cause };
      assert.deepEqual(await failureOf(harness.read(undefined, bad)), failure);
      assert.deepEqual(await harness.revoke(undefined, bad), { kind: 'notSent', failure });
      assert.deepEqual(harness.service.requests, []);
    });
  }

  it('end as a failure even with a base URL that is none', async () => {
    const bad = { ...harness.target, baseUrl: 'nonsense' };
    const failure = { kind: 'connectionLost', code: 'ERR_INVALID_URL' };
    assert.deepEqual(await failureOf(harness.read(undefined, bad)), failure);
    assert.deepEqual(await harness.revoke(undefined, bad), { kind: 'notSent', failure });
  });

  it('do not mind listeners that throw', async () => {
    const grumpy = await new Harness({ onExchange: () => assert.fail() }).start();
    assert.deepEqual((await grumpy.read({ ...newCall(), onPhase: () => assert.fail() })).value, healthy());
    await grumpy.stop();
  });

  it('reuse a connection for reads, and never for a revocation', async () => {
    for (const send of [harness.read, harness.read, harness.revoke, harness.revoke, harness.read]) await send();
    const { requests } = harness.service;
    const [a, b, c, d, e] = requests.map(({ connection }) => connection);
    assert.deepEqual([b, e], [a, a]);
    assert.equal(new Set([a, c, d]).size, 3);
    assert.equal(requests[2]?.headers.connection, 'close');
  });

  it('give their place to the next request before their answer is read in its turn', async () => {
    const order: string[] = [];
    const answers = new Slices();
    const connector = directConnector();
    const own = await new Harness({
      inTurn: (work) => answers.finish(work),
      connector: {
        ...connector,
        exchange: (request) => {
          order.push(`sent ${request.path.split('/').at(-2)}`);
          return connector.exchange(request);
        },
      },
    }).start();
    own.service.putDeployment('dep_next', healthy());
    own.limits.maxConcurrentRequests = 1;
    const ids = [deploymentId, 'dep_next'];
    await Promise.all(ids.map((id) => own.read(undefined, undefined, id).then(() => order.push(`read ${id}`))));
    assert.deepEqual(order, [...ids.map((id) => `sent ${id}`), ...ids.map((id) => `read ${id}`)]);
    assert.equal(Math.max(...own.service.requests.map(({ inFlight }) => inFlight)), 1);
    await own.stop();
  });
});

it('an id in a path is one segment that a URL parser leaves alone, and the id again when decoded', () => {
  assert.equal(pathSegment('..%2f😀'), '..%252f%F0%9F%98%80');
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), (id) => {
      if (id === '.' || id === '..') {
        assert.throws(() => pathSegment(id), ApiError);
        return;
      }
      const segment = pathSegment(id);
      assert.equal(new URL(`https://host.example/api/v1/x/${segment}/y`).pathname, `/api/v1/x/${segment}/y`);
      assert.equal(decodeURIComponent(segment), id);
      assert.match(segment, /^[\x21-\x7e]+$/);
    }),
  );
});

import { strict as assert } from 'node:assert';
import { createServer } from 'node:net';
import { type Fault, faults } from '../../support/service/faults.js';
import { listen } from '../../support/service/listen.js';
import { type Harness, newCall, settle, startHarness } from './harness.js';

const keyId = 'key_4711_abcdef';

describe('a revocation', () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness({}, { data: { apiKeys: new Set([keyId]) } });
  });
  beforeEach(() => {
    harness.service.reset();
    harness.limits.requestTimeout = 5000;
    harness.limits.maxConcurrentRequests = 8;
  });
  after(() => harness.stop());

  const table: Record<string, [Fault, object]> = {
    '200 with a body that is cut': [
      { ...faults.status(200), cut: 3, body: 'x'.repeat(50) },
      { kind: 'revoked', status: 200 },
    ],
    '200 with headers and then nothing': [
      faults.raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n', 'open'),
      { kind: 'revoked', status: 200 },
    ],
    '200 with HTML': [faults.html(200), { kind: 'revoked', status: 200 }],
    '200 without end': [faults.endless(), { kind: 'revoked', status: 200 }],
    '299': [faults.noBody(299), { kind: 'revoked', status: 299 }],
    '202': [faults.status(202), { kind: 'unknown', status: 202 }],
    '302': [
      faults.redirect('https://elsewhere.example/x'),
      { kind: 'unknown', status: 302, failure: { kind: 'redirected', status: 302, host: 'elsewhere.example' } },
    ],
    '403': [
      faults.text(403, 'no'),
      { kind: 'refused', status: 403, failure: { kind: 'notPermitted', status: 403, excerpt: 'no' } },
    ],
    '404': [faults.noBody(404), { kind: 'refused', status: 404, failure: { kind: 'notFound', status: 404 } }],
    '409 with a body that never comes': [
      faults.raw('HTTP/1.1 409 Conflict\r\ncontent-length: 10\r\n\r\n', 'reset'),
      { kind: 'refused', status: 409, failure: { kind: 'clientError', status: 409 } },
    ],
    '500': [
      faults.text(500, 'oops'),
      { kind: 'unknown', status: 500, failure: { kind: 'serverError', status: 500, excerpt: 'oops' } },
    ],
    '503 with Retry-After': [
      { ...faults.retryAfter(1, 503), body: null },
      { kind: 'unknown', status: 503, failure: { kind: 'serverError', status: 503 } },
    ],
    '999': [
      faults.raw('HTTP/1.1 999 Denied\r\ncontent-length: 0\r\n\r\n'),
      { kind: 'unknown', status: 999, failure: { kind: 'serverError', status: 999 } },
    ],
    reset: [faults.reset('before'), { kind: 'unknown', failure: { kind: 'connectionLost', code: 'RESET' } }],
    'closed without a word': [faults.raw(''), { kind: 'unknown', failure: { kind: 'connectionLost', code: 'RESET' } }],
    'something else than HTTP': [
      faults.raw('220 smtp.example\r\n'),
      { kind: 'unknown', failure: { kind: 'connectionLost', code: 'HPE_INVALID' } },
    ],
    '100 and then 204': [faults.informational(100), { kind: 'revoked', status: 204 }],
    '100 and then a reset': [
      { informational: [100], reset: 'before' },
      { kind: 'unknown', failure: { kind: 'connectionLost', code: 'RESET' } },
    ],
  };
  for (const [name, [fault, outcome]] of Object.entries(table)) {
    it(`that is answered with ${name} is ${'kind' in outcome ? String(outcome.kind) : ''}, and sent once`, async () => {
      const { client, target, service } = harness;
      service.fault('all', fault);
      const actual = await client.deleteApiKey(target, keyId, newCall(true));
      // Which of these codes a reset has depends on who notices it first.
      const text = JSON.stringify(actual).replace(/ECONNRESET|UND_ERR_SOCKET|EPIPE/, 'RESET');
      assert.deepEqual(JSON.parse(text), outcome);
      await settle();
      assert.equal(service.requests.length, 1);
    });
  }

  it('that gets a 429 is refused, and the pause holds', async () => {
    const { client, target, service } = harness;
    service.fault('all', faults.retryAfter(3));
    const paused = { ...target, organizationId: 'paused' };
    const outcome = await client.deleteApiKey(paused, keyId, newCall(true));
    assert.equal(outcome.kind, 'refused');
    assert.ok(client.pausedUntil('paused'));
    const call = newCall(true);
    const second = client.deleteApiKey(paused, keyId, call);
    await settle();
    assert.equal(call.phases[0]?.kind, 'paused');
    call.cancel();
    assert.deepEqual(await second, { kind: 'notSent', failure: { kind: 'cancelled' } });
    assert.equal(service.requests.length, 1);
  });

  it('that runs out of time after it was sent has an unknown outcome', async () => {
    const { client, target, service, limits } = harness;
    limits.requestTimeout = 100;
    service.fault('all', faults.silent());
    const failure = { kind: 'timedOut', after: 100 };
    assert.deepEqual(await client.deleteApiKey(target, keyId, newCall(true)), { kind: 'unknown', failure });
  });

  it('that is cancelled after it was sent has an unknown outcome, and frees the connection', async () => {
    const { client, target, service } = harness;
    service.fault('all', faults.hold());
    const call = newCall(true);
    const outcome = client.deleteApiKey(target, keyId, call);
    await service.waitForRequests(1, { state: 'held' });
    call.cancel();
    assert.deepEqual(await outcome, { kind: 'unknown', failure: { kind: 'cancelled' } });
    await service.waitForRequests(1, { state: 'aborted' });
  });

  it('that is cancelled while it waits is not sent', async () => {
    const { client, target, service, limits } = harness;
    limits.maxConcurrentRequests = 1;
    service.fault('all', { ...faults.hold(), times: 1 });
    const first = client.deleteApiKey(target, keyId, newCall(true));
    await service.waitForRequests(1, { state: 'held' });
    const call = newCall(true);
    const second = client.deleteApiKey(target, keyId, call);
    assert.deepEqual(call.phases, [{ kind: 'waiting' }]);
    call.cancel();
    assert.deepEqual(await second, { kind: 'notSent', failure: { kind: 'cancelled' } });
    service.release();
    assert.equal((await first).kind, 'revoked');
    assert.equal(service.requests.length, 1);
  });

  it('that was cancelled before is not sent', async () => {
    const call = newCall(true);
    call.cancel();
    const outcome = await harness.client.deleteApiKey(harness.target, keyId, call);
    assert.deepEqual(outcome, { kind: 'notSent', failure: { kind: 'cancelled' } });
    assert.deepEqual(harness.service.requests, []);
  });

  it('to a port where nobody listens is not sent', async () => {
    const server = createServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    const target = { ...harness.target, baseUrl: `http://127.0.0.1:${port}/api/v1` };
    assert.deepEqual(await harness.client.deleteApiKey(target, keyId, newCall(true)), {
      kind: 'notSent',
      failure: { kind: 'unreachable', cause: { step: 'refused', code: 'ECONNREFUSED', host: '127.0.0.1', port } },
    });
  });

  for (const how of ['cancelled', 'timedOut'] as const) {
    it(`that is ${how} while TLS is being agreed on is not sent, and its connection is freed`, async () => {
      // Takes the connection and never says a word.
      let closed: (() => void) | undefined;
      const gone = new Promise<void>((resolve) => {
        closed = resolve;
      });
      let taken: (() => void) | undefined;
      const connected = new Promise<void>((resolve) => {
        taken = resolve;
      });
      const server = createServer((socket) => {
        socket.on('error', () => {}).on('close', () => closed?.());
        socket.resume();
        taken?.();
      });
      const target = { ...harness.target, baseUrl: `https://127.0.0.1:${await listen(server)}/api/v1` };
      harness.limits.requestTimeout = how === 'timedOut' ? 200 : 5000;
      const call = newCall(true);
      const outcome = harness.client.deleteApiKey(target, keyId, call);
      await connected;
      if (how === 'cancelled') {
        call.cancel();
      }
      const failure = how === 'cancelled' ? { kind: how } : { kind: how, after: 200 };
      assert.deepEqual(await outcome, { kind: 'notSent', failure });
      await gone;
      server.close();
    });
  }

  it('is next where one request is allowed, and interrupts none', async () => {
    const { client, target, service, limits } = harness;
    limits.maxConcurrentRequests = 1;
    service.putDeployment('d', { accounts: [], requirements: [] });
    service.fault({ operation: 'getDeploymentAuthorization' }, { ...faults.hold(), times: 1 });
    const bulk = Array.from({ length: 3 }, () => client.getDeploymentAuthorization(target, 'd', newCall()));
    await service.waitForRequests(1, { state: 'held' });
    const call = newCall(true);
    const revoking = client.deleteApiKey(target, keyId, call);
    await settle();
    assert.deepEqual(call.phases, [{ kind: 'waiting' }]);
    service.release();
    assert.equal((await revoking).kind, 'revoked');
    assert.equal((await Promise.all(bulk)).length, 3);
    assert.deepEqual(
      service.requests.map(({ method, state }) => `${method} ${state}`),
      ['GET answered', 'DELETE answered', 'GET answered', 'GET answered'],
    );
  });
});

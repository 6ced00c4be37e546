import { strict as assert } from 'node:assert';
import { type Fault, faults } from '../../support/service/faults.js';
import { closedPort, Harness, newCall, settle, used } from './harness.js';

const lost = (code: string) => ({ kind: 'unknown', failure: { kind: 'connectionLost', code } });
const revoked = (status: number) => ({ kind: 'revoked', status });
const failed = (kind: string, status: number, failure: object) => ({ kind, status, failure: { ...failure, status } });

describe('a revocation', () => {
  const harness = used(new Harness());

  const table: Record<string, [Fault, { kind: string }]> = {
    '200 with a body that is cut': [{ ...faults.status(200), cut: 3, body: 'x'.repeat(50) }, revoked(200)],
    '200 and then nothing': [faults.raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n', 'open'), revoked(200)],
    '299': [faults.noBody(299), revoked(299)],
    '202': [faults.status(202), { ...revoked(202), kind: 'unknown' }],
    '302': [
      faults.redirect('https://elsewhere.example/x'),
      failed('unknown', 302, { kind: 'redirected', host: 'elsewhere.example' }),
    ],
    '403': [faults.text(403, 'no'), failed('refused', 403, { kind: 'notPermitted', excerpt: 'no' })],
    '409 with a body that never comes': [
      faults.raw('HTTP/1.1 409 Conflict\r\ncontent-length: 10\r\n\r\n', 'reset'),
      failed('refused', 409, { kind: 'clientError' }),
    ],
    '500': [faults.text(500, 'oops'), failed('unknown', 500, { kind: 'serverError', excerpt: 'oops' })],
    '999': [
      faults.raw('HTTP/1.1 999 Denied\r\ncontent-length: 0\r\n\r\n'),
      failed('unknown', 999, { kind: 'serverError' }),
    ],
    reset: [faults.reset('before'), lost('RESET')],
    'something else than HTTP': [faults.raw('220 smtp.example\r\n'), lost('HPE_INVALID')],
  };
  for (const [name, [fault, outcome]] of Object.entries(table)) {
    it(`that is answered with ${name} is ${outcome.kind}, and sent once`, async () => {
      // More than this test may take: nothing waits for a body that does not count.
      harness.limits.requestTimeout = 60_000;
      harness.service.fault('all', fault);
      // Which of these codes a reset has depends on who notices it first.
      const text = JSON.stringify(await harness.revoke()).replace(/ECONNRESET|UND_ERR_SOCKET|EPIPE/, 'RESET');
      assert.deepEqual(JSON.parse(text), outcome);
      await settle();
      assert.equal(harness.service.requests.length, 1);
    });
  }

  it('that gets a 429 is refused, and the pause holds', async () => {
    const { client, service } = harness;
    service.fault('all', faults.retryAfter(3));
    const paused = { ...harness.target, organizationId: 'paused' };
    assert.equal((await harness.revoke(undefined, paused)).kind, 'refused');
    assert.ok(client.pausedUntil('paused'));
    const call = newCall(true);
    const second = harness.revoke(call, paused);
    await settle();
    assert.equal(call.phases[0]?.kind, 'paused');
    call.cancel();
    assert.deepEqual(await second, { kind: 'notSent', failure: { kind: 'cancelled' } });
    assert.equal(service.requests.length, 1);
  });

  it('that runs out of time after it was sent has an unknown outcome', async () => {
    harness.limits.requestTimeout = 100;
    harness.service.fault('all', faults.silent());
    assert.deepEqual(await harness.revoke(), { kind: 'unknown', failure: { kind: 'timedOut', after: 100 } });
  });

  it('that is cancelled after it was sent has an unknown outcome, and frees the connection', async () => {
    harness.service.fault('all', faults.hold());
    const call = newCall();
    const outcome = harness.revoke(call);
    await harness.service.waitForRequests(1, { state: 'held' });
    call.cancel();
    assert.deepEqual(await outcome, { kind: 'unknown', failure: { kind: 'cancelled' } });
    await harness.service.waitForRequests(1, { state: 'aborted' });
  });

  it('that is cancelled while it waits, or was before, is not sent', async () => {
    const { service, limits } = harness;
    const notSent = { kind: 'notSent', failure: { kind: 'cancelled' } };
    limits.maxConcurrentRequests = 1;
    service.fault('all', { ...faults.hold(), times: 1 });
    const first = harness.revoke();
    await service.waitForRequests(1, { state: 'held' });
    const call = newCall(true);
    const second = harness.revoke(call);
    assert.deepEqual(call.phases, [{ kind: 'waiting' }]);
    call.cancel();
    assert.deepEqual(await second, notSent);
    assert.deepEqual(await harness.revoke(call), notSent);
    service.release();
    assert.equal((await first).kind, 'revoked');
    assert.equal(service.requests.length, 1);
  });

  it('to a port where nobody listens is not sent', async () => {
    const port = await closedPort();
    const target = { ...harness.target, baseUrl: `http://127.0.0.1:${port}/api/v1` };
    assert.deepEqual(await harness.revoke(undefined, target), {
      kind: 'notSent',
      failure: { kind: 'unreachable', cause: { step: 'refused', code: 'ECONNREFUSED', host: '127.0.0.1', port } },
    });
  });

  it('is next where one request is allowed, even if nobody calls it urgent, and interrupts none', async () => {
    const { service, limits } = harness;
    limits.maxConcurrentRequests = 1;
    service.putDeployment('d', { accounts: [], requirements: [] });
    service.fault({ operation: 'getDeploymentAuthorization' }, { ...faults.hold(), times: 1 });
    const bulk = Array.from({ length: 3 }, () => harness.read(undefined, undefined, 'd'));
    await service.waitForRequests(1, { state: 'held' });
    const call = newCall();
    const revoking = harness.revoke(call);
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

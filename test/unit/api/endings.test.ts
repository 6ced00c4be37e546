import { strict as assert } from 'node:assert';
import { faults } from '../../support/service/faults.js';
import { deploymentId, failureOf, Harness, newCall, settle, startSilentServer, used } from './harness.js';

/** Never long enough, unless the signal comes. */
function delay(_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error(''))));
}

describe('a read', () => {
  const harness = used(new Harness({ delay }));

  for (const [when, fault, state] of [
    ['while the service thinks', faults.silent(), 'aborted'],
    ['in the middle of its body', faults.drip(1, 50), 'aborted'],
    ['between two attempts', faults.status(503), 'answered'],
  ] as const) {
    it(`that is cancelled ${when} ends at once, and frees the connection`, async () => {
      harness.service.fault('all', fault);
      const call = newCall();
      const reading = failureOf(harness.read(call));
      await harness.service.waitForRequests(1);
      await settle();
      call.cancel();
      assert.deepEqual(await reading, { kind: 'cancelled' });
      await harness.service.waitForRequests(1, { state });
      assert.equal(harness.service.requests.length, 1);
    });
  }

  it('that drips ends with the time-out, or is refused all the same', async () => {
    harness.limits.requestTimeout = 150;
    const drip = { ...faults.drip(1, 20), body: 'no way, really not' };
    harness.service.fault('all', drip);
    assert.deepEqual(await failureOf(harness.read()), { kind: 'timedOut', after: 150 });
    await harness.service.waitForRequests(1, { state: ['aborted', 'broken'] });
    harness.service.fault('all', { ...drip, status: 403 });
    assert.equal((await failureOf(harness.read())).kind, 'notPermitted');
  });

  it('has its time from leaving the queue', async () => {
    harness.limits.requestTimeout = 1200;
    harness.limits.maxConcurrentRequests = 1;
    harness.service.fault('all', { latency: 450 });
    assert.equal((await Promise.all([harness.read(), harness.read(), harness.read()])).length, 3);
  });

  it('or a revocation ends while it is connecting with the time-out or when cancelled, is not sent, and frees the connection', async () => {
    const { port, sockets, stop } = await startSilentServer();
    const target = { ...harness.target, baseUrl: `https://127.0.0.1:${port}/api/v1` };
    harness.limits.requestTimeout = 150;
    const late = { kind: 'timedOut', after: 150 };
    assert.deepEqual(await failureOf(harness.read(undefined, target)), late);
    assert.deepEqual(await harness.revoke(undefined, target), { kind: 'notSent', failure: late });
    while (sockets.size > 0) await settle(5);
    harness.limits.requestTimeout = 5000;
    const call = newCall(true);
    const reading = failureOf(harness.read(call, target));
    const revoking = harness.revoke(call, target);
    while (sockets.size < 2) await settle(5);
    call.cancel();
    assert.deepEqual(await reading, { kind: 'cancelled' });
    assert.deepEqual(await revoking, { kind: 'notSent', failure: { kind: 'cancelled' } });
    while (sockets.size > 0) await settle(5);
    stop();
  });

  it('that a person asked for is not held up by a hung refresh, which takes more places as soon as there are more', async () => {
    const { service, limits, client } = harness;
    service.putDeployment('urgent', { accounts: [], requirements: [] });
    service.fault({ id: deploymentId }, faults.hold());
    const bulk = Array.from({ length: 12 }, () => harness.read());
    await service.waitForRequests(7);
    const urgent = await harness.read(newCall(true), undefined, 'urgent');
    assert.deepEqual(urgent.value, { accounts: [], requirements: [] });
    assert.equal(service.requests.length, 8);
    limits.maxConcurrentRequests = 64;
    client.limitsChanged();
    await service.waitForRequests(13);
    service.release();
    await Promise.all(bulk);
  });

  it('ends as cancelled when the client is closed, waiting or not', async () => {
    const own = await new Harness().start();
    own.limits.maxConcurrentRequests = 1;
    own.service.fault('all', faults.silent());
    const failures = [failureOf(own.read()), failureOf(own.read())];
    await own.service.waitForRequests(1);
    await own.client.close();
    failures.push(failureOf(own.read()));
    assert.deepEqual(new Set((await Promise.all(failures)).map(({ kind }) => kind)), new Set(['cancelled']));
    await own.stop();
  });

  it('of 500 at once is answered each', async () => {
    await Promise.all(Array.from({ length: 500 }, () => harness.read()));
    assert.ok(harness.service.requests.every(({ inFlight }) => inFlight <= 8));
    assert.ok(new Set(harness.service.requests.map(({ connection }) => connection)).size <= 16);
  });
});

import { strict as assert } from 'node:assert';
import { createServer, type Socket } from 'node:net';
import { healthy } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { listen } from '../../support/service/listen.js';
import { deploymentId, failureOf, type Harness, newCall, settle, startHarness } from './harness.js';

describe('a read', () => {
  let harness: Harness;
  before(async () => {
    harness = await startHarness({ delay: (ms, signal) => waitUntilAborted(signal, ms) });
  });
  beforeEach(() => {
    harness.service.reset();
    harness.service.putDeployment(deploymentId, healthy());
    harness.limits.requestTimeout = 5000;
    harness.limits.maxConcurrentRequests = 8;
  });
  after(() => harness.stop());

  const read = (call = newCall(), id = deploymentId) =>
    harness.client.getDeploymentAuthorization(harness.target, id, call);

  it('that is cancelled while the service thinks ends at once, and frees the connection', async () => {
    harness.service.fault('all', faults.silent());
    const call = newCall();
    const reading = failureOf(read(call));
    await harness.service.waitForRequests(1);
    call.cancel();
    assert.deepEqual(await reading, { kind: 'cancelled' });
    await harness.service.waitForRequests(1, { state: 'aborted' });
  });

  it('that is cancelled in the middle of its body ends at once, and frees the connection', async () => {
    harness.service.fault('all', faults.drip(1, 50));
    const call = newCall();
    const reading = failureOf(read(call));
    await harness.service.waitForRequests(1);
    await settle();
    call.cancel();
    assert.deepEqual(await reading, { kind: 'cancelled' });
    await harness.service.waitForRequests(1, { state: 'aborted' });
  });

  it('that is cancelled between two attempts ends at once', async () => {
    harness.service.fault('all', faults.status(503));
    const call = newCall();
    const reading = failureOf(read(call));
    await harness.service.waitForRequests(1, { state: 'answered' });
    await settle();
    call.cancel();
    assert.deepEqual(await reading, { kind: 'cancelled' });
    assert.equal(harness.service.requests.length, 1);
  });

  it('that is cancelled while it waits sends nothing', async () => {
    harness.limits.maxConcurrentRequests = 1;
    harness.service.fault('all', faults.hold());
    const first = read();
    await harness.service.waitForRequests(1);
    const call = newCall();
    const second = failureOf(read(call));
    call.cancel();
    assert.deepEqual(await second, { kind: 'cancelled' });
    harness.service.release();
    await first;
    assert.equal(harness.service.requests.length, 1);
  });

  it('that was cancelled before sends nothing', async () => {
    const call = newCall();
    call.cancel();
    assert.deepEqual(await failureOf(read(call)), { kind: 'cancelled' });
    assert.deepEqual(harness.service.requests, []);
  });

  for (const [name, fault] of Object.entries({
    'is not answered': faults.silent(),
    'gets headers only': faults.raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n', 'open'),
    'gets half a status line': faults.raw('HTTP/1.1 2', 'open'),
    drips: faults.drip(1, 20),
    'gets informational answers only': { informational: [102, 103], silent: true },
  })) {
    it(`that ${name} ends with the time-out`, async () => {
      harness.limits.requestTimeout = 150;
      harness.service.fault('all', fault);
      assert.deepEqual(await failureOf(read()), { kind: 'timedOut', after: 150 });
      await harness.service.waitForRequests(1, { state: ['aborted', 'broken'] });
    });
  }

  it('that is refused by a body which never ends is refused all the same', async () => {
    harness.limits.requestTimeout = 150;
    harness.service.fault('all', { ...faults.drip(1, 50), status: 403, body: 'no way, really not' });
    const failure = await failureOf(read());
    assert.equal(failure.kind, 'notPermitted');
  });

  it('has its time from leaving the queue', async () => {
    harness.limits.requestTimeout = 1500;
    harness.limits.maxConcurrentRequests = 1;
    harness.service.fault('all', faults.latency(600));
    const answers = await Promise.all([read(), read(), read()]);
    assert.equal(answers.length, 3);
  });

  it('has one time for all its attempts', async () => {
    const { client, target, service, limits } = harness;
    limits.requestTimeout = 1500;
    service.fault('all', faults.retryAfter(2, 503));
    const failure = await failureOf(client.getDeploymentAuthorization(target, deploymentId, newCall()));
    // No room for a delay of two seconds.
    assert.equal(failure.kind, 'serverError');
    assert.equal(service.requests.length, 1);
  });

  it('while it is connecting ends with the time-out or when cancelled, and frees the connection', async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      socket.resume();
    });
    // TLS is never agreed on.
    const target = { ...harness.target, baseUrl: `https://127.0.0.1:${await listen(server)}/api/v1` };
    harness.limits.requestTimeout = 150;
    const slow = harness.client.getDeploymentAuthorization(target, deploymentId, newCall());
    assert.deepEqual(await failureOf(slow), { kind: 'timedOut', after: 150 });
    harness.limits.requestTimeout = 5000;
    const call = newCall();
    const cancelled = failureOf(harness.client.getDeploymentAuthorization(target, deploymentId, call));
    while (sockets.size === 0) {
      await settle(5);
    }
    call.cancel();
    assert.deepEqual(await cancelled, { kind: 'cancelled' });
    while (sockets.size > 0) {
      await settle(5);
    }
    server.close();
  });

  for (const max of [2, 8]) {
    it(`that a person asked for is not held up by a hung refresh with ${max} at a time`, async () => {
      const { service, limits } = harness;
      limits.maxConcurrentRequests = max;
      service.putDeployment('urgent', { accounts: [], requirements: [] });
      service.fault({ id: deploymentId }, faults.hold());
      const bulk = Array.from({ length: 12 }, () => read());
      await service.waitForRequests(max - 1);
      assert.deepEqual((await read(newCall(true), 'urgent')).value, { accounts: [], requirements: [] });
      service.clearFaults();
      const releasing = setInterval(() => service.release(), 5);
      assert.equal((await Promise.all(bulk)).length, 12);
      clearInterval(releasing);
      assert.ok(service.requests.every(({ inFlight }) => inFlight <= max));
    });
  }

  it('that runs is never interrupted for a person, who is next where one is allowed at a time', async () => {
    const { service, limits } = harness;
    limits.maxConcurrentRequests = 1;
    service.putDeployment('urgent', { accounts: [], requirements: [] });
    service.fault({ id: deploymentId }, faults.hold());
    const [first, second] = [read(), read()];
    await service.waitForRequests(1, { state: 'held' });
    const urgent = read(newCall(true), 'urgent');
    await settle();
    service.clearFaults();
    service.release();
    await Promise.all([first, second, urgent]);
    assert.deepEqual(
      service.requests.map(({ route, state }) => `${route.id} ${state}`),
      [`${deploymentId} answered`, 'urgent answered', `${deploymentId} answered`],
    );
  });

  it('ends as cancelled when the client is closed, waiting or not', async () => {
    const own = await startHarness();
    own.limits.maxConcurrentRequests = 1;
    own.service.fault('all', faults.silent());
    const failures = [newCall(), newCall()].map((call) =>
      failureOf(own.client.getDeploymentAuthorization(own.target, deploymentId, call)),
    );
    await own.service.waitForRequests(1);
    await own.client.close();
    assert.deepEqual(await Promise.all(failures), [{ kind: 'cancelled' }, { kind: 'cancelled' }]);
    const late = own.client.getDeploymentAuthorization(own.target, deploymentId, newCall());
    assert.deepEqual(await failureOf(late), { kind: 'cancelled' });
    await own.stop();
  });

  it('takes more places as soon as there are more', async () => {
    const { service, limits, client } = harness;
    limits.maxConcurrentRequests = 1;
    service.fault('all', faults.hold());
    const reads = Array.from({ length: 4 }, () => read());
    await service.waitForRequests(1);
    limits.maxConcurrentRequests = 5;
    client.limitsChanged();
    await service.waitForRequests(4);
    service.release();
    await Promise.all(reads);
  });

  it('of 500 at once is answered each', async () => {
    const call = newCall();
    const answers = await Promise.all(Array.from({ length: 500 }, () => read(call)));
    assert.equal(answers.length, 500);
    assert.ok(harness.service.requests.every(({ inFlight }) => inFlight <= 8));
    assert.ok(new Set(harness.service.requests.map(({ connection }) => connection)).size <= 16);
  });
});

function waitUntilAborted(signal: AbortSignal, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(new Error('aborted'));
    });
  });
}

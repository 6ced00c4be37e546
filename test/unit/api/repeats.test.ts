import { strict as assert } from 'node:assert';
import { healthy } from '../../support/service/data.js';
import { type Fault, faults } from '../../support/service/faults.js';
import { failureOf, Harness, newCall, settle, used } from './harness.js';

describe('a read is repeated', () => {
  let delays: number[];
  const delay = async (ms: number) => void delays.push(Math.round(ms));
  const harness = used(new Harness({ delay, random: () => 0.5 }));
  beforeEach(() => {
    delays = [];
  });

  const read = (organizationId = 'org_1', call = newCall()) =>
    harness.read(call, { ...harness.target, organizationId });

  const worth: Record<string, Fault> = {
    'a 502': faults.html(502),
    'a 504': faults.noBody(504),
    'a reset': faults.reset('before'),
    'a body that was cut': faults.cut(20),
    'a body that was cut without a length': faults.raw('HTTP/1.1 200 OK\r\n\r\n{"accounts":[],"requ'),
    'gzip that was cut': {
      body: Buffer.from('1f8b0800000000000003ab56', 'hex'),
      headers: { 'content-encoding': 'gzip' },
    },
  };
  for (const [name, fault] of Object.entries(worth)) {
    it(`after ${name}, at most twice`, async () => {
      harness.service.fault('all', { ...fault, times: 2 });
      assert.deepEqual((await read()).value, healthy());
      assert.deepEqual(delays, [300, 600]);
      assert.equal(harness.exchanges[0]?.attempts, 3);
      harness.service.clearRequests();
      harness.service.fault('all', fault);
      await failureOf(read());
      assert.equal(harness.service.requests.length, 3);
    });
  }

  const notWorth: Record<string, Fault> = {
    'a 500': faults.status(500),
    'a 505': faults.status(505),
    'a redirect': faults.redirect('https://elsewhere.example/'),
    'what is no JSON': faults.html(200),
    'what is not HTTP': faults.raw('220 smtp.example\r\n'),
  };
  for (const [name, fault] of Object.entries(notWorth)) {
    it(`not after ${name}`, async () => {
      harness.service.fault('all', fault);
      await failureOf(read());
      assert.equal(harness.service.requests.length, 1);
    });
  }

  it('as late as a 503 asks for, if the time-out leaves room for that', async () => {
    harness.service.fault('all', { ...faults.retryAfter(2, 503), times: 1 });
    assert.deepEqual((await read()).value, healthy());
    assert.deepEqual(delays, [2000]);
    harness.service.fault('all', faults.retryAfter(6, 503));
    assert.equal((await failureOf(read())).kind, 'serverError');
    assert.deepEqual(delays, [2000]);
  });

  it('and gives its place back while it waits as long as it was asked to', async () => {
    const resting: (() => void)[] = [];
    const own = await new Harness({ delay: () => new Promise((resolve) => resting.push(resolve)) }).start();
    own.limits.maxConcurrentRequests = 1;
    own.service.putDeployment('other', {});
    own.service.fault('all', { ...faults.retryAfter(3, 503), times: 1 });
    const call = newCall();
    const repeated = own.read(call);
    await own.service.waitForRequests(1, { state: 'answered' });
    while (resting.length === 0) await settle(1);
    await failureOf(own.read(undefined, undefined, 'other'));
    assert.equal(call.phases.at(-1)?.kind, 'waiting');
    resting[0]!();
    assert.deepEqual((await repeated).value, healthy());
    assert.equal(own.exchanges.at(-1)?.attempts, 2);
    await own.stop();
  });

  it('after a 429, when the pause is over; waiting does not count', async () => {
    // The pause is longer than half of it: twice would be too much.
    harness.limits.requestTimeout = 1700;
    harness.service.fault('all', { ...faults.retryAfter(1), times: 1 });
    const call = newCall();
    const other = newCall();
    const answer = read('limited', call);
    await harness.service.waitForRequests(1, { state: 'answered' });
    await settle();
    const until = harness.client.pausedUntil('limited');
    assert.ok(until !== undefined);
    assert.deepEqual(call.phases, [{ kind: 'connecting' }, { kind: 'sending' }, { kind: 'paused', until }]);
    const waiting = read('limited', other);
    assert.deepEqual(other.phases, [{ kind: 'paused', until }]);
    // Another organization is not held.
    assert.deepEqual((await read('elsewhere')).value, healthy());
    assert.equal(harness.client.pausedUntil('limited'), until);
    assert.deepEqual((await answer).value, healthy());
    assert.deepEqual((await waiting).value, healthy());
    assert.equal(harness.client.pausedUntil('limited'), undefined);
    harness.service.fault('all', { ...faults.retryAfter(1), latency: 100, times: 2 });
    assert.deepEqual((await read('limited')).value, healthy());
    // After a good answer it is the first one again.
    harness.service.fault('all', faults.status(429));
    const failure = await failureOf(read('limited'));
    assert.ok(failure.kind === 'rateLimited' && failure.until - Date.now() < 5_500);
  });

  it('not after a 429 that asks for more than the time-out', async () => {
    harness.service.fault('all', { ...faults.retryAfter(60), body: 'slow down' });
    const now = Date.now();
    const failure = await failureOf(read('slow'));
    assert.ok(failure.kind === 'rateLimited');
    assert.ok(failure.until >= now + 60_000 && failure.until <= Date.now() + 60_250);
    assert.equal(failure.excerpt, 'slow down');
    assert.equal(harness.client.pausedUntil('slow'), failure.until);
    assert.equal(harness.service.requests.length, 1);
  });
});

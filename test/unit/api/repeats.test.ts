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

  const table: Record<string, [fault: Fault, isWorth: boolean]> = {
    'a 502': [faults.html(502), true],
    'a 504': [faults.noBody(504), true],
    'a reset': [faults.reset('before'), true],
    'a body that was cut': [{ cut: 20 }, true],
    'a body that was cut without a length': [faults.raw('HTTP/1.1 200 OK\r\n\r\n{"accounts":[],"requ'), true],
    'a 500': [faults.status(500), false],
    'a 505': [faults.status(505), false],
    'a redirect': [faults.redirect('https://elsewhere.example/'), false],
    'what is no JSON': [faults.html(200), false],
    'what is not HTTP': [faults.raw('220 smtp.example\r\n'), false],
  };
  for (const [name, [fault, isWorth]] of Object.entries(table)) {
    it(`${isWorth ? 'at most twice' : 'not'} after ${name}`, async () => {
      harness.service.fault('all', fault);
      await failureOf(read());
      assert.deepEqual(delays, isWorth ? [300, 600] : []);
      assert.equal(harness.service.requests.length, isWorth ? 3 : 1);
    });
  }

  it('as late as a 503 asks for, if the time-out leaves room for that', async () => {
    harness.service.fault('all', { ...faults.retryAfter(2, 503), times: 1 });
    assert.deepEqual((await read()).value, healthy());
    assert.equal(harness.exchanges[0]?.attempts, 2);
    harness.service.fault('all', faults.retryAfter(6, 503));
    assert.equal((await failureOf(read())).kind, 'serverError');
    assert.deepEqual(delays, [2000]);
  });

  it('and gives its place back while it waits as long as it was asked to', async () => {
    const resting: (() => void)[] = [];
    const own = await new Harness({ delay: () => new Promise((resolve) => resting.push(resolve)) }).start();
    own.limits.maxConcurrentRequests = 1;
    own.service.fault('all', { ...faults.retryAfter(3, 503), times: 1 });
    const call = newCall();
    const repeated = own.read(call);
    while (resting.length === 0) await settle(1);
    await own.read();
    assert.equal(call.phases.at(-1)?.kind, 'waiting');
    resting[0]!();
    assert.deepEqual((await repeated).value, healthy());
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
    const { until, ...failure } = { until: 0, ...(await failureOf(read('slow'))) };
    assert.deepEqual(failure, { kind: 'rateLimited', status: 429, excerpt: 'slow down' });
    assert.ok(until >= now + 60_000 && until <= Date.now() + 60_250);
    assert.equal(harness.client.pausedUntil('slow'), until);
    assert.equal(harness.service.requests.length, 1);
  });
});

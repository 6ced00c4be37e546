import { strict as assert } from 'node:assert';
import type { Call, ConnectionStep, Phase } from '../../../src/api/call.js';
import { healthy } from '../../support/platform/data.js';
import { type Fault, faults } from '../../support/platform/faults.js';
import {
  deploymentId,
  failureOf,
  Harness,
  newCall,
  settle,
  soon,
  startSilentServer,
  used,
} from './harness.js';

const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';

/** Never long enough, unless the signal comes. */
function untilStopped(_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error(''))));
}

describe('a read', () => {
  const harness = used(new Harness({ delay: untilStopped }));

  for (const [when, fault, state] of [
    ['while the platform thinks', faults.silent(), 'aborted'],
    ['in the middle of its body', faults.drip(1, 50), 'aborted'],
    ['between two attempts', faults.status(503), 'answered'],
  ] as const) {
    it(`that is cancelled ${when} ends at once, and frees the connection`, async () => {
      harness.platform.fault('all', fault);
      const call = newCall();
      const reading = failureOf(harness.read(call));
      await harness.platform.waitForRequests(1);
      await settle();
      call.cancel();
      assert.deepEqual(await reading, { kind: 'cancelled' });
      await harness.platform.waitForRequests(1, { state });
      assert.equal(harness.platform.requests.length, 1);
    });
  }

  it('has the whole time-out from leaving the queue', async () => {
    harness.limits.requestTimeout = 1200;
    harness.limits.maxConcurrentRequests = 1;
    harness.platform.fault('all', { latency: 450 });
    assert.equal((await Promise.all([harness.read(), harness.read(), harness.read()])).length, 3);
  });

  it('or a revocation ends while it is connecting with the time-out or when cancelled, is not sent, and frees the connection', async () => {
    const { port, sockets, stop } = await startSilentServer();
    const target = { ...harness.target, baseUrl: `https://127.0.0.1:${port}/api/v1` };
    harness.limits.requestTimeout = 150;
    const timedOut = { kind: 'timedOut', after: 150 };
    assert.deepEqual(await failureOf(harness.read(undefined, target)), timedOut);
    assert.deepEqual(await harness.revoke(undefined, target), {
      kind: 'notSent',
      failure: timedOut,
    });
    while (sockets.size > 0) await settle(5);
    harness.limits.requestTimeout = 5000;
    const call = newCall();
    const reading = failureOf(harness.read(call, target));
    while (sockets.size === 0) await settle(5);
    call.cancel();
    assert.deepEqual(await reading, { kind: 'cancelled' });
    while (sockets.size > 0) await settle(5);
    stop();
  });

  it('that the user asked for is not held up by a hung refresh', async () => {
    const { platform } = harness;
    platform.putDeployment('urgent', { accounts: [], requirements: [] });
    platform.fault({ id: deploymentId }, faults.hold());
    const bulk = Array.from({ length: 12 }, () => harness.read());
    await platform.waitForRequests(8);
    const urgent = await harness.read(newCall(true), undefined, 'urgent');
    assert.deepEqual(urgent.value, { accounts: [], requirements: [] });
    assert.equal(platform.requests.length, 9);
    platform.clearFaults();
    platform.release();
    await Promise.all(bulk);
  });

  it('ends as cancelled when the client is closed, waiting or not', async () => {
    const own = await new Harness().start();
    own.limits.maxConcurrentRequests = 1;
    own.platform.fault('all', faults.silent());
    const failures = [failureOf(own.read()), failureOf(own.read())];
    await own.platform.waitForRequests(1);
    await own.sender.close();
    failures.push(failureOf(own.read()));
    assert.deepEqual(
      new Set((await Promise.all(failures)).map(({ kind }) => kind)),
      new Set(['cancelled']),
    );
    await own.stop();
  });
});

function cancelledAt(kind: Phase['kind']): Call {
  const call = newCall(true);
  const onPhase = (phase: Phase): void => void (phase.kind === kind && call.cancel());
  return { ...call, onPhase };
}

describe('a request that one of its own listeners cancels', () => {
  const harness = used(new Harness());
  /** Its name is resolved before a connection is opened. */
  const target = () => ({
    ...harness.target,
    baseUrl: harness.platform.baseUrl.replace('127.0.0.1', 'localhost'),
  });
  beforeEach(() => {
    harness.names = { localhost: ['127.0.0.1'] };
  });

  for (const kind of ['waiting', 'connecting', 'sending'] as const) {
    it(`ends as cancelled and is not sent when it is ${kind}`, async () => {
      assert.deepEqual(await failureOf(harness.read(cancelledAt(kind), target())), {
        kind: 'cancelled',
      });
      await settle();
      assert.deepEqual(harness.platform.requests, []);
    });

    it(`is known not to be sent when it is a revocation that is ${kind}`, async () => {
      const outcome = await harness.revoke(cancelledAt(kind), target());
      assert.deepEqual(outcome, { kind: 'notSent', failure: { kind: 'cancelled' } });
    });
  }

  for (const kind of ['waiting', 'connecting'] as const) {
    it(`opens no connection and is not logged when it is ${kind}`, async () => {
      await failureOf(harness.read(cancelledAt(kind), target()));
      assert.deepEqual([harness.resolved, harness.entries], [[], []]);
    });
  }

  it('leaves no connection behind when it is open', async () => {
    const { port, sockets, stop } = await startSilentServer();
    const silent = { ...harness.target, baseUrl: `http://127.0.0.1:${port}/api/v1` };
    const call = newCall();
    const onStep = ({ kind }: ConnectionStep): void => void (kind === 'tcp' && call.cancel());
    await failureOf(harness.read({ ...call, onStep }, silent));
    await settle();
    assert.equal(sockets.size, 0);
    stop();
  });

  it('opens no connection when its route is decided', async () => {
    const call = newCall();
    await failureOf(harness.read({ ...call, onStep: () => call.cancel() }, target()));
    assert.deepEqual(harness.resolved, []);
  });
});

describe('a read that is cancelled before its turn', () => {
  let onEntry: () => void;
  let harness: Harness;
  beforeEach(async () => {
    onEntry = () => undefined;
    harness = await new Harness({
      onRequest: (entry) => harness.entries.push(entry) && onEntry(),
    }).start();
    harness.limits.maxConcurrentRequests = 1;
    harness.platform.fault('all', faults.hold());
  });
  afterEach(() => harness.stop());

  /** The failure of a read that waits for the slot of another one. `cancelled` calls back when that one may end. */
  async function failureBehind(cancelled: (call: ReturnType<typeof newCall>) => void) {
    const first = harness.read();
    await harness.platform.waitForRequests(1, { state: 'held' });
    const call = newCall();
    const failure = failureOf(harness.read(call));
    cancelled(call);
    harness.platform.release();
    await first;
    return failure;
  }

  it('is neither sent nor logged when it waits for its slot', async () => {
    assert.deepEqual(await failureBehind((call) => call.cancel()), { kind: 'cancelled' });
    assert.deepEqual([harness.platform.requests.length, harness.entries.length], [1, 1]);
  });

  it('is neither sent nor logged when it has just been given its slot', async () => {
    const failure = await failureBehind((call) => {
      // The first read is logged right after it has freed its slot.
      onEntry = call.cancel;
    });
    assert.deepEqual(failure, { kind: 'cancelled' });
    assert.deepEqual([harness.platform.requests.length, harness.entries.length], [1, 1]);
  });
});

describe('the signals that a request combines', () => {
  const any = AbortSignal.any.bind(AbortSignal);
  after(() => {
    AbortSignal.any = any;
  });

  it('belong to this request alone, because Node 22 keeps something of each combination as long as its signals', async () => {
    const combined: AbortSignal[] = [];
    AbortSignal.any = (signals) => {
      combined.push(...signals);
      return any(signals);
    };
    const own = await new Harness().start();
    for (let request = 0; request < 3; request++) await own.read();
    await own.revoke();
    await own.stop();
    assert.ok(combined.length > 0);
    assert.equal(new Set(combined).size, combined.length);
  });
});

describe('a read that fails', () => {
  let delays: number[];
  let pauses: (number | undefined)[];
  const delay = (ms: number, signal: AbortSignal) => {
    delays.push(Math.round(ms));
    return soon(ms, signal);
  };
  const onPauses = () => void pauses.push(harness.sender.pausedUntil('limited'));
  const harness: Harness = used(new Harness({ delay, onPauses }));
  beforeEach(() => {
    delays = [];
    pauses = [];
  });

  const read = (organizationId = 'org_1', call = newCall()) =>
    harness.read(call, { ...harness.target, organizationId });

  const table: Record<string, [fault: Fault, isWorth: boolean]> = {
    'a 502': [faults.html(502), true],
    'a 504': [faults.noBody(504), true],
    'a reset': [faults.reset('before'), true],
    'a body that was cut': [{ cut: 20 }, true],
    'a body that was cut without a length': [
      faults.raw('HTTP/1.1 200 OK\r\n\r\n{"accounts":[],"requ'),
      true,
    ],
    'a 500': [faults.status(500), false],
    'a redirect': [faults.redirect('https://elsewhere.example/'), false],
    'what is no JSON': [faults.html(200), false],
    'what is no JSON, in chunks': [faults.raw(`${chunked}a\r\n{"accounts\r\n0\r\n\r\n`), false],
    'chunks that break HTTP': [faults.raw(`${chunked}zz\r\n{}`), false],
    'headers that break HTTP': [faults.raw('HTTP/1.1 200 OK\r\nx-a: a\nb\r\n\r\n{}'), false],
    'what is not HTTP': [faults.raw('220 smtp.example\r\n'), false],
  };
  for (const [name, [fault, isWorth]] of Object.entries(table)) {
    it(`is ${isWorth ? 'repeated at most twice' : 'not repeated'} after ${name}`, async () => {
      harness.platform.fault('all', fault);
      await failureOf(read());
      assert.deepEqual(delays, isWorth ? [300, 600] : []);
      assert.equal(harness.platform.requests.length, isWorth ? 3 : 1);
    });
  }

  it('is repeated after the time that a 503 asks for, if the time-out leaves room for that', async () => {
    harness.platform.fault('all', { ...faults.retryAfter(2, 503), times: 1 });
    assert.deepEqual((await read()).value, healthy());
    assert.equal(harness.entries[0]?.attempts, 2);
    harness.platform.fault('all', faults.retryAfter(6, 503));
    assert.equal((await failureOf(read())).kind, 'serverError');
    assert.deepEqual(delays, [2000]);
  });

  it('keeps its slot until its repeat is answered, so that a failing platform gets fewer requests', async () => {
    const resting: (() => void)[] = [];
    const own = await new Harness({
      delay: () => new Promise((resolve) => resting.push(resolve)),
    }).start();
    own.limits.maxConcurrentRequests = 1;
    own.platform.fault('all', { ...faults.retryAfter(3, 503), times: 1 });
    const call = newCall();
    own.platform.putDeployment('next', healthy());
    const reads = [own.read(call), own.read(newCall(), undefined, 'next')];
    while (resting.length === 0) await settle(1);
    await settle();
    assert.equal(call.phases.at(-1)?.kind, 'waiting');
    assert.equal(own.platform.requests.length, 1);
    resting[0]!();
    for (const { value } of await Promise.all(reads)) assert.deepEqual(value, healthy());
    assert.ok(own.platform.requests.at(-1)?.path.includes('/next/'));
    await own.stop();
  });

  it('is repeated after a 429 when the pause is over, which is no part of its time-out', async () => {
    // The pause is longer than half of it: twice would be too much.
    harness.limits.requestTimeout = 1700;
    harness.platform.fault('all', { ...faults.retryAfter(1), latency: 100, times: 1 });
    const call = newCall();
    const other = newCall();
    const answer = read('limited', call);
    while (call.phases.at(-1)?.kind !== 'paused') await settle(1);
    const until = harness.sender.pausedUntil('limited');
    assert.ok(until !== undefined);
    assert.deepEqual(call.phases.slice(1), [
      { kind: 'connecting' },
      { kind: 'sending' },
      { kind: 'paused', until },
    ]);
    const waiting = read('limited', other);
    assert.deepEqual(other.phases, [{ kind: 'paused', until }]);
    // Another organization is not held.
    assert.deepEqual((await read('elsewhere')).value, healthy());
    assert.equal(harness.sender.pausedUntil('limited'), until);
    assert.deepEqual((await answer).value, healthy());
    assert.deepEqual((await waiting).value, healthy());
    assert.deepEqual(pauses, [until, undefined]);
    assert.ok(harness.entries.some(({ attempts, duration }) => attempts === 2 && duration > 95));
    // After a good answer it is the first one again.
    harness.platform.fault('all', faults.status(429));
    const failure = await failureOf(read('limited'));
    assert.ok(failure.kind === 'rateLimited' && failure.until - Date.now() < 5_500);
  });

  it('carries the time of the last attempt in its answer or failure, and none if there was none', async () => {
    let now = 1000;
    const clock = { now: () => now, elapsed: () => now - 1000 };
    const own = await new Harness({ ...clock, delay: async () => void (now += 500) }).start();
    const onPhase: Call['onPhase'] = ({ kind }) => {
      if (kind === 'sending') now += 30;
    };
    own.platform.fault('all', { ...faults.status(503), times: 1 });
    const { sentAt } = await own.read({ ...newCall(), onPhase });
    assert.equal(sentAt, 1530);
    own.platform.fault('all', faults.status(404));
    await assert.rejects(own.read(), { sentElapsed: 560 });
    await assert.rejects(own.read(undefined, undefined, '..'), { sentElapsed: undefined });
    await own.stop();
  });

  it('carries the time of the last attempt also where no connection was made', async () => {
    let elapsed = 0;
    const own = await new Harness({ elapsed: () => elapsed }).start();
    elapsed = 700;
    const target = { ...own.target, baseUrl: 'https://unknown.example/api/v1' };
    await assert.rejects(own.read(undefined, target), { sentElapsed: 700 });
    await own.stop();
  });

  it('carries the time of its last attempt where that follows others', async () => {
    let elapsed = 0;
    const own = await new Harness({
      elapsed: () => elapsed,
      delay: async () => void (elapsed += 500),
    }).start();
    own.platform.fault('all', faults.reset('before'));
    await assert.rejects(own.read(), { sentElapsed: 1000 });
    await own.stop();
  });

  it('counts its attempts and those of others in the order of sending', async () => {
    const own = await new Harness({ delay: async () => {} }).start();
    const { sequence: first } = await own.read();
    own.platform.fault('all', { ...faults.status(503), times: 1 });
    const { sequence: afterRepeat } = await own.read();
    assert.deepEqual([first, afterRepeat], [1, 3]);
    await own.stop();
  });

  it('is not repeated after a 429 that asks for more than the time-out', async () => {
    harness.platform.fault('all', { ...faults.retryAfter(60), body: 'slow down' });
    const now = Date.now();
    const { until, ...failure } = { until: 0, ...(await failureOf(read('slow'))) };
    assert.deepEqual(failure, { kind: 'rateLimited', status: 429, excerpt: 'slow down' });
    assert.ok(until >= now + 60_000 && until <= Date.now() + 60_250);
    assert.equal(harness.sender.pausedUntil('slow'), until);
    assert.equal(harness.platform.requests.length, 1);
  });

  it('is repeated at most a minute after the machine woke up, if it slept through the pause', async () => {
    let slept = 0;
    const timers: (readonly [ms: number, end: () => void])[] = [];
    const own = await new Harness({
      now: () => Date.now() + slept,
      setTimer: (end, ms) => {
        timers.push([ms, end]);
        return { dispose: () => {} };
      },
    }).start();
    own.platform.fault('all', { ...faults.retryAfter(600), times: 1 });
    assert.equal((await failureOf(own.read())).kind, 'rateLimited');
    const waiting = own.read();
    await settle();
    assert.equal(own.platform.requests.length, 1);
    // Only the wall clock goes on while a machine sleeps: timers have all that was left still to go.
    slept = 8 * 3600_000;
    for (const [ms, end] of timers) if (ms <= 60_000) end();
    assert.deepEqual((await waiting).value, healthy());
    await own.stop();
  });
});

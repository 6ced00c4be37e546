import { strict as assert } from 'node:assert';
import type { Call, ConnectionStep, Phase, Target } from '../../../src/api/call.js';
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

const cancelled = { kind: 'cancelled' };

/** The deployments that reads have asked for, in the order in which the requests arrived. */
function requestedIds({ platform }: Harness): readonly (string | undefined)[] {
  return platform.requests.map(({ path }) => path.split('/').at(-2));
}

for (const [when, fault, state] of [
  ['before its answer begins', faults.silent(), 'aborted'],
  ['in the middle of its body', faults.drip(1, 50), 'aborted'],
  ['between two attempts', faults.status(503), 'answered'],
] as const) {
  describe(`a read that is cancelled ${when}`, () => {
    const harness = used(new Harness({ delay: untilStopped }));

    async function cancelledRead() {
      harness.platform.fault('all', fault);
      const call = newCall();
      const reading = failureOf(harness.read(call));
      await harness.platform.waitForRequests(1);
      await settle();
      call.cancel();
      return reading;
    }

    it('ends as cancelled', async () => {
      assert.deepEqual(await cancelledRead(), cancelled);
    });

    it('frees its connection', async () => {
      await cancelledRead();
      await harness.platform.waitForRequests(1, { state });
    });

    it('is not sent again', async () => {
      await cancelledRead();
      await harness.platform.waitForRequests(1, { state });
      assert.deepEqual(requestedIds(harness), [deploymentId]);
    });
  });
}

describe('a read', () => {
  const harness = used(new Harness());

  it('has its whole time-out left when its wait for a slot is over', async () => {
    harness.limits.requestTimeout = 1200;
    harness.limits.maxConcurrentRequests = 1;
    harness.platform.fault('all', { latency: 450 });

    const answers = await Promise.all([harness.read(), harness.read(), harness.read()]);

    for (const { value } of answers) assert.deepEqual(value, healthy());
  });

  it('does not wait for a hung refresh when the user asked for it', async () => {
    const { platform } = harness;
    platform.putDeployment('urgent', { accounts: [], requirements: [] });
    platform.fault({ id: deploymentId }, faults.hold());
    const bulk = Array.from({ length: 12 }, () => harness.read());
    await platform.waitForRequests(8);

    const urgent = await harness.read(newCall(true), undefined, 'urgent');

    assert.deepEqual(urgent.value, { accounts: [], requirements: [] });
    assert.equal(platform.requests.length, 8 + 1);
    platform.clearFaults();
    platform.release();
    await Promise.all(bulk);
  });
});

describe('a read of a client that is closed', () => {
  let harness: Harness;
  beforeEach(async () => {
    harness = await new Harness().start();
    harness.limits.maxConcurrentRequests = 1;
    harness.platform.fault('all', faults.silent());
  });
  afterEach(() => harness.stop());

  it('ends as cancelled when it has been sent', async () => {
    const sent = failureOf(harness.read());
    await harness.platform.waitForRequests(1);
    await harness.sender.close();
    assert.deepEqual(await sent, cancelled);
  });

  it('ends as cancelled when it waits for a slot', async () => {
    const sent = failureOf(harness.read());
    const waiting = failureOf(harness.read());
    await harness.platform.waitForRequests(1);
    await harness.sender.close();
    assert.deepEqual(await waiting, cancelled);
    await sent;
  });

  it('ends as cancelled when it begins later', async () => {
    await harness.sender.close();
    assert.deepEqual(await failureOf(harness.read()), cancelled);
  });
});

describe('a request that is still connecting', () => {
  const harness = used(new Harness());
  const timedOut = { kind: 'timedOut', after: 150 };
  let server: Awaited<ReturnType<typeof startSilentServer>>;
  let target: Target;
  beforeEach(async () => {
    server = await startSilentServer();
    target = { ...harness.target, baseUrl: `https://127.0.0.1:${server.port}/api/v1` };
  });
  afterEach(() => server.stop());

  function shortenTimeOut(): void {
    harness.limits.requestTimeout = timedOut.after;
  }

  async function cancelledRead() {
    const call = newCall();
    const reading = failureOf(harness.read(call, target));
    await server.untilConnections('some');
    call.cancel();
    return reading;
  }

  it('ends when its time-out is over', async () => {
    shortenTimeOut();
    assert.deepEqual(await failureOf(harness.read(undefined, target)), timedOut);
  });

  it('counts as not sent when it is a revocation that times out', async () => {
    shortenTimeOut();
    const outcome = await harness.revoke(undefined, target);
    assert.deepEqual(outcome, { kind: 'notSent', failure: timedOut });
  });

  it('frees its connection when it times out', async () => {
    shortenTimeOut();
    await failureOf(harness.read(undefined, target));
    await server.untilConnections('none');
  });

  it('frees its connection when it is a revocation that times out', async () => {
    shortenTimeOut();
    await harness.revoke(undefined, target);
    await server.untilConnections('none');
  });

  it('ends as cancelled when it is cancelled', async () => {
    assert.deepEqual(await cancelledRead(), cancelled);
  });

  it('frees its connection when it is cancelled', async () => {
    await cancelledRead();
    await server.untilConnections('none');
  });
});

function cancelledAt(kind: Phase['kind']): Call {
  const call = newCall(true);
  const onPhase = (phase: Phase): void => {
    if (phase.kind === kind) call.cancel();
  };
  return { ...call, onPhase };
}

describe('a request that its own listener cancels', () => {
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
    it(`ends as cancelled when it is ${kind}`, async () => {
      assert.deepEqual(await failureOf(harness.read(cancelledAt(kind), target())), cancelled);
    });

    it(`is not sent when it is ${kind}`, async () => {
      await failureOf(harness.read(cancelledAt(kind), target()));
      await settle();
      assert.deepEqual(harness.platform.requests, []);
    });

    it(`counts as not sent when it is a ${kind} revocation`, async () => {
      const outcome = await harness.revoke(cancelledAt(kind), target());
      assert.deepEqual(outcome, { kind: 'notSent', failure: cancelled });
    });
  }

  for (const kind of ['waiting', 'connecting'] as const) {
    it(`opens no connection when it is ${kind}`, async () => {
      await failureOf(harness.read(cancelledAt(kind), target()));
      assert.deepEqual(harness.resolved, []);
    });

    it(`is not logged when it is ${kind}`, async () => {
      await failureOf(harness.read(cancelledAt(kind), target()));
      assert.deepEqual(harness.entries, []);
    });
  }

  it('closes its connection when that has just opened', async () => {
    const { port, sockets, stop } = await startSilentServer();
    const silent = { ...harness.target, baseUrl: `http://127.0.0.1:${port}/api/v1` };
    const call = newCall();
    const onStep = ({ kind }: ConnectionStep): void => {
      if (kind === 'tcp') call.cancel();
    };
    await failureOf(harness.read({ ...call, onStep }, silent));
    await settle();
    assert.equal(sockets.size, 0);
    stop();
  });

  it('opens no connection when its route has just been decided', async () => {
    const call = newCall();
    await failureOf(harness.read({ ...call, onStep: () => call.cancel() }, target()));
    assert.deepEqual(harness.resolved, []);
  });
});

describe('a read that is cancelled before it is sent', () => {
  let onEntry: () => void;
  let harness: Harness;
  beforeEach(async () => {
    onEntry = () => undefined;
    harness = await new Harness({
      onRequest: (entry) => {
        harness.entries.push(entry);
        onEntry();
      },
    }).start();
    harness.limits.maxConcurrentRequests = 1;
    harness.platform.fault('all', faults.hold());
  });
  afterEach(() => harness.stop());

  /** The failure of a read that waits for the slot of another one. `prepare` is called before that one ends. */
  async function failureBehindAnother(prepare: (call: ReturnType<typeof newCall>) => void) {
    const first = harness.read();
    await harness.platform.waitForRequests(1, { state: 'held' });
    const call = newCall();
    const failure = failureOf(harness.read(call, undefined, 'cancelled'));
    prepare(call);
    harness.platform.release();
    await first;
    return failure;
  }

  /** The first read is logged right after it has freed its slot. */
  const cancelWithSlot = (call: ReturnType<typeof newCall>): void => {
    onEntry = call.cancel;
  };

  for (const [when, prepare] of [
    ['it waits for its slot', ({ cancel }: ReturnType<typeof newCall>) => cancel()],
    ['it has just been given its slot', cancelWithSlot],
  ] as const) {
    it(`ends as cancelled when ${when}`, async () => {
      assert.deepEqual(await failureBehindAnother(prepare), cancelled);
    });

    it(`is not sent when ${when}`, async () => {
      await failureBehindAnother(prepare);
      assert.deepEqual(requestedIds(harness), [deploymentId]);
    });

    it(`is not logged when ${when}`, async () => {
      await failureBehindAnother(prepare);
      const failures = harness.entries.map(({ failure }) => failure);
      assert.deepEqual(failures, [undefined]);
    });
  }
});

describe('a request', () => {
  const any = AbortSignal.any.bind(AbortSignal);
  after(() => {
    AbortSignal.any = any;
  });

  // Node 22 keeps something of each combination for as long as its signals exist.
  it('combines no signal that another request has combined', async () => {
    const combined: AbortSignal[] = [];
    AbortSignal.any = (signals) => {
      combined.push(...signals);
      return any(signals);
    };
    const own = await new Harness().start();
    for (let request = 0; request < 3; request += 1) await own.read();
    await own.revoke();
    await own.stop();

    const reused = combined.filter((signal, index) => combined.indexOf(signal) !== index);
    assert.notDeepEqual(combined, []);
    assert.equal(reused.length, 0);
  });
});

describe('a failed read', () => {
  let delays: number[];
  const delay = (ms: number, signal: AbortSignal) => {
    delays.push(Math.round(ms));
    return soon(ms, signal);
  };
  const harness: Harness = used(new Harness({ delay }));
  beforeEach(() => {
    delays = [];
  });

  const table: Record<string, [fault: Fault, isRepeated: boolean]> = {
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
    'an answer that is not JSON': [faults.html(200), false],
    'chunks that are not JSON': [faults.raw(`${chunked}a\r\n{"accounts\r\n0\r\n\r\n`), false],
    'chunks that break HTTP': [faults.raw(`${chunked}zz\r\n{}`), false],
    'headers that break HTTP': [faults.raw('HTTP/1.1 200 OK\r\nx-a: a\nb\r\n\r\n{}'), false],
    'an answer that is not HTTP': [faults.raw('220 smtp.example\r\n'), false],
  };
  for (const [name, [fault, isRepeated]] of Object.entries(table)) {
    it(`is ${isRepeated ? 'repeated at most twice' : 'not repeated'} after ${name}`, async () => {
      harness.platform.fault('all', fault);
      await failureOf(harness.read());
      assert.equal(harness.platform.requests.length, isRepeated ? 3 : 1);
      assert.deepEqual(delays, isRepeated ? [300, 600] : []);
    });
  }

  it('is repeated after the time that a 503 asks for', async () => {
    harness.platform.fault('all', { ...faults.retryAfter(2, 503), times: 1 });
    assert.deepEqual((await harness.read()).value, healthy());
    assert.deepEqual(delays, [2000]);
    assert.equal(harness.entries[0]?.attempts, 2);
  });

  it('is not repeated when a 503 asks for more than the time-out', async () => {
    harness.platform.fault('all', faults.retryAfter(6, 503));
    assert.equal((await failureOf(harness.read())).kind, 'serverError');
    assert.deepEqual(delays, []);
  });

  it('counts its attempts and those of other reads in the order of sending', async () => {
    const own = await new Harness({ delay: async () => {} }).start();
    const first = await own.read();
    own.platform.fault('all', { ...faults.status(503), times: 1 });
    const repeated = await own.read();
    await own.stop();

    assert.equal(first.sequence, 1);
    assert.equal(repeated.sequence, 3);
  });
});

describe('a failed read that waits for its repeat', () => {
  let harness: Harness;
  let endDelays: (() => void)[];
  let call: ReturnType<typeof newCall>;
  let reading: ReturnType<Harness['read']>;
  beforeEach(async () => {
    endDelays = [];
    harness = await new Harness({
      delay: () => new Promise((resolve) => endDelays.push(resolve)),
    }).start();
    harness.limits.maxConcurrentRequests = 1;
    harness.platform.putDeployment('next', healthy());
    harness.platform.fault('all', { ...faults.retryAfter(3, 503), times: 1 });
    call = newCall();
    reading = harness.read(call);
    while (endDelays.length === 0) await settle(1);
  });
  afterEach(() => harness.stop());

  it('is shown as waiting', async () => {
    assert.equal(call.phases.at(-1)?.kind, 'waiting');
    endDelays[0]!();
    await reading;
  });

  // A failing platform gets fewer requests that way.
  it('keeps its slot until the repeat is answered', async () => {
    const next = harness.read(newCall(), undefined, 'next');
    await settle();
    assert.deepEqual(requestedIds(harness), [deploymentId]);

    endDelays[0]!();
    assert.deepEqual((await reading).value, healthy());
    assert.deepEqual((await next).value, healthy());
    assert.deepEqual(requestedIds(harness), [deploymentId, deploymentId, 'next']);
  });
});

describe('a read that a 429 pauses', () => {
  const start = Date.parse('2026-11-20T10:00:00Z');
  const pauseMs = 1000;
  const pauseEnd = start + pauseMs;
  const organizationId = 'org_1';
  /** Ms since `start`, by both clocks of the client. */
  let elapsedMs: number;
  let harness: Harness;
  let pauseEnds: (number | undefined)[];
  beforeEach(async () => {
    elapsedMs = 0;
    pauseEnds = [];
    harness = await new Harness({
      now: () => start + elapsedMs,
      elapsed: () => elapsedMs,
      onPauses: () => pauseEnds.push(harness.sender.pausedUntil(organizationId)),
    }).start();
  });
  afterEach(() => harness.stop());

  async function pausedRead() {
    harness.platform.fault('all', { ...faults.retryAfter(pauseMs / 1000), times: 1 });
    const call = newCall();
    const answer = harness.read(call);
    while (call.phases.at(-1)?.kind !== 'paused') await settle(1);
    return { call, answer };
  }

  function endPause(): void {
    elapsedMs += pauseMs;
    harness.timers.end();
  }

  it('is repeated when the pause is over', async () => {
    const { answer } = await pausedRead();
    endPause();
    assert.deepEqual((await answer).value, healthy());
    assert.equal(harness.entries[0]?.attempts, 2);
  });

  it('is shown as paused until the end of the pause', async () => {
    const { call, answer } = await pausedRead();
    assert.deepEqual(call.phases, [
      { kind: 'waiting' },
      { kind: 'connecting' },
      { kind: 'sending' },
      { kind: 'paused', until: pauseEnd },
    ]);
    endPause();
    await answer;
  });

  it('does not count the pause toward its time-out', async () => {
    const { answer } = await pausedRead();
    endPause();
    await answer;
    const countedMs = harness.entries[0]?.duration;
    assert.equal(countedMs, 0);
  });

  it('counts its attempts toward its time-out', async () => {
    harness.platform.fault('all', { ...faults.retryAfter(pauseMs / 1000), times: 1 });
    const call = newCall();
    const onPhase = (phase: Phase): void => {
      if (phase.kind === 'sending') elapsedMs += 100;
      call.onPhase?.(phase);
    };
    const answer = harness.read({ ...call, onPhase });
    while (call.phases.at(-1)?.kind !== 'paused') await settle(1);
    endPause();
    await answer;
    const countedMs = harness.entries[0]?.duration;
    assert.equal(countedMs, 100 + 100);
  });

  it('holds other reads of its organization until the pause is over', async () => {
    const { answer } = await pausedRead();
    const call = newCall();
    const waiting = harness.read(call);
    assert.deepEqual(call.phases, [{ kind: 'paused', until: pauseEnd }]);

    endPause();
    assert.deepEqual((await waiting).value, healthy());
    await answer;
  });

  it('does not hold a read of another organization', async () => {
    const { answer } = await pausedRead();
    const elsewhere = { ...harness.target, organizationId: 'elsewhere' };
    assert.deepEqual((await harness.read(newCall(), elsewhere)).value, healthy());
    assert.equal(harness.sender.pausedUntil(organizationId), pauseEnd);
    endPause();
    await answer;
  });

  it('notifies of the beginning and the end of the pause', async () => {
    const { answer } = await pausedRead();
    endPause();
    await answer;
    assert.deepEqual(pauseEnds, [pauseEnd, undefined]);
  });

  it('makes the next pause as short as a first one when it succeeds', async () => {
    const { answer } = await pausedRead();
    endPause();
    await answer;

    harness.platform.fault('all', faults.status(429));
    await failureOf(harness.read());
    const pauseLeftMs = harness.sender.pausedUntil(organizationId)! - (start + elapsedMs);
    assert.equal(pauseLeftMs, 5000);
  });

  it('fails instead when the 429 asks for more than the time-out', async () => {
    harness.platform.fault('all', { ...faults.retryAfter(60), body: 'slow down' });
    const until = start + 60_000;
    const failure = await failureOf(harness.read());
    assert.deepEqual(failure, { kind: 'rateLimited', status: 429, excerpt: 'slow down', until });
    assert.equal(harness.sender.pausedUntil(organizationId), until);
    const attempts = harness.entries.map((entry) => entry.attempts);
    assert.deepEqual(attempts, [1]);
  });

  it('is repeated at most a minute after the machine has slept through the pause', async () => {
    let sleptMs = 0;
    const timers: (readonly [ms: number, end: () => void])[] = [];
    const own = await new Harness({
      now: () => Date.now() + sleptMs,
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
    sleptMs = 8 * 3600_000;
    for (const [ms, end] of timers) if (ms <= 60_000) end();

    assert.deepEqual((await waiting).value, healthy());
    await own.stop();
  });
});

describe('the time of sending', () => {
  let elapsedMs: number;
  let harness: Harness;
  beforeEach(async () => {
    elapsedMs = 0;
    harness = await new Harness({
      now: () => 1000 + elapsedMs,
      elapsed: () => elapsedMs,
      delay: async () => {
        elapsedMs += 500;
      },
    }).start();
  });
  afterEach(() => harness.stop());

  it('is that of the last attempt when a repeat is answered', async () => {
    const onPhase: Call['onPhase'] = ({ kind }) => {
      if (kind === 'sending') elapsedMs += 30;
    };
    harness.platform.fault('all', { ...faults.status(503), times: 1 });
    const { sentAt } = await harness.read({ ...newCall(), onPhase });
    assert.equal(sentAt, 1000 + 30 + 500);
  });

  it('is that of the only attempt when the answer is a failure', async () => {
    elapsedMs = 560;
    harness.platform.fault('all', faults.status(404));
    await assert.rejects(harness.read(), { sentElapsed: 560 });
  });

  it('is that of the last attempt when all attempts fail', async () => {
    harness.platform.fault('all', faults.reset('before'));
    await assert.rejects(harness.read(), { sentElapsed: 500 + 500 });
  });

  it('is that of the attempt when no connection was made', async () => {
    const own = await new Harness({ elapsed: () => elapsedMs }).start();
    elapsedMs = 700;
    const target = { ...own.target, baseUrl: 'https://unknown.example/api/v1' };
    await assert.rejects(own.read(undefined, target), { sentElapsed: 700 });
    await own.stop();
  });

  it('is absent when no attempt was made', async () => {
    await assert.rejects(harness.read(undefined, undefined, '..'), { sentElapsed: undefined });
  });
});

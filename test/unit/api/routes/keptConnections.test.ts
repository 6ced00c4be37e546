import { strict as assert } from 'node:assert';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { Target } from '../../../../src/api/call.js';
import { ManualClock, turn } from '../../../support/manualClock.js';
import { healthy } from '../../../support/platform/data.js';
import { listen } from '../../../support/platform/listen.js';
import {
  failureOf,
  Harness,
  newCall,
  platformHost,
  platformTls,
  settle,
  used,
} from '../harness.js';

const body = JSON.stringify(healthy());
const length = `HTTP/1.1 200 OK\r\nkeep-alive: timeout=600\r\ncontent-length: ${body.length}\r\n\r\n`;
const good = length + body;
const cut = length + body.slice(0, -20);
const minute = 60_000;

/** Takes requests, and leaves it to a test when and how they are answered. */
class Scripted {
  /** In the order in which they were opened. */
  readonly sockets: Socket[] = [];
  /** By the number of its connection, how many requests came there. */
  readonly requests: number[] = [];
  constructor(readonly server: Server) {}

  readonly accept = (socket: Socket): void => {
    const nth = this.sockets.push(socket) - 1;
    this.requests[nth] = 0;
    // A request of ours comes in one piece.
    socket.on('error', () => {}).on('data', () => this.requests[nth]!++);
  };

  async until(requests: readonly number[]): Promise<void> {
    while (this.requests.join() !== requests.join()) await settle(1);
  }

  async untilClosed(nth: number): Promise<void> {
    while (!this.sockets[nth]!.destroyed) await settle(1);
  }

  /** The numbers of the connections that are open. */
  get open(): readonly number[] {
    return [...this.sockets.keys()].filter((nth) => !this.sockets[nth]!.destroyed);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }
}

let clock = new ManualClock();
const ofClock = {
  now: () => clock.now(),
  setTimer: (callback: () => void, ms: number) => clock.setTimer(callback, ms),
};

describe('a request on a kept connection', () => {
  const harness = used(new Harness(ofClock));
  let platform: Scripted;
  let target: Target;
  beforeEach(async () => {
    clock = new ManualClock();
    const server = createServer((socket) => platform.accept(socket));
    platform = new Scripted(server);
    target = { ...harness.target, baseUrl: `http://127.0.0.1:${await listen(server)}/api/v1` };
  });
  afterEach(() => platform.stop());

  /** Leaves an idle connection behind, the first one. */
  async function keepOne(): Promise<void> {
    const reading = harness.read(undefined, target);
    await platform.until([1]);
    platform.sockets[0]!.write(good);
    await reading;
    harness.entries.length = 0;
  }

  /** A read that a second connection has got, too, since the kept one has stayed silent for too long. In an object, since it is not awaited. */
  async function readOnBoth(call = newCall()) {
    await keepOne();
    const reading = harness.read(call, target);
    reading.catch(() => undefined);
    await platform.until([2]);
    clock.pass(harness.limits.requestTimeout / 2);
    await platform.until([2, 1]);
    return { reading };
  }

  describe('that stays silent', () => {
    it('is sent on a new one after half of the time-out, and its answer counts', async () => {
      const { reading } = await readOnBoth();
      platform.sockets[1]!.write(good);
      assert.deepEqual((await reading).value, healthy());
    });

    for (const [requestTimeout, ms] of [
      [5000, 2500],
      [60_000, 10_000],
    ] as const) {
      it(`is sent on a new one after ${ms} ms where the time-out is ${requestTimeout} ms`, async () => {
        harness.limits.requestTimeout = requestTimeout;
        await keepOne();
        const reading = harness.read(undefined, target);
        await platform.until([2]);
        clock.pass(ms - 1);
        await settle();
        assert.deepEqual(platform.requests, [2]);
        clock.pass(1);
        await platform.until([2, 1]);
        platform.sockets[1]!.write(good);
        await reading;
      });
    }

    it('is aborted when the new one has answered', async () => {
      const { reading } = await readOnBoth();
      platform.sockets[1]!.write(good);
      await reading;
      await platform.untilClosed(0);
      assert.deepEqual(platform.open, [1]);
    });

    it('is the last one that waits: other idle ones are used no more when the new one has answered', async () => {
      const both = [harness.read(undefined, target), harness.read(undefined, target)];
      await platform.until([1, 1]);
      for (const socket of platform.sockets) socket.write(good);
      await Promise.all(both);
      const reading = harness.read(undefined, target);
      await platform.until([2, 1]);
      clock.pass(harness.limits.requestTimeout / 2);
      await platform.until([2, 1, 1]);
      platform.sockets[2]!.write(good);
      await reading;
      const next = harness.read(undefined, target);
      await platform.until([2, 1, 2]);
      platform.sockets[2]!.write(good);
      assert.deepEqual((await next).value, healthy());
      assert.deepEqual(platform.open, [2]);
    });

    it('counts when it answers first, and the new one is aborted', async () => {
      const { reading } = await readOnBoth();
      platform.sockets[0]!.write(good);
      assert.deepEqual((await reading).value, healthy());
      await platform.untilClosed(1);
      assert.deepEqual(platform.open, [0]);
    });

    it('is kept when it has answered first', async () => {
      const { reading } = await readOnBoth();
      platform.sockets[0]!.write(good);
      await reading;
      const next = harness.read(undefined, target);
      await platform.until([3, 1]);
      platform.sockets[0]!.write(good);
      await next;
    });

    for (const [what, end] of [
      ['is reset', (socket: Socket) => socket.resetAndDestroy()],
      ['answers with a cut body', (socket: Socket) => socket.end(cut)],
      ['breaks HTTP', (socket: Socket) => socket.end('220 smtp.example\r\n')],
    ] as const) {
      it(`leaves the answer to the new one where it ${what}`, async () => {
        const { reading } = await readOnBoth();
        end(platform.sockets[0]!);
        await platform.untilClosed(0);
        await settle();
        platform.sockets[1]!.write(good);
        assert.deepEqual((await reading).value, healthy());
      });

      it(`is waited for where the new one ${what}`, async () => {
        const { reading } = await readOnBoth();
        end(platform.sockets[1]!);
        await platform.untilClosed(1);
        await settle();
        platform.sockets[0]!.write(good);
        assert.deepEqual((await reading).value, healthy());
      });
    }

    it('is waited for where no new one can be opened', async () => {
      await keepOne();
      const reading = harness.read(undefined, target);
      await platform.until([2]);
      platform.server.close();
      clock.pass(2500);
      await settle(50);
      platform.sockets[0]!.write(good);
      assert.deepEqual((await reading).value, healthy());
    });

    it('says why no new one could be opened when the time is up', async () => {
      await keepOne();
      const reading = failureOf(harness.read(undefined, target));
      await platform.until([2]);
      platform.server.close();
      clock.pass(2500);
      await settle(50);
      // Also if the machine was busy meanwhile, what came is read before the time is up.
      await turn();
      clock.pass(2500);
      const failure = await reading;
      assert.equal(failure.kind, 'unreachable');
    });

    it('brings the failure of both, which the sender may retry', async () => {
      harness.limits.requestTimeout = 3000;
      const { reading } = await readOnBoth();
      for (const socket of platform.sockets.slice()) socket.resetAndDestroy();
      await platform.until([2, 1, 1]);
      platform.sockets[2]!.write(good);
      assert.deepEqual((await reading).value, healthy());
      assert.deepEqual(
        harness.entries.map(({ attempts }) => attempts),
        [2],
      );
    });

    for (const [what, failure] of [
      ['times out', { kind: 'timedOut', after: 5000 }],
      ['is cancelled', { kind: 'cancelled' }],
    ] as const) {
      it(`ends on both connections when it ${what}`, async () => {
        const call = newCall();
        const { reading } = await readOnBoth(call);
        if (what === 'times out') clock.pass(2500);
        if (what === 'is cancelled') call.cancel();
        assert.deepEqual(await failureOf(reading), failure);
        await platform.untilClosed(0);
        await platform.untilClosed(1);
        assert.equal(clock.waiting, 0);
      });
    }

    it('is sent twice at most', async () => {
      harness.limits.requestTimeout = 3 * minute;
      const { reading } = await readOnBoth();
      clock.pass(minute);
      await settle();
      assert.deepEqual(platform.requests, [2, 1]);
      platform.sockets[1]!.write(good);
      await reading;
    });

    it('is one attempt, in one slot, and its phases begin once', async () => {
      harness.limits.maxConcurrentRequests = 1;
      const call = newCall();
      const { reading } = await readOnBoth(call);
      const waiting = newCall();
      const next = harness.read(waiting, target);
      await settle();
      assert.deepEqual(waiting.phases, [{ kind: 'waiting' }]);
      platform.sockets[1]!.write(good);
      await reading;
      assert.deepEqual(call.phases, [
        { kind: 'waiting' },
        { kind: 'connecting' },
        { kind: 'sending' },
      ]);
      assert.deepEqual(
        harness.entries.map(({ attempts }) => attempts),
        [1],
      );
      await platform.until([2, 2]);
      platform.sockets[1]!.write(good);
      await next;
    });
  });

  it('that answers in time leaves no timer', async () => {
    await keepOne();
    const reading = harness.read(undefined, target);
    await platform.until([2]);
    platform.sockets[0]!.write(good);
    await reading;
    assert.equal(clock.waiting, 0);
  });

  it('of which a byte has come is not sent again', async () => {
    harness.limits.requestTimeout = 3 * minute;
    await keepOne();
    const reading = harness.read(undefined, target);
    await platform.until([2]);
    platform.sockets[0]!.write(good.slice(0, 1));
    await settle();
    clock.pass(minute);
    await settle();
    assert.deepEqual(platform.requests, [2]);
    platform.sockets[0]!.write(good.slice(1));
    await reading;
  });

  it('is sent again over TLS as well, whose own messages are no answer', async () => {
    const server = createTlsServer(platformTls, (socket) => secured.accept(socket));
    const secured = new Scripted(server);
    harness.names = { [platformHost]: ['127.0.0.1'] };
    const overTls = {
      ...harness.target,
      baseUrl: `https://${platformHost}:${await listen(server)}/api/v1`,
    };
    const first = harness.read(undefined, overTls);
    await secured.until([1]);
    secured.sockets[0]!.write(good);
    await first;
    const reading = harness.read(undefined, overTls);
    await secured.until([2]);
    clock.pass(2500);
    await secured.until([2, 1]);
    secured.sockets[1]!.write(good);
    assert.deepEqual((await reading).value, healthy());
    await secured.untilClosed(0);
    await secured.stop();
  });

  for (const [what, send] of [
    ['a read', () => harness.read(undefined, target)],
    ['a revocation', () => harness.revoke(undefined, target)],
    ['a probe', () => harness.client.check(target, newCall())],
  ] as const) {
    it(`is the only one that is sent twice: not ${what} on a new one`, async () => {
      harness.limits.requestTimeout = 3 * minute;
      const sending = send();
      await platform.until([1]);
      clock.pass(minute);
      await settle();
      assert.deepEqual(platform.requests, [1]);
      assert.equal(clock.waiting, 1, 'only for the time-out');
      platform.sockets[0]!.write(good);
      await sending;
    });
  }

  for (const [what, change, isUsed] of [
    ['after less than 4 minutes', () => clock.sleep(4 * minute), true],
    ['after more than 4 minutes', () => clock.sleep(4 * minute + 1), false],
    ['when the clock was set back', () => clock.setBack(1), false],
  ] as const) {
    it(`is ${isUsed ? 'sent there' : 'sent on a new one'} ${what}`, async () => {
      await keepOne();
      change();
      const reading = harness.read(undefined, target);
      await platform.until(isUsed ? [2] : [1, 1]);
      platform.sockets.at(-1)!.write(good);
      await reading;
      if (!isUsed) await platform.untilClosed(0);
    });
  }
});

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

/** Accepts connections and counts their requests, which the test itself answers on the sockets. */
class Scripted {
  /** The connections in the order in which they were opened. */
  readonly sockets: Socket[] = [];
  /** The number of requests on each connection. */
  readonly requests: number[] = [];
  constructor(readonly server: Server) {}

  readonly accept = (socket: Socket): void => {
    const nth = this.sockets.push(socket) - 1;
    this.requests[nth] = 0;
    // The client sends a request in one piece.
    socket
      .on('error', () => {})
      .on('data', () => {
        this.requests[nth]! += 1;
      });
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

describe('a request', () => {
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

  /** Reads once, so that the first connection is open and idle. */
  async function keepOne(): Promise<void> {
    const reading = harness.read(undefined, target);
    await platform.until([1]);
    platform.sockets[0]!.write(good);
    await reading;
    harness.entries.length = 0;
  }

  /**
   * Starts a read that is sent on a second connection as well, because the kept one stays silent. The promise comes in an object, so
   * that `await` does not wait for the read.
   */
  async function readOnBoth(call = newCall()) {
    await keepOne();
    const reading = harness.read(call, target);
    reading.catch(() => undefined);
    await platform.until([2]);
    clock.pass(harness.limits.requestTimeout / 2);
    await platform.until([2, 1]);
    return { reading };
  }

  describe('on a silent connection', () => {
    it('is answered by a new connection', async () => {
      const { reading } = await readOnBoth();
      platform.sockets[1]!.write(good);
      assert.deepEqual((await reading).value, healthy());
    });

    for (const [requestTimeout, ms] of [
      [5000, 2500],
      [60_000, 10_000],
    ] as const) {
      it(`is sent again after ${ms} ms when the time-out is ${requestTimeout} ms`, async () => {
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

    it('is aborted when the new connection answers first', async () => {
      const { reading } = await readOnBoth();
      platform.sockets[1]!.write(good);
      await reading;
      await platform.untilClosed(0);
      assert.deepEqual(platform.open, [1]);
    });

    it('ends the use of other idle connections', async () => {
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

    it('aborts the new connection when the silent one answers first', async () => {
      const { reading } = await readOnBoth();
      platform.sockets[0]!.write(good);
      assert.deepEqual((await reading).value, healthy());
      await platform.untilClosed(1);
      assert.deepEqual(platform.open, [0]);
    });

    it('leaves the connection in use when that answers first', async () => {
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
      ['sends a cut body', (socket: Socket) => socket.end(cut)],
      ['breaks HTTP', (socket: Socket) => socket.end('220 smtp.example\r\n')],
    ] as const) {
      it(`is answered by a new one when the silent one ${what}`, async () => {
        const { reading } = await readOnBoth();
        end(platform.sockets[0]!);
        await platform.untilClosed(0);
        await settle();
        platform.sockets[1]!.write(good);
        assert.deepEqual((await reading).value, healthy());
      });

      it(`is answered there when the new one ${what}`, async () => {
        const { reading } = await readOnBoth();
        end(platform.sockets[1]!);
        await platform.untilClosed(1);
        await settle();
        platform.sockets[0]!.write(good);
        assert.deepEqual((await reading).value, healthy());
      });
    }

    it('is answered when no new connection can be opened', async () => {
      await keepOne();
      const reading = harness.read(undefined, target);
      await platform.until([2]);
      platform.server.close();
      clock.pass(2500);
      await settle(50);
      platform.sockets[0]!.write(good);
      assert.deepEqual((await reading).value, healthy());
    });

    it('is unreachable when no new connection could be opened', async () => {
      await keepOne();
      const reading = failureOf(harness.read(undefined, target));
      await platform.until([2]);
      platform.server.close();
      clock.pass(2500);
      await settle(50);
      // On a busy machine, the client reads what has come before the time is up.
      await turn();
      clock.pass(2500);
      const failure = await reading;
      assert.equal(failure.kind, 'unreachable');
    });

    it('is retried when both connections fail', async () => {
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
      it(`leaves both connections when it ${what}`, async () => {
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

    it('is sent at most twice', async () => {
      harness.limits.requestTimeout = 3 * minute;
      const { reading } = await readOnBoth();
      clock.pass(minute);
      await settle();
      assert.deepEqual(platform.requests, [2, 1]);
      platform.sockets[1]!.write(good);
      await reading;
    });

    it('keeps its slot until it has ended', async () => {
      harness.limits.maxConcurrentRequests = 1;
      const { reading } = await readOnBoth();
      const waiting = newCall();
      const next = harness.read(waiting, target);
      await settle();

      assert.deepEqual(waiting.phases, [{ kind: 'waiting' }]);
      platform.sockets[1]!.write(good);
      await reading;
      await platform.until([2, 2]);
      platform.sockets[1]!.write(good);
      await next;
    });

    it('reports each phase once', async () => {
      const call = newCall();
      const { reading } = await readOnBoth(call);
      platform.sockets[1]!.write(good);
      await reading;
      const kinds = call.phases.map(({ kind }) => kind);
      assert.deepEqual(kinds, ['waiting', 'connecting', 'sending']);
    });

    it('is one attempt in the log', async () => {
      const { reading } = await readOnBoth();
      platform.sockets[1]!.write(good);
      await reading;
      const attempts = harness.entries.map((entry) => entry.attempts);
      assert.deepEqual(attempts, [1]);
    });
  });

  describe('on a kept connection', () => {
    it('leaves no timer when its answer comes in time', async () => {
      await keepOne();
      const reading = harness.read(undefined, target);
      await platform.until([2]);
      platform.sockets[0]!.write(good);
      await reading;
      assert.equal(clock.waiting, 0);
    });

    it('is not sent again once a byte of its answer has come', async () => {
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

    it('is sent again over TLS, whose own messages are no answer', async () => {
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
      it(`is sent twice, unlike ${what} on a new connection`, async () => {
        harness.limits.requestTimeout = 3 * minute;
        const sending = send();
        await platform.until([1]);
        clock.pass(minute);
        await settle();
        assert.deepEqual(platform.requests, [1]);
        assert.equal(clock.waiting, 1, 'timers, one for the time-out');
        platform.sockets[0]!.write(good);
        await sending;
      });
    }

    for (const [what, change, isUsed] of [
      ['after less than 4 minutes', () => clock.sleep(4 * minute), true],
      ['after more than 4 minutes', () => clock.sleep(4 * minute + 1), false],
      ['when the clock was set back', () => clock.setBack(1), false],
    ] as const) {
      it(`is sent on ${isUsed ? 'the kept' : 'a new'} connection ${what}`, async () => {
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
});

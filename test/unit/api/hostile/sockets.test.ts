import { strict as assert } from 'node:assert';
import { createServer, type Socket } from 'node:net';
import * as fc from 'fast-check';
import type { Target } from '../../../../src/api/call.js';
import { ApiError } from '../../../../src/api/failure.js';
import { healthy } from '../../../support/platform/data.js';
import { listen } from '../../../support/platform/listen.js';
import { failureOf, Harness, newCall, settle, used } from '../harness.js';

const body = JSON.stringify(healthy());
const good = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;

/** What HTTP servers are too polite for: a server that sends bytes. */
describe('a hostile socket', () => {
  const harness = used(new Harness());
  const sockets: Socket[] = [];
  /** Answers the n-th request of a connection. */
  let serve: (socket: Socket, nth: number) => void;
  let target: Target;
  const server = createServer((socket) => {
    sockets.push(socket);
    let requests = 0;
    // A request of ours comes in one piece.
    socket.on('error', () => {}).on('data', () => serve(socket, requests++));
  });
  before(async () => {
    target = { ...harness.target, baseUrl: `http://127.0.0.1:${await listen(server)}/api/v1` };
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  after(() => new Promise((resolve) => server.close(resolve)));

  const read = (call = newCall()) => harness.read(call, target);
  const revoke = () => harness.revoke(undefined, target);

  it('that sends a second answer at once, or while nothing was asked, does not get it believed', async () => {
    const poisoned = body.replace('Ops Slack', 'Poison');
    const poison = `HTTP/1.1 200 OK\r\ncontent-length: ${poisoned.length}\r\n\r\n${poisoned}`;
    for (const wait of [0, 5]) {
      serve = (socket) => {
        socket.write(wait === 0 ? good + poison : good);
        if (wait > 0) setTimeout(() => socket.write(poison), wait);
      };
      for (let at = 0; at < 4; at++) {
        assert.deepEqual((await read()).value, healthy());
        await settle(3 * wait);
      }
    }
  });

  it('that closes idle connections in the very moment of the next request costs a repeat at most', async () => {
    serve = (socket, nth) => void (nth === 0 ? socket.write(good) : socket.resetAndDestroy());
    for (let at = 0; at < 10; at++) assert.deepEqual((await read()).value, healthy());
    assert.ok(sockets.length >= 5);
  });

  it('that sends 100 Continue without end is stopped', async () => {
    serve = (socket) => void socket.write('HTTP/1.1 100 Continue\r\nx: '.padEnd(300_000, 'x'));
    assert.equal((await failureOf(read())).kind, 'invalidHttp');
  });

  it('that sends whatever bytes never leaves a read without an end', async () => {
    const place = fc.nat(good.length - 1);
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 400 }),
      fc.tuple(place, fc.nat(255)).map(([at, byte]) => Buffer.from(good).fill(byte, at, at + 1)),
      place.map((length) => Buffer.from(good.slice(0, length))),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (sent) => {
        serve = (socket) => void socket.end(sent);
        try {
          const { value } = await read();
          assert.ok(Array.isArray(value.accounts) && Array.isArray(value.requirements));
        } catch (error) {
          assert.ok(error instanceof ApiError, String(error));
        }
        assert.ok(['revoked', 'refused', 'unknown'].includes((await revoke()).kind));
      }),
      { numRuns: 150 },
    );
  });
});

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
    socket
      .on('error', () => {})
      .on('data', () => {
        serve(socket, requests);
        requests += 1;
      });
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

  const poisoned = body.replace('Ops Slack', 'Poison');
  const poison = `HTTP/1.1 200 OK\r\ncontent-length: ${poisoned.length}\r\n\r\n${poisoned}`;

  it('is not believed when it sends a second answer right behind the first', async () => {
    serve = (socket) => {
      socket.write(good + poison);
    };
    for (let nth = 0; nth < 4; nth += 1) {
      assert.deepEqual((await read()).value, healthy());
      await settle(0);
    }
  });

  it('is not believed when it sends an answer without a request', async () => {
    serve = (socket) => {
      socket.write(good);
      setTimeout(() => socket.write(poison), 5);
    };
    for (let nth = 0; nth < 4; nth += 1) {
      assert.deepEqual((await read()).value, healthy());
      await settle(15);
    }
  });

  it('costs no answer when it closes idle connections at the moment of the next request', async () => {
    serve = (socket, nth) => {
      if (nth === 0) socket.write(good);
      else socket.resetAndDestroy();
    };
    const count = 10;
    for (let nth = 0; nth < count; nth += 1) assert.deepEqual((await read()).value, healthy());
    const connections = sockets.length;
    assert.equal(connections >= count / 2, true, `only ${connections} connections`);
  });

  it('is cut off when it sends 100 Continue without end', async () => {
    serve = (socket) => {
      socket.write('HTTP/1.1 100 Continue\r\nx: '.padEnd(300_000, 'x'));
    };
    assert.equal((await failureOf(read())).kind, 'invalidHttp');
  });

  const place = fc.nat(good.length - 1);
  const anyBytes = fc.oneof(
    fc.uint8Array({ maxLength: 400 }),
    fc.tuple(place, fc.nat(255)).map(([at, byte]) => Buffer.from(good).fill(byte, at, at + 1)),
    place.map((length) => Buffer.from(good.slice(0, length))),
  );
  /** Answers with any bytes, and checks what comes of them. */
  const afterAnyBytes = (check: () => Promise<void>): Promise<void> => {
    const property = fc.asyncProperty(anyBytes, async (sent) => {
      serve = (socket) => {
        socket.end(sent);
      };
      await check();
    });
    return fc.assert(property, { numRuns: 150 });
  };

  it('ends each read with an answer or a failure, whatever bytes arrive', () =>
    afterAnyBytes(async () => {
      try {
        const { value } = await read();
        assert.equal(Array.isArray(value.accounts), true, 'accounts are a list');
        assert.equal(Array.isArray(value.requirements), true, 'requirements are a list');
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    }));

  it('ends each revocation with the outcome of a sent one, whatever bytes arrive', () =>
    afterAnyBytes(async () => {
      const { kind } = await revoke();
      assert.match(kind, /^(?:revoked|refused|unknown)$/);
    }));
});

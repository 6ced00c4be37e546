import assert from 'node:assert/strict';
import { Agent, request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { DEFAULT_TOKEN, healthy } from '../../support/service/data.js';
import { type Fault, faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { ask, askRaw, bodyOf } from './ask.js';

const PATH = '/deployments/dep_1/authorization';
const WHOLE = JSON.stringify(healthy());

describe('service: faults', () => {
  let service: Service;

  beforeEach(async () => {
    service = await startService();
    service.putDeployment('dep_1', healthy());
    service.putDeployment('dep_2', healthy());
    service.putApiKey('key_1');
  });

  afterEach(() => service.stop());

  const statusOf = async (path = PATH) => (await ask(service, path)).status;
  const connections = () => service.requests.map(({ connection }) => connection);
  const revoke = (fault: Fault) => {
    service.fault('all', { ...fault, times: 1 });
    return ask(service, '/api-keys/key_1', { method: 'DELETE' }).then(
      ({ status }) => status,
      (error: NodeJS.ErrnoException) => error.code,
    );
  };
  /** One answer with this fault, seen by an HTTP client. */
  const reply = (fault: Fault) => {
    service.fault('all', { ...fault, times: 1 });
    return ask(service, PATH);
  };
  /** The same, seen from the wire. */
  const wire = (fault: Fault, enough?: (bytes: Buffer) => boolean) => {
    service.fault('all', { ...fault, times: 1 });
    return askRaw(service, PATH, enough);
  };

  describe('whom they meet', () => {
    it('stay until they are cleared, or for so many times', async () => {
      service.fault('all', faults.status(503));
      assert.deepEqual([await statusOf(), await statusOf()], [503, 503]);
      service.clearFaults();
      service.fault('all', { status: 503, times: 2 });
      assert.deepEqual([await statusOf(), await statusOf(), await statusOf()], [503, 503, 200]);
    });

    it('with a number go first, in the order they were set; of those that stay the newest counts', async () => {
      service.fault('all', faults.status(500));
      service.fault('all', faults.status(501));
      service.fault('all', { status: 502, times: 1 });
      service.fault('all', { status: 503, times: 1 });
      assert.deepEqual([await statusOf(), await statusOf(), await statusOf()], [502, 503, 501]);
    });

    it('are the most specific: id before operation before all', async () => {
      service.fault({ operation: 'getDeploymentAuthorization' }, faults.status(502));
      service.fault({ id: 'dep_1' }, faults.status(501));
      service.fault('all', faults.status(503));
      const second = '/deployments/dep_2/authorization';
      assert.deepEqual([await statusOf(), await statusOf(second), await statusOf('/else')], [501, 502, 503]);
      service.clearFaults({ id: 'dep_1' });
      assert.equal(await statusOf(), 502);
    });

    it('join a standing one of the data, unless they bring an answer of their own: a slow 403', async () => {
      service.data.standing.push({ target: { id: 'dep_1' }, fault: { status: 403 } });
      assert.equal(await statusOf(), 403);
      service.fault('all', { ...faults.hold(), times: 1 });
      const late = statusOf();
      await service.waitForRequests(1, { state: 'held' });
      service.release();
      assert.equal(await late, 403);
      service.fault('all', faults.status(500));
      assert.equal(await statusOf(), 500);
      service.clearFaults();
      assert.equal(await statusOf(), 403);
    });
  });

  describe('answers', () => {
    it('with any status, headers and body', async () => {
      const html = await reply(faults.html(502));
      assert.deepEqual([html.status, html.headers['content-type']], [502, 'text/html; charset=utf-8']);
      assert.match(html.body, /^<!DOCTYPE html>/);
      assert.equal((await reply(faults.text(418, 'teapot'))).body, 'teapot');
      assert.equal((await reply(faults.noBody(500))).body, '');
      assert.equal((await reply(faults.noContent())).status, 204);
      assert.equal((await reply(faults.json([null]))).body, '[null]');
      assert.deepEqual((await reply({ status: 200, headers: { 'x-two': ['a', 'b'] } })).headers['x-two'], 'a, b');
      assert.match((await reply(faults.status(500))).body, /"message":"Internal Server Error"/);
    });

    it('that redirect or say when to come back', async () => {
      const { status, headers } = await reply(faults.redirect('https://elsewhere.example/x', 307));
      assert.deepEqual([status, headers.location], [307, 'https://elsewhere.example/x']);
      const later = async (when: number | Date | string) =>
        (await reply(faults.retryAfter(when))).headers['retry-after'];
      assert.equal(await later(7), '7');
      assert.equal(await later(new Date(0)), 'Thu, 01 Jan 1970 00:00:00 GMT');
      assert.equal(await later('soon'), 'soon');
    });

    it('that echo the request', async () => {
      const { status, body } = await reply(faults.echo('html'));
      assert.equal(status, 500);
      assert.match(body, /authorization: Bearer sample-access-token/);
      assert.match(body, /Bearer%20sample-access-token/);
      assert.ok(body.includes(Buffer.from(`Bearer ${DEFAULT_TOKEN}`).toString('base64')));
      assert.match((await reply(faults.echo('json', 403))).body, /"authorization":"Bearer sample/);
    });

    it('really encoded', async () => {
      const gzip = await wire(faults.encoded('gzip'));
      assert.match(gzip.bytes.toString('latin1'), /content-encoding: gzip/);
      assert.equal(gunzipSync(bodyOf(gzip)).toString(), WHOLE);
      const br = await wire(faults.encoded('br'));
      assert.equal(brotliDecompressSync(bodyOf(br)).toString(), WHOLE);
    });

    it('as a gzip bomb: little to send, much to decode', async () => {
      const { bytes } = await wire(faults.gzipBomb(20_000_000));
      assert.ok(bytes.length < 100_000, `${bytes.length} bytes sent`);
      const body = await reply(faults.gzipBomb(1_000_000));
      assert.equal(body.headers['content-encoding'], 'gzip');
    });

    it('of a given size, well-formed', async () => {
      const { body } = await reply(faults.large(2_000_000));
      assert.ok(Math.abs(body.length - 2_000_000) < 500, `${body.length} bytes`);
      assert.ok(JSON.parse(body).accounts.length > 1000);
    });

    it('with huge headers', async () => {
      const { bytes } = await wire(faults.hugeHeaders(100_000));
      assert.ok(bytes.indexOf('\r\n\r\n') > 100_000);
    });

    it('after informational ones', async () => {
      const { bytes } = await wire(faults.informational(102, 103));
      const lines = bytes
        .toString()
        .match(/^HTTP.*$/gm)
        ?.map((line) => line.trim());
      assert.deepEqual(lines, ['HTTP/1.1 102 Processing', 'HTTP/1.1 103 Early Hints', 'HTTP/1.1 200 OK']);
    });

    it('of raw bytes', async () => {
      const { bytes, end } = await wire(faults.raw(Buffer.from([0, 255, 10])));
      assert.deepEqual([[...bytes], end], [[0, 255, 10], 'end']);
      assert.equal((await wire(faults.raw('HTTP/1.1 2', 'reset'))).end, 'ECONNRESET');
      const open = await wire(faults.raw('HTTP/1.1 2', 'open'), (got) => got.length === 10);
      assert.equal(open.end, 'enough');
    });
  });

  describe('connections', () => {
    it('reset before, after the headers, and in the body', async () => {
      const before = await wire(faults.reset('before'));
      assert.deepEqual([before.bytes.length, before.end], [0, 'ECONNRESET']);
      const headers = await wire(faults.reset('headers'));
      assert.deepEqual([bodyOf(headers).length, headers.end], [0, 'ECONNRESET']);
      assert.match(headers.bytes.toString(), /^HTTP\/1\.1 200 OK/);
      const body = await wire(faults.reset('body'));
      assert.deepEqual([bodyOf(body).length, body.end], [Math.floor(WHOLE.length / 2), 'ECONNRESET']);
      assert.deepEqual(
        service.requests.map(({ state }) => state),
        ['broken', 'broken', 'broken'],
      );
    });

    it('cut a body that promised more', async () => {
      const cut = await wire(faults.cut(20));
      assert.match(cut.bytes.toString(), new RegExp(`content-length: ${WHOLE.length}\r\n`, 'i'));
      assert.deepEqual([bodyOf(cut).toString(), cut.end], [WHOLE.slice(0, 20), 'end']);
      const chunked = await wire({ chunked: true, cut: 20 });
      assert.match(chunked.bytes.toString(), /transfer-encoding: chunked/i);
      assert.doesNotMatch(bodyOf(chunked).toString(), /\r\n0\r\n/);
    });

    it('drip', async () => {
      const start = performance.now();
      assert.equal((await reply(faults.drip(100, 20))).body, WHOLE);
      assert.ok(performance.now() - start >= 70, `${performance.now() - start} ms`);
    });

    it('wait', async () => {
      const start = performance.now();
      assert.equal((await reply(faults.latency(80))).status, 200);
      assert.ok(performance.now() - start >= 75, `${performance.now() - start} ms`);
    });

    it('never end, and stop ticking when the client goes', async () => {
      const { end } = await wire(faults.endless(), (got) => got.length > 3_000_000);
      assert.equal(end, 'enough');
      const [record] = await service.waitForRequests(1, { state: 'aborted' });
      assert.equal(record?.abortedByClient, true);
    });

    it('never answer', async () => {
      const leave = new AbortController();
      service.fault('all', faults.silent());
      const asked = ask(service, PATH, { signal: leave.signal });
      await service.waitForRequests(1, { state: 'open' });
      leave.abort();
      await assert.rejects(asked, { name: 'AbortError' });
      await service.waitForRequests(1, { state: 'aborted' });
    });

    describe('kept alive', () => {
      let agent: Agent;
      beforeEach(() => {
        agent = new Agent({ keepAlive: true, maxSockets: 1 });
      });
      afterEach(() => agent.destroy());

      const kept = () =>
        new Promise<number>((resolve, reject) => {
          httpRequest(service.baseUrl + PATH, { agent }, (response) => {
            response.resume().on('end', () => resolve(response.statusCode ?? 0));
          })
            .on('error', reject)
            .end();
        });
      const idleSocketGone = async () => {
        const [socket] = Object.values(agent.freeSockets)[0] ?? [];
        assert.ok(socket, 'no idle connection');
        await new Promise((resolve) => socket.once('close', resolve));
      };

      it('are one connection', async () => {
        await kept();
        await kept();
        assert.deepEqual(connections(), [1, 1]);
      });

      it('close after an answer without having said so', async () => {
        service.fault('all', { ...faults.closing(), times: 1 });
        assert.equal(await kept(), 401);
        await idleSocketGone();
        await kept();
        assert.deepEqual(connections(), [1, 2]);
      });

      it('close while idle, after a time or on request', async () => {
        service.fault('all', { ...faults.closing(30), times: 1 });
        await kept();
        await idleSocketGone();
        await kept();
        service.closeConnections('idle');
        await idleSocketGone();
        await kept();
        assert.deepEqual(connections(), [1, 2, 3]);
      });
    });
  });

  describe('held answers', () => {
    it('go when released, the oldest first, and hold up nobody else', async () => {
      service.fault({ id: 'dep_1' }, faults.hold());
      const done: string[] = [];
      const first = ask(service, PATH).then(() => done.push('first'));
      await service.waitForRequests(1, { state: 'held' });
      const second = ask(service, PATH).then(() => done.push('second'));
      await service.waitForRequests(2, { state: 'held' });
      await ask(service, '/deployments/dep_2/authorization').then(() => done.push('other'));
      assert.equal(service.release({ id: 'dep_1' }, 1), 1);
      await first;
      assert.equal(service.release(), 1);
      await second;
      assert.deepEqual(done, ['other', 'first', 'second']);
      assert.equal(service.release(), 0);
    });

    it('tell what was true when the request came', async () => {
      service.fault('all', { ...faults.hold(), times: 1 });
      const late = ask(service, PATH);
      await service.waitForRequests(1, { state: 'held' });
      service.putDeployment('dep_1', { accounts: [], requirements: [] });
      const early = await ask(service, PATH);
      service.release();
      assert.deepEqual([early.body, (await late).body], ['{"accounts":[],"requirements":[]}', WHOLE]);
    });

    it('are forgotten when the client goes', async () => {
      const leave = new AbortController();
      service.fault('all', faults.hold());
      const asked = ask(service, PATH, { signal: leave.signal });
      await service.waitForRequests(1, { state: 'held' });
      leave.abort();
      await assert.rejects(asked);
      await service.waitForRequests(1, { state: 'aborted' });
      assert.equal(service.release(), 0);
    });
  });

  describe('and a DELETE', () => {
    it('has no effect where something else is answered, unless the fault says so', async () => {
      assert.equal(await revoke(faults.status(500)), 500);
      assert.equal(await revoke(faults.reset('before')), 'ECONNRESET');
      assert.equal(service.data.apiKeys.has('key_1'), true);
      assert.equal(await revoke({ reset: 'before', effect: true }), 'ECONNRESET');
      assert.equal(service.data.apiKeys.has('key_1'), false);
    });

    it('has its effect where its own answer is sent badly', async () => {
      service.data.revoked = { status: 200, body: '{"ok":true}', headers: {} };
      assert.equal(await revoke(faults.cut(3)), 'ECONNRESET');
      assert.equal(service.data.apiKeys.has('key_1'), false);
    });
  });

  it('leave a record of who was in flight together', async () => {
    service.fault('all', faults.hold());
    const asked = [ask(service, PATH), ask(service, PATH), ask(service, PATH)];
    await service.waitForRequests(3, { state: 'held' });
    service.release();
    await Promise.all(asked);
    assert.deepEqual(
      service.requests.map(({ inFlight }) => inFlight).toSorted((left, right) => left - right),
      [1, 2, 3],
    );
  });

  it('say what was missing when waiting was in vain', async () => {
    await ask(service, PATH);
    await assert.rejects(
      service.waitForRequests(2, { id: 'dep_1' }, 30),
      /1 of 2 requests .*GET \/api\/v1\/dep.*answered/,
    );
  });
});

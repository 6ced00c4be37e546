import { strict as assert } from 'node:assert';
import { createServer as createTlsServer } from 'node:tls';
import type { RouteSettings } from '../../../../src/api/network/route.js';
import type { Phase } from '../../../../src/api/queue.js';
import type { Call } from '../../../../src/api/send.js';
import { healthy } from '../../../support/service/data.js';
import { type Fault, faults } from '../../../support/service/faults.js';
import { listen } from '../../../support/service/listen.js';
import { closedPort, failureOf, newCall, settle, startSilentServer, used } from '../harness.js';
import { editorWayTo, plainSettings, RoutedHarness, resolver, SystemAuthority, serviceName } from './routedHarness.js';

/** `fetch` that fails as the editor's does: with the reason behind a `TypeError`. Node names the call of the system that failed. */
function failing(code: string, message = 'reason', syscall?: string): () => Promise<Response> {
  const cause = Object.assign(new Error(message), { code, ...(syscall !== undefined && { syscall }) });
  return () => Promise.reject(new TypeError('fetch failed', { cause }));
}

describe("the editor's fetch", () => {
  const system = new SystemAuthority();
  let lookups: Record<string, readonly string[]>;
  let asked: string[];
  /** What the editor does: by default it knows a way to the service that nobody else knows. */
  let editor: typeof fetch;
  const harness: RoutedHarness = used(
    new RoutedHarness({
      readCertificates: system.read,
      lookup: (name, options, callback) => resolver(lookups, asked)(name, options, callback),
      editorFetch: (input, init) => {
        asked.push(`editor ${init?.method}`);
        return editor(input, init);
      },
    }),
  );
  const known = editorWayTo(() => harness.service);
  const port = 8443;
  const target = () => ({ ...harness.target, baseUrl: `https://${serviceName}:${port}/api/v1` });
  const read = (call = newCall()) => harness.read(call, target());
  const revoke = (call: Call = newCall(true)) => harness.revoke(call, target());
  const noName = { step: 'dns', code: 'ENOTFOUND', host: serviceName, port };

  beforeEach(() => {
    asked = [];
    editor = known;
    lookups = {};
  });

  it('is asked when the name can not be resolved, and remembered', async () => {
    assert.deepEqual((await read()).value, healthy());
    assert.deepEqual(asked, [serviceName, 'editor GET']);
    assert.deepEqual((await read()).value, healthy());
    assert.deepEqual(await revoke(), { kind: 'revoked', status: 204 });
    assert.deepEqual(asked, [serviceName, 'editor GET', 'editor GET', 'editor DELETE']);
    assert.equal(harness.service.requests[0]?.headers.authorization, `Bearer ${harness.target.token}`);
    harness.client.forgetRoutes();
    assert.equal((await revoke()).kind, 'refused', 'the key is gone');
    assert.deepEqual(asked.slice(4), [serviceName, 'editor DELETE']);
  });

  it('is asked when nobody listens, when TLS fails, and when no connection is made in time', async () => {
    const { port: silent, stop } = await startSilentServer();
    const refusing = await closedPort();
    lookups = { [serviceName]: ['127.0.0.1'] };
    // A third of it is for the direct way.
    harness.limits.requestTimeout = 2400;
    const plain = harness.servicePort;
    for (const [name, at] of Object.entries({ refusing, silent, plain })) {
      const baseUrl = `https://${serviceName}:${at}/api/v1`;
      assert.deepEqual((await harness.read(undefined, { ...harness.target, baseUrl })).value, healthy(), name);
    }
    stop();
  });

  it('is not asked once something was sent', async () => {
    const sent: string[] = [];
    const server = createTlsServer(system.authority.issue([serviceName]), (socket) => {
      socket.once('data', (chunk: Buffer) => {
        sent.push(chunk.toString('latin1', 0, 6));
        socket.destroy();
      });
    });
    lookups = { [serviceName]: ['127.0.0.1'] };
    const baseUrl = `https://${serviceName}:${await listen(server)}/api/v1`;
    const broken = { ...harness.target, baseUrl };
    assert.equal((await harness.revoke(undefined, broken)).kind, 'unknown');
    assert.equal((await failureOf(harness.read(undefined, broken))).kind, 'connectionLost');
    assert.deepEqual(sent, ['DELETE', 'GET /a', 'GET /a', 'GET /a']);
    assert.deepEqual(new Set(asked), new Set([serviceName]));
    await new Promise((resolve) => server.close(resolve));
  });

  const unverified = 'NODE_TLS_REJECT_UNAUTHORIZED';
  const without: Record<string, Partial<RouteSettings>> = {
    'proxySupport is off': { proxySupport: 'off' },
    'no proxy is to be used': { noProxy: [serviceName] },
    'the editor verifies no certificates': { proxyStrictSSL: false },
    'there is a proxy': { proxy: 'http://proxy.test.example:3128' },
    [unverified]: {},
  };
  for (const [name, settings] of Object.entries(without)) {
    it(`is not asked where ${name}`, async () => {
      const before = process.env[unverified];
      if (name === unverified) process.env[unverified] = '0';
      harness.settings = { ...plainSettings, ...settings };
      try {
        const failure = await failureOf(read());
        assert.ok(failure.kind === 'unreachable');
        assert.equal(failure.viaEditor, undefined);
        assert.equal((await revoke()).kind, 'notSent');
        assert.ok(!asked.some((one) => one.startsWith('editor')));
      } finally {
        if (before === undefined) delete process.env[unverified];
        else process.env[unverified] = before;
      }
    });
  }

  it('is the only way through a SOCKS proxy', async () => {
    harness.settings = { ...plainSettings, proxy: 'socks5://127.0.0.1:1080' };
    assert.deepEqual((await read()).value, healthy());
    assert.deepEqual(asked, ['editor GET']);
  });

  const at = (step: string, code: string) => ({ step, code, host: serviceName, port });
  const failures: Record<string, [code: string, viaEditor: object, message?: string, syscall?: string]> = {
    'no name': ['ENOTFOUND', at('dns', 'ENOTFOUND')],
    'no way to the host': ['EHOSTUNREACH', at('network', 'EHOSTUNREACH'), undefined, 'connect'],
    'an expired certificate': ['CERT_HAS_EXPIRED', at('tls', 'CERT_HAS_EXPIRED')],
    'a proxy that refuses': [
      'UND_ERR_ABORTED',
      { step: 'proxy', code: 'ERR_PROXY_TUNNEL', host: '', status: 407 },
      'Proxy response (407) !== 200 when HTTP Tunneling',
    ],
  };
  for (const [name, [code, viaEditor, message, syscall]] of Object.entries(failures)) {
    it(`fails as well, and both causes are named: ${name}`, async () => {
      editor = failing(code, message, syscall);
      const failure = { kind: 'unreachable', cause: noName, viaEditor };
      assert.deepEqual(await failureOf(read()), failure);
      assert.deepEqual(await revoke(), { kind: 'notSent', failure });
      // Nothing is remembered.
      editor = known;
      assert.deepEqual((await read()).value, healthy());
    });
  }

  for (const code of ['ECONNRESET', 'EPROTO']) {
    it(`fails with ${code}: unreachable for a read, unknown for a revocation`, async () => {
      editor = failing(code);
      const failure = await failureOf(read());
      assert.ok(failure.kind === 'unreachable');
      assert.deepEqual(failure.cause, noName);
      assert.equal(failure.viaEditor?.code, code);
      harness.client.forgetRoutes();
      assert.deepEqual(await revoke(), { kind: 'unknown', failure: { kind: 'connectionLost', code } });
    });
  }

  it('loses a connection after a revocation was sent: unknown, and not sent once more', async () => {
    await read();
    asked = [];
    editor = failing('EHOSTUNREACH', 'read', 'read');
    const failure = { kind: 'connectionLost', code: 'EHOSTUNREACH' };
    assert.deepEqual(await revoke(), { kind: 'unknown', failure });
    assert.deepEqual(asked, ['editor DELETE']);
  });

  it('that worked before and fails now gives way to the direct way', async () => {
    await read();
    editor = failing('ENOTFOUND');
    assert.deepEqual(await failureOf(read()), { kind: 'unreachable', cause: noName, viaEditor: noName });
    assert.deepEqual(asked, [serviceName, 'editor GET', 'editor GET', serviceName]);
    await failureOf(read());
    assert.equal(asked[4], serviceName, 'and is forgotten');
  });

  it('is waited for in the queue after a direct try, people first', async () => {
    const waiting: (() => void)[] = [];
    editor = async (input, init) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return known(input, init);
    };
    const bulk = Array.from({ length: 12 }, () => read());
    while (waiting.length < 3) await settle(5);
    await settle();
    assert.equal(waiting.length, 3);
    const reading = read(newCall(true));
    // In the place that is kept.
    while (waiting.length < 4) await settle(5);
    const revoking = revoke();
    await settle();
    waiting.shift()!();
    while (waiting.length < 4) await settle(5);
    const order = asked.filter((one) => one.startsWith('editor'));
    assert.deepEqual(order, [...Array<string>(4).fill('editor GET'), 'editor DELETE']);
    editor = known;
    const releasing = setInterval(() => waiting.shift()?.(), 1);
    await Promise.all([...bulk, reading, revoking]);
    clearInterval(releasing);
  });

  it('is not given what waits for it while a 429 pauses the organization', async () => {
    await read();
    asked = [];
    harness.service.fault('all', faults.retryAfter(60));
    const paused = { ...target(), organizationId: 'paused' };
    const call = newCall();
    const kinds = Array.from({ length: 7 }, () => failureOf(harness.read(call, paused)).then(({ kind }) => kind));
    await harness.service.waitForRequests(4, { state: 'answered' });
    await settle();
    assert.ok(harness.client.pausedUntil('paused'));
    assert.equal(asked.length, 3);
    call.cancel();
    assert.deepEqual((await Promise.all(kinds)).toSorted(), [
      ...Array<string>(4).fill('cancelled'),
      ...Array<string>(3).fill('rateLimited'),
    ]);
  });

  it('counts only the time since a request left the queue', async () => {
    await read();
    harness.limits.maxConcurrentRequests = 64;
    harness.limits.requestTimeout = 1500;
    harness.service.fault('all', faults.latency(200));
    // Several times as many as can be answered in that time.
    const answers = await Promise.all(Array.from({ length: 30 }, () => read()));
    assert.equal(answers.length, 30);
  });

  it('is not asked by what is cancelled in the moment of its turn', async () => {
    await read();
    asked = [];
    const call = newCall(true);
    let turns = 0;
    const onPhase = ({ kind }: Phase) => void (kind === 'connecting' && ++turns === 2 && call.cancel());
    assert.deepEqual(await revoke({ ...call, onPhase }), { kind: 'notSent', failure: { kind: 'cancelled' } });
    assert.deepEqual(asked, []);
  });

  it('ends when cancelled or out of time, even if it does not listen; a revocation perhaps left', async () => {
    editor = () => new Promise<Response>(() => {});
    harness.limits.requestTimeout = 100;
    assert.deepEqual(await failureOf(read()), { kind: 'timedOut', after: 100 });
    harness.limits.requestTimeout = 5000;
    const call = newCall(true);
    const reading = failureOf(read(call));
    const revoking = revoke(call);
    while (!asked.includes('editor DELETE')) await settle(5);
    call.cancel();
    assert.deepEqual(await reading, { kind: 'cancelled' });
    assert.deepEqual(await revoking, { kind: 'unknown', failure: { kind: 'cancelled' } });
  });

  it('reads a redirect, a refusal and a body as the direct way does', async () => {
    for (const [fault, failure] of [
      [faults.redirect('https://login.example/x'), { kind: 'redirected', status: 302, host: 'login.example' }],
      [faults.text(404, 'no'), { kind: 'notFound', status: 404, excerpt: 'no' }],
      [faults.noContent(), { kind: 'unusable', reason: 'empty', status: 204 }],
    ] as const) {
      harness.service.fault('all', fault);
      assert.deepEqual(await failureOf(read()), failure);
    }
  });

  const bodies: Record<string, [fault: Fault, reason: string]> = {
    'an endless body': [faults.endless(), 'tooLarge'],
    'a bomb': [faults.gzipBomb(1024 ** 3), 'tooLarge'],
    'a cut body': [faults.cut(20), 'truncated'],
    'a cut body without a length': [faults.raw('HTTP/1.1 200 OK\r\n\r\n{"accounts":[],"requ'), 'truncated'],
  };
  for (const [name, [fault, reason]] of Object.entries(bodies)) {
    it(`brings ${name}: ${reason}`, async () => {
      harness.service.fault('all', fault);
      const failure = await failureOf(read());
      assert.ok(failure.kind === 'unusable');
      assert.equal(failure.reason, reason);
      await harness.service.waitForRequests(1, { state: ['aborted', 'answered', 'broken'] });
      assert.equal(harness.service.requests.length, reason === 'truncated' ? 3 : 1);
    });
  }

  it('is stopped by the time-out while a body drips', async () => {
    await read();
    harness.service.fault('all', faults.drip(1, 20));
    harness.limits.requestTimeout = 200;
    assert.deepEqual(await failureOf(read()), { kind: 'timedOut', after: 200 });
    await harness.service.waitForRequests(1, { state: 'aborted' });
  });

  it('may hide where a redirect leads', async () => {
    const hidden = Object.defineProperties(new Response(null), {
      status: { value: 0 },
      type: { value: 'opaqueredirect' },
    });
    editor = () => Promise.resolve(hidden);
    assert.deepEqual(await failureOf(read()), { kind: 'redirected', status: 0 });
  });
});

import { strict as assert } from 'node:assert';
import { createServer as createTlsServer } from 'node:tls';
import type { Call, Phase } from '../../../../src/api/call.js';
import type { RouteSettings } from '../../../../src/api/network/route.js';
import { healthy } from '../../../support/platform/data.js';
import { type Fault, faults } from '../../../support/platform/faults.js';
import { listen } from '../../../support/platform/listen.js';
import {
  closedPort,
  editorWayTo,
  failureOf,
  Harness,
  named,
  newCall,
  plainSettings,
  platformHost,
  platformTls,
  portOf,
  rejectUnauthorized,
  settle,
  startSilentServer,
  used,
} from '../harness.js';

/** `fetch` that fails as the editor's does: with the reason behind a `TypeError`. Node names the call of the system that failed. */
function failing(code: string, message = 'reason', syscall?: string): () => Promise<Response> {
  const cause = Object.assign(new Error(message), {
    code,
    ...(syscall !== undefined && { syscall }),
  });
  return () => Promise.reject(new TypeError('fetch failed', { cause }));
}

const unusable = (reason: string) => ({ kind: 'unusable', reason, status: 200 });

describe("the editor's fetch", () => {
  /** Methods that the editor was asked for. */
  let asked: string[];
  /** What the editor does: by default it knows a way to the platform that no resolver knows. */
  let editor: typeof fetch;
  let routeChanges: number;
  const harness: Harness = used(
    new Harness({
      onRouteChange: () => routeChanges++,
      editorFetch: (input, init) => {
        asked.push(String(init?.method));
        return editor(input, init);
      },
    }),
  );
  const known = editorWayTo(() => harness.platform);
  const port = 8443;
  const target = (at = port) => ({
    ...harness.target,
    baseUrl: `https://${platformHost}:${at}/api/v1`,
  });
  const read = (call = newCall()) => harness.read(call, target());
  const revoke = (call: Call = newCall(true)) => harness.revoke(call, target());
  const noName = { step: 'dns', code: 'ENOTFOUND', host: platformHost, port };

  beforeEach(() => {
    asked = [];
    editor = known;
    routeChanges = 0;
  });

  it('is no change of route when it is asked for the first time, and again', async () => {
    await read();
    await read();
    assert.equal(routeChanges, 0);
  });

  it('is a change of route when it fails after it worked', async () => {
    await read();
    editor = failing('ECONNREFUSED', 'reason', 'connect');
    await failureOf(read());
    assert.equal(routeChanges, 1);
  });

  it('is asked when the name can not be resolved, and remembered', async () => {
    for (let nth = 0; nth < 2; nth++) assert.deepEqual((await read()).value, healthy());
    assert.deepEqual(await revoke(), { kind: 'revoked', status: 204 });
    assert.deepEqual(asked, ['GET', 'GET', 'DELETE']);
    assert.deepEqual(harness.resolved, [platformHost]);
    assert.equal(
      harness.platform.requests[0]?.headers.authorization,
      `Bearer ${harness.target.token}`,
    );
    harness.router.forget();
    assert.equal((await revoke()).kind, 'refused', 'the key is gone');
    assert.deepEqual(harness.resolved, [platformHost, platformHost]);
  });

  it('is asked when no server listens, when TLS fails, and when no connection is made in time', async () => {
    const { port: silent, stop } = await startSilentServer();
    harness.names = { [platformHost]: ['127.0.0.1'] };
    // A third of it is for the direct way.
    harness.limits.requestTimeout = 2400;
    for (const [name, at] of Object.entries({
      refusing: closedPort,
      silent,
      plain: portOf(harness.platform),
    })) {
      assert.deepEqual((await harness.read(undefined, target(at))).value, healthy(), name);
    }
    stop();
  });

  it('is not asked once something was sent', async () => {
    const sent: string[] = [];
    const server = createTlsServer(platformTls, (socket) => {
      socket.once('data', (chunk: Buffer) => {
        sent.push(chunk.toString('latin1', 0, 3));
        socket.destroy();
      });
    });
    harness.names = { [platformHost]: ['127.0.0.1'] };
    const broken = target(await listen(server));
    assert.equal((await harness.revoke(undefined, broken)).kind, 'unknown');
    assert.equal((await failureOf(harness.read(undefined, broken))).kind, 'connectionLost');
    assert.deepEqual([sent, asked], [['DEL', 'GET', 'GET', 'GET'], []]);
    await new Promise((resolve) => server.close(resolve));
  });

  const without: Record<string, Partial<RouteSettings>> = {
    'proxySupport is off': { proxySupportOff: true },
    'the editor verifies no certificates': { proxyStrictSSL: false },
    'there is a proxy': { proxies: named('http://proxy.test.example:3128') },
    [`${rejectUnauthorized} is 0`]: {},
  };
  for (const [name, settings] of Object.entries(without)) {
    it(`is not asked where ${name}`, async () => {
      if (name.startsWith(rejectUnauthorized)) process.env[rejectUnauthorized] = '0';
      harness.settings = { ...plainSettings, ...settings };
      const failure = await failureOf(read());
      assert.ok(failure.kind === 'unreachable' && failure.viaEditor === undefined);
      assert.deepEqual(asked, []);
    });
  }

  it('is the only way through a SOCKS proxy', async () => {
    harness.settings = { ...plainSettings, proxies: named('socks5://127.0.0.1:1080') };
    assert.deepEqual((await read()).value, healthy());
    assert.deepEqual(harness.resolved, []);
  });

  it('names the SOCKS proxy that refuses connections, and not the host of the base URL', async () => {
    harness.settings = { ...plainSettings, proxies: named('socks5://127.0.0.1:1080') };
    const refused = { code: 'ECONNREFUSED', syscall: 'connect', address: '127.0.0.1', port: 1080 };
    editor = () =>
      Promise.reject(new TypeError('fetch failed', { cause: Object.assign(new Error(), refused) }));
    const cause = {
      step: 'proxy',
      code: 'ECONNREFUSED',
      host: '127.0.0.1',
      port: 1080,
      source: 'http.proxy',
    };
    await harness.failsUnsent({ kind: 'unreachable', cause }, target());
  });

  const at = (step: string, code: string) => ({ step, code, host: platformHost, port });
  const failures: [viaEditor: object, code: string, message?: string, syscall?: string][] = [
    [at('dns', 'ENOTFOUND'), 'ENOTFOUND'],
    [at('network', 'EHOSTUNREACH'), 'EHOSTUNREACH', undefined, 'connect'],
    [at('tls', 'CERT_REVOKED'), 'CERT_REVOKED'],
    [
      { step: 'proxy', code: 'ERR_PROXY_TUNNEL', host: '', status: 407 },
      'UND_ERR_ABORTED',
      'Proxy response (407) !== 200',
    ],
  ];
  for (const [viaEditor, ...reason] of failures) {
    it(`fails as well, and both causes are named: ${reason.join(' ')}`, async () => {
      editor = failing(...reason);
      await harness.failsUnsent({ kind: 'unreachable', cause: noName, viaEditor }, target());
      // Nothing is remembered.
      assert.deepEqual(harness.resolved, [platformHost, platformHost]);
    });
  }

  it('may have sent what it lost: unreachable for a read, unknown for a revocation, which is not sent once more', async () => {
    editor = failing('EPROTO');
    const viaEditor = { ...at('tls', 'EPROTO'), isAfterHandshake: true };
    assert.deepEqual(await failureOf(read()), { kind: 'unreachable', cause: noName, viaEditor });
    harness.router.forget();
    for (let nth = 0; nth < 2; nth++) {
      const failure = { kind: 'unreachable', cause: viaEditor };
      assert.deepEqual(await revoke(), { kind: 'unknown', failure });
    }
    assert.deepEqual(asked, ['GET', 'DELETE', 'DELETE']);
    // A handshake that failed is no way that works.
    assert.equal(harness.resolved.length, 3);
  });

  it('gives way to the direct way when it worked before and fails now', async () => {
    await read();
    editor = failing('ENOTFOUND');
    assert.deepEqual(await failureOf(read()), {
      kind: 'unreachable',
      cause: noName,
      viaEditor: noName,
    });
    assert.deepEqual([asked.length, harness.resolved.length], [2, 2]);
    editor = known;
    assert.deepEqual((await read()).value, healthy());
    assert.equal(harness.resolved.length, 3, 'and is forgotten');
  });

  for (const cancelledAt of ['connecting', 'sending'] as const) {
    it(`is not asked for a revocation that is cancelled as it is about to be ${cancelledAt}`, async () => {
      await read();
      const call = newCall(true);
      const onPhase = ({ kind }: Phase) => void (kind === cancelledAt && call.cancel());
      assert.deepEqual(await revoke({ ...call, onPhase }), {
        kind: 'notSent',
        failure: { kind: 'cancelled' },
      });
      assert.deepEqual(asked, ['GET']);
    });
  }

  it('ends when cancelled or out of time, even if it does not listen; a revocation perhaps left', async () => {
    editor = () => new Promise<Response>(() => {});
    harness.limits.requestTimeout = 100;
    assert.deepEqual(await failureOf(read()), { kind: 'timedOut', after: 100 });
    harness.limits.requestTimeout = 5000;
    const call = newCall(true);
    const reading = failureOf(read(call));
    const revoking = revoke(call);
    while (!asked.includes('DELETE')) await settle(5);
    call.cancel();
    assert.deepEqual(await reading, { kind: 'cancelled' });
    assert.deepEqual(await revoking, { kind: 'unknown', failure: { kind: 'cancelled' } });
  });

  const answers: Record<string, [fault: Fault, failure: object]> = {
    'a refusal': [faults.text(404, 'no'), { kind: 'notFound', status: 404, excerpt: 'no' }],
    'an endless body': [faults.endless(), unusable('tooLarge')],
    'a cut body': [{ cut: 20 }, unusable('truncated')],
    'a cut body without a length': [
      faults.raw('HTTP/1.1 200 OK\r\n\r\n{"accounts":[],"requ'),
      unusable('truncated'),
    ],
    'a body that drips': [faults.drip(1, 20), { kind: 'timedOut', after: 5000 }],
  };
  for (const [name, [fault, expected]] of Object.entries(answers)) {
    it(`brings ${name} as the direct way does`, async () => {
      await read();
      harness.platform.reset();
      harness.platform.fault('all', fault);
      const reading = failureOf(read());
      await harness.platform.waitForRequests(1);
      if (name === 'a body that drips') harness.timers.end();
      const failure = await reading;
      if (failure.kind === 'unusable') Reflect.deleteProperty(failure, 'excerpt');
      assert.deepEqual(failure, expected);
      await harness.platform.waitForRequests(1, { state: ['aborted', 'answered', 'broken'] });
    });
  }
});

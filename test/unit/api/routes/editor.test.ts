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

/** A `fetch` that fails like the editor's: with a `TypeError` whose cause is the reason. Node names the failed call of the system. */
function failing(code: string, message = 'reason', syscall?: string): () => Promise<Response> {
  const cause = Object.assign(new Error(message), {
    code,
    ...(syscall !== undefined && { syscall }),
  });
  return () => Promise.reject(new TypeError('fetch failed', { cause }));
}

const unusable = (reason: string) => ({ kind: 'unusable', reason, status: 200 });

describe("the editor's fetch", () => {
  /** The methods of the requests that the editor's fetch got. */
  let asked: string[];
  /** The editor's fetch, which by default finds the platform although no resolver knows its name. */
  let editor: typeof fetch;
  let routeChanges: number;
  const harness: Harness = used(
    new Harness({
      onRouteChange: () => {
        routeChanges += 1;
      },
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

  it('changes no route when each of its requests succeeds', async () => {
    await read();
    await read();
    assert.equal(routeChanges, 0);
  });

  it('changes the route when a request fails after one that succeeded', async () => {
    await read();
    editor = failing('ECONNREFUSED', 'reason', 'connect');
    await failureOf(read());
    assert.equal(routeChanges, 1);
  });

  it('sends a request with the token when the name is not found', async () => {
    const { value } = await read();
    const [request] = harness.platform.requests;
    assert.deepEqual(value, healthy());
    assert.equal(request?.headers.authorization, `Bearer ${harness.target.token}`);
  });

  it('stays the route after it has answered', async () => {
    await read();
    await read();
    const outcome = await revoke();
    assert.deepEqual(outcome, { kind: 'revoked', status: 204 });
    assert.deepEqual(asked, ['GET', 'GET', 'DELETE']);
    assert.deepEqual(harness.resolved, [platformHost]);
  });

  it('stays the route until the router forgets', async () => {
    await read();
    harness.router.forget();
    await read();
    assert.deepEqual(harness.resolved, [platformHost, platformHost]);
  });

  const portWithoutTls = {
    'no server listens': () => closedPort,
    'the server speaks no TLS': () => portOf(harness.platform),
  };
  for (const [name, portOfServer] of Object.entries(portWithoutTls)) {
    it(`sends the request when ${name}`, async () => {
      harness.names = { [platformHost]: ['127.0.0.1'] };
      const { value } = await harness.read(undefined, target(portOfServer()));
      assert.deepEqual(value, healthy());
    });
  }

  it('sends the request when the server does not answer the handshake', async () => {
    const { port: silent, stop } = await startSilentServer();
    harness.names = { [platformHost]: ['127.0.0.1'] };
    // The direct way has a third of this time.
    harness.limits.requestTimeout = 2400;
    const { value } = await harness.read(undefined, target(silent));
    assert.deepEqual(value, healthy());
    stop();
  });

  it('is not used once a request was sent', async () => {
    const sent: string[] = [];
    const server = createTlsServer(platformTls, (socket) => {
      socket.once('data', (chunk: Buffer) => {
        sent.push(chunk.toString('latin1', 0, 3));
        socket.destroy();
      });
    });
    harness.names = { [platformHost]: ['127.0.0.1'] };
    const broken = target(await listen(server));
    const outcome = await harness.revoke(undefined, broken);
    const failure = await failureOf(harness.read(undefined, broken));
    assert.equal(outcome.kind, 'unknown');
    assert.equal(failure.kind, 'connectionLost');
    assert.deepEqual(sent, ['DEL', 'GET', 'GET', 'GET']);
    assert.deepEqual(asked, []);
    await new Promise((resolve) => server.close(resolve));
  });

  const without: Record<string, Partial<RouteSettings>> = {
    'proxySupport is off': { proxySupportOff: true },
    'the editor verifies no certificates': { proxyStrictSSL: false },
    'there is a proxy': { proxies: named('http://proxy.test.example:3128') },
    [`${rejectUnauthorized} is 0`]: {},
  };
  for (const [name, settings] of Object.entries(without)) {
    it(`is not used when ${name}`, async () => {
      if (name.startsWith(rejectUnauthorized)) process.env[rejectUnauthorized] = '0';
      harness.settings = { ...plainSettings, ...settings };
      const failure = await failureOf(read());
      assert.ok(failure.kind === 'unreachable', failure.kind);
      assert.equal(failure.viaEditor, undefined);
      assert.deepEqual(asked, []);
    });
  }

  it('is the route through a SOCKS proxy', async () => {
    harness.settings = { ...plainSettings, proxies: named('socks5://127.0.0.1:1080') };
    assert.deepEqual((await read()).value, healthy());
    assert.deepEqual(harness.resolved, []);
  });

  it('blames a SOCKS proxy that refuses connections', async () => {
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
    it(`adds its cause to the failure: ${reason.filter(Boolean).join(' ')}`, async () => {
      editor = failing(...reason);
      await harness.failsUnsent({ kind: 'unreachable', cause: noName, viaEditor }, target());
      // The next request tries the direct way again.
      assert.deepEqual(harness.resolved, [platformHost, platformHost]);
    });
  }

  const tlsViaEditor = { ...at('tls', 'EPROTO'), isAfterHandshake: true };

  it('makes a read unreachable when TLS fails, perhaps after the request', async () => {
    editor = failing('EPROTO');
    const failure = await failureOf(read());
    assert.deepEqual(failure, { kind: 'unreachable', cause: noName, viaEditor: tlsViaEditor });
    assert.deepEqual(asked, ['GET']);
  });

  it('leaves a revocation unknown when TLS fails, perhaps after the request', async () => {
    editor = failing('EPROTO');
    const outcome = await revoke();
    const failure = { kind: 'unreachable', cause: tlsViaEditor };
    assert.deepEqual(outcome, { kind: 'unknown', failure });
    assert.deepEqual(asked, ['DELETE']);
  });

  it('does not become the route when TLS fails, perhaps after the request', async () => {
    editor = failing('EPROTO');
    await revoke();
    await revoke();
    assert.deepEqual(harness.resolved, [platformHost, platformHost]);
  });

  it('gives way to the direct connection when a later request fails', async () => {
    await read();
    editor = failing('ENOTFOUND');
    const failure = await failureOf(read());
    assert.deepEqual(failure, { kind: 'unreachable', cause: noName, viaEditor: noName });
    assert.deepEqual(asked, ['GET', 'GET']);
    assert.deepEqual(harness.resolved, [platformHost, platformHost]);
  });

  it('is no longer the route after a later request failed', async () => {
    await read();
    editor = failing('ENOTFOUND');
    await failureOf(read());
    editor = known;
    const { value } = await read();
    assert.deepEqual(value, healthy());
    assert.equal(harness.resolved.length, 3);
  });

  for (const cancelledAt of ['connecting', 'sending'] as const) {
    it(`does not send a revocation that is cancelled while ${cancelledAt}`, async () => {
      await read();
      const call = newCall(true);
      const onPhase = ({ kind }: Phase): void => {
        if (kind === cancelledAt) call.cancel();
      };
      assert.deepEqual(await revoke({ ...call, onPhase }), {
        kind: 'notSent',
        failure: { kind: 'cancelled' },
      });
      assert.deepEqual(asked, ['GET']);
    });
  }

  describe('that ignores its signal', () => {
    beforeEach(() => {
      editor = () => new Promise<Response>(() => {});
    });

    it('ends when the time is up', async () => {
      harness.limits.requestTimeout = 100;
      const failure = await failureOf(read());
      assert.deepEqual(failure, { kind: 'timedOut', after: 100 });
    });

    it('ends when a read is cancelled', async () => {
      const call = newCall();
      const reading = failureOf(read(call));
      while (!asked.includes('GET')) await settle(5);
      call.cancel();
      assert.deepEqual(await reading, { kind: 'cancelled' });
    });

    it('leaves a revocation unknown when that is cancelled', async () => {
      const call = newCall(true);
      const revoking = revoke(call);
      while (!asked.includes('DELETE')) await settle(5);
      call.cancel();
      assert.deepEqual(await revoking, { kind: 'unknown', failure: { kind: 'cancelled' } });
    });
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
    it(`ends like a direct connection for ${name}`, async () => {
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

import { strict as assert } from 'node:assert';
import { healthy } from '../../../support/service/data.js';
import { type Proxy, type ProxyOptions, startProxy } from '../../../support/service/proxy.js';
import {
  authority,
  closedPort,
  failureOf,
  Harness,
  named,
  plainSettings,
  portOf,
  serviceName,
  serviceTls,
  used,
} from '../harness.js';

const credentials = `Basic ${Buffer.from('me:s3cret/pw').toString('base64')}`;

const tunnel = (status: number) => ({ code: 'ERR_PROXY_TUNNEL', status });

describe('a proxy', () => {
  const harness = used(new Harness({}, { tls: serviceTls }));
  let proxy: Proxy;
  const use = (address: string) => {
    harness.settings = { ...plainSettings, proxies: named(address) };
    // As the host does when they changed.
    harness.router.forget();
  };
  before(async () => {
    proxy = await startProxy();
  });
  beforeEach(() => {
    proxy.requests.length = 0;
    proxy.options = { knows: { [serviceName]: portOf(harness.service) } };
    use(`http://127.0.0.1:${proxy.port}`);
  });
  after(() => proxy.stop());

  it('leads to a name that only it knows', async () => {
    assert.deepEqual((await harness.read()).value, healthy());
    assert.deepEqual(await harness.revoke(), { kind: 'revoked', status: 204 });
    const [first] = proxy.requests;
    assert.ok(first?.startsWith(`CONNECT ${serviceName}:${portOf(harness.service)} HTTP/1.1\r\nhost: ${serviceName}:`));
    assert.ok(!first?.includes(harness.target.token));
    assert.ok(!harness.resolved.includes(serviceName));
  });

  it('gets credentials from its address, or those that are configured', async () => {
    proxy.options = { ...proxy.options, authorization: credentials };
    harness.settings = { ...harness.settings, proxyAuthorization: credentials };
    assert.deepEqual((await harness.read()).value, healthy());
    use(`http://me:s3cret%2Fpw@127.0.0.1:${proxy.port}`);
    assert.deepEqual((await harness.read()).value, healthy());
  });

  it('may itself be spoken to over TLS', async () => {
    const secure = await startProxy({ ...proxy.options, tls: await authority.issue(['127.0.0.1']) });
    use(`https://127.0.0.1:${secure.port}`);
    assert.deepEqual((await harness.read()).value, healthy());
    assert.equal((await harness.revoke()).kind, 'revoked');
    harness.router.forget();
    await secure.stop();
  });

  const refusals: Record<string, [ProxyOptions, object]> = {
    'refuses without credentials': [{ authorization: credentials }, tunnel(407)],
    'breaks off in its answer': [{ says: 'HTTP/1.1 200 Conn' }, { code: 'UND_ERR_SOCKET' }],
    'is no proxy': [{ says: '220 smtp.example ESMTP\r\n' }, { code: 'HPE_INVALID' }],
    'never ends its answer': [
      { says: `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}` },
      { code: 'UND_ERR_HEADERS_OVERFLOW' },
    ],
  };
  for (const [name, [options, facts]] of Object.entries(refusals)) {
    it(`that ${name} is named, and nothing is sent`, async () => {
      proxy.options = options;
      const cause = { step: 'proxy', host: '127.0.0.1', port: proxy.port, ...facts };
      await harness.failsUnsent({ kind: 'unreachable', cause });
    });
  }

  it('that breaks the tunnel while TLS is being agreed on is not blamed alone, and nothing is sent', async () => {
    proxy.options = { ...proxy.options, breaksTunnel: true };
    const cause = { step: 'tls', code: 'ECONNRESET', host: serviceName, port: portOf(harness.service) };
    await harness.failsUnsent({ kind: 'unreachable', cause });
  });

  it('where no server listens, that no name leads to, or whose certificate is wrong is named', async () => {
    const secure = await startProxy({ tls: await authority.issue(['other.example']) });
    const host = '127.0.0.1';
    for (const [address, code, peer] of [
      ['http://127.0.0.1', 'ECONNREFUSED', { host, port: closedPort }],
      ['http://proxy.test.example', 'ENOTFOUND', { host: 'proxy.test.example', port: 3128 }],
      ['https://127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID', { host, port: secure.port }],
    ] as const) {
      use(`${address}:${peer.port}`);
      const cause = { step: 'proxy', code, ...peer };
      assert.deepEqual(await failureOf(harness.read()), { kind: 'unreachable', cause });
    }
    await secure.stop();
  });
});

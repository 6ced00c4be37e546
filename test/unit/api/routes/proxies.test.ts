import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import type { ConnectionStep } from '../../../../src/api/call.js';
import { type ProxySource, proxyVariables } from '../../../../src/api/network/route.js';
import { healthy } from '../../../support/platform/data.js';
import { type Proxy, type ProxyOptions, startProxy } from '../../../support/platform/proxy.js';
import { partsOf, proxiesWith, strangePasswords } from '../../../support/proxyAddresses.js';
import {
  authority,
  closedPort,
  failureOf,
  Harness,
  named,
  newCall,
  plainSettings,
  platformHost,
  platformTls,
  portOf,
  used,
} from '../harness.js';

const credentials = basic('me:s3cret/pw');

const sources = ['http.proxy', ...proxyVariables] as const;

const tunnel = (status: number) => ({
  code: 'ERR_PROXY_TUNNEL',
  status,
  ...(status === 407 && { schemes: ['Basic'], sentCredentials: false }),
});

function authorizationIn(head: string): string | undefined {
  return /^proxy-authorization: (.*)\r$/im.exec(head)?.[1];
}

function basic(text: string): string {
  return `Basic ${Buffer.from(text).toString('base64')}`;
}

/** Proxies with random passwords, some of which have a character that is not allowed. */
function samplesFor({ port }: Proxy) {
  return fc.sample(proxiesWith(strangePasswords, { host: '127.0.0.1', port }), 40);
}

describe('a proxy', () => {
  const harness = used(new Harness({}, { tls: platformTls }));
  let proxy: Proxy;
  const use = (address: string, from?: ProxySource, proxyAuthorization = '') => {
    harness.settings = { ...plainSettings, proxies: named(address, from), proxyAuthorization };
    // The host calls this when settings change.
    harness.router.forget();
  };
  before(async () => {
    proxy = await startProxy();
  });
  beforeEach(() => {
    proxy.requests.length = 0;
    proxy.options = { knows: { [platformHost]: portOf(harness.platform) } };
    use(`http://127.0.0.1:${proxy.port}`);
  });
  after(() => proxy.stop());

  it('leads a read to the platform', async () => {
    const { value } = await harness.read();
    assert.deepEqual(value, healthy());
  });

  it('leads a revocation to the platform', async () => {
    const outcome = await harness.revoke();
    assert.deepEqual(outcome, { kind: 'revoked', status: 204 });
  });

  it('gets the host of the platform, and neither token nor path', async () => {
    await harness.read();
    await harness.revoke();
    const [first = ''] = proxy.requests;
    const address = `${platformHost}:${portOf(harness.platform)}`;
    const beginning = `CONNECT ${address} HTTP/1.1\r\nhost: ${platformHost}:`;
    assert.equal(first.slice(0, beginning.length), beginning);
    assert.doesNotMatch(first, new RegExp(harness.target.token));
  });

  it('resolves the name of the platform itself', async () => {
    await harness.read();
    await harness.revoke();
    const resolvedHere = harness.resolved.filter((name) => name === platformHost);
    assert.deepEqual(resolvedHere, []);
  });

  type Place = 'its address' | 'http.proxyAuthorization';
  const given: Readonly<Record<Place, string>> = {
    'its address': credentials,
    'http.proxyAuthorization': basic('other:pw'),
  };
  const none = { places: [], when: 'there are none' } as const;
  const inAddress = { places: ['its address'], when: 'only its address has some' } as const;
  const inSetting = {
    places: ['http.proxyAuthorization'],
    when: 'only the setting has some',
  } as const;
  const inBoth = {
    places: ['its address', 'http.proxyAuthorization'],
    when: 'both exist',
  } as const;
  for (const [from, { places, when }, sent] of [
    ['http.proxy', none, undefined],
    ['http.proxy', inAddress, 'its address'],
    ['http.proxy', inSetting, 'http.proxyAuthorization'],
    ['http.proxy', inBoth, 'http.proxyAuthorization'],
    ['HTTPS_PROXY', none, undefined],
    ['HTTPS_PROXY', inAddress, 'its address'],
    ['HTTPS_PROXY', inSetting, undefined],
    ['HTTPS_PROXY', inBoth, 'its address'],
    ['HTTP_PROXY', none, undefined],
    ['HTTP_PROXY', inAddress, 'its address'],
    ['HTTP_PROXY', inSetting, undefined],
    ['HTTP_PROXY', inBoth, 'its address'],
  ] as const) {
    const credentialsSent = sent ? `the credentials of ${sent}` : 'no credentials';
    it(`gets ${credentialsSent} when ${when} (${from})`, async () => {
      const set = new Set<Place>(places);
      const user = set.has('its address') ? 'me:s3cret%2Fpw@' : '';
      const setting = set.has('http.proxyAuthorization') ? given['http.proxyAuthorization'] : '';
      use(`http://${user}127.0.0.1:${proxy.port}`, from, setting);
      const { value } = await harness.read();
      assert.deepEqual(value, healthy());
      assert.equal(authorizationIn(proxy.requests[0]!), sent && given[sent]);
    });
  }

  for (const from of sources) {
    it(`is blamed with its source ${from} when it asks for credentials`, async () => {
      proxy.options = { authorization: credentials };
      use(`http://127.0.0.1:${proxy.port}`, from);
      const cause = {
        step: 'proxy',
        host: '127.0.0.1',
        port: proxy.port,
        source: from,
        ...tunnel(407),
      };
      await harness.failsUnsent({ kind: 'unreachable', cause });
    });
  }

  it('is blamed with the schemes that it accepts', async () => {
    const challenges = 'Proxy-Authenticate: Negotiate\r\nProxy-Authenticate: NTLM, <evil>\r\n';
    proxy.options = { says: `HTTP/1.1 407 No\r\n${challenges}Content-Length: 0\r\n\r\n` };
    use(`http://me:pw@127.0.0.1:${proxy.port}`, 'HTTPS_PROXY');
    const facts = { ...tunnel(407), schemes: ['Negotiate', 'NTLM'], sentCredentials: true };
    const cause = {
      step: 'proxy',
      host: '127.0.0.1',
      port: proxy.port,
      source: 'HTTPS_PROXY',
      ...facts,
    };
    await harness.failsUnsent({ kind: 'unreachable', cause });
  });

  it('works over TLS', async () => {
    const secure = await startProxy({
      ...proxy.options,
      tls: await authority.issue(['127.0.0.1']),
    });
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
    it(`is blamed before a request when it ${name}`, async () => {
      proxy.options = options;
      const cause = {
        step: 'proxy',
        host: '127.0.0.1',
        port: proxy.port,
        source: 'http.proxy',
        ...facts,
      };
      await harness.failsUnsent({ kind: 'unreachable', cause });
    });
  }

  it('is not blamed when it breaks the tunnel during the handshake', async () => {
    proxy.options = { ...proxy.options, breaksTunnel: true };
    const cause = {
      step: 'tls',
      code: 'ECONNRESET',
      host: platformHost,
      port: portOf(harness.platform),
    };
    await harness.failsUnsent({ kind: 'unreachable', cause });
  });

  const fails = {
    'no server listens': ['http://127.0.0.1', 'ECONNREFUSED'],
    'its name is not found': ['http://proxy.test.example', 'ENOTFOUND'],
    'its certificate is for another host': ['https://127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  } as const;
  for (const [name, [address, code]] of Object.entries(fails)) {
    it(`is blamed in the failure and in its step when ${name}`, async () => {
      const secure = await startProxy({ tls: await authority.issue(['other.example']) });
      const { hostname: host, protocol } = new URL(address);
      const port = protocol === 'https:' ? secure.port : closedPort;
      for (const source of sources) {
        use(`${address}:${port}`, source);
        const peer = { host, port, source };
        const seen: ConnectionStep[] = [];
        const failure = await failureOf(
          harness.read({ ...newCall(), onStep: (step) => seen.push(step) }),
        );
        const expected = { kind: 'unreachable', cause: { step: 'proxy', code, ...peer } };
        assert.deepEqual(failure, expected, source);
        const last = seen.at(-1);
        const cause = last && 'cause' in last ? last.cause : undefined;
        assert.equal(cause?.code, code, source);
        assert.equal(cause?.source, source);
      }
      await secure.stop();
    });
  }

  /** Uses this proxy, which accepts only its own user and password. */
  function useSample({ user, password, address }: ReturnType<typeof samplesFor>[number]): void {
    proxy.requests.length = 0;
    proxy.options = {
      knows: { [platformHost]: portOf(harness.platform) },
      authorization: basic(`${user}:${password.plain}`),
    };
    use(address, 'https_proxy');
  }

  describe('with a strange password in its address', () => {
    it('gets exactly the user and password', async () => {
      for (const sample of samplesFor(proxy).filter(
        ({ password }) => password.blamed === undefined,
      )) {
        useSample(sample);
        const { value } = await harness.read();
        assert.deepEqual(value, healthy(), sample.address);
        assert.equal(proxy.requests.length, 1, sample.address);
      }
    });

    it('is refused for a character that is not allowed', async () => {
      for (const sample of samplesFor(proxy).filter(
        ({ password }) => password.blamed !== undefined,
      )) {
        useSample(sample);
        const failure = await failureOf(harness.read());
        assert.ok(failure.kind === 'unreachable', sample.address);
        const { cause } = failure;

        assert.equal(cause.problem?.character, sample.password.blamed, sample.address);
        assert.equal(cause.source, 'https_proxy');
        assert.deepEqual(proxy.requests, []);
        assert.deepEqual(harness.platform.requests, []);
        // The values are searched one by one, because JSON has quotes and colons that a password may have.
        const values = Object.values({ ...cause, ...cause.problem }).map(String);
        const shownParts = partsOf(sample.password).filter((part) =>
          values.some((value) => value.includes(part)),
        );
        assert.deepEqual(shownParts, [], values.join(' '));
      }
    });
  });
});

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

describe('a proxy', () => {
  const harness = used(new Harness({}, { tls: platformTls }));
  let proxy: Proxy;
  const use = (address: string, from?: ProxySource, proxyAuthorization = '') => {
    harness.settings = { ...plainSettings, proxies: named(address, from), proxyAuthorization };
    // As the host does when they changed.
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

  it('leads to a name that only it knows', async () => {
    assert.deepEqual((await harness.read()).value, healthy());
    assert.deepEqual(await harness.revoke(), { kind: 'revoked', status: 204 });
    const [first] = proxy.requests;
    assert.ok(
      first?.startsWith(
        `CONNECT ${platformHost}:${portOf(harness.platform)} HTTP/1.1\r\nhost: ${platformHost}:`,
      ),
    );
    assert.ok(!first?.includes(harness.target.token));
    assert.ok(!harness.resolved.includes(platformHost));
  });

  type Place = 'its address' | 'http.proxyAuthorization';
  const given: Readonly<Record<Place, string>> = {
    'its address': credentials,
    'http.proxyAuthorization': basic('other:pw'),
  };
  const both = ['its address', 'http.proxyAuthorization'] as const;
  for (const [from, places, sent] of [
    ['http.proxy', [], undefined],
    ['http.proxy', ['its address'], 'its address'],
    ['http.proxy', ['http.proxyAuthorization'], 'http.proxyAuthorization'],
    ['http.proxy', both, 'http.proxyAuthorization'],
    ['HTTPS_PROXY', [], undefined],
    ['HTTPS_PROXY', ['its address'], 'its address'],
    ['HTTPS_PROXY', ['http.proxyAuthorization'], undefined],
    ['HTTPS_PROXY', both, 'its address'],
    ['HTTP_PROXY', [], undefined],
    ['HTTP_PROXY', ['its address'], 'its address'],
    ['HTTP_PROXY', ['http.proxyAuthorization'], undefined],
    ['HTTP_PROXY', both, 'its address'],
  ] as const satisfies readonly [ProxySource, readonly Place[], Place | undefined][]) {
    const some = places.length > 0 ? places.join(' and ') : 'no place';
    it(`of ${from} gets the credentials of ${sent ?? 'no place'} when ${some} has some`, async () => {
      const set = new Set<Place>(places);
      const user = set.has('its address') ? 'me:s3cret%2Fpw@' : '';
      const setting = set.has('http.proxyAuthorization') ? given['http.proxyAuthorization'] : '';
      use(`http://${user}127.0.0.1:${proxy.port}`, from, setting);
      assert.deepEqual((await harness.read()).value, healthy());
      assert.equal(authorizationIn(proxy.requests[0]!), sent && given[sent]);
    });
  }

  for (const from of sources) {
    it(`that asks for credentials is named with its source: ${from}`, async () => {
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

  it('is named with what it accepts, and not with what else it says', async () => {
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

  it('may itself be spoken to over TLS', async () => {
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
    it(`that ${name} is named, and nothing is sent`, async () => {
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

  it('that breaks the tunnel while TLS is being agreed on is not blamed alone, and nothing is sent', async () => {
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
    'where no server listens': ['http://127.0.0.1', 'ECONNREFUSED'],
    'that no name leads to': ['http://proxy.test.example', 'ENOTFOUND'],
    'whose certificate is wrong': ['https://127.0.0.1', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  } as const;
  for (const [name, [address, code]] of Object.entries(fails)) {
    it(`${name} is named with its source, also in the step that failed`, async () => {
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
        assert.deepEqual(failure, { kind: 'unreachable', cause: { step: 'proxy', code, ...peer } });
        const last = seen.at(-1);
        const cause = last && 'cause' in last ? last.cause : undefined;
        assert.deepEqual([cause?.code, cause?.source], [code, source]);
      }
      await secure.stop();
    });
  }

  it('gets exactly the credentials in its address, whatever the password, or no connection', async () => {
    const known = portOf(harness.platform);
    const some = proxiesWith(strangePasswords, { host: '127.0.0.1', port: proxy.port });
    for (const { user, password, address } of fc.sample(some, 40)) {
      proxy.requests.length = 0;
      proxy.options = {
        knows: { [platformHost]: known },
        authorization: basic(`${user}:${password.plain}`),
      };
      use(address, 'https_proxy');
      const sent = harness.platform.requests.length;
      if (password.blamed === undefined) {
        assert.deepEqual((await harness.read()).value, healthy(), address);
        assert.equal(proxy.requests.length, 1);
        continue;
      }
      const failure = await failureOf(harness.read());
      const cause = failure.kind === 'unreachable' ? failure.cause : undefined;
      assert.deepEqual(
        [cause?.problem?.character, cause?.source],
        [password.blamed, 'https_proxy'],
      );
      assert.deepEqual([proxy.requests.length, harness.platform.requests.length], [0, sent]);
      // One by one: the quotes and colons of JSON between them could be those of a password.
      const told = Object.values({ ...cause, ...cause?.problem }).map(String);
      for (const part of partsOf(password))
        assert.ok(!told.some((text) => text.includes(part)), told.join(' '));
    }
  });
});

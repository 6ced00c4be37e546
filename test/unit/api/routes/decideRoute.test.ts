import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { decideRoute, entriesOf, isExempt, type RouteSettings } from '../../../../src/api/network/route.js';

const none: RouteSettings = {
  proxySupport: 'override',
  proxy: '',
  noProxy: [],
  systemCertificates: true,
  environment: {},
};
const service = new URL('https://api.host.example:8443');
const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;

describe('the route to a service', () => {
  const table: Record<string, [Partial<RouteSettings>, object, string?]> = {
    'no setting': [{}, { kind: 'direct', why: 'noProxyNamed' }],
    'http.proxy': [
      { proxy: 'http://proxy.example:3128' },
      { kind: 'proxy', proxy: { from: 'http.proxy', host: 'proxy.example', port: 3128, tls: false } },
    ],
    'http.proxy before the environment': [
      { proxy: 'http://proxy.example', environment: { httpsProxy: 'http://other.example' } },
      { kind: 'proxy', proxy: { from: 'http.proxy', host: 'proxy.example', port: 80, tls: false } },
    ],
    HTTPS_PROXY: [
      { environment: { httpsProxy: 'https://proxy.example', httpProxy: 'http://other.example' } },
      { kind: 'proxy', proxy: { from: 'HTTPS_PROXY', host: 'proxy.example', port: 443, tls: true } },
    ],
    'HTTP_PROXY without a scheme': [
      { environment: { httpProxy: 'proxy.example:8080' } },
      { kind: 'proxy', proxy: { from: 'HTTP_PROXY', host: 'proxy.example', port: 8080, tls: false } },
    ],
    'an IPv6 proxy': [
      { proxy: 'http://[::1]:8080' },
      { kind: 'proxy', proxy: { from: 'http.proxy', host: '::1', port: 8080, tls: false } },
    ],
    'credentials in the URL': [
      { proxy: 'http://me%40work:p%3Aw%2F@proxy.example:1' },
      {
        kind: 'proxy',
        proxy: { from: 'http.proxy', host: 'proxy.example', port: 1, tls: false, authorization: basic('me@work:p:w/') },
      },
    ],
    'a user without a password': [
      { proxy: 'http://me@proxy.example:1' },
      {
        kind: 'proxy',
        proxy: { from: 'http.proxy', host: 'proxy.example', port: 1, tls: false, authorization: basic('me:') },
      },
    ],
    'http.proxyAuthorization before them': [
      { proxy: 'http://me:pw@proxy.example:1', proxyAuthorization: 'Bearer x' },
      {
        kind: 'proxy',
        proxy: { from: 'http.proxy', host: 'proxy.example', port: 1, tls: false, authorization: 'Bearer x' },
      },
    ],
    'an authorization that no header can hold': [
      { proxy: 'http://proxy.example:1', proxyAuthorization: 'x\r\nEvil: 1' },
      { kind: 'unusable', from: 'http.proxy' },
    ],
    'a SOCKS proxy': [{ proxy: 'socks5://proxy.example:1080' }, { kind: 'editor', from: 'http.proxy' }],
    'a SOCKS proxy in the environment': [
      { environment: { httpsProxy: 'socks5h://proxy.example:1080' } },
      { kind: 'editor', from: 'HTTPS_PROXY' },
    ],
    'a proxy of another kind': [{ proxy: 'ftp://proxy.example' }, { kind: 'unusable', from: 'http.proxy' }],
    'a proxy that is none': [{ proxy: 'http://' }, { kind: 'unusable', from: 'http.proxy' }],
    'proxySupport off': [
      { proxySupport: 'off', proxy: 'http://proxy.example' },
      { kind: 'direct', why: 'proxySupportOff' },
    ],
    'http.noProxy': [
      { proxy: 'http://proxy.example', noProxy: ['other.example', ' HOST.example '] },
      { kind: 'direct', why: 'noProxy' },
    ],
    NO_PROXY: [
      { proxy: 'http://proxy.example', environment: { noProxy: 'localhost, .host.example' } },
      { kind: 'direct', why: 'noProxy' },
    ],
    'http.noProxy without a proxy': [{ noProxy: ['*'] }, { kind: 'direct', why: 'noProxy' }],
    'loopback with a proxy': [
      { proxy: 'http://proxy.example' },
      { kind: 'direct', why: 'loopback' },
      'http://localhost:3000',
    ],
    'loopback over TLS with a proxy': [
      { proxy: 'http://proxy.example' },
      { kind: 'direct', why: 'loopback' },
      'https://[::1]:3000',
    ],
  };
  for (const [name, [settings, route, origin]] of Object.entries(table)) {
    it(`with ${name}`, () => {
      const decided = decideRoute(origin === undefined ? service : new URL(origin), { ...none, ...settings });
      assert.deepEqual(decided, route);
    });
  }

  it('never throws, whatever the settings say', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), fc.string(), (proxy, noProxy, variable) => {
        decideRoute(service, { ...none, proxy, noProxy, environment: { httpProxy: variable, noProxy: variable } });
      }),
    );
  });
});

describe('an exemption from the proxy', () => {
  for (const [entry, host, port, exempt] of [
    ['*', 'host.example', 443, true],
    ['host.example', 'host.example', 443, true],
    ['host.example', 'api.host.example', 443, true],
    ['.host.example', 'api.host.example', 443, true],
    ['*.host.example', 'api.host.example', 443, true],
    ['.host.example', 'host.example', 443, true],
    ['host.example', 'otherhost.example', 443, false],
    ['host.example:8443', 'host.example', 8443, true],
    ['host.example:8443', 'host.example', 443, false],
    ['*.host.example:443', 'a.host.example', 443, true],
    ['10.1.2.3', '10.1.2.3', 443, true],
    ['2.3', '10.1.2.3', 443, false],
    ['10.0.0.0/8', '10.1.2.3', 443, true],
    ['10.0.0.0/8', '11.1.2.3', 443, false],
    ['10.0.0.0/8', 'host.example', 443, false],
    ['10.0.0.0/99', '10.1.2.3', 443, false],
    ['::1', '::1', 443, true],
    ['[2001:db8::1]:443', '2001:db8::1', 443, true],
    ['2001:db8::/32', '2001:db8::7', 443, true],
    ['', 'host.example', 443, false],
    ['.', 'host.example', 443, false],
    ['host', 'host.example', 443, false],
  ] as const) {
    it(`${JSON.stringify(entry)} ${exempt ? 'names' : 'does not name'} ${host}:${port}`, () => {
      assert.equal(isExempt([entry], { host, port }), exempt);
    });
  }

  it('may be one of several in NO_PROXY', () => {
    assert.deepEqual(entriesOf(' a.example,b.example  c.example;,'), ['a.example', 'b.example', 'c.example']);
    assert.deepEqual(entriesOf(undefined), []);
  });
});

import { strict as assert } from 'node:assert';
import { decideRoute, type RouteSettings } from '../../../../src/api/network/route.js';
import { named, plainSettings } from '../harness.js';

const proxies = named('http://proxy.example:3128');

/** The route to an origin in one line, such as "http.proxy: http proxy.example 3128 as me:pw". */
function routeTo(origin: string, settings: Partial<RouteSettings>): string {
  const route = decideRoute(new URL(origin), { ...plainSettings, ...settings });
  if (route.kind === 'direct') return `direct: ${route.why}`;
  if (route.kind !== 'proxy') return `${route.kind}: ${route.source}`;
  const { source, usesTls, host, port, authorization } = route;
  const credentials = authorization?.replace(/^Basic (.*)/, (_, encoded) =>
    Buffer.from(encoded, 'base64').toString(),
  );
  return [
    `${source}: ${usesTls ? 'https' : 'http'} ${host} ${port}`,
    ...(credentials ? [credentials] : []),
  ].join(' as ');
}

describe('the route to a platform', () => {
  const table: Record<string, [settings: Partial<RouteSettings>, route: string]> = {
    'no setting': [{}, 'direct: noProxyNamed'],
    'http.proxy': [{ proxies }, 'http.proxy: http proxy.example 3128'],
    'several proxies': [
      { proxies: [...named('https://a.example', 'HTTPS_PROXY'), ...proxies] },
      'HTTPS_PROXY: https a.example 443',
    ],
    'no scheme': [
      { proxies: named('p.example:8080', 'HTTP_PROXY') },
      'HTTP_PROXY: http p.example 8080',
    ],
    'an IPv6 proxy': [{ proxies: named('http://[::1]:8080') }, 'http.proxy: http ::1 8080'],
    credentials: [
      { proxies: named('http://me%40work:p%3Aw%2F@p.example:1') },
      'http.proxy: http p.example 1 as me@work:p:w/',
    ],
    'http.proxyAuthorization, too': [
      { proxies: named('http://me:pw@p.example:1'), proxyAuthorization: 'Bearer x' },
      'http.proxy: http p.example 1 as Bearer x',
    ],
    'http.proxyAuthorization, too (HTTPS_PROXY)': [
      { proxies: named('http://me:pw@p.example:1', 'HTTPS_PROXY'), proxyAuthorization: 'Bearer x' },
      'HTTPS_PROXY: http p.example 1 as me:pw',
    ],
    'a line break in it': [
      { proxies, proxyAuthorization: 'x\r\nEvil: 1' },
      'unusable: http.proxyAuthorization',
    ],
    'a SOCKS proxy': [
      { proxies: named('socks5h://p.example:1080', 'HTTPS_PROXY') },
      'editor: HTTPS_PROXY',
    ],
    'a proxy of another kind': [{ proxies: named('ftp://p.example') }, 'unusable: http.proxy'],
    'an address without a host': [{ proxies: named('http://') }, 'unusable: http.proxy'],
    'proxySupport off': [{ proxySupportOff: true, proxies }, 'direct: proxySupportOff'],
    'http.noProxy': [{ proxies, noProxy: ['other.example', ' HOST.example '] }, 'direct: noProxy'],
  };
  for (const [name, [settings, route]] of Object.entries(table)) {
    it(`is ${route} with ${name}`, () =>
      assert.equal(routeTo('https://api.host.example:8443', settings), route));
  }

  it('is direct when the platform is on this machine', () =>
    assert.equal(routeTo('https://[::1]:3000', { proxies }), 'direct: loopback'));
});

describe('an entry of http.noProxy', () => {
  for (const [entry, host, exempt] of [
    ['*', 'host.example', true],
    ['host.example', 'host.example', true],
    ['host.example', 'api.host.example', true],
    ['*.host.example', 'host.example', true],
    ['host.example', 'otherhost.example', false],
    ['host.example:8443', 'host.example:8443', true],
    ['host.example:8443', 'host.example', false],
    ['10.1.2.3', '10.1.2.3', true],
    ['2.3', '10.1.2.3', false],
    ['10.0.0.0/8', '10.1.2.3', true],
    ['10.0.0.0/8', '11.1.2.3', false],
    ['10.0.0.0/99', '10.1.2.3', false],
    ['[2001:db8::1]:443', '[2001:db8::1]', true],
    ['2001:db8::1', '[2001:db8::1]', true],
    ['2001:db8::/32', '[2001:db8::7]', true],
    ['bücher.example', 'bücher.example', true],
    ['host.example.', 'host.example', true],
    ['host.example', 'host.example.', true],
    ['2001:0DB8:0:0:0:0:0:1', '[2001:db8::1]', true],
    ['10.1', '10.0.0.2', false],
    ['10.1', '10.0.0.1', true],
    ['', 'host.example', false],
    ['.', 'host.example', false],
  ] as const) {
    it(`${exempt ? 'exempts' : 'does not exempt'} ${host} when it is "${entry}"`, () => {
      const route = routeTo(`https://${host}`, { proxies, noProxy: [entry] });
      assert.equal(route, exempt ? 'direct: noProxy' : 'http.proxy: http proxy.example 3128');
    });
  }
});

import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { decideRoute, type RouteSettings } from '../../../../src/api/network/route.js';
import { plainSettings } from '../harness.js';

const service = new URL('https://api.host.example:8443');
const proxy = 'http://proxy.example:3128';
const basic = (credentials: string): string => `Basic ${Buffer.from(credentials).toString('base64')}`;
const direct = (why: string) => ({ kind: 'direct', why });
/** Through a proxy; `with`: TLS to it, its authorization. */
const through = (from: string, host: string, port: number, more: { tls?: true; authorization?: string } = {}) => {
  return { kind: 'proxy', proxy: { from, host, port, tls: false, ...more } };
};

describe('the route to a service', () => {
  const table: Record<string, [settings: Partial<RouteSettings>, route: object, origin?: string]> = {
    'no setting': [{}, direct('noProxyNamed')],
    'http.proxy': [{ proxy }, through('http.proxy', 'proxy.example', 3128)],
    'http.proxy before the environment': [
      { proxy: 'http://proxy.example', environment: { httpsProxy: 'http://other.example' } },
      through('http.proxy', 'proxy.example', 80),
    ],
    HTTPS_PROXY: [
      { environment: { httpsProxy: 'https://proxy.example', httpProxy: 'http://other.example' } },
      through('HTTPS_PROXY', 'proxy.example', 443, { tls: true }),
    ],
    'HTTP_PROXY without a scheme': [
      { environment: { httpProxy: 'proxy.example:8080' } },
      through('HTTP_PROXY', 'proxy.example', 8080),
    ],
    'an IPv6 proxy': [{ proxy: 'http://[::1]:8080' }, through('http.proxy', '::1', 8080)],
    'credentials in the URL': [
      { proxy: 'http://me%40work:p%3Aw%2F@proxy.example:1' },
      through('http.proxy', 'proxy.example', 1, { authorization: basic('me@work:p:w/') }),
    ],
    'http.proxyAuthorization before them': [
      { proxy: 'http://me:pw@proxy.example:1', proxyAuthorization: 'Bearer x' },
      through('http.proxy', 'proxy.example', 1, { authorization: 'Bearer x' }),
    ],
    'an authorization that no header can hold': [
      { proxy, proxyAuthorization: 'x\r\nEvil: 1' },
      { kind: 'unusable', from: 'http.proxy' },
    ],
    'a SOCKS proxy': [
      { environment: { httpsProxy: 'socks5h://proxy.example:1080' } },
      { kind: 'editor', from: 'HTTPS_PROXY' },
    ],
    'a proxy of another kind': [{ proxy: 'ftp://proxy.example' }, { kind: 'unusable', from: 'http.proxy' }],
    'a proxy that is none': [{ proxy: 'http://' }, { kind: 'unusable', from: 'http.proxy' }],
    'proxySupport off': [{ proxySupport: 'off', proxy }, direct('proxySupportOff')],
    'http.noProxy': [{ proxy, noProxy: ['other.example', ' HOST.example '] }, direct('noProxy')],
    NO_PROXY: [{ proxy, environment: { noProxy: 'localhost, .host.example' } }, direct('noProxy')],
    'loopback with a proxy': [{ proxy }, direct('loopback'), 'https://[::1]:3000'],
  };
  for (const [name, [settings, route, origin]] of Object.entries(table)) {
    it(`with ${name}`, () => {
      assert.deepEqual(
        decideRoute(origin === undefined ? service : new URL(origin), { ...plainSettings, ...settings }),
        route,
      );
    });
  }

  it('never throws, whatever the settings say', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), fc.string(), (text, noProxy, variable) => {
        const environment = { httpProxy: variable, noProxy: variable };
        decideRoute(service, { ...plainSettings, proxy: text, noProxy, environment });
      }),
    );
  });
});

function isExempt(host: string, noProxy: readonly string[], variable?: string): boolean {
  const settings = { ...plainSettings, noProxy, environment: { httpProxy: proxy, noProxy: variable } };
  return decideRoute(new URL(`https://${host}`), settings).kind === 'direct';
}

describe('an exemption from the proxy', () => {
  for (const [entry, host, exempt] of [
    ['*', 'host.example', true],
    ['host.example', 'host.example', true],
    ['host.example', 'api.host.example', true],
    ['.host.example', 'api.host.example', true],
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
    ['', 'host.example', false],
    ['.', 'host.example', false],
  ] as const) {
    it(`${JSON.stringify(entry)} ${exempt ? 'names' : 'does not name'} ${host}`, () => {
      assert.equal(isExempt(host, [entry]), exempt);
    });
  }

  it('may be one of several in NO_PROXY', () => {
    for (const host of ['a.example', 'b.example', 'c.example', 'd.example']) {
      assert.equal(isExempt(host, [], ' a.example,b.example  c.example;,'), host !== 'd.example');
    }
  });
});

import { strict as assert } from 'node:assert';
import { proxyCredentials, type RouteSettings } from '../../../src/api/network/route.js';

const settings: RouteSettings = {
  proxySupport: 'on',
  proxy: '',
  noProxy: [],
  systemCertificates: true,
  environment: {},
};

describe('the credentials of a proxy', () => {
  for (const [proxy, expected] of [
    ['http://user:hush@proxy.example:8080', ['hush']],
    ['user:hush@proxy.example:8080', ['hush']],
    ['socks5://user:hush@proxy.example', ['hush']],
    ['https://user:hush%21@proxy.example', ['hush!']],
    ['http://user:50%@proxy.example', ['50%']],
    ['proxy.example:8080', []],
    ['http://user@proxy.example', []],
    ['no address', []],
  ] as const) {
    it(`are known in ${proxy}`, () => {
      for (const environment of [{ httpsProxy: proxy }, { httpProxy: proxy }]) {
        assert.deepEqual(proxyCredentials({ ...settings, environment }), expected);
      }
      assert.deepEqual(proxyCredentials({ ...settings, proxy }), expected);
    });
  }

  it('are known without the scheme of an authorization', () => {
    assert.deepEqual(proxyCredentials({ ...settings, proxyAuthorization: 'Basic dXNlcjpodXNo' }), ['dXNlcjpodXNo']);
  });
});

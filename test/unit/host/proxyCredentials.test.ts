import { strict as assert } from 'node:assert';
import { proxyCredentials } from '../../../src/api/network/route.js';

const settings = { proxySupport: 'on', proxy: '', noProxy: [], systemCertificates: true, environment: {} } as const;

describe('the credentials of a proxy', () => {
  for (const [proxy, expected] of [
    ['http://user:hush@proxy.example:8080', ['hush']],
    ['user:hush@proxy.example:8080', ['hush']],
    ['socks5://user:hush%21@proxy.example', ['hush!']],
    ['http://user:50%@proxy.example', ['50%']],
    ['proxy.example:8080', []],
    ['no address', []],
  ] as const) {
    it(`are known in ${proxy}`, () => {
      for (const place of [{ proxy }, { environment: { httpsProxy: proxy } }, { environment: { httpProxy: proxy } }]) {
        assert.deepEqual(proxyCredentials({ ...settings, ...place }), expected);
      }
    });
  }

  it('are known without the scheme of an authorization', () => {
    assert.deepEqual(proxyCredentials({ ...settings, proxyAuthorization: 'Basic dXNlcjpodXNo' }), ['dXNlcjpodXNo']);
  });
});

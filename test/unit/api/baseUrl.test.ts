import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { isLoopback, parseBaseUrl } from '../../../src/api/baseUrl.js';

describe('a base URL', () => {
  for (const [text, url] of [
    ['https://host.example/api/v1', 'https://host.example/api/v1'],
    ['  https://host.example/api/v1/\n', 'https://host.example/api/v1'],
    ['https://host.example/api/v1///', 'https://host.example/api/v1'],
    ['HTTPS://Host.Example:443/api/v1', 'https://host.example/api/v1'],
    ['https://host.example:8443/base/api/v1', 'https://host.example:8443/base/api/v1'],
    ['https://host.example/x/../api/v1', 'https://host.example/api/v1'],
    ['https://bücher.example/api/v1', 'https://xn--bcher-kva.example/api/v1'],
    ['https://[2001:db8::1]/api/v1', 'https://[2001:db8::1]/api/v1'],
    ['http://localhost:3000/api/v1', 'http://localhost:3000/api/v1'],
    ['http://127.0.0.1/api/v1', 'http://127.0.0.1/api/v1'],
    ['http://127.1/api/v1', 'http://127.0.0.1/api/v1'],
    ['http://127.255.0.9:1/api/v1', 'http://127.255.0.9:1/api/v1'],
    ['http://[::1]:8080/api/v1', 'http://[::1]:8080/api/v1'],
  ] as const) {
    it(`${JSON.stringify(text)} is taken`, () => assert.deepEqual(parseBaseUrl(text), { ok: true, url }));
  }

  for (const [text, problem] of [
    ['', 'notAUrl'],
    ['host.example/api/v1', 'notAUrl'],
    ['https:host.example/api/v1', 'notAUrl'],
    ['https:///api/v1', 'notAUrl'],
    ['https:\\\\host.example\\api\\v1', 'notAUrl'],
    ['https://host.example/a pi/v1', 'notAUrl'],
    ['https://host.example/ap\ni/v1', 'notAUrl'],
    ['https://host.example:99999/api/v1', 'notAUrl'],
    ['ftp://host.example/api/v1', 'scheme'],
    ['file://host/api/v1', 'scheme'],
    ['javascript://host/api/v1', 'scheme'],
    ['http://host.example/api/v1', 'insecure'],
    ['http://localhost.example/api/v1', 'insecure'],
    ['http://sub.localhost/api/v1', 'insecure'],
    ['http://127.0.0.1.example/api/v1', 'insecure'],
    ['http://10.0.0.1/api/v1', 'insecure'],
    ['http://[::ffff:127.0.0.1]/api/v1', 'insecure'],
    ['https://user:pass@host.example/api/v1', 'credentials'],
    ['https://user@host.example/api/v1', 'credentials'],
    ['https://@host.example/api/v1', 'credentials'],
    ['https://host.example/api/v1?x=1', 'query'],
    ['https://host.example/api/v1?', 'query'],
    ['https://host.example?x#/api/v1', 'query'],
    ['https://host.example/api/v1#', 'fragment'],
    ['https://host.example/api/v1#?', 'fragment'],
    ['https://host.example', 'path'],
    ['https://host.example/api', 'path'],
    ['https://host.example/api/v2', 'path'],
    ['https://host.example/api/v10', 'path'],
    ['https://host.example/xapi/v1/y', 'path'],
    ['https://host.example/API/V1', 'path'],
    ['https://host.example/api/v1/..', 'path'],
    ['https://host.example/api/v1/deployments', 'path'],
  ] as const) {
    it(`${JSON.stringify(text)} is refused: ${problem}`, () => {
      assert.deepEqual(parseBaseUrl(text), { ok: false, problem });
    });
  }

  it('once taken is taken again, unchanged; nothing throws', () => {
    const parts = fc.constantFrom(
      'https://',
      'http://',
      'localhost',
      'a.example',
      ':',
      '/',
      '//',
      '?',
      '#',
      '@',
      '..',
      '/api/v1',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(fc.oneof(parts, fc.string({ maxLength: 3 }))).map((list) => list.join('')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseBaseUrl(text);
        if (parsed.ok) {
          assert.deepEqual(parseBaseUrl(parsed.url), parsed);
          assert.ok(parsed.url.endsWith('/api/v1'));
        }
      }),
    );
  });

  it('knows which hosts are this machine', () => {
    assert.deepEqual(
      ['localhost', '127.0.0.1', '127.9.9.9', '[::1]', 'a.localhost', '128.0.0.1', '[::2]', '0.0.0.0'].map(isLoopback),
      [true, true, true, true, false, false, false, false],
    );
  });
});

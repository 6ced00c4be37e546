import { strict as assert } from 'node:assert';
import { isLoopback, parseBaseUrl } from '../../../src/api/baseUrl.js';

describe('a base URL', () => {
  it('is taken with its path, in its normal form', () => {
    for (const [text, url] of [
      ['  https://host.example/api/v1///\n', 'https://host.example/api/v1'],
      ['HTTPS://Host.Example:443/api/v1', 'https://host.example/api/v1'],
      ['https://host.example:8443/base/x/../api/v1', 'https://host.example:8443/base/api/v1'],
      ['https://bücher.example/api/v1', 'https://xn--bcher-kva.example/api/v1'],
      ['https://[2001:db8::1]/api/v1', 'https://[2001:db8::1]/api/v1'],
      ['http://localhost:3000/api/v1', 'http://localhost:3000/api/v1'],
      ['http://127.1/api/v1', 'http://127.0.0.1/api/v1'],
    ] as const) {
      for (const one of [text, url]) assert.deepEqual(parseBaseUrl(one), { ok: true, url }, one);
    }
  });

  const refused = {
    notAUrl: [
      '',
      'host.example/api/v1',
      'https:host.example/api/v1',
      'https:///api/v1',
      'https:\\\\host.example\\api\\v1',
      'https://host.example/a pi/v1',
      'https://host.example/ap\ni/v1',
      'https://host.example:99999/api/v1',
    ],
    scheme: ['ftp://host.example/api/v1'],
    insecure: ['http://host.example/api/v1'],
    credentials: ['https://user@host.example/api/v1', 'https://@host.example/api/v1'],
    query: ['https://host.example/api/v1?', 'https://host.example?x#/api/v1'],
    fragment: ['https://host.example/api/v1#', 'https://host.example/api/v1#?'],
    path: ['https://host.example', 'https://host.example/api/v10', 'https://host.example/api/v1/..'],
  };
  it('is refused for what is wrong with it', () => {
    for (const [problem, texts] of Object.entries(refused)) {
      for (const text of texts) assert.deepEqual(parseBaseUrl(text), { ok: false, problem }, text);
    }
  });

  it('knows which hosts are this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]']) assert.ok(isLoopback(host), host);
    const others = ['a.localhost', 'localhost.example', '127.0.0.1.example', '128.0.0.1', '[::ffff:127.0.0.1]'];
    for (const host of others) assert.ok(!isLoopback(host), host);
  });
});

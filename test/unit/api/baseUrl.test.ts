import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { isLoopback, parseBaseUrl } from '../../../src/api/entered/baseUrl.js';

/** Checks each base URL that is accepted of any texts, and what stood in it for its host and path. */
function forAnyAccepted(check: (url: URL, written: { host: string; path: string }) => void): void {
  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom(...Array.from('host.1:/\\@#?%2e\u200b\t ü"https://')),
      maxLength: 16,
    }),
  );
  fc.assert(
    fc.property(anyText, fc.boolean(), (text, isInHost) => {
      const address = isInHost ? `https://${text}/api/v1` : `https://host.example/${text}/api/v1`;
      const parsed = parseBaseUrl(address);
      if (!parsed.ok) return;
      const [, host = '', path = ''] = /^https:\/\/([^/]*)(.*)$/s.exec(address) ?? [];
      check(new URL(parsed.url), { host, path });
    }),
    { numRuns: 2000 },
  );
}

describe('a base URL', () => {
  it('is accepted with its path and normalized', () => {
    for (const [text, url] of [
      ['  https://host.example/api/v1///\n', 'https://host.example/api/v1'],
      ['HTTPS://Host.Example:443/api/v1', 'https://host.example/api/v1'],
      ['https://host.example:8443/base/...x/api/v1', 'https://host.example:8443/base/...x/api/v1'],
      [
        'https://host.example/ü "x"/api/v1'.replaceAll(' ', ''),
        'https://host.example/%C3%BC%22x%22/api/v1',
      ],
      ['https://bücher.example/api/v1', 'https://xn--bcher-kva.example/api/v1'],
      ['https://[2001:db8::1]/api/v1', 'https://[2001:db8::1]/api/v1'],
      ['http://localhost:3000/api/v1', 'http://localhost:3000/api/v1'],
      ['http://[0:0:0:0:0:0:0:1]/api/v1', 'http://[::1]/api/v1'],
    ] as const) {
      for (const one of [text, url]) assert.deepEqual(parseBaseUrl(one), { ok: true, url }, one);
    }
  });

  it('loses the quotes and invisible characters around it', () => {
    const url = 'https://host.example/api/v1';
    for (const text of [
      `"${url}"`,
      `\u200b${url}\u2060`,
      ` '${url}/' \n`,
      `„${url}“`,
      `\ufeff"${url}\u00a0"`,
    ]) {
      assert.deepEqual(parseBaseUrl(text), { ok: true, url }, JSON.stringify(text));
    }
  });

  it('is refused with a character that is invisible or that URL changes', () => {
    for (const [text, character] of [
      ['https://host.example/api/v1\u200b/', '\u200b'],
      ['https://host.example/api\u2060/v1', '\u2060'],
      ['https://host.example/a pi/v1', ' '],
      ['https://host.example/ap\ni/v1', '\n'],
      ['https\u200b://host.example/api/v1', '\u200b'],
      ['https://ho\u00adst.example/api/v1', '\u00ad'],
      ['https://ｈost.example/api/v1', 'ｈ'],
      ['https://h%6Fst.example/api/v1', '%'],
      ['https://host.example:8\t0/api/v1', '\t'],
      ['https://host.example/\ud800/api/v1', '\ud800'],
      ['https:\\\\host.example\\api\\v1', '\\'],
      ['https://host.example\\api\\v1', '\\'],
    ] as const) {
      assert.deepEqual(
        parseBaseUrl(text),
        { ok: false, problem: 'character', character },
        JSON.stringify(text),
      );
    }
  });

  it('has no user name when it is accepted', () => {
    forAnyAccepted(({ username }) => assert.equal(username, ''));
  });

  it('has as many path segments as were written when it is accepted', () => {
    forAnyAccepted(({ pathname }, { path }) =>
      assert.equal(pathname.split('/').length, path.split('/').length, path),
    );
  });

  it('has the path that was written when it is accepted', () => {
    forAnyAccepted(({ pathname }, { path }) => {
      // URL percent-encodes other characters.
      if (/^[\w.~%/-]*$/.test(path)) assert.equal(pathname, path);
    });
  });

  it('has the host that was written when it is accepted', () => {
    forAnyAccepted(({ hostname }, { host }) => {
      // The dot at its end goes.
      if (/^[a-z0-9.-]*$/i.test(host))
        assert.equal(hostname, host.toLowerCase().replace(/\.$/, ''));
    });
  });

  const refused = {
    placeholder: ['$(BASE_URL)', '"${BASE_URL}"', '%BASE_URL%', '<your base URL>'],
    twoSchemes: [
      'https://https://host.example/api/v1',
      'HTTP://https://host.example/api/v1',
      'http://https//host.example/api/v1',
      'https://https:/host.example/api/v1',
    ],
    changedHost: [
      'http://127.1/api/v1',
      'https://0x7f.0.0.1/api/v1',
      'https://010.0.0.1/api/v1',
      'https://3128/api/v1',
      'https://1../api/v1',
      'https://0x7f../api/v1',
      'https://host.example../api/v1',
      'https://host..example/api/v1',
      'https://.host.example/api/v1',
    ],
    dots: [
      'https://host.example/x/../api/v1',
      'https://host.example/./api/v1',
      'https://host.example/%2E%2e/api/v1',
      'https://host.example/x/.%2e/api/v1',
      'https://host.example/api/v1/..',
    ],
    notAUrl: [
      '',
      'host.example/api/v1',
      'https:host.example/api/v1',
      'https:///api/v1',
      'https://:8080/api/v1',
      'https://host.example:99999/api/v1',
    ],
    scheme: ['ftp://host.example/api/v1'],
    insecure: ['http://host.example/api/v1'],
    credentials: [
      'https://user@host.example/api/v1',
      'https://@host.example/api/v1',
      'https://CORP\\me:p w@host.example/api/v1',
    ],
    query: ['https://host.example/api/v1?', 'https://host.example?x#/api/v1'],
    fragment: ['https://host.example/api/v1#', 'https://host.example/api/v1#?'],
    path: ['https://host.example', 'https://host.example/api/v10'],
  };
  for (const [problem, texts] of Object.entries(refused)) {
    it(`is refused for its problem "${problem}"`, () => {
      for (const text of texts) assert.deepEqual(parseBaseUrl(text), { ok: false, problem }, text);
    });
  }
});

describe('isLoopback()', () => {
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]']) {
    it(`is true for ${host}`, () => assert.equal(isLoopback(host), true));
  }

  for (const host of [
    'a.localhost',
    'localhost.example',
    '127.0.0.1.example',
    '128.0.0.1',
    '[::ffff:127.0.0.1]',
  ]) {
    it(`is false for ${host}`, () => assert.equal(isLoopback(host), false));
  }
});

import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { foreignInHost, isUnchangedHost } from '../../../src/api/entered/urlHost.js';

/** Checks the URL of each host that is accepted of any texts. */
function forAnyAccepted(check: (url: URL, host: string) => void): void {
  const hosts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.string({
      unit: fc.constantFrom(...Array.from('0x127.fF%41-_ａü\u00ad。[]:@/\\#?\t ')),
      maxLength: 12,
    }),
  );
  fc.assert(
    fc.property(hosts, (host) => {
      if (isUnchangedHost(host)) check(new URL(`http://${host}:3128/x`), host);
    }),
    { numRuns: 2000 },
  );
}

describe('a host', () => {
  const unchanged = [
    'host.example',
    'Host.Example.',
    'my_host-1',
    '127.0.0.1',
    '[::1]',
    '[2001:DB8:0:0:0:0:0:1]',
    'bücher.example',
    'BÜCHER.example',
    'bu\u0308cher.example',
    'straße.example',
    'xn--bcher-kva.example',
    '日本.example',
    'نامه\u200cای.example',
  ];
  for (const host of unchanged) {
    it(`is accepted when it is ${host}, which URL keeps`, () => {
      assert.equal(isUnchangedHost(host), true);
    });
  }

  it('has no character to blame when URL keeps it', () => {
    for (const host of unchanged) assert.equal(foreignInHost(host), undefined, host);
  });

  const refused: Readonly<Record<string, string | undefined>> = {
    '': undefined,
    '127.1': undefined,
    '0x7f.0.0.1': undefined,
    '010.0.0.1': undefined,
    '2130706433': undefined,
    '[::1': undefined,
    'h%61st': '%',
    'host ': ' ',
    'a"b': '"',
    'a=b;c': '=',
    'a/b': '/',
    'me@host': '@',
    ｈost: 'ｈ',
    ﬁsh: 'ﬁ',
    'ho\u00adst': '\u00ad',
    'ho\u200bst': '\u200b',
    'ho\tst': '\t',
    'host。example': '。',
  };
  for (const host of Object.keys(refused)) {
    it(`is refused when it is ${JSON.stringify(host)}, which URL changes`, () => {
      assert.equal(isUnchangedHost(host), false);
    });
  }

  it('is refused with the character that URL changes', () => {
    for (const [host, character] of Object.entries(refused))
      assert.equal(foreignInHost(host), character, host);
  });

  it('changes no other part of a URL when it is accepted', () => {
    forAnyAccepted(({ pathname, search, hash, username, port }, host) => {
      const others = { pathname, search, hash, username, port };
      const expected = { pathname: '/x', search: '', hash: '', username: '', port: '3128' };
      assert.deepEqual(others, expected, host);
    });
  });

  it('is the host of the URL when it is accepted', () => {
    forAnyAccepted(({ hostname }, host) => {
      const isPlain = /^[\0-\x7f]*$/.test(host) && !host.startsWith('[');
      if (isPlain) assert.equal(hostname, host.toLowerCase());
    });
  });

  it('never becomes another IPv4 address when it is accepted', () => {
    forAnyAccepted(({ hostname }, host) => {
      const isPlain = /^[\0-\x7f]*$/.test(host) && !host.startsWith('[');
      if (!isPlain) assert.doesNotMatch(hostname, /^[\d.]+$/, host);
    });
  });
});

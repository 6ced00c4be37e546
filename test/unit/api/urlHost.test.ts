import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { foreignInHost, isUnchangedHost } from '../../../src/api/entered/urlHost.js';

describe('a host', () => {
  it('is taken if URL makes the same one of it, in any case and any notation of IPv6', () => {
    for (const host of [
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
    ]) {
      assert.ok(isUnchangedHost(host), host);
      assert.equal(foreignInHost(host), undefined, host);
    }
  });

  it('is refused if URL makes another one of it, with the character that is to blame', () => {
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
    for (const [host, character] of Object.entries(refused)) {
      assert.ok(!isUnchangedHost(host), host);
      assert.equal(foreignInHost(host), character, host);
    }
  });

  it('is what URL makes of it, whatever stands there', () => {
    const hosts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({
        unit: fc.constantFrom(...Array.from('0x127.fF%41-_ａü\u00ad。[]:@/\\#?\t ')),
        maxLength: 12,
      }),
    );
    fc.assert(
      fc.property(hosts, (host) => {
        if (!isUnchangedHost(host)) return;
        const { hostname, pathname, search, hash, username, port } = new URL(
          `http://${host}:3128/x`,
        );
        assert.deepEqual([pathname, search, hash, username, port], ['/x', '', '', '', '3128']);
        if (/^[\0-\x7f]*$/.test(host) && !host.startsWith('['))
          assert.equal(hostname, host.toLowerCase());
        else assert.doesNotMatch(hostname, /^[\d.]+$/);
      }),
      { numRuns: 2000 },
    );
  });
});

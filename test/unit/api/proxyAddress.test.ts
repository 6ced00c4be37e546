import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { proxyPasswords, readProxyAddress } from '../../../src/api/entered/proxyAddress.js';
import {
  anyPasswords,
  proxiesWith,
  strangePasswords,
  type WrittenProxy,
} from '../../support/proxyAddresses.js';

/** In one line: "http proxy.example 3128 as me:pw", or "refused: character \". */
function read(text: string): string {
  const address = readProxyAddress(text);
  if (!address.ok) {
    const { kind, character } = address.problem;
    return `refused: ${kind}${character === undefined ? '' : ` ${character}`}`;
  }
  const { protocol, host, port } = address;
  const bytes = bytesIn(address.authorization);
  return `${protocol} ${host} ${port}${bytes ? ` as ${bytes.toString()}` : ''}`;
}

function bytesIn(authorization: string | undefined): Buffer | undefined {
  return authorization === undefined
    ? undefined
    : Buffer.from(authorization.replace(/^Basic /, ''), 'base64');
}

/** Exactly that proxy with exactly these credentials, or a refusal that names the character. */
function checkReading({ address, host, port, user, password }: WrittenProxy): void {
  const proxy = readProxyAddress(address);
  if (password.blamed !== undefined) {
    assert.ok(!proxy.ok, address);
    assert.deepEqual(proxy.problem.character, password.blamed);
    return;
  }
  assert.ok(proxy.ok, address);
  assert.deepEqual([proxy.host, proxy.port], [host, port]);
  assert.equal(bytesIn(proxy.authorization)?.toString(), `${user}:${password.plain}`);
  assert.deepEqual(proxyPasswords(address).at(-1), password.plain);
}

describe("a proxy's address", () => {
  const table: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'is read with or without a scheme, a port, and a slash': {
      'http://proxy.example:3128': 'http proxy.example 3128',
      'proxy.example:8080': 'http proxy.example 8080',
      'localhost:3128/': 'http localhost 3128',
      'HTTPS://Proxy.Example': 'https proxy.example 443',
      'http://proxy.example:/': 'http proxy.example 80',
      'http://my_proxy.example:08080': 'http my_proxy.example 8080',
      'http://[2001:DB8:0::1]:3128': 'http 2001:db8::1 3128',
      'http://Bücher.example:1': 'http xn--bcher-kva.example 1',
      'http://xn--bcher-kva.example:1': 'http xn--bcher-kva.example 1',
      'socks5h://127.0.0.1:1080': 'socks 127.0.0.1 1080',
    },
    'loses quotes and invisible characters around it': {
      '"http://127.0.0.1:3128"': 'http 127.0.0.1 3128',
      " 'proxy.example:1'\n": 'http proxy.example 1',
      '\u200bhttp://proxy.example:1\u2060': 'http proxy.example 1',
    },
    'keeps user and password byte by byte': {
      'http://CORP%5Cjdoe:Secret1@127.0.0.1:3128': 'http 127.0.0.1 3128 as CORP\\jdoe:Secret1',
      'jdoe:p@ss:w@rd@proxy.example:1': 'http proxy.example 1 as jdoe:p@ss:w@rd',
      'http://j%40doe:p%3as%2F@proxy.example:1': 'http proxy.example 1 as j@doe:p:s/',
      'http://jdoe:100% %x %4@proxy.example:1': 'http proxy.example 1 as jdoe:100% %x %4',
      'http://jdoe:pä ß 日😀@proxy.example:1': 'http proxy.example 1 as jdoe:pä ß 日😀',
      'http://jdoe@proxy.example:1': 'http proxy.example 1 as jdoe:',
      'http://:pw@proxy.example:1': 'http proxy.example 1 as :pw',
      'http://@proxy.example:1': 'http proxy.example 1',
    },
    'is refused with the character of user or password that has to be encoded': {
      'http://CORP\\jdoe:Secret1@127.0.0.1:3128': 'refused: character \\',
      'CORP\\jdoe:Secret1@127.0.0.1:3128': 'refused: character \\',
      'http://jdoe:Se#cret@proxy.example:1': 'refused: character #',
      'http://jdoe:Se?cret@proxy.example:1': 'refused: character ?',
      'http://jdoe:Se/cr@et@proxy.example:1': 'refused: character /',
      'socks5://jdoe:Se/cret@proxy.example:1': 'refused: character /',
      'jdoe://Secret@proxy.example:1': 'refused: character /',
    },
    'is refused with a quote whose other one was lost': {
      '"http://me:pw@proxy.example:1': 'refused: control "',
      'http://proxy.example:1”': 'refused: control ”',
    },
    'is refused with a character that no encoding helps': {
      'http://jdoe:a\tb@proxy.example:1': 'refused: control \t',
      'http://proxy\n.example:1': 'refused: control \n',
      'http://jdoe:a%0Db@proxy.example:1': 'refused: control \r',
      'http://jd%7Foe:ab@proxy.example:1': 'refused: control \x7f',
      'http://jdoe:a\ud800b@proxy.example:1': 'refused: control \ud800',
      'http://jd%3Aoe:pw@proxy.example:1': 'refused: userColon',
    },
    'is refused where its scheme is another one, stands twice, or lacks slashes': {
      'ftp://proxy.example': 'refused: scheme',
      'ftp://me:pw@proxy.example': 'refused: scheme',
      'quic://proxy.example:1': 'refused: scheme',
      'socks6://proxy.example:1': 'refused: scheme',
      'http://http://proxy.example:1': 'refused: scheme',
      'http:/proxy.example:1': 'refused: scheme',
      'https:proxy.example:1': 'refused: scheme',
      'http:///proxy.example:1': 'refused: scheme',
    },
    'is refused where URL would make another host of it': {
      '': 'refused: host',
      'http://': 'refused: host',
      '//proxy.example:1': 'refused: host',
      'http://:3128': 'refused: host',
      'http://me:pw@:3128': 'refused: host',
      'http://127.1:3128': 'refused: host',
      'http://0x7f.1:3128': 'refused: host',
      'http://010.0.0.1:3128': 'refused: host',
      'http://3128': 'refused: host',
      'http://1..:3128': 'refused: host',
      'http://proxy..example:1': 'refused: host',
      'http://ｐroxy.example:1': 'refused: host ｐ',
      'http://pro\u00adxy.example:1': 'refused: host \u00ad',
      'http://pro\ufe0fxy.example:1': 'refused: host \ufe0f',
      'http://proxy。example:1': 'refused: host 。',
      'http://prox%79.example:1': 'refused: host %',
      'http://proxy".example:1': 'refused: host "',
      'http=proxy.example:1;https=proxy.example:2': 'refused: host =',
      'http://proxy.example :1': 'refused: host  ',
      'http://proxy\\.example:1': 'refused: host \\',
      'http://proxy.example:1\\': 'refused: host \\',
      'http://proxy\u2028.example:1': 'refused: host \u2028',
      'http://[::1': 'refused: host',
    },
    'is refused with another port than a number, of which it shows nothing': {
      'http://jdoe:Secret1': 'refused: host',
      'http://proxy.example:99999': 'refused: host',
      'http://proxy.example:１': 'refused: host',
    },
    'is refused with more than a slash after host and port': {
      'http://proxy.example:1/x': 'refused: afterHost',
      'http://proxy.example:1//': 'refused: afterHost',
      'http://proxy.example:1?': 'refused: afterHost',
      'http://proxy.example#x': 'refused: afterHost',
      'http://[::1]x:1': 'refused: afterHost',
    },
    'is refused where it was not filled in': {
      '$(HTTPS_PROXY)': 'refused: placeholder',
      '%HTTPS_PROXY%': 'refused: placeholder',
      '"${HTTPS_PROXY}"': 'refused: placeholder',
    },
  };
  for (const [what, readings] of Object.entries(table)) {
    it(what, () => {
      for (const [text, expected] of Object.entries(readings))
        assert.equal(read(text), expected, JSON.stringify(text));
    });
  }

  it('may hold a password that is no UTF-8', () => {
    const address = readProxyAddress('http://me:a%FFb%e9@proxy.example:1');
    assert.ok(address.ok);
    assert.equal(bytesIn(address.authorization)?.toString('latin1'), 'me:a\xffb\xe9');
  });

  it('of any password leads to that host with these credentials, or is refused with the character', () => {
    fc.assert(fc.property(proxiesWith(strangePasswords), checkReading), { numRuns: 1000 });
    fc.assert(fc.property(proxiesWith(anyPasswords), checkReading), { numRuns: 1000 });
  });

  it('that is refused keeps its password out of texts as well', () => {
    assert.deepEqual(proxyPasswords('http://CORP\\jdoe:Secret1@proxy.example:1'), [
      'Secret1',
      'Secret1',
    ]);
    assert.deepEqual(proxyPasswords('http://http://me:S%21@proxy.example:1'), ['S%21', 'S!']);
    assert.deepEqual(proxyPasswords('jdoe://Secret1@proxy.example:1'), ['//Secret1', '//Secret1']);
    assert.deepEqual(proxyPasswords('proxy.example:1'), []);
  });
});

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

/** "proxy.example:3128", or "refused: afterHost". */
function hostAndPortOf(proxy: ReturnType<typeof readProxyAddress>): string {
  return proxy.ok ? `${proxy.host}:${proxy.port}` : `refused: ${proxy.problem.kind}`;
}

/** Checks addresses with any password of which each is accepted or refused, as `isRefused` says. */
function forAnyPassword(
  { isRefused }: { readonly isRefused: boolean },
  check: (proxy: ReturnType<typeof readProxyAddress>, written: WrittenProxy) => void,
): void {
  const property = (proxies: fc.Arbitrary<WrittenProxy>) =>
    fc.property(proxies, (written) => {
      const isToRefuse = written.password.blamed !== undefined;
      if (isToRefuse === isRefused) check(readProxyAddress(written.address), written);
    });
  fc.assert(property(proxiesWith(strangePasswords)), { numRuns: 1000 });
  fc.assert(property(proxiesWith(anyPasswords)), { numRuns: 1000 });
}

describe("a proxy's address", () => {
  const table: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'is accepted with or without scheme, port, and slash': {
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
    'loses the quotes and invisible characters around it': {
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
    'is refused with the character of the user or password that has to be encoded': {
      'http://CORP\\jdoe:Secret1@127.0.0.1:3128': 'refused: character \\',
      'CORP\\jdoe:Secret1@127.0.0.1:3128': 'refused: character \\',
      'http://jdoe:Se#cret@proxy.example:1': 'refused: character #',
      'http://jdoe:Se?cret@proxy.example:1': 'refused: character ?',
      'http://jdoe:Se/cr@et@proxy.example:1': 'refused: character /',
      'socks5://jdoe:Se/cret@proxy.example:1': 'refused: character /',
      'jdoe://Secret@proxy.example:1': 'refused: character /',
    },
    'is refused with a quote that lacks its counterpart': {
      '"http://me:pw@proxy.example:1': 'refused: control "',
      'http://proxy.example:1”': 'refused: control ”',
    },
    'is refused with a character that cannot be encoded': {
      'http://jdoe:a\tb@proxy.example:1': 'refused: control \t',
      'http://proxy\n.example:1': 'refused: control \n',
      'http://jdoe:a%0Db@proxy.example:1': 'refused: control \r',
      'http://jd%7Foe:ab@proxy.example:1': 'refused: control \x7f',
      'http://jdoe:a\ud800b@proxy.example:1': 'refused: control \ud800',
      'http://jd%3Aoe:pw@proxy.example:1': 'refused: userColon',
    },
    'is refused when its scheme is unknown, doubled, or without slashes': {
      'ftp://proxy.example': 'refused: scheme',
      'ftp://me:pw@proxy.example': 'refused: scheme',
      'quic://proxy.example:1': 'refused: scheme',
      'socks6://proxy.example:1': 'refused: scheme',
      'http://http://proxy.example:1': 'refused: scheme',
      'http:/proxy.example:1': 'refused: scheme',
      'https:proxy.example:1': 'refused: scheme',
      'http:///proxy.example:1': 'refused: scheme',
    },
    'is refused when URL would change its host': {
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
    'is refused without showing its port when that is not a valid number': {
      'http://jdoe:Secret1': 'refused: host',
      'http://proxy.example:99999': 'refused: host',
      'http://proxy.example:１': 'refused: host',
    },
    'is refused when more than a slash follows its host and port': {
      'http://proxy.example:1/x': 'refused: afterHost',
      'http://proxy.example:1//': 'refused: afterHost',
      'http://proxy.example:1?': 'refused: afterHost',
      'http://proxy.example#x': 'refused: afterHost',
      'http://[::1]x:1': 'refused: afterHost',
    },
    'is refused when it is a placeholder': {
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

  it('keeps a password that is not UTF-8', () => {
    const address = readProxyAddress('http://me:a%FFb%e9@proxy.example:1');
    assert.equal(address.ok, true);
    assert.equal(address.ok && bytesIn(address.authorization)?.toString('latin1'), 'me:a\xffb\xe9');
  });

  it('is refused with the character of any password that has to be encoded', () => {
    forAnyPassword({ isRefused: true }, (proxy, { address, password }) => {
      assert.equal(proxy.ok, false, address);
      assert.equal(!proxy.ok && proxy.problem.character, password.blamed, address);
    });
  });

  it('leads to the written host and port whatever the password is', () => {
    forAnyPassword({ isRefused: false }, (proxy, { address, host, port }) => {
      assert.equal(hostAndPortOf(proxy), `${host}:${port}`, address);
    });
  });

  it('keeps the written user and password whatever the password is', () => {
    forAnyPassword({ isRefused: false }, (proxy, { address, user, password }) => {
      const credentials = proxy.ok && bytesIn(proxy.authorization)?.toString();
      assert.equal(credentials, `${user}:${password.plain}`, address);
    });
  });
});

function checkPasswords({ address, password }: WrittenProxy): void {
  if (password.blamed === undefined)
    assert.equal(proxyPasswords(address).at(-1), password.plain, address);
}

/** An address that is refused has its password kept out of texts, too: as it is written, and decoded. */
describe("the passwords of a proxy's address", () => {
  for (const [when, address, passwords] of [
    [
      'it is refused for a backslash',
      'http://CORP\\jdoe:Secret1@proxy.example:1',
      ['Secret1', 'Secret1'],
    ],
    ['it is refused for its two schemes', 'http://http://me:S%21@proxy.example:1', ['S%21', 'S!']],
    ['it is refused for its scheme', 'jdoe://Secret1@proxy.example:1', ['//Secret1', '//Secret1']],
    ['it has none', 'proxy.example:1', []],
  ] as const) {
    it(`are found in both forms when ${when}`, () => {
      assert.deepEqual(proxyPasswords(address), passwords);
    });
  }

  it('are found decoded whatever they are', () => {
    fc.assert(fc.property(proxiesWith(strangePasswords), checkPasswords), { numRuns: 1000 });
    fc.assert(fc.property(proxiesWith(anyPasswords), checkPasswords), { numRuns: 1000 });
  });
});

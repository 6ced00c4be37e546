/** Proxies' addresses by chance, with what a reader has to make of each. */
import * as fc from 'fast-check';

/** No four of these stand in a row in our sentences, hosts, ports, or users. */
const alphabet = [...Array.from('QZXJ\\/?#@:%"\' '), 'ü', '日', '😀', '\t'];

export interface WrittenPassword {
  /** As it stands in an address. */
  readonly written: string;
  /** As a proxy has to get it. */
  readonly plain: string;
  /** The first character that may not stand there, encoded or not. */
  readonly blamed: string | undefined;
  /** That character as it stands there, which is all that texts may tell of the password. */
  readonly told: string;
}

const hosts = ['127.0.0.1', 'proxy.example', 'Proxy.Example', '[::1]', 'bücher.example'];
const users = ['jdoe', 'CORP%5Cjdoe', 'j.doe%40corp.example'];

export interface WrittenProxy {
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: WrittenPassword;
}

/** Each character of the password as it is, or percent-encoded, and a `%` always so. */
function passwordOf(
  characters: readonly string[],
  areEncoded: readonly boolean[],
): WrittenPassword {
  const pieces = characters.map((character, at) => {
    const isEncoded = character === '%' || areEncoded[at] === true;
    const isRefused = isEncoded ? isControl(character) : /[\\/?#\p{Cc}\p{Cs}]/u.test(character);
    return {
      character,
      written: isEncoded ? percentEncoded(character) : character,
      isEncoded,
      isRefused,
    };
  });
  const refused = pieces.filter(({ isRefused }) => isRefused);
  // Control characters of the whole address come first, and those that are encoded last.
  const raw = refused.filter(({ isEncoded }) => !isEncoded);
  const first =
    raw.find(({ character }) => /[\p{Cc}\p{Cs}]/u.test(character)) ?? raw[0] ?? refused[0];
  return {
    written: pieces.map(({ written }) => written).join(''),
    plain: characters.join(''),
    blamed: first?.character,
    told: first?.written ?? '',
  };
}

function isControl(character: string): boolean {
  return character < ' ' || character === '\x7f';
}

function percentEncoded(character: string): string {
  return Array.from(
    Buffer.from(character),
    (byte) => `%${byte.toString(16).padStart(2, '0')}`,
  ).join('');
}

function passwordsFrom(characters: fc.Arbitrary<readonly string[]>): fc.Arbitrary<WrittenPassword> {
  return fc
    .tuple(characters, fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }))
    .map(([some, areEncoded]) => passwordOf(some, areEncoded));
}

/** Of characters whose neighborhood tells them from our words. */
export const strangePasswords = passwordsFrom(
  fc.array(fc.constantFrom(...alphabet), { minLength: 4, maxLength: 12 }),
);

/** Of any characters at all, halves of pairs apart, which cannot be encoded. */
export const anyPasswords = passwordsFrom(
  fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), { maxLength: 12 }),
);

/** `peer`: of one proxy, which is spoken to over HTTP. */
export function proxiesWith(
  passwords: fc.Arbitrary<WrittenPassword>,
  peer?: { readonly host: string; readonly port: number },
): fc.Arbitrary<WrittenProxy> {
  const schemes = ['', 'http://', ...(peer ? [] : ['HTTPS://'])];
  return fc
    .record({
      scheme: fc.constantFrom(...schemes),
      quotes: fc.constantFrom('', '"', "'"),
      user: fc.constantFrom(...users),
      password: passwords,
      host: peer ? fc.constant(peer.host) : fc.constantFrom(...hosts),
      port: peer ? fc.constant(peer.port) : fc.integer({ min: 1, max: 65535 }),
    })
    .map(({ scheme, quotes, user, password, host, port }) => ({
      address: `${quotes}${scheme}${user}:${password.written}@${host}:${port}${quotes}`,
      host: new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      user: decodeURIComponent(user),
      password,
    }));
}

/**
 * The parts of a password of which no text may hold one, as it is written and as it is meant; without
 * those of nothing but escapes, such as `%22%`, which URLs in our texts have as well, without an escape beside
 * a space, as in "Write # as %23 in", and without what stands in JSON between a name and its text.
 */
export function partsOf({ written, plain }: WrittenPassword): readonly string[] {
  const parts = [written, plain].flatMap((text) => {
    const characters = Array.from(text);
    return characters.slice(3).map((_, at) => characters.slice(at, at + 4).join(''));
  });
  return parts.filter((part) => !/^(?:[%\da-f]+| %[\da-f]{2}|%[\da-f]{2} |": ")$/i.test(part));
}

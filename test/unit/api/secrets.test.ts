import { strict as assert } from 'node:assert';
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { excerptOf } from '../../../src/api/answer.js';
import { KnownSecrets, redacted } from '../../../src/api/secrets.js';

const token = 'tok+/4f9c=2e7d&1b';
const uuid = '3F2504e0-4f89-41d3-9a0c-0305e82c3301';

function knowing(...secrets: string[]): KnownSecrets {
  const known = new KnownSecrets();
  for (const secret of secrets) {
    known.add(secret);
  }
  return known;
}

function everyByteEncoded(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

function megabyte(piece: string): string {
  return piece.repeat(1e6 / piece.length);
}

describe('a known secret', () => {
  const known = knowing(token, uuid);
  for (const [name, text] of [
    ['plain', token],
    ['percent-encoded', encodeURIComponent(token)],
    ['percent-encoded in lower case', encodeURIComponent(token).replace(/%../g, (escape) => escape.toLowerCase())],
    ['with every byte encoded', everyByteEncoded(token)],
    ['percent-encoded twice', encodeURIComponent(encodeURIComponent(token))],
    ['in base64', Buffer.from(token).toString('base64')],
    ['in base64url', Buffer.from(token).toString('base64url')],
    ['in base64 of user:token', Buffer.from(`me:${token}`).toString('base64')],
    ['in base64 after two bytes', Buffer.from(`a:${token}:tail`).toString('base64')],
    ['in base64 after one byte', Buffer.from(`:${token}`).toString('base64')],
    ['in base64 that is percent-encoded', encodeURIComponent(Buffer.from(`x${token}`).toString('base64'))],
    ['with HTML entities', token.replace(/[&/=+]/g, (c) => `&#x${c.charCodeAt(0).toString(16)};`)],
    ['as HTML', token.replace('&', '&amp;')],
    ['as JSON escapes', token.replace('/', '\\/').replace('&', '\\u0026')],
    ['as a UUID in capitals', uuid.toUpperCase()],
    ['as a UUID in small letters', uuid.toLowerCase()],
    ['as a UUID with encoded hyphens', uuid.replaceAll('-', '%2d')],
  ] as const) {
    it(`is found ${name}`, () => {
      // In base64, what stood beside the secret stays.
      const [, inside] =
        /^<p>before\|(?:[\w+/]{0,4})(.*?)(?:[\w+/=]{0,8})\|after<\/p>$/.exec(
          known.redact(`<p>before|${text}|after</p>`),
        ) ?? [];
      assert.equal(inside, redacted);
    });
  }

  it('is found each time', () => {
    assert.equal(known.redact(`${token} ${token}${uuid} ${uuid}`), `${redacted} ${redacted} ${redacted}`);
  });

  it('is no longer looked for in data when it was removed as often as it was added, but in texts', () => {
    const secrets = knowing('abcdefgh', 'abcdefgh');
    secrets.remove('abcdefgh');
    assert.equal(secrets.redactData('abcdefgh'), redacted);
    secrets.remove('abcdefgh');
    secrets.remove('abcdefgh');
    assert.equal(secrets.redactData('abcdefgh'), 'abcdefgh');
    assert.equal(secrets.redact('abcdefgh'), redacted);
  });

  it('that is a token is looked for in data, too, when it was removed, until it is long past', () => {
    const secrets = new KnownSecrets();
    secrets.addToken('tok-1234567890');
    // A request under way has it as well, and ends after the sign-out.
    secrets.add('tok-1234567890');
    secrets.remove('tok-1234567890');
    secrets.remove('tok-1234567890');
    assert.equal(secrets.redactData('x tok-1234567890'), 'x [redacted]');
    assert.equal(secrets.redactCut('x tok-1234567'), 'x [redacted]');
    for (let count = 100; count < 150; count++) {
      secrets.add(`another-${count}`);
      secrets.remove(`another-${count}`);
    }
    assert.equal(secrets.redactData('x tok-1234567890'), 'x tok-1234567890');
  });

  it('that is short, or long past, is no longer known at all once it was removed', () => {
    const secrets = knowing('slack');
    secrets.remove('slack');
    assert.equal(secrets.redact('slack'), 'slack');
    for (let count = 100; count < 200; count++) {
      secrets.add(`install-${count}`);
      secrets.remove(`install-${count}`);
    }
    assert.equal(secrets.redact('install-199'), redacted);
    assert.equal(secrets.redact('install-100'), 'install-100');
  });

  it('is replaced whole where another one begins like it', () => {
    assert.equal(knowing('abcdef', 'abcdefgh').redact('abcdefghi'), `${redacted}i`);
  });

  it('that is empty changes nothing', () => {
    assert.equal(knowing('').redact('text'), 'text');
    assert.equal(new KnownSecrets().redact('text'), 'text');
  });

  it('is found in every spelling however long it is, also if only its long beginning is there', () => {
    const parts = Array.from({ length: 20 }, (_, index) => createHash('sha512').update(`${index}`).digest('base64'));
    const long = parts.join('&%"_');
    const secrets = knowing(long);
    for (const text of [
      long,
      encodeURIComponent(long),
      encodeURIComponent(encodeURIComponent(long)),
      everyByteEncoded(long),
      JSON.stringify(long).slice(1, -1),
      long.replaceAll('&', '&amp;').replaceAll('"', '&#34;'),
    ]) {
      assert.equal(secrets.redact(`<${text}|${text}>`), `<${redacted}|${redacted}>`);
    }
    for (const before of ['', 'a', 'ab']) {
      const encoded = Buffer.from(`${before}${long}`).toString('base64');
      assert.ok(secrets.redact(encoded).length < 20);
    }
    assert.equal(secrets.redact(`<${long.slice(0, -1)}>`), `<${redacted}>`);
    assert.equal(secrets.redact(long.slice(1)), long.slice(1));
  });

  it('is found in any mixture of spellings, also where something beside it looks like a part of an escape', () => {
    const spellings: readonly ((character: string) => string)[] = [
      (character) => character,
      everyByteEncoded,
      (character) => everyByteEncoded(character).replaceAll('%', '%25'),
      (character) => character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
      (character) => `&#${character.codePointAt(0)};`,
      (character) => `&#x${character.codePointAt(0)!.toString(16)};`,
    ];
    const character = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      fc.constantFrom('2', 'a', 'e', ';', 'u', '/'),
    );
    const secret = fc.array(character, { minLength: 8, maxLength: 40 }).filter((all) => !/[%\\&]/.test(all.join('')));
    const spelled = fc.array(fc.nat(spellings.length - 1), { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(secret, spelled, (characters, choices) => {
        const one = knowing(characters.join(''));
        const mixed = characters.flatMap((text) => Array.from(text)).map((c, at) => spellings[choices[at % 40]!]!(c));
        assert.equal(one.redact(`<${mixed.join('')}>`), `<${redacted}>`);
        for (const before of ['%', '%2', '%25', '\\', '\\u00', '&', '&#', '&#1', '&am', '\u00e9']) {
          const plain = before + characters.join('');
          for (const text of [plain, encodeURIComponent(plain), everyByteEncoded(plain), JSON.stringify(plain)]) {
            assert.ok(one.redact(text).includes(redacted), text);
          }
        }
      }),
    );
  });

  it('is replaced with all of another that overlaps it', () => {
    assert.equal(knowing('abcdefgh', 'efghijklm').redact('<abcdefghijklm>'), `<${redacted}>`);
    assert.equal(knowing('xab', 'abcdefgh').redact('<xabcdefgh>'), `<${redacted}>`);
    assert.equal(knowing('aaaaaaaa').redact(`<${'a'.repeat(20)}>`), `<${redacted}>`);
  });

  it('that a person typed is searched for in texts only', () => {
    const secrets = knowing(token);
    secrets.add('production', 'texts');
    assert.equal(secrets.redactData(`production ${token}`), `production ${redacted}`);
    assert.equal(secrets.redact(`production ${token}`), `${redacted} ${redacted}`);
    secrets.remove('production', 'texts');
    assert.equal(secrets.redact('production'), redacted);
  });

  it('is not left half at the end of a text that was cut', () => {
    assert.equal(known.redactCut(`Bearer ${token.slice(0, 9)}`), `Bearer ${redacted}`);
    assert.equal(known.redactCut('Bearer'), 'Bearer');
  });

  it('never survives, however it is wrapped', () => {
    const secrets = fc.string({ unit: 'grapheme', minLength: 6, maxLength: 40 });
    const around = fc.string({ maxLength: 20 });
    fc.assert(
      fc.property(secrets, around, around, (secret, before, after) => {
        const one = knowing(secret);
        for (const text of [
          before + secret + after,
          encodeURIComponent(before + secret + after),
          everyByteEncoded(before + secret + after),
          JSON.stringify(before + secret + after),
        ]) {
          const clean = one.redact(text).replaceAll(redacted, '\0');
          assert.ok(!clean.includes(secret), clean);
          assert.ok(!clean.includes(encodeURIComponent(secret)), clean);
        }
        const encoded = one.redact(Buffer.from(before + secret + after).toString('base64'));
        assert.ok(encoded.includes(redacted), encoded);
      }),
    );
  });
});

describe('an excerpt', () => {
  const none = new KnownSecrets();

  it('is at most 300 characters of text, with white space folded and HTML as it is', () => {
    assert.deepEqual(excerptOf('<h1>\n\t Bad   gateway</h1>\r\n', none), { excerpt: '<h1> Bad gateway</h1>' });
    assert.equal(excerptOf('x'.repeat(10_000), none).excerpt?.length, 300);
    assert.deepEqual(excerptOf(' \n ', none), {});
  });

  it('does not end in half a character', () => {
    assert.equal(excerptOf(`${'x'.repeat(299)}😀`, none).excerpt, 'x'.repeat(299));
  });

  it('is redacted before it is cut', () => {
    const known = knowing(token);
    assert.equal(excerptOf(`${'x'.repeat(290)}${token}`, known).excerpt, `${'x'.repeat(290)}${redacted}`);
    const cut = excerptOf(`${'x'.repeat(295)}${token}`, known).excerpt;
    assert.equal(cut, `${'x'.repeat(295)}${redacted}`.slice(0, 300));
  });

  it('are found in a time that grows with the text alone, also if a token repeats itself', () => {
    const long = 'a'.repeat(20_000);
    for (const repeating of [`${long}b`, `b${long}`, long]) {
      const known = knowing(repeating);
      assert.equal(known.redact(`<${repeating}>`), `<${redacted}>`);
      // The beginning of the first is in the text, and is hidden with all that follows of it.
      const expected = repeating === `b${long}` ? megabyte('a') : redacted;
      assert.equal(known.redact(megabyte('a')), expected);
    }
  });

  it('are looked for in steps, so that no answer holds the extension host', () => {
    const secrets = new KnownSecrets();
    const long = `tok_${'a'.repeat(60)}`;
    secrets.addToken(long);
    const encoded = encodeURIComponent(long).replaceAll('a', '%61');
    for (const [text, expected] of [
      [megabyte(`${long} `), megabyte(`${long} `).replaceAll(long, redacted)],
      [megabyte(`${encoded} `), megabyte(`${encoded} `).replaceAll(encoded, redacted)],
      [megabyte('&a'), megabyte('&a')],
      // Names of entities in odd capitals are none.
      [megabyte('&aMP;'), megabyte('&aMP;')],
      [megabyte('%61'), megabyte('%61')],
    ] as const) {
      const work = secrets.redactingData(text);
      let steps = 1;
      let step = work.next();
      for (; !step.done; step = work.next()) steps++;
      assert.equal(step.value, expected);
      assert.ok(steps >= 4, `${steps} steps for ${text.slice(0, 20)}`);
    }
  });
});

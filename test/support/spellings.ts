import * as fc from 'fast-check';

/** Returns what a text is written as somewhere. */
type Encoder = (text: string) => string;

const percent: Encoder = (character) =>
  Array.from(Buffer.from(character), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const json: Encoder = (character) =>
  Array.from({ length: character.length }, (_, at) => {
    return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');

const upperCased = (encode: Encoder): Encoder => {
  return (character) => encode(character).replace(/[\da-f]+/g, (digits) => digits.toUpperCase());
};

/** For one character. */
const escapesOfCharacter: readonly Encoder[] = [
  percent,
  upperCased(percent),
  json,
  upperCased(json),
  (character) => `&#${character.codePointAt(0)};`,
  (character) => `&#x${character.codePointAt(0)?.toString(16)};`,
  (character) => `&#x${character.codePointAt(0)?.toString(16).toUpperCase()};`,
];

const htmlNames: Readonly<Record<string, string>> = {
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '"': 'quot',
  "'": 'apos',
};

/** For a text, as encoders in use write it. */
const encodersOfText: readonly Encoder[] = [
  encodeURIComponent,
  encodeURI,
  (text) => Array.from(text, percent).join(''),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  (text) => text.replace(/[^\w.-]/gu, json),
  (text) => text.replace(/[&<>"']/g, (mark) => `&${htmlNames[mark]};`),
  (text) => text.replace(/[^\w.-]/gu, (mark) => `&#${mark.codePointAt(0)};`),
];

/** Escapes some characters, each in its own way. */
export const mixedEscapes: fc.Arbitrary<Encoder> = fc
  .array(fc.option(fc.constantFrom(...escapesOfCharacter), { freq: 3 }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((ways) => (text) => {
    const written = Array.from(
      text,
      (character, at) => ways[at % ways.length]?.(character) ?? character,
    );
    return written.join('');
  });

const base64: fc.Arbitrary<Encoder> = fc
  .record({
    before: fc.constantFrom('', 'me:', 'user:', 'x', 'token=', '{"a":"'),
    after: fc.constantFrom('', ':', '&x=1', '"}', '\n'),
    isUrlSafe: fc.boolean(),
  })
  .map(({ before, after, isUrlSafe }) => (text) => {
    return Buffer.from(before + text + after).toString(isUrlSafe ? 'base64url' : 'base64');
  });

const escapesOfText = fc.constantFrom(...encodersOfText);
/** As often nested as SECURITY.md promises to find it. */
const nestedBase64 = fc.array(base64, { maxLength: 3 });

/**
 * Escapes single characters of a token in any mixture, then encodes the whole by up to six encoders
 * in any order.
 */
export const encoders: fc.Arbitrary<Encoder> = fc
  .tuple(fc.option(mixedEscapes), fc.array(escapesOfText, { maxLength: 3 }), nestedBase64)
  .chain(([inner, escapes, base64s]) => {
    const all = [...escapes, ...base64s];
    const orders = fc.shuffledSubarray(all, { minLength: all.length });
    return orders.map(
      (outer): Encoder =>
        (token) => {
          return outer.reduce((text, encode) => encode(text), inner?.(token) ?? token);
        },
    );
  });

/** What a token can be made of, those characters apart that begin escapes. */
export const tokens: fc.Arbitrary<string> = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9_.~+/=-]{16,60}$/),
  fc.uuid(),
  fc.stringMatching(/^(?:apt|pat|xoxb)[_-][A-Za-z0-9]{20,40}$/),
);

/** As many as SECURITY.md lets stay of the two ends of a secret, together. */
const maxCharsInARow = 8;

/** Whether more of a secret than that can be read in a text, or in what some of its escapes or Base64 stand for. */
export function shows(text: string, secret: string): boolean {
  const parts = Array.from({ length: Math.max(1, secret.length - maxCharsInARow) }, (_, at) => {
    return secret.slice(at, at + maxCharsInARow + 1);
  });
  return readings(text).some((reading) => parts.some((part) => reading.includes(part)));
}

function readings(text: string, depth = 3): readonly string[] {
  const plain = decoded(text);
  if (depth === 0) return [text, plain];
  const runs = Array.from(plain.matchAll(/[\w+/-]{12,}/g), ([run]) => run);
  const inner = runs.flatMap((run) =>
    [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), 'base64').toString('latin1')),
  );
  return [
    text,
    plain,
    ...inner.filter((one) => /[ -~]{9}/.test(one)).flatMap((one) => readings(one, depth - 1)),
  ];
}

function decoded(text: string): string {
  let plain = text;
  for (let before = ''; before !== plain; ) {
    before = plain;
    plain = plain
      .replace(/%([2-7][\da-f])/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
      .replace(/&#x0*([\da-f]{1,4});/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
      .replace(/&#0*(\d{1,5});/g, (_, code: string) => String.fromCharCode(Number(code)))
      .replace(
        /&(amp|lt|gt|quot|apos);/g,
        (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'",
      )
      .replace(/\\u([\da-f]{4})/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
      .replace(/\\(["\\/])/g, '$1');
  }
  return plain;
}

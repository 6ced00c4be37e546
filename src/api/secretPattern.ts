const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** A shorter piece of base64 would be found in any text. */
const shortestBase64 = 4;

/**
 * Finds every occurrence of a text: as it is, each character percent-encoded (once or more often), escaped for JSON or
 * HTML, and base64 or base64url of a longer text that contains it, as in `Basic base64(user:token)`.
 */
export function secretPattern(secret: string): RegExp {
  const alternatives = [
    { length: secret.length, source: spelled(secret, uuid.test(secret)) },
    ...[0, 1, 2].flatMap((offset) => insideBase64(secret, offset)),
  ];
  alternatives.sort((a, b) => b.length - a.length);
  return new RegExp(alternatives.map(({ source }) => source).join('|'), 'gu');
}

/** Each character in every way in which text formats write it. */
function spelled(text: string, anyCase: boolean): string {
  return Array.from(text, (character) => {
    const cases = anyCase ? [character.toLowerCase(), character.toUpperCase()] : [character];
    return `(?:${[...new Set(cases)].flatMap(spellings).join('|')})`;
  }).join('');
}

function spellings(character: string): string[] {
  const codePoint = character.codePointAt(0)!;
  const bytes = [...Buffer.from(character)].map((byte) => `%(?:25)*${hex(byte, 2)}`);
  const units = character.split('').map((unit) => `\\\\u${hex(unit.charCodeAt(0), 4)}`);
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
  return [
    escaped(character),
    bytes.join(''),
    units.join(''),
    `&#(?:[xX]0*${hex(codePoint, 0)}|0*${codePoint});`,
    ...(names[character] === undefined ? [] : [names[character]]),
    ...('"\\/'.includes(character) ? [`\\\\${escaped(character)}`] : []),
    ...(character === ' ' ? ['\\+'] : []),
  ];
}

/** The part of the base64 of a longer text that depends on `secret` alone, if that begins at byte `offset` modulo 3. */
function insideBase64(secret: string, offset: number): { length: number; source: string }[] {
  const bytes = Buffer.from(secret);
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const start = [0, 2, 3][offset]!;
  const end = Math.floor(((offset + bytes.length) * 8) / 6);
  const stable = encoded.slice(start, end);
  if (stable.length < shortestBase64) {
    return [];
  }
  const any = '[A-Za-z0-9+/_-]';
  const source = Array.from(stable, base64Character).join('');
  // The characters at the seams hold a few bits of the secret as well.
  const before = offset === 0 ? '' : `${any}?`;
  return [{ length: stable.length, source: `${before}${source}${any}?(?:=|%(?:25)*3[dD]){0,2}` }];
}

/** Both alphabets, and what percent-encoding and JSON make of their special characters. */
function base64Character(character: string): string {
  switch (character) {
    case '+':
      return '(?:[+-]|%(?:25)*2[bB])';
    case '/':
      return '(?:\\\\?/|_|%(?:25)*2[fF])';
    default:
      return character;
  }
}

/** Digits in either case, as a pattern. */
function hex(value: number, digits: number): string {
  return value
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function escaped(character: string): string {
  return /[A-Za-z0-9]/.test(character) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`;
}

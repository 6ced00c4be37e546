const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** A shorter piece of base64 would be found in any text. */
const shortestBase64 = 4;
/**
 * So many characters are searched for with a pattern; the rest is compared where they were found. A pattern of a whole token of
 * 2000 characters takes seconds to compile and megabytes to keep.
 */
const headLength = 6;
/** In base64 a character has one spelling or few, and every text is full of them. */
const base64HeadLength = 12;

const inBase64 = /[A-Za-z0-9+/_-]/;

/** One way in which the secret may be written, character by character. */
interface Form {
  readonly characters: readonly string[];
  readonly head: string;
  /** Every place where that character may end that may begin at `at`. */
  readonly ends: (text: string, at: number, character: string) => readonly number[];
  /** Base64 of a longer text: the characters at the seams hold a few bits of the secret as well. */
  readonly seams?: { readonly before: boolean };
}

/**
 * Finds every occurrence of a text: as it is, each character percent-encoded (once or more often), escaped for JSON or
 * HTML, and base64 or base64url of a longer text that contains it, as in `Basic base64(user:token)`.
 */
export class SecretFinder {
  readonly #forms: readonly Form[];
  readonly #heads: RegExp;

  constructor(secret: string) {
    this.#forms = [spelledOut(secret), ...[0, 1, 2].flatMap((offset) => insideBase64(secret, offset))];
    this.#heads = new RegExp(this.#forms.map(({ head }) => head).join('|'), 'gu');
  }

  replace(text: string, replacement: string): string {
    let result = '';
    let done = 0;
    this.#heads.lastIndex = 0;
    for (let head = this.#heads.exec(text); head; head = this.#heads.exec(text)) {
      const found = this.#at(text, head.index, done);
      if (found) {
        result += text.slice(done, found.start) + replacement;
        done = found.end;
      }
      // Not into the middle of a pair: a pattern would step back from there.
      this.#heads.lastIndex = found ? found.end : head.index + ((text.codePointAt(head.index) ?? 0) > 0xffff ? 2 : 1);
    }
    return done === 0 ? text : result + text.slice(done);
  }

  /** The longest occurrence that begins at this head, with its seams. */
  #at(text: string, at: number, done: number): { start: number; end: number } | undefined {
    let longest: { start: number; end: number } | undefined;
    for (const form of this.#forms) {
      const end = endOf(text, at, form);
      if (end !== undefined && end > (longest?.end ?? 0)) {
        const reachesBack = form.seams?.before === true && at > done && inBase64.test(text.charAt(at - 1));
        longest = { start: reachesBack ? at - 1 : at, end: form.seams ? afterSeam(text, end) : end };
      }
    }
    return longest;
  }
}

/** A character may be written in several ways, one of which may begin like another: all are followed, the longest counts. */
function endOf(text: string, at: number, { characters, ends }: Form): number | undefined {
  let places: readonly number[] = [at];
  for (const character of characters) {
    const [only = at, other] = places;
    // As it is, which is nearly always: the other spellings begin with one of these three.
    if (other === undefined && !'%\\&'.includes(character) && text.startsWith(character, only)) {
      places = [only + character.length];
      continue;
    }
    places = [...new Set(places.flatMap((place) => ends(text, place, character)))];
    if (places.length === 0) {
      return undefined;
    }
  }
  return Math.max(...places);
}

function afterSeam(text: string, end: number): number {
  const seam = /[A-Za-z0-9+/_-]?(?:=|%(?:25)*3[dD]){0,2}/y;
  seam.lastIndex = end;
  return end + (seam.exec(text)?.[0].length ?? 0);
}

/** Each character in every way in which text formats write it. */
function spelledOut(secret: string): Form {
  const anyCase = uuid.test(secret);
  const characters = Array.from(secret);
  const cases = (character: string) =>
    anyCase ? [...new Set([character.toLowerCase(), character.toUpperCase()])] : [character];
  const head = characters
    .slice(0, headLength)
    .map((character) => `(?:${cases(character).flatMap(spellings).join('|')})`)
    .join('');
  return {
    characters,
    head,
    ends: (text, at, character) => cases(character).flatMap((one) => endsOfSpellings(text, at, one)),
  };
}

const names: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function spellings(character: string): string[] {
  const codePoint = character.codePointAt(0)!;
  const bytes = [...Buffer.from(character)].map((byte) => `%(?:25)*${hex(byte, 2)}`);
  const units = character.split('').map((unit) => `\\\\u${hex(unit.charCodeAt(0), 4)}`);
  return [
    escaped(character),
    bytes.join(''),
    units.join(''),
    `&#(?:[xX]0*${hex(codePoint, 0)}|0*${codePoint});`,
    ...(names[character] === undefined ? [] : [`&${names[character]};`]),
    ...('"\\/'.includes(character) ? [`\\\\${escaped(character)}`] : []),
    ...(character === ' ' ? ['\\+'] : []),
  ];
}

/** The same spellings, compared in place. */
function endsOfSpellings(text: string, at: number, character: string): readonly number[] {
  const ends: number[] = [];
  const literal = (spelling: string): void => {
    if (text.startsWith(spelling, at)) ends.push(at + spelling.length);
  };
  literal(character);
  switch (text.charAt(at)) {
    case '%':
      ends.push(...endsOfPercent(text, at, [...Buffer.from(character)]));
      break;
    case '\\': {
      const escape = character
        .split('')
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join('');
      if (text.slice(at, at + escape.length).toLowerCase() === escape) ends.push(at + escape.length);
      if ('"\\/'.includes(character)) literal(`\\${character}`);
      break;
    }
    case '&': {
      const [whole = '', inHex, inDecimal] = /^&#(?:[xX]([0-9a-fA-F]+)|([0-9]+));/.exec(text.slice(at, at + 40)) ?? [];
      const codePoint = inHex === undefined ? Number(inDecimal) : Number.parseInt(inHex, 16);
      if (whole !== '' && codePoint === character.codePointAt(0)) ends.push(at + whole.length);
      if (names[character] !== undefined) literal(`&${names[character]};`);
      break;
    }
    case '+':
      if (character === ' ') ends.push(at + 1);
      break;
    default:
  }
  return ends;
}

/** Percent-encoded, perhaps several times over: `%2F`, `%252F`, … */
function endsOfPercent(text: string, at: number, bytes: readonly number[]): readonly number[] {
  let places = [at];
  for (const byte of bytes) {
    const digits = byte.toString(16).padStart(2, '0');
    places = places.flatMap((place) => {
      const ends: number[] = [];
      if (text.charAt(place) !== '%') return ends;
      for (let next = place + 1; ; next += 2) {
        const pair = text.slice(next, next + 2);
        if (pair.toLowerCase() === digits) ends.push(next + 2);
        if (pair !== '25') return ends;
      }
    });
  }
  return places;
}

/** The part of the base64 of a longer text that depends on `secret` alone, if that begins at byte `offset` modulo 3. */
function insideBase64(secret: string, offset: number): Form[] {
  const bytes = Buffer.from(secret);
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const start = [0, 2, 3][offset]!;
  const end = Math.floor(((offset + bytes.length) * 8) / 6);
  const characters = Array.from(encoded.slice(start, end));
  if (characters.length < shortestBase64) {
    return [];
  }
  const head = characters.slice(0, base64HeadLength).map(base64Character).join('');
  return [{ characters, head, ends: endsInBase64, seams: { before: offset !== 0 } }];
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

/** The same, compared in place. */
function endsInBase64(text: string, at: number, character: string): readonly number[] {
  const other = { '+': '-', '/': '_' }[character];
  const here = text.charAt(at);
  if (here === character || (other !== undefined && here === other)) return [at + 1];
  if (other === undefined) return [];
  if (character === '/' && text.startsWith('\\/', at)) return [at + 2];
  return endsOfPercent(text, at, [character.charCodeAt(0)]);
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

import { lastUpTo } from './binarySearch.js';

/** A part of a text, from `start` up to `end`, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** An escape, and the character that it stands for. */
interface Edit {
  /** The range of the escape in the text with escapes. */
  readonly escape: Range;
  /** The range of the character in the text without them. */
  readonly character: Range;
}

/** `\u0026`, `\x26`, or a backslash before a punctuation mark. */
const backslashEscapes = '\\\\u[\\da-f]{4}|\\\\x[\\da-f]{2}|\\\\[!-/:-@[-`{-~]';
/** `&#38;`, `&#x26;`, or `&amp;` */
const references = '&(?:#0{0,7}\\d{1,7}|#x0{0,6}[\\da-f]{1,6}|[a-z]{2,6});';
/** `%26` */
const percentOfAscii = '%[2-7][\\da-f]';
/** `%C3%A4`: several bytes may be one character. */
const percentOfOthers = '(?:%[89a-f][\\da-f])+';

const withoutPercent = `${backslashEscapes}|${references}`;
const ofAscii = `${percentOfAscii}|${withoutPercent}`;

export const escapesWithoutPercent = new RegExp(withoutPercent, 'gi');
export const escapesOfAscii = new RegExp(ofAscii, 'gi');
export const allEscapes = new RegExp(`${percentOfOthers}|${ofAscii}`, 'gi');

const cutEscape = /(?:%[\da-f]?|\\(?:u[\da-f]{0,3}|x[\da-f]?)?|&#?\w{0,8})$/i;

/** Removes the beginning of an escape at the end of a text that was cut. */
export function withoutCutEscape(text: string): string {
  return text.replace(cutEscape, '');
}

const maxLayers = 8;

/**
 * A text with its escapes, the same text without them, and so on, as long as there are escapes in
 * the result, at most eight times. `SecretSearch` makes one or two for each text that it searches.
 */
export class EscapeLayers {
  /** The first one is the text itself. */
  readonly texts: readonly string[];
  /** The edits that turn each layer into the next one, made when they are first needed. */
  private readonly edits: (readonly Edit[] | undefined)[] = [];

  /** `escapes`: one of the expressions above. */
  constructor(
    text: string,
    private readonly escapes: RegExp,
  ) {
    const texts = [text];
    while (texts.length <= maxLayers) {
      const outer = texts.at(-1)!;
      const mayHaveEscapes = /[%\\&]/.test(outer);
      if (!mayHaveEscapes) break;
      const inner = outer.replace(escapes, (escape) => decodedEscape(escape) ?? escape);
      if (inner === outer) break;
      texts.push(inner);
    }
    this.texts = texts;
  }

  /** Returns the range in the first text that a range of the text at `depth` stands for. */
  originOf(range: Range, depth: number): Range {
    let origin = range;
    for (let outer = depth - 1; outer >= 0; outer--) {
      const edits = this.editsOf(outer);
      origin = {
        start: offsetBefore(origin.start, edits, 'start'),
        end: offsetBefore(origin.end, edits, 'end'),
      };
    }
    return origin;
  }

  private editsOf(depth: number): readonly Edit[] {
    const made = this.edits[depth];
    if (made !== undefined) return made;
    const edits = editsIn(this.texts[depth]!, this.escapes);
    this.edits[depth] = edits;
    return edits;
  }
}

/** In the order of the text. */
function editsIn(text: string, escapes: RegExp): readonly Edit[] {
  const edits: Edit[] = [];
  /** By how many characters the text has become shorter so far. */
  let shortenedBy = 0;
  for (const match of text.matchAll(escapes)) {
    const escape = match[0];
    const character = decodedEscape(escape);
    if (character === undefined) continue;
    const { index } = match;
    const start = index - shortenedBy;
    edits.push({
      escape: { start: index, end: index + escape.length },
      character: { start, end: start + character.length },
    });
    shortenedBy += escape.length - character.length;
  }
  return edits;
}

/**
 * Returns the characters that an escape stands for: several for `%C3%A4%C3%B6`. Bytes not in UTF-8
 * become U+FFFD. Returns `undefined` for an HTML reference whose name is not in our table, or whose
 * number is too high.
 */
function decodedEscape(escape: string): string | undefined {
  switch (escape[0]) {
    case '%':
      return Buffer.from(escape.replaceAll('%', ''), 'hex').toString();
    case '\\':
      if (escape.length === 2) return escape[1];
      return String.fromCharCode(Number.parseInt(escape.slice(2), 16));
    default:
      return referencedCharacter(escape.slice(1, -1));
  }
}

/** `name`: of an HTML reference, for example `amp`, `#38`, or `#x26`, which all stand for "&". */
function referencedCharacter(name: string): string | undefined {
  const isNumeric = name.startsWith('#');
  if (!isNumeric) return Object.hasOwn(namedReferences, name) ? namedReferences[name] : undefined;
  const isHexadecimal = /^#x/i.test(name);
  const code = isHexadecimal ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** The references to characters that a token may have. */
const namedReferences: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  ast: '*',
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  dollar: '$',
  equals: '=',
  excl: '!',
  fjlig: 'fj',
  grave: '`',
  gt: '>',
  Hat: '^',
  lbrace: '{',
  lbrack: '[',
  lcub: '{',
  lowbar: '_',
  lpar: '(',
  lsqb: '[',
  lt: '<',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quest: '?',
  quot: '"',
  rbrace: '}',
  rbrack: ']',
  rcub: '}',
  rpar: ')',
  rsqb: ']',
  semi: ';',
  sol: '/',
  verbar: '|',
  vert: '|',
};

/** Returns where the start or the end of a range was in the text before these edits. */
function offsetBefore(offset: number, edits: readonly Edit[], side: 'start' | 'end'): number {
  // The end of a range is behind its last character, and belongs to that character.
  const position = side === 'start' ? offset : offset - 1;
  const edit = edits[lastUpTo(position, edits, ({ character }) => character.start)];
  if (edit === undefined) return offset;
  const { escape, character } = edit;
  const isInCharacter = position < character.end;
  return isInCharacter ? escape[side] : escape.end + (offset - character.end);
}

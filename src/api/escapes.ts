import { lastUpTo } from './binarySearch.js';

/** A part of a text, from `start` up to `end`, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A character in a text, and the escape that stood for it before. */
interface Edit {
  readonly written: Range;
  readonly read: Range;
}

const backslashEscapes = '\\\\u[\\da-f]{4}|\\\\x[\\da-f]{2}|\\\\[!-/:-@[-`{-~]';
const references = '&(?:#0{0,7}\\d{1,7}|#x0{0,6}[\\da-f]{1,6}|[a-z]{2,6});';
const withoutPercent = `${backslashEscapes}|${references}`;
const ofAscii = `%[2-7][\\da-f]|${withoutPercent}`;

export const escapesWithoutPercent = new RegExp(withoutPercent, 'gi');
export const escapesOfAscii = new RegExp(ofAscii, 'gi');
export const allEscapes = new RegExp(`(?:%[89a-f][\\da-f])+|${ofAscii}`, 'gi');

const cutEscape = /(?:%[\da-f]?|\\(?:u[\da-f]{0,3}|x[\da-f]?)?|&#?\w{0,8})$/i;

/** Without the beginning of an escape, which a text may end with that was cut. */
export function withoutCutEscape(text: string): string {
  return text.replace(cutEscape, '');
}

const maxLayers = 8;

/** A text, and what is left of it when its escapes are undone, and then those that this leaves, and so on. */
export class EscapeLayers {
  readonly texts: readonly string[];
  private readonly edits: (readonly Edit[])[] = [];

  constructor(
    text: string,
    private readonly escapes: RegExp,
  ) {
    const texts = [text];
    while (texts.length <= maxLayers) {
      const outer = texts.at(-1)!;
      const inner = /[%\\&]/.test(outer)
        ? outer.replace(escapes, (escape) => unescaped(escape) ?? escape)
        : outer;
      if (inner === outer) break;
      texts.push(inner);
    }
    this.texts = texts;
  }

  /** Where a part of the text at `depth` stands in the first text. */
  originOf(range: Range, depth: number): Range {
    let origin = range;
    for (let outer = depth - 1; outer >= 0; outer--) {
      const edits = (this.edits[outer] ??= editsIn(this.texts[outer]!, this.escapes));
      origin = {
        start: originOfOffset(origin.start, edits, 'start'),
        end: originOfOffset(origin.end, edits, 'end'),
      };
    }
    return origin;
  }
}

/** In the order of the text. */
function editsIn(text: string, escapes: RegExp): readonly Edit[] {
  const edits: Edit[] = [];
  let shrunk = 0;
  for (const { 0: escape, index } of text.matchAll(escapes)) {
    const character = unescaped(escape);
    if (character === undefined) continue;
    const start = index - shrunk;
    const read = { start: index, end: index + escape.length };
    edits.push({ written: { start, end: start + character.length }, read });
    shrunk += escape.length - character.length;
  }
  return edits;
}

/** Returns `undefined` for what only looks like an escape. */
function unescaped(escape: string): string | undefined {
  switch (escape[0]) {
    case '%':
      return Buffer.from(escape.replaceAll('%', ''), 'hex').toString();
    case '\\':
      return escape.length === 2
        ? escape[1]
        : String.fromCharCode(Number.parseInt(escape.slice(2), 16));
    default:
      return referenced(escape.slice(1, -1));
  }
}

/** The character of an HTML reference: `amp`, `#38` or `#x26`. */
function referenced(name: string): string | undefined {
  if (!name.startsWith('#'))
    return Object.hasOwn(namedReferences, name) ? namedReferences[name] : undefined;
  const isHexadecimal = /^#x/i.test(name);
  const code = isHexadecimal ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** Of characters that can stand in a token. */
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

function originOfOffset(offset: number, edits: readonly Edit[], side: 'start' | 'end'): number {
  // The end of a part is behind its last character, and belongs to that one.
  const character = side === 'start' ? offset : offset - 1;
  const before = edits[lastUpTo(character, edits, ({ written }) => written.start)];
  if (before === undefined) return offset;
  const { written, read } = before;
  return character < written.end ? read[side] : read.end + (offset - written.end);
}

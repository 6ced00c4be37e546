/** A part of a text, from `start` up to `end`, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Base64 of shorter ones would be found in words by chance. */
const minBase64SecretChars = 12;
const maxBase64Layers = 3;
const maxEscapeLayers = 8;
/** So many characters of a secret are shown of a key ID, too, and begin or end many a word. */
const minPartChars = 4;
const uuidShape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Finds some secrets in texts: as they are, and behind any mixture of the escapes of URLs, JSON,
 * JavaScript, and HTML, and of Base64. It costs a few passes over the text, whatever stands there.
 */
export class SecretSearch {
  /** What is looked for, in a text and in what is left of it without escapes. */
  private readonly spellings: readonly string[];
  private readonly escapes: RegExp;
  private readonly inBase64: Base64Search | undefined;

  /** `base64Layers`: how often Base64 may be nested. */
  constructor(secrets: readonly string[], base64Layers = maxBase64Layers) {
    const areAscii = secrets.every((secret) => isAscii.test(secret));
    this.escapes = new RegExp(areAscii ? escapesOfAscii : allEscapes, 'gi');
    this.spellings = [...new Set(secrets.flatMap(spellingsOf))].filter((spelling) => spelling !== '');
    const long = secrets.filter((secret) => secret.length >= minBase64SecretChars && isAscii.test(secret));
    if (base64Layers > 0 && long.length > 0) this.inBase64 = new Base64Search(long, base64Layers - 1);
  }

  /**
   * Returns where secrets stand, in order and apart from each other. `isCut`: the text goes on
   * elsewhere, so its last characters may be the beginning of a secret.
   */
  find(text: string, isCut = false): readonly Range[] {
    if (this.spellings.length === 0) return [];
    const found = this.findBehind(new EscapeLayers(text, this.escapes), isCut);
    // A percent sign that is no escape would take the first characters of a secret with it.
    const isAmbiguous = text.includes('%') && /[\\&]/.test(text);
    if (isAmbiguous) found.push(...this.findBehind(new EscapeLayers(text, escapesWithoutPercent), isCut));
    return merged(found);
  }

  /** Returns where an ellipsis of ours stands for the rest of a secret: the beginning before it, the end behind it. */
  findCut(text: string): readonly Range[] {
    const ellipses = Array.from(text.matchAll(/…/g), ({ index }) => index);
    return merged(ellipses.flatMap((at) => [...this.findBeginning(text.slice(0, at)), ...this.findEnd(text, at + 1)]));
  }

  private findBehind(layers: EscapeLayers, isCut: boolean): Range[] {
    const found: Range[] = [];
    for (const [depth, layer] of layers.texts.entries()) {
      for (const range of this.findPlain(layer)) found.push(layers.originOf(range, depth));
      const beginning = isCut ? this.findBeginning(layer.replace(cutEscape, '')) : [];
      for (const { start } of beginning) found.push(layers.originOf({ start, end: layer.length }, depth));
    }
    // What looks like an escape may be the beginning of Base64, so the text is searched as it is, too.
    const innermost = layers.texts.length - 1;
    for (const depth of new Set([0, innermost])) {
      const layer = layers.texts[depth]!;
      const whole = isCut ? layer.replace(cutEscape, '') : layer;
      for (const range of this.inBase64?.find(whole, isCut) ?? []) found.push(layers.originOf(range, depth));
    }
    return found;
  }

  private findPlain(text: string): readonly Range[] {
    const found: Range[] = [];
    for (const spelling of this.spellings) {
      let start = text.indexOf(spelling);
      while (start >= 0) {
        const end = start + spelling.length;
        found.push({ start, end });
        start = text.indexOf(spelling, end);
      }
    }
    return found;
  }

  /** The beginning of a secret that a text ends with. */
  private findBeginning(text: string): readonly Range[] {
    return this.spellings.flatMap((spelling) => {
      for (let length = spelling.length - 1; length >= minPartChars; length--) {
        const start = text.length - length;
        if (text.endsWith(spelling.slice(0, length))) return [{ start, end: text.length }];
      }
      return [];
    });
  }

  /** The end of a secret that a text has from `start` on. */
  private findEnd(text: string, start: number): readonly Range[] {
    return this.spellings.flatMap((spelling) => {
      for (let length = spelling.length - 1; length >= minPartChars; length--) {
        if (text.startsWith(spelling.slice(-length), start)) return [{ start, end: start + length }];
      }
      return [];
    });
  }
}

const isAscii = /^[\0-\x7f]*$/;

/** Finds secrets in what Base64 in a text stands for. */
class Base64Search {
  private readonly decoded: SecretSearch;
  /** Kept, because V8 compiles an expression anew that is made for each text. */
  private readonly sign = new RegExp(signOfBase64, 'g');

  constructor(secrets: readonly string[], base64Layers: number) {
    this.decoded = new SecretSearch(secrets, base64Layers);
  }

  find(text: string, isCut: boolean): readonly Range[] {
    const runs = this.runsIn(text);
    if (runs.length === 0) return [];
    const isLastCut = isCut && runs.at(-1)?.end === text.length;
    // What stands before Base64 may look like a part of it, so each of four characters can be its first.
    return [0, 1, 2, 3].flatMap((offset) => this.findFrom(offset, text, runs, isLastCut));
  }

  private runsIn(text: string): readonly Range[] {
    const { sign } = this;
    const runs: Range[] = [];
    sign.lastIndex = 0;
    for (let match = sign.exec(text); match !== null; match = sign.exec(text)) {
      const run = { start: runStart(text, match.index), end: runEnd(text, match.index) };
      runs.push(run);
      sign.lastIndex = run.end;
    }
    return runs;
  }

  /** Decodes all runs as one, because each call has a cost of its own. */
  private findFrom(offset: number, text: string, runs: readonly Range[], isLastCut: boolean): readonly Range[] {
    let encoded = '';
    /** Of each run the first of its decoded bytes. */
    const starts: number[] = [];
    for (const { start, end } of runs) {
      if (encoded !== '') encoded += filler.repeat(-encoded.length & 3) + zeroBytes;
      starts.push((encoded.length / 4) * 3);
      encoded += text.slice(start + offset, end);
    }
    const bytes = Buffer.from(encoded, 'base64').toString('latin1');
    return this.decoded.find(bytes, isLastCut).map(({ start, end }) => {
      const at = lastUpTo(start, starts, (runStarts) => runStarts);
      const run = runs[at]!;
      const first = run.start + offset;
      return {
        start: first + base64Offset(start - starts[at]!),
        end: Math.min(run.end, first + Math.ceil(((end - starts[at]!) * 8) / 6)),
      };
    });
  }
}

/** Six zero bits. It makes a group of four of the last characters of a run. */
const filler = 'A';
/** Between two runs: no secret has zero bytes. */
const zeroBytes = filler.repeat(4);

/** The characters of three bytes. The highest bit of each byte of ASCII is zero, which makes few words look like Base64 of it. */
const groupOfAscii = '[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\\w+/-]';
/** The Base64 of the shortest secret has so many groups, wherever it begins. */
const signOfBase64 = groupOfAscii.repeat(Math.floor((base64Offset(minBase64SecretChars) - 3) / 4));

/** Where the run of characters of Base64 begins in which `index` is. */
function runStart(text: string, index: number): number {
  let start = index;
  while (start > 0 && /[\w+/-]/.test(text[start - 1]!)) start--;
  return start;
}

function runEnd(text: string, index: number): number {
  const rest = /[^\w+/-]|$/g;
  rest.lastIndex = index;
  return rest.exec(text)!.index;
}

/** In which character of Base64 the byte at `offset` begins. */
function base64Offset(offset: number): number {
  return Math.floor((offset * 8) / 6);
}

/** How a secret is spelled without escapes: in forms a plus is a space, and hexadecimal digits have no case. */
function spellingsOf(secret: string): readonly string[] {
  const cases = uuidShape.test(secret) ? [secret.toLowerCase(), secret.toUpperCase()] : [];
  const spellings = [secret, secret.replaceAll(' ', '+'), ...cases];
  const plain = spellings.map((spelling) => new EscapeLayers(spelling, new RegExp(allEscapes, 'gi')).texts.at(-1)!);
  return [...spellings, ...plain.filter(({ length }) => length >= minBase64SecretChars)];
}

/** A character in a text, and the escape that stood for it before. */
interface Edit {
  readonly written: Range;
  readonly read: Range;
}

const backslashEscapes = '\\\\u[\\da-f]{4}|\\\\x[\\da-f]{2}|\\\\[!-/:-@[-`{-~]';
const references = '&(?:#0{0,7}\\d{1,7}|#x0{0,6}[\\da-f]{1,6}|[a-z]{2,6});';
const escapesWithoutPercent = new RegExp(`${backslashEscapes}|${references}`, 'gi');
const escapesOfAscii = `%[2-7][\\da-f]|${escapesWithoutPercent.source}`;
const allEscapes = `(?:%[89a-f][\\da-f])+|${escapesOfAscii}`;

/** The beginning of an escape at the end of a text that was cut. */
const cutEscape = /(?:%[\da-f]?|\\(?:u[\da-f]{0,3}|x[\da-f]?)?|&#?\w{0,8})$/i;

/** A text, and what is left of it when its escapes are undone, and then those that this leaves, and so on. */
class EscapeLayers {
  readonly texts: readonly string[];
  private readonly edits: (readonly Edit[])[] = [];

  constructor(
    text: string,
    private readonly escapes: RegExp,
  ) {
    const texts = [text];
    while (texts.length <= maxEscapeLayers) {
      const outer = texts.at(-1)!;
      const inner = /[%\\&]/.test(outer) ? outer.replace(escapes, (escape) => unescaped(escape) ?? escape) : outer;
      if (inner === outer) break;
      texts.push(inner);
    }
    this.texts = texts;
  }

  /** Where a part of the text at `depth` stands in the first text. */
  originOf(range: Range, depth: number): Range {
    let origin = range;
    for (let outer = depth - 1; outer >= 0; outer--) {
      const edits = (this.edits[outer] ??= editsOf(this.texts[outer]!, this.escapes));
      origin = {
        start: originOfOffset(origin.start, edits, 'start'),
        end: originOfOffset(origin.end, edits, 'end'),
      };
    }
    return origin;
  }
}

/** In the order of the text. */
function editsOf(text: string, escapes: RegExp): readonly Edit[] {
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
      return escape.length === 2 ? escape[1] : String.fromCharCode(Number.parseInt(escape.slice(2), 16));
    default:
      return referenced(escape.slice(1, -1));
  }
}

/** The character of an HTML reference: `amp`, `#38` or `#x26`. */
function referenced(name: string): string | undefined {
  if (!name.startsWith('#')) return Object.hasOwn(namedReferences, name) ? namedReferences[name] : undefined;
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

/** The index of the last one that begins at `offset` or before it; -1 if all begin behind it. */
function lastUpTo<T>(offset: number, all: readonly T[], startOf: (one: T) => number): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (startOf(all[middle]!) <= offset) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** In order, each overlapping with none. */
function merged(ranges: readonly Range[]): readonly Range[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

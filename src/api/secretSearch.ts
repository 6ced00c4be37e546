/** A part of a text, from `start` up to `end`, in UTF-16 units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Shorter ones occur by chance in what random characters decode to. */
const minBase64SecretChars = 8;
const maxBase64Layers = 3;
const maxEscapeLayers = 8;
/** SECURITY.md promises that not more than so many characters of a secret's beginning are left. */
const minPrefixChars = 4;
const uuidShape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Finds some secrets in texts: as they are, and behind any mixture of the escapes of URLs, JSON, and
 * HTML and of Base64. It costs a few passes over the text, however the text is written.
 */
export class SecretSearch {
  private readonly spellings: readonly string[];
  /** Finds any spelling, of several that begin together the longest. */
  private readonly anySpelling: RegExp;
  private readonly inBase64: Base64Search | undefined;

  /** `base64Layers`: how often Base64 may be nested. */
  constructor(secrets: readonly string[], base64Layers = maxBase64Layers) {
    const spellings = new Set(secrets.flatMap(spellingsOf).filter((spelling) => spelling !== ''));
    this.spellings = [...spellings].toSorted((a, b) => b.length - a.length);
    this.anySpelling = new RegExp(this.spellings.map(literally).join('|'), 'g');
    const long = secrets.filter(({ length }) => length >= minBase64SecretChars);
    if (base64Layers > 0 && long.length > 0) this.inBase64 = new Base64Search(long, base64Layers - 1);
  }

  /**
   * Returns where secrets stand, in order and apart from each other. `isCut`: the text goes on
   * elsewhere, so its last characters may be the beginning of a secret.
   */
  find(text: string, isCut = false): readonly Range[] {
    if (this.spellings.length === 0) return [];
    const layers = new EscapeLayers(text);
    const found = layers.texts.flatMap((layer, depth) => {
      const ranges = isCut ? [...this.findPlain(layer), ...this.findCut(layer)] : this.findPlain(layer);
      return ranges.map((range) => layers.originOf(range, depth));
    });
    const encoded = this.inBase64?.find(layers.innermost, isCut) ?? [];
    return merged([...found, ...encoded.map((range) => layers.originOf(range, layers.texts.length - 1))]);
  }

  private findPlain(text: string): readonly Range[] {
    return Array.from(text.matchAll(this.anySpelling), ({ 0: spelling, index }) => {
      return { start: index, end: index + spelling.length };
    });
  }

  private findCut(text: string): readonly Range[] {
    const whole = text.replace(cutEscape, '');
    return this.spellings.flatMap((spelling) => {
      for (let length = spelling.length - 1; length >= minPrefixChars; length--) {
        if (!whole.endsWith(spelling.slice(0, length))) continue;
        return [{ start: whole.length - length, end: text.length }];
      }
      return [];
    });
  }
}

/** Finds secrets in what Base64 in a text stands for. */
class Base64Search {
  private readonly decoded: SecretSearch;
  /** What the Base64 of each secret contains. Most other text does not, so little is decoded. */
  private readonly sign: RegExp;

  constructor(secrets: readonly string[], base64Layers: number) {
    const bytes = secrets.map((secret) => Buffer.from(secret).toString('latin1'));
    this.decoded = new SecretSearch(bytes, base64Layers);
    const shortest = Math.min(...bytes.map(({ length }) => length));
    const areAscii = bytes.every((secret) => /^[\0-\x7f]*$/.test(secret));
    const wholeGroups = Math.floor((base64Offset(shortest) - 3) / 4);
    this.sign = new RegExp((areAscii ? groupOfAscii : anyGroup).repeat(Math.min(wholeGroups, maxSignGroups)));
  }

  find(text: string, isCut: boolean): readonly Range[] {
    const found: Range[] = [];
    const sign = new RegExp(this.sign, 'g');
    for (let match = sign.exec(text); match !== null; match = sign.exec(text)) {
      const start = runStart(text, match.index);
      const end = runEnd(text, match.index);
      sign.lastIndex = end;
      const run = text.slice(start, end);
      const isCutRun = isCut && end === text.length;
      for (const offset of [0, 1, 2, 3]) found.push(...this.findFrom(run.slice(offset), start + offset, isCutRun));
    }
    return found;
  }

  /** What stands before Base64 may look like a part of it, so each of four offsets can be its beginning. */
  private findFrom(run: string, index: number, isCut: boolean): readonly Range[] {
    const bytes = Buffer.from(run, 'base64').toString('latin1');
    return this.decoded.find(bytes, isCut).map(({ start, end }) => ({
      start: index + base64Offset(start),
      end: index + Math.min(run.length, Math.ceil((end * 8) / 6)),
    }));
  }
}

/** The characters of three bytes. The highest bit of each byte of ASCII is zero. */
const groupOfAscii = '[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\\w+/-]';
const anyGroup = '[\\w+/-]{4}';
const maxSignGroups = 3;

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
  return [...spellings, ...spellings.map(withoutAllEscapes).filter(({ length }) => length >= minBase64SecretChars)];
}

function withoutAllEscapes(text: string): string {
  return new EscapeLayers(text).innermost;
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/** A character in a text, and the escape that stood for it before. */
interface Edit {
  readonly written: Range;
  readonly read: Range;
}

const escapes =
  /%[2-7][\da-f]|(?:%[89a-f][\da-f])+|\\u[\da-f]{4}|\\["\\/]|&(?:#0{0,7}\d{1,7}|#x0{0,6}[\da-f]{1,6}|[a-z]{2,6});/gi;

/** The beginning of an escape at the end of a text that was cut. */
const cutEscape = /(?:%[\da-f]?|\\(?:u[\da-f]{0,3})?|&#?\w{0,8})$/i;

/** A text, and what is left of it when its escapes are undone, and then those that this leaves, and so on. */
class EscapeLayers {
  readonly texts: readonly string[];
  private readonly edits: (readonly Edit[])[] = [];

  constructor(text: string) {
    const texts = [text];
    while (texts.length <= maxEscapeLayers) {
      const outer = texts.at(-1)!;
      const inner = /[%\\&]/.test(outer) ? outer.replace(escapes, (escape) => unescaped(escape) ?? escape) : outer;
      if (inner === outer) break;
      texts.push(inner);
    }
    this.texts = texts;
  }

  get innermost(): string {
    return this.texts.at(-1)!;
  }

  /** Where a part of the text at `depth` stands in the first text. */
  originOf(range: Range, depth: number): Range {
    let origin = range;
    for (let outer = depth - 1; outer >= 0; outer--) {
      const edits = (this.edits[outer] ??= editsOf(this.texts[outer]!));
      origin = {
        start: originOfOffset(origin.start, edits, 'start'),
        end: originOfOffset(origin.end, edits, 'end'),
      };
    }
    return origin;
  }
}

/** In the order of the text. */
function editsOf(text: string): readonly Edit[] {
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

/** The usual ones, and those of the punctuation that tokens have. */
const namedReferences: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  bsol: '\\',
  equals: '=',
  gt: '>',
  lowbar: '_',
  lt: '<',
  percnt: '%',
  period: '.',
  plus: '+',
  quot: '"',
  sol: '/',
};

function originOfOffset(offset: number, edits: readonly Edit[], side: 'start' | 'end'): number {
  // The end of a part is behind its last character, and belongs to that one.
  const character = side === 'start' ? offset : offset - 1;
  const before = lastUpTo(character, edits);
  if (before === undefined) return offset;
  const { written, read } = before;
  return character < written.end ? read[side] : read.end + (offset - written.end);
}

/** The last edit that begins at `offset` or before it. */
function lastUpTo(offset: number, edits: readonly Edit[]): Edit | undefined {
  let low = 0;
  let high = edits.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (edits[middle]!.written.start <= offset) low = middle + 1;
    else high = middle;
  }
  return edits[low - 1];
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

import { lastUpTo } from './binarySearch.js';
import {
  allEscapes,
  EscapeLayers,
  escapesOfAscii,
  escapesWithoutPercent,
  type Range,
  withoutCutEscape,
} from './escapes.js';

/** The Base64 of a shorter secret would be found in words by chance. */
const minBase64SecretChars = 12;
const maxBase64Layers = 3;
/**
 * The shortest part of a cut secret that is redacted. Up to four characters of either end may stay,
 * as in the log line of a revocation, because many words begin or end with them.
 */
const minPartChars = 5;
const uuidShape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Finds some secrets in texts: as they are, and behind any mixture of the escapes of URLs, JSON,
 * JavaScript, and HTML, and of Base64. It takes a few passes over the text, whatever the text
 * contains. `KnownSecrets` owns one for each kind of text.
 */
export class SecretSearch {
  /** What is searched for in a text, and in the text without its escapes. */
  private readonly spellings: readonly string[];
  private readonly escapes: RegExp;
  /** Absent if no secret is long enough for it and ASCII, or `base64Layers` is 0. */
  private readonly inBase64: Base64Search | undefined;

  /** `base64Layers`: how often Base64 may be nested in Base64. */
  constructor(secrets: readonly string[], base64Layers = maxBase64Layers) {
    const areAscii = secrets.every((secret) => isAscii.test(secret));
    this.escapes = areAscii ? escapesOfAscii : allEscapes;
    const spellings = new Set(secrets.flatMap(spellingsOf));
    spellings.delete('');
    this.spellings = [...spellings];
    const base64Secrets = secrets.filter(
      (secret) => secret.length >= minBase64SecretChars && isAscii.test(secret),
    );
    if (base64Layers > 0 && base64Secrets.length > 0)
      this.inBase64 = new Base64Search(base64Secrets, base64Layers - 1);
  }

  /**
   * Returns the ranges of secrets in their order, none overlapping another. `isCut`: the text was
   * cut, so that its last characters may be the beginning of a secret.
   */
  find(text: string, isCut = false): readonly Range[] {
    if (this.spellings.length === 0) return [];
    const found = this.findBehindEscapes(new EscapeLayers(text, this.escapes), isCut);
    const isAmbiguous = text.includes('%') && /[\\&]/.test(text);
    if (!isAmbiguous) return withoutOverlaps(found);
    // A percent sign that is no escape would take the first characters of a secret with it.
    const layersWithPercent = new EscapeLayers(text, escapesWithoutPercent);
    const others = this.findBehindEscapes(layersWithPercent, isCut);
    return withoutOverlaps([...found, ...others]);
  }

  /**
   * Returns the ranges of parts of secrets that this extension has shortened with an ellipsis: the
   * beginning of a secret before an ellipsis, and the end of a secret behind one.
   */
  findShortened(text: string): readonly Range[] {
    if (!text.includes(ellipsis)) return [];
    const found: Range[] = [];
    for (const spelling of this.spellings) {
      for (const range of beginningsBeforeEllipsis(text, spelling)) found.push(range);
      for (const range of endsBehindEllipsis(text, spelling)) found.push(range);
    }
    return withoutOverlaps(found);
  }

  /** Searches each layer. Returns ranges of the first one, in any order. */
  private findBehindEscapes(layers: EscapeLayers, isCut: boolean): Range[] {
    const found: Range[] = [];
    for (const [depth, layer] of layers.texts.entries()) {
      for (const range of this.findSpellings(layer)) found.push(layers.originOf(range, depth));
      if (!isCut) continue;
      for (const start of this.beginningsAtEnd(withoutCutEscape(layer)))
        found.push(layers.originOf({ start, end: layer.length }, depth));
    }
    // A part of Base64 may look like an escape, so the text with its escapes is searched as well.
    const innermost = layers.texts.length - 1;
    for (const depth of new Set([0, innermost])) {
      const layer = layers.texts[depth]!;
      const searched = isCut ? withoutCutEscape(layer) : layer;
      for (const range of this.inBase64?.find(searched, isCut) ?? [])
        found.push(layers.originOf(range, depth));
    }
    return found;
  }

  private findSpellings(text: string): readonly Range[] {
    const found: Range[] = [];
    for (const spelling of this.spellings) {
      const { length } = spelling;
      for (const start of indexesOf(spelling, text, length))
        found.push({ start, end: start + length });
    }
    return found;
  }

  /**
   * Returns where the beginning of a secret starts with which the text ends; one index per
   * spelling.
   */
  private beginningsAtEnd(text: string): readonly number[] {
    const starts: number[] = [];
    for (const spelling of this.spellings) {
      for (let length = spelling.length - 1; length >= minPartChars; length--) {
        if (!text.endsWith(spelling.slice(0, length))) continue;
        starts.push(text.length - length);
        break;
      }
    }
    return starts;
  }
}

const ellipsis = '…';

/**
 * Finds the shortest part that counts, and compares on from there. It does not start at each
 * ellipsis, because a text may consist of them.
 */
function beginningsBeforeEllipsis(text: string, secret: string): readonly Range[] {
  const found: Range[] = [];
  for (const start of indexesOf(secret.slice(0, minPartChars), text)) {
    let length = minPartChars;
    while (length < secret.length && text[start + length] === secret[length]) length += 1;
    const end = start + length;
    const isShortened = length < secret.length && text[end] === ellipsis;
    if (isShortened) found.push({ start, end });
  }
  return found;
}

/** Like `beginningsBeforeEllipsis`, from the end of the secret. */
function endsBehindEllipsis(text: string, secret: string): readonly Range[] {
  const found: Range[] = [];
  for (const index of indexesOf(secret.slice(-minPartChars), text)) {
    const end = index + minPartChars;
    let length = minPartChars;
    while (length < secret.length && text[end - length - 1] === secret.at(-length - 1)) length += 1;
    const start = end - length;
    const isShortened = length < secret.length && text[start - 1] === ellipsis;
    if (isShortened) found.push({ start, end });
  }
  return found;
}

/** The indexes of `part` in a text, each at least `distance` characters after the one before. */
function* indexesOf(part: string, text: string, distance = 1): Generator<number> {
  let index = text.indexOf(part);
  while (index >= 0) {
    yield index;
    index = text.indexOf(part, index + distance);
  }
}

const isAscii = /^[\0-\x7f]*$/;

/** Finds secrets in the decoded Base64 of a text. `SecretSearch` asks it. */
class Base64Search {
  /** Searches the decoded bytes, which may contain escapes and more Base64. */
  private readonly inDecoded: SecretSearch;
  /** Kept, because V8 would compile the expression anew for each text. */
  private readonly sign = new RegExp(signOfBase64, 'g');

  constructor(secrets: readonly string[], base64Layers: number) {
    this.inDecoded = new SecretSearch(secrets, base64Layers);
  }

  find(text: string, isCut: boolean): readonly Range[] {
    const runs = this.runsIn(text);
    if (runs.length === 0) return [];
    const isLastCut = isCut && runs.at(-1)?.end === text.length;
    // The characters before Base64 may look like a part of it, so any of the first four may be its
    // start.
    const offsets = [0, 1, 2, 3];
    return offsets.flatMap((offset) => this.findFrom(offset, text, runs, isLastCut));
  }

  /** The runs of Base64 characters that may contain a secret. */
  private runsIn(text: string): readonly Range[] {
    const { sign } = this;
    const runs: Range[] = [];
    sign.lastIndex = 0;
    for (;;) {
      const match = sign.exec(text);
      if (match === null) return runs;
      const run = { start: runStart(text, match.index), end: runEnd(text, match.index) };
      runs.push(run);
      sign.lastIndex = run.end;
    }
  }

  /**
   * Decodes each run from its character at `offset` on. Joins the runs and decodes all in one call,
   * because each call takes a time of its own.
   */
  private findFrom(
    offset: number,
    text: string,
    runs: readonly Range[],
    isLastCut: boolean,
  ): readonly Range[] {
    let encoded = '';
    /** By run, the index of its first decoded byte. */
    const firstBytes: number[] = [];
    for (const { start, end } of runs) {
      if (encoded !== '') encoded += separatorAfter(encoded);
      firstBytes.push((encoded.length / charsPerGroup) * bytesPerGroup);
      encoded += text.slice(start + offset, end);
    }
    const bytes = Buffer.from(encoded, 'base64').toString('latin1');

    return this.inDecoded.find(bytes, isLastCut).map(({ start, end }) => {
      const index = lastUpTo(start, firstBytes, (firstByte) => firstByte);
      const run = runs[index]!;
      const firstByte = firstBytes[index]!;
      const firstChar = run.start + offset;
      return {
        start: firstChar + firstCharOfByte(start - firstByte),
        end: Math.min(run.end, firstChar + charsOfBytes(end - firstByte)),
      };
    });
  }
}

const charsPerGroup = 4;
const bytesPerGroup = 3;

/** Stands for six zero bits. */
const zeroBits = 'A';

/**
 * Fills up the last group of four characters, and adds one with zero bytes, which are in no secret:
 * none is found across two runs.
 */
function separatorAfter(encoded: string): string {
  const missingChars = -encoded.length & (charsPerGroup - 1);
  return zeroBits.repeat(missingChars + charsPerGroup);
}

/** The index of the character of Base64 in which the byte at `index` begins. */
function firstCharOfByte(index: number): number {
  return Math.floor((index * 8) / 6);
}

/** How many characters of Base64 so many bytes take. */
function charsOfBytes(count: number): number {
  return Math.ceil((count * 8) / 6);
}

/**
 * The four characters of Base64 of three bytes of ASCII. The highest bit of each byte is zero, so
 * that few words look like that.
 */
const groupOfAscii = '[A-Za-f][A-HQ-Xg-nw-z0-3][ABEFIJMNQRUVYZcdghklopstwx014589][\\w+/-]';
/** The Base64 of the shortest secret has so many groups, wherever it begins. */
const minGroups = Math.floor((firstCharOfByte(minBase64SecretChars) - 3) / charsPerGroup);
const signOfBase64 = groupOfAscii.repeat(minGroups);

/** Where the run of Base64 characters begins that `index` is in. */
function runStart(text: string, index: number): number {
  let start = index;
  while (start > 0 && /[\w+/-]/.test(text[start - 1]!)) start -= 1;
  return start;
}

/** Where that run ends. */
function runEnd(text: string, index: number): number {
  const otherCharOrEnd = /[^\w+/-]|$/g;
  otherCharOrEnd.lastIndex = index;
  return otherCharOrEnd.exec(text)!.index;
}

/**
 * The spellings of a secret, with its own escapes and without them. In forms a plus stands for a
 * space, and the hexadecimal digits of a UUID may have either case.
 */
function spellingsOf(secret: string): readonly string[] {
  const spellings = [secret, secret.replaceAll(' ', '+')];
  if (uuidShape.test(secret)) spellings.push(secret.toLowerCase(), secret.toUpperCase());
  const unescaped = spellings.map(
    (spelling) => new EscapeLayers(spelling, allEscapes).texts.at(-1)!,
  );
  return [...spellings, ...unescaped.filter(({ length }) => length >= minBase64SecretChars)];
}

/** Sorts ranges and joins those that overlap. */
function withoutOverlaps(ranges: readonly Range[]): readonly Range[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

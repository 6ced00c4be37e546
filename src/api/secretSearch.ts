import { lastUpTo } from './binarySearch.js';
import {
  allEscapes,
  EscapeLayers,
  escapesOfAscii,
  escapesWithoutPercent,
  type Range,
  withoutCutEscape,
} from './escapes.js';

/** Base64 of shorter ones would be found in words by chance. */
const minBase64SecretChars = 12;
const maxBase64Layers = 3;
/** Up to four characters of either end may stay, as in the log line of a revocation: many a word begins or ends with them. */
const minPartChars = 5;
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
    this.escapes = areAscii ? escapesOfAscii : allEscapes;
    this.spellings = [...new Set(secrets.flatMap(spellingsOf))].filter(
      (spelling) => spelling !== '',
    );
    const long = secrets.filter(
      (secret) => secret.length >= minBase64SecretChars && isAscii.test(secret),
    );
    if (base64Layers > 0 && long.length > 0)
      this.inBase64 = new Base64Search(long, base64Layers - 1);
  }

  /**
   * Returns where secrets stand, in order and apart from each other. `isCut`: the text goes on
   * elsewhere, so its last characters may be the beginning of a secret.
   */
  find(text: string, isCut = false): readonly Range[] {
    if (this.spellings.length === 0) return [];
    const found = this.findBehind(new EscapeLayers(text, this.escapes), isCut);
    const isAmbiguous = text.includes('%') && /[\\&]/.test(text);
    if (!isAmbiguous) return withoutOverlaps(found);
    // A percent sign that is no escape takes the first characters of a secret with it.
    const others = this.findBehind(new EscapeLayers(text, escapesWithoutPercent), isCut);
    return withoutOverlaps([...found, ...others]);
  }

  /** Returns where an ellipsis of ours stands for the rest of a secret: the beginning before it, the end behind it. */
  findCut(text: string): readonly Range[] {
    if (!text.includes(ellipsis)) return [];
    return withoutOverlaps(
      this.spellings.flatMap((spelling) => [
        ...beginningsBeforeEllipsis(text, spelling),
        ...endsBehindEllipsis(text, spelling),
      ]),
    );
  }

  private findBehind(layers: EscapeLayers, isCut: boolean): Range[] {
    const found: Range[] = [];
    for (const [depth, layer] of layers.texts.entries()) {
      for (const range of this.findPlain(layer)) found.push(layers.originOf(range, depth));
      const beginning = isCut ? this.findBeginning(withoutCutEscape(layer)) : [];
      for (const { start } of beginning)
        found.push(layers.originOf({ start, end: layer.length }, depth));
    }
    // What looks like an escape may be the beginning of Base64, so the text is searched as it is, too.
    const innermost = layers.texts.length - 1;
    for (const depth of new Set([0, innermost])) {
      const layer = layers.texts[depth]!;
      const whole = isCut ? withoutCutEscape(layer) : layer;
      for (const range of this.inBase64?.find(whole, isCut) ?? [])
        found.push(layers.originOf(range, depth));
    }
    return found;
  }

  private findPlain(text: string): readonly Range[] {
    return this.spellings.flatMap((spelling) =>
      Array.from(indexesOf(spelling, text, spelling.length), (start) => ({
        start,
        end: start + spelling.length,
      })),
    );
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
}

const ellipsis = '…';

/** Looks for the shortest part that counts, and reads on from there: a text can have an ellipsis in every place. */
function beginningsBeforeEllipsis(text: string, secret: string): readonly Range[] {
  const found: Range[] = [];
  for (const start of indexesOf(secret.slice(0, minPartChars), text)) {
    let length = minPartChars;
    while (length < secret.length && text[start + length] === secret[length]) length++;
    const end = start + length;
    if (length < secret.length && text[end] === ellipsis) found.push({ start, end });
  }
  return found;
}

function endsBehindEllipsis(text: string, secret: string): readonly Range[] {
  const found: Range[] = [];
  for (const index of indexesOf(secret.slice(-minPartChars), text)) {
    const end = index + minPartChars;
    let length = minPartChars;
    while (length < secret.length && text[end - length - 1] === secret.at(-length - 1)) length++;
    const start = end - length;
    if (length < secret.length && text[start - 1] === ellipsis) found.push({ start, end });
  }
  return found;
}

/** Where `part` stands, each time at least `distance` characters further on. */
function* indexesOf(part: string, text: string, distance = 1): Generator<number> {
  for (let index = text.indexOf(part); index >= 0; index = text.indexOf(part, index + distance))
    yield index;
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
  private findFrom(
    offset: number,
    text: string,
    runs: readonly Range[],
    isLastCut: boolean,
  ): readonly Range[] {
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
  const plain = spellings.map((spelling) => new EscapeLayers(spelling, allEscapes).texts.at(-1)!);
  return [...spellings, ...plain.filter(({ length }) => length >= minBase64SecretChars)];
}

/** In order, each overlapping with none. */
function withoutOverlaps(ranges: readonly Range[]): readonly Range[] {
  const result: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else result.push({ start, end });
  }
  return result;
}

import { type Cursor, DecodedText, finished, type Work } from './decodedText.js';

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** A shorter piece of base64 would be found in any text. */
const shortestBase64 = 4;
/** Forms are looked up by so many of their last bytes. */
const longestKey = 4;
/** The base of the polynomial hash, modulo 2^32: any odd number whose bits are well mixed. */
const base = 0x9e3779b1;
const slotBits = 14;
const padding = 0x3d;
/** Between two of them others may come in. */
const findsInStep = 1 << 12;
const stepsInStep = 1 << 15;
const bytesInStep = 1 << 18;

/** One way in which a secret may be written, escapes apart. */
interface Form {
  /** What an escape that begins before the secret may take with it, as in `100%dead…`. */
  readonly head: Uint8Array;
  /** What is searched for. */
  readonly body: Uint8Array;
  /** What may be the beginning of an escape that ends after the secret. */
  readonly tail: Uint8Array;
  /** Of the body. */
  readonly length: number;
  readonly hash: number;
  /** `base` to the power of the length of the body. */
  readonly power: number;
  readonly seams: Seams;
}

/** Where in base64 the characters beside a secret hold a few bits of it as well. */
type Seams = 'none' | 'after' | 'both';

interface Range {
  start: number;
  end: number;
}

/**
 * Finds every occurrence of some texts: as they are, each character percent-encoded (once or more often), escaped for JSON or
 * HTML, and base64 or base64url of a longer text that contains them, as in `Basic base64(user:token)`.
 *
 * The text is decoded once, with places, and that is searched for all of them at the same time: what ends like one of them is
 * compared by its hash, which costs the same for any length, and only what has the right hash and begins after the last find byte by
 * byte. So the work grows with the text alone.
 */
export class SecretFinder {
  /** Bytes decoded, hashes and bytes compared, in all searches so far: a test shows by it that no search is slow. */
  steps = 0;
  /** By the hash of its last bytes: which of `groups`, or 0. */
  private readonly slots = new Uint16Array(2 ** slotBits);
  private readonly groups: Form[][] = [[]];
  private readonly keyMask: number;

  constructor(secrets: Iterable<string>) {
    // The longest first: what ends at the same place as a longer one is a part of it.
    const forms = Array.from(secrets, formsOf)
      .flat()
      .toSorted((a, b) => b.length - a.length);
    const keyLength = Math.min(longestKey, forms.at(-1)?.length ?? 0);
    this.keyMask = keyLength === 4 ? -1 : 2 ** (8 * keyLength) - 1;
    for (const form of forms) {
      const slot = slotOf(keyAt(form.body, form.length - 1) & this.keyMask);
      this.slots[slot] ||= this.groups.push([]) - 1;
      this.groups[this.slots[slot]]!.push(form);
    }
  }

  replace(text: string, replacement: string): string {
    return finished(this.replacing(text, replacement));
  }

  /** The same in steps of some milliseconds. */
  *replacing(text: string, replacement: string): Work<string> {
    if (this.keyMask === 0) return text;
    const source = Buffer.from(text);
    const finds = yield* this.run(new Search(source, yield* DecodedText.decoding(source)));
    if (finds.length === 0) return text;
    let result = '';
    let done = 0;
    for (const [at, { start, end }] of finds.entries()) {
      if (at % findsInStep === findsInStep - 1) yield;
      if (start > done) result += source.toString('utf8', done, start);
      result += replacement;
      done = end;
    }
    return result + source.toString('utf8', done);
  }

  private *run(search: Search): Work<readonly Range[]> {
    const { bytes } = search;
    let stepEnd = search.steps + stepsInStep;
    for (let at = 0; at < bytes.length; ) {
      const limit = Math.min(bytes.length, at + bytesInStep);
      at = this.next(bytes, at, limit);
      if (at < limit) {
        const group = this.slots[slotOf(keyAt(bytes, at) & this.keyMask)]!;
        search.sums ??= yield* summing(bytes);
        search.look(this.groups[group]!, ++at);
        if (search.steps < stepEnd) continue;
      }
      stepEnd = search.steps + stepsInStep;
      yield;
    }
    this.steps += search.steps;
    return search.finds();
  }

  /** Where something may end next that is searched for: the loop that every text goes through, apart from what is rare. */
  private next(bytes: Uint8Array, from: number, limit: number): number {
    const { slots, keyMask } = this;
    let key = keyAt(bytes, from - 1);
    let at = from;
    for (; at < limit; at++) {
      key = (key << 8) | bytes[at]!;
      if (slots[slotOf(key & keyMask)] !== 0) break;
    }
    return at;
  }
}

/** One search, and what it has found. */
class Search {
  steps: number;
  readonly bytes: Uint8Array;
  private readonly starts: Cursor = { run: 0 };
  private readonly ends: Cursor = { run: 0 };
  /** Hashes of all prefixes of `bytes`, made when there is something to compare. */
  sums: Int32Array | undefined;
  /** The body of the last find, and of those that overlap it. */
  private foundStart = 0;
  private foundEnd = 0;
  private readonly ranges: Range[] = [];

  constructor(
    private readonly source: Uint8Array,
    private readonly decoded: DecodedText,
  ) {
    this.bytes = decoded.bytes;
    this.steps = this.bytes.length;
  }

  /** Looks for these forms where they would end. */
  look(forms: readonly Form[], end: number): void {
    const sums = this.sums!;
    for (const form of forms) {
      this.steps++;
      const start = end - form.length;
      if (start < 0 || ((sums[end]! - Math.imul(sums[start]!, form.power)) | 0) !== form.hash) continue;
      // Inside a find the hash is enough: a text of one letter would be compared again and again.
      if (start >= this.foundStart && start < this.foundEnd) {
        this.foundEnd = end;
        return;
      }
      if (this.take(form, start, end)) return;
    }
  }

  /** In the source. Those that overlap are one. */
  finds(): readonly Range[] {
    const last = this.ranges.at(-1);
    if (last) last.end = Math.max(last.end, this.decoded.placeOf(this.foundEnd, this.ends));
    return this.ranges;
  }

  /**
   * Adds a find if its head and its tail are beside it, or an escape took some of them with it. They are short, so they come first:
   * a long body is compared only where the rest is right.
   */
  private take(form: Form, bodyStart: number, bodyEnd: number): boolean {
    const start = this.startOf(form, bodyStart);
    if (start === undefined) return false;
    const end = this.endOf(form, bodyEnd);
    if (end === undefined || !this.isAt(this.bytes, bodyStart, form.body)) return false;
    this.add(start, end);
    this.foundStart = bodyStart;
    this.foundEnd = bodyEnd;
    return true;
  }

  private startOf({ head, seams }: Form, bodyStart: number): number | undefined {
    const { source, bytes, decoded, starts } = this;
    const first = bodyStart - head.length;
    if (first >= 0 && this.isAt(bytes, first, head)) {
      const reachesBack = seams === 'both' && first > 0 && inBase64(bytes[first - 1]);
      return decoded.placeOf(reachesBack ? first - 1 : first, starts);
    }
    if (head.length === 0 || !decoded.hasEscape(Math.max(0, first - 1), bodyStart, starts)) return undefined;
    for (let taken = 1; taken <= head.length; taken++) {
      const middle = first + taken;
      if (middle < 0 || !this.isAt(bytes, middle, head, taken)) continue;
      const start = decoded.placeOf(middle, starts) - taken;
      if (this.isAt(source, start, head, 0, taken)) return start;
    }
    return undefined;
  }

  private endOf({ tail, seams }: Form, bodyEnd: number): number | undefined {
    const { source, bytes, decoded, ends } = this;
    if (!this.isAt(bytes, bodyEnd, tail)) {
      const at = decoded.placeOf(bodyEnd, ends);
      const end = bodyEnd < bytes.length ? decoded.placeOf(bodyEnd + 1, ends) : at;
      return source[at] === tail[0] && end > at + 1 ? end : undefined;
    }
    let last = bodyEnd + tail.length;
    if (seams !== 'none') {
      if (inBase64(bytes[last])) last++;
      for (let count = 0; count < 2 && bytes[last] === padding; count++) last++;
    }
    return decoded.placeOf(last, ends);
  }

  private add(start: number, end: number): void {
    const range = { start, end };
    for (let last = this.finds().at(-1); last && last.end > range.start; last = this.ranges.at(-1)) {
      range.start = Math.min(range.start, last.start);
      range.end = Math.max(range.end, last.end);
      this.ranges.pop();
    }
    this.ranges.push(range);
  }

  /** Whether these bytes, or some of them, stand at `at`. */
  private isAt(bytes: Uint8Array, at: number, expected: Uint8Array, from = 0, to = expected.length): boolean {
    for (let index = from; index < to; index++) {
      this.steps++;
      if (bytes[at + index - from] !== expected[index]) return false;
    }
    return true;
  }
}

function formsOf(secret: string): readonly Form[] {
  const cases = uuid.test(secret) ? [secret.toLowerCase(), secret.toUpperCase()] : [];
  // Web forms write a space as `+`.
  const plain = new Set([secret, secret.replaceAll(' ', '+'), ...cases]);
  return [
    ...Array.from(plain, (text) => asForms(text, 'none')),
    ...[0, 1, 2].map((at) => insideBase64(secret, at)),
  ].flat();
}

/** The part of the base64 of a longer text that depends on `secret` alone, if that begins at byte `offset` modulo 3. */
function insideBase64(secret: string, offset: number): readonly Form[] {
  const bytes = Buffer.from(secret);
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const inside = encoded.slice([0, 2, 3][offset], Math.floor(((offset + bytes.length) * 8) / 6));
  if (inside.length < shortestBase64) return [];
  const alphabets = new Set([inside, inside.replaceAll('+', '-').replaceAll('/', '_')]);
  return Array.from(alphabets, (text) => asForms(text, offset === 0 ? 'after' : 'both')).flat();
}

const swallowedHead = /^(?:#?[0-9a-z]{0,8};|u?[0-9a-f]{1,4})(?=.)/is;
const begunEscape = /(?<=.)(?:%(?:25)*[0-9a-f]?|\\(?:u[0-9a-f]{0,3})?|&(?:#x?[0-9a-f]{0,8}|[a-z]{0,4}))$/is;

/** Two if a part of the text itself looks like an escape, which is decoded unless the whole text was encoded once more. */
function asForms(text: string, seams: Seams): readonly Form[] {
  const head = swallowedHead.exec(text)?.[0] ?? '';
  const rest = text.slice(head.length);
  const tail = begunEscape.exec(rest)?.[0] ?? '';
  const body = Buffer.from(rest.slice(0, rest.length - tail.length));
  const decoded = DecodedText.of(body).bytes;
  return (body.equals(decoded) ? [body] : [body, decoded]).map((bytes) => ({
    head: Buffer.from(head),
    body: bytes,
    length: bytes.length,
    tail: Buffer.from(tail),
    hash: sumsOf(bytes)[bytes.length]!,
    power: power(bytes.length),
    seams,
  }));
}

function sumsOf(bytes: Uint8Array): Int32Array {
  return finished(summing(bytes));
}

function* summing(bytes: Uint8Array): Work<Int32Array> {
  const sums = new Int32Array(bytes.length + 1);
  let sum = 0;
  for (let at = 0; at < bytes.length; at++) {
    sum = (Math.imul(sum, base) + bytes[at]!) | 0;
    sums[at + 1] = sum;
    if (at % bytesInStep === bytesInStep - 1) yield;
  }
  return sums;
}

function power(exponent: number): number {
  let result = 1;
  for (let count = 0; count < exponent; count++) result = Math.imul(result, base);
  return result;
}

/** The last bytes up to `at` as one number. */
function keyAt(bytes: Uint8Array, at: number): number {
  let key = 0;
  for (let index = Math.max(0, at + 1 - longestKey); index <= at; index++) key = (key << 8) | bytes[index]!;
  return key;
}

/** The highest bits of the product depend on all bits of the key. */
function slotOf(key: number): number {
  return Math.imul(key, base) >>> (32 - slotBits);
}

function inBase64(byte: number | undefined): boolean {
  return byte !== undefined && /[A-Za-z0-9+/_-]/.test(String.fromCharCode(byte));
}

const percent = 0x25;
const ampersand = 0x26;
const backslash = 0x5c;
const semicolon = 0x3b;
/** Four bytes as one number, which is how they are compared. */
const [amp, quot, apos] = ['amp;', 'quot', 'apos'].map((name) => Buffer.from(name).readInt32BE());
const [lt, gt] = ['lt;', 'gt;'].map((name) => Buffer.from(name).readIntBE(0, 3));

/** One bit for each kind of escape: the bytes that begin it, and those that come next. */
const firsts = bits(['%', '\\', '&']);
const seconds = bits(['0123456789abcdefABCDEF', '\\"/u', '#algq']);
/** Read in one step, also such that are none. */
const escapesInStep = 1 << 14;
/** Bytes of a run that are copied sooner one by one than by a call. */
const shortRun = 24;

/** Work that can be interrupted wherever it yields: a large answer would hold the extension host for too long. */
export type Work<T> = Generator<void, T, void>;

/** Does all of it at once. */
export function finished<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Remembers the last answer, since the next one is near it. Starts and ends of finds have one each. */
export interface Cursor {
  run: number;
}

/**
 * A text in UTF-8 with every percent-encoding (once or more often), escape of JSON and reference of HTML in it decoded, in one pass.
 * What is none stays as it is.
 */
export class DecodedText {
  readonly bytes: Uint8Array;
  /** Where what follows each escape begins, in `bytes` and in the source. The first one begins the text. */
  private readonly runs: Int32Array;
  private readonly lastRun: number;

  private constructor(bytes: Uint8Array, runs: Int32Array, lastRun: number) {
    this.bytes = bytes;
    this.runs = runs;
    this.lastRun = lastRun;
  }

  static of(source: Uint8Array): DecodedText {
    return finished(DecodedText.decoding(source));
  }

  /** The same in steps of some milliseconds. */
  static *decoding(source: Uint8Array): Work<DecodedText> {
    const bytes = new Uint8Array(source.length);
    const runs = new Int32Array(source.length + 2);
    const escape = new Escape(source);
    let length = 0;
    let done = 0;
    let lastRun = 0;
    let read = 0;
    for (let at = nextEscape(source, 0); at < source.length; ) {
      if (++read % escapesInStep === 0) yield;
      if (!escape.read(at)) {
        at = nextEscape(source, at + 1);
        continue;
      }
      if (at > done) copy(source, done, at, bytes, length);
      length = escape.write(bytes, length + at - done);
      done = escape.end;
      lastRun += 2;
      runs[lastRun] = length;
      runs[lastRun + 1] = done;
      // An escape often follows another at once.
      at = done < source.length && firsts[source[done]!] !== 0 ? done : nextEscape(source, done);
    }
    copy(source, done, source.length, bytes, length);
    return new DecodedText(bytes.subarray(0, length + source.length - done), runs, lastRun);
  }

  /** Where in the source a byte begins. */
  placeOf(index: number, near: Cursor): number {
    const { runs, lastRun } = this;
    let { run } = near;
    while (run < lastRun && runs[run + 2]! <= index) run += 2;
    while (runs[run]! > index) run -= 2;
    near.run = run;
    return runs[run + 1]! + index - runs[run]!;
  }

  /** Whether one of these bytes came out of an escape. */
  hasEscape(start: number, end: number, near: Cursor): boolean {
    return this.placeOf(end, near) - this.placeOf(start, near) > end - start;
  }
}

/** Where the next one may begin. A loop of its own, as most bytes of a text go through nothing else. */
function nextEscape(source: Uint8Array, from: number): number {
  let at = from;
  for (; at < source.length; at++) {
    const first = firsts[source[at]!]!;
    if (first !== 0 && at + 1 < source.length && (first & seconds[source[at + 1]!]!) !== 0) break;
  }
  return at;
}

function bits(kinds: readonly string[]): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) =>
    kinds.reduce((sum, bytes, kind) => sum | (bytes.includes(String.fromCharCode(byte)) ? 1 << kind : 0), 0),
  );
}

function copy(source: Uint8Array, start: number, end: number, target: Uint8Array, at: number): void {
  if (end - start > shortRun) target.set(source.subarray(start, end), at);
  else for (let index = start; index < end; index++) target[at + index - start] = source[index]!;
}

/** The escape that was read last: a code point, or one byte if it was percent-encoded. One object serves for all of them. */
class Escape {
  end = 0;
  private code = 0;
  private isByte = false;

  constructor(private readonly source: Uint8Array) {}

  /** Whether there is one. */
  read(at: number): boolean {
    const first = this.source[at];
    this.isByte = first === percent;
    if (this.isByte) return this.percent(at + 1);
    return first === backslash ? this.json(at + 1) : this.html(at + 1);
  }

  /** Writes it in UTF-8; where that ends. */
  write(bytes: Uint8Array, at: number): number {
    const { code } = this;
    bytes[at] = code;
    if (this.isByte || code < 0x80) return at + 1;
    const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    bytes[at] = (0xff00 >> (more + 1)) | (code >> (6 * more));
    for (let index = 1; index <= more; index++) bytes[at + index] = 0x80 | ((code >> (6 * (more - index))) & 0x3f);
    return at + 1 + more;
  }

  /** Perhaps encoded several times over: `%2F`, `%252F`, … */
  private percent(start: number): boolean {
    let at = start;
    let byte = this.hexPair(at);
    for (let next = byte; byte === percent; byte = next) {
      next = this.hexPair(at + 2);
      if (next < 0) break;
      at += 2;
    }
    return byte >= 0 && this.is(byte, at + 2);
  }

  private json(at: number): boolean {
    const next = this.source[at];
    if (next === backslash || next === 0x22 || next === 0x2f) return this.is(next, at + 1);
    const unit = this.unit(at);
    if (unit < 0xd800 || unit > 0xdfff) return unit >= 0 && this.is(unit, at + 5);
    const low = unit < 0xdc00 && this.source[at + 5] === backslash ? this.unit(at + 6) : -1;
    const isPair = low >= 0xdc00 && low < 0xe000;
    // Half of a pair has no UTF-8.
    return isPair ? this.is(unit * 0x400 + low - 0x35fdc00, at + 11) : this.is(0xfffd, at + 5);
  }

  private html(at: number): boolean {
    const { source } = this;
    if (source[at] === 0x23) return this.numeric(at + 1);
    const name = (source[at]! << 24) | (source[at + 1]! << 16) | (source[at + 2]! << 8) | source[at + 3]!;
    if (name === amp) return this.is(ampersand, at + 4);
    if (name >> 8 === lt) return this.is(0x3c, at + 3);
    if (name >> 8 === gt) return this.is(0x3e, at + 3);
    if (source[at + 4] !== semicolon) return false;
    return name === quot ? this.is(0x22, at + 5) : name === apos && this.is(0x27, at + 5);
  }

  /** What follows `&#`, at most twelve digits: more are zeros in front that nobody writes. */
  private numeric(at: number): boolean {
    const isHex = this.source[at] === 0x78 || this.source[at] === 0x58;
    const start = isHex ? at + 1 : at;
    let code = 0;
    let next = start;
    for (; next < start + 12; next++) {
      const digit = this.digit(next);
      if (digit < 0 || (digit > 9 && !isHex)) break;
      code = code * (isHex ? 16 : 10) + digit;
    }
    return next > start && this.source[next] === semicolon && code <= 0x10ffff && this.is(code, next + 1);
  }

  /** `uXXXX`, or -1. */
  private unit(at: number): number {
    if (this.source[at] !== 0x75) return -1;
    const high = this.hexPair(at + 1);
    const low = high < 0 ? -1 : this.hexPair(at + 3);
    return low < 0 ? -1 : high * 0x100 + low;
  }

  private hexPair(at: number): number {
    const high = this.digit(at);
    const low = high < 0 ? -1 : this.digit(at + 1);
    return low < 0 ? -1 : high * 16 + low;
  }

  private digit(at: number): number {
    return at < this.source.length ? digits[this.source[at]!]! : -1;
  }

  private is(code: number, end: number): true {
    this.code = code;
    this.end = end;
    return true;
  }
}

const digits = Int8Array.from({ length: 256 }, (_, byte) =>
  '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase()),
);

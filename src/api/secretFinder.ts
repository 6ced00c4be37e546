/** Work that can be interrupted wherever it yields: a large answer would hold the extension host for too long. */
export type Work<T> = Generator<void, T, void>;

/** Does all of it at once. */
export function finished<T>(work: Work<T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** A text in UTF-8, perhaps with escapes decoded. Without `places` it is the source itself. */
interface View {
  readonly bytes: Buffer;
  /** Where in the source each byte begins, and where the last one ends. */
  readonly places?: Int32Array;
}

/** One way in which a secret may be written, escapes apart. */
interface Form {
  readonly bytes: Buffer;
  /** Its beginning, at most as long as the needle in bytes. */
  readonly start: string;
  readonly isBase64: boolean;
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** A shorter piece of base64 would be found in any text. */
const shortestBase64 = 4;
/** How many times over a secret may be encoded. */
const mostLevels = 3;
const escapesInStep = 1 << 10;
const bytesInStep = 1 << 16;
/** A long token that repeats itself would make `indexOf` slow, so its beginning is looked for, and hidden with what follows of it. */
const longestNeedle = 128;

const escapes = [
  /%[0-9a-fA-F]{2}/g,
  /&(?:#[xX][0-9a-fA-F]{1,8}|#[0-9]{1,10}|amp|lt|gt|quot|apos);/g,
  /\\(?:["/\\]|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4})/g,
];
const anyEscape = new RegExp(escapes.map(({ source }) => source).join('|'), 'g');

/** Where an escape begins, and halves of surrogate pairs, which are written as another character in UTF-8. */
const notPlain = /[%&\\]|\p{Surrogate}/u;

const htmlNames: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Finds every occurrence of some texts: as they are, percent-encoded (up to three times), escaped for JSON or HTML, and base64 or
 * base64url of a longer text that contains them, as in `Basic base64(user:token)`.
 */
export class SecretFinder {
  private readonly forms: readonly Form[];

  constructor(secrets: Iterable<string>) {
    this.forms = Array.from(secrets, formsOf).flat();
  }

  /** The text with the replacement for each, or for several that touch, in steps of some milliseconds. */
  *replacing(text: string, replacement: string): Work<string> {
    if (this.forms.length === 0) return text;
    // Most texts are short and hold neither a secret nor an escape, which is seen faster in a string than in bytes.
    const isPlain = text.length <= bytesInStep && !notPlain.test(text);
    if (isPlain && !this.forms.some(({ start }) => text.includes(start))) return text;
    const source: View = { bytes: Buffer.from(text) };
    // 1 for each byte of the source that belongs to a secret.
    const hidden = Buffer.alloc(source.bytes.length);
    yield* this.search(source, hidden);
    let view = yield* decoded(source, anyEscape);
    // What looks like an escape of one kind may belong to a secret that is escaped in another.
    if (view) for (const escape of escapes) yield* this.search(yield* decoded(source, escape), hidden);
    for (let level = 1; view; level++) {
      yield* this.search(view, hidden);
      view = level < mostLevels ? yield* decoded(view, anyEscape) : undefined;
    }
    let result = '';
    let done = 0;
    for (let start = hidden.indexOf(1); start >= 0; start = hidden.indexOf(1, done)) {
      result += source.bytes.toString('utf8', done, start) + replacement;
      const end = hidden.indexOf(0, start);
      done = end < 0 ? hidden.length : end;
      yield;
    }
    return done === 0 ? text : result + source.bytes.toString('utf8', done);
  }

  private *search(view: View | undefined, hidden: Buffer): Work<void> {
    if (!view) return;
    const { bytes, places } = view;
    for (const form of this.forms) {
      const needle = form.bytes.subarray(0, longestNeedle);
      for (let from = 0; from < bytes.length; ) {
        yield;
        const found = bytes.subarray(from, from + bytesInStep + needle.length - 1).indexOf(needle);
        if (found < 0) {
          from += bytesInStep;
          continue;
        }
        let start = from + found;
        let end = start + needle.length;
        while (end - start < form.bytes.length && bytes[end] === form.bytes[end - start]) end++;
        from = end - needle.length + 1;
        if (form.isBase64) {
          // The characters beside it hold a few of its bits.
          if (isBase64(bytes[start - 1])) start--;
          if (isBase64(bytes[end])) end++;
          for (let count = 0; count < 2 && bytes[end] === 0x3d; count++) end++;
        }
        hidden.fill(1, places ? places[start] : start, places ? places[end] : end);
      }
    }
  }
}

function formsOf(secret: string): readonly Form[] {
  const cases = uuid.test(secret) ? [secret.toLowerCase(), secret.toUpperCase()] : [];
  // Web forms write a space as `+`.
  const plain = new Set([secret, secret.replaceAll(' ', '+'), ...cases]);
  const base64 = new Set([0, 1, 2].flatMap((offset) => insideBase64(secret, offset)));
  return [...Array.from(plain, (text) => formOf(text, false)), ...Array.from(base64, (text) => formOf(text, true))];
}

function formOf(text: string, base64: boolean): Form {
  const bytes = Buffer.from(text);
  // A UTF-16 unit is three bytes at most.
  return { bytes, start: bytes.toString().slice(0, longestNeedle / 3), isBase64: base64 };
}

/** The part of the base64 of a longer text that depends on `secret` alone, if that begins at byte `offset` modulo 3. */
function insideBase64(secret: string, offset: number): readonly string[] {
  const bytes = Buffer.from(secret);
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
  const inside = encoded.slice([0, 2, 3][offset], Math.floor(((offset + bytes.length) * 8) / 6));
  return inside.length < shortestBase64 ? [] : [inside, inside.replaceAll('+', '-').replaceAll('/', '_')];
}

function isBase64(byte: number | undefined): boolean {
  return byte !== undefined && /[\w+/-]/.test(String.fromCharCode(byte));
}

/** The view with these escapes decoded once; `undefined` if there is none. */
function* decoded({ bytes, places }: View, pattern: RegExp): Work<View | undefined> {
  const text = bytes.toString('latin1');
  if (text.search(pattern) < 0) return undefined;
  // No escape is shorter than what it stands for.
  const result = Buffer.alloc(bytes.length);
  const resultPlaces = new Int32Array(bytes.length + 1);
  let length = 0;
  let done = 0;
  let count = 0;
  const copyUntil = (end: number): void => {
    for (; done < end; done++) {
      result[length] = bytes[done]!;
      resultPlaces[length++] = places ? places[done]! : done;
    }
  };
  for (const { 0: escape, index } of text.matchAll(pattern)) {
    if (++count % escapesInStep === 0) yield;
    copyUntil(index);
    const plain = plainOf(escape);
    resultPlaces.fill(places ? places[done]! : done, length, length + plain.length);
    length += plain.copy(result, length);
    done += escape.length;
  }
  copyUntil(bytes.length);
  resultPlaces[length] = places ? places[done]! : done;
  return { bytes: result.subarray(0, length), places: resultPlaces };
}

/** The bytes that an escape stands for; its own if it stands for nothing. */
function plainOf(escape: string): Buffer {
  if (escape.startsWith('%')) return Buffer.from(escape.slice(1), 'hex');
  if (escape.startsWith('\\')) return Buffer.from(String(JSON.parse(`"${escape}"`)));
  const name = escape.slice(1, -1);
  // `#65` or `#x41`, which `Number` reads as `065` and `0x41`.
  const code = Number(name.replace('#', '0'));
  return Buffer.from(htmlNames[name] ?? (code > 0x10ffff ? escape : String.fromCodePoint(code)));
}

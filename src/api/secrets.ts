import type { Range } from './escapes.js';
import { SecretSearch } from './secretSearch.js';

export const redacted = '[redacted]';

/** A shorter secret occurs in innocent words. */
const minLastingChars = 8;

/**
 * Where a secret is searched for, each in fewer places than the one before. `everywhere`: also in
 * the data of answers. `texts`: in the log, in errors, and in texts that are copied or handed on, not
 * in data, because what a user typed may be an ordinary word of it. `lookUps`: in the log, in errors,
 * in what a user pastes, and in the answer to its own look-up, because an install token looks like
 * the ID of an account.
 */
export type SearchedIn = 'everywhere' | 'texts' | 'lookUps';

/**
 * The secrets that this process used, also those of requests that have ended, since error pages
 * like to echo the request. It replaces them in texts and in parsed JSON.
 */
export class KnownSecrets {
  private readonly known = new Map<string, SearchedIn>();
  private inData = new SecretSearch([]);
  private inCopies = new SecretSearch([]);
  private inAllTexts = new SecretSearch([]);

  add(secret: string, where: SearchedIn = 'everywhere'): void {
    const isShort = secret.length < minLastingChars;
    const wanted = where === 'everywhere' && isShort ? 'texts' : where;
    const before = this.known.get(secret);
    const isAdded = before === undefined || reach[before] < reach[wanted];
    if (secret === '' || !isAdded) return;
    this.known.set(secret, wanted);
    this.changed();
  }

  /** After its use: one that is so short would be found in any text. */
  removeShort(secret: string): void {
    if (secret.length < minLastingChars && this.known.delete(secret)) this.changed();
  }

  /** For the log, errors, and what a user pastes. `isCut`: the text may end in the middle of a secret. */
  redact(text: string, isCut = false): string {
    return replaced(text, this.inAllTexts.find(text, isCut));
  }

  /** For a text that was made of answers and is copied or handed on, perhaps with an ellipsis in it. */
  redactCopy(text: string): string {
    const whole = replaced(text, this.inCopies.find(text));
    return replaced(whole, this.inCopies.findCut(whole));
  }

  /** For a single text of an answer or of settings. */
  redactData(text: string): string {
    return replaced(text, this.inData.find(text));
  }

  /**
   * Returns the JSON of an answer without secrets in its keys, texts, and numbers. `ofRequest`: a
   * secret that only this answer may repeat. Throws a `SyntaxError` if it is not JSON.
   */
  parse(text: string, ofRequest?: string): unknown {
    const value: unknown = JSON.parse(text);
    const searches = [
      this.inData,
      ...(ofRequest === undefined ? [] : [new SecretSearch([ofRequest])]),
    ];
    // JSON escapes are among those that are searched, so most answers need not be walked.
    const finding = searches.filter((search) => search.find(text).length > 0);
    return finding.reduce(
      (rest, search) => redactedValue(rest, (part) => replaced(part, search.find(part))),
      value,
    );
  }

  private changed(): void {
    const searchOf = (where: SearchedIn) => {
      const secrets = [...this.known].filter(([, searchedIn]) => reach[searchedIn] >= reach[where]);
      return new SecretSearch(secrets.map(([secret]) => secret));
    };
    this.inData = searchOf('everywhere');
    this.inCopies = searchOf('texts');
    this.inAllTexts = searchOf('lookUps');
  }
}

const reach: Readonly<Record<SearchedIn, number>> = { lookUps: 0, texts: 1, everywhere: 2 };

function replaced(text: string, ranges: readonly Range[]): string {
  let result = '';
  let from = 0;
  for (const { start, end } of ranges) {
    result += text.slice(from, start) + redacted;
    from = end;
  }
  return result + text.slice(from);
}

/** Without recursion, because the platform decides how deep its JSON is. Changes the objects in place. */
function redactedValue(root: unknown, redact: (text: string) => string): unknown {
  const holder = { root };
  const left: object[] = [holder];
  const redactPart = (part: unknown): unknown => {
    if (typeof part === 'object' && part !== null) left.push(part);
    if (typeof part === 'string') return redact(part);
    return typeof part === 'number' && redact(String(part)) !== String(part) ? redacted : part;
  };
  for (let container = left.pop(); container !== undefined; container = left.pop()) {
    if (Array.isArray(container)) {
      for (const [index, part] of container.entries()) container[index] = redactPart(part);
    } else {
      const entries: readonly (readonly [string, unknown])[] = Object.entries(container);
      for (const [key] of entries) Reflect.deleteProperty(container, key);
      for (const [key, part] of entries) define(container, redact(key), redactPart(part));
    }
  }
  return holder.root;
}

/** An assignment to `__proto__` would set the prototype. */
function define(record: object, key: string, value: unknown): void {
  Object.defineProperty(record, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/** Whether a text can stand in an `Authorization: Bearer` header. */
export function isUsableToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

import type { Range } from './escapes.js';
import { SecretSearch } from './secretSearch.js';

/** Stands in place of a secret. */
export const redacted = '[redacted]';

/** A shorter secret also occurs in innocent words. */
const minLastingChars = 8;

/**
 * In which texts a secret is searched for.
 * - `everywhere`: in all texts, and in the data of answers.
 * - `texts`: in the log, in errors, and in texts that are copied or handed to other programs. Not
 *   in data, because what a user typed may be an ordinary word of it.
 * - `lookUps`: in the log, in errors, in texts that a user pastes, and in the answer to its own
 *   look-up. Not in other texts, because an install token looks like the ID of an account.
 */
export type SearchedIn = 'everywhere' | 'texts' | 'lookUps';

/** A wider reach includes the narrower ones. */
const reach: Readonly<Record<SearchedIn, number>> = { lookUps: 0, texts: 1, everywhere: 2 };

/**
 * The secrets that this process knows, long ones even after their requests, because error pages
 * like to echo the request. Replaces them in texts and in parsed JSON. All parts of the extension
 * share one.
 */
export class KnownSecrets {
  private readonly reachOf = new Map<string, SearchedIn>();
  /** Finds secrets that are searched for `everywhere`. */
  private inData = new SecretSearch([]);
  /** Finds secrets that are searched for `everywhere` or in `texts`. */
  private inCopies = new SecretSearch([]);
  /** Finds all secrets. */
  private inAllTexts = new SecretSearch([]);

  /** A wider reach replaces the one with which the secret was added before. */
  add(secret: string, where: SearchedIn = 'everywhere'): void {
    if (secret === '') return;
    const isShort = secret.length < minLastingChars;
    const wanted = where === 'everywhere' && isShort ? 'texts' : where;
    const current = this.reachOf.get(secret);
    const isWider = current === undefined || reach[wanted] > reach[current];
    if (!isWider) return;
    this.reachOf.set(secret, wanted);
    this.renewSearches();
  }

  /** To be called when a secret is no longer used: a short one would be found in any text. */
  removeShort(secret: string): void {
    if (secret.length >= minLastingChars) return;
    const wasKnown = this.reachOf.delete(secret);
    if (wasKnown) this.renewSearches();
  }

  /** For the log, errors, and pasted texts. `isCut`: the text may end in the middle of a secret. */
  redact(text: string, isCut = false): string {
    return replaceRanges(text, this.inAllTexts.find(text, isCut));
  }

  /**
   * For a text that was made of answers and is copied or handed to other programs. Secrets may have
   * been shortened with an ellipsis in it, so the beginnings and ends of secrets beside an ellipsis
   * are redacted, too (see `findShortened`).
   */
  redactCopy(text: string): string {
    const withoutWhole = replaceRanges(text, this.inCopies.find(text));
    return replaceRanges(withoutWhole, this.inCopies.findShortened(withoutWhole));
  }

  /** For a single text of settings, and for all that `src/check` writes. */
  redactValue(text: string): string {
    return replaceRanges(text, this.inData.find(text));
  }

  /**
   * Returns the JSON of an answer without secrets in its keys, texts, and numbers.
   * `secretOfRequest`: a secret that only this answer may repeat. Throws a `SyntaxError` if the
   * text is not JSON.
   */
  parse(text: string, secretOfRequest?: string): unknown {
    let value: unknown = JSON.parse(text);
    const searches = [this.inData];
    if (secretOfRequest !== undefined) searches.push(new SecretSearch([secretOfRequest]));
    // A search undoes the escapes of JSON, so the value of an answer without secrets is left alone.
    const successfulSearches = searches.filter((search) => search.find(text).length > 0);
    for (const search of successfulSearches)
      value = redactedValue(value, (part) => replaceRanges(part, search.find(part)));
    return value;
  }

  private renewSearches(): void {
    this.inData = this.newSearch('everywhere');
    this.inCopies = this.newSearch('texts');
    this.inAllTexts = this.newSearch('lookUps');
  }

  /** For all secrets that reach at least so far. */
  private newSearch(where: SearchedIn): SecretSearch {
    const secrets: string[] = [];
    for (const [secret, searchedIn] of this.reachOf) {
      if (reach[searchedIn] >= reach[where]) secrets.push(secret);
    }
    return new SecretSearch(secrets);
  }
}

/** `ranges`: in the order of the text, none overlapping another. */
function replaceRanges(text: string, ranges: readonly Range[]): string {
  let result = '';
  let copiedUpTo = 0;
  for (const { start, end } of ranges) {
    result += text.slice(copiedUpTo, start) + redacted;
    copiedUpTo = end;
  }
  return result + text.slice(copiedUpTo);
}

/**
 * Redacts keys, texts, and numbers of a JSON value, and changes its objects and arrays in place.
 * Does so without recursion, because the platform decides how deep its JSON is.
 */
function redactedValue(root: unknown, redact: (text: string) => string): unknown {
  // The root is in an array, so that a text or number there is redacted like any other item.
  const holder = [root];
  const unvisited: object[] = [holder];
  const redactPart = (part: unknown): unknown => {
    if (typeof part === 'object' && part !== null) {
      unvisited.push(part);
      return part;
    }
    if (typeof part === 'string') return redact(part);
    if (typeof part !== 'number') return part;
    const digits = String(part);
    return redact(digits) === digits ? part : redacted;
  };
  for (;;) {
    const container = unvisited.pop();
    if (container === undefined) return holder[0];
    if (Array.isArray(container)) redactItems(container, redactPart);
    else redactFields(container, redact, redactPart);
  }
}

function redactItems(items: unknown[], redactPart: (part: unknown) => unknown): void {
  for (const [index, item] of items.entries()) items[index] = redactPart(item);
}

/** Defines all fields anew, in their order, because keys may change. */
function redactFields(
  record: object,
  redact: (key: string) => string,
  redactPart: (part: unknown) => unknown,
): void {
  const entries: readonly (readonly [string, unknown])[] = Object.entries(record);
  for (const [key] of entries) Reflect.deleteProperty(record, key);
  for (const [key, part] of entries) defineField(record, redact(key), redactPart(part));
}

/** An assignment to `__proto__` would set the prototype. */
function defineField(record: object, key: string, value: unknown): void {
  Object.defineProperty(record, key, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  });
}

/** Whether a token can stand in an `Authorization: Bearer` header: visible ASCII only. */
export function isUsableToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

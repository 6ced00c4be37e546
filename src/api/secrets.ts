import { SecretFinder } from './secretFinder.js';

/** Stands where a secret stood. */
export const redacted = '[redacted]';

/** Decoded answers are searched for secrets of at least so many characters: a shorter one occurs in innocent words. */
const shortestInData = 8;
/** Each one costs a search in every line of the log. */
const mostPast = 50;

/**
 * Every token, session token, install token and key id that this process knows at the moment. Whatever leaves `api` as
 * text goes through `redact` first, since error pages like to echo the request.
 */
export class KnownSecrets {
  /** A secret may be known for several reasons (two organizations, a request under way): how many. */
  readonly #counts = new Map<string, number>();
  /** The longest secret first, since one may begin like another. */
  #inOrder: readonly string[] | undefined;
  readonly #finders = new Map<string, SecretFinder>();
  /** What nobody uses any more and an error or a page may still repeat: the latest ones. */
  readonly #past = new Set<string>();
  readonly #tokens = new Set<string>();

  add(secret: string): void {
    if (secret !== '') {
      this.#past.delete(secret);
      const count = this.#counts.get(secret) ?? 0;
      this.#counts.set(secret, count + 1);
      this.#changed(count === 0);
    }
  }

  /** `add` for the token of a sign-in: a late answer may repeat it in its data, so it is looked for there when it is past, too. */
  addToken(token: string): void {
    this.#tokens.add(token);
    this.add(token);
  }

  /** Takes back one `add`. Texts are searched for it all the same, unless it is too short to tell; data only if it is a token. */
  remove(secret: string): void {
    const count = this.#counts.get(secret);
    if (count !== undefined) {
      if (count > 1) {
        this.#counts.set(secret, count - 1);
      } else {
        this.#counts.delete(secret);
        this.#retire(secret);
      }
      this.#changed(count === 1);
    }
  }

  /** The text with every occurrence of a secret, plain, percent- or base64-encoded, replaced. */
  redact(text: string): string {
    return this.#redact(text, () => true);
  }

  /** `redact` for a text that was cut at its end, perhaps in the middle of a secret. */
  redactCut(text: string): string {
    const whole = this.redact(text);
    for (const secret of this.#inOrder ?? []) {
      for (let length = secret.length - 1; length >= 4; length--) {
        if (whole.endsWith(secret.slice(0, length))) {
          return whole.slice(0, -length) + redacted;
        }
      }
    }
    return whole;
  }

  /** `redact` for an answer that is otherwise fine: leaves secrets alone that are too short to tell. */
  redactData(text: string): string {
    return this.#redact(
      text,
      (secret) => secret.length >= shortestInData && (this.#counts.has(secret) || this.#tokens.has(secret)),
    );
  }

  #redact(text: string, counts: (secret: string) => boolean): string {
    this.#inOrder ??= [...this.#counts.keys(), ...this.#past].toSorted((a, b) => b.length - a.length);
    return this.#inOrder
      .filter((secret) => counts(secret))
      .reduce((rest, secret) => this.#finder(secret).replace(rest, redacted), text);
  }

  #finder(secret: string): SecretFinder {
    let finder = this.#finders.get(secret);
    if (!finder) {
      finder = new SecretFinder(secret);
      this.#finders.set(secret, finder);
    }
    return finder;
  }

  #retire(secret: string): void {
    if (secret.length < shortestInData) {
      this.#forget(secret);
      return;
    }
    this.#past.add(secret);
    if (this.#past.size > mostPast) {
      const [oldest = ''] = this.#past;
      this.#past.delete(oldest);
      this.#forget(oldest);
    }
  }

  #forget(secret: string): void {
    this.#finders.delete(secret);
    this.#tokens.delete(secret);
  }

  #changed(really: boolean): void {
    if (really) {
      this.#inOrder = undefined;
    }
  }
}

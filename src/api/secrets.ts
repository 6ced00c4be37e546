import { finished, type Work } from './decodedText.js';
import { SecretFinder } from './secretFinder.js';

/** Stands where a secret stood. */
export const redacted = '[redacted]';

/** Decoded answers are searched for secrets of at least so many characters: a shorter one occurs in innocent words. */
const shortestInData = 8;
/** Each one is searched for in every line of the log. */
const mostPast = 50;

/**
 * Where a secret is searched for. Tokens: everywhere. What a person typed, a key id or a proxy's password, may be an ordinary word
 * and would change a good answer: in log lines and error texts only.
 */
export type SearchedIn = 'everywhere' | 'texts';

/**
 * Every token, session token, install token and key id that this process knows at the moment. Whatever leaves `api` as
 * text goes through `redact` first, since error pages like to echo the request.
 */
export class KnownSecrets {
  /** A secret may be known for several reasons (two organizations, a request under way): how many. */
  private readonly counts = { everywhere: new Map<string, number>(), texts: new Map<string, number>() };
  /** What nobody uses any more and an error or a page may still repeat: the latest ones. */
  private readonly past = new Set<string>();
  private readonly tokens = new Set<string>();
  /** Made when something is to be searched. */
  private inTexts: SecretFinder | undefined;
  private inData: SecretFinder | undefined;

  add(secret: string, where: SearchedIn = 'everywhere'): void {
    if (secret === '') return;
    const counts = this.counts[where];
    const count = counts.get(secret) ?? 0;
    counts.set(secret, count + 1);
    if (this.past.delete(secret) || count === 0) this.changed();
  }

  /** `add` for the token of a sign-in: a late answer may repeat it in its data, so it is looked for there when it is past, too. */
  addToken(token: string): void {
    this.tokens.add(token);
    this.add(token);
  }

  /** Takes back one `add`. Texts are searched for it all the same, unless it is too short to tell; data only if it is a token. */
  remove(secret: string, where: SearchedIn = 'everywhere'): void {
    const counts = this.counts[where];
    const count = counts.get(secret);
    if (count === undefined) return;
    if (count > 1) {
      counts.set(secret, count - 1);
      return;
    }
    counts.delete(secret);
    if (!this.all().has(secret)) this.retire(secret);
    this.changed();
  }

  /** The text with every occurrence of a secret, plain, percent- or base64-encoded, replaced. */
  redact(text: string): string {
    this.inTexts ??= new SecretFinder(this.all());
    return this.inTexts.replace(text, redacted);
  }

  /** `redact` for a text that was cut at its end, perhaps in the middle of a secret. */
  redactCut(text: string): string {
    const whole = this.redact(text);
    for (const secret of this.all()) {
      for (let length = secret.length - 1; length >= 4; length--) {
        if (whole.endsWith(secret.slice(0, length))) return whole.slice(0, -length) + redacted;
      }
    }
    return whole;
  }

  /** `redactingData`, at once. */
  redactData(text: string): string {
    return finished(this.redactingData(text));
  }

  /** `redact` for what is shown of a good answer, in steps: nothing but tokens, and none that is too short to tell. */
  *redactingData(text: string): Work<string> {
    this.inData ??= new SecretFinder(
      [...this.counts.everywhere.keys(), ...[...this.past].filter((secret) => this.tokens.has(secret))].filter(
        ({ length }) => length >= shortestInData,
      ),
    );
    return yield* this.inData.replacing(text, redacted);
  }

  private all(): ReadonlySet<string> {
    return new Set([...this.counts.everywhere.keys(), ...this.counts.texts.keys(), ...this.past]);
  }

  private retire(secret: string): void {
    this.past.add(secret);
    const [oldest = ''] = this.past;
    const gone = secret.length < shortestInData ? secret : this.past.size > mostPast ? oldest : undefined;
    if (gone === undefined) return;
    this.past.delete(gone);
    this.tokens.delete(gone);
  }

  private changed(): void {
    this.inTexts = undefined;
    this.inData = undefined;
  }
}

/**
 * Whether a text can stand in an `Authorization: Bearer` header at all (reference, 5): visible ASCII, nothing else.
 * A request with any other token is refused before anything is sent (`unreachable`, code `ERR_INVALID_CHAR`).
 */
export function isUsableToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

import { finished, SecretFinder, type Work } from './secretFinder.js';

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

/** Why a secret is known, and how often: two organizations, a request under way. Of neither: it is past. */
interface Known {
  everywhere: number;
  texts: number;
  /** Of a sign-in. */
  isToken: boolean;
}

function isInData([secret, { everywhere, isToken }]: [string, Known]): boolean {
  return secret.length >= shortestInData && (everywhere > 0 || isToken);
}

function isPast({ everywhere, texts }: Known): boolean {
  return everywhere + texts === 0;
}

/**
 * Every token, session token, install token, key id and proxy password that this process knows at the moment, and the latest past
 * ones, which an error or a page may still repeat. Whatever leaves `api` as text goes through `redact` first, since error pages like
 * to echo the request.
 */
export class KnownSecrets {
  /** Past ones in the order in which they became so. */
  private readonly known = new Map<string, Known>();
  private inTexts: SecretFinder | undefined;
  private inData: SecretFinder | undefined;

  add(secret: string, where: SearchedIn = 'everywhere'): void {
    if (secret === '') return;
    const known = this.known.get(secret) ?? { everywhere: 0, texts: 0, isToken: false };
    this.known.set(secret, known);
    if (known[where]++ === 0) this.changed();
  }

  /** `add` for the token of a sign-in: a late answer may repeat it in its data, so it is looked for there when it is past, too. */
  addToken(token: string): void {
    this.add(token);
    const known = this.known.get(token);
    if (known) known.isToken = true;
  }

  /** Takes back one `add`. Texts are searched for it all the same, unless it is too short to tell; data only if it is a token. */
  remove(secret: string, where: SearchedIn = 'everywhere'): void {
    const known = this.known.get(secret);
    if (!known || known[where] === 0 || --known[where] > 0) return;
    this.changed();
    if (!isPast(known)) return;
    this.known.delete(secret);
    if (secret.length >= shortestInData) this.known.set(secret, known);
    const past = [...this.known].filter(([, one]) => isPast(one));
    if (past.length > mostPast) this.known.delete(past[0]![0]);
  }

  /** The text with every occurrence of a secret, plain, percent- or base64-encoded, replaced. */
  redact(text: string): string {
    this.inTexts ??= new SecretFinder(this.known.keys());
    return finished(this.inTexts.replacing(text, redacted));
  }

  /** `redact` for a text that was cut at its end, perhaps in the middle of a secret. */
  redactCut(text: string): string {
    const whole = this.redact(text);
    for (const secret of this.known.keys()) {
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
  redactingData(text: string): Work<string> {
    this.inData ??= new SecretFinder([...this.known].filter(isInData).map(([secret]) => secret));
    return this.inData.replacing(text, redacted);
  }

  private changed(): void {
    this.inTexts = undefined;
    this.inData = undefined;
  }
}

/** Whether a text can stand in an `Authorization: Bearer` header at all; a request with any other token is not sent. */
export function isUsableToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

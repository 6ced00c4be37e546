import { formsOf } from './secretForms.js';

export const redacted = '[redacted]';

/** Decoded answers are searched for secrets of at least so many characters: a shorter one occurs in innocent words. */
const minDataSecretChars = 8;
/** Limits past secrets, because every log line is searched for each of them. */
const maxPastSecrets = 50;

/**
 * Where a secret is searched for. Tokens: everywhere. What a user typed, a key id or a proxy's password, may be an ordinary word
 * and would change a good answer: in log lines and error texts only.
 */
export type SearchedIn = 'everywhere' | 'texts';

/** Why a secret is known, and how often: two organizations, a running request. Of neither: it is past. */
interface Known {
  readonly forms: readonly string[];
  everywhere: number;
  texts: number;
  /** Of a sign-in. */
  isToken: boolean;
}

function isInData([secret, { everywhere, isToken }]: [string, Known]): boolean {
  return secret.length >= minDataSecretChars && (everywhere > 0 || isToken);
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
  /** The forms that are looked for, the longest first, since one may be a part of another. */
  private inTexts: readonly string[] | undefined;
  private inData: readonly string[] | undefined;

  add(secret: string, where: SearchedIn = 'everywhere'): void {
    if (secret === '') return;
    const known = this.known.get(secret) ?? { forms: formsOf(secret), everywhere: 0, texts: 0, isToken: false };
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
    if (secret.length >= minDataSecretChars) this.known.set(secret, known);
    const past = [...this.known].filter(([, one]) => isPast(one));
    if (past.length > maxPastSecrets) this.known.delete(past[0]![0]);
  }

  /** The text with every occurrence of a secret, in any of its forms, replaced. */
  redact(text: string): string {
    this.inTexts ??= formsIn([...this.known.values()]);
    return replaced(text, this.inTexts);
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

  /** `redact` for what is shown of a good answer: nothing but tokens, and none that is too short to tell. */
  redactData(text: string): string {
    this.inData ??= formsIn([...this.known].filter(isInData).map(([, known]) => known));
    return replaced(text, this.inData);
  }

  private changed(): void {
    this.inTexts = undefined;
    this.inData = undefined;
  }
}

function formsIn(known: readonly Known[]): readonly string[] {
  return known.flatMap(({ forms }) => forms).toSorted((a, b) => b.length - a.length);
}

function replaced(text: string, forms: readonly string[]): string {
  return forms.reduce((rest, form) => rest.replaceAll(form, redacted), text);
}

/** Whether a text can stand in an `Authorization: Bearer` header at all; a request with any other token is not sent. */
export function isUsableToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

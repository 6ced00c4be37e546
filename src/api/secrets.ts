export const redacted = '[redacted]';

/** A shorter secret occurs in innocent words. */
const minLastingChars = 8;
/** A shorter piece of base64 would be found in any text. */
const minBase64Chars = 4;
const uuidShape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** `texts`: log lines and error texts only, because what a user typed may be an ordinary word of a good answer. */
export type SearchedIn = 'everywhere' | 'texts';

/** The secrets that this process used, also of requests that have ended, since error pages like to echo the request. */
export class KnownSecrets {
  /** Whether they are searched for in data, too. */
  private readonly known = new Map<string, boolean>();
  private formsInTexts: readonly string[] = [];
  private formsInData: readonly string[] = [];

  add(secret: string, where: SearchedIn = 'everywhere'): void {
    const before = this.known.get(secret);
    const isInData = before || (where === 'everywhere' && secret.length >= minLastingChars);
    if (secret === '' || before === isInData) return;
    this.known.set(secret, isInData);
    this.changed();
  }

  /** After its use: one that is so short would be found in any text. */
  removeShort(secret: string): void {
    if (secret.length < minLastingChars && this.known.delete(secret)) this.changed();
  }

  redact(text: string): string {
    return replaced(text, this.formsInTexts);
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

  redactData(text: string): string {
    return replaced(text, this.formsInData);
  }

  private changed(): void {
    const secrets = [...this.known.keys()];
    this.formsInTexts = formsByLength(secrets);
    this.formsInData = formsByLength(secrets.filter((secret) => this.known.get(secret)));
  }
}

/** A form may be a part of a longer one. */
function formsByLength(secrets: readonly string[]): readonly string[] {
  return secrets.flatMap(formsOf).toSorted((a, b) => b.length - a.length);
}

function replaced(text: string, forms: readonly string[]): string {
  return forms.reduce((rest, form) => rest.replaceAll(form, redacted), text);
}

/** Whether a text can stand in an `Authorization: Bearer` header. */
export function isUsableToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}

/** How a secret may be written in a text. SECURITY.md names these forms. */
function formsOf(secret: string): readonly string[] {
  const texts = uuidShape.test(secret) ? [secret, secret.toLowerCase(), secret.toUpperCase()] : [secret];
  const forms = texts.flatMap((text) => [text, ...percent(text), ...json(text), ...html(text), ...base64(text)]);
  return [...new Set(forms)];
}

function percent(text: string): readonly string[] {
  // Half of a surrogate pair has no encoding.
  const wellFormed = Buffer.from(text).toString();
  const inForm = new URLSearchParams([['', wellFormed]]).toString().slice(1);
  const once = [encodeURIComponent(wellFormed), encodeURI(wellFormed), inForm].flatMap(inBothCases);
  return [...once, ...once.map(encodeURIComponent).flatMap(inBothCases)];
}

function json(text: string): readonly string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  // Some serializers also escape what is special in HTML, and all that is not ASCII.
  const ascii = escaped.replace(/[<>&'+`=\u007f-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
  });
  return [escaped, escaped.replaceAll('/', '\\/'), ...inBothCases(ascii)];
}

function html(text: string): readonly string[] {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const quoted = escaped.replaceAll('"', '&quot;');
  const decimal = quoted.replaceAll("'", '&#39;');
  const hexadecimal = quoted.replaceAll("'", '&#x27;');
  const all = hexadecimal.replaceAll('/', '&#x2F;').replaceAll('`', '&#x60;').replaceAll('=', '&#x3D;');
  return [escaped, quoted, decimal, hexadecimal, all];
}

/** As a part of a longer text (`Basic base64(user:token)`), as far as that part depends on this one alone; url-safe, too. */
function base64(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const inside = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return encoded.slice([0, 2, 3][offset], Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const found = inside.filter(({ length }) => length >= minBase64Chars);
  return [...found, ...found.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'))];
}

function inBothCases(text: string): readonly string[] {
  return [text, text.replace(/%[0-9A-F]{2}|\\u[0-9A-Fa-f]{4}/g, (escape) => escape.toLowerCase())];
}

import type { WireAnswer } from '../network/wire.js';
import type { KnownSecrets } from '../secrets.js';

/** A page for people, in place of an answer for programs. */
export interface WebPage {
  /** Foreign text, redacted, on one line, at most 100 characters; empty if the page has none. */
  readonly title: string;
}

const maxPageBytes = 64 * 1024;

/**
 * Returns the web page that an answer consists of. The body decides, because platforms send JSON as
 * `text/html`, and gateways send pages as `application/json`.
 */
export function webPageIn(
  answer: Pick<WireAnswer, 'headers' | 'body'>,
  secrets: KnownSecrets,
): WebPage | undefined {
  const contentType = answer.headers['content-type'] ?? '';
  const text = decodeText(answer.body.subarray(0, maxPageBytes), contentType).trimStart();
  const isHtml = /^<(?:!doctype html|html|head|body)(?![\w-])/i.test(text);
  const isCalledHtml = /^\s*text\/html\b/i.test(contentType);
  if (!isHtml && !(isCalledHtml && text.startsWith('<'))) return undefined;
  // Before the title is taken out of it, since a secret may be written with escapes.
  const page = secrets.redact(text, answer.body.length > maxPageBytes);
  return { title: foreignText(withoutReferences(titleIn(page)), secrets) };
}

/** Without one regular expression for all of it, whose time would be that of 64 KB squared. */
function titleIn(page: string): string {
  const tag = /<title(?=[\s>])/i.exec(page);
  if (tag === null) return '';
  const start = page.indexOf('>', tag.index) + 1;
  const length = page.slice(start).search(/<\/title/i);
  return start > 0 && length > 0 ? page.slice(start, start + length) : '';
}

const maxForeignChars = 100;

/** Returns a text that whoever answered chose, as it may be shown: redacted, on one line, cut. */
export function foreignText(text: string, secrets: KnownSecrets): string {
  const line = secrets.redact(text).replace(/\s+/g, ' ').trim();
  // Half of a surrogate pair is no character.
  return line.slice(0, maxForeignChars).replace(/[\uD800-\uDBFF]$/, '');
}

/** Of the charsets, in hexadecimal digits. */
const byteOrderMarks = { 'utf-8': 'efbbbf', 'utf-16be': 'feff', 'utf-16le': 'fffe' } as const;

const charset = /charset\s*=\s*["']?([\w-]+)/i;

/** By its byte order mark, else by its `Content-Type`, else by what the page itself says, else as UTF-8. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const startBytes = Buffer.from(bytes.subarray(0, 3)).toString('hex');
  const [marked] =
    Object.entries(byteOrderMarks).find(([, mark]) => startBytes.startsWith(mark)) ?? [];
  const label = marked ?? (charset.exec(contentType) ?? charset.exec(start))?.[1] ?? 'utf-8';
  // What calls itself UTF-16 in bytes of ASCII is none.
  const isNone =
    marked === undefined && /^utf-?16/i.test(label) && !start.slice(0, 2).includes('\0');
  try {
    return new TextDecoder(isNone ? 'utf-8' : label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Those that titles of error pages and gateways have; any other reference stays as it is. */
const namedReferences = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: ' ',
    ndash: '–',
    mdash: '—',
    hellip: '…',
    middot: '·',
    bull: '•',
    laquo: '«',
    raquo: '»',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    copy: '©',
    reg: '®',
    trade: '™',
    auml: 'ä',
    ouml: 'ö',
    uuml: 'ü',
    Auml: 'Ä',
    Ouml: 'Ö',
    Uuml: 'Ü',
    szlig: 'ß',
    agrave: 'à',
    aacute: 'á',
    ccedil: 'ç',
    egrave: 'è',
    eacute: 'é',
    ecirc: 'ê',
    iacute: 'í',
    ntilde: 'ñ',
    oacute: 'ó',
    uacute: 'ú',
  }),
);

/** Browsers read numeric references without a semicolon, too. */
function withoutReferences(html: string): string {
  return html.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8})(?=;));?/gi,
    (whole, decimal, hex, name: string) => {
      if (name) return namedReferences.get(name) ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

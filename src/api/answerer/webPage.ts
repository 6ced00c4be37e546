import type { WireAnswer } from '../network/wire.js';
import type { KnownSecrets } from '../secrets.js';

/** An HTML page in place of an answer for programs. */
export interface WebPage {
  /** Foreign text, redacted, on one line, at most 100 characters; empty if the page has none. */
  readonly title: string;
}

const maxPageBytes = 64 * 1024;

/**
 * Returns the web page that an answer consists of; `undefined` if it is none. The body decides,
 * because platforms send JSON as `text/html`, and gateways send pages as `application/json`.
 */
export function webPageIn(
  answer: Pick<WireAnswer, 'headers' | 'body'>,
  secrets: KnownSecrets,
): WebPage | undefined {
  const contentType = answer.headers['content-type'] ?? '';
  const text = decodeText(answer.body.subarray(0, maxPageBytes), contentType).trimStart();
  const startsLikeHtml = /^<(?:!doctype html|html|head|body)(?![\w-])/i.test(text);
  const isDeclaredHtml = /^\s*text\/html\b/i.test(contentType);
  const isHtml = startsLikeHtml || (isDeclaredHtml && text.startsWith('<'));
  if (!isHtml) return undefined;
  // The page is redacted with its references, because they may be the escapes of a secret.
  const page = secrets.redact(text, answer.body.length > maxPageBytes);
  return { title: foreignText(withoutReferences(titleIn(page)), secrets) };
}

/**
 * Returns the HTML of the page's title; empty if there is none. One expression for all of it would
 * take a time that grows with the square of the page's length.
 */
function titleIn(page: string): string {
  const tag = /<title(?=[\s>])/i.exec(page);
  if (tag === null) return '';
  const tagEnd = page.indexOf('>', tag.index);
  if (tagEnd < 0) return '';
  const afterTag = page.slice(tagEnd + 1);
  const length = afterTag.search(/<\/title/i);
  return length > 0 ? afterTag.slice(0, length) : '';
}

const maxForeignChars = 100;

/** Returns a text that an answer's sender chose, as it may be shown: redacted, on one line, cut. */
export function foreignText(text: string, secrets: KnownSecrets): string {
  const line = secrets.redact(text).replace(/\s+/g, ' ').trim();
  // Half of a surrogate pair is no character.
  return line.slice(0, maxForeignChars).replace(/[\uD800-\uDBFF]$/, '');
}

/** The byte order mark of each charset, in hexadecimal digits. */
const byteOrderMarks = [
  { charset: 'utf-8', mark: 'efbbbf' },
  { charset: 'utf-16be', mark: 'feff' },
  { charset: 'utf-16le', mark: 'fffe' },
];

/** In a header or in HTML: `charset=utf-8`, `charset="utf-8"`. */
const charsetParameter = /charset\s*=\s*["']?([\w-]+)/i;

/**
 * Decodes a text in the charset of its byte order mark, else of its `Content-Type`, else of the
 * charset that the page itself declares. Decodes it as UTF-8 if there is none, or if it is unknown.
 */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  try {
    return new TextDecoder(charsetOf(bytes, contentType)).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function charsetOf(bytes: Uint8Array, contentType: string): string {
  const firstBytes = Buffer.from(bytes.subarray(0, 3)).toString('hex');
  const marked = byteOrderMarks.find(({ mark }) => firstBytes.startsWith(mark));
  if (marked !== undefined) return marked.charset;

  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1');
  const match = charsetParameter.exec(contentType) ?? charsetParameter.exec(start);
  const declared = match?.[1] ?? 'utf-8';
  // One of the first two bytes of HTML or JSON in UTF-16 is zero.
  const isWrong = /^utf-?16/i.test(declared) && !start.slice(0, 2).includes('\0');
  return isWrong ? 'utf-8' : declared;
}

/** The references that titles of error pages and gateways have. Any other one stays as it is. */
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

/**
 * `&#8211;`, `&#x2013;`, `&ndash;`. Browsers read numeric references without a semicolon as well.
 * Groups: the decimal digits, the hexadecimal digits, the name.
 */
const reference = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8})(?=;));?/gi;

/** Replaces references in HTML with their characters. */
function withoutReferences(html: string): string {
  return html.replace(reference, (whole, decimal, hexadecimal, name: string) => {
    if (name) return namedReferences.get(name) ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

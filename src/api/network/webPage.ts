import type { KnownSecrets } from '../secrets.js';
import type { WireAnswer } from './wire.js';

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
export function webPageIn(answer: Pick<WireAnswer, 'headers' | 'body'>, secrets: KnownSecrets): WebPage | undefined {
  const contentType = answer.headers['content-type'] ?? '';
  const text = decodeText(answer.body.subarray(0, maxPageBytes), contentType).trimStart();
  const isHtml = /^<(?:!doctype html|html|head|body)(?![\w-])/i.test(text);
  const isCalledHtml = /^\s*text\/html\b/i.test(contentType);
  if (!isHtml && !(isCalledHtml && text.startsWith('<'))) return undefined;
  // Before the title is taken out of it, since a secret may be written with escapes.
  const page = secrets.redact(text, answer.body.length > maxPageBytes);
  const [, title = ''] = /<title(?:\s[^>]*)?>(.*?)<\/title/is.exec(page) ?? [];
  return { title: foreignText(withoutReferences(title), secrets) };
}

const maxForeignChars = 100;

/** Returns a text that whoever answered chose, as it may be shown: redacted, on one line, cut. */
export function foreignText(text: string, secrets: KnownSecrets): string {
  const line = secrets.redact(text).replace(/\s+/g, ' ').trim();
  // Half of a surrogate pair is no character.
  return line.slice(0, maxForeignChars).replace(/[\uD800-\uDBFF]$/, '');
}

/** By its byte order mark, else by its `Content-Type`, else by what the page itself says, else as UTF-8. */
function decodeText(bytes: Uint8Array, contentType: string): string {
  const marks: Readonly<Record<string, string>> = { '254 255': 'utf-16be', '255 254': 'utf-16le' };
  const mark = marks[bytes.subarray(0, 2).join(' ')];
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  const named = /charset\s*=\s*["']?([\w-]+)/i;
  const label = mark ?? (named.exec(contentType) ?? named.exec(start))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

/** Those that titles of error pages and gateways have; any other reference stays as it is. */
const named: Readonly<Record<string, string>> = {
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
};

function withoutReferences(html: string): string {
  return html.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name: string) => {
    if (name) return named[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

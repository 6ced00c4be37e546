const uuidShape = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
/** A shorter piece of base64 would be found in any text. */
const minBase64Chars = 4;

/**
 * How a secret may be written in a text: as it is, percent-encoded once and twice, escaped for JSON and for HTML, and in the base64 of
 * a longer text (`Basic base64(user:token)`), url-safe, too. SECURITY.md names these forms.
 */
export function formsOf(secret: string): readonly string[] {
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
  // Some escape what is special in HTML, too, and all that is not ASCII.
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

/** What of the base64 of a longer text depends on this one alone, wherever in that it begins. */
function base64(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  const inside = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    return encoded.slice([0, 2, 3][offset], Math.floor(((offset + bytes.length) * 8) / 6));
  });
  const found = inside.filter(({ length }) => length >= minBase64Chars);
  return [...found, ...found.map((one) => one.replaceAll('+', '-').replaceAll('/', '_'))];
}

/** With the hexadecimal digits of its escapes as they are, and in lower case. */
function inBothCases(text: string): readonly string[] {
  return [text, text.replace(/%[0-9A-F]{2}|\\u[0-9A-Fa-f]{4}/g, (escape) => escape.toLowerCase())];
}

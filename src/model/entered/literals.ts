import { redacted } from '../../api/secrets.js';
import { idProblem } from './enteredIds.js';
import { looksSecret } from './secretForms.js';

/**
 * A text that stands for itself, without its quotes. `start`: where it begins; `quote`: the mark
 * before it.
 */
export interface Literal {
  readonly text: string;
  readonly start: number;
  readonly quote?: string;
}

/**
 * Reads a text from left to right with sticky expressions. Each of them ends after a bounded number
 * of characters or with a run of white space, so that the time grows with the text alone.
 */
export class TextReader {
  constructor(
    private readonly text: string,
    public at: number,
  ) {}

  /** Moves behind what matches here, if anything does. */
  take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const match = expression.exec(this.text) ?? undefined;
    if (match) this.at = expression.lastIndex;
    return match;
  }

  sees(expression: RegExp): boolean {
    expression.lastIndex = this.at;
    return expression.test(this.text);
  }

  startsWith(part: string): boolean {
    return this.text.startsWith(part, this.at);
  }

  /** Returns what `read` finds. Stays here if that is nothing. */
  try<T>(read: () => T | undefined): T | undefined {
    const { at } = this;
    const found = read();
    if (found === undefined) this.at = at;
    return found;
  }

  /** Returns the last characters of this line before here. */
  lineBefore(maxChars: number): string {
    const before = this.text.slice(Math.max(0, this.at - maxChars), this.at);
    return before.slice(before.lastIndexOf('\n') + 1);
  }
}

/** The quotes can be escaped, because the text is inside a string or an attribute itself. */
const quotedText =
  /[fFrRbBuUL@$]{0,2}("""|'''|\\{0,7}["'`]|&quot;|&#34;)((?!\1)[^\r\n]{1,1100}?)(?<!\\)\1(?!\1)/y;
/** Where an expression goes on, such as `"dep_" + name`, the string is only a part of the value. */
const goesOn = new RegExp(
  [
    // Formatters break such an expression into lines, and a comment may end each of them.
    /(?:[ \t]*|\s*\n[ \t]+)\+(?!\+)(?:\s|\/\/[^\n]{0,300}\n|\/\*[^*]{0,300}\*\/)*["'`\w($]/,
    /[ \t]*\\\r?\n\s*["'`]/,
    /[ \t]*\.\s*[$"'(]/,
    /[ \t]+\.\s/,
    /[ \t]*\.\.\s*[\w"'(]/,
    /[ \t]*<>/,
    /[ \t]*%[ \t]*[\w("'{]/,
    /\.(?:format|concat|replace|join)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'y',
);
const nextString = /[ \t]+["'`]/y;
const nextLineString = /\s+["'`]/y;

/**
 * `joinsStrings`: strings that stand side by side are one. `isInBrackets`: also those of the next
 * line.
 */
export function quoted(
  reader: TextReader,
  joinsStrings = false,
  isInBrackets = false,
): Literal | undefined {
  return reader.try(() => {
    const match = reader.take(quotedText);
    if (!match || reader.sees(goesOn)) return undefined;
    const next = isInBrackets ? nextLineString : nextString;
    if (joinsStrings && reader.sees(next)) return undefined;
    const [whole, quote = '', body = ''] = match;
    const text = quote.startsWith('\\') ? body : unescaped(body);
    const start = reader.at - whole.length + whole.indexOf(quote) + quote.length;
    return text === undefined || text.includes('\\') ? undefined : { text, start, quote };
  });
}

/**
 * Undefined for an escape that is no character of an ID, such as `\n`, or an interpolation:
 * `\(name)`.
 */
function unescaped(body: string): string | undefined {
  if (!body.includes('\\')) return body;
  let isText = true;
  const text = body.replace(/\\(?:u([\da-f]{4})|([^]?))/gi, (_, code?: string, mark = '') => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (!/^["'`/]$/.test(mark)) isText = false;
    return mark;
  });
  return isText ? text : undefined;
}

/**
 * What can stand behind a whole word. Elsewhere, as in `dep_<env>` and `a|b`, the word is a part of
 * the value.
 */
const wordEnds = [
  /\s|$|[)\]}>]/,
  /["'`](?![\p{L}\p{N}_"'`])/u,
  /\\[nrt"'`\\]/,
  /[,;](?=$|\s|["'`)\]}]|[\w.-]{1,80}[=:])/,
  /<(?:\/|!--|br\b)/,
  /&(?:&|amp;|quot;|[\w.-]{1,80}=)/,
  /\*(?:\*|\s|$)/,
]
  .map(({ source }) => source)
  .join('|');
const word = new RegExp(
  String.raw`[\p{L}\p{N}_][^\s"'\x60()[\]{}<>|&\\$%*?=;,#!]{0,1000}(?=${wordEnds})`,
  'uy',
);
/** In YAML a value without quotes goes on to the end of its line, or to a comment. */
const plainScalarText =
  /[\p{L}\p{N}_](?:[^\s#:{}[\]"'`<>$%]|:(?=\S)|(?<=\S)#|[ \t]+(?![\s#])){0,1100}(?=[ \t]*(?:[ \t]#[^\n]*)?(?:\r?\n|$))/uy;
/** The next word of a sentence, or more of the value. */
const anotherWord = /[ \t]+\p{L}/uy;

/**
 * Reads a literal without quotes. A word of letters with another word behind it belongs to a
 * sentence, unless `isAlone`: in "deploymentId: the ID of …", "the" is no ID.
 */
export function bareWord(reader: TextReader, isAlone = false): Literal | undefined {
  return reader.try(() => {
    const match = reader.take(word);
    if (!match) return undefined;
    const start = match.index;
    const text = match[0].replace(/[.]+$/, '');
    const isSentence = !isAlone && !/[\p{N}_]/u.test(text) && reader.sees(anotherWord);
    return isSentence || text.endsWith(':') ? undefined : { text, start };
  });
}

export function plainScalar(reader: TextReader): Literal | undefined {
  return reader.try(() => {
    const match = reader.take(plainScalarText);
    const text = match?.[0].replace(/[.]+$/, '') ?? '';
    // Words of letters alone are a sentence.
    const isSentence = /[ \t]/.test(text) && !/[\p{N}_]/u.test(text);
    return match && !isSentence ? { text, start: match.index } : undefined;
  });
}

const digits = /[1-9]\d{0,30}(?![\p{L}\p{N}_]|\.\d|[ \t]*[-+*/%][ \t]*[\w(])/uy;

export function wholeNumber(reader: TextReader): Literal | undefined {
  const match = reader.take(digits);
  return match && { text: match[0], start: match.index };
}

/** The content of an XML element, up to the end tag that `end` describes. */
export function elementContent(reader: TextReader, end: RegExp): Literal | undefined {
  reader.take(/\s*/y);
  const isCharacterData = reader.take(/<!\[CDATA\[\s*/y) !== undefined;
  const match = reader.take(/[^<>\r\n]{1,1100}/y);
  if (!match) return undefined;
  const start = match.index;
  const inner = isCharacterData ? match[0].replace(/\]\]$/, '') : withoutEntities(match[0]);
  if (isCharacterData) reader.take(/>/y);
  reader.take(/\s*/y);
  return reader.take(end) && { text: inner.trim(), start };
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function withoutEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name]!);
}

/** Values that stand for no ID, and names of types. */
const noIds =
  /^(?:null|nil|none|true|false|undefined|nan|void|any|unknown|never|object|array|(?:big|u)?int(?:eger|32|64)?|long|number|float|double|bool(?:ean)?|str|string|text|(?:var)?char|uuid|guid|id|required|optional)$/i;
/**
 * `<your-id>`, `{id}`, `${ID}`, `$ID`, `$(command)`, `%ID%`, `%s`, `%(id)s`, and a text that holds
 * strings itself.
 */
const placeholder = /[<>{}"`]|\$[\p{L}_(]|\$\d|%[\p{L}\p{N}_]+%|%[sdvq@]|%\(/u;

/** Whether a literal can be the ID of a deployment. */
export function isId(text: string): boolean {
  return (
    idProblem(text, () => false) === undefined &&
    /[\p{L}\p{N}]/u.test(text) &&
    !/^[a-z][a-z\d+.-]*:\/\/|^bearer(?![\p{L}\p{N}])|\ufffd/iu.test(text) &&
    !text.includes(redacted) &&
    !noIds.test(text) &&
    !placeholder.test(text) &&
    !looksSecret(text)
  );
}

import { redacted } from '../../api/secrets.js';
import { idProblem } from './enteredIds.js';
import { looksSecret } from './secretForms.js';

/**
 * A text that stands for itself in a file, such as a string or a word of YAML, without its quotes.
 */
export interface Literal {
  readonly text: string;
  /** The index of its first character, after the quote. */
  readonly start: number;
  /** The mark before it: `"`, `\"`, `&quot;`. Absent for a literal without quotes. */
  readonly quote?: string;
}

/**
 * Reads a text from left to right with sticky expressions. Each of them ends after a bounded number
 * of characters or with a run of white space, so that the time grows linearly with the length of
 * the text.
 */
export class TextReader {
  constructor(
    private readonly text: string,
    /** The index of the next character to read. */
    public position: number,
  ) {}

  /**
   * Moves past what a sticky expression matches here. Returns `undefined` without moving if it does
   * not match.
   */
  take(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.position;
    const match = expression.exec(this.text);
    if (match === null) return undefined;
    this.position = expression.lastIndex;
    return match;
  }

  /** Whether a sticky expression matches here. Does not move. */
  sees(expression: RegExp): boolean {
    expression.lastIndex = this.position;
    return expression.test(this.text);
  }

  startsWith(part: string): boolean {
    return this.text.startsWith(part, this.position);
  }

  /** Returns what `read` finds. Moves back to where it was if that is `undefined`. */
  try<T>(read: () => T | undefined): T | undefined {
    const { position: at } = this;
    const found = read();
    if (found === undefined) this.position = at;
    return found;
  }

  /** Returns the part of this line before here, at most its last `maxChars` characters. */
  lineBefore(maxChars: number): string {
    const before = this.text.slice(Math.max(0, this.position - maxChars), this.position);
    return before.slice(before.lastIndexOf('\n') + 1);
  }
}

/** Returns the source of an expression that matches what any of these match. */
export function alternatives(expressions: readonly RegExp[]): string {
  return expressions.map((expression) => expression.source).join('|');
}

/** What some languages have before a string: `f"…"`, `@"…"`. */
const stringPrefix = /[fFrRbBuUL@$]{0,2}/;
/**
 * A quote. It can be escaped, because the text is inside a string or an attribute itself: `\"…\"`,
 * `&quot;…&quot;`.
 */
const openingQuote = /"""|'''|\\{0,7}["'`]|&quot;|&#34;/;
/** A string in one line up to the same quote. A doubled or escaped quote does not end it. */
const quotedText = new RegExp(
  String.raw`${stringPrefix.source}(?<quote>${openingQuote.source})` +
    String.raw`(?<body>(?!\k<quote>)[^\r\n]{1,1100}?)(?<!\\)\k<quote>(?!\k<quote>)`,
  'y',
);

/** After a string: what shows that the string is only a part of the value. */
const continuedExpression = new RegExp(
  alternatives([
    // `"dep_" + name`. Formatters break such an expression into lines, and a comment may end each
    // of them.
    /(?:[ \t]*|\s*\n[ \t]+)\+(?!\+)(?:\s|\/\/[^\n]{0,300}\n|\/\*[^*]{0,300}\*\/)*["'`\w($]/,
    // The string goes on in the next line: `"dep_" \`.
    /[ \t]*\\\r?\n\s*["'`]/,
    // `"dep_".$name` and `"dep_" . name` in PHP and Perl.
    /[ \t]*\.\s*[$"'(]/,
    /[ \t]+\.\s/,
    // `"dep_" .. name` in Lua.
    /[ \t]*\.\.\s*[\w"'(]/,
    // `"dep_" <> name` in Elixir.
    /[ \t]*<>/,
    // `"dep_%s" % name` in Python.
    /[ \t]*%[ \t]*[\w("'{]/,
    // `"dep_{}".format(name)`
    /\.(?:format|concat|replace|join)\b/,
  ]),
  'y',
);
const nextString = /[ \t]+["'`]/y;
const nextStringOrLine = /\s+["'`]/y;

interface QuotedOptions {
  /** In this language, strings that stand side by side are one value: `"dep_" "1"`. */
  readonly joinsStrings: boolean;
  /** With `joinsStrings`: strings in brackets are one value even if they are in several lines. */
  readonly isInBrackets: boolean;
}

/**
 * Takes a string with its quotes from the text. Returns `undefined`, and does not move, if there is
 * no string here, if it is only a part of a value, or if it has an escape other than those of
 * quotes, of `/`, and of Unicode characters, which no ID needs.
 */
export function quoted(
  reader: TextReader,
  { joinsStrings, isInBrackets }: QuotedOptions = { joinsStrings: false, isInBrackets: false },
): Literal | undefined {
  return reader.try(() => {
    const match = reader.take(quotedText);
    if (!match || reader.sees(continuedExpression)) return undefined;
    const next = isInBrackets ? nextStringOrLine : nextString;
    if (joinsStrings && reader.sees(next)) return undefined;

    const { quote = '', body = '' } = match.groups ?? {};
    // Inside a string of a string (`\"dep_1\"`), an escape would be escaped twice.
    const text = quote.startsWith('\\') ? body : unescaped(body);
    if (text === undefined || text.includes('\\')) return undefined;
    const start = match.index + match[0].indexOf(quote) + quote.length;
    return { text, start, quote };
  });
}

/** The code of `\u00e9`, or the character after another backslash. */
const escapeSequence = /\\(?:u([\da-f]{4})|([^]?))/gi;

/**
 * Returns `undefined` for an escape that is no character of an ID, such as `\n`, or an
 * interpolation: `\(name)`.
 */
function unescaped(body: string): string | undefined {
  if (!body.includes('\\')) return body;
  let isText = true;
  const text = body.replace(escapeSequence, (_, code?: string, mark = '') => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    if (!/^["'`/]$/.test(mark)) isText = false;
    return mark;
  });
  return isText ? text : undefined;
}

const wordStart = /[\p{L}\p{N}_]/u;
const wordCharacter = /[^\s"'`()[\]{}<>|&\\$%*?=;,#!]/u;
/**
 * What can follow a whole word. Elsewhere, as in `dep_<env>` and `a|b`, the word is a part of
 * the value.
 */
const wordEnds = alternatives([
  /\s|$|[)\]}>]/,
  // A quote that begins no string: `deploymentId: dep_1"`.
  /["'`](?![\p{L}\p{N}_"'`])/u,
  // An escaped line break or quote of the string around it.
  /\\[nrt"'`\\]/,
  // The end of an item or a setting: `dep_1, `, `dep_1;name=`.
  /[,;](?=$|\s|["'`)\]}]|[\w.-]{1,80}[=:])/,
  // `dep_1</b>`, `dep_1<!--`, `dep_1<br>`
  /<(?:\/|!--|br\b)/,
  // `dep_1&&`, `dep_1&quot;`, `dep_1&name=`
  /&(?:&|amp;|quot;|[\w.-]{1,80}=)/,
  // The end of emphasis in Markdown, or of a comment: `dep_1**`.
  /\*(?:\*|\s|$)/,
]);
const word = new RegExp(`${wordStart.source}${wordCharacter.source}{0,1000}(?=${wordEnds})`, 'uy');

/** After a word: the next word of a sentence, or more of the value. */
const anotherWord = /[ \t]+\p{L}/uy;
const letterlessCharacter = /[\p{N}_]/u;
const finalDots = /[.]+$/;

/**
 * `value`: a word is a whole value, such as that of a variable. `text`: it can be a part of a
 * sentence.
 */
export type WordContext = 'value' | 'text';

/**
 * Takes a literal without quotes, up to white space. In a `text`, a word of letters with another
 * word after it belongs to a sentence: in "deploymentId: the ID of …", "the" is no ID. Returns
 * `undefined`, and takes nothing, if there is no such literal, and for the name of a key ("name:").
 */
export function bareWord(reader: TextReader, context: WordContext): Literal | undefined {
  return reader.try(() => {
    const match = reader.take(word);
    if (!match) return undefined;
    const text = match[0].replace(finalDots, '');
    const isOnlyLetters = !letterlessCharacter.test(text);
    const isSentence = context === 'text' && isOnlyLetters && reader.sees(anotherWord);
    if (isSentence || text.endsWith(':')) return undefined;
    return { text, start: match.index };
  });
}

const plainScalarParts = alternatives([
  /[^\s#:{}[\]"'`<>$%]/u,
  // Both are a part of the value inside a word: `a:b`, `a#b`.
  /:(?=\S)/u,
  /(?<=\S)#/u,
  // Spaces before the next word of the value.
  /[ \t]+(?![\s#])/u,
]);
const lineEndOrComment = /[ \t]*(?:[ \t]#[^\n]*)?(?:\r?\n|$)/u;
/** In YAML a value without quotes goes on to the end of its line, or to a comment. */
const plainScalarText = new RegExp(
  `${wordStart.source}(?:${plainScalarParts}){0,1100}(?=${lineEndOrComment.source})`,
  'uy',
);

/**
 * Takes a value of YAML without quotes, which may have spaces. Returns `undefined`, and takes
 * nothing, if there is none, or for several words of letters, which are a sentence.
 */
export function plainScalar(reader: TextReader): Literal | undefined {
  return reader.try(() => {
    const match = reader.take(plainScalarText);
    if (!match) return undefined;
    const text = match[0].replace(finalDots, '');
    const isSentence = /[ \t]/.test(text) && !letterlessCharacter.test(text);
    return isSentence ? undefined : { text, start: match.index };
  });
}

/** `42`, but not the beginning of `42a`, `4.2`, or `42 * n`. */
const digits = /[1-9]\d{0,30}(?![\p{L}\p{N}_]|\.\d|[ \t]*[-+*/%][ \t]*[\w(])/uy;

/** Takes a positive whole number. Returns `undefined`, and takes nothing, if there is none. */
export function wholeNumber(reader: TextReader): Literal | undefined {
  const match = reader.take(digits);
  return match && { text: match[0], start: match.index };
}

/**
 * Takes the content of an XML element in one line, from after its start tag to the end tag that
 * `endTag` matches. The text of an empty `<![CDATA[]]>` is "". Returns `undefined` if there is
 * neither content nor such a section, or no such end; white space and content may be taken
 * nevertheless.
 */
export function elementContent(reader: TextReader, endTag: RegExp): Literal | undefined {
  reader.take(/\s*/y);
  const isCharacterData = reader.take(/<!\[CDATA\[\s*/y) !== undefined;
  const match = reader.take(/[^<>\r\n]{1,1100}/y);
  if (!match) return undefined;
  // The `]]` of `]]>` belongs to the match.
  const text = isCharacterData ? match[0].replace(/\]\]$/, '') : withoutEntities(match[0]);
  if (isCharacterData) reader.take(/>/y);
  reader.take(/\s*/y);
  const isEnded = reader.take(endTag) !== undefined;
  return isEnded ? { text: text.trim(), start: match.index } : undefined;
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

const plainValues = 'null|nil|none|true|false|undefined|nan';
/** The names of types, and words that describe a parameter. */
const typeNames = [
  'void|any|unknown|never|object|array|(?:big|u)?int(?:eger|32|64)?|long|number|float|double',
  'bool(?:ean)?|str|string|text|(?:var)?char|uuid|guid|id|required|optional',
].join('|');
const valueOrTypeName = new RegExp(`^(?:${plainValues}|${typeNames})$`, 'i');

/**
 * A part of a text that another one replaces at run time, `<your-id>`, `{id}`, `${ID}`, `$ID`,
 * `$(command)`, `$1`, `%ID%`, `%s`, `%(id)s`, or a quote, as in a text that holds strings itself.
 */
const placeholder = /[<>{}"`]|\$[\p{L}_(]|\$\d|%[\p{L}\p{N}_]+%|%[sdvq@]|%\(/u;

/** A URL, a token after "Bearer", or what could not be decoded. */
const otherThanId = /^[a-z][a-z\d+.-]*:\/\/|^bearer(?![\p{L}\p{N}])|\ufffd/iu;

/** Whether a literal can be the ID of a deployment. */
export function canBeId(text: string): boolean {
  if (idProblem(text, () => false) !== undefined) return false;
  if (!/[\p{L}\p{N}]/u.test(text)) return false;
  if (otherThanId.test(text) || text.includes(redacted)) return false;
  if (valueOrTypeName.test(text) || placeholder.test(text)) return false;
  return !looksSecret(text);
}

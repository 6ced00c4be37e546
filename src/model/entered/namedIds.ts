import { percentDecoded } from '../../api/entered/baseUrl.js';
import { backticksRunCommands, isCodeFile, isYamlFile } from './codeFiles.js';
import {
  alternatives,
  bareWord,
  canBeId,
  elementContent,
  type Literal,
  plainScalar,
  quoted,
  TextReader,
  type WordContext,
  wholeNumber,
} from './literals.js';

const spellings = ['deploymentId', 'deployment_id', 'DEPLOYMENT_ID', 'deployment-id'];
const anyName = new RegExp(spellings.join('|'), 'g');

/**
 * The end of a text before a name that is a whole word: no letter, digit, `_`, or `-`, but those of
 * a flag (`--`), of `-Dname`, of an escape (`\n`), and of a percent-encoded `?` or `&`.
 */
const endsBeforeWord =
  /(?:^|[^\p{L}\p{N}_-]|(?:^|[^\p{L}\p{N}_-])--?|(?:^|\s)-[DP]|\\[nrt]|%(?:3F|26))$/iu;
/** After a name that is a whole word. The arrow `->` is no part of it. */
const wordEnd = /(?![\p{L}\p{N}_]|-(?!>))/uy;
const maxCharsBefore = 80;
const maxLineChars = 300;

export interface NamedId {
  readonly id: string;
  /** The line of the ID, from 1. */
  readonly line: number;
}

/**
 * Finds the literals that a text gives `deploymentId` and its other spellings, as the value of a
 * key, variable, element, command-line flag, or query parameter. `file`: its path, which tells the
 * language. No ID holds or borders on a token, which `redact` replaces.
 */
export function namedIds(
  text: string,
  file: string,
  redact: (text: string) => string,
): readonly NamedId[] {
  const found: NamedId[] = [];
  if (text.search(anyName) < 0) return found;
  const searched = redact(text);
  const isCode = isCodeFile(file, searched);
  const isYaml = isYamlFile(file);
  const hasCommands = backticksRunCommands(file);

  let line = 1;
  /** The index up to which line breaks are counted. */
  let countedTo = 0;
  let endOfValue = 0;
  for (const { 0: name, index } of searched.matchAll(anyName)) {
    // The value of the name before this one can hold a name.
    if (index < endOfValue) continue;
    const before = searched.slice(Math.max(0, index - maxCharsBefore), index);
    const reader = new TextReader(searched, index + name.length);
    if (!endsBeforeWord.test(before) || !reader.sees(wordEnd)) continue;

    const value = valueOf({ name, before, reader, isCode, isYaml });
    if (value === undefined) continue;
    const id = value.text.trim();
    const isCommand = hasCommands && value.quote?.endsWith('`');
    if (isCommand || spellings.includes(id) || !canBeId(id)) continue;

    line += countLineBreaks(searched, countedTo, value.start);
    countedTo = value.start;
    endOfValue = reader.position;
    found.push({ id, line });
  }
  return found;
}

function countLineBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    if (text[at] === '\n') count += 1;
  }
  return count;
}

/** A name that was found in a text, and how to read its value. */
interface FoundName {
  readonly name: string;
  /** At most 80 characters before the name. */
  readonly before: string;
  /** Begins after the name. */
  readonly reader: TextReader;
  /** In this file, a word without quotes is a variable. */
  readonly isCode: boolean;
  readonly isYaml: boolean;
}

/** A way to give a name a value. */
interface Form {
  /** Matches the end of the text before the name. */
  readonly before: RegExp;
  /** Returns `undefined` if the value is no literal. */
  readonly readValue: (name: FoundName) => Literal | undefined;
}

/** `${DEPLOYMENT_ID:-dep_1}`, `{{ deploymentId }}`, and Vue's `v-bind:deployment-id="variable"`. */
const beforeExpression = /[$#]\{\s*$|\{\{[^}]*$|v-bind:$/;
/** `Bearer deploymentId=…` */
const beforeToken = /(?<![\p{L}\p{N}])bearer[^\p{L}\p{N}\n]+[^\s"'`]*$/iu;
/** `?deploymentId=dep_1&…` */
const beforeParameter = /(?:[?&]|&amp;|%(?:3F|26))$/i;
/** `<key>deploymentId</key><string>dep_1</string>` */
const beforeElementOfName = /<(?:key|name)>\s*$/i;
/** `<deploymentId>dep_1</deploymentId>` */
const beforeElement = /<(?:[\w.-]{1,60}:)?$/;
/** `--deployment-id dep_1` */
const beforeFlag = /(?:^|[^\p{L}\p{N}_-])--?$/u;
/** `ENV DEPLOYMENT_ID dep_1`, `#define DEPLOYMENT_ID "dep_1"` */
const beforeDirective = /(?:^|\n)[ \t]*(?:ENV|[Ss]et[Ee]nv|setx|set -g?x|#[ \t]*define)[ \t]+$/;
const settingCommands = 'export|ARG|set|env|%env|-e|--env|--build-arg|--set(?:-string)?|-var';
/** `docker run -e DEPLOYMENT_ID=dep_1`, `mvn -DdeploymentId=dep_1`, anywhere in a line. */
const beforeSetting = new RegExp(
  String.raw`(?:^|[\s"'\x60(,])(?:${settingCommands})[ =]["'\x60\\]*$|-[DP]$`,
);
/** `- name: DEPLOYMENT_ID`, with `value: dep_1` below it. */
const beforeEntryName =
  /(?:^|[\s{,<(\\n"'])(?:name|key|variable|var)["'`\\]*(?:\s*[:=]\s*|\s+)\\*["'`]?$/i;
const anything = /$/;

/** The text before a name shows its form. The first form that matches counts. */
const forms: readonly Form[] = [
  // The value of an expression is known only at run time.
  { before: beforeExpression, readValue: () => undefined },
  { before: beforeToken, readValue: () => undefined },
  { before: beforeParameter, readValue: parameterValue },
  { before: beforeElementOfName, readValue: nextElementValue },
  { before: beforeElement, readValue: elementValue },
  { before: beforeFlag, readValue: flagValue },
  { before: beforeDirective, readValue: directiveValue },
  { before: beforeSetting, readValue: settingValue },
  { before: beforeEntryName, readValue: entryValue },
  { before: anything, readValue: assignedValue },
];

/** Returns the literal that a text gives a name; `undefined` if the value is none. */
function valueOf(name: FoundName): Literal | undefined {
  const form = forms.find(({ before }) => before.test(name.before));
  return form?.readValue(name);
}

/** Takes a string, or a word without quotes. */
function stringOrWord(reader: TextReader, context: WordContext): Literal | undefined {
  return quoted(reader) ?? bareWord(reader, context);
}

// Each of the following functions takes the value of a name, for which the examples have `dep_1`.
// It returns `undefined` if there is no value, or if it is no literal.

const parameterText = /(?:(?!<\/|%26|%23)[^\s&#?"'`()[\]\\;,|]){1,1100}/iy;
/** After a parameter: more of the URL is made at run time. */
const continuedUrl = /["'`]\s*(?:\+|\.\s|%|<>)|\\?[([]/y;

/** `dep_1` of `deploymentId=dep_1&…`, decoded. */
function parameterValue({ reader }: FoundName): Literal | undefined {
  if (!reader.take(/=|%3D/iy)) return undefined;
  const match = reader.take(parameterText);
  if (!match || reader.sees(continuedUrl)) return undefined;
  // The punctuation of a sentence is no part of the URL.
  const value = match[0].replace(/[.:!]+$/, '');
  return { text: percentDecoded(value), start: match.index };
}

/** `dep_1` of `deploymentId>dep_1</deploymentId>`. The start tag can have attributes. */
function elementValue({ name, reader }: FoundName): Literal | undefined {
  const endOfStartTag = /(?:\s[^<>]{0,300})?(?<!\/)>/y;
  if (!reader.take(endOfStartTag)) return undefined;
  const endTag = new RegExp(`</(?:[\\w.-]{1,60}:)?${name}\\s*>`, 'y');
  return elementContent(reader, endTag);
}

/** `dep_1` of `deploymentId</key><string>dep_1</string>`. */
function nextElementValue({ reader }: FoundName): Literal | undefined {
  const nextStartTag = /\s*<\/(?:key|name)>\s*<(?:string|integer|value)>/iy;
  return reader.take(nextStartTag) && elementContent(reader, /<\//y);
}

/** `"--deployment-id", "dep_1"`, and `arg("--deployment-id").arg("dep_1")`. */
const nextArgument = /["'`]\s*,\s*|["'`]\)\s*\.arg\(\s*/y;
/** `type=str, default="dep_1"` */
const defaultOption = /(?:\w{1,40}=[^,\n]{1,80},\s*){0,4}default\s*=\s*/y;
/** An item of a YAML list, and the next one. */
const nextItem = /["']?[ \t]*\r?\n[ \t]*-[ \t]+/y;
/** Blanks, and the end of a line that goes on: `--deployment-id \`. */
const nextWord = /:[ \t]*|["']?[ \t]+(?:[\\^`]\r?\n[ \t]*)?/y;

/**
 * `dep_1` of `deployment-id=dep_1`, `deployment-id dep_1`, `deployment-id", "dep_1"`, and of a YAML
 * list with the flag and the value as its items.
 */
function flagValue({ reader, before }: FoundName): Literal | undefined {
  if (reader.take(/=/y)) return stringOrWord(reader, 'value');
  const isQuoted = /["'`]--?$/.test(before);
  if (isQuoted && reader.take(nextArgument)) {
    reader.take(defaultOption);
    const argument = quoted(reader) ?? wholeNumber(reader);
    if (argument === undefined) return undefined;
    // A text with spaces describes the flag.
    const isFlagOrDescription = /^-|\s/.test(argument.text);
    return isFlagOrDescription ? undefined : argument;
  }
  if (reader.take(nextItem)) return stringOrWord(reader, 'text');
  return reader.take(nextWord) && stringOrWord(reader, 'text');
}

/** `dep_1` of `DEPLOYMENT_ID dep_1` and `DEPLOYMENT_ID=dep_1`. */
function directiveValue(name: FoundName): Literal | undefined {
  const isSpaced = name.reader.take(/[ \t]+/y) !== undefined;
  return isSpaced ? stringOrWord(name.reader, 'text') : settingValue(name);
}

/** `dep_1` of `DEPLOYMENT_ID=dep_1`, or of another assignment. */
function settingValue(name: FoundName): Literal | undefined {
  const { reader } = name;
  const value = reader.try(() => reader.take(/=/y) && stringOrWord(reader, 'value'));
  return value ?? assignedValue(name);
}

/**
 * The name is itself a value, that of `name` or `key`: `dep_1` of `DEPLOYMENT_ID", "value":
 * "dep_1"`, or of another assignment.
 */
function entryValue(name: FoundName): Literal | undefined {
  const { reader, before, isCode } = name;
  const isQuoted = /["'`]$/.test(before);
  // In code, the name is a variable without quotes: `{ key: deploymentId, value: "Billing" }`.
  if (isCode && !isQuoted) return assignedValue(name);
  const value = reader.try(() => {
    if (isQuoted) reader.take(/\\*["'`]/y);
    return reader.try(() => describedValue(name)) ?? contentOfEntry(reader);
  });
  return value ?? assignedValue(name);
}

/**
 * The content of the element that has the name: `<property name="deploymentId">dep_1</property>`,
 * and `<data name="deploymentId"><value>dep_1</value></data>`.
 */
function contentOfEntry(reader: TextReader): Literal | undefined {
  const endOfStartTag = /(?:\s(?:xml:space|type|translatable)="[^"<>]{0,80}")?\s*>\s*(?:<value>)?/y;
  return reader.take(endOfStartTag) && elementContent(reader, /<\//y);
}

const quotes = String.raw`["'\x60\\]*`;
const descriptiveKeys = 'type|description|required|title|label|help|sensitive|nullable';
/** Up to a comma in this line, or up to the end of the line. */
const descriptiveText = String.raw`(?:[^\n,]{0,200},|[^\n]{0,300}\n)\s*`;
const descriptiveEntry =
  String.raw`${quotes}(?:${descriptiveKeys})${quotes}` + String.raw`[ \t]*[:=]${descriptiveText}`;
const valueEntry = String.raw`${quotes}(?:value|default|content)${quotes}\s*[:=]\s*`;
/** `, value: ` after a name, and with what describes the name: `, type: string, default: `. */
const keyOfValue = new RegExp(
  String.raw`(?:[\s,{]|\\[nrt])*(?:${descriptiveEntry}){0,6}${valueEntry}`,
  'iy',
);

/** `dep_1` of `deploymentId: { type: string, default: "dep_1" }`, from the colon or the name on. */
function describedValue({ reader, isCode }: FoundName): Literal | undefined {
  if (!reader.take(keyOfValue)) return undefined;
  const value = quoted(reader) ?? wholeNumber(reader);
  if (value !== undefined || isCode) return value;
  return bareWord(reader, 'text');
}

/**
 * The quote before a name. A variable has its `$` between them: `"deploymentId"`,
 * `"$DEPLOYMENT_ID"`.
 */
const quoteBeforeName = /(\\*["'`]|&quot;)\$?$/;

const setters = 'get|set|put|add|append|define|fetch|of|entry|env|property|param|header';
/** `os.environ.setdefault("DEPLOYMENT_ID", "dep_1")` */
const endsInCall = new RegExp(String.raw`(?:${setters})\w{0,20}\s*\(\s*\\*["'\x60]$`, 'i');

/** The `&'static ` of Rust. */
const lifetime = /(?:&'\w{1,20}[ \t])?/;
const typeName = /[\w&*[][\w.&<>[\]*]{0,80}/;
const furtherTypes = /(?:[ \t]?\|[ \t]?[\w.<>[\]]{1,40}){0,4}/;
/** `: string =`, `?: string | undefined =`, and `: &'static str =`. */
const typeWithColon = new RegExp(
  String.raw`[?!]?[ \t]*:[ \t]*${lifetime.source}${typeName.source}${furtherTypes.source}` +
    String.raw`\??[ \t]*=(?![=>])`,
);
/** ` string =` in Go. */
const typeOfGo = /[ \t]+\*?string[ \t]*=(?!=)/;
const typedAssignment = new RegExp(alternatives([typeWithColon, typeOfGo]), 'y');

/**
 * After one of these operators, a word without quotes is always a name: `==`, `??=`, `=>`, `eq`.
 */
const operatorOfCode = /[?!]?\s*(?:[!=]==?(?!=)|\|\|=?|\?\?=?|=>|->)|\s+(?:to|or|eq|-eq)\s/y;
/** `:`, `=`, `:=`, `?=` */
const operatorOfData = /[?!]?\s*(?:::?=|\?=|=|:(?![:=]))(?![=~])/y;

/**
 * `dep_1` of `deploymentId: dep_1`, `deploymentId = "dep_1"`, `deploymentId": "dep_1"`, with or
 * without a type, and of a call: `set("deploymentId", "dep_1")`.
 */
function assignedValue(name: FoundName): Literal | undefined {
  const { reader, before, isCode } = name;
  const line = reader.lineBefore(maxLineChars);
  const openingQuote = quoteBeforeName.exec(before)?.[1];
  let closingQuote: string | undefined;
  if (openingQuote !== undefined) {
    const value = reader.try(() => settingInQuotes(reader, openingQuote));
    if (value !== undefined) return value;
    closingQuote = reader.take(/\\*["'`]|&quot;/y)?.[0];
  }
  // The end of emphasis in Markdown: `**deploymentId**: dep_1`.
  reader.take(/\*{1,2}/y);
  if (closingQuote !== undefined) {
    const isArgument = endsInCall.test(before) && reader.take(/\s*,\s*/y) !== undefined;
    if (isArgument)
      return quoted(reader, { joinsStrings: true, isInBrackets: true }) ?? wholeNumber(reader);
    // `env["DEPLOYMENT_ID"] = …`
    reader.take(/\s?[\])]/y);
  }

  const isOfCode = (takeType(name) ?? reader.take(operatorOfCode)) !== undefined;
  const dataOperator = isOfCode ? undefined : reader.take(operatorOfData)?.[0].trim();
  if (!isOfCode && dataOperator === undefined) return undefined;
  const described = reader.try(() => describedValue(name));
  if (described !== undefined) return described;
  return literalAfterOperator(name, {
    line: line + (closingQuote ?? ''),
    wordOperator: isCode ? undefined : dataOperator,
  });
}

/**
 * Takes a type and the operator after it. In data, `deploymentId: team=42` has no type: there a
 * string must follow.
 */
function takeType({ reader, isCode }: FoundName): RegExpExecArray | undefined {
  return reader.try(() => {
    const type = reader.take(typedAssignment);
    return isCode || reader.sees(/\s*["'`]/y) ? type : undefined;
  });
}

/** `"DEPLOYMENT_ID=dep_1"`: the quotes surround both. */
function settingInQuotes(reader: TextReader, quote: string): Literal | undefined {
  const value = reader.take(/=/y) && bareWord(reader, 'value');
  return reader.startsWith(quote) ? value : undefined;
}

/** Functions and types that make a value of a string. */
const constructors = alternatives([
  /String(?:::from)?/,
  /str/,
  /Some/,
  /Optional\.of/,
  // `DeploymentId`, `ids.DeploymentID`, `DeploymentId::from`, `DeploymentId.of`
  /(?:\w{1,40}\.)?DeploymentI[dD](?:(?:::|\.)\w{1,40})?/,
]);
/** What a literal can be wrapped in, in code or in YAML. */
const wrapper = new RegExp(
  alternatives([
    // The beginning of emphasis in Markdown.
    /\*\*/,
    // `{"dep_1"}`
    /\{\s*(?=["'`][^"'`\n]{1,1100}["'`]\s*\})/,
    // `("dep_1")`, `String::from("dep_1")`, `new DeploymentId("dep_1")`
    new RegExp(String.raw`(?:new\s+)?(?:${constructors})?\(\s*`),
    // A tag of YAML: `!!str dep_1`.
    /!!?str[ \t]+/,
    // An anchor of YAML: `&id dep_1`.
    /&[\w-]{1,60}[ \t]+/,
  ]),
  'y',
);

interface OperatorContext {
  /** The line up to the name and the quote after it. */
  readonly line: string;
  /** The operator. `undefined` if a word without quotes is no literal after it. */
  readonly wordOperator: string | undefined;
}

/** Takes the literal after the operator of an assignment, with what surrounds the literal. */
function literalAfterOperator(
  { name, reader, isYaml }: FoundName,
  { line, wordOperator }: OperatorContext,
): Literal | undefined {
  const gap = takeGap(reader);
  // A line that ends with a backslash goes on.
  const breaksLine = /(?<!\\)\r?\n/.test(gap);
  const isInBrackets = reader.take(wrapper)?.[0].includes('(') ?? false;
  const string = quoted(reader, { joinsStrings: wordOperator === undefined, isInBrackets });
  if (string !== undefined) {
    const isNextKey = breaksLine && reader.sees(/[ \t]*[:=]/y);
    return isNextKey || endsString(line, string) ? undefined : string;
  }
  if (wordOperator === undefined) return wholeNumber(reader);
  if (breaksLine) return wordOperator === ':' ? nextLineWord(reader, line) : undefined;

  const block = blockScalar(reader);
  if (block !== undefined) return block;
  const beforeName = line.slice(0, line.lastIndexOf(name));
  const isKeyOfYaml = isYaml && wordOperator === ':' && /^[\s-]*["']?$/.test(beforeName);
  if (isKeyOfYaml) return plainScalar(reader);
  const isSetting = wordOperator === '=' && gap === '';
  return bareWord(reader, isSetting ? 'value' : 'text');
}

/** White space, which can be escaped, and the `\` that continues a line. */
const whiteSpace = /(?:\s+|\\(?:[nrt]|\r?\n))*/y;
const comment = /\/\/[^\n]{0,300}(?=\n)|\/\*[^*]{0,300}\*\/|#[ \t][^\n]{0,300}(?=\n)/y;
const maxGapParts = 4;

/** Takes white space and comments, at most four of each. Returns the white space. */
function takeGap(reader: TextReader): string {
  let gap = '';
  for (let part = 0; part < maxGapParts; part++) {
    gap += reader.take(whiteSpace)?.[0] ?? '';
    if (!reader.take(comment)) break;
  }
  return gap;
}

/** In `"deploymentId: " + id + "."`, `" + id + "` looks like a string, but is between two. */
function endsString(line: string, { text, quote = '' }: Literal): boolean {
  const isOpen = quote !== '' && line.split(quote).length % 2 === 0;
  return isOpen && !/^[\p{L}\p{N}_]/u.test(text);
}

/** The header of a block of YAML, and the indent of its first line. */
const blockHeader = /[|>][+-]?\d?[+-]?[ \t]*(?:#[^\n]{0,200})?\r?\n([ \t]{1,80})/y;

/** Takes a block of YAML with one line: `>-`, and below it `dep_1`. */
function blockScalar(reader: TextReader): Literal | undefined {
  return reader.try(() => {
    const header = reader.take(blockHeader);
    if (!header) return undefined;
    const value = bareWord(reader, 'value');
    const isWholeLine = reader.sees(/[ \t]*(?:\r?\n|$)/y);
    const furtherLine = new RegExp(`[ \\t]*\\r?\\n${header[1]}[ \\t]{0,80}\\S`, 'y');
    return isWholeLine && !reader.sees(furtherLine) ? value : undefined;
  });
}

/** Takes a value of YAML that has the next line to itself, which is indented more than `line`. */
function nextLineWord(reader: TextReader, line: string): Literal | undefined {
  const indent = /^[\s-]*/.exec(line)![0];
  const isIndented = reader.lineBefore(maxLineChars).length > indent.length;
  if (!isIndented) return undefined;
  const value = bareWord(reader, 'value');
  const isAlone = reader.sees(/[ \t]*(?:#[^\n]{0,300})?(?:\r?\n|$)/y);
  return isAlone ? value : undefined;
}

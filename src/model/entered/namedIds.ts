import { decoded } from '../../api/entered/baseUrl.js';
import { backticksRunCommands, isCodeFile, isYamlFile } from './codeFiles.js';
import {
  bareWord,
  elementContent,
  isId,
  type Literal,
  plainScalar,
  quoted,
  TextReader,
  wholeNumber,
} from './literals.js';

const names = /deploymentId|deployment_id|DEPLOYMENT_ID|deployment-id/g;
const spellings = new Set(['deploymentId', 'deployment_id', 'DEPLOYMENT_ID', 'deployment-id']);

/**
 * What stands before a name that is a whole word: no letter, but those of `\n`, `%26`, and
 * `-Dname`.
 */
const wordStart =
  /(?:^|[^\p{L}\p{N}_-]|(?:^|[^\p{L}\p{N}_-])--?|(?:^|\s)-[DP]|\\[nrt]|%(?:3F|26))$/iu;
const wordEnd = /(?![\p{L}\p{N}_]|-(?!>))/uy;
const maxCharsBefore = 80;

/**
 * Finds the literals that a text gives `deploymentId` and its other spellings, as the value of a
 * key, variable, element, command-line flag, or query parameter. `line`: that of the ID, from 1.
 * No ID holds or borders on a token, which `redact` replaces.
 */
export function namedIds(text: string, file: string, redact: (text: string) => string) {
  const found: { readonly id: string; readonly line: number }[] = [];
  if (text.search(names) < 0) return found;
  const searched = redact(text);
  const isCode = isCodeFile(file, searched);
  const isYaml = isYamlFile(file);
  const hasCommands = backticksRunCommands(file);
  let line = 1;
  let counted = 0;
  let end = 0;
  for (const { 0: name, index } of searched.matchAll(names)) {
    // The value of the name before it can hold a name.
    if (index < end) continue;
    const before = searched.slice(Math.max(0, index - maxCharsBefore), index);
    const reader = new TextReader(searched, index + name.length);
    if (!wordStart.test(before) || !reader.sees(wordEnd)) continue;
    const value = valueOf({ name, before, reader, isCode, isYaml });
    const id = value?.text.trim() ?? '';
    if (!value || spellings.has(id) || !isId(id)) continue;
    if (hasCommands && value.quote?.endsWith('`')) continue;
    for (; counted < value.start; counted++) if (searched[counted] === '\n') line++;
    found.push({ id, line });
    end = reader.at;
  }
  return found;
}

interface Name {
  readonly name: string;
  readonly before: string;
  /** Stands behind the name. */
  readonly reader: TextReader;
  /** Of the file: a word without quotes is a variable. */
  readonly isCode: boolean;
  readonly isYaml: boolean;
}

interface Form {
  readonly before: RegExp;
  readonly value: (name: Name) => Literal | undefined;
}

/** What stands before a name tells its form; the first that matches counts. */
const forms: readonly Form[] = [
  // Known at run time only: `${DEPLOYMENT_ID:-dep_1}`, `{{ deploymentId }}`, and Vue's
  // `:deployment-id="variable"`.
  { before: /[$#]\{\s*$|\{\{[^}]*$|v-bind:$/, value: () => undefined },
  // A token: `Bearer deploymentId=…`
  { before: /(?<![\p{L}\p{N}])bearer[^\p{L}\p{N}\n]+[^\s"'`]*$/iu, value: () => undefined },
  // `?deploymentId=dep_1&…`
  { before: /(?:[?&]|&amp;|%(?:3F|26))$/i, value: parameter },
  // `<key>deploymentId</key><string>dep_1</string>`
  { before: /<(?:key|name)>\s*$/i, value: nextElement },
  // `<deploymentId>dep_1</deploymentId>`
  { before: /<(?:[\w.-]{1,60}:)?$/, value: element },
  // `--deployment-id dep_1`
  { before: /(?:^|[^\p{L}\p{N}_-])--?$/u, value: flag },
  // `ENV DEPLOYMENT_ID dep_1`, `#define DEPLOYMENT_ID "dep_1"`
  {
    before: /(?:^|\n)[ \t]*(?:ENV|[Ss]et[Ee]nv|setx|set -g?x|#[ \t]*define)[ \t]+$/,
    value: (name) => (name.reader.take(/[ \t]+/y) ? scalar(name.reader) : settingOf(name)),
  },
  // `docker run -e DEPLOYMENT_ID=dep_1`, `mvn -DdeploymentId=dep_1`, wherever the command stands.
  {
    before:
      /(?:^|[\s"'`(,])(?:export|ARG|set|env|%env|-e|--env|--build-arg|--set(?:-string)?|-var)[ =]["'`\\]*$|-[DP]$/,
    value: settingOf,
  },
  // `- name: DEPLOYMENT_ID`, and below it `value: dep_1`
  {
    before: /(?:^|[\s{,<(\\n"'])(?:name|key|variable|var)["'`\\]*(?:\s*[:=]\s*|\s+)\\*["'`]?$/i,
    value: named,
  },
  { before: /$/, value: assigned },
];

function valueOf(name: Name): Literal | undefined {
  return forms.find(({ before }) => before.test(name.before))?.value(name);
}

function scalar(reader: TextReader, isAlone = false): Literal | undefined {
  return quoted(reader) ?? bareWord(reader, isAlone);
}

function parameter({ reader }: Name): Literal | undefined {
  if (!reader.take(/=|%3D/iy)) return undefined;
  const match = reader.take(/(?:(?!<\/|%26|%23)[^\s&#?"'`()[\]\\;,|]){1,1100}/iy);
  // More of the URL is made at run time.
  if (!match || reader.sees(/["'`]\s*(?:\+|\.\s|%|<>)|\\?[([]/y)) return undefined;
  return { text: decoded(match[0].replace(/[.:!]+$/, '')), start: match.index };
}

function element({ name, reader }: Name): Literal | undefined {
  const isOpen = reader.take(/(?:\s[^<>]{0,300})?(?<!\/)>/y);
  return isOpen && elementContent(reader, new RegExp(`</(?:[\\w.-]{1,60}:)?${name}\\s*>`, 'y'));
}

function nextElement({ reader }: Name): Literal | undefined {
  const isOpen = reader.take(/\s*<\/(?:key|name)>\s*<(?:string|integer|value)>/iy);
  return isOpen && elementContent(reader, /<\//y);
}

function flag({ reader, before }: Name): Literal | undefined {
  if (reader.take(/=/y)) return scalar(reader, true);
  const isQuoted = /["'`]--?$/.test(before);
  if (isQuoted && reader.take(/["'`]\s*,\s*|["'`]\)\s*\.arg\(\s*/y)) {
    reader.take(/(?:\w{1,40}=[^,\n]{1,80},\s*){0,4}default\s*=\s*/y);
    const argument = quoted(reader) ?? wholeNumber(reader);
    // What has spaces describes the flag.
    return argument && /^-|\s/.test(argument.text) ? undefined : argument;
  }
  // An item of a YAML list, and the next one.
  if (reader.take(/["']?[ \t]*\r?\n[ \t]*-[ \t]+/y)) return scalar(reader);
  const isBehind = reader.take(/:[ \t]*|["']?[ \t]+(?:[\\^`]\r?\n[ \t]*)?/y);
  return isBehind && scalar(reader);
}

function settingOf(name: Name): Literal | undefined {
  const { reader } = name;
  return reader.try(() => (reader.take(/=/y) ? scalar(reader, true) : undefined)) ?? assigned(name);
}

/** The name is itself a value, of `name` or `key`. */
function named(name: Name): Literal | undefined {
  const { reader, before } = name;
  const value = reader.try(() => {
    // Elsewhere the name is a variable: `{ key: deploymentId, value: "Billing" }`.
    if (name.isCode && !/["'`]$/.test(before)) return undefined;
    if (/["'`]$/.test(before)) reader.take(/\\*["'`]/y);
    return reader.try(() => described(name)) ?? contentOf(reader);
  });
  return value ?? assigned(name);
}

/**
 * `<property name="deploymentId">dep_1</property>`, and `<data
 * name="deploymentId"><value>dep_1</value></data>`
 */
function contentOf(reader: TextReader): Literal | undefined {
  const isOpen = reader.take(
    /(?:\s(?:xml:space|type|translatable)="[^"<>]{0,80}")?\s*>\s*(?:<value>)?/y,
  );
  return isOpen && elementContent(reader, /<\//y);
}

/** What may be said of a name before its value, in its line or in lines of their own. */
const description =
  /(?:[\s,{]|\\[nrt])*(?:["'`\\]*(?:type|description|required|title|label|help|sensitive|nullable)["'`\\]*[ \t]*[:=](?:[^\n,]{0,200},|[^\n]{0,300}\n)\s*){0,6}["'`\\]*(?:value|default|content)["'`\\]*\s*[:=]\s*/iy;

function described({ reader, isCode }: Name): Literal | undefined {
  if (!reader.take(description)) return undefined;
  return quoted(reader) ?? wholeNumber(reader) ?? (isCode ? undefined : bareWord(reader));
}

/** `os.environ.setdefault("DEPLOYMENT_ID", "dep_1")` */
const call =
  /(?:get|set|put|add|append|define|fetch|of|entry|env|property|param|header)\w{0,20}\s*\(\s*\\*["'`]$/i;
const operators = {
  /** With a type: `: string =`, `: &'static str =`, and ` string =` in Go. */
  typed:
    /[?!]?[ \t]*:[ \t]*(?:&'\w{1,20}[ \t])?[\w&*[][\w.&<>[\]*]{0,80}(?:[ \t]?\|[ \t]?[\w.<>[\]]{1,40}){0,4}\??[ \t]*=(?![=>])|[ \t]+\*?string[ \t]*=(?!=)/y,
  /** Behind these, a word without quotes is always a name. */
  ofCode: /[?!]?\s*(?:[!=]==?(?!=)|\|\|=?|\?\?=?|=>|->)|\s+(?:to|or|eq|-eq)\s/y,
  ofData: /[?!]?\s*(?:::?=|\?=|=|:(?![:=]))(?![=~])/y,
};
/**
 * What a literal can be wrapped in: `{"dep_1"}`, `("dep_1")`, `String::from("dep_1")`; and a tag or
 * an anchor of YAML.
 */
const wrapper =
  /\*\*|\{\s*(?=["'`][^"'`\n]{1,1100}["'`]\s*\})|(?:new\s+)?(?:String(?:::from)?|str|Some|Optional\.of|(?:\w{1,40}\.)?DeploymentI[dD](?:(?:::|\.)\w{1,40})?)?\(\s*|!!?str[ \t]+|&[\w-]{1,60}[ \t]+/y;

function assigned(name: Name): Literal | undefined {
  const { reader, before, isCode } = name;
  const opening = /(\\*["'`]|&quot;)\$?$/.exec(before)?.[1];
  const line = reader.lineBefore(300);
  const whole =
    opening === undefined ? undefined : reader.try(() => settingInQuotes(reader, opening));
  if (whole) return whole;
  const closing = opening === undefined ? undefined : reader.take(/\\*["'`]|&quot;/y)?.[0];
  reader.take(/\*{1,2}/y);
  if (closing !== undefined) {
    if (call.test(before) && reader.take(/\s*,\s*/y))
      return quoted(reader, true, true) ?? wholeNumber(reader);
    reader.take(/\s?[\])]/y);
  }
  const isOfCode = takeTyped(name) ?? reader.take(operators.ofCode);
  const operator = isOfCode ? undefined : reader.take(operators.ofData)?.[0].trim();
  if (!isOfCode && operator === undefined) return undefined;
  return (
    reader.try(() => described(name)) ??
    literalBehind(name, line + (closing ?? ''), isCode ? undefined : operator)
  );
}

/** Elsewhere than in code, `deploymentId: team=42` has no type: there a string must follow. */
function takeTyped({ reader, isCode }: Name): RegExpExecArray | undefined {
  return reader.try(() => {
    const type = reader.take(operators.typed);
    return isCode || reader.sees(/\s*["'`]/y) ? type : undefined;
  });
}

/** `DEPLOYMENT_ID=dep_1` with its quotes around both. */
function settingInQuotes(reader: TextReader, quote: string): Literal | undefined {
  const word = reader.take(/=/y) && bareWord(reader, true);
  return reader.startsWith(quote) ? word : undefined;
}

/** `operator`: undefined where a word without quotes is no literal. */
function literalBehind(
  name: Name,
  line: string,
  operator: string | undefined,
): Literal | undefined {
  const { reader, isYaml } = name;
  const gap = takeGap(reader);
  const breaksLine = /(?<!\\)\r?\n/.test(gap);
  const wrapped = reader.take(wrapper)?.[0];
  const string = quoted(reader, operator === undefined, wrapped?.includes('('));
  if (string) {
    const isNextKey = breaksLine && reader.sees(/[ \t]*[:=]/y);
    return isNextKey || endsString(line, string) ? undefined : string;
  }
  if (operator === undefined) return wholeNumber(reader);
  if (!breaksLine) {
    const block = blockScalar(reader);
    if (block) return block;
    const isKeyOfBlock =
      isYaml &&
      operator === ':' &&
      /^[\s-]*["']?$/.test(line.slice(0, line.lastIndexOf(name.name)));
    return isKeyOfBlock ? plainScalar(reader) : bareWord(reader, operator === '=' && gap === '');
  }
  return operator === ':' ? nextLineWord(reader, line) : undefined;
}

/**
 * Takes white space, also as escapes and behind the `\` that continues a line, and at most three
 * comments.
 */
function takeGap(reader: TextReader): string {
  let gap = '';
  for (let comments = 0; comments <= 3; comments++) {
    gap += reader.take(/(?:\s+|\\(?:[nrt]|\r?\n))*/y)?.[0] ?? '';
    if (!reader.take(/\/\/[^\n]{0,300}(?=\n)|\/\*[^*]{0,300}\*\/|#[ \t][^\n]{0,300}(?=\n)/y)) break;
  }
  return gap;
}

/** In `"deploymentId: " + id + "."`, what looks like a string stands between two. */
function endsString(line: string, { text, quote = '' }: Literal): boolean {
  const isOpen = quote !== '' && line.split(quote).length % 2 === 0;
  return isOpen && !/^[\p{L}\p{N}_]/u.test(text);
}

/** A block of YAML with one line: `>-`, and below it `dep_1`. */
function blockScalar(reader: TextReader): Literal | undefined {
  return reader.try(() => {
    const header = reader.take(/[|>][+-]?\d?[+-]?[ \t]*(?:#[^\n]{0,200})?\r?\n([ \t]{1,80})/y);
    const word = header && bareWord(reader, true);
    const isWhole = reader.sees(/[ \t]*(?:\r?\n|$)/y);
    const hasMore = new RegExp(`[ \\t]*\\r?\\n${header?.[1]}[ \\t]{0,80}\\S`, 'y');
    return isWhole && !reader.sees(hasMore) ? word : undefined;
  });
}

/** A value of YAML that stands alone in the next line, which is indented more. */
function nextLineWord(reader: TextReader, line: string): Literal | undefined {
  const isIndented = reader.lineBefore(300).length > /^[\s-]*/.exec(line)![0].length;
  const word = isIndented ? bareWord(reader, true) : undefined;
  return reader.sees(/[ \t]*(?:#[^\n]{0,300})?(?:\r?\n|$)/y) ? word : undefined;
}

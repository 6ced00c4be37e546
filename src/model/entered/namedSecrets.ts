/** Ends a word of a secret's name: `DB_PASSWORD`, `clientSecret`, `authtoken`. */
const secretWord = new RegExp(
  `(?:${[
    'password|passwd|passphrase|passcode|passwort|kennwort|pwd',
    'secret|token|credential|cred|authorization|cookie',
    '(?:api|access|account|auth|client|private|secret|shared|signing|ssh|master)key',
  ].join('|')})s?$`,
);
/** Only as a whole word: `monkey` and `compass` end so, too. */
const wholeWord = /^(?:keys?|pass|auth)$/;
const secretCharacters = /密码|密碼|密钥|密鑰|口令|令牌|パスワード|暗証番号|トークン/;

/** Whether what has this name is probably secret: `apiKey`, `DB_PASSWORD`, `secret_key_base`. */
function namesSecret(name: string): boolean {
  if (secretCharacters.test(name)) return true;
  const inWords = name
    .replace(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, '_')
    .toLowerCase();
  return inWords.split(/[^\p{L}]+/u).some((word) => secretWord.test(word) || wholeWord.test(word));
}

const blanks = '[ \\t]{0,40}';
const nameCharacter = '[\\p{L}\\p{N}_.-]';

/** What stands between a name and its value. */
const separator = [
  // `token: …`, `"token": …`, `["token"] = …`, `\"token\":…`, `token => …`.
  `\\\\{0,4}["'\`]?\\]?${blanks}(?:=>|:=|==|[:=：＝])`,
  // `"name": "token", "value": …`, `key="token" value=…`, and two lines of YAML: `name: TOKEN`,
  // `value: …`.
  `["'\`]?${blanks}(?:,|\\s)\\s{0,40}["'\`]?value["'\`]?${blanks}[:=]`,
  // `<token>…`, `<string name="token">…`.
  `["']?>`,
  // `token("…")`.
  `\\((?=["'\`])`,
  // Two cells of a table.
  `${blanks}(?:\\t|\\|)`,
  // `password - …`, `password -> …`, `Password (prod): …`.
  `[ \\t]+(?:-|–|—)[ \\t]`,
  `${blanks}(?:->|\\([^()\\n]{1,40}\\)${blanks}[:=])`,
].join('|');

const named = new RegExp(
  `(?<!${nameCharacter})(?<name>${nameCharacter}+)(?<separator>${separator})`,
  'gu',
);

/**
 * With nothing but blanks behind the name: `--token …`, `password …` as in `.netrc`, `password is
 * …`.
 */
const spaced = new RegExp(
  `(?<!${nameCharacter})(?:--?(?<flag>${nameCharacter}+)|passw(?:or)?d|passphrase|passwort|kennwort)(?:[ \\t]+is:?)?[ \\t]+(?=[^\\s-])`,
  'giu',
);

/**
 * A name that has its line to itself, as forms and password managers are copied: the value is the
 * next line.
 */
const nameLine =
  /^[ \t]{0,40}(?:[\p{L}\p{N}_.]{1,40}[ \t]){0,3}(?<name>[\p{L}\p{N}_.]{1,80})[ \t]*:?[ \t]*\r?\n\s*(?=[^\s:=]+[ \t]*\r?(?:\n|$))/gmu;

/** `curl -u user:password`. */
const userFlag = /(?<!\S)(?:-u|--user|--proxy-user)[ \t=]{0,40}["']?[^\s:"']{1,200}:(?!\/\/)/g;

/**
 * Whatever stands between it and its token: `Bearer%20…`, `bearer_token=…`, the next line of a YAML
 * file.
 */
const bearer = /(?<![\p{L}\p{N}])bearer[^\p{L}\p{N}]+/giu;

/** Up to the end of the text if its own was not copied. */
const privateKey =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]{0,40}-----|$)/g;

const kubernetesSecret = /^[ \t]{0,40}["']?kind["']?:[ \t]*["']?Secret\b/m;
const kubernetesData = /(?<=^[ \t]{0,40})(?:data|stringData):(?=[ \t]*\r?$)/gm;

/**
 * What of a text belongs to a value: a word or what is in quotes; the rest of the line, and the
 * lines below that are indented more, as in YAML; the text of an element; all of a header, up to
 * its line's or quotation's end; or nothing more.
 */
type ValueKind = 'word' | 'line' | 'block' | 'element' | 'header' | 'none';

interface Form {
  readonly expression: RegExp;
  /** `undefined`: this is no secret. */
  readonly kindOf: (match: RegExpExecArray) => ValueKind | undefined;
}

const forms: readonly Form[] = [
  { expression: privateKey, kindOf: () => 'none' },
  { expression: bearer, kindOf: () => 'word' },
  { expression: userFlag, kindOf: () => 'word' },
  {
    expression: spaced,
    kindOf: ({ groups }) => (namesSecret(groups?.['flag'] ?? 'password') ? 'word' : undefined),
  },
  {
    expression: nameLine,
    kindOf: ({ groups }) => (namesSecret(groups?.['name'] ?? '') ? 'word' : undefined),
  },
  { expression: named, kindOf: kindOfNamed },
];
const kubernetesForm: Form = { expression: kubernetesData, kindOf: () => 'block' };

/**
 * Replaces what follows `Bearer` or a name like password, secret, token, or key, and private keys.
 * The name goes, too, and each replacement stands alone between spaces.
 */
export function withoutNamedSecrets(text: string, replacement: string): string {
  let result = '';
  let from = 0;
  for (const { start, end } of secretsIn(text).toSorted((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    result += start < from ? '' : `${text.slice(from, start)} ${replacement} `;
    from = end;
  }
  return result + text.slice(from);
}

function secretsIn(text: string): { readonly start: number; readonly end: number }[] {
  const wanted = kubernetesSecret.test(text) ? [...forms, kubernetesForm] : forms;
  return wanted.flatMap(({ expression, kindOf }) => {
    const found: { readonly start: number; readonly end: number }[] = [];
    for (const match of text.matchAll(expression)) {
      const start = match.index;
      const from = start + match[0].length;
      // What begins inside of a value is not read again, so that the time grows with the text
      // alone.
      if (from < (found.at(-1)?.end ?? 0)) continue;
      const kind = kindOf(match);
      const end = kind === undefined ? from : endOfValue(text, start, from, kind);
      if (kind === 'none' || /[\p{L}\p{N}]/u.test(text.slice(from, end)))
        found.push({ start, end });
    }
    return found;
  });
}

function kindOfNamed({ groups, index, input }: RegExpExecArray): ValueKind | undefined {
  const { name = '', separator: between = '' } = groups ?? {};
  if (!namesSecret(name)) return undefined;
  if (/(?:authorization|cookie)$/i.test(name)) return 'header';
  const before = input.slice(Math.max(0, index - 60), index);
  if (/(?<![=-])>$/.test(between)) return /<$|<.*=["']$/.test(before) ? 'element' : undefined;
  const isFirst = /(?:^|\n)[ \t"'`*>•-]*$/.test(before) || /\n/.test(between);
  // In `TOKEN=… command` the value is one word, in `token = …` and `token: …` it goes on.
  return isFirst && /^["']?[ \t]*:|^[ \t]+=|:$/.test(between) ? 'line' : 'word';
}

/**
 * A quotation, with what stands in front of it in some languages: `b"…"`, `$"…"`; inside another
 * one with backslashes.
 */
const quotation =
  /[bfru@$]{0,2}(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\\{1,4}["'`][^"'`\n]*["'`])/y;
/** Not `Basic` and the like, but what follows. */
const word = /(?:(?:basic|token|digest|apikey|bot)[ \t]+)?[^\s"'`]+/iy;
const emptyLine = /[ \t]*\r?(?:\n|$)/y;
/** Nothing else stands there, and it is no name with a value of its own. */
const wordOnNextLine = /[ \t]*\r?\n[ \t]*[^\s"'`:=]+=*(?=[ \t]*\r?(?:\n|$))/y;
const quotationOnNextLine = /[ \t]*\r?\n[ \t]*(?=["'`])/y;
const blanksOnly = /[ \t]*/y;
const restOfLine = /[^\n]*/y;
const restOfHeader = /[^\n"'`]*/y;
const restOfElement = /[^<]{0,4000}(?=<\/)/y;
const equalSign = /[ \t]*=[ \t]*/y;

/** `start`: of the name; `from`: behind the separator. */
function endOfValue(text: string, start: number, from: number, kind: ValueKind): number {
  switch (kind) {
    case 'none':
      return from;
    case 'element':
      return endOf(restOfElement, text, from) ?? from;
    case 'header': {
      const first = endOf(blanksOnly, text, from) ?? from;
      return endOf(quotation, text, first) ?? endOf(restOfHeader, text, first) ?? first;
    }
    case 'block':
      return endOfBlock(text, start, from);
    case 'line':
    case 'word':
      return endOfWord(text, start, from, kind);
  }
}

function endOfWord(text: string, start: number, from: number, kind: 'line' | 'word'): number {
  const first = endOf(quotationOnNextLine, text, from) ?? endOf(blanksOnly, text, from) ?? from;
  const quoted = endOf(quotation, text, first);
  if (quoted !== undefined) return quoted;
  if (endOf(emptyLine, text, first) !== undefined)
    return endOf(wordOnNextLine, text, first) ?? first;
  // A quotation that is not closed goes on, at least to the end of its line.
  const isOpen = /["'`]/.test(text.charAt(first));
  const end = endOf(kind === 'line' || isOpen ? restOfLine : word, text, first) ?? first;
  const isBlock =
    kind === 'line' && /[|>][+-]?\d?[ \t\r]*$/.test(text.slice(Math.max(first, end - 60), end));
  if (isBlock) return endOfBlock(text, start, end);
  // That was the type in `token: string = "…"`.
  const value = endOf(equalSign, text, end);
  return value === undefined
    ? end
    : (endOf(quotation, text, value) ?? endOf(word, text, value) ?? end);
}

/** Returns where the lines end that are indented more than the one of the name. */
function endOfBlock(text: string, start: number, from: number): number {
  const indent = start - (text.lastIndexOf('\n', start) + 1);
  let end = endOf(restOfLine, text, from) ?? from;
  while (end < text.length) {
    const line = endOf(restOfLine, text, end + 1) ?? end + 1;
    const content = text.slice(end + 1, line);
    if (content.trim() !== '' && content.search(/\S/) <= indent) break;
    end = line;
  }
  return end;
}

function endOf(expression: RegExp, text: string, from: number): number | undefined {
  expression.lastIndex = from;
  return expression.test(text) ? expression.lastIndex : undefined;
}

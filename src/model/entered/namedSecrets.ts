import { alternatives } from './literals.js';

/** Ends a word of a secret's name: `DB_PASSWORD`, `clientSecret`, `authtoken`. */
const secretWord = new RegExp(
  `(?:${[
    'password|passwd|passphrase|passcode|passwort|kennwort|pwd',
    'secret|token|credential|cred|authorization|cookie',
    '(?:api|access|account|auth|client|private|secret|shared|signing|ssh|master)key',
  ].join('|')})s?$`,
);
/**
 * Name a secret only as a whole word, because words such as `monkey` and `compass` end in the same
 * letters.
 */
const wholeWord = /^(?:keys?|pass|auth)$/;
const secretCharacters = /密码|密碼|密钥|密鑰|口令|令牌|パスワード|暗証番号|トークン/;

/** Between two words of a name in camel case: `api|Key`, `AWS|Secret`. */
const camelCaseBorder = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

/** Whether what has this name is probably secret: `apiKey`, `DB_PASSWORD`, `secret_key_base`. */
function namesSecret(name: string): boolean {
  if (secretCharacters.test(name)) return true;
  const separated = name.replace(camelCaseBorder, '_').toLowerCase();
  const words = separated.split(/[^\p{L}]+/u);
  return words.some((word) => secretWord.test(word) || wholeWord.test(word));
}

const nameCharacter = String.raw`[\p{L}\p{N}_.-]`;
/** A name begins with its first character. */
const beforeName = `(?<!${nameCharacter})`;

/** The text between a name and its value. */
const separator = alternatives([
  // `token: …`, `"token": …`, `["token"] = …`, `\"token\":…`, `token => …`.
  /\\{0,4}["'`]?\]?[ \t]{0,40}(?:=>|:=|==|[:=：＝])/u,
  // `"name": "token", "value": …`, `key="token" value=…`, and two lines of YAML: `name: TOKEN`,
  // `value: …`.
  /["'`]?[ \t]{0,40}(?:,|\s)\s{0,40}["'`]?value["'`]?[ \t]{0,40}[:=]/u,
  // `<token>…`, `<string name="token">…`.
  /["']?>/u,
  // `token("…")`.
  /\((?=["'`])/u,
  // Two cells of a table.
  /[ \t]{0,40}(?:\t|\|)/u,
  // `password - …`
  /[ \t]+(?:-|–|—)[ \t]/u,
  // `password -> …`, `Password (prod): …`
  /[ \t]{0,40}(?:->|\([^()\n]{1,40}\)[ \t]{0,40}[:=])/u,
]);

/** A name, a separator, and after them the value. */
const namedValue = new RegExp(
  `${beforeName}(?<name>${nameCharacter}+)(?<separator>${separator})`,
  'gu',
);

const passwordNames = 'passw(?:or)?d|passphrase|passwort|kennwort';
/** A name with only blanks after it: `--token …`, `password …` as in `.netrc`, `password is …`. */
const spacedValue = new RegExp(
  `${beforeName}(?:--?(?<flag>${nameCharacter}+)|${passwordNames})` +
    String.raw`(?:[ \t]+is:?)?[ \t]+(?=[^\s-])`,
  'giu',
);

/** At most three words before the last one: "New account password:". */
const wordsOfName = String.raw`(?:[\p{L}\p{N}_.]{1,40}[ \t]){0,3}(?<name>[\p{L}\p{N}_.]{1,80})`;
/** A word that has a line to itself, and is no name with a value of its own. */
const lineOfValue = String.raw`\s*(?=[^\s:=]+[ \t]*\r?(?:\n|$))`;
/**
 * A name that has its line to itself, as forms and password managers are copied: the value is the
 * next line.
 */
const valueOnNextLine = new RegExp(
  String.raw`^[ \t]{0,40}${wordsOfName}[ \t]*(?::[ \t]*)?\r?\n${lineOfValue}`,
  'gmu',
);

/** `curl -u user:password`, up to the password. */
const userFlag = /(?<!\S)(?:-u|--user|--proxy-user)[ \t=]{0,40}["']?[^\s:"']{1,200}:(?!\/\/)/g;

/**
 * `Bearer …`, `Bearer%20…`, `bearer_token=…`, and `bearer:` with the token in the next line of a
 * YAML file.
 */
const bearer = /(?<![\p{L}\p{N}])bearer[^\p{L}\p{N}]+/giu;

/** A whole private key, up to the end of the text if its last line was not copied. */
const privateKey =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]{0,40}-----|$)/g;

/** The line of a Kubernetes manifest that shows that all its data is secret. */
const kubernetesSecret = /^[ \t]{0,40}["']?kind["']?:[ \t]*["']?Secret\b/m;
const kubernetesData = /(?<=^[ \t]{0,40})(?:data|stringData):(?=[ \t]*\r?$)/gm;

/**
 * How far a value goes. `word`: a word, or what is in quotes. `line`: the line, or what is in
 * quotes, and after `|` or `>` of YAML the lines below that are indented more. `block`: only such
 * lines. `element`: the text of an element. `header`: up to the end of the line or of the
 * quotation. `none`: the match holds the whole secret.
 */
type ValueKind = 'word' | 'line' | 'block' | 'element' | 'header' | 'none';

/** A way to write a secret in a text. */
interface Form {
  /** Matches the text before the secret. */
  readonly expression: RegExp;
  /** Returns `undefined` if no secret follows. */
  readonly kindOf: (match: RegExpExecArray) => ValueKind | undefined;
}

const forms: readonly Form[] = [
  { expression: privateKey, kindOf: () => 'none' },
  { expression: bearer, kindOf: () => 'word' },
  { expression: userFlag, kindOf: () => 'word' },
  // The expression finds any flag, but of other names only those of passwords.
  { expression: spacedValue, kindOf: (match) => kindOfNamed(match.groups?.['flag'] ?? 'password') },
  { expression: valueOnNextLine, kindOf: (match) => kindOfNamed(match.groups?.['name'] ?? '') },
  { expression: namedValue, kindOf: kindOfNamedValue },
];
const kubernetesForm: Form = { expression: kubernetesData, kindOf: () => 'block' };

/**
 * Replaces what follows `Bearer`, `-u user:`, or a name like password, secret, token, or key, the
 * data of a Kubernetes Secret, and private keys. The name is replaced, too, and each replacement is
 * surrounded by spaces.
 */
export function withoutNamedSecrets(text: string, replacement: string): string {
  const inOrder = secretsIn(text).toSorted((a, b) => a.start - b.start);
  let result = '';
  /** The end of the last secret. */
  let from = 0;
  for (const { start, end } of inOrder) {
    if (end <= from) continue;
    // A secret that begins inside of the last one is replaced with it.
    if (start >= from) result += `${text.slice(from, start)} ${replacement} `;
    from = end;
  }
  return result + text.slice(from);
}

/** A part of a text, from the beginning of a name to the end of its value. */
interface NamedSecret {
  readonly start: number;
  readonly end: number;
}

function secretsIn(text: string): readonly NamedSecret[] {
  const usedForms = kubernetesSecret.test(text) ? [...forms, kubernetesForm] : forms;
  return usedForms.flatMap((form) => secretsOfForm(text, form));
}

function secretsOfForm(text: string, { expression, kindOf }: Form): readonly NamedSecret[] {
  const found: NamedSecret[] = [];
  let endOfLast = 0;
  for (const match of text.matchAll(expression)) {
    const start = match.index;
    const startOfValue = start + match[0].length;
    // What begins inside of a value is not read again, so that the time grows with the text alone.
    if (startOfValue < endOfLast) continue;
    const kind = kindOf(match);
    if (kind === undefined) continue;
    const end = endOfValue(text, { start, startOfValue, kind });
    const hasValue = /[\p{L}\p{N}]/u.test(text.slice(startOfValue, end));
    if (kind !== 'none' && !hasValue) continue;
    found.push({ start, end });
    endOfLast = end;
  }
  return found;
}

function kindOfNamed(name: string): ValueKind | undefined {
  return namesSecret(name) ? 'word' : undefined;
}

const maxCharsBefore = 60;
/** `>` of an element, not of `->` or `=>`. */
const endsInTag = /(?<![=-])>$/;
/** `<` before the name of an element, or `<string name="` before an attribute. */
const insideTag = /<$|<.*=["']$/;
/** Before the first name of a line, also of one in a list: `  - "`. */
const beginsLine = /(?:^|\n)[ \t"'`*>•-]*$/;
/** `: `, `": `, ` = `. In `TOKEN=… command` the value is one word; after these it goes on. */
const separatorOfLine = /^["']?[ \t]*:|^[ \t]+=|:$/;

function kindOfNamedValue({ groups, index, input }: RegExpExecArray): ValueKind | undefined {
  const name = groups?.['name'] ?? '';
  const separatorText = groups?.['separator'] ?? '';
  if (!namesSecret(name)) return undefined;
  if (/(?:authorization|cookie)$/i.test(name)) return 'header';
  const before = input.slice(Math.max(0, index - maxCharsBefore), index);
  if (endsInTag.test(separatorText)) return insideTag.test(before) ? 'element' : undefined;
  const isFirst = beginsLine.test(before) || separatorText.includes('\n');
  return isFirst && separatorOfLine.test(separatorText) ? 'line' : 'word';
}

/**
 * A quotation, with what some languages have before a string: `b"…"`, `$"…"`. In another one it has
 * backslashes.
 */
const quotation = new RegExp(
  `[bfru@$]{0,2}(?:${alternatives([
    /"(?:[^"\\\n]|\\.)*"/,
    /'(?:[^'\\\n]|\\.)*'/,
    /`(?:[^`\\]|\\.)*`/,
    /\\{1,4}["'`][^"'`\n]*["'`]/,
  ])})`,
  'y',
);
/** A word, and before it the name of a scheme such as `Basic`. */
const valueWord = /(?:(?:basic|token|digest|apikey|bot)[ \t]+)?[^\s"'`]+/iy;
const emptyLine = /[ \t]*\r?(?:\n|$)/y;
/** A word that has the next line to itself, and is no name with a value of its own. */
const wordOnNextLine = /[ \t]*\r?\n[ \t]*[^\s"'`:=]+=*(?=[ \t]*\r?(?:\n|$))/y;
const quotationOnNextLine = /[ \t]*\r?\n[ \t]*(?=["'`])/y;
const blanks = /[ \t]*/y;
const remainingLine = /[^\n]*/y;
const remainingHeader = /[^\n"'`]*/y;
const remainingElement = /[^<]{0,4000}(?=<\/)/y;
const equalSign = /[ \t]*=[ \t]*/y;
/** The `|` or `>-` of YAML at the end of a line: the value is below it. */
const endsInBlockHeader = /[|>][+-]?\d?[ \t\r]*$/;
const maxBlockHeaderChars = 60;

interface ValueStart {
  /** The index at which the name begins. */
  readonly start: number;
  /** The index after the separator. */
  readonly startOfValue: number;
  readonly kind: ValueKind;
}

/** Returns the index after the value; without one, an index up to which there is no word. */
function endOfValue(text: string, { start, startOfValue, kind }: ValueStart): number {
  switch (kind) {
    case 'none':
      return startOfValue;
    case 'element':
      return endOf(remainingElement, text, startOfValue) ?? startOfValue;
    case 'header': {
      const first = endOf(blanks, text, startOfValue) ?? startOfValue;
      return endOf(quotation, text, first) ?? endOf(remainingHeader, text, first) ?? first;
    }
    case 'block':
      return endOfBlock(text, start, startOfValue);
    case 'line':
      return endOfLineOrWord(text, { start, startOfValue, isLine: true });
    case 'word':
      return endOfLineOrWord(text, { start, startOfValue, isLine: false });
  }
}

function endOfLineOrWord(
  text: string,
  { start, startOfValue, isLine }: Omit<ValueStart, 'kind'> & { readonly isLine: boolean },
): number {
  const first =
    endOf(quotationOnNextLine, text, startOfValue) ??
    endOf(blanks, text, startOfValue) ??
    startOfValue;
  const endOfQuotation = endOf(quotation, text, first);
  if (endOfQuotation !== undefined) return endOfQuotation;
  if (endOf(emptyLine, text, first) !== undefined)
    return endOf(wordOnNextLine, text, first) ?? first;

  // A quotation that is not closed goes on, at least to the end of its line.
  const isOpenQuotation = /["'`]/.test(text.charAt(first));
  const value = isLine || isOpenQuotation ? remainingLine : valueWord;
  const end = endOf(value, text, first) ?? first;
  const endOfLine = text.slice(Math.max(first, end - maxBlockHeaderChars), end);
  if (isLine && endsInBlockHeader.test(endOfLine)) return endOfBlock(text, start, end);

  // In `token: string = "…"`, a type was taken for the value.
  const assigned = endOf(equalSign, text, end);
  if (assigned === undefined) return end;
  return endOf(quotation, text, assigned) ?? endOf(valueWord, text, assigned) ?? end;
}

/**
 * Returns the end of the lines below `from` that are indented more than the name, which begins at
 * `start`.
 */
function endOfBlock(text: string, start: number, from: number): number {
  const startOfLine = text.lastIndexOf('\n', start) + 1;
  const indent = start - startOfLine;
  let end = endOf(remainingLine, text, from) ?? from;
  while (end < text.length) {
    const endOfNext = endOf(remainingLine, text, end + 1) ?? end + 1;
    const next = text.slice(end + 1, endOfNext);
    const isEmpty = next.trim() === '';
    if (!isEmpty && next.search(/\S/) <= indent) break;
    end = endOfNext;
  }
  return end;
}

/**
 * Returns the index after what a sticky expression matches at `from`; `undefined` if it matches
 * nothing.
 */
function endOf(expression: RegExp, text: string, from: number): number | undefined {
  expression.lastIndex = from;
  return expression.test(text) ? expression.lastIndex : undefined;
}

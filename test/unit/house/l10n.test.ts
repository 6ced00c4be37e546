import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const languages = ['de', 'ja', 'zh-cn'];

/** Translations that may read as the English does, and why. */
const sameAsEnglish = [
  { why: 'the name of the product', in: ['de', 'ja', 'zh-cn'], texts: ['Automation Platform'] },
  { why: 'only placeholders and punctuation', in: ['de', 'ja', 'zh-cn'], texts: ['{name} ({service})'] },
  { why: 'a method of HTTP', in: ['de', 'ja', 'zh-cn'], texts: ['GET {path}'] },
  {
    why: 'only placeholders and punctuation, which is wider in Chinese',
    in: ['de', 'ja'],
    texts: ['{deployment}: {text}', '{product}: {text}', '{requirement}: {what}', '{state}: {findings}'],
  },
  {
    why: 'only placeholders and a mark that differs in Japanese and Chinese',
    in: ['de'],
    texts: ['{host}: {cause}.', '{name} ({status}).', '{name}.', '{reason}.', '{requirement}: {state}.', '{state}.'],
  },
  {
    why: 'the same word in German',
    in: ['de'],
    texts: ['Deployment', 'Deployments', 'Optional', 'Route: {route}', 'minimal'],
  },
  { why: 'the symbol of the unit', in: ['de'], texts: ['{time} ms'] },
];

/** How a line ends, by how it ends in English. */
const endings: Record<string, Record<string, string>> = {
  de: { '.': '.', '?': '?', ':': ':', '…': '…' },
  ja: { '.': '。', '?': '?', ':': ':', '…': '…' },
  'zh-cn': { '.': '。', '?': '？', ':': '：', '…': '…' },
};

/** Quotation marks and punctuation that belong to another language, and spaces where none are. */
const foreign: Record<string, RegExp> = {
  de: /["”「」]| {2}|^ | $/m,
  ja: /["“”„]| {2}|^ | $|[.,;!](?= |$)/m,
  'zh-cn': /["„「」]| {2}|^ | $|[.,;!?](?= |$)/m,
};

type Texts = Readonly<Record<string, string>>;

interface Catalogue {
  readonly file: string;
  readonly language: string;
  readonly english: Texts;
  readonly translated: Texts;
}

const literal = String.raw`('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\x60[^\x60$\\]*\x60)`;
const call = String.raw`\b(?:vscode\.)?l10n\.t\(\s*${literal}`;
const vscodeImport = /^import (?:\* as vscode|(?:type )?\{(?![^}]*\bl10n as)[^}]*\}) from 'vscode';$/gm;
const sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .toSorted()
    .map((file) => [join('src', file), readFileSync(join('src', file), 'utf8')]),
);

function readTexts(file: string): Texts {
  const texts: Texts = JSON.parse(readFileSync(file, 'utf8'));
  return texts;
}

function catalogue(file: string, language: string, english: Texts): Catalogue {
  return { file, language, english, translated: readTexts(file) };
}

/** Every text of the source, as the tool that translators use extracts it. */
async function extracted(): Promise<Texts> {
  const { getL10nJson } = await import('@vscode/l10n-dev');
  // All in one, with one import: the tool takes a quarter of a second for each import of vscode, however little it finds.
  const bodies = [...sources.values()].map((text) => text.replace(vscodeImport, ''));
  const found = await getL10nJson([
    { extension: '.ts', contents: `import * as vscode from 'vscode';\n${bodies.join('\n')}` },
  ]);
  return Object.fromEntries(
    Object.entries(found).map(([key, value]) => [key, typeof value === 'string' ? value : value.message]),
  );
}

/** What a translation has to keep as it is: placeholders, icons, links, code and line breaks. */
const marks = (text: string) => (text.match(/\{\w+\}|\$\([\w~-]+\)|\]\([^)]*\)|`[^`]*`|\n/g) ?? []).toSorted();

const unquoted = (quoted: string) => quoted.slice(1, -1).replace(/\\(.)/g, '$1');
const lines = (text: string) => text.split('\n');
const ending = (line: string) => /[.?:…。？：！]$/.exec(line)?.[0];

describe('the languages', () => {
  let catalogues: readonly Catalogue[];

  before(async function () {
    // Half a second of work; on a machine that is busy with two workbenches it waits for its turn.
    this.timeout(60_000);
    const base = { bundle: await extracted(), nls: readTexts('package.nls.json') };
    catalogues = languages.flatMap((language) => [
      catalogue(`l10n/bundle.l10n.${language}.json`, language, base.bundle),
      catalogue(`package.nls.${language}.json`, language, base.nls),
    ]);
  });

  /** Fails with every fault, by file and language. */
  function none(what: string, faults: (catalogue: Catalogue) => readonly string[]): void {
    const found = catalogues.flatMap((one) => {
      const list = faults(one);
      return list.length > 0 ? [`${one.file}: ${what}\n${list.map((fault) => `  ${fault}`).join('\n')}`] : [];
    });
    if (found.length > 0) assert.fail(`\n${found.join('\n')}`);
  }

  /** For each text that both have. */
  const pairs = ({ english, translated }: Catalogue) =>
    Object.entries(english).flatMap(([key, text]) => {
      const translation = translated[key];
      return translation === undefined ? [] : [{ key, text, translation }];
    });

  it('are those that there are files for', () => {
    const files = [...readdirSync('l10n').map((file) => join('l10n', file)), ...readdirSync('.')];
    assert.deepEqual(
      files.filter((file) => /^(l10n.|package\.nls\.)/.test(file) && file !== 'package.nls.json').toSorted(),
      catalogues.map(({ file }) => join(file)).toSorted(),
    );
  });

  it('see every text of the source', () => {
    const unseen = [...sources].flatMap(([file, text]) => {
      const rest = text
        .replace(vscodeImport, '')
        .replace(new RegExp(String.raw`${call}\s*[,)]`, 'g'), '')
        .replace(/\bl10n\.bundle\b/g, '');
      return /\bl10n\b/.test(rest) ? [file] : [];
    });
    assert.deepEqual(
      unseen,
      [],
      "only l10n.t('…') and vscode.l10n.t('…') with a literal are extracted: no alias, no variable",
    );
  });

  it('have every text', () =>
    none('missing, add and translate', ({ english, translated }) =>
      Object.keys(english)
        .filter((key) => translated[key] === undefined)
        .map((key) => `${JSON.stringify(key)}: ${JSON.stringify(english[key])},`),
    ));

  it('have no text that nothing uses', () =>
    none('unused, remove', ({ english, translated }) =>
      Object.keys(translated).filter((key) => english[key] === undefined),
    ));

  it('keep placeholders, icons, links, code and line breaks', () =>
    none('other marks than in English', (one) =>
      pairs(one)
        .filter(({ text, translation }) => marks(text).join(' ') !== marks(translation).join(' '))
        .map(({ text, translation }) => `${text} → ${translation}`),
    ));

  it('end a line as the language does', () =>
    none('another end than in English', (one) =>
      pairs(one)
        .filter(({ text, translation }) => {
          const wanted = lines(text).map((line) => endings[one.language]![ending(line) ?? '']);
          return wanted.join(' ') !== lines(translation).map(ending).join(' ');
        })
        .map(({ text, translation }) => `${text} → ${translation}`),
    ));

  it('have the punctuation of the language', () =>
    none('punctuation of another language', ({ language, translated }) =>
      Object.values(translated).filter((text) => foreign[language]!.test(text.replace(/\]\([^)]*\)|`[^`]*`/g, '…'))),
    ));

  it('are no leftover English', () => {
    for (const language of languages) {
      const same = catalogues
        .filter((one) => one.language === language)
        .flatMap(pairs)
        .filter(({ text, translation }) => text === translation)
        .map(({ text }) => text);
      const listed = sameAsEnglish.filter((entry) => entry.in.includes(language)).flatMap(({ texts }) => texts);
      assert.deepEqual([...new Set(same)].toSorted(), listed.toSorted(), `${language}: same as English`);
    }
  });

  it('have both forms of every plural, in Japanese and Chinese the same', () => {
    const text = [...sources.values()].join('\n');
    const calls = text.match(/(?<!function )\bplural\(/g) ?? [];
    const forms = [...text.matchAll(new RegExp(String.raw`\bplural\(\s*[\w.]+,\s*${call}[^]*?\),\s*${call}`, 'g'))];
    assert.equal(forms.length, calls.length, 'every plural has two literal forms');
    none('plural forms', ({ file, language, translated }) =>
      file.startsWith('package')
        ? []
        : forms
            .map(([, one, other]) => [unquoted(one!), unquoted(other!)] as const)
            .filter(([one, other]) => (translated[one] === translated[other]) !== (language !== 'de'))
            .map(([one, other]) => `${one} | ${other} → ${translated[one]} | ${translated[other]}`),
    );
  });
});

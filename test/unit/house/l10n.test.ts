import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Translations that may read as the English does: names, units, and what is only placeholders and punctuation. */
const everywhere = ['Automation Platform', '{name} ({service})', 'GET {path}'];
/** Punctuation that is wider in Chinese. */
const narrow = ['{deployment}: {text}', '{product}: {text}', '{state}: {findings}'];
/** A mark that differs in Japanese and Chinese. */
const marked = [
  '{host}: {cause}.',
  '{name} ({status}).',
  '{name}.',
  '{problem} in {deployment}.',
  '{reason}.',
  '{state}.',
];
const german = ['Offline', 'Deployments', 'Route: {route}', 'minimal', 'Proxy', '{time} ms'];
const sameAsEnglish: Record<string, readonly string[]> = {
  de: [...everywhere, ...narrow, ...marked, ...german],
  ja: [...everywhere, ...narrow],
  'zh-cn': [...everywhere, '“{character}” ({code})', '“{message}”', '“{name}”'],
};

/** How a line ends, by how it ends in English. */
const endings: Record<string, Record<string, string>> = {
  de: { '.': '.', '?': '?', ':': ':', '…': '…', '...': '...' },
  ja: { '.': '。', '?': '?', ':': ':', '…': '…', '...': '...' },
  'zh-cn': { '.': '。', '?': '？', ':': '：', '…': '…', '...': '...' },
};

/** Quotation marks and punctuation that belong to another language, and spaces where none are. */
const foreign: Record<string, RegExp> = {
  de: /["”「」]| {2}|^ | $/m,
  ja: /["“”„]| {2}|^ | $|[.,;!](?= |$)/m,
  'zh-cn': /["„「」]| {2}|^ | $|[.,;!?](?= |$)/m,
};

/** What an account connects to, such as Slack; the API's side is the platform. */
const service: Record<string, RegExp> = { de: /Dienst/, ja: /サービス/, 'zh-cn': /服务(?!器)/ };

type Texts = Readonly<Record<string, string>>;

const literal = String.raw`('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\x60[^\x60$\\]*\x60)`;
const call = String.raw`\b(?:vscode\.)?l10n\.t\(\s*(?:\{\s*message:\s*)?${literal}`;
const vscodeImport = /^import (?:\* as vscode|(?:type )?\{(?![^}]*\bl10n as)[^}]*\}) from 'vscode';$/gm;
const sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    // The check's stand-in for `vscode` has no sentences.
    .filter((file) => file.endsWith('.ts') && file !== join('check', 'vscode.ts'))
    .toSorted()
    .map((file) => [join('src', file), readFileSync(join('src', file), 'utf8')]),
);

function readTexts(file: string): Texts {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function catalogue(file: string, language: string, english: Texts) {
  const translated = readTexts(file);
  const pairs = Object.entries(english).map(([key, text]) => ({ text, translation: translated[key] ?? '' }));
  return { file, language, english, translated, pairs };
}

/** Every text of the source, as the tool that translators use extracts it. */
async function extracted(): Promise<Texts> {
  const { getL10nJson } = await import('@vscode/l10n-dev');
  // All in one, with one import: the tool takes a quarter of a second for each import of vscode, however little it finds.
  const bodies = [...sources.values()].map((text) => text.replace(vscodeImport, ''));
  const contents = `import * as vscode from 'vscode';\n${bodies.join('\n')}`;
  const found = Object.entries(await getL10nJson([{ extension: '.ts', contents }]));
  return Object.fromEntries(found.map(([key, value]) => [key, typeof value === 'string' ? value : value.message]));
}

/** What a translation has to keep as it is: placeholders, icons, links, code and line breaks. */
const marks = (text: string) =>
  (text.match(/\{\w+\}|\$\([\w~-]+\)|\]\([^)]*\)|`[^`]*`|\n/g) ?? []).toSorted().join(' ');

const unquoted = (quoted: string) => quoted.slice(1, -1).replace(/\\(.)/g, '$1');
const lines = (text: string) => text.split('\n');
const ending = (line: string) => /(?:\.\.\.|[.?:…。？：！])$/.exec(line)?.[0];

describe('the languages', () => {
  let catalogues: readonly ReturnType<typeof catalogue>[];

  before(async function () {
    // Half a second of work; on a machine that is busy with two workbenches it waits for its turn.
    this.timeout(60_000);
    const base = { bundle: await extracted(), nls: readTexts('package.nls.json') };
    catalogues = Object.keys(sameAsEnglish).flatMap((language) => [
      catalogue(`l10n/bundle.l10n.${language}.json`, language, base.bundle),
      catalogue(`package.nls.${language}.json`, language, base.nls),
    ]);
  });

  /** Fails with every translation that does not fit its text. */
  function fits(what: string, isRight: (text: string, translation: string, language: string) => boolean): void {
    const wrong = catalogues.flatMap(({ file, language, pairs }) =>
      pairs.flatMap(({ text, translation }) =>
        isRight(text, translation, language) ? [] : `${file}: ${text} → ${translation}`,
      ),
    );
    assert.deepEqual(wrong, [], what);
  }

  it('are those that there are files for', () => {
    const all = [...readdirSync('l10n').map((name) => `l10n/${name}`), ...readdirSync('.')];
    const files = all.filter((name) => /^(l10n\/.+|package\.nls\..+)\.json$/.test(name));
    assert.deepEqual(files.toSorted(), catalogues.map(({ file }) => file).toSorted());
  });

  it('see every text of the source', () => {
    const unseen = [...sources].flatMap(([file, text]) => {
      const rest = text
        .replace(vscodeImport, '')
        .replace(new RegExp(String.raw`${call}\s*[,)]`, 'g'), '')
        .replace(/\bl10n\.uri\b/g, '');
      return /\bl10n\b/.test(rest) ? [file] : [];
    });
    assert.deepEqual(unseen, [], "only l10n.t('…') or l10n.t({ message: '…' }) with a literal: no alias, no variable");
  });

  it('have every text, and none that nothing uses', () => {
    const wrong = catalogues.flatMap(({ file, english, translated }) => [
      ...Object.keys(english).flatMap((key) => (key in translated ? [] : `${file} lacks ${JSON.stringify(key)}: "",`)),
      ...Object.keys(translated).flatMap((key) =>
        key in english ? [] : `${file} has for nothing ${JSON.stringify(key)}`,
      ),
    ]);
    assert.deepEqual(wrong, []);
  });

  it('keep placeholders, icons, links, code and line breaks', () =>
    fits('other marks than in English', (text, translation) => marks(text) === marks(translation)));

  it('end a line as the language does', () =>
    fits('another end than in English', (text, translation, language) => {
      const wanted = lines(text).map((line) => endings[language]![ending(line) ?? '']);
      return wanted.join(' ') === lines(translation).map(ending).join(' ');
    }));

  it('have the punctuation of the language', () =>
    fits('punctuation of another language', (_, translation, language) => {
      return !foreign[language]!.test(translation.replace(/\]\([^)]*\)|`[^`]*`|\.\.\./g, '…'));
    }));

  it('are no leftover English', () => {
    for (const [language, listed] of Object.entries(sameAsEnglish)) {
      const pairs = catalogues.flatMap((one) => (one.language === language ? one.pairs : []));
      const same = new Set(pairs.flatMap(({ text, translation }) => (text === translation ? text : [])));
      assert.deepEqual([...same].toSorted(), listed.toSorted(), `${language}: same as English`);
    }
  });

  it('say service only of what an account connects to', () => {
    const saying = catalogues.flatMap(({ english, language, translated }) =>
      Object.entries(english).flatMap(([key, text]) => {
        const words = text.replace(/\{\w+\}/g, '');
        return /\bservices?\b/i.test(words) || service[language]!.test(translated[key] ?? '') ? [key] : [];
      }),
    );
    assert.deepEqual([...new Set(saying)], ['setting.owners']);
  });

  it('have both forms of every plural, in Japanese and Chinese the same', () => {
    const text = [...sources.values()].join('\n');
    const calls = text.match(/(?<!function )\bplural\(/g) ?? [];
    const forms = [...text.matchAll(new RegExp(String.raw`\bplural\(\s*[\w.]+,\s*${call}[^]*?\),\s*${call}`, 'g'))];
    assert.equal(forms.length, calls.length, 'every plural has two literal forms');
    for (const { file, language, translated } of catalogues) {
      if (file.startsWith('package')) continue;
      const pairs = forms.map(([, one, other]) => [translated[unquoted(one!)], translated[unquoted(other!)]] as const);
      const wrong = pairs.filter(([one, other]) => (one === other) !== (language !== 'de'));
      assert.deepEqual(wrong, [], file);
    }
  });
});

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Translations that may read as the English does: names, units, and what is only placeholders and punctuation. */
const everywhere = ['Automation Platform', '{name} ({service})', 'GET {path}'];
/** Punctuation that is wider in Chinese. */
const narrow = ['{deployment}: {text}'];
/** A mark that differs in Japanese and Chinese. */
const marked = ['{host}: {cause}.', '{name} ({status}).', '{name}.', '{reason}.', '{state}.'];
const german = [
  '{problem} in {deployment}.',
  '{product}: {text}',
  'Offline',
  'Deployments',
  'Route: {route}',
  'minimal',
  'Proxy',
  '{settings} in {files}',
  '{time} ms',
];
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
  'zh-cn': /["„「」（）]| {2}|^ | $|[.,;!?](?= |$)/m,
};

/** A deployment fails as long as something is wrong, an account has failed: two words, in each language. */
const terms: Record<string, Readonly<Record<'deployment' | 'failing' | 'failed', RegExp>>> = {
  de: { deployment: /Deployment/, failing: /gestört/i, failed: /fehler(?!frei)/i },
  ja: { deployment: /デプロイメント/, failing: /要対応/, failed: /エラー/ },
  'zh-cn': { deployment: /部署/, failing: /需要处理/, failed: /出错/ },
};
const failing = /\bfailing\b/i;
const failedAccount = /\{account\} failed|\bfailed account|^failed(?:$|: | in )/;
/** The Japanese word for it alone is the rollout. */
const rollout = /デプロイ(?!メント)/;

/** Whose noun stands in another sentence, or in the row above. */
const pronouns: Record<string, RegExp> = {
  de: /(?:^|[.;] )(?:Er|Sie (?:hat|ist|kann|stammt|verweist|werden in|wird)) |benötig(?:t|en) (?:es|sie)\b/m,
  ja: /(?:^|。)それ/m,
  'zh-cn': /(?:^|[。；])它|需要它们?/m,
};

/** Han and Kana beside Latin letters, digits or a value, without the space that VS Code's own language packs have there. */
const cjk = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]`;
const latin = String.raw`[A-Za-z\d]|\{\w+\}`;
const unspaced = new RegExp(`${cjk}(?:${latin})|(?:${latin})${cjk}`, 'u');
/** Values that end in the unit's own word: "5 分钟". */
const endsInWord = /\{(?:ago|duration|time)\}(?=[前后内以に])/g;

/** What an account connects to, such as Slack; the API's side is the platform. */
const service: Record<string, RegExp> = { de: /Dienst/, ja: /サービス/, 'zh-cn': /服务(?!器)/ };

type Texts = Readonly<Record<string, string>>;

const literal = String.raw`('(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|\x60[^\x60$\\]*\x60)`;
const call = String.raw`\b(?:vscode\.)?l10n\.t\(\s*(?:\{\s*message:\s*)?${literal}`;
const vscodeImport =
  /^import (?:\* as vscode|(?:type )?\{(?![^}]*\bl10n as)[^}]*\}) from 'vscode';$/gm;
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
  const pairs = Object.entries(english).map(([key, text]) => ({
    text,
    translation: translated[key] ?? '',
  }));
  return { file, language, english, translated, pairs };
}

/** Every text of the source, as the tool that translators use extracts it. */
async function extracted(): Promise<Texts> {
  const { getL10nJson } = await import('@vscode/l10n-dev');
  // All in one, with one import: the tool takes a quarter of a second for each import of vscode, however little it finds.
  const bodies = [...sources.values()].map((text) => text.replace(vscodeImport, ''));
  const contents = `import * as vscode from 'vscode';\n${bodies.join('\n')}`;
  const found = Object.entries(await getL10nJson([{ extension: '.ts', contents }]));
  return Object.fromEntries(
    found.map(([key, value]) => [key, typeof value === 'string' ? value : value.message]),
  );
}

/** What a translation has to keep as it is: placeholders, icons, links, code and line breaks. */
const marks = (text: string) =>
  (text.match(/\{\w+\}|\$\([\w~-]+\)|\]\([^)]*\)|`[^`]*`|\n/g) ?? []).toSorted().join(' ');

/** What people read: no targets of links, and no code. */
const unlinked = (text: string) => text.replace(/\]\([^)]*\)|`[^`]*`/g, '…');
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
  function fits(
    what: string,
    isRight: (text: string, translation: string, language: string) => boolean,
  ): void {
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
    assert.deepEqual(
      unseen,
      [],
      "only l10n.t('…') or l10n.t({ message: '…' }) with a literal: no alias, no variable",
    );
  });

  it('have every text, and none that nothing uses', () => {
    const wrong = catalogues.flatMap(({ file, english, translated }) => [
      ...Object.keys(english).flatMap((key) =>
        key in translated ? [] : `${file} lacks ${JSON.stringify(key)}: "",`,
      ),
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
      return !foreign[language]!.test(unlinked(translation).replaceAll('...', '…'));
    }));

  it('have a space between Japanese or Chinese and a Latin word, number or value', () =>
    fits('no space', (_, translation, language) => {
      const text = unlinked(translation).replace(endsInWord, '');
      return language === 'de' || !unspaced.test(text);
    }));

  it('call a deployment by one word, which is not that for a rollout', () =>
    fits('another word for a deployment', (text, translation, language) => {
      // A list of their names stands for them.
      const isNamed = text.includes('{deployments}');
      const isSaid =
        !isNamed && /\bdeployments?\b/i.test(unlinked(text).replace(/\{\w+\}|\S+\.svg/g, ''));
      return (
        !rollout.test(translation) && (!isSaid || terms[language]!.deployment.test(translation))
      );
    }));

  it('say of a deployment that it is failing, and of an account that it failed', () =>
    fits('the word for the other one', (text, translation, language) => {
      const { failing: ofDeployment, failed: ofAccount } = terms[language]!;
      if (failedAccount.test(text) && !ofAccount.test(translation)) return false;
      if (!failing.test(text)) return true;
      return (
        ofDeployment.test(translation) && failedAccount.test(text) === ofAccount.test(translation)
      );
    }));

  it('put the word before the account in rows, of which VS Code cuts the end', () =>
    fits('the account comes first', (text, translation) => {
      return (
        !['{account} failed', 'needs {account}'].includes(text) || !translation.startsWith('{')
      );
    }));

  it('begin no sentence with a pronoun of another one', () =>
    fits(
      'a pronoun without its noun',
      (_, translation, language) => !pronouns[language]!.test(translation),
    ));

  it('are no leftover English', () => {
    for (const [language, listed] of Object.entries(sameAsEnglish)) {
      const pairs = catalogues.flatMap((one) => (one.language === language ? one.pairs : []));
      const same = new Set(
        pairs.flatMap(({ text, translation }) => (text === translation ? text : [])),
      );
      assert.deepEqual([...same].toSorted(), listed.toSorted(), `${language}: same as English`);
    }
  });

  it('say service only of what an account connects to', () => {
    const saying = catalogues.flatMap(({ english, language, translated }) =>
      Object.entries(english).flatMap(([key, text]) => {
        const words = text.replace(/\{\w+\}/g, '');
        return /\bservices?\b/i.test(words) || service[language]!.test(translated[key] ?? '')
          ? [key]
          : [];
      }),
    );
    assert.deepEqual([...new Set(saying)], ['setting.owners']);
  });

  it('have both forms of every plural, in Japanese and Chinese the same', () => {
    const text = [...sources.values()].join('\n');
    const calls = text.match(/(?<!function )\bplural\(/g) ?? [];
    const forms = [
      ...text.matchAll(
        new RegExp(String.raw`\bplural\(\s*[\w.]+,\s*${call}[^]*?\),\s*${call}`, 'g'),
      ),
    ];
    assert.equal(forms.length, calls.length, 'every plural has two literal forms');
    for (const { file, language, translated } of catalogues) {
      if (file.startsWith('package')) continue;
      const pairs = forms.map(
        ([, one, other]) => [translated[unquoted(one!)], translated[unquoted(other!)]] as const,
      );
      const wrong = pairs.filter(([one, other]) => (one === other) !== (language !== 'de'));
      assert.deepEqual(wrong, [], file);
    }
  });
});

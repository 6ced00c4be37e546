import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Translations that may be the same as the English text: names, units, and texts of placeholders and punctuation only. */
const everywhere = ['Automation Platform', '{name} ({service})', '{name} +{count}', 'GET {path}'];
/** Punctuation that is wider in Chinese. */
const narrow = ['{deployment}: {text}', '{groups}: {text}'];
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

/** Quotation marks and punctuation of another language, and spaces at the ends or twice. */
const foreign: Record<string, RegExp> = {
  de: /["”「」]| {2}|^ | $/m,
  ja: /["“”„]| {2}|^ | $|[.,;!](?= |$)/m,
  'zh-cn': /["„「」（）]| {2}|^ | $|[.,;!?](?= |$)/m,
};

/** A *failing* deployment and a *failed* account have two different words in each language. */
const terms: Record<string, Readonly<Record<'deployment' | 'failing' | 'failed', RegExp>>> = {
  de: { deployment: /Deployment/, failing: /gestört/i, failed: /fehler(?!frei)/i },
  ja: { deployment: /デプロイメント/, failing: /要対応/, failed: /エラー/ },
  'zh-cn': { deployment: /部署/, failing: /需要处理/, failed: /出错/ },
};
const failing = /\bfailing\b/i;
const failedAccount = /\{account\} failed|\bfailed account|^failed(?:$|: | in )/;
/** In Japanese, the shorter word means a rollout. */
const rollout = /デプロイ(?!メント)/;

/** Pronouns whose noun stands in another sentence or in the row above. */
const pronouns: Record<string, RegExp> = {
  de: /(?:^|[.;] )(?:Er|Sie (?:hat|ist|kann|stammt|verweist|werden in|wird)) |benötig(?:t|en) (?:es|sie)\b/m,
  ja: /(?:^|。)それ/m,
  'zh-cn': /(?:^|[。；])它|需要它们?/m,
};

/** Han and Kana beside Latin letters, digits or a value, without the space that VS Code's own language packs have there. */
const cjk = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]`;
const latin = String.raw`[A-Za-z\d]|\{\w+\}`;
const unspaced = new RegExp(`${cjk}(?:${latin})|(?:${latin})${cjk}`, 'u');
/** Placeholders of values that end in the word for a unit: "5 分钟". */
const endsInWord = /\{(?:ago|duration|time)\}(?=[前后内以に])/g;

/** The word for an application to which an account connects, such as Slack. */
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
  // The tool takes a quarter of a second for each import of vscode, so all sources become one with one import.
  const bodies = [...sources.values()].map((text) => text.replace(vscodeImport, ''));
  const contents = `import * as vscode from 'vscode';\n${bodies.join('\n')}`;
  const found = Object.entries(await getL10nJson([{ extension: '.ts', contents }]));
  return Object.fromEntries(
    found.map(([key, value]) => [key, typeof value === 'string' ? value : value.message]),
  );
}

/** The parts that a translation keeps: placeholders, icons, links, code, and line breaks. */
const marks = (text: string) =>
  (text.match(/\{\w+\}|\$\([\w~-]+\)|\]\([^)]*\)|`[^`]*`|\n/g) ?? []).toSorted().join(' ');

/** A text as people read it, without targets of links and without code. */
const unlinked = (text: string) => text.replace(/\]\([^)]*\)|`[^`]*`/g, '…');
const unquoted = (quoted: string) => quoted.slice(1, -1).replace(/\\(.)/g, '$1');
const lines = (text: string) => text.split('\n');
const ending = (line: string) => /(?:\.\.\.|[.?:…。？：！])$/.exec(line)?.[0];

describe('the translations', () => {
  let catalogues: readonly ReturnType<typeof catalogue>[];

  before(async function () {
    // This is half a second of work, but on a machine that runs two workbenches it may wait long.
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

  it('are in one bundle and one package.nls file per language', () => {
    const all = [...readdirSync('l10n').map((name) => `l10n/${name}`), ...readdirSync('.')];
    const files = all.filter((name) => /^(l10n\/.+|package\.nls\..+)\.json$/.test(name));
    assert.deepEqual(files.toSorted(), catalogues.map(({ file }) => file).toSorted());
  });

  it('begin as literals in l10n.t', () => {
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

  it('contain exactly the texts that the source and the manifest use', () => {
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

  it('keep all placeholders and Markdown of the English text', () =>
    fits('other marks than in English', (text, translation) => marks(text) === marks(translation)));

  it('end each line with the punctuation that the English line asks for', () =>
    fits('another end than in English', (text, translation, language) => {
      const wanted = lines(text).map((line) => endings[language]![ending(line) ?? '']);
      return wanted.join(' ') === lines(translation).map(ending).join(' ');
    }));

  it('use the punctuation of their language', () =>
    fits('punctuation of another language', (_, translation, language) => {
      return !foreign[language]!.test(unlinked(translation).replaceAll('...', '…'));
    }));

  it('separate Latin words and values from Japanese and Chinese by a space', () =>
    fits('no space', (_, translation, language) => {
      const text = unlinked(translation).replace(endsInWord, '');
      return language === 'de' || !unspaced.test(text);
    }));

  it('use one word for a deployment', () =>
    fits('another word for a deployment', (text, translation, language) => {
      // A list of deployment names needs no word beside it.
      const isNamed = text.includes('{deployments}');
      const isSaid =
        !isNamed && /\bdeployments?\b/i.test(unlinked(text).replace(/\{\w+\}|\S+\.svg/g, ''));
      return (
        !rollout.test(translation) && (!isSaid || terms[language]!.deployment.test(translation))
      );
    }));

  it('use different words for a failing deployment and a failed account', () =>
    fits('the word for the other one', (text, translation, language) => {
      const { failing: ofDeployment, failed: ofAccount } = terms[language]!;
      if (failedAccount.test(text) && !ofAccount.test(translation)) return false;
      if (!failing.test(text)) return true;
      return (
        ofDeployment.test(translation) && failedAccount.test(text) === ofAccount.test(translation)
      );
    }));

  it('begin no row with the account, because VS Code cuts the end of a row', () =>
    fits('the account comes first', (text, translation) => {
      return (
        !['{account} failed', 'needs {account}'].includes(text) || !translation.startsWith('{')
      );
    }));

  it('begin no sentence with a pronoun', () =>
    fits(
      'a pronoun without its noun',
      (_, translation, language) => !pronouns[language]!.test(translation),
    ));

  it('differ from English, except in the listed texts', () => {
    for (const [language, listed] of Object.entries(sameAsEnglish)) {
      const pairs = catalogues.flatMap((one) => (one.language === language ? one.pairs : []));
      const same = new Set(
        pairs.flatMap(({ text, translation }) => (text === translation ? text : [])),
      );
      assert.deepEqual([...same].toSorted(), listed.toSorted(), `${language}: same as English`);
    }
  });

  it('use the word for a service only in the description of owners', () => {
    const keysWithService = catalogues.flatMap(({ english, language, translated }) =>
      Object.entries(english).flatMap(([key, text]) => {
        const words = text.replace(/\{\w+\}/g, '');
        return /\bservices?\b/i.test(words) || service[language]!.test(translated[key] ?? '')
          ? [key]
          : [];
      }),
    );
    assert.deepEqual([...new Set(keysWithService)], ['setting.owners']);
  });

  it('have one form of each plural in Japanese and Chinese, and two in German', () => {
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

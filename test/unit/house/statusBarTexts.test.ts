import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** As much as an item may take of the status bar, which other extensions share. */
const max = 40;
/** More deployments than anybody lists. */
const most = 99_999;

const source = readFileSync('src/views/statusBar.ts', 'utf8');
const texts = Array.from(source.matchAll(/l10n\.t\(\s*'([^']*)'/g), ([, text = '']) => text)
  // Only a screen reader says this one.
  .filter((text) => !text.includes('{text}'));

/** As the status bar shows it, with the largest numbers. */
function shown(text: string, language: string): string {
  const number = new Intl.NumberFormat(language).format(most);
  return text.replace('{product}', 'Automation Platform').replace(/\{(?:count|done|total)\}/g, number);
}

/** Of which the status bar shows one beside the ignored list: what is said of the deployments, with a number. */
const counted = ['{count} failing', '{count} unknown', '{count} not read yet', '{count} muted', '{count} healthy'];
const ignoredList = '{verdict}, list ignored';

function translations(language: string): Readonly<Record<string, string>> {
  return language === 'en' ? {} : JSON.parse(readFileSync(`l10n/bundle.l10n.${language}.json`, 'utf8'));
}

describe('the texts of the status bar', () => {
  it('are found in the source of what stands beside an ignored list', () => {
    const words = readFileSync('src/host/text/deployment.ts', 'utf8');
    const used = [...counted, ignoredList].filter((text) => words.includes(`l10n.t('${text}'`));
    assert.deepEqual(used, [...counted, ignoredList]);
  });

  it('are found in its source', () => {
    assert.ok(texts.includes('{product}: keyring waiting') && texts.length > 10, texts.join('\n'));
  });

  for (const language of ['en', 'de', 'ja', 'zh-cn']) {
    it(`fit into ${max} characters with the largest numbers, in ${language}`, () => {
      const translated = translations(language);
      const all = texts.map((text) => shown(translated[text] ?? text, language));
      assert.deepEqual(
        all.filter(({ length }) => length > max),
        [],
      );
      for (const text of all) assert.doesNotMatch(text, /\{/);
    });

    it(`fit beside an ignored list, in ${language}`, () => {
      const translated = translations(language);
      const beside = translated[ignoredList] ?? ignoredList;
      const all = [...counted, 'nothing read yet'].map((text) =>
        beside.replace('{verdict}', shown(translated[text] ?? text, language)),
      );
      assert.deepEqual(
        all.filter(({ length }) => length > max),
        [],
      );
    });
  }
});

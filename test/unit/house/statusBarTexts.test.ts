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

describe('the texts of the status bar', () => {
  it('are found in its source', () => {
    assert.ok(texts.includes('{product}: keyring waiting') && texts.length > 10, texts.join('\n'));
  });

  for (const language of ['en', 'de', 'ja', 'zh-cn']) {
    it(`fit into ${max} characters with the largest numbers, in ${language}`, () => {
      const translated: Readonly<Record<string, string>> =
        language === 'en' ? {} : JSON.parse(readFileSync(`l10n/bundle.l10n.${language}.json`, 'utf8'));
      const all = texts.map((text) => shown(translated[text] ?? text, language));
      assert.deepEqual(
        all.filter(({ length }) => length > max),
        [],
      );
      for (const text of all) assert.doesNotMatch(text, /\{/);
    });
  }
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** How long an item of the status bar may be, which other extensions share. */
const maxCharacters = 40;
/** More deployments than users list. */
const largestCount = 99_999;
/** What is left of the name of a group. */
const groupWordChars = 12;

const source = readFileSync('src/views/statusBar.ts', 'utf8');
const texts = Array.from(source.matchAll(/l10n\.t\(\s*'([^']*)'/g), ([, text = '']) => text)
  // Only screen readers say the text with this placeholder.
  .filter((text) => !text.includes('{text}'));

/** A text as the status bar shows it, with the largest numbers. */
function shown(text: string, language: string): string {
  const number = new Intl.NumberFormat(language).format(largestCount);
  return text
    .replace('{product}', 'Automation Platform')
    .replace('{groups}', `${'x'.repeat(groupWordChars)} +${number}`)
    .replace(/\{(?:count|done|total)\}/g, number);
}

const ignoredList = '{verdict}, list ignored';
/** The status bar shows these verdicts where longer ones do not fit: beside a time, and beside an ignored list. */
const shortVerdicts = [
  '{count} failing',
  '{count} unknown',
  '{count} not read yet',
  '{count} muted',
  '{count} healthy',
];

function shortTimes(language: string): readonly string[] {
  const times = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' });
  const days = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' });
  const hour = 60 * 60 * 1000;
  return [
    ...Array.from({ length: 24 }, (_, at) => times.format(at * hour)),
    ...Array.from({ length: 365 }, (_, at) => days.format(at * 24 * hour)),
  ];
}

function translations(language: string): Readonly<Record<string, string>> {
  return language === 'en'
    ? {}
    : JSON.parse(readFileSync(`l10n/bundle.l10n.${language}.json`, 'utf8'));
}

/** Fails with the texts that are longer than an item of the status bar may be. */
function assertFit(shownTexts: readonly string[]): void {
  const tooLong = shownTexts.filter(({ length }) => length > maxCharacters);
  assert.deepEqual(tooLong, []);
}

describe('the texts of the status bar', () => {
  it('include the short verdicts of src/host/text/deployment.ts', () => {
    const words = readFileSync('src/host/text/deployment.ts', 'utf8');
    const used = [...shortVerdicts, ignoredList].filter((text) =>
      words.includes(`l10n.t('${text}'`),
    );
    assert.deepEqual(used, [...shortVerdicts, ignoredList]);
  });

  it('include more than ten of src/views/statusBar.ts', () => {
    assert.match(texts.join('\n'), /^\{product\}: keyring waiting$/m);
    assert.ok(texts.length > 10, texts.join('\n'));
  });

  for (const language of ['en', 'de', 'ja', 'zh-cn']) {
    it(`have at most ${maxCharacters} characters with the largest numbers (${language})`, () => {
      const translated = translations(language);
      const all = texts.map((text) => shown(translated[text] ?? text, language));
      assertFit(all);
      assert.doesNotMatch(all.join('\n'), /\{/);
    });

    it(`fit beside an ignored list (${language})`, () => {
      const translated = translations(language);
      const beside = translated[ignoredList] ?? ignoredList;
      const all = [...shortVerdicts, 'nothing read yet'].map((text) =>
        beside.replace('{verdict}', shown(translated[text] ?? text, language)),
      );
      assertFit(all);
    });

    it(`fit beside the time of old counts (${language})`, () => {
      const translated = translations(language);
      const translate = (text: string) => translated[text] ?? text;
      const times = shortTimes(language).map((time) =>
        translate('as of {time}').replace('{time}', time),
      );
      const verdicts = shortVerdicts.map((text) => shown(translate(text), language));
      const all = verdicts.flatMap((verdict) => times.map((time) => `${verdict} · ${time}`));
      assertFit(all);
    });
  }
});

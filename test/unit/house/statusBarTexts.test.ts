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
  return text
    .replace('{product}', 'Automation Platform')
    .replace(/\{(?:count|done|total)\}/g, number);
}

const ignoredList = '{verdict}, list ignored';
/** The shortest verdicts, which have to fit where all others are too long: beside a time without a zone, and beside the ignored list. */
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

describe('the texts of the status bar', () => {
  it('are found in the source of what stands beside an ignored list', () => {
    const words = readFileSync('src/host/text/deployment.ts', 'utf8');
    const used = [...shortVerdicts, ignoredList].filter((text) =>
      words.includes(`l10n.t('${text}'`),
    );
    assert.deepEqual(used, [...shortVerdicts, ignoredList]);
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
      const all = [...shortVerdicts, 'nothing read yet'].map((text) =>
        beside.replace('{verdict}', shown(translated[text] ?? text, language)),
      );
      assert.deepEqual(
        all.filter(({ length }) => length > max),
        [],
      );
    });

    it(`have room for the time of old counts, in ${language}`, () => {
      const translated = translations(language);
      const said = (text: string) => translated[text] ?? text;
      const times = shortTimes(language).map((time) =>
        said('as of {time}').replace('{time}', time),
      );
      const verdicts = shortVerdicts.map((text) => shown(said(text), language));
      const all = verdicts.flatMap((verdict) => times.map((time) => `${verdict} · ${time}`));
      assert.deepEqual(
        all.filter(({ length }) => length > max),
        [],
      );
    });
  }
});

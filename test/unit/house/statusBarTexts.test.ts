import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Counts } from '../../../src/model/findings/deployment.js';
import type * as StatusBar from '../../../src/views/statusBar.js';
import { inLanguage } from '../../support/languages.js';

/** How long an item of the status bar may be, which other extensions share. */
const maxCharacters = 40;
/** More deployments than users list. */
const largestCount = 99_999;
/** What is left of the name of a group. */
const groupWordChars = 12;

const source = readFileSync('src/views/statusBar.ts', 'utf8');
const texts = Array.from(source.matchAll(/l10n\.t\(\s*'([^']*)'/g), ([, text = '']) => text)
  // Only screen readers say the text with this placeholder.
  .filter((text) => !text.includes('{text}'))
  // Tested below with all verdicts on groups.
  .filter((text) => !text.includes('{groups}'));

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

const longestName = 'payments-and-billing';
const groups = [longestName, ...Array.from({ length: 999 }, (_, at) => `group ${at}`)];
const none = { total: largestCount, failing: 0, unknown: 0, notYetRead: 0, muted: 0, healthy: 0 };
/** Each verdict with its largest number, of one group and of a thousand. */
const countsOfGroups: readonly Counts[] = [[longestName], groups].flatMap((chosen) =>
  (['failing', 'unknown', 'notYetRead', 'muted', 'healthy'] as const).flatMap((state) => {
    const counts = { ...none, groups: chosen, healthy: 1, [state]: largestCount - 1 };
    const unread = { ...counts, healthy: 0, notYetRead: largestCount };
    return [counts, unread, { ...counts, isListIgnored: true }, { ...counts, isListUnread: true }];
  }),
);
const rejected = { kind: 'tokenRejected', status: 401 } as const;
const outage = { kind: 'failure', failure: rejected, isOffline: false, at: 0, asOf: 0 } as const;
const causes = [undefined, outage, { kind: 'paused', until: 0 } as const];
const organization = {
  id: 'o1',
  name: 'Acme',
  baseUrl: '',
  source: 'keyring',
  hasSessionToken: false,
} as const;

/** What the status bar shows of groups: of counts of now and of earlier, with and without a cause. */
function shownOfGroups({ statusSummary }: typeof StatusBar): readonly string[] {
  const progress = { done: 1, total: largestCount };
  const deployments: [] = [];
  const facts = countsOfGroups.flatMap((counts) =>
    causes.map((cause) => ({ counts, cause, deployments, progress })),
  );
  const summaries = facts.flatMap((all) =>
    [undefined, 0].flatMap((asOf) =>
      [all, { ...all, progress: undefined }].map((store) =>
        statusSummary({ current: organization, noCurrentReason: undefined }, store, asOf, 0),
      ),
    ),
  );
  return [...new Set(summaries.map((summary) => summary!.text))];
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

  for (const language of ['en', 'de', 'ja', 'zh-cn'] as const) {
    it(`have at most ${maxCharacters} characters with the largest numbers (${language})`, () => {
      const translated = translations(language);
      const all = texts.map((text) => shown(translated[text] ?? text, language));
      assertFit(all);
      assert.doesNotMatch(all.join('\n'), /\{/);
    });

    it(`fit with the longest names of groups (${language})`, async () => {
      const all = shownOfGroups(await inLanguage(language, 'src/views/statusBar.ts'));
      assertFit(all);
    });

    it(`have whole numbers with the longest names of groups (${language})`, async () => {
      const all = shownOfGroups(await inLanguage(language, 'src/views/statusBar.ts'));
      assert.doesNotMatch(all.join('\n'), /\d…/);
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

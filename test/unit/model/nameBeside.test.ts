import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { nameBeside } from '../../../src/model/inertText.js';

/** How many characters of a text the status bar shows. */
const max = 40;

type Texts = Readonly<Record<string, string>>;

/** The words of all causes that deployments may share, with the status that some have. */
const withStatus = {
  'Token rejected': 401,
  'Proxy/Proxy (407)': 407,
  'Server error': 503,
  Redirected: 302,
  'Invalid response': 200,
  'Not from the platform': 403,
};
const withoutStatus = ['Connection lost', 'Timed out', 'Offline'];
const unreachable = [
  'Unreachable (DNS)',
  'connection refused',
  'Unreachable (TLS)',
  'Unreachable (proxy)',
];

const languages: Readonly<Record<string, Texts>> = {
  en: {},
  de: bundle('de'),
  ja: bundle('ja'),
  'zh-cn': bundle('zh-cn'),
};

function bundle(language: string): Texts {
  return JSON.parse(readFileSync(`l10n/bundle.l10n.${language}.json`, 'utf8'));
}

/** The names of each cause, the longest first. */
function namesIn(texts: Texts): readonly (readonly string[])[] {
  const word = (text: string) => texts[text] ?? text.replace(/\/.*$/, '');
  return [
    ...Object.entries(withStatus).map(([text, status]) => [
      `${word(text)} (${status})`,
      word(text),
    ]),
    ...withoutStatus.map((text) => [word(text)]),
    ...unreachable.map((text) => [word(text), word('Unreachable')]),
  ];
}

/** The forms of each verdict on the deployments, the longest first. */
function verdictsIn(texts: Texts, language: string, count: number): readonly (readonly string[])[] {
  const shown = count < 1000 ? String(count) : new Intl.NumberFormat(language).format(count);
  const said = (text: string) => (texts[text] ?? text).replace('{count}', shown);
  const muted = new Intl.ListFormat(language, { type: 'conjunction', style: 'narrow' });
  return [
    [said('nothing read yet')],
    [said('{count} failing')],
    [
      muted.format([said('None failing'), said('{count} unknown'), said('{count} muted')]),
      said('{count} unknown'),
    ],
    [
      muted.format([said('None failing'), said('{count} not read yet')]),
      said('{count} not read yet'),
    ],
    [muted.format([said('None failing'), said('{count} muted')]), said('{count} muted')],
  ];
}

/** Each name of a cause beside each verdict on so many deployments, as the status bar shows it. */
function textsIn(language: string, texts: Texts, count: number) {
  const all = verdictsIn(texts, language, count);
  return namesIn(texts).flatMap((names) =>
    all.map((verdicts) => ({ names, verdicts, text: nameBeside(verdicts, names, max) })),
  );
}

/** What a text has to begin with so that the name can be recognized: 17 characters, or all of it. */
function beginningOf(name: string): string {
  return name.length <= 17 ? `${name} · ` : name.slice(0, 17);
}

describe('a cause beside a verdict', () => {
  for (const [language, bundleTexts] of Object.entries(languages)) {
    const counts = [1, 22, 999, 2_000, 12_345, 1_000_000];

    it(`has at most ${max} characters in ${language}`, () => {
      const texts = counts.flatMap((count) => textsIn(language, bundleTexts, count));
      const tooLong = texts.map(({ text }) => text).filter(({ length }) => length > max);
      assert.deepEqual(tooLong, []);
    });

    it(`leaves a whole verdict in ${language}`, () => {
      const withoutVerdict = counts
        .flatMap((count) => textsIn(language, bundleTexts, count))
        .filter(({ verdicts, text }) => !verdicts.some((one) => text.endsWith(` · ${one}`)))
        .map(({ text }) => text);
      assert.deepEqual(withoutVerdict, []);
    });

    it(`keeps 17 characters of its name below 1,000 deployments in ${language}`, () => {
      const withoutName = [1, 22, 999]
        .flatMap((count) => textsIn(language, bundleTexts, count))
        .filter(({ names, text }) => !names.some((name) => text.startsWith(beginningOf(name))))
        .map(({ text }) => text);
      assert.deepEqual(withoutName, []);
    });
  }

  it('is cut when none of its names fits', () => {
    assert.equal(
      nameBeside(
        ['1,234,567 failing'],
        ['Not from the platform (403)', 'Not from the platform'],
        30,
      ),
      'Not from … · 1,234,567 failing',
    );
  });

  it('keeps its whole name when a shorter form of the verdict fits', () => {
    const verdicts = ['None failing, 10,000 muted', '10,000 muted'];
    assert.equal(
      nameBeside(verdicts, ['Unreachable (TLS)', 'Unreachable'], max),
      'Unreachable (TLS) · 10,000 muted',
    );
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { nameBeside } from '../../../src/model/inertText.js';

/** As much as the status bar shows. */
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

/** All that a cause is called, the longest first. */
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

/** All that can be said of the deployments beside a cause, the longest first. */
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

function textsIn(language: string, texts: Texts, count: number) {
  const all = verdictsIn(texts, language, count);
  return namesIn(texts).flatMap((names) =>
    all.map((verdicts) => ({ names, verdicts, text: nameBeside(verdicts, names, max) })),
  );
}

describe('a cause beside a verdict', () => {
  for (const [language, texts] of Object.entries(languages)) {
    it(`loses no number in the status bar, in ${language}`, () => {
      for (const count of [1, 22, 999, 2_000, 12_345, 1_000_000]) {
        for (const { verdicts, text } of textsIn(language, texts, count)) {
          assert.ok(
            text.length <= max && verdicts.some((verdict) => text.endsWith(` · ${verdict}`)),
            text,
          );
        }
      }
    });

    it(`keeps at least 17 characters of the name below 1,000 deployments, in ${language}`, () => {
      for (const count of [1, 22, 999]) {
        for (const { names, text } of textsIn(language, texts, count)) {
          assert.ok(
            names.some((name) =>
              text.startsWith(name.length <= 17 ? `${name} · ` : name.slice(0, 17)),
            ),
            text,
          );
        }
      }
    });
  }

  it('is cut itself where no name of it fits', () => {
    assert.equal(
      nameBeside(
        ['1,234,567 failing'],
        ['Not from the platform (403)', 'Not from the platform'],
        30,
      ),
      'Not from … · 1,234,567 failing',
    );
  });

  it('is the same beside a long verdict, which is shortened first', () => {
    const verdicts = ['None failing, 10,000 muted', '10,000 muted'];
    assert.equal(
      nameBeside(verdicts, ['Unreachable (TLS)', 'Unreachable'], max),
      'Unreachable (TLS) · 10,000 muted',
    );
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  codeSpan,
  inertLabel,
  inertLogText,
  inertMarkdown,
  inertName,
  inertNote,
  inertNotification,
  inertPlain,
  inertProse,
  inertQuote,
  shorten,
  shortenKeyId,
  shortenMiddle,
} from '../../../src/model/inertText.js';
import { visibleControls } from '../../../src/model/invisibleCharacters.js';
import { linksIn, referencesIn } from '../../support/rendered.js';

const england = '🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}';

/** Any UTF-16, rich in what is dangerous somewhere. */
const nasty = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '$(',
        '](',
        '[x](command:a)',
        'www.a.b',
        'https://a.b',
        'a@b.c',
        '`',
        '``',
        '<b>',
        '&lt;',
        '\n',
      ),
      fc.constantFrom(
        '[a](//b.example)',
        '![](//b.example/c.png)',
        'b.example',
        '//b.example',
        '@you',
        '#1',
        'GH-2',
      ),
      fc.constantFrom(
        'deadbeef',
        'c0ffee1',
        'a/b#3',
        '[a]: //b.example',
        '-',
        '---',
        '===',
        'file:///a',
        '1.2.3.4',
        '：',
      ),
      fc.constantFrom(
        '\u202E',
        '\u200D',
        '\u200C',
        '\uFE0F',
        '\uD83D',
        '\uDE00',
        '👩',
        'ب',
        '\u115F',
        '\\',
        '|',
        ' ',
      ),
    ),
  )
  .map((parts) => parts.join(''));

/** A fact about any text. */
function always(fact: (text: string) => void): void {
  fc.assert(fc.property(nasty, fact));
}

/** The marks that `inertLabel()` and `inertNotification()` add themselves. */
function withoutIsolates(text: string): string {
  return text.replace(/[\u2068\u2069]/g, '');
}

const bounded = { inertNotification, inertLabel, inertPlain };

describe('inert text', () => {
  const table: readonly [
    make: (text: string, max: number) => string,
    text: string,
    expected: string,
    max?: number,
  ][] = [
    [visibleControls, 'a\r\nb\tc', 'a␊b␉c'],
    [visibleControls, '\u0000\u001b\u007f\u0085', '␀␛␡⟨U+0085⟩'],
    [
      visibleControls,
      'pay\u202Egpj a\u200Bb\u2060c\uFEFF',
      'pay⟨U+202E⟩gpj a⟨U+200B⟩b⟨U+2060⟩c⟨U+FEFF⟩',
    ],
    [visibleControls, 'half \uD83D', 'half �'],
    [visibleControls, '👩‍💻 ❤️‍🔥 می‌خواهم', '👩‍💻 ❤️‍🔥 می‌خواهم'],
    [visibleControls, 'a\uFE0F\uFE0F', 'a⟨U+FE0F⟩⟨U+FE0F⟩'],
    [visibleControls, 'e\u0301\uFE0F\u200D🏽', 'e\u0301⟨U+FE0F⟩⟨U+200D⟩🏽'],
    [visibleControls, 'ب\uDE00\u200D❤', 'ب�⟨U+200D⟩❤'],
    [visibleControls, '\u{E0041}', '⟨U+E0041⟩'],
    [shorten, 'abcd', 'ab…', 3],
    [shorten, 'ab👍c', 'ab…', 4],
    [shorten, 'ab👩‍💻c', 'ab…', 6],
    [shorten, 'ae\u0301x', 'a…', 3],
    [shorten, 'abc', '', 0],
    [shorten, `ba${'\u0301'.repeat(500)}`, `ba${'\u0301'.repeat(98)}…`, 101],
    // A joiner at the end would be made visible by showing it once more.
    [inertNotification, 'ب\u200Cبب', '\u2068ب\u2069…', 3],
    [inertNotification, 'ខ\u200Bខខ', 'ខ…', 3],
    [shorten, `ab${england}c`, 'ab…', 15],
    [shorten, `ab${england}cd`, `ab${england}…`, 17],
    [shorten, `${england} UK payroll`, '…', 10],
    [shortenMiddle, `UK payroll of the group ${england}`, `UK payroll of t… ${england}`, 31],
    [shortenMiddle, 'abcdefខ\u200Bខ', 'ab…ខ', 5],
    [shortenMiddle, `a${'🇩🇪'.repeat(40)}b`, 'a🇩🇪…🇩🇪b', 12],
    [shortenMiddle, 'Finance Slack of Oslo', 'Finance Sl…k of Oslo'],
    [shortenMiddle, 'Finance Slack (Oslo)', 'Finance Slack (Oslo)'],
    [shortenKeyId, 'elevenchars', '…'],
    [shortenKeyId, 'twelve_chars', 'twel…hars'],
    [shortenKeyId, '👍'.repeat(12), '👍👍👍👍…👍👍👍👍'],
    [shortenKeyId, '👍'.repeat(6), '…'],
    [inertLabel, 'Finance Slack · 2', 'Finance Slack · 2'],
    [inertLabel, 'סלאק (1)', '\u2068סלאק (1)\u2069'],
    [inertLabel, 'سلاك · muted', '\u2068سلاك\u2069 · muted'],
    [inertLabel, 'Reconnect סלאק · שולח', '\u2068Reconnect סלאק\u2069 · \u2068שולח\u2069'],
    [inertLabel, '\u2069ש\u2067', '\u2068⟨U+2069⟩ש⟨U+2067⟩\u2069'],
    [inertLabel, '\u2068a\u2069', '⟨U+2068⟩a⟨U+2069⟩'],
    [inertLabel, 'שולחים', '\u2068שו…\u2069', 3],
    [inertNotification, '[x](command:evil) $(zap)', '［x］(command:evil) $ (zap)'],
    [
      inertNotification,
      'New problem in שלום: حساب failed',
      'New problem in \u2068שלום\u2069: \u2068حساب\u2069 failed',
    ],
    [inertNotification, 'חשבון 2 ראשי (slack) works.', '\u2068חשבון 2 ראשי\u2069 (slack) works.'],
    [inertNotification, '\u2068ש', '⟨U+2068⟩\u2068ש\u2069'],
    [codeSpan, 'a`b', '``a`b``'],
    [codeSpan, '', '` `'],
    [codeSpan, ' a ', '`  a  `'],
    [
      inertProse,
      'Finance Slack (slack) failed: token_revoked.',
      'Finance Slack (slack) failed: `token_revoked`.',
    ],
    [inertProse, 'Reconnect “Ops @you” (see #1).', 'Reconnect “Ops `@you`” (see `#1`).'],
    [
      inertProse,
      'Orders – EU - US & Asia / all → (2) +1 12, 1,234 1.5 (404).',
      'Orders – EU - US & Asia / all → (2) +1 12, 1,234 1.5 (404).',
    ],
    [inertProse, '- a', '`-` a'],
    [inertProse, '+ a', '`+` a'],
    [inertProse, '1. a 2. b', '`1`. a 2. b'],
    [inertProse, '1) a 2) b', '`1`) a 2) b'],
    [
      inertProse,
      '1234567 #1 GH-2 :100: 1:2 -- --- +a',
      '`1234567` `#1` `GH-2` `:100`: `1:2` `--` `---` `+a`',
    ],
    [
      inertProse,
      'deadbeef, (deadbee) deadbee-facade deadbeefب face',
      '`deadbeef`, (`deadbee`) `deadbee-facade` `deadbeefب` face',
    ],
    [
      inertProse,
      'www.a.b a@b.c <b> a|b `x deadbeef1',
      '`www.a.b` `a@b.c` `<b>` `a|b` `` `x `` `deadbeef1`',
    ],
    [inertProse, '财务 失败：token_revoked（x_y）。', '财务 失败：`token_revoked`（`x_y`）。'],
  ];
  for (const [make, text, expected, max] of table) {
    it(`${make.name}() of ${JSON.stringify(text.slice(0, 40))} is ${expected.slice(0, 60)}`, () =>
      assert.equal(make(text, max!), expected));
  }

  for (const make of [codeSpan, inertProse, inertNote, inertQuote]) {
    it(`${make.name}() leaves no link, image, HTML, mention, or reference where it is pasted as Markdown`, () =>
      always((text) => {
        for (const pasted of [make(text), `For ${make(text)}`, `| “${make(text)}” | b |`]) {
          assert.deepEqual([...linksIn(pasted), ...referencesIn(pasted)], [], pasted);
        }
      }));
  }

  it('inertQuote() holds no address and no mention where code spans are unknown', () =>
    always((text) => {
      const quote = inertQuote(text);
      assert.match(quote, /^`[^`]*`$/);
      assert.doesNotMatch(quote, /:\/\/|@/);
    }));

  it('inertLogText() and inertNote() hold no address that VS Code makes a link of', () =>
    always((text) => {
      for (const make of [inertLogText, inertNote])
        assert.doesNotMatch(make(text), /(?:https?|file):\/\//i);
    }));

  it('visibleControls() leaves nothing invisible, and changes nothing the second time', () =>
    always((text) => {
      const shown = visibleControls(text);
      assert.equal(visibleControls(shown), shown);
      assert.doesNotMatch(
        shown,
        /[\p{Cc}\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|\p{Surrogate}/u,
      );
    }));

  it('shorten() and shortenMiddle() keep to their bound and never cut inside a character', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    fc.assert(
      fc.property(text, fc.integer({ min: 3, max: 30 }), (whole, max) => {
        const end = shorten(whole, max);
        assert.ok(end === whole || whole.startsWith(end.slice(0, -1)));
        assert.equal(shorten(end, max), end);
        for (const short of [end, shortenMiddle(whole, max)]) {
          assert.ok(short.length <= max);
          assert.doesNotMatch(short, /\p{Surrogate}/u);
        }
      }),
    );
  });

  it('is one line and starts no icon', () =>
    always((text) => {
      for (const make of [...Object.values(bounded), inertMarkdown, codeSpan, inertProse]) {
        const inert = [inertLabel, inertNotification].includes(make)
          ? withoutIsolates(make(text))
          : make(text);
        assert.doesNotMatch(inert, /[\p{Cc}\u2028-\u202E\u2066-\u2069]/u, make.name);
        if (make !== inertPlain) assert.ok(!inert.includes('$('), make.name);
      }
    }));

  it('is bounded and idempotent on plain surfaces', () => {
    const surface = fc.constantFrom(...Object.values(bounded));
    fc.assert(
      fc.property(nasty, fc.integer({ min: 1, max: 40 }), surface, (text, max, make) => {
        const inert = withoutIsolates(make(text, max));
        assert.ok(inert.length <= max);
        assert.equal(make(inert, max), make(text, max));
      }),
      { numRuns: 300 },
    );
  });

  it('inertMarkdown() holds letters, digits, spaces, numeric references and nothing else of ASCII, and reads the same', () =>
    always((text) => {
      const inert = inertMarkdown(text);
      assert.doesNotMatch(inert.replace(/&#\d+;/g, 'x'), /[!-/:-@[-`{-~]|^ | $| {2}/);
      const read = inert.replace(/&#(\d+);/g, (_, code: string) =>
        String.fromCharCode(Number(code)),
      );
      assert.equal(
        read.replaceAll('\u00A0', ' '),
        inertPlain(text, 1000).replaceAll('\u00A0', ' '),
      );
    }));

  it('inertProse() has nothing outside of its code spans but words and the punctuation of sentences', () =>
    always((text) => {
      const rest = inertProse(text).replace(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');
      assert.doesNotMatch(rest, /[^\p{L}\p{M}\d\s，。：；、（）「」“”‘’"'().,:;!?…–—+&/→←↔·•-]/u);
      assert.doesNotMatch(rest, /:\/\/|\.\p{L}|^[-+] |[+&/]{2}|[&/]\S|\S[&/]|\d{7}/u);
    }));

  for (const [name, expected] of [
    ['Billing sync', '“Billing sync”'],
    ['Expense approvals, EU', '“Expense approvals, EU”'],
    ['Onboarding – enterprise (2)', '“Onboarding – enterprise (2)”'],
    ['Order sync (dep_1)', '`Order sync (dep_1)`'],
    ['A”, “B', '`A”, “B`'],
    ['a`b, c', '``a`b, c``'],
  ] as const) {
    it(`inertName() of ${name} is ${expected}`, () => {
      assert.equal(
        inertName(name, (words) => `“${words}”`),
        expected,
      );
    });
  }

  it('inertName() holds all of a name between two marks, which it has nowhere else', () =>
    always((text) => {
      const name = inertName(text, (words) => `“${words}”`);
      assert.match(name, /^“[^“”`]*”$|^(`+)(?!`)[^]*[^`]\1$/);
    }));

  it('codeSpan() is closed by its own fence only', () =>
    always((text) => {
      const span = codeSpan(text);
      const fence = /^`+/.exec(span)?.[0] ?? '';
      assert.equal(span.match(/`+/g)?.filter((run) => run === fence).length, 2);
    }));
});

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

/** Any UTF-16 text, rich in what is dangerous on some surface. */
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

/** Checks a fact about any text. */
function always(fact: (text: string) => void): void {
  fc.assert(fc.property(nasty, fact));
}

type Make = (text: string, max: number) => string;

/** What each function makes of a text. */
const table: readonly [make: Make, text: string, expected: string, max?: number][] = [
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

/** Returns as much of a text as a title has room for. */
function beginningOf(text: string): string {
  return Array.from(text).slice(0, 30).join('');
}

for (const make of new Set(table.map(([rowMake]) => rowMake))) {
  describe(`${make.name}()`, () => {
    for (const [rowMake, text, expected, max] of table) {
      if (rowMake !== make) continue;
      const shownText = JSON.stringify(beginningOf(text));
      const within = max === undefined ? '' : ` within ${max} units`;
      it(`turns ${shownText} into ${beginningOf(expected)}${within}`, () => {
        assert.equal(make(text, max!), expected);
      });
    }
  });
}

for (const make of [codeSpan, inertProse, inertNote, inertQuote]) {
  describe(`${make.name}() in Markdown`, () => {
    const contexts: readonly ((inert: string) => string)[] = [
      (inert) => inert,
      (inert) => `For ${inert}`,
      (inert) => `| “${inert}” | b |`,
    ];

    it('leaves no link, image, or HTML', () =>
      always((text) => {
        for (const context of contexts) {
          const pasted = context(make(text));
          assert.deepEqual([...linksIn(pasted)], [], pasted);
        }
      }));

    it('leaves no mention or reference', () =>
      always((text) => {
        for (const context of contexts) {
          const pasted = context(make(text));
          assert.deepEqual([...referencesIn(pasted)], [], pasted);
        }
      }));
  });
}

describe('inertQuote() of any text', () => {
  it('is one code span', () => always((text) => assert.match(inertQuote(text), /^`[^`]*`$/)));

  it('has no address or mention', () =>
    always((text) => assert.doesNotMatch(inertQuote(text), /:\/\/|@/)));
});

for (const make of [inertLogText, inertNote]) {
  it(`${make.name}() of any text has no address that VS Code makes a link of`, () =>
    always((text) => assert.doesNotMatch(make(text), /(?:https?|file):\/\//i)));
}

describe('visibleControls() of any text', () => {
  it('leaves nothing invisible', () =>
    always((text) =>
      assert.doesNotMatch(
        visibleControls(text),
        /[\p{Cc}\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|\p{Surrogate}/u,
      ),
    ));

  it('changes nothing the second time', () =>
    always((text) => {
      const shown = visibleControls(text);
      assert.equal(visibleControls(shown), shown);
    }));
});

/** Checks a fact about any text of whole characters and any bound. */
function alwaysWithin(fact: (whole: string, max: number) => void): void {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 });
  fc.assert(fc.property(text, fc.integer({ min: 3, max: 30 }), fact));
}

for (const make of [shorten, shortenMiddle]) {
  describe(`${make.name}() of any text`, () => {
    it('keeps to its bound', () =>
      alwaysWithin((whole, max) => {
        const short = make(whole, max);
        assert.equal(short, short.slice(0, max));
      }));

    it('never cuts inside a character', () =>
      alwaysWithin((whole, max) => assert.doesNotMatch(make(whole, max), /\p{Surrogate}/u)));
  });
}

describe('shorten() of any text', () => {
  it('keeps the beginning', () =>
    alwaysWithin((whole, max) => {
      const short = shorten(whole, max);
      const kept = short === whole ? short : short.slice(0, -1);
      assert.equal(whole.slice(0, kept.length), kept);
    }));

  it('changes nothing the second time', () =>
    alwaysWithin((whole, max) => {
      const short = shorten(whole, max);
      assert.equal(shorten(short, max), short);
    }));
});

/** Returns the text without the marks that `inertLabel()` and `inertNotification()` add. */
function withoutIsolates(text: string): string {
  return text.replace(/[\u2068\u2069]/g, '');
}

for (const make of [
  inertNotification,
  inertLabel,
  inertPlain,
  inertMarkdown,
  codeSpan,
  inertProse,
]) {
  describe(`${make.name}() of any text`, () => {
    it('is one line without invisible marks', () =>
      always((text) => {
        const addsIsolates = make === inertLabel || make === inertNotification;
        const inert = addsIsolates ? withoutIsolates(make(text)) : make(text);
        assert.doesNotMatch(inert, /[\p{Cc}\u2028-\u202E\u2066-\u2069]/u);
      }));

    // A plain surface shows no icons.
    if (make === inertPlain) return;
    it('starts no icon', () => always((text) => assert.doesNotMatch(make(text), /\$\(/)));
  });
}

for (const make of [inertNotification, inertLabel, inertPlain]) {
  const bounds = fc.integer({ min: 1, max: 40 });

  describe(`${make.name}() with any bound`, () => {
    it('keeps to the bound', () => {
      fc.assert(
        fc.property(nasty, bounds, (text, max) => {
          const inert = withoutIsolates(make(text, max));
          assert.equal(inert, inert.slice(0, max));
        }),
      );
    });

    it('changes nothing the second time', () => {
      fc.assert(
        fc.property(nasty, bounds, (text, max) => {
          const inert = make(text, max);
          assert.equal(make(withoutIsolates(inert), max), inert);
        }),
      );
    });
  });
}

describe('inertMarkdown() of any text', () => {
  it('has no ASCII but letters, digits, single spaces, and references', () =>
    always((text) => {
      const withoutReferences = inertMarkdown(text).replace(/&#\d+;/g, 'x');
      assert.doesNotMatch(withoutReferences, /[!-/:-@[-`{-~]|^ | $| {2}/);
    }));

  it('reads like the plain text', () =>
    always((text) => {
      const read = inertMarkdown(text).replace(/&#(\d+);/g, (_, code: string) =>
        String.fromCharCode(Number(code)),
      );
      const plain = inertPlain(text, 1000);
      assert.equal(read.replaceAll('\u00A0', ' '), plain.replaceAll('\u00A0', ' '));
    }));
});

function outsideOfCodeSpans(text: string): string {
  return inertProse(text).replace(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');
}

describe('inertProse() of any text', () => {
  it('has only words and the punctuation of sentences outside of its code spans', () =>
    always((text) =>
      assert.doesNotMatch(
        outsideOfCodeSpans(text),
        /[^\p{L}\p{M}\d\s，。：；、（）「」“”‘’"'().,:;!?…–—+&/→←↔·•-]/u,
      ),
    ));

  it('has no address, bullet, or long number outside of its code spans', () =>
    always((text) =>
      assert.doesNotMatch(
        outsideOfCodeSpans(text),
        /:\/\/|\.\p{L}|^[-+] |[+&/]{2}|[&/]\S|\S[&/]|\d{7}/u,
      ),
    ));
});

const inQuotes = (words: string) => `“${words}”`;

describe('inertName()', () => {
  for (const [name, expected] of [
    ['Billing sync', '“Billing sync”'],
    ['Expense approvals, EU', '“Expense approvals, EU”'],
    ['Onboarding – enterprise (2)', '“Onboarding – enterprise (2)”'],
    ['Order sync (dep_1)', '`Order sync (dep_1)`'],
    ['A”, “B', '`A”, “B`'],
    ['a`b, c', '``a`b, c``'],
  ] as const) {
    it(`turns ${name} into ${expected}`, () => assert.equal(inertName(name, inQuotes), expected));
  }

  it('holds any name between two marks that stand nowhere else in it', () =>
    always((text) => assert.match(inertName(text, inQuotes), /^“[^“”`]*”$|^(`+)(?!`)[^]*[^`]\1$/)));
});

it('codeSpan() of any text is closed by its own fence only', () =>
  always((text) => {
    const span = codeSpan(text);
    const fence = /^`+/.exec(span)?.[0] ?? '';
    const fences = span.match(/`+/g)?.filter((run) => run === fence);
    assert.deepEqual(fences, [fence, fence]);
  }));

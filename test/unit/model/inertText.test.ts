import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  codeSpan,
  inertLabel,
  inertMarkdown,
  inertNotification,
  inertPlain,
  inertProse,
  shorten,
  shortenKeyId,
  shortenMiddle,
  visibleControls,
} from '../../../src/model/inertText.js';

/** Any UTF-16, rich in what is dangerous somewhere. */
const nasty = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('$(', '](', '[x](command:a)', 'www.a.b', 'https://a.b', 'a@b.c', '`', '``', '<b>', '&lt;', '\n'),
      fc.constantFrom('\u202E', '\u200D', '\u200C', '\uFE0F', '\uD83D', '\uDE00', '👩', 'ب', '\u115F', '\\', '|', ' '),
    ),
  )
  .map((parts) => parts.join(''));

/** A fact about any text. */
function always(fact: (text: string) => void): void {
  fc.assert(fc.property(nasty, fact));
}

describe('visibleControls', () => {
  for (const [text, expected] of [
    ['a\r\nb\tc', 'a␊b␉c'],
    ['\u0000\u001b\u007f\u0085', '␀␛␡⟨U+0085⟩'],
    ['pay\u202Egpj.exe a\u200Bb\u2060c\uFEFF', 'pay⟨U+202E⟩gpj.exe a⟨U+200B⟩b⟨U+2060⟩c⟨U+FEFF⟩'],
    ['a\u200Db', 'a⟨U+200D⟩b'],
    ['half \uD83D', 'half �'],
    ['👩‍💻 ❤️ می‌خواهم', '👩‍💻 ❤️ می‌خواهم'],
    ['a\uFE0F\uFE0F', 'a\uFE0F⟨U+FE0F⟩'],
    ['e\u0301\uFE0F\u200D🏽', 'e\u0301⟨U+FE0F⟩⟨U+200D⟩🏽'],
    ['ب\uDE00\u200D❤', 'ب�⟨U+200D⟩❤'],
    ['\u{E0041}', '⟨U+E0041⟩'],
  ] as const) {
    it(JSON.stringify(text), () => assert.equal(visibleControls(text), expected));
  }

  it('leaves nothing invisible and is idempotent', () =>
    always((text) => {
      const shown = visibleControls(text);
      assert.equal(visibleControls(shown), shown);
      assert.doesNotMatch(shown, /[\p{Cc}\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]|\p{Surrogate}/u);
    }));
});

describe('shorten', () => {
  for (const [text, max, expected] of [
    ['abcd', 3, 'ab…'],
    ['ab👍c', 4, 'ab…'],
    ['ab👩‍💻c', 6, 'ab…'],
    ['ae\u0301x', 3, 'a…'],
    ['abc', 0, ''],
    ['👍👍', 2, '…'],
  ] as const) {
    it(`${JSON.stringify(text)} to ${max}`, () => assert.equal(shorten(text, max), expected));
  }

  it('cuts one endless character between its code points', () => {
    assert.equal(shorten(`ba${'\u0301'.repeat(500)}`, 101), `ba${'\u0301'.repeat(98)}…`);
  });

  for (const [text, expected] of [
    ['Finance Slack of Oslo', 'Finance Sl…k of Oslo'],
    ['Finance Slack (Oslo)', 'Finance Slack (Oslo)'],
    ['123456789👩‍💻0👩‍💻123456', '123456789…123456'],
  ] as const) {
    it(`${text} in the middle`, () => assert.equal(shortenMiddle(text), expected));
  }

  it('is bounded, and cuts only between code points', () => {
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
});

describe('inert text', () => {
  const bounded = { inertNotification, inertLabel, inertPlain };
  for (const [surface, make] of Object.entries({ ...bounded, inertMarkdown, codeSpan, inertProse })) {
    it(`${surface} is one line and starts no icon`, () =>
      always((text) => {
        const inert = make(text);
        assert.doesNotMatch(inert, /[\p{Cc}\u2028-\u202E\u2066-\u2069]/u);
        if (make !== inertPlain) assert.ok(!inert.includes('$('));
      }));
  }

  it('is bounded and idempotent on plain surfaces', () => {
    fc.assert(
      fc.property(
        nasty,
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(...Object.values(bounded)),
        (text, max, make) => {
          const inert = make(text, max);
          assert.ok(inert.length <= max);
          assert.equal(make(inert, max), inert);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is cut without a joiner at its end, which would be made visible by showing it once more', () => {
    assert.equal(inertNotification('ب\u200C\u{1D400}', 3), 'ب…');
  });

  it('inertNotification has no brackets', () => {
    assert.equal(inertNotification('[x](command:evil) $(zap)'), '［x］(command:evil) $ (zap)');
  });

  it('inertMarkdown holds letters, digits, spaces, numeric references and nothing else of ASCII', () =>
    always((text) => {
      const rest = inertMarkdown(text).replace(/&#\d+;/g, 'x');
      assert.match(rest, /^[^!-/:-@[-`{-~]*$/);
      assert.doesNotMatch(rest, /^ | $| {2}/);
    }));

  it('inertMarkdown gives the text back when its references are read', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = inertMarkdown(text).replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
        assert.equal(read.replaceAll('\u00A0', ' '), text);
      }),
    );
  });

  for (const [text, expected] of [
    ['a`b', '``a`b``'],
    ['a``', '``` a`` ```'],
    ['', '` `'],
    [' a ', '`  a  `'],
  ] as const) {
    it(`codeSpan of ${JSON.stringify(text)}`, () => assert.equal(codeSpan(text), expected));
  }

  for (const [text, expected] of [
    ['Finance Slack (slack) failed: token_revoked.', 'Finance Slack (slack) failed: `token_revoked`.'],
    ['Reconnect “Ops @you” (see #1).', 'Reconnect “Ops `@you`” (see `#1`).'],
    ['www.a.b a@b.c <b> a|b `x GH-1 deadbeef1', '`www.a.b` `a@b.c` `<b>` `a|b` `` `x `` `GH-1` `deadbeef1`'],
    ['财务 失败：token_revoked（x_y）。', '财务 失败：`token_revoked`（`x_y`）。'],
  ] as const) {
    it(`inertProse of ${JSON.stringify(text)}`, () => assert.equal(inertProse(text), expected));
  }

  it('inertProse has nothing outside of its code spans but words and the punctuation of sentences', () =>
    always((text) => {
      const rest = inertProse(text).replace(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, '');
      assert.doesNotMatch(rest, /[^\p{L}\p{M}\s，。：；、（）「」“”‘’"'().,:;!?…-]/u);
      assert.doesNotMatch(rest, /:\/\/|\.\p{L}/u);
    }));

  it('codeSpan is closed by its own fence only', () =>
    always((text) => {
      const span = codeSpan(text);
      const fence = /^`+/.exec(span)?.[0] ?? '';
      assert.equal(span.match(/`+/g)?.filter((run) => run === fence).length, 2);
    }));
});

describe('shortenKeyId', () => {
  for (const [keyId, expected] of [
    ['elevenchars', '…'],
    ['twelve_chars', 'twel…hars'],
    ['👍'.repeat(12), '👍👍👍👍…👍👍👍👍'],
    ['👍'.repeat(6), '…'],
  ] as const) {
    it(keyId, () => assert.equal(shortenKeyId(keyId), expected));
  }
});

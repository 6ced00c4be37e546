import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Reference } from '../../../../src/model/references/reference.js';
import { ReferenceIndex } from '../../../../src/model/references/referenceIndex.js';

/** One character: letters, digits, marks, and pairs that are token characters, and a few that are not. */
const unit = fc.constantFrom(
  'a',
  'b',
  '1',
  '-',
  '_',
  'é',
  'e\u0301',
  '漢',
  '了',
  'ー',
  'ก',
  '𝐀',
  '.',
  '/',
  ':',
  '👍',
  '\uD835',
  ' ',
  '"',
  '\\',
  'n',
  '%',
  '[',
  'm',
);
/** An escape or code, whose last letter or digit is no part of the text behind it. */
const code = fc.constantFrom(
  '\\n',
  '\\t',
  '\\x0a',
  '\\u000a',
  '\\033[31m',
  '%2F',
  '%252F',
  '[31m',
  '\x1b[1;31m',
  '\x1b[K',
  '\\',
);
/** One of few characters, so that nearly every ID overlaps with others. */
const fewUnits = fc.constantFrom('a', 'b', '/', ':', '𝐀', '👍', '漢', '_', '%2F', '\\n');
const id = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit, minLength: 1, maxLength: 3 }) },
  { weight: 4, arbitrary: fc.string({ unit, minLength: 4, maxLength: 12 }) },
  { weight: 4, arbitrary: fc.string({ unit: fewUnits, minLength: 1, maxLength: 7 }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'dep_1',
      'dep_10',
      'my-dep_1',
      'a.b.c',
      '...',
      'a\nb',
      'x'.repeat(500),
    ),
  },
);
const ids = fc.uniqueArray(id, { maxLength: 20 });

/** Any text in which some of the IDs stand, whole or as parts of something else. */
function textWith(known: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(
    ...known.map((one) => fc.constant(one)),
    unit,
    fewUnits,
    code,
    fc.constantFrom('\n', '\r\n', '-', '_', '__'),
  );
  return fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
}

const cases = ids.chain((known) => fc.tuple(fc.constant(known), textWith(known)));

const languages = fc.constantFrom('markdown', 'typescript');
const token = /[\p{L}\p{N}\p{M}_-]/u;
const unspaced =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;
const letterEscape = '[A-TV-Za-tvwyz]';
const hexEscape = String.raw`x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}`;
const octalEscape = '0[0-7]{0,2}';
const endsInEscape = new RegExp(
  String.raw`(?<!\\)(\\\\)*\\(${letterEscape}|${hexEscape}|${octalEscape})$`,
);
const terminalEscape = String.raw`(${'\x1b'}|\\e|\\033|\\x1b|\\u001b)\[`;
const color = String.raw`(\[[\d;:]+|${terminalEscape})[mK]`;
const endsInOtherCode = new RegExp(String.raw`(%(25){0,3}[\dA-Fa-f]{2}|${color})$`);

function changesScript(outer: string, inner: string): boolean {
  return /[A-Za-z\d]/.test(inner) && /[\p{L}\p{M}]/u.test(outer) && unspaced.test(outer);
}

/** Whether the reference is a whole token, decided in the plainest way. */
function isWhole(text: string, { id: one, start, end }: Reference, languageId: string): boolean {
  const [left, right] = [text.slice(0, start), text.slice(end)];
  const before = Array.from(left).at(-1) ?? '';
  const after = Array.from(right)[0] ?? '';
  const isCode = endsInEscape.test(left) || endsInOtherCode.test(left);
  const begins = !token.test(before) || isCode || changesScript(before, one[0]!);
  const ends = !token.test(after) || changesScript(after, one.at(-1)!);
  const [, opening] = /(?<![\p{L}\p{N}\p{M}_-])(_{1,3})$/u.exec(left) ?? [];
  const [, closing] = /^(_{1,3})(?![\p{L}\p{N}\p{M}_-])/u.exec(right) ?? [];
  const isEmphasized = languageId === 'markdown' && opening !== undefined && opening === closing;
  return (begins && ends) || isEmphasized;
}

/** The references that a slow search in the plainest way finds. */
function naive(text: string, known: readonly string[], languageId: string): readonly Reference[] {
  const found: Reference[] = [];
  for (const one of known) {
    if (!token.test(one) || /[\r\n]|\p{Surrogate}/u.test(one)) continue;
    for (let start = text.indexOf(one); start >= 0; start = text.indexOf(one, start + 1)) {
      const reference = { id: one, start, end: start + one.length };
      if (isWhole(text, reference, languageId)) found.push(reference);
    }
  }
  const counted: Reference[] = [];
  for (const one of found.toSorted((a, b) => b.id.length - a.id.length || a.start - b.start)) {
    if (counted.every(({ start, end }) => end <= one.start || one.end <= start)) counted.push(one);
  }
  return counted.toSorted((a, b) => a.start - b.start);
}

/** An index with these IDs. */
function indexOf(all: Iterable<string>): ReferenceIndex {
  const index = new ReferenceIndex();
  for (const one of all) index.add(one);
  return index;
}

/** Each reference as “ID@offset”. */
function textOf(references: readonly Reference[]): string {
  return references.map(({ id: one, start }) => `${one}@${start}`).join(' ');
}

describe('ReferenceIndex', () => {
  it('finds an ID only as a whole token', () => {
    const wholes = 'dep_1 x=dep_1;dep_1 dep_1.dep_1 👍dep_1👍';
    const parts = 'dep_10 my-dep_1 dep_1-old dep_1_ édep_1 dep_1\u0301 𝐀dep_1 dep_1𝐀 ';
    const found = indexOf(['dep_1']).scan(parts + wholes, '');
    const offsetsInWholes = found.map(({ start }) => start - parts.length);
    assert.deepEqual(offsetsInWholes, [0, 8, 14, 20, 26, 34]);
  });

  it('finds what a naive search finds after IDs have come and gone', () => {
    fc.assert(
      fc.property(cases, fc.array(id), languages, ([known, text], gone, languageId) => {
        const index = indexOf([...gone, ...known]);
        index.scan(text, languageId);
        for (const one of gone) if (!known.includes(one)) index.delete(one);
        assert.deepEqual(index.scan(text, languageId), naive(text, known, languageId));
      }),
      { numRuns: 2000 },
    );
  });

  it('finds no ID behind digits that follow an escape of four digits', () => {
    const found = indexOf(['_/a', 'b']).scan(String.raw`\u000a1111_/a \u000ab`, 'markdown');
    assert.equal(textOf(found), 'b@20');
  });

  for (const [what, known, text, expected] of [
    ['the longest of overlapping IDs', ['a', 'a/b', 'b/c/d', 'd'], 'a/b/c/d d', 'a@0 b/c/d@2 d@8'],
    [
      'the first of two overlapping IDs of the same length',
      ['a/b', 'b/c'],
      'a/b/c b/c',
      'a/b@0 b/c@6',
    ],
    ['every other occurrence of an ID that overlaps itself', ['a/a'], 'a/a/a/a', 'a/a@0 a/a@4'],
    [
      'an ID at the end of another one that does not count',
      ['aa/b', 'b/c', 'c'],
      'aa/b/c',
      'aa/b@0 c@5',
    ],
    ['an ID that begins and ends with a slash', ['/a/'], 'x/a/ /a/x //a//', '/a/@11'],
    ['no ID without a token character', ['...', '👍'], '... 👍', ''],
    [
      'no ID of more than 1,000 characters',
      ['x'.repeat(1001), `x/${'y'.repeat(999)}`],
      `x/${'y'.repeat(999)}`,
      '',
    ],
  ] as const) {
    it(`finds ${what}`, () => assert.equal(textOf(indexOf(known).scan(text, '')), expected));
  }

  const many = Array.from({ length: 2000 }, (_, at) => at);
  for (const [how, known, part, count] of [
    ['share their beginning', many.map((at) => `production/${at}`), 'production ', 0],
    ['share their end', many.map((at) => `${at}/production`), 'production/', 0],
    ['begin with other IDs', many.slice(0, 500).map((at) => `${'a/'.repeat(at)}a`), 'a/', 500],
    ['share all but their ends', many.slice(0, 490).map((at) => `${'a/'.repeat(at)}b`), 'a/', 0],
  ] as const) {
    it(`scans 500,000 characters without delay when ${known.length} IDs ${how}`, () => {
      const found = indexOf(known).scan(part.repeat(500_000 / part.length), '');
      assert.equal(found.length, count);
    });
  }

  describe('in “see dep_1, my-dep_1 a.dep_1 x c.//b d//e”', () => {
    const text = 'see dep_1, my-dep_1 a.dep_1 x c.//b d//e';
    const index = indexOf(['dep_1', 'x', 'a.dep_1', '/b', 'c./', 'd/', '/e']);
    for (const [position, expected] of [
      [3, ''],
      [4, 'dep_1@4'],
      [9, 'dep_1@4'],
      [10, ''],
      [15, ''],
      [23, 'a.dep_1@20'],
      [28, 'x@28'],
      [29, 'x@28'],
      [33, 'c./@30'],
      [38, 'd/@36'],
    ] as const) {
      it(`finds ${expected === '' ? 'nothing' : expected} at position ${position}`, () => {
        const found = index.referenceAt(text, position, '');
        assert.equal(textOf(found ? [found] : []), expected);
      });
    }
  });

  it('finds at a position of a long line what a scan of the line finds there', () => {
    const far = fc.constantFrom(
      '',
      'a/'.repeat(3000),
      '𝐀'.repeat(2500),
      '👍'.repeat(2500),
      '- '.repeat(3000),
    );
    fc.assert(
      fc.property(cases, far, far, languages, ([known, text], before, after, languageId) => {
        const index = indexOf(known);
        const line = `${before}"${text}"${after}`;
        const whole = index.scan(line, languageId);
        for (let at = before.length + 1; at <= before.length + 1 + text.length; at++) {
          const touching = whole.filter(({ start, end }) => start <= at && at <= end);
          const [longest] = touching.toSorted((a, b) => b.id.length - a.id.length);
          assert.deepEqual(index.referenceAt(line, at, languageId), longest, `position ${at}`);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('finds no ID that is only a part of a token at the cut of a long line', () => {
    const index = indexOf(['x'.repeat(1000), '𝐀/a']);
    const line = '𝐀x'.repeat(3000);
    for (const at of [1000, 3000, 4500, 4501, 8000])
      assert.equal(index.referenceAt(line, at, ''), undefined, `position ${at}`);
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { DocumentReferences, type TextChange } from '../../../../src/model/references/document.js';
import { type Reference, ReferenceIndex } from '../../../../src/model/references/known.js';

/** Letters, digits, marks and pairs that are token characters, and a few of each kind that are not. */
const unit = fc.constantFrom('a', 'b', '1', '-', '_', 'é', 'e\u0301', '漢', '𝐀', '.', '/', '👍', '\uD835', ' ', '"');
const id = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit, minLength: 1, maxLength: 3 }) },
  { weight: 4, arbitrary: fc.string({ unit, minLength: 4, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('dep_1', 'dep_10', 'my-dep_1', 'a.b.c', '...', 'x'.repeat(500)) },
);
const ids = fc.uniqueArray(id, { maxLength: 12 });

/** A text in which some of the ids stand, whole or as parts of something. */
function textWith(known: readonly string[]): fc.Arbitrary<string> {
  const piece =
    known.length === 0 ? unit : fc.oneof(fc.constantFrom(...known), unit, fc.constantFrom('\n', '\r\n', '-'));
  return fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
}

const token = /[\p{L}\p{N}\p{M}_-]/u;

function naive(text: string, known: Iterable<string>): readonly Reference[] {
  const found: Reference[] = [];
  for (const one of known) {
    if (/[\r\n]|\p{Surrogate}/u.test(one)) continue;
    for (let start = text.indexOf(one); start >= 0; start = text.indexOf(one, start + 1)) {
      const end = start + one.length;
      const before = Array.from(text.slice(0, start)).at(-1) ?? '';
      const after = Array.from(text.slice(end))[0] ?? '';
      if (!token.test(before) && !token.test(after)) found.push({ id: one, start, end });
    }
  }
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

describe('ReferenceIndex', () => {
  it('finds whole tokens', () => {
    const wholes = 'dep_1 x=dep_1;dep_1 dep_1.dep_1 👍dep_1👍';
    const parts = 'dep_10 my-dep_1 dep_1-old dep_1_ édep_1 dep_1\u0301 𝐀dep_1 dep_1𝐀';
    const found = new ReferenceIndex(['dep_1']).scan(`${parts} ${wholes}`);
    assert.deepEqual(
      found.map(({ start }) => start - parts.length - 1),
      [0, 8, 14, 20, 26, 34],
    );
  });

  it('finds what a naive search finds', () => {
    const cases = ids.chain((known) => fc.tuple(fc.constant(known), textWith(known)));
    fc.assert(
      fc.property(cases, ([known, text]) => {
        assert.deepEqual(new ReferenceIndex(known).scan(text), naive(text, known));
      }),
      { numRuns: 1000 },
    );
  });
});

/** What a change leaves, and how an editor tells of it. */
function apply(text: string, { from, length }: { from: number; length: number }, inserted: string) {
  const start = from % (text.length + 1);
  const end = Math.min(text.length, start + length);
  const lineOf = (offset: number) => ({ line: text.slice(0, offset).split('\n').length - 1 });
  const change: TextChange = { range: { start: lineOf(start), end: lineOf(end) }, text: inserted };
  return { change, text: text.slice(0, start) + inserted.replaceAll('\r\n', '\n') + text.slice(end) };
}

describe('DocumentReferences', () => {
  const edit = fc.record({ from: fc.nat(), length: fc.nat(8) });
  const cases = ids.chain((known) =>
    fc.tuple(fc.constant(known), textWith(known), fc.array(fc.tuple(edit, textWith(known)), { maxLength: 6 })),
  );

  it('has what a naive search of every line has, before and after edits', () => {
    fc.assert(
      fc.property(cases, fc.boolean(), fc.integer({ min: 1, max: 50 }), ([known, before, edits], eachTime, size) => {
        let text = before.replaceAll('\r\n', '\n');
        const document = {
          lineCount: text.split('\n').length,
          lineAt: (line: number) => ({ text: text.split('\n')[line] ?? assert.fail('no such line') }),
        };
        const references = new DocumentReferences(new ReferenceIndex(known), document);
        const check = () => {
          for (const _ of references.update(size));
          const expected = text.split('\n').map((one, line) => naive(one, known).map((found) => ({ ...found, line })));
          assert.deepEqual([...references], expected.flat());
        };
        if (eachTime) check();
        for (const [place, inserted] of edits) {
          // An edit may come in the middle of a scan.
          references.update(size).next();
          const after = apply(text, place, inserted);
          text = after.text;
          references.edit(after.change);
          if (eachTime) check();
        }
        check();
      }),
      { numRuns: 500 },
    );
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { DocumentReferences } from '../../../../src/model/references/document.js';
import { type Reference, ReferenceIndex } from '../../../../src/model/references/known.js';

/** Letters, digits, marks and pairs that are token characters, and a few of each kind that are not. */
const unit = fc.constantFrom('a', 'b', '1', '-', '_', 'é', 'e\u0301', '漢', '𝐀', '.', '/', '👍', '\uD835', ' ', '"');
const id = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit, minLength: 1, maxLength: 3 }) },
  { weight: 4, arbitrary: fc.string({ unit, minLength: 4, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('dep_1', 'dep_10', 'my-dep_1', 'a.b.c', '...', 'a\nb', 'x'.repeat(500)) },
);

/** A text in which some of the ids stand, whole or as parts of something. */
function textWith(known: readonly string[]): fc.Arbitrary<string> {
  const piece = fc.oneof(...known.map((one) => fc.constant(one)), unit, fc.constantFrom('\n', '\r\n', '-'));
  return fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
}

const token = /[\p{L}\p{N}\p{M}_-]/u;

function naive(text: string, known: readonly string[]): readonly Reference[] {
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

describe('references', () => {
  it('are whole tokens', () => {
    const wholes = 'dep_1 x=dep_1;dep_1 dep_1.dep_1 👍dep_1👍';
    const parts = 'dep_10 my-dep_1 dep_1-old dep_1_ édep_1 dep_1\u0301 𝐀dep_1 dep_1𝐀 ';
    const found = new ReferenceIndex(['dep_1']).scan(parts + wholes);
    assert.equal(found.map(({ start }) => start - parts.length).join(), '0,8,14,20,26,34');
  });

  const edit = fc.record({ from: fc.nat(), length: fc.nat(8) });
  const cases = fc.uniqueArray(id, { maxLength: 12 }).chain((known) => {
    const edits = fc.array(fc.tuple(edit, textWith(known)), { maxLength: 6 });
    return fc.tuple(fc.constant(known), textWith(known), edits);
  });

  it('are in each line what a naive search finds there, before and after edits', () => {
    fc.assert(
      fc.property(cases, fc.boolean(), fc.integer({ min: 1, max: 50 }), ([known, content, edits], eachTime, size) => {
        let text = content.replaceAll('\r\n', '\n');
        const lines = () => text.split('\n');
        const lineAt = (line: number) => ({ text: lines()[line] ?? assert.fail('no such line') });
        const document = { lineCount: lines().length, lineAt };
        const references = new DocumentReferences(new ReferenceIndex(known), document);
        const check = () => {
          for (const _ of references.update(size));
          const expected = lines().flatMap((one, line) => naive(one, known).map((found) => ({ ...found, line })));
          assert.deepEqual([...references], expected);
        };
        if (eachTime) check();
        for (const [{ from, length }, inserted] of edits) {
          // An edit may come in the middle of a scan.
          references.update(size).next();
          const start = from % (text.length + 1);
          const end = Math.min(text.length, start + length);
          const at = (offset: number) => ({ line: text.slice(0, offset).split('\n').length - 1 });
          references.edit({ range: { start: at(start), end: at(end) }, text: inserted });
          text = text.slice(0, start) + inserted.replaceAll('\r\n', '\n') + text.slice(end);
          if (eachTime) check();
        }
        check();
      }),
      { numRuns: 1000 },
    );
  });
});

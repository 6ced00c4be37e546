import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { type Reference, ReferenceIndex } from '../../../../src/model/references/referenceIndex.js';

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
    if (one === '' || /[\r\n]|\p{Surrogate}/u.test(one)) continue;
    for (let start = text.indexOf(one); start >= 0; start = text.indexOf(one, start + 1)) {
      const end = start + one.length;
      const before = Array.from(text.slice(0, start)).at(-1) ?? '';
      const after = Array.from(text.slice(end))[0] ?? '';
      if (!token.test(before) && !token.test(after)) found.push({ id: one, start, end });
    }
  }
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

function indexOf(ids: Iterable<string>): ReferenceIndex {
  const index = new ReferenceIndex();
  for (const one of ids) index.add(one);
  return index;
}

describe('ReferenceIndex', () => {
  it('finds whole tokens', () => {
    const wholes = 'dep_1 x=dep_1;dep_1 dep_1.dep_1 👍dep_1👍';
    const parts = 'dep_10 my-dep_1 dep_1-old dep_1_ édep_1 dep_1\u0301 𝐀dep_1 dep_1𝐀 ';
    const found = indexOf(['dep_1']).scan(parts + wholes);
    assert.equal(found.map(({ start }) => start - parts.length).join(), '0,8,14,20,26,34');
  });

  const cases = fc.uniqueArray(id, { maxLength: 12 }).chain((known) => fc.tuple(fc.constant(known), textWith(known)));

  it('finds in a text of several lines what a naive search finds, also after ids have come and gone', () => {
    fc.assert(
      fc.property(cases, fc.array(id), ([known, text], gone) => {
        const index = indexOf([...gone, ...known]);
        for (const one of gone) if (!known.includes(one)) index.delete(one);
        assert.deepEqual(index.scan(text), naive(text, known));
      }),
      { numRuns: 1000 },
    );
  });

  it('finds at a position, borders included, the longer id first', () => {
    const index = indexOf(['dep_1', 'x', 'a.dep_1', 'x.y']);
    const text = 'see dep_1, my-dep_1 a.dep_1 x x.y';
    const found = [3, 4, 9, 10, 15, 23, 29, 30].map((character) => {
      const at = index.at(text, character);
      return at.map(({ id: one, start }) => `${one}@${start}`).join(' ');
    });
    assert.deepEqual(found, ['', 'dep_1@4', 'dep_1@4', '', '', 'a.dep_1@20 dep_1@22', 'x@28', 'x.y@30 x@30']);
  });
});

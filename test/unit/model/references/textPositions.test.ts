import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { positionsOf, referencesInLines } from '../../../../src/model/references/textPositions.js';

describe('positionsOf()', () => {
  it('finds the line and the character of each offset', () => {
    const text = fc.array(fc.constantFrom('a', '😀', '\n', '\r\n', '\n\n'), { maxLength: 20 });
    fc.assert(
      fc.property(text, fc.array(fc.nat(40)), (parts, numbers) => {
        const whole = parts.join('');
        const offsets = numbers
          .map((number) => Math.min(number, whole.length))
          .toSorted((a, b) => a - b);
        const expected = offsets.map((offset) => {
          const lines = whole.slice(0, offset).split('\n');
          return { line: lines.length - 1, character: lines.at(-1)!.length };
        });
        assert.deepEqual(positionsOf(offsets, whole), expected);
      }),
    );
  });
});

describe('referencesInLines()', () => {
  const text = 'dep_1\r\n\r\n a dep_2 dep_1';
  const references = [
    { id: 'dep_1', start: 0, end: 5 },
    { id: 'dep_2', start: 12, end: 17 },
    { id: 'dep_1', start: 18, end: 23 },
  ];

  it('finds the line of each reference and its place in the line', () => {
    assert.deepEqual(referencesInLines(references, text), [
      { id: 'dep_1', line: 0, start: 0, end: 5 },
      { id: 'dep_2', line: 2, start: 3, end: 8 },
      { id: 'dep_1', line: 2, start: 9, end: 14 },
    ]);
  });

  it('counts lines from the line in which the text begins', () => {
    const lines = referencesInLines(references, text, 100).map(({ line }) => line);
    assert.deepEqual(lines, [100, 102, 102]);
  });
});

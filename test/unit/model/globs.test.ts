import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { globsOf, maxGlobs } from '../../../src/model/globs.js';

/** Expands the first innermost braces, and then the rest. Some come several times. */
function naive(pattern: string): string[] {
  const [group, inner] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (group === undefined || inner === undefined) return [pattern];
  return inner.split(',').flatMap((choice) => naive(pattern.replace(group, () => choice)));
}

const { pattern: balanced } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc.array(tie('part'), { maxLength: 3 }).map((parts) => parts.join('')),
  part: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom('a', '**/', '*.ts', ',', ''),
    fc.array(tie('pattern'), { minLength: 1, maxLength: 3 }).map((parts) => `{${parts.join(',')}}`),
  ),
}));

function choices(count: number): string {
  return `{${Array.from({ length: count }, (_, at) => at).join()}}`;
}

const counts = (...patterns: string[]) => {
  const { globs, unread } = globsOf(patterns);
  return [globs.length, unread.length];
};

describe('the globs of patterns', () => {
  it('are those of all choices in braces, also of braces in braces', () => {
    assert.deepEqual(globsOf(['**/{out,{x,y}/gen*}', '{a}{,b}c', 'd,e', '{}']), {
      globs: ['**/out', '**/x/gen*', '**/y/gen*', 'ac', 'abc', 'd,e', ''],
      unread: [],
    });
    fc.assert(
      fc.property(balanced, (pattern) => {
        // The naive way takes seconds for the half a million globs that three nested parts can stand for.
        fc.pre(pattern.split('{').length <= 8);
        const { globs, unread } = globsOf([pattern]);
        if (unread.length === 0) assert.deepEqual(new Set(globs), new Set(naive(pattern)));
        else assert.ok(naive(pattern).length > maxGlobs);
      }),
    );
  });

  for (const pattern of ['{', '}', '{a', 'a}', '{a,{b}', '{a}}', '}{']) {
    it(`are none where the braces do not match, as in ${pattern}`, () =>
      assert.deepEqual(globsOf(['a', pattern, 'b']), { globs: ['a', 'b'], unread: [pattern] }));
  }

  it('are at most 500 of one pattern', () => {
    assert.deepEqual(counts(choices(500)), [500, 0]);
    assert.deepEqual(counts(choices(501)), [0, 1]);
    assert.deepEqual(counts('{a,b}'.repeat(8)), [256, 0]);
    assert.deepEqual(counts('{a,b}'.repeat(9)), [0, 1]);
    assert.deepEqual(counts('{a,b}'.repeat(2000), 'c'), [1, 1]);
  });

  it('are at most 500 together, where a later pattern can still fit', () => {
    assert.deepEqual(counts('{a,b}'.repeat(8), '{a,b}'.repeat(8), '{c,d}', 'e'), [259, 1]);
    assert.deepEqual(counts(...Array.from({ length: 600 }, (_, at) => `a${at}`)), [500, 100]);
  });

  for (const part of ['{', '}', '{a}', '{a,b}', '{a,', ',}', 'a,', 'a']) {
    it(`are found out at once in 1 MB of ${part}`, () =>
      assert.deepEqual(counts(part.repeat(1_000_000 / part.length)), [0, 1]));
  }

  it('are found in time that grows with the patterns alone', () => {
    const one = choices(499);
    assert.deepEqual(
      counts(one + '{b}'.repeat(2500), ...Array.from({ length: 2000 }, () => '{a,b}'.repeat(1000))),
      [499, 2000],
    );
  });
});

import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { globsOf, maxGlobs } from '../../../src/model/globs.js';

/** Expands a pattern in the plainest way: the first innermost braces, and then the rest. */
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

/** How many globs the patterns have, and how many patterns are not applied. */
function counts(...patterns: string[]) {
  const { globs, unread } = globsOf(patterns);
  return { globs: globs.length, unread: unread.length };
}

describe('the globs of search.exclude', () => {
  for (const [pattern, globs] of [
    ['**/{out,{x,y}/gen*}', ['**/out', '**/x/gen*', '**/y/gen*']],
    ['{a}{,b}c', ['ac', 'abc']],
    ['d,e', ['d,e']],
    ['{}', ['']],
  ] as const) {
    it(`are ${globs.join(' and ') || 'an empty one'} when the pattern is ${pattern}`, () => {
      assert.deepEqual(globsOf([pattern]), { globs, unread: [] });
    });
  }

  it('are those of all patterns in their order', () => {
    assert.deepEqual(globsOf(['{a,b}', 'c']), { globs: ['a', 'b', 'c'], unread: [] });
  });

  it('are all choices of nested braces', () => {
    fc.assert(
      fc.property(balanced, (pattern) => {
        // The naive way takes seconds for the half a million globs that three nested parts can stand for.
        fc.pre(pattern.split('{').length <= 8);
        const { globs, unread } = globsOf([pattern]);
        fc.pre(unread.length === 0);
        assert.deepEqual(new Set(globs), new Set(naive(pattern)));
      }),
    );
  });

  it('are left out only when a pattern has too many', () => {
    fc.assert(
      fc.property(balanced, (pattern) => {
        fc.pre(pattern.split('{').length <= 8);
        if (globsOf([pattern]).unread.length === 0) return;
        const { length } = naive(pattern);
        assert.ok(length > maxGlobs, `${length} globs, at most ${maxGlobs} allowed`);
      }),
    );
  });

  for (const pattern of ['{', '}', '{a', 'a}', '{a,{b}', '{a}}', '}{']) {
    it(`are none of ${pattern}, whose braces do not match`, () =>
      assert.deepEqual(globsOf(['a', pattern, 'b']), { globs: ['a', 'b'], unread: [pattern] }));
  }

  for (const [what, patterns, expected] of [
    ['a pattern has 500', [choices(500)], { globs: 500, unread: 0 }],
    ['a pattern has 501', [choices(501)], { globs: 0, unread: 1 }],
    ['a pattern has 256 combinations', ['{a,b}'.repeat(8)], { globs: 256, unread: 0 }],
    ['a pattern has 512 combinations', ['{a,b}'.repeat(9)], { globs: 0, unread: 1 }],
    ['one of two patterns has too many', ['{a,b}'.repeat(2000), 'c'], { globs: 1, unread: 1 }],
    [
      'a later pattern can still fit',
      ['{a,b}'.repeat(8), '{a,b}'.repeat(8), '{c,d}', 'e'],
      { globs: 259, unread: 1 },
    ],
    [
      'there are 600 patterns',
      Array.from({ length: 600 }, (_, at) => `a${at}`),
      { globs: 500, unread: 100 },
    ],
  ] as const) {
    it(`are ${expected.globs} when ${what}`, () => {
      assert.deepEqual(counts(...patterns), expected);
    });
  }

  for (const part of ['{', '}', '{a}', '{a,b}', '{a,', ',}', 'a,', 'a']) {
    it(`are found without delay when the pattern is 1 MB of ${part}`, () => {
      const pattern = part.repeat(1_000_000 / part.length);
      assert.deepEqual(counts(pattern), { globs: 0, unread: 1 });
    });
  }

  it('are found without delay when 2,000 long patterns have too many', () => {
    const first = choices(499) + '{b}'.repeat(2500);
    const others = Array.from({ length: 2000 }, () => '{a,b}'.repeat(1000));
    assert.deepEqual(counts(first, ...others), { globs: 499, unread: 2000 });
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  compareGroups,
  deploymentsByGroup,
  type GroupName,
  hasGroups,
} from '../../../src/model/groups.js';
import { anyText, inGroup } from './tree/trees.js';

const anyGroup = fc.option(
  fc.oneof(fc.constantFrom('payments', 'Payments', 'payments ', 'team 2', 'team 10'), anyText),
  { nil: undefined },
);

describe('the order of groups', () => {
  it('is that of their names, with numbers by their value, and No group last', () => {
    const groups: readonly GroupName[] = [undefined, 'zebra', 'team 10', 'team 2', 'orders'];
    // Sorting an array leaves `undefined` out of the comparisons.
    const sorted = groups
      .map((name) => ({ name }))
      .toSorted((a, b) => compareGroups(a.name, b.name));
    assert.deepEqual(
      sorted.map(({ name }) => name),
      ['orders', 'team 2', 'team 10', 'zebra', undefined],
    );
  });

  it('has No group equal to itself', () => {
    assert.equal(compareGroups(undefined, undefined), 0);
  });

  it('has a name equal to itself alone', () => {
    fc.assert(
      fc.property(anyGroup, anyGroup, (a, b) => {
        assert.equal(compareGroups(a, b) === 0, a === b);
      }),
    );
  });

  it('is the reverse when two groups change places', () => {
    fc.assert(
      fc.property(anyGroup, anyGroup, (a, b) => {
        assert.equal(Math.sign(compareGroups(a, b)) + Math.sign(compareGroups(b, a)), 0);
      }),
    );
  });

  it('is the same for each order in which groups are given', () => {
    const sorted = (names: readonly GroupName[]) =>
      names.map((name) => ({ name })).toSorted((a, b) => compareGroups(a.name, b.name));
    fc.assert(
      fc.property(fc.array(anyGroup), (names) => {
        assert.deepEqual(sorted(names.toReversed()), sorted(names));
      }),
    );
  });

  it('tells names apart that sort alike', () => {
    // The same letter, composed and decomposed.
    assert.equal(compareGroups('e\u0301', '\u00E9'), -1);
    assert.equal(compareGroups('\u00E9', 'e\u0301'), 1);
  });
});

describe('a list of deployments', () => {
  for (const [what, has, groups] of [
    ['one is in a group', true, [undefined, 'payments']],
    ['none is in a group', false, [undefined, undefined]],
    ['it is empty', false, []],
  ] as const) {
    it(`${has ? 'has' : 'has no'} groups when ${what}`, () => {
      assert.equal(hasGroups(groups.map((group) => inGroup('a', group))), has);
    });
  }
});

describe('the deployments by group', () => {
  it('are in the order of the list, and so are their groups', () => {
    const listed = [
      inGroup('a', 'payments'),
      inGroup('b'),
      inGroup('c', 'Payments'),
      inGroup('d', 'payments'),
      inGroup('e'),
    ];
    const ids = Array.from(deploymentsByGroup(listed), ([name, deployments]) => {
      return [name, deployments.map(({ id }) => id).join('')] as const;
    });
    assert.deepEqual(ids, [
      ['payments', 'ad'],
      [undefined, 'be'],
      ['Payments', 'c'],
    ]);
  });
});

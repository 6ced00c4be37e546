import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import { isRecord } from '../../../../src/api/decode.js';
import {
  entryOf,
  groupProblem,
  groupsIn,
  idOf,
  malformedValues,
  mergeEntries,
  readEntry,
  unusableFields,
  withGroups,
  withId,
  withLabel,
  withoutKeys,
  withRestored,
} from '../../../../src/model/entered/listEntries.js';

describe('an entry of the deployments setting', () => {
  for (const [what, entry, expected] of [
    ['an ID', 'dep_1', { id: 'dep_1' }],
    ['an ID of 1000 characters', 'x'.repeat(1000), { id: 'x'.repeat(1000) }],
    ['an object with an ID', { id: 'dep_1' }, { id: 'dep_1' }],
    ['an object with a blank label', { id: 'dep_1', label: ' ' }, { id: 'dep_1' }],
    ['an object with another field', { id: 'dep_1', note: 1 }, { id: 'dep_1' }],
    [
      'an object with a label',
      { id: 'dep_1', label: ' Billing ' },
      { id: 'dep_1', label: 'Billing' },
    ],
    ['an object with a label that is no text', { id: 'dep_1', label: 5 }, { id: 'dep_1' }],
    ['an object with a group that is no text', { id: 'dep_1', group: 5 }, { id: 'dep_1' }],
    [
      'an object with a group and an unusable label',
      { id: 'dep_1', label: null, group: 'payments' },
      { id: 'dep_1', group: 'payments' },
    ],
    [
      'an object with a label and an unusable group',
      { id: 'dep_1', label: 'Billing', group: ' ' },
      { id: 'dep_1', label: 'Billing' },
    ],
  ] as const) {
    it(`is read when it is ${what}`, () => assert.deepEqual(readEntry(entry), expected));
  }

  for (const entry of [
    ' ',
    '.',
    '..',
    'a\ud800',
    'dep\n1',
    { id: '\u001b[32mdep_1' },
    'x'.repeat(1001),
    5,
    null,
    ['dep_1'],
    {},
    { id: 5 },
    { id: '' },
  ]) {
    it(`is malformed when it is ${JSON.stringify(entry).slice(0, 30)}`, () => {
      const malformed = malformedValues(['a', entry, { id: 'b' }]);
      assert.deepEqual(malformed, [{ index: 1, value: entry }]);
    });
  }
});

/** Sixty emoji of one code point each, which have two UTF-16 units. */
const sixtyEmoji = '🚀'.repeat(60);

describe('the group of an entry', () => {
  for (const [what, group] of [
    ['a word', 'payments'],
    ['a word with a capital', 'Payments'],
    ['a word with a space behind it, which stays', 'payments '],
    ['a word with a space before it, which stays', ' payments'],
    ['a name of 60 characters', 'x'.repeat(60)],
    ['a name of 60 emoji', sixtyEmoji],
    ['a name in another script', '支払い'],
    ['a name with an invisible character', 'pay\u200Bments'],
    ['the name of a property of every object', '__proto__'],
  ] as const) {
    it(`is read when it is ${what}`, () => {
      assert.equal(readEntry({ id: 'a', group })?.group, group);
    });
  }

  for (const [what, group, problem] of [
    ['empty', '', 'empty'],
    ['blank', ' \t\u00A0\u3000', 'empty'],
    ['invisible', '\u200B\u2060\uFEFF', 'empty'],
    ['a control character', '\u0007', 'empty'],
    ['half an emoji', '\ud83d', 'empty'],
    ['a name of 61 characters', 'x'.repeat(61), 'tooLong'],
    ['a name of 61 emoji', `${sixtyEmoji}🚀`, 'tooLong'],
  ] as const) {
    it(`has a problem when it is ${what}`, () => assert.equal(groupProblem(group), problem));

    it(`counts as none when it is ${what}`, () => {
      assert.deepEqual(readEntry({ id: 'a', group }), { id: 'a' });
    });
  }

  it('has no problem when it has 60 characters', () => {
    assert.equal(groupProblem('x'.repeat(60)), undefined);
  });
});

describe('the unusable fields of an entry', () => {
  for (const [what, entry, expected] of [
    ['none of an ID', 'a', []],
    ['none of an object with an ID alone', { id: 'a' }, []],
    ['none of a label and a group', { id: 'a', label: 'A', group: 'payments' }, []],
    ['none of a blank label', { id: 'a', label: ' ' }, []],
    ['none of another field', { id: 'a', note: 5 }, []],
    ['none of a malformed entry', { id: 5, label: 5, group: 5 }, []],
    ['a label that is a number', { id: 'a', label: 5 }, ['label']],
    ['a label that is null', { id: 'a', label: null }, ['label']],
    ['a group that is a number', { id: 'a', group: 5 }, ['group']],
    ['a group that is null', { id: 'a', group: null }, ['group']],
    ['a group that is an object', { id: 'a', group: { name: 'payments' } }, ['group']],
    ['a group that is a list', { id: 'a', group: ['payments'] }, ['group']],
    ['a group that is empty', { id: 'a', group: '' }, ['group']],
    ['a group of 61 characters', { id: 'a', group: 'x'.repeat(61) }, ['group']],
    ['both', { id: 'a', label: {}, group: ' ' }, ['label', 'group']],
  ] as const) {
    it(`are ${what}`, () => assert.deepEqual(unusableFields(entry), expected));
  }
});

describe('malformed values of the deployments setting', () => {
  it('are named by their positions', () => {
    assert.deepEqual(malformedValues([5, 'a', null]), [
      { index: 0, value: 5 },
      { index: 2, value: null },
    ]);
  });

  for (const value of ['dep_1', null]) {
    it(`are all of it when it is ${JSON.stringify(value)}, not a list`, () => {
      assert.deepEqual(malformedValues(value), [{ value }]);
    });
  }

  it('are none when there is no value', () => {
    assert.deepEqual(malformedValues(undefined), []);
  });
});

describe('the deployments setting', () => {
  it('is one list of the entries of all scopes, with the first label found', () => {
    const folder = ['a', { id: 'b', label: 'folder b' }, 7];
    const workspace = [{ id: 'a', label: 'workspace a' }, 'c', { id: 'b', label: 'workspace b' }];
    const user = [{ id: 'c', label: 'user c' }, { id: 'a', label: 'user a' }, 'c', 'd'];
    assert.deepEqual(mergeEntries([folder, workspace, user, undefined, 'no list']), [
      { id: 'a', label: 'workspace a' },
      { id: 'b', label: 'folder b' },
      { id: 'c', label: 'user c' },
      { id: 'd' },
    ]);
  });

  it('has the first group found, whatever the scope of the first label', () => {
    const folder = [{ id: 'a', group: 'folder' }, 'b', 'c'];
    const workspace = [
      { id: 'a', label: 'A', group: 'workspace' },
      { id: 'b', label: 'B' },
    ];
    const user = [
      { id: 'b', label: 'user B', group: 'user' },
      { id: 'c', group: 'user' },
    ];
    assert.deepEqual(mergeEntries([folder, workspace, user]), [
      { id: 'a', label: 'A', group: 'folder' },
      { id: 'b', label: 'B', group: 'user' },
      { id: 'c', group: 'user' },
    ]);
  });

  it('has label and group of a later scope where an earlier one has unusable ones', () => {
    const folder = [{ id: 'a', label: 5, group: '' }];
    const workspace = [{ id: 'a', label: ' ', group: 'x'.repeat(61) }];
    const user = [{ id: 'a', label: 'A', group: 'payments' }];
    const merged = mergeEntries([folder, workspace, user]);
    assert.deepEqual(merged, [{ id: 'a', label: 'A', group: 'payments' }]);
  });

  it('has the first group of an ID that one scope lists twice', () => {
    const twice = ['a', { id: 'a', group: 'payments' }, { id: 'a', group: 'orders' }];
    assert.deepEqual(mergeEntries([twice]), [{ id: 'a', group: 'payments' }]);
  });

  it('has the next group where one is not to be used', () => {
    const workspace = [{ id: 'a', label: 'A', group: 'secret' }];
    const user = [{ id: 'a', group: 'payments' }];
    const merged = mergeEntries([workspace, user], (group) => group !== 'secret');
    assert.deepEqual(merged, [{ id: 'a', label: 'A', group: 'payments' }]);
  });

  it('asks of well-formed groups alone whether they are to be used', () => {
    const asked: string[] = [];
    mergeEntries(
      ['a', { id: 'b', group: 5 }, { id: 'c', group: 'payments' }].map((one) => [one]),
      (group) => {
        asked.push(group);
        return true;
      },
    );
    assert.deepEqual(asked, ['payments']);
  });

  it('has no group where the only one is not to be used', () => {
    assert.deepEqual(
      mergeEntries([[{ id: 'a', group: 'secret' }]], () => false),
      [{ id: 'a' }],
    );
  });

  it('has groups apart that differ in case or in a space', () => {
    const groups = ['payments', 'Payments', 'payments '];
    const merged = mergeEntries([groups.map((group) => ({ id: `${group}.`, group }))]);
    assert.deepEqual(
      merged.map(({ group }) => group),
      groups,
    );
  });

  describe('after a removal', () => {
    const ids = new Set(['a', 'b']);
    const before = ['a', 5, { id: 'b', label: 'B', note: 1 }, 'a', 'c'];

    it('lacks the entries and their duplicates', () => {
      assert.deepEqual(withoutKeys(before, ids), [5, 'c']);
    });

    it('gets the entries back at their places', () => {
      assert.deepEqual(withRestored([5, 'c'], before, ids), before);
    });

    it('keeps an entry that was added again meanwhile', () => {
      const again = { id: 'a', label: 'again' };
      assert.deepEqual(withRestored([again], before, ids), [again, before[2]]);
    });

    it('does not get back an entry that was removed later', () => {
      assert.deepEqual(withRestored([], ['a', 'c', 'b'], ids), ['a', 'b']);
    });
  });

  const list = ['a', 5, { id: 'a', label: 'A', note: 1 }, { id: 'b' }];
  const labelled = [{ id: 'a', label: 'B' }, 5, { id: 'a', note: 1, label: 'B' }, { id: 'b' }];

  it('keeps the other fields of an entry that gets another ID', () => {
    const renamed = ['c', 5, { id: 'c', label: 'A', note: 1 }, { id: 'b' }];
    assert.deepEqual(withId(list, 'a', 'c'), renamed);
  });

  it('keeps the other fields of an entry that gets a label', () => {
    assert.deepEqual(withLabel(list, 'a', 'B'), labelled);
  });

  it('keeps the other fields of an entry that loses its label', () => {
    const unlabelled = ['a', 5, { id: 'a', note: 1 }, { id: 'b' }];
    assert.deepEqual(withLabel(labelled, 'a', undefined), unlabelled);
  });

  const grouped = [
    'a',
    { id: 'b', group: 'orders', label: 'B', note: 1 },
    5,
    { id: 'c', group: 'orders' },
  ];

  it('keeps the other fields of an entry that gets a group', () => {
    const groups = new Map([
      ['a', 'payments'],
      ['b', 'payments'],
    ]);
    assert.deepEqual(withGroups(grouped, groups), [
      { id: 'a', group: 'payments' },
      { id: 'b', group: 'payments', label: 'B', note: 1 },
      5,
      { id: 'c', group: 'orders' },
    ]);
  });

  it('keeps the other fields of an entry that loses its group', () => {
    const groups = new Map([
      ['b', undefined],
      ['c', undefined],
    ]);
    assert.deepEqual(withGroups(grouped, groups), ['a', { id: 'b', label: 'B', note: 1 }, 5, 'c']);
  });

  it('gets a group of its own for each ID', () => {
    const groups = new Map([
      ['a', 'payments'],
      ['c', undefined],
    ]);
    assert.deepEqual(withGroups(grouped, groups), [
      { id: 'a', group: 'payments' },
      grouped[1],
      5,
      'c',
    ]);
  });

  it('keeps the group of an entry that gets a label', () => {
    assert.deepEqual(withLabel([{ id: 'a', group: 'payments' }], 'a', 'A'), [
      { id: 'a', group: 'payments', label: 'A' },
    ]);
  });

  it('keeps the group of an entry that loses its label', () => {
    assert.deepEqual(withLabel([{ id: 'a', label: 'A', group: 'payments' }], 'a', undefined), [
      { id: 'a', group: 'payments' },
    ]);
  });

  it('keeps the group of an entry that gets another ID', () => {
    assert.deepEqual(withId([{ id: 'a', group: 'payments' }], 'a', 'b'), [
      { id: 'b', group: 'payments' },
    ]);
  });

  it('gets back the group of an entry that was removed', () => {
    const before = [{ id: 'a', group: 'payments' }];
    assert.deepEqual(withRestored([], before, new Set(['a'])), before);
  });

  it('replaces a group that is unusable', () => {
    const groups = new Map([['a', 'payments']]);
    assert.deepEqual(withGroups([{ id: 'a', group: 5 }], groups), [{ id: 'a', group: 'payments' }]);
  });

  it('loses a group that is unusable when the group is taken off', () => {
    const unusable = [{ id: 'a', group: null }];
    assert.deepEqual(withGroups(unusable, new Map([['a', undefined]])), ['a']);
  });
});

describe('the entry of a deployment', () => {
  for (const [what, deployment, expected] of [
    ['its ID when there is no more to say', { id: 'a' }, 'a'],
    ['its ID when its label is empty', { id: 'a', label: '' }, 'a'],
    ['an object with its label', { id: 'a', label: 'A' }, { id: 'a', label: 'A' }],
    ['an object with its group', { id: 'a', group: 'payments' }, { id: 'a', group: 'payments' }],
    [
      'an object with both',
      { id: 'a', label: 'A', group: 'payments' },
      { id: 'a', label: 'A', group: 'payments' },
    ],
    [
      'an object without an empty label',
      { id: 'a', label: '', group: 'payments' },
      { id: 'a', group: 'payments' },
    ],
  ] as const) {
    it(`is ${what}`, () => assert.deepEqual(entryOf(deployment), expected));
  }
});

describe('the groups in a list', () => {
  it('are by ID the first that can be used', () => {
    const entries = [
      'a',
      { id: 'b', group: 5 },
      { id: 'b', group: 'payments' },
      { id: 'b', group: 'orders' },
      { id: 'c', group: ' ' },
      { id: 5, group: 'payments' },
    ];
    assert.deepEqual(groupsIn(entries), new Map([['b', 'payments']]));
  });
});

const ids = ['a', 'b', 'c'] as const;
const anyId = fc.constantFrom(...ids);
const anyGroup = fc.constantFrom('payments', 'Payments', 'payments ', 'orders');
const anyField = fc.oneof(
  anyGroup,
  fc.constantFrom('', ' ', 5, null, 'x'.repeat(61)),
  fc.jsonValue(),
);
const anyEntry = fc.oneof(
  anyId,
  fc.record(
    { id: anyId, label: anyField, group: anyField, note: fc.jsonValue() },
    { requiredKeys: ['id'], noNullPrototype: true },
  ),
  fc.constantFrom(5, null, ' ', { label: 'A' }, { id: 5, group: 'payments' }),
);
const anyList = fc.array(anyEntry, { maxLength: 6 });

/** An entry as an object, which says the same. */
const asObject = (entry: unknown) => (typeof entry === 'string' ? { id: entry } : entry);

/** The entry without one of its fields, as an object. */
function without(field: 'id' | 'label' | 'group', entry: unknown): unknown {
  const object = asObject(entry);
  if (idOf(entry) === undefined || !isRecord(object)) return entry;
  const { [field]: _, ...others } = object;
  return others;
}

describe('an edit of the deployments setting', () => {
  const edits = {
    group: (list: readonly unknown[], id: string, value: string | undefined) =>
      withGroups(list, new Map([[id, value]])),
    label: withLabel,
    id: (list: readonly unknown[], id: string, value = 'd') => withId(list, id, value),
  } as const;
  for (const field of ['group', 'label', 'id'] as const) {
    const anyValue = fc.option(anyGroup, { nil: undefined });

    it(`keeps all other entries and fields when it changes the ${field}`, () => {
      fc.assert(
        fc.property(anyList, anyId, anyValue, (list, id, value) => {
          const edited = edits[field](list, id, value);
          const isEdited = (entry: unknown) => idOf(entry) === id;
          assert.equal(edited.length, list.length);
          for (const [index, entry] of list.entries()) {
            const after = edited[index];
            if (isEdited(entry)) assert.deepEqual(without(field, after), without(field, entry));
            else assert.equal(after, entry);
          }
        }),
      );
    });
  }

  it('gives each entry of the ID the group, and no other', () => {
    fc.assert(
      fc.property(anyList, anyId, anyGroup, (list, id, group) => {
        const edited = withGroups(list, new Map([[id, group]]));
        for (const [index, entry] of list.entries()) {
          const before = readEntry(entry);
          const expected = before?.id === id ? group : before?.group;
          assert.equal(readEntry(edited[index])?.group, expected);
        }
      }),
    );
  });

  for (const field of ['group', 'label'] as const) {
    it(`is undone by taking off the ${field}, strings aside`, () => {
      fc.assert(
        fc.property(anyList, anyId, anyGroup, (list, id, value) => {
          const before = list.map((entry) => (idOf(entry) === id ? without(field, entry) : entry));
          const set = edits[field](before, id, value);
          const taken = edits[field](set, id, undefined);
          assert.deepEqual(taken.map(asObject), before.map(asObject));
        }),
      );
    });
  }

  it('leaves the list that it gets as it was', () => {
    fc.assert(
      fc.property(anyList, anyId, anyGroup, (list, id, value) => {
        const copy = structuredClone(list);
        for (const edit of Object.values(edits)) edit(list, id, value);
        assert.deepEqual(list, copy);
      }),
    );
  });
});

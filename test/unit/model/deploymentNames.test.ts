import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { deploymentNames, namedDeployment, shortName } from '../../../src/model/deploymentNames.js';
import type { Deployment, ListedDeployment } from '../../../src/model/findings/deployment.js';

/** Makes a list of such entries: the ID, and behind a colon the label if there is one. */
function listed(...entries: readonly string[]): readonly ListedDeployment[] {
  return entries.map((entry) => {
    const [id = '', label] = entry.split(': ');
    return label === undefined ? { id } : { id, label };
  });
}

const long =
  'Nightly sync of all the accounts that the finance department has in each of its regions';

const table: readonly [
  title: string,
  listed: readonly ListedDeployment[],
  names: readonly string[],
][] = [
  ['by their labels, else by their IDs', listed('a: Billing', 'b'), ['Billing', 'b']],
  [
    'with their IDs when two share a label',
    listed('a: Sync', 'b: Sync', 'c: Other'),
    ['Sync (a)', 'Sync (b)', 'Other'],
  ],
  [
    'with their IDs when three share a label',
    listed('a: S', 'b: S', 'c: S'),
    ['S (a)', 'S (b)', 'S (c)'],
  ],
  [
    'with their IDs when labels differ only in case',
    listed('a: Sync', 'b: sync'),
    ['Sync (a)', 'sync (b)'],
  ],
  [
    'with their IDs when labels differ only in spaces',
    listed('a: My sync', 'b: My\u00A0 sync'),
    ['My sync (a)', 'My\u00A0 sync (b)'],
  ],
  [
    'with their IDs when labels differ only in an invisible character',
    listed('a: ❤', 'b: ❤️'),
    ['❤ (a)', '❤️ (b)'],
  ],
  [
    'with their IDs when labels differ only in how an accent is composed',
    listed('a: é', 'b: e\u0301'),
    ['é (a)', 'e\u0301 (b)'],
  ],
  [
    'with their IDs when labels differ only behind 80 characters',
    listed(`a: ${long} A`, `b: ${long} B`),
    [`${long} A (a)`, `${long} B (b)`],
  ],
  [
    'by their labels when these differ in a character that is made visible',
    listed('a: Sync', 'b: Sy\u200Bnc'),
    ['Sync', 'Sy\u200Bnc'],
  ],
  [
    'by a label of more than 80 characters when no other has it',
    listed(`a: ${long}`, 'b: Sync'),
    [long, 'Sync'],
  ],
  ['with the ID when a label is the ID of another deployment', listed('a', 'b: a'), ['a', 'a (b)']],
  ['without the ID when a label is that ID', listed('a: a', 'b: a'), ['a', 'a (b)']],
  [
    'with the ID when a label looks like a name with an ID',
    listed('a: S', 'b: S', 'c: S (b)'),
    ['S (a)', 'S (b)', 'S (b) (c)'],
  ],
];

const id = fc.stringMatching(/^[a-c]{1,3}$/);
const label = fc.oneof(
  id,
  fc.constantFrom('A', 'a (b)', 'a (b) (c)', 'ab (c)', 'B', 'b\u00A0', 'ß', 'İ'),
);
const lists = fc.uniqueArray(fc.record({ id, label }, { requiredKeys: ['id'] }), {
  selector: (one) => one.id,
});

describe('deployments', () => {
  for (const [title, given, names] of table) {
    it(`are named ${title}`, () => {
      assert.deepEqual([...deploymentNames(given).values()], names);
    });
  }

  it('have different names whatever their labels are', () => {
    fc.assert(
      fc.property(lists, (given) => {
        const names = Array.from(deploymentNames(given).values(), (name) => name.toLowerCase());
        assert.equal(names.length, given.length);
        assert.deepEqual([...new Set(names)], names);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the short name of a deployment', () => {
  it('keeps the ID when deployments share a long label', () => {
    const given = listed(`twin_eu: ${long}`, `twin_us: ${long}`);
    const names = deploymentNames(given);
    const shortNames = given.map((one) => shortName({ ...one, name: names.get(one.id) ?? '' }));
    assert.deepEqual(shortNames, [
      'Nightly sync of all the accounts that the finance department has in e… (twin_eu)',
      'Nightly sync of all the accounts that the finance department has in e… (twin_us)',
    ]);
  });

  describe('with a long label and ID', () => {
    const deployment = { id: `dep_${'x'.repeat(990)}_end`, label: 'L'.repeat(200) };
    const name = `${deployment.label} (${deployment.id})`;

    it('keeps to its bound', () => {
      const short = shortName({ ...deployment, name }, 300);
      assert.equal(short, short.slice(0, 300));
    });

    it('keeps the label and both ends of the ID', () => {
      const short = shortName({ ...deployment, name }, 300);
      assert.match(short, /^L{200} \(dep_x+…x+_end\)$/);
    });
  });

  it('is cut at its end when no other deployment has the label', () => {
    assert.equal(shortName({ id: 'a', label: long, name: long }, 13), 'Nightly sync…');
  });
});

describe('a deployment of a new list', () => {
  const known: Deployment = {
    id: 'a',
    label: 'A',
    group: 'payments',
    name: 'A',
    state: 'failed',
    activity: 'reading',
  };
  const listedAs = { id: 'a', label: 'A', group: 'payments' };

  it('is the same object when label, group, and name are as they were', () => {
    assert.equal(namedDeployment(listedAs, 'A', known), known);
  });

  for (const [what, entry, name, expected] of [
    ['another group', { ...listedAs, group: 'orders' }, 'A', { ...known, group: 'orders' }],
    ['another label', { ...listedAs, label: 'B' }, 'B', { ...known, label: 'B', name: 'B' }],
    ['another name alone', listedAs, 'A (a)', { ...known, name: 'A (a)' }],
  ] as const) {
    it(`gets ${what} and keeps the rest`, () => {
      assert.deepEqual(namedDeployment(entry, name, known), expected);
    });
  }

  it('loses its group alone', () => {
    const { group: _group, ...expected } = known;
    assert.deepEqual(namedDeployment({ id: 'a', label: 'A' }, 'A', known), expected);
  });

  it('loses its label alone', () => {
    const { label: _label, ...expected } = known;
    const listedNow = { id: 'a', group: 'payments' };
    assert.deepEqual(namedDeployment(listedNow, 'a', known), { ...expected, name: 'a' });
  });

  it('has not been read when it is new', () => {
    assert.deepEqual(namedDeployment(listedAs, 'A'), {
      ...listedAs,
      name: 'A',
      state: 'notYetRead',
      activity: 'idle',
    });
  });

  it('has neither label nor group when its entry has none', () => {
    assert.deepEqual(Object.keys(namedDeployment({ id: 'a' }, 'a')).toSorted(), [
      'activity',
      'id',
      'name',
      'state',
    ]);
  });
});

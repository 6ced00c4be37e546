import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { deploymentNames, shortName } from '../../../src/model/deploymentNames.js';
import type { ListedDeployment } from '../../../src/model/findings/deployment.js';

/** IDs, each with its label behind a colon if it has one. */
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
  ['by their labels, else their IDs', listed('a: Billing', 'b'), ['Billing', 'b']],
  [
    'with their IDs where two share a label',
    listed('a: Sync', 'b: Sync', 'c: Other'),
    ['Sync (a)', 'Sync (b)', 'Other'],
  ],
  [
    'with their IDs where three share a label',
    listed('a: S', 'b: S', 'c: S'),
    ['S (a)', 'S (b)', 'S (c)'],
  ],
  [
    'with their IDs where labels differ in case',
    listed('a: Sync', 'b: sync'),
    ['Sync (a)', 'sync (b)'],
  ],
  [
    'with their IDs where labels differ in spaces',
    listed('a: My sync', 'b: My\u00A0 sync'),
    ['My sync (a)', 'My\u00A0 sync (b)'],
  ],
  [
    'with their IDs where labels differ in what is invisible',
    listed('a: ❤', 'b: ❤️'),
    ['❤ (a)', '❤️ (b)'],
  ],
  [
    'with their IDs where accents are composed in two ways',
    listed('a: é', 'b: e\u0301'),
    ['é (a)', 'e\u0301 (b)'],
  ],
  [
    'with their IDs where labels differ behind 80 characters',
    listed(`a: ${long} A`, `b: ${long} B`),
    [`${long} A (a)`, `${long} B (b)`],
  ],
  [
    'by their labels where a character that is made visible differs',
    listed('a: Sync', 'b: Sy\u200Bnc'),
    ['Sync', 'Sy\u200Bnc'],
  ],
  [
    'by a label of more than 80 characters that is their own',
    listed(`a: ${long}`, 'b: Sync'),
    [long, 'Sync'],
  ],
  ['with the ID where a label is the ID of another one', listed('a', 'b: a'), ['a', 'a (b)']],
  ['without it where a label is its own ID', listed('a: a', 'b: a'), ['a', 'a (b)']],
  [
    'with the ID where a label looks like a name with an ID',
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
    it(`are named ${title}`, () => assert.deepEqual([...deploymentNames(given).values()], names));
  }

  it('have different names in whatever way they are labelled', () => {
    fc.assert(
      fc.property(lists, (given) => {
        const names = Array.from(deploymentNames(given).values(), (name) => name.toLowerCase());
        assert.equal(new Set(names).size, given.length);
      }),
      { numRuns: 1000 },
    );
  });

  it('have different short names where they share a long label', () => {
    const given = listed(`twin_eu: ${long}`, `twin_us: ${long}`);
    const names = deploymentNames(given);
    const short = given.map((one) => shortName({ ...one, name: names.get(one.id) ?? '' }));
    assert.deepEqual(short, [
      'Nightly sync of all the accounts that the finance department has in e… (twin_eu)',
      'Nightly sync of all the accounts that the finance department has in e… (twin_us)',
    ]);
  });

  it('keep labels of 200 characters whole in a row, and of a long ID both ends', () => {
    const one = { id: `dep_${'x'.repeat(990)}_end`, label: 'L'.repeat(200) };
    const name = shortName({ ...one, name: `${one.label} (${one.id})` }, 300);
    assert.ok(name.length <= 300);
    assert.match(name, /^L{200} \(dep_x+…x+_end\)$/);
  });

  it('without a shared label are cut at their ends', () => {
    assert.equal(shortName({ id: 'a', label: long, name: long }, 13), 'Nightly sync…');
  });
});

import { strict as assert } from 'node:assert';
import { ownerIn, readOwners } from '../../../../src/model/entered/owners.js';

function ownersOf(value: unknown) {
  return readOwners(value).owners;
}

describe('owners', () => {
  for (const [value, owners, malformed] of [
    [undefined, [], []],
    [
      { acc_1: ' Maria, #finance-ops ', 'dep.1': 'Bob' },
      ['acc_1 Maria, #finance-ops', 'dep.1 Bob'],
      [],
    ],
    [['Maria'], [], [undefined]],
    [null, [], [undefined]],
    [
      { a: 1, b: null, c: ['x'], d: {}, e: '', f: ' \n', g: 'x'.repeat(201), ' ': 'Bob', h: 'Bob' },
      ['h Bob'],
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', ' '],
    ],
    [{ a: 'x'.repeat(200) }, [`a ${'x'.repeat(200)}`], []],
  ] as const) {
    const text = JSON.stringify(value)?.slice(0, 45);

    it(`are read from ${text}`, () => {
      const texts = Array.from(ownersOf(value), ([id, owner]) => `${id} ${owner}`);
      assert.deepEqual(texts, owners);
    });

    it(`are reported where they are malformed in ${text}`, () => {
      assert.deepEqual(readOwners(value).malformed, malformed);
    });
  }
});

describe('the owner of a problem', () => {
  const folder = ownersOf({ dep_1: 'folder dep', slack: 'folder slack' });
  const user = ownersOf({ acc_1: 'user acc', dep_1: 'user dep' });

  for (const [what, of, owner] of [
    [
      "is the account's before the deployment's",
      { account: 'acc_1', deployment: 'dep_1', service: 'slack' },
      'user acc',
    ],
    [
      "is the deployment's before the service's, of the nearest scope",
      { account: 'acc_2', deployment: 'dep_1', service: 'slack' },
      'folder dep',
    ],
    [
      "is the service's when account and deployment have none",
      { account: 'acc_2', deployment: 'dep_2', service: 'slack' },
      'folder slack',
    ],
    [
      'is unknown when none is listed',
      { account: 'acc_2', deployment: 'dep_2', service: undefined },
      undefined,
    ],
    ['is unknown for empty IDs', { account: '', deployment: '', service: '' }, undefined],
    [
      'is unknown for IDs named like properties of every object',
      { account: 'constructor', deployment: '__proto__', service: 'toString' },
      undefined,
    ],
  ] as const) {
    it(what, () => assert.equal(ownerIn([folder, user], of), owner));
  }
});

import { strict as assert } from 'node:assert';
import { ownerIn, readOwners } from '../../../../src/model/entered/owners.js';

const scope = (value: unknown) => readOwners(value).owners;

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
    it(`are read, and what is malformed is skipped: ${JSON.stringify(value)?.slice(0, 60)}`, () => {
      const read = readOwners(value);
      const texts = Array.from(read.owners, ([id, owner]) => `${id} ${owner}`);
      assert.deepEqual([texts, read.malformed], [owners, malformed]);
    });
  }

  it("are the account's before the deployment's before the service's, then those of the nearest scope", () => {
    const [folder, user] = [
      scope({ dep_1: 'folder dep', slack: 'folder slack' }),
      scope({ acc_1: 'user acc', dep_1: 'user dep' }),
    ];
    const of = (account?: string, deployment?: string, service?: string) =>
      ownerIn([folder, user], { account, deployment, service });
    assert.equal(of('acc_1', 'dep_1', 'slack'), 'user acc');
    assert.equal(of('acc_2', 'dep_1', 'slack'), 'folder dep');
    assert.equal(of('acc_2', 'dep_2', 'slack'), 'folder slack');
    assert.equal(of('acc_2', 'dep_2'), undefined);
    assert.equal(of('', '', ''), undefined);
    assert.equal(of('constructor', '__proto__', 'toString'), undefined);
  });
});

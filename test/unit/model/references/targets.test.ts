import assert from 'node:assert/strict';
import type { Account, Requirement } from '../../../../src/api/authorization.js';
import { ReferenceTargets } from '../../../../src/model/references/known.js';
import { read as readAs } from '../tree/trees.js';

function read(id: string, at: number, accounts: readonly Account[], requirements: readonly Requirement[] = []) {
  return readAs(id, { accounts, requirements }, [], at);
}

const failing: Account = { id: 'acc_1', error: { code: 'revoked' } };
const fine: Account = { id: 'acc_1' };

function problems(id: string, ...deployments: readonly ReturnType<typeof read>[]) {
  const found = new ReferenceTargets(deployments).problemsOf(id);
  return found.map(({ deployment, problem }) => `${deployment.id} ${problem.kind}`);
}

describe('what ids mean', () => {
  it('is all problems of a deployment, and those of an account itself, without muted ones', () => {
    const deployment = read('dep_1', 1, [failing], [{ binding: 'n', accountId: 'acc_1', satisfied: false }]);
    assert.deepEqual(problems('dep_1', deployment), ['dep_1 failedAccount', 'dep_1 unsatisfiedRequirement']);
    assert.deepEqual(problems('acc_1', deployment), ['dep_1 failedAccount']);
    assert.deepEqual(problems('unknown', deployment), []);
    const answer = { ...deployment.answer!, findings: deployment.answer!.findings.withMutes(() => 1) };
    assert.deepEqual(['dep_1', 'acc_1'].map((id) => problems(id, { ...deployment, answer })).flat(), []);
  });

  it('is what the newest answer says of an account, and the worse of two with one id', () => {
    const [old, recent] = [read('dep_1', 1, [failing]), read('dep_2', 2, [failing])];
    assert.deepEqual(problems('acc_1', recent, old), ['dep_2 failedAccount']);
    assert.deepEqual(problems('acc_1', read('dep_3', 3, [fine]), old, recent), []);
    assert.deepEqual(problems('acc_1', read('dep_1', 1, [fine, failing])), ['dep_1 failedAccount']);
  });

  it('is both where a deployment and an account have one id, each problem once', () => {
    const both = read('acc_1', 1, [failing]);
    assert.deepEqual(problems('acc_1', both), ['acc_1 failedAccount']);
    assert.deepEqual(problems('acc_1', both, read('dep_2', 2, [failing])), [
      'acc_1 failedAccount',
      'dep_2 failedAccount',
    ]);
  });

  it('is nothing for short ids of accounts; with the same ids the index is kept', () => {
    const accounts = [{ id: 'abc' }, { id: 'abcd' }, { id: '👍👍👍' }, { id: '👍👍👍👍' }, {}];
    const { index } = new ReferenceTargets([read('d', 1, accounts), read('e', 2, accounts)]);
    assert.deepEqual(index.ids, new Set(['d', 'e', 'abcd', '👍👍👍👍']));
    assert.equal(new ReferenceTargets([read('e', 3, []), read('d', 3, accounts)], index).index, index);
    assert.notEqual(new ReferenceTargets([read('e', 3, accounts)], index).index, index);
    assert.notEqual(new ReferenceTargets([read('f', 3, accounts), read('d', 3, [])], index).index, index);
  });

  it('is asked at a position, borders included, of the longer id first', () => {
    const targets = new ReferenceTargets(['dep_1', 'x', 'a.dep_1'].map((id) => read(id, 1, [])));
    const text = 'see dep_1, my-dep_1 a.dep_1 x';
    const found = [3, 4, 9, 10, 15, 23, 29].map((character) => {
      const at = targets.at(text, character);
      return at.map(({ id, start }) => `${id}@${start}`).join(' ');
    });
    assert.deepEqual(found, ['', 'dep_1@4', 'dep_1@4', '', '', 'a.dep_1@20 dep_1@22', 'x@28']);
  });
});

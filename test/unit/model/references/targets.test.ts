import assert from 'node:assert/strict';
import type { Account, Requirement } from '../../../../src/api/authorization.js';
import type { Deployment } from '../../../../src/model/deployment.js';
import { Findings } from '../../../../src/model/problems/findings.js';
import { ReferenceTargets } from '../../../../src/model/references/known.js';

function read(
  id: string,
  at: number,
  accounts: readonly Account[],
  requirements: readonly Requirement[] = [],
): Deployment {
  const authorization = { accounts, requirements };
  const findings = new Findings(authorization, id, () => 0);
  const answer = { authorization, findings, decodeIssues: [], receivedAt: at };
  return { id, name: id, state: findings.state, activity: 'idle', answer };
}

const failing: Account = { id: 'acc_1', error: { code: 'revoked' } };
const fine: Account = { id: 'acc_1' };
const unsatisfied: Requirement = { binding: 'n', accountId: 'acc_1', satisfied: false };

function problems(targets: ReferenceTargets, id: string) {
  return targets.problemsOf(id).map(({ deployment, problem }) => `${deployment.id} ${problem.kind}`);
}

describe('ReferenceTargets', () => {
  it('gives a deployment all its problems, and an account its own', () => {
    const targets = new ReferenceTargets([read('dep_1', 1, [failing], [unsatisfied])]);
    assert.deepEqual(problems(targets, 'dep_1'), ['dep_1 failedAccount', 'dep_1 unsatisfiedRequirement']);
    assert.deepEqual(problems(targets, 'acc_1'), ['dep_1 failedAccount']);
    assert.deepEqual(problems(targets, 'unknown'), []);
  });

  it('believes the newest answer on an account, and tells it once', () => {
    const [old, recent] = [read('dep_1', 1, [failing]), read('dep_2', 2, [failing])];
    assert.deepEqual(problems(new ReferenceTargets([recent, old]), 'acc_1'), ['dep_2 failedAccount']);
    assert.deepEqual(problems(new ReferenceTargets([read('dep_3', 3, [fine]), old, recent]), 'acc_1'), []);
    assert.equal(new ReferenceTargets([old]).of('acc_1').account?.deployment, old);
    // The worse of two with one id.
    assert.deepEqual(problems(new ReferenceTargets([read('dep_1', 1, [fine, failing])]), 'acc_1').length, 1);
  });

  it('tells the problem of an id that is both once', () => {
    const both = read('acc_1', 1, [failing]);
    assert.deepEqual(problems(new ReferenceTargets([both]), 'acc_1'), ['acc_1 failedAccount']);
    const other = read('dep_2', 2, [failing]);
    assert.deepEqual(problems(new ReferenceTargets([both, other]), 'acc_1'), [
      'acc_1 failedAccount',
      'dep_2 failedAccount',
    ]);
  });

  it('tells none that is muted', () => {
    const deployment = read('dep_1', 1, [failing]);
    const findings = deployment.answer!.findings.withMutes(() => 1);
    const targets = new ReferenceTargets([{ ...deployment, answer: { ...deployment.answer!, findings } }]);
    assert.deepEqual([...problems(targets, 'dep_1'), ...problems(targets, 'acc_1')], []);
  });

  it('knows which ids are references, and keeps its index while they are the same', () => {
    const accounts = [{ id: 'abc' }, { id: 'abcd' }, { id: '👍👍👍' }, { id: '👍👍👍👍' }, {}];
    const { index } = new ReferenceTargets([read('d', 1, accounts), read('e', 2, accounts)]);
    assert.deepEqual(index.ids, new Set(['d', 'e', 'abcd', '👍👍👍👍']));
    assert.equal(new ReferenceTargets([read('e', 3, []), read('d', 3, accounts)], index).index, index);
    assert.notEqual(new ReferenceTargets([read('e', 3, accounts)], index).index, index);
    assert.notEqual(new ReferenceTargets([read('e', 3, accounts), read('f', 3, [])], index).index, index);
  });

  it('finds them at a position, borders included, the longer first', () => {
    const targets = new ReferenceTargets(['dep_1', 'x', 'a.dep_1'].map((id) => read(id, 1, [])));
    const text = 'see dep_1, my-dep_1 a.dep_1 x';
    for (const [character, found] of [
      [3, []],
      [4, ['dep_1@4']],
      [9, ['dep_1@4']],
      [10, []],
      [15, []],
      [23, ['a.dep_1@20', 'dep_1@22']],
      [29, ['x@28']],
    ] as const) {
      const at = targets.at({ lineAt: () => ({ text }) }, { line: 0, character });
      assert.deepEqual(
        at.map(({ id, start }) => `${id}@${start}`),
        found,
      );
    }
  });
});

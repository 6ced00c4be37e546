import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Account, Requirement } from '../../../../src/api/authorization.js';
import { ReferenceTargets } from '../../../../src/model/references/targets.js';
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

describe('ReferenceTargets', () => {
  it('finds all problems of a deployment, and those of an account itself, without muted ones', () => {
    const deployment = read('dep_1', 1, [failing], [{ binding: 'n', satisfied: false }]);
    assert.deepEqual(problems('dep_1', deployment), ['dep_1 failedAccount', 'dep_1 unsatisfiedRequirement']);
    assert.deepEqual(problems('acc_1', deployment), ['dep_1 failedAccount']);
    assert.deepEqual(problems('unknown', deployment), []);
    const answer = { ...deployment.answer!, findings: deployment.answer!.findings.withMutes(() => 1) };
    assert.deepEqual(['dep_1', 'acc_1'].map((id) => problems(id, { ...deployment, answer })).flat(), []);
  });

  it('takes an account from the newest answer, and the worse of two with one ID', () => {
    const [old, recent] = [read('dep_1', 1, [failing]), read('dep_2', 2, [failing])];
    assert.deepEqual(problems('acc_1', recent, old), ['dep_2 failedAccount']);
    assert.deepEqual(problems('acc_1', read('dep_3', 3, [fine]), old, recent), []);
    assert.deepEqual(problems('acc_1', read('dep_1', 1, [fine, failing])), ['dep_1 failedAccount']);
  });

  it('finds both where a deployment and an account have one ID, each problem once', () => {
    const both = read('acc_1', 1, [failing]);
    assert.deepEqual(problems('acc_1', both), ['acc_1 failedAccount']);
    assert.deepEqual(problems('acc_1', both, read('dep_2', 2, [failing])), [
      'acc_1 failedAccount',
      'dep_2 failedAccount',
    ]);
  });

  it('knows no ID of an account that has fewer than four characters', () => {
    const accounts = [{ id: 'abc' }, { id: 'abcd' }, { id: '👍👍👍' }, { id: '👍👍👍👍' }, {}];
    const { index } = new ReferenceTargets([read('d', 1, accounts), read('e', 2, accounts)]);
    assert.deepEqual(index.ids, new Set(['d', 'abcd', '👍👍👍👍', 'e']));
  });

  it('is the same after updates as when made anew', () => {
    const account = fc.constantFrom('acc_1', 'acc_2', 'dep_2', 'abc').map((id) => ({ id, error: {} }));
    const deployment = fc
      .tuple(fc.constantFrom('dep_1', 'dep_2', 'dep_3', 'acc_1'), fc.nat(), fc.array(account, { maxLength: 3 }))
      .map(([id, at, accounts]) => read(id, at, accounts));
    const list = fc.uniqueArray(deployment, { selector: ({ id }) => id, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 4 }), (lists) => {
        // Equal times would leave it open which of two answers is the newest.
        const all = lists.flat().map(({ answer }) => answer?.receivedAt);
        fc.pre(new Set(all).size === all.length);
        const updated = new ReferenceTargets();
        for (const one of lists) updated.update(one);
        const anew = new ReferenceTargets(lists.at(-1));
        assert.deepEqual(new Set(updated.index.ids), new Set(anew.index.ids));
        for (const id of ['dep_1', 'dep_2', 'dep_3', 'acc_1', 'acc_2']) assert.deepEqual(updated.of(id), anew.of(id));
      }),
    );
  });

  it('keeps the version of its index while no id comes or goes', () => {
    const targets = new ReferenceTargets([read('d', 1, [fine]), read('e', 2, [fine])]);
    const versionAfter = (...deployments: Parameters<typeof read>[]) => {
      const before = targets.index.version;
      targets.update(deployments.map((one) => read(...one)));
      return targets.index.version === before ? 'same' : 'other';
    };
    assert.equal(versionAfter(['e', 3, []], ['d', 3, [failing]]), 'same');
    assert.equal(versionAfter(['e', 3, []], ['d', 4, []]), 'other');
    assert.equal(versionAfter(['e', 3, []]), 'other');
  });
});

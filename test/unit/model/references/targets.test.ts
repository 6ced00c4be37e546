import assert from 'node:assert/strict';
import type { Account, Requirement } from '../../../../src/api/authorization.js';
import type { Deployment, DeploymentProblem } from '../../../../src/model/findings/deployment.js';
import { nothingRemembered } from '../../../../src/model/findings/state.js';
import { Impact } from '../../../../src/model/problems/impact.js';
import { ReferenceTargets } from '../../../../src/model/references/targets.js';
import { muting, read as readAs, storeOf } from '../tree/trees.js';

function read(
  id: string,
  at: number,
  accounts: readonly Account[],
  requirements: readonly Requirement[] = [],
) {
  return readAs(id, { accounts, requirements }, [], at);
}

const failing: Account = { id: 'acc_1', error: { code: 'revoked' } };
const fine: Account = { id: 'acc_1' };

function targetsIn(store: ReturnType<typeof storeOf>, memory = nothingRemembered) {
  return new ReferenceTargets({ store, impact: new Impact(store), memory });
}

function problems(id: string, ...deployments: readonly Deployment[]) {
  return listed(targetsIn(storeOf(...deployments)).problemsOf(id));
}

function listed(found: readonly DeploymentProblem[]) {
  return found.map(({ deployment, problem }) => `${deployment.id} ${problem.kind}`);
}

describe('ReferenceTargets', () => {
  it('finds all problems of a deployment, and those of an account itself, without muted ones', () => {
    const deployment = read('dep_1', 1, [failing], [{ binding: 'n', satisfied: false }]);
    assert.deepEqual(problems('dep_1', deployment), [
      'dep_1 failedAccount',
      'dep_1 unsatisfiedRequirement',
    ]);
    assert.deepEqual(problems('acc_1', deployment), ['dep_1 failedAccount']);
    assert.deepEqual(problems('unknown', deployment), []);
    const targets = targetsIn(
      storeOf(deployment),
      muting(() => true),
    );
    assert.deepEqual(
      ['dep_1', 'acc_1'].flatMap((id) => targets.problemsOf(id)),
      [],
    );
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
    const accounts = [{ id: 'abc' }, { id: 'abcd' }, { id: '𝐀𝐀𝐀' }, { id: '𝐀𝐀𝐀𝐀' }, {}];
    const { index } = targetsIn(storeOf(read('d', 1, accounts), read('e', 2, accounts)));
    assert.deepEqual(index.ids, new Set(['abcd', '𝐀𝐀𝐀𝐀', 'd', 'e']));
  });

  it('knows the IDs of the deployments and accounts of now, in the same version while none comes or goes', () => {
    const store = storeOf(read('d', 1, [fine]), read('e', 2, [fine]));
    const targets = targetsIn(store);
    const after = (...deployments: Parameters<typeof read>[]) => {
      const before = targets.index.version;
      store.replace(...deployments.map((one) => read(...one)));
      targets.update();
      return [[...targets.index.ids].toSorted().join(), targets.index.version === before];
    };
    assert.deepEqual(after(['e', 3, []], ['d', 3, [failing]]), ['acc_1,d,e', true]);
    assert.deepEqual(after(['e', 3, []], ['d', 4, []]), ['d,e', false]);
    assert.deepEqual(after(['acc_1', 5, [fine]]), ['acc_1', false]);
    assert.deepEqual(after(['acc_1', 6, []]), ['acc_1', true]);
  });
});

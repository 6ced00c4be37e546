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

function textsOf(found: readonly DeploymentProblem[]) {
  return found.map(({ deployment, problem }) => `${deployment.id} ${problem.kind}`);
}

/** The problems of a reference to this ID while these deployments are listed. */
function problemsOf(id: string, ...deployments: readonly Deployment[]) {
  return textsOf(targetsIn(storeOf(...deployments)).problemsOf(id));
}

describe('the problems of a reference', () => {
  const requirement = { binding: 'n', satisfied: false };
  const deployment = read('dep_1', 1, [failing], [requirement]);

  it('are all problems of the deployment', () => {
    assert.deepEqual(problemsOf('dep_1', deployment), [
      'dep_1 failedAccount',
      'dep_1 unsatisfiedRequirement',
    ]);
  });

  it('are the problem of the account itself', () => {
    assert.deepEqual(problemsOf('acc_1', deployment), ['dep_1 failedAccount']);
  });

  it('are none when the ID is unknown', () => {
    assert.deepEqual(problemsOf('unknown', deployment), []);
  });

  for (const id of ['dep_1', 'acc_1']) {
    it(`are none when all problems of ${id} are muted`, () => {
      const allMuted = muting(() => true);
      const found = targetsIn(storeOf(deployment), allMuted).problemsOf(id);
      assert.deepEqual(textsOf(found), []);
    });
  }

  it('are those of the newest answer with the account', () => {
    const older = read('dep_1', 1, [failing]);
    const newest = read('dep_2', 2, [failing]);
    assert.deepEqual(problemsOf('acc_1', newest, older), ['dep_2 failedAccount']);
  });

  it('are none when the account works by the newest answer', () => {
    const older = read('dep_1', 1, [failing]);
    const newest = read('dep_3', 3, [fine]);
    assert.deepEqual(problemsOf('acc_1', newest, older), []);
  });

  describe('to an account that is muted in its newest deployment alone', () => {
    const older = read('dep_1', 1, [failing]);
    const newest = read('dep_2', 2, [failing]);
    const memory = muting(({ foundIn }) => foundIn === 'dep_2');

    it('are those of the deployment where it is not muted', () => {
      const targets = targetsIn(storeOf(newest, older), memory);
      assert.deepEqual(textsOf(targets.problemsOf('acc_1')), ['dep_1 failedAccount']);
    });

    it('are none when the account works by the newest answer', () => {
      const fixed = read('dep_3', 3, [fine]);
      const targets = targetsIn(storeOf(fixed, newest, older), memory);
      assert.deepEqual(textsOf(targets.problemsOf('acc_1')), []);
    });
  });

  it('are those of the worse account when two have one ID', () => {
    const both = read('dep_1', 1, [fine, failing]);
    assert.deepEqual(problemsOf('acc_1', both), ['dep_1 failedAccount']);
  });

  it('are one when a deployment and its failed account have one ID', () => {
    const both = read('acc_1', 1, [failing]);
    assert.deepEqual(problemsOf('acc_1', both), ['acc_1 failedAccount']);
  });

  it('are those of the deployment and of the account when both have one ID', () => {
    const both = read('acc_1', 1, [failing]);
    assert.deepEqual(problemsOf('acc_1', both, read('dep_2', 2, [failing])), [
      'acc_1 failedAccount',
      'dep_2 failedAccount',
    ]);
  });
});

describe('the known IDs', () => {
  it('lack account IDs of fewer than four characters', () => {
    const accounts = [{ id: 'abc' }, { id: 'abcd' }, { id: '𝐀𝐀𝐀' }, { id: '𝐀𝐀𝐀𝐀' }, {}];
    const { index } = targetsIn(storeOf(read('d', 1, accounts), read('e', 2, accounts)));
    assert.deepEqual(index.ids, new Set(['abcd', '𝐀𝐀𝐀𝐀', 'd', 'e']));
  });

  const fineAccount = read('d', 1, [fine]);
  const other = read('e', 2, [fine]);
  for (const [when, before, after, ids, isSameVersion] of [
    [
      'an account is still in one of two deployments',
      [fineAccount, other],
      [read('e', 3, []), read('d', 3, [failing])],
      ['acc_1', 'd', 'e'],
      true,
    ],
    [
      'an account is in no deployment any more',
      [fineAccount, other],
      [read('e', 3, []), read('d', 4, [])],
      ['d', 'e'],
      false,
    ],
    [
      'other deployments and accounts are listed',
      [read('e', 3, []), read('d', 4, [])],
      [read('acc_1', 5, [fine])],
      ['acc_1'],
      false,
    ],
    [
      'an account goes whose ID a deployment has',
      [read('acc_1', 5, [fine])],
      [read('acc_1', 6, [])],
      ['acc_1'],
      true,
    ],
  ] as const) {
    function replaced() {
      const store = storeOf(...before);
      const targets = targetsIn(store);
      const versionBefore = targets.index.version;
      store.replace(...after);
      targets.update();
      return { index: targets.index, versionBefore };
    }

    it(`are ${ids.join(', ')} when ${when}`, () => {
      const { index } = replaced();
      assert.deepEqual([...index.ids].toSorted(), ids);
    });

    it(`${isSameVersion ? 'keep their version' : 'have a new version'} when ${when}`, () => {
      const { index, versionBefore } = replaced();
      if (isSameVersion) assert.equal(index.version, versionBefore);
      else assert.notEqual(index.version, versionBefore);
    });
  }
});

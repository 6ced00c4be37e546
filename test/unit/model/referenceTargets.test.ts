import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Account, Requirement } from '../../../src/api/authorization.js';
import type { Deployment } from '../../../src/model/deployment.js';
import { Findings } from '../../../src/model/findings.js';
import { ReferenceTargets } from '../../../src/model/references/known.js';

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

  it('knows which ids are references', () => {
    const accounts = [{ id: 'abc' }, { id: 'abcd' }, { id: '👍👍👍' }, { id: '👍👍👍👍' }, {}];
    const targets = new ReferenceTargets([read('d', 1, accounts), read('e', 2, accounts)]);
    assert.deepEqual(new Set(targets.ids()), new Set(['d', 'e', 'abcd', '👍👍👍👍']));
    assert.equal(targets.haveIds(new Set(targets.ids())), true);
    assert.equal(targets.haveIds(new Set(['d', 'e', 'abcd'])), false);
    assert.equal(targets.haveIds(new Set(['d', 'e', 'abcd', '👍👍👍👍', 'gone'])), false);
  });

  it('after any updates means what it would mean made anew', () => {
    const step = fc.record({
      id: fc.constantFrom('dep_1', 'dep_2', 'dep_3'),
      accounts: fc.uniqueArray(fc.constantFrom('acc_1', 'acc_2', 'acc_3', 'dep_1')),
      failing: fc.boolean(),
      leaves: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const listed = new Map<string, Deployment>();
        const targets = new ReferenceTargets([]);
        for (const [at, { id, accounts, failing: fails, leaves }] of steps.entries()) {
          const before = new Set(targets.ids());
          if (leaves) listed.delete(id);
          else
            listed.set(
              id,
              read(
                id,
                at,
                accounts.map((account) => ({ ...(fails ? failing : fine), id: account })),
              ),
            );
          const state = [...listed.values()];
          const changed = targets.update(state);
          const anew = new ReferenceTargets(state);
          const ids = new Set(anew.ids());
          assert.deepEqual(new Set(targets.ids()), ids);
          if (!changed) assert.deepEqual(ids, before);
          for (const one of ids) {
            assert.deepEqual(targets.of(one), anew.of(one));
            assert.deepEqual(targets.problemsOf(one), anew.problemsOf(one));
          }
        }
      }),
    );
  });
});

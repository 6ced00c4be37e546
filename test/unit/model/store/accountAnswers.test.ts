import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Account } from '../../../../src/api/authorization.js';
import { accountClaim, contradicts } from '../../../../src/model/findings/accountReadings.js';
import type { LastAnswer } from '../../../../src/model/findings/deployment.js';
import { AccountAnswers } from '../../../../src/model/store/accountAnswers.js';
import { read } from '../tree/trees.js';

const accountIds = ['x', 'y', 'z'];
const deploymentIds = ['a', 'b', 'c', 'd'];

interface Step {
  readonly id: string;
  /** By account: its error code, '' if it works; `undefined`: the deployment has left the list. */
  readonly codes: Readonly<Record<string, string>> | undefined;
  readonly isUnreadable: boolean;
  /** Answers arrive in another order than their requests were sent. */
  readonly delay: number;
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  id: fc.constantFrom(...deploymentIds),
  codes: fc.option(
    fc.dictionary(fc.constantFrom(...accountIds), fc.constantFrom('', 'revoked', 'expired'), {
      noNullPrototype: true,
    }),
    { nil: undefined },
  ),
  isUnreadable: fc.boolean(),
  delay: fc.integer({ min: 0, max: 3 }),
});

function answerOf({ id, codes, isUnreadable, delay }: Step, at: number): LastAnswer {
  const accounts = Object.entries(codes ?? {}).map(
    ([account, code]): Account => (code ? { id: account, error: { code } } : { id: account }),
  );
  const leftOut = isUnreadable
    ? [{ path: 'requirements[0]', expected: 'object', found: 'string' } as const]
    : [];
  // The fraction gives each answer a sequence of its own.
  return read(
    id,
    { accounts, requirements: [] },
    leftOut,
    100 * (at - delay) + 50 * delay + at / 1000,
  ).answer!;
}

/** The rule in plain words: of all answers that say whether the account works, the one that was sent last counts. */
function applyRule(answers: ReadonlyMap<string, LastAnswer>, account: string) {
  const readings = Array.from(answers).flatMap(([id, answer]) => {
    const finding = answer.findings.accountsById.get(account);
    const claim = finding && accountClaim(finding, answer.findings);
    return claim === undefined ? [] : [{ id, claim, sequence: answer.sequence }];
  });
  const newest = readings.toSorted((a, b) => b.sequence - a.sequence)[0];
  const contradicted = readings.filter(
    ({ claim }) => newest !== undefined && contradicts(claim, newest.claim),
  );
  return { newest: newest?.id, contradicted: contradicted.map(({ id }) => id).toSorted() };
}

interface State {
  readonly index: AccountAnswers;
  /** The last answer of each deployment. */
  readonly answers: ReadonlyMap<string, LastAnswer>;
  readonly step: Step;
  /** The deployments that the index named as changed by the step. */
  readonly changedIds: ReadonlySet<string>;
  /** By deployment: the accounts that were contradicted before the step. */
  readonly contradictedBefore: ReadonlyMap<string, readonly string[]>;
}

function contradictedAccounts(index: AccountAnswers, id: string): readonly string[] {
  return accountIds.filter((account) => index.isContradicted(id, account));
}

/** Gives an index any answers, which arrive in any order, and calls `check` after each. */
function checkAfterEachAnswer(check: (state: State) => void): void {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
      const index = new AccountAnswers();
      const answers = new Map<string, LastAnswer>();
      for (const [at, step] of steps.entries()) {
        const contradictedBefore = new Map(
          deploymentIds.map((id) => [id, contradictedAccounts(index, id)]),
        );
        let changedIds: ReadonlySet<string> = new Set(deploymentIds);
        if (step.codes) {
          const answer = answerOf(step, at);
          answers.set(step.id, answer);
          changedIds = index.take(step.id, answer);
        } else {
          answers.delete(step.id);
          index.forget([step.id]);
        }
        check({ index, answers, step, changedIds, contradictedBefore });
      }
    }),
  );
}

describe('AccountAnswers', () => {
  it('knows the deployments whose answers a newer answer contradicts', () => {
    checkAfterEachAnswer(({ index, answers }) => {
      for (const account of accountIds) {
        const { contradicted } = applyRule(answers, account);
        assert.deepEqual(index.contradictedHolders(account).toSorted(), contradicted, account);
      }
    });
  });

  it('knows whether the answer of a deployment is contradicted', () => {
    checkAfterEachAnswer(({ index, answers }) => {
      for (const account of accountIds) {
        const { contradicted } = applyRule(answers, account);
        const contradictedIds = deploymentIds.filter((id) => index.isContradicted(id, account));
        assert.deepEqual(contradictedIds, contradicted, account);
      }
    });
  });

  it('knows the deployment with the newest answer when several have an account', () => {
    checkAfterEachAnswer(({ index, answers }) => {
      for (const account of accountIds) {
        const holders = Array.from(answers.values()).filter(({ findings }) =>
          findings.accountsById.has(account),
        );
        const { newest } = applyRule(answers, account);
        if (holders.length > 1) assert.equal(index.newestHolder(account), newest, account);
      }
    });
  });

  it('knows the disputed accounts of a deployment', () => {
    checkAfterEachAnswer(({ index, answers }) => {
      for (const id of deploymentIds) {
        const disputed = accountIds.filter(
          (account) =>
            applyRule(answers, account).contradicted.length > 0 &&
            answers.get(id)?.findings.accountsById.has(account),
        );
        assert.deepEqual(index.disputedAccounts(id).toSorted(), disputed, id);
      }
    });
  });

  it('names each other deployment whose contradictions change with an answer', () => {
    checkAfterEachAnswer(({ index, step, changedIds, contradictedBefore }) => {
      for (const id of deploymentIds) {
        if (id === step.id || changedIds.has(id)) continue;
        assert.deepEqual(contradictedAccounts(index, id), contradictedBefore.get(id), id);
      }
    });
  });

  it('knows nothing after it has forgotten everything', () => {
    const index = new AccountAnswers();
    const answer = { isUnreadable: false, delay: 0 };
    index.take('a', answerOf({ ...answer, id: 'a', codes: { x: '' } }, 0));
    index.take('b', answerOf({ ...answer, id: 'b', codes: { x: 'revoked' } }, 1));
    assert.deepEqual(index.contradictedHolders('x'), ['a']);
    index.forgetAll();
    assert.deepEqual(index.contradictedHolders('x'), []);
    assert.equal(index.newestHolder('x'), undefined);
  });
});

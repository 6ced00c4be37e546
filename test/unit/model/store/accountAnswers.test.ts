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
  // No two have the same sequence.
  return read(
    id,
    { accounts, requirements: [] },
    leftOut,
    100 * (at - delay) + 50 * delay + at / 1000,
  ).answer!;
}

/** The rule in plain words: of all answers that tell, the one that was sent last counts. */
function plainly(answers: ReadonlyMap<string, LastAnswer>, account: string) {
  const readings = Array.from(answers).flatMap(([id, answer]) => {
    const finding = answer.findings.accountsById.get(account);
    const word = finding && accountClaim(finding, answer.findings);
    return word === undefined ? [] : [{ id, word, sequence: answer.sequence }];
  });
  const newest = readings.toSorted((a, b) => b.sequence - a.sequence)[0];
  const contradicted = readings.filter(
    ({ word }) => newest !== undefined && contradicts(word, newest.word),
  );
  return { newest: newest?.id, contradicted: contradicted.map(({ id }) => id).toSorted() };
}

describe('what the last answers say of accounts', () => {
  it('is what a plain look at all of them finds, in whatever order they arrive', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        const index = new AccountAnswers();
        const answers = new Map<string, LastAnswer>();
        const contradictedIn = (id: string) =>
          accountIds.filter((account) => index.isContradicted(id, account));
        for (const [at, step] of steps.entries()) {
          const before = new Map(deploymentIds.map((id) => [id, contradictedIn(id).join()]));
          const answer = answerOf(step, at);
          let changed: ReadonlySet<string> = new Set(deploymentIds);
          if (step.codes) {
            answers.set(step.id, answer);
            changed = index.take(step.id, answer);
          } else {
            answers.delete(step.id);
            index.forget([step.id]);
          }
          for (const account of accountIds) {
            const { newest, contradicted } = plainly(answers, account);
            assert.deepEqual(index.contradictedHolders(account).toSorted(), contradicted);
            const holders = Array.from(answers.values()).filter((one) =>
              one.findings.accountsById.has(account),
            );
            if (holders.length > 1) assert.equal(index.newestHolder(account), newest);
            for (const id of deploymentIds) {
              assert.equal(index.isContradicted(id, account), contradicted.includes(id));
              const isDisputed =
                contradicted.length > 0 &&
                answers.get(id)?.findings.accountsById.has(account) === true;
              assert.equal(index.disputedAccounts(id).includes(account), isDisputed);
            }
          }
          for (const id of deploymentIds) {
            const isSame = before.get(id) === contradictedIn(id).join();
            assert.ok(
              isSame || changed.has(id) || id === step.id,
              `${id} has changed, and is not named`,
            );
          }
        }
      }),
    );
  });

  it('is nothing after all was forgotten', () => {
    const index = new AccountAnswers();
    for (const [at, id] of ['a', 'b'].entries()) {
      index.take(
        id,
        answerOf({ id, codes: { x: at ? 'revoked' : '' }, isUnreadable: false, delay: 0 }, at),
      );
    }
    assert.deepEqual(index.contradictedHolders('x'), ['a']);
    index.forgetAll();
    assert.deepEqual([index.contradictedHolders('x'), index.newestHolder('x')], [[], undefined]);
  });
});

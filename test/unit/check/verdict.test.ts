import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import type { FailOn } from '../../../src/check/arguments.js';
import { doesCount, exitCodeOf, isWhollyRead } from '../../../src/check/verdict.js';
import { type Deployment, withFindings } from '../../../src/model/findings/deployment.js';
import { type Mutes, nothingRemembered } from '../../../src/model/findings/state.js';
import { answerOf } from '../../support/answers.js';
import {
  account,
  authorization,
  failedAccount,
  healthy,
  requirement,
  unsatisfied,
} from '../../support/platform/data.js';

const unknown = requirement({ binding: 'other', satisfied: undefined });
const failedAndUnknown = authorization(failedAccount().accounts, [requirement(), unknown]);

describe('the verdict', () => {
  const read = (value: DeploymentAuthorization): Deployment => {
    const answer = withFindings(answerOf(value), 'dep_1');
    return { id: 'dep_1', name: 'dep_1', state: 'satisfied', activity: 'idle', answer };
  };
  const { answer: _, ...unread } = read(healthy());
  const failedRead: Deployment = {
    ...unread,
    failedRead: { failure: { kind: 'notFound', status: 404 }, at: 0 },
  };
  const verdictOf = (deployments: readonly Deployment[], failOn: FailOn, isListComplete = true) =>
    exitCodeOf({ deployments, failOn, mutes: nothingRemembered, isListComplete });
  /** What is muted, by the names of accounts and requirements. */
  const muting = (names: ReadonlySet<string>): Mutes => ({
    ...nothingRemembered,
    muteOf: ({ finding }) =>
      names.has(finding.name) ? { until: 1, isUntilChange: false } : undefined,
  });

  it('is 0 for deployments that are healthy', () => {
    assert.equal(verdictOf([read(healthy()), read(healthy())], 'not-satisfied'), 0);
  });

  it('is 2 for a deployment that was not read', () => {
    assert.equal(verdictOf([unread], 'not-satisfied'), 2);
  });

  it('is 2 for a deployment whose last read failed after an answer', () => {
    assert.equal(verdictOf([{ ...read(healthy()), ...failedRead }], 'failed'), 2);
  });

  it('is 1 for a problem in the last of many deployments', () => {
    const deployments = [read(healthy()), failedRead, unread, read(failedAccount())];
    assert.equal(verdictOf(deployments, 'failed', false), 1);
  });

  it('is 2 for one unknown deployment among healthy ones', () => {
    assert.equal(verdictOf([read(healthy()), failedRead, read(healthy())], 'failed'), 2);
  });

  it('is 2 for a list that was not read completely', () => {
    assert.equal(verdictOf([read(healthy())], 'failed', false), 2);
  });

  /** One answer in which accounts have failed, and requirements are not satisfied or unknown. */
  const someProblems = fc.record({
    failed: fc.subarray(['a', 'b', 'c']),
    unsatisfied: fc.subarray(['x', 'y', 'z']),
    unknown: fc.subarray(['u']),
    isRead: fc.boolean(),
  });
  const someCheck = fc.record({
    answers: fc.array(someProblems, { maxLength: 4 }),
    muted: fc.subarray(['a', 'b', 'c', 'x', 'y', 'z', 'u']),
    failOn: fc.constantFrom<FailOn>('failed', 'not-satisfied'),
    isListComplete: fc.boolean(),
  });
  type SomeProblems = typeof someProblems extends fc.Arbitrary<infer Value> ? Value : never;
  const deploymentOf = ({ failed, unsatisfied: bad, unknown: open, isRead }: SomeProblems) => {
    if (!isRead) return failedRead;
    const accounts = failed.map((label) => account({ id: label, label, error: { code: 'gone' } }));
    const requirements = [
      ...bad.map((binding) => requirement({ binding, accountId: undefined, satisfied: false })),
      ...open.map((binding) => requirement({ binding, satisfied: undefined })),
    ];
    return read(authorization(accounts, requirements));
  };

  it('is 1 for a problem that is not muted, and never hides what is unknown', () => {
    fc.assert(
      fc.property(someCheck, ({ answers, muted, failOn, isListComplete }) => {
        const deployments = answers.map(deploymentOf);
        const names = new Set(muted);
        const mutes = muting(names);
        const verdict = exitCodeOf({ deployments, failOn, mutes, isListComplete });

        const readAnswers = answers.filter(({ isRead }) => isRead);
        const counting = readAnswers.flatMap(({ failed, unsatisfied: bad }) =>
          failOn === 'failed' ? failed : [...failed, ...bad],
        );
        const isUnknown = answers.some((one) => !one.isRead || one.unknown.length > 0);
        const withoutProblem = isUnknown || !isListComplete ? 2 : 0;
        const isFailing = counting.some((name) => !names.has(name));
        assert.equal(verdict, isFailing ? 1 : withoutProblem);
      }),
    );
  });

  it('counts an unsatisfied requirement by --fail-on alone', () => {
    const counts = (['failed', 'not-satisfied'] as const).map((failOn) =>
      doesCount('unsatisfiedRequirement', failOn),
    );
    assert.deepEqual(counts, [false, true]);
  });

  it('takes no deployment for read whole of which something is unknown', () => {
    const areWhole = [read(healthy()), read(unsatisfied()), read(failedAndUnknown)].map(
      isWhollyRead,
    );
    assert.deepEqual(areWhole, [true, true, false]);
  });
});

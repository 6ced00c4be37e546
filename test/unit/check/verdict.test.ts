import { strict as assert } from 'node:assert';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import type { FailOn } from '../../../src/check/arguments.js';
import { doesCount, exitCodeOf, isWhollyRead } from '../../../src/check/verdict.js';
import { type Deployment, withFindings } from '../../../src/model/findings/deployment.js';
import { nothingRemembered } from '../../../src/model/findings/state.js';
import { answerOf } from '../../support/answers.js';
import {
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

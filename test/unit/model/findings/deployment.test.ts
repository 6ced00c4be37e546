import assert from 'node:assert/strict';
import {
  countDeployments,
  type Deployment,
  isFailing,
  lastAttemptAt,
} from '../../../../src/model/findings/deployment.js';
import { severity } from '../../../../src/model/findings/order.js';
import { failure, read } from '../tree/trees.js';

const healthy = { accounts: [], requirements: [] };

/** One deployment in each state, the worst first; its ID is its state. */
const deployments = (
  ['failed', 'notSatisfied', 'unknown', 'notYetRead', 'muted', 'satisfied'] as const
).map((state): Deployment => ({ id: state, name: state, state, activity: 'idle' }));

describe('deployments', () => {
  it('are ordered by their states, the worst first', () => {
    const severities = deployments.map(({ state }) => severity(state));
    assert.deepEqual(severities, [0, 1, 2, 3, 4, 5]);
  });

  it('are failing when their state is failed or not satisfied', () => {
    const failingIds = deployments.filter(isFailing).map(({ id }) => id);
    assert.deepEqual(failingIds, ['failed', 'notSatisfied']);
  });

  it('are counted by their states', () => {
    const counts = { total: 6, failing: 2, unknown: 1, notYetRead: 1, muted: 1, healthy: 1 };
    assert.deepEqual(countDeployments(deployments), counts);
  });
});

describe('the last try of a deployment', () => {
  it('is its answer when its last read was good', () => {
    assert.equal(lastAttemptAt(read('a', healthy, [], 1)), 1);
  });

  it('is its failed read when that came after the answer', () => {
    const answered = read('a', healthy, [], 1);
    assert.equal(lastAttemptAt({ ...answered, failedRead: { ...failure, at: 2 } }), 2);
  });

  it('is its answer when that came after a failed read', () => {
    const answered = read('a', healthy, [], 1);
    assert.equal(lastAttemptAt({ ...answered, failedRead: { ...failure, at: 0 } }), 1);
  });

  it('is none when there is no deployment', () =>
    assert.equal(lastAttemptAt(undefined), undefined));

  it('is at the sending of its request when the answer lay in a cache', () => {
    const { answer, ...rest } = read('a', healthy, [], 900_000);
    assert.equal(lastAttemptAt({ ...rest, answer: { ...answer!, asOf: 300_000 } }), 900_000);
  });
});

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

describe('the state of a deployment', () => {
  it('is what it is counted and ordered by', () => {
    const states = [
      'failed',
      'notSatisfied',
      'unknown',
      'notYetRead',
      'muted',
      'satisfied',
    ] as const;
    const all = states.map(
      (state): Deployment => ({ id: state, name: state, state, activity: 'idle' }),
    );
    assert.deepEqual(states.map(severity), [0, 1, 2, 3, 4, 5]);
    const failing = all.filter(isFailing).map(({ id }) => id);
    assert.deepEqual(failing, ['failed', 'notSatisfied']);
    const counts = { total: 6, failing: 2, unknown: 1, notYetRead: 1, muted: 1, healthy: 1 };
    assert.deepEqual(countDeployments(all), counts);
  });
});

it('a deployment was last tried when its last read ended, good or failed', () => {
  const answered = read('a', healthy, [], 1);
  const times = [read('b', healthy), { ...answered, failedRead: failure }, undefined].map(
    lastAttemptAt,
  );
  assert.deepEqual(times, [0, 1, undefined]);
});

it('a deployment was last tried when its request was sent, however long the answer lay in a cache', () => {
  const { answer, ...rest } = read('a', healthy, [], 900_000);
  assert.equal(lastAttemptAt({ ...rest, answer: { ...answer!, asOf: 300_000 } }), 900_000);
});

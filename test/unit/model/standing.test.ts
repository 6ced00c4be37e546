import assert from 'node:assert/strict';
import { countDeployments, type Deployment, lastAttempt, severityOf, standing } from '../../../src/model/deployment.js';
import type { State } from '../../../src/model/order.js';
import { failure, read } from './tree/trees.js';

function one(state: State, more: Partial<Deployment> = {}): Deployment {
  return { id: state, name: state, state, activity: 'idle', ...more };
}

describe('a deployment', () => {
  it('stands where it is counted and ordered', () => {
    const ordered = [
      [one('failed', { failure }), 'failing', 0],
      [one('notSatisfied'), 'failing', 1],
      [one('unknown'), 'unknown', 2],
      [one('satisfied', { failure }), 'unknown', 2],
      [one('muted', { failure }), 'unknown', 2],
      [one('notYetRead'), 'notYetRead', 3],
      [one('muted'), 'muted', 4],
      [one('satisfied'), 'healthy', 5],
    ] as const;
    for (const [deployment, ...expected] of ordered) {
      assert.deepEqual([standing(deployment), severityOf(deployment)], expected);
    }
    const counts = { total: 8, failing: 2, unknown: 3, notYetRead: 1, muted: 1, healthy: 1 };
    assert.deepEqual(countDeployments(ordered.map(([deployment]) => deployment)), counts);
  });

  it('was last read when the last attempt ended', () => {
    const answered = read('a', { accounts: [], requirements: [] }, [], 1);
    const times = [one('unknown'), one('unknown', { failure }), { ...answered, failure }].map(lastAttempt);
    assert.deepEqual(times, [undefined, 0, 1]);
  });
});

import assert from 'node:assert/strict';
import { countDeployments, type Deployment, lastAttempt, severityOf, standing } from '../../../src/model/deployment.js';
import { compareNames, type State } from '../../../src/model/order.js';
import { Findings } from '../../../src/model/problems/findings.js';

const failure = { failure: { kind: 'notFound', status: 404 }, at: 0 } as const;

function one(state: State, more: Partial<Deployment> = {}): Deployment {
  return { id: state, name: state, state, activity: 'idle', ...more };
}

/** Worst first. */
const ordered: readonly [Deployment, ReturnType<typeof standing>][] = [
  [one('failed', { failure }), 'failing'],
  [one('notSatisfied'), 'failing'],
  [one('unknown'), 'unknown'],
  [one('satisfied', { failure }), 'unknown'],
  [one('muted', { failure }), 'unknown'],
  [one('notYetRead'), 'notYetRead'],
  [one('muted'), 'muted'],
  [one('satisfied'), 'healthy'],
];

describe('a deployment', () => {
  it('stands where it is counted and ordered', () => {
    const deployments = ordered.map(([deployment]) => deployment);
    assert.deepEqual(
      deployments.map(standing),
      ordered.map(([, expected]) => expected),
    );
    const counts = { total: 8, failing: 2, unknown: 3, notYetRead: 1, muted: 1, healthy: 1 };
    assert.deepEqual(countDeployments(deployments), counts);
    assert.deepEqual(deployments.map(severityOf), [0, 1, 2, 2, 2, 3, 4, 5]);
  });

  it('was last read when the last attempt ended', () => {
    const times = [one('unknown'), one('unknown', { failure })].map(lastAttempt);
    const findings = new Findings({ accounts: [], requirements: [] }, 'a', () => 0);
    const answer = { authorization: { accounts: [], requirements: [] }, findings, decodeIssues: [], receivedAt: 1 };
    assert.deepEqual([...times, lastAttempt(one('satisfied', { failure, answer }))], [undefined, 0, 1]);
  });

  it('is ordered by its name as people count', () => {
    assert.deepEqual(['dep_10', 'dep_2', 'Dep_1'].toSorted(compareNames), ['Dep_1', 'dep_2', 'dep_10']);
  });
});

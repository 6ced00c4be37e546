import assert from 'node:assert/strict';
import { countDeployments, type Deployment, severityOf, standing } from '../../../src/model/deployment.js';
import { compareNames, type State } from '../../../src/model/order.js';

const failure = { failure: { kind: 'notFound', status: 404 }, at: 0 } as const;
const one = (state: State, more: Partial<Deployment> = {}): Deployment => ({
  id: state,
  name: state,
  state,
  activity: 'idle',
  ...more,
});

/** Worst first. */
const ordered: readonly [Deployment, ReturnType<typeof standing>][] = [
  [one('failed', { failure }), 'failing'],
  [one('notSatisfied'), 'failing'],
  [one('unknown'), 'unknown'],
  [one('satisfied', { id: 'stale', failure }), 'unknown'],
  [one('notYetRead'), 'notYetRead'],
  [one('satisfied'), 'healthy'],
];

describe('a deployment stands', () => {
  for (const [deployment, expected] of ordered) {
    it(`${deployment.id}${deployment.failure ? ', last read failed' : ''}: ${expected}`, () =>
      assert.equal(standing(deployment), expected));
  }

  it('where it is counted and ordered', () => {
    const deployments = ordered.map(([deployment]) => deployment);
    assert.deepEqual(countDeployments(deployments), {
      total: 6,
      failing: 2,
      unknown: 2,
      notYetRead: 1,
      muted: 0,
      healthy: 1,
    });
    assert.deepEqual(
      deployments
        .toReversed()
        .toSorted((a, b) => severityOf(a) - severityOf(b))
        .map(({ state }) => state),
      ['failed', 'notSatisfied', 'satisfied', 'unknown', 'notYetRead', 'satisfied'],
    );
  });

  it('by its name as people count', () => {
    assert.deepEqual(['dep_10', 'dep_2', 'Dep_1'].toSorted(compareNames), ['Dep_1', 'dep_2', 'dep_10']);
  });
});

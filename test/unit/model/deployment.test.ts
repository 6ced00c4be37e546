import assert from 'node:assert/strict';
import type { DeploymentAuthorization } from '../../../src/api/authorization.js';
import type { Failure } from '../../../src/api/failure.js';
import { countDeployments, type Deployment, isFailing, lastAttempt, stateOf } from '../../../src/model/deployment.js';
import { severity } from '../../../src/model/order.js';
import { failure, read } from './tree/trees.js';

const failed = { accounts: [{ error: {} }], requirements: [] };
const unsatisfied = { accounts: [], requirements: [{ satisfied: false }] };
const unclear = { accounts: [], requirements: [{}] };
const healthy = { accounts: [], requirements: [] };

function known(answer?: DeploymentAuthorization, kind?: 'notFound' | 'unreachable'): Partial<Deployment> {
  const failures: Record<string, Failure> = {
    notFound: { kind: 'notFound', status: 404 },
    unreachable: { kind: 'unreachable', cause: { step: 'dns', code: 'ENOTFOUND', host: 'host.example' } },
  };
  return {
    ...(answer && { answer: read('a', answer).answer! }),
    ...(kind && { failure: { failure: failures[kind]!, at: 0 } }),
  };
}

describe('the state of a deployment', () => {
  const muted = { ...known(failed).answer!, findings: known(failed).answer!.findings.withMutes(() => 1) };
  for (const [what, deployment, state] of [
    ['nothing was read', known(), 'notYetRead'],
    ['nothing could be read', known(undefined, 'notFound'), 'unknown'],
    ['an account failed', known(failed), 'failed'],
    ['a requirement is not satisfied', known(unsatisfied), 'notSatisfied'],
    ['the service did not say', known(unclear), 'unknown'],
    ['all problems are muted', { answer: muted }, 'muted'],
    ['all is well', known(healthy), 'satisfied'],
    ['it failed, and can no longer be read', known(failed, 'notFound'), 'unknown'],
    ['all was well, and it can no longer be read', known(healthy, 'notFound'), 'unknown'],
    ['all was well, and it alone is unreachable', known(healthy, 'unreachable'), 'unknown'],
  ] as const) {
    it(`is ${state} where ${what}`, () => assert.equal(stateOf(deployment), state));
  }

  it('stays what the last good answer said where all of them fail alike', () => {
    const states = [failed, healthy, undefined].map((answer) => stateOf(known(answer, 'unreachable'), 'unreachable'));
    assert.deepEqual(states, ['failed', 'satisfied', 'unknown']);
    assert.equal(stateOf(known(healthy, 'notFound'), 'unreachable'), 'unknown');
  });

  it('is what it is counted and ordered by', () => {
    const states = ['failed', 'notSatisfied', 'unknown', 'notYetRead', 'muted', 'satisfied'] as const;
    const all = states.map((state): Deployment => ({ id: state, name: state, state, activity: 'idle' }));
    assert.deepEqual(states.map(severity), [0, 1, 2, 3, 4, 5]);
    assert.deepEqual(
      all.filter(isFailing).map(({ id }) => id),
      ['failed', 'notSatisfied'],
    );
    const counts = { total: 6, failing: 2, unknown: 1, notYetRead: 1, muted: 1, healthy: 1 };
    assert.deepEqual(countDeployments(all), counts);
  });
});

it('a deployment was last tried when its last read ended, good or failed', () => {
  const answered = read('a', healthy, [], 1);
  const times = [read('b', healthy), { ...answered, failure }, undefined].map(lastAttempt);
  assert.deepEqual(times, [0, 1, undefined]);
});

import assert from 'node:assert/strict';
import type { Deployment } from '../../../../src/model/deployment.js';
import { Roots } from '../../../../src/model/tree/roots.js';
import { failure, read, source } from './trees.js';

const unknown: Deployment = { id: 'u', name: 'u', state: 'unknown', activity: 'idle', failure };
const unread: Deployment = { id: 'n', name: 'n', state: 'notYetRead', activity: 'idle' };
const bad = read('b', { accounts: [{ error: {} }], requirements: [] });
const fine = read('f', { accounts: [], requirements: [] });
const all = { onlyProblems: false };
const problems = { onlyProblems: true };

describe('roots of the tree', () => {
  it('begin with what concerns the whole view, and are without what is healthy when that is hidden', () => {
    const deployments: readonly Deployment[] = [
      bad,
      unknown,
      unread,
      fine,
      { ...fine, id: 's', state: 'unknown', failure },
    ];
    const roots = new Roots(source(deployments, { kind: 'paused', until: 1 }));
    const shown = roots.all(problems, true).map(({ id, copyId }) => `${id} ${copyId}`);
    const first = ['untrusted undefined', 'cause undefined'];
    assert.deepEqual(shown, [...first, ...['b', 'u', 'n', 's'].map((id) => `deployment:${id} ${id}`)]);
    assert.equal(roots.all(all, false).length, 6);
  });

  it('tell whether a deployment has become or ceased to be one', () => {
    const deployments = [fine, unread];
    const roots = new Roots(source(deployments));
    const moved = (filter: typeof all) => roots.haveMoved(['f', 'not listed'], filter);
    roots.all(problems, false);
    assert.equal(moved(problems), false);
    deployments[0] = { ...bad, id: 'f' };
    assert.equal(moved(problems), true);
    roots.all(problems, false);
    assert.equal(moved(problems), false);
    deployments[0] = fine;
    assert.deepEqual([problems, all].map(moved), [true, false]);
  });

  it('keep one row object a deployment, with the newest data, and nothing of one that left', () => {
    const deployments = [bad, unread];
    const roots = new Roots(source(deployments));
    const [row] = roots.all(all, false);
    assert.ok(row?.kind === 'deployment');
    deployments[0] = { ...fine, id: 'b' };
    assert.equal(row.deployment, deployments[0]);
    assert.equal(roots.all(all, false)[0], row);
    assert.deepEqual([roots.of('b'), roots.shown('b')], [row, row]);
    deployments.shift();
    assert.deepEqual([roots.of('b'), roots.shown('b'), row.deployment.answer], [undefined, undefined, undefined]);
  });
});

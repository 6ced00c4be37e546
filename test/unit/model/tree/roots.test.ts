import assert from 'node:assert/strict';
import type { Deployment } from '../../../../src/model/deployment.js';
import { Roots } from '../../../../src/model/tree/roots.js';
import { everything, failure, read, source } from './trees.js';

const unknown: Deployment = { id: 'u', name: 'u', state: 'unknown', activity: 'idle', failure };
const unread: Deployment = { id: 'n', name: 'n', state: 'notYetRead', activity: 'idle' };

const bad = read('b', { accounts: [{ error: {} }], requirements: [] });
const fine = read('f', { accounts: [], requirements: [] });
const all = { onlyProblems: false };
const problems = { onlyProblems: true };

describe('roots of the tree', () => {
  it('begin with what concerns the whole view', () => {
    const roots = new Roots(source([], { kind: 'paused', until: 1 })).all(problems, true);
    assert.equal(roots.map(({ id, copyId }) => `${id} ${copyId}`).join(), 'untrusted undefined,cause undefined');
  });

  it('are without what is healthy, and with all else, when healthy ones are hidden', () => {
    const roots = new Roots(source([bad, unknown, unread, fine, { ...fine, id: 's', failure }]));
    const shown = (filter: typeof all) => roots.all(filter, false).map(({ id }) => id);
    assert.deepEqual(shown(problems), ['deployment:b', 'deployment:u', 'deployment:n', 'deployment:s']);
    assert.equal(shown(all).length, 5);
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
    assert.equal(moved(problems), true);
    assert.equal(moved(all), false);
  });

  it('keep one row object a deployment, with the newest data, and nothing of one that left', () => {
    const deployments = [read('a', everything), unread];
    const roots = new Roots(source(deployments));
    const [row] = roots.all(all, false);
    assert.ok(row?.kind === 'deployment');
    deployments[0] = read('a', { accounts: [], requirements: [] });
    assert.equal(row.deployment, deployments[0]);
    assert.equal(roots.all(all, false)[0], row);
    assert.deepEqual([roots.of('a'), roots.shown('a'), roots.shownCount], [row, row, 2]);
    deployments.shift();
    assert.deepEqual([roots.of('a'), roots.shown('a'), row.deployment.answer], [undefined, undefined, undefined]);
  });
});

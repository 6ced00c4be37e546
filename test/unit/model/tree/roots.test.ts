import assert from 'node:assert/strict';
import type { Deployment } from '../../../../src/model/deployment.js';
import { childrenOf } from '../../../../src/model/tree/elements.js';
import { Roots } from '../../../../src/model/tree/roots.js';
import { everything, failure, read, source } from './trees.js';

const unknown: Deployment = { id: 'u', name: 'u', state: 'unknown', activity: 'idle', failure };
const unread: Deployment = { id: 'n', name: 'n', state: 'notYetRead', activity: 'idle' };

describe('roots of the tree', () => {
  it('begin with what concerns the whole view', () => {
    const roots = new Roots(source([], { kind: 'paused', until: 1 }));
    assert.deepEqual(
      roots.all({ onlyProblems: true }, true).map(({ id, copyId }) => [id, copyId]),
      [
        ['untrusted', undefined],
        ['cause', undefined],
      ],
    );
  });

  it('are without what is healthy, and with all else, when healthy ones are hidden', () => {
    const bad = read('b', { accounts: [{ error: {} }], requirements: [] });
    const fine = read('f', { accounts: [], requirements: [] });
    const stale: Deployment = { ...read('s', { accounts: [], requirements: [] }), failure };
    const roots = new Roots(source([bad, unknown, unread, fine, stale]));
    const ids = (onlyProblems: boolean) => roots.all({ onlyProblems }, false).map(({ id }) => id);
    assert.deepEqual(ids(true), ['deployment:b', 'deployment:u', 'deployment:n', 'deployment:s']);
    assert.equal(ids(false).length, 5);
  });

  it('tell whether a deployment has become or ceased to be one', () => {
    const bad = read('d', { accounts: [{ error: {} }], requirements: [] });
    const fine = read('d', { accounts: [], requirements: [] });
    const deployments = [fine, unread];
    const roots = new Roots(source(deployments));
    const moved = (onlyProblems: boolean) => roots.haveMoved(['d', 'not listed'], { onlyProblems });
    roots.all({ onlyProblems: true }, false);
    assert.equal(moved(true), false);
    deployments[0] = bad;
    assert.equal(moved(true), true);
    roots.all({ onlyProblems: true }, false);
    assert.equal(moved(true), false);
    deployments[0] = fine;
    assert.equal(moved(true), true);
    roots.all({ onlyProblems: false }, false);
    deployments[0] = bad;
    assert.equal(moved(false), false);
  });

  it('keep one row object a deployment, with the newest data', () => {
    const deployments = [read('a', everything), unread];
    const roots = new Roots(source(deployments));
    const [row] = roots.all({ onlyProblems: false }, false);
    assert.ok(row?.kind === 'deployment');
    deployments[0] = read('a', { accounts: [], requirements: [] });
    assert.equal(row.deployment, deployments[0]);
    assert.deepEqual(childrenOf(row), []);
    assert.equal(roots.all({ onlyProblems: false }, false)[0], row);
    assert.deepEqual([roots.of('a'), roots.shown('a'), roots.shownCount], [row, row, 2]);
  });

  it('remember nothing of a deployment that left', () => {
    const deployments = [read('a', everything)];
    const roots = new Roots(source(deployments));
    const row = roots.of('a');
    assert.ok(row);
    deployments.pop();
    assert.equal(roots.of('a'), undefined);
    assert.equal(row.deployment.answer, undefined);
    assert.deepEqual(childrenOf(row), []);
  });
});

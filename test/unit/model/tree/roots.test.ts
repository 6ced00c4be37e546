import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { DecodeProblem } from '../../../../src/api/answer.js';
import type { DeploymentAuthorization } from '../../../../src/api/deploymentAuthorization.js';
import type { Deployment } from '../../../../src/model/deployment.js';
import { deriveFindings } from '../../../../src/model/deriveFindings.js';
import type { OrganizationCause } from '../../../../src/model/store/causes.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { createTreeElements, type TreeElements } from '../../../../src/model/tree/roots.js';

const everything: DeploymentAuthorization = {
  accounts: [
    { id: 'acc 1', label: 'Finance', scopes: ['s1', 's2'], checkedAt: 'yesterday', error: { code: 'revoked' } },
    { id: 'acc 2', label: 'Ops' },
  ],
  requirements: [
    { binding: 'ledger', satisfied: true },
    {
      serviceId: 'slack',
      binding: 'notifier',
      satisfied: false,
      accountId: 'acc 1',
      eligibleAccountIds: ['acc 1', 'acc 2', 'acc 3'],
      connections: [{ connectionMethodId: 'oauth', requiredScopes: ['s1'] }],
    },
    { binding: 'orphan', accountId: 'gone' },
  ],
};

function read(id: string, authorization: DeploymentAuthorization, problems: DecodeProblem[] = []): Deployment {
  const findings = deriveFindings(authorization, id, () => 0);
  return {
    id,
    name: id,
    state: findings.state,
    activity: 'idle',
    answer: { authorization, findings, problems, receivedAt: 0 },
  };
}

const failure = { failure: { kind: 'notFound', status: 404 }, at: 0 } as const;
const unknown: Deployment = { id: 'u', name: 'u', state: 'unknown', activity: 'idle', failure };
const unread: Deployment = { id: 'n', name: 'n', state: 'notYetRead', activity: 'idle' };

function source(deployments: readonly Deployment[], cause?: OrganizationCause) {
  return { deployments, cause, get: (id: string) => deployments.find((deployment) => deployment.id === id) };
}

/** Every row below, as its id without the deployment's part. */
function below(tree: TreeElements, element: TreeElement, root = element): readonly string[] {
  return tree.children(element).flatMap((child) => [child.id.slice(root.id.length), ...below(tree, child, root)]);
}

describe('tree elements', () => {
  it('puts the rows as drawn', () => {
    const deployment = { ...read('dep 1', everything, [{ path: 'x', expected: 'string', found: 'null' }]), failure };
    const tree = createTreeElements(source([deployment]));
    const [root] = tree.roots({ onlyProblems: false, untrusted: false });
    assert.ok(root);
    assert.equal(root.id, 'deployment:dep%201');
    assert.deepEqual(below(tree, root), [
      '/failure',
      '/unreadable',
      '/requirement:slack:notifier',
      '/requirement:slack:notifier/step',
      '/requirement:slack:notifier/bound:acc%201',
      '/requirement:slack:notifier/eligible:acc%202',
      '/requirement:slack:notifier/eligible:acc%203',
      '/requirement:slack:notifier/connection:oauth',
      '/requirement:slack:notifier/connection:oauth/scope:s1',
      '/requirement:%:orphan',
      '/requirement:%:orphan/bound:gone',
      '/requirement:%:ledger',
      '/connected:acc%201',
      '/connected:acc%201/error',
      '/connected:acc%201/step',
      '/connected:acc%201/scope:s1',
      '/connected:acc%201/scope:s2',
      '/connected:acc%201/lastCheck',
      '/connected:acc%202',
    ]);
  });

  it('puts what concerns the whole view first', () => {
    const tree = createTreeElements(source([unread], { kind: 'paused', until: 1 }));
    assert.deepEqual(
      tree.roots({ onlyProblems: true, untrusted: true }).map(({ id }) => id),
      ['untrusted', 'cause'],
    );
  });

  it('keeps problems and what cannot be read when only problems are shown', () => {
    const bad = read('b', { accounts: [{ error: {} }], requirements: [] });
    const fine = read('f', { accounts: [], requirements: [] });
    const stale: Deployment = { ...read('s', { accounts: [], requirements: [] }), failure };
    const tree = createTreeElements(source([bad, unknown, unread, fine, stale]));
    const ids = (onlyProblems: boolean) => tree.roots({ onlyProblems, untrusted: false }).map(({ id }) => id);
    assert.deepEqual(ids(true), ['deployment:b', 'deployment:u', 'deployment:s']);
    assert.equal(ids(false).length, 5);
  });

  it('keeps the row of a requirement that is bound to another account, and tells equal ones apart', () => {
    for (const accountIds of [
      ['acc 1', 'acc 2'],
      ['acc 3', 'acc 2'],
    ]) {
      const requirements = accountIds.map((accountId) => ({ serviceId: 'slack', binding: 'notifier', accountId }));
      const tree = createTreeElements(source([read('a', { accounts: [], requirements })]));
      const root = tree.elementOf('a');
      const rows = ['/requirement:slack:notifier', '/requirement:slack:notifier#2'];
      assert.deepEqual(root && tree.children(root).map(({ id }) => id.slice(root.id.length)), rows);
    }
  });

  it('tells whether a deployment has become or ceased to be a row', () => {
    const bad = read('d', { accounts: [{ error: {} }], requirements: [] });
    const fine = read('d', { accounts: [], requirements: [] });
    const deployments = [fine, unread];
    const tree = createTreeElements(source(deployments));
    const moved = (onlyProblems: boolean) => tree.haveMoved(['d', 'not listed'], { onlyProblems });
    tree.roots({ onlyProblems: true, untrusted: false });
    assert.equal(moved(true), false);
    deployments[0] = bad;
    assert.equal(moved(true), true);
    tree.roots({ onlyProblems: true, untrusted: false });
    assert.equal(moved(true), false);
    deployments[0] = fine;
    assert.equal(moved(true), true);
    tree.roots({ onlyProblems: false, untrusted: false });
    deployments[0] = bad;
    assert.equal(moved(false), false);
  });

  it('keeps one row object a deployment, with the newest data, and its children until they change', () => {
    const deployments = [read('a', everything), unread];
    const tree = createTreeElements(source(deployments));
    const row = tree.elementOf('a');
    assert.ok(row);
    assert.equal(tree.roots({ onlyProblems: false, untrusted: false })[0], row);
    const children = tree.children(row);
    assert.equal(tree.children(row), children);
    const reading: Deployment = { ...row.deployment, activity: 'reading' };
    deployments[0] = reading;
    assert.equal(row.deployment, reading);
    assert.equal(tree.children(row), children);
    deployments[0] = read('a', everything);
    assert.notEqual(tree.children(row), children);
    assert.equal(tree.elementOf('a'), row);
    assert.ok(tree.children(row).every(({ parent }) => parent === row));
  });

  it('remembers nothing of a deployment that left', () => {
    const deployments = [read('a', everything)];
    const tree = createTreeElements(source(deployments));
    const row = tree.elementOf('a');
    assert.ok(row);
    deployments.pop();
    assert.equal(tree.elementOf('a'), undefined);
    assert.equal(row.deployment.answer, undefined);
    assert.deepEqual(tree.children(row), []);
  });

  const word = fc.option(fc.oneof(fc.constantFrom('a', 'b', '%', '', 'a:b', '#2'), fc.string({ unit: 'binary' })), {
    nil: undefined,
  });
  const words = fc.array(fc.oneof(fc.constantFrom('a', 'b'), fc.string()), { maxLength: 3 });
  const authorization: fc.Arbitrary<DeploymentAuthorization> = fc.record({
    accounts: fc.array(
      fc.record({ id: word, label: word, scopes: words, checkedAt: word, error: fc.constantFrom(null, { code: 'x' }) }),
    ),
    requirements: fc.array(
      fc.record({
        serviceId: word,
        binding: word,
        accountId: word,
        satisfied: fc.constantFrom(true, false, undefined),
        eligibleAccountIds: words,
        connections: fc.array(fc.record({ connectionMethodId: word, requiredScopes: words }), { maxLength: 2 }),
      }),
    ),
  });

  it('never gives two rows one id, whatever the service sends', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 3 }), authorization, (ids, answer) => {
        const tree = createTreeElements(source(ids.map((id) => read(id, answer))));
        const roots = tree.roots({ onlyProblems: false, untrusted: true });
        const all = [
          ...roots.map(({ id }) => id),
          ...roots.flatMap((root) => below(tree, root).map((id) => root.id + id)),
        ];
        assert.equal(new Set(all).size, all.length);
      }),
    );
  });

  it('says that there are children exactly if there are', () => {
    fc.assert(
      fc.property(authorization, fc.boolean(), (answer, stale) => {
        const deployment = { ...read('a', answer), ...(stale && { failure }) };
        const tree = createTreeElements(source([deployment]));
        const check = (element: TreeElement): void => {
          assert.equal(tree.hasChildren(element), tree.children(element).length > 0);
          tree.children(element).forEach(check);
        };
        tree.roots({ onlyProblems: false, untrusted: true }).forEach(check);
      }),
    );
  });
});

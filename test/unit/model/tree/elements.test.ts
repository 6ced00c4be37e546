import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { DeploymentAuthorization } from '../../../../src/api/authorization.js';
import type { Deployment } from '../../../../src/model/deployment.js';
import {
  childrenOf,
  type DeploymentElement,
  hasChildren,
  type TreeElement,
} from '../../../../src/model/tree/elements.js';
import { Roots } from '../../../../src/model/tree/roots.js';
import { below, everything, failure, read, source } from './trees.js';

function rootOf(deployment: Deployment): DeploymentElement {
  const root = new Roots(source([deployment])).of(deployment.id);
  assert.ok(root);
  return root;
}

describe('tree elements', () => {
  it('are put as drawn', () => {
    const root = rootOf({ ...read('dep 1', everything, [{ path: 'x', expected: 'string', found: 'null' }]), failure });
    assert.equal(root.id, 'deployment:dep%201');
    assert.deepEqual(
      below(root).map(({ id }) => id.slice(root.id.length)),
      [
        '/failure',
        '/unreadable',
        '/requirement:slack:notifier',
        '/requirement:slack:notifier/advice',
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
        '/connected:acc%201/advice',
        '/connected:acc%201/scope:s1',
        '/connected:acc%201/scope:s2',
        '/connected:acc%202',
      ],
    );
  });

  it('have the id of what they are about to copy', () => {
    const root = rootOf({ ...read('dep 1', everything, [{ path: 'x', expected: 'string', found: 'null' }]), failure });
    const copied = new Map<string, Set<string | undefined>>();
    for (const { kind, copyId } of [root, ...below(root)]) {
      copied.set(kind, new Set(copied.get(kind)).add(copyId));
    }
    assert.deepEqual(
      [...copied].map(([kind, ids]) => `${kind}: ${[...ids].join(', ')}`),
      [
        'deployment: dep 1',
        'failure: dep 1',
        'unreadable: dep 1',
        'requirement: notifier, orphan, ledger',
        'advice: dep 1',
        'account: acc 1, acc 2, acc 3, gone',
        'connection: oauth',
        'scope: s1, s2',
        'accountError: acc 1',
      ],
    );
    const unnamed = rootOf(read('a', { accounts: [{}], requirements: [{ serviceId: 'stripe' }, {}] }));
    assert.deepEqual(
      childrenOf(unnamed).map(({ copyId }) => copyId),
      [undefined, 'stripe', undefined],
    );
  });

  it('keep the row of a requirement that is bound to another account, and tell equal ones apart', () => {
    for (const accountIds of [
      ['acc 1', 'acc 2'],
      ['acc 3', 'acc 2'],
    ]) {
      const requirements = accountIds.map((accountId) => ({ serviceId: 'slack', binding: 'notifier', accountId }));
      const root = rootOf(read('a', { accounts: [], requirements }));
      const rows = ['/requirement:slack:notifier', '/requirement:slack:notifier#2'];
      assert.deepEqual(
        childrenOf(root).map(({ id }) => id.slice(root.id.length)),
        rows,
      );
    }
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

  it('never have the id of another one, whatever the service sends', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: 'binary' }), { maxLength: 3 }), authorization, (ids, answer) => {
        const roots = new Roots(source(ids.map((id) => read(id, answer))));
        const all = roots
          .all({ onlyProblems: false }, true)
          .flatMap((root) => [root.id, ...below(root).map(({ id }) => id)]);
        assert.equal(new Set(all).size, all.length);
      }),
    );
  });

  it('say that there are children exactly if there are', () => {
    fc.assert(
      fc.property(authorization, fc.boolean(), (answer, stale) => {
        const roots = new Roots(source([{ ...read('a', answer), ...(stale && { failure }) }]));
        const check = (element: TreeElement): void => {
          assert.equal(hasChildren(element), childrenOf(element).length > 0);
          childrenOf(element).forEach(check);
        };
        roots.all({ onlyProblems: false }, true).forEach(check);
      }),
    );
  });
});

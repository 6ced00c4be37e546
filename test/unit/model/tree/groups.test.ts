import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { Deployment } from '../../../../src/model/findings/deployment.js';
import type { State } from '../../../../src/model/findings/order.js';
import { childrenOf, hasChildren, type TreeElement } from '../../../../src/model/tree/elements.js';
import { isSameGroup, rootsByGroup } from '../../../../src/model/tree/groups.js';
import { deploymentsInGroups, firstInGroups } from '../../../../src/model/tree/roots.js';
import { myGroupsIn } from '../../../support/window/myGroups.js';
import { anyText, failure, inGroup, read } from './trees.js';

/** The roots grouped by group. `isOn`: whether Hide Healthy is on. */
function rootsOf(
  listed: readonly Deployment[],
  {
    isOn = false,
    chosen = [] as readonly (string | null)[],
    formerRoots = [] as readonly TreeElement[],
  } = {},
) {
  const myGroups = myGroupsIn(() => listed, ...chosen);
  return rootsByGroup(listed, { filter: { isOn }, myGroups, formerRoots });
}

const namesOf = (roots: ReturnType<typeof rootsOf>) => roots.map(({ name }) => name);
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

const listed = [
  inGroup('a', 'orders', 'notSatisfied'),
  inGroup('b', undefined, 'failed'),
  inGroup('c', 'payments', 'failed'),
  inGroup('d', 'orders'),
  inGroup('e', 'team 10', 'muted'),
  inGroup('f', 'team 2', 'muted'),
  inGroup('g', 'payments', 'unknown'),
  inGroup('h', 'healthy'),
];

describe('the roots grouped by group', () => {
  it('are the groups by state, then by name, No group last', () => {
    assert.deepEqual(namesOf(rootsOf(listed)), [
      'payments',
      'orders',
      'team 2',
      'team 10',
      'healthy',
      undefined,
    ]);
  });

  it('have No group last, however bad its state', () => {
    const roots = rootsOf([inGroup('b', undefined, 'failed'), inGroup('h', 'healthy')]);
    assert.deepEqual(namesOf(roots), ['healthy', undefined]);
  });

  it('have the worst state of the deployments of each', () => {
    assert.deepEqual(
      rootsOf(listed).map(({ state }) => state),
      ['failed', 'notSatisfied', 'muted', 'muted', 'satisfied', 'failed'],
    );
  });

  const inOrder = [
    'failed',
    'notSatisfied',
    'unknown',
    'notYetRead',
    'muted',
    'satisfied',
  ] as const;
  for (const [index, worse] of inOrder.slice(0, -1).entries()) {
    const better = inOrder[index + 1]!;
    it(`have the state ${worse} rather than ${better}`, () => {
      const [root] = rootsOf([inGroup('a', 'g', better), inGroup('b', 'g', worse)]);
      assert.equal(root?.state, worse);
    });

    it(`have a group that is ${worse} before one that is ${better}`, () => {
      const roots = rootsOf([inGroup('a', 'first', better), inGroup('b', 'second', worse)]);
      assert.deepEqual(namesOf(roots), ['second', 'first']);
    });
  }

  it('count all deployments of each', () => {
    const [payments] = rootsOf(listed);
    assert.deepEqual(payments?.counts, {
      total: 2,
      failing: 1,
      unknown: 1,
      notYetRead: 0,
      muted: 0,
      healthy: 0,
    });
  });

  it('have no ID to copy', () => {
    assert.deepEqual(new Set(rootsOf(listed).map(({ copyId }) => copyId)), new Set([undefined]));
  });

  it('can all be expanded', () => {
    const roots = rootsOf(listed);
    assert.deepEqual(roots.filter(hasChildren), roots);
  });

  it('are apart for names that differ in case or a space', () => {
    const names = ['payments', 'Payments', 'payments '];
    const roots = rootsOf(names.map((group) => inGroup(group, group)));
    assert.equal(roots.length, 3);
  });

  it('are No group alone when no deployment is in a group', () => {
    assert.deepEqual(namesOf(rootsOf([inGroup('a'), inGroup('b')])), [undefined]);
  });

  it('are none when nothing is listed', () => assert.deepEqual(rootsOf([]), []));

  describe('with Hide Healthy', () => {
    it('lack a group of which all deployments are hidden', () => {
      assert.equal(namesOf(rootsOf(listed, { isOn: true })).includes('healthy'), false);
    });

    it('have rows of the others alone below them', () => {
      const orders = rootsOf(listed, { isOn: true })[1]!;
      assert.deepEqual(idsOf(orders.members), ['a']);
    });

    it('count the hidden deployments, too', () => {
      const orders = rootsOf(listed, { isOn: true })[1]!;
      assert.equal(orders.counts.total, 2);
    });

    it('are about the hidden deployments, too', () => {
      const orders = rootsOf(listed, { isOn: true })[1]!;
      assert.deepEqual(idsOf(orders.deployments), ['a', 'd']);
    });
  });

  describe('while some are chosen', () => {
    it('are those alone', () => {
      const roots = rootsOf(listed, { chosen: ['orders', null] });
      assert.deepEqual(namesOf(roots), ['orders', undefined]);
    });

    it('are all when no chosen group is left', () => {
      assert.deepEqual(rootsOf(listed, { chosen: ['gone'] }), rootsOf(listed));
    });
  });

  describe('that VS Code has already', () => {
    const formerRoots = rootsOf(listed.filter(({ group }) => group !== 'payments'));

    it('keep their order', () => {
      const better = listed.map((one): Deployment => ({ ...one, state: 'satisfied' }));
      const roots = rootsOf(better, { formerRoots: rootsOf(listed) });
      assert.deepEqual(namesOf(roots), namesOf(rootsOf(listed)));
    });

    it('have new groups behind them', () => {
      assert.deepEqual(namesOf(rootsOf(listed, { formerRoots })), [
        'orders',
        'team 2',
        'team 10',
        'healthy',
        undefined,
        'payments',
      ]);
    });

    it('have new groups behind them, the worst first', () => {
      const more = [...listed, inGroup('i', 'also new', 'unknown')];
      const names = namesOf(rootsOf(more, { formerRoots }));
      assert.deepEqual(names.slice(-2), ['payments', 'also new']);
    });
  });
});

describe('the row of a group', () => {
  it('has the rows of its deployments below it, in the order of the list', () => {
    const orders = rootsOf(listed).find(({ name }) => name === 'orders')!;
    assert.deepEqual(idsOf(childrenOf(orders)), [
      'group:orders/deployment:a',
      'group:orders/deployment:d',
    ]);
  });

  it('has an ID that no name of a group can have when it is No group', () => {
    const roots = rootsOf([inGroup('a'), inGroup('b', '%'), inGroup('c', 'undefined')]);
    assert.deepEqual(idsOf(roots).toSorted(), ['group:%', 'group:%25', 'group:undefined']);
  });

  it('keeps its ID when its state and its deployments change', () => {
    const [before] = rootsOf([inGroup('a', 'payments', 'failed'), inGroup('b', 'payments')]);
    const [after] = rootsOf([inGroup('c', 'payments')]);
    assert.equal(after?.id, before?.id);
  });

  it('is the parent of the first row of a deployment', () => {
    const roots = rootsOf(listed);
    assert.equal(firstInGroups(roots, 'd')?.parent, roots[1]);
  });

  it('has no row of a deployment that Hide Healthy hides', () => {
    assert.equal(firstInGroups(rootsOf(listed, { isOn: true }), 'd'), undefined);
  });
});

describe('the row of a group made anew', () => {
  const failing = {
    ...read('a', { accounts: [{ id: 'x', error: { code: 'c' } }], requirements: [] }),
    group: 'payments',
  };
  const healthy = { ...read('b', { accounts: [], requirements: [] }), group: 'payments' };
  const unknown = { ...inGroup('c', 'payments', 'unknown'), failedRead: failure };
  const all: readonly Deployment[] = [failing, healthy, unknown];
  const groupOf = (some: readonly Deployment[], isOn = false) => rootsOf(some, { isOn })[0]!;
  const later: Deployment = {
    ...read('a', { accounts: [{ id: 'x', error: { code: 'c' } }], requirements: [] }, [], 5),
    group: 'payments',
  };

  for (const [what, some] of [
    ['of the same deployments', all],
    ['of deployments with later answers that say the same', [later, healthy, unknown]],
    ['of deployments that are being read', all.map((one) => ({ ...one, activity: 'reading' }))],
    [
      'when a healthy deployment has another account',
      all.with(1, {
        ...read('b', { accounts: [{ id: 'y' }], requirements: [] }),
        group: 'payments',
      }),
    ],
    [
      'when a read has failed again for the same reason',
      all.with(2, {
        ...unknown,
        failedRead: { ...failure, at: 5 },
      }),
    ],
  ] as const satisfies readonly (readonly [string, readonly Deployment[]])[]) {
    it(`is the same ${what}`, () => {
      assert.equal(isSameGroup(groupOf(some), groupOf(all)), true);
    });
  }

  for (const [what, some] of [
    ['has another state', all.with(1, { ...healthy, state: 'muted' })],
    ['has another state that counts the same', all.with(0, { ...failing, state: 'notSatisfied' })],
    [
      'fails for another reason',
      all.with(0, {
        ...read('a', { accounts: [{ id: 'x', error: { code: 'd' } }], requirements: [] }),
        group: 'payments',
      }),
    ],
    [
      'is unknown for another reason',
      all.with(2, {
        ...unknown,
        failedRead: { ...failure, failure: { kind: 'timedOut', after: 1 } },
      }),
    ],
    ['has come', [...all, inGroup('d', 'payments')]],
    ['has gone', all.slice(0, 2)],
    ['has another place', all.toReversed()],
  ] as const satisfies readonly (readonly [string, readonly Deployment[]])[]) {
    it(`is another one when a deployment ${what}`, () => {
      assert.equal(isSameGroup(groupOf(some), groupOf(all)), false);
    });
  }

  it('is another one when two healthy deployments change places', () => {
    const two = [healthy, { ...healthy, id: 'd' }];
    assert.equal(isSameGroup(groupOf(two.toReversed()), groupOf(two)), false);
  });

  it('is another one when a part of an answer cannot be read any more', () => {
    const issues = [{ path: 'accounts[1]', expected: 'object', found: 'null' }] as const;
    const { answer } = failing;
    const unreadable = { ...failing, answer: { ...answer!, decodeIssues: issues } };
    assert.equal(isSameGroup(groupOf(all.with(0, unreadable)), groupOf(all)), false);
  });

  it('is another one when a deployment that Hide Healthy hides has gone', () => {
    const before = groupOf([failing, unknown, healthy], true);
    assert.equal(isSameGroup(groupOf([failing, unknown], true), before), false);
  });

  it('is another one when Hide Healthy hides a deployment', () => {
    assert.equal(isSameGroup(groupOf(all, true), groupOf(all)), false);
  });

  it('is not that of another group', () => {
    const [a, b] = rootsOf([inGroup('a', 'payments'), inGroup('b', 'orders')]);
    assert.equal(isSameGroup(a!, b), false);
  });

  it('is not the same as a row that is no group, or as none', () => {
    const [row] = childrenOf(groupOf(all));
    assert.equal(isSameGroup(row!, row), false);
    assert.equal(isSameGroup(groupOf(all), undefined), false);
  });
});

describe('the deployments in the order of their rows', () => {
  it('are those of one group after the other', () => {
    assert.deepEqual(deploymentsInGroups(rootsOf(listed)).join(''), 'cgadfehb');
  });
});

const states: readonly State[] = ['failed', 'unknown', 'muted', 'satisfied'];
const anyListed = fc
  .array(fc.tuple(fc.option(anyText, { nil: undefined }), fc.constantFrom(...states)))
  .map((all) => all.map(([group, state], at) => inGroup(`dep_${at}`, group, state)));

describe('the rows grouped by group', () => {
  it('have unique IDs, whatever the names of groups are', () => {
    fc.assert(
      fc.property(anyListed, (some) => {
        const roots = rootsOf(some);
        const ids = idsOf([...roots, ...roots.flatMap((root) => childrenOf(root))]);
        assert.equal(new Set(ids).size, ids.length);
      }),
    );
  });

  it('have each deployment once', () => {
    fc.assert(
      fc.property(anyListed, (some) => {
        const shown = deploymentsInGroups(rootsOf(some));
        assert.deepEqual(shown.toSorted(), idsOf(some).toSorted());
      }),
    );
  });

  it('have each deployment that is not healthy when Hide Healthy is on', () => {
    fc.assert(
      fc.property(anyListed, (some) => {
        const shown = deploymentsInGroups(rootsOf(some, { isOn: true }));
        const problems = some.filter(({ state }) => state !== 'satisfied');
        assert.deepEqual(shown.toSorted(), idsOf(problems).toSorted());
      }),
    );
  });

  it('count together what the list counts', () => {
    fc.assert(
      fc.property(anyListed, (some) => {
        const totals = rootsOf(some).map(({ counts }) => counts.total);
        assert.equal(
          totals.reduce((sum, total) => sum + total, 0),
          some.length,
        );
      }),
    );
  });
});

import assert from 'node:assert/strict';
import type { Account } from '../../../../src/api/authorization.js';
import type { Deployment } from '../../../../src/model/findings/deployment.js';
import { nothingRemembered } from '../../../../src/model/findings/state.js';
import { rootsByAccount } from '../../../../src/model/tree/accountGroups.js';
import { childrenOf, hasChildren, type TreeElement } from '../../../../src/model/tree/elements.js';
import {
  deploymentsInGroups,
  firstInGroups,
  type RowFilter,
} from '../../../../src/model/tree/roots.js';
import { myGroupsIn } from '../../../support/window/myGroups.js';
import { below, failure, muting, read } from './trees.js';

const fine = { id: 'fine', label: 'A fine one' };
const broken = { id: 'broken', error: { code: 'token_revoked', message: 'Revoked.' } };

const bound = (binding: string, accountId?: string, satisfied = false) => ({
  binding,
  satisfied,
  accountId,
});

const deployments: readonly Deployment[] = [
  read('one', {
    accounts: [broken, broken, fine],
    requirements: [bound('r1', 'broken'), bound('r2', 'fine', true)],
  }),
  read('two', { accounts: [broken], requirements: [bound('r3', 'broken')] }, [], 1),
  read('three', {
    accounts: [{ id: 'busy' }],
    requirements: [bound('r4', 'busy'), bound('r5', 'gone')],
  }),
  read('four', { accounts: [{ id: 'less' }], requirements: [bound('r6', 'less')] }),
  read('five', { accounts: [{ id: 'busy' }], requirements: [bound('r7', 'busy'), bound('r8')] }),
  { ...read('six', { accounts: [fine], requirements: [] }), state: 'unknown', failedRead: failure },
  { id: 'seven', name: 'seven', state: 'notYetRead', activity: 'idle' },
  read('eight', { accounts: [fine, { label: 'No ID' }], requirements: [] }),
  read('nine', { accounts: [{ label: 'No ID' }], requirements: [] }),
];

const myGroups: RowFilter['myGroups'] = { covers: () => true };
const everything = { filter: { isOn: false }, myGroups, memory: nothingRemembered };
const onlyProblems = { ...everything, filter: { isOn: true } };

/** The roots of the view grouped by account. */
function rootsOf(some: readonly Deployment[], options = everything) {
  return rootsByAccount(some, options);
}

/** Each root with how many of its deployments have a row, and how many it has. */
function countsOf(roots: readonly TreeElement[]) {
  return roots.map((root) => {
    const all = 'deployments' in root ? root.deployments.length : 0;
    return root.kind === 'accountGroup'
      ? `${root.id} ${root.members.length}/${all}`
      : `${root.id} ${all}`;
  });
}

const idsOf = (rows: readonly TreeElement[]) => rows.map(({ id }) => id);
const copyIdsOf = (rows: readonly TreeElement[]) => rows.map(({ copyId }) => copyId);

/** The IDs of the roots of one deployment with these accounts, by the names of the accounts. */
function idsByName(...accounts: readonly Account[]) {
  const roots = rootsOf([read('one', { accounts, requirements: [] })]);
  return new Map(
    roots.map((root) => [root.kind === 'accountGroup' ? root.finding?.name : root.kind, root.id]),
  );
}

/** The first root, which the test knows to be a group. */
function firstGroupOf(roots: readonly TreeElement[]) {
  const [group] = roots;
  assert.ok(group?.kind === 'accountGroup');
  return group;
}

const problemGroups = [
  '["account","broken"] 2/2',
  '["account","busy"] 2/2',
  '["account","less"] 1/1',
];

describe('the roots grouped by account', () => {
  const roots = rootsOf(deployments);

  it('are the accounts by state and then the deployments without one', () => {
    assert.deepEqual(countsOf(roots), [
      ...problemGroups,
      '["account","fine"] 3/3',
      '["own account","eight",null,"No ID",null] 1/1',
      '["own account","nine",null,"No ID",null] 1/1',
      'noAccount 2/2',
      'unseen 2',
    ]);
  });

  it('can all be expanded', () => assert.deepEqual(roots.filter(hasChildren), roots));

  it('of one state are sorted by their number of unsatisfied requirements', () => {
    const lacking = (id: string, count: number) => ({
      accounts: [{ id }],
      requirements: Array.from({ length: count }, (_, at) => bound(`r${at}`, id)),
    });
    const some = [read('one', lacking('a', 1)), read('two', lacking('b', 2))];
    assert.deepEqual(copyIdsOf(rootsOf(some)), ['b', 'a']);
  });

  it('have new groups behind the former ones', () => {
    const formerRoots = rootsOf(deployments.slice(2));
    const withNewGroup = rootsByAccount(deployments, { ...everything, formerRoots });
    assert.deepEqual(idsOf(withNewGroup), [
      '["account","busy"]',
      '["account","less"]',
      '["account","fine"]',
      '["own account","eight",null,"No ID",null]',
      '["own account","nine",null,"No ID",null]',
      'noAccount',
      '["account","broken"]',
      'unseen',
    ]);
  });

  it('keep the ID of an account without an ID when another account fails', () => {
    const alpha = { label: 'Alpha' };
    assert.deepEqual(
      idsByName(alpha, { label: 'Beta', error: {} }),
      idsByName(alpha, { label: 'Beta' }),
    );
  });

  it('count the healthy deployments that Hide Healthy hides', () => {
    const withProblems = rootsOf(deployments, onlyProblems);
    assert.deepEqual(countsOf(withProblems), [
      ...problemGroups,
      '["account","fine"] 2/3',
      'noAccount 2/2',
      'unseen 2',
    ]);
  });

  it('are one row for the others when no deployment has an account', () => {
    const bare = [read('bare', { accounts: [], requirements: [] })];
    assert.deepEqual(countsOf(rootsOf(bare)), ['unseen 1']);
  });

  it('are none when Hide Healthy hides every deployment', () => {
    const bare = [read('bare', { accounts: [], requirements: [] })];
    assert.deepEqual(rootsOf(bare, onlyProblems), []);
  });
});

describe('the group of an account', () => {
  it('has its problem first and then its deployments with their requirements', () => {
    const group = firstGroupOf(rootsOf(deployments));
    const rows = below(group).filter(({ id }) => !/requirement.*\//.test(id));
    assert.deepEqual(
      rows.map(({ id }) => id.replace(`${group.id}/`, '')),
      [
        'advice:["account","broken"]',
        'error',
        'member:one',
        'member:one/["requirement","one",null,"r1"]',
        'member:two',
        'member:two/["requirement","two",null,"r3"]',
      ],
    );
  });

  it('copies the ID of the account or of the deployment', () => {
    const group = firstGroupOf(rootsOf(deployments));
    assert.deepEqual(copyIdsOf(childrenOf(group)), ['broken', 'broken', 'one', 'two']);
  });

  it('names the deployment with the newest answer first', () => {
    const [newest] = firstGroupOf(rootsOf(deployments)).deployments;
    assert.equal(newest?.id, 'two');
  });

  it('counts the requirements that the failed account keeps unsatisfied', () => {
    assert.equal(firstGroupOf(rootsOf(deployments)).unsatisfiedCount, 2);
  });

  for (const [satisfied, state] of [
    [false, 'notSatisfied'],
    [undefined, 'unknown'],
    [true, 'satisfied'],
  ] as const) {
    it(`is ${state} when one of its requirements is and no answer has an error`, () => {
      const requirements = [
        { accountId: 'x', satisfied },
        { accountId: 'x', satisfied: true },
      ];
      const group = firstGroupOf(
        rootsOf([
          read('a', { accounts: [{ id: 'x' }], requirements: [] }, [], 2),
          read('b', { accounts: [{ id: 'x' }], requirements }, [], 1),
        ]),
      );
      assert.equal(group.state, state);
    });
  }

  it('is failed when only an older answer has an error', () => {
    const group = firstGroupOf(
      rootsOf([
        read('a', { accounts: [{ id: 'x' }], requirements: [] }, [], 2),
        read('b', { accounts: [{ id: 'x', error: {} }], requirements: [] }, [], 1),
      ]),
    );
    assert.equal(group.state, 'failed');
  });

  describe('after failed reads', () => {
    const unreadable = (id: string, at: number): Deployment => ({
      ...read(id, { accounts: [{ id: 'x', error: {} }], requirements: [] }, [], at),
      state: 'unknown',
      failedRead: failure,
    });

    it('is unknown when none of its deployments can be read', () => {
      const group = firstGroupOf(rootsOf([unreadable('a', 1), unreadable('b', 2)]));
      assert.equal(group.state, 'unknown');
    });

    it('is failed when one can be read and says so', () => {
      const other = read('b', { accounts: [{ id: 'x', error: {} }], requirements: [] });
      assert.equal(firstGroupOf(rootsOf([unreadable('a', 1), other])).state, 'failed');
    });

    it('is failed when one of another group says so', () => {
      const listed = [
        { ...unreadable('a', 1), group: 'payments' },
        { ...read('b', { accounts: [{ id: 'x', error: {} }], requirements: [] }), group: 'orders' },
      ];
      const chosen = myGroupsIn(() => listed, 'payments');
      const group = firstGroupOf(rootsOf(listed, { ...everything, myGroups: chosen }));
      assert.equal(group.state, 'failed');
    });
  });

  describe('whose problem is muted', () => {
    const memory = muting(({ key }) => key === '["account","broken"]');
    const roots = rootsOf(deployments, { ...everything, memory });
    const muted = roots.filter(({ copyId }) => copyId === 'broken');

    it('is muted', () => assert.equal(firstGroupOf(muted).state, 'muted'));

    it('counts no requirement that needs the account', () => {
      assert.equal(firstGroupOf(muted).unsatisfiedCount, 0);
    });
  });
});

describe('the group without an account', () => {
  it('has a step and the requirement below each deployment', () => {
    const group = rootsOf(deployments).find(({ id }) => id === 'noAccount')!;
    const rows = below(group).filter(({ id }) => !/requirement.*\//.test(id));
    assert.deepEqual(
      rows.map(({ id }) => id.replace(`${group.id}/`, '')),
      [
        'member:three',
        'member:three/advice:["requirement","three",null,"r5"]',
        'member:three/["requirement","three",null,"r5"]',
        'member:five',
        'member:five/advice:["requirement","five",null,"r8"]',
        'member:five/["requirement","five",null,"r8"]',
      ],
    );
  });
});

describe('the row of the other deployments', () => {
  it('has the unknown and the unread deployments', () => {
    const unseen = rootsOf(deployments).find(({ id }) => id === 'unseen')!;
    assert.deepEqual(idsOf(childrenOf(unseen)), [
      'unseen/deployment:six',
      'unseen/deployment:seven',
    ]);
  });

  it('has the failed read first below an unknown deployment', () => {
    const unseen = rootsOf(deployments).find(({ id }) => id === 'unseen')!;
    const [six] = childrenOf(unseen);
    const [firstBelow] = childrenOf(six!);
    assert.equal(firstBelow?.id, 'unseen/deployment:six/failure');
  });
});

describe('the deployments in the order of their rows', () => {
  it('are those of each account, and then the unseen ones', () => {
    const ids = deploymentsInGroups(rootsOf(deployments.slice(3, 7)));
    assert.deepEqual(ids, ['five', 'four', 'six', 'five', 'six', 'seven']);
  });
});

describe('the first row of a deployment in groups', () => {
  const roots = rootsOf(deployments);

  it('is below its first account', () => {
    assert.equal(firstInGroups(roots, 'one')?.id, '["account","broken"]/member:one');
  });

  it('has the group as its parent', () => {
    assert.equal(firstInGroups(roots, 'one')?.parent, roots[0]);
  });

  it('is the very row that the tree shows', () => {
    const shownRow = childrenOf(roots[0]!).find(({ copyId }) => copyId === 'one');
    assert.equal(firstInGroups(roots, 'one'), shownRow);
  });

  it('is below the other deployments when it was not read yet', () => {
    assert.equal(firstInGroups(roots, 'seven')?.id, 'unseen/deployment:seven');
  });

  it('is none when the deployment is not listed', () => {
    assert.equal(firstInGroups(roots, 'ten'), undefined);
  });
});

const inPayments = { group: 'payments' };

/** Deployments of two groups; `shared` is in both, and the newest answer, of the other one, has its error. */
const ofTwoGroups: readonly Deployment[] = [
  {
    ...read('p1', {
      accounts: [{ id: 'shared' }, { id: 'own' }],
      requirements: [bound('r1', 'shared', true), bound('r2', 'own'), bound('r3')],
    }),
    ...inPayments,
  },
  {
    ...read(
      'o1',
      {
        accounts: [
          { id: 'shared', error: {} },
          { id: 'other', error: {} },
        ],
        requirements: [bound('r4', 'shared'), bound('r5', 'other'), bound('r6')],
      },
      [],
      1,
    ),
    group: 'orders',
  },
  { id: 'p2', name: 'p2', state: 'notYetRead', activity: 'idle', ...inPayments },
  { id: 'o2', name: 'o2', state: 'notYetRead', activity: 'idle', group: 'orders' },
];

/** The roots while only payments is chosen. */
function rootsOfPayments(listed = ofTwoGroups, isOn = false) {
  const chosen = myGroupsIn(() => listed, 'payments');
  return rootsOf(listed, { ...everything, filter: { isOn }, myGroups: chosen });
}

describe('the roots by account of a chosen group', () => {
  it('are the accounts of its deployments, and what has none', () => {
    assert.deepEqual(idsOf(rootsOfPayments()), [
      '["account","shared"]',
      '["account","own"]',
      'noAccount',
      'unseen',
    ]);
  });

  it('have rows of its deployments alone', () => {
    const rows = rootsOfPayments().flatMap((root) => childrenOf(root));
    const ids = rows.filter(({ kind }) => kind === 'member' || kind === 'deployment');
    assert.deepEqual(copyIdsOf(ids), ['p1', 'p1', 'p1', 'p2']);
  });

  it('count the requirements of its deployments alone', () => {
    const shared = firstGroupOf(rootsOfPayments());
    assert.equal(shared.unsatisfiedCount, 0);
  });

  it('have the newest answer of all groups about an account', () => {
    const { account, finding, state } = firstGroupOf(rootsOfPayments());
    assert.equal(account?.newest.deployment.id, 'o1');
    assert.notEqual(finding?.problem, undefined);
    assert.equal(state, 'failed');
  });

  it('have an account as bad as an answer of another group says', () => {
    const listed = ofTwoGroups.slice(0, 2).map((deployment) => ({
      ...deployment,
      // Now the newest answer is the one without the error.
      answer: { ...deployment.answer!, sequence: deployment.group === 'payments' ? 2 : 1 },
    }));
    const [group] = rootsOfPayments(listed).filter(({ copyId }) => copyId === 'shared');
    assert.equal(group?.kind === 'accountGroup' && group.state, 'failed');
  });

  it('are about all deployments, the newest answer first', () => {
    const third = { ...read('o3', { accounts: [{ id: 'shared' }], requirements: [] }), group: 'x' };
    const { deployments: about } = firstGroupOf(rootsOfPayments([...ofTwoGroups, third]));
    assert.deepEqual(
      about.map(({ id }) => id),
      ['o1', 'p1', 'o3'],
    );
  });

  it('lack an account whose deployments Hide Healthy hides', () => {
    const healthy = { accounts: [{ id: 'shared' }], requirements: [] };
    const listed = [{ ...read('p1', healthy), ...inPayments }, ofTwoGroups[1]!, ofTwoGroups[2]!];
    assert.deepEqual(idsOf(rootsOfPayments(listed, true)), ['unseen']);
  });

  it('are one row for its deployments when none has an account', () => {
    const bare = { ...read('bare', { accounts: [], requirements: [] }), ...inPayments };
    assert.deepEqual(countsOf(rootsOfPayments([bare, ofTwoGroups[1]!])), ['unseen 1']);
  });

  it('are those of all deployments when no chosen group is left', () => {
    const listed = ofTwoGroups.filter(({ group }) => group === 'orders');
    assert.deepEqual(idsOf(rootsOfPayments(listed)), idsOf(rootsOf(listed)));
  });
});

import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { childrenOf, deploymentElement, hasChildren } from '../../../../src/model/tree/elements.js';
import { firstRows } from '../../../../src/model/tree/roots.js';
import { anyAuthorization, anyText, below, failure, read } from './trees.js';

const issues = [{ path: 'x', expected: 'string', found: 'null' }] as const;

describe('the rows below a deployment', () => {
  it('are steps, failed accounts, requirements, and then the folded rest', () => {
    const error = { message: 'Revoked.' };
    const checkedAt = '2026-11-20T09:00:00Z';
    const accounts = [
      { id: 'acc 1', scopes: ['s1', 's2'], checkedAt, error },
      { id: 'acc 2' },
      { label: 'no id' },
    ];
    const requirements = [
      {
        serviceId: 'slack',
        binding: 'notifier',
        satisfied: false,
        accountId: 'acc 1',
        eligibleAccountIds: ['acc 1', 'acc 2', 'acc 3'],
        connections: [{ connectionMethodId: 'oauth', requiredScopes: ['s1'] }],
      },
      { binding: 'own', satisfied: false },
      { binding: 'orphan', accountId: 'gone' },
      { serviceId: 'stripe', satisfied: true },
    ];
    const notReadAgain = { failedRead: failure, state: 'unknown' } as const;
    const root = deploymentElement({
      ...read('dep 1', { accounts, requirements }, issues),
      ...notReadAgain,
    });

    // The ID of each row without that of the deployment, and what Copy ID copies.
    const rows = [root, ...below(root)].map(
      (row) => `${row.id.replace(root.id, '')} ${row.copyId ?? '-'}`,
    );

    const notifier = '/["requirement","dep 1","slack","notifier"]';
    assert.deepEqual(rows, [
      ' dep 1',
      '/failure dep 1',
      '/advice:["account","acc 1"] dep 1',
      '/advice:["requirement","dep 1",null,"own"] dep 1',
      '/connected:["account","acc 1"] acc 1',
      '/connected:["account","acc 1"]/error acc 1',
      '/connected:["account","acc 1"]/scope:s1 s1',
      '/connected:["account","acc 1"]/scope:s2 s2',
      '/connected:["account","acc 1"]/check acc 1',
      `${notifier} notifier`,
      `${notifier}/bound:["account","acc 1"] acc 1`,
      `${notifier}/eligible:["account","acc 2"] acc 2`,
      `${notifier}/eligible:acc%203 acc 3`,
      `${notifier}/connection:oauth oauth`,
      `${notifier}/connection:oauth/scope:s1 s1`,
      '/["requirement","dep 1",null,"own"] own',
      '/["requirement","dep 1",null,"orphan"] orphan',
      '/["requirement","dep 1",null,"orphan"]/bound:gone gone',
      '/unreadable dep 1',
      '/satisfied dep 1',
      '/satisfied/["requirement","dep 1","stripe",null] stripe',
      '/accounts dep 1',
      '/accounts/connected:["account","acc 2"] acc 2',
      '/accounts/connected:["own account","dep 1",null,"no id",null] -',
    ]);
  });

  it('have no row for a failure that all deployments share', () => {
    const root = deploymentElement({
      ...read('dep', { accounts: [], requirements: [{ satisfied: true }] }),
      failedRead: failure,
    });
    const kinds = childrenOf(root).map(({ kind }) => kind);
    assert.deepEqual(kinds, ['satisfied']);
  });
});

/** How many problems of each kind a deployment has. */
interface Problems {
  readonly failedAccounts?: number;
  /** Unsatisfied requirements of the first failed account. */
  readonly effects?: number;
  /** Unsatisfied requirements whose working account lacks a scope. */
  readonly missingGrants?: number;
}

/** The rows directly below a deployment with these problems and one requirement without an account. */
function rowsWith({ failedAccounts = 0, effects = 0, missingGrants = 0 }: Problems) {
  const failed = Array.from({ length: failedAccounts }, (_, at) => ({ id: `f${at}`, error: {} }));
  const ok = { id: 'ok', connectionMethodId: 'oauth', scopes: [] };
  const ofFailed = Array.from({ length: effects }, (_, at) => ({
    binding: `r${at}`,
    satisfied: false,
    accountId: 'f0',
  }));
  const lacking = Array.from({ length: missingGrants }, (_, at) => ({
    binding: `l${at}`,
    satisfied: false,
    accountId: 'ok',
    connections: [{ connectionMethodId: 'oauth', requiredScopes: ['s'] }],
  }));
  const requirements = [...ofFailed, ...lacking, { binding: 'none', satisfied: false }];
  return childrenOf(deploymentElement(read('dep', { accounts: [...failed, ok], requirements })));
}

function kindsWith(problems: Problems) {
  return rowsWith(problems).map(({ kind }) => kind);
}

describe('a joined step of a deployment', () => {
  for (const [problems, expected] of [
    [{ failedAccounts: 3, missingGrants: 3 }, []],
    [{ failedAccounts: 4, missingGrants: 3 }, ['reconnectFailed 4']],
    [{ failedAccounts: 3, missingGrants: 5 }, ['grant 5']],
    [{ failedAccounts: 8, missingGrants: 4 }, ['reconnectFailed 8', 'grant 4']],
  ] as const) {
    const { failedAccounts, missingGrants } = problems;
    const steps = expected.join(' and ') || 'absent';
    it(`is ${steps} for ${failedAccounts} failed accounts and ${missingGrants} missing grants`, () => {
      const joinedSteps = rowsWith(problems).flatMap((row) =>
        row.kind === 'joinedAdvice' ? `${row.advice} ${row.problems.length}` : [],
      );
      assert.deepEqual(joinedSteps, expected);
    });
  }
});

describe('a deployment with four failed accounts', () => {
  const problems = { failedAccounts: 4, effects: 2, missingGrants: 1 };

  it('folds the requirements of these accounts into one row', () => {
    assert.deepEqual(kindsWith(problems), [
      'joinedAdvice',
      'advice',
      'advice',
      'account',
      'account',
      'account',
      'account',
      'effects',
      'requirement',
      'requirement',
      'accounts',
    ]);
  });

  it('has the requirements of these accounts below the folded row', () => {
    const effects = rowsWith(problems).find(({ kind }) => kind === 'effects')!;
    const copyIds = childrenOf(effects).map(({ copyId }) => copyId);
    assert.deepEqual(copyIds, ['r0', 'r1']);
  });

  it('has the folded row as the parent of the requirements below', () => {
    const effects = rowsWith(problems).find(({ kind }) => kind === 'effects')!;
    const parentIds = childrenOf(effects).map(({ parent }) => parent?.id);
    assert.deepEqual(parentIds, [effects.id, effects.id]);
  });

  it('folds no requirement when none needs these accounts', () => {
    const effects = kindsWith({ failedAccounts: 4 }).filter((kind) => kind === 'effects');
    assert.deepEqual(effects, []);
  });
});

it('a deployment with three failed accounts folds no requirement', () => {
  const kinds = kindsWith({ failedAccounts: 3, effects: 9 });
  assert.deepEqual(
    kinds.filter((kind) => kind === 'effects'),
    [],
  );
});

describe('a deployment with any answer', () => {
  it('has one step against each problem', () => {
    fc.assert(
      fc.property(anyAuthorization, (answer) => {
        const deployment = read('dep', answer);

        const advisedKeys = childrenOf(deploymentElement(deployment)).flatMap((row) => {
          if (row.kind === 'advice') return row.problem.key;
          return row.kind === 'joinedAdvice' ? row.problems.map(({ key }) => key) : [];
        });

        const problemKeys = deployment.answer!.findings.problems.map(({ key }) => key);
        assert.deepEqual(advisedKeys.toSorted(), problemKeys.toSorted());
      }),
    );
  });

  it('has one row for each requirement', () => {
    fc.assert(
      fc.property(anyAuthorization, (answer) => {
        const deployment = read('dep', answer);

        const rows = childrenOf(deploymentElement(deployment));
        const foldedRows = rows
          .filter(({ kind }) => kind === 'effects' || kind === 'satisfied')
          .flatMap(childrenOf);
        const shownKeys = [...rows, ...foldedRows].flatMap((row) =>
          row.kind === 'requirement' ? row.finding.key : [],
        );

        const requirementKeys = deployment.answer!.findings.requirements.map(({ key }) => key);
        assert.deepEqual(shownKeys.toSorted(), requirementKeys.toSorted());
      }),
    );
  });
});

describe('the rows of any tree', () => {
  const anyTree = fc.record({
    ids: fc.uniqueArray(anyText, { maxLength: 3 }),
    answer: anyAuthorization,
    isStale: fc.boolean(),
    isWhole: fc.boolean(),
  });
  type Tree = typeof anyTree extends fc.Arbitrary<infer T> ? T : never;

  const halfCharacters: Tree = {
    ids: ['\uD800', '\uD801'],
    answer: { accounts: [], requirements: [] },
    isStale: false,
    isWhole: true,
  };
  const examples: [Tree][] = [[halfCharacters]];

  function rowsOf({ ids, answer, isStale, isWhole }: Tree) {
    const roots = [
      ...firstRows(undefined, { owners: { count: 1, files: [] } }, true),
      ...ids.map((id) =>
        deploymentElement({
          ...read(id, answer, isWhole ? [] : issues),
          ...(isStale && { failedRead: failure }),
        }),
      ),
    ];
    return roots.flatMap((root) => [root, ...below(root)]);
  }

  it('have different IDs', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const rowIds = rowsOf(tree).map(({ id }) => id);
        assert.deepEqual([...new Set(rowIds)], rowIds);
      }),
      { examples },
    );
  });

  it('can be expanded exactly when there are rows below', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        for (const row of rowsOf(tree))
          assert.equal(hasChildren(row), childrenOf(row).length > 0, row.id);
      }),
      { examples },
    );
  });
});

import { strict as assert } from 'node:assert';
import * as fc from 'fast-check';
import type { Account, Requirement } from '../../../../src/api/authorization.js';
import type { Deployment, DeploymentProblem } from '../../../../src/model/findings/deployment.js';
import type { Identity } from '../../../../src/model/findings/findings.js';
import {
  type AccountRepair,
  type OwnerRepairs,
  repairsByOwner,
} from '../../../../src/model/problems/repairs.js';
import { failure as notFound, read } from '../tree/trees.js';

const slack = (more: Partial<Account> = {}): Account => ({
  id: 'acc_1',
  label: 'Finance Slack',
  serviceId: 'slack',
  connectionMethodId: 'm',
  scopes: [],
  ...more,
});
const failed = slack({ error: { code: 'revoked' } });

/** A requirement that is bound to the account and not satisfied. */
const needs = (binding: string, ...requiredScopes: readonly string[]): Requirement => ({
  binding,
  serviceId: 'slack',
  satisfied: false,
  accountId: 'acc_1',
  connections: [{ connectionMethodId: 'm', requiredScopes }],
});
const satisfied = (requirement: Requirement): Requirement => ({ ...requirement, satisfied: true });

/** The answer of a deployment that has one account. `at`: when it was asked for. */
function holding(
  id: string,
  account: Account,
  requirements: readonly Requirement[] = [],
  at = 0,
): Deployment {
  return read(id, { accounts: [account], requirements }, [], at);
}

/** Each problem once, as they are chosen. */
function problemsOf(deployments: readonly Deployment[]): readonly DeploymentProblem[] {
  const byKey = new Map<string, DeploymentProblem>();
  for (const deployment of deployments) {
    for (const problem of deployment.answer!.findings.problems) {
      if (!byKey.has(problem.key)) byKey.set(problem.key, { deployment, problem });
    }
  }
  return [...byKey.values()];
}

interface Chosen {
  readonly owners?: Readonly<Record<string, string>>;
  /** Those whose problems are chosen. Absent: all. */
  readonly chosen?: readonly Deployment[];
  readonly denied?: readonly Deployment[];
}

/** Repairs the chosen problems; the first of them was first seen at 9, the next at 8, and so on. */
function repairs(
  listed: readonly Deployment[],
  { owners = {}, chosen = listed, denied = [] }: Chosen = {},
) {
  const problems = problemsOf(chosen);
  const places = new Map(problems.map(({ problem }, at) => [problem.key, at]));
  const memory = {
    seenSince: ({ key }: Identity) => {
      const place = places.get(key);
      return place === undefined ? undefined : 9 - place;
    },
  };
  const ownerOf = ({ account: id = '', deployment = '', service = '' }) =>
    owners[id] ?? owners[deployment] ?? owners[service];
  return repairsByOwner(problems, denied, { listed, memory, ownerOf });
}

const idsOf = (deployments: readonly Deployment[]): string =>
  deployments.map(({ id }) => id).join('+');

/** "Finance Slack failed: grant read, dep_1 cannot use it, dep_2 has it" without the words. */
function wordsOf({ account, cannotUse, others, scopes, trouble }: AccountRepair): string {
  return [
    account.label,
    trouble,
    scopes.join('+') || '–',
    idsOf(cannotUse) || '–',
    idsOf(others) || '–',
  ].join(' ');
}

function linesOf({ accounts, denied, owner, unconnected }: OwnerRepairs) {
  return [
    owner,
    ...accounts.map(wordsOf),
    ...unconnected.map(({ deployment, requirement }) => `${requirement.name} ${deployment.id}`),
    ...denied.map(({ id }) => `read ${id}`),
  ];
}

/** The lines of each owner's request. */
async function requestLines(...given: Parameters<typeof repairs>) {
  const { byOwner } = await repairs(...given);
  return byOwner.map(linesOf);
}

/** The one account that is to be repaired. */
async function onlyAccount(...given: Parameters<typeof repairs>): Promise<AccountRepair> {
  const { byOwner } = await repairs(...given);
  assert.equal(byOwner[0]?.accounts.length, 1);
  return byOwner[0].accounts[0]!;
}

/** A deployment with a requirement that has no account. */
const unconnected = (id: string, binding: string): Deployment =>
  read(id, { accounts: [], requirements: [{ binding, satisfied: false }] });

const newestOf = (listed: readonly Deployment[]): Deployment =>
  listed.reduce((a, b) => (b.answer!.sequence > a.answer!.sequence ? b : a));

const isAffected = ({ answer }: Deployment): boolean =>
  answer!.value.requirements.some((one) => one.satisfied === false);

const scope = fc.constantFrom('read', 'write');
const scopes = fc.uniqueArray(scope);
const method = fc.constantFrom('m', 'n');
const anyAccount = fc
  .record({
    scopes,
    connectionMethodId: method,
    error: fc.option(fc.record({ code: fc.constantFrom('x', 'y') })),
  })
  .map((more) => slack(more));
const anyRequirement = fc
  .record({ satisfied: fc.boolean(), connectionMethodId: method, requiredScopes: scopes })
  .map(({ satisfied: is, ...connection }) => ({
    ...needs('a'),
    satisfied: is,
    connections: [connection],
  }));
/** Deployments that share one account, each with an answer of its own, read in any order. */
const anyListed = fc
  .array(
    fc.record({ account: anyAccount, requirements: fc.array(anyRequirement, { maxLength: 2 }) }),
    {
      minLength: 1,
      maxLength: 5,
    },
  )
  .chain((answers) =>
    fc
      .shuffledSubarray([...answers.keys()], { minLength: answers.length })
      .map((order) =>
        answers.map(({ account, requirements }, at) =>
          holding(`dep_${at}`, account, requirements, order.indexOf(at) + 1),
        ),
      ),
  );

describe('repairsByOwner', () => {
  it('lists a failed account once with the deployments that cannot use it', async () => {
    const listed = [
      holding('dep_1', failed, [needs('a', 'read')]),
      holding('dep_2', failed, [needs('b', 'write')]),
      holding('dep_3', failed),
      holding('dep_4', failed, [satisfied(needs('c'))]),
    ];
    assert.deepEqual(await requestLines(listed), [
      [undefined, 'Finance Slack failed read+write dep_1+dep_2 –'],
    ]);
  });

  it('lists deployments that cannot use a failed account when another one is chosen', async () => {
    const listed = [holding('dep_1', failed, [needs('a')]), holding('dep_2', failed)];
    assert.deepEqual(await requestLines(listed, { chosen: listed.slice(1) }), [
      [undefined, 'Finance Slack failed – dep_1 –'],
    ]);
  });

  it('lists all deployments of a failed account when none is known to need it', async () => {
    const listed = [holding('dep_1', failed), holding('dep_2', failed, [satisfied(needs('a'))])];
    assert.deepEqual(await requestLines(listed), [
      [undefined, 'Finance Slack failed – – dep_1+dep_2'],
    ]);
  });

  it('tells deployments that lack scopes from those that only use the account', async () => {
    const listed = [
      holding('dep_1', slack({ scopes: ['read'] }), [needs('a', 'read', 'write')]),
      holding('dep_2', slack({ scopes: ['read'] }), [satisfied(needs('b', 'read'))]),
      holding('dep_3', slack({ scopes: ['read'] })),
      holding('dep_4', slack({ scopes: ['read'] }), [
        needs('c', 'list'),
        satisfied(needs('d', 'read')),
      ]),
    ];
    assert.deepEqual(await requestLines(listed, { chosen: listed.slice(0, 1) }), [
      [undefined, 'Finance Slack lacksScopes write+list dep_1+dep_4 dep_2'],
    ]);
  });

  it('leaves out a deployment whose requirement is unknown', async () => {
    const { satisfied: _, ...unknown } = needs('b');
    const listed = [
      holding('dep_1', slack(), [needs('a', 'read')]),
      holding('dep_2', slack(), [unknown]),
    ];
    assert.deepEqual(await requestLines(listed), [
      [undefined, 'Finance Slack lacksScopes read dep_1 –'],
    ]);
  });

  it('leaves out a deployment that uses the account but cannot be read', async () => {
    const used = holding('dep_2', slack(), [satisfied(needs('c'))]);
    const unreadable: Deployment = { ...used, state: 'unknown', failedRead: notFound };
    const listed = [holding('dep_1', slack(), [needs('a', 'read')]), unreadable];
    assert.deepEqual(await requestLines(listed), [
      [undefined, 'Finance Slack lacksScopes read dep_1 –'],
    ]);
  });

  it('knows no reason when one of the unsatisfied requirements lacks no scope', async () => {
    const listed = [
      holding('dep_1', slack(), [needs('a')]),
      holding('dep_2', slack(), [needs('b', 'read')]),
    ];
    assert.deepEqual(await requestLines(listed), [
      [undefined, 'Finance Slack unexplained read dep_1+dep_2 –'],
    ]);
  });

  it('asks for a missing scope when a newer answer has no list of scopes', async () => {
    const { scopes: _, ...unlisted } = slack();
    const listed = [
      holding('dep_1', slack(), [needs('a', 'read')]),
      holding('dep_2', unlisted, [], 5),
    ];
    assert.deepEqual(await requestLines(listed), [
      [undefined, 'Finance Slack lacksScopes read dep_1 –'],
    ]);
  });

  it('leaves out a deployment that needs a failed account but cannot be read', async () => {
    const listed = ['dep_1', 'dep_2'].map((id) => holding(id, failed, [needs('a')]));
    const unreadable: Deployment = { ...listed[1]!, state: 'unknown', failedRead: notFound };
    assert.deepEqual(await requestLines([listed[0]!, unreadable], { chosen: listed.slice(0, 1) }), [
      [undefined, 'Finance Slack failed – dep_1 –'],
    ]);
  });

  it('lists each requirement without an account', async () => {
    const requirements = ['a', 'b'].map((binding) => ({ binding, satisfied: false }));
    assert.deepEqual(await requestLines([read('dep_1', { accounts: [], requirements })]), [
      [undefined, 'a dep_1', 'b dep_1'],
    ]);
  });

  it('lists an account without an ID once for each deployment', async () => {
    const { id: _, ...own } = failed;
    const listed = [holding('dep_1', own), holding('dep_2', own)];
    assert.deepEqual(await requestLines(listed), [
      [undefined, 'Finance Slack failed – – dep_1', 'Finance Slack failed – – dep_2'],
    ]);
  });

  it('groups repairs by owner with those without an owner last', async () => {
    const listed = [
      unconnected('dep_0', 'x'),
      holding('dep_1', failed),
      unconnected('dep_2', 'c'),
      unconnected('dep_3', 'd'),
    ];
    const owners = { acc_1: 'Maria', dep_2: 'Bob', dep_3: 'Maria', slack: 'Eve' };
    assert.deepEqual(await requestLines(listed, { owners }), [
      ['Maria', 'Finance Slack failed – – dep_1', 'd dep_3'],
      ['Bob', 'c dep_2'],
      [undefined, 'x dep_0'],
    ]);
  });

  it('gives an account to the owner of any deployment whose problem is chosen', async () => {
    const listed = ['dep_1', 'dep_2'].map((id) => holding(id, slack(), [needs('a', 'read')]));
    assert.deepEqual(await requestLines(listed, { owners: { dep_2: 'Bob' } }), [
      ['Bob', 'Finance Slack lacksScopes read dep_1+dep_2 –'],
    ]);
  });

  it('puts deployments that may not be read into a group without an owner', async () => {
    const listed = ['dep_1', 'dep_2'].map((id) => holding(id, slack()));
    assert.deepEqual(
      await requestLines([holding('dep_3', failed)], { owners: { dep_1: 'Bob' }, denied: listed }),
      [
        [undefined, 'Finance Slack failed – – dep_3'],
        [undefined, 'read dep_1', 'read dep_2'],
      ],
    );
  });

  it('dates the problem of each account by its first-seen time', async () => {
    const { id: _, ...own } = failed;
    const { byOwner } = await repairs([holding('dep_1', own), holding('dep_2', own)]);
    assert.deepEqual(
      byOwner[0]!.accounts.map(({ seenSince }) => seenSince),
      [9, 8],
    );
  });

  it('dates a repair by the oldest answer that it relies on, even if that was cached', async () => {
    const old = holding('dep_1', failed, [needs('a')], 5);
    const cached = { ...old, answer: { ...old.answer!, asOf: 3 } };
    const listed = [cached, holding('dep_2', failed, [], 7), holding('dep_3', failed, [], 1)];
    assert.equal((await onlyAccount(listed)).readAt, 3);
  });

  it('says that an account has failed exactly when the newest answer does', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, async (listed) => {
        const { byOwner } = await repairs(listed);
        const hasFailed = newestOf(listed).answer!.value.accounts[0]!.error !== null;
        for (const { trouble } of byOwner.flatMap(({ accounts }) => accounts)) {
          const saysFailed = trouble === 'failed';
          assert.equal(saysFailed, hasFailed);
        }
      }),
    );
  });

  it('either repairs or clears each account with a problem', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, async (listed) => {
        const { byOwner, cleared } = await repairs(listed);
        const repairedCount = byOwner.flatMap(({ accounts }) => accounts).length;
        const expectedCount = problemsOf(listed).length > 0 ? 1 : 0;
        assert.equal(repairedCount + cleared.length, expectedCount);
      }),
    );
  });

  it('clears an account only when an answer about it is outdated', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, async (listed) => {
        const { cleared } = await repairs(listed);
        for (const { outdated } of cleared) assert.notEqual(idsOf(outdated), '');
      }),
    );
  });

  it('never calls the newest answer outdated', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, async (listed) => {
        const { cleared } = await repairs(listed);
        const newest = newestOf(listed);
        for (const { outdated } of cleared) {
          const isNewestOutdated = outdated.includes(newest);
          assert.equal(isNewestOutdated, false);
        }
      }),
    );
  });

  it('never asks for a scope that the newest answer shows as granted', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, async (listed) => {
        const accounts = listed.map(({ answer }) => answer!.value.accounts[0]!);
        fc.pre(accounts.every(({ connectionMethodId }) => connectionMethodId === 'm'));
        const granted = newestOf(listed).answer!.value.accounts[0]!.scopes!;
        const { byOwner } = await repairs(listed);
        for (const repair of byOwner.flatMap((one) => one.accounts)) {
          const grantedAndAsked = repair.scopes.filter((one) => granted.includes(one));
          assert.deepEqual(grantedAndAsked, []);
        }
      }),
    );
  });

  it('says that a deployment cannot use an account only when a requirement is unsatisfied', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, async (listed) => {
        const { byOwner } = await repairs(listed);
        for (const { cannotUse } of byOwner.flatMap(({ accounts }) => accounts)) {
          const unaffected = cannotUse.filter((deployment) => !isAffected(deployment));
          assert.equal(idsOf(unaffected), '');
        }
      }),
    );
  });

  it('says that a deployment only uses an account when no requirement is unsatisfied', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, async (listed) => {
        const { byOwner } = await repairs(listed);
        for (const { others } of byOwner.flatMap(({ accounts }) => accounts)) {
          assert.equal(idsOf(others.filter(isAffected)), '');
        }
      }),
    );
  });
});

describe('the newest answer about an account', () => {
  const repairedListed = [
    holding('dep_1', failed, [needs('a')], 5),
    holding('dep_2', slack(), [], 7),
    holding('dep_3', failed, [], 4),
    holding('dep_4', slack(), [], 3),
  ];
  const grantedListed = [
    holding('dep_1', slack(), [needs('a', 'read')], 5),
    holding('dep_2', slack({ scopes: ['read'] }), [], 7),
  ];

  it('is quoted in the repair', async () => {
    const renamed = slack({ label: 'New', error: { code: 'expired' } });
    const listed = [holding('dep_1', failed, [needs('a')], 5), holding('dep_2', renamed, [], 7)];
    const { account } = await onlyAccount(listed, { chosen: listed.slice(0, 1) });
    assert.equal(account.label, 'New');
    assert.equal(account.error?.code, 'expired');
  });

  it('clears an account that works again', async () => {
    const { byOwner, cleared } = await repairs(repairedListed);
    assert.deepEqual(byOwner, []);
    assert.deepEqual(
      cleared.map(({ worksAgain }) => worksAgain),
      [true],
    );
  });

  it('names the deployments whose answers still show the failure', async () => {
    const { cleared } = await repairs(repairedListed);
    assert.deepEqual(
      cleared.map(({ outdated }) => idsOf(outdated)),
      ['dep_1+dep_3'],
    );
  });

  it('dates a cleared account by its own time', async () => {
    const { cleared } = await repairs(repairedListed);
    assert.deepEqual(
      cleared.map(({ asOf }) => asOf),
      [7],
    );
  });

  it('clears an account that was granted all scopes that it lacked', async () => {
    const { byOwner, cleared } = await repairs(grantedListed);
    assert.deepEqual(byOwner, []);
    assert.deepEqual(
      cleared.map(({ worksAgain }) => worksAgain),
      [false],
    );
  });

  it('names the deployments whose answers still lack the granted scopes', async () => {
    const { cleared } = await repairs(grantedListed);
    assert.deepEqual(
      cleared.map(({ outdated }) => idsOf(outdated)),
      ['dep_1'],
    );
  });

  const partlyGranted = [
    holding('dep_1', slack(), [needs('a', 'read', 'write')], 5),
    holding('dep_2', slack({ scopes: ['read'] }), [], 7),
  ];

  it('removes a granted scope from the missing ones', async () => {
    assert.deepEqual(await requestLines(partlyGranted), [
      [undefined, 'Finance Slack lacksScopes write dep_1 –'],
    ]);
  });

  it('leaves the scope of another connection method missing', async () => {
    const other = slack({ connectionMethodId: 'n' });
    const byOther = {
      ...needs('b', 'read'),
      connections: [{ connectionMethodId: 'n', requiredScopes: ['read'] }],
    };
    const listed = [...partlyGranted, holding('dep_3', other, [byOther], 4)];
    assert.deepEqual(await requestLines(listed), [
      [undefined, 'Finance Slack lacksScopes write+read dep_1+dep_3 –'],
    ]);
  });

  it('wins over an older answer that shows the account working', async () => {
    const listed = [
      holding('dep_1', slack(), [needs('a', 'read')], 5),
      holding('dep_2', slack({ scopes: ['read'] }), [satisfied(needs('b', 'read'))], 6),
      holding('dep_3', failed, [needs('c')], 7),
    ];
    assert.deepEqual(await requestLines(listed, { chosen: listed.slice(0, 1) }), [
      [undefined, 'Finance Slack failed read dep_1+dep_3 –'],
    ]);
  });

  it('leaves a missing scope when it clears a failure', async () => {
    const listed = [
      holding('dep_1', failed, [], 5),
      holding('dep_2', slack(), [needs('a', 'read')], 7),
    ];
    const { byOwner, cleared } = await repairs(listed);
    assert.deepEqual(byOwner.map(linesOf), [[undefined, 'Finance Slack lacksScopes read dep_2 –']]);
    assert.deepEqual(cleared, []);
  });
});

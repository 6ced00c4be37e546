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

/** The later its place, the longer ago a problem was seen. */
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

async function asked(...given: Parameters<typeof repairs>) {
  const { byOwner } = await repairs(...given);
  return byOwner.map(linesOf);
}

async function onlyAccount(...given: Parameters<typeof repairs>): Promise<AccountRepair> {
  const { byOwner } = await repairs(...given);
  assert.equal(byOwner[0]?.accounts.length, 1);
  return byOwner[0].accounts[0]!;
}

const none = (id: string, binding: string): Deployment =>
  read(id, { accounts: [], requirements: [{ binding, satisfied: false }] });

const newestOf = (listed: readonly Deployment[]): Deployment =>
  listed.reduce((a, b) => (b.answer!.sequence > a.answer!.sequence ? b : a));

const isAffected = ({ answer }: Deployment): boolean =>
  answer!.value.requirements.some((one) => one.satisfied === false);

describe('what repairs problems', () => {
  it('is a failed account once, with the deployments that cannot use it and not those that only have it', async () => {
    const listed = [
      holding('dep_1', failed, [needs('a', 'read')]),
      holding('dep_2', failed, [needs('b', 'write')]),
      holding('dep_3', failed),
      holding('dep_4', failed, [satisfied(needs('c'))]),
    ];
    assert.deepEqual(await asked(listed), [
      [undefined, 'Finance Slack failed read+write dep_1+dep_2 –'],
    ]);
  });

  it('is a failed account with those that cannot use it, whichever of its deployments is chosen', async () => {
    const listed = [holding('dep_1', failed, [needs('a')]), holding('dep_2', failed)];
    assert.deepEqual(await asked(listed, { chosen: listed.slice(1) }), [
      [undefined, 'Finance Slack failed – dep_1 –'],
    ]);
  });

  it('is a failed account with all that have it, where none is known to need it', async () => {
    const listed = [holding('dep_1', failed), holding('dep_2', failed, [satisfied(needs('a'))])];
    assert.deepEqual(await asked(listed), [[undefined, 'Finance Slack failed – – dep_1+dep_2']]);
  });

  it('is an account that lacks scopes, apart the deployments that lack them and those that use it', async () => {
    const listed = [
      holding('dep_1', slack({ scopes: ['read'] }), [needs('a', 'read', 'write')]),
      holding('dep_2', slack({ scopes: ['read'] }), [satisfied(needs('b', 'read'))]),
      holding('dep_3', slack({ scopes: ['read'] })),
      holding('dep_4', slack({ scopes: ['read'] }), [
        needs('c', 'list'),
        satisfied(needs('d', 'read')),
      ]),
    ];
    assert.deepEqual(await asked(listed, { chosen: listed.slice(0, 1) }), [
      [undefined, 'Finance Slack lacksScopes write+list dep_1+dep_4 dep_2'],
    ]);
  });

  it('says nothing of a deployment whose requirement is unknown, or that could not be read', async () => {
    const { satisfied: _, ...unknown } = needs('b');
    const unreadable = holding('dep_3', slack(), [satisfied(needs('c'))]);
    const failedRead = { failure: { kind: 'notFound', status: 404 }, at: 1 } as const;
    const listed = [
      holding('dep_1', slack(), [needs('a', 'read')]),
      holding('dep_2', slack(), [unknown]),
      { ...unreadable, state: 'unknown', failedRead } as const,
    ];
    assert.deepEqual(await asked(listed), [[undefined, 'Finance Slack lacksScopes read dep_1 –']]);
  });

  it('is an account without a known reason, where one of its requirements lacks no scope', async () => {
    const listed = [
      holding('dep_1', slack(), [needs('a')]),
      holding('dep_2', slack(), [needs('b', 'read')]),
    ];
    assert.deepEqual(await asked(listed), [
      [undefined, 'Finance Slack unexplained read dep_1+dep_2 –'],
    ]);
  });

  it('lacks a scope as long as no newer answer lists it, also if a newer one lists none', async () => {
    const { scopes: _, ...unlisted } = slack();
    const listed = [
      holding('dep_1', slack(), [needs('a', 'read')]),
      holding('dep_2', unlisted, [], 5),
    ];
    assert.deepEqual(await asked(listed), [[undefined, 'Finance Slack lacksScopes read dep_1 –']]);
  });

  it('is used by no deployment that can no longer be read', async () => {
    const listed = ['dep_1', 'dep_2'].map((id) => holding(id, failed, [needs('a')]));
    const unreadable: Deployment = { ...listed[1]!, state: 'unknown', failedRead: notFound };
    assert.deepEqual(await asked([listed[0]!, unreadable], { chosen: listed.slice(0, 1) }), [
      [undefined, 'Finance Slack failed – dep_1 –'],
    ]);
  });

  it('is each requirement without an account', async () => {
    const requirements = ['a', 'b'].map((binding) => ({ binding, satisfied: false }));
    assert.deepEqual(await asked([read('dep_1', { accounts: [], requirements })]), [
      [undefined, 'a dep_1', 'b dep_1'],
    ]);
  });

  it('is each account without an ID in its own deployment', async () => {
    const { id: _, ...own } = failed;
    const listed = [holding('dep_1', own), holding('dep_2', own)];
    assert.deepEqual(await asked(listed), [
      [undefined, 'Finance Slack failed – – dep_1', 'Finance Slack failed – – dep_2'],
    ]);
  });

  it('stands by owner, and comes last where there is none', async () => {
    const listed = [
      none('dep_0', 'x'),
      holding('dep_1', failed),
      none('dep_2', 'c'),
      none('dep_3', 'd'),
    ];
    const owners = { acc_1: 'Maria', dep_2: 'Bob', dep_3: 'Maria', slack: 'Eve' };
    assert.deepEqual(await asked(listed, { owners }), [
      ['Maria', 'Finance Slack failed – – dep_1', 'd dep_3'],
      ['Bob', 'c dep_2'],
      [undefined, 'x dep_0'],
    ]);
  });

  it('belongs to the owner of any deployment whose problem is chosen', async () => {
    const listed = ['dep_1', 'dep_2'].map((id) => holding(id, slack(), [needs('a', 'read')]));
    assert.deepEqual(await asked(listed, { owners: { dep_2: 'Bob' } }), [
      ['Bob', 'Finance Slack lacksScopes read dep_1+dep_2 –'],
    ]);
  });

  it('asks an administrator for deployments that may not be read, whoever can fix their accounts', async () => {
    const listed = ['dep_1', 'dep_2'].map((id) => holding(id, slack()));
    assert.deepEqual(
      await asked([holding('dep_3', failed)], { owners: { dep_1: 'Bob' }, denied: listed }),
      [
        [undefined, 'Finance Slack failed – – dep_3'],
        [undefined, 'read dep_1', 'read dep_2'],
      ],
    );
  });

  it('was seen when the first of its problems was', async () => {
    const { id: _, ...own } = failed;
    const { byOwner } = await repairs([holding('dep_1', own), holding('dep_2', own)]);
    assert.deepEqual(
      byOwner[0]!.accounts.map(({ seenSince }) => seenSince),
      [9, 8],
    );
  });

  it('is as old as the oldest answer that it relies on, also where that lay in a cache', async () => {
    const old = holding('dep_1', failed, [needs('a')], 5);
    const cached = { ...old, answer: { ...old.answer!, asOf: 3 } };
    const listed = [cached, holding('dep_2', failed, [], 7), holding('dep_3', failed, [], 1)];
    assert.equal((await onlyAccount(listed)).readAt, 3);
  });
});

describe('what the newest answer says of an account', () => {
  it('is what a request quotes', async () => {
    const renamed = slack({ label: 'New', error: { code: 'expired' } });
    const listed = [holding('dep_1', failed, [needs('a')], 5), holding('dep_2', renamed, [], 7)];
    const { account } = await onlyAccount(listed, { chosen: listed.slice(0, 1) });
    assert.deepEqual([account.label, account.error?.code], ['New', 'expired']);
  });

  it('clears an account that works again, and names those that say otherwise', async () => {
    const listed = [
      holding('dep_1', failed, [needs('a')], 5),
      holding('dep_2', slack(), [], 7),
      holding('dep_3', failed, [], 4),
      holding('dep_4', slack(), [], 3),
    ];
    const { byOwner, cleared } = await repairs(listed);
    assert.deepEqual(
      [
        byOwner,
        cleared.map(({ asOf, outdated, worksAgain }) => [worksAgain, asOf, idsOf(outdated)]),
      ],
      [[], [[true, 7, 'dep_1+dep_3']]],
    );
  });

  it('clears an account that was granted all it lacked', async () => {
    const listed = [
      holding('dep_1', slack(), [needs('a', 'read')], 5),
      holding('dep_2', slack({ scopes: ['read'] }), [], 7),
    ];
    const { byOwner, cleared } = await repairs(listed);
    assert.deepEqual(
      [byOwner, cleared.map(({ outdated, worksAgain }) => [worksAgain, idsOf(outdated)])],
      [[], [[false, 'dep_1']]],
    );
  });

  it('takes back a scope that it shows granted, and keeps those of another connection method', async () => {
    const other = slack({ connectionMethodId: 'n' });
    const byOther = {
      ...needs('b', 'read'),
      connections: [{ connectionMethodId: 'n', requiredScopes: ['read'] }],
    };
    const listed = [
      holding('dep_1', slack(), [needs('a', 'read', 'write')], 5),
      holding('dep_2', slack({ scopes: ['read'] }), [], 7),
    ];
    assert.deepEqual(await asked(listed), [[undefined, 'Finance Slack lacksScopes write dep_1 –']]);
    const withOther = [...listed, holding('dep_3', other, [byOther], 4)];
    assert.deepEqual(await asked(withOther), [
      [undefined, 'Finance Slack lacksScopes write+read dep_1+dep_3 –'],
    ]);
  });

  it('counts where an older answer says that the account works', async () => {
    const listed = [
      holding('dep_1', slack(), [needs('a', 'read')], 5),
      holding('dep_2', slack({ scopes: ['read'] }), [satisfied(needs('b', 'read'))], 6),
      holding('dep_3', failed, [needs('c')], 7),
    ];
    assert.deepEqual(await asked(listed, { chosen: listed.slice(0, 1) }), [
      [undefined, 'Finance Slack failed read dep_1+dep_3 –'],
    ]);
  });

  it('leaves a problem of its own to a deployment that has the account, beside what it clears', async () => {
    const listed = [
      holding('dep_1', failed, [], 5),
      holding('dep_2', slack(), [needs('a', 'read')], 7),
    ];
    const { byOwner, cleared } = await repairs(listed);
    assert.deepEqual(
      [byOwner.map(linesOf), cleared],
      [[[undefined, 'Finance Slack lacksScopes read dep_2 –']], []],
    );
  });

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
  it('decides alone whether an account is said to have failed', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, async (listed) => {
        const { byOwner } = await repairs(listed);
        const hasFailed = newestOf(listed).answer!.value.accounts[0]!.error;
        for (const { trouble } of byOwner.flatMap(({ accounts }) => accounts)) {
          assert.equal(trouble === 'failed', Boolean(hasFailed));
        }
      }),
    );
  });

  it('either repairs or clears each account that a problem is about', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, async (listed) => {
        const { byOwner, cleared } = await repairs(listed);
        const repaired = byOwner.flatMap(({ accounts }) => accounts).length;
        assert.equal(repaired + cleared.length, problemsOf(listed).length > 0 ? 1 : 0);
      }),
    );
  });

  it('is newer than every answer that it clears, of which there is at least one', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, async (listed) => {
        const { cleared } = await repairs(listed);
        for (const { outdated } of cleared) {
          assert.ok(outdated.length > 0 && !outdated.includes(newestOf(listed)));
        }
      }),
    );
  });

  it('is never asked for a scope that it shows granted by the only connection method', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, async (listed) => {
        const accounts = listed.map(({ answer }) => answer!.value.accounts[0]!);
        fc.pre(accounts.every(({ connectionMethodId }) => connectionMethodId === 'm'));
        const granted = newestOf(listed).answer!.value.accounts[0]!.scopes!;
        const { byOwner } = await repairs(listed);
        for (const repair of byOwner.flatMap((one) => one.accounts)) {
          assert.deepEqual(
            repair.scopes.filter((one) => granted.includes(one)),
            [],
          );
        }
      }),
    );
  });

  it('names as affected only deployments that have an unsatisfied requirement, and none twice', async () => {
    await fc.assert(
      fc.asyncProperty(anyListed, async (listed) => {
        const { byOwner } = await repairs(listed);
        for (const { cannotUse, others } of byOwner.flatMap(({ accounts }) => accounts)) {
          assert.ok(cannotUse.every(isAffected) && !others.some(isAffected));
        }
      }),
    );
  });
});

import { strict as assert } from 'node:assert';
import type { Account, Requirement } from '../../../../src/api/authorization.js';
import type { Deployment } from '../../../../src/model/findings/deployment.js';
import type { Identity } from '../../../../src/model/findings/findings.js';
import { nothingRemembered } from '../../../../src/model/findings/state.js';
import { Impact } from '../../../../src/model/problems/impact.js';
import { repairsByOwner } from '../../../../src/model/problems/repairs.js';
import { read, storeOf } from '../tree/trees.js';

const slack = (more: Partial<Account> = {}): Account => ({
  id: 'acc_1',
  label: 'Finance Slack',
  serviceId: 'slack',
  connectionMethodId: 'm',
  scopes: [],
  ...more,
});
const needs = (binding: string, ...requiredScopes: readonly string[]): Requirement => ({
  binding,
  serviceId: 'slack',
  satisfied: false,
  accountId: 'acc_1',
  connections: [{ connectionMethodId: 'm', requiredScopes }],
});

/** The later its place, the longer ago a problem was seen. */
function found(deployments: readonly Deployment[], owners: Readonly<Record<string, string>> = {}) {
  const problems = deployments.flatMap((deployment) =>
    deployment.answer!.findings.problems.map((problem) => ({ deployment, problem })),
  );
  const places = new Map(problems.map(({ problem }, at) => [problem as Identity, at]));
  const memory = { seenSince: (problem: Identity) => 9 - places.get(problem)! };
  const ownerOf = ({ account: id = '', deployment = '', service = '' }) =>
    owners[id] ?? owners[deployment] ?? owners[service];
  return repairsByOwner(problems, { impact: new Impact(storeOf(...deployments)), memory, ownerOf });
}

function repairs(...given: Parameters<typeof found>) {
  return Array.from(found(...given), ([owner, own]) => [
    owner,
    ...own.map(({ account: one, requirement, scopes, deployments: needing }) =>
      [one?.label ?? requirement?.name, scopes.join('+'), needing.map(({ id }) => id).join('+')].join(' '),
    ),
  ]);
}

function facts(...deployments: readonly Deployment[]) {
  const all = [...found(deployments).values()].flat();
  return all.map(({ account, hasFailed, seenSince, readAt }) =>
    [account?.label, hasFailed, seenSince, readAt].join(' '),
  );
}

describe('what repairs problems', () => {
  const failed = slack({ error: { code: 'revoked' } });

  it('is an account once, with the deployments that need it and the scopes that all of them miss', () => {
    const deployments = [
      read('dep_1', { accounts: [failed], requirements: [needs('a', 'read')] }),
      read('dep_2', { accounts: [failed], requirements: [needs('b', 'write')] }),
      read('dep_3', { accounts: [failed], requirements: [] }),
    ];
    assert.deepEqual(repairs(deployments), [[undefined, 'Finance Slack read+write dep_1+dep_2']]);
    assert.deepEqual(repairs(deployments.slice(2)), [[undefined, 'Finance Slack  dep_3']]);
  });

  it('is the account that lacks scopes, once for all its requirements', () => {
    const requirements = [needs('a', 'read'), needs('b', 'write')];
    const deployments = [read('dep_1', { accounts: [slack()], requirements })];
    assert.deepEqual(repairs(deployments), [[undefined, 'Finance Slack read+write dep_1']]);
  });

  it('is each requirement without an account', () => {
    const requirements = [
      { binding: 'a', satisfied: false },
      { binding: 'b', satisfied: false },
    ];
    assert.deepEqual(repairs([read('dep_1', { accounts: [], requirements })]), [[undefined, 'a  dep_1', 'b  dep_1']]);
  });

  it('stands by owner, those without one last', () => {
    const deployments = [
      read('dep_0', { accounts: [], requirements: [{ binding: 'x', satisfied: false }] }),
      read('dep_1', { accounts: [failed], requirements: [] }),
      read('dep_2', { accounts: [], requirements: [{ binding: 'c', satisfied: false }] }),
    ];
    assert.deepEqual(repairs(deployments, { acc_1: 'Maria', dep_2: 'Bob', slack: 'Eve' }), [
      ['Maria', 'Finance Slack  dep_1'],
      ['Bob', 'c  dep_2'],
      [undefined, 'x  dep_0'],
    ]);
    const several = ['dep_1', 'dep_2'].map((id) => read(id, { accounts: [failed], requirements: [] }));
    assert.deepEqual(repairs(several, { dep_2: 'Bob' }), [['Bob', 'Finance Slack  dep_1+dep_2']]);
  });

  it('of many accounts in one look at each deployment', () => {
    const accounts = Array.from({ length: 100 }, (_, at) => ({ id: `acc_${at}`, error: {} }));
    const deployments = ['dep_1', 'dep_2', 'dep_3'].map((id) => read(id, { accounts, requirements: [] }));
    const store = storeOf(...deployments);
    const looks: string[] = [];
    const get = (id: string) => {
      looks.push(id);
      return store.get(id);
    };
    const impact = new Impact({ ...store, get });
    const problems = deployments.flatMap((deployment) =>
      deployment.answer!.findings.problems.map((problem) => ({ deployment, problem })),
    );
    repairsByOwner(problems, { impact, memory: nothingRemembered, ownerOf: () => undefined });
    assert.deepEqual(looks, ['dep_1', 'dep_2', 'dep_3']);
  });

  it('is as the newest answer says, and was seen when the first of its problems was', () => {
    const renamed = slack({ label: 'New', error: {} });
    const [old, recent] = [
      read('dep_1', { accounts: [failed], requirements: [] }, [], 5),
      read('dep_2', { accounts: [renamed], requirements: [] }, [], 7),
    ];
    assert.deepEqual(facts(old, recent), ['New true 8 7']);
    const lacking = read('dep_1', { accounts: [slack()], requirements: [needs('a', 'read')] }, [], 5);
    assert.deepEqual(facts(lacking), ['Finance Slack false 9 5']);
    const accounts = ['A', 'B'].map((label) => ({ label, error: {} }));
    assert.deepEqual(facts(read('dep_1', { accounts, requirements: [] }, [], 5)), ['A true 9 5', 'B true 8 5']);
  });

  it('says when the answer was made that it comes from, also where that lay in a cache', () => {
    const { answer, ...rest } = read('dep_1', { accounts: [failed], requirements: [] }, [], 5);
    assert.deepEqual(facts({ ...rest, answer: { ...answer!, asOf: 3 } }), ['Finance Slack true 9 3']);
  });
});

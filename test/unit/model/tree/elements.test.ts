import { strict as assert } from 'node:assert';
import type { DeploymentAuthorization } from '../../../../src/api/deploymentAuthorization.js';
import { idOf, idOfInstall } from '../../../../src/commands/idOf.js';
import { isTreeElement } from '../../../../src/commands/rows.js';
import type { Deployment } from '../../../../src/model/deployment.js';
import { deriveFindings } from '../../../../src/model/deriveFindings.js';
import type { PendingInstall } from '../../../../src/model/installStore.js';
import type { TreeElement } from '../../../../src/model/tree/elements.js';
import { createTreeElements } from '../../../../src/model/tree/roots.js';

const authorization: DeploymentAuthorization = {
  accounts: [
    {
      id: 'acc_1',
      label: 'Finance Slack',
      connectionMethodId: 'slack-oauth',
      scopes: ['chat:write'],
      checkedAt: '2026-11-20T10:00:00Z',
      error: { code: 'token_revoked' },
    },
  ],
  requirements: [
    {
      serviceId: 'slack',
      accountId: 'acc_1',
      binding: 'notifier',
      satisfied: false,
      eligibleAccountIds: ['acc_2'],
      connections: [{ connectionMethodId: 'slack-oauth', requiredScopes: ['channels:read'] }],
    },
    { serviceId: 'stripe', satisfied: true },
  ],
};

const findings = deriveFindings(authorization, 'dep_1', () => 0);
const deployment: Deployment = {
  id: 'dep_1',
  name: 'Billing',
  label: 'Billing',
  state: findings.state,
  activity: 'idle',
  answer: { authorization, findings, problems: [], receivedAt: 0 },
};

function everyRow(): readonly TreeElement[] {
  const elements = createTreeElements({ deployments: [deployment], cause: undefined, get: () => deployment });
  const all: TreeElement[] = [];
  const add = (row: TreeElement) => {
    all.push(row);
    elements.children(row).forEach(add);
  };
  elements.roots({ onlyProblems: false, untrusted: true }).forEach(add);
  return all;
}

function ids(kind: TreeElement['kind']) {
  const rows = everyRow().filter((row) => row.kind === kind);
  return [...new Set(rows.map(idOf))];
}

describe('Copy ID', () => {
  it('finds what each kind of row stands for', () => {
    assert.deepEqual(ids('cause'), [undefined]);
    assert.deepEqual(ids('deployment'), ['dep_1']);
    assert.deepEqual(ids('requirement'), ['notifier', 'stripe']);
    assert.deepEqual(ids('account'), ['acc_1', 'acc_2']);
    assert.deepEqual(ids('connection'), ['slack-oauth']);
    assert.deepEqual(ids('scope'), ['channels:read', 'chat:write']);
    assert.deepEqual(ids('accountError'), ['acc_1']);
    assert.deepEqual(ids('lastCheck'), ['acc_1']);
    assert.deepEqual(ids('step'), ['dep_1']);
  });

  it('gives the service of an install, never its token', () => {
    const answer = { value: { serviceId: 'crm', label: 'Acme CRM' }, problems: [], receivedAt: 0 };
    const install: PendingInstall = { id: 'random', organizationId: 'a', answer };
    assert.equal(idOfInstall(install), 'crm');
  });

  it('believes an argument only if it is a row', () => {
    for (const row of everyRow()) assert.equal(isTreeElement(row), true, row.kind);
    const wrong: readonly unknown[] = [
      undefined,
      null,
      'dep_1',
      [],
      {},
      { kind: 'deployment' },
      { kind: 'deployment', deployment: { id: 1 } },
      { kind: 'constructor', deployment: { id: 'dep_1' } },
      { kind: 'requirement', deployment: { id: 'dep_1' } },
      { kind: 'account', id: 'x' },
    ];
    for (const argument of wrong) assert.equal(isTreeElement(argument), false, JSON.stringify(argument));
  });
});

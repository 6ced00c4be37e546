import { strict as assert } from 'node:assert';
import { copyIdOf, deploymentsOf } from '../../../src/commands/arguments.js';
import type { Deployment } from '../../../src/model/deployment.js';
import type { PendingInstall } from '../../../src/model/installs.js';

const deployment: Deployment = { id: 'dep_1', name: 'Billing', state: 'notYetRead', activity: 'idle' };
const answer = { value: { serviceId: 'crm', label: 'Acme CRM' }, decodeIssues: [], receivedAt: 0 };
const install: PendingInstall = { id: 'random', organizationId: 'a', answer };

/** Of the stores only what looks something up. */
const services = {
  store: { get: (id: string) => (id === deployment.id ? deployment : undefined) },
  installs: { get: (id: string) => (id === install.id ? install : undefined) },
};

/** Anybody may call a command with anything. */
const nothing: readonly unknown[] = [
  undefined,
  null,
  [],
  { deployment: null, copyId: null },
  { deployment: { id: 1 }, copyId: 1 },
  { deployment: { id: 'not listed' } },
];

describe('arguments of a command', () => {
  it('name the deployment of a row, each once', () => {
    const row = { kind: 'failure', id: 'x', copyId: 'dep_1', deployment };
    assert.deepEqual(deploymentsOf(services, [row, [row, 'dep_1', { ...row, deployment: { id: 'other' } }]]), [
      deployment,
    ]);
    assert.deepEqual(deploymentsOf(services, ['dep_1', []]), [deployment], 'nothing is selected');
    for (const argument of nothing) assert.deepEqual(deploymentsOf(services, [argument]), [], JSON.stringify(argument));
  });

  it('have an id to copy: the row’s own, and of an install its service’s, never its token', () => {
    assert.equal(copyIdOf(services, { id: 'x', copyId: 'acc_1', deployment }), 'acc_1');
    assert.equal(copyIdOf(services, install), 'crm');
    for (const argument of nothing) assert.equal(copyIdOf(services, argument), undefined, JSON.stringify(argument));
  });
});

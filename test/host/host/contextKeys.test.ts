import { strict as assert } from 'node:assert';
import { watchContextKeys } from '../../../src/host/contextKeys.js';
import { answerOf } from '../../support/answers.js';
import { until } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { createGraph } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

const acme = {
  name: 'Acme',
  baseUrl: 'https://acme.example/api/v1',
  token: 'tok-1234567890',
};

/** Watches the context keys of a new window: its services, and the last value of each key that VS Code has. */
function watch() {
  const { services } = createGraph();
  const sent = new Map<string, unknown>();
  const registration = watchContextKeys(services, (key, value) => sent.set(key, value));
  atEndOfTest(() => registration.dispose());
  return { services, sent };
}

type Services = ReturnType<typeof watch>['services'];

describe('a context key', () => {
  it('is false at first', () => {
    const { sent } = watch();
    assert.deepEqual([...sent.values()], Array(9).fill(false));
  });

  const deployments = 'automationPlatform.deployments';
  const inPayments = { id: 'dep_1', group: 'payments' };
  const dashboardUrl = 'https://d.example/{deploymentId}';
  const changes: readonly [key: string, change: (services: Services) => unknown][] = [
    ['onlyProblems', ({ filter }) => filter.set(true)],
    ['byAccount', ({ grouping }) => grouping.set('account')],
    [
      'byGroup',
      async ({ grouping }) => {
        await writeSetting(deployments, [inPayments]);
        await grouping.set('group');
      },
    ],
    ['hasGroups', () => writeSetting(deployments, ['dep_2', inPayments])],
    ['hasDeployments', ({ store }) => store.setListed([{ id: 'dep_1' }])],
    ['hasInstalls', ({ installs }) => installs.add('t', 'acme', answerOf({}))],
    ['hasDashboard', () => writeSetting('automationPlatform.dashboardUrl', dashboardUrl)],
  ];
  for (const [key, change] of changes) {
    it(`becomes true when its subject changes: ${key}`, async () => {
      const { services, sent } = watch();
      await services.organizations.signIn(acme);
      await change(services);
      // The store tells of changes a few times a second.
      await until(`${key} to be true`, () => sent.get(key) === true);
    });
  }

  it('becomes false when the filter is turned off again: onlyProblems', async () => {
    const { services, sent } = watch();
    await services.filter.set(true);
    await until('onlyProblems to be true', () => sent.get('onlyProblems') === true);
    await services.filter.set(false);
    await until('onlyProblems to be false', () => sent.get('onlyProblems') === false);
  });

  it('is true for one grouping at a time: byAccount, byGroup', async () => {
    const { services, sent } = watch();
    await writeSetting(deployments, [inPayments]);
    const keys = () => [sent.get('byAccount'), sent.get('byGroup')];
    await services.grouping.set('account');
    assert.deepEqual(keys(), [true, false]);
    await services.grouping.set('group');
    assert.deepEqual(keys(), [false, true]);
    await services.grouping.set('deployment');
    assert.deepEqual(keys(), [false, false]);
  });

  it('becomes false when the last group leaves the list: byGroup, hasGroups', async () => {
    const { services, sent } = watch();
    await writeSetting(deployments, [inPayments]);
    await services.grouping.set('group');
    assert.equal(sent.get('byGroup'), true);
    await writeSetting(deployments, ['dep_1']);
    assert.equal(sent.get('byGroup'), false);
    assert.equal(sent.get('hasGroups'), false);
  });
});

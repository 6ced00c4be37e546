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
    assert.deepEqual([...sent.values()], Array(7).fill(false));
  });

  const dashboardUrl = 'https://d.example/{deploymentId}';
  const changes: readonly [key: string, change: (services: Services) => unknown][] = [
    ['onlyProblems', ({ filter }) => filter.set(true)],
    ['byAccount', ({ grouping }) => grouping.set('account')],
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
});

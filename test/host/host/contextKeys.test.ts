import { strict as assert } from 'node:assert';
import { watchContextKeys } from '../../../src/host/contextKeys.js';
import { answerOf } from '../../support/answers.js';
import { until } from '../../support/window/editors.js';
import { createGraph } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

it('context keys are set at once, and with each change of what they name', async () => {
  const { services } = createGraph();
  const { organizations, store, filter, grouping, installs } = services;
  const sent = new Map<string, unknown>();
  const registration = watchContextKeys(services, (key, value) => sent.set(key, value));
  assert.deepEqual([...sent.values()], Array(7).fill(false));
  await organizations.signIn({
    name: 'Acme',
    baseUrl: 'https://acme.example/api/v1',
    token: 'tok-1234567890',
  });
  for (const [change, key, value] of [
    [() => filter.set(true), 'onlyProblems', true],
    [() => grouping.set(true), 'byAccount', true],
    [() => store.setListed([{ id: 'dep_1' }]), 'hasDeployments', true],
    [() => installs.add('t', 'acme', answerOf({})), 'hasInstalls', true],
    [
      () => writeSetting('automationPlatform.dashboardUrl', 'https://d.example/{deploymentId}'),
      'hasDashboard',
      true,
    ],
    [() => filter.set(false), 'onlyProblems', false],
  ] as const) {
    await change();
    // The store tells of changes a few times a second.
    await until(`${key} ${value}`, () => sent.get(key) === value);
  }
  registration.dispose();
});

import { strict as assert } from 'node:assert';
import { registerContextFacts } from '../../../src/host/contextKeys.js';
import { until } from '../../support/window/editors.js';
import { createGraph } from '../../support/window/graph.js';
import { writeSetting } from '../../support/window/settings.js';

describe('context keys', () => {
  it('are set at once, and once for each change of what they name', async () => {
    const graph = createGraph();
    const { organizations, store, filter, grouping, installs, watches } = graph.services;
    const facts = new Map<string, unknown>();
    let changes = 0;
    const registration = registerContextFacts(graph.services, (key, value) => {
      changes++;
      facts.set(key, value);
    });
    const isTrue = () => [...facts].flatMap(([key, value]) => (value === true ? [key] : []));
    assert.deepEqual([facts.size, isTrue()], [7, []]);
    await organizations.signIn({ name: 'Acme', baseUrl: 'https://acme.example/api/v1', token: 'tok-1234567890' });
    for (const [key, change] of [
      ['onlyProblems', () => filter.set(true)],
      ['byAccount', () => grouping.set(true)],
      ['hasDeployments', () => store.setListed([{ id: 'dep_1' }])],
      ['hasInstalls', () => installs.add('token', 'acme', { value: {}, decodeIssues: [], sentAt: 0, receivedAt: 0 })],
      ['hasDashboard', () => writeSetting('automationPlatform.dashboardUrl', 'https://d.example/{deploymentId}')],
      ['watching', () => watches.start('dep_1')],
    ] as const) {
      assert.ok(!isTrue().includes(key), key);
      await change();
      // The store tells of changes a few times a second.
      await until(key, () => isTrue().includes(key));
    }
    assert.equal(changes, 13, 'each once, and once more when it changed');
    await filter.set(false);
    assert.ok(!isTrue().includes('onlyProblems'));
    registration.dispose();
  });
});

import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { registerContextFacts } from '../../../src/host/contextKeys.js';
import { contextKeys } from '../../../src/host/ids.js';
import { createGraph } from '../commands/graph.js';

describe('the facts that menus read', () => {
  it('follow what they are about', async () => {
    const graph = createGraph();
    const { services } = graph;
    const facts = new Map<string, unknown>();
    const registration = registerContextFacts(services, { set: (key, value) => facts.set(key, value) });
    const { Global } = vscode.ConfigurationTarget;
    const write = (url?: string) =>
      vscode.workspace.getConfiguration('automationPlatform').update('dashboardUrl', url, Global);
    const { organizations, store, filter, grouping, installs, watches } = services;
    const isTrue = () => [...facts].flatMap(([key, value]) => (value === true ? [key] : []));
    try {
      assert.deepEqual([facts.size, isTrue()], [7, []]);
      await organizations.signIn({ name: 'Acme', baseUrl: 'https://acme.example/api/v1', token: 'tok-1234567890' });
      for (const [key, change] of [
        [contextKeys.onlyProblems, () => filter.set(true)],
        [contextKeys.byAccount, () => grouping.set(true)],
        [contextKeys.hasDeployments, () => store.setListed([{ id: 'dep_1' }])],
        [contextKeys.hasInstalls, () => installs.add('token', 'acme', { value: {}, decodeIssues: [], receivedAt: 0 })],
        [contextKeys.hasDashboard, () => write('https://dash.example/{deploymentId}')],
        [contextKeys.watching, () => watches.start('dep_1')],
      ] as const) {
        assert.ok(!isTrue().includes(key), key);
        await change();
        // The store tells of changes a few times a second.
        while (!isTrue().includes(key)) await new Promise((resolve) => setTimeout(resolve, 10));
      }
    } finally {
      registration.dispose();
      await graph.dispose();
      await write();
    }
  });
});

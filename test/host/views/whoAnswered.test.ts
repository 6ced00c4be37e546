import { strict as assert } from 'node:assert';
import type * as vscode from 'vscode';
import { statusSummary } from '../../../src/views/statusBar.js';
import { healthy } from '../../support/platform/data.js';
import { page } from '../../support/platform/onTheWay.js';
import { startWorld, type World } from '../../support/window/graph.js';

const ids = ['dep_1', 'dep_2', 'dep_3'];

describe('the page of a web filter', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  beforeEach(async () => {
    ({ platform, graph } = await startWorld());
    for (const id of ids) platform.putDeployment(id, healthy());
    graph.services.store.setListed(ids.map((id) => ({ id })));
  });
  const readAll = () => graph.services.store.refresh(ids);
  const rowOf = (label: string): vscode.TreeItem | undefined =>
    graph.items().find((item) => item.label === label);

  describe('in place of all answers', () => {
    beforeEach(async () => {
      platform.fault('all', page(403, 'Blocked'));
      await readAll();
    });

    it('is named by the first row', () => {
      const [first] = graph.items();
      assert.equal(first?.label, 'Not from the platform (403)');
      const spoken = first?.accessibilityInformation?.label;
      assert.match(String(spoken), /web filter or gateway .*“Blocked”/);
    });

    it('is named by the status bar', () => {
      const { organizations, store } = graph.services;
      const summary = statusSummary(organizations, store);
      assert.equal(summary?.text, 'Not from the platform · nothing read yet');
    });

    it('is forgotten with the first answer of the platform', async () => {
      platform.clearFaults();
      await readAll();
      assert.equal(graph.services.store.cause, undefined);
    });
  });

  describe('in one answer', () => {
    it('is Access denied in its row when the status is 403', async () => {
      platform.fault({ id: 'dep_1' }, page(403, 'Blocked'));
      await readAll();
      const { description, accessibilityInformation } = rowOf('dep_1')!;
      assert.equal(description, 'Access denied');
      assert.match(String(accessibilityInformation?.label), /Access denied/);
    });

    it('is Not from the platform in its row when the status is 200', async () => {
      platform.fault({ id: 'dep_1' }, page(200, 'Portal'));
      await readAll();
      assert.equal(rowOf('dep_1')?.description, 'Not from the platform (200)');
    });
  });
});

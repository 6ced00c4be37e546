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

    it('is said once, in the first row, with who sent it', () => {
      const [first] = graph.items();
      assert.equal(first?.label, 'Not from the platform (403)');
      assert.match(
        String(first?.accessibilityInformation?.label),
        /web filter or gateway .*“Blocked”/,
      );
    });

    it('begins the status bar', () => {
      const { organizations, store } = graph.services;
      assert.match(
        statusSummary(organizations, store)!.text,
        /^Not from the platform · nothing read yet$/,
      );
    });

    it('is over with the first answer of the platform', async () => {
      platform.clearFaults();
      await readAll();
      assert.equal(graph.services.store.cause, undefined);
    });
  });

  it('in place of one answer leaves the row of its deployment the name of its status', async () => {
    platform.fault({ id: 'dep_1' }, page(403, 'Blocked'));
    await readAll();
    const { description, accessibilityInformation } = rowOf('dep_1')!;
    assert.equal(description, 'Access denied');
    assert.match(String(accessibilityInformation?.label), /Access denied/);
  });

  it('with success in place of one answer is in the row of its deployment, with its status', async () => {
    platform.fault({ id: 'dep_1' }, page(200, 'Portal'));
    await readAll();
    assert.equal(rowOf('dep_1')?.description, 'Not from the platform (200)');
  });
});

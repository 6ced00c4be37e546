import { strict as assert } from 'node:assert';
import { sampleDeployments } from '../support/service/sample.js';
import type { Service } from '../support/service/service.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { run } from './actions.js';

test.describe('outages', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    ({ service, workbench } = await begin({
      list: sampleDeployments,
      userSettings: { 'automationPlatform.requestTimeout': 2 },
      viewport: { width: 1280, height: 1200 },
    }));
    view = await workbench.view('Deployments');
    await expect(view.description).toHaveText('6 failing · environment');
  });
  test.afterAll(() => workbench?.close());

  const names = async () => (await view.rows()).map(({ label }) => label);
  /** Those of the icons, from top to bottom. */
  const colors = () =>
    workbench.page
      .locator('.custom-view-tree-node-item-icon')
      .evaluateAll((icons) => icons.map((icon) => getComputedStyle(icon).color));

  test('an outage is said once in the first row, keeps counts and order, and ends by a probe', {
    tag: '@core',
  }, async () => {
    await view.expand('Billing sync');
    await view.row({ label: 'notifier', level: 2 });
    const before = await names();
    assert.ok(new Set(await colors()).size > 2);
    service.fault('all', { raw: '', ending: 'open' });
    await run(workbench, 'Refresh');
    const first = await view.row({ label: /^Timed out · as of /, description: 'Check Connection', level: 1 });
    assert.equal(first.index, 0);
    await expect(view.description).toHaveText('Timed out · 6 failing · environment');
    await expect(workbench.summary).toHaveText('Timed out · 6 failing');
    assert.deepEqual((await names()).slice(1), before);
    const asOf = first.label.replace(/^.* · /, '');
    for (const { ariaLabel } of (await view.rows()).slice(1)) assert.ok(ariaLabel.endsWith(` ${asOf}`), ariaLabel);
    const grays = async () => {
      const [ofFirst, ...others] = await colors();
      return others.includes(ofFirst!) ? 'the first row is gray' : new Set(others).size;
    };
    await expect.poll(grays, 'the first row alone has a color').toBe(1);
    service.clearRequests();
    service.clearFaults();
    // 15 seconds after the outage was noticed.
    await service.waitForRequests(sampleDeployments.length, { state: 'answered' }, 40_000);
    await view.waitForNoRow({ label: /^Timed out/ });
    await expect(view.description).toHaveText('6 failing · environment');
    assert.deepEqual(await names(), before);
  });

  test('nothing is sent after a 401, until the user asks', async () => {
    service.fault('all', { status: 401 });
    service.clearRequests();
    await run(workbench, 'Refresh');
    await view.row({ label: /^Token rejected \(401\) · as of /, description: 'Sign In...', level: 1 });
    await expect(view.description).toHaveText('Token rejected (401) · 6 failing · environment');
    // What was on its way with the first.
    assert.ok(service.requests.length <= 8, `${service.requests.length} requests`);
    service.clearRequests();
    service.clearFaults();
    await run(workbench, 'Hide Healthy Deployments');
    await workbench.view('Pending Installs');
    await workbench.view('Deployments');
    await run(workbench, 'Show All Deployments');
    assert.equal(service.requests.length, 0);
    await run(workbench, 'Refresh');
    await expect(view.description).toHaveText('6 failing · environment');
  });

  test('one deployment that hangs changes no verdict, and turns no row', async () => {
    service.fault({ id: 'dep_lead_intake' }, { hold: true });
    await run(workbench, 'Refresh');
    await expect(view.description).toHaveText('6 failing · 16 of 17 · environment');
    await expect(workbench.summary).toHaveText('6 deployments failing');
    await expect(workbench.badge).toHaveText('6');
    assert.ok((await view.rows()).every(({ icon }) => icon !== 'sync' && icon !== 'watch'));
    service.reset();
  });
});

import { strict as assert } from 'node:assert';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import { run } from './actions.js';

test('an outage is said once in the first row, keeps counts and order, and ends by a probe', async ({
  begin,
}) => {
  const { platform, workbench } = await begin({
    list: sampleDeployments,
    userSettings: { 'automationPlatform.requestTimeout': 2 },
    viewport: { width: 1280, height: 1200 },
  });
  const view = await workbench.view('Deployments');
  await expect(view.description).toHaveText('6 failing · environment');
  const names = async () => (await view.rows()).map(({ label }) => label);
  /** Those of the icons, from top to bottom. */
  const colors = () =>
    workbench.page
      .locator('.custom-view-tree-node-item-icon')
      .evaluateAll((icons) => icons.map((icon) => getComputedStyle(icon).color));

  await view.expand('Billing sync');
  await view.row({ label: 'notifier', level: 2 });
  const before = await names();
  assert.ok(new Set(await colors()).size > 2);
  platform.fault('all', { raw: '', ending: 'open' });
  await run(workbench, 'Refresh');
  const first = await view.row({
    label: 'Timed out',
    description: /^Check Connection · as of /,
    level: 1,
  });
  assert.equal(first.index, 0);
  await expect(view.description).toHaveText('Timed out · 6 failing · environment');
  await expect(workbench.summary).toHaveText('Timed out · 6 failing');
  assert.deepEqual((await names()).slice(1), before);
  const [, asOf] = /, (as of \d?\d:\d\d\s[AP]M UTC)$/.exec(first.ariaLabel) ?? [];
  for (const { ariaLabel } of await view.rows())
    assert.ok(ariaLabel.endsWith(` ${asOf}`), ariaLabel);
  const grays = async () => {
    const [ofFirst, ...others] = await colors();
    return others.includes(ofFirst!) ? 'the first row is gray' : new Set(others).size;
  };
  await expect.poll(grays, 'the first row alone has a color').toBe(1);
  await view.pressInlineAction('Timed out', 'Check Connection');
  await expect(workbench.page.getByText('First failed step:').first()).toBeVisible({
    timeout: 20_000,
  });
  platform.clearRequests();
  platform.clearFaults();
  // 15 seconds after the outage was noticed.
  await platform.waitForRequests(sampleDeployments.length, { state: 'answered' }, 40_000);
  await view.waitForNoRow('Timed out');
  await expect(view.description).toHaveText('6 failing · environment');
  assert.deepEqual(await names(), before);
  await workbench.close();
});

import { strict as assert } from 'node:assert';
import type { Platform } from '../support/platform/platform.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { run } from './actions.js';

test.describe('an outage', () => {
  test.describe.configure({ mode: 'serial' });
  let platform: Platform;
  let workbench: Workbench;
  let view: TreeView;
  let labelsBefore: readonly string[];

  test.beforeAll(async ({ begin }) => {
    ({ platform, workbench } = await begin({
      list: sampleDeployments,
      userSettings: { 'automationPlatform.requestTimeout': 2 },
      viewport: { width: 1280, height: 1200 },
    }));
    view = await workbench.view('Deployments');
    await expect(view.description).toHaveText('6 failing · environment');
    await view.expand('Billing sync');
    await view.row({ label: 'notifier', level: 2 });
    labelsBefore = await labels();
    expect(new Set(await iconColors()).size).toBeGreaterThan(2);
    platform.fault('all', { raw: '', ending: 'open' });
    await run(workbench, 'Refresh');
    await view.row({ label: 'Timed out', level: 1 });
  });
  test.afterAll(() => workbench?.close());

  const labels = async () => (await view.rows()).map(({ label }) => label);
  /** Of all rows, from top to bottom. */
  const iconColors = () =>
    workbench.page
      .locator('.custom-view-tree-node-item-icon')
      .evaluateAll((icons) => icons.map((icon) => getComputedStyle(icon).color));

  test('is named in the first row, the header, and the status bar', async () => {
    const firstRow = await view.row({
      label: 'Timed out',
      description: /^Check Connection · as of /,
      level: 1,
    });
    assert.equal(firstRow.index, 0);
    await expect(view.description).toHaveText('Timed out · 6 failing · environment');
    await expect(workbench.summary).toHaveText('Timed out · 6 failing');
  });

  test('leaves the other rows in their order', async () => {
    const [, ...otherLabels] = await labels();
    assert.deepEqual(otherLabels, labelsBefore);
  });

  test('is dated at the end of each spoken name', async () => {
    const [firstRow, ...otherRows] = await view.rows();
    const [, asOf] = /, (as of \d?\d:\d\d\s[AP]M UTC)$/.exec(firstRow!.ariaLabel) ?? [];
    for (const { ariaLabel } of otherRows) assert.equal(ariaLabel.slice(-asOf!.length), asOf);
  });

  test('leaves a color to the icon of the first row alone', async () => {
    const colorsOfOthers = async () => {
      const [colorOfFirst, ...others] = await iconColors();
      return others.includes(colorOfFirst!) ? 'also that of the first row' : new Set(others).size;
    };
    await expect.poll(colorsOfOthers).toBe(1);
  });

  test('has Check Connection in its row, which names the failed step', async () => {
    await view.pressInlineAction('Timed out', 'Check Connection');
    await expect(workbench.page.getByText('First failed step:').first()).toBeVisible({
      timeout: 20_000,
    });
  });

  test('ends when a probe is answered, as after a return to the window', async () => {
    platform.clearRequests();
    platform.clearFaults();
    await workbench.setFocus(false);
    await workbench.setFocus(true);
    await platform.waitForRequests(sampleDeployments.length, { state: 'answered' }, 40_000);
    await view.waitForNoRow('Timed out');
    await expect(view.description).toHaveText('6 failing · environment');
    assert.deepEqual(await labels(), labelsBefore);
  });
});

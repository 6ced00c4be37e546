import { strict as assert } from 'node:assert';
import type { Frame } from 'playwright-core';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';

describe('the page of the installed extension', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench();
  });
  after(() => workbench?.close());

  it('shows the README without a broken picture', async () => {
    await workbench.commands.run('View: Show Extensions');
    const { page } = workbench;
    await page.locator('.extension-list-item', { hasText: 'Automation Platform' }).first().click();
    const readmes = () =>
      Promise.all(
        page.frames().map(async (frame: Frame) => {
          const text = await frame.locator('body').innerText();
          const images = frame.locator('img');
          const widths = await images.evaluateAll((all: { naturalWidth: number }[]) =>
            all.map(({ naturalWidth }) => naturalWidth),
          );
          return { isReadme: text.includes('Finance Slack failed') && frame !== page.mainFrame(), widths };
        }),
      );
    const readme = await until('the README', async () => (await readmes()).find(({ isReadme }) => isReadme));
    assert.deepEqual(
      readme.widths.filter((width) => width === 0),
      [],
    );
    await workbench.screenshot('extension-page');
  });
});

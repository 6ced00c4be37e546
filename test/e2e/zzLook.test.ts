import { sampleDeployments } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import { mendFinanceSlack, run } from './actions.js';

test('zzlook repair', async ({ begin }) => {
  test.setTimeout(180_000);
  const userSettings = { 'automationPlatform.refreshInterval': 0, 'automationPlatform.maxConcurrentRequests': 1 };
  const { platform, workbench } = await begin({
    list: sampleDeployments,
    userSettings,
    viewport: { width: 1000, height: 800 },
  });
  const view = await workbench.view('Deployments');
  await expect(view.description).toHaveText(/^6 failing · /);
  await view.row({ label: 'Billing sync' });
  mendFinanceSlack(platform);
  platform.clearRequests();
  platform.fault('all', { latency: 1600 });
  const t0 = Date.now();
  await view.pressInlineAction('Billing sync', 'Refresh Deployment');
  for (let at = 0; at < 12; at++) {
    const rows = (await view.outline()).filter((row) => !/Access|healthy/.test(row));
    console.log(
      `${((Date.now() - t0) / 1000).toFixed(1)}s requests ${platform.requests.length} | ${await view.description.textContent()} |`,
      rows.slice(0, 9).join(' / '),
    );
    if (at % 2 === 0) await workbench.page.screenshot({ path: `/tmp/shots/r50-${at}.png` });
    if (at === 3) {
      await view.expand('Order alerts').catch(() => {});
      console.log(
        (await view.rows())
          .map(({ ariaLabel }) => ariaLabel)
          .slice(0, 6)
          .join('\n'),
      );
      console.log(await view.tooltip('Refund notices', /dep/).catch((e) => String(e)));
      await workbench.page.screenshot({ path: `/tmp/shots/r50-hover.png` });
    }
    await workbench.page.waitForTimeout(900);
  }
  await workbench.close();
});

test('zzlook group', async ({ begin }) => {
  test.setTimeout(180_000);
  const userSettings = { 'automationPlatform.refreshInterval': 0 };
  const { platform, workbench } = await begin({
    list: sampleDeployments,
    userSettings,
    viewport: { width: 1000, height: 800 },
  });
  const view = await workbench.view('Deployments');
  await expect(view.description).toHaveText(/^6 failing · /);
  await run(workbench, 'Group by Account');
  await view.expand('Finance Slack');
  mendFinanceSlack(platform);
  platform.fault({ id: 'dep_order_alerts' }, { hold: true });
  await view.pressInlineAction({ label: 'Billing sync', under: 'Finance Slack' }, 'Refresh Deployment');
  await workbench.page.waitForTimeout(3000);
  console.log((await view.outline()).join('\n'));
  await workbench.page.screenshot({ path: '/tmp/shots/r50-group.png' });
  await workbench.close();
});

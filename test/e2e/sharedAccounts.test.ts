import assert from 'node:assert/strict';
import { account, authorization, type WireAuthorization } from '../support/platform/data.js';
import type { Platform } from '../support/platform/platform.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import { mendFinanceSlack } from './actions.js';

/** Of the sample: the deployments that have Finance Slack. */
function holdersOfFinanceSlack({ data }: Platform): readonly string[] {
  return Array.from(data.deployments).flatMap(([id, answer]) => {
    const { accounts }: WireAuthorization = JSON.parse(JSON.stringify(answer));
    return accounts.some(({ label }) => label === 'Finance Slack') ? [id] : [];
  });
}

test('an account that one deployment shows fixed is read in all others, which say as of when until then', async ({
  begin,
}) => {
  const userSettings = { 'automationPlatform.refreshInterval': 0 };
  const { platform, workbench } = await begin({ list: sampleDeployments, userSettings });
  const view = await workbench.view('Deployments');
  await expect(view.description).toHaveText(/^6 failing · /);
  const holders = holdersOfFinanceSlack(platform);
  const others = holders.filter((id) => id !== 'dep_billing_sync');
  assert.ok(others.length > 2, holders.join());
  mendFinanceSlack(platform);
  platform.clearRequests();
  for (const id of others) platform.fault({ id }, { hold: true });

  await view.pressInlineAction('Billing sync', 'Refresh Deployment');
  await view.row({
    label: 'Order alerts',
    description: /^Finance Slack failed.* · as of (now|\d)/,
  });
  await view.expand('Order alerts');
  await view.row({
    label: 'Refresh this deployment',
    description: 'Finance Slack works in Billing sync',
  });
  await expect(view.description).toHaveText(new RegExp(`^5 failing · 1 of ${holders.length} · `));

  platform.release();
  await view.waitForNoRow({ description: /Finance Slack failed|as of/ });
  await expect(view.description).not.toHaveText(/ of /);
  const asked = platform.requests.map(({ route }) => route.id ?? '');
  assert.deepEqual(asked.toSorted(), holders.toSorted());
  await workbench.close();
});

test('with refreshInterval 0 a first reading sends one request for each deployment, whatever they say', async ({
  begin,
}) => {
  const error = { code: 'token_revoked' };
  const deployments = new Map([
    ['dep_a', authorization([account({ error })], [])],
    ['dep_b', authorization([account()], [])],
  ]);
  for (const [interval, requests] of [
    [0, 2],
    [5, 3],
  ] as const) {
    const userSettings = {
      'automationPlatform.refreshInterval': interval,
      'automationPlatform.maxConcurrentRequests': 1,
    };
    const { platform, workbench } = await begin({
      data: { deployments },
      list: [...deployments.keys()],
      userSettings,
    });
    const view = await workbench.view('Deployments');
    await expect(view.description).toHaveText(/^1 failing · environment/);
    assert.equal(platform.requests.length, requests);
    await workbench.close();
  }
});

import { strict as assert } from 'node:assert';
import {
  account,
  authorization,
  failedAccount,
  type WireAuthorization,
} from '../support/platform/data.js';
import type { Platform } from '../support/platform/platform.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, listSetting, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { mendFinanceSlack, run } from './actions.js';

/** Of the sample: the deployments that have Finance Slack. */
function holdersOfFinanceSlack({ data }: Platform): readonly string[] {
  return Array.from(data.deployments).flatMap(([id, answer]) => {
    const { accounts }: WireAuthorization = JSON.parse(JSON.stringify(answer));
    return accounts.some(({ label }) => label === 'Finance Slack') ? [id] : [];
  });
}

// What changes on the platform while a window is open. With refreshInterval 0 a window reads nothing that a test does not ask for.
let platform: Platform;
let workbench: Workbench;
let view: TreeView;

test.beforeAll(async ({ begin }) => {
  const userSettings = { 'automationPlatform.refreshInterval': 0 };
  ({ platform, workbench } = await begin({ list: sampleDeployments, userSettings }));
  view = await workbench.view('Deployments');
  await expect(view.description).toHaveText('6 failing · environment');
});
test.afterEach(async () => {
  platform.reset();
  await workbench.notifications.clear();
  await workbench.workspaceSettings.write({ [listSetting]: sampleDeployments });
  await view.row('Billing sync');
  await run(workbench, 'Refresh');
  await expect(view.description).toHaveText('6 failing · environment');
});
test.afterAll(() => workbench?.close());

const requestedIds = () => platform.requests.map(({ route }) => route.id ?? '').toSorted();

test.describe('a return to the window', () => {
  test('shows what has changed in the status bar and in a row', async () => {
    await workbench.setFocus(false);
    mendFinanceSlack(platform);
    platform.putDeployment('dep_fleet_alerts', failedAccount());
    // With refreshInterval 0 any absence is long enough.
    await workbench.setFocus(true);
    const sentence = /^Failing deployments: 1 new, 4 fixed since \d?\d:\d\d\s[AP]M UTC$/;
    // The sentence is there for a few seconds, of which the palette may take some to close.
    await Promise.all([
      expect(workbench.statusMessage).toHaveText(sentence),
      run(workbench, 'Refresh'),
    ]);
    await expect(view.description).toHaveText('3 failing · environment');
    await view.row({
      label: 'Fleet alerts',
      description: 'Ops Slack failed · new',
      spoken: /, new$/,
    });

    await view.select('Fleet alerts');
    await view.row({ label: 'Fleet alerts', description: 'Ops Slack failed' });
  });
});

test.describe('an account that one deployment shows fixed', () => {
  test('is read in the others, whose rows say as of when', async () => {
    const holders = holdersOfFinanceSlack(platform);
    const otherHolders = holders.filter((id) => id !== 'dep_billing_sync');
    mendFinanceSlack(platform);
    platform.clearRequests();
    for (const id of otherHolders) platform.fault({ id }, { hold: true });

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
    assert.deepEqual(requestedIds(), holders.toSorted());
    await view.collapse('Order alerts');
  });
});

test.describe('a first reading with refreshInterval 0', () => {
  test('sends one request per deployment despite contradictions', async () => {
    platform.putDeployment(
      'dep_a',
      authorization([account({ error: { code: 'token_revoked' } })], []),
    );
    platform.putDeployment('dep_b', authorization([account()], []));
    platform.clearRequests();

    await workbench.workspaceSettings.write({ [listSetting]: ['dep_a', 'dep_b'] });
    await expect(view.description).toHaveText('1 failing · environment');
    assert.deepEqual(requestedIds(), ['dep_a', 'dep_b']);
  });
});

test.describe('Notify When Fixed', () => {
  test('shows a notification when the account works again', async () => {
    await view.chooseFromMenu('Billing sync', 'Copy Request');
    await workbench.notifications.press(/^Copied the request/, 'Notify When Fixed');
    await view.row({ label: 'Order alerts', description: /notifies when fixed$/ });

    mendFinanceSlack(platform);
    await run(workbench, 'Refresh');
    await workbench.notifications.waitFor(
      'Finance Slack works again. 4 deployments have no problem left.',
    );
  });
});

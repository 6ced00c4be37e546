import { strict as assert } from 'node:assert';
import type { Platform } from '../support/platform/platform.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { type Begun, expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, signIn } from './actions.js';

const setting = 'automationPlatform.mutes';
const reason = 'App review at Slack, FIN-1234';

/** An entry that lasts for as long as one may. */
function entryFrom(today: Date) {
  const dayAfter = (days: number) => {
    const day = new Date(today);
    day.setUTCDate(day.getUTCDate() + days);
    return day.toISOString().slice(0, 10);
  };
  return {
    account: 'acc_slack_finance',
    error: 'token_revoked',
    since: dayAfter(0),
    until: dayAfter(366),
    reason,
  };
}

test.describe('a mute for everyone', () => {
  test.describe.configure({ mode: 'serial' });
  let platform: Platform;
  let workbench: Workbench;
  let openAnother: Begun['openAnother'];
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    ({ platform, workbench, openAnother } = await begin({ env: {}, list: sampleDeployments }));
    view = await workbench.view('Deployments');
    await signIn(workbench, platform, 'Acme');
    await expect(view.description).toHaveText('6 failing · Acme');
  });
  test.afterAll(() => workbench?.close());

  const mutes = async () => (await workbench.workspaceSettings.read())[setting];

  test('is written from the row of an account, with an end and a reason', async () => {
    await view.chooseFromTitleMenu('Group by Account');
    await view.row({ label: 'Finance Slack', level: 1 });
    await view.chooseFromMenu('Finance Slack', 'Mute Problem...');
    await workbench.quickInput.choose('For Everyone in This Workspace...');
    await workbench.quickInput.choose('Three Months');
    await answer(workbench, /why will this be muted for everyone/, reason);
    await expect(view.description).toHaveText('2 failing · Acme');
    assert.match(
      JSON.stringify(await mutes()),
      /^\[\{"account":"acc_slack_finance","error":"token_revoked",.*,"reason":"App review at Slack, FIN-1234"\}\]$/,
    );
  });

  test('is said in the row, with its end and its reason', async () => {
    await view.row({
      label: 'Finance Slack',
      level: 1,
      description: new RegExp(`^token_revoked · muted for everyone until [^·]+ · ${reason}`),
    });
  });

  test('is said to a screen reader, with its reason', async () => {
    await view.chooseFromTitleMenu('Group by Deployment');
    const { ariaLabel } = await view.row({ label: 'Billing sync' });
    assert.match(
      ariaLabel,
      new RegExp(`, Muted for everyone until [^·]*, Finance Slack failed, ${reason}$`),
    );
  });

  test('holds in a second window of the same folder', async () => {
    const second = await openAnother();
    await second.bringToFront();
    const secondView = await second.view('Deployments');
    await expect(secondView.description).toHaveText('2 failing · Acme');
    await workbench.bringToFront();
  });

  test('is taken out of the file by Unmute Problem, and put back by Undo', async () => {
    await view.chooseFromMenu('Billing sync', 'Unmute Problem');
    await expect(view.description).toHaveText('6 failing · Acme');
    assert.deepEqual(await mutes(), []);
    await workbench.notifications.press(/^Removed the mute for everyone from /, 'Undo');
    await expect(view.description).toHaveText('2 failing · Acme');
  });

  test('ends and begins with an edit of the file, without a request', async () => {
    const countBefore = platform.requests.length;
    await workbench.workspaceSettings.change({ [setting]: undefined });
    await expect(view.description).toHaveText('6 failing · Acme');
    await workbench.workspaceSettings.change({ [setting]: [entryFrom(new Date())] });
    await expect(view.description).toHaveText('2 failing · Acme');
    assert.equal(platform.requests.length, countBefore);
  });
});

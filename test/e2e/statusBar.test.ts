import { strict as assert } from 'node:assert';
import { sampleData, sampleDeployments } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { untilRead } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { run, signIn } from './actions.js';

const setting = 'automationPlatform.deployments';

describe('the status bar and the badge', () => {
  let service: Service;
  let workbench: Workbench;

  before(async () => {
    service = await startService({ data: sampleData() });
    workbench = await openWorkbench({ workspaceSettings: { [setting]: sampleDeployments } });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  const waitForBadge = (wanted: string) =>
    untilRead(
      `the badge ${wanted}`,
      () => workbench.activityBar.badge('Automation Platform'),
      (badge) => badge === wanted,
    );

  it('say that nobody is signed in, and a click leads to where one does @core', async () => {
    await workbench.statusBar.waitForText('summary', 'Automation Platform: not signed in');
    assert.match(await workbench.statusBar.ariaLabel('summary'), /Automation Platform: not signed in/);
    await waitForBadge('');
    await workbench.statusBar.click('summary');
    const view = await workbench.view('Deployments');
    assert.deepEqual((await view.welcome()).buttons, ['Sign In']);
  });

  it('say that something is under way, and then how many have problems @core', async () => {
    service.fault('all', { hold: true });
    service.fault({ id: 'sign-in-check' }, { status: 404 });
    await signIn(workbench, { baseUrl: service.baseUrl, token: service.token, name: 'Acme' });
    await workbench.statusBar.waitForText('summary', 'Reading deployments: 0 of 17');
    service.clearFaults();
    service.release();
    await workbench.statusBar.waitForText('summary', '6 deployments failing');
    assert.match(
      await workbench.statusBar.ariaLabel('summary'),
      /Automation Platform: 6 deployments failing, 4 unknown/,
    );
    await waitForBadge('6');
  });

  it('tell the worst five in the hover, each of them a way to its row @core', async () => {
    const hover = await workbench.statusBar.tooltip('summary', /6 failing/);
    const lines = hover.split('\n').filter((line) => line !== '');
    assert.deepEqual(
      lines.map((line) => line.replace(/ · (just now|\d+ min\. ago)$/, '')),
      [
        'Acme · 6 failing, 4 unknown',
        'Billing sync · Finance Slack failed',
        'Order alerts · Finance Slack failed',
        'Partner feed · $(pass) Pa…le/login) failed',
        'Refund notices · Finance Slack failed',
        'Shift reminders · Finance Slack failed',
        '5 more',
      ],
    );
    await workbench.hovers.shown.locator('a').filter({ hasText: 'Refund notices' }).click();
    const view = await workbench.view('Deployments');
    await view.waitForRows('Refund notices selected', (rows) =>
      rows.some(({ label, selected }) => selected && label === 'Refund notices'),
    );
  });

  it('go on counting what is stale, and the hover says that it is', async () => {
    service.fault('all', { status: 500 });
    await run(workbench, 'Refresh');
    await workbench.statusBar.tooltip('summary', /^Billing sync · Finance Slack failed · stale/m);
    await workbench.hovers.leave();
    await workbench.statusBar.waitForText('summary', '6 deployments failing');
    await waitForBadge('6');
    service.clearFaults();
    await run(workbench, 'Refresh');
    await workbench.statusBar.waitForText('summary', '6 deployments failing');
  });

  it('can be turned off and on, each without the other', async () => {
    await workbench.workspaceSettings.change({ 'automationPlatform.statusBar.enabled': false });
    await workbench.statusBar.waitForGone('summary');
    await waitForBadge('6');
    await workbench.workspaceSettings.change({ 'automationPlatform.badge.enabled': false });
    await waitForBadge('');
    await workbench.workspaceSettings.change({ 'automationPlatform.statusBar.enabled': undefined });
    await workbench.statusBar.waitForText('summary', '6 deployments failing');
    await waitForBadge('');
    await workbench.workspaceSettings.change({ 'automationPlatform.badge.enabled': undefined });
    await waitForBadge('6');
  });
});

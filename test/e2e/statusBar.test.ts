import { strict as assert } from 'node:assert';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { healthy } from '../support/service/data.js';
import { sampleDeployments } from '../support/service/sample.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { run, signIn } from './actions.js';

const setting = 'automationPlatform.deployments';
const all = new Set(sampleDeployments.map((entry) => (typeof entry === 'string' ? entry : entry.id)));

describe('the status bar and the badge', () => {
  let service: ServiceChild;
  let workbench: Workbench;

  before(async () => {
    service = await spawnService(['--sample']);
    workbench = await openWorkbench({ workspaceSettings: { [setting]: sampleDeployments } });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  const waitForBadge = (wanted: string) =>
    until(`the badge ${wanted}`, async () => (await workbench.activityBar.badge('Automation Platform')) === wanted, {
      seen: () => workbench.activityBar.badge('Automation Platform'),
    });

  it('say that nobody is signed in, and a click leads to where one does', async () => {
    await workbench.statusBar.waitForText('summary', 'Automation Platform: not signed in');
    assert.match(await workbench.statusBar.ariaLabel('summary'), /Automation Platform: not signed in/);
    await waitForBadge('');
    await workbench.statusBar.click('summary');
    const view = await workbench.view('Deployments');
    assert.deepEqual((await view.welcome()).buttons, ['Sign In']);
  });

  it('say that something is under way, and then how many have problems', async () => {
    await service.control.fault('all', { hold: true });
    await signIn(workbench, { baseUrl: service.baseUrl, token: service.token, name: 'Acme' });
    await workbench.statusBar.waitForText('summary', 'Automation Platform: checking… · 0 of 14');
    await service.control.clearFaults();
    await service.control.release();
    await workbench.statusBar.waitForText('summary', '3 of 14 deployments');
    assert.match(await workbench.statusBar.ariaLabel('summary'), /Automation Platform: 3 of 14 with problems/);
    await waitForBadge('3');
  });

  it('tell the worst five in the hover, each of them a way to its row', async () => {
    const hover = await workbench.statusBar.tooltip('summary', /with problems/);
    const lines = hover.split('\n').filter((line) => line !== '');
    assert.deepEqual(
      lines.map((line) => line.replace(/ · (just now|\d+ min\. ago)$/, '')),
      [
        'Acme · 3 of 14 with problems',
        'Billing sync · 1 account failed · 1 of 3 not satisfied',
        'Partner feed · 1 account failed · 1 of 2 not satisfied',
        'Nightly report · 2 of 5 not satisfied',
        'dep_77 · not found (404)',
        'Invoice OCR · 1 of 2 satisfied · 1 unknown',
        '2 more',
      ],
    );
    await workbench.hovers.shown.locator('a').filter({ hasText: 'Nightly report' }).click();
    const view = await workbench.view('Deployments');
    await view.waitForRows('Nightly report selected', (rows) =>
      rows.some(({ label, selected }) => selected && label === 'Nightly report'),
    );
  });

  it('lead to the view from wherever one is', async () => {
    await workbench.activityBar.open('Explorer');
    await workbench.statusBar.click('summary');
    await workbench.page.locator('.pane-header[aria-label^="Deployments"]').waitFor();
  });

  it('say that what is shown is stale', async () => {
    await service.control.fault('all', { status: 500 });
    await run(workbench, 'Refresh');
    await workbench.statusBar.waitForText('summary', '3 of 14 deployments · stale');
    assert.match(await workbench.statusBar.ariaLabel('summary'), /with problems, .*stale|with problems · .*stale/);
    await waitForBadge('3');
    await service.control.clearFaults();
    await run(workbench, 'Refresh');
    await workbench.statusBar.waitForText('summary', '3 of 14 deployments');
  });

  it('can be turned off and on, each without the other', async () => {
    await workbench.workspaceSettings.change({ 'automationPlatform.statusBar.enabled': false });
    await workbench.statusBar.waitForGone('summary');
    await waitForBadge('3');
    await workbench.workspaceSettings.change({ 'automationPlatform.badge.enabled': false });
    await waitForBadge('');
    await workbench.workspaceSettings.change({ 'automationPlatform.statusBar.enabled': undefined });
    await workbench.statusBar.waitForText('summary', '3 of 14 deployments');
    await waitForBadge('');
    await workbench.workspaceSettings.change({ 'automationPlatform.badge.enabled': undefined });
    await waitForBadge('3');
  });

  it('say how it stands when nothing is wrong, and nothing at all without deployments', async () => {
    await Promise.all([...all].map((id) => service.control.putDeployment(id, healthy())));
    await service.control.putData({ standing: [] });
    await run(workbench, 'Refresh');
    await workbench.statusBar.waitForText('summary', '14 deployments');
    await waitForBadge('');
    await workbench.workspaceSettings.change({ [setting]: [] });
    await workbench.statusBar.waitForGone('summary');
  });
});

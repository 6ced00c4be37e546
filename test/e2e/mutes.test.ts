import { strict as assert } from 'node:assert';
import { failedAccount, healthy } from '../support/service/data.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { environmentOf, run, waitForOutline } from './actions.js';

const failing = ['dep_1', 'dep_2', 'dep_3', 'dep_4'];

describe('a muted account', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await startService();
    for (const id of failing) service.data.deployments.set(id, failedAccount());
    service.data.deployments.set('dep_5', healthy());
    workbench = await openWorkbench({
      env: environmentOf(service),
      workspaceSettings: { 'automationPlatform.deployments': [...failing, 'dep_5'] },
    });
    view = await workbench.view('Deployments');
    await waitForOutline(view, [
      ...failing.map((id) => `${id} · Ops Slack failed · in 5 deployments`),
      'dep_5 · 1 of 1 satisfied',
    ]);
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  const mutedEverywhere = async () => {
    await view.waitForRows('four muted rows', (rows) => {
      return rows.filter(({ description }) => /^muted until \w+ · Ops Slack failed$/.test(description)).length === 4;
    });
    await view.waitForDescription('None failing, 4 muted · environment');
    await workbench.statusBar.waitForText('summary', 'No deployments failing, 4 muted');
    await until('the badge to go', async () => (await workbench.activityBar.badge('Automation Platform')) === '');
  };

  it('is said apart everywhere, over a reload, until another deployment becomes affected @core', async () => {
    await view.chooseFromMenu('dep_2', 'Mute Problem…');
    await workbench.quickInput.choose('For a Day');
    await mutedEverywhere();
    assert.deepEqual(await view.menuEntries('dep_1'), [
      'Refresh Deployment',
      'Watch Until It Changes',
      'Unmute',
      'Copy ID',
      'Copy Authorization Report',
      'Find in Files',
      'Set Deployment Label…',
      'Remove Deployment from List…',
    ]);
    await workbench.screenshot('muted');
    await workbench.reload();
    view = await workbench.view('Deployments');
    await mutedEverywhere();
    service.data.deployments.set('dep_5', failedAccount());
    await run(workbench, 'Refresh');
    await view.waitForDescription('5 failing · environment');
  });

  it('counts again when it is unmuted', async () => {
    await view.expand('dep_1');
    await view.chooseFromMenu({ label: 'Ops Slack', under: 'dep_1' }, 'Mute Problem…');
    await workbench.quickInput.choose('For a Week');
    await view.waitForDescription('None failing, 5 muted · environment');
    await view.chooseFromMenu('dep_4', 'Unmute');
    await view.waitForDescription('5 failing · environment');
  });
});

import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { healthy } from '../support/service/data.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { untilRead } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { environmentOf, run } from './actions.js';

const listed = ['dep_billing_sync'];
const command = 'Add Deployments from Selection or Clipboard…';

describe('adding deployments from text', () => {
  let service: Service;
  let workbench: Workbench;

  before(async () => {
    service = await startService();
    for (const id of [...listed, 'dep_77', 'dep_fleet']) service.data.deployments.set(id, healthy());
    workbench = await openWorkbench({
      env: environmentOf(service),
      workspaceSettings: { 'automationPlatform.deployments': listed },
    });
    await (await workbench.view('Deployments')).row('dep_billing_sync');
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  const offered = async () => (await workbench.quickInput.rows()).map(({ label, checked }) => ({ label, checked }));
  const waitForList = (ids: readonly string[]) =>
    untilRead(
      'the list in the settings',
      async () => (await workbench.workspaceSettings.read())['automationPlatform.deployments'],
      (now) => isDeepStrictEqual(now, ids),
    );

  it('checks what begins like a listed ID in the selection, adds it in one write, and takes it back @core', async () => {
    await workbench.editor.newUntitled('dep_77 dep_fleet flow');
    await workbench.page.keyboard.press('ControlOrMeta+A');
    await run(workbench, command);
    await workbench.quickInput.waitFor(/^Add Deployments from Selection · /);
    assert.deepEqual(await offered(), [
      { label: 'dep_77', checked: true },
      { label: 'dep_fleet', checked: true },
      { label: 'flow', checked: false },
    ]);
    await workbench.quickInput.accept();
    const view = await workbench.view('Deployments');
    await view.row('dep_fleet');
    await waitForList([...listed, 'dep_77', 'dep_fleet']);
    await workbench.notifications.press('Added 2 deployments to .vscode/settings.json.', 'Undo');
    await waitForList(listed);
    await view.waitForNoRow('dep_fleet');
  });

  it('offers nothing secret from the clipboard, and says how much it left out @core', async () => {
    // Without a selection the clipboard counts.
    await workbench.editor.focus();
    await workbench.page.keyboard.press('ArrowRight');
    await workbench.setClipboard(`${service.token} dep_1 Bearer x`);
    await run(workbench, command);
    await workbench.quickInput.waitFor(
      '2 left out: tokens, or longer than 128 characters. Select the deployments to add.',
    );
    assert.deepEqual(await offered(), [{ label: 'dep_1', checked: false }]);
    await workbench.quickInput.cancel();
  });
});

import { strict as assert } from 'node:assert';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../src/api/json.js';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { healthy } from '../support/service/data.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { folderSettingsFile, SettingsFile } from '../support/workbench/settingsFiles.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, requestsOf, run, trustWorkspace, waitForOutline, waitForSelection } from './actions.js';

const setting = 'automationPlatform.deployments';

describe('the lists of a workspace', () => {
  let service: ServiceChild;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await spawnService();
    for (const id of ['dep_1', 'dep_2', 'dep_3', 'dep_4']) await service.control.putDeployment(id, healthy());
  });
  after(() => service?.stop());

  const env = () => ({ AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token });

  const own = async () => (await workbench.userSettings.read())[setting];

  /** Adds dep_4; where it goes is said in both steps. Done when its row has the focus: that would close a menu opened before. */
  async function add(place: RegExp, label: string): Promise<void> {
    await run(workbench, 'Add Deployment…');
    await workbench.quickInput.waitFor(place);
    await answer(workbench, /^The id of the deployment\./, 'dep_4');
    await workbench.quickInput.waitFor(/^A label for “dep_4”/);
    await workbench.quickInput.waitFor(place);
    await workbench.quickInput.answer(label);
    await waitForSelection(view, [label || 'dep_4']);
  }

  describe('that is not trusted', () => {
    const first = 'Workspace lists not used · Manage Trust';
    const theirs = ['dep_2', { id: 'dep_1', label: 'Theirs' }];

    before(async () => {
      workbench = await openWorkbench({
        trust: true,
        env: env(),
        userSettings: { [setting]: ['dep_1'] },
        workspaceSettings: { [setting]: theirs },
      });
      view = await workbench.view('Deployments');
    });
    after(() => workbench?.close());

    it('are not read', async () => {
      await waitForOutline(view, [first, 'dep_1 · 1 of 1 satisfied']);
      const asked = await requestsOf(service.control, 'getDeploymentAuthorization');
      assert.deepEqual(
        asked.map(({ route }) => route.id),
        ['dep_1'],
      );
    });

    it('are not written: what is added, labelled and removed is in user settings', async () => {
      await add(/It is added to user settings, since this workspace is not trusted\./, 'Fourth');
      await waitForOutline(view, [first, 'dep_1 · 1 of 1 satisfied', 'Fourth · 1 of 1 satisfied']);
      assert.deepEqual(await own(), ['dep_1', { id: 'dep_4', label: 'Fourth' }]);

      await view.chooseFromMenu('dep_1', 'Set Deployment Label…');
      await answer(workbench, /^Label of “dep_1”/, 'Mine');
      await view.row('Mine');
      assert.deepEqual(await own(), [
        { id: 'dep_1', label: 'Mine' },
        { id: 'dep_4', label: 'Fourth' },
      ]);

      await view.chooseFromMenu('Fourth', 'Remove Deployment from List…');
      await workbench.dialog.waitFor(/Taken out of: user settings\./);
      await workbench.dialog.press('Remove from List');
      await view.waitForNoRow('Fourth');
      assert.deepEqual(await own(), [{ id: 'dep_1', label: 'Mine' }]);
      assert.deepEqual((await workbench.workspaceSettings.read())[setting], theirs);
    });

    it('count as soon as it is trusted', async () => {
      await trustWorkspace(workbench, view);
      await waitForOutline(view, ['dep_2 · 1 of 1 satisfied', 'Theirs · 1 of 1 satisfied']);
      await add(/It is added to \.vscode\/settings\.json\./, '');
      await view.row({ label: 'dep_4', description: '1 of 1 satisfied' });
      assert.deepEqual((await workbench.workspaceSettings.read())[setting], [...theirs, 'dep_4']);
      assert.deepEqual(await own(), [{ id: 'dep_1', label: 'Mine' }]);
    });
  });

  describe('with several folders', () => {
    const inFirst = [{ id: 'dep_1', label: 'First folder' }];
    const inSecond = [
      { id: 'dep_1', label: 'Second folder' },
      { id: 'dep_2', label: 'Folder' },
    ];
    const inFile = [{ id: 'dep_2', label: 'Workspace' }, 5, { id: 'dep_3', label: 'Workspace too' }];
    const inUser = [{ id: 'dep_3', label: 'User' }];
    let folder: SettingsFile;

    before(async () => {
      workbench = await openWorkbench({
        env: env(),
        userSettings: { [setting]: inUser },
        workspaceSettings: { [setting]: inFirst },
        moreFolders: { second: { '.vscode/settings.json': JSON.stringify({ [setting]: inSecond }) } },
        multiRootSettings: { [setting]: inFile },
      });
      folder = folderSettingsFile(join(dirname(workbench.folder), 'second'));
      view = await workbench.view('Deployments');
    });
    after(() => workbench?.close());

    /** Of the first folder, the second, the `.code-workspace` and the user. */
    async function lists(): Promise<unknown[]> {
      const file: unknown = (await new SettingsFile(join(dirname(workbench.folder), 'test.code-workspace')).read())[
        'settings'
      ];
      const inFiles = [
        await workbench.workspaceSettings.read(),
        await folder.read(),
        file,
        await workbench.userSettings.read(),
      ];
      return inFiles.map((settings) => isRecord(settings) && settings[setting]);
    }

    it('count together, and of several labels that of the folder before that of the workspace before the user’s', async () => {
      await waitForOutline(view, [
        'First folder · 1 of 1 satisfied',
        'Folder · 1 of 1 satisfied',
        'Workspace too · 1 of 1 satisfied',
      ]);
    });

    it('get additions in the .code-workspace', async () => {
      await add(/It is added to test\.code-workspace\./, 'Fourth');
      await view.row({ label: 'Fourth', description: '1 of 1 satisfied' });
      assert.deepEqual(await lists(), [inFirst, inSecond, [...inFile, { id: 'dep_4', label: 'Fourth' }], inUser]);
    });

    it('get a label where the one that counts stands', async () => {
      await view.chooseFromMenu('First folder', 'Set Deployment Label…');
      await answer(workbench, /^Label of “dep_1”/, 'Renamed');
      await view.row('Renamed');
      const [first, second] = await lists();
      assert.deepEqual([first, second], [[{ id: 'dep_1', label: 'Renamed' }], inSecond]);
    });

    it('lose an id in the folder and in the workspace, and get it back as it was', async () => {
      const before = await lists();
      await view.chooseFromMenu('Folder', 'Remove Deployment from List…');
      await workbench.dialog.waitFor(/Taken out of: second\/\.vscode\/settings\.json, test\.code-workspace\./);
      await workbench.dialog.press('Remove from List');
      await waitForOutline(view, [
        'Fourth · 1 of 1 satisfied',
        'Renamed · 1 of 1 satisfied',
        'Workspace too · 1 of 1 satisfied',
      ]);
      const [first, , , user] = before;
      assert.deepEqual(await lists(), [
        first,
        [{ id: 'dep_1', label: 'Second folder' }],
        [5, { id: 'dep_3', label: 'Workspace too' }, { id: 'dep_4', label: 'Fourth' }],
        user,
      ]);
      await workbench.notifications.press(/^Removed “Folder” from the list/, 'Undo');
      await until('the lists as they were', async () => isDeepStrictEqual(await lists(), before), { seen: lists });
      await view.row({ label: 'Folder', description: '1 of 1 satisfied' });
    });
  });
});

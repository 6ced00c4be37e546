import { strict as assert } from 'node:assert';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canLock, lock } from '../support/lockedFile.js';
import { healthy } from '../support/platform/data.js';
import type { Platform } from '../support/platform/platform.js';
import { expect, listSetting, test } from '../support/workbench/fixtures.js';
import { clickUntil } from '../support/workbench/pageObject.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, listed, run, waitForFocus, waitForOutline, waitForSelection } from './actions.js';

const listIgnored = 'Workspace list ignored';
const workspaceList = ['dep_2', { id: 'dep_1', label: 'Theirs' }];

test.describe('an untrusted workspace', () => {
  test.describe.configure({ mode: 'serial' });
  let platform: Platform;
  let workbench: Workbench;
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    const deployments = new Map(['dep_1', 'dep_2', 'dep_4'].map((id) => [id, healthy()]));
    ({ platform, workbench } = await begin({
      trust: true,
      data: { deployments },
      userSettings: { [listSetting]: ['dep_1'] },
    }));
    view = await workbench.view('Deployments');
  });
  test.afterAll(() => workbench?.close());

  const userList = async () => (await workbench.userSettings.read())[listSetting];

  /** Adds dep_4, and expects both steps to name the place. Returns when its row has the focus: that would close a menu opened before. */
  async function add(place: RegExp, label: string): Promise<void> {
    await run(workbench, 'Add Deployment...');
    await workbench.quickInput.waitFor(place);
    await answer(workbench, /^Deployment ID/, 'dep_4');
    await workbench.quickInput.waitFor(/^Label for “dep_4”/);
    await workbench.quickInput.waitFor(place);
    await workbench.quickInput.answer(label);
    await waitForSelection(view, label || 'dep_4');
  }

  test('names its ignored owners beside a healthy verdict', async () => {
    await workbench.workspaceSettings.write({ 'automationPlatform.owners': { slack: 'Maria' } });
    await waitForOutline(view, ['Workspace owners ignored', 'dep_1']);
    await expect(workbench.summary).toHaveText('Deployments healthy');
  });

  test('names its ignored list beside each verdict', async () => {
    await workbench.workspaceSettings.change({ [listSetting]: workspaceList });
    await waitForOutline(view, [listIgnored, 'dep_1']);
    await expect(workbench.summary).toHaveText('1 healthy, workspace list ignored');
    await expect(workbench.summary.locator('.codicon-workspace-untrusted')).toBeVisible();
    await expect(view.description).toHaveText(/^1 healthy, workspace list ignored · /);
    // Of its two deployments the user lists one, too.
    await view.tooltip(
      listIgnored,
      /^1 deployment and owners in \.vscode\/settings\.json are ignored, because this workspace is not trusted\./,
    );
  });

  test('has no deployment read that only its own settings list', () => {
    const requestedIds = new Set(platform.requests.map(({ route }) => route.id));
    assert.deepEqual([...requestedIds], ['dep_1']);
  });

  test('keeps its settings when a deployment is added, labeled, or removed', async () => {
    await add(
      /Will be saved in user settings \(all windows\), because this workspace is not trusted\./,
      'Fourth',
    );
    await waitForOutline(view, [listIgnored, 'dep_1', 'Fourth']);
    await view.chooseFromMenu('dep_1', 'Edit', 'Set Deployment Label...');
    await answer(workbench, /^Label for “dep_1”/, 'Mine');
    // In this order, so that no row moves and nothing is drawn anew while a menu is open.
    await waitForOutline(view, [listIgnored, 'Fourth', 'Mine']);
    assert.deepEqual(await userList(), [
      { id: 'dep_1', label: 'Mine' },
      { id: 'dep_4', label: 'Fourth' },
    ]);

    await view.chooseFromMenu('Fourth', 'Remove Deployment from List');
    await workbench.notifications.waitFor(/^Removed “Fourth” from the list in user settings\./);
    await view.waitForNoRow('Fourth');
    assert.deepEqual(await userList(), [{ id: 'dep_1', label: 'Mine' }]);
    assert.deepEqual(await listed(workbench), workspaceList);
  });

  test('has no verdict when only its own settings list deployments', async () => {
    await view.chooseFromMenu('Mine', 'Remove Deployment from List');
    await waitForOutline(view, [listIgnored]);
    // The view takes the focus after the removal. A palette that is open by then would close.
    await waitForFocus(workbench, `Deployments: ${listIgnored}`);
    await expect(view.description).toHaveText('environment');
    await expect(workbench.summary).toHaveCount(0);

    await run(workbench, 'Refresh');
    await workbench.notifications.waitFor(
      /^2 deployments and owners in \.vscode\/settings\.json are ignored,/,
    );
    await workbench.notifications.clear();
  });

  test('offers Add Deployment when no settings have a list', async () => {
    await workbench.workspaceSettings.write({});
    await view.expectWelcome(/^Add the deployments that you want to check/, 'Add Deployment');
    assert.deepEqual(await view.rows(), []);

    await workbench.workspaceSettings.write({ [listSetting]: workspaceList });
    await waitForOutline(view, [listIgnored]);
  });

  test('has its list read and changed as soon as it is trusted', async () => {
    await trustWorkspace(workbench, view);
    await waitForOutline(view, ['dep_2', 'Theirs']);
    await expect(workbench.summary).toHaveText('Deployments healthy');
    await expect(view.description).toHaveText(/^2 healthy · /);

    await add(/Will be saved in \.vscode\/settings\.json\./, '');
    assert.deepEqual(await userList(), []);
    assert.deepEqual(await listed(workbench), [...workspaceList, 'dep_4']);
  });
});

test.describe('a workspace of two folders', () => {
  const textOfSettings = (label: string) =>
    JSON.stringify({ [listSetting]: [{ id: 'dep_1', label }] });
  let workbench: Workbench;
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    const account = {
      id: 'acc_1',
      label: 'Ops Slack',
      serviceId: 'slack',
      error: { code: 'token_revoked' },
    };
    const deployments = new Map<string, unknown>([
      ['dep_1', { accounts: [account], requirements: [] }],
      ['dep_2', healthy()],
    ]);
    ({ workbench } = await begin({
      data: { deployments },
      files: {
        'web/src/.vscode/settings.json': textOfSettings('Web checkout'),
        'api/src/.vscode/settings.json': textOfSettings('API checkout'),
        'web/src/web.txt': 'dep_1',
        'api/src/api.txt': 'dep_1',
      },
      workspaceFile: {
        path: 'acme.code-workspace',
        settings: '{}',
        folders: ['web/src', 'api/src'],
      },
      userSettings: { [listSetting]: ['dep_2'] },
    }));
    view = await workbench.view('Deployments');
    await waitForOutline(view, ['Web checkout · Ops Slack failed', 'dep_2']);
  });
  test.afterAll(() => workbench?.close());

  test('has no editor open after user settings could not be written', async () => {
    test.skip(!canLock(workbench.dataFolder), 'This disk has no file that root cannot change.');
    const unlock = lock(workbench.userSettings.path);
    try {
      await view.chooseFromMenu('dep_2', 'Remove Deployment from List');
      await workbench.notifications.waitFor(
        'Nothing was removed: The file of user settings is read-only.',
      );
      await expect(workbench.page.locator('.tabs-container .tab')).toHaveCount(0);
    } finally {
      unlock();
    }
    await view.chooseFromMenu('dep_2', 'Remove Deployment from List');
    await view.waitForNoRow('dep_2');
  });

  test('shows the label from the settings of its folder in each file', async () => {
    const line = workbench.page.locator('.editor-group-container.active .view-line').first();
    for (const [file, label] of [
      ['web.txt', 'Web checkout'],
      ['api.txt', 'API checkout'],
    ] as const) {
      await workbench.editor.open(file);
      await expect(line).toHaveText(new RegExp(`^dep_1\\s?${label.replace(' ', '\\s')}$`));
      const hover = await workbench.editor.hover('dep_1', /Copy Request/);
      expect(hover).toContain(`${label}: Ops Slack (slack) failed: token_revoked`);
      expect(hover).toContain(`${label} · dep_1`);
    }

    // The list of all folders together stays the same.
    await writeFile(
      join(workbench.dataFolder, 'workspace', 'api/src/.vscode/settings.json'),
      textOfSettings('Orders'),
    );
    await expect(line).toHaveText(/^dep_1\s?Orders$/);
  });
});

test.describe('an untitled workspace', () => {
  test('is called workspace settings, and opened by Open Settings', async ({ begin }) => {
    const deployments = new Map(['dep_1', 'dep_2'].map((id) => [id, healthy()]));
    const { workbench } = await begin({
      data: { deployments },
      workspaceFile: {
        path: 'data/User/Workspaces/1/workspace.json',
        settings: `{ "${listSetting}": ["dep_1", "dep_2", 5] }`,
        isUntitled: true,
      },
    });
    const view = await workbench.view('Deployments');
    await waitForOutline(view, ['dep_1', 'dep_2']);
    await run(workbench, 'Add Deployment...');
    await workbench.quickInput.waitFor(/Will be saved in workspace settings\./);
    await workbench.quickInput.cancel();
    await workbench.notifications.press(
      /deployments in workspace settings has invalid values/,
      'Open Settings',
    );
    await workbench.editor.expectTitle(/^workspace\.json|^Untitled/);
    await workbench.close();
  });
});

/** From the row that says that lists of the workspace are not used. VS Code draws the page anew while one clicks on it. */
async function trustWorkspace(workbench: Workbench, view: TreeView): Promise<void> {
  const trust = workbench.page
    .locator('.workspace-trust-editor .monaco-button')
    .filter({ hasText: /^Trust$/ });
  await expect(async () => {
    await view.pressInlineAction(listIgnored, 'Manage Trust');
    await trust.first().waitFor({ timeout: 2_000 });
  }).toPass();
  await clickUntil(trust.first(), async () => (await trust.count()) === 0);
  await view.waitForNoRow(listIgnored);
}

import { strict as assert } from 'node:assert';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canLock, lock } from '../support/lockedFile.js';
import { healthy } from '../support/platform/data.js';
import type { Platform } from '../support/platform/platform.js';
import { expect, listSetting, test } from '../support/workbench/fixtures.js';
import { clickUntil } from '../support/workbench/pageObject.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, listed, run, waitForOutline, waitForSelection } from './actions.js';

const first = 'Workspace list ignored';
const deleteKey = process.platform === 'darwin' ? 'Meta+Backspace' : 'Delete';
const theirs = ['dep_2', { id: 'dep_1', label: 'Theirs' }];

test.describe('a workspace that is not trusted', { tag: '@core' }, () => {
  test.describe.configure({ mode: 'serial' });
  let platform: Platform;
  let workbench: Workbench;
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    const deployments = new Map(['dep_1', 'dep_2', 'dep_4'].map((id) => [id, healthy()]));
    const userSettings = { [listSetting]: ['dep_1'] };
    ({ platform, workbench } = await begin({
      trust: true,
      data: { deployments },
      userSettings,
      list: theirs,
    }));
    view = await workbench.view('Deployments');
  });
  test.afterAll(() => workbench?.close());

  const own = async () => (await workbench.userSettings.read())[listSetting];

  /** Adds dep_4; where it goes is said in both steps. Done when its row has the focus: that would close a menu opened before. */
  async function add(place: RegExp, label: string): Promise<void> {
    await run(workbench, 'Add Deployment...');
    await workbench.quickInput.waitFor(place);
    await answer(workbench, /^Deployment ID/, 'dep_4');
    await workbench.quickInput.waitFor(/^Label for “dep_4”/);
    await workbench.quickInput.waitFor(place);
    await workbench.quickInput.answer(label);
    await waitForSelection(view, label || 'dep_4');
  }

  test('its list is not read', async () => {
    await waitForOutline(view, [first, 'dep_1']);
    const asked = platform.requests.map(({ route }) => route.id);
    assert.deepEqual(asked, ['dep_1']);
  });

  test('its list is named beside each verdict, and counted in the first row', async () => {
    await expect(workbench.summary).toHaveText('1 healthy, workspace list ignored');
    await expect(workbench.summary.locator('.codicon-workspace-untrusted')).toBeVisible();
    await expect(view.description).toHaveText(/^1 healthy, workspace list ignored · /);
    // The user lists the other one, too.
    await view.tooltip(
      first,
      /^1 deployment in \.vscode\/settings\.json is ignored, because this workspace is not trusted\./,
    );
  });

  test('its list is not written: what is added, labelled and removed is in user settings', async () => {
    await add(
      /Will be saved in user settings \(all windows\), because this workspace is not trusted\./,
      'Fourth',
    );
    await waitForOutline(view, [first, 'dep_1', 'Fourth']);
    await view.chooseFromMenu('dep_1', 'Edit', 'Set Deployment Label...');
    await answer(workbench, /^Label for “dep_1”/, 'Mine');
    // In this order, so that no row moves and nothing is drawn anew while a menu is open.
    await waitForOutline(view, [first, 'Fourth', 'Mine']);
    assert.deepEqual(await own(), [
      { id: 'dep_1', label: 'Mine' },
      { id: 'dep_4', label: 'Fourth' },
    ]);
    await view.chooseFromMenu('Fourth', 'Remove Deployment from List');
    await workbench.notifications.waitFor(/^Removed “Fourth” from the list in user settings\./);
    await view.waitForNoRow('Fourth');
    assert.deepEqual(
      [await own(), await listed(workbench)],
      [[{ id: 'dep_1', label: 'Mine' }], theirs],
    );
  });

  test('its list counts as soon as it is trusted', async () => {
    await trustWorkspace(workbench, view);
    await waitForOutline(view, ['dep_2', 'Theirs']);
    await expect(workbench.summary).toHaveText('Deployments healthy');
    await expect(view.description).toHaveText(/^2 healthy · /);
    await add(/Will be saved in \.vscode\/settings\.json\./, '');
    assert.deepEqual(
      [await own(), await listed(workbench)],
      [[{ id: 'dep_1', label: 'Mine' }], [...theirs, 'dep_4']],
    );
  });
});

test.describe('an untrusted workspace', { tag: '@core' }, () => {
  const deployments = new Map([['dep_1', healthy()]]);
  const owners = { 'automationPlatform.owners': { slack: 'Maria' } };
  let workbench: Workbench;
  test.afterEach(() => workbench?.close());

  test('without settings of ours offers Add Deployment, and has no row', async ({ begin }) => {
    ({ workbench } = await begin({
      trust: true,
      data: { deployments },
      files: { 'readme.md': 'dep_1' },
    }));
    const view = await workbench.view('Deployments');
    await view.expectWelcome(/^Add the deployments that you want to check/, 'Add Deployment');
    assert.deepEqual(await view.rows(), []);
  });

  test('says what is ignored, and more as soon as its file has more', async ({ begin }) => {
    const userSettings = { [listSetting]: ['dep_1'] };
    ({ workbench } = await begin({
      trust: true,
      data: { deployments },
      userSettings,
      workspaceSettings: owners,
    }));
    const view = await workbench.view('Deployments');
    await waitForOutline(view, ['Workspace owners ignored', 'dep_1']);
    await expect(workbench.summary).toHaveText('Deployments healthy');
    await workbench.workspaceSettings.change({ [listSetting]: theirs });
    await waitForOutline(view, [first, 'dep_1']);
    await expect(workbench.summary).toHaveText('1 healthy, workspace list ignored');
    await view.tooltip(first, /^1 deployment and owners in \.vscode\/settings\.json are ignored,/);
  });

  test('with a list and nothing in user settings says no verdict', async ({ begin }) => {
    ({ workbench } = await begin({ trust: true, data: { deployments }, list: theirs }));
    const view = await workbench.view('Deployments');
    await waitForOutline(view, [first]);
    await expect(view.description).toHaveText(/^environment$/);
    await expect(workbench.summary).toHaveCount(0);
    await run(workbench, 'Refresh');
    await workbench.notifications.waitFor(
      /^2 deployments in \.vscode\/settings\.json are ignored,/,
    );
  });
});

test.describe('workspace files', { tag: '@core' }, () => {
  const list = `[
      "dep_1", // production, ask Ann
      // the one of Bob
      "dep_2"
    ]`;
  const settings = `{ // of all\n    "${listSetting}": ${list}\n  }`;
  const deployments = new Map(['dep_1', 'dep_2', 'dep_4'].map((id) => [id, healthy()]));
  let workbench: Workbench;
  test.afterEach(() => workbench?.close());

  test('a workspace file keeps the comments in its list through Add, Remove and Undo', async ({
    begin,
  }) => {
    const path = 'acme.code-workspace';
    ({ workbench } = await begin({ data: { deployments }, workspaceFile: { path, settings } }));
    const view = await workbench.view('Deployments');
    const text = () => readFile(join(workbench.dataFolder, path), 'utf8');
    const before = await text();
    await waitForOutline(view, ['dep_1', 'dep_2']);
    await run(workbench, 'Add Deployment...');
    await answer(workbench, /Will be saved in acme\.code-workspace\./, 'dep_4');
    await answer(workbench, /^Label for “dep_4”/, '');
    // Not its selection: a busy VS Code 1.105 may read a workspace file while it is written, and then restarts all extensions.
    // In this order, which it has when it is read: a menu would open on the row that comes under the mouse meanwhile.
    await waitForOutline(view, ['dep_1', 'dep_2', 'dep_4']);
    const added = before.replace('"dep_2"', '"dep_2",\n      "dep_4"');
    assert.equal(await text(), added);
    await view.chooseFromMenu('dep_1', 'Remove Deployment from List');
    await view.waitForNoRow('dep_1');
    assert.equal(await text(), added.replace(/ +"dep_1".*\n/, ''));
    await workbench.notifications.press(
      /^Removed “dep_1” from the list in acme\.code-workspace\./,
      'Undo',
    );
    await view.row('dep_1');
    assert.equal(await text(), added);
  });

  test('in a file of a folder the labels of its own settings count first', async ({ begin }) => {
    const folders = ['web/src', 'api/src'];
    const settingsOf = (label: string) =>
      JSON.stringify({ [listSetting]: [{ id: 'dep_1', label }] });
    const files = {
      'web/src/.vscode/settings.json': settingsOf('Web checkout'),
      'api/src/.vscode/settings.json': settingsOf('API checkout'),
      'web/src/web.txt': 'dep_1',
      'api/src/api.txt': 'dep_1',
    };
    const account = {
      id: 'acc_1',
      label: 'Ops Slack',
      serviceId: 'slack',
      error: { code: 'token_revoked' },
    };
    const failing = new Map([['dep_1', { accounts: [account], requirements: [] }]]);
    const workspaceFile = { path: 'acme.code-workspace', settings: '{}', folders };
    ({ workbench } = await begin({ data: { deployments: failing }, files, workspaceFile }));
    const view = await workbench.view('Deployments');
    await waitForOutline(view, ['Web checkout · Ops Slack failed']);
    const line = workbench.page.locator('.editor-group-container.active .view-line').first();
    for (const [file, label] of [
      ['web.txt', 'Web checkout'],
      ['api.txt', 'API checkout'],
    ] as const) {
      await workbench.editor.open(file);
      await expect(line).toHaveText(new RegExp(`^dep_1\\s?${label.replace(' ', '\\s')}$`));
      const hover = await workbench.editor.hover('dep_1', /Copy Request/);
      assert.ok(hover.includes(`${label}: Ops Slack (slack) failed: token_revoked`), hover);
      assert.ok(hover.includes(`${label} · dep_1`), hover);
    }
    // The list of all folders together stays the same.
    await writeFile(
      join(workbench.dataFolder, 'workspace', 'api/src/.vscode/settings.json'),
      settingsOf('Orders'),
    );
    await expect(line).toHaveText(/^dep_1\s?Orders$/);
  });

  test('an untitled workspace is called workspace settings, and opens by Open Settings', async ({
    begin,
  }) => {
    const path = 'data/User/Workspaces/1/workspace.json';
    const malformed = settings.replace('"dep_2"', '"dep_2", 5');
    const workspaceFile = { path, settings: malformed, isUntitled: true };
    ({ workbench } = await begin({ data: { deployments }, workspaceFile }));
    const view = await workbench.view('Deployments');
    await waitForOutline(view, ['dep_1', 'dep_2']);
    await run(workbench, 'Add Deployment...');
    await workbench.quickInput.waitFor(/Will be saved in workspace settings\./);
    await workbench.quickInput.cancel();
    await workbench.notifications.press(
      /deployments in workspace settings has invalid entries/,
      'Open Settings',
    );
    await workbench.editor.expectTitle(/^workspace\.json|^Untitled/);
  });
});

test.describe('a deployment that several settings list', { tag: '@core' }, () => {
  const settingsOf = (...list: readonly unknown[]) => JSON.stringify({ [listSetting]: list });
  const deployments = new Map(['dep_1', 'dep_2'].map((id) => [id, healthy()]));
  const locked = 'locked/.vscode/settings.json';
  let workbench: Workbench;
  test.afterEach(() => workbench?.close());

  test('is removed where it can be, after a question that names the places', async ({ begin }) => {
    const folders = ['web', 'locked', 'empty'];
    const settings = settingsOf({ id: 'dep_1', label: 'Team' });
    const files = {
      'web/.vscode/settings.json': settingsOf('dep_1', 'dep_2'),
      [locked]: settingsOf('dep_1'),
      'empty/readme.txt': '',
    };
    const workspaceFile = { path: 'team.code-workspace', settings, folders };
    const userSettings = { [listSetting]: ['dep_1'] };
    ({ workbench } = await begin({ data: { deployments }, files, workspaceFile, userSettings }));
    const folder = join(workbench.dataFolder, 'workspace');
    test.skip(!canLock(folder), 'This disk has no file that root cannot change.');
    const view = await workbench.view('Deployments');
    await waitForOutline(view, ['dep_2', 'Team']);
    await view.select('Team');
    await workbench.page.keyboard.press('F2');
    const placeOfLabel =
      /remove the label\. Will be saved in team\.code-workspace, where the label in use stands\./;
    await workbench.quickInput.waitFor(placeOfLabel);
    await workbench.quickInput.cancel();

    const refused = `Nothing was removed: ${locked} is read-only.`;
    const unlock = lock(join(folder, locked));
    try {
      for (const _ of [1, 2]) {
        await workbench.notifications.clear();
        await view.select('Team');
        await workbench.page.keyboard.press(deleteKey);
        const from = `From: user settings (all windows), team.code-workspace, web/.vscode/settings.json, ${locked}.`;
        const question = `Remove “Team” from the list?\ndep_1\n${from}\nNothing changes on the platform.`;
        assert.equal(await workbench.dialog.waitFor(/\?/), question);
        await workbench.dialog.press('Remove');
        await workbench.notifications.waitFor(refused);
      }
      await expect(workbench.page.locator('.tabs-container .tab')).toHaveCount(0);
      await workbench.notifications.press(refused, 'Remove from the Other 3');
      const removed = 'Removed from user settings, team.code-workspace, web/.vscode/settings.json.';
      const message = `${removed} Still in ${locked}, so “dep_1” stays in the list.`;
      await workbench.notifications.waitFor(message);
      await view.row('dep_1');
      await view.waitForNoRow('Team');
      assert.deepEqual((await workbench.userSettings.read())[listSetting], []);
    } finally {
      unlock();
    }
  });

  test('leaves nothing unsaved when user settings cannot be written', async ({ begin }) => {
    const userSettings = { [listSetting]: ['dep_1', 'dep_2'] };
    ({ workbench } = await begin({ data: { deployments }, empty: true, userSettings }));
    test.skip(!canLock(workbench.dataFolder), 'This disk has no file that root cannot change.');
    const view = await workbench.view('Deployments');
    const unlock = lock(workbench.userSettings.path);
    try {
      await view.chooseFromMenu('dep_1', 'Remove Deployment from List');
      await workbench.notifications.waitFor(
        'Nothing was removed: The file of user settings is read-only.',
      );
      await expect(workbench.page.locator('.tabs-container .tab')).toHaveCount(0);
    } finally {
      unlock();
    }
    await view.chooseFromMenu('dep_1', 'Remove Deployment from List');
    await view.waitForNoRow('dep_1');
  });
});

/** From the row that says that lists of the workspace are not used. VS Code draws the page anew while one clicks on it. */
async function trustWorkspace(workbench: Workbench, view: TreeView): Promise<void> {
  const row = first;
  const trust = workbench.page
    .locator('.workspace-trust-editor .monaco-button')
    .filter({ hasText: /^Trust$/ });
  await expect(async () => {
    await view.pressInlineAction(row, 'Manage Trust');
    await trust.first().waitFor({ timeout: 2_000 });
  }).toPass();
  await clickUntil(trust.first(), async () => (await trust.count()) === 0);
  await view.waitForNoRow(row);
}

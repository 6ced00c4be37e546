import { strict as assert } from 'node:assert';
import type { Platform } from '../support/platform/platform.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, listSetting, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import {
  answer,
  listed,
  run,
  signIn,
  waitForFocus,
  waitForOutline,
  waitForSelection,
} from './actions.js';

const finance = 'Zahlungsverkehr & Abrechnung';
const people = '人事チーム';
const groups: Readonly<Record<string, string>> = {
  dep_billing_sync: finance,
  dep_refund_notices: finance,
  dep_contract_archive: finance,
  dep_shift_reminders: people,
  dep_onboarding: people,
  dep_fleet_alerts: 'ops',
  dep_warehouse_sync: 'ops',
};

/** The sample, of which seven deployments are in three groups. */
const list = sampleDeployments.map((entry) => {
  const own = typeof entry === 'string' ? { id: entry } : entry;
  const group = groups[own.id];
  return group === undefined ? entry : { ...own, group };
});

/** Whether the end of `text` is left of where its element is cut. */
function isShown(element: Element, text: string): boolean {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const node = walker.nextNode();
  const start = node?.nodeValue?.indexOf(text) ?? -1;
  if (node === null || start < 0) return false;
  const range = document.createRange();
  range.setStart(node, start);
  range.setEnd(node, start + text.length);
  return range.getBoundingClientRect().right <= element.getBoundingClientRect().right;
}

test.describe('groups of deployments', () => {
  test.describe.configure({ mode: 'serial' });
  let platform: Platform;
  let workbench: Workbench;
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    const files = { 'deploy.yaml': 'deployment: dep_fleet_alerts\n' };
    ({ platform, workbench } = await begin({ env: {}, list, files }));
    view = await workbench.view('Deployments');
    await signIn(workbench, platform, 'Acme');
    await expect(view.description).toHaveText('6 failing · Acme');
  });
  test.afterAll(() => workbench?.close());

  /** Chooses these groups, and no others. */
  async function choose(...names: readonly string[]): Promise<void> {
    await run(workbench, 'Choose My Groups...');
    for (const name of names) await workbench.quickInput.choose(name);
    await workbench.quickInput.accept();
    await workbench.quickInput.waitForClosed();
  }

  test('are the rows at the root when the view is grouped by group', async () => {
    await view.chooseFromTitleMenu('Group by Group');
    await waitForOutline(view, [
      `${finance} · 2 failing of 3`,
      `${people} · 1 failing of 2`,
      'ops · 2 healthy',
      'No group · 3 failing, 4 unknown of 10',
    ]);
  });

  test('have spoken names with their counts', async () => {
    const rows = await view.rows();
    assert.deepEqual(
      rows.map(({ ariaLabel }) => ariaLabel),
      [
        `${finance}, group, 2 failing of 3`,
        `${people}, group, 1 failing of 2`,
        'ops, group, 2 healthy',
        'No group, 3 failing, 4 unknown of 10',
      ],
    );
  });

  test('have a menu for all of their deployments', async () => {
    const entries = await view.menuEntries('ops');
    assert.deepEqual(entries, ['Refresh Deployment', 'Edit', 'Copy and Find']);
    assert.deepEqual(await view.menuEntries('ops', 'Edit'), ['Set Group...']);
    assert.deepEqual(await view.menuEntries('ops', 'Copy and Find'), ['Copy Authorization Report']);
  });

  test('show their deployments, the worst first', async () => {
    await view.expand(finance);
    await view.row({ label: 'Contract archive', under: finance });
    const below = (await view.rows()).filter(({ level }) => level === 2);
    assert.deepEqual(
      below.map(({ label }) => label),
      ['Billing sync', 'Refund notices', 'Contract archive'],
    );
    await view.collapse(finance);
  });

  test('get the selected deployments by Set Group, and lose them by Undo', async () => {
    const before = await listed(workbench);
    await view.expand('ops');
    await view.select('Fleet alerts');
    await view.select('Warehouse sync', 'ControlOrMeta');
    await view.chooseFromMenu('Warehouse sync', 'Edit', 'Set Group...');
    await workbench.quickInput.choose('New Group...');
    await answer(workbench, /^Name of the group\./, 'Nachtschicht');
    await view.row({ label: 'Nachtschicht', level: 1, description: '2 healthy' });
    await view.waitForNoRow({ label: 'ops' });
    await waitForFocus(workbench, 'Deployments: Fleet alerts');
    assert.deepEqual(
      await listed(workbench),
      list.map((entry) =>
        typeof entry === 'object' && 'group' in entry && entry.group === 'ops'
          ? { ...entry, group: 'Nachtschicht' }
          : entry,
      ),
    );
    await workbench.notifications.press(/^Moved 2 deployments to “Nachtschicht” in /, 'Undo');
    await view.row({ label: 'ops', level: 1 });
    // Undo moves the focus to this row.
    await waitForSelection(view, 'Fleet alerts');
    assert.deepEqual(await listed(workbench), before);
  });

  test('limit badge, header, and status bar to those that a person chooses', async () => {
    await choose(finance, people);
    await expect(workbench.badge).toHaveText('3');
    await expect(view.description).toHaveText('Zahlungsver… +1 · 3 failing · Acme');
    await expect(workbench.summary).toHaveText('Zahlungsver… +1 · 3 deployments failing');
  });

  test('are counted in the last row when they are not chosen', async () => {
    await waitForOutline(view, [
      `${finance} · 2 failing of 3`,
      `${people} · 1 failing of 2`,
      '12 in other groups · 3 failing, 4 unknown',
    ]);
  });

  test('limit the list of Go to Deployment', async () => {
    await run(workbench, 'Go to Deployment...');
    await workbench.quickInput.waitFor(/^Select a deployment/);
    await expect(workbench.quickInput.row('Onboarding')).toBeVisible();
    await expect(workbench.quickInput.row('Fleet alerts')).toHaveCount(0);
    await workbench.quickInput.cancel();
  });

  test('stay chosen when the window is reloaded, with the grouping', async () => {
    await workbench.reload();
    view = await workbench.view('Deployments');
    await expect(view.description).toHaveText('Zahlungsver… +1 · 3 failing · Acme');
    await view.row({ label: people, level: 1 });
  });

  test('are all shown after a click on the last row, until the choice counts again', async () => {
    await view.click('12 in other groups · 3 failing, 4 unknown');
    await expect(workbench.badge).toHaveText('6');
    await expect(view.description).toHaveText('6 failing · Acme');
    await workbench.notifications.press(
      /^All groups are shown until the window is reloaded/,
      'Show My Groups Again',
    );
    await expect(workbench.badge).toHaveText('3');
  });

  test('are all shown when a deployment of another group is revealed', async () => {
    await workbench.editor.open('deploy.yaml');
    await workbench.editor.hover('dep_fleet_alerts', /Fleet alerts/);
    await workbench.hovers.shown.locator('a').filter({ hasText: 'Fleet alerts' }).click();
    await waitForSelection(view, 'Fleet alerts');
    await expect(workbench.badge).toHaveText('6');
    await workbench.notifications.press(/“Fleet alerts” is in “ops”/, 'Show My Groups Again');
    await expect(workbench.badge).toHaveText('3');
  });

  test('never make healthy of all what is healthy in one', async () => {
    await choose(finance, people, 'ops');
    await expect(workbench.summary).toHaveText('ops: healthy');
    await expect(view.description).toHaveText('ops · 2 healthy · Acme');
    await expect(workbench.badge).toBeHidden();
  });

  test('leave the number in the header visible in a side bar of 300 pixels', async () => {
    await workbench.setSidebarWidth(300);
    await choose('ops', people, finance);
    await expect(view.description).toHaveText('Zahlungsver… +1 · 3 failing · Acme');
    await workbench.page.mouse.move(700, 400);
    await workbench.editor.open('deploy.yaml');
    await expect.poll(() => view.description.evaluate(isShown, '3 failing')).toBe(true);
  });

  test('change with an edit of the list, without a request', async () => {
    const countBefore = platform.requests.length;
    const moved = list.map((entry) =>
      typeof entry === 'object' && entry.id === 'dep_billing_sync'
        ? { ...entry, group: 'ops' }
        : entry,
    );
    await workbench.workspaceSettings.change({ [listSetting]: moved });
    await expect(workbench.badge).toHaveText('2');
    assert.equal(platform.requests.length, countBefore);
  });

  test('are all shown again when none is chosen', async () => {
    await choose(finance, people);
    await expect(view.description).toHaveText('6 failing · Acme');
    await view.waitForNoRow({ label: /in other groups/ });
  });
});

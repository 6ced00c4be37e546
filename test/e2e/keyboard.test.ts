import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectRoot } from '../support/paths.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { expectNothingOpen, listed, run } from './actions.js';

const deleteKey = process.platform === 'darwin' ? 'Meta+Backspace' : 'Delete';

test.describe('the keyboard', () => {
  let workbench: Workbench;
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    ({ workbench } = await begin({
      list: sampleDeployments,
      // Its lines would lie over those that a test clicks.
      userSettings: { 'editor.stickyScroll.enabled': false },
      files: {
        'one.yaml': 'jobs:\n  - deployment: dep_billing_sync\n  - deployment: dep_nightly_report\n',
        'two.yaml': 'jobs:\n  - deployment: dep_refund_notices\n',
      },
    }));
    view = await workbench.view('Deployments');
    await expect(view.description).toHaveText('6 failing · environment');
  });
  test.afterAll(() => workbench?.close());

  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await workbench.page.keyboard.press(key);
  };
  const find = () => workbench.page.locator('.monaco-tree-type-filter input:visible');

  /** The promises of the README, by its keys. */
  const promises: Readonly<Record<string, () => Promise<void>>> = {
    'F1 and its command': async () => {
      await workbench.commands.run('Automation Platform: Focus on Deployments View');
      await workbench.page.locator('.part.sidebar .monaco-list:focus').waitFor();
    },
    'Ctrl+Alt+F (Cmd+Option+F) or F3': async () => {
      for (const key of ['Control+Alt+F', 'F3']) {
        await view.select('Billing sync');
        await press(key);
        await find().waitFor();
        await workbench.page.keyboard.type('payroll');
        await view.waitForRows('the row that is found', (rows) =>
          rows.some(({ label }) => label === 'Payroll export'),
        );
        // The box keeps its keys.
        await press('F2', 'Delete');
        await expectNothingOpen(workbench);
        await press('Escape');
        await find().waitFor({ state: 'detached' });
      }
    },
    'Shift+F10': async () => {
      await view.select('Billing sync');
      await press('Shift+F10');
      await view.menu.waitForOpen();
      expect(await view.menu.entries()).toContain('Refresh Deployment');
      await view.menu.close();
    },
    'Ctrl+C (Cmd+C)': async () => {
      await workbench.setClipboard('');
      await view.select('Billing sync');
      await press('ControlOrMeta+C');
      await expect.poll(() => workbench.clipboard()).toBe('dep_billing_sync');
    },
    F2: async () => {
      await view.select('Billing sync');
      await press('ArrowDown', 'F2');
      await workbench.quickInput.waitFor(/^Label for “dep_billing_sync”\./);
      assert.equal(await workbench.quickInput.value(), 'Billing sync');
      await workbench.quickInput.cancel();
    },
    'Delete (Cmd+Backspace)': async () => {
      await view.select('Billing sync');
      await press('ArrowDown', 'ArrowDown', deleteKey);
      const question =
        'Remove “Billing sync” from the list?\ndep_billing_sync\nFrom: .vscode/settings.json.\nNothing changes on the platform.';
      assert.equal(await workbench.dialog.waitFor(/\?/), question);
      await workbench.dialog.cancel();
      assert.deepEqual(await listed(workbench), sampleDeployments);

      // On a row of another kind neither key does anything, and the one after them does what it does.
      await view.expand('Billing sync');
      await view.select('Finance Slack');
      await workbench.setClipboard('');
      await press('F2', deleteKey, 'ControlOrMeta+C');
      await expect.poll(() => workbench.clipboard()).not.toBe('');
      await expectNothingOpen(workbench);
      await view.collapse('Billing sync');

      await view.select('Billing sync');
      await press(deleteKey);
      await workbench.dialog.waitFor(/^Remove “Billing sync”/);
      await workbench.dialog.press('Remove');
      await view.waitForNoRow('Billing sync');
      await workbench.notifications.press(/^Removed “Billing sync”/, 'Undo');
      await view.row({ label: 'Billing sync', description: /failed/ });
      await expect(view.description).toHaveText('6 failing · environment');
      await workbench.notifications.clear();
    },
    'Ctrl+K Ctrl+I (Cmd+K Cmd+I)': async () => {
      await expect(async () => {
        // VS Code gives the focus to the editors when the notification that had it goes.
        await view.select('Billing sync');
        await workbench.hovers.leave();
        await press('ControlOrMeta+K', 'ControlOrMeta+I');
        await expect
          .poll(() => workbench.hovers.text(), { timeout: 2_000 })
          .toContain('Finance Slack');
      }).toPass();
      await press('Escape');
      await workbench.hovers.leave();
    },
    'F8, Alt+F8': async () => {
      const line = workbench.page.locator('[id="status.editor.selection"]');
      await workbench.editor.open('two.yaml');
      await workbench.editor.open('one.yaml');
      await expect(workbench.editor.squiggles).toHaveCount(2);
      await expect(async () => {
        await press('Alt+F8');
        await expect(line).toHaveText(/Ln 3/, { timeout: 500 });
      }).toPass();
      await workbench.editor.expectTitle('one.yaml');
      await expect(async () => {
        await press('F8');
        await workbench.editor.expectTitle('two.yaml', 500);
      }).toPass();
      await press('Escape');
    },
    'Ctrl+. (Cmd+.)': async () => {
      await workbench.editor.open('two.yaml');
      await workbench.editor.chooseQuickFix('dep_refund_notices', 'Reveal in Deployments View');
    },
  };

  for (const [keys, promise] of Object.entries(promises))
    test(`does with ${keys} what the README promises`, promise);

  test('takes the highlighted row of a list without check marks by Enter', async () => {
    await run(workbench, 'Mute Problem...');
    await workbench.quickInput.waitFor('Select problems');
    await expect(workbench.quickInput.highlighted).toHaveText(/^Finance Slack failed/);
    await press('Enter');
    await workbench.quickInput.waitFor('Finance Slack failed: will be muted in 4 deployments');
    await workbench.quickInput.cancel();
  });

  test('highlights the first row of a list by Enter after typing, and takes it by the next', async () => {
    await run(workbench, 'Mute Problem...');
    await workbench.quickInput.type('warehouse');
    await expect(workbench.quickInput.rows).toHaveCount(1);
    await expect(workbench.quickInput.highlighted).toHaveCount(0);
    await press('Enter');
    await expect(workbench.quickInput.highlighted).toHaveText(/^not satisfied/);
    await press('Enter');
    await workbench.quickInput.waitFor('not satisfied: will be muted in 1 deployment');
    await workbench.quickInput.cancel();
  });

  test('gets the selected row of the tree suggested by commands of the palette', async () => {
    await view.select('Nightly report');
    await run(workbench, 'Mute Problem...');
    await workbench.quickInput.waitFor('2 Selected');
    await press('Enter');
    await workbench.quickInput.waitFor('2 problems: will be muted in 1 deployment');
    await workbench.quickInput.cancel();
    await run(workbench, 'Remove Deployment from List');
    await expect(workbench.quickInput.highlighted).toHaveText(/^Nightly report/);
    await workbench.quickInput.cancel();
    await run(workbench, 'Go to Deployment...');
    await expect(workbench.quickInput.highlighted).toHaveText(/^Nightly report/);
    await workbench.quickInput.cancel();
  });

  test('has no other keys in the README than those tested here', async () => {
    const readme = await readFile(join(projectRoot, 'README.md'), 'utf8');
    const [, section = ''] = /\n### Keyboard and screen reader\n([^]*?)\n### /.exec(readme) ?? [];
    const keysIn = (text: string) =>
      [...new Set(text.match(/(?:Ctrl|Cmd|Alt|Shift)\+[^\s(),]+|\bF\d+|\bDelete\b/g))].toSorted();
    assert.deepEqual(keysIn(section), keysIn(Object.keys(promises).join(' ')));
  });
});

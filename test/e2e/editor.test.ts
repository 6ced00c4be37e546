import { strict as assert } from 'node:assert';
import { healthy } from '../support/platform/data.js';
import type { Platform } from '../support/platform/platform.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { run, waitForSelection } from './actions.js';

const id = 'dep_billing_sync';

/** IDs beside characters that may border on an ID, and beside others that may not. */
const files = {
  'deploy.yaml': `- ${id}\n- my-${id}\n- ${id}-old\n- "${id}" # and ${id}.\n- dep_web_forms\naccount: acc_slack_finance\n`,
  '.env': `DEPLOYMENT_ID=${id}\nOTHERS=my-${id},${id}-old,dep_nightly_report\n`,
  'notes.ipynb': JSON.stringify({
    cells: [
      {
        cell_type: 'code',
        metadata: {},
        source: [`run("${id}", "${id}-old")`],
        outputs: [],
        execution_count: null,
      },
    ],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  }),
  'found.md': [
    `_${id}_ 失败${id}了 \\n${id} %2F${id}`,
    `\u001b[31m${id}\u001b[0m ${id}`,
    `x${id} \\\\n${id} _${id} ${id.toUpperCase()} é${id}`,
  ].join('\n'),
};

let platform: Platform;
let workbench: Workbench;

test.beforeAll(async ({ begin }) => {
  ({ platform, workbench } = await begin({
    list: [{ id, label: 'Billing sync' }, 'dep_web_forms', 'dep_nightly_report'],
    files,
    // Rows of a terminal are elements of the page then.
    userSettings: { 'terminal.integrated.gpuAcceleration': 'off' },
  }));
});
test.afterAll(() => workbench?.close());

/** 4: the three whole tokens and the account. */
async function expectSquiggles(count: 0 | 4): Promise<void> {
  await expect(workbench.editor.squiggles).toHaveClass(Array(count).fill(/squiggly-warning/));
}

test.describe('an editor', () => {
  test('underlines references to problems that are whole tokens', async () => {
    await workbench.editor.open('deploy.yaml');
    await expectSquiggles(4);
  });

  test('lists references to problems in the Problems panel, the worst first', async () => {
    await workbench.editor.open('.env');
    const rows = await workbench.problems.waitForRows('those of .env', (all) =>
      all.some((row) => /\.env/.test(row)),
    );
    const [file, warning, information] = rows.slice(
      rows.findIndex((row) => /in file \.env/.test(row)),
    );
    assert.match(file!, /^3 problems in file \.env/);
    assert.match(
      warning!,
      /^Warning: Billing sync: Finance Slack \(slack\) failed: token_revoked at line 1 and character 15\./,
    );
    assert.match(information!, /^Info: .* at line 2 and character \d+\./);
    await workbench.problems.close();
  });

  test('underlines references to problems in cells of a notebook', async () => {
    await workbench.page
      .locator('.explorer-viewlet .monaco-list-row', { hasText: 'notes.ipynb' })
      .dblclick();
    const squiggle = workbench.page.locator(
      '.notebook-editor .cell .monaco-editor .squiggly-warning',
    );
    // VS Code starts its notebooks with the first one, which takes a while.
    await expect(squiggle).toHaveCount(1);
    await workbench.commands.run('View: Close Editor');
  });

  test('shows a hover with links that repeats nothing of the diagnostics above', async () => {
    await workbench.editor.open('deploy.yaml');
    const text = await workbench.editor.hover(id, /Copy Request/);
    for (const part of [
      'Finance Slack (slack) failed: token_revoked',
      '“The workspace admin removed the app”',
      'notifier needs it.',
      `Billing sync · ${id}`,
    ]) {
      const timesInHover = text.split(part).length - 1;
      assert.equal(timesInHover, 1, `${part}\n--- in ---\n${text}`);
    }
    await workbench.setClipboard('');
    await workbench.hovers.shown.getByText('Copy Request').click();
    await expect.poll(() => workbench.clipboard()).toMatch(/^Please reconnect/);
  });

  test('underlines nothing when the deployment that a quick fix reveals works again', async () => {
    await workbench.editor.open('deploy.yaml');
    await workbench.editor.chooseQuickFix(id, 'Reveal in Deployments View');
    const view = await workbench.view('Deployments');
    await waitForSelection(view, 'Billing sync');
    platform.putDeployment(id, healthy());
    await view.pressInlineAction('Billing sync', 'Refresh Deployment');
    await view.row({ label: 'Billing sync', description: '' });
    await expectSquiggles(0);
    platform.reset();
    await run(workbench, 'Refresh');
    await expectSquiggles(4);
  });

  test('shows the label after an ID once on each line', async () => {
    await workbench.editor.open('.env');
    const first = workbench.page.locator('.editor-group-container.active .view-line').first();
    // VS Code 1.105 draws the padding of a hint as a space.
    await expect(first).toHaveText(new RegExp(`^DEPLOYMENT_ID=${id}\\s?Billing\\ssync$`));
    const others = first.locator('xpath=following-sibling::*').filter({ hasText: 'OTHERS=' });
    await expect(others).toHaveText(`OTHERS=my-${id},${id}-old,dep_nightly_report`);
  });
});

test.describe('Find ID in Files', () => {
  test('lists the references to an ID outside of the list of deployments', async () => {
    const view = await workbench.view('Deployments');
    await view.chooseFromMenu('Billing sync', 'Copy and Find', 'Find ID in Files');
    // Three in deploy.yaml, one each in .env and in the notebook.
    await expect(workbench.page.locator('.search-view .messages')).toHaveText(
      /^11 results in 4 files/,
    );
  });
});

test.describe('a terminal', () => {
  test('has a link on the ID of a deployment that reveals its row', async ({ versionName }) => {
    test.skip(versionName === '1.105', 'its server starts no shell here');
    const view = await workbench.view('Deployments');
    await view.select({ label: 'dep_web_forms' });
    await workbench.commands.run('Terminal: Create New Terminal');
    const rows = workbench.page.locator('.terminal.xterm .xterm-rows');
    await rows.waitFor();
    await workbench.page.locator('.terminal.xterm textarea').first().focus();
    await workbench.page.keyboard.type('echo failed: dep_billing_""sync\n');
    const output = rows.locator('> div', { hasText: new RegExp(`^failed: ${id}`) });
    await expect(async () => {
      const { x, y, height } = (await output.boundingBox())!;
      // The link is drawn when the pointer has been over it, and what is below the pointer is another element then.
      await workbench.page.mouse.move(x + 100, y + height / 2, { steps: 4 });
      await workbench.page.keyboard.down('ControlOrMeta');
      await workbench.page.mouse.click(x + 120, y + height / 2);
      await workbench.page.keyboard.up('ControlOrMeta');
      await expect
        .poll(async () => (await view.row('Billing sync')).selected, { timeout: 500 })
        .toBe(true);
    }).toPass();
  });
});

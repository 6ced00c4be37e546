import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { account, authorization, DEFAULT_TOKEN, healthy, requirement } from '../support/service/data.js';
import { type Service, startService } from '../support/service/service.js';
import type { Squiggle } from '../support/workbench/editor.js';
import { openWorkbench, type WorkbenchOptions } from '../support/workbench/openWorkbench.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { run, waitForSelection } from './actions.js';

const slack = account({ id: 'acc_slack_finance', label: 'Finance Slack', serviceSub: 'T02', scopes: ['chat:write'] });
const notifier = requirement({
  accountId: 'acc_slack_finance',
  eligibleAccountIds: ['acc_slack_finance', 'acc_slack_ops'],
});
const broken = authorization(
  [{ ...slack, error: { code: 'token_revoked', message: 'The workspace admin removed the app.' } }, account()],
  [{ ...notifier, satisfied: false }],
);
const mended = authorization([slack, account()], [notifier]);

/** What may border on an id and what may not, in the ways of four languages. */
const files = {
  'deploy.yaml': [
    'deployments:',
    '  - dep_1',
    '  - dep_10',
    '  - my-dep_1',
    '  - dep_1-old',
    '  - "dep_1" # and dep_1.',
    'account: acc_slack_finance',
    'other: acc_slack_ops',
    '',
  ].join('\n'),
  'deploy.json': '{ "dep_1": "dep_1", "others": ["dep_10", "my-dep_1", "dep_1-old"], "url": "/x/dep_1?y" }\n',
  'deploy.ts': 'export const ids = ["dep_1", `dep_10`, "my-dep_1", "dep_1-old"]; // dep_1: acc_slack_finance\n',
  '.env': 'DEPLOYMENT_ID=dep_1\nOTHERS=dep_10,my-dep_1,dep_1-old\n',
  'notes.ipynb': JSON.stringify({
    cells: [
      { cell_type: 'code', metadata: {}, source: ['run("dep_1", "dep_10")'], outputs: [], execution_count: null },
    ],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  }),
};

const deployment: readonly Squiggle[] = [
  { severity: 'error', text: 'dep_1' },
  { severity: 'warning', text: 'dep_1' },
];
const finance: readonly Squiggle[] = [{ severity: 'error', text: 'acc_slack_finance' }];

const setting = 'automationPlatform.deployments';

describe('in editors', () => {
  let service: Service;
  let workbench: Workbench;

  before(async () => {
    service = await startService();
    service.putDeployment('dep_1', broken);
    service.putDeployment('dep_10', healthy());
    workbench = await openWorkbench({
      env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: DEFAULT_TOKEN },
      workspaceSettings: { [setting]: [{ id: 'dep_1', label: 'Billing sync' }, 'dep_10'] },
      files,
      builtinExtensions: ['ipynb', 'python'],
    });
    await workbench.waitForActivation();
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  /** What is underlined, once it is this. */
  async function squiggles(...expected: readonly (readonly Squiggle[])[]): Promise<void> {
    let seen: Squiggle[] = [];
    try {
      await until('the squiggles', async () => {
        seen = await workbench.editor.squiggles();
        return isDeepStrictEqual(seen, expected.flat());
      });
    } catch {
      assert.deepEqual(seen, expected.flat());
    }
  }

  async function putAndRefresh(answer: unknown): Promise<void> {
    service.putDeployment('dep_1', answer);
    await run(workbench, 'Refresh');
  }

  describe('references', () => {
    it('with problems are underlined in YAML, whole tokens only, without the view ever being opened', async () => {
      await workbench.editor.open('deploy.yaml');
      await squiggles(deployment, deployment, deployment, finance);
    });

    it('are so in JSON, TypeScript and .env files', async () => {
      await workbench.editor.open('deploy.json');
      await squiggles(deployment, deployment, deployment);
      await workbench.editor.open('deploy.ts');
      await squiggles(deployment, deployment, finance);
      await workbench.editor.open('.env');
      await squiggles(deployment);
    });

    it('are problems of the Problems panel, worst first, with source and code', async () => {
      await workbench.editor.open('.env');
      const rows = await workbench.problems.waitForRows('those of .env', (all) => all.some((row) => /\.env/.test(row)));
      const own = rows.slice(rows.findIndex((row) => /in file \.env/.test(row))).slice(0, 3);
      assert.match(own[0] ?? '', /^2 problems in file \.env/);
      assert.match(
        own[1] ?? '',
        /^Error: Finance Slack \(slack\) failed: The workspace admin removed the app \(token_revoked\)\. Seen since .* Reconnect Finance Slack \(slack\) with the scope channels:read\. at line 1 and character 15\./,
      );
      assert.match(
        own[2] ?? '',
        /^Warning: notifier \(slack\) is not satisfied: its account Finance Slack failed \(The workspace admin removed the app\)\. Missing scope: channels:read\. Seen since .* at line 1 and character 15\./,
      );
      const codes = await workbench.page.locator('.markers-panel .monaco-list-row .marker-code').allInnerTexts();
      assert.ok(codes.includes('token_revoked') && codes.includes('not-satisfied'), codes.join());
      await workbench.screenshot('editor-problems');
      await workbench.problems.close();
    });

    it('are found in untitled files', async () => {
      await workbench.editor.newUntitled('see dep_1, not dep_10');
      await squiggles(deployment);
      await workbench.editor.replaceAll('see dep_10');
      await squiggles();
      await workbench.commands.run('View: Revert and Close Editor');
      await until('the editor to close', async () => (await workbench.editor.title()) !== 'Untitled-1');
    });

    it('are found in cells of notebooks', async () => {
      await workbench.page.locator('.explorer-viewlet .monaco-list-row', { hasText: 'notes.ipynb' }).dblclick();
      const cell = workbench.page.locator('.notebook-editor .cell .monaco-editor');
      await cell.locator('.squiggly-error').first().waitFor();
      assert.equal(await cell.locator('.squiggly-error').count(), 1);
      await workbench.screenshot('editor-notebook');
      await workbench.editor.close();
    });

    it('are found in settings files', async () => {
      await workbench.editor.open('settings.json');
      await squiggles(deployment);
      await workbench.editor.close();
      await workbench.changeUserSettings({ 'files.exclude': { dep_1: true } });
      await workbench.commands.run('Preferences: Open User Settings (JSON)');
      // Not the squiggles: in this VS Code the window knows the file by another address than the extension host does.
      await workbench.problems.waitForRows('those of the settings', (rows) =>
        rows.some((row) => /2 problems in file settings\.json/.test(row)),
      );
      await workbench.problems.close();
      await workbench.editor.close();
    });

    it('have a hover, and nothing else, on the other side of a comparison', async () => {
      await workbench.editor.open('.env');
      await workbench.setClipboard('left dep_1 side');
      await workbench.commands.run('File: Compare Active File with Clipboard');
      const left = workbench.page.locator('.editor.original .view-line', { hasText: 'side' }).locator('span > span');
      const text = await workbench.hovers.read(left.first(), /Billing sync · dep_1/);
      assert.match(text, /Failed: 1 account failed/);
      await workbench.screenshot('editor-comparison');
      await workbench.hovers.leave();
      assert.equal(await workbench.page.locator('.editor.original .squiggly-error').count(), 0);
      assert.equal(await workbench.page.locator('.editor.modified .squiggly-error').count(), 1);
      await workbench.editor.close();
    });
  });

  describe('a hover', () => {
    it('says all that is known, with links that run', async () => {
      await workbench.editor.open('deploy.yaml');
      const text = await workbench.editor.hover('dep_1', /Billing sync/);
      for (const part of [
        'Billing sync · dep_1 · environment',
        'Failed: 1 account failed · 1 of 1 not satisfied',
        'Read ',
        'Missing scope: channels:read.',
        'Last checked by the service',
        'Ops Slack · slack · T01 · no error',
      ]) {
        assert.ok(text.includes(part), `${part}\n--- not in ---\n${text}`);
      }
      await workbench.screenshot('editor-hover');
      await workbench.setClipboard('');
      await workbench.hovers.shown.getByText('Copy Authorization Report').click();
      await until('the report', async () => /token_revoked/.test(await workbench.clipboard()));
    });

    it('on an account says whose answer it is from', async () => {
      const text = await workbench.editor.hover('acc_slack_finance', /Finance Slack · account/);
      assert.match(text, /From the answer for Billing sync\. Read /);
      await workbench.screenshot('editor-hover-account');
      await workbench.hovers.leave();
    });

    it('says of a deployment without problems that all is well', async () => {
      assert.match(await workbench.editor.hover('dep_10', /dep_10 ·/), /Satisfied: 1 of 1 satisfied/);
      await workbench.hovers.leave();
    });
  });

  describe('a quick fix', () => {
    before(() => workbench.editor.open('deploy.yaml'));

    it('is offered on what is underlined', async () => {
      assert.deepEqual(await workbench.editor.quickFixes('dep_1'), [
        'Check Again',
        'Reveal in Sidebar',
        'Copy Authorization Report',
      ]);
    });

    it('copies the report', async () => {
      await workbench.setClipboard('');
      await workbench.editor.chooseQuickFix('acc_slack_finance', 'Copy Authorization Report');
      await until('the report', async () => /not satisfied[^]*Finance Slack/.test(await workbench.clipboard()));
    });

    it('reveals the row', async () => {
      await workbench.editor.chooseQuickFix('dep_1', 'Reveal in Sidebar');
      const view = await workbench.view('Deployments');
      await waitForSelection(view, ['Billing sync']);
    });

    it('checks again, with a spinner in the row and a new time in the hover', async () => {
      const view = await workbench.view('Deployments');
      const age = /Read [^(]*\(([^)]*)\)/;
      const before = age.exec(await workbench.editor.hover('dep_1', age))?.[1];
      await workbench.hovers.leave();
      service.fault({ id: 'dep_1' }, { hold: true });
      await workbench.editor.chooseQuickFix('dep_1', 'Check Again');
      await service.waitForRequests(1, { id: 'dep_1', state: 'held' });
      await view.waitForRows('a spinner', (rows) =>
        rows.some(({ label, icon }) => label === 'Billing sync' && /sync|loading/.test(icon)),
      );
      await workbench.screenshot('editor-check-again');
      await squiggles(deployment, deployment, deployment, finance);
      service.clearFaults();
      service.release();
      await view.waitForRows('no spinner', (rows) =>
        rows.some(({ label, icon }) => label === 'Billing sync' && icon === 'error'),
      );
      const after = age.exec(await workbench.editor.hover('dep_1', age))?.[1];
      assert.notEqual(after, before);
      await workbench.hovers.leave();
    });

    it('takes the diagnostic away if the answer is good', async () => {
      service.putDeployment('dep_1', mended);
      await workbench.editor.chooseQuickFix('acc_slack_finance', 'Check Again');
      await squiggles();
      await putAndRefresh(broken);
      await squiggles(deployment, deployment, deployment, finance);
    });
  });

  describe('diagnostics', () => {
    before(() => workbench.editor.open('.env'));

    it('go with the problem after a refresh, and come back with it', async () => {
      await squiggles(deployment);
      await putAndRefresh(mended);
      await squiggles();
      await putAndRefresh(broken);
      await squiggles(deployment);
    });

    it('stay, and the hover says stale, when a refresh fails', async () => {
      service.fault({ id: 'dep_1' }, { status: 404 });
      await run(workbench, 'Refresh');
      const view = await workbench.view('Deployments');
      await view.row({ label: 'Billing sync', description: /stale/ });
      const text = await workbench.editor.hover('dep_1', /Stale: last read/);
      assert.match(text, /404: .* does not find it/);
      await workbench.screenshot('editor-hover-stale');
      await workbench.hovers.leave();
      await squiggles(deployment);
      service.clearFaults();
      await run(workbench, 'Refresh');
    });

    it('go at once when the id is edited away', async () => {
      await workbench.editor.putCursor('dep_1');
      await workbench.page.keyboard.press('Home');
      await workbench.page.keyboard.press('End');
      await workbench.editor.insert('0');
      await squiggles();
      await workbench.page.keyboard.press('Backspace');
      await squiggles(deployment);
    });

    it('go when their severity is off', async () => {
      await workbench.changeUserSettings({ 'automationPlatform.diagnostics.failedAccounts': 'off' });
      await squiggles([{ severity: 'warning', text: 'dep_1' }]);
      await workbench.changeUserSettings({
        'automationPlatform.diagnostics.failedAccounts': 'information',
        'automationPlatform.diagnostics.unsatisfiedRequirements': 'off',
      });
      await squiggles([{ severity: 'information', text: 'dep_1' }]);
      await workbench.changeUserSettings({
        'automationPlatform.diagnostics.failedAccounts': undefined,
        'automationPlatform.diagnostics.unsatisfiedRequirements': undefined,
      });
      await squiggles(deployment);
    });

    it('go with the editor', async () => {
      await workbench.editor.save();
      await workbench.editor.close();
      await workbench.problems.waitForRows('none of .env', (rows) => rows.every((row) => !/\.env/.test(row)));
      await workbench.problems.close();
    });
  });

  describe('a notification of new problems', () => {
    before(async () => {
      await putAndRefresh(mended);
      await workbench.editor.open('.env');
      await squiggles();
      await workbench.notifications.clear();
    });

    it('does not come without the setting', async () => {
      await putAndRefresh(broken);
      await squiggles(deployment);
      assert.deepEqual(await workbench.notifications.shown(), []);
    });

    it('names one of them and how many more, and reveals its row', async () => {
      await workbench.changeUserSettings({ 'automationPlatform.notifications.newProblems': true });
      await putAndRefresh(mended);
      await squiggles();
      await putAndRefresh(broken);
      const { text, severity, buttons } = await workbench.notifications.waitFor(/New problem/);
      assert.equal(
        text,
        'New problem in Billing sync: Finance Slack (slack) failed: The workspace admin removed the app (token_revoked). And 1 more new problem.',
      );
      assert.deepEqual([severity, buttons], ['warning', ['Reveal in Sidebar']]);
      await workbench.screenshot('editor-new-problem');
      const view = await workbench.view('Deployments');
      await view.select('dep_10');
      await workbench.notifications.press(/New problem/, 'Reveal in Sidebar');
      await waitForSelection(view, ['Billing sync']);
    });

    it('comes neither again for what is known nor from a refresh that failed', async () => {
      await workbench.notifications.clear();
      await run(workbench, 'Refresh');
      service.fault({ id: 'dep_1' }, { status: 500 });
      await run(workbench, 'Refresh');
      service.clearFaults();
      await run(workbench, 'Refresh');
      const view = await workbench.view('Deployments');
      await view.waitForRows('news', (rows) =>
        rows.some(({ label, icon }) => label === 'Billing sync' && icon === 'error'),
      );
      assert.deepEqual(await workbench.notifications.shown(), []);
    });
  });
});

/** A service and a window of one test's own. */
async function inWindow(
  test: (service: Service, open: (options: WorkbenchOptions) => Promise<Workbench>) => Promise<void>,
): Promise<void> {
  const service = await startService();
  const env = { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: DEFAULT_TOKEN };
  let workbench: Workbench | undefined;
  try {
    await test(service, async (options) => (workbench = await openWorkbench({ env, ...options })));
  } finally {
    await workbench?.close();
    await service.stop();
  }
}

describe('what nobody shows', () => {
  it('is read if an open document mentions it, and only then', async () => {
    await inWindow(async (service, open) => {
      for (const id of ['dep_1', 'dep_2']) service.putDeployment(id, broken);
      const workbench = await open({
        workspaceSettings: { [setting]: ['dep_1', 'dep_2'] },
        userSettings: { 'automationPlatform.statusBar.enabled': false, 'automationPlatform.badge.enabled': false },
        files: { 'notes.txt': 'dep_2' },
      });
      await workbench.waitForActivation();
      await workbench.editor.open('notes.txt');
      await workbench.editor.waitForSquiggles('those of dep_2', (all) => all.length === 2);
      assert.deepEqual(
        service.requests.map(({ route }) => route.id),
        ['dep_2'],
      );
    });
  });
});

describe('severities in a workspace of several folders', () => {
  it('are those of the folder, for cells of its notebooks too', async () => {
    await inWindow(async (service, open) => {
      service.putDeployment('dep_1', broken);
      const workbench = await open({
        userSettings: { [setting]: ['dep_1'] },
        files: { 'first.txt': 'dep_1' },
        moreFolders: {
          second: {
            'second.txt': 'dep_1',
            'notes.ipynb': files['notes.ipynb'],
            '.vscode/settings.json': JSON.stringify({
              'automationPlatform.diagnostics.failedAccounts': 'information',
              'automationPlatform.diagnostics.unsatisfiedRequirements': 'off',
            }),
          },
        },
        builtinExtensions: ['ipynb', 'python'],
      });
      await workbench.waitForActivation();
      const { editor, page } = workbench;
      await editor.open('first.txt');
      await editor.waitForSquiggles('of both kinds', (seen) => isDeepStrictEqual(seen, deployment));
      await editor.open('second.txt');
      const information: readonly Squiggle[] = [{ severity: 'information', text: 'dep_1' }];
      await editor.waitForSquiggles('of one kind', (seen) => isDeepStrictEqual(seen, information));
      await page.locator('.explorer-viewlet .monaco-list-row', { hasText: 'notes.ipynb' }).dblclick();
      const cell = page.locator('.notebook-editor .cell .monaco-editor');
      await cell.locator('.squiggly-info').first().waitFor();
      assert.equal(await cell.locator('.squiggly-error, .squiggly-warning').count(), 0);
    });
  });
});

describe('a window without folder', () => {
  it('underlines ids of the list in the user settings', async () => {
    await inWindow(async (service, open) => {
      service.putDeployment('dep_1', broken);
      const workbench = await open({
        userSettings: { [setting]: ['dep_1'] },
        empty: true,
      });
      await workbench.waitForActivation();
      await workbench.editor.newUntitled('dep_1');
      await workbench.editor.waitForSquiggles('of both kinds', (seen) => isDeepStrictEqual(seen, deployment));
    });
  });
});

describe('text that would like to be more than text', () => {
  it('is text in hovers, diagnostics, quick fixes and notifications', async () => {
    const evil =
      '$(trash) [sign in](https://phish.example) [quit](command:workbench.action.quit) <b>x</b> www.phish.example';
    await inWindow(async (service, open) => {
      const bad = account({ id: 'acc_evil', label: evil, serviceId: evil, error: { code: evil, message: evil } });
      const need = requirement({ binding: evil, serviceId: evil, accountId: 'acc_evil', satisfied: false });
      service.putDeployment('dep_1', authorization([bad], [need]));
      const workbench = await open({
        workspaceSettings: { [setting]: [{ id: 'dep_1', label: evil }] },
        userSettings: { 'automationPlatform.notifications.newProblems': true },
        files: { 'notes.txt': 'dep_1 acc_evil' },
        theme: 'dark',
      });
      const { page, editor, hovers } = workbench;
      await workbench.notifications.waitFor(/New problem/);
      assert.deepEqual(await page.locator('.notification-list-item-message a').allInnerTexts(), []);
      assert.equal(await page.locator('.notification-list-item-message .codicon').count(), 0);
      await workbench.notifications.clear();
      await editor.open('notes.txt');
      for (const id of ['dep_1', 'acc_evil']) {
        await editor.hover(id, /Check Again/);
        assert.equal(await hovers.shown.locator('.codicon-trash').count(), 0);
        assert.deepEqual(
          (await hovers.links()).filter((link) => /phish|quit/.test(link) && !link.includes('dep_1')),
          [],
        );
        const own = hovers.shown.locator('.hover-contents a', { hasText: /Check Again|Reveal|Copy/ });
        assert.equal(await own.count(), 3);
        assert.equal(await hovers.shown.locator('.hover-contents b').count(), 0);
        await workbench.screenshot(`editor-hostile-${id}`);
        await hovers.leave();
      }
      assert.ok((await editor.quickFixes('dep_1')).includes('Check Again'));
    });
  });
});

import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { account, authorization, healthy, requirement } from '../support/service/data.js';
import { type Service, startService } from '../support/service/service.js';
import type { Squiggle } from '../support/workbench/editor.js';
import { openWorkbench, type WorkbenchOptions } from '../support/workbench/openWorkbench.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { environmentOf, run, waitForSelection } from './actions.js';

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
  { severity: 'warning', text: 'dep_1' },
  { severity: 'information', text: 'dep_1' },
];
const finance: readonly Squiggle[] = [{ severity: 'warning', text: 'acc_slack_finance' }];

const setting = 'automationPlatform.deployments';

describe('in editors', () => {
  let service: Service;
  let workbench: Workbench;

  before(async () => {
    service = await startService();
    service.putDeployment('dep_1', broken);
    service.putDeployment('dep_10', healthy());
    workbench = await openWorkbench({
      env: environmentOf(service),
      workspaceSettings: { [setting]: [{ id: 'dep_1', label: 'Billing sync' }, 'dep_10'] },
      files,
    });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  /** What is underlined, once it is this. */
  async function squiggles(...expected: readonly (readonly Squiggle[])[]): Promise<void> {
    const wanted = expected.flat();
    await workbench.editor.waitForSquiggles(JSON.stringify(wanted), (seen) => isDeepStrictEqual(seen, wanted));
  }

  async function putAndRefresh(answer: unknown): Promise<void> {
    service.putDeployment('dep_1', answer);
    await run(workbench, 'Refresh');
  }

  describe('references', () => {
    it('with problems are underlined in YAML, whole tokens only, without the view ever being opened @core', async () => {
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

    it('are problems of the Problems panel, worst first, with source and code @core', async () => {
      await workbench.editor.open('.env');
      const rows = await workbench.problems.waitForRows('those of .env', (all) => all.some((row) => /\.env/.test(row)));
      const own = rows.slice(rows.findIndex((row) => /in file \.env/.test(row))).slice(0, 3);
      assert.match(own[0] ?? '', /^2 problems in file \.env/);
      assert.match(
        own[1] ?? '',
        /^Warning: Finance Slack \(slack\) failed: token_revoked \(The workspace admin removed the app\)\. Read at \d\d:\d\d [AP]M \S+\. State of the service, not of this file\. at line 1 and character 15\./,
      );
      assert.match(
        own[2] ?? '',
        /^Info: notifier: Finance Slack is missing channels:read\. Read at .* at line 1 and character 15\./,
      );
      const codes = await workbench.page.locator('.markers-panel .monaco-list-row .marker-code').allInnerTexts();
      assert.ok(codes.includes('token_revoked') && codes.includes('not-satisfied'), codes.join());
      await workbench.screenshot('editor-problems');
      await workbench.problems.close();
    });

    it('are found in cells of notebooks', async () => {
      await workbench.page.locator('.explorer-viewlet .monaco-list-row', { hasText: 'notes.ipynb' }).dblclick();
      const cell = workbench.page.locator('.notebook-editor .cell .monaco-editor');
      await cell.locator('.squiggly-warning').first().waitFor();
      assert.equal(await cell.locator('.squiggly-warning').count(), 1);
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
  });

  describe('a hover', () => {
    it('says what helps, repeats nothing of the diagnostics above it, and has links that run @core', async () => {
      await workbench.editor.open('deploy.yaml');
      const text = await workbench.editor.hover('dep_1', /Billing sync/);
      for (const part of [
        'Finance Slack (slack) failed: token_revoked (The workspace admin removed the app).',
        'notifier: Finance Slack is missing channels:read.',
        'Reconnect Finance Slack (slack) with the scope channels:read. Checked ',
        'Or use the eligible account Ops Slack.',
        'Billing sync · dep_1 · environment',
        'No error: Ops Slack (slack).',
      ]) {
        assert.equal(text.split(part).length, 2, `once: ${part}\n--- in ---\n${text}`);
      }
      await workbench.screenshot('editor-hover');
      await workbench.setClipboard('');
      await workbench.hovers.shown.getByText('Copy Authorization Report').click();
      await until('the report', async () => /token_revoked/.test(await workbench.clipboard()));
    });
  });

  describe('a quick fix', () => {
    before(() => workbench.editor.open('deploy.yaml'));

    it('is offered on what is underlined @core', async () => {
      assert.deepEqual(await workbench.editor.quickFixes('dep_1'), [
        'Check Again',
        'Reveal in Sidebar',
        'Watch Until It Changes',
        'Mute Problem…',
        'Copy Authorization Report',
      ]);
    });

    it('copies the report @core', async () => {
      await workbench.setClipboard('');
      await workbench.editor.chooseQuickFix('acc_slack_finance', 'Copy Authorization Report');
      await until('the report', async () => /not satisfied[^]*Finance Slack/.test(await workbench.clipboard()));
    });

    it('reveals the row @core', async () => {
      await workbench.editor.chooseQuickFix('dep_1', 'Reveal in Sidebar');
      const view = await workbench.view('Deployments');
      await waitForSelection(view, ['Billing sync']);
    });

    it('checks again, with a spinner in the row and then a new time in its hover @core', async () => {
      const view = await workbench.view('Deployments');
      const readAt = async () => /^Read on .*$/m.exec(await view.tooltip('Billing sync', /Read on/))?.[0];
      const before = await readAt();
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
      assert.notEqual(await readAt(), before);
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

    it('go with the problem after a refresh, and come back with it @core', async () => {
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
      const text = await workbench.editor.hover('dep_1', /Not found/);
      assert.match(text, /Not found \(404\)\. The deployment was probably deleted/);
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
      await squiggles([{ severity: 'information', text: 'dep_1' }]);
      await workbench.changeUserSettings({
        'automationPlatform.diagnostics.failedAccounts': 'error',
        'automationPlatform.diagnostics.unsatisfiedRequirements': 'off',
      });
      await squiggles([{ severity: 'error', text: 'dep_1' }]);
      await workbench.changeUserSettings({
        'automationPlatform.diagnostics.failedAccounts': undefined,
        'automationPlatform.diagnostics.unsatisfiedRequirements': undefined,
      });
      await squiggles(deployment);
    });
  });

  describe('a notification of new problems', () => {
    before(async () => {
      await putAndRefresh(mended);
      await workbench.editor.open('.env');
      await squiggles();
      await workbench.notifications.clear();
    });

    it('names one of them and how many more, and reveals its row', async () => {
      await workbench.changeUserSettings({ 'automationPlatform.notifications.newProblems': true });
      await putAndRefresh(mended);
      await squiggles();
      await putAndRefresh(broken);
      const { text, severity, buttons } = await workbench.notifications.waitFor(/new problems/);
      assert.equal(
        text,
        '2 new problems. Billing sync: Finance Slack (slack) failed: token_revoked (The workspace admin removed the app).',
      );
      assert.deepEqual([severity, buttons], ['warning', ['Reveal in Sidebar']]);
      await workbench.screenshot('editor-new-problem');
      const view = await workbench.view('Deployments');
      await view.select('dep_10');
      await workbench.notifications.press(/new problems/, 'Reveal in Sidebar');
      await waitForSelection(view, ['Billing sync']);
    });
  });
});

/** A service and a window of one test's own. */
async function inWindow(
  test: (service: Service, open: (options: WorkbenchOptions) => Promise<Workbench>) => Promise<void>,
): Promise<void> {
  const service = await startService();
  const env = environmentOf(service);
  let workbench: Workbench | undefined;
  try {
    await test(service, async (options) => (workbench = await openWorkbench({ env, ...options })));
  } finally {
    await workbench?.close();
    await service.stop();
  }
}

describe('a window without folder', () => {
  it('underlines ids of the list in the user settings', async () => {
    await inWindow(async (service, open) => {
      service.putDeployment('dep_1', broken);
      const workbench = await open({
        userSettings: { [setting]: ['dep_1'] },
        empty: true,
      });
      await workbench.editor.newUntitled('dep_1');
      await workbench.editor.waitForSquiggles('of both kinds', (seen) => isDeepStrictEqual(seen, deployment));
    });
  });
});

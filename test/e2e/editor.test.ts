import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { account, authorization, healthy, requirement } from '../support/service/data.js';
import { type Service, startService } from '../support/service/service.js';
import type { Squiggle } from '../support/workbench/editor.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
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

/** What may border on an id and what may not. */
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

  describe('references', () => {
    it('with problems are underlined in YAML, whole tokens only, without the view ever being opened @core', async () => {
      await workbench.editor.open('deploy.yaml');
      await squiggles(deployment, deployment, deployment, finance);
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

    it('is offered on what is underlined', async () => {
      assert.deepEqual(await workbench.editor.quickFixes('dep_1'), [
        'Check Again',
        'Reveal in Sidebar',
        'Watch Until It Changes',
        'Mute Problem…',
        'Copy Authorization Report',
      ]);
    });

    it('reveals the row', async () => {
      await workbench.editor.chooseQuickFix('dep_1', 'Reveal in Sidebar');
      const view = await workbench.view('Deployments');
      await waitForSelection(view, ['Billing sync']);
    });

    it('checks again, with a spinner in the row; what is well then is underlined no more, until it is wrong again @core', async () => {
      const view = await workbench.view('Deployments');
      service.putDeployment('dep_1', mended);
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
      await view.row({ label: 'Billing sync', description: '1 of 1 satisfied' });
      await squiggles();
      service.putDeployment('dep_1', broken);
      await run(workbench, 'Refresh');
      await squiggles(deployment, deployment, deployment, finance);
    });
  });
});

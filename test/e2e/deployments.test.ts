import { strict as assert } from 'node:assert';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { account, authorization, healthy, requirement } from '../support/service/data.js';
import { sampleDeployments } from '../support/service/sample.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, requestsOf, run, waitForClipboard, waitForOutline, waitForSelection } from './actions.js';

const setting = 'automationPlatform.deployments';

/** The sample as it stands: worst first, then by label. */
const sampleRows = [
  'Billing sync · 1 account failed · 1 of 3 not satisfied',
  'Partner feed · 1 account failed · 1 of 2 not satisfied',
  'Nightly report · 2 of 5 not satisfied',
  'dep_77 · not found (404)',
  'Invoice OCR · 1 of 2 satisfied · 1 unknown',
  'Legacy bridge · answer unusable: not JSON',
  'Payroll export · not permitted (403)',
  'Contract archive · 2 of 2 satisfied',
  'dep_web_forms · nothing required',
  'Fleet alerts · 1 of 1 satisfied',
  'Lead intake · 4 of 4 satisfied',
  'Onboarding · 2 of 2 satisfied',
  'Support triage · 2 of 2 satisfied',
  'Warehouse sync · 2 of 2 satisfied',
];

const slackLacksScope = authorization(
  [account({ id: 'acc_slack_finance', label: 'Finance Slack', serviceSub: 'T02', scopes: ['chat:write'] }), account()],
  [
    requirement({
      accountId: 'acc_slack_finance',
      satisfied: false,
      eligibleAccountIds: ['acc_slack_finance', 'acc_slack_ops'],
    }),
  ],
);

/** The sample's list with another entry for Onboarding. */
function withEntry(entry: string | { id: string; label: string }): unknown[] {
  return sampleDeployments.map((other) => (typeof other !== 'string' && other.id === 'dep_onboarding' ? entry : other));
}

describe('the Deployments view', () => {
  let service: ServiceChild;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await spawnService(['--sample']);
    await reset();
    workbench = await openWorkbench({
      env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token },
      workspaceSettings: { [setting]: sampleDeployments },
      // High enough for every row.
      viewport: { width: 1280, height: 1200 },
    });
    view = await workbench.view('Deployments');
    await waitForOutline(view, sampleRows);
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  // What one test leaves open is not to fail the others.
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      await workbench.page.keyboard.press('Escape');
      await workbench.page.keyboard.press('Escape');
      await reset();
      await workbench.workspaceSettings.write({ [setting]: sampleDeployments });
      await view.pressTitleAction('Collapse All');
      await refresh();
    }
  });

  /** Reads all again and waits until that is over. */
  async function refresh(): Promise<void> {
    await until('the end of what is under way', async () => !(await view.isBusy()));
    await service.control.clearRequests();
    await run(workbench, 'Refresh');
    const ids = new Set(sampleDeployments.map((entry) => (typeof entry === 'string' ? entry : entry.id)));
    await service.control.waitForRequests(ids.size, { operation: 'getDeploymentAuthorization', state: 'answered' });
    await until('the end of the refresh', async () => !(await view.isBusy()));
  }

  async function waitForTitleAction(there: string, away: string): Promise<void> {
    await until(`${there} in place of ${away}`, async () => {
      const actions = await view.titleActions();
      return actions.includes(there) && !actions.includes(away);
    });
  }

  /** The sample, without its slow answer: here nobody looks at that. */
  async function reset(): Promise<void> {
    await service.control.reset();
    const { standing } = await service.control.data();
    await service.control.putData({ standing: standing.filter(({ fault }) => fault.latency === undefined) });
  }

  const listed = async () => (await workbench.workspaceSettings.read())[setting];

  describe('rows', () => {
    it('stand worst first, and the problems are counted wherever one looks', async () => {
      await view.waitForDescription('environment · 3 of 14 with problems');
      await until('the badge', async () => (await workbench.activityBar.badge('Automation Platform')) === '3');
      await workbench.statusBar.waitForText('summary', '3 of 14 deployments');
    });

    it('say their state by the shape of the icon, and to a screen reader', async () => {
      const rows = await view.rows();
      assert.deepEqual(
        rows.map(({ label, icon }) => `${icon} ${label}`),
        [
          'error Billing sync',
          'error Partner feed',
          'warning Nightly report',
          'question dep_77',
          'question Invoice OCR',
          'question Legacy bridge',
          'question Payroll export',
          'pass Contract archive',
          'pass dep_web_forms',
          'pass Fleet alerts',
          'pass Lead intake',
          'pass Onboarding',
          'pass Support triage',
          'pass Warehouse sync',
        ],
      );
      const spoken = rows.map(({ ariaLabel }) => ariaLabel);
      assert.match(
        spoken[0] ?? '',
        /^Billing sync, deployment, 1 account failed, 1 of 3 not satisfied, (just now|\d+ min\. ago)$/,
      );
      assert.match(spoken[3] ?? '', /^dep_77, deployment, not found \(404\), tried \d\d:\d\d [AP]M \S+$/);
      assert.match(spoken[7] ?? '', /^Contract archive, deployment, 2 of 2 satisfied, read \d\d:\d\d [AP]M \S+$/);
    });

    it('open down to the scopes, problems first', async () => {
      await view.expand('Billing sync');
      await view.expand({ label: 'notifier', under: 'Billing sync' });
      await view.expand({ label: 'slack-oauth', under: 'notifier' });
      await view.expand({ label: 'Finance Slack', under: 'Billing sync' });
      await waitForOutline(view, [
        'Billing sync · 1 account failed · 1 of 3 not satisfied',
        '  notifier · slack · not satisfied · channels:read missing',
        '    Reconnect Finance Slack (slack) with the scope channels:read. Or use the eligible account Ops Slack. · Seen since …',
        '    Finance Slack · bound account · token_revoked',
        '    Ops Slack · eligible account',
        '    slack-oauth · method of the bound account · 1 of 2 required scopes held',
        '      channels:read · required · missing',
        '      chat:write · required, minimal · held',
        '  archive · google-sheets · satisfied',
        '  ledger · stripe · satisfied',
        '  Finance Slack · slack · T02 · token_revoked · checked …',
        '    token_revoked · The workspace admin removed the app.',
        '    Reconnect Finance Slack (slack) with the scope channels:read. · Seen since …',
        '    chat:write',
        '    Last check · …',
        '  Finance Sheets · google-sheets · finance@acme.example · no error · checked …',
        '  Ops Slack · slack · T01 · no error · checked …',
        '  Stripe live · stripe · acct_1Kx0 · no error · checked …',
        ...sampleRows.slice(1),
      ]);
      const missing = await view.row({ label: 'channels:read', under: 'slack-oauth' });
      assert.equal(missing.icon, 'close');
      assert.equal(missing.ariaLabel, 'channels:read, scope, required, missing');
      const held = await view.row({ label: 'chat:write', under: 'slack-oauth' });
      assert.equal(held.icon, 'check');
      assert.equal(held.ariaLabel, 'chat:write, scope, required, minimal, held');
      const eligible = await view.row({ label: 'Ops Slack', under: 'notifier' });
      assert.equal(eligible.ariaLabel, 'Ops Slack, account, eligible account');
    });

    it('stay open and selected through a refresh that changes and moves them', async () => {
      await view.select({ label: 'channels:read', under: 'slack-oauth' });
      await service.control.putDeployment('dep_billing_sync', slackLacksScope);
      await refresh();
      await waitForOutline(view, [
        sampleRows[1] ?? '',
        'Billing sync · 1 of 1 not satisfied',
        '  notifier · slack · not satisfied · channels:read missing',
        '    Reconnect Finance Slack (slack) with the scope channels:read. Or use the eligible account Ops Slack. · Seen since …',
        '    Finance Slack · bound account',
        '    Ops Slack · eligible account',
        '    slack-oauth · method of the bound account · 1 of 2 required scopes held',
        '      channels:read · required · missing',
        '      chat:write · required, minimal · held',
        '  Finance Slack · slack · T02 · no error · checked …',
        '    chat:write',
        '    Last check · …',
        '  Ops Slack · slack · T01 · no error · checked …',
        ...sampleRows.slice(2),
      ]);
      const selected = (await view.rows()).filter((row) => row.selected);
      assert.deepEqual(
        selected.map(({ ariaLabel }) => ariaLabel),
        ['channels:read, scope, required, missing'],
      );
      await reset();
      await view.collapse('Billing sync');
      await refresh();
      await waitForOutline(view, sampleRows);
    });
  });

  describe('hovers', () => {
    it('tell a problem with its step, and when it was read and seen', async () => {
      const hover = await view.tooltip('Billing sync', /Organization/);
      const lines = hover.split('\n').filter((line) => line !== '');
      assert.deepEqual(
        lines.map((line) => line.replace(/ [A-Z][a-z][a-z] \d+, \d{4}, \d+:\d\d:\d\d [AP]M \S+?\.$/, ' ….')),
        [
          'Billing sync · dep_billing_sync',
          'Failed: 1 account failed · 1 of 3 not satisfied',
          'Read on ….',
          'Finance Slack (slack) failed: The workspace admin removed the app (token_revoked).',
          'Reconnect Finance Slack (slack) with the scope channels:read.',
          'Seen since ….',
          'notifier (slack) is not satisfied: its account Finance Slack failed (The workspace admin removed the app). Missing scope: channels:read.',
          'Reconnect Finance Slack (slack) with the scope channels:read. Or use the eligible account Ops Slack.',
          'Seen since ….',
          'Organization: environment (from environment variables)',
        ],
      );
    });

    it('hold every field that the service sent, unknown ones included', async () => {
      assert.match(await view.tooltip('Fleet alerts', /revision/), /environment production\nrevision 42/);
      await view.expand('Fleet alerts');
      const accountHover = await view.tooltip({ label: 'Ops Slack', under: 'Fleet alerts' }, /quota/);
      for (const field of [
        'id acc_slack_ops',
        'label Ops Slack',
        'serviceId slack',
        'serviceSub T01',
        'connectionMethodId slack-oauth',
        'scopes chat:write, channels:read',
        'avatarUrl https://cdn.acme.example/slack.png',
        'quota.used 812',
        'quota.limit 1000',
      ]) {
        assert.ok(accountHover.split('\n').includes(field), `${field} in ${accountHover}`);
      }
      assert.match(accountHover, /^checkedAt \d{4}-\d\d-\d\dT/m);
      const requirementHover = await view.tooltip({ label: 'notifier', under: 'Fleet alerts' }, /priority/);
      for (const field of [
        'serviceId slack',
        'accountId acc_slack_ops',
        'binding notifier',
        'satisfied true',
        'eligibleAccountIds acc_slack_ops',
        'priority high',
      ]) {
        assert.ok(requirementHover.split('\n').includes(field), `${field} in ${requirementHover}`);
      }
      await view.expand({ label: 'notifier', under: 'Fleet alerts' });
      const connectionHover = await view.tooltip({ label: 'slack-oauth', under: 'notifier' }, /region/);
      for (const field of [
        'connectionMethodId slack-oauth',
        'minimalScopes chat:write',
        'requiredScopes chat:write, channels:read',
        'region eu',
      ]) {
        assert.ok(connectionHover.split('\n').includes(field), `${field} in ${connectionHover}`);
      }
      await view.collapse('Fleet alerts');
    });

    it('and rows show text of the service as text: no link, image, icon or command of it', async () => {
      await view.expand('Partner feed');
      const partner = { label: /Partner \*\*API\*\*/, under: 'Partner feed' };
      for (const query of ['Partner feed', partner, { label: /feed <a href/, under: 'Partner feed' }]) {
        const hover = await view.tooltip(query, /phish/);
        assert.match(
          hover,
          /\[sign in again\]\(https:\/\/phish\.example\/login\)|\[feed:admin\]\(https:\/\/phish\.example\)/,
        );
        assert.deepEqual(await workbench.hovers.links(), []);
        assert.equal(await workbench.hovers.shown.locator('img, a, .codicon, b, h1').count(), 0);
      }
      const hover = await view.tooltip(partner, /serviceSub/);
      assert.ok(
        hover.includes('<img src="https://phish.example/x.png"> &lt;b&gt; www.phish.example a@phish.example'),
        hover,
      );
      assert.match(hover, /partner⟨U\+202E⟩ipa⟨U\+202C⟩/);
      const row = await view.row(partner);
      assert.doesNotMatch(row.label + row.description, /\p{Cc}|\p{Cf}/u);
      assert.equal(row.icon, 'error');
      await workbench.hovers.leave();
      await view.collapse('Partner feed');
    });
  });

  describe('the filter', () => {
    it('leaves problems and what can not be read, and goes off again', async () => {
      await view.pressTitleAction('Show Only Problems');
      await waitForOutline(view, sampleRows.slice(0, 7));
      await waitForTitleAction('Show All', 'Show Only Problems');
      await view.waitForDescription('environment · 3 of 14 with problems');
      await view.pressTitleAction('Show All');
      await waitForOutline(view, sampleRows);
    });

    it('goes off for Go to Deployment when it hides the row', async () => {
      await view.pressTitleAction('Show Only Problems');
      await waitForOutline(view, sampleRows.slice(0, 7));
      await run(workbench, 'Go to Deployment…');
      await workbench.quickInput.waitFor('Label, id or state');
      const offered = await workbench.quickInput.rows();
      assert.deepEqual(
        offered.map(({ label }) => label),
        sampleRows.map((row) => row.split(' · ')[0]),
      );
      assert.match(offered[0]?.description ?? '', /^dep_billing_sync · 1 account failed · 1 of 3 not satisfied/);
      // By id as well as by label.
      await workbench.quickInput.type('support_tri');
      await workbench.quickInput.choose('Support triage');
      await waitForSelection(view, ['Support triage']);
      await waitForOutline(view, sampleRows);
      await waitForTitleAction('Show Only Problems', 'Show All');
    });

    it('stays on for Go to Deployment when it shows the row anyway', async () => {
      await view.pressTitleAction('Show Only Problems');
      await waitForOutline(view, sampleRows.slice(0, 7));
      await run(workbench, 'Go to Deployment…');
      await workbench.quickInput.choose('Nightly report');
      await waitForSelection(view, ['Nightly report']);
      await waitForOutline(view, sampleRows.slice(0, 7));
      await view.pressTitleAction('Show All');
      await waitForOutline(view, sampleRows);
    });

    it('takes in what becomes a problem or can’t be read, and lets go what is fine again', async () => {
      await view.pressTitleAction('Show Only Problems');
      await waitForOutline(view, sampleRows.slice(0, 7));
      await service.control.putDeployment('dep_onboarding', slackLacksScope);
      await refresh();
      await view.row({ label: 'Onboarding', description: /^1 of 1 not satisfied/ });
      await service.control.putDeployment('dep_onboarding', healthy());
      await refresh();
      await view.waitForNoRow('Onboarding');
      await service.control.fault({ id: 'dep_onboarding' }, { status: 500 });
      await refresh();
      await view.row({ label: 'Onboarding', description: /^1 of 1 satisfied · stale, .* · server error \(500\)/ });
      await view.waitForDescription('environment · 3 of 14 with problems · stale');
      await reset();
      await refresh();
      await waitForOutline(view, sampleRows.slice(0, 7));
      await view.pressTitleAction('Show All');
      await waitForOutline(view, sampleRows);
    });

    it('says so when it hides everything, and offers to show it', async () => {
      await workbench.workspaceSettings.write({ [setting]: ['dep_onboarding', 'dep_support_triage'] });
      await waitForOutline(view, ['dep_onboarding · 2 of 2 satisfied', 'dep_support_triage · 2 of 2 satisfied']);
      await view.pressTitleAction('Show Only Problems');
      const { text, buttons } = await view.welcome(/hidden/);
      assert.match(text, /^No deployment has a problem\. All of them are hidden, because only problems are shown\./);
      assert.deepEqual(buttons, ['Show All']);
      await view.waitForDescription('environment · no problems');
      await until('the badge to go', async () => (await workbench.activityBar.badge('Automation Platform')) === '');
      await view.pressWelcomeButton('Show All');
      await waitForOutline(view, ['dep_onboarding · 2 of 2 satisfied', 'dep_support_triage · 2 of 2 satisfied']);
      await workbench.workspaceSettings.write({ [setting]: sampleDeployments });
      await view.row('Billing sync');
      await refresh();
      await waitForOutline(view, sampleRows);
    });
  });

  describe('menus and keys', () => {
    it('offer what goes with each kind of row, the harmless first', async () => {
      assert.deepEqual(await view.menuEntries('Billing sync'), [
        'Refresh Deployment',
        'Copy ID',
        'Copy Authorization Report',
        'Set Deployment Label…',
        'Remove Deployment from List…',
      ]);
      assert.deepEqual(await view.inlineActions('Billing sync'), ['Refresh Deployment']);
      await view.expand('Billing sync');
      await view.expand({ label: 'notifier', under: 'Billing sync' });
      for (const query of [
        { label: 'notifier', under: 'Billing sync' },
        { label: 'Ops Slack', under: 'Billing sync' },
        { label: 'slack-oauth', under: 'notifier' },
      ]) {
        assert.deepEqual(await view.menuEntries(query), ['Copy ID', 'Copy Authorization Report']);
        assert.deepEqual(await view.inlineActions(query), []);
      }
      await view.collapse('Billing sync');
      const menu = await view.openTitleMenu();
      assert.deepEqual(await menu.entries(), [
        'Add Deployment…',
        'Go to Deployment…',
        'Copy Authorization Report',
        'Sign In…',
        'Switch Organization…',
        'Set User Session Token…',
        'Sign Out…',
        'Check Connection…',
        'Show Log',
        'Revoke API Key…',
      ]);
      await menu.close();
    });

    it('read one deployment and no other', async () => {
      await service.control.clearRequests();
      await view.pressInlineAction('Onboarding', 'Refresh Deployment');
      await service.control.waitForRequests(1, { state: 'answered' });
      await view.waitForRows('nothing under way', (rows) => rows.every(({ icon }) => icon !== 'sync'));
      const asked = await requestsOf(service.control, 'getDeploymentAuthorization');
      assert.deepEqual(
        asked.map(({ route }) => route.id),
        ['dep_onboarding'],
      );
    });

    it('copy ids: of the row, by key of the selection, of rows below', async () => {
      await view.chooseFromMenu('Nightly report', 'Copy ID');
      await waitForClipboard(workbench, 'dep_nightly_report');
      await view.select('dep_77');
      await workbench.page.keyboard.press('ControlOrMeta+C');
      await waitForClipboard(workbench, 'dep_77');
      await view.select('Onboarding', 'Control');
      await view.select('Fleet alerts', 'Control');
      await workbench.page.keyboard.press('ControlOrMeta+C');
      await waitForClipboard(workbench, 'dep_77\ndep_onboarding\ndep_fleet_alerts');
      await view.expand('Onboarding');
      await view.chooseFromMenu({ label: 'HubSpot main', under: 'Onboarding' }, 'Copy ID');
      await waitForClipboard(workbench, 'acc_hubspot_main');
      await view.collapse('Onboarding');
    });

    it('copy the report of one deployment, without what it must leave out', async () => {
      await workbench.setClipboard('');
      await view.chooseFromMenu('Billing sync', 'Copy Authorization Report');
      const report = await until('the report', async () => (await workbench.clipboard()) || undefined);
      const lines = report.split('\n');
      assert.equal(lines[0], 'This report leaves out the base URL, the organization and the accounts’ serviceSub.');
      assert.ok(lines.includes('# `Billing sync` (`dep_billing_sync`)'), report);
      for (const line of [
        '- **not satisfied**: `notifier`',
        '    - `channels:read`: required, missing',
        '- **failed**: `Finance Slack`',
        '  - error.code: `token_revoked`',
      ]) {
        assert.ok(lines.includes(line), `${line} in\n${report}`);
      }
      const host = new URL(service.baseUrl).host;
      // A serviceSub stands between backticks; the bare T02 is in every time between two and three, too.
      for (const secret of [host, 'environment', '`T02`', 'finance@acme.example', service.token]) {
        assert.ok(!report.includes(secret), `no ${secret} in\n${report}`);
      }
    });

    it('copy the report of all, worst first', async () => {
      await workbench.setClipboard('');
      await run(workbench, 'Copy Authorization Report');
      await workbench.quickInput.choose('All deployments');
      const report = await until('the report', async () => (await workbench.clipboard()) || undefined);
      const headings = report.split('\n').filter((line) => /^##? /.test(line));
      assert.equal(headings[0], '# 14 deployments: 3 with problems, 4 unknown');
      assert.deepEqual(headings.slice(1, 4), [
        '## `Billing sync` (`dep_billing_sync`)',
        '## `Partner feed` (`dep_partner_feed`)',
        '## `Nightly report` (`dep_nightly_report`)',
      ]);
      assert.equal(headings.length, 15);
    });
  });

  describe('the list in the settings', () => {
    it('takes a label and gives it back', async () => {
      await view.chooseFromMenu('Onboarding', 'Set Deployment Label…');
      await workbench.quickInput.waitFor(/^Label of “dep_onboarding”\. Empty input removes it\./);
      assert.equal(await workbench.quickInput.value(), 'Onboarding');
      await workbench.quickInput.answer(' New hires ');
      await view.row('New hires');
      assert.deepEqual(await listed(), withEntry({ id: 'dep_onboarding', label: 'New hires' }));
      await view.chooseFromMenu('New hires', 'Set Deployment Label…');
      await answer(workbench, /Empty input removes it/, '');
      await view.row('dep_onboarding');
      assert.deepEqual(await listed(), withEntry('dep_onboarding'));
      await view.chooseFromMenu('dep_onboarding', 'Set Deployment Label…');
      await answer(workbench, /Empty input removes it/, 'Onboarding');
      await view.row('Onboarding');
      assert.deepEqual(await listed(), sampleDeployments);
    });

    it('loses several rows after a question, and gets them back by Undo', async () => {
      await view.select('dep_77');
      await view.select('Partner feed', 'Control');
      await view.chooseFromMenu('Partner feed', 'Remove Deployment from List…');
      const question = await workbench.dialog.waitFor(/Remove 2 deployments from the list\?/);
      assert.match(question, /\.vscode\/settings\.json/);
      assert.match(question, /Nothing happens on the server\./);
      await workbench.dialog.press('Cancel');
      assert.deepEqual(await listed(), sampleDeployments);

      await view.chooseFromMenu('Partner feed', 'Remove Deployment from List…');
      await workbench.dialog.waitFor(/Remove 2 deployments/);
      await workbench.dialog.press('Remove from List');
      await view.waitForNoRow('Partner feed');
      await view.waitForNoRow('dep_77');
      assert.deepEqual(
        await listed(),
        sampleDeployments.filter(
          (entry) => entry !== 'dep_77' && !(typeof entry === 'object' && entry.id === 'dep_partner_feed'),
        ),
      );
      const { text } = await workbench.notifications.waitFor(/^Removed/);
      assert.equal(text, 'Removed 2 deployments from the list: .vscode/settings.json. Nothing happened on the server.');
      await workbench.notifications.press(/^Removed/, 'Undo');
      // Nobody has to ask for what was known a moment ago.
      await waitForOutline(view, sampleRows);
      assert.deepEqual(await listed(), sampleDeployments);
    });

    it('takes a new deployment, reads it and shows its row', async () => {
      await service.control.putDeployment('dep_new', healthy());
      await (await view.openTitleMenu()).choose('Add Deployment…');
      await workbench.quickInput.waitFor(/^The id of the deployment\. It is added to \.vscode\/settings\.json\./);
      await workbench.quickInput.type('..');
      await workbench.quickInput.waitFor('“.” and “..” are no ids: they would change the address of the request.');
      await workbench.quickInput.answer(service.token);
      await workbench.quickInput.waitFor(
        'This is a token, not the id of a deployment. It must not be written into settings.',
      );
      await workbench.quickInput.type('dep_77');
      await workbench.quickInput.waitFor(/in the list already/);
      await workbench.quickInput.answer(' dep_new ');
      await workbench.quickInput.waitFor(/^A label for “dep_new”, if you like\./);
      await workbench.quickInput.back();
      await workbench.quickInput.waitFor(/^The id of the deployment/);
      assert.equal(await workbench.quickInput.value(), ' dep_new ');
      await workbench.quickInput.accept();
      await answer(workbench, /^A label for/, 'New one');
      await waitForSelection(view, ['New one']);
      await view.row({ label: 'New one', description: '1 of 1 satisfied' });
      assert.deepEqual(await listed(), [...sampleDeployments, { id: 'dep_new', label: 'New one' }]);
    });

    it('stays as it is when a question is dismissed', async () => {
      const before = await listed();
      await run(workbench, 'Add Deployment…');
      await answer(workbench, /^The id of the deployment/, 'dep_other');
      await workbench.quickInput.waitFor(/^A label for/);
      await workbench.quickInput.cancel();
      await run(workbench, 'Remove Deployment from List…');
      await workbench.quickInput.waitFor(/Nothing happens on the server/);
      await workbench.quickInput.cancel();
      await view.chooseFromMenu('New one', 'Set Deployment Label…');
      await workbench.quickInput.waitFor(/^Label of/);
      await workbench.quickInput.cancel();
      assert.deepEqual(await listed(), before);
      await workbench.workspaceSettings.write({ [setting]: sampleDeployments });
      await view.waitForNoRow('New one');
    });
  });

  describe('a refresh of all', () => {
    it('counts what has arrived, shows it where it stands, and can be cancelled', async () => {
      await waitForOutline(view, sampleRows);
      await service.control.fault('all', { hold: true });
      await service.control.fault({ id: 'dep_billing_sync' }, { latency: 0 });
      await service.control.putDeployment('dep_billing_sync', healthy());
      await service.control.clearRequests();
      await view.pressTitleAction('Refresh');
      await view.waitForDescription('environment · 1 of 14');
      await view.row({ label: 'Billing sync', description: '1 of 1 satisfied' });
      assert.equal((await view.rows())[0]?.label, 'Billing sync');
      await until('the progress bar', () => view.isBusy());
      await workbench.statusBar.waitForText('summary', /checking… · 1 of 14/);
      await waitForTitleAction('Cancel Refresh', 'Refresh');
      // What is read again keeps showing what it was.
      await view.row({
        label: 'Partner feed',
        description: /^1 account failed · 1 of 2 not satisfied · .* · (reading|waiting)$/,
      });
      await view.pressTitleAction('Cancel Refresh');
      await waitForOutline(view, [
        ...sampleRows.slice(1, 7),
        'Billing sync · 1 of 1 satisfied',
        ...sampleRows.slice(7),
      ]);
      await view.waitForDescription('environment · 2 of 14 with problems');
      await until('the progress to end', async () => !(await view.isBusy()));
      // The requests on their way were let go. No more were sent than may be in flight, with one place kept for people.
      await service.control.waitForRequests(7, { state: 'aborted' });
      assert.equal((await requestsOf(service.control, 'getDeploymentAuthorization')).length, 8);
      await reset();
      await refresh();
      await waitForOutline(view, sampleRows);
    });

    it('gives way to a single one that a person asks for', async () => {
      await service.control.fault('all', { hold: true });
      await service.control.fault({ id: 'dep_warehouse_sync' }, { latency: 0 });
      await service.control.putDeployment('dep_warehouse_sync', slackLacksScope);
      await view.pressTitleAction('Refresh');
      await view.waitForDescription('environment · 0 of 14');
      await view.pressInlineAction('Warehouse sync', 'Refresh Deployment');
      await view.row({ label: 'Warehouse sync', description: /^1 of 1 not satisfied/ });
      await view.waitForDescription('environment · 1 of 14');
      await view.pressTitleAction('Cancel Refresh');
      await view.waitForDescription('environment · 4 of 14 with problems');
      await reset();
      await refresh();
      await waitForOutline(view, sampleRows);
    });
  });

  describe('Show Log', () => {
    it('opens our output channel', async () => {
      await run(workbench, 'Show Log');
      const panel = workbench.page.locator('.part.panel');
      await until('a line about a request', async () =>
        (await panel.locator('.view-line').allInnerTexts()).some((line) =>
          /GET.\/deployments\/\{deploymentId\}/.test(line),
        ),
      );
    });
  });
});

import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { sendRevocation } from '../../../src/commands/revokeApiKey.js';
import { commandIds } from '../../../src/host/ids.js';
import { DEFAULT_TOKEN, type WireAuthorization } from '../../support/platform/data.js';
import { until } from '../../support/window/editors.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { Workspace, writeSetting } from '../../support/window/settings.js';
import { notificationsOf, recordWindow, replace } from '../../support/window/windowRecorder.js';

const error = { code: 'token_revoked', message: 'Removed by @admin.\nSee <a href="https://evil.example">this</a>' };
const slack = {
  id: 'acc_finance',
  label: 'Finance Slack',
  serviceId: 'slack',
  serviceSub: 'T-SUB',
  connectionMethodId: 'slack-oauth',
  scopes: ['chat:write'],
};
const needs = (binding: string, requiredScopes: readonly string[], accountId: string | null = 'acc_finance') => ({
  binding,
  serviceId: 'slack',
  accountId,
  satisfied: false,
  eligibleAccountIds: [],
  connections: [{ connectionMethodId: 'slack-oauth', minimalScopes: [], requiredScopes }],
});
const answerOf = (accounts: readonly object[], requirements: readonly object[]): WireAuthorization =>
  JSON.parse(JSON.stringify({ accounts, requirements }));

describe('Copy Request', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  beforeEach(async () => {
    let signIn: World['signIn'];
    ({ platform, graph, signIn } = await startWorld());
    await signIn();
  });
  const row = (id: string) => graph.row(id);

  async function list(answers: Readonly<Record<string, WireAuthorization>>, owners: object = {}): Promise<void> {
    for (const [id, answer] of Object.entries(answers)) platform.data.deployments.set(id, answer);
    await writeSetting('automationPlatform.owners', owners, Workspace);
    await graph.read(...Object.keys(answers).map((id) => ({ id, label: `Sync ${id}` })));
  }

  /** The text for these rows, with times left out, and what is said. */
  async function request(...rows: readonly object[]) {
    const said = await notificationsOf(() => graph.run('copyRequest', rows[0], rows));
    const text = await vscode.env.clipboard.readText();
    for (const secret of [platform.baseUrl, DEFAULT_TOKEN, 'Acme', 'T-SUB', 'binding', 'scope']) {
      assert.ok(!text.includes(secret), `${secret} in ${text}`);
    }
    return { said, lines: text.replace(/(Noticed on|As of) .*\d.*?(\.?)$/gm, '$1 …$2').split('\n') };
  }

  it('says what to do, why, and for whom, of one account in one deployment, with nothing live in it', async () => {
    const failed = answerOf([{ ...slack, error }], [needs('notifier', ['chat:write', 'channels:read'])]);
    await list({ dep_1: failed }, { acc_finance: 'Maria, #finance-ops' });
    const { lines, said } = await request(row('dep_1'));
    assert.deepEqual(lines, [
      'For Maria, `#finance-ops`',
      '',
      'Please reconnect the account `Finance Slack` (`slack`) and grant it `channels:read`.',
      'The account no longer works, so the automations that use it have stopped. Noticed on ….',
      'Reason given:',
      '`Removed by ＠admin.␊See <a href="https: //evil.example">this</a>`',
      'Affected automation: “Sync `dep_1`”',
      'As of …',
    ]);
    assert.deepEqual(said, [
      ['information', 'Copied the request for Maria, #finance-ops.', 'Notify When Fixed', 'Mute Problem...'],
    ]);
  });

  it('names all automations that need one account without an error, and all that it must be allowed', async () => {
    const answers = ['s-0', 's-1'].map((scope, at) => [`dep_${at}`, answerOf([slack], [needs('n', [scope])])]);
    await list(Object.fromEntries(answers));
    const { lines, said } = await request(row('dep_0'));
    assert.deepEqual(lines, [
      'Please reconnect the account `Finance Slack` (`slack`) and grant it `s-0`, `s-1`.',
      'The account lacks permissions that the automation needs. Noticed on ….',
      'Affected automations: “Sync `dep_0`”, “Sync `dep_1`”',
      'As of …',
    ]);
    assert.equal(said[0]![1], 'Copied the request. Use Set Owner to record who can fix the problem.');
  });

  it('has a part for each owner of several rows, and asks once for an account of several', async () => {
    const failed = answerOf([{ ...slack, error: { code: 'gone' } }], [needs('notifier', [])]);
    const none = answerOf([], [{ ...needs('ledger', [], null), serviceId: 'stripe' }]);
    await list({ dep_1: failed, dep_2: none, dep_3: none }, { acc_finance: 'Maria', dep_2: 'Bob' });
    const [finding] = graph.services.store.get('dep_1')!.answer!.findings.accounts;
    const account = { kind: 'account', deployment: { id: 'dep_1' }, finding };
    const { lines, said } = await request(account, row('dep_1'), row('dep_2'), row('dep_3'));
    assert.deepEqual(
      lines.filter((line) => /^(For|Please) /.test(line)),
      [
        'For Maria',
        'Please reconnect the account `Finance Slack` (`slack`).',
        'For Bob',
        'Please connect an account for `stripe` to the automation.',
        'For those who manage these accounts',
        'Please connect an account for `stripe` to the automation.',
      ],
    );
    assert.equal(said[0]![1], 'Copied the request for Maria, Bob.');
  });

  it('holds what has to be typed whole, however long it is and whatever it looks like', async () => {
    const scope = `https://auth.example/${'spreadsheets.'.repeat(20)}readonly`;
    const label = `[Finance](//evil.example) ${'x'.repeat(150)}`;
    await list({ dep_1: answerOf([{ ...slack, label, error }], [needs('notifier', [scope])]) });
    const { lines } = await request(row('dep_1'));
    assert.equal(lines[0], `Please reconnect the account \`${label}\` (\`slack\`) and grant it \`${scope}\`.`);
  });

  it('is redacted before it is cut', async () => {
    const message = `${'m'.repeat(195)}${DEFAULT_TOKEN}`;
    await list(
      { dep_1: answerOf([{ ...slack, error: { code: 'gone', message } }], []) },
      { acc_finance: 'Maria key_4711' },
    );
    const lookedUp = graph.services.organizations.current!;
    await sendRevocation(
      graph.services,
      lookedUp,
      graph.services.organizations.target(lookedUp.id, 'access')!,
      'key_4711',
    );
    const { lines } = await request(row('dep_1'));
    assert.equal(lines[0], 'For Maria `[redacted]`');
    assert.equal(lines[5], `\`${'m'.repeat(195)}[red…\``);
  });

  it('is offered by the notification of new problems, for all of them', async () => {
    await writeSetting('automationPlatform.notifications.newProblems', true);
    await list({ dep_1: answerOf([slack], []), dep_2: answerOf([], []) }, { acc_finance: 'Maria', dep_2: 'Bob' });
    platform.data.deployments.set('dep_1', answerOf([{ ...slack, error }], []));
    platform.data.deployments.set('dep_2', answerOf([], [needs('notifier', [], null)]));
    const shown = recordWindow(undefined, 'Copy Request');
    // The button runs the command of the running extension, beside which this graph stands.
    const executeCommand = async (id: string, ...given: unknown[]) =>
      id === commandIds.copyRequest ? graph.run('copyRequest', ...given) : undefined;
    replace(vscode.commands, { executeCommand });
    await graph.run('refresh');
    await until('the request', () => shown.messages.length === 2);
    const [found, copied] = shown.messages.map((message) => message.join());
    assert.match(found!, /^warning,2 new problems\. .*,Copy Request$/);
    // In the order in which they were answered.
    assert.match(copied!, /,Copied the request for (?:Maria, Bob|Bob, Maria)\.,/);
    const text = await vscode.env.clipboard.readText();
    assert.deepEqual(text.match(/^For .*$/gm)?.toSorted(), ['For Bob', 'For Maria']);
  });

  it('holds the address of a page in the dashboard once its opening was agreed to', async () => {
    await writeSetting('automationPlatform.dashboardUrl', 'https://dash.example/d/{deploymentId}');
    await list({ 'dep/1': answerOf([{ ...slack, error }], []) });
    const before = await request(row('dep/1'));
    replace(vscode.commands, { executeCommand: () => Promise.resolve() });
    await notificationsOf(() => graph.run('openInDashboard', row('dep/1')), 'Open');
    const after = await request(row('dep/1'));
    const pages = [before, after].map(({ lines }) => lines.filter((line) => line.startsWith('Dashboard page: ')));
    assert.deepEqual(pages, [[], ['Dashboard page: https://dash.example/d/dep%2F1']]);
  });

  it('refuses a deployment without a problem', async () => {
    await list({ dep_1: answerOf([], []) });
    await vscode.env.clipboard.writeText('before');
    await assert.rejects(graph.run('copyRequest', row('dep_1')), /There is no problem to send a request about\./);
    assert.equal(await vscode.env.clipboard.readText(), 'before');
  });
});

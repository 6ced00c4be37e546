import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { DEFAULT_TOKEN, type WireAuthorization } from '../../support/service/data.js';
import { type Service, startService } from '../../support/service/service.js';
import { type Graph, graphOf } from '../../support/window/graph.js';
import { notificationsOf, replacing, turn } from '../../support/window/quickInput.js';

const { Global, Workspace } = vscode.ConfigurationTarget;
const configuration = () => vscode.workspace.getConfiguration('automationPlatform', null);
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
const row = (id: string) => ({ kind: 'deployment', deployment: { id } });

/** Who is asked for what. */
const askedIn = (lines: readonly string[]) => lines.filter((line) => /^(For|Please) /.test(line));

describe('Copy Request', () => {
  let service: Service;
  let graph: Graph;
  beforeEach(async () => {
    service = await startService();
    graph = await graphOf(service);
    await graph.services.organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token: DEFAULT_TOKEN });
  });
  afterEach(async () => {
    await graph.dispose();
    await service.stop();
    for (const key of ['deployments', 'owners']) await configuration().update(key, undefined, Workspace);
    for (const key of ['owners', 'dashboardUrl', 'notifications.newProblems']) {
      await configuration().update(key, undefined, Global);
    }
  });

  async function list(answers: Readonly<Record<string, WireAuthorization>>, owners: object = {}): Promise<void> {
    for (const [id, answer] of Object.entries(answers)) service.data.deployments.set(id, answer);
    await configuration().update('owners', owners, Workspace);
    await configuration().update(
      'deployments',
      Object.keys(answers).map((id) => ({ id, label: `Sync ${id}` })),
      Workspace,
    );
    await graph.run('refresh');
  }

  /** The text for these rows, with times left out, and what is said. */
  async function request(...rows: readonly object[]) {
    const said = await notificationsOf(() => graph.run('copyRequest', rows[0], rows));
    const text = await vscode.env.clipboard.readText();
    for (const secret of [service.baseUrl, DEFAULT_TOKEN, 'Acme', 'T-SUB', 'binding', 'scope']) {
      assert.ok(!text.includes(secret), `${secret} in ${text}`);
    }
    return { said, lines: text.replace(/(Noticed on|As of) .*\d.*?(\.?)$/gm, '$1 …$2').split('\n') };
  }

  it('says what to do, why, and for whom, of one account in one deployment, with nothing live in it', async () => {
    const failed = answerOf([{ ...slack, error }], [needs('notifier', ['chat:write', 'channels:read'])]);
    await list({ dep_1: failed }, { acc_finance: 'Maria, #finance-ops' });
    const { lines, said } = await request(row('dep_1'));
    assert.deepEqual(lines, [
      'For Maria, #finance-ops',
      '',
      'Please reconnect the account “Finance Slack” (slack) and grant it “channels:read”.',
      'The account no longer works, so what needs it has stopped. Noticed on ….',
      'The reason given is:',
      '“Removed by ＠admin.␊See ＜a href="https: //evil.example">this＜/a>”',
      'The automation that needs it: “Sync dep_1”',
      'As of …',
    ]);
    assert.deepEqual(said, [
      ['information', 'Copied the request for Maria, #finance-ops.', 'Watch Until It Changes', 'Mute Problem...'],
    ]);
  });

  it('names ten of the automations that need one account, and all that it must be allowed', async () => {
    const answers = Array.from({ length: 12 }, (_, at) => [
      `dep_${at + 1}`,
      answerOf([{ ...slack, error }], [needs('n', [`scope-${at % 2}`.replace('scope', 's')])]),
    ]);
    await list(Object.fromEntries(answers));
    const { lines, said } = await request(row('dep_1'));
    assert.deepEqual(lines[0], 'Please reconnect the account “Finance Slack” (slack) and grant it “s-0”, “s-1”.');
    assert.match(lines[4]!, /^The automations that need it: (“Sync dep_\d+”, ){10}2 more$/);
    assert.equal(said[0]![1], 'Copied the request. Use Set Owner to record who can repair it.');
  });

  it('names the scopes that an account without an error lacks', async () => {
    await list({ dep_1: answerOf([slack], [needs('notifier', ['channels:read', 'users:read'])]) });
    assert.deepEqual((await request(row('dep_1'))).lines, [
      'Please reconnect the account “Finance Slack” (slack) and grant it “channels:read”, “users:read”.',
      'The account lacks permissions that the automation needs. Noticed on ….',
      'The automation that needs it: “Sync dep_1”',
      'As of …',
    ]);
  });

  it('has a part for each owner of several rows', async () => {
    const failed = answerOf([{ ...slack, error: { code: 'gone' } }], [needs('notifier', [])]);
    const none = answerOf([], [{ ...needs('ledger', [], null), serviceId: 'stripe' }]);
    await list({ dep_1: failed, dep_2: none, dep_3: none }, { acc_finance: 'Maria', dep_2: 'Bob' });
    const { lines, said } = await request(row('dep_1'), row('dep_2'), row('dep_3'));
    assert.deepEqual(askedIn(lines), [
      'For Maria',
      'Please reconnect the account “Finance Slack” (slack).',
      'For Bob',
      'Please connect an account for “stripe” to the automation.',
      'For those who manage these accounts',
      'Please connect an account for “stripe” to the automation.',
    ]);
    assert.equal(said[0]![1], 'Copied the request for Maria, Bob.');
  });

  it('tells an account of several selected rows once, and each problem to its own owner', async () => {
    const failed = answerOf([{ ...slack, error: { code: 'gone' } }], [needs('notifier', [])]);
    const two = answerOf(
      [{ ...slack, error: { code: 'gone' } }],
      [{ ...needs('ledger', [], null), serviceId: 'stripe' }],
    );
    await list({ dep_1: failed, dep_2: two }, { acc_finance: 'Maria', stripe: 'Bob' });
    const [finding] = graph.services.store.get('dep_1')!.answer!.findings.accounts;
    const account = { kind: 'account', deployment: { id: 'dep_1' }, finding };
    const { lines, said } = await request(account, row('dep_1'), row('dep_2'));
    assert.deepEqual(askedIn(lines), [
      'For Maria',
      'Please reconnect the account “Finance Slack” (slack).',
      'For Bob',
      'Please connect an account for “stripe” to the automation.',
    ]);
    assert.equal(said[0]![1], 'Copied the request for Maria, Bob.');
  });

  it('is offered by the notification of new problems, for all of them', async () => {
    await configuration().update('notifications.newProblems', true, Global);
    await list({ dep_1: answerOf([slack], []), dep_2: answerOf([], []) }, { acc_finance: 'Maria', dep_2: 'Bob' });
    service.data.deployments.set('dep_1', answerOf([{ ...slack, error }], []));
    service.data.deployments.set('dep_2', answerOf([], [needs('notifier', [], null)]));
    // The button runs the command of the running extension, beside which this graph stands.
    let copying: Promise<unknown> | undefined;
    const { executeCommand: execute } = vscode.commands;
    const executeCommand = (id: string, ...given: unknown[]) => {
      if (id !== 'automationPlatform.copyRequest') return execute(id, ...given);
      copying = graph.run('copyRequest', ...given);
      return copying;
    };
    const said = await notificationsOf(async () => {
      await replacing(vscode.commands, { executeCommand }, () => graph.run('refresh').then(turn));
      await copying;
    }, 'Copy Request');
    const [[kind, sentence, ...buttons] = [], copied] = said;
    assert.match([kind, sentence, buttons.at(-1)].join(), /^warning,2 new problems\. .*,Copy Request$/);
    // In the order in which they were answered.
    assert.match(copied![1]!, /^Copied the request for (?:Maria, Bob|Bob, Maria)\.$/);
    const text = await vscode.env.clipboard.readText();
    assert.deepEqual(text.match(/^For .*$/gm)?.toSorted(), ['For Bob', 'For Maria']);
  });

  it('names in a workspace that is not trusted the owners of the user alone, and Set Owner writes there', async () => {
    await configuration().update('owners', { acc_finance: 'Eve of the workspace' }, Workspace);
    await configuration().update('owners', { slack: 'Maria' }, Global);
    // What VS Code does there with a restricted setting.
    const { getConfiguration } = vscode.workspace;
    const restricted = (...given: Parameters<typeof getConfiguration>) => {
      const found = getConfiguration(...given);
      const inspect = (key: string) => ({ ...found.inspect(key), workspaceValue: undefined });
      return { ...found, inspect };
    };
    const trust = Object.getOwnPropertyDescriptor(vscode.workspace, 'isTrusted')!;
    Object.defineProperty(vscode.workspace, 'isTrusted', { ...trust, get: () => false });
    try {
      await replacing(vscode.workspace, { getConfiguration: restricted }, async () => {
        await graph.dispose();
        graph = await graphOf(service);
        const { store, owners } = graph.services;
        service.data.deployments.set('dep_1', answerOf([{ ...slack, error }], []));
        store.setListed([{ id: 'dep_1' }]);
        await graph.run('refresh');
        const { lines, said } = await request(row('dep_1'));
        assert.deepEqual([lines[0], said[0]![1]], ['For Maria', 'Copied the request for Maria.']);
        const { name } = await owners.set('acc_finance', 'Bob');
        assert.equal(name, 'user settings');
      });
    } finally {
      Object.defineProperty(vscode.workspace, 'isTrusted', trust);
    }
    const { workspaceValue, globalValue } = configuration().inspect('owners')!;
    assert.deepEqual(workspaceValue, { acc_finance: 'Eve of the workspace' });
    assert.deepEqual(globalValue, { slack: 'Maria', acc_finance: 'Bob' });
  });

  it('holds the address of a page in the dashboard once its opening was agreed to', async () => {
    await configuration().update('dashboardUrl', 'https://dash.example/d/{deploymentId}', Global);
    await list({ 'dep/1': answerOf([{ ...slack, error }], []) });
    const before = await request(row('dep/1'));
    await replacing(vscode.commands, { executeCommand: () => Promise.resolve() }, () =>
      notificationsOf(() => graph.run('openInDashboard', row('dep/1')), 'Open'),
    );
    const after = await request(row('dep/1'));
    const pages = [before, after].map(({ lines }) => lines.filter((line) => line.startsWith('Page: ')));
    assert.deepEqual(pages, [[], ['Page: https://dash.example/d/dep%2F1']]);
  });

  it('finds the owner among 10,000, and names none where the setting is malformed', async () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`acc_${index}`, `Owner ${index}`]));
    const failed = answerOf([{ ...slack, error }], []);
    await list({ dep_1: failed }, { ...many, acc_finance: 'Maria', '': 'Bob', slack: 5 });
    assert.equal((await request(row('dep_1'))).lines[0], 'For Maria');
    const entries = { acc_finance: 5, dep_1: ['Maria'], slack: 'x'.repeat(201) };
    for (const owners of [entries, { acc_finance: ' ', dep_1: null, slack: {} }, 'Maria', ['Maria'], 5, true]) {
      await configuration().update('owners', owners, Workspace);
      const { said } = await request(row('dep_1'));
      assert.equal(said[0]![1], 'Copied the request. Use Set Owner to record who can repair it.');
    }
  });

  it('refuses a deployment without a problem', async () => {
    await list({ dep_1: answerOf([], []) });
    await vscode.env.clipboard.writeText('before');
    await assert.rejects(graph.run('copyRequest', row('dep_1')), /No problem to ask about\./);
    assert.equal(await vscode.env.clipboard.readText(), 'before');
  });
});

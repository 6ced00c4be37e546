import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { DEFAULT_TOKEN, type WireAuthorization } from '../../support/service/data.js';
import { type Service, startService } from '../../support/service/service.js';
import { type Graph, graphOf } from '../../support/window/graph.js';
import { notificationsOf } from '../../support/window/quickInput.js';

const { Workspace } = vscode.ConfigurationTarget;
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

  it('says of an account that works what it was not allowed', async () => {
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
    assert.deepEqual(
      lines.filter((line) => /^(For|Please) /.test(line)),
      [
        'For Maria',
        'Please reconnect the account “Finance Slack” (slack).',
        'For Bob',
        'Please connect an account for “stripe” to the automation.',
        'For those who manage these accounts',
        'Please connect an account for “stripe” to the automation.',
      ],
    );
    assert.equal(said[0]![1], 'Copied the request for Maria, Bob.');
  });

  it('is not made of what has no problem', async () => {
    await list({ dep_1: answerOf([], []) });
    await vscode.env.clipboard.writeText('before');
    await assert.rejects(graph.run('copyRequest', row('dep_1')), /No problem to ask about\./);
    assert.equal(await vscode.env.clipboard.readText(), 'before');
  });
});

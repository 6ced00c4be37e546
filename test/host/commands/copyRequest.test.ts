import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { sendRevocation } from '../../../src/commands/revokeApiKey.js';
import { commandIds } from '../../../src/host/ids.js';
import { childrenOf } from '../../../src/model/tree/elements.js';
import { DEFAULT_TOKEN, type WireAuthorization } from '../../support/platform/data.js';
import { until } from '../../support/window/editors.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { Workspace, writeSetting } from '../../support/window/settings.js';
import { notificationsOf, recordWindow, replace } from '../../support/window/windowRecorder.js';

const error = {
  code: 'token_revoked',
  message: 'Removed by @admin.\nSee <a href="https://evil.example">this</a>',
};
const slack = {
  id: 'acc_finance',
  label: 'Finance Slack',
  serviceId: 'slack',
  serviceSub: 'T-SUB',
  connectionMethodId: 'slack-oauth',
  scopes: ['chat:write'],
};
const needs = (
  binding: string,
  requiredScopes: readonly string[],
  accountId: string | null = 'acc_finance',
) => ({
  binding,
  serviceId: 'slack',
  accountId,
  satisfied: false,
  eligibleAccountIds: [],
  connections: [{ connectionMethodId: 'slack-oauth', minimalScopes: [], requiredScopes }],
});
const answerOf = (
  accounts: readonly object[],
  requirements: readonly object[],
): WireAuthorization => JSON.parse(JSON.stringify({ accounts, requirements }));

describe('Copy Request', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  beforeEach(async () => {
    let signIn: World['signIn'];
    ({ platform, graph, signIn } = await startWorld());
    await signIn();
  });
  const row = (id: string) => graph.row(id);

  /** As a tool reads it, so that the other deployments that have its accounts are not read again. */
  const readAlone = (id: string) =>
    graph.services.store.refresh([id], { urgent: true, outsideProgress: true });

  async function list(
    answers: Readonly<Record<string, WireAuthorization>>,
    owners: object = {},
  ): Promise<void> {
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
    const withoutTimes = text
      .replace(/^Noticed and last read on .*\d.*\.$/gm, 'Noticed and last read on ….')
      .replace(/^Noticed on .*\d.* Last read on .*\d.*\.$/gm, 'Noticed on …. Last read on ….')
      .replace(/^(The platform answered on) .*?\d.*?(?=: )/gm, '$1 …');
    return { said, lines: withoutTimes.split('\n') };
  }

  /** The message, and what its button Refresh ran. */
  async function pressRefresh(...rows: readonly object[]) {
    const ran: unknown[][] = [];
    replace(vscode.commands, { executeCommand: async (...given: unknown[]) => ran.push(given) });
    const [message = []] = await notificationsOf(
      () => graph.run('copyRequest', rows[0], rows),
      'Refresh',
    );
    return { message, ran };
  }

  it('asks for all accounts of a row that stands for many, without those that are muted', async () => {
    const names = ['East', 'North', 'South', 'West'];
    const accounts = names.map((label) => ({ ...slack, id: label, label, error }));
    await list({ dep_1: answerOf(accounts, []) });
    const joined = childrenOf(row('dep_1')).find(({ kind }) => kind === 'joinedAdvice')!;
    const { memory, store } = graph.services;
    const [first] = store.get('dep_1')!.answer!.findings.problems;
    memory.mute([{ deployment: store.get('dep_1')!, problem: first! }], Date.now() + 60_000);
    const { lines } = await request(joined);
    assert.deepEqual(
      names.filter((name) => lines.some((line) => line.includes(name))),
      ['North', 'South', 'West'],
    );
  });

  it('says what to do, why, and for whom, of one account in one deployment, with nothing live in it', async () => {
    const failed = answerOf(
      [{ ...slack, error }],
      [needs('notifier', ['chat:write', 'channels:read'])],
    );
    await list({ dep_1: failed }, { acc_finance: 'Maria, #finance-ops' });
    const { lines, said } = await request(row('dep_1'));
    assert.deepEqual(lines, [
      'For Maria, `#finance-ops`',
      '',
      'Please reconnect the account `Finance Slack` (`slack`) and grant it `channels:read`.',
      'Error: `token_revoked` – `Removed by ＠admin. See <a href="https: //evil.example">this</a>`.',
      '1 automation cannot use it: `Sync dep_1`.',
      'Noticed and last read on ….',
      'Platform: Automation Platform',
    ]);
    assert.deepEqual(said, [
      [
        'information',
        'Copied the request for Maria, #finance-ops.',
        'Notify When Fixed',
        'Mute Problem...',
      ],
    ]);
  });

  it('names the automations that lack permissions, and apart from them those that only use the account', async () => {
    const answers = ['s-0', 's-1'].map((scope, at) => [
      `dep_${at}`,
      answerOf([slack], [needs('n', [scope])]),
    ]);
    const fine = answerOf([slack], [{ ...needs('n', ['chat:write']), satisfied: true }]);
    await list({ ...Object.fromEntries(answers), dep_2: fine, dep_3: answerOf([slack], []) });
    const { lines } = await request(row('dep_0'));
    assert.deepEqual(lines, [
      'Please reconnect the account `Finance Slack` (`slack`) and grant it `s-0` and `s-1`.',
      '2 automations are without the permissions that they need: `Sync dep_0` and `Sync dep_1`.',
      '1 other automation uses the account and is not affected: `Sync dep_2`.',
      'Noticed and last read on ….',
      'Platform: Automation Platform',
    ]);
  });

  it('has one block for several accounts of an owner, with the automations once', async () => {
    const gone = { code: 'gone' };
    const failed = [
      { ...slack, id: 'one', label: 'one', error: gone },
      { ...slack, id: 'two', label: 'two', error },
      { ...slack, id: 'three', label: 'three', error: gone, scopes: [] },
    ];
    const bound = failed.map(({ id }) => needs(id, ['chat:write'], id));
    await list({ dep_1: answerOf(failed, bound) }, { slack: 'Maria' });
    const { lines } = await request(row('dep_1'));
    assert.deepEqual(lines, [
      'For Maria',
      '',
      'Please reconnect: `one` (`slack`), `three` (`slack`), and `two` (`slack`).',
      'Grant `three`: `chat:write`.',
      'Error of `one` and `three`: `gone`.',
      'Error of `two`: `token_revoked` – `Removed by ＠admin. See <a href="https: //evil.example">this</a>`.',
      '1 automation cannot use them: `Sync dep_1`.',
      'Noticed and last read on ….',
      'Platform: Automation Platform',
    ]);
  });

  it('says the error of several accounts once, and tells accounts of one name apart by their IDs', async () => {
    const both = ['acc_1', 'acc_2'].map((id) => ({ ...slack, id, error: { code: 'gone' } }));
    await list({
      dep_1: answerOf([both[0]!], [needs('n', [], 'acc_1')]),
      dep_2: answerOf([both[1]!], []),
    });
    const { lines } = await request(row('dep_1'), row('dep_2'));
    assert.deepEqual(lines, [
      'Please reconnect: `Finance Slack` (`slack`, `acc_1`) and `Finance Slack` (`slack`, `acc_2`).',
      'Error: `gone`.',
      '1 automation cannot use at least one of them: `Sync dep_1`.',
      '1 automation has some of the accounts: `Sync dep_2`.',
      'Noticed and last read on ….',
      'Platform: Automation Platform',
    ]);
  });

  it('has a part for each owner of several rows, and asks once for an account of several', async () => {
    const failed = answerOf([{ ...slack, error: { code: 'gone' } }], [needs('notifier', [])]);
    const none = answerOf(
      [],
      [{ ...needs('ledger', []), accountId: undefined, serviceId: 'stripe' }],
    );
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
        'Please connect an account for `ledger` (`stripe`). 1 automation needs it: `Sync dep_2`.',
        'For those who manage these accounts',
        'Please connect an account for `ledger` (`stripe`). 1 automation needs it: `Sync dep_3`.',
      ],
    );
    assert.equal(
      said[0]![1],
      'Copied the request for Maria, Bob, and those who manage the accounts.',
    );
  });

  it('asks once for what two requirements of an automation need, beside an account of the same owner', async () => {
    const none = ['a', 'b'].map((name) => ({
      ...needs(name, []),
      accountId: undefined,
      serviceId: 'stripe',
    }));
    await list({ dep_1: answerOf([{ ...slack, error: { code: 'gone' } }], none) });
    const { lines } = await request(row('dep_1'));
    assert.deepEqual(lines, [
      'Please reconnect the account `Finance Slack` (`slack`).',
      'Error: `gone`.',
      '1 automation has the account: `Sync dep_1`.',
      '',
      'Please connect an account for `a` (`stripe`). 1 automation needs it: `Sync dep_1`.',
      'Please connect an account for `b` (`stripe`). 1 automation needs it: `Sync dep_1`.',
      '',
      'Noticed and last read on ….',
      'Platform: Automation Platform',
    ]);
  });

  it('proposes another account to a single automation that lacks permissions', async () => {
    const other = { ...slack, id: 'acc_2', label: 'Ops Slack', scopes: ['read'] };
    const lacking = { ...needs('n', ['read']), eligibleAccountIds: ['acc_finance', 'acc_2'] };
    await list({ dep_1: answerOf([slack, other], [lacking]) });
    const { lines } = await request(row('dep_1'));
    const proposal =
      'Or let `Sync dep_1` use another account instead of `Finance Slack`: `Ops Slack` (`slack`).';
    assert.equal(
      lines[0],
      `Please reconnect the account \`Finance Slack\` (\`slack\`) and grant it \`read\`. ${proposal}`,
    );
  });

  it('holds what has to be typed whole, however long it is and whatever it looks like', async () => {
    const scope = `https://auth.example/${'spreadsheets.'.repeat(200)}readonly`;
    const label = `[Finance](//evil.example) ${'x'.repeat(300)}`;
    await list({ dep_1: answerOf([{ ...slack, label, error }], [needs('notifier', [scope])]) });
    const { lines } = await request(row('dep_1'));
    assert.equal(
      lines[0],
      `Please reconnect the account \`${label}\` (\`slack\`) and grant it \`${scope}\`.`,
    );
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
    assert.equal(lines[3], `Error: \`gone\` – \`${'m'.repeat(195)}[red…\`.`);
  });

  it('is offered by the notification of new problems, for all of them', async () => {
    await writeSetting('automationPlatform.notifications.newProblems', true);
    await list(
      { dep_1: answerOf([slack], []), dep_2: answerOf([], []) },
      { acc_finance: 'Maria', dep_2: 'Bob' },
    );
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
    assert.match(found!, /^warning,.* failed in Sync dep_1\. 1 more problem\.,.*,Copy Request$/);
    // In the order in which they were answered.
    assert.match(copied!, /,Copied the request for (?:Maria and Bob|Bob and Maria)\.,/);
    const text = await vscode.env.clipboard.readText();
    assert.deepEqual(text.match(/^For .*$/gm)?.toSorted(), ['For Bob', 'For Maria']);
  });

  describe('the address of a page in the dashboard', () => {
    const page = 'Dashboard page of `dep/1`: https://dash.example/d/dep%2F1';
    const question = [
      'warning',
      'Include the dashboard’s address in requests?',
      'Requests for Acme then contain an address at dash.example. Open in Dashboard opens it without another question.\n' +
        'https://dash.example/d/dep%2F1',
      'Include',
      'Leave Out',
    ];
    beforeEach(async () => {
      await writeSetting(
        'automationPlatform.dashboardUrl',
        'https://dash.example/d/{deploymentId}',
      );
      platform.data.deployments.set('dep/1', answerOf([{ ...slack, error }], []));
      await graph.read('dep/1');
      await vscode.env.clipboard.writeText('before');
    });

    /** Whether the copied text has the address, and what was shown before the message. */
    async function pageAfter(...pressed: readonly string[]) {
      const messages = await notificationsOf(
        () => graph.run('copyRequest', row('dep/1')),
        ...pressed,
      );
      const text = await vscode.env.clipboard.readText();
      return {
        hasPage: text.split('\n').includes(page),
        asked: messages.filter(([kind]) => kind === 'warning'),
      };
    }

    it('is included once the user has agreed, without another question', async () => {
      assert.deepEqual(await pageAfter('Include'), { hasPage: true, asked: [question] });
      assert.deepEqual(await pageAfter(), { hasPage: true, asked: [] });
    });

    it('is opened without another question once it is included', async () => {
      await pageAfter('Include');
      const opened: unknown[][] = [];
      replace(vscode.commands, {
        executeCommand: async (...given: unknown[]) => opened.push(given),
      });
      const messages = await notificationsOf(() => graph.run('openInDashboard', row('dep/1')));
      assert.deepEqual(
        [messages, opened],
        [[], [['vscode.open', 'https://dash.example/d/dep%2F1']]],
      );
    });

    it('is left out without another question once the user has said so', async () => {
      assert.deepEqual(await pageAfter('Leave Out'), { hasPage: false, asked: [question] });
      assert.deepEqual(await pageAfter(), { hasPage: false, asked: [] });
    });

    it('is included after a no once the user has agreed to open the dashboard', async () => {
      await pageAfter('Leave Out');
      replace(vscode.commands, { executeCommand: () => Promise.resolve() });
      const messages = await notificationsOf(
        () => graph.run('openInDashboard', row('dep/1')),
        'Open',
      );
      assert.equal(messages.length, 1);
      assert.deepEqual(await pageAfter(), { hasPage: true, asked: [] });
    });

    it('is included without a question after the user has agreed to open the dashboard', async () => {
      replace(vscode.commands, { executeCommand: () => Promise.resolve() });
      await notificationsOf(() => graph.run('openInDashboard', row('dep/1')), 'Open');
      assert.deepEqual(await pageAfter(), { hasPage: true, asked: [] });
    });

    it('is asked for until the question is answered, and nothing is copied before', async () => {
      for (const _ of [1, 2])
        assert.deepEqual(await pageAfter(), { hasPage: false, asked: [question] });
      assert.equal(await vscode.env.clipboard.readText(), 'before');
    });

    it('is no question where the setting has no usable address', async () => {
      await writeSetting('automationPlatform.dashboardUrl', 'https://dash.example/d');
      assert.deepEqual(await pageAfter(), { hasPage: false, asked: [] });
    });
  });

  describe('an account that works again by a newer answer', () => {
    const works = answerOf([slack], [{ ...needs('notifier', []), satisfied: true }]);
    const failed = answerOf([{ ...slack, error }], [needs('notifier', [])]);
    const other = answerOf(
      [{ ...slack, id: 'acc_2', label: 'Ops Slack', error: { code: 'gone' } }],
      [],
    );
    const said = /^Finance Slack works again as of \d.*M\.( .*)$/;

    beforeEach(async () => {
      await list({ dep_1: failed, dep_2: failed, dep_3: failed, dep_4: other });
      for (const id of ['dep_1', 'dep_2', 'dep_3']) platform.data.deployments.set(id, works);
      await readAlone('dep_3');
      await vscode.env.clipboard.writeText('before');
    });

    it('is not asked to be reconnected: nothing is copied', async () => {
      const { message } = await pressRefresh(row('dep_1'));
      assert.equal(said.exec(message[1]!)?.[1], ' Refresh 2 other deployments?');
      assert.deepEqual(message.slice(2), ['Refresh']);
      assert.equal(await vscode.env.clipboard.readText(), 'before');
    });

    it('is refreshed by the button, in all deployments whose answers are older, and in no other', async () => {
      const { ran } = await pressRefresh(row('dep_1'));
      const [[command, ...given] = []] = ran;
      assert.equal(command, commandIds.refreshDeployment);
      platform.clearRequests();
      await graph.run('refreshDeployment', ...given);
      const asked = platform.requests.map(({ route }) => route.id);
      assert.deepEqual(new Set(asked), new Set(['dep_1', 'dep_2']));
      assert.equal(asked.length, 2);
    });

    it('is left out beside another one, which the message says', async () => {
      const { message } = await pressRefresh(row('dep_1'), row('dep_4'));
      assert.match(
        message[1]!,
        /^Copied the request\. Finance Slack works again as of .*M\. That account was left out\.$/,
      );
      assert.deepEqual(message.slice(2, 4), ['Refresh', 'Notify When Fixed']);
      const text = await vscode.env.clipboard.readText();
      assert.ok(
        text.startsWith('Please reconnect the account `Ops Slack` (`slack`).\n') &&
          !text.includes('Finance'),
      );
    });
  });

  it('asks for no scope that a newer answer shows as granted', async () => {
    const lacking = answerOf([slack], [needs('n', ['read'])]);
    await list({ dep_1: lacking, dep_2: lacking });
    platform.data.deployments.set(
      'dep_2',
      answerOf([{ ...slack, scopes: ['chat:write', 'read'] }], []),
    );
    await readAlone('dep_2');
    await vscode.env.clipboard.writeText('before');
    const messages = await notificationsOf(() => graph.run('copyRequest', row('dep_1')));
    assert.match(
      messages[0]![1]!,
      /^Finance Slack has all required scopes as of .*M\. Refresh 1 other deployment\?$/,
    );
    assert.equal(await vscode.env.clipboard.readText(), 'before');
  });

  describe('for a deployment that may not be read', () => {
    const refused = {
      status: 403,
      headers: { 'content-type': 'application/json' },
      body: '{"message":"Ask @admin"}',
    };
    beforeEach(async () => {
      await list(
        { dep_1: answerOf([{ ...slack, error }], []), dep_2: answerOf([], []) },
        { acc_finance: 'Maria' },
      );
      platform.fault({ id: 'dep_2' }, refused);
      await graph.run('refresh');
    });

    it('asks an administrator for the permission, and says what was answered', async () => {
      const { lines } = await request(row('dep_2'));
      assert.deepEqual(lines, [
        'For an administrator',
        '',
        'Please give my access token the permission to read the authorization of the deployment `Sync dep_2` (`dep_2`).',
        'The platform answered on …: Access denied (403) – `Ask ＠admin`.',
        'Platform: Automation Platform',
      ]);
    });

    it('offers nothing that such a deployment has no use for: a status text says that it was copied', async () => {
      const shown = recordWindow();
      await graph.run('copyRequest', row('dep_2'));
      assert.deepEqual(
        [shown.messages, shown.statusMessages],
        [[], ['Copied the request for an administrator.']],
      );
    });

    it('asks an administrator also if it has an owner, who is asked for the accounts', async () => {
      await writeSetting(
        'automationPlatform.owners',
        { acc_finance: 'Maria', dep_2: 'Maria' },
        Workspace,
      );
      const { lines } = await request(row('dep_1'), row('dep_2'));
      const steps = lines.filter((line) => /^(For|Please) /.test(line));
      assert.deepEqual(
        steps.map((line) => line.split(' ').slice(0, 2).join(' ')),
        ['For Maria', 'Please reconnect', 'For an', 'Please give'],
      );
    });

    it('is in the list of the palette, beside those that are failing', async () => {
      const shown = recordWindow();
      await graph.run('copyRequest');
      assert.deepEqual(
        shown.picks.map(({ label }) => label),
        ['Sync dep_1', 'Sync dep_2'],
      );
    });

    it('is offered by its row, by the row of the advice, and by its hover', () => {
      const rows = graph.items().filter(({ contextValue }) => contextValue?.includes('canRequest'));
      assert.deepEqual(
        rows.map(({ contextValue }) => contextValue),
        ['deployment canRequest', 'failure canRequest'],
      );
      const { tooltip } = rows[0]!;
      assert.ok(tooltip instanceof vscode.MarkdownString && tooltip.value.includes('Copy Request'));
    });
  });

  describe('the message', () => {
    it('offers to set an owner once per machine, for the account that has none', async () => {
      await list({ dep_1: answerOf([{ ...slack, error }], []) });
      const ran: unknown[][] = [];
      replace(vscode.commands, { executeCommand: async (...given: unknown[]) => ran.push(given) });
      const first = await notificationsOf(
        () => graph.run('copyRequest', row('dep_1')),
        'Set Owner...',
      );
      const second = await notificationsOf(() => graph.run('copyRequest', row('dep_1')));
      const buttons = ['Notify When Fixed', 'Mute Problem...'];
      assert.deepEqual(
        [first, second],
        [
          [['information', 'Copied the request.', ...buttons, 'Set Owner...']],
          [['information', 'Copied the request.', ...buttons]],
        ],
      );
      const given = ran.find(([command]) => command === commandIds.setOwner)?.slice(1) ?? [];
      assert.notDeepEqual(given, []);
      const shown = recordWindow();
      await graph.run('setOwner', ...given);
      assert.match(shown.inputs[0]!, /^Who can fix “Finance Slack”\?/);
    });

    it('does not offer a notification that is wanted already', async () => {
      await list({ dep_1: answerOf([{ ...slack, error }], []) }, { acc_finance: 'Maria' });
      await graph.run('notifyWhenFixed', row('dep_1'));
      const { said } = await request(row('dep_1'));
      assert.deepEqual(said, [['information', 'Copied the request for Maria.', 'Mute Problem...']]);
    });
  });

  it('says of a deployment whose problems are muted that they are', async () => {
    await list({ dep_1: answerOf([{ ...slack, error }], []) });
    const deployment = graph.services.store.get('dep_1')!;
    const found = deployment.answer!.findings.problems.map((problem) => ({ deployment, problem }));
    graph.services.memory.mute(found, Date.now() + 60_000);
    await assert.rejects(
      graph.run('copyRequest', row('dep_1')),
      /What is wrong here is muted\. Unmute it/,
    );
  });

  it('asks on the row of an account that works for that account alone', async () => {
    const lacking = answerOf(
      [slack, { ...slack, id: 'acc_2', label: 'Ops Slack', error }],
      [needs('n', ['read'])],
    );
    await list({ dep_1: lacking });
    await graph.services.grouping.set(true);
    const root = graph.app.deploymentRows
      .getChildren()
      .find(({ copyId }) => copyId === 'acc_finance')!;
    const { lines } = await request(root);
    assert.equal(
      lines[0],
      'Please reconnect the account `Finance Slack` (`slack`) and grant it `read`.',
    );
    await graph.services.grouping.set(false);
  });

  it('refuses a deployment without a problem', async () => {
    await list({ dep_1: answerOf([], []) });
    await vscode.env.clipboard.writeText('before');
    await assert.rejects(
      graph.run('copyRequest', row('dep_1')),
      /There is no problem to send a request about\./,
    );
    assert.equal(await vscode.env.clipboard.readText(), 'before');
  });
});

import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { sendRevocation } from '../../../src/commands/revokeApiKey.js';
import { commandIds } from '../../../src/host/ids.js';
import { childrenOf } from '../../../src/model/tree/elements.js';
import { DEFAULT_TOKEN, type WireAuthorization } from '../../support/platform/data.js';
import { until } from '../../support/window/editors.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { Workspace, writeSetting } from '../../support/window/settings.js';
import {
  notificationsOf,
  recordWindow,
  rejectionOf,
  replace,
} from '../../support/window/windowRecorder.js';

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

/** The commands that VS Code is asked to run from now on, with their arguments. None of them runs. */
function recordCommands(): unknown[][] {
  const commands: unknown[][] = [];
  replace(vscode.commands, {
    executeCommand: async (...command: unknown[]) => {
      commands.push(command);
    },
  });
  return commands;
}

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

  /** Has the platform give these answers, then lists and reads these deployments. */
  async function list(
    answers: Readonly<Record<string, WireAuthorization>>,
    owners: object = {},
  ): Promise<void> {
    for (const [id, answer] of Object.entries(answers)) platform.data.deployments.set(id, answer);
    await writeSetting('automationPlatform.owners', owners, Workspace);
    await graph.read(...Object.keys(answers).map((id) => ({ id, label: `Sync ${id}` })));
  }

  /** Copies the request for these rows. Returns the copied lines, without times, and the notifications. */
  async function request(...rows: readonly object[]) {
    const messages = await notificationsOf(() => graph.run('copyRequest', rows[0], rows));
    const text = await vscode.env.clipboard.readText();
    for (const secret of [platform.baseUrl, DEFAULT_TOKEN, 'Acme', 'T-SUB', 'binding', 'scope']) {
      assert.equal(text.includes(secret), false, `The request contains “${secret}”:\n${text}`);
    }
    const withoutTimes = text
      .replace(/^Noticed and last read on .*\d.*\.$/gm, 'Noticed and last read on ….')
      .replace(/^Noticed on .*\d.* Last read on .*\d.*\.$/gm, 'Noticed on …. Last read on ….')
      .replace(/^(The platform answered on) .*?\d.*?(?=: )/gm, '$1 …');
    return { messages, lines: withoutTimes.split('\n') };
  }

  /** Copies the request for these rows, and presses Refresh. Returns the parts of the notification, and the commands that the button ran. */
  async function pressRefresh(...rows: readonly object[]) {
    const commands = recordCommands();
    const [notification = []] = await notificationsOf(
      () => graph.run('copyRequest', rows[0], rows),
      'Refresh',
    );
    const [, message = '', ...buttons] = notification;
    return { message, buttons, commands };
  }

  it('leaves out muted accounts of a row that stands for several accounts', async () => {
    const names = ['East', 'North', 'South', 'West'];
    const accounts = names.map((label) => ({ ...slack, id: label, label, error }));
    await list({ dep_1: answerOf(accounts, []) });
    const joined = childrenOf(row('dep_1')).find(({ kind }) => kind === 'joinedAdvice')!;
    const { memory, store } = graph.services;
    const [first] = store.get('dep_1')!.answer!.findings.problems;
    memory.mute([{ deployment: store.get('dep_1')!, problem: first! }], Date.now() + 60_000);

    const { lines } = await request(joined);

    const requestedNames = names.filter((name) => lines.some((line) => line.includes(name)));
    assert.deepEqual(requestedNames, ['North', 'South', 'West']);
  });

  it('says the step, the error, and the affected automation for a failed account', async () => {
    const failed = answerOf(
      [{ ...slack, error }],
      [needs('notifier', ['chat:write', 'channels:read'])],
    );
    await list({ dep_1: failed }, { acc_finance: 'Maria, #finance-ops' });

    const { lines } = await request(row('dep_1'));

    assert.deepEqual(lines, [
      'For Maria, `#finance-ops`',
      '',
      'Please reconnect the account `Finance Slack` (`slack`) and grant it `channels:read`.',
      'Error: `token_revoked` – `Removed by ＠admin. See <a href="https: //evil.example">this</a>`.',
      '1 automation cannot use it: `Sync dep_1`.',
      'Noticed and last read on ….',
      'Platform: Automation Platform',
    ]);
  });

  it('names the owner in its notification', async () => {
    await list(
      { dep_1: answerOf([{ ...slack, error }], []) },
      { acc_finance: 'Maria, #finance-ops' },
    );

    const { messages } = await request(row('dep_1'));

    assert.deepEqual(messages, [
      [
        'information',
        'Copied the request for Maria, #finance-ops.',
        'Notify When Fixed',
        'Mute Problem...',
      ],
    ]);
  });

  it('lists automations without permissions apart from others that use the account', async () => {
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

  it('names the automations once for several accounts of an owner', async () => {
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

  it('adds the IDs to accounts with the same name', async () => {
    const both = ['acc_1', 'acc_2'].map((id) => ({ ...slack, id, error: { code: 'gone' } }));
    await list({
      dep_1: answerOf([both[0]!], [needs('n', [], 'acc_1')]),
      dep_2: answerOf([both[1]!], []),
    });
    const { lines } = await request(row('dep_1'), row('dep_2'));
    assert.deepEqual(lines, [
      'Please reconnect: `Finance Slack` (`slack`, `acc_1`) and `Finance Slack` (`slack`, `acc_2`).',
      // One line for both, as they have the same error.
      'Error: `gone`.',
      '1 automation cannot use at least one of them: `Sync dep_1`.',
      '1 automation has some of the accounts: `Sync dep_2`.',
      'Noticed and last read on ….',
      'Platform: Automation Platform',
    ]);
  });

  /** Lists three deployments of two owners. Returns the rows of an account and of all three, so the account is in two of these. */
  const listOwned = async () => {
    const failed = answerOf([{ ...slack, error: { code: 'gone' } }], [needs('notifier', [])]);
    const none = answerOf(
      [],
      [{ ...needs('ledger', []), accountId: undefined, serviceId: 'stripe' }],
    );
    await list({ dep_1: failed, dep_2: none, dep_3: none }, { acc_finance: 'Maria', dep_2: 'Bob' });
    const [finding] = graph.services.store.get('dep_1')!.answer!.findings.accounts;
    const account = { kind: 'account', deployment: { id: 'dep_1' }, finding };
    return [account, row('dep_1'), row('dep_2'), row('dep_3')];
  };

  describe('for several rows', () => {
    it('has a part for each owner', async () => {
      const rows = await listOwned();

      const { lines } = await request(...rows);

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
    });

    it('names each owner in its notification', async () => {
      const rows = await listOwned();

      const { messages } = await request(...rows);

      assert.equal(
        messages[0]![1],
        'Copied the request for Maria, Bob, and those who manage the accounts.',
      );
    });
  });

  it('asks for the missing accounts of an automation beside its failed account', async () => {
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

  it('never shortens names and scopes that someone has to type', async () => {
    const scope = `https://auth.example/${'spreadsheets.'.repeat(200)}readonly`;
    const label = `[Finance](//evil.example) ${'x'.repeat(300)}`;
    await list({ dep_1: answerOf([{ ...slack, label, error }], [needs('notifier', [scope])]) });
    const { lines } = await request(row('dep_1'));
    assert.equal(
      lines[0],
      `Please reconnect the account \`${label}\` (\`slack\`) and grant it \`${scope}\`.`,
    );
  });

  it('redacts an error before it shortens the error', async () => {
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

  describe('from the notification of new problems', () => {
    beforeEach(async () => {
      await writeSetting('automationPlatform.notifications.newProblems', true);
      await list(
        { dep_1: answerOf([slack], []), dep_2: answerOf([], []) },
        { acc_finance: 'Maria', dep_2: 'Bob' },
      );
      platform.data.deployments.set('dep_1', answerOf([{ ...slack, error }], []));
      platform.data.deployments.set('dep_2', answerOf([], [needs('notifier', [], null)]));
    });

    /** Finds the new problems, and presses Copy Request in their notification. */
    async function copyFromNotification() {
      const shown = recordWindow(undefined, 'Copy Request');
      // The button runs the command of the running extension, beside which this graph stands.
      const executeCommand = async (id: string, ...given: unknown[]) =>
        id === commandIds.copyRequest ? graph.run('copyRequest', ...given) : undefined;
      replace(vscode.commands, { executeCommand });
      await graph.run('refresh');
      await until('the request', () => shown.messages.length === 2);
      const [newProblems = '', copied = ''] = shown.messages.map((message) => message.join());
      return { newProblems, copied, text: await vscode.env.clipboard.readText() };
    }

    it('asks for all of them', async () => {
      const { newProblems, copied, text } = await copyFromNotification();

      assert.match(
        newProblems,
        /^warning,.* failed in Sync dep_1\. 1 more problem\.,.*,Copy Request$/,
      );
      // In the order in which they were answered.
      assert.match(copied, /,Copied the request for (?:Maria and Bob|Bob and Maria)\.,/);
      assert.deepEqual(text.match(/^For .*$/gm)?.toSorted(), ['For Bob', 'For Maria']);
    });

    it('leaves out those that are muted for everyone', async () => {
      const today = new Date().toISOString().slice(0, 10);
      const days = { since: today, until: today };
      const entry = { account: 'acc_finance', error: error.code, ...days, reason: 'App review' };
      await writeSetting('automationPlatform.mutes', [entry], Workspace);

      const { copied } = await copyFromNotification();

      assert.match(copied, /,Copied the request for Bob\.,/);
    });
  });

  /** Opens the page in the dashboard, and confirms the question. */
  async function agreeToOpen(): Promise<void> {
    recordCommands();
    const messages = await notificationsOf(
      () => graph.run('openInDashboard', row('dep/1')),
      'Open',
    );
    assert.equal(messages.length, 1, 'The user is asked before the dashboard is opened.');
  }

  describe('with a dashboard', () => {
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

    /** Copies the request, and presses these buttons. Returns whether the copied text has the address, and the questions that were shown. */
    async function requestPage(...pressed: readonly string[]) {
      const messages = await notificationsOf(
        () => graph.run('copyRequest', row('dep/1')),
        ...pressed,
      );
      const text = await vscode.env.clipboard.readText();
      return {
        hasPage: text.split('\n').includes(page),
        questions: messages.filter(([kind]) => kind === 'warning'),
      };
    }

    it('asks whether to include the address of the page', async () => {
      const { hasPage, questions } = await requestPage('Include');

      assert.deepEqual(questions, [question]);
      assert.equal(hasPage, true);
    });

    it('includes the address without a question after Include', async () => {
      await requestPage('Include');

      const { hasPage, questions } = await requestPage();

      assert.deepEqual(questions, []);
      assert.equal(hasPage, true);
    });

    it('lets the page open without a question after Include', async () => {
      await requestPage('Include');
      const commands = recordCommands();

      const messages = await notificationsOf(() => graph.run('openInDashboard', row('dep/1')));

      assert.deepEqual(messages, []);
      assert.deepEqual(commands, [['vscode.open', 'https://dash.example/d/dep%2F1']]);
    });

    it('leaves out the address when the user presses Leave Out', async () => {
      const { hasPage, questions } = await requestPage('Leave Out');

      assert.deepEqual(questions, [question]);
      assert.equal(hasPage, false);
    });

    it('leaves out the address without a question after Leave Out', async () => {
      await requestPage('Leave Out');

      const { hasPage, questions } = await requestPage();

      assert.deepEqual(questions, []);
      assert.equal(hasPage, false);
    });

    it('includes the address when the user opens the dashboard after Leave Out', async () => {
      await requestPage('Leave Out');
      await agreeToOpen();

      const { hasPage, questions } = await requestPage();

      assert.deepEqual(questions, []);
      assert.equal(hasPage, true);
    });

    it('does not ask when the user has agreed to open the dashboard', async () => {
      await agreeToOpen();

      const { hasPage, questions } = await requestPage();

      assert.deepEqual(questions, []);
      assert.equal(hasPage, true);
    });

    it('copies nothing when its question is dismissed', async () => {
      await requestPage();

      assert.equal(await vscode.env.clipboard.readText(), 'before');
    });

    it('asks again after its question was dismissed', async () => {
      await requestPage();

      const { questions } = await requestPage();

      assert.deepEqual(questions, [question]);
      assert.equal(await vscode.env.clipboard.readText(), 'before');
    });

    it('asks no question when the setting has no usable address', async () => {
      await writeSetting('automationPlatform.dashboardUrl', 'https://dash.example/d');

      const { hasPage, questions } = await requestPage();

      assert.deepEqual(questions, []);
      assert.equal(hasPage, false);
    });
  });

  describe('for an account that works again', () => {
    const works = answerOf([slack], [{ ...needs('notifier', []), satisfied: true }]);
    const failed = answerOf([{ ...slack, error }], [needs('notifier', [])]);
    const other = answerOf(
      [{ ...slack, id: 'acc_2', label: 'Ops Slack', error: { code: 'gone' } }],
      [],
    );

    beforeEach(async () => {
      await list({ dep_1: failed, dep_2: failed, dep_3: failed, dep_4: other });
      for (const id of ['dep_1', 'dep_2', 'dep_3']) platform.data.deployments.set(id, works);
      await readAlone('dep_3');
      await vscode.env.clipboard.writeText('before');
    });

    it('copies nothing', async () => {
      await pressRefresh(row('dep_1'));

      assert.equal(await vscode.env.clipboard.readText(), 'before');
    });

    it('offers to refresh deployments with older answers', async () => {
      const { message, buttons } = await pressRefresh(row('dep_1'));

      assert.match(
        message,
        /^Finance Slack works again as of \d.*M\. Refresh 2 other deployments\?$/,
      );
      assert.deepEqual(buttons, ['Refresh']);
    });

    it('refreshes deployments with older answers by its button', async () => {
      const { commands } = await pressRefresh(row('dep_1'));
      const [[command, ...args] = []] = commands;
      platform.clearRequests();

      assert.equal(command, commandIds.refreshDeployment);
      await graph.run('refreshDeployment', ...args);

      const requestedIds = platform.requests.map(({ route }) => route.id);
      assert.equal(requestedIds.length, 2, requestedIds.join());
      assert.deepEqual(new Set(requestedIds), new Set(['dep_1', 'dep_2']));
    });

    it('leaves out the account when another account has failed', async () => {
      await pressRefresh(row('dep_1'), row('dep_4'));

      const text = await vscode.env.clipboard.readText();
      assert.match(text, /^Please reconnect the account `Ops Slack` \(`slack`\)\.\n/);
      assert.doesNotMatch(text, /Finance/);
    });

    it('says in its notification that the account was left out', async () => {
      const { message, buttons } = await pressRefresh(row('dep_1'), row('dep_4'));

      assert.match(
        message,
        /^Copied the request\. Finance Slack works again as of .*M\. That account was left out\.$/,
      );
      assert.deepEqual(buttons.slice(0, 2), ['Refresh', 'Notify When Fixed']);
    });
  });

  it('does not ask for a scope that a newer answer shows as granted', async () => {
    const lacking = answerOf([slack], [needs('n', ['read'])]);
    await list({ dep_1: lacking, dep_2: lacking });
    platform.data.deployments.set(
      'dep_2',
      answerOf([{ ...slack, scopes: ['chat:write', 'read'] }], []),
    );
    await readAlone('dep_2');
    await vscode.env.clipboard.writeText('before');

    const [notification] = await notificationsOf(() => graph.run('copyRequest', row('dep_1')));

    assert.match(
      notification![1]!,
      /^Finance Slack has all required scopes as of .*M\. Refresh 1 other deployment\?$/,
    );
    assert.equal(await vscode.env.clipboard.readText(), 'before');
  });

  const itemsThatOfferIt = () =>
    graph.items().filter(({ contextValue }) => contextValue?.includes('canRequest'));

  describe('after a 403', () => {
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

    it('asks an administrator for the permission', async () => {
      const { lines } = await request(row('dep_2'));
      assert.deepEqual(lines, [
        'For an administrator',
        '',
        'Please give my access token the permission to read the authorization of the deployment `Sync dep_2` (`dep_2`).',
        'The platform answered on …: Access denied (403) – `Ask ＠admin`.',
        'Platform: Automation Platform',
      ]);
    });

    it('shows a status text instead of a notification', async () => {
      const { messages, statusMessages } = recordWindow();

      await graph.run('copyRequest', row('dep_2'));

      assert.deepEqual(statusMessages, ['Copied the request for an administrator.']);
      assert.deepEqual(messages, []);
    });

    it('asks an administrator even when the deployment has an owner', async () => {
      await writeSetting(
        'automationPlatform.owners',
        { acc_finance: 'Maria', dep_2: 'Maria' },
        Workspace,
      );

      const { lines } = await request(row('dep_1'), row('dep_2'));

      const starts = lines.flatMap((line) => /^(?:For|Please) \w+/.exec(line) ?? []);
      assert.deepEqual(starts, ['For Maria', 'Please reconnect', 'For an', 'Please give']);
    });

    it('offers the deployment in its list beside failing deployments', async () => {
      const { picks } = recordWindow();

      await graph.run('copyRequest');

      assert.deepEqual(
        picks.map(({ label }) => label),
        ['Sync dep_1', 'Sync dep_2'],
      );
    });

    it('is offered in the rows of the deployment and of the advice', () => {
      assert.deepEqual(
        itemsThatOfferIt().map(({ contextValue }) => contextValue),
        ['deployment canRequest', 'failure canRequest'],
      );
    });

    it('is offered in the hover of the deployment', () => {
      const { tooltip } = itemsThatOfferIt()[0]!;

      assert.ok(tooltip instanceof vscode.MarkdownString);
      assert.match(tooltip.value, /Copy Request/);
    });
  });

  describe('for an account without an owner', () => {
    const buttons = ['Notify When Fixed', 'Mute Problem...'];
    beforeEach(() => list({ dep_1: answerOf([{ ...slack, error }], []) }));

    it('offers to set an owner', async () => {
      const { messages } = await request(row('dep_1'));

      assert.deepEqual(messages, [
        ['information', 'Copied the request.', ...buttons, 'Set Owner...'],
      ]);
    });

    it('offers to set an owner only once', async () => {
      await request(row('dep_1'));

      const { messages } = await request(row('dep_1'));

      assert.deepEqual(messages, [['information', 'Copied the request.', ...buttons]]);
    });

    it('asks for the owner of that account by its button', async () => {
      const commands = recordCommands();
      await notificationsOf(() => graph.run('copyRequest', row('dep_1')), 'Set Owner...');
      const setOwner = commands.find(([command]) => command === commandIds.setOwner);
      const [, ...args] = setOwner ?? [];
      assert.notDeepEqual(args, [], 'The button runs Set Owner for an account.');

      const { inputs } = recordWindow();
      await graph.run('setOwner', ...args);

      assert.match(inputs[0]!, /^Who can fix “Finance Slack”\?/);
    });
  });

  it('does not offer Notify When Fixed when the notification is already wanted', async () => {
    await list({ dep_1: answerOf([{ ...slack, error }], []) }, { acc_finance: 'Maria' });
    await graph.run('notifyWhenFixed', row('dep_1'));

    const { messages } = await request(row('dep_1'));

    assert.deepEqual(messages, [
      ['information', 'Copied the request for Maria.', 'Mute Problem...'],
    ]);
  });

  describe('when all problems of the deployment are muted', () => {
    beforeEach(async () => {
      await list({ dep_1: answerOf([{ ...slack, error }], []) });
      const deployment = graph.services.store.get('dep_1')!;
      const { problems } = deployment.answer!.findings;
      const found = problems.map((problem) => ({ deployment, problem }));
      graph.services.memory.mute(found, Date.now() + 60_000);
    });

    it('is refused, and names the row from which it can be copied', async () => {
      assert.match(
        await rejectionOf(graph.run('copyRequest', row('dep_1'))),
        /What is wrong here is muted\. Copy the request from the row of the account/,
      );
    });

    it('asks for the account when it is run from the row of the account', async () => {
      const ofAccount = childrenOf(row('dep_1')).find(({ kind }) => kind === 'account')!;
      const { lines } = await request(ofAccount);
      assert.equal(lines[0], 'Please reconnect the account `Finance Slack` (`slack`).');
    });
  });

  it('asks for one account when it is run from the row of that account', async () => {
    const lacking = answerOf(
      [slack, { ...slack, id: 'acc_2', label: 'Ops Slack', error }],
      [needs('n', ['read'])],
    );
    await list({ dep_1: lacking });
    await graph.services.grouping.set('account');
    const root = graph.app.deploymentRows
      .getChildren()
      .find(({ copyId }) => copyId === 'acc_finance')!;
    const { lines } = await request(root);
    assert.equal(
      lines[0],
      'Please reconnect the account `Finance Slack` (`slack`) and grant it `read`.',
    );
    await graph.services.grouping.set('deployment');
  });

  it('is refused for a deployment without a problem', async () => {
    await list({ dep_1: answerOf([], []) });
    await vscode.env.clipboard.writeText('before');
    assert.match(
      await rejectionOf(graph.run('copyRequest', row('dep_1'))),
      /There is no problem to send a request about\./,
    );
    assert.equal(await vscode.env.clipboard.readText(), 'before');
  });
});

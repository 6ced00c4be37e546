import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { isRecord } from '../../../src/api/decode.js';
import { lastDayMessage, monthsLater } from '../../../src/commands/mutes/muteForEveryone.js';
import { utcDayText } from '../../../src/host/text/format.js';
import { day } from '../../../src/model/base/time.js';
import { entriesIn } from '../../../src/model/entered/listEntries.js';
import { account, authorization, failedAccount, requirement } from '../../support/platform/data.js';
import { until } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import {
  type Answer,
  answering,
  enter,
  recordWindow,
  rejectionOf,
  replace,
} from '../../support/window/windowRecorder.js';

const setting = 'automationPlatform.mutes';
const file = vscode.Uri.joinPath(
  vscode.workspace.workspaceFolders![0]!.uri,
  '.vscode/settings.json',
);
const forEveryone = 'For Everyone in This Workspace...';
const reason = 'App review at Slack, FIN-1234';

/** The day in UTC, so many days from now. */
const dayIn = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10);
const today = dayIn(0);
const utcDay = (text: string) => utcDayText(text, Date.now());

describe('Mute Problem for everyone', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  let run: World['run'];
  let signIn: World['signIn'];
  let asked: World['asked'];
  let store: World['graph']['services']['store'];
  beforeEach(async () => {
    ({ platform, graph, run, signIn, asked } = await startWorld());
    ({ store } = graph.services);
    for (const id of ['dep_1', 'dep_2']) platform.putDeployment(id, failedAccount());
    platform.putDeployment('dep_3', authorization([account()], [lacking('notifier')]));
    platform.putDeployment('dep_4', authorization([], []));
    await signIn();
    await writeSetting(setting, [], Workspace);
    await graph.read('dep_1', 'dep_2', { id: 'dep_3', label: 'Lead intake' }, 'dep_4');
  });

  /** A requirement that lacks the scope `users:read`. */
  function lacking(binding: string) {
    const connections = [
      { connectionMethodId: 'slack-oauth', requiredScopes: ['chat:write', 'users:read'] },
    ];
    return requirement({ binding, satisfied: false, connections });
  }
  const subjects = {
    dep_1: { account: 'acc_slack_ops', error: 'token_revoked' },
    dep_3: { deployment: 'dep_3', requirement: 'notifier', missing: ['users:read'] },
  };

  /** Mutes what the rows of these deployments are about, with these answers. Returns what is shown. */
  async function mute(ids: readonly string[], ...answers: Answer[]) {
    const shown = recordWindow(() => answers.shift());
    const [first, ...others] = ids.map((id) => graph.row(id));
    await run('muteProblem', first, first && [first, ...others]);
    return shown;
  }
  const muted = () => store.counts.muted;
  /** The first entry of the setting. */
  const written = () => entriesIn(settingIn(setting)).find(isRecord) ?? {};

  describe('in the list of Mute Problem', () => {
    it('is the last choice, with the file that it changes', async () => {
      const { picks } = await mute(['dep_1']);

      const { label, description } = picks.at(-1)!;
      assert.equal(`${label} | ${description}`, `${forEveryone} | .vscode/settings.json`);
    });

    for (const [what, answer] of [
      ['an account without an ID', authorization([account({ id: undefined, error: {} })], [])],
      [
        'an account whose error code could not be read',
        { accounts: [{ ...account(), error: { code: 5 } }], requirements: [] },
      ],
      [
        'a requirement whose name another one has',
        authorization([account()], [lacking('notifier'), requirement()]),
      ],
      [
        'a requirement whose scopes could not be read',
        {
          accounts: [{ ...account(), scopes: 'all' }],
          requirements: [requirement({ satisfied: false })],
        },
      ],
    ] as const) {
      it(`is missing for ${what}`, async () => {
        platform.putDeployment('dep_4', JSON.parse(JSON.stringify(answer)));
        await graph.read('dep_4');

        const { picks } = await mute(['dep_4'], [0]);

        const labels = picks.map(({ label }) => label);
        assert.ok(labels.includes('Until It Changes'), labels.join());
        assert.ok(!labels.includes(forEveryone), labels.join());
      });
    }

    it('is missing for several problems when an entry cannot name one of them', async () => {
      const nameless = authorization([account({ id: undefined, error: {} })], []);
      platform.putDeployment('dep_4', JSON.parse(JSON.stringify(nameless)));
      await graph.read('dep_1', 'dep_4');

      const { picks } = await mute([], [0, 1]);

      assert.equal(picks.at(-1)?.label, 'Until It Changes');
    });
  });

  it('writes the account with its error, from today on', async () => {
    await mute(['dep_1'], forEveryone, 'A Week', reason);

    const terms = { since: today, until: dayIn(7), reason };
    assert.deepEqual(settingIn(setting), [{ ...subjects.dep_1, ...terms }]);
  });

  it('writes the requirement with its missing scopes, from today on', async () => {
    await mute(['dep_3'], forEveryone, 'A Week', reason);

    const terms = { since: today, until: dayIn(7), reason };
    assert.deepEqual(settingIn(setting), [{ ...subjects.dep_3, ...terms }]);
  });

  it('writes an entry for each chosen problem', async () => {
    await mute([], [0, 1], forEveryone, 'A Week', reason);

    const terms = { since: today, until: dayIn(7), reason };
    assert.deepEqual(settingIn(setting), [
      { ...subjects.dep_1, ...terms },
      { ...subjects.dep_3, ...terms },
    ]);
  });

  it('mutes an account in all deployments', async () => {
    await mute(['dep_1'], forEveryone, 'A Week', reason);

    assert.equal(muted(), 2);
  });

  it('offers Unmute in the menu of the row', async () => {
    await mute(['dep_1'], forEveryone, 'A Week', reason);

    const { contextValue } = graph.app.deploymentRows.getTreeItem(graph.row('dep_1'));
    assert.equal(contextValue, 'deployment canUnmute');
  });

  it('sends no request', async () => {
    const before = asked();
    await mute(['dep_1'], forEveryone, 'A Week', reason);

    assert.deepEqual(asked(), before);
  });

  it('keeps a notification that is wanted', async () => {
    await run('notifyWhenFixed', graph.row('dep_1'));
    await mute(['dep_1'], forEveryone, 'A Week', reason);

    assert.equal(graph.services.memory.isNotifying, true);
  });

  describe('in its message', () => {
    it('names the account, the deployments, the last day, and the file', async () => {
      const { messages } = await mute(['dep_1'], forEveryone, 'A Week', reason);

      const text = `Ops Slack muted for everyone in 2 deployments until ${utcDay(dayIn(7))}. Saved in .vscode/settings.json.`;
      assert.deepEqual(messages, [['information', text, 'Undo']]);
    });

    it('names the deployment when only one has the problem', async () => {
      const { messages } = await mute(['dep_3'], forEveryone, 'A Week', reason);

      const text = `notifier (slack) muted for everyone in Lead intake until ${utcDay(dayIn(7))}. Saved in .vscode/settings.json.`;
      assert.equal(messages[0]?.[1], text);
    });

    it('counts no deployment where the account has another error', async () => {
      const suspended = account({ error: { code: 'account_suspended' } });
      platform.putDeployment('dep_2', authorization([suspended], []));
      await graph.read('dep_1', 'dep_2');

      const { messages } = await mute(['dep_1'], forEveryone, 'A Week', reason);

      assert.match(messages[0]?.[1] ?? '', /^Ops Slack muted for everyone in dep_1 until /);
    });

    it('counts several problems', async () => {
      const { messages } = await mute([], [0, 1], forEveryone, 'A Week', reason);

      assert.match(
        messages[0]?.[1] ?? '',
        /^2 problems muted for everyone in 3 deployments until /,
      );
    });
  });

  describe('after Undo', () => {
    /** Of the same account with an earlier error. */
    const earlier = {
      ...subjects.dep_1,
      error: 'expired',
      since: dayIn(-1),
      until: dayIn(1),
      reason,
    };
    /** Mutes for a week, and presses Undo. Returns the setting before Undo. */
    const muteAndUndo = async () => {
      const answers: Answer[] = [forEveryone, 'A Week', reason];
      const { statusMessages } = recordWindow(() => answers.shift(), 'Undo');
      await run('muteProblem', graph.row('dep_1'));
      await until('the end of Undo', () => statusMessages.length > 0);
      return statusMessages;
    };

    it('has no entry in the file', async () => {
      const statusMessages = await muteAndUndo();

      assert.deepEqual(settingIn(setting), []);
      assert.deepEqual(statusMessages, ['Change undone.']);
    });

    it('has the entry in the file that it replaced', async () => {
      await writeSetting(setting, [earlier], Workspace);
      await muteAndUndo();

      assert.deepEqual(settingIn(setting), [earlier]);
    });

    it('mutes nothing', async () => {
      await muteAndUndo();

      assert.equal(muted(), 0);
    });
  });

  for (const length of ['A Week', 'A Month', 'Three Months']) {
    it(`lasts until the day that the list shows: ${length}`, async () => {
      const { picks } = await mute(['dep_1'], forEveryone, length, reason);

      const entry = written();
      const shown = picks.find(({ label }) => label === length)?.description;
      assert.equal(shown, `until ${utcDay(String(entry['until']))}`);
    });
  }

  describe('until a date', () => {
    it('lasts until the day that is entered', async () => {
      await mute(['dep_1'], forEveryone, 'A Date...', ` ${dayIn(100)} `, reason);

      const entry = written();
      assert.equal(entry['until'], dayIn(100));
    });

    it('suggests the day a month from now', async () => {
      const { offered } = await mute(['dep_1'], forEveryone, 'A Date...', enter, reason);

      const inAMonth = new Date(monthsLater(Date.parse(today), 1)).toISOString().slice(0, 10);
      assert.equal(offered[0], inAMonth);
    });

    it('is not written when the day is not accepted', async () => {
      const { inputs } = await mute(['dep_1'], forEveryone, 'A Date...', dayIn(-1), reason);

      assert.equal(inputs.at(-1), lastDayMessage(dayIn(-1), today));
      assert.deepEqual(settingIn(setting), []);
    });
  });

  const isOver = 'This day is over. Enter 2026-11-28 (today, in UTC) or a later day.';
  const isNoDay = 'Enter a day of the calendar, such as 2026-12-28.';
  const isTooLate = 'A mute lasts at most 366 days. Enter 2027-11-29 or an earlier day.';
  for (const [text, message] of [
    ['2026-11-28', undefined],
    ['2026-12-31', undefined],
    ['2027-11-29', undefined],
    ['2026-11-27', isOver],
    ['1999-12-31', isOver],
    ['2027-11-30', isTooLate],
    ['9999-12-31', isTooLate],
    ['', isNoDay],
    ['soon', isNoDay],
    ['2026-12-3', isNoDay],
    ['2026-13-01', isNoDay],
    ['2027-02-29', isNoDay],
    ['31.12.2026', isNoDay],
    ['12/31/2026', isNoDay],
    ['2026-12-31T00:00', isNoDay],
    ['+002027-01-01', isNoDay],
    ['２０２６-12-31', isNoDay],
  ] as const) {
    it(`${message === undefined ? 'accepts' : 'refuses'} the last day “${text}”`, () => {
      assert.equal(lastDayMessage(text, '2026-11-28'), message);
    });
  }

  for (const [from, months, expected] of [
    ['2026-11-28', 1, '2026-12-28'],
    ['2026-12-31', 1, '2027-01-31'],
    ['2027-01-31', 1, '2027-02-28'],
    ['2027-11-30', 3, '2028-02-29'],
  ] as const) {
    const length = months === 1 ? 'a month' : 'three months';
    it(`lasts from ${from} until ${expected} when it lasts ${length}`, () => {
      const at = monthsLater(Date.parse(from), months);
      assert.equal(new Date(at).toISOString(), `${expected}T00:00:00.000Z`);
    });
  }

  describe('with a reason', () => {
    const question = `Ops Slack: why will this be muted for everyone until ${utcDay(dayIn(7))}?`;

    it('says in its box who sees the reason, and where it is saved', async () => {
      const { inputs } = await mute(['dep_1'], forEveryone, 'A Week');

      const whoSeesIt =
        'The reason is shown to everyone who opens this workspace, and in the CI check.';
      const place = 'Will be saved in .vscode/settings.json.';
      assert.deepEqual(inputs, [`${question} ${whoSeesIt} ${place}`]);
    });

    it('writes it without outer spaces', async () => {
      await mute(['dep_1'], forEveryone, 'A Week', `  ${reason} `);

      const entry = written();
      assert.equal(entry['reason'], reason);
    });

    it('writes one of 200 characters', async () => {
      await mute(['dep_1'], forEveryone, 'A Week', '🙂'.repeat(200));

      assert.equal(muted(), 2);
    });

    const token = 'This text contains a token. Do not put tokens into settings.';
    for (const [what, text, message] of [
      ['no text', '  ', 'Enter a reason, so that others know what this waits for.'],
      ['no visible text', '\u200b', 'Enter a reason, so that others know what this waits for.'],
      ['201 characters', 'x'.repeat(201), 'Enter at most 200 characters.'],
      ['a token', 'as in sample-access-token-4f9c2e7d1b', token],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const { inputs } = await mute(['dep_1'], forEveryone, 'A Week', text);

        assert.equal(inputs.at(-1), message);
        assert.deepEqual(settingIn(setting), []);
      });
    }
  });

  for (const [what, answers] of [
    ['the list of days', [forEveryone]],
    ['the box of the day', [forEveryone, 'A Date...']],
    ['the box of the reason', [forEveryone, 'A Week']],
  ] as const) {
    it(`writes nothing when the user dismisses ${what}`, async () => {
      await mute(['dep_1'], ...answers);

      assert.deepEqual(settingIn(setting), []);
    });
  }

  it('writes nothing when another organization becomes current during its question', async () => {
    const answers: Answer[] = [forEveryone, 'A Week', reason];
    recordWindow(() => answers.shift());
    const { showQuickPick } = vscode.window;
    const pickAfterSwitch = async (items: never, options: vscode.QuickPickOptions) => {
      if (options.title === 'Mute Problem for Everyone') await signIn('Other');
      return showQuickPick(items, options);
    };
    replace(vscode.window, { showQuickPick: pickAfterSwitch });

    await run('muteProblem', graph.row('dep_1'));

    assert.deepEqual(settingIn(setting), []);
  });

  it('is refused when a refresh finds another error during its question', async () => {
    const suspended = account({ error: { code: 'account_suspended' } });
    for (const id of ['dep_1', 'dep_2']) platform.putDeployment(id, authorization([suspended], []));
    const answers: Answer[] = ['A Week', reason];
    recordWindow(() => answers.shift());
    const { showQuickPick } = vscode.window;
    const refreshAndPick = async (items: vscode.QuickPickItem[]) => {
      await store.refresh();
      replace(vscode.window, { showQuickPick });
      return items.at(-1);
    };
    replace(vscode.window, { showQuickPick: refreshAndPick });

    const message = await rejectionOf(run('muteProblem', graph.row('dep_1')));

    assert.match(message, /The problem has changed meanwhile\. Nothing was muted\./);
    assert.deepEqual(settingIn(setting), []);
  });

  it('is refused when the value of the setting is no list', async () => {
    await writeSetting(setting, 'acc_1', Workspace);

    const work = answering(
      () => run('muteProblem', graph.row('dep_1')),
      forEveryone,
      'A Week',
      reason,
    );

    assert.equal(
      await rejectionOf(work),
      `Nothing was changed: ${setting} in .vscode/settings.json is not a list. Make it a list, then try again.`,
    );
  });

  describe('by an edit of the file by hand', () => {
    const entry = { ...subjects.dep_1, since: today, until: dayIn(1), reason };
    let askedBefore: readonly unknown[];
    beforeEach(async () => {
      askedBefore = asked();
      const textBefore = await vscode.workspace.fs.readFile(file);
      atEndOfTest(async () => {
        await vscode.workspace.fs.writeFile(file, textBefore);
        await until('the former text', () => isDeepStrictEqual(settingIn(setting), []));
      });
      const text = `{ "${setting}": [${JSON.stringify(entry)}] }`;
      await vscode.workspace.fs.writeFile(file, Buffer.from(text));
    });

    it('mutes the problem at once', async () => {
      await until('the mute', () => muted() === 2, muted);
    });

    it('sends no request', async () => {
      await until('the mute', () => muted() === 2, muted);
      assert.deepEqual(asked(), askedBefore);
    });
  });
});

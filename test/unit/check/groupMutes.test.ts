import { strict as assert } from 'node:assert';
import {
  account,
  authorization,
  healthy,
  requirement,
  unsatisfied,
} from '../../support/platform/data.js';
import type { Platform } from '../../support/platform/platform.js';
import {
  type Entry,
  muteAccount,
  muteRequirement,
  placeOfEntry,
  settingsText,
  startingAt,
  today,
  workspaceText,
} from './muteSettings.js';
import { type CheckProgram, type Ran, useCheck } from './run.js';

const settingsFile = '.vscode/settings.json';
const ended = { until: '2026-11-24' };

/** `dep_ok` and `dep_failed` have the same account, which has failed only in `dep_failed`. */
const list = [
  { id: 'dep_ok', group: 'payments' },
  { id: 'dep_failed', group: 'ops' },
];
const inOneGroup = list.map((entry) => ({ ...entry, group: 'payments' }));
const isObsolete = 'Ops Slack works, so this mute is obsolete. Remove the entry.';
const hasEnded = 'This mute ended on 2026-11-24. Remove the entry, or give it a later end.';

describe('a mute in the check with --group', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let env: Record<string, string>;

  useCheck((world) => {
    ({ program, platform, env } = world);
    env = { ...env, ...startingAt(`${today}T12:00:00Z`) };
    const { accounts, requirements } = unsatisfied();
    platform.putDeployment(
      'dep_twice',
      authorization(accounts, [...requirements, ...requirements]),
    );
    const other = account({ id: 'acc_other' });
    platform.putDeployment('dep_other', authorization([other], [requirement()]));
  });

  async function check(
    listed: readonly unknown[],
    mutes: readonly Entry[],
    ...args: readonly string[]
  ): Promise<Ran> {
    await program.write(settingsFile, settingsText(listed, mutes));
    return program.run(args, env);
  }
  /** What is said of the first entry of the settings, without its place. */
  const saidIn = ({ stdout }: Ran, file = settingsFile) => {
    const beginning = `${file}:${placeOfEntry(0)}: `;
    const lines = stdout.split('\n').filter((line) => line.startsWith(beginning));
    return lines.map((line) => line.slice(beginning.length));
  };
  const lastLineOf = ({ stdout }: Ran) => stdout.trimEnd().split('\n').at(-1);

  it('mutes in its group', async () => {
    const ran = await check(list, [muteAccount], '--group', 'ops');
    assert.match(saidIn(ran)[0] ?? '', / in dep_failed: muted for everyone until 2026-12-31 /);
    assert.equal(lastLineOf(ran), 'ops: 1 muted (exit 0)');
  });

  type Case = readonly [
    listed: readonly unknown[],
    entry: Entry,
    group: string,
    said: string | undefined,
  ];
  const withOther = [...list, { id: 'dep_other', group: 'ops' }];
  const fine = 'notifier is satisfied in dep_ok, so this mute is obsolete. Remove the entry.';
  const cases: Readonly<Record<string, Case>> = {
    'an account that works here and is muted elsewhere': [list, muteAccount, 'payments', undefined],
    'an account that works here and is not known elsewhere': [
      [list[0], { id: 'dep_gone', group: 'ops' }],
      muteAccount,
      'payments',
      undefined,
    ],
    'an account that works here when one without a group is left out': [
      [list[0], 'dep_failed'],
      muteAccount,
      'payments',
      undefined,
    ],
    'an account that works when nothing is left out': [
      [list[0]],
      muteAccount,
      'payments',
      isObsolete,
    ],
    'an account that works and is muted in one group': [
      inOneGroup,
      muteAccount,
      'payments',
      'Ops Slack failed (token_revoked) in dep_failed: muted for everyone until 2026-12-31 (App ' +
        'review at Slack, FIN-1234).',
    ],
    'an account with another error here': [
      list,
      { ...muteAccount, error: 'other' },
      'ops',
      undefined,
    ],
    'an account in other groups alone': [
      withOther,
      { ...muteAccount, account: 'acc_other' },
      'payments',
      undefined,
    ],
    'an account whose mute has ended': [list, { ...muteAccount, ...ended }, 'payments', hasEnded],
    'an account in other groups alone whose mute has ended': [
      withOther,
      { ...muteAccount, account: 'acc_other', ...ended },
      'payments',
      undefined,
    ],
    'a requirement that is satisfied': [list, muteRequirement('dep_ok'), 'payments', fine],
    'a requirement in another group': [list, muteRequirement('dep_ok'), 'ops', undefined],
    'a requirement whose mute has ended': [
      list,
      { ...muteRequirement('dep_ok'), ...ended },
      'payments',
      hasEnded,
    ],
    'a requirement in another group whose mute has ended': [
      list,
      { ...muteRequirement('dep_ok'), ...ended },
      'ops',
      undefined,
    ],
    'an unread requirement whose mute has ended': [
      [...list, { id: 'dep_gone', group: 'web' }],
      { ...muteRequirement('dep_gone'), ...ended },
      'web',
      hasEnded,
    ],
    'one of two requirements of one name': [
      [...list, { id: 'dep_twice', group: 'web' }],
      muteRequirement('dep_twice'),
      'web',
      'Several requirements of dep_twice have the name notifier, or may have it, so this entry ' +
        'mutes none of them. Remove the entry.',
    ],
    'a malformed entry': [
      list,
      { ...muteAccount, until: 'never' },
      'payments',
      'This entry mutes nothing, because “until” is not a day such as 2026-12-31.',
    ],
  };
  for (const [name, [listed, entry, group, said]] of Object.entries(cases)) {
    it(`says ${said === undefined ? 'nothing' : 'what it is'} for ${name}`, async () => {
      const ran = await check(listed, [entry], '--group', group);
      assert.deepEqual(saidIn(ran), said === undefined ? [] : [said]);
    });
  }

  it('has nothing in JSON for an account that works here and is muted elsewhere', async () => {
    const { stdout } = await check(list, [muteAccount], '--group', 'payments', '--format', 'json');
    assert.equal('muteNotes' in JSON.parse(stdout), false);
  });

  it('says in the line of a problem that it has changed', async () => {
    const { stdout } = await check(list, [{ ...muteAccount, error: 'other' }], '--group', 'ops');
    assert.match(stdout, /: dep_failed: Ops Slack failed \(token_revoked\), changed since it was /);
  });

  describe('of a folder', () => {
    const webFile = 'web/.vscode/settings.json';
    const webCheck = async (web: readonly unknown[], ofWorkspace: readonly unknown[]) => {
      await program.write(webFile, settingsText(web, [muteAccount]));
      await program.write('a.code-workspace', workspaceText(ofWorkspace, []));
      await program.write(settingsFile, settingsText([list[1]], []));
      return program.run(['--group', 'payments'], env);
    };

    it('is obsolete when its account works in all for which it holds', async () => {
      const ran = await webCheck([list[0]], []);
      assert.deepEqual(saidIn(ran, webFile), [isObsolete]);
    });

    it('is not obsolete when the workspace lists one in another group', async () => {
      platform.putDeployment('dep_more', healthy());
      const ran = await webCheck([list[0]], [{ id: 'dep_more', group: 'ops' }]);
      assert.deepEqual(saidIn(ran, webFile), []);
    });

    it('is not obsolete when its folder lists one in another group', async () => {
      const ran = await webCheck(list, []);
      assert.deepEqual(saidIn(ran, webFile), []);
    });
  });

  it('of a workspace is not obsolete when a folder lists one in another group', async () => {
    await program.write('a.code-workspace', workspaceText([list[0]], [muteAccount]));
    await program.write(settingsFile, settingsText([list[1]], []));
    const ran = await program.run(['--group', 'payments'], env);
    assert.deepEqual(saidIn(ran, 'a.code-workspace'), []);
  });

  it('names only deployments of the group in which it mutes', async () => {
    const failed = authorization([account({ error: { code: 'token_revoked' } })], []);
    platform.putDeployment('dep_failed_too', failed);
    const listed = [...list, { id: 'dep_failed_too', group: 'payments' }];
    const ran = await check(listed, [muteAccount], '--group', 'payments');
    assert.match(saidIn(ran)[0] ?? '', / failed \(token_revoked\) in dep_failed_too: muted for /);
  });
});

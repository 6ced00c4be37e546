import { strict as assert } from 'node:assert';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { account, authorization, requirement, unsatisfied } from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import type { Platform } from '../../support/platform/platform.js';
import { rightEntry, token, wrongEntries } from '../model/entered/muteEntryCases.js';
import { outcomesOf, readJunit } from './junitReport.js';
import {
  type Entry,
  muteAccount,
  muteRequirement,
  placeOfEntry,
  settingsText,
  startingAt,
  today,
} from './muteSettings.js';
import { type CheckProgram, type Ran, useCheck } from './run.js';

const settingsFile = '.vscode/settings.json';
const error = { code: 'token_revoked' };
const unknown = requirement({ binding: 'other', satisfied: undefined });

/** The exit code in the last line of the output. */
const endOf = (lastLine: string) => Number(/exit (\d)/.exec(lastLine)?.[1]);

describe('the check with mutes', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let env: Record<string, string>;
  const at = (name: string) => join(program.folder, name);
  const check = (...args: string[]) => program.run(args, env);
  /** Writes the settings of the folder, and runs the check. */
  async function checkSettings(
    ids: readonly unknown[],
    mutes: readonly unknown[],
    ...args: readonly string[]
  ): Promise<Ran> {
    await program.write(settingsFile, settingsText(ids, mutes));
    return check(...args);
  }
  /** The lines of the output but for the last one, without the place of each. */
  const linesOf = ({ stdout }: Ran) =>
    stdout
      .trimEnd()
      .split('\n')
      .slice(0, -1)
      .map((line) => line.replace(/^\S+?:\d+:\d+: /, ''));
  const lastLineOf = ({ stdout }: Ran) => stdout.trimEnd().split('\n').at(-1);

  useCheck((world) => {
    ({ program, platform, env } = world);
    env = { ...env, ...startingAt(`${today}T12:00:00Z`) };
    platform.putDeployment('dep_unsatisfied', unsatisfied());
    platform.putDeployment('dep_other', authorization([account({ id: 'acc_2', error })], []));
    const both = [account({ error }), account({ id: 'acc_2', error })];
    platform.putDeployment('dep_both', authorization(both, []));
    platform.putDeployment('dep_unknown', authorization([account({ error })], [unknown]));
    platform.putDeployment('dep_unreadable', {
      ...authorization([account({ error })], []),
      requirements: 1,
    });
    const scopes = [account({ scopes: [] })];
    const missing = requirement({ satisfied: false });
    platform.putDeployment('dep_scopes', authorization(scopes, [missing]));
    platform.putDeployment('dep_twice', authorization([account()], [missing, missing]));
    platform.putDeployment('dep_no_id', authorization([account({ id: '', error })], []));
    platform.putDeployment('dep_no_code', authorization([account({ error: {} })], []));
    const failedToo = [account({ error }), account({ id: 'acc_2', label: 'Other' })];
    const unsatisfiedToo = requirement({ accountId: 'acc_2', satisfied: false });
    platform.putDeployment('dep_mixed', authorization(failedToo, [unsatisfiedToo]));
  });

  /** What is listed and muted, and how the check ends: its last line, and the outcomes in JUnit. */
  type Situation = readonly [
    ids: readonly unknown[],
    mutes: readonly Entry[],
    lastLine: string,
    outcomes: string,
    ...args: readonly string[],
  ];
  const situations: Readonly<Record<string, Situation>> = {
    'a muted account': [['dep_failed'], [muteAccount], '1 muted (exit 0)', 'skipped'],
    'a muted requirement': [
      ['dep_unsatisfied'],
      [muteRequirement('dep_unsatisfied')],
      '1 muted (exit 0)',
      'skipped',
    ],
    'a muted and a healthy deployment': [
      ['dep_ok', 'dep_failed'],
      [muteAccount],
      '1 muted, 1 healthy (exit 0)',
      'skipped, passed',
    ],
    'a muted and a failing deployment': [
      ['dep_failed', 'dep_other'],
      [muteAccount],
      '1 failing, 1 muted (exit 1)',
      'failure, skipped',
    ],
    'one of two failed accounts': [['dep_both'], [muteAccount], '1 failing (exit 1)', 'failure'],
    'a muted deployment beside a 404': [
      ['dep_failed', 'dep_gone'],
      [muteAccount],
      '1 unknown, 1 muted (exit 2)',
      'error, skipped',
    ],
    'a muted deployment beside a time-out': [
      ['dep_failed', 'dep_silent'],
      [muteAccount],
      '1 unknown, 1 muted (exit 2)',
      'error, skipped',
      '--timeout',
      '3',
    ],
    'a muted account beside an unknown requirement': [
      ['dep_unknown'],
      [muteAccount],
      '1 unknown (exit 2)',
      'error',
    ],
    'a muted account beside an unreadable field': [
      ['dep_unreadable'],
      [muteAccount],
      '1 unknown (exit 2)',
      'error',
    ],
    'a muted deployment beside an invalid entry': [
      ['dep_failed', 1],
      [muteAccount],
      '1 muted, the list was not read completely (exit 2)',
      'skipped, error',
    ],
    'a muted account with --fail-on failed': [
      ['dep_failed'],
      [muteAccount],
      '1 muted (exit 0)',
      'skipped',
      '--fail-on',
      'failed',
    ],
    'a muted account, and a requirement that does not count': [
      ['dep_mixed'],
      [muteAccount],
      '1 failing (exit 0)',
      'skipped',
      '--fail-on',
      'failed',
    ],
    'a muted account, and a requirement that counts': [
      ['dep_mixed'],
      [muteAccount],
      '1 failing (exit 1)',
      'failure',
    ],
    'an account with another error': [
      ['dep_failed'],
      [{ ...muteAccount, error: 'token_expired' }],
      '1 failing (exit 1)',
      'failure',
    ],
    'a muted error without a code': [
      ['dep_no_code'],
      [{ ...muteAccount, error: '' }],
      '1 muted (exit 0)',
      'skipped',
    ],
    'an error with a code, muted without one': [
      ['dep_failed'],
      [{ ...muteAccount, error: '' }],
      '1 failing (exit 1)',
      'failure',
    ],
    'an account without an ID': [
      ['dep_no_id'],
      [{ ...muteAccount, account: 'Ops Slack' }],
      '1 failing (exit 1)',
      'failure',
    ],
    'missing scopes in another order': [
      ['dep_scopes'],
      [{ ...muteRequirement('dep_scopes'), missing: ['channels:read', 'chat:write'] }],
      '1 muted (exit 0)',
      'skipped',
    ],
    'one missing scope of two': [
      ['dep_scopes'],
      [{ ...muteRequirement('dep_scopes'), missing: ['chat:write'] }],
      '1 failing (exit 1)',
      'failure',
    ],
    'two requirements of one name': [
      ['dep_twice'],
      [muteRequirement('dep_twice')],
      '1 failing (exit 1)',
      'failure',
    ],
    'a mute in another deployment': [
      ['dep_unsatisfied', 'dep_ok'],
      [muteRequirement('dep_ok')],
      '1 failing, 1 healthy (exit 1)',
      'failure, passed',
    ],
    'a mute that has ended, and one that has not': [
      ['dep_failed'],
      [{ ...muteAccount, until: '2026-11-24' }, muteAccount],
      '1 muted (exit 0)',
      'skipped',
    ],
    '--ignore-mutes': [
      ['dep_failed'],
      [muteAccount],
      '1 failing (exit 1)',
      'failure',
      '--ignore-mutes',
    ],
  };
  for (const [name, [ids, mutes, lastLine, outcomes, ...args]] of Object.entries(situations)) {
    it(`exits with ${endOf(lastLine)} for ${name}`, async () => {
      platform.fault({ id: 'dep_silent' }, faults.silent());
      const files = ['--junit', 'junit.xml'];
      const ran = await checkSettings(ids, mutes, ...files, ...args);
      assert.equal(lastLineOf(ran), lastLine);
      assert.equal(ran.end, endOf(lastLine));
      assert.equal(outcomesOf(await readJunit(at('junit.xml'))), outcomes);
    });
  }

  it('exits with 2 when the token is rejected', async () => {
    platform.fault('all', faults.status(401));
    const ran = await checkSettings(['dep_failed', 'dep_ok'], [muteAccount]);
    assert.equal(ran.end, 2);
    assert.equal(lastLineOf(ran), '2 unknown (exit 2)');
  });

  it('exits with 2 for a muted account when its JUnit file cannot be written', async () => {
    await program.write('x', '');
    const { end } = await checkSettings(['dep_failed'], [muteAccount], '--junit', 'x/junit.xml');
    assert.equal(end, 2);
  });

  const times: Readonly<Record<string, readonly [until: string, time: string, end: number]>> = {
    'in the first second of the last day': ['2026-11-25', '2026-11-25T00:00:00.000Z', 0],
    'in the last seconds of the last day': ['2026-11-25', '2026-11-25T23:59:57.000Z', 0],
    'right after the last day': ['2026-11-25', '2026-11-26T00:00:00.000Z', 1],
    'a year after the last day': ['2026-11-25', '2027-11-26T00:00:00.000Z', 1],
  };
  for (const zone of ['UTC', 'Pacific/Kiritimati', 'Etc/GMT+12']) {
    for (const [name, [until, time, end]] of Object.entries(times)) {
      it(`exits with ${end} ${name} of a mute (${zone})`, async () => {
        env = { ...env, ...startingAt(time), TZ: zone };
        const ran = await checkSettings(['dep_failed'], [{ ...muteAccount, until }]);
        assert.equal(ran.end, end);
      });
    }
  }

  describe('that are malformed', () => {
    const withToken = (entry: unknown): unknown =>
      JSON.parse(JSON.stringify(entry).replaceAll(token, platform.token));
    /** One entry for each reason, because a file is named at most 100 times. */
    const oneForEach = [...new Map(wrongEntries.map((one) => [one.reason, one])).values()];
    const wrongMutes = () => oneForEach.map(({ entry }) => withToken(entry));
    const notObject = 'This entry mutes nothing, because it is not an object.';

    beforeEach(() => {
      const failed = account({ id: 'acc_1', error });
      const missing = requirement({ satisfied: false });
      const limited = account({ scopes: ['channels:read'] });
      platform.putDeployment('dep_1', authorization([failed, limited], [missing]));
    });

    it('counts what they name', async () => {
      const mutes = wrongEntries.map(({ entry }) => withToken(entry));
      const { end, stdout } = await checkSettings(['dep_1'], mutes);
      assert.match(stdout, /dep_1: Ops Slack failed .*\n.*dep_1: Ops Slack is missing chat:write/);
      assert.doesNotMatch(stdout, /muted/);
      assert.equal(end, 1);
    });

    it('would mute it if they were right', async () => {
      const ran = await checkSettings(['dep_1'], Object.values(rightEntry));
      assert.equal(lastLineOf(ran), '1 muted (exit 0)');
    });

    it('says of each once where it stands and what is wrong', async () => {
      const { stdout } = await checkSettings(['dep_1'], wrongMutes());
      const reported = stdout.split('\n').filter((line) => line.includes('This entry mutes'));
      const expected = oneForEach.map(
        ({ reason }, nth) =>
          `${settingsFile}:${placeOfEntry(nth)}: This entry mutes nothing, because ${reason}.`,
      );
      assert.deepEqual(reported, expected);
    });

    it('says nothing on stderr', async () => {
      const { stderr } = await checkSettings(['dep_ok'], wrongMutes());
      assert.equal(stderr, '');
    });

    it('exits with 0 when all is healthy', async () => {
      const { end } = await checkSettings(['dep_ok'], wrongMutes());
      assert.equal(end, 0);
    });

    it('names the first 100 of a file, and counts the rest', async () => {
      const ran = await checkSettings(['dep_ok'], Array(10_000).fill(1));
      const lines = linesOf(ran);
      assert.deepEqual(lines.slice(99), [
        notObject,
        `9,900 more mutes of ${settingsFile} are malformed.`,
      ]);
      assert.equal(ran.end, 0);
    });

    it('says once that the setting is no list', async () => {
      await program.write(settingsFile, {
        'automationPlatform.deployments': ['dep_failed'],
        'automationPlatform.mutes': muteAccount,
      });
      const { end, stdout } = await check();
      const line = `${settingsFile}:5:31: automationPlatform.mutes is not a list, so it mutes nothing.`;
      assert.equal(stdout.includes(`\n${line}\n`), true, stdout);
      assert.equal(end, 1);
    });

    it('says it once when their file is listed twice', async () => {
      await program.write('a.json', settingsText(['dep_ok'], [1]));
      const ran = await check('--list', 'a.json', '--list', './a.json');
      assert.deepEqual(linesOf(ran), [notObject]);
    });

    it('says it once when their folder has two names', async function () {
      // There a link needs a right of its own.
      if (process.platform === 'win32') return this.skip();
      await program.write(settingsFile, settingsText(['dep_ok'], [1]));
      await symlink('.', at('link'));
      await program.write('a.code-workspace', { folders: [{ path: '.' }, { path: 'link' }] });
      assert.deepEqual(linesOf(await check()), [notObject]);
    });

    it('says it on stderr when nothing is listed', async () => {
      const { end, stdout, stderr } = await checkSettings([], [1]);
      assert.equal(end, 3);
      assert.equal(stdout, '');
      assert.equal(stderr.split('\n', 1)[0], `${settingsFile}:${placeOfEntry(0)}: ${notObject}`);
    });

    it('says nothing of them with --ignore-mutes', async () => {
      const { stdout, stderr } = await checkSettings(['dep_ok'], [1], '--ignore-mutes');
      assert.equal(stdout, '1 healthy (exit 0)\n');
      assert.equal(stderr, '');
    });
  });

  describe('in a file that is not valid JSON', () => {
    const invalid = settingsText(['dep_failed'], [muteAccount]).replace(/\}\n$/, '');
    beforeEach(() => program.write(settingsFile, invalid));

    it('counts what they name', async () => {
      const { end } = await check('--id', 'dep_failed');
      assert.equal(end, 1);
    });

    it('says that they do not count', async () => {
      const { stderr } = await check();
      const sentence = 'This is not valid JSON, so entries may be missing. Its mutes do not count.';
      assert.equal(stderr, `${settingsFile}:6:1: ${sentence}\n`);
    });

    it('says nothing of them with --ignore-mutes', async () => {
      const { stderr } = await check('--ignore-mutes');
      assert.match(stderr, /: This is not valid JSON, so entries may be missing\.\n$/);
    });
  });
});

import { strict as assert } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  account,
  authorization,
  failedAccount,
  requirement,
  unsatisfied,
} from '../../support/platform/data.js';
import type { Platform } from '../../support/platform/platform.js';
import { readJunit } from './junitReport.js';
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
const reason = 'App review at Slack, FIN-1234';
const until = 'muted for everyone until 2026-12-31 (App review at Slack, FIN-1234).';
const failed = `Ops Slack failed (token_revoked) in dep_failed: ${until}`;

describe('the output of the check with mutes', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let env: Record<string, string>;
  const at = (name: string) => join(program.folder, name);

  useCheck((world) => {
    ({ program, platform, env } = world);
    env = { ...env, ...startingAt(`${today}T12:00:00Z`) };
    platform.putDeployment('dep_unsatisfied', unsatisfied());
  });

  /** Writes the settings of the folder, and runs the check. */
  async function check(
    ids: readonly unknown[],
    mutes: readonly Entry[],
    ...args: readonly string[]
  ): Promise<Ran> {
    await program.write(settingsFile, settingsText(ids, mutes));
    return program.run(args, env);
  }
  /** The lines of the output but for the last one. */
  async function lines(...given: Parameters<typeof check>): Promise<readonly string[]> {
    const { stdout } = await check(...given);
    return stdout.trimEnd().split('\n').slice(0, -1);
  }
  const placed = (index: number, text: string) => `${settingsFile}:${placeOfEntry(index)}: ${text}`;
  const annotated = (level: string, index: number, text: string) => {
    const [line, column] = placeOfEntry(index).split(':');
    return `::${level} file=${settingsFile},line=${line},col=${column}::${text}`;
  };

  it('says what is muted, until when, and why', async () => {
    const said = await lines(['dep_failed'], [muteAccount]);
    assert.deepEqual(said, [placed(0, failed)]);
  });

  it('says what is muted after the problems that count', async () => {
    const said = await lines(['dep_failed', 'dep_unsatisfied'], [muteAccount]);
    assert.match(said[0] ?? '', / dep_unsatisfied: notifier \(slack\) is not satisfied\. /);
    assert.deepEqual(said.slice(1), [placed(0, failed)]);
  });

  it('has one line for an account in 12 deployments', async () => {
    const ids = Array.from({ length: 12 }, (_, nth) => `dep_${nth}`);
    for (const id of ids) platform.putDeployment(id, failedAccount());
    const said = await lines(ids, [muteAccount]);
    const where = 'dep_0, dep_1, dep_2, 9 more';
    assert.deepEqual(said, [placed(0, `Ops Slack failed (token_revoked) in ${where}: ${until}`)]);
  });

  it('names the entry that ends last when two mute the same', async () => {
    const earlier = { ...muteAccount, until: '2026-12-01' };
    const said = await lines(['dep_failed'], [earlier, muteAccount, earlier]);
    assert.deepEqual(said, [placed(1, failed)]);
  });

  it('begins with what ends first', async () => {
    const earlier = { ...muteRequirement('dep_unsatisfied'), until: '2026-12-30' };
    const said = await lines(['dep_failed', 'dep_unsatisfied'], [muteAccount, earlier]);
    const where = 'notifier (slack) is not satisfied in dep_unsatisfied';
    const first = `${where}: muted for everyone until 2026-12-30 (${reason}).`;
    assert.deepEqual(said, [placed(1, first), placed(0, failed)]);
  });

  const ends: Readonly<Record<string, string>> = {
    '2026-11-25': 'It ends today.',
    '2026-11-26': 'It ends tomorrow.',
    '2026-11-27': 'It ends in 2 days.',
    '2026-12-02': 'It ends in 7 days.',
  };
  for (const [day, end] of Object.entries(ends)) {
    it(`says on 2026-11-25 “${end}” of a mute until ${day}`, async () => {
      const [said = ''] = await lines(['dep_failed'], [{ ...muteAccount, until: day }]);
      const [, afterReason] = said.split('(App review at Slack, FIN-1234). ');
      assert.equal(afterReason, end);
    });
  }

  it('does not say 8 days before that a mute ends', async () => {
    const [said = ''] = await lines(['dep_failed'], [{ ...muteAccount, until: '2026-12-03' }]);
    assert.match(said, /\(App review at Slack, FIN-1234\)\.$/);
  });

  it('counts days by UTC, whatever the time of day is', async () => {
    const mutes = [{ ...muteAccount, until: '2026-11-26' }];
    for (const time of ['00:00:00', '23:59:50']) {
      env = { ...env, ...startingAt(`${today}T${time}Z`), TZ: 'Pacific/Kiritimati' };
      const [said = ''] = await lines(['dep_failed'], mutes);
      assert.match(said, / It ends tomorrow\.$/, time);
    }
  });

  describe('about entries that mute nothing', () => {
    const notes: Readonly<
      Record<string, readonly [id: string, entry: Entry, note: string | undefined]>
    > = {
      'an account that works': [
        'dep_ok',
        muteAccount,
        'Ops Slack works, so this mute is obsolete. Remove the entry.',
      ],
      'a requirement that is satisfied': [
        'dep_ok',
        muteRequirement('dep_ok'),
        'notifier is satisfied in dep_ok, so this mute is obsolete. Remove the entry.',
      ],
      'a mute that has ended': [
        'dep_ok',
        { ...muteAccount, until: '2026-11-24' },
        'This mute ended on 2026-11-24. Remove the entry, or give it a later end.',
      ],
      'an error that has changed': [
        'dep_failed',
        { ...muteAccount, error: 'other' },
        'Ops Slack failed (token_revoked) in dep_failed: this has changed since it was muted, so ' +
          'this entry mutes nothing. Change or remove the entry.',
      ],
      'missing scopes that have changed': [
        'dep_unsatisfied',
        { ...muteRequirement('dep_unsatisfied'), missing: ['chat:write'] },
        'notifier (slack) is not satisfied in dep_unsatisfied: this has changed since it was ' +
          'muted, so this entry mutes nothing. Change or remove the entry.',
      ],
      'two requirements of one name': [
        'dep_twice',
        muteRequirement('dep_twice'),
        'Several requirements of dep_twice have the name notifier, or may have it, so this entry ' +
          'mutes none of them. Remove the entry.',
      ],
      'an account that is not there': [
        'dep_ok',
        { ...muteAccount, account: 'acc_gone' },
        undefined,
      ],
      'a requirement that is not there': [
        'dep_ok',
        { ...muteRequirement('dep_ok'), requirement: 'gone' },
        undefined,
      ],
      'a deployment that is not listed': ['dep_ok', muteRequirement('dep_failed'), undefined],
      'a deployment that is not found': ['dep_gone', muteRequirement('dep_gone'), undefined],
    };
    beforeEach(() => {
      const { accounts, requirements } = unsatisfied();
      const both = [...requirements, ...requirements];
      platform.putDeployment('dep_twice', authorization(accounts, both));
    });
    /** The lines about the entry, without its place. */
    const notesIn = (said: readonly string[]) => {
      const beginning = placed(0, '');
      const found = said.filter((line) => line.startsWith(beginning));
      return found.map((line) => line.slice(beginning.length));
    };

    for (const [name, [id, entry, note]] of Object.entries(notes)) {
      it(`says ${note === undefined ? 'nothing' : 'once what it is'} for ${name}`, async () => {
        const said = await lines([id], [entry]);
        assert.deepEqual(notesIn(said), note === undefined ? [] : [note]);
      });
    }

    it('names an obsolete account as the deployment does in which it works', async () => {
      const broken = { ...account({ label: 'Broken' }), error: 5 };
      platform.putDeployment('dep_broken', { accounts: [broken], requirements: [] });
      const said = await lines(['dep_broken', 'dep_ok'], [muteAccount]);
      assert.deepEqual(notesIn(said), [
        'Ops Slack works, so this mute is obsolete. Remove the entry.',
      ]);
    });

    it('says nothing of one that mutes in one deployment and is obsolete in another', async () => {
      const said = await lines(['dep_failed', 'dep_ok'], [muteAccount]);
      assert.deepEqual(said, [placed(0, failed)]);
    });

    it('names a deployment in which the error can be read for one that has changed', async () => {
      const unreadable = { code: 5 } as object;
      platform.putDeployment('dep_a', authorization([account({ error: unreadable })], []));
      const said = await lines(['dep_a', 'dep_failed'], [{ ...muteAccount, error: 'other' }]);
      const beginning = 'Ops Slack failed (token_revoked) in dep_failed: this has changed ';
      assert.equal(notesIn(said)[0]?.slice(0, beginning.length), beginning);
    });

    it('says nothing with --ignore-mutes', async () => {
      const ids = Object.values(notes).map(([id]) => id);
      const mutes = Object.values(notes).map(([, entry]) => entry);
      const { stdout, stderr } = await check(ids, mutes, '--ignore-mutes');
      assert.doesNotMatch(stdout, /mute/);
      assert.equal(stderr, '');
    });

    it('changes no exit code', async () => {
      const mutes = [muteAccount, { ...muteAccount, account: 'x', until: '2026-11-24' }];
      const { end, stderr } = await check(['dep_ok'], mutes);
      assert.equal(end, 0);
      assert.equal(stderr, '');
    });
  });

  it('says in the line of a problem that it has changed since it was muted', async () => {
    const [said = ''] = await lines(['dep_failed'], [{ ...muteAccount, error: 'other' }]);
    const line =
      'dep_failed: Ops Slack failed (token_revoked), changed since it was muted. Reconnect Ops Slack.';
    assert.equal(said, `${settingsFile}:2:38: ${line}`);
  });

  describe('for GitHub', () => {
    const github = ['--format', 'github'];

    it('has a notice at the entry', async () => {
      const said = await lines(['dep_failed'], [muteAccount], ...github);
      assert.deepEqual(said, [annotated('notice', 0, failed)]);
    });

    it('has a warning when the mute ends within 7 days', async () => {
      const mutes = [{ ...muteAccount, until: '2026-12-02' }];
      const [said = ''] = await lines(['dep_failed'], mutes, ...github);
      assert.match(said, /^::warning file=.* It ends in 7 days\.$/);
    });

    it('has a warning for each entry that mutes nothing', async () => {
      const mutes = [muteAccount, { ...muteAccount, until: 'never' }];
      const said = await lines(['dep_ok'], mutes, ...github);
      assert.deepEqual(said, [
        annotated(
          'warning',
          1,
          'This entry mutes nothing, because “until” is not a day such as 2026-12-31.',
        ),
        annotated('warning', 0, 'Ops Slack works, so this mute is obsolete. Remove the entry.'),
      ]);
    });

    it('has a table of mutes in the summary of the step', async () => {
      env['GITHUB_STEP_SUMMARY'] = at('step.md');
      await check(['dep_failed'], [muteAccount], ...github);
      const summary = await readFile(at('step.md'), 'utf8');
      assert.match(summary, /\| What is muted for everyone \|/);
    });
  });

  describe('in JSON', () => {
    interface Result {
      readonly problems: readonly object[];
      readonly mutedProblems?: readonly Entry[];
      readonly muteNotes?: readonly string[];
    }
    async function read(...given: Parameters<typeof check>): Promise<Result> {
      const [ids, mutes, ...args] = given;
      const { stdout } = await check(ids, mutes, ...args, '--format', 'json');
      return JSON.parse(stdout);
    }

    it('has a list of muted problems with end and reason', async () => {
      const { mutedProblems = [], problems } = await read(['dep_failed'], [muteAccount]);
      assert.deepEqual(problems, []);
      assert.equal(mutedProblems.length, 1);
      const { deploymentId, mutedUntil, reason: why } = mutedProblems[0]!;
      const said = [deploymentId, mutedUntil, why];
      assert.deepEqual(said, ['dep_failed', '2027-01-01T00:00:00.000Z', reason]);
    });

    it('has a list of notes with their places', async () => {
      const { muteNotes } = await read(['dep_ok'], [muteAccount, { ...muteAccount, since: 5 }]);
      assert.deepEqual(muteNotes, [
        placed(1, 'This entry mutes nothing, because “since” is not a text.'),
        placed(0, 'Ops Slack works, so this mute is obsolete. Remove the entry.'),
      ]);
    });

    it('has no field about mutes when there are none', async () => {
      const result = await read(['dep_ok'], []);
      assert.equal('mutedProblems' in result, false);
      assert.equal('muteNotes' in result, false);
    });
  });

  describe('in files', () => {
    const files = ['--junit', 'junit.xml', '--summary', 'summary.md'];
    async function written(...given: Parameters<typeof check>) {
      const [ids, mutes, ...args] = given;
      await check(ids, mutes, ...files, ...args);
      const summary = await readFile(at('summary.md'), 'utf8');
      return { ...(await readJunit(at('junit.xml'))), summary: summary.split('\n') };
    }

    it('has a skipped test case with the line as its text', async () => {
      const { cases, suite } = await written(['dep_failed'], [muteAccount]);
      const { outcome, message, text } = cases[0]!;
      assert.deepEqual(
        { outcome, message, text },
        { outcome: 'skipped', message: failed, text: placed(0, failed) },
      );
      const { failures, errors, skipped } = suite;
      assert.deepEqual({ failures, errors, skipped }, { failures: '0', errors: '0', skipped: '1' });
    });

    it('has what is muted as the message of a test case before what does not count', async () => {
      const accounts = [...failedAccount().accounts, account({ id: 'acc_2' })];
      const other = requirement({ accountId: 'acc_2', satisfied: false });
      platform.putDeployment('dep_mixed', authorization(accounts, [other]));
      const { cases } = await written(['dep_mixed'], [muteAccount], '--fail-on', 'failed');
      const { outcome, message } = cases[0]!;
      assert.equal(outcome, 'skipped');
      assert.equal(message, failed.replace('dep_failed', 'dep_mixed'));
    });

    it('has what is muted below what counts in a test case', async () => {
      const error = { code: 'token_revoked' };
      const accounts = [account({ error }), account({ id: 'acc_2', label: 'Second', error })];
      platform.putDeployment('dep_both', authorization(accounts, []));
      const { cases } = await written(['dep_both'], [muteAccount]);
      assert.equal(
        cases[0]?.text,
        `${settingsFile}:2:38: dep_both: Second failed (token_revoked). Reconnect Second.\n` +
          placed(0, failed.replace('dep_failed', 'dep_both')),
      );
    });

    it('has a second table in the summary', async () => {
      const ids = ['dep_failed', { id: 'dep_other', label: 'Lead intake' }, 'dep_unsatisfied'];
      platform.putDeployment('dep_other', failedAccount());
      const { summary } = await written(ids, [muteAccount]);
      assert.deepEqual(summary.slice(7), [
        '| What is muted for everyone | Deployments | Until when, and why |',
        '| --- | --- | --- |',
        '| Ops Slack failed · `token_revoked` | `dep_failed`, “Lead intake” | 2026-12-31 · App review at Slack, `FIN-1234` |',
        '',
      ]);
    });

    it('names no owner of what is muted in the summary', async () => {
      await program.write('a.code-workspace', {
        settings: { 'automationPlatform.owners': { slack: 'Maria' } },
      });
      const { summary } = await written(['dep_failed'], [muteAccount]);
      assert.doesNotMatch(summary.join('\n'), /Maria/);
    });

    it('has a row of its own for an account that has changed since it was muted', async () => {
      platform.putDeployment('dep_other', failedAccount());
      const changed = { ...muteAccount, error: 'other' };
      await program.write('web/.vscode/settings.json', settingsText(['dep_other'], [changed]));
      await program.write('a.code-workspace', '{ "folders": [{ "path": "web" }] }');
      const { summary } = await written(['dep_failed'], []);
      const rows = summary.filter((line) => line.startsWith('| Ops Slack'));
      assert.deepEqual(rows, [
        '| Ops Slack failed · `token_revoked` | `dep_failed` | Reconnect Ops Slack. |',
        '| Ops Slack failed · `token_revoked` · changed since it was muted | `dep_other` | Reconnect Ops Slack. |',
      ]);
    });

    it('has a row of its own for a requirement that has changed since it was muted', async () => {
      platform.putDeployment('dep_other', unsatisfied());
      const changed = { ...muteRequirement('dep_other'), missing: ['chat:write'] };
      const { summary } = await written(['dep_unsatisfied', 'dep_other'], [changed]);
      const rows = summary.filter((line) => line.startsWith('| notifier'));
      const deploymentsOf = rows.map((row) => row.split(' | ')[1]);
      assert.deepEqual(deploymentsOf, ['`dep_other`', '`dep_unsatisfied`']);
      assert.match(rows[0] ?? '', / is not satisfied · changed since it was muted \|/);
    });

    it('has a row for each end and reason in the summary', async () => {
      platform.putDeployment('dep_other', failedAccount());
      await program.write('web/.vscode/settings.json', settingsText(['dep_other'], [muteAccount]));
      await program.write('a.code-workspace', '{ "folders": [{ "path": "web" }] }');
      const soon = { ...muteAccount, until: '2026-11-27', reason: 'Holidays' };
      const { summary } = await written(['dep_failed'], [soon]);
      const rows = summary.filter((line) => line.startsWith('| Ops Slack'));
      assert.deepEqual(rows, [
        '| Ops Slack failed · `token_revoked` | `dep_failed` | 2026-11-27 · Holidays · It ends in 2 days. |',
        '| Ops Slack failed · `token_revoked` | `dep_other` | 2026-12-31 · App review at Slack, `FIN-1234` |',
      ]);
    });

    it('has a list of notes at the end of the summary', async () => {
      const { summary } = await written(['dep_ok'], [muteAccount]);
      assert.deepEqual(summary.slice(1), [
        '## Automation Platform: 1 healthy',
        '',
        '- `.vscode/settings.json:4:5`: Ops Slack works, so this mute is obsolete. Remove the entry.',
        '',
      ]);
    });

    it('leaves out notes beyond the first 10 of the summary', async () => {
      const mutes = Array.from({ length: 30 }, () => ({ ...muteAccount, until: 'never' }));
      const { summary } = await written(['dep_ok'], mutes);
      const notes = summary.filter((line) => line.startsWith('- '));
      assert.equal(notes.length, 11);
      assert.equal(notes.at(-1), '- 20 more');
    });

    it('counts a muted deployment among those that were read', async () => {
      const { summary } = await written(['dep_failed'], [muteAccount]);
      assert.equal(summary[0], '<!-- automation-platform-check exit=0 listed=1 read=1 -->');
    });
  });
});

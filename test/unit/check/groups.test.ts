import { strict as assert } from 'node:assert';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { healthy, unsatisfied } from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import type { Platform } from '../../support/platform/platform.js';
import { outcomesOf, readJunit } from './junitReport.js';
import { muteAccount, settingsText, startingAt, today } from './muteSettings.js';
import { type CheckProgram, type Ran, useCheck } from './run.js';

const settingsFile = '.vscode/settings.json';
/** Where the first entry stands in `settingsText`. */
const firstPlace = `${settingsFile}:2:38`;
const tooLong = 'x'.repeat(61);

const ok = { id: 'dep_ok', group: 'payments' };
const failed = { id: 'dep_failed', group: 'ops' };
const gone = { id: 'dep_gone', group: 'web' };
const entries = [ok, failed, gone, 'dep_plain', { id: 'dep_unsatisfied', group: 'sales' }];

describe('the check with --group', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let env: Record<string, string>;
  const at = (name: string) => join(program.folder, name);
  const check = (...args: readonly string[]) => program.run(args, env);
  const write = (list: readonly unknown[], mutes: readonly unknown[] = []) =>
    program.write(settingsFile, settingsText(list, mutes));
  /** Runs the check of these groups. */
  const checkGroups = (groups: readonly string[], ...args: readonly string[]) =>
    check(...groups.flatMap((group) => ['--group', group]), ...args);
  const lastLineOf = ({ stdout }: Ran) => stdout.trimEnd().split('\n').at(-1);
  const requestedIds = () => platform.requests.map(({ route }) => route.id ?? '').toSorted();

  useCheck((world) => {
    ({ program, platform, env } = world);
    env = { ...env, ...startingAt(`${today}T12:00:00Z`) };
    platform.putDeployment('dep_plain', healthy());
    platform.putDeployment('dep_unsatisfied', unsatisfied());
  });

  describe('of a list that was read completely', () => {
    beforeEach(() => write(entries));

    const lastLines: Readonly<Record<string, readonly [groups: string, lastLine: string]>> = {
      'a healthy group': ['payments', 'payments: 1 healthy (exit 0)'],
      'a failing group': ['ops', 'ops: 1 failing (exit 1)'],
      'an unknown deployment': ['web', 'web: 1 unknown (exit 2)'],
      'a failing and a healthy group': [
        'payments ops',
        'payments, ops: 1 failing, 1 healthy (exit 1)',
      ],
      'a failing group and an unknown deployment': [
        'web ops',
        'web, ops: 1 failing, 1 unknown (exit 1)',
      ],
      'an unknown deployment and a healthy group': [
        'web payments',
        'web, payments: 1 unknown, 1 healthy (exit 2)',
      ],
      'a group that is named twice': ['payments payments', 'payments: 1 healthy (exit 0)'],
      'all groups': [
        'payments ops web sales',
        'payments, ops, web, sales: 2 failing, 1 unknown, 1 healthy (exit 1)',
      ],
    };
    for (const [name, [groups, lastLine]] of Object.entries(lastLines)) {
      it(`begins the last line with the groups for ${name}`, async () => {
        const ran = await checkGroups(groups.split(' '));
        assert.equal(lastLineOf(ran), lastLine);
        assert.equal(ran.end, Number(/exit (\d)/.exec(lastLine)?.[1]));
      });
    }

    it('reads no deployment of another group', async () => {
      await checkGroups(['payments', 'ops']);
      assert.deepEqual(requestedIds(), ['dep_failed', 'dep_ok']);
    });

    it('counts by --fail-on', async () => {
      const ran = await checkGroups(['sales'], '--fail-on', 'failed');
      assert.equal(lastLineOf(ran), 'sales: 1 failing (exit 0)');
    });

    it('counts what is muted', async () => {
      await write(entries, [muteAccount]);
      const ran = await checkGroups(['ops']);
      assert.equal(lastLineOf(ran), 'ops: 1 muted (exit 0)');
    });

    it('names the groups before the number of deployments that were not read', async () => {
      platform.fault('all', faults.status(401));
      const { stdout } = await checkGroups(['payments', 'ops']);
      assert.match(stdout, /^Token rejected .* payments, ops: 2 deployments were not read\.\n/);
    });

    it('has the groups as a field of JSON before the counts', async () => {
      const { stdout } = await checkGroups(['payments', 'ops'], '--format', 'json');
      const { groups, deployments } = JSON.parse(stdout);
      assert.deepEqual(groups, ['payments', 'ops']);
      assert.equal(deployments.total, 2);
      assert.ok(stdout.indexOf('"groups"') < stdout.indexOf('"deployments"'), stdout);
    });

    it('has the group of each problem in JSON', async () => {
      const { stdout } = await checkGroups(['payments', 'ops'], '--format', 'json');
      const { problems } = JSON.parse(stdout);
      assert.equal(problems[0].group, 'ops');
    });

    it('has the groups in the heading of the summary', async () => {
      await checkGroups(['payments', 'ops'], '--summary', 'summary.md');
      const [, heading] = (await readFile(at('summary.md'), 'utf8')).split('\n');
      assert.equal(heading, '## Automation Platform: payments, ops: 1 failing, 1 healthy');
    });

    it('counts all listed deployments in the first line of the summary', async () => {
      await checkGroups(['payments'], '--summary', 'summary.md');
      const [mark] = (await readFile(at('summary.md'), 'utf8')).split('\n');
      assert.equal(mark, '<!-- automation-platform-check exit=0 listed=5 read=1 -->');
    });

    it('has test cases of these groups alone, in classes of their groups', async () => {
      await checkGroups(['payments', 'ops'], '--junit', 'junit.xml');
      const { cases } = await readJunit(at('junit.xml'));
      const classes = cases.map(({ classname, name }) => [classname, name]);
      assert.deepEqual(classes, [
        ['automation-platform.ops', 'dep_failed'],
        ['automation-platform.payments', 'dep_ok'],
      ]);
    });
  });

  it('names five groups at most', async () => {
    const groups = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    await write(groups.map((group) => ({ id: `dep_${group}`, group })));
    for (const group of groups) platform.putDeployment(`dep_${group}`, healthy());
    const ran = await checkGroups(groups);
    assert.equal(lastLineOf(ran), 'a, b, c, d, e, 2 more: 7 healthy (exit 0)');
  });

  it('names deployments of one label with their IDs although one is in another group', async () => {
    await write([
      { ...failed, label: 'Sync' },
      { id: 'dep_ok', label: 'sync', group: 'payments' },
    ]);
    const { stdout } = await checkGroups(['ops']);
    assert.match(stdout, /: Sync \(dep_failed\): Ops Slack failed /);
  });

  it('takes the first group and the first label, each for itself', async () => {
    await program.write('a.json', settingsText([{ id: 'dep_failed', label: 'Sync' }], []));
    await program.write('b.json', settingsText([failed], []));
    await program.write('c.json', settingsText([{ ...failed, label: 'x', group: 'web' }], []));
    const lists = ['a.json', 'b.json', 'c.json'].flatMap((file) => ['--list', file]);
    const { stdout } = await checkGroups(['ops'], ...lists);
    assert.match(stdout, /^a\.json:2:38: Sync: Ops Slack failed /);
  });

  describe('given an unknown group', () => {
    const none = 'No listed deployment is in the';
    const all = 'The groups are “ops”, “payments”, “sales”, and “web”.';
    const list = (...given: readonly unknown[]) => given;
    const unknown: Readonly<
      Record<string, readonly [list: readonly unknown[], groups: string[], sentence: string]>
    > = {
      'beside a known one': [entries, ['payments', 'gone'], `${none} group “gone”. ${all}`],
      'in another case': [entries, ['Payments'], `${none} group “Payments”. ${all}`],
      'with a space at its end': [entries, ['ops '], `${none} group “ops ”. ${all}`],
      'beside another one': [entries, ['a', 'b'], `${none} groups “a” or “b”. ${all}`],
      'of a list with one group': [[ok], ['a'], `${none} group “a”. The only group is “payments”.`],
      'of a list without groups': [
        ['dep_ok'],
        ['a'],
        `${none} group “a”. No entry of the list names a group.`,
      ],
      'named as those in no group are elsewhere': [
        list('dep_ok', failed),
        ['No group'],
        `${none} group “No group”. The only group is “ops”.`,
      ],
    };
    for (const [name, [given, groups, sentence]] of Object.entries(unknown)) {
      it(`exits with 3 and names the groups that there are (${name})`, async () => {
        await write(given);
        const { end, stdout, stderr } = await checkGroups(groups);
        assert.equal(stderr, `Nothing was checked. ${sentence}\n`);
        assert.equal(stdout, '');
        assert.equal(end, 3);
        assert.deepEqual(requestedIds(), []);
      });
    }

    it('names ten groups at most, in the order of their names', async () => {
      const groups = Array.from({ length: 12 }, (_, nth) => `team ${12 - nth}`);
      await write(groups.map((group, nth) => ({ id: `dep_${nth}`, group })));
      const { stderr } = await checkGroups(['gone']);
      assert.match(stderr, / are “team 1”, “team 2”, .*, “team 10”, and 2 more\.\n$/);
    });

    it('shortens what is longer than a name', async () => {
      const emoji = '👍'.repeat(60);
      await write([{ id: 'dep_ok', group: emoji }]);
      const { stderr } = await checkGroups(['gone']);
      assert.match(stderr, /\. The only group is “👍{29}…”\.\n$/u);
    });

    it('exits with 3 when only --id and lines name deployments', async () => {
      await program.write('list.txt', 'dep_ok\n');
      const { end, stderr } = await checkGroups(['ops'], '--id', 'dep_ok', '--list', 'list.txt');
      assert.equal(end, 3);
      assert.match(stderr, / group “ops”\. No entry of the list names a group\.\n$/);
    });

    it('says that nothing is listed when that is so', async () => {
      const { end, stderr } = await checkGroups(['ops']);
      assert.equal(end, 3);
      assert.match(stderr, /^Nothing to check: no deployments are listed/);
    });

    it('exits with 2 when an entry that may be in it is malformed', async () => {
      await write([ok, 1]);
      const { end, stderr } = await checkGroups(['gone']);
      assert.equal(end, 2);
      assert.match(stderr, /^Nothing was checked\. No listed deployment is in the group “gone”\./m);
    });

    it('says it once when its list is empty beside another one', async () => {
      await program.write('empty.json', '{}');
      await program.write('a.json', settingsText([ok], []));
      const { end } = await checkGroups(['gone'], '--list', 'empty.json', '--list', 'a.json');
      assert.equal(end, 3);
    });

    describe('in each format and file', () => {
      const sentence = /Nothing was checked\. No listed deployment is in the group “gone”\./;
      beforeEach(() => write(entries));

      it('says so in JSON', async () => {
        const { end, stdout } = await checkGroups(['gone'], '--format', 'json');
        const { exitCode, error } = JSON.parse(stdout);
        assert.deepEqual([end, exitCode], [3, 3]);
        assert.match(error, sentence);
      });

      it('says so as an annotation and in the summary of the step', async () => {
        env['GITHUB_STEP_SUMMARY'] = at('step.md');
        const { end, stdout } = await checkGroups(['gone'], '--format', 'github');
        assert.equal(end, 3);
        assert.match(stdout, /^::error::Nothing was checked\. No listed .* “gone”\. .*\n$/);
        assert.match(await readFile(at('step.md'), 'utf8'), sentence);
      });

      it('says so as an error in the JUnit file', async () => {
        await checkGroups(['gone'], '--junit', 'junit.xml');
        const { cases } = await readJunit(at('junit.xml'));
        assert.deepEqual([cases.length, cases[0]?.outcome], [1, 'error']);
        assert.match(cases[0]?.text ?? '', sentence);
      });

      it('says so in the summary', async () => {
        await checkGroups(['gone'], '--summary', 'summary.md');
        const summary = await readFile(at('summary.md'), 'utf8');
        assert.match(summary, /^<!-- automation-platform-check exit=3 listed=0 read=0 -->\n/);
        assert.match(summary, sentence);
      });
    });

    it('repeats no token', async () => {
      await write(entries);
      // The name is shortened in the middle of the token.
      const { stderr } = await checkGroups([`${'👍'.repeat(20)}${platform.token}`]);
      assert.match(stderr, /group “👍{20}/u);
      assert.equal(stderr.includes(platform.token.slice(0, 12)), false, stderr);
    });
  });

  it('takes a deployment of --id that a settings file has in the group', async () => {
    await program.write('a.json', settingsText([failed], []));
    const args = ['--id', 'dep_failed', '--id', 'dep_ok', '--list', 'a.json'];
    const ran = await checkGroups(['ops'], ...args);
    assert.equal(lastLineOf(ran), 'ops: 1 failing (exit 1)');
  });

  describe('of a list that was not read completely', () => {
    const incomplete = 'the list was not read completely';

    it('exits with 2 for a healthy group beside a malformed entry', async () => {
      await write([ok, 1]);
      const ran = await checkGroups(['payments']);
      assert.equal(lastLineOf(ran), `payments: 1 healthy, ${incomplete} (exit 2)`);
    });

    it('exits with 1 for a failing group beside a malformed entry', async () => {
      await write([failed, 1]);
      const ran = await checkGroups(['ops']);
      assert.equal(lastLineOf(ran), `ops: 1 failing, ${incomplete} (exit 1)`);
    });

    it('exits with 2 for a healthy group beside a file that was not read', async () => {
      await write([ok]);
      await program.write('a.code-workspace', { folders: [{ path: '.' }, { path: 'gone' }] });
      const ran = await checkGroups(['payments']);
      assert.equal(lastLineOf(ran), `payments: 1 healthy, ${incomplete} (exit 2)`);
    });

    it('exits with 2 beside a group that is not UTF-8', async () => {
      await write([{ ...ok, group: 'Küche' }]);
      const latin = Buffer.from(settingsText([{ ...failed, group: 'Küche' }], []), 'latin1');
      await program.write('latin.json', latin);
      const lists = ['--list', settingsFile, '--list', 'latin.json'];
      const { end } = await checkGroups(['Küche'], ...lists);
      assert.equal(end, 2);
    });

    it('has an error beside the test cases of the groups', async () => {
      await write([ok, 1]);
      await checkGroups(['payments'], '--junit', 'junit.xml');
      const report = await readJunit(at('junit.xml'));
      assert.equal(outcomesOf(report), 'passed, error');
      assert.equal(report.cases[1]?.classname, 'automation-platform');
    });
  });

  const noName = 'The group of this entry is not a name of 1 to 60 characters';
  const unusable: Readonly<Record<string, readonly [group: () => unknown, reason: string]>> = {
    'a number': [() => 5, noName],
    'a text that nobody can see': [() => ' \u200b', noName],
    'a text of 61 characters': [() => tooLong, noName],
    'a text with the token': [
      () => `payments ${platform.token}`,
      'The group of this entry contains the token',
    ],
    'a text that was not UTF-8': [
      () => 'K\uFFFDche',
      'The group of this entry contains bytes that are not UTF-8',
    ],
  };
  for (const [name, [group, reason]] of Object.entries(unusable)) {
    describe(`given ${name} as a group`, () => {
      beforeEach(() => write([{ id: 'dep_plain', group: group() }, ok]));

      it('exits with 2 when no other entry has a group for the deployment', async () => {
        const ran = await checkGroups(['payments']);
        assert.equal(ran.stderr, `${firstPlace}: ${reason}, so the deployment may be missing.\n`);
        assert.match(lastLineOf(ran) ?? '', /^payments: 1 healthy, the list was .* \(exit 2\)$/);
        assert.equal(ran.end, 2);
      });

      it('notes it without --group, and exits with 0', async () => {
        const { end, stdout, stderr } = await check();
        assert.equal(stderr, `${firstPlace}: ${reason}, so it does not count.\n`);
        assert.equal(stdout, '2 healthy (exit 0)\n');
        assert.equal(end, 0);
      });

      it('has a test case without a group', async () => {
        await check('--junit', 'junit.xml');
        const { cases } = await readJunit(at('junit.xml'));
        const plain = cases.find((one) => one.name === 'dep_plain');
        assert.equal(plain?.classname, 'automation-platform');
      });
    });
  }

  describe('given an unusable group beside a usable one of the deployment', () => {
    const wrong = { id: 'dep_ok', group: 5 };
    const other = { id: 'dep_plain', group: 'other' };
    const cases: Readonly<
      Record<string, readonly [list: readonly unknown[], groups: string[], end: number]>
    > = {
      'in the group that is wanted': [[wrong, ok], ['payments'], 0],
      'in the group that is wanted, before it': [[ok, wrong], ['payments'], 0],
      'in another group, before it': [[ok, wrong, other], ['other'], 0],
      'in another group, after it': [[wrong, ok, other], ['other'], 2],
      'in none, before it': [['dep_ok', wrong, other], ['other'], 2],
    };
    for (const [name, [list, groups, end]] of Object.entries(cases)) {
      it(`exits with ${end} when that is ${name}`, async () => {
        await write(list);
        const ran = await checkGroups(groups);
        assert.equal(ran.end, end);
      });
    }
  });

  describe('given an unusable label', () => {
    const note = 'The label of this entry is not a text, so it does not count.';
    beforeEach(() =>
      write([
        { ...ok, label: 5 },
        { id: 'dep_plain', group: 'other' },
      ]),
    );

    for (const args of [[], ['--group', 'payments'], ['--group', 'other']]) {
      it(`notes it and exits with 0 (${args.join(' ') || 'without --group'})`, async () => {
        const { end, stderr } = await check(...args);
        assert.equal(stderr, `${firstPlace}: ${note}\n`);
        assert.equal(end, 0);
      });
    }

    it('notes it after the note on the group of the same entry, too', async () => {
      await write([{ id: 'dep_ok', label: 5, group: 5 }]);
      const { stderr } = await check();
      assert.deepEqual(stderr.split('\n'), [
        `${firstPlace}: ${note}`,
        `${firstPlace}: ${noName}, so it does not count.`,
        '',
      ]);
    });

    it('notes it once when its file is named twice', async () => {
      const { stderr } = await check('--list', settingsFile, '--list', `./${settingsFile}`);
      assert.equal(stderr, `${firstPlace}: ${note}\n`);
    });

    it('notes it once when its file has two names', async function () {
      // There a link needs a right of its own.
      if (process.platform === 'win32') return this.skip();
      await symlink(settingsFile, at('link.json'));
      const { stderr } = await check('--list', settingsFile, '--list', 'link.json');
      assert.equal(stderr, `${firstPlace}: ${note}\n`);
    });
  });

  it('notes the first 100 unusable groups of a file, and counts the rest', async () => {
    await write(Array.from({ length: 102 }, (_, nth) => ({ id: `dep_${nth}`, group: 5 })));
    await program.write('a.json', settingsText([{ id: 'dep_ok', label: 5 }], []));
    const { stderr } = await check('--list', settingsFile, '--list', 'a.json');
    const lines = stderr.trimEnd().split('\n');
    assert.equal(lines.length, 100 + 2);
    assert.match(lines[99] ?? '', /^\.vscode\/settings\.json:2:\d+: The group of /);
    assert.equal(lines[100], `2 more labels or groups of ${settingsFile} are malformed.`);
  });

  it('has the class of its group for each test case without --group, too', async () => {
    await write([{ id: 'dep_ok', group: 'a.b.c' }, 'dep_plain']);
    await check('--junit', 'junit.xml');
    const { cases } = await readJunit(at('junit.xml'));
    const classes = cases.map(({ classname }) => classname);
    assert.deepEqual(classes, ['automation-platform.a_b_c', 'automation-platform']);
  });

  it('has no field of groups in JSON without --group', async () => {
    await write(entries);
    const { stdout } = await check('--format', 'json');
    assert.equal('groups' in JSON.parse(stdout), false);
  });
});

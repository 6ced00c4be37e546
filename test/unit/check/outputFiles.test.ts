import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, link, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { junitFile } from '../../../src/check/output/junit.js';
import { summaryMark } from '../../../src/check/output/summaryMark.js';
import { day } from '../../../src/model/base/time.js';
import { dayText } from '../../../src/model/entered/muteEntries.js';
import { account, authorization, unsatisfied } from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import type { Platform } from '../../support/platform/platform.js';
import { outcomesOf, readJunit } from './junitReport.js';
import { type CheckProgram, changed, endWhileHanging, preload, useCheck } from './run.js';

const isWindows = process.platform === 'win32';
const didNotEnd = 'The check did not end. Nothing is known.';
const mark = (exitCode: number, listed = 0, read = 0) => summaryMark({ exitCode, listed, read });

describe('the check', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let env: Record<string, string>;
  const at = (name: string) => join(program.folder, name);
  const written = (name: string) => readFile(at(name), 'utf8');
  const outcomes = async (name = 'junit.xml') => outcomesOf(await readJunit(at(name)));
  const firstLine = async (name = 'summary.md') => (await written(name)).split('\n', 1)[0];
  const bothFiles = ['--junit', 'junit.xml', '--summary', 'summary.md'];
  const check = (...args: string[]) => program.run([...bothFiles, ...args], env);

  useCheck((world) => {
    ({ program, platform, env } = world);
  });

  /** The files of an earlier run, which say that all is well. */
  async function writeGreenFiles(): Promise<void> {
    await program.write('junit.xml', junitFile([{ name: 'dep_ok' }]));
    await program.write('summary.md', `${mark(0, 1, 1)}\n## Automation Platform: 1 healthy\n`);
  }

  describe('after a good run', () => {
    beforeEach(writeGreenFiles);

    for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL'] as const) {
      it(`writes that it did not end when ${signal} ends it`, async () => {
        platform.fault('all', faults.silent());
        const child = program.start([...bothFiles, '--id', 'dep_ok'], env);
        await platform.waitForRequests(1, {}, 20_000);
        child.kill(signal);
        await once(child, 'close');
        const { cases } = await readJunit(at('junit.xml'));
        assert.equal(cases[0]?.message, didNotEnd);
        assert.equal(await outcomes(), 'error');
        assert.equal(await firstLine(), mark(2));
      });
    }

    const withoutVerdict: Readonly<
      Record<
        string,
        readonly [exit: number, args: string, more: Record<string, string | undefined>, why: RegExp]
      >
    > = {
      'no token is set': [
        3,
        '--id dep_ok',
        { AUTOMATION_PLATFORM_TOKEN: undefined },
        /^Not configured: AUTOMATION_PLATFORM_TOKEN is not set\./,
      ],
      'a variable was not filled in': [
        3,
        '--id dep_ok',
        { AUTOMATION_PLATFORM_TOKEN: '$(TOKEN)' },
        /AUTOMATION_PLATFORM_TOKEN holds a placeholder/,
      ],
      'certificates are not verified': [
        3,
        '--id dep_ok',
        { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
        /^NODE_TLS_REJECT_UNAUTHORIZED is 0/,
      ],
      'nothing is listed': [3, '', {}, /^Nothing to check/],
      'a group is unknown': [
        3,
        '--id dep_ok --group ops',
        {},
        /^Nothing was checked\. No listed deployment is in the group “ops”\./,
      ],
      'the list is missing': [3, '--list gone.txt', {}, /^gone\.txt does not exist\.$/],
      'the list is unreadable': [
        2,
        '--list list.json',
        {},
        /^Nothing was checked\.\nlist\.json:1:2: This is not valid JSON/,
      ],
      'Node is too old': [
        64,
        '--id dep_ok',
        preload(
          `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.2.0' } });`,
        ),
        /^This is Node 20\.2\.0\. Use Node 20\.3 or newer\.$/,
      ],
      'Node cannot use the proxy': [
        64,
        '--id dep_ok',
        {
          ...preload(
            `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.20.0' } });`,
          ),
          AUTOMATION_PLATFORM_BASE_URL: 'https://host.example/api/v1',
          HTTPS_PROXY: 'http://127.0.0.1:9',
        },
        /^HTTPS_PROXY is set, which this Node cannot use\./,
      ],
    };
    for (const [name, [exit, args, more, why]] of Object.entries(withoutVerdict)) {
      it(`writes an error to both when ${name}`, async () => {
        await program.write('list.json', '[');
        const all = [...bothFiles, ...args.split(' ').filter(Boolean)];
        const { end } = await program.run(all, { ...env, ...more });
        assert.equal(end, exit);

        const { cases } = await readJunit(at('junit.xml'));
        assert.equal(await outcomes(), 'error');
        assert.match(cases[0]?.text ?? '', why);
        assert.equal(await firstLine(), mark(exit));
      });
    }

    const withWrongArguments: Readonly<
      Record<string, readonly [args: readonly string[], why: string]>
    > = {
      'an option is unknown': [['--nothing', ...bothFiles], 'There is no option --nothing.'],
      'a value is wrong': [
        [...bothFiles, '--timeout', 'abc'],
        '--timeout takes 1 to 99999 seconds.',
      ],
      'a value is missing before them': [
        ['--id', '--junit=junit.xml', '--summary', 'summary.md'],
        '--id takes a value. One that begins with a dash is written as --id=-x.',
      ],
      'a group is empty': [
        ['--group', '', ...bothFiles],
        '--group takes the name of a group, of 1 to 60 characters.',
      ],
      'a group is missing before them': [
        ['--group', '--junit=junit.xml', '--summary=summary.md'],
        '--group takes a value. One that begins with a dash is written as --group=-x.',
      ],
    };
    for (const [name, [args, why]] of Object.entries(withWrongArguments)) {
      it(`writes an error to both when ${name}`, async () => {
        const { end } = await program.run(args, env);
        assert.equal(end, 64);
        const { cases } = await readJunit(at('junit.xml'));
        assert.equal(await outcomes(), 'error');
        assert.equal(cases[0]?.text, why);
        assert.equal(await firstLine(), mark(64));
      });
    }

    it('writes an error to the summary when the name of the JUnit file is missing', async () => {
      await program.run(['--junit', '--summary', 'summary.md'], env);
      assert.equal(await firstLine(), mark(64));
    });

    it('writes an error to the summary when the JUnit file is a list', async () => {
      await program.write('list.txt', 'dep_ok');
      const args = ['--list', 'list.txt', '--junit', 'list.txt', '--summary', 'summary.md'];
      await program.run(args, env);
      assert.equal(await firstLine(), mark(64));
    });

    for (const args of [
      ['--junit', 'list.txt', '--list', 'list.txt', '--nothing'],
      ['--junit', 'list.txt', '--list=list.txt', '--nothing'],
      ['--junit', 'list.txt', '--junit', 'junit.xml'],
    ]) {
      it(`writes to no list with ${args.join(' ')}`, async () => {
        await program.write('list.txt', 'dep_ok');
        const { end } = await program.run(args, env);
        assert.equal(end, 64);
        assert.equal(await written('list.txt'), 'dep_ok');
      });
    }

    it('writes to both that it was skipped', async () => {
      env['AUTOMATION_PLATFORM_TOKEN'] = '';
      const { end } = await check('--without-token', 'skip');
      assert.equal(end, 0);
      const { suite, cases } = await readJunit(at('junit.xml'));
      assert.equal(await outcomes(), 'skipped');
      assert.equal(suite['skipped'], '1');
      assert.equal(cases[0]?.text, 'Skipped: no token. Nothing was checked.');
      assert.equal(await firstLine(), mark(0));
      assert.match(await written('summary.md'), /Skipped: no token\. Nothing was checked\./);
    });

    it('writes to both that the time was up before the list was read', async () => {
      await program.write('list.txt', 'dep_ok');
      const args = [...bothFiles, '--list', 'list.txt', '--timeout', '1'];
      const hangs = changed(`const { stat } = fs.promises;
        fs.promises.stat = (path, ...rest) => path === 'list.txt' ? never() : stat(path, ...rest)`);
      await program.run(args, { ...env, ...hangs });
      assert.equal(await outcomes(), 'error');
      assert.match(await written('summary.md'), /The time was up before the list was read\./);
    });

    it('writes that it did not end after an uncaught error', async () => {
      platform.fault('all', faults.silent());
      const failing = preload(`const { fetch } = globalThis;
        globalThis.fetch = (...request) => { setImmediate(() => { throw new Error('oops'); }); return fetch(...request); };`);
      const { end } = await program.run([...bothFiles, '--id', 'dep_ok'], { ...env, ...failing });
      assert.equal(end, 2);
      assert.equal(await outcomes(), 'error');
      assert.equal(await firstLine(), mark(2));
    });
  });

  it('writes a test case for each deployment, the worst first', async () => {
    platform.putDeployment('dep_unsatisfied', unsatisfied());
    await program.write('list.json', {
      'automationPlatform.deployments': [
        { id: 'dep_ok', label: 'Zahlungen für München 😀' },
        'dep_gone',
        { id: 'dep_unsatisfied', label: 'Lead intake' },
        { id: 'dep_failed', label: 'Billing' },
        1,
      ],
    });
    const { end } = await check('--list', 'list.json', '--fail-on', 'failed');
    assert.equal(end, 1);
    const { suite, cases } = await readJunit(at('junit.xml'));
    const shown = cases.map(({ name, outcome, text }) => `${name}: ${outcome}: ${text}`);
    assert.deepEqual(shown, [
      'Billing (dep_failed): failure: list.json:12:5: Billing: Ops Slack failed (token_revoked). Reconnect Ops Slack.',
      'Lead intake (dep_unsatisfied): system-out: list.json:8:5: Lead intake: notifier (slack) is not satisfied. Reconnect Ops Slack (slack). Or use an eligible account: Sales Slack. Not counted (--fail-on failed).',
      'dep_gone: error: list.json:7:5: dep_gone: Not found (404). The deployment was probably deleted, or its ID belongs to another organization. Check the ID, AUTOMATION_PLATFORM_BASE_URL, and AUTOMATION_PLATFORM_TOKEN.',
      'Zahlungen für München 😀 (dep_ok): passed: ',
      'The list of deployments: error: list.json:16:5: This is neither an ID nor { "id": "..." }.',
    ]);
    assert.deepEqual(
      { ...suite },
      { name: 'automation-platform', tests: '5', failures: '1', errors: '2', skipped: '0' },
    );
  });

  it('writes the message of a test case without the place in the list', async () => {
    await program.write('list.txt', 'dep_failed');
    await check('--list', 'list.txt');
    const { cases } = await readJunit(at('junit.xml'));
    assert.equal(
      cases[0]?.message,
      'dep_failed: Ops Slack failed (token_revoked). Reconnect Ops Slack.',
    );
  });

  it('writes all problems of a deployment to its test case', async () => {
    const error = { code: 'gone' };
    const accounts = ['A', 'B'].map((label) => account({ id: label, label, error }));
    platform.putDeployment('dep_two', authorization(accounts, []));
    await check('--id', 'dep_two');
    const { cases } = await readJunit(at('junit.xml'));
    const lines = ['A', 'B'].map((label) => `dep_two: ${label} failed (gone). Reconnect ${label}.`);
    assert.equal(cases[0]?.text, lines.join('\n'));
  });

  it('writes two names where a label and its ID read like another ID', async () => {
    await program.write('list.json', {
      'automationPlatform.deployments': [{ id: 'dep_ok', label: 'A' }, 'A (dep_ok)'],
    });
    await check('--list', 'list.json');
    const { cases } = await readJunit(at('junit.xml'));
    const names = cases.map(({ name }) => name);
    assert.deepEqual(names, ['A (dep_ok)', 'A (dep_ok) #2']);
  });

  it('writes the summary of GitHub to --summary, after a line for programs', async () => {
    env['GITHUB_STEP_SUMMARY'] = at('step.md');
    await check('--id', 'dep_ok', '--id', 'dep_failed', '--format', 'github');
    const summary = await written('summary.md');
    assert.equal(summary, `${mark(1, 2, 2)}\n${await written('step.md')}`);
  });

  for (const format of ['text', 'json']) {
    it(`writes no summary of GitHub with --format ${format}`, async () => {
      env['GITHUB_STEP_SUMMARY'] = at('step.md');
      await check('--id', 'dep_failed', '--format', format);
      const made = await readdir(program.folder);
      assert.equal(made.includes('step.md'), false, made.join());
    });
  }

  it('makes the folders of its files', async () => {
    const args = ['--junit', 'a/b/junit.xml', '--summary', 'c/d/summary.md', '--id', 'dep_ok'];
    const { end } = await program.run(args, env);
    assert.equal(end, 0);
    assert.equal(await outcomes('a/b/junit.xml'), 'passed');
    assert.equal(await firstLine('c/d/summary.md'), mark(0, 1, 1));
  });

  it('makes no folder for the summary of GitHub', async () => {
    env['GITHUB_STEP_SUMMARY'] = at('new/step.md');
    await check('--id', 'dep_ok', '--format', 'github');
    const made = await readdir(program.folder);
    assert.equal(made.includes('new'), false, made.join());
  });

  const unwritable: Readonly<
    Record<
      string,
      readonly [make: (name: string) => unknown, file: string, reason: RegExp, isHere: boolean]
    >
  > = {
    'in a file': [(name) => program.write(name, ''), 'x/y', /ENOTDIR|EEXIST|ENOENT/, true],
    'a folder': [(name) => mkdir(at(name)), 'x', /EISDIR|EPERM|EACCES/, true],
    'a FIFO without a reader': [
      (name) => execFileSync('mkfifo', [at(name)]),
      'x',
      /ENXIO/,
      !isWindows,
    ],
    'a circle of links': [(name) => symlink(name, at(name)), 'x', /ELOOP/, !isWindows],
    'in a read-only folder': [
      async (name) => {
        await mkdir(at(name));
        await chmod(at(name), 0o500);
      },
      'x/y',
      /EACCES/,
      // Root may write everywhere.
      !isWindows && process.getuid?.() !== 0,
    ],
  };
  for (const [name, [make, file, reason, isHere]] of Object.entries(unwritable)) {
    it(`exits with 2 when its JUnit file is ${name}`, async function () {
      if (!isHere) return this.skip();
      await make('x');
      const args = ['--id', 'dep_ok', '--junit', file, '--summary', 'summary.md'];
      const { end, stdout, stderr } = await program.run(args, env);
      assert.equal(end, 2);
      assert.match(stderr, new RegExp(`^${file} was not written: .*\\.\\n$`));
      assert.match(stderr, reason);
      assert.match(stdout, / \(exit 2\)\n$/);
      assert.equal(await firstLine(), mark(2, 1, 1));
    });

    it(`exits with 2 when its summary is ${name}`, async function () {
      if (!isHere) return this.skip();
      await make('x');
      const args = ['--id', 'dep_ok', '--junit', 'junit.xml', '--summary', file];
      const { end, stdout, stderr } = await program.run(args, env);
      assert.equal(end, 2);
      assert.match(stderr, new RegExp(`^${file} was not written: .*\\.\\n$`));
      assert.match(stdout, / \(exit 2\)\n$/);
      assert.equal(await outcomes(), 'passed');
    });
  }

  for (const [id, code] of Object.entries({ dep_failed: 1, dep_gone: 2 })) {
    it(`exits with ${code} for ${id} when its JUnit file cannot be written`, async () => {
      await program.write('x', '');
      const args = ['--id', id, '--junit', 'x/y', '--summary', 'summary.md'];
      const { end, stdout } = await program.run(args, env);
      assert.equal(end, code);
      assert.match(stdout, new RegExp(` \\(exit ${code}\\)\\n$`));
      assert.match((await firstLine()) ?? '', new RegExp(` exit=${code} `));
    });
  }

  it('exits with 2 when it is skipped and cannot write its files', async () => {
    await program.write('x', '');
    env['AUTOMATION_PLATFORM_TOKEN'] = '';
    const args = ['--without-token', 'skip', '--junit', 'x/junit.xml', '--summary', 'summary.md'];
    const { end } = await program.run(args, env);
    assert.equal(end, 2);
    assert.equal(await firstLine(), mark(2));
  });

  it('exits with 3 when nothing is listed and it cannot write its files', async () => {
    await program.write('x', '');
    const { end } = await program.run(['--junit', 'x/junit.xml', '--summary', 'x/y'], env);
    assert.equal(end, 3);
  });

  it('exits with 2 when a file cannot be written after all was read', async () => {
    const full = changed(`const { writeFile } = fs.promises; let written = 0;
      fs.promises.writeFile = (...args) => {
        written += 1;
        if (written > 2) throw new Error('ENOSPC: no space left on device');
        return writeFile(...args);
      }`);
    const { end, stderr } = await program.run([...bothFiles, '--id', 'dep_ok'], {
      ...env,
      ...full,
    });
    assert.equal(end, 2);
    assert.equal(
      stderr,
      'junit.xml was not written: ENOSPC: no space left on device.\n' +
        'summary.md was not written: ENOSPC: no space left on device.\n',
    );
    assert.equal(await outcomes(), 'error');
    assert.equal(await firstLine(), mark(2));
  });

  for (const [id, code] of Object.entries({ dep_ok: 2, dep_failed: 1 })) {
    it(`ends with ${code} for ${id} when its disk does not answer`, async () => {
      // A thread of Node waits for the FIFO as it would for the disk.
      if (!isWindows) execFileSync('mkfifo', [at('fifo')]);
      const hangs = changed(`const { setTimeout: sleep } = timers;
        timers.setTimeout = (ms, ...rest) => sleep(ms / 20, ...rest);
        fs.promises.writeFile = () => { fs.readFile('fifo', () => {}); return never(); }`);
      const args = [...bothFiles, '--id', id];
      const { end, stdout, stderr } = await program.run(args, { ...env, ...hangs });
      assert.equal(
        stderr,
        'junit.xml was not written: the time was up.\nsummary.md was not written: the time was up.\n',
      );
      assert.match(stdout, new RegExp(` \\(exit ${code}\\)\\n$`));
      assert.equal(end, endWhileHanging(code));
    });
  }

  it('ends soon after --timeout when its disk does not answer', async () => {
    const beganAt = performance.now();
    const args = [...bothFiles, '--id', 'dep_ok', '--timeout', '2'];
    const { stderr } = await program.run(args, {
      ...env,
      ...changed('fs.promises.writeFile = never'),
    });
    const elapsedMs = performance.now() - beganAt;
    assert.match(stderr, /^The time was up before the list was read\./m);
    assert.ok(elapsedMs < 9000, `${elapsedMs} ms`);
  });

  const refused: Readonly<Record<string, readonly [args: () => string[], sentence: RegExp]>> = {
    'both files are one': [
      () => ['--junit', 'a', '--summary', './b/../a'],
      /^\.\/b\/\.\.\/a would be overwritten\./,
    ],
    'its JUnit file is a list': [
      () => ['--list', 'list.txt', '--junit', './list.txt'],
      /^\.\/list\.txt would be/,
    ],
    'its summary is a list': [
      () => ['--list', 'a', '--list', 'list.txt', '--summary', 'list.txt'],
      /^list\.txt would be overwritten\./,
    ],
    'its JUnit file is the settings': [
      () => ['--junit', '.vscode/settings.json'],
      /^\.vscode\/settings\.json would be/,
    ],
    'its summary is the settings of a folder': [
      () => ['--summary', 'web/.vscode/settings.json'],
      /^web\/\.vscode\/settings\.json would be/,
    ],
    'its summary is a workspace file': [
      () => ['--summary', 'team.code-workspace'],
      /^team\.code-workspace would be overwritten\./,
    ],
    'its JUnit file is the check itself': [
      () => ['--junit', program.file],
      /automation-platform-check\.mjs would be overwritten\./,
    ],
    'its JUnit file is a workspace file in another spelling': [
      () => ['--junit', 'TEAM.CODE-WORKSPACE'],
      /^TEAM\.CODE-WORKSPACE would be overwritten\./,
    ],
    'its summary is that of GitHub': [
      () => ['--summary', './step.md'],
      /^\.\/step\.md would be overwritten\./,
    ],
    'its JUnit file has no name': [() => ['--junit', ''], /^--junit takes the name of a file\./],
    'its summary has no name': [() => ['--summary='], /^--summary takes the name of a file\./],
  };
  const contents = {
    a: 'dep_ok',
    'list.txt': 'dep_ok',
    'step.md': 'dep_ok',
    '.vscode/settings.json': { 'automationPlatform.deployments': ['dep_ok'] },
    'web/.vscode/settings.json': { 'automationPlatform.deployments': ['dep_ok'] },
    'team.code-workspace': { folders: [{ path: 'web' }] },
  };
  /** Runs with arguments that would overwrite a file, and checks that nothing was written. */
  async function assertRefused(args: readonly string[], sentence: RegExp): Promise<void> {
    const namesBefore = await readdir(program.folder, { recursive: true });
    const { size } = await stat(program.file);
    const { end, stdout, stderr } = await program.run(args, {
      ...env,
      GITHUB_STEP_SUMMARY: at('step.md'),
    });
    assert.equal(end, 64);
    assert.equal(stdout, '');
    assert.match(stderr, sentence);

    const namesAfter = await readdir(program.folder, { recursive: true });
    assert.deepEqual(namesAfter.toSorted(), namesBefore.toSorted());
    for (const file of Object.keys(contents)) assert.match(await written(file), /dep_ok|web/, file);
    assert.equal((await stat(program.file)).size, size);
    assert.deepEqual(platform.requests, []);
  }

  for (const [name, [args, sentence]] of Object.entries(refused)) {
    it(`exits with 64 when ${name}`, async () => {
      for (const [file, content] of Object.entries(contents)) await program.write(file, content);
      await assertRefused(args(), sentence);
    });
  }

  const refusedLinks: Readonly<
    Record<string, readonly [make: (name: string) => unknown, args: readonly string[]]>
  > = {
    'its JUnit file is a link to a list': [
      (name) => symlink('list.txt', name),
      ['--list', 'list.txt', '--junit', 'x'],
    ],
    'its JUnit file is a second name of a list': [
      (name) => link(at('list.txt'), name),
      ['--list', 'list.txt', '--junit', 'x'],
    ],
    'its summary is the target of a list': [
      (name) => symlink('list.txt', name),
      ['--list', 'x', '--summary', 'list.txt'],
    ],
    'its JUnit file is a link to the settings': [
      (name) => symlink('.vscode/settings.json', name),
      ['--junit', 'x'],
    ],
    'its JUnit file is a second name of the settings': [
      (name) => link(at('.vscode/settings.json'), name),
      ['--junit', 'x'],
    ],
    'its JUnit file is a second name of a workspace file': [
      (name) => link(at('team.code-workspace'), name),
      ['--junit', 'x'],
    ],
    'its summary is in a link to the folder of settings': [
      (name) => symlink('web/.vscode', name),
      ['--summary', 'x/settings.json'],
    ],
    'its JUnit file is a second name of the check': [
      (name) => link(program.file, name),
      ['--junit', 'x'],
    ],
    'its summary is a second name of that of GitHub': [
      (name) => link(at('step.md'), name),
      ['--summary', 'x'],
    ],
    'one of its files is a link to the other': [
      (name) => symlink('a', name),
      ['--junit', 'a', '--summary', 'x'],
    ],
    'its files are two names of one file': [
      (name) => link(at('a'), name),
      ['--junit', 'x', '--summary', 'a'],
    ],
    'its files are one that is missing, in a folder and a link to it': [
      (name) => symlink('web', name),
      ['--junit', 'web/new/junit.xml', '--summary', 'x/new/junit.xml'],
    ],
    'one of its files is a link to the other, which is missing': [
      (name) => symlink('new.xml', name),
      ['--junit', 'new.xml', '--summary', 'x'],
    ],
  };
  for (const [name, [make, args]] of Object.entries(refusedLinks)) {
    it(`exits with 64 when ${name}`, async function () {
      if (isWindows) return this.skip();
      for (const [file, content] of Object.entries(contents)) await program.write(file, content);
      await make(at('x'));
      await assertRefused(args, / would be overwritten\.\n/);
    });
  }

  it('writes to a file that has the name of an ID', async () => {
    const { end } = await program.run(['--id', 'dep_ok', '--junit', 'dep_ok'], env);
    assert.equal(end, 0);
  });

  it('writes no token to its files', async () => {
    const { token } = platform;
    const leaking = account({ label: `Key ${token}`, error: { code: token, message: token } });
    platform.putDeployment('dep_failed', authorization([leaking], []));
    await program.write('list.json', {
      'automationPlatform.deployments': [token, { id: 'dep_failed', label: `old ${token}` }],
      'automationPlatform.owners': { dep_failed: token },
    });
    const { end } = await check('--list', 'list.json');
    assert.equal(end, 1);
    const both = (await written('junit.xml')) + (await written('summary.md'));
    assert.equal(both.includes(token), false, both);
    assert.match(both, /\[redacted\]/);
  });

  it('writes no part of a token where the name of a missing list is cut', async () => {
    const { token } = platform;
    await check('--list', `${'x/'.repeat(90)}${token}.json`);
    const both = (await written('junit.xml')) + (await written('summary.md'));
    assert.equal(both.includes(token.slice(0, 8)), false, both);
  });

  it('writes no part of a token where an error of the list is cut', async () => {
    const { token } = platform;
    const list = `${'x/'.repeat(140)}${token}.json`;
    await program.write(list, { 'automationPlatform.deployments': 1 });
    await check('--list', list, '--id', 'dep_ok');
    const both = (await written('junit.xml')) + (await written('summary.md'));
    assert.match(both, /…/);
    assert.equal(both.includes(token.slice(0, 8)), false, both);
  });

  it('writes no part of a token where a note on a mute is cut', async () => {
    const { token } = platform;
    const list = `${'x/'.repeat(140)}${token}.json`;
    await program.write(list, {
      'automationPlatform.deployments': ['dep_ok'],
      'automationPlatform.mutes': [1],
    });
    await check('--list', list);
    const summary = await written('summary.md');
    assert.match(summary, /…/);
    assert.equal(summary.includes(token.slice(0, 8)), false, summary);
  });

  it('writes a summary that fits in the text of an issue', async () => {
    const label = 'x'.repeat(100);
    const accounts = Array.from({ length: 3000 }, (_, nth) =>
      account({ id: `acc_${nth}`, label, error: {} }),
    );
    platform.putDeployment('dep_many', authorization(accounts, []));
    const list = join(...Array.from({ length: 9 }, () => 'd'.repeat(240)), 'list.json');
    await program.write(list, { 'automationPlatform.deployments': Array(30).fill(1) });
    const { end } = await check('--list', list, '--id', 'dep_many');
    assert.equal(end, 1);
    const { length } = await written('summary.md');
    assert.ok(length <= 60_000, `${length} characters`);
    assert.ok(length > 50_000, `${length} characters`);
  });

  it('writes a summary that fits in the text of an issue with long names of groups', async () => {
    const groups = ['a', 'b', 'c', 'd', 'e'].map((letter) => `${'` '.repeat(29)}${letter}`);
    const accounts = Array.from({ length: 3000 }, (_, nth) =>
      account({ id: `acc_${nth}`, label: 'x'.repeat(100), error: {} }),
    );
    platform.putDeployment('dep_0', authorization(accounts, []));
    const entries = groups.map((group, nth) => ({ id: `dep_${nth}`, group }));
    await program.write('a.json', { 'automationPlatform.deployments': entries });
    const { end } = await check('--list', 'a.json', ...groups.flatMap((one) => ['--group', one]));
    assert.equal(end, 1);
    const summary = await written('summary.md');
    const [firstMark = '', heading = ''] = summary.split('\n');
    assert.ok(heading.length > 1000, `${heading.length} characters of the heading`);
    const length = summary.length - firstMark.length - 1;
    assert.ok(length <= 59_000, `${length} characters`);
  });

  it('writes a summary that fits in the text of an issue when much is muted', async () => {
    const since = dayText(Date.now());
    const until = dayText(Date.now() + 2 * day);
    const reason = '` '.repeat(100).trim();
    const error = { code: '`' };
    const accounts = Array.from({ length: 3000 }, (_, nth) =>
      account({ id: `acc_${nth}`, label: '` '.repeat(40), error }),
    );
    platform.putDeployment('dep_many', authorization(accounts, []));
    const mutes = accounts
      .slice(0, 1000)
      .map(({ id }) => ({ account: id, error: error.code, since, until, reason }));
    const list = join('` '.repeat(100).trim(), 'list.json');
    await program.write(list, {
      'automationPlatform.deployments': Array(30).fill(1),
      'automationPlatform.mutes': [...mutes, ...Array(30).fill(1)],
    });
    const { end } = await check('--list', list, '--id', 'dep_many');
    assert.equal(end, 1);
    const { length } = await written('summary.md');
    assert.ok(length <= 60_000, `${length} characters`);
    assert.ok(length > 50_000, `${length} characters`);
  });
});

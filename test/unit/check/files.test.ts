import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { chmod, mkdir, open, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { failedAccount, healthy } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { CheckProgram } from './run.js';

const isWindows = process.platform === 'win32';
const settings = (...ids: string[]) => ({ settings: { 'automationPlatform.deployments': ids } });
const preload = (code: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` });

describe('the check, of what is no file that it can read', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let service: Service;
  let env: Record<string, string>;
  const check = (...args: string[]) => program.run(args, env);
  const at = (name: string) => join(program.folder, name);

  before(async () => {
    program = await CheckProgram.build();
  });
  after(() => program.remove());
  beforeEach(async () => {
    service = await startService();
    env = { ...service.env };
    service.putDeployment('dep_ok', healthy());
    service.putDeployment('dep_failed', failedAccount());
  });
  afterEach(async () => {
    await service.stop();
    await rm(program.folder, { recursive: true });
    await program.write('.keep', '');
  });

  const fifo = (name: string) => execFileSync('mkfifo', [at(name)]);
  const notRegular = 'is not a regular file, so it was not read';
  /** What stands there, the sentence about it, and where it can be made. */
  const unreadable: Record<string, readonly [make: (name: string) => unknown, sentence: string, isHere: boolean]> = {
    'a FIFO': [fifo, notRegular, !isWindows],
    'a link to a file without an end': [(name) => symlink('/dev/zero', at(name)), notRegular, !isWindows],
    'a folder': [(name) => mkdir(at(name)), notRegular, true],
    'a file that is too large': [
      (name) => program.write(name, ' '.repeat(4 * 1024 * 1024 + 1)),
      'is larger than 4 MB, so it was not read',
      true,
    ],
    'a circle of links': [
      (name) => symlink(at(name), at(name)),
      'was not read (ELOOP: too many symbolic links encountered)',
      !isWindows,
    ],
    'a file of another user (not tried as root, who may read it)': [
      async (name) => {
        await program.write(name, '');
        await chmod(at(name), 0);
      },
      'was not read (EACCES: permission denied)',
      !isWindows && process.getuid?.() !== 0,
    ],
    'JSON that is nested too deeply': [
      (name) => program.write(name, `{"a":${'['.repeat(1_000_000)}`),
      'was not read (Maximum call stack size exceeded)',
      true,
    ],
  };
  for (const [name, [make, sentence, isHere]] of Object.entries(unreadable)) {
    describe(`for ${name}`, () => {
      before(function () {
        // Windows has no such files, and root may read all.
        if (!isHere) this.skip();
      });

      it('exits with 2 and says why, as settings of the folder and as a workspace', async () => {
        await mkdir(at('.vscode'));
        for (const file of ['.vscode/settings.json', 'x.code-workspace']) await make(file);
        const { end, stdout, stderr } = await check();
        assert.deepEqual(stderr.split('\n'), [
          `.vscode/settings.json ${sentence}.`,
          `x.code-workspace ${sentence}.`,
          'Nothing was checked.',
          '',
        ]);
        assert.deepEqual([end, stdout], [2, '']);
      });

      it('exits with 2 and says why, as the list', async () => {
        await make('list.json');
        const { end, stderr } = await check('--list', 'list.json', '--id', 'dep_ok');
        assert.deepEqual([end, stderr], [2, `list.json ${sentence}.\n`]);
      });

      it('ends by SIGTERM', async () => {
        service.fault('all', faults.silent());
        await make('a.code-workspace');
        await program.write('b.code-workspace', settings('dep_ok'));
        const child = program.start([], env);
        await service.waitForRequests(1, {}, 20_000);
        child.kill('SIGTERM');
        assert.deepEqual(await once(child, 'close'), [null, 'SIGTERM']);
      });
    });
  }

  it('exits with 1 when another file lists a deployment with a problem', async () => {
    await mkdir(at('a.code-workspace'));
    await program.write('b.code-workspace', settings('dep_ok', 'dep_failed'));
    const { end, stderr } = await check();
    assert.deepEqual([end, stderr], [1, `a.code-workspace ${notRegular}.\n`]);
  });

  it('exits with 3 for a list that does not exist', async () => {
    const { end, stderr } = await check('--list', 'missing.txt');
    assert.deepEqual([end, stderr], [3, 'missing.txt does not exist.\n']);
  });

  it('counts a link that leads nowhere as no settings', async function () {
    if (isWindows) return this.skip();
    await symlink('gone', at('a.code-workspace'));
    await program.write('b.code-workspace', settings('dep_ok'));
    const { end, stderr } = await check();
    assert.deepEqual([end, stderr], [0, '']);
  });

  it('finds the places of many entries in a file of many lines', async () => {
    const entries = Array.from({ length: 20_000 }, () => '1').join();
    await program.write('a.json', `{"automationPlatform.deployments":[${entries}]}${'\n'.repeat(2_000_000)}`);
    const { end, stderr } = await check('--list', 'a.json');
    assert.equal(end, 2);
    assert.equal(stderr.split('\n').length, 20_000 + 2);
  });

  it('exits with 2 when the time is up before the list was read', async () => {
    // Node's `stat` stands for one on a network drive that is gone.
    const hangs = `import fs from "node:fs";import { syncBuiltinESMExports } from "node:module";
      fs.promises.stat = () => new Promise(() => {}); syncBuiltinESMExports();`;
    await program.write('list.txt', 'dep_ok');
    const { end, stdout, stderr } = await program.run(['--list', 'list.txt', '--timeout', '1'], {
      ...env,
      ...preload(hangs),
    });
    assert.deepEqual(
      [end, stdout, stderr],
      [2, '', 'The time was up before the list was read. Allow more time with --timeout.\n'],
    );
  });

  it('ends by SIGTERM while a read hangs, for which the end of Node waits', async function () {
    if (isWindows) return this.skip();
    fifo('fifo');
    service.fault('all', faults.silent());
    const hangs = 'import fs from "node:fs";fs.readFile("fifo", () => {});';
    const child = program.start(['--id', 'dep_ok'], { ...env, ...preload(hangs) });
    await service.waitForRequests(1, {}, 20_000);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'close'), [null, 'SIGTERM']);
  });

  describe('$GITHUB_STEP_SUMMARY', () => {
    const unwritable: Record<string, readonly [make: (name: string) => unknown, reason: RegExp, isHere: boolean]> = {
      'a FIFO without a reader': [fifo, /ENXIO/, !isWindows],
      'a folder': [(name) => mkdir(at(name)), /EISDIR/, true],
      'a circle of links': [(name) => symlink(name, at(name)), /ELOOP/, !isWindows],
      'in a file': [(name) => program.write(name, ''), /ENOTDIR|ENOENT/, true],
    };
    for (const [name, [make, reason, isHere]] of Object.entries(unwritable)) {
      it(`changes no exit code when it is ${name}`, async function () {
        if (!isHere) return this.skip();
        await make('summary');
        const summary = at(name === 'in a file' ? 'summary/summary.md' : 'summary');
        const args = ['--id', 'dep_ok', '--format', 'github'];
        const { end, stderr } = await program.run(args, { ...env, GITHUB_STEP_SUMMARY: summary });
        assert.equal(end, 0);
        assert.match(stderr, /^The summary was not written to \$GITHUB_STEP_SUMMARY: [^\n]*\.\n$/);
        assert.match(stderr, reason);
      });
    }

    it('is written to a FIFO that is read', async function () {
      if (isWindows) return this.skip();
      fifo('fifo');
      const reader = await open(at('fifo'), constants.O_RDONLY | constants.O_NONBLOCK);
      const args = ['--id', 'dep_ok', '--format', 'github'];
      const { end, stderr } = await program.run(args, { ...env, GITHUB_STEP_SUMMARY: at('fifo') });
      const read = await reader.readFile('utf8');
      await reader.close();
      assert.deepEqual([end, stderr], [0, '']);
      assert.match(read, /^## Automation Platform: 1 healthy\n/);
    });
  });
});

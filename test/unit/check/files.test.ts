import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { chmod, mkdir, open, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { faults } from '../../support/platform/faults.js';
import type { Platform } from '../../support/platform/platform.js';
import { type CheckProgram, useCheck } from './run.js';

const isWindows = process.platform === 'win32';
const utf16 = (content: string) => Buffer.from(content, 'utf16le');
const settings = (...ids: string[]) => ({ settings: { 'automationPlatform.deployments': ids } });

describe('the check, of what is no file that it can read', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let env: Record<string, string>;
  const check = (...args: string[]) => program.run(args, env);
  const at = (name: string) => join(program.folder, name);

  useCheck((world) => {
    ({ program, platform, env } = world);
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
        platform.fault('all', faults.silent());
        await make('a.code-workspace');
        await program.write('b.code-workspace', settings('dep_ok'));
        const child = program.start([], env);
        await platform.waitForRequests(1, {}, 20_000);
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

  describe('decodes a list', () => {
    const text = 'dep_ok\r\ndep_failed\r\n';
    const settingsText = JSON.stringify({ 'automationPlatform.deployments': ['dep_failed'] });
    const encoded: Record<string, Buffer> = {
      'of IDs in UTF-16 with the mark of PowerShell': utf16(`\uFEFF${text}`),
      'of IDs in big-endian UTF-16 with its mark': utf16(`\uFEFF${text}`).swap16(),
      'of IDs in UTF-8 with a mark': Buffer.from(`\uFEFF${text}`),
      'of settings in UTF-16': utf16(`\uFEFF${settingsText}`),
      'of settings in big-endian UTF-16': utf16(`\uFEFF${settingsText}`).swap16(),
    };
    for (const [name, content] of Object.entries(encoded)) {
      it(name, async () => {
        await program.write('list', content);
        const { end, stdout, stderr } = await check('--list', 'list');
        assert.equal(stderr, '');
        const place = name.includes('settings') ? '1:36' : '2:1';
        assert.ok(stdout.startsWith(`list:${place}: dep_failed: Ops Slack failed`), stdout);
        assert.equal(end, 1);
      });
    }

    const undecodable: Record<string, readonly [content: Buffer, sentence: string]> = {
      'UTF-16 without a mark': [utf16(text), 'list contains NUL characters, so it was not read. Save it as UTF-8.'],
      'big-endian UTF-16 without a mark': [
        utf16(text).swap16(),
        'list contains NUL characters, so it was not read. Save it as UTF-8.',
      ],
      'settings in UTF-16 without a mark': [
        utf16(settingsText),
        'list contains NUL characters, so it was not read. Save it as UTF-8.',
      ],
      'an ID in Latin-1': [
        Buffer.from('dep_ok\ndep_\u00e4', 'latin1'),
        'list:2:1: This contains bytes that are not UTF-8, so it is not sent as an ID.',
      ],
    };
    for (const [name, [content, sentence]] of Object.entries(undecodable)) {
      it(`but never sends ${name}, and exits with 2`, async () => {
        await program.write('list', content);
        const { end, stderr } = await check('--list', 'list');
        assert.equal(stderr.split('\n')[0], sentence);
        assert.equal(end, 2);
        assert.ok(platform.requests.every(({ route }) => route.id === 'dep_ok'));
      });
    }
  });

  it('finds the places of many entries in a file of many lines', async () => {
    const entries = Array.from({ length: 20_000 }, () => '1').join();
    await program.write('a.json', `{"automationPlatform.deployments":[${entries}]}${'\n'.repeat(2_000_000)}`);
    const { end, stderr } = await check('--list', 'a.json');
    assert.equal(end, 2);
    assert.equal(stderr.split('\n').length, 20_000 + 2);
  });

  describe('$GITHUB_STEP_SUMMARY', () => {
    const unwritable: Record<string, readonly [make: (name: string) => unknown, reason: RegExp, isHere: boolean]> = {
      'a FIFO without a reader': [fifo, /ENXIO/, !isWindows],
      'a folder': [(name) => mkdir(at(name)), /EISDIR/, true],
      'a circle of links': [(name) => symlink(name, at(name)), /ELOOP/, !isWindows],
      'in a file': [(name) => program.write(name, ''), /ENOTDIR|ENOENT/, true],
      'in a folder that does not exist': [() => undefined, /ENOENT/, true],
    };
    for (const [name, [make, reason, isHere]] of Object.entries(unwritable)) {
      for (const [id, code] of Object.entries({ dep_ok: 0, dep_failed: 1, dep_gone: 2 })) {
        it(`leaves the exit code at ${code} when it is ${name}`, async function () {
          if (!isHere) return this.skip();
          await make('summary');
          const summary = at(name.startsWith('in a') ? 'summary/summary.md' : 'summary');
          const args = ['--id', id, '--format', 'github'];
          const { end, stderr } = await program.run(args, { ...env, GITHUB_STEP_SUMMARY: summary });
          assert.equal(end, code);
          assert.match(stderr, /^The summary was not written to \$GITHUB_STEP_SUMMARY: [^\n]*\.\n$/);
          assert.match(stderr, reason);
        });
      }
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

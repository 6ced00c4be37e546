import { strict as assert } from 'node:assert';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { constants, existsSync } from 'node:fs';
import { chmod, mkdir, open, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { faults } from '../../support/platform/faults.js';
import type { Platform } from '../../support/platform/platform.js';
import { type CheckProgram, changed, useCheck } from './run.js';

const isWindows = process.platform === 'win32';
const utf16 = (content: string) => Buffer.from(content, 'utf16le');
const folder = (...ids: unknown[]) => ({ 'automationPlatform.deployments': ids });
const workspace = (folders: unknown, ...ids: unknown[]) => ({ folders, settings: folder(...ids) });
const settings = (...ids: string[]) => ({ settings: folder(...ids) });

describe('the check', function () {
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
  /** `isHere`: whether this system can make such a file. */
  const unreadable: Record<
    string,
    readonly [make: (name: string) => unknown, sentence: string, isHere: boolean]
  > = {
    'a FIFO': [fifo, notRegular, !isWindows],
    'a link to a file without an end': [
      (name) => symlink('/dev/zero', at(name)),
      notRegular,
      !isWindows,
    ],
    'a folder': [(name) => mkdir(at(name)), notRegular, true],
    'a file that is too large': [
      (name) => program.write(name, ' '.repeat(4 * 1024 * 1024 + 1)),
      'is larger than 4 MB, so it was not read',
      true,
    ],
    'a link to a missing file': [
      (name) => symlink('gone', at(name)),
      'is a link to a file that does not exist, so it was not read',
      !isWindows,
    ],
    'a circle of links': [
      (name) => symlink(at(name), at(name)),
      'was not read (ELOOP: too many symbolic links encountered)',
      !isWindows,
    ],
    'a file of another user': [
      async (name) => {
        await program.write(name, '');
        await chmod(at(name), 0);
      },
      'was not read (EACCES: permission denied)',
      !isWindows && process.getuid?.() !== 0,
    ],
    'JSON that is nested too deeply': [
      (name) => program.write(name, `{"a":${'['.repeat(1_000_000)}`),
      'is nested too deeply, so it was not read',
      true,
    ],
  };
  for (const [name, [make, sentence, isHere]] of Object.entries(unreadable)) {
    describe(`given ${name}`, () => {
      before(function () {
        // Windows has no such files, and root may read the files of all users.
        if (!isHere) this.skip();
      });

      it('names the settings files that it did not read', async () => {
        await mkdir(at('.vscode'));
        for (const file of ['.vscode/settings.json', 'x.code-workspace']) await make(file);
        const { end, stdout, stderr } = await check();
        assert.deepEqual(stderr.split('\n'), [
          `x.code-workspace ${sentence}.`,
          `.vscode/settings.json ${sentence}.`,
          'Nothing was checked.',
          '',
        ]);
        assert.equal(end, 2);
        assert.equal(stdout, '');
      });

      it('names the list that it did not read', async () => {
        await make('list.json');
        const { end, stderr } = await check('--list', 'list.json', '--id', 'dep_ok');
        assert.equal(end, 2);
        assert.equal(stderr, `list.json ${sentence}.\n`);
      });

      it('ends after SIGTERM', async () => {
        platform.fault('all', faults.silent());
        await make('a.code-workspace');
        await program.write('b.code-workspace', settings('dep_ok'));
        const child = program.start([], env);
        await platform.waitForRequests(1, {}, 20_000);
        child.kill('SIGTERM');
        const [, endSignal] = await once(child, 'close');
        assert.equal(endSignal, 'SIGTERM');
      });
    });
  }

  it('exits with 1 for a failing deployment beside an unreadable file', async () => {
    await mkdir(at('a.code-workspace'));
    await program.write('b.code-workspace', settings('dep_ok', 'dep_failed'));
    const { end, stderr } = await check();
    assert.equal(end, 1);
    assert.equal(stderr, `a.code-workspace ${notRegular}.\n`);
  });

  it('exits with 3 for a list that does not exist', async () => {
    const { end, stderr } = await check('--list', 'missing.txt');
    assert.equal(end, 3);
    assert.equal(stderr, 'missing.txt does not exist.\n');
  });

  it('names settings that it did not read because .vscode is a link to a missing folder', async function () {
    if (isWindows) return this.skip();
    await symlink('gone', at('.vscode'));
    await program.write('b.code-workspace', settings('dep_ok'));
    const { end, stderr } = await check();
    assert.equal(
      stderr,
      '.vscode/settings.json is a link to a file that does not exist, so it was not read.\n',
    );
    assert.equal(end, 2);
  });

  const names = ['web/src', './api/src/', '../outside', 'pages'];

  it('names where entries stand in the folders of a workspace file', async () => {
    const named = names.map((path) => ({ path }));
    await program.write('team.code-workspace', workspace(named, 'dep_ok'));
    await program.write('web/src/.vscode/settings.json', folder('dep_ok', 'dep_failed'));
    await program.write('api/src/.vscode/settings.json', folder({ id: 'dep_gone' }));
    await program.write('../outside/.vscode/settings.json', folder('dep_outside'));
    await program.write('pages/page.md', '');
    const { end, stdout, stderr } = await check();
    assert.equal(stderr, '');
    const placesAndCounts = stdout.split('\n').map((line) => line.split(': ', 2).join(': '));
    assert.deepEqual(placesAndCounts, [
      'web/src/.vscode/settings.json:4:5: dep_failed',
      'api/src/.vscode/settings.json:3:5: dep_gone',
      '../outside/.vscode/settings.json:3:5: dep_outside',
      '1 failing, 2 unknown, 1 healthy (exit 1)',
      '',
    ]);
    assert.equal(end, 1);
  });

  it('prefers the label in the first folder to that in the workspace file', async () => {
    const [team, web, api] = ['Team', 'Web', 'API'].map((label) => ({ id: 'dep_failed', label }));
    await program.write('team.code-workspace', workspace([{ path: 'api' }, { path: 'web' }], team));
    await program.write('web/.vscode/settings.json', folder(web));
    await program.write('api/.vscode/settings.json', folder('dep_failed', api));
    const { stdout } = await check();
    assert.match(stdout, /^api\/\.vscode\/settings\.json:3:5: API: /);
  });

  it('prefers the label in a folder that a workspace file names before the current folder', async () => {
    const [web, here] = ['Web', 'Here'].map((label) => ({ id: 'dep_failed', label }));
    await program.write('team.code-workspace', { folders: [{ path: 'web' }, { path: '.' }] });
    await program.write('web/.vscode/settings.json', folder(web));
    await program.write('.vscode/settings.json', folder(here));
    const { stdout } = await check();
    assert.match(stdout, /^web\/\.vscode\/settings\.json:3:5: Web: /);
  });

  it('reads a folder once that workspace files name several times', async () => {
    await program.write(
      'a.code-workspace',
      workspace([{ path: '.' }, { path: 'web' }, { path: 'web/' }]),
    );
    await program.write(
      'b.code-workspace',
      workspace([{ path: './web/../web' }, { path: '../work' }]),
    );
    await program.write('.vscode/settings.json', folder(1));
    await program.write('web/.vscode/settings.json', folder(2, 'dep_ok'));
    const { end, stderr } = await check();
    const placesOfInvalidEntries = stderr.match(/^\S+/gm);
    assert.deepEqual(placesOfInvalidEntries, [
      '.vscode/settings.json:3:5:',
      'web/.vscode/settings.json:3:5:',
    ]);
    assert.equal(end, 2);
  });

  it('exits with 2 when a folder of a workspace file is missing', async () => {
    await program.write(
      'a.code-workspace',
      '{ "folders": [ { "path": "gone" }, { "path": "file" } ] }',
    );
    await program.write('file', '');
    await program.write('.vscode/settings.json', folder('dep_ok'));
    const { end, stderr } = await check();
    assert.deepEqual(stderr.split('\n'), [
      'a.code-workspace:1:26: This folder was not found, so its settings were not read.',
      'a.code-workspace:1:46: This folder was not found, so its settings were not read.',
      '',
    ]);
    assert.equal(end, 2);
  });

  it('exits with 2 when a folder of a workspace file is empty', async () => {
    await program.write('a.code-workspace', '{ "folders": [ { "path": "module" } ] }');
    await program.write('.vscode/settings.json', folder('dep_ok'));
    await mkdir(at('module'));
    const { end, stderr } = await check();
    assert.equal(
      stderr,
      'a.code-workspace:1:26: This folder is empty, as after a checkout without submodules, so its settings were not read.\n',
    );
    assert.equal(end, 2);
  });

  it('reads no folder that has an absolute path or an address', async () => {
    const elsewhere = [
      { path: program.folder },
      { path: 'C:\\work' },
      { uri: 'vscode-remote://ssh/work' },
    ];
    await program.write('a.code-workspace', JSON.stringify(workspace(elsewhere, 'dep_ok')));
    const { end, stderr } = await check();
    const sentence =
      /^a\.code-workspace:1:\d+: The settings of this folder were not read, because its path is not/;
    const lines = stderr.trimEnd().split('\n');
    assert.equal(lines.length, 3);
    for (const line of lines) assert.match(line, sentence);
    assert.equal(end, 0);
  });

  for (const [name, folders] of Object.entries({
    undefined,
    null: null,
    'a text': 'web',
    'an object': {},
    'a list without paths': [null, 1, 'web', {}, { path: 1 }, { name: 'web' }, { uri: {} }],
  })) {
    it(`reads no folder when the folders of a workspace file are ${name}`, async () => {
      await program.write('a.code-workspace', workspace(folders, 'dep_ok'));
      await program.write('web/.vscode/settings.json', folder('dep_failed'));
      const { end, stderr } = await check();
      assert.equal(stderr, '');
      assert.equal(end, 0);
    });
  }

  it('ignores a list that stands at the wrong level of settings', async () => {
    await program.write('a.code-workspace', {
      ...folder('dep_failed'),
      ...workspace([], 'dep_ok'),
    });
    await program.write('.vscode/settings.json', {
      ...folder('dep_ok'),
      settings: folder('dep_failed'),
    });
    const { end } = await check();
    assert.equal(end, 0);
  });

  it('reads no folder of a workspace file that is the file of --list', async () => {
    await program.write(
      'a.code-workspace',
      workspace([{ path: 'gone' }, { path: 'web' }], 'dep_ok'),
    );
    await program.write('web/.vscode/settings.json', folder('dep_failed'));
    const { end, stderr } = await check('--list', 'a.code-workspace');
    assert.equal(stderr, '');
    assert.equal(end, 0);
  });

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
    it(`decodes a list ${name}`, async () => {
      await program.write('list', content);
      const { end, stdout, stderr } = await check('--list', 'list');
      assert.equal(stderr, '');
      const place = name.includes('settings') ? '1:36' : '2:1';
      assert.match(stdout, new RegExp(`^list:${place}: dep_failed: Ops Slack failed`));
      assert.equal(end, 1);
    });
  }

  const undecodable: Record<string, readonly [content: Buffer, sentence: string]> = {
    'IDs in UTF-16 without a mark': [
      utf16(text),
      'list contains NUL characters, so it was not read. Save it as UTF-8.',
    ],
    'IDs in big-endian UTF-16 without a mark': [
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
    'an ID in the colors of a terminal': [
      Buffer.from('dep_ok\n\u001b[32mdep_failed\u001b[0m'),
      'list:2:1: This contains a control character, so it is not sent as an ID.',
    ],
    'an ID over two lines': [
      Buffer.from('{ "automationPlatform.deployments": ["dep_ok", { "id": "dep\\n_failed" }] }'),
      'list:1:48: This contains a control character, so it is not sent as an ID.',
    ],
  };
  for (const [name, [content, sentence]] of Object.entries(undecodable)) {
    it(`sends no request for ${name}`, async () => {
      await program.write('list', content);
      const { end, stderr } = await check('--list', 'list');
      const [firstLine] = stderr.split('\n');
      const wrongIds = platform.requests
        .map(({ route }) => route.id)
        .filter((id) => id !== 'dep_ok');
      assert.equal(firstLine, sentence);
      assert.equal(end, 2);
      assert.deepEqual(wrongIds, []);
    });
  }

  const malformed = (count: number) => ({ 'automationPlatform.deployments': Array(count).fill(1) });
  const entryProblem = 'This is neither an ID nor { "id": "..." }.';

  it('names the first 100 malformed entries of a file, and how many more there are', async () => {
    await program.write('a.json', malformed(103));
    const { stderr } = await check('--list', 'a.json');
    const lines = stderr.split('\n');
    assert.equal(lines[99], `a.json:102:5: ${entryProblem}`);
    assert.deepEqual(lines.slice(100), [
      '3 more entries of a.json are malformed.',
      'Nothing was checked.',
      '',
    ]);
  });

  it('names 100 malformed entries of each file', async () => {
    await program.write('a.json', malformed(101));
    await program.write('b.json', malformed(100));
    const { stderr } = await check('--list', 'a.json', '--list', 'b.json');
    const lines = stderr.split('\n');
    assert.equal(lines[100], '1 more entry of a.json is malformed.');
    assert.equal(lines.length, 100 + 1 + 100 + 2);
  });

  it('names a malformed entry once when its file is named twice', async () => {
    await program.write('a.json', malformed(1));
    const { stderr } = await check('--list', 'a.json', '--list', './a.json', '--id', 'dep_ok');
    assert.equal(stderr, `a.json:3:5: ${entryProblem}\n`);
  });

  it('names a malformed entry once when its folder has two names', async function () {
    // There a link needs a right of its own.
    if (isWindows) return this.skip();
    await program.write('.vscode/settings.json', folder('dep_ok', 1));
    await symlink('.', at('link'));
    await program.write('a.code-workspace', { folders: [{ path: '.' }, { path: 'link' }] });
    const { stderr } = await check();
    assert.equal(stderr, `.vscode/settings.json:4:5: ${entryProblem}\n`);
  });

  it('reads a file as lines and as settings when its two names say so', async function () {
    if (isWindows) return this.skip();
    await program.write('a.txt', 'dep_ok\n');
    await symlink('a.txt', at('a.json'));
    const { end, stderr } = await check('--list', 'a.txt', '--list', 'a.json');
    assert.equal(end, 2);
    assert.match(stderr, /^a\.json:1:1: This is not valid JSON, so entries may be missing\.$/m);
  });

  it('reads a workspace file as one when another of its names is that of settings', async function () {
    if (isWindows) return this.skip();
    await program.write('a.code-workspace', settings('dep_ok'));
    await symlink('a.code-workspace', at('a.json'));
    const { end, stderr } = await check('--list', 'a.json', '--list', 'a.code-workspace');
    assert.equal(end, 2);
    assert.match(stderr, /^a\.json lists no deployments: /);
  });

  it('has the same sentences about malformed entries in JSON', async () => {
    await program.write('a.json', malformed(103));
    const { stdout } = await check('--list', 'a.json', '--id', 'dep_ok', '--format', 'json');
    const { listErrors } = JSON.parse(stdout);
    assert.equal(listErrors.length, 101);
    assert.equal(listErrors[100], '3 more entries of a.json are malformed.');
  });

  it('reads 20,000 entries in a file of 2,000,000 lines', async () => {
    const entries = Array.from({ length: 20_000 }, () => '1').join();
    await program.write(
      'a.json',
      `{"automationPlatform.deployments":[${entries}]}${'\n'.repeat(2_000_000)}`,
    );
    const { end, stderr } = await check('--list', 'a.json');
    assert.equal(end, 2);
    assert.match(stderr, /^19,900 more entries of a\.json are malformed\.$/m);
  });

  describe('in the middle of a list', () => {
    const waiting = changed('timers.setImmediate = never');
    beforeEach(() => program.write('a.txt', '1\n'.repeat(100_000)));

    it('ends with 2 when the time is up', async () => {
      const args = ['--list', 'a.txt', '--timeout', '1'];
      const { end, stderr } = await program.run(args, { ...env, ...waiting });
      assert.match(stderr, /^The time was up before the list was read\./);
      assert.equal(end, 2);
    });

    it('ends after SIGINT', async () => {
      const child = program.start(['--list', 'a.txt', '--junit', 'b.xml'], { ...env, ...waiting });
      while (!existsSync(at('b.xml'))) await setTimeout(10);
      child.kill('SIGINT');
      const [, endSignal] = await once(child, 'close');
      assert.equal(endSignal, 'SIGINT');
      assert.deepEqual(platform.requests, []);
    });
  });

  const lists: Readonly<Record<string, readonly [content: string, sentence: string]>> = {
    'an empty text': ['\n', 'a lists no deployments.'],
    'a list of IDs in JSON': [
      '["dep_failed"]',
      'a lists no deployments: it has no automationPlatform.deployments.',
    ],
    'a key of another program': [
      '{"deployments":["dep_failed"]}',
      'a lists no deployments: it has no automationPlatform.deployments.',
    ],
  };
  for (const [name, [content, sentence]] of Object.entries(lists)) {
    it(`exits with 2 for ${name} as one of two lists`, async () => {
      await program.write('a', content);
      await program.write('b.txt', 'dep_ok');
      const { end, stderr } = await check('--list', 'a', '--list', 'b.txt');
      assert.equal(stderr, `${sentence}\n`);
      assert.equal(end, 2);
    });

    it(`exits with 3 for ${name} as the only list, and names it`, async () => {
      await program.write('a', content);
      const { end, stderr } = await check('--list', 'a');
      const [firstLine] = stderr.split('\n');
      assert.equal(firstLine, sentence);
      assert.equal(end, 3);
    });
  }

  it('says where a workspace file without a list should have one', async () => {
    await program.write('a.code-workspace', folder('dep_failed'));
    const { stderr } = await check('--list', 'a.code-workspace', '--id', 'dep_ok');
    assert.equal(
      stderr,
      'a.code-workspace lists no deployments: its settings have no automationPlatform.deployments.\n',
    );
  });

  it('exits with 0 for a list that says that it is empty', async () => {
    await program.write('a.json', folder());
    const { end, stderr } = await check('--list', 'a.json', '--id', 'dep_ok');
    assert.equal(stderr, '');
    assert.equal(end, 0);
  });

  it('exits with 0 for a default file with other settings only', async () => {
    await program.write('.vscode/settings.json', { 'editor.tabSize': 2 });
    await program.write('a.code-workspace', settings('dep_ok'));
    const { end, stderr } = await check();
    assert.equal(stderr, '');
    assert.equal(end, 0);
  });

  const unwritable: Record<
    string,
    readonly [make: (name: string) => unknown, reason: RegExp, isHere: boolean]
  > = {
    'a FIFO without a reader': [fifo, /ENXIO/, !isWindows],
    'a folder': [(name) => mkdir(at(name)), /EISDIR/, true],
    'a circle of links': [(name) => symlink(name, at(name)), /ELOOP/, !isWindows],
    'in a file': [(name) => program.write(name, ''), /ENOTDIR|ENOENT/, true],
    'in a folder that does not exist': [() => undefined, /ENOENT/, true],
  };
  for (const [name, [make, reason, isHere]] of Object.entries(unwritable)) {
    for (const [id, code] of Object.entries({ dep_ok: 0, dep_failed: 1, dep_gone: 2 })) {
      it(`exits with ${code} for ${id} when its summary is ${name}`, async function () {
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

  it('writes its summary to a FIFO that is read', async function () {
    if (isWindows) return this.skip();
    fifo('fifo');
    const reader = await open(at('fifo'), constants.O_RDONLY | constants.O_NONBLOCK);
    const args = ['--id', 'dep_ok', '--format', 'github'];
    const { end, stderr } = await program.run(args, { ...env, GITHUB_STEP_SUMMARY: at('fifo') });
    const read = await reader.readFile('utf8');
    await reader.close();
    assert.equal(end, 0);
    assert.equal(stderr, '');
    assert.match(read, /^## Automation Platform: 1 healthy\n/);
  });
});

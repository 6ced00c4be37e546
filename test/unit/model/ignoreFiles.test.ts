import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { IgnoreFiles, type IgnoreOptions } from '../../../src/model/ignoreFiles.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';

const hasGit = spawnSync('git', ['--version']).status === 0;

async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
}

const ofFolder: IgnoreOptions = { useParents: false, useGlobal: false };

/** Writes the files, and returns the names of those that ignore files leave out. */
async function ignored(
  files: Readonly<Record<string, string>>,
  {
    root = '',
    options = ofFolder,
  }: { readonly root?: string; readonly options?: IgnoreOptions } = {},
): Promise<readonly string[]> {
  const { path } = await temporaryFolder();
  await write(path, files);
  const ignoreFiles = new IgnoreFiles(join(path, root), options);
  const candidates = Object.keys(files).filter(
    (name) => !/\.(?:git|rg|)ignore$|\.git\b/.test(name) && name.startsWith(root),
  );
  const left: string[] = [];
  for (const name of candidates) {
    const file = name.slice(root === '' ? 0 : root.length + 1);
    if (await ignoreFiles.ignores(file)) left.push(file);
  }
  return left;
}

describe('ignore files', () => {
  for (const [title, files, expected] of [
    [
      'leave out files and folders',
      {
        '.gitignore': '*.log\n.venv/',
        'a.log': '',
        'x/b.log': '',
        '.venv/lib/c.py': '',
        'd.py': '',
      },
      ['a.log', 'x/b.log', '.venv/lib/c.py'],
    ],
    [
      'bring nothing back from a folder that is ignored',
      { '.gitignore': 'out/\n!out/a.ts', 'out/.gitignore': '!*', 'out/a.ts': '' },
      ['out/a.ts'],
    ],
    [
      'leave out files by the rules of a deeper folder',
      { 'x/.gitignore': '/a', 'x/a': '', a: '', 'x/y/a': '' },
      ['x/a'],
    ],
    [
      'bring back files by the rules of a deeper folder',
      { '.gitignore': '*.gen', 'x/.gitignore': '!b.gen', 'x/a.gen': '', 'x/b.gen': '' },
      ['x/a.gen'],
    ],
    [
      'bring back files by .ignore that .gitignore leaves out',
      { '.gitignore': 'dist/\n*.log', '.ignore': '!dist/', 'dist/a.js': '', 'dist/b.log': '' },
      ['dist/b.log'],
    ],
    [
      'bring back files by .rgignore that .ignore leaves out',
      { '.ignore': '*.a', '.rgignore': '!x.a', 'x.a': '', 'y.a': '' },
      ['y.a'],
    ],
    [
      'leave out files by .rgignore above a deeper .ignore',
      { '.rgignore': '*.a', 'x/.ignore': '!*', 'x/b.a': '' },
      ['x/b.a'],
    ],
    [
      'bring back files in a folder with odd characters in its name',
      {
        '.gitignore': '*.d',
        '.ignore': '!*.d',
        '.rgignore': '',
        'a [b] *?.d/x.ts': '',
        'a [b] *?.d/y.d': '',
      },
      [],
    ],
    [
      'leave out files by .git/info/exclude',
      { '.git/info/exclude': 'mine', mine: '', 'x/mine': '' },
      ['mine', 'x/mine'],
    ],
    [
      'leave out files of a worktree by the exclude file of its repository',
      {
        'w/.git': 'gitdir: ../r/.git/worktrees/w\n',
        'r/.git/worktrees/w/commondir': '../..\n',
        'r/.git/info/exclude': 'mine',
        'w/mine': '',
        mine: '',
      },
      ['w/mine'],
    ],
    [
      'leave out files of a nested repository by the files above',
      {
        '.gitignore': '*.a',
        '.ignore': '*.b',
        'sub/.git/HEAD': '',
        'sub/.gitignore': '*.c',
        'sub/x.a': '',
        'sub/x.b': '',
        'sub/x.c': '',
      },
      ['sub/x.a', 'sub/x.b', 'sub/x.c'],
    ],
    [
      'have no rule in a comment or an empty line',
      { '.gitignore': '# a\n\n', a: '', '# a': '' },
      [],
    ],
    ['leave out a file by an escaped #', { '.gitignore': '\\#b\r\n', '#b': '', b: '' }, ['#b']],
    [
      'leave out files by rules with a byte order mark',
      { '.gitignore': '\ufeffa', a: '', b: '' },
      ['a'],
    ],
  ] as const) {
    it(title, async () => assert.deepEqual(await ignored(files), expected));
  }

  describe('above the folder', () => {
    const files = {
      '.ignore': 'r/w\n*.a',
      '.gitignore': '*.b',
      'r/.git/HEAD': '',
      'r/.gitignore': '/w/\n*.c',
      'r/w/x.a': '',
      'r/w/x.b': '',
      'r/w/x.c': '',
      'r/w/x.d': '',
    };

    it('leave out its files but never the folder itself when parents are used', async () => {
      const options = { useParents: true, useGlobal: false };
      assert.deepEqual(await ignored(files, { root: 'r/w', options }), ['x.a', 'x.b', 'x.c']);
    });

    it('leave out nothing when parents are not used', async () => {
      assert.deepEqual(await ignored(files, { root: 'r/w' }), []);
    });
  });

  describe('of the user', () => {
    let environmentBefore: NodeJS.ProcessEnv;
    let home: string;

    beforeEach(async () => {
      environmentBefore = { ...process.env };
      home = (await temporaryFolder()).path;
      Object.assign(process.env, {
        HOME: home,
        USERPROFILE: home,
        XDG_CONFIG_HOME: join(home, 'config'),
      });
      await write(home, { 'config/git/ignore': '*.a', mine: '*.b', 'w/x.a': '', 'w/x.b': '' });
    });

    afterEach(() => {
      for (const name of ['HOME', 'USERPROFILE', 'XDG_CONFIG_HOME']) {
        const value = environmentBefore[name];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });

    async function leftOut() {
      const files = new IgnoreFiles(join(home, 'w'), { useParents: false, useGlobal: true });
      const left: string[] = [];
      for (const file of ['x.a', 'x.b']) if (await files.ignores(file)) left.push(file);
      return left;
    }

    it('leave out files by the default file of git', async () => {
      assert.deepEqual(await leftOut(), ['x.a']);
    });

    it('leave out files only by the file with which git is configured', async () => {
      await write(home, { '.gitconfig': '[core]\n\texcludesFile = ~/mine\n' });
      assert.deepEqual(await leftOut(), ['x.b']);
    });
  });

  it('leave out every folder below an ignored one', async () => {
    const { path } = await temporaryFolder();
    await write(path, { '.gitignore': 'x/', 'x/a': '' });
    await symlink(path, join(path, 'x/circle'));
    const files = new IgnoreFiles(path, ofFolder);
    const isIgnored = await files.ignoresFolder('x/circle/x/circle/x');
    assert.equal(isIgnored, true);
  });
});

/** Returns those of the files that `git check-ignore` names. */
function ignoredByGit(folder: string, files: readonly string[]): readonly string[] {
  const settings = ['-c', 'core.quotePath=false', '-c', 'core.excludesFile='];
  const { stdout } = spawnSync(
    'git',
    [...settings, 'check-ignore', '--no-index', '--stdin', '-z'],
    { cwd: folder, input: files.join('\0'), encoding: 'utf8' },
  );
  return stdout.split('\0').filter((file) => file !== '');
}

describe('ignore files', () => {
  before(function () {
    if (hasGit) return;
    console.log('    Not compared with git: there is none on this machine.');
    this.skip();
  });

  // ASCII, because to git a letter with an accent is two characters of `[!a]` and `?`.
  const name = fc.constantFrom('a', 'b', 'ab', 'a.b', '.a', 'B', 'a b', '[a]', '#a', '!a');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  const part = fc.oneof(
    name,
    fc.constantFrom(
      '*',
      '**',
      '?',
      'a*',
      '*b',
      '[ab]',
      '[!a]',
      '*.b',
      '\\#a',
      '\\!a',
      'a\\ b',
      '\\[a\\]',
      '[[:alpha:]]',
      'a ',
      '.*',
    ),
  );
  const rule = fc
    .tuple(
      fc.constantFrom('', '', '!', '/', '!/', '**/'),
      fc.array(part, { minLength: 1, maxLength: 3 }),
      fc.constantFrom('', '', '/', '/**', '/*', ' '),
    )
    .map(([start, parts, end]) => `${start}${parts.join('/')}${end}`);
  const rules = fc
    .array(fc.oneof(rule, fc.constantFrom('# a', '', '   ')), { maxLength: 8 })
    .map((all) => all.join('\n'));
  const sets = fc.sample(
    fc.record({
      paths: fc.uniqueArray(path, { minLength: 10, maxLength: 30 }),
      root: rules,
      inA: rules,
      exclude: rules,
    }),
    { numRuns: 60, seed: 1 },
  );

  it(`leave out the same files as git check-ignore in ${sets.length} sets of rules`, async function () {
    this.timeout(60_000);
    const differences: unknown[] = [];
    let ignoredCount = 0;
    for (const { paths, root, inA, exclude } of sets) {
      // No file stands where another path has a folder.
      const files = paths.filter(
        (one) => one !== 'a' && !paths.some((other) => other.startsWith(`${one}/`)),
      );
      const { path: folder } = await temporaryFolder();
      spawnSync('git', ['init', '-q', folder]);
      await write(folder, {
        ...Object.fromEntries(files.map((file) => [file, ''])),
        'a/.gitignore': inA,
        '.gitignore': root,
        '.git/info/exclude': exclude,
      });

      const byGit = ignoredByGit(folder, files);
      const ignoreFiles = new IgnoreFiles(folder, ofFolder);
      const ours: string[] = [];
      for (const file of files) if (await ignoreFiles.ignores(file)) ours.push(file);

      ignoredCount += byGit.length;
      if (ours.toSorted().join() !== byGit.toSorted().join())
        differences.push({ root, inA, exclude, ours, byGit });
      await rm(folder, { recursive: true });
    }
    assert.deepEqual(differences, []);
    assert.ok(ignoredCount > 100, `git ignores only ${ignoredCount} files`);
  });
});

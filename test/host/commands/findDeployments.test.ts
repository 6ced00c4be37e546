import { strict as assert } from 'node:assert';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { DEFAULT_TOKEN } from '../../support/platform/data.js';
import { startWorld, type World } from '../../support/window/graph.js';
import { settingIn, Workspace, writeSetting } from '../../support/window/settings.js';
import { recordWindow, replace } from '../../support/window/windowRecorder.js';

const fileWith = (id: string) => `{ "deploymentId": "${id}" }`;

describe('Find Deployments in Workspace', () => {
  let platform: World['platform'];
  let graph: World['graph'];
  const root = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
  const written = new Set<string>();

  /** Writes these files below the root until the end of the test. */
  async function write(files: Readonly<Record<string, string | Buffer>>): Promise<void> {
    await Promise.all(
      Object.entries(files).map(async ([name, content]) => {
        written.add(name.split('/')[0]!);
        await mkdir(dirname(join(root, name)), { recursive: true });
        await writeFile(join(root, name), content);
      }),
    );
  }

  /** Searches the workspace, and chooses the entries at these positions. Returns what was shown, and the offered IDs with their places. */
  async function search(...chosen: number[]) {
    const shown = recordWindow(() => {
      assert.deepEqual(platform.requests, [], 'No request is sent before the choice.');
      return chosen;
    });
    await graph.run('findDeployments');
    return {
      ...shown,
      offered: shown.picks.map(({ label, description }) => `${label} ${description}`),
      offeredIds: shown.picks.map(({ label }) => label),
    };
  }

  /** Searches the workspace. Returns the notification, without the number of files in this window. */
  async function searchMessage() {
    const { messages } = await search();
    return messages[0]?.map((part) => part.replace(/\b\d+ files?/, 'N files'));
  }

  /** Searches the workspace. Returns the number of searched files that the notification names. */
  async function countSearchedFiles(): Promise<number> {
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

  it('shows line and number of places behind a long path', async () => {
    const folders = Array.from({ length: 4 }, (_, index) => `folder${index}`.padEnd(60, 'x'));
    const path = `${folders.join('/')}/flow.yaml`;
    await write({ [path]: 'deploymentId: dep_far\ndeploymentId: dep_far\n' });

    const { offered } = await search();

    assert.match(offered.join(), /^dep_far folder0x+.*…\S*x\/flow\.yaml:1 \+1$/);
  });

  describe('with listed and new IDs', () => {
    const section = 'automationPlatform.deployments';
    beforeEach(async () => {
      await writeSetting(section, ['dep_listed'], Workspace);
      await write({
        'find/a.json': '{\n  "deploymentId": "dep_1"\n}',
        'find/.github/b.yaml': `deployment_id: dep_2\ndeploymentId: ${DEFAULT_TOKEN}\ndeploymentId: dep_listed\nDEPLOYMENT_ID: dep_1`,
      });
    });

    it('offers new IDs with file and line', async () => {
      const { offered, placeholders } = await search();

      assert.deepEqual(offered, ['dep_1 find/a.json:2 +1', 'dep_2 find/.github/b.yaml:1']);
      assert.deepEqual(placeholders, ['Select the deployments to add.']);
    });

    it('checks no ID in its list', async () => {
      const { picks } = await search();

      const checked = picks.filter(({ picked }) => picked);
      assert.deepEqual(checked, []);
    });

    it('adds the chosen ID', async () => {
      await search(1);

      assert.deepEqual(settingIn(section), ['dep_listed', 'dep_2']);
    });
  });

  it('skips excluded files, links, binary files, large files, and .env files', async () => {
    await write({
      'find/here.json': fileWith('dep_here'),
      'find/node_modules/a.json': fileWith('dep_modules'),
      'find/out/a.json': fileWith('dep_out'),
      'find/x/gen.json': fileWith('dep_braces'),
      'find/binary.json': `\0${fileWith('dep_binary')}`,
      'find/large.json': fileWith('dep_large') + ' '.repeat(1024 * 1024),
      'find/.env.json': fileWith('dep_env'),
      'elsewhere/a.json': fileWith('dep_here'),
      'hidden/a.json': fileWith('dep_hidden'),
    });
    await symlink(join(root, 'find'), join(root, 'find/circle'));
    await symlink(join(root, 'elsewhere'), join(root, 'find/linked'));
    await symlink(join(root, 'find/here.json'), join(root, 'find/link.json'));
    const exclude = { '**/{out,{x,y}/gen*}': true, '**/here.json': false, '**/elsewhere': true };
    await writeSetting('search.exclude', exclude, Workspace);
    await writeSetting('files.exclude', { '**/hidden': true }, Workspace);

    const { offered } = await search();

    assert.deepEqual(offered, ['dep_here find/here.json:1']);
  });

  // The braces of two of these patterns do not match, or stand for too many globs.
  describe('with unusable patterns', () => {
    beforeEach(async () => {
      await write({
        'find/a.json': fileWith('dep_1'),
        'find/b.json': fileWith('dep_2'),
        'find/c.json': fileWith('dep_3'),
      });
      const many = '{a,b}'.repeat(20);
      await writeSetting(
        'search.exclude',
        { [`**/${many}`]: true, '**/{c.json': true, '**/b.*': true },
        Workspace,
      );
    });

    it('searches the files of the patterns', async () => {
      const { offered } = await search();

      assert.deepEqual(offered, ['dep_1 find/a.json:1', 'dep_3 find/c.json:1']);
    });

    it('says that the patterns were not applied', async () => {
      const { placeholders } = await search();

      assert.deepEqual(placeholders, [
        '2 patterns in search.exclude were not applied, so files that match them were searched, too. Their braces must be in pairs and have fewer alternatives. Select the deployments to add.',
      ]);
    });
  });

  it('skips a file whose pattern of search.exclude has a comma', async () => {
    await write({
      'find/a,b.json': fileWith('dep_1'),
      'find/a': fileWith('dep_2'),
      'find/b.json': fileWith('dep_3'),
    });
    await writeSetting('search.exclude', { '**/a,b.json': true, '**/x': true }, Workspace);

    const { offered } = await search();

    assert.deepEqual(offered, ['dep_2 find/a:1', 'dep_3 find/b.json:1']);
  });

  it('reads text files with any ending', async () => {
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

    const { offered } = await search();

    assert.deepEqual(offered, [
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
      'find/src/a.gen': fileWith('dep_gen'),
      'find/src/b.gen': fileWith('dep_b'),
      'find/src/keep.gen': fileWith('dep_keep'),
      'find/src/local': fileWith('dep_local'),
      'find/x/.git/info/exclude': 'private',
      'find/x/private': fileWith('dep_private'),
      'find/x/c.gen': fileWith('dep_nested_repository'),
    };

    it('skips the files that VS Code skips in its own search', async () => {
      await write(files);

      const { offered } = await search();

      assert.deepEqual(offered, [
        'dep_real find/src/app.py:1',
        'dep_b find/src/b.gen:1',
        'dep_keep find/src/keep.gen:1',
      ]);
    });

    it('reads all files when search.useIgnoreFiles is off', async () => {
      await write(files);
      await writeSetting('search.useIgnoreFiles', false, Workspace);

      const { offeredIds } = await search();

      assert.deepEqual(offeredIds, [
        'dep_gen',
        'dep_real',
        'dep_b',
        'dep_keep',
        'dep_local',
        'dep_nested_repository',
        'dep_private',
        'dep_of_a_library',
      ]);
    });

    it('does not count ignored files among the first 2,000', async () => {
      const ignored = Array.from({ length: 2001 }, (_, index) => [
        `find/${index}.gen`,
        fileWith('dep_gen'),
      ]);
      await write({
        'find/.gitignore': '*.gen',
        'find/deep/er/a.json': fileWith('dep_1'),
        ...Object.fromEntries(ignored),
      });

      const { offered, placeholders } = await search();

      assert.deepEqual(offered, ['dep_1 find/deep/er/a.json:1']);
      assert.deepEqual(placeholders, ['Select the deployments to add.']);
    });
  });

  describe('with an ignore file in a parent folder', () => {
    const parent = join(root, '..', '.ignore');
    beforeEach(async () => {
      await write({ 'find/a.json': fileWith('dep_1'), 'find/b.parent': fileWith('dep_2') });
      await writeFile(parent, '*.parent');
    });
    afterEach(() => rm(parent));

    it('reads ignored files by default', async () => {
      const { offered } = await search();

      assert.deepEqual(offered, ['dep_1 find/a.json:1', 'dep_2 find/b.parent:1']);
    });

    it('skips ignored files by setting', async () => {
      await writeSetting('search.useParentIgnoreFiles', true, Workspace);

      const { offered } = await search();

      assert.deepEqual(offered, ['dep_1 find/a.json:1']);
    });
  });

  it('offers IDs near the root first, then by path', async () => {
    await write({
      'find/b/c.json': fileWith('dep_4'),
      'find/a/b/c.json': fileWith('dep_5'),
      'find/b.json': fileWith('dep_3'),
      'find/a.json': fileWith('dep_2'),
      'a.json': fileWith('dep_1'),
    });
    const { offeredIds } = await search();

    assert.deepEqual(offeredIds, ['dep_1', 'dep_2', 'dep_3', 'dep_4', 'dep_5']);
  });

  describe('without a new ID', () => {
    it('names the kinds of files that are not searched', async () => {
      await write({ 'find/a.json': '{}', 'find/b.txt': '' });

      assert.deepEqual(await searchMessage(), [
        'information',
        'No ID behind “deploymentId” or its other spellings in N files. Excluded, ignored, and binary files, links, .env files, and files over 1 MB are not searched.',
        'Add Deployment...',
      ]);
    });

    it('counts only the searched files', async () => {
      await write({ 'find/.gitignore': 'ignored' });
      const countBefore = await countSearchedFiles();
      await write({
        'find/a.json': '{}',
        'find/ignored': '',
        'find/binary': '\0',
        'find/.env': '',
        'find/b': 'x',
      });

      assert.equal(await countSearchedFiles(), countBefore + 2);
    });

    it('says that all found IDs are listed', async () => {
      await writeSetting('automationPlatform.deployments', ['dep_1'], Workspace);
      await write({ 'find/a.json': fileWith('dep_1') });

      assert.deepEqual(await searchMessage(), [
        'information',
        'All IDs found in N files are already in the list.',
        'Add Deployment...',
      ]);
    });
  });

  it('searches only the 2,000 files that are nearest to the root', async () => {
    const files = Array.from({ length: 2001 }, (_, index) => [
      `find/x/${index}.json`,
      fileWith('dep_x'),
    ]);
    await write({
      ...Object.fromEntries(files),
      'find/a.json': fileWith('dep_1'),
      'find/x/y/z.json': fileWith('dep_far'),
    });

    const { offeredIds, placeholders } = await search();

    assert.deepEqual(offeredIds, ['dep_1', 'dep_x']);
    assert.match(placeholders.join(), /^Only the first 2,000 files were searched\./);
  });

  it('offers nothing when it is cancelled', async () => {
    await write({ 'find/a.json': fileWith('dep_1') });
    const shown = recordWindow();
    const { findFiles } = vscode.workspace;
    const cancelled = new Promise<void>((resolve) => {
      const withProgress = (_: unknown, work: (...given: unknown[]) => unknown) => {
        resolve();
        return work({ report: () => {} }, { isCancellationRequested: true });
      };
      replace(vscode.window, { withProgress });
    });
    // The user cannot cancel before the progress is shown.
    replace(vscode.workspace, {
      findFiles: (...args: Parameters<typeof findFiles>) =>
        cancelled.then(() => findFiles(...args)),
    });

    await graph.run('findDeployments');
    assert.deepEqual(shown.picks, []);
  });

  it('ends at once when it is cancelled while VS Code searches', async () => {
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

    assert.deepEqual(shown.picks, []);
    assert.deepEqual(shown.messages, []);
  });

  it('adds parent folders to paths in workspace folders of the same name', async () => {
    await write({
      'find/web/src/a.json': fileWith('dep_web'),
      'find/api/src/a.json': fileWith('dep_api'),
      'find/api/src/inner/b.json': fileWith('dep_inner'),
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

    const { offered } = await search();

    assert.deepEqual(offered, [
      'dep_web web/src/a.json:1',
      'dep_api api/src/a.json:1',
      'dep_inner inner/b.json:1',
    ]);
  });
});

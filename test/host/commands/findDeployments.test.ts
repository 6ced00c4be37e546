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

  async function write(files: Readonly<Record<string, string>>): Promise<void> {
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
    return { ...shown, offered: shown.picks.map(({ label, description }) => `${label} ${description}`) };
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

  it('offers what is not listed, with file and line, nothing checked, and adds what is chosen', async () => {
    const section = 'automationPlatform.deployments';
    await writeSetting(section, ['dep_listed'], Workspace);
    await write({
      'find/a.json': '{\n  "deploymentId": "dep_1"\n}',
      'find/.github/b.yaml': `deployment_id: dep_2\ndeploymentId: ${DEFAULT_TOKEN}\ndeploymentId: dep_listed\nDEPLOYMENT_ID: dep_1`,
    });
    const { offered, placeholders, picks } = await search(0);
    assert.deepEqual(offered, ['dep_2 find/.github/b.yaml:1', 'dep_1 find/.github/b.yaml:4 +1']);
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
      'find/picture.png': text('dep_picture'),
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
    await write({ 'find/a.json': text('dep_1'), 'find/b.json': text('dep_2'), 'find/c.json': text('dep_3') });
    const many = '{a,b}'.repeat(20);
    await writeSetting('search.exclude', { [`**/${many}`]: true, '**/{c.json': true, '**/b.*': true }, Workspace);
    const sentence =
      '2 patterns in search.exclude were not applied, so files that match them were searched, too. Their braces must be in pairs and have fewer alternatives.';
    const { offered, placeholders } = await search();
    assert.deepEqual(offered, ['dep_1 find/a.json:1', 'dep_3 find/c.json:1']);
    assert.deepEqual(placeholders, [`${sentence} Select the deployments to add.`]);
  });

  it('says that it finds no deployment ID', async () => {
    await write({ 'find/a.json': '{}' });
    const none = 'No file in this workspace has a value for “deploymentId”.';
    assert.deepEqual((await search()).messages, [['information', none, 'Add Deployment...']]);
  });

  it('searches the first 2,000 files, and says that there are more', async () => {
    const names = Array.from({ length: 2001 }, (_, index) => [`find/${index}.json`, text('dep_1')]);
    await write(Object.fromEntries(names));
    const { placeholders } = await search();
    assert.match(placeholders.join(), /^Only the first 2,000 files were searched\./);
  });

  it('offers nothing once it is cancelled', async () => {
    await write({ 'find/a.json': text('dep_1') });
    const cancelled = { isCancellationRequested: true, onCancellationRequested: () => new vscode.Disposable(() => {}) };
    const withProgress = (_: unknown, work: (...given: unknown[]) => unknown) => work({ report: () => {} }, cancelled);
    const shown = recordWindow();
    replace(vscode.window, { withProgress });
    await graph.run('findDeployments');
    assert.deepEqual(shown.picks, []);
  });
});

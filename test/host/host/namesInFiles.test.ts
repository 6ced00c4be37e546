import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { DeploymentList } from '../../../src/host/list/deploymentList.js';
import type { ListedDeployment } from '../../../src/model/findings/deployment.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import { deployment } from '../../support/window/fixtures.js';
import { replace } from '../../support/window/windowRecorder.js';

type Labels = Readonly<Record<string, string | Omit<ListedDeployment, 'id'>>>;

/** The settings of a window: those of its folders by their paths, of its workspace file, and of the user. */
interface WindowSettings {
  readonly folders: Readonly<Record<string, Labels>>;
  readonly workspace?: Labels;
  readonly user?: Labels;
  readonly isTrusted?: boolean;
}

function entries(labels: Labels = {}) {
  return Object.entries(labels).map(([id, entry]) =>
    typeof entry === 'string' ? { id, label: entry } : { id, ...entry },
  );
}

/** The list in a window of several folders, which the window of the tests does not have: VS Code's answers are replaced. */
function openFolders({
  folders,
  workspace,
  user,
  isTrusted = true,
}: WindowSettings): DeploymentList {
  const all = Object.keys(folders).map((path, index) => ({
    uri: vscode.Uri.file(path),
    name: 'src',
    index,
  }));
  replace(vscode.workspace, {
    isTrusted,
    workspaceFile: vscode.Uri.file('/acme.code-workspace'),
    workspaceFolders: all,
    // As VS Code does, it finds the innermost one.
    getWorkspaceFolder: ({ path }: vscode.Uri) =>
      all
        .filter(({ uri }) => path.startsWith(`${uri.path}/`))
        .toSorted((a, b) => b.uri.path.length - a.uri.path.length)[0],
    getConfiguration: (_section: string, scope: vscode.Uri | null) => ({
      inspect: () => ({
        globalValue: entries(user),
        workspaceValue: entries(workspace),
        workspaceFolderValue: scope && entries(folders[scope.path]),
      }),
    }),
  });
  const list = new DeploymentList({
    warn: () => undefined,
    redactValue: (text) => text.replace('secret', '***'),
  });
  atEndOfTest(() => list.dispose());
  return list;
}

const both = { '/web/src': { dep: 'Web checkout' }, '/api/src': { dep: 'API checkout' } };
const webOnly = { '/web/src': { dep: 'Web checkout' }, '/api/src': {} };

/** The settings of a window, a file in it, and the name of the deployment `dep` there. */
const table: readonly [title: string, settings: WindowSettings, file: string, name: string][] = [
  ['by the label of its own folder', { folders: both }, '/api/src/a.json', 'API checkout'],
  [
    'by the label of the first folder in a file of the first folder',
    { folders: both },
    '/web/src/a.json',
    'Web checkout',
  ],
  [
    'by the first label that is found in a file outside of all folders',
    { folders: both },
    '/a.json',
    'Web checkout',
  ],
  [
    'by the label of the innermost folder',
    { folders: { ...both, '/api/src/inner': { dep: 'Inner' } } },
    '/api/src/inner/a.json',
    'Inner',
  ],
  [
    'by the label of the workspace rather than of another folder',
    { folders: webOnly, workspace: { dep: 'Checkout' }, user: { dep: 'Mine' } },
    '/api/src/a.json',
    'Checkout',
  ],
  [
    'by the label of the user rather than of another folder',
    { folders: webOnly, user: { dep: 'Mine' } },
    '/api/src/a.json',
    'Mine',
  ],
  [
    'by the label of another folder where neither workspace nor user has one',
    { folders: webOnly },
    '/api/src/a.json',
    'Web checkout',
  ],
  [
    'with its ID where another deployment has the same label there',
    { folders: both, workspace: { other: 'API checkout' } },
    '/api/src/a.json',
    'API checkout (dep)',
  ],
  [
    'without its ID where no other deployment has its label there',
    { folders: both, workspace: { other: 'Web checkout' } },
    '/api/src/a.json',
    'API checkout',
  ],
  [
    'without a secret in its label',
    { folders: { '/api/src': { dep: 'My secret' } } },
    '/api/src/a.json',
    'My ***',
  ],
  [
    'by the label of the user where the workspace is not trusted',
    { folders: both, user: { dep: 'Mine' }, isTrusted: false },
    '/api/src/a.json',
    'Mine',
  ],
];

describe('a deployment in a file', () => {
  for (const [title, settings, file, name] of table) {
    it(`is named ${title}`, () => {
      const list = openFolders(settings);
      const listed = list.listed.find(({ id }) => id === 'dep')!;
      const named = list.namesIn(vscode.Uri.file(file))(deployment(listed));
      assert.equal(named.name, name);
    });
  }

  it('is in the group that counts, whatever its own folder says', () => {
    const inGroup = (label: string, group: string) => ({ dep: { label, group } });
    const folders = { '/web/src': inGroup('Web', 'payments'), '/api/src': inGroup('API', 'ops') };
    const list = openFolders({ folders });
    const given = { ...deployment({ id: 'dep', label: 'Web' }), group: 'payments' };
    const { label, group } = list.namesIn(vscode.Uri.file('/api/src/a.json'))(given);
    assert.deepEqual([label, group], ['API', 'payments']);
  });

  it('stays the same object where its name is the same', () => {
    const list = openFolders({ folders: both });
    const given = deployment({ id: 'dep', label: 'API checkout' });
    const named = list.namesIn(vscode.Uri.file('/api/src/a.json'))(given);
    assert.equal(named, given);
  });
});

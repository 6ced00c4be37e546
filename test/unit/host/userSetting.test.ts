import { strict as assert } from 'node:assert';
import { type Editor, userSetting } from '../../../src/host/userSetting.js';

const desktop = { remoteName: undefined, version: '1.105.1' };
const remote = { remoteName: 'dev-container', version: '1.105.1' };
const newRemote = { remoteName: 'dev-container', version: '1.132.0' };

type Inspected = Readonly<Record<string, unknown>>;

/** What `inspect()` gives in a remote window, with both parts of `globalValue`. */
function parts(local: unknown, machine: unknown, ofDefaultProfile?: unknown): Inspected {
  return {
    globalLocalValue: local,
    globalRemoteValue: machine,
    globalValue: machine ?? local ?? ofDefaultProfile,
    workspaceValue: 'of the workspace',
  };
}

interface Row {
  readonly title: string;
  readonly inspected: Inspected | undefined;
  readonly editor: Editor;
  readonly expected: ReturnType<typeof userSetting>;
}

describe('the value of a setting that only the user may set', () => {
  const rows: readonly Row[] = [
    {
      title: 'is the one of user settings in a local window',
      inspected: { globalValue: 'mine', workspaceValue: 'of the workspace' },
      editor: desktop,
      expected: { value: 'mine', isUsersOwn: true },
    },
    {
      title: 'is never the one of a workspace',
      inspected: { globalValue: undefined, workspaceValue: 'w', workspaceFolderValue: 'f' },
      editor: desktop,
      expected: { value: undefined, isUsersOwn: true },
    },
    {
      title: 'is the local part in a remote window',
      inspected: parts('mine', undefined),
      editor: remote,
      expected: { value: 'mine', isUsersOwn: true },
    },
    {
      title: 'is the local part also where the remote machine has another',
      inspected: parts('mine', 'of the machine'),
      editor: remote,
      expected: { value: 'mine', isUsersOwn: true },
    },
    {
      title: 'is none where only the remote machine has one',
      inspected: parts(undefined, 'of the machine'),
      editor: remote,
      expected: { value: undefined, isUsersOwn: true },
    },
    {
      title: 'is the one of the default profile in a window of another profile',
      inspected: parts(undefined, undefined, 'mine'),
      editor: remote,
      expected: { value: 'mine', isUsersOwn: true },
    },
    {
      title:
        'is none in a window of another profile where the remote machine hides that of the default one',
      inspected: parts(undefined, 'of the machine', 'mine'),
      editor: remote,
      expected: { value: undefined, isUsersOwn: true },
    },
    {
      title: 'is uncertain in an older remote window whose editor tells no parts',
      inspected: { globalValue: 'whose?' },
      editor: remote,
      expected: { value: 'whose?', isUsersOwn: false },
    },
    {
      title: 'is certain in a remote window of VS Code 1.132, which filters nested settings',
      inspected: { globalValue: 'mine' },
      editor: newRemote,
      expected: { value: 'mine', isUsersOwn: true },
    },
    {
      title: 'is uncertain in a remote window whose version cannot be read',
      inspected: { globalValue: 'whose?' },
      editor: { remoteName: 'ssh-remote', version: 'insiders' },
      expected: { value: 'whose?', isUsersOwn: false },
    },
    {
      title: 'is none where the editor knows no such setting',
      inspected: undefined,
      editor: remote,
      expected: { value: undefined, isUsersOwn: true },
    },
  ];
  for (const { title, inspected, editor, expected } of rows) {
    it(title, () => assert.deepEqual(userSetting(inspected, editor), expected));
  }
});

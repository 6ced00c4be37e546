import { strict as assert } from 'node:assert';
import { type Editor, userSetting } from '../../../src/host/userSetting.js';

const desktop = { remoteName: undefined, version: '1.105.1' };
const remote = { remoteName: 'dev-container', version: '1.105.1' };
const newRemote = { remoteName: 'dev-container', version: '1.132.0' };

type Inspected = Readonly<Record<string, unknown>>;

/** The values of a setting in a remote window. */
interface Values {
  readonly local?: unknown;
  readonly machine?: unknown;
  readonly ofDefaultProfile?: unknown;
}

/** What `inspect()` returns in a remote window, with both parts of `globalValue`. */
function remoteWindow({ local, machine, ofDefaultProfile }: Values): Inspected {
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

describe('a setting of the user alone', () => {
  const rows: readonly Row[] = [
    {
      title: 'has the value of the user settings in a local window',
      inspected: { globalValue: 'mine', workspaceValue: 'of the workspace' },
      editor: desktop,
      expected: { value: 'mine', isUsersOwn: true },
    },
    {
      title: 'never has the value of a workspace',
      inspected: { globalValue: undefined, workspaceValue: 'w', workspaceFolderValue: 'f' },
      editor: desktop,
      expected: { value: undefined, isUsersOwn: true },
    },
    {
      title: 'has the local value in a remote window',
      inspected: remoteWindow({ local: 'mine' }),
      editor: remote,
      expected: { value: 'mine', isUsersOwn: true },
    },
    {
      title: 'has the local value when the remote machine has another',
      inspected: remoteWindow({ local: 'mine', machine: 'of the machine' }),
      editor: remote,
      expected: { value: 'mine', isUsersOwn: true },
    },
    {
      title: 'has no value when only the remote machine has one',
      inspected: remoteWindow({ machine: 'of the machine' }),
      editor: remote,
      expected: { value: undefined, isUsersOwn: true },
    },
    {
      title: 'has the value of the default profile in a window of another profile',
      inspected: remoteWindow({ ofDefaultProfile: 'mine' }),
      editor: remote,
      expected: { value: 'mine', isUsersOwn: true },
    },
    {
      title: 'has no value when the remote machine hides that of the default profile',
      inspected: remoteWindow({ machine: 'of the machine', ofDefaultProfile: 'mine' }),
      editor: remote,
      expected: { value: undefined, isUsersOwn: true },
    },
    {
      title: 'is uncertain in an older remote window that does not tell the parts',
      inspected: { globalValue: 'whose?' },
      editor: remote,
      expected: { value: 'whose?', isUsersOwn: false },
    },
    {
      title: 'is certain in a remote window of VS Code 1.132',
      inspected: { globalValue: 'mine' },
      editor: newRemote,
      expected: { value: 'mine', isUsersOwn: true },
    },
    {
      title: 'is uncertain in a remote window with an unreadable version',
      inspected: { globalValue: 'whose?' },
      editor: { remoteName: 'ssh-remote', version: 'insiders' },
      expected: { value: 'whose?', isUsersOwn: false },
    },
    {
      title: 'has no value when the editor does not know the setting',
      inspected: undefined,
      editor: remote,
      expected: { value: undefined, isUsersOwn: true },
    },
  ];
  for (const { title, inspected, editor, expected } of rows) {
    it(title, () => assert.deepEqual(userSetting(inspected, editor), expected));
  }
});

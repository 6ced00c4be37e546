import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { DeploymentList } from '../../../src/host/list/deploymentList.js';
import { MuteEntries } from '../../../src/host/list/muteEntries.js';
import { Owners } from '../../../src/host/list/owners.js';
import { Network } from '../../../src/host/network.js';
import { Settings } from '../../../src/host/settings.js';
import { keyOfAccount, keyOfSubject } from '../../../src/model/entered/muteEntries.js';
import { atEndOfTest } from '../../support/window/endOfTest.js';
import {
  foreignNetworkSettings,
  foreignSettings,
  type SettingsFileName,
} from '../../support/window/foreignSettings.js';
import { foreignWindow } from '../../support/window/foreignWindow.js';
import { createGraph } from '../../support/window/graph.js';
import { recordWindow } from '../../support/window/windowRecorder.js';

const window = foreignWindow();
const log = {
  warn: () => undefined,
  warnOnce: () => undefined,
  redactValue: (text: string) => text,
};

/** The files of this window that a repository writes, in the order in which they count. */
const ofRepository: readonly SettingsFileName[] = window.hasWorkspaceFile
  ? ['folder', 'workspace']
  : ['folder'];
/** VS Code asks no folder for a setting of the window, unless the folder is all there is. */
const ofWindow = window.hasWorkspaceFile ? 'workspace' : 'folder';
/** VS Code puts the settings of the remote machine over those of the user. */
const counting: readonly SettingsFileName[] = window.isTrusted
  ? [...ofRepository, 'machine']
  : ['machine'];

/** The settings as this window reads them. */
function settings(): Settings {
  const made = new Settings(log);
  atEndOfTest(() => made.dispose());
  return made;
}

describe(`settings of a repository in ${window.name}`, () => {
  const folder = vscode.workspace.workspaceFolders![0]!.uri;
  const file = { uri: vscode.Uri.joinPath(folder, 'main.ts'), languageId: 'typescript' };

  it('stand in a remote window', () => {
    assert.notEqual(vscode.env.remoteName, undefined);
  });

  for (const [key, defaultValue, read] of [
    ['baseUrl', '', () => settings().baseUrl],
    ['dashboardUrl', '', () => settings().dashboardUrl],
    ['requestTimeout', 30, () => settings().requestTimeout / 1000],
    ['maxConcurrentRequests', 8, () => settings().maxConcurrentRequests],
  ] as const) {
    it(`do not set ${key}`, () => {
      const valueOfUser = foreignSettings[key]?.user;
      assert.equal(read(), valueOfUser ?? defaultValue);
    });
  }

  it('do not set the base URL that Sign In suggests', async () => {
    const { run } = createGraph();
    const { offered } = recordWindow();
    await run('signIn');
    assert.deepEqual(offered, [foreignSettings['baseUrl']?.user]);
  });

  it(`list ${window.isTrusted ? 'deployments' : 'no deployments'}`, () => {
    const list = new DeploymentList(log);
    atEndOfTest(() => list.dispose());
    assert.deepEqual(
      list.listed.map(({ id }) => id),
      counting,
    );
  });

  it(`name ${window.isTrusted ? 'owners' : 'no owners'}`, () => {
    const owners = new Owners(log);
    atEndOfTest(() => owners.dispose());
    assert.equal(owners.ownerOf({ account: 'acc_1' }), counting[0]);
  });

  it(`mute ${window.isTrusted ? 'what the repository names' : 'nothing'}`, () => {
    const mutes = new MuteEntries(log);
    atEndOfTest(() => mutes.dispose());
    const muted = mutes.current.entries.map(({ subject }) => keyOfSubject(subject));
    const expected = window.isTrusted ? ofRepository.map(keyOfAccount) : [];
    assert.deepEqual(muted, expected);
  });

  it(`get ${window.isTrusted ? '' : 'no '}mutes of Mute Problem`, () => {
    const mutes = new MuteEntries(log);
    atEndOfTest(() => mutes.dispose());
    const fileName = window.hasWorkspaceFile ? 'acme.code-workspace' : '.vscode/settings.json';
    assert.equal(mutes.scopeOfNewEntries?.name, window.isTrusted ? fileName : undefined);
  });

  for (const [key, read] of [
    ['refreshInterval', () => settings().refreshInterval],
    ['statusBar.enabled', () => settings().statusBarEnabled],
    ['badge.enabled', () => settings().badgeEnabled],
    ['notifications.newProblems', () => settings().notifyNewProblems],
  ] as const) {
    it(`set ${key} of the window`, () => {
      assert.equal(read(), foreignSettings[key]?.[ofWindow]);
    });
  }

  for (const [key, read] of [
    ['diagnostics.failedAccounts', () => settings().failedAccounts(file)],
    ['diagnostics.unsatisfiedRequirements', () => settings().unsatisfiedRequirements(file)],
    ['inlayHints', () => settings().inlayHints(file)],
  ] as const) {
    it(`set ${key} of a file`, () => {
      assert.equal(read(), foreignSettings[key]?.folder);
    });
  }

  it('do not set proxies or certificates of requests', () => {
    const surroundings = {
      secrets: new KnownSecrets(),
      log,
      env: {},
      now: Date.now,
      window: vscode.window,
    };
    const network = new Network(surroundings);
    atEndOfTest(() => network.dispose());
    assert.deepEqual(network.routeSettings, {
      proxies: [{ source: 'http.proxy', address: foreignNetworkSettings['proxy']?.user }],
      proxySupportOff: false,
      noProxy: [''],
      proxyAuthorization: '',
      proxyStrictSSL: true,
      systemCertificates: true,
    });
  });
});

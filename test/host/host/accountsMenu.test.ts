import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { authenticationId, commandIds, extensionId } from '../../../src/host/ids.js';
import { AccountsMenu, registerAccountsMenu } from '../../../src/host/organizations/accountsMenu.js';
import { Organizations } from '../../../src/host/organizations/organizations.js';
import { MemorySecrets, MemoryState, SecretStore } from './memory.js';
import { silentLog } from './silentLog.js';

const baseUrl = 'https://host.example/api/v1';
const env = { AUTOMATION_PLATFORM_TOKEN: 'env-token', AUTOMATION_PLATFORM_BASE_URL: baseUrl };

function ids(sessions: readonly vscode.AuthenticationSession[] = []): string[] {
  return sessions.map(({ id }) => id);
}

describe('the Accounts menu', () => {
  let store: SecretStore;
  let organizations: Organizations;
  let provider: AccountsMenu;
  let shown: unknown[];
  let events: vscode.AuthenticationProviderAuthenticationSessionsChangeEvent[];

  beforeEach(async () => {
    store = new SecretStore();
    organizations = new Organizations(
      {
        secrets: new MemorySecrets(store),
        workspaceState: new MemoryState(),
        globalState: new MemoryState(),
      },
      silentLog,
      new KnownSecrets(),
      env,
    );
    shown = [];
    provider = new AccountsMenu(organizations, (error) => shown.push(error));
    await organizations.ready;
    events = [];
    provider.onDidChangeSessions((event) => events.push(event));
  });
  afterEach(() => {
    provider.dispose();
    organizations.dispose();
  });

  it('lists every organization, a token of none, and hears of what is added and removed only', async () => {
    const { id } = await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
    await organizations.setSessionToken(id, 'ses-1');
    await organizations.use('environment');
    const sessions = await provider.getSessions(undefined, {});
    assert.deepEqual(
      sessions.map((session) => [session.id, session.accessToken, session.account.id, session.account.label]),
      [
        ['environment', 'environment', 'environment', 'environment (from environment variables)'],
        [id, id, id, 'Acme'],
      ],
    );
    assert.deepEqual(ids(await provider.getSessions([], { account: { id, label: 'Acme' } })), [id]);
    await provider.removeSession(id);
    assert.deepEqual(
      events.map(({ added, removed, changed }) => [ids(added), ids(removed), ids(changed)]),
      [
        [[id], [], []],
        [[], [id], []],
      ],
    );
  });

  it('hears of another label: the second of two windows that gave one name gets it when the first has gone', async () => {
    const { id } = await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
    store.values.set('organization.b', JSON.stringify({ name: 'ACME', baseUrl, token: 'tok-2' }));
    store.values.set('organizations', JSON.stringify([id, 'b']));
    const added = new Promise((resolve) => provider.onDidChangeSessions(resolve));
    store.changed.fire({ key: 'organizations' });
    await added;
    await provider.removeSession(id);
    assert.deepEqual(ids(events.at(-1)?.removed), [id]);
    assert.deepEqual(
      events.at(-1)?.changed?.map(({ account }) => account.label),
      ['ACME'],
    );
  });

  it('runs Sign In for a new session, which is the organization that this signed in to, if any', async () => {
    const { executeCommand } = vscode.commands;
    let result: string | undefined;
    const run: string[] = [];
    Reflect.set(vscode.commands, 'executeCommand', async (command: string) => {
      run.push(command);
      ({ id: result } = await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' }));
      return run.length === 1 ? result : undefined;
    });
    try {
      const { id, accessToken, account } = await provider.createSession();
      assert.deepEqual([run, id, accessToken, account], [[commandIds.signIn], result, result, { id, label: 'Acme' }]);
      // What another window does meanwhile is no session of a question that was dismissed.
      await assert.rejects(provider.createSession(), vscode.CancellationError);
    } finally {
      Reflect.set(vscode.commands, 'executeCommand', executeCommand);
    }
  });

  it('cannot sign out of the environment, and says why', async () => {
    const reason = /AUTOMATION_PLATFORM_TOKEN and AUTOMATION_PLATFORM_BASE_URL/;
    await assert.rejects(provider.removeSession('environment'), reason);
    assert.match(String(shown), reason);
  });

  it('is done without in an editor that lacks authentication providers: the log says so', () => {
    const lines: string[] = [];
    const register = Object.getOwnPropertyDescriptor(vscode.authentication, 'registerAuthenticationProvider')!;
    Reflect.set(vscode.authentication, 'registerAuthenticationProvider', undefined);
    try {
      registerAccountsMenu(organizations, { warn: (line) => lines.push(line) }, () => undefined).dispose();
    } finally {
      Object.defineProperty(vscode.authentication, 'registerAuthenticationProvider', register);
    }
    assert.match(lines.join(), /^No organizations in the Accounts menu: /);
  });
});

describe('the Accounts menu of this VS Code', () => {
  it('knows the organization of the environment, and hands nobody a session unasked', async () => {
    await vscode.extensions.getExtension(extensionId)?.activate();
    const accounts = await vscode.authentication.getAccounts(authenticationId);
    assert.deepEqual(
      accounts.map(({ id, label }) => [id, label]),
      [['environment', 'environment (from environment variables)']],
    );
    assert.equal(await vscode.authentication.getSession(authenticationId, [], { silent: true }), undefined);
  });
});

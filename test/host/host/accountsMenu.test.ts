import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { authenticationId, commandIds, extensionId } from '../../../src/host/ids.js';
import { AccountsMenu, registerAccountsMenu } from '../../../src/host/organizations/accountsMenu.js';
import { Organizations } from '../../../src/host/organizations/organizations.js';
import { dismiss } from '../commands/quickInput.js';
import { MemorySecrets, MemoryState, SecretStore } from './memory.js';
import { silentLog } from './silentLog.js';

const baseUrl = 'https://host.example/api/v1';
const env = { AUTOMATION_PLATFORM_TOKEN: 'env-token', AUTOMATION_PLATFORM_BASE_URL: baseUrl };

function ids(sessions: readonly vscode.AuthenticationSession[] = []): string[] {
  return sessions.map(({ id }) => id);
}

describe('the Accounts menu', () => {
  let organizations: Organizations;
  let provider: AccountsMenu;
  let shown: unknown[];
  let events: vscode.AuthenticationProviderAuthenticationSessionsChangeEvent[];

  beforeEach(async () => {
    organizations = new Organizations(
      {
        secrets: new MemorySecrets(new SecretStore()),
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

  it('lists every organization, and a token of none', async () => {
    const { id } = await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
    await organizations.setSessionToken(id, 'ses-1');
    const sessions = await provider.getSessions(undefined, {});
    assert.deepEqual(
      sessions.map((session) => [session.id, session.accessToken, session.account.id, session.account.label]),
      [
        ['environment', 'environment', 'environment', 'environment (from environment variables)'],
        [id, id, id, 'Acme'],
      ],
    );
    const one = await provider.getSessions([], { account: { id, label: 'Acme' } });
    assert.deepEqual(
      one.map((session) => session.id),
      [id],
    );
  });

  it('hears of what is added and removed, and of nothing else', async () => {
    const { id } = await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
    await organizations.setSessionToken(id, 'ses-1');
    await organizations.use('environment');
    await provider.removeSession(id);
    assert.deepEqual(
      events.map(({ added, removed, changed }) => [ids(added), ids(removed), ids(changed)]),
      [
        [[id], [], []],
        [[], [id], []],
      ],
    );
  });

  it('runs Sign In for a new session, which is the organization that this signed in to', async () => {
    const { executeCommand } = vscode.commands;
    const run: string[] = [];
    Reflect.set(vscode.commands, 'executeCommand', async (command: string) => {
      run.push(command);
      return (await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' })).id;
    });
    try {
      const { id, accessToken, account } = await provider.createSession();
      assert.deepEqual([run, account], [[commandIds.signIn], { id, label: 'Acme' }]);
      assert.equal(accessToken, id);
    } finally {
      Reflect.set(vscode.commands, 'executeCommand', executeCommand);
    }
  });

  it('calls no other change a sign-in when Sign In is dismissed', async () => {
    const session = Promise.resolve(provider.createSession());
    const ended = session.then(
      () => 'signed in',
      (error: unknown) => error,
    );
    await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
    // Sign In's first question may still be on its way to the window.
    for (let open = true; open; ) {
      await dismiss();
      open = (await Promise.race([ended, Promise.resolve('open')])) === 'open';
    }
    assert.ok((await ended) instanceof vscode.CancellationError);
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

import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { KnownSecrets } from '../../../src/api/secrets.js';
import { authenticationId, extensionId } from '../../../src/host/ids.js';
import { AccountsMenu } from '../../../src/host/organizations/accountsMenu.js';
import { Organizations } from '../../../src/host/organizations/organizations.js';
import { dismiss } from '../commands/quickInput.js';
import { MemorySecrets, MemoryState, SecretStore } from './memory.js';
import { silentLog } from './silentLog.js';

const baseUrl = 'https://host.example/api/v1';
const env = { AUTOMATION_PLATFORM_TOKEN: 'env-token', AUTOMATION_PLATFORM_BASE_URL: baseUrl };

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
    assert.ok(!/tok-1|ses-1|env-token/.test(JSON.stringify(sessions)));
    const [only, ...others] = await provider.getSessions([], { account: { id, label: 'Acme' } });
    assert.equal(only?.id, id);
    assert.deepEqual(others, []);
  });

  it('hears of what is added and removed, and of nothing else', async () => {
    const { id } = await organizations.signIn({ name: 'Acme', baseUrl, token: 'tok-1' });
    await organizations.setSessionToken(id, 'ses-1');
    await organizations.use('environment');
    await provider.removeSession(id);
    assert.deepEqual(
      events.map(({ added, removed, changed }) => [
        added?.length,
        removed?.map((session) => session.id),
        changed?.length,
      ]),
      [
        [1, [], 0],
        [0, [id], 0],
      ],
    );
    assert.deepEqual(
      organizations.list.map(({ name }) => name),
      ['environment'],
    );
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
    await assert.rejects(
      async () => provider.removeSession('environment'),
      /AUTOMATION_PLATFORM_TOKEN and AUTOMATION_PLATFORM_BASE_URL/,
    );
    assert.match(String(shown), /AUTOMATION_PLATFORM_TOKEN and AUTOMATION_PLATFORM_BASE_URL/);
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

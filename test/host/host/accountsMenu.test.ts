import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { authenticationId, commandIds, extensionId } from '../../../src/host/ids.js';
import {
  AccountsMenu,
  registerAccountsMenu,
} from '../../../src/host/organizations/accountsMenu.js';
import type { Organizations } from '../../../src/host/organizations/organizations.js';
import { createGraph, type Graph } from '../../support/window/graph.js';
import { replace } from '../../support/window/windowRecorder.js';

const baseUrl = 'https://host.example/api/v1';
const acme = { name: 'Acme', baseUrl, token: 'tok-1' };
const env = { AUTOMATION_PLATFORM_TOKEN: 'env-token', AUTOMATION_PLATFORM_BASE_URL: baseUrl };
const ofEnvironment = 'environment (from environment variables)';

function sessionOf(id: string, label: string): vscode.AuthenticationSession {
  return { id, accessToken: id, account: { id, label }, scopes: [] };
}

function labels(sessions: readonly vscode.AuthenticationSession[] = []): string[] {
  return sessions.map(({ account }) => account.label);
}

/** Puts this in place of the command Sign In until the test ends; no other command is run. */
function replaceSignIn(signIn: (argument: unknown) => Promise<unknown>): void {
  const executeCommand = async (command: string, argument: unknown) =>
    command === commandIds.signIn ? signIn(argument) : undefined;
  replace(vscode.commands, { executeCommand });
}

describe('the Accounts menu', () => {
  let graph: Graph;
  let organizations: Organizations;
  let provider: AccountsMenu;
  let shown: unknown[];

  beforeEach(async () => {
    graph = createGraph(env);
    ({ organizations } = graph.services);
    shown = [];
    provider = new AccountsMenu(organizations, (error) => shown.push(error));
    await organizations.ready;
  });
  afterEach(() => provider.dispose());

  async function signIn(): Promise<vscode.AuthenticationSession> {
    const { id } = await organizations.signIn(acme);
    return sessionOf(id, 'Acme');
  }

  /** The labels of the sessions in each change event from now on. */
  function recordChanges() {
    const events: { added: string[]; removed: string[]; changed: string[] }[] = [];
    provider.onDidChangeSessions(({ added, removed, changed }) =>
      events.push({ added: labels(added), removed: labels(removed), changed: labels(changed) }),
    );
    return events;
  }

  it('lists every organization without its token', async () => {
    const session = await signIn();
    const all = [sessionOf('environment', ofEnvironment), session];
    assert.deepEqual(await provider.getSessions(undefined, {}), all);
  });

  it('lists one organization when VS Code asks for the sessions of its account', async () => {
    const { account } = await signIn();
    const sessions = await provider.getSessions([], { account: { id: account.id, label: '' } });
    assert.deepEqual(labels(sessions), ['Acme']);
  });

  it('adds a session when this window signs in', async () => {
    const events = recordChanges();
    await signIn();
    assert.deepEqual(events, [{ added: ['Acme'], removed: [], changed: [] }]);
  });

  it('adds a session when another window signs in', async () => {
    const events = recordChanges();
    const { values, changed } = graph.context.secrets;
    values.set('organization.b', JSON.stringify({ ...acme, name: 'Beta' }));
    const added = new Promise((resolve) => provider.onDidChangeSessions(resolve));
    changed.fire({ key: 'organization.b' });
    await added;
    assert.deepEqual(events, [{ added: ['Beta'], removed: [], changed: [] }]);
  });

  it('removes the session when its organization is signed out', async () => {
    const { id } = await signIn();
    const events = recordChanges();
    await provider.removeSession(id);
    assert.deepEqual(events, [{ added: [], removed: ['Acme'], changed: [] }]);
  });

  it('reports no change when a session token or the current organization changes', async () => {
    const { id } = await signIn();
    const events = recordChanges();
    await organizations.setSessionToken(id, 'ses-1');
    await organizations.switchTo('environment');
    assert.deepEqual(events, []);
  });

  it('runs Sign In for a new session, and returns the organization', async () => {
    let signedInId: string | undefined;
    replaceSignIn(async () => {
      const { id } = await organizations.signIn(acme);
      signedInId = id;
      return id;
    });
    const { account } = await provider.createSession([], {});
    assert.deepEqual(account, { id: signedInId, label: 'Acme' });
  });

  it('returns no session when Sign In is dismissed while another window signs in', async () => {
    replaceSignIn(async () => {
      await organizations.signIn(acme);
    });
    await assert.rejects(provider.createSession([], {}), vscode.CancellationError);
  });

  it('runs Sign In for the organization of an account that VS Code names', async () => {
    const { id } = await organizations.signIn(acme);
    const given: unknown[] = [];
    replaceSignIn(async (argument) => {
      given.push(argument);
      return undefined;
    });
    const creating = provider.createSession([], { account: { id, label: 'Acme' } });
    await assert.rejects(creating, vscode.CancellationError);
    assert.deepEqual(given, [{ organizationId: id, name: 'Acme', baseUrl }]);
  });

  it('says why when the organization of the environment cannot be signed out', async () => {
    const reason = /AUTOMATION_PLATFORM_TOKEN and AUTOMATION_PLATFORM_BASE_URL/;
    await assert.rejects(provider.removeSession('environment'), reason);
    assert.match(String(shown), reason);
  });

  it('is left out, as the log says, in an editor without authentication providers', () => {
    replace(vscode.authentication, { registerAuthenticationProvider: undefined });
    registerAccountsMenu(organizations, graph.services.log, () => assert.fail()).dispose();
    assert.match(graph.lines.join(), /^No organizations in the Accounts menu: /);
  });
});

describe('the running extension in the Accounts menu', () => {
  before(async () => {
    const extension = vscode.extensions.getExtension(extensionId)!;
    await extension.activate();
  });

  it('lists the organization of the environment', async () => {
    const accounts = await vscode.authentication.getAccounts(authenticationId);
    const listed = accounts.map(({ id, label }) => ({ id, label }));
    assert.deepEqual(listed, [{ id: 'environment', label: ofEnvironment }]);
  });

  it('gives another extension no session silently', async () => {
    const session = await vscode.authentication.getSession(authenticationId, [], { silent: true });
    assert.equal(session, undefined);
  });
});

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

  it('lists every organization, a token of none, and hears of what is added and removed only', async () => {
    const events: string[][][] = [];
    provider.onDidChangeSessions(({ added, removed, changed }) =>
      events.push([added, removed, changed].map(labels)),
    );
    const { id } = await organizations.signIn(acme);
    await organizations.setSessionToken(id, 'ses-1');
    await organizations.switchTo('environment');
    const all = [sessionOf('environment', ofEnvironment), sessionOf(id, 'Acme')];
    assert.deepEqual(await provider.getSessions(undefined, {}), all);
    assert.deepEqual(labels(await provider.getSessions([], { account: { id, label: '' } })), [
      'Acme',
    ]);
    const { values, changed } = graph.context.secrets;
    values.set('organization.b', JSON.stringify({ ...acme, name: 'Beta' }));
    const added = new Promise((resolve) => provider.onDidChangeSessions(resolve));
    changed.fire({ key: 'organization.b' });
    await added;
    await provider.removeSession(id);
    assert.deepEqual(events, [
      [['Acme'], [], []],
      [['Beta'], [], []],
      [[], ['Acme'], []],
    ]);
  });

  it('runs Sign In for a new session, which is the organization that this signed in to, if any', async () => {
    const run: unknown[] = [];
    const executeCommand = async (command: string) => {
      const { id } = await organizations.signIn(acme);
      return run.push(command) === 1 ? id : undefined;
    };
    replace(vscode.commands, { executeCommand });
    assert.deepEqual((await provider.createSession([], {})).account, {
      id: organizations.list[1]?.id,
      label: 'Acme',
    });
    // What another window does meanwhile is no session of a question that was dismissed.
    await assert.rejects(provider.createSession([], {}), vscode.CancellationError);
    assert.equal(run[0], commandIds.signIn);
  });

  it('runs Sign In for the very organization whose account is asked about', async () => {
    const { id } = await organizations.signIn(acme);
    const run: unknown[] = [];
    replace(vscode.commands, {
      executeCommand: async (...given: unknown[]) => void run.push(...given),
    });
    const asked = provider.createSession([], { account: { id, label: 'Acme' } });
    await assert.rejects(asked, vscode.CancellationError);
    assert.deepEqual(run, [commandIds.signIn, { organizationId: id, name: 'Acme', baseUrl }]);
  });

  it('cannot sign out of the environment, and says why', async () => {
    const reason = /AUTOMATION_PLATFORM_TOKEN and AUTOMATION_PLATFORM_BASE_URL/;
    await assert.rejects(provider.removeSession('environment'), reason);
    assert.match(String(shown), reason);
  });

  it('is left out in an editor without authentication providers, which the log says', () => {
    replace(vscode.authentication, { registerAuthenticationProvider: undefined });
    registerAccountsMenu(organizations, graph.services.log, () => assert.fail()).dispose();
    assert.match(graph.lines.join(), /^No organizations in the Accounts menu: /);
  });

  it('of this VS Code lists the organization of the environment, and gives no session silently', async () => {
    const extension = vscode.extensions.getExtension(extensionId);
    await extension?.activate();
    assert.equal(extension?.isActive, true);
    const accounts = await vscode.authentication.getAccounts(authenticationId);
    assert.deepEqual(accounts.map(({ id, label }) => [id, label]).flat(), [
      'environment',
      ofEnvironment,
    ]);
    assert.equal(
      await vscode.authentication.getSession(authenticationId, [], { silent: true }),
      undefined,
    );
  });
});

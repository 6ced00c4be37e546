import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { addDeployment } from '../../../src/commands/deployments/addDeployment.js';
import { copyId, copyReport } from '../../../src/commands/deployments/copy.js';
import { goToDeployment, revealById } from '../../../src/commands/deployments/goToDeployment.js';
import { refresh, refreshDeployment } from '../../../src/commands/deployments/refresh.js';
import { removeDeployment } from '../../../src/commands/deployments/removeDeployment.js';
import { setDeploymentLabel } from '../../../src/commands/deployments/setDeploymentLabel.js';
import { forgetInstall, lookUpInstall } from '../../../src/commands/lookUpInstall.js';
import { setSessionToken } from '../../../src/commands/organizations/setSessionToken.js';
import { signIn } from '../../../src/commands/organizations/signIn.js';
import { signOut } from '../../../src/commands/organizations/signOut.js';
import { switchOrganization } from '../../../src/commands/organizations/switchOrganization.js';
import { RevokeApiKey } from '../../../src/commands/revokeApiKey.js';
import { UserError } from '../../../src/host/actions.js';
import { commandIds, internalCommandIds } from '../../../src/host/ids.js';
import type { DeploymentElement } from '../../../src/model/tree/elements.js';
import {
  DEFAULT_SESSION_TOKEN,
  DEFAULT_TOKEN,
  failedAccount,
  grant,
  healthy,
  install,
} from '../../support/service/data.js';
import { type Service, startService } from '../../support/service/service.js';
import { createGraph, type Graph } from './graph.js';
import { accept, dismiss, goBack, next, toggle, turn } from './quickInput.js';

const section = 'automationPlatform';
const token = '0a1b2c3d-0000-4000-8000-00000000000f';
const keyId = 'key_0123456789';

async function list(value: unknown): Promise<void> {
  const { Workspace, Global } = vscode.ConfigurationTarget;
  const configuration = vscode.workspace.getConfiguration(section, null);
  await configuration.update('deployments', value, Workspace);
  await configuration.update('deployments', undefined, Global);
}

function listed(): readonly unknown[] | undefined {
  return vscode.workspace.getConfiguration(section, null).inspect<readonly unknown[]>('deployments')?.workspaceValue;
}

const isUserError = (error: unknown) => error instanceof UserError;

describe('commands', () => {
  let service: Service;
  let graph: Graph;

  beforeEach(async () => {
    service = await startService();
    service.data.deployments.set('dep_1', healthy());
    service.data.deployments.set('dep_2', failedAccount());
    service.data.installs.set(token, install());
    service.data.apiKeys.add(keyId);
    await list(undefined);
    graph = createGraph({
      AUTOMATION_PLATFORM_TOKEN: DEFAULT_TOKEN,
      AUTOMATION_PLATFORM_BASE_URL: service.baseUrl,
    });
    await graph.services.organizations.ready;
  });
  afterEach(async () => {
    await dismiss();
    await graph.dispose();
    await service.stop();
    await list(undefined);
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  const row = (id: string): DeploymentElement => ({
    kind: 'deployment',
    id,
    copyId: id,
    deployment: graph.services.store.get(id)!,
  });
  const read = async (...ids: string[]) => {
    await list(ids);
    await graph.services.store.refreshAll();
  };

  it('are registered under the ids of the contract', async () => {
    await vscode.extensions.getExtension('automation-platform-tools.automation-platform')!.activate();
    const known = new Set(await vscode.commands.getCommands(true));
    const missing = [...Object.values(commandIds), ...Object.values(internalCommandIds)].filter((id) => !known.has(id));
    assert.deepEqual(missing, []);
  });

  describe('Add Deployment', () => {
    it('writes, reads and shows what was confirmed', async () => {
      const done = addDeployment(graph.services, { id: ' dep_2 ', label: 'Billing' });
      await turn();
      await accept();
      assert.equal(listed(), undefined);
      assert.equal(service.requests.length, 0);
      await accept();
      await done;
      assert.deepEqual(listed(), [{ id: 'dep_2', label: 'Billing' }]);
      assert.deepEqual(graph.revealed, ['dep_2']);
      assert.equal(graph.services.store.get('dep_2')?.state, 'failed');
      assert.deepEqual(graph.opened, ['dep_2'], 'what is wrong is below the row');
    });

    it('opens no row that has nothing wrong below it', async () => {
      const done = addDeployment(graph.services, { id: 'dep_1' });
      for (let step = 0; step < 2; step++) {
        await turn();
        await accept();
      }
      await done;
      assert.equal(graph.services.store.get('dep_1')?.state, 'satisfied');
      assert.deepEqual(graph.opened, []);
    });

    it('changes nothing when dismissed in any step', async () => {
      for (const keys of [[dismiss], [accept, dismiss], [accept, goBack, dismiss]]) {
        const done = addDeployment(graph.services, { id: 'dep_1' });
        await turn();
        for (const key of keys) await key();
        await done;
      }
      assert.equal(listed(), undefined);
      assert.equal(service.requests.length, 0);
    });

    it('refuses ids that go nowhere, and tokens', async () => {
      for (const id of ['.', '..', DEFAULT_TOKEN, `x${DEFAULT_TOKEN}`]) {
        const done = addDeployment(graph.services, { id });
        await turn();
        await accept();
        await accept();
        await dismiss();
        await done;
      }
      assert.equal(listed(), undefined);
    });

    it('does not list one twice', async () => {
      await list(['dep_1']);
      const done = addDeployment(graph.services, { id: 'dep_1' });
      await turn();
      await accept();
      await done;
      assert.deepEqual(listed(), ['dep_1']);
    });

    it('believes no argument of another kind', async () => {
      const done = addDeployment(graph.services, { id: { toString: () => 'dep_1' } });
      await turn();
      await accept();
      await dismiss();
      await done;
      assert.equal(listed(), undefined);
    });
  });

  it('Remove Deployment from List takes out what was picked, and asks the service nothing', async () => {
    await list(['dep_1', { id: 'dep_2', label: 'Billing' }]);
    const done = removeDeployment(graph.services);
    await turn();
    await next();
    await toggle();
    await accept();
    await done;
    assert.equal(listed()?.length, 1);
    assert.equal(service.requests.length, 0);
    const nothing = removeDeployment(graph.services);
    await turn();
    await dismiss();
    await nothing;
    assert.equal(listed()?.length, 1);
  });

  it('Set Deployment Label takes the label of the given row, and changes nothing if it is the same', async () => {
    await list([{ id: 'dep_1', label: 'Billing' }]);
    await turn();
    const done = setDeploymentLabel(graph.services, 'dep_1');
    await turn();
    await accept();
    await done;
    assert.deepEqual(listed(), [{ id: 'dep_1', label: 'Billing' }]);
  });

  describe('reading', () => {
    it('is of all with Refresh', async () => {
      await list(['dep_1', 'dep_2']);
      await refresh(graph.services);
      assert.deepEqual(
        graph.services.store.deployments.map(({ id, state }) => [id, state]),
        [
          ['dep_2', 'failed'],
          ['dep_1', 'satisfied'],
        ],
      );
    });

    it('is of one with Refresh Deployment, by row, id or pick', async () => {
      await list(['dep_1', 'dep_2']);
      await refreshDeployment(graph.services, row('dep_1'));
      await refreshDeployment(graph.services, 'dep_1');
      const picked = refreshDeployment(graph.services);
      await turn();
      await accept();
      await picked;
      assert.deepEqual(
        service.requests.map(({ route }) => route.id),
        ['dep_1', 'dep_1', 'dep_2'],
      );
    });

    it('needs a list and an organization', async () => {
      await assert.rejects(refresh(graph.services), isUserError);
      const signedOut = createGraph();
      await list(['dep_1']);
      await assert.rejects(refresh(signedOut.services), isUserError);
      await assert.rejects(refreshDeployment(signedOut.services, 'dep_1'), isUserError);
      await signedOut.dispose();
      assert.equal(service.requests.length, 0);
    });
  });

  it('Go to Deployment shows the worst one first', async () => {
    await read('dep_1', 'dep_2');
    const done = goToDeployment(graph.services);
    await turn();
    await accept();
    await done;
    assert.deepEqual(graph.revealed, ['dep_2']);
  });

  it('a deployment is shown whatever its id is made of', async () => {
    graph.services.store.setListed([{ id: 'half \ud800' }]);
    await revealById(graph.services, 'half \ud800');
    assert.deepEqual(graph.revealed, ['half \ud800']);
  });

  it('a link to a deployment that is not listed says so', async () => {
    await assert.rejects(revealById(graph.services, 'dep_9'), isUserError);
    await revealById(graph.services, { id: 'dep_1' });
    assert.deepEqual(graph.revealed, []);
  });

  describe('Copy', () => {
    it('takes the ids of the selection, one a line', async () => {
      await read('dep_1', 'dep_2');
      await copyId(graph.services, row('dep_1'), [row('dep_1'), row('dep_2')]);
      assert.equal(await vscode.env.clipboard.readText(), 'dep_1\ndep_2');
      await copyId(graph.services, row('dep_2'));
      assert.equal(await vscode.env.clipboard.readText(), 'dep_2');
    });

    it('never takes a token', async () => {
      const pending = graph.services.installs.add(token, {
        organizationId: 'environment',
        answer: { value: { serviceId: 'hubspot' }, decodeIssues: [], receivedAt: 0 },
      });
      await copyId(graph.services, pending);
      assert.equal(await vscode.env.clipboard.readText(), 'hubspot');
    });

    it('says that there is nothing to take', async () => {
      await assert.rejects(copyId(graph.services, { kind: 'cause', id: 'cause' }), isUserError);
    });

    it('takes the report on one, on the selection or on all', async () => {
      await read('dep_1', 'dep_2');
      await copyReport(graph.services, row('dep_1'));
      const one = await vscode.env.clipboard.readText();
      assert.ok(one.includes('dep_1') && !one.includes('dep_2'), one);
      await copyReport(graph.services, row('dep_1'), [row('dep_1'), row('dep_2')]);
      const two = await vscode.env.clipboard.readText();
      assert.ok(two.includes('dep_1') && two.includes('dep_2'), two);
      await vscode.env.clipboard.writeText('');
      const all = copyReport(graph.services);
      await turn();
      await accept();
      await all;
      assert.equal(await vscode.env.clipboard.readText(), two);
      for (const report of [one, two]) {
        for (const secret of [DEFAULT_TOKEN, service.baseUrl, 'environment']) assert.ok(!report.includes(secret));
      }
    });
  });

  describe('Look Up Install', () => {
    it('asks after the person did, and keeps the token to itself', async () => {
      const done = lookUpInstall(graph.services, `https://host.example/install?token=${token.toUpperCase()}`);
      await turn();
      assert.equal(service.requests.length, 0);
      await accept();
      await done;
      const [pending] = graph.services.installs.installs;
      assert.equal(pending?.answer.value.label, 'Acme CRM');
      assert.ok(!JSON.stringify(pending).includes(token));
      assert.ok(!graph.lines.join('\n').includes(token));
      await forgetInstall(graph.services, pending);
      assert.equal(graph.services.installs.installs.length, 0);
    });

    it('sends nothing for a text without exactly one token, or when dismissed', async () => {
      for (const text of ['abc', `${token} ${token.replace('0a', '1a')}`, token]) {
        const done = lookUpInstall(graph.services, text);
        await turn();
        if (text !== token) await accept();
        await dismiss();
        await done;
      }
      assert.equal(service.requests.length, 0);
    });

    it('offers Set User Session Token when the token is rejected', async () => {
      service.data.tokens.set(DEFAULT_SESSION_TOKEN, grant('session'));
      // The organization of the environment is read-only: there, signing in is the step.
      const acme = { name: 'Acme', baseUrl: service.baseUrl, token: DEFAULT_TOKEN };
      await graph.services.organizations.signIn(acme);
      const done = lookUpInstall(graph.services, token);
      const rejected = assert.rejects(done, (error) => {
        assert.ok(error instanceof UserError, String(error));
        assert.match(error.message, /^40[13]: .*user session token/);
        assert.deepEqual(
          error.actions.map((step) => step.command),
          [commandIds.setSessionToken],
        );
        return true;
      });
      await turn();
      await accept();
      await rejected;
    });
  });

  describe('Revoke API Key', () => {
    it('sends nothing before the warning was answered', async () => {
      const revocation = new RevokeApiKey(graph.services);
      // The modal warning is refused in tests; what comes after it is tried in the real workbench.
      const done = revocation.run(keyId).catch(() => undefined);
      await turn();
      await accept();
      await done;
      assert.deepEqual(service.requests, []);
      assert.ok(!graph.lines.join('\n').includes(keyId));
    });

    it('refuses a key instead of its id', async () => {
      const done = new RevokeApiKey(graph.services).run(`  ${DEFAULT_TOKEN}`);
      await turn();
      await accept();
      await dismiss();
      await done;
      assert.deepEqual(service.requests, []);
    });

    it('needs an organization', async () => {
      const signedOut = createGraph();
      await assert.rejects(new RevokeApiKey(signedOut.services).run(keyId), isUserError);
      await signedOut.dispose();
    });
  });

  describe('organizations', () => {
    it('are signed in to with three answers; the host is the name that is offered', async () => {
      await list(['dep_1']);
      const done = signIn(graph.services, { baseUrl: `${service.baseUrl}/` });
      await turn();
      await accept();
      // The token can't be typed from here: an empty one is refused, and Back leads to the first question.
      await accept();
      await goBack();
      await dismiss();
      await done;
      assert.deepEqual(
        graph.services.organizations.list.map(({ name }) => name),
        ['environment'],
      );
    });

    it('of the environment are read-only', async () => {
      await assert.rejects(setSessionToken(graph.services), /environment/);
      await assert.rejects(signOut(graph.services), /AUTOMATION_PLATFORM_TOKEN/);
    });

    it('can be switched', async () => {
      const { organizations } = graph.services;
      const acme = await organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token: DEFAULT_TOKEN });
      assert.equal(organizations.current?.id, acme.id);
      const done = switchOrganization(graph.services);
      await turn();
      await accept();
      await done;
      assert.equal(organizations.current?.source, 'environment');
      const back = switchOrganization(graph.services);
      await turn();
      await next();
      await accept();
      await back;
      assert.equal(organizations.current?.id, acme.id);
    });

    it('lose their session token with an empty answer only', async () => {
      const { organizations } = graph.services;
      const { id } = await organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token: DEFAULT_TOKEN });
      await organizations.setSessionToken(id, DEFAULT_SESSION_TOKEN);
      const dismissed = setSessionToken(graph.services);
      await turn();
      await dismiss();
      await dismissed;
      assert.equal(organizations.get(id)?.hasSessionToken, true);
      const emptied = setSessionToken(graph.services);
      await turn();
      await accept();
      await emptied;
      assert.equal(organizations.get(id)?.hasSessionToken, false);
    });
  });
});

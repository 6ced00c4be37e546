import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { commandsOf } from '../../../src/commands/commands.js';
import { addDeployment, idsMessage } from '../../../src/commands/deployments/addDeployment.js';
import { addDeploymentsFromText } from '../../../src/commands/deployments/addDeploymentsFromText.js';
import {
  editDeploymentId,
  removeDeployment,
  setDeploymentLabel,
} from '../../../src/commands/deployments/changeList.js';
import { copyId, copyReport } from '../../../src/commands/deployments/copy.js';
import { goToDeployment, revealById } from '../../../src/commands/deployments/goToDeployment.js';
import { openInDashboard } from '../../../src/commands/deployments/openInDashboard.js';
import { refreshDeployment } from '../../../src/commands/deployments/refreshDeployment.js';
import { watchDeployment } from '../../../src/commands/deployments/watch.js';
import { forgetInstall, lookUpInstall } from '../../../src/commands/lookUpInstall.js';
import { setSessionToken } from '../../../src/commands/organizations/setSessionToken.js';
import { signOut } from '../../../src/commands/organizations/signOut.js';
import { switchOrganization } from '../../../src/commands/organizations/switchOrganization.js';
import { RevokeApiKey } from '../../../src/commands/revokeApiKey.js';
import { UserError } from '../../../src/host/actions.js';
import { commandIds, internalCommandIds } from '../../../src/host/ids.js';
import type { DeploymentElement } from '../../../src/model/tree/elements.js';
import { DeploymentsProvider } from '../../../src/views/tree/provider.js';
import {
  DEFAULT_SESSION_TOKEN,
  DEFAULT_TOKEN,
  failedAccount,
  grant,
  healthy,
  install,
} from '../../support/service/data.js';
import { type Service, startService } from '../../support/service/service.js';
import { until } from '../editor/world.js';
import { recordWindow, type WindowRecorder } from '../hostile/windowRecorder.js';
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

/** A person who leaves checked what is checked, and presses the first button: what they saw, and which pages were opened. */
async function agreeing(work: () => Promise<void>): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const say = async (text: string, ...rest: unknown[]) => {
    seen.push(text);
    return rest.find((one) => typeof one === 'string');
  };
  const showQuickPick = async (items: readonly vscode.QuickPickItem[], options: vscode.QuickPickOptions) => {
    const picked = items.filter((item) => item.picked);
    seen.push(
      options.title,
      options.placeHolder,
      items.map(({ label }) => label),
      picked.length,
    );
    return picked;
  };
  const { window, commands } = vscode;
  const { showQuickPick: pick, showInformationMessage, showWarningMessage } = window;
  const { executeCommand } = commands;
  Object.assign(window, { showQuickPick, showInformationMessage: say, showWarningMessage: say });
  Object.assign(commands, {
    executeCommand: async (command: string, ...args: readonly unknown[]) =>
      command === 'vscode.open' ? void seen.push(args) : executeCommand(command, ...args),
  });
  try {
    await work();
    await turn();
    return seen;
  } finally {
    Object.assign(window, { showQuickPick: pick, showInformationMessage, showWarningMessage });
    Object.assign(commands, { executeCommand });
  }
}

async function useDashboard(template: string | undefined): Promise<void> {
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration(section).update('dashboardUrl', template, Global);
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

  const editId = async (typed: string): Promise<WindowRecorder['shown']> => {
    const recorder = recordWindow(() => typed);
    await editDeploymentId(graph.services, row('dep_9'));
    recorder.restore();
    return recorder.shown;
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

    it('adds several in one write, without labels, and reads them at once', async () => {
      await list(['dep_2']);
      let writes = 0;
      const watch = vscode.workspace.onDidChangeConfiguration(() => writes++);
      const recorder = recordWindow(() => 'dep_1, dep_2 "dep 3" https://dash.example/deployments/dep_4?tab=1');
      await addDeployment(graph.services, { label: 'left out' });
      recorder.restore();
      watch.dispose();
      assert.deepEqual(listed(), ['dep_2', 'dep_1', 'dep 3', 'dep_4']);
      assert.equal(writes, 1);
      assert.deepEqual(new Set(service.requests.map(({ route }) => route.id)), new Set(['dep_1', 'dep 3', 'dep_4']));
      assert.deepEqual(graph.revealed, ['dep_1']);
      assert.deepEqual(recorder.shown.statusMessages, ['Added 3 deployments to .vscode/settings.json.']);
    });

    it('says what Enter would add, and what may be wrong with it', async () => {
      await list(['dep_1']);
      const messages: readonly (readonly [string, RegExp | undefined])[] = [
        ['dep_9', undefined],
        ['https://dash.example/deployments/dep_9', /^Adds “dep_9”, the last part of the URL\.$/],
        [`https://dash.example/${token}`, /install token\.$/],
        [token, undefined],
        ['dep_8 dep_9', /^Adds 2 deployments: dep_8, dep_9\. Put quotes/],
        ['"dep 9"', /rarely contain spaces or slashes: “dep 9”/],
        ['dep/9', /rarely contain spaces or slashes: “dep\/9”/],
        ['dep_1', /^Already in the list\./],
        ['dep_1,dep_9', /1 of them is already in the list\.$/],
      ];
      for (const [text, expected] of messages) {
        const message = idsMessage(graph.services, text);
        assert.ok(typeof message !== 'string', `${text} can be added`);
        if (expected) assert.match(message?.message ?? '', expected);
        else assert.equal(message, undefined);
      }
    });

    it('refuses ids that go nowhere, and tokens, whatever characters they are made of', async () => {
      const halves = 'tok-1234567890,0987654321';
      await graph.services.organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token: halves });
      const tokens = [DEFAULT_TOKEN, `dep_1 "x ${DEFAULT_TOKEN}"`, halves, `https://dash.example/?token=${halves}`];
      for (const text of [' , ', '.', 'dep_1 ..', 'https://dash.example/', ...tokens]) {
        assert.equal(typeof idsMessage(graph.services, text), 'string', text);
      }
    });

    it('adds a prefilled id as it is, once it was confirmed', async () => {
      const done = addDeployment(graph.services, { id: 'dep 1' });
      await turn();
      await accept();
      await accept();
      await done;
      assert.deepEqual(listed(), ['dep 1']);
    });

    it('shows one that is listed already, and does not list it twice', async () => {
      await list(['dep_1']);
      const done = addDeployment(graph.services, { id: 'dep_1' });
      await turn();
      await accept();
      await done;
      assert.deepEqual(listed(), ['dep_1']);
      assert.deepEqual(graph.revealed, ['dep_1']);
    });
  });

  describe('Add Deployments from Selection or Clipboard', () => {
    afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

    it('adds what is checked in one write, reads it, and takes it back', async () => {
      await list(['dep_9']);
      const content = `dep_9: [dep_1, flow] dep_2 ${DEFAULT_TOKEN}`;
      const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
      editor.selection = new vscode.Selection(0, 0, 0, content.length);
      const values: unknown[] = [];
      const undone = new Promise<void>((resolve) => {
        const watch = vscode.workspace.onDidChangeConfiguration(() => {
          values.push(listed());
          if (values.length < 2) return;
          watch.dispose();
          resolve();
        });
      });
      const seen = await agreeing(() => addDeploymentsFromText(graph.services));
      await undone;
      assert.deepEqual(seen.slice(0, 5), [
        'Add Deployments from Selection · .vscode/settings.json · environment (from environment variables)',
        '1 left out: a token, or longer than 128 characters. Select the deployments to add.',
        ['dep_1', 'dep_2', 'flow'],
        2,
        'Added 2 deployments to .vscode/settings.json.',
      ]);
      assert.deepEqual(values, [['dep_9', 'dep_1', 'dep_2'], ['dep_9']]);
    });

    it('checks nothing that is in the clipboard, and changes nothing then', async () => {
      await list(['dep_9']);
      await vscode.env.clipboard.writeText(`dep_1 ${token} Bearer x`);
      const [title, , labels, picked] = await agreeing(() => addDeploymentsFromText(graph.services));
      assert.match(String(title), /^Add Deployments from Clipboard · /);
      assert.deepEqual([labels, picked, listed()], [['dep_1', token], 0, ['dep_9']]);
    });
  });

  describe('Open in Dashboard', () => {
    afterEach(() => useDashboard(undefined));

    it('asks once for an organization and a site, and hands over the bytes that it built', async () => {
      const id = 'a/b?c&d=#%';
      const url = 'https://dash.example/deployments/a%2Fb%3Fc%26d%3D%23%25';
      await read(id);
      await useDashboard('https://dash.example/deployments/{deploymentId}');
      const open = () => agreeing(() => openInDashboard(graph.services, row(id)));
      const question = 'Open dash.example for environment (from environment variables)?';
      assert.deepEqual(await open(), [question, [url]]);
      assert.deepEqual(await open(), [[url]]);
      assert.doesNotMatch(JSON.stringify([...graph.states.global.values]), /dash\.example/);
      // The window of a server may lead loopback hosts elsewhere; that of a desktop leaves them alone.
      await useDashboard('http://localhost/{deploymentId}');
      if (vscode.env.remoteName === undefined) assert.equal((await open()).length, 2);
      else await assert.rejects(open(), /A remote window may change this ID/);
    });

    it('refuses a template that can not be used, and an ID that is a token, with the reason', async () => {
      await read('dep_1', DEFAULT_TOKEN);
      await useDashboard('https://{deploymentId}.example');
      await assert.rejects(openInDashboard(graph.services, row('dep_1')), /in its host\./);
      await useDashboard('https://dash.example/{deploymentId}');
      await assert.rejects(openInDashboard(graph.services, row(DEFAULT_TOKEN)), /^UserError: This is a token/);
    });
  });

  describe('Remove Deployment from List', () => {
    it('asks nothing of a row, names the settings files, and offers the way back', async () => {
      await list(['dep_1', { id: 'dep_2', label: '[Billing](command:x)' }, 'dep_3']);
      await turn();
      const recorder = recordWindow(() => '');
      await removeDeployment(graph.services, 'dep_2');
      await removeDeployment(graph.services, row('dep_1'), [row('dep_1'), row('dep_3')]);
      recorder.restore();
      assert.deepEqual(listed(), []);
      assert.deepEqual(recorder.shown.notifications, [
        'Removed “［Billing］(command:x)” from the list in .vscode/settings.json. Nothing changed on the server.',
        'Removed 2 deployments from the list in .vscode/settings.json. Nothing changed on the server.',
      ]);
      assert.deepEqual([recorder.shown.dialogs, recorder.shown.buttons], [[], ['Undo', 'Undo']]);
      assert.equal(service.requests.length, 0);
    });

    it('takes out what was picked, or nothing', async () => {
      await list(['dep_1', { id: 'dep_2', label: 'Billing' }]);
      const done = removeDeployment(graph.services);
      await turn();
      await next();
      await toggle();
      await accept();
      await done;
      assert.equal(listed()?.length, 1);
      const nothing = removeDeployment(graph.services);
      await turn();
      await dismiss();
      await nothing;
      assert.equal(listed()?.length, 1);
    });
  });

  describe('Edit ID', () => {
    it('corrects it in every scope, keeps the label, reads it, and offers the way back', async () => {
      await list([{ id: 'dep_9', label: 'Billing' }]);
      const user = vscode.workspace.getConfiguration(section, null);
      await user.update('deployments', ['dep_9'], vscode.ConfigurationTarget.Global);
      const { notifications, buttons } = await editId(' dep_1 ');
      assert.deepEqual(listed(), [{ id: 'dep_1', label: 'Billing' }]);
      assert.deepEqual(vscode.workspace.getConfiguration(section, null).inspect('deployments')?.globalValue, ['dep_1']);
      assert.equal(graph.services.store.get('dep_1')?.state, 'satisfied');
      assert.deepEqual(notifications, ['Changed the ID “dep_9” to “dep_1” in .vscode/settings.json, user settings.']);
      assert.deepEqual(buttons, ['Undo']);
    });

    it('changes nothing for the same id, one that is listed, or none', async () => {
      await list(['dep_9', 'dep_1']);
      for (const typed of ['dep_9', 'dep_1', '..', ' ', DEFAULT_TOKEN]) {
        assert.deepEqual((await editId(typed)).notifications, [], typed);
      }
      assert.deepEqual(listed(), ['dep_9', 'dep_1']);
      assert.equal(service.requests.length, 0);
    });
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
      await graph.app.run('refresh', []);
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
      await assert.rejects(async () => commandsOf(graph.services, () => []).refresh(), isUserError);
      const signedOut = createGraph();
      await list(['dep_1']);
      await assert.rejects(async () => commandsOf(signedOut.services, () => []).refresh(), isUserError);
      await assert.rejects(refreshDeployment(signedOut.services, 'dep_1'), isUserError);
      await signedOut.dispose();
      assert.equal(service.requests.length, 0);
    });
  });

  it('Watch Until It Changes marks the row, and says at the end in words what changed', async () => {
    await read('dep_2');
    const provider = new DeploymentsProvider(graph.services);
    const recorder = recordWindow(() => '');
    await watchDeployment(graph.services, row('dep_2'));
    const { description, contextValue, accessibilityInformation } = provider.getTreeItem(row('dep_2'));
    await refreshDeployment(graph.services, 'dep_2');
    service.data.deployments.set('dep_2', healthy());
    await refreshDeployment(graph.services, row('dep_2'));
    await until('the end of the watch', () => recorder.shown.notifications.length > 0);
    recorder.restore();
    provider.dispose();
    assert.match(String(description), / failed · watched\b/);
    assert.match(accessibilityInformation?.label ?? '', /, watched,/);
    assert.equal(contextValue, 'deployment canMute watched');
    assert.deepEqual(recorder.shown.notifications, ['dep_2: Ops Slack works again. No problems left.']);
    assert.doesNotMatch(String(provider.getTreeItem(row('dep_2')).description), /watched/);
  });

  it('Check Again offers to watch what is still wrong', async () => {
    await read('dep_1', 'dep_2');
    const recorder = recordWindow(() => '');
    for (const id of ['dep_1', 'dep_2']) await refreshDeployment(graph.services, id);
    await refreshDeployment(graph.services, row('dep_2'));
    recorder.restore();
    assert.match(recorder.shown.notifications.join(), /^dep_2: Ops Slack .* failed: [^,]*$/);
    assert.deepEqual(recorder.shown.buttons, ['Watch Until It Changes']);
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
        assert.match(error.message, /\(40[13]\)\. .*user session token/);
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

import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { ApiError } from '../../../src/api/failure.js';
import { commandsOf } from '../../../src/commands/commands.js';
import { addDeployment, idsMessage } from '../../../src/commands/deployments/addDeployment.js';
import { addDeploymentsFromText } from '../../../src/commands/deployments/addDeploymentsFromText.js';
import {
  editDeploymentId,
  removeDeployment,
  setDeploymentLabel,
} from '../../../src/commands/deployments/changeList.js';
import { copyId, copyReport, findInFiles } from '../../../src/commands/deployments/copy.js';
import { goToDeployment, revealById } from '../../../src/commands/deployments/goToDeployment.js';
import { openInDashboard } from '../../../src/commands/deployments/openInDashboard.js';
import { refreshDeployment, stopWatching, watchDeployment } from '../../../src/commands/deployments/watch.js';
import { forgetInstall, lookUpInstall, readInstall } from '../../../src/commands/lookUpInstall.js';
import { setSessionToken, signOut, switchOrganization } from '../../../src/commands/organizations/session.js';
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
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { until } from '../editor/world.js';
import { recordWindow, type WindowRecorder } from '../hostile/windowRecorder.js';
import { createGraph, type Graph, graphOf } from './graph.js';
import { accept, answering, dismiss, goBack, next, replacing, toggle, turn } from './quickInput.js';

const section = 'automationPlatform';
const token = '0a1b2c3d-0000-4000-8000-00000000000f';
const { Workspace, Global } = vscode.ConfigurationTarget;

async function list(value: unknown, target = Workspace): Promise<void> {
  await vscode.workspace.getConfiguration(section, null).update('deployments', value, target);
}

function listed(): readonly unknown[] | undefined {
  return vscode.workspace.getConfiguration(section, null).inspect<readonly unknown[]>('deployments')?.workspaceValue;
}

/** A person who leaves checked what is checked, and presses the first button: what they saw, and which commands of VS Code ran. */
async function agreeing(work: () => Promise<void>): Promise<readonly unknown[]> {
  const seen: unknown[] = [];
  const say = async (text: string, ...rest: unknown[]) => {
    seen.push(text);
    return rest.find((one) => typeof one === 'string');
  };
  const showQuickPick = async (items: readonly vscode.QuickPickItem[], options: vscode.QuickPickOptions) => {
    const picked = items.filter((item) => item.picked);
    const labels = items.map(({ label }) => label);
    seen.push(options.title, options.placeHolder, labels, picked.length);
    return picked;
  };
  const { executeCommand } = vscode.commands;
  const run = async (command: string, ...args: readonly unknown[]) =>
    /^(vscode\.open|workbench\.)/.test(command) ? void seen.push(args) : executeCommand(command, ...args);
  const members = { showQuickPick, showInformationMessage: say, showWarningMessage: say };
  await replacing(vscode.window, members, () =>
    replacing(vscode.commands, { executeCommand: run }, () => work().then(turn)),
  );
  return seen;
}

/** What VS Code was asked to show; a question gets `typed` once, and Enter. */
async function recording(work: () => Promise<unknown>, typed = ''): Promise<WindowRecorder['shown']> {
  const recorder = recordWindow(() => typed);
  await work().finally(() => recorder.restore());
  return recorder.shown;
}

async function copied(work: Promise<void>): Promise<string> {
  await work;
  return vscode.env.clipboard.readText();
}

async function useDashboard(template: string | undefined): Promise<void> {
  await vscode.workspace.getConfiguration(section).update('dashboardUrl', template, Global);
}

async function refresh({ services }: Graph): Promise<unknown> {
  return commandsOf(services, () => []).refresh();
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
    graph = await graphOf(service);
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
  const signIn = (of = DEFAULT_TOKEN) =>
    graph.services.organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token: of });
  const asked = () => service.requests.map(({ route }) => route.id);
  const add = (prefill: object, ...keys: readonly (() => Promise<void>)[]) =>
    answering(addDeployment(graph.services, prefill), ...keys);
  const edit = (typed: string) => recording(() => editDeploymentId(graph.services, row('dep_9')), typed);

  it('are registered under the ids of the contract', async () => {
    await vscode.extensions.getExtension('automation-platform-tools.automation-platform')!.activate();
    const known = new Set(await vscode.commands.getCommands(true));
    const missing = [...Object.values(commandIds), ...Object.values(internalCommandIds)].filter((id) => !known.has(id));
    assert.deepEqual(missing, []);
  });

  describe('Add Deployment', () => {
    it('writes, reads and shows what was confirmed, and opens the row of what is wrong', async () => {
      const done = addDeployment(graph.services, { id: ' dep_2 ', label: 'Billing' });
      await turn();
      await accept();
      assert.deepEqual([listed(), asked()], [undefined, []]);
      await answering(done, accept);
      assert.deepEqual(listed(), [{ id: 'dep_2', label: 'Billing' }]);
      assert.equal(graph.services.store.get('dep_2')?.state, 'failed');
      assert.deepEqual([graph.revealed, graph.opened], [['dep_2'], ['dep_2']]);
      await add({ id: 'dep_1' }, accept, accept);
      assert.equal(graph.services.store.get('dep_1')?.state, 'satisfied');
      assert.deepEqual([graph.revealed.length, graph.opened.length], [2, 1]);
    });

    it('changes nothing when dismissed in any step', async () => {
      for (const keys of [[dismiss], [accept, dismiss], [accept, goBack, dismiss]]) await add({ id: 'dep_1' }, ...keys);
      assert.deepEqual([listed(), asked()], [undefined, []]);
    });

    it('adds several in one write, without labels, and reads them at once', async () => {
      await list(['dep_2']);
      let writes = 0;
      const watch = vscode.workspace.onDidChangeConfiguration(() => writes++);
      const text = 'dep_1, dep_2 "dep 3" https://dash.example/deployments/dep_4?tab=1';
      const { statusMessages } = await recording(() => addDeployment(graph.services, { label: 'left out' }), text);
      watch.dispose();
      assert.deepEqual([listed(), writes], [['dep_2', 'dep_1', 'dep 3', 'dep_4'], 1]);
      assert.deepEqual(new Set(asked()), new Set(['dep_1', 'dep 3', 'dep_4']));
      assert.deepEqual(graph.revealed, ['dep_1']);
      assert.deepEqual(statusMessages, ['Added 3 deployments to .vscode/settings.json.']);
    });

    it('says what Enter would add, and what may be wrong with it', async () => {
      await list(['dep_1']);
      for (const [text, expected] of [
        ['dep_9', /^$/],
        [token, /^$/],
        ['https://dash.example/deployments/dep_9', /^Adds “dep_9”, the last part of the URL\.$/],
        [`https://dash.example/${token}`, /install token\.$/],
        ['dep_8 dep_9', /^Adds 2 deployments: dep_8, dep_9\. Put quotes/],
        ['"dep 9"', /rarely contain spaces or slashes: “dep 9”/],
        ['dep/9', /rarely contain spaces or slashes: “dep\/9”/],
        ['dep_1', /^Already in the list\./],
        ['dep_1,dep_9', /1 of them is already in the list\.$/],
      ] as const) {
        const message = idsMessage(graph.services, text);
        assert.ok(typeof message !== 'string', `${text} can be added`);
        assert.match(message?.message ?? '', expected);
      }
    });

    it('refuses ids that go nowhere, and tokens, whatever characters they are made of', async () => {
      const halves = 'tok-1234567890,0987654321';
      await signIn(halves);
      const tokens = [DEFAULT_TOKEN, `dep_1 "x ${DEFAULT_TOKEN}"`, halves, `https://dash.example/?token=${halves}`];
      for (const text of ['', ' , ', '.', 'dep_1 ..', 'https://dash.example/', ...tokens]) {
        assert.equal(typeof idsMessage(graph.services, text), 'string', text);
      }
    });

    it('adds a prefilled id as it is, and one that is listed already only once', async () => {
      await add({ id: 'dep 1' }, accept, accept);
      await add({ id: 'dep 1' }, accept);
      assert.deepEqual([listed(), graph.revealed], [['dep 1'], ['dep 1', 'dep 1']]);
    });
  });

  describe('Add Deployments from Selection or Clipboard', () => {
    afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));

    it('adds what is checked in one write, and takes it back', async () => {
      await list(['dep_9']);
      const content = `dep_9: [dep_1, flow] dep_2 ${DEFAULT_TOKEN}`;
      const editor = await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
      editor.selection = new vscode.Selection(0, 0, 0, content.length);
      const values: unknown[] = [];
      const watch = vscode.workspace.onDidChangeConfiguration(() => values.push(listed()));
      const seen = await agreeing(() => addDeploymentsFromText(graph.services));
      await until('the way back', () => values.length === 2);
      watch.dispose();
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

    it('says that it searched the beginning only, also where it found nothing', async () => {
      const partly = 'Only the first 300,000 characters were searched.';
      await vscode.env.clipboard.writeText(`dep_1${' '.repeat(300_000)}dep_2`);
      const [, placeHolder, labels] = await agreeing(() => addDeploymentsFromText(graph.services));
      assert.deepEqual([placeHolder, labels], [`${partly} Select the deployments to add.`, ['dep_1']]);
      await vscode.env.clipboard.writeText(`${' '.repeat(300_000)}dep_2`);
      const { notifications } = await recording(() => addDeploymentsFromText(graph.services));
      assert.deepEqual(notifications, [`No new deployment IDs found. ${partly}`]);
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
      const { notifications, dialogs, buttons } = await recording(async () => {
        await removeDeployment(graph.services, 'dep_2');
        await removeDeployment(graph.services, row('dep_1'), [row('dep_1'), row('dep_3')]);
      });
      assert.deepEqual(notifications, [
        'Removed “［Billing］(command:x)” from the list in .vscode/settings.json. Nothing changed on the server.',
        'Removed 2 deployments from the list in .vscode/settings.json. Nothing changed on the server.',
      ]);
      assert.deepEqual([listed(), dialogs, buttons, asked()], [[], [], ['Undo', 'Undo'], []]);
    });

    it('reads again what Undo brings back', async () => {
      await read('dep_1');
      await agreeing(() => removeDeployment(graph.services, 'dep_1'));
      await until('what was read', () => graph.services.store.get('dep_1')?.state === 'satisfied');
      assert.deepEqual([listed(), asked()], [['dep_1'], ['dep_1', 'dep_1']]);
    });

    it('takes out all that were picked, or nothing', async () => {
      await list(['dep_1', { id: 'dep_2', label: 'Billing' }, 'dep_3']);
      await answering(removeDeployment(graph.services), toggle, next, dismiss);
      assert.equal(listed()?.length, 3);
      await answering(removeDeployment(graph.services), next, toggle, next, toggle, accept);
      assert.equal(listed()?.length, 1);
    });
  });

  describe('Edit ID', () => {
    it('corrects it in every scope, keeps the label, reads it, and offers the way back', async () => {
      await list([{ id: 'dep_9', label: 'Billing' }]);
      await list(['dep_9'], Global);
      const { notifications, buttons } = await edit(' dep_1 ');
      assert.deepEqual(listed(), [{ id: 'dep_1', label: 'Billing' }]);
      assert.deepEqual(vscode.workspace.getConfiguration(section, null).inspect('deployments')?.globalValue, ['dep_1']);
      await list(undefined, Global);
      assert.equal(graph.services.store.get('dep_1')?.state, 'satisfied');
      assert.deepEqual(notifications, ['Changed the ID “dep_9” to “dep_1” in .vscode/settings.json, user settings.']);
      assert.deepEqual(buttons, ['Undo']);
    });

    it('changes nothing for the same id, one that is listed, or none', async () => {
      await list(['dep_9', 'dep_1']);
      for (const typed of ['dep_9', 'dep_1', '..', ' ', '', DEFAULT_TOKEN]) {
        assert.deepEqual((await edit(typed)).notifications, [], typed);
      }
      assert.deepEqual([listed(), asked()], [['dep_9', 'dep_1'], []]);
    });
  });

  it('Set Deployment Label begins with the label, and changes nothing if it is the same', async () => {
    await list([{ id: 'dep_1', label: 'Billing' }]);
    await turn();
    await answering(setDeploymentLabel(graph.services, 'dep_1'), accept);
    assert.deepEqual(listed(), [{ id: 'dep_1', label: 'Billing' }]);
  });

  describe('reading', () => {
    it('is of all with Refresh', async () => {
      await list(['dep_1', 'dep_2']);
      await refresh(graph);
      assert.deepEqual(
        graph.services.store.deployments.map(({ state }) => state),
        ['failed', 'satisfied'],
      );
    });

    it('is of one with Refresh Deployment, by row, id or pick', async () => {
      await list(['dep_1', 'dep_2']);
      await refreshDeployment(graph.services, row('dep_1'));
      await refreshDeployment(graph.services, 'dep_1');
      await answering(refreshDeployment(graph.services), accept);
      assert.deepEqual(asked(), ['dep_1', 'dep_1', 'dep_2']);
    });

    it('needs a list and an organization', async () => {
      await assert.rejects(refresh(graph), isUserError);
      const signedOut = createGraph();
      await list(['dep_1']);
      await assert.rejects(refresh(signedOut), isUserError);
      await assert.rejects(refreshDeployment(signedOut.services, 'dep_1'), isUserError);
      await signedOut.dispose();
      assert.deepEqual(asked(), []);
    });
  });

  it('Watch Until It Changes marks the row, and says at the end in words what changed', async () => {
    await read('dep_2');
    const provider = new DeploymentsProvider(graph.services);
    const { notifications } = await recording(async () => {
      await watchDeployment(graph.services, row('dep_2'));
      const { description, contextValue, accessibilityInformation } = provider.getTreeItem(row('dep_2'));
      assert.match(String(description), / failed · watched\b/);
      assert.match(accessibilityInformation?.label ?? '', /, watched,/);
      assert.equal(contextValue, 'deployment canMute watched');
      await refreshDeployment(graph.services, 'dep_2');
      service.data.deployments.set('dep_2', healthy());
      await refreshDeployment(graph.services, row('dep_2'));
      await until('the end of the watch', () => !graph.services.watches.has('dep_2'));
    });
    provider.dispose();
    assert.deepEqual(notifications, ['dep_2: Ops Slack works again. No problems left.']);
    assert.doesNotMatch(String(provider.getTreeItem(row('dep_2')).description), /watched/);
  });

  it('a sixth watch is refused; Stop Watching offers those that are watched', async () => {
    const [sixth, ...five] = ['dep_6', 'dep_1', 'dep_2', 'dep_3', 'dep_4', 'dep_5'];
    await list([...five, sixth]);
    for (const id of five) await watchDeployment(graph.services, id);
    await assert.rejects(watchDeployment(graph.services, sixth), /^UserError: At most 5 /);
    await stopWatching(graph.services, 'dep_1');
    await answering(stopWatching(graph.services), dismiss);
    assert.deepEqual(graph.services.watches.ids, five.slice(1));
    await answering(stopWatching(graph.services), accept);
    assert.deepEqual(graph.services.watches.ids, five.slice(2));
  });

  it('Check Again offers to watch what is still wrong', async () => {
    await read('dep_1', 'dep_2');
    const { notifications, buttons } = await recording(async () => {
      for (const id of ['dep_1', 'dep_2']) await refreshDeployment(graph.services, id);
      await refreshDeployment(graph.services, row('dep_2'));
    });
    assert.match(notifications.join(), /^dep_2: Ops Slack .* failed: [^,]*$/);
    assert.deepEqual(buttons, ['Watch Until It Changes']);
  });

  describe('Go to Deployment and links to one', () => {
    it('show the worst one first', async () => {
      await read('dep_1', 'dep_2');
      await answering(goToDeployment(graph.services), accept);
      assert.deepEqual(graph.revealed, ['dep_2']);
    });

    it('show the worst one first also while a refresh of all keeps the order', async () => {
      service.fault({ id: 'dep_1' }, faults.hold());
      await list(['dep_1', 'dep_2']);
      const refreshing = graph.services.store.refreshAll();
      await until('the other one', () => graph.services.store.get('dep_2')?.state === 'failed');
      await answering(goToDeployment(graph.services), accept);
      assert.deepEqual(graph.revealed, ['dep_2']);
      service.release();
      await refreshing;
    });

    it('show one whatever its id is made of, and say that one is not listed', async () => {
      graph.services.store.setListed([{ id: 'half \ud800' }]);
      await revealById(graph.services, 'half \ud800');
      await assert.rejects(revealById(graph.services, 'dep_9'), isUserError);
      await revealById(graph.services, { id: 'half \ud800' });
      assert.deepEqual(graph.revealed, ['half \ud800']);
    });
  });

  describe('Copy', () => {
    it('takes the ids of the selection, one a line, or of those that are picked', async () => {
      await read('dep_1', 'dep_2');
      assert.equal(await copied(copyId(graph.services, row('dep_1'), [row('dep_1'), row('dep_2')])), 'dep_1\ndep_2');
      assert.equal(await copied(copyId(graph.services, row('dep_2'))), 'dep_2');
      const both = answering(copyId(graph.services), next, toggle, next, toggle, accept);
      assert.equal(await copied(both), 'dep_2\ndep_1');
    });

    it('takes the id of a pending install’s service, never its token', async () => {
      const answer = { value: { serviceId: 'hubspot' }, decodeIssues: [], receivedAt: 0 };
      const pending = graph.services.installs.add(token, 'environment', answer);
      assert.equal(await copied(copyId(graph.services, pending)), 'hubspot');
    });

    it('says that there is nothing to take, or to find', async () => {
      await assert.rejects(copyId(graph.services, { kind: 'cause', id: 'cause' }), isUserError);
      await assert.rejects(findInFiles(graph.services, { kind: 'cause', id: 'cause' }), isUserError);
    });

    it('takes the report on one, on the selection or on all', async () => {
      await read('dep_1', 'dep_2');
      const one = await copied(copyReport(graph.services, row('dep_1')));
      assert.ok(one.includes('dep_1') && !one.includes('dep_2'), one);
      const two = await copied(copyReport(graph.services, row('dep_1'), [row('dep_1'), row('dep_2')]));
      assert.ok(two.includes('dep_1') && two.includes('dep_2'), two);
      await vscode.env.clipboard.writeText('');
      assert.equal(await copied(answering(copyReport(graph.services), accept)), two);
      for (const secret of [DEFAULT_TOKEN, service.baseUrl, 'environment']) assert.ok(!two.includes(secret));
    });
  });

  describe('Look Up Install', () => {
    it('asks after the person did, and keeps the token to itself', async () => {
      const done = lookUpInstall(graph.services, `https://host.example/install?token=${token.toUpperCase()}`);
      await turn();
      assert.deepEqual(asked(), []);
      await answering(done, accept);
      const [pending] = graph.services.installs.installs;
      assert.equal(pending?.answer.value.label, 'Acme CRM');
      assert.ok(![JSON.stringify(pending), ...graph.lines].join('\n').includes(token));
      await forgetInstall(graph.services, pending);
      assert.equal(graph.services.installs.installs.length, 0);
    });

    it('sends nothing for a text without exactly one token, or when dismissed or cancelled', async () => {
      for (const text of ['', 'abc', `${token} ${token.replace('0a', '1a')}`]) {
        await answering(lookUpInstall(graph.services, text), accept, dismiss);
      }
      await answering(lookUpInstall(graph.services, token), dismiss);
      const cancelled = new vscode.CancellationTokenSource();
      cancelled.cancel();
      const { current } = graph.services.organizations;
      await assert.rejects(readInstall(graph.services, current!, token, cancelled.token), ApiError);
      assert.deepEqual(asked(), []);
    });

    it('offers Set User Session Token when the token is rejected', async () => {
      service.data.tokens.set(DEFAULT_SESSION_TOKEN, grant('session'));
      // The organization of the environment is read-only: there, signing in is the step.
      await signIn();
      await assert.rejects(answering(lookUpInstall(graph.services, token), accept), (error) => {
        assert.ok(error instanceof UserError, String(error));
        assert.match(error.message, /\(40[13]\)\. .*user session token/);
        assert.deepEqual([error.actions.length, error.actions[0]?.command], [1, commandIds.setSessionToken]);
        return true;
      });
    });

    it('keeps nothing that was read with tokens that are gone by then', async () => {
      const { organizations, installs } = graph.services;
      const { id } = await signIn();
      service.fault('all', faults.hold());
      const stopped = assert.rejects(answering(lookUpInstall(graph.services, token), accept), /“Acme” has changed/);
      await service.waitForRequests(1, { state: 'held' });
      await organizations.signOut(id);
      service.release();
      await stopped;
      assert.deepEqual(installs.installs, []);
    });
  });

  it('Revoke API Key refuses a key instead of its id, and needs an organization', async () => {
    await answering(new RevokeApiKey(graph.services).run(`  ${DEFAULT_TOKEN}`), accept, dismiss);
    assert.deepEqual(asked(), []);
    const signedOut = createGraph();
    await assert.rejects(new RevokeApiKey(signedOut.services).run('key_1'), isUserError);
    await signedOut.dispose();
  });

  describe('organizations', () => {
    it('of the environment are read-only', async () => {
      await assert.rejects(setSessionToken(graph.services), /environment/);
      await assert.rejects(signOut(graph.services), /AUTOMATION_PLATFORM_TOKEN/);
      await signIn();
      const { picks, dialogs } = await recording(() => signOut(graph.services));
      assert.deepEqual([picks.map(({ label }) => label), dialogs], [['Acme'], []], 'the other one could be meant');
    });

    it('can be switched', async () => {
      const { organizations } = graph.services;
      const acme = await signIn();
      assert.equal(organizations.current?.id, acme.id);
      await list(['dep_1']);
      await answering(switchOrganization(graph.services), accept);
      assert.equal(organizations.current?.source, 'environment');
      await until('what is listed', () => asked().length > 0);
      await answering(switchOrganization(graph.services), next, accept);
      assert.equal(organizations.current?.id, acme.id);
    });

    it('lose their session token with an empty answer only', async () => {
      const { organizations } = graph.services;
      const { id } = await signIn();
      await organizations.setSessionToken(id, DEFAULT_SESSION_TOKEN);
      await answering(setSessionToken(graph.services), dismiss);
      assert.equal(organizations.get(id)?.hasSessionToken, true);
      await answering(setSessionToken(graph.services), accept);
      assert.equal(organizations.get(id)?.hasSessionToken, false);
    });
  });
});

import { strict as assert } from 'node:assert';
import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { ApiError } from '../../../src/api/failure.js';
import type { Call } from '../../../src/api/send.js';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { reportWording } from '../../../src/commands/deployments/copy.js';
import { readInstall } from '../../../src/commands/lookUpInstall.js';
import { revocationTarget } from '../../../src/commands/meant.js';
import { RevokeApiKey } from '../../../src/commands/revokeApiKey.js';
import { authorizationTool } from '../../../src/commands/tools/authorizationTool.js';
import { showError } from '../../../src/host/errors.js';
import { failureExcerpt, failureSentence, failureWord } from '../../../src/host/text/failure.js';
import { shortenKeyId } from '../../../src/model/inertText.js';
import type { PendingInstall } from '../../../src/model/installs.js';
import { deploymentsReportParts } from '../../../src/model/report.js';
import { dataText } from '../../../src/model/toolResult.js';
import { InstallsView } from '../../../src/views/installs.js';
import { DeploymentsProvider } from '../../../src/views/tree/provider.js';
import { healthy, install } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { createGraph, type Graph } from '../commands/graph.js';
import { turn } from '../commands/quickInput.js';
import { TreeViewInMemory } from '../commands/treeViewInMemory.js';
import { below } from './below.js';
import { recordWindow, type WindowRecorder } from './windowRecorder.js';

const token = 'access+token/1f2e3d4c5b6a==';
const replaced = 'replaced-token-99887766';
const sessionToken = 'session.token~aabbccddeeff';
const installToken = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const keyId = 'key_0123456789abcdef';

/** In all the shapes in which a page or an error may repeat them. */
const shapes = [token, replaced, sessionToken, installToken, keyId].flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  Buffer.from(`Bearer ${secret}`).toString('base64').replace(/=+$/, ''),
  JSON.stringify(secret).slice(1, -1),
]);

function assertNone(where: string, text: string): void {
  for (const secret of shapes) {
    const at = text.indexOf(secret);
    assert.equal(at, -1, `${where}: …${text.slice(Math.max(0, at - 100), at + secret.length + 100)}…`);
  }
}

function call(): Call {
  return { signal: new AbortController().signal, urgent: true };
}

describe('a session full of secrets', () => {
  let service: Service;
  let graph: Graph;
  let recorder: WindowRecorder;
  const errors: unknown[] = [];
  const outputs: string[] = [];

  const note = (error: unknown): void => void errors.push(error);
  const look = async (): Promise<void> => {
    const { store, organizations, filter, deploymentList, installs } = graph.services;
    const rows = new DeploymentsProvider({ store, organizations, filter, deploymentList });
    const pending = new InstallsView({ installs, organizations }, new TreeViewInMemory<PendingInstall>());
    const items = below(rows).map((element) => rows.resolveTreeItem(rows.getTreeItem(element), element));
    for (const one of pending.getChildren()) items.push(pending.resolveTreeItem(pending.getTreeItem(one), one));
    pending.dispose();
    for (const { id, label, description, tooltip, accessibilityInformation, command } of items) {
      const hover = tooltip instanceof vscode.MarkdownString ? tooltip.value : tooltip;
      // Of Markdown what is shown: marks stand there as references.
      const shown = hover?.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
      outputs.push(JSON.stringify([id, label, description, shown, accessibilityInformation, command]));
    }
    outputs.push(
      [...deploymentsReportParts(store.deployments, reportWording())].join(''),
      inspect(store.deployments, { depth: 20 }),
    );
    outputs.push(inspect(installs.installs, { depth: 20 }), inspect(organizations.list, { depth: 20 }));
  };

  /** Everything that a person does, once with each kind of answer that repeats what it was sent. */
  before(async function () {
    this.timeout(60_000);
    service = await startService();
    for (const one of [token, replaced, sessionToken]) service.putToken(one, { kind: 'both' });
    for (const id of ['dep_1', 'dep_2']) service.putDeployment(id, healthy());
    service.putInstall(installToken, install());
    service.putApiKey(keyId);
    recorder = recordWindow(() => '');
    graph = createGraph();
    const { services } = graph;
    const { organizations, store, client } = services;
    await organizations.ready;
    await organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token: replaced });
    store.setListed([{ id: 'dep_1' }, { id: 'dep_2' }]);
    await store.refreshAll();
    const { id } = await organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token });
    await organizations.setSessionToken(id, sessionToken);
    const organization = organizations.get(id)!;
    const never = new vscode.CancellationTokenSource().token;
    const revocation = new RevokeApiKey(services);
    const tokens = `${token} ${replaced} ${sessionToken}`;
    const all = `${tokens} ${installToken} ${keyId}`;
    for (const fault of [
      {},
      faults.echo('html', 500),
      faults.echo('json', 403),
      faults.echo('text', 404),
      faults.echo('json', 200),
      faults.text(400, all),
      // What is data in an answer is searched for tokens only: an id that somebody looked up may stand there by right.
      faults.json({
        ...healthy(),
        echoed: tokens,
        accounts: [{ id: token, label: tokens, error: { message: tokens } }],
      }),
      faults.redirect(`https://elsewhere.example/${encodeURIComponent(token)}?t=${installToken}`),
      faults.redirect(`https://${installToken}.example/`),
      faults.reset('before'),
      faults.status(401),
    ]) {
      service.clearFaults();
      service.fault('all', fault);
      await store.refreshAll();
      await client.getIntegrationInstall(organizations.target(id, 'install')!, installToken, call()).catch(note);
      await readInstall(services, organization, installToken, never).catch(note);
      await client
        .deleteApiKey(organizations.target(id, 'access')!, keyId, call())
        .then((outcome) => errors.push(outcome));
      await revocation.send(revocationTarget(organizations, organization)!, keyId).catch(note);
      const question = await authorizationTool(services).ask({ deploymentId: 'dep_1' });
      await question.read(never).then((data) => outputs.push(dataText(data)), note);
      await checkConnection(services).catch(note);
      await look();
    }
    service.clearFaults();
    // The keyring, too, may repeat what it was given.
    graph.secrets.refusal = new Error(`could not store ${all}`);
    await organizations.signIn({ name: 'Other', baseUrl: service.baseUrl, token }).catch(note);
    await organizations.setSessionToken(id, sessionToken).catch(note);
    await organizations.signOut(id).catch(note);
    graph.secrets.refusal = undefined;
    for (const error of errors) {
      await showError(services.log, error, { operation: 'install', organization });
      await showError(services.log, error);
    }
    await showError(services.log, new Error(`something repeated ${all}`));
    await turn();
  });
  after(async () => {
    recorder.restore();
    await graph.dispose();
    await service.stop();
  });

  it('did send them: there is something to look for', () => {
    const sent = JSON.stringify(service.requests.map(({ path, headers }) => [path, headers.authorization]));
    for (const secret of [token, replaced, sessionToken, installToken, keyId]) assert.ok(sent.includes(secret), secret);
    assert.ok(errors.length > 20);
    assert.ok(graph.lines.length > 20);
    assert.ok(recorder.shown.notifications.length > 20);
  });

  it('leaves none in the log', () => {
    for (const line of graph.lines) {
      assertNone('log', line);
      assert.ok(!line.includes('\n'));
    }
    // Which key it was, its owner has to recognize.
    assert.ok(graph.lines.some((line) => line.includes(shortenKeyId(keyId))));
  });

  it('leaves none in errors, however they are printed', () => {
    for (const error of errors) {
      assertNone('JSON', JSON.stringify(error) ?? '');
      assertNone('text', String(error));
      assertNone('inspect', inspect(error, { depth: 20, showHidden: true }));
      if (error instanceof Error) assertNone('stack', `${error.message} ${error.stack ?? ''}`);
    }
  });

  it('leaves none in sentences about failures', () => {
    const { list } = graph.services.organizations;
    const failures = errors.flatMap((error) => (error instanceof ApiError ? [error.failure] : []));
    assert.ok(failures.length > 5);
    for (const failure of failures) {
      for (const operation of ['authorization', 'install', 'revocation'] as const) {
        const about = { operation, ...(list[0] && { organization: list[0] }) };
        const texts = [failureWord(failure), failureSentence(failure, about), failureExcerpt(failure) ?? ''];
        assertNone('sentence', texts.join(' '));
      }
    }
  });

  it('leaves none in what was shown', () => {
    const { shown } = recorder;
    for (const [surface, texts] of Object.entries(shown)) assertNone(surface, inspect(texts, { depth: 5 }));
    for (const text of outputs) assertNone('output', text);
    for (const text of graph.texts.flat()) assertNone('Check Connection', text);
  });

  it('leaves none in settings or in what is remembered', () => {
    for (const section of ['automationPlatform', 'http']) {
      assertNone('settings', JSON.stringify(vscode.workspace.getConfiguration(section, null)));
    }
    for (const state of Object.values(graph.states)) {
      assertNone('state', [...state.values].flat().join('\n'));
    }
  });
});

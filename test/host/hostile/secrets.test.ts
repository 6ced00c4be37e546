import { strict as assert } from 'node:assert';
import { inspect } from 'node:util';
import * as vscode from 'vscode';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { readInstall } from '../../../src/commands/lookUpInstall.js';
import { sendRevocation } from '../../../src/commands/revokeApiKey.js';
import { authorizationTool } from '../../../src/commands/tools/deploymentTools.js';
import { deploymentsReport } from '../../../src/host/text/report.js';
import { shortenKeyId } from '../../../src/model/inertText.js';
import { dataText } from '../../../src/model/toolResult.js';
import { healthy } from '../../support/platform/data.js';
import { faults } from '../../support/platform/faults.js';
import { createGraph, platformOfTest, startWorld } from '../../support/window/graph.js';
import { recordWindow, settle } from '../../support/window/windowRecorder.js';

const token = 'access+token/1f2e3d4c5b6a==';
const replaced = 'replaced-token-99887766';
const sessionToken = 'session.token~aabbccddeeff';
const installToken = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const keyId = 'key_0123456789abcdef';
const secrets = [token, replaced, sessionToken, installToken, keyId];
const tokens = `${token} ${replaced} ${sessionToken}`;

/** In all the shapes in which a page or an error may repeat them. */
const shapes = secrets.flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  ...[secret, `Bearer ${secret}`].map((text) =>
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  ),
]);

describe('a session with a platform and a keyring that repeat every secret', () => {
  it('leaves none in the log, in what was shown, in settings or in what is remembered', async function () {
    this.timeout(60_000);
    const platform = await platformOfTest();
    for (const one of [token, replaced, sessionToken]) platform.putToken(one, 'both');
    platform.putDeployment('dep_1', healthy());
    const shown = recordWindow();
    const graph = createGraph();
    const { context, services } = graph;
    const { workspaceState, globalState } = context;
    const { organizations, store } = services;
    const { baseUrl } = platform;
    const fail = (error: unknown) => graph.app.showError(error);
    await organizations.signIn({ name: 'Acme', baseUrl, token: replaced });
    store.setListed([{ id: 'dep_1' }]);
    await store.refresh();
    const { id } = await organizations.signIn({ name: 'Acme', baseUrl, token });
    await organizations.setSessionToken(id, sessionToken);
    const organization = organizations.get(id)!;
    const never = new vscode.CancellationTokenSource().token;
    const account = { id: token, label: tokens, error: { message: tokens } };
    const outputs: string[] = [];
    // What is data in an answer is searched for tokens only: an id that was looked up may stand there by right.
    for (const fault of [
      faults.echo('html', 500),
      faults.echo('json', 500),
      faults.json({ ...healthy(), accounts: [account] }),
    ]) {
      platform.fault('all', fault);
      await store.refresh();
      const request = { organization, token: installToken, cancellation: never };
      await readInstall(services, request).catch(fail);
      await sendRevocation(
        services,
        organization,
        organizations.target(id, 'access')!,
        keyId,
      ).catch(fail);
      const question = authorizationTool(services).questionFor({ deploymentId: 'dep_1' });
      await question.read(never).then((data) => outputs.push(dataText(data)), fail);
      await checkConnection(services).catch(fail);
      outputs.push(vscode.window.activeTextEditor!.document.getText());
      outputs.push(deploymentsReport(store.deployments));
      outputs.push(inspect([graph.items(), store.deployments, organizations.list], { depth: 20 }));
    }
    context.secrets.refusal = new Error(`could not store ${secrets.join(' ')}`);
    await organizations.signIn({ name: 'Other', baseUrl, token }).then(() => assert.fail(), fail);
    fail(new Error(`something repeated ${secrets.join(' ')}`));
    await settle();

    const sent = JSON.stringify(
      platform.requests.map(({ path, headers }) => [path, headers.authorization]),
    );
    for (const secret of secrets) assert.ok(sent.includes(secret), secret);
    assert.ok(shown.messages.length >= 5);
    // The owner has to recognize the key.
    assert.ok(graph.lines.some((line) => line.includes(shortenKeyId(keyId))));
    // The progress and the outcome of a revocation show the whole ID, and nothing else does.
    const ofRevocation = new RegExp(`API key ${keyId} in Acme`, 'g');
    for (const [where, found] of Object.entries({
      log: graph.lines,
      window: [inspect(shown, { depth: 6, maxArrayLength: null }).replace(ofRevocation, '')],
      outputs,
      settings: ['automationPlatform', 'http'].map((section) =>
        JSON.stringify(vscode.workspace.getConfiguration(section, null)),
      ),
      states: [workspaceState, globalState].map(({ values }) => [...values].flat().join('\n')),
    })) {
      assert.ok(found.length > 0, where);
      // Of Markdown what is shown: marks stand there as references.
      const all = found
        .join('\n')
        .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
      for (const secret of shapes) assert.equal(all.indexOf(secret), -1, `${where}: ${secret}`);
    }
  });
});

it('a token stays with its server when the organization is switched in the middle of a refresh', async () => {
  const { platform: first, graph } = await startWorld();
  const second = await platformOfTest({ token: 'second-token-d83f4416ce' });
  for (const platform of [first, second]) platform.putDeployment('dep_1', healthy());
  const { organizations, store } = graph.services;
  first.fault('all', faults.hold());
  const refreshing = graph.read('dep_1');
  await first.waitForRequests(1);
  await organizations.signIn({ name: 'Second', baseUrl: second.baseUrl, token: second.token });
  await refreshing;
  await store.refresh();
  assert.equal(store.get('dep_1')?.state, 'satisfied');
  first.clearFaults();
  first.release();
  await organizations.switchTo('environment');
  await store.refresh();
  for (const { requests, token: own } of [first, second]) {
    assert.deepEqual(
      new Set(requests.map(({ headers }) => headers.authorization)),
      new Set([`Bearer ${own}`]),
    );
  }
});

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
import { endTest } from '../../support/window/endOfTest.js';
import { createGraph, platformOfTest, startWorld } from '../../support/window/graph.js';
import { recordWindow, settle } from '../../support/window/windowRecorder.js';

const token = 'access+token/1f2e3d4c5b6a==';
const replaced = 'replaced-token-99887766';
const sessionToken = 'session.token~aabbccddeeff';
const installToken = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const keyId = 'key_0123456789abcdef';
const secrets = [token, replaced, sessionToken, installToken, keyId];
const tokens = `${token} ${replaced} ${sessionToken}`;

/** All shapes in which a page or an error may repeat a secret. */
const shapes = secrets.flatMap((secret) => [
  secret,
  encodeURIComponent(secret),
  ...[secret, `Bearer ${secret}`].map((text) =>
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  ),
]);

/** Each place where a secret could be left, with the texts there after a session. */
type Places = Readonly<Record<(typeof placeNames)[number], readonly string[]>>;

const placeNames = [
  'the log',
  'a message or question',
  'the result of a command',
  'the settings',
  'the state of the window',
] as const;

describe('a secret that the platform and the keyring repeat', () => {
  let requests: string;
  let places: Places;

  before(async function () {
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
    const showError = (error: unknown) => graph.app.showError(error);
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
      await readInstall(services, request).catch(showError);
      await sendRevocation(
        services,
        organization,
        organizations.target(id, 'access')!,
        keyId,
      ).catch(showError);
      const question = authorizationTool(services).questionFor({ deploymentId: 'dep_1' });
      await question.read(never).then((data) => outputs.push(dataText(data)), showError);
      await checkConnection(services).catch(showError);
      outputs.push(vscode.window.activeTextEditor!.document.getText());
      outputs.push(deploymentsReport(store.deployments));
      outputs.push(inspect([graph.items(), store.deployments, organizations.list], { depth: 20 }));
    }
    context.secrets.refusal = new Error(`could not store ${secrets.join(' ')}`);
    await organizations
      .signIn({ name: 'Other', baseUrl, token })
      .then(() => assert.fail(), showError);
    showError(new Error(`something repeated ${secrets.join(' ')}`));
    await settle();

    requests = JSON.stringify(
      platform.requests.map(({ path, headers }) => [path, headers.authorization]),
    );
    assert.ok(shown.messages.length >= 5, `only ${shown.messages.length} messages`);
    // The progress and the outcome of a revocation show the whole ID, and nothing else does.
    const keyIdOfRevocation = new RegExp(`API key ${keyId} in Acme`, 'g');
    const windowText = inspect(shown, { depth: 6, maxArrayLength: null });
    places = {
      'the log': graph.lines,
      'a message or question': [windowText.replace(keyIdOfRevocation, '')],
      'the result of a command': outputs,
      'the settings': ['automationPlatform', 'http'].map((section) =>
        JSON.stringify(vscode.workspace.getConfiguration(section, null)),
      ),
      'the state of the window': [workspaceState, globalState].map(({ values }) =>
        [...values].flat().join('\n'),
      ),
    };
  });
  after(endTest);

  it('is sent in a request first', () => {
    const unsent = secrets.filter((secret) => !requests.includes(secret));
    assert.deepEqual(unsent, []);
  });

  it('is shortened in the log when it is the ID of a key', () => {
    const linesWithKey = places['the log'].filter((line) => line.includes(shortenKeyId(keyId)));
    assert.notDeepEqual(linesWithKey, []);
  });

  for (const name of placeNames) {
    it(`is not left in ${name}`, () => {
      assert.notDeepEqual(places[name], [], 'texts to search');
      // Markdown has some characters as references: a reader sees the characters.
      const text = places[name]
        .join('\n')
        .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
      const secretsLeft = new Set(shapes.filter((shape) => text.includes(shape)));
      assert.deepEqual([...secretsLeft], []);
    });
  }
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
    const sentTokens = new Set(requests.map(({ headers }) => headers.authorization));
    assert.deepEqual(sentTokens, new Set([`Bearer ${own}`]));
  }
});

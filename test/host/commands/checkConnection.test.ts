import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { UserError } from '../../../src/host/actions.js';
import { DEFAULT_TOKEN, healthy } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { watchRejections } from '../hostile/rejections.js';
import { createGraph, type Graph } from './graph.js';

function textOf({ texts }: Graph): string {
  assert.equal(texts.length, 1);
  return texts[0]![1];
}

/** The notification at the end: kind, sentence, buttons. */
async function verdictOf(check: () => Promise<void>): Promise<readonly string[]> {
  const { window } = vscode;
  const { showInformationMessage, showErrorMessage } = window;
  const said: string[][] = [];
  const hear =
    (kind: string) =>
    async (...texts: string[]) =>
      void said.push([kind, ...texts]);
  Object.assign(window, { showInformationMessage: hear('information'), showErrorMessage: hear('error') });
  try {
    await check();
  } finally {
    Object.assign(window, { showInformationMessage, showErrorMessage });
  }
  assert.equal(said.length, 1);
  return said[0]!;
}

describe('Check Connection', () => {
  const rejections = watchRejections();
  let service: Service;
  let graph: Graph | undefined;
  const create = async (token = DEFAULT_TOKEN) => {
    graph = createGraph({ AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: token });
    await graph.services.organizations.ready;
    return graph;
  };

  beforeEach(async () => {
    service = await startService();
    service.data.deployments.set('dep_1', healthy());
  });
  afterEach(async () => {
    await graph?.dispose();
    graph = undefined;
    await service.stop();
  });

  it('tells the way to the service step by step, without the token', async () => {
    const made = await create();
    await checkConnection(made.services);
    const text = textOf(made);
    assert.match(text, /^Connection to http:\/\/127\.0\.0\.1:\d+\/api\/v1$/m);
    assert.match(text, /^• Route: direct \(service on this machine\)$/m);
    assert.match(text, /^✔ TCP connection to 127\.0\.0\.1:\d+ · [\d,.]+ ms$/m);
    assert.match(text, /^✔ GET \/deployments\/\{deploymentId\}\/authorization · response \d+ · [\d,.]+ ms$/m);
    assert.match(text, /^Connection OK\.$/m);
    assert.equal(text.includes(DEFAULT_TOKEN), false);
    assert.deepEqual(
      service.requests.map(({ method }) => method),
      ['GET'],
    );
  });

  it('says that all is well as information', async () => {
    const made = await create();
    const said = await verdictOf(() => checkConnection(made.services));
    assert.deepEqual(said, ['information', 'Connection OK.', 'Copy Text']);
  });

  it('offers to sign in when the token is rejected', async () => {
    const made = await create('another-token-0123456789');
    const said = await verdictOf(() => checkConnection(made.services));
    assert.match(said[1]!, /^Token rejected \(401\)\. /);
    assert.deepEqual(said.toSpliced(1, 1), ['error', 'Sign In…', 'Copy Text']);
    assert.ok(textOf(made).includes(said[1]!));
  });

  it('says where a redirect leads, and does not follow it', async () => {
    service.fault('all', faults.redirect('https://login.example/start'));
    const made = await create();
    const said = await verdictOf(() => checkConnection(made.services));
    assert.match(said[1]!, /^Redirected \(302\) to login\.example\. /);
    assert.deepEqual(said.toSpliced(1, 1), ['error', 'Sign In…', 'Copy Text']);
  });

  it('names the first failed step as an error', async () => {
    const made = await create();
    const { port } = new URL(service.baseUrl);
    await service.stop();
    const said = await verdictOf(() => checkConnection(made.services));
    assert.deepEqual(said, [
      'error',
      `First failed step: TCP connection to 127.0.0.1:${port}. Connection refused.`,
      'Check Again',
      'Copy Text',
    ]);
    assert.match(textOf(made), new RegExp(`^✖ TCP connection to 127\\.0\\.0\\.1:${port} · connection refused`, 'm'));
    service = await startService();
  });

  it('says that the text could not be copied', async () => {
    const { window, env } = vscode;
    const { showInformationMessage, showErrorMessage } = window;
    const clipboard = Object.getOwnPropertyDescriptor(env, 'clipboard')!;
    const said = new Promise<string>((resolve) =>
      Reflect.set(window, 'showErrorMessage', async (text: string) => resolve(text)),
    );
    Reflect.set(window, 'showInformationMessage', async (_verdict: string, ...buttons: string[]) => buttons[0]);
    const locked = { writeText: () => Promise.reject(new Error('The clipboard is locked.')) };
    Object.defineProperty(env, 'clipboard', { ...clipboard, get: () => locked });
    try {
      await checkConnection((await create()).services);
      assert.match(await said, /The clipboard is locked/);
    } finally {
      Object.defineProperty(env, 'clipboard', clipboard);
      Object.assign(window, { showInformationMessage, showErrorMessage });
    }
    assert.deepEqual(rejections.seen, []);
  });

  it('asks for an organization first', async () => {
    graph = createGraph();
    await graph.services.organizations.ready;
    await assert.rejects(checkConnection(graph.services), (error: unknown) => error instanceof UserError);
    assert.deepEqual(graph.texts, []);
  });
});

import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { UserError } from '../../../src/host/actions.js';
import { DEFAULT_TOKEN, healthy } from '../../support/service/data.js';
import { type Service, startService } from '../../support/service/service.js';
import { watchRejections } from '../hostile/rejections.js';
import { createGraph, type Graph } from './graph.js';

function textOf({ texts }: Graph): string {
  assert.equal(texts.length, 1);
  return texts[0]![1];
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
    assert.match(text, /^• Route: direct, because the service is on this machine$/m);
    assert.match(text, /^✔ Connection to the service: 127\.0\.0\.1:\d+ · .*ms$/m);
    assert.match(text, /^✔ Request: GET \/deployments\/\{deploymentId\}\/authorization · answered \d+ · [\d,.]+ ms$/m);
    assert.match(text, /^\d+: The service is reached\. The way to it works\.$/m);
    assert.equal(text.includes(DEFAULT_TOKEN), false);
    assert.deepEqual(
      service.requests.map(({ method }) => method),
      ['GET'],
    );
  });

  it('says that a token is probably rejected', async () => {
    const made = await create('another-token-0123456789');
    await checkConnection(made.services);
    assert.match(textOf(made), /^401: The service is reached, and probably rejects the token\./m);
  });

  it('names the step at which nobody answers', async () => {
    const made = await create();
    const { baseUrl } = service;
    await service.stop();
    await checkConnection(made.services);
    const port = new URL(baseUrl).port;
    assert.match(
      textOf(made),
      new RegExp(`^✖ Connection to the service: 127\\.0\\.0\\.1:${port} · connection refused`, 'm'),
    );
    assert.match(textOf(made), /^The service was not reached\. Look at the first step with a cross: ✖ Connection/m);
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

import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { checkConnection } from '../../../src/commands/checkConnection.js';
import { UserError } from '../../../src/host/actions.js';
import { DEFAULT_TOKEN, healthy } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { watchRejections } from '../hostile/rejections.js';
import { createGraph, type Graph, graphOf } from './graph.js';
import { notificationsOf, turn } from './quickInput.js';

describe('Check Connection', () => {
  const rejections = watchRejections();
  let service: Service;
  let graph: Graph;
  beforeEach(async () => {
    service = await startService();
    service.data.deployments.set('dep_1', healthy());
    graph = await graphOf(service);
  });
  afterEach(async () => {
    await graph.dispose();
    await service.stop();
  });

  /** The text that is shown, and the notification at the end. */
  const check = async () => {
    const said = await notificationsOf(() => checkConnection(graph.services));
    assert.deepEqual([said.length, graph.texts.length], [1, 1]);
    const [kind, sentence, ...buttons] = said[0]!;
    return { text: graph.texts[0]![1], kind, sentence: sentence!, buttons };
  };

  it('tells the way to the service step by step, without the token', async () => {
    const { text, ...verdict } = await check();
    assert.deepEqual(verdict, { kind: 'information', sentence: 'Connection OK.', buttons: ['Copy Text'] });
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

  for (const [what, fault, sentence, button] of [
    ['a rejected token', faults.status(401), /^Token rejected \(401\)\. /, 'Sign In…'],
    ['a redirect', faults.redirect('https://login.example/'), /^Redirected \(302\) to login\.example\. /, 'Sign In…'],
    ['an error of the service', faults.status(503), /^Server error \(503\)\. /, 'Check Again'],
  ] as const) {
    it(`says what helps against ${what}`, async () => {
      service.fault('all', fault);
      const verdict = await check();
      assert.match(verdict.sentence, sentence);
      assert.deepEqual([verdict.kind, verdict.buttons], ['error', [button, 'Copy Text']]);
      assert.ok(verdict.text.includes(verdict.sentence));
      assert.match(verdict.text, /^✖ GET .* · response \d+/m);
    });
  }

  it('names the first failed step as an error', async () => {
    const { host } = new URL(service.baseUrl);
    await service.stop();
    const { text, ...verdict } = await check();
    assert.deepEqual(verdict, {
      kind: 'error',
      sentence: `First failed step: TCP connection to ${host}. Connection refused.`,
      buttons: ['Check Again', 'Copy Text'],
    });
    assert.ok(text.includes(`\n✖ TCP connection to ${host} · connection refused`), text);
  });

  it('is stopped when the token is replaced meanwhile', async () => {
    const { organizations } = graph.services;
    const signIn = (token: string) => organizations.signIn({ name: 'Acme', baseUrl: service.baseUrl, token });
    await signIn(DEFAULT_TOKEN);
    service.fault('all', faults.hold());
    const stopped = assert.rejects(checkConnection(graph.services), /because the sign-in to “Acme” has changed/);
    await service.waitForRequests(1, { state: 'held' });
    await signIn('another-token');
    await stopped;
    assert.deepEqual(graph.texts, []);
  });

  it('says that the text could not be copied', async () => {
    const clipboard = Object.getOwnPropertyDescriptor(vscode.env, 'clipboard')!;
    const locked = { writeText: () => Promise.reject(new Error('The clipboard is locked.')) };
    Object.defineProperty(vscode.env, 'clipboard', { ...clipboard, get: () => locked });
    const said = await notificationsOf(() => checkConnection(graph.services).then(turn), 'Copy Text');
    Object.defineProperty(vscode.env, 'clipboard', clipboard);
    assert.match(said[1]!.join(), /^error,.*The clipboard is locked/);
    assert.deepEqual(rejections.seen, []);
  });

  it('asks for an organization first', async () => {
    const signedOut = createGraph();
    await assert.rejects(checkConnection(signedOut.services), (error: unknown) => error instanceof UserError);
    await signedOut.dispose();
  });
});

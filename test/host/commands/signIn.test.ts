import { strict as assert } from 'node:assert';
import * as vscode from 'vscode';
import { DEFAULT_TOKEN } from '../../support/service/data.js';
import { faults } from '../../support/service/faults.js';
import { type Service, startService } from '../../support/service/service.js';
import { recordWindow, type WindowRecorder } from '../hostile/windowRecorder.js';
import { createGraph, type Graph } from './graph.js';
import { replacing, turn } from './quickInput.js';

const token = 'new-token-4f1c77ab';
const wrong = 'wrong-token-0815';
/** Enter, with what the question offers. */
const asOffered = undefined;

describe('Sign In', () => {
  let service: Service;
  let graph: Graph;
  let recorder: WindowRecorder;
  let answers: (string | undefined)[];
  /** What each question offered. */
  let offered: string[];

  beforeEach(async () => {
    service = await startService();
    service.putToken(token);
    graph = createGraph();
    [answers, offered] = [[], []];
    recorder = recordWindow((value) => {
      offered.push(value);
      return answers.length > 0 ? (answers.shift() ?? value) : '';
    });
  });
  afterEach(async () => {
    recorder.restore();
    await graph.dispose();
    await service.stop();
  });

  /** The questions after these answers are dismissed. */
  const signIn = (...given: (string | undefined)[]) => {
    answers = given;
    return graph.run('signIn');
  };
  const saved = () => graph.services.organizations.list.map(({ name }) => name);
  const tokenOf = (id?: string | void) => graph.services.organizations.target(id!, 'access')?.token;

  it('sends one request without effects with the token, and says what came of it', async () => {
    assert.equal(await signIn(service.baseUrl, token, 'Acme'), graph.services.organizations.current?.id);
    const sent = service.requests.map(({ method, path, headers }) => [method, path, headers.authorization]);
    assert.deepEqual(sent, [['GET', '/api/v1/deployments/sign-in-check/authorization', `Bearer ${token}`]]);
    const { host } = new URL(service.baseUrl);
    const said = `Signed in to “Acme”. ${host} answered 404. The token was not rejected.`;
    assert.deepEqual([recorder.shown.notifications, recorder.shown.buttons], [[said], ['Add Deployment…']]);
  });

  for (const status of [403, 429, 503]) {
    it(`saves after ${status}, without a repeat and without a pause`, async () => {
      service.fault('all', faults.status(status));
      const id = await signIn(service.baseUrl, token, 'Acme');
      assert.equal(tokenOf(id), token);
      assert.equal(service.requests.length, 1);
      assert.equal(graph.services.client.pausedUntil(id!), undefined);
    });
  }

  it('reads what is listed, but not twice what was read since', async () => {
    const { store } = graph.services;
    store.setListed([{ id: 'dep_1' }, { id: 'dep_2' }]);
    // The first automatic round may be done before the sign-in is remembered.
    graph.states.workspace.update = () => store.refresh(['dep_1']);
    await signIn(service.baseUrl, token, 'Acme');
    await service.waitForRequests(3);
    assert.equal(service.requests.map(({ route }) => route.id).join(), 'sign-in-check,dep_1,dep_2');
  });

  it('leads back to a rejected token, which is neither saved nor logged', async () => {
    assert.equal(await signIn(service.baseUrl, wrong, 'Acme'), undefined);
    assert.ok(recorder.shown.inputs.includes('Token rejected (401). Paste another token or choose Save Anyway.'));
    assert.equal(offered.at(-1), wrong);
    assert.deepEqual([saved(), graph.secrets.shared.values.size], [[], 0]);
    assert.ok(!graph.lines.join('\n').includes(wrong));
    assert.equal(tokenOf(await signIn(service.baseUrl, wrong, 'Acme', token, asOffered)), token);
  });

  for (const [reason, fault] of [
    ['Redirected (302) to other.example.', faults.redirect('https://other.example/')],
    ['Proxy authentication required (407).', faults.status(407)],
    ['Connection lost.', faults.reset()],
  ] as const) {
    it(`leads back to the base URL with everything that was typed: ${reason}`, async () => {
      service.fault('all', { ...fault, times: 1 });
      await signIn(service.baseUrl, token, 'Acme', asOffered, asOffered, asOffered);
      const said = `${reason} Correct the base URL or choose Save Anyway.`;
      assert.ok(recorder.shown.inputs.includes(said), recorder.shown.inputs.join('\n'));
      assert.deepEqual(offered.slice(3), [service.baseUrl, token, 'Acme']);
      assert.equal(service.requests.length, 2);
      assert.deepEqual(saved(), ['Acme']);
    });
  }

  it('says where it looked if nothing is reached', async () => {
    assert.equal(await signIn('https://nobody.invalid/api/v1', token, 'Acme'), undefined);
    const said = /^Unreachable \(DNS\)\. nobody\.invalid: .*(?:ENOTFOUND|EAI_AGAIN).* Correct the base URL or /m;
    assert.match(recorder.shown.inputs.join('\n'), said);
  });

  it('changes nothing when the trial is cancelled', async () => {
    service.fault('all', faults.hold());
    const cancellation = new vscode.CancellationTokenSource();
    const withProgress: typeof vscode.window.withProgress = (_, task) => task({ report() {} }, cancellation.token);
    await replacing(vscode.window, { withProgress }, async () => {
      const done = signIn(service.baseUrl, token, 'Acme');
      await service.waitForRequests(1);
      cancellation.cancel();
      assert.equal(await done, undefined);
    });
    assert.deepEqual([saved(), recorder.shown.notifications], [[], []]);
  });

  it('replaces the token of an organization that is shown with a number, and makes no third one', async () => {
    const { values, changed } = graph.secrets.shared;
    const known = { name: 'Acme', baseUrl: service.baseUrl };
    for (const id of ['1', '2']) values.set(`organization.${id}`, JSON.stringify({ ...known, token: DEFAULT_TOKEN }));
    changed.fire({ key: 'organization.2' });
    await graph.services.organizations.ready;
    await turn();
    answers = [token];
    assert.equal(await graph.run('signIn', { ...known, name: 'Acme (2)' }), '2');
    assert.deepEqual([saved(), tokenOf('1'), tokenOf('2')], [['Acme', 'Acme (2)'], DEFAULT_TOKEN, token]);
    assert.match(recorder.shown.notifications.join(), /^Replaced the token of “Acme \(2\)”\./);
  });

  it('asks for nothing but the new token of an organization that is known', async () => {
    const known = { name: 'Acme', baseUrl: service.baseUrl };
    const { id } = await graph.services.organizations.signIn({ ...known, token: DEFAULT_TOKEN });
    service.fault('all', { ...faults.redirect('https://other.example/'), times: 1 });
    answers = [token, wrong, token];
    assert.equal(await graph.run('signIn', known), id);
    assert.equal(tokenOf(id), token);
    assert.deepEqual(offered, ['', token, wrong]);
    const said = 'Redirected (302) to other.example. Try again or choose Save Anyway.';
    assert.ok(recorder.shown.inputs.includes(said), recorder.shown.inputs.join('\n'));
    assert.match(recorder.shown.inputs[0]!, /^The new access token of “Acme”\. .* only sent to 127\.0\.0\.1:\d+\.$/);
    assert.match(recorder.shown.notifications.join(), /^Replaced the token of “Acme”\./);
  });
});

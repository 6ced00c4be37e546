import { strict as assert } from 'node:assert';
import { createAuthority } from '../support/service/certificates.js';
import { healthy } from '../support/service/data.js';
import { faults } from '../support/service/faults.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, requestsOf, run } from './actions.js';

const baseUrlStep = /^The base URL of the API\./;
const tokenStep = /^The access token\./;
const nameStep = /^A name for this organization/;
const trial = { operation: 'getDeploymentAuthorization', id: 'sign-in-check' } as const;

describe('Sign In tries the token', () => {
  let service: Service;
  let secure: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    const stranger = createAuthority('Stranger').issue(['127.0.0.1']);
    [service, secure] = await Promise.all([startService(), startService({ tls: stranger })]);
    service.putDeployment('dep_1', healthy());
    workbench = await openWorkbench({ workspaceSettings: { 'automationPlatform.deployments': ['dep_1'] } });
    view = await workbench.view('Deployments');
  });
  after(async () => {
    await workbench?.close();
    await Promise.all([service?.stop(), secure?.stop()]);
  });

  /** What is typed is kept, and nothing has been saved. */
  async function askedAgain(title: string, reason: RegExp, value: string): Promise<void> {
    await workbench.quickInput.waitFor(reason);
    assert.equal(await workbench.quickInput.title(), title);
    assert.equal(await workbench.quickInput.value(), value);
    assert.match((await view.welcome()).text, /^Sign in to see/);
  }

  it('and goes back to what is wrong: the token, or the base URL @core', async () => {
    await run(workbench, 'Sign In…');
    await answer(workbench, baseUrlStep, service.baseUrl);
    await answer(workbench, tokenStep, 'no-such-token');
    await answer(workbench, nameStep, 'Acme');
    const rejected = /^Token rejected \(401\)\. Paste another token or choose Save Anyway\./;
    await askedAgain('Sign In (2/3)', rejected, 'no-such-token');
    assert.equal(await workbench.quickInput.isPassword(), true);
    const sent = requestsOf(service, 'getDeploymentAuthorization');
    assert.deepEqual(
      sent.map(({ route, headers }) => [route.id, headers.authorization]),
      [[trial.id, 'Bearer no-such-token']],
    );
    await workbench.quickInput.type(service.token);
    await workbench.quickInput.back();
    await workbench.quickInput.waitFor('Sign In (1/3)');

    for (const [baseUrl, reason] of [
      ['https://no-such-host.invalid/api/v1', /^Unreachable \(DNS\)\. no-such-host\.invalid: .*Correct the base URL/],
      [secure.baseUrl, /^Unreachable \(TLS\)\. 127\.0\.0\.1:\d+: .*Correct the base URL or choose Save Anyway\./],
    ] as const) {
      await workbench.quickInput.answer(baseUrl);
      await workbench.quickInput.waitFor('Sign In (2/3)');
      assert.equal(await workbench.quickInput.value(), service.token);
      await workbench.quickInput.accept();
      await workbench.quickInput.waitFor('Sign In (3/3)');
      assert.equal(await workbench.quickInput.value(), 'Acme');
      await workbench.quickInput.accept();
      await askedAgain('Sign In (1/3)', reason, baseUrl);
    }
    assert.deepEqual(secure.requests, []);
    await workbench.quickInput.cancel();
  });

  it('and saves nothing when the trial is cancelled', async () => {
    service.clearRequests();
    service.fault(trial, faults.hold());
    await run(workbench, 'Sign In…');
    await answer(workbench, baseUrlStep, service.baseUrl);
    await answer(workbench, tokenStep, service.token);
    await answer(workbench, nameStep, 'Acme');
    await service.waitForRequests(1, { ...trial, state: 'held' });
    await workbench.notifications.press(/^Checking the token with 127\.0\.0\.1:\d+/, 'Cancel');
    await service.waitForRequests(1, { ...trial, state: 'aborted' });
    await run(workbench, 'Switch Organization…');
    await workbench.quickInput.waitForRow('Sign In…');
    assert.deepEqual(
      (await workbench.quickInput.rows()).map(({ label }) => label),
      ['Sign In…'],
    );
    await workbench.quickInput.cancel();
  });

  it('and saves what was not rejected, whatever else the answer is @core', async () => {
    service.clearFaults();
    service.fault(trial, faults.status(403));
    await run(workbench, 'Sign In…');
    await answer(workbench, baseUrlStep, service.baseUrl);
    await answer(workbench, tokenStep, service.token);
    await answer(workbench, nameStep, 'Acme');
    const { text } = await workbench.notifications.waitFor(/^Signed in/);
    const host = new URL(service.baseUrl).host;
    assert.equal(text, `Signed in to “Acme”. ${host} answered 403. The token was not rejected.`);
    await workbench.notifications.clear();
    await view.row({ label: 'dep_1', description: '1 of 1 satisfied' });
  });

  it('and begins at the token where one was rejected, from the row’s button; Save Anyway saves it @core', async () => {
    service.clearFaults();
    service.deleteToken(service.token);
    await run(workbench, 'Refresh');
    await view.row({ label: 'Token rejected', description: 'Sign In…', level: 1 });
    await view.expand('dep_1');
    assert.deepEqual(await view.inlineActions({ label: 'Token rejected', under: 'dep_1' }), ['Sign In…']);
    await view.pressInlineAction({ label: 'Token rejected', under: 'dep_1' }, 'Sign In…');
    await answer(workbench, /^The new access token of “Acme”\./, 'still-wrong');
    await workbench.quickInput.waitFor(/^Token rejected \(401\)/);
    await workbench.quickInput.press('Save Anyway');
    const { text } = await workbench.notifications.waitFor(/^Saved/);
    assert.equal(text, 'Saved the token of “Acme” without a successful check.');
    await workbench.notifications.clear();
    service.putToken('right-one');
    await view.select('Token rejected');
    await answer(workbench, /^The new access token of “Acme”\./, 'right-one');
    await workbench.notifications.waitFor(/^Replaced the token of “Acme”\./);
    await view.row({ label: 'dep_1', description: '1 of 1 satisfied' });
    await view.waitForNoRow('Token rejected');
  });
});

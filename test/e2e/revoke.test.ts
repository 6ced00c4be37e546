import { strict as assert } from 'node:assert';
import { faults } from '../support/service/faults.js';
import { type Service, startService } from '../support/service/service.js';
import { AccountsMenu } from '../support/workbench/accountsMenu.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, requestsOf, run, signIn, waitForLogLine } from './actions.js';

const keyId = 'key_7Qm2xT9bLw4Z';
const short = 'key_…Lw4Z';

describe('Revoke API Key', () => {
  let service: Service;
  let workbench: Workbench;

  before(async () => {
    service = await startService();
    workbench = await openWorkbench({ ownServer: true });
    await workbench.view('Deployments');
    await signIn(workbench, { baseUrl: service.baseUrl, token: service.token, name: 'Acme' });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });
  beforeEach(() => {
    service.clearFaults();
    service.clearRequests();
    service.putApiKey(keyId);
  });

  async function upToTheWarning(): Promise<string> {
    await run(workbench, 'Revoke API Key…');
    await answer(workbench, /^ID of the API key in “Acme”, not the key itself/, keyId);
    return workbench.dialog.waitFor(/^Permanently revoke/);
  }

  async function upToTheLastQuestion(): Promise<void> {
    await upToTheWarning();
    await workbench.dialog.press('Continue');
    await workbench.quickInput.waitFor(new RegExp(`^Type ${keyId} again to revoke this key permanently`));
  }

  async function revoke(): Promise<void> {
    await upToTheLastQuestion();
    await workbench.quickInput.answer(keyId);
    await workbench.quickInput.waitForClosed();
  }

  function expectOneRequest(): void {
    const sent = requestsOf(service, 'deleteApiKey');
    assert.deepEqual(
      sent.map(({ method, path, body }) => [method, path, body]),
      [['DELETE', `/api/v1/api-keys/${keyId}`, '']],
    );
    assert.equal(sent[0]?.headers.authorization, `Bearer ${service.token}`);
  }

  it('names everything in a warning, and sends one request once the id is typed again exactly @core', async () => {
    assert.deepEqual(
      (await upToTheWarning()).split('\n').filter((line) => line !== ''),
      [
        `Permanently revoke API key ${keyId}?`,
        'Organization: Acme',
        `Base URL: ${service.baseUrl}`,
        'This cannot be undone. Everything that uses the key stops working.',
        'The key may be the very token that you are signed in with.',
        'Next, type the key ID again to confirm.',
      ],
    );
    assert.deepEqual((await workbench.dialog.buttons()).toSorted(), ['Cancel', 'Continue']);
    await workbench.dialog.press('Cancel');
    await upToTheLastQuestion();
    assert.equal(await workbench.quickInput.value(), '');
    for (const wrong of ['', keyId.toLowerCase(), `${keyId} `]) {
      await workbench.quickInput.type(`${wrong}-`);
      await workbench.quickInput.answer(wrong);
      await workbench.quickInput.waitFor('This is not the same key ID.');
    }
    assert.deepEqual(service.requests, []);
    await workbench.quickInput.answer(keyId);
    const { text, severity, buttons } = await workbench.notifications.waitFor(/^Revoked/);
    assert.equal(text, `Revoked API key ${keyId} in Acme.`);
    assert.deepEqual([severity, buttons], ['info', ['Show Log']]);
    await workbench.notifications.clear();
    expectOneRequest();
    assert.equal(service.data.apiKeys.has(keyId), false);
    await waitForLogLine(
      workbench,
      new RegExp(`Revocation of API key ${short} in organization "Acme": revoked \\(204\\)$`),
    );
  });

  it('says that the outcome is not known after a server error @core', async () => {
    service.fault({ operation: 'deleteApiKey' }, faults.status(500));
    await revoke();
    const { text, severity, buttons } = await workbench.notifications.waitFor(/^Outcome unknown/);
    await workbench.notifications.clear();
    assert.equal(
      text,
      `Outcome unknown: API key ${keyId} in Acme may have been revoked. Server error (500). Look for the key in the dashboard, or revoke it again.`,
    );
    assert.deepEqual([severity, buttons], ['error', ['Show Log']]);
    expectOneRequest();
    await waitForLogLine(workbench, /outcome unknown \(500 serverError\)$/);
  });

  it('sends nothing once its organization is signed out of while the last question is open', async () => {
    await upToTheLastQuestion();
    await new AccountsMenu(workbench.page).choose('Acme (Automation Platform)', 'Sign Out');
    await workbench.dialog.waitFor(/Acme/);
    await workbench.dialog.press('Sign Out');
    await (await workbench.view('Deployments')).welcome(/^Sign in to see/);
    await workbench.quickInput.answer(keyId);
    const { text } = await workbench.notifications.waitFor(/^Nothing was sent/);
    assert.equal(text, 'Nothing was sent, because the organization, its base URL or its token has changed. Try again.');
    assert.deepEqual(service.requests, []);
    assert.equal(service.data.apiKeys.has(keyId), true);
  });
});

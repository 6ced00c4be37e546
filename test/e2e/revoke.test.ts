import { strict as assert } from 'node:assert';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { type Fault, faults } from '../support/service/faults.js';
import type { RequestRecord } from '../support/service/requests.js';
import { ContextMenu } from '../support/workbench/contextMenu.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, requestsOf, run, signIn, waitForLogLine } from './actions.js';

const keyId = 'key_7Qm2xT9bLw4Z';
const short = 'key_…Lw4Z';
const idStep = /^The id of the API key in “Acme”\. Not the key itself\./;
const againAction = new RegExp(`^Type the key id ${keyId} once more to revoke it for good\\.`);

/** As the Accounts menu does it: our own Sign Out… would take the place of a question that is open. */
async function signOutInAccountsMenu(workbench: Workbench, name: string): Promise<void> {
  const { page } = workbench;
  const menu = new ContextMenu(page);
  await page.locator('.part.activitybar .action-label[aria-label="Accounts"]').click();
  await menu.waitForOpen();
  await until('the entries of the organization', async () => {
    await page.locator('.monaco-menu:visible .action-label', { hasText: name }).first().hover({ timeout: 2_000 });
    await page.keyboard.press('ArrowRight');
    return until('Sign Out', async () => (await menu.entries()).includes('Sign Out'), { timeout: 2_000 });
  });
  await menu.choose('Sign Out');
  await workbench.dialog.waitFor(new RegExp(name));
  await workbench.dialog.press('Sign Out');
}

describe('Revoke API Key', () => {
  let service: ServiceChild;
  let workbench: Workbench;
  let host: string;

  before(async () => {
    service = await spawnService();
    host = new URL(service.baseUrl).host;
    workbench = await openWorkbench();
    await workbench.view('Deployments');
    await service.control.putToken('token-of-acme-beta');
    await signIn(workbench, { baseUrl: service.baseUrl, token: 'token-of-acme-beta', name: 'Beta' });
    await signIn(workbench, { baseUrl: service.baseUrl, token: service.token, name: 'Acme' });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });
  beforeEach(async () => {
    await service.control.clearFaults();
    await service.control.clearRequests();
    await service.control.putApiKey(keyId);
  });

  // What one test leaves open is not to fail the others.
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') {
      await workbench.page.keyboard.press('Escape');
      await workbench.page.keyboard.press('Escape');
      await workbench.notifications.clear();
    }
  });

  const deletions = (): Promise<RequestRecord[]> => requestsOf(service.control, 'deleteApiKey');
  const exists = async () => (await service.control.data()).apiKeys.has(keyId);

  async function expectNothingSent(): Promise<void> {
    assert.deepEqual(await service.control.requests(), []);
    assert.equal(await exists(), true);
  }

  async function upToTheWarning(): Promise<string> {
    await run(workbench, 'Revoke API Key…');
    await answer(workbench, idStep, keyId);
    return workbench.dialog.waitFor(/^Permanently revoke/);
  }

  async function upToTheLastQuestion(): Promise<void> {
    await upToTheWarning();
    await workbench.dialog.press('Continue');
    await workbench.quickInput.waitFor(againAction);
  }

  async function revoke(): Promise<void> {
    await upToTheLastQuestion();
    await workbench.quickInput.answer(keyId);
    await workbench.quickInput.waitForClosed();
  }

  /** The message about the outcome, and its buttons; then put away. */
  async function outcome(expected: RegExp): Promise<{ text: string; severity: string; buttons: readonly string[] }> {
    const message = await workbench.notifications.waitFor(expected);
    await workbench.notifications.clear();
    return message;
  }

  async function expectOneRequest(): Promise<void> {
    const sent = await deletions();
    assert.deepEqual(
      sent.map(({ method, path, body }) => [method, path, body]),
      [['DELETE', `/api/v1/api-keys/${keyId}`, '']],
    );
    assert.equal(sent[0]?.headers.authorization, `Bearer ${service.token}`);
  }

  describe('sends nothing', () => {
    it('for what can not be the id of a key: above all not for a key itself', async () => {
      await run(workbench, 'Revoke API Key…');
      await workbench.quickInput.waitFor(idStep);
      for (const [value, message] of [
        [service.token, 'This is the key itself, not its id. The id stands beside the key in the dashboard.'],
        [`x ${service.token} y`, 'This is the key itself, not its id. The id stands beside the key in the dashboard.'],
        ['token-of-acme-beta', 'This is the key itself, not its id. The id stands beside the key in the dashboard.'],
        ['..', '“.” and “..” are no ids: they would change the address of the request.'],
        ['', 'Enter the id of an API key.'],
      ] as const) {
        await workbench.quickInput.answer(value);
        await workbench.quickInput.waitFor(message);
        assert.equal(await workbench.dialog.isOpen(), false);
      }
      await workbench.quickInput.cancel();
      await expectNothingSent();
    });

    it('when the warning, which names everything, is not agreed to', async () => {
      await run(workbench, 'Revoke API Key…');
      await workbench.quickInput.waitFor(idStep);
      await workbench.quickInput.type(` ${keyId} `);
      await workbench.quickInput.waitFor(`Used without the spaces around it: ${keyId}`);
      await workbench.quickInput.accept();
      const text = await workbench.dialog.waitFor(/^Permanently revoke/);
      assert.deepEqual(
        text.split('\n').filter((line) => line !== ''),
        [
          `Permanently revoke the API key “${keyId}”?`,
          'Organization: Acme',
          `Base URL: ${service.baseUrl}`,
          'This cannot be undone. Everything that uses the key stops working.',
          'The key may be the very token that is in use here, or anywhere else.',
          'The key id is asked for once more before anything is sent.',
        ],
      );
      assert.deepEqual((await workbench.dialog.buttons()).toSorted(), ['Cancel', 'Continue']);
      await workbench.dialog.press('Cancel');
      await upToTheWarning();
      await workbench.dialog.cancel();
      assert.equal(await workbench.quickInput.isOpen(), false);
      await expectNothingSent();
    });

    it('when the key id is not typed again exactly', async () => {
      await upToTheLastQuestion();
      assert.equal(await workbench.quickInput.value(), '');
      for (const wrong of ['', 'key_7Qm2xT9bLw4', keyId.toLowerCase(), `${keyId} `, 'key_Hs81VdPn03Rc']) {
        await workbench.quickInput.type(`${wrong}-`);
        await workbench.quickInput.answer(wrong);
        await workbench.quickInput.waitFor('This is not the same key id. Nothing has been sent.');
      }
      await workbench.quickInput.cancel();
      await expectNothingSent();
    });

    it('when another organization is chosen before the end', async () => {
      await upToTheLastQuestion();
      const view = await workbench.view('Deployments');
      await (await view.openTitleMenu()).choose('Switch Organization…');
      await workbench.quickInput.choose('Beta');
      await view.waitForDescription(/^Beta/);
      await run(workbench, 'Switch Organization…');
      await workbench.quickInput.choose('Acme');
      await view.waitForDescription(/^Acme/);
      await expectNothingSent();
    });

    it('when the organization is signed out of while the last question is open', async () => {
      await signIn(workbench, { baseUrl: service.baseUrl, token: 'token-of-acme-gamma', name: 'Gamma' });
      await run(workbench, 'Revoke API Key…');
      await answer(workbench, /in “Gamma”/, keyId);
      await workbench.dialog.waitFor(/Organization: Gamma/);
      await workbench.dialog.press('Continue');
      await workbench.quickInput.waitFor(againAction);
      await signOutInAccountsMenu(workbench, 'Gamma');
      const view = await workbench.view('Deployments');
      await view.welcome(/^This workspace does not use any/);
      await workbench.quickInput.answer(keyId);
      const { text } = await outcome(/changed while you were asked/);
      assert.equal(
        text,
        'The organization, its base URL or its token changed while you were asked. Nothing was sent; begin again if you still want to revoke the key.',
      );
      await expectNothingSent();
      await run(workbench, 'Switch Organization…');
      await workbench.quickInput.choose('Acme');
      await view.waitForDescription(/^Acme/);
    });
  });

  describe('sends one request, and says honestly what came of it', () => {
    it('revoked', async () => {
      await revoke();
      const text = await workbench.dialog.waitFor(/is revoked/);
      assert.equal(text, `204: The API key ${short} of “Acme” is revoked.`);
      await workbench.dialog.press('OK');
      await expectOneRequest();
      assert.equal(await exists(), false);
      await waitForLogLine(
        workbench,
        new RegExp(`Revocation of API key ${short} in organization "Acme": revoked \\(204\\)$`),
      );
    });

    it('refused, because it is revoked already', async () => {
      await service.control.deleteApiKey(keyId);
      await revoke();
      const { text, severity, buttons } = await outcome(/^404: /);
      assert.equal(
        text,
        `404: ${host} does not find it. The key is probably unknown or already revoked. Compare the key id with the one in the dashboard. The API key ${short} of “Acme” was not revoked.`,
      );
      assert.equal(severity, 'error');
      assert.deepEqual(buttons, ['Show Log']);
      await expectOneRequest();
      await waitForLogLine(
        workbench,
        new RegExp(`API key ${short} in organization "Acme": refused \\(404 notFound\\)$`),
      );
    });

    it('refused, because the token may not', async () => {
      await service.control.putToken(service.token, { permissions: [] });
      await revoke();
      const { text } = await outcome(/^403: /);
      assert.match(text, /The token of “Acme” probably lacks the permission apiKey:delete\./);
      assert.match(text, /was not revoked\.$/);
      await expectOneRequest();
      assert.equal(await exists(), true);
      await service.control.putToken(service.token, { permissions: ['apiKey:delete'] });
    });

    const unclear: Readonly<Record<string, { fault: Fault; text: RegExp; log: RegExp }>> = {
      'not known, after a server error': {
        fault: faults.status(500),
        text: /^500: The outcome is not known: .* was sent, and this answer does not say whether it was done\./,
        log: /outcome unknown \(500 serverError\)$/,
      },
      'not known, after a lost connection': {
        fault: { reset: 'before', effect: true },
        text: /^The outcome is not known: .* was sent, but no answer came\. Cause: connection lost \(\w+\)\./,
        log: /outcome unknown \(connectionLost\)$/,
      },
      'not known, after “accepted”': {
        fault: faults.status(202),
        text: /^202: The outcome is not known: /,
        log: /outcome unknown \(202\)$/,
      },
      'not known, after a redirect': {
        fault: faults.redirect('https://elsewhere.example/'),
        text: /^302: The outcome is not known: /,
        log: /outcome unknown \(302 redirected\)$/,
      },
    };
    for (const [title, { fault, text, log }] of Object.entries(unclear)) {
      it(title, async () => {
        await service.control.fault({ operation: 'deleteApiKey' }, fault);
        await revoke();
        const message = await outcome(/The outcome is not known/);
        assert.match(message.text, text);
        assert.match(message.text, /Look in the dashboard whether the key still exists, or revoke it again by hand\.$/);
        assert.equal(message.severity, 'error');
        assert.deepEqual(message.buttons, ['Show Log']);
        await expectOneRequest();
        await waitForLogLine(workbench, log);
      });
    }

    it('once, even if it is asked for again meanwhile', async () => {
      await service.control.fault({ operation: 'deleteApiKey' }, { hold: true });
      await revoke();
      await service.control.waitForRequests(1, { state: 'held' });
      await workbench.notifications.waitFor(new RegExp(`^Revoking the API key ${short} of “Acme”: on its way`));
      await revoke();
      await workbench.notifications.waitFor(
        `The API key ${short} is being revoked already. No second request was sent.`,
      );
      await service.control.release();
      await workbench.dialog.waitFor(/^204: /);
      await workbench.dialog.press('OK');
      await workbench.notifications.clear();
      await expectOneRequest();
    });

    it('not known, when one stops waiting for the answer', async () => {
      await service.control.fault({ operation: 'deleteApiKey' }, { hold: true });
      await revoke();
      await service.control.waitForRequests(1, { state: 'held' });
      await workbench.notifications.press(/^Revoking the API key/, 'Cancel');
      const { text } = await outcome(/The outcome is not known/);
      assert.match(text, /was sent, but no answer came\. Cause: cancelled\./);
      await expectOneRequest();
    });

    it('not sent, when the server is down', async () => {
      await service.stop();
      await revoke();
      const { text, severity, buttons } = await outcome(/^Nothing was sent/);
      assert.equal(
        text,
        `Nothing was sent, so the API key ${short} of “Acme” was not revoked. ${host} is unreachable: connection refused by ${host}. Check the connection to see where on the way it ends.`,
      );
      assert.equal(severity, 'error');
      assert.deepEqual(buttons, ['Check Connection…', 'Show Log']);
      await waitForLogLine(workbench, /not sent \(unreachable\)$/);
    });
  });
});

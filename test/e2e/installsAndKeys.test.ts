import { strict as assert } from 'node:assert';
import { sampleData, sampleInstallTokens } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, environmentOf, requestsOf, run } from './actions.js';

const { crm, sheets } = sampleInstallTokens;
const organization = 'environment (from environment variables)';

describe('installs and API keys', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await startService({ data: sampleData() });
    workbench = await openWorkbench({ env: environmentOf(service) });
    view = await workbench.view('Pending Installs');
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  const host = () => new URL(service.baseUrl).host;

  describe('pending installs', () => {
    it('are looked up by the one token of a link, in any case, with a masked question that names who is asked @core', async () => {
      const { text, buttons } = await view.welcome();
      assert.match(text, /^Look up an install link before you open it/);
      assert.deepEqual(buttons, ['Look Up Install']);
      await view.pressWelcomeButton('Look Up Install');
      await workbench.quickInput.waitFor(
        new RegExp(`^Install link or token, to look up in “environment[^”]*” \\(${host()}\\)`),
      );
      assert.equal(await workbench.quickInput.isPassword(), true);
      await workbench.quickInput.answer('https://dash.example/install/3f2b8c1e');
      await workbench.quickInput.waitFor(/^No install token found\. It is a UUID/);
      await workbench.quickInput.answer(`${crm} and ${sheets}`);
      await workbench.quickInput.waitFor('Found 2 different UUIDs. Paste only the install token.');
      await workbench.quickInput.answer('');
      await workbench.quickInput.waitFor('Paste an install link or token.');
      assert.deepEqual(service.requests, []);
      await workbench.quickInput.type(`https://dash.example/installs/${crm.toUpperCase()}?again=${crm}#top`);
      await workbench.quickInput.waitFor('The install token in this text is used.');
      await workbench.quickInput.accept();
      const row = await view.row({ label: 'Acme CRM', description: /^needs pro · 4[3-6] min left · HubSpot$/ });
      assert.equal(row.icon, 'package');
      assert.deepEqual(
        requestsOf(service, 'getIntegrationInstall').map(({ path }) => path),
        [`/api/v1/integration-installs/${crm}`],
      );
    });

    it('show every field and who was asked in the hover, never the token', async () => {
      const hover = await view.tooltip('Acme CRM', /serviceSub/);
      for (const line of [`Acme CRM · ${organization}`, 'serviceId hubspot', 'serviceSub portal-4711']) {
        assert.ok(hover.split('\n').includes(line), `${line} in ${hover}`);
      }
      assert.match(hover, /^Pending install of HubSpot\. Requires the pro plan\. Expires on /m);
      assert.ok(!hover.toLowerCase().includes(crm.slice(0, 8)), hover);
      await workbench.hovers.leave();
    });

    it('are forgotten by the button of the row, which is in its menu too', async () => {
      assert.deepEqual(await view.menuEntries('Acme CRM'), ['Forget Install']);
      assert.deepEqual(await view.inlineActions('Acme CRM'), ['Forget Install']);
      await view.pressInlineAction('Acme CRM', 'Forget Install');
      await view.welcome(/^Look up an install link before you open it/);
      assert.deepEqual(await view.rows(), []);
    });
  });

  describe('Revoke API Key', () => {
    const keyId = 'key_7Qm2xT9bLw4Z';

    async function upToTheWarning(): Promise<string> {
      await run(workbench, 'Revoke API Key…');
      await answer(workbench, /^ID of the API key in “environment.*”, not the key itself/, keyId);
      return workbench.dialog.waitFor(/^Permanently revoke/);
    }

    it('names everything in a warning, and sends one request once the id is typed again exactly @core', async () => {
      service.clearRequests();
      assert.deepEqual(
        (await upToTheWarning()).split('\n').filter((line) => line !== ''),
        [
          `Permanently revoke API key ${keyId}?`,
          `Organization: ${organization}`,
          `Base URL: ${service.baseUrl}`,
          'This cannot be undone. Everything that uses the key stops working.',
          'The key may be the very token that you are signed in with.',
          'Next, type the key ID again to confirm.',
        ],
      );
      assert.deepEqual((await workbench.dialog.buttons()).toSorted(), ['Cancel', 'Continue']);
      await workbench.dialog.press('Cancel');
      await upToTheWarning();
      await workbench.dialog.press('Continue');
      await workbench.quickInput.waitFor(new RegExp(`^Type ${keyId} again to revoke this key permanently`));
      assert.equal(await workbench.quickInput.value(), '');
      await workbench.quickInput.answer(keyId.toLowerCase());
      await workbench.quickInput.waitFor('This is not the same key ID.');
      assert.deepEqual(service.requests, []);
      await workbench.quickInput.answer(keyId);
      const { text, severity, buttons } = await workbench.notifications.waitFor(/^Revoked/);
      assert.equal(text, `Revoked API key ${keyId} in environment.`);
      assert.deepEqual([severity, buttons], ['info', ['Show Log']]);
      const sent = requestsOf(service, 'deleteApiKey');
      assert.deepEqual(
        sent.map(({ method, path, headers }) => [method, path, headers['content-length']]),
        [['DELETE', `/api/v1/api-keys/${keyId}`, undefined]],
      );
      assert.equal(service.data.apiKeys.has(keyId), false);
    });
  });
});

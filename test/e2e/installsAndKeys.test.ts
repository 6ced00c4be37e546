import { strict as assert } from 'node:assert';
import type { Platform } from '../support/platform/platform.js';
import { sampleInstallTokens } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, run } from './actions.js';

const token = sampleInstallTokens.crm;
const keyId = 'key_7Qm2xT9bLw4Z';

test.describe('installs and API keys', () => {
  let platform: Platform;
  let workbench: Workbench;
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    ({ platform, workbench } = await begin());
    view = await workbench.view('Pending Installs');
  });
  test.afterAll(() => workbench?.close());

  test('an install is looked up by its link, masked, and shown without its token', {
    tag: '@core',
  }, async () => {
    await expect(view.welcome).toHaveText(/^Look up an install link before you open it/);
    await view.pressWelcomeButton('Look up an install link');
    const { host } = new URL(platform.baseUrl);
    await workbench.quickInput.waitFor(
      new RegExp(`^Install link or token, to look up in “environment.*” \\(${host}\\)`),
    );
    await expect(workbench.quickInput.input).toHaveAttribute('type', 'password');
    await workbench.quickInput.answer(`${token} and ${sampleInstallTokens.sheets}`);
    await workbench.quickInput.waitFor('Found 2 different UUIDs. Paste only the install token.');
    assert.deepEqual(platform.requests, []);
    await workbench.quickInput.type(
      `https://dash.example/installs/${token.toUpperCase()}?again=${token}#top`,
    );
    await workbench.quickInput.waitFor('The install token in this text is used.');
    await workbench.quickInput.accept();
    await view.row({ label: 'Acme CRM', description: /^4[3-6] min · HubSpot · needs pro$/ });
    const paths = platform.requests.map(({ path }) => path);
    assert.deepEqual(paths, [`/api/v1/integration-installs/${token}`]);

    const hover = await view.tooltip(
      'Acme CRM',
      /^Pending install of HubSpot\. Requires the pro plan\. Expires in 4[3-6] min, on /m,
    );
    const shown = `${hover} ${JSON.stringify(await view.rows())}`.toLowerCase();
    assert.ok(!shown.includes(token.slice(0, 8)), shown);
    await workbench.hovers.leave();
    assert.deepEqual(await view.menuEntries('Acme CRM'), ['Forget Install']);
    await view.pressInlineAction('Acme CRM', 'Forget Install');
    await expect(view.welcome).toHaveText(/^Look up an install link before you open it/);
  });

  test('Revoke API Key warns, and revokes once the ID is typed again exactly', {
    tag: '@core',
  }, async () => {
    platform.clearRequests();
    await run(workbench, 'Revoke API Key...');
    await answer(workbench, /^ID of the API key in “environment.*”, not the key itself/, keyId);
    const warning = await workbench.dialog.waitFor(/^Permanently revoke/);
    assert.deepEqual(
      warning.split('\n').filter((line) => line !== ''),
      [
        `Permanently revoke API key ${keyId}?`,
        'Organization: environment (from environment variables)',
        `Base URL: ${platform.baseUrl}`,
        'This cannot be undone. Everything that uses the key stops working.',
        'The key may be the very token that you are signed in with.',
        'Next, type the key ID again to confirm.',
      ],
    );
    await workbench.dialog.press('Continue');
    await workbench.quickInput.waitFor(
      new RegExp(
        `^Type ${keyId} again to permanently revoke this key in “.+” \\(127\\.0\\.0\\.1:\\d+\\)\\.`,
      ),
    );
    assert.equal(await workbench.quickInput.value(), '');
    await workbench.quickInput.answer(keyId.toLowerCase());
    await workbench.quickInput.waitFor('This is not the same key ID.');
    assert.deepEqual(platform.requests, []);
    await workbench.quickInput.answer(keyId);
    await workbench.notifications.waitFor(`Revoked API key ${keyId} in environment.`);
    const sent = platform.requests.map(({ method, path, headers }) => [
      method,
      path,
      headers['content-length'],
    ]);
    assert.deepEqual(sent, [['DELETE', `/api/v1/api-keys/${keyId}`, undefined]]);
  });
});

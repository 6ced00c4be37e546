import { strict as assert } from 'node:assert';
import type { Platform } from '../support/platform/platform.js';
import { sampleInstallTokens } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, run, waitForFocus } from './actions.js';

const token = sampleInstallTokens.crm;
const keyId = 'key_7Qm2xT9bLw4Z';

let platform: Platform;
let workbench: Workbench;
let view: TreeView;

test.beforeAll(async ({ begin }) => {
  ({ platform, workbench } = await begin());
  view = await workbench.view('Pending Installs');
});
test.afterAll(() => workbench?.close());

const sentRequests = () => platform.requests.map(({ method, path }) => `${method} ${path}`);

test.describe('Look Up Install', () => {
  test('takes the token out of an install link, and shows the install without the token', async () => {
    await expect(view.welcome).toHaveText(/^Look up an install link before you open it/);
    await view.pressWelcomeButton('Look up an install link');
    const { host } = new URL(platform.baseUrl);
    await workbench.quickInput.waitFor(
      new RegExp(`^Install link or token, to look up in “environment.*” \\(${host}\\)`),
    );
    await expect(workbench.quickInput.input).toHaveAttribute('type', 'password');
    await workbench.quickInput.answer(`${token} and ${sampleInstallTokens.sheets}`);
    await workbench.quickInput.waitFor('Found 2 different UUIDs. Paste only the install token.');
    assert.deepEqual(sentRequests(), []);

    await workbench.quickInput.type(
      `https://dash.example/installs/${token.toUpperCase()}?again=${token}#top`,
    );
    await workbench.quickInput.waitFor('The install token in this text is used.');
    await workbench.quickInput.accept();
    await view.row({ label: 'Acme CRM', description: /^4[3-6] min · HubSpot · needs pro$/ });
    assert.deepEqual(sentRequests(), [`GET /api/v1/integration-installs/${token}`]);

    const hover = await view.tooltip(
      'Acme CRM',
      /^Pending install of HubSpot\. Requires the pro plan\. Expires in 4[3-6] min, on /m,
    );
    const shown = `${hover} ${JSON.stringify(await view.rows())}`;
    assert.doesNotMatch(shown, new RegExp(token.slice(0, 8), 'i'));
  });
});

test.describe('Forget Install', () => {
  test('is the only entry in the menu of an install, and removes its row', async () => {
    await run(workbench, 'Look Up Install...');
    await answer(workbench, /^Install link or token/, token);
    await waitForFocus(workbench, 'Pending Installs: Acme CRM');

    assert.deepEqual(await view.menuEntries('Acme CRM'), ['Forget Install']);

    await view.pressInlineAction('Acme CRM', 'Forget Install');
    await expect(view.welcome).toHaveText(/^Look up an install link before you open it/);
    // The welcome view gets the focus half a second after the row has gone. A palette that is open by then would close.
    await waitForFocus(workbench, 'Pending Installs: no row');
  });
});

test.describe('Revoke API Key', () => {
  test('sends its request once the warning was accepted and the key ID was typed again', async () => {
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
    assert.deepEqual(sentRequests(), []);

    await workbench.quickInput.answer(keyId);
    await workbench.notifications.waitFor(`Revoked API key ${keyId} in environment.`);
    assert.deepEqual(sentRequests(), [`DELETE /api/v1/api-keys/${keyId}`]);
    const bodyLengths = platform.requests.map(({ headers }) => headers['content-length']);
    assert.deepEqual(bodyLengths, [undefined]);
  });
});

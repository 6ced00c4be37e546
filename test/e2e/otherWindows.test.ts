import { strict as assert } from 'node:assert';
import type { Platform } from '../support/platform/platform.js';
import { sampleDeployments } from '../support/platform/sample.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, run, signIn } from './actions.js';

const keyId = 'key_7Qm2xT9bLw4Z';

/** VS Code reads its secrets once for each tab, and reports no change that another tab made. */
test.describe('two tabs of one browser', { tag: '@rest' }, () => {
  test.describe.configure({ mode: 'serial' });
  let platform: Platform;
  let one: Workbench;
  let two: Workbench;
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    const begun = await begin({ env: {}, list: sampleDeployments });
    ({ platform, workbench: one } = begun);
    platform.data.apiKeys.add(keyId);
    two = await begun.openAnother();
    view = await two.view('Deployments');
    await view.expectWelcome(/^Sign in to see which deployments .* need attention\./, 'Sign In');
  });
  test.afterAll(() => one?.close());

  const revokedPaths = () =>
    platform.requests.filter(({ method }) => method === 'DELETE').map(({ path }) => path);
  const reloadTwo = async () => {
    await two.reload();
    view = await two.view('Deployments');
  };

  test('are both signed in once the second is reloaded after a sign-in in the first', async () => {
    await one.bringToFront();
    await signIn(one, platform, 'Beta EU');
    await two.bringToFront();
    const offer = 'Signed in in another window? Reload this window to use that sign-in.';
    await view.expectWelcome(
      /Signed in in another window\? Reload this window/,
      'Sign In',
      'Reload Window',
    );
    await run(two, 'Switch Organization...');
    await expect(two.quickInput.rows).toHaveText([`Reload Window${offer}`, 'Sign In...']);
    await two.quickInput.cancel();
    await run(two, 'Sign In...');
    await two.quickInput.waitFor(
      /^The base URL of the API\. .* Signed in in another window\? Reload this window/,
    );
    await two.quickInput.cancel();
    await reloadTwo();
    await expect(view.description).toHaveText(/failing · Beta EU$/);
  });

  test('revoke nothing with an old token until a reload', async () => {
    await one.bringToFront();
    await signIn(one, platform, 'Beta EU');
    await two.bringToFront();
    const replaced =
      'the tokens for “Beta EU” were changed in another window. Reload this window to use them.';
    await two.notifications.waitFor(replaced.replace(/^t/, 'T'));
    await run(two, 'Revoke API Key...');
    await two.notifications.waitFor(`Nothing was sent, because ${replaced}`);
    assert.equal(await two.quickInput.isOpen(), false);
    await reloadTwo();
    await expect(view.description).toHaveText(/failing · Beta EU$/);
  });

  test('send no revocation that one of them asks about while the other signs out', async () => {
    await run(two, 'Revoke API Key...');
    await answer(two, /^ID of the API key in “Beta EU”/, keyId);
    await two.dialog.waitFor(/^Permanently revoke/);
    await two.dialog.press('Continue');
    await two.quickInput.waitFor(/again to permanently revoke/);
    await two.quickInput.type(keyId);
    await one.bringToFront();
    await run(one, 'Sign Out...');
    await one.dialog.waitFor(/Other tabs no longer use what they still have of it\./);
    await one.dialog.press('Sign Out');
    await expect(one.statusMessage).toHaveText('Signed out of “Beta EU”.');
    platform.clearRequests();
    await two.bringToFront();
    await two.quickInput.accept();
    await two.notifications.waitFor('Nothing was sent, because “Beta EU” is signed out.');
    assert.deepEqual(revokedPaths(), []);
  });

  test('are both signed out after a sign-out in the first', async () => {
    await view.expectWelcome(/^The organization of this workspace is signed out\./, 'Sign In');
    await expect(view.description).toHaveText('');
    await expect(two.summary).toHaveText('Automation Platform: signed out');
    await reloadTwo();
    await view.expectWelcome(/^The organization of this workspace is signed out\./, 'Sign In');
    const requestsSinceSignOut = platform.requests.map(({ path }) => path);
    assert.deepEqual(requestsSinceSignOut, []);
  });
});

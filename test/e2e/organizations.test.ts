import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import type { Route } from '@playwright/test';
import { resultsFolder } from '../support/paths.js';
import { failedAccount, healthy, unsatisfied } from '../support/platform/data.js';
import { faults } from '../support/platform/faults.js';
import { type Platform, startPlatform } from '../support/platform/platform.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, run, signIn, waitForOutline } from './actions.js';

const productionRows = ['dep_1 · Ops Slack failed', 'dep_2'];
const stagingRows = ['dep_2 · not satisfied', 'dep_1'];

function data(dep1: unknown, dep2: unknown) {
  return {
    deployments: new Map([
      ['dep_1', dep1],
      ['dep_2', dep2],
    ]),
  };
}

test.describe('organizations', () => {
  test.describe.configure({ mode: 'serial' });
  let production: Platform;
  let staging: Platform;
  let workbench: Workbench;
  let view: TreeView;

  test.beforeAll(async ({ begin }) => {
    production = await startPlatform({ data: data(failedAccount(), healthy()) });
    ({ platform: staging, workbench } = await begin({
      env: {},
      data: data(healthy(), unsatisfied()),
      userSettings: { 'automationPlatform.baseUrl': `${production.baseUrl}/` },
      list: ['dep_1', 'dep_2'],
    }));
    view = await workbench.view('Deployments');
  });
  test.afterAll(async () => {
    await workbench?.close();
    await production?.stop();
  });

  test('view and status bar lead to Sign In where there is no organization', { tag: '@core' }, async () => {
    await workbench.openContainer('Explorer');
    await expect(workbench.summary).toHaveText('Automation Platform: not signed in');
    await workbench.summary.click();
    await view.expectWelcome(/^Sign in to see which deployments need attention\./, 'Sign In');
  });

  test('Sign In masks the token, stays open without the focus, and goes back without forgetting', {
    tag: '@core',
  }, async () => {
    const { quickInput } = workbench;
    const pasted = `Authorization: Bearer ${production.token}`;
    await view.pressWelcomeButton('Sign In');
    await quickInput.waitFor('Sign In (1/3)');
    assert.equal(await quickInput.value(), `${production.baseUrl}/`);
    await quickInput.answer('https://host.example/');
    await quickInput.waitFor('End the URL with /api/v1.');
    await quickInput.answer(`${production.baseUrl}/`);
    await quickInput.waitFor(/^The access token\. .* sent only to 127\.0\.0\.1:\d+\./);
    await quickInput.type(pasted);
    await quickInput.waitFor(/^Only the token is used/);
    // As somebody who fetches the token in another window.
    await workbench.page.locator('.part.editor').click();
    await expect(workbench.page.locator('.quick-input-box input:focus')).toHaveCount(0);
    await expect(quickInput.input).toHaveAttribute('type', 'password');
    await quickInput.accept();
    await quickInput.waitFor(/^A name for this organization/);
    await expect(quickInput.input).toHaveAttribute('type', 'text');
    assert.equal(await quickInput.value(), new URL(production.baseUrl).host);
    await workbench.page.locator('.quick-input-left-action-bar .action-label').click();
    await quickInput.waitFor('Sign In (2/3)');
    await expect(quickInput.input).toHaveAttribute('type', 'password');
    assert.equal(await quickInput.value(), pasted);
    await quickInput.cancel();
    await view.expectWelcome(/^Sign in to see/, 'Sign In');
    assert.deepEqual(
      production.requests.map(({ route }) => route.id),
      ['connection-check'],
    );
  });

  test('Esc ends the check of the token, and Sign In keeps the base URL alone', { tag: '@core' }, async () => {
    const { quickInput } = workbench;
    production.clearRequests();
    production.fault('all', faults.hold());
    const typed = `${production.baseUrl}//`;
    await run(workbench, 'Sign In...');
    await answer(workbench, 'Sign In (1/3)', typed);
    await answer(workbench, 'Sign In (2/3)', production.token);
    await quickInput.waitFor(/^Checking the token with 127\.0\.0\.1:\d+/);
    await workbench.page.locator('.quick-input-progress.active').waitFor({ state: 'attached' });
    await production.waitForRequests(1);
    await quickInput.cancel();
    production.clearFaults();
    await run(workbench, 'Sign In...');
    await quickInput.waitFor('Sign In (1/3)');
    assert.equal(await quickInput.value(), typed);
    await quickInput.accept();
    await quickInput.waitFor('Sign In (2/3)');
    assert.equal(await quickInput.value(), '');
    await quickInput.cancel();
  });

  test('Sign In keeps its box and the focus when the user declines a placeholder', {
    tag: '@core',
  }, async () => {
    const { quickInput, dialog, page } = workbench;
    const placeholder = '$(PLATFORM_TOKEN)';
    const question = /^This looks like a placeholder that was not filled in\. Use it anyway\?/;
    production.clearRequests();
    await run(workbench, 'Sign In...');
    await answer(workbench, 'Sign In (1/3)', production.baseUrl);
    await answer(workbench, 'Sign In (2/3)', placeholder);
    await dialog.waitFor(question);
    await dialog.cancel();
    await quickInput.waitFor('Sign In (2/3)');
    await quickInput.waitFor('This looks like a placeholder that was not filled in.');
    assert.equal(await quickInput.value(), placeholder);
    await expect(quickInput.input).toBeFocused();
    assert.equal(production.requests.length, 0);
    // The keyboard alone leads on.
    await page.keyboard.press('Enter');
    await dialog.waitFor(question);
    await dialog.press('Use Anyway');
    await quickInput.waitFor('Token rejected (401). Paste another token, or press Enter for more options.');
    await expect(quickInput.input).toBeFocused();
    assert.deepEqual(
      production.requests.map(({ headers }) => headers.authorization),
      [`Bearer ${placeholder}`],
    );
    await quickInput.cancel();
  });

  test('Sign In saves a rejected token anyway, and its row asks only for another', { tag: '@core' }, async () => {
    await run(workbench, 'Sign In...');
    await answer(workbench, 'Sign In (1/3)', production.baseUrl);
    await answer(workbench, 'Sign In (2/3)', 'no-such-token');
    await workbench.quickInput.waitFor('Token rejected (401). Paste another token, or press Enter for more options.');
    await workbench.quickInput.accept();
    await workbench.quickInput.choose('Save Anyway');
    await answer(workbench, 'Sign In (3/3)', 'Acme production');
    await expect(workbench.statusMessage).toHaveText(
      'Saved the token for “Acme production” without a successful check.',
    );
    await view.row({ label: 'Token rejected (401)', description: 'Sign In...', level: 1 });
    await view.select('Token rejected (401)');
    await answer(workbench, /^The new access token for “Acme production”\./, ` Bearer ${production.token}\n`);
    await expect(workbench.statusMessage).toHaveText(/^Replaced the token for “Acme production”\./);
    await waitForOutline(view, productionRows);
    await expect(view.description).toHaveText('1 failing · Acme production');
  });

  test('the workspace uses one of several organizations, also after a reload', async () => {
    await signIn(workbench, staging, 'Acme staging');
    await expect(view.header.locator('.title')).toHaveText(/^Deployments: Acme Staging$/i);
    await workbench.reload();
    view = await workbench.view('Deployments');
    await waitForOutline(view, stagingRows);
    await run(workbench, 'Switch Organization...');
    await expect(workbench.quickInput.rows).toHaveText([
      `Acme production${production.baseUrl} · signed in`,
      `Acme stagingused by this workspace${staging.baseUrl} · signed in`,
      'Sign In...',
    ]);
    await workbench.quickInput.cancel();
  });

  test('signing out empties the tree, and chooses no other organization', async () => {
    await run(workbench, 'Sign Out...');
    await workbench.quickInput.choose('Acme staging');
    await workbench.dialog.waitFor(/Sign out of “Acme staging”\?/);
    await workbench.dialog.press('Sign Out');
    await view.expectWelcome(/^The organization of this workspace is signed out\./, 'Sign In');
    assert.deepEqual(await view.rows(), []);
    await expect(view.description).toHaveText('');
    await expect(workbench.summary).toHaveText('Automation Platform: signed out');
  });
});

/** The workbench in a browser asks the server for a key before it reads or writes a secret; a test answers that by hand. */
class KeyringPrompt {
  private held: Route[] = [];
  private answer: ((route: Route) => Promise<void>) | undefined;

  static async of({ page }: Workbench): Promise<KeyringPrompt> {
    const prompt = new KeyringPrompt();
    await page.route('**/mint-key*', (route) => {
      if (prompt.answer) return prompt.answer(route);
      prompt.held.push(route);
      return undefined;
    });
    return prompt;
  }

  unlock = () => this.answerWith((route) => route.fulfill({ body: Buffer.alloc(32, 7) }));
  refuse = () => this.answerWith((route) => route.fulfill({ status: 403 }));

  hide(): void {
    this.answer = undefined;
  }

  private async answerWith(answer: (route: Route) => Promise<void>): Promise<void> {
    this.answer = answer;
    await Promise.all(this.held.splice(0).map(answer));
  }
}

test.describe('a keyring that does not answer', () => {
  const waits = /^VS Code’s secret storage has not answered for 10 seconds\. If a prompt asks to unlock the keyring/;
  let platform: Platform;
  let workbench: Workbench;
  let prompt: KeyringPrompt;

  test.beforeEach(async ({ begin }) => {
    ({ platform, workbench } = await begin({
      env: {},
      data: data(healthy(), unsatisfied()),
      list: ['dep_1', 'dep_2'],
    }));
  });
  test.afterEach(() => workbench?.close());

  test('is said to be waiting by view and commands, and fills the view later', async () => {
    let view = await workbench.view('Deployments');
    await signIn(workbench, platform, 'Acme');
    await waitForOutline(view, stagingRows);
    prompt = await KeyringPrompt.of(workbench);
    await workbench.reload();
    view = await workbench.view('Deployments');
    await view.expectWelcome(/^VS Code's secret storage has not answered for 10 seconds\./, 'Reload Window');
    await expect(workbench.summary).toHaveText('Automation Platform: keyring waiting');
    platform.clearRequests();
    await run(workbench, 'Check Connection');
    await workbench.notifications.waitFor(waits);
    await run(workbench, 'Sign In...');
    await expect(workbench.notifications.items).toHaveCount(2);
    await keepPicture(workbench, 'keyring-waits');
    await workbench.notifications.clear();
    await prompt.unlock();
    await waitForOutline(view, stagingRows);
    assert.ok(platform.requests.every(({ route }) => route.id?.startsWith('dep_')));
    await expect(workbench.notifications.items).toHaveCount(0);
    await expect(workbench.quickInput.input).toBeHidden();
    await keepPicture(workbench, 'keyring-answers');
  });

  test('may save a sign-in late, and a message says whether it did', async () => {
    const view = await workbench.view('Deployments');
    prompt = await KeyringPrompt.of(workbench);
    await beginSignIn('Acme');
    await workbench.notifications.waitFor(/^VS Code’s secret storage has not confirmed the change for “Acme”/);
    await workbench.notifications.clear();
    await prompt.refuse();
    await workbench.notifications.waitFor(/^Nothing was changed for “Acme” after all, because the keyring reported/);
    await keepPicture(workbench, 'keyring-refuses');
    await workbench.notifications.clear();
    await view.expectWelcome(/^Sign in to see/, 'Sign In');

    prompt.hide();
    await beginSignIn('Acme');
    await workbench.notifications.waitFor(/^VS Code’s secret storage has not confirmed the change for “Acme”/);
    await workbench.notifications.clear();
    await prompt.unlock();
    await waitForOutline(view, stagingRows);
    await keepPicture(workbench, 'keyring-saves');
    await workbench.notifications.press('The sign-in to “Acme” was saved after all.', 'Sign Out');
    await workbench.dialog.waitFor(/Sign out of “Acme”\?/);
    await workbench.dialog.press('Sign Out');
    await view.expectWelcome(/^Sign in to see/, 'Sign In');
  });

  async function beginSignIn(name: string): Promise<void> {
    await run(workbench, 'Sign In...');
    await answer(workbench, /^The base URL of the API/, platform.baseUrl);
    await answer(workbench, /^The access token/, platform.token);
    await answer(workbench, /^A name for this organization/, name);
  }
});

async function keepPicture({ page }: Workbench, name: string): Promise<void> {
  await page.screenshot({ path: join(resultsFolder, 'pictures', `${name}.png`), animations: 'disabled' });
}

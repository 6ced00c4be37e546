import { strict as assert } from 'node:assert';
import type { Route } from '@playwright/test';
import { failedAccount, healthy, unsatisfied } from '../support/platform/data.js';
import { faults } from '../support/platform/faults.js';
import { type Platform, startPlatform } from '../support/platform/platform.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { TreeView } from '../support/workbench/treeView.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, run, signIn, waitForFocus, waitForOutline } from './actions.js';

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

const requestedPaths = ({ requests }: Platform) => requests.map(({ path }) => path);

test.describe('Sign In', () => {
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

  test('is offered by the view and the status bar when there is no organization', async () => {
    await workbench.openContainer('Explorer');
    await expect(workbench.summary).toHaveText('Automation Platform: not signed in');
    await workbench.summary.click();
    await view.expectWelcome(
      /^Sign in to see which deployments \(automations that run on the platform\) need attention\./,
      'Sign In',
    );
  });

  test('keeps a typed token masked through a loss of focus and Back', async () => {
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

  test('keeps only the base URL when Esc ends the check of the token', async () => {
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

  test('keeps its box and the focus when the user declines a placeholder', async () => {
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
    assert.deepEqual(requestedPaths(production), []);
    // The keyboard alone leads on.
    await page.keyboard.press('Enter');
    await dialog.waitFor(question);
    await dialog.press('Use Anyway');
    await quickInput.waitFor(
      'Token rejected (401). Paste another token, or press Enter for more options.',
    );
    await expect(quickInput.input).toBeFocused();
    assert.deepEqual(
      production.requests.map(({ headers }) => headers.authorization),
      [`Bearer ${placeholder}`],
    );
    await quickInput.cancel();
  });

  test('saves a rejected token, in whose row only another token is asked for', async () => {
    await run(workbench, 'Sign In...');
    await answer(workbench, 'Sign In (1/3)', production.baseUrl);
    await answer(workbench, 'Sign In (2/3)', 'no-such-token');
    await workbench.quickInput.waitFor(
      'Token rejected (401). Paste another token, or press Enter for more options.',
    );
    await workbench.quickInput.accept();
    await workbench.quickInput.choose('Save Anyway');
    await answer(workbench, 'Sign In (3/3)', 'Acme production');
    await expect(workbench.statusMessage).toHaveText(
      'Saved the token for “Acme production” without a successful check.',
    );
    await waitForFocus(workbench, /^Deployments: /);
    await view.row({ label: 'Token rejected (401)', description: 'Sign In...', level: 1 });
    await view.pressInlineAction('Token rejected (401)', 'Sign In...');
    await answer(
      workbench,
      /^The new access token for “Acme production”\./,
      ` Bearer ${production.token}\n`,
    );
    await expect(workbench.statusMessage).toHaveText(/^Replaced the token for “Acme production”\./);
    await waitForOutline(view, productionRows);
    await expect(view.description).toHaveText('1 failing · Acme production');
  });

  test('switches the workspace to the new organization, also after a reload', async () => {
    await signIn(workbench, staging, 'Acme staging');
    await expect(view.header.locator('.title')).toHaveText('Deployments');
    await expect(view.description).toHaveText('1 failing · Acme staging');
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

  test('is offered again after Sign Out, which chooses no other organization', async () => {
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

/** The workbench in a browser asks its server for a key before it reads secrets. The test answers that, as a person does a prompt. */
async function hideKeyPrompt({ page }: Workbench) {
  const held: Route[] = [];
  const path = '**/mint-key*';
  const hold = (route: Route) => {
    held.push(route);
  };
  await page.route(path, hold);
  return {
    answerWith: async (response: Parameters<Route['fulfill']>[0]) => {
      await page.unroute(path, hold);
      await page.route(path, (route) => route.fulfill(response));
      await Promise.all(held.map((route) => route.fulfill(response)));
    },
  };
}

test('a keyring that answers late fills the view, which said that the keyring is waiting', {
  tag: '@rest',
}, async ({ begin }) => {
  const { platform, workbench } = await begin({
    env: {},
    data: data(healthy(), unsatisfied()),
    list: ['dep_1', 'dep_2'],
  });
  let view = await workbench.view('Deployments');
  await signIn(workbench, platform, 'Acme');
  await waitForOutline(view, stagingRows);

  const prompt = await hideKeyPrompt(workbench);
  await workbench.reload();
  platform.clearRequests();
  view = await workbench.view('Deployments');
  await run(workbench, 'Sign In...');
  await workbench.notifications.waitFor(
    /^VS Code’s secret storage has not answered for 10 seconds\. If a prompt asks to unlock the keyring/,
  );
  await view.expectWelcome(
    /^VS Code's secret storage has not answered for 10 seconds\./,
    'Reload Window',
  );
  await expect(workbench.summary).toHaveText('Automation Platform: keyring waiting');
  await workbench.notifications.clear();
  assert.deepEqual(requestedPaths(platform), []);

  await prompt.answerWith({ body: Buffer.alloc(32, 7) });
  await waitForOutline(view, stagingRows);
  const requestedIds = platform.requests.map(({ route }) => route.id ?? '');
  assert.deepEqual(requestedIds.toSorted(), ['dep_1', 'dep_2']);
  // The question of Sign In does not come late.
  await expect(workbench.notifications.items).toHaveCount(0);
  await expect(workbench.quickInput.input).toBeHidden();
  await workbench.close();
});

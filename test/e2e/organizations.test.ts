import { strict as assert } from 'node:assert';
import { createAuthority } from '../support/service/certificates.js';
import { failedAccount, healthy, unsatisfied } from '../support/service/data.js';
import { faults } from '../support/service/faults.js';
import { type Service, startService } from '../support/service/service.js';
import { AccountsMenu } from '../support/workbench/accountsMenu.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, requestsOf, run, waitForOutline } from './actions.js';

const baseUrlStep = /^The base URL of the API\./;
const tokenStep = /^The access token\. .* only sent to 127\.0\.0\.1:\d+\./;
const nameStep = /^A name for this organization/;
const trial = { operation: 'getDeploymentAuthorization', id: 'sign-in-check' } as const;

describe('organizations', () => {
  let production: Service;
  let staging: Service;
  /** Its certificate is of an authority that nobody trusts. */
  let stranger: Service;
  let workbench: Workbench;
  let view: TreeView;

  const productionRows = ['dep_1 · Ops Slack failed · in 2 deployments', 'dep_2 · 1 of 1 satisfied'];
  const stagingRows = ['dep_2 · 1 of 1 not satisfied', 'dep_1 · 1 of 1 satisfied'];

  before(async () => {
    const tls = createAuthority('Stranger').issue(['127.0.0.1']);
    [production, staging, stranger] = await Promise.all([startService(), startService(), startService({ tls })]);
    production.putDeployment('dep_1', failedAccount());
    production.putDeployment('dep_2', healthy());
    production.putToken('token-of-production');
    production.deleteToken(production.token);
    staging.putDeployment('dep_1', healthy());
    staging.putDeployment('dep_2', unsatisfied());
    staging.putToken('token-of-staging');
    staging.deleteToken(staging.token);
    workbench = await openWorkbench({
      userSettings: { 'automationPlatform.baseUrl': `${production.baseUrl}/` },
      workspaceSettings: { 'automationPlatform.deployments': ['dep_1', 'dep_2'] },
    });
    view = await workbench.view('Deployments');
  });
  after(async () => {
    await workbench?.close();
    await Promise.all([production, staging, stranger].map((service) => service?.stop()));
  });

  describe('without one @core', () => {
    it('the view says so and offers to sign in; the status bar leads to it', async () => {
      await workbench.activityBar.open('Explorer');
      await workbench.statusBar.waitForText('summary', 'Automation Platform: not signed in');
      await workbench.statusBar.click('summary');
      const { text, buttons } = await view.welcome(/^Sign in/);
      assert.match(text, /^Sign in to see which deployments need attention\./);
      assert.deepEqual(buttons, ['Sign In']);
      assert.equal(await workbench.activityBar.badge('Automation Platform'), '');
    });
  });

  describe('Sign In @core', () => {
    it('masks the token, stays open when the focus leaves, goes back without forgetting, and is dismissed', async () => {
      await view.pressWelcomeButton('Sign In');
      await workbench.quickInput.waitFor(baseUrlStep);
      assert.equal(await workbench.quickInput.title(), 'Sign In (1/3)');
      assert.equal(await workbench.quickInput.value(), `${production.baseUrl}/`);
      await workbench.quickInput.answer('https://host.example/');
      await workbench.quickInput.waitFor('End the URL with the version prefix /api/v1.');
      await workbench.quickInput.answer(`${production.baseUrl}/`);
      await workbench.quickInput.waitFor(tokenStep);
      assert.equal(await workbench.quickInput.isPassword(), true);
      await workbench.quickInput.type('token of production');
      await workbench.quickInput.waitFor('A token has no spaces or line breaks. Paste only the token.');
      await workbench.quickInput.type('Authorization: Bearer token-of-production');
      await workbench.quickInput.waitFor(/^Only the token is used/);
      // As somebody who fetches the token in another window.
      await workbench.page.locator('.part.editor').click();
      const focused = workbench.page.locator('.quick-input-box input:focus');
      await until('the focus to leave', async () => (await focused.count()) === 0);
      assert.equal(await workbench.quickInput.isPassword(), true);
      await workbench.quickInput.accept();
      await workbench.quickInput.waitFor(nameStep);
      assert.equal(await workbench.quickInput.isPassword(), false);
      assert.equal(await workbench.quickInput.value(), new URL(production.baseUrl).host);
      await workbench.quickInput.answer('Environment');
      await workbench.quickInput.waitFor(/^“Environment” is reserved/);
      await workbench.quickInput.back();
      // The note about what was entered stands in place of the prompt.
      await workbench.quickInput.waitFor('Sign In (2/3)');
      assert.equal(await workbench.quickInput.isPassword(), true);
      assert.equal(await workbench.quickInput.value(), 'Authorization: Bearer token-of-production');
      await workbench.quickInput.cancel();
      await view.welcome(/^Sign in to see/);
      assert.deepEqual(production.requests, []);
    });

    it('tries the token, goes back to what is wrong, and saves nothing when that is cancelled', async () => {
      await run(workbench, 'Sign In…');
      await answer(workbench, baseUrlStep, `${production.baseUrl}/`);
      await answer(workbench, tokenStep, 'no-such-token');
      await answer(workbench, nameStep, 'Acme production');
      await workbench.quickInput.waitFor(/^Token rejected \(401\)\. Paste another token or choose Save Anyway\./);
      assert.equal(await workbench.quickInput.title(), 'Sign In (2/3)');
      assert.equal(await workbench.quickInput.value(), 'no-such-token');
      await workbench.quickInput.back();
      await workbench.quickInput.waitFor('Sign In (1/3)');
      for (const [baseUrl, reason] of [
        ['https://no-such-host.invalid/api/v1', /^Unreachable \(DNS\)\. no-such-host\.invalid: .*Correct the base URL/],
        [stranger.baseUrl, /^Unreachable \(TLS\)\. 127\.0\.0\.1:\d+: .*Correct the base URL or choose Save Anyway\./],
        [`${production.baseUrl}/`, undefined],
      ] as const) {
        if (!reason) production.fault(trial, faults.hold());
        await workbench.quickInput.answer(baseUrl);
        await workbench.quickInput.waitFor('Sign In (2/3)');
        await workbench.quickInput.accept();
        await workbench.quickInput.waitFor('Sign In (3/3)');
        assert.equal(await workbench.quickInput.value(), 'Acme production');
        await workbench.quickInput.accept();
        if (reason) await workbench.quickInput.waitFor(reason);
      }
      assert.deepEqual(stranger.requests, []);
      await production.waitForRequests(1, { ...trial, state: 'held' });
      await workbench.notifications.press(/^Checking the token with 127\.0\.0\.1:\d+/, 'Cancel');
      await production.waitForRequests(1, { ...trial, state: 'aborted' });
      await view.welcome(/^Sign in to see/);
      production.clearFaults();
    });

    it('saves a rejected token anyway, and from the row that says so asks only for another one', async () => {
      await run(workbench, 'Sign In…');
      await answer(workbench, baseUrlStep, `${production.baseUrl}/`);
      await answer(workbench, tokenStep, 'no-such-token');
      await answer(workbench, nameStep, 'Acme production');
      await workbench.quickInput.waitFor(/^Token rejected \(401\)/);
      await workbench.quickInput.press('Save Anyway');
      const { text } = await workbench.notifications.waitFor(/^Saved/);
      assert.equal(text, 'Saved the token of “Acme production” without a successful check.');
      await workbench.notifications.clear();
      await view.row({ label: 'Token rejected', description: 'Sign In…', level: 1 });
      production.clearRequests();
      await view.select('Token rejected');
      await answer(workbench, /^The new access token of “Acme production”\./, ' Bearer token-of-production\n');
      await workbench.notifications.waitFor(/^Replaced the token of “Acme production”\./);
      await workbench.notifications.clear();
      await waitForOutline(view, productionRows);
      await view.waitForDescription('1 failing · Acme production');
      const asked = requestsOf(production, 'getDeploymentAuthorization');
      assert.deepEqual(asked.map(({ path }) => path).toSorted(), [
        '/api/v1/deployments/dep_1/authorization',
        '/api/v1/deployments/dep_2/authorization',
        '/api/v1/deployments/sign-in-check/authorization',
      ]);
    });

    it('takes a second organization, with a name of its own', async () => {
      production.clearRequests();
      staging.fault(trial, faults.status(403));
      await run(workbench, 'Sign In…');
      await answer(workbench, baseUrlStep, staging.baseUrl);
      await answer(workbench, tokenStep, 'token-of-staging');
      await answer(workbench, nameStep, 'ACME Production');
      await workbench.quickInput.waitFor(/^“Acme production” is already the name of an organization on 127/);
      await workbench.quickInput.answer('Acme staging');
      const { text } = await workbench.notifications.waitFor(/Acme staging/);
      const { host } = new URL(staging.baseUrl);
      assert.equal(text, `Signed in to “Acme staging”. ${host} answered 403. The token was not rejected.`);
      await workbench.notifications.clear();
      await waitForOutline(view, stagingRows);
      await view.waitForDescription('1 failing · Acme staging');
      assert.deepEqual(production.requests, []);
    });
  });

  describe('Switch Organization', () => {
    it('lists them with their server, the current one marked', async () => {
      await run(workbench, 'Switch Organization…');
      await workbench.quickInput.waitForRow('Acme production');
      const rows = await workbench.quickInput.rows();
      assert.deepEqual(
        rows.map(({ label, description, detail }) => [label, description, detail]),
        [
          ['Acme production', '', `${production.baseUrl} · signed in`],
          ['Acme staging', 'used by this workspace', `${staging.baseUrl} · signed in`],
          ['Sign In…', '', ''],
        ],
      );
      await workbench.quickInput.cancel();
    });
  });

  describe('Sign Out', () => {
    it('in the Accounts menu empties the tree at once, and a late answer does not fill it again', async () => {
      staging.fault('all', { hold: true });
      staging.clearRequests();
      await run(workbench, 'Refresh');
      await staging.waitForRequests(2, { state: 'held' });
      const menu = new AccountsMenu(workbench.page);
      assert.deepEqual((await menu.accounts()).toSorted(), [
        'Acme production (Automation Platform)',
        'Acme staging (Automation Platform)',
      ]);
      await menu.choose('Acme staging (Automation Platform)', 'Sign Out');
      await workbench.dialog.waitFor(/Sign out of 'Acme staging'/);
      await workbench.dialog.press('Sign Out');
      // None is chosen in its place: the other one has to be chosen by hand.
      const { text, buttons } = await view.welcome(/^Choose the organization/);
      assert.match(text, /^Choose the organization for this workspace\./);
      assert.deepEqual(buttons, ['Switch Organization']);
      assert.deepEqual(await view.rows(), []);
      assert.equal(await view.description(), '');
      assert.equal(await workbench.activityBar.badge('Automation Platform'), '');
      await workbench.statusBar.waitForText('summary', 'Automation Platform: no organization');
      production.clearRequests();
      staging.release();
      await staging.waitForRequests(2, { state: ['aborted', 'answered'] });
      // What came late has reached the extension before this question.
      await run(workbench, 'Switch Organization…');
      await workbench.quickInput.waitForRow('Acme production');
      await workbench.quickInput.cancel();
      assert.deepEqual(await view.rows(), []);
      assert.deepEqual(production.requests, []);
    });

    it('leaves the others, and of the last one the offer to sign in', async () => {
      await view.pressWelcomeButton('Switch Organization');
      await workbench.quickInput.waitForRow('Acme production');
      const rows = (await workbench.quickInput.rows()).map(({ label }) => label);
      assert.deepEqual(rows, ['Acme production', 'Sign In…']);
      await workbench.quickInput.choose('Acme production');
      await waitForOutline(view, productionRows);
      await run(workbench, 'Sign Out…');
      await workbench.dialog.waitFor(/Sign out of “Acme production”\?/);
      await workbench.dialog.press('Sign Out');
      await view.welcome(/^Sign in to see/);
      assert.deepEqual(await view.rows(), []);
      await run(workbench, 'Sign Out…');
      await workbench.notifications.waitFor('You are not signed in.');
    });
  });
});

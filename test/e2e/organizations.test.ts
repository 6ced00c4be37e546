import { strict as assert } from 'node:assert';
import { failedAccount, healthy, unsatisfied } from '../support/service/data.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, browserStorage, requestsOf, run, signIn, waitForOutline } from './actions.js';

const baseUrlStep = /^The base URL of the API\./;
const tokenStep = /^The access token\. .* only sent to 127\.0\.0\.1:\d+\./;
const nameStep = /^A name for this organization/;

describe('organizations', () => {
  let production: Service;
  let staging: Service;
  let workbench: Workbench;
  let view: TreeView;

  const productionRows = ['dep_1 · Ops Slack failed · in 2 deployments', 'dep_2 · 1 of 1 satisfied'];
  const stagingRows = ['dep_2 · 1 of 1 not satisfied', 'dep_1 · 1 of 1 satisfied'];

  before(async () => {
    [production, staging] = await Promise.all([startService(), startService()]);
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
    await Promise.all([production?.stop(), staging?.stop()]);
  });

  async function expectNothingSent(): Promise<void> {
    assert.deepEqual(production.requests, []);
    assert.deepEqual(staging.requests, []);
  }

  describe('without one', () => {
    it('the view says so and offers to sign in @core', async () => {
      const { text, buttons } = await view.welcome(/^Sign in/);
      assert.match(text, /^Sign in to see which deployments need attention\./);
      assert.deepEqual(buttons, ['Sign In']);
      assert.deepEqual(await view.rows(), []);
      await workbench.statusBar.waitForText('summary', 'Automation Platform: not signed in');
    });
  });

  describe('Sign In @core', () => {
    it('begins with the base URL of the settings, and says what is wrong with another one', async () => {
      await view.pressWelcomeButton('Sign In');
      await workbench.quickInput.waitFor(baseUrlStep);
      assert.equal(await workbench.quickInput.title(), 'Sign In (1/3)');
      assert.equal(await workbench.quickInput.value(), `${production.baseUrl}/`);
      assert.equal(await workbench.quickInput.isPassword(), false);
      for (const [value, message] of [
        ['http://host.example/api/v1', 'http is only supported for this machine. Start the URL with https://.'],
        ['https://host.example/', 'End the URL with the version prefix /api/v1.'],
      ] as const) {
        await workbench.quickInput.answer(value);
        await workbench.quickInput.waitFor(message);
      }
      await workbench.quickInput.answer(`${production.baseUrl}/`);
      await workbench.quickInput.waitFor(tokenStep);
    });

    it('masks the token and stays open when the focus leaves', async () => {
      assert.equal(await workbench.quickInput.title(), 'Sign In (2/3)');
      assert.equal(await workbench.quickInput.isPassword(), true);
      await workbench.quickInput.type('token of production');
      await workbench.quickInput.waitFor('A token has no spaces or line breaks. Paste only the token.');
      await workbench.quickInput.type('Authorization: Bearer token-of-production');
      await workbench.quickInput.waitFor(/^Only the token is used/);
      // As somebody who fetches the token in another window.
      await workbench.page.locator('.part.editor').click();
      await until('the focus to leave', async () =>
        workbench.page
          .locator('.quick-input-box input:focus')
          .count()
          .then((count) => count === 0),
      );
      assert.equal(await workbench.quickInput.isOpen(), true);
      assert.equal(await workbench.quickInput.isPassword(), true);
      assert.equal(await workbench.quickInput.value(), 'Authorization: Bearer token-of-production');
      await workbench.quickInput.accept();
      await workbench.quickInput.waitFor(nameStep);
      assert.equal(await workbench.quickInput.isPassword(), false);
    });

    it('offers the host as the name, refuses reserved ones, and goes back without forgetting', async () => {
      assert.equal(await workbench.quickInput.title(), 'Sign In (3/3)');
      assert.equal(await workbench.quickInput.value(), new URL(production.baseUrl).host);
      await workbench.quickInput.answer('Environment');
      await workbench.quickInput.waitFor(/^“Environment” is reserved/);
      await workbench.quickInput.back();
      // With what was entered; the note about it stands in place of the prompt.
      await workbench.quickInput.waitFor('Sign In (2/3)');
      assert.equal(await workbench.quickInput.isPassword(), true);
      assert.equal(await workbench.quickInput.value(), 'Authorization: Bearer token-of-production');
      await workbench.quickInput.back();
      await workbench.quickInput.waitFor(baseUrlStep);
      assert.equal(await workbench.quickInput.value(), `${production.baseUrl}/`);
      await workbench.quickInput.accept();
      await workbench.quickInput.waitFor('Sign In (2/3)');
      await workbench.quickInput.accept();
      await workbench.quickInput.waitFor('Sign In (3/3)');
    });

    it('changes and sends nothing when it is dismissed', async () => {
      await workbench.quickInput.cancel();
      await view.welcome(/^Sign in to see/);
      await expectNothingSent();
    });

    it('tries the token, and reads what is listed at once, with the token and nothing around it', async () => {
      await signIn(workbench, {
        baseUrl: `${production.baseUrl}/`,
        token: ' Bearer token-of-production\n',
        name: 'Acme production',
      });
      await waitForOutline(view, productionRows);
      await view.waitForDescription('1 failing · Acme production');
      const asked = requestsOf(production, 'getDeploymentAuthorization');
      assert.deepEqual(asked.map(({ path }) => path).toSorted(), [
        '/api/v1/deployments/dep_1/authorization',
        '/api/v1/deployments/dep_2/authorization',
        '/api/v1/deployments/sign-in-check/authorization',
      ]);
      assert.deepEqual(
        new Set(asked.map(({ headers }) => headers.authorization)),
        new Set(['Bearer token-of-production']),
      );
      assert.deepEqual(staging.requests, []);
    });

    it('takes a second organization, with a name of its own', async () => {
      await run(workbench, 'Sign In…');
      await answer(workbench, baseUrlStep, staging.baseUrl);
      await answer(workbench, tokenStep, 'token-of-staging');
      await workbench.quickInput.waitFor(nameStep);
      await workbench.quickInput.answer('ACME Production');
      await workbench.quickInput.waitFor(
        /^“Acme production” is already the name of an organization on 127\.0\.0\.1:\d+\./,
      );
      await workbench.quickInput.answer('Acme staging');
      const { text } = await workbench.notifications.waitFor(/Acme staging/);
      assert.equal(
        text,
        `Signed in to “Acme staging”. ${new URL(staging.baseUrl).host} answered 404. The token was not rejected.`,
      );
      await workbench.notifications.clear();
      await waitForOutline(view, stagingRows);
      await view.waitForDescription('1 failing · Acme staging');
      const sent = [...production.requests, ...staging.requests];
      assert.deepEqual(
        new Set(sent.map(({ headers }) => `${headers.host} ${headers.authorization}`)),
        new Set([
          `${new URL(production.baseUrl).host} Bearer token-of-production`,
          `${new URL(staging.baseUrl).host} Bearer token-of-staging`,
        ]),
      );
    });
  });

  describe('several of them', () => {
    it('are listed with their server, the current one marked @core', async () => {
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
      await workbench.quickInput.choose('Acme production');
      await waitForOutline(view, productionRows);
      await view.waitForDescription('1 failing · Acme production');
    });

    it('never mix: a late answer of the one before changes nothing @core', async () => {
      production.fault('all', { hold: true });
      production.clearRequests();
      await run(workbench, 'Refresh');
      await production.waitForRequests(2, { state: 'held' });
      await run(workbench, 'Switch Organization…');
      await workbench.quickInput.choose('Acme staging');
      await waitForOutline(view, stagingRows);
      production.clearFaults();
      production.release();
      await production.waitForRequests(2, { state: ['aborted', 'answered'] });
      staging.clearRequests();
      await run(workbench, 'Refresh');
      await staging.waitForRequests(2, { state: 'answered' });
      await waitForOutline(view, stagingRows);
      await view.waitForDescription('1 failing · Acme staging');
    });

    it('and signing in survives a reload, as does the filter @core', async () => {
      await view.pressTitleAction('Hide Healthy Deployments');
      await waitForOutline(view, stagingRows.slice(0, 1));
      await until('the filter to be written down', async () =>
        /onlyProblems[^a-z]*true/.test(await browserStorage(workbench)),
      );
      await workbench.reload();
      view = await workbench.view('Deployments');
      await waitForOutline(view, stagingRows.slice(0, 1));
      await view.waitForDescription('1 failing · Acme staging');
      await view.pressTitleAction('Show All Deployments');
      await waitForOutline(view, stagingRows);
    });
  });

  describe('Sign Out', () => {
    it('empties the tree at once, and a late answer does not fill it again @core', async () => {
      staging.fault('all', { hold: true });
      staging.clearRequests();
      await run(workbench, 'Refresh');
      await staging.waitForRequests(2, { state: 'held' });
      await run(workbench, 'Sign Out…');
      await workbench.quickInput.choose('Acme staging');
      await workbench.dialog.waitFor(/Sign out of “Acme staging”\?/);
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

    it('leaves the others: one is chosen again by the button', async () => {
      await view.pressWelcomeButton('Switch Organization');
      await workbench.quickInput.waitForRow('Acme production');
      assert.deepEqual(
        (await workbench.quickInput.rows()).map(({ label }) => label),
        ['Acme production', 'Sign In…'],
      );
      await workbench.quickInput.choose('Acme production');
      await waitForOutline(view, productionRows);
    });

    it('of the last one leaves the offer to sign in', async () => {
      await run(workbench, 'Sign Out…');
      await workbench.dialog.waitFor(/Sign out of “Acme production”\?/);
      await workbench.dialog.press('Sign Out');
      await view.welcome(/^Sign in to see/);
      assert.deepEqual(await view.rows(), []);
      await run(workbench, 'Sign Out…');
      await workbench.notifications.waitFor('You are not signed in.');
      await workbench.notifications.clear();
    });
  });
});

import { strict as assert } from 'node:assert';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { failedAccount, healthy, unsatisfied } from '../support/service/data.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, browserStorage, requestsOf, run, signIn, waitForOutline } from './actions.js';

const baseUrlStep = /^The base URL of the API\./;
const tokenStep = /^The access token\. .* only sent to 127\.0\.0\.1:\d+\./;
const nameStep = /^A name for this organization/;

describe('organizations', () => {
  let production: ServiceChild;
  let staging: ServiceChild;
  let workbench: Workbench;
  let view: TreeView;

  const productionRows = ['dep_1 · 1 account failed', 'dep_2 · 1 of 1 satisfied'];
  const stagingRows = ['dep_2 · 1 of 1 not satisfied', 'dep_1 · 1 of 1 satisfied'];

  before(async () => {
    [production, staging] = await Promise.all([spawnService(), spawnService()]);
    await production.control.putDeployment('dep_1', failedAccount());
    await production.control.putDeployment('dep_2', healthy());
    await production.control.putToken('token-of-production');
    await production.control.deleteToken(production.token);
    await staging.control.putDeployment('dep_1', healthy());
    await staging.control.putDeployment('dep_2', unsatisfied());
    await staging.control.putToken('token-of-staging');
    await staging.control.deleteToken(staging.token);
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
    assert.deepEqual(await production.control.requests(), []);
    assert.deepEqual(await staging.control.requests(), []);
  }

  describe('without one', () => {
    it('the view says so and offers to sign in', async () => {
      const { text, buttons } = await view.welcome(/not signed in/);
      assert.match(text, /^You are not signed in to an organization, so nothing is known about your deployments\./);
      assert.deepEqual(buttons, ['Sign In']);
      assert.deepEqual(await view.rows(), []);
      await workbench.statusBar.waitForText('summary', 'Automation Platform: not signed in');
    });

    it('commands that need one say so and offer to sign in', async () => {
      await run(workbench, 'Refresh');
      const { buttons } = await workbench.notifications.waitFor('You are not signed in to an organization.');
      assert.deepEqual(buttons, ['Sign In…']);
      await workbench.notifications.clear();
      await expectNothingSent();
    });
  });

  describe('Sign In', () => {
    it('begins with the base URL of the settings, and says what is wrong with another one', async () => {
      await view.pressWelcomeButton('Sign In');
      await workbench.quickInput.waitFor(baseUrlStep);
      assert.equal(await workbench.quickInput.title(), 'Sign In (1/3)');
      assert.equal(await workbench.quickInput.value(), `${production.baseUrl}/`);
      assert.equal(await workbench.quickInput.isPassword(), false);
      for (const [value, message] of [
        ['host.example', /^This is not a whole URL\. Enter one like https:\/\/host\.example\/api\/v1\.$/],
        ['ftp://host.example/api/v1', /^Only https can be used here\./],
        [
          'http://host.example/api/v1',
          /^http would send the token unprotected; it can be used for this machine only\./,
        ],
        ['https://me:secret@host.example/api/v1', /^Take the user name and the password out of the URL\./],
        ['https://host.example/api/v1?key=1', /^Take the question mark, and what comes after it, off the URL\.$/],
        ['https://host.example/api/v1#top', /^Take the #, and what comes after it, off the URL\.$/],
        ['https://host.example/', /^The URL has to end in the version prefix: \/api\/v1\.$/],
        ['', /^Enter the base URL of the API, like https:\/\/host\.example\/api\/v1\.$/],
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
      await workbench.quickInput.waitFor(/^There are spaces or line breaks within this text\./);
      await workbench.quickInput.type('Authorization: Bearer token-of-production');
      await workbench.quickInput.waitFor(/^Only the token itself is used/);
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
      await workbench.quickInput.waitFor(/^“environment” is reserved/);
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
      await view.welcome(/not signed in/);
      await expectNothingSent();
    });

    it('reads what is listed at once, with the token and nothing around it', async () => {
      await signIn(workbench, {
        baseUrl: `${production.baseUrl}/`,
        token: ' Bearer token-of-production\n',
        name: 'Acme production',
      });
      await waitForOutline(view, productionRows);
      await view.waitForDescription('Acme production · 1 of 2 with problems');
      const asked = await requestsOf(production.control, 'getDeploymentAuthorization');
      assert.deepEqual(asked.map(({ path }) => path).toSorted(), [
        '/api/v1/deployments/dep_1/authorization',
        '/api/v1/deployments/dep_2/authorization',
      ]);
      assert.deepEqual(
        new Set(asked.map(({ headers }) => headers.authorization)),
        new Set(['Bearer token-of-production']),
      );
      assert.deepEqual(await staging.control.requests(), []);
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
        `You are signed in to “Acme staging” (${new URL(staging.baseUrl).host}). This workspace uses it now.`,
      );
      await workbench.notifications.clear();
      await waitForOutline(view, stagingRows);
      await view.waitForDescription('Acme staging · 1 of 2 with problems');
      const sent = [...(await production.control.requests()), ...(await staging.control.requests())];
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
    it('are listed with their server, the current one marked', async () => {
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
      await view.waitForDescription('Acme production · 1 of 2 with problems');
    });

    it('never mix: a late answer of the one before changes nothing', async () => {
      await production.control.fault('all', { hold: true });
      await production.control.clearRequests();
      await run(workbench, 'Refresh');
      await production.control.waitForRequests(2, { state: 'held' });
      await run(workbench, 'Switch Organization…');
      await workbench.quickInput.choose('Acme staging');
      await waitForOutline(view, stagingRows);
      await production.control.clearFaults();
      await production.control.release();
      await production.control.waitForRequests(2, { state: ['aborted', 'answered'] });
      await staging.control.clearRequests();
      await run(workbench, 'Refresh');
      await staging.control.waitForRequests(2, { state: 'answered' });
      await waitForOutline(view, stagingRows);
      await view.waitForDescription('Acme staging · 1 of 2 with problems');
    });

    it('and signing in survives a reload, as does the filter', async () => {
      await view.pressTitleAction('Show Only Problems');
      await waitForOutline(view, stagingRows.slice(0, 1));
      await until('the filter to be written down', async () =>
        /onlyProblems[^a-z]*true/.test(await browserStorage(workbench)),
      );
      await workbench.reload();
      view = await workbench.view('Deployments');
      await waitForOutline(view, stagingRows.slice(0, 1));
      await view.waitForDescription('Acme staging · 1 of 2 with problems');
      await view.pressTitleAction('Show All');
      await waitForOutline(view, stagingRows);
    });
  });

  describe('Sign Out', () => {
    it('does nothing when it is not confirmed', async () => {
      await run(workbench, 'Sign Out…');
      await workbench.quickInput.choose('Acme staging');
      const question = await workbench.dialog.waitFor(/Sign out of “Acme staging”\?/);
      assert.ok(question.includes(staging.baseUrl), question);
      assert.match(question, /Nothing happens on the server: the token stays valid there\./);
      await workbench.dialog.press('Cancel');
      await waitForOutline(view, stagingRows);
    });

    it('empties the tree at once, and a late answer does not fill it again', async () => {
      await staging.control.fault('all', { hold: true });
      await staging.control.clearRequests();
      await run(workbench, 'Refresh');
      await staging.control.waitForRequests(2, { state: 'held' });
      await run(workbench, 'Sign Out…');
      await workbench.quickInput.choose('Acme staging');
      await workbench.dialog.waitFor(/Sign out of “Acme staging”\?/);
      await workbench.dialog.press('Sign Out');
      // None is chosen in its place: the other one has to be chosen by hand.
      const { text, buttons } = await view.welcome(/does not use any/);
      assert.match(text, /^This workspace does not use any of your organizations yet\./);
      assert.deepEqual(buttons, ['Switch Organization']);
      assert.deepEqual(await view.rows(), []);
      assert.equal(await view.description(), '');
      assert.equal(await workbench.activityBar.badge('Automation Platform'), '');
      await workbench.statusBar.waitForText('summary', 'Automation Platform: no organization chosen');
      await production.control.clearRequests();
      await staging.control.release();
      await staging.control.waitForRequests(2, { state: ['aborted', 'answered'] });
      assert.deepEqual(await view.rows(), []);
      assert.deepEqual(await production.control.requests(), []);
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
      await view.welcome(/^You are not signed in/);
      assert.deepEqual(await view.rows(), []);
      await run(workbench, 'Sign Out…');
      await workbench.notifications.waitFor('You are not signed in to an organization.');
      await workbench.notifications.clear();
    });
  });
});

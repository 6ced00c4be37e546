import { strict as assert } from 'node:assert';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { failedAccount, healthy } from '../support/service/data.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { Walkthrough } from '../support/workbench/walkthrough.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, requestsOf, run, trustWorkspace, waitForOutline } from './actions.js';

const setting = 'automationPlatform.deployments';
const titles = {
  signIn: 'Sign in to your organization',
  add: 'Add a deployment',
  tree: 'Read the tree',
  editor: 'See it in your files',
  keyboard: 'With keyboard and screen reader',
};

/** What a person does after the token is in the clipboard, each act counted. */
function counting() {
  const acts: string[] = [];
  return {
    acts,
    act: async (what: string, body: () => Promise<void>): Promise<void> => {
      acts.push(what);
      await body();
    },
  };
}

describe('the first minute', () => {
  let service: ServiceChild;
  let workbench: Workbench;

  beforeEach(async () => {
    service = await spawnService();
    await service.control.putDeployment('dep_1', failedAccount());
  });
  afterEach(async () => {
    await workbench?.close();
    await service?.stop();
  });

  const accept = () => workbench.quickInput.accept();

  async function toToken(): Promise<void> {
    await answer(workbench, /^The base URL of the API/, service.baseUrl);
    await workbench.quickInput.waitFor(/^The access token/);
    assert.equal(await workbench.quickInput.isPassword(), true);
    await workbench.quickInput.type(service.token);
  }

  describe('with the walkthrough', () => {
    it('ticks each step when it is done, and none before', async () => {
      workbench = await openWorkbench({
        files: { 'deploy.yaml': 'jobs:\n  - deployment: dep_1\n' },
        viewport: { width: 1600, height: 900 },
      });
      await workbench.waitForActivation();
      const walkthrough = new Walkthrough(workbench);
      await walkthrough.open('First steps with Automation Platform');
      assert.deepEqual(
        await walkthrough.steps(),
        Object.values(titles).map((title) => ({ title, done: false })),
      );

      await walkthrough.expand(titles.signIn);
      await walkthrough.press('Sign In');
      await workbench.quickInput.waitFor(/^The base URL of the API/);
      await workbench.quickInput.cancel();
      await walkthrough.waitForDone([]);
      await walkthrough.press('Sign In');
      await toToken();
      await accept();
      await answer(workbench, /^A name for this organization/, 'Acme');
      await walkthrough.waitForDone([titles.signIn]);

      await walkthrough.expand(titles.add);
      await walkthrough.press('Add Deployment');
      await answer(workbench, /^The id of the deployment/, 'dep_1');
      await answer(workbench, /^A label for/, 'Billing sync');
      await walkthrough.waitForDone([titles.signIn, titles.add]);

      await walkthrough.expand(titles.tree);
      await walkthrough.press('Show Deployments');
      const view = await workbench.view('Deployments');
      await view.row({ label: 'Billing sync', description: /^1 account failed/ });
      // Opened by itself, and not yet read.
      await view.row({ label: 'Ops Slack', under: 'Billing sync', description: /token_revoked/ });
      await walkthrough.waitForDone([titles.signIn, titles.add]);
      await view.expand({ label: 'Ops Slack', under: 'Billing sync' });
      await walkthrough.waitForDone([titles.signIn, titles.add, titles.tree]);

      await workbench.notifications.clear();
      await workbench.editor.open('deploy.yaml');
      await workbench.editor.hover('dep_1', /token_revoked/);
      await walkthrough.open('First steps with Automation Platform');
      await walkthrough.waitForDone([titles.signIn, titles.add, titles.tree, titles.editor]);

      await walkthrough.expand(titles.keyboard);
      await walkthrough.press('Go to Deployment');
      await workbench.quickInput.waitFor('Label, id or state');
      await workbench.quickInput.cancel();
      await walkthrough.waitForDone([titles.signIn, titles.add, titles.tree, titles.editor]);
      await walkthrough.press('Go to Deployment');
      await workbench.quickInput.choose('Billing sync');
      await walkthrough.waitForDone(Object.values(titles));
    });
  });

  describe('to the first failed account', () => {
    it('takes three acts after the token is pasted, in a workspace that lists its deployments', async () => {
      await service.control.putDeployment('dep_2', healthy());
      workbench = await openWorkbench({ workspaceSettings: { [setting]: ['dep_2', 'dep_1'] } });
      const view = await workbench.view('Deployments');
      assert.deepEqual((await view.welcome(/^You are not signed in/)).buttons, ['Sign In']);
      assert.equal(await view.description(), '');
      assert.deepEqual(await service.control.requests(), []);
      await view.pressWelcomeButton('Sign In');
      await toToken();

      const { acts, act } = counting();
      await act('accept the token', accept);
      await workbench.quickInput.waitFor(/^A name for this organization/);
      await act('accept the name', accept);
      await view.row({ label: 'dep_1', description: /^1 account failed/ });
      await act('open the row', () => view.expand('dep_1'));
      await view.row({ label: 'Ops Slack', under: 'dep_1', description: /token_revoked/ });
      assert.equal(acts.length, 3);

      // Whoever did without the walkthrough finds there what is done already.
      const walkthrough = new Walkthrough(workbench);
      await walkthrough.open('First steps with Automation Platform');
      await walkthrough.waitForDone([titles.signIn, titles.add, titles.tree]);

      // When all is well again and only problems are shown, the view says why it is empty.
      await service.control.putDeployment('dep_1', healthy());
      await run(workbench, 'Refresh');
      await view.row({ label: 'dep_1', description: '1 of 1 satisfied' });
      await view.pressTitleAction('Show Only Problems');
      const { text, buttons } = await view.welcome(/All of them are hidden/);
      assert.match(text, /^No deployment has a problem\./);
      assert.deepEqual(buttons, ['Show All']);
      await view.pressWelcomeButton('Show All');
      await view.row({ label: 'dep_1', description: '1 of 1 satisfied' });
    });

    it('takes two steps without such a list: end Sign In, add the deployment, whose row opens itself', async () => {
      workbench = await openWorkbench({ empty: true });
      const view = await workbench.view('Deployments');
      await view.welcome(/^You are not signed in/);
      await view.pressWelcomeButton('Sign In');
      await toToken();

      const { acts, act } = counting();
      await act('end Sign In', async () => {
        await accept();
        await answer(workbench, /^A name for this organization/, 'Acme');
      });
      await workbench.notifications.waitFor(/The token has not been checked yet/);
      await view.waitForDescription('Acme · not checked yet');
      assert.deepEqual((await view.welcome(/^You are signed in\. The token has not been checked yet/)).buttons, [
        'Add Deployment',
      ]);
      assert.deepEqual(await service.control.requests(), []);
      await act('add the deployment', async () => {
        await view.pressWelcomeButton('Add Deployment');
        await answer(workbench, /^The id of the deployment/, 'dep_1');
        await workbench.quickInput.waitFor(/^A label for/);
        await accept();
      });
      await view.row({ label: 'dep_1', description: /^1 account failed/ });
      await view.row({ label: 'Ops Slack', under: 'dep_1', description: /token_revoked/ });
      assert.equal(acts.length, 2);
      assert.deepEqual((await workbench.userSettings.read())[setting], ['dep_1']);
    });
  });

  it('in a workspace that is not trusted says that its list is not used, and offers to trust it', async () => {
    workbench = await openWorkbench({
      trust: true,
      env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token },
      workspaceSettings: { [setting]: ['dep_1'] },
    });
    const view = await workbench.view('Deployments');
    await waitForOutline(view, ['Workspace lists not used · Manage Trust']);
    const row = await view.row('Workspace lists not used');
    assert.match(row.ariaLabel, /The workspace is not trusted: deployments that its settings list, if there are any/);
    assert.deepEqual(await requestsOf(service.control, 'getDeploymentAuthorization'), []);
    await trustWorkspace(workbench, view);
    await view.row({ label: 'dep_1', description: /^1 account failed/ });
  });
});

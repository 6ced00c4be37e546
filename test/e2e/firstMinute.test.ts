import { strict as assert } from 'node:assert';
import { failedAccount, healthy } from '../support/platform/data.js';
import type { Platform } from '../support/platform/platform.js';
import { type Begin, expect, listSetting, test } from '../support/workbench/fixtures.js';
import { Walkthrough } from '../support/workbench/walkthrough.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer } from './actions.js';

const walkthroughTitle = 'Get Started with Automation Platform';
const titles = {
  signIn: 'Sign in to your organization',
  add: 'Add a deployment',
  tree: 'Find out what is wrong',
  editor: 'See problems in your files',
  fix: 'Get it fixed',
  keyboard: 'Use the keyboard or a screen reader',
};

/** Counts keys and mouse buttons that are pressed from now on; pasting a text is none. */
async function countPresses({ page }: Workbench): Promise<() => Promise<number>> {
  const pressed = await page.evaluateHandle(() => {
    const all: string[] = [];
    for (const kind of ['keydown', 'pointerdown'])
      addEventListener(kind, () => all.push(kind), true);
    return all;
  });
  return () => pressed.evaluate((all) => all.length);
}

const deployments = new Map([
  ['dep_1', failedAccount()],
  ['dep_2', healthy()],
]);
const wideViewport = { width: 1600, height: 900 };

test.describe('a window before any sign-in', { tag: '@rest' }, () => {
  let platform: Platform;
  let workbench: Workbench;

  async function open(begin: Begin, options: Parameters<Begin>[0]): Promise<void> {
    ({ platform, workbench } = await begin({ env: {}, data: { deployments }, ...options }));
  }
  test.afterEach(() => workbench?.close());

  const accept = () => workbench.quickInput.accept();

  async function toToken(): Promise<void> {
    await answer(workbench, /^The base URL of the API/, platform.baseUrl);
    await workbench.quickInput.waitFor(/^The access token/);
    await workbench.quickInput.type(platform.token);
  }

  test('has a walkthrough that ticks each step when its action has succeeded', async ({
    begin,
  }) => {
    await open(begin, {
      files: { 'deploy.yaml': 'jobs:\n  - deployment: dep_1\n' },
      viewport: wideViewport,
    });
    const walkthrough = new Walkthrough(workbench.page);
    await walkthrough.open(walkthroughTitle);
    await expect(walkthrough.titles).toHaveText(Object.values(titles));

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
    await answer(workbench, /^Deployment ID/, 'dep_1');
    await answer(workbench, /^Label for/, 'Billing sync');
    const view = await workbench.view('Deployments');
    await view.row({ label: 'Ops Slack', under: 'Billing sync', description: /token_revoked/ });
    // Adding a deployment opens its row.
    await walkthrough.waitForDone([titles.signIn, titles.add, titles.tree]);

    await workbench.notifications.clear();
    await workbench.editor.open('deploy.yaml');
    await workbench.editor.hover('dep_1', /token_revoked/);
    await walkthrough.open(walkthroughTitle);
    await walkthrough.waitForDone([titles.signIn, titles.add, titles.tree, titles.editor]);

    await walkthrough.expand(titles.fix);
    // With one deployment no list asks which.
    await walkthrough.press('Copy Request');
    await walkthrough.waitForDone([
      titles.signIn,
      titles.add,
      titles.tree,
      titles.editor,
      titles.fix,
    ]);

    await walkthrough.expand(titles.keyboard);
    await walkthrough.press('Go to Deployment');
    await walkthrough.waitForDone(Object.values(titles));
  });

  test('needs five presses after the token to show a failed account', async ({ begin }) => {
    await open(begin, { empty: true });
    const view = await workbench.view('Deployments');
    await view.expectWelcome(/^Sign in to see/, 'Sign In');
    const requestsBefore = platform.requests.map(({ path }) => path);
    assert.deepEqual(requestsBefore, []);
    await view.pressWelcomeButton('Sign In');
    await toToken();

    const presses = await countPresses(workbench);
    await accept();
    await answer(workbench, /^A name for this organization/, 'Acme');
    await view.expectWelcome(/^Add the deployments that you want to check/, 'Add Deployment');
    const requestsOfSignIn = platform.requests.map(({ route }) => route.id);
    assert.deepEqual(requestsOfSignIn, ['connection-check']);
    await view.pressWelcomeButton('Add Deployment');
    await answer(workbench, /^Deployment ID/, 'dep_1');
    await workbench.quickInput.waitFor(/^Label for/);
    await accept();
    await view.row({ label: 'Ops Slack', under: 'dep_1', description: /token_revoked/ });
    assert.equal(await presses(), 5);
    assert.deepEqual((await workbench.userSettings.read())[listSetting], ['dep_1']);
    await workbench.editor.newUntitled('dep_1');
    await expect(workbench.editor.squiggles).toHaveCount(1);
  });
});

test.describe('a signed-in window', () => {
  let platform: Platform;
  let workbench: Workbench;

  test.beforeAll(async ({ begin }) => {
    ({ platform, workbench } = await begin({
      data: { deployments },
      list: ['dep_1', 'dep_2'],
      files: {
        'deploy.yaml': 'deploymentId: dep_1\n',
        'src/run.ts': "run({ deploymentId: 'dep_2' });\n",
      },
      viewport: wideViewport,
    }));
  });
  test.afterAll(() => workbench?.close());

  test('ticks “Find out what is wrong” in the walkthrough when a failing row is opened', async () => {
    const walkthrough = new Walkthrough(workbench.page);
    const view = await workbench.view('Deployments');
    await view.expand('dep_2');
    await walkthrough.open(walkthroughTitle);
    await walkthrough.waitForDone([titles.signIn, titles.add]);
    await view.expand('dep_1');
    await walkthrough.open(walkthroughTitle);
    await walkthrough.waitForDone([titles.signIn, titles.add, titles.tree]);
  });

  test('offers a first list from the files of the workspace', async () => {
    await workbench.workspaceSettings.write({});
    const view = await workbench.view('Deployments');
    await view.expectWelcome(
      /^Add the deployments that you want to check/,
      'Add Deployment',
      'Find Deployments in Workspace',
    );
    platform.clearRequests();
    await view.pressWelcomeButton('Find Deployments in Workspace');
    const { rows } = workbench.quickInput;
    // VS Code keeps hidden texts of the palette's rows in those of the next list.
    await expect(rows).toHaveText([/^dep_1deploy\.yaml:1/, /^dep_2src\/run\.ts:1/]);
    const requestsBeforeTheChoice = platform.requests.map(({ path }) => path);
    assert.deepEqual(requestsBeforeTheChoice, []);

    for (const id of ['dep_1', 'dep_2']) await rows.filter({ hasText: id }).click();
    await workbench.quickInput.accept();
    await view.row({ label: 'dep_1', description: /^Ops Slack failed/ });
    await view.row({ label: 'dep_2' });
  });

  test('shows the README on the page of the extension without a broken picture', async () => {
    await workbench.commands.run('View: Show Extensions');
    const { page } = workbench;
    await page.locator('.extension-list-item', { hasText: 'Automation Platform' }).first().click();
    await expect(workbench.webview.locator('body')).toContainText('Finance Slack failed');
    const widths = () =>
      workbench.webview
        .locator('img')
        .evaluateAll((images) => images.map((image) => Reflect.get(image, 'naturalWidth')));
    await expect.poll(async () => Math.min(...(await widths()))).toBeGreaterThan(0);
  });
});

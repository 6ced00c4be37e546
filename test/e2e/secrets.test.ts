import { strict as assert } from 'node:assert';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import {
  account,
  authorization,
  DEFAULT_TOKEN,
  install,
  requirement,
} from '../support/platform/data.js';
import { faults } from '../support/platform/faults.js';
import type { Platform } from '../support/platform/platform.js';
import { expect, test } from '../support/workbench/fixtures.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, run, signIn } from './actions.js';

/** With characters that look different when they are encoded. */
const secrets = {
  access: 'ap_live_8Zk+Q2/x7Vw=1MsecretAccess',
  session: 'ap_sess_5Rt+W8/y3Nq=4KsecretSession',
  environment: DEFAULT_TOKEN,
  install: 'deadbeef-0bad-4cab-8dad-feedc0ffee11',
  keyId: 'key_SecretId_4Hq9Zt7Bw2',
};
const told = `rejected ${secrets.access}`;

/** A platform that tells everybody what it was told. */
const data = {
  tokens: new Map([
    [secrets.access, 'access'],
    [secrets.session, 'session'],
  ] as const),
  installs: new Map([[secrets.install, install({ label: 'Acme CRM' })]]),
  deployments: new Map([
    [
      'dep_talkative',
      authorization(
        [account({ label: told, error: { code: 'E', message: told } })],
        [requirement({ satisfied: false })],
      ),
    ],
  ]),
  standing: [{ target: { id: 'dep_html' }, fault: faults.echo('html') }],
};

const isLog = (path: string) => path.endsWith('Automation Platform.log');

test.describe('secrets', () => {
  let platform: Platform;
  let workbench: Workbench;

  test.beforeAll(async ({ begin }) => {
    ({ platform, workbench } = await begin({
      data,
      ownServer: true,
      list: ['dep_talkative', 'dep_html'],
    }));
    const view = await workbench.view('Deployments');
    await view.row({ label: 'dep_html', description: 'Server error' });
    await signIn(
      workbench,
      { baseUrl: platform.baseUrl, token: secrets.access },
      'Zephyr Holdings',
    );
    await expect(view.description).toHaveText(/Zephyr Holdings$/);
    await view.expand('dep_talkative');
    await run(workbench, 'Set User Session Token...');
    await answer(workbench, /^The user session token for/, secrets.session);
    await workbench.quickInput.waitForClosed();
    platform.fault({ operation: 'getIntegrationInstall' }, faults.echo('json'));
    await lookUp();
    await workbench.notifications.waitFor(/Server error \(500\)/);
    await workbench.notifications.clear();
    platform.clearFaults();
    await lookUp();
    await (await workbench.view('Pending Installs')).row('Acme CRM');
    platform.fault({ operation: 'deleteApiKey' }, faults.status(403));
    await revoke(/Access denied \(403\)/);
    platform.fault({ operation: 'deleteApiKey' }, faults.echo('html'));
    await revoke(/Server error \(500\)/);
    await run(workbench, 'Show Log');
    await expect(workbench.page.locator('.part.panel .view-line').nth(3)).toBeVisible();
  });
  test.afterAll(() => workbench?.close());

  async function lookUp(): Promise<void> {
    await run(workbench, 'Look Up Install...');
    await answer(
      workbench,
      /^Install link/,
      `https://dash.example/${secrets.install.toUpperCase()}`,
    );
    await workbench.quickInput.waitForClosed();
  }

  async function revoke(outcome: RegExp): Promise<void> {
    await run(workbench, 'Revoke API Key...');
    await answer(workbench, /^ID of the API key/, secrets.keyId);
    await workbench.dialog.waitFor(/^Permanently revoke/);
    await workbench.dialog.press('Continue');
    await answer(workbench, /^Type /, secrets.keyId);
    await workbench.notifications.waitFor(outcome);
    await workbench.notifications.clear();
  }

  test('the platform was sent every secret', () => {
    const requests = platform.requests
      .map(({ path, headers }) => `${path} ${headers.authorization}`)
      .join('\n');
    for (const [name, secret] of Object.entries(secrets))
      assert.ok(requests.includes(secret), name);
  });

  test('no file of profile, workspace and logs holds a secret', async () => {
    let files: Awaited<ReturnType<typeof filesBelow>> = [];
    await expect(async () => {
      files = await filesBelow(workbench.dataFolder);
      expect(files.find(({ path }) => isLog(path))?.text).toMatch(
        /"Zephyr Holdings": outcome unknown/,
      );
    }).toPass();
    // It would be found: what is known to be there is.
    const having = (wanted: string) =>
      files.filter(({ text }) => text.includes(wanted)).map(({ path }) => path);
    assert.ok(
      having('dep_talkative').some((path) => path.endsWith(join('.vscode', 'settings.json'))),
    );
    assert.ok(having('key_…7Bw2').some(isLog));
    for (const { path, text } of files) expectNone(path, text);
    // Names and base URLs are the keyring's too; the log tells which organization and host a line is about.
    const others = [...having('Zephyr'), ...having(platform.baseUrl)].filter(
      (path) => !/data.logs/.test(path),
    );
    assert.deepEqual(others, []);
  });

  test('neither browser storage, window nor server output holds a readable secret', async () => {
    const kept = await browserStorage(workbench);
    assert.match(kept, /automation-platform-tools\.automation-platform/);
    assert.ok(!kept.includes('Zephyr') && !kept.includes(platform.baseUrl));
    expectNone('the storage of the browser', kept);
    const shown = (await Promise.all(workbench.page.frames().map((frame) => frame.content()))).join(
      '\n',
    );
    assert.match(shown, /dep_talkative/);
    // Screen readers are told as the owner is: which key it was.
    expectNone('the window', shown.replaceAll(`API key ${secrets.keyId} in`, ''));
    expectNone('the output of the server', workbench.server.process.output());
  });
});

function expectNone(where: string, text: string): void {
  for (const [name, secret] of Object.entries(secrets)) {
    for (const form of [secret, encodeURIComponent(secret), ...inBase64(secret)]) {
      assert.ok(!text.includes(form), `${name} in ${where}: ${form}`);
    }
    assert.ok(
      !text.toLowerCase().includes(secret.toLowerCase()),
      `${name} in ${where}, in another case`,
    );
  }
}

/** As part of a longer text that was encoded as a whole: a byte begins at one of three places of a character. */
function inBase64(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.from(`${' '.repeat(before)}${secret}`).toString('base64url');
    const inner = encoded.slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + secret.length) * 8) / 6),
    );
    return [inner, inner.replaceAll('-', '+').replaceAll('_', '/')];
  });
}

async function filesBelow(folder: string): Promise<{ path: string; text: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.map(async (path) => ({
      path: relative(folder, path),
      text: await readFile(path, 'utf8'),
    })),
  );
}

/**
 * Everything that the browser keeps for this profile: secrets (encrypted), workspace and global state and whatever else, as text.
 * On the desktop the same is kept in files and in the keyring.
 */
async function browserStorage(workbench: Workbench): Promise<string> {
  const { page } = workbench;
  const session = await page.evaluate(() => JSON.stringify(sessionStorage));
  return [
    JSON.stringify(await page.context().storageState({ indexedDB: true })),
    session,
    page.url(),
  ].join('\n');
}

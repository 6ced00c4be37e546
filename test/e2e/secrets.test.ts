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
const repeatedText = `rejected ${secrets.access}`;

/** A platform that repeats every secret it gets. */
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
        [account({ label: repeatedText, error: { code: 'E', message: repeatedText } })],
        [requirement({ satisfied: false })],
      ),
    ],
  ]),
  standing: [{ target: { id: 'dep_html' }, fault: faults.echo('html') }],
};

// What the extension shows, logs, and has VS Code remember is proven in test/host/hostile/secrets.test.ts. Here stands what VS Code
// itself makes of it: on the disk, and in the browser.
test.describe('a platform that repeats every secret', () => {
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
    await run(workbench, 'Set User Session Token...');
    await answer(workbench, /^The user session token for/, secrets.session);
    await workbench.quickInput.waitForClosed();
    await run(workbench, 'Look Up Install...');
    await answer(
      workbench,
      /^Install link/,
      `https://dash.example/${secrets.install.toUpperCase()}`,
    );
    await (await workbench.view('Pending Installs')).row('Acme CRM');
    platform.fault({ operation: 'deleteApiKey' }, faults.echo('html'));
    await run(workbench, 'Revoke API Key...');
    await answer(workbench, /^ID of the API key/, secrets.keyId);
    await workbench.dialog.waitFor(/^Permanently revoke/);
    await workbench.dialog.press('Continue');
    await answer(workbench, /^Type /, secrets.keyId);
    await workbench.notifications.waitFor(/Server error \(500\)/);
  });
  test.afterAll(() => workbench?.close());

  test('gets each secret in a request', () => {
    const requests = platform.requests
      .map(({ path, headers }) => `${path} ${headers.authorization}`)
      .join('\n');
    const unsent = Object.entries(secrets).filter(([, secret]) => !requests.includes(secret));
    assert.deepEqual(unsent, []);
  });

  test('leaves none in files of the profile, the workspace, or the log', async () => {
    const log = 'Automation Platform.log';
    let files: Awaited<ReturnType<typeof filesBelow>> = [];
    await expect(async () => {
      files = await filesBelow(workbench.dataFolder);
      expect(files.find(({ path }) => path.endsWith(log))?.text).toMatch(
        /"Zephyr Holdings": outcome unknown/,
      );
    }).toPass();
    const pathsWith = (text: string) =>
      files.filter((file) => file.text.includes(text)).map(({ path }) => path);

    // The search below finds what is there.
    expect(pathsWith('dep_talkative')).toContain(join('workspace', '.vscode', 'settings.json'));
    expect(pathsWith('key_…7Bw2')).toEqual([expect.stringContaining(log)]);

    const leaks = files.flatMap(({ path, text }) =>
      secretsIn(text).map((leak) => `${path}: ${leak}`),
    );
    assert.deepEqual(leaks, []);
    // The keyring has names and base URLs, too. The log says which organization and host a line is about.
    const isOutsideOfLogs = (path: string) => !/data.logs/.test(path);
    assert.deepEqual(pathsWith('Zephyr').filter(isOutsideOfLogs), []);
    assert.deepEqual(pathsWith(platform.baseUrl).filter(isOutsideOfLogs), []);
  });

  test('leaves none in the output of the server', () => {
    assert.deepEqual(secretsIn(workbench.server.process.output()), []);
  });

  test('leaves none readable in the storage of the browser', async () => {
    const storage = await browserStorage(workbench);
    assert.match(storage, /automation-platform-tools\.automation-platform/);

    assert.deepEqual(secretsIn(storage), []);
    assert.doesNotMatch(storage, /Zephyr/);
    assert.doesNotMatch(storage, new RegExp(platform.baseUrl));
  });
});

/** The secrets that can be read in a text, each with the form in which it stands there. */
function secretsIn(text: string): readonly string[] {
  const lowerCaseText = text.toLowerCase();
  return Object.entries(secrets).flatMap(([name, secret]) => {
    const readable = [secret, encodeURIComponent(secret), ...inBase64(secret)]
      .filter((form) => text.includes(form))
      .map((form) => `${name} as ${form}`);
    const isInAnyCase = lowerCaseText.includes(secret.toLowerCase());
    return isInAnyCase ? [...readable, `${name} in any case`] : readable;
  });
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

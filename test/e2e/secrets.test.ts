import { strict as assert } from 'node:assert';
import { type Dirent } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { account, authorization, grant, install, requirement } from '../support/service/data.js';
import { faults } from '../support/service/faults.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, run, signIn } from './actions.js';

/** Cut, because its account's name is long. */
const talkative = /^dep.*…/;

/** With characters that look different when they are encoded. */
const secrets = {
  'access token': 'ap_live_8Zk+Q2/x7Vw=1MsecretAccess',
  'session token': 'ap_sess_5Rt+W8/y3Nq=4KsecretSession',
  'token of the environment': 'ap_env_2Jp+D6/u9Bs=3GsecretEnvironment',
  'install token': 'deadbeef-0bad-4cab-8dad-feedc0ffee11',
  'key id': 'key_SecretId_4Hq9Zt7Bw2',
};

/** A revocation names its key, so that its owner recognizes it. */
const shownToItsOwner = ['key id'] as const;

describe('after everything has been used', () => {
  let service: Service;
  let workbench: Workbench;
  /** What the notifications and messages on the way said. */
  const said: string[] = [];

  before(async () => {
    service = await startService();
    service.putToken(secrets['access token'], grant('access', []));
    service.putToken(secrets['token of the environment'], grant('access'));
    service.putToken(secrets['session token'], grant('session'));
    service.putInstall(secrets['install token'], install({ label: 'Acme CRM' }));
    // A service that tells everybody what it was told.
    const told = `rejected ${secrets['access token']}`;
    service.putDeployment(
      'dep_talkative',
      authorization(
        [account({ label: told, error: { code: 'E', message: told } })],
        [requirement({ satisfied: false })],
      ),
    );
    for (const [id, echo] of [
      ['dep_html', 'html'],
      ['dep_json', 'json'],
      ['dep_text', 'text'],
    ] as const) {
      service.fault({ id }, faults.echo(echo));
    }
    workbench = await openWorkbench({
      ownServer: true,
      env: {
        AUTOMATION_PLATFORM_BASE_URL: service.baseUrl,
        AUTOMATION_PLATFORM_TOKEN: secrets['token of the environment'],
      },
      workspaceSettings: {
        'automationPlatform.deployments': ['dep_talkative', 'dep_html', 'dep_json', 'dep_text', 'dep_missing'],
      },
      files: { 'notes.md': 'dep_talkative\n' },
    });
    await useEverything();
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  async function notification(expected: RegExp): Promise<void> {
    const { text } = await workbench.notifications.waitFor(expected);
    said.push(text);
    await workbench.notifications.clear();
  }

  async function useEverything(): Promise<void> {
    const view = await workbench.view('Deployments');
    await view.row({ label: 'dep_html', description: 'Server error' });
    await signIn(workbench, {
      baseUrl: service.baseUrl,
      token: secrets['access token'],
      name: 'Zephyr Holdings',
    });
    await view.waitForDescription(/Zephyr Holdings$/);
    said.push(await view.tooltip('dep_html', /Server error \(500\)/), await view.tooltip(talkative, /rejected/));
    await workbench.hovers.leave();
    await view.expand(talkative);
    said.push(...(await view.rows()).flatMap(({ label, description, ariaLabel }) => [label, description, ariaLabel]));
    await view.chooseFromMenu(talkative, 'Copy Authorization Report');
    said.push(await until('the report', async () => (await workbench.clipboard()) || undefined));
    // Pasted where it does not belong.
    await run(workbench, 'Add Deployment…');
    await answer(workbench, /^Deployment ID/, secrets['access token']);
    await workbench.quickInput.waitFor(/^This is a token/);
    said.push(await workbench.quickInput.message());
    await workbench.quickInput.cancel();
    await lookUp(/^Token rejected/);
    await run(workbench, 'Set User Session Token…');
    await answer(workbench, /^The user session token of/, secrets['session token']);
    await workbench.quickInput.waitForClosed();
    await run(workbench, 'Switch Organization…');
    const { detail } = await workbench.quickInput.waitForRow('Zephyr Holdings');
    assert.equal(detail, `${service.baseUrl} · signed in, with a user session token`);
    await workbench.quickInput.cancel();
    service.fault({ operation: 'getIntegrationInstall' }, faults.echo('json'));
    await lookUp(/Server error \(500\)/);
    service.clearFaults({ operation: 'getIntegrationInstall' });
    await lookUp();
    const installs = await workbench.view('Pending Installs');
    said.push(await installs.tooltip('Acme CRM', /serviceSub/));
    await workbench.hovers.leave();
    await revoke(/Access denied \(403\)/);
    service.fault({ operation: 'deleteApiKey' }, faults.echo('html'));
    await revoke(/Server error \(500\)/);
    await run(workbench, 'Show Log');
    await until('the log', async () => (await workbench.page.locator('.part.panel .view-line').count()) > 3);
  }

  async function lookUp(failure?: RegExp): Promise<void> {
    await run(workbench, 'Look Up Install…');
    await answer(workbench, /^Install link/, `https://dash.example/${secrets['install token'].toUpperCase()}`);
    await workbench.quickInput.waitForClosed();
    if (failure) {
      await notification(failure);
    }
  }

  async function revoke(outcome: RegExp): Promise<void> {
    await run(workbench, 'Revoke API Key…');
    await answer(workbench, /^ID of the API key/, secrets['key id']);
    await workbench.dialog.waitFor(/^Permanently revoke/);
    await workbench.dialog.press('Continue');
    await answer(workbench, /^Type /, secrets['key id']);
    await notification(outcome);
  }

  it('the service was told each of them', async () => {
    const requests = service.requests;
    const told = requests.map(({ path, headers }) => `${path} ${headers.authorization}`).join('\n');
    for (const [name, secret] of Object.entries(secrets)) {
      assert.ok(told.includes(secret), name);
    }
  });

  it('no file of the profile and of the workspace has one of them, logs included', async () => {
    await until('the last line of the log', async () => {
      const logs = (await filesBelow(workbench.dataFolder)).filter(({ path }) =>
        path.endsWith('Automation Platform.log'),
      );
      return logs.some(({ bytes }) => bytes.includes('organization "Zephyr Holdings": outcome unknown'));
    });
    const files = await filesBelow(workbench.dataFolder);
    // It would be found: what is known to be there is.
    const having = (text: string) => files.filter(({ bytes }) => bytes.includes(text)).map(({ path }) => path);
    assert.ok(having('dep_talkative').some((path) => path.endsWith(join('.vscode', 'settings.json'))));
    assert.ok(having('key_…7Bw2').some((path) => path.endsWith('Automation Platform.log')));
    for (const { path, bytes } of files) {
      expectNone(path, bytes);
    }
    // Names and base URLs are the keyring's too; the log tells which organization and host a line is about.
    for (const text of ['Zephyr', service.baseUrl]) {
      assert.deepEqual(
        having(text).filter((path) => !path.includes(join('data', 'logs'))),
        [],
      );
    }
  });

  it('nothing that the browser keeps has one of them in readable form', async () => {
    const kept = await browserStorage(workbench);
    assert.match(kept, /automation-platform-tools\.automation-platform/);
    expectNone('the storage of the browser', Buffer.from(kept));
    assert.ok(!kept.includes('Zephyr'));
    assert.ok(!kept.includes(service.baseUrl));
  });

  it('nothing that was said on the way has one of them', async () => {
    assert.ok(said.length > 20);
    expectNone('what was said', Buffer.from(said.join('\n')), shownToItsOwner);
  });

  it('nothing in the window, nor what the server printed, has one of them', async () => {
    await workbench.statusBar.waitForText('summary', /./);
    const shown = await Promise.all(workbench.page.frames().map((frame) => frame.content()));
    assert.ok(shown.some((content) => content.includes('dep_talkative')));
    expectNone('the window', Buffer.from(shown.join('\n')), shownToItsOwner);
    expectNone('the output of the server', Buffer.from(workbench.server.process.output()));
  });
});

function expectNone(where: string, bytes: Buffer, allowed: readonly (keyof typeof secrets)[] = []): void {
  const lower = bytes.toString('latin1').toLowerCase();
  for (const [name, secret] of Object.entries(secrets).filter((one) => !allowed.some((other) => other === one[0]))) {
    for (const form of [secret, encodeURIComponent(secret), ...inBase64(secret)]) {
      assert.ok(!bytes.includes(form), `${name} in ${where}: ${form}`);
    }
    assert.ok(!lower.includes(secret.toLowerCase()), `${name} in ${where}, in another case`);
  }
}

/** As part of a longer text that was encoded as a whole: a byte begins at one of three places of a character. */
function inBase64(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.from(`${' '.repeat(before)}${secret}`).toString('base64url');
    const inner = encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + secret.length) * 8) / 6));
    return [inner, inner.replaceAll('-', '+').replaceAll('_', '/')];
  });
}

async function filesBelow(folder: string): Promise<{ path: string; bytes: Buffer }[]> {
  const entries: Dirent[] = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => ({ path: relative(folder, path), bytes: await readFile(path) })));
}

/**
 * Everything that the browser keeps for this profile: secrets (encrypted), workspace and global state and whatever else, as text.
 * On the desktop the same is kept in files and in the keyring.
 */
async function browserStorage(workbench: Workbench): Promise<string> {
  return workbench.page.evaluate(`(async () => {
    const done = (request) => new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const text = (value) => {
      if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return new TextDecoder().decode(value);
      if (value instanceof Map || value instanceof Set) return text([...value]);
      if (Array.isArray(value)) return value.map(text).join(' ');
      if (value && typeof value === 'object') return Object.entries(value).map(text).join(' ');
      return String(value);
    };
    const found = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.cookie, location.href];
    for (const { name } of await indexedDB.databases()) {
      const database = await done(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objectStore = database.transaction(store).objectStore(store);
        found.push(name, store, text(await done(objectStore.getAllKeys())), text(await done(objectStore.getAll())));
      }
      database.close();
    }
    return found.join('\\n');
  })()`);
}

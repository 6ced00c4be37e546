import { strict as assert } from 'node:assert';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { sampleInstallTokens } from '../support/service/sample.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporaryFolder.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { logLines, requestsOf } from './actions.js';

const setting = 'automationPlatform.deployments';
/** `code-server` calls itself so; in other editors and forks it is theirs. */
const scheme = 'code-oss';
const authority = 'automation-platform-tools.automation-platform';

describe('a link', () => {
  let service: ServiceChild;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await spawnService(['--sample']);
    workbench = await openWorkbench({
      env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token },
    });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  /** As a click on it in another program: VS Code itself asks first. */
  async function follow(rest: string): Promise<void> {
    await workbench.commands.run('Developer: Open URL');
    await workbench.quickInput.waitFor(/^URL to open/);
    await workbench.quickInput.answer(`${scheme}://${authority}${rest}`);
    await workbench.dialog.waitFor(/Allow 'Automation Platform' extension to open this URI/);
    await workbench.dialog.press('Open');
  }

  async function nothingWasDone(): Promise<void> {
    assert.deepEqual(await service.control.requests(), []);
    assert.equal((await workbench.userSettings.read())[setting], undefined);
    assert.equal((await workbench.workspaceSettings.read())[setting], undefined);
  }

  it('asks before anything is done, also when it is the first thing that happens in a window', async () => {
    // Nobody waited for the extension: whichever comes first, its start or the link, the link waits for it.
    await follow('/deployment?id=dep_billing_sync&label=Billing%20%5Bx%5D(command:y)');
    assert.equal(
      await workbench.dialog.waitFor(/^A link asks/),
      [
        'A link asks to add the deployment “dep_billing_sync” to the list.',
        'Label: Billing ［x］(command:y)',
        'It is added to .vscode/settings.json. “environment (from environment variables)” is asked about it.',
      ].join('\n'),
    );
    assert.deepEqual(await workbench.dialog.buttons(), ['Cancel', 'Add Deployment']);
    await nothingWasDone();
    await workbench.dialog.press('Cancel');
    await nothingWasDone();
  });

  it('to an install names who is asked and keeps the token hidden', async () => {
    await follow(`/install?token=${sampleInstallTokens.crm}`);
    const question = await workbench.dialog.waitFor(/^A link asks/);
    assert.equal(
      question,
      [
        'A link asks to look up a pending install.',
        'Organization: environment (from environment variables)',
        `Base URL: ${service.baseUrl}`,
        '',
        'The install token in the link is sent there. It is a secret, so it is not shown.',
      ].join('\n'),
    );
    await workbench.dialog.press('Cancel');
    await nothingWasDone();

    await follow(`/install?token=${sampleInstallTokens.crm}`);
    await workbench.dialog.waitFor(/^A link asks/);
    await workbench.dialog.press('Look Up Install');
    const installs = await workbench.view('Pending Installs');
    await installs.row({ label: 'Acme CRM', description: /^needs pro/ });
    assert.equal((await requestsOf(service.control, 'getIntegrationInstall')).length, 1);
    assert.doesNotMatch((await logLines(workbench)).join('\n'), new RegExp(sampleInstallTokens.crm));
    await service.control.clearRequests();
  });

  for (const [what, rest, why] of [
    ['an unknown path', '/revoke?id=key_1', /something that this extension does not know/],
    ['no path', '/', /something that this extension does not know/],
    ['a repeated parameter', '/deployment?id=dep_1&id=dep_2', /“id” is there more than once/],
    ['an over-long parameter', `/deployment?id=${'x'.repeat(501)}`, /“id” is too long/],
    ['an unknown parameter', '/deployment?id=dep_1&base=evil', /a parameter that is not known/],
    ['no parameter', '/deployment', /“id” is missing/],
    ['something that is no token', '/install?token=hello', /not exactly one install token/],
    ['a path in its id', '/deployment?id=..', /“\.” and “\.\.” are no ids/],
  ] as const) {
    it(`with ${what} is refused`, async () => {
      await follow(rest);
      const { text } = await workbench.notifications.waitFor(/^A link (was not opened|could not be opened)/);
      assert.match(text, why);
      assert.equal(await workbench.dialog.isOpen(), false);
      await nothingWasDone();
      await workbench.notifications.clear();
    });
  }

  it('to a deployment adds and reads it once one has agreed, and then only shows it', async () => {
    await follow('/deployment?id=dep_billing_sync&label=Billing');
    await workbench.dialog.waitFor(/^A link asks/);
    await workbench.dialog.press('Add Deployment');
    view = await workbench.view('Deployments');
    await view.row({ label: 'Billing', description: /^1 account failed/ });
    assert.deepEqual((await workbench.workspaceSettings.read())[setting], [
      { id: 'dep_billing_sync', label: 'Billing' },
    ]);
    await view.waitForRows('the new row selected', (rows) => rows.some((row) => row.selected));

    await workbench.activityBar.open('Explorer');
    await service.control.clearRequests();
    await follow('/deployment?id=dep_billing_sync&label=Another');
    view = await workbench.view('Deployments');
    await view.waitForRows('Billing selected', (rows) => rows.some((row) => row.selected && row.label === 'Billing'));
    assert.equal(await workbench.dialog.isOpen(), false);
    assert.deepEqual((await workbench.workspaceSettings.read())[setting], [
      { id: 'dep_billing_sync', label: 'Billing' },
    ]);
    assert.deepEqual(await service.control.requests(), []);
  });
});

describe('a link, without an organization', () => {
  let workbench: Workbench;

  before(async () => {
    workbench = await openWorkbench();
  });
  after(() => workbench?.close());

  it('to an install says who is missing, and offers to sign in', async () => {
    await workbench.commands.run('Developer: Open URL');
    await workbench.quickInput.answer(`${scheme}://${authority}/install?token=${sampleInstallTokens.crm}`);
    await workbench.dialog.waitFor(/Allow 'Automation Platform' extension to open this URI/);
    await workbench.dialog.press('Open');
    const { buttons } = await workbench.notifications.waitFor('You are not signed in to an organization.');
    assert.deepEqual(buttons, ['Sign In…']);
  });
});

/** VS Code starts the others ten seconds late, while this one takes its time; it writes down whether ours is active. */
const slowStart = {
  'package.json': JSON.stringify({
    name: 'slow-start',
    publisher: 'test',
    version: '1.0.0',
    engines: { vscode: '^1.105.0' },
    main: './main.js',
    activationEvents: ['*'],
  }),
  'main.js': `
    const { writeFileSync } = require('node:fs');
    const { join } = require('node:path');
    const vscode = require('vscode');
    exports.activate = () => new Promise((resolve) => {
      const look = () => {
        const active = vscode.extensions.getExtension('${authority}')?.isActive;
        writeFileSync(join(__dirname, 'active.txt'), String(active));
      };
      look();
      setInterval(look, 50);
      setTimeout(resolve, 60_000);
    });
  `,
};

describe('a link, before the extension has started', () => {
  const id = 'dep_billing_sync';
  let service: ServiceChild;
  let workbench: Workbench;
  let folder: TemporaryFolder;

  before(async () => {
    service = await spawnService(['--sample']);
  });
  after(() => service?.stop());

  async function open(workspaceSettings: Record<string, unknown>): Promise<void> {
    folder = await temporaryFolder();
    for (const [name, text] of Object.entries(slowStart)) await writeFile(join(folder.path, name), text);
    workbench = await openWorkbench({
      env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token },
      workspaceSettings,
      developmentExtensions: [folder.path],
    });
  }
  afterEach(async () => {
    await workbench?.close();
    await folder?.remove();
  });

  const isActive = () => readFile(join(folder.path, 'active.txt'), 'utf8').catch(() => '');

  async function follow(): Promise<void> {
    await until('the other extension', async () => (await isActive()) !== '');
    await workbench.commands.run('Developer: Open URL');
    await workbench.quickInput.waitFor(/^URL to open/);
    assert.equal(await isActive(), 'false');
    await workbench.quickInput.answer(`${scheme}://${authority}/deployment?id=${id}`);
    await workbench.dialog.waitFor(/Allow 'Automation Platform' extension to open this URI/);
    assert.equal(await isActive(), 'false', 'still when VS Code asks');
    await workbench.dialog.press('Open');
  }

  it('starts it, and is asked about', async () => {
    await open({});
    await follow();
    await workbench.dialog.waitFor(/^A link asks to add the deployment “dep_billing_sync” to the list\./);
    assert.equal(await isActive(), 'true');
    await workbench.dialog.press('Add Deployment');
    const view = await workbench.view('Deployments');
    await view.row({ label: id, description: /^1 account failed/ });
  });

  it('to a deployment of the list starts it, and only shows the row', async () => {
    await open({ [setting]: [{ id }] });
    await follow();
    const view = await workbench.view('Deployments');
    await view.waitForRows('the row selected', (rows) => rows.some((row) => row.selected && row.label === id));
    assert.equal(await workbench.dialog.isOpen(), false);
    assert.deepEqual(await workbench.notifications.shown(), []);
  });
});

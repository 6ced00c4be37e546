import { strict as assert } from 'node:assert';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleData, sampleInstallTokens } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { type TemporaryFolder, temporaryFolder } from '../support/temporaryFolder.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { environmentOf, requestsOf } from './actions.js';

const setting = 'automationPlatform.deployments';
/** `code-server` calls itself so; in other editors and forks it is theirs. */
const scheme = 'code-oss';
const authority = 'automation-platform-tools.automation-platform';

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
    const { renameSync, writeFileSync } = require('node:fs');
    const { join } = require('node:path');
    const vscode = require('vscode');
    exports.activate = () => new Promise((resolve) => {
      const look = () => {
        const active = vscode.extensions.getExtension('${authority}')?.isActive;
        // In one piece: a reader would find the file empty otherwise.
        writeFileSync(join(__dirname, 'active.new'), String(active));
        renameSync(join(__dirname, 'active.new'), join(__dirname, 'active.txt'));
      };
      look();
      setInterval(look, 50);
      setTimeout(resolve, 60_000);
    });
  `,
};

describe('a link', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;
  let folder: TemporaryFolder;

  before(async () => {
    service = await startService({ data: sampleData() });
    folder = await temporaryFolder();
    for (const [name, text] of Object.entries(slowStart)) await writeFile(join(folder.path, name), text);
    workbench = await openWorkbench({
      env: environmentOf(service),
      developmentExtensions: [folder.path],
    });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
    await folder?.remove();
  });

  const isActive = () => readFile(join(folder.path, 'active.txt'), 'utf8').catch(() => '');

  /** As a click on it in another program: VS Code itself asks first. */
  async function ask(rest: string): Promise<void> {
    await workbench.commands.run('Developer: Open URL');
    await workbench.quickInput.waitFor(/^URL to open/);
    await workbench.quickInput.answer(`${scheme}://${authority}${rest}`);
    await workbench.dialog.waitFor(/Allow 'Automation Platform' extension to open this URI/);
  }

  async function follow(rest: string): Promise<void> {
    await ask(rest);
    await workbench.dialog.press('Open');
  }

  async function nothingWasDone(): Promise<void> {
    assert.deepEqual(service.requests, []);
    assert.equal((await workbench.userSettings.read())[setting], undefined);
    assert.equal((await workbench.workspaceSettings.read())[setting], undefined);
  }

  it('starts the extension, and asks before anything is done @core', async () => {
    await until('the other extension', async () => (await isActive()) !== '');
    await ask('/deployment?id=dep_billing_sync&label=Billing%20%5Bx%5D(command:y)');
    assert.equal(await isActive(), 'false');
    await workbench.dialog.press('Open');
    assert.equal(
      await workbench.dialog.waitFor(/from a link\?/),
      [
        'Add deployment “dep_billing_sync” from a link?',
        'Label: Billing ［x］(command:y)',
        'Saved in .vscode/settings.json. Read from “environment (from environment variables)”.',
      ].join('\n'),
    );
    assert.equal(await isActive(), 'true');
    assert.deepEqual(await workbench.dialog.buttons(), ['Cancel', 'Add Deployment']);
    await nothingWasDone();
    await workbench.dialog.press('Cancel');
    await nothingWasDone();
  });

  it('to an install names who is asked and keeps the token hidden', async () => {
    await follow(`/install?token=${sampleInstallTokens.crm}`);
    const question = await workbench.dialog.waitFor(/from a link\?/);
    assert.equal(
      question,
      [
        'Look up an install from a link?',
        'Organization: environment (from environment variables)',
        `Base URL: ${service.baseUrl}`,
        '',
        'The install token in the link is sent there. It is a secret and stays hidden.',
      ].join('\n'),
    );
    await nothingWasDone();
    await workbench.dialog.press('Look Up Install');
    const installs = await workbench.view('Pending Installs');
    await installs.row({ label: 'Acme CRM', description: /^needs pro/ });
    assert.equal(requestsOf(service, 'getIntegrationInstall').length, 1);
    service.clearRequests();
  });

  it('with something unknown in it is refused', async () => {
    await follow('/deployment?id=dep_1&base=evil');
    await workbench.notifications.waitFor('The link was not opened. It has an unknown parameter.');
    assert.equal(await workbench.dialog.isOpen(), false);
    await nothingWasDone();
    await workbench.notifications.clear();
  });

  it('to a deployment adds and reads it once one has agreed, and then only shows it @core', async () => {
    await follow('/deployment?id=dep_billing_sync&label=Billing');
    await workbench.dialog.waitFor(/from a link\?/);
    await workbench.dialog.press('Add Deployment');
    view = await workbench.view('Deployments');
    await view.row({ label: 'Billing', description: 'Finance Slack failed' });
    assert.deepEqual((await workbench.workspaceSettings.read())[setting], [
      { id: 'dep_billing_sync', label: 'Billing' },
    ]);
    await view.waitForRows('the new row selected', (rows) => rows.some((row) => row.selected));

    await workbench.activityBar.open('Explorer');
    service.clearRequests();
    await follow('/deployment?id=dep_billing_sync&label=Another');
    view = await workbench.view('Deployments');
    await view.waitForRows('Billing selected', (rows) => rows.some((row) => row.selected && row.label === 'Billing'));
    assert.equal(await workbench.dialog.isOpen(), false);
    assert.deepEqual((await workbench.workspaceSettings.read())[setting], [
      { id: 'dep_billing_sync', label: 'Billing' },
    ]);
    assert.deepEqual(service.requests, []);
  });
});

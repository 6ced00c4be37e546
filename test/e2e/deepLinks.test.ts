import { strict as assert } from 'node:assert';
import { sampleInstallTokens } from '../support/service/sample.js';
import type { Service } from '../support/service/service.js';
import { listSetting, test } from '../support/workbench/fixtures.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { listed, waitForSelection } from './actions.js';

/** `code-server` calls itself so; in other editors and forks the scheme is theirs. */
const address = 'code-oss://automation-platform-tools.automation-platform';

test.describe('deep links', () => {
  let service: Service;
  let workbench: Workbench;

  test.beforeAll(async ({ begin }) => {
    ({ service, workbench } = await begin());
  });
  test.afterAll(() => workbench?.close());

  /** As a click on it in another program: VS Code itself asks first. */
  async function follow(rest: string): Promise<void> {
    await workbench.commands.run('Developer: Open URL');
    await workbench.quickInput.waitFor(/^URL to open/);
    await workbench.quickInput.answer(`${address}${rest}`);
    await workbench.dialog.waitFor(/Allow 'Automation Platform' extension to open this URI/);
    await workbench.dialog.press('Open');
  }

  async function nothingWasDone(): Promise<void> {
    const lists = [(await workbench.userSettings.read())[listSetting], await listed(workbench)];
    assert.deepEqual([service.requests, lists], [[], [undefined, undefined]]);
  }

  test('a link to an install names who is asked and keeps the token hidden', async () => {
    await follow(`/install?token=${sampleInstallTokens.crm}`);
    const question = [
      'Look up an install from a link?',
      'Organization: environment (from environment variables)',
      `Base URL: ${service.baseUrl}`,
      '',
      'The install token in the link will be sent to this base URL. It is a secret and stays hidden.',
    ];
    assert.equal(await workbench.dialog.waitFor(/from a link\?/), question.join('\n'));
    await nothingWasDone();
    await workbench.dialog.press('Look Up Install');
    await (await workbench.view('Pending Installs')).row({ label: 'Acme CRM', description: /needs pro$/ });
    service.clearRequests();
  });

  test('a link with an unknown parameter is refused', async () => {
    await follow('/deployment?id=dep_1&base=evil');
    await workbench.notifications.waitFor(
      'The link was not opened. It is incomplete or not meant for this extension. Ask for a new link.',
    );
    assert.equal(await workbench.dialog.isOpen(), false);
    await nothingWasDone();
    await workbench.notifications.clear();
  });

  test('a link to a deployment adds it after a question, and then only reveals it', { tag: '@core' }, async () => {
    const label = 'Billing [x](command:y)';
    const link = `/deployment?id=dep_billing_sync&label=${encodeURIComponent(label)}`;
    const question = [
      'Add deployment “dep_billing_sync” from a link?',
      'Label: Billing ［x］(command:y)',
      'Will be saved in .vscode/settings.json. Will be read from “environment (from environment variables)”.',
    ];
    for (const button of ['Cancel', 'Add Deployment']) {
      await follow(link);
      assert.equal(await workbench.dialog.waitFor(/from a link\?/), question.join('\n'));
      await nothingWasDone();
      await workbench.dialog.press(button);
    }
    let view = await workbench.view('Deployments');
    const { label: shown } = await view.row({ label: /^Bill/, description: / failed$/ });
    await waitForSelection(view, shown);
    assert.deepEqual(await listed(workbench), [{ id: 'dep_billing_sync', label }]);

    await workbench.openContainer('Explorer');
    service.clearRequests();
    await follow('/deployment?id=dep_billing_sync&label=Another');
    view = await workbench.view('Deployments');
    await waitForSelection(view, shown);
    assert.equal(await workbench.dialog.isOpen(), false);
    assert.deepEqual(await listed(workbench), [{ id: 'dep_billing_sync', label }]);
    assert.deepEqual(service.requests, []);
  });
});

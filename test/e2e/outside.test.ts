import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { healthy } from '../support/service/data.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { untilRead } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { environmentOf } from './actions.js';

const id = 'a/b?c&d=#%';
const url = 'https://dash.example/d/a%2Fb%3Fc%26d%3D%23%25';
const entry = 'Open in Dashboard';

describe('what a row opens', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;
  const opened: string[] = [];

  before(async () => {
    service = await startService();
    service.data.deployments.set(id, healthy());
    workbench = await openWorkbench({
      env: environmentOf(service),
      workspaceSettings: { 'automationPlatform.deployments': [id] },
    });
    await workbench.page.context().route('https://dash.example/**', async (route) => {
      opened.push(route.request().url());
      await route.fulfill({ contentType: 'text/html', body: '' });
    });
    view = await workbench.view('Deployments');
    await view.row(id);
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  const waitForOpened = async (urls: readonly string[]) => {
    const seen = await untilRead(
      'the page in the browser',
      async () => [...opened],
      (all) => all.length >= urls.length,
    );
    assert.deepEqual(seen, urls);
  };

  it('is no dashboard without the setting', async () => {
    assert.ok(!(await view.menuEntries(id)).includes(entry));
  });

  it('of Find in Files is the search for the ID, as a whole word and not as an expression', async () => {
    await view.chooseFromMenu(id, 'Find in Files');
    const search = workbench.page.locator('.search-view .search-container');
    const toggle = (name: string) => search.locator(`[aria-label^="${name}"]`).getAttribute('aria-checked');
    await untilRead(
      'the search',
      async () => [
        await search.locator('textarea').inputValue(),
        await toggle('Match Whole Word'),
        await toggle('Use Regular Expression'),
      ],
      (seen) => isDeepStrictEqual(seen, [id, 'true', 'false']),
    );
    view = await workbench.view('Deployments');
  });

  it('of Open in Dashboard is the page at the encoded ID, asked about only the first time', async () => {
    await workbench.changeUserSettings({ 'automationPlatform.dashboardUrl': 'https://dash.example/d/{deploymentId}' });
    await view.chooseFromMenu(id, entry);
    assert.equal(
      await workbench.dialog.waitFor(/^Open dash\.example for /),
      `Open dash.example for environment (from environment variables)?\n${url}`,
    );
    assert.deepEqual(opened, []);
    await workbench.dialog.press('Open');
    await waitForOpened([url]);
    await view.chooseFromMenu(id, entry);
    await waitForOpened([url, url]);
    assert.equal(await workbench.dialog.isOpen(), false);
  });
});

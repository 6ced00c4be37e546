import { strict as assert } from 'node:assert';
import { sampleData } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { AccountsMenu } from '../support/workbench/accountsMenu.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { untilRead } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { environmentOf, signIn } from './actions.js';

const environment = 'environment (from environment variables) (Automation Platform)';
const acme = 'Acme production (Automation Platform)';
const staging = 'Acme staging (Automation Platform)';

describe('the Accounts menu', () => {
  let service: Service;
  let workbench: Workbench;
  let menu: AccountsMenu;

  before(async () => {
    service = await startService({ data: sampleData() });
    workbench = await openWorkbench({
      env: environmentOf(service),
    });
    menu = new AccountsMenu(workbench.page);
    await workbench.view('Deployments');
    for (const name of ['Acme production', 'Acme staging']) {
      await signIn(workbench, { baseUrl: service.baseUrl, token: service.token, name });
    }
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  async function waitForAccounts(wanted: readonly string[]): Promise<void> {
    await untilRead(
      'the accounts',
      () => menu.accounts(),
      (seen) => JSON.stringify(seen.toSorted()) === JSON.stringify(wanted.toSorted()),
    );
  }

  it('lists every organization, and says which one is the environment’s @core', async () => {
    await waitForAccounts([environment, acme, staging]);
  });

  it('signs out of one: its data go, and no other takes its place @core', async () => {
    const view = await workbench.view('Deployments');
    await view.waitForDescription(/Acme staging$/);
    await menu.choose(staging, 'Sign Out');
    await workbench.dialog.waitFor(/Sign out of 'Acme staging'/);
    await workbench.dialog.press('Cancel');
    await view.waitForDescription(/Acme staging$/);

    await menu.choose(staging, 'Sign Out');
    await workbench.dialog.waitFor(/Sign out of 'Acme staging'/);
    await workbench.dialog.press('Sign Out');
    await view.welcome(/^Choose the organization for this workspace/);
    await waitForAccounts([environment, acme]);
  });

  it('cannot sign out of the environment’s, and says what to do', async () => {
    await workbench.notifications.clear();
    await menu.choose(environment, 'Sign Out');
    await workbench.dialog.waitFor(/Sign out of 'environment/);
    await workbench.dialog.press('Sign Out');
    const { text } = await workbench.notifications.waitFor(/remove both variables/);
    assert.equal(
      text,
      'The organization “environment” comes from AUTOMATION_PLATFORM_TOKEN and AUTOMATION_PLATFORM_BASE_URL. To sign out, remove both variables and restart VS Code.',
    );
    assert.equal((await workbench.notifications.shown()).length, 1);
    await workbench.notifications.clear();
    await waitForAccounts([environment, acme]);
  });
});

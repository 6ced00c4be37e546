import { strict as assert } from 'node:assert';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { AccountsMenu } from '../support/workbench/accountsMenu.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { requestsOf, run, signIn } from './actions.js';

const environment = 'environment (from environment variables) (Automation Platform)';
const acme = 'Acme production (Automation Platform)';
const staging = 'Acme staging (Automation Platform)';

describe('the Accounts menu', () => {
  let service: ServiceChild;
  let workbench: Workbench;
  let menu: AccountsMenu;

  before(async () => {
    service = await spawnService(['--sample']);
    workbench = await openWorkbench({
      env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token },
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
    let seen: string[] = [];
    const are = async (): Promise<boolean> => {
      seen = await menu.accounts();
      return JSON.stringify(seen.toSorted()) === JSON.stringify(wanted.toSorted());
    };
    await until('the accounts', are, { seen: () => seen });
  }

  it('lists every organization, and says which one is the environment’s', async () => {
    await waitForAccounts([environment, acme, staging]);
    assert.deepEqual(await menu.entriesOf(acme), ['Manage Trusted Extensions', 'Sign Out']);
  });

  it('asks for nobody’s consent: no extension wants a session, ours neither', async () => {
    const asking = workbench.page.locator('.part.activitybar .action-item', {
      has: workbench.page.locator('.action-label[aria-label^="Accounts"]'),
    });
    assert.equal(await asking.locator('.badge-content:visible').count(), 0);
    assert.equal(await workbench.dialog.isOpen(), false);
    assert.deepEqual(await workbench.notifications.shown(), []);
  });

  it('signs out of one: its data go, and no other takes its place', async () => {
    const view = await workbench.view('Deployments');
    await view.waitForDescription(/^Acme staging/);
    await menu.choose(staging, 'Sign Out');
    await workbench.dialog.waitFor(/Sign out of 'Acme staging'/);
    await workbench.dialog.press('Cancel');
    await view.waitForDescription(/^Acme staging/);

    await menu.choose(staging, 'Sign Out');
    await workbench.dialog.waitFor(/Sign out of 'Acme staging'/);
    await workbench.dialog.press('Sign Out');
    await view.welcome(/does not use any of your organizations/);
    await waitForAccounts([environment, acme]);
  });

  it('cannot sign out of the environment’s, and says what to do', async () => {
    await workbench.notifications.clear();
    await menu.choose(environment, 'Sign Out');
    await workbench.dialog.waitFor(/Sign out of 'environment/);
    await workbench.dialog.press('Sign Out');
    const { text } = await workbench.notifications.waitFor(/environment variables/);
    assert.equal(
      text,
      'This organization comes from the environment variables AUTOMATION_PLATFORM_TOKEN and AUTOMATION_PLATFORM_BASE_URL. To sign out of it, remove both and start VS Code again.',
    );
    assert.equal((await workbench.notifications.shown()).length, 1);
    await workbench.notifications.clear();
    await waitForAccounts([environment, acme]);
  });

  it('follows a sign-out by our own command', async () => {
    await run(workbench, 'Sign Out…');
    await workbench.quickInput.choose('Acme production');
    await workbench.dialog.waitFor(/Acme production/);
    await workbench.dialog.press('Sign Out');
    await waitForAccounts([environment]);
    // Nothing was listed, so nobody was asked about anything.
    assert.deepEqual(await requestsOf(service.control, 'getDeploymentAuthorization'), []);
  });
});

import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectRoot } from '../support/paths.js';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { sampleDeployments, sampleInstallTokens } from '../support/service/sample.js';
import type { Theme } from '../support/vscode/hostVersions.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, run, signIn } from './actions.js';

const setting = 'automationPlatform.deployments';

/** A file of the kind that people have: it names a deployment. */
const files = {
  'deploy.yaml': `# Nightly jobs of the finance team
automations:
  - name: billing-sync
    deployment: dep_billing_sync
    notify: acc_slack_finance

  - name: lead-intake
    deployment: dep_lead_intake
`,
};

const quiet = {
  'remote.autoForwardPorts': false,
  'workbench.layoutControl.enabled': false,
  'editor.minimap.enabled': false,
};

// Only on demand (`npm run pictures`): they prove nothing by themselves, somebody has to look at them.
if (process.env['AUTOMATION_PLATFORM_PICTURES']) {
  describe('pictures', () => {
    let service: ServiceChild;
    before(async () => {
      service = await spawnService(['--sample']);
    });
    after(() => service?.stop());

    const environment = () => ({
      AUTOMATION_PLATFORM_BASE_URL: service.baseUrl,
      AUTOMATION_PLATFORM_TOKEN: service.token,
    });

    it('of the README', async () => {
      const workbench = await openWorkbench({
        env: environment(),
        workspaceSettings: { [setting]: sampleDeployments },
        userSettings: quiet,
        files,
        theme: 'dark',
        viewport: { width: 1180, height: 670 },
      });
      const view = await workbench.view('Deployments');
      await widenSideBar(workbench, 600);
      await everythingRead(view);
      await view.expand('Billing sync');
      await view.expand({ label: 'notifier', under: 'Billing sync' });
      await view.expand({ label: 'slack-oauth', under: 'notifier' });
      await workbench.editor.open('deploy.yaml');
      await workbench.problems.waitForRows('those of the file', (rows) => rows.length > 1);
      await workbench.problems.close();
      await collapse(workbench, 'Pending Installs');
      await workbench.hovers.leave();
      const path = join(projectRoot, 'media', 'readme', 'deployments-dark.png');
      await mkdir(dirname(path), { recursive: true });
      await workbench.page.screenshot({ path });
      await workbench.close();
    });

    it('of the main job, step by step', async () => {
      const workbench = await openWorkbench({
        env: environment(),
        workspaceSettings: { [setting]: sampleDeployments },
        userSettings: quiet,
        files,
        theme: 'dark',
        viewport: { width: 1280, height: 540 },
      });
      const take = (step: string) =>
        workbench.page.screenshot({ path: join(projectRoot, 'media', 'readme', `main-job-${step}.png`) });
      const view = await workbench.view('Deployments');
      await widenSideBar(workbench, 440);
      await view.waitForDescription(/3 of 14 with problems/);
      await collapse(workbench, 'Pending Installs');
      await workbench.editor.open('deploy.yaml');
      await workbench.editor.hover('dep_billing_sync', /Reveal in Sidebar/);
      await opaque(workbench);
      await take('1-file');

      const reveal = workbench.hovers.shown.locator('a').filter({ hasText: 'Reveal in Sidebar' });
      await reveal.click();
      await view.waitForRows('Billing sync selected', ([first]) => first?.selected === true);
      await workbench.hovers.leave();
      await take('2-row');

      await view.expand('Billing sync');
      await view.expand({ label: 'notifier', under: 'Billing sync' });
      await view.expand({ label: 'slack-oauth', under: 'notifier' });
      await widenSideBar(workbench, 760);
      await workbench.hovers.leave();
      await take('3-step');
      await workbench.close();
    });

    for (const theme of ['dark', 'light', 'hcDark', 'hcLight'] as const) {
      it(`of the views, ${theme}`, () => takeAll(theme));
    }

    async function takeAll(theme: Theme): Promise<void> {
      const take = (window: Workbench, name: string) => window.screenshot(`${theme}-${name}`);
      const workbench = await openWorkbench({
        workspaceSettings: { [setting]: [] },
        userSettings: quiet,
        files,
        theme,
        viewport: { width: 1280, height: 800 },
      });
      const view = await workbench.view('Deployments');
      await view.welcome(/not signed in/);
      await workbench.hovers.leave();
      await take(workbench, '01-not-signed-in');

      await run(workbench, 'Sign In…');
      await workbench.quickInput.waitFor(/^The base URL/);
      await take(workbench, '02-sign-in-1');
      await workbench.quickInput.answer('http://host.example/api/v1');
      await workbench.quickInput.waitFor(/^http would send/);
      await take(workbench, '03-sign-in-1-refused');
      await workbench.quickInput.answer(service.baseUrl);
      await workbench.quickInput.waitFor(/^The access token/);
      await workbench.quickInput.type(service.token);
      await take(workbench, '04-sign-in-2');
      await workbench.quickInput.accept();
      await workbench.quickInput.waitFor(/^A name/);
      await workbench.quickInput.type('Acme production');
      await take(workbench, '05-sign-in-3');
      await workbench.quickInput.accept();
      await workbench.notifications.waitFor(/Acme production/);
      await take(workbench, '06-signed-in');
      await workbench.notifications.clear();
      await workbench.workspaceSettings.write({ [setting]: sampleDeployments });
      await everythingRead(view);
      await workbench.hovers.leave();
      await take(workbench, '10-deployments-narrow');
      await view.expand('Billing sync');
      await view.expand({ label: 'notifier', under: 'Billing sync' });
      await workbench.hovers.leave();
      await take(workbench, '11-expanded-narrow');
      await view.tooltip('Billing sync', /Organization/);
      await take(workbench, '12-hover-deployment');
      await view.tooltip({ label: 'Finance Slack', under: 'Billing sync' }, /error\.code/);
      await take(workbench, '13-hover-account');
      await view.collapse('Billing sync');
      await view.tooltip('Partner feed', /phish/);
      await take(workbench, '14-hover-hostile');
      await view.expand('dep_77');
      await view.expand('Legacy bridge');
      await view.expand('Partner feed');
      await workbench.hovers.leave();
      await take(workbench, '15-failures-narrow');
      await widenSideBar(workbench, 640);
      await view.expand('Billing sync');
      await view.expand({ label: 'slack-oauth', under: 'notifier' });
      await view.expand({ label: 'Finance Slack', under: 'Billing sync' });
      await workbench.hovers.leave();
      await take(workbench, '16-expanded-wide');
      await view.openTitleMenu();
      await take(workbench, '17-title-menu');
      await view.menu.close();
      await view.openMenu('Billing sync');
      await take(workbench, '18-context-menu');
      await view.menu.close();
      await service.control.fault('all', { hold: true });
      await view.pressTitleAction('Refresh');
      await view.waitForDescription(/0 of 14/);
      await take(workbench, '19-refreshing');
      await view.pressTitleAction('Cancel Refresh');
      await view.waitForDescription(/problems/);
      await service.control.clearFaults();
      await service.control.release();

      await run(workbench, 'Go to Deployment…');
      await workbench.quickInput.waitForRow('Billing sync');
      await take(workbench, '20-go-to');
      await workbench.quickInput.cancel();
      for (const token of Object.values(sampleInstallTokens)) {
        await run(workbench, 'Look Up Install…');
        await answer(workbench, /^The install link/, token);
        await workbench.quickInput.waitForClosed();
      }
      const installs = await workbench.view('Pending Installs');
      await installs.row('Data lake');
      await installs.tooltip('Acme CRM', /serviceSub/);
      await take(workbench, '21-installs');
      await run(workbench, 'Look Up Install…');
      await workbench.quickInput.type('ffffffff-1111-4222-8333-44445555abcd');
      await take(workbench, '22-look-up');
      await workbench.quickInput.accept();
      await workbench.notifications.waitFor(/^404/);
      await take(workbench, '23-look-up-404');
      await workbench.notifications.clear();

      await run(workbench, 'Revoke API Key…');
      await workbench.quickInput.waitFor(/^The id of the API key/);
      await workbench.quickInput.type(service.token);
      await workbench.quickInput.waitFor(/^This is the key itself/);
      await take(workbench, '24-revoke-key-itself');
      await workbench.quickInput.answer('key_7Qm2xT9bLw4Z');
      await workbench.dialog.waitFor(/^Permanently/);
      await take(workbench, '25-revoke-warning');
      await workbench.dialog.press('Continue');
      await workbench.quickInput.waitFor(/^Type the key id/);
      await workbench.quickInput.answer('key_7Qm2xT9bLw4');
      await workbench.quickInput.waitFor(/^This is not the same/);
      await take(workbench, '26-revoke-again');
      await service.control.fault({ operation: 'deleteApiKey' }, { status: 500 });
      await workbench.quickInput.answer('key_7Qm2xT9bLw4Z');
      await workbench.notifications.waitFor(/not known/);
      await take(workbench, '27-revoke-unknown');
      await workbench.notifications.clear();
      await service.control.clearFaults();

      await view.chooseFromMenu('Onboarding', 'Remove Deployment from List…');
      await workbench.dialog.waitFor(/Remove/);
      await take(workbench, '28-remove');
      await workbench.dialog.press('Remove from List');
      await workbench.notifications.waitFor(/^Removed/);
      await take(workbench, '29-removed');
      await workbench.notifications.clear();

      await workbench.workspaceSettings.write({ [setting]: ['dep_lead_intake'] });
      await view.waitForRows('one', (rows) => rows.length === 1);
      await view.pressTitleAction('Show Only Problems');
      await view.welcome(/hidden/);
      await workbench.hovers.leave();
      await take(workbench, '30-all-hidden');
      await view.pressWelcomeButton('Show All');
      await service.control.deleteToken(service.token);
      await run(workbench, 'Refresh');
      await view.row(/Token rejected/);
      await workbench.hovers.leave();
      await take(workbench, '31-token-rejected');
      await service.control.putToken(service.token);
      await run(workbench, 'Refresh');
      await view.waitForNoRow(/Token rejected/);
      await service.control.putToken('second');
      await signIn(workbench, { baseUrl: service.baseUrl, token: 'second', name: 'Acme staging' });
      await run(workbench, 'Switch Organization…');
      await workbench.quickInput.waitForRow('Acme staging');
      await take(workbench, '32-switch');
      await workbench.quickInput.cancel();
      await run(workbench, 'Sign Out…');
      await workbench.quickInput.choose('Acme staging');
      await workbench.dialog.waitFor(/Sign out/);
      await take(workbench, '33-sign-out');
      await workbench.dialog.press('Sign Out');
      await view.welcome(/does not use any/);
      await workbench.hovers.leave();
      await take(workbench, '34-choose-organization');
      await run(workbench, 'Show Log');
      await take(workbench, '35-log');
      await workbench.close();
    }
  });
}

async function everythingRead(view: TreeView): Promise<void> {
  await view.waitForRows('all read', (rows) =>
    rows.some(({ label, icon }) => label === 'Warehouse sync' && icon === 'pass'),
  );
}

/** Drags the edge of the side bar. */
async function widenSideBar({ page }: Workbench, width: number): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (!box) {
    throw new Error('There is no side bar.');
  }
  await page.mouse.move(box.x + box.width, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + width, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
}

/** Hovers fade in. */
async function opaque({ hovers }: Workbench): Promise<void> {
  await until('the hover to be there whole', async () => {
    const opacities = await hovers.shown.evaluateAll((shown: { getAnimations(): { playState: string }[] }[]) =>
      shown.map((hover) => hover.getAnimations().every(({ playState }) => playState === 'finished')),
    );
    return opacities.length > 0 && opacities.every(Boolean);
  });
}

async function collapse({ page }: Workbench, title: string): Promise<void> {
  await page.locator(`.pane-header[aria-label^="${title}"]`).click();
}

import { strict as assert } from 'node:assert';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { DEFAULT_SESSION_TOKEN, grant, install } from '../support/service/data.js';
import { sampleInstallTokens } from '../support/service/sample.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, requestsOf, run, signIn } from './actions.js';

const { crm, sheets, enterprise } = sampleInstallTokens;
const soon = '5e1f0000-1111-4222-8333-44445555abcd';
const unknown = 'ffffffff-1111-4222-8333-44445555abcd';
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

describe('pending installs', () => {
  let service: ServiceChild;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await spawnService(['--sample']);
    workbench = await openWorkbench({
      workspaceSettings: { 'automationPlatform.deployments': ['dep_onboarding'] },
    });
    view = await workbench.view('Pending Installs');
    await signIn(workbench, { baseUrl: service.baseUrl, token: service.token, name: 'Acme' });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  const asked = () => requestsOf(service.control, 'getIntegrationInstall');

  async function lookUp(text: string): Promise<void> {
    await run(workbench, 'Look Up Install…');
    await answer(workbench, /^The install link, or the token in it\./, text);
    await workbench.quickInput.waitForClosed();
  }

  it('begin with what the view is for, and a masked question that names who is asked', async () => {
    const { text, buttons } = await view.welcome();
    assert.match(text, /^Did somebody send you an install link\?/);
    assert.deepEqual(buttons, ['Look Up Install']);
    await view.pressWelcomeButton('Look Up Install');
    await workbench.quickInput.waitFor(
      new RegExp(
        `^The install link, or the token in it\\. “Acme” \\(${new URL(service.baseUrl).host}\\) is asked about it\\.`,
      ),
    );
    assert.equal(await workbench.quickInput.isPassword(), true);
  });

  it('refuse a text without a token and one with two, and send nothing', async () => {
    await workbench.quickInput.answer('https://dash.example/install/3f2b8c1e');
    await workbench.quickInput.waitFor(/^There is no install token in this text\. A token is a UUID/);
    await workbench.quickInput.answer(`${crm} and ${sheets}`);
    await workbench.quickInput.waitFor('There are 2 different UUIDs in this text. Paste only the one of the install.');
    await workbench.quickInput.answer('');
    await workbench.quickInput.waitFor('Paste an install link, or the token in it.');
    await workbench.quickInput.cancel();
    assert.deepEqual(await asked(), []);
  });

  it('take the one token of a link, in any case', async () => {
    await run(workbench, 'Look Up Install…');
    await workbench.quickInput.waitFor(/^The install link/);
    const link = `https://dash.example/installs/${crm.toUpperCase()}?again=${crm}#top`;
    await workbench.quickInput.type(link);
    await workbench.quickInput.waitFor('There is one install token in this text. It is used.');
    await workbench.quickInput.accept();
    const row = await view.row({ label: 'Acme CRM', description: /^needs pro · 4[3-6] min left · HubSpot$/ });
    assert.equal(row.icon, 'package');
    assert.match(
      row.ariaLabel,
      /^Acme CRM, pending install, needs pro, lapses on \w+ \d+, \d{4}, \d+:\d\d:\d\d [AP]M [^,]+, HubSpot$/,
    );
    const [request, ...others] = await asked();
    assert.deepEqual(others, []);
    assert.equal(request?.path, `/api/v1/integration-installs/${crm}`);
    assert.equal(request?.headers.authorization, `Bearer ${service.token}`);
  });

  it('show every field and who was asked in the hover, never the token', async () => {
    const hover = await view.tooltip('Acme CRM', /serviceSub/);
    for (const line of [
      'label Acme CRM',
      'requiredPlan pro',
      'serviceId hubspot',
      'serviceName HubSpot',
      'serviceSub portal-4711',
    ]) {
      assert.ok(hover.split('\n').includes(line), `${line} in ${hover}`);
    }
    assert.match(hover, /^Acme CRM · Acme$/m);
    assert.ok(!hover.toLowerCase().includes(crm.slice(0, 8)), hover);
    await workbench.hovers.leave();
  });

  it('say that one has lapsed, and plans that nobody knows as they come', async () => {
    await lookUp(sheets);
    const lapsed = await view.row({ label: 'Sheets', description: 'free · lapsed 2 hr. ago · Google Sheets' });
    assert.equal(lapsed.icon, 'circle-slash');
    assert.match(lapsed.ariaLabel, /^Sheets, pending install, free, lapsed on .*, Google Sheets$/);
    await lookUp(enterprise);
    await view.row({ label: 'Data lake', description: /^needs enterprise · (3 days|2 days 23 hr) left · Snowflake$/ });
  });

  it('count down without asking again', async () => {
    await service.control.putInstall(soon, install({ label: 'Soon', expiresAt: inSeconds(55) }));
    await lookUp(soon);
    const { description } = await view.row({ label: 'Soon', description: /^needs pro · \d+ sec left · HubSpot$/ });
    await until('other words', async () => (await view.row('Soon')).description !== description);
    await service.control.putInstall(soon, install({ label: 'Soon', expiresAt: inSeconds(2) }));
    await lookUp(soon);
    await view.row({ label: 'Soon', description: 'needs pro · lapsed just now · HubSpot' });
    assert.equal((await view.row('Soon')).icon, 'circle-slash');
    // One row for one install, and one request for each look-up.
    assert.equal((await view.rows()).filter(({ label }) => label === 'Soon').length, 1);
    assert.equal((await asked()).length, 5);
  });

  it('say what is probably wrong when one is not found', async () => {
    await lookUp(unknown);
    const { text, severity } = await workbench.notifications.waitFor(/^404: /);
    assert.match(
      text,
      /The pending install has probably lapsed or been completed, or it belongs to another organization\./,
    );
    assert.equal(severity, 'error');
    assert.ok(!text.includes(unknown.slice(0, 8)), text);
    await workbench.notifications.clear();
  });

  it('say on 401 that they take a user session token, and use the one that is then set', async () => {
    await service.control.putToken(DEFAULT_SESSION_TOKEN, grant('session', []));
    await lookUp(crm);
    const { text, buttons } = await workbench.notifications.waitFor(/^401: /);
    assert.equal(
      text,
      `401: This operation takes a user session token, and ${new URL(service.baseUrl).host} rejected the access token of “Acme”. Set a user session token of a user who may see it.`,
    );
    assert.deepEqual(buttons, ['Set User Session Token…']);
    await workbench.notifications.press(/^401: /, 'Set User Session Token…');
    await workbench.quickInput.waitFor(/^User session token of “Acme”, for looking up installs\./);
    assert.equal(await workbench.quickInput.isPassword(), true);
    await workbench.quickInput.answer(DEFAULT_SESSION_TOKEN);
    await workbench.quickInput.waitForClosed();
    await service.control.clearRequests();
    await lookUp(crm);
    const [request] = await service.control.waitForRequests(1, {
      operation: 'getIntegrationInstall',
      state: 'answered',
    });
    assert.equal(request?.headers.authorization, `Bearer ${DEFAULT_SESSION_TOKEN}`);
    // The deployments are read with the access token, and nothing is said against it there.
    const deployments = await workbench.view('Deployments');
    assert.deepEqual(await deployments.outline(), ['dep_onboarding · 2 of 2 satisfied']);
    await run(workbench, 'Refresh');
    const [read] = await service.control.waitForRequests(1, { operation: 'getDeploymentAuthorization' });
    assert.equal(read?.headers.authorization, `Bearer ${service.token}`);
    await run(workbench, 'Switch Organization…');
    const { detail } = await workbench.quickInput.waitForRow('Acme');
    assert.equal(detail, `${service.baseUrl} · signed in, with a user session token`);
    await workbench.quickInput.cancel();
  });

  it('lose the session token by an empty input', async () => {
    await run(workbench, 'Set User Session Token…');
    await answer(workbench, /One is set; empty input removes it\./, '');
    await workbench.quickInput.waitForClosed();
    await lookUp(crm);
    await workbench.notifications.waitFor(/^401: .* rejected the access token of “Acme”/);
    await workbench.notifications.clear();
  });

  it('never show a token in full, anywhere in the window', async () => {
    const shown = (await workbench.page.content()).toLowerCase();
    assert.ok(shown.includes('acme crm'));
    for (const token of [crm, sheets, enterprise, soon, unknown]) {
      assert.ok(!shown.includes(token), token);
    }
  });

  it('are forgotten one by one, and with the sign-in', async () => {
    assert.deepEqual(await view.inlineActions('Soon'), ['Forget Install']);
    assert.deepEqual(await view.menuEntries('Soon'), ['Forget Install']);
    await view.pressInlineAction('Soon', 'Forget Install');
    await view.waitForNoRow('Soon');
    await view.chooseFromMenu('Sheets', 'Forget Install');
    await view.waitForNoRow('Sheets');
    assert.deepEqual((await view.rows()).map(({ label }) => label).toSorted(), ['Acme CRM', 'Data lake']);
    await run(workbench, 'Sign Out…');
    await workbench.dialog.waitFor(/Sign out of “Acme”\?/);
    await workbench.dialog.press('Sign Out');
    await view.welcome(/^Did somebody send you an install link\?/);
    assert.deepEqual(await view.rows(), []);
  });
});

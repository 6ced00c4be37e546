import { strict as assert } from 'node:assert';
import { DEFAULT_SESSION_TOKEN, grant, install } from '../support/service/data.js';
import { sampleData, sampleInstallTokens } from '../support/service/sample.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, requestsOf, run, signIn } from './actions.js';

const { crm, sheets, enterprise } = sampleInstallTokens;
const soon = '5e1f0000-1111-4222-8333-44445555abcd';
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

describe('pending installs', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await startService({ data: sampleData() });
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

  const asked = () => requestsOf(service, 'getIntegrationInstall');

  async function lookUp(text: string): Promise<void> {
    await run(workbench, 'Look Up Install…');
    await answer(workbench, /^Install link or token, to look up in “Acme”/, text);
    await workbench.quickInput.waitForClosed();
  }

  it('begin with what the view is for, and a masked question that names who is asked @core', async () => {
    const { text, buttons } = await view.welcome();
    assert.match(text, /^Look up an install link before you open it/);
    assert.deepEqual(buttons, ['Look Up Install']);
    await view.pressWelcomeButton('Look Up Install');
    await workbench.quickInput.waitFor(
      new RegExp(`^Install link or token, to look up in “Acme” \\(${new URL(service.baseUrl).host}\\)`),
    );
    assert.equal(await workbench.quickInput.isPassword(), true);
  });

  it('refuse a text without a token and one with two, and send nothing @core', async () => {
    await workbench.quickInput.answer('https://dash.example/install/3f2b8c1e');
    await workbench.quickInput.waitFor(/^No install token found\. It is a UUID/);
    await workbench.quickInput.answer(`${crm} and ${sheets}`);
    await workbench.quickInput.waitFor('Found 2 different UUIDs. Paste only the install token.');
    await workbench.quickInput.answer('');
    await workbench.quickInput.waitFor('Paste an install link or token.');
    await workbench.quickInput.cancel();
    assert.deepEqual(asked(), []);
  });

  it('take the one token of a link, in any case @core', async () => {
    await run(workbench, 'Look Up Install…');
    await workbench.quickInput.waitFor(/^Install link/);
    const link = `https://dash.example/installs/${crm.toUpperCase()}?again=${crm}#top`;
    await workbench.quickInput.type(link);
    await workbench.quickInput.waitFor('The install token in this text is used.');
    await workbench.quickInput.accept();
    const row = await view.row({ label: 'Acme CRM', description: /^needs pro · 4[3-6] min left · HubSpot$/ });
    assert.equal(row.icon, 'package');
    assert.match(
      row.ariaLabel,
      /^Acme CRM, pending install, needs pro, expires on \w+ \d+, \d{4}, \d+:\d\d:\d\d [AP]M [^,]+, HubSpot$/,
    );
    const [request, ...others] = asked();
    assert.deepEqual(others, []);
    assert.equal(request?.path, `/api/v1/integration-installs/${crm}`);
    assert.equal(request?.headers.authorization, `Bearer ${service.token}`);
  });

  it('show every field and who was asked in the hover, never the token @core', async () => {
    const hover = await view.tooltip('Acme CRM', /serviceSub/);
    for (const line of ['Acme CRM · Acme', 'serviceId hubspot', 'serviceSub portal-4711']) {
      assert.ok(hover.split('\n').includes(line), `${line} in ${hover}`);
    }
    assert.match(hover, /^Pending install of HubSpot\. Requires the pro plan\. Expires on /m);
    assert.ok(!hover.toLowerCase().includes(crm.slice(0, 8)), hover);
    await workbench.hovers.leave();
  });

  it('say that one has expired, and plans that nobody knows as they come', async () => {
    await lookUp(sheets);
    const expired = await view.row({ label: 'Sheets', description: 'expired 2 hours ago · free · Google Sheets' });
    assert.equal(expired.icon, 'circle-slash');
    assert.match(expired.ariaLabel, /^Sheets, pending install, free, expired on .*, Google Sheets$/);
    await lookUp(enterprise);
    await view.row({ label: 'Data lake', description: /^needs enterprise · (3 days|2 days 23 hr) left · Snowflake$/ });
  });

  it('count down without asking again', async () => {
    service.putInstall(soon, install({ label: 'Soon', expiresAt: inSeconds(55) }));
    await lookUp(soon);
    const { description } = await view.row({ label: 'Soon', description: /^needs pro · \d+ sec left · HubSpot$/ });
    await until('other words', async () => (await view.row('Soon')).description !== description);
    service.putInstall(soon, install({ label: 'Soon', expiresAt: inSeconds(2) }));
    await lookUp(soon);
    await view.row({ label: 'Soon', description: 'expired just now · needs pro · HubSpot' });
    assert.equal((await view.row('Soon')).icon, 'circle-slash');
    // One row for one install, and one request for each look-up.
    assert.equal((await view.rows()).filter(({ label }) => label === 'Soon').length, 1);
    assert.equal(asked().length, 5);
  });

  it('say on 401 that they take a user session token, and use the one that is then set', async () => {
    service.putToken(DEFAULT_SESSION_TOKEN, grant('session', []));
    await lookUp(crm);
    const { text, buttons } = await workbench.notifications.waitFor(/^Token rejected/);
    assert.equal(
      text,
      'Token rejected (401). Looking up an install takes a user session token, and “Acme” has none. Set the session token of a user who can see the install.',
    );
    assert.deepEqual(buttons, ['Set User Session Token…']);
    await workbench.notifications.press(/^Token rejected/, 'Set User Session Token…');
    await workbench.quickInput.waitFor(/^The user session token of “Acme”, for looking up installs\./);
    assert.equal(await workbench.quickInput.isPassword(), true);
    await workbench.quickInput.answer(DEFAULT_SESSION_TOKEN);
    await workbench.quickInput.waitForClosed();
    service.clearRequests();
    await lookUp(crm);
    const [request] = await service.waitForRequests(1, {
      operation: 'getIntegrationInstall',
      state: 'answered',
    });
    assert.equal(request?.headers.authorization, `Bearer ${DEFAULT_SESSION_TOKEN}`);
    // The deployments are read with the access token, and nothing is said against it there.
    const deployments = await workbench.view('Deployments');
    assert.deepEqual(await deployments.outline(), ['dep_onboarding · 2 of 2 satisfied']);
    await run(workbench, 'Refresh');
    const [read] = await service.waitForRequests(1, { operation: 'getDeploymentAuthorization' });
    assert.equal(read?.headers.authorization, `Bearer ${service.token}`);
    await run(workbench, 'Switch Organization…');
    const { detail } = await workbench.quickInput.waitForRow('Acme');
    assert.equal(detail, `${service.baseUrl} · signed in, with a user session token`);
    await workbench.quickInput.cancel();
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
    await view.welcome(/^Look up an install link before you open it/);
    assert.deepEqual(await view.rows(), []);
  });
});

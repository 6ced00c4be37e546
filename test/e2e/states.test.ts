import { strict as assert } from 'node:assert';
import { type ServiceChild, spawnService } from '../support/service/child.js';
import { healthy } from '../support/service/data.js';
import { type Fault, faults } from '../support/service/faults.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { requestsOf, run, signIn, waitForOutline } from './actions.js';

/** One deployment for each thing that can go wrong; what is not here is fine. */
const wrong: Readonly<Record<string, Fault>> = {
  dropped: faults.reset(),
  elsewhere: faults.redirect('https://login.example/start?next=%2F'),
  failing: faults.status(500),
  forbidden: faults.status(403),
  html: faults.html(200, 'Please sign in'),
  hung: faults.hold(),
  missing: faults.status(404),
  rejected: faults.status(401),
  strange: faults.json({ data: [] }),
  teapot: faults.status(418),
};

describe('what can go wrong', () => {
  let service: ServiceChild;
  let workbench: Workbench;
  let view: TreeView;
  let host: string;

  before(async () => {
    service = await spawnService();
    host = new URL(service.baseUrl).host;
    await service.control.putDeployment('fine', healthy());
    await service.control.putDeployment('well', healthy());
    for (const [id, fault] of Object.entries(wrong)) {
      await service.control.putDeployment(id, healthy());
      await service.control.fault({ id }, fault);
    }
    workbench = await openWorkbench({
      env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token },
      workspaceSettings: { 'automationPlatform.deployments': ['fine', 'well', ...Object.keys(wrong)] },
      viewport: { width: 1280, height: 1000 },
    });
    view = await workbench.view('Deployments');
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  const rowsByName = async () => (await view.outline()).toSorted();

  it('looks different for each cause, and what hangs holds up nobody', async () => {
    const expected = [
      'dropped · connection lost (ECONNRESET)',
      'elsewhere · redirected (302) to login.example',
      'failing · server error (500)',
      'fine · 1 of 1 satisfied',
      'forbidden · not permitted (403)',
      'html · answer unusable: not JSON',
      'hung · reading',
      'missing · not found (404)',
      'rejected · token rejected (401)',
      'strange · answer unusable: not the expected fields',
      'teapot · refused (418)',
      'well · 1 of 1 satisfied',
    ];
    await until('all but the one that hangs', async () => String(await rowsByName()) === String(expected), {
      seen: rowsByName,
    });
    assert.equal((await view.row('hung')).icon, 'sync');
    await view.waitForDescription('environment · 11 of 12');
    await run(workbench, 'Cancel Refresh');
    await waitForOutline(view, [
      ...expected.filter((row) => !/^(fine|hung|well)/.test(row)),
      'hung · not checked yet',
      'fine · 1 of 1 satisfied',
      'well · 1 of 1 satisfied',
    ]);
    await view.waitForDescription('environment · no problems, 10 of 12 unknown');
  });

  it('is told under the row: what happened, what it probably means, and what to do', async () => {
    const sentences: Readonly<Record<string, string>> = {
      dropped: `The connection to ${host} was lost before the whole answer had arrived (ECONNRESET). Check the connection to see where on the way it ends.`,
      elsewhere: `302: ${host} redirects to login.example. Redirects are never followed, since a token is only sent to its own base URL. If the service has moved, sign in with its new base URL.`,
      failing: `500: ${host} could not answer. It is probably a passing disturbance of the service. Try again later.`,
      forbidden: `403: ${host} does not permit this. The token of “environment” probably lacks the permission to read this deployment. Ask for the permission, or switch the organization.`,
      html: `200: ${host} sent an answer that is not JSON. It probably comes from a sign-in page or a proxy, or the base URL is not that of the API. Check the base URL and the connection.`,
      missing: `404: ${host} does not find it. There is probably no deployment with this id, or it belongs to another organization. Compare the id with the one in the dashboard, or switch the organization.`,
      rejected: `401: ${host} rejected the access token of “environment”. It has probably expired or been revoked. Put a valid token into AUTOMATION_PLATFORM_TOKEN and start VS Code again, or sign in.`,
      strange: `200: ${host} sent JSON without the expected fields. The base URL is probably not that of the API, or the service has changed. Check the base URL and the connection.`,
      teapot: `418: ${host} refused the request. The reason is not known. The log has the details.`,
    };
    for (const [id, sentence] of Object.entries(sentences)) {
      await view.expand(id);
      const row = await view.row({ under: id });
      assert.equal(row.label, sentence);
      assert.equal(row.icon, 'circle-slash');
      await view.collapse(id);
    }
  });

  it('has its step one click away', async () => {
    await view.expand('missing');
    await view.select({ under: 'missing' });
    await workbench.quickInput.waitFor('Switch Organization');
    await workbench.quickInput.cancel();
    await view.collapse('missing');
    await view.expand('rejected');
    await view.select({ under: 'rejected' });
    await workbench.quickInput.waitFor(/^The base URL of the API/);
    assert.equal(await workbench.quickInput.value(), service.baseUrl);
    await workbench.quickInput.cancel();
    await view.collapse('rejected');
  });

  describe('when it went wrong after it went well', () => {
    const ids = Object.keys(wrong).toSorted();
    const well = [...ids, 'fine', 'well'].toSorted().map((id) => `${id} · 1 of 1 satisfied`);

    before(async () => {
      await service.control.clearFaults();
      await service.control.release();
      await run(workbench, 'Refresh');
      await waitForOutline(view, well);
      await view.waitForDescription('environment · no problems');
    });

    it('keeps what was read, marked stale with its age and the cause', async () => {
      await service.control.fault({ id: 'well' }, faults.status(503));
      await view.expand('well');
      await view.pressInlineAction('well', 'Refresh Deployment');
      await waitForOutline(view, [
        ...well.slice(0, -1),
        'well · 1 of 1 satisfied · stale, last read … · server error (503)',
        `  503: ${host} could not answer. It is probably a passing disturbance of the service. Try again later.`,
        '  notifier · slack · satisfied',
        '  Ops Slack · slack · T01 · no error · checked …',
      ]);
      const row = await view.row('well');
      assert.equal(row.icon, 'pass');
      assert.match(row.ariaLabel, /^well, deployment, 1 of 1 satisfied, stale, last read .*, server error \(503\)$/);
      await workbench.statusBar.waitForText('summary', '12 deployments · stale');
      const hover = await view.tooltip('well', /Stale/);
      assert.match(hover, /^Satisfied: 1 of 1 satisfied$/m);
      assert.match(hover, /^Stale: last read on \w+ \d+, 2\d{3}, \d+:\d\d:\d\d [AP]M \S+\.$/m);
      assert.match(hover, /^503: /m);
      await service.control.clearFaults();
      await view.pressInlineAction('well', 'Refresh Deployment');
      await view.row({ label: 'well', description: '1 of 1 satisfied' });
      await view.collapse('well');
      await waitForOutline(view, well);
    });

    it('says a rejected token in the first row, once, with the step that helps', async () => {
      await service.control.deleteToken(service.token);
      await service.control.clearRequests();
      await run(workbench, 'Refresh');
      await view.row({ label: 'Token rejected (401)', level: 1 });
      await view.waitForDescription(/^environment · (?!\d+ of)/);
      const [first, ...rows] = await view.rows();
      assert.equal(first?.label, 'Token rejected (401)');
      assert.equal(first.description, 'Sign In…');
      assert.match(first.ariaLabel, /^Token rejected \(401\), 401: .* rejected the access token of “environment”\./);
      assert.equal(rows.length, 12);
      // What was read before stays, whether it was asked for again or not.
      for (const row of rows) {
        assert.match(row.description, /^1 of 1 satisfied( · stale, last read .* · token rejected \(401\))?$/);
      }
      // No use in asking twelve times.
      assert.ok((await requestsOf(service.control, 'getDeploymentAuthorization')).length < 12);
      await workbench.statusBar.waitForText('summary', 'Automation Platform: token rejected (401)');
      await view.select('Token rejected (401)');
      await workbench.quickInput.waitFor(/^The base URL of the API/);
      assert.equal(await workbench.quickInput.value(), service.baseUrl);
      await workbench.quickInput.cancel();
      await service.control.putToken(service.token);
      await run(workbench, 'Refresh');
      await waitForOutline(view, well);
    });

    it('shows a pause by the service with its end, for this organization only', async () => {
      await service.control.fault('all', faults.retryAfter(300));
      await run(workbench, 'Refresh');
      const paused = await view.row({ label: /^Paused by the service \(429\) until \d\d:\d\d [AP]M/, level: 1 });
      assert.equal(paused.index, 0);
      assert.equal(paused.icon, 'debug-pause');
      await workbench.statusBar.waitForText('summary', /paused by the service \(429\) until/);
      await view.row({ description: /^1 of 1 satisfied · stale, .* · rate limited \(429\) until \d\d:\d\d [AP]M/ });
      await service.control.clearFaults();
      await service.control.putToken('token-of-another-organization');
      await signIn(workbench, { baseUrl: service.baseUrl, token: 'token-of-another-organization', name: 'Other' });
      await waitForOutline(view, well);
      await view.waitForDescription('Other · no problems');
      await service.control.clearRequests();
      await run(workbench, 'Switch Organization…');
      await workbench.quickInput.choose(/^environment/);
      await view.row({ label: /^Paused by the service \(429\)/, level: 1 });
      assert.deepEqual(await requestsOf(service.control, 'getDeploymentAuthorization'), []);
      await run(workbench, 'Switch Organization…');
      await workbench.quickInput.choose('Other');
      await waitForOutline(view, well);
    });

    it('says in the first row when the service can not be reached', async () => {
      await service.stop();
      await run(workbench, 'Refresh');
      const first = await view.row({ label: `Unreachable: connection refused by ${host}`, level: 1 });
      assert.equal(first.index, 0);
      assert.equal(first.description, 'Check Connection…');
      await view.row({
        label: 'fine',
        description: /^1 of 1 satisfied · stale, .* · unreachable: connection refused by /,
      });
    });
  });
});

describe('the Deployments view, showing only problems', () => {
  let service: ServiceChild;
  let workbench: Workbench;

  before(async () => {
    service = await spawnService();
    await service.control.putDeployment('dep_1', healthy());
    await service.control.putDeployment('dep_2', healthy());
    workbench = await openWorkbench({
      env: { AUTOMATION_PLATFORM_BASE_URL: service.baseUrl, AUTOMATION_PLATFORM_TOKEN: service.token },
      workspaceSettings: { 'automationPlatform.deployments': ['dep_1'] },
    });
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  it('does not say that all is well while one of them was never read', async () => {
    const view = await workbench.view('Deployments');
    await view.row({ label: 'dep_1', description: '1 of 1 satisfied' });
    await view.pressTitleAction('Show Only Problems');
    await view.welcome(/^No deployment has a problem\. All of them are hidden/);
    await service.control.fault({ id: 'dep_2' }, faults.hold());
    await workbench.workspaceSettings.write({ 'automationPlatform.deployments': ['dep_1', 'dep_2'] });
    const { text, buttons } = await view.welcome(/^Not every deployment has been checked yet/);
    assert.match(text, /Those without a known problem are hidden, because only problems are shown\./);
    assert.deepEqual(buttons, ['Refresh']);
    await workbench.screenshot('not-all-read');
    await view.pressWelcomeButton('Refresh');
    await service.control.waitForRequests(1, { id: 'dep_2' });
    await view.welcome(/^Not every deployment has been checked yet/);
    await service.control.clearFaults();
    await service.control.release();
    await view.welcome(/^No deployment has a problem\. All of them are hidden/);
  });
});

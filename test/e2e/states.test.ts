import { strict as assert } from 'node:assert';
import { isDeepStrictEqual } from 'node:util';
import { healthy } from '../support/service/data.js';
import { type Fault, faults } from '../support/service/faults.js';
import { type Service, startService } from '../support/service/service.js';
import { openWorkbench } from '../support/workbench/openWorkbench.js';
import type { TreeView } from '../support/workbench/treeView.js';
import { until, untilRead } from '../support/workbench/until.js';
import type { Workbench } from '../support/workbench/workbench.js';
import { answer, environmentOf, requestsOf, run, waitForOutline } from './actions.js';

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

const setting = 'automationPlatform.deployments';
const ids = ['fine', 'well', ...Object.keys(wrong)];

describe('what can go wrong', () => {
  let service: Service;
  let workbench: Workbench;
  let view: TreeView;

  before(async () => {
    service = await startService();
    service.putDeployment('fine', healthy());
    service.putDeployment('well', healthy());
    for (const [id, fault] of Object.entries(wrong)) {
      service.putDeployment(id, healthy());
      service.fault({ id }, fault);
    }
    workbench = await openWorkbench({
      env: environmentOf(service),
      workspaceSettings: { [setting]: ids },
      viewport: { width: 1280, height: 1000 },
    });
    view = await workbench.view('Deployments');
  });
  after(async () => {
    await workbench?.close();
    await service?.stop();
  });

  const listed = async () => (await workbench.workspaceSettings.read())[setting];

  const rowsByName = async () => (await view.outline()).toSorted();

  it('looks different for each cause, and what hangs holds up nobody', async () => {
    const expected = [
      'dropped · Connection lost',
      'elsewhere · Redirected',
      'failing · Server error',
      'fine · 1 of 1 satisfied',
      'forbidden · Access denied',
      'html · Invalid response',
      'hung · reading',
      'missing · Not found',
      'rejected · Token rejected',
      'strange · Invalid response',
      'teapot · Request refused',
      'well · 1 of 1 satisfied',
    ];
    await until('all but the one that hangs', async () => String(await rowsByName()) === String(expected), {
      seen: rowsByName,
    });
    assert.equal((await view.row('hung')).icon, 'sync');
    await view.waitForDescription('11 of 12 · environment');
    await run(workbench, 'Cancel Refresh');
    await waitForOutline(view, [
      ...expected.filter((row) => !/^(fine|hung|well)/.test(row)),
      'hung · not read yet',
      'fine · 1 of 1 satisfied',
      'well · 1 of 1 satisfied',
    ]);
    await view.waitForDescription('None failing, 9 unknown, 1 not read yet · environment');
  });

  it('has what helps below the row, and as its buttons', async () => {
    for (const [id, name, next] of [
      ['elsewhere', 'Redirected', 'If the service has moved, sign in with its new base URL.'],
      ['missing', 'Not found', 'Check the ID, or switch organizations.'],
    ] as const) {
      await view.expand(id);
      assert.equal((await view.row({ label: name, under: id })).description, next);
      await view.collapse(id);
    }
    await view.expand('rejected');
    assert.deepEqual(await view.inlineActions({ under: 'rejected' }), ['Sign In…']);
    await view.pressInlineAction({ under: 'rejected' }, 'Sign In…');
    await workbench.quickInput.waitFor(/^The base URL of the API/);
    await workbench.quickInput.cancel();
    await view.collapse('rejected');

    assert.deepEqual(await view.inlineActions('missing'), [
      'Edit ID…',
      'Remove Deployment from List…',
      'Refresh Deployment',
    ]);
    await view.pressInlineAction('missing', 'Edit ID…');
    await answer(workbench, /^ID of “missing”\./, 'misspelt');
    await view.row({ label: 'misspelt', description: 'Not found' });
    assert.deepEqual(await listed(), ids.with(ids.indexOf('missing'), 'misspelt'));
    await workbench.notifications.press(/^Changed the ID “missing” to “misspelt” in /, 'Undo');
    // Not before it was read: then the row is drawn anew, and a click meanwhile gets lost.
    await view.row({ label: 'missing', description: 'Not found' });
    await view.pressInlineAction('missing', 'Remove Deployment from List…');
    await workbench.notifications.press(/^Removed “missing”/, 'Undo');
    await untilRead('the list as it was', listed, (now) => isDeepStrictEqual(now, ids));
    await view.row('missing');
  });

  describe('when it went wrong after it went well', () => {
    const well = ids.toSorted().map((id) => `${id} · 1 of 1 satisfied`);

    before(async () => {
      service.clearFaults();
      service.release();
      await run(workbench, 'Refresh');
      await waitForOutline(view, well);
      await view.waitForDescription('12 healthy · environment');
    });

    it('keeps what was read, marked stale with its age and the cause', async () => {
      service.fault({ id: 'well' }, faults.status(503));
      await view.expand('well');
      await view.pressInlineAction('well', 'Refresh Deployment');
      await waitForOutline(view, [
        // Whether it still is fine is unknown, so it stands before those that are.
        'well · stale · 1 of 1 satisfied',
        '  Server error · Try again later.',
        '  notifier · slack',
        '  Ops Slack · slack · in 12 deployments · checked …',
        ...well.slice(0, -1),
      ]);
      const row = await view.row('well');
      assert.equal(row.icon, 'pass');
      assert.match(
        row.ariaLabel,
        /^well, deployment, Satisfied: 1 of 1 satisfied, stale, Server error, tried \d.*, read \d/,
      );
      await workbench.statusBar.waitForText('summary', '1 deployment unknown');
      service.clearFaults();
      await view.pressInlineAction('well', 'Refresh Deployment');
      await view.row({ label: 'well', description: '1 of 1 satisfied' });
      await view.collapse('well');
      await waitForOutline(view, well);
    });

    it('says a rejected token in the first row, once, with the step that helps', async () => {
      service.deleteToken(service.token);
      service.clearRequests();
      await run(workbench, 'Refresh');
      await view.row({ label: 'Token rejected', level: 1 });
      await view.waitForDescription(/^(?!\d+ of).* · environment$/);
      const [first, ...rows] = await view.rows();
      assert.equal(first?.label, 'Token rejected');
      assert.equal(first.description, 'Sign In…');
      assert.match(
        first.ariaLabel,
        /^Token rejected, Token rejected \(401\)\. The access token of “environment” has probably expired/,
      );
      assert.equal(rows.length, 12);
      // What was read before stays, whether it was asked for again or not.
      for (const row of rows) {
        assert.match(row.description, /^(stale · )?1 of 1 satisfied$/);
      }
      // No use in asking twelve times.
      assert.ok(requestsOf(service, 'getDeploymentAuthorization').length < 12);
      await workbench.statusBar.waitForText('summary', 'Automation Platform: token rejected');
      await view.select('Token rejected');
      await workbench.quickInput.waitFor(/^The base URL of the API/);
      assert.equal(await workbench.quickInput.value(), service.baseUrl);
      await workbench.quickInput.cancel();
      service.putToken(service.token);
      await run(workbench, 'Refresh');
      await waitForOutline(view, well);
    });

    it('says in the first row when the service can not be reached', async () => {
      await service.stop();
      await run(workbench, 'Refresh');
      const first = await view.row({ label: 'Unreachable (connection refused)', level: 1 });
      assert.equal(first.index, 0);
      assert.equal(first.description, 'Check Connection…');
      await view.row({
        label: 'fine',
        description: /^stale(, read .*)? · 1 of 1 satisfied$/,
      });
    });
  });
});
